"""Questions: every form of the right answer is right, every other answer gets its outcome."""

import builtins
import random
import sys
import time
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
import sympy

import binteach as bt
from binteach import exact
from binteach.exercises import (
    PLACEHOLDER,
    Mistake,
    WrongCases,
    cases_question,
    counts_question,
    functions,
    option_question,
    points_question,
    value_question,
)

TEN = bt.load("ten_cases")
STATUSES = {"correct", "correct_but", "incorrect", "not_attempted", "not_understood"}
TRIPLETS = [((0, 0), (1, 0), (0, 3)), ((0, 0), (2, 0), (1, 1))]


def seeded(seed: int, n: int = 9) -> bt.Cases:
    """Cases of both classes without ties."""
    rng = random.Random(seed)
    labels = [1, 0, *(rng.randrange(2) for _ in range(n - 2))]
    rng.shuffle(labels)
    return bt.Cases(labels, [Fraction(score, 100) for score in rng.sample(range(3, 97), n)])


def asked(key: str, seed: int = 1) -> bt.Question:
    """A question on this measure, on seeded data."""
    takes = bt.MEASURES[key].takes
    cases = seeded(seed)
    if takes == "triplets":
        return bt.question(key, TRIPLETS, margin=3)
    if takes == "classes":
        return bt.question(key, {"a": cases, "b": seeded(seed + 100)})
    params: dict[str, Any] = {"top": 4} if "top" in bt.MEASURES[key].accepts else {}
    if key == "decile_lift":
        cases = seeded(seed, 20)
    return bt.question(key, cases, **params)


def status(question: bt.Question, answer: object) -> str:
    return question.check(answer).status


# The right answer in every form -----------------------------------------------------------------


@pytest.mark.parametrize("key", bt.MEASURES)
def test_the_right_answer_is_right_in_every_form(key: str) -> None:
    question = asked(key)
    value = question.goal.right()
    assert value != "undefined"
    digits = exact.rounded(value, 6)
    forms: dict[str, Any] = {
        "as it is": value,
        "float": float(value),
        "numpy": np.float64(float(value)),
        "repr of the float": repr(float(value)),
        "text of six digits": digits,
        "two digits": exact.rounded(value, 2),
        "Decimal": Decimal(digits),
        "German": digits.replace(".", ","),
        "percent": f"{exact.rounded(100 * value, 4)} %",
        "with its name": f"value = {digits}",
        "sympy": sympy.sympify(value),
    }
    if len(str(value)) < 150:
        forms["text of the value"] = str(value)
    if isinstance(value, Fraction):
        forms["text"] = f"{value.numerator}/{value.denominator}"
        forms["ratio"] = f"{value.numerator} : {value.denominator}"
    for name, form in forms.items():
        assert status(question, form) == "correct", (name, form)
    assert question.solved


@pytest.mark.parametrize("key", bt.MEASURES)
def test_answers_that_are_nearly_right_are_told_apart(key: str) -> None:
    question = asked(key)
    value = question.goal.right()
    if isinstance(value, Fraction):
        found = question.check(f"{2 * value.numerator}/{2 * value.denominator}")
        assert found.status == "correct_but"
        assert found.diagnoses[0].key == "not_in_lowest_terms"
    near = Fraction(exact.rounded(value, 40))
    cut = Fraction(int(near * 1000), 1000)
    if exact.rounded(cut, 3) != exact.rounded(value, 3) and cut:
        found = question.check(exact.rounded(cut, 3))
        assert (found.status, found.diagnoses[0].key) == ("incorrect", "truncated")
    coarse = exact.rounded(value, 1)
    if Fraction(coarse) != near and abs(near) > Fraction(1, 10):
        assert status(question, coarse) == "correct_but"
    if not near:
        return
    hundredfold = exact.rounded(100 * value, 3)
    found = question.check(hundredfold)
    assert found.status == "incorrect"
    assert "percentage" in {diagnosis.key for diagnosis in found.diagnoses}


def test_the_precision_that_is_asked_for_counts() -> None:
    four = bt.question("sensitivity", bt.Counts(2, 0, 1, 0), places=4)
    assert status(four, "0.6667") == "correct"
    assert status(four, "0.66667") == "correct"
    assert status(four, "0.67") == "correct_but"
    assert "4 decimals" in four.check("0.67").message
    one = bt.question("sensitivity", bt.Counts(2, 0, 1, 0), places=1)
    assert status(one, "0.7") == "correct"


