"""Confidence intervals for a share, step by step, and how often they hold the true share.

Glossary
  r      successes: cases of the kind that is counted, such as true positives
  n      trials: all cases that could have been of that kind, such as positives
  p      r / n, the estimate of the true share
  level  how often an interval should hold the true share; α = 1 − level
  z      quantile of the standard normal distribution at 1 − α/2

A method is declared once, as formulas. Its ends are these formulas in double precision, and its
explanation shows the same formulas with rounded numbers. No end is clipped to [0, 1].
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, overload

from binteach import exact
from binteach.cases import Cases, decimal_text
from binteach.derivation import GRIDS, Derivation, Given, Step, Table
from binteach.exact import shorten
from binteach.expr import Add, Node, Num, Rounded, Sqrt, Sym, shown, symbols
from binteach.inference.areas import AREA_METHODS, AreaInterval, area_interval
from binteach.inference.quantiles import beta_quantile, beta_upper_quantile, f_quantile
from binteach.inference.working import (
    ALPHA,
    HIGH,
    LOW,
    SE,
    UNROUNDED,
    Exactly,
    Explained,
    Link,
    Quantile,
    Z,
    about,
    digits,
    evaluate,
    key_of,
    leaf,
    normal_quantile,
    percent,
    prove,
    read_level,
    rounding,
    short,
    whole,
    worked_end,
)
from binteach.measures.base import Prose

MOST_TRIALS = 10**9  # up to here the quantiles were checked to twelve digits
MOST_ENUMERATED = 10_000  # trials of which every outcome can be listed in reasonable time

R, N = Sym("r"), Sym("n")
P = Sym("p", meaning="estimate", decimal=True)


# Methods --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Method:
    """A way to an interval, as formulas.

    quantiles   those that the two ends need, from r, n and α
    parts       symbols with their formulas, each after those that it needs
    no_success  why the lower end is 0 where r = 0; no_failure why the upper is 1 where r = n;
                left empty where the formula holds for these too
    places      decimal places of the numbers on the way
    """

    key: str
    title: str
    meaning: str
    quantiles: Callable[[int, int, Fraction], tuple[Quantile, ...]]
    parts: tuple[tuple[Sym, Node], ...]
    low: Node
    high: Node
    no_success: str = ""
    no_failure: str = ""
    note: str = ""
    places: int = 6


def _normal(r: int, n: int, alpha: Fraction) -> tuple[Quantile, ...]:
    """Φ(z) = 1 − α/2, whatever r and n are."""
    del r, n
    return (normal_quantile(alpha),)


_QUANTILE_OF_F = "quantile of the F distribution at 1 − α/2, with degrees of freedom"
F1 = Sym("F", sub="1", meaning=f"{_QUANTILE_OF_F} 2(n − r + 1) and 2r")
F2 = Sym("F", sub="2", meaning=f"{_QUANTILE_OF_F} 2(r + 1) and 2(n − r)")


def _fisher(r: int, n: int, alpha: Fraction) -> tuple[Quantile, ...]:
    """F₁ with 2(n − r + 1) and 2r degrees of freedom, F₂ with 2(r + 1) and 2(n − r)."""

    def upper(above: int, below: int) -> float:
        # The upper quantile is 1 over the lower one of the mirrored distribution; scipy's own
        # upper quantile loses digits where α is small.
        return 1 / f_quantile(float(alpha / 2), below, above)

    at = f"at {decimal_text(1 - alpha / 2)}, with degrees of freedom"
    found = []
    if r > 0:
        above, below = 2 * (n - r + 1), 2 * r
        words = f"{at} 2({n} − {r} + 1) = {above} and 2 × {r} = {below}"
        found.append(Quantile(F1, upper(above, below), words))
    if r < n:
        above, below = 2 * (r + 1), 2 * (n - r)
        words = f"{at} 2({r} + 1) = {above} and 2({n} − {r}) = {below}"
        found.append(Quantile(F2, upper(above, below), words))
    return tuple(found)


A, B = Sym("a"), Sym("b")
Q_LOW = Sym("Q", arg=Sym("α/2"), meaning="quantile at α/2 of the beta distribution with a and b")
Q_HIGH = Sym("Q", arg=Sym("1 − α/2"), meaning="its quantile at 1 − α/2")


def _beta(r: int, n: int, alpha: Fraction) -> tuple[Quantile, ...]:
    """Q(α/2) and Q(1 − α/2) of the beta distribution with a = r + 1/2 and b = n − r + 1/2."""
    a, b, tail = r + 0.5, n - r + 0.5, float(alpha / 2)

    def quantile(symbol: Sym, at: Fraction, value: float) -> Quantile:
        words = f"{percent(at)} of this beta distribution lie below it"
        return Quantile(symbol, value, words, Sym("Q", arg=Sym(decimal_text(at))))

    lower = quantile(Q_LOW, alpha / 2, beta_quantile(tail, a, b))
    upper = quantile(Q_HIGH, 1 - alpha / 2, beta_upper_quantile(tail, a, b))
    return (*((lower,) if r > 0 else ()), *((upper,) if r < n else ()))


WALD = Method(
    key="wald",
    title="Wald",
    meaning="The estimate, and z standard errors to either side of it.",
    quantiles=_normal,
    parts=((P, R / N), (SE, Sqrt(P * (1 - P) / N))),
    low=P - Z * SE,
    high=P + Z * SE,
    places=4,
)

M, W = Sym("m", meaning="middle"), Sym("w", meaning="half width")
S = Sym("s", meaning="root in the half width")
WILSON = Method(
    key="wilson",
    title="Wilson",
    meaning="All shares that lie at most z standard errors from the estimate, where each share "
    "brings its own standard error.",
    quantiles=_normal,
    parts=(
        (P, R / N),
        (M, (P + Z**2 / (2 * N)) / (1 + Z**2 / N)),
        (S, Sqrt(P * (1 - P) / N + Z**2 / (4 * N**2))),
        (W, Z * S / (1 + Z**2 / N)),
    ),
    low=M - W,
    high=M + W,
    no_success="Without a success the middle and the half width are equal, so the lower end is 0.",
    no_failure="Without a failure the middle and the half width add up to 1, which is the upper "
    "end.",
    note="A Wilson interval never leaves [0, 1].",
)

MORE = Sym("N", meaning="number of trials with those added")
SHARE = Sym("q", meaning="share of successes among them")
AGRESTI_COULL = Method(
    key="agresti_coull",
    title="Agresti-Coull",
    meaning="Wald's interval, once z²/2 successes and z²/2 failures have been added to those seen "
    "(about two of each, where the level is 95%).",
    quantiles=_normal,
    parts=(
        (MORE, N + Z**2),
        (SHARE, (R + Z**2 / 2) / MORE),
        (SE, Sqrt(SHARE * (1 - SHARE) / MORE)),
    ),
    low=SHARE - Z * SE,
    high=SHARE + Z * SE,
)

CLOPPER_PEARSON = Method(
    key="clopper_pearson",
    title="Clopper-Pearson",
    meaning="All shares under which the outcome is not extreme: r or more successes have a "
    "probability of at least α/2, and so have r or fewer.",
    quantiles=_fisher,
    parts=(),
    low=R / (R + (N - R + 1) * F1),
    high=((R + 1) * F2) / Add((N - R, (R + 1) * F2)),
    no_success="Without a success the lower end is 0: even a true share of 0 gives this outcome.",
    no_failure="Without a failure the upper end is 1: even a true share of 1 gives this outcome.",
    note="Whatever the true share is, such intervals hold it at least as often as the level says; "
    "mostly more often, which makes them wide.",
)

HALF = Num(Fraction(1, 2))
JEFFREYS = Method(
    key="jeffreys",
    title="Jeffreys",
    meaning="The middle of a beta distribution whose two numbers, a and b, are the successes and "
    "the failures seen, with 1/2 added to each.",
    quantiles=_beta,
    parts=((A, R + HALF), (B, N - R + HALF)),
    low=Q_LOW,
    high=Q_HIGH,
    no_success="Without a success the lower end is set to 0, as Brown, Cai and DasGupta recommend: "
    "the quantile would leave out the likeliest share.",
    no_failure="Without a failure the upper end is set to 1, as Brown, Cai and DasGupta recommend: "
    "the quantile would leave out the likeliest share.",
)

METHODS = {
    method.key: method for method in (WALD, WILSON, AGRESTI_COULL, CLOPPER_PEARSON, JEFFREYS)
}
"""Key -> method."""


# Reading what was asked -----------------------------------------------------------------------


def _method(name: object) -> Method:
    return METHODS[key_of(name, METHODS, "interval")]


def _trials(given: object, most: int) -> int:
    remedy = f"it must be a whole number of trials from 1 to {most:,}"
    return whole(given, "n", 1, most, remedy)


def _values(method: Method, r: int, n: int, quantiles: tuple[Quantile, ...]) -> dict[Sym, float]:
    """Every symbol of a method with its value; the two ends come last."""
    known = {R: float(r), N: float(n), **{each.symbol: each.value for each in quantiles}}
    for symbol, tree in method.parts:
        known[symbol] = evaluate(tree, known)
    known[LOW] = 0.0 if method.no_success and r == 0 else evaluate(method.low, known)
    known[HIGH] = 1.0 if method.no_failure and r == n else evaluate(method.high, known)
    return known


# The interval ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Interval(Explained):
    """[low, high], to hold the true share of which r / n is an estimate."""

    method: str
    successes: int
    n: int
    level: Fraction
    low: float
    high: float

    @property
    def estimate(self) -> Fraction:
        """r / n."""
        return Fraction(self.successes, self.n)

    def explain(self) -> Derivation:
        """Every step from the formulas to the two ends."""
        return _explain(self)

    def __repr__(self) -> str:
        share = f"{self.successes}/{self.n}"
        return f"Interval({self.method!r}, {share}, {digits(self.low)} to {digits(self.high)})"


@overload
def interval(
    method: str, successes: Cases, n: None = None, level: Any = "0.95"
) -> AreaInterval: ...
@overload
def interval(method: str, successes: Any, n: Any, level: Any = "0.95") -> Interval: ...
def interval(
    method: str, successes: Any, n: Any = None, level: Any = "0.95"
) -> Interval | AreaInterval:
    """[low, high]: a confidence interval for a true share, or for the true AUC.

    For a share the method is wald, wilson, agresti_coull, clopper_pearson or jeffreys, from r
    successes in n trials. For an AUC it is hanley_mcneil or delong, from Cases.

    >>> interval("wald", 3, 5)
    Interval('wald', 3/5, 0.1706 to 1.0294)
    >>> interval("Clopper-Pearson", 3, 5, level="0.95")
    Interval('clopper_pearson', 3/5, 0.1466 to 0.9473)
    >>> interval("delong", Cases([1, 0, 1, 0], [4, 3, 2, 1]), level="0.95")
    AreaInterval('delong', 3/4, 0.0571 to 1.4429)
    """
    key = key_of(method, (*METHODS, *AREA_METHODS), "interval")
    if key in AREA_METHODS:
        return _of_area(key, successes, n, level)
    if isinstance(successes, Cases):
        raise ValueError(
            f"{key} is an interval for a share: give it successes and trials, as "
            f'bt.interval("{key}", 3, 5). For the AUC of Cases there are {", ".join(AREA_METHODS)}'
        )
    if n is None:
        raise ValueError(
            f'{key} needs n, the number of trials, too: bt.interval("{key}", 3, 5) is 3 of 5'
        )
    return share_interval(key, successes, n, level)


def _of_area(key: str, cases: Any, n: Any, level: Any) -> AreaInterval:
    call = f'bt.interval("{key}", cases, level="0.95")'
    if not isinstance(cases, Cases):
        raise ValueError(
            f"{key} is an interval for an AUC and takes Cases, not {shorten(cases)}: {call}. "
            f"For a share there are {', '.join(METHODS)}"
        )
    if n is not None:
        raise ValueError(
            f"{key} takes Cases and a level by its name, but n is {shorten(n)}: write {call}"
        )
    return area_interval(key, cases, level)


def share_interval(method: str, successes: Any, n: Any, level: Any) -> Interval:
    """[low, high] for the true share, from r successes in n trials."""
    wanted = _method(method)
    trials = _trials(n, MOST_TRIALS)
    remedy = f"it must be a whole number from 0 to the number of trials, {trials}"
    r = whole(successes, "successes", 0, trials, remedy)
    asked = read_level(level)
    known = _values(wanted, r, trials, wanted.quantiles(r, trials, 1 - asked))
    return Interval(wanted.key, r, trials, asked, known[LOW], known[HIGH])


# The explanation ------------------------------------------------------------------------------


def _explain(found: Interval) -> Derivation:
    method = METHODS[found.method]
    r, n = found.successes, found.n
    quantiles = method.quantiles(r, n, 1 - found.level)
    known = _values(method, r, n, quantiles)
    scope = Exactly({R: Fraction(r), N: Fraction(n)})
    leaves: dict[Sym, Node] = {R: Num(Fraction(r)), N: Num(Fraction(n))}
    steps = [
        Step("definition", before=LOW, after=method.low),
        Step("definition", before=HIGH, after=method.high),
        Step("given", given=_given(method, found)),
    ]
    rest = []
    for symbol, tree in method.parts:
        step = scope.derive(symbol, tree)
        if step is None:
            rest.append((symbol, tree))
        else:
            steps.append(step)
            leaves[symbol] = leaf(scope.values[symbol], known[symbol], method.places)
    drawn = {each.symbol: each for each in quantiles}
    for each in quantiles:
        leaves[each.symbol] = short(each.value, method.places)
        if each.symbol not in (method.low, method.high):
            steps.append(prove(each.symbol, [("≈", leaves[each.symbol], each.words)]))
    for symbol, tree in rest:
        leaves[symbol] = short(known[symbol], method.places)
        worked = rounding(tree, leaves, known, method.places)
        lead = (symbol, f", the {symbol.meaning}:")
        steps.append(prove(symbol, [("=", tree, ""), *worked, ("≈", leaves[symbol], "")], lead))
    for symbol, tree, why in _ends(method, r, n):
        if why:
            steps.append(Step("remark", prose=(why,)))
        elif isinstance(tree, Sym):
            steps.append(prove(symbol, _drawn_end(drawn[tree])))
        else:
            worked = rounding(tree, leaves, known, method.places)
            steps.append(prove(symbol, worked_end(worked, known[symbol])))
    steps += [Step("remark", prose=prose) for prose in _remarks(method, found)]
    title = f"{percent(found.level)} {method.title} interval for {r} of {n}"
    return Derivation(title, LOW, tuple(steps), method.meaning)


def _ends(method: Method, r: int, n: int) -> tuple[tuple[Sym, Node, str], ...]:
    """Each end with its formula, and the reason where the formula does not apply."""
    why_low = method.no_success if r == 0 else ""
    why_high = method.no_failure if r == n else ""
    return ((LOW, method.low, why_low), (HIGH, method.high, why_high))


def _drawn_end(quantile: Quantile) -> list[Link]:
    """= the quantile with its numbers, ≈ its value."""
    assert quantile.written is not None
    value = Rounded(digits(quantile.value))
    return [("=", quantile.written, ""), ("≈", value, quantile.words)]


def _given(method: Method, found: Interval) -> tuple[Given, ...]:
    alpha, level = shown(1 - found.level, True), decimal_text(found.level)
    fixed = (
        Given(R, Num(Fraction(found.successes)), "successes"),
        Given(N, Num(Fraction(found.n)), "trials"),
        Given(ALPHA, alpha, f"1 − {level}, how often such intervals may miss the true share"),
    )
    worked = {symbol for symbol, _ in method.parts}
    trees = (method.low, method.high, *(tree for _, tree in method.parts))
    used = dict.fromkeys(symbol for tree in trees for symbol in symbols(tree))
    others = [each for each in used if each not in worked and each not in (R, N)]
    return (*fixed, *(Given(each, None, each.meaning) for each in others))


def _remarks(method: Method, found: Interval) -> list[Prose]:
    remarks: list[Prose] = []
    ends = ("from ", *about(found.low), " to ", *about(found.high))
    by_hand = not isinstance(method.low, Sym) and found.low < found.high
    remarks.append(("So the interval reaches ", *ends, ".", UNROUNDED if by_hand else ""))
    if found.low < 0:
        value = Rounded(digits(found.low))
        remarks.append(("A share of ", value, " is impossible: the lower end is below 0."))
    if found.high > 1:
        value = Rounded(digits(found.high))
        remarks.append(("A share of ", value, " is impossible: the upper end is above 1."))
    if method is WALD:
        remarks += _wald_check(found)
    if method.note:
        remarks.append((method.note,))
    return remarks


def _wald_check(found: Interval) -> list[Prose]:
    """n p > 5 and n (1 − p) > 5: Berrar's condition for the normal approximation."""
    first, second = found.successes, found.n - found.successes
    poor = "the approximation is poor; an exact interval is better."
    met = (first > 5) + (second > 5)
    verdict = {
        2: "Both are, so the normal approximation may be used.",
        1: f"Only one is, so {poor}",
        0: f"Neither is, so {poor}",
    }[met]
    check: Prose = (
        "Berrar's check: ",
        N * P,
        f" = {first} and ",
        N * (1 - P),
        f" = {second} must both be greater than 5. {verdict}",
    )
    if first and second:
        return [check]
    kind = "failure" if second == 0 else "success"
    trials = "1 trial" if found.n == 1 else f"{found.n} trials"
    point: Prose = (
        f"Without a {kind} the standard error is 0 and the interval is a single point, "
        f"as if {trials} left no doubt.",
    )
    return [point, check]


