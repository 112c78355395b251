"""Degenerate data: every measure gives a value or a sentence that a student understands."""

import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import Any
from xml.etree import ElementTree

import oracles
import pytest
import sympy

import binteach as bt

TIED_IN_THE_MIDDLE = ["0.9", "0.7", "0.7", "0.1"]
CASES = {
    "no positives": bt.Cases([0, 0, 0], ["0.9", "0.5", "0.1"]),
    "no negatives": bt.Cases([1, 1, 1], ["0.9", "0.5", "0.1"]),
    "all tied": bt.Cases([1, 0, 1, 0], ["0.5"] * 4),
    "all tied, all positive": bt.Cases([1, 1], ["0.5"] * 2),
    "one positive": bt.Cases([1], ["0.7"]),
    "one negative": bt.Cases([0], ["0.7"]),
    "two, right": bt.Cases([1, 0], ["0.7", "0.2"]),
    "two, wrong": bt.Cases([0, 1], ["0.7", "0.2"]),
    "certain and right": bt.Cases([1, 0], [1, 0]),
    "certain and wrong": bt.Cases([0, 1], [1, 0]),
    "certain, half of them right": bt.Cases([1, 0, 1, 0], [1, 1, 0, 0]),
    "twenty with ties": bt.Cases([1, 0] * 10, [Fraction(i % 7, 7) for i in range(20)]),
    "scores of 100 digits": bt.Cases(
        [1, 0, 1], [Fraction(1, 10**100 + 7), Fraction(3, 10**100 + 9), Fraction(1, 2)]
    ),
}
WEIGHTED = {
    "whole weights": bt.Cases([1, 0, 1, 0], TIED_IN_THE_MIDDLE, weights=[1, 2, 3, 4]),
    "fractional weights": bt.Cases(
        [1, 0, 1, 0], TIED_IN_THE_MIDDLE, weights=["1/2", "1/3", 1, "0.25"]
    ),
    "some weights zero": bt.Cases([1, 0, 1, 0], TIED_IN_THE_MIDDLE, weights=[0, 1, 1, 0]),
    "only a positive has weight": bt.Cases([1, 0], ["0.9", "0.7"], weights=[1, 0]),
    "only a negative has weight": bt.Cases([1, 0], ["0.9", "0.7"], weights=[0, 1]),
    "very large weights": bt.Cases([1, 0, 1], ["0.9", "0.5", "0.2"], weights=[10**30, 1, 10**30]),
}
NEGATIVE_SCORES = {"negative scores": bt.Cases([1, 0, 1], [-1, "-1/2", 3])}
COUNTS = {
    "TP = 0": (0, 1, 2, 4),
    "FP = 0": (3, 0, 2, 4),
    "FN = 0": (3, 1, 0, 4),
    "TN = 0": (3, 1, 2, 0),
    "nothing called positive": (0, 0, 2, 4),
    "everything called positive": (3, 1, 0, 0),
    "no positives": (0, 1, 0, 4),
    "no negatives": (3, 0, 2, 0),
    "only TP": (1, 0, 0, 0),
    "only FP": (0, 1, 0, 0),
    "only FN": (0, 0, 1, 0),
    "only TN": (0, 0, 0, 1),
    "all wrong": (0, 1, 1, 0),
    "all right": (1, 0, 0, 1),
    "rationals": (Fraction(1, 2), Fraction(1, 3), Fraction(1, 7), Fraction(1, 42)),
    "very large": (10**30, 10**30 + 1, 7, 10**29),
    "very large and all right": (10**30, 0, 0, 10**30),
}

# They go through the ranking place by place, and a weighted case has no single place.
PLACE_BY_PLACE = {
    *("taks", "mean_precision", "average_gain", "average_lift", "roc_n"),
    *("hit_rate", "qrecall", "quota_lift", "decile_lift", "quota_pearson"),
    *("average_hit_rate", "average_qrecall", "pem"),
}
PROBABILITY_LOSSES = {
    *("mean_absolute_error", "brier_score", "root_mean_square_error", "log_loss"),
    *("balanced_cross_entropy", "focal_loss", "information_score"),
    "relative_information_score",
}


@dataclass(frozen=True)
class Situation:
    """A measure asked for on degenerate data."""

    key: str
    data: Any
    params: tuple[tuple[str, Any], ...] = ()

    @property
    def keywords(self) -> dict[str, Any]:
        return dict(self.params)


