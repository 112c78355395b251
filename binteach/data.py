"""The bundled data sets, notebooks and exercises."""

from __future__ import annotations

import csv
from decimal import Decimal
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from binteach.cases import Cases, Counts
from binteach.exact import shorten

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def bundled(folder: str) -> Traversable:
    """A folder of the project: inside the installed package, or beside it in a checkout."""
    inside = files("binteach").joinpath("_bundled", folder)
    return inside if inside.is_dir() else Path(str(files("binteach"))).parent / folder


def _index() -> dict[str, dict[str, str]]:
    text = bundled("datasets").joinpath("index.csv").read_text(encoding="utf-8")
    return {row["name"]: row for row in csv.DictReader(text.splitlines())}


def datasets() -> dict[str, str]:
    """The name of every data set, with one line about it."""
    return {name: row["description"] for name, row in _index().items()}


def source_of(name: str) -> tuple[str, Traversable]:
    """Where the numbers of a data set come from, and the file that holds them."""
    row = _index()[name]
    return row["source"], bundled("datasets").joinpath(row["file"])


def load(name: str) -> Any:
    """A bundled data set: Cases, a mapping from name to Counts, or a table as a list of rows.

    >>> load("ten_cases")
    Cases(n=10, positives=5, negatives=5)
    """
    index = _index()
    if not isinstance(name, str) or name not in index:
        listed = ", ".join(index)
        raise ValueError(f"there is no data set {shorten(name)}; there are {listed}")
    lines = (
        bundled("datasets").joinpath(index[name]["file"]).read_text(encoding="utf-8").splitlines()
    )
    kind = index[name]["kind"]
    if kind == "cases":
        return Cases.from_rows(csv.reader(lines), name, "label", "score", "1", "case")
    rows = list(csv.DictReader(lines))
    if kind == "counts":
        return {
            row["classifier"]: Counts(*(row[cell] for cell in ("tp", "fp", "fn", "tn")))
            for row in rows
        }
    decimal = {name for row in rows for name, cell in row.items() if _is_decimal(cell)}
    return [{name: _typed(cell, name in decimal) for name, cell in row.items()} for row in rows]


def _is_decimal(cell: str) -> bool:
    whole, point, decimals = cell.partition(".")
    return bool(point) and (whole + decimals).isdecimal()


def _typed(cell: str, decimal: bool) -> int | Decimal | str | None:
    """A decimal with all its printed digits, a whole number, text, or None for an empty cell."""
    if decimal and cell:
        return Decimal(cell)
    return int(cell) if cell.isdecimal() else cell or None
