"""Reading answers: what a student gives, as an exact value and the form that it was written in.

Text is read by binteach.exercises.grammar and never evaluated. What was not filled in is
`is_missing`; what cannot be read raises Unreadable, which says what can be.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

from binteach import exact
from binteach.cases import Counts, Undefined
from binteach.curves import Curve, Point, Points
from binteach.exact import Exact, short_text
from binteach.exercises.grammar import (
    LONGEST,
    READABLE,
    DividesByZero,
    Unreadable,
    is_tiny,
    near,
    read_expression,
    same_signs,
)

MACHINE_PLACES = 12  # a decimal with as many digits comes from a machine, whose last ones are off
MACHINE_SLACK = Fraction(1, 10**9)
MOST_ITEMS = 10_000


class Placeholder:
    """Stands where an answer is to be written."""

    def __repr__(self) -> str:
        return "____"


class Unnamed(Placeholder):
    """Stands where the answer has a name that is not defined yet."""

    def __init__(self, name: str, near: str = "") -> None:
        meant = f"; did you mean {short_text(near, 40)}?" if near else "."
        self.sentence = f"The name {short_text(name, 40)} is not defined{meant}"


PLACEHOLDER = Placeholder()
_BLANKS = re.compile(r"[\s._?…]*")


def is_missing(given: object) -> bool:
    """Whether nothing was filled in: None, ..., a placeholder, empty text, or only such things."""
    if given is None or given is ... or isinstance(given, Placeholder):
        return True
    if isinstance(given, str):
        return len(given) < 1000 and bool(_BLANKS.fullmatch(given))
    if type(given) in (list, tuple, dict, set):
        items = list(given.values() if isinstance(given, dict) else given)  # type: ignore[call-overload]
        return 0 < len(items) < 100 and all(
            item is None or item is ... or isinstance(item, Placeholder) for item in items
        )
    return False


# Numbers --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Number:
    """A number and how it was written.

    form    whole, fraction, decimal, percent, ratio, float or expression
    places  decimals of the value that were written; None where the form is exact
    lowest  whether a fraction or ratio is in lowest terms
    slack   how far a machine's arithmetic may be off, relative to the value
    """

    value: Exact
    form: str
    written: str
    places: int | None = None
    lowest: bool = True
    slack: Fraction = Fraction(0)

    @cached_property
    def near(self) -> Fraction:
        """The value as a fraction, to 50 digits."""
        return near(self.value)


@dataclass(frozen=True)
class NoNumber:
    """The answer that there is no number; `kind` is undefined, infinite or by_zero."""

    kind: str
    written: str


_UNDEFINED = {
    *("undefined", "not defined", "nan", "na", "n/a", "none", "does not exist", "no value"),
    *("not a number", "undefiniert", "nicht definiert", "existiert nicht", "indeterminate"),
}
_INFINITE = {"inf", "infinity", "infinite", "∞", "oo", "unendlich"}
_NUMERAL = r"(?:\d+(?:[.,]\d+|\.)?|\.\d+)"
_DECIMAL = re.compile(
    rf"[-+]?\s*(?P<digits>{_NUMERAL})(?:[eE](?P<power>[-+]?\d{{1,2}}))?", re.ASCII
)
_PERCENT = re.compile(rf"[-+]?\s*(?P<digits>{_NUMERAL})\s*%", re.ASCII)
_QUOTIENT = re.compile(r"[-+]?\s*(?P<top>\d+)\s*(?P<sign>[/:])\s*[-+]?\s*(?P<bottom>\d+)", re.ASCII)
_WORDS = re.compile(r"\s*(percent|per cent|prozent)\s*$", re.IGNORECASE)
_EQUALS = re.compile("[=≈~]")


def read_number(given: Any) -> Number | NoNumber:
    """The number that was given, or the statement that there is none; raises Unreadable."""
    if isinstance(given, str):
        return _from_text(str.__str__(given))
    kind = getattr(getattr(given, "dtype", None), "kind", "")
    if isinstance(given, bool | complex) or kind in ("b", "c"):
        raise Unreadable(f"True, False and complex numbers are no answer here. {READABLE}.")
    if isinstance(given, Undefined) or given is Undefined:
        return NoNumber("undefined", "undefined")
    if isinstance(given, Counts | Mapping | Sequence | set):
        raise Unreadable(f"One number is asked for, not a {type(given).__name__}. {READABLE}.")
    if isinstance(given, exact.Certified):
        return Number(given, "expression", str(given))
    if _is_sympy(given):
        return _from_sympy(given)
    if isinstance(given, float | Decimal) or getattr(given, "dtype", None) is not None:
        what = _not_finite(given)
        if what:
            return NoNumber(what, str(given))
    try:
        value = exact.exact(given, "the answer")
    except (ValueError, TypeError, OverflowError):
        name = short_text(type(given).__name__)
        raise Unreadable(f"An answer of type {name} cannot be read. {READABLE}.") from None
    return _from_object(given, value)


def _not_finite(given: Any) -> str:
    try:
        number = float(given)
    except (TypeError, ValueError, OverflowError):
        return ""
    return "undefined" if math.isnan(number) else "infinite" if math.isinf(number) else ""


def _from_object(given: Any, value: Fraction) -> Number:
    """A Python number: what its type says about its digits."""
    if isinstance(given, Decimal):
        places = max(0, -int(given.as_tuple().exponent))
        return Number(value, "decimal", str(given), places, slack=_slack(places))
    dtype = getattr(given, "dtype", None)
    if isinstance(given, float) or getattr(dtype, "kind", "") == "f":
        places = _places(value)
        slack = _slack(places)
        if dtype is not None and dtype.itemsize < 8:  # a single float is off by more
            slack = Fraction(1, 10**5 if dtype.itemsize == 4 else 10**2)
        written = repr(float(given)) if dtype is None else str(given)
        return Number(value, "float", written, places, slack=slack)
    whole = value.denominator == 1
    return Number(value, "whole" if whole else "fraction", str(value), 0 if whole else None)


def _places(value: Fraction) -> int:
    """Decimals of a number that has finitely many."""
    places = 0
    while value.denominator != 1:
        value, places = value * 10, places + 1
    return places


def _slack(places: int) -> Fraction:
    return MACHINE_SLACK if places >= MACHINE_PLACES else Fraction(0)


def _from_text(given: str) -> Number | NoNumber:
    """Written numbers; "precision = 3/4", "≈ 0.67" and "2/3 = 0.67" say one number, too."""
    text = same_signs(given[:1000])
    if len(text) > LONGEST:
        return _from_side(text)  # the grammar refuses it
    *before, last = [side for side in _EQUALS.split(text) if side.strip()] or [text]
    sides = [_from_side(last)]
    for side in before:
        try:
            sides.append(_from_side(side))
        except Unreadable:
            if not any(map(str.isalpha, side)):
                raise  # what has letters is a name or a formula of what is asked for
    numbers = [side for side in sides if isinstance(side, Number)]
    if not numbers:
        return sides[0]
    # The others are this one, if rounded.
    finest = min(numbers, key=lambda each: (each.places is not None, -(each.places or 0)))
    same = all(compare(each, finest.value, 0) in ("equal", "rounded") for each in numbers)
    if not same or len(numbers) < len(sides):
        raise Unreadable("The two sides of the = are not the same number. Give one number.")
    return finest


def _from_side(given: str) -> Number | NoNumber:
    """What stands on one side of a =, or alone."""
    written = short_text(" ".join(given.split()))
    text = _WORDS.sub("%", given)
    bare = text.strip().lower()
    if bare in _UNDEFINED:
        return NoNumber("undefined", written)
    if bare.lstrip("+-") in _INFINITE:
        return NoNumber("infinite", written)
    try:
        value = read_expression(text)
    except DividesByZero:
        return NoNumber("by_zero", written)
    except (ArithmeticError, ValueError, RecursionError) as wrong:
        if isinstance(wrong, Unreadable):
            raise
        raise Unreadable(f"The answer could not be worked out. {READABLE}.") from None
    return _with_form(text.strip(), value, short_text(text.strip()))


def _with_form(text: str, value: Exact, written: str) -> Number:
    if found := _DECIMAL.fullmatch(text):
        places = max(0, _written_places(found["digits"]) - int(found["power"] or 0))
        form = "decimal" if places else "whole"
        return Number(value, form, written, places, slack=_slack(places))
    if found := _PERCENT.fullmatch(text):
        places = _written_places(found["digits"]) + 2
        return Number(value, "percent", written, places, slack=_slack(places))
    if found := _QUOTIENT.fullmatch(text):
        lowest = math.gcd(int(found["top"]), int(found["bottom"])) == 1
        form = "ratio" if found["sign"] == ":" else "fraction"
        return Number(value, form, written, lowest=lowest)
    return Number(value, "expression", written)


def _written_places(digits: str) -> int:
    return len(re.split("[.,]", digits)[1]) if re.search("[.,]", digits) else 0


# sympy's expressions --------------------------------------------------------------------------


def _is_sympy(given: object) -> bool:
    # Whoever gives an expression has loaded sympy already.
    sympy = sys.modules.get("sympy")
    return sympy is not None and isinstance(given, sympy.Basic)


def _from_sympy(given: Any) -> Number | NoNumber:
    """A sympy expression of numbers, roots and logarithms; other nodes could take for ever."""
    import sympy

    if given in (sympy.nan, sympy.zoo, sympy.oo, -sympy.oo):
        return NoNumber("undefined" if given is sympy.nan else "infinite", str(given))
    if isinstance(given, sympy.Float):
        return _from_object(float(given), exact.exact(float(given)))
    if isinstance(given, sympy.Rational):
        return _from_object(None, exact.exact(given, "the answer"))
    for place, node in enumerate(sympy.preorder_traversal(given)):
        known = isinstance(node, sympy.Add | sympy.Mul | sympy.Pow | sympy.log | sympy.Number)
        power = isinstance(node, sympy.Pow) and not _is_small(node.exp)
        if not known or power or place > 500 or not getattr(node, "is_finite", True):
            raise Unreadable(
                "Of a sympy expression, numbers, roots and logarithms can be read; "
                "put numbers in for all symbols."
            )
    number = Number(given, "expression", short_text(str(given)))
    try:
        _ = number.near
    except (ArithmeticError, ValueError):
        raise Unreadable("The expression is not a real number.") from None
    slack = MACHINE_SLACK if given.has(sympy.Float) else Fraction(0)
    return Number(given, "expression", number.written, slack=slack)


def _is_small(exponent: Any) -> bool:
    import sympy

    return isinstance(exponent, sympy.Rational) and abs(exponent.p) <= 64 and exponent.q <= 4


# Comparing ------------------------------------------------------------------------------------


def compare(number: Number, value: Exact, least: int = 2) -> str:
    """How a given number stands to a value.

    equal      the same number
    rounded    the value, correctly rounded to `least` decimals or more
    coarse     the value, correctly rounded to fewer
    truncated  the first digits of the value, not rounded
    ""         none of these
    """
    given, right = number.near, near(value)
    if _far(given, right, number):
        return ""
    gap = abs(given - right)
    if is_tiny(gap) or gap <= number.slack * max(Fraction(1), abs(right)):
        return "equal"
    if number.places is None:
        return ""
    places = number.places
    # A float does not keep the zeros at its end: 0.80 comes as 0.8.
    loose = number.form == "float" and given and places < least
    if loose and _is_rounded(given, right, least):
        return "rounded"
    unit = Fraction(1, 10**places)
    if places < least and unit > abs(right):
        return ""  # rounded so far, nothing is left of the value
    if _is_rounded(given, right, places):
        return "rounded" if places >= least else "coarse"
    is_cut = given == Fraction(math.trunc(right / unit)) * unit
    return "truncated" if is_cut and given else ""


def _far(given: Fraction, right: Fraction, number: Number) -> bool:
    """Whether the two are so far apart that a look at floats settles it, as for most mistakes."""
    try:
        left, other = float(given), float(right)
    except OverflowError:
        return False
    unit = 0.0 if number.places is None else 10.0 ** -min(number.places, 300)
    slack = (float(number.slack) + 1e-9) * max(1.0, abs(other))
    return abs(left - other) > 2 * (unit + slack)


def _is_rounded(given: Fraction, right: Fraction, places: int) -> bool:
    """Halves may go away from zero, as at school, or to the even digit, as Python's round()."""
    twice = abs(given - right) * 2 * 10**places
    if twice != 1:
        return bool(twice < 1)
    return bool(abs(given) > abs(right) or (given * 10**places) % 2 == 0)


