"""The costs explorer: what a false alarm costs against a miss, and which cut is then the best."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import traitlets

from binteach import exact
from binteach.cases import Cases, Cut, decimal_text
from binteach.columns import times
from binteach.derivation import explain
from binteach.exact import shorten
from binteach.explorers import figures, look, overlays, rates
from binteach.explorers.base import Setting, View, note
from binteach.explorers.rates import ByPrevalence, shares
from binteach.explorers.state import fraction_text, whole_number
from binteach.measures import MEASURES
from binteach.render import html

if TYPE_CHECKING:
    from bokeh.models import ColumnDataSource, Model

MOST_NAMED = 6  # equally good cuts that are listed one by one

TIMES = (2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 30, 50, 100)
PRICES = (
    *((Fraction(1), Fraction(more)) for more in reversed(TIMES)),
    (Fraction(2), Fraction(3)),
    (Fraction(1), Fraction(1)),
    (Fraction(3), Fraction(2)),
    *((Fraction(more), Fraction(1)) for more in TIMES),
)
"""Costs of a false alarm and of a miss, from misses that cost more to false alarms that do."""


class Costs(ByPrevalence):
    """Two prices and a prevalence give the slope of a line; where it touches the hull is the best.

    Every point of such a line has the same expected cost. Its slope is
    (1 − π) × c_FP / (π × c_FN): so many times TPR must rise faster than FPR to be worth it.

    cases       any Cases
    cost_fp     what a false alarm costs, more than 0; 1 unless given
    cost_fn     what a miss costs, more than 0; 1 unless given
    prevalence  the share of positives, as 0.1 or "1/3"; that of the data unless given

    `cost_fp`, `cost_fn` and `prevalence` are traits, too: they follow the page, and can be set and
    observed, and they stay exact. The sliders go through `prices` and `prevalences`, lists that
    hold what was asked for last; `price_place` and `prevalence_place` are where they stand there.
    The figures are "roc" and "cost".

        e = bt.explorers.costs(bt.load("ten_cases"), cost_fp=1, cost_fn=10)
        e                       # as the last line of a cell: the page
        e.cost_fn = 2           # moves its slider
        e.save("costs.html")    # one file that works without Python
        e.figure("cost")        # a Bokeh figure; e.svg("cost") and e.png("cost") for slides
    """

    kind = "costs"
    of_cases = True

    def __init__(
        self,
        cases: Cases,
        cost_fp: object = 1,
        cost_fn: object = 1,
        prevalence: object = None,
    ) -> None:
        super().__init__(cases, prevalence)
        pair = (_price("cost_fp", cost_fp), _price("cost_fn", cost_fn))
        self.prices = _prices(pair)
        with self.hold_trait_notifications():
            self.cost_fp, self.cost_fn = pair
            self.price_place = self.prices.index(pair)

    @Setting
    def cost_fp(self, given: object) -> Fraction:
        """What a false alarm costs."""
        return _price("cost_fp", given)

    @Setting
    def cost_fn(self, given: object) -> Fraction:
        """What a miss costs."""
        return _price("cost_fn", given)

    @Setting
    def price_place(self, given: object) -> int:
        """The place of the two costs in `prices`, where the slider stands."""
        return whole_number("price_place", given, 0, len(self.prices) - 1)

    @property
    def ratio(self) -> Fraction:
        """The cost of a false alarm, in misses."""
        return Fraction(self.cost_fp, self.cost_fn)

    @traitlets.observe("cost_fp", "cost_fn")
    def _move_price_slider(self, change: Any) -> None:
        del change
        pair = (self.cost_fp, self.cost_fn)
        if pair not in self.prices:
            self.prices = _prices(pair)
            self.renew()
        self.price_place = self.prices.index(pair)

    @traitlets.observe("price_place")
    def _read_price_slider(self, change: Any) -> None:
        # Both at once: each by itself would be another pair of prices.
        with self.hold_trait_notifications():
            self.cost_fp, self.cost_fn = self.prices[change.new]

    def __repr__(self) -> str:
        return (
            f"Costs({self.cases.n} cases, cost_fp={self.cost_fp}, cost_fn={self.cost_fn}, "
            f"prevalence={self.prevalence})"
        )

    # The best cuts -----------------------------------------------------------------------------

    @cached_property
    def corners(self) -> list[Cut]:
        """The corners of the hull: only there a line from above can rest."""
        return self.cases.ranking.hull()

    @cached_property
    def slopes(self) -> list[Fraction | None]:
        """The slopes of the hull's edges, from steep to flat; None is a vertical one."""
        pairs = zip(self.corners, self.corners[1:], strict=False)
        return [
            (right.tpr - left.tpr) / (right.fpr - left.fpr) if right.fpr > left.fpr else None
            for left, right in pairs
        ]

    def slope(self, prices: tuple[Fraction, Fraction], prevalence: Fraction) -> Fraction:
        """(1 − π) × c_FP / (π × c_FN): the slope of the lines of equal cost."""
        cost_fp, cost_fn = prices
        return (1 - prevalence) * cost_fp / (prevalence * cost_fn)

    def resting_place(self, slope: Fraction) -> int:
        """Where a line of this slope rests: 2 i on corner i, 2 i + 1 on the edge after it."""
        # Slopes fall from edge to edge; turned round, they can be searched.
        falling = [-each if each is not None else None for each in self.slopes]
        first = next((i for i, each in enumerate(falling) if each is not None), len(falling))
        edge = bisect_left([each for each in falling if each is not None], -slope) + first
        on_edge = edge < len(falling) and falling[edge] == -slope
        return 2 * edge + on_edge

    @cached_property
    def resting(self) -> list[list[Cut]]:
        """The best cuts for each place where a line can rest."""
        numbers = self.cases.ranking.hull_numbers()
        found: list[list[Cut]] = []
        for i, number in enumerate(numbers):
            found.append([self.corners[i]])
            if i + 1 < len(numbers):
                found.append(self._on_edge(number, numbers[i + 1]))
        return found

    def _on_edge(self, start: int, stop: int) -> list[Cut]:
        """Every cut on an edge of the hull, both ends included."""
        ranking = self.cases.ranking
        tp, fp = (counts[start : stop + 1] for counts in (ranking.tp, ranking.fp))
        rise, run = tp - int(tp[0]), fp - int(fp[0])
        on = times(rise, int(run[-1])) == times(run, int(rise[-1]))
        return [ranking.cut(start + int(number)) for number in on.nonzero()[0]]

    def _derivation(self) -> str:
        """The expected cost of the best cut, written now."""
        prices = self.cost_fp, self.cost_fn
        place = self.resting_place(self.slope(prices, self.prevalence))
        counts = shares(self.resting[place][0], self.prevalence)
        found = explain("expected_cost", counts, cost_fp=self.cost_fp, cost_fn=self.cost_fn)
        return note(f"Here {self._resting(self.resting[place])['words']}.") + html.render(found)

    # What a page needs -------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything that the page switches between."""
        return self._fixed

    @cached_property
    def _fixed(self) -> dict[str, Any]:
        return (
            self.numbers()
            | {
                "prevalence_number": [decimal_text(each) for each in self.prevalences],
                "prices": [rates.whole_numbers(pair) for pair in self.prices],
                "fp_text": [str(fp) for fp, _ in self.prices],
                "fn_text": [str(fn) for _, fn in self.prices],
                "corners": self._corner_rows(),
                "corner_k": [cut.k for cut in self.corners],
                "resting": [self._resting(cuts) for cuts in self.resting],
            }
            | self._best()
        )

    def _best(self) -> dict[str, Any]:
        """For each pair of prices and each prevalence: where the line rests, and the derivation."""
        measure = MEASURES["expected_cost"]
        grid = rates.GridTemplates(len(self.prices), len(self.prevalences))
        places = []
        for row, (cost_fp, cost_fn) in enumerate(self.prices):
            slopes = [self.slope((cost_fp, cost_fn), share) for share in self.prevalences]
            places.append([self.resting_place(slope) for slope in slopes])
            for column, share in enumerate(self.prevalences):
                counts = shares(self.resting[places[row][column]][0], share)
                written = self.fragment(measure, counts, cost_fp=cost_fp, cost_fn=cost_fn)
                grid.add(row, column, written)
        return {"place": places, "derivation": grid.packed()}

    def _resting(self, cuts: list[Cut]) -> dict[str, Any]:
        """The best cuts of one place, as the page shows them."""
        texts = [_point_text(cut) for cut in cuts]
        if len(cuts) == 1:
            words = f"the best cut calls {_cases_text(cuts[0].k)} positive ({texts[0]})"
        elif len(cuts) <= MOST_NAMED:
            listed = ", ".join(str(cut.k) for cut in cuts[:-1]) + f" or {cuts[-1].k}"
            words = f"several cuts are equally good, those that call {listed} cases positive"
        else:
            words = (
                f"{len(cuts)} cuts are equally good, from {cuts[0].k} to {cuts[-1].k} cases "
                "called positive"
            )
        return {
            "at": self.table.k.index(cuts[0].k),  # a corner of the hull, which is never left out
            "k": [cut.k for cut in cuts],
            "tpr": [float(cut.tpr) for cut in cuts],
            "fpr": [float(cut.fpr) for cut in cuts],
            "text": [
                f"{cut.k} called positive: {text}" for cut, text in zip(cuts, texts, strict=True)
            ],
            "words": words,
        }

    def _corner_rows(self) -> list[dict[str, str]]:
        """For each corner the slopes for which it is best, and the prices at each prevalence."""
        rows = []
        for i, cut in enumerate(self.corners):
            high = self.slopes[i - 1] if i else None
            low = self.slopes[i] if i < len(self.slopes) else Fraction(0)
            row = {
                "cells": f"<td>{fraction_text(cut.tpr)}</td><td>{fraction_text(cut.fpr)}</td>",
                "slopes": "",
                "prices": "",
            }
            # A vertical edge leads up for nothing, and what a flat one adds is false alarms:
            # then the corner is never the best.
            if low is not None and high != 0:
                row |= {"slopes": _range_text(low, high), "prices": self._price_ranges(low, high)}
            rows.append(row)
        return rows

    def _price_ranges(self, low: Fraction, high: Fraction | None) -> str:
        """The same ranges as prices of a false alarm in misses, at each prevalence."""
        odds = [share / (1 - share) for share in self.prevalences]
        return rates.joined(_range_text(low * o, high and high * o) for o in odds)

    # The page ----------------------------------------------------------------------------------

    def build(self) -> View:
        from bokeh.models import CustomJS

        if not self.has_both_classes:
            return self.one_class_view({"roc": _roc_figure(), "cost": _cost_figure(self.cases.n)})
        state = self.state()
        price = rates.place_slider(
            "Cost of false alarm to miss",
            [f"{fp} : {fn}" for fp, fn in self.prices],
            self.prices.index((self.cost_fp, self.cost_fn)),
        )
        prevalence = self.prevalence_slider()
        names = ("best", "cheapest", "cost", "line", "labels")
        now = {name: figures.points() for name in names}
        now["lines"] = figures.points(xs=[], ys=[])
        drawn = {"roc": _roc(self, state, now), "cost": _cost(self.cases.n, now)}
        summary = look.announcer()
        slope = look.box(width=480)
        table = look.wide_box("Corners of the hull", 480, css=TABLE_STYLE)
        derivation = look.wide_box("Derivation", 480)
        switch = CustomJS(
            args={
                "state": state,
                "price": price,
                "prevalence": prevalence,
                "now": now,
                "cost_figure": drawn["cost"],
                "summary": summary,
                "slope": slope,
                "table": table,
                "derivation": derivation,
            },
            code=rates.script("costs.js"),
        )
        for model in (price, prevalence):
            model.js_on_change("value", switch)
        root = look.page(
            rates.side_by_side(price, prevalence),
            summary,
            self.back_button(prevalence),
            look.gallery(*drawn.values(), slope, table, derivation),
        )
        traits: dict[str, tuple[Model, str]] = {
            "price_place": (price, "value"),
            "prevalence_place": (prevalence, "value"),
        }
        return View(root, traits, drawn, switch)