def test_the_example_of_the_design() -> None:
    question = bt.question("precision", TEN, top=4)
    outcome = question.check("3/5")
    assert outcome.status == "incorrect"
    assert outcome.diagnoses[0].key == "another_measure"
    assert outcome.diagnoses[0].about == "sensitivity"
    assert outcome.message.startswith("3/5 is the sensitivity")
    assert "really positive" in outcome.message
    found = question.check(75)
    assert (found.status, found.diagnoses[0].key) == ("incorrect", "percentage")


# Not attempted, not understood ------------------------------------------------------------------

MISSING = [None, ..., "", "  ", "...", "____", PLACEHOLDER, [...]]
GARBAGE: list[Any] = [
    "garbage",
    "1 2",
    object(),
    [1, 2],
    {"a": 1},
    True,
    1j,
    print,
    b"1",
    "__import__('os')",
]


def every_kind() -> list[bt.Question]:
    return [
        asked("precision"),
        bt.question("precision", bt.Counts(0, 0, 2, 3)),
        bt.question("precision"),
        bt.question("auc"),
        counts_question(TEN, top=4),
        cases_question("Which negatives are called positive?", TEN, [8]),
        points_question("roc", TEN),
        option_question("Which?", ["the precision", "the recall"], "the recall"),
        value_question("How many?", 3),
    ]


@pytest.mark.parametrize(
    "answer",
    MISSING,
    ids=lambda value: repr(value)[:40] if "0x" not in repr(value) else type(value).__name__,
)
def test_an_untouched_answer_is_not_attempted(answer: object) -> None:
    for question in every_kind():
        assert status(question, answer) == "not_attempted"
        assert question.check().status == "not_attempted"
        assert question.last is None


@pytest.mark.parametrize(
    "answer",
    GARBAGE,
    ids=lambda value: repr(value)[:40] if "0x" not in repr(value) else type(value).__name__,
)
def test_garbage_is_not_understood_and_told_what_can_be_read(answer: object) -> None:
    for question in (asked("precision"), asked("log_loss"), value_question("How many?", 3)):
        outcome = question.check(answer)
        assert outcome.status == "not_understood"
        assert len(outcome.message) > 20


# Undefined --------------------------------------------------------------------------------------


def test_where_a_measure_is_undefined_that_is_the_answer() -> None:
    question = bt.question("precision", bt.Counts(0, 0, 2, 3))
    for right in ("undefined", float("nan"), "not defined", bt.Undefined("none"), np.nan):
        outcome = question.check(right)
        assert outcome.status == "correct"
        assert "no case was called positive" in outcome.message
    assert status(question, "0/0") == "correct_but"
    for wrong, key in ((0, "taken_as_zero"), ("1", "taken_as_one"), ("∞", "infinite")):
        outcome = question.check(wrong)
        assert (outcome.status, outcome.diagnoses[0].key) == ("incorrect", key)
    assert "undefined" in str(question.solution()) or question.solved


def test_undefined_is_wrong_where_there_is_a_value() -> None:
    for answer in ("undefined", "0/0", float("inf")):
        outcome = asked("precision").check(answer)
        assert outcome.status == "incorrect"
        assert outcome.diagnoses[0].key == "undefined_where_defined"


# The verbs --------------------------------------------------------------------------------------


def test_asking_shows_statement_data_and_form() -> None:
    text = str(bt.question("precision", TEN, top=4).ask())
    for words in ("Precision", "the 4 top-ranked cases", "0.95", "2 decimals", "undefined"):
        assert words in text.replace("\n", " ")
    assert "the cut" not in text  # finding it is the exercise
    text = str(bt.question("f_beta", bt.Counts(3, 1, 2, 4), beta=2))
    for words in ("really positive", "beta = 2"):
        assert words in text
    assert "score at least 0.5" in bt.question("precision", TEN, at=0.5, rule=">=").statement


def test_hints_come_one_after_the_other_and_by_number() -> None:
    question = bt.question("precision", TEN, top=4)
    assert "share that really is positive" in str(question.hint())
    assert "TP / (TP + FP)" in str(question.hint())
    assert "3 / (3 + 1)" in str(question.hint())
    assert str(question.hint()) == str(question.hint(3))
    assert "Hint 1 of 3" in str(question.hint(1))
    for wrong in (0, 4, "1", True, 1.0):
        with pytest.raises(ValueError, match="1 to 3"):
            question.hint(wrong)  # type: ignore[arg-type]
    assert "no hint" in str(value_question("How many?", 3).hint())


