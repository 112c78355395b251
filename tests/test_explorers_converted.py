"""The page that nbconvert makes of a notebook works with neither Python nor a network."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from every_explorer import EXPORTED, cell_of, check_drawn, check_moves, shown_cells
from explorer_pages import Shown, open_page

from benchmarks.browser import converted, environment, write_notebook

pytestmark = pytest.mark.slow

# What nbconvert's own page asks for, in vain, and misses then.
OWN = re.compile(
    r"https://\S*(requir|mathjax|jupyter-widgets)|require is not defined|ERR_INTERNET_DISCONNECTED"
)


@pytest.fixture(scope="module")
def static_page(
    chromium: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Any, list[str]]]:
    """The page that nbconvert makes, and its trouble."""
    folder = tmp_path_factory.mktemp("converted")
    notebook = write_notebook(folder / "explorers.ipynb", shown_cells())
    page, trouble = open_page(chromium, converted(notebook, environment(folder)))
    yield page, trouble
    page.close()


@pytest.mark.parametrize("name", EXPORTED)
def test_keyboard_and_mouse_move_everything_to_the_exact_values(
    static_page: tuple[Any, list[str]], name: str
) -> None:
    page, trouble = static_page
    shown = Shown(page, cell_of(name))
    shown.wait_until_drawn()
    check_drawn(shown)
    check_moves(shown, name)
    assert [each for each in trouble if not OWN.search(each)] == []