def _price(name: str, given: object) -> Fraction:
    """A cost of more than nothing: lines of equal cost need both."""
    price = rates.exact_number(name, given)
    if not rates.TINY <= price <= 1 / rates.TINY:
        raise ValueError(
            f"{name} is {shorten(given)}; it must be greater than 0: from 10^-12 to 10^12"
        )
    return price


def _prices(pair: tuple[Fraction, Fraction]) -> list[tuple[Fraction, Fraction]]:
    """The prices of a slider on which the given pair is a step, by falling cost of a miss."""
    by_ratio = {fp / fn: (fp, fn) for fp, fn in (*PRICES, pair)}
    return [by_ratio[ratio] for ratio in sorted(by_ratio)]


def _cases_text(k: int) -> str:
    return "1 case" if k == 1 else f"{k} cases" if k else "no case"


def _point_text(cut: Cut) -> str:
    return f"TPR {fraction_text(cut.tpr)}, FPR {fraction_text(cut.fpr)}"


def _range_text(low: Fraction, high: Fraction | None) -> str:
    """From where to where; both rounded where one would be too long."""
    ends = [low] if high is None else [low, high]
    texts = [str(end) for end in ends]
    about = ""
    if max(map(len, texts)) > 7:
        about, texts = "≈ ", [exact.rounded(end, 4) if end else "0" for end in ends]
    return f"{about}{texts[0]} or more" if high is None else about + " to ".join(texts)


