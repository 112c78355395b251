"""The card of a question or a lesson: in Python, and what a notebook keeps of it."""

import subprocess
import sys
from html import escape
from pathlib import Path
from typing import Any

import ipywidgets
import pytest
from every_question import (
    CASES,
    COUNTS,
    EXAMPLE,
    FORMULA,
    FUNCTION,
    HOSTILE,
    HOSTILE_OPTION,
    NUMBER,
    OPTION,
    POINTS,
    every_question,
)
from IPython.core.interactiveshell import InteractiveShell

import binteach as bt
from benchmarks.browser import converted, environment, write_notebook
from binteach.exercises import Lesson
from binteach.exercises.live import FIELDS, LiveCard, Sheet
from binteach.exercises.outcome import RECORD

# In Python --------------------------------------------------------------------------------------

Answer = str | tuple[str, ...]
RIGHT: dict[int, Answer] = {
    NUMBER: "3/4",
    OPTION: "the precision",
    COUNTS: ("4", "1", "1", "4"),
    POINTS: "(0,0) (0,.2) (0,.4) (.2,.4) (.2,.6) (.2,.8) (.4,.8) (.6,.8) (.6,1) (.8,1) (1,1)",
    CASES: f"'{HOSTILE}'",
    FORMULA: "'TP/(TP+FN)'",
    EXAMPLE: ("0", "3", "2", "1"),
    HOSTILE_OPTION: "b",
}


@pytest.fixture
def lesson() -> Lesson:
    made: Lesson = every_question()
    return made


def opened(lesson: Lesson, number: int) -> tuple[LiveCard, Sheet]:
    """The card of a lesson, turned to a question."""
    card = lesson.card()
    card.turn(number - 1 - card.place)
    return card, card.sheet


def boxes(sheet: Sheet) -> list[Any]:
    """The widgets that an answer is entered in."""
    field = sheet.field.widget
    inside = [each for each in getattr(field, "children", ()) if isinstance(each, ipywidgets.Text)]
    return inside or [field]


def press(sheet: Sheet, label: str) -> None:
    """Press a button as the page does."""
    (button,) = (each for each in sheet.widget.children[2].children if each.description == label)
    button.value = not button.value


def answered(sheet: Sheet, answer: Answer) -> str:
    texts = (answer,) if isinstance(answer, str) else answer
    for box, text in zip(boxes(sheet), texts, strict=True):
        box.value = text
    press(sheet, "Check")
    shown: str = sheet.reply.value
    return shown


@pytest.mark.parametrize("number", RIGHT)
def test_the_right_answer_is_right_in_every_kind_of_field(lesson: Lesson, number: int) -> None:
    card, sheet = opened(lesson, number)
    assert "✓ Correct" in answered(sheet, RIGHT[number])
    assert lesson.question(number).solved
    assert f"{number} ✓</span>" in card._progress.value
    assert "1 of 9 solved" in card._progress.value


@pytest.mark.parametrize("number", RIGHT)
def test_an_empty_field_is_not_attempted(lesson: Lesson, number: int) -> None:
    _, sheet = opened(lesson, number)
    press(sheet, "Check")
    assert "○ Not answered yet." in sheet.reply.value
    assert lesson.question(number).last is None


def test_every_kind_of_question_has_a_field(lesson: Lesson) -> None:
    assert {question.goal.entry for question in lesson} == set(FIELDS)


def test_a_count_that_is_left_out_is_named(lesson: Lesson) -> None:
    _, sheet = opened(lesson, COUNTS)
    assert "FN is not given." in answered(sheet, ("4", "1", "", "4"))


def test_a_function_is_checked_in_a_cell_and_seen_in_the_card(lesson: Lesson) -> None:
    card, sheet = opened(lesson, FUNCTION)
    assert "<code>lesson.q7.check(f)</code>" in sheet.field.widget.value
    assert "Check" not in [each.description for each in sheet.widget.children[2].children]
    assert "<code>q.check(f)</code>" in bt.question("precision").card().sheet.field.widget.value
    lesson.q7.check(lambda tp, fp, fn, tn: tp / (tp + fp))
    card.turn(1)
    card.turn(-1)
    assert "✓ Correct" in sheet.reply.value


