"""The threshold explorer: move the cut, and see everything change (Berrar, Figures 1 to 6)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from binteach.cases import Cases, Undefined, decimal_text, short_decimal
from binteach.explorers import figures, look
from binteach.explorers.base import Explorer, Setting, View
from binteach.explorers.controls import data_chooser, data_field, measure_chooser
from binteach.explorers.state import (
    CutTable,
    Templates,
    at_cut,
    measure_key,
    score_text,
    with_digits,
)
from binteach.measures import MEASURES, value
from binteach.render import html

if TYPE_CHECKING:
    from bokeh.models import ColumnDataSource

MOST_ROWS = 60  # cases of which every row of the ranking is shown
NEAR = 4  # rows on either side of the line that are shown of more cases
MOST_BEST = 5  # best cuts that are marked

ORIENTATIONS = {"literature": "as in the literature", "sklearn": "as in scikit-learn"}
SHADES = {
    "nothing": "nothing",
    "auc": "AUC, under the curve",
    "auch": "AUCH, under the hull",
    "gini": "Gini, twice the part above the diagonal",
}


TOO_MANY = (
    "<p>There are too many cuts to write a derivation for each. In a notebook "
    "<code>bt.explain(measure, cases, top=cut)</code> shows one.</p>"
)
NO_ANSWER = (
    "<p>There are too many cuts to write a derivation for each beforehand, and Python does not "
    "answer. Where its kernel has stopped, run the cell again.</p>"
)


class Threshold(Explorer):
    """Where to draw the line: one cut through the ranking, and all that follows from it.

    cases    any Cases
    cut      how many of them are called positive, from the top of the ranking: 0 to n, not inside
             a tie; the middle of all cuts unless given
    measure  the measure that is drawn over all cuts and derived at this one, by any of its names:
             each that is made of TP, FP, FN and TN

    `cut` and `measure` are traits, too: they follow the page, and can be set and observed. Of
    thousands of cases the slider goes through some hundred cuts, and a cut that is left out
    becomes the nearest of these. The figures are "strip", "roc", "pr", "tpr_fpr", "gain", "lift"
    and "measure".

        e = bt.explorers.threshold(bt.load("ten_cases"), cut=4, measure="F1")
        e                       # as the last line of a cell: the page
        e.cut = 5               # moves its slider
        e.save("cuts.html")     # one file that works without Python
        e.figure("roc")         # a Bokeh figure; e.svg("roc") and e.png("roc") for slides
    """

    kind = "threshold"

    def __init__(self, cases: Cases, cut: int | None = None, measure: str = "precision") -> None:
        super().__init__()
        self.take(cases)
        self.measure = measure
        if cut is not None:
            self.cut = cut

    def take(self, cases: Cases) -> None:
        """Explore other cases."""
        self.cases, self.table = self.checked(cases), CutTable(cases)
        self.cut = self.table.middle
        self.data = cases

    @Setting
    def cut(self, given: object) -> int:
        """The number of cases called positive."""
        return self.table.read("cut", given)

    @Setting
    def measure(self, given: object) -> str:
        """The key of the measure that is explained."""
        return measure_key("measure", given, self.measures())

    def controls(self) -> list[Any]:
        import ipywidgets

        def choose(key: str) -> None:
            self.measure = key

        return [
            ipywidgets.HBox(
                [
                    data_chooser("", self.take),
                    measure_chooser(self.measures(), self.measure, choose),
                    data_field(self.take),
                ],
                layout={"flex_flow": "row wrap"},
            )
        ]

    def __repr__(self) -> str:
        return f"Threshold({self.cases.n} cases, cut={self.cut}, measure={self.measure!r})"

    # What a page needs -------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything that the page switches between."""
        table, cases = self.table, self.cases
        tpr, fpr = table.column("sensitivity"), table.column("false_positive_rate")
        precision, lift = table.column("precision"), table.column("lift")
        counts = [cut.counts for cut in table.cuts]
        texts = [[decimal_text(Fraction(n)) for n in (c.tp, c.fp, c.fn, c.tn)] for c in counts]
        state: dict[str, Any] = {
            "n": cases.n,
            "k": table.k,
            "last": self.cut,
            "tp": [float(c.tp) for c in counts],
            "fp": [float(c.fp) for c in counts],
            "fn": [float(c.fn) for c in counts],
            "tn": [float(c.tn) for c in counts],
            "count_text": texts,
            "tpr": tpr.floats,
            "fpr": fpr.floats,
            "precision": precision.floats,
            "lift": lift.floats,
            "threshold": [self._threshold(cut.k) for cut in table.cuts],
            "roc_text": [f"TPR {t}, FPR {f}" for t, f in zip(tpr.texts, fpr.texts, strict=True)],
            "pr_text": [
                f"recall {t}, precision {p}"
                for t, p in zip(tpr.texts, precision.texts, strict=True)
            ],
            "gain_text": [
                f"{t[0]} positives among {k}" for t, k in zip(texts, table.k, strict=True)
            ],
            "lift_text": [f"lift {text}" for text in lift.texts],
            "sentence": [self._sentence(k, t) for k, t in zip(table.k, texts, strict=True)],
            "areas": self._areas(),
            "remark": self._remark(),
        }
        return state | self._measures() | self._ranking() | self._derivations()

    def _threshold(self, k: int) -> float:
        """A score between the last case above the cut and the first below it."""
        cases, order = self.cases, self.cases.ranking.order
        above = [cases.score(int(order[k - 1]))] if k else []
        below = [cases.score(int(order[k]))] if k < cases.n else []
        if above and below:
            return float((above[0] + below[0]) / 2)
        margin = self._margin()
        return float(below[0] + margin) if below else float(above[0] - margin)

    def _margin(self) -> Fraction:
        cases, order = self.cases, self.cases.ranking.order
        spread = cases.score(int(order[0])) - cases.score(int(order[-1]))
        return spread / 20 or Fraction(1, 20)

    def _sentence(self, k: int, counts: list[str]) -> str:
        tp, fp, fn, tn = counts
        cases = "1 case is" if k == 1 else f"{k} cases are" if k else "No case is"
        return f"{cases} called positive: TP = {tp}, FP = {fp}, FN = {fn}, TN = {tn}."

    def _areas(self) -> dict[str, str]:
        """What the shaded areas measure, in words."""
        found = {}
        for key in ("auc", "auch", "gini"):
            try:
                area = value(key, self.cases)
            except Undefined:
                continue
            found[key] = f"{MEASURES[key].title}: {with_digits(area)}."
        return found

    def _remark(self) -> str:
        """What is peculiar about these cases, in a sentence or two."""
        remarks = []
        if self.cases.weighted:
            remarks.append("The cases have weights: the counts are sums of weights.")
        if not self.cases.positives or not self.cases.negatives:
            missing = "positive" if not self.cases.positives else "negative"
            remarks.append(
                f"There is no {missing} case, so there are no ROC curve and no rates to draw."
            )
        if self.cases.ranking.has_ties:
            remarks.append("Tied cases cross the line together.")
        return " ".join(remarks)

    def _measures(self) -> dict[str, Any]:
        found = {}
        for key in self.measures():
            measure, values = MEASURES[key], self.table.column(key)
            defined = [each for each in values.floats if each is not None]
            low, high = min([*defined, 0.0]), max([*defined, 1.0])
            found[key] = {
                "title": measure.title,
                "short": measure.symbol.base,
                "y": values.floats,
                "text": values.texts,
                "said": values.said,
                "best": values.best if len(values.best) <= MOST_BEST else values.best[-1:],
                "low": low - 0.04 * (high - low),
                "high": high + 0.06 * (high - low),
            }
        return {"measures": found}

    def measures(self) -> list[str]:
        """The keys of the measures that depend on the cut."""
        return [key for key, measure in MEASURES.items() if measure.takes == "counts"]

    def _ranking(self) -> dict[str, Any]:
        cases = self.cases
        places = list(range(cases.n))
        if cases.n > MOST_ROWS:  # only what stands next to the line
            near = {place for k in self.table.k for place in range(k - NEAR, k + NEAR)}
            places = sorted(place for place in near if 0 <= place < cases.n)
        heads = ["place", "case", "class", "score", *(["weight"] if cases.weighted else [])]
        titles = "".join(f'<th scope="col">{head}</th>' for head in heads)
        return {
            "rows": [self._row(place) for place in places],
            "row_k": places,
            "near": NEAR if cases.n > MOST_ROWS else cases.n,
            "columns": len(heads),
            "table_head": f"<h3>Ranking</h3><table><thead><tr>{titles}</tr></thead><tbody>",
        }

    def _row(self, place: int) -> str:
        """One case of the ranking, counted from 0, as a row of its table."""
        cases, case = self.cases, int(self.cases.ranking.order[place])
        sign = "+" if cases.label(case) else "−"
        cells = [str(place + 1), cases.name(case), sign, score_text(cases.score(case))]
        if cases.weighted:
            cells.append(short_decimal(cases.weight(case)))
        return f"<tr>{''.join(f'<td>{look.shown_text(cell)}</td>' for cell in cells)}</tr>"

    def _derivations(self) -> dict[str, Any]:
        templates, found = Templates(), {}
        if self.table.derived:
            for key in self.measures():
                measure = MEASURES[key]
                found[key] = [
                    templates.add(html.fragment(at_cut(measure, cut))) for cut in self.table.cuts
                ]
        return templates.state(found, TOO_MANY) | {"no_answer": NO_ANSWER}

    # The page ----------------------------------------------------------------------------------

    def build(self) -> View:
        from bokeh.models import CustomJS

        state = self.state()
        table = self.table
        slider = look.slider("Cases called positive", 0, self.cases.n, self.cut)
        titles = {key: MEASURES[key].title for key in self.measures()}
        measure = look.select("Measure", titles, self.measure)
        shade = look.select("Shade under the ROC curve", SHADES, "nothing")
        orientation = look.select("Confusion matrix", ORIENTATIONS, "literature")
        now = {name: figures.points() for name in ("roc", "pr", "rates", "gain", "lift", "measure")}
        now["gap"] = figures.points(x0=[], y0=[], x1=[], y1=[])
        over, best = figures.points(), figures.points(x=[], y=[])
        line = figures.moving_line()
        drawn, shades = _figures(table, state, now, over, best, line)
        summary = look.announcer()
        ranking = look.box(width=320, css=look.RANKING)
        matrix = look.box(width=320, css=look.MATRIX)
        derivation = look.wide_box("Derivation", 620)
        switch = CustomJS(
            args={
                "state": state,
                "slider": slider,
                "measure": measure,
                "shade": shade,
                "orientation": orientation,
                "now": now,
                "over": over,
                "best": best,
                "over_figure": drawn["measure"],
                "line": line,
                "shades": shades,
                "summary": summary,
                "table": ranking,
                "matrix": matrix,
                "derivation": derivation,
            },
            code=look.script("threshold.js"),
        )
        for control in (slider, measure, shade, orientation):
            control.js_on_change("value", switch)
        root = look.page(
            slider,
            summary,
            look.flow(measure, shade, orientation),
            drawn["strip"],
            look.gallery(
                matrix,
                ranking,
                *(drawn[name] for name in ("roc", "pr", "tpr_fpr", "gain", "lift", "measure")),
                derivation,
            ),
        )
        traits = {"cut": (slider, "value"), "measure": (measure, "value")}
        ask = None if table.derived else (derivation, self._derivation)
        return View(root, traits, drawn, switch, ask)

    def _derivation(self) -> str:
        """The derivation of the measure at the cut, written now."""
        cut = self.table.cuts[self.table.place(self.cut)]
        written = html.render(at_cut(MEASURES[self.measure], cut))
        return f'<div data-of="{self.measure} {self.cut}">{written}</div>'


