"""The pictures of the compare explorer; every model has a colour, a dash, a marker and a hatch."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from binteach.cases import Counts
from binteach.explorers import look
from binteach.explorers.state import CutTable

if TYPE_CHECKING:
    from collections.abc import Sequence

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
NARROW = Fraction(1, 14)  # of the axis: too little for a name


def brief(name: str, most: int = 13) -> str:
    """A name that fits into a picture."""
    return name if len(name) <= most else f"{name[: most - 1]}…"


def legend_names(names: Sequence[str]) -> list[str]:
    """Names that fit into a legend and differ: a legend puts equal ones into one entry."""
    most = 13 if len(names) <= 3 else 10
    short = [brief(name, most) for name in names]
    if len(set(short)) == len(short):
        return short
    return [brief(f"{number} {name}", most) for number, name in enumerate(names, 1)]


def draw(explorer: Compare) -> tuple[dict[str, Any], dict[str, Any]]:
    """All figures by name, and the sources that the page changes."""
    from bokeh.models import ColumnDataSource

    def sources() -> list[ColumnDataSource]:
        return [ColumnDataSource({"x": [], "y": [], "text": []}) for _ in explorer.models]

    now = {name: sources() for name in ("roc", "pr", "measure")}
    over = sources()
    labels = {
        name: ColumnDataSource({"x": [], "y": [], "text": [], "align": [], "dx": [], "dy": []})
        for name in ("roc", "pr")
    }
    figures = {"roc": _roc(explorer, now["roc"], labels["roc"])}
    if not explorer.hard:
        figures["pr"] = _pr(explorer, now["pr"], labels["pr"])
    figures["measure"] = _measure(explorer, over, now["measure"])
    return figures, {"now": now, "over": over, "labels": labels}


def _roc(explorer: Compare, now: Sequence[ColumnDataSource], labels: ColumnDataSource) -> Any:
    low = -0.05 if explorer.hard else BAND[0] - 0.025
    figure = look.plot("ROC space", "FPR", "TPR", (-0.05, 1.05), (low, 1.05))
    figure.width, figure.height = 470, 494
    figure.yaxis.ticker = figure.xaxis.ticker = [0, 0.2, 0.4, 0.6, 0.8, 1]
    if not explorer.curves:
        lacking = "positive" if not next(iter(explorer.models.values())).positives else "negative"
        _say(figure, f"No curve: no case is really {lacking}.")
        return figure
    _bands(explorer, figure)
    figure.line(
        [0, 1], [0, 1], color=look.FAINT, line_dash="dotted", line_width=2, legend_label="random"
    )
    _hull(explorer, figure)
    for number, (name, cases) in enumerate(explorer.models.items()):
        if not explorer.hard:
            points = [(cut.fpr, cut.tpr) for cut in CutTable(cases).cuts]
            x, y = [float(p[0]) for p in points], [float(p[1]) for p in points]
            texts = [f"{name}: FPR {p[0]}, TPR {p[1]}" for p in points]
            _curve(figure, number, explorer, x, y, texts)
    _current(figure, explorer, now, labels)
    _legend(figure)
    return figure


def _hull(explorer: Compare, figure: Any) -> None:
    from bokeh.models import ColumnDataSource, HoverTool

    source = ColumnDataSource(
        {
            "x": [float(x) for x, _ in explorer.hull],
            "y": [float(y) for _, y in explorer.hull],
            "text": [
                f"corner of the hull: FPR {x}, TPR {y}"
                + (f" ({', '.join(names)})" if names else "")
                for (x, y), names in explorer.hull.items()
            ],
        }
    )
    figure.line(
        "x",
        "y",
        source=source,
        color=look.INK,
        line_dash=(3, 3),
        line_width=1.5,
        legend_label="hull over all",
    )
    dots = figure.scatter("x", "y", source=source, size=12, color=look.INK, fill_alpha=0)
    figure.add_tools(HoverTool(renderers=[dots], tooltips="@text"))


def _bands(explorer: Compare, figure: Any) -> None:
    """The areas of dominance as a strip below the curves, with names where they fit."""
    from bokeh.models import ColumnDataSource, HoverTool

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
        source = ColumnDataSource(
            {
                "left": [float(each.start) for each in chosen],
                "right": [float(each.end) for each in chosen],
                "text": [
                    f"FPR {each.start} to {each.end}: {word} on top"
                    + ("" if len(each.top) == 1 else ", level")
                    for each, word in zip(chosen, words, strict=True)
                ],
            }
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
        figure.add_tools(HoverTool(renderers=[band], tooltips="@text"))
    _names_in_bands(explorer, figure)


def _names_in_bands(explorer: Compare, figure: Any) -> None:
    wide = [each for each in explorer.stretches if each.length >= NARROW]
    room = [int(float(each.length) * 47) for each in wide]  # letters
    words = [
        each.top[0]
        if len(each.top) == 1
        else ("all level" if len(each.top) == len(explorer.models) else "level")
        for each in wide
    ]
    figure.text(
        [float(each.start + each.end) / 2 for each in wide],
        [sum(BAND) / 2] * len(wide),
        text=[brief(word, max(2, letters)) for word, letters in zip(words, room, strict=True)],
        text_align="center",
        text_baseline="middle",
        text_font_size="13px",
        text_font_style="bold",
        text_color=look.INK,
        background_fill_color=look.PAPER,
        background_fill_alpha=0.8,
    )


def _pr(
    explorer: Compare,
    now: Sequence[ColumnDataSource],
    labels: ColumnDataSource,
) -> Any:
    figure = look.plot("Precision-recall curves", "recall", "precision", *[(-0.05, 1.05)] * 2)
    figure.width, figure.height = 470, 494
    first = next(iter(explorer.models.values()))
    if not first.positives:
        _say(figure, "No curve: no case is really positive.")
        return figure
    share = float(first.prevalence)
    figure.line(
        [0, 1],
        [share, share],
        color=look.FAINT,
        line_dash="dotted",
        line_width=2,
        legend_label="prevalence",
    )
    for number, (name, cases) in enumerate(explorer.models.items()):
        cuts = [cut for cut in CutTable(cases).cuts if cut.tp + cut.fp]
        precisions = [cut.tp / (cut.tp + cut.fp) for cut in cuts]
        texts = [
            f"{name}: recall {cut.tpr}, precision {precision}"
            for cut, precision in zip(cuts, precisions, strict=True)
        ]
        x, y = [float(cut.tpr) for cut in cuts], [float(each) for each in precisions]
        _curve(figure, number, explorer, x, y, texts)
    _current(figure, explorer, now, labels)
    _legend(figure)
    return figure


def _measure(
    explorer: Compare, over: Sequence[ColumnDataSource], now: Sequence[ColumnDataSource]
) -> Any:
    """The chosen measure: over all cuts, or beside each other for hard classifiers."""
    from bokeh.models import HoverTool, Range1d

    count = len(explorer.models)
    n = explorer.k[-1]
    x_range = (-0.6, count - 0.4) if explorer.hard else (-0.03 * n, 1.03 * n)
    figure = look.plot(
        "",
        "classifier" if explorer.hard else "cases called positive",
        "",
        x_range,
        Range1d(start=0, end=1),
    )
    figure.width, figure.height = 470, 400
    names = legend_names(list(explorer.models))
    if explorer.hard:
        figure.xaxis.ticker = list(range(count))
        figure.xaxis.major_label_overrides = dict(enumerate(names))
        figure.xaxis.major_label_text_font_size = "16px"
    for number in range(count):
        _, marker, colour, dash, _ = STYLES[number]
        if explorer.hard:
            figure.vbar(
                "x", 0.5, "y", source=over[number], color=colour, fill_alpha=0.35, line_width=2
            )
        else:
            figure.line(
                "x",
                "y",
                source=over[number],
                color=colour,
                line_dash=dash,
                line_width=_width(number, count),
                legend_label=names[number],
            )
        dot = figure.scatter(
            "x",
            "y",
            source=now[number],
            marker=marker,
            size=_size(number, count),
            color=colour,
            line_color=look.INK,
            line_width=1.5,
        )
        figure.add_tools(HoverTool(renderers=[dot], tooltips="@text"))
    if not explorer.hard:
        _legend(figure)
    return figure


# Parts ------------------------------------------------------------------------------------------


def _width(number: int, count: int) -> float:
    """Later curves are thinner, so that one below another is still seen."""
    return 2.5 + 1.5 * min(count - 1 - number, 3)


def _size(number: int, count: int) -> int:
    """Later points are smaller, for the same reason."""
    return 14 + 5 * min(count - 1 - number, 3)


def _curve(
    figure: Any,
    number: int,
    explorer: Compare,
    x: Sequence[float],
    y: Sequence[float],
    texts: Sequence[str],
) -> None:
    from bokeh.models import ColumnDataSource, HoverTool

    _, marker, colour, dash, _ = STYLES[number]
    source = ColumnDataSource({"x": list(x), "y": list(y), "text": list(texts)})
    count = len(explorer.models)
    style = {"color": colour, "legend_label": legend_names(list(explorer.models))[number]}
    figure.line("x", "y", source=source, line_dash=dash, line_width=_width(number, count), **style)
    few = len(x) <= 60
    dots = figure.scatter("x", "y", source=source, marker=marker, size=8 if few else 3, **style)
    figure.add_tools(HoverTool(renderers=[dots], tooltips="@text"))


def _current(
    figure: Any, explorer: Compare, now: Sequence[ColumnDataSource], labels: ColumnDataSource
) -> None:
    """The points of the current cut, each with the name of its model."""
    from bokeh.models import HoverTool

    count = len(explorer.models)
    names = legend_names(list(explorer.models))
    for number, data in enumerate(explorer.models.values()):
        _, marker, colour, _, _ = STYLES[number]
        style = {"legend_label": names[number]} if isinstance(data, Counts) else {}
        dot = figure.scatter(
            "x",
            "y",
            source=now[number],
            marker=marker,
            size=_size(number, count),
            color=colour,
            line_color=look.INK,
            line_width=2,
            **style,
        )
        figure.add_tools(HoverTool(renderers=[dot], tooltips="@text"))
    figure.text(
        "x",
        "y",
        text="text",
        source=labels,
        text_align="align",
        x_offset="dx",
        y_offset="dy",
        text_font_size="16px",
        text_font_style="bold",
        text_color=look.INK,
        background_fill_color=look.PAPER,
        background_fill_alpha=0.8,
    )


def _say(figure: Any, words: str) -> None:
    """Words in the place of a curve."""
    figure.text([0.5], [0.5], text=[words], text_align="center", text_font_size="16px")


def _legend(figure: Any) -> None:
    """Above the frame, where it hides no curve."""
    legend = figure.legend[0]
    figure.add_layout(legend, "above")
    legend.location = "left"
    legend.orientation = "horizontal"
    legend.ncols = 3
    figure.height += 26 * ((len(legend.items) - 1) // 3)
    legend.border_line_color = None
    legend.label_text_font_size = "14px"
    legend.background_fill_alpha = 0.85
    legend.padding = 5
    legend.spacing = 12
    legend.label_standoff = 4
    legend.glyph_width = 34
