"""The intervals explorer: how far a share of so many trials can be trusted.

Glossary
  r      successes: cases of the kind that is counted, such as true positives
  n      trials: all cases that could have been of that kind, such as positives
  level  how often an interval should hold the true share
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

import traitlets

from binteach.cases import Cases, Counts, Undefined, decimal_text
from binteach.derivation import Derivation, explain
from binteach.exact import exact, rounded, shorten
from binteach.explorers import interval_figures, look
from binteach.explorers.base import Explorer, Setting, View, note
from binteach.explorers.controls import measure_chooser
from binteach.explorers.resampled_share import ResampledShare
from binteach.explorers.state import (
    Templates,
    measure_key,
    squeezed,
    whole_number,
    with_digits,
)
from binteach.expr import is_short_decimal
from binteach.inference import METHODS, Permutation, coverage, interval, permutation_test
from binteach.inference.working import PLACES, digits, key_of, percent, read_level
from binteach.measures import MEASURES, value
from binteach.render import html

MOST_TRIALS = 25  # up to here a slider goes through all n
MOST_DERIVED = 12  # trials up to which all derivations are written beforehand
MOST_COVERED = 100  # trials up to which coverage is worked out
MOST_LISTED = 10_000  # trials of data
REACH = 50  # of more trials than a slider goes through, so many r to either side
POINTS = 200  # pieces of a coverage curve
LEVELS = (Fraction(9, 10), Fraction(19, 20), Fraction(99, 100))

BOOTSTRAP = "bootstrap"
TITLES = {key: method.title for key, method in METHODS.items()} | {BOOTSTRAP: "Bootstrap"}

_ALL = ("tp", "fp", "fn", "tn")
SHARES = {
    "accuracy": (("tp", "tn"), _ALL),
    "error_rate": (("fp", "fn"), _ALL),
    "sensitivity": (("tp",), ("tp", "fn")),
    "specificity": (("tn",), ("tn", "fp")),
    "precision": (("tp",), ("tp", "fp")),
    "negative_predictive_value": (("tn",), ("tn", "fn")),
    "false_discovery_rate": (("fp",), ("tp", "fp")),
    "false_omission_rate": (("fn",), ("fn", "tn")),
    "false_positive_rate": (("fp",), ("fp", "tn")),
    "false_negative_rate": (("fn",), ("fn", "tp")),
    "prevalence": (("tp", "fn"), _ALL),
    "predicted_positive_rate": (("tp", "fp"), _ALL),
}
"""Measure -> the counts that are its successes, and those that are its trials."""


@dataclass(frozen=True)
class Ends:
    """An interval as a page needs it: r of n, by one method, at one level."""

    method: str
    r: int
    n: int
    level: Fraction

    @cached_property
    def found(self) -> Any:
        """The interval itself."""
        if self.method == BOOTSTRAP:
            return ResampledShare(self.r, self.n, self.level)
        return interval(self.method, self.r, self.n, self.level)

    @property
    def text(self) -> str:
        """Its two ends as digits, with a space between them; = before what is not rounded."""
        return " ".join(_digits(each) for each in (self.found.low, self.found.high))

    def explain(self) -> Derivation:
        """How it comes about."""
        found: Derivation = self.found.explain()
        return found


def _digits(end: Any) -> str:
    """An end that is exact, as those of the bootstrap, or a double."""
    if isinstance(end, Fraction):
        return _text(end)
    found = digits(end)
    # An end that is 0 or 1 is so by definition, or has no width.
    return f"={found}" if end in (0, 1) else found


class Intervals(Explorer):
    """How sure is a share? Six intervals, how often each holds the truth, and the AUC by chance.

    successes  r, from 0 to n; 3 unless given
    n          the number of trials, from 1 to 10,000; 5 unless given
    cases      in place of both: Cases, from which they are counted, and whose AUC is tested
    measure    which share of these cases, as "accuracy" or "recall"; accuracy unless given
    top        how many of them are called positive; unless given, as many as are positive
    level      how often an interval should hold the truth, as "0.95"
    method     wald, wilson, agresti_coull, clopper_pearson, jeffreys or bootstrap: the one that is
               explained

    Traits: `successes`, `n`, `level` (of "0.9", "0.95", "0.99" and the one given) and `method`
    follow the page and can be set and observed. The figures are "intervals", "coverage" and, of
    cases with two classes, "permutation".

    >>> e = bt.explorers.intervals(3, 5, method="wilson")
    >>> e.successes = 4
    >>> e
    Intervals(4 of 5, level=0.95, method='wilson')
    >>> bt.explorers.intervals(cases=bt.load("ten_cases"), measure="recall", top=4)
    Intervals(10 cases, 3 of 5, level=0.95, method='wald')
    """

    kind = "intervals"
    of_cases = True

    def __init__(
        self,
        successes: Any = None,
        n: Any = None,
        cases: Cases | None = None,
        measure: str | None = None,
        top: int | None = None,
        level: Any = "0.95",
        method: str = "wald",
    ) -> None:
        super().__init__()
        if isinstance(successes, Cases):
            raise ValueError("give data by name: intervals(cases=..., measure=..., top=...)")
        asked, key = read_level(level), _share("accuracy" if measure is None else measure)
        found = _given(successes, n) if cases is None else counted(self.checked(cases), key, top)
        if cases is None and (measure is not None or top is not None):
            raise ValueError("measure and top are of data: give these, too, as cases=...")
        if cases is not None and (successes is not None or n is not None):
            raise ValueError("give either successes and n, or cases with a measure, not both")
        self.cases, self.measure, self.start = cases, key, found
        self.levels = tuple(sorted({*LEVELS, asked}))
        with self.hold_trait_notifications():
            self.n, self.successes = found.n, found.r
            self.level, self.method = asked, method

    def take(self, cases: Cases, measure: str | None = None) -> None:
        """Take the share from other cases, or another share; level and method stay."""
        self.__dict__.pop("permutation", None)  # it was known of other cases
        wanted = self.measure if measure is None else measure
        Intervals.__init__(self, cases=cases, measure=wanted, level=self.level, method=self.method)
        self.data = cases, self.measure

    def controls(self) -> list[Any]:
        def choose(key: str) -> None:
            if self.cases is not None:
                self.take(self.cases, key)

        (row,) = super().controls()
        row.children = (*row.children, measure_chooser(list(SHARES), self.measure, choose))
        return [row]

    # Traits ------------------------------------------------------------------------------------

    @property
    def trials(self) -> list[int]:
        """The values of n that the slider goes through; none where a share has no trials."""
        n = self.start.n
        return list(range(min(n, 1), MOST_TRIALS + 1)) if n <= MOST_TRIALS else [n]

    def outcomes(self, n: int) -> range:
        """The values of r that the slider goes through."""
        if n <= MOST_TRIALS:
            return range(n + 1)
        r = self.start.r
        return range(max(0, r - REACH), min(n, r + REACH) + 1)

    @Setting
    def n(self, given: object) -> int:
        """The number of trials."""
        return whole_number("n", given, self.trials[0], self.trials[-1])

    @Setting
    def successes(self, given: object) -> int:
        """r, the number of successes."""
        allowed = self.outcomes(self.n)
        return whole_number("successes", given, allowed[0], allowed[-1])

    @traitlets.observe("n")
    def _fewer_trials(self, change: Any) -> None:
        # There are no more successes than trials.
        self.successes = min(self.successes, change.new)

    @Setting
    def level(self, given: object) -> str:
        """How often an interval should hold the true share, as "0.95"."""
        asked = exact(given, "level")
        if asked not in self.levels:
            listed = ", ".join(map(decimal_text, self.levels))
            raise ValueError(f"level is {shorten(given)}; here there are {listed}")
        return decimal_text(asked)

    @Setting
    def method(self, given: object) -> str:
        """The key of the method that is explained."""
        try:
            return key_of(given, TITLES, "interval")
        except ValueError as unknown:
            raise ValueError(f"method: {unknown}") from None

    def __repr__(self) -> str:
        data = "" if self.cases is None else f"{self.cases.n} cases, "
        return (
            f"Intervals({data}{self.successes} of {self.n}, level={self.level}, "
            f"method={self.method!r})"
        )

    # What a page needs -------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything that the page switches between."""
        rows = tuple((n, self.outcomes(n)) for n in self.trials if n)
        first, count = {}, 0
        for n, outcomes in rows:
            first[str(n)] = [outcomes[0], outcomes[-1], count]
            count += len(outcomes)
        return {
            "first": first,
            "several": len(rows) > 1,
            "titles": TITLES,
            "percents": {decimal_text(level): percent(level) for level in self.levels},
            "shares": [with_digits(Fraction(r, n)) for n, outcomes in rows for r in outcomes],
            "ends": _ends(rows, self.levels),
            "coverage": _coverage(tuple(n for n, _ in rows), self.levels),
            "points": POINTS,
            "style": html.STYLE,
            "squeezed": _squeezed(self._derived(), self.levels),
            "undefined": look.shown_text(self.start.undefined),
            "undefined_derivation": html.STYLE + self.start.derivation,
            "no_answer": NO_ANSWER,
        }

    def _derived(self) -> tuple[tuple[int, int], ...]:
        """The r and n of which derivations are written beforehand."""
        few = [(r, n) for n in self.trials if n <= MOST_DERIVED for r in self.outcomes(n)]
        return tuple((r, n) for r, n in dict.fromkeys([*few, (self.start.r, self.start.n)]) if n)

    def _derivation(self) -> str:
        """The derivation of the interval that is shown, written now."""
        written = html.STYLE + self.start.derivation
        if self.n:
            found = Ends(self.method, self.successes, self.n, exact(self.level))
            written = html.render(found.explain())
        of = f"{self.successes} of {self.n} {self.level} {self.method}"
        return f'<div data-of="{of}">{written}</div>'

    @cached_property
    def permutation(self) -> Permutation | str:
        """The permutation test of the AUC, or the reason why there is none."""
        if self.cases is None:
            return "there are no cases"
        try:
            return permutation_test(self.cases, "auc", seed=1, progress=False)
        except Undefined as undefined:
            return undefined.reason

    # The page ----------------------------------------------------------------------------------

    def build(self) -> View:
        from bokeh.models import CustomJS

        trials, outcomes = self.trials, self.outcomes(self.n)
        # A slider must have room to move, also where there is none.
        r = _slider("r, successes", outcomes[0], max(outcomes[-1], 1), self.successes)
        n = _slider("n, trials", trials[0], max(trials[-1], trials[0] + 1), self.n)
        n.visible = len(trials) > 1
        percents = {decimal_text(each): percent(each) for each in self.levels}
        level = look.select("Level", percents, self.level, width=120)
        method = look.select("Method explained", TITLES, self.method, width=220)
        lines = interval_figures.Lines(TITLES)
        curve = interval_figures.Curve()
        drawn = {"intervals": lines.figure}
        if trials[0] <= MOST_COVERED:
            drawn["coverage"] = curve.figure
        summary = look.announcer()
        derivation = look.wide_box("Derivation", 640)
        switch = CustomJS(
            args={
                "state": self.state(),
                "r": r,
                "n": n,
                "level": level,
                "method": method,
                **lines.moved,
                **curve.moved,
                "figures": dict(drawn),
                "summary": summary,
                "derivation": derivation,
                "colours": {"chosen": look.BLUE, "other": look.SKY},
            },
            code=look.script("intervals.js"),
        )
        for model in (r, n, level, method):
            model.js_on_change("value", switch)
        left = look.stack(*drawn.values(), *map(_note, self._remarks()))
        for part, basis in ((left, 560), (derivation, 420)):
            part.styles = {**part.styles, "flex": f"1 1 {basis}px", "min-width": "0"}
        root = look.page(
            look.flow(r, n),
            summary,
            look.flow(level, method),
            *([_note(self.start.source)] if self.start.source else []),
            look.flow(left, derivation),
            *self._by_chance(drawn),
            _note(REMARK),
        )
        traits = {
            "n": (n, "value"),
            "successes": (r, "value"),
            "level": (level, "value"),
            "method": (method, "value"),
        }
        return View(root, traits, drawn, switch, (derivation, self._derivation))

    def _remarks(self) -> list[str]:
        """What cannot be moved or drawn of many trials."""
        n, found = self.start.n, []
        if n > MOST_TRIALS:
            found.append(f"With more than {MOST_TRIALS} trials n stays at {n:,}; r can be moved.")
        if n > MOST_COVERED:
            found.append(f"Coverage is worked out for up to {MOST_COVERED} trials.")
        return found

    def _by_chance(self, drawn: dict[str, Any]) -> list[Any]:
        """The permutation distribution of the AUC, where there are cases."""
        if self.cases is None:
            return []
        found = self.permutation
        if isinstance(found, str):
            return [_note(f"The AUC of these cases is undefined, so it cannot be tested: {found}.")]
        drawn["permutation"] = interval_figures.by_chance(found)
        text = html.STYLE + html.fragment(found.explain())
        explained = look.wide_box("Permutation test", 640, text)
        for part, basis in ((drawn["permutation"], 560), (explained, 420)):
            part.styles = {**part.styles, "flex": f"1 1 {basis}px", "min-width": "0"}
        return [look.flow(drawn["permutation"], explained)]


