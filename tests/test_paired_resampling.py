"""Two models on the same cases: against enumeration of all swaps and loops over plain values."""

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
import scipy.stats

import binteach as bt
from binteach.inference import paired, paired_bootstrap, paired_permutation, statistic

LABELS = [1, 0, 1, 1, 0, 0, 1]
FIRST = bt.Cases(LABELS, ["0.9", "0.4", "0.8", "0.6", "0.3", "0.2", "0.4"])
SECOND = bt.Cases(LABELS, ["0.5", "0.8", "0.8", "0.6", "0.7", "0.2", "0.1"])
ON_CASES = [m for m in bt.MEASURES.values() if m.takes not in ("triplets", "classes")]
every_measure = pytest.mark.parametrize("measure", ON_CASES, ids=lambda m: m.key)


def params_of(measure: bt.Measure) -> dict[str, Any]:
    if measure.takes == "counts":
        return {"at": "0.5"}
    return {"top": 3} if "top" in measure.accepts else {}


def difference(
    measure: bt.Measure, first: bt.Cases, second: bt.Cases, params: dict[str, Any]
) -> float | None:
    try:
        return float(bt.value(measure, first, **params)) - float(
            bt.value(measure, second, **params)
        )
    except (bt.Undefined, ValueError):
        return None


def mean_ranks(cases: bt.Cases) -> list[Fraction]:
    return [
        Fraction(sum(2 * (other < score) + (other == score) for other in cases.scores) + 1, 2)
        for score in cases.scores
    ]


def close(left: float, right: float) -> bool:
    return math.isclose(left, right, rel_tol=1e-11, abs_tol=1e-11)


@every_measure
def test_both_models_are_judged_on_the_same_draw(measure: bt.Measure) -> None:
    params = params_of(measure)
    found = paired_bootstrap(FIRST, SECOND, measure, resamples=15, seed=3, **params)
    draws = np.random.default_rng(3).integers(0, 7, (15, 7))
    values = []
    for draw in draws:
        one, other = (
            bt.Cases([LABELS[i] for i in draw], [cases.scores[i] for i in draw])
            for cases in (FIRST, SECOND)
        )
        values.append(difference(measure, one, other, params))
    defined = [value for value in values if value is not None]
    assert len(found.distribution) == len(defined)
    assert all(map(close, found.distribution, defined))
    assert sum(found.undefined.values()) == values.count(None)
    aim = difference(measure, FIRST, SECOND, params)
    assert (found.estimate is None) == (aim is None)
    if aim is not None:
        assert close(float(found.estimate), aim)
    assert found.difference
    assert "first model minus second" in str(found)


@every_measure
def test_all_swaps_are_taken_where_few_cases_differ(measure: bt.Measure) -> None:
    params = params_of(measure)
    order_alone = measure.takes in ("ranking", "quota") and measure.key != "quota_pearson"
    scores = [mean_ranks(c) if order_alone else list(c.scores) for c in (FIRST, SECOND)]
    aim = difference(measure, FIRST, SECOND, params)
    if aim is None:
        with pytest.raises(bt.Undefined):
            paired_permutation(FIRST, SECOND, measure, **params)
        return
    # Swapping scores at one threshold is swapping calls.
    values = []
    for swaps in product((0, 1), repeat=7):
        sides = [[scores[swap ^ side][i] for i, swap in enumerate(swaps)] for side in (0, 1)]
        one, other = (bt.Cases(LABELS, side) for side in sides)
        values.append(difference(measure, one, other, params))
    lost = values.count(None)
    defined = [value for value in values if value is not None]
    at_least = lost + sum(value > aim or close(value, aim) for value in defined)
    at_most = lost + sum(value < aim or close(value, aim) for value in defined)
    expected = {
        "greater": Fraction(at_least, 128),
        "less": Fraction(at_most, 128),
        "two-sided": min(Fraction(1), 2 * Fraction(min(at_least, at_most), 128)),
    }
    for alternative, p in expected.items():
        found = paired_permutation(FIRST, SECOND, measure, alternative=alternative, **params)
        assert found.exact
        assert found.seed is None
        assert found.p == p
        assert Fraction(sum(found.undefined.values()), found.arrangements) == Fraction(lost, 128)


