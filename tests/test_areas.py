"""Intervals for the AUC: against definitions written out, exact fractions, and other code."""

import math
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, rankdata

import binteach as bt
from binteach.expr import Rounded
from binteach.inference import AREA_METHODS, AreaInterval, areas

every_method = pytest.mark.parametrize("method", AREA_METHODS)
labels_and_scores = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 5)), min_size=4, max_size=14
).filter(lambda rows: 2 <= sum(label for label, _ in rows) <= len(rows) - 2)


def cases_of(rows: list[tuple[int, int]]) -> bt.Cases:
    return bt.Cases([label for label, _ in rows], [score for _, score in rows])


def beats(up: Fraction, down: Fraction) -> Fraction:
    return Fraction(1) if up > down else Fraction(1, 2) if up == down else Fraction(0)


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def spread(values: list[Fraction]) -> Fraction:
    return sum(((v - mean(values)) ** 2 for v in values), Fraction(0)) / (len(values) - 1)


def slow_delong(cases: bt.Cases) -> tuple[Fraction, Fraction]:
    """The AUC and its variance from every pair of a positive and a negative."""
    pairs = list(zip(cases.labels, cases.scores, strict=True))
    ups = [score for label, score in pairs if label]
    downs = [score for label, score in pairs if not label]
    v10 = [mean([beats(up, down) for down in downs]) for up in ups]
    v01 = [mean([beats(up, down) for up in ups]) for down in downs]
    assert mean(v10) == mean(v01)
    return mean(v10), spread(v10) / len(ups) + spread(v01) / len(downs)


def slow_hanley_mcneil(cases: bt.Cases) -> Fraction:
    a, m, n = bt.value("auc", cases), cases.positives, cases.negatives
    q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
    found: Fraction = (a * (1 - a) + (m - 1) * (q1 - a * a) + (n - 1) * (q2 - a * a)) / (m * n)
    return found


# The CT images that Hanley and McNeil judge: how many of the normal and of the abnormal patients
# were put in each of five grades, from definitely normal to definitely abnormal.
NORMAL, ABNORMAL = (33, 6, 6, 11, 2), (3, 2, 2, 11, 33)


def ct_images() -> bt.Cases:
    rows = [(0, grade) for grade, count in enumerate(NORMAL) for _ in range(count)]
    rows += [(1, grade) for grade, count in enumerate(ABNORMAL) for _ in range(count)]
    return cases_of(rows)


# Values -----------------------------------------------------------------------------------------


def test_the_ten_cases_have_these_variances() -> None:
    cases = bt.load("ten_cases")
    hanley, delong = bt.interval("hanley_mcneil", cases), bt.interval("delong", cases)
    assert hanley.estimate == delong.estimate == Fraction(4, 5)
    assert hanley.variance == Fraction(124, 5625)
    assert delong.variance == Fraction(3, 125)
    assert (f"{hanley.low:.4f}", f"{hanley.high:.4f}") == ("0.5090", "1.0910")
    assert (f"{delong.low:.4f}", f"{delong.high:.4f}") == ("0.4964", "1.1036")


@settings(max_examples=200, deadline=None)
@given(labels_and_scores)
def test_delong_is_what_all_pairs_give(rows: list[tuple[int, int]]) -> None:
    cases = cases_of(rows)
    found = bt.interval("delong", cases)
    assert (found.estimate, found.variance) == slow_delong(cases)
    assert found.estimate == bt.value("auc", cases)


@settings(max_examples=100, deadline=None)
@given(labels_and_scores)
def test_hanley_mcneil_is_its_formula(rows: list[tuple[int, int]]) -> None:
    cases = cases_of(rows)
    found = bt.interval("hanley_mcneil", cases)
    assert found.variance == slow_hanley_mcneil(cases)
    assert found.estimate == bt.value("auc", cases)


@every_method
@settings(max_examples=50, deadline=None)
@given(rows=labels_and_scores)
def test_the_ends_lie_z_standard_errors_from_the_auc(
    method: str, rows: list[tuple[int, int]]
) -> None:
    found = bt.interval(method, cases_of(rows), level="0.9")
    reach = norm.ppf(0.95) * math.sqrt(found.variance)
    assert found.standard_error == math.sqrt(found.variance)
    assert math.isclose(found.low, found.estimate - reach, abs_tol=1e-12)
    assert math.isclose(found.high, found.estimate + reach, abs_tol=1e-12)


@settings(max_examples=50, deadline=None)
@given(labels_and_scores)
def test_turning_the_ranking_mirrors_delong(rows: list[tuple[int, int]]) -> None:
    found = bt.interval("delong", cases_of(rows))
    turned = bt.interval("delong", cases_of([(label, -score) for label, score in rows]))
    renamed = bt.interval("delong", cases_of([(1 - label, score) for label, score in rows]))
    assert turned.estimate == renamed.estimate == 1 - found.estimate
    assert turned.variance == renamed.variance == found.variance


