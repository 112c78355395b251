"""How the tests of explorers open a saved page, read it and move its sliders."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HOSTILE = "<img src=x onerror=document.title='owned'>"

READY = "() => window.Bokeh && Bokeh.documents.length && Bokeh.documents[0].is_idle"
# Bokeh keeps its elements behind shadow roots, so that innerText does not see them.
KNOWN = """
const MODELS = [...Bokeh.documents[0]._all_models.values()]
const SUMMARY = MODELS.find((m) => m.html_attributes && m.html_attributes.role === "status")?.text
function text_of(node) {
  if (node.nodeType === 3) return node.data
  if (node.nodeType !== 1 || node.tagName === "STYLE" || node.tagName === "SCRIPT") return ""
  const inner = node.shadowRoot ? [...node.shadowRoot.childNodes] : []
  return [...inner, ...node.childNodes].map(text_of).join(" ")
}
"""


def open_page(chromium: Any, path: Path, width: int = 1200) -> tuple[Any, list[str]]:
    """A saved page from the disk, without a network, and whatever it complained about."""
    page = chromium.new_page(viewport={"width": width, "height": 900})
    trouble: list[str] = []
    page.on("console", lambda said: trouble.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("dialog", lambda dialog: trouble.append(dialog.message))

    def gate(route: Any) -> None:
        if route.request.url.startswith(("file:", "data:", "blob:")):
            route.continue_()
        else:
            trouble.append(route.request.url)
            route.abort()

    page.route("**/*", gate)
    page.goto(path.as_uri())
    page.wait_for_function(READY)
    return page, trouble


def read(page: Any, function: str) -> Any:
    """What a function in the page returns; it knows MODELS, SUMMARY and text_of."""
    return page.evaluate(f"() => {{ {KNOWN} return ({function})() }}")


def set_model(page: Any, kind: str, place: int, name: str, value: Any) -> None:
    """Set a property of one of the page's models, as a control does."""
    page.evaluate(
        """([kind, place, name, value]) => {
          const all = [...Bokeh.documents[0]._all_models.values()]
          all.filter((model) => model.type === kind)[place][name] = value
        }""",
        [kind, place, name, value],
    )


def press_slider(page: Any, place: int, key: str) -> None:
    """Press a key on the handle of a slider."""
    page.evaluate(
        """(place) => {
          const all = [...Bokeh.documents[0]._all_models.values()]
          const slider = all.filter((model) => model.type === "Slider")[place]
          Bokeh.index.find_one(slider).shadow_el.querySelector(".noUi-handle").focus()
        }""",
        place,
    )
    page.keyboard.press(key)
    page.wait_for_timeout(100)


WINDOW = """() => {
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
    """A page whose window knows its sliders, texts and points; closed at the end."""
    page, trouble = open_page(chromium, path, 1400)
    page.evaluate(WINDOW)
    page.wait_for_function("text('summary') !== ''")
    try:
        yield page, trouble
    finally:
        page.close()
