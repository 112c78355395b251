"""The F-measure, its relatives F_α, F_β and G, and the order of their means."""

from __future__ import annotations

from binteach.expr import Sqrt, Sym
from binteach.measures.base import Prose
from binteach.measures.counts import ALPHA, BETA, PRECISION, RECALL
from binteach.measures.symbols import FN, FP, TP
from binteach.proofs.base import Identity, of
from binteach.proofs.writing import DEFINITION, ONE, at_most, both, eq, proved, special

F, G, JACCARD = of("f_measure"), of("g_measure"), of("jaccard")
SOME_HIT: Prose = ("Let TP > 0; otherwise precision and recall have no harmonic mean.",)
F_1 = special("f_beta", Sym("F", sub="1"), {BETA: ONE})
ALPHA_OF_BETA = Sym("α", meaning="weight of precision", definition=1 / (1 + BETA**2))
F_ALPHA = special("f_alpha", Sym("F", sub="α"), {ALPHA: ALPHA_OF_BETA})
F_BETA = of("f_beta")
MEAN = (PRECISION + RECALL) / 2

IDENTITIES: tuple[Identity, ...] = (
    proved(
        "f_is_harmonic_mean",
        "The F-measure is the harmonic mean of precision and recall",
        F,
        eq(2 * ((PRECISION * RECALL) / (PRECISION + RECALL)), DEFINITION),
        eq(2 * (1 / ((PRECISION + RECALL) / (PRECISION * RECALL))), "turn the fraction over twice"),
        eq(2 * (1 / (1 / RECALL + 1 / PRECISION)), "split the inner fraction and cancel"),
        eq(2 * (1 / (1 / PRECISION + 1 / RECALL)), "swap the two terms"),
        lead=SOME_HIT,
        source="Berrar, Definition 12, Eq. 12; Murphy, Eq. 12",
    ),
    proved(
        "f_in_counts",
        "The F-measure is the Dice coefficient of the counts",
        F,
        eq(2 * ((PRECISION * RECALL) / (PRECISION + RECALL)), DEFINITION),
        eq(
            2 * (((TP / (TP + FP)) * (TP / (TP + FN))) / both(TP / (TP + FP), TP / (TP + FN))),
            "definitions of precision and recall",
        ),
        eq(
            2 * ((TP * TP) / both(TP * (TP + FN), TP * (TP + FP))),
            "multiply above and below by (TP + FP)(TP + FN)",
        ),
        eq(2 * (TP / both(TP + FN, TP + FP)), "cancel TP"),
        eq((2 * TP) / (2 * TP + FP + FN), "collect"),
        lead=SOME_HIT,
        source="Sonnenburg, Scores III",
    ),
    proved(
        "f_is_jaccard",
        "The F-measure is twice the Jaccard index over one plus it",
        F,
        eq((2 * TP) / (2 * TP + FP + FN), "see f_in_counts"),
        eq((2 * TP) / both(TP + FP + FN, TP), "take one TP aside"),
        eq(
            (2 * (TP / (TP + FP + FN))) / (1 + TP / (TP + FP + FN)),
            "divide above and below by TP + FP + FN",
        ),
        eq((2 * JACCARD) / (1 + JACCARD), DEFINITION),
    ),
    proved(
        "f_beta_is_f_alpha",
        "F_β weighs precision and recall like F_α with α = 1/(1 + β²)",
        F_BETA,
        eq((1 + BETA**2) * ((PRECISION * RECALL) / (BETA**2 * PRECISION + RECALL)), DEFINITION),
        eq(
            1 / ((BETA**2 * PRECISION + RECALL) / ((1 + BETA**2) * PRECISION * RECALL)),
            "turn the fraction over twice",
        ),
        eq(
            1 / ((BETA**2 / (1 + BETA**2)) * (1 / RECALL) + (1 / (1 + BETA**2)) * (1 / PRECISION)),
            "split the inner fraction and cancel",
        ),
        eq(
            1 / ((1 - ALPHA_OF_BETA) * (1 / RECALL) + ALPHA_OF_BETA * (1 / PRECISION)),
            "α = 1/(1 + β²), so 1 − α = β²/(1 + β²)",
        ),
        eq(
            1 / (ALPHA_OF_BETA * (1 / PRECISION) + (1 - ALPHA_OF_BETA) * (1 / RECALL)),
            "swap the two terms",
        ),
        eq(F_ALPHA, DEFINITION),
        params=("beta",),
    ),
    proved(
        "f_beta_1_is_f",
        "With β = 1 the F_β-measure is the F-measure",
        F_1,
        eq(
            (1 + ONE**2) * ((PRECISION * RECALL) / (ONE**2 * PRECISION + RECALL)),
            "by definition, with β = 1",
        ),
        eq(2 * ((PRECISION * RECALL) / (PRECISION + RECALL)), "1² = 1"),
        eq(F, DEFINITION),
        source="Berrar, Definition 13",
    ),
    proved(
        "g_in_counts",
        "The G-measure is the Fowlkes-Mallows index of the counts",
        G,
        eq(Sqrt(PRECISION * RECALL), DEFINITION),
        eq(Sqrt((TP / (TP + FP)) * (TP / (TP + FN))), "definitions of precision and recall"),
        eq(Sqrt(TP**2 / ((TP + FP) * (TP + FN))), "multiply the fractions"),
        eq(TP / Sqrt((TP + FP) * (TP + FN)), "the root of TP² is TP, which is not negative"),
    ),
    proved(
        "g_at_most_mean",
        "The geometric mean of precision and recall is at most their arithmetic mean",
        G,
        eq(Sqrt(PRECISION * RECALL), DEFINITION),
        eq(Sqrt(4 * PRECISION * RECALL) / 2, "4 under a root is 2 before it"),
        eq(
            Sqrt((PRECISION + RECALL) ** 2 - (PRECISION - RECALL) ** 2) / 2,
            "(a + b)² − (a − b)² = 4ab",
        ),
        at_most(Sqrt((PRECISION + RECALL) ** 2) / 2, "a square is never negative"),
        eq(MEAN, "precision + recall is not negative"),
    ),
    proved(
        "f_at_most_g",
        "The F-measure is at most the G-measure",
        F,
        eq(2 * ((PRECISION * RECALL) / (PRECISION + RECALL)), DEFINITION),
        eq((PRECISION * RECALL) / MEAN, "divide by one half instead of multiplying by 2"),
        eq(G * (G / MEAN), "precision × recall = G²"),
        at_most(G * ONE, "G is at most the mean: see g_at_most_mean"),
        eq(G, "1 changes nothing"),
    ),
)
