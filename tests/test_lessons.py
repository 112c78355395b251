"""Lessons: seeded choices, questions that tell their mistakes apart, formulas and examples."""

import copy
from collections import Counter
from fractions import Fraction

import pytest

import binteach as bt
from binteach.exercises import (
    Condition,
    Mistake,
    Named,
    WrongFormula,
    example_question,
    formula_question,
    value_question,
)
from binteach.exercises.draw import Draw
from binteach.exercises.lessons import NAMES, Lesson
from binteach.exercises.plan import MOST_TRIES, Plan

# Choices ----------------------------------------------------------------------------------------


def test_a_seed_gives_the_same_choices_for_ever() -> None:
    # Written down once; a Python or a machine that draws otherwise would change every exercise.
    draw = Draw("student-17", "roc", 0)
    assert [draw.whole(1, 100) for _ in range(8)] == [22, 12, 24, 48, 68, 48, 14, 71]
    assert draw.sample("abcdefgh", 5) == ["e", "a", "d", "g", "b"]


def test_whole_numbers_are_drawn_from_end_to_end_and_evenly() -> None:
    draw = Draw("even")
    drawn = Counter(draw.whole(3, 7) for _ in range(5000))
    assert set(drawn) == {3, 4, 5, 6, 7}
    assert min(drawn.values()) > 850


def test_a_shuffle_keeps_every_item_and_reaches_every_order() -> None:
    draw = Draw("orders")
    assert len({tuple(draw.shuffled("abc")) for _ in range(200)}) == 6
    assert sorted(draw.shuffled(range(50))) == list(range(50))


@pytest.mark.parametrize("ties", [0, 1, 2])
def test_drawn_cases_have_the_size_the_ties_and_the_area_asked_for(ties: int) -> None:
    for seed in range(30):
        cases = Draw(seed).cases(12, 5, ties=ties, auc=("3/5", "9/10"))
        assert (cases.n, cases.positives) == (12, 5)
        blocks = [block for block in cases.ranking.blocks if block.positives and block.negatives]
        assert len(blocks) == ties
        assert len(cases.ranking.blocks) == 12 - ties
        assert Fraction(3, 5) <= bt.value("auc", cases) <= Fraction(9, 10)
        assert all(0 < score < 1 for score in cases.scores)


def test_a_ranking_that_cannot_be_is_an_error() -> None:
    with pytest.raises(ValueError, match="no ranking of 3 cases has 2 ties"):
        Draw(1).cases(3, 1, ties=2)


def test_what_is_drawn_until_it_holds_holds() -> None:
    draw = Draw("such")
    assert draw.such(lambda: draw.whole(1, 10), lambda number: number > 8) in (9, 10)
    with pytest.raises(ValueError, match="nothing that holds was drawn"):
        draw.such(lambda: draw.whole(1, 10), lambda number: number > 10)


def test_drawn_counts_differ_and_call_most_cases_of_each_class_rightly() -> None:
    for seed in range(30):
        counts = Draw(seed).counts()
        assert len({counts.tp, counts.fp, counts.fn, counts.tn}) == 4
        assert counts.tp > counts.fn
        assert counts.tn > counts.fp


# Lessons ----------------------------------------------------------------------------------------


def sample() -> Plan:
    plan = Plan("sample", "Sample", "Two exercises.")

    @plan.exercise
    def double(draw: Draw) -> bt.Question:
        number = draw.whole(0, 3)
        square = Mistake("square", Fraction(number**2), "the square")
        hints = ("Add it to itself.", "Count on from it.")
        return value_question(
            f"Twice {number}?", 2 * number, title="Twice", hints=hints, mistakes=[square]
        ).naming("square")

    @plan.parts(2)
    def cut(draw: Draw) -> tuple[bt.Question, bt.Question]:
        counts = draw.counts()
        first = value_question("TP?", counts.tp)
        return first, bt.question("precision", counts)

    return plan


def test_questions_are_numbered_and_keep_their_state() -> None:
    lesson = Lesson(sample(), "seed")
    assert len(lesson) == 3
    assert [question.number for question in lesson] == [1, 2, 3]
    assert [question.key for question in lesson] == [
        "sample.double",
        "sample.cut.a",
        "sample.cut.b",
    ]
    assert lesson.q1 is lesson.question(1)
    assert lesson.progress() == (0, 3)
    lesson.q1.check(lesson.q1.goal.right())
    assert lesson.progress() == (1, 3)
    assert str(lesson).splitlines()[1] == "1. Twice ✓"
    assert "q3" in dir(lesson)
    assert "Question 3: " in str(lesson.q3.ask())


