"""What a student reads: mistakes over every kind of question, and the reply to each, word by word.

A reply names the mistake or says what can be written; it fits the place where it is read, so that
it speaks of numbers where numbers are asked for and of formulas where formulas are.
"""

from collections.abc import Callable
from typing import Any

import pytest

import binteach as bt
from binteach.exercises import (
    Outcome,
    Question,
    WrongFormula,
    cases_question,
    counts_question,
    formula_question,
    option_question,
    points_question,
    value_question,
)

TEN = bt.load("ten_cases")
NUMBER = (
    "Write a number such as 3/4, 0.75, 0,75 or 75 %; "
    "roots and logarithms as sqrt(6), log2(3) or ln 2."
)
MATRIX = "Write it as bt.Counts(tp=3, fp=1, fn=2, tn=4) or 'TP=3, FP=1, FN=2, TN=4'."


def precision() -> Question:
    return bt.question("precision", TEN, top=4)


def matrix() -> Question:
    return counts_question(TEN, top=4)


def cases() -> Question:
    return cases_question("Which cases are called positive?", TEN, [10, 9, 8, 7])


def points() -> Question:
    return points_question("roc", TEN)


def formula() -> Question:
    return formula_question(
        "Which formula is the precision?",
        "TP / (TP + FP)",
        mistakes=[WrongFormula("recall", "TP / (TP + FN)", "the sensitivity")],
    )


def option() -> Question:
    return option_question("Which?", ["precision", "recall"], "recall")


def how_many() -> Question:
    return value_question("How many negatives are called positive?", 1)


def function() -> Question:
    return bt.question("precision")


def sensitivity(tp: int, fp: int, fn: int, tn: int) -> float:
    return tp / (tp + fn) if tp + fn else 0


def of_two(tp: int, fp: int) -> float:
    return tp / (tp + fp)


def printing(tp: int, fp: int, fn: int, tn: int) -> None:
    print(tp / (tp + fp))


REPLIES: list[tuple[Callable[[], Question], Any, str, str]] = [
    (precision, None, "not_attempted", "Give an answer, then check again."),
    (precision, "nonsense", "not_understood", f"“nonsense” is not known here. {NUMBER}"),
    (precision, "3/4/", "not_understood", f"The answer stops in the middle. {NUMBER}"),
    (precision, "TP/(TP+FP)", "not_understood", "Put the numbers in for TP, FP, FN and TN."),
    (
        precision,
        "3/5",
        "incorrect",
        "3/5 is the sensitivity, TP / (TP + FN): of the positive cases, the share that was called "
        "positive. It divides by the cases that are really positive; the precision divides by the "
        "cases called positive. Also: 3/5 is TP with 4 cases called positive, divided by TP + FP "
        "with 5.",
    ),
    (
        precision,
        "3/3+1",
        "incorrect",
        "Brackets are missing: the / divides only what stands next to it.",
    ),
    (
        precision,
        "0.749",
        "incorrect",
        "0.749 is near, but off by about 0.001. Keep fractions, or more digits, until the last "
        "line.",
    ),
    (precision, "0.76", "incorrect", "That is not the value. Try again, or ask for a hint."),
    (
        precision,
        "0.8",
        "correct_but",
        "0.8 is right, but rounded too far: give at least 2 decimals.",
    ),
    (how_many, "100", "incorrect", "That is not the value. Try again, or ask for a hint."),
    (matrix, [[3, 1], [2, 4]], "not_understood", f"Say which count is which. {MATRIX}"),
    (matrix, "TP=3, FP=1", "not_understood", "FN and TN are not given."),
    (
        matrix,
        {"tp": 3, "fp": "x", "fn": 2, "tn": 4},
        "not_understood",
        "FP is no number: write a count, such as FP = 3.",
    ),
    (matrix, (1, 3, 2, 4), "incorrect", "TP and FP are not right."),
    (matrix, (3, 2, 1, 4), "incorrect", "These are the counts with FP and FN exchanged."),
    (
        matrix,
        (3, 1, 2, 3),
        "incorrect",
        "These are 9 cases, and there are 10. Also: TN is not right.",
    ),
    (cases, "10, 9, 77", "not_understood", "There is no case “77” in the data."),
    (cases, "10, 9, 6", "incorrect", "6 does not belong to them. 2 cases are missing."),
    (points, "(0,0),(1,1)", "incorrect", "There are 11 points, and you give 2."),
    (option, "c", "not_understood", "Choose one of these, by its letter: a) precision; b) recall."),
    (option, "a", "incorrect", "“precision” is not right."),
    (
        formula,
        "TP/P",
        "not_understood",
        "“P” is not known here. Write a formula in TP, FP, FN, TN, with + - * / and brackets.",
    ),
    (
        formula,
        "tp/tp+fp",
        "incorrect",
        "Brackets are missing: the / divides only what stands next to it. Also: For TP = 1, "
        "FP = 1, FN = 0, TN = 0 your formula gives 2, where it is 1/2.",
    ),
    (
        function,
        sensitivity,
        "incorrect",
        "For tp=1, fp=0, fn=1, tn=0 your function gives 0.5; the precision is 1. Also: each wrong "
        "number that it gives is the sensitivity, TP / (TP + FN): of the positive cases, the share "
        "that was called positive.",
    ),
    (
        function,
        of_two,
        "incorrect",
        "Your function raises TypeError (of_two() takes 2 positional arguments but 4 were given), "
        "for tp=0, fp=1, fn=0, tn=0. It is called as f(tp, fp, fn, tn).",
    ),
    (
        function,
        printing,
        "incorrect",
        "Your function prints and gives nothing back: end it with return.",
    ),
]


