"""The figures of the intervals explorer: lines of methods, their coverage, the AUC by chance."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from binteach.exact import rounded
from binteach.explorers import figures, look
from binteach.explorers.state import with_digits
from binteach.inference import Permutation
from binteach.inference.working import PLACES, p_text

MOST_BARS = 60  # values of a permutation distribution that get a bar each
BINS = 50  # bars of one with more


def _wide(title: str, x: str, y: str, x_range: Any, y_range: Any, height: int) -> Any:
    """A figure as wide as half a page."""
    figure = look.plot(title, x, y, x_range, y_range, height=height)
    figure.update(width=700, max_width=900)
    return figure


class Lines:
    """A line for each method; what lies below 0 or above 1 is hatched and named.

    moved  what the page's code moves, by name
    """

    def __init__(self, titles: Mapping[str, str]) -> None:
        from bokeh.models import Range1d, Span

        inside = figures.points(y=[], left=[], right=[], colour=[])
        outside = figures.points(y=[], left=[], right=[])
        caps = figures.points(x=[], y0=[], y1=[])
        ends = figures.points(x=[], y=[], words=[])
        count = len(titles)
        y_range = Range1d(0.3, count + 0.85)
        figure = self.figure = _wide(
            "Intervals", "share (dashed: r/n)", "", Range1d(-0.45, 1.45), y_range, 460
        )
        figure.ygrid.grid_line_color = None
        places = list(range(count, 0, -1))
        figure.yaxis.ticker = places
        figure.yaxis.major_label_overrides = dict(zip(places, titles.values(), strict=True))
        named = {
            "below": self._impossible({"right": 0}, "impossible: below 0", count),
            "above": self._impossible({"left": 1}, "impossible: above 1", count),
        }
        estimate = Span(dimension="height", location=0, line_color=look.INK, line_dash="dashed")
        estimate.update(line_width=2, level="underlay")
        figure.add_layout(estimate)
        line = {"left": "left", "right": "right", "height": 0.26, "line_color": look.INK}
        figure.hbar("y", source=inside, fill_color="colour", **line)
        figure.hbar("y", source=outside, **figures.hatched(look.YELLOW, "x", 1), **line)
        figure.segment("x", "y0", "x", "y1", source=caps, line_color=look.INK, line_width=4)
        figure.text(
            "x",
            "y",
            "words",
            source=ends,
            y_offset=-10,
            text_align="center",
            text_font_size="15px",
            text_color=look.INK,
            # Readable on top of the dashed line.
            background_fill_color=look.PAPER,
            background_fill_alpha=0.85,
        )
        self.moved = {
            "inside": inside,
            "outside": outside,
            "caps": caps,
            "ends": ends,
            "estimate": estimate,
            "named": named,
        }

    def _impossible(self, side: dict[str, float], words: str, count: int) -> Any:
        """An area in which no share can lie, and its name."""
        from bokeh.models import BoxAnnotation, Label

        shade = figures.hatched(look.FAINT, "/", 0.12) | {"hatch_alpha": 0.2}
        self.figure.add_layout(BoxAnnotation(**side, **shade, level="underlay"))
        label = Label(
            x=0,
            y=(count + 1) / 2,
            text=words,
            angle=math.pi / 2,
            text_align="center",
            text_baseline="middle",
            text_font_size="15px",
            text_color=look.INK,
            background_fill_color=look.PAPER,
            background_fill_alpha=0.8,
        )
        self.figure.add_layout(label)
        return label


class Curve:
    """How often the intervals of the chosen method hold the true share.

    moved  what the page's code moves, by name
    """

    def __init__(self) -> None:
        from bokeh.models import Span

        covered = figures.points()
        figure = self.figure = _wide(
            "Coverage", "true share", "coverage", (-0.03, 1.03), (-0.03, 1.06), 400
        )
        figures.trace(figure, covered, "coverage", size=5)
        promised = {"line_color": look.ORANGE, "line_dash": "dashed", "line_width": 3}
        nominal = Span(dimension="width", location=0.95, **promised)
        figure.add_layout(nominal)
        figure.line([0, 0], [2, 2], legend_label="promised level", **promised)
        figures.legend_below(figure)
        self.moved = {"covered": covered, "nominal": nominal}


# The AUC by chance --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bar:
    """From left to right, the share of the arrangements, whether it is in the tail, and its AUC."""

    left: float
    right: float
    share: Fraction
    tail: bool
    auc: str


def bars(found: Permutation) -> list[Bar]:
    """The permutation distribution.

    The bars begin at the observed value and go on from there to both sides, so that none is
    partly in the tail.
    """
    counts = _counts(found)
    observed, total = found.observed, sum(count for _, count in counts)
    values = sorted(each for each, _ in counts)
    own = len(values) <= MOST_BARS  # whether each value has a bar of its own
    gaps = [after - before for before, after in pairwise(values)]
    width = min(gaps, default=Fraction(0)) if own else (values[-1] - values[0]) / BINS
    width = width or Fraction(1, BINS)
    # A value stands in the middle of its bar where each has one, and in a tail bar from its left
    # end on where several share it.
    shift = width / 2 if own else Fraction(0)
    kept: dict[int, list[tuple[Fraction, int]]] = {}
    for each, count in counts:
        place = math.floor((each - observed + shift) / width)
        kept.setdefault(place, []).append((each, count))
    drawn = []
    for place, inside in sorted(kept.items()):
        left, right = (observed - shift + end * width for end in (place, place + 1))
        share = Fraction(sum(count for _, count in inside), total)
        text = f"{_about(left)} to {_about(right)}"
        if own:
            text = with_digits(inside[0][0]) if found.exact else _about(inside[0][0])
        drawn.append(Bar(float(left), float(right), share, place >= 0, text))
    return drawn


def _about(number: Fraction) -> str:
    return f"≈ {rounded(number, PLACES)}"


def _counts(found: Permutation) -> Sequence[tuple[Fraction, int]]:
    """Each value of the AUC and in how many arrangements it came."""
    if found.support:
        return found.support
    import numpy as np

    values, counts = np.unique(found.distribution, return_counts=True)
    # An AUC is a whole number of half pairs over their number: its double tells which.
    observed = found.observed
    near = [Fraction(each) for each in values.tolist()]
    exactly = [observed if abs(each - observed) < Fraction(1, 10**12) else each for each in near]
    return list(zip(exactly, counts.tolist(), strict=True))


def _equals(number: Fraction) -> str:
    """= 19/252 ≈ 0.0754, or ≈ and digits where the fraction is longer than that."""
    short = number.denominator < 1000
    return f"= {with_digits(number)}" if short else f"≈ {p_text(float(number))}"


def by_chance(found: Permutation) -> Any:
    """How often chance gives which AUC; the observed one and what is as large are marked."""
    from bokeh.models import Span

    drawn = bars(found)
    left, right = min(0.0, drawn[0].left), max(1.0, drawn[-1].right)
    kind = "all" if found.exact else f"{found.arrangements:,} random ones"
    figure = _wide(
        f"AUC by chance: p {_equals(found.p)}",
        f"AUC of an arrangement of labels ({kind})",
        "share of the arrangements",
        (left - 0.02, right + 0.02),
        (0, 1.12 * float(max(bar.share for bar in drawn))),
        420,
    )
    for in_tail, words, colour, hatch in (
        (False, "smaller", look.SKY, " "),
        (True, "observed or larger", look.ORANGE, "/"),
    ):
        chosen = [bar for bar in drawn if bar.tail is in_tail]
        quads = figure.quad(
            "left",
            "right",
            "top",
            0,
            source=figures.points(
                left=[bar.left for bar in chosen],
                right=[bar.right for bar in chosen],
                top=[float(bar.share) for bar in chosen],
                share=[with_digits(bar.share) for bar in chosen],
                auc=[bar.auc for bar in chosen],
            ),
            line_color=look.INK if len(drawn) <= MOST_BARS // 2 else None,
            legend_label=words if chosen else f"{words}: none",
            **figures.hatched(colour, hatch, 1),
        )
        figures.hover(figure, quads, tips=[("AUC", "@auc"), ("share", "@share")])
    place, dashed = float(found.observed), {"line_dash": "dashed", "line_width": 3}
    figure.add_layout(Span(dimension="height", location=place, line_color=look.INK, **dashed))
    label = f"observed {_equals(found.observed)}"
    figure.line([place, place], [0, 0], line_color=look.INK, legend_label=label, **dashed)
    figures.legend_below(figure, 1)
    return figure
