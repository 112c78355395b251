"""Arrays mean the same as lists of exact numbers: every kind, every size, every adversarial float.

Nothing here knows how the library keeps cases. Small data run through every measure; the
adversarial ones run also in the middle of thousands of cases, where a fast path would be taken.
"""

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from large_oracles import EXACT, Ranked, alternating, big_endian, decimals, read_only

import binteach as bt

CURVES = ("roc", "roc_hull", "pr", "tpr_fpr", "gain", "lift", "hit_rate", "qrecall")
HALF = Fraction(1, 2)
LARGEST, SMALLEST = 1.7976931348623157e308, 5e-324
MANY = 3_000


def outcome(ask: Callable[[], Any]) -> tuple[str, Any]:
    """What happens: a value, a reason why there is none, or a refusal."""
    try:
        return "value", ask()
    except bt.Undefined as undefined:
        return "undefined", undefined.reason
    except ValueError as refusal:
        return "refused", str(refusal)


def agree(left: tuple[str, Any], right: tuple[str, Any]) -> bool:
    """Equal; irrational values may be written in two ways, and are then equal to forty digits."""
    if left[0] == right[0] == "value" and hasattr(left[1], "evalf") and hasattr(right[1], "evalf"):
        return bool(left[1] == right[1] or abs((left[1] - right[1]).evalf(50)) < 1e-40)
    return left == right


