"""How the explorers look: colours, figures and boxes, one way for all."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bokeh.models import Div, LayoutDOM, Select, Slider
    from bokeh.plotting import figure as Figure

# Okabe and Ito: told apart also by those who do not see red and green. Never colour alone: each
# goes with a dash, a marker or a label.
BLUE, ORANGE, GREEN = "#0072B2", "#D55E00", "#009E73"
YELLOW, SKY, PINK = "#E69F00", "#56B4E9", "#CC79A7"
INK, FAINT, PAPER = "#222222", "#888888", "#ffffff"
POSITIVE, NEGATIVE, LINE = BLUE, YELLOW, ORANGE

FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
WIDTH, HEIGHT = 480, 400  # of a figure without a legend, outside its page
NARROW, WIDEST = 420, 620  # inside it; with so much room there is another one beside it

CARD = """
:host { box-sizing: border-box; color: #222; background: #fff; font-family: FONT; font-size: 16px; }
h3 { margin: .1em 0 .3em; font-size: 17px; }
p { margin: .3em 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .12em .6em; text-align: right; }
""".replace("FONT", FONT)
"""The style of a box of text; the explorers are paper on any background, light or dark."""


PHONE = "@media (max-width: 600px)"
SLIDER = f"""
:host {{ font-size: 17px; }} .noUi-handle {{ cursor: grab; }}
{PHONE} {{ :host {{ font-size: 15px; margin: 0 5px; }} }}
"""
BAR = f"""
:host {{
  position: sticky; top: 0; z-index: 10;
  padding: 10px 0 4px; background: {PAPER}; border-bottom: 1px solid #ddd;
}}
{PHONE} {{ :host {{ padding: 2px 0; max-height: 120px; overflow-y: auto; }} }}
"""
"""What stays at the top of the page while the rest is scrolled; on a phone it must stay low."""
MATRIX = """
td.right, td.wrong { text-align: center; padding: .35em 1em; border: 2px solid #555; }
td.right { background: #e3f1fa; }
td.wrong {
  background: repeating-linear-gradient(45deg, #fff4e0, #fff4e0 8px, #ffe9c2 8px, #ffe9c2 16px);
}
td b { font-size: 26px; } td span { font-size: 14px; }
"""
"""The style of a confusion matrix: the errors are hatched."""
RANKING = """
td { max-width: 9em; overflow-wrap: anywhere; }
tr.up td { background: #eaf3fa; }
tr.cut td { border-top: 4px solid #D55E00; color: #A84400; text-align: center; font-size: 14px; }
thead th { border-bottom: 1px solid #222; }
"""
"""The style of a ranking with the line between two of its rows."""


def script(name: str) -> str:
    """The code of an explorer, after what all of them share."""
    folder = files("binteach.explorers")
    return "\n".join((folder / file).read_text(encoding="utf-8") for file in ("common.js", name))


def plot(
    title: str,
    x: str,
    y: str,
    x_range: Any = (-0.03, 1.03),
    y_range: Any = (-0.03, 1.03),
    *,
    height: int = HEIGHT,
) -> Figure:
    """An empty figure with large labels: three side by side on a wide screen, one on a phone.

    In a page it is as wide as there is room, and always as high; `alone` takes it out of there.
    """
    from bokeh.plotting import figure

    made = figure(
        title=title,
        x_range=x_range,
        y_range=y_range,
        x_axis_label=x,
        y_axis_label=y,
        width=WIDTH,
        height=height,
        max_width=WIDEST,
        sizing_mode="stretch_width",
        styles={"min-width": f"min(100%, {NARROW}px)"},
        toolbar_location=None,
        tools="",
        background_fill_color=PAPER,
        border_fill_color=PAPER,
        outline_line_color="#cccccc",
        min_border_right=16,
    )
    made.title.text_font_size = "19px"
    made.title.text_font = "sans-serif"
    for axis in made.axis:
        axis.axis_label_text_font_size = "17px"
        axis.axis_label_text_font_style = "normal"
        axis.major_label_text_font_size = "15px"
        axis.minor_tick_line_color = None
    made.grid.grid_line_color = "#e8e8e8"
    return made


def strip(title: str, x: str, x_range: Any, y_range: Any, height: int) -> Figure:
    """A low figure as wide as the page: the cases along the axis of their scores."""
    made = plot(title, x, "", x_range, y_range, height=height)
    made.update(width=2 * WIDTH, max_width=None)
    made.yaxis.ticker = [0, 1]
    made.yaxis.major_label_overrides = {0: "really −", 1: "really +"}
    made.ygrid.grid_line_color = None
    fewer_ticks(made)
    return made


def fewer_ticks(figure: Figure) -> None:
    """Few ticks along an axis of scores whose labels are long: 1.000e+200."""
    reach = max(abs(figure.x_range.start), abs(figure.x_range.end))
    if not 1e-3 <= reach < 1e5:
        figure.xaxis.ticker.desired_num_ticks = 2


def alone(figure: Figure) -> Figure:
    """The figure outside its page: of a fixed size."""
    width = figure.width or WIDTH
    figure.update(sizing_mode="fixed", width=width, max_width=None, styles={})
    return figure


def slider(title: str, start: float, end: float, value: float, **more: Any) -> Slider:
    """A slider as wide as there is room; one step is a whole number unless told otherwise."""
    from bokeh.models import InlineStyleSheet, Slider

    return Slider(
        start=start,
        end=end,
        value=value,
        title=title,
        stylesheets=[InlineStyleSheet(css=SLIDER)],
        **{"step": 1, "sizing_mode": "stretch_width", **more},
    )


def select(title: str, options: Mapping[str, str], value: str, width: int = 280) -> Select:
    """A drop-down; `options` maps what is chosen to what is shown."""
    from bokeh.models import InlineStyleSheet, Select

    return Select(
        title=title,
        value=value,
        options=list(options.items()),
        width=width,
        stylesheets=[InlineStyleSheet(css=":host, .bk-input { font-size: 16px; }")],
    )


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


def gallery(*children: LayoutDOM) -> LayoutDOM:
    """Figures, and boxes no wider than one, in columns of one width; as many as there is room."""
    from bokeh.models import Row

    style = {
        "display": "grid",
        "grid-template-columns": f"repeat(auto-fill, minmax(min(100%, {NARROW}px), 1fr))",
        "gap": "18px 22px",
        "align-items": "start",
    }
    return Row(children=list(children), styles=style, sizing_mode="stretch_width")


def stack(*children: LayoutDOM) -> LayoutDOM:
    """Below one another, in one place of a gallery or of a flow."""
    from bokeh.models import Column

    return Column(children=list(children), sizing_mode="stretch_width", styles={"gap": "18px"})


def announcer() -> Div:
    """A sentence that changes, and that is read out when it does."""
    return box(
        width=900,
        sizing_mode="stretch_width",
        html_attributes={"role": "status", "aria-live": "polite"},
        css=":host { font-size: 18px; padding: 4px 0; }"
        f"{PHONE} {{ :host {{ font-size: 14px; line-height: 1.25; padding: 0; margin: 0 5px; }} }}",
    )


def shown_text(text: str) -> str:
    """Text from outside, safe in a page."""
    return escape(text, quote=True)


def page(*children: LayoutDOM) -> LayoutDOM:
    """The root of an explorer: one column of paper.

    What stands above the announcer, and the announcer itself, stay in sight: whoever looks at a
    figure far below can still move the slider.
    """
    from bokeh.models import Column

    told = next((place for place, each in enumerate(children) if _is_announcer(each)), -1)
    bar = Column(
        children=list(children[: told + 1]), sizing_mode="stretch_width", stylesheets=[BAR]
    )
    style = {
        "background": PAPER,
        "color": INK,
        # On a dark page the controls would be written in white.
        "color-scheme": "light",
        "padding": "0 16px 12px",
        "box-sizing": "border-box",
        "font-family": FONT,
        "gap": "8px",
    }
    below = list(children[told + 1 :])
    return Column(children=[bar, *below], sizing_mode="stretch_width", styles=style)


def _is_announcer(child: LayoutDOM) -> bool:
    return getattr(child, "html_attributes", {}).get("role") == "status"


def wide_box(name: str, width: int, text: str = "", css: str = "", **more: Any) -> Div:
    """A box no wider than the screen; what is wider inside can be moved, also by keyboard."""
    reach = {"tabindex": "0", "role": "region", "aria-label": name}
    fitting = ":host { max-width: 100%; overflow-x: auto; }"
    return box(text, width=width, css=fitting + css, html_attributes=reach, **more)