def test_two_sided_is_the_default() -> None:
    assert paired_permutation(FIRST, SECOND).alternative == "two-sided"


def many(seed: int = 1, n: int = 60) -> tuple[bt.Cases, bt.Cases]:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    first = np.round(rng.random(n) + labels / 2, 1)
    return bt.Cases(labels, first), bt.Cases(labels, np.round(rng.random(n) + labels / 4, 1))


def test_a_test_of_accuracy_is_a_binomial_test_of_the_cases_where_the_models_differ() -> None:
    first, second = many()
    calls = np.array([[score > Fraction(3, 4) for score in c.scores] for c in (first, second)])
    right = calls == np.array(first.labels, dtype=bool)
    only_first, only_second = (right[0] & ~right[1]).sum(), (right[1] & ~right[0]).sum()
    other = scipy.stats.binomtest(
        int(only_first), int(only_first + only_second), alternative="greater"
    )
    found = paired_permutation(
        first, second, "accuracy", at="0.75", resamples=20_000, seed=1, alternative="greater"
    )
    assert not found.exact
    assert found.p == Fraction(found.as_extreme + 1, 20_001)
    assert abs(float(found.p) - other.pvalue) < 0.015


def test_random_swaps_come_near_all_swaps(monkeypatch: pytest.MonkeyPatch) -> None:
    for measure in ("auc", "brier_score"):
        exactly = paired_permutation(FIRST, SECOND, measure)
        with monkeypatch.context() as patched:
            patched.setattr(paired, "MOST_SWAPPED", 0)
            found = paired_permutation(FIRST, SECOND, measure, seed=2, resamples=20_000)
        assert not found.exact
        assert abs(float(found.p - exactly.p)) < 0.03


def test_scales_do_not_matter_to_a_ranking() -> None:
    first, second = many()
    rescaled = bt.Cases(second.labels, [1000 * score - 7 for score in second.scores])
    one = paired_permutation(first, second, "auc", seed=4, resamples=200)
    other = paired_permutation(first, rescaled, "auc", seed=4, resamples=200)
    assert np.array_equal(one.distribution, other.distribution)
    assert "different scales" in one.how
    assert "same scale" in paired_permutation(first, second, "hinge_loss", resamples=9).how


def test_each_model_keeps_its_own_cut() -> None:
    labels = [1, 1, 0, 0, 1, 0]
    first = bt.Cases(labels, [60, 50, 40, 30, 20, 10])
    second = bt.Cases(labels, ["0.6", "0.1", "0.5", "0.4", "0.3", "0.2"])
    found = paired_permutation(first, second, "accuracy", top=2, alternative="greater")
    assert found.observed == Fraction(1, 3)
    assert (found.p, found.arrangements) == (Fraction(1, 4), 4)
    sampled = paired_bootstrap(first, second, "accuracy", top=2, resamples=20, seed=1)
    assert "at least 50" in sampled.how
    assert "at least 0.5" in sampled.how


def test_a_model_does_not_differ_from_itself() -> None:
    found = paired_permutation(FIRST, FIRST, "auc")
    assert (found.p, found.arrangements, found.observed) == (Fraction(1), 1, 0)
    sampled = paired_bootstrap(FIRST, FIRST, "ks", resamples=10, seed=1)
    assert set(sampled.distribution) == {0.0}


