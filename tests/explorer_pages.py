"""Saved pages of explorers in a browser that reaches nothing but the disk."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MODELS = """() => {
  const models = [...Bokeh.documents[0]._all_models.values()]
  window.slider = (title) => models.find((m) => m.type === "Slider" && m.title === title)
  window.switched = models.find((m) => m.type === "CustomJS" && m.args.summary)
  const args = window.switched.args
  window.text = (name) => args[name].text
  window.points = (name) => {
    const data = args.now[name].data
    return {x: [...data.x], y: [...data.y], text: [...data.text]}
  }
}"""
FOCUS = """(title) => {
  const view = Bokeh.index.find_one(slider(title))
  const handle = (view.shadow_el || view.el).querySelector(".noUi-handle")
  handle.focus()
  return [handle.getAttribute("aria-label"), handle.getAttribute("aria-valuetext")]
}"""


@contextmanager
def opened(chromium: Any, path: Path) -> Iterator[tuple[Any, list[str]]]:
    """The file in a browser that reaches nothing else, and what went wrong."""
    page = chromium.new_page(viewport={"width": 1400, "height": 900})
    trouble: list[str] = []
    page.on("console", lambda m: trouble.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("dialog", lambda dialog: trouble.append(dialog.message))

    def only_from_disk(route: Any) -> None:
        if route.request.url.startswith(("file:", "data:", "blob:")):
            route.continue_()
        else:
            trouble.append(route.request.url)
            route.abort()

    page.route("**/*", only_from_disk)
    page.goto(path.as_uri())
    page.wait_for_function("window.Bokeh && Bokeh.documents.length && Bokeh.documents[0].is_idle")
    page.evaluate(MODELS)
    page.wait_for_function("text('summary') !== ''")
    try:
        yield page, trouble
    finally:
        page.close()
