"""The quota explorer: every quota holds the exact measures, and the page shows them."""

import json
import random
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy

import binteach as bt
from binteach import exact
from binteach.explorers import quota
from binteach.explorers.quotas import QuotaTable, value_text
from binteach.explorers.state import filled
from binteach.render import html

HOSTILE = "<img src=x onerror=alert(1)>"
TIED = bt.Cases(
    [1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1],
    ["0.9", "0.9", "0.9", "0.7", "0.7", "0.6", "0.5", "0.5", "0.5", "0.5", "0.2", "0.1"],
)
SMALL = {
    **{name: bt.load(name) for name in ("arbel_2", "arbel_3", "murphy_2", "ten_cases")},
    "tied": TIED,
    "bad": bt.load("arbel_bad"),
}
DEGENERATE = {
    "no positive": bt.Cases([0, 0, 0], [0.1, 0.5, 0.5]),
    "no negative": bt.Cases([1, 1, 1], [0.1, 0.5, 0.5]),
    "one positive": bt.Cases([1], [0.3]),
    "one negative": bt.Cases([0], [0]),
    "all tied": bt.Cases([1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5]),
}


def value_or_none(key: str, cases: bt.Cases, **params: Any) -> Any:
    try:
        return bt.value(key, cases, **params)
    except bt.Undefined:
        return None


# Without a browser --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*SMALL, *DEGENERATE])
def test_every_quota_holds_the_exact_measures(name: str) -> None:
    cases = {**SMALL, **DEGENERATE}[name]
    explorer = quota(cases)
    table, state = explorer.table, explorer.state()
    assert state["k"] == list(range(cases.n + 1))
    for j in state["k"]:
        for key, column in (
            ("hit_rate", table.hit_rate),
            ("qrecall", table.qrecall),
            ("quota_lift", table.lift),
        ):
            assert column[j] == value_or_none(key, cases, top=j)
        for key in ("hit_rate", "qrecall"):
            wanted = value_or_none(key, cases, top=j)
            assert state[key][j] == (None if wanted is None else float(wanted))
            assert state[f"{key}_text"][j].endswith(value_text(wanted))


@pytest.mark.parametrize("name", [*SMALL, *DEGENERATE])
def test_the_correlation_is_exact_at_every_quota(name: str) -> None:
    cases = {**SMALL, **DEGENERATE}[name]
    explorer = quota(cases)
    numbers = explorer.state()["numbers"]
    for j in range(min(cases.n, 20) + 1):
        mine, wanted = explorer.table.pearson[j], value_or_none("quota_pearson", cases, top=j)
        if wanted is None:
            assert mine is None
            assert numbers[j][3][1] == "undefined"
        else:
            assert sympy.simplify(sympy.sympify(exact.public(mine)) - sympy.sympify(wanted)) == 0


@pytest.mark.parametrize("name", SMALL)
def test_areas_are_summed_place_by_place(name: str) -> None:
    cases = SMALL[name]
    table = QuotaTable(cases)
    points = bt.curve("qrecall", cases).series
    sums = [Fraction(0)] * 3
    for j in range(1, cases.n + 1):
        model, chance, best = (points[line][j].y for line in ("model", "random", "optimal"))
        gaps = (max(model - chance, Fraction(0)), max(chance - model, Fraction(0)), best - chance)
        assert table.gaps(j) == gaps
        sums = [total + gap for total, gap in zip(sums, gaps, strict=True)]
        assert table.areas[j] == tuple(sums)
    assert (sums[0] - sums[1]) / sums[2] == bt.value("pem", cases)


