"""The average Qrecall, of one class and of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from binteach.cases import Cases
from binteach.expr import Branch, Family, Node, Row, Sum, Sym
from binteach.measures import Context
from binteach.measures.symbols import (
    LIFT_PLACES,
    N_NEG,
    N_POS,
    PLACE_LABELS,
    QOPT_J,
    QRECALL_J,
    TAIL_PLACES,
    N,
    cases_of,
    ranking_of,
)
from binteach.proofs.base import Identity, of
from binteach.proofs.quantities import (
    AUC,
    FN_AT,
    FP_AT,
    INV,
    MEAN_RANK,
    PAIRS,
    SEE_INVERSIONS,
    both_classes,
    exchanged,
    measured,
    quota_rows,
)
from binteach.proofs.writing import HALF, ONE, ZERO, argue, at_most, eq, where


def _some(name: str, low: Node, high: Node, part: Callable[[int], slice]) -> Family:
    """Some of the quotas; `part` says which, by the number of positives."""

    def rows(ctx: Context) -> Sequence[Row]:
        return quota_rows(ctx)[part(int(cases_of(ctx).positives))]

    return Family(name, "j", low, high, rows, PLACE_LABELS)


UP_TO_P = _some("quotas_up_to_p", ONE, N_POS, lambda ups: slice(ups))
BELOW_P = _some("quotas_below_p", ONE, N_POS - 1, lambda ups: slice(ups - 1))
FROM_P = _some("quotas_from_p", N_POS, N, lambda ups: slice(ups - 1, None))
ABOVE_P = _some("quotas_above_p", N_POS + 1, N, lambda ups: slice(ups, None))

AQR = of("average_qrecall")
FP_TOP = Sym(
    "FP",
    sub="top",
    meaning="negatives among the first n₊ cases, a tied block spread evenly",
    find=lambda ctx: (
        Fraction(both_classes(ctx).positives)
        - sum(ranking_of(ctx).spread[: int(cases_of(ctx).positives)])
    ),
)
A_POS = Sym(
    "A",
    sub="+",
    meaning="average Qrecall",
    definition=Sum(QRECALL_J, TAIL_PLACES) / (N - (N_POS - 1)),
)
A_NEG = Sym(
    "A",
    sub="−",
    meaning="average Qrecall of the same list read for the other class, from the bottom",
    find=measured("average_qrecall", exchanged),
)


def _shifted(cases: Cases) -> Fraction:
    """Qrecall averaged over the quotas from n₊ + 1 to n."""
    ups, spread = int(cases.positives), cases.ranking.spread
    shares = [sum(spread[:j]) / Fraction(ups) for j in range(ups + 1, cases.n + 1)]
    return sum(shares, Fraction(0)) / (cases.n - ups)


B_POS = Sym(
    "B",
    sub="+",
    meaning="Qrecall averaged over the quotas from n₊ + 1 to n",
    find=lambda ctx: _shifted(both_classes(ctx)),
)
B_NEG = Sym(
    "B",
    sub="−",
    meaning="the same for the list read for the other class, from the bottom",
    find=lambda ctx: _shifted(exchanged(both_classes(ctx))),
)


def _whether(larger: Node, smaller: Node) -> Branch:
    """1 where larger ≥ smaller, 0 elsewhere."""
    return Branch(larger, smaller, ONE, ZERO)


LEMMA_INVERSIONS = argue(
    INV,
    eq(
        N_POS * MEAN_RANK - HALF * N_POS * (N_POS + 1),
        "the ranks of the positives, less those of a perfect order; see auc_by_mean_rank",
    ),
    eq(
        N_POS * Sum(QOPT_J - QRECALL_J, LIFT_PLACES),
        "in any order the Qrecalls add up to n + 1 minus the mean rank of the positives, see "
        "pem_is_gini",
    ),
    lead=where(INV, MEAN_RANK, first="Pairs in the wrong order are missing Qrecall."),
)
LEMMA_QUOTAS = argue(
    INV,
    eq(
        Sum(FP_AT, UP_TO_P) + Sum(FN_AT, ABOVE_P),
        "up to j = n₊ a perfect quota holds positives only, so FP(j) of them are missing; "
        "beyond that it holds all positives, so FN(j) are missing",
    ),
    lead=where(FP_AT, FN_AT, first="Counted quota by quota."),
)
READ_BACK = (
    "read from the bottom, the last n − j cases miss the negatives among the first j, and j runs "
    "from n₊ down to 0, where none is missed"
)

IDENTITIES: tuple[Identity, ...] = (
    Identity(
        key="auc_at_most_average_qrecall",
        on="cases",
        title="The average Qrecall is never smaller than the AUC",
        left=AUC,
        relation="≤",
        right=AQR,
        proof=(
            LEMMA_INVERSIONS,
            argue(
                Sum(1 - QRECALL_J, TAIL_PLACES),
                at_most(
                    Sum(QOPT_J - QRECALL_J, LIFT_PLACES),
                    "from j = n₊ on the best possible Qrecall is 1, and the terms before that are "
                    "not negative",
                ),
                eq(INV / N_POS, "by the first argument"),
                lead=("The average Qrecall uses the quotas from n₊ on.",),
            ),
            argue(
                AUC,
                eq(1 - INV / PAIRS, SEE_INVERSIONS),
                at_most(1 - INV / (N_POS * (N_NEG + 1)), "a larger denominator takes away less"),
                at_most(
                    1 - Sum(1 - QRECALL_J, TAIL_PLACES) / (N_NEG + 1),
                    "by the second argument",
                ),
                eq(Sum(QRECALL_J, TAIL_PLACES) / (N_NEG + 1), "the sum has n₋ + 1 terms"),
                eq(AQR, "n − (n₊ − 1) = n₋ + 1"),
                lead=(
                    "Together, and as AUC = (1 + PEM)/2, a test that every published pair of "
                    "average Qrecall and PEM must pass:",
                ),
            ),
        ),
        source="Arbel & Rokach, Eq. 13, Tables 8 and 9",
    ),
    Identity(
        key="auc_at_most_shifted_qrecall",
        on="cases",
        title="The shifted average Qrecall is never smaller than the AUC either",
        left=AUC,
        relation="≤",
        right=B_POS,
        proof=(
            argue(
                AUC,
                at_most(AQR, "see auc_at_most_average_qrecall"),
                eq(
                    ((1 - FP_TOP / N_POS) + N_NEG * B_POS) / (N_NEG + 1),
                    "the term j = n₊, where as many positives are missing as there are negatives, "
                    "and the n₋ terms after it",
                ),
                at_most(
                    (B_POS + N_NEG * B_POS) / (N_NEG + 1),
                    "Qrecall never falls along the list, so the term j = n₊ is the smallest",
                ),
                eq(B_POS, "cancel n₋ + 1"),
                lead=where(
                    B_POS,
                    FP_TOP,
                    last="The shifted average leaves out the smallest term of the average Qrecall.",
                ),
            ),
        ),
        source="Arbel & Rokach, Tables 8 and 9, which average from n₊ + 1 on, not as in Eq. 13",
    ),
    Identity(
        key="average_qrecall_1_means_auc_1",
        on="cases",
        title="The average Qrecall is 1 exactly if the AUC is 1",
        left=_whether(AQR, ONE),
        right=_whether(AUC, ONE),
        proof=(
            argue(
                _whether(AQR, ONE),
                eq(
                    _whether(ZERO, FP_TOP),
                    "Qrecall never falls and is at most 1, so its average from n₊ on is 1 exactly "
                    "if its first term is: if no negative is among the first n₊ cases",
                ),
                eq(
                    _whether(ZERO, INV),
                    "without a negative among the first n₊ cases no pair is in the wrong order or "
                    "tied; with one, some positive stands below it or is tied with it",
                ),
                eq(_whether(AUC, ONE), SEE_INVERSIONS),
                lead=where(
                    FP_TOP,
                    INV,
                    last="No average Qrecall and no AUC exceeds 1, so each side is 1 if the "
                    "measure is 1, and 0 if it is not. Every link can be read from both ends, "
                    "which proves both directions. The shifted average can be 1 without an AUC "
                    "of 1.",
                ),
            ),
        ),
        source="Arbel & Rokach, Eq. 13, Tables 8 and 9",
    ),
    Identity(
        key="average_qrecall_two_classes",
        on="cases",
        title="The average Qrecalls of both classes count the pairs in the wrong order",
        left=N_POS * (N_NEG + 1) * (1 - A_POS) + N_NEG * (N_POS + 1) * (1 - A_NEG),
        right=INV + FP_TOP,
        proof=(
            LEMMA_INVERSIONS,
            LEMMA_QUOTAS,
            argue(
                N_POS * (N_NEG + 1) * (1 - A_POS),
                eq(N_POS * Sum(1 - QRECALL_J, TAIL_PLACES), "the average has n₋ + 1 terms"),
                eq(Sum(FN_AT, FROM_P), "what Qrecall misses is the positives after place j"),
                lead=where(A_POS, first="The positive class."),
            ),
            argue(
                N_NEG * (N_POS + 1) * (1 - A_NEG),
                eq(Sum(FP_AT, UP_TO_P), READ_BACK),
                lead=where(A_NEG, first="The other class."),
            ),
            argue(
                N_POS * (N_NEG + 1) * (1 - A_POS) + N_NEG * (N_POS + 1) * (1 - A_NEG),
                eq(Sum(FN_AT, FROM_P) + Sum(FP_AT, UP_TO_P), "by the last two arguments"),
                eq(
                    FP_TOP + Sum(FN_AT, ABOVE_P) + Sum(FP_AT, UP_TO_P),
                    "among the first n₊ cases there are as many negatives as positives are missing",
                ),
                eq(INV + FP_TOP, "by the second argument"),
                lead=where(FP_TOP, first="Together."),
            ),
        ),
        source="Arbel & Rokach, Eq. 13",
    ),
    Identity(
        key="shifted_qrecall_two_classes",
        on="cases",
        title="Shifted average Qrecalls of both classes exceed 1 + AUC by the misses at the top",
        left=B_POS + B_NEG,
        right=1 + AUC + FP_TOP / PAIRS,
        proof=(
            LEMMA_INVERSIONS,
            LEMMA_QUOTAS,
            argue(
                PAIRS * (1 - B_POS),
                eq(Sum(FN_AT, ABOVE_P), "each of the n₋ terms misses FN(j)/n₊"),
                lead=where(B_POS, first="The positive class."),
            ),
            argue(
                PAIRS * (1 - B_NEG),
                eq(Sum(FP_AT, BELOW_P), READ_BACK.replace("from n₊ down", "from n₊ − 1 down")),
                eq(Sum(FP_AT, UP_TO_P) - FP_TOP, "add the term j = n₊ and take it away again"),
                lead=where(B_NEG, FP_TOP, first="The other class."),
            ),
            argue(
                B_POS + B_NEG,
                eq(
                    2 - (Sum(FN_AT, ABOVE_P) + Sum(FP_AT, UP_TO_P) - FP_TOP) / PAIRS,
                    "by the last two arguments",
                ),
                eq(2 - (INV - FP_TOP) / PAIRS, "by the second argument"),
                eq(1 + (1 - INV / PAIRS) + FP_TOP / PAIRS, "split the fraction"),
                eq(1 + AUC + FP_TOP / PAIRS, SEE_INVERSIONS),
                lead=("Together:",),
            ),
        ),
        source="Arbel & Rokach, Tables 8 and 9, which average from n₊ + 1 on, not as in Eq. 13",
    ),
)
