"""What a check says: a status, a message for the student, and the diagnoses as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

from binteach.render import text
from binteach.render.words import Say, clean

RECORD = "application/vnd.binteach.check+json"
"""The type under which a notebook keeps what was checked, for `binteach report`."""
STATUSES = ("correct", "correct_but", "incorrect", "not_attempted", "not_understood")
# What a mistake is about differs from student to student with the data, but for these.
_SAME_FOR_ALL = {
    "another_measure",
    "another_count",
    "wrong_option",
    "step_on_the_way",
    "log_base",
    "depends_on",
}
# Never by colour alone: each status has its own sign and word.
SIGNS = {
    "correct": ("✓", "Correct", "#009e73"),
    "correct_but": ("✓", "Correct, with a note", "#009e73"),
    "incorrect": ("✗", "Not correct", "#d55e00"),
    "not_attempted": ("○", "Not answered yet", "#0072b2"),
    "not_understood": ("?", "Not understood", "#0072b2"),
}


@dataclass(frozen=True)
class Diagnosis:
    """One true statement about an answer.

    key       which mistake it is, such as "another_measure" or "truncated"
    sentence  the same for the student
    about     what the answer belongs to: the key of a measure, a cut, a symbol
    remedy    what to do instead, where that is not plain
    """

    key: str
    sentence: str
    about: str = ""
    remedy: str = ""

    @property
    def name(self) -> str:
        """What can be counted over a class: "another_measure:sensitivity", "neighbouring_cut"."""
        return f"{self.key}:{self.about}" if self.key in _SAME_FOR_ALL else self.key


@dataclass(frozen=True)
class Outcome:
    """What `check` answers; `message` is plain text, the diagnoses come likeliest first.

    `record` is what a notebook keeps of it: which question, which status, which mistake.
    """

    status: str
    message: str
    diagnoses: tuple[Diagnosis, ...] = ()
    record: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", clean(self.message))

    @property
    def mistake(self) -> Diagnosis | None:
        """The likeliest mistake; the example on which a function or formula fails is none."""
        return next((each for each in self.diagnoses if each.key != "smallest_example"), None)

    def __bool__(self) -> bool:
        """Whether the answer counts as right."""
        return self.status in ("correct", "correct_but")

    def __str__(self) -> str:
        sign, word, _ = SIGNS[self.status]
        return f"{sign} {word}: {self.message}"

    def __repr__(self) -> str:
        return text.join([Say((str(self),))])  # a console shows the repr, and this is to be read

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return {RECORD: dict(self.record)} if self.record else {}

    def _repr_html_(self) -> str:
        sign, word, colour = SIGNS[self.status]
        return (
            f'<div class="binteach" role="status" style="border-left:4px solid {colour};'
            f'padding:.3em .8em;max-width:52em"><strong>{sign} {word}.</strong> '
            f"{escape(self.message)}</div>"
        )


BRACKETS = Diagnosis(
    "brackets_forgotten",
    "Brackets are missing: the / divides only what stands next to it.",
)
ALSO_NAMED = 1  # further diagnoses that the message tells


def incorrect(diagnoses: list[Diagnosis], otherwise: str) -> Outcome:
    """Not correct, with what is known about the answer."""
    if not diagnoses:
        return Outcome("incorrect", otherwise)
    first, *others = diagnoses
    parts = [first.sentence, first.remedy, *(f"Also: {o.sentence}" for o in others[:ALSO_NAMED])]
    return Outcome("incorrect", " ".join(filter(None, parts)), tuple(diagnoses))