# Other kinds of answers -----------------------------------------------------------------------

CELLS = ("tp", "fp", "fn", "tn")
_CELL = re.compile(r"\b(tp|fp|fn|tn)\s*[=:]\s*([^\s,;=:]*)", re.IGNORECASE)
_COUNTS = re.compile(r"\s*(?:bt\s*\.\s*)?Counts\s*\(([^()]*)\)\s*")
COUNTS_READABLE = "Write it as bt.Counts(tp=3, fp=1, fn=2, tn=4) or 'TP=3, FP=1, FN=2, TN=4'"


def read_counts(given: Any) -> Counts:
    """A confusion matrix: Counts, a mapping, four numbers in the order TP, FP, FN, TN, or text."""
    if isinstance(given, Counts):
        return given
    cells: dict[str, Any] = {}
    if isinstance(given, str) and len(given) <= LONGEST:
        call = _COUNTS.fullmatch(given)
        inside = call[1] if call else given
        cells = {name.lower(): cell for name, cell in _CELL.findall(inside)}
        if call and not cells:
            given = inside.split(",")
    if isinstance(given, Mapping):
        cells = {str(key).lower(): cell for key, cell in list(given.items())[:5]}
    elif isinstance(given, list | tuple) and len(given) == 4:
        cells = dict(zip(CELLS, given, strict=True))
    missing = [name.upper() for name in CELLS if is_missing(cells.get(name))]
    if set(cells) <= set(CELLS) and 0 < len(missing) < len(CELLS):
        raise Unreadable(f"{listed(missing)} {'is' if len(missing) == 1 else 'are'} not given.")
    if set(cells) != set(CELLS):
        # Tables are read in more than one order, so that a nested list would be a guess.
        raise Unreadable(f"Say which count is which. {COUNTS_READABLE}.")
    numbers = {name: _plain_number(cell, name.upper()) for name, cell in cells.items()}
    try:
        return Counts(**numbers)
    except ValueError as wrong:
        raise Unreadable(f"This is no confusion matrix: {wrong}.") from None


