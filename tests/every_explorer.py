"""How the tests open an explorer's page, work its controls and read what it shows."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import binteach as bt
from binteach import explorers

# Each explorer on few cases, as a cell of a notebook would make it, and the trait that the first
# slider of its page sets.
EXAMPLES = {
    "threshold": ("threshold(bt.load('ten_cases'), cut=4)", "cut"),
    "quota": ("quota(bt.load('ten_cases'), 4)", "quota"),
    "compare": ("compare.example('berrar')", "cut"),
    "voting": ("voting()", "x"),
    "prevalence": ("prevalence(bt.load('ten_cases'))", "prevalence_place"),
    "costs": ("costs(bt.load('ten_cases'))", "price_place"),
    "losses": ("losses(bt.load('ten_cases'))", "gamma"),
    "intervals": ("intervals(3, 5)", "successes"),
    "edit": ("edit(bt.load('ten_cases'))", "threshold"),
}
EXPORTED = [name for name in explorers.__all__ if name not in ("OF_CASES", "Explorer", "explore")]

LOCAL = re.compile(r"(https?|wss?)://(localhost|127\.0\.0\.1)[:/]|data:|blob:|about:")

# What a page has drawn: the arguments of the code that its first slider runs, by name.
ARGUMENTS = """(number) => {
  const models = [...Bokeh.documents[number].all_models];
  const slider = models.find((model) => model.type.endsWith("Slider"));
  return slider.js_property_callbacks["change:value"][0].args;
}"""

# Sources as plain objects, models as their numbers, all else as it is.
PLAIN = """(value) => {
  const plain = (value) => {
    if (value === null || typeof value !== "object") return value;
    if (value instanceof Map) return plain(Object.fromEntries(value));
    if (Array.isArray(value) || ArrayBuffer.isView(value)) return [...value].map(plain);
    if (value.type && value.id) return value.data ? plain(value.data) : value.id;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
  };
  return plain(value);
}"""


def look_up(page: Any, expression: str, number: int = 0) -> Any:
    """What an expression over `args`, the things that the page's code moves, comes to."""
    return page.evaluate(f"() => ({PLAIN})(((args) => {expression})(({ARGUMENTS})({number})))")


def is_loud(message: Any) -> bool:
    """Whether the page complains; Bokeh also greets."""
    return message.type in ("error", "warning")


def opened(chromium: Any, file: Path, width: int = 1200) -> tuple[Any, list[str]]:
    """A file from the disk with the network blocked, and whatever it complained of or asked for."""
    page = chromium.new_page(viewport={"width": width, "height": 900})
    trouble: list[str] = []

    def allow(route: Any) -> None:
        if route.request.url.startswith(("file:", "data:", "blob:")):
            route.continue_()
        else:
            trouble.append(route.request.url)
            route.abort()

    page.route("**/*", allow)
    page.on("console", lambda message: trouble.append(message.text) if is_loud(message) else None)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.goto(file.as_uri())
    wait_for_pages(page, 1)
    return page, trouble


def wait_for_pages(page: Any, number: int, patience: float = 30) -> None:
    """Until so many explorers are drawn, and are up to date: their handles have names."""
    page.wait_for_function(
        "(number) => window.Bokeh && Bokeh.documents.length >= number && "
        "Bokeh.documents.every((each) => each.is_idle)",
        arg=number,
        timeout=1000 * patience,
    )
    handle = ".noUi-handle[aria-label]"
    page.locator(handle).nth(number - 1).wait_for(state="attached", timeout=1000 * patience)


def drag(page: Any, share: float, number: int = 0) -> None:
    """Drag the handle of a slider with the mouse to so much of its way."""
    handle = page.locator(".noUi-handle").nth(number).bounding_box()
    way = page.locator(".noUi-base").nth(number).bounding_box()
    middle = handle["y"] + handle["height"] / 2
    page.mouse.move(handle["x"] + handle["width"] / 2, middle)
    page.mouse.down()
    page.mouse.move(way["x"] + share * way["width"], middle, steps=3)
    page.mouse.up()


def press(page: Any, key: str, number: int = 0) -> None:
    """Press a key on the handle of a slider."""
    page.locator(".noUi-handle").nth(number).press(key)


def example(name: str) -> Any:
    """The explorer of this name on its few cases."""
    return eval(EXAMPLES[name][0], {"bt": bt, **vars(explorers)})


# In a notebook ------------------------------------------------------------------------------------

IMPORTS = f"import binteach as bt\nfrom binteach.explorers import {', '.join(EXPORTED)}"


def shown_cells() -> list[str]:
    """A cell of imports, and one for each explorer that makes and shows it."""
    return [IMPORTS, *(f"made_{name} = {EXAMPLES[name][0]}\nmade_{name}" for name in EXPORTED)]


def cell_of(name: str) -> int:
    """The number of the cell that shows an explorer."""
    return 1 + EXPORTED.index(name)


# The views of one kind in a cell, in the order of the page.
VIEWS = """const views = (number, kind) => {
  if (!window.Bokeh) return [];
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
class Cells:
    """The cells of an open notebook; and whatever it complained of, or asked for elsewhere."""

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
