"""Where in ROC space which model is on top (Arbel & Rokach, Figure 4), and the hull over all.

Curves are lists of exact points (FPR, TPR) that rise from (0, 0) to (1, 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise

from binteach.explorers.look import shown_text
from binteach.explorers.rates import percent_text

Point = tuple[Fraction, Fraction]
MOST_STRETCHES = 12  # areas of dominance that are written out
MOST_NAMED = 4  # models that are named even if they are never alone on top


@dataclass(frozen=True)
class Stretch:
    """A stretch of the FPR axis and the models whose curves are on top all along it."""

    start: Fraction
    end: Fraction
    top: tuple[str, ...]

    @property
    def length(self) -> Fraction:
        """How much of the axis it covers."""
        return self.end - self.start


def stretches(curves: Mapping[str, Sequence[Point]]) -> list[Stretch]:
    """The areas of dominance from left to right; neighbours have different models on top."""
    sides = {name: _sides(points) for name, points in curves.items()}
    grid = sorted({x for ends in sides.values() for x in ends})
    lines = {name: _heights(ends, grid) for name, ends in sides.items()}
    found: list[Stretch] = []
    for place, (start, end) in enumerate(pairwise(grid)):
        ends = {name: heights[place] for name, heights in lines.items()}
        for low, high in pairwise([Fraction(0), *_crossings(ends), Fraction(1)]):
            top = _on_top(ends, (low + high) / 2)
            left, right = (start + (end - start) * part for part in (low, high))
            if found and found[-1].top == top:
                left = found.pop().start
            found.append(Stretch(left, right, top))
    return found


def _sides(points: Sequence[Point]) -> dict[Fraction, tuple[Fraction, Fraction]]:
    """FPR -> the height at which a curve arrives there, and the height at which it leaves."""
    sides: dict[Fraction, tuple[Fraction, Fraction]] = {}
    for x, y in points:
        sides[x] = (sides[x][0] if x in sides else y, y)
    return sides


def _heights(
    sides: Mapping[Fraction, tuple[Fraction, Fraction]], grid: Sequence[Fraction]
) -> list[tuple[Fraction, Fraction]]:
    """The heights of a curve at both ends of every interval of the grid, where it is straight."""
    corners = list(pairwise(sides.items()))
    heights, number = [], 0
    for start, end in pairwise(grid):
        while corners[number][1][0] <= start:
            number += 1
        (x0, (_, y0)), (x1, (y1, _)) = corners[number]
        slope = (y1 - y0) / (x1 - x0)
        heights.append((y0 + slope * (start - x0), y0 + slope * (end - x0)))
    return heights


def _crossings(ends: Mapping[str, tuple[Fraction, Fraction]]) -> list[Fraction]:
    """Where inside an interval two lines cross, as parts of its length."""
    found = set()
    for (a0, a1), (b0, b1) in combinations(ends.values(), 2):
        if (a0 - b0) * (a1 - b1) < 0:
            found.add((a0 - b0) / ((a0 - b0) - (a1 - b1)))
    return sorted(found)


def _on_top(ends: Mapping[str, tuple[Fraction, Fraction]], part: Fraction) -> tuple[str, ...]:
    heights = {name: y0 + (y1 - y0) * part for name, (y0, y1) in ends.items()}
    highest = max(heights.values())
    return tuple(name for name, height in heights.items() if height == highest)


def hull(curves: Mapping[str, Sequence[Point]]) -> dict[Point, tuple[str, ...]]:
    """The corners of the upper convex hull of all points, each with the models that reach it."""
    owners: dict[Point, list[str]] = {
        (Fraction(0), Fraction(0)): [],
        (Fraction(1), Fraction(1)): [],
    }
    for name, points in curves.items():
        for point in dict.fromkeys(points):
            owners.setdefault(point, []).append(name)
    corners: list[Point] = []
    for point in _highest_first(owners):
        while len(corners) > 1 and not _bends_down(corners[-2], corners[-1], point):
            corners.pop()
        corners.append(point)
    return {corner: tuple(owners[corner]) for corner in corners}


def _highest_first(points: Mapping[Point, object]) -> Iterator[Point]:
    """From left to right; the hull begins at (0, 0) and needs no other low point."""
    yield (Fraction(0), Fraction(0))
    highest: dict[Fraction, Fraction] = {}
    for x, y in points:
        highest[x] = max(highest.get(x, y), y)
    for x, y in sorted(highest.items()):
        if x or y:
            yield (x, y)


def _bends_down(a: Point, b: Point, c: Point) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) < (b[1] - a[1]) * (c[0] - a[0])


# In words ---------------------------------------------------------------------------------------


def areas_in_words(names: Sequence[str], found: Sequence[Stretch]) -> str:
    """Whether a model dominates, who is on top where, and how much of the axis is whose."""
    rulers = [shown_text(n) for n in names if all(n in each.top for each in found)]
    if len(rulers) == len(names):
        verdict = "All curves are the same: no model dominates another."
    elif rulers:
        verb = "dominates" if len(rulers) == 1 else "dominate"
        verdict = f"{' and '.join(rulers)} {verb}: no other curve is ever above."
    else:
        verdict = "No model dominates: who is on top depends on the FPR."
    rows = [
        f"<tr><td>{each.start}</td><td>{each.end}</td>"
        f'<td class="words">{_on_top_in_words(each.top, len(names))}</td></tr>'
        for each in found[:MOST_STRETCHES]
    ]
    if len(found) > MOST_STRETCHES:
        rows.append(f'<tr><td colspan="3">and {len(found) - MOST_STRETCHES} more</td></tr>')
    alone = {
        name: sum((each.length for each in found if each.top == (name,)), Fraction(0))
        for name in names
    }
    shares = [
        f"{shown_text(name)} {percent_text(share)}"
        for name, share in alone.items()
        if share or len(names) <= MOST_NAMED
    ]
    return (
        f"<h3>Areas of dominance</h3><p>{verdict}</p>"
        '<table><thead><tr><th scope="col">FPR from</th><th scope="col">to</th>'
        '<th scope="col" class="words">on top</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
        f"<p>Alone on top, of the whole axis: {', '.join(shares) or 'nobody'}.</p>"
    )


def _on_top_in_words(names: Sequence[str], of: int) -> str:
    if len(names) == of:
        return "all level"
    if len(names) > 3:
        return f"{len(names)} models level"
    level = " level" if len(names) > 1 else ""
    return " and ".join(map(shown_text, names)) + level


def points_in_words(
    points: Mapping[str, Sequence[Point]], corners: Mapping[Point, Sequence[str]]
) -> str:
    """How hard classifiers lie in ROC space."""
    lines = []
    for name, (point,) in points.items():
        fpr, tpr = point
        better = [
            shown_text(other)
            for other, ((x, y),) in points.items()
            if (x, y) != point and x <= fpr and y >= tpr
        ]
        where = "is a corner of the hull" if point in corners else "is no corner of the hull"
        if better:
            beat = "beats" if len(better) == 1 else "beat"
            where += f"; {' and '.join(better)} {beat} it in one rate, no worse in the other"
        if fpr == tpr:
            where += "; on the diagonal it is no better than guessing"
        lines.append(f"<p><b>{shown_text(name)}</b>: FPR {fpr}, TPR {tpr}. It {where}.</p>")
    return f"<h3>In ROC space</h3>{''.join(lines)}"
