"""Two models on the same cases: against other libraries, and definitions written out."""

import math
import re
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, norm
from statsmodels.stats.contingency_tables import mcnemar

import binteach as bt
from binteach import inference
from binteach.expr import Rounded
from binteach.inference import DeLong, McNemar, discordance

ALTERNATIVES = ("two-sided", "greater", "less")
every_alternative = pytest.mark.parametrize("alternative", ALTERNATIVES)
triples = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 5), st.integers(0, 5)), min_size=4, max_size=14
).filter(lambda rows: 2 <= sum(row[0] for row in rows) <= len(rows) - 2)
TEN = bt.load("ten_cases")
OTHER = bt.Cases(TEN.labels, [0.9, 0.5, 0.8, 0.7, 0.6, 0.65, 0.1, 0.2, 0.15, 0.3], names=TEN.names)


def pair_of(rows: list[tuple[int, int, int]]) -> tuple[bt.Cases, bt.Cases]:
    labels, ones, others = map(list, zip(*rows, strict=True))
    return bt.Cases(labels, ones), bt.Cases(labels, others)


# McNemar ----------------------------------------------------------------------------------------


def slow_counts(first: bt.Cases, second: bt.Cases, at: Fraction, rule: str) -> list[list[int]]:
    """Rows: first right, first wrong. Columns: second right, second wrong."""
    table = [[0, 0], [0, 0]]
    for label, one, other in zip(first.labels, first.scores, second.scores, strict=True):
        called = [score > at or (rule == ">=" and score == at) for score in (one, other)]
        table[called[0] != label][called[1] != label] += 1
    return table


@settings(max_examples=150, deadline=None)
@given(triples, st.integers(-1, 6), st.sampled_from([">", ">="]))
def test_mcnemar_agrees_with_statsmodels_and_scipy(
    rows: list[tuple[int, int, int]], at: int, rule: str
) -> None:
    first, second = pair_of(rows)
    table = slow_counts(first, second, Fraction(at), rule)
    found = bt.compare("mcnemar", first, second, at=at, rule=rule)
    counts = [[found.both_right, found.first_only], [found.second_only, found.both_wrong]]
    assert counts == table
    assert math.isclose(found.p, mcnemar(table, exact=True).pvalue, abs_tol=1e-12)
    b, c = table[0][1], table[1][0]
    for alternative in ALTERNATIVES if b + c else ():
        one = bt.compare("mcnemar", first, second, at=at, rule=rule, alternative=alternative)
        other = binomtest(b, b + c, alternative=alternative).pvalue
        assert math.isclose(one.p, other, abs_tol=1e-12)


@pytest.mark.parametrize(("b", "c"), [(0, 0), (0, 1), (3, 3), (2, 7), (7, 2), (0, 12), (20, 31)])
@every_alternative
def test_p_is_the_share_of_all_sequences_of_tosses(b: int, c: int, alternative: str) -> None:
    n = b + c
    ways = [Fraction(math.comb(n, k), 2**n) for k in range(n + 1)]
    expected = {
        "less": sum(ways[: b + 1]),
        "greater": sum(ways[b:]),
        "two-sided": min(Fraction(1), 2 * sum(ways[: min(b, c) + 1])),
    }
    p = discordance._coin(b, c, alternative)
    assert type(p) is Fraction
    assert p == expected[alternative]


@every_alternative
def test_beyond_exact_fractions_p_is_a_double_that_agrees(alternative: str) -> None:
    most = discordance.MOST_EXACT
    b, c = most // 2 - 200, most - (most // 2 - 200)
    near, beyond = discordance._coin(b, c, alternative), discordance._coin(b, c + 1, alternative)
    assert type(near) is Fraction
    assert type(beyond) is float
    assert math.isclose(near, binomtest(b, b + c, alternative=alternative).pvalue, rel_tol=1e-9)
    other = binomtest(b, b + c + 1, alternative=alternative).pvalue
    assert math.isclose(beyond, other, rel_tol=1e-9)


