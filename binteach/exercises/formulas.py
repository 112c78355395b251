"""Formulas that students write: compared with the right one at many points, never simplified.

Two quotients of polynomials that agree at all these points are the same formula for every
confusion matrix that a student meets; where they differ, the smallest such matrix is shown.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True)
class WrongFormula:
    """A formula that is a known mistake; `says` continues "this is …"."""

    key: str
    formula: str
    says: str
    remedy: str = ""


@dataclass(frozen=True)
class FormulaGoal:
    """A formula in given names, in any form that equals the right one."""

    formula: str
    names: tuple[str, ...]
    mistakes: tuple[WrongFormula, ...] = ()
    solution: str = ""

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
        large = [tuple(draw.whole(1, 50) for _ in self.names) for _ in range(LARGE)]
        found = []
        for numbers in (*few, *large):
            at = dict(zip(self.names, map(exact.exact, numbers), strict=True))
            try:
                found.append((at, read_expression(self.formula, at)))
            except Unreadable:
                continue  # the right formula has no value there
        return [*found[: MOST_POINTS - LARGE], *found[-LARGE:]]

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
        differs = self._differs(text, [value for _, value in self.points])
        if differs is None:
            return Outcome("correct", f"{short_text(text.strip(), 80)} is right.")
        found = [BRACKETS] if self._is_right(with_brackets(text)) else []
        found += [
            Diagnosis(each.key, f"This is {each.says}.", remedy=each.remedy)
            for each in self.mistakes
            if self._differs(text, self._values(each.formula)) is None
        ]
        return incorrect([*found, Diagnosis("smallest_example", differs)], differs)

    def _is_right(self, text: str) -> bool:
        try:
            return self._differs(text, [value for _, value in self.points]) is None
        except Unreadable:  # brackets in the wrong places
            return False

    def _values(self, formula: str) -> list[Exact | None]:
        return [_value(formula, at) for at, _ in self.points]

    def _differs(self, text: str, wanted: Sequence[Exact | None]) -> str | None:
        """Where the formula differs first, in a sentence; None where it does nowhere."""
        for (at, _), value in zip(self.points, wanted, strict=True):
            mine = _value(text, at)
            if mine is None and value is None:
                continue
            where = ", ".join(f"{name} = {number}" for name, number in at.items())
            if mine is None:
                return f"For {where} your formula divides by zero, and the right one does not."
            if value is None or near(mine) != near(value):
                right = "undefined" if value is None else _written(value)
                return f"For {where} your formula gives {_written(mine)}, where it is {right}."
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


def _written(value: Any) -> str:
    public = str(exact.public(value))
    return public if len(public) <= 24 else exact.rounded(value, 6)