def arguments(measure: bt.Measure, n: int) -> Iterator[dict[str, Any]]:
    """Ways to ask a measure, some of which may be refused."""
    if measure.takes == "counts":
        for k in range(n + 1):
            yield {"top": k}
        for rule in (">", ">="):
            yield {"at": HALF, "rule": rule}
    elif "top" in measure.params:
        for k in (0, 1, n // 2, n, n + 1):
            yield {"top": k}
    else:
        yield {}
        if measure.key == "auc":
            yield from ({"method": method} for method in ("ranks", "pairs", "trapezoids"))
        if measure.key == "roc_n":
            yield from ({"n": n} for n in (1, 2, 50))
        if measure.key == "decile_lift":
            yield from ({"decile": d} for d in (2, 10))
        if measure.key == "hinge_loss":
            yield {"scale": 3}
        if measure.key == "log_loss":
            yield from ({"base": "e"}, {"epsilon": 0})


def called(cases: bt.Cases) -> list[tuple[Any, Any]]:
    """(TP, FP) at each cut."""
    return [(cut.tp, cut.fp) for cut in cases.ranking.cuts]


def twins(labels: list[int], scores: Any, **more: Any) -> tuple[bt.Cases, bt.Cases]:
    """The same cases from arrays and from lists of exact numbers."""
    exact = decimals(scores)
    return bt.Cases(np.array(labels), scores, **more), bt.Cases(labels, exact, **more)


def assert_same_ranking(given: bt.Cases, right: bt.Cases) -> None:
    """Everything but measures and curves is the same."""
    assert given.n == right.n == len(given)
    assert (given.positives, given.negatives) == (right.positives, right.negatives)
    assert type(given.positives) is type(right.positives)
    assert given.prevalence == right.prevalence
    assert given.ranking.cuts == right.ranking.cuts
    assert given.ranking.hull() == right.ranking.hull()
    assert given.labels == right.labels
    assert given.scores == right.scores
    assert given.names == right.names
    assert given.weights == right.weights
    assert given == right
    assert hash(given) == hash(right)
    assert repr(given) == repr(right)
    for k in range(-1, given.n + 2):
        assert outcome(lambda k=k: given.top(k)) == outcome(lambda k=k: right.top(k))  # type: ignore[misc]


# The same results -------------------------------------------------------------------------------

GRIDS = {
    "eighths": st.integers(0, 8).map(lambda k: k / 8),
    "tenths": st.integers(0, 10).map(lambda k: k / 10),
    "any probability": st.floats(0, 1) | st.sampled_from([0.0, -0.0, 0.1, 0.5, 1.0]),
    "any float": st.floats(allow_nan=False, allow_infinity=False) | st.integers(-2, 2).map(float),
}


@st.composite
def drawn_cases(draw: st.DrawFn, kinds: tuple[str, ...] = tuple(GRIDS)) -> tuple[list[int], Any]:
    """One class or two, one kind of scores, and one precision."""
    scores = draw(st.lists(GRIDS[draw(st.sampled_from(kinds))], min_size=1, max_size=12))
    labels = draw(
        st.lists(st.integers(0, 1), min_size=len(scores), max_size=len(scores))
        | st.just([1] * len(scores))
    )
    if 1 not in labels:
        labels[0] = 1  # all negative is a matter of `positive`, tested below
    kind: Any = np.float64
    if max(map(abs, scores)) < 60_000:
        kind = draw(st.sampled_from([np.float64, np.float64, np.float32, np.float16]))
    return labels, np.array(scores, dtype=kind)


@given(drawn_cases())
def test_cuts_tops_and_names_are_the_same(drawn: tuple[list[int], Any]) -> None:
    assert_same_ranking(*twins(*drawn))


def bits(number: Fraction) -> int:
    return max(number.numerator.bit_length(), number.denominator.bit_length())


@given(drawn_cases(), st.data())
def test_every_threshold_cuts_the_same(drawn: tuple[list[int], Any], data: st.DataObject) -> None:
    given, right = twins(*drawn)
    lines = set(right.scores)
    lines |= {(a + b) / 2 for a, b in pairwise(sorted(lines))}
    lines |= {Fraction(float(score)) for score in drawn[1]}  # just beside the decimal
    # A number of more than 400 digits is refused, as ever.
    for line in sorted(line for line in lines if bits(line) < 1300):
        rule = data.draw(st.sampled_from([">", ">="]))
        called = [s > line or (rule == ">=" and s == line) for s in right.scores]
        assert given.at(line, rule) == bt.Counts.from_labels(right.labels, called)


CASES_MEASURES = [
    measure
    for measure in bt.MEASURES.values()
    if measure.takes in ("counts", "scores", "ranking", "quota")
]


@pytest.mark.parametrize("measure", CASES_MEASURES, ids=lambda measure: measure.key)
@settings(max_examples=12)
@given(drawn=drawn_cases())
def test_every_measure_is_the_same(measure: bt.Measure, drawn: tuple[list[int], Any]) -> None:
    given, right = twins(*drawn)
    for more in arguments(measure, given.n):
        left = outcome(lambda more=more: bt.value(measure, given, **more))  # type: ignore[misc]
        assert agree(left, outcome(lambda more=more: bt.value(measure, right, **more)))  # type: ignore[misc]


def test_measures_of_all_four_kinds_are_compared() -> None:
    assert len(CASES_MEASURES) == len(bt.MEASURES) - 2
    assert {measure.takes for measure in CASES_MEASURES} == {"counts", "scores", "ranking", "quota"}


@pytest.mark.parametrize("name", CURVES)
@settings(max_examples=25)
@given(drawn=drawn_cases())
def test_every_curve_is_the_same(name: str, drawn: tuple[list[int], Any]) -> None:
    def shown(cases: bt.Cases) -> Callable[[], Any]:
        def points() -> Any:
            curve = bt.curve(name, cases)
            return {key: list(line) for key, line in curve.series.items()}, list(curve.points)

        return points

    given, right = twins(*drawn)
    assert outcome(shown(given)) == outcome(shown(right))
    assert outcome(lambda: str(bt.curve(name, given))) == outcome(
        lambda: str(bt.curve(name, right))
    )


@pytest.mark.parametrize("takes", ["scores", "ranking", "quota"])
@settings(max_examples=6)
@given(drawn=drawn_cases(("eighths", "tenths")))
def test_every_derivation_reads_the_same(takes: str, drawn: tuple[list[int], Any]) -> None:
    given, right = twins(*drawn)
    for measure in CASES_MEASURES:
        if measure.takes == takes:
            more = {"top": given.n} if "top" in measure.params else {}
            assert str(bt.explain(measure, given, **more)) == str(
                bt.explain(measure, right, **more)
            )


@given(drawn=drawn_cases(("eighths", "any float")), data=st.data())
def test_weighted_arrays_are_the_same(drawn: tuple[list[int], Any], data: st.DataObject) -> None:
    labels, scores = drawn
    n = len(labels)
    weights = data.draw(
        st.lists(st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0]), min_size=n, max_size=n)
    )
    weights[0] = 0.25
    given = bt.Cases(np.array(labels), scores, weights=np.array(weights, dtype=np.float32))
    right = bt.Cases(labels, decimals(scores), weights=[Fraction(repr(w)) for w in weights])
    assert_same_ranking(given, right)
    for key in ("auc", "ks", "average_precision", "brier_score", "hit_rate", "mean_precision"):
        more = {"top": 1} if key == "hit_rate" else {}
        left = outcome(lambda key=key, more=more: bt.value(key, given, **more))  # type: ignore[misc]
        assert left == outcome(lambda key=key, more=more: bt.value(key, right, **more))  # type: ignore[misc]