def test_the_ct_images_have_the_published_area_and_error() -> None:
    found = bt.interval("hanley_mcneil", ct_images())
    assert (f"{float(found.estimate):.3f}", f"{found.standard_error:.3f}") == ("0.893", "0.032")
    assert bt.interval("delong", ct_images()).variance == slow_delong(ct_images())[1]


@pytest.mark.parametrize("decimals", [1, 2, 15])
def test_many_cases_agree_with_midranks_in_floats(decimals: int) -> None:
    rng = np.random.default_rng(1)
    labels = rng.random(3000) < 0.3
    scores = np.round(rng.normal(labels * 0.8, 1), decimals)
    ups, downs = scores[labels], scores[~labels]
    ranks = rankdata(np.concatenate([ups, downs]))
    v10 = (ranks[: len(ups)] - rankdata(ups)) / len(downs)
    v01 = 1 - (ranks[len(ups) :] - rankdata(downs)) / len(ups)
    found = bt.interval("delong", bt.Cases(labels.astype(int), scores))
    variance = v10.var(ddof=1) / len(ups) + v01.var(ddof=1) / len(downs)
    assert math.isclose(found.variance, variance, rel_tol=1e-9)
    assert math.isclose(found.estimate, v10.mean(), rel_tol=1e-9)


def test_sums_beyond_64_bits_are_exact() -> None:
    rng = np.random.default_rng(2)
    left, right = rng.integers(2**32 - 99, 2**32, (2, 1000), dtype=np.int64)
    whole = sum(int(a) * int(b) for a, b in zip(left, right, strict=True))
    assert whole > 2**63
    assert areas._dot(left, right) == whole


# The object -------------------------------------------------------------------------------------


@every_method
def test_an_interval_keeps_what_it_was_made_from(method: str) -> None:
    cases = bt.load("ten_cases")
    found = bt.interval(method, cases, level="9/10")
    assert isinstance(found, AreaInterval)
    assert (found.method, found.cases, found.level) == (method, cases, Fraction(9, 10))
    assert type(found.estimate) is type(found.variance) is Fraction
    assert type(found.low) is type(found.high) is type(found.standard_error) is float
    assert found == bt.interval(method, cases, level=0.9)
    with pytest.raises(FrozenInstanceError):
        found.low = 0.0  # type: ignore[misc]


def test_an_interval_prints_its_ends() -> None:
    cases = bt.load("ten_cases")
    shown = "AreaInterval('hanley_mcneil', 4/5, 0.5090 to 1.0910)"
    assert repr(bt.interval("Hanley-McNeil", cases)) == shown


# What there is no interval for ------------------------------------------------------------------


@every_method
@pytest.mark.parametrize(("label", "kind"), [(1, "negative"), (0, "positive")])
def test_one_class_alone_has_no_auc(method: str, label: int, kind: str) -> None:
    with pytest.raises(bt.Undefined, match=f"there is no {kind} case, so there is no AUC"):
        bt.interval(method, bt.Cases([label] * 3, [1, 2, 3]))


@pytest.mark.parametrize(("labels", "kind"), [([1, 0, 0], "positive"), ([1, 1, 0], "negative")])
def test_delong_needs_two_of_each_class(labels: list[int], kind: str) -> None:
    cases = bt.Cases(labels, [2, 3, 1])
    with pytest.raises(bt.Undefined, match=f"cannot be seen from 1 {kind} case; DeLong's variance"):
        bt.interval("delong", cases)
    assert bt.interval("hanley_mcneil", cases).variance == slow_hanley_mcneil(cases)


