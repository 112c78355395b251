"""Definitions of the measures of Cases for large data.

`oracles.py` is more obvious, but takes n³ steps and more. Here a ranking is sorted once, and then
each measure is written from its definition:
  EXACT    in Fractions, for some ten thousand cases; held to `oracles.py` on small data
  DOUBLES  in numpy's doubles, for millions of cases; held to EXACT
Both take the parameters of the measure as keyword arguments and share nothing with the library.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from scipy import stats
from sklearn import isotonic, metrics

HALF = Fraction(1, 2)
EPSILON = 1e-5


def total(terms: Iterable[Fraction | int]) -> Fraction:
    """The exact sum as a balanced tree, so that long denominators come up only near its root."""
    level = [Fraction(term) for term in terms]
    while len(level) > 1:
        pairs = [a + b for a, b in zip(level[::2], level[1::2], strict=False)]
        level = pairs + level[len(level) - len(level) % 2 :]
    return level[0] if level else Fraction(0)


# Data ------------------------------------------------------------------------------------------


def meaning(score: object) -> Fraction:
    """What one number means: a float its shortest decimal, in its own precision."""
    return Fraction(int(score)) if isinstance(score, bool | np.bool_) else Fraction(str(score))


def decimals(scores: Any) -> list[Fraction]:
    """What the numbers of a row mean."""
    return [meaning(score) for score in scores]


def alternating(n: int) -> list[int]:
    """Labels of both classes without a pattern that a ranking could have."""
    return [(k * k // 3) % 2 for k in range(1, n + 1)]


def big_endian(values: Any) -> Any:
    return np.asarray(values).astype(np.asarray(values).dtype.newbyteorder(">"))


def read_only(values: Any) -> Any:
    values = np.array(values)
    values.flags.writeable = False
    return values


# Exactly ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ranked:
    """Labels and exact scores, and what a ranking of them holds."""

    labels: Sequence[int]
    scores: Sequence[Fraction]

    @property
    def n(self) -> int:
        return len(self.labels)

    @cached_property
    def up(self) -> int:
        return sum(self.labels)

    @property
    def down(self) -> int:
        return self.n - self.up

    @cached_property
    def blocks(self) -> list[tuple[int, int]]:
        """(cases, positives) of each distinct score, from the highest to the lowest."""
        ranking = sorted(zip(self.scores, self.labels, strict=True), reverse=True)
        groups = [[y for _, y in group] for _, group in groupby(ranking, key=lambda case: case[0])]
        return [(len(group), sum(group)) for group in groups]

    @cached_property
    def cuts(self) -> list[tuple[int, int]]:
        """(TP, FP) at each cut, from nothing called positive to everything."""
        found = [(0, 0)]
        for size, positives in self.blocks:
            tp, fp = found[-1]
            found.append((tp + positives, fp + size - positives))
        return found

    @cached_property
    def roc(self) -> list[tuple[Fraction, Fraction]]:
        """(FPR, TPR) at each cut."""
        return [(Fraction(fp, self.down), Fraction(tp, self.up)) for tp, fp in self.cuts]

    @cached_property
    def places(self) -> list[Fraction]:
        """t[1], ..., t[n]: the share of positives in the block that covers each place."""
        return [Fraction(ups, size) for size, ups in self.blocks for _ in range(size)]

    @cached_property
    def hits(self) -> list[Fraction]:
        """The expected positives among the first 0, 1, ..., n cases."""
        found = [Fraction(0)]
        for size, positives in self.blocks:
            before = found[-1]
            found += [before + Fraction(positives * k, size) for k in range(1, size + 1)]
        return found

    def of(self, label: int) -> list[Fraction]:
        """The scores of one class, ascending."""
        return sorted(s for y, s in zip(self.labels, self.scores, strict=True) if y == label)


def _won(negatives: Sequence[Fraction], positives: Sequence[Fraction]) -> Fraction:
    """How many positives score above each negative, a tie being 1/2, in total."""
    return total(
        len(positives) - HALF * (bisect_left(positives, score) + bisect_right(positives, score))
        for score in negatives
    )


def _auc(data: Ranked) -> Fraction:
    return _won(data.of(0), data.of(1)) / (data.up * data.down)


def _roc_n(data: Ranked, n: int | None = None) -> Fraction:
    first = data.of(0)[::-1][:n]
    return _won(first, data.of(1)) / (len(first) * data.up)


def _gini(data: Ranked) -> Fraction:
    return total((b[0] - a[0]) * (a[1] + b[1] - a[0] - b[0]) for a, b in pairwise(data.roc))


def _auch(data: Ranked) -> Fraction:
    """From each corner on, the next one lies in the steepest direction."""
    area, here = Fraction(0), 0
    while here < len(data.cuts) - 1:
        tp, fp = data.cuts[here]
        steps = [
            (Fraction(b_fp - fp, b_fp - fp + b_tp - tp), -place)
            for place, (b_tp, b_fp) in enumerate(data.cuts[here + 1 :], here + 1)
        ]
        there = -min(steps)[1]
        (x_a, y_a), (x_b, y_b) = data.roc[here], data.roc[there]
        area += (x_b - x_a) * (y_a + y_b) / 2
        here = there
    return area


def _taks(data: Ranked) -> Fraction:
    gaps = [found / data.up - (j - found) / data.down for j, found in enumerate(data.hits)]
    return total(gaps[1:-1]) / (data.n - 1)


def _average_precision(data: Ranked) -> Fraction:
    steps = pairwise(data.cuts)
    return total(Fraction(tp, tp + fp) * (tp - last) for (last, _), (tp, fp) in steps) / data.up


def _mean_precision(data: Ranked) -> Fraction:
    return total(data.hits[j] / j for j in range(1, data.n + 1)) / data.n


def _aucpr(data: Ranked, start: Callable[..., Any], end: Callable[..., Any]) -> Fraction:
    seen: dict[int, list[Fraction]] = {}
    for tp, fp in data.cuts:
        seen.setdefault(tp, []).append(Fraction(tp, tp + fp) if tp else Fraction(0))
    levels = list(seen.items())
    steps = [(start(a) + end(b)) / 2 * (tp_b - tp_a) for (tp_a, a), (tp_b, b) in pairwise(levels)]
    return total(steps) / data.up


def _equal_error_rate(data: Ranked) -> Fraction:
    for (x_a, y_a), (x_b, y_b) in pairwise(data.roc):
        if x_b + y_b >= 1:
            return x_a + (x_b - x_a) * (1 - x_a - y_a) / (x_b + y_b - x_a - y_a)
    raise AssertionError("the last point is (1, 1)")


def _decile_lift(data: Ranked, decile: int = 1) -> Fraction:
    small, larger = divmod(data.n, 10)
    sizes = [small + (d < larger) for d in range(10)]
    start = sum(sizes[: decile - 1])
    found = data.hits[start + sizes[decile - 1]] - data.hits[start]
    return found / sizes[decile - 1] / Fraction(data.up, data.n)


def _pem(data: Ranked) -> Fraction:
    gaps = [found / data.up - Fraction(j, data.n) for j, found in enumerate(data.hits)]
    best = (min(Fraction(j, data.up), Fraction(1)) - Fraction(j, data.n) for j in range(data.n + 1))
    return total(gaps) / total(best)


EXACT: dict[str, Callable[..., Fraction]] = {
    "auc": _auc,
    "gini": _gini,
    "auch": _auch,
    "ks": lambda data: max(abs(y - x) for x, y in data.roc),
    "taks": _taks,
    "max_youden": lambda data: max(y - x for x, y in data.roc),
    "average_precision": _average_precision,
    "mean_precision": _mean_precision,
    "aucpr_min": lambda data: _aucpr(data, min, min),
    "aucpr_minmax": lambda data: _aucpr(data, min, max),
    "aucpr_max": lambda data: _aucpr(data, max, max),
    "average_gain": lambda data: (
        total(data.hits) / data.n - Fraction((data.n + 1) * data.up, 2 * data.n)
    ),
    "average_lift": lambda data: _mean_precision(data) / Fraction(data.up, data.n),
    "equal_error_rate": _equal_error_rate,
    "roc_n": _roc_n,
    "hit_rate": lambda data, top: data.hits[top] / top,
    "qrecall": lambda data, top: data.hits[top] / data.up,
    "quota_lift": lambda data, top: data.hits[top] / top / Fraction(data.up, data.n),
    "decile_lift": _decile_lift,
    "average_hit_rate": lambda data: (
        total(t * data.hits[j] / j for j, t in enumerate(data.places, 1)) / data.up
    ),
    "average_qrecall": lambda data: total(data.hits[data.up :]) / data.up / (data.down + 1),
    "pem": _pem,
    "mean_absolute_error": lambda data: (
        total(abs(y - s) for y, s in zip(data.labels, data.scores, strict=True)) / data.n
    ),
    "brier_score": lambda data: (
        total((y - s) ** 2 for y, s in zip(data.labels, data.scores, strict=True)) / data.n
    ),
    "hinge_loss": lambda data: (
        total(max(0, 1 - (2 * y - 1) * s) for y, s in zip(data.labels, data.scores, strict=True))
        / data.n
    ),
}


# In doubles -------------------------------------------------------------------------------------


class Doubles:
    """Labels and scores as arrays, and what a ranking of them holds."""

    def __init__(self, labels: Any, scores: Any) -> None:
        self.y, self.s = np.asarray(labels).astype(np.int64), np.asarray(scores, dtype=np.float64)
        self.n, self.up = len(self.y), int(self.y.sum())
        self.down = self.n - self.up
        order = np.argsort(-self.s, kind="stable")
        self.falling = self.s[order]
        last = np.append(self.falling[1:] != self.falling[:-1], True)
        self.k = np.append(0, np.flatnonzero(last) + 1)
        self.tp = np.append(0, np.cumsum(self.y[order])[last])
        self.fp = self.k - self.tp
        sizes, positives = np.diff(self.k), np.diff(self.tp)
        self.t = np.repeat(positives / sizes, sizes)
        self.j = np.arange(1, self.n + 1)
        # Straight lines between the cuts: exact counts at both ends keep rounding from piling up.
        self.hits = np.interp(self.j, self.k, self.tp)
        self.tpr, self.fpr = self.tp / self.up, self.fp / self.down
        self.precision = self.tp / np.maximum(self.k, 1)
        self.p_t = np.where(self.y == 1, self.s, 1 - self.s)
        self.prior = np.where(self.y == 1, self.up / self.n, self.down / self.n)

    def surprise(self) -> Any:
        """−log2 of the probability of the real class; 0 is taken as EPSILON."""
        return -np.log2(np.where(self.p_t == 0, EPSILON, self.p_t))


def _area(x: Any, y: Any) -> float:
    return float(np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2))


def _hull_area(data: Doubles) -> float:
    """The hull of a ROC curve is the curve of the scores after isotonic regression."""
    sizes = np.diff(data.k)
    rates = np.diff(data.tp) / sizes
    level = isotonic.isotonic_regression(rates, sample_weight=sizes, increasing=False)
    corner = np.append(True, np.append(level[1:] != level[:-1], True))
    return _area(data.fpr[corner], data.tpr[corner])


def _first_negatives(data: Doubles, n: int | None = None) -> float:
    negatives = np.sort(data.s[data.y == 0])[::-1][:n]
    positives = np.sort(data.s[data.y == 1])
    below = np.searchsorted(positives, negatives) + np.searchsorted(positives, negatives, "right")
    return float(np.mean(1 - below / (2 * data.up)))


def _recall_area(data: Doubles, start: Any, end: Any) -> float:
    first = np.flatnonzero(np.append(True, np.diff(data.tp) > 0))
    low, high = start.reduceat(data.precision, first), end.reduceat(data.precision, first)
    return float(np.sum((low[:-1] + high[1:]) / 2 * np.diff(data.tpr[first])))


def _tenth(data: Doubles, decile: int = 1) -> float:
    return float(np.mean(np.array_split(data.t, 10)[decile - 1]) * data.n / data.up)


def _potential(data: Doubles) -> float:
    gaps = data.hits / data.up - data.j / data.n
    best = np.minimum(data.j / data.up, 1) - data.j / data.n
    return float((gaps[gaps > 0].sum() - -gaps[gaps < 0].sum()) / best.sum())


def _information(data: Doubles) -> float:
    p, prior = data.p_t, data.prior
    with np.errstate(divide="ignore"):  # of the two cases of the definition, one is thrown away
        gained, lost = np.log2(p) - np.log2(prior), np.log2(1 - prior) - np.log2(1 - p)
    return float(np.mean(np.where(p >= prior, gained, lost)))


def _entropy(share: float) -> float:
    return -share * math.log2(share) - (1 - share) * math.log2(1 - share)


DOUBLES: dict[str, Callable[..., float]] = {
    "mean_absolute_error": lambda d: np.mean(1 - d.p_t),
    "brier_score": lambda d: np.mean((1 - d.p_t) ** 2),
    "root_mean_square_error": lambda d: math.sqrt(np.mean((1 - d.p_t) ** 2)),
    "log_loss": lambda d: np.mean(d.surprise()),
    "balanced_cross_entropy": lambda d: np.mean((1 - d.prior) * d.surprise()),
    "focal_loss": lambda d: np.mean((1 - d.p_t) ** 2 * d.surprise()),
    "information_score": _information,
    "relative_information_score": lambda d: _information(d) / _entropy(d.up / d.n),
    "hinge_loss": lambda d: np.mean(np.maximum(0, 1 - (2 * d.y - 1) * d.s)),
    "auc": lambda d: metrics.roc_auc_score(d.y, d.s),
    "gini": lambda d: 2 * metrics.roc_auc_score(d.y, d.s) - 1,
    "auch": _hull_area,
    "ks": lambda d: stats.ks_2samp(d.s[d.y == 1], d.s[d.y == 0], method="asymp").statistic,
    "taks": lambda d: np.mean((d.hits / d.up - (d.j - d.hits) / d.down)[:-1]),
    "max_youden": lambda d: np.max(d.tpr - d.fpr),
    "average_precision": lambda d: metrics.average_precision_score(d.y, d.s),
    "mean_precision": lambda d: np.mean(d.hits / d.j),
    "aucpr_min": lambda d: _recall_area(d, np.minimum, np.minimum),
    "aucpr_minmax": lambda d: _recall_area(d, np.minimum, np.maximum),
    "aucpr_max": lambda d: _recall_area(d, np.maximum, np.maximum),
    "average_gain": lambda d: np.mean(d.hits - d.j * (d.up / d.n)),
    "average_lift": lambda d: np.mean(d.hits / d.j) * d.n / d.up,
    "equal_error_rate": lambda d: np.interp(1, d.fpr + d.tpr, d.fpr),
    "roc_n": _first_negatives,
    "hit_rate": lambda d, top: d.hits[top - 1] / top,
    "qrecall": lambda d, top: d.hits[top - 1] / d.up,
    "quota_lift": lambda d, top: d.hits[top - 1] / top * d.n / d.up,
    "decile_lift": _tenth,
    "quota_pearson": lambda d, top: np.corrcoef(d.falling[:top], d.t[:top])[0, 1],
    "average_hit_rate": lambda d: np.sum(d.t * d.hits / d.j) / d.up,
    "average_qrecall": lambda d: np.mean(d.hits[d.up - 1 :]) / d.up,
    "pem": _potential,
}
