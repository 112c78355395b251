"""Measures for a limited quota (Arbel & Rokach): what the top of the list holds."""

from __future__ import annotations

from fractions import Fraction

from binteach.expr import Div, Max, Num, Sqrt, Sum, Sym
from binteach.measures.base import Measure
from binteach.measures.ranking import RANDOM_AP
from binteach.measures.symbols import (
    DECILE_PLACES,
    FIRST,
    HIT_J,
    LAST,
    LIFT_PLACES,
    N_POS,
    P_K,
    PREVALENCE,
    QOPT_J,
    QRANDOM_J,
    QRECALL_J,
    QUOTA,
    T_J,
    T_K,
    TAIL_PLACES,
    TOP_PLACES,
    N,
)

ONE, ZERO = Num(Fraction(1)), Num(Fraction(0))
NO_POSITIVES = "there is no positive case"
EMPTY_QUOTA = "the quota is empty, so j = 0"
TIES = "A tied block is spread evenly over its places (Eq. 5)."

SIZE = Sym("j", meaning="size of the quota", find=lambda ctx: ctx.params["top"], zero=EMPTY_QUOTA)
HITS = Sum(T_K, TOP_PLACES)
MEAN_P = Sym(
    "p̄",
    meaning="mean score in the quota",
    definition=(1 / SIZE) * Sum(P_K, TOP_PLACES),
    decimal=True,
)
MEAN_T = Sym("t̄", meaning="mean label in the quota", definition=(1 / SIZE) * HITS)
COVARIANCE = Sym("Cov", definition=(1 / SIZE) * Sum((P_K - MEAN_P) * (T_K - MEAN_T), TOP_PLACES))
SIGMA_P = Sym(
    "σ",
    sub="p",
    zero="all scores in the quota are equal, so their deviation is 0",
    definition=Sqrt((1 / SIZE) * Sum((P_K - MEAN_P) ** 2, TOP_PLACES)),
)
SIGMA_T = Sym(
    "σ",
    sub="t",
    zero="all labels in the quota are equal, so their deviation is 0",
    definition=Sqrt((1 / SIZE) * Sum((T_K - MEAN_T) ** 2, TOP_PLACES)),
)
ABOVE_AREA = Sym(
    "S",
    sub="1",
    meaning="area above the random curve",
    definition=Sum(Max((ZERO, QRECALL_J - QRANDOM_J)), LIFT_PLACES),
)
BELOW_AREA = Sym(
    "S",
    sub="2",
    meaning="area below the random curve",
    definition=Sum(Max((ZERO, QRANDOM_J - QRECALL_J)), LIFT_PLACES),
)
FULL_AREA = Sym(
    "S",
    sub="3",
    meaning="area between optimal and random curve",
    zero="every case is positive, so no order is better than another and S₃ = 0",
    definition=Sum(QOPT_J - QRANDOM_J, LIFT_PLACES),
)

