"""Bootstrap and permutation tests: against enumeration, loops over plain values, and libraries."""

import math
import threading
import xml.etree.ElementTree as ElementTree
from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import binteach as bt
from binteach import exact
from binteach.inference import resampling, statistic
from binteach.inference.resampling import random_subsets, rank_sum_counts, splits, splits_are_few

LABELS = [1, 0, 1, 1, 0, 0, 1]
SCORES = ["0.9", "0.8", "0.8", "0.6", "0.3", "0.2", "0.2"]
SMALL = bt.Cases(LABELS, SCORES)
ON_CASES = [m for m in bt.MEASURES.values() if m.takes not in ("triplets", "classes")]
every_measure = pytest.mark.parametrize("measure", ON_CASES, ids=lambda m: m.key)


def params_of(measure: bt.Measure, top: int = 3) -> dict[str, Any]:
    return {"top": top} if "top" in measure.accepts else {}


def float_or_reason(measure: bt.Measure, cases: bt.Cases, **params: Any) -> float | str:
    try:
        return float(bt.value(measure, cases, **params))
    except bt.Undefined as undefined:
        return undefined.reason


def close(left: float, right: float) -> bool:
    return math.isclose(left, right, rel_tol=1e-12, abs_tol=1e-12)


def random_cases(n: int, seed: int, places: int | None = None) -> bt.Cases:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    scores = (rng.random(n) + labels) / 2
    return bt.Cases(labels, scores if places is None else np.round(scores, places))


# Bootstrap --------------------------------------------------------------------------------------


def check_bootstrap(measure: bt.Measure, cases: bt.Cases, found: Any, params: Any) -> None:
    """Every drawn resample as Cases of its own, judged by the measure itself."""
    draws = np.random.default_rng(found.seed).integers(0, cases.n, (found.resamples, cases.n))
    values, reasons = [], Counter[str]()
    for draw in draws:
        drawn = bt.Cases([cases.labels[i] for i in draw], [cases.scores[i] for i in draw])
        value = float_or_reason(measure, drawn, **params)
        if isinstance(value, str):
            reasons[value] += 1
        else:
            values.append(value)
    assert found.undefined == reasons
    assert len(found.distribution) == len(values)
    assert all(map(close, found.distribution, values))


@every_measure
def test_the_bootstrap_is_the_measure_on_drawn_cases(measure: bt.Measure) -> None:
    params = params_of(measure)
    found = bt.bootstrap(SMALL, measure, resamples=25, seed=4, **params)
    if measure.takes == "counts":  # top=3 cuts under the score 0.8
        params = {"at": "0.8", "rule": ">="}
    check_bootstrap(measure, SMALL, found, params)
    assert found.estimate == bt.value(measure, SMALL, **params)


@pytest.mark.parametrize("places", [1, 2, None])
@pytest.mark.parametrize("key", sorted(statistic.AREAS))
def test_the_fast_areas_are_the_measure_on_drawn_cases(key: str, places: int | None) -> None:
    cases = random_cases(30, 5, places)
    found = bt.bootstrap(cases, key, resamples=40, seed=8)
    check_bootstrap(bt.MEASURES[key], cases, found, {})


@pytest.mark.parametrize(
    ("key", "params"),
    [
        ("balanced_cross_entropy", {"alpha": "0.3"}),
        ("information_score", {"prior": "0.4"}),
        ("relative_information_score", {"prior": "0.4"}),
        ("log_loss", {"base": "e"}),
        ("log_loss", {"epsilon": 0}),
        ("focal_loss", {"alpha": "0.3", "gamma": 3}),
        ("hinge_loss", {"scale": 4}),
    ],
    ids=str,
)
def test_means_with_parameters_are_the_measure_on_drawn_cases(
    key: str, params: dict[str, Any]
) -> None:
    cases = bt.Cases([*LABELS, 0, 1], [*SCORES, 1, 1])
    found = bt.bootstrap(cases, key, resamples=25, seed=4, **params)
    check_bootstrap(bt.MEASURES[key], cases, found, params)
    assert bool(found.undefined) == (params.get("epsilon") == 0)


