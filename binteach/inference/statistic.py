"""A measure as a function of many resamples at once.

A resample is a row of places in a pool of cases, counted from 0; a place may occur many times.
  bootstrap           the pool is the cases themselves, and places are drawn with replacement
  permuted labels     the pool holds every case twice, first as a negative, then as a positive
  swapped scores      the pool holds every case twice, with the score of either model
A statistic gives floats for many rows, and the exact value for one. What is counted as equal is
decided by exact values; floats only settle what is plainly different.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from binteach import exact
from binteach.cases import WITHOUT_ARRAYS, Cases, Counts, Undefined
from binteach.derivation import sums_of
from binteach.exact import Exact, LogSum, Surd, shorten
from binteach.expr import Rows
from binteach.measures import Context, Measure, evaluate
from binteach.measures.base import CUT_PARAMS
from binteach.needs import need

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Draws = NDArray[np.int64]  # one resample in each row

BATCH = 2**17  # numbers that are worked on at once: few enough for a processor's cache
MOST_CELLS = 64  # kinds of cases up to which the same resample is likely to come again
SLACK = 1e-9  # floats that differ by less are compared exactly; they are good to about 1e-13


# Exact numbers --------------------------------------------------------------------------------


def to_float(number: Exact) -> float:
    """The number in double precision."""
    if isinstance(number, Surd):
        return math.copysign(math.sqrt(number.squared()), number.coefficient)
    if isinstance(number, LogSum):
        scale = math.log(number.base) if number.base else 1.0
        logs = [float(factor) * math.log(whole) for whole, factor in number.logs.items()]
        return math.fsum([float(number.rational), math.fsum(logs) / scale])
    return float(number)


def compare(left: Exact, right: Exact) -> int:
    """−1, 0 or 1: whether left is smaller than, equal to or larger than right."""
    near, far = to_float(left), to_float(right)
    if abs(near - far) > SLACK * max(1.0, abs(near), abs(far)):
        return 1 if near > far else -1
    if isinstance(left, Fraction | Surd) and isinstance(right, Fraction | Surd):
        return _sign(_signed_square(left) - _signed_square(right))
    return _sign(exact.settle(exact.add(left, exact.negate(right))))


def _signed_square(number: Fraction | Surd) -> Fraction:
    """Sorts as the number does, and is rational."""
    if isinstance(number, Surd):
        square = number.squared()
        return square if number.coefficient > 0 else -square
    return number * abs(number)


def _sign(difference: Exact) -> int:
    if isinstance(difference, Fraction):
        return (difference > 0) - (difference < 0)
    if isinstance(difference, Surd):
        return 1 if difference.coefficient > 0 else -1
    # What is left is irrational, or an expression that has not been seen to be zero: digits
    # decide, and where a hundred of them are zeros it is zero.
    for precision in (30, 100):
        middle, error = exact.approximate(difference, precision)
        if abs(middle) > error:
            return 1 if middle > 0 else -1
    return 0


# What is drawn from ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Pool:
    """Cases to draw from: labels, and what the measure sees of each score.

    It sees whether a case is called positive (1 or 0) where it takes counts, the order (whole
    numbers) where it takes a ranking, and otherwise the exact score.
    """

    labels: NDArray[np.uint8]
    seen: NDArray[Any]

    @cached_property
    def levels(self) -> NDArray[np.int64]:
        """For each case the place of what is seen among all that is seen, 0 being the lowest."""
        import numpy as np

        return np.unique(self.seen, return_inverse=True)[1].reshape(-1)

    @cached_property
    def cells(self) -> NDArray[np.int64]:
        """The kind of each case: cases of one level and one label are of one kind."""
        return 2 * self.levels + self.labels


def uses_order_alone(measure: Measure) -> bool:
    """Whether a measure asks for nothing but the order of the scores."""
    return measure.takes in ("ranking", "quota") and measure.key != "quota_pearson"


def pool_of(context: Context) -> Pool:
    """The cases of a context as its measure sees them."""
    need("numpy", WITHOUT_ARRAYS)
    import numpy as np

    assert context.cases is not None
    blocks = context.cases.ranking.block_numbers()
    if context.cut is not None:
        # A block lies above the cut if all cases down to its end do.
        above = np.cumsum(np.bincount(blocks)) <= context.cut.k
        seen: NDArray[Any] = above[blocks].astype(np.int64)
    elif uses_order_alone(context.measure):
        seen = -blocks
    else:
        seen = context.cases.score_array()
    return Pool(context.cases.label_array(), seen)


OPTIONS = ("resamples", "seed", "level", "alternative", "progress", "method")
"""What the procedures take themselves, beside the parameters of the measure."""


def ask(measure: Measure, cases: Any, params: dict[str, Any]) -> Context:
    """The measure on the cases as they are; refuses what cannot be resampled."""
    if measure.takes in ("triplets", "classes"):
        raise ValueError(f"{measure.key} is not computed from Cases, so they cannot be resampled")
    if not isinstance(cases, Cases):
        raise ValueError(f"resampling takes Cases, not {shorten(cases)}")
    for name in params:
        meant = difflib.get_close_matches(name, OPTIONS, n=1)
        if name not in measure.accepts and meant:
            raise ValueError(f"there is no option {name!r}; did you mean {meant[0]}=?")
    if cases.weighted:
        raise ValueError(
            "weighted cases cannot be resampled: what a random case is has no agreed meaning "
            "then; leave the weights out, or repeat cases instead"
        )
    return Context(measure, cases, params)


# Statistics -----------------------------------------------------------------------------------


class Statistic:
    """Any measure: each resample becomes Cases, and the formula is evaluated on them."""

    batch = 2**10  # elements of the draws that are taken at once; small, to show progress

    def __init__(self, measure: Measure, params: dict[str, Any], pool: Pool) -> None:
        self.measure, self.params, self.pool = measure, params, pool
        self._known: dict[Any, Exact | Undefined] = {}

    def rows(self, n: int) -> int:
        """How many resamples of n cases are taken at once."""
        return max(1, self.batch // n)

    def floats(self, draws: Draws) -> NDArray[np.float64]:
        """The value in each resample; not a number where it is undefined."""
        import numpy as np

        return np.array([self._float(draw) for draw in draws], dtype=np.float64)

    def _float(self, draw: Draws) -> float:
        try:
            return to_float(self.exact(draw))
        except Undefined:
            return math.nan

    def exact(self, draw: Draws) -> Exact:
        """The exact value in one resample; raises Undefined where it does not exist."""
        key = self._key(draw)
        if key is None:
            found = self._attempt(draw)
        else:
            if key not in self._known:
                self._known[key] = self._attempt(draw)
            found = self._known[key]
        if isinstance(found, Undefined):
            raise Undefined(found.reason)
        return found

    def _attempt(self, draw: Draws) -> Exact | Undefined:
        try:
            return evaluate(Context(self.measure, self._data(draw), self.params))
        except Undefined as undefined:
            return undefined
        except ValueError as wrong:
            # What fits all the cases may not fit a resample: it may have too few negatives.
            return Undefined(str(wrong))

    def _key(self, draw: Draws) -> Any:
        """What decides the value; None where it is too long to be remembered."""
        import numpy as np

        most = int(self.pool.cells.max()) + 1
        if most > MOST_CELLS:
            return None
        return np.bincount(self.pool.cells[draw], minlength=most).tobytes()

    def _data(self, draw: Draws) -> Cases | Counts:
        return Cases(self.pool.labels[draw], self.pool.seen[draw])


class CountsStatistic(Statistic):
    """A measure of the counts TP, FP, FN, TN: each distinct confusion matrix is judged once."""

    batch = BATCH

    def floats(self, draws: Draws) -> NDArray[np.float64]:
        import numpy as np

        rows = np.arange(len(draws))[:, None]
        cells = (4 * rows + self._kinds[draws]).ravel()
        counts = np.bincount(cells, minlength=4 * len(draws)).reshape(-1, 4)
        _, first, which = np.unique(counts, axis=0, return_index=True, return_inverse=True)
        return super().floats(draws[first])[which.reshape(-1)]

    @cached_property
    def _kinds(self) -> NDArray[np.int64]:
        """0 for TN, 1 for FN, 2 for FP, 3 for TP."""
        kinds: NDArray[np.int64] = self.pool.seen * 2 + self.pool.labels.astype(int)
        return kinds

    def _key(self, draw: Draws) -> tuple[int, ...]:
        import numpy as np

        return tuple(np.bincount(self._kinds[draw], minlength=4).tolist())

    def _data(self, draw: Draws) -> Counts:
        tn, fn, fp, tp = self._key(draw)
        return Counts(tp, fp, fn, tn)


AREAS: dict[str, Callable[[Any, Any, int], tuple[Any, Any, Fraction]]] = {
    "auc": lambda twice, pairs, n: (twice, 2 * pairs, Fraction(1)),
    "gini": lambda twice, pairs, n: (twice - pairs, pairs, Fraction(1)),
    "pem": lambda twice, pairs, n: (twice - pairs, pairs, Fraction(1)),
    "taks": lambda twice, pairs, n: (twice - pairs, pairs, Fraction(n, 2 * (n - 1))),
    "average_gain": lambda twice, pairs, n: (twice - pairs, 1, Fraction(1, 2 * n)),
}
"""Measures that grow with the AUC: numerator, denominator and factor from 2U, n₊n₋ and n.

