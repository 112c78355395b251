"""The voting explorer: exact values of every average, its peaks, and its page."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import binteach as bt
from binteach.explorers import voting
from binteach.explorers.state import fraction_text
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
        assert row["text"] == [fraction_text(value) for value in values]
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


def test_x_is_kept_in_range_and_bad_models_are_refused() -> None:
    explorer = voting(SMALL, x=99)
    assert explorer.x == 3
    explorer.x = -4
    assert explorer.x == 1
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
    explorer = voting({EVIL if name == "weak" else name: c for name, c in SMALL.items()}, x=1)
    path = explorer.save(tmp_path / "page.html")
    assert path.stat().st_size < 3e6
    page = chromium.new_page()
    trouble: list[str] = []

    def blocked(route: Any) -> None:
        if route.request.url.startswith(("file:", "data:", "blob:")):
            route.continue_()
        else:
            trouble.append(route.request.url)
            route.abort()

    page.route("**/*", blocked)
    page.on("console", lambda m: trouble.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.goto(path.as_uri())
    status = page.locator("[role=status]")
    status.get_by_text("The best model alone").wait_for()
    page.locator(".noUi-handle").first.focus()
    page.keyboard.press("ArrowRight")
    status.get_by_text("The best 2 of 3 models, averaged").wait_for()
    row = explorer.state()["rows"]["pem"]
    status.get_by_text(f"PEM {row['decimal'][1] or row['text'][1]}").wait_for()
    page.evaluate("""() => {
      const all = [...Bokeh.documents[0]._all_models.values()]
      all.find((m) => m.type === 'Slider').value = 3
    }""")
    status.get_by_text("The best 3 of 3 models, averaged").wait_for()
    assert page.locator("li.in").count() == 3
    assert page.locator("img").count() == 0
    page.close()
    assert trouble == []
