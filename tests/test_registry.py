"""The registry: every measure is there, answers to all its names, and is what it declares."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import binteach as bt

KEYS = {
    "counts": [
        "accuracy",
        "error_rate",
        "sensitivity",
        "specificity",
        "precision",
        "negative_predictive_value",
        "false_discovery_rate",
        "false_omission_rate",
        "false_positive_rate",
        "false_negative_rate",
        "prevalence",
        "predicted_positive_rate",
        "youden_index",
        "positive_likelihood_ratio",
        "negative_likelihood_ratio",
        "diagnostic_odds_ratio",
        "balanced_accuracy",
        "balanced_error_rate",
        "f_measure",
        "f_beta",
        "f_alpha",
        "g_measure",
        "matthews_correlation",
        "lift",
        "gain",
        "expected_cost",
        "cohens_kappa",
        "weighted_relative_accuracy",
        "markedness",
        "jaccard",
        "mutual_information",
    ],
    "scores": [
        "mean_absolute_error",
        "brier_score",
        "root_mean_square_error",
        "log_loss",
        "balanced_cross_entropy",
        "focal_loss",
        "information_score",
        "relative_information_score",
        "hinge_loss",
    ],
    "triplets": ["triplet_loss"],
    "ranking": [
        "auc",
        "gini",
        "auch",
        "ks",
        "taks",
        "max_youden",
        "average_precision",
        "mean_precision",
        "aucpr_min",
        "aucpr_minmax",
        "aucpr_max",
        "average_gain",
        "average_lift",
        "equal_error_rate",
        "roc_n",
    ],
    "classes": ["mean_average_precision"],
    "quota": [
        "hit_rate",
        "qrecall",
        "quota_lift",
        "decile_lift",
        "quota_pearson",
        "average_hit_rate",
        "average_qrecall",
        "pem",
    ],
}

# Every name that a document uses for a measure, as it is printed there.
BERRAR = {
    "0-1 loss": "error_rate",
    "1 - specificity": "false_positive_rate",
    "1 minus specificity": "false_positive_rate",
    "accuracy": "accuracy",
    "AP": "average_precision",
    "area under the curve": "auc",
    "area under the precision-recall curve": "average_precision",
    "area under the ROC convex hull": "auch",
    "area under the ROC curve": "auc",
    "AUC": "auc",
    "AUCH": "auch",
    "AUCPR": "average_precision",
    "AUCPR_max": "aucpr_max",
    "AUCPR_min": "aucpr_min",
    "AUCPR_minmax": "aucpr_minmax",
    "average focal loss": "focal_loss",
    "average gain": "average_gain",
    "average hinge loss": "hinge_loss",
    "average information score": "information_score",
    "average lift": "average_lift",
    "average precision": "average_precision",
    "BACC": "balanced_accuracy",
    "balanced accuracy": "balanced_accuracy",
    "balanced cross-entropy": "balanced_cross_entropy",
    "bCE": "balanced_cross_entropy",
    "Brier score": "brier_score",
    "Cohen's kappa": "cohens_kappa",
    "cross-entropy": "log_loss",
    "error rate": "error_rate",
    "F_1-score": "f_measure",
    "F_β": "f_beta",
    "F_β-measure": "f_beta",
    "F-measure": "f_measure",
    "F-score": "f_measure",
    "false discovery rate": "false_discovery_rate",
    "false positive rate": "false_positive_rate",
    "FDR": "false_discovery_rate",
    "FL": "focal_loss",
    "FL_avg": "focal_loss",
    "focal loss": "focal_loss",
    "FPR": "false_positive_rate",
    "G-measure": "g_measure",
    "gain": "gain",
    "Gini": "gini",
    "Gini coefficient": "gini",
    "Gini index": "gini",
    "hinge loss": "hinge_loss",
    "I_r": "relative_information_score",
    "information score": "information_score",
    "IS": "information_score",
    "J": "youden_index",
    "J_max": "max_youden",
    "Kolmogorov-Smirnov statistic": "ks",
    "KS": "ks",
    "KS statistic": "ks",
    "lift": "lift",
    "logarithmic loss": "log_loss",
    "logloss": "log_loss",
    "lower trapezoid": "aucpr_min",
    "LR_-": "negative_likelihood_ratio",
    "LR_+": "positive_likelihood_ratio",
    "MAE": "mean_absolute_error",
    "MAP": "mean_average_precision",
    "Matthew's correlation coefficient": "matthews_correlation",
    "Matthews correlation coefficient": "matthews_correlation",
    "maximum Youden index": "max_youden",
    "MCC": "matthews_correlation",
    "mean absolute error": "mean_absolute_error",
    "mean average precision": "mean_average_precision",
    "mean squared error": "brier_score",
    "MSE": "brier_score",
    "negative likelihood ratio": "negative_likelihood_ratio",
    "negative predictive value": "negative_predictive_value",
    "positive likelihood ratio": "positive_likelihood_ratio",
    "positive predictive value": "precision",
    "Prec": "precision",
    "precision": "precision",
    "prevalence": "prevalence",
    "prior probability": "prevalence",
    "recall": "sensitivity",
    "relative information score": "relative_information_score",
    "RMSE": "root_mean_square_error",
    "root mean square error": "root_mean_square_error",
    "sensitivity": "sensitivity",
    "specificity": "specificity",
    "taKS": "taks",
    "TNR": "specificity",
    "TPR": "sensitivity",
    "triplet loss": "triplet_loss",
    "true negative rate": "specificity",
    "true positive rate": "sensitivity",
    "truncated average Kolmogorov-Smirnov statistic": "taks",
    "upper trapezoid": "aucpr_max",
    "Youden index": "youden_index",
    "Youden's J statistic": "youden_index",
    "κ": "cohens_kappa",
}
MURPHY = {
    "acc": "accuracy",
    "accuracy": "accuracy",
    "area under the curve": "auc",
    "AUC": "auc",
    "cross over rate": "equal_error_rate",
    "EER": "equal_error_rate",
    "equal error rate": "equal_error_rate",
    "expected loss": "expected_cost",
    "F": "f_measure",
    "F score": "f_measure",
    "F_α": "f_alpha",
    "false acceptance rate": "false_positive_rate",
    "false negative rate": "false_negative_rate",
    "false positive rate": "false_positive_rate",
    "false rejection rate": "false_negative_rate",
    "FNR": "false_negative_rate",
    "FPR": "false_positive_rate",
    "mutual information": "mutual_information",
    "overall accuracy": "accuracy",
    "positive predictive value": "precision",
    "PPV": "precision",
    "prec": "precision",
    "precision": "precision",
    "recall": "sensitivity",
    "sensitivity": "sensitivity",
    "spec": "specificity",
    "specificity": "specificity",
    "TPR": "sensitivity",
    "true positive rate": "sensitivity",
    "type I error rate": "false_positive_rate",
    "type II error rate": "false_negative_rate",
}
ARBEL_AND_ROKACH = {
    "Accuracy": "accuracy",
    "Area Under Curve": "auc",
    "Area Under the ROC Curve": "auc",
    "AUC": "auc",
    "Average hit rate": "average_hit_rate",
    "average Hit-rate": "average_hit_rate",
    "Average Qrecall": "average_qrecall",
    "AverageHitRate": "average_hit_rate",
    "False negative rate": "false_negative_rate",
    "False positive rate": "false_positive_rate",
    "Hit rate": "hit_rate",
    "hit-ratio": "hit_rate",
    "HitRate": "hit_rate",
    "Misclassification rate": "error_rate",
    "Pearson": "quota_pearson",
    "Pearson correlation coefficient": "quota_pearson",
    "PEM": "pem",
    "Potential Extract Measure": "pem",
    "Precision": "precision",
    "Qrecall": "qrecall",
    "Quota Recall": "qrecall",
    "Recall": "sensitivity",
    "True negative rate": "specificity",
    "True positive rate": "sensitivity",
}
SONNENBURG = {
    "1-sensitivity": "false_negative_rate",
    "1-specificity": "false_positive_rate",
    "acc": "accuracy",
    "accuracy": "accuracy",
    "auPPV": "average_precision",
    "auPRC": "average_precision",
    "auROC": "auc",
    "balanced error": "balanced_error_rate",
    "BER": "balanced_error_rate",
    "cc": "matthews_correlation",
    "cross correlation": "matthews_correlation",
    "err": "error_rate",
    "error": "error_rate",
    "F1": "f_measure",
    "F1 score": "f_measure",
    "false discovery rate": "false_discovery_rate",
    "fdr": "false_discovery_rate",
    "fdr_-": "false_omission_rate",
    "fnr": "false_negative_rate",
    "fpr": "false_positive_rate",
    "Gini": "gini",
    "negative false discovery rate": "false_omission_rate",
    "negative predictive value": "negative_predictive_value",
    "npv": "negative_predictive_value",
    "positive predictive value": "precision",
    "ppv": "precision",
    "precision": "precision",
    "recall": "sensitivity",
    "ROC_N Score": "roc_n",
    "ROC_n": "roc_n",
    "sensitivity": "sensitivity",
    "specificity": "specificity",
    "tnr": "specificity",
    "tpr": "sensitivity",
    "weighted relative accuracy": "weighted_relative_accuracy",
    "WRacc": "weighted_relative_accuracy",
}
COMMON = {
    "AUC-ROC": "auc",
    "AUPRC": "average_precision",
    "AUROC": "auc",
    "base rate": "prevalence",
    "binary cross-entropy": "log_loss",
    "Brier": "brier_score",
    "c-statistic": "auc",
    "Cohen's κ": "cohens_kappa",
    "critical success index": "jaccard",
    "Dice": "f_measure",
    "DOR": "diagnostic_odds_ratio",
    "F-beta": "f_beta",
    "F1": "f_measure",
    "F1-score": "f_measure",
    "fall-out": "false_positive_rate",
    "false alarm rate": "false_positive_rate",
    "false omission rate": "false_omission_rate",
    "FOR": "false_omission_rate",
    "informedness": "youden_index",
    "intersection over union": "jaccard",
    "IoU": "jaccard",
    "Jaccard index": "jaccard",
    "kappa": "cohens_kappa",
    "Kolmogorov-Smirnov": "ks",
    "log loss": "log_loss",
    "LR-": "negative_likelihood_ratio",
    "LR+": "positive_likelihood_ratio",
    "mAP": "mean_average_precision",
    "miss rate": "false_negative_rate",
    "phi coefficient": "matthews_correlation",
    "PR AUC": "average_precision",
    "precision at k": "hit_rate",
    "recall at k": "qrecall",
    "RMSE": "root_mean_square_error",
    "ROC AUC": "auc",
    "selectivity": "specificity",
    "Somers' D": "gini",
    "Sørensen–Dice coefficient": "f_measure",
    "threat score": "jaccard",
    "type 1 error rate": "false_positive_rate",
    "type 2 error rate": "false_negative_rate",
    "Youden's J": "youden_index",
    "zero-one loss": "error_rate",
}
NAMES = sorted(
    {
        *BERRAR.items(),
        *MURPHY.items(),
        *ARBEL_AND_ROKACH.items(),
        *SONNENBURG.items(),
        *COMMON.items(),
    }
)


# Names ----------------------------------------------------------------------------------------


def test_the_registry_holds_the_promised_measures_in_their_order_and_no_other() -> None:
    assert {
        takes: [m.key for m in bt.MEASURES.values() if m.takes == takes] for takes in KEYS
    } == KEYS
    assert len(bt.MEASURES) == sum(map(len, KEYS.values()))
    assert all(key == measure.key for key, measure in bt.MEASURES.items())


@pytest.mark.parametrize("measure", bt.MEASURES.values(), ids=repr)
def test_a_measure_answers_to_its_key_its_title_and_itself(measure: bt.Measure) -> None:
    assert bt.measure(measure.key) is measure
    assert bt.measure(measure.title) is measure
    assert bt.measure(measure) is measure


@pytest.mark.parametrize(("name", "key"), NAMES)
def test_a_measure_answers_to_the_names_of_the_documents(name: str, key: str) -> None:
    assert bt.measure(name).key == key


@pytest.mark.parametrize(
    ("document", "names"),
    [("B", BERRAR), ("M", MURPHY), ("A", ARBEL_AND_ROKACH), ("S", SONNENBURG)],
)
def test_every_measure_that_a_document_names_says_where_the_document_has_it(
    document: str, names: dict[str, str]
) -> None:
    missing = {key for key in names.values() if document not in bt.MEASURES[key].documents}
    assert missing == set()


@pytest.mark.parametrize(("name", "key"), NAMES)
def test_case_spaces_underscores_and_apostrophes_do_not_matter(name: str, key: str) -> None:
    bare = name.replace("'", "").replace(" ", "").replace("_", "")
    for other in (
        name.upper(),
        name.lower(),
        name.replace(" ", "_"),
        name.replace(" ", ""),
        name.replace("'", "’"),
        bare,
    ):
        assert bt.measure(other).key == key


@pytest.mark.parametrize(
    ("name", "key"), [(name, key) for name, key in NAMES if re.search(r"[a-z]-[a-z]", name, re.I)]
)
def test_hyphens_between_letters_do_not_matter(name: str, key: str) -> None:
    hyphen = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
    assert bt.measure(hyphen.sub("", name)).key == key
    assert bt.measure(hyphen.sub(" ", name)).key == key


def test_a_hyphen_may_be_put_between_words() -> None:
    assert bt.measure("false-alarm-rate").key == "false_positive_rate"
    assert bt.measure("Matthews-Correlation-Coefficient").key == "matthews_correlation"


@pytest.mark.parametrize("minus", ["-", "−"])
def test_a_trailing_sign_counts(minus: str) -> None:
    assert bt.measure(f"LR{minus}").key == "negative_likelihood_ratio"
    assert bt.measure(f"fdr_{minus}").key == "false_omission_rate"
    assert bt.measure("fdr").key == "false_discovery_rate"
    with pytest.raises(ValueError, match="there is no measure 'LR'"):
        bt.measure("LR")


@pytest.mark.parametrize(
    ("name", "key", "other"),
    [
        ("hit rate", "hit_rate", "sensitivity"),  # Murphy's, Arbel & Rokach's
        ("mean precision", "mean_precision", "average_precision"),  # Murphy's area
        ("lift", "lift", "decile_lift"),  # Arbel & Rokach's tenths
    ],
)
def test_a_key_wins_over_another_use_of_the_name_and_says_so(
    name: str, key: str, other: str
) -> None:
    assert bt.measure(name).key == key
    told = bt.MEASURES[key].description + bt.MEASURES[other].description
    assert key in told or other in told


def claims() -> dict[str, set[str]]:
    """Each declared name, bare, with the keys of the measures that declare it."""
    found: dict[str, set[str]] = {}
    for measure in bt.MEASURES.values():
        for name in measure.names:
            bare = re.sub(r"[\s_'’]|(?<=[^\W\d_])-(?=[^\W\d_])", "", name.casefold())
            found.setdefault(bare, set()).add(measure.key)
    return found


def test_an_ambiguous_name_is_an_error_that_names_the_candidates() -> None:
    keys = {key.replace("_", "") for key in bt.MEASURES}
    ambiguous = {
        name: found for name, found in claims().items() if len(found) > 1 and name not in keys
    }
    assert ambiguous["correlation"] == {"matthews_correlation", "quota_pearson"}
    for name, found in ambiguous.items():
        with pytest.raises(ValueError, match="may mean") as caught:
            bt.measure(name)
        assert all(key in str(caught.value) for key in found)


@pytest.mark.parametrize(
    ("wrong", "suggestion"),
    [
        ("presicion", "precision"),
        ("acuracy", "accuracy"),
        ("sensitvity", "sensitivity"),
        ("Brier scores", "brier_score"),
        ("youdens", "youden_index"),
    ],
)
def test_an_unknown_name_is_an_error_with_a_suggestion(wrong: str, suggestion: str) -> None:
    with pytest.raises(ValueError, match=suggestion):
        bt.measure(wrong)


@pytest.mark.parametrize("nothing", ["", "  ", "zzzzzz", None, 3])
def test_what_is_no_name_at_all_is_an_error(nothing: Any) -> None:
    with pytest.raises(ValueError, match="measure"):
        bt.measure(nothing)


# Declarations ---------------------------------------------------------------------------------

DOCUMENTS = set("BMAS")


@pytest.mark.parametrize("measure", bt.MEASURES.values(), ids=repr)
def test_a_declaration_is_complete(measure: bt.Measure) -> None:
    assert measure.title
    assert measure.meaning.endswith(".")
    assert measure.undefined
    assert measure.use_when
    assert set(measure.use_when) <= {*DOCUMENTS, "binteach"}
    assert all(measure.use_when.values())
    assert set(measure.documents) <= DOCUMENTS
    assert all(measure.documents.values())
    assert all(set(letters) <= DOCUMENTS for letters in measure.names.values())
    assert measure.direction in (-1, 0, 1)
    if measure.low is not None and measure.high is not None:
        assert measure.low < measure.high


@pytest.mark.parametrize("measure", bt.MEASURES.values(), ids=repr)
def test_a_name_is_ascribed_only_to_documents_that_have_the_measure(measure: bt.Measure) -> None:
    for name, letters in measure.names.items():
        assert set(letters) <= set(measure.documents), name


# What the data of each kind are ---------------------------------------------------------------

PROBABILITIES = [Fraction(k, 4) for k in range(5)]
NEEDS_A_QUOTA = ("hit_rate", "qrecall", "quota_lift", "quota_pearson")
PARAMETERS: dict[str, dict[str, list[Any]]] = {
    "f_beta": {"beta": [0, Fraction(1, 2), 3]},
    "f_alpha": {"alpha": [0, Fraction(1, 3), 1]},
    "lift": {"prior": [Fraction(1, 3), 1]},
    "gain": {"prior": [0, Fraction(1, 3), 1]},
    "expected_cost": {"cost_fp": [0, 7], "cost_fn": [0, Fraction(1, 2)]},
    "mutual_information": {"base": [2, 10]},
    "log_loss": {"base": ["e", 10], "epsilon": [Fraction(1, 2)]},
    "balanced_cross_entropy": {"alpha": [0, Fraction(1, 3), 1], "base": ["e"]},
    "focal_loss": {"gamma": [0, Fraction(1, 2)], "alpha": [Fraction(1, 3)]},
    "information_score": {"prior": [Fraction(1, 10), Fraction(1, 2)]},
    "relative_information_score": {"prior": [Fraction(1, 10), Fraction(1, 2)]},
    "hinge_loss": {"scale": [0, 4]},
    "triplet_loss": {"margin": [0, 3]},
    "roc_n": {"n": [1]},
    "decile_lift": {"decile": [2, 10]},
}


def cases_strategy(max_size: int = 12) -> st.SearchStrategy[bt.Cases]:
    case = st.tuples(st.sampled_from([0, 1]), st.sampled_from(PROBABILITIES))
    return st.lists(case, min_size=1, max_size=max_size).map(
        lambda drawn: bt.Cases([y for y, _ in drawn], [s for _, s in drawn])
    )


@st.composite
def questions(draw: st.DrawFn, measure: bt.Measure) -> tuple[Any, dict[str, Any]]:
    """Random data for a measure, and parameters."""
    data: Any
    params: dict[str, Any] = {}
    if measure.takes == "counts":
        data = bt.Counts(*draw(st.tuples(*[st.integers(0, 5)] * 4).filter(any)))
    elif measure.takes == "triplets":
        vector = st.tuples(*[st.fractions(-2, 2, max_denominator=3)] * 2)
        data = draw(st.lists(st.tuples(vector, vector, vector), min_size=1, max_size=4))
    elif measure.takes == "classes":
        data = dict(enumerate(draw(st.lists(cases_strategy(5), min_size=1, max_size=3))))
    else:
        data = draw(cases_strategy())
        if measure.key in NEEDS_A_QUOTA:
            params["top"] = draw(st.integers(0, data.n))
    choices = PARAMETERS.get(measure.key, {})
    if measure.key == "roc_n" and not data.negatives:
        choices = {}
    optional = {name: st.sampled_from(values) for name, values in choices.items()}
    return data, params | draw(st.fixed_dictionaries({}, optional=optional))


def at_least(left: Any, right: Any) -> bool:
    """left >= right, exactly where both are rational."""
    if isinstance(left, Fraction | int) and isinstance(right, Fraction | int):
        return left >= right
    return float(left) >= float(right) - 1e-12


@pytest.mark.parametrize("measure", bt.MEASURES.values(), ids=repr)
@settings(max_examples=40)
@given(data=st.data())
def test_every_value_lies_in_the_declared_range(measure: bt.Measure, data: st.DataObject) -> None:
    given_data, params = data.draw(questions(measure))
    try:
        value = measure(given_data, **params)
    except bt.Undefined:
        return
    assert measure.low is None or at_least(value, measure.low)
    assert measure.high is None or at_least(measure.high, value)


def small_data(measure: bt.Measure) -> Iterator[tuple[Any, dict[str, Any]]]:
    """All small data that a measure takes, with the parameters that make it break."""
    if measure.takes == "counts":
        for table in product(range(3), repeat=4):
            if any(table):
                yield bt.Counts(*table), {}
        return
    if measure.takes == "triplets":
        yield [((0,), (1,), (2,))], {}
        return
    strict = {"epsilon": 0} if "epsilon" in measure.params else {}
    for labels, scores in oracles.all_small_rankings(3):
        cases = bt.Cases(labels, scores)
        certain = bt.Cases(labels, [1 if score > Fraction(1, 2) else 0 for score in scores])
        if measure.takes == "classes":
            yield {"only": cases}, {}
        elif measure.key in NEEDS_A_QUOTA:
            for top in range(cases.n + 1):
                yield cases, {"top": top}
        else:
            yield cases, strict
            yield certain, strict


@pytest.mark.parametrize("measure", bt.MEASURES.values(), ids=repr)
def test_a_measure_that_is_never_undefined_says_so_and_no_other_does(measure: bt.Measure) -> None:
    reasons = []
    for data, params in small_data(measure):
        try:
            measure(data, **params)
        except bt.Undefined as undefined:
            reasons.append(undefined.reason)
    assert bool(reasons) is not measure.undefined.startswith("never")
    assert all(reasons)


# Direction ------------------------------------------------------------------------------------


def perfect(measure: bt.Measure, data: Any) -> Any:
    """What a perfect model makes of the same cases."""
    if measure.takes == "counts":
        return bt.Counts(data.tp + data.fn, 0, 0, data.fp + data.tn)
    if measure.takes == "triplets":
        return [((0, 0), (0, 0), (9, 9)) for _ in data]
    if measure.takes == "classes":
        return {name: in_order(cases.labels) for name, cases in data.items()}
    if measure.key == "hinge_loss":
        return bt.Cases(data.labels, [2 * label - 1 for label in data.labels])
    if measure.takes == "scores" or measure.key == "quota_pearson":
        return bt.Cases(data.labels, data.labels)
    return in_order(data.labels)


def in_order(labels: Any) -> bt.Cases:
    """All positives above all negatives, without a tie."""
    n = len(labels)
    return bt.Cases(sorted(labels, reverse=True), [Fraction(n - i, n + 1) for i in range(n)])


@pytest.mark.parametrize("measure", [m for m in bt.MEASURES.values() if m.direction], ids=repr)
@settings(max_examples=40)
@given(data=st.data())
def test_no_model_is_better_than_the_perfect_one(measure: bt.Measure, data: st.DataObject) -> None:
    given_data, params = data.draw(questions(measure))
    if measure.key == "decile_lift":
        params = {}  # a perfect model has few positives left for the lower tenths
    elif measure.key == "hinge_loss":
        params = {}  # its scores are distances
    try:
        value = measure(given_data, **params)
        best = measure(perfect(measure, given_data), **params)
    except bt.Undefined:
        return
    assert at_least(best, value) if measure.direction > 0 else at_least(value, best)


@pytest.mark.parametrize("measure", [m for m in bt.MEASURES.values() if m.direction], ids=repr)
def test_a_good_model_is_better_than_a_bad_one(measure: bt.Measure) -> None:
    data: dict[str, tuple[Any, Any]] = {
        "counts": (bt.Counts(9, 1, 1, 9), bt.Counts(4, 6, 6, 4)),
        "triplets": ([((0,), (1,), (5,))], [((0,), (5,), (1,))]),
    }
    good = bt.Cases([1, 1, 0, 1, 0, 0] * 2, ["0.9", "0.8", "0.6", "0.5", "0.2", "0.1"] * 2)
    bad = bt.Cases([0, 1, 0, 1, 0, 1] * 2, good.scores)
    better, worse = data.get(measure.takes, (good, bad))
    if measure.takes == "classes":
        better, worse = {"only": good}, {"only": bad}
    params = {"top": 8} if measure.key in NEEDS_A_QUOTA else {}
    difference = float(measure(better, **params)) - float(measure(worse, **params))
    assert difference * measure.direction > 0


def test_only_measures_that_describe_and_do_not_judge_have_no_direction() -> None:
    assert {m.key for m in bt.MEASURES.values() if m.direction == 0} == {
        "prevalence",
        "predicted_positive_rate",
    }
