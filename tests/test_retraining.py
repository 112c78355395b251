"""Procedures that train a model anew: against the same steps done by hand."""

import re
import sys
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import binteach as bt
from binteach.inference import retraining

RNG = np.random.default_rng(7)
Y = np.repeat([0, 1], [18, 12])
X = RNG.normal(Y[:, None] * [1.0, 0.5], 1, (30, 2)).round(3)
X_TEST, Y_TEST = X[::3], Y[::3]
X_TRAIN, Y_TRAIN = np.delete(X, np.s_[::3], axis=0), np.delete(Y, np.s_[::3])
Floats = NDArray[np.float64]


def by_means(X: Any, y: Any) -> Any:
    """A model as a function: how much nearer a case is to the mean of the positives."""
    ups, downs = (np.mean([x for x, k in zip(X, y, strict=True) if k == c], axis=0) for c in (1, 0))

    def scores(rows: Any) -> list[float]:
        return [float(((x - downs) ** 2).sum() - ((x - ups) ** 2).sum()) for x in np.asarray(rows)]

    return scores


MODELS: dict[str, Any] = {
    "boundary": bt.Boundary(),
    "logistic regression": LogisticRegression(),
    "tree": DecisionTreeClassifier(max_depth=2, random_state=0),
    "linear svm": LinearSVC(),
    "function": by_means,
    "function that gives a model": lambda X, y: GaussianNB().fit(X, y),
}
every_model = pytest.mark.parametrize("fit", MODELS.values(), ids=MODELS)


def slow_scores(fit: Any, X: Any, y: Any, X_test: Any) -> list[float]:
    """Train and score, each kind of model in its own way."""
    if fit is by_means:
        return list(by_means(X, y)(X_test))
    model = type(fit)(**fit.get_params()) if hasattr(fit, "get_params") else bt.Boundary()
    model = GaussianNB() if callable(fit) else model
    model.fit(X, y)
    if hasattr(model, "predict_proba"):
        return list(model.predict_proba(X_test)[:, 1])
    return list(model.decision_function(X_test))


def slow_auc(labels: Any, scores: Any) -> Fraction | None:
    pairs = list(zip(labels, scores, strict=True))
    ups, downs = ([s for label, s in pairs if label == kind] for kind in (1, 0))
    if not ups or not downs:
        return None
    twice = sum(2 * int(u > d) + int(u == d) for u in ups for d in downs)
    return Fraction(twice, 2 * len(ups) * len(downs))


# Out-of-bag bootstrap ---------------------------------------------------------------------------


@every_model
def test_out_of_bag_values_are_those_done_by_hand(fit: Any) -> None:
    rng, expected = np.random.default_rng(3), []
    for _ in range(12):
        drawn = list(rng.integers(0, 30, 30))
        left = [case for case in range(30) if case not in drawn]
        expected.append(slow_auc(Y[left], slow_scores(fit, X[drawn], Y[drawn], X[left])))
    found = bt.bootstrap_oob(fit, X, Y, "auc", resamples=12, seed=3, progress=False)
    assert found.distribution.tolist() == [float(value) for value in expected if value is not None]
    assert found.estimate is None
    assert (found.resamples, found.seed, found.undefined) == (12, 3, {})
    low, high = np.quantile(found.distribution, [0.025, 0.975])
    assert (found.low, found.high) == pytest.approx((low, high))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 1), min_size=2, max_size=5), st.integers(0, 99))
def test_every_resample_is_counted_once(labels: list[int], seed: int) -> None:
    rows, n, count = [[k] for k in range(len(labels))], len(labels), 20
    found = bt.bootstrap_oob(bt.Boundary(), rows, labels, resamples=count, seed=seed)
    assert len(found.distribution) + sum(found.undefined.values()) == count
    rng, expected = np.random.default_rng(seed), Counter[str]()
    for _ in range(count):
        drawn = rng.integers(0, n, n).tolist()
        left = [labels[case] for case in range(n) if case not in drawn]
        kinds = {labels[case] for case in drawn}
        if len(kinds) < 2:
            kind = "negative" if 1 in kinds else "positive"
            expected[f"the training sample has no {kind} case, so nothing can be"] += 1
        elif not left:
            expected["all cases were drawn for training, none is left to judge"] += 1
        elif len(set(left)) < 2:
            kind = "negative" if 1 in left else "positive"
            expected[f"there is no {kind} case"] += 1
    told = {
        next(start for start in expected if reason.startswith(start)): times
        for reason, times in found.undefined.items()
    }
    assert told == expected


