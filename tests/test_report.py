"""What a class answered: counted from its notebooks, whatever else they hold."""

import csv
import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from explorer_pages import HOSTILE, open_page, read

import binteach as bt
from binteach.exercises import option_question
from binteach.exercises.lessons import plan
from binteach.exercises.outcome import RECORD, SIGNS, STATUSES
from binteach.exercises.report import (
    COLUMNS,
    LARGEST,
    LONGEST_NAME,
    MOST_CHECKS,
    UNKNOWN,
    report,
)
from binteach.exercises.report_page import LOOKS, write_report
from binteach.exercises.sheets import code, notebook

QUESTION = "elementary.precision_at_a_cut.b"
NAME = f"{plan('elementary').question_keys().index(QUESTION) + 1} precision at a cut (b)"


def record(question: str, status: str, *mistakes: str) -> dict[str, Any]:
    return {"question": question, "status": status, "mistakes": list(mistakes), "seed": "s"}


def submit(file: Path, *records: Any) -> Path:
    """A notebook whose cells have left these records."""
    cells = []
    for place, each in enumerate(records):
        cell = code(f"cell-{place}", "lesson.q1.check(answer)")
        data = {"text/plain": "Outcome", RECORD: each}
        cell["outputs"] = [{"output_type": "execute_result", "metadata": {}, "data": data}]
        cells.append(cell)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(notebook(cells), encoding="utf-8")
    return file


@pytest.fixture
def submitted(tmp_path: Path) -> Path:
    """Three students as nbgrader keeps them; one tried several times."""
    folder = tmp_path / "submitted"
    first, second = "elementary.sensitivity_of_a_test", QUESTION
    submit(
        folder / "ann" / "roc" / "roc.ipynb",
        record(first, "correct"),
        record(second, "incorrect", "another_measure:sensitivity"),
        record(second, "incorrect", "another_measure:sensitivity"),
        record(second, "incorrect", "not_divided"),
        record(second, "correct"),
    )
    submit(
        folder / "ben" / "roc" / "roc.ipynb",
        record(first, "not_attempted"),
        record(second, "incorrect", "another_measure:sensitivity"),
    )
    submit(folder / "cem" / "deeper" / "down" / "x.ipynb", record(second, "incorrect"))
    return folder


# Counting ---------------------------------------------------------------------------------------


def test_the_last_check_gives_the_status_and_each_mistake_counts_once_a_notebook(
    submitted: Path,
) -> None:
    found = report(submitted)
    assert found.notebooks == 3
    assert found.skipped == []
    assert found.questions[QUESTION].statuses == Counter(correct=1, incorrect=2)
    assert found.questions[QUESTION].mistakes == {
        "another_measure:sensitivity": 2,
        "not_divided": 1,
        UNKNOWN: 1,
    }
    assert found.questions["elementary.sensitivity_of_a_test"].statuses == Counter(
        correct=1, not_attempted=1
    )


def by_hand(notebooks: Sequence[Sequence[dict[str, Any]]]) -> dict[tuple[str, str, str], int]:
    """The same numbers, counted in the slow and plain way."""
    numbers: Counter[tuple[str, str, str]] = Counter()
    for checks in notebooks:
        for question in {check["question"] for check in checks}:
            own = [check for check in checks if check["question"] == question]
            numbers[question, "status", own[-1]["status"]] += 1
            for mistake in {name for check in own for name in check["mistakes"]}:
                numbers[question, "mistake", mistake] += 1
    return dict(numbers)


def test_a_class_of_checked_answers_is_counted_as_by_hand(tmp_path: Path) -> None:
    notebooks = []
    for student in range(12):
        checks = []
        for question in bt.lesson("elementary", f"s{student}"):
            wrong = [each.answer for each in question.named if each.answer is not None]
            given = [*wrong, "banana", ..., question.goal.right()]
            for answer in given[student % len(given) :: 3]:
                checks.append(dict(question.check(answer).record))
        assert all(check["mistakes"] for check in checks if check["status"] == "incorrect")
        submit(tmp_path / f"{student}.ipynb", *checks)
        notebooks.append(checks)
    rows = list(csv.reader(report(tmp_path).csv().splitlines()))
    assert rows[0] == ["question", "what", "which", "notebooks"]
    assert {(a, b, c): int(number) for a, b, c, number in rows[1:]} == by_hand(notebooks)


