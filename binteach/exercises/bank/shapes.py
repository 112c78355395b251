"""Points and areas of curves, for exercises that ask for them or for what is taken for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

from binteach.cases import Cases
from binteach.curves import curve

Point = tuple[Fraction, Fraction]


def points_of(name: str, cases: Cases) -> list[Point]:
    """The points of a curve, from cut to cut."""
    return [(point.x, point.y) for point in curve(name, cases).points]


def middle(left: Fraction, right: Fraction) -> Fraction:
    """(left + right) / 2."""
    return (left + right) / 2


def area(
    points: Sequence[Point], height: Callable[[Fraction, Fraction], Fraction] = middle
) -> Fraction:
    """Σ width × height over the pieces; each height comes from those of the two ends."""
    pieces = pairwise(points)
    return sum(((x1 - x0) * height(y0, y1) for (x0, y0), (x1, y1) in pieces), Fraction(0))
