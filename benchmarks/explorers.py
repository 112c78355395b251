"""How long a step of a slider takes in JupyterLab, beside the least that Bokeh can do.

The least is a plot of one point that a slider moves, by the same means: CustomJS in the page. A
step is a key pressed on the slider's handle. It ends when the frame after the one that shows it
begins; frames come sixty times a second, so that no step is shorter than one of them.
"""

import shutil
import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.browser import CHROMIUM_FLAGS, jupyter_lab, open_notebook, write_notebook

BARE = "a plot of one point"
PAGES = {
    "threshold": "import binteach as bt\nbt.explorers.threshold(bt.load('ten_cases'), cut=4)",
    "quota": "import binteach as bt\nbt.explorers.quota(bt.load('ten_cases'), 4)",
    # After an explorer: it brings BokehJS along, which a bare plot does not.
    BARE: """
from bokeh.models import Column, ColumnDataSource, CustomJS, Slider
from bokeh.plotting import figure
from jupyter_bokeh import BokehModel

slider = Slider(start=0, end=10, step=1, value=4, title="x")
point = ColumnDataSource({"x": [4], "y": [4]})
plot = figure(width=364, height=330, x_range=(0, 10), y_range=(0, 10))
plot.scatter("x", "y", source=point, size=15)
code = "point.data = {x: [slider.value], y: [slider.value]}"
slider.js_on_change("value", CustomJS(args={"point": point, "slider": slider}, code=code))
BokehModel(Column(children=[slider, plot]))
""",
}
BLOCK = 10  # steps in a row; then it is the turn of another page

HANDLE = """(number) => {
  const cell = document.querySelectorAll(".jp-CodeCell")[number];
  const root = [...(window.Bokeh?.index ?? [])].find((view) => cell.contains(view.el));
  const is_slider = (view) => view.root === root && view.model.type.endsWith("Slider");
  const slider = root && [...Bokeh.index.query(is_slider)][0];
  return slider && slider.shadow_el.querySelector(".noUi-handle");
}"""
STEPS = f"""async ([number, steps]) => {{
  const handle = ({HANDLE})(number);
  const frame = () => new Promise(requestAnimationFrame);
  const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
  handle.scrollIntoView({{block: "start"}});
  handle.focus();
  await pause(300);
  const found = [];
  for (let step = 0; step < steps; step++) {{
    // At any moment of a frame: people do not wait for one.
    await pause(60 + 20 * Math.random());
    const key = step < steps / 2 ? "ArrowRight" : "ArrowLeft";
    const start = performance.now();
    handle.dispatchEvent(new KeyboardEvent("keydown", {{key, bubbles: true}}));
    await frame();
    await frame();
    found.push((performance.now() - start) / 1000);
  }}
  return found;
}}"""


@dataclass(frozen=True)
class Found:
    """Seconds: of a step in each page, and from the start of a cell to its picture."""

    steps: Mapping[str, float]
    first_picture: Mapping[str, float]


def chromium() -> str | None:
    """The browser to measure with."""
    return shutil.which("chromium")


def measure(folder: Path, rounds: int) -> Found:
    """Measure all pages in one JupyterLab; they take turns."""
    from playwright.sync_api import sync_playwright

    write_notebook(folder / "pages.ipynb", list(PAGES.values()))
    with jupyter_lab(folder) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
        page = browser.new_page(viewport={"width": 1600, "height": 1000})
        first = dict(_first_pictures(page, address))
        seconds: dict[str, list[float]] = {name: [] for name in PAGES}
        for turn in range(rounds + 1):
            for number, name in enumerate(PAGES):
                found = page.evaluate(STEPS, [number, BLOCK])
                if turn:  # the first round is warming up
                    seconds[name] += found
        browser.close()
    return Found({name: statistics.median(times) for name, times in seconds.items()}, first)


def _first_pictures(page: Any, address: str) -> Iterator[tuple[str, float]]:
    """Run one cell after the other, and wait for the picture of each."""
    open_notebook(page, address, "pages.ipynb")
    for number, name in enumerate(PAGES):
        seconds = page.evaluate(
            f"""async (number) => {{
              const start = performance.now();
              jupyterapp.commands.execute("notebook:run-cell-and-select-next");
              while (!({HANDLE})(number)) await new Promise(requestAnimationFrame);
              await new Promise(requestAnimationFrame);
              return (performance.now() - start) / 1000;
            }}""",
            number,
        )
        yield name, seconds