def test_sklearn_agrees_on_every_drawn_auc() -> None:
    cases = random_cases(200, 1, 2)
    found = bt.bootstrap(cases, resamples=50, seed=9)
    labels, scores = np.array(cases.labels), np.array(cases.scores, dtype=float)
    draws = np.random.default_rng(9).integers(0, 200, (50, 200))
    other = [roc_auc_score(labels[draw], scores[draw]) for draw in draws]
    assert np.allclose(found.distribution, other, rtol=0, atol=1e-14)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 5)), min_size=1, max_size=12),
    st.integers(0, 10**6),
)
def test_2u_counts_the_pairs(pairs: list[tuple[int, int]], seed: int) -> None:
    labels, scores = zip(*pairs, strict=True)
    pool = statistic.Pool(np.array(labels, dtype=np.uint8), np.array(scores))
    area = statistic.AreaStatistic(bt.MEASURES["auc"], {}, pool)
    draws = np.random.default_rng(seed).integers(0, len(pairs), (4, len(pairs)))
    for draw, twice, negatives in zip(draws, *area._pairs(draws), strict=True):
        drawn = [pairs[i] for i in draw]
        downs = [score for label, score in drawn if not label]
        ups = [score for label, score in drawn if label]
        assert negatives == len(downs)
        assert twice == sum(2 * (up > down) + (up == down) for up in ups for down in downs)


