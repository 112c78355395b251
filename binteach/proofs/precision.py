"""Precision and recall: average precision and the areas under their curve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any

from binteach.cases import Cases, Undefined
from binteach.expr import Family, Node, Num, Row, Sum, Sym
from binteach.measures import Context
from binteach.measures.ranking import HARMONIC, RANDOM_AP
from binteach.measures.symbols import (
    CASE_LABELS,
    CUT_LABELS,
    HIT_J,
    K_CUTS,
    LIFT_J,
    LIFT_PLACES,
    N_POS,
    PR_STEPS,
    PREC_I,
    PREC_J,
    PREVALENCE,
    REC_I,
    REC_I_LEVEL,
    REC_LAST,
    REC_NEXT_LEVEL,
    RECALL_SEGMENTS,
    T_J,
    J,
    N,
    case_labels,
    cases_of,
    precision_level,
)
from binteach.proofs.base import Identity, of
from binteach.proofs.writing import DEFINITION, ONE, argue, at_most, eq, where

PREC_LAST = Sym("p", arg=Sym("t", sub="i−1"), meaning="precision at the cut before")
U_STEP = Sym("u", sub="i", meaning="positives between this cut and the one before")


def _step_rows(ctx: Context) -> Sequence[Row]:
    rows, before = [], Fraction(0)
    for row in PR_STEPS.rows(ctx):
        gained = (row.values[REC_I] - row.values[REC_LAST]) * cases_of(ctx).positives
        rows.append(Row({**row.values, PREC_LAST: before, U_STEP: gained}, row.labels))
        before = row.values[PREC_I]
    return rows


def _rising_rows(ctx: Context) -> Sequence[Row]:
    return [row for row in _step_rows(ctx) if row.values[REC_I] > row.values[REC_LAST]]


STEPS = Family("steps", "i", Num(Fraction(2)), K_CUTS, _step_rows, CUT_LABELS)
RISING = Family(
    "rising_steps", "i", None, None, _rising_rows, CUT_LABELS, condition="steps with more recall"
)
PREC_CASE = Sym(
    "p", sub="i", meaning="precision when all cases that score at least as high are called positive"
)


def _positive_rows(ctx: Context) -> Sequence[Row]:
    cases = cases_of(ctx)
    rows = []
    for index in cases.ranking.order:
        if cases.labels[index]:
            called = [i for i in range(cases.n) if cases.scores[i] >= cases.scores[index]]
            hits = sum(cases.labels[i] for i in called)
            rows.append(Row({PREC_CASE: Fraction(hits, len(called))}, case_labels(cases, index)))
    return rows


EACH_POSITIVE = Family(
    "each_positive", "i", None, None, _positive_rows, CASE_LABELS, condition="positives"
)

AP, AHR, MEAN_PRECISION = of("average_precision"), of("average_hit_rate"), of("mean_precision")
MOST_CASES = 12


@lru_cache(maxsize=256)
def _random_orders(n: int, ups: int) -> tuple[Fraction, Fraction, Fraction, tuple[Fraction, ...]]:
    """Means over all orders of AP, t[1], t[1]·t[2], and for every j of t[j]·g(j)."""
    lists = [tuple(int(i in held) for i in range(n)) for held in combinations(range(n), ups)]
    precisions, found = Fraction(0), [0] * n
    for labels in lists:
        for j in range(n):
            if labels[j]:
                hits = sum(labels[: j + 1])
                found[j] += hits
                precisions += Fraction(hits, j + 1) / ups
    count = len(lists)
    return (
        precisions / count,
        Fraction(sum(labels[0] for labels in lists), count),
        Fraction(sum(labels[0] * labels[1] for labels in lists), count),
        tuple(Fraction(total, count) for total in found),
    )


def _expected(which: int) -> Callable[[Any], Any]:
    def find(ctx: Context) -> Any:
        cases = cases_of(ctx)
        ctx.whole_places()
        if not cases.positives:
            raise Undefined("there is no positive case, so the recall is 0/0")
        if not 1 < cases.n <= MOST_CASES:
            raise Undefined(f"all orders are gone through only for 2 to {MOST_CASES} cases")
        return _random_orders(cases.n, int(cases.positives))[which]

    return find


MEAN_AP = Sym("E", arg=Sym("AP"), meaning="mean AP of all orders of the cases", find=_expected(0))
MEAN_LABEL = Sym("E", sub="1", meaning="mean label in a place, over all orders", find=_expected(1))
MEAN_PRODUCT = Sym(
    "E",
    sub="2",
    meaning="mean product of the labels in two different places, over all orders",
    find=_expected(2),
)
FOUND_J = Sym(
    "f",
    sub="j",
    meaning="mean, over all orders, of the label t[j] in place j times the number g(j) "
    "of positives in the first j places",
)


def _random_rows(ctx: Context) -> Sequence[Row]:
    found = _expected(3)(ctx)
    return [Row({J: Fraction(j), FOUND_J: mean}) for j, mean in enumerate(found, 1)]


RANDOM_PLACES = Family("random_places", "j", ONE, N, _random_rows)
PR_TRAPEZOIDS = Sym(
    "trapezoids",
    meaning="area under the straight lines through all points of the precision-recall curve",
    definition=Sum((REC_I - REC_LAST) * ((PREC_LAST + PREC_I) / 2), STEPS),
)


def _level_sum(start: str, end: str) -> Node:
    mean = (precision_level(start, "i") + precision_level(end, "i+1")) / 2
    return Sum(mean * (REC_NEXT_LEVEL - REC_I_LEVEL), RECALL_SEGMENTS)


AUCPR = {which: of(f"aucpr_{which}") for which in ("min", "minmax", "max")}
LEVELS = where(
    precision_level("min", "i"),
    precision_level("max", "i"),
    last="Here i counts the different recalls, from 0 to 1. As negatives are added at one "
    "recall, the precision falls.",
)
SMALLEST = "the smallest precision at a recall is at most the largest"

IDENTITIES: tuple[Identity, ...] = (
    Identity(
        key="average_hit_rate_is_ap",
        on="cases",
        title="The average hit rate is the average precision",
        left=AHR,
        right=AP,
        proof=(
            argue(
                AHR,
                eq(Sum(T_J * HIT_J, LIFT_PLACES) / N_POS, DEFINITION),
                eq(
                    Sum(PREC_J * (T_J / N_POS), LIFT_PLACES),
                    "the hit rate of the first j cases is their precision",
                ),
                eq(
                    Sum(PREC_I * (REC_I - REC_LAST), PR_STEPS),
                    "without ties every place is a step of the threshold, and place j raises the "
                    "recall by t[j]/n₊",
                ),
                eq(AP, DEFINITION),
                lead=where(T_J, HIT_J),
            ),
        ),
        ties=False,
        counterexample=Cases([1, 1, 0], [2, 1, 1]),
        counterexample_words="With a positive on top and below it a positive and a negative that "
        "are tied, the average hit rate is 41/48, but the average precision is 5/6: the one "
        "spreads the tied block over two places, the other takes it in one step.",
        source="Arbel & Rokach, Eq. 12; Berrar, Definition 32, Eq. 38",
    ),
    Identity(
        key="ap_is_mean_precision_at_positives",
        on="cases",
        title="The average precision is the mean of the precisions at the positives",
        left=AP,
        right=Sum(PREC_CASE, EACH_POSITIVE) / N_POS,
        proof=(
            argue(
                AP,
                eq(Sum(PREC_I * (REC_I - REC_LAST), PR_STEPS), DEFINITION),
                eq(
                    Sum(PREC_I * (U_STEP / N_POS), STEPS),
                    "a step raises the recall by its positives, over n₊",
                ),
                eq(Sum(U_STEP * PREC_I, STEPS) / N_POS, "take out n₊"),
                eq(
                    Sum(PREC_CASE, EACH_POSITIVE) / N_POS,
                    "each of the positives of a step has the step's precision",
                ),
                lead=where(U_STEP, PREC_CASE),
            ),
        ),
        source="Berrar, Definition 32; Sonnenburg, auPRC",
    ),
    Identity(
        key="random_ap",
        on="cases",
        title="The average precision to expect of a random order has a closed form",
        left=MEAN_AP,
        right=RANDOM_AP,
        proof=(
            argue(
                MEAN_LABEL,
                eq(N_POS / N, "every case is equally likely to stand in a given place"),
                lead=where(MEAN_LABEL),
            ),
            argue(
                MEAN_PRODUCT,
                eq(
                    N_POS / N * ((N_POS - 1) / (N - 1)),
                    "the product is 1 if both places hold positives; once the first does, n₊ − 1 "
                    "positives are left among n − 1 cases",
                ),
                lead=where(MEAN_PRODUCT),
            ),
            argue(
                MEAN_AP,
                eq(
                    Sum(FOUND_J / J, RANDOM_PLACES) / N_POS,
                    "AP is the mean of the precisions at the positives; the precision at place j "
                    "is g(j)/j",
                ),
                eq(
                    Sum((MEAN_LABEL + (J - 1) * MEAN_PRODUCT) / J, RANDOM_PLACES) / N_POS,
                    "g(j) is the sum of the labels in the first j places: place j times itself "
                    "gives the label, and there are j − 1 other places",
                ),
                eq(
                    Sum(1 / N * (1 / J), RANDOM_PLACES)
                    + Sum((N_POS - 1) / (N * (N - 1)) * (1 - 1 / J), RANDOM_PLACES),
                    "put in both means and cancel n₊",
                ),
                eq(
                    HARMONIC / N + (N_POS - 1) / (N * (N - 1)) * (N - HARMONIC),
                    "1 + 1/2 + … + 1/n is the harmonic number",
                ),
                eq(
                    (N_POS - 1) / (N - 1) + (HARMONIC * (N - 1 - (N_POS - 1))) / (N * (N - 1)),
                    "collect the terms with the harmonic number",
                ),
                eq(RANDOM_AP, "n − n₊ = n₋"),
                lead=where(MEAN_AP, FOUND_J),
            ),
        ),
        condition="For more than one case. Ten cases, five of them positive, give 27541/45360 = "
        "0.607, not the prevalence 1/2. On data, all orders are gone through, so there may be at "
        f"most {MOST_CASES} cases.",
        applies=lambda data: 1 < data.n <= MOST_CASES,
        source="Berrar, Definition 32, which gives the limit for many cases, n₊/n",
    ),
    Identity(
        key="average_lift_is_mean_precision",
        on="cases",
        title="The average lift is the mean precision divided by the prevalence",
        left=of("average_lift"),
        right=MEAN_PRECISION / PREVALENCE,
        proof=(
            argue(
                of("average_lift"),
                eq(1 / N * Sum(LIFT_J, LIFT_PLACES), DEFINITION),
                eq(
                    1 / N * Sum(PREC_J / PREVALENCE, LIFT_PLACES),
                    "lift is precision divided by prevalence",
                ),
                eq((1 / N * Sum(PREC_J, LIFT_PLACES)) / PREVALENCE, "take out the prevalence"),
                eq(MEAN_PRECISION / PREVALENCE, DEFINITION),
            ),
        ),
        source="Berrar, Definitions 26 and 32",
    ),
    Identity(
        key="trapezoid_is_aucpr_minmax",
        on="cases",
        title="Trapezoids through all points of the precision-recall curve give AUCPR_minmax",
        left=PR_TRAPEZOIDS,
        right=AUCPR["minmax"],
        proof=(
            argue(
                PR_TRAPEZOIDS,
                eq(Sum((REC_I - REC_LAST) * ((PREC_LAST + PREC_I) / 2), STEPS), DEFINITION),
                eq(
                    Sum((REC_I - REC_LAST) * ((PREC_LAST + PREC_I) / 2), RISING),
                    "a step without a positive has no width",
                ),
                eq(
                    _level_sum("min", "max"),
                    "a step with positives leads from the last point at one recall, which has the "
                    "smallest precision there, to the first at the next, which has the largest",
                ),
                eq(AUCPR["minmax"], DEFINITION),
                lead=LEVELS,
            ),
        ),
        condition="The curve starts at recall 0 with precision 0, as Berrar has it.",
        source="Berrar, Definition 33, Eq. 40",
    ),
    *(
        Identity(
            key=f"aucpr_{smaller}_at_most_{larger}",
            on="cases",
            title=f"AUCPR_{smaller} is at most AUCPR_{larger}",
            left=AUCPR[smaller],
            relation="≤",
            right=AUCPR[larger],
            proof=(
                argue(
                    AUCPR[smaller],
                    eq(_level_sum("min", low), DEFINITION),
                    at_most(_level_sum(high, "max"), SMALLEST),
                    eq(AUCPR[larger], DEFINITION),
                    lead=LEVELS,
                ),
            ),
            source="Berrar, Definition 33, Eq. 39 to 41",
        )
        for smaller, larger, low, high in (
            ("min", "minmax", "min", "min"),
            ("minmax", "max", "max", "max"),
        )
    ),
)
