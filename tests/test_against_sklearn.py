"""Where scikit-learn computes the same measure, it finds the same number.

Where it does something else, a test states the difference and why.
"""

import math
import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning

import binteach as bt

CLOSE = 1e-12
# Eighths are exact as floats, so that both see the same ties; few values make many of them.
EIGHTHS = [Fraction(k, 8) for k in range(9)]
INSIDE = EIGHTHS[1:-1]
DISTANCES = [Fraction(k, 4) for k in range(-8, 9)]
WEIGHTS = [Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3)]

Scored = tuple[list[int], list[Fraction], list[Fraction]]


@st.composite
def scored(draw: st.DrawFn, values: list[Fraction], both_classes: bool = True) -> Scored:
    """Labels, scores, weights."""
    case = st.tuples(st.sampled_from([0, 1]), st.sampled_from(values), st.sampled_from(WEIGHTS))
    cases = draw(st.lists(case, min_size=2 if both_classes else 1, max_size=20))
    if both_classes:
        cases[:2] = [(1, *cases[0][1:]), (0, *cases[1][1:])]
    return [y for y, _, _ in cases], [s for _, s, _ in cases], [w for _, _, w in cases]


def floats(numbers: list[Fraction]) -> Any:
    return np.array([float(number) for number in numbers])


def agree(ours: Any, theirs: float) -> bool:
    return abs(float(ours) - float(theirs)) <= CLOSE


# One cut --------------------------------------------------------------------------------------

Labels = list[int]


def negative_class(score: Callable[..., float]) -> Callable[..., float]:
    """The same score with the negative class in the role of the positive one."""
    return lambda real, called, **more: score(real, called, pos_label=0, **more)


def likelihood_ratio(which: int) -> Callable[..., float]:
    """One of the two ratios, whatever the warning about the other."""

    def ratio(real: Labels, called: Labels, **more: Any) -> float:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UndefinedMetricWarning)
            return float(metrics.class_likelihood_ratios(real, called, **more)[which])

    return ratio


ONE_CUT: dict[str, Callable[..., float]] = {
    "accuracy": metrics.accuracy_score,
    "error_rate": metrics.zero_one_loss,
    "sensitivity": metrics.recall_score,
    "specificity": negative_class(metrics.recall_score),
    "precision": metrics.precision_score,
    "negative_predictive_value": negative_class(metrics.precision_score),
    "f_measure": metrics.f1_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "matthews_correlation": metrics.matthews_corrcoef,
    "cohens_kappa": metrics.cohen_kappa_score,
    "jaccard": metrics.jaccard_score,
    "positive_likelihood_ratio": likelihood_ratio(0),
    "negative_likelihood_ratio": likelihood_ratio(1),
}


@pytest.mark.parametrize("key", ONE_CUT)
@pytest.mark.parametrize("use_weights", [False, True])
@settings(max_examples=25)
@given(drawn=scored(EIGHTHS), threshold=st.sampled_from(EIGHTHS))
def test_a_measure_of_one_cut_is_the_same(
    key: str, use_weights: bool, drawn: Scored, threshold: Fraction
) -> None:
    labels, scores, weights = drawn
    cases = bt.Cases(labels, scores, weights=weights if use_weights else None)
    called = [int(score > threshold) for score in scores]
    try:
        ours = bt.value(key, cases, at=threshold)
    except bt.Undefined:
        assume(False)
    more = {"sample_weight": floats(weights)} if use_weights else {}
    assert agree(ours, ONE_CUT[key](labels, called, **more))


@given(drawn=scored(EIGHTHS), beta=st.sampled_from(["1/2", "1", "2", "3.7"]))
def test_f_beta_is_the_same(drawn: Scored, beta: str) -> None:
    labels, scores, _ = drawn
    called = [int(score > Fraction(1, 2)) for score in scores]
    ours = bt.value("f_beta", bt.Counts.from_labels(labels, called), beta=beta)
    assert agree(ours, metrics.fbeta_score(labels, called, beta=float(Fraction(beta))))


