"""Confidence intervals for the area under the ROC curve, step by step.

Glossary
  V₁₀      placement value of a positive: the share of the negatives that are ranked below it, a
           tied one counting as one half
  V₀₁      placement value of a negative: the share of the positives that are ranked above it
  AUC      the mean of the one and of the other
  D₁₀, D₀₁ sums of the squared deviations of V₁₀ and V₀₁ from the AUC
  S₁₀, S₀₁ their variances

The variance of the AUC is an exact fraction; the root and the two ends are in double precision.
No end is clipped to [0, 1].
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from binteach.cases import WITHOUT_ARRAYS, Cases, Undefined, decimal_text, short_decimal
from binteach.derivation import Derivation, Given, Step, Table
from binteach.exact import Exact
from binteach.expr import (
    Node,
    Num,
    Rounded,
    Sqrt,
    Sum,
    Sym,
    is_short_decimal,
    shown,
)
from binteach.inference.working import (
    ALPHA,
    HIGH,
    LOW,
    ON_THE_WAY,
    READABLE,
    SE,
    UNROUNDED,
    Exactly,
    Explained,
    Link,
    TableRow,
    Z,
    about,
    digits,
    elided,
    evaluate,
    leaf,
    normal_quantile,
    percent,
    prove,
    read_level,
    rounding,
    short,
    worked_end,
)
from binteach.measures.base import Prose
from binteach.measures.symbols import N_NEG, N_POS, NEGATIVES, POSITIVES
from binteach.needs import need

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

HALF = Num(Fraction(1, 2))
AUC = Sym("AUC", meaning="area under the ROC curve", decimal=True)
VAR = Sym("Var", meaning="variance of the AUC", decimal=True)


# Placements -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Placements:
    """2b + e for every case: b of the other class on the right side of it, e tied with it.

    Over twice the size of the other class these are the placement values V₁₀ and V₀₁.
    """

    of_positives: NDArray[int64]
    of_negatives: NDArray[int64]

    @property
    def positives(self) -> int:
        """n₊."""
        return len(self.of_positives)

    @property
    def negatives(self) -> int:
        """n₋."""
        return len(self.of_negatives)

    @property
    def auc(self) -> Fraction:
        """Σ V₁₀ / n₊."""
        return Fraction(int(self.of_positives.sum()), 2 * self.positives * self.negatives)


def placements(cases: Cases, what: str) -> Placements:
    """How every case is placed among those of the other class, by counting whole blocks."""
    need("numpy", WITHOUT_ARRAYS)
    import numpy as np

    if cases.weighted:
        raise ValueError(
            f"{what} takes every case as one draw, so it has no use for weights; "
            "leave the weights out, or repeat cases instead"
        )
    blocks, positive = cases.ranking.block_numbers(), cases.label_array().astype(bool)
    for there, kind in ((positive.any(), "positive"), (not positive.all(), "negative")):
        if not there:
            raise Undefined(f"there is no {kind} case, so there is no AUC")
    ups = np.bincount(blocks[positive], minlength=int(blocks.max()) + 1)
    downs = np.bincount(blocks[~positive], minlength=len(ups))
    below = 2 * (downs.sum() - np.cumsum(downs)) + downs
    above = 2 * (np.cumsum(ups) - ups) + ups
    return Placements(below[blocks[positive]], above[blocks[~positive]])


def delong_covariance(first: Placements, second: Placements) -> Fraction:
    """S₁₀/n₊ + S₀₁/n₋ of two models on the same cases; with itself, a model has its variance."""
    pairs = (
        (first.of_positives, second.of_positives, first.negatives, "positive"),
        (first.of_negatives, second.of_negatives, first.positives, "negative"),
    )
    total = Fraction(0)
    for left, right, others, kind in pairs:
        n = len(left)
        if n < 2:
            raise Undefined(
                f"how much the placement values of the {kind} cases vary cannot be seen "
                f"from 1 {kind} case; DeLong's variance needs two of each class"
            )
        total += deviations(left, right, others) / (n - 1) / n
    return total


def deviations(left: NDArray[int64], right: NDArray[int64], others: int) -> Fraction:
    """Σ (V − mean of V)(W − mean of W), where V is left / 2m and W right / 2m, m being others."""
    n = len(left)
    whole = n * _dot(left, right) - int(left.sum()) * int(right.sum())
    return Fraction(whole, n * (2 * others) ** 2)


def _dot(left: NDArray[int64], right: NDArray[int64]) -> int:
    """Σ left × right, in halves of 16 bits, so that no sum leaves the 64 bits it has."""

    def halves(numbers: NDArray[int64]) -> tuple[tuple[NDArray[int64], int], ...]:
        return ((numbers >> 16, 1 << 16), (numbers & 0xFFFF, 1))

    return sum(
        int(upper @ lower) * by * times
        for upper, by in halves(left)
        for lower, times in halves(right)
    )


# Methods --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AreaMethod:
    """A way to the variance of an AUC, as formulas.

    given  the values that the formulas start from
    parts  symbols with their formulas, each after those that it needs; the variance is the last
    """

    key: str
    title: str
    meaning: str
    given: Callable[[Placements], dict[Sym, Exact]]
    parts: tuple[tuple[Sym, Node], ...]


def _sizes(found: Placements) -> dict[Sym, Exact]:
    return {
        AUC: found.auc,
        N_POS: Fraction(found.positives),
        N_NEG: Fraction(found.negatives),
    }


Q1 = Sym(
    "Q", sub="1", meaning="probability that two random positives both beat one random negative"
)
Q2 = Sym(
    "Q", sub="2", meaning="probability that one random positive beats both of two random negatives"
)
HANLEY_MCNEIL = AreaMethod(
    key="hanley_mcneil",
    title="Hanley-McNeil",
    meaning="The AUC, and z standard errors to either side of it. The standard error follows from "
    "the AUC and the sizes of the two classes alone, as if the scores of each class had an "
    "exponential distribution.",
    given=_sizes,
    parts=(
        (Q1, AUC / (2 - AUC)),
        (Q2, 2 * AUC**2 / (1 + AUC)),
        (
            VAR,
            (AUC * (1 - AUC) + (N_POS - 1) * (Q1 - AUC**2) + (N_NEG - 1) * (Q2 - AUC**2))
            / (N_POS * N_NEG),
        ),
    ),
)

V10, V01 = Sym("V", sub="10"), Sym("V", sub="01")
D10 = Sym("D", sub="10", decimal=True)
D01 = Sym("D", sub="01", decimal=True)
S10 = Sym("S", sub="10", meaning="variance of the placement values of the positives", decimal=True)
S01 = Sym("S", sub="01", meaning="variance of the placement values of the negatives", decimal=True)


def _deviations_too(found: Placements) -> dict[Sym, Exact]:
    ups, downs = found.of_positives, found.of_negatives
    return {
        **_sizes(found),
        D10: deviations(ups, ups, found.negatives),
        D01: deviations(downs, downs, found.positives),
    }


DELONG = AreaMethod(
    key="delong",
    title="DeLong",
    meaning="The AUC, and z standard errors to either side of it. The standard error follows from "
    "how differently the single cases are placed in the ranking.",
    given=_deviations_too,
    parts=(
        (S10, D10 / (N_POS - 1)),
        (S01, D01 / (N_NEG - 1)),
        (VAR, S10 / N_POS + S01 / N_NEG),
    ),
)

AREA_METHODS = {method.key: method for method in (HANLEY_MCNEIL, DELONG)}
"""Key -> method."""
ENDS = ((LOW, AUC - Z * SE), (HIGH, AUC + Z * SE))


# The interval ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class AreaInterval(Explained):
    """[low, high], to hold the true AUC; `estimate` and `variance` are exact."""

    method: str
    cases: Cases
    level: Fraction
    estimate: Fraction
    variance: Fraction
    low: float
    high: float

    @property
    def standard_error(self) -> float:
        """√variance."""
        return math.sqrt(self.variance)

    def explain(self) -> Derivation:
        """Every step from the formulas to the two ends."""
        return _explain(self)

    def __repr__(self) -> str:
        ends = f"{digits(self.low)} to {digits(self.high)}"
        return f"AreaInterval({self.method!r}, {self.estimate}, {ends})"


def area_interval(key: str, cases: Cases, level: Any) -> AreaInterval:
    """[low, high] for the true AUC, from the cases."""
    asked = read_level(level)
    placed = placements(cases, key)
    variance = delong_covariance(placed, placed) if key == "delong" else hanley_mcneil(placed)
    known = _known(placed.auc, variance, normal_quantile(1 - asked).value)
    low, high = (evaluate(tree, known) for _, tree in ENDS)
    return AreaInterval(key, cases, asked, placed.auc, variance, low, high)


def hanley_mcneil(placed: Placements) -> Fraction:
    """[A(1 − A) + (n₊ − 1)(Q₁ − A²) + (n₋ − 1)(Q₂ − A²)] / (n₊ n₋), A being the AUC."""
    scope = Exactly(HANLEY_MCNEIL.given(placed))
    for symbol, tree in HANLEY_MCNEIL.parts:
        scope.work_out(symbol, tree)
    variance = scope.values[VAR]
    assert isinstance(variance, Fraction)
    return variance


def _known(auc: Fraction, variance: Fraction, z: float) -> dict[Sym, float]:
    return {AUC: float(auc), SE: math.sqrt(variance), Z: z}


# The explanation ------------------------------------------------------------------------------


def _explain(found: AreaInterval) -> Derivation:
    method = AREA_METHODS[found.method]
    placed = placements(found.cases, found.method)
    quantile = normal_quantile(1 - found.level)
    steps = [Step("definition", before=end, after=tree) for end, tree in ENDS]
    steps.append(Step("given", given=_given(method, found)))
    if method is DELONG:
        steps += _placed(found.cases, placed)
    scope = Exactly(method.given(placed))
    steps += worked_parts(method.parts, scope)
    known = _known(found.estimate, found.variance, quantile.value)
    leaves: dict[Sym, Node] = {
        AUC: leaf(found.estimate, known[AUC], ON_THE_WAY),
        SE: short(known[SE], ON_THE_WAY),
        Z: short(known[Z], ON_THE_WAY),
    }
    steps.append(root_of(VAR, found.variance))
    steps.append(prove(Z, [("≈", leaves[Z], quantile.words)]))
    for end, tree in ENDS:
        worked = rounding(tree, leaves, known, ON_THE_WAY)
        steps.append(prove(end, worked_end(worked, evaluate(tree, known))))
    steps += [Step("remark", prose=prose) for prose in _remarks(found)]
    title = f"{percent(found.level)} {method.title} interval for an AUC of {_short(found.estimate)}"
    return Derivation(title, LOW, tuple(steps), method.meaning)


def _short(value: Fraction) -> str:
    return decimal_text(value) if value.denominator <= 1000 else f"about {digits(float(value))}"


def _given(method: AreaMethod, found: AreaInterval) -> tuple[Given, ...]:
    cases, level = found.cases, decimal_text(found.level)
    alpha = shown(1 - found.level, True)
    auc = None if method is DELONG else cell(found.estimate)  # DeLong's table shows where from
    return (
        Given(AUC, auc, AUC.meaning),
        Given(N_POS, Num(Fraction(cases.positives)), N_POS.meaning),
        Given(N_NEG, Num(Fraction(cases.negatives)), N_NEG.meaning),
        Given(ALPHA, alpha, f"1 − {level}, how often such intervals may miss the true AUC"),
        Given(Z, None, Z.meaning),
    )


def worked_parts(parts: tuple[tuple[Sym, Node], ...], scope: Exactly) -> list[Step]:
    """The working of every part: exact where its numbers are readable, rounded otherwise."""
    steps = []
    for symbol, tree in parts:
        exactly = scope.derive(symbol, tree)
        assert exactly is not None
        value = scope.values[symbol]
        assert isinstance(value, Fraction)
        if value.denominator <= READABLE:
            steps.append(exactly)
            continue
        known = {each: float(number) for each, number in scope.values.items()}
        leaves = {each: leaf(scope.values[each], known[each], ON_THE_WAY) for each in known}
        worked = rounding(tree, leaves, known, ON_THE_WAY)
        links: list[Link] = [("=", tree, ""), *worked, ("≈", short(known[symbol], ON_THE_WAY), "")]
        steps.append(prove(symbol, links, (symbol, f", the {symbol.meaning}:")))
    return steps


def root_of(variance: Sym, value: Fraction) -> Step:
    """SE = √Var."""
    root = Sqrt(leaf(value, float(value), ON_THE_WAY))
    error = math.sqrt(value)
    sign = "=" if error == int(error) else "≈"
    inside = "=" if isinstance(root.part, Num) else "≈"
    links: list[Link] = [
        ("=", Sqrt(variance), ""),
        (inside, root, ""),
        (sign, short(error, ON_THE_WAY), ""),
    ]
    return prove(SE, links, (SE, f", the {SE.meaning}:"))


def _remarks(found: AreaInterval) -> list[Prose]:
    ends = ("from ", *about(found.low), " to ", *about(found.high))
    remarks: list[Prose] = [
        ("So the interval reaches ", *ends, ".", UNROUNDED if found.variance else "")
    ]
    if found.low < 0:
        value = Rounded(digits(found.low))
        remarks.append(("An AUC of ", value, " is impossible: the lower end is below 0."))
    if found.high > 1:
        value = Rounded(digits(found.high))
        remarks.append(("An AUC of ", value, " is impossible: the upper end is above 1."))
    if not found.variance:
        remarks.append((f"{_why_a_point(found.estimate)} {_WHY_IT_MISLEADS}",))
    return remarks


_WHY_IT_MISLEADS = (
    "So the standard error is 0 and the interval is a single point, as if these cases left no "
    "doubt. That misleads: other cases of the same kind may well be ranked differently, and the "
    "formula cannot know it from these."
)


def _why_a_point(auc: Fraction) -> str:
    if auc == 1:
        return "Every positive is ranked above every negative."
    if auc == 0:
        return "Every positive is ranked below every negative."
    return "All positives have the same placement value, and so have all negatives."


# The table of placement values ----------------------------------------------------------------

_BEATEN, _TIED = Sym("b"), Sym("e")
_CAPTIONS = (
    "The negatives, each with its placement value: b positives are ranked above it, and e are "
    "tied with it.",
    "The positives, each with its placement value: b negatives are ranked below it, and e are "
    "tied with it.",
)


def _placed(cases: Cases, placed: Placements) -> list[Step]:
    """The placement values, their mean, and their squared deviations from it."""
    beaten = _BEATEN + HALF * _TIED
    given = _deviations_too(placed)
    mean = [("=", Sum(V10, POSITIVES) / N_POS, ""), ("=", Sum(V01, NEGATIVES) / N_NEG, "")]
    return [
        Step("definition", before=V10, after=beaten / N_NEG),
        Step("table", table=_placement_table(cases, placed, 1)),
        Step("definition", before=V01, after=beaten / N_POS),
        Step("table", table=_placement_table(cases, placed, 0)),
        prove(AUC, [*mean, *valued(placed.auc)], (AUC, ", the mean of the one and of the other:")),
        prove(D10, [("=", Sum((V10 - AUC) ** 2, POSITIVES), ""), *valued(given[D10])]),
        prove(D01, [("=", Sum((V01 - AUC) ** 2, NEGATIVES), ""), *valued(given[D01])]),
    ]


def valued(value: Exact) -> list[Link]:
    """= or ≈ the value."""
    assert isinstance(value, Fraction)
    tree = cell(value)
    return [("≈" if isinstance(tree, Rounded) else "=", tree, "")]


def cell(value: Fraction) -> Node:
    """A number in a table: exact where it is readable."""
    if is_short_decimal(value, ON_THE_WAY):
        return shown(value, True)
    return Num(value) if value.denominator <= 1000 else short(float(value), ON_THE_WAY)


def _placement_table(cases: Cases, placed: Placements, label: int) -> Table:
    """A class from the top of the ranking to its bottom; the middle of a long one is left out."""
    import numpy as np

    symbol = V10 if label else V01
    numbers = placed.of_positives if label else placed.of_negatives
    others = placed.negatives if label else placed.positives
    blocks, is_member = cases.ranking.block_numbers(), cases.label_array() == label
    (members,) = np.nonzero(is_member)
    # The other class of a block is tied with every case in it.
    tied = np.bincount(blocks[~is_member], minlength=int(blocks.max()) + 1)
    order = np.argsort(blocks[members], kind="stable")

    def row(place: int) -> TableRow:
        case = int(members[order[place]])
        number, even = int(numbers[order[place]]), int(tied[blocks[case]])
        value = Fraction(number, 2 * others)
        score, beaten = short_decimal(cases.score(case)), str((number - even) // 2)
        squared = cell((value - placed.auc) ** 2)
        return (cases.names[case], score, beaten, str(even), cell(value), squared)

    total = Fraction(int(numbers.sum()), 2 * others)
    squares = deviations(numbers, numbers, others)
    totals = ("sum", "", "", "", cell(total), cell(squares))
    heads = ("case", "score", _BEATEN, _TIED, symbol, (symbol - AUC) ** 2)
    return Table(heads, elided(len(order), row), None, totals, _CAPTIONS[label])
