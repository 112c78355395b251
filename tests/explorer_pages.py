"""How the tests open an explorer's page, work its controls and read what it shows."""

import re
from pathlib import Path
from typing import Any

import binteach as bt
from binteach import explorers

# Each explorer on few cases, as a cell of a notebook would make it.
EXAMPLES = {
    "threshold": "threshold(bt.load('ten_cases'), cut=4)",
    "quota": "quota(bt.load('ten_cases'), 4)",
}
EXPORTED = [name for name in explorers.__all__ if name not in ("Explorer", "explore")]

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
    return eval(EXAMPLES[name], {"bt": bt, **vars(explorers)})