@given(drawn=scored(EIGHTHS, both_classes=False))
def test_mutual_information_is_the_same_in_nats(drawn: Scored) -> None:
    labels, scores, _ = drawn
    called = [int(score > Fraction(1, 2)) for score in scores]
    ours = bt.value("mutual_information", bt.Counts.from_labels(labels, called))
    assert agree(ours, metrics.mutual_info_score(labels, called))


@given(drawn=scored(EIGHTHS), threshold=st.sampled_from(EIGHTHS))
def test_the_confusion_matrix_is_the_same(drawn: Scored, threshold: Fraction) -> None:
    labels, scores, weights = drawn
    counts = bt.Cases(labels, scores, weights=weights).at(threshold, ">=")
    called = [int(score >= threshold) for score in scores]
    matrix = metrics.confusion_matrix(labels, called, labels=[0, 1], sample_weight=floats(weights))
    # Weights are multiples of 1/2, which floats add without error.
    assert matrix.ravel().tolist() == [counts.tn, counts.fp, counts.fn, counts.tp]


# Scores ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("use_weights", [False, True])
@given(drawn=scored(EIGHTHS, both_classes=False))
def test_the_brier_score_is_the_same(use_weights: bool, drawn: Scored) -> None:
    labels, scores, weights = drawn
    ours = bt.value(
        "brier_score", bt.Cases(labels, scores, weights=weights if use_weights else None)
    )
    theirs = metrics.brier_score_loss(
        labels, floats(scores), pos_label=1, sample_weight=floats(weights) if use_weights else None
    )
    assert agree(ours, theirs)


@pytest.mark.parametrize(
    ("key", "theirs"),
    [
        ("mean_absolute_error", metrics.mean_absolute_error),
        ("brier_score", metrics.mean_squared_error),
        ("root_mean_square_error", metrics.root_mean_squared_error),
    ],
)
@given(drawn=scored(EIGHTHS, both_classes=False))
def test_an_error_of_scores_is_the_error_of_a_regression_on_the_labels(
    key: str, theirs: Callable[..., float], drawn: Scored
) -> None:
    labels, scores, weights = drawn
    ours = bt.value(key, bt.Cases(labels, scores, weights=weights))
    assert agree(ours, theirs(labels, floats(scores), sample_weight=floats(weights)))


@pytest.mark.parametrize("use_weights", [False, True])
@given(drawn=scored(INSIDE, both_classes=False))
def test_log_loss_with_natural_logarithms_is_the_same(use_weights: bool, drawn: Scored) -> None:
    labels, scores, weights = drawn
    cases = bt.Cases(labels, scores, weights=weights if use_weights else None)
    theirs = metrics.log_loss(
        labels,
        floats(scores),
        labels=[0, 1],
        sample_weight=floats(weights) if use_weights else None,
    )
    assert agree(bt.value("log_loss", cases, base="e"), theirs)


@pytest.mark.parametrize("use_weights", [False, True])
@given(drawn=scored(DISTANCES))
def test_the_hinge_loss_is_the_same(use_weights: bool, drawn: Scored) -> None:
    labels, scores, weights = drawn
    cases = bt.Cases(labels, scores, weights=weights if use_weights else None)
    more = {"sample_weight": floats(weights)} if use_weights else {}
    assert agree(bt.value("hinge_loss", cases), metrics.hinge_loss(labels, floats(scores), **more))


# Rankings -------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["ranks", "pairs", "trapezoids"])
@given(drawn=scored(EIGHTHS))
def test_the_area_under_the_roc_curve_is_the_same(method: str, drawn: Scored) -> None:
    labels, scores, _ = drawn
    ours = bt.value("auc", bt.Cases(labels, scores), method=method)
    assert agree(ours, metrics.roc_auc_score(labels, floats(scores)))


