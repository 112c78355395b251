"""What every quota holds, worked out beforehand (Arbel & Rokach, Eq. 4 to 15).

Glossary:
  j          the quota: so many cases can be checked, and the j top-ranked ones are
  t[k]       the expected label in place k; tied cases share theirs (Eq. 5)
  hits       t[1] + ... + t[j]: the positives that one expects to find
  S₁, S₂     areas of the Qrecall curve above and below that of a random order
  S₃         area between the Qrecall curves of a perfect and of a random order
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from binteach import exact
from binteach.cases import Cases, decimal_text, short_decimal
from binteach.columns import Column, running_sum, times
from binteach.explorers.look import shown_text
from binteach.explorers.state import fraction_text
from binteach.lists import engine

if TYPE_CHECKING:
    from binteach.columns import Array

MOST_QUOTAS = 500  # that a slider goes through; of more, the small ones and some of the others
ALWAYS = 100  # quotas so small are never left out: they are the ones that people can afford
MOST_NAMED = 12  # cases of one kind that are called by their names
LONGEST_NAME = 40


@dataclass(frozen=True)
class Tie:
    """Cases with one score, some of them inside the quota: who gets a place is a matter of luck."""

    start: int  # places above them
    stop: int  # places above and after them
    positives: int

    @property
    def size(self) -> int:
        """How many there are."""
        return self.stop - self.start


class QuotaTable:
    """Every quota that a slider can choose, and what it holds."""

    def __init__(self, cases: Cases, wanted: int | None = None) -> None:
        cases.whole_places("the quota explorer")
        self.cases, self.n = cases, cases.n
        self.positives, self.negatives = int(cases.positives), int(cases.negatives)
        self.t, hits = cases.ranking.places(0, cases.n)
        self.hits = hits.after_zero()
        self.quota = Column(engine(cases.ranking.ends).arange(0, cases.n + 1))
        self.quotas = _chosen_quotas(cases.n, wanted)

    def place(self, quota: int) -> int:
        """The place of the nearest quota that the slider can choose."""
        return min(range(len(self.quotas)), key=lambda place: abs(self.quotas[place] - quota))

    # Values at each quota of the slider; None where undefined

    @cached_property
    def found(self) -> list[Fraction]:
        """The positives that one expects to find."""
        return [self.hits[j] for j in self.quotas]

    @cached_property
    def hit_rate(self) -> list[Fraction | None]:
        """hits / j."""
        return [hits / j if j else None for j, hits in zip(self.quotas, self.found, strict=True)]

    @cached_property
    def qrecall(self) -> list[Fraction | None]:
        """hits / n₊."""
        return [hits / self.positives if self.positives else None for hits in self.found]

    @cached_property
    def lift(self) -> list[Fraction | None]:
        """HitRate(j) / prevalence."""
        share = self.cases.prevalence
        return [rate / share if rate is not None and share else None for rate in self.hit_rate]

    @cached_property
    def pearson(self) -> list[Any]:
        """The correlation of score and expected label in the quota (Eq. 8 to 11)."""
        p, t = self.cases.score_column(self.cases.ranking.order), self.t
        sums = [running(column) for column in (p, t, p * p, t * t, p * t)]
        return [_correlation(j, *(column[j] for column in sums)) for j in self.quotas]

    # The Qrecall of a random and of a perfect order, and the areas between

    def random(self, j: int) -> Fraction:
        """j / n."""
        return Fraction(j, self.n)

    def optimal(self, j: int) -> Fraction:
        """min(j, n₊) / n₊."""
        return Fraction(min(j, self.positives), self.positives)

    def gaps(self, j: int) -> tuple[Fraction, Fraction, Fraction]:
        """What place j adds to S₁, S₂ and S₃."""
        above = self.hits[j] / self.positives - self.random(j)
        zero = Fraction(0)
        return max(above, zero), max(-above, zero), self.optimal(j) - self.random(j)

    @cached_property
    def areas(self) -> list[tuple[Fraction, Fraction, Fraction]]:
        """S₁, S₂, S₃ summed over the places up to each quota; none without a positive case."""
        if not self.positives:
            return []
        ups, zero, after = Fraction(self.positives), Fraction(0), slice(1, None)
        random = self.quota / Fraction(self.n)
        above = (self.hits / ups - random).chosen(after)
        optimal = self.quota.where(~self.quota.at_least(ups), ups) / ups
        up = above.at_least(0)
        sums = (
            running(above.where(up, zero)),
            running((-above).where(~up, zero)),
            running((optimal - random).chosen(after)),
        )
        return [(sums[0][j], sums[1][j], sums[2][j]) for j in self.quotas]

    # Ties

    def tie_of(self, place: int) -> Tie | None:
        """The tie to which a place belongs, counted from 1; None where the case is alone."""
        ranking = self.cases.ranking
        number = int(ranking.ends.searchsorted(place)) - 1
        start, stop = int(ranking.ends[number]), int(ranking.ends[number + 1])
        if stop - start == 1:
            return None
        return Tie(start, stop, int(ranking.ups[number + 1]) - int(ranking.ups[number]))

    def tie_at(self, j: int) -> Tie | None:
        """The tie that the line after place j cuts through."""
        tie = self.tie_of(j) if 0 < j < self.n else None
        return tie if tie is not None and tie.stop > j else None

    def line(self, j: int) -> Fraction | None:
        """The score at which the line is drawn; None above and below all cases."""
        if j in (0, self.n):
            return None
        cases, order = self.cases, self.cases.ranking.order
        return (cases.score(int(order[j - 1])) + cases.score(int(order[j]))) / 2

    # In words

    @cached_property
    def _of_class(self) -> tuple[Array, Array]:
        """The places, counted from 0, of the negatives and of the positives."""
        labels = self.cases.label_column(self.cases.ranking.order).top
        return (labels == 0).nonzero()[0], (labels == 1).nonzero()[0]

    def between(self, label: int, start: int, stop: int) -> list[int]:
        """The cases of one class in the places after `start` up to `stop`."""
        places = self._of_class[label]
        first, last = places.searchsorted(start), places.searchsorted(stop)
        chosen: list[int] = self.cases.ranking.order[places[first:last]].tolist()
        return chosen

    def sentence(self, j: int) -> str:
        """What the quota finds and misses, in one sentence."""
        hits = self.hits[j]
        checked = f"You can check {_of(j, self.n, 'case')}"
        if not self.positives:
            return f"{checked}: there is no positive case to find."
        tie = self.tie_at(j)
        mixed = tie is not None and 0 < tie.positives < tie.size
        expected = " (expected, because of a tie)" if mixed else ""
        missed = self.positives - hits
        return (
            f"{checked}: {_expected(hits)} of {_count(self.positives, 'positive')} "
            f"{_is(hits)} found{expected}, {_expected(missed)} {_is(missed)} missed."
        )

    def people(self, j: int) -> str:
        """Who was found and who was missed, as HTML."""
        tie = self.tie_at(j)
        sure, rest = (tie.start, tie.stop) if tie else (j, j)
        found, missed = self.between(1, 0, sure), self.between(1, rest, self.n)
        vain = self.between(0, 0, sure)
        above, below = (" above the tie", " below the tie") if tie else ("", "")
        lines = [
            _line("found", f"✔ Found{above}", found, "positive", self.cases),
            _line("missed", f"✘ Missed{below}", missed, "positive", self.cases),
            _line("vain", f"○ Checked in vain{above}", vain, "negative", self.cases),
        ]
        if tie:
            lines.append(self._lots(j, tie))
        return f"<h3>Who is found, who is missed</h3>{''.join(lines)}"

    def _lots(self, j: int, tie: Tie) -> str:
        """The tie at the line, in words (Eq. 5)."""
        seats, share = j - tie.start, Fraction(tie.positives, tie.size)
        members = self.cases.ranking.order[tie.start : tie.stop].tolist()
        score = short_decimal(self.cases.score(members[0]))
        counted = f"{share}" if seats == 1 else f"{seats} × {share} = {seats * share}"
        ups = _expected(Fraction(tie.positives))
        return (
            '<p class="tied"><b>= Tied at the line</b>: cases '
            f"{_names(members, self.cases)} share the score {score}, and {_places(seats)} left for "
            f"these {tie.size}. Of them {ups} {_is(tie.positives)} positive, so each place counts "
            f"as t = {share} of a positive (Eq. 5): {counted}.</p>"
        )


def _chosen_quotas(n: int, wanted: int | None) -> list[int]:
    if n <= MOST_QUOTAS:
        return list(range(n + 1))
    steps = MOST_QUOTAS - ALWAYS
    chosen = {round(step * n / steps) for step in range(steps + 1)} | set(range(ALWAYS + 1))
    return sorted(chosen | ({wanted} if wanted is not None else set()))


def running(column: Column) -> Column:
    """The exact sums of the first 0, 1, 2, ... numbers of a column."""
    top, common = column.top, 1
    if column.bottom is not None:
        common = math.lcm(*set(column.bottom.tolist()))
        top = times(top, common // column.bottom.astype(object))
    return Column(running_sum(top), None, column.scale / common)


def _correlation(j: int, p: Fraction, t: Fraction, pp: Fraction, tt: Fraction, pt: Fraction) -> Any:
    """ρ from the sums of p, t, p², t² and p·t over j places; None where a deviation is 0."""
    covariance, spread = j * pt - p * t, (j * pp - p * p) * (j * tt - t * t)
    if not spread:
        return None
    root = exact.sqrt(spread)
    if isinstance(root, Fraction):
        return covariance / root
    return exact.Surd(covariance / spread, spread) if covariance else Fraction(0)


def as_float(number: Any) -> float | None:
    """A double for a picture; None stays None."""
    if isinstance(number, exact.Surd):
        return math.copysign(math.sqrt(number.squared()), number.coefficient)
    return None if number is None else float(number)


# Numbers and names as text ------------------------------------------------------------------------


def value_text(number: Any) -> str:
    """An exact value and its decimal: "3/4 = 0.75", "2/3 ≈ 0.6667"."""
    if number is None:
        return "undefined"
    text = fraction_text(number)
    if not isinstance(number, Fraction) or number.denominator == 1 or text.startswith("≈"):
        return text
    short = 10**4 % number.denominator == 0
    return f"{text} {'= ' + decimal_text(number) if short else '≈ ' + exact.rounded(number, 4)}"


def cell_text(number: Fraction) -> str:
    """A number in a table: with the three decimals that Arbel & Rokach print."""
    return decimal_text(number) if 1000 % number.denominator == 0 else exact.rounded(number, 3)


def shorter(name: str) -> str:
    """A name that fits into a line."""
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def _names(cases_listed: Sequence[int], cases: Cases) -> str:
    """The first names of a list, safe in a page."""
    shown = [shown_text(shorter(cases.name(index))) for index in cases_listed[:MOST_NAMED]]
    more = len(cases_listed) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _line(kind: str, head: str, indices: Sequence[int], what: str, cases: Cases) -> str:
    names = f": {_names(indices, cases)}" if indices else ""
    count = _count(len(indices), what) if indices else f"no {what}"
    return f'<p class="{kind}"><b>{head}</b> {count}{names}</p>'


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _of(number: int, total: int, what: str) -> str:
    return f"{number or 'none'} of {_count(total, what)}"


def _expected(number: Fraction) -> str:
    """A count that may be a fraction because of ties."""
    return fraction_text(number) if number else "none"


def _is(number: Fraction | int) -> str:
    return "is" if number <= 1 else "are"


def _places(number: int) -> str:
    return "1 place is" if number == 1 else f"{number} places are"
