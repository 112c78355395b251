"""Procedures that train the model anew: out-of-bag bootstrap and permutation of training labels.

Both follow Berrar, sections 5.4 and 5.1. What they need is a way to train: a model with `fit`, or
a function fit(X, y) that gives back a scorer. `Boundary` is such a model, small enough to draw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from binteach import exact
from binteach.cases import WITHOUT_ARRAYS, Cases, Undefined
from binteach.exact import Exact, shorten
from binteach.inference.outcomes import Bootstrap, Permutation, p_value
from binteach.inference.resampling import (
    Comparison,
    progress_bar,
    read_alternative,
    read_resamples,
    read_seed,
)
from binteach.inference.statistic import ask, to_float
from binteach.inference.working import read_level
from binteach.measures import Context, Measure, evaluate
from binteach.measures import measure as find_measure
from binteach.needs import need

if TYPE_CHECKING:
    from numpy import float64, int64, uint8
    from numpy.typing import NDArray

NEEDED = (
    "a model with fit and predict_proba or decision_function, or a function fit(X, y) that gives "
    "back such a model or a function from X to scores"
)


# The two procedures ---------------------------------------------------------------------------


def bootstrap_oob(
    fit: Any,
    X: Any,
    y: Any,
    measure: str | Measure = "auc",
    /,
    resamples: int = 1000,
    seed: int | None = None,
    level: Any = "0.95",
    positive: object = 1,
    progress: bool | None = None,
    **params: Any,
) -> Bootstrap:
    """[low, high]: where a measure lies for most models that are trained on resamples.

    As many cases as there are, n, are drawn with replacement. A model is trained on them and
    judged on the cases that were not drawn (Berrar, section 5.4). A resample in which that is
    impossible is counted with the reason; so is one in which `fit` raises Undefined(reason). A
    model that draws random numbers itself needs a seed of its own.

    `fit` is a model with fit(X, y) and predict_proba(X) or decision_function(X), which is copied
    for every resample, or a function of X and y that gives such a model, trained, or a function
    from X to scores.

    >>> X = [[0.1], [0.2], [0.3], [0.45], [0.75], [0.25], [0.5], [0.6], [0.8], [0.95]]
    >>> bootstrap_oob(Boundary(), X, [0] * 5 + [1] * 5, "auc", resamples=100, seed=1)
    Bootstrap('auc', 0 to 1, 100 resamples)
    """
    need("numpy", WITHOUT_ARRAYS)
    import numpy as np

    wanted, count, share = find_measure(measure), read_resamples(resamples), read_level(level)
    _check_fit(fit)
    labels = _labels(X, y, positive)
    _rehearse(wanted, labels, params)
    used, n = read_seed(seed), len(labels)
    rng = np.random.default_rng(used)
    values: list[float] = []
    undefined: Counter[str] = Counter()
    with progress_bar(count, progress) as advance:
        for number in range(1, count + 1):
            drawn = rng.integers(0, n, n)
            left = np.setdiff1d(np.arange(n), drawn)
            try:
                with _noting(f"in resample {number} of {count:,}, seed={used}"):
                    _need_both_classes(labels[drawn], "training sample")
                    if not len(left):
                        raise Undefined("all cases were drawn for training, none is left to judge")
                    train, test = (
                        (_rows(X, drawn), _rows(y, drawn)),
                        (_rows(X, left), _rows(y, left)),
                    )
                    cases = _judged(fit, train, test, positive)
                    values.append(to_float(_value(wanted, cases, params)))
            except Undefined as reason:
                undefined[reason.reason] += 1
            advance(1)
    how = (
        f"From the {n:,} cases, {n:,} are drawn with replacement. A model is trained on them and "
        f"judged on the cases that were not drawn. This is done {count:,} times."
    )
    found = np.array(values, dtype=np.float64)
    return Bootstrap(wanted, None, share, count, used, found, dict(undefined), how)


def permutation_retrain(
    fit: Any,
    X_train: Any,
    y_train: Any,
    X_test: Any,
    y_test: Any,
    measure: str | Measure = "auc",
    /,
    resamples: int = 1000,
    seed: int | None = None,
    alternative: str | None = None,
    positive: object = 1,
    progress: bool | None = None,
    **params: Any,
) -> Permutation:
    """(b + 1) / (k + 1): how often models that learnt from permuted labels are as good.

    A model is trained and judged on the test cases. Then the labels of the training cases are
    permuted, a model is trained on them and judged on the same test cases, k times (Berrar,
    section 5.1). A model that draws random numbers itself needs a seed of its own.

    `fit` is a model or a function of X and y, as for bootstrap_oob.

    >>> X, y = [[1, 2], [2, 4], [3, 1], [4, 3], [6, 9], [7, 6], [8, 8], [9, 7]], [0] * 4 + [1] * 4
    >>> permutation_retrain(Boundary(), X, y, [[3, 3], [7, 7]], [0, 1], resamples=99, seed=1)
    Permutation('auc', p = 47/100, 99 random arrangements)
    """
    need("numpy", WITHOUT_ARRAYS)
    import numpy as np

    wanted, count = find_measure(measure), read_resamples(resamples)
    side = read_alternative(alternative, wanted)
    _check_fit(fit)
    labels = _labels(X_train, y_train, positive, "X_train", "y_train")
    _rehearse(wanted, _labels(X_test, y_test, positive, "X_test", "y_test"), params)
    _need_both_classes(labels, "training set")
    used, test = read_seed(seed), (X_test, y_test)
    with _noting("with the labels as they are"):
        cases = _judged(fit, (X_train, y_train), test, positive)
        observed = evaluate(Context(wanted, cases, params))
    rng = np.random.default_rng(used)
    found: list[Exact | Undefined] = []
    with progress_bar(count, progress) as advance:
        for number in range(1, count + 1):
            permuted = _rows(y_train, rng.permutation(len(labels)))
            try:
                with _noting(f"in permutation {number} of {count:,}, seed={used}"):
                    cases = _judged(fit, (X_train, permuted), test, positive)
                    found.append(_value(wanted, cases, params))
            except Undefined as reason:
                found.append(reason)
            advance(1)

    def exactly(row: Any) -> Exact:
        value = found[row]
        if isinstance(value, Undefined):
            raise value
        return value

    tally = Comparison(observed)
    floats = [np.nan if isinstance(each, Undefined) else to_float(each) for each in found]
    tally.take(np.array(floats, dtype=np.float64), exactly)
    b = tally.as_extreme(side)
    how = (
        f"The labels of the {len(labels):,} training cases are permuted, so that the features say "
        "nothing about them. A model is trained on these labels and judged on the same "
        f"{cases.n:,} test cases, whose labels stay. This is done {count:,} times."
    )
    return Permutation(
        measure=wanted,
        observed=exact.public(observed),
        alternative=side,
        p=p_value(b, count, False, side),
        exact=False,
        arrangements=count,
        as_extreme=b,
        undefined=dict(tally.undefined),
        seed=used,
        distribution=tally.distribution,
        how=how,
    )


# Training and judging -------------------------------------------------------------------------

Sample = tuple[Any, Any]
"""Rows of features, and their labels."""


def _check_fit(fit: Any) -> None:
    if isinstance(fit, type):
        name = fit.__name__
        raise ValueError(f"fit is the class {name}; give a model of it, such as {name}()")
    if not hasattr(fit, "fit") and not callable(fit):
        raise ValueError(f"fit is {shorten(fit)}; it must be {NEEDED}")


def _judged(fit: Any, train: Sample, test: Sample, positive: object) -> Cases:
    """The test cases with the scores that a newly trained model gives them."""
    scorer = _trained(fit, *train)
    X, y = test
    if hasattr(scorer, "predict_proba") or hasattr(scorer, "decision_function"):
        return Cases.from_estimator(scorer, X, y, positive)
    if callable(scorer):
        return Cases(y, scorer(X), positive=positive)
    raise ValueError(
        f"training gave {shorten(scorer)}, which gives no scores; fit must be {NEEDED}"
    )


def _trained(fit: Any, X: Any, y: Any) -> Any:
    """A model that knows nothing but these cases."""
    if not hasattr(fit, "fit"):
        return fit(X, y)
    model = _copied(fit)
    model.fit(X, y)
    return model


def _copied(model: Any) -> Any:
    """A copy to train, so that the model of the caller stays as it is."""
    if not hasattr(model, "get_params"):
        return deepcopy(model)
    try:
        from sklearn.base import clone
    except ImportError:  # it has the methods of scikit-learn, but that is not installed
        return deepcopy(model)
    return clone(model)


def _value(measure: Measure, cases: Cases, params: dict[str, Any]) -> Exact:
    """The value on these cases; raises Undefined also where the cut asked for is not there."""
    import numpy as np

    asked = measure.read_params(params)
    top, first = asked.get("top"), asked.get("n")
    if top is not None and top > cases.n:
        raise Undefined(f"fewer than {top} cases are left to judge")
    if top and measure.takes == "counts":
        cuts = np.cumsum(np.bincount(cases.ranking.block_numbers()))
        if int(top) not in cuts:
            raise Undefined(f"a cut below the {top} top-ranked cases would go through a tie")
    if first is not None and first > cases.negatives:
        raise Undefined(f"fewer than {first} negatives are left to judge")
    return evaluate(Context(measure, cases, params))


def _need_both_classes(labels: NDArray[uint8], what: str) -> None:
    for label, kind in ((1, "positive"), (0, "negative")):
        if not (labels == label).any():
            raise Undefined(f"the {what} has no {kind} case, so nothing can be learnt from it")


@contextmanager
def _noting(where: str) -> Iterator[None]:
    """Say where it happened, should an error come out of a model."""
    try:
        yield
    except Undefined:
        raise
    except Exception as wrong:
        wrong.add_note(f"This happened {where}.")
        raise


# Data -----------------------------------------------------------------------------------------


def _rows(table: Any, places: NDArray[int64]) -> Any:
    """These rows of an array, a data frame, a Series or a list."""
    if hasattr(table, "iloc"):
        return table.iloc[places]
    if hasattr(table, "shape"):
        return table[places]
    return [table[place] for place in places]


def _size(table: Any, name: str) -> int:
    if hasattr(table, "shape"):
        return int(table.shape[0])
    if isinstance(table, str | bytes | dict | set | frozenset) or not hasattr(table, "__len__"):
        raise ValueError(
            f"{name} is {shorten(table)}; a list of rows, an array or a frame is needed"
        )
    return len(table)


def _labels(
    X: Any, y: Any, positive: object, X_name: str = "X", y_name: str = "y"
) -> NDArray[uint8]:
    """1 and 0 for each row, once it is sure that every row has a label."""
    rows, n = _size(X, X_name), _size(y, y_name)
    if rows != n:
        raise ValueError(
            f"{X_name} has {rows} rows, but {y_name} has {n} labels; each case needs one of both"
        )
    return Cases(y, [0] * n, positive=positive).label_array()


def _rehearse(measure: Measure, labels: NDArray[uint8], params: dict[str, Any]) -> None:
    """Refuse parameters that do not fit the measure before anything is trained."""
    n = len(labels)
    ask(measure, Cases(labels.tolist(), [Fraction(place, n) for place in range(n)]), params)


# A model --------------------------------------------------------------------------------------


class Boundary:
    """(x − m) · u: the signed distance of a case x from the line between two classes.

    m is the point halfway between the mean of the one class and the mean of the other, u the
    direction from the one to the other, of length 1. The line (with more than two features: the
    plane) runs through m at a right angle to u. Distances are positive on the side of the class
    that comes last in order: 1 after 0, "yes" after "no". Where both means are the same there is
    no line, and every distance is 0.

    Berrar's Figure 1 has such a line, but drawn by hand, at 0.5. On the horizontal coordinate of
    its ten cases the means are 0.36 and 0.62, so this model puts the line at 0.49.

    >>> model = Boundary().fit([[0, 0], [0, 2], [4, 0], [4, 2]], [0, 0, 1, 1])
    >>> model.decision_function([[1, 5], [3, 5]]).tolist()
    [-1.0, 1.0]
    """

    classes_: tuple[Any, Any]
    middle: NDArray[float64]
    direction: NDArray[float64]

    def fit(self, X: Any, y: Any) -> Boundary:
        """Find the two means and what lies halfway between them."""
        points = _points(X)
        import numpy as np

        labels = np.asarray(y)
        if len(points) != len(labels):
            raise ValueError(
                f"X has {len(points)} rows, but y has {len(labels)} labels; each case needs both"
            )
        found = np.unique(labels)
        if len(found) != 2:
            listed = ", ".join(shorten(label) for label in found[:6].tolist())
            raise ValueError(f"a boundary lies between two classes, but the labels are {listed}")
        one, other = (points[labels == label].mean(axis=0) for label in found)
        gap = other - one
        length = float(np.linalg.norm(gap))
        # Means that differ by less than the error of computing them are the same.
        if length <= 1e-12 * float(np.abs(points).max()):
            gap, length = np.zeros_like(gap), 1.0
        self.classes_ = tuple(found.tolist())
        self.middle, self.direction = (one + other) / 2, gap / length
        return self

    def decision_function(self, X: Any) -> NDArray[float64]:
        """The signed distance of every row from the line."""
        if not hasattr(self, "direction"):
            raise ValueError("this Boundary is not trained yet; call fit(X, y) first")
        points = _points(X)
        if points.shape[1] != len(self.direction):
            raise ValueError(
                f"X has {points.shape[1]} features, but the boundary was trained on "
                f"{len(self.direction)}"
            )
        distances: NDArray[float64] = (points - self.middle) @ self.direction
        return distances

    def __repr__(self) -> str:
        if not hasattr(self, "direction"):
            return "Boundary()"
        middle, direction = (
            [float(f"{number:.4g}") for number in vector.tolist()]
            for vector in (self.middle, self.direction)
        )
        return f"Boundary(through {middle}, towards {direction})"


def _points(X: Any) -> NDArray[float64]:
    need("numpy", "model to train")
    import numpy as np

    try:
        points: NDArray[float64] = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            "X is no table of numbers; each row needs as many features as the others, "
            "as in [[0.1, 2], [0.2, 3]]"
        ) from None
    if points.size and not np.abs(points).max() < 1e150:
        raise ValueError("a boundary takes finite features, none beyond 10^150")
    if points.ndim != 2 or not points.size:
        raise ValueError(
            f"X has {points.ndim} dimension{'' if points.ndim == 1 else 's'}; "
            "each row needs its features, as in [[0.1], [0.2]]"
        )
    return points
