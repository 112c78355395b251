"""Assignments: what is written for nbgrader, and what nbgrader makes of it."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from nbgrader_course import (
    Answers,
    crashing,
    fill_in,
    half_right,
    marks_in,
    perfect,
    read,
    roster,
    roster_of,
    run,
)

import binteach as bt
from binteach.exercises import graders
from binteach.exercises.graders import (
    assignment_key,
    grade,
    read_roster,
    released,
    seed_of,
    source,
    write_assignment,
)

LESSON = "elementary"
QUESTIONS = len(bt.lesson(LESSON))
STUDENTS = ("ann", "ben", "cem", "dora", "eve", "fay")


def text_of(cell: Any) -> str:
    return "".join(cell["source"])


# Seeds ------------------------------------------------------------------------------------------


def test_a_seed_can_be_made_again_from_id_assignment_and_secret() -> None:
    # Written down once: another seed would be another student's data.
    assert seed_of(assignment_key("roc", "autumn"), "ann") == "568a7668fcd8bd0f8ae3"


def test_seeds_differ_by_student_assignment_and_secret() -> None:
    seeds = {
        seed_of(assignment_key(name, secret), student)
        for name in ("roc", "quota")
        for secret in ("", "autumn")
        for student in STUDENTS
    }
    assert len(seeds) == 2 * 2 * len(STUDENTS)


# The roster -------------------------------------------------------------------------------------


def test_a_roster_is_a_column_of_ids_among_others(tmp_path: Path) -> None:
    text = "name,id\nAnn Example,ann\n\n,b.en@uni-x_1\n"
    assert read_roster(roster(tmp_path, text)) == ["ann", "b.en@uni-x_1"]


BAD_ROSTERS = {
    "empty": ("", "needs one column with the name id, and commas between columns; it has none"),
    "no column": ("name,mail\nAnn,a@x\n", "its columns are name, mail"),
    "semicolons": ("id;name\nann;Ann\n", "commas between columns; its columns are id;name"),
    "two columns": ("id,id\nann,ann\n", "needs one column"),
    "no student": ("id\n\n", "names no student; give each a line with an id"),
    "short row": ("id,name\nann\n", "line 2 has 1 cells, but the header has 2"),
    "same id": ("id\nann\nben\nann\n", "line 4: there is an id ann already"),
    "same but for letters": ("id\nann\nANN\n", "line 3: there is an id ann already"),
    "no id in a row": ("id,name\n,Ann\n", "line 2: '' cannot be an id"),
    "another folder": ("id\n../x\n", "line 2: '../x' cannot be an id"),
    "hidden": ("id\n.x\n", "cannot be an id"),
    "with a dot at the end": ("id\nx.\n", "with no dot at either end"),
    "with a slash": ("id\na/b\n", "cannot be an id"),
    "with a star": ("id\n*\n", "cannot be an id"),
    "too long": ("id\n" + "x" * 65 + "\n", "up to 64"),
    "a null byte": ("id\na\0b\n", "line 2"),
}


@pytest.mark.parametrize(("text", "words"), BAD_ROSTERS.values(), ids=BAD_ROSTERS)
def test_a_bad_roster_is_refused_with_place_and_remedy(
    tmp_path: Path, text: str, words: str
) -> None:
    file = roster(tmp_path, text)
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        write_assignment(LESSON, tmp_path / "course", roster=file)
    assert str(refused.value).startswith(str(file))
    assert words in str(refused.value)
    assert not (tmp_path / "course").exists()


def test_a_roster_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "roster.csv"
    file.write_bytes(b"id,name\nann,J\xf6rg\n")
    with pytest.raises(ValueError, match="save it as CSV in UTF-8"):
        read_roster(file)


# What is written --------------------------------------------------------------------------------


def test_without_a_roster_there_is_one_notebook_for_all(tmp_path: Path) -> None:
    files = write_assignment(LESSON, tmp_path, seed="autumn")
    assert files == [tmp_path / "source" / LESSON / f"{LESSON}.ipynb"]
    cells = {cell.id: cell for cell in read(files[0]).cells}
    assert cells["seed"].source == 'seed = "autumn"'
    assert cells["seed"].metadata.nbgrader.locked
    assert 'seed="autumn")' in cells["q1-test"].source


def test_every_student_gets_a_notebook_with_a_seed_and_nothing_else_of_their_own(
    tmp_path: Path,
) -> None:
    file = roster(tmp_path, roster_of(STUDENTS))
    first, *others = write_assignment(LESSON, tmp_path, roster=file, secret="autumn")
    assert first == tmp_path / "source" / LESSON / f"{LESSON}.ipynb"
    assert others == [
        tmp_path / "handout" / student / LESSON / f"{LESSON}.ipynb" for student in STUDENTS
    ]
    key = assignment_key(LESSON, "autumn")
    texts = set()
    for student, path in zip(STUDENTS, others, strict=True):
        text = path.read_text(encoding="utf-8")
        seed = seed_of(key, student)
        assert text.count(seed) == 1
        assert not re.search(rf"\b{student}\b|Name of", text)
        assert key not in text
        texts.add(text.replace(seed, "SEED"))
    assert len(texts) == 1
    assert all("autumn" not in path.read_text(encoding="utf-8") for path in (first, *others))


def test_no_answer_stands_in_what_students_get() -> None:
    # Answers follow from the seed; so what is the same for every seed holds none.
    found = set()
    for seed in map(str, range(1000, 1005)):
        cells = [text_of(released(cell)) for cell in source(bt.lesson(LESSON, seed), "secret-key")]
        found.add("\n".join(cells).replace(seed, "SEED"))
    (text,) = found
    assert not re.search(r"right\(\)|HIDDEN|SOLUTION|secret-key", text)
    assert text.count("raise NotImplementedError()") == QUESTIONS + 1  # the head speaks of it


def test_a_file_that_is_there_is_not_overwritten_unless_asked(tmp_path: Path) -> None:
    (file,) = write_assignment(LESSON, tmp_path)
    file.write_text("edited", encoding="utf-8")
    with pytest.raises(ValueError, match="is there already; choose another folder"):
        write_assignment(LESSON, tmp_path)
    assert file.read_text(encoding="utf-8") == "edited"
    write_assignment(LESSON, tmp_path, overwrite=True)
    assert read(file).cells[0].id == "head"


# Marks ------------------------------------------------------------------------------------------


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """What a test would show in its notebook."""
    found: list[Any] = []
    monkeypatch.setattr("IPython.display.display", found.append)
    graders._lesson.cache_clear()
    yield found
    graders._lesson.cache_clear()


def test_a_right_answer_gets_the_points_and_a_wrong_one_none(shown: list[Any]) -> None:
    right = bt.lesson(LESSON, "s").q1.goal.right()
    assert grade(LESSON, 1, lambda: right, points=3, seed="s") == 3.0
    assert grade(LESSON, 1, lambda: right + 1, points=3, seed="s") == 0.0
    assert grade(LESSON, 1, lambda: ..., points=3, seed="s") == 0.0
    assert [outcome.status for outcome in shown] == ["correct", "incorrect", "not_attempted"]


def test_an_answer_that_was_never_given_a_name_is_open(shown: list[Any]) -> None:
    assert grade(LESSON, 1, lambda: answer_1, points=1, seed="s") == 0.0  # type: ignore[name-defined]  # noqa: F821
    assert shown[0].status == "not_attempted"
    assert shown[0].message.startswith("The name answer_1 is not defined")


def test_an_error_is_carried_forward_from_question_to_question(shown: list[Any]) -> None:
    asked = list(bt.lesson(LESSON, "s"))
    (n,) = (n for n, each in enumerate(asked, 1) if each.key.endswith("precision_at_a_cut.b"))
    wrong = bt.Counts(tp=1, fp=2, fn=3, tn=4)
    assert asked[n - 2].goal.right() != wrong
    assert grade(LESSON, n - 1, lambda: wrong, points=1, seed="s") == 0.0
    assert grade(LESSON, n, lambda: "1/3", points=1, seed="s") == 1.0
    assert shown[-1].status == "correct_but"


@pytest.mark.parametrize("folder", ["autograded/ann/roc", "roc/ann", "x/ann/y/z"])
def test_the_seed_must_be_that_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shown: list[Any], folder: str
) -> None:
    (tmp_path / folder).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / folder)
    key = assignment_key(LESSON, "autumn")
    for student, marks in (("ann", 0.0), ("ben", None)):
        seed = seed_of(key, student)
        for marking in ("autograde", "validate"):
            monkeypatch.setenv("NBGRADER_EXECUTION", marking)
            if marks is None and marking == "autograde":
                with pytest.raises(ValueError, match="is not that of the student whose folder"):
                    grade(LESSON, 1, lambda: "no", points=1, seed=seed, key=key)
            else:
                assert grade(LESSON, 1, lambda: "no", points=1, seed=seed, key=key) == 0.0


# nbgrader itself --------------------------------------------------------------------------------


def hand_in(course: Path, student: str, owner: str, answers: Answers, essay: str = "") -> None:
    """What a student does who fills in the notebook that `owner` was given."""
    target = course / "submitted" / student / LESSON / f"{LESSON}.ipynb"
    target.parent.mkdir(parents=True)
    shutil.copy(course / "handout" / owner / LESSON / f"{LESSON}.ipynb", target)
    fill_in(target, answers, essay)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course that nbgrader has marked."""
    folder = tmp_path_factory.mktemp("course")
    file = roster(folder, roster_of(STUDENTS))
    write_assignment(LESSON, folder, roster=file, secret="autumn")
    run(folder, "nbgrader", "generate_assignment", LESSON)
    hand_in(folder, "ann", "ann", perfect, essay="It counts the cases called positive.")
    hand_in(folder, "ben", "ben", half_right)
    hand_in(folder, "cem", "cem", crashing)
    hand_in(folder, "dora", "ann", perfect)
    run(folder, "nbgrader", "autograde", LESSON)
    run(folder, "nbgrader", "generate_feedback", LESSON)
    return folder


