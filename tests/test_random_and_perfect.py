"""What a measure declares for a model that knows nothing, and for a perfect one, is true.

A model that knows nothing is: for counts, the expected counts when a share q of the cases is called
positive whatever they are; for scores, the prevalence as the score of every case; for rankings, the
mean over all orders of the cases, each equally likely and without ties.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import comb
from typing import Any

import oracles
import pytest

import binteach as bt
from binteach.exact import public
from binteach.expr import Node, Sym
from binteach.measures import Context, number

HALF = Fraction(1, 2)
MEASURES = list(bt.MEASURES.values())
COUNTS = [m for m in MEASURES if m.takes == "counts"]
SCORES = [m for m in MEASURES if m.takes == "scores"]
PLACED = [m for m in MEASURES if m.takes in ("ranking", "quota")]
NEEDS_A_QUOTA = ("hit_rate", "qrecall", "quota_lift", "quota_pearson")

VARIED: dict[str, list[dict[str, Any]]] = {
    "f_beta": [{"beta": HALF}, {"beta": 3}],
    "f_alpha": [{"alpha": Fraction(1, 5)}, {"alpha": 1}],
    "lift": [{"prior": Fraction(1, 7)}],
    "gain": [{"prior": Fraction(1, 7)}],
    "expected_cost": [{"cost_fp": 3, "cost_fn": Fraction(1, 2)}],
    "mutual_information": [{"base": 2}, {"base": 10}],
    "log_loss": [{"base": "e"}, {"epsilon": Fraction(1, 10)}],
    "balanced_cross_entropy": [{"base": "e"}, {"alpha": Fraction(1, 5)}],
    "focal_loss": [{"gamma": 0}, {"gamma": HALF}, {"base": 10}, {"alpha": Fraction(1, 5)}],
    "information_score": [{"prior": Fraction(1, 7)}],
    "relative_information_score": [{"prior": Fraction(1, 7)}],
    "hinge_loss": [{"scale": 4}],
    "roc_n": [{"n": 1}, {"n": 2}],
    "decile_lift": [{"decile": 3}, {"decile": 10}],
    "auc": [{"method": "pairs"}, {"method": "trapezoids"}],
}

SIZES = [(3, 1), (4, 2), (5, 2), (6, 5), (7, 3)]
LONG_SIZES = [(10, 3), (11, 2), (12, 4)]  # a tenth of fewer than ten cases may be empty


def with_params(measures: list[bt.Measure], varied: bool) -> list[Any]:
    """pytest parameters: each measure with its defaults, or with each other setting."""
    return [
        pytest.param(measure, params, id=f"{measure.key}{params or ''}")
        for measure in measures
        for params in (VARIED.get(measure.key, []) if varied else [{}])
    ]


def formula(declared: Any, measure: bt.Measure, params: dict[str, Any]) -> Node:
    """A declared formula: a tree, or a function from the parameters to a tree."""
    tree = declared if isinstance(declared, Node) else declared(measure.read_params(params))
    assert isinstance(tree, Node)
    return tree


def same(found: Any, expected: Any) -> bool:
    """Equal, exactly where rational and else to twelve places."""
    found = public(found)
    if isinstance(found, Fraction) and isinstance(expected, Fraction):
        return found == expected
    return abs(float(found) - float(expected)) <= 1e-12


# Words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_what_has_no_formula_has_words(measure: bt.Measure) -> None:
    assert measure.random is not None or measure.random_words
    assert measure.perfect is not None or measure.perfect_words


def test_the_declarations_that_are_words_alone_are_few() -> None:
    """So that no formula is given up unseen."""
    assert {m.key for m in MEASURES if m.random is None} <= {
        *("auch", "ks", "max_youden", "aucpr_min", "aucpr_minmax", "aucpr_max"),
        *("equal_error_rate", "quota_pearson", "triplet_loss", "mean_average_precision"),
    }
    assert {m.key for m in MEASURES if m.perfect is None} <= {
        *("positive_likelihood_ratio", "diagnostic_odds_ratio"),
        *("hit_rate", "qrecall", "quota_lift", "decile_lift", "quota_pearson"),
    }


# Counts ---------------------------------------------------------------------------------------


class Proportions:
    """The symbols of a formula about counts: π and q, and the parameters."""

    def __init__(
        self, measure: bt.Measure, params: dict[str, Any], prevalence: Fraction, q: Fraction, n: int
    ) -> None:
        self.params = measure.read_params(params)
        self.counts = knows_nothing(prevalence, q, n)
        self.cases = None
        self.known = {Sym("π"): prevalence, Sym("q"): q}

    def value(self, symbol: Sym) -> Any:
        if symbol in self.known:
            return self.known[symbol]
        assert symbol.find is not None
        return symbol.find(self)

    def rows(self, family: object) -> Any:
        raise AssertionError("no sum is expected here")

    def inner(self, row: object) -> Any:
        raise AssertionError("no sum is expected here")


PROPORTIONS = [
    (HALF, HALF, 1),
    (Fraction(1, 3), Fraction(1, 4), 1),
    (Fraction(1, 10), Fraction(9, 10), 100),
    (Fraction(4, 5), Fraction(1, 5), 25),
]


def knows_nothing(prevalence: Fraction, q: Fraction, n: int) -> bt.Counts:
    return bt.Counts(
        tp=n * prevalence * q,
        fp=n * (1 - prevalence) * q,
        fn=n * prevalence * (1 - q),
        tn=n * (1 - prevalence) * (1 - q),
    )


def assert_random_counts(measure: bt.Measure, params: dict[str, Any]) -> None:
    assert measure.random is not None
    tree = formula(measure.random, measure, params)
    for prevalence, q, n in PROPORTIONS:
        scope = Proportions(measure, params, prevalence, q, n)
        value = measure(knows_nothing(prevalence, q, n), **params)
        assert same(number(tree, scope), value)


@pytest.mark.parametrize(("measure", "params"), with_params(COUNTS, varied=False))
def test_calling_at_random_gives_the_declared_value(
    measure: bt.Measure, params: dict[str, Any]
) -> None:
    assert_random_counts(measure, params)


@pytest.mark.parametrize(("measure", "params"), with_params(COUNTS, varied=True))
def test_calling_at_random_gives_the_declared_value_under_other_parameters(
    measure: bt.Measure, params: dict[str, Any]
) -> None:
    assert_random_counts(measure, params)


def assert_perfect_counts(measure: bt.Measure, params: dict[str, Any]) -> None:
    for prevalence, q, n in PROPORTIONS:
        counts = bt.Counts(n * prevalence, 0, 0, n * (1 - prevalence))
        if measure.perfect is not None:
            tree = formula(measure.perfect, measure, params)
            scope = Proportions(measure, params, prevalence, q, n)
            assert same(number(tree, scope), measure(counts, **params))
        else:
            with pytest.raises(bt.Undefined):
                measure(counts, **params)
            assert "not finite" in measure.perfect_words


@pytest.mark.parametrize(("measure", "params"), with_params(COUNTS, varied=False))
def test_perfect_counts_give_the_declared_value(
    measure: bt.Measure, params: dict[str, Any]
) -> None:
    assert_perfect_counts(measure, params)


@pytest.mark.parametrize(("measure", "params"), with_params(COUNTS, varied=True))
def test_perfect_counts_give_the_declared_value_under_other_parameters(
    measure: bt.Measure, params: dict[str, Any]
) -> None:
    assert_perfect_counts(measure, params)


# Scores ---------------------------------------------------------------------------------------

LABELS = [[1, 0], [1, 0, 0], [1, 1, 1, 0, 0], [0] * 9 + [1]]


def ignorant_scores(measure: bt.Measure, params: dict[str, Any], labels: list[int]) -> bt.Cases:
    """The prevalence for every case, or the prior if one is given; for distances, the boundary."""
    score = params.get("prior", Fraction(sum(labels), len(labels)))
    if measure.key == "hinge_loss":
        score = HALF if params else Fraction(0)
    return bt.Cases(labels, [score] * len(labels))


def certain_scores(measure: bt.Measure, params: dict[str, Any], labels: list[int]) -> bt.Cases:
    """The labels themselves; for distances, one on either side of the boundary."""
    if measure.key == "hinge_loss" and not params:
        return bt.Cases(labels, [2 * label - 1 for label in labels])
    return bt.Cases(labels, labels)


def assert_declared_on(
    declared: Any,
    measure: bt.Measure,
    params: dict[str, Any],
    make: Callable[[bt.Measure, dict[str, Any], list[int]], bt.Cases],
) -> None:
    for labels in LABELS:
        cases = make(measure, params, labels)
        context = Context(measure, cases, params)
        assert same(number(formula(declared, measure, params), context), measure(cases, **params))


@pytest.mark.parametrize(("measure", "params"), with_params(SCORES, varied=False))
def test_the_prevalence_as_score_gives_the_declared_value(
    measure: bt.Measure, params: dict[str, Any]
) -> None:
    assert_declared_on(measure.random, measure, params, ignorant_scores)


@pytest.mark.parametrize(("measure", "params"), with_params(SCORES, varied=True))
def test_the_prevalence_as_score_gives_the_declared_value_under_other_parameters(
    measure: bt.Measure, params: dict[str, Any]
) -> None:
    assert_declared_on(measure.random, measure, params, ignorant_scores)


@pytest.mark.parametrize(("measure", "params"), with_params(SCORES, varied=False))
def test_certain_and_right_scores_give_the_declared_value(
    measure: bt.Measure, params: dict[str, Any]
) -> None:
    assert_declared_on(measure.perfect, measure, params, certain_scores)


@pytest.mark.parametrize(("measure", "params"), with_params(SCORES, varied=True))
def test_certain_and_right_scores_give_the_declared_value_under_other_parameters(
    measure: bt.Measure, params: dict[str, Any]
) -> None:
    assert_declared_on(measure.perfect, measure, params, certain_scores)


# Rankings and quotas --------------------------------------------------------------------------


def in_order(n: int, positives: int) -> bt.Cases:
    """All positives above all negatives, without a tie."""
    labels = [1] * positives + [0] * (n - positives)
    return bt.Cases(labels, [Fraction(n - i, n + 1) for i in range(n)])


def situations(
    measure: bt.Measure, params: dict[str, Any]
) -> list[tuple[int, int, dict[str, Any]]]:
    """(n, positives, parameters); all quotas for measures of a quota."""
    sizes = LONG_SIZES if measure.key == "decile_lift" else SIZES
    found = []
    for n, positives in sizes:
        if params.get("n", 0) > n - positives:
            continue
        tops = range(1, n + 1) if measure.key in NEEDS_A_QUOTA else [None]
        for top in tops:
            found.append((n, positives, params if top is None else {**params, "top": top}))
    return found


def assert_random_order(measure: bt.Measure, params: dict[str, Any]) -> None:
    for n, positives, given in situations(measure, params):
        mean = oracles.expected_over_rankings(partial(value_on, measure, given), n, positives)
        context = Context(measure, in_order(n, positives), given)
        assert same(number(formula(measure.random, measure, given), context), mean)


def value_on(
    measure: bt.Measure, params: dict[str, Any], labels: list[int], scores: list[Fraction]
) -> Fraction:
    value = measure(bt.Cases(labels, scores), **params)
    assert isinstance(value, Fraction)
    return value


KNOWN = [measure for measure in PLACED if measure.random is not None]


@pytest.mark.parametrize(("measure", "params"), with_params(KNOWN, varied=False))
def test_the_mean_over_all_orders_is_the_declared_value(
    measure: bt.Measure, params: dict[str, Any]
) -> None:
    assert_random_order(measure, params)


@pytest.mark.parametrize(("measure", "params"), with_params(KNOWN, varied=True))
def test_the_mean_over_all_orders_is_the_declared_value_under_other_parameters(
    measure: bt.Measure, params: dict[str, Any]
) -> None:
    assert_random_order(measure, params)


@pytest.mark.parametrize("measure", KNOWN, ids=repr)
@pytest.mark.parametrize(("n", "positives"), [(1, 1), (1, 0), (4, 4), (4, 0)])
def test_the_declared_value_exists_on_one_class_wherever_the_measure_does(
    measure: bt.Measure, n: int, positives: int
) -> None:
    if n == 1 and measure.random_words.startswith("for n > 1"):
        return
    params = {"top": 1} if measure.key in NEEDS_A_QUOTA else {}
    cases = in_order(n, positives)
    try:
        value = measure(cases, **params)
    except bt.Undefined:
        return
    # All orders of one class are the same.
    found = number(formula(measure.random, measure, params), Context(measure, cases, params))
    assert same(found, value)


@pytest.mark.parametrize(
    ("key", "floor"),
    [("auch", HALF), ("ks", Fraction(0)), ("max_youden", Fraction(0))],
)
def test_a_measure_that_picks_the_best_cut_flatters_a_random_order(
    key: str, floor: Fraction
) -> None:
    measure = bt.MEASURES[key]
    assert measure.random_words.startswith("above")
    for n, positives in SIZES:
        mean = oracles.expected_over_rankings(partial(value_on, measure, {}), n, positives)
        assert mean > floor


def test_the_pearson_correlation_in_a_quota_has_mean_zero_over_the_orders_that_have_one() -> None:
    for n, positives in SIZES:
        for top in range(2, n + 1):
            total = 0.0
            seen = 0

            def add(labels: list[int], scores: list[Fraction], top: int = top) -> int:
                nonlocal total, seen
                seen += 1
                try:
                    total += float(bt.value("quota_pearson", bt.Cases(labels, scores), top=top))
                except bt.Undefined:
                    return 0
                return 1

            oracles.expected_over_rankings(add, n, positives)
            assert seen == comb(n, positives)
            assert abs(total) <= 1e-12


def assert_perfect_order(measure: bt.Measure, params: dict[str, Any]) -> None:
    for n, positives, given in [*situations(measure, params), (1, 1, params), (4, 4, params)]:
        cases = in_order(n, positives)
        try:
            value = measure(cases, **given)
        except bt.Undefined:
            assert positives == n  # one class
            continue
        tree = formula(measure.perfect, measure, given)
        assert same(number(tree, Context(measure, cases, given)), value)


REACHED = [measure for measure in PLACED if measure.perfect is not None]


@pytest.mark.parametrize(("measure", "params"), with_params(REACHED, varied=False))
def test_a_perfect_order_gives_the_declared_value(
    measure: bt.Measure, params: dict[str, Any]
) -> None:
    assert_perfect_order(measure, params)


@pytest.mark.parametrize(
    ("measure", "params"), with_params([m for m in REACHED if m.key != "roc_n"], varied=True)
)
def test_a_perfect_order_gives_the_declared_value_under_other_parameters(
    measure: bt.Measure, params: dict[str, Any]
) -> None:
    assert_perfect_order(measure, params)


@pytest.mark.parametrize("first", [1, 2, 3])
def test_a_perfect_order_has_a_roc_n_of_one(first: int) -> None:
    assert bt.value("roc_n", in_order(6, 3), n=first) == 1


@pytest.mark.parametrize(
    ("key", "best"),
    [
        ("hit_rate", lambda n, positives, top: min(Fraction(1), Fraction(positives, top))),
        ("qrecall", lambda n, positives, top: min(Fraction(1), Fraction(top, positives))),
        ("quota_lift", lambda n, positives, top: min(Fraction(n, positives), Fraction(n, top))),
    ],
)
def test_the_words_for_a_perfect_quota_are_true(
    key: str, best: Callable[[int, int, int], Fraction]
) -> None:
    for n, positives in SIZES:
        for top in range(1, n + 1):
            assert bt.value(key, in_order(n, positives), top=top) == best(n, positives, top)


def test_the_words_for_a_perfect_decile_lift_are_true() -> None:
    cases = in_order(20, 5)
    lifts = [bt.value("decile_lift", cases, decile=decile) for decile in range(1, 11)]
    assert lifts == [4, 4, 2, 0, 0, 0, 0, 0, 0, 0]


def test_the_words_for_a_perfect_pearson_correlation_are_true() -> None:
    assert bt.value("quota_pearson", bt.Cases([1, 1, 0, 0], [1, 1, 0, 0]), top=3) == 1
    assert bt.value("quota_pearson", in_order(4, 2), top=3) ** 2 < 1


# Other data -----------------------------------------------------------------------------------


def test_perfect_classes_have_the_declared_mean_average_precision() -> None:
    measure = bt.MEASURES["mean_average_precision"]
    classes = {"a": in_order(5, 2), "b": in_order(4, 1), "c": in_order(3, 3)}
    tree = formula(measure.perfect, measure, {})
    assert same(number(tree, Context(measure, classes, {})), measure(classes))


def test_triplets_beyond_the_margin_have_the_declared_loss() -> None:
    measure = bt.MEASURES["triplet_loss"]
    triplets = [((0, 0), (0, 1), (2, 2)), ((1, 1), (1, 1), (0, 0))]
    for params in ({}, {"margin": 1}):
        tree = formula(measure.perfect, measure, params)
        found = number(tree, Context(measure, triplets, params))
        assert same(found, measure(triplets, **params))
