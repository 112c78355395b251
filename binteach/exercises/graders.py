"""Assignments for nbgrader: one for a whole class, or with data of their own for each student.

nbgrader has one notebook for all, in source/, and when it marks, it puts that notebook's read-only
cells and tests back into what was handed in. So what differs from student to student, the seed,
stands in a cell that nbgrader leaves alone, and each gets a copy of their own, in handout/. The
tests know a key from which the seeds are made, in lines that nbgrader hides from students: they
refuse a seed that does not belong to the student in whose folder the notebook lies.

    source/roc/roc.ipynb             for `nbgrader generate_assignment roc`
    handout/ID/roc/roc.ipynb         for the student ID; comes back as submitted/ID/roc/roc.ipynb
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any, cast

from binteach.cases import open_csv
from binteach.exact import shorten
from binteach.exercises.lessons import Lesson, lesson
from binteach.exercises.notebook import check
from binteach.exercises.question import Question
from binteach.exercises.sheets import Cell, code, markdown, notebook, write_all
from binteach.exercises.typed import quoted

POINTS, ESSAY_POINTS = 1, 2
# A name that is safe in any file system and that nbgrader's patterns do not misread.
SAFE_ID = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_.@-]{0,62}[A-Za-z0-9_-])?")

HEAD = """\
# {title}

{about}

Answer each question in the cell below it: delete the line `raise NotImplementedError()` and give
your answer the name that the cell asks for. The cell after it tells you what your answer is taken
for. Cells that cannot be changed are put back as they were when your work is marked.
"""
ESSAY = """\
## In your own words ({points} points)

Take one of the numbers that you have worked out. In two or three sentences: what does it say about
the model, and what does it not say?
"""
ESSAY_ADVICE = """\
To be marked by hand. A good answer says which cases the number counts and which it leaves out, and
names a model or a class ratio with the same number that would be worse to have.
"""
SETUP = """\
import binteach as bt

lesson = bt.lesson("{name}", seed=seed)
"""
ANSWER = """\
# Your answer is answer_{n}.
### BEGIN SOLUTION
answer_{n} = lesson.q{n}.goal.right()
### END SOLUTION
"""
TEST = """\
lesson.q{n}.check(answer_{n})
### BEGIN HIDDEN TESTS
from binteach.exercises.graders import grade

grade("{name}", {n}, lambda: answer_{n}, points={points}, {whose})
### END HIDDEN TESTS
"""
# What nbgrader puts in the place of a solution.
CODE_STUB, TEXT_STUB = "# YOUR CODE HERE\nraise NotImplementedError()\n", "YOUR ANSWER HERE"


# Whose data -----------------------------------------------------------------------------------


def assignment_key(name: str, secret: str) -> str:
    """What the seeds of an assignment are made from; the secret does not follow from it."""
    return _mixed(secret, f"assignment/{name}")


def seed_of(key: str, student: str) -> str:
    """The seed of a student: always the same one, and no other student's."""
    return _mixed(key, f"student/{student}")


def _mixed(key: str, text: str) -> str:
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()[:20]


def read_roster(file: str | Path) -> list[str]:
    """The ids of the students: the column `id` of a CSV file."""
    found: dict[str, str] = {}  # in small letters -> as written
    with open_csv(file) as reader:
        columns = [column.strip() for column in next(reader, [])]
        if columns.count("id") != 1:
            has = f"its columns are {', '.join(columns)}" if any(columns) else "it has none"
            raise ValueError(
                f"{file} needs one column with the name id, and commas between columns; {has}"
            )
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            where = f"{file}, line {reader.line_num}"
            if len(row) != len(columns):
                raise ValueError(f"{where} has {len(row)} cells, but the header has {len(columns)}")
            student = row[columns.index("id")].strip()
            if not SAFE_ID.fullmatch(student):
                raise ValueError(
                    f"{where}: {shorten(student)} cannot be an id, because it names a folder; use "
                    "up to 64 letters from a to z, digits and . _ @ -, with no dot at either end"
                )
            # Some file systems take Ann and ann for one folder.
            if student.lower() in found:
                raise ValueError(
                    f"{where}: there is an id {found[student.lower()]} already, and no two may "
                    "share one; large and small letters count as the same"
                )
            found[student.lower()] = student
    if not found:
        raise ValueError(f"{file} names no student; give each a line with an id")
    return list(found.values())


# The notebook ---------------------------------------------------------------------------------


