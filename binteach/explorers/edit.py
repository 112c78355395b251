"""The edit explorer: move the cases, change their class, and see every measure follow."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

import traitlets

from binteach.cases import Cases, Cut, short_decimal
from binteach.data import load
from binteach.explorers import look
from binteach.explorers.base import Explorer, View
from binteach.explorers.controls import data_chooser, data_field
from binteach.explorers.editing import COUNTED, Board, case_score, standing_text
from binteach.explorers.editing import Edit as Change
from binteach.measures import MEASURES

COLOURS = [look.NEGATIVE, look.POSITIVE]  # of a mark, by class
INKS = [look.INK, look.PAPER]  # of the name inside it
MOST_LARGE = 25  # cases whose marks are large
LONGEST_TITLE = 20
LONGEST_INSIDE = 3  # characters of a name that fit into the mark of its case

EXACT_NOTE = "These values are exact; ≈ stands before digits that are rounded."
ROUNDED_NOTE = (
    "≈ These values are rounded: they were worked out in this page. Exact values need a running "
    "Python kernel, in a notebook."
)


class Edit(Explorer):
    """What if this case had another score? Every case can be moved, and everything follows.

    `e.cases` are the cases as edited, with exact scores; `e.given` are those given. `e.move`,
    `e.nudge`, `e.flip`, `e.undo`, `e.redo` and `e.reset` do what the page does.
    """

    kind = "edit"
    threshold = traitlets.Float(help="cases with a larger score are called positive")
    edits: traitlets.List[Any] = traitlets.List(
        help="what was done, in order: [case, steps, class], or [] for all back"
    )
    worked_out: traitlets.List[Any] = traitlets.List(help="the exact values that the page shows")

    def __init__(self, cases: Cases | None = None, threshold: object = None) -> None:
        super().__init__()
        self._future: list[Change] = []
        self.take(load("ten_cases") if cases is None else cases)
        if threshold is not None:
            self.threshold = self._on_grid(threshold)

    def take(self, cases: Cases) -> None:
        """Edit other cases."""
        self.board = Board(self.checked(cases))
        self.edits, self._future = [], []
        self.threshold = float(self.board.score((self.board.low + self.board.high) // 2))
        self._work_out()
        self.data = cases

    @traitlets.validate("threshold")
    def _valid_threshold(self, proposal: Any) -> float:
        return self._on_grid(proposal.value)

    def _on_grid(self, threshold: object) -> float:
        return float(self.board.score(self.board.nearest(threshold, "the threshold")))

    @traitlets.validate("edits")
    def _valid_edits(self, proposal: Any) -> list[Change]:
        return self.board.checked(proposal.value)

    @traitlets.observe("edits")
    def _edited(self, change: Any) -> None:
        # What was undone can be done again, as long as nothing else is done.
        if self._future[: len(change.new)] != change.new:
            self._future = list(change.new)
        self._work_out()

    def _work_out(self) -> None:
        self.worked_out = [self.board.worked_out(self.board.after(self.edits))]

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
        index = self.board.index(case)
        now, label = self.board.after(self.edits)[index]
        if now is None:
            # From between two steps, the first nudge goes to the next of them.
            place = self.board.place(self.given.score(index))
            now = place // 1 if steps > 0 else -(-place // 1)
        target = self.board.score(now + steps)
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
        weights = given.weights or (1,) * given.n
        at_first = board.worked_out(board.start)
        keys = (*board.whole, *COUNTED)
        return {
            "n": given.n,
            "origin": float(board.origin),
            "grid": float(board.grid),
            "places": max(0, -board.power),
            "low": board.low,
            "high": board.high,
            "steps": [steps for steps, _ in board.start],
            "labels": list(given.labels),
            "keys": board.order_keys(),
            "x": [float(score) for score in given.scores],
            "score_texts": [short_decimal(score) for score in given.scores],
            "weights": [float(weight) for weight in weights],
            "weighted": given.weighted,
            "names": [look.shown_text(name) for name in given.names],
            "plain_names": list(given.names),
            "short_names": self._short_names(),
            "size": self._size(),
            "colours": COLOURS,
            "inks": INKS,
            "titles": {key: look.shown_text(_short_title(key)) for key in keys},
            "whole": list(board.whole),
            "counted": list(COUNTED),
            "exact_note": EXACT_NOTE,
            "rounded_note": ROUNDED_NOTE,
            "given_standing": standing_text(board.start),
            "known": {at_first["standing"]: at_first},
            # What changes while the page is used
            "future": [*self._future],
            "last": [*self.edits],
            "drag": None,
            "heard": [],
        }

    # The page ----------------------------------------------------------------------------------

    def build(self) -> View:
        from bokeh.events import ButtonClick, Pan, PanEnd, PanStart, Tap
        from bokeh.models import (
            Button,
            ColumnDataSource,
            CustomJS,
            InlineStyleSheet,
            Label,
            Select,
            Slider,
            Span,
        )

        board, state = self.board, self.state()
        memo = ColumnDataSource(tags=self.edits)
        worked_out = ColumnDataSource(tags=self.worked_out)
        wide = InlineStyleSheet(css=":host { font-size: 17px; } .noUi-handle { cursor: grab; }")
        slider = Slider(
            start=float(board.score(board.low)),
            end=float(board.score(board.high)),
            step=float(board.grid),
            value=self.threshold,
            format="0[.]" + "0" * state["places"],
            title="Threshold",
            sizing_mode="stretch_width",
            stylesheets=[wide],
        )
        large = InlineStyleSheet(css=":host { font-size: 16px; } .bk-btn { font-size: 16px; }")
        chooser = Select(
            title="Case",
            value=str(self._last_case()),
            # Bokeh tells options apart by what is shown.
            options=[(str(i), title) for i, title in enumerate(board.titles)],
            width=150,
            stylesheets=[large],
        )
        one, five = (short_decimal(steps * board.grid) for steps in (1, 5))
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
        buttons = {
            name: Button(label=label, width=116, align="end", stylesheets=[large])
            for name, label in labels.items()
        }
        sources = self._sources()
        line = Span(
            dimension="height",
            location=self.threshold,
            line_color=look.LINE,
            line_width=3,
            level="underlay",
        )
        sides = [
            Label(
                x=self.threshold,
                y=1.9,
                x_offset=offset,
                text=words,
                text_align=align,
                text_baseline="top",
                text_color="#A84400",
                text_font_size="15px",
            )
            for words, align, offset in (("called − ", "right", -6), (" called +", "left", 6))
        ]
        figures = {
            "strip": self._strip(sources, line, sides),
            "roc": _roc(sources),
            "pr": _pr(sources),
        }
        summary = look.announcer()
        ranking = look.box(
            width=270,
            css=look.RANKING + CHOSEN_STYLE,
            # A long ranking is scrolled, also by keyboard.
            html_attributes={"tabindex": "0", "role": "region", "aria-label": "Ranking"},
        )
        matrix = look.box(width=270, css=look.MATRIX + "th { white-space: nowrap; }")
        measures = look.box(
            width=470,
            css=MEASURES_STYLE,
            styles={"max-width": "100%"},
            html_attributes={"tabindex": "0", "role": "region", "aria-label": "Measures"},
        )
        switch = CustomJS(
            args={
                "state": state,
                "memo": memo,
                "worked_out": worked_out,
                "slider": slider,
                "chooser": chooser,
                "buttons": buttons,
                "strip": figures["strip"],
                "dots": sources["dots"],
                "sources": sources,
                "figures": figures,
                "line": line,
                "sides": sides,
                "summary": summary,
                "ranking": ranking,
                "matrix": matrix,
                "measures": measures,
            },
            code=look.script("edit.js"),
        )
        # By these names the parts of the page are found.
        named = {"edits": memo, "worked_out": worked_out, "summary": summary, "matrix": matrix}
        named |= {"ranking": ranking, "measures": measures, "chooser": chooser}
        for name, model in (named | sources | buttons).items():
            model.name = name
        for model, name in (
            (slider, "value"),
            (chooser, "value"),
            (memo, "tags"),
            (worked_out, "tags"),
        ):
            model.js_on_change(name, switch)
        for button in buttons.values():
            button.js_on_event(ButtonClick, switch)
        for event in (Tap, PanStart, Pan, PanEnd):
            figures["strip"].js_on_event(event, switch)
        hint = look.box(
            f"<p>Drag a case along the axis, or into the other class. Or choose it, and move it in "
            f"steps of {one} by the buttons; while one of them has the focus, the keys ← and → do "
            f"the same, with Shift by {five}.</p>",
            width=900,
            sizing_mode="stretch_width",
        )
        controls = look.flow(chooser, *buttons.values())
        controls.styles = {**controls.styles, "gap": "8px 12px", "align-items": "flex-end"}
        # Beside the measures where there is room for both, and else above them.
        tables = look.flow(matrix, ranking)
        tables.styles = {**tables.styles, "flex": "1 1 270px", "min-width": "0"}
        pictures = look.flow(figures["roc"], figures["pr"], tables)
        pictures.styles = {**pictures.styles, "gap": "18px 14px", "flex": "1 1 364px"}
        pictures.styles["min-width"] = "0"
        root = look.page(
            slider,
            summary,
            controls,
            figures["strip"],
            hint,
            look.flow(pictures, measures),
        )
        return View(
            root,
            {
                "threshold": (slider, "value"),
                "edits": (memo, "tags"),
                "worked_out": (worked_out, "tags"),
            },
            figures,
            switch,
        )

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
        from bokeh.models import HoverTool

        board = self.board
        margin = (board.high - board.low) // 30 + 1
        ends = [float(board.score(end)) for end in (board.low - margin, board.high + margin)]
        figure = look.plot("Scores: drag the cases", "score", "", tuple(ends), (-0.7, 1.95))
        figure.height, figure.sizing_mode = 270, "stretch_width"
        figure.yaxis.ticker = [0, 1]
        figure.yaxis.major_label_overrides = {0: "really −", 1: "really +"}
        figure.ygrid.grid_line_color = None
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
                text_font_size="15px",
            )
            tips = [("case", "@name"), ("class", "@klass"), ("score", "@score")]
            figure.add_tools(HoverTool(renderers=[marks], tooltips=tips))
        return figure

    def _size(self) -> int:
        """The size of a mark, in pixels."""
        return 28 if self.given.n <= MOST_LARGE else 18


CHOSEN_STYLE = """
:host { max-height: 640px; overflow-y: auto; }
th, td { padding: .12em .4em; }
td { max-width: 6em; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
tr.cut td { max-width: none; }
tr.chosen td { font-weight: 700; outline: 2px solid #222; outline-offset: -2px; }
p.key { font-size: 14px; }
"""
MEASURES_STYLE = """
:host { overflow-x: auto; }
th[scope=row] { text-align: left; font-weight: 400; }
td.now { font-weight: 700; }
.words { font-weight: 400; }
@media (max-width: 480px) { table { font-size: 14px; } th, td { padding: .12em .3em; } }
p.key { font-size: 14px; }
thead th:first-child { text-align: left; }
thead th { border-bottom: 1px solid #222; }
tr.group th { text-align: left; padding-top: .5em; color: #555; }
p.note { min-height: 2.6em; }
.more { color: #00533f; } .less { color: #A84400; }
"""


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
        "text": [f"TPR {cut.tpr}, FPR {cut.fpr}" for cut in listed],
    }


def _pr_points(cuts: Iterable[Cut]) -> dict[str, list[Any]]:
    """The points of a precision-recall curve; there is none where no case is called positive."""
    listed = [cut for cut in cuts if cut.positives and cut.tp + cut.fp]
    precisions = [cut.tp / (cut.tp + cut.fp) for cut in listed]
    return {
        "x": [float(cut.tpr) for cut in listed],
        "y": [float(precision) for precision in precisions],
        "text": [
            f"recall {cut.tpr}, precision {precision}"
            for cut, precision in zip(listed, precisions, strict=True)
        ],
    }


def _curve(figure: Any, sources: dict[str, Any], name: str, label: str) -> None:
    """A curve as given and as it is now, with its cuts and the one at the threshold."""
    from bokeh.models import HoverTool

    figure.line(
        "x",
        "y",
        source=sources[f"{name}_given"],
        color=look.FAINT,
        line_dash="dotdash",
        line_width=2,
        legend_label="as given",
    )
    figure.line("x", "y", source=sources[name], color=look.BLUE, line_width=2.5, legend_label=label)
    marks = figure.scatter("x", "y", source=sources[name], color=look.BLUE, size=7)
    dot = figure.scatter(
        "x",
        "y",
        source=sources[f"{name}_now"],
        size=15,
        color=look.LINE,
        line_color=look.INK,
        line_width=1.5,
        legend_label="threshold",
    )
    figure.add_tools(HoverTool(renderers=[marks, dot], tooltips="@text"))
    legend = figure.legend
    legend.location = "bottom_right" if name == "roc" else "bottom_left"
    legend.label_text_font_size = "13px"
    legend.background_fill_alpha = 0.8
    legend.padding = 4
    legend.spacing = 1


def _roc(sources: dict[str, Any]) -> Any:
    figure = look.plot("ROC curve", "FPR", "TPR")
    figure.line(
        [0, 1], [0, 1], color=look.FAINT, line_dash="dotted", line_width=2, legend_label="random"
    )
    figure.line(
        "x",
        "y",
        source=sources["hull"],
        color=look.GREEN,
        line_dash="dashed",
        line_width=2.5,
        legend_label="hull",
    )
    _curve(figure, sources, "roc", "ROC")
    return figure


def _pr(sources: dict[str, Any]) -> Any:
    figure = look.plot("Precision-recall curve", "recall", "precision")
    figure.line(
        "x",
        "y",
        source=sources["prevalence"],
        color=look.FAINT,
        line_dash="dotted",
        line_width=2,
        legend_label="prevalence",
    )
    _curve(figure, sources, "pr", "cuts")
    return figure
