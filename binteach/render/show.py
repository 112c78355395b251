"""Counts as a two-by-two table and cases as a list, for notebooks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from binteach.cases import Cases, Counts
from binteach.derivation import Table, cut_table
from binteach.exact import is_symbolic
from binteach.expr import Node, Num, shown
from binteach.render import html

Cells = tuple[str | Node, ...]


def counts(found: Counts) -> str:
    """The confusion matrix with its margins."""
    rows: tuple[Cells, ...] = (
        ("called positive", *_cells(found.tp, found.fp, found.tp + found.fp)),
        ("called negative", *_cells(found.fn, found.tn, found.fn + found.tn)),
    )
    totals: Cells = ("sum", *_cells(found.positives, found.negatives, found.n))
    heads = ("", "really positive", "really negative", "sum")
    return html.titled("Confusion matrix", Table(heads, rows, None, totals), ())


def _cells(*numbers: Any) -> tuple[Node, ...]:
    return tuple(
        Num(number) if is_symbolic(number) else shown(Fraction(number), True) for number in numbers
    )


def cases(found: Cases) -> str:
    """The cases from the highest score to the lowest."""
    note = f"{found.n} cases, {found.positives} positive and {found.negatives} negative"
    weighted = " by weight" if found.weighted else ""
    table = cut_table(found.ranking, -1, "")
    return html.titled("Cases", table, (f"{note}{weighted}.",))
