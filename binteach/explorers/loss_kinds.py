"""The losses of the losses explorer: what each is the average of, and how it is drawn.

p, s, γ and α as in losses.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log2
from typing import Any

from binteach.cases import decimal_text
from binteach.exact import shorten
from binteach.explorers import look
from binteach.measures import measure as find_measure

STEPS = 200  # pieces of a curve
SCALE = 4
HALF = Fraction(1, 2)
EPSILON = 1e-5  # stands for 0 in a logarithm
TINY = 1e-9  # a step down is drawn upright


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


def loss_key(name: str, given: Any) -> str:
    """The key of a loss, by its key or by any name of the measure that is its average."""
    if isinstance(given, str) and given in LOSSES:
        return given
    try:
        return OF_MEASURE[find_measure(given).key]
    except (KeyError, ValueError):
        listed = ", ".join(LOSSES)
        raise ValueError(f"{name}: there is no loss {shorten(given)}; there are {listed}") from None


def call(loss: Loss, given: dict[str, Any]) -> str:
    """What gives the same number in Python."""
    more = "".join(f", {name}={decimal_text(each)}" for name, each in given.items())
    return f'bt.value("{loss.measure}", cases{more})'


def note_of(loss: Loss, given: dict[str, Any]) -> str:
    """γ = 2, or what it is always asked with."""
    return f"{loss.symbol} = {decimal_text(given[loss.slider])}" if loss.slider else loss.note


def height_of(loss: Loss, given: dict[str, Any], p_true: Any, positive: bool) -> float:
    """The loss of a case of which the real class was given this probability, or distance."""
    alpha = given.get("alpha")
    weight = 1.0 if alpha is None else float(alpha if positive else 1 - alpha)
    if p_true == given.get("at"):
        return float(positive)  # called negative, which is wrong for a positive alone
    return weight * loss.height(float(p_true), float(given.get("gamma", 0)))


def curve_of(
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
            [round(height_of(loss, given, p, True), 6) + 0.0 for p in ups],
        ),
        "0": (
            [round(mirror - p, 6) for p in downs],
            [round(height_of(loss, given, p, False), 6) + 0.0 for p in downs],
        ),
    }