# How often it holds the true share ------------------------------------------------------------


@dataclass(frozen=True)
class Coverage:
    """Σ P(r | p) over the outcomes r whose interval holds p: how often the interval is right."""

    method: str
    n: int
    level: Fraction

    @cached_property
    def _ends(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The interval of each outcome, as exact numbers.

        An end may itself be a short fraction, such as 1/40, of which a double is slightly off.
        So an end reaches one part in 10^12 farther, and whatever lies on it is inside.
        """
        slack = Fraction(1, 10**12)
        found = []
        for r in range(self.n + 1):
            one = share_interval(self.method, r, self.n, self.level)
            low, high = Fraction(one.low), Fraction(one.high)
            found.append((low - abs(low) * slack, high + abs(high) * slack))
        return tuple(found)

    def at(self, p: Any) -> Fraction:
        """Σ n! / (r! (n − r)!) p^r (1 − p)^(n − r) over the outcomes r whose interval holds p.

        >>> coverage("wald", 5).at("1/2")
        Fraction(15, 16)
        """
        share = exact.exact(p, "p")
        if not 0 <= share <= 1:
            raise ValueError(f"p is {shorten(p)}; a share lies from 0 to 1")
        hit, miss = share.numerator, share.denominator - share.numerator
        n = self.n
        # Over the common denominator only whole numbers are added.
        ways = sum(
            math.comb(n, r) * hit**r * miss ** (n - r)
            for r, (low, high) in enumerate(self._ends)
            if low <= share <= high
        )
        return Fraction(ways, share.denominator**n)

    def curve(self, points: Any = 201) -> list[tuple[Fraction, Fraction]]:
        """(p, coverage at p) for p = i / (points − 1), from 0 to 1."""
        remedy = "it must be a whole number from 2 to 100,001"
        steps = whole(points, "points", 2, 100_001, remedy) - 1
        shares = [Fraction(i, steps) for i in range(steps + 1)]
        return [(share, self.at(share)) for share in shares]

    @cached_property
    def minimum(self) -> Fraction:
        """The smallest coverage on the curve of 201 points."""
        return min(covered for _, covered in self.curve())

    def table(self) -> Table:
        """How often the interval holds the true share, for some true shares."""
        shares = [Fraction(1, 100), *(Fraction(i, 20) for i in range(1, 20)), Fraction(99, 100)]
        rows = [
            (decimal_text(share), Rounded(exact.rounded(self.at(share), 4))) for share in shares
        ]
        return Table(("true share", "coverage"), tuple(rows))

    @property
    def _title(self) -> str:
        name = METHODS[self.method].title
        return f"Coverage of the {percent(self.level)} {name} interval, n = {self.n}"

    @property
    def _note(self) -> Prose:
        smallest = exact.rounded(self.minimum, 4)
        return (
            f"It should be {decimal_text(self.level)} for every true share. At the shares 0, "
            f"0.005, 0.01, …, 1 it is {smallest} at least.",
        )

    def __str__(self) -> str:
        return GRIDS["text"](self._title, self.table(), self._note)

    def _repr_html_(self) -> str:
        return GRIDS["html"](self._title, self.table(), self._note)

    def __repr__(self) -> str:
        return f"Coverage({self.method!r}, n={self.n}, level={decimal_text(self.level)})"


def coverage(method: str, n: Any, level: Any = "0.95") -> Coverage:
    """Σ P(r | p) over the outcomes r whose interval holds p, for any true share p.

    >>> coverage("clopper_pearson", 5)
    Coverage('clopper_pearson', n=5, level=0.95)
    """
    return Coverage(_method(method).key, _trials(n, MOST_ENUMERATED), read_level(level))