@pytest.mark.parametrize(
    ("make", "answer", "status", "message"),
    REPLIES,
    ids=[f"{make.__name__}-{place}" for place, (make, *_) in enumerate(REPLIES)],
)
def test_a_mistake_is_told_in_these_words(
    make: Callable[[], Question], answer: Any, status: str, message: str
) -> None:
    outcome = make().check(answer)
    assert (outcome.status, outcome.message) == (status, message)


def test_an_error_carried_forward_names_the_question_that_it_comes_from() -> None:
    first = matrix()
    first.number = 2
    second = bt.question("precision", TEN, top=4, follows=first)
    first.check((2, 2, 3, 3))
    outcome = second.check("1/2")
    assert outcome.status == "correct_but"
    assert outcome.message == (
        "1/2 is what follows from your answer to “Question 2: Confusion matrix”, which was "
        "not right. Your work here is right: the error is carried forward from there."
    )
    first.check((1, 2, 4, 3))
    assert second.check("0.33").message.startswith("0.33 is, rounded, what follows from your")


def test_a_measure_with_one_denominator_at_all_cuts_mixes_no_cuts() -> None:
    for key in ("sensitivity", "lift"):
        question = bt.question(key, TEN, top=4)
        keys = [each.key for each in question.check(bt.value(key, TEN, top=5)).diagnoses]
        assert "neighbouring_cut" in keys
        assert "mixed_cuts" not in keys


def test_what_a_function_prints_does_not_bury_the_reply(capsys: pytest.CaptureFixture[str]) -> None:
    function().check(printing)
    assert capsys.readouterr().out == ""


def test_an_outcome_in_a_console_is_read_in_lines() -> None:
    shown = repr(precision().check("3/5"))
    assert shown.startswith(
        "✗ Not correct: 3/5 is the sensitivity, TP / (TP + FN): of the positive"
    )
    assert max(map(len, shown.splitlines())) <= 80
    assert repr(precision().check("0.8")) == (
        "✓ Correct, with a note: 0.8 is right, but rounded too far: give at least 2\ndecimals."
    )


def test_giving_up_says_how_many_hints_are_left() -> None:
    question = precision()
    question.hint(2)
    assert str(question.solution()).replace("\n", " ").endswith("There is 1 hint left.")
    asked_once = "Do you want to give up? Then ask for the solution once more."
    assert str(how_many().solution()) == asked_once


def test_what_counts_is_the_last_answer_until_one_is_right() -> None:
    question = precision()
    assert question.kept is None
    question.check()
    assert question.kept is None
    for answer, status in (("3/5", "incorrect"), ("x", "not_understood"), ("0.8", "correct_but")):
        outcome = question.check(answer)
        assert question.kept == outcome
        assert (outcome.status, outcome.record["status"]) == (status, status)
    question.check("3/5")
    assert isinstance(question.kept, Outcome)
    assert question.kept.status == "correct_but"
    question.check("3/4")
    assert question.kept.status == "correct"