@pytest.mark.parametrize("key", ["auc", "average_gain", "accuracy", "brier_score", "ks"])
def test_what_is_drawn_does_not_depend_on_how_much_is_drawn_at_once(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = bt.load("ten_cases")
    params = params_of(bt.MEASURES[key])
    whole = bt.bootstrap(cases, key, resamples=60, seed=2, **params)
    for kind in (statistic.Statistic, statistic.AreaStatistic, statistic.CountsStatistic):
        monkeypatch.setattr(kind, "batch", 70)
    monkeypatch.setattr(statistic.MeanStatistic, "batch", 70)
    parts = bt.bootstrap(cases, key, resamples=60, seed=2, **params)
    assert np.array_equal(whole.distribution, parts.distribution)


def test_a_cut_by_top_is_a_fixed_threshold_and_says_so() -> None:
    cases = bt.load("ten_cases")
    by_top = bt.bootstrap(cases, "precision", resamples=300, seed=1, top=4)
    by_score = bt.bootstrap(cases, "precision", resamples=300, seed=1, at="0.6", rule=">=")
    assert np.array_equal(by_top.distribution, by_score.distribution)
    assert "a score of at least 0.6, which is where top=4 cuts" in by_top.how
    assert "top" not in by_score.how
    assert "No case is called" in bt.bootstrap(cases, "accuracy", resamples=9, top=0).how


def test_the_ends_are_the_quantiles_of_numpy() -> None:
    for resamples, level in ((1, "0.95"), (2, "0.5"), (41, "0.95"), (1000, "0.9")):
        found = bt.bootstrap(bt.load("ten_cases"), resamples=resamples, seed=3, level=level)
        tail = float((1 - Fraction(level)) / 2)
        low, high = np.quantile(found.distribution, [tail, 1 - tail])
        assert close(found.low, low)
        assert close(found.high, high)
        assert close(found.mean, float(np.mean(found.distribution)))
        if resamples > 1:
            assert close(found.standard_error, float(np.std(found.distribution, ddof=1)))


def test_undefined_resamples_are_counted_with_their_reasons() -> None:
    found = bt.bootstrap(bt.Cases([1, 0, 0, 0], [4, 3, 2, 1]), resamples=500, seed=1)
    assert sum(found.undefined.values()) + len(found.distribution) == found.resamples == 500
    assert set(found.undefined) == {
        "there is no positive case, so n₊ = 0; 0/0 is not a number",
        "there is no negative case, so n₋ = 0; 0/0 is not a number",
    }
    text = str(found)
    assert f"The interval is about the other {len(found.distribution)}." in text
    assert "there is no positive case" in text


def test_where_every_resample_is_undefined_the_ends_say_why() -> None:
    found = bt.bootstrap(bt.Cases([1, 1], [1, 2]), resamples=5, seed=0)
    assert found.estimate is None
    assert "no negative case" in found.reason
    with pytest.raises(bt.Undefined, match="undefined in every resample: there is no negative"):
        _ = found.low
    assert repr(found) == "Bootstrap('auc', undefined, 5 resamples)"
    assert "is undefined here" in str(found)


def test_a_resample_with_too_few_negatives_is_counted_as_undefined() -> None:
    found = bt.bootstrap(SMALL, "roc_n", resamples=200, seed=1, n=3)
    assert "n is 3, but there are only 2 negative cases" in found.undefined


# Permutation ------------------------------------------------------------------------------------


def arrangements(cases: bt.Cases) -> list[bt.Cases]:
    n = cases.n
    return [
        bt.Cases([int(i in ups) for i in range(n)], cases.scores)
        for ups in combinations(range(n), int(cases.positives))
    ]


def enumerated_p(
    measure: bt.Measure, cases: bt.Cases, alternative: str, **params: Any
) -> tuple[Fraction, Counter[str]]:
    """By listing every arrangement; values this small differ visibly or not at all."""
    aim = float(bt.value(measure, cases, **params))
    found = [float_or_reason(measure, one, **params) for one in arrangements(cases)]
    lost = Counter(value for value in found if isinstance(value, str))
    values = [value for value in found if not isinstance(value, str)]
    sides = {
        "greater": sum(value > aim or close(value, aim) for value in values) + lost.total(),
        "less": sum(value < aim or close(value, aim) for value in values) + lost.total(),
    }
    if alternative == "two-sided":
        return min(Fraction(1), 2 * Fraction(min(sides.values()), len(found))), lost
    return Fraction(sides[alternative], len(found)), lost


@every_measure
def test_the_exact_test_takes_every_arrangement(measure: bt.Measure) -> None:
    params = params_of(measure)
    for alternative in ("greater", "less", "two-sided"):
        found = bt.permutation_test(SMALL, measure, alternative=alternative, **params)
        p, lost = enumerated_p(measure, SMALL, alternative, **params)
        assert found.exact
        assert found.berrar is None
        assert found.arrangements == math.comb(7, 4)
        assert (found.p, found.undefined) == (p, lost)
        defined = found.arrangements - sum(found.undefined.values())
        assert sum(count for _, count in found.support) == defined == len(found.distribution)


def test_the_ten_cases_have_the_known_p() -> None:
    cases = bt.load("ten_cases")
    for measure in ("auc", "gini", "pem"):
        found = bt.permutation_test(cases, measure)
        assert found.p == Fraction(19, 252)
        assert (found.as_extreme, found.arrangements) == (19, 252)
    assert repr(bt.permutation_test(cases)) == "Permutation('auc', p = 19/252)"


def test_scipy_enumerates_the_same_p() -> None:
    cases = bt.load("ten_cases")
    ups = [float(s) for s, y in zip(cases.scores, cases.labels, strict=True) if y]
    downs = [float(s) for s, y in zip(cases.scores, cases.labels, strict=True) if not y]

    def wins(x: Any, y: Any) -> int:
        return sum(a > b for a in x for b in y)

    other = scipy.stats.permutation_test(
        (ups, downs), wins, n_resamples=np.inf, alternative="greater"
    )
    assert close(other.pvalue, 19 / 252)


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
@pytest.mark.parametrize(("n", "seed"), [(9, 1), (24, 2), (60, 3)])
def test_without_ties_scipy_agrees(n: int, seed: int, alternative: str) -> None:
    cases = random_cases(n, seed)
    scores, labels = np.array(cases.scores, dtype=float), np.array(cases.labels)
    other = scipy.stats.mannwhitneyu(
        scores[labels == 1], scores[labels == 0], alternative=alternative, method="exact"
    )
    found = bt.permutation_test(cases, alternative=alternative)
    assert found.exact
    assert math.isclose(float(found.p), other.pvalue, rel_tol=1e-9)


@settings(max_examples=50)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=5), st.data())
def test_the_generating_function_counts_arrangements(sizes: list[int], data: st.DataObject) -> None:
    n = sum(sizes)
    ups = data.draw(st.integers(1, n))
    levels = [level for level, size in enumerate(sizes) for _ in range(size)]
    counts: Counter[int] = Counter()
    for chosen in combinations(range(n), ups):
        downs = [levels[i] for i in range(n) if i not in chosen]
        twice = sum(2 * (levels[i] > d) + (levels[i] == d) for i in chosen for d in downs)
        counts[twice] += 1
    assert rank_sum_counts(sizes, ups) == sorted(counts.items())


