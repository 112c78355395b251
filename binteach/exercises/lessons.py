"""Lessons: the exercises of the bank on data of a student's own.

lesson = bt.lesson("roc", seed="student-17")
lesson.q1.ask(); lesson.q1.check("4/5")
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING

from binteach.exact import shorten
from binteach.exercises import notebook
from binteach.exercises.plan import Exercise, Plan
from binteach.exercises.question import Question

if TYPE_CHECKING:
    from binteach.exercises.live import LiveCard

NAMES = (
    "counts",
    "elementary",
    "composite",
    "losses",
    "gain_lift",
    "roc",
    "precision_recall",
    "quota",
    "compare",
    "inference",
)
DEFAULT_SEED = "binteach"
LONGEST_SEED = 200


def plan(name: str) -> Plan:
    """What the bank has for a lesson."""
    found: Plan = import_module(f"binteach.exercises.bank.{name}").plan
    return found


def lessons() -> dict[str, str]:
    """The name of every lesson, with one line about it.

    >>> list(lessons())[:3]
    ['counts', 'elementary', 'composite']
    """
    return {name: plan(name).about for name in NAMES}


def lesson(name: str, seed: str | int | None = None) -> Lesson:
    """A lesson by its name; the same seed gives the same questions, everywhere.

    Other seeds give other data of the same difficulty, so that every student of a class can have
    questions of their own.

    >>> lesson("counts", seed="student-17")
    Lesson('counts', seed='student-17')
    """
    wanted = re.sub(r"[\s-]+", "_", name.strip().lower()) if isinstance(name, str) else name
    if wanted not in NAMES:
        near = get_close_matches(str(wanted), NAMES, n=1)
        hint = f"did you mean {near[0]!r}? Lessons" if near else "lessons"
        raise ValueError(f"there is no lesson {shorten(name)}; {hint} are {', '.join(NAMES)}")
    read = _read_seed(seed)
    notebook.prepare(Question)
    return Lesson(plan(wanted), read)


def _read_seed(seed: object) -> str:
    if seed is None:
        return DEFAULT_SEED
    if isinstance(seed, bool) or not isinstance(seed, str | int):
        raise ValueError(f"seed is {shorten(seed)}; it must be text or a whole number")
    text = str(seed)
    if not 0 < len(text) <= LONGEST_SEED:
        raise ValueError(f"seed has {len(text)} characters; give 1 to {LONGEST_SEED}")
    return text


class Lesson:
    """The questions of a lesson: lesson.q1, lesson.question(1), or one after the other."""

    def __init__(self, plan: Plan, seed: str) -> None:
        self.name, self.title, self.about, self.seed = plan.name, plan.title, plan.about, seed
        # Which part of which exercise each question is; made when it is first looked at.
        self._places: list[tuple[Exercise, int]] = [
            (exercise, part) for exercise in plan.exercises for part in range(exercise.parts)
        ]
        self._made: dict[str, tuple[Question, ...]] = {}

    def question(self, n: int) -> Question:
        """The n-th question, counted from 1."""
        if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= len(self):
            raise ValueError(f"n is {shorten(n)}; this lesson has the questions 1 to {len(self)}")
        exercise, part = self._places[n - 1]
        if exercise.key not in self._made:
            self._made[exercise.key] = exercise.questions(self.seed)
        found = self._made[exercise.key][part]
        found.number, found.seed = n, self.seed
        return found

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Question]:
        return (self.question(n) for n in range(1, len(self) + 1))

    def __getattr__(self, name: str) -> Question:
        if name.startswith("_"):  # asked for by copy, before there is any question
            raise AttributeError(name)
        if not re.fullmatch(r"q\d{1,3}", name):
            raise AttributeError(f"a lesson has no {name!r}; its questions are q1 to q{len(self)}")
        try:
            return self.question(int(name[1:]))
        except ValueError as wrong:
            raise AttributeError(str(wrong)) from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(f"q{n}" for n in range(1, len(self) + 1))]

    def progress(self) -> tuple[int, int]:
        """How many questions are solved, and how many there are."""
        made = [question for questions in self._made.values() for question in questions]
        return sum(question.solved for question in made), len(self)

    def card(self) -> LiveCard:
        """The questions one after the other, with a field for the answer and buttons."""
        from binteach.exercises.live import LiveCard

        return LiveCard(self, list(self))

    def __repr__(self) -> str:
        seed = "" if self.seed == DEFAULT_SEED else f", seed={self.seed!r}"
        return f"Lesson({self.name!r}{seed})"

    def __str__(self) -> str:
        solved, all_ = self.progress()
        listed = [
            f"{n}. {question.title}{' ✓' * question.solved}" for n, question in enumerate(self, 1)
        ]
        return "\n".join([f"{self.title}: {self.about}", *listed, f"{solved} of {all_} solved"])

    def _repr_html_(self) -> str:
        solved, all_ = self.progress()
        listed = "".join(
            f"<li>{escape(question.title)}{' ✓' * question.solved}</li>" for question in self
        )
        return (
            f'<div class="binteach"><p><strong>{escape(self.title)}.</strong> '
            f"{escape(self.about)}</p><ol>{listed}</ol><p>{solved} of {all_} solved</p></div>"
        )
