"""Which mistakes a class made: what the checks in its notebooks left behind, counted.

A check keeps a record in its notebook's output (outcome.RECORD): which question, which status,
which mistake. Of each notebook, the last check of a question gives the status, and every mistake
counts once. Nothing else of a notebook is looked at, and a report names no notebook that it counts.

What stands in a notebook may have been written by anybody: it is only counted, and escaped where
it is shown.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from binteach.derivation import Table
from binteach.exact import short_text
from binteach.exercises.lessons import NAMES, plan
from binteach.exercises.outcome import RECORD, STATUSES
from binteach.render import text
from binteach.render.words import Block, Grid, Heading, Say, clean

LARGEST = 50 * 2**20  # bytes of a notebook
MOST_CHECKS = 2_000  # in one notebook
LONGEST_NAME = 80  # of a question or a mistake, in characters
MOST_MISTAKES = 3  # of one question that are shown
OTHERS = "Other questions"
UNKNOWN = "none that is known"
# The columns of the table: short words, and what they stand for.
COLUMNS = {
    "correct": "right",
    "correct_but": "but",
    "incorrect": "wrong",
    "not_understood": "unread",
    "not_attempted": "open",
}
LEGEND = (
    "but: right, with a remark; wrong: not right; unread: the answer could not be read; "
    "open: not answered yet."
)


# Reading --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Check:
    """What one check left behind."""

    question: str
    status: str
    mistakes: tuple[str, ...]


def read_checks(file: Path) -> list[Check]:
    """The checks in a notebook, from top to bottom; ValueError where it is none or too large."""
    size = file.stat().st_size
    if size > LARGEST:
        raise ValueError(f"is too large ({size // 2**20} MB)")
    try:
        content = json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        raise ValueError("is no notebook, or a broken one") from None
    if not isinstance(content, dict) or not isinstance(content.get("cells"), list):
        raise ValueError("is no notebook, or of an old kind")
    checks = [check for record in _records(content["cells"]) if (check := _check(record))]
    if len(checks) > MOST_CHECKS:
        raise ValueError(f"has more than {MOST_CHECKS} checks")
    if not checks:
        raise ValueError("has no check in it")
    return checks


def _records(cells: list[Any]) -> Iterator[Any]:
    for cell in cells:
        for output in _items(cell, "outputs"):
            data = output.get("data") if isinstance(output, dict) else None
            if isinstance(data, dict) and RECORD in data:
                yield data[RECORD]


def _items(holder: Any, name: str) -> list[Any]:
    found = holder.get(name) if isinstance(holder, dict) else None
    return found if isinstance(found, list) else []


def _check(record: Any) -> Check | None:
    """The record of a check, unless it is none."""
    if not isinstance(record, dict) or record.get("status") not in STATUSES:
        return None
    names = [record.get("question"), *_items(record, "mistakes")]
    if not all(isinstance(name, str) and name for name in names):
        return None
    question, *mistakes = (clean(short_text(name, LONGEST_NAME)) for name in names)
    if not mistakes and record["status"] == "incorrect":
        mistakes = [UNKNOWN]
    return Check(question, record["status"], tuple(mistakes))


# Counting -------------------------------------------------------------------------------------


@dataclass
class Tally:
    """What became of one question: in how many notebooks which status, and which mistake."""

    statuses: Counter[str] = field(default_factory=Counter)
    mistakes: Counter[str] = field(default_factory=Counter)

    @property
    def right(self) -> int:
        """In how many notebooks it was answered correctly, if with a remark."""
        return self.statuses["correct"] + self.statuses["correct_but"]

    def commonest(self) -> list[str]:
        """The most common mistakes in words: 7 × another measure: sensitivity."""
        # Of those that are as common, in the order of the alphabet.
        ranked = sorted(self.mistakes.items(), key=lambda item: (-item[1], item[0]))
        return [
            f"{number} × {mistake.replace('_', ' ').replace(':', ': ', 1)}"
            for mistake, number in ranked[:MOST_MISTAKES]
        ]


@dataclass
class Report:
    """What became of every question, and which files were left out, with the reason."""

    questions: dict[str, Tally] = field(default_factory=dict)
    notebooks: int = 0
    skipped: list[tuple[Path, str]] = field(default_factory=list)

    def count(self, checks: list[Check]) -> None:
        """Take in the checks of one notebook."""
        self.notebooks += 1
        last = {check.question: check.status for check in checks}
        for question, status in last.items():
            tally = self.questions.setdefault(question, Tally())
            tally.statuses[status] += 1
            tally.mistakes.update(
                {name for check in checks if check.question == question for name in check.mistakes}
            )

    def by_lesson(self) -> dict[str, dict[str, Tally]]:
        """Lesson -> question -> tally, in the order of the bank; under the names to show."""
        left = dict(self.questions)
        found: dict[str, dict[str, Tally]] = {}
        lessons = {key.partition(".")[0] for key in left}
        for declared in (plan(name) for name in NAMES if name in lessons):
            for n, key in enumerate(declared.question_keys(), 1):
                if key in left:
                    _, name, *letter = key.replace("_", " ").split(".")
                    shown = f"{n} {name}" + "".join(f" ({each})" for each in letter)
                    found.setdefault(declared.title, {})[shown] = left.pop(key)
        if left:
            found[OTHERS] = dict(sorted(left.items()))
        return found

    def blocks(self) -> list[Block]:
        """The report in words and tables."""
        blocks: list[Block] = []
        for title, questions in self.by_lesson().items():
            blocks += [Heading(title), status_table(questions), *mistake_table(questions)]
        return [*blocks, Say((f"{LEGEND} {self.summary()}",))]

    def summary(self) -> str:
        """How many notebooks were counted, and how many were not."""
        left_out = f"; {_number(len(self.skipped), 'file')} left out" if self.skipped else ""
        return f"{_number(self.notebooks, 'notebook')} counted{left_out}."

    def __str__(self) -> str:
        return text.join(self.blocks())

    def csv(self) -> str:
        """One line for each number: question, status or mistake, which, in how many notebooks."""
        lines = io.StringIO()
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(["question", "what", "which", "notebooks"])
        for question, tally in sorted(self.questions.items()):
            for what, counter in (("status", tally.statuses), ("mistake", tally.mistakes)):
                for which, number in sorted(counter.items()):
                    writer.writerow([_cell(question), what, _cell(which), number])
        return lines.getvalue()


def status_table(questions: dict[str, Tally]) -> Grid:
    """In how many notebooks a question has which status."""
    rows = tuple(
        (question, *(str(tally.statuses[status]) for status in COLUMNS))
        for question, tally in questions.items()
    )
    return Grid(Table(("question", *COLUMNS.values()), rows, words=True))


def mistake_table(questions: dict[str, Tally]) -> list[Grid]:
    """The most common mistakes of each question; none where none was made."""
    rows = tuple(
        (question if place == 0 else "", mistake)
        for question, tally in questions.items()
        for place, mistake in enumerate(tally.commonest())
    )
    return [Grid(Table(("question", "most common mistakes"), rows, words=True))] if rows else []


def _number(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _cell(words: str) -> str:
    """Words from outside for a spreadsheet, which would take =... for a formula."""
    return f"'{words}" if words.startswith(("=", "+", "-", "@", "\t", "\r")) else words


def report(folder: str | Path) -> Report:
    """Count the checks of every notebook in a folder and below."""
    if not Path(folder).is_dir():
        raise ValueError(f"{folder} is no folder; give one with notebooks, such as submitted")
    found = Report()
    for file in sorted(Path(folder).rglob("*.ipynb")):
        if ".ipynb_checkpoints" in file.parts or not file.is_file():
            continue
        try:
            found.count(read_checks(file))
        except (ValueError, OSError) as wrong:
            found.skipped.append((file, str(wrong)))
    if not found.notebooks:
        few = f"; {_number(len(found.skipped), 'notebook')} left out" if found.skipped else ""
        raise ValueError(f"{folder} holds no notebook with a check in it{few}")
    return found
