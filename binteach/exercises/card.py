"""Something to read: a question, a hint, a solution in words; as text and in a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from binteach.cases import Cases, Counts
from binteach.derivation import Table, cut_table
from binteach.expr import Num, shown
from binteach.render import html, text
from binteach.render.words import Block, Grid, Say

MOST_CASES = 40  # that a question shows one by one

# The columns and the rows of a confusion matrix.
REALLY = ("really positive", "really negative")
CALLED = ("called positive", "called negative")


class Card:
    """Blocks of words and tables; whatever came from outside is escaped when shown."""

    def __init__(self, *blocks: Block) -> None:
        self.blocks = list(blocks)

    def __str__(self) -> str:
        return text.join(self.blocks)

    def __repr__(self) -> str:
        return str(self)  # a console shows the repr, and this is meant to be read

    def _repr_html_(self) -> str:
        return html.Page(guarded=True).join(self.blocks)


def data_table(data: object) -> list[Block]:
    """The data of a question as tables, each under its name; none for data that are no table."""
    if isinstance(data, Counts):
        return [Grid(_matrix(data))]
    if isinstance(data, Cases):
        return [Grid(cut_table(data.ranking, -1, "", MOST_CASES))]
    if isinstance(data, Table):
        return [Grid(data)]
    if isinstance(data, Mapping):
        return [
            block
            for name, each in data.items()
            for block in (Say((f"{name}:",)), *data_table(each))
        ]
    if isinstance(data, list | tuple) and all(map(_is_triplet, data)):
        return [Grid(_triplets(data))]
    return []


def _is_triplet(item: object) -> bool:
    """Whether this is an anchor, a positive and a negative vector."""
    return (
        isinstance(item, list | tuple)
        and len(item) == 3
        and all(isinstance(vector, list | tuple) for vector in item)
    )


def _triplets(triplets: Sequence[Sequence[Sequence[object]]]) -> Table:
    heads = ("triplet", "anchor", "positive", "negative")
    rows = [tuple(f"({', '.join(map(str, vector))})" for vector in each) for each in triplets]
    return Table(heads, tuple((str(place), *row) for place, row in enumerate(rows, 1)))


def _matrix(counts: Counts) -> Table:
    above, below = CALLED
    first = (above, _cell(counts.tp), _cell(counts.fp))
    second = (below, _cell(counts.fn), _cell(counts.tn))
    return Table(("", *REALLY), (first, second))


def _cell(number: Any) -> Num:
    return shown(Fraction(number), True)
