"""Exact arithmetic on many rows at once.

A formula is worked out for all cases, cuts or places together: its symbols stand for columns of
numbers, one in each row. The numbers are whole numbers in arrays, over denominators that are kept
apart, so that nothing is rounded.

numpy counts in 64 bits and does not say when that is too few. So every operation first asks how
large its result may be, and goes on with Python's own whole numbers, which never overflow, where
64 bits might not do. Few rows stand in lists of these from the start, see binteach.lists.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from binteach import exact
from binteach.exact import (
    INTERVAL_DIGITS,
    Certified,
    CertifiedFraction,
    Exact,
    LogSum,
    Many,
    NoLog,
)
from binteach.lists import engine, is_list

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]
else:
    Array = Any

LIMIT = 1 << 62

# Python does not print a number of more digits. A fraction that may be longer is given as an
# interval, and as a fraction on request.
MOST_DIGITS = 4300
MANY_LOGARITHMS = 1_000  # with more, a sum of logarithms is given as an interval


# Whole numbers --------------------------------------------------------------------------------


def size(numbers: Array) -> int:
    """The largest absolute value."""
    return max(int(numbers.max()), -int(numbers.min())) if len(numbers) else 0


def room(count: int, kind: Any = "int64") -> Array:
    """A long array to be filled.

    For long arrays numpy asks the system for huge pages. Where memory is in pieces, these come so
    slowly that they take more time than the work itself; plain memory always comes at one pace.
    """
    import numpy as np

    dtype = np.dtype(kind)
    return np.frombuffer(bytearray(count * dtype.itemsize), dtype=dtype)


def _boundless(numbers: Array) -> Array:
    return numbers if numbers.dtype == object else numbers.astype(object)


def times(left: Array, right: Array | int) -> Array:
    """left · right, without overflow."""
    if isinstance(right, int):
        if right == 1:
            return left
        if left.dtype != object and size(left) * abs(right) < LIMIT and abs(right) < LIMIT:
            return left * right
        return _boundless(left) * right
    if left.dtype != object and right.dtype != object and size(left) * size(right) < LIMIT:
        return left * right
    return _boundless(left) * _boundless(right)


def plus(left: Array, right: Array) -> Array:
    """left + right, without overflow."""
    if left.dtype != object and right.dtype != object and size(left) + size(right) < LIMIT:
        return left + right
    return _boundless(left) + _boundless(right)


def whole_sum(numbers: Array) -> int:
    """The sum, without overflow."""
    if numbers.dtype == object or size(numbers) * len(numbers) < LIMIT:
        return int(numbers.sum()) if len(numbers) else 0
    high, low = numbers >> 32, numbers & 0xFFFFFFFF
    return (int(high.sum()) << 32) + int(low.sum())


def running_sum(numbers: Array) -> Array:
    """The sums of the first 0, 1, 2, ... numbers, without overflow."""
    np = engine(numbers)
    if numbers.dtype != object and size(numbers) * len(numbers) >= LIMIT:
        numbers = _boundless(numbers)
    sums: Array = np.concatenate([np.array([0], dtype=numbers.dtype), np.cumsum(numbers)])
    return sums


def minus(left: Array, right: Array) -> Array:
    """left − right for counts, of which none can be too large."""
    np = engine(left)
    if is_list(np):
        return left - right
    found: Array = np.subtract(left, right, out=room(len(left)))
    return found


def over_one_denominator(numbers: list[Fraction], np: Any) -> tuple[Array, int]:
    """The numbers as whole numbers over one denominator, in an array of this engine."""
    common = math.lcm(*(number.denominator for number in numbers)) if numbers else 1
    tops = [number.numerator * (common // number.denominator) for number in numbers]
    return _packed(tops, np), common


def whole_numbers(numbers: Array) -> tuple[Array, int]:
    """An array as whole numbers over one denominator; a float means its shortest decimal."""
    import numpy as np

    if numbers.dtype.kind != "f":
        fits = not len(numbers) or size(numbers) < LIMIT
        return (numbers.astype(np.int64) if fits else _boundless(numbers)), 1
    if numbers.dtype == np.float64:
        # A decimal of at most 15 digits that is read as this very double is its shortest.
        for places in range(16):
            digits = np.rint(numbers * 10.0**places)
            if len(digits) and np.abs(digits).max() >= 1e15:
                break
            if np.array_equal(digits / 10.0**places, numbers):
                return digits.astype(np.int64), 10**places
    # A shorter float prints shorter digits than the double of the same value.
    listed = numbers.tolist() if numbers.dtype == np.float64 else list(numbers)
    written = [_decimal(str(number)) for number in listed]
    places = max((point for _, point in written), default=0)
    return _packed([digits * 10 ** (places - point) for digits, point in written], np), 10**places


def _decimal(text: str) -> tuple[int, int]:
    """The digits of a float as it is printed, and how many of them are decimals."""
    number, _, exponent = text.partition("e")
    whole, _, decimals = number.partition(".")
    point = len(decimals) - int(exponent or 0)
    digits = int(whole + decimals)
    return (digits, point) if point >= 0 else (digits * 10**-point, 0)


def _packed(numbers: list[int], np: Any) -> Array:
    """Whole numbers in an array, in 64 bits where these do."""
    fits = max(map(abs, numbers), default=0) < LIMIT
    packed: Array = np.array(numbers, dtype="int64" if fits else object)
    return packed


# Columns --------------------------------------------------------------------------------------


class Column(Many):
    """scale · top[i] / bottom[i] in row i; without `bottom` simply scale · top[i].

    `top` and `bottom` are arrays of whole numbers, `bottom` above 0, and `scale` is one fraction
    for all rows.
    """

    __slots__ = ("bottom", "scale", "top")

    def __init__(
        self, top: Array, bottom: Array | None = None, scale: Fraction = Fraction(1)
    ) -> None:
        self.top, self.bottom, self.scale = top, bottom, scale

    def __len__(self) -> int:
        return len(self.top)

    def __getitem__(self, row: int) -> Fraction:
        bottom = 1 if self.bottom is None else int(self.bottom[row])
        return self.scale * Fraction(int(self.top[row]), bottom)

    def __iter__(self) -> Any:
        return (self[row] for row in range(len(self)))

    def chosen(self, rows: Any) -> Column:
        """Some of the rows."""
        bottom = None if self.bottom is None else self.bottom[rows]
        return Column(self.top[rows], bottom, self.scale)

    def after_zero(self) -> Column:
        """The column with a zero above it."""
        np = engine(self.top)
        bottom = None if self.bottom is None else np.concatenate([[1], self.bottom])
        return Column(np.concatenate([[0], self.top]), bottom, self.scale)

    def total(self) -> Fraction:
        """The sum of the numbers."""
        total = Total()
        total.add(self, len(self))
        return Fraction(total.result())

    def floats(self) -> Array:
        """The numbers as doubles, for a picture."""
        if self.top.dtype == object or (self.bottom is not None and self.bottom.dtype == object):
            # The parts may be too long.
            exactly: Array = engine(self.top).array([float(number) for number in self])
            return exactly
        # One division of whole numbers is rounded once.
        top = times(self.top, self.scale.numerator)
        if self.bottom is None:
            return (top / self.scale.denominator).astype(float)
        return (top / times(self.bottom, self.scale.denominator)).astype(float)

    # Arithmetic: the other number is a fraction for all rows, or a column.

    def __mul__(self, other: Exact) -> Any:
        if isinstance(other, int | Fraction):
            return Column(self.top, self.bottom, self.scale * other)
        if not isinstance(other, Column):
            return NotImplemented
        if self.bottom is None or other.bottom is None:
            bottom = other.bottom if self.bottom is None else self.bottom
        else:
            bottom = times(self.bottom, other.bottom)
        return Column(times(self.top, other.top), bottom, self.scale * other.scale)

    __rmul__ = __mul__

    def __add__(self, other: Exact) -> Any:
        if isinstance(other, int | Fraction):
            other = self.constant(Fraction(other))
        if not isinstance(other, Column):
            return NotImplemented
        left, right, bottom, scale = _aligned(self, other)
        return Column(plus(left, right), bottom, scale)

    __radd__ = __add__

    def __sub__(self, other: Exact) -> Any:
        return self + -other

    def __rsub__(self, other: Exact) -> Any:
        return -self + other

    def __neg__(self) -> Column:
        return Column(self.top, self.bottom, -self.scale)

    def __truediv__(self, other: Exact) -> Any:
        if isinstance(other, int | Fraction):
            return Column(self.top, self.bottom, self.scale / other)
        if not isinstance(other, Column):
            return NotImplemented
        return self * other._inverse()

    def __rtruediv__(self, other: Fraction) -> Any:
        return self._inverse() * other

    def _inverse(self) -> Column:
        np = engine(self.top)
        one = np.ones(len(self), dtype="int64")
        sign = np.where(self.top < 0, -one, one)
        return Column(
            sign * (one if self.bottom is None else self.bottom), abs(self.top), 1 / self.scale
        )

    def __pow__(self, exponent: Fraction) -> Any:
        if exponent.denominator != 1 or exponent < 0:
            raise exact.OneByOne
        result = self.constant(Fraction(1))
        for _ in range(exponent.numerator):
            result = result * self
        return result

    def __abs__(self) -> Column:
        return Column(abs(self.top), self.bottom, abs(self.scale))

    def log(self, base: int) -> LogColumn:
        """The logarithms; base 0 stands for e."""
        return LogColumn(base, self.constant(Fraction(0)), ((self.constant(Fraction(1)), self),))

    def at_least(self, other: Exact) -> Array:
        """In which rows it is no smaller than the other number."""
        other = self.constant(Fraction(other)) if isinstance(other, int | Fraction) else other
        left, right, _, scale = _aligned(self, other)
        return left >= right if scale > 0 else left <= right

    def where(self, mask: Array, other: Exact) -> Any:
        """Its own numbers in the rows of the mask, those of the other column in the others."""
        other = self.constant(Fraction(other)) if isinstance(other, int | Fraction) else other
        if isinstance(other, LogColumn):
            return LogColumn(other.base, self, ()).where(mask, other)
        left, right, bottom, scale = _aligned(self, other)
        return Column(engine(left).where(mask, left, right), bottom, scale)

    def has_zero(self) -> bool:
        """Whether there is a zero in it."""
        return not self.top.all() or not self.scale

    def largest(self) -> Fraction:
        """The largest number."""
        return self[self.place_of_largest()]

    def place_of_largest(self) -> int:
        """The first row that holds it."""
        if self.bottom is not None:
            return max(range(len(self)), key=self.__getitem__)
        return int(self.top.argmax() if self.scale > 0 else self.top.argmin())

    def constant(self, number: Fraction) -> Column:
        """The number in every row."""
        return Column(engine(self.top).ones(len(self), dtype="int64"), None, number)


def _aligned(left: Column, right: Column) -> tuple[Array, Array, Array | None, Fraction]:
    """Two columns over one denominator and one scale: their tops, the denominator, the scale."""
    one, other = left.scale, right.scale
    scale = Fraction(
        math.gcd(one.numerator * other.denominator, other.numerator * one.denominator) or 1,
        one.denominator * other.denominator,
    )
    first = times(left.top, (one / scale).numerator)
    second = times(right.top, (other / scale).numerator)
    if left.bottom is right.bottom:
        return first, second, left.bottom, scale
    if left.bottom is None:
        return times(first, right.bottom), second, right.bottom, scale  # type: ignore[arg-type]
    if right.bottom is None:
        return first, times(second, left.bottom), left.bottom, scale
    bottom = times(left.bottom, right.bottom)
    return times(first, right.bottom), times(second, left.bottom), bottom, scale


class LogColumn(Many):
    """rational + Σ coefficient · log_base(argument) in every row; base 0 stands for e."""

    __slots__ = ("base", "logs", "rational")

    def __init__(self, base: int, rational: Column, logs: Sequence[tuple[Column, Column]]) -> None:
        self.base, self.rational, self.logs = base, rational, tuple(logs)

    def __len__(self) -> int:
        return len(self.rational)

    def _with(self, change: Any) -> LogColumn:
        """The same change to the rational part and to every coefficient."""
        logs = [(change(coefficient), argument) for coefficient, argument in self.logs]
        return LogColumn(self.base, change(self.rational), logs)

    def __mul__(self, other: Exact) -> Any:
        if isinstance(other, Fraction | Column):
            return self._with(lambda part: part * other)
        raise exact.OneByOne

    __rmul__ = __mul__

    def __truediv__(self, other: Exact) -> Any:
        if isinstance(other, Fraction | Column):
            return self._with(lambda part: part / other)
        raise exact.OneByOne

    def __neg__(self) -> LogColumn:
        return self._with(lambda part: -part)

    def __add__(self, other: Exact) -> Any:
        if isinstance(other, Fraction | Column):
            return LogColumn(self.base, self.rational + other, self.logs)
        if isinstance(other, LogColumn) and other.base == self.base:
            both = (*self.logs, *other.logs)
            return LogColumn(self.base, self.rational + other.rational, both)
        raise exact.OneByOne

    __radd__ = __add__

    def floats(self) -> Array:
        """The numbers as doubles; NaN where a logarithm of 0 is needed."""
        import numpy as np

        total = self.rational.floats()
        for coefficient, argument in self.logs:
            factors, arguments = coefficient.floats(), argument.floats()
            needed = factors != 0
            logs = np.full(len(arguments), np.nan)
            np.log(arguments, out=logs, where=needed & (arguments > 0))
            total = total + np.where(needed, factors * logs, 0) / math.log(self.base or math.e)
        return total

    def where(self, mask: Array, other: Exact) -> Any:
        """Its own numbers in the rows of the mask, those of the other column in the others."""
        here = Column(mask.astype("int64"))
        return self * here + other * (Fraction(1) + -here)

    def __getattr__(self, name: str) -> Any:
        # Comparing sums of logarithms is left to the slow way.
        if name in {"__abs__", "at_least", "largest", "log", "has_zero", "place_of_largest"}:
            raise exact.OneByOne
        raise AttributeError(name)


# Sums -----------------------------------------------------------------------------------------


class Total:
    """The sum of all rows of columns that come one after another."""

    def __init__(self) -> None:
        self._whole: dict[Fraction, int] = {}
        self._broken: dict[Fraction, list[tuple[Array, Array]]] = {}
        self._logs: dict[int, _Logarithms] = {}

    def add(self, column: Exact, rows: int) -> None:
        """Take in a column; a single number stands in each of so many rows."""
        if isinstance(column, Fraction):
            self._whole[column] = self._whole.get(column, 0) + rows
        elif isinstance(column, LogColumn):
            self.add(column.rational, rows)
            logs = self._logs.setdefault(column.base, _Logarithms(column.base))
            for coefficient, argument in column.logs:
                logs.add(coefficient, argument)
        elif not isinstance(column, Column):
            raise exact.OneByOne
        elif column.bottom is None:
            self._whole[column.scale] = self._whole.get(column.scale, 0) + whole_sum(column.top)
        else:
            pieces = self._broken.setdefault(column.scale, [])
            pieces.append((column.top, column.bottom))

    def result(self) -> Exact:
        """The sum."""
        parts: list[Exact] = [scale * whole for scale, whole in self._whole.items()]
        for scale, pieces in self._broken.items():
            parts.append(exact.multiply(scale, _sum_of_quotients(pieces)))
        parts += [logs.result() for logs in self._logs.values()]
        return exact.total(parts)


def _sum_of_quotients(pieces: list[tuple[Array, Array]]) -> Exact:
    """Σ top / bottom: a fraction, or an interval where that would be too long to be of use."""
    np = engine(pieces[0][0])
    top = np.concatenate([top for top, _ in pieces])
    bottom = np.concatenate([bottom for _, bottom in pieces])
    top, bottom = _by_denominator(top, bottom)
    if _digits_of_sum(bottom) <= MOST_DIGITS:
        return add_up(top, bottom)
    low, width = _long_division(top, bottom)
    return CertifiedFraction(low, low + width, lambda: add_up(top, bottom))


def _digits_of_sum(bottom: Array) -> float:
    """About how many digits the least common denominator may have, at most."""
    if not len(bottom):
        return 0.0
    largest = size(bottom)
    if largest < 1 << 40:
        # That of 1, ..., m is about e^m; precisions are quotients of counts, or two of them.
        reached = largest if largest < 1 << 24 else 2 * math.isqrt(largest)
        return min(0.45 * reached, len(bottom) * math.log10(largest + 1))
    return sum(int(each).bit_length() for each in bottom) * math.log10(2)


def _by_denominator(top: Array, bottom: Array) -> tuple[Array, Array]:
    """One quotient for each denominator; those that are 0 are left out."""
    bottom, top = _grouped(bottom, top)
    kept = top != 0
    return top[kept], bottom[kept]


def _grouped(keys: Array, numbers: Array) -> tuple[Array, Array]:
    """The different keys, and for each the sum of its numbers, without overflow."""
    np = engine(keys)
    if not len(keys):
        return keys, numbers
    order = np.argsort(keys, kind="stable")
    keys, numbers = keys[order], numbers[order]
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    if len(starts) == len(keys):
        return keys, numbers
    if numbers.dtype != object and size(numbers) * len(numbers) >= LIMIT:
        numbers = _boundless(numbers)
    if is_list(np):
        sums = np.concatenate([[0], np.cumsum(numbers)])
        return keys[starts], np.diff(np.append(sums[starts], sums[-1:]))
    return keys[starts], np.add.reduceat(numbers, starts)


def add_up(top: Array, bottom: Array) -> Fraction:
    """Σ top / bottom as one fraction.

    Neighbours are added, then neighbours of these sums, and so on, each over the least common
    denominator. Denominators with the same largest prime factor stand together, so that the
    common ones stay short.
    """
    np = engine(top)
    if not len(top):
        return Fraction(0)
    if bottom.dtype != object and int(bottom.max()) <= 1 << 24:
        order = np.lexsort((bottom, _largest_primes(int(bottom.max()))[bottom]))
        top, bottom = top[order], bottom[order]
    while len(top) > 1:
        if len(top) % 2:
            top, bottom = np.append(top, [0]), np.append(bottom, [1])
        a, c, b, d = top[::2], top[1::2], bottom[::2], bottom[1::2]
        if b.dtype != object and max(size(a), size(c), size(b)) * size(d) >= LIMIT // 2:
            a, c, b, d = map(_boundless, (a, c, b, d))
        common = np.gcd(b, d)
        b = b // common
        top, bottom = plus(times(a, d // common), times(c, b)), times(b, d)
    return Fraction(int(top[0]), int(bottom[0]))


def _largest_primes(limit: int) -> Array:
    """The largest prime factor of 0, 1, ..., limit; 1 where there is none."""
    import numpy as np

    rest, largest = np.arange(limit + 1), np.ones(limit + 1, dtype=np.int64)
    for prime in range(2, math.isqrt(limit) + 1):
        if rest[prime] == prime:
            power = prime
            while power <= limit:
                rest[power::power] //= prime
                power *= prime
            largest[prime::prime] = prime
    # What is left after the primes up to the root is 1 or one larger prime.
    return np.where(rest > 1, rest, largest)


def _long_division(top: Array, bottom: Array) -> tuple[Fraction, Fraction]:
    """Σ top / bottom from below, and how much may be missing.

    All quotients are divided out at once, some binary digits at a time, as on paper; what remains
    is less than one unit of the last digit for each.
    """
    if top.dtype == object or bottom.dtype == object or size(bottom) >= 1 << 50:
        top, bottom, bits = _boundless(top), _boundless(bottom), 256
    else:
        bits = 62 - size(bottom).bit_length()
    total, rest, places = whole_sum(top // bottom), top % bottom, 0
    while places < 4 * INTERVAL_DIGITS + len(top).bit_length():
        rest = rest << bits
        total = (total << bits) + whole_sum(rest // bottom)
        rest %= bottom
        places += bits
    unit = Fraction(1, 1 << places)
    return total * unit, len(top) * unit


# Sums of logarithms ---------------------------------------------------------------------------

PRODUCT_BITS = 320  # leading binary digits that are kept of a long product
LOG_BITS = 220  # binary digits after the point of a single logarithm
FEW_COEFFICIENTS = 8


class _Logarithms:
    """Σ coefficient · log_base(argument) over columns that come one after another."""

    def __init__(self, base: int) -> None:
        self.base = base
        self.pieces: list[tuple[Column, Column]] = []

    def add(self, coefficient: Column, argument: Column) -> None:
        """Take in a column; 0 · log 0 is 0, its limit."""
        if coefficient.bottom is not None or argument.bottom is not None:
            raise exact.OneByOne
        if not coefficient.scale:
            return
        kept = coefficient.top != 0
        factors, arguments = coefficient.top[kept], argument.top[kept]
        if len(factors):
            if (arguments <= 0).any() or argument.scale <= 0:
                raise NoLog
            self.pieces.append(
                (
                    Column(factors, None, coefficient.scale),
                    Column(arguments, None, argument.scale),
                )
            )

    def result(self) -> Exact:
        """The sum: exact where few numbers occur in it, or else an interval."""
        different: set[Fraction] = set()
        for _, argument in self.pieces:
            numbers, _ = _grouped(argument.top, argument.top)
            if len(numbers) <= MANY_LOGARITHMS:
                different.update(argument.scale * int(number) for number in numbers)
            if max(len(numbers), len(different)) > MANY_LOGARITHMS:
                middle, error = self._approximately()
                return Certified(middle - error, middle + error, self._all_logs)
        return self._exactly()

    def _all_logs(self) -> Exact:
        """The same where there are many: numbers and scales each have a logarithm of their own."""
        logs: dict[int, Fraction] = {}
        for coefficient, argument in self.pieces:
            numbers, factors = _grouped(argument.top, coefficient.top)
            shared = whole_sum(coefficient.top)
            both = ((argument.scale.numerator, shared), (argument.scale.denominator, -shared))
            for number, factor in (*zip(numbers.tolist(), factors.tolist(), strict=True), *both):
                if number > 1:
                    logs[number] = logs.get(number, Fraction(0)) + coefficient.scale * factor
        kept = {number: factor for number, factor in logs.items() if factor}
        return exact.settle(LogSum(self.base, Fraction(0), kept))

    def _exactly(self) -> Exact:
        found: dict[Fraction, Fraction] = {}
        for coefficient, argument in self.pieces:
            numbers, factors = _grouped(argument.top, coefficient.top)
            for number, factor in zip(numbers, factors, strict=True):
                key = argument.scale * int(number)
                found[key] = found.get(key, Fraction(0)) + coefficient.scale * int(factor)
        return exact.total(
            exact.multiply(factor, exact.log(number, self.base)) for number, factor in found.items()
        )

    def _approximately(self) -> tuple[Fraction, Fraction]:
        """A number near the sum, and a bound on how far it may be off."""
        total = error = Fraction(0)
        for coefficient, argument in self.pieces:
            # log(scale · number) is log(scale) + log(number).
            shared = whole_sum(coefficient.top) * coefficient.scale
            parts = [(shared, _ln(argument.scale))]
            parts += [(coefficient.scale, part) for part in _weighted_logs(coefficient, argument)]
            total += sum((factor * value for factor, (value, _) in parts), Fraction(0))
            error += sum((abs(factor) * off for factor, (_, off) in parts), Fraction(0))
        if self.base:
            scale, off = _ln(Fraction(self.base))
            error = error / scale + 2 * abs(total) * off
            total /= scale
        return total, error


def _ln(number: Fraction) -> tuple[Fraction, Fraction]:
    """The natural logarithm, and a bound on how far it may be off."""
    value = exact.log(number, 0)
    return (
        (value, Fraction(0))
        if isinstance(value, Fraction)
        else exact.approximate(value, INTERVAL_DIGITS)
    )


def _weighted_logs(factors: Column, arguments: Column) -> list[tuple[Fraction, Fraction]]:
    """Σ factor · ln(argument) of the whole numbers in two columns, in parts with their bounds."""
    different, _ = _grouped(factors.top, factors.top)
    if len(different) <= FEW_COEFFICIENTS:
        # Equal factors go before the logarithm of one long product.
        return [
            _scaled(int(factor), _ln_of_product(arguments.top[factors.top == factor]))
            for factor in different
        ]
    return [_sum_of_logs(*_grouped(arguments.top, factors.top))]


def _sum_of_logs(arguments: Array, factors: Array) -> tuple[Fraction, Fraction]:
    """Σ factor · ln(argument), each logarithm by itself, as a multiple of 2^(−LOG_BITS)."""
    from mpmath.libmp import from_int, mpf_log, to_fixed

    total, weight = 0, 0
    for argument, factor in zip(arguments.tolist(), factors.tolist(), strict=True):
        total += factor * to_fixed(mpf_log(from_int(argument), LOG_BITS + 20), LOG_BITS)
        weight += abs(factor)
    unit = Fraction(1, 1 << LOG_BITS)
    return total * unit, 2 * weight * unit  # one unit for the logarithm and one for cutting it off


def _scaled(factor: int, value: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    return factor * value[0], abs(factor) * value[1]


def _ln_of_product(numbers: Array) -> tuple[Fraction, Fraction]:
    """ln(Π number), from the leading binary digits of the product."""
    np = engine(numbers)
    numbers = _boundless(numbers)
    for _ in range(6):
        if len(numbers) % 2:
            numbers = np.append(numbers, [1])
        numbers = numbers[::2] * numbers[1::2]
    product, dropped, cuts = 1, 0, 0
    for number in numbers:
        product *= int(number)
        extra = product.bit_length() - PRODUCT_BITS
        if extra > 0:
            product >>= extra
            dropped += extra
            cuts += 1
    value, off = _ln(Fraction(product))
    two, off_two = _ln(Fraction(2))
    # Each cut made the product smaller, by less than one part in 2^(PRODUCT_BITS − 1).
    return value + dropped * two, off + dropped * off_two + Fraction(cuts, 1 << (PRODUCT_BITS - 1))
