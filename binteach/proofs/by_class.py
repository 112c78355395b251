"""Measures put together from the two classes: weighted means, Bayes' rule and odds."""

from __future__ import annotations

from binteach.measures.counts import ALL, NPV, PRECISION, SENSITIVITY, SPECIFICITY
from binteach.measures.symbols import FN, FP, TN, TP, N
from binteach.proofs.base import Identity, of
from binteach.proofs.four_counts import FPR, PI, PREVALENCE
from binteach.proofs.writing import DEFINITION, eq, proved

IDENTITIES: tuple[Identity, ...] = (
    proved(
        "accuracy_by_class",
        "Accuracy is the mean of sensitivity and specificity, weighted by the classes",
        of("accuracy"),
        eq((TP + TN) / ALL, DEFINITION),
        eq(TP / N + TN / N, "n is the number of all cases"),
        eq(
            ((TP + FN) / N) * (TP / (TP + FN)) + ((FP + TN) / N) * (TN / (FP + TN)),
            "multiply and divide by the size of each class",
        ),
        eq(PI * SENSITIVITY + (1 - PI) * SPECIFICITY, "by definition; (FP + TN)/n = 1 − π"),
        lead=PREVALENCE,
    ),
    proved(
        "called_positive_by_class",
        "The share called positive is the mean of TPR and FPR, weighted by the classes",
        of("predicted_positive_rate"),
        eq((TP + FP) / ALL, DEFINITION),
        eq(TP / N + FP / N, "n is the number of all cases"),
        eq(
            ((TP + FN) / N) * (TP / (TP + FN)) + ((FP + TN) / N) * (FP / (FP + TN)),
            "multiply and divide by the size of each class",
        ),
        eq(PI * SENSITIVITY + (1 - PI) * FPR, "by definition; (FP + TN)/n = 1 − π"),
        lead=PREVALENCE,
    ),
    proved(
        "precision_by_bayes",
        "Bayes' rule gives the precision from the prevalence and the two rates",
        of("precision"),
        eq(TP / (TP + FP), DEFINITION),
        eq((TP / N) / (TP / N + FP / N), "divide above and below by n"),
        eq(
            (((TP + FN) / N) * (TP / (TP + FN)))
            / (((TP + FN) / N) * (TP / (TP + FN)) + ((FP + TN) / N) * (FP / (FP + TN))),
            "multiply and divide by the size of each class",
        ),
        eq(
            (PI * SENSITIVITY) / (PI * SENSITIVITY + (1 - PI) * FPR),
            "by definition; (FP + TN)/n = 1 − π",
        ),
        lead=PREVALENCE,
    ),
    proved(
        "lr_plus_is_odds_ratio",
        "The positive likelihood ratio turns prior odds into odds after a positive call",
        of("positive_likelihood_ratio"),
        eq(SENSITIVITY / (1 - SPECIFICITY), DEFINITION),
        eq((TP / (TP + FN)) / (FP / (FP + TN)), "1 − specificity = FPR: see fpr_is_1_minus_tnr"),
        eq((TP * (FP + TN)) / (FP * (TP + FN)), "multiply by the fraction turned over"),
        eq((TP / FP) / ((TP + FN) / (FP + TN)), "put TP over FP"),
        eq(
            ((TP / (TP + FP)) / (FP / (TP + FP))) / (((TP + FN) / N) / ((FP + TN) / N)),
            "divide above and below by TP + FP, and by n",
        ),
        eq(
            (PRECISION / (1 - PRECISION)) / (PI / (1 - PI)),
            "by definition; FP/(TP + FP) = 1 − precision",
        ),
        lead=PREVALENCE,
    ),
    proved(
        "lr_minus_is_odds_ratio",
        "The negative likelihood ratio turns prior odds into odds after a negative call",
        of("negative_likelihood_ratio"),
        eq((1 - SENSITIVITY) / SPECIFICITY, DEFINITION),
        eq((FN / (TP + FN)) / (TN / (FP + TN)), "1 − sensitivity = FNR: see fnr_is_1_minus_tpr"),
        eq((FN * (FP + TN)) / (TN * (TP + FN)), "multiply by the fraction turned over"),
        eq((FN / TN) / ((TP + FN) / (FP + TN)), "put FN over TN"),
        eq(
            ((FN / (TN + FN)) / (TN / (TN + FN))) / (((TP + FN) / N) / ((FP + TN) / N)),
            "divide above and below by TN + FN, and by n",
        ),
        eq(((1 - NPV) / NPV) / (PI / (1 - PI)), "by definition; FN/(TN + FN) = 1 − NPV"),
        lead=PREVALENCE,
    ),
    proved(
        "dor_is_lr_ratio",
        "The diagnostic odds ratio is the quotient of the two likelihood ratios",
        of("diagnostic_odds_ratio"),
        eq((TP * TN) / (FP * FN), DEFINITION),
        eq((TP / FP) / (FN / TN), "a product over a product is a fraction over a fraction"),
        eq(
            ((TP * (FP + TN)) / (FP * (TP + FN))) / ((FN * (FP + TN)) / (TN * (TP + FN))),
            "multiply above and below by (FP + TN)/(TP + FN)",
        ),
        eq(
            ((TP / (TP + FN)) / (FP / (FP + TN))) / ((FN / (TP + FN)) / (TN / (FP + TN))),
            "put every count over its class",
        ),
        eq(
            (SENSITIVITY / (1 - SPECIFICITY)) / ((1 - SENSITIVITY) / SPECIFICITY),
            "by definition of sensitivity and specificity",
        ),
        eq(
            of("positive_likelihood_ratio") / of("negative_likelihood_ratio"),
            DEFINITION,
        ),
    ),
)