TABLE_STYLE = """
thead th { border-bottom: 1px solid #222; vertical-align: bottom; }
tr.best td, tr.best th { background: #fdeee2; font-weight: bold; }
th[scope=row] { font-weight: normal; }
td.more { text-align: center; color: #555; }
th, td { white-space: nowrap; padding: .12em .4em; }
@media (max-width: 600px) {
  th, td { padding: .12em .25em; font-size: 14px; } td { white-space: normal; }
}
"""

# Figures ----------------------------------------------------------------------------------------


def _roc_figure() -> Any:
    return look.plot("Lines of equal cost", "FPR", "TPR", height=440)


def _roc(explorer: Costs, state: dict[str, Any], now: dict[str, ColumnDataSource]) -> Any:
    figure = _roc_figure()
    dearer = {"color": look.PINK, "line_dash": "dotdash", "line_width": 1.5}
    best = {"color": look.LINE, "line_width": 4}
    overlays.named(figure.line, "best line", **best)
    overlays.named(figure.line, "dearer lines", **dearer)
    hull = {"color": look.GREEN, "line_dash": "dashed"}
    corners = explorer.corners
    x, y = [float(cut.fpr) for cut in corners], [float(cut.tpr) for cut in corners]
    figures.reference(figure, x, y, "hull", **hull)
    tpr, fpr = explorer.rates
    figures.trace(figure, figures.known_points(fpr.floats, tpr.floats, state["rates_text"]), "ROC")
    figure.multi_line("xs", "ys", source=now["lines"], level="overlay", **dearer)
    figure.line("x", "y", source=now["line"], level="overlay", **best)
    of_lines = {"text_color": "#8a3a6b", "text_font_size": "15px", "level": "overlay"}
    overlays.words(figure, "x", "y", "text", source=now["labels"], **of_lines)
    figures.current(figure, now["best"], marker="star", size=26)
    figures.legend_below(figure)
    return figure


def _cost_figure(n: int) -> Any:
    from bokeh.models import Range1d

    return look.plot(
        "Expected cost at every cut",
        "cases called positive",
        "expected cost of a case",
        (-0.03 * n, 1.03 * n),
        Range1d(start=0, end=1),
        height=440,
    )


def _cost(n: int, now: dict[str, ColumnDataSource]) -> Any:
    figure = _cost_figure(n)
    star: dict[str, Any] = {
        "marker": "star",
        "size": 26,
        "color": look.LINE,
        "line_color": look.INK,
    }
    overlays.named(figure.scatter, "best cut", **star)
    overlays.moving(figure, now["cost"], "cost")
    figures.current(figure, now["cheapest"], **star)
    figures.legend_below(figure)
    figure.height += figures.LEGEND_ROW  # as high as its neighbour
    return figure
