"""From labels and scores to counts at every cut.

Glossary, used with these very letters in the code and the formulas:
  case       one thing that was classified; it is really positive or really negative
  score      how strongly the model believes that a case is positive; only the order matters to
             a ranking
  ranking    the cases from the highest score to the lowest
  block      cases with one and the same score; they cross a threshold together
  cut        a line in the ranking, never inside a block; all cases above it are called positive
  TP, FP     positive and negative cases above the cut (called positive)
  FN, TN     positive and negative cases below it (called negative)
  n, n₊, n₋  number of cases, of positive cases, of negative cases
  prevalence n₊ / n
  t[k]       the expected label in place k of the ranking: 1 or 0, and inside a block the share
             of positives in it (Arbel & Rokach, Eq. 5)
"""

from __future__ import annotations

import csv
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

from binteach import exact
from binteach.columns import (
    Column,
    minus,
    over_one_denominator,
    plus,
    room,
    running_sum,
    times,
    whole_numbers,
)
from binteach.exact import Exact, plain, shorten
from binteach.expr import ROWS_AT_ONCE
from binteach.lists import engine, is_list
from binteach.needs import need

if TYPE_CHECKING:
    from binteach.columns import Array

RULES = (">", ">=")
WITHOUT_ARRAYS = "resampling, no comparison of areas and no interval for one"

SHOWN: dict[str, Callable[[Any], str]] = {}
"""What is shown -> function that shows it in a notebook; binteach.render fills it."""


class Undefined(ValueError):
    """A measure that does not exist on these data; `.reason` says why in one sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


# Counts ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counts:
    """The confusion matrix: TP, FP, FN, TN.

    Counts are whole numbers, rationals (proportions), or sympy symbols.

    >>> Counts(tp=3, fp=1, fn=2, tn=4).n
    10
    """

    tp: Any
    fp: Any
    fn: Any
    tn: Any

    def __post_init__(self) -> None:
        for name in ("tp", "fp", "fn", "tn"):
            given = getattr(self, name)
            if exact.is_symbolic(given):
                exact.checked_symbolic(given, name.upper())
                continue
            # A weight of cases may be longer than what anyone would write.
            value = given if isinstance(given, Fraction) else exact.exact(given, name.upper())
            if value < 0:
                raise ValueError(f"{name.upper()} is {given}; a count cannot be negative")
            object.__setattr__(self, name, plain(value))
        if not exact.is_symbolic(self.n) and self.n == 0:
            raise ValueError("all four counts are zero: there is no case to judge")

    @classmethod
    def from_labels(cls, y_true: object, y_pred: object, positive: object = 1) -> Counts:
        """Count agreements and errors of predicted labels.

        >>> Counts.from_labels([1, 1, 0], [1, 0, 0])
        Counts(tp=1, fp=0, fn=1, tn=1)
        """
        real, called = _listed(y_true, "y_true"), _listed(y_pred, "y_pred")
        _same_length(real, "y_true", called, "y_pred")
        if not real:
            raise ValueError("there are no cases: y_true and y_pred are empty")
        both = _as_classes([*real, *called], positive, rows=len(real))
        pairs = list(zip(both[: len(real)], both[len(real) :], strict=True))
        return cls(*(pairs.count(pair) for pair in ((1, 1), (0, 1), (1, 0), (0, 0))))

    def _repr_html_(self) -> str:
        return SHOWN["counts"](self)

    @property
    def n(self) -> Any:
        """TP + FP + FN + TN."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def positives(self) -> Any:
        """TP + FN: the cases that are really positive."""
        return self.tp + self.fn

    @property
    def negatives(self) -> Any:
        """FP + TN: the cases that are really negative."""
        return self.fp + self.tn


# Cases ----------------------------------------------------------------------------------------