def test_table_5_is_shown_as_it_is_printed() -> None:
    state = quota(bt.load("arbel_2"), 4).state()
    assert state["rows"]["1"]["areas"] == ["1", "1", "0.25", "0.1", "0.25", "0.15", "0", "0.15"]
    assert state["rows"]["4"]["areas"] == ["4", "1", "0.75", "0.4", "1", "0.35", "0", "0.6"]
    assert state["rows"]["7"]["areas"] == ["7", "1", "1", "0.7", "1", "0.3", "0", "0.3"]
    assert state["sums"][-1] == ["1.75", "0", "3"]
    assert state["pem"] == "PEM = (S₁ − S₂) / S₃ = (7/4 − 0) / 3 = 7/12 ≈ 0.5833"


@pytest.mark.parametrize("name", [*SMALL, *DEGENERATE])
def test_deciles_hold_the_exact_lift(name: str) -> None:
    cases = {**SMALL, **DEGENERATE}[name]
    state = quota(cases).state()
    wanted = [value_or_none("decile_lift", cases, decile=tenth) for tenth in range(1, 11)]
    assert state["decile_lift"] == [None if lift is None else float(lift) for lift in wanted]
    assert state["decile"][0] == 0
    assert state["decile"] == sorted(state["decile"])
    if cases.n >= 10:
        assert state["decile"][1] == 1
        assert state["decile"][-1] == 10


def test_the_people_in_the_quota_are_named() -> None:
    cases = bt.Cases([1, 0, 1, 0, 1], [5, 4, 3, 2, 1], names=["Ann", "Bo", "Cy", "Di", "Ed"])
    table = QuotaTable(cases)
    assert table.sentence(2) == (
        "You can check 2 of 5 cases: 1 of 3 positives is found, 2 are missed."
    )
    people = table.people(2)
    assert "Found</b> 1 positive: Ann</p>" in people
    assert "Missed</b> 2 positives: Cy, Ed</p>" in people
    assert "Checked in vain</b> 1 negative: Bo</p>" in people
    assert table.sentence(5).endswith("3 of 3 positives are found, none is missed.")
    assert "Missed</b> no positive</p>" in table.people(5)


def test_a_tie_at_the_line_is_spread_and_said() -> None:
    explorer = quota(bt.load("murphy_2"), 4)
    table, rows = explorer.table, explorer.state()["rows"]
    assert table.found[4] == Fraction(7, 2)
    assert "(expected, because of a tie)" in table.sentence(4)
    assert "cases 4, 6 share the score 0.6, and 1 place is left for these 2" in table.people(4)
    assert "t = 1/2 of a positive" in table.people(4)
    assert "Tied" not in table.people(5)
    assert [rows[str(place)]["ranking"][4] for place in (3, 4, 5, 6)] == ["1", "1/2", "1/2", "0"]
    assert [rows[str(place)].get("tie") for place in (3, 4, 5)] == [None, "tie first", "tie last"]
    # The line runs through the tied score itself.
    assert table.line(4) == Fraction(3, 5)
    assert table.line(3) == Fraction(13, 20)
    assert (table.line(0), table.line(9)) == (None, None)


def test_derivations_are_those_of_explain() -> None:
    cases = bt.load("murphy_2")
    state = quota(cases).state()

    def written(key: str, place: int) -> str:
        form, use = state["derivations"][key][place]
        return filled(state["forms"][form], state["slots"][form][use])

    assert written("pem", 0) == html.fragment(bt.explain("pem", cases))
    for key in ("hit_rate", "qrecall", "quota_lift", "quota_pearson"):
        for j in range(cases.n + 1):
            assert written(key, j) == html.fragment(bt.explain(key, cases, top=j))
    for j, decile in enumerate(state["decile"]):
        wanted = bt.explain("decile_lift", cases, decile=max(decile, 1))
        assert written("decile_lift", j) == html.fragment(wanted)


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_data_give_a_page_that_says_so(name: str, tmp_path: Path) -> None:
    explorer = quota(DEGENERATE[name])
    state = explorer.state()
    assert "NaN" not in json.dumps(state)
    explorer.save(tmp_path / "page.html")
    if name != "all tied":
        assert state["pem"].startswith("PEM is undefined: ")
    if name == "no positive":
        assert "there is no positive case to find" in state["sentence"][2]
        assert ["Qrecall", "undefined", "no positive", "", ""] in state["numbers"][2]


