"""Agreement beyond chance: kappa, its neighbours, and calls that know nothing."""

from __future__ import annotations

from binteach.cases import Counts
from binteach.expr import Log, Sqrt, Sum, Sym
from binteach.measures.base import Prose
from binteach.measures.counts import ACCURACY, CHANCE, SENSITIVITY, SPECIFICITY
from binteach.measures.symbols import CELLS, FN, FP, P_CALLED, P_CELL, P_REAL, TN, TP, N
from binteach.proofs.base import Argument, Identity, of
from binteach.proofs.four_counts import MARGINS, MCC, PI, PREVALENCE, SHARES, WRACC, D, J, Q
from binteach.proofs.writing import DEFINITION, HALF, ONE, ZERO, at_most, both, eq, proved

KAPPA, GUESS = of("cohens_kappa"), of("mutual_information")

# Kappa has their arithmetic mean in its denominator, the Matthews correlation their geometric mean.
A = Sym("a", definition=(TP + FN) * (TN + FN))
B = Sym("b", definition=(TP + FP) * (FP + TN))
TWO_PRODUCTS: Prose = (
    "Let ",
    A,
    " = ",
    (TP + FN) * (TN + FN),
    " and ",
    B,
    " = ",
    (TP + FP) * (FP + TN),
    ".",
)


def _balanced(counts: Counts) -> bool:
    return bool(counts.positives == counts.negatives)


def _errors_equal(counts: Counts) -> bool:
    return bool(counts.fp == counts.fn)


def _independent(counts: Counts) -> bool:
    return bool(counts.tp * counts.tn == counts.fp * counts.fn)


