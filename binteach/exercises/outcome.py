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
# Never by colour alone: each status has its own sign and word.
_SIGNS = {
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

    def __bool__(self) -> bool:
        """Whether the answer counts as right."""
        return self.status in ("correct", "correct_but")

    def __str__(self) -> str:
        sign, word, _ = _SIGNS[self.status]
        return f"{sign} {word}: {self.message}"

    def __repr__(self) -> str:
        return text.join([Say((str(self),))])  # a console shows the repr, and this is to be read

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return {RECORD: dict(self.record)} if self.record else {}

    def _repr_html_(self) -> str:
        sign, word, colour = _SIGNS[self.status]
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
