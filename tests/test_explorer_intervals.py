"""The intervals explorer: its numbers are those of bt.interval and its kin, and the page works."""

import base64
import json
import math
import zlib
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import traitlets
from explorer_pages import HOSTILE, open_page, press_slider, read, set_model

import binteach as bt
from binteach.cases import decimal_text
from binteach.explorers import intervals
from binteach.explorers.intervals import (
    LEVELS,
    MOST_TRIALS,
    POINTS,
    SHARES,
    TITLES,
    bars,
    covered_at,
    derivations,
    share_of,
)
from binteach.explorers.resampled_share import ResampledShare
from binteach.explorers.state import filled
from binteach.inference.working import digits
from binteach.render import html

TEN = bt.load("ten_cases")
BY_FORMULA = [key for key in TITLES if key != "bootstrap"]


@pytest.fixture(scope="module")
def state() -> dict[str, Any]:
    return intervals().state()


# Numbers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_every_position_of_the_sliders_has_its_interval(
    state: dict[str, Any], level: Fraction
) -> None:
    for n in range(1, MOST_TRIALS + 1):
        first, last, offset = state["first"][str(n)]
        assert (first, last) == (0, n)
        for r in range(n + 1):
            assert state["shares"][offset + r] == str(Fraction(r, n))
            for method in BY_FORMULA:
                found = bt.interval(method, r, n, level)
                text = state["ends"][decimal_text(level)][method][offset + r]
                assert text == f"{digits(found.low)} {digits(found.high)}"


def test_every_coverage_is_the_exact_one(state: dict[str, Any]) -> None:
    for level, method, n in product(LEVELS, BY_FORMULA, (1, 2, 5, 10, MOST_TRIALS)):
        curve = bt.coverage(method, n, level).curve(POINTS + 1)
        half = state["coverage"][decimal_text(level)][method][str(n)]
        drawn = [*half, *half[-2::-1]]
        assert drawn == [round(10_000 * covered) for _, covered in curve]


@pytest.mark.parametrize("level", LEVELS)
def test_coverage_is_its_own_mirror_image(level: Fraction) -> None:
    for n in (1, 2, 3, 7, 12, MOST_TRIALS):
        for p in (Fraction(1, 200), Fraction(1, 10), Fraction(37, 200)):
            for method in TITLES:
                assert covered_at(method, n, level, p) == covered_at(method, n, level, 1 - p)


def all_resamples(r: int, n: int) -> list[Fraction]:
    """The share in every one of the n^n resamples, by brute force."""
    trials = [1] * r + [0] * (n - r)
    return sorted(Fraction(sum(draw), n) for draw in product(trials, repeat=n))


@pytest.mark.parametrize(("r", "n"), [(0, 3), (1, 3), (3, 5), (2, 6), (6, 6), (1, 1)])
def test_the_bootstrap_is_that_of_all_resamples(r: int, n: int) -> None:
    shares = all_resamples(r, n)
    for level in LEVELS:
        found = ResampledShare(r, n, level)
        for end, at in ((found.low, (1 - level) / 2), (found.high, (1 + level) / 2)):
            assert end == shares[max(0, math.ceil(at * len(shares)) - 1)]


def test_the_bootstrap_agrees_with_random_resamples_of_cases() -> None:
    drawn = bt.bootstrap(TEN, "accuracy", top=4, resamples=20_000, seed=1, progress=False)
    exactly = ResampledShare(7, 10, Fraction(19, 20))
    assert (float(exactly.low), float(exactly.high)) == (drawn.low, drawn.high) == (0.4, 1)


@pytest.mark.parametrize(("r", "n"), [(0, 201), (201, 201), (7, 201), (180, 300)])
def test_the_bootstrap_of_many_trials_is_the_same_in_doubles(r: int, n: int) -> None:
    found = ResampledShare(r, n, Fraction(19, 20))
    total = n**n
    for share in (Fraction(1, 40), Fraction(39, 40)):
        k = found.quantile(share)
        assert found.below[k] >= share * total
        assert k == 0 or found.below[k - 1] < share * total
        assert found.chances(k) == pytest.approx(
            (float(Fraction(found.ways[k], total)), float(Fraction(found.below[k], total)))
        )


def test_the_bootstrap_explains_itself() -> None:
    text = str(ResampledShare(3, 5, Fraction(19, 20)).explain())
    assert "95% bootstrap interval for 3 of 5" in text
    assert "low = 1/5" in text
    assert "high = 5/5" in text
    assert "single point" in str(ResampledShare(0, 5, Fraction(19, 20)).explain())
    assert "more" in str(ResampledShare(10, 90, Fraction(19, 20)).explain())


