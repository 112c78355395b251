"""Who wins under which measure: exact values of several models, and their ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from binteach import exact
from binteach.cases import Cases, Counts, Undefined
from binteach.explorers.state import CLOSE, fraction_text, with_digits
from binteach.measures import MEASURES, Measure

WIDEST = 9  # letters of a column
MOST_NAMED = 4  # models that are named one by one in sentences and beside points


@dataclass(frozen=True)
class Mark:
    """What one model gets: an exact value, or the reason why there is none."""

    value: Any = None
    reason: str = ""

    @cached_property
    def text(self) -> str:
        """The exact value as people read it."""
        return "undefined" if self.value is None else fraction_text(self.value)

    @cached_property
    def decimal(self) -> str:
        """= 0.75 beside 3/4; nothing beside a whole number or what is in digits already."""
        return with_digits(self.value).partition(" ")[2] if "/" in self.text else ""

    @property
    def in_columns(self) -> tuple[str, str]:
        """A fraction that fits into a narrow column and its digits, otherwise these alone."""
        if self.decimal and len(self.text) > WIDEST:
            return self.decimal.removeprefix("= "), ""
        return self.text, self.decimal

    @cached_property
    def double(self) -> float | None:
        """For drawing."""
        return None if self.value is None else float(self.value)

    def is_above(self, other: Mark) -> bool:
        """Whether it is larger: by doubles where these are far apart, otherwise exactly."""
        if self.double is None or other.double is None or self.value is other.value:
            return False
        gap = self.double - other.double
        if abs(gap) > CLOSE * max(abs(self.double), abs(other.double)):
            return gap > 0
        return exact.compare(self.value, other.value) > 0


def mark(key: str, data: Cases | Counts, **params: Any) -> Mark:
    """The value of a measure on these data, or why it has none."""
    try:
        return Mark(MEASURES[key](data, **params))
    except Undefined as undefined:
        return Mark(None, undefined.reason)
    except ValueError as refused:  # scores that are no probabilities, weights in a quota
        return Mark(None, str(refused))


def ranks(measure: Measure, marks: Sequence[Mark]) -> list[int]:
    """The place of each model, 1 being best; equal values share a place, and 0 is no place."""
    if not measure.direction:
        return [0] * len(marks)
    up = measure.direction > 0
    return [
        0
        if mine.value is None
        else 1 + sum(other.is_above(mine) if up else mine.is_above(other) for other in marks)
        for mine in marks
    ]


def winners(places: Sequence[int]) -> list[int]:
    """The numbers of the models that come first."""
    return [number for number, place in enumerate(places) if place == 1]


def is_contest(places: Sequence[int]) -> bool:
    """Whether at least two models have a place."""
    return sum(place > 0 for place in places) > 1


def order(names: Sequence[str], places: Sequence[int]) -> str:
    """The models from best to worst: "B > C > A", with "=" between those that share a place."""
    groups = [
        " = ".join(name for name, mine in zip(names, places, strict=True) if mine == place)
        for place in sorted(set(places) - {0})
    ]
    return " > ".join(groups)


def tally(names: Sequence[str], rows: Sequence[Sequence[int]]) -> str:
    """Who comes first how often, in words."""
    judged = [places for places in rows if is_contest(places)]
    if not judged:
        return "None of these measures names a winner here."
    alone = [sum(winners(places) == [number] for places in judged) for number in range(len(names))]
    counted = list(zip(names, alone, strict=True))
    if len(names) > MOST_NAMED:
        counted = [(name, count) for name, count in counted if count]
    parts = [f"{name} wins {count}" for name, count in counted] or ["nobody wins alone"]
    shared = len(judged) - sum(alone)
    noun = "measure" if len(judged) == 1 else "measures"
    ties = f"; {shared} {'is a tie' if shared == 1 else 'are ties'}" if shared else ""
    return f"Of {len(judged)} {noun}, {', '.join(parts)}{ties}."
