"""The exercise notebooks: made from the bank, stored as they are made, and right."""

from pathlib import Path
from typing import Any

import nbformat
import pytest

import binteach as bt
from binteach.exercises.functions import FunctionGoal
from binteach.exercises.lessons import NAMES
from binteach.exercises.outcome import RECORD
from binteach.exercises.sheets import file_name, notebook, sheet, write_sheets
from binteach.exercises.typed import WRITTEN_OUT, typed

STORED = Path(__file__).parent.parent / "exercises"
KINDS = {False: STORED, True: STORED / "solutions"}


def without_outputs(text: str) -> str:
    """A stored notebook as it was before it was run."""
    read = nbformat.reads(text, 4)
    read.metadata.pop("language_info")  # which Python ran it
    for cell in read.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return f"{nbformat.writes(read)}\n"


# What is stored ---------------------------------------------------------------------------------


@pytest.mark.parametrize("solved", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_a_stored_notebook_is_what_the_bank_makes(name: str, solved: bool) -> None:
    stored = (KINDS[solved] / file_name(name)).read_text(encoding="utf-8")
    assert without_outputs(stored) == sheet(bt.lesson(name), solved=solved), "make exercises"


@pytest.mark.parametrize("folder", KINDS.values(), ids=["exercises", "solutions"])
def test_there_is_a_notebook_for_each_lesson_and_no_other(folder: Path) -> None:
    assert sorted(file.name for file in folder.glob("*.ipynb")) == sorted(map(file_name, NAMES))
    assert sorted(map(file_name, NAMES)) == list(map(file_name, NAMES))


def outputs(file: Path, end: str) -> list[dict[str, Any]]:
    """The outputs of the cells whose names end so, one for each."""
    cells = [cell for cell in nbformat.read(file, 4).cells if cell.id.endswith(end)]
    assert all(len(cell.outputs) == 1 for cell in cells)
    return [cell.outputs[0]["data"] for cell in cells]


@pytest.mark.parametrize("name", NAMES)
def test_every_check_was_run(name: str) -> None:
    number = len(bt.lesson(name))
    for solved, status in ((False, "not_attempted"), (True, "correct")):
        found = outputs(KINDS[solved] / file_name(name), "-answer")
        statuses = [each[RECORD]["status"] for each in found]
        assert statuses == [status] * number
    worked = outputs(KINDS[True] / file_name(name), "-solution")
    assert len(worked) == number
    assert not any("give up" in each["text/plain"] for each in worked)


@pytest.mark.parametrize("name", NAMES)
def test_what_students_get_holds_no_answer(name: str) -> None:
    text = (STORED / file_name(name)).read_text(encoding="utf-8")
    cells = nbformat.reads(text, 4).cells
    answers = [cell.source for cell in cells if cell.id.endswith("-answer")]
    asked = [
        f"answer = ...  # your answer\nlesson.q{n + 1}.check(answer)" for n in range(len(answers))
    ]
    assert answers == asked
    assert not any(cell.id.endswith("-solution") for cell in cells)


# What is made -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_valid_and_written_as_jupyter_writes_it(name: str) -> None:
    for solved in (False, True):
        text = sheet(bt.lesson(name, "student-17"), solved=solved)
        read = nbformat.reads(text, 4)
        nbformat.validate(read)
        assert f"{nbformat.writes(read)}\n" == text
        assert read.metadata.kernelspec == {
            "display_name": "Python 3 (ipykernel)",
            "language": "python",
            "name": "python3",
        }


def test_a_seed_of_your_own_stands_in_the_notebook() -> None:
    seeded = nbformat.reads(sheet(bt.lesson("roc", 'a "b" \\ c')), 4)
    scope: dict[str, Any] = {}
    exec(seeded.cells[1].source, scope)
    assert scope["lesson"].seed == 'a "b" \\ c'
    plain = nbformat.reads(sheet(bt.lesson("roc")), 4)
    assert plain.cells[1].source == 'import binteach as bt\n\nlesson = bt.lesson("roc")'


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_that_is_filled_in_is_right(name: str) -> None:
    for seed in ("0", "1", "2"):
        for question in bt.lesson(name, seed):
            scope: dict[str, Any] = {"bt": bt}
            exec(typed(question.goal, "mine"), scope)
            assert question.check(scope["mine"]).status == "correct", question.key


def test_a_function_is_written_out_for_every_measure_of_which_the_bank_asks_for_one() -> None:
    asked = {
        question.goal.measure.key
        for name in NAMES
        for question in bt.lesson(name)
        if isinstance(question.goal, FunctionGoal)
    }
    assert asked == set(WRITTEN_OUT)


@pytest.mark.parametrize("params", [{}, {"beta": 2}, {"beta": "1/2"}], ids=str)
def test_any_other_function_is_left_to_the_registry(params: dict[str, Any]) -> None:
    question = bt.question("f_beta", **params)
    scope: dict[str, Any] = {"bt": bt}
    exec(typed(question.goal, "mine"), scope)
    assert question.check(scope["mine"]).status == "correct"


def test_what_nobody_can_type_is_an_error() -> None:
    with pytest.raises(TypeError, match="no way to type an answer to int"):
        typed(7, "answer")


def test_all_files_are_written_or_none(tmp_path: Path) -> None:
    mine = tmp_path / file_name("roc")
    mine.write_text("my answers", encoding="utf-8")
    with pytest.raises(ValueError, match=f"{mine.name} is there already; choose another folder"):
        write_sheets(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == [mine.name]
    assert mine.read_text(encoding="utf-8") == "my answers"
    files = write_sheets(tmp_path, overwrite=True)
    assert [file.name for file in files] == list(map(file_name, NAMES))
    assert mine.read_text(encoding="utf-8") == sheet(bt.lesson("roc"))


def test_an_empty_notebook_is_one() -> None:
    nbformat.validate(nbformat.reads(notebook([]), 4))
