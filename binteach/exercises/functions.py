"""Functions that students write: tried on hidden data, and told where and how they fail.

A function of a measure of counts takes tp, fp, fn, tn; any other takes the lists y_true and
y_score. Data on which the measure is undefined are left out: whether 0/0 raises or gives nan is
the student's choice.
"""

from __future__ import annotations

import io
import itertools
import linecache
import random
import re
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from binteach import exact
from binteach.cases import Cases, Counts, Undefined
from binteach.derivation import Derivation, explain
from binteach.exact import Exact, short_text, shorten
from binteach.exercises.answers import Number, compare, is_missing, read_number
from binteach.exercises.grammar import Unreadable
from binteach.exercises.mistakes import Mistake, diagnose, mistakes_of, the
from binteach.exercises.outcome import Diagnosis, Outcome, incorrect
from binteach.expr import Node, Sym, symbols
from binteach.measures import Context, Measure, evaluate
from binteach.measures.base import COUNTS

EXPLAINED = 12  # failing data on which a mistake must explain the result to be named
# Whatever goes wrong in a student's function is reported; only an interrupt goes through.
STUDENTS_OWN = (Exception, SystemExit)
PATIENCE = 5  # seconds for all hidden data together; a loop without an end needs more


class Stopped(BaseException):
    """Raised inside a function that takes too long, past its own `except Exception`."""


def _run(function: Any, arguments: tuple[Any, ...], until: float) -> Any:
    """What the function gives back; raises Stopped at its first line after that time."""
    called = function if hasattr(function, "__globals__") else type(function).__call__
    own = getattr(called, "__globals__", None)

    def watch(frame: Any, event: str, argument: object) -> Any:
        del event, argument
        if time.monotonic() > until:
            raise Stopped
        # Line by line in the student's own code alone: it would slow libraries down many times.
        return watch if own is None or frame.f_globals is own else None

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        return function(*arguments)
    finally:
        sys.settrace(before)


@dataclass(frozen=True)
class Trial:
    """Hidden data, how they are handed to the function, and the right value."""

    data: Counts | Cases
    value: Exact
    context: Context

    @cached_property
    def mistakes(self) -> list[Mistake]:
        """The wrong values that are known."""
        return mistakes_of(self.context, self.value)

    def arguments(self) -> tuple[Any, ...]:
        """Fresh arguments, which the function may change."""
        if isinstance(self.data, Counts):
            return (self.data.tp, self.data.fp, self.data.fn, self.data.tn)
        return (list(self.data.labels), [float(score) for score in self.data.scores])

    def shown(self) -> str:
        """The arguments as they are written in a call."""
        names = ("tp", "fp", "fn", "tn") if isinstance(self.data, Counts) else ("y_true", "y_score")
        pairs = zip(names, self.arguments(), strict=True)
        return ", ".join(f"{name}={short_text(repr(value), 80)}" for name, value in pairs)


