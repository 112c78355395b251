"""Two models on the same cases: is one better, or may the difference be chance?

Glossary
  b, c  cases that the first model alone gets right, and that the second alone gets right
  V, W  placement value of a case under the first model and under the second
  d     V − W
  D     the mean of d, which is the difference of the two AUCs
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from binteach.cases import Cases, Undefined, decimal_text
from binteach.derivation import Derivation, Given, Step, Table
from binteach.exact import exact, shorten
from binteach.expr import (
    LONGEST_SUM,
    Abs,
    Add,
    Node,
    Num,
    Prob,
    Rel,
    Rounded,
    Sum,
    Sym,
    is_short_decimal,
    shown,
)
from binteach.inference.areas import (
    D01,
    D10,
    ON_THE_WAY,
    READABLE,
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
from binteach.inference.paired import paired_bootstrap, paired_permutation
from binteach.inference.statistic import block_numbers, label_array
from binteach.inference.working import (
    ALPHA,
    HIGH,
    LOW,
    SE,
    UNROUNDED,
    Exactly,
    Link,
    TableRow,
    about,
    digits,
    elided,
    evaluate,
    key_of,
    leaf,
    normal_quantile,
    p_node,
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

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

# Method -> the keyword arguments that it takes; None where a measure may take more.
COMPARISONS: dict[str, tuple[str, ...] | None] = {
    "mcnemar": ("top", "at", "rule", "alternative"),
    "delong": ("level", "alternative"),
    "bootstrap": None,
    "permutation": None,
}
MOST_EXACT = 100_000  # discordant cases up to which p is an exact fraction
MOST_TOSSES = 60  # up to here the numbers of sequences are written out


def compare(method: str, first: Cases, second: Cases, measure: Any = None, **options: Any) -> Any:
    """Whether two models differ on the same cases by more than chance explains.

    mcnemar      the cases that one model alone gets right; top= or at= (with rule=) makes the cut
                 in both rankings, alternative= says in which direction a difference counts
    delong       the two AUCs; level= is that of the interval of their difference, alternative=
    bootstrap    an interval of the difference in any measure (by default auc); resamples=, seed=,
                 level=, progress=, and what the measure takes
    permutation  a p-value of that difference; resamples=, seed=, alternative=, progress=, and
                 what the measure takes

    >>> first, second = Cases([1, 1, 0, 0], [4, 3, 2, 1]), Cases([1, 1, 0, 0], [4, 2, 3, 1])
    >>> compare("mcnemar", first, second, top=2)
    McNemar(b=2, c=0, p=1/2)
    """
    key = key_of(method, COMPARISONS, "comparison")
    _same_cases(first, second)
    takes = COMPARISONS[key]
    if takes is None:
        return _by_resampling(key, first, second, measure or "auc", options)
    if measure is not None:
        what = "AUCs" if key == "delong" else "right and wrong calls"
        raise ValueError(
            f"{key} compares {what} and takes no measure, but measure is {shorten(measure)}; "
            "leave it out, or take bootstrap or permutation"
        )
    for name in options:
        if name not in takes:
            raise ValueError(f"{key} does not take {name!r}; it takes {', '.join(takes)}")
    return (mcnemar if key == "mcnemar" else delong)(first, second, **options)


def _by_resampling(
    key: str, first: Cases, second: Cases, measure: Any, options: Mapping[str, Any]
) -> Any:
    run = paired_bootstrap if key == "bootstrap" else paired_permutation
    return run(first, second, measure, **options)


def _same_cases(first: Cases, second: Cases) -> None:
    """Refuse what is no pair of models on the same cases, one row for one row."""
    import numpy as np

    for which, cases in (("first", first), ("second", second)):
        if not isinstance(cases, Cases):
            raise ValueError(
                f"the {which} model is {shorten(cases)}; give Cases(y_true, y_score) for each model"
            )
        if cases.weights is not None:
            raise ValueError(
                f"the Cases of the {which} model have weights, and comparing takes every case as "
                "one draw; leave the weights out, or repeat cases instead"
            )
    if first.n != second.n:
        raise ValueError(
            f"the first model has {first.n} cases and the second {second.n}; "
            "both must judge the same cases in the same order"
        )
    (differ,) = np.nonzero(label_array(first) != label_array(second))
    if len(differ):
        row = int(differ[0])
        kinds = ("negative", "positive") if label_array(second)[row] else ("positive", "negative")
        raise ValueError(
            f"row {row + 1} is {kinds[0]} for the first model and {kinds[1]} for the second; "
            "both must judge the same cases in the same order"
        )


# McNemar --------------------------------------------------------------------------------------

B, C, N, M = Sym("b"), Sym("c"), Sym("n"), Sym("m")
X, P = Sym("X"), Sym("p")


@dataclass(frozen=True)
class McNemar:
    """Σ C(n, k) / 2ⁿ: how often n = b + c tosses of a fair coin are as uneven as b and c.

    both_right, both_wrong   cases that do not tell the models apart
    first_only, second_only  b and c: cases that one model alone gets right
    cut                      which cases were called positive, in words
    p                        a Fraction; a float where b + c is above 100,000
    """

    both_right: int
    first_only: int
    second_only: int
    both_wrong: int
    cut: str
    alternative: str
    p: Fraction | float

    def explain(self) -> Derivation:
        """The four counts, and how p comes from two of them."""
        return _explain_mcnemar(self)

    def __repr__(self) -> str:
        return f"McNemar(b={self.first_only}, c={self.second_only}, p={p_text(self.p)})"

    def __str__(self) -> str:
        return str(self.explain())

    def _repr_html_(self) -> str:
        return self.explain()._repr_html_()


def mcnemar(
    first: Cases,
    second: Cases,
    *,
    top: Any = None,
    at: Any = None,
    rule: Any = None,
    alternative: str = "two-sided",
) -> McNemar:
    """Exact p of b and c: of X ~ Bin(b + c, 1/2), twice P(X ≤ min(b, c)), at most 1.

    "greater" asks whether the first model is better, P(X ≥ b); "less", P(X ≤ b).
    """
    asked = read_choice(alternative, "alternative", ALTERNATIVES)
    if (top is None) == (at is None):
        problem = "no cut was" if top is None else "both top= and at= were"
        raise ValueError(
            f"mcnemar needs one cut for both models, but {problem} given: "
            "say top=4 (the four top-ranked cases) or at=0.5 (scores above 0.5)"
        )
    if rule is not None and at is None:
        raise ValueError("rule= says what happens at a threshold; give at= with it")
    positive = label_array(first).astype(bool)
    one = _called(first, "first", top, at, rule or ">") == positive
    other = _called(second, "second", top, at, rule or ">") == positive
    b, c = int((one & ~other).sum()), int((other & ~one).sum())
    return McNemar(
        both_right=int((one & other).sum()),
        first_only=b,
        second_only=c,
        both_wrong=int((~one & ~other).sum()),
        cut=_cut_words(top, at, rule or ">"),
        alternative=asked,
        p=_coin(b, c, asked),
    )


def _called(cases: Cases, which: str, top: Any, at: Any, rule: str) -> NDArray[bool_]:
    """Whether each case is called positive."""
    import numpy as np

    try:
        cut = cases.ranking.cut_above(at, rule) if top is None else cases.ranking.cut_at(top)
    except ValueError as wrong:
        raise ValueError(f"in the {which} model {wrong}") from None
    blocks = block_numbers(cases)
    above: NDArray[bool_] = np.cumsum(np.bincount(blocks)) <= cut.k
    return above[blocks]


def _cut_words(top: Any, at: Any, rule: str) -> str:
    if at is not None:
        sign = "≥" if rule == ">=" else ">"
        return f"the cases with a score {sign} {decimal_text(exact(at, 'at'))}"
    k = int(exact(top, "top"))
    return "no case" if k == 0 else "the top-ranked case" if k == 1 else f"the {k} top-ranked cases"


def _outcomes(b: int, c: int, alternative: str) -> range:
    """The numbers of heads in b + c tosses that are counted, from the rarest on."""
    if alternative == "greater":
        return range(b + c, b - 1, -1)
    return range((b if alternative == "less" else min(b, c)) + 1)


def _coin(b: int, c: int, alternative: str) -> Fraction | float:
    """P(X ≤ m), P(X ≤ b) or P(X ≥ b), doubled where it is two-sided."""
    n, last = b + c, len(_outcomes(b, c, alternative)) - 1
    twice = 2 if alternative == "two-sided" else 1
    if n > MOST_EXACT:
        from scipy.stats import binom

        return min(1.0, twice * float(binom.cdf(last, n, 0.5)))
    # Heads and tails are alike, so counting from either end is the same.
    ways, total = 1, 1
    for k in range(last):
        ways = ways * (n - k) // (k + 1)
        total += ways
    return min(Fraction(1), Fraction(twice * total, 2**n))


def _explain_mcnemar(found: McNemar) -> Derivation:
    b, c = found.first_only, found.second_only
    rows = (
        ("first right", str(found.both_right), str(b)),
        ("first wrong", str(c), str(found.both_wrong)),
    )
    caption = f"Called positive by each model: {found.cut}. So many cases are called right:"
    m, two_sided = min(b, c), found.alternative == "two-sided"
    given = (
        Given(B, Num(Fraction(b)), "cases that the first model alone gets right"),
        Given(C, Num(Fraction(c)), "cases that the second model alone gets right"),
        *((Given(M, Num(Fraction(m)), "the smaller of b and c"),) if two_sided else ()),
        Given(N, Num(Fraction(b + c)), "b + c: only these cases tell the models apart"),
        Given(X, None, "number of heads in n tosses of a fair coin"),
    )
    steps = [
        Step("table", table=Table(("", "second right", "second wrong"), rows, caption=caption)),
        Step("definition", before=P, after=_tail(found, M if two_sided else B)),
        Step("given", given=given),
        prove(P, _worked_p(found)),
        *(Step("remark", prose=prose) for prose in _mcnemar_remarks(found)),
    ]
    meaning = (
        "If neither model is better, a case that only one of them gets right is as likely to be "
        "the first model's as the second's, like heads and tails."
    )
    exactly = found.p if isinstance(found.p, Fraction) else None
    return Derivation("McNemar's exact test", P, tuple(steps), meaning, _exact=exactly)


def _tail(found: McNemar, count: Node) -> Node:
    """P(X ≤ count) or P(X ≥ count), doubled where it is two-sided."""
    chance = Prob(Rel(X, "≥" if found.alternative == "greater" else "≤", count))
    return 2 * chance if found.alternative == "two-sided" else chance


def _worked_p(found: McNemar) -> list[Link]:
    b, c = found.first_only, found.second_only
    outcomes = _outcomes(b, c, found.alternative)
    n, two_sided = b + c, found.alternative == "two-sided"
    links: list[Link] = [("=", _tail(found, Num(Fraction(outcomes[-1]))), "")]
    if len(outcomes) <= LONGEST_SUM and n <= MOST_TOSSES:
        ways = [Num(Fraction(math.comb(n, k))) for k in outcomes]
        ends = f"{outcomes[0]} to {outcomes[-1]}" if len(outcomes) > 1 else str(outcomes[0])
        why = f"of the {2**n} sequences of heads and tails, those with {ends} heads"
        share = (ways[0] if len(ways) == 1 else Add(tuple(ways))) / Num(Fraction(2)) ** n
        links.append(("=", 2 * share if two_sided else share, why))
    if two_sided and found.p == 1 and abs(b - c) != 1:
        return [*links, ("→", Num(Fraction(1)), "a probability is at most 1")]
    return [*links, *_p_links(found.p)]


def _p_links(p: Fraction | float) -> list[Link]:
    """= the fraction where it is short, = or ≈ its digits."""
    if p == 0:
        return [("≈", Num(Fraction(0)), "too small for double precision")]
    if p == 1:
        return [("=", Num(Fraction(1)), "")]
    if not isinstance(p, Fraction):
        return [("≈", p_node(p), "")]
    links: list[Link] = [("=", Num(p), "")] if p.denominator <= READABLE else []
    short_one = is_short_decimal(p, ON_THE_WAY)
    return [*links, ("=", shown(p, True), "") if short_one else ("≈", p_node(p), "")]


def _mcnemar_remarks(found: McNemar) -> list[Prose]:
    b, c = found.first_only, found.second_only
    if b + c == 0:
        return [
            (
                "There is no case that one model gets right and the other wrong. So nothing tells "
                "the models apart, and p is 1.",
            )
        ]
    remarks: list[Prose] = []
    if found.alternative == "two-sided":
        remarks.append(
            ("Two-sided: it counts as well if the other model is ahead, so the share is doubled.",)
        )
    else:
        better = "first" if found.alternative == "greater" else "second"
        remarks.append((f"One-sided: only a lead of the {better} model counts.",))
    remarks.append(
        (
            f"The {found.both_right + found.both_wrong} cases that both models get right or both "
            "get wrong say nothing about which is better.",
        )
    )
    if b + c > MOST_EXACT:
        remarks.append(
            (f"With more than {MOST_EXACT:,} such cases p is computed in double precision.",)
        )
    return remarks


# DeLong ---------------------------------------------------------------------------------------

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
class DeLong:
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
        from scipy.stats import norm

        if self.alternative == "two-sided":
            return float(2 * norm.sf(abs(self.z)))
        return float(norm.sf(self.z if self.alternative == "greater" else -self.z))

    def explain(self) -> Derivation:
        """Every step from the placement values to z, p and the interval."""
        return _explain_delong(self)

    def __repr__(self) -> str:
        p = "undefined" if self.reason else p_text(self.p)
        return f"DeLong({self.aucs[0]} - {self.aucs[1]}, p={p})"

    def __str__(self) -> str:
        return str(self.explain())

    def _repr_html_(self) -> str:
        return self.explain()._repr_html_()


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
    (members,) = np.nonzero(label_array(found.first) == label)
    order = np.argsort(block_numbers(found.first)[members], kind="stable")

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
        steps.append(prove(P, [("=", tail, ""), *_p_links(found.p)]))
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
            ": rankings that agree leave less to chance.",
        )
    )
    return remarks
