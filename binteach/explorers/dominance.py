"""Where in ROC space which model is on top (Arbel & Rokach, Figure 4), and the hull over all.

Curves are lists of exact points (FPR, TPR) that rise from (0, 0) to (1, 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise

Point = tuple[Fraction, Fraction]


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
