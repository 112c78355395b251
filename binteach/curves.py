"""Curves as pairs of measures over the cuts, exact in every point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from binteach import exact
from binteach.cases import Cases, Lazily, Ranking, Undefined, decimal_text
from binteach.columns import Column
from binteach.derivation import GRIDS, Table
from binteach.exact import shorten
from binteach.expr import Node, Num, Sym, shown
from binteach.lists import engine
from binteach.measures.base import Prose

if TYPE_CHECKING:
    from binteach.columns import Array

FEWEST_KEPT = 8  # points that a thinned curve may be asked to have


class Point(NamedTuple):
    """A point of a curve; `cut` is the number of cases called positive."""

    x: Fraction
    y: Fraction
    cut: int


class Points(Lazily[Point]):
    """The exact points of a curve, made when they are asked for; there may be millions."""

    def __init__(self, x: Column, y: Column, cuts: Array) -> None:
        super().__init__(len(cuts), lambda place: Point(x[place], y[place], int(cuts[place])))
        self._x, self._y, self._cuts = x, y, cuts

    def __reduce__(self) -> tuple[Any, ...]:
        return (Points, (self._x, self._y, self._cuts))

    def chosen(self, places: Any) -> Points:
        """Some of the points."""
        return Points(self._x.chosen(places), self._y.chosen(places), self._cuts[places])

    def __repr__(self) -> str:
        return f"<{len(self)} points from {self[0]} to {self[-1]}>" if len(self) else "<no points>"

    def floats(self) -> tuple[Array, Array]:
        """The two coordinates as doubles, for a picture."""
        return self._x.floats(), self._y.floats()


@dataclass(frozen=True)
class Curve:
    """A curve: `points` of the model, and for comparison other `series` by name.

    All series have their points at the same cuts. `corners` finds the numbers of the points that
    are corners of the ROC hull.
    """

    name: str
    title: str
    x: str
    y: str
    series: Mapping[str, Points]
    note: Prose = ()
    corners: Callable[[], list[int]] = field(default=list, repr=False, compare=False)

    @property
    def points(self) -> Points:
        """The exact points of the model, each with its cut."""
        return next(iter(self.series.values()))

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        return f"Curve({self.name!r}, {len(self)} points)"

    def table(self) -> Table:
        """The points as a table: cut, x, and the y of every series."""
        # Where x is the quota itself, one column says it.
        by_place = self.x in BY_PLACE
        heads = (
            "called positive",
            *(() if by_place else (self.x,)),
            *(self._head(name) for name in self.series),
        )
        rows: list[tuple[str | Node, ...] | int] = []
        points = self.points
        for place in range(len(points)):
            if len(points) > 24 and 12 <= place < len(points) - 6:
                if place == 12:
                    rows.append(len(points) - 18)
                continue
            point = points[place]
            ys = [Num(line[place].y) for line in self.series.values()]
            rows.append((str(point.cut), *(() if by_place else (Num(point.x),)), *ys))
        return Table(heads, tuple(rows))

    def thin(self, points: int = 2000) -> Curve:
        """The same curve with fewer points, for a picture: about `points`, and all that is seen.

        Both ends and every corner of the ROC hull stay. The width is divided into strips, and in
        each the first, last, lowest and highest point stay: drawn no wider than that many pixels,
        the thinned curve looks exactly like the whole one. All points that stay are exact.
        """
        wanted = exact.exact(points, "points")
        if wanted.denominator != 1 or wanted < FEWEST_KEPT:
            raise ValueError(
                f"points is {shorten(points)}; it must be a whole number, at least {FEWEST_KEPT}"
            )
        if len(self) <= wanted:
            return self
        strips = int(wanted) // (4 * len(self.series))
        kept = {0, len(self) - 1, *self.corners()}
        for line in self.series.values():
            kept.update(_extremes(*line.floats(), max(strips, 1)))
        places, before = sorted(kept), set(self.corners())
        thinned = {name: line.chosen(places) for name, line in self.series.items()}
        # The corners that are left are at other places now.
        corners = [new for new, place in enumerate(places) if place in before]
        return replace(self, series=thinned, corners=partial(list, corners))

    def _head(self, name: str) -> str:
        return self.y if len(self.series) == 1 else f"{self.y} ({name})"

    def __str__(self) -> str:
        return GRIDS["text"](self.title, self.table(), self.note)

    def _repr_html_(self) -> str:
        return GRIDS["html"](self.title, self.table(), self.note)


def _extremes(x: Array, y: Array, strips: int) -> list[int]:
    """The first, last, lowest and highest point in each strip of equal width."""
    width, np = x[-1] - x[0], engine(x)
    strip = (
        np.minimum(((x - x[0]) * strips / width).astype("int64"), strips - 1) if width else x * 0
    )
    starts = np.flatnonzero(np.concatenate([[True], strip[1:] != strip[:-1]]))
    stops = np.append(starts[1:], [len(x)])
    found = [*starts.tolist(), *(stops - 1).tolist()]
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        found += [start + int(y[start:stop].argmin()), start + int(y[start:stop].argmax())]
    return found


def curve(name: str, cases: Cases) -> Curve:
    """An exact curve: roc, roc_hull, pr, tpr_fpr, gain, lift, hit_rate or qrecall.

    >>> from binteach.data import load
    >>> curve("roc", load("ten_cases")).points[3]
    Point(x=Fraction(1, 5), y=Fraction(2, 5), cut=3)
    """
    if not isinstance(name, str) or name not in CURVES:
        raise ValueError(f"there is no curve {shorten(name)}; there are {', '.join(CURVES)}")
    if not isinstance(cases, Cases):
        raise ValueError(f"a curve is drawn from Cases, not from {shorten(cases)}")
    return CURVES[name](cases.ranking)


# By threshold: one point for each cut ---------------------------------------------------------


def _both_classes(ranking: Ranking, what: str) -> None:
    _positives(ranking, what)
    if not ranking.cases.negatives:
        raise Undefined(f"there is no negative case, so the {what} has no false positive rate")


def _positives(ranking: Ranking, what: str) -> None:
    if not ranking.cases.positives:
        raise Undefined(f"there is no positive case, so the {what} has no recall")


def _twin_note(ranking: Ranking) -> Prose:
    """ROC and precision-recall points are the same cuts: each gives the other."""
    pi, tpr, fpr = Sym("π"), Sym("TPR"), Sym("FPR")
    precision = (pi * tpr) / (pi * tpr + (1 - pi) * fpr)
    value = shown(ranking.cases.prevalence, True)
    return (
        "ROC and precision-recall curve hold the same cuts: with the prevalence ",
        Sym("π"),
        f" = {decimal_text(value.value)}, recall = TPR and precision = ",
        precision,
        ".",
    )


ALL = slice(None)


def _roc(ranking: Ranking) -> Curve:
    _both_classes(ranking, "ROC curve")
    points = Points(ranking.fpr(ALL), ranking.tpr(ALL), ranking.k)
    note, corners = _twin_note(ranking), ranking.hull_numbers
    return Curve("roc", "ROC curve", "FPR", "TPR", {"model": points}, note, corners)


def _roc_hull(ranking: Ranking) -> Curve:
    _both_classes(ranking, "ROC curve")
    corners = ranking.hull_numbers()
    points = Points(ranking.fpr(corners), ranking.tpr(corners), ranking.k[corners])
    every: Callable[[], list[int]] = partial(list, range(len(corners)))
    title = "Convex hull of the ROC curve"
    return Curve("roc_hull", title, "FPR", "TPR", {"model": points}, corners=every)


def _pr(ranking: Ranking) -> Curve:
    """Without the empty cut, whose precision is 0/0."""
    _positives(ranking, "precision-recall curve")
    cuts = slice(1, None)
    points = Points(ranking.tpr(cuts), ranking.precision(cuts), ranking.k[cuts])
    return Curve(
        "pr",
        "Precision-recall curve",
        "recall",
        "precision",
        {"model": points},
        _twin_note(ranking),
        partial(_corners_from, ranking, 1),
    )


def _corners_from(ranking: Ranking, first: int) -> list[int]:
    """The corners of the hull among the cuts from `first` on."""
    return [number - first for number in ranking.hull_numbers() if number >= first]


def _tpr_fpr(ranking: Ranking) -> Curve:
    _both_classes(ranking, "TPR-FPR plot")
    quota = Column(ranking.k)
    series = {
        "TPR": Points(quota, ranking.tpr(ALL), ranking.k),
        "FPR": Points(quota, ranking.fpr(ALL), ranking.k),
    }
    corners = ranking.hull_numbers
    return Curve("tpr_fpr", "TPR-FPR plot", CALLED, "rate", series, corners=corners)


# By place: one point for each quota, tied blocks spread evenly --------------------------------

CALLED, QUOTA = "cases called positive", "quota"
BY_PLACE = (CALLED, QUOTA)  # horizontal axes that show the cut itself


def _by_place(
    name: str,
    title: str,
    y: str,
    ranking: Ranking,
    first: int,
    lines: Callable[[Column, Column], Mapping[str, Column]],
) -> Curve:
    """A curve over the quotas j = first, ..., n; `lines` takes j and the positives expected."""
    ranking.cases.whole_places("this curve")
    places = engine(ranking.ends).arange(0, ranking.cases.n + 1)
    # No case holds no positive.
    hits = ranking.places(0, ranking.cases.n)[1].after_zero()
    quota = Column(places)
    chosen = slice(first, None)
    found = lines(quota.chosen(chosen), hits.chosen(chosen))
    series = {
        key: Points(quota.chosen(chosen), line, places[chosen]) for key, line in found.items()
    }
    return Curve(name, title, QUOTA, y, series, corners=partial(_hull_places, ranking, first))


def _hull_places(ranking: Ranking, first: int) -> list[int]:
    """The corners of the hull among the quotas from `first` on."""
    ends = (int(ranking.k[number]) for number in ranking.hull_numbers())
    return [end - first for end in ends if end >= first]


def _gain(ranking: Ranking) -> Curve:
    share = ranking.cases.prevalence

    def lines(quota: Column, hits: Column) -> Mapping[str, Column]:
        return {"model": hits, "random": quota * share}

    return _by_place("gain", "Gain chart", "positives found", ranking, 0, lines)


def _lift(ranking: Ranking) -> Curve:
    _positives(ranking, "lift chart")
    share = ranking.cases.prevalence

    def lines(quota: Column, hits: Column) -> Mapping[str, Column]:
        return {"model": hits / quota / share, "random": quota.constant(Fraction(1))}

    return _by_place("lift", "Lift chart", "lift", ranking, 1, lines)


def _hit_rate(ranking: Ranking) -> Curve:
    share = ranking.cases.prevalence

    def lines(quota: Column, hits: Column) -> Mapping[str, Column]:
        return {"model": hits / quota, "random": quota.constant(share)}

    return _by_place("hit_rate", "Hit rate curve", "hit rate", ranking, 1, lines)


def _qrecall(ranking: Ranking) -> Curve:
    _positives(ranking, "Qrecall curve")
    n, ups = ranking.cases.n, Fraction(ranking.cases.positives)

    def lines(quota: Column, hits: Column) -> Mapping[str, Column]:
        optimal = quota.where(~quota.at_least(ups), ups) / ups
        return {"model": hits / ups, "random": quota / Fraction(n), "optimal": optimal}

    return _by_place("qrecall", "Qrecall curve", "Qrecall", ranking, 0, lines)


CURVES: Mapping[str, Callable[[Ranking], Curve]] = {
    "roc": _roc,
    "roc_hull": _roc_hull,
    "pr": _pr,
    "tpr_fpr": _tpr_fpr,
    "gain": _gain,
    "lift": _lift,
    "hit_rate": _hit_rate,
    "qrecall": _qrecall,
}
