"""The pictures of the compare explorer; every model has a colour, a dash, a marker and a hatch."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from binteach.explorers import figures, look, overlays
from binteach.explorers.state import CutTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bokeh.models import ColumnDataSource

    from binteach.explorers.compare import Compare

# sign in texts, marker, colour, dash, hatch of the area of dominance
STYLES = (
    ("●", "circle", look.BLUE, "solid", "/"),
    ("■", "square", look.ORANGE, "dashed", "\\"),
    ("▲", "triangle", look.GREEN, "dotted", "."),
    ("◆", "diamond", look.PINK, "dotdash", "x"),
    ("▼", "inverted_triangle", look.YELLOW, "dashdot", "-"),
    ("⬢", "hex", look.SKY, (12, 3), "|"),
    ("★", "star", look.INK, (2, 6), "o"),
    ("✚", "cross", look.FAINT, (8, 3, 2, 3, 2, 3), "+"),
)
AXES = {"roc": ("FPR", "TPR"), "pr": ("recall", "precision")}
BAND = (-0.135, -0.045)  # where the areas of dominance stand, below the curves
NARROW = Fraction(1, 20)  # of the axis: too little for a sign
BAND_LETTERS = 40  # that fit along the whole axis, on a phone too


def brief(name: str, most: int = 14) -> str:
    """A name that fits into a picture."""
    return name if len(name) <= most else f"{name[: most - 1]}…"


def legend_names(names: Sequence[str]) -> list[str]:
    """Names that fit into a legend and differ: a legend puts equal ones into one entry."""
    short = [brief(name) for name in names]
    if len(set(short)) == len(short):
        return short
    return [brief(f"{number} {name}") for number, name in enumerate(names, 1)]


def draw(explorer: Compare) -> tuple[dict[str, Any], dict[str, Any]]:
    """All figures by name, and the sources that the page changes."""

    def sources() -> list[ColumnDataSource]:
        return [figures.points() for _ in explorer.models]

    now = {name: sources() for name in ("roc", "pr", "measure")}
    over = sources()
    labels = {
        name: figures.points(x=[], y=[], text=[], align=[], dx=[], dy=[]) for name in ("roc", "pr")
    }
    drawn = {"roc": _roc(explorer, now["roc"], labels["roc"])}
    if not explorer.hard:
        drawn["pr"] = _pr(explorer, now["pr"], labels["pr"])
    drawn["measure"] = _measure(explorer, over, now["measure"])
    for figure in drawn.values():
        figure.frame_align = False  # their legends are not of one height
    return drawn, {"now": now, "over": over, "labels": labels}


def _roc(explorer: Compare, now: Sequence[ColumnDataSource], labels: ColumnDataSource) -> Any:
    low = -0.05 if explorer.hard else BAND[0] - 0.025
    figure = look.plot("ROC space", "FPR", "TPR", (-0.05, 1.05), (low, 1.05), height=480)
    figure.yaxis.ticker = figure.xaxis.ticker = [0, 0.2, 0.4, 0.6, 0.8, 1]
    if not explorer.curves:
        lacking = "positive" if not next(iter(explorer.models.values())).positives else "negative"
        return figures.saying(figure, f"No curve: no case is really {lacking}.")
    _bands(explorer, figure)
    figures.diagonal(figure)
    _hull(explorer, figure)
    for number, (name, cases) in enumerate(explorer.models.items()):
        if not explorer.hard:
            cuts = CutTable(cases).cuts
            texts = [f"{name}: FPR {cut.fpr}, TPR {cut.tpr}" for cut in cuts]
            _curve(figure, number, explorer, [(cut.fpr, cut.tpr) for cut in cuts], texts)
    _current(figure, explorer, now, labels)
    figures.legend_below(figure)
    return figure


def _hull(explorer: Compare, figure: Any) -> None:
    texts = [
        f"corner of the hull: FPR {x}, TPR {y}" + (f" ({', '.join(names)})" if names else "")
        for (x, y), names in explorer.hull.items()
    ]
    corners = figures.known_points(*_floats(explorer.hull), texts)
    thin = {"color": look.INK, "line_dash": (3, 3), "line_width": 1.5}
    figure.line("x", "y", source=corners, legend_label="hull over all", **thin)
    dots = figure.scatter("x", "y", source=corners, size=12, color=look.INK, fill_alpha=0)
    figures.hover(figure, dots)


def _bands(explorer: Compare, figure: Any) -> None:
    """The areas of dominance as a strip below the curves, with names where they fit."""
    if not explorer.stretches:
        return
    order = list(explorer.models)
    for number, name in [*enumerate(order), (-1, "")]:
        chosen = [
            each
            for each in explorer.stretches
            if (each.top == (name,) if name else len(each.top) > 1)
        ]
        if not chosen:
            continue
        words = [", ".join(each.top) if len(each.top) < len(order) else "all" for each in chosen]
        source = figures.points(
            left=[float(each.start) for each in chosen],
            right=[float(each.end) for each in chosen],
            text=[
                f"FPR {each.start} to {each.end}: {word} on top"
                + ("" if len(each.top) == 1 else ", level")
                for each, word in zip(chosen, words, strict=True)
            ],
        )
        colour, hatch = (STYLES[number][2], STYLES[number][4]) if name else (look.FAINT, None)
        # The hatch carries on through the curves, faintly: the stretch belongs to its model.
        figure.quad(
            left="left",
            right="right",
            top=1,
            bottom=0,
            source=source,
            fill_color=colour,
            fill_alpha=0.09 if name else 0.05,
            line_color=None,
        )
        band = figure.quad(
            left="left",
            right="right",
            top=BAND[1],
            bottom=BAND[0],
            source=source,
            fill_color=colour,
            fill_alpha=0.25,
            line_color=look.INK,
            hatch_pattern=hatch,
            hatch_color=colour,
            hatch_alpha=0.45,
            hatch_scale=9,
        )
        figures.hover(figure, band)
    _names_in_bands(explorer, figure)


def _names_in_bands(explorer: Compare, figure: Any) -> None:
    wide = [each for each in explorer.stretches if each.length >= NARROW]
    signs = {name: sign for name, (sign, *_) in zip(explorer.models, STYLES, strict=False)}
    words = []
    for each in wide:
        level = "all level" if len(each.top) == len(explorer.models) else "level"
        short, name = ("=", level) if len(each.top) > 1 else (signs[each.top[0]], each.top[0])
        long = f"{short} {name}"
        words.append(long if len(long) <= each.length * BAND_LETTERS else short)
    x = [float(each.start + each.end) / 2 for each in wide]
    bold = {"text_font_size": "14px", "text_font_style": "bold"}
    overlays.words(figure, x, [sum(BAND) / 2] * len(wide), words, **bold)


def _pr(
    explorer: Compare,
    now: Sequence[ColumnDataSource],
    labels: ColumnDataSource,
) -> Any:
    both = (-0.05, 1.05)
    figure = look.plot("Precision-recall curves", "recall", "precision", both, both, height=480)
    first = next(iter(explorer.models.values()))
    if not first.positives:
        return figures.saying(figure, "No curve: no case is really positive.")
    share = float(first.prevalence)
    figures.reference(figure, [0, 1], [share, share], "prevalence")
    for number, (name, cases) in enumerate(explorer.models.items()):
        cuts = [cut for cut in CutTable(cases).cuts if cut.k]
        points = [(cut.tpr, cut.tp / (cut.tp + cut.fp)) for cut in cuts]
        texts = [f"{name}: recall {recall}, precision {precision}" for recall, precision in points]
        _curve(figure, number, explorer, points, texts)
    _current(figure, explorer, now, labels)
    figures.legend_below(figure)
    return figure


def _measure(
    explorer: Compare, over: Sequence[ColumnDataSource], now: Sequence[ColumnDataSource]
) -> Any:
    """The chosen measure: over all cuts, or beside each other for hard classifiers."""
    from bokeh.models import PlainText, Range1d

    count = len(explorer.models)
    n = explorer.k[-1]
    x_range = (-0.6, count - 0.4) if explorer.hard else (-0.03 * n, 1.03 * n)
    x_label = "classifier" if explorer.hard else "cases called positive"
    figure = look.plot("", x_label, "", x_range, Range1d(start=0, end=1))
    names = legend_names(list(explorer.models))
    if explorer.hard:
        figure.xaxis.ticker = list(range(count))
        # A name with dollar signs in it is no formula.
        figure.xaxis.major_label_overrides = {
            number: PlainText(name) for number, name in enumerate(names)
        }
    for number in range(count):
        _, _, colour, dash, _ = STYLES[number]
        if explorer.hard:
            bar = {"color": colour, "fill_alpha": 0.35, "line_width": 2}
            figure.vbar("x", 0.5, "y", source=over[number], **bar)
        else:
            line = {"color": colour, "line_dash": dash, "line_width": _width(number, count)}
            figure.line("x", "y", source=over[number], **line)
            _name(figure, number, explorer)
        _point(figure, number, count, now[number])
    if not explorer.hard:
        figures.legend_below(figure)
    return figure


# Parts ------------------------------------------------------------------------------------------


def _width(number: int, count: int) -> float:
    """Later curves are thinner, so that one below another is still seen."""
    return 2.5 + 1.5 * min(count - 1 - number, 3)


def _floats(points: Iterable[tuple[Fraction, Fraction]]) -> tuple[list[float], list[float]]:
    """All x and all y, for drawing."""
    both = list(points)
    return [float(x) for x, _ in both], [float(y) for _, y in both]


def _name(figure: Any, number: int, explorer: Compare) -> None:
    """The entry of a model in the legend: its line, and its marker upon it."""
    _, marker, colour, dash, _ = STYLES[number]
    label = legend_names(list(explorer.models))[number]
    if not explorer.hard:
        overlays.named(figure.line, label, color=colour, line_dash=dash, line_width=3)
    overlays.named(figure.scatter, label, marker=marker, color=colour, size=10)


def _curve(
    figure: Any,
    number: int,
    explorer: Compare,
    points: Sequence[tuple[Fraction, Fraction]],
    texts: Sequence[str],
) -> None:
    _, marker, colour, dash, _ = STYLES[number]
    _name(figure, number, explorer)
    figures.trace(
        figure,
        figures.known_points(*_floats(points), texts),
        legend_names(list(explorer.models))[number],
        marker,
        color=colour,
        line_dash=dash,
        line_width=_width(number, len(explorer.models)),
    )


def _point(figure: Any, number: int, count: int, now: ColumnDataSource) -> None:
    """The point of the current cut; later ones are smaller, so that all are seen."""
    _, marker, colour, _, _ = STYLES[number]
    size = 14 + 5 * min(count - 1 - number, 3)
    figures.current(figure, now, marker, size=size, color=colour, line_width=2)


def _current(
    figure: Any, explorer: Compare, now: Sequence[ColumnDataSource], labels: ColumnDataSource
) -> None:
    """The points of the current cut, each with the name of its model."""
    for number in range(len(explorer.models)):
        if explorer.hard:
            _name(figure, number, explorer)
        _point(figure, number, len(explorer.models), now[number])
    overlays.words(
        figure,
        "x",
        "y",
        "text",
        source=labels,
        text_align="align",
        text_baseline="bottom",
        x_offset="dx",
        y_offset="dy",
        text_font_style="bold",
        level="overlay",
    )