@pytest.mark.parametrize("method", TITLES)
def test_every_derivation_is_that_of_the_interval(state: dict[str, Any], method: str) -> None:
    found = json.loads(zlib.decompress(base64.b64decode(state["squeezed"])))
    for level in LEVELS:
        made = found["derivations"][decimal_text(level)][method]
        assert len(made) == sum(n + 1 for n in range(1, 13))
        for name in ("0 of 1", "3 of 5", "7 of 7", "5 of 12"):
            r, n = map(int, name.split(" of "))
            form, use = made[name]
            text = filled(found["forms"][form], found["slots"][form][use])
            if method == "bootstrap":
                assert text == html.fragment(ResampledShare(r, n, level).explain())
            else:
                assert text == html.fragment(bt.interval(method, r, n, level).explain())


def test_the_pair_at_the_start_is_always_derived() -> None:
    explorer = intervals(11, 20)
    assert (11, 20) in explorer._derived()
    assert intervals(150, 200)._derived() == ((150, 200),)
    assert derivations(((150, 200),), (Fraction(1, 2),))["derivations"].keys() == {"0.5"}


# From data ------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", SHARES)
def test_a_share_is_the_value_of_its_measure(key: str) -> None:
    for counts in (TEN.top(4), bt.Counts(5, 1, 2, 9), bt.load("murphy_2").top(5)):
        r, n = share_of(key, counts)
        assert Fraction(r, n) == bt.value(key, counts)


def test_data_set_the_sliders() -> None:
    explorer = intervals(cases=TEN, measure="recall", top=4)
    assert repr(explorer) == "Intervals(10 cases, 3 of 5, level=0.95, method='wald')"
    assert explorer.source == (
        "From the data: Sensitivity where the 4 cases with the highest scores are called positive "
        "is 3 of 5."
    )
    assert (intervals(cases=TEN).successes, intervals(cases=TEN).n) == (8, 10)


def test_what_cannot_be_is_refused_in_words() -> None:
    weighted = bt.Cases([1, 0], ["0.9", "0.4"], weights=[2, 3])
    for wrong, words in (
        ({"cases": TEN, "measure": "auc"}, "auc is not a number of cases over another"),
        ({"cases": weighted}, "weighted cases have no whole number of trials"),
        ({"successes": TEN}, "give data by name"),
        ({"successes": 2, "cases": TEN}, "not both"),
        ({"successes": 6, "n": 5}, "successes is 6"),
        ({"n": 0}, "n is 0"),
        ({"level": 2}, "level is 2"),
        ({"method": "magic"}, "there is no interval 'magic'"),
    ):
        with pytest.raises((ValueError, traitlets.TraitError), match=words):
            intervals(**wrong)


def test_traits_are_checked_and_kept_together() -> None:
    explorer = intervals(8, 10, level="0.9", method="Clopper-Pearson")
    assert (explorer.level, explorer.method) == ("0.9", "clopper_pearson")
    explorer.n = 4
    assert explorer.successes == 4
    for name, wrong in (("successes", 5), ("n", 0), ("n", 26), ("level", "0.5"), ("method", "x")):
        with pytest.raises((ValueError, traitlets.TraitError)):
            setattr(explorer, name, wrong)
    explorer.set_trait("level", "0.990")
    assert explorer.level == "0.99"
    assert intervals(level="0.8").levels == (Fraction(4, 5), *LEVELS)


def test_undefined_shares_and_areas_are_said_to_be() -> None:
    explorer = intervals(cases=TEN, measure="precision", top=0)
    assert explorer.problem.startswith("Precision is undefined where the 0 cases")
    assert (explorer.successes, explorer.n) == (0, 1)
    one_class = intervals(cases=bt.Cases([1, 1], ["0.5", "0.7"]))
    assert isinstance(one_class.permutation, str)
    assert "permutation" not in one_class.build().figures


# The AUC by chance ----------------------------------------------------------------------------


def test_the_bars_are_the_permutation_distribution() -> None:
    found = bt.permutation_test(TEN, "auc")
    drawn = bars(found)
    assert [share for _, _, share, _ in drawn] == [Fraction(c, 252) for _, c in found.support]
    for (left, right, _, _), (area, _) in zip(drawn, found.support, strict=True):
        assert left < area < right
    assert sum(share for _, _, share, tail in drawn if tail) == found.p == Fraction(19, 252)


@pytest.mark.parametrize("name", ["murphy_1", "murphy_2", "arbel_2", "arbel_good", "rare_events"])
def test_the_tail_holds_what_is_as_extreme(name: str) -> None:
    found = bt.permutation_test(bt.load(name), "auc", seed=1, progress=False)
    drawn = bars(found)
    assert sum(share for _, _, share, _ in drawn) == 1
    tail = sum((share for *_, share, is_tail in drawn if is_tail), Fraction(0))
    assert tail == Fraction(found.as_extreme, found.arrangements)


