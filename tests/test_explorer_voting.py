"""The voting explorer: exact values of every average, its peaks, and its page."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from explorer_pages import open_page

import binteach as bt
from binteach.explorers import voting
from binteach.explorers.state import fraction_text, with_digits
from binteach.explorers.voting import MODELS, SHOWN, TEST, made_models

EVIL = "<img src=x onerror=alert(1)>"
LABELS = [1, 0, 1, 0, 0]
SMALL = {
    "weak": bt.Cases(LABELS, ["0.2", "0.9", "0.4", "0.5", "0.1"]),
    "good": bt.Cases(LABELS, ["0.9", "0.3", "0.6", "0.5", "0.2"]),
    "fair": bt.Cases(LABELS, ["0.7", "0.8", "0.6", "0.1", "0.3"]),
}


def averages(models: dict[str, bt.Cases], order: list[str]) -> list[bt.Cases]:
    """The average of the first one, two, ... models, each made anew."""
    first = models[order[0]]
    made = []
    for count in range(1, len(order) + 1):
        scores = [
            sum((models[name].scores[row] for name in order[:count]), Fraction(0)) / count
            for row in range(first.n)
        ]
        made.append(bt.Cases(first.labels, scores))
    return made


@pytest.mark.parametrize("models", [SMALL, made_models(1)[1]], ids=["small", "made"])
def test_every_x_holds_the_exact_values_of_the_average(models: dict[str, bt.Cases]) -> None:
    explorer = voting(models)
    state = explorer.state()
    for key, row in state["rows"].items():
        values = []
        for cases in averages(models, explorer.best_first):
            params = {"top": cases.n} if key == "quota_pearson" else {}
            values.append(bt.value(key, cases, **params))
        assert row["said"] == [with_digits(value) for value in values]
        for value, columns in zip(values, row["columns"], strict=True):
            text, digits = (
                fraction_text(value),
                with_digits(value).removeprefix(fraction_text(value)),
            )
            long = "/" in text and len(text) > 9
            assert columns == ((digits.strip(" ="), "") if long else (text, digits.strip()))
        assert row["y"] == [float(value) for value in values]
        floats = [round(float(value), 12) for value in values]
        best = max(floats) if bt.MEASURES[key].direction > 0 else min(floats)
        assert row["peaks"] == [x for x, each in enumerate(floats, 1) if each == best]


def test_models_stand_by_their_auc() -> None:
    explorer = voting(SMALL)
    assert explorer.best_first == ["good", "fair", "weak"]
    areas = [bt.value("auc", SMALL[name]) for name in explorer.best_first]
    assert areas == sorted(areas, reverse=True)


def test_made_models_are_ranked_on_other_cases_than_they_are_judged_on() -> None:
    training, test = made_models(1)
    explorer = voting()
    assert len(explorer.models) == MODELS
    assert explorer.averaged[0].n == TEST
    assert explorer.averaged[0].prevalence == Fraction(1, 5)
    assert explorer.models == test
    areas = [bt.value("auc", training[name]) for name in explorer.best_first]
    assert areas == sorted(areas, reverse=True)


def test_the_seed_makes_the_data() -> None:
    assert made_models(3) == made_models(3)
    assert made_models(3) != made_models(4)
    assert repr(voting(seed=3, x=7)) == "Voting(52 models, seed=3, x=7)"


def test_the_made_measures_do_not_all_peak_at_one_place() -> None:
    assert len({tuple(peaks) for peaks in voting().peaks().values()}) > 1


def test_another_seed_makes_other_models_and_another_page() -> None:
    explorer = voting(seed=3, x=7)
    widget = explorer.widget()
    seeds: list[int] = []
    explorer.observe(lambda change: seeds.append(change.new), "seed")
    before = widget.children[-1].children[0]
    explorer.seed = 4
    assert seeds == [4]
    assert widget.children[-1].children[0] is not before
    assert explorer.models == made_models(4)[1]
    assert explorer.state() == voting(seed=4, x=7).state()
    assert repr(explorer) == "Voting(52 models, seed=4, x=7)"
    widget.children[0].value = 5  # the field above the page
    assert explorer.seed == 5
    assert explorer.best_first == voting(seed=5).best_first


def test_given_models_have_no_seed() -> None:
    explorer = voting(SMALL)
    assert explorer.seed is None
    with pytest.raises(ValueError, match="seed is 3, but it makes models and these were given"):
        explorer.seed = 3
    with pytest.raises(ValueError, match="leave it out"):
        voting(SMALL, seed=3)


def test_bad_models_are_refused() -> None:
    with pytest.raises(ValueError, match="row 1 is positive for 'A' and negative for 'B'"):
        voting({"A": bt.Cases([1, 0], [1, 2]), "B": bt.Cases([0, 1], [1, 2])})
    with pytest.raises(ValueError, match="give a mapping"):
        voting({"A": bt.Counts(1, 1, 1, 1), "B": bt.Counts(1, 1, 1, 1)})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="there are 1 models"):
        voting({"A": bt.Cases([1, 0], [1, 2])})


@pytest.mark.parametrize(
    "cases",
    [
        bt.Cases([1], [1]),
        bt.Cases([0, 0], [1, 2]),
        bt.Cases([1, 0], [5, 5]),
        bt.Cases([1, 0], [1, 2], weights=[1, 3]),
    ],
)
def test_degenerate_data_give_a_page(cases: bt.Cases) -> None:
    explorer = voting({"A": cases, "B": cases})
    assert set(explorer.build().figures) == {*SHOWN, "peaks", "roc"}
    assert "nan" not in str(explorer.state()["sentences"])


def test_the_page_follows_the_slider(chromium: Any, tmp_path: Path) -> None:
    models = {
        EVIL if name == "weak" else name: bt.Cases(
            [EVIL if label else "b" for label in LABELS],
            cases.scores,
            names=[EVIL] * 5,
            positive=EVIL,
        )
        for name, cases in SMALL.items()
    }
    explorer = voting(models, x=1)
    path = explorer.save(tmp_path / "page.html")
    assert path.stat().st_size < 3e6
    page, trouble = open_page(chromium, path)
    status = page.locator("[role=status]")
    status.get_by_text("The best model alone").wait_for()
    page.locator(".noUi-handle").first.focus()
    page.keyboard.press("ArrowRight")
    status.get_by_text("The best 2 of 3 models, averaged").wait_for()
    brier = bt.value("brier_score", explorer.averaged[1])
    digits = with_digits(brier).removeprefix(f"{brier} ")
    status.get_by_text(f"Brier score {digits}").wait_for()
    page.evaluate("""() => {
      const all = [...Bokeh.documents[0]._all_models.values()]
      all.find((m) => m.type === 'Slider').value = 3
    }""")
    status.get_by_text("The best 3 of 3 models, averaged").wait_for()
    assert page.locator("li.in").count() == 3
    assert page.locator("img").count() == 0
    page.close()
    assert trouble == []