@pytest.mark.parametrize("key", bt.MEASURES)
def test_every_measure_has_hints_and_a_solution(key: str) -> None:
    question = asked(key)
    assert len(question.hints) >= 2
    assert "give up" in str(question.solution())
    solution = question.solution()
    assert isinstance(solution, bt.Derivation)
    assert solution.value == question.goal.right()


def test_the_solution_asks_once_unless_the_question_is_answered() -> None:
    question = bt.question("precision", TEN, top=4)
    question.check("3/5")
    assert "give up" in str(question.solution())
    assert isinstance(question.solution(), bt.Derivation)
    question = bt.question("precision", TEN, top=4)
    question.check("3/4")
    assert isinstance(question.solution(), bt.Derivation)


def test_a_question_is_shown_in_a_notebook_with_everything_escaped() -> None:
    evil = "<script>alert(1)</script>"
    cases = bt.Cases([1, 0], [0.9, 0.1], names=[evil, "b"])
    question = bt.question("precision", cases, top=1, statement=evil, hints=[evil])
    choice = option_question(evil, [evil, "b"], "b", why={evil: evil})
    shown = [
        question._repr_html_(),
        question.hint()._repr_html_(),
        question.check(evil)._repr_html_(),
        question.check(f"{evil} = 1/3")._repr_html_(),
        choice._repr_html_(),
        choice.check("a")._repr_html_(),
        choice.check(evil)._repr_html_(),
        cases_question(evil, cases, ["b"]).check([evil])._repr_html_(),
    ]
    for html in shown:
        assert "<script" not in html
    assert "&lt;script" in shown[0]


def test_outcomes_are_shown_with_a_sign_and_a_word() -> None:
    question = bt.question("precision", TEN, top=4)
    assert str(question.check("3/4")).startswith("✓ Correct")
    assert "✗" in question.check("3/5")._repr_html_()
    assert bool(question.check("6/8"))
    assert not question.check("3/5")


def test_bad_input_for_a_question_is_refused() -> None:
    for make, says in (
        (lambda: bt.question("precision", TEN), "needs one cut"),
        (lambda: bt.question("auc", bt.Counts(1, 1, 1, 1)), "needs a ranking"),
        (lambda: bt.question("precision", TEN, top=4, places=-1), "places"),
        (lambda: bt.question("precision", TEN, top=4, beta=1), "does not take"),
        (lambda: bt.question("precision", bt.Counts(*sympy.symbols("a b c d"))), "symbols"),
        (lambda: bt.question("triplet_loss"), "give data"),
        (lambda: counts_question(TEN), "which cut"),
        (lambda: counts_question(TEN, top=11), "there are 10 cases"),
        (lambda: cases_question("Which?", TEN, [11]), "no case '11'"),
        (lambda: option_question("Which?", ["a", "b"], "c"), "among the options"),
        (lambda: value_question("How many?", "undefined"), "a number is needed"),
    ):
        with pytest.raises(ValueError, match=says):
            make()  # type: ignore[no-untyped-call]


def test_a_module_of_the_same_name_does_not_hide_the_function() -> None:
    import binteach.exercises.question

    assert callable(bt.question)
    assert callable(binteach.exercises.question)


# Other kinds of questions -----------------------------------------------------------------------


def test_a_matrix_is_judged_cell_by_cell() -> None:
    question = counts_question(TEN, at=Fraction(1, 2))
    right = TEN.at("0.5")
    assert status(question, right) == "correct"
    assert (
        status(question, f"TP={right.tp}, FP={right.fp}, FN={right.fn}, TN={right.tn}") == "correct"
    )

    def keys(*cells: int) -> list[str]:
        outcome = question.check(cells)
        assert outcome.status == "incorrect"
        return [diagnosis.key for diagnosis in outcome.diagnoses]

    assert (right.tp, right.fp, right.fn, right.tn) == (3, 1, 2, 4)
    assert keys(3, 2, 1, 4)[0] == "transposed"
    assert keys(4, 2, 1, 3)[0] == "classes_exchanged"
    assert keys(2, 4, 3, 1)[0] == "calls_exchanged"
    assert keys(4, 1, 1, 4)[0] == "other_rule"
    assert keys(2, 1, 3, 4)[0] == "neighbouring_cut"
    assert keys(3, 1, 2, 5)[0] == "wrong_total"
    assert "FP and FN" not in question.check((3, 0, 2, 5)).message
    question.solution()
    assert "TP = 3" in str(question.solution())


