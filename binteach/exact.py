"""Exact numbers: rationals, square roots and sums of logarithms, and how to read and round them.

An exact value is one of five things:
  Fraction   a rational number; by far the commonest
  Surd       c·√r, the only roots that the measures need (G-measure, Matthews, RMSE, Pearson)
  LogSum     a rational plus rational multiples of logarithms (losses, information)
  Certified  a number too long to write out, between two close fractions, and exact on request
  sympy.Expr anything else: symbols given as counts, a quotient of two logarithms, ...
sympy is loaded only for the last kind and for handing values to the user.
"""

from __future__ import annotations

import math
import numbers
import operator
import re
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Exact = Any  # Fraction | Surd | LogSum | Certified | sympy.Expr; sympy is not imported here


class Many:
    """A number for each row of a table at once; binteach.columns has them.

    The functions below take them in place of a single number.
    """

    __slots__ = ()


class OneByOne(Exception):
    """What cannot be done for many rows at once and must be done row by row."""


class NoLog(ValueError):
    """A logarithm of zero is needed in some row."""


# Longer numbers are no scores or counts that anyone means; the bound keeps "1e999999999" from
# filling the memory.
MAX_DIGITS = 400
MAX_BITS = 1330
_NUMBER = re.compile(r"\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d{1,3})?\s*(/\s*\d+\s*)?", re.ASCII)


_SYMBOL = re.compile(r"[^\W\d_]\w*")


def is_symbolic(number: object) -> bool:
    """Whether it is a sympy expression with symbols in it."""
    return bool(getattr(number, "free_symbols", None))


def checked_symbolic(number: Any, what: str) -> Any:
    """A sympy expression of plainly named symbols, as it is; names are shown in formulas."""
    import sympy

    if not isinstance(number, sympy.Expr):
        raise ValueError(f"{what} is {shorten(number)}, which is neither a number nor a formula")
    if number.atoms(sympy.core.function.AppliedUndef):
        raise ValueError(f"{what} holds an unknown function; only symbols and numbers can be used")
    for symbol in number.free_symbols:
        if not _SYMBOL.fullmatch(str(symbol.name)):
            raise ValueError(
                f"{what} holds the symbol {shorten(symbol.name)}; a symbol is named by a letter, "
                "then letters, digits and underscores"
            )
    return number


def exact(number: object, what: str = "the number") -> Fraction:
    """The number as a Fraction; a float means its shortest decimal, so 0.1 is 1/10.

    >>> exact(0.1), exact("19/20"), exact("0.95")
    (Fraction(1, 10), Fraction(19, 20), Fraction(19, 20))
    """
    if isinstance(number, int):
        number = Fraction(number)
    if isinstance(number, Fraction):
        if max(number.numerator.bit_length(), number.denominator.bit_length()) > MAX_BITS:
            raise ValueError(
                f"{what} has more than {MAX_DIGITS} digits, which is out of proportion"
            )
        return number
    if isinstance(number, str):
        return _from_text(number, what)
    if isinstance(number, float):
        if not math.isfinite(number):
            raise ValueError(f"{what} is {number!r}; only finite numbers can be used")
        return Fraction(float.__repr__(number))
    if isinstance(number, Decimal):
        if not number.is_finite():
            raise ValueError(f"{what} is {number}; only finite numbers can be used")
        if number and abs(number.adjusted()) > MAX_DIGITS:
            raise ValueError(
                f"{what} has more than {MAX_DIGITS} digits, which is out of proportion"
            )
        return Fraction(number)
    if getattr(number, "is_Rational", False):  # sympy's own rationals
        return Fraction(int(number.p), int(number.q))  # type: ignore[attr-defined]
    dtype = getattr(number, "dtype", None)
    if dtype is not None and (getattr(number, "ndim", 1) != 0 or dtype.kind not in "biufO"):
        raise ValueError(f"{what} is {shorten(number)}, which is not a number")
    if dtype is not None:  # a numpy scalar or 0-d array
        plain = number.item()  # type: ignore[attr-defined]
        # A single-precision 0.1 prints as 0.1, but its double does not: go by what it prints.
        # A number longer than a double is its own item.
        by_print = isinstance(plain, float) or type(plain) is type(number)
        return exact(str(number) if by_print else plain, what)
    if hasattr(number, "__index__"):
        return Fraction(number.__index__())
    raise ValueError(f"{what} is {shorten(number)}, which is not a number that can be used exactly")


