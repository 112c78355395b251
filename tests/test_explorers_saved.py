"""The page that each explorer saves works from the disk, at any width, and keeps nobody out."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from every_explorer import EXAMPLES, EXPORTED, check_drawn, check_moves, example
from explorer_pages import Shown, open_page, violations

import binteach as bt

# What is wider than a telephone: formulas, and the names of many models.
WIDE = {
    "threshold": ("Measure", "mutual_information"),
    "quota": ("Explain step by step", "quota_pearson"),
}


def test_every_explorer_has_an_example() -> None:
    assert set(EXPORTED) == set(EXAMPLES), "EXAMPLES in every_explorer.py lists the explorers"


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The saved page of an explorer; some take seconds to make, so each is made once."""
    folder = tmp_path_factory.mktemp("saved")

    def save(name: str) -> Path:
        file = folder / f"{name}.html"
        return file if file.exists() else Path(example(name).save(file))

    return save


@pytest.mark.parametrize("name", EXPORTED)
def test_keyboard_and_mouse_move_everything_to_the_exact_values(
    chromium: Any, saved: Callable[[str], Path], name: str
) -> None:
    page, trouble = open_page(chromium, saved(name))
    check_drawn(Shown(page))
    check_moves(Shown(page), name)
    page.close()
    assert trouble == []


@pytest.mark.parametrize("name", EXPORTED)
def test_no_page_is_wider_than_its_window(
    chromium: Any, saved: Callable[[str], Path], name: str
) -> None:
    for width in (1600, 1000, 400):
        page, trouble = open_page(chromium, saved(name), width)
        for key in ("Home", "End"):
            Shown(page).press(key)
            wide, there = page.evaluate(
                "() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
            )
            assert wide <= there == width
        page.close()
        assert trouble == []


# Accessibility ----------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1200, 400])
@pytest.mark.parametrize("name", EXPORTED)
def test_a_page_keeps_nobody_out(
    chromium: Any, axe: str, saved: Callable[[str], Path], name: str, width: int
) -> None:
    page, trouble = open_page(chromium, saved(name), width)
    if name in WIDE:
        label, measure = WIDE[name]
        page.get_by_label(label, exact=True).select_option(label=bt.MEASURES[measure].title)
    found = violations(Shown(page), axe)
    Shown(page).press("Home")
    found += violations(Shown(page), axe)
    page.close()
    assert found == []
    assert trouble == []


def test_what_keeps_people_out_is_found(chromium: Any, axe: str) -> None:
    page = chromium.new_page()
    page.set_content(
        "<html lang=en><title>x</title><p style='color: #aaa'>pale</p><select></select>"
    )
    found = violations(Shown(page), axe)
    page.close()
    assert {each.split(":")[0] for each in found} == {"color-contrast", "select-name"}