def test_a_list_of_cases_says_what_does_not_belong() -> None:
    question = cases_question("Which are called positive?", TEN, [10, 9, 8, 7])
    assert status(question, [7, 8, 9, 10]) == "correct"
    outcome = question.check([7, 8, 9, 6])
    assert [d.key for d in outcome.diagnoses] == ["extra_cases", "missing_cases"]
    assert "6 does not belong" in outcome.message
    outcome = question.check("7, 8, 9, <b>")
    assert outcome.status == "not_understood"
    assert outcome.message == "There is no case “<b>” in the data."


def test_a_list_of_cases_that_is_a_known_mistake_is_told_as_such() -> None:
    question = cases_question(
        "Which negatives are called positive above 0.45?",
        TEN,
        [8],
        mistakes=[WrongCases("misses", [3], "the positives that are missed", "Look above it.")],
        solution="It is the only negative above the line.",
    )
    found = question.check("3")
    assert found.diagnoses[0].key == "misses"
    assert found.message == "These are the positives that are missed. Look above it."
    assert [each.key for each in question.check([3, 8]).diagnoses] == ["extra_cases"]
    assert [(each.key, each.answer) for each in question.named] == [("misses", ["3"])]
    assert question.not_told_apart() == []
    assert "They are 8. It is the only" in str(question.goal.worked())


def test_points_of_a_curve_are_judged_in_order() -> None:
    question = points_question("roc", TEN)
    right = [(p.x, p.y) for p in bt.curve("roc", TEN).points]
    assert status(question, bt.curve("roc", TEN)) == "correct"
    assert status(question, [(float(x), float(y)) for x, y in right]) == "correct"
    for wrong, key in (
        ([(y, x) for x, y in right], "axes_exchanged"),
        (right[::-1], "wrong_order"),
        ([*right[:-1], (1, "0.9")], "wrong_point"),
        (right[1:], "number_of_points"),
    ):
        outcome = question.check(wrong)
        assert (outcome.status, outcome.diagnoses[0].key) == ("incorrect", key)


def test_an_option_has_its_own_reply() -> None:
    question = option_question(
        "Which?", ["precision", "recall"], "recall", why={"precision": "It has other cases below."}
    )
    assert status(question, "b") == "correct"
    assert question.check("a").message == "It has other cases below."
    assert status(question, "d") == "not_understood"


def test_named_mistakes_of_a_question_come_first() -> None:
    mine = Mistake("my_own", Fraction(3, 5), "what I warned of")
    question = bt.question("precision", TEN, top=4, mistakes=[mine])
    keys = [d.key for d in question.check("3/5").diagnoses]
    assert keys[:2] == ["my_own", "another_measure"]
    plain = value_question("How many?", 3, mistakes=[Mistake("all", Fraction(10), "all cases")])
    assert plain.check(10).diagnoses[0].key == "all"
    assert status(plain, 3) == "correct"


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (lambda: bt.question("log_loss", TEN), "What is the log loss, with base = 2?"),
        (
            lambda: bt.question("log_loss", bt.Cases([1, 0], [1, 0])),
            "What is the log loss, with base = 2, epsilon = 1/100000?",
        ),
        (
            lambda: bt.question("MI", TEN, top=4),
            "What is the mutual information with the 4 top-ranked cases called positive, "
            "with base = e?",
        ),
        (lambda: bt.question("decile_lift", TEN), "What is the decile lift, with decile = 1?"),
        (lambda: bt.question("f_beta", bt.Counts(3, 1, 2, 4)), "F_β-measure, with beta = 1?"),
        (lambda: bt.question("f_beta"), "computes the F_β-measure, with beta = 1."),
        (lambda: bt.question("auc", TEN), "What is the area under the ROC curve?"),
    ],
)
def test_a_question_says_with_which_parameters(made: Callable[[], bt.Question], says: str) -> None:
    assert made().statement.endswith(says)


