"""The intervals explorer: how far a share of so many trials can be trusted.

Glossary
  r      successes: cases of the kind that is counted, such as true positives
  n      trials: all cases that could have been of that kind, such as positives
  level  how often an interval should hold the true share
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import traitlets

from binteach.cases import Cases, Counts, Undefined, decimal_text
from binteach.derivation import Derivation
from binteach.exact import exact, shorten
from binteach.explorers import look
from binteach.explorers.base import Explorer, View, note
from binteach.explorers.resampled_share import ResampledShare
from binteach.explorers.state import Templates, fraction_text, squeezed
from binteach.expr import is_short_decimal
from binteach.inference import METHODS, Permutation, coverage, interval, permutation_test
from binteach.inference.working import (
    PLACES,
    digits,
    key_of,
    p_text,
    percent,
    read_level,
    whole,
)
from binteach.measures import measure as find_measure
from binteach.measures import value
from binteach.render import html

if TYPE_CHECKING:
    from bokeh.models import ColumnDataSource

MOST_TRIALS = 25  # up to here a slider goes through all n
MOST_DERIVED = 12  # trials up to which all derivations are written beforehand
MOST_COVERED = 100  # trials up to which coverage is worked out
MOST_LISTED = 10_000  # trials of data
REACH = 50  # of more trials than a slider goes through, so many r to either side
POINTS = 200  # pieces of a coverage curve
MOST_BARS = 60  # values of a permutation distribution that get a bar each
BINS = 50  # bars of one with more
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
        """Its two ends as digits, with a space between them."""
        return " ".join(_digits(each) for each in (self.found.low, self.found.high))

    def explain(self) -> Derivation:
        """How it comes about."""
        found: Derivation = self.found.explain()
        return found


def _digits(end: Any) -> str:
    """0.2 where that is all, as with the bootstrap; rounded digits otherwise."""
    if isinstance(end, Fraction) and is_short_decimal(end, PLACES):
        return decimal_text(end)
    return digits(float(end))


class Intervals(Explorer):
    """How sure is a share? Six intervals, how often each holds the truth, and the AUC by chance."""

    kind = "intervals"
    successes = traitlets.Int(help="r, the number of successes")
    n = traitlets.Int(help="n, the number of trials")
    level = traitlets.Unicode(help="the level, as 0.95")
    method = traitlets.Unicode(help="the key of the method that is explained")

    def __init__(
        self,
        successes: Any = None,
        n: Any = None,
        cases: Cases | None = None,
        measure: str = "accuracy",
        top: int | None = None,
        level: Any = "0.95",
        method: str = "wald",
    ) -> None:
        super().__init__()
        if isinstance(successes, Cases):
            raise ValueError("give data by name: intervals(cases=..., measure=..., top=...)")
        self.cases, self.source, self.problem = cases, "", ""
        if cases is not None:
            if successes is not None or n is not None:
                raise ValueError("give either successes and n, or cases with a measure, not both")
            r, trials = self._from_cases(cases, measure, top)
        else:
            trials = whole(5 if n is None else n, "n", 1, MOST_LISTED, _trials_remedy())
            given = min(3, trials) if successes is None else successes
            r = whole(given, "successes", 0, trials, f"it must be a whole number, 0 to {trials}")
        asked = read_level(level)
        self.levels = tuple(sorted({*LEVELS, asked}))
        self.start = (r, trials)
        with self.hold_trait_notifications():
            self.n, self.successes = trials, r
            self.level, self.method = decimal_text(asked), method

    def _from_cases(self, cases: Cases, measure: str, top: int | None) -> tuple[int, int]:
        """r and n of a share at a cut; where it has no trials, 0 of 1 and the reason."""
        key = find_measure(measure).key
        if key not in SHARES:
            raise ValueError(
                f"{key} is not a number of cases over another, so these intervals are not for it; "
                f"there are {', '.join(SHARES)}"
            )
        if cases.weighted:
            raise ValueError("weighted cases have no whole number of trials; leave the weights out")
        if top is None:
            # By default the cut that calls as many cases positive as there are positives.
            wanted = int(cases.positives)
            top = min((int(k) for k in cases.ranking.k), key=lambda k: abs(k - wanted))
        counts = cases.top(top)
        title = find_measure(key).title
        where = f"where the {top} cases with the highest scores are called positive"
        self.source = f"From the data: {title} {where}"
        try:
            share = value(key, counts)
        except Undefined as undefined:
            self.problem = f"{title} is undefined {where}: {undefined.reason}."
            self.source = ""
            return 0, 1
        r, n = share_of(key, counts)
        if n > MOST_LISTED:
            raise ValueError(f"{title} has {n:,} trials here; {_trials_remedy()}")
        self.source += f" is {r} of {n}" + (f" = {share}." if str(share) != f"{r}/{n}" else ".")
        return r, n

    # Traits ------------------------------------------------------------------------------------

    @property
    def trials(self) -> list[int]:
        """The values of n that the slider goes through."""
        n = self.start[1]
        return list(range(1, MOST_TRIALS + 1)) if n <= MOST_TRIALS else [n]

    def outcomes(self, n: int) -> range:
        """The values of r that the slider goes through."""
        if n <= MOST_TRIALS:
            return range(n + 1)
        r = self.start[0]
        return range(max(0, r - REACH), min(n, r + REACH) + 1)

    @traitlets.validate("n")
    def _valid_n(self, proposal: Any) -> int:
        if proposal.value not in self.trials:
            first, last = self.trials[0], self.trials[-1]
            raise ValueError(f"n is {shorten(proposal.value)}; it goes from {first} to {last}")
        return int(proposal.value)

    @traitlets.validate("successes")
    def _valid_successes(self, proposal: Any) -> int:
        allowed = self.outcomes(self.n)
        if proposal.value not in allowed:
            raise ValueError(
                f"successes is {shorten(proposal.value)}; with n = {self.n} it goes from "
                f"{allowed[0]} to {allowed[-1]}"
            )
        return int(proposal.value)

    @traitlets.observe("n")
    def _fewer_trials(self, change: Any) -> None:
        # There are no more successes than trials.
        self.successes = min(self.successes, change.new)

    @traitlets.validate("level")
    def _valid_level(self, proposal: Any) -> str:
        asked = exact(proposal.value, "level")
        if asked not in self.levels:
            listed = ", ".join(map(decimal_text, self.levels))
            raise ValueError(f"level is {shorten(proposal.value)}; here there are {listed}")
        return decimal_text(asked)

    @traitlets.validate("method")
    def _valid_method(self, proposal: Any) -> str:
        return key_of(proposal.value, TITLES, "interval")

    def __repr__(self) -> str:
        data = "" if self.cases is None else f"{self.cases.n} cases, "
        return (
            f"Intervals({data}{self.successes} of {self.n}, level={self.level}, "
            f"method={self.method!r})"
        )

    # What a page needs -------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything that the page switches between."""
        rows = tuple((n, self.outcomes(n)) for n in self.trials)
        first, count = {}, 0
        for n, outcomes in rows:
            first[str(n)] = [outcomes[0], outcomes[-1], count]
            count += len(outcomes)
        return {
            "first": first,
            "several": len(rows) > 1,
            "titles": TITLES,
            "percents": {decimal_text(level): percent(level) for level in self.levels},
            "shares": [str(Fraction(r, n)) for n, outcomes in rows for r in outcomes],
            "ends": _ends(rows, self.levels),
            "coverage": _coverage(tuple(self.trials), self.levels),
            "points": POINTS,
            "style": html.STYLE,
            "squeezed": _squeezed(self._derived(), self.levels),
        }

    def _derived(self) -> tuple[tuple[int, int], ...]:
        """The r and n of which derivations are written beforehand."""
        few = [(r, n) for n in self.trials if n <= MOST_DERIVED for r in self.outcomes(n)]
        return tuple(dict.fromkeys([*few, self.start]))

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
        from bokeh.models import Column, CustomJS, Select, Slider, Span

        state = self.state()
        trials, outcomes = self.trials, self.outcomes(self.n)
        r = Slider(
            start=outcomes[0],
            end=outcomes[-1],
            step=1,
            value=self.successes,
            title="r, successes",
            **_slider_look(),
        )
        n = Slider(
            start=trials[0],
            end=trials[-1] if len(trials) > 1 else trials[0] + 1,
            step=1,
            value=self.n,
            title="n, trials",
            visible=len(trials) > 1,
            **_slider_look(),
        )
        level = Select(
            title="Level",
            value=self.level,
            options=[(decimal_text(each), percent(each)) for each in self.levels],
            width=140,
        )
        method = Select(
            title="Method explained", value=self.method, options=list(TITLES.items()), width=240
        )
        inside = _empty("y", "left", "right", "colour")
        outside = _empty("y", "left", "right")
        ends = _empty("x", "y", "words")
        caps = _empty("x", "y0", "y1")
        covered = _empty("x", "y", "text")
        nominal = Span(dimension="width", location=0.95, line_color=look.ORANGE, line_dash="dashed")
        nominal.line_width = 3
        estimate = Span(dimension="height", location=0, line_color=look.INK, line_dash="dashed")
        estimate.line_width, estimate.level = 2, "underlay"
        drawn, impossible = _intervals(inside, outside, ends, caps, estimate)
        figures = {"intervals": drawn, "coverage": _covered(covered, nominal)}
        summary = look.announcer()
        derivation = look.wide_box("Derivation", 640)
        switch = CustomJS(
            args={
                "state": state,
                "r": r,
                "n": n,
                "level": level,
                "method": method,
                "inside": inside,
                "outside": outside,
                "ends": ends,
                "caps": caps,
                "covered": covered,
                "nominal": nominal,
                "estimate": estimate,
                "named": impossible,
                "figures": dict(figures),
                "summary": summary,
                "derivation": derivation,
                "colours": {"chosen": look.BLUE, "other": look.SKY},
            },
            code=look.script("intervals.js"),
        )
        for model in (r, n, level, method):
            model.js_on_change("value", switch)
        about = [
            look.box(note(text), width=900, sizing_mode="stretch_width")
            for text in (self.problem, self.source, self._fixed())
            if text
        ]
        below = (
            figures["coverage"]
            if self.trials[0] <= MOST_COVERED
            else look.box(note(f"Coverage is worked out for up to {MOST_COVERED} trials."))
        )
        left = Column(
            children=[figures["intervals"], below],
            width=700,
            min_width=340,
            max_width=760,
            sizing_mode="stretch_width",
        )
        root = look.page(
            look.flow(r, n),
            summary,
            look.flow(level, method),
            *about,
            look.flow(left, derivation),
            *self._by_chance(figures),
            look.box(note(REMARK), width=900, sizing_mode="stretch_width"),
        )
        traits = {
            "n": (n, "value"),
            "successes": (r, "value"),
            "level": (level, "value"),
            "method": (method, "value"),
        }
        return View(root, traits, figures, switch)

    def _fixed(self) -> str:
        n = self.start[1]
        if n <= MOST_TRIALS:
            return ""
        return f"With more than {MOST_TRIALS} trials n stays at {n}, and r alone can be moved."

    def _by_chance(self, figures: dict[str, Any]) -> list[Any]:
        """The permutation distribution of the AUC, where there are cases."""
        if self.cases is None:
            return []
        found = self.permutation
        if isinstance(found, str):
            words = f"The AUC of these cases is undefined, so it cannot be tested: {found}."
            return [look.box(note(words), width=900, sizing_mode="stretch_width")]
        figures["permutation"] = _permutation(found)
        text = html.STYLE + html.fragment(found.explain())
        explained = look.wide_box("Permutation test", 640, text)
        return [look.flow(figures["permutation"], explained)]


