"""Confidence intervals: against the printed example, other libraries, and exact probabilities."""

import math
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import FrozenInstanceError
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest
from statsmodels.stats.proportion import proportion_confint

import binteach as bt
from binteach.derivation import Derivation
from binteach.expr import Rounded
from binteach.inference import METHODS, Interval

STATSMODELS = {
    "wald": "normal",
    "wilson": "wilson",
    "agresti_coull": "agresti_coull",
    "clopper_pearson": "beta",
    "jeffreys": "jeffreys",
}
OUTCOMES = [(r, n) for n in (1, 2, 5, 20, 97) for r in sorted({0, 1, n // 3, n // 2, n - 1, n})]
LEVELS = ("0.5", "0.9", "0.95", "0.99", "0.999999")
every_method = pytest.mark.parametrize("method", METHODS)


def close(left: float, right: float) -> bool:
    return math.isclose(left, right, rel_tol=0, abs_tol=1e-12)


def tail(r: int, n: int, p: Fraction, above: bool) -> Fraction:
    """The probability of r or more successes, or of r or fewer."""
    outcomes = range(r, n + 1) if above else range(r + 1)
    terms = (math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in outcomes)
    return sum(terms, Fraction(0))


# Values -----------------------------------------------------------------------------------------


def test_the_printed_wald_interval_is_met() -> None:
    found = bt.interval("wald", 3, 5)
    assert (f"{found.low:.4f}", f"{found.high:.4f}") == ("0.1706", "1.0294")


def test_the_printed_clopper_pearson_interval_is_met() -> None:
    found = bt.interval("clopper_pearson", 3, 5, level="0.95")
    assert (f"{found.low:.4f}", f"{found.high:.4f}") == ("0.1466", "0.9473")


@every_method
@pytest.mark.parametrize("level", LEVELS)
def test_statsmodels_agrees(method: str, level: str) -> None:
    for r, n in OUTCOMES:
        found = bt.interval(method, r, n, level)
        low, high = found.low, found.high
        other = proportion_confint(
            r, n, alpha=float(1 - Fraction(level)), method=STATSMODELS[method]
        )
        if method in ("wald", "agresti_coull"):
            # statsmodels clips to [0, 1]; we do not.
            low, high = max(low, 0.0), min(high, 1.0)
        if method == "jeffreys":
            # statsmodels keeps the quantile where r = 0 or r = n; we put 0 and 1 there.
            low = other[0] if r == 0 else low
            high = other[1] if r == n else high
        assert close(low, other[0]), (r, n)
        assert close(high, other[1]), (r, n)


@pytest.mark.parametrize("level", LEVELS)
def test_clopper_pearson_is_the_exact_interval_of_scipy(level: str) -> None:
    for r, n in OUTCOMES:
        found = bt.interval("clopper_pearson", r, n, level)
        other = binomtest(r, n).proportion_ci(float(level), method="exact")
        assert close(found.low, other.low), (r, n)
        assert close(found.high, other.high), (r, n)


@pytest.mark.parametrize("level", LEVELS)
def test_clopper_pearson_ends_leave_half_of_alpha_in_each_tail(level: str) -> None:
    half = (1 - Fraction(level)) / 2
    for r, n in OUTCOMES:
        found = bt.interval("clopper_pearson", r, n, level)
        if r > 0:
            assert abs(tail(r, n, Fraction(found.low), above=True) / half - 1) < Fraction(1, 10**12)
        if r < n:
            upper = tail(r, n, Fraction(found.high), above=False)
            # Near 1 the last bit of the end itself counts.
            assert abs(upper / half - 1) < Fraction(1, 10**8 if found.high > 0.999 else 10**12)


def test_wilson_ends_lie_z_of_their_own_standard_errors_from_the_estimate() -> None:
    from scipy.stats import norm

    z = norm.ppf(0.975)
    for r, n in OUTCOMES:
        found = bt.interval("wilson", r, n)
        for end in (found.low, found.high):
            assert close((r / n - end) ** 2, z**2 * end * (1 - end) / n)


@every_method
def test_exchanging_success_and_failure_mirrors_the_interval(method: str) -> None:
    for r, n in OUTCOMES:
        found, mirrored = bt.interval(method, r, n), bt.interval(method, n - r, n)
        assert close(found.low, 1 - mirrored.high)
        assert close(found.high, 1 - mirrored.low)


@every_method
def test_the_estimate_lies_inside_and_a_higher_level_is_wider(method: str) -> None:
    for r, n in OUTCOMES:
        found = [bt.interval(method, r, n, level) for level in LEVELS]
        # The middle half of Jeffreys' distribution may miss the estimate; the others never do.
        for one in found[1:] if method == "jeffreys" else found:
            assert one.low <= one.estimate <= one.high
        for narrow, wide in pairwise(found):
            assert wide.high - wide.low >= narrow.high - narrow.low
            # The middle of Agresti and Coull's moves with z, so an end may move inwards.
            if method != "agresti_coull":
                assert wide.low <= narrow.low
                assert narrow.high <= wide.high


@pytest.mark.parametrize("method", ["clopper_pearson", "wilson", "jeffreys"])
def test_without_success_the_low_end_is_zero_and_without_failure_the_high_end_is_one(
    method: str,
) -> None:
    for n in (1, 5, 20, 1000):
        assert bt.interval(method, 0, n).low == 0
        assert bt.interval(method, n, n).high == 1


def test_wald_is_a_point_where_nothing_varies_and_may_leave_the_unit_interval() -> None:
    assert (bt.interval("wald", 0, 5).low, bt.interval("wald", 0, 5).high) == (0, 0)
    assert (bt.interval("wald", 5, 5).low, bt.interval("wald", 5, 5).high) == (1, 1)
    assert bt.interval("wald", 4, 5).high > 1
    assert bt.interval("wald", 1, 5).low < 0
    assert bt.interval("agresti_coull", 0, 5).low < 0


def test_many_trials_and_levels_near_one_are_no_trouble() -> None:
    for method in METHODS:
        for r in (0, 1, 500_000_000, 10**9):
            found = bt.interval(method, r, 10**9, "0.9999999999")
            assert found.low <= found.estimate <= found.high
            assert found.high - found.low < 1e-3
            assert str(found)


# The object -------------------------------------------------------------------------------------


def test_an_interval_keeps_what_it_was_made_from() -> None:
    found = bt.interval("wilson", 6, 10, level=0.9)
    assert (found.method, found.successes, found.n) == ("wilson", 6, 10)
    assert found.level == Fraction(9, 10)
    assert found.estimate == Fraction(3, 5)
    assert type(found.low) is float
    assert type(found.high) is float
    with pytest.raises(FrozenInstanceError):
        found.low = 0.0  # type: ignore[misc]


def test_an_interval_prints_its_ends() -> None:
    assert repr(bt.interval("wald", 3, 5)) == "Interval('wald', 3/5, 0.1706 to 1.0294)"
    assert repr(bt.interval("jeffreys", 0, 5)) == "Interval('jeffreys', 0/5, 0 to 0.3794)"


def test_ends_very_near_to_zero_or_one_show_what_tells_them_apart() -> None:
    shown = repr(bt.interval("clopper_pearson", 99_999, 100_000))
    assert shown == "Interval('clopper_pearson', 99999/100000, 0.9999443 to 0.999999747)"


@pytest.mark.parametrize(
    "name", ["Clopper-Pearson", "clopper pearson", "CLOPPER_PEARSON", " clopperpearson "]
)
def test_a_method_answers_to_its_name_in_any_spelling(name: str) -> None:
    assert bt.interval(name, 3, 5) == bt.interval("clopper_pearson", 3, 5)
    assert bt.coverage(name, 5) == bt.coverage("clopper_pearson", 5)


@pytest.mark.parametrize(
    "level", ["0.95", "19/20", 0.95, Decimal("0.95"), Fraction(19, 20), np.float64(0.95)]
)
def test_a_level_may_be_given_in_many_ways(level: Any) -> None:
    assert bt.interval("wald", 3, 5, level) == bt.interval("wald", 3, 5)


def test_counts_may_be_any_whole_numbers() -> None:
    assert bt.interval("wald", np.int64(3), "5") == bt.interval("wald", 3.0, Fraction(5))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bayes", 3, 5), "there is no interval 'bayes'; there are wald, wilson"),
        (("wilsen", 3, 5), "did you mean wilson?"),
        ((None, 3, 5), "there is no interval None"),
        (("wald", 6, 5), "successes is 6; it must be a whole number from 0 to the number of tri"),
        (("wald", -1, 5), "successes is -1; it must be a whole number from 0"),
        (("wald", "1.5", 5), "successes is '1.5'; it must be a whole number from 0"),
        (("wald", "three", 5), "successes is 'three'; it must be a whole number from 0"),
        (("wald", math.nan, 5), "successes is nan"),
        (("wald", 0, 0), "n is 0; it must be a whole number of trials from 1"),
        (("wald", 3, 5.5), "n is 5.5; it must be a whole number of trials from 1"),
        (("wald", 3, 10**10), "n is 10000000000; it must be a whole number of trials from 1 to 1,"),
        (("wald", 3, [5]), "n is [5]"),
        (("wald", 3, 5, 1), "level is 1; it must lie strictly between 0 and 1"),
        (("wald", 3, 5, "0"), "level is '0'; it must lie strictly between 0 and 1"),
        (("wald", 3, 5, 95), "as 0.95 for 95%"),
        (("wald", 3, 5, math.inf), "level is inf"),
        (("wald", 3, 5, "0." + "9" * 40), "double precision cannot tell from 1"),
        (("wald", 3, 5, "1e-400"), "level is '1e-400'"),
    ],
)
def test_bad_input_is_named_with_its_remedy(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        bt.interval(*arguments)


# Explanations -----------------------------------------------------------------------------------

TOLD = [(0, 1), (1, 1), (0, 7), (7, 7), (3, 5), (17, 60), (1, 100_000), (999, 1000)]


@every_method
@pytest.mark.parametrize(("r", "n"), TOLD)
@pytest.mark.parametrize("level", ["0.95", "2/3"])
def test_every_explanation_renders_in_every_format(method: str, r: int, n: int, level: str) -> None:
    derivation = bt.interval(method, r, n, level).explain()
    assert isinstance(derivation, Derivation)
    text = str(derivation)
    assert max(map(len, text.splitlines())) <= 80
    assert f"{r} of {n}" in text.splitlines()[0]
    ElementTree.fromstring(derivation.mathml())
    html = derivation.html()
    ElementTree.fromstring(html[html.index("<div") :])
    latex = derivation.latex()
    assert latex.count("$$") % 2 == 0
    assert latex.count("{") == latex.count("}")


@every_method
def test_printing_and_showing_an_interval_gives_its_explanation(method: str) -> None:
    found = bt.interval(method, 3, 5)
    assert str(found) == str(found.explain())
    assert found._repr_html_() == found.explain()._repr_html_()
    assert "<math" in found._repr_html_()


@every_method
@pytest.mark.parametrize(("r", "n"), TOLD)
def test_rounded_numbers_never_follow_an_equals_sign(method: str, r: int, n: int) -> None:
    for step in bt.interval(method, r, n).explain().steps:
        for relation, tree, _ in step.links:
            if isinstance(tree, Rounded) and "." in tree.digits:
                assert relation == "≈"


@every_method
@pytest.mark.parametrize(("r", "n"), TOLD)
def test_the_explanation_ends_at_the_ends(method: str, r: int, n: int) -> None:
    found = bt.interval(method, r, n)
    low, high = repr(found).replace("-", "−").split(", ")[-1].rstrip(")").split(" to ")
    summary = re.search(r"reaches from (about )?(\S+) to (about )?(\S+)\.\s", f"{found}\n")
    assert summary is not None
    assert (summary[2], summary[4]) == (low, high)
    assert (summary[1] is None) == ("." not in low)
    worked = {step.before: step.after for step in found.explain().steps if step.rule == "prove"}
    for name, end in (("low", low), ("high", high)):
        value = next(
            (tree for left, tree in worked.items() if getattr(left, "base", "") == name), None
        )
        if value is not None:
            assert isinstance(value, Rounded)
            assert value.digits.replace("-", "−") == end


def test_the_wald_explanation_follows_the_printed_example() -> None:
    text = str(bt.interval("wald", 3, 5))
    for line in (
        "z ≈ 1.96",
        "= √(0.048)",
        "low ≈ 0.6 − 1.96 × 0.2191",
        "≈ 0.6 − 0.4294",
        "≈ 0.1706",
        "≈ 1.0294",
        "n × p = 3 and n × (1 − p) = 2 must both be greater than 5.",
        "Neither is, so the approximation is poor",
        "A share of 1.0294 is impossible: the upper end is above 1.",
    ):
        assert line in text


def test_the_standard_error_of_wald_is_an_exact_surd() -> None:
    steps = bt.interval("wald", 3, 5).explain().steps
    (part,) = [step.part for step in steps if getattr(step.before, "base", "") == "SE"]
    assert part is not None
    assert part.value**2 == Fraction(6, 125)


def test_the_check_on_wald_is_told_in_words() -> None:
    def told(r: int, n: int) -> str:
        return " ".join(str(bt.interval("wald", r, n)).split())

    assert "Both are, so the normal approximation may be used." in told(6, 12)
    assert "Only one is, so the approximation is poor" in told(5, 12)
    assert "Neither is, so the approximation is poor" in told(5, 10)
    assert "impossible" not in told(6, 12)
    assert "A share of −0.1506 is impossible: the lower end is below 0." in told(1, 5)
    for r in (0, 5):
        assert "the interval is a single point" in told(r, 5)


def test_the_clopper_pearson_explanation_shows_quantiles_and_fractions() -> None:
    text = str(bt.interval("clopper_pearson", 3, 5))
    for line in (
        "F₁ ≈ 5.819757",
        "2(5 − 3 + 1) = 6 and 2 × 3 = 6",
        "F₂ ≈ 8.97958",
        "2(3 + 1) = 8 and 2(5 − 3) = 4",
        "low = r / (r + (n − r + 1) × F₁)",
        "high = ((r + 1) × F₂) / ((n − r) + (r + 1) × F₂)",
        "≈ 3/20.45927",
        "≈ 35.918322/37.918322",
    ):
        assert line in text


@pytest.mark.parametrize("method", ["clopper_pearson", "wilson", "jeffreys"])
def test_an_end_at_zero_or_one_has_a_sentence_that_says_why(method: str) -> None:
    assert METHODS[method].no_success in " ".join(str(bt.interval(method, 0, 5)).split())
    assert METHODS[method].no_failure in " ".join(str(bt.interval(method, 5, 5)).split())
    assert "Without a" not in str(bt.interval(method, 3, 5))


# Coverage ---------------------------------------------------------------------------------------

GRID = [Fraction(i, 200) for i in range(201)]


def brute_force(intervals: list[Interval], n: int, p: Fraction) -> Fraction:
    """The probabilities of all outcomes whose interval holds p, added up one by one."""
    held = Fraction(0)
    for r, one in enumerate(intervals):
        ways = math.factorial(n) // (math.factorial(r) * math.factorial(n - r))
        if one.low <= p <= one.high:
            held += ways * p**r * (1 - p) ** (n - r)
    return held


@every_method
@pytest.mark.parametrize("n", [5, 20])
def test_coverage_is_what_listing_every_outcome_gives(method: str, n: int) -> None:
    intervals = [bt.interval(method, r, n) for r in range(n + 1)]
    curve = bt.coverage(method, n).curve()
    assert curve == [(p, brute_force(intervals, n, p)) for p in GRID]


@every_method
@pytest.mark.parametrize("n", [1, 5, 20])
def test_coverage_is_the_same_for_p_and_one_minus_p(method: str, n: int) -> None:
    values = [covered for _, covered in bt.coverage(method, n).curve()]
    assert values == values[::-1]


@pytest.mark.parametrize("n", [1, 2, 5, 20, 50])
@pytest.mark.parametrize("level", ["0.5", "0.8", "0.95", "0.99"])
def test_clopper_pearson_never_falls_below_its_level(n: int, level: str) -> None:
    assert bt.coverage("clopper_pearson", n, level).minimum >= Fraction(level)


@pytest.mark.parametrize("n", [5, 20])
def test_wald_is_bad_near_zero_and_one(n: int) -> None:
    wald = bt.coverage("wald", n)
    for p in (Fraction(1, 100), Fraction(99, 100)):
        # Where nothing varies, which is likely, the interval is a point other than p.
        assert wald.at(p) <= 1 - Fraction(99, 100) ** n < Fraction(1, 4)
    assert wald.minimum <= 1 - Fraction(199, 200) ** n < Fraction(1, 10)


def test_an_end_counts_as_inside_where_it_is_a_fraction() -> None:
    # From one trial, the lower end after a success is α/2 itself.
    assert bt.coverage("clopper_pearson", 1).at("1/40") == 1
    assert bt.coverage("clopper_pearson", 1).at("1/41") == Fraction(40, 41)
    # P(two successes of two) = 1/4 = α/2 at p = 1/2.
    assert bt.coverage("clopper_pearson", 2, "1/2").at("1/2") == 1
    for method in METHODS:
        assert bt.coverage(method, 5).at(0) == bt.coverage(method, 5).at(1) == 1


def test_coverage_is_a_fraction_at_every_rational_share() -> None:
    assert bt.coverage("wald", 5).at("1/2") == 1 - Fraction(2, 32)  # all but 0 and 5
    assert type(bt.coverage("wald", 5).at(0.3)) is Fraction


def test_a_curve_runs_from_zero_to_one_in_equal_steps() -> None:
    coverage = bt.coverage("wilson", 5)
    assert [p for p, _ in coverage.curve()] == GRID
    assert [p for p, _ in coverage.curve(points=3)] == [0, Fraction(1, 2), 1]
    assert coverage.minimum == min(covered for _, covered in coverage.curve())


def test_coverage_prints_what_it_is_of() -> None:
    assert repr(bt.coverage("Wald", 5)) == "Coverage('wald', n=5, level=0.95)"


def test_bad_input_to_coverage_is_named_with_its_remedy() -> None:
    with pytest.raises(
        ValueError, match="n is 10001; it must be a whole number of trials from 1 t"
    ):
        bt.coverage("wald", 10_001)
    with pytest.raises(ValueError, match=r"p is 1\.5; a share lies from 0 to 1"):
        bt.coverage("wald", 5).at(1.5)
    with pytest.raises(ValueError, match="points is 1; it must be a whole number from 2"):
        bt.coverage("wald", 5).curve(points=1)
    with pytest.raises(ValueError, match="there is no interval 'bayes'"):
        bt.coverage("bayes", 5)


# Loading ----------------------------------------------------------------------------------------


def test_scipy_is_loaded_only_for_a_quantile_that_is_not_normal() -> None:
    program = (
        "import sys; import binteach as bt; bt.coverage('wald', 5); bt.interval('wilson', 3, 5)\n"
        "assert 'scipy' not in sys.modules\n"
        "bt.interval('jeffreys', 3, 5)\n"
        "assert 'scipy' in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_coverage_shows_itself_as_a_table() -> None:
    found = bt.coverage("wald", 5)
    text, page = str(found), found._repr_html_()
    assert "Coverage of the 95% Wald interval, n = 5" in text
    assert "0.9375" in text  # 15/16, at a true share of 1/2
    assert "<table" in page
    assert bt.coverage("jeffreys", 1, "0.9").table().heads == ("true share", "coverage")