def test_a_text_of_several_lines_is_one_paragraph() -> None:
    asked = bt.question(
        "auc",
        TEN,
        statement="""
        What is the AUC
        of these ten?
    """,
    )
    assert asked.statement == "What is the AUC of these ten?"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ({"title": 3}, "title is 3; it must be text"),
        ({"statement": ["x"]}, r"statement is \['x'\]; it must be text"),
        ({"hints": "think"}, "hints is 'think'; give a list, with a text for each hint"),
        ({"hints": ["think", 4]}, "a hint is 4; it must be text"),
    ],
)
def test_words_that_are_no_text_are_refused(words: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=f"^{says}$"):
        bt.question("auc", TEN, **words)


# Errors carried forward -------------------------------------------------------------------------


def test_a_wrong_matrix_is_carried_forward() -> None:
    first = counts_question(TEN, top=4, title="part (a)")
    second = bt.question("precision", TEN, top=4, follows=first)
    assert status(second, "2/4") == "incorrect"  # nothing to carry yet
    first.check((2, 2, 3, 3))
    outcome = second.check("1/2")
    assert (outcome.status, outcome.diagnoses[0].key) == ("correct_but", "carried_forward")
    assert "part (a)" in outcome.message
    assert status(second, "3/4") == "correct"
    assert status(second, "0.4") == "incorrect"
    first.check((3, 1, 2, 4))
    assert status(second, "1/2") == "incorrect"


def test_a_wrong_number_is_carried_forward_by_a_rule() -> None:
    first = value_question("How large is TP?", 3, title="TP")
    second = bt.question("precision", TEN, top=4, follows=first, carry=lambda tp: Fraction(tp) / 4)
    first.check("2")
    assert status(second, "0.5") == "correct_but"
    first.check("undefined")
    assert status(second, "0.5") == "incorrect"


def test_an_answer_that_was_right_is_not_carried_forward_as_wrong() -> None:
    first = value_question("How large is it?", Fraction(2, 3))
    second = value_question("And twice?", Fraction(4, 3), follows=first, carry=lambda x: 2 * x)
    assert status(first, "0.7") == "correct_but"
    assert status(second, "1.4") == "incorrect"
    assert status(first, "0.5") == "incorrect"
    assert status(second, "1") == "correct_but"


# Functions --------------------------------------------------------------------------------------


def precision(tp: int, fp: int, fn: int, tn: int) -> float:
    return tp / (tp + fp)


def sensitivity(tp: int, fp: int, fn: int, tn: int) -> float:
    return tp / (tp + fn) if tp + fn else 0


def broken(tp: int, fp: int, fn: int, tn: int) -> float:
    nothing: dict[str, float] = {}
    return nothing["tp"]  # the line of the error


def endless(*given: object) -> float:
    return endless(*given)


def leaves(*given: object) -> float:
    raise SystemExit


def too_large(tp: int, fp: int, fn: int, tn: int) -> float:
    return tp + fp + 2


def test_a_right_function_is_right() -> None:
    assert status(bt.question("precision"), precision) == "correct"


@pytest.mark.parametrize(
    "key", [key for key, m in bt.MEASURES.items() if m.takes not in ("triplets", "classes")]
)
def test_the_registry_answers_its_own_function_questions(key: str) -> None:
    params: dict[str, Any] = {"top": 2} if "top" in bt.MEASURES[key].params else {}
    question = bt.question(key, **params)
    assert len(question.goal.trials) > 5  # type: ignore[attr-defined]
    assert status(question, question.goal.right()) == "correct"
    assert status(question, lambda *given: 17) == "incorrect"


def test_a_wrong_function_gets_the_smallest_example_and_a_diagnosis() -> None:
    outcome = bt.question("precision").check(sensitivity)
    assert outcome.status == "incorrect"
    assert outcome.diagnoses[0].key == "smallest_example"
    assert "tp=1, fp=0, fn=1, tn=0" in outcome.message
    found = {(d.key, d.about) for d in outcome.diagnoses}
    assert ("another_measure", "sensitivity") in found
    assert ("depends_on", "FN") in found


def test_what_goes_wrong_in_a_function_is_reported_as_the_students_own() -> None:
    outcome = bt.question("precision").check(broken)
    assert (outcome.status, outcome.diagnoses[0].key) == ("incorrect", "raises")
    assert "KeyError" in outcome.message
    assert 'return nothing["tp"]' in outcome.message
    for function, name in ((endless, "RecursionError"), (leaves, "SystemExit")):
        assert bt.question("precision").check(function).diagnoses[0].about == name
    keys = [
        bt.question("precision").check(function).diagnoses[0].key
        for function in (lambda *given: None, lambda *given: "x", lambda given: 1, lambda *g: g)
    ]
    assert keys == ["no_return", "not_a_number", "raises", "not_a_number"]