@pytest.mark.parametrize(
    ("key", "theirs"),
    [("auc", metrics.roc_auc_score), ("average_precision", metrics.average_precision_score)],
)
@given(drawn=scored(EIGHTHS))
def test_a_weighted_area_is_the_same(key: str, theirs: Callable[..., float], drawn: Scored) -> None:
    labels, scores, weights = drawn
    ours = bt.value(key, bt.Cases(labels, scores, weights=weights))
    assert agree(ours, theirs(labels, floats(scores), sample_weight=floats(weights)))


@given(drawn=scored(EIGHTHS))
def test_average_precision_is_the_same_with_ties(drawn: Scored) -> None:
    labels, scores, _ = drawn
    ours = bt.value("average_precision", bt.Cases(labels, scores))
    assert agree(ours, metrics.average_precision_score(labels, floats(scores)))


@given(drawn=st.lists(scored(EIGHTHS), min_size=1, max_size=3))
def test_mean_average_precision_is_the_macro_average(drawn: list[Scored]) -> None:
    size = min(len(labels) for labels, _, _ in drawn)
    labels = np.array([labels[:size] for labels, _, _ in drawn]).T
    scores = np.array([floats(scores[:size]) for _, scores, _ in drawn]).T
    classes = {name: bt.Cases(y[:size], s[:size]) for name, (y, s, _) in enumerate(drawn)}
    ours = bt.value("mean_average_precision", classes)
    if len(drawn) == 1:
        labels, scores = labels.ravel(), scores.ravel()
    assert agree(ours, metrics.average_precision_score(labels, scores, average="macro"))


@given(drawn=scored(EIGHTHS))
def test_the_largest_youden_index_is_the_largest_informedness(drawn: Scored) -> None:
    labels, scores, _ = drawn
    fpr, tpr, _ = metrics.roc_curve(labels, floats(scores), drop_intermediate=False)
    cases = bt.Cases(labels, scores)
    assert agree(bt.value("max_youden", cases), max(tpr - fpr))
    assert agree(bt.value("ks", cases), max(abs(tpr - fpr)))


# Curves ---------------------------------------------------------------------------------------


def assert_same_points(points: Any, xs: Any, ys: Any) -> None:
    assert len(points) == len(xs) == len(ys)
    for point, x, y in zip(points, xs, ys, strict=True):
        assert agree(point.x, x)
        assert agree(point.y, y)


@pytest.mark.parametrize("use_weights", [False, True])
@given(drawn=scored(EIGHTHS))
def test_the_roc_curve_has_the_same_points(use_weights: bool, drawn: Scored) -> None:
    labels, scores, weights = drawn
    cases = bt.Cases(labels, scores, weights=weights if use_weights else None)
    more = {"sample_weight": floats(weights)} if use_weights else {}
    fpr, tpr, _ = metrics.roc_curve(labels, floats(scores), drop_intermediate=False, **more)
    assert_same_points(bt.curve("roc", cases).points, fpr, tpr)


@pytest.mark.parametrize("use_weights", [False, True])
@given(drawn=scored(EIGHTHS))
def test_the_precision_recall_curve_has_the_same_points_but_for_one(
    use_weights: bool, drawn: Scored
) -> None:
    """scikit-learn runs from high recall to low and ends with an extra point (0, 1).

    No cut gives that point: with nothing called positive, precision is 0/0. It is there so that
    the drawn curve reaches the axis.
    """
    labels, scores, weights = drawn
    cases = bt.Cases(labels, scores, weights=weights if use_weights else None)
    more = {"sample_weight": floats(weights)} if use_weights else {}
    precision, recall, _ = metrics.precision_recall_curve(labels, floats(scores), **more)
    assert (recall[-1], precision[-1]) == (0, 1)
    assert_same_points(bt.curve("pr", cases).points, recall[-2::-1], precision[-2::-1])


