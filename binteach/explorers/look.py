"""How the explorers look: colours, figures and boxes, one way for all."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bokeh.models import Div, LayoutDOM
    from bokeh.plotting import figure as Figure

# Okabe and Ito: told apart also by those who do not see red and green. Never colour alone: each
# goes with a dash, a marker or a label.
BLUE, ORANGE, GREEN = "#0072B2", "#D55E00", "#009E73"
YELLOW, SKY, PINK = "#E69F00", "#56B4E9", "#CC79A7"
INK, FAINT, PAPER = "#222222", "#888888", "#ffffff"
POSITIVE, NEGATIVE, LINE = BLUE, YELLOW, ORANGE

FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
CARD = """
:host { box-sizing: border-box; color: #222; background: #fff; font-family: FONT; font-size: 16px; }
h3 { margin: .1em 0 .3em; font-size: 17px; }
p { margin: .3em 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .12em .6em; text-align: right; }
""".replace("FONT", FONT)
"""The style of a box of text; the explorers are paper on any background, light or dark."""


def script(name: str) -> str:
    """The code of an explorer, after what all of them share."""
    folder = files("binteach.explorers")
    return "\n".join((folder / file).read_text(encoding="utf-8") for file in ("common.js", name))


def plot(
    title: str, x: str, y: str, x_range: Any = (-0.03, 1.03), y_range: Any = (-0.03, 1.03)
) -> Figure:
    """An empty figure with large labels."""
    from bokeh.plotting import figure

    made = figure(
        title=title,
        x_range=x_range,
        y_range=y_range,
        x_axis_label=x,
        y_axis_label=y,
        width=364,
        height=330,
        toolbar_location=None,
        tools="",
        background_fill_color=PAPER,
        border_fill_color=PAPER,
        outline_line_color="#cccccc",
        min_border_right=16,
    )
    made.title.text_font_size = "17px"
    made.title.text_font = "sans-serif"
    for axis in made.axis:
        axis.axis_label_text_font_size = "15px"
        axis.axis_label_text_font_style = "normal"
        axis.major_label_text_font_size = "13px"
        axis.minor_tick_line_color = None
    made.grid.grid_line_color = "#e8e8e8"
    return made


def box(text: str = "", width: int = 400, **more: Any) -> Div:
    """A box of text."""
    from bokeh.models import Div, InlineStyleSheet

    sheets = [InlineStyleSheet(css=CARD + more.pop("css", ""))]
    # A name with dollar signs in it is no formula.
    return Div(
        text=text,
        min_width=min(width, 300),
        width=width,
        stylesheets=sheets,
        disable_math=True,
        **more,
    )


def flow(*children: LayoutDOM) -> LayoutDOM:
    """Side by side as long as there is room, then below one another."""
    from bokeh.models import Row

    style = {"flex-wrap": "wrap", "gap": "18px 22px", "align-items": "flex-start"}
    return Row(children=list(children), styles=style, sizing_mode="stretch_width")


def announcer() -> Div:
    """A sentence that changes, and that is read out when it does."""
    return box(
        width=900,
        sizing_mode="stretch_width",
        html_attributes={"role": "status", "aria-live": "polite"},
        css=":host { font-size: 18px; padding: 4px 0 8px; }",
    )


def shown_text(text: str) -> str:
    """Text from outside, safe in a page."""
    return escape(text, quote=True)


def page(*children: LayoutDOM) -> LayoutDOM:
    """The root of an explorer: one column of paper."""
    from bokeh.models import Column

    style = {
        "background": PAPER,
        "color": INK,
        "padding": "12px 16px",
        "box-sizing": "border-box",
        "font-family": FONT,
        "gap": "8px",
    }
    return Column(children=list(children), sizing_mode="stretch_width", styles=style)


def wide_box(name: str, width: int, text: str = "", css: str = "", **more: Any) -> Div:
    """A box no wider than the screen; what is wider inside can be moved, also by keyboard."""
    reach = {"tabindex": "0", "role": "region", "aria-label": name}
    fitting = ":host { max-width: 100%; overflow-x: auto; }"
    return box(text, width=width, css=fitting + css, html_attributes=reach, **more)


def legend_below(figure: Figure) -> None:
    """The legend below the picture, where it hides nothing."""
    for legend in list(figure.legend):
        legend.orientation = "horizontal"
        legend.ncols = 2
        legend.label_text_font_size = "13px"
        legend.border_line_color = None
        legend.padding = 2
        legend.spacing = 12
        figure.center.remove(legend)
        figure.add_layout(legend, "below")
    figure.height += 50
