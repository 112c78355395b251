"""A lesson as slides: one file in which the explorers work, from the disk and without a network."""

from pathlib import Path
from typing import Any

import pytest
from explorer_pages import open_page

from binteach.cli import main
from binteach.slides import course_notebooks, find_notebook


@pytest.mark.parametrize(
    ("lesson", "name"), [("6", "06_roc"), ("06", "06_roc"), ("quota", "08_a_limited_quota")]
)
def test_a_lesson_is_found_by_its_number_or_its_name(lesson: str, name: str) -> None:
    assert find_notebook(lesson).name == f"{name}.ipynb"


@pytest.mark.parametrize("lesson", ["", "77", "measures", "nothing", "no.ipynb", "../06"])
def test_a_lesson_that_is_not_there_is_an_error_with_those_that_are(lesson: str) -> None:
    with pytest.raises(ValueError, match=r"number"):
        find_notebook(lesson)


def slide(page: Any) -> tuple[int, int]:
    place = page.evaluate("() => { const {h, v} = Reveal.getIndices(); return [h, v ?? 0] }")
    return tuple(place)


@pytest.mark.slow
def test_the_explorer_moves_in_the_deck(chromium: Any, tmp_path: Path) -> None:
    target = tmp_path / "deck.html"
    with pytest.raises(SystemExit) as ended:
        main(["slides", "06", "--out", str(target)])
    assert ended.value.code in (0, None)
    page, trouble = open_page(chromium, target)
    assert slide(page) == (0, 0)
    page.keyboard.press("ArrowRight")
    assert slide(page) == (1, 0)
    place = page.evaluate("""() => {
      const shown = document.querySelector(".binteach-page").closest("section")
      return Object.values(Reveal.getIndices(shown)).slice(0, 2)
    }""")
    page.evaluate("([h, v]) => Reveal.slide(h, v)", place)
    page.evaluate("""() => {
      const slider = [...Bokeh.documents[0]._all_models.values()].find((m) => m.type === "Slider")
      window.slider = slider
      Bokeh.index.find_one(slider).shadow_el.querySelector(".noUi-handle").focus()
    }""")
    before = page.evaluate("slider.value")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("(before) => slider.value === before + 1", arg=before)
    assert list(slide(page)) == place  # the key moved the slider, not the deck
    assert trouble == []
    page.close()


def test_every_lesson_has_a_deck_that_asks_no_other_host(tmp_path: Path) -> None:
    from binteach.slides import deck

    for number, notebook in course_notebooks().items():
        page = deck(notebook)
        assert 'src="http' not in page, number
        assert '<link rel="stylesheet" href="http' not in page, number
        assert page.count("<section") >= (3 if number == "00" else 8), number
