"""All prose: a derivation as blocks of words, formulas and tables, before any format.

Every format renders these same blocks, so that all of them say the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from binteach.derivation import Derivation, Given, Step, Table
from binteach.expr import Div, Node, Num, Rounded, Sym
from binteach.measures.base import Prose


def clean(words: str) -> str:
    """Words from outside may hold anything; what cannot be printed becomes a visible sign."""
    return words if words.isprintable() else "".join(c if c.isprintable() else "�" for c in words)


def _clean(pieces: tuple[str | Node, ...]) -> tuple[str | Node, ...]:
    return tuple(clean(piece) if isinstance(piece, str) else piece for piece in pieces)


@dataclass(frozen=True)
class Heading:
    """The title."""

    words: str


@dataclass(frozen=True)
class Say:
    """A sentence, with formulas in it."""

    prose: Prose
    strong: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "prose", _clean(self.prose))


@dataclass(frozen=True)
class Chain:
    """left = a = b ≈ c, one link under the other."""

    left: Node
    links: tuple[tuple[str, Node], ...]
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Where:
    """A list of symbols with their values and meanings."""

    given: tuple[Given, ...]


@dataclass(frozen=True)
class Grid:
    """A table."""

    table: Table

    def __post_init__(self) -> None:
        rows = tuple(row if isinstance(row, int) else _clean(row) for row in self.table.rows)
        object.__setattr__(self, "table", replace(self.table, rows=rows))


Block = Heading | Say | Chain | Where | Grid


def narrate(derivation: Derivation) -> list[Block]:
    """The derivation as blocks, in reading order."""
    blocks: list[Block] = [Heading(derivation.title)]
    if derivation.meaning:
        blocks.append(Say((derivation.meaning,)))
    working: list[Step] = []
    for step in derivation.steps:
        if step.rule == "definition":
            assert step.before is not None
            assert step.after is not None
            links = (("=", step.after), *(("=", form) for form in step.forms))
            blocks.append(Chain(step.before, links))
        elif step.rule == "given":
            blocks += _given(step)
        elif step.rule == "table":
            blocks += _table(step)
        elif step.rule == "part":
            blocks += _part(step)
        elif step.rule == "prove":
            blocks += _argument(step)
        elif step.rule in ("substitute", "simplify", "approximate", "value"):
            working.append(step)
        else:
            blocks += _worked(derivation.symbol, working)
            working = []
            blocks.append(_closing(step, derivation.title))
    blocks += _worked(derivation.symbol, working)
    return blocks


def _given(step: Step) -> list[Block]:
    if not step.given:
        return []
    return [Say(("Here:",)), Where(step.given)]


def _table(step: Step) -> list[Block]:
    assert step.table is not None
    caption: list[Block] = [Say((step.table.caption,))] if step.table.caption else []
    return [*caption, Grid(step.table)]


def _part(step: Step) -> list[Block]:
    """One chain for a part: its definition, and how its value comes about."""
    assert isinstance(step.before, Sym)
    assert step.after is not None
    meaning = step.before.meaning
    lead: list[Block] = [Say((step.before, f", the {meaning}:"))] if meaning else []
    links = [("=", step.after)]
    closing: list[Block] = []
    if step.part is not None:
        worked = _links(step.part.steps)
        if worked and worked[0][1] == step.after:  # a number needs no putting in
            worked = worked[1:]
        links += worked
        if step.part.reason:
            closing = [Say((step.before, f" does not exist: {step.part.reason}."), strong=True)]
    return [*lead, Chain(step.before, tuple(links)), *closing]


def _argument(step: Step) -> list[Block]:
    """A chain in which every link has its reason."""
    assert step.before is not None
    lead: list[Block] = [Say(step.prose)] if step.prose else []
    links = tuple((relation, tree) for relation, tree, _ in step.links)
    return [*lead, Chain(step.before, links, tuple(reason for _, _, reason in step.links))]


def _worked(symbol: Sym, steps: list[Step]) -> list[Block]:
    links = _links(tuple(steps))
    if not links:
        return []
    return [Say(("With the numbers put in:",)), Chain(symbol, tuple(links))]


def _links(steps: tuple[Step, ...]) -> list[tuple[str, Node]]:
    """The right-hand sides of the working, without those that look like the one before."""
    links: list[tuple[str, Node]] = []
    for step in steps:
        if step.rule in ("substitute", "simplify"):
            assert step.after is not None
            if not (links and _looks_like(links[-1][1], step.after)):
                links.append(("=", step.after))
        elif step.rule == "approximate":
            assert step.after is not None
            if not isinstance(step.after, Rounded):  # the value comes next
                links.append(("≈", step.after))
        elif step.rule == "value":
            links += _value_links(step, links)
    return links


def _value_links(step: Step, links: list[tuple[str, Node]]) -> list[tuple[str, Node]]:
    assert isinstance(step.after, Num)
    new: list[tuple[str, Node]] = []
    symbolic = bool(getattr(step.after.value, "free_symbols", None))
    if symbolic and (not links or links[-1][1] != step.after):
        new.append(("=", step.after))
    # A whole number that the working ends with needs no decimal.
    if "." in step.decimal or (step.decimal and not links):
        new.append(("=" if step.exactly else "≈", Rounded(step.decimal)))
    return new


def _looks_like(left: Node, right: Node) -> bool:
    """Whether 3 divided by 4 is followed by the fraction 3/4, which is written the same."""
    if isinstance(left, Div) and isinstance(right, Num) and isinstance(right.value, Fraction):
        value = right.value
        written = Div(Num(Fraction(value.numerator)), Num(Fraction(value.denominator)))
        return left == written and value.denominator != 1
    return left == right


def _closing(step: Step, title: str) -> Block:
    if step.rule == "undefined":
        (reason,) = step.prose
        return Say((f"{title} is undefined here: {reason}.",), strong=True)
    return Say(step.prose)
