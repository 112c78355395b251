"""Bad input is refused with its place and the remedy; good input of every kind means the same."""

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.svm import LinearSVC

import binteach as bt

PACKAGE = Path(bt.__file__).parent
NAN, INF = float("nan"), float("inf")
TEN = bt.load("ten_cases")
TIED = bt.Cases([1, 0, 1, 0, 1], ["0.9", "0.7", "0.7", "0.7", "0.1"], names=list("abcde"))
COUNTS = bt.Counts(3, 1, 2, 4)


def refused(ask: Callable[[], object], *says: str) -> str:
    """The message of a plain ValueError that holds every one of these words."""
    with pytest.raises(ValueError, match=r"\w") as error:
        ask()
    # A subclass would be an accident that looks like one: UnicodeDecodeError, Undefined, ...
    assert type(error.value) is ValueError
    message = str(error.value)
    for words in says:
        assert words in message, message
    return message


# Scores and weights -----------------------------------------------------------------------------

NOT_FINITE = {
    "float nan": [0.5, NAN],
    "float inf": [0.5, INF],
    "float -inf": [0.5, -INF],
    "Decimal NaN": [0.5, Decimal("NaN")],
    "Decimal sNaN": [0.5, Decimal("sNaN")],
    "Decimal Infinity": [0.5, Decimal("-Infinity")],
    "text nan": [0.5, "nan"],
    "text inf": [0.5, "-inf"],
    "text Infinity": [0.5, " +Infinity "],
    "numpy double": np.array([0.5, np.nan]),
    "numpy single": np.array([0.5, np.inf], dtype=np.float32),
    "numpy objects": np.array([0.5, NAN], dtype=object),
    "pandas": pd.Series([0.5, NAN]),
}


@pytest.mark.parametrize("scores", NOT_FINITE.values(), ids=NOT_FINITE)
def test_a_number_that_is_not_finite_is_refused_with_its_row(scores: object) -> None:
    refused(lambda: bt.Cases([0, 1], scores), "score in row 2", "finite")
    refused(lambda: bt.Cases([0, 1], [1, 2], weights=scores), "weight in row 2", "finite")


NOT_NUMBERS = [None, pd.NA, [1], 1j, b"0.5", print, "half", "", "½", "--1", "1/-2", "1/2/3"]


@pytest.mark.parametrize("score", NOT_NUMBERS, ids=repr)
def test_what_is_not_a_number_is_refused_with_its_row(score: object) -> None:
    refused(lambda: bt.Cases([0, 1], [0.5, score]), "score in row 2", "not a number")


@pytest.mark.parametrize(
    "text",
    ["__import__('os')", "1e999999999", "9" * 10_000, "1/0", "٣", "0x10", "1_000", "1" * 500],
    ids=lambda text: text[:16],
)
def test_a_hostile_text_is_refused_and_shown_short(text: str) -> None:
    message = refused(lambda: bt.Cases([0, 1], [0.5, text]), "row 2", text[:3])
    assert len(message) < 200
    refused(lambda: bt.Counts(text, 1, 1, 1), "TP")
    refused(lambda: bt.value("f_beta", COUNTS, beta=text), "beta")


def test_a_decimal_with_a_huge_exponent_is_refused_and_not_written_out() -> None:
    # Decimal("1e999999999") would fill the memory; this one would only take a moment.
    refused(lambda: bt.Cases([0, 1], [0.5, Decimal("1e99999")]), "row 2")
    refused(lambda: bt.Cases([0, 1], [0.5, Decimal("1e-99999")]), "row 2")


def test_spaces_around_a_number_do_not_matter() -> None:
    assert bt.Cases([0, 1], ["  0.5 ", " 1 / 2 "]).scores == (Fraction(1, 2), Fraction(1, 2))


def test_negative_weights_and_no_weight_at_all_are_refused() -> None:
    refused(lambda: bt.Cases([0, 1], [1, 2], weights=[1, -2]), "row 2", "-2", "negative")
    refused(lambda: bt.Cases([0, 1], [1, 2], weights=[0, 0]), "all weights are zero")