@given(drawn=scored(EIGHTHS))
def test_the_points_of_the_det_curve_are_those_of_the_roc_curve(drawn: Scored) -> None:
    """FNR = 1 - TPR; scikit-learn leaves out cuts where one of the two errors no longer changes."""
    labels, scores, _ = drawn
    fpr, fnr, _ = metrics.det_curve(labels, floats(scores))
    ours = {(point.x, 1 - point.y) for point in bt.curve("roc", bt.Cases(labels, scores)).points}
    assert len(fpr)
    for x, y in zip(fpr, fnr, strict=True):
        assert any(agree(a, x) and agree(b, y) for a, b in ours)


# Known differences ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "theirs", "counts", "labels", "called"),
    [
        ("precision", metrics.precision_score, bt.Counts(0, 0, 1, 1), [1, 0], [0, 0]),
        ("sensitivity", metrics.recall_score, bt.Counts(0, 1, 0, 1), [0, 0], [1, 0]),
        ("f_measure", metrics.f1_score, bt.Counts(0, 0, 0, 2), [0, 0], [0, 0]),
        ("jaccard", metrics.jaccard_score, bt.Counts(0, 0, 0, 2), [0, 0], [0, 0]),
    ],
)
def test_what_is_undefined_here_is_zero_with_a_warning_there(
    key: str, theirs: Callable[..., float], counts: bt.Counts, labels: Labels, called: Labels
) -> None:
    """scikit-learn puts `zero_division`, by default 0, for 0/0: a search over models goes on."""
    with pytest.raises(bt.Undefined):
        bt.value(key, counts)
    with pytest.warns(UndefinedMetricWarning, match="ill-defined"):
        assert theirs(labels, called) == 0
    assert theirs(labels, called, zero_division=1) == 1


def test_f_measure_without_precision_is_zero_in_both() -> None:
    """Written in counts, 2 TP / (2 TP + FP + FN) is 0/1: no convention is needed."""
    assert bt.value("f_measure", bt.Counts(0, 0, 1, 1)) == 0
    assert metrics.f1_score([1, 0], [0, 0]) == 0


def test_matthews_correlation_of_an_empty_margin_is_undefined_here_and_zero_there() -> None:
    """0/0; scikit-learn takes 0, "no correlation", without a warning."""
    with pytest.raises(bt.Undefined):
        bt.value("matthews_correlation", bt.Counts(0, 0, 1, 1))
    assert metrics.matthews_corrcoef([1, 0], [0, 0]) == 0