REMARK = (
    "The bootstrap here resamples the n trials alone. The number of successes in a resample is "
    "binomial, so its interval is taken from that distribution exactly and nothing is drawn."
)
NO_ANSWER = note(
    "Python does not answer, so this derivation is missing. Where its kernel has stopped, run the "
    "cell again."
)


def _note(text: str) -> Any:
    """A remark as wide as the page."""
    return look.box(note(text), width=900, sizing_mode="stretch_width")


def _slider(title: str, start: int, end: int, at: int) -> Any:
    # Both in one row, on a phone, too.
    styles = {"flex": "1 1 160px", "min-width": "0"}
    return look.slider(title, start, end, at, max_width=480, styles=styles)


# Where r and n come from --------------------------------------------------------------------------


@dataclass(frozen=True)
class Share:
    """r of n: what the page begins with.

    source      where they come from, in words
    undefined   why there is no share, in words; then n is 0
    derivation  and how far its derivation gets
    """

    r: int
    n: int
    source: str = ""
    undefined: str = ""
    derivation: str = ""


def _given(successes: Any, n: Any) -> Share:
    trials = 5 if n is None else whole_number("n", n, 1, MOST_LISTED)
    wanted = min(3, trials) if successes is None else successes
    return Share(whole_number("successes", wanted, 0, trials), trials)