def test_the_top_cases_of_both_are_called_positive() -> None:
    found = bt.compare("mcnemar", TEN, OTHER, top=4)
    assert repr(found) == "McNemar(b=2, c=0, p=1/2)"
    assert (found.both_right, found.both_wrong) == (5, 3)
    assert bt.compare("McNemar", OTHER, TEN, top=4).second_only == 2
    assert bt.compare("mcnemar", TEN, OTHER, top=4, alternative="greater").p == Fraction(1, 4)
    assert bt.compare("mcnemar", TEN, OTHER, top=4, alternative="less").p == 1


def test_without_a_discordant_case_p_is_one_and_told_so() -> None:
    found = bt.compare("mcnemar", TEN, TEN, at="0.5")
    assert found.p == 1
    text = " ".join(str(found).split())
    assert "There is no case that one model gets right and the other wrong." in text


def test_the_explanation_of_mcnemar_writes_the_sum_out() -> None:
    found = McNemar(10, 2, 5, 3, "the 8 top-ranked cases", "two-sided", Fraction(29, 64))
    assert discordance._coin(2, 5, "two-sided") == found.p
    text = " ".join(str(found).split())
    assert "p = 2 × P(X ≤ m)" in text
    assert "= 2 × P(X ≤ 2)" in text
    assert "= 2 × ((1 + 7 + 21) / 2⁷)" in text
    assert "of the 128 sequences of heads and tails, those with 0 to 2 heads" in text
    assert "= 29/64" in text
    assert found.explain().value == Fraction(29, 64)


# DeLong -----------------------------------------------------------------------------------------


def beats(up: Fraction, down: Fraction) -> Fraction:
    return Fraction(1) if up > down else Fraction(1, 2) if up == down else Fraction(0)


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def slow_placements(cases: bt.Cases) -> tuple[list[Fraction], list[Fraction]]:
    pairs = list(zip(cases.labels, cases.scores, strict=True))
    ups = [score for label, score in pairs if label]
    downs = [score for label, score in pairs if not label]
    return (
        [mean([beats(up, down) for down in downs]) for up in ups],
        [mean([beats(up, down) for up in ups]) for down in downs],
    )


def slow_covariance(first: bt.Cases, second: bt.Cases) -> Fraction:
    """S₁₀/n₊ + S₀₁/n₋, each a sum of products of deviations."""
    total = Fraction(0)
    for one, other in zip(slow_placements(first), slow_placements(second), strict=True):
        pairs = zip(one, other, strict=True)
        products = [(v - mean(one)) * (w - mean(other)) for v, w in pairs]
        total += sum(products, Fraction(0)) / (len(one) - 1) / len(one)
    return total


@settings(max_examples=150, deadline=None)
@given(triples)
def test_delong_is_what_all_pairs_give(rows: list[tuple[int, int, int]]) -> None:
    first, second = pair_of(rows)
    found = bt.compare("delong", first, second)
    one, two = slow_covariance(first, first), slow_covariance(second, second)
    both = slow_covariance(first, second)
    assert found.aucs == (bt.value("auc", first), bt.value("auc", second))
    assert (found.variances, found.covariance) == ((one, two), both)
    assert found.variance == one + two - 2 * both >= 0
    error = math.sqrt(one + two - 2 * both)
    reach = norm.ppf(0.975) * error
    assert math.isclose(found.low, found.difference - reach, abs_tol=1e-12)
    assert math.isclose(found.high, found.difference + reach, abs_tol=1e-12)
    if error:
        z = float(found.difference) / error
        assert math.isclose(found.z, z, abs_tol=1e-12)
        assert math.isclose(found.p, 2 * norm.cdf(-abs(z)), abs_tol=1e-12)
    else:
        with pytest.raises(bt.Undefined):
            _ = found.p


@settings(max_examples=50, deadline=None)
@given(triples)
def test_the_variance_of_the_explained_differences_is_the_same(
    rows: list[tuple[int, int, int]],
) -> None:
    first, second = pair_of(rows)
    found = bt.compare("delong", first, second)
    (part,) = [
        step.part
        for step in found.explain().steps
        if getattr(step.before, "base", "") == "Var" and step.rule == "part"
    ]
    assert part is not None
    assert part.value == found.variance


