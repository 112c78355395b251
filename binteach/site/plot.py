"""Small pictures of exact curves as SVG: a few hundred bytes in the page, no script."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10

WIDTH, HEIGHT = 520, 340
LEFT, RIGHT, TOP, BOTTOM = 70, 16, 16, 58
# Okabe-Ito colours that stand out from white and from black; each has a dash and a mark, too.
LOOKS = (("#0072b2", "", "dot"), ("#d55e00", "7 4", "square"), ("#009e73", "2 4", ""))
MOST_MARKS = 30

Place = Callable[[tuple[float, float]], tuple[float, float]]
"""From numbers to pixels."""


@dataclass(frozen=True)
class Line:
    """Points from left to right; a y of None is a gap."""

    name: str
    points: Sequence[tuple[float, float | None]]


@dataclass(frozen=True)
class Axis:
    """A range of numbers, and the round ones in it that are written."""

    low: float
    high: float
    ticks: Sequence[float]

    def share(self, value: float) -> float:
        """How far along the axis a value lies, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)


def axis(values: Sequence[float]) -> Axis:
    """An axis from a round number to a round number; 0 and 1 belong to shares."""
    low, high = min(values), max(values)
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    elif low > 0:
        low = 0.0
    if low == high:
        high = low + 1
    rough = (high - low) / 5
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first, last = floor(low / step + 1e-9), -floor(-high / step + 1e-9)
    ticks = [round(step * place, 9) for place in range(first, last + 1)]
    return Axis(ticks[0], ticks[-1], ticks)


def svg(lines: Sequence[Line], x: str, y: str, title: str) -> str:
    """The lines over labelled axes; the title is what a screen reader says of the picture."""
    across = axis([point[0] for line in lines for point in line.points])
    up = axis([point[1] for line in lines for point in line.points if point[1] is not None])

    def place(point: tuple[float, float]) -> tuple[float, float]:
        return (
            round(LEFT + across.share(point[0]) * (WIDTH - LEFT - RIGHT), 1),
            round(HEIGHT - BOTTOM - up.share(point[1]) * (HEIGHT - TOP - BOTTOM), 1),
        )

    parts = [*_grid(across, up, place), *_labels(x, y)]
    for line, look in zip(lines, LOOKS, strict=False):
        parts += _drawn(line, *look, place)
    legend = "" if len(lines) == 1 else _legend(lines)
    return (
        f'<figure class="curve"><svg role="img" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'aria-label="{escape(title)}" xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'
        f"{legend}</figure>"
    )


def _text(x: float, y: float, words: str, more: str) -> str:
    return f'<text x="{x}" y="{y}" {more}>{escape(words)}</text>'


def _grid(across: Axis, up: Axis, place: Place) -> list[str]:
    found = []
    for tick in across.ticks:
        x, bottom = place((tick, up.low))
        found.append(f'<path class="grid" d="M{x} {TOP}V{bottom}"/>')
        found.append(_text(x, bottom + 20, _number(tick), 'text-anchor="middle"'))
    for tick in up.ticks:
        left, y = place((across.low, tick))
        found.append(f'<path class="grid" d="M{left} {y}H{WIDTH - RIGHT}"/>')
        found.append(_text(left - 7, y + 5, _number(tick), 'text-anchor="end"'))
    return found


def _labels(x: str, y: str) -> list[str]:
    middle = (TOP + HEIGHT - BOTTOM) / 2
    turned = f'text-anchor="middle" class="axis" transform="rotate(-90 18 {middle})"'
    center = (LEFT + WIDTH - RIGHT) / 2
    return [
        _text(center, HEIGHT - 10, x, 'text-anchor="middle" class="axis"'),
        _text(18, middle, y, turned),
    ]


def _number(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def _drawn(line: Line, colour: str, dash: str, mark: str, place: Place) -> list[str]:
    path, marks, pen = "", [], "M"
    for x, y in line.points:
        if y is None:
            pen = "M"
            continue
        left, top = place((x, y))
        path, pen = f"{path}{pen}{left} {top}", "L"
        if mark == "dot":
            marks.append(f'<circle cx="{left}" cy="{top}" r="4" fill="{colour}"/>')
        elif mark:
            box = f'x="{left - 3.5:.1f}" y="{top - 3.5:.1f}" width="7" height="7"'
            marks.append(f'<rect {box} fill="{colour}"/>')
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    drawn = f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2.5"{dashed}/>'
    return [drawn, *(marks if len(marks) <= MOST_MARKS else [])]


def _legend(lines: Sequence[Line]) -> str:
    items = []
    for line, (colour, dash, _) in zip(lines, LOOKS, strict=False):
        sample = (
            '<svg viewBox="0 0 34 8" width="34" height="8" aria-hidden="true">'
            f'<path d="M0 4H34" stroke="{colour}" stroke-width="3" stroke-dasharray="{dash}"/>'
            "</svg>"
        )
        items.append(f"<span>{sample} {escape(line.name)}</span>")
    return f"<figcaption>{' '.join(items)}</figcaption>"
