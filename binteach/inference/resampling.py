"""Bootstrap intervals and permutation tests for any measure of cases.

Glossary
  resample     as many cases as there are, drawn from them with replacement
  arrangement  one way to put the labels there are on the cases there are
  2U           twice the number of pairs in which the positive is ranked above the negative, a tie
               counting one half; AUC = 2U / (2 n₊n₋)

One seed gives the same resamples whatever the measure. Index draws do not depend on how many are
taken at once. Random arrangements do, so their number at once follows from n alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from binteach import exact
from binteach.cases import WITHOUT_ARRAYS, Cases, Undefined, decimal_text
from binteach.columns import times, whole_sum
from binteach.exact import Exact, shorten
from binteach.inference.outcomes import ALTERNATIVES, Bootstrap, Permutation, p_value
from binteach.inference.statistic import (
    AREAS,
    BATCH,
    SLACK,
    Pool,
    Statistic,
    area_floats,
    ask,
    compare,
    pool_of,
    statistic_of,
    to_float,
)
from binteach.inference.working import read_level, whole
from binteach.lists import FEW, engine
from binteach.measures import Context, Measure, evaluate
from binteach.measures import measure as find_measure
from binteach.needs import need

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_RESAMPLES = 10**8
MOST_ENUMERATED = 20_000  # arrangements that are evaluated one by one
MOST_GROUPS = 200  # groups of tied cases over which positives are split
MOST_BITS = 20_000  # length of the numbers of arrangements
MOST_LISTED = 20_000  # values that are listed in a distribution
# Bytes that the generating function moves: by itself about half a second, by request a minute.
MOST_WORK, MOST_WORK_ASKED = 10**9, 10**11
SUBSETS_AT_ONCE = 2**20  # elements; the random arrangements depend on it
METHODS = (None, "exact", "monte_carlo")

Support = tuple[tuple[Any, int], ...]
"""Distinct values, ascending, and how often each occurs; floats where they are irrational."""


# Reading what was asked -----------------------------------------------------------------------


def read_resamples(given: object) -> int:
    """The number of resamples, a whole number."""
    remedy = f"it must be a whole number from 1 to {MOST_RESAMPLES:,}"
    return whole(given, "resamples", 1, MOST_RESAMPLES, remedy)


def read_seed(given: object) -> int:
    """The seed; a fresh one where none is given, so that every run can be repeated."""
    if given is None:
        need("numpy", WITHOUT_ARRAYS)
        import numpy as np

        return int(np.random.default_rng().integers(2**32))
    return whole(given, "seed", 0, 2**128, "it must be a whole number from 0 to 2^128")


def read_alternative(given: object, measure: Measure) -> str:
    """Which values are extreme: by default the good ones."""
    if given is None:
        if not measure.direction:
            raise ValueError(
                f"neither a large nor a small {measure.key} is good, so say which values are "
                "extreme: alternative='greater', 'less' or 'two-sided'"
            )
        return "greater" if measure.direction > 0 else "less"
    if given not in ALTERNATIVES:
        listed = ", ".join(map(repr, ALTERNATIVES))
        raise ValueError(f"alternative is {shorten(given)}; it must be one of {listed}")
    return str(given)


@contextmanager
def progress_bar(total: int, progress: bool | None) -> Iterator[Callable[[int], object]]:
    """How far the work is: shown after two seconds; always if True, never if False."""
    if progress is False:
        yield lambda done: None
        return
    from tqdm import tqdm

    class Bar(tqdm):  # type: ignore[misc]
        monitor_interval = 0  # otherwise a thread would watch it

    with Bar(total=total, delay=0 if progress else 2, leave=False, unit="resamples") as bar:
        yield bar.update


def attempt(context: Context) -> tuple[Exact | None, str]:
    """The value on the cases as they are, or the reason why there is none."""
    try:
        return evaluate(context), ""
    except Undefined as undefined:
        return None, undefined.reason


# Bootstrap ------------------------------------------------------------------------------------


def bootstrap(
    cases: Cases,
    measure: str | Measure = "auc",
    /,
    resamples: int = 10_000,
    seed: int | None = None,
    level: Any = "0.95",
    progress: bool | None = None,
    **params: Any,
) -> Bootstrap:
    """[low, high]: where a measure lies in most resamples of the cases.

    A cut by top= becomes a fixed threshold: the score of the last case above the cut. In a
    resample copies of a case tie, and no cut may split a tie.

    >>> from binteach.data import load
    >>> bootstrap(load("ten_cases"), "auc", resamples=1000, seed=1)
    Bootstrap('auc', 0.4286 to 1, 1000 resamples)
    """
    wanted, count, share = find_measure(measure), read_resamples(resamples), read_level(level)
    context = ask(wanted, cases, params)
    estimate, reason = attempt(context)
    statistic = statistic_of(context, pool_of(context), params)
    used = read_seed(seed)
    values, undefined = draw_with_replacement(
        cases.n, count, used, statistic.rows(cases.n), progress, statistic.floats, statistic.exact
    )
    how = (
        f"From the {cases.n:,} cases, {cases.n:,} are drawn with replacement, again and again, "
        f"{count:,} times; each time the measure is taken anew.{fixed_cut(context)}"
    )
    shown = None if estimate is None else exact.public(estimate)
    return Bootstrap(wanted, shown, share, count, used, values, undefined, how, reason)


def draw_with_replacement(
    n: int,
    count: int,
    seed: int,
    rows: int,
    progress: bool | None,
    floats: Callable[[NDArray[np.int64]], NDArray[np.float64]],
    exactly: Callable[[NDArray[np.int64]], object],
) -> tuple[NDArray[np.float64], dict[str, int]]:
    """The defined values in resamples of n cases, and how often which reason left none."""
    import numpy as np

    rng = np.random.default_rng(seed)
    values = np.empty(count)
    reasons: Counter[str] = Counter()
    with progress_bar(count, progress) as advance:
        for start in range(0, count, rows):
            draws = rng.integers(0, n, (min(rows, count - start), n))
            found = values[start : start + len(draws)] = floats(draws)
            reasons.update(why(exactly, draw) for draw in draws[np.isnan(found)])
            advance(len(draws))
    return values[~np.isnan(values)], dict(reasons)


def why(exactly: Callable[[Any], object], which: Any) -> str:
    """The reason why a measure is undefined in a resample."""
    try:
        exactly(which)
    except Undefined as undefined:
        return undefined.reason
    raise AssertionError("floats and exact values disagree on what is defined")


def fixed_cut(context: Context) -> str:
    """Which cases are called positive in every resample, where top= asked for a cut."""
    if context.cut is None or not context.measure.needs_cut or context.params["at"] is not None:
        return ""
    assert context.cases is not None
    k = context.cut.k
    if k == 0:
        return " No case is called positive."
    score = context.cases.score(int(context.cases.ranking.order[k - 1]))
    return (
        f" Called positive are the cases with a score of at least {decimal_text(score)}, which is "
        f"where top={k} cuts. This threshold stays: in a resample copies of a case tie, and no "
        "cut may split a tie."
    )


# Permutation test -----------------------------------------------------------------------------


def permutation_test(
    cases: Cases,
    measure: str | Measure = "auc",
    /,
    resamples: int = 10_000,
    seed: int | None = None,
    alternative: str | None = None,
    progress: bool | None = None,
    method: str | None = None,
    **params: Any,
) -> Permutation:
    """p: the share of arrangements of the labels with a value at least as good as this one.

    Exact where all arrangements can be taken, otherwise from as many random ones as `resamples`
    says; method="exact" or "monte_carlo" asks for one of the two.

    >>> from binteach.data import load
    >>> permutation_test(load("ten_cases"), "auc").p
    Fraction(19, 252)
    """
    wanted, count = find_measure(measure), read_resamples(resamples)
    if method not in METHODS:
        raise ValueError(f"method is {shorten(method)}; it must be 'exact' or 'monte_carlo'")
    side = read_alternative(alternative, wanted)
    context = ask(wanted, cases, params)
    observed = evaluate(context)
    test = _Test(context, params, observed, side)
    if method == "exact" and not test.feasible(asked=True):
        raise ValueError(
            f"there are too many arrangements of {cases.positives:,} positives among {cases.n:,} "
            "cases to take them all; leave method='exact' out"
        )
    if method == "exact" or (method is None and test.feasible(asked=False)):
        return test.exactly()
    return test.at_random(count, read_seed(seed), progress)


class Comparison:
    """How many values are at least, and how many at most, as large as the observed one.

    Where floats are too close to tell, exact values decide. An undefined value counts as both.
    """

    def __init__(self, observed: Exact) -> None:
        self.observed = observed
        self.at_least = self.at_most = 0
        self.undefined: Counter[str] = Counter()
        self.values: list[NDArray[np.float64]] = []

    def take(
        self, values: NDArray[np.float64], exactly: Callable[[int], Exact], size: Any = 0.0
    ) -> None:
        """Count these values; `exactly` gives the exact value of one of them.

        `size` is that of the numbers they were computed from: a small difference of large numbers
        is as uncertain as these.
        """
        import numpy as np

        self.values.append(values)
        lost = np.flatnonzero(np.isnan(values))
        self.undefined.update(why(exactly, row) for row in lost.tolist())
        aim = to_float(self.observed)
        slack = SLACK * np.maximum(np.nan_to_num(size), max(1.0, abs(aim)))
        near = np.flatnonzero(np.abs(values - aim) <= slack)
        signs = [compare(exactly(row), self.observed) for row in near.tolist()]
        larger, smaller = int((values > aim + slack).sum()), int((values < aim - slack).sum())
        self.at_least += len(lost) + larger + sum(sign >= 0 for sign in signs)
        self.at_most += len(lost) + smaller + sum(sign <= 0 for sign in signs)

    def as_extreme(self, alternative: str) -> int:
        """b: the number of values as extreme; the rarer side where both sides count."""
        return on_side(alternative, self.at_least, self.at_most)

    @property
    def distribution(self) -> NDArray[np.float64]:
        """The defined values in the order in which they came."""
        import numpy as np

        values = np.concatenate(self.values)
        return values[~np.isnan(values)]


def on_side(alternative: str, at_least: int, at_most: int) -> int:
    """The arrangements that are as extreme, on the rarer side where both count."""
    return {"greater": at_least, "less": at_most}.get(alternative, min(at_least, at_most))


class _Test:
    """The labels of these cases, permuted over their scores."""

    def __init__(
        self, context: Context, params: dict[str, Any], observed: Exact, alternative: str
    ) -> None:
        assert context.cases is not None
        self.context, self.measure, self.cases = context, context.measure, context.cases
        self.params = params
        self.observed, self.alternative = observed, alternative
        self.n = self.cases.n
        self.ups, self.downs = int(self.cases.positives), int(self.cases.negatives)
        self.is_area = self.measure.key in AREAS and self.ups > 0 and self.downs > 0

    @cached_property
    def _pool(self) -> Pool:
        return pool_of(self.context)

    @cached_property
    def groups(self) -> NDArray[np.int64]:
        """For each case the group of those that the measure cannot tell apart."""
        return self._pool.levels

    @cached_property
    def sizes(self) -> list[int]:
        """The number of cases in each group; to an area, ties alone are alike."""
        if self.is_area:
            ends = self.cases.ranking.ends
            tied: list[int] = engine(ends).diff(ends).tolist()
            return tied[::-1]
        found = Counter(self.groups.tolist())
        return [found[group] for group in range(len(found))]

    @cached_property
    def statistic(self) -> Statistic:
        """The measure of any arrangement: each case is there as a negative and as a positive."""
        import numpy as np

        both = np.repeat(np.array([0, 1], dtype=np.uint8), self.n)
        pool = Pool(both, np.concatenate([self._pool.seen, self._pool.seen]))
        return statistic_of(self.context, pool, self.params)

    def feasible(self, asked: bool) -> bool:
        """Whether all arrangements can be taken."""
        if self.is_area:
            most = MOST_WORK_ASKED if asked else MOST_WORK
            return work_of_rank_sums(self.sizes, self.ups) <= most
        return splits_are_few(self.sizes, self.ups)

    @cached_property
    def _ranks(self) -> NDArray[np.int64]:
        return doubled_ranks(self.groups)

    @cached_property
    def _own_rank_sum(self) -> int:
        """Twice the sum of the ranks that the positives have."""
        ranking = self.cases.ranking
        ends, ups = ranking.ends, engine(ranking.ups).diff(ranking.ups)
        return whole_sum(times(ups, 2 * self.n + 1 - ends[1:] - ends[:-1]))

    # All arrangements.

    def exactly(self) -> Permutation:
        """b / N over all arrangements."""
        undefined: Counter[str] = Counter()
        if self.is_area:
            at_least, at_most, support = self._areas()
        else:
            at_least, at_most, support = self._enumerated(undefined)
        lost = sum(undefined.values())
        total = lost + sum(count for _, count in support)
        b = on_side(self.alternative, at_least + lost, at_most + lost)
        p = p_value(b, total, True, self.alternative)
        return self._outcome(p, True, total, b, undefined, None, listed(support), support)

    def _areas(self) -> tuple[int, int, Support]:
        """By 2U, a whole number with which the measure grows."""
        own, pairs = self._own_rank_sum - self.ups * (self.ups + 1), self.ups * self.downs
        found = rank_sum_counts(self.sizes, self.ups)
        support = []
        for twice, count in found:
            top, bottom, factor = AREAS[self.measure.key](twice, pairs, self.n)
            value = Fraction(top, bottom)
            support.append((value if factor == 1 else value * factor, count))
        at_least = sum(count for twice, count in found if twice >= own)
        at_most = sum(count for twice, count in found if twice <= own)
        return at_least, at_most, tuple(support)

    def _enumerated(self, undefined: Counter[str]) -> tuple[int, int, Support]:
        """Which cases of a group are positive does not matter, only how many."""
        import numpy as np

        members = [np.flatnonzero(self.groups == group) for group in range(len(self.sizes))]
        at_least = at_most = 0
        counts: dict[Any, int] = {}
        for split, count in splits(self.sizes, self.ups):
            draw = np.arange(self.n)
            for group, ups in zip(members, split, strict=True):
                draw[group[:ups]] += self.n
            try:
                value = self.statistic.exact(draw)
            except Undefined as reason:
                undefined[reason.reason] += count
                continue
            sign = compare(value, self.observed)
            at_least += count if sign >= 0 else 0
            at_most += count if sign <= 0 else 0
            # Twelve digits make one value of what was computed in two ways.
            key = value if isinstance(value, Fraction) else float(f"{to_float(value):.12g}")
            counts[key] = counts.get(key, 0) + count
        return at_least, at_most, tuple(sorted(counts.items()))

    # Random arrangements.

    def at_random(self, count: int, seed: int, progress: bool | None) -> Permutation:
        """(b + 1) / (k + 1) over k random arrangements."""
        need("numpy", WITHOUT_ARRAYS)
        import numpy as np

        rng = np.random.default_rng(seed)
        at_once = max(1, SUBSETS_AT_ONCE // self.n)
        rows = max(1, BATCH // self.n) if self.is_area else self.statistic.rows(self.n)
        judge = self._judge_areas if self.is_area else self._judge
        seen = Comparison(self.observed)
        with progress_bar(count, progress) as advance:
            for start in range(0, count, at_once):
                chosen = random_subsets(rng, min(at_once, count - start), self.n, self.ups)
                for row in range(0, len(chosen), rows):
                    judge(chosen[row : row + rows], seen)
                    advance(len(chosen[row : row + rows]))
        b = seen.as_extreme(self.alternative)
        p = p_value(b, count, False, self.alternative)
        return self._outcome(p, False, count, b, seen.undefined, seed, seen.distribution)

    def _judge_areas(self, chosen: NDArray[np.bool_], seen: Comparison) -> None:
        """2U = Σ 2 rank − n₊(n₊ + 1), compared as whole numbers."""
        import numpy as np

        # A float holds whole numbers below 2^24, a double below 2^53; sums reach n(n + 1).
        kind: Any = np.float32 if self.n * (self.n + 1) < 2**24 else np.float64
        sums = (chosen.astype(kind) @ self._ranks.astype(kind)).astype(np.int64)
        twice, pairs = sums - self.ups * (self.ups + 1), self.ups * self.downs
        seen.values.append(area_floats(self.measure, twice, pairs, self.n))
        seen.at_least += int((sums >= self._own_rank_sum).sum())
        seen.at_most += int((sums <= self._own_rank_sum).sum())

    def _judge(self, chosen: NDArray[np.bool_], seen: Comparison) -> None:
        """In the pool a case stands first as a negative, and n places later as a positive."""
        import numpy as np

        draws = np.arange(self.n) + self.n * chosen
        seen.take(self.statistic.floats(draws), lambda row: self.statistic.exact(draws[row]))

    def _outcome(
        self,
        p: Fraction,
        exactly: bool,
        arrangements: int,
        b: int,
        undefined: Counter[str],
        seed: int | None,
        distribution: NDArray[np.float64],
        support: Support = (),
    ) -> Permutation:
        taken = (
            "All of them are taken."
            if exactly
            else f"Of these, {arrangements:,} are drawn at random."
        )
        how = (
            "The labels are permuted, and the scores stay where they are: if the scores say "
            f"nothing about the labels, each of the {_arrangements(self.n, self.ups)} ways to put "
            f"{self.ups:,} positive labels on {self.n:,} cases is equally likely. {taken}"
        )
        return Permutation(
            self.measure,
            exact.public(self.observed),
            self.alternative,
            p,
            exactly,
            arrangements,
            b,
            dict(undefined),
            seed,
            distribution,
            how,
            support,
        )


def listed(support: Support) -> NDArray[np.float64]:
    """Every value as often as it occurs; nothing where that would be too long."""
    if sum(count for _, count in support) > MOST_LISTED:
        support = ()
    own = engine(rows=FEW + 1)  # an array wherever there is numpy
    values = own.array([float(value) for value, _ in support], dtype="float64")
    every: NDArray[np.float64] = own.repeat(values, [count for _, count in support])
    return every


def _arrangements(n: int, ups: int) -> str:
    """n! / (n₊! n₋!), as people write it."""
    digits = (math.lgamma(n + 1) - math.lgamma(ups + 1) - math.lgamma(n - ups + 1)) / math.log(10)
    return f"{math.comb(n, ups):,}" if digits < 15 else f"about 10^{math.floor(digits)}"


# Counting arrangements ------------------------------------------------------------------------


def splits_are_few(sizes: list[int], ups: int) -> bool:
    """Whether the positives can be split over the groups in few enough ways to take them all.

    The ways are the coefficient of q^ups in Π (1 + q + … + q^size). Up to half of all cases the
    coefficients never fall, so a low one that is too large settles it soon.
    """
    n = sum(sizes)
    fewer = min(ups, n - ups)  # to place the negatives is as many ways
    if len(sizes) > MOST_GROUPS or fewer * math.log2(n) > MOST_BITS:
        return False
    return all(_ways(sizes, k) <= MOST_ENUMERATED for k in (min(fewer, 10), fewer))


def _ways(sizes: list[int], ups: int) -> int:
    """The coefficient of q^ups in Π (1 + q + … + q^size); at least a number above the limit."""
    ways = [1] + [0] * ups
    for size in sizes:
        sums = [0, *accumulate(ways)]
        ways = [sums[j + 1] - sums[max(0, j - size)] for j in range(ups + 1)]
        if ways[ups] > MOST_ENUMERATED:
            break
    return ways[ups]


def splits(sizes: list[int], ups: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every way to split the positives over the groups, with Π C(size, positives in it)."""
    if not sizes:
        yield (), 1
        return
    size, rest = sizes[0], sizes[1:]
    room = sum(rest)
    for first in range(max(0, ups - room), min(size, ups) + 1):
        ways = math.comb(size, first)
        for others, count in splits(rest, ups - first):
            yield (first, *others), ways * count