def waits_for_ever(tp: int, fp: int, fn: int, tn: int) -> float:
    while True:
        fp += 1


class Waits:
    def __call__(self, *given: int) -> float:
        return waits_for_ever(*given[:4])


@pytest.mark.parametrize(
    "function", [waits_for_ever, lambda *given: waits_for_ever(*given), Waits(), cache(Waits())]
)
def test_a_function_without_an_end_is_stopped(
    monkeypatch: pytest.MonkeyPatch, function: Callable[..., float]
) -> None:
    monkeypatch.setattr(functions, "PATIENCE", 0.1)
    traced = sys.gettrace()
    outcome = bt.question("precision").check(function)
    assert (outcome.status, outcome.diagnoses[0].key) == ("incorrect", "no_end")
    assert outcome.message.startswith("Your function was stopped after 0.1 seconds")
    assert outcome.message.endswith("Look for a loop that does not come to an end.")
    assert sys.gettrace() is traced
    # The next one has all its time.
    assert status(bt.question("precision"), precision) == "correct"


def test_a_function_that_is_stopped_is_told_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(functions, "PATIENCE", 0.1)
    message = bt.question("precision").check(waits_for_ever).message
    assert "“while True:”" in message or "“fp += 1”" in message
    assert "for tp=0, fp=1, fn=0, tn=0" in message


def test_a_number_too_large_to_be_read_is_not_said_to_be_none() -> None:
    message = bt.question("precision").check(lambda *given: 10**5000).message
    assert message.endswith("gives something of type int, which cannot be read as a number.")


def test_a_function_that_breaks_a_property_is_told_so() -> None:
    keys = {d.key for d in bt.question("precision").check(too_large).diagnoses}
    assert "out_of_range" in keys
    assert "constant" in {d.key for d in bt.question("auc").check(lambda y, s: 0.5).diagnoses}


def test_ties_counted_as_lost_are_found_in_a_function() -> None:
    def area(y: list[int], s: list[float]) -> float:
        ups = [score for label, score in zip(y, s, strict=True) if label]
        downs = [score for label, score in zip(y, s, strict=True) if not label]
        return sum(up > down for up in ups for down in downs) / len(ups) / len(downs)

    outcome = bt.question("auc").check(area)
    assert "ties_lost" in {d.key for d in outcome.diagnoses}
    assert outcome.diagnoses[0].about.count(",") < 12, "the smallest example is small"


def test_a_function_may_change_its_arguments() -> None:
    def area(y: list[int], s: list[float]) -> object:
        value = bt.value("auc", bt.Cases(y, s))
        y.clear()
        s.clear()
        return value

    question = bt.question("auc")
    assert status(question, area) == "correct"
    assert status(question, area) == "correct"


# Anything may be given --------------------------------------------------------------------------


class Evil:
    """Fails whenever it is looked at."""

    def fail(self, *given: object) -> Any:
        raise RuntimeError("looked at")

    __repr__ = __str__ = __float__ = __index__ = __iter__ = __len__ = __bool__ = fail
    __eq__ = __hash__ = __call__ = __getattr__ = __int__ = fail


class EvilText(str):
    """Text that fails."""

    def strip(self, *given: object) -> Any:
        raise RuntimeError("stripped")

    __repr__ = __str__ = __len__ = __eq__ = __hash__ = lower = strip


PIECES = [
    *"0123456789.,+-*/:^()%√²½ =<>'\"_[]{}\\\n\t\x00é漢",
    *("sqrt", "log2(", "ln ", "log(", "**", "e9", "1e99", "9" * 30, "(" * 9, "undefined", "inf"),
    *("__import__('os').system('x')", "eval('1')", "<script>", "TP=", "nan", "lambda: ", "½", "%%"),
]


