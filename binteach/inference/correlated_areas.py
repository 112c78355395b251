"""DeLong's test: do the AUCs of two models on the same cases differ?

Glossary
  V, W  placement value of a case under the first model and under the second
  d     V − W
  D     the mean of d, which is the difference of the two AUCs
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from binteach.cases import Cases, Undefined, decimal_text
from binteach.derivation import Derivation, Given, Step, Table
from binteach.expr import Abs, Node, Num, Prob, Rel, Rounded, Sum, Sym, shown
from binteach.inference.areas import (
    D01,
    D10,
    Placements,
    cell,
    delong_covariance,
    deviations,
    placements,
    root_of,
    valued,
    worked_parts,
)
from binteach.inference.outcomes import ALTERNATIVES
from binteach.inference.working import (
    ALPHA,
    HIGH,
    LOW,
    ON_THE_WAY,
    SE,
    UNROUNDED,
    Exactly,
    Explained,
    P,
    TableRow,
    about,
    digits,
    elided,
    evaluate,
    leaf,
    normal_quantile,
    p_links,
    p_text,
    percent,
    prove,
    read_choice,
    read_level,
    rounding,
    short,
    worked_end,
)
from binteach.measures.base import Prose
from binteach.measures.symbols import N_NEG, N_POS, NEGATIVES, POSITIVES

AUC1, AUC2 = Sym("AUC", sub="1", decimal=True), Sym("AUC", sub="2", decimal=True)
D = Sym("D", meaning="difference of the two AUCs", decimal=True)
S10 = Sym("S", sub="10", meaning="variance of d over the positives", decimal=True)
S01 = Sym("S", sub="01", meaning="variance of d over the negatives", decimal=True)
VAR = Sym("Var", meaning="variance of the difference", decimal=True)
V, W, SMALL_D = Sym("V"), Sym("W"), Sym("d")
SCORE = Sym("z", meaning="difference in standard errors")
QUANTILE = Sym("z", arg=Sym("1 − α/2"))
NORMAL = Sym("N")
PARTS = (
    (D, AUC1 - AUC2),
    (S10, D10 / (N_POS - 1)),
    (S01, D01 / (N_NEG - 1)),
    (VAR, S10 / N_POS + S01 / N_NEG),
)
ENDS = ((LOW, D - QUANTILE * SE), (HIGH, D + QUANTILE * SE))


@dataclass(frozen=True)
class DeLong(Explained):
    """(AUC₁ − AUC₂) / SE: the difference of two AUCs on the same cases, against chance.

    aucs        of the first and of the second model
    variances   of the two AUCs; `covariance` is theirs. All of these are exact.
    low, high   the interval of the difference
    """

    first: Cases
    second: Cases
    level: Fraction
    alternative: str
    aucs: tuple[Fraction, Fraction]
    variances: tuple[Fraction, Fraction]
    covariance: Fraction
    low: float
    high: float

    @property
    def difference(self) -> Fraction:
        """AUC₁ − AUC₂."""
        return self.aucs[0] - self.aucs[1]

    @property
    def variance(self) -> Fraction:
        """Var₁ + Var₂ − 2 Cov: that of the difference."""
        return sum(self.variances) - 2 * self.covariance

    @property
    def standard_error(self) -> float:
        """√variance."""
        return math.sqrt(self.variance)

    @property
    def reason(self) -> str:
        """Why there is no p; empty where there is one."""
        if self.variance:
            return ""
        if self.difference:
            return (
                "all cases speak for the same model, and by the same amount, so the standard "
                "error is 0 and nothing can be divided by it"
            )
        return (
            "both models place every case alike, so the difference and its standard error are 0; "
            "0/0 is not a number"
        )

    @property
    def z(self) -> float:
        """(AUC₁ − AUC₂) / SE; raises Undefined where SE is 0."""
        if self.reason:
            raise Undefined(self.reason)
        return float(self.difference) / self.standard_error

    @property
    def p(self) -> float:
        """2 P(N ≥ |z|), P(N ≥ z) or P(N ≤ z), where N is standard normal."""
        if self.alternative == "two-sided":
            return math.erfc(abs(self.z) / math.sqrt(2))
        return math.erfc((self.z if self.alternative == "greater" else -self.z) / math.sqrt(2)) / 2

    def explain(self) -> Derivation:
        """Every step from the placement values to z, p and the interval."""
        return _explain_delong(self)

    def __repr__(self) -> str:
        p = "undefined" if self.reason else p_text(self.p)
        first, second = (digits(float(auc)) for auc in self.aucs)
        return f"DeLong({first} - {second}, p={p})"


def delong(
    first: Cases, second: Cases, *, level: Any = "0.95", alternative: str = "two-sided"
) -> DeLong:
    """z = (AUC₁ − AUC₂) / √(Var₁ + Var₂ − 2 Cov), with variances of the placement values.

    "greater" asks whether the first AUC is larger, "less" whether it is smaller.
    """
    asked = read_choice(alternative, "alternative", ALTERNATIVES)
    confidence = read_level(level)
    one, two = placements(first, "delong"), placements(second, "delong")
    variances = (delong_covariance(one, one), delong_covariance(two, two))
    covariance = delong_covariance(one, two)
    known = {
        D: float(one.auc - two.auc),
        SE: math.sqrt(sum(variances) - 2 * covariance),
        QUANTILE: normal_quantile(1 - confidence).value,
    }
    low, high = (evaluate(tree, known) for _, tree in ENDS)
    aucs = (one.auc, two.auc)
    return DeLong(first, second, confidence, asked, aucs, variances, covariance, low, high)


def _explain_delong(found: DeLong) -> Derivation:
    one, two = placements(found.first, "delong"), placements(found.second, "delong")
    # The differences of the placement values vary as the difference of the AUCs does.
    gap = Placements(one.of_positives - two.of_positives, one.of_negatives - two.of_negatives)
    spread10 = deviations(gap.of_positives, gap.of_positives, gap.negatives)
    spread01 = deviations(gap.of_negatives, gap.of_negatives, gap.positives)
    scope = Exactly(
        {
            AUC1: found.aucs[0],
            AUC2: found.aucs[1],
            N_POS: Fraction(gap.positives),
            N_NEG: Fraction(gap.negatives),
            D10: spread10,
            D01: spread01,
        }
    )
    squares = (SMALL_D - D) ** 2
    (difference, *rest) = worked_parts(PARTS, scope)
    steps = [
        Step("definition", before=SCORE, after=D / SE),
        Step("definition", before=P, after=_normal_tail(found.alternative)),
        *(Step("definition", before=end, after=tree) for end, tree in ENDS),
        Step("given", given=_delong_given(found)),
        difference,
        Step("table", table=_gap_table(found, one, two, 1)),
        Step("table", table=_gap_table(found, one, two, 0)),
        prove(D10, [("=", Sum(squares, POSITIVES), ""), *valued(spread10)]),
        prove(D01, [("=", Sum(squares, NEGATIVES), ""), *valued(spread01)]),
        *rest,
        root_of(VAR, found.variance),
        *_delong_results(found),
        *(Step("remark", prose=prose) for prose in _delong_remarks(found)),
    ]
    if found.reason:
        steps.append(Step("undefined", before=SCORE, prose=(found.reason,)))
    meaning = (
        "Both models rank the same cases, so what counts is how the placement of each case differs "
        "between them: the share of the other class on the right side of it, ties as one half."
    )
    title = "DeLong's test of two AUCs"
    return Derivation(title, SCORE, tuple(steps), meaning, reason=found.reason)


def _normal_tail(alternative: str) -> Node:
    if alternative == "two-sided":
        return 2 * Prob(Rel(NORMAL, "≥", Abs(SCORE)))
    return Prob(Rel(NORMAL, "≥" if alternative == "greater" else "≤", SCORE))


def _delong_given(found: DeLong) -> tuple[Given, ...]:
    cases, level = found.first, decimal_text(found.level)
    quantile = "quantile of the standard normal distribution at 1 − α/2"
    return (
        Given(AUC1, cell(found.aucs[0]), "AUC of the first model"),
        Given(AUC2, cell(found.aucs[1]), "AUC of the second model"),
        Given(N_POS, Num(Fraction(cases.positives)), N_POS.meaning),
        Given(N_NEG, Num(Fraction(cases.negatives)), N_NEG.meaning),
        Given(NORMAL, None, "a number drawn from the standard normal distribution"),
        Given(ALPHA, shown(1 - found.level, True), f"1 − {level}"),
        Given(QUANTILE, None, quantile),
        Given(V, None, "placement value of a case under the first model"),
        Given(W, None, "placement value of a case under the second model"),
        Given(SMALL_D, None, "V − W; its mean over either class is D"),
    )


def _gap_table(found: DeLong, one: Placements, two: Placements, label: int) -> Table:
    """A class in the order of the first ranking, with the placement values of both models."""
    import numpy as np

    left = one.of_positives if label else one.of_negatives
    right = two.of_positives if label else two.of_negatives
    twice = 2 * (one.negatives if label else one.positives)
    (members,) = np.nonzero(found.first.label_array() == label)
    order = np.argsort(found.first.ranking.block_numbers()[members], kind="stable")

    def row(place: int) -> TableRow:
        at = int(order[place])
        values = (Fraction(int(left[at]), twice), Fraction(int(right[at]), twice))
        d = values[0] - values[1]
        name = found.first.names[int(members[at])]
        return (name, *map(cell, values), cell(d), cell((d - found.difference) ** 2))

    sums = (Fraction(int(left.sum()), twice), Fraction(int(right.sum()), twice))
    squares = deviations(left - right, left - right, twice // 2)
    totals: TableRow = ("sum", *map(cell, sums), cell(sums[0] - sums[1]), cell(squares))
    heads = ("case", V, W, SMALL_D, (SMALL_D - D) ** 2)
    caption = "The positives:" if label else "The negatives:"
    return Table(heads, elided(len(order), row), None, totals, caption)


def _delong_results(found: DeLong) -> list[Step]:
    """z, p, the quantile and the two ends."""
    quantile = normal_quantile(1 - found.level)
    known = {
        D: float(found.difference),
        SE: found.standard_error,
        QUANTILE: quantile.value,
    }
    leaves: dict[Sym, Node] = {
        D: leaf(found.difference, known[D], ON_THE_WAY),
        SE: short(known[SE], ON_THE_WAY),
        QUANTILE: short(known[QUANTILE], ON_THE_WAY),
    }
    steps = []
    if not found.reason:
        z = short(found.z, ON_THE_WAY)
        tail = _normal_tail(found.alternative)
        worked = rounding(D / SE, leaves, known, ON_THE_WAY)
        if not found.difference:
            steps.append(prove(SCORE, [worked[0], ("=", Num(Fraction(0)), "")]))
        else:
            steps.append(prove(SCORE, [worked[0], ("≈", z, "")]))
        steps.append(prove(P, [("=", tail, ""), *p_links(found.p)]))
    steps.append(prove(QUANTILE, [("≈", leaves[QUANTILE], quantile.words)]))
    for end, tree in ENDS:
        links = rounding(tree, leaves, known, ON_THE_WAY)
        steps.append(prove(end, worked_end(links, evaluate(tree, known))))
    return steps


def _delong_remarks(found: DeLong) -> list[Prose]:
    ends = (*about(found.low), " to ", *about(found.high))
    remarks: list[Prose] = [
        (
            f"So the {percent(found.level)} interval of the difference reaches from ",
            *ends,
            ".",
            UNROUNDED if found.variance else "",
        )
    ]
    parts = [float(part) for part in (*found.variances, found.covariance)]
    numbers = [Rounded(digits(part)) for part in parts]
    remarks.append(
        (
            "The same variance is that of the first AUC, ",
            numbers[0],
            ", plus that of the second, ",
            numbers[1],
            ", minus twice their covariance, ",
            numbers[2],
            ": rankings that agree leave less to chance."
            if found.covariance > 0
            else ": rankings that do not agree gain nothing from being of the same cases.",
        )
    )
    return remarks
