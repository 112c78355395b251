"""Formulas with one slip in them: a root forgotten, another base, a sum that is not divided.

Each function takes the formula of a measure and gives the formula with the slip, or the same
formula where there is no room for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

from binteach.expr import Abs, Add, Div, Log, Max, Mul, Neg, Node, Num, Pow, Sqrt, Sym

TWO = Fraction(2)
ZERO = Num(Fraction(0))


def rewritten(tree: Node, change: Callable[[Node], Node | None]) -> Node:
    """The tree with every part replaced for which `change` gives another one.

    Unlike expr.transform it goes into sums and into the definitions of symbols; a symbol whose
    definition changes gives way to it, since its old value may be known already.
    """
    changed = change(tree)
    if changed is not None:
        return changed
    if isinstance(tree, Sym):
        if tree.definition is None:
            return tree
        inner = rewritten(tree.definition, change)
        return tree if inner is tree.definition else inner
    new: dict[str, Any] = {}
    for field in fields(tree):  # type: ignore[arg-type]
        old = getattr(tree, field.name)
        if isinstance(old, Node):
            fresh: Any = rewritten(old, change)
            same = fresh is old
        elif isinstance(old, tuple):
            fresh = tuple(rewritten(part, change) for part in old)
            same = all(map(lambda a, b: a is b, fresh, old))
        else:
            continue
        if not same:
            new[field.name] = fresh
    return replace(tree, **new) if new else tree  # type: ignore[type-var]


def without_roots(tree: Node) -> Node:
    """√x as x."""
    return rewritten(tree, lambda part: part.part if isinstance(part, Sqrt) else None)


def without_squares(tree: Node) -> Node:
    """x² as x."""

    def change(part: Node) -> Node | None:
        square = isinstance(part, Pow) and isinstance(part.exponent, Num)
        return part.base if square and part.exponent.value == TWO else None  # type: ignore[attr-defined]

    return rewritten(tree, change)


def without_bars(tree: Node) -> Node:
    """|x| as x."""
    return rewritten(tree, lambda part: part.part if isinstance(part, Abs) else None)


def without_zeros(tree: Node) -> Node:
    """max{0, x} as x."""

    def change(part: Node) -> Node | None:
        if not isinstance(part, Max):
            return None
        kept = [item for item in part.items if item != ZERO]
        return kept[0] if len(kept) == 1 and len(part.items) == 2 else None

    return rewritten(tree, change)


def with_base(tree: Node, base: int) -> Node:
    """Every logarithm to another base; 0 stands for e."""
    new = Num(Fraction(base))

    def change(part: Node) -> Node | None:
        if not isinstance(part, Log) or part.base == new:
            return None
        return Log(rewritten(part.part, change), new)

    return rewritten(tree, change)


def _outside(tree: Node, change: Callable[[Node], Node | None]) -> Node:
    """The same for the outermost parts only: through signs, factors and roots."""
    changed = change(tree)
    if changed is not None:
        return changed
    if isinstance(tree, Neg | Sqrt):
        inner = _outside(tree.part, change)
        return tree if inner is tree.part else replace(tree, part=inner)
    if isinstance(tree, Mul):
        factors = tuple(_outside(factor, change) for factor in tree.factors)
        same = all(map(lambda a, b: a is b, factors, tree.factors))
        return tree if same else Mul(factors)
    return tree


def undivided(tree: Node) -> Node:
    """a / b as a, (1/n) Σ as Σ."""
    return _outside(tree, lambda part: part.numerator if isinstance(part, Div) else None)


def divisor(tree: Node) -> Node | None:
    """What the formula divides by last."""
    found: list[Node] = []

    def look(part: Node) -> Node | None:
        if isinstance(part, Div):
            found.append(part.denominator)
            return part
        return None

    _outside(tree, look)
    return found[0] if found else None


def _is_constant(part: Node) -> bool:
    return isinstance(part.part if isinstance(part, Neg) else part, Num)


def without_constant(tree: Node) -> Node:
    """a + b − 1 as a + b."""
    if not isinstance(tree, Add):
        return tree
    kept = tuple(term for term in tree.terms if not _is_constant(term))
    if not kept or len(kept) == len(tree.terms):
        return tree
    return kept[0] if len(kept) == 1 else Add(kept)


def without_factor(tree: Node) -> Node:
    """2 × a as a."""
    if not isinstance(tree, Mul):
        return tree
    kept = tuple(factor for factor in tree.factors if not isinstance(factor, Num))
    if not kept or len(kept) == len(tree.factors):
        return tree
    return kept[0] if len(kept) == 1 else Mul(kept)


def with_signs_lost(tree: Node) -> Iterator[Node]:
    """a − b as a + b, one sign at a time."""
    if isinstance(tree, Add):
        for place, term in enumerate(tree.terms):
            if isinstance(term, Neg):
                yield Add((*tree.terms[:place], term.part, *tree.terms[place + 1 :]))
    if isinstance(tree, Div):
        for top in with_signs_lost(tree.numerator):
            yield Div(top, tree.denominator)
        for bottom in with_signs_lost(tree.denominator):
            yield Div(tree.numerator, bottom)