def _share(measure: Any) -> str:
    """The key of a measure that is a share."""
    key = measure_key("measure", measure, MEASURES)
    if key not in SHARES:
        raise ValueError(
            f"measure is {shorten(measure)}, which is not a number of cases over another, so these "
            f"intervals are not for it; there are {', '.join(SHARES)}"
        )
    return key


def counted(cases: Cases, key: str, top: Any) -> Share:
    """The share of a measure at a cut; 0 of 0 where it is undefined."""
    if cases.weighted:
        raise ValueError("weighted cases have no whole number of trials; leave the weights out")
    if top is None:
        # By default the cut that calls as many cases positive as there are positives.
        wanted = int(cases.positives)
        top = min((int(k) for k in cases.ranking.k), key=lambda k: abs(k - wanted))
    counts, title = cases.top(top), MEASURES[key].title
    where = {0: "no case is", 1: "the case with the highest score is"}.get(
        int(top), f"the {top} cases with the highest scores are"
    )
    try:
        share = value(key, counts)
    except Undefined as undefined:
        words = f"{title} is undefined where {where} called positive: {undefined.reason}."
        return Share(0, 0, undefined=words, derivation=html.fragment(explain(key, counts)))
    r, n = share_of(key, counts)
    if n > MOST_LISTED:
        raise ValueError(
            f"{title} has {n:,} trials here, and there may be {MOST_LISTED:,}; take fewer cases"
        )
    reduced = "" if str(share) == f"{r}/{n}" else f" = {share}"
    return Share(
        r, n, f"From the data: where {where} called positive, {title} is {r}/{n}{reduced}."
    )


