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

import difflib
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from binteach import exact
from binteach.cases import decimal_text
from binteach.derivation import Derivation, Given, Step, work_out
from binteach.exact import shorten
from binteach.expr import (
    Add,
    Div,
    Mul,
    Neg,
    Node,
    Num,
    Pow,
    Rounded,
    Sqrt,
    Sym,
    is_short_decimal,
    shown,
    symbols,
)
from binteach.measures.base import Prose

PLACES = 4  # decimal places of the ends, as they are shown
MOST_TRIALS = 10**9  # up to here the quantiles were checked to twelve digits
MOST_ENUMERATED = 10_000  # trials of which every outcome can be listed in reasonable time

R, N, ALPHA = Sym("r"), Sym("n"), Sym("α")
P = Sym("p", meaning="estimate", decimal=True)
Z = Sym("z", meaning="quantile of the standard normal distribution at 1 − α/2")
LOW, HIGH = Sym("low"), Sym("high")


# Methods --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Quantile:
    """A number that comes from a distribution, and in words where in it."""

    symbol: Sym
    value: float
    words: str
    written: Node | None = None  # with its numbers put in, where it is an end by itself


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
    """Φ(z) = 1 − α/2."""
    del r, n
    from scipy.stats import norm

    z = float(norm.isf(float(alpha / 2)))
    words = f"{_percent(1 - alpha / 2)} of a standard normal distribution lie below it"
    return (Quantile(Z, z, words),)


_QUANTILE_OF_F = "quantile of the F distribution at 1 − α/2, with degrees of freedom"
F1 = Sym("F", sub="1", meaning=f"{_QUANTILE_OF_F} 2(n − r + 1) and 2r")
F2 = Sym("F", sub="2", meaning=f"{_QUANTILE_OF_F} 2(r + 1) and 2(n − r)")


def _fisher(r: int, n: int, alpha: Fraction) -> tuple[Quantile, ...]:
    """F₁ with 2(n − r + 1) and 2r degrees of freedom, F₂ with 2(r + 1) and 2(n − r)."""
    from scipy.stats import f

    def upper(above: int, below: int) -> float:
        # The upper quantile is 1 over the lower one of the mirrored distribution; scipy's own
        # upper quantile loses digits where α is small.
        return 1 / float(f.ppf(float(alpha / 2), below, above))

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
    from scipy.stats import beta

    a, b, tail = r + 0.5, n - r + 0.5, float(alpha / 2)

    def quantile(symbol: Sym, at: Fraction, value: Any) -> Quantile:
        words = f"{_percent(at)} of this beta distribution lie below it"
        return Quantile(symbol, float(value), words, Sym("Q", arg=Sym(decimal_text(at))))

    lower = quantile(Q_LOW, alpha / 2, beta.ppf(tail, a, b))
    upper = quantile(Q_HIGH, 1 - alpha / 2, beta.isf(tail, a, b))
    return (*((lower,) if r > 0 else ()), *((upper,) if r < n else ()))


SE = Sym("SE", meaning="standard error")
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
    """The method of that name; case, spaces, hyphens and underscores do not count."""
    plain = re.sub(r"[\s_-]", "", name).casefold() if isinstance(name, str) else ""
    by_name = {key.replace("_", ""): method for key, method in METHODS.items()}
    if plain not in by_name:
        close = difflib.get_close_matches(plain, by_name, n=1)
        hint = f"did you mean {by_name[close[0]].key}? " if close else ""
        raise ValueError(
            f"there is no interval {shorten(name)}; {hint}there are {', '.join(METHODS)}"
        )
    return by_name[plain]


def _whole(given: object, what: str, low: int, high: int, remedy: str) -> int:
    number = exact.exact(given, what)
    if number.denominator != 1 or not low <= number <= high:
        raise ValueError(f"{what} is {shorten(given)}; {remedy}")
    return number.numerator


def _trials(given: object, most: int) -> int:
    remedy = f"it must be a whole number of trials from 1 to {most:,}"
    return _whole(given, "n", 1, most, remedy)


