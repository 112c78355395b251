"""The report as a page: for each lesson a picture of its questions, and the mistakes beside it."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from binteach.exercises.outcome import SIGNS
from binteach.exercises.report import LEGEND, Report, Tally, status_table
from binteach.render.html import Page
from binteach.render.words import Block, Heading, Say

if TYPE_CHECKING:
    from bokeh.plotting import figure as Figure

TITLE = "What the class answered"
# Status -> colour and hatch, from left to right; never colour alone.
LOOKS = {
    "correct": ("#009E73", " "),
    "correct_but": ("#56B4E9", "/"),
    "incorrect": ("#D55E00", "x"),
    "not_understood": ("#CC79A7", "."),
    "not_attempted": ("#eeeeee", " "),
}
CSS = """
:host { font-size: 18px; }
h3 { font-size: 20px; } h4 { margin: .7em 0 .1em; } ul { margin: 0; padding-left: 1.2em; }
"""
ROW = 76  # pixels for a question: its name and its bar
LEGIBLE = 0.06  # share of the axis below which a piece has no room for its number


def write_report(report: Report, path: str | Path) -> Path:
    """Write the report as one HTML file that needs nothing else."""
    from bokeh.document import Document

    from binteach.explorers import look, pages

    parts = [_words(f"<p>{report.summary()}</p>")]
    numbers: list[Block] = [Say(("The same in numbers.",))]
    for title, questions in report.by_lesson().items():
        parts.append(_words(f"<p>{escape(_summary(title, questions))}</p>"))
        parts.append(look.flow(_picture(title, questions), _words(_mistakes(questions), 460)))
        numbers += [Heading(title), status_table(questions)]
    parts.append(_words(Page().join([*numbers, Say((LEGEND,))])))
    document = Document()
    document.add_root(look.page(*parts))
    target = Path(path)
    target.write_text(pages.whole(document, TITLE), "utf-8")
    return target


def _words(text: str, width: int = 900) -> Any:
    from binteach.explorers.look import wide_box

    return wide_box("report", width, text, css=CSS)


def _summary(title: str, questions: dict[str, Tally]) -> str:
    """What the picture shows, in a sentence."""
    right = sum(tally.right for tally in questions.values())
    all_ = sum(tally.statuses.total() for tally in questions.values())
    if right == all_:
        return f"{title}: all {all_} answers are right."
    shares = {
        name: Fraction(tally.right, tally.statuses.total()) for name, tally in questions.items()
    }
    hardest = min(shares, key=lambda name: shares[name])
    tally = questions[hardest]
    return (
        f"{title}: {right} of {all_} answers are right. Right least often is “{hardest}”: "
        f"in {tally.right} of {tally.statuses.total()} notebooks."
    )


def _mistakes(questions: dict[str, Tally]) -> str:
    """The most common mistakes, question by question."""
    lists = [
        f"<h4>{escape(name)}</h4><ul>{''.join(f'<li>{escape(each)}</li>' for each in found)}</ul>"
        for name, tally in questions.items()
        if (found := tally.commonest())
    ]
    return f"<h3>Most common mistakes</h3>{''.join(lists) or '<p>None was recorded.</p>'}"


def _picture(title: str, questions: dict[str, Tally]) -> Figure:
    """One bar for each question, its pieces as long as so many notebooks; the name above it."""
    from binteach.explorers.look import INK, PAPER, plot

    most = max(tally.statuses.total() for tally in questions.values())
    names = list(questions)
    made = plot(title, "notebooks", "", (0, most), (0.45 - len(names), 0.85))
    made.update(
        width=760,
        height=ROW * len(names) + 190,
        max_width=900,
        sizing_mode="stretch_width",
        styles={"flex": "1 1 480px", "min-width": "min(100%, 480px)"},
    )
    made.yaxis.visible = False
    made.ygrid.visible = False
    made.xaxis.ticker.update(min_interval=1, num_minor_ticks=0)
    made.xaxis.axis_label_text_font_size = made.xaxis.major_label_text_font_size = "16px"
    made.title.text_font_size = "21px"
    rows = [-place for place in range(len(names))]
    left = [0] * len(names)
    for status, (colour, hatch) in LOOKS.items():
        numbers = [tally.statuses[status] for tally in questions.values()]
        right = [start + number for start, number in zip(left, numbers, strict=True)]
        sign, word, _ = SIGNS[status]
        if any(numbers):
            made.hbar(
                y=rows,
                height=0.46,
                left=left,
                right=right,
                fill_color=colour,
                line_color=INK,
                hatch_pattern=hatch,
                hatch_color=INK,
                hatch_alpha=0.45,
                legend_label=f"{sign} {word}",
            )
            shown = [place for place, number in enumerate(numbers) if number >= LEGIBLE * most]
            made.text(
                x=[(left[place] + right[place]) / 2 for place in shown],
                y=[rows[place] for place in shown],
                text=[str(numbers[place]) for place in shown],
                text_align="center",
                text_baseline="middle",
                text_font_size="17px",
                text_font_style="bold",
                text_color=INK,
                background_fill_color=PAPER,
                border_radius=4,
                padding=2,
            )
        left = right
    made.text(
        x=0,
        y=[row + 0.3 for row in rows],
        text=names,
        text_baseline="bottom",
        text_font_size="18px",
        text_color=INK,
    )
    (legend,) = made.legend
    legend.update(orientation="horizontal", ncols=2, location="left", border_line_color=None)
    legend.update(label_text_font_size="17px", glyph_width=26, glyph_height=26, spacing=12)
    made.add_layout(legend, "below")
    return made