def test_exchanging_the_models_turns_the_sign() -> None:
    found, turned = bt.compare("delong", TEN, OTHER), bt.compare("delong", OTHER, TEN)
    assert (turned.difference, turned.z, turned.p) == (-found.difference, -found.z, found.p)
    one = bt.compare("delong", TEN, OTHER, alternative="greater")
    other = bt.compare("delong", TEN, OTHER, alternative="less")
    assert math.isclose(one.p, found.p / 2)
    assert math.isclose(one.p + other.p, 1)
    assert repr(found) == "DeLong(0.8000 - 0.6800, p=0.3545)"


def test_the_level_is_that_of_the_interval() -> None:
    narrow, wide = (bt.compare("delong", TEN, OTHER, level=level) for level in ("0.5", "0.99"))
    assert wide.low < narrow.low < narrow.high < wide.high
    assert narrow.p == wide.p


@pytest.mark.parametrize(
    ("second", "difference", "words"),
    [
        (bt.Cases([1, 1, 0, 0], [9, 8, 7, 6]), 0, "both models place every case alike"),
        (bt.Cases([1, 1, 0, 0], [1, 2, 3, 4]), 1, "all cases speak for the same model"),
    ],
    ids=["alike", "opposite"],
)
def test_without_variance_there_is_no_p_and_it_is_explained(
    second: bt.Cases, difference: int, words: str
) -> None:
    first = bt.Cases([1, 1, 0, 0], [4, 3, 2, 1])
    found = bt.compare("delong", first, second)
    assert found.variance == 0
    assert found.low == found.high == found.difference == difference
    for name in ("z", "p"):
        with pytest.raises(bt.Undefined, match=words):
            getattr(found, name)
    assert f"is undefined here: {words}" in " ".join(str(found).split())
    assert "undefined" in repr(found)


def test_delong_needs_two_of_each_class() -> None:
    one = bt.Cases([1, 0, 0], [3, 2, 1])
    with pytest.raises(bt.Undefined, match="from 1 positive case; DeLong's variance needs two"):
        bt.compare("delong", one, one)
    with pytest.raises(bt.Undefined, match="there is no negative case"):
        bt.compare("delong", bt.Cases([1, 1], [1, 2]), bt.Cases([1, 1], [1, 2]))


# Input ------------------------------------------------------------------------------------------

WEIGHTED = bt.Cases([1, 0, 1], [1, 2, 3], weights=[1, 2, 1])
THREE = bt.Cases([1, 0, 1], [1, 2, 3])
BAD: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
    (("mcnemer", TEN, TEN), {}, "there is no comparison 'mcnemer'; did you mean mcnemar?"),
    (("delong", TEN, THREE), {}, "the first model has 10 cases and the second 3; both must judge"),
    (
        ("delong", THREE, bt.Cases([1, 1, 0], [1, 2, 3])),
        {},
        "row 2 is negative for the first model and positive for the second",
    ),
    (("delong", THREE, [1, 2, 3]), {}, "the second model is [1, 2, 3]; give Cases(y_true, y_sc"),
    (("mcnemar", WEIGHTED, THREE), {"top": 1}, "the Cases of the first model have weights"),
    (("delong", THREE, WEIGHTED), {}, "the Cases of the second model have weights"),
    (("bootstrap", WEIGHTED, THREE), {}, "the Cases of the first model have weights"),
    (("mcnemar", TEN, TEN), {}, "needs one cut for both models, but no cut was given: say top=4"),
    (("mcnemar", TEN, TEN), {"top": 1, "at": 1}, "both top= and at= were given"),
    (("mcnemar", TEN, TEN), {"top": 1, "rule": ">="}, "rule= says what happens at a threshold"),
    (("mcnemar", TEN, TEN), {"at": 1, "rule": "<"}, "rule is '<'; it must be '>' or '>='"),
    (("mcnemar", TEN, TEN), {"top": 11}, "in the first model top is 11, but there are 10 cases"),
    (
        ("mcnemar", THREE, bt.Cases([1, 0, 1], [2, 2, 1])),
        {"top": 1},
        "in the second model top=1 cuts through a tie",
    ),
    (("mcnemar", TEN, TEN), {"top": 1, "level": "0.9"}, "does not take 'level'; it takes top, at"),
    (("delong", TEN, TEN), {"top": 1}, "delong does not take 'top'; it takes level, alternative"),
    (("delong", TEN, TEN, "auc"), {}, "delong compares AUCs and takes no measure, but measure is"),
    (("delong", TEN, TEN), {"level": 95}, "level is 95; it must lie strictly between 0 and 1"),
    (
        ("delong", TEN, TEN),
        {"alternative": "larger"},
        "alternative is 'larger'; it must be one of 'greater', 'less', 'two-sided'",
    ),
]