def anything(rng: random.Random) -> object:
    """A random string, or an object of some kind."""
    kind = rng.randrange(10)
    if kind < 7:
        return "".join(rng.choices(PIECES, k=rng.randrange(1, 14)))
    number = rng.choice([rng.uniform(-2, 2), rng.randrange(-5, 200), 10**400, -0.0, 1e308, 5e-324])
    return rng.choice(
        [
            number,
            [number] * rng.randrange(6),
            (number, "x"),
            {"TP": number, number: 1},
            {number},
            np.array([number], dtype=object),
            np.float16(0.3),
            np.datetime64("2020-01-01"),
            Decimal("1e-9999"),
            Decimal("sNaN"),
            sympy.Symbol("x") ** 2,
            sympy.sqrt(2) + sympy.log(3),
            sympy.I,
            Evil(),
            EvilText("1/2"),
            Evil,
            range(10**9),
            iter([1]),
            bytes(5),
            TEN,
            bt.Counts(1, 2, 3, 4),
            bt.curve("roc", TEN),
            NotImplemented,
            ValueError("x"),
            "9" * 100_000,
            "(" * 100_000,
            [[[]]] * 3,
            [(1, 2), (Evil(), 3)],
        ]
    )


def test_whatever_is_given_gets_an_outcome_fast_and_nothing_is_evaluated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    questions = [*every_kind(), asked("log_loss"), asked("matthews_correlation")]
    questions = [q for q in questions if "function" not in q.statement]
    for question in questions:
        question.check("0.123456")  # the mistakes are found once

    evaluated: list[tuple[object, ...]] = []

    def never(*given: object, **more: object) -> None:
        evaluated.append(given)  # an error alone would be caught: any answer gets an outcome
        raise AssertionError

    rng = random.Random(6)
    slowest, spent = 0.0, 0.0
    with monkeypatch.context() as patch:
        for name in ("eval", "exec"):
            patch.setattr(builtins, name, never)
        for name in ("sympify", "parse_expr"):
            patch.setattr(sympy, name, never)
        for turn in range(10_000):
            given = anything(rng)
            question = questions[turn % len(questions)]
            start = time.process_time()
            outcome = question.check(given)
            took = time.process_time() - start
            slowest, spent = max(slowest, took), spent + took
            assert outcome.status in STATUSES
            assert not evaluated
            assert str(outcome)
            assert "<script" not in outcome._repr_html_()
    assert spent / 10_000 < 0.01
    assert slowest < 1


def test_code_as_an_answer_is_not_understood() -> None:
    for text in ("__import__('os').system('x')", "eval('3/4')", "(3).__class__", "f'{3/4}'"):
        assert status(bt.question("precision", TEN, top=4), text) == "not_understood"


def test_check_survives_objects_that_fail_when_looked_at() -> None:
    for given in (Evil(), EvilText("3/4"), Evil):
        for question in every_kind():
            assert question.check(given).status in STATUSES


def test_functions_are_checked_in_reasonable_time() -> None:
    start = time.process_time()
    answer: Callable[..., float] = lambda y, s: 0.3  # noqa: E731
    bt.question("log_loss").check(answer)
    assert time.process_time() - start < 10


# What is shown ----------------------------------------------------------------------------------


def test_a_question_for_a_whole_number_says_so() -> None:
    assert "Give a whole number." in str(value_question("How many?", 3, places=0).ask())
    assert "whole" not in str(value_question("How much?", "3/2", places=0).ask())


def test_triplets_are_shown_as_vectors() -> None:
    lines = str(asked("triplet_loss").ask()).splitlines()
    assert ["1", "(0,", "0)", "(1,", "0)", "(0,", "3)"] in [line.split() for line in lines]


def test_a_question_shows_every_case_that_has_to_be_counted() -> None:
    cases = bt.Cases([1, 0] * 15, range(30))
    shown = str(bt.question("decile_lift", cases, decile=4).ask())
    assert all(f" {place} " in shown for place in range(1, 31))


def test_several_data_are_shown_one_after_the_other_under_their_names() -> None:
    models = {"model A": bt.Counts(1, 2, 3, 4), "model <B>": TEN}
    card = value_question("Which?", 1, data=models).ask()
    lines = str(card).splitlines()
    assert lines.index("model A:") < lines.index("model <B>:")
    assert "model &lt;B&gt;:" in card._repr_html_()


def test_the_solution_may_be_a_derivation() -> None:
    worked = bt.interval("wald", 3, 5).explain()
    question = value_question("The lower end?", "0.1706", solution=worked)
    question.check("0.1706")
    assert question.solution() is worked
