"""What the explorers show, worked out beforehand: exact values at every cut, and their doubles.

A slider chooses a cut; everything that follows from it stands here in arrays, so that a page
needs no Python once it is made.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import index
from typing import Any

from binteach import exact
from binteach.cases import Cases, Cut, Undefined, decimal_text, short_decimal
from binteach.derivation import PLACES, Derivation, explain
from binteach.exact import shorten
from binteach.measures import MEASURES, Measure, value
from binteach.measures import measure as find_measure
from binteach.render import html

MOST_CUTS = 300  # that a slider goes through; of more, those that are seen
CLOSE = 1e-9  # doubles that differ by a smaller part may belong to equal numbers
LONGEST_SCORE = 16  # characters
MOST_DERIVED = 50  # cuts for which derivations are written beforehand


def whole_number(name: str, given: Any, low: int, high: int) -> int:
    """A whole number from low to high; ValueError with the name and the range otherwise."""
    try:
        number = None if isinstance(given, bool) else index(given)
    except TypeError:
        number = None
    if number is None or not low <= number <= high:
        raise ValueError(
            f"{name} is {shorten(given)}; it must be a whole number from {low} to {high}"
        )
    return number


def one_of(name: str, given: Any, choices: Iterable[str]) -> str:
    """One of the choices; ValueError with the name and all of them otherwise."""
    listed = list(choices)
    if given not in listed:
        raise ValueError(f"{name} is {shorten(given)}; it must be one of {', '.join(listed)}")
    return str(given)


def measure_key(name: str, given: Any, keys: Iterable[str]) -> str:
    """The key of a measure, by any of its names; it must be one of the keys."""
    try:
        found = find_measure(given).key
    except ValueError as unknown:
        raise ValueError(f"{name} is {shorten(given)}: {unknown}") from None
    return one_of(name, found, keys)


def fraction_text(number: Any) -> str:
    """An exact value as people read it: 3/4, or rounded digits of what is irrational or long."""
    if isinstance(number, Fraction) and number.denominator < 10**6:
        return str(number)
    return f"≈ {exact.rounded(number, PLACES)}"


@dataclass(frozen=True)
class Values:
    """A measure at every cut: its doubles (None where undefined) and its exact values as text."""

    floats: tuple[float | None, ...]
    texts: tuple[str, ...]
    said: tuple[str, ...]  # the same with digits, for a sentence
    best: tuple[int, ...]  # places of the best cuts


class CutTable:
    """Every cut of a ranking that a slider can choose, with its counts."""

    def __init__(self, cases: Cases) -> None:
        self.cases = cases
        ranking = cases.ranking
        numbers: Iterable[int] = range(len(ranking.k))
        if len(ranking.k) > MOST_CUTS:
            numbers = self._seen(MOST_CUTS)
        self.cuts: tuple[Cut, ...] = tuple(ranking.cut(number) for number in numbers)

    def _seen(self, most: int) -> list[int]:
        """Cuts at equal distances, and the corners of the hull."""
        ranking = self.cases.ranking
        last = len(ranking.k) - 1
        even = {round(step * last / (most - 1)) for step in range(most)}
        return sorted(even | set(ranking.hull_numbers()))

    @property
    def all_cuts(self) -> bool:
        """Whether no cut is left out."""
        return len(self.cuts) == len(self.cases.ranking.k)

    @property
    def derived(self) -> bool:
        """Whether the derivations of all cuts are written beforehand."""
        return len(self.cuts) <= MOST_DERIVED

    @cached_property
    def k(self) -> list[int]:
        """The number of cases called positive at each cut."""
        return [cut.k for cut in self.cuts]

    def place(self, cut: int) -> int:
        """The place of the cut that is nearest to so many cases called positive."""
        return min(range(len(self.k)), key=lambda place: abs(self.k[place] - cut))

    def read(self, name: str, given: object) -> int:
        """A cut that was asked for; where many are left out, the nearest that is not."""
        cut = whole_number(name, given, 0, self.cases.n)
        return self.k[self.place(self.cases.ranking.cut_at(cut, name).k)]

    @property
    def middle(self) -> int:
        """The cut to begin with."""
        return self.k[len(self.k) // 2]

    def column(self, key: str) -> Values:
        """A counts measure at every cut."""
        measure = MEASURES[key]
        return self._values(measure, [_attempt(measure, cut) for cut in self.cuts])

    def _values(self, measure: Measure, found: Sequence[Any]) -> Values:
        floats = tuple(None if each is None else float(each) for each in found)
        texts = tuple("undefined" if each is None else fraction_text(each) for each in found)
        said = tuple("undefined" if each is None else with_digits(each) for each in found)
        return Values(floats, texts, said, best_places(measure.direction, found))


def _attempt(measure: Measure, cut: Cut) -> Any:
    try:
        return value(measure, cut.counts)
    except Undefined:
        return None


def best_places(direction: int, values: Sequence[Any]) -> tuple[int, ...]:
    """Where exact values are best: the largest or, with direction -1, the smallest of them.

    Doubles leave out what is far from the best, exact numbers decide between the rest.
    """
    doubles = {i: float(value) for i, value in enumerate(values) if value is not None}
    if not doubles or not direction:
        return ()
    top = max(direction * double for double in doubles.values())
    near = [i for i, double in doubles.items() if direction * double >= top - CLOSE * abs(top)]
    best = near[0]
    for place in near:
        if direction * exact.compare(values[place], values[best]) > 0:
            best = place
    return tuple(place for place in near if exact.compare(values[place], values[best]) == 0)


# Derivations, in templates ----------------------------------------------------------------------

_SLOT = re.compile(r"(?<=>)[^<>]+(?=<)")  # the text between two tags


class Templates:
    """Texts that are alike: what they have in common once, and what differs in each."""

    def __init__(self) -> None:
        self._forms: dict[str, int] = {}
        self._uses: list[list[list[str]]] = []

    def add(self, text: str) -> tuple[int, int]:
        """Keep a text; its form and its number among the texts of this form find it again."""
        form = self._forms.setdefault(_SLOT.sub("\0", text), len(self._forms))
        if form == len(self._uses):
            self._uses.append([])
        self._uses[form].append(_SLOT.findall(text))
        return form, len(self._uses[form]) - 1

    def state(self, found: Mapping[str, Any], none: str) -> dict[str, Any]:
        """What a page needs to write derivations; where there is `none`, it says why."""
        forms, slots = self.packed()
        return {
            "derivations": dict(found),
            "forms": forms,
            "slots": slots,
            "style": html.STYLE,
            "no_derivation": none,
        }

    def packed(self) -> tuple[list[list[str]], list[list[list[str]]]]:
        """The forms, and for each form the slots of all its texts: only those that differ."""
        forms, slots = [], []
        for form, uses in zip(self._forms, self._uses, strict=True):
            pieces = form.split("\0")
            columns = list(zip(*uses, strict=True))
            varies = [len(set(column)) > 1 for column in columns]
            short = [pieces[0]]
            for place, piece in enumerate(pieces[1:]):
                if varies[place]:
                    short.append(piece)
                else:
                    short[-1] += columns[place][0] + piece
            forms.append(short)
            slots.append([[s for s, v in zip(use, varies, strict=True) if v] for use in uses])
        return forms, slots


def filled(form: Sequence[str], slots: Sequence[str]) -> str:
    """The text again; the pages do the same."""
    pieces = [form[0]]
    for slot, piece in zip(slots, form[1:], strict=True):
        pieces += [slot, piece]
    return "".join(pieces)


def at_cut(measure: Measure, cut: Cut) -> Derivation:
    """The derivation of a counts measure at one cut."""
    return explain(measure, cut.counts)


def score_text(score: Fraction) -> str:
    """A score that fits into a table: digits, or a power of ten where they are very many."""
    text = short_decimal(score)
    return text if len(text) <= LONGEST_SCORE else f"≈\N{NO-BREAK SPACE}{float(score):.4g}"


def squeezed(data: Any) -> str:
    """Data in few characters; `unsqueezed` in the pages makes them whole again."""
    return packed(json.dumps(data).encode())


def packed(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")


def with_digits(number: Any) -> str:
    """An exact value with its digits: 3/4 = 0.75, 348/863 ≈ 0.4032."""
    text = fraction_text(number)
    if text.startswith("≈") or not isinstance(number, Fraction) or number.denominator == 1:
        return text
    if 10**PLACES % number.denominator == 0:
        return f"{text} = {decimal_text(number)}"
    return f"{text} ≈ {exact.rounded(number, PLACES)}"
