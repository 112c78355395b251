"""Every measure equals a slow and obvious definition of it, on data with many ties.

The definitions stand in `oracles.py`. They share nothing with the library: no formula tree, no
ranking, no identity between measures. Where a definition divides by zero, the library says
`Undefined`, and nowhere else.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import oracles
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import binteach as bt
from binteach.exact import public
from binteach.expr import Node

DEFINITIONS: dict[str, Callable[..., oracles.Value]] = {
    **oracles.COUNTS,
    **oracles.SCORES,
    **oracles.RANKING,
    **oracles.QUOTA,
    **oracles.OTHER,
}
ON_CASES = [*oracles.SCORES, *oracles.RANKING, *oracles.QUOTA]

# Few values, so that ties abound; 0 and 1 among them, where logarithms break.
PROBABILITIES = [Fraction(k, 4) for k in range(5)]
DISTANCES = [Fraction(k, 2) for k in range(-3, 4)]
HALF = Fraction(1, 2)

VALUES: dict[str, list[Any]] = {
    "beta": [0, HALF, 1, 2, Fraction(7, 3)],
    "alpha": [0, Fraction(1, 3), HALF, 1],
    "gamma": [0, HALF, 1, 2, Fraction(5, 2), 3],
    "epsilon": [0, Fraction(1, 10**5), Fraction(1, 10), HALF],
    "prior": [0, Fraction(1, 4), HALF, Fraction(2, 3), 1],
    "base": [2, "e", 10],
    "decile": list(range(1, 11)),
    "scale": [0, HALF, 1, 4],
    "cost_fp": [0, HALF, 1, 5],
    "cost_fn": [0, 1, Fraction(7, 2)],
    "margin": [0, Fraction(1, 5), 1, 3],
    "method": ["ranks", "pairs", "trapezoids"],
}
PARAMETERS: dict[str, tuple[str, ...]] = {
    "f_beta": ("beta",),
    "f_alpha": ("alpha",),
    "lift": ("prior",),
    "gain": ("prior",),
    "expected_cost": ("cost_fp", "cost_fn"),
    "mutual_information": ("base",),
    "log_loss": ("base", "epsilon"),
    "balanced_cross_entropy": ("alpha", "base", "epsilon"),
    "focal_loss": ("gamma", "alpha", "base", "epsilon"),
    "information_score": ("prior",),
    "relative_information_score": ("prior",),
    "hinge_loss": ("scale",),
    "triplet_loss": ("margin",),
    "auc": ("method",),
    "roc_n": ("n",),
    "hit_rate": ("top",),
    "qrecall": ("top",),
    "quota_lift": ("top",),
    "decile_lift": ("decile",),
    "quota_pearson": ("top",),
}
NEEDS_A_QUOTA = [key for key, names in PARAMETERS.items() if "top" in names]

Ranked = tuple[list[int], list[Fraction]]


# Data -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Problem:
    """The same question to the library (data) and to the definition (arguments)."""

    key: str
    data: Any
    arguments: tuple[Any, ...]
    params: Mapping[str, Any]

    def ours(self) -> Any:
        return bt.value(self.key, self.data, **self.params)

    def theirs(self) -> oracles.Value:
        params = {name: value for name, value in self.params.items() if name != "method"}
        if params.get("base") == "e":
            params["base"] = math.e
        return DEFINITIONS[self.key](*self.arguments, **params)


def rankings(
    values: list[Fraction], min_size: int = 1, max_size: int = 13
) -> st.SearchStrategy[Ranked]:
    """Labels and scores; one class alone is valid data too."""
    case = st.tuples(st.sampled_from([0, 1]), st.sampled_from(values))
    cases = st.lists(case, min_size=min_size, max_size=max_size)
    return cases.map(lambda drawn: ([y for y, _ in drawn], [s for _, s in drawn]))


def tables() -> st.SearchStrategy[tuple[Fraction, ...]]:
    """TP, FP, FN, TN: small whole numbers with many zeros, or proportions."""
    whole = st.tuples(*[st.integers(0, 4).map(Fraction)] * 4)
    rational = st.tuples(*[st.fractions(0, 2, max_denominator=6)] * 4)
    return (whole | rational).filter(any)


@st.composite
def problems(draw: st.DrawFn, key: str, min_size: int = 1, max_size: int = 13) -> Problem:
    """Random data for a measure, and some of its parameters."""
    choices = {name: VALUES[name] for name in PARAMETERS.get(key, ()) if name in VALUES}
    needed: dict[str, Any] = {}
    data: Any
    arguments: tuple[Any, ...]
    if key in oracles.COUNTS:
        arguments = draw(tables())
        data = bt.Counts(*arguments)
    elif key == "triplet_loss":
        vector = st.tuples(*[st.sampled_from(DISTANCES)] * 2)
        data = draw(st.lists(st.tuples(vector, vector, vector), min_size=min_size, max_size=14))
        arguments = (data,)
    elif key == "mean_average_precision":
        one = rankings(PROBABILITIES, max_size=5)
        drawn = draw(st.lists(one, min_size=min_size, max_size=max(3, min_size)))
        classes = {f"class {place}": pair for place, pair in enumerate(drawn)}
        data = {name: bt.Cases(*pair) for name, pair in classes.items()}
        arguments = (classes,)
    else:
        values = DISTANCES if key == "hinge_loss" else PROBABILITIES
        labels, scores = draw(rankings(values, min_size, max_size))
        data, arguments = bt.Cases(labels, scores), (labels, scores)
        if key in NEEDS_A_QUOTA:
            needed["top"] = draw(st.integers(0, len(labels)))
        if key == "roc_n" and 0 in labels:
            choices["n"] = list(range(1, labels.count(0) + 1))
    optional = {name: st.sampled_from(values) for name, values in choices.items()}
    params = draw(st.fixed_dictionaries({}, optional=optional))
    return Problem(key, data, arguments, {**needed, **params})


def assert_same(found: Any, expected: oracles.Value) -> None:
    """Equal where the value is rational; otherwise equal to twelve places."""
    if isinstance(expected, Fraction):
        assert isinstance(found, Fraction)
        assert found == expected
    else:
        assert abs(float(found) - expected) <= 1e-12


def assert_agrees(problem: Problem) -> None:
    """Both have the same value, or neither has one."""
    try:
        expected = problem.theirs()
    except ZeroDivisionError:
        with pytest.raises(bt.Undefined):
            problem.ours()
    else:
        assert_same(problem.ours(), expected)


# Nothing is left out --------------------------------------------------------------------------


def test_every_measure_has_a_definition_to_be_held_against() -> None:
    assert set(DEFINITIONS) == set(bt.MEASURES)


def test_every_parameter_of_every_measure_is_varied() -> None:
    assert {key: set(m.params) for key, m in bt.MEASURES.items() if m.params} == {
        key: set(names) for key, names in PARAMETERS.items()
    }


# Random data ----------------------------------------------------------------------------------


@pytest.mark.parametrize("key", DEFINITIONS)
@settings(max_examples=30)
@given(data=st.data())
def test_a_measure_equals_its_definition_on_random_data(key: str, data: st.DataObject) -> None:
    assert_agrees(data.draw(problems(key)))


@given(table=tables())
def test_the_squares_of_g_measure_and_matthews_correlation_are_exact(
    table: tuple[Fraction, ...],
) -> None:
    tp, fp, fn, tn = table
    margins = (tp + fn) * (tp + fp) * (tn + fp) * (tn + fn)
    assume(margins != 0)
    counts = bt.Counts(*table)
    assert bt.value("g_measure", counts) ** 2 == tp / (tp + fp) * tp / (tp + fn)
    assert bt.value("matthews_correlation", counts) ** 2 == (tp * tn - fp * fn) ** 2 / margins


def centred(numbers: list[Fraction]) -> list[Fraction]:
    """Each number less the mean of all."""
    mean = sum(numbers, Fraction(0)) / len(numbers)
    return [number - mean for number in numbers]


@given(ranked=rankings(PROBABILITIES), data=st.data())
def test_the_squares_of_the_root_mean_square_error_and_of_pearson_are_exact(
    ranked: Ranked, data: st.DataObject
) -> None:
    cases = bt.Cases(*ranked)
    assert bt.value("root_mean_square_error", cases) ** 2 == oracles.brier_score(*ranked)
    top = data.draw(st.integers(1, cases.n))
    p = centred(sorted(ranked[1], reverse=True)[:top])
    t = centred(oracles.expected_outcomes(*ranked)[:top])
    assume(any(p) and any(t))
    square = sum(a * b for a, b in zip(p, t, strict=True)) ** 2
    variances = sum(a * a for a in p) * sum(b * b for b in t)
    assert bt.value("quota_pearson", cases, top=top) ** 2 == square / variances


@pytest.mark.parametrize("key", ["balanced_cross_entropy", "focal_loss"])
def test_a_class_without_weight_adds_nothing_even_where_it_has_a_logarithm_of_zero(
    key: str,
) -> None:
    labels, scores = [1, 0], [Fraction(0), HALF]
    assert_agrees(
        Problem(key, bt.Cases(labels, scores), (labels, scores), {"alpha": 0, "epsilon": 0})
    )


# Small data, all of them ----------------------------------------------------------------------

SMALL_RANKINGS = list(oracles.all_small_rankings(5))
SMALL_CASES = [bt.Cases(*ranked) for ranked in SMALL_RANKINGS]


@pytest.mark.parametrize("key", ON_CASES)
def test_a_measure_equals_its_definition_on_every_small_ranking(key: str) -> None:
    for (labels, scores), cases in zip(SMALL_RANKINGS, SMALL_CASES, strict=True):
        settings_of: list[dict[str, Any]] = [{}]
        if key in NEEDS_A_QUOTA:
            settings_of = [{"top": top} for top in range(len(labels) + 1)]
        elif key == "decile_lift":
            settings_of = [{"decile": decile} for decile in range(1, len(labels) + 2)]
        elif key == "roc_n":
            settings_of += [{"n": n} for n in range(1, labels.count(0) + 1)]
        elif key == "auc":
            settings_of = [{"method": method} for method in VALUES["method"]]
        for params in settings_of:
            assert_agrees(Problem(key, cases, (labels, scores), params))


@pytest.mark.parametrize("key", oracles.COUNTS)
def test_a_measure_equals_its_definition_on_every_small_table(key: str) -> None:
    for table in product(range(3), repeat=4):
        if any(table):
            assert_agrees(Problem(key, bt.Counts(*table), table, {}))


# Cuts of a ranking ----------------------------------------------------------------------------


@given(ranked=rankings(PROBABILITIES), rule=st.sampled_from([">", ">="]), data=st.data())
def test_a_threshold_calls_positive_the_cases_above_it(
    ranked: Ranked, rule: str, data: st.DataObject
) -> None:
    labels, scores = ranked
    threshold = data.draw(st.fractions(-1, 2, max_denominator=8))
    called = [s > threshold or (rule == ">=" and s == threshold) for s in scores]
    pairs = list(zip(labels, called, strict=True))
    expected = [pairs.count(pair) for pair in ((1, True), (0, True), (1, False), (0, False))]
    counts = bt.Cases(labels, scores).at(threshold, rule)
    assert [counts.tp, counts.fp, counts.fn, counts.tn] == expected


@given(ranked=rankings(PROBABILITIES))
def test_a_ranking_can_be_cut_between_blocks_of_ties_and_nowhere_else(ranked: Ranked) -> None:
    cases = bt.Cases(*ranked)
    tables = {tp + fp: (tp, fp, fn, tn) for tp, fp, fn, tn in oracles.cuts(*ranked)}
    for k in range(cases.n + 1):
        if k in tables:
            assert cases.top(k) == bt.Counts(*tables[k])
            assert bt.value("accuracy", cases, top=k) == oracles.accuracy(*tables[k])
        else:
            with pytest.raises(ValueError, match=f"top={k} cuts through a tie"):
                cases.top(k)


# Weights --------------------------------------------------------------------------------------

WEIGHTS = [Fraction(0), Fraction(1, 2), Fraction(1), Fraction(3)]


@st.composite
def weighted(draw: st.DrawFn, weights: list[Fraction]) -> tuple[Ranked, list[Fraction]]:
    labels, scores = draw(rankings(PROBABILITIES, max_size=8))
    given_weights = st.lists(
        st.sampled_from(weights), min_size=len(labels), max_size=len(labels)
    ).filter(any)
    return (labels, scores), draw(given_weights)


@pytest.mark.parametrize("key", oracles.WEIGHTED)
@given(drawn=weighted(WEIGHTS), data=st.data())
def test_a_weighted_measure_equals_its_weighted_definition(
    key: str, drawn: tuple[Ranked, list[Fraction]], data: st.DataObject
) -> None:
    (labels, scores), weights = drawn
    cases = bt.Cases(labels, scores, weights=weights)
    params = {"method": data.draw(st.sampled_from(["pairs", "trapezoids"]))} if key == "auc" else {}
    try:
        expected = oracles.WEIGHTED[key](labels, scores, weights)
    except ZeroDivisionError:
        with pytest.raises(bt.Undefined):
            bt.value(key, cases, **params)
    else:
        assert_same(bt.value(key, cases, **params), expected)


PLACE_BY_PLACE = {
    *("taks", "mean_precision", "average_gain", "average_lift", "roc_n"),
    *oracles.QUOTA,
}


@pytest.mark.parametrize("key", [key for key in ON_CASES if key not in PLACE_BY_PLACE])
@settings(max_examples=30)
@given(drawn=weighted([Fraction(k) for k in range(4)]))
def test_a_weight_of_three_is_the_same_as_three_equal_cases(
    key: str, drawn: tuple[Ranked, list[Fraction]]
) -> None:
    (labels, scores), weights = drawn
    triples = list(zip(labels, scores, weights, strict=True))
    repeated = [(y, s) for y, s, w in triples for _ in range(int(w))]
    cases = bt.Cases([y for y, _ in repeated], [s for _, s in repeated])
    same = bt.Cases(labels, scores, weights=weights)
    try:
        expected = bt.value(key, cases)
    except bt.Undefined:
        with pytest.raises(bt.Undefined):
            bt.value(key, same)
    else:
        assert bt.value(key, same) == expected


@pytest.mark.parametrize("key", sorted(PLACE_BY_PLACE))
def test_a_measure_that_goes_place_by_place_refuses_weights(key: str) -> None:
    cases = bt.Cases([1, 0, 1], [3, 2, 1], weights=[1, 2, 1])
    params = {"top": 2} if key in NEEDS_A_QUOTA else {}
    with pytest.raises(ValueError, match="weight") as caught:
        bt.value(key, cases, **params)
    assert not isinstance(caught.value, bt.Undefined)


@pytest.mark.parametrize("key", oracles.COUNTS)
@settings(max_examples=20)
@given(drawn=weighted(WEIGHTS), threshold=st.sampled_from(PROBABILITIES))
def test_a_weighted_confusion_matrix_holds_the_weights(
    key: str, drawn: tuple[Ranked, list[Fraction]], threshold: Fraction
) -> None:
    (labels, scores), weights = drawn
    table = {cell: Fraction(0) for cell in product((True, False), (1, 0))}
    for y, s, w in zip(labels, scores, weights, strict=True):
        table[s > threshold, y] += w
    arguments = tuple(table.values())
    cases = bt.Cases(labels, scores, weights=weights)
    try:
        expected = oracles.COUNTS[key](*arguments)
    except ZeroDivisionError:
        with pytest.raises(bt.Undefined):
            bt.value(key, cases, at=threshold)
    else:
        assert_same(bt.value(key, cases, at=threshold), expected)


# Derivations ----------------------------------------------------------------------------------


def assert_tree_is(tree: Node, value: Any) -> None:
    """A tree of numbers alone has this value; equal surds and logarithms may look different."""
    found = public(tree.number(None))  # type: ignore[arg-type]
    if isinstance(value, Fraction):
        assert found == value
    else:
        assert found == value or abs(float(found) - float(value)) <= 1e-12


def assert_leads_to_its_value(derivation: bt.Derivation) -> None:
    """What the last line of arithmetic shows is the value, in the parts as well."""
    for step in derivation.steps:
        if step.part is not None:
            assert_leads_to_its_value(step.part)
    if derivation.reason:
        return
    lines = [step for step in derivation.steps if step.rule in ("substitute", "simplify")]
    assert lines
    for line in lines:
        assert line.after is not None
        assert_tree_is(line.after, derivation.value)


def assert_derivation_agrees(problem: Problem) -> None:
    derivation = bt.explain(problem.key, problem.data, **problem.params)
    if derivation.reason:
        with pytest.raises(bt.Undefined) as caught:
            problem.ours()
        assert derivation.reason == caught.value.reason
        with pytest.raises(bt.Undefined):
            _ = derivation.value
    else:
        assert derivation.value == problem.ours()
    assert_leads_to_its_value(derivation)


@pytest.mark.parametrize("key", DEFINITIONS)
@settings(max_examples=12)
@given(data=st.data())
def test_every_line_of_a_derivation_has_the_value_that_it_ends_with(
    key: str, data: st.DataObject
) -> None:
    assert_derivation_agrees(data.draw(problems(key, max_size=8)))


@pytest.mark.parametrize("key", [key for key in DEFINITIONS if key not in oracles.COUNTS])
@settings(max_examples=4)
@given(data=st.data())
def test_what_a_long_sum_leaves_out_is_not_left_out_of_its_value(
    key: str, data: st.DataObject
) -> None:
    assert_derivation_agrees(data.draw(problems(key, min_size=13, max_size=18)))