def _level(given: object) -> Fraction:
    level = exact.exact(given, "level")
    if not 0 < level < 1:
        raise ValueError(
            f"level is {shorten(given)}; it must lie strictly between 0 and 1, as 0.95 for 95%"
        )
    if not 0 < float(level) < 1:
        raise ValueError(
            f"level is {shorten(given)}, which double precision cannot tell from "
            f"{round(level)}; take one farther from it, such as 0.999"
        )
    return level


# Numbers --------------------------------------------------------------------------------------

_OPERATIONS: dict[type[Node], Callable[[list[float]], float]] = {
    Add: math.fsum,
    Mul: math.prod,
    Neg: lambda parts: -parts[0],
    Div: lambda parts: parts[0] / parts[1],
    Pow: lambda parts: parts[0] ** parts[1],
    Sqrt: lambda parts: math.sqrt(parts[0]),
}


def evaluate(tree: Node, known: dict[Sym, float]) -> float:
    """The value of a formula in double precision."""
    if isinstance(tree, Sym):
        return known[tree]
    if isinstance(tree, Num):
        return float(tree.value)
    return _OPERATIONS[type(tree)]([evaluate(part, known) for part in tree.children()])


def digits(value: float, places: int = PLACES) -> str:
    """Rounded digits; more places where the value is very near to 0 or to 1."""
    if value == int(value):
        return str(int(value))
    zeros = -1 - math.floor(math.log10(min(abs(value), abs(1 - value))))
    return exact.rounded(Fraction(value), places if zeros < 3 else min(zeros + places - 1, 25))


def _short(value: float, places: int) -> Rounded:
    """Rounded digits on the way, without zeros at the end: 1.96."""
    found = digits(value, places)
    return Rounded(found.rstrip("0").rstrip(".") if "." in found else found)


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
class Interval:
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

    def __str__(self) -> str:
        return str(self.explain())

    def _repr_html_(self) -> str:
        return self.explain()._repr_html_()


def interval(method: str, successes: Any, n: Any, level: Any = "0.95") -> Interval:
    """[low, high]: a confidence interval for the true share, from r successes in n trials.

    The method is wald, wilson, agresti_coull, clopper_pearson or jeffreys.

    >>> interval("wald", 3, 5)
    Interval('wald', 3/5, 0.1706 to 1.0294)
    >>> interval("Clopper-Pearson", 3, 5, level="0.95")
    Interval('clopper_pearson', 3/5, 0.1466 to 0.9473)
    """
    wanted = _method(method)
    trials = _trials(n, MOST_TRIALS)
    remedy = f"it must be a whole number from 0 to the number of trials, {trials}"
    r = _whole(successes, "successes", 0, trials, remedy)
    asked = _level(level)
    known = _values(wanted, r, trials, wanted.quantiles(r, trials, 1 - asked))
    return Interval(wanted.key, r, trials, asked, known[LOW], known[HIGH])


# The explanation ------------------------------------------------------------------------------

Link = tuple[str, Node, str]
"""A relation, what stands on its right, and why."""


@dataclass(frozen=True)
class _Exact:
    """The exact value of r, n, and of what depends on these alone."""

    values: dict[Sym, exact.Exact]

    def value(self, symbol: Sym) -> exact.Exact:
        """The value of a symbol."""
        return self.values[symbol]

    def derive(self, symbol: Sym, tree: Node) -> Step | None:
        """The exact working of a formula; None where a rounded number stands in it."""
        if not all(each in self.values for each in symbols(tree)):
            return None
        scope: Any = self
        value = self.values[symbol] = exact.settle(tree.number(scope))
        steps = tuple(work_out(symbol, tree, scope, value))
        return Step("part", symbol, tree, part=Derivation(symbol.base, symbol, steps, _exact=value))


