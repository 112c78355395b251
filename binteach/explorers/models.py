"""Models on the same cases: those of the literature, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from binteach.cases import Cases, Counts
from binteach.data import load
from binteach.exact import is_symbolic, shorten

# The worked example after Arbel & Rokach's Figure 4: how many of 20 positives each model ranks
# above its first negative, its second, ... (their figure prints no numbers; these are ours).
FIGURE_4 = {
    "full line": (4, 7, 12, 14, 14, 14, 15, 15, 16, 18),
    "dashed": (8, 9, 10, 11, 12, 13, 14, 15, 16, 20),
    "dotted": (2, 4, 8, 11, 15, 17, 18, 19, 19, 19),
}


def _ranked(found: Sequence[int]) -> Cases:
    """Cases whose negatives stand in the ranking after so many positives each."""
    ups, downs = 20, len(found)
    after = [place + sum(level < place for level in found) for place in range(1, ups + 1)]
    below = [level + number for number, level in enumerate(found, 1)]
    scores = [Fraction(ups + downs + 1 - place, ups + downs + 1) for place in (*after, *below)]
    return Cases([1] * ups + [0] * downs, scores)


EXAMPLES: dict[str, dict[str, str]] = {
    "berrar": {"model A": "ten_cases", "model B": "ten_cases_b"},
    "murphy": {"classifier 1": "murphy_1", "classifier 2": "murphy_2"},
}


def example(name: str) -> dict[str, Any]:
    """Models from the literature.

    berrar      Section 6: model A against model B, which differ in one score and in no rank
    murphy      Tables 1 and 2: classifiers 1 and 2
    murphy_abc  Table 4: the hard classifiers A, B and C
    arbel       after Figure 4: three curves that take turns on top (the numbers are ours)
    """
    if name == "murphy_abc":
        return dict(load(name))
    if name == "arbel":
        return {model: _ranked(found) for model, found in FIGURE_4.items()}
    if name not in EXAMPLES:
        listed = ", ".join((*EXAMPLES, "murphy_abc", "arbel"))
        raise ValueError(f"there is no example {shorten(name)}; there are {listed}")
    return {model: load(data) for model, data in EXAMPLES[name].items()}


def checked_models(models: Any, most: int, *, counts: bool) -> dict[str, Any]:
    """Two or more models if they judge the same cases; ValueError with the place otherwise."""
    remedy = f"give a mapping of two or more names to Cases{', or to Counts' if counts else ''}"
    if not isinstance(models, Mapping):
        raise ValueError(f"models is {shorten(models)}; {remedy}")
    if not 2 <= len(models) <= most:
        raise ValueError(f"there are {len(models)} models; give 2 to {most} of them")
    kinds = {Cases if isinstance(data, Cases) else type(data) for data in models.values()}
    for name, data in models.items():
        if not isinstance(name, str):
            raise ValueError(f"the name of a model is {shorten(name)}; names must be text")
        if not isinstance(data, Cases | Counts if counts else Cases):
            raise ValueError(f"model {shorten(name)} is {shorten(data)}; {remedy}")
    if len(kinds) > 1:
        raise ValueError(f"some models are Cases and some are Counts; {remedy}")
    (first, data), *others = models.items()
    for name, other in others:
        (_same_counts if isinstance(data, Counts) else _same_rows)(first, data, name, other)
    if isinstance(data, Counts):
        for name, data in models.items():
            if any(map(is_symbolic, (data.tp, data.fp, data.fn, data.tn))):
                raise ValueError(f"the counts of model {shorten(name)} must be numbers")
    return dict(models)


def _same_rows(first: str, cases: Cases, name: str, other: Cases) -> None:
    must = "all models must judge the same cases in the same order"
    one, two = shorten(first), shorten(name)
    for row, (label, theirs) in enumerate(zip(cases.labels, other.labels, strict=False), 1):
        if label != theirs:
            kinds = ("negative", "positive")
            raise ValueError(
                f"row {row} is {kinds[label]} for {one} and {kinds[theirs]} for {two}; {must}"
            )
    if cases.n != other.n:
        raise ValueError(
            f"{one} has {cases.n} cases and {two} {other.n}: row {min(cases.n, other.n) + 1} is "
            f"missing; {must}"
        )
    for row in range(cases.n if cases.weighted or other.weighted else 0):
        if cases.weight(row) != other.weight(row):
            raise ValueError(f"row {row + 1} has different weights for {one} and {two}; {must}")


def _same_counts(first: str, counts: Counts, name: str, other: Counts) -> None:
    for what in ("positives", "negatives"):
        mine, theirs = getattr(counts, what), getattr(other, what)
        if mine != theirs:
            raise ValueError(
                f"{shorten(first)} judges {mine} {what} and {shorten(name)} {theirs}; "
                "all models must judge the same cases"
            )
