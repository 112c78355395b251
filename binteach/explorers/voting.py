"""The voting explorer: average the best x of many models (Arbel & Rokach, Section 4.2)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from math import exp
from random import Random
from typing import TYPE_CHECKING, Any

import traitlets

from binteach.cases import Cases
from binteach.exact import rounded, shorten
from binteach.explorers import look
from binteach.explorers.base import Explorer, View
from binteach.explorers.compare import same_cases
from binteach.explorers.contest import Mark, mark, ranks
from binteach.explorers.state import CutTable
from binteach.measures import MEASURES

if TYPE_CHECKING:
    from bokeh.models import ColumnDataSource

MOST_MODELS = 200
# The four measures of the experiment, and two of another kind. The correlation is taken over
# all cases, so that its quota is n.
SHOWN = {
    "average_hit_rate": "average hit rate",
    "average_qrecall": "average Qrecall",
    "pem": "PEM",
    "quota_pearson": "Pearson correlation",
    "ks": "KS",
    "brier_score": "Brier score",
}
STYLES = (
    (look.BLUE, "circle"),
    (look.ORANGE, "square"),
    (look.GREEN, "triangle"),
    (look.PINK, "diamond"),
    (look.YELLOW, "inverted_triangle"),
    (look.SKY, "hex"),
)

# The sizes of the experiment; the numbers are made up.
MODELS, TRAINING, TEST, SHARE = 52, 250, 50, Fraction(1, 5)


def made_models(seed: int) -> tuple[dict[str, Cases], dict[str, Cases]]:
    """52 models on 250 cases for choosing and on 50 for testing, a fifth of them positive.

    A model sees the class more or less well, a few see it upside down. Each errs in its own way,
    and all find the same cases difficult.
    """
    chance = Random(seed)
    labels = [
        1 if place < SHARE * size else 0 for size in (TRAINING, TEST) for place in range(size)
    ]
    difficulty = [chance.gauss(0, 0.8) for _ in labels]
    training, test = {}, {}
    for number in range(1, MODELS + 1):
        skill = chance.uniform(-0.5, 1.1)
        raw = [
            skill * (2 * label - 1) + hard + chance.gauss(0, 1.6) - 0.5
            for label, hard in zip(labels, difficulty, strict=True)
        ]
        scores = [Fraction(round(1000 / (1 + exp(-each))), 1000) for each in raw]
        name = f"model {number}"
        training[name] = Cases(labels[:TRAINING], scores[:TRAINING])
        test[name] = Cases(labels[TRAINING:], scores[TRAINING:])
    return training, test


class Voting(Explorer):
    """Average the scores of the best x models: each measure peaks at an x of its own.

    `models` maps names to Cases on the same cases; they are ranked by their AUC on these. Without
    them 52 models are made, ranked by their AUC on 250 cases and averaged on 50 others.
    """

    kind = "voting"
    x = traitlets.Int(help="how many of the best models are averaged")

    def __init__(
        self, models: Mapping[str, Cases] | None = None, seed: int = 1, x: int | None = None
    ) -> None:
        super().__init__()
        self.seed, self.made = seed, models is None
        if models is None:
            judged, self.models = made_models(seed)
        else:
            judged = self.models = checked_models(models)
        self.marks_by = {name: mark("auc", cases) for name, cases in judged.items()}
        self.best_first = _best_first(self.marks_by)
        self.x = (len(self.models) + 1) // 2 if x is None else x

    @traitlets.validate("x")
    def _valid_x(self, proposal: Any) -> int:
        return min(max(int(proposal.value), 1), len(self.models))

    def __repr__(self) -> str:
        source = f", seed={self.seed}" if self.made else ""
        return f"Voting({len(self.models)} models{source}, x={self.x})"

    # Values ------------------------------------------------------------------------------------

    @cached_property
    def averaged(self) -> list[Cases]:
        """The averaged models: of the best one, the best two, ..., all."""
        first = next(iter(self.models.values()))
        total = [Fraction(0)] * first.n
        found = []
        for count, name in enumerate(self.best_first, 1):
            total = [old + new for old, new in zip(total, self.models[name].scores, strict=True)]
            scores = [each / count for each in total]
            found.append(Cases(first.labels, scores, names=first.names, weights=first.weights))
        return found

    def marks(self, key: str) -> list[Mark]:
        """A measure of every averaged model."""
        params = {"top": self.averaged[0].n} if key == "quota_pearson" else {}
        return [mark(key, cases, **params) for cases in self.averaged]

    # What a page needs -------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything that the page switches between."""
        rows = {key: self._row(key) for key in SHOWN}
        return {
            "last": self.x,
            "rows": rows,
            "names": [look.shown_text(name) for name in self.best_first],
            "auc": [
                "undefined" if m.value is None else rounded(m.value, 3)
                for m in (self.marks_by[name] for name in self.best_first)
            ],
            "roc": [self._roc(cases) for cases in self.averaged],
            "sentences": [self._sentence(rows, place) for place in range(len(self.averaged))],
        }

    def _row(self, key: str) -> dict[str, Any]:
        measure, marks = MEASURES[key], self.marks(key)
        places = ranks(measure, marks)
        reasons = [m.reason for m in marks if m.reason]
        return {
            "title": SHOWN[key],
            "arrow": "↑" if measure.direction > 0 else "↓",
            "y": [m.double for m in marks],
            "text": [m.text for m in marks],
            "decimal": [m.decimal for m in marks],
            "ranks": places,
            "peaks": [number for number, place in enumerate(places, 1) if place == 1],
            "reason": look.shown_text(reasons[0]) if reasons else "",
        }

    def _roc(self, cases: Cases) -> dict[str, list[float]]:
        if not cases.positives or not cases.negatives:
            return {"x": [], "y": []}
        cuts = CutTable(cases).cuts
        return {"x": [float(cut.fpr) for cut in cuts], "y": [float(cut.tpr) for cut in cuts]}

    def _sentence(self, rows: Mapping[str, Any], place: int) -> str:
        count, total = place + 1, len(self.models)
        models = "model alone" if count == 1 else f"{count} of {total} models, averaged"
        peaked = [row["title"] for row in rows.values() if count in row["peaks"]]
        values = [
            f"{row['title']} {row['decimal'][place] or row['text'][place]}" for row in rows.values()
        ]
        at_peak = (
            f" At its peak here: {', '.join(peaked)}." if peaked else " No measure peaks here."
        )
        return f"The best {models}: {', '.join(values)}.{at_peak}"

    def peaks(self) -> dict[str, list[int]]:
        """Where each measure is best: key -> the numbers x of models (as in their Table 6)."""
        return {key: self._row(key)["peaks"] for key in SHOWN}

    # The page ----------------------------------------------------------------------------------

    def build(self) -> View:
        from bokeh.models import ColumnDataSource, CustomJS, InlineStyleSheet
        from bokeh.models.annotations import Span
        from bokeh.models.widgets import Slider

        state = self.state()
        wide = InlineStyleSheet(css=":host { font-size: 17px; } .noUi-handle { cursor: grab; }")
        slider = Slider(
            start=1,
            end=len(self.models),
            step=1,
            value=self.x,
            title="Models averaged, the best first (x)",
            sizing_mode="stretch_width",
            stylesheets=[wide],
        )
        now = {key: ColumnDataSource({"x": [], "y": [], "text": []}) for key in SHOWN}
        curve = ColumnDataSource({"x": [], "y": []})
        line = Span(dimension="height", location=0, line_color=look.INK, line_dash="dashed")
        line.line_width = 2
        figures: dict[str, Any] = {"peaks": _peaks(state, line, len(self.models))}
        for number, key in enumerate(SHOWN):
            figures[key] = _course(state["rows"][key], number, now[key])
        figures["roc"] = _roc_figure(state, curve)
        summary = look.announcer()
        table = look.wide_box("Value and peak", 740, css=STYLE)
        chosen = look.wide_box("The models", 520, css=STYLE)
        switch = CustomJS(
            args={
                "state": state,
                "slider": slider,
                "now": now,
                "curve": curve,
                "line": line,
                "summary": summary,
                "table": table,
                "chosen": chosen,
                "source": self._source(),
            },
            code=look.script("voting.js"),
        )
        slider.js_on_change("value", switch)
        root = look.page(
            slider,
            summary,
            look.flow(figures["peaks"], table, *(figures[key] for key in SHOWN)),
            look.flow(figures["roc"], chosen),
        )
        return View(root, {"x": (slider, "value")}, figures, switch)

    def _source(self) -> str:
        if self.made:
            return (
                f"Made data, seed {self.seed}: ranked by their AUC on {TRAINING} cases, averaged "
                f"and judged on {TEST} others (the sizes of Arbel &amp; Rokach's experiment). "
                "Another seed makes other models, which peak elsewhere."
            )
        if any(m.value is None for m in self.marks_by.values()):
            return "The AUC is undefined on these cases, so the models stand in the order given."
        return (
            "Ranked by their AUC on the very cases that judge the average: "
            "that flatters the first ones."
        )


