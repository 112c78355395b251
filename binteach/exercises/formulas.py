"""Formulas that students write: compared with the right one at many points, never simplified.

Two quotients of polynomials that agree at all these points are the same formula for every
confusion matrix that a student meets; where they differ, the smallest such matrix is shown.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from binteach import exact
from binteach.exact import Exact, short_text
from binteach.exercises.card import Card
from binteach.exercises.draw import Draw
from binteach.exercises.grammar import (
    DividesByZero,
    Unreadable,
    near,
    read_expression,
    with_brackets,
)
from binteach.exercises.outcome import BRACKETS, Diagnosis, Outcome, incorrect
from binteach.render.words import Heading, Say

MOST_POINTS = 60
LARGE = 12  # points with larger numbers, after all the small ones
MOST_DRAWN = 1000


@dataclass(frozen=True)
class WrongFormula:
    """A formula that is a known mistake; `says` continues "this is …"."""

    key: str
    formula: str
    says: str
    remedy: str = ""


@dataclass(frozen=True)
class FormulaGoal:
    """A formula in given names, in any form that equals the right one.

    `possible` tells whether the names can have these numbers at once; `shares` says that they are
    between 0 and 1, and not whole numbers.
    """

    formula: str
    names: tuple[str, ...]
    mistakes: tuple[WrongFormula, ...] = ()
    solution: str = ""
    possible: Callable[..., bool] = lambda **at: True
    shares: bool = False

    entry = "line"

    @property
    def form(self) -> str:
        """What may be written."""
        listed, first, last = ", ".join(self.names), self.names[0], self.names[-1]
        return (
            f"Write a formula in {listed} as text, such as '({first} + 1) / {last}'; "
            "any form that equals the right one is right."
        )

    @cached_property
    def points(self) -> list[tuple[dict[str, Exact], Exact]]:
        """Numbers for the names, the smallest first, and the right value there."""
        draw = Draw("formula", *self.names)
        small = itertools.product(range(4), repeat=len(self.names))
        few = sorted(small, key=lambda numbers: (sum(numbers), numbers))
        large = (tuple(draw.whole(1, 50) for _ in self.names) for _ in range(MOST_DRAWN))
        quarters, fiftieths = (4, 50) if self.shares else (1, 1)
        return [
            *self._usable(few, quarters, MOST_POINTS - LARGE),
            *self._usable(large, fiftieths, LARGE),
        ]

    def _usable(
        self, points: Iterable[tuple[int, ...]], parts: int, most: int
    ) -> Iterator[tuple[dict[str, Exact], Exact]]:
        """The first points that are possible and at which the right formula has a value."""
        for numbers in points:
            at = {
                name: Fraction(number, parts)
                for name, number in zip(self.names, numbers, strict=True)
            }
            if most == 0:
                return
            if not self.possible(**at):
                continue
            try:
                yield dict(at), read_expression(self.formula, at)
            except Unreadable:
                continue
            most -= 1

    def right(self) -> str:
        """The right answer."""
        return self.formula

    def wrong(self, key: str, about: str) -> str | None:
        """The formula that this mistake leads to."""
        del about
        return next((each.formula for each in self.mistakes if each.key == key), None)

    def judge(self, given: object, carry: object) -> Outcome:
        """The outcome, with the smallest numbers on which the formula is wrong."""
        del carry
        if not isinstance(given, str):
            raise Unreadable(f"A formula is asked for, as text. {self.form}")
        text = given.partition("=")[2] if given.count("=") == 1 else given
        mine = list(self._values(text))
        differs = self._differs(mine, self._right())
        if differs is not None:
            found = [BRACKETS] if self._is_right(with_brackets(text)) else []
            found += [
                Diagnosis(each.key, f"This is {each.says}.", remedy=each.remedy)
                for each in self.mistakes
                if self._differs(mine, self._values(each.formula)) is None
            ]
            return incorrect([*found, Diagnosis("smallest_example", differs)], differs)
        written = short_text(text.strip(), 80)
        hole = self._hole(mine)
        if hole is not None:
            return Outcome("correct_but", f"{written} is right, but {hole.sentence}", (hole,))
        return Outcome("correct", f"{written} is right.")

    def _is_right(self, text: str) -> bool:
        try:
            return self._differs(list(self._values(text)), self._right()) is None
        except Unreadable:  # brackets in the wrong places
            return False

    def _right(self) -> Iterator[Exact]:
        return (value for _, value in self.points)

    def _values(self, formula: str) -> Iterator[Exact | None]:
        return (_value(formula, at) for at, _ in self.points)

    def _differs(self, mine: Sequence[Exact | None], wanted: Iterable[Exact | None]) -> str | None:
        """Where two formulas differ first of the points at which both have a value."""
        for (at, _), value, other in zip(self.points, mine, wanted, strict=True):
            if value is not None and other is not None and near(value) != near(other):
                gives = f"your formula gives {_written(value)}, where it is {_written(other)}"
                return f"For {_words(at)} {gives}."
        if all(value is None for value in mine):
            return "Your formula always divides by zero."
        return None

    def _hole(self, mine: Sequence[Exact | None]) -> Diagnosis | None:
        """The first point at which the formula has no value and the right one has."""
        for (at, _), value in zip(self.points, mine, strict=True):
            if value is None:
                sentence = (
                    f"it divides by zero for {_words(at)}, and there is a form that does not."
                )
                return Diagnosis("divides_by_zero", sentence)
        return None

    def worked(self) -> Card:
        """The formula and the way to it."""
        said = f" {self.solution}" if self.solution else ""
        return Card(Heading("Solution"), Say((f"{self.formula}.{said}",)))


def _value(formula: str, at: dict[str, Exact]) -> Exact | None:
    try:
        return read_expression(formula, at)
    except DividesByZero:
        return None


def _words(at: dict[str, Exact]) -> str:
    return ", ".join(f"{name} = {number}" for name, number in at.items())


def _written(value: Any) -> str:
    public = str(exact.public(value))
    return public if len(public) <= 24 else exact.rounded(value, 6)
