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
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from binteach import exact
from binteach.exact import Exact, plain, shorten

RULES = (">", ">=")

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
            value = exact.exact(given, name.upper())
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
        labels, scores = _listed(y_true, "y_true"), _listed(y_score, "y_score")
        _same_length(labels, "y_true", scores, "y_score")
        if not labels:
            raise ValueError("there are no cases: y_true and y_score are empty")
        self.labels: tuple[int, ...] = _as_classes(labels, positive)
        self.scores: tuple[Fraction, ...] = tuple(
            exact.exact(score, f"the score in row {row}") for row, score in enumerate(scores, 1)
        )
        self.weights: tuple[Fraction, ...] | None = None
        if weights is not None:
            self.weights = self._checked_weights(_listed(weights, "weights"))
        if names is None:
            self.names: tuple[str, ...] = tuple(str(row) for row in range(1, len(labels) + 1))
        else:
            given = _listed(names, "names")
            _same_length(labels, "y_true", given, "names")
            self.names = tuple(str(name) for name in given)

    def _checked_weights(self, given: list[Any]) -> tuple[Fraction, ...]:
        _same_length(self.labels, "y_true", given, "weights")
        weights = tuple(
            exact.exact(weight, f"the weight in row {row}") for row, weight in enumerate(given, 1)
        )
        for row, weight in enumerate(weights, 1):
            if weight < 0:
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
        with Path(str(path)).open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file, delimiter=delimiter)
            try:
                return cls.from_rows(reader, str(path), label, score, positive, name)
            except UnicodeDecodeError as wrong:
                raise ValueError(
                    f"{path} is not UTF-8 text (byte {wrong.object[wrong.start]:#04x} near line "
                    f"{reader.line_num + 1}); save it as CSV in UTF-8"
                ) from None
            except csv.Error as wrong:
                raise ValueError(f"{path}, line {reader.line_num}: {wrong}") from None

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
        names = [str(_bare(known)) for known in classes]
        if str(_bare(positive)) not in names:
            listed = ", ".join(shorten(_bare(known)) for known in classes)
            raise ValueError(f"the model knows {listed}, but not positive={shorten(positive)}")
        if len(classes) != 2:
            raise ValueError(f"the model knows {len(classes)} classes; two are needed")
        place = names.index(str(_bare(positive)))
        if hasattr(model, "predict_proba"):
            rows = [_listed(row, "a row of predict_proba") for row in _rows(model.predict_proba(X))]
            if any(len(row) != len(classes) for row in rows):
                raise ValueError("predict_proba must give one probability for each class")
            return cls(y, [row[place] for row in rows], positive=positive)
        if hasattr(model, "decision_function"):
            values = _listed(model.decision_function(X), "what decision_function gives")
            return cls(y, [value if place else -value for value in values], positive=positive)
        raise ValueError(
            f"{type(model).__name__} has neither predict_proba nor decision_function, "
            "so it gives no scores"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cases):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[Any, ...]:
        return (self.labels, self.scores, self.weights, self.names)

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        weighted = ", weighted" if self.weights else ""
        return (
            f"Cases(n={self.n}, positives={self.positives}, negatives={self.negatives}{weighted})"
        )

    def _repr_html_(self) -> str:
        return SHOWN["cases"](self)

    @property
    def n(self) -> int:
        """The number of cases."""
        return len(self.labels)

    @cached_property
    def positives(self) -> int | Fraction:
        """n₊: the number of positive cases; their total weight if there are weights."""
        return plain(self._weight_of(1))

    @cached_property
    def negatives(self) -> int | Fraction:
        """n₋: the number of negative cases; their total weight if there are weights."""
        return plain(self._weight_of(0))

    def _weight_of(self, label: int) -> Fraction:
        if self.weights is None:
            return Fraction(self.labels.count(label))
        pairs = zip(self.labels, self.weights, strict=True)
        return sum((weight for real, weight in pairs if real == label), Fraction(0))

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
        if self.weights is not None:
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


def _rows(table: Any) -> list[Any]:
    """The rows of a two-dimensional array or frame."""
    if hasattr(table, "to_numpy"):
        table = table.to_numpy()
    if not hasattr(table, "__iter__"):
        raise ValueError(f"predict_proba gave {shorten(table)}, not rows of probabilities")
    return list(table)


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


