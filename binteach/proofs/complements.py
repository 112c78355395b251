"""Shares and the shares of the rest: one kind of error is 1 minus what was right."""

from __future__ import annotations

from binteach.expr import Add, Node
from binteach.measures.counts import ALL
from binteach.measures.symbols import FN, FP, TN, TP
from binteach.proofs.base import Identity, of
from binteach.proofs.writing import DEFINITION, OURS, both, eq, proved


def _complement(
    key: str,
    title: str,
    share: str,
    other: str,
    parts: tuple[Node, Node, Node],
    words: str,
    source: str = OURS,
) -> Identity:
    """wrong/whole = 1 − right/whole."""
    wrong, right, whole = parts
    added = both(wrong, right) if isinstance(right, Add) else wrong + right
    return proved(
        key,
        title,
        of(share),
        eq(wrong / whole, DEFINITION),
        eq((added - right) / whole, f"add {words} and take it away again"),
        eq(1 - right / whole, "split the fraction"),
        eq(1 - of(other), DEFINITION),
        source=source,
    )


IDENTITIES: tuple[Identity, ...] = (
    _complement(
        "error_is_1_minus_accuracy",
        "The error rate is 1 minus the accuracy",
        "error_rate",
        "accuracy",
        (FP + FN, TP + TN, ALL),
        "TP + TN",
    ),
    _complement(
        "fdr_is_1_minus_ppv",
        "The false discovery rate is 1 minus the precision",
        "false_discovery_rate",
        "precision",
        (FP, TP, FP + TP),
        "TP",
        "Arbel & Rokach, Eq. 18",
    ),
    _complement(
        "fnr_is_1_minus_tpr",
        "The false negative rate is 1 minus the sensitivity",
        "false_negative_rate",
        "sensitivity",
        (FN, TP, FN + TP),
        "TP",
        "Sonnenburg, Scores II",
    ),
    _complement(
        "fpr_is_1_minus_tnr",
        "The false positive rate is 1 minus the specificity",
        "false_positive_rate",
        "specificity",
        (FP, TN, FP + TN),
        "TN",
        "Sonnenburg, Scores II",
    ),
    _complement(
        "for_is_1_minus_npv",
        "The false omission rate is 1 minus the negative predictive value",
        "false_omission_rate",
        "negative_predictive_value",
        (FN, TN, FN + TN),
        "TN",
    ),
)
