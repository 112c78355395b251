"""A hundred thousand and a million cases: values, curves, derivations and certified values.

Nothing here knows how the library computes them. Every value is held to a definition in
`large_oracles.py`: exact where it takes seconds, in doubles for a million.
"""

import copy
import math
import pickle
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import pytest
from large_oracles import DOUBLES, EXACT, Doubles, Ranked, decimals
from sklearn import metrics

import binteach as bt

MILLION = 1_000_000
MANY = 100_000
SOME = 20_000
SHAPES = ("untied", "tied")
CURVES = ("roc", "roc_hull", "pr", "tpr_fpr", "gain", "lift", "hit_rate", "qrecall")


@cache
def arrays(n: int, shape: str) -> tuple[Any, Any]:
    """Labels and probabilities with a fixed seed; tied ones have two decimals, 0 and 1 included."""
    random = np.random.default_rng(n)
    scores = random.random(n)
    if shape == "tied":
        scores = np.round(scores, 2)
    return (random.random(n) < scores**2).astype(np.int64), scores


@cache
def cases_of(n: int, shape: str) -> bt.Cases:
    return bt.Cases(*arrays(n, shape))


@cache
def doubles_of(n: int, shape: str) -> Doubles:
    return Doubles(*arrays(n, shape))


def quota(key: str, n: int) -> dict[str, int]:
    """Parameters that cut somewhere in the ranking."""
    if "top" in bt.MEASURES[key].params:
        return {"top": n // 3}
    return {"roc_n": {"n": n // 7}, "decile_lift": {"decile": 4}}.get(key, {})


# What a ranking gives as arrays -----------------------------------------------------------------


@pytest.mark.parametrize("shape", SHAPES)
def test_labels_and_block_numbers_come_as_arrays(shape: str) -> None:
    labels, scores = arrays(MANY, shape)
    cases = cases_of(MANY, shape)
    given, numbers = cases.label_array(), cases.ranking.block_numbers()
    assert given.dtype == np.uint8
    assert np.array_equal(given, labels)
    assert numbers.dtype == np.int64
    right = np.unique(-scores, return_inverse=True)[1]
    assert np.array_equal(numbers, right)


def test_block_numbers_of_lists_and_adversarial_floats() -> None:
    above = float(np.nextafter(0.1, 1))
    for scores in (
        [0.1, above, 0.1, -0.0, 0.0, 1e308, -1e308],
        [Fraction(1, 10), above, "0.1", 0, "0", 10**308, "-1e308"],
        np.array([0.1, above, 0.1, -0.0, 0.0, 1.7e308, -1.7e308]),
    ):
        cases = bt.Cases([1, 0, 1, 0, 1, 0, 1], scores)
        numbers = cases.ranking.block_numbers()
        assert numbers.tolist() == [2, 1, 2, 3, 3, 0, 4]
        assert cases.label_array().tolist() == [1, 0, 1, 0, 1, 0, 1]


def test_what_is_done_to_these_arrays_changes_no_result() -> None:
    cases = bt.Cases(*arrays(SOME, "tied"))
    right = bt.value("auc", cases_of(SOME, "tied"))
    for give in (cases.label_array, cases.ranking.block_numbers):
        handed = give()
        if handed.flags.writeable:
            handed[:] = 1
    assert bt.value("auc", cases) == right
    assert bt.value("ks", cases) == bt.value("ks", cases_of(SOME, "tied"))
    assert np.array_equal(cases.label_array(), arrays(SOME, "tied")[0])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf], ids=str)
@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("n", [2, SOME])
def test_an_array_is_refused_with_the_message_of_a_list(bad: float, kind: Any, n: int) -> None:
    scores = np.full(n, 0.5, dtype=kind)
    scores[n - 1] = bad
    messages = []
    for given in (scores, scores.tolist()):
        with pytest.raises(ValueError, match=f"the score in row {n} is") as error:
            bt.Cases(np.arange(n) % 2, given)
        messages.append(str(error.value))
    assert messages[0] == messages[1]


# Exactly ----------------------------------------------------------------------------------------


# The definition of the hull takes n² steps, so that it runs on tied scores alone.
@pytest.mark.parametrize("key", [key for key in EXACT if key != "auch"])
@pytest.mark.parametrize("shape", SHAPES)
def test_thousands_of_cases_equal_the_exact_definition(key: str, shape: str) -> None:
    more = quota(key, SOME)
    assert bt.value(key, cases_of(SOME, shape), **more) == EXACT[key](ranked(SOME, shape), **more)


@cache
def ranked(n: int, shape: str) -> Ranked:
    labels, scores = arrays(n, shape)
    return Ranked(labels.tolist(), decimals(scores))


def test_the_hull_of_tied_scores_equals_the_exact_definition() -> None:
    assert bt.value("auch", cases_of(SOME, "tied")) == EXACT["auch"](ranked(SOME, "tied"))


def test_fifty_thousand_cases_equal_counting_pairs() -> None:
    for shape in SHAPES:
        data = ranked(50_000, shape)
        assert bt.value("auc", cases_of(50_000, shape)) == EXACT["auc"](data)


# scikit-learn -----------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", SHAPES)
def test_all_counts_are_those_of_scikit_learn(shape: str) -> None:
    labels, scores = arrays(MANY, shape)
    up = int(labels.sum())
    fpr, tpr, _ = metrics.roc_curve(labels, scores, drop_intermediate=False)
    cuts = cases_of(MANY, shape).ranking.cuts
    assert [int(cut.tp) for cut in cuts] == np.rint(tpr * up).astype(int).tolist()
    assert [int(cut.fp) for cut in cuts] == np.rint(fpr * (MANY - up)).astype(int).tolist()
    assert all(cut.k == cut.tp + cut.fp for cut in cuts)


@pytest.mark.parametrize("shape", SHAPES)
def test_values_are_those_of_scikit_learn(shape: str) -> None:
    labels, scores = arrays(MANY, shape)
    cases = cases_of(MANY, shape)
    for key, score in {
        "auc": metrics.roc_auc_score,
        "average_precision": metrics.average_precision_score,
        "brier_score": metrics.brier_score_loss,
        "mean_absolute_error": metrics.mean_absolute_error,
    }.items():
        assert float(bt.value(key, cases)) == pytest.approx(score(labels, scores), abs=1e-12), key
    inside = np.clip(scores, 0.01, 0.99)
    ours = bt.value("log_loss", bt.Cases(labels, inside), base="e")
    assert float(ours) == pytest.approx(metrics.log_loss(labels, inside), abs=1e-12)


# A million --------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", DOUBLES)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_million_cases_agree_with_doubles(key: str, shape: str) -> None:
    more = quota(key, MILLION)
    ours = float(bt.value(key, cases_of(MILLION, shape), **more))
    right = float(DOUBLES[key](doubles_of(MILLION, shape), **more))
    assert ours == pytest.approx(right, rel=1e-9, abs=1e-11)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_million_cases_are_cut_anywhere(shape: str) -> None:
    labels, scores = arrays(MILLION, shape)
    cases = cases_of(MILLION, shape)
    for threshold in (0, 0.5, 0.999, 1):
        above = scores > threshold
        tp, fp = int(labels[above].sum()), int((1 - labels[above]).sum())
        fn, tn = int(labels.sum()) - tp, MILLION - int(labels.sum()) - fp
        assert cases.at(threshold) == bt.Counts(tp, fp, fn, tn)
        assert cases.top(tp + fp) == bt.Counts(tp, fp, fn, tn)
        assert bt.value("accuracy", cases, at=threshold) == Fraction(tp + tn, MILLION)
    assert repr(cases).startswith(f"Cases(n={MILLION}, ")
    assert len(cases) == MILLION


@pytest.mark.parametrize("kind", ["float32", "int64", "big-endian", "span of 2^63 keys"])
def test_a_million_scores_of_other_kinds_give_the_auc_of_their_order(kind: str) -> None:
    labels, scores = arrays(MILLION, "untied")
    made: Any = {
        "float32": lambda: scores.astype(np.float32),
        "int64": lambda: (2 * scores - 1) * 2.0**62,
        "big-endian": lambda: scores.astype(">f8"),
        "span of 2^63 keys": lambda: (2 * scores - 1) * 1.7e308,
    }[kind]()
    if kind == "int64":
        made = made.astype(np.int64)
    order = np.unique(made, return_inverse=True)[1]
    right = metrics.roc_auc_score(labels, order)
    assert float(bt.value("auc", bt.Cases(labels, made))) == pytest.approx(right, abs=1e-12)


# Curves -----------------------------------------------------------------------------------------


def right_point(name: str, series: str, data: Doubles, cut: int) -> tuple[Fraction, Fraction]:
    """The point of a curve at a cut, counted anew."""
    place = int(np.searchsorted(data.k, cut))
    last, start = int(data.k[place]), int(data.k[max(place - 1, 0)])
    if last == cut:
        found = Fraction(int(data.tp[place]))
    else:  # inside a block, whose positives are spread evenly over it
        found = int(data.tp[place - 1]) + Fraction(
            (cut - start) * int(data.tp[place] - data.tp[place - 1]), last - start
        )
    up, down, prevalence = data.up, data.down, Fraction(data.up, data.n)
    tpr, fpr = found / up, (cut - found) / down
    if name in ("roc", "roc_hull"):
        return fpr, tpr
    if name == "pr":
        return tpr, found / cut
    heights: dict[tuple[str, str], Callable[[], Fraction]] = {
        ("tpr_fpr", "TPR"): lambda: tpr,
        ("tpr_fpr", "FPR"): lambda: fpr,
        ("gain", "model"): lambda: found,
        ("gain", "random"): lambda: cut * prevalence,
        ("lift", "model"): lambda: found / cut / prevalence,
        ("lift", "random"): lambda: Fraction(1),
        ("hit_rate", "model"): lambda: found / cut,
        ("hit_rate", "random"): lambda: prevalence,
        ("qrecall", "model"): lambda: tpr,
        ("qrecall", "random"): lambda: Fraction(cut, data.n),
        ("qrecall", "optimal"): lambda: min(Fraction(cut, up), Fraction(1)),
    }
    return Fraction(cut), heights[name, series]()


@cache
def hull_of(n: int, shape: str) -> Any:
    return bt.curve("roc_hull", cases_of(n, shape)).points


def thin(name: str, cases: bt.Cases, most: int) -> Any:
    return bt.curve(name, cases).thin(most)


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("n", [SOME, MILLION])
def test_a_thinned_curve_has_exact_points_and_both_ends(name: str, shape: str, n: int) -> None:
    cases, data = cases_of(n, shape), doubles_of(n, shape)
    thinned = thin(name, cases, 2000)
    curve = bt.curve(name, cases)
    assert (thinned.name, thinned.x, thinned.y) == (name, curve.x, curve.y)
    assert list(thinned.series) == list(curve.series)
    first = 1 if name in ("lift", "hit_rate") else int(data.k[1]) if name == "pr" else 0
    for series, points in thinned.series.items():
        assert len(points) <= 2000 + len(hull_of(n, shape)) + 10
        assert (points[0].cut, points[-1].cut) == (first, n)
        assert all(a.cut < b.cut for a, b in pairwise(points))
        for point in points:
            assert (point.x, point.y) == right_point(name, series, data, point.cut)
    if name in ("roc", "roc_hull", "pr", "tpr_fpr"):
        assert {point.cut for point in thinned.points} <= set(data.k.tolist())


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("n", [SOME, MILLION])
def test_a_thinned_roc_curve_keeps_every_corner_of_its_hull(shape: str, n: int) -> None:
    cases, data = cases_of(n, shape), doubles_of(n, shape)
    hull = hull_of(n, shape)
    kept = thin("roc", cases, 2000).points
    assert set(hull) <= set(kept)
    assert set(thin("roc_hull", cases, 2000).points) == set(hull)
    assert set(hull) <= set(thin("roc", cases, 50).points)
    # What is left out would not be seen: the joined points stay within a hundredth.
    drawn = np.interp(data.fpr + data.tpr, *columns(kept))
    assert np.max(np.abs(drawn - data.tpr)) < 0.01


def columns(points: Any) -> tuple[list[float], list[float]]:
    """FPR + TPR, which grows at every cut, and TPR."""
    return [float(p.x + p.y) for p in points], [float(p.y) for p in points]


@pytest.mark.parametrize("name", CURVES)
def test_a_thinned_curve_is_part_of_the_full_one(name: str) -> None:
    full = bt.curve(name, cases_of(5_000, "untied"))
    thinned = full.thin(300)
    for series, points in thinned.series.items():
        assert set(points) <= set(full.series[series])
    assert len(full.points) <= 5_001  # thinning leaves the full curve as it is
    short = bt.curve(name, bt.load("ten_cases"))
    assert list(short.thin(2000).points) == list(short.points)


@pytest.mark.parametrize("most", [-1, "many", 1.5, None], ids=repr)
def test_a_curve_is_thinned_to_a_whole_number_of_points(most: Any) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        thin("roc", bt.load("ten_cases"), most)


# Derivations ------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [*DOUBLES, "precision", "matthews_correlation"])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_derivation_of_many_cases_is_short(key: str, shape: str) -> None:
    more: dict[str, Any] = quota(key, MANY) if key in DOUBLES else {"at": "1/2"}
    derivation = bt.explain(key, cases_of(MANY, shape), **more)
    text = str(derivation)
    assert len(text) < 8_000
    assert max(map(len, text.splitlines())) < 1_000
    assert len(derivation.html()) < 80_000
    if key in DOUBLES:
        right = float(DOUBLES[key](doubles_of(MANY, shape), **more))
        assert float(derivation.decimal(12)) == pytest.approx(right, rel=1e-9, abs=1e-11)


# Certified values: at 100,000 distinct cuts -----------------------------------------------------

SUMS = ("average_precision", "average_lift", "mean_precision", "average_hit_rate")


@cache
def distinct(extra_ties: int = 5_000) -> tuple[Any, Any]:
    """More than 100,000 distinct scores, some of which occur twice."""
    random = np.random.default_rng(17)
    scores = random.permutation(MANY + 1_000) / (MANY + 1_000)
    scores = np.append(scores, scores[:extra_ties])
    return (random.random(len(scores)) < scores).astype(np.int64), scores


@cache
def ranked_distinct() -> Ranked:
    labels, scores = distinct()
    return Ranked(labels.tolist(), decimals(scores))


@cache
def right_value(key: str) -> Fraction:
    data = ranked_distinct()
    if key == "average_lift":  # the longest sum of all is not added up twice
        return right_value("mean_precision") / Fraction(data.up, data.n)
    return EXACT[key](data)


@cache
def certified(key: str) -> Any:
    return bt.value(key, bt.Cases(*distinct()))


@pytest.mark.parametrize("key", SUMS)
def test_the_float_is_the_nearest_one(key: str) -> None:
    # A quotient of two ints is rounded correctly, however long they are.
    right = right_value(key)
    assert float(certified(key)) == right.numerator / right.denominator


@pytest.mark.parametrize("key", SUMS)
def test_the_fraction_is_exact(key: str) -> None:
    fraction = Fraction(certified(key))
    assert type(fraction) is Fraction
    assert fraction == right_value(key)


@pytest.mark.parametrize("key", SUMS)
def test_a_certified_value_compares_as_its_fraction_does(key: str) -> None:
    value, right = certified(key), right_value(key)
    tiny = Fraction(1, 10**40)
    others: list[Any] = [right, right + tiny, right - tiny, right + tiny**8, right - tiny**8]
    others += [0, 1, 2, -1, 10**30, float(right), 0.0, 1.5, math.inf, -math.inf, math.nan]
    others += [math.nextafter(float(right), 2), math.nextafter(float(right), 0)]
    for other in others:
        assert (value < other) is (right < other)
        assert (value <= other) is (right <= other)
        assert (value == other) is (right == other)
        assert (value != other) is (right != other)
        assert (value >= other) is (right >= other)
        assert (value > other) is (right > other)
        assert (other < value) is (other < right)
        assert (other <= value) is (other <= right)
        assert (other == value) is (other == right)
        assert (other >= value) is (other >= right)
        assert (other > value) is (other > right)
    assert value != "text"
    with pytest.raises(TypeError):
        assert value < "text"


def test_certified_values_compare_with_one_another() -> None:
    labels, scores = distinct()
    order = np.random.default_rng(1).permutation(len(labels))
    same = bt.value("average_precision", bt.Cases(labels[order], scores[order] / 2))
    value = certified("average_precision")
    assert same == value
    assert (same != value) is False
    assert same <= value
    assert same >= value
    assert not same < value
    assert not same > value
    assert hash(same) == hash(value)
    # Two neighbours at the very end of the ranking change places: a step of about 1e-11.
    ranking = np.argsort(-scores, kind="stable")
    place = max(
        k
        for k in range(len(ranking) - 5_000, len(ranking) - 1)
        if labels[ranking[k]] > labels[ranking[k + 1]]
        and scores[ranking[k]] > scores[ranking[k + 1]]
    )
    worse = labels.copy()
    worse[ranking[place]], worse[ranking[place + 1]] = 0, 1
    less = bt.value("average_precision", bt.Cases(worse, scores))
    right = EXACT["average_precision"](Ranked(worse.tolist(), decimals(scores)))
    assert right < right_value("average_precision")
    assert less < value
    assert value > less
    assert less != value
    assert Fraction(less) == right
    assert sorted([value, less, certified("average_lift")])[0] == less


@pytest.mark.parametrize("key", SUMS)
def test_the_hash_is_that_of_the_fraction(key: str) -> None:
    assert hash(certified(key)) == hash(right_value(key))
    assert {right_value(key): "found"}[certified(key)] == "found"


def assert_shown_digits_are_right(text: str, low: Fraction, high: Fraction) -> None:
    """Every decimal in a text has the digits of the value, rounded or cut off."""
    shown = re.findall(r"\d+\.\d+", text)
    assert shown
    assert len(text) < 200
    for number in shown:
        places = len(number.partition(".")[2])
        assert places >= 6
        unit = Fraction(1, 10**places)
        cut_off = Fraction(number) <= low and high < Fraction(number) + unit
        rounded = (
            abs(Fraction(number) - low) <= unit / 2 and abs(Fraction(number) - high) <= unit / 2
        )
        assert cut_off or rounded, (number, float(low))


@pytest.mark.parametrize("key", SUMS)
def test_every_digit_shown_is_right(key: str) -> None:
    right = right_value(key)
    assert_shown_digits_are_right(str(certified(key)), right, right)
    assert_shown_digits_are_right(repr(certified(key)), right, right)


@pytest.mark.parametrize("key", SUMS)
def test_a_derivation_gives_as_many_digits_as_asked_for(key: str) -> None:
    derivation = bt.explain(key, bt.Cases(*distinct()))
    for places in (3, 17, 60, 1000):
        shown = Fraction(derivation.decimal(places))
        assert abs(shown - right_value(key)) <= Fraction(1, 2 * 10**places)
    assert len(str(derivation)) < 8_000


COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@pytest.mark.parametrize("again", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("key", [*SUMS, "log_loss"])
def test_a_copy_of_a_certified_value_is_the_same_value(
    key: str, again: Callable[[Any], Any]
) -> None:
    value = certified(key)
    twin = again(value)
    assert float(twin) == float(value)
    assert twin == value
    assert str(twin) == str(value)


@cache
def log_loss_bounds() -> tuple[Fraction, Fraction]:
    """Two rationals, 1e-50 apart, with the logarithmic loss in bits of `distinct` in between."""
    labels, scores = distinct()
    exact = zip(labels.tolist(), decimals(scores), strict=True)
    shares = [p if y else 1 - p for y, p in exact]
    shares = [share or Fraction(1, 10**5) for share in shares]
    with mpmath.workdps(80):
        bits = mpmath.mpf(0)
        for start in range(0, len(shares), 200):
            part = shares[start : start + 200]
            bits += mpmath.log(math.prod(share.denominator for share in part), 2)
            bits -= mpmath.log(math.prod(share.numerator for share in part), 2)
        middle = Fraction(mpmath.nstr(bits / len(shares), 70))
    return middle - Fraction(1, 2 * 10**50), middle + Fraction(1, 2 * 10**50)


def test_the_bounds_of_the_logarithmic_loss_hold_its_double() -> None:
    low, high = log_loss_bounds()
    assert float(low) == float(high) == pytest.approx(DOUBLES["log_loss"](Doubles(*distinct())))


def test_the_logarithmic_loss_is_certified_too() -> None:
    low, high = log_loss_bounds()
    value = certified("log_loss")
    assert float(value) == float(low) == float(high)
    assert low < value < high
    assert low <= value <= high
    assert high > value > low
    assert value != low
    assert value != float(value)
    assert bool(value < float(value)) is (low < Fraction(float(value)))
    assert 0 < value < 100
    assert_shown_digits_are_right(str(value), low, high)
    assert_shown_digits_are_right(repr(value), low, high)