@given(st.lists(st.integers(1, 4), min_size=1, max_size=5), st.data())
def test_splits_add_up_to_all_arrangements(sizes: list[int], data: st.DataObject) -> None:
    ups = data.draw(st.integers(0, sum(sizes)))
    found = list(splits(sizes, ups))
    assert all(sum(split) == ups for split, _ in found)
    assert len({split for split, _ in found}) == len(found)
    assert sum(count for _, count in found) == math.comb(sum(sizes), ups)
    assert splits_are_few(sizes, ups)


def test_many_splits_are_too_many() -> None:
    assert splits_are_few([1] * 16, 8)  # 12,870
    assert not splits_are_few([1] * 17, 8)  # 24,310
    assert splits_are_few([400, 600], 300)
    assert not splits_are_few([1] * 10**6, 10**5)
    assert not splits_are_few([10**6, 10**6], 10**5)
    assert splits_are_few([1] * 150, 149)
    assert not splits_are_few([2] * 150, 297)


def test_a_test_of_counts_is_fishers_exact_test() -> None:
    cases = random_cases(300, 4)
    found = bt.permutation_test(cases, "precision", at="0.6")
    at = cases.at("0.6")
    other = scipy.stats.fisher_exact([[at.tp, at.fp], [at.fn, at.tn]], alternative="greater")
    assert found.exact
    assert math.isclose(float(found.p), other.pvalue, rel_tol=1e-9)


@every_measure
def test_random_arrangements_are_judged_by_the_measure(measure: bt.Measure) -> None:
    params = params_of(measure)
    found = bt.permutation_test(
        SMALL, measure, resamples=30, seed=6, method="monte_carlo", alternative="greater", **params
    )
    aim = float(bt.value(measure, SMALL, **params))
    b, values = 0, []
    for chosen in random_subsets(np.random.default_rng(6), 30, 7, 4):
        value = float_or_reason(measure, bt.Cases(chosen.astype(int), SCORES), **params)
        if isinstance(value, str):
            b += 1  # as if it were as extreme
        else:
            b += value > aim or close(value, aim)
            values.append(value)
    assert not found.exact
    assert (found.as_extreme, found.arrangements) == (b, 30)
    assert found.p == Fraction(b + 1, 31)
    assert found.berrar == Fraction(b, 30)
    assert all(map(close, found.distribution, values))
    assert len(found.distribution) == len(values)


def test_monte_carlo_comes_near_the_exact_p() -> None:
    for places in (1, None):
        cases = random_cases(40, 7, places)
        scores = [score + Fraction(i % 7, 2) for i, score in enumerate(cases.scores)]
        cases = bt.Cases(cases.labels, scores)
        exactly = bt.permutation_test(cases, method="exact")
        found = bt.permutation_test(cases, seed=1, resamples=20_000, method="monte_carlo")
        assert 0.01 < exactly.p < 0.99
        assert abs(float(found.p - exactly.p)) < 0.02
        assert abs(found.distribution.mean() - 0.5) < 0.005


def test_two_sided_monte_carlo_doubles_the_rarer_side() -> None:
    cases = bt.load("ten_cases")
    sides = {
        side: bt.permutation_test(
            cases, resamples=99, seed=5, method="monte_carlo", alternative=side
        )
        for side in ("greater", "less", "two-sided")
    }
    rarer = min(sides["greater"], sides["less"], key=lambda found: found.as_extreme)
    assert sides["two-sided"].as_extreme == rarer.as_extreme
    assert sides["two-sided"].p == min(1, 2 * rarer.p)
    assert rarer.berrar is not None
    assert sides["two-sided"].berrar == min(1, 2 * rarer.berrar)


def test_equal_values_count_as_extreme_even_where_floats_waver() -> None:
    # A third of 0.1 + 0.2 and 0.3: sums of the same scores in another order.
    cases = bt.Cases([1, 0, 1, 0, 1, 0], ["0.1", "0.1", "0.2", "0.2", "0.3", "0.3"])
    found = bt.permutation_test(
        cases, "brier_score", resamples=400, seed=1, method="monte_carlo", alternative="less"
    )
    aim = bt.value("brier_score", cases)
    chosen = random_subsets(np.random.default_rng(1), 400, 6, 3)
    values = [bt.value("brier_score", bt.Cases(c.astype(int), cases.scores)) for c in chosen]
    assert found.as_extreme == sum(value <= aim for value in values)
    assert any(value == aim for value in values)