def situations(all_cases: dict[str, bt.Cases], counts: bool = False) -> Iterator[Any]:
    for key, measure in bt.MEASURES.items():
        found: list[tuple[str, Any, dict[str, Any]]] = []
        if measure.takes == "counts":
            found = [(name, bt.Counts(*four), {}) for name, four in COUNTS.items() if counts]
            for name, cases in all_cases.items():
                found += [(name, cases, {"top": 0}), (name, cases, {"top": cases.n})]
        elif measure.takes == "triplets":
            same, apart = [([0, 0],) * 3], [([0], [3], [1])] * 14
            found = [("all the same", same, {}), ("fourteen", apart, {})] if counts else []
        elif measure.takes == "classes":
            found = [(name, {"a": cases}, {}) for name, cases in all_cases.items()]
        else:
            for name, cases in all_cases.items():
                tops = sorted({0, 1, cases.n}) if "top" in measure.params else [None]
                found += [(name, cases, {} if top is None else {"top": top}) for top in tops]
                if "epsilon" in measure.params:
                    found.append((name, cases, {"epsilon": 0}))
        for name, data, params in found:
            shown = "".join(f", {word}={number}" for word, number in params.items())
            situation = Situation(key, data, tuple(params.items()))
            yield pytest.param(situation, id=f"{key}: {name}{shown}")


def may_be_weighted(param: Any) -> bool:
    return param.values[0].key not in PLACE_BY_PLACE


def takes_any_number(param: Any) -> bool:
    return param.values[0].key not in PROBABILITY_LOSSES


ANSWERED = [
    *situations(CASES, counts=True),
    *filter(may_be_weighted, situations(WEIGHTED)),
    *filter(takes_any_number, situations(NEGATIVE_SCORES)),
]


_made: dict[int, bt.Derivation] = {}


def derived(situation: Situation) -> bt.Derivation:
    """The derivation, made once for all tests of one situation."""
    place = id(situation)
    if place not in _made:
        _made[place] = bt.explain(situation.key, situation.data, **situation.keywords)
    return _made[place]


def of(key: str) -> list[Situation]:
    """The situations of one measure."""
    return [param.values[0] for param in ANSWERED if param.values[0].key == key]


def reason_of(situation: Situation) -> str:
    """Why there is no value; empty where there is one."""
    try:
        bt.value(situation.key, situation.data, **situation.keywords)
    except bt.Undefined as undefined:
        return undefined.reason
    return ""


# What a reader sees -----------------------------------------------------------------------------


def bare(words: str) -> str:
    """The letters, digits and signs of a sentence, without spaces or kinds of minus signs."""
    plain = unicodedata.normalize("NFKC", words).replace("−", "-")
    return "".join(plain.split())


def seen_in_latex(source: str) -> str:
    for command, sign in {r"\times": "×", r"\cdot": "·", r"\ldots": "…"}.items():
        source = source.replace(command, sign)
    return bare(re.sub(r"[$_^{}\\]", "", source))


def seen_in_markup(source: str) -> str:
    # Named entities are HTML's own; XML has but five.
    source = re.sub(
        r"&(?!amp;|lt;|gt;|quot;|apos;)\w+;", lambda name: html.unescape(name[0]), source
    )
    return bare("".join(ElementTree.fromstring(f"<div>{source}</div>").itertext()))


@pytest.mark.parametrize("situation", ANSWERED)
def test_there_is_a_value_or_a_sentence_that_all_four_renderings_say(situation: Situation) -> None:
    derivation = derived(situation)
    seen = (
        bare(str(derivation)),
        seen_in_latex(derivation.latex()),
        seen_in_markup(derivation.mathml()),
        seen_in_markup(derivation.html()),
    )
    if not derivation.reason:
        value = derivation.value
        assert isinstance(value, Fraction | sympy.Expr)
        assert value == bt.value(situation.key, situation.data, **situation.keywords)
        assert all("isundefined" not in words for words in seen)
        return
    for words in seen:
        assert bare(f"is undefined here: {derivation.reason}.") in words
    with pytest.raises(bt.Undefined) as from_value:
        bt.value(situation.key, situation.data, **situation.keywords)
    assert from_value.value.reason == derivation.reason
    for ask in (lambda: derivation.value, derivation.decimal):
        with pytest.raises(bt.Undefined) as from_derivation:
            ask()
        assert from_derivation.value.reason == derivation.reason


@pytest.mark.parametrize("key", bt.MEASURES)
def test_a_reason_says_in_words_what_the_data_lack(key: str) -> None:
    reasons = {reason for name in of(key) if (reason := reason_of(name))}
    for reason in reasons:
        # It is put after "is undefined here:" and before a full stop.
        assert reason[0].islower(), reason
        assert reason[-1] not in ".!", reason
        assert len(re.findall(r"[a-z]{2,}", reason)) >= 5, reason
    # That a denominator is 0 is the rule; a student asks what in the data made it so.
    assert not {reason for reason in reasons if reason.startswith("the denominator")}
    # 3/5/0 can be read in two ways.
    assert not {reason for reason in reasons if re.search(r"/\d+/", reason)}