def test_card_and_python_share_their_questions(lesson: Lesson) -> None:
    lesson.q1.check("3/5")
    lesson.q1.hint()
    card, sheet = opened(lesson, NUMBER)
    assert "3/5 is the sensitivity" in sheet.reply.value
    assert "Hint 1 of 3" in sheet.hints.value
    answered(sheet, "3/4")
    assert lesson.progress() == (1, 9)
    lesson.q2.check("b")
    assert "2 of 9 solved" in lesson.card()._progress.value
    assert card.sheet.question is lesson.q1


def test_a_card_opens_at_the_first_question_that_is_not_solved(lesson: Lesson) -> None:
    lesson.q1.check("3/4")
    lesson.q3.check((4, 1, 1, 4))
    assert lesson.card().sheet.question is lesson.q2


def test_an_answer_and_its_reply_stay_while_other_questions_are_turned_to(lesson: Lesson) -> None:
    card, sheet = opened(lesson, NUMBER)
    assert card.previous.disabled
    shown = answered(sheet, "3/5")
    card.next.value = True
    assert card.sheet.question is lesson.q2
    assert card.sheet.reply.value == ""
    card.previous.value = True
    assert (card.sheet.field.widget.value, card.sheet.reply.value) == ("3/5", shown)
    card.turn(100)
    assert card.sheet.question is lesson.q9
    assert card.next.disabled
    assert not card.previous.disabled


def test_hints_come_under_each_other_and_end(lesson: Lesson) -> None:
    _, sheet = opened(lesson, NUMBER)
    shown = answered(sheet, "3/5")
    for number in (1, 2, 3):
        press(sheet, "Hint")
        assert sheet.hints.value.count("Hint ") == number
    press(sheet, "Hint")
    assert "There are no more hints." in sheet.hints.value
    assert sheet.reply.value == shown, "a hint takes no reply away"
    _, without = opened(lesson, POINTS)
    press(without, "Hint")
    assert "There is no hint to this question." in without.hints.value


def test_the_solution_asks_once_and_then_shows_its_formulas(lesson: Lesson) -> None:
    _, sheet = opened(lesson, NUMBER)
    press(sheet, "Solution")
    assert "Do you want to give up?" in sheet.solution.value
    press(sheet, "Solution")
    assert "<mfrac>" in sheet.solution.value
    assert 'class="typed"' not in sheet.solution.value, "a widget is never stripped of MathML"
    _, sheet = opened(lesson, COUNTS)
    answered(sheet, RIGHT[COUNTS])
    press(sheet, "Solution")
    assert "TP = 4" in sheet.solution.value


@pytest.mark.parametrize("number", [CASES, HOSTILE_OPTION])
def test_words_from_outside_are_escaped(lesson: Lesson, number: int) -> None:
    card, sheet = opened(lesson, number)
    for label in ("Hint", "Solution", "Solution"):
        press(sheet, label)
    shown = answered(sheet, f"{HOSTILE}, b" if number == CASES else HOSTILE)
    assert "✗ Not correct." in shown
    # An error message that quotes what was typed.
    lesson.q1.check(HOSTILE)
    written = [sheet.widget.children[0], sheet.reply, sheet.hints, sheet.solution, card._progress]
    kept = [card._copy(place)["text/html"] for place in (NUMBER - 1, number - 1)]
    for text in (*(each.value for each in written), *kept):
        assert "<img" not in text
    assert escape(HOSTILE) in written[0].value


