"""What resampling gives: an interval or a p-value, with all that is needed to explain it.

Glossary
  B      number of resamples in which the measure is defined
  x(1) ≤ … ≤ x(B)  their values, sorted
  N      number of all arrangements, where every one of them was taken
  k      number of random arrangements, where not
  b      number of arrangements with a value at least as extreme as the observed one
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from binteach import exact
from binteach.cases import Undefined, decimal_text
from binteach.derivation import Derivation, Given, Step, Table
from binteach.expr import Node, Num, Rounded, Sym, is_short_decimal, shown
from binteach.inference.working import Explained
from binteach.measures import Measure
from binteach.measures.base import Prose

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Row = tuple[str | Node, ...]

ALTERNATIVES = ("greater", "less", "two-sided")
PLACES = 4  # decimal places that are shown
MOST_ROWS = 16  # rows of a table that is shown whole
SMALL = Fraction(1, 10**6)  # a smaller p is shown with a power of ten
LARGE = 10**15  # and so is a larger count
NEAR = 2  # rows shown to either side of one that matters

LOW, HIGH, P = Sym("low"), Sym("high"), Sym("p")
B, SMALL_B, K, ALL = Sym("B"), Sym("b"), Sym("k"), Sym("N")
ALPHA, OBSERVED, ESTIMATE = Sym("α"), Sym("observed"), Sym("estimate")


# The interval ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Bootstrap(Explained):
    """[low, high]: the middle of the values that a measure takes in resamples.

    estimate      the exact value on all cases; None where it is undefined (`reason` says why) or
                  where there is no such value
    resamples     how many were drawn, those in which the measure is undefined among them
    distribution  the defined values, in the order drawn
    undefined     reason -> number of resamples in which the measure is undefined for it
    how           one sentence on what was resampled
    difference    whether the values are differences, first model minus second
    """

    measure: Measure
    estimate: Any
    level: Fraction
    resamples: int
    seed: int | None
    distribution: NDArray[np.float64]
    undefined: Mapping[str, int]
    how: str
    reason: str = ""
    difference: bool = False

    @cached_property
    def _sorted(self) -> NDArray[np.float64]:
        import numpy as np

        if not len(self.distribution):
            why = "; ".join(self.undefined) or "nothing was drawn"
            raise Undefined(f"the measure is undefined in every resample: {why}")
        return np.sort(self.distribution)

    def _place(self, share: Fraction) -> Fraction:
        """1 + share × (B − 1): where among the sorted values a quantile lies."""
        return 1 + share * (len(self._sorted) - 1)

    def _quantile(self, share: Fraction) -> float:
        """x(i) + (h − i) (x(i + 1) − x(i)) with h = 1 + share × (B − 1) and i = ⌊h⌋.

        This is numpy's default, method="linear".
        """
        place = self._place(share)
        below = float(self._sorted[math.floor(place) - 1])
        above = float(self._sorted[math.ceil(place) - 1])
        return below + float(place - math.floor(place)) * (above - below)

    @property
    def low(self) -> float:
        """The quantile of the values at α/2, where α = 1 − level."""
        return self._quantile((1 - self.level) / 2)

    @property
    def high(self) -> float:
        """The quantile of the values at 1 − α/2, where α = 1 − level."""
        return self._quantile((1 + self.level) / 2)

    @property
    def mean(self) -> float:
        """Σ x / B."""
        return float(self._sorted.mean())

    @property
    def standard_error(self) -> float:
        """√(Σ (x − mean)² / (B − 1)): the standard deviation of the values."""
        if len(self._sorted) < 2:
            raise Undefined("one value alone has no standard deviation; draw more resamples")
        return float(self._sorted.std(ddof=1))

    def explain(self) -> Derivation:
        """What was resampled, the sorted values, and how the two ends come from them."""
        return _explain_bootstrap(self)

    def __repr__(self) -> str:
        drawn = "1 resample" if self.resamples == 1 else f"{self.resamples} resamples"
        if not len(self.distribution):
            return f"Bootstrap({_named(self)}, undefined, {drawn})"
        return f"Bootstrap({_named(self)}, {digits(self.low)} to {digits(self.high)}, {drawn})"


# The p-value ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Permutation(Explained):
    """p: how often chance alone gives a value at least as extreme as the observed one.

    alternative   which values are extreme: "greater", "less" or "two-sided"
    exact         whether every arrangement was taken; otherwise k random ones
    arrangements  how many were taken
    as_extreme    b, those with a value at least as extreme; an arrangement in which the measure
                  is undefined counts as one of them, so that it can only make p larger. For
                  "two-sided" it is b of the rarer side.
    undefined     reason -> number of arrangements in which the measure is undefined for it
    distribution  the defined values, in the order drawn, or ascending where `exact`; empty where
                  there are too many arrangements to list
    support       where all arrangements of the labels were taken: every defined value, ascending,
                  and in how many of them it occurs; a float where the value is irrational
    how           one sentence on what was permuted
    difference    whether the values are differences, first model minus second
    """

    measure: Measure
    observed: Any
    alternative: str
    p: Fraction
    exact: bool
    arrangements: int
    as_extreme: int
    undefined: Mapping[str, int]
    seed: int | None
    distribution: NDArray[np.float64]
    how: str
    support: tuple[tuple[Any, int], ...] = field(default=())
    difference: bool = False

    @property
    def berrar(self) -> Fraction | None:
        """b / k, as Berrar defines p; None where every arrangement was taken."""
        if self.exact:
            return None
        share = Fraction(self.as_extreme, self.arrangements)
        return min(Fraction(1), 2 * share) if self.alternative == "two-sided" else share

    def explain(self) -> Derivation:
        """What was permuted, how often the value was as extreme, and p."""
        return _explain_permutation(self)

    def __repr__(self) -> str:
        kind = "" if self.exact else f", {self.arrangements} random arrangements"
        return f"Permutation({_named(self)}, p = {_short(self.p)}{kind})"


def p_value(as_extreme: int, arrangements: int, exact: bool, alternative: str) -> Fraction:
    """b / N of all arrangements, (b + 1) / (k + 1) of k random ones; two-sided twice that.

    >>> p_value(19, 252, True, "greater"), p_value(0, 99, False, "two-sided")
    (Fraction(19, 252), Fraction(1, 50))
    """
    extra = 0 if exact else 1
    share = Fraction(as_extreme + extra, arrangements + extra)
    return min(Fraction(1), 2 * share) if alternative == "two-sided" else share


# Numbers and words ----------------------------------------------------------------------------


def digits(value: float) -> str:
    """Rounded digits; a whole number without decimals."""
    if value == int(value):
        return str(int(value))
    # A small value keeps three digits that say something.
    zeros = -1 - math.floor(math.log10(abs(value)))
    return exact.rounded(Fraction(value), PLACES if zeros < 2 else zeros + 3)


def _power_of_ten(number: Fraction) -> tuple[str, int]:
    """9.30 and −24 for 9.30 × 10^−24; the number may be too small or too large for a float."""
    exponent = math.floor(math.log10(number.numerator) - math.log10(number.denominator))
    return exact.rounded(number * Fraction(10) ** -exponent, 2), exponent


def _short(value: Any) -> str:
    """An exact value in a line of text: 4/5, or digits where that would be long."""
    if isinstance(value, Fraction):
        if value.denominator < 10**9:
            return str(value)
        if 0 < value < SMALL:
            return "{}e{}".format(*_power_of_ten(value))
    return digits(float(value))


def _approximate(value: Any) -> Node:
    """Rounded digits in a formula; 9.30 × 10^−24 where there would be many of them."""
    if isinstance(value, Fraction) and (0 < value < SMALL or value >= LARGE):
        mantissa, exponent = _power_of_ten(value)
        return Rounded(mantissa) * Num(Fraction(10)) ** exponent
    return Rounded(digits(float(value)))


def _count(number: int) -> Node:
    """A number of arrangements; rounded where it is too long to be read."""
    return Num(Fraction(number)) if number < LARGE else _approximate(Fraction(number))


def _node(value: Any) -> Node:
    """An exact value in a formula: a short decimal or fraction as it is, otherwise digits."""
    if isinstance(value, Fraction) and is_short_decimal(value, PLACES + 2):
        return shown(value, True)
    if isinstance(value, Fraction) and value.denominator < 10**9:
        return Num(value)
    return _approximate(value)


def _named(found: Bootstrap | Permutation) -> str:
    return f"{found.measure.key!r}{', difference' if found.difference else ''}"


def _title(found: Bootstrap | Permutation, what: str) -> str:
    of = ", first model minus second" if found.difference else ""
    return f"{what}: {found.measure.title}{of}"


def _times(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def _reasons(undefined: Mapping[str, int]) -> str:
    return "; ".join(f"{reason} ({count:,})" for reason, count in undefined.items())


def _rows(total: int, matter: set[int]) -> list[int]:
    """The places, from 0, of a long table that are shown: its ends, and near those that matter."""
    if total <= MOST_ROWS:
        return list(range(total))
    near = {place + step for place in matter for step in range(-NEAR, NEAR + 1)}
    return sorted(place for place in {0, 1, *near, total - 2, total - 1} if 0 <= place < total)


def _with_gaps(places: list[int], row: Callable[[int], Row]) -> tuple[Row | int, ...]:
    """The rows of these places, and between them the number of those left out."""
    rows: list[Row | int] = []
    last = -1
    for place in places:
        if place != last + 1:
            rows.append(place - last - 1)
        rows.append(row(place))
        last = place
    return tuple(rows)


# Explanations ---------------------------------------------------------------------------------


def _explain_bootstrap(found: Bootstrap) -> Derivation:
    alpha = 1 - found.level
    defined = len(found.distribution)
    given = [
        Given(B, Num(Fraction(defined)), "resamples in which the measure is defined"),
        Given(ALPHA, shown(alpha, True), f"1 − {decimal_text(found.level)}"),
    ]
    if found.estimate is not None:
        given.append(Given(ESTIMATE, _node(found.estimate), "value on all cases, none resampled"))
    steps = [Step("given", given=tuple(given))]
    if defined:
        steps.append(_sorted_table(found, alpha))
        steps.append(_end(found, LOW, "lower", alpha / 2))
        steps.append(_end(found, HIGH, "upper", 1 - alpha / 2))
    steps += [Step("remark", prose=prose) for prose in _bootstrap_remarks(found, defined)]
    title = _title(found, f"{decimal_text(100 * found.level)}% bootstrap interval")
    reason = "" if defined else f"in every resample {_reasons(found.undefined)}"
    if reason:
        steps.append(Step("undefined", before=LOW, prose=(reason,)))
    return Derivation(title, LOW, tuple(steps), found.how, reason=reason)


def _sorted_table(found: Bootstrap, alpha: Fraction) -> Step:
    values = found._sorted
    ends = {math.floor(found._place(share)) - 1 for share in (alpha / 2, 1 - alpha / 2)}
    places = _rows(len(values), ends)
    rows = _with_gaps(places, lambda place: (str(place + 1), Rounded(digits(float(values[place])))))
    caption = "The values of the measure in the resamples, from the smallest to the largest."
    return Step("table", table=Table(("place", "value"), rows, caption=caption))


def _end(found: Bootstrap, symbol: Sym, which: str, share: Fraction) -> Step:
    """h = 1 + share × (B − 1), and the value there."""
    place = found._place(share)
    first = math.floor(place)
    at = "α/2" if symbol is LOW else "1 − α/2"
    count = len(found._sorted)
    lead = (
        f"The {which} end is the quantile at {at} = {decimal_text(share)}, which stands in place "
        f"1 + {decimal_text(share)} × ({count} − 1) = {_decimal(place)}."
    )
    value = Rounded(digits(found._quantile(share)))
    if place == first:
        return Step("prove", symbol, value, links=(("≈", value, f"value {first}"),), prose=(lead,))
    below, above = (Rounded(digits(float(found._sorted[i]))) for i in (first - 1, first))
    worked = below + _part(place - first) * (above - below)
    why = f"values {first} and {first + 1}; between them a straight line"
    links = (("≈", worked, why), ("≈", value, ""))
    return Step("prove", symbol, value, links=links, prose=(lead,))


def _decimal(number: Fraction) -> str:
    return decimal_text(number) if is_short_decimal(number, 9) else exact.rounded(number, 3)


def _part(number: Fraction) -> Node:
    return shown(number, True) if is_short_decimal(number, 9) else Rounded(_decimal(number))


def _bootstrap_remarks(found: Bootstrap, defined: int) -> list[Prose]:
    remarks: list[Prose] = []
    if defined:
        ends = (Rounded(digits(found.low)), " to ", Rounded(digits(found.high)))
        remarks.append(("So the interval reaches from ", *ends, "."))
    if defined > 1:
        mean, error = Rounded(digits(found.mean)), Rounded(digits(found.standard_error))
        remarks.append(
            ("The values have the mean ", mean, " and the standard deviation ", error, ".")
        )
    if found.reason:
        remarks.append((f"On all cases together the measure is undefined: {found.reason}.",))
    lost = sum(found.undefined.values())
    if lost and defined:
        remarks.append(
            (
                f"In {lost:,} of the {_times(found.resamples, 'resample')} the measure is "
                f"undefined: {_reasons(found.undefined)}. The interval is about the other "
                f"{defined:,}.",
            )
        )
    return [*remarks, *_repeat(found.seed)]


def _repeat(seed: int | None) -> list[Prose]:
    return [] if seed is None else [(f"The same again: seed={seed}.",)]


_EXTREME = {
    "greater": "at least as large as the observed one",
    "less": "at most as large as the observed one",
    "two-sided": "at least as extreme as the observed one, on the side where that is rarer",
}


def _explain_permutation(found: Permutation) -> Derivation:
    share = SMALL_B / ALL if found.exact else (SMALL_B + 1) / (K + 1)
    doubled = found.alternative == "two-sided"
    total = "number of all arrangements" if found.exact else "number of random arrangements"
    if found.arrangements >= LARGE:
        total += ", rounded"
    given = (
        Given(OBSERVED, _node(found.observed), "value on the data as they are"),
        Given(ALL if found.exact else K, _count(found.arrangements), total),
        Given(
            SMALL_B,
            _count(found.as_extreme),
            f"arrangements with a value {_EXTREME[found.alternative]}",
        ),
    )
    steps = [
        Step("definition", before=P, after=2 * share if doubled else share),
        Step("given", given=given),
    ]
    if found.support:
        steps.append(_support_table(found))
    numbers = [_count(count) for count in (found.as_extreme, found.arrangements)]
    top, bottom = numbers if found.exact else [number + 1 for number in numbers]
    steps.append(
        Step("prove", P, Num(found.p), links=tuple(_worked_p(found, top / bottom, doubled)))
    )
    steps += [Step("remark", prose=prose) for prose in _permutation_remarks(found)]
    kind = "Exact permutation test" if found.exact else "Permutation test"
    return Derivation(_title(found, kind), P, tuple(steps), found.how, _exact=found.p)


def _worked_p(found: Permutation, share: Node, doubled: bool) -> list[tuple[str, Node, str]]:
    sign = "=" if found.arrangements < LARGE else "≈"
    links: list[tuple[str, Node, str]] = [(sign, 2 * share if doubled else share, "")]
    twice = 2 * p_value(found.as_extreme, found.arrangements, found.exact, "greater")
    if doubled and twice > 1:
        return [*links, ("→", Num(Fraction(1)), "a probability is at most 1")]
    reduced = (found.p.numerator, found.p.denominator) != (found.as_extreme, found.arrangements)
    if found.p.denominator < 10**9 and reduced:
        links.append(("=", Num(found.p), ""))
    if is_short_decimal(found.p, PLACES + 2):
        links.append(("=", shown(found.p, True), ""))
    else:
        links.append(("≈", _approximate(found.p), ""))
    return links


def _support_table(found: Permutation) -> Step:
    values = [value for value, _ in found.support]
    # The observed value is one of them; where values are irrational, the nearest is the same.
    aim = float(found.observed)
    place = min(range(len(values)), key=lambda i: abs(float(values[i]) - aim))

    def row(i: int) -> Row:
        mark = "observed" if i == place else ""
        return (_node(values[i]), _count(found.support[i][1]), mark)

    rows = _with_gaps(_rows(len(values), {place}), row)
    caption = "Every value that an arrangement can give, and in how many it does."
    return Step("table", table=Table(("value", "arrangements", ""), rows, caption=caption))


def _permutation_remarks(found: Permutation) -> list[Prose]:
    remarks: list[Prose] = []
    if found.alternative == "two-sided":
        remarks.append(
            (
                "Two-sided: values as large and values as small as the observed one are counted "
                "apart. The smaller of the two shares is doubled, and p is at most 1.",
            )
        )
    lost = sum(found.undefined.values())
    if lost:
        remarks.append(
            (
                f"In {_times(lost, 'arrangement')} the measure is undefined: "
                f"{_reasons(found.undefined)}. They are counted in b, as if they were as extreme "
                "as the observed one, so they can make p too large but never too small.",
            )
        )
    if found.berrar is not None:
        remarks.append(
            (
                f"Berrar takes {'2b' if found.alternative == 'two-sided' else 'b'}/k = ",
                _node(found.berrar),
                ". That can be 0, and no test can show that chance never gives such a value. The "
                "arrangement that was observed is one of those that chance can give, so it is "
                "counted too: once above and once below.",
            )
        )
    return [*remarks, *_repeat(found.seed)]