def test_data_that_do_not_tell_the_mistakes_apart_are_drawn_again() -> None:
    statements = {Lesson(sample(), str(seed)).q1.statement for seed in range(40)}
    assert statements == {"Twice 1?", "Twice 3?"}  # 0 and 2 are told from their squares by nobody


def test_what_draws_nothing_is_tried_for_one_seed_only(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = Counter[str]()

    def counted(question: bt.Question) -> list[Named]:
        tried[question.title] += 1
        return []

    monkeypatch.setattr(bt.Question, "not_told_apart", counted)
    plan = Plan("sample", "Sample", "Two exercises.")

    @plan.exercise
    def fixed(draw: Draw) -> bt.Question:
        return value_question("Two and two?", 4, title="fixed")

    @plan.exercise
    def drawn(draw: Draw) -> bt.Question:
        return value_question(f"One more than {draw.whole(0, 9)}?", 1, title="drawn")

    for seed in range(5):
        assert len(list(Lesson(plan, str(seed)))) == 2
    assert tried == {"fixed": 1, "drawn": 5}


def test_mistakes_that_no_data_tell_apart_are_an_error_of_the_bank() -> None:
    plan = Plan("never", "Never", "")
    tries = []

    @plan.exercise
    def same(draw: Draw) -> bt.Question:
        tries.append(draw)
        return value_question("?", 1).naming(Named("percentage", 1))

    with pytest.raises(RuntimeError, match=r"no data tell the mistakes of never\.same apart"):
        Lesson(plan, "1").question(1)
    assert len(tries) == MOST_TRIES


def test_a_lesson_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(ValueError, match=r"there is no lesson 'rock'; did you mean 'roc'\?"):
        bt.lesson("rock")
    with pytest.raises(ValueError, match="there is no lesson None; lessons are counts, elementary"):
        bt.lesson(None)  # type: ignore[arg-type]
    assert bt.lesson(" Precision-Recall ").name == "precision_recall"
    assert list(bt.lessons()) == list(NAMES)


@pytest.mark.parametrize("seed", [True, 1.5, "", "x" * 201, ["a"]])
def test_a_seed_is_text_or_a_whole_number(seed: object) -> None:
    with pytest.raises(ValueError, match="seed"):
        bt.lesson("counts", seed=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [0, 4, -1, True, "one", None])
def test_a_question_that_is_not_there_is_an_error(n: object) -> None:
    with pytest.raises(ValueError, match="1 to 3"):
        Lesson(sample(), "1").question(n)  # type: ignore[arg-type]
    with pytest.raises(AttributeError, match=r"q1 to q3|1 to 3"):
        _ = getattr(Lesson(sample(), "1"), f"q{n}")


# What a check leaves behind ---------------------------------------------------------------------


def test_a_check_leaves_a_record_for_the_notebook() -> None:
    lesson = Lesson(sample(), "17")
    value = lesson.q3.goal.right()
    outcome = lesson.q3.check(100 * value)
    assert outcome._repr_mimebundle_() == {
        "application/vnd.binteach.check+json": {
            "question": "sample.cut.b",
            "status": "incorrect",
            "mistakes": ["percentage"],
            "seed": "17",
        }
    }
    assert outcome == lesson.q3.outcome(100 * value)  # the record is no part of what is said


def test_an_outcome_can_be_looked_at_without_a_trace() -> None:
    question = bt.question("precision", bt.Counts(3, 1, 2, 4))
    assert question.outcome("3/4").status == "correct"
    assert not question.solved
    assert question.last is None


# Formulas ---------------------------------------------------------------------------------------

F1 = formula_question(
    "Write the F-measure with the counts.",
    "2*TP / (2*TP + FP + FN)",
    mistakes=[WrongFormula("jaccard", "TP / (TP + FP + FN)", "the Jaccard index")],
    hints=("Put precision and recall in.", "Multiply both parts by TP."),
)


@pytest.mark.parametrize(
    "text",
    ["2*TP/(2*TP+FP+FN)", "2TP/(2TP+FN+FP)", "TP : (TP + (FP + FN)/2)", "F1 = 2 TP / (2 TP+FP+FN)"],
)
def test_a_formula_is_right_in_every_form(text: str) -> None:
    assert F1.check(text).status == "correct"


def test_a_wrong_formula_is_named_or_shown_to_fail_on_the_smallest_numbers() -> None:
    assert F1.check("TP/(TP+FP+FN)").message.startswith("This is the Jaccard index.")
    assert [each.key for each in F1.named] == ["jaccard"]
    assert F1.not_told_apart() == []
    assert F1.check("TP/(TP+FP)").message == (
        "For TP = 1, FP = 0, FN = 1, TN = 0 your formula gives 1, where it is 2/3."
    )
    assert F1.check("TP/(TP-TP)").message == "Your formula always divides by zero."


def test_a_formula_with_holes_is_right_but() -> None:
    outcome = F1.check("2 * TP/(TP+FP) * TP/(TP+FN) / (TP/(TP+FP) + TP/(TP+FN))")
    assert outcome.status == "correct_but"
    assert "it divides by zero for TP = 0, FP = 0, FN = 1, TN = 0" in outcome.message


def test_a_formula_is_refuted_by_numbers_that_are_possible() -> None:
    negatives = formula_question(
        "Of n cases P are positive. How many are negative?",
        "n - P",
        ("n", "P"),
        possible=lambda n, P: n >= P,
    )
    assert negatives.check("n + P").message == (
        "For n = 1, P = 1 your formula gives 2, where it is 0."
    )
    # Without this, n = 0 and P = 1 would come first.
    assert negatives.check("(n - P)^2").message == (
        "For n = 2, P = 0 your formula gives 4, where it is 2."
    )


def test_a_formula_of_shares_is_tried_between_0_and_1() -> None:
    rest = formula_question("The rest of a share?", "1 - p", ("p",), shares=True)
    assert rest.check("1 - p").status == "correct"
    assert rest.check("1").message == "For p = 1/4 your formula gives 1, where it is 3/4."


@pytest.mark.parametrize("given", ["", "TP TQ", "TP(", "TP.real", "(" * 300, 3, ["TP"], "TP = = 1"])
def test_what_is_no_formula_is_not_understood(given: object) -> None:
    wanted = "not_attempted" if given == "" else "not_understood"
    assert F1.check(given).status == wanted


# Examples ---------------------------------------------------------------------------------------


def found(measure: str, counts: bt.Counts) -> Fraction:
    value = bt.value(measure, counts)
    assert isinstance(value, Fraction)
    return value


MISLEADING = example_question(
    "Find a matrix with an accuracy above 9/10 and a sensitivity of 0.",
    bt.Counts(tp=0, fp=0, fn=1, tn=19),
    Condition(
        "too_inaccurate",
        lambda c: found("accuracy", c) > Fraction(9, 10),
        lambda c: f"The accuracy is {found('accuracy', c)}.",
    ),
    Condition(
        "sensitive",
        lambda c: found("sensitivity", c) == 0,
        lambda c: f"The sensitivity is {found('sensitivity', c)}.",
    ),
)


def test_every_example_that_meets_the_conditions_is_right() -> None:
    assert MISLEADING.check(bt.Counts(0, 1, 2, 90)).status == "correct"
    assert MISLEADING.check("TP=0, FP=0, FN=3, TN=97").status == "correct"


def test_the_conditions_that_an_example_misses_are_told() -> None:
    outcome = MISLEADING.check(bt.Counts(1, 1, 1, 1))
    assert [each.key for each in outcome.diagnoses] == ["too_inaccurate", "sensitive"]
    assert outcome.message == "The accuracy is 1/2. Also: The sensitivity is 1/2."
    assert MISLEADING.check(bt.Counts(0, 0, 0, 9)).diagnoses[0].key == "undefined_here"
    assert MISLEADING.check(bt.Counts(0, 0, 1, 10**7)).diagnoses[0].key == "too_large"


def test_an_example_question_must_have_an_example() -> None:
    never = Condition("never", lambda c: False, lambda c: "No.")
    with pytest.raises(ValueError, match="does not meet the conditions"):
        example_question("?", bt.Counts(1, 1, 1, 1), never)


def test_a_lesson_can_be_copied() -> None:
    copied = copy.deepcopy(bt.lesson("roc", seed="ann"))
    assert (copied.name, copied.seed) == ("roc", "ann")