REMARK = (
    "The bootstrap here resamples the n trials alone. The number of successes in a resample is "
    "binomial, so its interval is taken from that distribution exactly and nothing is drawn."
)


def _trials_remedy() -> str:
    return f"it must be a whole number of trials from 1 to {MOST_LISTED:,}"


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
) -> dict[str, dict[str, dict[str, list[int]]]]:
    """Level -> method -> n -> coverage in ten-thousandths at the shares from 0 to 1/2.

    Successes and failures are alike, so above 1/2 the curve is the same again, mirrored.
    """
    return {
        decimal_text(level): {
            method: {
                str(n): [
                    round(10_000 * covered_at(method, n, level, Fraction(i, POINTS)))
                    for i in range(POINTS // 2 + 1)
                ]
                for n in trials
                if n <= MOST_COVERED
            }
            for method in TITLES
        }
        for level in levels
    }


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


# Figures ------------------------------------------------------------------------------------------


def _empty(*columns: str) -> ColumnDataSource:
    from bokeh.models import ColumnDataSource

    return ColumnDataSource({column: [] for column in columns})


def _slider_look() -> dict[str, Any]:
    """How both sliders look."""
    from bokeh.models import InlineStyleSheet

    sheet = InlineStyleSheet(css=":host { font-size: 17px; } .noUi-handle { cursor: grab; }")
    return {"width": 420, "stylesheets": [sheet]}


def _wide(figure: Any, height: int) -> None:
    figure.width, figure.height = 560, height
    figure.sizing_mode, figure.max_width, figure.min_width = "stretch_width", 760, 340


def _intervals(
    inside: ColumnDataSource,
    outside: ColumnDataSource,
    ends: ColumnDataSource,
    caps: ColumnDataSource,
    estimate: Any,
) -> tuple[Any, dict[str, Any]]:
    """A line for each method; what lies below 0 or above 1 is hatched and named."""
    from bokeh.models import BoxAnnotation, Label, Range1d

    named: dict[str, Any] = {}
    figure = look.plot("Intervals", "share (dashed: r/n)", "", Range1d(-0.45, 1.45))
    figure.y_range = Range1d(0.3, len(TITLES) + 0.75)
    _wide(figure, 440)
    figure.ygrid.grid_line_color = None
    places = list(range(len(TITLES), 0, -1))
    figure.yaxis.ticker = places
    figure.yaxis.major_label_overrides = dict(zip(places, TITLES.values(), strict=True))
    figure.yaxis.major_label_text_font_size = "15px"
    for side, words, name in (
        ({"right": 0}, "impossible: below 0", "below"),
        ({"left": 1}, "impossible: above 1", "above"),
    ):
        figure.add_layout(
            BoxAnnotation(
                **side,
                fill_color=look.FAINT,
                fill_alpha=0.12,
                hatch_pattern="/",
                hatch_color=look.FAINT,
                hatch_alpha=0.35,
                level="underlay",
            )
        )
        label = named[name] = Label(x=0, y=(len(TITLES) + 1) / 2, text=words, angle=math.pi / 2)
        label.text_align, label.text_baseline = "center", "middle"
        label.text_font_size, label.text_color = "15px", look.INK
        label.background_fill_color, label.background_fill_alpha = look.PAPER, 0.8
        figure.add_layout(label)
    figure.add_layout(estimate)
    line = {"left": "left", "right": "right", "height": 0.26, "line_color": look.INK}
    figure.hbar("y", source=inside, fill_color="colour", **line)
    figure.hbar(
        "y",
        source=outside,
        fill_color=look.YELLOW,
        hatch_pattern="x",
        hatch_color=look.INK,
        hatch_alpha=0.6,
        **line,
    )
    figure.segment("x", "y0", "x", "y1", source=caps, line_color=look.INK, line_width=4)
    figure.text(
        "x",
        "y",
        "words",
        source=ends,
        y_offset=-10,
        text_align="center",
        text_font_size="15px",
        text_color=look.INK,
        # Readable on top of the dashed line.
        background_fill_color=look.PAPER,
        background_fill_alpha=0.85,
    )
    return figure, named


def _covered(covered: ColumnDataSource, nominal: Any) -> Any:
    """How often the intervals of the chosen method hold the true share."""
    from bokeh.models import HoverTool

    figure = look.plot("Coverage", "true share", "coverage", y_range=(-0.03, 1.05))
    _wide(figure, 400)
    figure.line("x", "y", source=covered, color=look.BLUE, line_width=2.5, legend_label="coverage")
    dots = figure.scatter("x", "y", source=covered, color=look.BLUE, size=4)
    figure.add_layout(nominal)
    figure.add_tools(HoverTool(renderers=[dots], tooltips="@text"))
    figure.line(
        [0, 0],
        [2, 2],
        color=look.ORANGE,
        line_dash="dashed",
        line_width=3,
        legend_label="the level that is promised",
    )
    legend = figure.legend[0]
    legend.location, legend.label_text_font_size = "bottom_center", "14px"
    legend.background_fill_alpha, legend.padding, legend.spacing = 0.8, 4, 0
    return figure


def bars(found: Permutation) -> list[tuple[float, float, Fraction, bool]]:
    """Left and right end, share of the arrangements, and whether it is in the tail.

    The bars begin at the observed value and go on from there to both sides, so that none is
    partly in the tail.
    """
    counts = _counts(found)
    observed, total = found.observed, sum(count for _, count in counts)
    values = sorted(each for each, _ in counts)
    gaps = [after - before for before, after in pairwise(values)]
    spread = values[-1] - values[0]
    width = min(gaps) if gaps and len(values) <= MOST_BARS else spread / BINS
    width = width or Fraction(1, BINS)
    # A value stands in the middle of its bar where each has one, and in a tail bar from its left
    # end on where several share it.
    shift = width / 2 if len(values) <= MOST_BARS else 0
    kept: dict[int, int] = {}
    for each, count in counts:
        place = math.floor((each - observed + shift) / width)
        kept[place] = kept.get(place, 0) + count
    return [
        (
            float(observed - shift + place * width),
            float(observed - shift + (place + 1) * width),
            Fraction(count, total),
            place >= 0,
        )
        for place, count in sorted(kept.items())
    ]


def _counts(found: Permutation) -> Sequence[tuple[Fraction, int]]:
    """Each value of the AUC and in how many arrangements it came."""
    if found.support:
        return found.support
    import numpy as np

    values, counts = np.unique(found.distribution, return_counts=True)
    # An AUC is a whole number of half pairs over their number: its double tells which.
    observed = found.observed
    near = [Fraction(each) for each in values.tolist()]
    exactly = [observed if abs(each - observed) < Fraction(1, 10**12) else each for each in near]
    return list(zip(exactly, counts.tolist(), strict=True))


def _equals(number: Fraction) -> str:
    """= 19/252, or ≈ and digits where the fraction is longer than that."""
    return f"= {number}" if number.denominator < 1000 else f"≈ {p_text(float(number))}"


def _permutation(found: Permutation) -> Any:
    """How often chance gives which AUC; the observed one and what is as large are marked."""
    from bokeh.models import ColumnDataSource, HoverTool, Span

    drawn = bars(found)
    left, right = min(0.0, drawn[0][0]), max(1.0, drawn[-1][1])
    tallest = float(max(share for _, _, share, _ in drawn))
    kind = "all" if found.exact else f"{found.arrangements:,} random ones"
    figure = look.plot(
        f"AUC by chance: p {_equals(found.p)}",
        f"AUC of an arrangement of labels ({kind})",
        "share of the arrangements",
        (left - 0.02, right + 0.02),
        (0, 1.12 * tallest),
    )
    _wide(figure, 400)
    for in_tail, words, colour, hatch in (
        (False, "smaller than observed", look.SKY, " "),
        (True, "observed or larger", look.ORANGE, "/"),
    ):
        chosen = [each for each in drawn if each[3] is in_tail]
        source = ColumnDataSource(
            {
                "left": [each[0] for each in chosen],
                "right": [each[1] for each in chosen],
                "top": [float(each[2]) for each in chosen],
                "share": [fraction_text(each[2]) for each in chosen],
                "auc": [f"{(each[0] + each[1]) / 2:.4g}" for each in chosen],
            }
        )
        quads = figure.quad(
            "left",
            "right",
            "top",
            0,
            source=source,
            fill_color=colour,
            line_color=look.INK if len(drawn) <= MOST_BARS // 2 else None,
            hatch_pattern=hatch,
            hatch_color=look.INK,
            hatch_alpha=0.5,
            legend_label=words if chosen else f"{words}: none",
        )
        tips = [("AUC about", "@auc"), ("share", "@share")]
        figure.add_tools(HoverTool(renderers=[quads], tooltips=tips))
    place = float(found.observed)
    figure.add_layout(
        Span(
            dimension="height",
            location=place,
            line_color=look.INK,
            line_width=3,
            line_dash="dashed",
        )
    )
    figure.line(
        [place, place],
        [0, 0],
        line_color=look.INK,
        line_width=3,
        line_dash="dashed",
        legend_label=f"observed {_equals(found.observed)}",
    )
    legend = figure.legend[0]
    legend.location, legend.label_text_font_size = "top_left", "14px"
    legend.background_fill_alpha, legend.padding, legend.spacing = 0.8, 4, 0
    return figure
