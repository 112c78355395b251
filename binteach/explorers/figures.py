"""What the figures of the explorers have in common: curves, points that move, legends.

What moves is an overlay, which Bokeh paints without painting the rest again. No legend names what
moves, for a legend is painted anew with what it names: `named` gives it an entry of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from binteach.explorers import look

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bokeh.models import ColumnDataSource, Span

MOST_MARKED = 60  # points of a curve that get a mark each; of more, the marks are small
LEGEND_ROW = 26  # pixels


def points(**columns: Any) -> ColumnDataSource:
    """A source of points; without columns an empty one that the page fills."""
    from bokeh.models import ColumnDataSource

    return ColumnDataSource(columns or {"x": [], "y": [], "text": []})


def known_points(x: Sequence[Any], y: Sequence[Any], text: Sequence[str]) -> ColumnDataSource:
    """Those points of a curve of which neither number is None."""
    known = [i for i in range(len(x)) if x[i] is not None and y[i] is not None]
    return points(x=[x[i] for i in known], y=[y[i] for i in known], text=[text[i] for i in known])


def hover(figure: Any, *renderers: Any, tips: Any = "@text") -> None:
    """What is said where the pointer is."""
    from bokeh.models import HoverTool

    figure.add_tools(HoverTool(renderers=list(renderers), tooltips=tips))


def trace(
    figure: Any,
    source: ColumnDataSource,
    label: str,
    marker: str = "circle",
    size: int | None = None,
    **style: Any,
) -> None:
    """A line through points, with a mark at each that tells its exact values."""
    style = {"color": look.BLUE, "line_width": 3, "level": "glyph"} | style
    figure.line("x", "y", source=source, legend_label=label, **style)
    if size is None:
        size = 8 if len(source.data["x"]) <= MOST_MARKED else 4
    of_marks = {name: style[name] for name in ("color", "level")}
    marks = figure.scatter("x", "y", source=source, marker=marker, size=size, **of_marks)
    hover(figure, marks)


def reference(figure: Any, x: Any, y: Any, label: str, **style: Any) -> None:
    """A line to compare with: of a random order, of the prevalence, ..."""
    style = {"color": look.FAINT, "line_dash": "dotted", "line_width": 2.5} | style
    figure.line(x, y, legend_label=label, **style)


def diagonal(figure: Any) -> None:
    """The ROC curve of a random order."""
    reference(figure, [0, 1], [0, 1], "random")


def current(figure: Any, source: ColumnDataSource, marker: str = "circle", **style: Any) -> None:
    """The point that the slider chose, on top of everything."""
    style = {"size": 17, "color": look.LINE, "line_color": look.INK, "line_width": 1.5} | style
    dot = figure.scatter("x", "y", source=source, marker=marker, level="overlay", **style)
    hover(figure, dot)


def starred(figure: Any, source: ColumnDataSource, label: str, **style: Any) -> None:
    """The points that are best."""
    style = {"size": 24, "color": look.GREEN, "line_color": look.INK} | style
    figure.scatter("x", "y", source=source, marker="star", legend_label=label, **style)


def moving_line(**style: Any) -> Span:
    """The upright line that the slider moves; `figure.add_layout` draws it."""
    from bokeh.models import Span

    style = {"line_color": look.LINE, "line_width": 3, "level": "overlay"} | style
    return Span(dimension="height", location=0, **style)


def hatched(colour: str, pattern: str, alpha: float) -> dict[str, Any]:
    """A filled area that is told from others without its colour, too."""
    return {
        "fill_color": colour,
        "fill_alpha": alpha,
        "hatch_pattern": pattern,
        "hatch_color": look.INK,
        "hatch_alpha": 0.45,
        "hatch_scale": 9,
        "hatch_weight": 1,
    }


def saying(figure: Any, words: str) -> Any:
    """A figure in which there is nothing to draw says why."""
    from bokeh.models import Label

    x, y = ((range.start + range.end) / 2 for range in (figure.x_range, figure.y_range))
    figure.add_layout(Label(x=x, y=y, text=words, text_align="center", text_font_size="17px"))
    return figure


def legend_below(figure: Any, columns: int = 2) -> None:
    """The legend below the figure, where it hides nothing; the figure grows by so much."""
    for legend in list(figure.legend):
        legend.orientation, legend.ncols = "horizontal", columns
        legend.location = "top_left"
        legend.label_text_font_size, legend.label_standoff = "15px", 6
        legend.glyph_width, legend.glyph_height = 30, 20
        legend.border_line_color = None
        legend.margin, legend.padding, legend.spacing = 4, 0, 10
        figure.center.remove(legend)
        figure.add_layout(legend, "below")
        figure.height += LEGEND_ROW * -(-len(legend.items) // columns)