class Cases:
    """Cases with their real class and their score.

    Scores may be numbers of any kind or text such as "19/20"; a float means its shortest
    decimal. `positive` names the label of the positive class; any one other label is negative.

    >>> Cases([1, 0, 1], ["0.9", "1/2", 0.3]).prevalence
    Fraction(2, 3)
    """

    def __init__(
        self,
        y_true: object,
        y_score: object,
        names: object = None,
        positive: object = 1,
        weights: object = None,
    ) -> None:
        labels, scores = _taken(y_true, "y_true"), _taken(y_score, "y_score")
        _same_length(labels, "y_true", scores, "y_score")
        if not len(labels):
            raise ValueError("there are no cases: y_true and y_score are empty")
        weighed = [] if weights is None else _taken(weights, "weights")
        np = engine(labels, scores, weighed, rows=len(labels))
        self._labels = _label_array(_packed(labels, np), positive, np)
        self._scores = _numbers(_packed(scores, np), "score")
        self._weights: Array | tuple[Fraction, ...] | None = None
        if weights is not None:
            self._weights = self._checked_weights(_packed(weighed, np))
        self._names: tuple[str, ...] | None = None
        if names is not None:
            given = _listed(names, "names")
            _same_length(labels, "y_true", given, "names")
            self._names = tuple(str(name) for name in given)

    def _checked_weights(self, given: Array | list[Any]) -> Array | tuple[Fraction, ...]:
        _same_length(self._labels, "y_true", given, "weights")
        weights = _numbers(given, "weight")
        if min(weights) < 0:
            row, weight = next((r, w) for r, w in enumerate(weights, 1) if w < 0)
            weight = exact.exact(weight)
            raise ValueError(f"the weight in row {row} is {weight}; it must not be negative")
        if not any(weights):
            raise ValueError("all weights are zero: there is no case to judge")
        return weights

    @classmethod
    def from_csv(
        cls,
        path: object,
        label: str = "label",
        score: str = "score",
        positive: object = "1",
        name: str = "case",
        delimiter: str = ",",
    ) -> Cases:
        """Read cases from a CSV file with a header; a column `name` is used where it exists."""
        with open_csv(path, delimiter) as reader:
            return cls.from_rows(reader, str(path), label, score, positive, name)

    @classmethod
    def from_rows(
        cls, reader: Any, source: str, label: str, score: str, positive: object, name: str
    ) -> Cases:
        """Read cases from rows of text, the first of which is the header."""
        columns = next(reader, None)
        if columns is None:
            raise ValueError(f"{source} is empty; it needs a header and one row for each case")
        columns = [column.strip() for column in columns]
        if not any(columns):
            raise ValueError(f"the first line of {source} is empty; it must name the columns")
        needed = [label, score, *([name] if name in columns else [])]
        for wanted in needed:
            if columns.count(wanted) != 1:
                problem = "no column" if wanted not in columns else "more than one column"
                other = next((sign for sign in (";", "\t") if sign in "".join(columns)), None)
                hint = (
                    f"It seems to be separated by {other!r}: say delimiter={other!r}"
                    if other
                    else "Say which columns hold the labels and the scores (label=, score=)"
                )
                listed = ", ".join(columns)
                raise ValueError(
                    f"{source} has {problem} {wanted!r}; its columns are {listed}. {hint}"
                )
        labels: list[str] = []
        scores: list[Fraction] = []
        names: list[str] = []
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            where = f"{source}, line {reader.line_num}"
            if len(row) != len(columns):
                raise ValueError(f"{where} has {len(row)} cells, but the header has {len(columns)}")
            cells = dict(zip(columns, (cell.strip() for cell in row), strict=True))
            for wanted in (label, score):
                if not cells[wanted]:
                    raise ValueError(f"{where} has no {wanted}; fill the cell or delete the row")
            labels.append(_Located(cells[label], where))
            scores.append(exact.exact(cells[score], f"{where}: the score"))
            names.append(cells.get(name) or str(len(names) + 1))
        if not labels:
            raise ValueError(f"{source} has a header but no cases")
        return cls(labels, scores, names=names, positive=str(positive))

    @classmethod
    def from_estimator(cls, model: Any, X: Any, y: object, positive: object = 1) -> Cases:
        """Score the rows of X with a fitted model that has predict_proba or decision_function."""
        classes = _listed(getattr(model, "classes_", (0, 1)), "the model's classes_")
        is_it = [_bare(known) == _bare(positive) for known in classes]
        if not any(is_it):  # a label may be text in the one and a number in the other
            is_it = [str(_bare(known)) == str(_bare(positive)) for known in classes]
        if not any(is_it):
            listed = ", ".join(shorten(_bare(known)) for known in classes)
            raise ValueError(f"the model knows {listed}, but not positive={shorten(positive)}")
        if len(classes) != 2:
            raise ValueError(f"the model knows {len(classes)} classes; two are needed")
        place = is_it.index(True)
        if hasattr(model, "predict_proba"):
            return cls(y, _column_of(model.predict_proba(X), place), positive=positive)
        if hasattr(model, "decision_function"):
            values = _taken(model.decision_function(X), "what decision_function gives")
            if not place:
                # Whole numbers of few bits may have no negative.
                if not isinstance(values, list) and values.dtype.kind in "biu":
                    values = list(values.tolist())
                values = [-value for value in values] if isinstance(values, list) else -values
            return cls(y, values, positive=positive)
        raise ValueError(
            f"{type(model).__name__} has neither predict_proba nor decision_function, "
            "so it gives no scores"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cases):
            return NotImplemented
        return (
            self.n == other.n
            and self.labels == other.labels
            and self.scores == other.scores
            and self.weights == other.weights
            and self.names == other.names
        )

    def __hash__(self) -> int:
        return hash((self.n, bytes(self._labels)))

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        weighted = ", weighted" if self.weighted else ""
        return (
            f"Cases(n={self.n}, positives={self.positives}, negatives={self.negatives}{weighted})"
        )

    def _repr_html_(self) -> str:
        return SHOWN["cases"](self)

    # Every case by itself. Scores that came as an array stay in it until they are asked for.

    @cached_property
    def labels(self) -> tuple[int, ...]:
        """1 for each positive case, 0 for each negative one, in the order given."""
        return tuple(self._labels.tolist())

    @cached_property
    def scores(self) -> tuple[Fraction, ...]:
        """The exact scores, in the order given."""
        return _fractions(self._scores)

    @cached_property
    def weights(self) -> tuple[Fraction, ...] | None:
        """The exact weights, in the order given; None where every case counts once."""
        return None if self._weights is None else _fractions(self._weights)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names, in the order given."""
        return tuple(map(self.name, range(self.n)))

    def label(self, index: int) -> int:
        """The class of one case: 1 or 0."""
        return int(self._labels[index])

    def score(self, index: int) -> Fraction:
        """The exact score of one case."""
        return exact.exact(self._scores[index])

    def weight(self, index: int) -> Fraction:
        """The exact weight of one case."""
        return Fraction(1) if self._weights is None else exact.exact(self._weights[index])

    def name(self, index: int) -> str:
        """The name of one case; its row where it has none."""
        return str(index + 1) if self._names is None else self._names[index]

    # Many cases at once.

    def label_array(self) -> Array:
        """The labels as an array of 0 and 1, in the order given."""
        need("numpy", WITHOUT_ARRAYS)
        import numpy as np

        return np.array(self._labels, dtype=np.uint8)

    def score_array(self) -> Array:
        """The scores as they were given, in an array; of fractions where it was a list."""
        need("numpy", WITHOUT_ARRAYS)
        import numpy as np

        exactly = isinstance(self._scores, tuple)
        return np.array(self._scores, dtype=object if exactly else None)

    def label_column(self, indices: Array) -> Column:
        """The labels of these cases."""
        return Column(self._labels[indices].astype("int64"))

    def score_column(self, indices: Array) -> Column:
        """The exact scores of these cases."""
        return _column(self._scores, indices)

    def weight_column(self, indices: Array) -> Column:
        """The exact weights of these cases."""
        assert self._weights is not None
        return _column(self._weights, indices)

    def first_row(self, is_so: Callable[[Any], Any]) -> int | None:
        """The first case, counted from 0, whose score is so; `is_so` takes arrays, too."""
        if isinstance(self._scores, tuple):
            return next((row for row, score in enumerate(self._scores) if is_so(score)), None)
        found = is_so(self._scores)
        return int(found.argmax()) if found.any() else None

    def certain(self) -> list[int]:
        """The cases with a score of exactly 0 or 1, by rank."""
        if isinstance(self._scores, tuple):
            return [i for i in self.ranking.order.tolist() if self._scores[i] in (0, 1)]
        ranked = self._scores[self.ranking.order]
        found: list[int] = self.ranking.order[(ranked == 0) | (ranked == 1)].tolist()
        return found

    @property
    def weighted(self) -> bool:
        """Whether the cases have weights."""
        return self._weights is not None

    @property
    def n(self) -> int:
        """The number of cases."""
        return len(self._labels)

    @cached_property
    def positives(self) -> int | Fraction:
        """n₊: the number of positive cases; their total weight if there are weights."""
        return self._weight_of(1)

    @cached_property
    def negatives(self) -> int | Fraction:
        """n₋: the number of negative cases; their total weight if there are weights."""
        return self._weight_of(0)

    def _weight_of(self, label: int) -> int | Fraction:
        if self.weighted:
            return plain(self.weight_column((self._labels == label).nonzero()[0]).total())
        positives = int(self._labels.sum(dtype="int64"))
        return positives if label else self.n - positives

    @property
    def prevalence(self) -> Fraction:
        """n₊ / n: the share of positive cases."""
        return Fraction(self.positives) / (self.positives + self.negatives)

    @cached_property
    def ranking(self) -> Ranking:
        """The cases from the highest score to the lowest."""
        return Ranking(self)

    def whole_places(self, what: str) -> None:
        """Refuse weights for what goes through the ranking place by place."""
        if self.weighted:
            raise ValueError(
                f"{what} goes through the ranking place by place, and weighted cases have no "
                "single place; leave the weights out, or repeat cases instead"
            )

    def top(self, k: int) -> Counts:
        """The counts when the k top-ranked cases are called positive."""
        return self.ranking.cut_at(k).counts

    def at(self, threshold: object, rule: str = ">") -> Counts:
        """The counts when cases with score > threshold (or >=) are called positive."""
        return self.ranking.cut_above(threshold, rule).counts


@contextmanager
def open_csv(path: object, delimiter: str = ",") -> Iterator[Any]:
    """The reader of a CSV file; what it cannot read is a ValueError that names the line."""
    with Path(str(path)).open(newline="", encoding="utf-8-sig") as file:
        reader = csv.reader(file, delimiter=delimiter)
        try:
            yield reader
        except UnicodeDecodeError as wrong:
            raise ValueError(
                f"{path} is not UTF-8 text (byte {wrong.object[wrong.start]:#04x} near line "
                f"{reader.line_num + 1}); save it as CSV in UTF-8"
            ) from None
        except csv.Error as wrong:
            raise ValueError(f"{path}, line {reader.line_num}: {wrong}") from None


def _column_of(table: Any, place: int) -> Any:
    """One column of a two-dimensional array, frame or list of rows."""
    if hasattr(table, "to_numpy"):
        table = table.to_numpy()
    if getattr(table, "ndim", 2) == 2 and hasattr(table, "shape"):
        if table.shape[1] != 2:
            raise ValueError("predict_proba must give one probability for each class")
        return table[:, place]
    if not hasattr(table, "__iter__"):
        raise ValueError(f"predict_proba gave {shorten(table)}, not rows of probabilities")
    rows = [_listed(row, "a row of predict_proba") for row in table]
    if any(len(row) != 2 for row in rows):
        raise ValueError("predict_proba must give one probability for each class")
    return [row[place] for row in rows]


class _Located(str):
    """A label from a file, which remembers where it stood."""

    where: str

    def __new__(cls, text: str, where: str) -> _Located:
        label = super().__new__(cls, text)
        label.where = where
        return label


def _listed(given: object, what: str) -> list[Any]:
    """A list of plain Python values from any sequence, array or Series."""
    if isinstance(given, str | bytes | dict | set | frozenset) or not hasattr(given, "__iter__"):
        raise ValueError(f"{what} is {shorten(given)}; a list or an array is needed")
    dimensions = getattr(given, "ndim", 1)
    if dimensions != 1:
        raise ValueError(f"{what} has {dimensions} dimensions; one row of values is needed")
    if hasattr(given, "to_numpy"):
        given = given.to_numpy()  # a Series hands out doubles even where it holds shorter floats
    return list(given)


def _taken(given: object, what: str) -> Array | list[Any]:
    """The values as an array where they are one of plain numbers, as a list otherwise."""
    if type(given) not in (list, tuple) and hasattr(given, "__array__"):
        import numpy as np

        _listed((), what) if getattr(given, "ndim", 1) == 1 else _listed(given, what)
        array = given.to_numpy() if hasattr(given, "to_numpy") else given
        if not isinstance(array, np.ma.MaskedArray):
            array = np.asarray(array)
            # A longer float than a double has no key to be sorted by.
            if array.dtype.kind in "biuf" and array.itemsize <= 8:
                return np.asarray(array, dtype=array.dtype.newbyteorder("="))
    return _listed(given, what)


def _packed(values: Array | list[Any], np: Any) -> Any:
    """For numpy, plain numbers of a list in an array."""
    if is_list(np) or not isinstance(values, list):
        return values
    kinds = set(map(type, values))
    if kinds <= {int, bool} and all(abs(value) < 1 << 63 for value in values):
        return np.array(values, dtype=np.int64)
    if kinds == {float} or (
        kinds <= {float, int, bool}
        and all(abs(v) <= 1 << 53 for v in values if type(v) is not float)
    ):
        return np.array(values, dtype=np.float64)
    return values


def _numbers(values: Array | list[Any], what: str) -> Array | tuple[Fraction, ...]:
    """Finite numbers: an array as it is, anything else as fractions."""
    if isinstance(values, list):
        return tuple(
            exact.exact(value, f"the {what} in row {row}") for row, value in enumerate(values, 1)
        )
    import numpy as np

    if values.dtype.kind == "b":
        return values.astype(np.int64)
    # What is not a number makes the extremes no numbers, too.
    extremes = [values.min(), values.max()] if len(values) else []
    if values.dtype.kind == "f" and not np.isfinite(extremes).all():
        row = int((~np.isfinite(values)).argmax())
        exact.exact(float(values[row]), f"the {what} in row {row + 1}")
    copy = room(len(values), values.dtype)  # the caller may change his own
    copy[:] = values
    return copy


def _fractions(numbers: Array | tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    return numbers if isinstance(numbers, tuple) else tuple(map(exact.exact, numbers))


def _column(numbers: Array | tuple[Fraction, ...], indices: Array) -> Column:
    if isinstance(numbers, tuple):
        whole, denominator = over_one_denominator([numbers[i] for i in indices], engine(indices))
    else:
        whole, denominator = whole_numbers(numbers[indices])
    return Column(whole, None, Fraction(1, denominator))


def _label_array(labels: Array | list[Any], positive: object, np: Any) -> Array:
    """1 for the positive label and 0 for the other."""
    if not isinstance(labels, list) and isinstance(positive, int | float):
        # Only where all is well; what is wrong is found out one by one.
        yes = labels == positive
        low, high = labels.min(), labels.max()
        other = low if high == positive else high
        no = labels == other if low != high else ~yes
        if yes.any() and int(yes.sum()) + int(no.sum()) == len(labels):
            found: Array = yes.astype("uint8")
            return found
    classes: Array = np.array(_as_classes(list(labels), positive), dtype="uint8")
    return classes


def _same_length(left: Any, left_name: str, right: Any, right_name: str) -> None:
    if len(left) != len(right):
        raise ValueError(
            f"{left_name} has {len(left)} values, but {right_name} has {len(right)}; "
            "each case needs one of both"
        )


def _as_classes(labels: list[Any], positive: object, rows: int | None = None) -> tuple[int, ...]:
    """1 for the positive label and 0 for the other; more than two labels are an error."""
    rows = rows or len(labels)
    distinct: dict[Any, str] = {}
    for place, label in enumerate(labels):
        where = getattr(label, "where", f"row {place % rows + 1}")
        if label is None or str(label) == "" or (not isinstance(label, str) and _is_missing(label)):
            raise ValueError(f"{where} has no label ({label}); give one or leave the case out")
        try:
            distinct.setdefault(label, where)
        except TypeError:
            raise ValueError(f"the label in {where} is {shorten(label)}, not a label") from None
    if len(distinct) > 2:
        listed = ", ".join(shorten(_bare(label)) for label in list(distinct)[:6])
        label, where = list(distinct.items())[2]
        raise ValueError(
            f"there are {len(distinct)} different labels ({listed}), but two classes: "
            f"{shorten(_bare(label))} in {where} is the third. Merge classes first"
        )
    if len({str(_bare(label)) for label in distinct}) < len(distinct):
        listed = " and ".join(shorten(_bare(label)) for label in distinct)
        raise ValueError(f"the labels {listed} mix numbers and text; write all of them alike")
    try:
        known = positive in distinct
    except (TypeError, ValueError):
        raise ValueError(f"positive is {shorten(positive)}, which is not a label") from None
    if not known and (len(distinct) == 2 or _unlike(positive, next(iter(distinct)))):
        listed = " and ".join(shorten(_bare(label)) for label in distinct)
        raise ValueError(
            f"no label is {shorten(positive)}: the data have {listed}. "
            f"Say which is positive, for example positive={shorten(_bare(max(distinct, key=str)))}"
        )
    return tuple(int(bool(label == positive)) for label in labels)


def _is_missing(label: object) -> bool:
    return str(label).lower() in {"<na>", "nat", "nan"}


def _unlike(positive: object, only_label: object) -> bool:
    """Whether the one label there is is text and the positive one a number, or the reverse."""
    return isinstance(positive, str) != isinstance(only_label, str)


def _bare(label: object) -> object:
    """The label as the user wrote it."""
    if isinstance(label, str):
        return str(label)
    return label.item() if hasattr(label, "item") else label


# Ranking --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    """Cases with one score, in places first..last of the ranking (counted from 1)."""

    score: Fraction
    members: tuple[int, ...]
    positives: Fraction
    negatives: Fraction
    first: int
    last: int

    @property
    def size(self) -> int:
        """The number of cases."""
        return len(self.members)


@dataclass(frozen=True)
class Cut:
    """A line in the ranking with k cases above it, and the counts that follow."""

    k: int
    tp: Fraction
    fp: Fraction
    positives: Fraction
    negatives: Fraction

    @property
    def counts(self) -> Counts:
        """The confusion matrix of this cut."""
        return Counts(self.tp, self.fp, self.positives - self.tp, self.negatives - self.fp)

    @property
    def tpr(self) -> Fraction:
        """TP / n₊."""
        return self.tp / self.positives

    @property
    def fpr(self) -> Fraction:
        """FP / n₋."""
        return self.fp / self.negatives


Item = TypeVar("Item")


class Lazily(Sequence[Item]):
    """A sequence whose items are made when they are asked for."""

    def __init__(self, length: int, make: Callable[[int], Item]) -> None:
        self._length, self._make = length, make

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> Item: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, place: int | slice) -> Item | tuple[Item, ...]:
        if isinstance(place, slice):
            return tuple(self._make(each) for each in range(self._length)[place])
        return self._make(range(self._length)[place])

    def __iter__(self) -> Iterator[Item]:
        return map(self._make, range(self._length))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(self) != len(other):
            return False
        return all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))


class Ranking:
    """Cases from the highest score to the lowest, tied ones in blocks.

    It is kept in arrays, with one entry for each cut from the highest to the lowest:
      k         the number of cases above it
      tp, fp    the positive and negative cases above it; with weights their weight, as whole
                multiples of 1/unit
    Blocks have the arrays `ends` (places above and after each block) and `ups` (positive cases
    there); without weights these are k and tp.
    """

    def __init__(self, cases: Cases) -> None:
        self.cases = cases
        self.unit = 1
        keys, labels = _keys(cases), cases._labels
        self.ends, self.ups = (_few_blocks if is_list(engine(keys)) else _blocks)(keys, labels)
        self.k = self.ends
        self.tp = self.tp_of_blocks = self.ups
        if cases.weighted:
            self._weigh()

    def _weigh(self) -> None:
        """Put weights in the place of counts; a block of weight zero makes no cut."""
        cases, order, np = self.cases, self.order, engine(self.ends)
        weights = cases.weight_column(order)
        self.unit = weights.scale.denominator
        labels = cases._labels[order].astype("int64")
        tp = running_sum(times(weights.top, labels))[self.ends]
        fp = running_sum(times(weights.top, 1 - labels))[self.ends]
        cut = np.concatenate([[True], (tp[1:] != tp[:-1]) | (fp[1:] != fp[:-1])])
        self.tp_of_blocks, self.fp_of_blocks = tp, fp
        self.k, self.tp, self.fp = self.ends[cut], tp[cut], fp[cut]

    @cached_property
    def fp(self) -> Array:
        """The negative cases above each cut; with weights their weight."""
        return self.downs

    @cached_property
    def fp_of_blocks(self) -> Array:
        """The same above and after each block."""
        return self.downs

    @cached_property
    def downs(self) -> Array:
        """The negative cases above and after each block, each counted once."""
        return minus(self.ends, self.ups)

    @cached_property
    def order(self) -> Array:
        """The cases by rank; ties stay in the order in which they were given."""
        keys = _keys(self.cases)
        order: Array = engine(keys).argsort(-1 - keys, kind="stable")
        return order

    def block_numbers(self) -> Array:
        """For each case, in the order given, the number of its block; 0 is the top."""
        need("numpy", WITHOUT_ARRAYS)
        import numpy as np

        numbers = np.empty(self.cases.n, dtype=np.int64)
        numbers[np.asarray(self.order)] = np.repeat(
            np.arange(len(self.ends) - 1), np.diff(self.ends)
        )
        return numbers

    def block(self, number: int) -> Block:
        """One block; 0 is the top."""
        start, stop = int(self.ends[number]), int(self.ends[number + 1])
        members = tuple(self.order[start:stop].tolist())
        ups, downs = (
            Fraction(int(above[number + 1]) - int(above[number]), self.unit)
            for above in (self.tp_of_blocks, self.fp_of_blocks)
        )
        return Block(self.cases.score(members[0]), members, ups, downs, start + 1, stop)

    @property
    def blocks(self) -> Sequence[Block]:
        """The blocks, from the top."""
        return Lazily(len(self.ends) - 1, self.block)

    def cut(self, number: int) -> Cut:
        """One cut; 0 has nothing above it."""
        cases = self.cases
        return Cut(
            int(self.k[number]),
            Fraction(int(self.tp[number]), self.unit),
            Fraction(int(self.fp[number]), self.unit),
            Fraction(cases.positives),
            Fraction(cases.negatives),
        )

    @property
    def cuts(self) -> Sequence[Cut]:
        """Every possible cut, from nothing called positive to everything.

        Tied scores cross the threshold together, so a block is one step. A block whose cases all
        have weight zero changes nothing and makes no cut.
        """
        return Lazily(len(self.k), self.cut)

    @cached_property
    def has_ties(self) -> bool:
        """Whether cases share a score."""
        return len(self.ends) <= self.cases.n

    @cached_property
    def has_mixed_ties(self) -> bool:
        """Whether a positive and a negative case of some weight share a score."""
        if not self.has_ties:
            return False
        np = engine(self.tp)
        return bool(((np.diff(self.tp) != 0) & (np.diff(self.fp) != 0)).any())

    # Rates, and expected labels place by place

    def tpr(self, numbers: Any) -> Column:
        """TP / n₊ at these cuts."""
        return Column(self.tp[numbers], None, 1 / (self.unit * Fraction(self.cases.positives)))

    def fpr(self, numbers: Any) -> Column:
        """FP / n₋ at these cuts."""
        return Column(self.fp[numbers], None, 1 / (self.unit * Fraction(self.cases.negatives)))

    def precision(self, numbers: Any) -> Column:
        """TP / (TP + FP) at these cuts; 0 where nothing is called positive, as Berrar has it."""
        called = plus(self.tp[numbers], self.fp[numbers])
        # Where it is 0, TP is 0, too.
        return Column(self.tp[numbers], engine(called).where(called == 0, 1, called))

    def places(self, start: int, stop: int) -> tuple[Column, Column]:
        """t[k] for the places after `start` up to `stop`, and the sums t[1] + ... + t[k].

        Inside a block t is the share of positives in it (Arbel & Rokach, Eq. 5).
        """
        np = engine(self.ends)
        blocks = spread_over(self.ends, start, stop)
        before, found = self.ends[blocks], self.ups[blocks]
        sizes, ups = self.ends[blocks + 1] - before, self.ups[blocks + 1] - found
        inside = np.arange(start + 1, stop + 1) - before
        common = np.gcd(sizes, ups)
        sizes, ups = sizes // common, ups // common
        if (sizes == 1).all():
            return Column(ups), Column(found + inside * ups)
        return Column(ups, sizes), Column(found * sizes + inside * ups, sizes)

    @cached_property
    def spread(self) -> tuple[Fraction, ...]:
        """t[1], ..., t[n]: the expected label in each place (Arbel & Rokach, Eq. 5)."""
        return tuple(
            share for block in self.blocks for share in [block.positives / block.size] * block.size
        )

    def of_class(self, label: int) -> Array:
        """The cases of one class, by rank."""
        chosen: Array = self.order[self.cases._labels[self.order] == label]
        return chosen

    # One cut

    def checked_k(self, k: object, what: str = "top") -> int:
        """k as a whole number from 0 to n."""
        number = exact.exact(k, what)
        if number.denominator != 1:
            raise ValueError(f"{what} is {k}; it must be a whole number of cases")
        if not 0 <= number <= self.cases.n:
            raise ValueError(
                f"{what} is {k}, but there are {self.cases.n} cases; use 0 to {self.cases.n}"
            )
        return number.numerator

    def cut_at(self, k: object, what: str = "top") -> Cut:
        """The cut with k cases above it; inside a block there is none. `what` is k's name."""
        place = self.checked_k(k, what)
        number = int(self.ends.searchsorted(place))
        if self.ends[number] != place:
            block = self.block(number - 1)
            names = ", ".join(map(self.cases.name, block.members[:6]))
            more = ", …" if block.size > 6 else ""
            raise ValueError(
                f"{what}={place} cuts through a tie: places {block.first} to {block.last} "
                f"(cases {names}{more}) share the score {decimal_text(block.score)}. "
                f"Use {what}={block.first - 1} or {what}={block.last}"
            )
        return self._cut_after(number)

    def cut_above(self, threshold: object, rule: str = ">") -> Cut:
        """The cut between the cases with score > threshold (or >=) and the others."""
        if rule not in RULES:
            raise ValueError(f"rule is {shorten(rule)}; it must be '>' or '>='")
        line = exact.exact(threshold, "the threshold")

        def is_below(number: int) -> bool:
            score = self.cases.score(int(self.order[self.ends[number]]))
            return score < line or (rule == ">" and score == line)

        return self._cut_after(bisect_left(range(len(self.ends) - 1), True, key=is_below))

    def _cut_after(self, blocks: int) -> Cut:
        """The cut below so many blocks."""
        place = int(self.ends[blocks])
        at = int(self.k.searchsorted(place, side="right")) - 1
        found = self.cut(at)
        return Cut(place, found.tp, found.fp, found.positives, found.negatives)

    # The hull

    def hull(self) -> list[Cut]:
        """The corners of the upper convex hull of the ROC points."""
        return [self.cut(number) for number in self.hull_numbers()]

    def hull_numbers(self) -> list[int]:
        """The numbers of the cuts that are corners of the hull, from the top."""
        np = engine(self.k)
        # A point that does not stand out between its neighbours is no corner. Leaving such points
        # out thins a long curve quickly; a monotone chain does the rest.
        kept, before = np.arange(0, len(self.k)), len(self.k) + 1
        while len(kept) < 0.9 * before and len(kept) > 2:
            before = len(kept)
            tp, fp = self.tp[kept], self.fp[kept]
            rise, run = tp[1:] - tp[:-1], fp[1:] - fp[:-1]
            out = times(rise[:-1], run[1:]) > times(run[:-1], rise[1:])
            kept = kept[np.concatenate([[True], out, [True]])]
        corners: list[tuple[int, int, int]] = []
        for corner in zip(
            self.fp[kept].tolist(), self.tp[kept].tolist(), kept.tolist(), strict=True
        ):
            while len(corners) > 1 and not _turns_right(corners[-2], corners[-1], corner):
                corners.pop()
            corners.append(corner)
        return [number for _, _, number in corners]