def _explain(found: Interval) -> Derivation:
    method = METHODS[found.method]
    r, n = found.successes, found.n
    quantiles = method.quantiles(r, n, 1 - found.level)
    known = _values(method, r, n, quantiles)
    scope = _Exact({R: Fraction(r), N: Fraction(n)})
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
            leaves[symbol] = _leaf(scope.values[symbol], known[symbol], method.places)
    drawn = {each.symbol: each for each in quantiles}
    for each in quantiles:
        leaves[each.symbol] = _short(each.value, method.places)
        if each.symbol not in (method.low, method.high):
            steps.append(_prove(each.symbol, [("≈", leaves[each.symbol], each.words)]))
    for symbol, tree in rest:
        leaves[symbol] = _short(known[symbol], method.places)
        worked = _rounding(tree, leaves, known, method.places)
        lead = (symbol, f", the {symbol.meaning}:")
        steps.append(_prove(symbol, [("=", tree, ""), *worked, ("≈", leaves[symbol], "")], lead))
    for symbol, tree, why in _ends(method, r, n):
        if why:
            steps.append(Step("remark", prose=(why,)))
        elif isinstance(tree, Sym):
            steps.append(_prove(symbol, _drawn_end(drawn[tree])))
        else:
            worked = _rounding(tree, leaves, known, method.places)
            steps.append(_prove(symbol, _worked_end(worked, known[symbol])))
    steps += [Step("remark", prose=prose) for prose in _remarks(method, found)]
    title = f"{_percent(found.level)} {method.title} interval for {r} of {n}"
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


def _worked_end(worked: list[Link], value: float) -> list[Link]:
    """The working, ≈ the value."""
    if value == int(value):  # without width there is nothing to round
        return [worked[0], ("=", Rounded(digits(value)), "")]
    return [*worked, ("≈", Rounded(digits(value)), "")]


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


def _prove(left: Sym, links: list[Link], lead: Prose = ()) -> Step:
    return Step("prove", before=left, after=links[-1][1], links=tuple(links), prose=lead)


def _rounding(
    tree: Node, leaves: dict[Sym, Node], known: dict[Sym, float], places: int
) -> list[Link]:
    """≈ with numbers put in, ≈ with the inner operations done, ≈ with all but the last done."""

    def done_below(part: Node, depth: int) -> Node:
        if isinstance(part, Sym):
            return leaves[part]
        if isinstance(part, Num):
            return part
        if isinstance(part, Neg):  # a sign is no operation of its own
            return Neg(done_below(part.part, depth))
        if depth == 0:
            return _short(evaluate(part, known), places)
        return part.with_children([done_below(child, depth - 1) for child in part.children()])

    trees = dict.fromkeys(done_below(tree, depth) for depth in (99, 2, 1))
    return [("≈", each, "") for each in trees]


def _leaf(value: exact.Exact, approximate: float, places: int) -> Node:
    """A number inside a formula: exact where that is short, rounded otherwise."""
    if isinstance(value, Fraction) and is_short_decimal(value, PLACES):
        return shown(value, True)
    if isinstance(value, Fraction) and value.denominator <= 100:
        return Num(value)
    return _short(approximate, places)


def _percent(level: Fraction) -> str:
    percent = 100 * level
    if is_short_decimal(percent, 12):
        return f"{decimal_text(percent)}%"
    return f"≈{digits(float(percent))}%"


def _about(value: float) -> Prose:
    whole = value == int(value)
    return ("" if whole else "about ", Rounded(digits(value)))


UNROUNDED = (
    " Both are worked out with all digits; with the rounded ones above, the last digit may differ."
)


def _remarks(method: Method, found: Interval) -> list[Prose]:
    remarks: list[Prose] = []
    ends = ("from ", *_about(found.low), " to ", *_about(found.high))
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
            one = interval(self.method, r, self.n, self.level)
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
        steps = _whole(points, "points", 2, 100_001, remedy) - 1
        shares = [Fraction(i, steps) for i in range(steps + 1)]
        return [(share, self.at(share)) for share in shares]

    @cached_property
    def minimum(self) -> Fraction:
        """The smallest coverage on the curve of 201 points."""
        return min(covered for _, covered in self.curve())

    def __repr__(self) -> str:
        return f"Coverage({self.method!r}, n={self.n}, level={decimal_text(self.level)})"


def coverage(method: str, n: Any, level: Any = "0.95") -> Coverage:
    """Σ P(r | p) over the outcomes r whose interval holds p, for any true share p.

    >>> coverage("clopper_pearson", 5)
    Coverage('clopper_pearson', n=5, level=0.95)
    """
    return Coverage(_method(method).key, _trials(n, MOST_ENUMERATED), _level(level))
