"""How the bank declares its exercises: a plan for each lesson, a function for each exercise.

    plan = Plan("counts", "Counts", "From a ranking and a line to the confusion matrix.")

    @plan.exercise
    def precision_of_a_matrix(draw: Draw) -> Question:
        counts = draw.counts()
        return question("precision", counts).naming("another_measure:sensitivity", "not_divided")

The function makes the question from a source of random choices; `naming` says which mistakes it
must tell apart. Data on which it cannot are drawn again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from binteach.exercises.draw import Draw
from binteach.exercises.question import Question

Maker = Callable[[Draw], "Question | tuple[Question, ...]"]
MOST_TRIES = 500
# Exercises that draw nothing are the same for every seed, so that they need to be tried only once.
TRIED: set[Maker] = set()


@dataclass(frozen=True)
class Exercise:
    """One exercise of a lesson; it has several questions where they build on each other."""

    key: str
    make: Maker
    parts: int = 1

    def question_keys(self) -> list[str]:
        """The names of its questions: its own, with a letter for each of several."""
        if self.parts == 1:
            return [self.key]
        return [f"{self.key}.{letter}" for letter in "abcdefgh"[: self.parts]]

    def questions(self, seed: object) -> tuple[Question, ...]:
        """The questions for a seed, on data that tell the named mistakes apart."""
        blurred: list[str] = []
        for attempt in range(MOST_TRIES):
            draw = Draw(seed, self.key, attempt)
            made = self.make(draw)
            made = made if isinstance(made, tuple) else (made,)
            if self.make not in TRIED:
                blurred = [f"{n.key}:{n.about}" for q in made for n in q.not_told_apart()]
            if not blurred:
                if not draw.drawn:
                    TRIED.add(self.make)
                for question, key in zip(made, self.question_keys(), strict=True):
                    question.key = key
                return made
        raise RuntimeError(f"no data tell the mistakes of {self.key} apart: {', '.join(blurred)}")


@dataclass(frozen=True)
class Plan:
    """A lesson before it is seeded: its name, its title, one line about it, its exercises."""

    name: str
    title: str
    about: str
    exercises: list[Exercise] = field(default_factory=list)

    def question_keys(self) -> list[str]:
        """The names of all its questions, in their order."""
        return [key for exercise in self.exercises for key in exercise.question_keys()]

    def exercise(self, make: Maker) -> Maker:
        """Declare an exercise: its key is the function's name, its place that in the file."""
        return self.parts(1)(make)

    def parts(self, number: int) -> Callable[[Maker], Maker]:
        """Declare an exercise of several questions: the function gives a tuple of them."""

        def declared(make: Maker) -> Maker:
            self.exercises.append(Exercise(f"{self.name}.{make.__name__}", make, number))
            return make

        return declared
