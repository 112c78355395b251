"""The pictures of the quota explorer: Arbel & Rokach's Figures 3, 5, 8 and 9."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from binteach.curves import Curve, curve
from binteach.explorers import figures, look
from binteach.explorers.quotas import QuotaTable, value_text

if TYPE_CHECKING:
    from binteach.columns import Array

MOST_POINTS = 2000  # of a curve
MOST_BARS = 60  # places for which each part of an area is a bar of its own
GRID = 240  # points of a density
MOST_KERNELS = 2000  # scores that get a kernel each; more are counted in bins first


class Pictures:
    """The four figures, and what the page moves in them.

    What moves is an overlay, which Bokeh paints without painting the rest again. No legend names
    what moves, for a legend is drawn anew with it: it names a copy that stays, off the picture.
    """

    def __init__(self, table: QuotaTable, state: dict[str, Any]) -> None:
        self.table = table
        self.now = {name: figures.points() for name in ("hit_rate", "qrecall", "area", "decile")}
        self.errors = {name: figures.points(x=[], low=[], high=[]) for name in ("fn", "fp")}
        self.lines = [figures.moving_line() for _ in range(3)]
        self.veil = figures.points(left=[])
        self.shades: dict[str, list[Any]] = {"model": [], "optimal": []}
        qrecall = curve("qrecall", table.cases).thin(MOST_POINTS) if table.positives else None
        density = densities(table)
        self.figures = {
            "curves": self._curves(qrecall),
            "pem": self._pem(qrecall, state),
            "lift": self._lift(state),
            "errors": self._errors(density),
        }
        self.moved = {
            "now": self.now,
            "errors": self.errors,
            "lines": self.lines,
            "veil": self.veil,
            "shades": self.shades,
            "density": density,
        }

    def _over_quotas(self, title: str, y: str) -> Any:
        from bokeh.models import BasicTicker

        n = self.table.n
        figure = look.plot(title, "quota j", y, (-0.03 * n, 1.03 * n + 0.5))
        figure.xaxis.ticker = BasicTicker(min_interval=1)
        return figure

    def _curves(self, qrecall: Curve | None) -> Any:
        """Hit rate and Qrecall over the quota (Figure 5)."""
        figure = self._over_quotas("Hit rate and Qrecall", "share")
        hits = curve("hit_rate", self.table.cases).thin(MOST_POINTS)
        if qrecall is not None:
            _comparisons(figure, qrecall)
            _over_quota(figure, qrecall, "Qrecall", "circle")
        dashed = {"color": look.YELLOW, "line_dash": "dashed"}
        _over_quota(figure, hits, "hit rate", "square", **dashed)
        figure.add_layout(self.lines[0])
        figures.current(figure, self.now["hit_rate"], "square")
        figures.current(figure, self.now["qrecall"])
        figures.legend_below(figure)
        return figure

    def _pem(self, qrecall: Curve | None, state: dict[str, Any]) -> Any:
        """The areas between the Qrecall curves (Figure 8)."""
        if qrecall is None:
            figure = self._over_quotas("PEM is undefined", "Qrecall")
            return figures.saying(figure, "There is no positive case.")
        title = "Areas of PEM up to the quota"
        if not self.table.negatives:
            title = "PEM is undefined: no negative case"
        figure = self._over_quotas(title, "Qrecall")
        shade = self._bars if self.table.n <= MOST_BARS else self._strips
        first, second, third = state["sums_exact"][-1]
        shade(figure, qrecall, "optimal", f"S₃ = {third}", look.GREEN, "right_diagonal_line", 0.12)
        shade(figure, qrecall, "above", f"S₁ = {first}", look.BLUE, "dot", 0.45)
        shade(figure, qrecall, "below", f"S₂ = {second}", look.ORANGE, "cross", 0.45)
        figure.quad(
            left="left",
            right=figure.x_range.end,
            bottom=figure.y_range.start,
            top=figure.y_range.end,
            source=self.veil,
            fill_color=look.PAPER,
            fill_alpha=0.72,
            line_color=None,
            level="overlay",
        )
        # The veil hides areas that are not yet summed, but no curve.
        _comparisons(figure, qrecall, level="overlay")
        _over_quota(figure, qrecall, "Qrecall", "circle", level="overlay")
        figure.add_layout(self.lines[1])
        figures.current(figure, self.now["area"])
        figures.legend_below(figure)
        return figure

    def _edges(self, qrecall: Curve, kind: str) -> tuple[list[float], list[float], list[float]]:
        """Quotas, and the lower and upper edge of an area."""
        import numpy as np

        x, model = qrecall.points.floats()
        random, best = (
            np.asarray(qrecall.series[name].floats()[1]) for name in ("random", "optimal")
        )
        edges = {
            "optimal": (random, best),
            "above": (random, np.maximum(model, random)),
            "below": (np.minimum(model, random), random),
        }
        low, high = edges[kind]
        return x.tolist(), low.tolist(), high.tolist()

    def _bars(self, figure: Any, qrecall: Curve, kind: str, label: str, *look_of: Any) -> None:
        """One bar for each place: its size is the cell of the table."""
        x, low, high = self._edges(qrecall, kind)
        tall = [i for i in range(len(x)) if high[i] > low[i]]
        bars = figure.quad(
            left=[x[i] - 0.5 for i in tall],
            right=[x[i] + 0.5 for i in tall],
            bottom=[low[i] for i in tall],
            top=[high[i] for i in tall],
            line_color=look_of[0],
            legend_label=label,
            **figures.hatched(*look_of),
        )
        self.shades["optimal" if kind == "optimal" else "model"].append(bars)

    def _strips(self, figure: Any, qrecall: Curve, kind: str, label: str, *look_of: Any) -> None:
        """One area for all places, where they are many."""
        x, low, high = self._edges(qrecall, kind)
        area = figure.varea(x=x, y1=low, y2=high, legend_label=label, **figures.hatched(*look_of))
        self.shades["optimal" if kind == "optimal" else "model"].append(area)

    def _lift(self, state: dict[str, Any]) -> Any:
        """The lift of each tenth of the ranking (Figure 3)."""
        known = [i for i, lift in enumerate(state["decile_lift"]) if lift is not None]
        heights = [state["decile_lift"][i] for i in known]
        top = 1.18 * max([*heights, 1.0])
        axis = f"decile of the ranking{state['decile_sizes']}"
        figure = look.plot("Lift by deciles", axis, "lift", (0.4, 10.6), (0, top))
        figure.xaxis.ticker = list(range(1, 11))
        if not self.table.positives:
            return figures.saying(figure, "There is no positive case.")
        source = figures.points(
            x=[i + 1 for i in known],
            y=heights,
            label=[f"{height:.2f}".rstrip("0").rstrip(".") for height in heights],
            text=[state["decile_text"][i] for i in known],
        )
        bars = figure.vbar("x", 0.8, "y", source=source, fill_color=look.SKY, line_color=look.INK)
        marked = {
            "width": 0.8,
            "line_color": look.INK,
            "line_width": 3,
            **figures.hatched(look.ORANGE, "right_diagonal_line", 1),
        }
        figure.vbar([-9], top=[1], legend_label="the quota ends here", **marked)
        figure.vbar("x", top="y", source=self.now["decile"], level="overlay", **marked)
        # A lift of 0 has no bar to be marked.
        figure.scatter(
            "x",
            0.0,
            source=self.now["decile"],
            marker="triangle",
            size=18,
            color=look.LINE,
            line_color=look.INK,
            level="overlay",
        )
        over_all = {"color": look.INK, "level": "overlay"}
        figures.reference(figure, [0.4, 10.6], [1, 1], "random: 1", **over_all)
        figure.text(
            "x",
            "y",
            "label",
            source=source,
            text_align="center",
            y_offset=-3,
            text_font_size="15px",
            text_color=look.INK,
            background_fill_color=look.PAPER,
            background_fill_alpha=0.7,
        )
        figures.hover(figure, bars)
        figures.legend_below(figure)
        return figure

    def _errors(self, density: dict[str, Any]) -> Any:
        """The scores of both classes, and the errors on either side of the line (Figure 9)."""
        x = density["x"]
        top = 1.1 * max([*density["positive"], *density["negative"]])
        figure = look.plot(
            "Scores and errors (smoothed)", "score", "density", (x[0], x[-1]), (0, top)
        )
        look.fewer_ticks(figure)
        for name, colour, hatch, label in (
            ("fp", look.YELLOW, "right_diagonal_line", "false alarms (f.p)"),
            ("fn", look.BLUE, "horizontal_line", "missed (f.n)"),
        ):
            style, source = figures.hatched(colour, hatch, 0.3), self.errors[name]
            figure.varea("x", "low", "high", source=source, level="overlay", **style)
            aside = [2 * x[0] - x[-1] - 1, 2 * x[0] - x[-1]]
            figure.varea(aside, [0, 0], [1, 1], legend_label=label, **style)
        for kind, colour, dash, label in (
            ("negative", look.YELLOW, "dashed", "negatives (c₀)"),
            ("positive", look.BLUE, "solid", "positives (c₁)"),
        ):
            if density[kind]:
                shape = {"color": colour, "line_dash": dash, "line_width": 3}
                figures.reference(figure, x, density[kind], label, **shape)
        figure.add_layout(self.lines[2])
        figures.legend_below(figure)
        return figure


# Parts of a figure --------------------------------------------------------------------------------


def _comparisons(figure: Any, qrecall: Curve, **more: Any) -> None:
    """The Qrecall of a random and of a perfect order."""
    for name, colour, dash in (
        ("random", look.INK, "dotted"),
        ("optimal", look.GREEN, "dotdash"),
    ):
        x, y = qrecall.series[name].floats()
        style = {"color": colour, "line_dash": dash, **more}
        figures.reference(figure, x.tolist(), y.tolist(), f"{name} Qrecall", **style)


def _over_quota(figure: Any, drawn: Curve, name: str, marker: str, **style: Any) -> None:
    """A curve with a mark at each quota that tells its exact value."""
    x, y = drawn.points.floats()
    texts = [f"quota {point.cut}: {name} {value_text(point.y)}" for point in drawn.points]
    source = figures.points(x=x.tolist(), y=y.tolist(), text=texts)
    figures.trace(figure, source, name, marker, **style)


# Densities ----------------------------------------------------------------------------------------


def densities(table: QuotaTable) -> dict[str, Any]:
    """The scores of either class as a smooth curve of area 1, drawn over one axis."""
    import numpy as np

    scores = table.cases.score_array().astype(np.float64)
    labels = table.cases.label_array()
    spread = float(scores.max() - scores.min()) or abs(float(scores.max())) / 5 or 0.2
    # In parts of their spread, large scores have squares that are still doubles.
    scores = scores / spread
    classes = {"positive": scores[labels == 1], "negative": scores[labels == 0]}
    widths = {kind: _bandwidth(chosen) for kind, chosen in classes.items()}
    margin = 3 * max(widths[kind] for kind, chosen in classes.items() if len(chosen))
    grid = np.linspace(scores.min() - margin, scores.max() + margin, GRID)
    found: dict[str, Any] = {"x": (grid * spread).tolist()}
    for kind, chosen in classes.items():
        heights = _smooth(chosen, grid, widths[kind]) / spread if len(chosen) else grid[:0]
        found[kind] = heights.tolist()
    return found


def _bandwidth(scores: Array) -> float:
    """Silverman's rule, and never so narrow that a peak hides all else; of scores of spread 1."""
    import numpy as np

    if len(scores) < 2:
        return 0.1
    quarters = np.percentile(scores, [25, 75])
    deviation = float(scores.std())
    narrow = min(deviation, float(quarters[1] - quarters[0]) / 1.34) or deviation
    return float(max(0.9 * narrow * len(scores) ** -0.2, 1 / 40))


def _smooth(scores: Array, grid: Array, width: float) -> Array:
    """The mean of a normal curve around each score."""
    import numpy as np

    weights = np.full(len(scores), 1 / len(scores))
    if len(scores) > MOST_KERNELS:
        counts, edges = np.histogram(scores, bins=MOST_KERNELS)
        scores, weights = (edges[1:] + edges[:-1]) / 2, counts / counts.sum()
    kernels = np.exp(-(((grid[:, None] - scores[None, :]) / width) ** 2) / 2)
    heights: Array = kernels @ weights / (width * np.sqrt(2 * np.pi))
    return heights
