"""Lines that every step of a slider changes, and legends that stand still meanwhile.

A legend is painted anew with what it names, and all the figure with it. So what moves is painted
above the rest, and the legend names something that stays: a copy outside the picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from binteach.explorers import figures, look

if TYPE_CHECKING:
    from collections.abc import Callable

    from bokeh.models import ColumnDataSource

OUTSIDE = [-9, -8]  # of every picture, on both axes


def named(draw: Callable[..., Any], label: str, **style: Any) -> None:
    """An entry of the legend for what moves."""
    draw(OUTSIDE, OUTSIDE, legend_label=label, **style)


def moving(
    figure: Any, source: ColumnDataSource, label: str, marker: str = "circle", **style: Any
) -> None:
    """A line through points, with a mark at each that tells its exact values."""
    style = {"color": look.BLUE, "line_width": 3} | style
    named(figure.line, label, **style)
    figure.line("x", "y", source=source, level="overlay", **style)
    marks = {"marker": marker, "size": 4, "color": style["color"]}
    figures.hover(figure, figure.scatter("x", "y", source=source, level="overlay", **marks))


def words(figure: Any, x: Any, y: Any, text: Any, **style: Any) -> None:
    """Words in a picture, on paper, so that they are read above whatever is drawn there."""
    usual = {
        "text_align": "center",
        "text_baseline": "middle",
        "text_font_size": "16px",
        "text_color": look.INK,
        "background_fill_color": look.PAPER,
        "background_fill_alpha": 0.8,
    }
    figure.text(x, y, text=text, **(usual | style))