@pytest.mark.parametrize("measure", ["auc", "ks", "accuracy", "brier_score"])
def test_one_seed_gives_one_result_however_much_is_drawn_at_once(
    measure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (bt.Cases(c.labels, [s / 2 for s in c.scores]) for c in many(n=30))
    params: dict[str, Any] = {"at": "0.4"} if measure == "accuracy" else {}
    for function in (paired_bootstrap, paired_permutation):
        fresh = function(first, second, measure, resamples=30, **params)
        assert isinstance(fresh.seed, int) != getattr(fresh, "exact", False)
        with monkeypatch.context() as patched:
            for kind in (statistic.Statistic, *statistic.Statistic.__subclasses__()):
                patched.setattr(kind, "batch", 100)
            again = function(first, second, measure, resamples=30, seed=fresh.seed, **params)
        assert np.array_equal(fresh.distribution, again.distribution)


def test_undefined_differences_say_for_which_model() -> None:
    labels = [1, 0, 0, 0]
    first, second = bt.Cases(labels, [1, 0, 0, 0]), bt.Cases(labels, [1, 1, 0, 0])
    found = paired_bootstrap(first, second, "precision", at="0.5", resamples=200, seed=1)
    # Where the second model calls no case positive, neither does the first, which comes first.
    (reason,) = found.undefined
    assert reason.startswith("first model: no case was called positive")
    (reason,) = paired_bootstrap(
        second, first, "precision", at="0.5", resamples=200, seed=1
    ).undefined.keys() - {reason}
    assert reason.startswith("second model: no case was called positive")
    lost = paired_bootstrap(first, second, "precision", at=2, resamples=5, seed=1)
    assert lost.estimate is None
    assert lost.reason.startswith("first model: no case was called positive")
    with pytest.raises(bt.Undefined, match="no case was called positive"):
        paired_permutation(first, second, "precision", at=2)


def test_cases_that_do_not_match_are_refused() -> None:
    for function in (paired_bootstrap, paired_permutation):
        with pytest.raises(ValueError, match="row 2 has the label 0 in first, but 1 in second"):
            function(bt.Cases([1, 0, 1], [1, 2, 3]), bt.Cases([1, 1, 0], [1, 2, 3]))
        with pytest.raises(ValueError, match="first has 2 cases, but second has 3"):
            function(bt.Cases([1, 0], [1, 2]), bt.Cases([1, 0, 0], [1, 2, 3]))
        with pytest.raises(ValueError, match="weighted cases cannot be resampled"):
            function(FIRST, bt.Cases([1, 0], [1, 2], weights=[1, 2]))
        with pytest.raises(ValueError, match="resampling takes Cases"):
            function(FIRST, [1, 2])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="alternative is 'both'"):
        paired_permutation(FIRST, SECOND, alternative="both")


@pytest.mark.parametrize("kind", ["float32", "float16"])
def test_the_same_scores_in_two_kinds_of_numbers_are_the_same(kind: str) -> None:
    labels, scores = [1, 0, 1, 0, 1], ["0.9", "0.1", "0.4", "0.6", "0.7"]
    first = bt.Cases(labels, np.array(scores, dtype=kind))
    for second in (bt.Cases(labels, scores), bt.Cases(labels, np.array(scores, dtype=float))):
        found = paired_permutation(first, second, "brier_score")
        assert found.observed == 0
        assert found.arrangements == 1


def test_a_small_difference_of_large_values_is_compared_exactly() -> None:
    labels = [1, 0, 1]
    found = paired_permutation(
        bt.Cases(labels, [-29999999.8, 2e7, -19999999.9]),
        bt.Cases(labels, [-29999999.7, 2e7, -19999999.9]),
        "hinge_loss",
        alternative="greater",
    )
    assert found.p == Fraction(1, 2)
    labels = [0, 0, 0, 1, 1]
    found = paired_permutation(
        bt.Cases(labels, [0, 0, 1, 0, 1]),
        bt.Cases(labels, [1, 0, 0, 0, 0]),
        "expected_cost",
        alternative="greater",
        at=0.5,
        cost_fp=10**12,
        cost_fn=3,
    )
    assert found.p == Fraction(3, 4)