def test_nothing_in_the_package_evaluates_text() -> None:
    banned = re.compile(r"(?<![\w.])(eval|exec|compile|__import__)\(|sympify|parse_expr")
    files = sorted(PACKAGE.rglob("*.py"))
    assert len(files) > 10
    found = [
        (file.name, line)
        for file in files
        for line in file.read_text(encoding="utf-8").splitlines()
        if banned.search(line)
    ]
    assert not found


# Labels and lengths -----------------------------------------------------------------------------


def test_a_third_label_is_named_with_its_row() -> None:
    refused(lambda: bt.Cases([0, 1, 2], [1, 2, 3]), "3 different labels", "2 in row 3", "Merge")
    refused(lambda: bt.Counts.from_labels([0, 1], [0, 2]), "3 different labels", "row 2")


def test_lengths_that_differ_are_named() -> None:
    refused(lambda: bt.Cases([0, 1], [1]), "y_true has 2", "y_score has 1")
    refused(lambda: bt.Cases([0, 1], [1, 2], names=["a"]), "names has 1")
    refused(lambda: bt.Cases([0, 1], [1, 2], weights=[1, 1, 1]), "weights has 3")
    refused(lambda: bt.Counts.from_labels([0, 1], [1]), "y_true has 2", "y_pred has 1")


def test_no_cases_are_refused() -> None:
    refused(lambda: bt.Cases([], []), "no cases")
    refused(lambda: bt.Cases(np.array([]), np.array([])), "no cases")
    refused(lambda: bt.Counts.from_labels([], []), "no case")
    refused(lambda: bt.Counts(0, 0, 0, 0), "no case")


MISSING = {
    "None": [0, None],
    "nan": [0, NAN],
    "numpy nan": np.array([0, np.nan]),
    "pandas NA": pd.Series([0, None], dtype="Int64"),
    "pandas text": pd.Series([0, pd.NA], dtype=object),
    "NaT": [0, pd.NaT],
}


@pytest.mark.parametrize("labels", MISSING.values(), ids=MISSING)
def test_a_missing_label_is_named_with_its_row(labels: object) -> None:
    refused(lambda: bt.Cases(labels, [1, 2]), "row 2", "no label", "leave the case out")


def test_the_positive_label_must_occur_or_be_of_the_same_kind() -> None:
    refused(lambda: bt.Cases([0, 1], [1, 2], positive=2), "no label is 2", "positive=1")
    refused(lambda: bt.Cases(["no", "yes"], [1, 2]), "'no' and 'yes'", "positive='yes'")
    refused(lambda: bt.Cases(["no", "no"], [1, 2]), "no label is 1", "'no'")
    assert bt.Cases(["no", "no"], [1, 2], positive="yes").positives == 0


NOT_A_ROW = {
    "text": "10",
    "a number": 5,
    "None": None,
    "a mapping": {1: 0, 0: 1},
    "a table": np.zeros((2, 2)),
    "a column": np.zeros((2, 1)),
    "a data frame": pd.DataFrame({"a": [1, 0]}),
    "an array without dimension": np.array(1),
    "a set, which has no order": {0, 1},
}


@pytest.mark.parametrize("given", NOT_A_ROW.values(), ids=NOT_A_ROW)
def test_what_is_not_one_row_of_values_is_refused(given: object) -> None:
    refused(lambda: bt.Cases(given, [1, 2]), "y_true", "needed")
    refused(lambda: bt.Cases([1, 0], given), "y_score", "needed")


def test_a_label_that_cannot_be_compared_is_named_with_its_row() -> None:
    refused(lambda: bt.Cases([[1], [0]], [1, 2]), "row 1", "[1]")


# Counts and cuts --------------------------------------------------------------------------------


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("bad", [-1, Fraction(-1, 2), "-3", NAN, "x", None], ids=repr)
def test_a_bad_count_is_refused_by_name(place: int, bad: object) -> None:
    four: list[object] = [3, 1, 2, 4]
    four[place] = bad
    refused(lambda: bt.Counts(*four), ("TP", "FP", "FN", "TN")[place])