def share_of(key: str, counts: Counts) -> tuple[int, int]:
    """r and n of a measure that is one number of cases over another."""
    top, bottom = SHARES[key]
    return (
        sum(int(getattr(counts, name)) for name in top),
        sum(int(getattr(counts, name)) for name in bottom),
    )


# Worked out once for all explorers of a session ---------------------------------------------------

Rows = tuple[tuple[int, range], ...]


@cache
def _ends(rows: Rows, levels: tuple[Fraction, ...]) -> dict[str, dict[str, list[str]]]:
    """Level -> method -> both ends of every r and n."""
    return {
        decimal_text(level): {
            method: [Ends(method, r, n, level).text for n, outcomes in rows for r in outcomes]
            for method in TITLES
        }
        for level in levels
    }


@cache
def _coverage(
    trials: tuple[int, ...], levels: tuple[Fraction, ...]
) -> dict[str, dict[str, dict[str, list[str]]]]:
    """Level -> method -> n -> coverage at the shares from 0 to 1/2, as text.

    Successes and failures are alike, so above 1/2 the curve is the same again, mirrored.
    """
    return {
        decimal_text(level): {
            method: {
                str(n): [
                    _text(covered_at(method, n, level, Fraction(i, POINTS)))
                    for i in range(POINTS // 2 + 1)
                ]
                for n in trials
                if n <= MOST_COVERED
            }
            for method in TITLES
        }
        for level in levels
    }


def _text(number: Fraction) -> str:
    """=0.9375 where that is all, rounded digits otherwise."""
    if is_short_decimal(number, PLACES):
        return f"={decimal_text(number)}"
    return rounded(number, PLACES)


@cache
def _covering(method: str, n: int, level: Fraction) -> Any:
    return coverage(method, n, level)


@cache
def _resampled(n: int, level: Fraction) -> tuple[tuple[Fraction, Fraction], ...]:
    found = [ResampledShare(r, n, level) for r in range(n + 1)]
    return tuple((each.low, each.high) for each in found)


def covered_at(method: str, n: int, level: Fraction, p: Fraction) -> Fraction:
    """Σ n! / (r! (n − r)!) p^r (1 − p)^(n − r) over the outcomes r whose interval holds p."""
    if method != BOOTSTRAP:
        found: Fraction = _covering(method, n, level).at(p)
        return found
    hit, miss = p.numerator, p.denominator - p.numerator
    ways = sum(
        math.comb(n, r) * hit**r * miss ** (n - r)
        for r, (low, high) in enumerate(_resampled(n, level))
        if low <= p <= high
    )
    return Fraction(ways, p.denominator**n)


@cache
def _squeezed(pairs: tuple[tuple[int, int], ...], levels: tuple[Fraction, ...]) -> str:
    return squeezed(derivations(pairs, levels))


def derivations(pairs: tuple[tuple[int, int], ...], levels: tuple[Fraction, ...]) -> dict[str, Any]:
    """Level -> method -> "r of n" -> the derivation, in templates."""
    templates = Templates()
    found = {
        decimal_text(level): {
            method: {
                f"{r} of {n}": templates.add(html.fragment(Ends(method, r, n, level).explain()))
                for r, n in pairs
            }
            for method in TITLES
        }
        for level in levels
    }
    forms, slots = templates.packed()
    return {"derivations": found, "forms": forms, "slots": slots}
