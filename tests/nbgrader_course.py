"""A course that nbgrader marks: how the tests run nbgrader, and what students answer."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import nbformat

import binteach as bt
from benchmarks.browser import environment
from binteach.exercises.typed import typed

Answers = Callable[[int, Any], str]


def read(file: Path) -> Any:
    notebook = nbformat.read(file, 4)
    nbformat.validate(notebook)
    return notebook


def roster_of(students: Iterable[str]) -> str:
    return "id,name\n" + "".join(f"{student},Name of {student}\n" for student in students)


def roster(folder: Path, text: str) -> Path:
    file = folder / "roster.csv"
    file.write_text(text, encoding="utf-8")
    return file


def run(folder: Path, *command: str, settings: Mapping[str, str] | None = None) -> str:
    """What a module prints, nbgrader or another, in a folder and with these variables set."""
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env={
            **environment(folder),
            # nbgrader calls alembic by its name.
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            **(settings or {}),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def perfect(n: int, question: Any) -> str:
    return typed(question.goal, f"answer_{n}")


def half_right(n: int, question: Any) -> str:
    return perfect(n, question) if n % 2 else f'answer_{n} = "nothing that can be read"'


def crashing(n: int, question: Any) -> str:
    return f"answer_{n} = 1 / 0"


def fill_in(file: Path, answers: Answers, essay: str = "") -> None:
    """What a student does with the notebook of an assignment, which has the lesson's name."""
    notebook = read(file)
    cells = {cell.id: cell for cell in notebook.cells}
    seed = json.loads(cells["seed"].source.removeprefix("seed = "))
    for n, question in enumerate(bt.lesson(file.stem, seed), 1):
        cells[f"q{n}-answer"].source = answers(n, question)
    if essay:
        cells["essay"].source = essay
    nbformat.write(notebook, file)


MARKS = """
import json, sys
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db") as book:
    print(json.dumps({
        submission.student.id: {
            "score": submission.score,
            "max_score": submission.max_score,
            "by_hand": submission.needs_manual_grade,
            "cells": {
                grade.name: [grade.auto_score, grade.needs_manual_grade]
                for notebook in submission.notebooks for grade in notebook.grades
            },
        }
        for submission in book.assignment_submissions(sys.argv[1])
    }))
"""


def marks_in(course: Path, assignment: str) -> dict[str, Any]:
    """What the gradebook of a course holds, by student."""
    found: dict[str, Any] = json.loads(
        subprocess.run(
            [sys.executable, "-c", MARKS, assignment],
            cwd=course,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    )
    return found