@pytest.mark.parametrize("top", [11, -1, 1.5, "3/2", NAN, "x", 10**30], ids=repr)
def test_an_impossible_quota_is_refused(top: Any) -> None:
    refused(lambda: TEN.top(top), "top")
    for key in ("precision", "hit_rate", "qrecall", "quota_lift", "quota_pearson"):
        refused(lambda key=key: bt.value(key, TEN, top=top), "top")  # type: ignore[misc]
        refused(lambda key=key: bt.explain(key, TEN, top=top), "top")  # type: ignore[misc]


def test_a_quota_above_n_says_how_many_cases_there_are() -> None:
    refused(lambda: TEN.top(11), "top is 11", "10 cases", "0 to 10")
    refused(lambda: bt.value("hit_rate", TEN, top=11), "top is 11", "10 cases", "0 to 10")


@pytest.mark.parametrize("top", [2, 3])
def test_a_cut_inside_a_tie_names_the_block_its_score_and_both_allowed_cuts(top: int) -> None:
    says = (f"top={top}", "places 2 to 4", "b, c, d", "0.7", "top=1 or top=4")
    refused(lambda: TIED.top(top), *says)
    refused(lambda: bt.value("precision", TIED, top=top), *says)
    refused(lambda: bt.explain("precision", TIED, top=top), *says)
    assert TIED.top(1) == bt.Counts(1, 0, 2, 2)
    assert TIED.top(4) == bt.Counts(2, 2, 1, 0)


def test_a_quota_measure_spreads_the_tie_instead() -> None:
    assert bt.value("hit_rate", TIED, top=2) == (1 + Fraction(1, 3)) / 2


def test_one_cut_is_needed_and_only_one() -> None:
    refused(lambda: bt.value("precision", TEN), "precision", "no cut", "top=", "at=")
    refused(lambda: bt.value("precision", TEN, top=2, at="0.5"), "both", "top=", "at=")
    refused(lambda: bt.value("precision", COUNTS, top=2), "top", "Counts")
    refused(lambda: bt.value("precision", COUNTS, at=2), "at", "Counts")
    refused(lambda: bt.value("hit_rate", TEN), "hit_rate", "top=")


@pytest.mark.parametrize("rule", ["<", "", "=>", 1, "> "])
def test_only_two_rules_exist(rule: Any) -> None:
    refused(lambda: TEN.at("0.5", rule=rule), "rule", "'>'", "'>='")
    refused(lambda: bt.value("precision", TEN, at="0.5", rule=rule), "rule", "'>'", "'>='")


def test_a_threshold_must_be_a_finite_number() -> None:
    refused(lambda: TEN.at(NAN), "threshold", "finite")
    refused(lambda: bt.value("precision", TEN, at="inf"), "finite")


PROBABILITY_LOSSES = [
    key for key, measure in bt.MEASURES.items() if measure.takes == "scores" and key != "hinge_loss"
]


@pytest.mark.parametrize("key", PROBABILITY_LOSSES)
@pytest.mark.parametrize("score", ["1.01", -1, 10**400], ids=["1.01", "-1", "10^400"])
def test_a_score_outside_0_to_1_is_no_probability(key: str, score: Any) -> None:
    cases = bt.Cases([1, 0], ["0.5", score], names=["a", "odd one"])
    refused(lambda: bt.value(key, cases), key, "row 2", "odd one", "rescale")
    refused(lambda: bt.explain(key, cases), key, "row 2", "odd one", "rescale")
    assert bt.value("auc", cases) in (0, 1)


def test_there_are_eight_probability_losses() -> None:
    assert len(PROBABILITY_LOSSES) == 8


# Measures and parameters ------------------------------------------------------------------------


@pytest.mark.parametrize("measure", bt.MEASURES.values(), ids=lambda measure: measure.key)
def test_a_wrong_parameter_is_refused_with_a_list_of_the_right_ones(measure: bt.Measure) -> None:
    says = (measure.key, "'nonsense'", *(measure.accepts or ("no parameters",)))
    refused(lambda: bt.value(measure, None, nonsense=1), *says)
    refused(lambda: bt.explain(measure, nonsense=1), *says)


