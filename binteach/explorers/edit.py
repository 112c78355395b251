"""The edit explorer: move the cases, change their class, and see every measure follow."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib.resources import files
from typing import Any

import traitlets

from binteach.cases import Cases, Cut
from binteach.data import load
from binteach.derivation import explain
from binteach.explorers import figures, look
from binteach.explorers.base import Explorer, Setting, View, note
from binteach.explorers.controls import data_chooser, data_field
from binteach.explorers.editing import COUNTED, Board, case_score, standing_text, step_text
from binteach.explorers.editing import Edit as Change
from binteach.explorers.state import measure_key, whole_number, with_digits
from binteach.measures import MEASURES, Measure
from binteach.render import html

COLOURS = [look.NEGATIVE, look.POSITIVE]  # of a mark, by class
INKS = [look.INK, look.PAPER]  # of the name inside it
MOST_LARGE = 25  # cases whose marks are large
LONGEST_TITLE = 20
LONGEST_INSIDE = 3  # characters of a name that fit into the mark of its case

EXPLAINED = tuple(
    key
    for key, measure in MEASURES.items()
    if measure.takes in ("counts", "scores", "ranking", "quota")
)
"""The measures of cases."""
NO_ANSWER = note(
    "Python does not answer, so this derivation is missing. Where its kernel has stopped, run the "
    "cell again."
)
UNHEARD = "Python does not answer: it has not heard of what was moved here."


class Edit(Explorer):
    """What if this case had another score? Every case can be moved, and everything follows.

    cases      at most 60 Cases; Berrar's ten unless given
    threshold  cases with a larger score are called positive; the middle of the axis unless given
    measure    the measure that is explained, by any of its names; "auc" unless given

    Scores move in steps of a grid: 0.01 for scores from 0 to 1. In the page the cases are dragged,
    or moved by buttons and keys. From Python `e.move(8, 0.28)`, `e.nudge(8, -3)`, `e.flip(8)`,
    `e.undo()`, `e.redo()` and `e.reset()` do the same, where 8 is the name of a case. `e.cases` are
    the cases as edited, with exact scores; `e.given` are those given.

    Traits: `threshold` and `measure`, and `edits`: what was done, in order, as [case counted from
    0, steps, class], or [] for all back. They follow the page and can be set and observed. The
    figures are "strip", "roc" and "pr".

    >>> e = bt.explorers.edit(bt.load("ten_cases"), threshold=0.4)
    >>> e.move(8, 0.28)
    >>> bt.value("auc", e.cases)
    Fraction(22, 25)
    >>> e.undo()
    >>> e
    Edit(10 cases, 0 edits, threshold=0.4)
    """

    kind = "edit"

    def __init__(
        self, cases: Cases | None = None, threshold: object = None, measure: str = "auc"
    ) -> None:
        super().__init__()
        self._future: list[Change] = []
        self.take(load("ten_cases") if cases is None else cases)
        self.measure = measure
        if threshold is not None:
            self.threshold = threshold

    def take(self, cases: Cases) -> None:
        """Edit other cases."""
        self.board = Board(self.checked(cases))
        self.edits, self._future = [], []
        self.threshold = self.board.score((self.board.low + self.board.high) // 2)
        self.data = cases

    @Setting
    def threshold(self, given: object) -> float:
        """Cases with a larger score are called positive."""
        return float(self.board.score(self.board.nearest(given, "threshold")))

    @Setting
    def measure(self, given: object) -> str:
        """The key of the measure that is explained."""
        return measure_key("measure", given, EXPLAINED)

    @Setting
    def edits(self, given: object) -> list[Change]:
        """What was done, in order: [case, steps, class], or [] for all back."""
        return self.board.checked(given)

    @traitlets.observe("edits")
    def _edited(self, change: Any) -> None:
        # What was undone can be done again, as long as nothing else is done.
        if self._future[: len(change.new)] != change.new:
            self._future = list(change.new)

    def __repr__(self) -> str:
        edits = "1 edit" if len(self.edits) == 1 else f"{len(self.edits)} edits"
        return f"Edit({self.given.n} cases, {edits}, threshold={self.threshold:g})"

    # From Python -------------------------------------------------------------------------------

    @property
    def given(self) -> Cases:
        """The cases as they were given."""
        return self.board.given

    @property
    def cases(self) -> Cases:
        """The cases as edited, with exact scores."""
        return self.board.cases(self.board.after(self.edits))

    def move(self, case: object, score: object) -> None:
        """Give the case with this name another score: the nearest step of the grid."""
        index = self.board.index(case)
        steps = self.board.nearest(score, f"the score of case {case}")
        self._put(index, steps, self.board.after(self.edits)[index][1])

    def nudge(self, case: object, steps: int = 1) -> None:
        """Move a case by so many steps of the grid, to the left if they are negative."""
        index, most = self.board.index(case), self.board.high - self.board.low
        by = whole_number("steps", steps, -most, most)
        now, label = self.board.after(self.edits)[index]
        if now is None:
            # From between two steps, the first nudge goes to the next of them.
            place = self.board.place(self.given.score(index))
            now = place // 1 if by > 0 else -(-place // 1)
        target = self.board.score(now + by)
        self._put(index, self.board.nearest(target, f"the score of case {case}"), label)

    def flip(self, case: object) -> None:
        """Put a case into the other class."""
        index = self.board.index(case)
        steps, label = self.board.after(self.edits)[index]
        self._put(index, steps, 1 - label)

    def _put(self, index: int, steps: int | None, label: int) -> None:
        if self.board.after(self.edits)[index] != (steps, label):
            self.edits = [*self.edits, [index, steps, label]]

    def undo(self) -> None:
        """Take back the last edit."""
        if not self.edits:
            raise ValueError("there is nothing to undo")
        self.edits = self.edits[:-1]

    def redo(self) -> None:
        """Do again what was undone last."""
        if len(self._future) == len(self.edits):
            raise ValueError("there is nothing to redo")
        self.edits = self._future[: len(self.edits) + 1]

    def reset(self) -> None:
        """Put all cases back as they were given; this can be undone, too."""
        if self.board.after(self.edits) != self.board.start:
            self.edits = [*self.edits, []]

    # In a notebook -----------------------------------------------------------------------------

    def controls(self) -> list[Any]:
        import ipywidgets

        refused = ipywidgets.HTML()

        def choose(cases: Cases) -> None:
            try:
                self.take(cases)
                refused.value = ""
            except ValueError as wrong:
                refused.value = f"<p role='alert'>{escape(str(wrong))}</p>"

        current = "ten_cases" if self.given == load("ten_cases") else ""
        row = [data_chooser(current, choose), data_field(self.take)]
        return [ipywidgets.HBox(row, layout={"flex_flow": "row wrap"}), refused]

    # What a page needs -------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """The cases as given, and what the page must know to count by itself."""
        board, given = self.board, self.given
        steps = range(board.low, board.high + 1)
        one, five = (step_text(steps * board.grid) for steps in (1, 5))
        return {
            "n": given.n,
            "origin": float(board.origin),
            "grid": float(board.grid),
            "low": board.low,
            "high": board.high,
            "step_x": [float(board.score(step)) for step in steps],
            "step_texts": [step_text(board.score(step)).replace("-", "−") for step in steps],
            "steps": [steps for steps, _ in board.start],
            "labels": list(given.labels),
            "keys": board.order_keys(),
            "x": [float(score) for score in given.scores],
            "score_texts": [case_score(board, i, each) for i, each in enumerate(board.start)],
            "scores": [str(score) for score in given.scores],
            "probabilities": board.probabilities,
            "weights": [str(weight) for weight in given.weights or (1,) * given.n],
            "names": list(given.names),
            "short_names": self._short_names(),
            "size": self._size(),
            "colours": COLOURS,
            "inks": INKS,
            "titles": {key: look.shown_text(_short_title(key)) for key in (*board.whole, *COUNTED)},
            "whole": list(board.whole),
            "counted": list(COUNTED),
            "calls": {key: look.shown_text(_call(MEASURES[key])) for key in EXPLAINED},
            "no_python": [
                "<p>A derivation needs a running Python. In a notebook, where e is this explorer, "
                "it is <code>",
                "</code>.</p>",
            ],
            "no_answer": NO_ANSWER,
            "unheard": UNHEARD,
            # What is read out of buttons on which there is an arrow
            "spoken": {
                "left5": f"left by {five}",
                "left": f"left by {one}",
                "right": f"right by {one}",
                "right5": f"right by {five}",
            },
            # What changes while the page is used
            "future": [*self._future],
            "last": [*self.edits],
            "drag": None,
        }

    def _derivation(self) -> str:
        """The derivation of the measure that is explained, written now."""
        standing = self.board.after(self.edits)
        cases, measure = self.board.cases(standing), MEASURES[self.measure]
        at = self.board.score(self.board.nearest(self.threshold, "threshold"))
        k = cases.ranking.cut_above(at).k
        given = {name: {"at": at, "top": k}[name] for name in _needed(measure)}
        try:
            written = html.render(explain(measure, cases, **given))
        except ValueError as wrong:  # such as a loss of probabilities of other scores
            written = note(f"{measure.title} cannot be worked out here: {wrong}.")
        return f'<div data-of="{self.measure} {k} {standing_text(standing)}">{written}</div>'

    # The page ----------------------------------------------------------------------------------

    def build(self) -> View:
        from bokeh.events import ButtonClick, Pan, PanEnd, PanStart, Tap
        from bokeh.models import ColumnDataSource, CustomJS, CustomJSTickFormatter, Label

        board, state = self.board, self.state()
        memo = ColumnDataSource(tags=self.edits)
        as_text = CustomJSTickFormatter(
            args={name: state[name] for name in ("step_texts", "origin", "grid", "low")},
            code="return step_texts[Math.round((tick - origin) / grid) - low] ?? ''",
        )
        slider = look.slider(
            "Threshold",
            state["step_x"][0],
            state["step_x"][-1],
            self.threshold,
            step=float(board.grid),
            format=as_text,
        )
        # Bokeh tells options apart by what is shown.
        titles = {str(i): title for i, title in enumerate(board.titles)}
        chooser = look.select("Case", titles, str(self._last_case()), width=150)
        explained = {key: MEASURES[key].title for key in EXPLAINED}
        measure = look.select("Measure explained", explained, self.measure)
        buttons = _buttons(*(step_text(steps * board.grid) for steps in (1, 5)))
        sources = self._sources()
        line = figures.moving_line(level="underlay")
        line.location = self.threshold
        sides = [
            Label(
                x=self.threshold,
                y=1.9,
                x_offset=offset,
                text=words,
                text_align=align,
                text_baseline="top",
                text_color="#A84400",
                text_font_size="16px",
            )
            for words, align, offset in (("called − ", "right", -6), (" called +", "left", 6))
        ]
        drawn = {
            "strip": self._strip(sources, line, sides),
            "roc": _roc(sources),
            "pr": _pr(sources),
        }
        drawn["strip"].xaxis.formatter = as_text
        summary = look.announcer()
        ranking = look.wide_box("Ranking", 340, css=look.RANKING + CHOSEN)
        matrix = look.box(width=300, css=look.MATRIX + "th { white-space: nowrap; }")
        measures = look.wide_box("Measures", 470, css=MEASURES_STYLE)
        derivation = look.wide_box("Derivation", 640)
        switch = CustomJS(
            args={
                "state": state,
                "memo": memo,
                "slider": slider,
                "chooser": chooser,
                "measure": measure,
                "buttons": buttons,
                "strip": drawn["strip"],
                "dots": sources["dots"],
                "sources": sources,
                "figures": dict(drawn),
                "line": line,
                "sides": sides,
                "summary": summary,
                "ranking": ranking,
                "matrix": matrix,
                "measures": measures,
                "derivation": derivation,
            },
            code=_script(),
        )
        # By these names the parts of the page are found.
        named = {"edits": memo, "summary": summary, "matrix": matrix, "ranking": ranking}
        named |= {"measures": measures, "chooser": chooser, "derivation": derivation}
        named |= {"strip": drawn["strip"], "threshold": slider}
        for name, model in (named | sources | buttons).items():
            model.name = name
        for model in (slider, chooser, measure):
            model.js_on_change("value", switch)
        memo.js_on_change("tags", switch)
        for button in buttons.values():
            button.js_on_event(ButtonClick, switch)
        for event in (Tap, PanStart, Pan, PanEnd):
            drawn["strip"].js_on_event(event, switch)
        controls = look.flow(chooser, *buttons.values())
        controls.styles = {**controls.styles, "gap": "8px 12px", "align-items": "flex-end"}
        # The table of measures is long: beside all the rest where there is room.
        left = look.flow(drawn["roc"], drawn["pr"], matrix, ranking)
        for part, flex in (
            (left, "1 1 860px"),
            (drawn["roc"], "1 1 340px"),
            (drawn["pr"], "1 1 340px"),
            (measures, "1 1 420px"),
        ):
            part.styles = {**part.styles, "flex": flex, "min-width": "min(100%, 340px)"}
        root = look.page(
            slider,
            summary,
            controls,
            drawn["strip"],
            look.box(HINT, width=900, sizing_mode="stretch_width"),
            look.flow(left, measures),
            measure,
            derivation,
        )
        traits = {
            "threshold": (slider, "value"),
            "measure": (measure, "value"),
            "edits": (memo, "tags"),
        }
        return View(root, traits, drawn, switch, (derivation, self._derivation))

    def _last_case(self) -> int:
        """The case that was edited last."""
        return next((edit[0] for edit in reversed(self.edits) if edit), 0)

    def _sources(self) -> dict[str, Any]:
        """What the figures show at first; the page fills them anew after every edit."""
        from bokeh.models import ColumnDataSource

        board, cases = self.board, self.cases
        standing = board.after(self.edits)
        both = cases.positives and cases.negatives
        given_both = self.given.positives and self.given.negatives
        now = cases.ranking.cut_above(self.threshold)
        share = float(cases.prevalence)
        dots: dict[str, list[Any]] = {
            "x": [float(score) for score in cases.scores],
            "y": list(cases.labels),
            "name": list(cases.names),
            "short": self._short_names(),
            "klass": ["positive" if label else "negative" for label in cases.labels],
            "score": [case_score(board, i, each) for i, each in enumerate(standing)],
            "marker": ["circle" if label else "square" for label in cases.labels],
            "colour": [COLOURS[label] for label in cases.labels],
            "ink": [INKS[label] for label in cases.labels],
        }
        last = self._last_case()
        found: dict[str, dict[str, list[Any]]] = {
            "dots": dots,
            "chosen": {column: [values[last]] for column, values in dots.items()},
            "roc": _roc_points(cases.ranking.cuts if both else ()),
            "hull": _roc_points(cases.ranking.hull() if both else ()),
            "roc_now": _roc_points([now] if both else ()),
            "roc_given": _roc_points(self.given.ranking.cuts if given_both else ()),
            "pr": _pr_points(cases.ranking.cuts),
            "pr_now": _pr_points([now]),
            "pr_given": _pr_points(self.given.ranking.cuts),
            "prevalence": {"x": [0, 1], "y": [share, share]},
        }
        return {name: ColumnDataSource(data) for name, data in found.items()}

    def _short_names(self) -> list[str]:
        """The names, if all of them fit into the marks of the cases."""
        names = self.given.names
        fit = len(names) <= MOST_LARGE and all(len(name) <= LONGEST_INSIDE for name in names)
        return list(names) if fit else [""] * len(names)

    def _strip(self, sources: dict[str, Any], line: Any, sides: list[Any]) -> Any:
        """The cases along the axis of their scores, positives above negatives."""
        board = self.board
        margin = (board.high - board.low) // 30 + 1
        low, high = (float(board.score(end)) for end in (board.low - margin, board.high + margin))
        figure = look.strip("Scores: drag the cases", "score", (low, high), (-0.7, 1.95), 290)
        figure.add_layout(line)
        for side in sides:
            figure.add_layout(side)
        # The chosen case lies on top, with a thick rim.
        for name, rim in (("dots", 1.5), ("chosen", 5)):
            marks = figure.scatter(
                "x",
                "y",
                source=sources[name],
                marker="marker",
                size=self._size(),
                fill_color="colour",
                line_color=look.INK,
                line_width=rim,
            )
            figure.text(
                "x",
                "y",
                text="short",
                source=sources[name],
                text_align="center",
                text_baseline="middle",
                text_color="ink",
                text_font_size="16px",
            )
            tips = [("case", "@name"), ("class", "@klass"), ("score", "@score")]
            figures.hover(figure, marks, tips=tips)
        return figure

    def _size(self) -> int:
        """The size of a mark, in pixels."""
        return 28 if self.given.n <= MOST_LARGE else 18


HINT = (
    "<p>Drag a case along the axis, or into the other class. Or choose it, and use the buttons. "
    "While the picture or a button has the focus, ← and → move the case, with Shift five steps; ↑ "
    "and ↓ change its class; Page ↑ and Page ↓ choose the next one; Ctrl+Z and Ctrl+Y undo and "
    "redo.</p>"
)
BUTTON = """
:host { font-size: 16px; } .bk-btn { font-size: 16px; }
.bk-btn:focus-visible { outline: 3px solid #0072B2; outline-offset: 2px; }
"""
CHOSEN = """
:host { max-height: 640px; overflow-y: auto; }
th, td { padding: .12em .4em; white-space: nowrap; max-width: none; }
td.name { max-width: 9em; overflow: hidden; text-overflow: ellipsis; }
tr.chosen td { font-weight: 700; border-top: 2px solid #222; border-bottom: 2px solid #222; }
p.key { font-size: 14px; }
"""
MEASURES_STYLE = """
th[scope=row] { text-align: left; font-weight: 400; }
td.now { font-weight: 700; }
.words { font-weight: 400; }
@media (max-width: 480px) { table { font-size: 14px; } th, td { padding: .12em .3em; } }
p.key { font-size: 14px; }
thead th:first-child { text-align: left; }
thead th { border-bottom: 1px solid #222; }
tr.group th { text-align: left; padding-top: .5em; color: #555; }
.more { color: #00533f; } .less { color: #A84400; }
"""


def _script() -> str:
    own = (files("binteach.explorers") / "edit.js").read_text(encoding="utf-8")
    return f"{look.script('counting.js')}\n{own}"


def _buttons(one: str, five: str) -> dict[str, Any]:
    """What can be done to a case, by name; the arrows move it by one step or by five."""
    from bokeh.models import Button, InlineStyleSheet

    labels = {
        "left5": f"◀◀ {five}",
        "left": f"◀ {one}",
        "right": f"{one} ▶",
        "right5": f"{five} ▶▶",
        "flip": "Flip class",
        "undo": "Undo",
        "redo": "Redo",
        "reset": "All as given",
    }
    sheet = InlineStyleSheet(css=BUTTON)
    return {
        name: Button(label=label, width=116, align="end", stylesheets=[sheet])
        for name, label in labels.items()
    }


def _needed(measure: Measure) -> tuple[str, ...]:
    """What a measure must be asked with, beside the cases."""
    if measure.takes == "counts":
        return ("at",)
    return tuple(name for name in measure.params if name == "top")


def _call(measure: Measure) -> str:
    """What gives the derivation in a notebook; AT and TOP are for the page to fill in."""
    more = "".join(f", {name}={name.upper()}" for name in _needed(measure))
    return f'bt.explain("{measure.key}", e.cases{more})'


def _short_title(key: str) -> str:
    """The name of a measure as it fits into a table."""
    measure = MEASURES[key]
    return measure.title if len(measure.title) <= LONGEST_TITLE else measure.symbol.base


def _roc_points(cuts: Iterable[Cut]) -> dict[str, list[Any]]:
    """The points of a ROC curve, with the words that are shown over them."""
    listed = list(cuts)
    return {
        "x": [float(cut.fpr) for cut in listed],
        "y": [float(cut.tpr) for cut in listed],
        "text": [f"TPR {with_digits(cut.tpr)}, FPR {with_digits(cut.fpr)}" for cut in listed],
    }


def _pr_points(cuts: Iterable[Cut]) -> dict[str, list[Any]]:
    """The points of a precision-recall curve; there is none where no case is called positive."""
    listed = [cut for cut in cuts if cut.positives and cut.tp + cut.fp]
    precisions = [cut.tp / (cut.tp + cut.fp) for cut in listed]
    return {
        "x": [float(cut.tpr) for cut in listed],
        "y": [float(precision) for precision in precisions],
        "text": [
            f"recall {with_digits(cut.tpr)}, precision {with_digits(precision)}"
            for cut, precision in zip(listed, precisions, strict=True)
        ],
    }


def _curve(figure: Any, sources: dict[str, Any], name: str, label: str) -> Any:
    """A curve as given and as it is now, with its cuts and the one at the threshold."""
    figures.reference(
        figure, "x", "y", "as given", source=sources[f"{name}_given"], line_dash="dotdash"
    )
    figures.trace(figure, sources[name], label)
    figures.current(figure, sources[f"{name}_now"])
    figures.legend_below(figure)
    return figure


def _roc(sources: dict[str, Any]) -> Any:
    figure = look.plot("ROC curve", "FPR", "TPR")
    figures.diagonal(figure)
    hull = {"color": look.GREEN, "line_dash": "dashed"}
    figures.reference(figure, "x", "y", "hull", source=sources["hull"], **hull)
    return _curve(figure, sources, "roc", "ROC")


def _pr(sources: dict[str, Any]) -> Any:
    figure = look.plot("Precision-recall curve", "recall", "precision")
    figures.reference(figure, "x", "y", "prevalence", source=sources["prevalence"])
    return _curve(figure, sources, "pr", "cuts")
