"""What the proofs about rankings share: their symbols and sums.

Glossary, besides that of binteach.measures.symbols:
  inv           pairs in which the negative stands above the positive, a tie counting 1/2
  R₊            mean rank of the positives
  FP(j), FN(j)  negatives among the first j cases, and positives after them, a tied block spread
                over its places
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from binteach.cases import Cases, Undefined
from binteach.exact import Exact
from binteach.expr import Family, Row, Sum, Sym
from binteach.measures import MEASURES, Context
from binteach.measures.base import evaluate
from binteach.measures.symbols import (
    BELOW,
    EQUAL,
    N_NEG,
    N_POS,
    PLACE_LABELS,
    PLACES,
    POSITIVES,
    RANK,
    ROC_SEGMENTS,
    X_I,
    X_NEXT,
    Y_I,
    Y_NEXT,
    J,
    N,
    cases_of,
)
from binteach.proofs.base import of
from binteach.proofs.writing import HALF, ONE

PAIRS = N_POS * N_NEG


def both_classes(ctx: Context) -> Cases:
    """The cases, if each class has one."""
    cases = cases_of(ctx)
    ctx.whole_places()
    if not cases.positives or not cases.negatives:
        raise Undefined("one of the classes has no case")
    return cases


def pairs(cases: Cases) -> list[tuple[int, int]]:
    """Every positive with every negative, by their numbers in the file."""
    ups = [i for i, label in enumerate(cases.labels) if label]
    downs = [i for i, label in enumerate(cases.labels) if not label]
    return [(up, down) for up in ups for down in downs]


def _inversions(ctx: Context) -> Fraction:
    cases = both_classes(ctx)
    total = Fraction(0)
    for up, down in pairs(cases):
        if cases.scores[down] > cases.scores[up]:
            total += 1
        elif cases.scores[down] == cases.scores[up]:
            total += Fraction(1, 2)
    return total


def exchanged(cases: Cases) -> Cases:
    """The same list read for the other class: labels exchanged, from the bottom up."""
    return Cases([1 - label for label in cases.labels], [-score for score in cases.scores])


def measured(key: str, *views: Callable[[Cases], Cases]) -> Callable[[Any], Exact]:
    """The value of a measure on the data as seen through these views."""

    def find(ctx: Context) -> Exact:
        cases = both_classes(ctx)
        for view in views:
            cases = view(cases)
        return evaluate(Context(MEASURES[key], cases, {}))

    return find


INV = Sym(
    "inv",
    meaning="pairs with the negative above the positive, a tie counting 1/2",
    find=_inversions,
)
MEAN_RANK = Sym(
    "R", sub="+", meaning="mean rank of the positives", definition=Sum(RANK, POSITIVES) / N_POS
)
AUC, GINI, PEM = of("auc"), of("gini"), of("pem")
BY_PAIRS = Sum(BELOW + HALF * EQUAL, POSITIVES) / PAIRS
TRAPEZOIDS = Sum((X_NEXT - X_I) * ((Y_I + Y_NEXT) / 2), ROC_SEGMENTS)
GINI_BY_RANK = (N + 1 - 2 * MEAN_RANK) / N_NEG
SEE_PAIRS = "counted in pairs, see auc_three_ways"
SEE_INVERSIONS = "see auc_by_inversions"
SEE_RANK = "see gini_by_mean_rank"

TPR_AT = Sym("TPR", arg=J, meaning="true positive rate of the first j cases")
FPR_AT = Sym("FPR", arg=J, meaning="false positive rate of the first j cases")
FP_AT = Sym("FP", arg=J, meaning="negatives among the first j cases, a tied block spread evenly")
FN_AT = Sym("FN", arg=J, meaning="positives after the first j cases, a tied block spread evenly")


def quota_rows(ctx: Context) -> Sequence[Row]:
    """One row for each quota j from 1 to n."""
    cases = both_classes(ctx)
    ups, downs = Fraction(cases.positives), Fraction(cases.negatives)
    rows, hits = [], Fraction(0)
    for row, share in zip(PLACES.rows(ctx), cases.ranking.spread, strict=True):
        hits += share
        misses = row.values[J] - hits
        more = {TPR_AT: hits / ups, FPR_AT: misses / downs, FP_AT: misses, FN_AT: ups - hits}
        rows.append(Row({**row.values, **more}, row.labels))
    return rows


QUOTAS = Family("quotas", "j", ONE, N, quota_rows, PLACE_LABELS)