STYLE = """
thead th { border-bottom: 1px solid #222; vertical-align: bottom; }
tbody tr:nth-child(even) td, tbody tr:nth-child(even) th { background: #f4f4f4; }
th[scope=row] { text-align: left; font-weight: normal; }
td, th { white-space: nowrap; }
small { color: #555; }
ol { columns: 10em; margin: .3em 0; padding-left: 2em; font-size: 14px; }
li.in { font-weight: bold; }
li.out { color: #666; }
.note { font-size: 14px; color: #444; }
"""


def _best_first(marks: Mapping[str, Mark]) -> list[str]:
    """Names by falling AUC; equal ones, and those without, stay in their order."""
    places = ranks(MEASURES["auc"], list(marks.values()))
    last = len(marks) + 1
    by_place = dict(zip(marks, places, strict=True))
    return sorted(marks, key=lambda name: by_place[name] or last)


def checked_models(models: Any) -> dict[str, Cases]:
    """The models if they judge the same cases."""
    remedy = "give a mapping of names to Cases"
    if not isinstance(models, Mapping):
        raise ValueError(f"models is {shorten(models)}; {remedy}")
    if not 2 <= len(models) <= MOST_MODELS:
        raise ValueError(f"there are {len(models)} models; average 2 to {MOST_MODELS} of them")
    for name, cases in models.items():
        if not isinstance(cases, Cases):
            raise ValueError(f"model {shorten(name)} is {shorten(cases)}; {remedy}")
    return same_cases(models, remedy)