def test_names_from_the_data_are_escaped() -> None:
    cases = bt.Cases([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1], names=[HOSTILE] * 4)
    assert "<img" not in json.dumps(quota(cases, 2).state())


def test_traits_are_validated() -> None:
    explorer = quota(bt.load("arbel_2"))
    assert explorer.quota == 4, "as many as there are positives"
    explorer.quota = 10
    explorer.measure = "P@k"
    assert repr(explorer) == "Quota(10 cases, quota=10, measure='hit_rate')"
    wrong: Any
    for wrong in (-1, 11, 2.5, 4.0, "4", "many", None, True, [4]):
        words = rf"quota is {re.escape(repr(wrong))}; it must be a whole number from 0 to 10"
        with pytest.raises(ValueError, match=words):
            explorer.quota = wrong
        if wrong is not None:
            with pytest.raises(ValueError, match=words):
                quota(bt.load("arbel_2"), wrong)
    for wrong in (None, 3, "nonsense"):
        with pytest.raises(ValueError, match=rf"measure is {wrong!r}: "):
            explorer.measure = wrong
    with pytest.raises(ValueError, match="measure is 'accuracy'; it must be one of pem, hit_rate"):
        explorer.measure = "accuracy"
    assert (explorer.quota, explorer.measure) == (10, "hit_rate")


def test_weighted_cases_are_refused() -> None:
    with pytest.raises(ValueError, match="place by place"):
        quota(bt.Cases([1, 0], [1, 0], weights=[1, 2]))


@pytest.mark.parametrize("name", ["arbel_2", "ten_cases", "murphy_2", "arbel_good"])
def test_a_small_page_is_one_small_file(name: str, tmp_path: Path) -> None:
    page = quota(bt.load(name)).save(tmp_path / "page.html")
    assert page.stat().st_size <= 3_000_000


def test_figures_can_be_taken_out() -> None:
    explorer = quota(bt.load("arbel_2"))
    assert explorer.figure("pem").title.text == "Areas of PEM up to the quota"
    with pytest.raises(ValueError, match="curves, pem, lift, errors"):
        explorer.figure("roc")


def test_many_cases_are_thinned_and_stay_exact() -> None:
    chance = random.Random(1)
    labels = [int(chance.random() < 0.1) for _ in range(20_000)]
    cases = bt.Cases(labels, [round(chance.random() + label / 4, 3) for label in labels])
    explorer = quota(cases, 12_345)
    assert explorer.quota == 12_345, "the quota that is asked for is never left out"
    assert len(explorer.table.quotas) <= 502
    assert explorer.table.quotas[:101] == list(range(101))
    place = explorer.table.place(12_345)
    assert explorer.table.qrecall[place] == bt.value("qrecall", cases, top=12_345)
    first, second, third = explorer.table.areas[-1]
    assert (first - second) / third == bt.value("pem", cases)
    mine = explorer.table.pearson[place]
    wanted = bt.explain("quota_pearson", cases, top=12_345).decimal(12)
    assert exact.rounded(mine, 12) == wanted
    explorer.quota = 12_360
    assert explorer.quota in explorer.table.quotas
    state = explorer.state()
    assert len(state["shown"][place]) < 20
    assert "quota_pearson" not in state["derivations"]


def test_densities_have_an_area_of_one() -> None:
    import numpy as np

    from binteach.explorers.quota_figures import densities

    for name in ("arbel_good", "breast_cancer", "rare_events"):
        found = densities(QuotaTable(bt.load(name)))
        for kind in ("positive", "negative"):
            area = np.trapezoid(found[kind], found["x"])
            assert area == pytest.approx(1, abs=0.01)


# In a browser -------------------------------------------------------------------------------------

