"""The card of a question or a lesson in a notebook: field, buttons, reply, progress.

Python judges and the page shows. Beside the live card the notebook keeps a plain copy of every
question with its reply and the record of it: that is what a saved notebook still holds when no
Python runs. Where the live card is drawn, the copies are hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import ipywidgets

from binteach.derivation import Derivation
from binteach.exercises.answers import CELLS, COUNTS_READABLE
from binteach.exercises.card import CALLED, REALLY
from binteach.render import html
from binteach.render.words import Block, Say, narrate

if TYPE_CHECKING:
    from binteach.exercises.lessons import Lesson
    from binteach.exercises.question import Question

# Colours are the notebook's own, so that light and dark themes both work.
STYLE = """<style>
.binteach-live{--jp-widgets-font-size:16px;--jp-widgets-inline-height:36px;
 border:1px solid var(--jp-border-color1,#bdbdbd);border-radius:6px;padding:.5em 1em;
 max-width:56em;box-sizing:border-box;overflow:hidden}
.binteach-live .widget-html,.binteach-live .widget-html-content{font-size:16px;line-height:1.5;
 height:auto;overflow:hidden}
.binteach-live .widget-label{max-width:none;flex-shrink:0;color:inherit}
.binteach-live .jupyter-button{width:auto;padding:0 1em;overflow:visible}
.binteach-live .jupyter-button.mod-active{background-color:var(--jp-layout-color2);
 color:var(--jp-ui-font-color1);box-shadow:none}
.binteach-live .jupyter-button.mod-primary.mod-active{background-color:var(--jp-brand-color1);
 color:var(--jp-ui-inverse-font-color1)}
.binteach-live :focus-visible{outline:3px solid #0072b2!important;outline-offset:1px}
.binteach-live .binteach table.grid,.binteach-live .binteach .chain,
.binteach-live .binteach dl{margin-left:.5em}
.binteach-live .widget-radio{flex-direction:column;height:auto}
.binteach-live .widget-radio .widget-label{text-align:left}
.binteach-live .widget-radio-box label{display:flex;align-items:flex-start;gap:.6em;height:auto;
 line-height:1.4;white-space:normal;padding:.3em 0}
.binteach-live .widget-radio-box label input{order:-1;flex:none;margin:.2em 0 0;line-height:1}
.binteach-cells .widget-html-content{line-height:1.2}
.binteach-cells .widget-text input{min-width:0}
.binteach-live .lesson{display:flex;flex-wrap:wrap;gap:.2em 1.2em;margin:0}
.binteach-live .marks{display:flex;flex-wrap:wrap;gap:.2em .3em}
.binteach-live .marks span{padding:0 .4em;border:2px solid transparent;border-radius:4px}
.binteach-live .marks .now{border-color:currentColor;font-weight:600}
.binteach-ways{margin-top:.6em;padding-top:.4em;
 border-top:1px solid var(--jp-border-color1,#bdbdbd)}
@media(max-width:45em){.binteach-live{padding:.4em .6em}
.binteach-cells{grid-template-columns:5.8em repeat(2,minmax(0,1fr))!important;
 grid-gap:0 .3em!important}
.binteach-live .binteach table.grid th,.binteach-live .binteach table.grid td{padding:.12em .4em}}
.binteach-live .unkept{display:none;border-left:4px solid #d55e00;padding-left:.8em}
.binteach-live.binteach-lost .unkept{display:block}
.jp-OutputArea:has(.binteach-live) .jp-OutputArea-child:has(.binteach-kept){display:none}
</style>"""
ANSWER = "Your answer"
WIDE = "calc(100% - 4px)"  # as wide as there is room for, less the margins that widgets have
# A page that is loaded again shows the live card, and the copies no longer hear of it.
UNKEPT = (
    "Since this page was loaded again, the notebook no longer keeps your answers. "
    "Run the cell that shows the card once more."
)


# Fields -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Field:
    """Where an answer is entered.

    widget  as it stands on the card
    inputs  how many boxes or buttons that are in the page
    read    gives the answer
    form    what is said above about the form of the answer
    """

    widget: Any
    inputs: int
    read: Callable[[], Any]
    form: str


def _text(
    label: str, kind: Any = ipywidgets.Text, label_width: str = "initial", **layout: str
) -> Any:
    # What is typed comes to Python as a whole, with Enter or when the field is left.
    return kind(
        description=label,
        continuous_update=False,
        style={"description_width": label_width},
        layout={"max_width": WIDE, **layout},
    )


def _typed(field: Any) -> str:
    """What was typed, without the quotes that Python would need."""
    text: str = field.value.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def _line(question: Question) -> Field:
    field = _text(ANSWER, width="26em")
    return Field(field, 1, lambda: _typed(field), question.goal.form)


def _lines(question: Question) -> Field:
    field = _text(ANSWER, ipywidgets.Textarea, width="40em", height="5.5em")
    return Field(field, 1, lambda: _typed(field), question.goal.form)


def _cells(question: Question) -> Field:
    """The four counts where they stand in a confusion matrix."""
    fields = {name: _text(name.upper(), label_width="1.8em", width=WIDE) for name in CELLS}
    tp, fp, fn, tn = fields.values()
    corner, left, right, above, below = map(ipywidgets.HTML, ("", *REALLY, *CALLED))
    grid = ipywidgets.GridBox(
        [corner, left, right, above, tp, fp, below, fn, tn],
        layout={
            "grid_template_columns": "max-content repeat(2, 11em)",
            "grid_gap": "0 1em",
            "align_items": "center",
        },
    )
    grid.add_class("binteach-cells")
    form = question.goal.form.removesuffix(f" {COUNTS_READABLE}.")

    def read() -> dict[str, str | None]:
        return {name: _typed(field) or None for name, field in fields.items()}

    return Field(grid, len(fields), read, form)


def _options(question: Question) -> Field:
    options: Sequence[str] = question.goal.options  # type: ignore[attr-defined]
    field = ipywidgets.RadioButtons(
        options=list(options), value=None, description="Choose one:", layout={"width": "auto"}
    )
    return Field(field, len(options), lambda: field.value, "")


def _function(question: Question) -> Field:
    name = "q" if question.number is None else f"lesson.q{question.number}"
    told = ipywidgets.HTML(f"Check it in a cell of its own: <code>{name}.check(f)</code>")
    return Field(told, 0, lambda: None, question.goal.form)


FIELDS = {
    "line": _line,
    "lines": _lines,
    "cells": _cells,
    "options": _options,
    "function": _function,
}


# One question -----------------------------------------------------------------------------------


def _button(label: str, pressed: Callable[[], None], kind: str, style: str = "") -> Any:
    # JupyterLab may have clicks and typed text worked on at the same time, and in any order; what
    # changes a value comes in its order. So every change is a press, whatever it changes to.
    button = ipywidgets.ToggleButton(description=label, button_style=style, tooltip="")
    button.observe(lambda _: pressed(), "value")
    button.add_class(f"binteach-{kind}")
    return button


def _written(*blocks: Block) -> str:
    return html.Page().body(list(blocks))


class Sheet:
    """One question on the card; `changed` is called when something was checked."""

    def __init__(self, question: Question, changed: Callable[[Sheet], None]) -> None:
        self.question, self._changed = question, changed
        self.field = FIELDS[question.goal.entry](question)
        self.reply, self.hints, self.solution = said = [ipywidgets.HTML() for _ in range(3)]
        for each in said:
            each.add_class("binteach-said")
        self.field.widget.add_class("binteach-answer")
        form = [Say((self.field.form,))] if self.field.form else []
        asked = _written(*question.posed(), *form)
        about = f'data-question="{question.number or 1}" data-inputs="{self.field.inputs}"'
        check = [_button("Check", self.check, "check", "primary")] if self.field.inputs else []
        buttons = [
            *check,
            _button("Hint", self.hint, "hint"),
            _button("Solution", self.solve, "solution"),
        ]
        self.widget = ipywidgets.VBox(
            [
                ipywidgets.HTML(f"<div {about}>{asked}</div>"),
                self.field.widget,
                ipywidgets.HBox(buttons, layout={"flex_flow": "row wrap"}),
                *said,
            ]
        )
        self.refresh()

    def refresh(self) -> None:
        """Show what was answered and hinted elsewhere."""
        question = self.question
        if question.last is not None:
            self.reply.value = question.last[1]._repr_html_()
        given = [question.hint(n) for n in range(1, question.hinted + 1)]
        self.hints.value = "".join(_written(*hint.blocks) for hint in given)

    def check(self) -> None:
        """Judge what stands in the field."""
        self.reply.value = self.question.check(self.field.read())._repr_html_()
        self._changed(self)

    def hint(self) -> None:
        """The next hint, under those given before."""
        question = self.question
        more = question.hinted < len(question.hints)
        said = question.hint()
        self.refresh()
        if not question.hints:
            self.hints.value = _written(*said.blocks)
        elif not more:
            self.hints.value += _written(Say(("There are no more hints.",)))

    def solve(self) -> None:
        """Every step; it asks once whether to give up."""
        found = self.question.solution()
        blocks = narrate(found) if isinstance(found, Derivation) else found.blocks
        self.solution.value = _written(*blocks)


# The card ---------------------------------------------------------------------------------------


class LiveCard:
    """The questions one after the other; as the last line of a cell it shows itself.

    The questions are those of Python: what is solved here is solved there, and what was solved
    there is seen here when the card is shown again or another question is turned to.
    """

    def __init__(self, of: Question | Lesson, questions: Sequence[Question]) -> None:
        self.of, self.questions = of, list(questions)
        self.place = next((n for n, q in enumerate(self.questions) if not q.solved), 0)
        self._sheets: dict[int, Sheet] = {}
        # Under these names the notebook's copies are brought up to date.
        self._copies = [uuid4().hex for _ in self.questions]
        self._is_shown, self._checks = False, 0
        self._progress, self._page = ipywidgets.HTML(), ipywidgets.VBox()
        self.previous = _button("Previous", lambda: self.turn(-1), "previous")
        self.next = _button("Next", lambda: self.turn(1), "next")
        ways = ipywidgets.HBox([self.previous, self.next])
        ways.add_class("binteach-ways")
        style = ipywidgets.HTML(f"{html.STYLE}{STYLE}", layout={"height": "0", "margin": "0"})
        parts = [style, self._progress, self._page, ways]
        self.widget = ipywidgets.VBox(parts if len(self.questions) > 1 else parts[:-1])
        self.widget.add_class("binteach-live")
        self.turn(0)

    def __repr__(self) -> str:
        return f"{self.of!r}.card()"

    @property
    def sheet(self) -> Sheet:
        """The question that is turned to."""
        if self.place not in self._sheets:
            self._sheets[self.place] = Sheet(self.questions[self.place], self._checked)
        return self._sheets[self.place]

    # Moving on ---------------------------------------------------------------------------------

    def turn(self, steps: int) -> None:
        """Turn to a question before or after this one."""
        self.place = min(max(self.place + steps, 0), len(self.questions) - 1)
        self.sheet.refresh()
        self._tell_progress()
        self._page.children = [self.sheet.widget]
        self.previous.disabled = self.place == 0
        self.next.disabled = self.place == len(self.questions) - 1

    def _tell_progress(self) -> None:
        lesson = "" if len(self.questions) == 1 else self._lesson()
        self._progress.value = (
            f'{lesson}<p class="unkept" data-checks="{self._checks}">{UNKEPT}</p>'
        )

    def _lesson(self) -> str:
        """What is solved, by a sign for each question."""
        marks = "".join(
            f'<span class="{"now" if place == self.place else ""}">'
            f"{place + 1} {'✓' if question.solved else '○'}</span>"
            for place, question in enumerate(self.questions)
        )
        solved = sum(question.solved for question in self.questions)
        said = f"{solved} of {len(self.questions)} solved"
        title = escape(self.of.title)
        return (
            f'<p class="lesson"><strong>{title}</strong><span>{said}</span>'
            f'<span class="marks" aria-hidden="true">{marks}</span></p>'
        )

    def _checked(self, sheet: Sheet) -> None:
        from IPython.display import update_display

        self._checks += 1
        self._tell_progress()
        if self._is_shown:
            place = self.questions.index(sheet.question)
            update_display(self._copy(place), display_id=self._copies[place], raw=True)

    # In a notebook -----------------------------------------------------------------------------

    def _ipython_display_(self) -> None:
        """The live card, and a plain copy of each question for where no Python runs."""
        from IPython.display import display

        # The widget's own text holds a random number, which would differ every time.
        live = {**self.widget._repr_mimebundle_(), "text/plain": repr(self)}
        self.turn(0)
        display(live, raw=True)
        self._is_shown = True
        for place, name in enumerate(self._copies):
            display(self._copy(place), display_id=name, raw=True)

    def _copy(self, place: int) -> dict[str, Any]:
        """A question with its reply, and with the record of it."""
        asked, kept = self.questions[place].ask(), self.questions[place].kept
        # None is kept before the first check, and an outcome that is not right counts as false.
        reply = "" if kept is None else kept._repr_html_()
        script = f"<script>{_script()}</script>" if place == 0 else ""
        shown = f"{asked._repr_html_()}{reply}{script}"
        return {
            "text/html": f'<div class="binteach-kept" data-checks="{self._checks}">{shown}</div>',
            "text/plain": str(asked) if kept is None else f"{asked}\n{kept!r}",
            **({} if kept is None else kept._repr_mimebundle_()),
        }


def _script() -> str:
    """What the page adds to the widgets: keys, names for readers of screens, the focus."""
    return (files("binteach.exercises") / "live.js").read_text(encoding="utf-8")
