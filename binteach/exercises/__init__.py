"""Exercises that know your mistake: questions, answers, diagnoses."""

from binteach.exercises.answers import PLACEHOLDER
from binteach.exercises.mistakes import Mistake
from binteach.exercises.outcome import Diagnosis, Outcome
from binteach.exercises.question import (
    Question,
    cases_question,
    counts_question,
    option_question,
    points_question,
    question,
    value_question,
)

__all__ = [
    "PLACEHOLDER",
    "Diagnosis",
    "Mistake",
    "Outcome",
    "Question",
    "cases_question",
    "counts_question",
    "option_question",
    "points_question",
    "question",
    "value_question",
]
