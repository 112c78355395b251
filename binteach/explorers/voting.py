"""The voting explorer: average the best x of many models (Arbel & Rokach, Section 4.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import exp
from random import Random
from typing import TYPE_CHECKING, Any

import traitlets

from binteach.cases import Cases
from binteach.exact import shorten
from binteach.explorers import figures, look, overlays
from binteach.explorers.base import Explorer, Setting, View
from binteach.explorers.contest import Mark, mark, ranks
from binteach.explorers.models import checked_models
from binteach.explorers.state import CutTable, whole_number
from binteach.measures import MEASURES

if TYPE_CHECKING:
    from bokeh.models import ColumnDataSource

MOST_MODELS = 200
FIRST_SEED, LARGEST_SEED = 1, 10**9
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

    models  names -> Cases, of 2 to 200 models on the same cases in the same order, which are ranked
            by their AUC on these; without them 52 models are made, ranked by their AUC on 250 cases
            and averaged on 50 others
    seed    what the made models come from, 0 to 10^9; leave it out where models are given
    x       how many of the best models are averaged, 1 to all; half of them unless given

    `x` and `seed` are traits, too: they follow the page, and can be set and observed; another seed
    makes other models. The figures are "peaks", "average_hit_rate", "average_qrecall", "pem",
    "quota_pearson", "ks", "brier_score" and "roc".

        e = bt.explorers.voting(seed=3)
        e                       # as the last line of a cell: the page
        e.x = 10                # moves its slider
        e.peaks()               # measure -> the x at which it is best
        e.save("voting.html")   # one file that works without Python
        e.figure("peaks")       # a Bokeh figure; e.svg("peaks") and e.png("peaks") for slides
    """

    kind = "voting"

    def __init__(
        self,
        models: Mapping[str, Cases] | None = None,
        seed: int | None = None,
        x: int | None = None,
    ) -> None:
        super().__init__()
        self.made = models is None
        if models is not None:
            given = checked_models(models, MOST_MODELS, counts=False)
            self._use(given, given)
        self.seed = FIRST_SEED if self.made and seed is None else seed
        self.x = (len(self.models) + 1) // 2 if x is None else x

    @Setting
    def seed(self, given: object) -> int | None:
        """What the made models come from; None where models were given."""
        if self.made:
            return whole_number("seed", given, 0, LARGEST_SEED)
        if given is not None:
            raise ValueError(
                f"seed is {shorten(given)}, but it makes models and these were given; leave it out"
            )
        return None

    @Setting
    def x(self, given: object) -> int:
        """How many of the best models are averaged."""
        return whole_number("x", given, 1, len(self.models))

    @traitlets.observe("seed")
    def _make(self, change: Any) -> None:
        if change.new is not None:
            self._use(*made_models(change.new))
            self.data = self.models

    def _use(self, judged: dict[str, Cases], models: dict[str, Cases]) -> None:
        """Average these models in the order of their AUC on the cases that judge them."""
        self.models = models
        self.marks_by = {name: mark("auc", cases) for name, cases in judged.items()}
        self.best_first = _best_first(self.marks_by)
        self.__dict__.pop("averaged", None)  # it was of other models

    def controls(self) -> list[Any]:
        import ipywidgets

        if not self.made:
            return []
        seed = ipywidgets.BoundedIntText(
            value=self.seed, min=0, max=LARGEST_SEED, description="Seed"
        )
        traitlets.link((self, "seed"), (seed, "value"))
        return [seed]

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
            "rows": rows,
            "names": [look.shown_text(name) for name in self.best_first],
            "auc": [
                self.marks_by[name].decimal or self.marks_by[name].text for name in self.best_first
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
            "columns": [m.in_columns for m in marks],
            "said": [f"{m.text} {m.decimal}".strip() for m in marks],
            "ranks": places,
            "peaks": (peaks := [number for number, place in enumerate(places, 1) if place == 1]),
            "where": _where(peaks),
            "reason": look.shown_text(reasons[0]) if reasons else "",
        }

    def _roc(self, cases: Cases) -> dict[str, list[Any]]:
        if not cases.positives or not cases.negatives:
            return {"x": [], "y": [], "text": []}
        cuts = CutTable(cases).cuts
        return {
            "x": [float(cut.fpr) for cut in cuts],
            "y": [float(cut.tpr) for cut in cuts],
            "text": [f"TPR {cut.tpr}, FPR {cut.fpr}" for cut in cuts],
        }

    def rankings(self) -> dict[str, Cases]:
        return {f"the best {self.x}, averaged": self.averaged[self.x - 1]}

    def _derivation(self) -> str:
        """What the averaged models reach, in words."""
        rows = {key: self._row(key) for key in SHOWN}
        return f"<p>{self._sentence(rows, self.x - 1)}</p>"

    def _sentence(self, rows: Mapping[str, Any], place: int) -> str:
        count, total = place + 1, len(self.models)
        models = "model alone" if count == 1 else f"{count} of {total} models, averaged"
        peaked = [row["title"] for row in rows.values() if count in row["peaks"]]
        values = [
            f"{row['title']} {row['columns'][place][1] or row['columns'][place][0]}"
            for row in rows.values()
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
        from bokeh.models import CustomJS

        state = self.state()
        title = "Models averaged, the best first (x)"
        slider = look.slider(title, 1, len(self.models), self.x)
        now = {key: figures.points() for key in SHOWN}
        curve = figures.points()
        line = figures.moving_line(line_dash="dashed")
        drawn: dict[str, Any] = {"peaks": _peaks(state, line, len(self.models))}
        for number, key in enumerate(SHOWN):
            drawn[key] = _course(state["rows"][key], number, now[key])
        drawn["roc"] = _roc_figure(state, curve)
        summary = look.announcer()
        table = look.wide_box("Value and peak", 480, css=STYLE)
        chosen = look.wide_box("The models", 480, css=STYLE)
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
            look.gallery(
                drawn["peaks"], table, drawn["roc"], *(drawn[key] for key in SHOWN), chosen
            ),
        )
        return View(root, {"x": (slider, "value")}, drawn, switch)

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
th:first-child { text-align: left; } th[scope=row] { font-weight: normal; }
th, td { padding: .12em .4em; }
td { white-space: nowrap; }
small { color: #555; white-space: nowrap; display: block; }
ol { columns: 12em; margin: .3em 0; padding-left: 2.4em; font-size: 14px; }
li { overflow-wrap: anywhere; }
li small { display: inline; }
li.in { font-weight: bold; }
li.out { color: #666; }
.note { font-size: 14px; color: #444; }
@media (max-width: 600px) { th, td { padding: .12em .25em; font-size: 14px; } }
"""


def _where(peaks: Sequence[int]) -> str:
    """The places of the peaks in words."""
    if not peaks:
        return "undefined"
    return ", ".join(map(str, peaks)) if len(peaks) < 5 else f"at {len(peaks)} places"


def _best_first(marks: Mapping[str, Mark]) -> list[str]:
    """Names by falling AUC; equal ones, and those without, stay in their order."""
    places = ranks(MEASURES["auc"], list(marks.values()))
    last = len(marks) + 1
    by_place = dict(zip(marks, places, strict=True))
    return sorted(marks, key=lambda name: by_place[name] or last)


# Pictures ---------------------------------------------------------------------------------------


def _against_x(title: str, count: int, y_range: tuple[float, float], height: int) -> Any:
    """An empty figure over the number of models that are averaged."""
    from bokeh.models import BasicTicker

    x_range = (0.5 - 0.03 * count, 0.5 + 1.03 * count)
    figure = look.plot(title, "models averaged (x)", "", x_range, y_range, height=height)
    figure.xaxis.ticker = BasicTicker(min_interval=1)
    figure.frame_align = False  # no room is left for the legend of a neighbour
    return figure


def _course(row: dict[str, Any], number: int, now: ColumnDataSource) -> Any:
    """One measure against x, its peak marked."""
    colour, marker = STYLES[number]
    known = [place for place, y in enumerate(row["y"]) if y is not None]
    heights = [row["y"][place] for place in known]
    low, high = (min(heights), max(heights)) if heights else (0.0, 1.0)
    room = (high - low) * 0.12 or 0.1
    count = len(row["y"])
    title = f"{row['title']} {row['arrow']}"
    figure = _against_x(title, count, (low - room, high + room), 300)
    if not known:
        return figures.saying(figure, "undefined on these cases")
    source = figures.points(
        x=[place + 1 for place in known],
        y=heights,
        text=[f"x = {place + 1}: {row['said'][place]}" for place in known],
    )
    figure.line("x", "y", source=source, color=colour, line_width=3)
    dots = figure.scatter("x", "y", source=source, color=colour, marker=marker, size=6)
    figures.hover(figure, dots)
    peaks = {"marker": "star", "size": 24, "color": look.PAPER, "line_color": look.INK}
    figure.scatter(row["peaks"], [row["y"][x - 1] for x in row["peaks"]], line_width=2, **peaks)
    figures.current(figure, now, marker, color=colour, line_width=2)
    return figure


def _peaks(state: dict[str, Any], line: Any, count: int) -> Any:
    """Where each measure peaks, one row for each (their Table 6 as a picture)."""
    rows = state["rows"]
    figure = _against_x("Where they peak", count, (-len(rows) + 0.4, 0.6), look.HEIGHT)
    figure.yaxis.ticker = [-number for number in range(len(rows))]
    figure.yaxis.major_label_overrides = {
        -number: row["title"] for number, row in enumerate(rows.values())
    }
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
        last = max(peaks, default=1)
        left = last < 0.7 * count  # there is room to the right
        overlays.words(
            figure,
            [last if left else min(peaks)],
            [-number],
            [row["where"]],
            text_align="left" if left else "right",
            x_offset=14 if left else -14,
            text_font_style="bold",
        )
    return figure


def _roc_figure(state: dict[str, Any], curve: ColumnDataSource) -> Any:
    figure = look.plot("ROC curve of the average", "FPR", "TPR")
    first = state["roc"][0]
    if not first["x"]:
        return figures.saying(figure, "No curve: a class is missing.")
    figures.diagonal(figure)
    alone = {"color": look.ORANGE, "line_dash": "dashed"}
    figures.reference(figure, first["x"], first["y"], "best model alone", **alone)
    overlays.moving(figure, curve, "average")
    figures.legend_below(figure)
    return figure
