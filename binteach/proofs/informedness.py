"""Youden's index, or informedness, and the measures that are it times something else."""

from __future__ import annotations

from binteach.expr import Sym
from binteach.measures.counts import NPV, PPV, PRECISION, RECALL, SENSITIVITY, SPECIFICITY
from binteach.measures.symbols import FN, FP, PRIOR, TN, TP, N
from binteach.proofs.base import Identity, of
from binteach.proofs.four_counts import FPR, MARKEDNESS, PI, PREVALENCE, SHARES, WRACC, D, J, Q
from binteach.proofs.writing import DEFINITION, HALF, both, eq, proved, special

# Lift and gain compare with a prior; in these identities it is the prevalence of the data.
PRIOR_HERE = Sym(PRIOR.base, PRIOR.sub, meaning="prior, here the prevalence", definition=PI)
LIFT = special("lift", Sym("lift"), {PRIOR: PRIOR_HERE})
GAIN = special("gain", Sym("gain"), {PRIOR: PRIOR_HERE})

IDENTITIES: tuple[Identity, ...] = (
    proved(
        "youden_is_tpr_minus_fpr",
        "The Youden index is the true positive rate minus the false positive rate",
        J,
        eq(SENSITIVITY + SPECIFICITY - 1, DEFINITION),
        eq(SENSITIVITY - (1 - SPECIFICITY), "put a bracket"),
        eq(SENSITIVITY - FPR, "see fpr_is_1_minus_tnr"),
    ),
    proved(
        "youden_is_2bacc_minus_1",
        "The Youden index is the balanced accuracy, stretched from 0…1 to −1…1",
        J,
        eq(SENSITIVITY + SPECIFICITY - 1, DEFINITION),
        eq(2 * ((SENSITIVITY + SPECIFICITY) / 2) - 1, "multiply and divide by 2"),
        eq(2 * of("balanced_accuracy") - 1, DEFINITION),
    ),
    proved(
        "ber_is_1_minus_bacc",
        "The balanced error rate is 1 minus the balanced accuracy",
        of("balanced_error_rate"),
        eq(HALF * (FN / (FN + TP) + FP / (FP + TN)), DEFINITION),
        eq(
            HALF * both(1 - SENSITIVITY, 1 - SPECIFICITY),
            "see fnr_is_1_minus_tpr and fpr_is_1_minus_tnr",
        ),
        eq(HALF * (2 - SENSITIVITY - SPECIFICITY), "collect"),
        eq(1 - (SENSITIVITY + SPECIFICITY) / 2, "multiply out"),
        eq(1 - of("balanced_accuracy"), DEFINITION),
    ),
    proved(
        "youden_in_counts",
        "The Youden index in counts",
        J,
        eq(SENSITIVITY - FPR, "see youden_is_tpr_minus_fpr"),
        eq(TP / (TP + FN) - FP / (FP + TN), DEFINITION),
        eq(
            (TP * (FP + TN) - FP * (TP + FN)) / ((TP + FN) * (FP + TN)),
            "bring both over (TP + FN)(FP + TN)",
        ),
        eq(D / ((TP + FN) * (FP + TN)), "TP × FP cancels"),
    ),
    proved(
        "markedness_in_counts",
        "Markedness in counts: the Youden index with real and called exchanged",
        MARKEDNESS,
        eq(PPV + NPV - 1, DEFINITION),
        eq(PPV - (1 - NPV), "put a bracket"),
        eq(TP / (TP + FP) - FN / (TN + FN), "1 − NPV = FOR: see for_is_1_minus_npv"),
        eq(
            (TP * (TN + FN) - FN * (TP + FP)) / ((TP + FP) * (TN + FN)),
            "bring both over (TP + FP)(TN + FN)",
        ),
        eq(D / ((TP + FP) * (TN + FN)), "TP × FN cancels"),
    ),
    proved(
        "wracc_in_counts",
        "The weighted relative accuracy in counts",
        WRACC,
        eq(TP / N - ((TP + FP) / N) * ((TP + FN) / N), DEFINITION),
        eq((TP * N - (TP + FP) * (TP + FN)) / N**2, "bring both over n²"),
        eq(
            (TP * (TP + FP + FN + TN) - (TP + FP) * (TP + FN)) / N**2,
            "n is the sum of the four counts",
        ),
        eq(D / N**2, "multiply out: TP², TP × FP and TP × FN cancel"),
    ),
    proved(
        "wracc_by_precision",
        "The weighted relative accuracy is the gain in precision, times the share called",
        WRACC,
        eq(TP / N - ((TP + FP) / N) * ((TP + FN) / N), DEFINITION),
        eq(
            ((TP + FP) / N) * (TP / (TP + FP)) - ((TP + FP) / N) * ((TP + FN) / N),
            "multiply and divide by TP + FP",
        ),
        eq(((TP + FP) / N) * (TP / (TP + FP) - (TP + FN) / N), "take (TP + FP)/n out"),
        eq(Q * (PRECISION - PI), DEFINITION),
        lead=SHARES,
    ),
    proved(
        "wracc_by_youden",
        "The weighted relative accuracy is the Youden index times π(1 − π)",
        WRACC,
        eq(D / N**2, "see wracc_in_counts"),
        eq(
            ((TP + FN) / N) * ((FP + TN) / N) * (D / ((TP + FN) * (FP + TN))),
            "multiply and divide by (TP + FN)(FP + TN)",
        ),
        eq(PI * (1 - PI) * (D / ((TP + FN) * (FP + TN))), "by definition; (FP + TN)/n = 1 − π"),
        eq(PI * (1 - PI) * J, "see youden_in_counts"),
        lead=PREVALENCE,
    ),
    proved(
        "gain_is_n_wracc",
        "The gain is n times the weighted relative accuracy",
        GAIN,
        eq(TP - PRIOR_HERE * (TP + FP), DEFINITION),
        eq(TP - ((TP + FN) / N) * (TP + FP), "the prior is the prevalence here"),
        eq(N * (TP / N - ((TP + FP) / N) * ((TP + FN) / N)), "take n out"),
        eq(N * WRACC, DEFINITION),
    ),
    proved(
        "gain_by_youden",
        "The gain is the Youden index times the product of the class sizes over n",
        GAIN,
        eq(N * WRACC, "see gain_is_n_wracc"),
        eq(N * PI * (1 - PI) * J, "see wracc_by_youden"),
        eq(N * ((TP + FN) / N) * ((FP + TN) / N) * J, DEFINITION),
        eq((((TP + FN) * (FP + TN)) / N) * J, "cancel n"),
        lead=PREVALENCE,
    ),
    proved(
        "recall_minus_quota",
        "Recall exceeds the share called positive by (1 − π) times the Youden index",
        RECALL - Q,
        eq(SENSITIVITY - Q, "recall is another name of the sensitivity"),
        eq(SENSITIVITY - (PI * SENSITIVITY + (1 - PI) * FPR), "see called_positive_by_class"),
        eq((1 - PI) * SENSITIVITY - (1 - PI) * FPR, "collect the sensitivity"),
        eq((1 - PI) * (SENSITIVITY - FPR), "take 1 − π out"),
        eq((1 - PI) * J, "see youden_is_tpr_minus_fpr"),
        lead=SHARES,
    ),
    proved(
        "lift_is_precision_over_prevalence",
        "Lift is precision divided by the prevalence",
        LIFT,
        eq(PRECISION / PRIOR_HERE, DEFINITION),
        eq(PRECISION / PI, "the prior is the prevalence here"),
        lead=PREVALENCE,
        source="Berrar, Definition 16",
    ),
    proved(
        "lift_is_recall_over_quota",
        "Lift is recall divided by the share of cases called positive",
        LIFT,
        eq(PRECISION / PI, "see lift_is_precision_over_prevalence"),
        eq((TP / (TP + FP)) / ((TP + FN) / N), DEFINITION),
        eq((TP * N) / ((TP + FP) * (TP + FN)), "multiply by the fraction turned over"),
        eq((TP / (TP + FN)) / ((TP + FP) / N), "put TP over TP + FN"),
        eq(RECALL / Q, DEFINITION),
        lead=SHARES,
    ),
    proved(
        "lift_by_youden",
        "Lift is 1 plus the Youden index times the negatives per call",
        LIFT,
        eq(PRECISION / PI, "see lift_is_precision_over_prevalence"),
        eq(1 + (PRECISION - PI) / PI, "π/π = 1, taken aside"),
        eq(1 + (Q * (PRECISION - PI)) / (Q * PI), "multiply above and below by q"),
        eq(1 + WRACC / (Q * PI), "see wracc_by_precision"),
        eq(1 + (PI * (1 - PI) * J) / (Q * PI), "see wracc_by_youden"),
        eq(1 + ((1 - PI) / Q) * J, "cancel π"),
        eq(1 + ((FP + TN) / (TP + FP)) * J, "multiply above and below by n"),
        lead=SHARES,
    ),
)
