"""The explorers in a real JupyterLab, and in the page that nbconvert makes of a notebook.

Every explorer that is exported is shown twice; `EXAMPLES` in explorer_pages.py tells on which data.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from explorer_pages import EXAMPLES, EXPORTED, LOCAL, example, opened, wait_for_pages

from benchmarks.browser import (
    converted,
    end_kernel,
    environment,
    jupyter_lab,
    run_in_kernel,
    run_notebook,
    write_notebook,
)

pytestmark = pytest.mark.slow

FIRST = f"import binteach as bt\nfrom binteach.explorers import {', '.join(EXPORTED)}"


def cells() -> list[str]:
    """One cell that makes each explorer and shows it, and another that shows it again."""
    shown = [FIRST]
    for name in EXPORTED:
        shown += [f"made_{name} = {EXAMPLES[name]}\nmade_{name}", f"made_{name}"]
    return shown


def test_every_explorer_has_an_example() -> None:
    assert set(EXPORTED) <= set(EXAMPLES), "add what is missing to EXAMPLES in explorer_pages.py"


# In JupyterLab ------------------------------------------------------------------------------------

# The views of one kind in a cell, in the order of the page.
VIEWS = """const views = (number, kind) => {
  const cell = document.querySelectorAll(".jp-CodeCell")[number];
  const root = [...Bokeh.index].find((view) => cell.contains(view.el));
  const of_kind = (view) => view.root === root && view.model.type.split(".").pop() === kind;
  return root ? [...Bokeh.index.query(of_kind)] : [];
};"""
# The first slider, and the sentence that says what it has come to.
SHOWN = f"""(number) => {{
  {VIEWS}
  const slider = views(number, "Slider")[0];
  const status = views(number, "Div").find((view) => view.model.html_attributes.role === "status");
  return slider && status ? {{
    value: slider.model.value, end: slider.model.end, title: slider.model.title,
    label: slider.shadow_el.querySelector(".noUi-handle").getAttribute("aria-label"),
    said: status.markup_el.textContent, text: status.model.text,
  }} : null;
}}"""
HANDLE = f"""(number) => {{
  {VIEWS}
  return views(number, "Slider")[0].shadow_el.querySelector(".noUi-handle");
}}"""
# How many colours each figure has.
COLOURS = f"""(number) => {{
  {VIEWS}
  return views(number, "Figure").map((view) => {{
    const painted = view.canvas_view.primary.canvas;
    const {{width, height}} = painted;
    const copy = new OffscreenCanvas(width, height).getContext("2d", {{willReadFrequently: true}});
    copy.drawImage(painted, 0, 0);
    return new Set(new Uint32Array(copy.getImageData(0, 0, width, height).data.buffer)).size;
  }});
}}"""


@dataclass(frozen=True)
class Lab:
    """The open notebook, and whatever it complained of or asked for elsewhere."""

    page: Any
    trouble: list[str]

    def shown(self, cell: int) -> Any:
        return self.page.evaluate(SHOWN, cell)

    def check_pictures(self, cell: int) -> None:
        """No figure is blank, and the slider has a name for those who cannot see it."""
        colours, shown = self.page.evaluate(COLOURS, cell), self.shown(cell)
        assert colours
        assert min(colours) > 5
        assert shown["label"] == shown["title"]

    def press(self, cell: int, key: str) -> None:
        self.page.evaluate_handle(HANDLE, cell).as_element().press(key)

    def step(self, cell: int) -> Any:
        """Press an arrow key once; what the cell shows then."""
        shown = self.shown(cell)
        self.press(cell, "ArrowRight" if shown["value"] < shown["end"] else "ArrowLeft")
        return self.shown(cell)

    def drag(self, cell: int, way: float) -> None:
        """Drag the handle with the mouse so many points to the right."""
        handle = self.page.evaluate_handle(HANDLE, cell).as_element()
        handle.scroll_into_view_if_needed()
        box = handle.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + way, y, steps=4)
        self.page.mouse.up()

    def wait(self, cell: int, value: float) -> Any:
        """What a cell shows once its slider has come to this value, and its words have followed."""
        self.page.wait_for_function(
            f"([cell, value]) => ({SHOWN})(cell)?.value === value", arg=[cell, value], timeout=15000
        )
        self.page.wait_for_timeout(100)
        return self.shown(cell)

    def ask(self, code: str) -> str:
        return run_in_kernel(self.page, code).strip()

    def wait_for_trait(self, expression: str, value: float) -> None:
        """Until Python has heard of it."""
        for _ in range(50):
            if self.ask(f"print({expression} == {value!r})") == "True":
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(f"{expression} is {self.ask(f'print({expression})')}, not {value}")


def places(name: str) -> tuple[int, int]:
    """The numbers of the two cells that show an explorer."""
    first = 1 + 2 * EXPORTED.index(name)
    return first, first + 1


def main_trait(name: str) -> str:
    """The trait that the first slider of an explorer sets."""
    from bokeh.models import Slider

    found = example(name).build().traits.items()
    return next(str(trait) for trait, (model, _) in found if isinstance(model, Slider))


@pytest.fixture(scope="module")
def lab(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("explorers")
    write_notebook(folder / "explorers.ipynb", cells())
    with jupyter_lab(folder) as address:
        page = chromium.new_page(viewport={"width": 1200, "height": 1000})
        trouble: list[str] = []
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on(
            "console",
            lambda message: trouble.append(message.text) if message.type == "error" else None,
        )
        page.on(
            "request",
            lambda request: None if LOCAL.match(request.url) else trouble.append(request.url),
        )
        run_notebook(page, address, "explorers.ipynb")
        page.wait_for_function(
            f"(last) => [...Array(last).keys()].every((cell) => ({SHOWN})(cell + 1)?.said)",
            arg=2 * len(EXPORTED),
            timeout=60_000,
        )
        page.wait_for_timeout(500)
        yield Lab(page, trouble)
        page.close()


@pytest.mark.parametrize("name", EXPORTED)
def test_it_is_drawn(lab: Lab, name: str) -> None:
    for cell in places(name):
        lab.check_pictures(cell)
    assert lab.trouble == []


@pytest.mark.parametrize("name", EXPORTED)
def test_the_keyboard_python_and_both_views_agree(lab: Lab, name: str) -> None:
    first, second = places(name)
    trait = f"made_{name}.{main_trait(name)}"
    before = lab.shown(first)
    assert lab.shown(second) == before

    moved = lab.step(first)
    assert moved["value"] != before["value"]
    assert moved["said"] != before["said"]
    assert moved["said"] == moved["text"]
    lab.wait_for_trait(trait, moved["value"])
    assert lab.wait(second, moved["value"])["said"] == moved["said"]

    assert lab.ask(f"{trait} = {before['value']!r}") == ""
    for cell in (first, second):
        assert lab.wait(cell, before["value"])["said"] == before["said"]
    assert lab.trouble == []


@pytest.mark.parametrize("name", EXPORTED)
def test_the_mouse_moves_it(lab: Lab, name: str) -> None:
    first, second = places(name)
    before = lab.shown(second)
    lab.drag(second, 2000)
    moved = lab.shown(second)
    assert moved["value"] == moved["end"]
    assert moved["said"] == moved["text"] != before["said"]
    assert lab.wait(first, moved["value"])["said"] == moved["said"]
    assert lab.ask(f"made_{name}.{main_trait(name)} = {before['value']!r}") == ""
    assert lab.wait(second, before["value"])["said"] == before["said"]
    assert lab.trouble == []


def test_a_measure_set_from_python_is_shown(lab: Lab) -> None:
    first, second = places("threshold")
    assert lab.ask("made_threshold.measure = 'recall'") == ""
    for cell in (first, second):
        lab.page.wait_for_function(
            f"(cell) => ({SHOWN})(cell).said.includes('Sensitivity: ')", arg=cell, timeout=15000
        )
    assert lab.ask("made_threshold.measure = 'precision'") == ""
    assert lab.trouble == []


def test_the_page_goes_on_when_the_kernel_is_gone(lab: Lab) -> None:
    """The last test of this notebook: there is no kernel afterwards."""
    first, second = places("threshold")
    before = lab.shown(second)
    end_kernel(lab.page)
    lab.press(first, "Home")
    assert lab.shown(first)["said"].startswith("No case is called positive: TP = 0, FP = 0")
    for k in range(1, 11):
        lab.press(first, "ArrowRight")
        shown = lab.shown(first)
        assert shown["value"] == k
        assert shown["said"].startswith("1 case is" if k == 1 else f"{k} cases are")
    assert lab.shown(second) == before, "there is nobody to tell the other view"
    # That nobody listens any more, the widget may say.
    assert [each for each in lab.trouble if each != "Cannot send"] == []


# In nbconvert's page ------------------------------------------------------------------------------

# What nbconvert's own page asks for, in vain, and misses then.
OWN = re.compile(r"https://\S*(requir|mathjax|jupyter-widgets)|require is not defined|ERR_FAILED")


@pytest.fixture(scope="module")
def static_page(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """The page that nbconvert makes, from the disk with the network blocked."""
    folder = tmp_path_factory.mktemp("converted")
    notebook = write_notebook(folder / "explorers.ipynb", cells())
    page, trouble = opened(chromium, converted(notebook, environment(folder)))
    wait_for_pages(page, 2 * len(EXPORTED))
    yield Lab(page, trouble)
    page.close()


@pytest.mark.parametrize("name", EXPORTED)
def test_the_converted_page_works(static_page: Lab, name: str) -> None:
    for cell in places(name):
        static_page.check_pictures(cell)
        before, after = static_page.shown(cell), static_page.step(cell)
        assert after["value"] != before["value"]
        assert after["said"] == after["text"] != before["said"]
    assert [each for each in static_page.trouble if not OWN.search(each)] == []
