"""What a notebook needs: a check of a name that is not defined yet is no error.

Python looks a name up before it calls anything, so `q.check(anwser)` ends in a traceback that
`check` never hears of. In IPython the calls are therefore rewritten: the answer is looked up when
the question is known, and an undefined name counts as not attempted.
"""

from __future__ import annotations

import ast
import builtins
import sys
from difflib import get_close_matches
from functools import partial
from types import CodeType, FunctionType
from typing import Any

from binteach.exercises.answers import Unnamed

HELPER = "_binteach_check"
# What a function of its own around the answer would change the meaning of.
NOT_MOVED = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Starred)


def check(kind: type[Any], asked: Any, answer: FunctionType) -> Any:
    """asked.check(answer), where a question of this kind is given undefined names as such."""
    if not isinstance(asked, kind):
        return asked.check(answer())
    try:
        given = answer()
    except NameError as unknown:
        if not _is_in_the_call(unknown, answer.__code__):
            raise  # a function that the answer calls is broken: that is another matter
        name = unknown.name or ""
        known = [each for each in answer.__globals__ if not each.startswith("_")]
        given = Unnamed(name, *get_close_matches(name, known, n=1))
    return asked.check(given)


def _is_in_the_call(error: NameError, call: CodeType) -> bool:
    """Whether the name stands in the call itself, and not in a function made elsewhere."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and _holds(call, trace.tb_frame.f_code)


def _holds(outer: CodeType, inner: CodeType) -> bool:
    """Whether code is part of other code, as a comprehension is."""
    parts = (each for each in outer.co_consts if isinstance(each, CodeType))
    return outer is inner or any(_holds(part, inner) for part in parts)


class _Checks(ast.NodeTransformer):
    """x.check(answer) as check(x, lambda: answer), in the cell itself and not in its functions."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        called = node.func
        if (
            not (isinstance(called, ast.Attribute) and called.attr == "check")
            or len(node.args) != 1
            or node.keywords
            or any(isinstance(part, NOT_MOVED) for part in ast.walk(node.args[0]))
        ):
            return node
        no_arguments = ast.arguments([], [], None, [], [], None, [])
        later = ast.Lambda(no_arguments, node.args[0])
        helper = ast.Name(HELPER, ast.Load())
        made = ast.Call(helper, [called.value, later], [])
        return ast.fix_missing_locations(ast.copy_location(made, node))

    def _as_it_is(self, node: ast.AST) -> ast.AST:
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = _as_it_is


def prepare(kind: type[Any]) -> None:
    """Have the notebook that runs this, if one does, take undefined names for unanswered.

    `kind` is the class of questions; whatever else has a method `check` is left alone.
    """
    shells = sys.modules.get("IPython")
    shell = shells.get_ipython() if shells is not None else None
    if shell is None or any(isinstance(each, _Checks) for each in shell.ast_transformers):
        return
    # Not among the student's own names, which %reset takes away.
    setattr(builtins, HELPER, partial(check, kind))
    shell.ast_transformers.append(_Checks())