STATE = """() => {
  const models = [...Bokeh.documents[0].all_models];
  const find = (kind, title) => models.find(m => m.type.endsWith(kind) && m.title === title);
  const slider = models.find(m => m.type.endsWith("Slider"));
  const switcher = slider.js_property_callbacks["change:value"][0];
  const args = switcher.args instanceof Map ? Object.fromEntries(switcher.args) : switcher.args;
  const get = (thing, key) => thing instanceof Map ? thing.get(key) : thing[key];
  const data = (source) => Object.fromEntries(
    (source.data instanceof Map ? [...source.data] : Object.entries(source.data))
      .map(([k, v]) => [k, [...v]]));
  const of = (name, key) => data(get(args[name], key));
  return {
    quota: slider.value,
    hit_rate: of("now", "hit_rate"), qrecall: of("now", "qrecall"), decile: of("now", "decile"),
    fn: of("errors", "fn"), fp: of("errors", "fp"),
    line: args.lines[2].location,
    summary: args.summary.text, people: args.people.text, numbers: args.numbers.text,
    ranking: args.ranking.text, areas: args.areas.text, derivation: args.derivation.text,
    shaded: Object.fromEntries(["model", "optimal"].map(
      kind => [kind, get(args.shades, kind).map(area => area.visible)])),
    title: document.title,
  };
}"""
SET = """([title, value]) => {
  const models = [...Bokeh.documents[0].all_models];
  models.find(m => m.title === title && "value" in m).value = value;
}"""
FOCUS = """() => {
  const dive = (root) => {
    const found = root.querySelector(".noUi-handle");
    if (found) return found;
    for (const each of root.querySelectorAll("*")) {
      const inside = each.shadowRoot && dive(each.shadowRoot);
      if (inside) return inside;
    }
    return null;
  };
  const handle = dive(document);
  handle.focus();
  return handle.getAttribute("aria-label");
}"""
SLIDER = "Quota: cases that can be checked"


def loud(message: Any) -> bool:
    """Whether the page complains; Bokeh also greets."""
    return message.type in ("error", "warning")


def opened(chromium: Any, explorer: Any, folder: Path) -> tuple[Any, list[str]]:
    """The saved page from the disk, with no network, and whatever it complained about."""
    file = explorer.save(folder / "page.html")
    page = chromium.new_page(viewport={"width": 1200, "height": 900})
    trouble: list[str] = []

    def allow(route: Any) -> None:
        if route.request.url.startswith(("file:", "data:", "blob:")):
            route.continue_()
        else:
            trouble.append(route.request.url)
            route.abort()

    page.route("**/*", allow)
    page.on("console", lambda message: trouble.append(message.text) if loud(message) else None)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.goto(file.as_uri())
    page.wait_for_function(
        "() => window.Bokeh && Bokeh.documents.length && Bokeh.documents[0].is_idle"
    )
    page.wait_for_timeout(150)
    return page, trouble


def check_page(seen: dict[str, Any], cases: bt.Cases, state: dict[str, Any], j: int) -> None:
    """What the page shows is what the exact measures are."""
    assert seen["quota"] == j
    for key in ("hit_rate", "qrecall"):
        wanted = value_or_none(key, cases, top=j)
        if wanted is None:
            assert seen[key]["x"] == []
        else:
            assert seen[key] == {
                "x": [j],
                "y": [float(wanted)],
                "text": [state[f"{key}_text"][j]],
            }
    assert seen["summary"] == state["sentence"][j]
    assert seen["people"] == state["people"][j]
    for sums in (state["sums"][j], state["sums"][-1]) if state["sums"] else ():
        assert "".join(f"<td>{total}</td>" for total in sums) in seen["areas"]
    assert seen["ranking"].count('class="up"') == j
    assert seen["ranking"].count('class="down"') == cases.n - j
    assert seen["ranking"].count('class="cut"') == 1