def _turns_right(a: Sequence[int], b: Sequence[int], c: Sequence[int]) -> bool:
    """Whether the path a, b, c bends downwards at b, so that b is a corner of the hull."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) < 0


def spread_over(above: Array, start: int, stop: int) -> Array:
    """For the items after `start` up to `stop` the number of the step they belong to.

    `above` says how many items lie above each step, and at its end how many there are.
    """
    np = engine(above)
    first = int(above.searchsorted(start, side="right")) - 1
    last = int(above.searchsorted(stop, side="left"))
    sizes = np.diff(above[first : last + 1].clip(start, stop))
    steps: Array = np.repeat(np.arange(first, last), sizes)
    return steps


# Sorting --------------------------------------------------------------------------------------


def _keys(cases: Cases) -> Array:
    """Whole numbers in the order of the scores, equal where scores are.

    The bits of a double sort like the double once those of negative numbers are turned round.
    """
    scores = cases._scores
    if isinstance(scores, tuple):
        place = {score: rank for rank, score in enumerate(sorted(set(scores)))}
        ranked = [place[score] for score in scores]
        ranks: Array = engine(cases._labels).array(ranked, dtype="int64")
        return ranks
    import numpy as np

    if scores.dtype.kind == "f":
        keys = room(len(scores), np.float64)
        bits = np.add(scores, 0.0, out=keys).view(np.int64)  # −0.0 becomes 0.0
        for piece in np.array_split(bits, -(-len(bits) // ROWS_AT_ONCE)):
            piece ^= (piece >> 63) & np.int64((1 << 63) - 1)
        return bits
    if scores.dtype == np.uint64:
        return (scores ^ np.uint64(1 << 63)).view(np.int64)
    return scores.astype(np.int64)


def _blocks(keys: Array, labels: Array) -> tuple[Array, Array]:
    """How many cases and how many positive cases lie above and after each block of equal keys.

    The label goes into the lowest bit of the key, so that one sort brings out order, ties and
    labels together.
    """
    import numpy as np

    low, span = int(keys.min()), int(keys.max()) - int(keys.min())
    packed = keys.view(np.uint64)  # in place: the keys are not needed any more
    if span >= 1 << 63:  # one bit short; but between the signs there may be room to spare
        # Without a sign, negative keys come last.
        gap = int(packed.min()) - (int(packed.max()) - (1 << 64)) - 1
        if span - gap >= 1 << 63:
            return _each_sign_by_itself(keys, labels)
        for piece in np.array_split(keys, -(-len(keys) // ROWS_AT_ONCE)):
            piece.view(np.uint64)[:] -= ~(piece >> 63).view(np.uint64) & np.uint64(gap)
    packed -= np.uint64(low % (1 << 64))
    packed <<= np.uint64(1)
    packed |= labels
    packed.sort()
    ends, ups = room(len(keys) + 1), room(len(keys) + 1)
    blocks = above = 0
    # Piece by piece: what fits into the cache is read several times at no cost.
    for stop in range(len(keys), 0, -ROWS_AT_ONCE):
        start = max(stop - ROWS_AT_ONCE, 0)
        ranked = packed[start:stop][::-1]
        last = np.ones(len(ranked), dtype=bool)
        below = packed[max(start - 1, 0) : stop - 1][::-1]
        last[: len(below)] = (ranked[: len(below)] ^ below) > 1
        found = np.cumsum((ranked & np.uint64(1)).view(np.int64)) + above
        above = found[-1]
        here = slice(blocks + 1, blocks + 1 + int(np.count_nonzero(last)))
        ends[here] = np.flatnonzero(last) + (len(keys) - stop + 1)
        ups[here] = found[last]
        blocks = here.stop - 1
    if blocks > len(keys) // 2:
        return ends[: blocks + 1], ups[: blocks + 1]
    return ends[: blocks + 1].copy(), ups[: blocks + 1].copy()


def _few_blocks(keys: Array, labels: Array) -> tuple[Array, Array]:
    """The same in lists."""
    sizes, ups = Counter(keys), Counter(keys[labels == 1])
    np, ranked = engine(keys), sorted(sizes, reverse=True)
    ends, above = (running_sum(np.array([of[key] for key in ranked])) for of in (sizes, ups))
    return ends, above


def _each_sign_by_itself(keys: Array, labels: Array) -> tuple[Array, Array]:
    """The same where the keys lie so far apart that the label finds no place in them."""
    import numpy as np

    upper = keys >= 0
    ends, ups = _blocks(keys[upper], labels[upper])
    ends_below, ups_below = _blocks(keys[~upper], labels[~upper])
    ends_below, ups_below = ends_below[1:] + ends[-1], ups_below[1:] + ups[-1]
    return np.concatenate([ends, ends_below]), np.concatenate([ups, ups_below])


def short_decimal(number: Fraction, places: int = 8) -> str:
    """A decimal with a readable number of places; 0.847433… where there are more."""
    if 10**places % number.denominator == 0:
        return decimal_text(number)
    sign, size = "-" if number < 0 else "", abs(number)
    # Six places, and of a very small number the first three digits that are not 0.
    zeros = len(str(size.denominator // max(size.numerator, 1))) - 1
    kept = 6 if zeros < 5 or zeros > 30 else zeros + 3
    whole = Fraction(size.numerator * 10**kept // size.denominator, 10**kept)
    return f"{sign}{exact.rounded(whole, kept)}…"


def decimal_text(number: Exact) -> str:
    """A score as people write it: 0.75, or 1/3 where no short decimal is exact."""
    if isinstance(number, Fraction) and 10**20 % number.denominator == 0:
        places = next(k for k in range(21) if 10**k % number.denominator == 0)
        return exact.rounded(number, places)
    return str(number)
