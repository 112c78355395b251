"""Few numbers in a list, with the operations that the core asks of an array.

The core speaks to its arrays as numpy has it. Where there are few rows, or no numpy, this module
stands in its place: a list of Python's own whole numbers, which never overflow. It knows no more
than the core needs, and `engine` tells which of the two an array belongs to.
"""

from __future__ import annotations

import math
import operator
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import accumulate, compress, pairwise
from itertools import repeat as again
from types import ModuleType
from typing import Any

from binteach.needs import is_there

FEW = 256  # up to so many rows a list is as fast as an array


def engine(*arrays: Any, rows: int = 0) -> Any:
    """numpy for its own arrays and for more than a few rows; this module for all else."""
    here = import_module(__name__)
    for array in arrays:
        if isinstance(array, Numbers):
            return here
    if any(hasattr(array, "__array__") for array in arrays) or (rows > FEW and is_there("numpy")):
        return import_module("numpy")
    return here


def is_list(np: ModuleType) -> bool:
    """Whether this module is meant, and not numpy."""
    return np.__name__ == __name__


class Numbers:
    """Numbers in a row; arithmetic goes number by number."""

    __slots__ = ("items",)
    dtype = object  # to the core: too long for 64 bits, perhaps, and safe from overflow

    def __init__(self, items: Iterable[Any]) -> None:
        self.items = list(items)

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.items!r})"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """For numpy, where a picture needs it."""
        del copy
        return import_module("numpy").array(self.items, dtype=dtype)

    # Some of them: by place, slice, mask, or several places.

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, slice):
            return type(self)(self.items[which])
        if isinstance(which, Mask):
            return type(self)(compress(self.items, which.items))
        if hasattr(which, "__len__"):
            return type(self)(self.items[place] for place in which)
        return self.items[which]

    # Arithmetic

    def _pairs(self, other: Any) -> Iterable[tuple[Any, Any]]:
        """Each number with its partner; a single other number goes with all."""
        others = other if hasattr(other, "__len__") else again(other, len(self.items))
        return zip(self.items, others, strict=True)

    def _each(self, other: Any, operate: Callable[[Any, Any], Any]) -> list[Any]:
        return [operate(mine, theirs) for mine, theirs in self._pairs(other)]

    def __add__(self, other: Any) -> Numbers:
        return Numbers(self._each(other, operator.add))

    def __sub__(self, other: Any) -> Numbers:
        return Numbers(self._each(other, operator.sub))

    def __rsub__(self, other: Any) -> Numbers:
        return Numbers(theirs - mine for mine, theirs in self._pairs(other))

    def __mul__(self, other: Any) -> Numbers:
        return Numbers(self._each(other, operator.mul))

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: Any) -> Numbers:
        return Numbers(self._each(other, operator.truediv))

    def __floordiv__(self, other: Any) -> Numbers:
        return Numbers(self._each(other, operator.floordiv))

    def __rfloordiv__(self, other: Any) -> Numbers:
        return Numbers(other // item for item in self.items)

    def __mod__(self, other: Any) -> Numbers:
        return Numbers(self._each(other, operator.mod))

    def __lshift__(self, other: int) -> Numbers:
        return Numbers(self._each(other, operator.lshift))

    def __neg__(self) -> Numbers:
        return Numbers(map(operator.neg, self.items))

    def __abs__(self) -> Numbers:
        return Numbers(map(abs, self.items))

    # Comparisons

    def __eq__(self, other: object) -> Mask:  # type: ignore[override]
        return Mask(self._each(other, operator.eq))

    def __ne__(self, other: object) -> Mask:  # type: ignore[override]
        return Mask(self._each(other, operator.ne))

    def __lt__(self, other: Any) -> Mask:
        return Mask(self._each(other, operator.lt))

    def __le__(self, other: Any) -> Mask:
        return Mask(self._each(other, operator.le))

    def __gt__(self, other: Any) -> Mask:
        return Mask(self._each(other, operator.gt))

    def __ge__(self, other: Any) -> Mask:
        return Mask(self._each(other, operator.ge))

    __hash__ = None  # type: ignore[assignment]

    # What is asked of all of them

    def tolist(self) -> list[Any]:
        """The numbers."""
        return list(self.items)

    def copy(self) -> Numbers:
        """The same numbers once more."""
        return type(self)(self.items)

    def astype(self, kind: Any) -> Numbers:
        """The whole numbers that they are, or below them."""
        del kind
        return Numbers(map(int, self.items))

    def sum(self, dtype: Any = None) -> Any:
        """The sum."""
        del dtype
        return sum(self.items)

    def max(self) -> Any:
        """The largest."""
        return max(self.items)

    def min(self) -> Any:
        """The smallest."""
        return min(self.items)

    def argmax(self) -> int:
        """The first place of the largest."""
        return self.items.index(max(self.items))

    def argmin(self) -> int:
        """The first place of the smallest."""
        return self.items.index(min(self.items))

    def all(self) -> bool:
        """Whether none is zero."""
        return all(self.items)

    def any(self) -> bool:
        """Whether one is not zero."""
        return any(self.items)

    def nonzero(self) -> tuple[Numbers]:
        """The places of those that are not zero."""
        return (flatnonzero(self),)

    def clip(self, low: Any, high: Any) -> Numbers:
        """The numbers, none below `low` or above `high`."""
        return Numbers(min(max(item, low), high) for item in self.items)

    def searchsorted(self, number: Any, side: str = "left") -> int:
        """The place at which a number would be put in, before its equals or after them."""
        return (bisect_left if side == "left" else bisect_right)(self.items, number)


class Mask(Numbers):
    """Which rows are meant: True or False in each."""

    __slots__ = ()

    def __invert__(self) -> Mask:
        return Mask(map(operator.not_, self.items))

    def __and__(self, other: Mask) -> Mask:
        return Mask(self._each(other, operator.and_))

    def __or__(self, other: Mask) -> Mask:
        return Mask(self._each(other, operator.or_))


# The functions of numpy that the core uses, by their own names ----------------------------------


def array(items: Iterable[Any], dtype: Any = None) -> Numbers:
    """The numbers in a row."""
    del dtype
    return Numbers(items)


asarray = array


def ones(count: int, dtype: Any = None) -> Numbers:
    """So many ones."""
    return array([1] * count, dtype)


def arange(start: int, stop: int) -> Numbers:
    """The whole numbers from `start` to before `stop`."""
    return Numbers(range(start, stop))


def concatenate(parts: Iterable[Any]) -> Numbers:
    """One after the other; truth values stay truth values."""
    joined = [item for part in parts for item in part]
    return (Mask if joined and isinstance(joined[-1], bool) else Numbers)(joined)


def append(numbers: Numbers, more: Any) -> Numbers:
    """The numbers and some more behind them."""
    return concatenate([numbers, more])


def cumsum(numbers: Numbers) -> Numbers:
    """The sums of the first one, two, ... numbers."""
    return Numbers(accumulate(numbers))


def diff(numbers: Numbers) -> Numbers:
    """By how much each is larger than the one before it."""
    return Numbers(after - before for before, after in pairwise(numbers))


def repeat(numbers: Numbers, times: Numbers) -> Numbers:
    """Each number as many times as is said for it."""
    pairs = zip(numbers, times, strict=True)
    return Numbers(number for number, count in pairs for _ in range(count))


def flatnonzero(numbers: Numbers) -> Numbers:
    """The places of those that are not zero."""
    return Numbers(place for place, item in enumerate(numbers) if item)


def argsort(numbers: Numbers, kind: str = "stable") -> Numbers:
    """The places from the smallest number to the largest; equal ones stay in their order."""
    del kind
    return Numbers(sorted(range(len(numbers)), key=numbers.items.__getitem__))


def where(mask: Mask, yes: Any, no: Any) -> Numbers:
    """`yes` in the rows of the mask, `no` in the others; either is one number or many."""
    there = Numbers(mask)
    yes, no = (there._each(number, lambda _, each: each) for number in (yes, no))
    return Numbers(a if chosen else b for chosen, a, b in zip(mask, yes, no, strict=True))


def minimum(numbers: Numbers, most: Any) -> Numbers:
    """The numbers, none above `most`."""
    return Numbers(numbers._each(most, min))


def gcd(left: Numbers, right: Numbers) -> Numbers:
    """The greatest common divisors."""
    return Numbers(left._each(right, math.gcd))