MEASURES = (
    Measure(
        key="hit_rate",
        title="Hit rate",
        takes="quota",
        symbol=Sym("HitRate", arg=Sym("j")),
        formula=HITS / SIZE,
        meaning="Of the j top-ranked cases, the share that is positive.",
        undefined="the quota is empty",
        low=0,
        high=1,
        direction=1,
        names={"hit-ratio": "A", "precision at k": "", "P@k": "", "precision at quota": ""},
        documents={"A": "Eq. 4 and 5"},
        description=f"Murphy uses the name for sensitivity. {TIES}",
        params=("top",),
        random=PREVALENCE,
        perfect_words="1, or n₊/j where the quota exceeds the positives",
        use_when={"A": "For positive screening: filling a quota with as few misses as possible."},
    ),
    Measure(
        key="qrecall",
        title="Qrecall",
        takes="quota",
        symbol=Sym("Qrecall", arg=Sym("j")),
        formula=HITS / N_POS,
        meaning="Of all positive cases, the share that the j top-ranked cases hold.",
        undefined=NO_POSITIVES,
        low=0,
        high=1,
        direction=1,
        names={"quota recall": "A", "recall at k": "", "recall at quota": ""},
        documents={"A": "Eq. 6 and 7"},
        description=TIES,
        params=("top",),
        random=QUOTA / N,
        perfect_words="1, or j/n₊ where the quota is smaller than the positives",
        use_when={"A": "For negative screening: keeping every case that may be positive."},
    ),
    Measure(
        key="quota_lift",
        title="Lift at a quota",
        takes="quota",
        symbol=Sym("lift", arg=Sym("j")),
        formula=Sym("HitRate", arg=Sym("j"), definition=HITS / SIZE) / PREVALENCE,
        meaning="How many times more positives the quota holds than a random one of its size.",
        undefined="the quota is empty or there is no positive case",
        low=0,
        high=None,
        direction=1,
        names={"lift at k": "", "lift at quota": ""},
        documents={"A": "2.2.5", "B": "Definition 26"},
        description=TIES,
        params=("top",),
        random=ONE,
        perfect_words="n/n₊, or n/j where the quota exceeds the positives",
        use_when={"A": "To compare models at the quota that can be afforded."},
    ),
    Measure(
        key="decile_lift",
        title="Decile lift",
        takes="quota",
        symbol=Sym("lift", sub="decile"),
        formula=Div(
            Div(
                Sum(T_K, DECILE_PLACES),
                LAST - FIRST + 1,
                "there are fewer than ten cases, so this tenth of the ranking is empty",
            ),
            PREVALENCE,
        ),
        meaning="The share of positives in one tenth of the ranking, relative to all cases.",
        undefined="the tenth is empty (fewer than ten cases) or there is no positive case",
        low=0,
        high=None,
        direction=1,
        names={"lift": "A"},
        documents={"A": "2.2.5"},
        description=f"If n is not a multiple of ten, the first tenths are one case larger. {TIES}",
        params=("decile",),
        random=ONE,
        perfect_words="as large as possible in the first tenths, then 0",
        use_when={"A": "To see whether the lift falls from tenth to tenth, as it should."},
    ),
    Measure(
        key="quota_pearson",
        title="Pearson correlation in a quota",
        takes="quota",
        symbol=Sym("ρ", arg=Sym("j")),
        formula=COVARIANCE / (SIGMA_P * SIGMA_T),
        meaning="The correlation between score and label among the j top-ranked cases.",
        undefined="all scores or all labels in the quota are equal, or the quota is empty",
        low=-1,
        high=1,
        direction=1,
        names={"Pearson correlation coefficient": "A", "Pearson": "A", "correlation": ""},
        documents={"A": "Eq. 8 to 11"},
        description=f"It uses the scores, not only their order. {TIES}",
        params=("top",),
        random_words="about 0",
        perfect_words="1 only if the scores take two values, one for each class",
        use_when={"A": "As a traditional measure that behaves much like PEM."},
    ),
    Measure(
        key="average_hit_rate",
        title="Average hit rate",
        takes="quota",
        symbol=Sym("average hit rate"),
        formula=Sum(T_J * HIT_J, LIFT_PLACES) / N_POS,
        meaning="The hit rate, averaged over the places of the positives.",
        undefined=NO_POSITIVES,
        low=0,
        high=1,
        direction=1,
        names={"AHR": ""},
        documents={"A": "Eq. 12, Table 2"},
        description=f"The same as average_precision when no scores are tied. {TIES}",
        random=RANDOM_AP,
        perfect=ONE,
        use_when={"A": "For a flexible quota when accepting a negative case is costly."},
    ),
    Measure(
        key="average_qrecall",
        title="Average Qrecall",
        takes="quota",
        symbol=Sym("average Qrecall"),
        formula=Sum(QRECALL_J, TAIL_PLACES) / (N - (N_POS - 1)),
        meaning="The Qrecall, averaged over quotas from n₊ to n.",
        undefined=NO_POSITIVES,
        low=0,
        high=1,
        direction=1,
        names={"AQR": ""},
        documents={"A": "Eq. 13, Table 2"},
        description=TIES,
        random=(N_POS + N) / (2 * N),
        perfect=ONE,
        use_when={"A": "When leaving out a positive case is costly."},
    ),
    Measure(
        key="pem",
        title="Potential extract measure",
        takes="quota",
        symbol=Sym("PEM"),
        formula=(ABOVE_AREA - BELOW_AREA) / FULL_AREA,
        meaning="How much of the way from a random to a perfect order the model goes.",
        undefined="one of the classes has no case",
        low=-1,
        high=1,
        direction=1,
        names={"potential extract measure": "A"},
        documents={"A": "Eq. 14 and 15, Table 5"},
        description=f"Exactly the same number as gini. {TIES}",
        random=ZERO,
        perfect=ONE,
        use_when={"A": "When leaving out a positive case is costly and the quota is not known."},
    ),
)