TEN = bt.load("ten_cases")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("delong", 3, 5), 'takes Cases, not 3: bt.interval("delong", cases, level="0.95"). For a'),
        (("delong", 3), "For a share there are wald, wilson, agresti_coull"),
        (("delong", [1, 0]), "delong is an interval for an AUC and takes Cases, not [1, 0]"),
        (("delong", TEN, "0.9"), "takes Cases and a level by its name, but n is '0.9'"),
        (("wilson", TEN), 'as bt.interval("wilson", 3, 5). For the AUC of Cases there are hanley'),
        (("wilson", TEN, 5), "wilson is an interval for a share: give it successes and trials"),
        (("wilson", 3), 'wilson needs n, the number of trials, too: bt.interval("wilson", 3, 5)'),
        (("delonge", TEN), "there is no interval 'delonge'; did you mean delong? there are wald"),
        (("hanley", TEN), "did you mean hanley_mcneil?"),
    ],
    ids=lambda given: None if isinstance(given, tuple) else "message",
)
def test_bad_input_is_named_with_its_remedy(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        bt.interval(*arguments)


@every_method
def test_a_level_outside_is_refused(method: str) -> None:
    with pytest.raises(ValueError, match="level is 95; it must lie strictly between 0 and 1"):
        bt.interval(method, TEN, level=95)


@every_method
def test_weights_are_refused(method: str) -> None:
    cases = bt.Cases([1, 0, 1, 0], [1, 2, 3, 4], weights=[1, 2, 1, 1])
    with pytest.raises(ValueError, match=f"{method} takes every case as one draw, so it has no us"):
        bt.interval(method, cases)


def test_coverage_is_of_shares() -> None:
    with pytest.raises(ValueError, match="there is no interval 'delong'; there are wald"):
        bt.coverage("delong", 5)


# Explanations -----------------------------------------------------------------------------------

TOLD = {
    "ten": bt.load("ten_cases"),
    "tied": bt.load("murphy_2"),
    "perfect": bt.load("arbel_3"),
    "turned": bt.Cases([0, 0, 1, 1], [4, 3, 2, 1]),
    "constant": bt.Cases([0, 0, 1, 1], [1, 1, 1, 1]),
    "strange names": bt.Cases([0, 0, 1, 1], [4, 1, 2, 3], names=["<b>", "a\x00", "$x$", "é"]),
    "long": bt.load("breast_cancer"),
}
every_example = pytest.mark.parametrize("cases", TOLD.values(), ids=TOLD)


@every_method
@every_example
@pytest.mark.parametrize("level", ["0.95", "2/3"])
def test_every_explanation_renders_in_every_format(
    method: str, cases: bt.Cases, level: str
) -> None:
    found = bt.interval(method, cases, level=level)
    derivation = found.explain()
    assert str(found) == str(derivation)
    assert found._repr_html_() == derivation._repr_html_()
    assert max(map(len, str(derivation).splitlines())) <= 80
    ElementTree.fromstring(derivation.mathml())
    html = derivation.html()
    ElementTree.fromstring(html[html.index("<div") :])
    latex = derivation.latex()
    assert latex.count("$$") % 2 == 0


@every_method
@every_example
def test_rounded_numbers_never_follow_an_equals_sign(method: str, cases: bt.Cases) -> None:
    for step in bt.interval(method, cases).explain().steps:
        for relation, tree, _ in step.links:
            if isinstance(tree, Rounded) and "." in tree.digits:
                assert relation == "≈"


@every_method
@every_example
def test_the_explanation_ends_at_the_ends(method: str, cases: bt.Cases) -> None:
    found = bt.interval(method, cases)
    low, high = repr(found).replace("-", "−").split(", ")[-1].rstrip(")").split(" to ")
    summary = re.search(r"reaches from (?:about )?(\S+) to (?:about )?(\S+)\.\s", f"{found}\n")
    assert summary is not None
    assert summary.groups() == (low, high)


def told(method: str, cases: bt.Cases) -> str:
    return " ".join(str(bt.interval(method, cases)).split())


def test_the_hanley_mcneil_explanation_shows_its_fractions() -> None:
    text = told("hanley_mcneil", TEN)
    for line in ("Q₁ = AUC / (2 − AUC)", "= 2/3 ≈ 0.6667", "= 32/45", "= 124/5625", "≈ 0.5090"):
        assert line in text
    assert "An AUC of 1.0910 is impossible: the upper end is above 1." in text


def test_the_delong_explanation_shows_the_placement_values() -> None:
    lines = [" ".join(line.split()) for line in str(bt.interval("delong", TEN)).splitlines()]
    for line in (
        "V₁₀ = (b + 1/2 × e) / n₋",
        "case score b e V₁₀ (V₁₀ − AUC)²",
        "10 0.95 5 0 1 0.04",
        "3 0.25 2 0 0.4 0.16",
        "8 0.75 2 0 0.4 0.16",
        "sum 4 0.24",
        "= 0.24 / (5 − 1)",
        "= 3/125",
        "SE = √Var",
    ):
        assert line in lines


def test_a_tie_counts_as_one_half_in_the_table() -> None:
    cases = bt.Cases([1, 1, 0, 0, 0], [3, 2, 2, 2, 1], names=list("abcde"))
    lines = [" ".join(line.split()) for line in str(bt.interval("delong", cases)).splitlines()]
    assert "b 2 1 2 2/3 1/36" in lines
    assert "c 2 1 1 0.75 1/144" in lines


def test_long_tables_leave_their_middle_out() -> None:
    text = str(bt.interval("delong", bt.load("breast_cancer")))
    assert "⋮  (203 more)" in text
    assert "⋮  (348 more)" in text
    assert len(text.splitlines()) < 569


@every_method
@pytest.mark.parametrize(("key", "side"), [("perfect", "above"), ("turned", "below")])
def test_a_single_point_is_told_to_mislead(method: str, key: str, side: str) -> None:
    found = bt.interval(method, TOLD[key])
    assert found.variance == 0
    assert found.low == found.high == found.estimate
    text = told(method, TOLD[key])
    assert f"Every positive is ranked {side} every negative." in text
    assert "the interval is a single point" in text
    assert "That misleads" in text
    assert "misleads" not in told(method, TEN)


def test_without_variance_an_auc_of_one_half_is_a_point_too() -> None:
    assert bt.interval("delong", TOLD["constant"]).variance == 0
    assert "All positives have the same placement value" in told("delong", TOLD["constant"])
    assert bt.interval("hanley_mcneil", TOLD["constant"]).variance > 0
