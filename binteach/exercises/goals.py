"""What a question asks for, and how an answer of that kind is judged.

A goal has `form`, a sentence on what the answer may look like, `entry`, how it is entered in a
card, `judge`, which gives an outcome or raises Unreadable, and `worked`, the full solution.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from binteach import exact
from binteach.cases import Cases, Counts, Undefined
from binteach.derivation import Derivation, Table, cut_table, explain
from binteach.exact import Exact, short_text
from binteach.exercises.answers import (
    COUNTS_READABLE,
    NoNumber,
    Number,
    compare,
    listed,
    read_counts,
    read_names,
    read_number,
    read_option,
    read_points,
)
from binteach.exercises.card import Card
from binteach.exercises.grammar import Unreadable, near, read_expression, with_brackets
from binteach.exercises.mistakes import (
    Mistake,
    carried,
    diagnose,
    given_params,
    meets,
    mistakes_of,
    other_counts,
    percentage,
    the,
)
from binteach.exercises.outcome import BRACKETS, Diagnosis, Outcome, incorrect
from binteach.measures import Context, Measure, evaluate
from binteach.render.words import Grid, Heading, Say

NOT_YET = "That is not the value. Try again, or ask for a hint."
_COUNTS = re.compile(r"\b(tp|fp|fn|tn)\b", re.IGNORECASE)
# What is often given where there is no value.
STAND_INS = tuple(
    Mistake(
        f"taken_as_{word}",
        Fraction(number),
        "a stand-in that is often given where there is no value, and not a value itself",
    )
    for number, word in enumerate(("zero", "one"))
)
LEAST = 2  # decimals that a rounded answer needs where the question asks for no other number


# Numbers --------------------------------------------------------------------------------------


class NumberGoal:
    """A number: the value of a measure on data, or a value that the question gives itself.

    Where the measure does not exist on the data, the right answer is "undefined" (or nan). A
    matrix from which the value is counted tells which other count an answer is.
    """

    entry = "line"

    def __init__(
        self,
        value: Exact | None,
        reason: str = "",
        context: Context | None = None,
        places: int | None = None,
        own: Sequence[Mistake] = (),
        worked: Derivation | Card | None = None,
        matrix: Counts | None = None,
    ) -> None:
        self.value, self.reason, self.context = value, reason, context
        self.places = places
        self.own = tuple(own)
        self.matrix = matrix
        self._worked = worked

    @property
    def least(self) -> int:
        """Decimals that a rounded answer needs."""
        return LEAST if self.places is None else self.places

    @cached_property
    def near(self) -> Fraction:
        """The right value as a fraction, to 50 digits."""
        return near(self.value)

    @property
    def form(self) -> str:
        """What the answer may look like."""
        if self.least == 0 and isinstance(self.value, Fraction) and self.value.denominator == 1:
            return "Give a whole number."
        digits = "1 decimal" if self.least == 1 else f"{self.least} decimals"
        return (
            f"Give a number: exactly, such as 3/4, 1/sqrt(6) or log2(3), or rounded to {digits} "
            'or more. If there is no such number, answer "undefined".'
        )

    @cached_property
    def mistakes(self) -> list[Mistake]:
        """The wrong ways, those that the question names itself first."""
        if self.value is None:
            named = {mistake.key for mistake in self.own}
            return [*self.own, *(each for each in STAND_INS if each.key not in named)]
        if self.context is None:
            share = 0 < near(self.value) < 1  # of a number of cases nobody gives the percentage
            found = [*self.own, *([percentage(self.value)] if share else [])]
            named = {self.value, *(mistake.value for mistake in self.own)}
            return found + (other_counts(self.matrix, named) if self.matrix is not None else [])
        return [*self.own, *mistakes_of(self.context, self.value)]

    def judge(self, given: object, carry: Callable[[], tuple[Exact, str] | None]) -> Outcome:
        """The outcome; `carry` gives the value that follows from a wrong earlier answer."""
        if callable(given) and not isinstance(given, type):
            raise Unreadable("A number is asked for, and this is a function. Call it: f(...).")
        try:
            answer = read_number(given)
        except Unreadable:
            if isinstance(given, str) and _COUNTS.search(given):
                raise Unreadable("Put the numbers in for TP, FP, FN and TN.") from None
            raise
        if self.value is None:
            return self._of_no_value(answer)
        if isinstance(answer, NoNumber):
            return incorrect([_says_undefined(answer)], NOT_YET)
        return self._of_value(answer, self.value, carry)

    def _of_value(
        self, answer: Number, value: Exact, carry: Callable[[], tuple[Exact, str] | None]
    ) -> Outcome:
        found = compare(answer, self.near, self.least)
        if found == "equal":
            if answer.lowest:
                return Outcome("correct", f"{answer.written} is right.")
            lowest = Diagnosis(
                "not_in_lowest_terms",
                f"{answer.written} is right; in lowest terms it is {value}.",
            )
            return Outcome("correct_but", lowest.sentence, (lowest,))
        if found == "rounded":
            return Outcome("correct", f"{answer.written} is right{_exactly(value)}.")
        if found == "coarse":
            digits = "1 decimal" if self.least == 1 else f"{self.least} decimals"
            coarse = Diagnosis(
                "rounded_too_far",
                f"{answer.written} is right, but rounded too far: give at least {digits}.",
            )
            return Outcome("correct_but", coarse.sentence, (coarse,))
        earlier = carry()
        if earlier is not None:
            follows = carried(*earlier)
            how = compare(answer, follows.value, self.least)
            if how in ("equal", "rounded", "coarse"):
                link = "is" if how == "equal" else "is, rounded,"
                sentence = (
                    f"{answer.written} {link} {follows.says}. Your work here is right: "
                    "the error is carried forward from there."
                )
                return Outcome("correct_but", sentence, (Diagnosis(follows.key, sentence),))
        forgot = answer.form == "expression" and self._is_right(with_brackets(answer.written))
        diagnoses = diagnose(answer, value, self.mistakes, self.least)
        return incorrect([BRACKETS, *diagnoses] if forgot else diagnoses, NOT_YET)

    def _is_right(self, text: str) -> bool:
        try:
            return near(read_expression(text)) == self.near
        except Unreadable:  # brackets in the wrong places
            return False

    def _of_no_value(self, answer: Number | NoNumber) -> Outcome:
        if isinstance(answer, Number):
            sentence = (
                f"{answer.written} is a number, but on these data there is none: "
                "look for a division by zero or a logarithm of zero."
            )
            found = meets(answer, self.mistakes, self.least)
            return incorrect([*found, Diagnosis("number_where_none", sentence)], NOT_YET)
        if answer.kind == "infinite":
            sentence = (
                "Infinity is not a number. What is divided by zero has no value, "
                "and zero has no logarithm."
            )
            return incorrect([Diagnosis("infinite", sentence)], NOT_YET)
        if answer.kind == "by_zero":
            word = Diagnosis(
                "divided_by_zero",
                f'Right, this divides by zero; the word for it is "undefined": {self.reason}.',
            )
            return Outcome("correct_but", word.sentence, (word,))
        return Outcome("correct", f"It is undefined: {self.reason}.")

    def wrong(self, key: str, about: str) -> Any:
        """The value that this mistake leads to."""
        if self.value is None and key == "infinite":
            return "infinite"
        for mistake in self.mistakes:
            if mistake.key == key and about in ("", mistake.about):
                return exact.public(mistake.value)
        return None

    def right(self) -> Any:
        """The right answer, as `check` takes it."""
        return "undefined" if self.value is None else exact.public(self.value)

    def worked(self) -> Derivation | Card:
        """Every step."""
        if self._worked is not None:
            return self._worked
        if self.context is None:
            return Card(Heading("Solution"), Say((f"The answer is {self.right()}.",)))
        context = self.context
        return explain(context.measure, context.data, **given_params(context))


def measure_goal(
    measure: Measure,
    data: Any,
    params: Mapping[str, Any],
    places: int | None = None,
    own: Sequence[Mistake] = (),
) -> NumberGoal:
    """The value of a measure on data; ValueError for data that it does not take."""
    context = Context(measure, data, params)
    value, reason = None, ""
    try:
        value = evaluate(context)
    except Undefined as undefined:
        reason = undefined.reason
    if exact.is_symbolic(value):
        raise ValueError(f"a question on {the(measure)} needs numbers; the data hold symbols")
    return NumberGoal(value, reason, context, places, own)


def _exactly(value: Exact) -> str:
    """The exact value after a rounded answer, where it is short."""
    public = str(exact.public(value)) if isinstance(value, Fraction | exact.Surd) else ""
    return f"; exactly it is {public}" if 0 < len(public) <= 24 else ", rounded"


def _says_undefined(answer: NoNumber) -> Diagnosis:
    sentence = {
        "infinite": "The value is finite.",
        "by_zero": f"{answer.written} divides by zero, but on these data there is a value.",
    }.get(answer.kind, "On these data there is a value.")
    return Diagnosis("undefined_where_defined", sentence)


# Counts ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CountsGoal:
    """The confusion matrix of a cut."""

    cases: Cases
    cut: Mapping[str, Any]

    entry = "cells"
    form = f"Give the confusion matrix. {COUNTS_READABLE}."

    def right(self) -> Counts:
        """The right answer."""
        return _counts(self.cases, self.cut)

    def wrong(self, key: str, about: str) -> Counts | None:
        """The matrix that this mistake leads to."""
        for other, counts, _, of in self._others(self.right()):
            if other == key and about in ("", of):
                return counts
        return None

    def judge(self, given: object, carry: object) -> Outcome:
        """The outcome, with the cells that are wrong or the matrix that it is instead."""
        del carry
        answer, right = read_counts(given), self.right()
        if answer == right:
            return Outcome("correct", "All four counts are right.")
        found = [
            Diagnosis(key, f"These are the counts {words}.", about)
            for key, other, words, about in self._others(right)
            if answer == other
        ]
        wrong = [
            name.upper()
            for name in ("tp", "fp", "fn", "tn")
            if getattr(answer, name) != getattr(right, name)
        ]
        cells = f"{listed(wrong)} {'is' if len(wrong) == 1 else 'are'} not right."
        if answer.n != right.n:
            found.append(
                Diagnosis(
                    "wrong_total", f"These are {answer.n} cases, and there are {right.n}.", "n"
                )
            )
        if not found or answer.n != right.n:  # which cells differ says less than why they do
            found.append(Diagnosis("wrong_cells", cells, " ".join(wrong)))
        return incorrect(found, cells)

    def _others(self, right: Counts) -> list[tuple[str, Counts, str, str]]:
        tp, fp, fn, tn = right.tp, right.fp, right.fn, right.tn
        others = [
            ("transposed", Counts(tp, fn, fp, tn), "with FP and FN exchanged", ""),
            (
                "classes_exchanged",
                Counts(tn, fn, fp, tp),
                "with the negative class taken for the positive one",
                "",
            ),
            ("calls_exchanged", Counts(fn, tn, tp, fp), "with the two calls exchanged", ""),
        ]
        if self.cut.get("at") is not None:
            rule = ">" if self.cut.get("rule", ">") == ">=" else ">="
            sign = "≥" if rule == ">=" else ">"
            flipped = _counts(self.cases, {**self.cut, "rule": rule})
            others.append(("other_rule", flipped, f"for score {sign} the threshold", rule))
        k = right.tp + right.fp
        cuts = list(self.cases.ranking.cuts) if self.cases.n <= 500 else []
        places = [i for i, cut in enumerate(cuts) if cut.tp + cut.fp == k]
        for place in (other for i in places for other in (i - 1, i + 1)):
            if 0 <= place < len(cuts):
                cut = cuts[place]
                words = f"with {cut.k} cases called positive"
                others.append(("neighbouring_cut", cut.counts, words, str(cut.k)))
        return others

    def worked(self) -> Card | Derivation:
        """The ranking with the cut, and what is counted on either side."""
        right = self.right()
        k = _cut_place(self.cases, self.cut)
        said = (
            f"Above the cut there are {right.tp} of class 1 and {right.fp} of class 0, below it "
            f"{right.fn} of class 1 and {right.tn} of class 0. So TP = {right.tp}, "
            f"FP = {right.fp}, FN = {right.fn}, TN = {right.tn}."
        )
        return Card(Heading("Solution"), Grid(cut_table(self.cases.ranking, k, "")), Say((said,)))


def _counts(cases: Cases, cut: Mapping[str, Any]) -> Counts:
    if cut.get("top") is not None:
        return cases.top(cut["top"])
    return cases.at(cut["at"], cut.get("rule", ">"))


def _cut_place(cases: Cases, cut: Mapping[str, Any]) -> int:
    ranking = cases.ranking
    if cut.get("top") is not None:
        return ranking.cut_at(cut["top"]).k
    return ranking.cut_above(cut["at"], cut.get("rule", ">")).k


# Lists of cases, points, options --------------------------------------------------------------


@dataclass(frozen=True)
class WrongCases:
    """A list of cases that is a known mistake; `says` continues "these are …"."""

    key: str
    names: Sequence[object]
    says: str
    remedy: str = ""


@dataclass(frozen=True)
class NamesGoal:
    """A list of cases, in any order; `known` are the names of all cases."""

    names: tuple[str, ...]
    known: Sequence[str]
    mistakes: tuple[WrongCases, ...] = ()
    solution: str = ""

    entry = "lines"
    form = "Give a list of cases by name, such as [3, 5, 9]; the order does not matter."

    def right(self) -> list[str]:
        """The right answer."""
        return list(self.names)

    def wrong(self, key: str, about: str) -> list[str] | None:
        """The cases of a known mistake, or the list without its last case."""
        del about
        for each in self.mistakes:
            if each.key == key:
                return list(map(str, each.names))
        return list(self.names[:-1]) if key == "missing_cases" and self.names[1:] else None

    def judge(self, given: object, carry: object) -> Outcome:
        """The outcome: which cases do not belong, and how many are missing."""
        del carry
        answer, right = read_names(given, self.known), set(self.names)
        unknown = [name for name in answer if name not in self.known]
        if unknown:
            raise Unreadable(f"There is no case “{short_text(unknown[0], 40)}” in the data.")
        extra = [name for name in answer if name not in right]
        missing = len(right - set(answer))
        if not extra and not missing:
            return Outcome("correct", "These are the cases.")
        found = []
        if extra:
            some = ", ".join(extra[:6]) + (", …" if len(extra) > 6 else "")
            verb = "does" if len(extra) == 1 else "do"
            found.append(Diagnosis("extra_cases", f"{some} {verb} not belong to them.", some))
        if missing:
            cases = "1 case is" if missing == 1 else f"{missing} cases are"
            found.append(Diagnosis("missing_cases", f"{cases} missing.", str(missing)))
        known = [
            Diagnosis(each.key, f"These are {each.says}.", remedy=each.remedy)
            for each in self.mistakes
            if set(answer) == set(map(str, each.names))
        ]
        if known:
            return incorrect(known, "")
        return Outcome("incorrect", " ".join(each.sentence for each in found), tuple(found))

    def worked(self) -> Card:
        """The list and the way to it."""
        said = f"They are {', '.join(self.names) or 'none'}. {self.solution}".strip()
        return Card(Heading("Solution"), Say((said,)))


@dataclass(frozen=True)
class PointsGoal:
    """The points of a curve, from left to right."""

    points: tuple[tuple[Fraction, Fraction], ...]
    table: Table
    solution: str = ""

    entry = "lines"
    form = "Give the points as a list of pairs, such as [(0, 0), (0.2, 0.4), (1, 1)]."

    def right(self) -> list[tuple[Fraction, Fraction]]:
        """The right answer."""
        return list(self.points)

    def wrong(self, key: str, about: str) -> list[tuple[Fraction, Fraction]] | None:
        """The points with their axes exchanged, or backwards."""
        del about
        ways = {
            "axes_exchanged": [(y, x) for x, y in self.points],
            "wrong_order": self.points[::-1],
        }
        return list(ways[key]) if key in ways else None

    def judge(self, given: object, carry: object) -> Outcome:
        """The outcome: the first point that is not on the curve, or axes exchanged."""
        del carry
        answer = read_points(given)
        if len(answer) == len(self.points) and _same_points(answer, self.points):
            return Outcome("correct", "All points are right.")
        turned = tuple((y, x) for x, y in self.points)
        found = []
        if len(answer) == len(turned) and _same_points(answer, turned):
            found.append(Diagnosis("axes_exchanged", "The two axes are exchanged."))
        elif len(answer) == len(turned) and _same_points(answer, self.points[::-1]):
            found.append(Diagnosis("wrong_order", "The points stand in reverse order."))
        else:
            for place, point in enumerate(answer, 1):
                if not any(_same_points((point,), (right,)) for right in self.points):
                    where = f"({point[0].written}, {point[1].written})"
                    sentence = f"Point {place}, {where}, is not one of them."
                    found.append(Diagnosis("wrong_point", sentence, str(place)))
                    break
        if len(answer) != len(self.points):
            sentence = f"There are {len(self.points)} points, and you give {len(answer)}."
            found.append(Diagnosis("number_of_points", sentence))
        return incorrect(found, "These are not the points in their order.")

    def worked(self) -> Card:
        """The points, cut by cut, and the way to them."""
        listed = ", ".join(f"({x}, {y})" for x, y in self.points)
        said = f"The points are {listed}. {self.solution}".strip()
        return Card(Heading("Solution"), Grid(self.table), Say((said,)))


def _same_points(
    answer: Sequence[tuple[Number, Number]], right: Sequence[tuple[Fraction, Fraction]]
) -> bool:
    return all(
        compare(number, value) in ("equal", "rounded")
        for point, target in zip(answer, right, strict=True)
        for number, value in zip(point, target, strict=True)
    )


@dataclass(frozen=True)
class OptionGoal:
    """One of several options; `why` says of an option what is wrong or right about it."""

    options: tuple[str, ...]
    place: int
    why: Mapping[str, str]

    entry = "options"

    @property
    def lettered(self) -> list[str]:
        """The options, each with its letter."""
        letters = "abcdefghijklmnopqrstuvwxyz"
        return [f"{mark}) {option}" for mark, option in zip(letters, self.options, strict=False)]

    @property
    def form(self) -> str:
        """The options."""
        return f"Choose one, by its letter: {'; '.join(self.lettered)}."

    def right(self) -> str:
        """The right answer."""
        return self.options[self.place]

    def wrong(self, key: str, about: str) -> str | None:
        """The option itself."""
        return about if key == "wrong_option" and about in self.options else None

    def judge(self, given: object, carry: object) -> Outcome:
        """The outcome, with what the question says of a wrong option."""
        del carry
        place = read_option(given, self.options)
        option = self.options[place]
        said = self.why.get(option, "")
        if place == self.place:
            return Outcome("correct", said or f"“{option}” is right.")
        found = [Diagnosis("wrong_option", said, option)] if said else []
        return incorrect(found, f"“{option}” is not right.")

    def worked(self) -> Card:
        """The right option and why."""
        said = self.why.get(self.right(), "")
        right = self.right()
        return Card(Heading("Solution"), Say((f"{right[:1].upper()}{right[1:]}. {said}".strip(),)))
