"""How the tests open explorers in a browser, read what they show, and move their sliders."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.browser import VIEWS

HOSTILE = "<img src=x onerror=document.title='owned'>"

PATIENCE = 120  # seconds: a busy machine is no reason to fail
# An extension for JupyterLite, which builds the site, complains in every JupyterLab beside which it
# is installed that it is not in JupyterLite.
ELSEWHERE = "Shared module @jupyterlite/services doesn't exist"
AT_HOME = re.compile(r"(https?|wss?)://(localhost|127\.0\.0\.1)[:/]|file:|data:|blob:|about:")


# Opening ----------------------------------------------------------------------------------------


def watch(page: Any, *kinds: str) -> list[str]:
    """From now on: messages of these kinds, errors, dialogs, and requests beyond this machine."""
    trouble: list[str] = []

    def hear(message: Any) -> None:
        if message.type in kinds and ELSEWHERE not in message.text:
            trouble.append(message.text)

    def ask(request: Any) -> None:
        if not AT_HOME.match(request.url):
            trouble.append(request.url)

    def answer(dialog: Any) -> None:
        trouble.append(dialog.message)
        dialog.dismiss()

    page.on("console", hear)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("request", ask)
    page.on("dialog", answer)
    return trouble


def open_page(chromium: Any, file: Path, width: int = 1200) -> tuple[Any, list[str]]:
    """A file from the disk with the network cut off, and whatever it complains of or asks for."""
    page = chromium.new_page(viewport={"width": width, "height": 900})
    page.context.set_offline(True)
    trouble = watch(page, "error", "warning")
    page.goto(file.as_uri())
    Shown(page).wait_until_drawn()
    return page, trouble


# Reading ----------------------------------------------------------------------------------------

# What expressions may use. `rows` and `bold` read the text of a box as the browser would.
KNOWN = """
const plain = (value) => {
  if (value === null || typeof value !== "object") return value;
  if (value instanceof Map) return plain(Object.fromEntries(value));
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return [...value].map(plain);
  if (value.type && value.id) return value.data ? plain(value.data) : value.id;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
};
const parsed = (text) => {
  const made = document.createElement("template");
  made.innerHTML = text;
  return made.content;
};
const words = (node) => node.textContent.replaceAll("\\u00a0", " ").trim();
const all = (box, selector) => [...parsed(box.text).querySelectorAll(selector)];
const rows = (box) => all(box, "tr").map((row) => [...row.cells].map(words));
const bold = (box) => all(box, "b").map(words);
const point = (source) => [[...source.data.x], [...source.data.y]];
"""
# The things that the code of the page in a cell moves, by name.
ARGS = """
const models = [...views(cell)[0].model.document.all_models];
const args = models.find((model) => model.type === "CustomJS" && model.args.summary)?.args;
"""


@dataclass(frozen=True)
class Shown:
    """An explorer that a browser shows: alone in its page, or in a cell of a notebook."""

    page: Any
    cell: int | None = None

    def evaluate(self, code: str, *more: Any) -> Any:
        """What code comes to that knows `cell`, the `views` of a kind there, and `more`."""
        return self.page.evaluate(f"([cell, ...more]) => {{ {VIEWS} {code} }}", [self.cell, *more])

    def look_up(self, expression: str) -> Any:
        """What an expression comes to over `args`, the things that the page's code moves."""
        return self.evaluate(f"{KNOWN} {ARGS} return plain({expression});")

    def slider(self, number: int = 0) -> dict[str, Any]:
        """Where a slider stands, and how far it goes."""
        found: dict[str, Any] = self.evaluate(
            """const {value, start, end, step, title} = views(cell, "Slider")[more[0]].model;
            return {value, start, end, step, title};""",
            number,
        )
        return found

    def handle(self, number: int = 0) -> Any:
        """The handle of a slider."""
        code = """views(cell, "Slider")[number].shadow_el.querySelector(".noUi-handle")"""
        return self.page.evaluate_handle(
            f"([cell, number]) => {{ {VIEWS} return {code} }}", [self.cell, number]
        ).as_element()

    def paper(self) -> dict[str, set[str]]:
        """The colours below the page and its figures, and of its words."""
        found: dict[str, list[str]] = self.evaluate(
            """const style = (element) => getComputedStyle(element);
            const [root] = views(cell);
            return {
              below: [style(root.el).backgroundColor, ...views(cell, "Figure").map(
                (view) => view.model.border_fill_color)],
              words: views(cell, "Div").map((view) => style(view.markup_el).color),
            };"""
        )
        return {name: set(colours) for name, colours in found.items()}

    def colours(self) -> list[int]:
        """How many colours each figure has; a blank one has one."""
        found: list[int] = self.evaluate(
            """return views(cell, "Figure").map((view) => {
              const painted = view.canvas_view.primary.canvas;
              const {width, height} = painted;
              const copy = new OffscreenCanvas(width, height).getContext("2d");
              copy.drawImage(painted, 0, 0);
              const pixels = copy.getImageData(0, 0, width, height).data;
              return new Set(new Uint32Array(pixels.buffer)).size;
            });"""
        )
        return found

    def boxes(self) -> list[list[str]]:
        """Of each box, the words that it shows, and those that it should."""
        found: list[list[str]] = self.evaluate(
            f"""{KNOWN}
            return views(cell, "Div").map(
              (view) => [view.markup_el.textContent, parsed(view.model.text).textContent]);"""
        )
        return found

    # Moving -------------------------------------------------------------------------------------

    def press(self, key: str, number: int = 0) -> None:
        """Press a key on the handle of a slider."""
        self.handle(number).press(key)

    def drag(self, value: float, number: int = 0) -> None:
        """Drag the handle of a slider with the mouse to a value."""
        slider, handle = self.slider(number), self.handle(number)
        handle.hover()  # this waits until it stands still
        self.page.mouse.down()
        way = handle.evaluate("(handle) => handle.closest('.noUi-base').getBoundingClientRect()")
        share = (value - slider["start"]) / (slider["end"] - slider["start"])
        box = handle.bounding_box()
        middle = box["y"] + box["height"] / 2
        self.page.mouse.move(way["x"] + share * way["width"], middle, steps=4)
        self.page.mouse.up()

    # Waiting ------------------------------------------------------------------------------------

    def wait_until(self, code: str, *more: Any) -> None:
        """Until code comes to something true; it knows what `evaluate` does."""
        self.page.wait_for_function(
            f"([cell, ...more]) => {{ {VIEWS} {code} }}",
            arg=[self.cell, *more],
            timeout=1000 * PATIENCE,
        )

    def repeat(self, is_so: Callable[[], bool]) -> bool:
        """Ask until it is so, or patience ends."""
        for _ in range(10 * PATIENCE):
            if is_so():
                return True
            self.page.wait_for_timeout(100)
        return False

    def wait_until_drawn(self) -> None:
        """Until its code has run: then it has said something, and the handles have names.

        Where there is nothing to explore, there is no such code.
        """
        self.wait_until(
            f"""if (!views(cell).length) return false; {ARGS}
            const handles = views(cell, "Slider").map(
              (view) => view.shadow_el.querySelector(".noUi-handle"));
            return views(cell)[0].model.document.is_idle &&
              handles.every((handle) => handle.hasAttribute("aria-label")) &&
              args?.summary.text !== "" && args?.derivation?.text !== "";"""
        )

    def wait_for(self, value: float) -> None:
        """Until the first slider stands at a value."""
        self.wait_until('return views(cell, "Slider")[0].model.value === more[0]', value)

    def wait_for_text(self, name: str, text: str) -> None:
        """Until one of the boxes that the page's code moves holds a text."""
        self.wait_until(f"{ARGS} return args[more[0]].text.includes(more[1])", name, text)