IDENTITIES: tuple[Identity, ...] = (
    proved(
        "accuracy_minus_chance",
        "Accuracy exceeds chance agreement by 2π(1 − π) times the Youden index",
        of("accuracy") - CHANCE,
        eq((TP + TN) / N - both(Q * PI, (1 - Q) * (1 - PI)), DEFINITION),
        eq(
            both(TP / N - Q * PI, TN / N - (1 - Q) * (1 - PI)),
            "pair the terms",
        ),
        eq(
            both(TP / N - Q * PI, both(TP / N + 1 - Q - PI, -((1 - Q) * (1 - PI)))),
            "TN = TP + n − (TP + FP) − (TP + FN)",
        ),
        eq(
            both(TP / N - Q * PI, both(TP / N + 1 - Q - PI, -(1 - Q - PI + Q * PI))),
            "multiply out",
        ),
        eq(both(TP / N - Q * PI, TP / N - Q * PI), "1 − q − π cancels"),
        eq(2 * WRACC, DEFINITION),
        eq(2 * PI * (1 - PI) * J, "see wracc_by_youden"),
        lead=SHARES,
    ),
    proved(
        "kappa_by_wracc",
        "Kappa is twice the weighted relative accuracy over the disagreement by chance",
        KAPPA,
        eq((ACCURACY - CHANCE) / (1 - CHANCE), DEFINITION),
        eq((2 * WRACC) / (1 - CHANCE), "see accuracy_minus_chance"),
        eq((2 * WRACC) / (1 - Q * PI - (1 - Q) * (1 - PI)), "definition of P_e"),
        eq((2 * WRACC) / (PI + Q - 2 * PI * Q), "multiply out"),
        eq((2 * WRACC) / (PI * (1 - Q) + Q * (1 - PI)), "take π and q out"),
        lead=SHARES,
    ),
    proved(
        "kappa_in_counts",
        "Cohen's kappa in counts",
        KAPPA,
        eq((2 * WRACC) / (PI * (1 - Q) + Q * (1 - PI)), "see kappa_by_wracc"),
        eq((2 * (D / N**2)) / (PI * (1 - Q) + Q * (1 - PI)), "see wracc_in_counts"),
        eq(
            (2 * (D / N**2))
            / (((TP + FN) / N) * ((TN + FN) / N) + ((TP + FP) / N) * ((FP + TN) / N)),
            DEFINITION,
        ),
        eq(
            (2 * D) / ((TP + FN) * (TN + FN) + (TP + FP) * (FP + TN)),
            "multiply above and below by n²",
        ),
        lead=SHARES,
    ),
    proved(
        "kappa_at_most_mcc",
        "Cohen's kappa is never farther from 0 than the Matthews correlation",
        KAPPA**2,
        eq(((2 * D) / (A + B)) ** 2, "see kappa_in_counts"),
        eq((4 * D**2) / (A + B) ** 2, "square above and below"),
        at_most((4 * D**2) / (4 * A * B), "a smaller denominator makes a larger fraction"),
        eq(D**2 / (A * B), "cancel 4"),
        eq(D**2 / MARGINS, "put in a and b"),
        eq(MCC**2, DEFINITION),
        before=(
            Argument(
                4 * A * B,
                (
                    eq((A + B) ** 2 - (A - B) ** 2, "multiply out"),
                    at_most((A + B) ** 2, "a square is never negative"),
                ),
                TWO_PRODUCTS,
            ),
        ),
        lead=("Both denominators are positive, so:",),
    ),
    proved(
        "mcc_is_kappa_if_errors_equal",
        "With equally many errors of both kinds, the Matthews correlation is kappa",
        MCC,
        eq(D / Sqrt(MARGINS), DEFINITION),
        eq(D / Sqrt(A * B), "put in a and b"),
        eq(D / Sqrt(A**2), "b = a, as FP = FN"),
        eq(D / A, "a is not negative"),
        eq((2 * D) / (A + A), "multiply above and below by 2"),
        eq((2 * D) / (A + B), "b = a again"),
        eq(KAPPA, "see kappa_in_counts"),
        lead=TWO_PRODUCTS,
        condition="It holds if FP = FN.",
        applies=_errors_equal,
    ),
    proved(
        "kappa_is_youden_if_balanced",
        "With as many positives as negatives, kappa is the Youden index",
        KAPPA,
        eq((2 * WRACC) / (PI * (1 - Q) + Q * (1 - PI)), "see kappa_by_wracc"),
        eq((2 * PI * (1 - PI) * J) / (PI * (1 - Q) + Q * (1 - PI)), "see wracc_by_youden"),
        eq((2 * HALF * HALF * J) / (HALF * (1 - Q) + Q * HALF), "π = 1 − π = 1/2"),
        eq((HALF * J) / HALF, "multiply out: q cancels"),
        eq(J, "cancel 1/2"),
        lead=SHARES,
        condition="It holds if TP + FN = FP + TN.",
        applies=_balanced,
    ),
    proved(
        "youden_is_2acc_minus_1_if_balanced",
        "With as many positives as negatives, the Youden index is 2 × accuracy − 1",
        J,
        eq(SENSITIVITY + SPECIFICITY - 1, DEFINITION),
        eq(2 * (HALF * SENSITIVITY + HALF * SPECIFICITY) - 1, "multiply and divide by 2"),
        eq(2 * (PI * SENSITIVITY + (1 - PI) * SPECIFICITY) - 1, "π = 1 − π = 1/2"),
        eq(2 * of("accuracy") - 1, "see accuracy_by_class"),
        lead=PREVALENCE,
        condition="It holds if TP + FN = FP + TN.",
        applies=_balanced,
    ),
    proved(
        "mutual_information_of_a_guess",
        "Calls that are independent of the class carry no information",
        GUESS,
        eq(
            Sum(P_CELL * Log(P_CELL / (P_CALLED * P_REAL), ZERO), CELLS),
            DEFINITION,
        ),
        eq(
            Sum(P_CELL * Log(ONE, ZERO), CELLS),
            "in every cell the joint share is the product of the two others",
        ),
        eq(Sum(P_CELL * 0, CELLS), "the logarithm of 1 is 0"),
        eq(ZERO, "a sum of zeros"),
        before=(
            Argument(
                TP / N - Q * PI,
                (
                    eq(D / N**2, "see wracc_in_counts"),
                    eq(ZERO, "TP × TN = FP × FN"),
                ),
                (
                    *SHARES,
                    " The share of the cell TP is the product of its two margins, as is seen here; "
                    "the other cells follow, since each margin is the sum of its two cells.",
                ),
            ),
        ),
        condition="It holds if TP × TN = FP × FN.",
        applies=_independent,
    ),
)