# Adversarial scores -----------------------------------------------------------------------------

ABOVE = np.nextafter(0.1, 1)
BELOW = np.nextafter(0.1, 0)


ADVERSARIAL: dict[str, Any] = {
    "neighbours": np.array([0.1, ABOVE, BELOW, 0.1, ABOVE, np.nextafter(ABOVE, 1)]),
    "neighbours of 1": np.array([1.0, np.nextafter(1, 2), np.nextafter(1, 0), 1.0, -1.0]),
    "neighbours of 0": np.array([0.0, SMALLEST, -SMALLEST, -0.0, 2 * SMALLEST, 0.0]),
    "negative neighbours": -np.array([0.1, ABOVE, BELOW, 0.1, ABOVE, BELOW]),
    "subnormals": np.array([SMALLEST, 1e-310, 2.2250738585072014e-308, 0, -1e-310, 1e-310]),
    "both zeros": np.array([0.0, -0.0, -0.0, 0.0, 1.0, -1.0]),
    "both zeros alone": np.array([-0.0, 0.0, -0.0, 0.0]),
    "huge": np.array([1e308, -1e308, 1e-308, -1e-308, 1e308, 0.0]),
    "a span of 2^63 keys": np.array([-1.7e308, 1.7e308, 0.5, -0.5, 1.7e308, -1.7e308]),
    "the whole span": np.array([LARGEST, -LARGEST, SMALLEST, -SMALLEST, 0.0, -0.0, LARGEST]),
    "neighbours of the largest": np.array([LARGEST, np.nextafter(LARGEST, 0), -LARGEST, LARGEST]),
    "two values far apart": np.array([LARGEST, -LARGEST, -LARGEST, LARGEST]),
    "one value": np.full(6, 0.1),
    "one value, negative": np.full(6, -LARGEST),
    "decimals that look tied": np.array([0.3, 0.1 + 0.2, 0.3, 0.30000000000000004]),
    "single": np.array([0.1, 0.2, 0.3, 1e-45, 3.4e38, -3.4e38, 0.1, -0.0, 0.0], dtype=np.float32),
    "single neighbours": np.array(
        [0.1, np.nextafter(np.float32(0.1), np.float32(1)), 0.1, 16777216, 16777217, 16777218],
        dtype=np.float32,
    ),
    "half": np.array([0.1, 0.2, 6e-8, -6e-8, 65504, 65472, 2049, 2048, -0.0, 0], dtype=np.float16),
    "long double": np.array([0.1, 0.2, -0.0, 0.0, 1e300], dtype=np.longdouble),
    "int64 extremes": np.array([-(2**63), 2**63 - 1, 2**63 - 2, -(2**63) + 1, 0, -1]),
    "int64 above 2^53": np.array([2**53, 2**53 + 1, 2**53 + 2, -(2**53) - 1, -(2**53)]),
    "uint64": np.array([2**63, 2**63 - 1, 2**64 - 1, 2**64 - 2, 0, 2**63 + 1], dtype=np.uint64),
    "int8": np.array([-128, 127, 0, -1, 127], dtype=np.int8),
    "uint8": np.array([255, 0, 128, 127, 255], dtype=np.uint8),
    "bool": np.array([True, False, True, False, False]),
    "every second": np.array([0.1, 9, ABOVE, 9, BELOW, 9, 0.1, 9])[::2],
    "backwards": np.array([0.1, ABOVE, BELOW, 0.1, -0.0, 0.0])[::-1],
    "a column": np.array([[0.1, 7], [ABOVE, 8], [BELOW, 9], [0.1, 7]])[:, 0],
    "a field of records": np.array(
        [(1, 0.1), (2, 0.3), (3, 0.1)], dtype=[("a", "i4"), ("b", "f8")]
    )["b"],
    "unaligned": np.frombuffer(b"x" + np.array([0.1, -2.5, 0.1]).tobytes(), np.uint8)[1:].view(
        "f8"
    ),
    "one number repeated without memory": np.broadcast_to(np.float64(0.1), (5,)),
    "read-only": read_only([0.1, ABOVE, BELOW, 0.1]),
    "big-endian": big_endian([0.1, ABOVE, BELOW, -0.1, 0.1, -0.0, 0.0]),
    "big-endian single": big_endian(np.array([0.1, 0.2, -0.3], dtype=np.float32)),
    "big-endian int": big_endian(np.array([1, 256, -1, 65536])),
    "text": np.array(["0.1", "1/10", "1e-1", "0.10000000000000001", "-3"]),
    "objects": np.array(
        [Fraction(1, 3), "1/3", Decimal("0.5"), 0.5, 2**70, 2**70 + 1], dtype=object
    ),
    "objects that look like doubles": np.array(
        [0.1, np.float32(0.1), 2**53 + 1, 2.0**53], dtype=object
    ),
}