def test_the_slider_moves_everything(chromium: Any, tmp_path: Path) -> None:
    explorer = quota(bt.load("murphy_2"), 3)
    cases, state = explorer.cases, explorer.state()
    page, trouble = opened(chromium, explorer, tmp_path)
    check_page(page.evaluate(STATE), cases, state, 3)
    assert page.evaluate(FOCUS) == SLIDER
    page.keyboard.press("ArrowRight")
    check_page(page.evaluate(STATE), cases, state, 4)
    for j in range(10):
        page.evaluate(SET, [SLIDER, j])
        seen = page.evaluate(STATE)
        check_page(seen, cases, state, j)
        decile = state["decile"][j]
        assert seen["decile"]["x"] == ([decile] if decile else [])
        if 0 < j < 9:
            # Missed positives end at the line, and false alarms begin there.
            assert seen["fn"]["x"][-1] == seen["line"] == seen["fp"]["x"][0]
            assert seen["line"] == state["line"][j]
        else:
            assert len(seen["fn"]["x" if j == 0 else "low"]) == (240 if j == 0 else 1)
    page.close()
    assert trouble == []


def test_the_switches_switch(chromium: Any, tmp_path: Path) -> None:
    cases = bt.load("arbel_2")
    page, trouble = opened(chromium, quota(cases, 4), tmp_path)
    assert "Potential extract measure" in page.evaluate(STATE)["derivation"]
    page.evaluate(SET, ["Explain step by step", "quota_pearson"])
    wanted = html.fragment(bt.explain("quota_pearson", cases, top=4))
    assert page.evaluate(STATE)["derivation"] == html.STYLE + wanted
    for shade, model, optimal in (
        ("all", True, True),
        ("model", True, False),
        ("optimal", False, True),
        ("nothing", False, False),
    ):
        page.evaluate(SET, ["Shade in the picture of PEM", shade])
        shaded = page.evaluate(STATE)["shaded"]
        assert set(shaded["model"]) == {model}
        assert set(shaded["optimal"]) == {optimal}
    page.close()
    assert trouble == []


def test_a_long_ranking_shows_its_ends_and_the_line(chromium: Any, tmp_path: Path) -> None:
    explorer = quota(bt.load("rare_events"), 98)
    page, trouble = opened(chromium, explorer, tmp_path)
    page.evaluate(FOCUS)
    for wanted in (99, 100, 105):  # beyond 100 one step of a key goes on to the next quota
        page.keyboard.press("ArrowRight")
        seen = page.evaluate(STATE)
        assert seen["quota"] == wanted
        recall = bt.value("qrecall", explorer.cases, top=wanted)
        assert seen["qrecall"]["y"] == [float(recall)]
        assert seen["ranking"].count('class="cut"') == 1
        assert f'<tr class="now"><td>{wanted}</td>' in seen["areas"]
    assert "⋮" in page.evaluate(STATE)["ranking"]
    page.close()
    assert trouble == []


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_pages_work(chromium: Any, name: str, tmp_path: Path) -> None:
    explorer = quota(DEGENERATE[name])
    state = explorer.state()
    page, trouble = opened(chromium, explorer, tmp_path)
    for j in range(explorer.cases.n + 1):
        page.evaluate(SET, [SLIDER, j])
        seen = page.evaluate(STATE)
        check_page(seen, explorer.cases, state, j)
        assert "NaN" not in json.dumps(seen)
        assert "null" not in seen["numbers"] + seen["areas"] + seen["ranking"]
    page.close()
    assert trouble == []


def test_hostile_names_do_not_run(chromium: Any, tmp_path: Path) -> None:
    name = "<img src=x onerror=document.title='owned'>"
    cases = bt.Cases([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1], names=[name] * 4)
    page, trouble = opened(chromium, quota(cases, 2), tmp_path)
    seen = page.evaluate(STATE)
    page.close()
    assert "&lt;img" in seen["people"]
    assert "&lt;img" in seen["ranking"]
    assert seen["title"] == "binteach: quota explorer"
    assert trouble == []
