"""What exchanging the classes, breaking ties or having a single cut does to a ranking."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from binteach.cases import Cases, Undefined
from binteach.expr import Family, Row, Sum, Sym
from binteach.measures import Context
from binteach.measures.symbols import (
    ABOVE,
    BELOW,
    CASE_LABELS,
    EQUAL,
    N_NEG,
    N_POS,
    POSITIVES,
    case_labels,
    ranking_of,
)
from binteach.proofs.base import Identity
from binteach.proofs.quantities import (
    AUC,
    BY_PAIRS,
    GINI,
    PAIRS,
    PEM,
    SEE_PAIRS,
    both_classes,
    exchanged,
    measured,
    pairs,
)
from binteach.proofs.writing import DEFINITION, ONE, argue, eq, where


def _tied_first(ctx: Context) -> Fraction:
    cases = both_classes(ctx)
    tied = [(u, d) for u, d in pairs(cases) if cases.scores[u] == cases.scores[d]]
    return Fraction(sum(up < down for up, down in tied))


def _in_file_order(cases: Cases) -> Cases:
    """The same ranking without ties: tied cases stay in the order of the file."""
    order = sorted(range(cases.n), key=lambda i: -cases.scores[i])
    return Cases(cases.labels, [-order.index(i) for i in range(cases.n)])


def _negative_rows(ctx: Context) -> Sequence[Row]:
    cases = both_classes(ctx)
    rows = []
    for down in cases.ranking.order:
        if not cases.labels[down]:
            here = cases.scores[down]
            higher = [s for s, label in zip(cases.scores, cases.labels, strict=True) if label]
            above = sum(Fraction(s > here) + Fraction(s == here, 2) for s in higher)
            rows.append(Row({ABOVE: above}, case_labels(cases, down)))
    return rows


ALL_NEGATIVES = Family("all_negatives", "i", ONE, N_NEG, _negative_rows, CASE_LABELS)

AUC_OTHER = Sym(
    "AUC",
    sub="−",
    meaning="AUC with the classes exchanged and the list read from the bottom",
    find=measured("auc", exchanged),
)
PEM_OTHER = Sym(
    "PEM",
    sub="−",
    meaning="PEM with the classes exchanged and the list read from the bottom",
    find=measured("pem", exchanged),
)
PEM_FILE = Sym(
    "PEM",
    sub="1",
    meaning="PEM of class 1 when tied cases stay in the order of the file",
    find=measured("pem", _in_file_order),
)
PEM_FILE_OTHER = Sym(
    "PEM",
    sub="0",
    meaning="PEM of class 0, whose list runs from the lowest score to the highest, when tied "
    "cases again stay in the order of the file",
    find=measured("pem", exchanged, _in_file_order),
)
FIRST_IN_FILE = Sym(
    "w",
    meaning="tied pairs in which the positive comes first in the file",
    find=_tied_first,
)
ROC_ALL = Sym(
    "ROC",
    sub="N",
    meaning="ROC_N score where N is n₋, the number of all negatives",
    find=measured("roc_n"),
)


def _only_cut(ctx: Context) -> Any:
    both_classes(ctx)
    if len(ranking_of(ctx).cuts) != 3:
        raise Undefined("there are not exactly two different scores, so not one cut alone")
    return ranking_of(ctx).cuts[1]


X_CUT = Sym("FPR", meaning="false positive rate at the only cut", find=lambda c: _only_cut(c).fpr)
Y_CUT = Sym("TPR", meaning="true positive rate at the only cut", find=lambda c: _only_cut(c).tpr)
BACC = Sym(
    "BACC",
    meaning="balanced accuracy at the only cut",
    definition=(Y_CUT + (1 - X_CUT)) / 2,
)
YOUDEN_CUT = Sym("J", meaning="Youden index at the only cut", definition=Y_CUT + (1 - X_CUT) - 1)
THREE_POINTS = (
    eq(
        (X_CUT - 0) * ((0 + Y_CUT) / 2) + (1 - X_CUT) * ((Y_CUT + 1) / 2),
        "the curve has three points: (0, 0), the cut, and (1, 1)",
    ),
    eq((X_CUT * Y_CUT + 1 + Y_CUT - X_CUT - X_CUT * Y_CUT) / 2, "multiply out"),
    eq((Y_CUT + (1 - X_CUT)) / 2, "the products cancel"),
)
TWO_SCORES = "There are only two different scores, as when a model gives classes instead of scores."


def _two_scores(cases: Cases) -> bool:
    return len(set(cases.scores)) == 2


IDENTITIES: tuple[Identity, ...] = (
    Identity(
        key="roc_n_all_is_auc",
        on="cases",
        title="The ROC_N score with all negatives is the AUC",
        left=ROC_ALL,
        right=AUC,
        proof=(
            argue(
                ROC_ALL,
                eq(Sum(ABOVE, ALL_NEGATIVES) / (N_NEG * N_POS), DEFINITION),
                eq(
                    BY_PAIRS,
                    "both sums count every pair of a positive and a negative: 1 if the positive is "
                    "above, 1/2 if they are tied",
                ),
                eq(AUC, SEE_PAIRS),
                lead=where(ROC_ALL, ABOVE),
            ),
        ),
        source="Sonnenburg, Extensions",
    ),
    Identity(
        key="auc_of_exchanged_classes",
        on="cases",
        title="Exchanging the classes leaves the AUC as it is",
        left=AUC_OTHER,
        right=AUC,
        proof=(
            argue(
                AUC_OTHER,
                eq(
                    Sum(ABOVE, ALL_NEGATIVES) / (N_NEG * N_POS),
                    "for each case of the class that now counts as positive, count the others "
                    "that now stand below it: they stood above",
                ),
                eq(BY_PAIRS, "the same pairs, counted from the positives"),
                eq(AUC, SEE_PAIRS),
                lead=where(AUC_OTHER, ABOVE, BELOW, EQUAL),
            ),
        ),
        source="Arbel & Rokach, 4.3.2",
    ),
    Identity(
        key="pem_of_exchanged_classes",
        on="cases",
        title="Exchanging the classes leaves the potential extract measure as it is",
        left=PEM_OTHER,
        right=PEM,
        proof=(
            argue(
                PEM_OTHER,
                eq(2 * AUC_OTHER - 1, "see pem_is_gini"),
                eq(2 * AUC - 1, "see auc_of_exchanged_classes"),
                eq(PEM, "see pem_is_gini"),
                lead=where(
                    PEM_OTHER,
                    AUC_OTHER,
                    last="Arbel & Rokach observe a difference (4.3.2); ties broken in the order of "
                    "the file explain it, see file_order_ties.",
                ),
            ),
        ),
        source="Arbel & Rokach, 4.3.2, corrected",
    ),
    Identity(
        key="file_order_ties",
        on="cases",
        title="Ties broken in file order change PEM, but not its mean over both classes",
        left=(PEM_FILE + PEM_FILE_OTHER) / 2,
        right=2 * AUC - 1,
        proof=(
            argue(
                PEM_FILE,
                eq(
                    2 * ((Sum(BELOW, POSITIVES) + FIRST_IN_FILE) / PAIRS) - 1,
                    "PEM is 2 AUC − 1, see pem_is_gini; class 1 wins the tied pairs in which it "
                    "comes first in the file",
                ),
                lead=where(PEM_FILE, FIRST_IN_FILE, BELOW, EQUAL),
            ),
            argue(
                PEM_FILE_OTHER,
                eq(
                    2 * ((Sum(BELOW, POSITIVES) + (Sum(EQUAL, POSITIVES) - FIRST_IN_FILE)) / PAIRS)
                    - 1,
                    "class 0 wins the other tied pairs; on all other pairs both lists agree",
                ),
                lead=where(PEM_FILE_OTHER),
            ),
            argue(
                (PEM_FILE + PEM_FILE_OTHER) / 2,
                eq(
                    (2 * Sum(BELOW, POSITIVES) + Sum(EQUAL, POSITIVES)) / PAIRS - 1,
                    "each tied pair is won once and lost once, so w cancels",
                ),
                eq(2 * BY_PAIRS - 1, "take out 2"),
                eq(2 * AUC - 1, SEE_PAIRS),
                lead=("Together:",),
            ),
        ),
        source="Arbel & Rokach, Tables 8 and 9: explains their C4.5 columns",
    ),
    Identity(
        key="single_cut_auc_is_bacc",
        on="cases",
        title="With a single cut the AUC is the balanced accuracy",
        left=AUC,
        right=BACC,
        proof=(
            argue(
                AUC,
                *THREE_POINTS,
                eq(BACC, "the true negative rate is 1 − FPR"),
                lead=where(X_CUT, Y_CUT, BACC),
            ),
        ),
        condition=TWO_SCORES,
        applies=_two_scores,
        source="Berrar, Definitions 11 and 27",
    ),
    Identity(
        key="single_cut_gini_is_youden",
        on="cases",
        title="With a single cut the Gini index is Youden's index",
        left=GINI,
        right=YOUDEN_CUT,
        proof=(
            argue(AUC, *THREE_POINTS, lead=where(X_CUT, Y_CUT, YOUDEN_CUT)),
            argue(
                GINI,
                eq(2 * AUC - 1, DEFINITION),
                eq(Y_CUT + (1 - X_CUT) - 1, "by the first argument"),
                eq(YOUDEN_CUT, DEFINITION),
            ),
        ),
        condition=TWO_SCORES,
        applies=_two_scores,
        source="Berrar, Definitions 8 and 28",
    ),
)