@pytest.mark.parametrize(
    ("n", "size"), [(1, 0), (1, 1), (5, 2), (5, 3), (40, 40), (300, 10), (300, 150), (300, 280)]
)
def test_random_subsets_have_their_size_and_favour_nobody(n: int, size: int) -> None:
    chosen = random_subsets(np.random.default_rng(n + size), 4000, n, size)
    assert chosen.shape == (4000, n)
    assert (chosen.sum(axis=1) == size).all()
    share = size / n
    spread = math.sqrt(4000 * share * (1 - share))
    assert (np.abs(chosen.sum(axis=0) - 4000 * share) <= 5 * spread).all()


def test_all_subsets_are_equally_likely() -> None:
    chosen = random_subsets(np.random.default_rng(3), 20_000, 6, 2)
    counts = Counter(tuple(np.flatnonzero(row).tolist()) for row in chosen)
    assert len(counts) == 15
    assert scipy.stats.chisquare(list(counts.values())).pvalue > 0.001


# Degenerate data --------------------------------------------------------------------------------

DEGENERATE = {
    "one positive case": bt.Cases([1], ["0.5"]),
    "one negative case": bt.Cases([0], ["0.5"]),
    "only positives": bt.Cases([1, 1, 1], ["0.5", "0.5", "0.1"]),
    "only negatives": bt.Cases([0, 0, 0], ["0.5", "0.5", "0.1"]),
    "all scores equal": bt.Cases([1, 0, 1], ["0.5", "0.5", "0.5"]),
}


@every_measure
@pytest.mark.parametrize("cases", DEGENERATE.values(), ids=DEGENERATE)
def test_degenerate_data_give_an_outcome_or_a_reason(measure: bt.Measure, cases: bt.Cases) -> None:
    params = params_of(measure, top=cases.n if len(set(cases.scores)) == 1 else 2)
    found = bt.bootstrap(cases, measure, resamples=6, seed=1, **params)
    assert sum(found.undefined.values()) + len(found.distribution) == 6
    assert found.how in found.explain().meaning
    assert str(found)
    for method in ("exact", "monte_carlo"):
        asked = {"resamples": 6, "seed": 1, "alternative": "less", "method": method, **params}
        if found.estimate is None:
            with pytest.raises(bt.Undefined) as undefined:
                bt.permutation_test(cases, measure, **asked)
            assert undefined.value.reason == found.reason
        else:
            test = bt.permutation_test(cases, measure, **asked)
            assert 0 < test.p <= 1
            assert str(test)


# Comparing exact numbers ------------------------------------------------------------------------

fractions = st.fractions(-3, 3, max_denominator=20)
surds = st.builds(
    exact.Surd,
    st.sampled_from([Fraction(1, 2), Fraction(-1), Fraction(2, 3)]),
    st.sampled_from([Fraction(2), Fraction(3), Fraction(8), Fraction(1, 2)]),
)
logs = st.builds(
    lambda rational, factor, whole: exact.settle(exact.LogSum(2, rational, {whole: factor})),
    fractions,
    st.sampled_from([Fraction(1), Fraction(-2, 3)]),
    st.sampled_from([3, 6, 8, 12]),
)


@given(st.one_of(fractions, surds, logs), st.one_of(fractions, surds, logs))
def test_exact_numbers_compare_as_their_digits_do(left: Any, right: Any) -> None:
    difference = exact.to_sympy(left) - exact.to_sympy(right)
    expected = 0 if difference.equals(0) else (1 if difference.evalf(50) > 0 else -1)
    assert statistic.compare(left, right) == expected
    assert close(statistic.to_float(left), float(exact.to_sympy(left)))


def test_numbers_that_floats_cannot_tell_apart_are_told_apart() -> None:
    tiny = Fraction(1, 10**30)
    root = exact.Surd(Fraction(1), Fraction(2))
    log = exact.LogSum(2, Fraction(0), {3: Fraction(1)})
    assert statistic.compare(Fraction(1) + tiny, Fraction(1)) == 1
    assert statistic.compare(root, exact.Surd(Fraction(1), Fraction(2) + tiny)) == -1
    assert statistic.compare(exact.add(log, tiny), log) == 1
    assert (
        statistic.compare(exact.LogSum(2, Fraction(1), {3: Fraction(1)}), exact.log(Fraction(6), 2))
        == 0
    )


