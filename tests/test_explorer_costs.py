"""The costs explorer: the best cuts are the best, exactly, for every price and every prevalence."""

import itertools
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from explorer_pages import FOCUS, opened

import binteach as bt
from binteach.explorers import costs
from binteach.explorers import rates as shared
from binteach.explorers.state import with_digits
from binteach.render import html

SMALL = {
    "ten": bt.load("ten_cases"),
    "tied": bt.load("murphy_2"),
    "bad": bt.load("arbel_bad"),
    "rational": bt.Cases([1, 0, 1], ["1/3", "1/7", "1/9"]),
    "all tied": bt.Cases([1, 0, 0], [1, 1, 1]),
    "two": bt.Cases([0, 1], [2, 1]),
    "perfect": bt.Cases([1, 1, 0], [3, 2, 1]),
    "collinear": bt.Cases([1, 0] * 4, [4, 4, 3, 3, 2, 2, 1, 1]),
    "weighted": bt.Cases([1, 0, 1, 0], [4, 3, 2, 1], weights=[1, "1/2", 2, 3]),
}


def cheapest(explorer: Any, row: int, share: Fraction) -> tuple[Fraction, list[int]]:
    """By trying all cuts: the least expected cost, and the cuts that have it."""
    cost_fp, cost_fn = explorer.prices[row]
    found = {
        cut.k: bt.value(
            "expected_cost", shared.shares(cut, share), cost_fp=cost_fp, cost_fn=cost_fn
        )
        for cut in explorer.cases.ranking.cuts
    }
    least = min(found.values())
    return least, [k for k, cost in found.items() if cost == least]


@pytest.mark.parametrize("name", SMALL)
def test_the_best_cuts_are_those_that_trying_all_finds(name: str) -> None:
    explorer = costs(SMALL[name])
    # Odd steps through the grid, and what the edges of the hull ask for.
    for row in range(0, len(explorer.prices), 4 if name == "bad" else 2):
        for share in explorer.prevalences[:: 19 if name == "bad" else 7]:
            slope = explorer.slope(explorer.prices[row], share)
            best = explorer.resting[explorer.resting_place(slope)]
            _, wanted = cheapest(explorer, row, share)
            assert [cut.k for cut in best] == wanted, (row, share)


def test_on_an_edge_of_the_hull_all_its_cuts_are_equally_good() -> None:
    explorer = costs(SMALL["collinear"])
    best = explorer.resting[explorer.resting_place(Fraction(1))]
    assert [cut.k for cut in best] == [0, 2, 4, 6, 8]
    ten = costs(SMALL["ten"], cost_fp=1, cost_fn=2)
    slope = ten.slope(ten.prices[ten.price_place], Fraction(1, 2))
    assert slope == Fraction(1, 2)
    assert [cut.k for cut in ten.resting[ten.resting_place(slope)]] == [5, 8]


@pytest.mark.parametrize("name", SMALL)
def test_the_table_says_where_each_corner_is_best(name: str) -> None:
    explorer = costs(SMALL[name])
    for i, (corner, row) in enumerate(zip(explorer.corners, explorer._corner_rows(), strict=True)):
        inner = [
            slope
            for slope in (Fraction(p, 16) for p in range(1, 400))
            if explorer.resting_place(slope) == 2 * i
        ]
        if row["slopes"] == "":
            assert inner == []
            continue
        ends = row["slopes"].replace(" or more", "").split(" to ")
        if "≈" in row["slopes"]:
            continue
        low = Fraction(ends[0])
        assert explorer.resting_place(low + Fraction(1, 10**6)) == 2 * i
        assert low == 0 or explorer.resting_place(low) == 2 * i + 1
        if len(ends) == 2:
            assert explorer.resting_place(Fraction(ends[1]) - Fraction(1, 10**6)) == 2 * i
        assert corner in explorer.corners


def test_prices_in_the_table_are_slopes_times_the_odds() -> None:
    explorer = costs(SMALL["ten"])
    place = explorer.prevalences.index(Fraction(1, 5))
    found = [row["prices"].split("|")[place] for row in explorer._corner_rows() if row["prices"]]
    assert found == ["1/2 or more", "1/8 to 1/2", "0 to 1/8"]
    at_half = explorer.prevalences.index(Fraction(1, 2))
    found = [row["prices"].split("|")[at_half] for row in explorer._corner_rows() if row["prices"]]
    assert found == [row["slopes"] for row in explorer._corner_rows() if row["slopes"]]


