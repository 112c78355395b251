"""What every explanation of an inference is made of: rounded numbers and the steps around them."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from statistics import NormalDist
from typing import Any

from binteach import exact
from binteach.cases import decimal_text
from binteach.derivation import Derivation, Step, work_out
from binteach.exact import shorten
from binteach.expr import (
    HEAD,
    LONGEST_SUM,
    TAIL,
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

PLACES = 4  # decimal places of a result, as it is shown
ON_THE_WAY = 6  # decimal places of the numbers on the way to it
READABLE = 10**6  # a fraction with a larger denominator is shown rounded

ALPHA = Sym("α")
Z = Sym("z", meaning="quantile of the standard normal distribution at 1 − α/2")
SE = Sym("SE", meaning="standard error")
LOW, HIGH, P = Sym("low"), Sym("high"), Sym("p")


# Reading what was asked -----------------------------------------------------------------------


def key_of(name: object, keys: Iterable[str], what: str) -> str:
    """The key that is meant; case, spaces, hyphens and underscores do not count."""
    plain = re.sub(r"[\s_-]", "", name).casefold() if isinstance(name, str) else ""
    by_name = {key.replace("_", ""): key for key in keys}
    if plain not in by_name:
        close = difflib.get_close_matches(plain, by_name, n=1)
        hint = f"did you mean {by_name[close[0]]}? " if close else ""
        listed = ", ".join(by_name.values())
        raise ValueError(f"there is no {what} {shorten(name)}; {hint}there are {listed}")
    return by_name[plain]


def whole(given: object, what: str, low: int, high: int, remedy: str) -> int:
    """A whole number from low to high."""
    try:
        number = exact.exact(given, what)
    except ValueError:
        raise ValueError(f"{what} is {shorten(given)}; {remedy}") from None
    if number.denominator != 1 or not low <= number <= high:
        raise ValueError(f"{what} is {shorten(given)}; {remedy}")
    return number.numerator


def read_choice(given: object, what: str, choices: tuple[str, ...]) -> str:
    """One of the choices."""
    if given not in choices:
        listed = ", ".join(map(repr, choices))
        raise ValueError(f"{what} is {shorten(given)}; it must be one of {listed}")
    return str(given)


def read_level(given: object) -> Fraction:
    """A level strictly between 0 and 1, in double precision too."""
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


class Explained:
    """A result that is shown as its own explanation."""

    def explain(self) -> Derivation:
        """Every step that led to it."""
        raise NotImplementedError

    def __str__(self) -> str:
        return str(self.explain())

    def _repr_html_(self) -> str:
        return self.explain()._repr_html_()


@dataclass(frozen=True)
class Quantile:
    """A number that comes from a distribution, and in words where in it."""

    symbol: Sym
    value: float
    words: str
    written: Node | None = None  # with its numbers put in, where it is an end by itself


def normal_quantile(alpha: Fraction) -> Quantile:
    """Φ(z) = 1 − α/2."""
    z = -NormalDist().inv_cdf(float(alpha / 2))
    words = f"{percent(1 - alpha / 2)} of a standard normal distribution lie below it"
    return Quantile(Z, z, words)


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


def short(value: float, places: int) -> Rounded:
    """Rounded digits on the way, without zeros at the end: 1.96."""
    found = digits(value, places)
    return Rounded(found.rstrip("0").rstrip(".") if "." in found else found)


def leaf(value: exact.Exact, approximate: float, places: int) -> Node:
    """A number inside a formula: exact where that is short, rounded otherwise."""
    if isinstance(value, Fraction) and is_short_decimal(value, PLACES):
        return shown(value, True)
    if isinstance(value, Fraction) and value.denominator <= 100:
        return Num(value)
    return short(approximate, places)


def percent(level: Fraction) -> str:
    """95%; about as many digits as can be read where there are more."""
    hundredfold = 100 * level
    if is_short_decimal(hundredfold, 12):
        return f"{decimal_text(hundredfold)}%"
    return f"≈{digits(float(hundredfold))}%"


def tiny(p: Fraction | float) -> tuple[str, int] | None:
    """Two digits and a power of ten for what lies below 0.0001; None for what does not.

    >>> tiny(Fraction(1, 2**40))
    ('9.1', -13)
    """
    if not 0 < p < 0.0001:
        return None
    share = Fraction(p)  # a fraction may be smaller than any double
    mantissa, _, power = f"{Decimal(share.numerator) / share.denominator:.1e}".partition("e")
    return mantissa, int(power)


def p_text(p: Fraction | float) -> str:
    """A p-value in a line of text: 1/4, 0.0312 or 9.1e-13."""
    if isinstance(p, Fraction) and p.denominator <= 10_000:
        return str(p)
    small = tiny(p)
    return f"{small[0]}e{small[1]}" if small else digits(float(p))


def p_node(p: Fraction | float) -> Node:
    """A p-value in a formula, rounded: 0.0312, or 9.1 × 10⁻¹³."""
    small = tiny(p)
    if small is None:
        return Rounded(digits(float(p)))
    return Rounded(small[0]) * Num(Fraction(10)) ** Num(Fraction(small[1]))


def about(value: float) -> Prose:
    """A number in a sentence; "about" where it is rounded."""
    is_whole = value == int(value)
    return ("" if is_whole else "about ", Rounded(digits(value)))


# Steps ----------------------------------------------------------------------------------------

Link = tuple[str, Node, str]
"""A relation, what stands on its right, and why."""

UNROUNDED = (
    " Both are worked out with all digits; with the rounded ones above, the last digit may differ."
)


TableRow = tuple[str | Node, ...]


def elided(count: int, row: Callable[[int], TableRow]) -> tuple[TableRow | int, ...]:
    """The rows of a table, counted from 0; the middle of a long one is left out."""
    if count <= LONGEST_SUM:
        return tuple(map(row, range(count)))
    first, last = map(row, range(HEAD)), map(row, range(count - TAIL, count))
    return (*first, count - HEAD - TAIL, *last)


@dataclass(frozen=True)
class Exactly:
    """The exact value of what was given, and of what depends on this alone."""

    values: dict[Sym, exact.Exact]

    def value(self, symbol: Sym) -> exact.Exact:
        """The value of a symbol."""
        return self.values[symbol]

    def work_out(self, symbol: Sym, tree: Node) -> exact.Exact:
        """The exact value of a formula, which its symbol has from now on."""
        scope: Any = self
        value = self.values[symbol] = exact.settle(tree.number(scope))
        return value

    def derive(self, symbol: Sym, tree: Node) -> Step | None:
        """The exact working of a formula; None where a rounded number stands in it."""
        if not all(each in self.values for each in symbols(tree)):
            return None
        value = self.work_out(symbol, tree)
        scope: Any = self
        steps = tuple(work_out(symbol, tree, scope, value))
        return Step("part", symbol, tree, part=Derivation(symbol.base, symbol, steps, _exact=value))


def prove(left: Node, links: list[Link], lead: Prose = ()) -> Step:
    """A chain of which every link may have a reason."""
    return Step("prove", before=left, after=links[-1][1], links=tuple(links), prose=lead)


def rounding(
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
            return short(evaluate(part, known), places)
        return part.with_children([done_below(child, depth - 1) for child in part.children()])

    trees = dict.fromkeys(done_below(tree, depth) for depth in (99, 2, 1))
    return [("≈", each, "") for each in trees]


def p_links(p: Fraction | float) -> list[Link]:
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


def worked_end(worked: list[Link], value: float) -> list[Link]:
    """The working, ≈ the value."""
    if value == int(value):  # without width there is nothing to round
        return [worked[0], ("=", Rounded(digits(value)), "")]
    return [*worked, ("≈", Rounded(digits(value)), "")]
