"""The page that nbconvert makes of a notebook works with neither Python nor a network."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from every_explorer import EXPORTED, Cells, cell_of, opened, shown_cells, wait_for_pages

from benchmarks.browser import converted, environment, write_notebook

pytestmark = pytest.mark.slow

# What nbconvert's own page asks for, in vain, and misses then.
OWN = re.compile(r"https://\S*(requir|mathjax|jupyter-widgets)|require is not defined|ERR_FAILED")


@pytest.fixture(scope="module")
def static_page(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cells]:
    """The page that nbconvert makes, from the disk with the network blocked."""
    folder = tmp_path_factory.mktemp("converted")
    notebook = write_notebook(folder / "explorers.ipynb", shown_cells())
    page, trouble = opened(chromium, converted(notebook, environment(folder)))
    wait_for_pages(page, len(EXPORTED))
    yield Cells(page, trouble)
    page.close()


@pytest.mark.parametrize("name", EXPORTED)
def test_the_converted_page_works(static_page: Cells, name: str) -> None:
    cell = cell_of(name)
    static_page.check_pictures(cell)
    before, after = static_page.shown(cell), static_page.step(cell)
    assert after["value"] != before["value"]
    assert after["said"] == unescape(after["text"]) != before["said"]
    assert [each for each in static_page.trouble if not OWN.search(each)] == []