# Pictures ---------------------------------------------------------------------------------------


def _course(row: dict[str, Any], number: int, now: ColumnDataSource) -> Any:
    """One measure against x, its peak marked."""
    from bokeh.models import ColumnDataSource, HoverTool

    colour, marker = STYLES[number]
    known = [place for place, y in enumerate(row["y"]) if y is not None]
    heights = [row["y"][place] for place in known]
    low, high = (min(heights), max(heights)) if heights else (0.0, 1.0)
    room = (high - low) * 0.12 or 0.1
    count = len(row["y"])
    figure = look.plot(
        f"{row['title']} {row['arrow']}",
        "models averaged (x)",
        "",
        (0.5 - 0.03 * count, 0.5 + 1.03 * count),
        (low - room, high + room),
    )
    figure.height = 280
    if not known:
        figure.text(
            [(count + 1) / 2], [0.5], text=["undefined on these cases"], text_align="center"
        )
        return figure
    source = ColumnDataSource(
        {
            "x": [place + 1 for place in known],
            "y": heights,
            "text": [f"x = {place + 1}: {row['text'][place]}" for place in known],
        }
    )
    figure.line("x", "y", source=source, color=colour, line_width=2.5)
    dots = figure.scatter("x", "y", source=source, color=colour, marker=marker, size=6)
    figure.scatter(
        row["peaks"],
        [row["y"][x - 1] for x in row["peaks"]],
        marker="star",
        size=24,
        color=look.PAPER,
        line_color=look.INK,
        line_width=2,
    )
    dot = figure.scatter(
        "x",
        "y",
        source=now,
        marker=marker,
        size=15,
        color=colour,
        line_color=look.INK,
        line_width=2,
    )
    figure.add_tools(HoverTool(renderers=[dots, dot], tooltips="@text"))
    return figure


def _peaks(state: dict[str, Any], line: Any, count: int) -> Any:
    """Where each measure peaks, one row for each (their Table 6 as a picture)."""
    rows = state["rows"]
    figure: Any = look.plot(
        "Where they peak",
        "models averaged (x)",
        "",
        (0.5 - 0.03 * count, 0.5 + 1.03 * count),
        (-len(rows) + 0.4, 0.6),
    )
    figure.width = 560
    figure.yaxis.ticker = [-number for number in range(len(rows))]
    figure.yaxis.major_label_overrides = {
        -number: row["title"] for number, row in enumerate(rows.values())
    }
    figure.yaxis.major_label_text_font_size = "14px"
    figure.add_layout(line)
    for number, row in enumerate(rows.values()):
        peaks = row["peaks"]
        figure.scatter(
            peaks,
            [-number] * len(peaks),
            marker="star",
            size=24,
            color=STYLES[number][0],
            line_color=look.INK,
        )
        words = ", ".join(map(str, peaks)) if len(peaks) < 5 else f"at {len(peaks)} places"
        last = max(peaks, default=1)
        left = last < 0.7 * count  # there is room to the right
        figure.text(
            [last if left else min(peaks)],
            [-number],
            text=[words if peaks else "undefined"],
            text_align="left" if left else "right",
            x_offset=14 if left else -14,
            text_baseline="middle",
            text_font_size="15px",
            text_font_style="bold",
            background_fill_color=look.PAPER,
            background_fill_alpha=0.8,
        )
    return figure


def _roc_figure(state: dict[str, Any], curve: ColumnDataSource) -> Any:
    figure = look.plot("ROC curve of the average", "FPR", "TPR")
    figure.height = 400
    first = state["roc"][0]
    if not first["x"]:
        figure.text([0.5], [0.5], text=["No curve: a class is missing."], text_align="center")
        return figure
    figure.line(
        [0, 1], [0, 1], color=look.FAINT, line_dash="dotted", line_width=2, legend_label="random"
    )
    figure.line(
        first["x"],
        first["y"],
        color=look.ORANGE,
        line_dash="dashed",
        line_width=2.5,
        legend_label="best model alone",
    )
    figure.line("x", "y", source=curve, color=look.BLUE, line_width=3, legend_label="average")
    legend = figure.legend[0]
    legend.location = "bottom_right"
    legend.label_text_font_size = "13px"
    return figure