def _from_text(text: str, what: str) -> Fraction:
    if len(text) <= MAX_DIGITS and _NUMBER.fullmatch(text):
        top, _, bottom = text.partition("/")
        if not bottom:
            return Fraction(top.strip())
        if int(bottom) != 0:
            return Fraction(top.strip()) / int(bottom)
        raise ValueError(f"{what} is {text.strip()!r}, which divides by zero")
    if text.strip().lower().lstrip("+-") in {"nan", "inf", "infinity"}:
        raise ValueError(f"{what} is {text.strip()!r}; only finite numbers can be used")
    raise ValueError(
        f"{what} is {shorten(text)}, which is not a number; write it as 0.95, 19/20 or 1e-3"
        + (", with a point for the decimals" if re.fullmatch(r"\s*[-+]?\d+,\d+\s*", text) else "")
    )


def shorten(thing: object, limit: int = 40) -> str:
    """The repr of anything that came from outside, cut to a readable length."""
    return short_text(repr(thing), limit)


def short_text(text: str, limit: int = 40) -> str:
    """The text, cut to a readable length."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def plain(number: Fraction) -> int | Fraction:
    """An int where it is one, so that it prints as 3 and not as Fraction(3, 1)."""
    return number.numerator if number.denominator == 1 else number


# Square roots ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Surd:
    """coefficient · √radicand, with coefficient ≠ 0 and a radicand that is not a square."""

    coefficient: Fraction
    radicand: Fraction

    def squared(self) -> Fraction:
        """The square, which decides everything about a surd but its sign."""
        return self.coefficient**2 * self.radicand

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Surd):
            return NotImplemented
        same_sign = (self.coefficient > 0) == (other.coefficient > 0)
        return same_sign and self.squared() == other.squared()

    def __hash__(self) -> int:
        return hash((self.coefficient > 0, self.squared()))


def sqrt(number: Exact) -> Exact:
    """√number: a Fraction where the number is a square, a Surd otherwise."""
    if not isinstance(number, Fraction):
        import sympy

        return sympy.sqrt(to_sympy(number))
    if number < 0:
        raise ValueError("a negative number has no square root")
    root = Fraction(math.isqrt(number.numerator), math.isqrt(number.denominator))
    return root if root * root == number else Surd(Fraction(1), number)


def tidy(surd: Surd) -> Surd:
    """The same surd over a whole radicand, with the small squares taken out: 10/√600 is 1/6·√6.

    Only factors below 1000 are tried: the aim is a readable line, not a factorisation.
    """
    coefficient = surd.coefficient / surd.radicand.denominator
    radicand = surd.radicand.numerator * surd.radicand.denominator
    factor = 2
    while factor < 1000 and factor * factor <= radicand:
        while radicand % (factor * factor) == 0:
            radicand //= factor * factor
            coefficient *= factor
        factor += 1
    return Surd(coefficient, Fraction(radicand))


# Logarithms -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class LogSum:
    """rational + Σ coefficient · log_base(number); base 0 stands for e.

    `logs` maps whole numbers above 1 to their coefficients.
    """

    base: int
    rational: Fraction
    logs: dict[int, Fraction]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LogSum):
            return NotImplemented
        return bool(settle(add(self, negate(other))) == 0)

    __hash__ = None  # type: ignore[assignment]


def log(number: Exact, base: int) -> Exact:
    """log_base(number); base 0 stands for e. Rational where it is: log_2(1/4) = -2."""
    if isinstance(number, Fraction):
        return _log_of_rational(number, base)
    if isinstance(number, Many):
        return number.log(base)  # type: ignore[attr-defined]
    import sympy

    natural = sympy.log(to_sympy(number))
    return natural / sympy.log(base) if base else natural


@lru_cache(maxsize=4096)
def _log_of_rational(number: Fraction, base: int) -> Exact:
    if number <= 0:
        raise ValueError("only positive numbers have a logarithm")
    logs: dict[int, Fraction] = {}
    if number.numerator > 1:
        logs[number.numerator] = Fraction(1)
    if number.denominator > 1:
        logs[number.denominator] = Fraction(-1)
    return settle(LogSum(base, Fraction(0), logs))


def coprime_base(numbers: Iterable[int]) -> list[int]:
    """Pairwise coprime numbers above 1 of which each given number is a product of powers.

    Found with gcds alone, so that long numbers need not be factorised.
    """
    base: list[int] = []
    waiting = [number for number in numbers if number > 1]
    while waiting:
        new = waiting.pop()
        for place, old in enumerate(base):
            common = math.gcd(new, old)
            if common > 1:
                del base[place]
                waiting += [part for part in (common, old // common, new // common) if part > 1]
                break
        else:
            base.append(new)
    return base


def _over(base: list[int], logs: dict[int, Fraction]) -> list[Fraction]:
    """The coefficients of Σ c log m over the logarithms of a coprime base."""
    totals = [Fraction(0)] * len(base)
    for number, coefficient in logs.items():
        rest = number
        for place, part in enumerate(base):
            while rest % part == 0:
                rest //= part
                totals[place] += coefficient
    return totals


def _ratio(top: dict[int, Fraction], bottom: dict[int, Fraction]) -> Fraction | None:
    """The rational q with Σ top = q · Σ bottom, or None if there is none.

    Logarithms of pairwise coprime numbers are linearly independent over the rationals (unique
    factorisation), so the two sums are proportional only if their coefficients are.
    """
    base = coprime_base([*top, *bottom])
    above, below = _over(base, top), _over(base, bottom)
    if not any(below):
        return Fraction(0) if not any(above) else None
    place = next(i for i, value in enumerate(below) if value)
    quotient = above[place] / below[place]
    return quotient if above == [quotient * value for value in below] else None


SMALL_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)


def _exponent(logs: dict[int, Fraction], prime: int) -> Fraction:
    """The exponent of a prime in Π m^c."""
    total_exponent = Fraction(0)
    for number, coefficient in logs.items():
        while number % prime == 0:
            number //= prime
            total_exponent += coefficient
    return total_exponent


def settle(number: Exact) -> Exact:
    """The same number, as a Fraction if it is rational after all."""
    if not isinstance(number, LogSum):
        return number
    # One prime that does not divide the base and does not cancel settles it: irrational.
    for prime in SMALL_PRIMES:
        outside = not number.base or number.base % prime
        if outside and _exponent(number.logs, prime):
            return number
    unit = {number.base: Fraction(1)} if number.base else {}
    quotient = _ratio(number.logs, unit)
    return number if quotient is None else number.rational + quotient


# Numbers too long to write out ----------------------------------------------------------------


INTERVAL_DIGITS = 60  # to which an interval is narrow, at least
MOST_COMPARED = 1000  # digits in which two numbers may agree without being equal


class Certified:
    """A real number between two close fractions, `low` and `high`, and exact on request.

    float(value), round(value, 3) and value.decimal(20) work at once; value.exactly() may take long.
    It stands for a number that would take pages, such as an average precision over a million
    cuts. It prints digits that are all correct; float() is the nearest double; comparisons are
    right, if need be by the exact number. `exactly()` gives that: a Fraction where the number is
    one, a sympy expression otherwise. It may take a while.
    """

    SHOWN = 30  # digits after the point

    def __init__(
        self, low: Any, high: Fraction | None = None, build: Callable[[], Exact] | None = None
    ) -> None:
        self.low = Fraction(low)
        self.high = self.low if high is None else high
        self._build = build
        self._built: Exact | None = self.low if build is None else None

    def exact(self) -> Exact:
        """The number itself, as the rest of this module takes it."""
        if self._built is None and self._build is not None:
            self._built = self._build()
        return self._built

    def _sympy_(self) -> Any:
        return to_sympy(self.exact())

    def exactly(self) -> Any:
        """The number itself: a Fraction, or a sympy expression where it is irrational."""
        return public(self.exact())

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (type(self), self.low, self.high, self.exact()))

    def __float__(self) -> float:
        low, high = float(self.low), float(self.high)
        if low == high:
            return low
        number = self.exact()
        return float(number if isinstance(number, Fraction) else public(number))

    def decimal(self, places: int = 3) -> str:
        """The number as decimal digits, correctly rounded."""
        return rounded(self, places)

    def __str__(self) -> str:
        for places in range(self.SHOWN, 0, -1):
            digits = _cut_off(self.low, places)
            if digits == _cut_off(self.high, places):
                return f"{digits}…"
        return rounded(self.exact(), self.SHOWN)  # on the edge between two digits

    def __repr__(self) -> str:
        return f"<{self}>"

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)

    def __round__(self, places: int | None = None) -> Any:
        return round(float(self), places)

    def __hash__(self) -> int:
        return hash(float(self))

    def __bool__(self) -> bool:
        return self != 0

    # Comparisons: by the interval where that decides, else by the exact numbers.

    def _sign_against(self, other: Any) -> Any:
        """1 where it is larger than the other number, -1 where it is smaller, 0 where equal."""
        if isinstance(other, Certified):
            low, high = other.low, other.high
        elif isinstance(other, float) and not math.isfinite(other):
            return None if math.isnan(other) else -1 if other > 0 else 1
        elif isinstance(other, int | float | Fraction | Decimal):
            low = high = Fraction(other)
        elif getattr(other, "is_extended_real", False):
            if getattr(other, "is_infinite", False):
                return -1 if other.is_extended_positive else 1
            low, high = _ends(_from_sympy(other))
        else:
            return NotImplemented
        if self.low > high:
            return 1
        if self.high < low:
            return -1
        if self is other:
            return 0
        exactly = hasattr(other, "is_extended_real") or isinstance(other, Certified)
        theirs = _exact_of(other) if exactly else low
        return _sign(add(self.exact(), negate(theirs)))

    def __eq__(self, other: object) -> bool:
        sign = self._sign_against(other)
        return NotImplemented if sign is NotImplemented else sign == 0

    def __lt__(self, other: Any) -> bool:
        sign = self._sign_against(other)
        return NotImplemented if sign is NotImplemented else sign == -1

    def __gt__(self, other: Any) -> bool:
        sign = self._sign_against(other)
        return NotImplemented if sign is NotImplemented else sign == 1

    def __le__(self, other: Any) -> bool:
        sign = self._sign_against(other)
        return NotImplemented if sign is NotImplemented else sign in (-1, 0)

    def __ge__(self, other: Any) -> bool:
        sign = self._sign_against(other)
        return NotImplemented if sign is NotImplemented else sign in (1, 0)

    # Arithmetic with whole numbers, fractions and others of its kind.

    def __add__(self, other: Any) -> Any:
        return _with(add, self, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        return _with(multiply, self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return _with(divide, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _with(divide, other, self)

    def __pow__(self, other: Any) -> Any:
        return float(self) ** float(other) if isinstance(other, int | float) else NotImplemented

    def __rpow__(self, other: Any) -> Any:
        return float(other) ** float(self) if isinstance(other, int | float) else NotImplemented

    def __int__(self) -> int:
        return int(self.low) if int(self.low) == int(self.high) else int(self.exactly())

    def __floordiv__(self, other: Any) -> Any:
        return math.floor(self / other)

    def __mod__(self, other: Any) -> Any:
        return self - other * (self // other)

    def __floor__(self) -> int:
        low, high = math.floor(self.low), math.floor(self.high)
        return low if low == high else math.floor(self.exactly())

    def __pos__(self) -> Any:
        return self

    def __neg__(self) -> Any:
        return negate(self)

    def __abs__(self) -> Any:
        return -self if self < 0 else self


class CertifiedFraction(Certified):
    """A rational number between two close fractions; Fraction(value) gives it exactly."""

    def __hash__(self) -> int:
        return hash(self.exact())  # equal to a Fraction, so it must hash like one

    def as_integer_ratio(self) -> tuple[int, int]:
        """Numerator and denominator in lowest terms."""
        ratio: tuple[int, int] = self.exact().as_integer_ratio()
        return ratio

    @property
    def numerator(self) -> int:
        """The numerator of the fraction in lowest terms."""
        return self.as_integer_ratio()[0]

    @property
    def denominator(self) -> int:
        """The denominator of the fraction in lowest terms."""
        return self.as_integer_ratio()[1]


# Fraction(value) asks for the numerator and the denominator of whatever is a rational number.
numbers.Rational.register(CertifiedFraction)


def _with(operate: Callable[[Exact, Exact], Exact], left: Any, right: Any) -> Any:
    """The operation on numbers as users give them."""
    known = int | Fraction | Certified
    if isinstance(left, float) or isinstance(right, float):  # as with a Fraction, a float results
        return _FLOAT[operate](float(left), float(right))
    if not isinstance(left, known) or not isinstance(right, known):
        return NotImplemented
    return operate(*(Fraction(n) if isinstance(n, int) else n for n in (left, right)))


_FLOAT: dict[Any, Callable[[float, float], float]] = {}
"""Operation on exact numbers -> the same on floats; filled where the operations stand."""


def _certainly(operate: Callable[[Exact, Exact], Exact], left: Exact, right: Exact) -> Exact:
    """left + right, left · right or left / right where one is known by an interval.

    Each of these has its extremes at the ends of the intervals.
    """

    def whole() -> Exact:
        return operate(_exact_of(left), _exact_of(right))

    first, second = _ends(left), _ends(right)
    if operate is divide and second[0] <= 0 <= second[1]:
        return whole()
    found = [operate(a, b) for a in first for b in second]
    rational = all(isinstance(n, Fraction | CertifiedFraction) for n in (left, right))
    kind = CertifiedFraction if rational else Certified
    return kind(min(found), max(found), whole)


def _exact_of(number: Exact) -> Exact:
    return number.exact() if isinstance(number, Certified) else number


def _ends(number: Exact) -> tuple[Fraction, Fraction]:
    if isinstance(number, Fraction):
        return number, number
    if isinstance(number, Certified):
        return number.low, number.high
    middle, error = approximate(number, INTERVAL_DIGITS)
    return middle - error, middle + error


def _restored(kind: type[Certified], low: Fraction, high: Fraction, number: Exact) -> Certified:
    """A copy that comes back into the program."""
    return kind(low, high, lambda: number)


def _cut_off(number: Fraction, places: int) -> str:
    """The first decimal digits, not rounded, so that more digits never change them."""
    scaled = abs(number) * 10**places
    whole = Fraction(scaled.numerator // scaled.denominator, 10**places)
    return _digits(-whole if number < 0 else whole, places)


def _sign(number: Exact) -> int:
    """-1, 0 or 1."""
    number = settle(number)
    if isinstance(number, Fraction):
        return (number > 0) - (number < 0)
    precision = 50
    while precision < MOST_COMPARED:
        middle, error = approximate(number, precision)
        if abs(middle) > error:
            return 1 if middle > 0 else -1
        precision *= 2
    return 0  # no formula that anyone writes is so small and not 0


# Arithmetic -----------------------------------------------------------------------------------


def add(left: Exact, right: Exact) -> Exact:
    """left + right."""
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left + right
    if isinstance(left, Many) or isinstance(right, Many):
        return _exact_of(left) + _exact_of(right)
    if isinstance(left, Fraction) and left == 0:
        return right
    if isinstance(right, Fraction) and right == 0:
        return left
    if isinstance(left, Certified) or isinstance(right, Certified):
        return _certainly(add, left, right)
    if isinstance(left, Fraction) and isinstance(right, LogSum):
        return LogSum(right.base, left + right.rational, right.logs)
    if isinstance(left, LogSum) and isinstance(right, Fraction):
        return LogSum(left.base, left.rational + right, left.logs)
    if isinstance(left, LogSum) and isinstance(right, LogSum) and left.base == right.base:
        logs = dict(left.logs)
        for argument, coefficient in right.logs.items():
            logs[argument] = logs.get(argument, Fraction(0)) + coefficient
        kept = {argument: value for argument, value in logs.items() if value}
        return LogSum(left.base, left.rational + right.rational, kept)
    return _from_sympy(to_sympy(left) + to_sympy(right))


def total(parts: Iterable[Exact]) -> Exact:
    """The sum, settled once at the end."""
    fractions: list[Fraction] = []
    logs: dict[int, dict[int, Fraction]] = {}
    rest: Exact = Fraction(0)
    for number in parts:
        if isinstance(number, Fraction):
            fractions.append(number)
        elif isinstance(number, LogSum):
            fractions.append(number.rational)
            same_base = logs.setdefault(number.base, {})
            for argument, coefficient in number.logs.items():
                same_base[argument] = same_base.get(argument, Fraction(0)) + coefficient
        else:
            rest = add(rest, number)
    for base, found in logs.items():
        kept = {argument: value for argument, value in found.items() if value}
        rest = add(rest, LogSum(base, Fraction(0), kept))
    return settle(add(_tree_sum(fractions), rest))


def long_total(parts: list[Exact]) -> Exact:
    """The sum of many numbers; where they are expressions that do not combine, an interval."""
    if all(isinstance(part, Fraction | LogSum) for part in parts):
        return total(parts)
    ends = [_ends(part) for part in parts]
    low, high = (_tree_sum([end[side] for end in ends]) for side in (0, 1))
    return Certified(low, high, lambda: total(parts))


def _tree_sum(numbers: list[Fraction]) -> Fraction:
    """A balanced sum: one after another, a growing denominator is reduced again and again."""
    while len(numbers) > 1:
        pairs = zip(numbers[::2], numbers[1::2], strict=False)
        odd = numbers[-1:] if len(numbers) % 2 else []
        numbers = [left + right for left, right in pairs] + odd
    return numbers[0] if numbers else Fraction(0)


def negate(number: Exact) -> Exact:
    """-number."""
    return multiply(Fraction(-1), number)


def multiply(left: Exact, right: Exact) -> Exact:
    """left · right."""
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left * right
    if isinstance(left, Many) or isinstance(right, Many):
        return _exact_of(left) * _exact_of(right)
    if isinstance(right, Fraction):
        left, right = right, left
    if isinstance(left, Fraction):
        if left == 0:
            return left
        if left == 1:
            return right
        if isinstance(right, Surd):
            return Surd(left * right.coefficient, right.radicand)
        if isinstance(right, LogSum):
            scaled = {argument: left * value for argument, value in right.logs.items()}
            return LogSum(right.base, left * right.rational, scaled)
    if isinstance(left, Certified) or isinstance(right, Certified):
        return _certainly(multiply, left, right)
    if isinstance(left, Surd) and isinstance(right, Surd):
        root = sqrt(left.radicand * right.radicand)
        return multiply(left.coefficient * right.coefficient, root)
    return _from_sympy(to_sympy(left) * to_sympy(right))


def divide(left: Exact, right: Exact) -> Exact:
    """left / right; raises ZeroDivisionError."""
    if isinstance(left, Many) or isinstance(right, Many):
        return _exact_of(left) / _exact_of(right)
    if isinstance(right, Fraction):
        if isinstance(left, Fraction):
            return left / right
        return multiply(1 / right, left)
    if isinstance(left, Certified) or isinstance(right, Certified):
        return _certainly(divide, left, right)
    if isinstance(right, Surd):
        return multiply(left, Surd(1 / (right.coefficient * right.radicand), right.radicand))
    if isinstance(left, LogSum) and isinstance(right, LogSum) and left.base == right.base:
        top, bottom = _as_logs(left), _as_logs(right)
        may_be = top is not None and bottom is not None and _may_be_proportional(top, bottom)
        quotient = _ratio(top, bottom) if may_be else None  # type: ignore[arg-type]
        if quotient is not None:
            return quotient
    return _from_sympy(to_sympy(left) / to_sympy(right))


_FLOAT.update({add: operator.add, multiply: operator.mul, divide: operator.truediv})


def _may_be_proportional(top: dict[int, Fraction], bottom: dict[int, Fraction]) -> bool:
    """False where the exponents of small primes already are not in proportion."""
    pairs = [(_exponent(top, prime), _exponent(bottom, prime)) for prime in SMALL_PRIMES]
    above, below = next((pair for pair in pairs if any(pair)), (Fraction(0), Fraction(0)))
    return all(a * below == b * above for a, b in pairs)


def _as_logs(number: LogSum) -> dict[int, Fraction] | None:
    """The sum with its rational part as a multiple of log base; None where the base is e."""
    if not number.rational:
        return number.logs
    if not number.base:
        return None
    logs = dict(number.logs)
    logs[number.base] = logs.get(number.base, Fraction(0)) + number.rational
    return logs


def power(base: Exact, exponent: Fraction) -> Exact:
    """base ** exponent."""
    if isinstance(base, Many):
        return base**exponent  # type: ignore[operator]
    if isinstance(base, Fraction) and exponent.denominator == 1:
        return base**exponent.numerator
    if isinstance(base, Surd) and exponent == 2:
        return base.squared()
    import sympy

    return _from_sympy(sympy.Pow(to_sympy(base), to_sympy(exponent)))


def compare(left: Exact, right: Exact) -> int:
    """1 where left is the larger number, -1 where right is, 0 where they are equal."""
    return _sign(add(left, negate(right)))


def larger(left: Exact, right: Exact) -> Exact:
    """The larger of two numbers; of many, in each row."""
    if isinstance(right, Many):
        left, right = right, left
    if isinstance(left, Many):
        return left.where(left.at_least(right), right)  # type: ignore[attr-defined]
    return max(left, right)


def is_zero(number: Exact) -> bool:
    """Whether it is certainly zero; of many numbers, whether one of them is."""
    if isinstance(number, Many):
        return bool(number.has_zero())  # type: ignore[attr-defined]
    if isinstance(number, Certified):
        return number == 0
    settled = settle(number)
    if isinstance(settled, Fraction):
        return settled == 0
    return bool(getattr(settled, "is_zero", False))


# Out of the house -----------------------------------------------------------------------------


def to_sympy(number: Exact) -> Any:
    """The number as a sympy expression."""
    import sympy

    if isinstance(number, Fraction):
        return sympy.Rational(number.numerator, number.denominator)
    if isinstance(number, Surd):
        return to_sympy(number.coefficient) * sympy.sqrt(to_sympy(number.radicand))
    if isinstance(number, LogSum):
        terms = [to_sympy(value) * sympy.log(argument) for argument, value in number.logs.items()]
        natural = sympy.Add(*terms)
        scale = sympy.log(number.base) if number.base else sympy.Integer(1)
        return to_sympy(number.rational) + natural / scale
    return to_sympy(number.exact()) if isinstance(number, Certified) else number


def _from_sympy(expression: Any) -> Exact:
    """A Fraction where sympy found a rational number."""
    return exact(expression) if expression.is_Rational else expression


MOST_FACTORISED = 500  # arguments of logarithms; more would take too long to factorise


def public(number: Exact) -> Any:
    """What a user gets: a Fraction where the value is rational, a sympy expression otherwise."""
    settled = settle(number)
    if isinstance(settled, Fraction | Certified):
        return settled
    if isinstance(settled, LogSum) and len(settled.logs) <= MOST_FACTORISED:
        settled = _over_primes(settled)
    return _from_sympy(to_sympy(settled))


def _over_primes(number: LogSum) -> LogSum:
    """The same sum over logarithms of primes, so that equal values are equal expressions.

    Numbers too long to factorise quickly stay as they are, pairwise coprime.
    """
    import sympy

    base = coprime_base(number.logs)
    logs: dict[int, Fraction] = {}
    for part, coefficient in zip(base, _over(base, number.logs), strict=True):
        factors = sympy.factorint(part, limit=None if part < 10**12 else 1000)
        for prime, exponent in factors.items():
            logs[prime] = logs.get(prime, Fraction(0)) + coefficient * exponent
    rational = number.rational
    if number.base:  # log_2 2 is 1, log_10 5 is 1 - log_10 2
        largest, *others = sorted(sympy.factorint(number.base), reverse=True)
        whole = logs.pop(largest, Fraction(0))
        rational += whole
        for prime in others:
            logs[prime] = logs.get(prime, Fraction(0)) - whole
    return LogSum(number.base, rational, {m: c for m, c in sorted(logs.items()) if c})


def rounded(number: Exact, places: int) -> str:
    """Correctly rounded decimal digits, halves away from zero: rounded(2/3, 3) is '0.667'."""
    number = settle(number)
    if getattr(number, "is_Rational", False):
        number = exact(number)
    if isinstance(number, Fraction):
        return _digits(number, places)
    if isinstance(number, Certified):
        low, high = _digits(number.low, places), _digits(number.high, places)
        return low if low == high else rounded(number.exact(), places)
    # An irrational value has no tie: more digits decide, sooner or later.
    precision = places + 20
    while precision <= 200_000:
        middle, error = approximate(number, precision)
        low, high = _digits(middle - error, places), _digits(middle + error, places)
        if low == high:
            return low
        precision *= 2
    raise ValueError(f"{number} could not be rounded to {places} places")


def _digits(number: Fraction, places: int) -> str:
    scaled = abs(number) * 10**places
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    sign = "-" if number < 0 and whole else ""
    # str() refuses more than 4300 digits; Decimal does not.
    text = str(whole) if whole.bit_length() < 14_000 else format(Decimal(whole), "f")
    if not places:
        return sign + text
    text = text.rjust(places + 1, "0")
    return f"{sign}{text[:-places]}.{text[-places:]}"


@lru_cache(maxsize=4096)
def _ln(number: int, precision: int) -> Fraction:
    """The natural logarithm to so many digits; mpmath is the faster one for many."""
    if precision < 500:
        with localcontext(Context(prec=precision + 10)):
            return Fraction(Decimal(number).ln())
    import mpmath

    with mpmath.workdps(precision + 10):
        _, mantissa, exponent, _ = mpmath.log(number)._mpf_
    return int(mantissa) * Fraction(2) ** int(exponent)


def approximate(number: Exact, precision: int) -> tuple[Fraction, Fraction]:
    """A rational near an irrational number, and a bound on how far it may be off."""
    unit = Fraction(1, 10**precision)
    if isinstance(number, Certified):
        if precision >= INTERVAL_DIGITS:
            return approximate(number.exact(), precision)
        return (number.low + number.high) / 2, (number.high - number.low) / 2
    if isinstance(number, Fraction):
        return number, Fraction(0)
    with localcontext(Context(prec=precision + 10)):
        if isinstance(number, Surd):
            root = Fraction(
                (Decimal(number.radicand.numerator) / number.radicand.denominator).sqrt()
            )
            value = number.coefficient * root
            return value, abs(value) * unit
        if isinstance(number, LogSum):
            terms = [c * _ln(m, precision) for m, c in number.logs.items()]
            scale = _ln(number.base, precision) if number.base else Fraction(1)
            # Terms may cancel, so each counts in the bound by its own size.
            size = sum(map(abs, terms), Fraction(0))
            return number.rational + sum(terms, Fraction(0)) / scale, size / scale * unit + unit
    if getattr(number, "free_symbols", None):
        raise ValueError(f"{number} holds symbols and has no decimal value")
    value = Fraction(Decimal(str(number.evalf(precision + 10))))
    return value, abs(value) * unit + unit
