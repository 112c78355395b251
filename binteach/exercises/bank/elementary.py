"""Elementary measures: one quotient of the confusion matrix each."""

from __future__ import annotations

from binteach.exercises.draw import Draw
from binteach.exercises.plan import Plan
from binteach.exercises.question import Question, counts_question, question

plan = Plan(
    "elementary",
    "Elementary measures",
    "Read accuracy, sensitivity, precision and their relatives off a confusion matrix.",
)


@plan.exercise
def precision_of_a_matrix(draw: Draw) -> Question:
    return question("precision", draw.counts()).naming(
        "another_measure:sensitivity", "another_measure:false_discovery_rate", "reciprocal"
    )


@plan.parts(2)
def precision_at_a_cut(draw: Draw) -> tuple[Question, Question]:
    cases, top = draw.cases(), draw.whole(3, 6)
    matrix = counts_question(cases, top=top).naming(
        "transposed", "classes_exchanged", "neighbouring_cut"
    )
    precision = question("precision", cases, top=top, follows=matrix)
    return matrix, precision.naming(
        "another_measure:sensitivity", "neighbouring_cut", "not_divided"
    )