U is the number of pairs in which the positive is ranked above the negative, a tie counting one
half. The numerator and the denominator are whole numbers, numpy's or Python's.
"""


class AreaStatistic(Statistic):
    """A measure that grows with the AUC, from the whole number 2U of each resample.

    Neighbours in the ranking of one and the same class, without a tie with the other class, are
    put in one cell: in which order they stand changes nothing.
    """

    batch = BATCH

    def __init__(self, measure: Measure, params: dict[str, Any], pool: Pool) -> None:
        import numpy as np

        super().__init__(measure, params, pool)
        positive = np.zeros(int(pool.levels.max()) + 1, dtype=bool)
        negative = positive.copy()
        positive[pool.levels[pool.labels == 1]] = True
        negative[pool.levels[pool.labels == 0]] = True
        mixed = positive & negative
        begins = mixed.copy()
        begins[0] = True
        begins[1:] |= (positive[1:] != positive[:-1]) | (negative[1:] != negative[:-1])
        run = np.cumsum(begins) - 1  # of each level
        downs, ups = negative[begins], positive[begins]  # which classes a run holds
        down_cell, up_cell = np.cumsum(downs) - 1, np.cumsum(ups) - 1
        self._downs, self._ups = int(downs.sum()), int(ups.sum())
        of_case = run[pool.levels]
        self._cells = np.where(
            pool.labels == 1, self._downs + up_cell[of_case], down_cell[of_case]
        ).astype(np.int64)
        # For each cell of positives: how many cells of negatives lie below it, and with ties.
        self._upto = (down_cell + 1)[ups]
        self._below = self._upto - mixed[begins][ups]
        self._tied = bool(mixed.any())

    def _pairs(self, draws: Draws) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """2U, and the number of negatives, in each resample."""
        import numpy as np

        rows, width = len(draws), self._downs + self._ups
        cells = self._cells[draws]
        cells += (width * np.arange(rows))[:, None]
        counts = np.bincount(cells.ravel(), minlength=rows * width).reshape(rows, width)
        below = np.zeros((rows, self._downs + 1), dtype=np.int64)
        np.cumsum(counts[:, : self._downs], axis=1, out=below[:, 1:])
        beaten = below[:, self._below]
        beaten += below[:, self._upto] if self._tied else beaten
        return np.einsum("ij,ij->i", counts[:, self._downs :], beaten), below[:, -1]

    def floats(self, draws: Draws) -> NDArray[np.float64]:
        import numpy as np

        n = draws.shape[1]
        twice, negatives = self._pairs(draws)
        pairs = negatives * (n - negatives)
        both = pairs > 0
        values = np.empty(len(draws))
        values[both] = area_floats(self.measure, twice[both], pairs[both], n)
        values[~both] = [self._float(draw) for draw in draws[~both]]
        return values

    def _key(self, draw: Draws) -> tuple[int, int]:
        twice, negatives = self._pairs(draw[None, :])
        return int(twice[0]), int(negatives[0])


def area_floats(
    measure: Measure, twice: NDArray[np.int64], pairs: Any, n: int
) -> NDArray[np.float64]:
    """The measure from 2U and n₊n₋ in double precision; the one division comes last."""
    import numpy as np

    if not len(twice):
        return np.empty(0)
    top, bottom, factor = AREAS[measure.key](twice, pairs, n)
    found: NDArray[np.float64] = top / bottom
    return found if factor == 1 else found * float(factor)


MEANS = {
    "mean_absolute_error": None,
    "brier_score": None,
    "root_mean_square_error": None,
    "log_loss": None,
    "focal_loss": None,
    "hinge_loss": None,
    "balanced_cross_entropy": "alpha",
    "information_score": "prior",
    "relative_information_score": "prior",
}
"""Means over the cases; those with a parameter only where it is given and not from the data."""


class MeanStatistic(Statistic):
    """A mean of one value for each case, or the root of it."""

    batch = BATCH

    @cached_property
    def _values(self) -> NDArray[np.float64]:
        """The measure of each case alone; of RMSE the square."""
        import numpy as np

        cases = Cases(self.pool.labels, self.pool.seen)
        context = Context(self.measure, cases, self.params)
        values = np.empty(cases.n)
        values[cases.ranking.order] = _terms(context)
        if self._rooted:
            return values
        if np.nanmax(np.abs(values)) > 1e290:
            raise ValueError(
                f"{self.measure.key} has values beyond 10^290 here, too large to be resampled; "
                "rescale the scores"
            )
        # Signs and constant factors before the sum: one case tells them.
        (telling,) = np.nonzero(np.isfinite(values) & (values != 0))
        if len(telling):
            values *= self._float(telling[:1]) / values[telling[0]]
        return values

    @property
    def _rooted(self) -> bool:
        return self.measure.key == "root_mean_square_error"

    def floats(self, draws: Draws) -> NDArray[np.float64]:
        import numpy as np

        means: NDArray[np.float64] = self._values[draws].mean(axis=1)
        return np.sqrt(means) if self._rooted else means


def _terms(context: Context) -> NDArray[np.float64]:
    """The terms of the one sum over the cases in a formula, by rank."""
    import numpy as np

    ((family, ((total, _), *_)),) = sums_of(context.measure.tree(context.params)).items()
    rows = context.rows(family)
    assert isinstance(rows, Rows)
    try:
        terms = [total.body.number(context.inner(part)).floats() for part, _ in rows.parts()]
    except exact.OneByOne:
        return np.array([to_float(total.body.number(context.inner(row))) for row in rows])
    return np.concatenate(terms)


def statistic_of(context: Context, pool: Pool, params: dict[str, Any]) -> Statistic:
    """The measure of a context as a function of resamples from a pool."""
    measure = context.measure
    if measure.takes == "counts":
        kept = {name: value for name, value in params.items() if name not in CUT_PARAMS}
        return CountsStatistic(measure, kept, pool)
    if measure.key in AREAS:
        return AreaStatistic(measure, params, pool)
    if measure.key in MEANS:
        needed = MEANS[measure.key]
        if needed is None or params.get(needed) is not None:
            return MeanStatistic(measure, params, pool)
    return Statistic(measure, params, pool)
