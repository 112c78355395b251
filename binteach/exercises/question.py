"""A question: what is asked on which data, the hints, and the verbs ask, check, hint, solution.

    q = question("precision", cases, top=4)
    q.ask(); q.check("3/5"); q.hint(); q.solution()

`question` makes one from any measure on any data; without data it asks for a function. The others
ask for a confusion matrix, a list of cases, the points of a curve, an option, or a plain value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from binteach import exact
from binteach.cases import Cases, Counts, Undefined, decimal_text
from binteach.curves import curve
from binteach.derivation import Derivation, explain
from binteach.exact import Exact, shorten
from binteach.exercises import notebook
from binteach.exercises.answers import (
    PLACEHOLDER,
    Number,
    Unnamed,
    is_missing,
    read_counts,
    read_number,
)
from binteach.exercises.card import Card, data_table
from binteach.exercises.examples import Condition, ExampleGoal
from binteach.exercises.formulas import FormulaGoal, WrongFormula
from binteach.exercises.functions import FunctionGoal
from binteach.exercises.goals import (
    CountsGoal,
    NamesGoal,
    NumberGoal,
    OptionGoal,
    PointsGoal,
    WrongCases,
    measure_goal,
)
from binteach.exercises.grammar import Unreadable
from binteach.exercises.mistakes import Mistake, the
from binteach.exercises.outcome import Outcome
from binteach.measures import Measure, measure
from binteach.render.text import write
from binteach.render.words import Block, Heading, Say

if TYPE_CHECKING:
    from binteach.exercises.live import LiveCard

MOST_PLACES = 30
UNTITLED = "Question"


class Goal(Protocol):
    """What a question asks for; binteach.exercises.goals has them."""

    @property
    def entry(self) -> str:
        """How an answer is entered in a card: line, lines, cells, options, or as a function."""

    @property
    def form(self) -> str:
        """What the answer may look like."""

    def right(self) -> Any:
        """The right answer, as `check` takes it."""

    def judge(self, given: Any, carry: Callable[[], tuple[Exact, str] | None], /) -> Outcome:
        """The outcome for an answer; raises Unreadable."""

    def worked(self) -> Derivation | Card:
        """The full solution."""

    def wrong(self, key: str, about: str, /) -> Any:
        """An answer that is this mistake; None where it cannot be made."""


@dataclass(frozen=True)
class Named:
    """A mistake that a question tells from all others, and an answer that is this mistake."""

    key: str
    answer: Any
    about: str = ""

    def is_met_by(self, outcome: Outcome) -> bool:
        """Whether this mistake is what the outcome says first."""
        found = outcome.mistake
        if outcome.status != "incorrect" or found is None or found.key != self.key:
            return False
        return not self.about or found.about == self.about


class Question:
    """A question that can be asked, checked, hinted at and solved.

    statement  what is asked, in words
    goal       the answer that is wanted, and how it is judged
    data       what it is asked about, shown as a table
    hints      from the first nudge to nearly the answer
    follows    an earlier question whose wrong answer may be carried forward; `carry` makes of it
               the value that is right here
    key        its name in the bank; `number` and `seed` are those of the lesson
    hinted     how many hints were given
    last       the last answer and its outcome
    kept       what counts: the last outcome, and once there is a right one, the last of those
    """

    key = ""
    number: int | None = None
    seed: str | None = None

    def __init__(
        self,
        statement: str,
        goal: Goal,
        *,
        title: str = UNTITLED,
        data: object = None,
        hints: Sequence[str] | Callable[[], Sequence[str]] = (),
        follows: Question | None = None,
        carry: Callable[[Any], Any] | None = None,
    ) -> None:
        self.statement, self.title = _words(statement, "statement"), _words(title, "title")
        self.goal, self.data = goal, data
        if isinstance(hints, str):
            raise ValueError(f"hints is {shorten(hints)}; give a list, with a text for each hint")
        self._hints = hints if callable(hints) else [_words(each, "a hint") for each in hints]
        self.follows, self._carry = follows, carry
        self.solved = False
        self.last: tuple[Any, Outcome] | None = None
        self.kept: Outcome | None = None
        self.hinted = 0
        self._gives_up = False
        self._named: tuple[str | Named, ...] = ()
        notebook.prepare(Question)

    @cached_property
    def hints(self) -> tuple[str, ...]:
        """The hints in order; those from the registry are made when they are asked for."""
        return tuple(self._hints() if callable(self._hints) else self._hints)

    def __repr__(self) -> str:
        return f"Question({self.statement!r})"

    def __str__(self) -> str:
        return str(self.ask())

    def _repr_html_(self) -> str:
        return self.ask()._repr_html_()

    @property
    def called(self) -> str:
        """Its title, after its number in a lesson."""
        if self.number is None:
            return self.title
        named = "" if self.title == UNTITLED else f": {self.title}"
        return f"{UNTITLED} {self.number}{named}"

    def ask(self) -> Card:
        """The statement, the data, and what form the answer may take."""
        return Card(*self.posed(), *(Say((line,)) for line in self._form()))

    def posed(self) -> list[Block]:
        """The statement and the data."""
        return [Heading(self.called), Say((self.statement,)), *data_table(self.data)]

    def card(self) -> LiveCard:
        """The question with a field for the answer and buttons, for a notebook."""
        from binteach.exercises.live import LiveCard

        return LiveCard(self, [self])

    def _form(self) -> list[str]:
        """What the answer may look like, and each option in a line of its own."""
        if isinstance(self.goal, OptionGoal):
            return ["Choose one, by its letter:", *self.goal.lettered]
        return [self.goal.form]

    def check(self, answer: object = PLACEHOLDER) -> Outcome:
        """Judge an answer. It never raises: whatever is given, the outcome says what it is."""
        outcome = self.outcome(answer)
        mistakes = [] if outcome.mistake is None else [outcome.mistake.name]
        record = {"question": self.key or self.title, "status": outcome.status}
        outcome = replace(outcome, record={**record, "mistakes": mistakes, "seed": self.seed})
        if outcome.status != "not_attempted":
            self.last = (answer, outcome)
            self.kept = outcome if outcome or not self.solved else self.kept
        self.solved = self.solved or bool(outcome)
        return outcome

    def outcome(self, answer: object) -> Outcome:
        """What `check` says, without a trace: nothing is counted as tried or solved."""
        try:
            return self._judged(answer)
        except Unreadable as unreadable:
            return Outcome("not_understood", str(unreadable))
        except Exception:
            # Anything may be given, also objects that fail when they are looked at.
            return Outcome("not_understood", f"The answer cannot be read. {self.goal.form}")

    def _judged(self, answer: object) -> Outcome:
        if is_missing(answer):
            if isinstance(answer, Unnamed):
                return Outcome("not_attempted", answer.sentence)
            return Outcome("not_attempted", "Give an answer, then check again.")
        return self.goal.judge(answer, self._carried)

    # Mistakes by name --------------------------------------------------------------------------

    def naming(self, *mistakes: str | Named) -> Question:
        """Say which mistakes this question must tell apart, and give the question back.

        A mistake is named by its key, "complement", or by its key and what it is about,
        "another_measure:sensitivity"; where no answer follows from that, it is Named with one.
        """
        self._named = mistakes
        return self

    @property
    def named(self) -> tuple[Named, ...]:
        """The mistakes that this question tells apart; the answer is None where there is none."""
        found = []
        for each in self._named:
            if isinstance(each, str):
                key, _, about = each.partition(":")
                each = Named(key, self.goal.wrong(key, about), about)
            found.append(each)
        return tuple(found)

    def not_told_apart(self) -> list[Named]:
        """Named mistakes that are right here, if only rounded, or that are told as others."""
        return [each for each in self.named if not self._tells(each)]

    def _tells(self, mistake: Named) -> bool:
        if not mistake.is_met_by(self.outcome(mistake.answer)):
            return False
        rounded = _rounded(mistake.answer)
        return rounded is mistake.answer or not self.outcome(rounded)

    def _carried(self) -> tuple[Exact, str] | None:
        """The value that follows from a wrong answer to the earlier question, and its title."""
        if self.follows is None or self._carry is None or self.follows.last is None:
            return None
        given, outcome = self.follows.last
        if outcome.status != "incorrect":
            return None
        try:
            value = self._carry(_as_read(given))
        except (Undefined, ValueError, TypeError, ArithmeticError):
            return None  # nothing follows from such an answer
        number = read_number(value)
        return (number.value, self.follows.called) if isinstance(number, Number) else None

    def hint(self, n: int | None = None) -> Card:
        """The next hint, or the n-th, counted from 1."""
        if not self.hints:
            return Card(Say(("There is no hint to this question.",)))
        if n is None:
            n = min(self.hinted + 1, len(self.hints))
        if not isinstance(n, int) or isinstance(n, bool) or not 1 <= n <= len(self.hints):
            raise ValueError(f"n is {shorten(n)}; the hints are numbered 1 to {len(self.hints)}")
        self.hinted = max(self.hinted, n)
        return Card(Say((f"Hint {n} of {len(self.hints)}: {self.hints[n - 1]}",)))

    def solution(self) -> Derivation | Card:
        """Every step; before the question is answered it asks once whether to give up."""
        if self.solved or self._gives_up:
            return self.goal.worked()
        self._gives_up = True
        rest = len(self.hints) - self.hinted
        left = f" There {'is 1 hint' if rest == 1 else f'are {rest} hints'} left." if rest else ""
        return Card(Say((f"Do you want to give up? Then ask for the solution once more.{left}",)))


def _words(given: object, what: str) -> str:
    """Text from a lecturer; the lines of a longer one are joined."""
    if not isinstance(given, str):
        raise ValueError(f"{what} is {shorten(given)}; it must be text")
    return re.sub(r"\s*\n\s*", " ", given.strip())


def _rounded(answer: Any) -> Any:
    """A wrong answer as it may be written; the same where it is no fraction."""
    return exact.rounded(answer, 2) if isinstance(answer, Fraction) else answer


def _as_read(given: Any) -> Any:
    """An earlier answer as exact numbers: Counts or a number."""
    if isinstance(given, Counts):
        return given
    try:
        number = read_number(given)
    except Unreadable:
        return read_counts(given)
    if not isinstance(number, Number):
        raise ValueError("the earlier answer is no number")
    return exact.public(number.value)


# Making one -----------------------------------------------------------------------------------


def question(
    name: str | Measure,
    data: Any = None,
    /,
    *,
    places: int | None = None,
    statement: str | None = None,
    title: str | None = None,
    hints: Sequence[str] | None = None,
    mistakes: Sequence[Mistake] = (),
    follows: Question | None = None,
    carry: Callable[[Any], Any] | None = None,
    **params: Any,
) -> Question:
    """A question on any measure and any data; without data it asks for a function.

    `places` asks for so many decimals in place of two. Where the measure is undefined on the data,
    "undefined" is the right answer. After a question for Counts (`follows`), a wrong matrix is
    carried forward by itself.

    >>> question("precision", Counts(tp=3, fp=1, fn=2, tn=4)).check("3/5").status
    'incorrect'
    """
    wanted = measure(name)
    if places is not None and (
        not isinstance(places, int) or isinstance(places, bool) or not 0 <= places <= MOST_PLACES
    ):
        raise ValueError(
            f"places is {shorten(places)}; it must be a whole number from 0 to {MOST_PLACES}"
        )
    if data is None:
        return _function_question(wanted, params, statement, title, hints)
    goal = measure_goal(wanted, data, params, places, mistakes)
    assert goal.context is not None
    stated = _stated(wanted, params, goal.context.params.clipped)
    if follows is not None and carry is None and wanted.takes == "counts":
        rest = {key: value for key, value in params.items() if key not in ("top", "at", "rule")}

        def carry(counts: Any) -> Any:
            return wanted(counts, **rest)

    return Question(
        statement or f"What is {the(wanted)}{_circumstances(stated)}?",
        goal,
        title=title or wanted.title,
        data=data,
        hints=(lambda: _hints(goal)) if hints is None else hints,
        follows=follows,
        carry=carry,
    )


def _stated(wanted: Measure, params: Mapping[str, Any], clipped: bool) -> dict[str, Any]:
    """The parameters that the value depends on, also those that were left to their defaults."""
    usual = wanted.read_params({})
    named = [name for name in wanted.params if name != "epsilon" or clipped]
    return {**{name: usual[name] for name in named}, **params}


def _circumstances(params: Mapping[str, Any]) -> str:
    """The cut and the parameters in words."""
    given = {name: value for name, value in params.items() if value is not None}
    words = ""
    top, at, rule = given.pop("top", None), given.pop("at", None), given.pop("rule", ">")
    if top is not None:
        words = f" with the {top} top-ranked cases called positive"
        words = words.replace("the 1 top-ranked cases", "the top-ranked case")
    elif at is not None:
        sign = "at least" if rule == ">=" else "above"
        words = (
            f" when cases with a score {sign} {decimal_text(exact.exact(at))} are called positive"
        )
    if given:
        listed = ", ".join(f"{name} = {value}" for name, value in given.items())
        words += f", with {listed}"
    return words


def _hints(goal: NumberGoal) -> list[str]:
    """From the registry: what the measure means, its formula, and the numbers put in."""
    context = goal.context
    assert context is not None
    wanted = context.measure
    derivation = goal.worked()
    assert isinstance(derivation, Derivation)
    hints = [wanted.meaning]
    symbol = write(wanted.symbol)
    for step in derivation.steps:
        if step.rule == "definition" and step.after is not None:
            hints.append(f"The definition is {symbol} = {write(step.after)}.")
        if step.rule == "substitute" and step.after is not None and goal.value is not None:
            line = write(step.after)
            if len(line) <= 200:
                hints.append(f"With the numbers put in: {symbol} = {line}.")
    if goal.value is None:
        hints.append("Put the numbers in and look at what is divided by what.")
    elif len(hints) < 3 and context.counts is not None:
        c = context.counts
        hints.append(f"TP = {c.tp}, FP = {c.fp}, FN = {c.fn}, TN = {c.tn}.")
    return hints


def _function_question(
    wanted: Measure,
    params: Mapping[str, Any],
    statement: str | None,
    title: str | None,
    hints: Sequence[str] | None,
) -> Question:
    if wanted.takes in ("triplets", "classes"):
        raise ValueError(f"{wanted.key} takes no plain lists; give data to ask for its value")
    goal = FunctionGoal(wanted, dict(params))
    stated = _stated(wanted, params, clipped=False)  # no score of the hidden data is 0 or 1
    definition = explain(wanted, **params).steps[0]
    formula = f"{write(wanted.symbol)} = {write(definition.after)}" if definition.after else ""
    return Question(
        statement or f"Write a function that computes {the(wanted)}{_circumstances(stated)}.",
        goal,
        title=title or wanted.title,
        hints=[wanted.meaning, f"The definition is {formula}."] if hints is None else hints,
    )


def counts_question(
    cases: Cases,
    *,
    statement: str | None = None,
    title: str = "Confusion matrix",
    hints: Sequence[str] | None = None,
    **cut: Any,
) -> Question:
    """Asks for the confusion matrix of a cut: top=4, or at=0.5 with rule=">="."""
    unknown = set(cut) - {"top", "at", "rule"}
    if unknown or (cut.get("top") is None) == (cut.get("at") is None):
        raise ValueError("say which cut is meant: top=4 or at=0.5, and rule= with at= alone")
    goal = CountsGoal(cases, cut)
    goal.right()  # a cut that does not exist is an error here and not when a student answers
    usual = (
        "Draw a line under the cases called positive.",
        "TP and FP are the positives and negatives above the line, FN and TN those below it.",
    )
    return Question(
        statement or f"What is the confusion matrix{_circumstances(cut)}?",
        goal,
        title=title,
        data=cases,
        hints=usual if hints is None else hints,
    )


def cases_question(
    statement: str,
    cases: Cases,
    names: Sequence[object],
    *,
    title: str = "Cases",
    data: object = None,
    hints: Sequence[str] = (),
    mistakes: Sequence[WrongCases] = (),
    solution: str = "",
) -> Question:
    """Asks for a list of cases by name; `data` is shown in place of the cases."""
    right = tuple(map(str, names))
    for name in right:
        if name not in cases.names:
            raise ValueError(f"there is no case {name!r} in the data; names are {cases.names[:6]}")
    goal = NamesGoal(right, tuple(cases.names), tuple(mistakes), solution)
    shown = cases if data is None else data
    made = Question(statement, goal, title=title, data=shown, hints=hints)
    return made.naming(*(each.key for each in mistakes))


def points_question(
    name: str,
    cases: Cases,
    *,
    statement: str | None = None,
    title: str | None = None,
    hints: Sequence[str] = (),
    solution: str = "",
) -> Question:
    """Asks for the points of a curve such as "roc"."""
    wanted = curve(name, cases)
    points = tuple((point.x, point.y) for point in wanted.points)
    goal = PointsGoal(points, wanted.table(), solution)
    usual = f"Which points does this curve have, from cut to cut: {wanted.x} and {wanted.y}?"
    return Question(statement or usual, goal, title=title or wanted.title, data=cases, hints=hints)


def option_question(
    statement: str,
    options: Sequence[str],
    right: str,
    *,
    title: str = UNTITLED,
    data: object = None,
    why: Mapping[str, str] | None = None,
    hints: Sequence[str] = (),
) -> Question:
    """Asks for one of several options; `why` says of each what is wrong or right about it."""
    if list(options).count(right) != 1:
        raise ValueError(f"the right option {right!r} must stand among the options once")
    if not 2 <= len(options) <= 26:
        raise ValueError(f"there are {len(options)} options; 2 to 26 can be lettered")
    goal = OptionGoal(tuple(options), list(options).index(right), dict(why or {}))
    made = Question(statement, goal, title=title, data=data, hints=hints)
    return made.naming(*(f"wrong_option:{each}" for each in goal.why if each != right))


def formula_question(
    statement: str,
    formula: str,
    names: Sequence[str] = ("TP", "FP", "FN", "TN"),
    *,
    title: str = "Formula",
    mistakes: Sequence[WrongFormula] = (),
    hints: Sequence[str] = (),
    solution: str = "",
    possible: Callable[..., bool] = lambda **at: True,
    shares: bool = False,
) -> Question:
    """Asks for a formula, in any form that equals the right one.

    `possible` tells which numbers the names can have at once, where that is not any; `shares`
    says that they are numbers between 0 and 1.
    """
    goal = FormulaGoal(formula, tuple(names), tuple(mistakes), solution, possible, shares)
    made = Question(statement, goal, title=title, hints=hints)
    return made.naming(*(each.key for each in mistakes))


def example_question(
    statement: str,
    example: Counts,
    *conditions: Condition,
    title: str = "Find an example",
    hints: Sequence[str] = (),
    why: str = "",
) -> Question:
    """Asks for a confusion matrix that meets the conditions; `example` is one that does."""
    goal = ExampleGoal(conditions, example, why)
    if not goal.judge(example, None):
        raise ValueError(f"{example!r} does not meet the conditions of the question")
    return Question(statement, goal, title=title, hints=hints)


def value_question(
    statement: str,
    value: object,
    *,
    title: str = UNTITLED,
    data: object = None,
    places: int | None = None,
    hints: Sequence[str] = (),
    mistakes: Sequence[Mistake] = (),
    solution: str | Derivation | Card = "",
    matrix: Counts | None = None,
    follows: Question | None = None,
    carry: Callable[[Any], Any] | None = None,
) -> Question:
    """Asks for a number that is no measure, such as TP or n.

    Of an answer that is another count of the matrix, it is said which; where the data are a matrix,
    it is that one. The solution is in words, or a derivation such as
    bt.interval("wald", 3, 5).explain().
    """
    number = read_number(value)
    if not isinstance(number, Number):
        raise ValueError(f"the value is {shorten(value)}; a number is needed")
    if isinstance(solution, str) and solution:
        solution = Card(Heading("Solution"), Say((solution,)))
    if matrix is None and isinstance(data, Counts):
        matrix = data
    worked = solution or None
    goal = NumberGoal(number.value, places=places, own=mistakes, worked=worked, matrix=matrix)
    made = Question(
        statement, goal, title=title, data=data, hints=hints, follows=follows, carry=carry
    )
    return made.naming(*(f"{each.key}:{each.about}" for each in mistakes))