# Decimals ---------------------------------------------------------------------------------------


@cache
def to_a_thousand_digits(value: Any) -> Decimal:
    with localcontext(Context(prec=1000)):
        if isinstance(value, Fraction):
            return Decimal(value.numerator) / Decimal(value.denominator)
        return Decimal(str(sympy.N(value, 200)))


def schoolbook(value: Any, places: int) -> str:
    """Rounded halves up in size, as taught; zero has no sign."""
    with localcontext(Context(prec=1000)):
        step = Decimal(1).scaleb(-places)
        digits = to_a_thousand_digits(value).quantize(step, ROUND_HALF_UP)
    return f"{digits if digits else abs(digits):f}"


@pytest.mark.parametrize("key", bt.MEASURES)
def test_a_value_is_a_float_and_rounds_correctly_at_any_length(key: str) -> None:
    answered = [situation for situation in of(key) if not reason_of(situation)]
    assert answered
    for situation in answered:
        derivation = derived(situation)
        value = derivation.value
        close = pytest.approx(float(to_a_thousand_digits(value)), rel=1e-12, abs=1e-300)
        assert float(value) == close
        for places in (0, 3, 50):
            assert derivation.decimal(places) == schoolbook(value, places), situation


# Against the slow definitions -------------------------------------------------------------------


def by_definition(situation: Situation) -> Any:
    """The value from the slow definitions; None where it does not exist."""
    define = getattr(oracles, situation.key)
    data, params = situation.data, situation.keywords
    try:
        if isinstance(data, bt.Counts):
            return define(data.tp, data.fp, data.fn, data.tn)
        if isinstance(data, dict):
            return define({name: (cases.labels, cases.scores) for name, cases in data.items()})
        if isinstance(data, list):
            return define(data)
        if bt.MEASURES[situation.key].takes == "counts":
            counts = data.top(params["top"])
            return define(counts.tp, counts.fp, counts.fn, counts.tn)
        return define(data.labels, data.scores, **params)
    except ZeroDivisionError:
        return None


@pytest.mark.parametrize("key", bt.MEASURES)
def test_a_value_exists_exactly_where_its_definition_gives_one(key: str) -> None:
    asked = [param.values[0] for param in situations(CASES, counts=True)]
    for situation in asked:
        if situation.key != key:
            continue
        expected = by_definition(situation)
        assert (expected is None) == bool(reason_of(situation)), situation
        if expected is None:
            continue
        value = bt.value(situation.key, situation.data, **situation.keywords)
        if isinstance(expected, Fraction):
            assert value == expected, situation
        else:
            assert float(value) == pytest.approx(expected, rel=1e-9, abs=1e-12), situation


# What is refused --------------------------------------------------------------------------------


def test_every_measure_is_asked() -> None:
    asked = {param.values[0].key for param in ANSWERED}
    assert asked == set(bt.MEASURES)
    assert set(bt.MEASURES) >= PLACE_BY_PLACE | PROBABILITY_LOSSES


@pytest.mark.parametrize(
    "situation", [param for param in situations(WEIGHTED) if not may_be_weighted(param)]
)
def test_weights_are_refused_where_places_count(situation: Situation) -> None:
    with pytest.raises(ValueError, match=r"weight|no positive case|quota is empty") as error:
        bt.value(situation.key, situation.data, **situation.keywords)
    if not isinstance(error.value, bt.Undefined):
        assert situation.key in str(error.value)
        assert "leave the weights out" in str(error.value)


@pytest.mark.parametrize(
    "situation", [param for param in situations(NEGATIVE_SCORES) if not takes_any_number(param)]
)
def test_a_negative_score_is_no_probability(situation: Situation) -> None:
    for ask in (bt.value, bt.explain):
        with pytest.raises(ValueError, match=r"row 1 .* -1; rescale") as error:
            ask(situation.key, situation.data, **situation.keywords)
        assert not isinstance(error.value, bt.Undefined)


def test_a_long_ranking_is_elided_but_counted_in_full() -> None:
    derivation = bt.explain("brier_score", CASES["twenty with ties"])
    by_hand = sum(
        (
            (label - score) ** 2
            for label, score in zip(
                CASES["twenty with ties"].labels, CASES["twenty with ties"].scores, strict=True
            )
        ),
        Fraction(0),
    )
    assert derivation.value == by_hand / 20
    assert "(11 more)" in str(derivation)
