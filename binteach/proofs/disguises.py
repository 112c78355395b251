"""Measures that are the AUC in disguise.

Glossary, besides that of binteach.proofs.quantities:
  R₋  mean rank of the negatives
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from binteach.cases import Cases
from binteach.exact import Exact
from binteach.expr import Family, Row, Sqrt, Sum, Sym
from binteach.measures import Context
from binteach.measures.quota import ABOVE_AREA, BELOW_AREA, FULL_AREA
from binteach.measures.symbols import (
    BELOW,
    CASE_LABELS,
    EQUAL,
    FPR_J,
    G_MODEL,
    G_NULL,
    INNER_PLACES,
    LIFT_PLACES,
    N_NEG,
    N_POS,
    NEGATIVES,
    PLACES,
    POSITIVES,
    PREVALENCE,
    QOPT_J,
    QRANDOM_J,
    QRECALL_J,
    RANK,
    T_J,
    TPR_J,
    J,
    N,
    Y,
    case_labels,
    cases_of,
)
from binteach.proofs.base import Identity, of
from binteach.proofs.quantities import (
    AUC,
    GINI,
    GINI_BY_RANK,
    MEAN_RANK,
    PAIRS,
    PEM,
    SEE_PAIRS,
    SEE_RANK,
    both_classes,
)
from binteach.proofs.writing import DEFINITION, HALF, ONE, argue, eq, where


def _agreeing(sign: int) -> Callable[[Any], Exact]:
    """Counts pairs of cases whose scores and classes differ in the same (or opposite) direction."""

    def find(ctx: Context) -> Fraction:
        cases = cases_of(ctx)
        both = list(zip(cases.scores, cases.labels, strict=True))
        products = [(a[0] - b[0]) * (a[1] - b[1]) * sign for a, b in combinations(both, 2)]
        return Fraction(sum(product > 0 for product in products))

    return find


MEAN_RANK_NEG = Sym(
    "R", sub="−", meaning="mean rank of the negatives", definition=Sum(RANK, NEGATIVES) / N_NEG
)

LEMMA_QRECALL = argue(
    Sum(QRECALL_J, LIFT_PLACES),
    eq(Sum(G_MODEL, PLACES) / N_POS, "Qrecall(j) is the number of positives found, over n₊"),
    eq(
        Sum((N + 1 - J) * T_J, PLACES) / N_POS,
        "what place j holds is found by the quotas j, j + 1, …, n, and these are n + 1 − j",
    ),
    eq(
        Sum(N + 1 - RANK, POSITIVES) / N_POS,
        "a positive of rank R stands in place R; a tied block spreads its positives evenly over "
        "its places, and their mean is the rank that the block shares",
    ),
    eq(N + 1 - MEAN_RANK, "take the mean over the positives"),
    lead=where(
        G_MODEL,
        T_J,
        MEAN_RANK,
        first="The Qrecalls of all quotas add up to a mean rank.",
        last="So:",
    ),
)
CONCORDANT = Sym(
    "C",
    meaning="pairs of cases whose scores and classes differ in the same direction",
    find=_agreeing(1),
)
DISCORDANT = Sym(
    "D",
    meaning="pairs of cases whose scores and classes differ in opposite directions",
    find=_agreeing(-1),
)
TAU = Sym(
    "tau",
    sub="a",
    meaning="rank correlation of score and class after Kendall, over all pairs of cases",
    definition=(CONCORDANT - DISCORDANT) / (N * (N - 1) / 2),
)

S_I = Sym("s", sub="i", meaning="rank of the case's score from below, n + 1 − Rᵢ")
L_I = Sym("c", sub="i", meaning="rank of the case's class from below; cases of one class share it")


def _ranked_rows(ctx: Context) -> Sequence[Row]:
    cases = both_classes(ctx)
    ups, downs = Fraction(cases.positives), Fraction(cases.negatives)
    rows = []
    for block in cases.ranking.blocks:
        for index in block.members:
            label = cases.labels[index]
            shared = downs + (ups + 1) / 2 if label else (downs + 1) / 2
            from_below = cases.n + 1 - Fraction(block.first + block.last, 2)
            values: dict[Sym, Exact] = {S_I: from_below, L_I: shared, Y: Fraction(label)}
            rows.append(Row(values, case_labels(cases, index)))
    return rows


RANKED = Family("ranked_cases", "i", ONE, N, _ranked_rows, CASE_LABELS)
MIDDLE = (N + 1) / 2
COMMON = Sum((S_I - MIDDLE) * (L_I - MIDDLE), RANKED)
SCORE_SPREAD, CLASS_SPREAD = Sum((S_I - MIDDLE) ** 2, RANKED), Sum((L_I - MIDDLE) ** 2, RANKED)
SPEARMAN = Sym(
    "ρ",
    sub="S",
    meaning="rank correlation of score and class after Spearman",
    definition=COMMON / (Sqrt(SCORE_SPREAD) * Sqrt(CLASS_SPREAD)),
)
AVERAGE_GAIN, TAKS = of("average_gain"), of("taks")

IDENTITIES: tuple[Identity, ...] = (
    Identity(
        key="pem_is_gini",
        on="cases",
        title="The potential extract measure is the Gini index",
        left=PEM,
        right=GINI,
        proof=(
            LEMMA_QRECALL,
            argue(
                ABOVE_AREA - BELOW_AREA,
                eq(
                    Sum(QRECALL_J - QRANDOM_J, LIFT_PLACES),
                    "the one area holds the positive differences, the other the negative ones with "
                    "their sign changed",
                ),
                eq(N + 1 - MEAN_RANK - Sum(J / N, PLACES), "by the first argument"),
                eq(N + 1 - MEAN_RANK - MIDDLE, "1 + 2 + … + n = n(n + 1)/2"),
                eq((N + 1 - 2 * MEAN_RANK) / 2, "one fraction"),
                lead=where(ABOVE_AREA, BELOW_AREA, QRANDOM_J, first="The numerator."),
            ),
            argue(
                FULL_AREA,
                eq(Sum(QOPT_J - QRANDOM_J, LIFT_PLACES), DEFINITION),
                eq(
                    N + 1 - (N_POS + 1) / 2 - MIDDLE,
                    "in a perfect order the positives have the ranks 1, 2, …, n₊, whose mean is "
                    "(n₊ + 1)/2",
                ),
                eq(N_NEG / 2, "n − n₊ = n₋"),
                lead=where(FULL_AREA, QOPT_J, first="The denominator."),
            ),
            argue(
                PEM,
                eq((ABOVE_AREA - BELOW_AREA) / FULL_AREA, DEFINITION),
                eq(
                    ((N + 1 - 2 * MEAN_RANK) / 2) / (N_NEG / 2),
                    "by the two arguments above",
                ),
                eq(GINI_BY_RANK, "cancel 1/2"),
                eq(GINI, SEE_RANK),
                lead=("Together:",),
            ),
        ),
        source="Arbel & Rokach, Eq. 14 and 15; they call the two only similar (2.3.4)",
    ),
    Identity(
        key="average_gain_is_auc",
        on="cases",
        title="The average gain is a multiple of AUC − 1/2",
        left=AVERAGE_GAIN,
        right=PAIRS / N * (AUC - HALF),
        proof=(
            LEMMA_QRECALL,
            argue(
                AVERAGE_GAIN,
                eq(Sum(G_MODEL - G_NULL, PLACES) / N, DEFINITION),
                eq(
                    (N_POS * Sum(QRECALL_J, LIFT_PLACES) - N_POS / N * Sum(J, PLACES)) / N,
                    "the model finds n₊ Qrecall(j), guessing finds j n₊/n",
                ),
                eq(
                    (N_POS * (N + 1 - MEAN_RANK) - N_POS * MIDDLE) / N,
                    "by the first argument, and 1 + 2 + … + n = n(n + 1)/2",
                ),
                eq(PAIRS / (2 * N) * GINI_BY_RANK, "take out n₊ n₋/(2n)"),
                eq(PAIRS / (2 * N) * GINI, SEE_RANK),
                eq(PAIRS / N * (AUC - HALF), "Gini = 2 AUC − 1"),
            ),
        ),
        source="Berrar, Definition 25, Eq. 28 and 29",
    ),
    Identity(
        key="taks_is_gini",
        on="cases",
        title="The average Kolmogorov-Smirnov statistic taKS is a multiple of the Gini index",
        left=TAKS,
        right=N / (2 * (N - 1)) * GINI,
        proof=(
            argue(
                Sum(TPR_J - FPR_J, INNER_PLACES),
                eq(
                    (N - MEAN_RANK) - (N - MEAN_RANK_NEG),
                    "a case of rank R lies above n − R of the inner cuts; TPR adds up the mean of "
                    "this over the positives, FPR over the negatives",
                ),
                eq(MEAN_RANK_NEG - MEAN_RANK, "cancel n"),
                eq(
                    (N * MIDDLE - N_POS * MEAN_RANK) / N_NEG - MEAN_RANK,
                    "all ranks together are n(n + 1)/2",
                ),
                eq(N * (MIDDLE - MEAN_RANK) / N_NEG, "n₊ + n₋ = n"),
                eq(N / 2 * GINI, SEE_RANK),
                lead=where(TPR_J, FPR_J, MEAN_RANK, MEAN_RANK_NEG, first="The sum."),
            ),
            argue(
                TAKS,
                eq(1 / (N - 1) * Sum(TPR_J - FPR_J, INNER_PLACES), DEFINITION),
                eq(1 / (N - 1) * (N / 2 * GINI), "by the first argument"),
                eq(N / (2 * (N - 1)) * GINI, "one fraction"),
            ),
        ),
        source="Berrar, Definition 31, Eq. 36",
    ),
    Identity(
        key="spearman_is_gini",
        on="cases",
        title="Spearman's correlation of score and class is a multiple of the Gini index",
        left=SPEARMAN,
        right=GINI * Sqrt(3 * N_POS * N_NEG / (N**2 - 1)),
        proof=(
            argue(
                COMMON,
                eq(
                    Sum((S_I - MIDDLE) * (N / 2 * (Y - PREVALENCE)), RANKED),
                    "a negative has cᵢ = (n₋ + 1)/2 and a positive n/2 more",
                ),
                eq(
                    N / 2 * Sum((S_I - MIDDLE) * Y, RANKED),
                    "the ranks differ from their mean by 0 on average, so π drops out",
                ),
                eq(
                    N / 2 * N_POS * (N + 1 - MEAN_RANK - MIDDLE),
                    "only positives have yᵢ = 1",
                ),
                eq(N * N_POS * N_NEG / 4 * GINI, SEE_RANK),
                lead=where(S_I, L_I, Y, MEAN_RANK, first="What score and class have in common."),
            ),
            argue(
                SCORE_SPREAD,
                eq(
                    N * (N**2 - 1) / 12,
                    "without ties the ranks are 1, 2, …, n, whose squares add up to "
                    "n(n + 1)(2n + 1)/6",
                ),
                lead=("The spread of the scores' ranks.",),
            ),
            argue(
                CLASS_SPREAD,
                eq(N**2 / 4 * Sum((Y - PREVALENCE) ** 2, RANKED), "as in the first argument"),
                eq(
                    N**2 / 4 * (N * PREVALENCE * (1 - PREVALENCE)),
                    "n₊ cases are 1 − π above π, n₋ are π below it",
                ),
                eq(N * N_POS * N_NEG / 4, "π = n₊/n and 1 − π = n₋/n"),
                lead=("The spread of the classes' ranks.",),
            ),
            argue(
                SPEARMAN,
                eq(COMMON / (Sqrt(SCORE_SPREAD) * Sqrt(CLASS_SPREAD)), DEFINITION),
                eq(
                    (N * N_POS * N_NEG / 4 * GINI)
                    / (Sqrt(N * (N**2 - 1) / 12) * Sqrt(N * N_POS * N_NEG / 4)),
                    "by the three arguments above",
                ),
                eq(GINI * Sqrt(3 * N_POS * N_NEG / (N**2 - 1)), "cancel under the root"),
                lead=("Together:",),
            ),
        ),
        ties=False,
        counterexample=Cases([1, 0, 0], [2, 1, 1]),
        counterexample_words="With one positive above two tied negatives, Spearman's correlation "
        "is 1, but the right side is √3/2 = 0.866.",
        source="explains why Arbel & Rokach find their Pearson correlation so like PEM (4.2)",
    ),
    Identity(
        key="kendall_tau_is_gini",
        on="cases",
        title="Kendall's correlation of score and class is a multiple of the Gini index",
        left=TAU,
        right=PAIRS / (N * (N - 1) / 2) * GINI,
        proof=(
            argue(
                CONCORDANT - DISCORDANT,
                eq(
                    Sum(BELOW, POSITIVES) - Sum(N_NEG - BELOW - EQUAL, POSITIVES),
                    "two cases of one class do not differ in class; a positive agrees with the "
                    "negatives below it and disagrees with those above it",
                ),
                eq(2 * Sum(BELOW + HALF * EQUAL, POSITIVES) - PAIRS, "collect the terms"),
                eq(PAIRS * (2 * AUC - 1), SEE_PAIRS),
                lead=where(CONCORDANT, DISCORDANT, BELOW, EQUAL),
            ),
            argue(
                TAU,
                eq((CONCORDANT - DISCORDANT) / (N * (N - 1) / 2), DEFINITION),
                eq(PAIRS * (2 * AUC - 1) / (N * (N - 1) / 2), "by the first argument"),
                eq(PAIRS / (N * (N - 1) / 2) * GINI, "Gini = 2 AUC − 1"),
            ),
        ),
        source="binteach",
    ),
)