def test_equal_numbers_whose_floats_differ_are_equal() -> None:
    one, zero = Fraction(1), Fraction(0)
    wavered = False
    for left, right in combinations((2, 3, 5, 7, 11, 13, 17), 2):
        product = exact.LogSum(0, zero, {left * right: one})
        factors = exact.LogSum(0, zero, {left: one, right: one})
        wavered |= statistic.to_float(product) != statistic.to_float(factors)
        assert statistic.compare(product, factors) == 0
    assert wavered


# Seeds, progress, words -------------------------------------------------------------------------


def test_one_seed_gives_one_result_and_a_fresh_one_is_told() -> None:
    cases = random_cases(50, 3, 1)
    for function in (bt.bootstrap, bt.permutation_test):
        fresh = function(cases, "ks", resamples=20)
        assert isinstance(fresh.seed, int)
        again = function(cases, "ks", resamples=20, seed=fresh.seed)
        other = function(cases, "ks", resamples=20, seed=fresh.seed + 1)
        assert np.array_equal(fresh.distribution, again.distribution)
        assert not np.array_equal(fresh.distribution, other.distribution)
        assert f"seed={fresh.seed}" in str(fresh)


def test_an_exact_test_needs_no_seed() -> None:
    found = bt.permutation_test(bt.load("ten_cases"), seed=5)
    assert found.exact
    assert found.seed is None


def test_the_bar_is_shown_on_request_and_starts_no_thread(
    capsys: pytest.CaptureFixture[str],
) -> None:
    running = threading.active_count()
    for progress, wanted in ((True, True), (False, False), (None, False)):
        bt.bootstrap(SMALL, resamples=50, seed=1, progress=progress)
        bt.permutation_test(SMALL, seed=1, method="monte_carlo", progress=progress, resamples=50)
        assert bool(capsys.readouterr().err) == wanted
    assert threading.active_count() == running


def test_the_explanation_says_why_p_is_not_b_over_k() -> None:
    found = bt.permutation_test(bt.load("ten_cases"), resamples=99, seed=1, method="monte_carlo")
    text = " ".join(str(found).split())
    assert f"p = ({found.as_extreme} + 1) / (99 + 1)" in text
    assert "Berrar takes b/k" in text
    assert "no test can show that chance never gives such a value" in text


def test_undefined_arrangements_are_explained() -> None:
    found = bt.permutation_test(SMALL, "positive_likelihood_ratio", top=3)
    assert found.undefined
    text = " ".join(str(found).split())
    assert "they can make p too large but never too small" in text


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
@pytest.mark.parametrize("method", ["exact", "monte_carlo"])
def test_every_format_shows_the_outcome(method: str, alternative: str) -> None:
    found = bt.permutation_test(SMALL, resamples=50, seed=1, method=method, alternative=alternative)
    sampled = bt.bootstrap(SMALL, "matthews_correlation", resamples=50, seed=1, top=3)
    for outcome in (found, sampled):
        derivation = outcome.explain()
        assert str(outcome) == derivation.text()
        assert derivation.latex()
        ElementTree.fromstring(f"<div>{derivation.html()}</div>")
        assert "<math" in outcome._repr_html_()


def test_a_tiny_p_keeps_its_digits() -> None:
    cases = bt.Cases([1] * 40 + [0] * 40, list(range(80, 0, -1)))
    found = bt.permutation_test(cases)
    assert found.p == Fraction(1, math.comb(80, 40))
    assert repr(found) == "Permutation('auc', p = 9.30e-24)"
    assert "≈ 9.30 × 10⁻²⁴" in str(found)
    calls = bt.Cases([1] * 600 + [0] * 600, [1] * 600 + [0] * 600)
    found = bt.permutation_test(calls, "accuracy", at="0.5")
    assert found.p == Fraction(1, math.comb(1200, 600))  # too small for a float
    assert repr(found) == "Permutation('accuracy', p = 2.52e-360)"


def test_a_long_count_is_rounded_when_shown() -> None:
    found = bt.permutation_test(random_cases(300, 4), "accuracy", at="0.6")
    assert found.arrangements == math.comb(300, int(random_cases(300, 4).positives))
    text = str(found)
    assert str(found.arrangements) not in text
    assert "number of all arrangements, rounded" in text
    assert "each of the about 10^" in text
    assert len(found.distribution) == 0  # too many to list
    assert sum(count for _, count in found.support) == found.arrangements