def listed(names: Sequence[str]) -> str:
    """TP, FP and FN."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _plain_number(given: Any, what: str) -> Fraction:
    with suppress(Unreadable):
        number = read_number(given)
        if isinstance(number, Number) and isinstance(number.value, Fraction):
            return number.value
    raise Unreadable(f"{what} is no number: write a count, such as {what} = 3.")


def read_names(given: Any, known: Collection[str] = ()) -> tuple[str, ...]:
    """A list of cases by name: a list, a set, or text such as "3, 5, 9".

    Spaces part names, too, unless they are inside a known one.
    """
    if isinstance(given, str):
        if len(given) > MOST_ITEMS:
            raise Unreadable("The list is too long.")
        bare = re.sub(r"^\s*[\[({]|[])}]\s*$", "", given)
        parts = [part.strip() for part in re.split(r"[,;\n]", bare)]
        given = [name for part in parts for name in ([part] if part in known else part.split())]
    if isinstance(given, int) and not isinstance(given, bool):
        given = [given]
    if hasattr(given, "tolist"):
        given = given.tolist()
    if not isinstance(given, list | tuple | set | frozenset | range) or len(given) > MOST_ITEMS:
        raise Unreadable("A list of cases is asked for, such as [3, 5, 9] or '3, 5, 9'.")
    if not all(isinstance(name, str | int | Fraction) for name in given):
        raise Unreadable("Each case in the list is a name or a number, such as [3, 5, 9].")
    return tuple(dict.fromkeys(str(name).strip() for name in given))


# (0,2; 0,4) and (0,2, 0,4) have decimal commas; where there is one comma, it parts the numbers.
_PAIR = re.compile(r"\(([^();]*?)(?:;|,\s)([^();]*?)\)|\(([^();,]*),([^();,]*)\)")


def read_points(given: Any) -> tuple[tuple[Number, Number], ...]:
    """The points of a curve: a Curve, a list of pairs, or text such as "(0; 0), (1/5; 2/5)"."""
    if isinstance(given, Curve):
        given = given.points
    if isinstance(given, Points):
        given = list(given[:MOST_ITEMS])
    if isinstance(given, str):
        pairs = _PAIR.findall(given[:MOST_ITEMS])
        given = [pair[:2] if any(pair[:2]) else pair[2:] for pair in pairs]
    if hasattr(given, "tolist"):
        given = given.tolist()
    usable = isinstance(given, list | tuple) and 0 < len(given) <= MOST_ITEMS
    if not usable or not all(isinstance(each, Point) or _is_pair(each) for each in given):
        raise Unreadable("A list of points is asked for, such as [(0, 0), (0.2, 0.4), (1, 1)].")
    points = []
    for place, pair in enumerate(given, 1):
        x, y = (read_number(each) for each in pair[:2])
        if not isinstance(x, Number) or not isinstance(y, Number):
            raise Unreadable(f"Point {place} is not a pair of numbers.")
        points.append((x, y))
    return tuple(points)


def _is_pair(given: object) -> bool:
    return isinstance(given, list | tuple) and len(given) == 2


def read_option(given: Any, options: Sequence[str]) -> int:
    """The place of a chosen option, by its words, its letter or its number from 1.

    The letter may stand before the words, and an article may be left out.
    """
    letters = "abcdefghijklmnopqrstuvwxyz"[: len(options)]
    if isinstance(given, int) and not isinstance(given, bool) and 1 <= given <= len(options):
        return given - 1
    text = _in_small(str(given)) if isinstance(given, str | bool) else ""
    words = [_in_small(option) for option in options]
    lettered = [f"{letter}) {each}" for letter, each in zip(letters, words, strict=True)]
    bare = [re.sub("^(the|an?) ", "", each) for each in words]
    for forms in (words, lettered, bare):
        if forms.count(text) == 1:
            return forms.index(text)
    mark = text.strip(" ().")
    if mark.isdecimal() and len(mark) < 3 and 1 <= int(mark) <= len(options):
        return int(mark) - 1
    if len(mark) == 1 and mark in letters:
        return letters.index(mark)
    listed = "; ".join(
        f"{letter}) {option}" for letter, option in zip(letters, options, strict=True)
    )
    raise Unreadable(f"Choose one of these, by its letter: {listed}.")


def _in_small(text: str) -> str:
    return " ".join(text.split()).casefold()