def work_of_rank_sums(sizes: list[int], ups: int) -> int:
    """About how many bytes `rank_sum_counts` moves."""
    n, downs = sum(sizes), sum(sizes) - ups
    if ups * downs > 10**7:
        return ups * downs * n * n
    sums = 2 * min(ups, downs) * (n + len(sizes))
    longest = ups * downs * (1 if len(sizes) == n else 2) * math.comb(n, ups).bit_length() // 8
    return sums * longest // 8


def rank_sum_counts(sizes: list[int], ups: int) -> list[tuple[int, int]]:
    """Every value of 2U with its number of arrangements, by a generating function.

    The groups of tied cases come one after another, from the lowest score. With j positives and
    m negatives below, p positives in a group of s add p (2m + s − p) to 2U, in C(s, p) ways:
      f(j + p) += C(s, p) · f(j) · q^(p (2m + s − p))
    The coefficients of a polynomial in q are laid side by side in one large whole number, so that
    to multiply by a power of q is to shift it.
    """
    n = sum(sizes)
    downs = n - ups
    unit = 2 if len(sizes) == n else 1  # without ties 2U is even
    width = math.comb(n, ups).bit_length() // 8 + 1
    found = {0: 1}
    seen = 0
    for size in sizes:
        grown: dict[int, int] = {}
        for j, polynomial in found.items():
            m = seen - j
            for p in range(max(0, size - (downs - m)), min(size, ups - j) + 1):
                shift = 8 * width * (p * (2 * m + size - p) // unit)
                term = polynomial << shift
                if 0 < p < size:
                    term *= math.comb(size, p)
                grown[j + p] = grown.get(j + p, 0) + term
        found = grown
        seen += size
    digits = found[ups].to_bytes((2 * ups * downs // unit + 1) * width, "little")
    counts = (
        int.from_bytes(digits[place : place + width], "little")
        for place in range(0, len(digits), width)
    )
    return [(unit * place, count) for place, count in enumerate(counts) if count]


def doubled_ranks(levels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Twice the mean rank of each case, 1 being the lowest score: a whole number, ties included."""
    import numpy as np

    sizes = np.bincount(levels)
    ends = np.cumsum(sizes)
    ranks: NDArray[np.int64] = (2 * ends - sizes + 1)[levels]
    return ranks


def random_subsets(rng: np.random.Generator, rows: int, n: int, size: int) -> NDArray[np.bool_]:
    """In each row a random subset of n things with `size` members, all equally likely.

    First each thing is a member with a probability near size / n, which takes one random byte.
    Given its number of members, such a subset is like any other. Then random things are added
    or removed until the number is right.
    """
    import numpy as np

    if 2 * size > n:
        return ~random_subsets(rng, rows, n, n - size)
    # It is hard to hit a rare member for removal, so where they are rare there are too few.
    aim = size if 8 * size >= n else max(0.0, size - 2 * math.sqrt(size))
    chance = int(256 * aim / n)
    chosen = rng.integers(0, 256, (rows, n), dtype=np.uint8) < chance
    missing = size - np.count_nonzero(chosen, axis=1)
    wrong = np.flatnonzero(missing)
    while len(wrong):
        things = rng.integers(0, n, len(wrong))
        add = missing[wrong] > 0
        hit = chosen[wrong, things] != add
        chosen[wrong[hit], things[hit]] = add[hit]
        missing[wrong[hit]] -= np.where(add[hit], 1, -1)
        wrong = wrong[missing[wrong] != 0]
    return chosen