def test_widgets_load_when_a_card_is_asked_for() -> None:
    program = (
        "import sys; import binteach as bt; lesson = bt.lesson('elementary'); print(lesson);"
        "lesson.q1.check('3/5'); assert 'ipywidgets' not in sys.modules;"
        "lesson.card(); assert 'ipywidgets' in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_outside_a_notebook_a_card_prints_nothing(
    lesson: Lesson, capsys: pytest.CaptureFixture[str]
) -> None:
    answered(opened(lesson, NUMBER)[1], "3/5")
    assert capsys.readouterr().out == ""


# What a notebook keeps --------------------------------------------------------------------------


def show(shell: InteractiveShell, card: LiveCard) -> None:
    assert shell.display_formatter is not None
    assert shell.display_formatter.format(card) == ({}, {}), "it shows itself"


def displayed(shell: InteractiveShell) -> list[dict[str, Any]]:
    """What was displayed, after all updates."""
    shown: dict[str, dict[str, Any]] = {}
    for place, each in enumerate(shell.display_pub.outputs):  # type: ignore[attr-defined]
        name = (each["transient"] or {}).get("display_id", f"number {place}")
        assert each["update"] == (name in shown)
        shown[name] = each["data"]
    return list(shown.values())


def test_a_card_leaves_a_copy_of_each_question_and_the_record_of_each_check(
    shell: InteractiveShell, lesson: Lesson
) -> None:
    card, sheet = opened(lesson, NUMBER)
    show(shell, card)
    live, *copies = displayed(shell)
    assert live["text/plain"] == "Lesson('every', seed='a').card()"
    assert "application/vnd.jupyter.widget-view+json" in live
    for question, copy in zip(lesson, copies, strict=True):
        assert question.ask()._repr_html_() in copy["text/html"]
        assert copy["text/plain"] == str(question.ask())
        assert RECORD not in copy

    answered(sheet, "3/5")
    card.turn(1)
    answered(card.sheet, RIGHT[OPTION])
    _, first, second, *others = displayed(shell)
    assert first[RECORD] == {
        "question": "every.a_number",
        "seed": "a",
        "status": "incorrect",
        "mistakes": ["another_measure:sensitivity"],
    }
    assert "3/5 is the sensitivity" in first["text/html"]
    assert "✗ Not correct: 3/5 is the sensitivity" in first["text/plain"]
    assert second[RECORD]["status"] == "correct"
    assert not any(RECORD in copy for copy in others)

    answered(sheet, "3/4")
    answered(sheet, "3/5")
    assert displayed(shell)[1][RECORD]["status"] == "correct", "what is solved stays solved"


def test_a_card_that_is_shown_again_keeps_what_was_answered(
    shell: InteractiveShell, lesson: Lesson
) -> None:
    lesson.q1.check("3/4")
    show(shell, lesson.card())
    assert displayed(shell)[1][RECORD]["status"] == "correct"


def test_a_single_question_has_a_card(shell: InteractiveShell) -> None:
    card = bt.question("precision", bt.Counts(3, 1, 2, 4)).card()
    show(shell, card)
    live, copy = displayed(shell)
    assert live["text/plain"] == "Question('What is the precision?').card()"
    assert "solved" not in card._progress.value
    answered(card.sheet, "3/4")
    assert displayed(shell)[1] != copy


CARD = "import binteach as bt\nbt.lesson('elementary').card()"


@pytest.mark.slow
def test_a_notebook_with_a_card_is_the_same_every_time_and_can_be_read_as_a_page(
    tmp_path: Path,
) -> None:
    notebook = write_notebook(tmp_path / "card.ipynb", [CARD])
    page = converted(notebook, environment(tmp_path)).read_text(encoding="utf-8")
    for question in bt.lesson("elementary"):
        assert escape(question.statement) in page
    for arguments in (
        ["nbconvert", "--to", "notebook", "--execute", "--inplace", str(notebook)],
        ["pytest", "-q", "-p", "no:cacheprovider", "--nbval", "--nbval-current-env", str(notebook)],
    ):
        done = subprocess.run(
            [sys.executable, "-m", *arguments],
            env=environment(tmp_path),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