def test_all_reasons_are_met_and_told() -> None:
    found = bt.bootstrap_oob(bt.Boundary(), [[0], [1], [2]], [0, 1, 0], resamples=200, seed=1)
    assert len(found.undefined) == 4
    text = " ".join(str(found).split())
    for reason in found.undefined:
        assert reason in text
    assert "drawn with replacement" in text


def test_a_measure_of_counts_needs_its_cut_in_every_out_of_bag_sample() -> None:
    tied = bt.bootstrap_oob(
        DecisionTreeClassifier(max_depth=1, random_state=0), X, Y, "accuracy", top=3,
        resamples=20, seed=1,
    )  # fmt: skip
    assert tied.undefined["a cut below the 3 top-ranked cases would go through a tie"] > 10
    many = bt.bootstrap_oob(bt.Boundary(), X, Y, "accuracy", resamples=50, seed=1, top=11)
    assert set(many.undefined) == {"fewer than 11 cases are left to judge"}
    assert len(many.distribution) + many.undefined["fewer than 11 cases are left to judge"] == 50
    few = bt.bootstrap_oob(bt.Boundary(), X, Y, "roc_n", resamples=50, seed=1, n=6)
    assert "fewer than 6 negatives are left to judge" in few.undefined
    assert len(few.distribution)


def test_a_threshold_is_the_boundary_itself() -> None:
    rng = np.random.default_rng(5)
    found = bt.bootstrap_oob(bt.Boundary(), X, Y, "accuracy", resamples=5, seed=5, at=0)
    for value in found.distribution:
        drawn = rng.integers(0, 30, 30)
        left = np.setdiff1d(np.arange(30), drawn)
        means = [X[drawn][Y[drawn] == label].mean(axis=0) for label in (0, 1)]
        distances = [np.linalg.norm(X[left] - mean, axis=1) for mean in means]
        assert value == np.mean((distances[1] < distances[0]) == Y[left])


# Permuted training labels -----------------------------------------------------------------------


@every_model
def test_permuted_values_are_those_done_by_hand(fit: Any) -> None:
    aim = slow_auc(Y_TEST, slow_scores(fit, X_TRAIN, Y_TRAIN, X_TEST))
    rng, expected = np.random.default_rng(3), []
    for _ in range(12):
        permuted = Y_TRAIN[rng.permutation(len(Y_TRAIN))]
        expected.append(slow_auc(Y_TEST, slow_scores(fit, X_TRAIN, permuted, X_TEST)))
    found = bt.permutation_retrain(
        fit, X_TRAIN, Y_TRAIN, X_TEST, Y_TEST, "auc", resamples=12, seed=3, progress=False
    )
    values = [value for value in expected if value is not None]
    assert aim is not None
    assert found.observed == aim
    assert found.distribution.tolist() == [float(value) for value in values]
    b = sum(value >= aim for value in values)
    assert (found.as_extreme, found.arrangements) == (b, 12)
    assert found.p == Fraction(b + 1, 13)
    assert found.berrar == Fraction(b, 12)


def test_the_direction_follows_the_measure_or_what_is_asked() -> None:
    def run(measure: str, **options: Any) -> Any:
        return bt.permutation_retrain(
            GaussianNB(), X_TRAIN, Y_TRAIN, X_TEST, Y_TEST, measure, resamples=30, seed=1,
            **options,
        )  # fmt: skip

    better = run("brier_score")
    assert better.alternative == "less"
    assert better.as_extreme == (better.distribution <= float(better.observed)).sum()
    assert run("auc", alternative="less").as_extreme + run("auc").as_extreme >= 30
    both = run("auc", alternative="two-sided")
    assert both.p == min(Fraction(1), 2 * min(run("auc").p, run("auc", alternative="less").p))
    with pytest.raises(ValueError, match="alternative is 'up'; it must be one of"):
        run("auc", alternative="up")


def test_undefined_permutations_count_as_extreme_and_are_told() -> None:
    def fit(X: Any, y: Any) -> Any:
        if y[0]:
            raise bt.Undefined("the first case is positive")
        return lambda rows: [row[0] for row in rows]

    labels = Y_TRAIN.tolist()
    assert labels[0] == 0
    found = bt.permutation_retrain(
        fit, X_TRAIN.tolist(), labels, X_TEST.tolist(), Y_TEST.tolist(), resamples=40, seed=1
    )
    lost = found.undefined["the first case is positive"]
    assert 0 < lost < 40
    assert len(found.distribution) == 40 - lost
    assert found.as_extreme == 40  # the scores never change, so the others are as large
    assert "the first case is positive" in str(found)