def test_state_holds_the_best_cuts_and_their_derivations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "PERCENT", shared.PERCENT[::14])
    explorer = costs(SMALL["ten"])
    state = explorer.state()
    for row, (cost_fp, cost_fn) in enumerate(explorer.prices):
        for column, share in enumerate(explorer.prevalences):
            _, best = cheapest(explorer, row, share)
            resting = state["resting"][state["place"][row][column]]
            assert resting["k"] == best
            assert state["k"][resting["at"]] == best[0]
            counts = shared.shares(explorer.cases.ranking.cut_at(best[0]), share)
            wanted = bt.explain("expected_cost", counts, cost_fp=cost_fp, cost_fn=cost_fn)
            assert shared.derived(state["derivation"], row, column) == html.fragment(wanted)


def test_prices_are_a_grid_and_the_given_ones() -> None:
    explorer = costs(SMALL["two"], cost_fp=7, cost_fn=13, prevalence="1/3")
    ratios = [fp / fn for fp, fn in explorer.prices]
    assert ratios == sorted(set(ratios))
    assert explorer.prices[explorer.price_place] == (Fraction(7), Fraction(13))
    assert explorer.prevalence == Fraction(1, 3)
    assert repr(explorer) == "Costs(2 cases, cost_fp=7, cost_fn=13, prevalence=1/3)"


def test_traits_follow_each_other() -> None:
    explorer = costs(SMALL["two"])
    seen: list[tuple[str, Any]] = []
    explorer.observe(lambda change: seen.append((change.name, change.new)), ["cost_fp", "cost_fn"])
    explorer.cost_fn = 10
    assert explorer.prices[explorer.price_place] == (Fraction(1), Fraction(10))
    assert explorer.ratio == Fraction(1, 10)
    explorer.price_place = len(explorer.prices) - 1
    assert (explorer.cost_fp, explorer.cost_fn) == (100, 1)
    assert seen == [("cost_fn", 10), ("cost_fp", 100), ("cost_fn", 1)]
    explorer.cost_fp = "0.37"
    assert explorer.cost_fp == Fraction(37, 100)
    assert explorer.prices[explorer.price_place] == (Fraction(37, 100), Fraction(1))
    explorer.prevalence = "1/3"
    assert explorer.prevalences[explorer.prevalence_place] == Fraction(1, 3)
    assert repr(explorer) == "Costs(2 cases, cost_fp=37/100, cost_fn=1, prevalence=1/3)"


def test_prices_of_the_same_ratio_are_told_apart() -> None:
    explorer = costs(SMALL["two"], cost_fp=2, cost_fn=2)
    assert explorer.prices[explorer.price_place] == (Fraction(2), Fraction(2))
    assert (Fraction(1), Fraction(1)) not in explorer.prices


@pytest.mark.parametrize("labels", [[1, 1], [0]])
def test_one_class_is_said_in_words(labels: list[int]) -> None:
    explorer = costs(bt.Cases(labels, list(range(len(labels)))))
    root: Any = explorer.build().root
    assert "there is nothing to explore" in root.children[0].children[0].text
    assert explorer.figure("cost").title.text == "Expected cost at every cut"
    assert repr(explorer).startswith("Costs(")


# In a browser ------------------------------------------------------------------------------------

PRICE = "Cost of false alarm to miss"


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return costs(SMALL["ten"]).save(tmp_path_factory.mktemp("costs") / "ten.html")


@pytest.fixture
def ten(chromium: Any, saved: Path) -> Iterator[tuple[Any, list[str]]]:
    with opened(chromium, saved) as page:
        yield page


def test_the_file_is_small_enough(saved: Path) -> None:
    assert saved.stat().st_size <= 3_000_000


