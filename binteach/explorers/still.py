"""Explorers where there is no Bokeh, as in a browser without native packages.

A page that stands still shows what the explorer shows at this moment: the ROC curve, the ranking
with its line, the counts and the derivation. Where Python runs, it follows the explorer.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from binteach.cases import Cases
from binteach.curves import curve
from binteach.derivation import cut_table
from binteach.explorers import look
from binteach.measures import MEASURES
from binteach.needs import is_there
from binteach.render import html, show

if TYPE_CHECKING:
    from binteach.explorers.base import Explorer

MOST_DRAWN = 6  # curves in one picture
MOST_POINTS = 500  # of one curve
SIZE, LEFT, TOP = 300, 62, 14  # of the square, and where it begins
LINES = (
    (look.BLUE, ""),
    (look.ORANGE, "8 4"),
    (look.GREEN, "2 4"),
    (look.PINK, "10 3 2 3"),
    (look.YELLOW, "14 4"),
    (look.INK, "5 2"),
)
STYLE = """<style>
.binteach-still{color:#222;background:#fff;font:16px/1.5 FONT;padding:.6em 1em;max-width:60em}
.binteach-still .parts{display:flex;flex-wrap:wrap;gap:.5em 2.5em;align-items:flex-start}
.binteach-still .said{border-left:4px solid LINE;padding-left:.8em}
.binteach-still svg{max-width:100%;height:auto}
</style>""".replace("FONT", look.FONT).replace("LINE", look.LINE)


def can_move() -> bool:
    """Whether there is all that a moving page needs."""
    return is_there("bokeh") and is_there("jupyter_bokeh")


def page(explorer: Explorer) -> str:
    """The explorer as it stands, as HTML that needs no script."""
    settable = [f"e.{name}" for name in ("cut", "quota", "measure") if explorer.has_trait(name)]
    how = f" If e is its name, set {' or '.join(settable)} to see another." if settable else ""
    sentence = (
        "Bokeh is not there in this Python, so this page does not move by itself; here is the "
        f"picture as it stands.{how}"
    )
    rankings = explorer.rankings()
    cut = getattr(explorer, "cut", None)
    parts = [_roc(rankings, cut)]
    if len(rankings) == 1:
        (cases,) = rankings.values()
        parts.append(
            html.titled("Ranking", cut_table(cases.ranking, -1 if cut is None else cut, ""), ())
        )
        if cut is not None:
            parts.append(show.counts(cases.top(cut)))
    return (
        f'{STYLE}<div class="binteach-still"><p class="said">{sentence}</p>'
        f"<p><b>{escape(repr(explorer))}</b></p>"
        f'<div class="parts">{"".join(parts)}</div>{explorer._derivation()}</div>'
    )


def widget(explorer: Any) -> Any:
    """The page as a widget that follows the explorer, with controls for the cut and the measure."""
    import ipywidgets
    import traitlets

    shown = ipywidgets.HTML(page(explorer))

    def renew(change: Any) -> None:
        del change
        shown.value = page(explorer)

    explorer.observe(renew)
    controls: list[Any] = []
    rankings = list(explorer.rankings().values())
    if explorer.has_trait("cut") and len(rankings) == 1:
        slider = ipywidgets.SelectionSlider(
            options=rankings[0].ranking.k.tolist(),  # the cuts there are: none inside a tie
            value=explorer.cut,
            description="Cases called positive",
            style={"description_width": "initial"},
            layout={"width": "30em"},
        )
        traitlets.link((explorer, "cut"), (slider, "value"))
        controls.append(slider)
    if explorer.has_trait("measure") and hasattr(explorer, "measures"):
        options = [(MEASURES[key].title, key) for key in explorer.measures()]
        chosen = ipywidgets.Dropdown(options=options, value=explorer.measure, description="Measure")
        traitlets.link((explorer, "measure"), (chosen, "value"))
        controls.append(chosen)
    return ipywidgets.VBox([*controls, shown])


# The picture ----------------------------------------------------------------------------------


def _roc(rankings: dict[str, Cases], cut: int | None) -> str:
    """The ROC curves as SVG, with the present cut of each; nothing where there is no curve."""
    drawn = {
        name: cases
        for name, cases in list(rankings.items())[:MOST_DRAWN]
        if cases.positives and cases.negatives
    }
    if not drawn:
        return ""
    lines = [_axes()]
    for place, (name, cases) in enumerate(drawn.items()):
        colour, dash = LINES[place]
        thin = curve("roc", cases).thin(MOST_POINTS)
        path = " ".join(_at(float(point.x), float(point.y)) for point in thin.points)
        look_of = f'stroke="{colour}" stroke-dasharray="{dash}"'
        lines.append(f'<polyline points="{path}" fill="none" stroke-width="2.5" {look_of}/>')
        if cut is not None:
            found = cases.ranking.cut_at(cut)
            x, y = _at(float(found.fpr), float(found.tpr)).split(",")
            lines.append(
                f'<circle cx="{x}" cy="{y}" r="7" fill="#fff" stroke="{colour}" stroke-width="3">'
                f"<title>TPR {found.tpr}, FPR {found.fpr}</title></circle>"
            )
        if len(drawn) > 1:
            y_text = TOP + SIZE + 66 + 22 * place
            lines.append(
                f'<line x1="{LEFT}" y1="{y_text - 5}" x2="{LEFT + 40}" y2="{y_text - 5}" '
                f'stroke-width="2.5" {look_of}/>'
                f'<text x="{LEFT + 50}" y="{y_text}">{look.shown_text(name)}</text>'
            )
    height = TOP + SIZE + 56 + (22 * len(drawn) if len(drawn) > 1 else 0)
    width = LEFT + SIZE + 16
    return (
        f'<svg role="img" aria-label="ROC curve" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-size="14" fill="{look.INK}">{"".join(lines)}</svg>'
    )


def _at(x: float, y: float) -> str:
    """A point of the unit square in the picture."""
    return f"{LEFT + SIZE * x:.2f},{TOP + SIZE * (1 - y):.2f}"


def _axes() -> str:
    """The square, its diagonal, ticks and names."""
    (x0, y0), (x1, y1) = (_at(*corner).split(",") for corner in ((0, 0), (1, 1)))
    parts = [
        f'<path d="M{x0} {y0}H{x1}V{y1}H{x0}Z" fill="none" stroke="{look.FAINT}"/>',
        f'<path d="M{x0} {y0}L{x1} {y1}" stroke="{look.FAINT}" stroke-dasharray="4 4"/>',
    ]
    for tick in (0, 0.2, 0.4, 0.6, 0.8, 1):
        x, y = LEFT + SIZE * tick, TOP + SIZE * (1 - tick)
        parts.append(
            f'<text x="{x:.0f}" y="{TOP + SIZE + 20}" text-anchor="middle">{tick}</text>'
            f'<text x="{LEFT - 8}" y="{y + 5:.0f}" text-anchor="end">{tick}</text>'
        )
    middle = TOP + SIZE / 2
    parts.append(
        f'<text x="{LEFT + SIZE / 2}" y="{TOP + SIZE + 44}" text-anchor="middle">FPR</text>'
        f'<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">'
        "TPR</text>"
    )
    return "".join(parts)