@pytest.mark.parametrize(
    ("arguments", "options", "message"), BAD, ids=[message[:40] for _, _, message in BAD]
)
def test_bad_input_is_named_with_its_remedy(
    arguments: tuple[Any, ...], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        bt.compare(*arguments, **options)


# Explanations -----------------------------------------------------------------------------------


def noisy(seed: int, n: int, decimals: int) -> tuple[bt.Cases, bt.Cases]:
    rng = np.random.default_rng(seed)
    labels = (rng.random(n) < 0.4).astype(int)
    ones, others = (np.round(rng.normal(labels * 2, 1), decimals) for _ in range(2))
    return bt.Cases(labels, ones), bt.Cases(labels, others)


TOLD = {
    "ten": (TEN, OTHER),
    "alike": (TEN, TEN),
    "two rankings": (TEN, bt.load("ten_cases_b")),
    "tied": noisy(1, 15, 0),
    "long": noisy(2, 300, 2),
    "far apart": (noisy(3, 200, 3)[0], bt.Cases(noisy(3, 200, 3)[0].labels, range(200))),
}


@every_alternative
@pytest.mark.parametrize("pair", TOLD.values(), ids=TOLD)
@pytest.mark.parametrize("method", ["mcnemar", "delong"])
def test_every_explanation_renders_in_every_format(
    method: str, pair: tuple[bt.Cases, bt.Cases], alternative: str
) -> None:
    options: dict[str, Any] = {"at": "0.5"} if method == "mcnemar" else {"level": "2/3"}
    found = bt.compare(method, *pair, alternative=alternative, **options)
    assert isinstance(found, McNemar | DeLong)
    derivation = found.explain()
    assert str(found) == str(derivation)
    assert found._repr_html_() == derivation._repr_html_()
    assert max(map(len, str(derivation).splitlines())) <= 80
    ElementTree.fromstring(derivation.mathml())
    html = derivation.html()
    ElementTree.fromstring(html[html.index("<div") :])
    assert derivation.latex().count("$$") % 2 == 0
    for step in derivation.steps:
        for relation, tree, _ in step.links:
            if isinstance(tree, Rounded) and "." in tree.digits:
                assert relation == "≈"


def test_a_tiny_p_is_shown_as_a_power_of_ten() -> None:
    found = McNemar(0, 0, 50, 0, "no case", "two-sided", Fraction(2, 2**50))
    assert repr(found) == "McNemar(b=0, c=50, p=1.8e-15)"
    assert "≈ 1.8 × 10⁻¹⁵" in str(found)
    smallest = McNemar(0, 0, 10**5, 0, "no case", "two-sided", Fraction(2, 2 ** (10**5)))
    assert repr(smallest) == "McNemar(b=0, c=100000, p=2.0e-30103)"
    assert "10^(−30103)" in str(smallest) or "10⁻³⁰¹⁰³" in str(smallest)


def test_the_placements_of_both_models_stand_side_by_side() -> None:
    lines = [" ".join(line.split()) for line in str(bt.compare("delong", TEN, OTHER)).splitlines()]
    for line in (
        "case V W d (d − D)²",
        "9 1 0.6 0.4 0.0784",
        "4 0.8 1 −0.2 0.1024",
        "= 21/1250",
        "z ≈ 0.12/0.129615",
        "≈ 0.3545",
    ):
        assert line in lines


# Resampling -------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["bootstrap", "permutation"])
def test_any_measure_can_be_compared_by_resampling(method: str) -> None:
    direct = getattr(inference, f"paired_{method}")(
        TEN, OTHER, "accuracy", resamples=99, seed=1, at="0.5", progress=False
    )
    found = bt.compare(
        method, TEN, OTHER, "accuracy", resamples=99, seed=1, at="0.5", progress=False
    )
    assert str(found) == str(direct)
    default = bt.compare(method, TEN, OTHER, resamples=9, seed=1, progress=False)
    assert default.measure is bt.measure("auc")
