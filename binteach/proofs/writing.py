"""Ways of writing that all proofs share: links, chains, and measures in special cases."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from binteach.expr import Add, Node, Num, Sum, Sym, transform
from binteach.measures.base import Prose
from binteach.proofs.base import Argument, Identity, Link, of

DEFINITION = "by definition"
OURS = "binteach"
ZERO, ONE, HALF = Num(Fraction(0)), Num(Fraction(1)), Num(Fraction(1, 2))


def eq(tree: Node, why: str) -> Link:
    """= tree, and why."""
    return ("=", tree, why)


def at_most(tree: Node, why: str) -> Link:
    """≤ tree, and why."""
    return ("≤", tree, why)


def argue(left: Node, *links: Link, lead: Prose = ()) -> Argument:
    """A chain of links that starts at `left`; `lead` says what it is about."""
    return Argument(left, links, lead)


def proved(
    key: str,
    title: str,
    left: Node,
    *links: Link,
    lead: Prose = (),
    before: tuple[Argument, ...] = (),
    source: str = OURS,
    on: str = "counts",
    params: tuple[str, ...] = (),
    condition: str = "",
    applies: Callable[[Any], bool] = lambda data: True,
) -> Identity:
    """What a chain from left to right proves, with the arguments that it needs before it."""
    relation = "≤" if any(link[0] == "≤" for link in links) else "="
    return Identity(
        key=key,
        title=title,
        left=left,
        right=links[-1][1],
        relation=relation,
        proof=(*before, Argument(left, links, lead)),
        source=source,
        on=on,
        params=params,
        condition=condition,
        applies=applies,
    )


def where(*symbols: Sym, first: str = "", last: str = "") -> Prose:
    """A sentence that says what symbols mean: b_i: ...; e_i: ..."""
    pieces: list[str | Node] = [f"{first} "] if first else []
    for place, symbol in enumerate(symbols):
        pieces += ["; " if place else "", symbol, f": {symbol.meaning}"]
    return (*pieces, f". {last}" if last else ".")


def with_symbols(tree: Node, meant: dict[Sym, Node]) -> Node:
    """The tree with other things in the place of some symbols, also under a sum."""

    def change(part: Node) -> Node | None:
        if isinstance(part, Sum):
            return Sum(with_symbols(part.body, meant), part.family)
        return meant.get(part) if isinstance(part, Sym) else None

    return transform(tree, change)


def special(key: str, symbol: Sym, meant: dict[Sym, Node], **params: Any) -> Sym:
    """A measure in a special case: `symbol`, defined by its formula with some symbols replaced."""
    tree = of(key, **params).definition
    assert tree is not None
    definition = with_symbols(tree, meant)
    return Sym(symbol.base, symbol.sub, symbol.sup, symbol.arg, definition=definition)


def both(left: Node, right: Node) -> Node:
    """left + right, each in its own brackets if it is a sum."""
    return Add((left, right))