def test_bars_of_data_without_variety() -> None:
    tied = bt.permutation_test(bt.Cases([1, 0, 1], ["0.5"] * 3), "auc")
    assert [(share, tail) for _, _, share, tail in bars(tied)] == [(Fraction(1), True)]


# The page -------------------------------------------------------------------------------------


def test_pages_are_small(tmp_path: Path) -> None:
    for explorer in (intervals(cases=TEN), intervals(cases=bt.load("rare_events"))):
        assert explorer.save(tmp_path / "page.html").stat().st_size < 3_000_000


READ = """() => {
  const source = (...columns) => MODELS.find((m) => m.type === "ColumnDataSource" &&
    columns.every((column) => column in m.data) && Object.keys(m.data).length === columns.length)
  return {
    summary: SUMMARY,
    words: [...source("x", "y", "words").data.words],
    outside: [...source("y", "left", "right").data.right],
    coverage: [...source("x", "y", "text").data.y],
    r: MODELS.filter((m) => m.type === "Slider")[0].value,
    text: text_of(document.body),
    images: document.querySelectorAll("img").length,
  }
}"""


def test_the_page_follows_its_sliders(chromium: Any, tmp_path: Path) -> None:
    page, trouble = open_page(chromium, intervals().save(tmp_path / "page.html"))
    page.wait_for_timeout(300)  # derivations are unpacked in the background
    seen = read(page, READ)
    assert "3 of 5: the 95% Wald interval reaches from 0.1706 to 1.0294" in seen["summary"]
    assert "its part above 1 is impossible" in seen["summary"]
    assert seen["outside"] == [1.0294]
    assert "95% Wald interval for 3 of 5" in seen["text"]
    press_slider(page, 0, "ArrowRight")
    press_slider(page, 1, "ArrowRight")
    set_model(page, "Select", 1, "value", "clopper_pearson")
    seen = read(page, READ)
    for method, words in zip(TITLES, seen["words"], strict=True):
        if method != "bootstrap":
            found = bt.interval(method, 4, 6)
            assert f"{digits(found.low)} to {digits(found.high)}" in words.replace("−", "-")
    curve = bt.coverage("clopper_pearson", 6).curve(201)
    assert seen["coverage"] == [round(10_000 * covered) / 10_000 for _, covered in curve]
    assert "95% Clopper-Pearson interval for 4 of 6" in seen["text"]
    # Fewer trials take the successes along.
    set_model(page, "Slider", 1, "value", 3)
    set_model(page, "Select", 0, "value", "0.99")
    set_model(page, "Select", 1, "value", "bootstrap")
    seen = read(page, READ)
    assert seen["r"] == 3
    assert "3 of 3 (1): the 99% bootstrap interval reaches from 1 to 1." in seen["summary"]
    set_model(page, "Slider", 1, "value", 25)
    set_model(page, "Slider", 0, "value", 20)
    set_model(page, "Select", 1, "value", "wilson")
    seen = read(page, READ)
    assert 'bt.interval("wilson", 20, 25, level="0.99").explain()' in seen["text"]
    page.close()
    assert trouble == []


@pytest.mark.parametrize("data", ["hostile", "one class", "many", "nothing called"])
def test_hostile_and_degenerate_data_make_a_quiet_page(
    chromium: Any, tmp_path: Path, data: str
) -> None:
    hostile = bt.Cases([1, 0, 1], ["0.2", "0.1", "0.4"], names=[HOSTILE, "</script><b>", "c"])
    explorer = {
        "hostile": lambda: intervals(cases=hostile),
        "one class": lambda: intervals(cases=bt.Cases([1], ["0.5"]), measure="sensitivity"),
        "many": lambda: intervals(cases=bt.load("breast_cancer"), measure="precision", top=200),
        "nothing called": lambda: intervals(cases=TEN, measure="precision", top=0),
    }[data]()
    page, trouble = open_page(chromium, explorer.save(tmp_path / "page.html"), width=400)
    page.wait_for_timeout(200)
    seen = read(page, READ)
    assert page.title() == "binteach: intervals explorer"
    assert seen["images"] == 0
    assert "NaN" not in seen["text"]
    assert "interval for" in seen["text"]
    if data == "one class":
        assert "it cannot be tested" in seen["text"]
    if data == "many":
        press_slider(page, 0, "ArrowLeft")
        assert read(page, READ)["summary"].startswith("196 of 200")
    if data == "nothing called":
        assert "Precision is undefined" in seen["text"]
    page.close()
    assert trouble == []
