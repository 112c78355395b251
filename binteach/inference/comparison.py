"""Two models on the same cases: is one better, or may the difference be chance?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from binteach.cases import Cases
from binteach.exact import shorten
from binteach.inference.correlated_areas import delong
from binteach.inference.discordance import mcnemar
from binteach.inference.paired import paired_bootstrap, paired_permutation
from binteach.inference.working import key_of

# Method -> the keyword arguments that it takes; None where a measure may take more.
COMPARISONS: dict[str, tuple[str, ...] | None] = {
    "mcnemar": ("top", "at", "rule", "alternative"),
    "delong": ("level", "alternative"),
    "bootstrap": None,
    "permutation": None,
}


def compare(method: str, first: Cases, second: Cases, measure: Any = None, **options: Any) -> Any:
    """Whether two models differ on the same cases by more than chance explains.

    mcnemar      the cases that one model alone gets right; top= or at= (with rule=) makes the cut
                 in both rankings, alternative= says in which direction a difference counts
    delong       the two AUCs; level= is that of the interval of their difference, alternative=
    bootstrap    an interval of the difference in any measure (by default auc); resamples=, seed=,
                 level=, progress=, and what the measure takes
    permutation  a p-value of that difference; resamples=, seed=, alternative=, progress=, and
                 what the measure takes

    >>> first, second = Cases([1, 1, 0, 0], [4, 3, 2, 1]), Cases([1, 1, 0, 0], [4, 2, 3, 1])
    >>> compare("mcnemar", first, second, top=2)
    McNemar(b=2, c=0, p=1/2)
    """
    key = key_of(method, COMPARISONS, "comparison")
    _same_cases(first, second)
    takes = COMPARISONS[key]
    if takes is None:
        return _by_resampling(key, first, second, "auc" if measure is None else measure, options)
    if measure is not None:
        what = "AUCs" if key == "delong" else "right and wrong calls"
        raise ValueError(
            f"{key} compares {what} and takes no measure, but measure is {shorten(measure)}; "
            "leave it out, or take bootstrap or permutation"
        )
    for name in options:
        if name not in takes:
            raise ValueError(f"{key} does not take {name!r}; it takes {', '.join(takes)}")
    return (mcnemar if key == "mcnemar" else delong)(first, second, **options)


def _by_resampling(
    key: str, first: Cases, second: Cases, measure: Any, options: Mapping[str, Any]
) -> Any:
    run = paired_bootstrap if key == "bootstrap" else paired_permutation
    return run(first, second, measure, **options)


def _same_cases(first: Cases, second: Cases) -> None:
    """Refuse what is no pair of models on the same cases, one row for one row."""
    for which, cases in (("first", first), ("second", second)):
        if not isinstance(cases, Cases):
            raise ValueError(
                f"the {which} model is {shorten(cases)}; give Cases(y_true, y_score) for each model"
            )
        if cases.weighted:
            raise ValueError(
                f"the Cases of the {which} model have weights, and comparing takes every case as "
                "one draw; leave the weights out, or repeat cases instead"
            )
    if first.n != second.n:
        raise ValueError(
            f"the first model has {first.n} cases and the second {second.n}; "
            "both must judge the same cases in the same order"
        )
    if first.labels != second.labels:
        labels = zip(first.labels, second.labels, strict=True)
        row, positive = next((row, two) for row, (one, two) in enumerate(labels) if one != two)
        kinds = ("negative", "positive") if positive else ("positive", "negative")
        raise ValueError(
            f"row {row + 1} is {kinds[0]} for the first model and {kinds[1]} for the second; "
            "both must judge the same cases in the same order"
        )