def source(asked: Lesson, key: str = "") -> list[Cell]:
    """The cells of the lecturer's notebook; with a key, for students with data of their own."""
    seed_cell = code("seed", f"seed = {quoted(asked.seed)}", **({} if key else _locked("seed")))
    whose = f"seed=seed, key={quoted(key)}" if key else f"seed={quoted(asked.seed)}"
    cells = [
        markdown("head", HEAD.format(title=asked.title, about=asked.about), **_locked("head")),
        seed_cell,
        code("setup", SETUP.format(name=asked.name), **_locked("setup")),
    ]
    for n in range(1, len(asked) + 1):
        test = TEST.format(n=n, name=asked.name, points=POINTS, whose=whose)
        cells += [
            code(f"q{n}-ask", f"lesson.q{n}.ask()", **_locked(f"q{n}-ask")),
            code(f"q{n}-answer", ANSWER.format(n=n), **_graded(f"q{n}-answer", solution=True)),
            code(f"q{n}-test", test, **_graded(f"q{n}-test", points=POINTS)),
        ]
    essay = _graded("essay", points=ESSAY_POINTS, solution=True)
    return [
        *cells,
        markdown("essay-ask", ESSAY.format(points=ESSAY_POINTS), **_locked("essay-ask")),
        markdown("essay", ESSAY_ADVICE, **essay),
    ]


def _graded(
    name: str, *, points: int | None = None, solution: bool = False, locked: bool = False
) -> dict[str, Any]:
    """What nbgrader wants to know of a cell."""
    about = {
        "grade": points is not None,
        "grade_id": name,
        "locked": locked,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    return {"nbgrader": about if points is None else {**about, "points": points}}


def _locked(name: str) -> dict[str, Any]:
    return _graded(name, locked=True)


_SOLUTION = re.compile(r"### BEGIN SOLUTION\n.*?### END SOLUTION\n?", re.DOTALL)
_HIDDEN = re.compile(r"\n?### BEGIN HIDDEN TESTS\n.*?### END HIDDEN TESTS", re.DOTALL)


def released(cell: Cell) -> Cell:
    """A cell as students get it: what nbgrader makes of it, without solution and hidden tests."""
    text = "".join(cell["source"])
    about = cell["metadata"].get("nbgrader", {})
    if about.get("solution"):
        text = _SOLUTION.sub(CODE_STUB, text) if cell["cell_type"] == "code" else TEXT_STUB
    text = _HIDDEN.sub("", text).rstrip("\n")
    lock = {"deletable": False}
    if not about.get("solution"):
        lock["editable"] = False
    metadata = {**cell["metadata"], **lock}
    return {**cell, "metadata": metadata, "source": text.splitlines(keepends=True)}


def write_assignment(
    name: str,
    out: Path,
    *,
    roster: str | Path | None = None,
    secret: str = "",
    seed: str | None = None,
    overwrite: bool = False,
) -> list[Path]:
    """The files of an assignment: nbgrader's source, then one for each student of the roster."""
    students = [] if roster is None else read_roster(roster)
    asked = lesson(name, seed)
    key = assignment_key(asked.name, secret) if students else ""
    files = {out / "source" / asked.name / f"{asked.name}.ipynb": notebook(source(asked, key))}
    for student in students:
        own = map(released, source(lesson(asked.name, seed_of(key, student)), key))
        files[out / "handout" / student / asked.name / f"{asked.name}.ipynb"] = notebook(own)
    return write_all(files, overwrite)


# Marking --------------------------------------------------------------------------------------


def grade(
    name: str, n: int, answer: Callable[[], object], *, points: float, seed: str, key: str = ""
) -> float:
    """The points for an answer, after showing what is said of it; run by nbgrader's tests.

    nbgrader takes a number at the end of a test for the points, and an error for none. The answer
    is looked up here, so that a name that was never defined is no error but an open question.
    """
    from IPython.display import display

    marking = os.environ.get("NBGRADER_EXECUTION") == "autograde"
    if key and marking and not any(seed == seed_of(key, part) for part in Path.cwd().parts):
        raise ValueError(
            f"the seed {shorten(seed)} is not that of the student whose folder this is: "
            "the notebook was made for somebody else, or the folder has another name than the id"
        )
    outcome = check(Question, _lesson(name, seed).question(n), cast(FunctionType, answer))
    display(outcome)
    return float(points) if outcome else 0.0


@lru_cache(maxsize=1)  # one lesson for all answers, so that an error can be carried forward
def _lesson(name: str, seed: str) -> Lesson:
    return lesson(name, seed)