@dataclass(frozen=True)
class FunctionGoal:
    """A function that computes a measure."""

    measure: Measure
    params: Mapping[str, Any]
    seed: str = "binteach"

    entry = "function"

    @property
    def of_counts(self) -> bool:
        """Whether the function takes four counts rather than two lists."""
        cut = self.params.get("top") is not None or self.params.get("at") is not None
        return self.measure.takes == "counts" and not cut

    @property
    def call(self) -> str:
        """How the function is called."""
        return "f(tp, fp, fn, tn)" if self.of_counts else "f(y_true, y_score)"

    @property
    def form(self) -> str:
        """What the function takes."""
        kind = "" if self.of_counts else " The arguments are lists of the same length."
        return f"Write a function {self.call} and give the function itself, not a call.{kind}"

    def right(self) -> Callable[..., Any]:
        """A function that is right."""

        def answer(*given: Any) -> Any:
            data = Counts(*given) if self.of_counts else Cases(*given)
            return self.measure(data, **self.params)

        return answer

    def wrong(self, key: str, about: str) -> None:
        """No function follows from the name of a mistake."""

    @cached_property
    def trials(self) -> tuple[Trial, ...]:
        """Hidden data on which the measure exists, the smallest first; always the same."""
        params = tuple(sorted(self.params.items()))
        return _trials(self.measure, params, self.of_counts, self.seed)

    def judge(self, given: Any, carry: object) -> Outcome:
        """The outcome, with the smallest data on which the function is wrong."""
        del carry
        if not callable(given):
            raise Unreadable(f"A function is asked for. {self.form}")
        failing: list[tuple[Trial, Number]] = []
        results: dict[Any, Any] = {}
        first: Diagnosis | None = None  # on the smallest data
        until = time.monotonic() + PATIENCE
        for trial in self.trials:
            printed = io.StringIO()
            try:
                with redirect_stdout(printed):  # a hundred lines would hide the reply
                    result = _run(given, trial.arguments(), until)
            except Stopped as stop:
                first = first or _stopped(stop, given, trial)
                break
            except STUDENTS_OWN as error:
                first = first or self._raised(error, given, trial)
                continue
            number = _number(result)
            if number is None:
                first = first or _no_number(result, trial, bool(printed.getvalue()))
                continue
            results[trial.data] = number.near
            if compare(number, trial.value) not in ("equal", "rounded"):
                failing.append((trial, number))
                first = first or self._wrong(trial, number)
        if first is None:
            hidden = f"all {len(self.trials)} hidden examples"
            return Outcome("correct", f"Your function is right on {hidden}.")
        return incorrect(
            [first, *self._explaining(failing), *self._broken_properties(results)], first.sentence
        )

    def _wrong(self, trial: Trial, number: Number) -> Diagnosis:
        sentence = (
            f"For {trial.shown()} your function gives {number.written}; "
            f"{the(self.measure)} is {_readable(trial.value)}."
        )
        return Diagnosis("smallest_example", sentence, trial.shown())

    def _raised(self, error: BaseException, function: Any, trial: Trial) -> Diagnosis:
        """An exception of the student's own, with its line."""
        where = _where(error, function)
        try:
            words = short_text(str(error), 120)
        except STUDENTS_OWN:
            words = ""
        said = f" ({words})" if words else ""
        sentence = f"Your function raises {type(error).__name__}{said}{where}, for {trial.shown()}."
        # Python refuses a call before the function's first line.
        refused = isinstance(error, TypeError) and hasattr(function, "__code__") and not where
        remedy = f"It is called as {self.call}." if refused else ""
        return Diagnosis("raises", sentence, type(error).__name__, remedy)

    def _explaining(self, failing: list[tuple[Trial, Number]]) -> list[Diagnosis]:
        """The mistakes that explain every one of the largest failing data."""
        common: dict[tuple[str, str], Diagnosis] = {}
        for place, (trial, number) in enumerate(failing[: -EXPLAINED - 1 : -1]):
            found = diagnose(number, trial.value, trial.mistakes)
            here = {(each.key, each.about): each for each in found}
            common = here if place == 0 else {k: v for k, v in common.items() if k in here}
        common.pop(("close", ""), None)
        return [
            Diagnosis(key, f"each wrong number that it gives is {_what(each)}", about)
            for (key, about), each in common.items()
        ]

    # Properties that every right function has.

    def _broken_properties(self, results: dict[Any, Any]) -> list[Diagnosis]:
        measure, found = self.measure, []
        low, high = measure.low, measure.high
        for data, result in results.items():
            below = low is not None and result < low
            if below or (high is not None and result > high):
                bound = f"below {low}" if below else f"above {high}"
                sentence = f"it goes {bound}, which {the(measure)} never does."
                found.append(Diagnosis("out_of_range", sentence, repr(data)))
                break
        if len(results) > 1 and len(set(results.values())) == 1:
            found.append(Diagnosis("constant", "it gives the same number for all data."))
        return [*found, *self._depends_on(results)]

    def _depends_on(self, results: dict[Any, Any]) -> list[Diagnosis]:
        """A count that the formula does not hold must not change the result."""
        used = {symbol.base for symbol in _all_symbols(self.measure.tree())}
        if not self.of_counts or not used <= set(COUNTS):
            return []
        found = []
        for cell in (cell for cell in COUNTS if cell not in used):
            by_others: dict[Any, set[Any]] = {}
            for counts, result in results.items():
                others = tuple(getattr(counts, n.lower()) for n in COUNTS if n != cell)
                by_others.setdefault(others, set()).add(result)
            if any(len(seen) > 1 for seen in by_others.values()):
                sentence = f"it depends on {cell}, and {the(self.measure)} does not."
                found.append(Diagnosis("depends_on", sentence, cell))
        return found

    def worked(self) -> Derivation:
        """The definition."""
        read = self.measure.read_params(self.params)
        shown = {name: v for name, v in read.items() if v is not None and name != "rule"}
        return explain(self.measure, **shown)


