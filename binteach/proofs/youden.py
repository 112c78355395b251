"""Youden's index behind the charts: quotas, gains and the convex hull.

Glossary, besides that of binteach.proofs.quantities:
  TP_j, FP_j  positives and negatives among the first j cases, a tied block spread over its places
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise

from binteach.expr import Abs, Family, MaxOver, Row, Sum, Sym
from binteach.measures import Context
from binteach.measures.symbols import (
    CUTS,
    FPR_I,
    G_MODEL,
    G_NULL,
    HULL_SEGMENTS,
    K_CUTS,
    N_NEG,
    N_POS,
    PLACES,
    PREVALENCE,
    QUOTA,
    SENS_I,
    SPEC_I,
    T_K,
    THRESHOLDS,
    TOP_PLACES,
    TPR_I,
    X_I,
    X_NEXT,
    Y_I,
    Y_NEXT,
    N,
    ranking_of,
)
from binteach.proofs.base import Identity, of
from binteach.proofs.quantities import (
    AUC,
    FP_AT,
    FPR_AT,
    PAIRS,
    QUOTAS,
    TPR_AT,
    TRAPEZOIDS,
    both_classes,
)
from binteach.proofs.writing import DEFINITION, ONE, argue, at_most, eq, where

# The hull above the ROC curve -------------------------------------------------------------------

H_I = Sym("h", sub="i", meaning="height of the hull above the point")
H_NEXT = Sym("h", sub="i+1", meaning="height of the hull above the next point")


def _height(x: Fraction, points: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    """The largest height at x of all chords between two points of the curve."""
    heights = [y for at, y in points if at == x]
    for (x0, y0), (x1, y1) in combinations(points, 2):
        if x0 < x < x1:
            heights.append(y0 + (y1 - y0) * (x - x0) / (x1 - x0))
    return max(heights)


def _hull_rows(ctx: Context) -> Sequence[Row]:
    both_classes(ctx)
    points = [(cut.fpr, cut.tpr) for cut in ranking_of(ctx).cuts]
    heights = [_height(x, points) for x, _ in points]
    rows = []
    for (a, high), (b, next_high) in pairwise(zip(points, heights, strict=True)):
        values = {X_I: a[0], Y_I: a[1], X_NEXT: b[0], Y_NEXT: b[1], H_I: high, H_NEXT: next_high}
        rows.append(Row(values))
    return rows


def _point_rows(ctx: Context) -> Sequence[Row]:
    both_classes(ctx)
    points = [(cut.fpr, cut.tpr) for cut in ranking_of(ctx).cuts]
    return [Row({X_I: x, Y_I: y, H_I: _height(x, points)}) for x, y in points]


def _corner_rows(ctx: Context) -> Sequence[Row]:
    both_classes(ctx)
    return [Row({X_I: cut.fpr, Y_I: cut.tpr}) for cut in ranking_of(ctx).hull()]


UNDER_HULL = Family("under_hull", "i", ONE, K_CUTS - 1, _hull_rows)
POINTS = Family("points", "i", None, None, _point_rows, condition="points of the curve")
SIDES = Family("sides", "i", None, None, HULL_SEGMENTS.rows, condition="sides of the hull")
CORNERS = Family("corners", "i", None, None, _corner_rows, condition="corners of the hull")

# Youden's index and the charts ------------------------------------------------------------------

MAX_YOUDEN = of("max_youden")
TP_QUOTA = Sym(
    "TP",
    sub="j",
    meaning="positives among the first j cases, a tied block spread evenly",
    definition=Sum(T_K, TOP_PLACES),
)
FP_QUOTA = Sym(
    "FP",
    sub="j",
    meaning="negatives among the first j cases, a tied block spread evenly",
    definition=QUOTA - TP_QUOTA,
)
YOUDEN_QUOTA = Sym(
    "J",
    sub="j",
    meaning="Youden index when the first j cases are called positive",
    definition=TP_QUOTA / N_POS - FP_QUOTA / N_NEG,
)
YOUDEN_HULL = Sym(
    "J",
    sub="hull",
    meaning="largest Youden index among the corners of the hull",
    definition=MaxOver(Y_I - X_I, CORNERS),
)
GAIN_HEIGHT = MaxOver(G_MODEL - G_NULL, PLACES)
HIT_RATE, QRECALL, QUOTA_LIFT = of("hit_rate"), of("qrecall"), of("quota_lift")
AUCH = of("auch")
GAIN_QUOTA = Sym(
    "g",
    sub="c",
    arg=QUOTA,
    meaning="positives among the first j cases, a tied block spread evenly",
    definition=Sum(T_K, TOP_PLACES),
)
GUESS_QUOTA = Sym(
    "g",
    sub="null",
    arg=QUOTA,
    meaning="positives expected there by guessing",
    definition=QUOTA * N_POS / N,
)
HULL_TRAPEZOIDS = Sum((X_NEXT - X_I) * ((Y_I + Y_NEXT) / 2), SIDES)

IDENTITIES: tuple[Identity, ...] = (
    Identity(
        key="max_youden_at_most_ks",
        on="cases",
        title="The maximum Youden index is at most the Kolmogorov-Smirnov statistic",
        left=MAX_YOUDEN,
        relation="≤",
        right=of("ks"),
        proof=(
            argue(
                MAX_YOUDEN,
                eq(MaxOver(SENS_I + SPEC_I - 1, THRESHOLDS), DEFINITION),
                eq(
                    MaxOver(TPR_I - FPR_I, CUTS),
                    "sensitivity is the TPR, specificity is 1 − FPR",
                ),
                at_most(MaxOver(Abs(TPR_I - FPR_I), CUTS), "x is at most |x|"),
                eq(of("ks"), DEFINITION),
                lead=(
                    "The two are equal unless the curve is farther below the diagonal than it is "
                    "ever above.",
                ),
            ),
        ),
        source="Berrar, Definitions 8 and 30",
    ),
    Identity(
        key="qrecall_by_youden",
        on="cases",
        title="What a quota gains over guessing is Youden's index there",
        left=QRECALL - QUOTA / N,
        right=N_NEG / N * YOUDEN_QUOTA,
        proof=(
            argue(
                QRECALL - QUOTA / N,
                eq(TP_QUOTA / N_POS - (TP_QUOTA + FP_QUOTA) / N, "the quota holds both classes"),
                eq(
                    ((N_POS + N_NEG) * TP_QUOTA - N_POS * (TP_QUOTA + FP_QUOTA)) / (N_POS * N),
                    "one fraction, with n = n₊ + n₋",
                ),
                eq((N_NEG * TP_QUOTA - N_POS * FP_QUOTA) / (N_POS * N), "cancel n₊TP"),
                eq(N_NEG / N * (TP_QUOTA / N_POS - FP_QUOTA / N_NEG), "take out n₋/n"),
                eq(N_NEG / N * YOUDEN_QUOTA, "Youden's index is TPR − FPR"),
                lead=where(TP_QUOTA, FP_QUOTA, YOUDEN_QUOTA),
            ),
        ),
        params=("top",),
        source="Arbel & Rokach, Eq. 6 and 7; Berrar, Definition 8",
    ),
    Identity(
        key="quota_lift_forms",
        on="cases",
        title="Lift is hit rate over prevalence, and Qrecall times n/j",
        left=QUOTA_LIFT,
        right=QRECALL * N / QUOTA,
        proof=(
            argue(
                QUOTA_LIFT,
                eq(HIT_RATE / PREVALENCE, DEFINITION),
                eq((TP_QUOTA / QUOTA) / (N_POS / N), "put in what they are"),
                eq(TP_QUOTA / N_POS * N / QUOTA, "turn the lower fraction round"),
                eq(QRECALL * N / QUOTA, DEFINITION),
                lead=where(TP_QUOTA),
            ),
        ),
        params=("top",),
        source="Arbel & Rokach, 2.2.5; Berrar, Definition 26",
    ),
    Identity(
        key="quota_lift_by_youden",
        on="cases",
        title="What lift has above 1 is Youden's index there, scaled",
        left=QUOTA_LIFT,
        right=1 + N_NEG / QUOTA * YOUDEN_QUOTA,
        proof=(
            argue(
                QUOTA_LIFT,
                eq(QRECALL * N / QUOTA, "see quota_lift_forms"),
                eq((QUOTA / N + N_NEG / N * YOUDEN_QUOTA) * N / QUOTA, "see qrecall_by_youden"),
                eq(1 + N_NEG / QUOTA * YOUDEN_QUOTA, "multiply by n/j"),
                lead=where(YOUDEN_QUOTA),
            ),
        ),
        params=("top",),
        source="Arbel & Rokach, 2.2.5; Berrar, Definitions 8 and 26",
    ),
    Identity(
        key="gain_at_quota_by_youden",
        on="cases",
        title="The height of the gain chart over its diagonal is Youden's index there, scaled",
        left=GAIN_QUOTA - GUESS_QUOTA,
        right=PAIRS / N * YOUDEN_QUOTA,
        proof=(
            argue(
                GAIN_QUOTA - GUESS_QUOTA,
                eq(N_POS * QRECALL - QUOTA * N_POS / N, "put in what they are"),
                eq(N_POS * (QRECALL - QUOTA / N), "take out n₊"),
                eq(N_POS * (N_NEG / N * YOUDEN_QUOTA), "see qrecall_by_youden"),
                eq(PAIRS / N * YOUDEN_QUOTA, "one fraction"),
                lead=where(GAIN_QUOTA, GUESS_QUOTA, YOUDEN_QUOTA),
            ),
        ),
        params=("top",),
        source="Berrar, Definitions 8 and 25",
    ),
    Identity(
        key="gain_height_is_max_youden",
        on="cases",
        title="The largest height of the gain chart over its diagonal is J_max, scaled",
        left=GAIN_HEIGHT,
        right=PAIRS / N * MAX_YOUDEN,
        proof=(
            argue(
                GAIN_HEIGHT,
                eq(
                    MaxOver((N_NEG * G_MODEL - N_POS * FP_AT) / N, QUOTAS),
                    "put j = g(j) + FP(j) and n = n₊ + n₋ into the line of guessing, j n₊/n",
                ),
                eq(PAIRS / N * MaxOver(TPR_AT - FPR_AT, QUOTAS), "take out n₊ n₋/n"),
                eq(
                    PAIRS / N * MaxOver(TPR_I - FPR_I, CUTS),
                    "within a tied block the height changes evenly, so no place inside is higher "
                    "than both ends; and the empty cut is as high as the full one, 0",
                ),
                eq(PAIRS / N * MAX_YOUDEN, "sensitivity is the TPR, specificity is 1 − FPR"),
                lead=where(G_MODEL, G_NULL, FP_AT),
            ),
        ),
        source="Berrar, Definitions 8 and 25",
    ),
    Identity(
        key="auc_at_most_auch",
        on="cases",
        title="The area under the convex hull is never smaller than the AUC",
        left=AUC,
        relation="≤",
        right=AUCH,
        proof=(
            argue(
                AUC,
                eq(TRAPEZOIDS, "see auc_three_ways"),
                at_most(
                    Sum((X_NEXT - X_I) * ((H_I + H_NEXT) / 2), UNDER_HULL),
                    "no point of the curve lies above the hull",
                ),
                eq(
                    HULL_TRAPEZOIDS,
                    "the corners of the hull are points of the curve, so the hull is straight "
                    "from one point to the next",
                ),
                eq(AUCH, "a trapezoid is a rectangle and a triangle"),
                lead=where(X_I, Y_I, H_I),
            ),
        ),
        source="Berrar, Definition 29, Eq. 34",
    ),
    Identity(
        key="hull_keeps_max_youden",
        on="cases",
        title="The convex hull has the same maximum Youden index as the ROC curve",
        left=YOUDEN_HULL,
        right=MAX_YOUDEN,
        proof=(
            argue(
                YOUDEN_HULL,
                eq(MaxOver(Y_I - X_I, CORNERS), DEFINITION),
                at_most(MaxOver(Y_I - X_I, POINTS), "every corner is a point of the curve"),
                eq(MAX_YOUDEN, "Youden's index is TPR − FPR"),
                lead=where(YOUDEN_HULL, X_I, Y_I, first="At most."),
            ),
            argue(
                MAX_YOUDEN,
                eq(MaxOver(Y_I - X_I, POINTS), "Youden's index is TPR − FPR"),
                at_most(MaxOver(H_I - X_I, POINTS), "no point lies above the hull"),
                at_most(
                    MaxOver(Y_I - X_I, CORNERS),
                    "along a straight side y − x changes evenly, so it is largest at a corner",
                ),
                eq(YOUDEN_HULL, DEFINITION),
                lead=where(H_I, first="At least."),
            ),
            argue(YOUDEN_HULL, eq(MAX_YOUDEN, "each is at most the other")),
        ),
        source="Berrar, Definitions 8 and 29",
    ),
)