def test_training_cases_of_one_class_are_undefined() -> None:
    with pytest.raises(bt.Undefined, match="the training set has no positive case"):
        bt.permutation_retrain(bt.Boundary(), X, Y * 0, X, Y)
    with pytest.raises(bt.Undefined, match="there is no positive case"):
        bt.permutation_retrain(bt.Boundary(), X, Y, X, Y * 0)


# Both -------------------------------------------------------------------------------------------


def oob(fit: Any, X: Any, y: Any, measure: str = "auc", **options: Any) -> Any:
    return bt.bootstrap_oob(fit, X, y, measure, resamples=8, progress=False, **options)


def permuted(fit: Any, X: Any, y: Any, measure: str = "auc", **options: Any) -> Any:
    return bt.permutation_retrain(fit, X, y, X, y, measure, resamples=8, progress=False, **options)


both = pytest.mark.parametrize("run", [oob, permuted], ids=["out-of-bag", "permuted"])
TABLES: dict[str, Any] = {
    "list": (X.tolist(), Y.tolist()),
    "tuple": (tuple(map(tuple, X.tolist())), tuple(Y.tolist())),
    # A shuffled index shows whether rows go by place or by label.
    "frame": (pd.DataFrame(X, index=range(30)[::-1]), pd.Series(Y, index=range(5, 35))),
    "mixed": (pd.DataFrame(X, columns=["a", "b"]), Y.tolist()),
}


@both
@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_rows_may_come_in_many_shapes(run: Any, table: tuple[Any, Any]) -> None:
    expected = run(GaussianNB(), X, Y, seed=2).distribution
    assert run(GaussianNB(), *table, seed=2).distribution.tolist() == expected.tolist()


@both
def test_sparse_rows_are_rows_too(run: Any) -> None:
    expected = run(LogisticRegression(), X, Y, seed=2).distribution
    found = run(LogisticRegression(), csr_array(X), Y, seed=2).distribution
    assert found == pytest.approx(expected)


@both
def test_labels_may_be_words(run: Any) -> None:
    words = np.array(["well", "ill"])[Y]
    for fit in (GaussianNB(), bt.Boundary()):
        expected = run(fit, X, Y, seed=2).distribution
        # "ill" comes before "well", so distances count from the other side.
        found = run(fit, X, words, seed=2, positive="ill").distribution
        assert found == pytest.approx(expected)


@both
def test_one_seed_gives_one_result_and_none_is_told(run: Any) -> None:
    first, second = run(bt.Boundary(), X, Y, seed=4), run(bt.Boundary(), X, Y, seed=4)
    assert first.distribution.tolist() == second.distribution.tolist()
    assert str(first) == str(second)
    fresh = run(bt.Boundary(), X, Y)
    again = run(bt.Boundary(), X, Y, seed=fresh.seed)
    assert fresh.distribution.tolist() == again.distribution.tolist()
    assert f"seed={fresh.seed}" in str(fresh)


class Counting:
    """A model without get_params that remembers how often it was trained."""

    trained = 0

    def fit(self, X: Any, y: Any) -> None:
        self.trained += 1
        assert self.trained == 1

    def decision_function(self, X: Any) -> Any:
        return np.asarray(X)[:, 0]


@both
def test_the_model_of_the_caller_stays_untrained(run: Any) -> None:
    own, other, line = GaussianNB(var_smoothing=0.1), Counting(), bt.Boundary()
    for model in (own, other, line):
        run(model, X, Y, seed=1)
    assert not hasattr(own, "classes_")
    assert other.trained == 0
    assert repr(line) == "Boundary()"