@pytest.mark.parametrize("scores", ADVERSARIAL.values(), ids=ADVERSARIAL)
def test_adversarial_scores_mean_their_decimals(scores: Any) -> None:
    labels = alternating(len(scores))
    exact = decimals(scores)
    given, right = twins(labels, scores)
    assert given.scores == tuple(exact)
    assert_same_ranking(given, right)
    assert bt.value("auc", given) == oracles.auc(labels, exact)
    assert bt.value("average_precision", given) == oracles.average_precision(labels, exact)
    assert bt.value("hinge_loss", given) == oracles.hinge_loss(labels, exact)


def spread_out(scores: Any, n: int = MANY) -> tuple[Any, Any]:
    """The same values many times over in some order, and labels that lean on them."""
    random = np.random.default_rng(5)
    chosen = np.append(np.arange(len(scores)), random.integers(0, len(scores), n - len(scores)))
    order = random.permutation(chosen)
    labels = (random.random(n) < (1 + order) / (1 + len(scores))).astype(int)
    return labels, scores[order]


@pytest.mark.parametrize("scores", ADVERSARIAL.values(), ids=ADVERSARIAL)
def test_adversarial_scores_are_ranked_alike_among_thousands(scores: Any) -> None:
    labels, many = spread_out(scores)
    data = Ranked(labels.tolist(), decimals(many))
    given = bt.Cases(labels, many)
    for key in ("auc", "ks", "average_precision"):
        assert bt.value(key, given) == EXACT[key](data)
    assert called(given) == data.cuts
    assert given.scores == tuple(data.scores)


def test_the_two_zeros_tie() -> None:
    cases = bt.Cases(np.array([1, 0]), np.array([-0.0, 0.0]))
    assert bt.value("auc", cases) == HALF
    assert len(cases.ranking.cuts) == 2
    assert str(cases.scores[0]) == "0"


def test_neighbours_do_not_tie() -> None:
    cases = bt.Cases(np.array([1, 0]), np.array([ABOVE, 0.1]))
    assert bt.value("auc", cases) == 1
    assert len(cases.ranking.cuts) == 3


@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_a_short_float_means_what_it_prints(kind: Any) -> None:
    cases = bt.Cases(np.array([1, 0, 1]), np.array([0.1, 0.3, 0.7], dtype=kind))
    assert cases.scores == (Fraction(1, 10), Fraction(3, 10), Fraction(7, 10))
    assert bt.value("mean_absolute_error", cases) == HALF
    assert bt.value("brier_score", cases) == Fraction(81 + 9 + 9, 300)
    assert cases.at(0.1) == bt.Counts(1, 1, 1, 0)
    assert cases.at(0.1, ">=") == bt.Counts(2, 1, 0, 0)


