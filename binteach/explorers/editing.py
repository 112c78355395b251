"""Cases that can be moved: where they stand, and what was done to them.

Scores move in steps of a grid, so that they stay short decimals: 0.01 for scores from 0 to 1. A
score that was given between two steps stays exactly as it was until its case is moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from typing import Any

from binteach import exact
from binteach.cases import Cases, short_decimal
from binteach.exact import shorten
from binteach.explorers.state import LONGEST_SCORE, score_text

MOST_CASES = 60
MOST_STEPS = 2**47  # of the grid from 0 to a score; beyond, doubles are too coarse to draw it
RANKED = ("auc", "gini", "auch", "ks", "average_precision")
SCORED = ("brier_score", "log_loss")
COUNTED = (
    "accuracy",
    "balanced_accuracy",
    "precision",
    "sensitivity",
    "specificity",
    "f_measure",
    "youden_index",
    "cohens_kappa",
    "matthews_correlation",
)

Edit = list[Any]
"""[] puts everything back as given; [case, steps, label] puts one case to this place and class.

Steps that are None mean the score as given, where it lies between two steps.
"""
Standing = tuple[int | None, int]
"""Where a case stands: its steps on the grid, and its class."""


class Board:
    """The cases as given, and the grid on which they move.

    grid        the distance of two steps
    origin      the score at step 0
    low, high   the first and the last step
    """

    def __init__(self, given: Cases) -> None:
        if not isinstance(given, Cases):
            raise ValueError(f"the edit explorer takes Cases, not {shorten(given)}")
        if given.n > MOST_CASES:
            raise ValueError(
                f"there are {given.n} cases; the edit explorer takes at most {MOST_CASES}, as "
                "many as can be told apart and moved. Take a part of them"
            )
        self.given = given
        lowest, highest = min(given.scores), max(given.scores)
        self.probabilities = lowest >= 0 and highest <= 1
        self.power = -2
        self.origin, self.low, self.high = Fraction(0), 0, 100
        if not self.probabilities:
            self.power = _power_of_ten((highest - lowest) or abs(highest)) - 2
            self.origin = lowest // self.grid * self.grid
            steps = -((self.origin - highest) // self.grid)
            margin = max(steps // 10, 10)
            self.low, self.high = -margin, steps + margin
        if max(abs(lowest), abs(highest)) > MOST_STEPS * self.grid:
            raise ValueError(
                f"the scores differ by {score_text(highest - lowest)} only, too little for scores "
                f"of {score_text(highest)} to be drawn apart; take the same number off all of them"
            )
        self.start: list[Standing] = [
            (None if each.denominator != 1 else each.numerator, label)
            for each, label in zip(map(self.place, given.scores), given.labels, strict=True)
        ]

    @property
    def grid(self) -> Fraction:
        """The distance of two steps: a power of ten."""
        return Fraction(10) ** self.power

    def place(self, score: Fraction) -> Fraction:
        """A score in steps, whole or not."""
        return (score - self.origin) / self.grid

    def score(self, steps: int) -> Fraction:
        """The score at a step."""
        return self.origin + steps * self.grid

    def nearest(self, score: object, what: str) -> int:
        """The step nearest to a score, which must lie on the axis."""
        with suppress(ValueError):
            steps = round(self.place(exact.exact(score, what)))
            if self.low <= steps <= self.high:
                return steps
        ends = " to ".join(step_text(self.score(end)) for end in (self.low, self.high))
        raise ValueError(f"{what} is {shorten(score)}; it must be a number on the axis, {ends}")

    @cached_property
    def titles(self) -> list[str]:
        """The names of the cases; with their rows, where two have the same."""
        names = self.given.names
        if len(set(names)) == len(names):
            return list(names)
        return [f"{name} (row {row})" for row, name in enumerate(names, 1)]

    def index(self, case: object) -> int:
        """The number of the case with this title, counted from 0."""
        if str(case) not in self.titles:
            listed = ", ".join(self.titles[:12]) + (", …" if self.given.n > 12 else "")
            raise ValueError(f"there is no case {shorten(str(case))}; the cases are {listed}")
        return self.titles.index(str(case))

    def checked(self, edits: object) -> list[Edit]:
        """The edits as plain lists, each of them possible."""
        if not isinstance(edits, list | tuple):
            raise ValueError(f"edits is {shorten(edits)}; a list of edits is needed")
        return [self._checked(edit) for edit in edits]

    def _checked(self, edit: object) -> Edit:
        wrong = ValueError(
            f"{shorten(edit)} is no edit; it must be [case from 0 to {self.given.n - 1}, "
            f"steps from {self.low} to {self.high}, class 0 or 1], or [] to begin again"
        )
        if not isinstance(edit, list | tuple):
            raise wrong
        whole = list(edit)
        if not whole:
            return []
        if len(whole) != 3 or not all(type(each) is int or each is None for each in whole):
            raise wrong
        case, steps, label = whole
        if case not in range(self.given.n) or label not in (0, 1):
            raise wrong
        if self.start[case][0] is not None if steps is None else not self.low <= steps <= self.high:
            raise wrong
        return whole

    def after(self, edits: Sequence[Edit]) -> list[Standing]:
        """Where all cases stand after these edits."""
        standing = list(self.start)
        for edit in edits:
            if edit:
                standing[edit[0]] = (edit[1], edit[2])
            else:
                standing = list(self.start)
        return standing

    def cases(self, standing: list[Standing]) -> Cases:
        """The cases where they stand, with exact scores."""
        given = self.given
        if standing == self.start:
            return given
        scores = [
            given.score(case) if steps is None else self.score(steps)
            for case, (steps, _) in enumerate(standing)
        ]
        labels = [label for _, label in standing]
        return Cases(labels, scores, names=given.names, weights=given.weights)

    def order_keys(self) -> list[float]:
        """Numbers in the order of the given scores, in steps where these are whole.

        Scores between two steps are spread evenly there: two that differ by less than doubles
        can tell stay apart, and equal ones equal.
        """
        between: dict[int, list[Fraction]] = {}
        places = [self.place(score) for score in self.given.scores]
        for place in sorted(set(places)):
            if place.denominator != 1:
                between.setdefault(place // 1, []).append(place)
        keys = []
        for place in places:
            key = Fraction(place // 1)
            if place.denominator != 1:
                inside = between[place // 1]
                key += Fraction(inside.index(place) + 1, len(inside) + 1)
            keys.append(float(key))
        return keys

    @property
    def whole(self) -> tuple[str, ...]:
        """The measures that do not depend on the threshold."""
        return RANKED + SCORED if self.probabilities else RANKED


def standing_text(standing: Sequence[Standing]) -> str:
    """Where the cases stand, in one line; the page writes the same."""
    return " ".join(
        f"{'*' if steps is None else steps}{'+' if label else '-'}" for steps, label in standing
    )


def _power_of_ten(number: Fraction) -> int:
    """The largest power of ten that is not larger."""
    if not number:
        return 0
    power = len(str(number.numerator)) - len(str(number.denominator))
    return power if Fraction(10) ** power <= number else power - 1


def step_text(score: Fraction) -> str:
    """The exact score at a step: digits, or a power of ten where they are very many."""
    text = short_decimal(score)
    # No step has more than fifteen digits that are not 0, and so many a double keeps.
    return text if len(text) <= LONGEST_SCORE else repr(float(score))


def case_score(board: Board, case: int, standing: Standing) -> str:
    """The score of a case as people read it."""
    steps = standing[0]
    text = score_text(board.given.score(case)) if steps is None else step_text(board.score(steps))
    return text.replace("-", "−")