def test_sliders_turn_the_line_and_find_the_best_cut(ten: tuple[Any, list[str]]) -> None:
    page, trouble = ten
    explorer = costs(SMALL["ten"])
    assert page.evaluate("points('best')") == {
        "x": [0.2],
        "y": [0.8],
        "text": ["5 called positive: TPR 4/5, FPR 1/5"],
    }
    half = explorer.prices.index((Fraction(1), Fraction(2)))
    page.evaluate("([title, place]) => { slider(title).value = place }", [PRICE, half])
    assert page.evaluate("points('cheapest').x") == [5, 8]
    assert page.evaluate("text('summary')") == (
        "A false alarm costs 1 and a miss 2; at prevalence 50% the lines have slope 1/2, and "
        "several cuts are equally good, those that call 5 or 8 cases positive, at an expected "
        "cost of 3/10 = 0.3 for each case."
    )
    assert page.evaluate(FOCUS, PRICE) == [PRICE, "1 : 2"]
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(f"title => slider(title).value === {half - 1}", arg=PRICE)
    assert page.evaluate("points('cheapest').x") == [8]
    counts = shared.shares(SMALL["ten"].ranking.cut_at(8), Fraction(1, 2))
    working = html.fragment(bt.explain("expected_cost", counts, cost_fp=1, cost_fn=3))
    assert page.evaluate("text('derivation')").endswith(working)
    page.evaluate(FOCUS, "Prevalence")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("slider('Prevalence').value === 48")
    assert "at prevalence 49%" in page.evaluate("text('summary')")
    assert trouble == []


def test_the_page_draws_the_exact_costs_and_a_line_that_touches(
    ten: tuple[Any, list[str]],
) -> None:
    page, trouble = ten
    explorer = costs(SMALL["ten"])
    for row in range(0, len(explorer.prices), 5):
        for column in range(0, len(explorer.prevalences), 14):
            page.evaluate(
                "([title, row, column]) => { slider(title).value = row; "
                "slider('Prevalence').value = column }",
                [PRICE, row, column],
            )
            share, (cost_fp, cost_fn) = explorer.prevalences[column], explorer.prices[row]
            wanted = [
                bt.value(
                    "expected_cost", shared.shares(cut, share), cost_fp=cost_fp, cost_fn=cost_fn
                )
                for cut in explorer.table.cuts
            ]
            found = page.evaluate("[points('cost'), points('line'), points('cheapest')]")
            assert found[0]["y"] == pytest.approx([float(each) for each in wanted])
            assert [text.split(": cost ")[1] for text in found[0]["text"]] == [
                with_digits(each) for each in wanted
            ]
            least = with_digits(min(wanted))
            said = page.evaluate("[text('summary'), text('slope'), points('labels').text]")
            assert f"at an expected cost of {least} for each case." in said[0]
            exact_slope = (1 - share) * cost_fp / (share * cost_fn)
            assert f"<b>{with_digits(exact_slope)}</b>" in said[1]
            levels = [Fraction(label.removeprefix("cost ")) for label in said[2]]
            assert 2 <= len(levels) <= 8
            assert min(wanted) < levels[0]
            assert len({b - a for a, b in itertools.pairwise(levels)}) == 1
            _, best = cheapest(explorer, row, share)
            assert found[2]["x"] == best
            # The line stays in the square, has the slope, and no point lies above it.
            (x0, x1), (y0, y1) = found[1]["x"], found[1]["y"]
            assert min(x0, x1, y0, y1) > -1e-9
            assert max(x0, x1, y0, y1) < 1 + 1e-9
            slope = float(exact_slope)
            if x1 - x0 > 1e-6:
                assert (y1 - y0) / (x1 - x0) == pytest.approx(slope, rel=1e-6)
            for cut in explorer.table.cuts:
                above = float(cut.tpr) - y0 - slope * (float(cut.fpr) - x0)
                assert above < 1e-9 * max(1, slope)
    assert trouble == []


def test_hostile_names_do_not_run(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "PERCENT", shared.PERCENT[::14])
    names = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>"]
    cases = bt.Cases(names, [2, 1], names=names, positive=names[0])
    with opened(chromium, costs(cases).save(tmp_path / "names.html")) as (page, trouble):
        page.evaluate("slider('Prevalence').value = 3")
        page.wait_for_timeout(200)
        assert page.locator("img").count() == 0
        assert trouble == []