def test_kappa_of_one_class_is_undefined_here_and_nan_there() -> None:
    """Chance alone agrees always, and 1 - P_e = 0; scikit-learn divides anyway."""
    with pytest.raises(bt.Undefined):
        bt.value("cohens_kappa", bt.Counts(2, 0, 0, 0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert math.isnan(metrics.cohen_kappa_score([1, 1], [1, 1]))


def test_balanced_accuracy_of_one_class_is_undefined_here_and_its_recall_there() -> None:
    """scikit-learn takes the mean over the classes that occur."""
    with pytest.raises(bt.Undefined):
        bt.value("balanced_accuracy", bt.Counts(1, 0, 1, 0))
    with pytest.warns(UserWarning, match="classes not in y_true"):
        assert metrics.balanced_accuracy_score([1, 1], [1, 0]) == 1 / 2


def test_a_likelihood_ratio_over_zero_is_undefined_here_and_nan_there() -> None:
    """sensitivity / 0 has no value; scikit-learn warns and gives nan."""
    with pytest.raises(bt.Undefined):
        bt.value("positive_likelihood_ratio", bt.Counts(1, 0, 0, 1))
    with pytest.warns(UndefinedMetricWarning, match="positive_likelihood_ratio"):
        assert math.isnan(metrics.class_likelihood_ratios([1, 0], [1, 0])[0])


def test_the_auc_of_one_class_is_undefined_here_and_nan_there() -> None:
    """There is no pair of a positive and a negative to compare."""
    with pytest.raises(bt.Undefined):
        bt.value("auc", bt.Cases([1, 1], [1, 0]))
    with pytest.warns(UndefinedMetricWarning, match="Only one class"):
        theirs = metrics.roc_auc_score([1, 1], [1, 0])
    assert math.isnan(theirs)


def test_average_precision_without_positives_is_undefined_here_and_zero_there() -> None:
    """Recall is 0/0; scikit-learn takes recall as 1 at every threshold, so that it never grows."""
    with pytest.raises(bt.Undefined):
        bt.value("average_precision", bt.Cases([0, 0], [1, 0]))
    with pytest.warns(UserWarning, match="No positive class"):
        assert metrics.average_precision_score([0, 0], [1, 0]) == 0


def test_log_loss_is_in_bits_here_and_in_nats_there() -> None:
    """Berrar takes logarithms to base 2, scikit-learn natural ones: a factor of ln 2."""
    cases = bt.Cases([1, 0], ["1/2", "1/2"])
    theirs = metrics.log_loss([1, 0], [0.5, 0.5])
    assert bt.value("log_loss", cases) == 1
    assert agree(bt.value("log_loss", cases, base="e"), theirs)
    assert abs(theirs - math.log(2)) <= CLOSE


def test_a_score_of_zero_for_a_positive_costs_less_here_than_there() -> None:
    """Both put a small number for 0: here 10^-5, as Berrar; there the smallest float step at 1."""
    cases = bt.Cases([1, 0], [0, 0])
    theirs = metrics.log_loss([1, 0], [0.0, 0.0])
    assert agree(bt.value("log_loss", cases, base="e"), -math.log(1e-5) / 2)
    assert abs(theirs + math.log(np.finfo(np.float64).eps) / 2) <= CLOSE
    epsilon = Fraction(float(np.finfo(np.float64).eps))
    assert agree(bt.value("log_loss", cases, base="e", epsilon=epsilon), theirs)


def test_mutual_information_in_bits_is_another_number() -> None:
    """A perfect call of two equal classes tells one bit, which is ln 2 nats."""
    counts = bt.Counts(1, 0, 0, 1)
    assert bt.value("mutual_information", counts, base=2) == 1
    assert abs(metrics.mutual_info_score([1, 0], [1, 0]) - math.log(2)) <= CLOSE


def test_the_fowlkes_mallows_score_there_counts_pairs_of_cases() -> None:
    """There it compares two clusterings by pairs; here it is another name of the G-measure."""
    labels, called = [1, 1, 0, 0], [1, 0, 0, 0]
    ours = bt.value("Fowlkes-Mallows index", bt.Counts.from_labels(labels, called))
    assert ours**2 == Fraction(1, 2)
    theirs = metrics.fowlkes_mallows_score(labels, called)
    assert abs(theirs - 1 / math.sqrt(2 * 3)) <= CLOSE


def test_the_roc_curve_there_leaves_out_points_on_a_straight_line() -> None:
    """By default scikit-learn drops them, since the picture stays the same; here each is a cut."""
    labels, scores = [1, 1, 1, 0], [4, 3, 2, 1]
    ours = bt.curve("roc", bt.Cases(labels, scores))
    assert len(metrics.roc_curve(labels, scores)[0]) < len(ours) == 5
    assert len(metrics.roc_curve(labels, scores, drop_intermediate=False)[0]) == len(ours)


def test_a_threshold_there_is_the_score_of_a_case_and_here_any_number() -> None:
    """There a case is called positive from the threshold on (>=), here above it (>)."""
    labels, scores = [1, 0, 1], [0.75, 0.5, 0.25]
    _, _, thresholds = metrics.roc_curve(labels, scores, drop_intermediate=False)
    cases = bt.Cases(labels, scores)
    cuts = [point.cut for point in bt.curve("roc", cases).points][1:]
    for threshold, cut in zip(thresholds[1:], cuts, strict=True):
        assert cases.at(float(threshold), ">=") == cases.top(cut)
        assert cases.at(float(threshold)) == cases.top(cut - 1)
