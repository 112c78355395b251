"""The definitions for large data are those for small data; no part of the library is used."""

from fractions import Fraction
from typing import Any

import large_oracles
import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from large_oracles import DOUBLES, EXACT, Doubles, Ranked

SMALL: dict[str, Any] = {**oracles.SCORES, **oracles.RANKING, **oracles.QUOTA}
IRRATIONAL = {
    *("root_mean_square_error", "log_loss", "balanced_cross_entropy", "focal_loss"),
    *("information_score", "relative_information_score", "quota_pearson"),
}


@st.composite
def ranked(draw: st.DrawFn) -> tuple[list[int], list[Fraction]]:
    """Both classes, and few different scores, so that there are ties."""
    n = draw(st.integers(0, 8))
    labels = draw(
        st.permutations([1, 0, *draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))])
    )
    scores = draw(st.lists(st.integers(0, 8), min_size=n + 2, max_size=n + 2))
    return labels, [Fraction(score, 8) for score in scores]


def quota(key: str, n: int) -> dict[str, int]:
    """A quota for the measures that need one, here two thirds of all cases."""
    return {"top": -(-2 * n // 3)} if "top" in SMALL[key].__code__.co_varnames[:3] else {}


def test_no_measure_is_forgotten() -> None:
    assert set(DOUBLES) == set(SMALL)
    assert set(EXACT) == set(SMALL) - IRRATIONAL


@pytest.mark.parametrize("key", EXACT)
@settings(max_examples=30)
@given(drawn=ranked())
def test_the_exact_definitions_are_those_for_small_data(
    key: str, drawn: tuple[list[int], list[Fraction]]
) -> None:
    labels, scores = drawn
    more: dict[str, int] = quota(key, len(labels))
    if key == "roc_n":
        more = {"n": -(-labels.count(0) // 2)}
    if key == "decile_lift":
        labels, scores, more = labels * 5, scores * 5, {"decile": 3}
    assert EXACT[key](Ranked(labels, scores), **more) == SMALL[key](labels, scores, **more)


@pytest.mark.parametrize("key", DOUBLES)
@pytest.mark.parametrize("eighths", [True, False], ids=["tied", "untied"])
def test_the_definitions_in_doubles_agree_with_the_exact_ones(key: str, eighths: bool) -> None:
    random = np.random.default_rng(11)
    for n in (20, 21) if key in IRRATIONAL else (20, 21, 500):
        scores = random.integers(0, 9, n) / 8 if eighths else random.random(n)
        labels = (random.random(n) < scores).astype(int)
        labels[:2] = 0, 1
        exact = [Fraction(float(score)) for score in scores]
        more = quota(key, n)
        if key in IRRATIONAL:
            right = SMALL[key](labels.tolist(), exact, **more)
        else:
            right = EXACT[key](Ranked(labels.tolist(), exact), **more)
        assert float(DOUBLES[key](Doubles(labels, scores), **more)) == pytest.approx(
            float(right), rel=1e-12, abs=1e-12
        )


@given(st.lists(st.fractions(max_denominator=50), max_size=40))
def test_a_sum_as_a_tree_is_the_sum(terms: list[Fraction]) -> None:
    assert large_oracles.total(terms) == sum(terms)