WRONG_VALUES = [
    ("f_beta", COUNTS, "beta", -1),
    ("f_alpha", COUNTS, "alpha", 2),
    ("f_alpha", COUNTS, "alpha", "-0.1"),
    ("lift", COUNTS, "prior", "1.5"),
    ("expected_cost", COUNTS, "cost_fp", -1),
    ("expected_cost", COUNTS, "cost_fn", NAN),
    ("mutual_information", COUNTS, "base", 3),
    ("log_loss", TEN, "base", "two"),
    ("log_loss", TEN, "epsilon", 1),
    ("focal_loss", TEN, "gamma", -1),
    ("information_score", TEN, "prior", -1),
    ("hinge_loss", TEN, "scale", "x"),
    ("auc", TEN, "method", "magic"),
    ("roc_n", TEN, "n", 0),
    ("roc_n", TEN, "n", 6),
    ("roc_n", TEN, "n", "1.5"),
    ("decile_lift", TEN, "decile", 0),
    ("decile_lift", TEN, "decile", 11),
    ("decile_lift", TEN, "decile", "1.5"),
    ("triplet_loss", [([1], [2], [3])], "margin", -1),
]


@pytest.mark.parametrize(
    ("key", "data", "name", "bad"), WRONG_VALUES, ids=lambda part: repr(part)[:20]
)
def test_a_wrong_value_of_a_parameter_is_refused_by_name(
    key: str, data: Any, name: str, bad: Any
) -> None:
    for ask in (bt.value, bt.explain):
        refused(lambda ask=ask: ask(key, data, **{name: bad}), name)  # type: ignore[misc]


@pytest.mark.parametrize("measure", bt.MEASURES.values(), ids=lambda measure: measure.key)
def test_data_of_the_wrong_kind_are_refused(measure: bt.Measure) -> None:
    params = {"top": 2} if "top" in measure.params else {}
    wrong: list[Any] = [5, "ten_cases", [1, 2], {"a": 1}]
    if measure.takes != "counts":
        wrong.append(COUNTS)
    for data in wrong:
        for ask in (bt.value, bt.explain):
            refused(lambda ask=ask, data=data: ask(measure, data, **params))  # type: ignore[misc]


def test_counts_do_not_make_a_ranking() -> None:
    refused(lambda: bt.value("auc", COUNTS), "auc", "ranking", "Cases(y_true, y_score)")
    refused(lambda: bt.value("brier_score", COUNTS), "score", "Cases(y_true, y_score)")
    refused(lambda: bt.curve("roc", COUNTS), "Cases")  # type: ignore[arg-type]


def test_an_unknown_name_is_refused_with_near_ones() -> None:
    refused(lambda: bt.measure("precison"), "precison", "did you mean precision")
    refused(lambda: bt.measure("x" * 1000), "bt.MEASURES")
    refused(lambda: bt.load("tencases"), "ten_cases")
    refused(lambda: bt.curve("rock", TEN), "roc")
    refused(lambda: bt.measure(5), "5")  # type: ignore[arg-type]


# CSV --------------------------------------------------------------------------------------------

