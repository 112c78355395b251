"""The losses explorer: what a score costs, by loss and by class (Berrar, Figure 7).

Glossary
  p  the score of a case, read as the probability of the positive class
  y  the real class: 1 positive, 0 negative
  s  the signed distance that the hinge loss takes: 4(p − 1/2), as Berrar's Figure 8 has it; where
     scores lie outside [0, 1] they are no probabilities, and each is its own distance
  γ  how strongly the focal loss plays easy cases down
  α  the weight of the positive class in the balanced cross-entropy
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import log2
from typing import TYPE_CHECKING, Any

from binteach import exact
from binteach.cases import Cases, decimal_text, short_decimal
from binteach.data import load
from binteach.derivation import PLACES, explain
from binteach.exact import shorten
from binteach.explorers import figures, look
from binteach.explorers.base import Explorer, Setting, View, note
from binteach.explorers.state import Templates, with_digits
from binteach.measures import measure as find_measure
from binteach.measures import value
from binteach.render import html

if TYPE_CHECKING:
    from bokeh.models import ColumnDataSource, Slider

MOST_DERIVED = 100  # cases up to which derivations are written beforehand
MOST_DOTS = 200  # cases that are drawn; of more, some at equal distances in the ranking
MOST_NAMED = 20  # cases whose names stand beside their dots
STEPS = 200  # pieces of a curve
LOWEST_TOP = 3.3  # the hinge loss reaches 3, so the axis does too
SCALE = 4
HALF = Fraction(1, 2)
EPSILON = 1e-5  # stands for 0 in a logarithm
TINY = 1e-9  # a step down is drawn upright
TOO_MANY = note(
    "There are too many cases to write every derivation into this page. In a notebook bt.explain "
    "shows it, called as bt.value is."
)
NO_ANSWER = note(
    "There are too many cases to write every derivation beforehand, and Python does not answer. "
    "Where its kernel has stopped, run the cell again."
)
ALPHAS = tuple(Fraction(i, 20) for i in range(21))


@dataclass(frozen=True)
class Loss:
    """One loss.

    measure  key of the measure that is its average
    height   the loss of a positive with the score p, to be drawn; γ is its second argument.
             A negative with the score 1 − p costs the same, apart from α.
    given    what that measure is asked with
    note     the same in words, or how a score is read
    corners  the scores between which a curve is straight, the ends left out; empty where it bends
    slider   the trait that it depends on
    """

    title: str
    measure: str
    height: Callable[[float, float], float]
    colour: str
    dash: str | list[int]
    given: tuple[tuple[str, Any], ...] = ()
    corners: tuple[float, ...] = ()
    slider: str = ""
    symbol: str = ""
    note: str = ""


def _log(p: float, gamma: float = 0.0) -> float:
    del gamma
    return -log2(max(p, EPSILON))


LOSSES = {
    "zero_one": Loss(
        "0-1 loss",
        "error_rate",
        lambda p, _: float(p <= 0.5),
        look.INK,
        [24, 6],
        given=(("at", HALF),),
        corners=(0.5 - TINY, 0.5 + TINY),
        note="at 1/2",
    ),
    "hinge": Loss(
        "Hinge loss",
        "hinge_loss",
        lambda p, _: max(0.0, 1 - SCALE * (p - 0.5)),
        look.ORANGE,
        [12, 4],
        given=(("scale", Fraction(SCALE)),),
        corners=(0.75,),
        note="scale = 4",
    ),
    "squared": Loss(
        "Squared loss", "brier_score", lambda p, _: (1 - p) ** 2, look.GREEN, [14, 4, 3, 4]
    ),
    "absolute": Loss("Absolute loss", "mean_absolute_error", lambda p, _: 1 - p, look.PINK, [6, 4]),
    "log": Loss("Log loss", "log_loss", _log, look.BLUE, "solid"),
    "balanced": Loss(
        "Balanced loss",
        "balanced_cross_entropy",
        _log,
        look.SKY,
        [14, 4, 3, 4, 3, 4],
        slider="alpha",
        symbol="α",
    ),
    "focal": Loss(
        "Focal loss",
        "focal_loss",
        lambda p, gamma: (1 - p) ** gamma * _log(p),
        look.YELLOW,
        [2, 3],
        slider="gamma",
        symbol="γ",
    ),
}
"""Key -> loss; each has a colour and a dash of its own."""
OF_DISTANCES = LOSSES | {
    "zero_one": replace(
        LOSSES["zero_one"],
        height=lambda s, _: float(s <= 0),
        given=(("at", Fraction(0)),),
        corners=(-TINY, TINY),
        note="at 0",
    ),
    "hinge": replace(
        LOSSES["hinge"],
        height=lambda s, _: max(0.0, 1 - s),
        given=(),
        corners=(1.0,),
        note="s = score",
    ),
}
"""The same of scores that are signed distances: a negative at −s costs as a positive at s."""
OF_MEASURE = {loss.measure: key for key, loss in LOSSES.items()}
NEED_LOGARITHMS = ("log_loss", "balanced_cross_entropy", "focal_loss")
TAKE_PROBABILITIES = ("squared", "absolute", "log", "balanced", "focal")


class Losses(Explorer):
    """What a score costs: seven losses, the cases on the curve of one, and their average.

    cases   any Cases; Berrar's ten unless given
    loss    zero_one, hinge, squared, absolute, log, balanced, focal, or a name of the measure that
            is its average ("Brier"): whose dots, bars and derivation are shown. Focal unless
            given; hinge where the scores cannot be probabilities
    gamma   γ of the focal loss: 0, 0.5, ... 5, and whole numbers alone of more than 100 cases
    alpha   α of the balanced loss: 0, 0.05, ... 1; the share of negatives unless given
    drawn   the losses whose curves are drawn; all unless given

    The arguments but `cases` are traits, too: they follow the page and can be set and observed.
    The figures are "y1" and "y0", the curves of a positive and of a negative, and "cases", the loss
    of each case.

    Scores from 0 to 1 are read as probabilities, and the hinge loss takes s = 4(p − 1/2), as in
    Berrar's Figure 8: `bt.value("hinge_loss", cases, scale=4)`. Other scores are signed distances.

    >>> e = bt.explorers.losses(bt.load("ten_cases"), loss="hinge", drawn=["hinge", "zero_one"])
    >>> e.loss = "focal"
    >>> e.gamma = 0.5
    >>> e
    Losses(10 cases, loss='focal', gamma=0.5, alpha=0.5)
    """

    kind = "losses"
    of_cases = True

    def __init__(
        self,
        cases: Cases | None = None,
        loss: str | None = None,
        gamma: Any = 2,
        alpha: Any = None,
        drawn: Iterable[str] | None = None,
    ) -> None:
        super().__init__()
        self.cases = load("ten_cases") if cases is None else self.checked(cases)
        self.loss = ("hinge" if self.outside else "focal") if loss is None else loss
        self.gamma = gamma
        self.alpha = self._usual_alpha() if alpha is None else alpha
        self.drawn = list(LOSSES) if drawn is None else drawn

    def _usual_alpha(self) -> Fraction:
        """n₋/n, or what is nearest to it on the slider."""
        return min(ALPHAS, key=lambda alpha: abs(alpha - (1 - self.cases.prevalence)))

    @Setting
    def loss(self, given: object) -> str:
        """The key of the loss whose cases are shown."""
        return _loss_key("loss", given)

    @Setting
    def gamma(self, given: object) -> float:
        """γ of the focal loss, from 0 to 5."""
        return _on_slider("gamma", given, self.gammas)

    @Setting
    def alpha(self, given: object) -> float:
        """α of the balanced loss, from 0 to 1."""
        return _on_slider("alpha", given, ALPHAS)

    @Setting
    def drawn(self, given: object) -> list[str]:
        """The keys of the losses that are drawn."""
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise ValueError(f"drawn is {shorten(given)}; it must be a list of losses, as ['log']")
        chosen = {_loss_key("drawn", each) for each in given}
        return [key for key in LOSSES if key in chosen]

    def __repr__(self) -> str:
        return (
            f"Losses({self.cases.n} cases, loss={self.loss!r}, gamma={self.gamma:g}, "
            f"alpha={self.alpha:g})"
        )

    # What a page needs -------------------------------------------------------------------------

    @property
    def gammas(self) -> tuple[Fraction, ...]:
        """The values of γ; of many cases only whole powers are worked out in time."""
        step = HALF if self.derived else Fraction(1)
        return tuple(i * step for i in range(int(5 / step) + 1))

    @cached_property
    def places(self) -> list[int]:
        """The cases that are drawn, from the highest score to the lowest."""
        return [int(index) for index in self.cases.ranking.order[:: self.step]]

    @property
    def step(self) -> int:
        """1 where all cases are drawn, 3 where every third is."""
        return -(-self.cases.n // MOST_DOTS)

    @cached_property
    def outside(self) -> bool:
        """Whether a score cannot be a probability."""
        return not all(0 <= score <= 1 for score in self.cases.scores)

    @property
    def losses(self) -> dict[str, Loss]:
        """Key -> loss, as it reads the scores of these cases."""
        return OF_DISTANCES if self.outside else LOSSES

    @property
    def derived(self) -> bool:
        """Whether all derivations are written beforehand."""
        return self.cases.n <= MOST_DERIVED

    def variants(self, key: str) -> list[dict[str, Any]]:
        """What the measure of a loss is asked with, once for every place of its slider."""
        loss = self.losses[key]
        grid = {"gamma": self.gammas, "alpha": ALPHAS}.get(loss.slider)
        if grid is None:
            return [dict(loss.given)]
        return [{loss.slider: each} for each in grid]

    def state(self) -> dict[str, Any]:
        """Everything that the page switches between."""
        cases = self.cases
        return {
            "n": cases.n,
            "gammas": [float(gamma) for gamma in self.gammas],
            "alphas": [float(alpha) for alpha in ALPHAS],
            "place": list(range(1, cases.n + 1, self.step)),
            "all": self.step == 1,
            "label": [cases.label(i) for i in self.places],
            "x": [float(cases.score(i)) for i in self.places],
            "score": [short_decimal(cases.score(i)) for i in self.places],
            "name": [cases.name(i) for i in self.places],
            "short": [_short_name(cases, i) for i in self.places],
            "losses": {key: self._numbers(key) for key in LOSSES},
            "lowest_top": LOWEST_TOP,
        } | self._derivations()

    def _numbers(self, key: str) -> dict[str, Any]:
        loss = self.losses[key]
        reason = self._reason(key)
        variants = self.variants(key)
        return {
            "title": loss.title,
            "slider": loss.slider,
            "symbol": loss.symbol,
            "notes": [_with(loss, each) for each in variants],
            "calls": [look.shown_text(call(loss, each)) for each in variants],
            "remark": self._hinge_remark() if key == "hinge" else "",
            "reason": reason,
            "undefined": self._undefined(key),
            "curves": [
                _curve(loss, each, self._reach(), self._mirror()) for each in variants if not reason
            ],
            **(
                {"average": [None] * len(variants), "average_text": ["undefined"] * len(variants)}
                if reason
                else self._averages(loss, variants)
            ),
            "dots": [[] if reason else self._dots(loss, each) for each in variants],
        }

    def _reason(self, key: str) -> str:
        if key in TAKE_PROBABILITIES and self.outside:
            return (
                "it takes scores as probabilities, but not all scores here lie from 0 to 1; "
                "rescale them"
            )
        return ""

    def _undefined(self, key: str) -> str:
        """In place of the derivation of an average that there is not."""
        reason = self._reason(key)
        return note(f"{LOSSES[key].title} is undefined: {reason}.") if reason else ""

    def _averages(self, loss: Loss, variants: list[dict[str, Any]]) -> dict[str, Any]:
        found = [value(loss.measure, self.cases, **each) for each in variants]
        return {
            "average": [float(each) for each in found],
            "average_text": [with_digits(each) for each in found],
        }

    def _hinge_remark(self) -> str:
        """How the hinge loss reads a score, which is not the same here and in bt.value."""
        words = "The hinge loss takes a signed distance s from the boundary, not a probability. "
        if self.outside:
            return note(words + "Not all scores here lie from 0 to 1: each is taken as a distance.")
        unscaled = with_digits(value("hinge_loss", self.cases))
        return note(
            f"{words}Here s = 4(p − 1/2), as in Berrar's Figure 8: scale=4. Without scale, "
            f"bt.value takes the score itself for the distance, and the average "
            f"{equals(unscaled)}."
        )

    def _dots(self, loss: Loss, given: dict[str, Any]) -> list[tuple[float, str]]:
        """The loss of each case that is drawn: the measure of this case alone."""
        known: dict[tuple[int, Fraction], tuple[float, str]] = {}
        found = []
        for index in self.places:
            case = self.cases.label(index), self.cases.score(index)
            if case not in known:
                known[case] = self._dot(loss, given, *case)
            found.append(known[case])
        return found

    def _dot(
        self, loss: Loss, given: dict[str, Any], label: int, score: Fraction
    ) -> tuple[float, str]:
        if not self.derived and loss.measure in NEED_LOGARITHMS:
            # Exact logarithms of many cases take long. The formula that is drawn is right to twelve
            # digits, so it tells the rounded ones, except near where these change.
            height = _height(loss, given, score if label else 1 - score, bool(label))
            halves = 2 * height * 10**PLACES
            if abs(halves - round(halves)) > 1e-6:
                return height, f"≈ {height:.{PLACES}f}"
        alone = value(loss.measure, Cases([label], [score]), **given)
        return float(alone), with_digits(alone)

    def _derivations(self) -> dict[str, Any]:
        templates, found = Templates(), {}
        if self.derived:
            for key, loss in self.losses.items():
                if not self._reason(key):
                    found[key] = [
                        templates.add(html.fragment(explain(loss.measure, self.cases, **each)))
                        for each in self.variants(key)
                    ]
        return templates.state(found, TOO_MANY) | {"no_answer": NO_ANSWER}

    def _derivation(self) -> str:
        """The derivation of the loss that is shown, written now."""
        loss, variants = self.losses[self.loss], self.variants(self.loss)
        places = [float(each[loss.slider]) for each in variants if loss.slider]
        place = places.index(getattr(self, loss.slider)) if places else 0
        written = self._undefined(self.loss) or html.render(
            explain(loss.measure, self.cases, **variants[place])
        )
        return f'<div data-of="{self.loss} {place}">{written}</div>'

    # The page ----------------------------------------------------------------------------------

    def build(self) -> View:
        from bokeh.models import CheckboxGroup, Column, ColumnDataSource, CustomJS, InlineStyleSheet

        gamma = _slider("γ (focal loss)", self.gammas, self.gamma)
        alpha = _slider("α (balanced)", ALPHAS, self.alpha)
        titles = {key: loss.title for key, loss in LOSSES.items()}
        chosen = look.select("Loss of the cases", titles, self.loss, width=240)
        boxes = CheckboxGroup(
            labels=list(titles.values()),
            active=[place for place, key in enumerate(LOSSES) if key in self.drawn],
            inline=True,
            sizing_mode="stretch_width",
            stylesheets=[InlineStyleSheet(css=CHECKBOXES)],
        )
        # A group of boxes knows their numbers alone; the trait holds keys.
        kept = ColumnDataSource(tags=self.drawn)
        dots, bars = ({label: _no_dots() for label in ("1", "0")} for _ in range(2))
        mean = figures.points(x=[], y=[])
        drawn, curves = {}, {}
        for label, title in (("1", "A positive, y = 1"), ("0", "A negative, y = 0")):
            drawn[f"y{label}"], curves[label] = self._curves(title, label, dots[label])
        drawn["cases"] = _bars(self.cases.n, self.step, bars, mean)
        summary = look.announcer()
        averages = look.wide_box("Averages", 420, css=AVERAGES)
        called = look.box(sizing_mode="stretch_width", css=CALLED)
        derivation = look.wide_box("Derivation", 760)
        switch = CustomJS(
            args={
                "state": self.state(),
                "gamma": gamma,
                "alpha": alpha,
                "chosen": chosen,
                "boxes": boxes,
                "kept": kept,
                "dots": dots,
                "bars": bars,
                "mean": mean,
                "curves": curves,
                "figures": dict(drawn),
                "summary": summary,
                "averages": averages,
                "called": called,
                "derivation": derivation,
            },
            code=look.script("losses.js"),
        )
        for model in (gamma, alpha, chosen):
            model.js_on_change("value", switch)
        boxes.js_on_change("active", switch)
        kept.js_on_change("tags", switch)
        choice = Column(
            children=[look.box("Losses that are drawn", width=260), boxes],
            min_width=300,
            max_width=940,
            sizing_mode="stretch_width",
        )
        # Three in a row on a wide screen; where two fit, the bars and the table share the next row.
        numbers = look.flow(drawn["cases"], averages)
        for part in (*drawn.values(), averages, numbers):
            part.styles = {**part.styles, "flex": "1 1 420px", "min-width": "min(100%, 340px)"}
        root = look.page(
            look.flow(gamma, alpha),
            summary,
            look.flow(chosen, choice),
            look.flow(drawn["y1"], drawn["y0"], numbers),
            called,
            derivation,
            look.box(self._remark(), width=900, sizing_mode="stretch_width"),
        )
        traits = {
            "gamma": (gamma, "value"),
            "alpha": (alpha, "value"),
            "loss": (chosen, "value"),
            "drawn": (kept, "tags"),
        }
        ask = None if self.derived else (derivation, self._derivation)
        return View(root, traits, drawn, switch, ask)

    def _curves(self, title: str, label: str, dots: ColumnDataSource) -> tuple[Any, dict[str, Any]]:
        """All losses of one class, and the cases of this class on one of them."""
        from bokeh.models import Legend, LegendItem, LinearAxis, Range1d

        low, high = self._reach()
        low, high = low - 0.06 * (high - low), high + 0.06 * (high - low)
        positive = label == "1"
        x = "score = signed distance s" if self.outside else "score p"
        y_range = Range1d(-0.12, LOWEST_TOP)
        figure = look.plot(title, x, "loss", (low, high), y_range, height=470)
        if not self.outside:
            figure.extra_x_ranges = {"distance": Range1d(SCALE * (low - 0.5), SCALE * (high - 0.5))}
            above = LinearAxis(x_range_name="distance", minor_tick_line_color=None)
            above.axis_label = "hinge loss: signed distance s = 4(p − 1/2)"
            above.axis_label_text_font_style = "normal"
            above.axis_label_text_font_size = above.major_label_text_font_size = "15px"
            figure.add_layout(above, "above")
        lines = {
            key: figure.line(
                "x",
                "y",
                source=figures.points(x=[], y=[]),
                color=loss.colour,
                line_dash=loss.dash,
                line_width=2.5,
                line_join="round",
            )
            for key, loss in LOSSES.items()
        }
        items = {
            key: LegendItem(label=LOSSES[key].title, renderers=[line])
            for key, line in lines.items()
        }
        figure.add_layout(Legend(items=list(items.values())))
        marks = figure.scatter(
            "x",
            "y",
            source=dots,
            marker="circle" if positive else "square",
            size=15 if self.cases.n <= MOST_DERIVED else 7,
            color=look.POSITIVE if positive else look.NEGATIVE,
            line_color=look.INK,
            line_width=1.5,
        )
        figure.text(
            "x",
            "y",
            "name",
            source=dots,
            x_offset=10 if positive else -10,
            y_offset=-8,
            text_align="left" if positive else "right",
            text_font_size="15px",
            text_color=look.INK,
            # Readable on top of the curves.
            background_fill_color=look.PAPER,
            background_fill_alpha=0.75,
        )
        figures.hover(figure, marks, tips=TIPS)
        figures.legend_below(figure)
        return figure, {"lines": lines, "items": items}

    def _mirror(self) -> int:
        """The score of a positive and that of a negative that cost the same sum up to it."""
        return 0 if self.outside else 1

    def _reach(self) -> tuple[float, float]:
        """From the lowest to the highest score; from 0 or −1 to 1 at least."""
        scores = [float(self.cases.score(index)) for index in self.places]
        return min([self._mirror() - 1.0, *scores]), max([1.0, *scores])

    def _remark(self) -> str:
        boundary = dict(self.losses["zero_one"].given)["at"]
        words = [
            f"The 0-1 loss calls a case positive where its score is above {boundary}; a score of "
            f"exactly {boundary} is called negative.",
            "With γ = 0 the focal loss is the log loss; α is the weight of the positives in the "
            "balanced loss, 1 − α that of the negatives.",
            "Logarithms are to base 2, and 0.00001 stands for a probability of 0.",
        ]
        if len(self.places) < self.cases.n:
            words.append(
                f"Drawn are {len(self.places)} of the {self.cases.n:,} cases; the average is over "
                "all of them."
            )
        if self.cases.weighted:
            words.append("The average counts each case by its weight.")
        return note(" ".join(words))


CHECKBOXES = """
:host { font-size: 16px; }
.bk-input-group { display: flex; flex-wrap: wrap; gap: .3em 1.2em; }
.bk-input-group label { margin: 0; }
"""
CALLED = """
:host { border-left: 5px solid #E69F00; background: #fff8ea; padding: 4px 12px; }
code { font-size: 15px; }
"""
AVERAGES = """
td:first-child, th:first-child { text-align: left; }
thead th { border-bottom: 1px solid #222; }
tr.chosen td { background: #fff4e0; font-weight: 600; }
td { padding: .25em .6em; }
"""


def equals(text: str) -> str:
    """A number after what it is the value of: = 33/50 = 0.66, or ≈ 0.2866."""
    return text if text.startswith("≈") else f"= {text}"


def call(loss: Loss, given: dict[str, Any]) -> str:
    """What gives the same number in Python."""
    more = "".join(f", {name}={decimal_text(each)}" for name, each in given.items())
    return f'bt.value("{loss.measure}", cases{more})'


def _loss_key(name: str, given: Any) -> str:
    """The key of a loss, by its key or by any name of the measure that is its average."""
    if isinstance(given, str) and given in LOSSES:
        return given
    try:
        return OF_MEASURE[find_measure(given).key]
    except (KeyError, ValueError):
        listed = ", ".join(LOSSES)
        raise ValueError(f"{name}: there is no loss {shorten(given)}; there are {listed}") from None


def _on_slider(name: str, given: object, grid: tuple[Fraction, ...]) -> float:
    """The place of a slider that was meant; a slider itself is off by the error of a double."""
    try:
        wanted = exact.exact(given, name)
        nearest = min(grid, key=lambda each: abs(each - wanted))
        if abs(nearest - wanted) <= Fraction(1, 10**9):
            return float(nearest)
    except ValueError:
        pass  # no number at all
    step = decimal_text(grid[1] - grid[0])
    raise ValueError(f"{name} is {shorten(given)}; it goes from 0 to {grid[-1]} in steps of {step}")


def _with(loss: Loss, given: dict[str, Any]) -> str:
    """γ = 2, or what it is always asked with."""
    return f"{loss.symbol} = {decimal_text(given[loss.slider])}" if loss.slider else loss.note


def _height(loss: Loss, given: dict[str, Any], p_true: Any, positive: bool) -> float:
    """The loss of a case of which the real class was given this probability, or distance."""
    alpha = given.get("alpha")
    weight = 1.0 if alpha is None else float(alpha if positive else 1 - alpha)
    if p_true == given.get("at"):
        return float(positive)  # called negative, which is wrong for a positive alone
    return weight * loss.height(float(p_true), float(given.get("gamma", 0)))


def _curve(
    loss: Loss, given: dict[str, Any], reach: tuple[float, float], mirror: int
) -> dict[str, tuple[list[float], list[float]]]:
    """x and y of the curves of both classes."""

    def scores(start: float, stop: float) -> list[float]:
        """The probabilities of the real class at which the curve has a point."""
        if loss.corners:
            return [start, *loss.corners, stop]
        # A logarithm has no end at 0, and what takes probabilities ends at 0 and 1.
        first = 1 if loss.measure in NEED_LOGARITHMS else 0
        return [i / STEPS for i in range(first, STEPS + 1)]

    # Six places are more than a screen shows.
    low, high = reach
    ups, downs = scores(low, high), scores(mirror - high, mirror - low)
    return {
        "1": (
            [round(p, 6) for p in ups],
            [round(_height(loss, given, p, True), 6) + 0.0 for p in ups],
        ),
        "0": (
            [round(mirror - p, 6) for p in downs],
            [round(_height(loss, given, p, False), 6) + 0.0 for p in downs],
        ),
    }


def _short_name(cases: Cases, index: int) -> str:
    if cases.n > MOST_NAMED:
        return ""
    name = cases.name(index)
    return name if len(name) <= 8 else f"{name[:7]}…"


def _no_dots() -> ColumnDataSource:
    return figures.points(x=[], y=[], case=[], score=[], loss=[], name=[])


def _slider(title: str, grid: tuple[Fraction, ...], at: float) -> Slider:
    # Both in one row, on a phone, too.
    return look.slider(
        title,
        0,
        float(grid[-1]),
        at,
        step=float(grid[1]),
        max_width=480,
        styles={"flex": "1 1 160px", "min-width": "0"},
    )


TIPS = [("case", "@case"), ("score", "@score"), ("loss", "@loss")]


def _bars(count: int, step: int, bars: dict[str, ColumnDataSource], mean: ColumnDataSource) -> Any:
    """The loss of each case as a bar, and the average as a line."""
    from bokeh.models import Range1d

    figure = look.plot(
        "Loss of each case",
        "place in the ranking",
        "loss",
        (0.3, count + 0.7),
        Range1d(0, LOWEST_TOP),
        height=330,
    )
    figure.xgrid.grid_line_color = None
    for label, colour, hatch in (("1", look.POSITIVE, " "), ("0", look.NEGATIVE, "/")):
        drawn = figure.vbar(
            "x",
            top="y",
            width=0.8 * step,
            source=bars[label],
            line_color=look.INK if count <= 60 else None,
            legend_label="positive" if label == "1" else "negative",
            **figures.hatched(colour, hatch, 1),
        )
        figures.hover(figure, drawn, tips=TIPS)
        figure.text(
            "x",
            "y",
            "name",
            source=bars[label],
            y_offset=-5,
            text_align="center",
            text_baseline="bottom",
            text_font_size="15px",
            text_color=look.INK,
        )
    figure.line(
        "x",
        "y",
        source=mean,
        line_color=look.ORANGE,
        line_width=3,
        line_dash="dashed",
        legend_label="average",
    )
    if count <= MOST_NAMED:
        figure.xaxis.ticker = list(range(1, count + 1))
    figures.legend_below(figure, 3)
    return figure
