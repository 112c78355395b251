"""A notebook in a real JupyterLab: run, saved, and opened again without its kernel."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from explorer_pages import Shown

from benchmarks.browser import (
    PLAIN_NOTEBOOK,
    jupyter_lab,
    open_notebook,
    run_all_cells,
    run_in_kernel,
    save_notebook,
    write_notebook,
)

pytestmark = pytest.mark.slow

CELLS = [
    "import binteach as bt",
    "few = bt.explore(bt.load('ten_cases'), cut=4)\nfew",
    "many = bt.explore(bt.load('breast_cancer'), cut=200)\nmany",
]
# Of each output of the cells: how high it is, how many pages it holds, what it says.
OUTPUTS = """() => [...document.querySelectorAll(".jp-Notebook")].at(-1)
  .querySelectorAll(".jp-CodeCell").values().map((cell) =>
    [...cell.querySelectorAll(".jp-OutputArea-output")].map((each) => ({
      high: each.offsetHeight, pages: each.querySelectorAll(".bk-Column").length,
      said: each.innerText,
    }))).toArray()"""
DOCUMENTS = "() => window.Bokeh ? Bokeh.documents.length : 0"
IDLE = """(number) => window.Bokeh && Bokeh.documents.length >= number &&
  Bokeh.documents.every((each) => each.is_idle)"""


@dataclass(frozen=True)
class Lab:
    """A JupyterLab, a browser, and the folder of the notebooks."""

    chromium: Any
    address: str
    folder: Path

    def open(self, name: str) -> Any:
        page = self.chromium.new_page(viewport={"width": 1400, "height": 900})
        open_notebook(page, self.address, name)
        return page


@pytest.fixture(scope="module")
def lab(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("reopened")
    write_notebook(folder / "explorers.ipynb", CELLS)
    with jupyter_lab(folder) as address:
        yield Lab(chromium, address, folder)


@pytest.fixture(scope="module")
def running(lab: Lab) -> Iterator[Any]:
    """The notebook, run and saved."""
    page = lab.open("explorers.ipynb")
    run_all_cells(page)
    page.wait_for_function(IDLE, arg=2, timeout=90_000)
    page.wait_for_timeout(6000)  # the page that is not live would come now
    page.evaluate("async () => jupyterapp.commands.execute('docmanager:save')")
    yield page
    page.close()


def test_a_running_notebook_shows_the_live_page_alone(running: Any) -> None:
    for still, live in running.evaluate(OUTPUTS)[1:]:
        assert (still["high"], still["pages"], still["said"]) == (0, 0, "")
        assert live["pages"] == 1
        assert live["high"] > 1000
    assert running.evaluate(DOCUMENTS) == 2


def test_the_slider_stays_in_sight_in_a_notebook(running: Any) -> None:
    handle = running.locator(".noUi-handle").first
    handle.scroll_into_view_if_needed()
    panel = running.locator(".jp-WindowedPanel-outer").last
    top = panel.bounding_box()["y"]
    panel.evaluate("(each) => { each.scrollTop += 900 }")
    running.wait_for_timeout(500)
    assert top <= handle.bounding_box()["y"] <= top + 60


def test_after_a_reload_a_page_stands_where_python_has_it(running: Any) -> None:
    assert run_in_kernel(running, "few.cut = 2\nmany.cut = 212") == ""
    save_notebook(running)
    running.reload()
    running.wait_for_function(IDLE, arg=2, timeout=90_000)
    few, many = Shown(running, 1), Shown(running, 2)
    few.wait_for(2)
    many.wait_for(212)
    many.wait_for_text("derivation", 'data-of="precision 212"')
    handle = running.locator(".noUi-handle").first
    handle.press("ArrowRight")
    running.wait_for_timeout(1000)
    assert run_in_kernel(running, "print(few.cut)").strip() == "3"


def test_without_its_kernel_a_derivation_does_not_stay(running: Any) -> None:
    """The last test of the running notebook: there is no kernel afterwards."""
    running.evaluate(f"async () => {PLAIN_NOTEBOOK}.context.sessionContext.shutdown()")
    running.locator(".noUi-handle").nth(1).press("ArrowRight")
    said = "() => Bokeh.documents[1].all_models.values().map((each) => each.text).toArray()"
    running.wait_for_function(
        f"() => ({said})().some((text) => text?.includes?.('Python does not answer'))"
    )


def test_opened_again_the_notebook_shows_the_page_that_needs_no_kernel(
    lab: Lab, running: Any
) -> None:
    running.evaluate(f"async () => {PLAIN_NOTEBOOK}.context.sessionContext.shutdown()")
    page = lab.open("explorers.ipynb")
    page.wait_for_function(IDLE, arg=2, timeout=30_000)
    page.wait_for_timeout(1000)
    for still, live in page.evaluate(OUTPUTS)[1:]:
        assert still["pages"] == 1
        assert still["high"] > 1000
        assert live["pages"] == 0
    handle = page.locator(".noUi-handle").first
    handle.press("Home")
    assert handle.get_attribute("aria-valuenow") == "0.0"
    run_all_cells(page)
    page.wait_for_function(IDLE, arg=4, timeout=90_000)
    page.wait_for_timeout(6000)
    for still, live in page.evaluate(OUTPUTS)[1:]:
        assert (still["high"], still["pages"]) == (0, 0)
        assert live["pages"] == 1
    page.close()


def test_a_notebook_that_is_not_trusted_says_what_is_missing(lab: Lab, running: Any) -> None:
    del running  # it has saved the notebook
    notebook = json.loads((lab.folder / "explorers.ipynb").read_text(encoding="utf-8"))
    notebook["cells"][0]["source"] = "# From somebody else"
    (lab.folder / "strange.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    page = lab.open("strange.ipynb")
    page.wait_for_selector("text=Trust Notebook")
    page.wait_for_timeout(1000)
    found = page.evaluate(OUTPUTS)
    page.close()
    still, live = found[1]
    assert still["said"].startswith("Threshold(10 cases, cut=4, measure='precision'): a page that")
    assert "Trust Notebook" in still["said"]
    assert live["said"] == ""