@both
def test_without_scikit_learn_its_models_are_copied(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = run(GaussianNB(), X, Y, seed=1).distribution
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    assert run(GaussianNB(), X, Y, seed=1).distribution.tolist() == expected.tolist()


@both
def test_an_error_of_the_model_says_where_it_happened(run: Any) -> None:
    calls = []

    def fit(X: Any, y: Any) -> Any:
        calls.append(len(y))
        if len(calls) == 4:
            raise ZeroDivisionError("mine")
        return lambda rows: [row[0] for row in rows]

    with pytest.raises(ZeroDivisionError, match="mine") as caught:
        run(fit, X, Y, seed=1)
    which = "resample 4" if run is oob else "permutation 3"
    assert caught.value.__notes__ == [f"This happened in {which} of 8, seed=1."]


@both
def test_bad_scores_say_where_they_came_from(run: Any) -> None:
    with pytest.raises(ValueError, match="the score in row 1 is nan") as caught:
        run(lambda X, y: lambda rows: [float("nan")] * len(rows), X, Y, seed=1)
    where = "in resample 1 of 8, seed=1" if run is oob else "with the labels as they are"
    assert caught.value.__notes__ == [f"This happened {where}."]
    with pytest.raises(ValueError, match="training gave 5, which gives no scores; fit must be"):
        run(lambda X, y: 5, X, Y)


def never(X: Any, y: Any) -> Any:
    raise AssertionError("nothing should be trained")


@both
@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((LogisticRegression, X, Y), {}, "fit is the class LogisticRegression; give a model of it"),
        ((5, X, Y), {}, "fit is 5; it must be a model with fit and predict_proba or decision_fu"),
        ((never, X, Y[:-1]), {}, "has 30 rows, but y"),
        ((never, 5, Y), {}, "is 5; a list of rows, an array or a frame is needed"),
        ((never, X, Y + X[:, 0].round()), {}, "different labels"),
        ((never, X, Y), {"positive": 3}, "no label is 3: the data have"),
        ((never, X, Y, "aucc"), {}, "there is no measure 'aucc'; did you mean auc"),
        ((never, X, Y, "accuracy"), {}, "accuracy on Cases needs one cut, but no cut was given"),
        ((never, X, Y, "accuracy"), {"top": 31}, "top is 31, but there are 30 cases"),
        ((never, X, Y, "auc"), {"beta": 1}, "auc does not take 'beta'"),
        ((never, X, Y, "triplet_loss"), {}, "triplet_loss is not computed from Cases"),
        ((never, X, Y), {"seed": -1}, "seed is -1; it must be a whole number"),
    ],
    ids=lambda given: given[:30] if isinstance(given, str) else "",
)
def test_bad_input_is_named_before_anything_is_trained(
    run: Any, arguments: tuple[Any, ...], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        run(*arguments, **options)


# The line between two classes -------------------------------------------------------------------

points = st.lists(
    st.tuples(st.integers(0, 1), st.integers(-9, 9), st.integers(-9, 9)), min_size=2, max_size=9
).filter(lambda rows: len({row[0] for row in rows}) == 2)


@settings(max_examples=100, deadline=None)
@given(points)
def test_a_distance_is_positive_where_the_mean_of_the_positives_is_nearer(
    rows: list[tuple[int, int, int]],
) -> None:
    labels, places = np.array(rows)[:, 0], np.array(rows)[:, 1:]
    model = bt.Boundary().fit(places, labels)
    found = model.decision_function(places)
    means = [places[labels == label].mean(axis=0) for label in (0, 1)]
    gap = float(np.linalg.norm(means[1] - means[0]))
    squares = [((places - mean) ** 2).sum(axis=1) for mean in means]
    # |x − m₀|² − |x − m₁|² = 2 (x − m) · (m₁ − m₀)
    assert found * 2 * gap == pytest.approx(squares[0] - squares[1], abs=1e-9)
    assert np.linalg.norm(model.direction) == pytest.approx(1 if gap else 0)


def test_on_the_ten_cases_the_line_is_near_the_one_drawn() -> None:
    cases = bt.load("ten_cases")
    rows = [[score] for score in map(float, cases.scores)]
    model = bt.Boundary().fit(rows, cases.labels)
    assert model.middle == pytest.approx([0.49])
    assert repr(model) == "Boundary(through [0.49], towards [1.0])"
    again = bt.Cases.from_estimator(model, rows, cases.labels)
    assert list(again.ranking.order) == list(cases.ranking.order)


def test_equal_means_leave_no_line() -> None:
    # In doubles 0.1 + 0.2 is not 0.3, but the means are the same.
    model = bt.Boundary().fit([[0.1], [0.2], [0.3], [0.0]], [0, 0, 1, 1])
    assert model.decision_function([[5.0], [-5.0]]).tolist() == [0, 0]


def test_a_boundary_says_what_it_needs() -> None:
    with pytest.raises(
        ValueError, match=r"each row needs its features, as in \[\[0.1\], \[0.2\]\]"
    ):
        bt.Boundary().fit([0.1, 0.2], [0, 1])
    with pytest.raises(ValueError, match="X has 2 rows, but y has 3 labels"):
        bt.Boundary().fit([[1], [2]], [0, 1, 1])
    with pytest.raises(ValueError, match="lies between two classes, but the labels are 1"):
        bt.Boundary().fit([[1], [2]], [1, 1])
    with pytest.raises(ValueError, match="not trained yet; call fit"):
        bt.Boundary().decision_function([[1]])
    with pytest.raises(ValueError, match="X has 2 features, but the boundary was trained on 1"):
        bt.Boundary().fit([[1], [2]], [0, 1]).decision_function([[1, 2]])


def test_the_examples_hold() -> None:
    import doctest

    assert doctest.testmod(retraining).failed == 0
