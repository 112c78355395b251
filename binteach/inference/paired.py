"""Two models on the same cases: is the difference of a measure more than chance?

The difference is always first model minus second. Cases are paired: row i of both is one case.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from binteach import exact
from binteach.cases import WITHOUT_ARRAYS, Cases, Undefined
from binteach.exact import Exact
from binteach.inference.outcomes import Bootstrap, Permutation, p_value
from binteach.inference.resampling import (
    Comparison,
    attempt,
    doubled_ranks,
    draw_with_replacement,
    fixed_cut,
    progress_bar,
    read_alternative,
    read_resamples,
    read_seed,
)
from binteach.inference.statistic import (
    Pool,
    ask,
    pool_of,
    statistic_of,
    uses_order_alone,
)
from binteach.inference.working import read_level
from binteach.measures import Context, Measure, evaluate
from binteach.measures import measure as find_measure
from binteach.measures.symbols import cases_of
from binteach.needs import need

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from binteach.inference.statistic import Draws, Statistic

MOST_SWAPPED = 14  # cases that differ, up to which all 2^m swaps are taken


def _ask_both(
    measure: Measure, first: Any, second: Any, params: dict[str, Any]
) -> tuple[Context, Context]:
    """The measure for both models; their labels must be the same, row by row."""
    need("numpy", WITHOUT_ARRAYS)
    import numpy as np

    contexts = (ask(measure, first, params), ask(measure, second, params))
    if first.n != second.n:
        raise ValueError(
            f"first has {first.n} cases, but second has {second.n}; both models must be judged "
            "on the same cases, in the same order"
        )
    labels = first.label_array(), second.label_array()
    differing = np.flatnonzero(labels[0] != labels[1])
    if len(differing):
        row = int(differing[0])
        raise ValueError(
            f"row {row + 1} has the label {labels[0][row]} in first, but {labels[1][row]} in "
            "second; both models must be judged on the same cases, in the same order"
        )
    return contexts


def _minus(left: Exact, right: Exact) -> Exact:
    return exact.settle(exact.add(left, exact.negate(right)))


class _Difference:
    """Value of the first model minus value of the second, in resamples drawn for both."""

    def __init__(self, first: Statistic, second: Statistic) -> None:
        self.first, self.second = first, second

    def floats(self, draws: Draws, others: Draws) -> NDArray[np.float64]:
        """The difference in each row; not a number where one of the two values is undefined."""
        return self.first.floats(draws) - self.second.floats(others)

    def sizes(self, draws: Draws, others: Draws) -> NDArray[np.float64]:
        """The size of the larger value in each row."""
        import numpy as np

        return np.maximum(abs(self.first.floats(draws)), abs(self.second.floats(others)))

    def exact(self, draw: Draws, other: Draws) -> Exact:
        """The exact difference; raises Undefined and says for which model."""
        values = []
        for name, statistic, one in (("first", self.first, draw), ("second", self.second, other)):
            try:
                values.append(statistic.exact(one))
            except Undefined as undefined:
                raise Undefined(f"{name} model: {undefined.reason}") from None
        return _minus(*values)


# Bootstrap ------------------------------------------------------------------------------------


def paired_bootstrap(
    first: Cases,
    second: Cases,
    measure: str | Measure = "auc",
    *,
    resamples: int = 10_000,
    seed: int | None = None,
    level: Any = "0.95",
    progress: bool | None = None,
    **params: Any,
) -> Bootstrap:
    """[low, high]: where the difference of two models lies in most resamples of the cases.

    Both models are judged on the same draw, so what makes a draw easy for both cancels out.
    """
    wanted, count, share = find_measure(measure), read_resamples(resamples), read_level(level)
    contexts = _ask_both(wanted, first, second, params)
    (one, why_one), (other, why_other) = map(attempt, contexts)
    told = (("first model", why_one), ("second model", why_other))
    reason = "; ".join(f"{name}: {words}" for name, words in told if words)
    estimate = None if one is None or other is None else exact.public(_minus(one, other))
    statistics = [statistic_of(context, pool_of(context), params) for context in contexts]
    difference = _Difference(*statistics)
    used = read_seed(seed)
    values, undefined = draw_with_replacement(
        first.n,
        count,
        used,
        statistics[0].rows(first.n),
        progress,
        lambda draws: difference.floats(draws, draws),
        lambda draw: difference.exact(draw, draw),
    )
    cuts = "".join(
        f" {name}:{cut}"
        for name, cut in zip(("First model", "Second model"), map(fixed_cut, contexts), strict=True)
        if cut
    )
    how = (
        f"From the {first.n:,} cases, {first.n:,} are drawn with replacement, again and again, "
        f"{count:,} times. Both models are judged on the same draw, and the value of the second "
        f"is subtracted from that of the first.{cuts}"
    )
    return Bootstrap(wanted, estimate, share, count, used, values, undefined, how, reason, True)


# Permutation ----------------------------------------------------------------------------------


def paired_permutation(
    first: Cases,
    second: Cases,
    measure: str | Measure = "auc",
    *,
    resamples: int = 10_000,
    seed: int | None = None,
    alternative: str | None = "two-sided",
    progress: bool | None = None,
    **params: Any,
) -> Permutation:
    """p: how often swapping the models at random gives a difference as large as this one.

    If the models are equally good, it does not matter which of the two gave which score. For each
    case they are swapped with probability 1/2. What is swapped is what the measure sees: the
    calls where it takes counts, the mean ranks where only the order counts, else the scores.
    Where at most 14 cases differ all swaps are taken, and p is exact.
    """
    wanted, count = find_measure(measure), read_resamples(resamples)
    side = read_alternative(alternative, wanted)
    contexts = _ask_both(wanted, first, second, params)
    import numpy as np

    observed = _minus(evaluate(contexts[0]), evaluate(contexts[1]))
    pool = _swap_pool(*contexts)
    movable = np.flatnonzero(pool.seen[: first.n] != pool.seen[first.n :])
    exactly = len(movable) <= MOST_SWAPPED
    used = None if exactly else read_seed(seed)
    total = 2 ** len(movable) if exactly else count
    statistic = statistic_of(contexts[0], pool, params)
    difference = _Difference(statistic, statistic)
    seen = Comparison(observed)
    with progress_bar(total, progress) as advance:
        for swapped in _swaps(len(movable), total, statistic.rows(first.n), used):
            _judge(difference, movable, swapped, first.n, seen)
            advance(len(swapped))
    b = seen.as_extreme(side)
    return Permutation(
        wanted,
        exact.public(observed),
        side,
        p_value(b, total, exactly, side),
        exactly,
        total,
        b,
        dict(seen.undefined),
        used,
        np.sort(seen.distribution) if exactly else seen.distribution,
        _how(wanted, first.n, len(movable), total, exactly),
        difference=True,
    )


def _swap_pool(first: Context, second: Context) -> Pool:
    """Every case twice: with what the measure sees of the first model, then of the second."""
    import numpy as np

    pools = [pool_of(context) for context in (first, second)]
    if uses_order_alone(first.measure):
        pools = [Pool(pool.labels, doubled_ranks(pool.levels)) for pool in pools]
    elif pools[0].seen.dtype != pools[1].seen.dtype:
        # 0.1 is 1/10 in every kind of number, but not in two kinds compared with one another.
        exactly = [np.array(cases_of(context).scores, dtype=object) for context in (first, second)]
        pools = [Pool(pool.labels, seen) for pool, seen in zip(pools, exactly, strict=True)]
    labels, seen = ([getattr(pool, name) for pool in pools] for name in ("labels", "seen"))
    return Pool(np.concatenate(labels), np.concatenate(seen))


def _swaps(width: int, total: int, rows: int, seed: int | None) -> Iterator[NDArray[np.int64]]:
    """Rows of 0 and 1, 1 for a case that is swapped: random ones, or all without a seed."""
    import numpy as np

    rng = None if seed is None else np.random.default_rng(seed)
    for start in range(0, total, rows):
        numbers = np.arange(start, min(start + rows, total))
        if rng is None:
            yield numbers[:, None] >> np.arange(width) & 1
        else:
            # Whole words are drawn, so that it does not matter how many rows come at once.
            yield rng.integers(0, 2**32, (len(numbers), width)) >> 31


def _judge(
    difference: _Difference,
    movable: NDArray[np.int64],
    swapped: NDArray[np.int64],
    n: int,
    seen: Comparison,
) -> None:
    """Compare the differences after these swaps."""
    import numpy as np

    draws = np.tile(np.arange(n), (len(swapped), 1))
    draws[:, movable] += n * swapped
    others = (draws + n) % (2 * n)  # what the first model does not have, the second has
    found = difference.floats(draws, others)
    sizes = difference.sizes(draws, others)
    seen.take(found, lambda row: difference.exact(draws[row], others[row]), sizes)


def _how(measure: Measure, n: int, differ: int, total: int, exactly: bool) -> str:
    if measure.takes == "counts":
        what = "its two calls, positive or negative, each made at the cut of its model,"
    elif uses_order_alone(measure):
        what = (
            "its two mean ranks, each among the cases of one model, so that the models may score "
            "on different scales,"
        )
    else:
        what = "its two scores, which must be on one and the same scale,"
    taken = "All of them are taken." if exactly else f"Of these, {total:,} are drawn at random."
    return (
        f"If both models are equally good, it is chance which of the two gave what. So for each "
        f"case {what} are swapped or not, with probability 1/2. They differ for {differ:,} of the "
        f"{n:,} cases, which makes 2^{differ} ways. {taken}"
    )
