"""Exercises that know your mistake: questions, answers, diagnoses."""

from binteach.exercises.answers import PLACEHOLDER
from binteach.exercises.examples import Condition
from binteach.exercises.formulas import WrongFormula
from binteach.exercises.goals import WrongCases
from binteach.exercises.lessons import Lesson, lesson, lessons
from binteach.exercises.mistakes import Mistake
from binteach.exercises.outcome import Diagnosis, Outcome
from binteach.exercises.question import (
    Named,
    Question,
    cases_question,
    counts_question,
    example_question,
    formula_question,
    option_question,
    points_question,
    question,
    value_question,
)

__all__ = [
    "PLACEHOLDER",
    "Condition",
    "Diagnosis",
    "Lesson",
    "Mistake",
    "Named",
    "Outcome",
    "Question",
    "WrongCases",
    "WrongFormula",
    "cases_question",
    "counts_question",
    "example_question",
    "formula_question",
    "lesson",
    "lessons",
    "option_question",
    "points_question",
    "question",
    "value_question",
]