HEADER = b"case,label,score\n"
Read = Callable[..., bt.Cases]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Read bytes as a CSV file called my.csv."""

    def from_bytes(content: bytes, **columns: Any) -> bt.Cases:
        path = tmp_path / "my.csv"
        path.write_bytes(content)
        return bt.Cases.from_csv(path, **columns)

    return from_bytes


BAD_FILES = {
    "missing column": (b"case,y,score\na,1,0.5\n", ["'label'", "case, y, score", "label="]),
    "semicolons": (b"case;label;score\na;1;0.5\n", ["'label'", "case;label;score"]),
    "empty": (b"", ["empty", "header"]),
    "header only": (HEADER, ["no cases"]),
    "too few cells": (HEADER + b"a,1,0.5\nb,0\n", ["line 3", "2 cells", "3"]),
    "too many cells": (HEADER + b"a,1,0.5,x\n", ["line 2", "4 cells", "3"]),
    "bad number": (HEADER + b"a,1,0.5\nb,0,half\n", ["line 3", "'half'", "0.95"]),
    "bad number after a quoted line end": (HEADER + b'"a\nb",1,0.5\nc,0,half\n', ["line 4"]),
    "bad number after a blank line": (HEADER + b"a,1,0.5\n\nb,0,half\n", ["line 4"]),
    "nan": (HEADER + b"a,1,nan\n", ["line 2", "finite"]),
    "no score": (HEADER + b"a,1,\n", ["line 2", "score"]),
    "no label": (HEADER + b"a,,0.5\n", ["line 2", "no label"]),
    "third label": (HEADER + b"a,0,1\nb,1,2\nc,2,3\n", ["line 4", "'2'", "Merge"]),
    "score twice": (b"label,score,score\n1,2,3\n", ["more than one column 'score'"]),
    "name twice": (b"case,case,label,score\na,b,1,2\n", ["more than one column 'case'"]),
    "code": (HEADER + b"a,1,__import__('os')\n", ["line 2", "not a number"]),
    "Latin-1": (HEADER + b"caf\xe9,1,0.5\n", ["UTF-8"]),
    "UTF-16": ("case,label,score\na,1,0.5\n".encode("utf-16"), ["UTF-8"]),
    "a cell that never ends": (HEADER + b"a" * 200_000 + b",1,0.5\n", ["line 2"]),
}


@pytest.mark.parametrize(("content", "says"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_bad_file_is_refused_with_its_name_and_line(
    read: Read, content: bytes, says: list[str]
) -> None:
    message = refused(lambda: read(content), "my.csv", *says)
    assert len(message) < 400


def test_labels_of_a_file_that_are_not_the_positive_one_are_listed(read: Read) -> None:
    content = HEADER + b"a,no,1\nb,yes,2\n"
    refused(lambda: read(content), "'no' and 'yes'", "positive='yes'")
    assert read(content, positive="yes").labels == (0, 1)


def test_a_file_that_is_not_there_is_an_error_that_names_it(tmp_path: Path) -> None:
    for path in (tmp_path / "absent.csv", tmp_path):
        with pytest.raises((OSError, ValueError), match=re.escape(path.name)):
            bt.Cases.from_csv(path)


GOOD_FILES = {
    "plain": HEADER + b"a,1,0.5\nb,0,1/3\n",
    "blank lines": HEADER + b"a,1,0.5\n\n , ,\nb,0,1/3\n\n",
    "byte order mark": b"\xef\xbb\xbf" + HEADER + b"a,1,0.5\nb,0,1/3\n",
    "Windows line ends": b"case,label,score\r\na,1,0.5\r\nb,0,1/3\r\n",
    "no line end at the end": HEADER + b"a,1,0.5\nb,0,1/3",
    "quotes": b'"case","label","score"\n"a","1","0.5"\n"b","0","1/3"\n',
    "spaces": b" case , label , score \n a , 1 , 0.5 \n b , 0 , 1/3 \n",
    "another order and more columns": b"score,age,label,case\n0.5,9,1,a\n1/3,8,0,b\n",
}


@pytest.mark.parametrize("content", GOOD_FILES.values(), ids=GOOD_FILES)
def test_a_good_file_of_any_kind_gives_the_same_cases(read: Read, content: bytes) -> None:
    cases = read(content)
    assert cases.labels == (1, 0)
    assert cases.scores == (Fraction(1, 2), Fraction(1, 3))
    assert cases.names == ("a", "b")


def test_a_quoted_cell_may_hold_commas_and_line_ends(read: Read) -> None:
    cases = read(HEADER + b'"a\nb",1,0.5\n"c, d",0,0.1\n')
    assert cases.names == ("a\nb", "c, d")
    assert cases.scores == (Fraction(1, 2), Fraction(1, 10))


def test_cases_without_a_name_are_numbered(read: Read) -> None:
    assert read(b"label,score\n1,0.5\n0,0.1\n").names == ("1", "2")
    assert read(b"1,p\nyes,0.5\nno,0.1\n", label="1", score="p", positive="yes").labels == (1, 0)


# Good input of every kind -----------------------------------------------------------------------

TENTHS = (Fraction(1, 10), Fraction(3, 10), Fraction(7, 10))
SCORES = {
    "list": [0.1, 0.3, 0.7],
    "tuple": (0.1, 0.3, 0.7),
    "generator": (score for score in (0.1, 0.3, 0.7)),
    "Fractions": list(TENTHS),
    "Decimals": [Decimal("0.1"), Decimal("0.30"), Decimal("7E-1")],
    "text": ["0.1", "3/10", "7e-1"],
    "mixed": [0.1, "0.3", Fraction(7, 10)],
    "double": np.array([0.1, 0.3, 0.7]),
    "single": np.array([0.1, 0.3, 0.7], dtype=np.float32),
    "half": np.array([0.1, 0.3, 0.7], dtype=np.float16),
    "objects": np.array([0.1, "3/10", Decimal("0.7")], dtype=object),
    "column of a table": np.array([[0.1, 0], [0.3, 0], [0.7, 0]])[:, 0],
    "series": pd.Series([0.1, 0.3, 0.7], index=[7, 7, -1]),
    "single series": pd.Series([0.1, 0.3, 0.7], index=list("xyz"), dtype="float32"),
    "nullable series": pd.Series([0.1, 0.3, 0.7], dtype="Float64"),
    "text series": pd.Series(["0.1", "0.3", "0.7"]),
}


@pytest.mark.parametrize("scores", SCORES.values(), ids=SCORES)
def test_scores_of_every_kind_are_the_same_tenths(scores: object) -> None:
    assert bt.Cases([1, 0, 1], scores).scores == TENTHS


LABELS: dict[str, tuple[Any, Any]] = {
    "list": ([1, 0, 1], 1),
    "bool": ([True, False, True], True),
    "bool as number": ([True, False, True], 1),
    "float": ([1.0, 0.0, 1.0], 1),
    "signs": ([1, -1, 1], 1),
    "text signs": (["+1", "-1", "+1"], "+1"),
    "words": (["yes", "no", "yes"], "yes"),
    "int array": (np.array([1, 0, 1]), 1),
    "small int array": (np.array([1, 0, 1], dtype=np.int8), 1),
    "bool array": (np.array([True, False, True]), True),
    "float array": (np.array([1.0, -1.0, 1.0]), 1),
    "text array": (np.array(["yes", "no", "yes"]), "yes"),
    "object array": (np.array(["yes", "no", "yes"], dtype=object), "yes"),
    "series": (pd.Series([1, 0, 1], index=[5, 5, 0]), 1),
    "nullable int": (pd.Series([1, 0, 1], dtype="Int64"), 1),
    "nullable bool": (pd.Series([True, False, True], dtype="boolean"), True),
    "text series": (pd.Series(["yes", "no", "yes"], dtype="string"), "yes"),
    "category": (pd.Series(["yes", "no", "yes"], dtype="category"), "yes"),
}


@pytest.mark.parametrize(("labels", "positive"), LABELS.values(), ids=LABELS)
def test_labels_of_every_kind_are_the_same_classes(labels: Any, positive: Any) -> None:
    cases = bt.Cases(labels, [0.1, 0.3, 0.7], positive=positive)
    assert cases.labels == (1, 0, 1)
    assert all(type(label) is int for label in cases.labels)


def test_predicted_labels_of_every_kind_are_counted_alike() -> None:
    for labels, positive in LABELS.values():
        listed = list(labels)
        called = [listed[1], listed[1], listed[0]]
        assert bt.Counts.from_labels(labels, called, positive) == bt.Counts(1, 0, 1, 1)


# Estimators -------------------------------------------------------------------------------------

X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
WORDS = ["no", "no", "yes", "no", "yes", "yes"]


@pytest.mark.parametrize("positive", ["yes", "no"])
def test_an_estimator_with_probabilities_scores_either_class(positive: str) -> None:
    model = LogisticRegression().fit(X, WORDS)
    cases = bt.Cases.from_estimator(model, X, WORDS, positive=positive)
    column = list(model.classes_).index(positive)
    assert cases.scores == tuple(
        Fraction(repr(float(p))) for p in model.predict_proba(X)[:, column]
    )
    assert cases.positives == 3
    assert bt.value("auc", cases) == Fraction(8, 9)


@pytest.mark.parametrize("positive", ["yes", "no"])
@pytest.mark.parametrize("make", [LinearSVC, lambda: SGDClassifier(random_state=0)])
def test_an_estimator_with_distances_scores_either_class(
    make: Callable[[], Any], positive: str
) -> None:
    model = make().fit(X, WORDS)
    cases = bt.Cases.from_estimator(model, X, WORDS, positive=positive)
    # Either class as the positive one: both order the cases by x, one of them in reverse.
    assert bt.value("auc", cases) == Fraction(8, 9)


class Handmade:
    """A model without scikit-learn, and without classes_."""

    def predict_proba(self, rows: list[float]) -> list[tuple[float, float]]:
        return [(1 - row, row) for row in rows]


class Distant:
    classes_ = ("ham", "spam")

    def decision_function(self, rows: list[float]) -> list[float]:
        return [row - 0.5 for row in rows]


def test_any_object_with_the_right_method_is_an_estimator() -> None:
    cases = bt.Cases.from_estimator(Handmade(), [0.25, 0.75], [0, 1])
    assert cases.scores == (Fraction(1, 4), Fraction(3, 4))
    spam = bt.Cases.from_estimator(Distant(), [0.25, 0.75], ["ham", "spam"], positive="spam")
    assert spam.scores == (Fraction(-1, 4), Fraction(1, 4))
    ham = bt.Cases.from_estimator(Distant(), [0.25, 0.75], ["ham", "spam"], positive="ham")
    assert ham.scores == (Fraction(1, 4), Fraction(-1, 4))
    assert ham.labels == (1, 0)


def test_a_model_that_cannot_be_judged_is_refused() -> None:
    refused(lambda: bt.Cases.from_estimator(object(), [1], [1]), "object", "predict_proba")
    refused(
        lambda: bt.Cases.from_estimator(Distant(), [1, 0], ["ham", "spam"], positive="egg"),
        *("'ham'", "'spam'", "'egg'"),
    )
    three = LogisticRegression().fit(X, [0, 0, 1, 1, 2, 2])
    refused(lambda: bt.Cases.from_estimator(three, X, [0, 0, 1, 1, 2, 2]), "3 classes")


class Scorer:
    """A model whose distances are whole numbers."""

    def __init__(self, values: Any, classes: Any = (0, 1)) -> None:
        self.values, self.classes_ = values, np.array(classes)

    def decision_function(self, rows: object) -> Any:
        return self.values


@pytest.mark.parametrize("kind", ["uint8", "uint64", "int8", "int64", "float32"])
def test_distances_of_any_kind_can_be_turned_round(kind: str) -> None:
    values = np.array([0, 3, 1, 2], dtype=kind)
    found = bt.Cases.from_estimator(Scorer(values), None, [1, 0, 0, 1], positive=0)
    assert bt.value("auc", found) == Fraction(1, 4)


def test_the_least_whole_number_has_a_negative() -> None:
    values = np.array([-128, 0], dtype=np.int8)
    found = bt.Cases.from_estimator(Scorer(values), None, [0, 1], positive=0)
    assert found.scores == (Fraction(128), Fraction(0))


@pytest.mark.parametrize("classes", [[0.0, 1.0], [False, True], [0, 1], ["0", "1"]])
def test_a_model_knows_its_classes_in_any_kind_of_number(classes: Any) -> None:
    labels = [classes[1], classes[0]]
    found = bt.Cases.from_estimator(
        Scorer(np.array([2.0, 1.0]), classes), None, labels, positive=classes[1]
    )
    assert bt.value("auc", found) == 1
    if not isinstance(classes[0], str):
        scorer = Scorer(np.array([2.0, 1.0]), classes)
        assert bt.value("auc", bt.Cases.from_estimator(scorer, None, labels)) == 1


def test_weights_of_very_different_sizes_are_counted() -> None:
    cases = bt.Cases([1, 1, 0, 0], [0.9, 0.8, 0.6, 0.1], weights=[1e300, 1e-300, 1e300, 1e-300])
    assert bt.value("sensitivity", cases, top=2) == 1
    assert 0 < bt.value("accuracy", cases, at=0.85) < 1
    assert cases.top(2).tp == cases.positives
    assert len(bt.curve("roc", cases).points.floats()[0]) == 5