# What is refused --------------------------------------------------------------------------------


def test_weighted_cases_are_refused() -> None:
    cases = bt.Cases([1, 0], [2, 1], weights=[1, 2])
    for function in (bt.bootstrap, bt.permutation_test):
        with pytest.raises(ValueError, match="weighted cases cannot be resampled"):
            function(cases)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"resamples": 0}, "resamples is 0; it must be a whole number from 1"),
        ({"resamples": "many"}, "resamples is 'many'"),
        ({"seed": -1}, "seed is -1; it must be a whole number"),
        ({"seed": 1.5}, "seed is 1.5"),
        ({"nonsense": 1}, "auc does not take 'nonsense'"),
    ],
    ids=str,
)
def test_bad_arguments_are_named(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        bt.bootstrap(SMALL, **wrong)
    with pytest.raises(ValueError, match=words):
        bt.permutation_test(SMALL, method="monte_carlo", **wrong)


def test_bad_requests_are_named() -> None:
    with pytest.raises(ValueError, match="level is 2"):
        bt.bootstrap(SMALL, level=2)
    with pytest.raises(ValueError, match="resampling takes Cases, not"):
        bt.bootstrap(bt.Counts(1, 2, 3, 4), "precision")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="triplet_loss is not computed from Cases"):
        bt.bootstrap(SMALL, "triplet_loss")
    with pytest.raises(ValueError, match="precision on Cases needs one cut"):
        bt.bootstrap(SMALL, "precision")
    with pytest.raises(ValueError, match="top=2 cuts through a tie"):
        bt.bootstrap(SMALL, "precision", top=2)
    with pytest.raises(ValueError, match="alternative is 'more'"):
        bt.permutation_test(SMALL, alternative="more")
    with pytest.raises(ValueError, match="method is 'fast'"):
        bt.permutation_test(SMALL, method="fast")
    with pytest.raises(ValueError, match="say which values are extreme"):
        bt.permutation_test(SMALL, "prevalence")
    with pytest.raises(ValueError, match="too many arrangements"):
        bt.permutation_test(random_cases(60, 1), "ks", method="exact")
    with pytest.raises(bt.Undefined, match="no negative case"):
        bt.permutation_test(bt.Cases([1, 1], [1, 2]))


def test_the_limits_of_what_is_exact() -> None:
    assert bt.permutation_test(random_cases(100, 1, 2)).exact
    large = random_cases(1000, 1)
    assert not bt.permutation_test(large, resamples=10, seed=1).exact
    few = bt.Cases([1] * 3 + [0] * 500, list(range(503, 0, -1)))
    assert bt.permutation_test(few).p == Fraction(1, math.comb(503, 3))
    assert resampling.work_of_rank_sums([1] * 10**5, 50_000) > resampling.MOST_WORK_ASKED


def test_a_misspelt_option_and_swapped_arguments_are_found_out() -> None:
    with pytest.raises(ValueError, match="did you mean resamples="):
        bt.bootstrap(bt.load("ten_cases"), "auc", n_resamples=10)
    with pytest.raises(ValueError, match="the data come first"):
        bt.bootstrap("auc", bt.load("ten_cases"))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="seed is 'a'; it must be a whole number"):
        bt.bootstrap(bt.load("ten_cases"), seed="a")  # type: ignore[arg-type]


@pytest.mark.parametrize("key", ["focal_loss", "log_loss", "brier_score"])
def test_long_scores_are_resampled_as_single_values_are(key: str) -> None:
    """Against the mean over the drawn cases of each case's own measure."""
    rng = np.random.default_rng(5)
    labels, scores = rng.integers(0, 2, 40), rng.random(40)
    cases = bt.Cases(labels, scores)
    found = bt.bootstrap(cases, key, resamples=20, seed=3)
    alone = [float(bt.value(key, bt.Cases([y], [p]))) for y, p in zip(labels, scores, strict=True)]
    draws = np.random.default_rng(3).integers(0, 40, (20, 40))
    assert found.distribution == pytest.approx(np.array(alone)[draws].mean(axis=1), rel=1e-12)
