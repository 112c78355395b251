"""Identities of the losses: measures of how far the scores are from the truth.

An integral over all thresholds t from 0 to 1 is a finite sum. Cut the way from 0 to 1 at the
scores, 0 = t_0 < t_1 < … < t_m = 1: inside an interval no case changes sides, so that FP(t) and
FN(t) are constant there, and only a known function of t is left to integrate.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from binteach.cases import Cases, decimal_text
from binteach.expr import Abs, Family, Log, Node, Num, Row, Sqrt, Sum, Sym
from binteach.measures.base import Context, Prose
from binteach.measures.scores import ALPHA, GAMMA
from binteach.measures.symbols import CASE_LABELS, CASES, P_TRUE, N, P, Y, case_labels, cases_of
from binteach.proofs.base import Argument, Identity, of
from binteach.proofs.writing import DEFINITION, HALF, ONE, ZERO, both, eq, proved, special

BITS, NATURAL = Num(Fraction(2)), ZERO

MAE, BRIER, RMSE = (
    of("mean_absolute_error"),
    of("brier_score"),
    of("root_mean_square_error"),
)
LOG_LOSS = of("log_loss")
LOG_LOSS_E = of("log_loss", base="e")
BCE_HALF = special("balanced_cross_entropy", Sym("bCE", arg=Sym("1/2")), {ALPHA: HALF})
FOCAL_0 = special("focal_loss", Sym("FL", arg=Sym("0")), {GAMMA: ZERO})

PI = Sym("π", meaning="prevalence", definition=Sum(Y, CASES) / N)
M_1 = Sym(
    "m",
    sub="1",
    meaning="mean score of the positives",
    definition=Sum(Y * P, CASES) / Sum(Y, CASES),
    zero="there is no positive case",
)
M_0 = Sym(
    "m",
    sub="0",
    meaning="mean score of the negatives",
    definition=Sum((1 - Y) * P, CASES) / Sum(1 - Y, CASES),
    zero="there is no negative case",
)


def average(body: Node, family: Family = CASES) -> Node:
    """(1/n) Σ body."""
    return (1 / N) * Sum(body, family)


# Intervals of thresholds ----------------------------------------------------------------------

T_K = Sym("t", sub="k", meaning="lower end of the interval", decimal=True)
T_NEXT = Sym("t", sub="k+1", meaning="upper end of the interval", decimal=True)
FP_K = Sym("FP", sub="k", meaning="false positives at the thresholds of the interval")
FN_K = Sym("FN", sub="k", meaning="false negatives at the thresholds of the interval")
FP_IK = Sym("FP", sub="ik", meaning="1 if case i is a false positive there, else 0")
FN_IK = Sym("FN", sub="ik", meaning="1 if case i is a false negative there, else 0")


def _ends(cases: Cases) -> list[tuple[Fraction, Fraction]]:
    """Both ends of every interval into which the scores cut the way from 0 to 1."""
    return list(pairwise(sorted({Fraction(0), Fraction(1), *cases.scores})))


def _interval_rows(ctx: Context) -> Sequence[Row]:
    cases = cases_of(ctx)
    rows = []
    for low, high in _ends(cases):
        called = [score > low for score in cases.scores]
        pairs = list(zip(cases.labels, called, strict=True))
        rows.append(
            Row(
                {
                    T_K: low,
                    T_NEXT: high,
                    FP_K: Fraction(pairs.count((0, True))),
                    FN_K: Fraction(pairs.count((1, False))),
                },
                (decimal_text(low), decimal_text(high)),
            )
        )
    return rows


def _pair_rows(ctx: Context) -> Sequence[Row]:
    cases = cases_of(ctx)
    rows = []
    for index in cases.ranking.order:
        label, score = cases.labels[index], cases.scores[index]
        for low, high in _ends(cases):
            wrong_call = Fraction(not label and score > low)
            missed = Fraction(label and score <= low)
            values = {T_K: low, T_NEXT: high, FP_IK: wrong_call, FN_IK: missed}
            labels = (*case_labels(cases, index), decimal_text(low), decimal_text(high))
            rows.append(Row(values, labels))
    return rows


M = Sym("m", meaning="number of intervals", find=lambda ctx: Fraction(len(_ends(cases_of(ctx)))))
INTERVALS = Family("intervals", "k", ZERO, M - 1, _interval_rows, ("from", "to"))
PAIRS = Family("cases and intervals", "i, k", None, None, _pair_rows, (*CASE_LABELS, "from", "to"))

CUT_AT_SCORES = (
    "Cut the way from 0 to 1 at the scores, 0 = t₀ < t₁ < … < tₘ = 1. For thresholds t between ",
    T_K,
    " and ",
    T_NEXT,
    " the counts FP(t) and FN(t) are constant, ",
    FP_K,
    " and ",
    FN_K,
    ". Let ",
    FP_IK,
    " be 1 if case i is one of these false positives and 0 if not, and ",
    FN_IK,
    " likewise. A negative case is wrong in all intervals from 0 to pᵢ, a positive one in all from "
    "pᵢ to 1; added up, all but the first and the last end cancels. ",
)
WRONG_FOR = "for each i, add up the intervals in which case i is wrong"
SUM_OVER_CASES = "for each k, add up the cases"

LENGTH = T_NEXT - T_K
T_GAINED = T_NEXT**2 - T_K**2
REST_LOST = (1 - T_K) ** 2 - (1 - T_NEXT) ** 2
LOG_REST = Log(1 - T_K, NATURAL) - Log(1 - T_NEXT, NATURAL)
LOG_T = Log(T_NEXT, NATURAL) - Log(T_K, NATURAL)

INTEGRALS = (
    proved(
        "mae_is_mean_error_rate",
        "The mean absolute error is the error rate, averaged over all thresholds",
        MAE,
        eq(average(Abs(Y - P)), DEFINITION),
        eq(
            average((1 - Y) * P + Y * (1 - P)),
            "a negative is off by pᵢ, a positive by 1 − pᵢ",
        ),
        eq(average((FP_IK + FN_IK) * LENGTH, PAIRS), WRONG_FOR),
        eq(average((FP_K + FN_K) * LENGTH, INTERVALS), SUM_OVER_CASES),
        lead=(
            *CUT_AT_SCORES,
            "The integral of FP(t) + FN(t) is then a sum of constants times lengths.",
        ),
        on="scores",
    ),
    proved(
        "brier_is_threshold_integral",
        "The Brier score is the integral of 2t FP(t) + 2(1 − t) FN(t), divided by n",
        BRIER,
        eq(average((Y - P) ** 2), DEFINITION),
        eq(
            average((1 - Y) * P**2 + Y * (1 - P) ** 2),
            "a negative is off by pᵢ, a positive by 1 − pᵢ",
        ),
        eq(average(FP_IK * T_GAINED + FN_IK * REST_LOST, PAIRS), WRONG_FOR),
        eq(average(FP_K * T_GAINED + FN_K * REST_LOST, INTERVALS), SUM_OVER_CASES),
        eq(
            (2 / N) * Sum(FP_K * (T_GAINED / 2) + FN_K * (REST_LOST / 2), INTERVALS),
            "take 2 out",
        ),
        lead=(
            *CUT_AT_SCORES,
            "Between the ends of an interval the integral of t is ",
            T_GAINED / 2,
            ", and that of 1 − t is ",
            REST_LOST / 2,
            ".",
        ),
        on="scores",
    ),
    proved(
        "logloss_is_threshold_integral",
        "The log loss in nats is the integral of FP(t)/(1 − t) + FN(t)/t, divided by n",
        LOG_LOSS_E,
        eq(-average(Y * Log(P, NATURAL) + (1 - Y) * Log(1 - P, NATURAL)), DEFINITION),
        eq(
            average((1 - Y) * -Log(1 - P, NATURAL) + Y * -Log(P, NATURAL)),
            "take the sign inside and swap the terms",
        ),
        eq(average(FP_IK * LOG_REST + FN_IK * LOG_T, PAIRS), WRONG_FOR),
        eq(average(FP_K * LOG_REST + FN_K * LOG_T, INTERVALS), SUM_OVER_CASES),
        lead=(
            *CUT_AT_SCORES,
            "Between the ends of an interval the integral of 1/(1 − t) is ",
            LOG_REST,
            ", and that of 1/t is ",
            LOG_T,
            ". Where one of them is infinite, at 0 or 1, no case is wrong, and 0 times it is 0.",
        ),
        on="scores",
    ),
)


# Means of the classes -------------------------------------------------------------------------

OF_CLASSES: Prose = (
    "Let ",
    PI,
    " = ",
    Sum(Y, CASES) / N,
    ", and let ",
    M_1,
    " and ",
    M_0,
    " be the mean scores of the positives and of the negatives.",
)
UPS, DOWNS = Sum(Y, CASES), Sum(1 - Y, CASES)


def _balanced(cases: Cases) -> bool:
    return 2 * sum(cases.labels) == len(cases.labels)


MEANS = (
    proved(
        "mae_by_means",
        "The mean absolute error depends on the scores only through the class means",
        MAE,
        eq(average(Abs(Y - P)), DEFINITION),
        eq(
            average(Y * (1 - P) + (1 - Y) * P),
            "a positive is off by 1 − pᵢ, a negative by pᵢ",
        ),
        eq(
            UPS / N - Sum(Y * P, CASES) / N + Sum((1 - Y) * P, CASES) / N,
            "split the sum",
        ),
        eq(
            UPS / N
            - (UPS / N) * (Sum(Y * P, CASES) / UPS)
            + (DOWNS / N) * (Sum((1 - Y) * P, CASES) / DOWNS),
            "multiply and divide by the size of each class",
        ),
        eq(PI - PI * M_1 + (1 - PI) * M_0, DEFINITION),
        eq(PI * (1 - M_1) + (1 - PI) * M_0, "take π out"),
        lead=OF_CLASSES,
        on="scores",
    ),
    proved(
        "mae_by_gap_if_balanced",
        "With balanced classes, the mean absolute error shows the gap of the mean scores",
        MAE,
        eq(PI * (1 - M_1) + (1 - PI) * M_0, "see mae_by_means"),
        eq(HALF * (1 - M_1) + HALF * M_0, "π = 1 − π = 1/2"),
        eq(both(ONE, -(M_1 - M_0)) / 2, "take 1/2 out"),
        lead=OF_CLASSES,
        on="scores",
        condition="It holds if there are as many positives as negatives.",
        applies=_balanced,
    ),
)


# Groups of equal scores -----------------------------------------------------------------------

N_G = Sym("n", sub="g", meaning="cases in group g")
P_G = Sym("p", sub="g", meaning="score of all cases in group g", decimal=True)
O_G = Sym("o", sub="g", meaning="share of positives in group g")


def _group_rows(ctx: Context) -> Sequence[Row]:
    cases = cases_of(ctx)
    rows = []
    for score in sorted(set(cases.scores), reverse=True):
        pairs = zip(cases.scores, cases.labels, strict=True)
        labels = [label for found, label in pairs if found == score]
        size, share = Fraction(len(labels)), Fraction(sum(labels), len(labels))
        rows.append(Row({N_G: size, P_G: score, O_G: share}, (decimal_text(score),)))
    return rows


GROUPS = Family("groups", "g", None, None, _group_rows, ("score",))
RELIABILITY = Sym(
    "REL",
    meaning="reliability",
    definition=average(N_G * (P_G - O_G) ** 2, GROUPS),
)
RESOLUTION = Sym(
    "RES",
    meaning="resolution",
    definition=average(N_G * (O_G - PI) ** 2, GROUPS),
)

DECOMPOSITION = (
    proved(
        "brier_decomposition",
        "The Brier score is reliability minus resolution plus uncertainty",
        BRIER,
        eq(average((Y - P) ** 2), DEFINITION),
        eq(
            average(N_G * (O_G * (1 - P_G) ** 2 + (1 - O_G) * (0 - P_G) ** 2), GROUPS),
            "go through the groups; a share o of each is positive",
        ),
        eq(
            average(N_G * (P_G**2 - 2 * P_G * O_G + O_G), GROUPS),
            "multiply out and collect",
        ),
        eq(
            average(N_G * both((P_G - O_G) ** 2, O_G - O_G**2), GROUPS),
            "complete the square",
        ),
        eq(
            RELIABILITY + average(N_G * O_G, GROUPS) - average(N_G * O_G**2, GROUPS),
            "split the sum",
        ),
        eq(
            RELIABILITY + PI - (RESOLUTION + PI**2),
            "all groups together have nπ positives; RES as above",
        ),
        eq(RELIABILITY - RESOLUTION + PI * (1 - PI), "sort and take π out"),
        before=(
            Argument(
                RESOLUTION,
                (
                    eq(average(N_G * (O_G - PI) ** 2, GROUPS), DEFINITION),
                    eq(
                        average(N_G * O_G**2, GROUPS)
                        - 2 * PI * ((1 / N) * Sum(N_G * O_G, GROUPS))
                        + PI**2 * ((1 / N) * Sum(N_G, GROUPS)),
                        "multiply out and split the sum",
                    ),
                    eq(
                        average(N_G * O_G**2, GROUPS) - 2 * PI * PI + PI**2,
                        "all groups together have n cases and nπ positives",
                    ),
                    eq(average(N_G * O_G**2, GROUPS) - PI**2, "collect"),
                ),
                (
                    "Cases with the same score form a group: ",
                    N_G,
                    " cases with score ",
                    P_G,
                    ", a share ",
                    O_G,
                    " of them positive. Reliability ",
                    RELIABILITY,
                    " = ",
                    average(N_G * (P_G - O_G) ** 2, GROUPS),
                    " asks whether the scores are honest, resolution ",
                    RESOLUTION,
                    " whether the groups differ. Let ",
                    PI,
                    " = ",
                    Sum(Y, CASES) / N,
                    ".",
                ),
            ),
        ),
        lead=("Now the Brier score:",),
        on="scores",
    ),
    proved(
        "rmse_squared_is_brier",
        "The square of the root mean square error is the Brier score",
        RMSE**2,
        eq(Sqrt(average((Y - P) ** 2)) ** 2, DEFINITION),
        eq(average((Y - P) ** 2), "the square undoes the root"),
        eq(BRIER, DEFINITION),
        source="Berrar, Definitions 18 and 19",
        on="scores",
    ),
)


# Logarithmic losses ---------------------------------------------------------------------------

CROSS = Y * Log(P, BITS) + (1 - Y) * Log(1 - P, BITS)
DIVERGENCE_BODY = Y * Log(Y / P, BITS) + (1 - Y) * Log((1 - Y) / (1 - P), BITS)
DIVERGENCE = Sym(
    "KL",
    meaning="mean Kullback-Leibler divergence of the scores from the classes",
    definition=average(DIVERGENCE_BODY),
)

LOGARITHMS = (
    proved(
        "bce_is_half_logloss",
        "With α = 1/2 the balanced cross-entropy is half the log loss",
        BCE_HALF,
        eq(
            -average(Y * HALF * Log(P, BITS) + (1 - Y) * (1 - HALF) * Log(1 - P, BITS)),
            "by definition, with α = 1/2",
        ),
        eq(
            -average(HALF * CROSS),
            "1 − 1/2 = 1/2; take it out of the bracket",
        ),
        eq(HALF * -average(CROSS), "and out of the sum"),
        eq(HALF * LOG_LOSS, DEFINITION),
        on="scores",
    ),
    proved(
        "focal_0_is_logloss",
        "With γ = 0 the focal loss is the log loss",
        FOCAL_0,
        eq(-average((1 - P_TRUE) ** ZERO * Log(P_TRUE, BITS)), "by definition, with γ = 0"),
        eq(-average(Log(P_TRUE, BITS)), "a power of 0 is 1"),
        eq(-average(CROSS), "the real class was given pᵢ if yᵢ = 1, and 1 − pᵢ if yᵢ = 0"),
        eq(LOG_LOSS, DEFINITION),
        source="Berrar, after Definition 22",
        on="scores",
    ),
    proved(
        "kl_is_logloss",
        "The Kullback-Leibler divergence of scores from real classes is the log loss",
        DIVERGENCE,
        eq(average(DIVERGENCE_BODY), DEFINITION),
        eq(
            average(Y * Log(Y, BITS) + (1 - Y) * Log(1 - Y, BITS)) - average(CROSS),
            "the logarithm of a quotient is a difference",
        ),
        eq(ZERO - average(CROSS), "a class is certain: 1 × log 1 = 0, and 0 × log 0 is taken as 0"),
        eq(LOG_LOSS, DEFINITION),
        lead=(
            "The divergence is the cross-entropy minus the entropy, and the entropy of a class "
            "that is known is 0.",
        ),
        source="Berrar, before Definition 20",
        on="scores",
    ),
)

IDENTITIES: tuple[Identity, ...] = (*MEANS, *INTEGRALS, *DECOMPOSITION, *LOGARITHMS)
