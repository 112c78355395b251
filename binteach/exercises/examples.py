"""Examples that students find: any confusion matrix that meets the conditions is right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from binteach.cases import Counts, Undefined
from binteach.exercises.answers import COUNTS_READABLE, read_counts
from binteach.exercises.card import Card
from binteach.exercises.outcome import Diagnosis, Outcome, incorrect
from binteach.render.words import Heading, Say

LARGEST = 10**6  # cases


@dataclass(frozen=True)
class Condition:
    """What an example must meet: `holds` tells whether it does, `unless` says what it is if not."""

    key: str
    holds: Callable[[Counts], bool]
    unless: Callable[[Counts], str]


@dataclass(frozen=True)
class ExampleGoal:
    """A confusion matrix that meets every condition; `example` is one of many."""

    conditions: tuple[Condition, ...]
    example: Counts
    why: str = ""

    entry = "cells"
    form = (
        f"Give a confusion matrix; every one that meets the conditions is right. {COUNTS_READABLE}."
    )

    def right(self) -> Counts:
        """An example that is right."""
        return self.example

    def wrong(self, key: str, about: str) -> None:
        """No matrix follows from a condition."""

    def judge(self, given: object, carry: object) -> Outcome:
        """The outcome, with the conditions that are not met."""
        del carry
        counts = read_counts(given)
        if counts.n > LARGEST:
            sentence = f"These are {counts.n} cases; find an example with at most {LARGEST}."
            return incorrect([Diagnosis("too_large", sentence)], sentence)
        found = []
        for condition in self.conditions:
            try:
                if not condition.holds(counts):
                    found.append(Diagnosis(condition.key, condition.unless(counts)))
            except Undefined as undefined:
                sentence = f"On this matrix there is no value: {undefined.reason}."
                found.append(Diagnosis("undefined_here", sentence, condition.key))
        if found:
            return incorrect(found, found[0].sentence)
        return Outcome("correct", "This example meets every condition.")

    def worked(self) -> Card:
        """An example and why it is one."""
        said = f"{self.example!r} is an example. {self.why}".strip()
        return Card(Heading("Solution"), Say((said,)))
