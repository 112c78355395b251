"""In a notebook, a check of a name that is not defined yet is no error; all else stays as it is."""

from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from binteach.exercises import Outcome

LESSON = "import binteach as bt\nlesson = bt.lesson('elementary')"
QUESTION = "import binteach as bt\nq = bt.question('precision', bt.Counts(3, 1, 2, 4))"
ANOTHER = """
class Another:
    def check(self, *given, **named):
        return given, named
other = Another()
"""


def run(shell: InteractiveShell, *cells: str) -> Any:
    """What the last line of the last cell comes to; an error in any cell is raised."""
    result = None
    for cell in cells:
        done = shell.run_cell(cell, store_history=True)
        done.raise_error()
        result = done.result
    return result


@pytest.mark.parametrize(("first", "asked"), [(LESSON, "lesson.q1"), (QUESTION, "q")])
def test_an_undefined_name_is_not_attempted_and_the_cell_goes_on(
    shell: InteractiveShell, first: str, asked: str
) -> None:
    outcome = run(shell, first, f"answer = 1\nfound = {asked}.check(anwser)\nwent_on = 7\nfound")
    assert isinstance(outcome, Outcome)
    assert outcome.status == "not_attempted"
    assert outcome.message == "The name anwser is not defined; did you mean answer?"
    assert run(shell, "went_on") == 7


def test_a_name_that_resembles_no_other_is_only_named(shell: InteractiveShell) -> None:
    outcome = run(shell, QUESTION, "q.check(zzzz / 4)")
    assert outcome.message == "The name zzzz is not defined."
    assert run(shell, "q.check([zzzz for _ in range(2)])").status == "not_attempted"
    assert run(shell, "q.check(zzzz).status") == "not_attempted"


def test_defined_answers_are_judged_as_ever(shell: InteractiveShell) -> None:
    outcome = run(shell, QUESTION, "mine = '3/4'", "q.check(mine)")
    assert outcome.status == "correct"
    assert run(shell, "[q.check(each).status for each in ('3/4', '3/5')]") == [
        "correct",
        "incorrect",
    ]
    assert run(shell, "(lambda given: q.check(given))('3/4').status") == "correct"
    assert run(shell, "q.check(again := '3/5').status, again") == ("incorrect", "3/5")


def test_the_last_line_is_shown_as_without_rewriting(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    run(shell, QUESTION)
    capsys.readouterr()
    outcome = run(shell, "q.check('3/4')")
    assert capsys.readouterr().out.split(": ", 1)[1].strip() == repr(outcome)
    run(shell, "q.check('3/4');")
    assert capsys.readouterr().out == "", "a semicolon keeps it quiet"


def test_other_ways_to_call_check_are_left_alone(shell: InteractiveShell) -> None:
    run(shell, QUESTION, ANOTHER)
    assert run(shell, "q.check().status") == "not_attempted"
    assert run(shell, "q.check(answer='3/4').status") == "correct"
    assert run(shell, "q.check(*['3/4']).status") == "correct"
    assert run(shell, "bt.Question.check(q, '3/4').status") == "correct"
    assert run(shell, "def check(asked, *given): return given\ncheck(q, 1, 2)") == (1, 2)
    assert run(shell, "other.check(1, 2)") == ((1, 2), {})


def test_the_check_of_another_object_is_left_alone(shell: InteractiveShell) -> None:
    run(shell, QUESTION, ANOTHER)
    assert run(shell, "other.check(5)") == ((5,), {})
    with pytest.raises(NameError, match="anwser"):
        run(shell, "other.check(anwser)")
    with pytest.raises(AttributeError, match="check"):
        run(shell, "(3).check(5)")


def test_functions_and_classes_in_the_cell_are_left_alone(shell: InteractiveShell) -> None:
    run(shell, QUESTION)
    with pytest.raises(NameError, match="anwser"):
        run(shell, "def tried():\n    return q.check(anwser)\ntried()")
    with pytest.raises(NameError, match="anwser"):
        run(shell, "class Tried:\n    outcome = q.check(anwser)")
    with pytest.raises(NameError, match="anwser"):
        run(shell, "(lambda: q.check(anwser))()")


def test_a_broken_function_in_the_answer_is_not_taken_for_an_unanswered_question(
    shell: InteractiveShell,
) -> None:
    run(shell, QUESTION, "def broken(): return missing / 4")
    with pytest.raises(NameError, match="missing"):
        run(shell, "q.check(broken())")


def test_an_undefined_name_inside_a_function_is_the_students_own_error_with_its_line(
    shell: InteractiveShell,
) -> None:
    run(shell, "import binteach as bt\nq = bt.question('precision')")
    outcome = run(
        shell,
        "def precision(tp, fp, fn, tn):\n    return tpp / (tp + fp)\nq.check(precision)",
    )
    assert (outcome.status, outcome.diagnoses[0].key) == ("incorrect", "raises")
    assert "NameError" in outcome.message
    assert "in line 2, “return tpp / (tp + fp)”" in outcome.message


def test_names_that_were_reset_take_nothing_away(shell: InteractiveShell) -> None:
    run(shell, QUESTION, "%reset -f", QUESTION)
    assert run(shell, "q.check(anwser).status") == "not_attempted"


def test_the_names_of_the_student_are_not_added_to(shell: InteractiveShell) -> None:
    before = set(shell.user_ns)
    run(shell, QUESTION, "q.check(anwser);")
    added = {name for name in set(shell.user_ns) - before if name.strip("_ih0123456789")}
    assert added == {"bt", "q"}


def test_many_questions_prepare_a_notebook_once(shell: InteractiveShell) -> None:
    run(shell, QUESTION, QUESTION, LESSON, "list(lesson);")
    assert len(shell.ast_transformers) == 1
