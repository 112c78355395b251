"""Every container, every kind of label and score is read alike, or refused with its row.

Each runs with a few cases and with thousands, where a fast path would be taken.
"""

import array
import copy
import pickle
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from large_oracles import EXACT, Ranked, alternating, big_endian, decimals, read_only

import binteach as bt

CURVES = ("roc", "roc_hull", "pr", "tpr_fpr", "gain", "lift", "hit_rate", "qrecall")
HALF = Fraction(1, 2)
ABOVE = np.nextafter(0.1, 1)
MANY = 3_000


# Kinds of containers ----------------------------------------------------------------------------


class Frame:
    """A column as other libraries make it: it can be walked through and turned into an array."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values.tolist())

    def to_numpy(self) -> Any:
        return self.values


@cache
def some_cases(n: int) -> tuple[Any, Any, Ranked]:
    """Tied cases as arrays, and what they mean."""
    random = np.random.default_rng(2)
    scores = np.round(random.random(n), 2)
    labels = (random.random(n) < scores).astype(int)
    labels[:2] = 1, 0
    return labels, scores, Ranked(labels.tolist(), decimals(scores))


CONTAINERS: dict[str, Callable[[Any], Any]] = {
    "list": lambda values: values.tolist(),
    "tuple": lambda values: tuple(values.tolist()),
    "generator": lambda values: (value for value in values.tolist()),
    "view of a dict": lambda values: dict(enumerate(values.tolist())).values(),
    "array": lambda values: values,
    "array.array": lambda values: array.array("d", values.tolist()),
    "memoryview": lambda values: memoryview(array.array("d", values.tolist())),
    "masked array without a gap": lambda values: np.ma.array(values),
    "series": lambda values: pd.Series(values),
    "series with a strange index": lambda values: pd.Series(values, index=[7] * len(values)),
    "series with a reversed index": lambda values: pd.Series(
        values, index=range(len(values) - 1, -1, -1)
    ),
    "series with dates as index": lambda values: pd.Series(
        values, index=pd.date_range("2020-01-01", periods=len(values))
    ),
    "column of a frame": lambda values: pd.DataFrame({"a": values, "b": 1})["a"],
    "index": lambda values: pd.Index(values),
    "nullable series": lambda values: pd.Series(values).convert_dtypes(),
    "sparse series": lambda values: pd.Series(pd.arrays.SparseArray(values)),
    "another library's column": Frame,
}


@pytest.mark.parametrize("n", [7, MANY])
@pytest.mark.parametrize("make", CONTAINERS.values(), ids=CONTAINERS)
def test_every_container_holds_the_same_cases(make: Callable[[Any], Any], n: int) -> None:
    labels, scores, data = some_cases(n)
    cases = bt.Cases(make(labels), make(scores))
    assert cases.labels == tuple(data.labels)
    assert all(type(label) is int for label in cases.labels)
    assert cases.scores == tuple(data.scores)
    assert all(type(score) is Fraction for score in cases.scores)
    assert bt.value("auc", cases) == EXACT["auc"](data)


def test_a_range_is_a_row_of_numbers() -> None:
    cases = bt.Cases([k % 2 for k in range(MANY)], range(MANY))
    assert cases.scores == tuple(Fraction(k) for k in range(MANY))
    assert cases.positives == MANY // 2
    assert bt.Cases(range(2), range(2)).labels == (0, 1)


def test_a_column_of_polars_is_a_row_of_numbers() -> None:
    polars = pytest.importorskip("polars")
    cases = bt.Cases(polars.Series([1, 0, 1] * 1000), polars.Series([0.1, 0.3, 0.7] * 1000))
    assert cases == bt.Cases([1, 0, 1] * 1000, ["0.1", "0.3", "0.7"] * 1000)
    short = bt.Cases([1, 0], polars.Series([0.1, 0.3], dtype=polars.Float32))
    assert short.scores == (Fraction(1, 10), Fraction(3, 10))
    words = polars.Series(["yes", "no", "yes"])
    assert bt.Cases(words, [1, 2, 3], positive="yes").labels == (1, 0, 1)
    for missing in ([0.1, None], [1, None]):
        with pytest.raises(ValueError, match="row 2"):
            bt.Cases([0, 1], polars.Series(missing))


def test_one_case_is_enough() -> None:
    cases = bt.Cases(np.array([1]), np.array([0.3]))
    assert cases.top(1) == bt.Counts(1, 0, 0, 0)
    assert bt.value("average_precision", cases) == 1
    with pytest.raises(bt.Undefined, match="negative"):
        bt.value("auc", cases)


# Refusals ---------------------------------------------------------------------------------------

ROWS = [(2, 2), (2345, MANY), (1, MANY), (MANY, MANY)]
"""Which row is bad, and of how many."""


def message(labels: Any, scores: Any, **more: Any) -> str:
    """The message of a plain ValueError."""
    with pytest.raises(ValueError, match=r"\w") as error:
        bt.Cases(labels, scores, **more)
    assert type(error.value) is ValueError
    assert len(str(error.value)) < 300
    return str(error.value)


def good_labels(n: int) -> Any:
    return np.arange(n) % 2


def with_bad(n: int, row: int, bad: Any, kind: Any) -> Any:
    values = np.full(n, 0.5).astype(kind)
    values[row - 1] = bad
    return values


def masked(n: int, row: int, kind: Any = np.float64) -> Any:
    return np.ma.array(np.ones(n, dtype=kind), mask=np.arange(n) == row - 1)


BAD_SCORES: dict[str, tuple[Callable[[int, int], Any], str]] = {
    "nan": (lambda n, row: with_bad(n, row, np.nan, float), "finite"),
    "inf": (lambda n, row: with_bad(n, row, np.inf, float), "finite"),
    "-inf": (lambda n, row: with_bad(n, row, -np.inf, float), "finite"),
    "a nan with its sign and payload": (
        lambda n, row: with_bad(n, row, np.uint64(0xFFF8000000000123).view(np.float64), float),
        "finite",
    ),
    "single nan": (lambda n, row: with_bad(n, row, np.nan, np.float32), "finite"),
    "half inf": (lambda n, row: with_bad(n, row, np.inf, np.float16), "finite"),
    "big-endian nan": (lambda n, row: with_bad(n, row, np.nan, ">f8"), "finite"),
    "nan in a list": (lambda n, row: with_bad(n, row, np.nan, float).tolist(), "finite"),
    "nan in a series": (
        lambda n, row: pd.Series(with_bad(n, row, np.nan, float), index=range(n, 0, -1)),
        "finite",
    ),
    "nan from another library": (lambda n, row: Frame(with_bad(n, row, np.nan, float)), "finite"),
    "NA among floats": (
        lambda n, row: pd.Series(with_bad(n, row, np.nan, float)).astype("Float64"),
        "",
    ),
    "NA among ints": (
        lambda n, row: pd.Series([None if k == row else k for k in range(1, n + 1)], dtype="Int64"),
        "",
    ),
    "NA among objects": (lambda n, row: with_bad(n, row, pd.NA, object), "not a number"),
    "None among objects": (lambda n, row: with_bad(n, row, None, object), "not a number"),
    "a masked score": (masked, ""),
    "a masked int": (lambda n, row: masked(n, row, np.int64), ""),
    "text": (lambda n, row: with_bad(n, row, "half", "U8"), "not a number"),
    "text among objects": (lambda n, row: with_bad(n, row, "half", object), "not a number"),
    "nan among objects": (lambda n, row: with_bad(n, row, float("nan"), object), "finite"),
}


@pytest.mark.parametrize("make", BAD_SCORES.values(), ids=BAD_SCORES)
@pytest.mark.parametrize(("row", "n"), ROWS)
def test_a_bad_score_is_refused_with_its_row(
    make: tuple[Callable[[int, int], Any], str], row: int, n: int
) -> None:
    scores, says = make[0](n, row), make[1]
    told = message(good_labels(n), scores)
    assert f"the score in row {row} " in told
    assert says in told
    assert f"the weight in row {row} " in message(good_labels(n), np.arange(n), weights=scores)


def test_the_first_of_several_bad_scores_is_named() -> None:
    scores = np.full(MANY, 0.5)
    scores[[2000, 300, 20, 2999]] = np.inf, np.nan, -np.inf, np.nan
    assert "row 21 " in message(good_labels(MANY), scores)


WRONG_KINDS = {
    "complex": np.array([0.5, 0.5j] * 1000),
    "dates": np.array(["2020-01-01", "2020-01-02"] * 1000, dtype="M8[D]"),
    "durations": np.array([1, 2] * 1000, dtype="m8[s]"),
    "records": np.array([(1, 2.0), (3, 4.0)] * 1000, dtype=[("a", "i4"), ("b", "f8")]),
    "bytes": np.array([b"0.5", b"0.7"] * 1000),
    "a series of dates": pd.Series(pd.date_range("2020-01-01", periods=2000)),
}


@pytest.mark.parametrize("scores", WRONG_KINDS.values(), ids=WRONG_KINDS)
def test_what_is_no_number_is_refused(scores: Any) -> None:
    told = message(good_labels(2000), scores)
    assert "row 1 " in told
    assert "not a number" in told


SHAPES = {
    "no dimension": np.array(0.5),
    "a column": np.zeros((MANY, 1)),
    "a row": np.zeros((1, MANY)),
    "a matrix": np.asmatrix(np.zeros(MANY)),
    "three dimensions": np.zeros((2, 2, 2)),
    "a frame": pd.DataFrame({"a": np.zeros(MANY)}),
    "an empty table": np.zeros((0, 2)),
}


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize("given", SHAPES.values(), ids=SHAPES)
def test_only_one_dimension_is_one_row(given: Any) -> None:
    assert "y_score" in message(good_labels(MANY), given)
    assert "y_true" in message(given, np.zeros(MANY))
    assert "weights" in message(good_labels(MANY), np.zeros(MANY), weights=given)


def test_lengths_that_differ_are_named() -> None:
    told = message(good_labels(MANY), np.zeros(MANY - 1))
    assert f"y_true has {MANY} " in told
    assert f"y_score has {MANY - 1};" in told
    assert "weights has 3" in message(good_labels(4), np.zeros(4), weights=np.ones(3))
    assert "names has 3" in message(good_labels(4), np.zeros(4), names=np.array(list("abc")))
    assert "no cases" in message(np.array([]), np.array([]))


@pytest.mark.parametrize("bad", [-1e-300, 1.0000000000000002, -1.0, 7.0])
@pytest.mark.parametrize(("row", "n"), ROWS)
def test_a_score_outside_0_to_1_is_named_with_its_row(bad: float, row: int, n: int) -> None:
    cases = bt.Cases(good_labels(n), with_bad(n, row, bad, float))
    for key in ("brier_score", "log_loss", "mean_absolute_error"):
        with pytest.raises(ValueError, match="rescale") as error:
            bt.value(key, cases)
        assert f"row {row} (case {row})" in str(error.value)
    bt.value("auc", cases)


def test_a_cut_inside_a_tie_is_refused_as_ever() -> None:
    scores = np.repeat(np.array([0.9, 0.7, 0.1]), (10, 3000, 990))
    cases = bt.Cases(np.arange(4000) % 2, scores)
    assert cases.top(10) == bt.Counts(5, 5, 1995, 1995)
    for k in (11, 1000, 3009):
        with pytest.raises(ValueError, match="cuts through a tie") as error:
            cases.top(k)
        for words in (
            "places 11 to 3010",
            "11, 12, 13, 14, 15, 16, …",
            "0.7",
            "top=10 or top=3010",
        ):
            assert words in str(error.value)


# Labels -----------------------------------------------------------------------------------------

WORDS = np.array(["no", "yes"])
LABELS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "bool": (lambda y: y == 1, True),
    "bool, asked for as 1": (lambda y: y == 1, 1),
    "int8": (lambda y: y.astype(np.int8), 1),
    "uint8": (lambda y: y.astype(np.uint8), 1),
    "uint64": (lambda y: y.astype(np.uint64), 1),
    "double": (lambda y: y.astype(float), 1),
    "single": (lambda y: y.astype(np.float32), 1),
    "half": (lambda y: y.astype(np.float16), 1),
    "big-endian": (lambda y: big_endian(y.astype(np.int32)), 1),
    "zeros of both signs": (
        lambda y: np.where(y == 1, 1.0, np.where(np.arange(len(y)) % 3, 0.0, -0.0)),
        1,
    ),
    "signs": (lambda y: 2 * y - 1, 1),
    "signs in int8": (lambda y: (2 * y - 1).astype(np.int8), 1),
    "any two numbers": (lambda y: 255 * y.astype(np.uint8), 255),
    "two neighbours": (lambda y: np.where(y == 1, ABOVE, 0.1), ABOVE),
    "long integers": (lambda y: 2**53 + y, 2**53 + 1),
    "the positive one is 0": (lambda y: 1 - y, 0),
    "the positive one is False": (lambda y: y == 0, False),
    "a float asks for an int": (lambda y: y, 1.0),
    "words": (lambda y: WORDS[y], "yes"),
    "words among objects": (lambda y: WORDS.astype(object)[y], "yes"),
    "a column of words": (lambda y: pd.Series(WORDS[y], index=y), "yes"),
    "categories": (lambda y: pd.Series(WORDS[y], dtype="category"), "yes"),
    "nullable words": (lambda y: pd.Series(WORDS[y], dtype="string"), "yes"),
    "nullable bool": (lambda y: pd.Series(y == 1, dtype="boolean"), True),
    "nullable int": (lambda y: pd.Series(y, dtype="Int8"), 1),
    "objects": (lambda y: y.astype(object), 1),
    "every second": (lambda y: np.repeat(y, 2)[::2], 1),
    "read-only": (read_only, 1),
}


@pytest.mark.parametrize("n", [7, MANY])
@pytest.mark.parametrize(("make", "positive"), LABELS.values(), ids=LABELS)
def test_labels_of_every_kind_are_the_same_classes(
    make: Callable[[Any], Any], positive: Any, n: int
) -> None:
    labels = np.array(alternating(n))
    cases = bt.Cases(make(labels), np.arange(n), positive=positive)
    assert cases.labels == tuple(labels.tolist())
    assert all(type(label) is int for label in cases.labels)
    assert cases.positives == labels.sum()
    assert type(cases.positives) is int


@pytest.mark.parametrize("kind", [int, np.uint8, float, object, str, "U3"], ids=str)
@pytest.mark.parametrize("row", [3, 2345])
def test_the_third_class_is_the_third_to_appear(kind: Any, row: int) -> None:
    # Sorted, the third would be 5; by appearance it is 0.
    labels = np.array([5, 1] * (MANY // 2)).astype(kind)
    labels[row - 1] = 0
    labels[-1] = 3
    told = message(labels, np.zeros(MANY), positive=labels[1])
    assert "4 different labels" in told
    assert re.search(r"[(]'?5(\.0)?'?, '?1(\.0)?'?, '?0(\.0)?'?, '?3(\.0)?'?[)]", told)
    assert re.search(rf"'?0(\.0)?'? in row {row} is the third", told)


BAD_LABELS: dict[str, Callable[[int, int], Any]] = {
    "nan": lambda n, row: with_bad(n, row, np.nan, float),
    "single nan": lambda n, row: with_bad(n, row, np.nan, np.float32),
    "None among objects": lambda n, row: with_bad(n, row, None, object),
    "NA among ints": lambda n, row: pd.Series(
        [None if k == row else k % 2 for k in range(1, n + 1)], dtype="Int64"
    ),
    "NA among bools": lambda n, row: pd.Series(
        [None if k == row else k % 2 == 0 for k in range(1, n + 1)], dtype="boolean"
    ),
    "NA among words": lambda n, row: pd.Series(
        [None if k == row else "ab"[k % 2] for k in range(1, n + 1)], dtype="string"
    ),
    "no word": lambda n, row: with_bad(n, row, "", "U8"),
    "nan from another library": lambda n, row: Frame(with_bad(n, row, np.nan, float)),
}


@pytest.mark.parametrize("make", BAD_LABELS.values(), ids=BAD_LABELS)
@pytest.mark.parametrize(("row", "n"), ROWS)
def test_a_missing_label_is_refused_with_its_row(
    make: Callable[[int, int], Any], row: int, n: int
) -> None:
    told = message(make(n, row), np.arange(n))
    assert f"row {row} has no label" in told
    assert "leave the case out" in told


@pytest.mark.parametrize(("row", "n"), ROWS)
def test_a_masked_label_is_refused_with_its_row(row: int, n: int) -> None:
    assert f"row {row}" in message(masked(n, row, np.int64), np.arange(n))


def test_infinite_labels_are_labels() -> None:
    cases = bt.Cases(np.array([np.inf, 0.0]), [1, 2], positive=np.inf)
    assert cases.labels == (1, 0)


@pytest.mark.parametrize("n", [2, MANY])
def test_the_positive_label_must_occur_or_be_of_the_same_kind(n: int) -> None:
    words = np.array(["no", "yes"] * (n // 2))
    told = message(words, np.zeros(n))
    assert "no label is 1: the data have 'no' and 'yes'" in told
    assert "positive='yes'" in told
    assert "no label is 7: the data have 0 and 1" in message(
        good_labels(n), np.zeros(n), positive=7
    )
    assert "no label is '1'" in message(good_labels(n), np.zeros(n), positive="1")
    assert "0.0 and 1.0" in message(good_labels(n).astype(float), np.zeros(n), positive=7)
    assert "False and True" in message(good_labels(n) == 1, np.zeros(n), positive=7)
    assert "no label is 1" in message(words[:1].repeat(n), np.zeros(n))
    message(good_labels(n), np.zeros(n), positive=[1])
    message(good_labels(n), np.zeros(n), positive=np.array([1, 0]))


@pytest.mark.parametrize("n", [2, MANY])
def test_one_class_alone_is_accepted_and_its_measures_are_undefined(n: int) -> None:
    for label, missing in ((1, "negative"), (0, "positive")):
        for kind in (np.int64, np.float64, np.bool_, np.int8):
            cases = bt.Cases(np.full(n, label).astype(kind), np.arange(n))
            assert cases.positives == n * label
            for key in ("auc", "ks"):
                with pytest.raises(bt.Undefined, match=f"no {missing} case"):
                    bt.value(key, cases)
    words = np.full(n, "no")
    assert bt.Cases(words, np.arange(n), positive="yes").positives == 0


# The caller's arrays ----------------------------------------------------------------------------


def everything(cases: bt.Cases) -> tuple[Any, ...]:
    """Results of every kind, lazy or not."""
    return (
        *(bt.value(key, cases) for key in ("auc", "average_precision", "brier_score", "pem")),
        *(bt.curve(name, cases).points for name in CURVES),
        (cases.ranking.cuts, cases.labels, cases.scores, cases.names, cases.weights),
        (cases.positives, cases.at(HALF), hash(cases)),
    )


CHANGEABLE: dict[str, Callable[[Any], Any]] = {
    "array": lambda values: values.copy(),
    "view": lambda values: np.repeat(values, 2)[::2],
    "single": lambda values: values.astype(np.float32 if values.dtype.kind == "f" else np.int8),
    "big-endian": big_endian,
    "objects": lambda values: values.astype(object),
    "series": lambda values: pd.Series(values.copy()),
    "list": lambda values: values.tolist(),
    "array.array": lambda values: array.array("d", values.tolist()),
    "another library's column": lambda values: Frame(values.copy()),
}


def scribble(values: Any) -> None:
    """Change what the caller holds, in place."""
    target = values.values if isinstance(values, Frame) else values
    if isinstance(target, pd.Series):
        target.iloc[:] = 1
    else:
        for place in range(len(target)):
            target[place] = 1


@pytest.mark.parametrize("n", [9, 600])
@pytest.mark.parametrize("make", CHANGEABLE.values(), ids=CHANGEABLE)
def test_what_happens_to_the_callers_array_later_changes_nothing(
    make: Callable[[Any], Any], n: int
) -> None:
    scores = np.round(np.random.default_rng(3).random(n), 2)
    labels = np.array(alternating(n))
    right = everything(bt.Cases(labels.tolist(), decimals(scores)))
    y, s = make(labels), make(scores)
    cases = bt.Cases(y, s)
    scribble(y)
    scribble(s)
    assert everything(cases) == right


def test_later_changes_of_weights_and_names_change_nothing() -> None:
    weights, names = np.array([1.0, 2.0, 0.5]), np.array(["a", "b", "c"])
    cases = bt.Cases(np.array([1, 0, 1]), np.array([0.1, 0.2, 0.3]), names, weights=weights)
    weights[:], names[:] = 9, "z"
    assert cases.weights == (Fraction(1), Fraction(2), HALF)
    assert cases.names == ("a", "b", "c")
    assert cases.positives == Fraction(3, 2)


@pytest.mark.parametrize("n", [9, 600])
def test_the_callers_arrays_are_left_alone(n: int) -> None:
    scores = np.random.default_rng(3).random(n)
    scores[:3] = -0.0, 0.0, 0.5
    labels = np.array(alternating(n))
    kept = labels.copy(), scores.copy()
    everything(bt.Cases(labels, scores))
    assert labels.tobytes() == kept[0].tobytes()
    assert scores.tobytes() == kept[1].tobytes()  # the sign of a zero included
    assert labels.flags.writeable
    assert scores.flags.writeable


def test_read_only_arrays_are_accepted() -> None:
    labels, scores = read_only([1, 0, 1, 0]), read_only([0.1, 0.2, 0.3, 0.2])
    assert everything(bt.Cases(labels, scores)) == everything(bt.Cases([1, 0, 1, 0], scores))


@pytest.mark.parametrize("n", [9, 600])
@pytest.mark.parametrize("first", [False, True], ids=["fresh", "after use"])
@pytest.mark.parametrize(
    "again",
    [lambda cases: pickle.loads(pickle.dumps(cases)), copy.copy, copy.deepcopy],
    ids=["pickle", "copy", "deepcopy"],
)
def test_copies_are_equal(again: Callable[[Any], Any], first: bool, n: int) -> None:
    scores = np.random.default_rng(3).random(n)
    cases = bt.Cases(np.array(alternating(n)), scores)
    if first:
        everything(cases)
    twin = again(cases)
    assert twin == cases
    assert hash(twin) == hash(cases)
    assert everything(twin) == everything(cases)


def test_cases_that_differ_in_anything_are_unequal() -> None:
    labels, scores = np.array([1, 0, 1]), np.array([0.1, 0.2, 0.3])
    cases = bt.Cases(labels, scores)
    assert cases != bt.Cases(1 - labels, scores)
    assert cases != bt.Cases(labels, np.nextafter(scores, 1))
    assert cases != bt.Cases(labels, scores, names=list("abc"))
    assert cases != bt.Cases(labels, scores, weights=np.ones(3))
    assert cases == bt.Cases(labels.astype(bool), scores.astype(np.float32))