# Accessibility ----------------------------------------------------------------------------------


def violations(shown: Shown, axe: str, *rules: str, within: str = "*") -> list[str]:
    """What axe-core holds to be serious or critical, with the places; by all rules, or by some."""
    if not shown.page.evaluate("() => 'axe' in window"):
        shown.page.evaluate(axe)
    found = shown.evaluate(
        """const [rules, within] = more;
        const part = cell === null ? document : document.querySelectorAll(".jp-CodeCell")[cell];
        const place = within === "*" ? part : part.querySelector(within);
        return axe.run(place, {resultTypes: ["violations"], ...(rules.length && {runOnly: rules})});
        """,
        rules,
        within,
    )
    return [
        f"{each['id']}: {each['help']}: {node['target']} {node['html'][:200]}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


# Former names ---------------------------------------------------------------------------------


_KNOWN = """
const MODELS = [...Bokeh.documents[0]._all_models.values()]
const SUMMARY = MODELS.find((m) => m.html_attributes && m.html_attributes.role === "status")?.text
function text_of(node) {
  if (node.nodeType === 3) return node.data
  if (node.nodeType !== 1 || node.tagName === "STYLE" || node.tagName === "SCRIPT") return ""
  const inner = node.shadowRoot ? [...node.shadowRoot.childNodes] : []
  return [...inner, ...node.childNodes].map(text_of).join(" ")
}
"""


def read(page: Any, function: str) -> Any:
    """What a function in the page returns; it knows MODELS, SUMMARY and text_of."""
    return page.evaluate(f"() => {{ {_KNOWN} return ({function})() }}")


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
