"""The AUC in other words: pairs, trapezoids, inversions, swaps and mean ranks."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from binteach.expr import Family, Row, Sum, Sym
from binteach.measures import Context
from binteach.measures.ranking import RANK_SUM
from binteach.measures.symbols import (
    BELOW,
    EQUAL,
    K_CUTS,
    N_NEG,
    N_POS,
    NEGATIVES,
    POSITIVES,
    RANK,
    ROC_SEGMENTS,
    X_I,
    X_NEXT,
    Y_I,
    Y_NEXT,
    ranking_of,
)
from binteach.proofs.base import Identity
from binteach.proofs.quantities import (
    AUC,
    BY_PAIRS,
    GINI,
    GINI_BY_RANK,
    INV,
    MEAN_RANK,
    PAIRS,
    SEE_INVERSIONS,
    SEE_PAIRS,
    TRAPEZOIDS,
    both_classes,
)
from binteach.proofs.writing import DEFINITION, HALF, ONE, argue, eq, where


def _swaps(ctx: Context) -> Fraction:
    """Exchanges of neighbours that sort the list, ties broken in the best and the worst way."""
    cases = both_classes(ctx)
    listed = list(zip(cases.scores, cases.labels, strict=True))
    worst = [label for _, label in sorted(listed, key=lambda case: (-case[0], case[1]))]
    best = [label for _, label in sorted(listed, key=lambda case: (-case[0], -case[1]))]
    return Fraction(_bubbles(best) + _bubbles(worst), 2)


def _bubbles(labels: list[int]) -> int:
    count, moved = 0, True
    while moved:
        moved = False
        for place in range(len(labels) - 1):
            if labels[place] < labels[place + 1]:
                labels[place : place + 2] = 1, 0
                count, moved = count + 1, True
    return count


SWAPS = Sym(
    "swaps",
    meaning="exchanges of neighbours that bring all positives to the top, a tie counting 1/2",
    find=_swaps,
)

A_I = Sym("a", sub="i", meaning="positives above the block of tied cases")
U_I = Sym("u", sub="i", meaning="positives in the block")
V_I = Sym("v", sub="i", meaning="negatives in the block")


def _block_rows(ctx: Context) -> Sequence[Row]:
    both_classes(ctx)
    rows, above = [], Fraction(0)
    for block in ranking_of(ctx).blocks:
        rows.append(Row({A_I: above, U_I: block.positives, V_I: block.negatives}))
        above += block.positives
    return rows


BLOCKS = Family("blocks", "i", ONE, K_CUTS - 1, _block_rows)

AREA = Sym(
    "A",
    meaning="area between the ROC curve and the diagonal, negative where the curve is below",
    definition=Sum((X_NEXT - X_I) * (((Y_I - X_I) + (Y_NEXT - X_NEXT)) / 2), ROC_SEGMENTS),
)
TRIANGLE = Sym("B", meaning="area above the diagonal", definition=HALF)
_CASES_ABOVE = (
    "a rank is 1 plus the number of cases above, a tie counting 1/2. Among themselves the {} add "
    "up to 1 + 2 + … + {}; "
)

IDENTITIES: tuple[Identity, ...] = (
    Identity(
        key="auc_three_ways",
        on="cases",
        title="Ranks, pairs and trapezoids give the same AUC",
        left=AUC,
        right=TRAPEZOIDS,
        proof=(
            argue(
                RANK_SUM,
                eq(Sum(RANK, NEGATIVES), DEFINITION),
                eq(
                    HALF * N_NEG * (N_NEG + 1) + Sum(BELOW + HALF * EQUAL, POSITIVES),
                    _CASES_ABOVE.format("negatives", "n₋")
                    + "and each positive adds 1 for every negative below it and 1/2 for every "
                    "negative tied with it",
                ),
                lead=where(RANK_SUM, RANK, BELOW, EQUAL, first="From ranks to pairs."),
            ),
            argue(
                TRAPEZOIDS,
                eq(
                    Sum((V_I / N_NEG) * ((A_I / N_POS + (A_I + U_I) / N_POS) / 2), BLOCKS),
                    "each block of tied cases is one segment: it goes right by its negatives and "
                    "up by its positives",
                ),
                eq(
                    Sum(V_I * (A_I + HALF * U_I), BLOCKS) / PAIRS,
                    "take out the denominators",
                ),
                eq(
                    BY_PAIRS,
                    "both sums count every pair of a positive and a negative: 1 if the positive is "
                    "above, 1/2 if they are tied",
                ),
                lead=where(X_I, Y_I, A_I, U_I, V_I, first="From trapezoids to pairs."),
            ),
            argue(
                AUC,
                eq((RANK_SUM - HALF * N_NEG * (N_NEG + 1)) / PAIRS, DEFINITION),
                eq(BY_PAIRS, "by the first argument"),
                eq(TRAPEZOIDS, "by the second argument"),
                lead=("Together:",),
            ),
        ),
        source="Berrar, Definition 27, Eq. 31 and 32",
    ),
    Identity(
        key="gini_is_2auc_minus_1",
        on="cases",
        title="The Gini index, an area divided by an area, is 2 AUC − 1",
        left=AREA / TRIANGLE,
        right=2 * AUC - 1,
        proof=(
            argue(
                AREA / TRIANGLE,
                eq(2 * AREA, "B is the triangle above the diagonal, 1/2"),
                eq(
                    Sum((X_NEXT - X_I) * ((Y_I - X_I) + (Y_NEXT - X_NEXT)), ROC_SEGMENTS),
                    "the height above the diagonal at x is y − x: each segment gives a trapezoid",
                ),
                eq(
                    2 * TRAPEZOIDS - Sum((X_NEXT - X_I) * (X_NEXT + X_I), ROC_SEGMENTS),
                    "split the sum",
                ),
                eq(
                    2 * AUC - Sum(X_NEXT**2 - X_I**2, ROC_SEGMENTS),
                    "the first sum is the AUC, see auc_three_ways",
                ),
                eq(
                    2 * AUC - 1,
                    "neighbouring terms cancel; the first point has x = 0 and the last x = 1",
                ),
                lead=where(AREA, TRIANGLE, X_I, Y_I),
            ),
        ),
        source="Berrar, Definition 28, Eq. 33",
    ),
    Identity(
        key="auc_by_inversions",
        on="cases",
        title="The AUC is 1 minus the share of pairs in the wrong order",
        left=AUC,
        right=1 - INV / PAIRS,
        proof=(
            argue(
                INV,
                eq(
                    Sum((N_NEG - BELOW - EQUAL) + HALF * EQUAL, POSITIVES),
                    "for each positive: the negatives that are neither below it nor tied with it "
                    "are above it; ties count 1/2",
                ),
                eq(
                    PAIRS - Sum(BELOW + HALF * EQUAL, POSITIVES),
                    "there are n₊ positives, each with n₋ negatives",
                ),
                lead=where(INV, BELOW, EQUAL),
            ),
            argue(
                AUC,
                eq(BY_PAIRS, SEE_PAIRS),
                eq((PAIRS - INV) / PAIRS, "by the first argument"),
                eq(1 - INV / PAIRS, "split the fraction"),
            ),
        ),
        source="Berrar, Eq. 31",
    ),
    Identity(
        key="swaps_are_1_minus_auc",
        on="cases",
        title="The swaps that sort a ranking, divided by all pairs, are 1 − AUC",
        left=SWAPS / PAIRS,
        right=1 - AUC,
        proof=(
            argue(
                SWAPS / PAIRS,
                eq(
                    INV / PAIRS,
                    "as long as a negative stands above a positive, some negative stands just "
                    "above one; exchanging these two mends exactly one pair",
                ),
                eq(1 - AUC, SEE_INVERSIONS),
                lead=where(
                    SWAPS,
                    INV,
                    last="Sonnenburg's slide gives the swaps as the AUC itself; but a perfect "
                    "ranking needs none, and its AUC is 1.",
                ),
            ),
        ),
        source="Sonnenburg, auROC, corrected",
    ),
    Identity(
        key="auc_by_mean_rank",
        on="cases",
        title="The AUC depends only on the mean rank of the positives",
        left=AUC,
        right=1 + ((N_POS + 1) / 2 - MEAN_RANK) / N_NEG,
        proof=(
            argue(
                N_POS * MEAN_RANK,
                eq(Sum(RANK, POSITIVES), DEFINITION),
                eq(
                    HALF * N_POS * (N_POS + 1) + INV,
                    _CASES_ABOVE.format("positives", "n₊")
                    + "the negatives above them are the pairs in the wrong order",
                ),
                lead=where(MEAN_RANK, INV),
            ),
            argue(
                AUC,
                eq(1 - INV / PAIRS, SEE_INVERSIONS),
                eq(
                    1 - (N_POS * MEAN_RANK - HALF * N_POS * (N_POS + 1)) / PAIRS,
                    "by the first argument",
                ),
                eq(1 + ((N_POS + 1) / 2 - MEAN_RANK) / N_NEG, "cancel n₊"),
            ),
        ),
        source="Berrar, Eq. 32",
    ),
    Identity(
        key="gini_by_mean_rank",
        on="cases",
        title="The Gini index compares the mean rank of the positives with that of all cases",
        left=GINI,
        right=GINI_BY_RANK,
        proof=(
            argue(
                GINI,
                eq(2 * AUC - 1, DEFINITION),
                eq(
                    2 + ((N_POS + 1) - 2 * MEAN_RANK) / N_NEG - 1,
                    "put in the AUC, see auc_by_mean_rank",
                ),
                eq(
                    (N_NEG + N_POS + 1 - 2 * MEAN_RANK) / N_NEG,
                    "one fraction",
                ),
                eq(GINI_BY_RANK, "n₊ + n₋ = n"),
                lead=where(MEAN_RANK, last="The mean rank of all cases is (n + 1)/2."),
            ),
        ),
        source="Berrar, Definition 28",
    ),
)