def test_a_record_tells_which_measure_or_option_was_taken_and_not_what_differs_by_data() -> None:
    counts = bt.Counts(tp=3, fp=1, fn=2, tn=4)
    question = bt.question("precision", counts)
    assert question.check("3/5").record["mistakes"] == ["another_measure:sensitivity"]
    assert question.check("3/4").record["mistakes"] == []
    cases = bt.load("ten_cases")
    cut = bt.question("precision", cases, top=4)
    assert cut.check(bt.value("precision", cases, top=3)).record["mistakes"] == ["neighbouring_cut"]
    options = option_question("?", ["x", "y"], "x", why={"y": "No."})
    assert options.check("y").record["mistakes"] == ["wrong_option:y"]


def test_a_function_is_recorded_by_its_mistake_and_not_by_its_example() -> None:
    wrong = bt.question("precision").check(lambda tp, fp, fn, tn: tp / (tp + fn or 1))
    assert wrong.diagnoses[0].key == "smallest_example"
    assert wrong.record["mistakes"] == ["another_measure:sensitivity"]


# What is left out -------------------------------------------------------------------------------


def test_what_is_no_notebook_of_this_kind_is_left_out_with_a_word(submitted: Path) -> None:
    broken = {
        "broken.ipynb": "{",
        "binary.ipynb": "\udcff\udc80",
        "list.ipynb": "[]",
        "old.ipynb": '{"worksheets": []}',
        "deep.ipynb": "[" * 100_000,
        "cells.ipynb": '{"cells": [1, null, {"outputs": 5}, {"outputs": [null, {"data": 3}]}]}',
        "none.ipynb": notebook([code("a", "1 + 1")]),
    }
    for name, text in broken.items():
        (submitted / name).write_text(text, encoding="utf-8", errors="surrogateescape")
    submit(submitted / "many.ipynb", *[record(QUESTION, "correct")] * (MOST_CHECKS + 1))
    with (submitted / "huge.ipynb").open("wb") as file:
        file.truncate(LARGEST + 1)
    found = report(submitted)
    assert found.notebooks == 3
    assert {file.name: reason for file, reason in found.skipped} == {
        "binary.ipynb": "is no notebook, or a broken one",
        "broken.ipynb": "is no notebook, or a broken one",
        "cells.ipynb": "has no check in it",
        "deep.ipynb": "is no notebook, or a broken one",
        "huge.ipynb": "is too large (50 MB)",
        "list.ipynb": "is no notebook, or of an old kind",
        "many.ipynb": f"has more than {MOST_CHECKS} checks",
        "none.ipynb": "has no check in it",
        "old.ipynb": "is no notebook, or of an old kind",
    }
    assert found.summary() == "3 notebooks counted; 9 files left out."


def test_copies_that_jupyter_keeps_and_things_that_are_no_files_are_passed_over(
    submitted: Path,
) -> None:
    before = report(submitted)
    copy = submitted / "ann" / "roc" / ".ipynb_checkpoints" / "roc-checkpoint.ipynb"
    submit(copy, record(QUESTION, "correct"))
    (submitted / "folder.ipynb").mkdir()
    os.mkfifo(submitted / "pipe.ipynb")
    assert report(submitted) == before


ODD_RECORDS: list[Any] = [
    None,
    [],
    "correct",
    {},
    {"question": QUESTION},
    {"question": QUESTION, "status": "perfect"},
    {"question": QUESTION, "status": ["correct"]},
    {"question": 7, "status": "correct"},
    {"question": "", "status": "correct"},
    {"question": QUESTION, "status": "incorrect", "mistakes": [{"a": 1}]},
]


def test_records_that_are_none_are_passed_over(tmp_path: Path) -> None:
    submit(tmp_path / "x.ipynb", *ODD_RECORDS, record(QUESTION, "correct"))
    found = report(tmp_path)
    assert {key: tally.statuses for key, tally in found.questions.items()} == {
        QUESTION: Counter(correct=1)
    }


def test_a_folder_without_checks_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is no folder; give one with notebooks"):
        report(tmp_path / "nowhere")
    with pytest.raises(ValueError, match=r"holds no notebook with a check in it$"):
        report(tmp_path)
    (tmp_path / "x.ipynb").write_text("{", encoding="utf-8")
    with pytest.raises(ValueError, match=r"with a check in it; 1 notebook left out$"):
        report(tmp_path)


# Shown ------------------------------------------------------------------------------------------


def test_the_table_tells_the_numbers_and_the_most_common_mistakes(submitted: Path) -> None:
    shown = str(report(submitted))
    assert re.search(r"sensitivity of a test +1 +0 +0 +0 +1\n", shown)
    assert re.search(r"precision at a cut \(b\) +1 +0 +2 +0 +0\n", shown)
    assert re.search(r"precision at a cut \(b\) +2 × another measure: sensitivity\n", shown)
    assert shown.endswith("3 notebooks counted.")