def _figures(
    table: CutTable,
    state: dict[str, Any],
    now: dict[str, ColumnDataSource],
    over: ColumnDataSource,
    best: ColumnDataSource,
    line: Any,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """All figures by name, and the areas that can be shaded."""
    roc, shades = _roc(table, state, now["roc"])
    drawn = {
        "strip": _strip(table.cases, line),
        "roc": roc,
        "pr": _pr(table, state, now["pr"]),
        "tpr_fpr": _tpr_fpr(table, state, now),
        "gain": _gain(table, state, now["gain"]),
        "lift": _lift(table, state, now["lift"]),
        "measure": _over(table, now["measure"], over, best),
    }
    return drawn, shades


def _strip(cases: Cases, line: Any) -> Any:
    """The cases along the axis of their scores, positives above negatives; the line cuts it."""
    ranking = cases.ranking
    step = max(1, cases.n // 2000)
    places = range(0, cases.n, step)
    indices = [int(ranking.order[place]) for place in places]
    low, high = (float(cases.score(int(ranking.order[end]))) for end in (-1, 0))
    margin = (high - low) / 12 or 0.1
    few = cases.n <= 100
    top = 2.1 if few and ranking.has_ties else 1.6  # room for words above ties
    figure = look.strip("Scores", "score", (low - margin, high + margin), (-0.6, top), 200)
    dots = [
        figure.scatter(
            "x",
            "y",
            source=figures.points(
                x=[float(cases.score(i)) for i in chosen],
                y=[label] * len(chosen),
                case=[cases.name(i) for i in chosen],
                score=[score_text(cases.score(i)) for i in chosen],
            ),
            marker=marker,
            size=16 if few else 6,
            color=colour,
            alpha=0.9 if few else 0.4,
            line_color=look.INK if few else None,
        )
        for label, marker, colour in ((1, "circle", look.POSITIVE), (0, "square", look.NEGATIVE))
        if (chosen := [i for i in indices if cases.label(i) == label])
    ]
    figures.hover(figure, *dots, tips=[("case", "@case"), ("score", "@score")])
    if few and ranking.has_ties:
        _mark_ties(figure, cases)
    figure.add_layout(line)
    return figure


def _mark_ties(figure: Any, cases: Cases) -> None:
    """A bar behind cases that share a score, and how many they are: marks can hide each other."""
    tied = [block for block in cases.ranking.blocks if block.size > 1]
    x = [float(block.score) for block in tied]
    bar = {"color": look.PINK, "line_width": 5, "line_alpha": 0.5, "level": "underlay"}
    figure.segment(x, -0.3, x, 1.3, **bar)
    figure.text(
        x,
        1.75,
        text=[f"{block.size} tied" for block in tied],
        text_align="center",
        text_baseline="middle",
        text_font_size="15px",
        text_color="#8F3F6B",
    )


def _one_class(figure: Any, cases: Cases) -> Any:
    missing = "negative" if cases.positives else "positive"
    return figures.saying(figure, f"There is no {missing} case.")


def _roc(
    table: CutTable, state: dict[str, Any], now: ColumnDataSource
) -> tuple[Any, dict[str, Any]]:
    figure = look.plot("ROC curve", "FPR", "TPR")
    shades: dict[str, Any] = {}
    if not table.cases.positives or not table.cases.negatives:
        return _one_class(figure, table.cases), shades
    hull = table.cases.ranking.hull()
    hx, hy = [float(cut.fpr) for cut in hull], [float(cut.tpr) for cut in hull]
    x, y = list(state["fpr"]), list(state["tpr"])
    area: dict[str, Any] = {"fill_alpha": 0.25, "line_color": None, "visible": False}
    shades["auc"] = figure.patch([*x, 1], [*y, 0], fill_color=look.BLUE, **area)
    shades["auch"] = figure.patch([*hx, 1], [*hy, 0], fill_color=look.GREEN, **area)
    shades["gini"] = figure.patch(x, y, fill_color=look.PINK, **area)
    figures.diagonal(figure)
    figures.reference(figure, [0, 1], [1, 0], "equal errors", line_dash="dotdash", line_width=1.5)
    figures.reference(figure, hx, hy, "hull", color=look.GREEN, line_dash="dashed")
    figures.trace(figure, figures.points(x=x, y=y, text=list(state["roc_text"])), "ROC")
    figures.current(figure, now)
    figures.legend_below(figure)
    return figure, shades


def _pr(table: CutTable, state: dict[str, Any], now: ColumnDataSource) -> Any:
    figure = look.plot("Precision-recall curve", "recall", "precision")
    if not table.cases.positives:
        return _one_class(figure, table.cases)
    share = float(table.cases.prevalence)
    _levels(figure, state)
    figures.reference(figure, [0, 1], [share, share], "prevalence")
    cuts = figures.known_points(state["tpr"], state["precision"], state["pr_text"])
    figures.trace(figure, cuts, "cuts")
    figures.current(figure, now)
    figures.legend_below(figure)
    return figure


def _levels(figure: Any, state: dict[str, Any]) -> None:
    """The smallest and the largest precision at each recall, joined (Berrar, Eq. 39 and 41)."""
    levels: dict[float, list[float]] = {}
    for recall, precision in zip(state["tpr"], state["precision"], strict=True):
        levels.setdefault(recall, []).append(precision or 0.0)
    recalls = list(levels)
    for pick, colour, dash, label in (
        (max, look.GREEN, "dashed", "largest"),
        (min, look.PINK, "dotdash", "smallest"),
    ):
        heights = [pick(levels[recall]) for recall in recalls]
        figures.reference(figure, recalls, heights, label, color=colour, line_dash=dash)


def _over_cuts(table: CutTable, title: str, y: str, y_range: Any = (-0.03, 1.03)) -> Any:
    """A figure over the number of cases called positive."""
    n = table.cases.n
    return look.plot(title, "cases called positive", y, (-0.03 * n, 1.03 * n), y_range)


def _tpr_fpr(table: CutTable, state: dict[str, Any], now: dict[str, ColumnDataSource]) -> Any:
    figure = _over_cuts(table, "TPR-FPR plot", "rate")
    if not table.cases.positives or not table.cases.negatives:
        return _one_class(figure, table.cases)
    n, texts = table.cases.n, state["roc_text"]
    tpr, fpr = (figures.known_points(table.k, state[name], texts) for name in ("tpr", "fpr"))
    figures.trace(figure, tpr, "TPR")
    figures.trace(figure, fpr, "FPR", "square", color=look.YELLOW, line_dash="dashed")
    gap = {"color": look.LINE, "line_width": 4}
    figure.segment("x0", "y0", "x1", "y1", source=now["gap"], level="overlay", **gap)
    # A legend is drawn anew with what it names: it names a gap that stays, off the picture.
    figure.segment([-n], [0], [-n], [1], legend_label="gap (KS: the largest)", **gap)
    figures.current(figure, now["rates"])
    figures.legend_below(figure)
    return figure


def _gain(table: CutTable, state: dict[str, Any], now: ColumnDataSource) -> Any:
    n, ups = table.cases.n, float(table.cases.positives)
    top = ups or 1
    figure = _over_cuts(table, "Gain chart", "positives found", (-0.03 * top, 1.06 * top))
    figures.reference(figure, [0, n], [0, ups], "random")
    figures.trace(figure, figures.known_points(table.k, state["tp"], state["gain_text"]), "model")
    figures.current(figure, now)
    figures.legend_below(figure)
    return figure


def _lift(table: CutTable, state: dict[str, Any], now: ColumnDataSource) -> Any:
    most = max([each for each in state["lift"] if each is not None] or [1.0])
    figure = _over_cuts(table, "Lift chart", "lift", (0, 1.1 * max(most, 1.0)))
    if not table.cases.positives:
        return _one_class(figure, table.cases)
    figures.reference(figure, [0, table.cases.n], [1, 1], "random")
    cuts = figures.known_points(table.k, state["lift"], state["lift_text"])
    figures.trace(figure, cuts, "model")
    figures.current(figure, now)
    figures.legend_below(figure)
    return figure


def _over(
    table: CutTable, now: ColumnDataSource, over: ColumnDataSource, best: ColumnDataSource
) -> Any:
    from bokeh.models import Range1d

    figure = _over_cuts(table, "", "", Range1d(start=0, end=1))
    figures.trace(figure, over, "measure", size=8 if len(table.k) <= figures.MOST_MARKED else 4)
    figures.starred(figure, best, "best cut")
    figures.current(figure, now)
    figures.legend_below(figure)
    return figure