# A list is read number by number: an array made of it in between would round some of them.
LISTS: dict[str, Any] = {
    "ints above 2^53": [2**53, 2**53 + 1, 2**53 - 1, 2**53],
    "ints above 2^53 beside a float": [2**53, 2**53 + 1, 0.5, 2.0**53],
    "ints above 2^64": [2**64, 2**64 + 1, -(2**70), 2**64],
    "int64 and uint64": [-1, 2**63, 2**63 + 1, -(2**63)],
    "single beside double": [0.1, np.float32(0.1), np.float16(0.1), 0.10000000149011612],
    "numpy scalars": [np.float64(0.1), np.int64(2**53 + 1), np.uint8(255), np.bool_(True)],
    "text beside floats": ["0.1", 0.1, "1/10", 0.2],
    "Fractions beside floats": [Fraction(1, 3), 1 / 3, 0.5, Fraction(1, 2)],
    "Decimals beside floats": [Decimal("0.1"), 0.1, Decimal("0.10000000000000000001"), 0.2],
    "bools beside floats": [True, 1.0, False, 0.5],
    "bools": [True, False, True, True],
}
LISTS_MEAN: dict[str, list[Any]] = {
    "single beside double": ["0.1", "0.1", "0.1", "0.10000000149011612"],
    "numpy scalars": ["0.1", 2**53 + 1, 255, 1],
    "text beside floats": ["0.1", "0.1", "0.1", "0.2"],
    "Fractions beside floats": [Fraction(1, 3), "0.3333333333333333", HALF, HALF],
    "Decimals beside floats": ["0.1", "0.1", "0.10000000000000000001", "0.2"],
    "bools beside floats": [1, 1, 0, HALF],
    "bools": [1, 0, 1, 1],
    "ints above 2^53 beside a float": [2**53, 2**53 + 1, HALF, 9007199254740992],
}


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("times", [1, 1000])
@pytest.mark.parametrize("make", [list, tuple, iter], ids=["list", "tuple", "iterator"])
def test_a_list_is_read_number_by_number(
    name: str, times: int, make: Callable[[list[Any]], Any]
) -> None:
    exact = [Fraction(score) for score in LISTS_MEAN.get(name, LISTS[name])] * times
    labels = ([1, 0, 0, 1] * times)[::-1]
    cases = bt.Cases(make(labels), make(LISTS[name] * times))
    assert cases.scores == tuple(exact)
    assert bt.value("auc", cases) == EXACT["auc"](Ranked(labels, exact))


# Thresholds -------------------------------------------------------------------------------------

TINY = Fraction(1, 10**399)


@pytest.mark.parametrize("times", [1, 1000])
def test_a_threshold_is_compared_exactly(times: int) -> None:
    scores = np.tile(np.array([0.0, SMALLEST, 0.1, ABOVE]), times)
    cases = bt.Cases(np.tile(np.array([0, 1, 0, 1]), times), scores)

    def above(threshold: object, rule: str = ">") -> Fraction:
        counts = cases.at(threshold, rule)
        return Fraction(counts.tp + counts.fp, times)

    assert above(TINY) == above(TINY, ">=") == 3  # as a double, it would be 0
    assert above(-TINY) == 4
    # 0.1 is the case's 1/10, the double of the same name is a little more.
    assert above(Fraction(1, 10), ">=") == above(0.1, ">=") == above("0.1", ">=") == 2
    assert above(Fraction(1, 10)) == above(0.1) == 1
    assert above(Fraction(0.1), ">=") == above(Fraction(0.1)) == 1
    assert above(Fraction(1, 10) - TINY) == 2
    assert above(Fraction(1, 10) + TINY, ">=") == 1
    assert above(10**390) == above(10**390, ">=") == 0
    assert above(-(10**390)) == 4


@pytest.mark.parametrize("times", [1, 1000])
def test_a_threshold_between_long_integers_is_not_rounded(times: int) -> None:
    cases = bt.Cases(
        np.tile(np.array([0, 1, 0]), times),
        np.tile(np.array([2**53, 2**53 + 1, 2**63 - 1]), times),
    )
    for line, called in ((2**53, 2), (2**53 + HALF, 2), (2**53 + 1, 1), (2**63 - 1, 0)):
        counts = cases.at(line)
        assert counts.tp + counts.fp == called * times
    assert cases.at(2**63, ">=").tp == 0
    assert cases.at(-(2**63) - 1).n == 3 * times