@pytest.fixture(scope="module")
def marks(course: Path) -> dict[str, Any]:
    return marks_in(course, LESSON)


@pytest.mark.slow
def test_nbgrader_releases_what_students_are_given(course: Path) -> None:
    release = read(course / "release" / LESSON / f"{LESSON}.ipynb")
    handout = read(course / "handout" / "ann" / LESSON / f"{LESSON}.ipynb")
    assert release.metadata == handout.metadata
    for theirs, ours in zip(release.cells, handout.cells, strict=True):
        for name in ("checksum", "cell_type"):  # nbgrader puts them back when it marks
            theirs.metadata.get("nbgrader", {}).pop(name, None)
        if ours.id != "seed":
            assert theirs == ours


@pytest.mark.slow
def test_nbgrader_gives_exactly_the_marks_that_were_earned(marks: dict[str, Any]) -> None:
    most = QUESTIONS * graders.POINTS + graders.ESSAY_POINTS
    assert {student: (m["score"], m["max_score"]) for student, m in marks.items()} == {
        "ann": (QUESTIONS, most),
        "ben": ((QUESTIONS + 1) // 2, most),
        "cem": (0, most),
        "dora": (0, most),
    }


@pytest.mark.slow
def test_what_is_written_in_words_is_left_to_be_marked_by_hand(marks: dict[str, Any]) -> None:
    assert marks["ann"]["cells"]["essay"] == [None, True]
    assert marks["ann"]["by_hand"]
    # nbgrader itself gives nothing for a cell that was left as it was.
    assert marks["ben"]["cells"]["essay"] == [0, False]
    assert not marks["ben"]["by_hand"]


@pytest.mark.slow
def test_feedback_tells_each_student_what_is_said_of_the_answers(course: Path) -> None:
    pages = {
        student: (course / "feedback" / student / LESSON / f"{LESSON}.html").read_text("utf-8")
        for student in ("ann", "ben", "cem", "dora")
    }
    # The source of the tests is shown as well, which says nothing of this kind.
    assert pages["ann"].count("✓ Correct.") == QUESTIONS
    assert pages["ben"].count("✓ Correct.") == (QUESTIONS + 1) // 2
    assert pages["ben"].count("? Not understood.") == QUESTIONS // 2
    assert "ZeroDivisionError" in pages["cem"]
    assert pages["cem"].count("○ Not answered yet.") == QUESTIONS
    assert "not that of the student whose folder this is" in pages["dora"]
    assert all("autumn" not in page for page in pages.values())
