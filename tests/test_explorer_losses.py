"""The losses explorer: every number in its page is the measure's own, and the page works alone."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from explorer_pages import HOSTILE, open_page, press_slider, read, set_model

import binteach as bt
from binteach import exact
from binteach.explorers import losses
from binteach.explorers.losses import ALPHAS, LOSSES, _height, call
from binteach.explorers.state import filled, with_digits
from binteach.render import html

DATA = {
    "ten": bt.load("ten_cases"),
    "tied": bt.load("murphy_2"),
    "one case": bt.Cases([1], ["0.5"]),
    "one class": bt.Cases([0, 0, 0], ["0.1", "0.5", "0.9"]),
    "all tied": bt.Cases([1, 0, 1], ["1/3"] * 3),
    "certain": bt.Cases([1, 0, 1, 0], [1, 1, 0, 0]),
    "weighted": bt.Cases([1, 0], ["0.9", "0.4"], weights=[2, 3]),
    "distances": bt.Cases([1, 0, 1, 0, 1], [3, -2, "-0.5", "0.25", 0]),
}


def asked(explorer: Any, key: str, place: int) -> dict[str, Any]:
    """What a measure is asked with at one place of its slider, written out once more."""
    if key == "focal":
        return {"gamma": explorer.gammas[place]}
    if key == "balanced":
        return {"alpha": Fraction(place, 20)}
    if any(not 0 <= score <= 1 for score in explorer.cases.scores):
        return {"at": 0} if key == "zero_one" else {}
    fixed: dict[str, dict[str, Any]] = {"zero_one": {"at": "1/2"}, "hinge": {"scale": 4}}
    return fixed.get(key, {})


@pytest.mark.parametrize("name", DATA)
def test_every_average_and_every_dot_is_the_measure(name: str) -> None:
    explorer = losses(DATA[name])
    state = explorer.state()
    order = [int(i) for i in explorer.cases.ranking.order]
    for key, loss in LOSSES.items():
        numbers = state["losses"][key]
        if name == "distances" and key not in ("zero_one", "hinge"):
            assert "not all scores here lie from 0 to 1" in numbers["reason"]
            continue
        assert len(numbers["average"]) == {"balanced": 21, "focal": 11}.get(key, 1)
        for place, text in enumerate(numbers["average_text"]):
            given = asked(explorer, key, place)
            average = bt.value(loss.measure, explorer.cases, **given)
            assert text == with_digits(average)
            assert numbers["average"][place] == float(average)
            total, weight = 0.0, 0.0
            for i, (height, shown) in zip(order, numbers["dots"][place], strict=True):
                one = bt.Cases([explorer.cases.label(i)], [explorer.cases.score(i)])
                assert shown == with_digits(bt.value(loss.measure, one, **given))
                total += height * float(explorer.cases.weight(i))
                weight += float(explorer.cases.weight(i))
            assert total / weight == pytest.approx(float(average), abs=1e-12)


def test_the_averages_of_berrar_come_out() -> None:
    found = losses().state()["losses"]
    assert found["squared"]["average_text"] == ["24/125 = 0.192"]
    assert found["absolute"]["average_text"] == ["37/100 = 0.37"]
    assert found["hinge"]["average_text"] == ["33/50 = 0.66"]
    assert found["log"]["average_text"] == ["≈ 0.7984"]
    assert found["zero_one"]["average_text"] == ["3/10 = 0.3"]


@pytest.mark.parametrize("name", ["ten", "weighted", "distances"])
def test_every_call_that_is_shown_gives_the_average_that_is_shown(name: str) -> None:
    explorer = losses(DATA[name])
    for key, numbers in explorer.state()["losses"].items():
        if numbers["reason"]:
            continue
        for place, given in enumerate(explorer.variants(key)):
            shown = call(explorer.losses[key], given)
            assert numbers["calls"][place] == shown.replace('"', "&quot;")
            found = eval(shown, {"bt": bt, "cases": explorer.cases})
            assert numbers["average_text"][place] == with_digits(found)


def test_the_hinge_loss_says_how_it_reads_a_score() -> None:
    numbers = losses().state()["losses"]["hinge"]
    assert numbers["notes"] == ["scale = 4"]
    assert numbers["calls"] == ["bt.value(&quot;hinge_loss&quot;, cases, scale=4)"]
    unscaled = bt.value("hinge_loss", DATA["ten"])
    assert f"the average = {with_digits(unscaled)}." in numbers["remark"]
    numbers = losses(DATA["distances"]).state()["losses"]["hinge"]
    assert numbers["notes"] == ["s = score"]
    assert numbers["calls"] == ["bt.value(&quot;hinge_loss&quot;, cases)"]


@pytest.mark.parametrize("key", LOSSES)
def test_a_curve_is_the_loss_of_one_case(key: str) -> None:
    explorer = losses()
    numbers = explorer.state()["losses"][key]
    for place in {0, 1 % len(numbers["curves"]), len(numbers["curves"]) - 1}:
        given = asked(explorer, key, place)
        for label in (1, 0):
            x, y = numbers["curves"][place][str(label)]
            for p, height in list(zip(x, y, strict=True))[:: max(1, len(x) // 12)]:
                if p in (0, 1) and height > 3:
                    continue  # the logarithm of 0 is not drawn
                one = bt.Cases([label], [exact.exact(repr(p), "p")])
                if key == "zero_one" and p == 0.5:
                    assert height in (0, 1)  # the step itself
                    continue
                wanted = float(bt.value(LOSSES[key].measure, one, **given))
                assert height == pytest.approx(wanted, abs=2e-6)


@pytest.mark.parametrize("name", ["ten", "certain", "weighted", "one case"])
def test_every_derivation_is_the_derivation_of_the_measure(name: str) -> None:
    explorer = losses(DATA[name])
    state = explorer.state()
    for key, loss in LOSSES.items():
        for place, (form, use) in enumerate(state["derivations"][key]):
            text = filled(state["forms"][form], state["slots"][form][use])
            given = asked(explorer, key, place)
            assert text == html.fragment(bt.explain(loss.measure, explorer.cases, **given))


def test_traits_take_what_is_on_the_sliders_and_nothing_else() -> None:
    explorer = losses(loss="Brier", gamma="1/2", alpha="0.15")
    assert repr(explorer) == "Losses(10 cases, loss='squared', gamma=0.5, alpha=0.15)"
    explorer.alpha = 0.15000000000000002  # as a slider says it
    assert explorer.alpha == 0.15
    before = repr(explorer), explorer.drawn
    for name, wrong, words in WRONG:
        with pytest.raises(ValueError, match=words):
            setattr(explorer, name, wrong)
        if wrong is not None:
            with pytest.raises(ValueError, match=words):
                losses(**{name: wrong})
    assert (repr(explorer), explorer.drawn) == before


WRONG: list[tuple[str, Any, str]] = [
    ("gamma", 0.3, r"gamma is 0.3; it goes from 0 to 5 in steps of 0.5"),
    ("gamma", -1, r"gamma is -1; it goes from 0 to 5"),
    ("gamma", None, r"gamma is None; it goes from 0 to 5"),
    ("gamma", "much", r"gamma is 'much'; it goes from 0 to 5"),
    ("gamma", float("nan"), r"gamma is nan; it goes from 0 to 5"),
    ("gamma", [2], r"gamma is \[2\]; it goes from 0 to 5"),
    ("alpha", 2, r"alpha is 2; it goes from 0 to 1 in steps of 0.05"),
    ("alpha", None, r"alpha is None; it goes from 0 to 1"),
    ("loss", "precision", r"loss: there is no loss 'precision'; there are zero_one, hinge"),
    ("loss", None, r"loss: there is no loss None; there are zero_one"),
    ("loss", ["log"], r"loss: there is no loss \['log'\]; there are zero_one"),
    ("drawn", ["colour"], r"drawn: there is no loss 'colour'; there are zero_one"),
    ("drawn", "focal", r"drawn is 'focal'; it must be a list of losses"),
    ("drawn", None, r"drawn is None; it must be a list of losses"),
    ("drawn", 3, r"drawn is 3; it must be a list of losses"),
]


def test_the_losses_that_are_drawn_are_a_trait() -> None:
    explorer = losses(drawn=("log_loss", "hinge", "log"))
    assert explorer.drawn == ["hinge", "log"]
    seen = []
    explorer.observe(lambda change: seen.append(change.new), "drawn")
    page = explorer.widget().children[-1].children[0]._model.document
    kept = next(model for model in page.models if model.tags == ["hinge", "log"])
    explorer.drawn = ["Brier"]
    assert kept.tags == ["squared"]
    kept.tags = ["focal"]  # as the page does when a box is ticked
    assert explorer.drawn == ["focal"]
    assert seen == [["squared"], ["focal"]]


def test_alpha_starts_at_the_share_of_negatives() -> None:
    assert losses().alpha == 0.5
    assert losses(bt.Cases([1, 0, 0, 0], ["0.5"] * 4)).alpha == 0.75
    assert losses(bt.Cases([1], ["0.5"])).alpha == 0
    assert losses(bt.load("rare_events")).alpha == 1
    assert ALPHAS[-1] == 1


def test_scores_that_are_no_probabilities_are_said_to_be_none() -> None:
    explorer = losses(bt.Cases([1, 0], [3, -2]))
    assert explorer.loss == "hinge"
    found = explorer.state()["losses"]
    assert "not all scores here lie from 0 to 1" in found["log"]["reason"]
    assert found["log"]["average"] == [None]
    assert found["log"]["curves"] == []
    assert found["hinge"]["average_text"] == ["0"]
    assert found["hinge"]["curves"][0]["1"] == ([-2, 1, 3], [3, 0, 0])
    assert found["hinge"]["curves"][0]["0"] == ([3, -1, -2], [4, 0, 0])
    explorer.loss = "log"
    assert "<p>Log loss is undefined: it takes" in explorer._derivation()


def test_many_cases_are_thinned_and_said_to_be() -> None:
    explorer = losses(bt.load("breast_cancer"))
    assert len(explorer.places) <= 200
    assert "569" in explorer._remark()
    assert len(explorer.gammas) == 6
    state = explorer.state()
    assert state["derivations"] == {}
    order = explorer.cases.ranking.order
    assert [int(order[place - 1]) for place in state["place"]] == explorer.places
    assert not state["all"]
    first = explorer.places[0]
    one = bt.Cases([explorer.cases.label(first)], [explorer.cases.score(first)])
    for key, loss in LOSSES.items():
        for place in range(len(state["losses"][key]["dots"])):
            wanted = bt.value(loss.measure, one, **asked(explorer, key, place))
            height, shown = state["losses"][key]["dots"][place][0]
            assert height == pytest.approx(float(wanted), abs=1e-12)
            assert with_digits(wanted).endswith(shown)
    explorer.gamma, explorer.alpha = 3, "0.15"
    for key, name, given in (
        ("focal", "3", {"gamma": 3}),
        ("balanced", "3", {"alpha": "0.15"}),
        ("log", "0", {}),
    ):
        explorer.loss = key
        written = html.render(bt.explain(LOSSES[key].measure, explorer.cases, **given))
        assert explorer._derivation() == f'<div data-of="{key} {name}">{written}</div>'


def test_the_digits_of_many_cases_are_those_of_the_exact_values() -> None:
    scores = [Fraction(place, 128) for place in range(1, 128)]  # logarithms with exact ones among
    explorer = losses(bt.Cases([place % 2 for place in range(127)], scores))
    for key in ("log", "balanced", "focal"):
        loss = LOSSES[key]
        for given in explorer.variants(key)[::5]:
            for label, score in ((1, "1/2"), (0, "3/4"), (1, "0.3"), (0, "127/128")):
                one = bt.Cases([label], [score])
                wanted = with_digits(bt.value(loss.measure, one, **given))
                assert wanted.endswith(explorer._dot(loss, given, label, one.score(0))[1])


def test_the_formulas_that_are_drawn_agree_with_the_measures_at_the_edges() -> None:
    explorer = losses()
    for label in (1, 0):
        for score in (Fraction(0), Fraction(1, 2), Fraction(1)):
            for key, loss in LOSSES.items():
                for place in range(len(explorer.variants(key))):
                    given = asked(explorer, key, place)
                    wanted = bt.value(loss.measure, bt.Cases([label], [score]), **given)
                    p_true = score if label else 1 - score
                    drawn = _height(loss, explorer.variants(key)[place], p_true, bool(label))
                    assert drawn == pytest.approx(float(wanted), abs=1e-12)


@pytest.mark.parametrize("name", ["ten", "one class", "certain"])
def test_any_data_give_a_small_page(name: str, tmp_path: Path) -> None:
    path = losses(DATA[name]).save(tmp_path / "losses.html")
    assert path.stat().st_size < 3_000_000


def test_figures_stand_alone() -> None:
    explorer = losses(DATA["one case"])
    assert explorer.figure("y1").title.text == "A positive, y = 1"
    with pytest.raises(ValueError, match="there are y1, y0, cases"):
        explorer.figure("roc")


# In a browser ---------------------------------------------------------------------------------

READ = """() => {
  const sources = MODELS.filter((m) => m.type === "ColumnDataSource" && m.data.loss)
  return {
    summary: SUMMARY,
    losses: sources.map((m) => [...m.data.loss]),
    heights: sources.map((m) => [...m.data.y]),
    text: text_of(document.body),
    images: document.querySelectorAll("img").length,
  }
}"""


def test_the_page_follows_its_sliders(chromium: Any, tmp_path: Path) -> None:
    ten = DATA["ten"]
    page, trouble = open_page(chromium, losses().save(tmp_path / "losses.html"))
    seen = read(page, READ)
    assert "≈ 0.2866" in seen["summary"]
    press_slider(page, 0, "ArrowRight")
    seen = read(page, READ)
    average = with_digits(bt.value("focal_loss", ten, gamma="5/2"))
    assert f"Focal loss, γ = 2.5: average over 10 cases {average}." in seen["summary"]
    exactly = {
        with_digits(bt.value("focal_loss", bt.Cases([y], [p]), gamma="5/2"))
        for y, p in zip(ten.labels, ten.scores, strict=True)
    }
    assert {text for each in seen["losses"] for text in each} == exactly
    set_model(page, "Select", 0, "value", "balanced")
    press_slider(page, 1, "ArrowLeft")
    average = with_digits(bt.value("balanced_cross_entropy", ten, alpha="0.45"))
    seen = read(page, READ)
    assert f"Balanced loss, α = 0.45: average over 10 cases {average}." in seen["summary"]
    assert "Balanced cross-entropy" in seen["text"]
    set_model(page, "Select", 0, "value", "hinge")
    seen = read(page, READ)
    assert seen["summary"] == (
        "Hinge loss, scale = 4: average over 10 cases = 33/50 = 0.66. Cases 8, 3 cost most: 2 each."
    )
    assert 'bt.value("hinge_loss", cases, scale=4)' in seen["text"]
    assert "s = 4(p − 1/2), as in Berrar's Figure 8" in seen["text"]
    assert sorted(seen["heights"][0] + seen["heights"][1])[-2:] == [2, 2]
    set_model(page, "CheckboxGroup", 0, "active", [0])
    shown = read(
        page,
        """() => MODELS.filter((m) => m.type === "LegendItem" && m.visible)
             .map((m) => m.label.value)""",
    )
    of_curves = sorted(label for label in shown if label not in ("positive", "negative", "average"))
    assert of_curves == ["0-1, at 1/2"] * 2 + ["Hinge, scale = 4"] * 2
    kept = """() => MODELS.find((m) => m.type === "CustomJS" && m.args.kept).args.kept"""
    assert read(page, f"() => ({kept})().tags") == ["zero_one"]
    read(page, f"() => {{ ({kept})().tags = ['log', 'focal'] }}")
    boxes = """() => MODELS.find((m) => m.type === "CheckboxGroup").active"""
    assert read(page, boxes) == [4, 6]
    page.close()
    assert trouble == []


@pytest.mark.parametrize("data", ["hostile", "outside", "one case"])
def test_hostile_and_degenerate_data_make_a_quiet_page(
    chromium: Any, tmp_path: Path, data: str
) -> None:
    cases = {
        "hostile": bt.Cases([1, 0], ["0.2", "0.1"], names=[HOSTILE, "</script><b>"]),
        "outside": DATA["distances"],
        "one case": DATA["one case"],
    }[data]
    page, trouble = open_page(chromium, losses(cases).save(tmp_path / "losses.html"))
    seen = read(page, READ)
    assert page.title() == "binteach: losses explorer"
    assert seen["images"] == 0
    assert "NaN" not in seen["text"]
    if data == "hostile":
        assert "onerror" in seen["text"]
    if data == "outside":
        assert "Hinge loss, s = score: average over 5 cases = 3/4 = 0.75." in seen["summary"]
        assert "Case 3 (really +, score −0.5) costs most: 3/2 = 1.5." in seen["summary"]
        set_model(page, "Select", 0, "value", "log")
        assert "Log loss: undefined, because it takes" in read(page, READ)["summary"]
    page.close()
    assert trouble == []