@lru_cache(maxsize=32)  # every student of a class is tried on the same data
def _trials(
    measure: Measure, params: tuple[tuple[str, Any], ...], of_counts: bool, seed: str
) -> tuple[Trial, ...]:
    rng = random.Random(f"{seed}/{measure.key}")
    found = []
    for data in _some_counts(rng) if of_counts else _some_cases(rng):
        try:
            context = Context(measure, data, dict(params))
            found.append(Trial(data, evaluate(context), context))
        except Undefined:
            continue
        except ValueError:  # a cut inside a tie, or a quota larger than these few cases
            continue
    return tuple(found)


def _number(result: object) -> Number | None:
    """What a function gave back, if it is a number."""
    try:
        number = read_number(result)
    except STUDENTS_OWN:
        return None
    return number if isinstance(number, Number) else None


def _all_symbols(tree: Node) -> list[Sym]:
    found: list[Sym] = []
    for symbol in symbols(tree):
        inner = symbol.definition
        found += [symbol] if inner is None else _all_symbols(inner)
    return found


def _some_counts(rng: random.Random) -> list[Counts]:
    small = [cells for cells in itertools.product(range(3), repeat=4) if sum(cells)]
    large = [tuple(rng.randrange(1, 40) for _ in range(4)) for _ in range(30)]
    return [Counts(*cells) for cells in sorted([*small, *large], key=lambda c: (sum(c), c))]


def _some_cases(rng: random.Random) -> list[Cases]:
    """Small data and larger ones, with ties and without."""
    found = []
    for n in [*range(2, 7)] * 6 + [12, 15, 20, 25]:
        labels = [rng.randrange(2) for _ in range(n)]
        if len(set(labels)) == 1:
            labels[rng.randrange(n)] ^= 1
        steps = 10 if rng.randrange(3) == 0 else 100
        scores = [exact.exact(rng.randrange(1, steps)) / steps for _ in range(n)]
        found.append(Cases(labels, scores))
    return sorted(found, key=lambda cases: cases.n)


def _readable(value: Exact) -> str:
    public = str(exact.public(value))
    return public if len(public) <= 24 else exact.rounded(value, 6)


def _safe(thing: object) -> str:
    """What was given, in quotes; an object may fail even at that."""
    try:
        return shorten(thing)
    except STUDENTS_OWN:
        return f"something of type {type(thing).__name__}"


def _where(error: BaseException, function: Any) -> str:
    """The line of the function at which it ended, after "in line"; "" where it never began."""
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    if file is None or line is None:
        return ""
    text = linecache.getline(file, line).strip()
    return f" in line {line}" + (f", “{short_text(text, 80)}”" if text else "")


def _stopped(stop: Stopped, function: Any, trial: Trial) -> Diagnosis:
    sentence = (
        f"Your function was stopped after {PATIENCE} seconds{_where(stop, function)}, "
        f"for {trial.shown()}."
    )
    return Diagnosis("no_end", sentence, remedy="Look for a loop that does not come to an end.")


def _what(found: Diagnosis) -> str:
    """What a diagnosis says that a number is, without the number."""
    return re.split(r" is,? (?:rounded, )?", found.sentence, maxsplit=1)[1]


def _no_number(result: object, trial: Trial, printed: bool) -> Diagnosis:
    if is_missing(result):
        does = "prints and gives" if printed else "gives"
        return Diagnosis("no_return", f"Your function {does} nothing back: end it with return.")
    gives = f"For {trial.shown()} your function gives {_safe(result)}"
    sentence = f"{gives}, which cannot be read as a number."
    return Diagnosis("not_a_number", sentence)
