"""A lesson with a question of every kind, as a cell of a notebook would make it."""

from typing import Any

HOSTILE = "<img src=x onerror=alert(1)>"

LESSON = f"""
import binteach as bt
from binteach.exercises import *
from binteach.exercises.lessons import Lesson
from binteach.exercises.plan import Plan

HOSTILE = {HOSTILE!r}
TEN = bt.load("ten_cases")
plan = Plan("every", "Every kind of question", "One of each.")

@plan.exercise
def a_number(draw):
    return bt.question("precision", TEN, top=4)

@plan.exercise
def an_option(draw):
    return option_question(
        "Which of them changes with the share of positive cases?",
        ["the sensitivity, which looks at the positive cases and at nothing else", "the precision"],
        "the precision",
        hints=["Which looks at both classes?"],
    )

@plan.exercise
def counts(draw):
    return counts_question(TEN, at="0.5", rule=">=")

@plan.exercise
def points(draw):
    return points_question("roc", TEN)

@plan.exercise
def hostile_cases(draw):
    cases = bt.Cases([1, 0], [0.9, 0.5], names=[HOSTILE, "b"])
    statement = f"Which of them are called {{HOSTILE}}?"
    return cases_question(statement, cases, [HOSTILE], title=HOSTILE, hints=[HOSTILE])

@plan.exercise
def a_formula(draw):
    return formula_question("Which formula is the sensitivity?", "TP / (TP + FN)")

@plan.exercise
def a_function(draw):
    return bt.question("precision")

@plan.exercise
def an_example(draw):
    none = Condition("tp", lambda counts: counts.tp == 0, lambda counts: f"TP is {{counts.tp}}.")
    return example_question("Find a matrix without TP.", bt.Counts(0, 1, 1, 1), none)

@plan.exercise
def a_hostile_option(draw):
    return option_question(f"Which {{HOSTILE}}?", [HOSTILE, "b"], "b", title=HOSTILE)
"""
NUMBER, OPTION, COUNTS, POINTS, CASES, FORMULA, FUNCTION, EXAMPLE, HOSTILE_OPTION = range(1, 10)


def every_question(seed: str = "a") -> Any:
    """The lesson."""
    names: dict[str, Any] = {}
    exec(LESSON, names)
    return names["Lesson"](names["plan"], seed)