class Ranking:
    """Cases from the highest score to the lowest, tied ones in blocks."""

    def __init__(self, cases: Cases) -> None:
        self.cases = cases
        order = sorted(range(cases.n), key=lambda i: cases.scores[i], reverse=True)
        self.order = tuple(order)  # ties stay in the order in which they were given
        weights = cases.weights or (Fraction(1),) * cases.n
        blocks, place = [], 1
        for score, group in groupby(order, key=lambda i: cases.scores[i]):
            members = tuple(group)
            ups = sum((weights[i] for i in members if cases.labels[i]), Fraction(0))
            downs = sum((weights[i] for i in members if not cases.labels[i]), Fraction(0))
            blocks.append(Block(score, members, ups, downs, place, place + len(members) - 1))
            place += len(members)
        self.blocks = tuple(blocks)

    @cached_property
    def cuts(self) -> tuple[Cut, ...]:
        """Every possible cut, from nothing called positive to everything.

        Tied scores cross the threshold together, so a block is one step. A block whose cases all
        have weight zero changes nothing and makes no cut.
        """
        up, down = Fraction(self.cases.positives), Fraction(self.cases.negatives)
        cuts = [Cut(0, Fraction(0), Fraction(0), up, down)]
        for block in self.blocks:
            if block.positives or block.negatives:
                last = cuts[-1]
                tp, fp = last.tp + block.positives, last.fp + block.negatives
                cuts.append(Cut(block.last, tp, fp, up, down))
        return tuple(cuts)

    @cached_property
    def spread(self) -> tuple[Fraction, ...]:
        """t[1], ..., t[n]: the expected label in each place (Arbel & Rokach, Eq. 5)."""
        return tuple(
            share for block in self.blocks for share in [block.positives / block.size] * block.size
        )

    def block_at(self, place: int) -> Block:
        """The block that covers a place of the ranking, counted from 1."""
        return next(block for block in self.blocks if block.first <= place <= block.last)

    def checked_k(self, k: object) -> int:
        """k as a whole number from 0 to n."""
        number = exact.exact(k, "top")
        if number.denominator != 1:
            raise ValueError(f"top is {k}; it must be a whole number of cases")
        if not 0 <= number <= self.cases.n:
            raise ValueError(
                f"top is {k}, but there are {self.cases.n} cases; use 0 to {self.cases.n}"
            )
        return number.numerator

    def cut_at(self, k: object) -> Cut:
        """The cut with k cases above it; inside a block there is none."""
        place = self.checked_k(k)
        if place:
            block = self.block_at(place)
            if block.last != place:
                names = ", ".join(self.cases.names[i] for i in block.members[:6])
                more = ", …" if block.size > 6 else ""
                raise ValueError(
                    f"top={place} cuts through a tie: places {block.first} to {block.last} "
                    f"(cases {names}{more}) share the score {decimal_text(block.score)}. "
                    f"Use top={block.first - 1} or top={block.last}"
                )
        return self._cut(place)

    def cut_above(self, threshold: object, rule: str = ">") -> Cut:
        """The cut between the cases with score > threshold (or >=) and the others."""
        if rule not in RULES:
            raise ValueError(f"rule is {shorten(rule)}; it must be '>' or '>='")
        line = exact.exact(threshold, "the threshold")
        above = [
            b.last for b in self.blocks if b.score > line or (rule == ">=" and b.score == line)
        ]
        return self._cut(max(above, default=0))

    def _cut(self, k: int) -> Cut:
        above = [block for block in self.blocks if block.last <= k]
        return Cut(
            k,
            sum((block.positives for block in above), Fraction(0)),
            sum((block.negatives for block in above), Fraction(0)),
            Fraction(self.cases.positives),
            Fraction(self.cases.negatives),
        )

    def hull(self) -> list[Cut]:
        """The corners of the upper convex hull of the ROC points, by a monotone chain."""
        corners: list[Cut] = []
        for cut in self.cuts:
            while len(corners) > 1 and not _turns_right(corners[-2], corners[-1], cut):
                corners.pop()
            corners.append(cut)
        return corners


def _turns_right(a: Cut, b: Cut, c: Cut) -> bool:
    """Whether the path a, b, c bends downwards at b, so that b is a corner of the hull."""
    return (b.fp - a.fp) * (c.tp - a.tp) - (b.tp - a.tp) * (c.fp - a.fp) < 0


def short_decimal(number: Fraction, places: int = 8) -> str:
    """A decimal with a readable number of places; 0.847433… where there are more."""
    if 10**places % number.denominator == 0:
        return decimal_text(number)
    sign = "-" if number < 0 else ""
    digits = abs(number) * 10**6
    whole = exact.rounded(Fraction(digits.numerator // digits.denominator, 10**6), 6)
    return f"{sign}{whole}…"


def decimal_text(number: Exact) -> str:
    """A score as people write it: 0.75, or 1/3 where no short decimal is exact."""
    if isinstance(number, Fraction) and 10**20 % number.denominator == 0:
        places = next(k for k in range(21) if 10**k % number.denominator == 0)
        return exact.rounded(number, places)
    return str(number)
