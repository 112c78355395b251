"""The right answer as a student could type it into a notebook: Python code that names it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import singledispatch

from binteach import exact
from binteach.exercises.examples import ExampleGoal
from binteach.exercises.formulas import FormulaGoal
from binteach.exercises.functions import FunctionGoal
from binteach.exercises.goals import CountsGoal, NamesGoal, NumberGoal, OptionGoal, PointsGoal

WIDTH = 100  # of a line of code
SHORT = 24  # characters up to which a number is typed exactly
PLACES = 4  # decimals of a longer one, where the question asks for no more
# Functions of the bank, written out; any other is left to bt.value.
WRITTEN_OUT = {
    "specificity": """\
    return tn / (tn + fp)
""",
    "matthews_correlation": """\
    margins = (tp + fn) * (tp + fp) * (tn + fp) * (tn + fn)
    return (tp * tn - fp * fn) / margins**0.5
""",
    "lift": """\
    precision = tp / (tp + fp)
    prevalence = (tp + fn) / (tp + fp + fn + tn)
    return precision / prevalence
""",
    "brier_score": """\
    squares = [(y - p) ** 2 for y, p in zip(y_true, y_score, strict=True)]
    return sum(squares) / len(squares)
""",
    "auc": """\
    positives = [p for y, p in zip(y_true, y_score, strict=True) if y]
    negatives = [p for y, p in zip(y_true, y_score, strict=True) if not y]
    won = sum((p > q) + (p == q) / 2 for p in positives for q in negatives)
    return won / (len(positives) * len(negatives))
""",
    "average_precision": """\
    area = recall = 0
    for threshold in sorted(set(y_score), reverse=True):
        called = [y for y, p in zip(y_true, y_score, strict=True) if p >= threshold]
        before, recall = recall, sum(called) / sum(y_true)
        area += (recall - before) * sum(called) / len(called)
    return area
""",
}


@singledispatch
def typed(goal: object, name: str) -> str:
    """The code that gives the right answer this name."""
    raise TypeError(f"no way to type an answer to {type(goal).__name__}")


@typed.register
def _(goal: NumberGoal, name: str) -> str:
    written = str(goal.right())
    if len(written) > SHORT:
        return f"{name} = {exact.rounded(goal.near, max(goal.least, PLACES))}"
    return f"{name} = {_plain_or_quoted(written)}"


@typed.register(CountsGoal)
@typed.register(ExampleGoal)
def _(goal: CountsGoal | ExampleGoal, name: str) -> str:
    return f"{name} = bt.{goal.right()!r}"


@typed.register
def _(goal: NamesGoal, name: str) -> str:
    return _listed(name, map(_plain_or_quoted, goal.names))


@typed.register
def _(goal: PointsGoal, name: str) -> str:
    return _listed(name, (f"({x}, {y})".replace("/", " / ") for x, y in goal.points))


@typed.register
def _(goal: OptionGoal, name: str) -> str:
    return f'{name} = "{chr(ord("a") + goal.place)}"'


@typed.register
def _(goal: FormulaGoal, name: str) -> str:
    return f"{name} = {quoted(goal.formula)}"


@typed.register
def _(goal: FunctionGoal, name: str) -> str:
    takes, data = ("tp, fp, fn, tn", "Counts") if goal.of_counts else ("y_true, y_score", "Cases")
    params = "".join(f", {key}={_plain_or_quoted(str(v))}" for key, v in goal.params.items())
    call = f'    return bt.value("{goal.measure.key}", bt.{data}({takes}){params})\n'
    body = call if params else WRITTEN_OUT.get(goal.measure.key, call)
    return f"def {name}({takes}):\n{body}\n"


def quoted(text: str) -> str:
    """A text in double quotes, as code is formatted here."""
    return json.dumps(text, ensure_ascii=False)


def _plain_or_quoted(written: str) -> str:
    """A whole number as it is, anything else in quotes; 07 is no number in Python."""
    return written if written.isdecimal() and str(int(written)) == written else quoted(written)


def _listed(name: str, items: Iterable[str]) -> str:
    """A list on one line, or with one line for each item, as code is formatted here."""
    parts = list(items)
    line = f"{name} = [{', '.join(parts)}]"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"{name} = [", *(f"    {part}," for part in parts), "]"])