def test_questions_stand_in_the_order_of_the_bank_and_others_after_them(tmp_path: Path) -> None:
    keys = [question.key for name in ("counts", "elementary") for question in bt.lesson(name)]
    checks = [record(key, "correct") for key in ("Zebra", *reversed(keys), "Ape", "counts.gone")]
    submit(tmp_path / "x.ipynb", *checks)
    found = report(tmp_path).by_lesson()
    assert list(found) == ["Counts", "Elementary measures", "Other questions"]
    assert [name.split()[0] for name in found["Counts"]] == [
        str(n) for n in range(1, len(bt.lesson("counts")) + 1)
    ]
    assert NAME in found["Elementary measures"]
    assert list(found["Other questions"]) == ["Ape", "Zebra", "counts.gone"]


def test_no_student_can_be_told_in_a_report(submitted: Path, tmp_path: Path) -> None:
    def told(name: str) -> tuple[str, ...]:
        found = report(submitted)
        page = write_report(found, tmp_path / name)
        return (str(found), found.csv(), page.read_text(encoding="utf-8"))

    before = told("before.html")
    # The same class under other names and in another order, with other seeds.
    for old, new in {"ann": "zoe", "ben": "yan", "cem": "xia"}.items():
        (submitted / old).rename(submitted / new)
    for file in submitted.rglob("*.ipynb"):
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace('"seed": "s"', f'"seed": "{file}"'), encoding="utf-8")
    assert told("after.html") == before


def test_every_status_has_a_column_a_look_and_a_word() -> None:
    assert set(COLUMNS) == set(LOOKS) == set(SIGNS) == set(STATUSES)
    # Never colour alone: whatever shares a hatch differs in brightness.
    hatches = Counter(hatch for _, hatch in LOOKS.values())
    assert {hatch: n for hatch, n in hatches.items() if n > 1} == {" ": 2}


def test_cells_of_the_table_are_no_formulas_of_a_spreadsheet(tmp_path: Path) -> None:
    submit(tmp_path / "x.ipynb", record('=HYPERLINK("x")', "incorrect", "@SUM(1)", "a,b\n+1"))
    rows = list(csv.reader(report(tmp_path).csv().splitlines()))
    assert [row[0] for row in rows[1:]] == ['\'=HYPERLINK("x")'] * 3
    assert sorted(row[2] for row in rows[1:]) == ["'@SUM(1)", "a,b�+1", "incorrect"]


def test_long_names_are_shortened(tmp_path: Path) -> None:
    submit(tmp_path / "x.ipynb", record("q" * 10_000, "incorrect", "m" * 10_000))
    ((question, tally),) = report(tmp_path).questions.items()
    assert len(question) <= LONGEST_NAME
    assert all(len(mistake) <= LONGEST_NAME for mistake in tally.mistakes)


# The page ---------------------------------------------------------------------------------------

BARS = """() => MODELS.filter((m) => m.type === "GlyphRenderer" && m.glyph.type === "HBar")
  .map((m) => [...m.data_source.get("right")].map((to, i) => to - m.data_source.get("left")[i]))"""


@pytest.mark.parametrize("width", [1400, 400])
def test_the_page_shows_bars_as_long_as_the_numbers(
    chromium: Any, submitted: Path, tmp_path: Path, width: int
) -> None:
    page, trouble = open_page(chromium, write_report(report(submitted), tmp_path / "r.html"), width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    text = read(page, "() => text_of(document.body)")
    bars = read(page, BARS)
    page.close()
    # Status by status, as far as there are any; the sensitivity comes first, then the precision.
    assert bars == [[1, 1], [0, 2], [1, 0]]
    assert "3 notebooks counted." in text
    assert "2 × another measure: sensitivity" in text
    assert f"Right least often is “{NAME}”: in 1 of 3 notebooks." in text
    assert trouble == []


def test_whatever_a_notebook_holds_is_only_shown(chromium: Any, tmp_path: Path) -> None:
    submit(tmp_path / "x.ipynb", record(HOSTILE, "incorrect", f"{HOSTILE}$$x$$</script>"))
    found = report(tmp_path)
    page, trouble = open_page(chromium, write_report(found, tmp_path / "r.html"))
    text = read(page, "() => text_of(document.body)")
    title = page.title()
    page.close()
    assert HOSTILE in text
    assert "owned" not in title
    assert trouble == []
    assert "\x1b" not in str(found)