def test_a_threshold_on_short_floats_goes_by_their_decimals() -> None:
    for kind in (np.float32, np.float16):
        cases = bt.Cases(np.array([1, 0] * 900), np.array([0.1, 0.3] * 900, dtype=kind))
        assert cases.at("0.1") == bt.Counts(0, 900, 900, 0)
        assert cases.at(Fraction(3, 10), ">=") == bt.Counts(0, 900, 900, 0)
        assert cases.at(float(kind(0.3))).fp == (900 if float(kind(0.3)) < 0.3 else 0)


# Thousands of cases -----------------------------------------------------------------------------


def shaped(n: int, shape: str) -> tuple[Any, Any]:
    """Labels and probabilities with fixed seeds, in several shapes."""
    random = np.random.default_rng(n)
    scores = random.random(n)
    if shape == "tied":
        scores = np.round(scores, 2)
    elif shape == "tied, 0 and 1 included":
        scores = np.round(scores * 4) / 4
    elif shape == "rare":
        scores = np.round(scores**8, 6)
    labels = (random.random(n) < scores).astype(int)
    if shape == "worse than guessing":
        labels = 1 - labels
    return labels, scores


SHAPES_OF_DATA = ["untied", "tied", "tied, 0 and 1 included", "rare", "worse than guessing"]
QUICK = [
    *("auc", "gini", "ks", "max_youden", "average_precision", "average_hit_rate", "pem", "taks"),
    *("mean_precision", "average_gain", "average_lift", "average_qrecall", "equal_error_rate"),
    *("roc_n", "aucpr_min", "aucpr_minmax", "aucpr_max", "decile_lift", "hit_rate", "qrecall"),
    *("mean_absolute_error", "brier_score", "hinge_loss", "quota_lift"),
]
"""The exact definition of the hull takes n² steps, so it comes with fewer cases."""


def in_the_middle(key: str, n: int) -> Mapping[str, int]:
    """Parameters that cut somewhere in the ranking."""
    if "top" in bt.MEASURES[key].params:
        return {"top": n // 3}
    return {"roc_n": {"n": n // 7}, "decile_lift": {"decile": 4}}.get(key, {})


@pytest.mark.parametrize("shape", SHAPES_OF_DATA)
@pytest.mark.parametrize("n", [300, 2_000])
def test_thousands_of_cases_equal_exact_definitions(n: int, shape: str) -> None:
    labels, scores = shaped(n, shape)
    data = Ranked(labels.tolist(), decimals(scores))
    cases = bt.Cases(labels, scores)
    assert called(cases) == data.cuts
    for key in [*QUICK, *(["auch"] if n < 1000 or len(data.cuts) < 1000 else [])]:
        more = in_the_middle(key, n) if shape != "rare" or key != "roc_n" else {"n": 5}
        assert bt.value(key, cases, **more) == EXACT[key](data, **more), key


@pytest.mark.parametrize("shape", SHAPES_OF_DATA)
def test_hundreds_of_cases_equal_the_slowest_definitions(shape: str) -> None:
    labels, scores = shaped(400, shape)
    exact = decimals(scores)
    cases = bt.Cases(labels, scores)
    assert [
        (cut.counts.tp, cut.counts.fp, cut.counts.fn, cut.counts.tn) for cut in cases.ranking.cuts
    ] == oracles.cuts(labels.tolist(), exact)
    for key in (
        "auc",
        "gini",
        "ks",
        "max_youden",
        "average_precision",
        "equal_error_rate",
        "roc_n",
    ):
        assert bt.value(key, cases) == oracles.RANKING[key](labels.tolist(), exact), key
    for key, oracle in oracles.SCORES.items():
        right = oracle(labels.tolist(), exact)
        if isinstance(right, Fraction):
            assert bt.value(key, cases) == right, key
        else:
            assert float(bt.value(key, cases)) == pytest.approx(right, rel=1e-12), key
