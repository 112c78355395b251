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
from explorer_pages import HOSTILE, open_page, press_slider, read, set_model

import binteach as bt
from binteach.cases import decimal_text
from binteach.exact import rounded
from binteach.explorers import intervals
from binteach.explorers.interval_figures import bars
from binteach.explorers.intervals import (
    LEVELS,
    MOST_TRIALS,
    POINTS,
    SHARES,
    TITLES,
    covered_at,
    derivations,
    share_of,
)
from binteach.explorers.resampled_share import ResampledShare
from binteach.explorers.state import filled, with_digits
from binteach.inference.working import digits
from binteach.render import html

TEN = bt.load("ten_cases")
BY_FORMULA = [key for key in TITLES if key != "bootstrap"]


def shown(end: float) -> str:
    """The digits of an end; = before those that are not rounded."""
    return f"={end:.0f}" if end in (0, 1) else digits(end)


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
            assert state["shares"][offset + r] == with_digits(Fraction(r, n))
            for method in BY_FORMULA:
                found = bt.interval(method, r, n, level)
                text = state["ends"][decimal_text(level)][method][offset + r]
                assert text == f"{shown(found.low)} {shown(found.high)}"


def test_the_ends_of_the_bootstrap_are_exact_or_rounded_from_the_exact(
    state: dict[str, Any],
) -> None:
    for n in (1, 3, 8, 25):
        _, _, offset = state["first"][str(n)]
        for r in range(n + 1):
            found = ResampledShare(r, n, LEVELS[1])
            both = zip(
                state["ends"]["0.95"]["bootstrap"][offset + r].split(),
                (found.low, found.high),
                strict=True,
            )
            for text, end in both:
                is_short = 10**4 % end.denominator == 0
                assert text == (f"={decimal_text(end)}" if is_short else rounded(end, 4))


def test_every_coverage_is_the_exact_one(state: dict[str, Any]) -> None:
    for level, method, n in product(LEVELS, BY_FORMULA, (1, 2, 5, 10, MOST_TRIALS)):
        curve = bt.coverage(method, n, level).curve(POINTS + 1)
        half = state["coverage"][decimal_text(level)][method][str(n)]
        drawn = [*half, *half[-2::-1]]
        for text, (_, covered) in zip(drawn, curve, strict=True):
            is_short = 10**4 % covered.denominator == 0
            assert text == (f"={decimal_text(covered)}" if is_short else rounded(covered, 4))


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
    assert explorer.start.source == (
        "From the data: where the 4 cases with the highest scores are called positive, Sensitivity "
        "is 3/5."
    )
    one = intervals(cases=TEN, measure="precision", top=1).start.source
    assert one == (
        "From the data: where the case with the highest score is called positive, Precision is 1/1 "
        "= 1."
    )
    assert (intervals(cases=TEN).successes, intervals(cases=TEN).n) == (8, 10)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"cases": TEN, "measure": "auc"}, "measure is 'auc', which is not a number of cases over"),
    ({"cases": TEN, "measure": "colour"}, "measure is 'colour': "),
    ({"cases": TEN, "measure": 3}, "measure is 3: "),
    ({"cases": TEN, "top": 11}, "top is 11, but there are 10 cases"),
    ({"cases": TEN, "top": "all"}, "top is 'all', which is not a number"),
    ({"cases": bt.Cases([1, 0], ["0.9", "0.4"], weights=[2, 3])}, "no whole number of trials"),
    ({"cases": 3}, "takes Cases, not 3"),
    ({"cases": bt.Cases([0] * 10_001, range(10_001))}, "Accuracy has 10,001 trials here"),
    ({"successes": TEN}, "give data by name"),
    ({"successes": 2, "cases": TEN}, "not both"),
    ({"n": 2, "cases": TEN}, "not both"),
    ({"measure": "recall"}, "measure and top are of data"),
    ({"top": 3}, "measure and top are of data"),
    ({"successes": 6, "n": 5}, "successes is 6; it must be a whole number from 0 to 5"),
    ({"successes": "3"}, "successes is '3'; it must be a whole number from 0 to 5"),
    ({"successes": True}, "successes is True; it must be a whole number"),
    ({"n": 0}, "n is 0; it must be a whole number from 1 to 10000"),
    ({"n": 10_001}, "n is 10001; it must be a whole number from 1 to 10000"),
    ({"n": 2.5}, "n is 2.5; it must be a whole number"),
    ({"level": 2}, "level is 2; it must lie strictly between 0 and 1"),
    ({"level": None}, "level is None"),
    ({"method": "magic"}, "method: there is no interval 'magic'; there are wald, "),
    ({"method": None}, "method: there is no interval None; there are wald, "),
]


