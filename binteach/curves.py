"""Curves as pairs of measures over the cuts, exact in every point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

from binteach.cases import Cases, Cut, Ranking, Undefined, decimal_text
from binteach.derivation import GRIDS, Table
from binteach.exact import shorten
from binteach.expr import Node, Num, Sym, shown
from binteach.measures.base import Prose


class Point(NamedTuple):
    """A point of a curve; `cut` is the number of cases called positive."""

    x: Fraction
    y: Fraction
    cut: int


@dataclass(frozen=True)
class Curve:
    """A curve: `points` of the model, and for comparison other `series` by name."""

    name: str
    title: str
    x: str
    y: str
    series: Mapping[str, tuple[Point, ...]]
    note: Prose = ()

    @property
    def points(self) -> tuple[Point, ...]:
        """The exact points of the model, each with its cut."""
        return next(iter(self.series.values()))

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        return f"Curve({self.name!r}, {len(self)} points)"

    def table(self) -> Table:
        """The points as a table: cut, x, and the y of every series."""
        # Where x is the quota itself, one column says it.
        by_place = all(point.x == point.cut for point in self.points)
        heads = (
            "called positive",
            *(() if by_place else (self.x,)),
            *(self._head(name) for name in self.series),
        )
        columns = {name: {point.cut: point for point in line} for name, line in self.series.items()}
        rows: list[tuple[str | Node, ...] | int] = []
        points = self.points
        for place, point in enumerate(points):
            if len(points) > 24 and 12 <= place < len(points) - 6:
                if place == 12:
                    rows.append(len(points) - 18)
                continue
            cells = [columns[name].get(point.cut) for name in self.series]
            ys: list[str | Node] = ["" if cell is None else Num(cell.y) for cell in cells]
            rows.append((str(point.cut), *(() if by_place else (Num(point.x),)), *ys))
        return Table(heads, tuple(rows))

    def _head(self, name: str) -> str:
        return self.y if len(self.series) == 1 else f"{self.y} ({name})"

    def __str__(self) -> str:
        return GRIDS["text"](self.title, self.table(), self.note)

    def _repr_html_(self) -> str:
        return GRIDS["html"](self.title, self.table(), self.note)


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


def _roc_point(cut: Cut) -> Point:
    return Point(cut.fpr, cut.tpr, cut.k)


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


def _roc(ranking: Ranking) -> Curve:
    _both_classes(ranking, "ROC curve")
    points = tuple(_roc_point(cut) for cut in ranking.cuts)
    series = {"model": points}
    return Curve("roc", "ROC curve", "FPR", "TPR", series, _twin_note(ranking))


def _roc_hull(ranking: Ranking) -> Curve:
    _both_classes(ranking, "ROC curve")
    points = tuple(_roc_point(cut) for cut in ranking.hull())
    return Curve("roc_hull", "Convex hull of the ROC curve", "FPR", "TPR", {"model": points})


def _pr(ranking: Ranking) -> Curve:
    """Without the empty cut, whose precision is 0/0."""
    _positives(ranking, "precision-recall curve")
    points = tuple(
        Point(cut.tpr, cut.tp / (cut.tp + cut.fp), cut.k) for cut in ranking.cuts if cut.k
    )
    note = _twin_note(ranking)
    return Curve("pr", "Precision-recall curve", "recall", "precision", {"model": points}, note)


def _tpr_fpr(ranking: Ranking) -> Curve:
    _both_classes(ranking, "TPR-FPR plot")
    series = {
        "TPR": tuple(Point(Fraction(cut.k), cut.tpr, cut.k) for cut in ranking.cuts),
        "FPR": tuple(Point(Fraction(cut.k), cut.fpr, cut.k) for cut in ranking.cuts),
    }
    return Curve("tpr_fpr", "TPR-FPR plot", "cases called positive", "rate", series)


# By place: one point for each quota, tied blocks spread evenly --------------------------------


def _hits(ranking: Ranking) -> list[Fraction]:
    """The expected number of positives among the first 0, 1, ..., n cases."""
    ranking.cases.whole_places("this curve")
    return [Fraction(0), *accumulate(ranking.spread)]


def _by_place(
    hits: list[Fraction], height: Callable[[int, Fraction], Fraction], first: int
) -> tuple[Point, ...]:
    return tuple(Point(Fraction(j), height(j, hits[j]), j) for j in range(first, len(hits)))


def _gain(ranking: Ranking) -> Curve:
    hits, prevalence = _hits(ranking), ranking.cases.prevalence
    series = {
        "model": _by_place(hits, lambda _, found: found, 0),
        "random": _by_place(hits, lambda j, _: j * prevalence, 0),
    }
    return Curve("gain", "Gain chart", "quota", "positives found", series)


def _lift(ranking: Ranking) -> Curve:
    _positives(ranking, "lift chart")
    hits, prevalence = _hits(ranking), ranking.cases.prevalence
    series = {
        "model": _by_place(hits, lambda j, found: found / j / prevalence, 1),
        "random": _by_place(hits, lambda *_: Fraction(1), 1),
    }
    return Curve("lift", "Lift chart", "quota", "lift", series)


def _hit_rate(ranking: Ranking) -> Curve:
    hits, prevalence = _hits(ranking), ranking.cases.prevalence
    series = {
        "model": _by_place(hits, lambda j, found: found / j, 1),
        "random": _by_place(hits, lambda *_: prevalence, 1),
    }
    return Curve("hit_rate", "Hit rate curve", "quota", "hit rate", series)


def _qrecall(ranking: Ranking) -> Curve:
    _positives(ranking, "Qrecall curve")
    hits, n, ups = _hits(ranking), ranking.cases.n, Fraction(ranking.cases.positives)
    series = {
        "model": _by_place(hits, lambda _, found: found / ups, 0),
        "random": _by_place(hits, lambda j, _: Fraction(j, n), 0),
        "optimal": _by_place(hits, lambda j, _: min(j / ups, Fraction(1)), 0),
    }
    return Curve("qrecall", "Qrecall curve", "quota", "Qrecall", series)


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
