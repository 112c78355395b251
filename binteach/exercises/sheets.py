"""Notebooks made from lessons: exercises to be answered, and their twins with the solutions.

A notebook is made as text, so that the same lesson gives the same file, byte for byte; it holds no
outputs until it is run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from binteach.exercises.lessons import DEFAULT_SEED, NAMES, Lesson, lesson
from binteach.exercises.typed import quoted, typed

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}

Cell = dict[str, Any]

HEAD = """\
# {number}. {title}

{about} What you will practise:

{listed}

**How to answer.** Each question is asked by a cell. Below it, write your answer in place of the
three dots and run the cell with Shift+Enter: it says whether the answer is right, and if not, which
mistake it is.

- A number may be exact or rounded: `"3/4"`, `0.75`, `"75 %"`, `"sqrt(6)/6"`. If there is no such
  number, answer `"undefined"`.
- A confusion matrix is `bt.Counts(tp=3, fp=1, fn=2, tn=4)`, a list of cases `[3, 5, 9]`, an option
  its letter, `"a"`, and a formula a text, `"TP / (TP + FP)"`. A function is given by its name.
- Stuck? `lesson.q1.hint()` in a cell of your own gives a hint, again the next one, and
  `lesson.q1.solution()` every step.
"""
SOLVED_HEAD = """\
# {number}. {title}: solutions

Each answer as it can be typed, and every step to it. Without the answers these are the exercises in
`{file}`.
"""
STUCK = "Stuck? `lesson.q{n}.hint()` helps, `lesson.q{n}.solution()` shows every step."


# Cells ----------------------------------------------------------------------------------------


def markdown(name: str, text: str, **metadata: Any) -> Cell:
    """A cell of words; `name` is its id in the notebook."""
    return {
        "cell_type": "markdown",
        "id": name,
        "metadata": metadata,
        "source": text.strip().splitlines(keepends=True),
    }


def code(name: str, text: str, **metadata: Any) -> Cell:
    """A cell of code, not run yet."""
    words = markdown(name, text, **metadata)
    return {**words, "cell_type": "code", "execution_count": None, "outputs": []}


def notebook(cells: Iterable[Cell]) -> str:
    """The text of a notebook, written as Jupyter writes it."""
    content = {
        "cells": list(cells),
        "metadata": {"kernelspec": KERNEL},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


# Exercises ------------------------------------------------------------------------------------


def file_name(name: str) -> str:
    """06_roc.ipynb: the lessons in their order."""
    return f"{NAMES.index(name) + 1:02}_{name}.ipynb"


def sheet(asked: Lesson, *, solved: bool = False) -> str:
    """The notebook of a lesson, to be answered or with the answers and solutions filled in."""
    head = (SOLVED_HEAD if solved else HEAD).format(
        number=NAMES.index(asked.name) + 1,
        title=asked.title,
        about=asked.about,
        listed="\n".join(f"{n}. {question.title}" for n, question in enumerate(asked, 1)),
        file=file_name(asked.name),
    )
    cells = [markdown("head", head), code("setup", f"import binteach as bt\n\n{setup(asked)}")]
    for n, question in enumerate(asked, 1):
        cells.append(code(f"q{n}-ask", f"lesson.q{n}.ask()"))
        check = f"lesson.q{n}.check(answer)"
        if solved:
            cells.append(code(f"q{n}-answer", f"{typed(question.goal, 'answer')}\n{check}"))
            cells.append(code(f"q{n}-solution", f"lesson.q{n}.solution()"))
        else:
            cells.append(code(f"q{n}-answer", f"answer = ...  # your answer\n{check}"))
            cells.append(markdown(f"q{n}-stuck", STUCK.format(n=n)))
    return notebook(cells)


def setup(asked: Lesson) -> str:
    """The code that makes this lesson."""
    seed = "" if asked.seed == DEFAULT_SEED else f", seed={quoted(asked.seed)}"
    return f'lesson = bt.lesson("{asked.name}"{seed})'


def write_sheets(
    folder: Path, seed: str | None = None, *, solved: bool = False, overwrite: bool = False
) -> list[Path]:
    """One notebook for each lesson; gives the files."""
    texts = {folder / file_name(name): sheet(lesson(name, seed), solved=solved) for name in NAMES}
    return write_all(texts, overwrite)


def write_all(texts: Mapping[Path, str], overwrite: bool) -> list[Path]:
    """Write files, all or none; one that is there already may hold somebody's work."""
    for file in texts:
        if file.exists() and not overwrite:
            raise ValueError(f"{file} is there already; choose another folder, or say --overwrite")
    for file, text in texts.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return list(texts)