@pytest.mark.parametrize(("given", "words"), WRONG)
def test_what_cannot_be_is_refused_in_words(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        intervals(**given)


def test_traits_are_checked_and_kept_together() -> None:
    explorer = intervals(8, 10, level="0.9", method="Clopper-Pearson")
    assert (explorer.level, explorer.method) == ("0.9", "clopper_pearson")
    explorer.n = 4
    assert explorer.successes == 4
    before = repr(explorer)
    for name, wrong, words in (
        ("successes", 5, "successes is 5; it must be a whole number from 0 to 4"),
        ("successes", None, "successes is None; it must be a whole number from 0 to 4"),
        ("n", 0, "n is 0; it must be a whole number from 1 to 25"),
        ("n", 26, "n is 26; it must be a whole number from 1 to 25"),
        ("n", "5", "n is '5'; it must be a whole number from 1 to 25"),
        ("level", "0.5", "level is '0.5'; here there are 0.9, 0.95, 0.99"),
        ("level", "high", "level is 'high', which is not a number"),
        ("method", "x", "method: there is no interval 'x'; there are wald"),
        ("method", 3, "method: there is no interval 3; there are wald"),
    ):
        with pytest.raises(ValueError, match=words):
            setattr(explorer, name, wrong)
    assert repr(explorer) == before
    explorer.level = 0.99
    assert explorer.level == "0.99"
    assert intervals(level="0.8").levels == (Fraction(4, 5), *LEVELS)
    far = intervals(150, 200)
    with pytest.raises(ValueError, match="successes is 99; it must be a whole number from 100 to"):
        far.successes = 99
    with pytest.raises(ValueError, match="n is 199; it must be a whole number from 200 to 200"):
        far.n = 199


def test_other_data_and_other_shares_are_taken_in_their_place() -> None:
    explorer = intervals(3, 5, method="wilson")
    column = explorer.widget()
    first = column.children[-1].children[0]
    explorer.take(TEN, "recall")
    assert repr(explorer) == "Intervals(10 cases, 4 of 5, level=0.95, method='wilson')"
    second = column.children[-1].children[0]
    assert first is not second
    (row,) = explorer.controls()
    row.children[-1].value = "PPV"
    assert (explorer.measure, explorer.successes, explorer.n) == ("precision", 4, 5)
    with pytest.raises(ValueError, match="weighted cases"):
        explorer.take(bt.Cases([1, 0], [2, 1], weights=[1, 2]))
    assert explorer.cases == TEN
    explorer.take(bt.load("murphy_2"))
    assert repr(explorer.permutation) == "Permutation('auc', p = 4/63)"


def test_undefined_shares_and_areas_are_said_to_be() -> None:
    explorer = intervals(cases=TEN, measure="precision", top=0)
    assert explorer.start.undefined == (
        "Precision is undefined where no case is called positive: no case was called positive, so "
        "TP + FP = 0; 0/0 is not a number."
    )
    assert repr(explorer) == "Intervals(10 cases, 0 of 0, level=0.95, method='wald')"
    assert explorer.start.derivation == html.fragment(bt.explain("precision", TEN.top(0)))
    assert explorer.start.derivation in explorer._derivation()
    explorer.n = 3  # other shares are there
    assert explorer._derivation() == (
        f'<div data-of="0 of 3 0.95 wald">{html.render(bt.interval("wald", 0, 3).explain())}</div>'
    )
    explorer.n = 0
    one_class = intervals(cases=bt.Cases([1, 1], ["0.5", "0.7"]))
    assert isinstance(one_class.permutation, str)
    assert "permutation" not in one_class.build().figures


# The AUC by chance ----------------------------------------------------------------------------


def test_the_bars_are_the_permutation_distribution() -> None:
    found = bt.permutation_test(TEN, "auc")
    drawn = bars(found)
    assert [bar.share for bar in drawn] == [Fraction(c, 252) for _, c in found.support]
    for bar, (area, _) in zip(drawn, found.support, strict=True):
        assert bar.left < area < bar.right
        assert bar.auc == with_digits(area)
    assert sum(bar.share for bar in drawn if bar.tail) == found.p == Fraction(19, 252)


@pytest.mark.parametrize("name", ["murphy_1", "murphy_2", "arbel_2", "arbel_good", "rare_events"])
def test_the_tail_holds_what_is_as_extreme(name: str) -> None:
    found = bt.permutation_test(bt.load(name), "auc", seed=1, progress=False)
    drawn = bars(found)
    assert sum(bar.share for bar in drawn) == 1
    tail = sum((bar.share for bar in drawn if bar.tail), Fraction(0))
    assert tail == Fraction(found.as_extreme, found.arrangements)


def test_bars_of_data_without_variety() -> None:
    tied = bt.permutation_test(bt.Cases([1, 0, 1], ["0.5"] * 3), "auc")
    (bar,) = bars(tied)
    assert (bar.share, bar.tail, bar.auc) == (Fraction(1), True, "1/2 = 0.5")


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
    covered: [...source("x", "y", "text").data.text],
    r: MODELS.filter((m) => m.type === "Slider")[0].value,
    text: text_of(document.body),
    images: document.querySelectorAll("img").length,
  }
}"""


def test_the_page_follows_its_sliders(chromium: Any, tmp_path: Path) -> None:
    page, trouble = open_page(chromium, intervals().save(tmp_path / "page.html"))
    page.wait_for_timeout(300)  # derivations are unpacked in the background
    seen = read(page, READ)
    assert seen["summary"] == (
        "3/5 = 0.6: the 95% Wald interval reaches from ≈ 0.1706 to ≈ 1.0294; its part above 1 is "
        "impossible. Coverage is lowest, ≈ 0.0248, where the true share is 0.005 or 0.995."
    )
    assert seen["outside"] == [1.0294]
    assert "95% Wald interval for 3 of 5" in seen["text"]
    press_slider(page, 0, "ArrowRight")
    press_slider(page, 1, "ArrowRight")
    set_model(page, "Select", 1, "value", "clopper_pearson")
    seen = read(page, READ)
    for method, words in zip(TITLES, seen["words"], strict=True):
        if method != "bootstrap":
            found = bt.interval(method, 4, 6)
            ends = f"≈ {digits(found.low)} to ≈ {digits(found.high)}"
            assert words.removeprefix("▸ ").replace("−", "-") == ends
    curve = bt.coverage("clopper_pearson", 6).curve(201)
    assert seen["coverage"] == [float(rounded(covered, 4)) for _, covered in curve]
    assert seen["covered"][0] == "true share 0: coverage = 1"
    assert seen["covered"][60] == f"true share 0.3: coverage ≈ {rounded(curve[60][1], 4)}"
    assert "95% Clopper-Pearson interval for 4 of 6" in seen["text"]
    # Fewer trials take the successes along.
    set_model(page, "Slider", 1, "value", 3)
    set_model(page, "Select", 0, "value", "0.99")
    set_model(page, "Select", 1, "value", "bootstrap")
    seen = read(page, READ)
    assert seen["r"] == 3
    assert "3/3 = 1: the 99% bootstrap interval reaches from 1 to 1." in seen["summary"]
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
    assert ("Precision" if data == "nothing called" else "interval for") in seen["text"]
    if data == "one class":
        assert "it cannot be tested" in seen["text"]
    if data == "many":
        press_slider(page, 0, "ArrowLeft")
        assert read(page, READ)["summary"].startswith("196/200 = 49/50 = 0.98: the 95% Wald")
    if data == "nothing called":
        assert seen["summary"] == (
            "Precision is undefined where no case is called positive: no case was called positive, "
            "so TP + FP = 0; 0/0 is not a number. So there are no trials, and no interval. Move n "
            "to see those of other shares."
        )
        assert seen["words"] == seen["outside"] == seen["coverage"] == []
        assert "0 of 1" not in seen["text"]
        press_slider(page, 1, "ArrowRight")
        page.wait_for_timeout(200)
        seen = read(page, READ)
        assert seen["summary"].startswith("0/1 = 0: the 95% Wald interval reaches from 0 to 0.")
        assert "95% Wald interval for 0 of 1" in seen["text"]
    page.close()
    assert trouble == []
