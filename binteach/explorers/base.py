"""What every explorer can do: be shown, be saved, be watched and set from Python.

An explorer has traits (`cut`, `measure`, ...). It may be shown many times; every time a page of
its own is made, whose controls follow the traits and set them. A page works by itself: what its
controls select was worked out beforehand, and code in the page switches between it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import traitlets

from binteach.cases import Cases
from binteach.exact import shorten
from binteach.explorers import look, pages, still
from binteach.needs import need

if TYPE_CHECKING:
    from bokeh.document import Document
    from bokeh.models import CustomJS, LayoutDOM, Model


LARGEST = 10**300  # scores that can still be drawn as doubles, with room around them
STILL = (
    "a page that moves comes here when the cell is run. It comes without running it where the "
    "notebook is trusted (in JupyterLab: View, Activate Command Palette, Trust Notebook)."
)
"""What a notebook says in which no script may run."""


@dataclass(frozen=True)
class View:
    """One page of an explorer.

    traits   trait of the explorer -> the model that shows it, and the property that does
    figures  the figures by name
    switch   the code that brings the page up to date
    ask      what only Python can answer, while it runs: the box for it, and who answers; the box
             is told so by the tag "live"
    """

    root: LayoutDOM
    traits: dict[str, tuple[Model, str]]
    figures: dict[str, Any]
    switch: CustomJS
    ask: tuple[Model, Callable[[], str]] | None = None

    def document(self, title: str) -> Document:
        """The page as a document that brings itself up to date when it is ready."""
        from bokeh.document import Document
        from bokeh.events import DocumentReady

        document = Document(title=title)
        document.add_root(self.root)
        document.js_on_event(DocumentReady, self.switch)
        kept = {id(model) for model, _ in self.traits.values()}
        for model in document.models:
            # Python hears of the controls alone; the rest follows from them.
            model.syncable = id(model) in kept
        return document


class Setting(traitlets.TraitType[Any, Any]):
    """A trait of an explorer that takes nothing that its page cannot show.

    It is written as a method that reads what is given: it returns the value to keep, or raises
    ValueError with the name of the trait, what was given and what can be. Then the trait keeps
    the value that it had. `whole_number`, `one_of` and `measure_key` in state.py read what most
    traits are; `CutTable.read` reads a cut.

        @Setting
        def measure(self, given: object) -> str:
            \"\"\"The key of the measure that is explained.\"\"\"
            return measure_key("measure", given, self.measures())

    What the method needs of the explorer must be there before the trait is first set.
    """

    def __init__(self, read: Callable[[Any, object], Any]) -> None:
        super().__init__(help=read.__doc__)
        self.read = read

    def validate(self, obj: Any, value: object) -> Any:
        """The value to keep."""
        return self.read(obj, value)


class Explorer(traitlets.HasTraits):
    """A picture that moves; as the last line of a cell it shows itself."""

    kind = "explorer"
    data = traitlets.Any(help="what is explored; other data make another page")
    _holder: tuple[str | None, str | None] | None = None  # where the notebook has BokehJS

    # For each explorer to say ------------------------------------------------------------------

    def build(self) -> View:
        """A fresh page in the present state."""
        raise NotImplementedError

    def _derivation(self) -> str:
        """What is derived in the present state, as HTML that is written now."""
        raise NotImplementedError

    def rankings(self) -> dict[str, Cases]:
        """The rankings that a picture without Bokeh draws, by name."""
        cases = getattr(self, "cases", None)
        return {} if cases is None else {"model": cases}

    of_cases = False  # whether it needs nothing but cases, so that others can be chosen

    def controls(self) -> list[Any]:
        """Widgets for what needs Python, above the page."""
        import ipywidgets

        from binteach.explorers.controls import data_chooser, data_field

        if not self.of_cases:
            return []
        chosen = [data_chooser("", self.take), data_field(self.take)]
        return [ipywidgets.HBox(chosen, layout={"flex_flow": "row wrap"})]

    @staticmethod
    def checked(cases: Any) -> Cases:
        """Cases that can be drawn."""
        if not isinstance(cases, Cases):
            raise ValueError(
                f"this explorer takes Cases, not {shorten(cases)}; bt.load(name) gives a data set"
            )
        for end in (0, -1):
            if abs(cases.score(int(cases.ranking.order[end]))) > LARGEST:
                raise ValueError("scores beyond 10^300 cannot be drawn; rescale the scores")
        return cases

    def take(self, cases: Any) -> None:
        """Explore other cases, from the start."""
        for kind in type(self).__mro__:
            for name, known in vars(kind).items():
                if isinstance(known, cached_property):
                    self.__dict__.pop(name, None)  # it was known of other cases
        type(self).__init__(self, cases)
        self.data = cases

    # Out of the house --------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """The title of the page."""
        return f"binteach: {self.kind} explorer"

    def save(self, path: str | Path) -> Path:
        """Write one HTML file that needs nothing else, neither Python nor a network."""
        target = Path(path)
        target.write_text(pages.whole(self._page().document(self.title), self.title), "utf-8")
        return target

    def figure(self, name: str) -> Any:
        """A plain Bokeh figure of a fixed size, for a layout of your own."""
        return self._view_with(name).figures[name]

    def svg(self, name: str) -> str:
        """A figure as SVG, for slides and print; needs the extra `export` and a Chromium."""
        from binteach.explorers import export

        return export.svg(self._view_with(name), name)

    def png(self, name: str, scale: float = 2) -> bytes:
        """A figure as PNG, `scale` times as large as on the screen; needs what svg() needs."""
        from binteach.explorers import export

        return export.png(self._view_with(name), name, scale)

    def _page(self) -> View:
        """A fresh page; an error that says what to do where Bokeh is missing."""
        need("bokeh", "page that moves, nor a figure of it")
        return self.build()

    def _view_with(self, name: str) -> View:
        """A fresh page in which this figure has a fixed size."""
        view = self._page()
        if name not in view.figures:
            listed = ", ".join(view.figures)
            raise ValueError(f"there is no figure {shorten(name)}; there are {listed}")
        look.alone(view.figures[name])
        return view

    # In a notebook -----------------------------------------------------------------------------

    def _ipython_display_(self) -> None:
        """Two outputs: a page for where no Python runs, and the live one."""
        from IPython.display import display

        if not still.can_move():
            # One output: the widget where Python runs, and the same as HTML where it does not.
            live = still.widget(self)._repr_mimebundle_()
            display({**live, "text/html": still.page(self), "text/plain": repr(self)}, raw=True)
            return
        # Both are made first: the page without Python would come if it had to wait for the other.
        static, live = self.static(), self.widget()._repr_mimebundle_()
        display({"text/html": static, "text/plain": repr(self)}, raw=True)
        # What stands for it in words was said above; its own text holds a random number.
        display({**live, "text/plain": ""}, raw=True)

    def widget(self) -> Any:
        """The page as a widget, with the controls that need Python above it."""
        if not still.can_move():
            return still.widget(self)
        import ipywidgets

        from binteach.explorers.live import live

        shown = ipywidgets.VBox()
        let_go: list[Callable[[], None]] = []

        def renew(change: Any = None) -> None:
            """Other data need another page."""
            del change
            while let_go:
                let_go.pop()()
            view = self.build()
            view.document(self.title)
            page, stop = live(self, view)
            shown.children = [page]
            let_go.append(stop)

        renew()
        self.observe(renew, "data")
        return ipywidgets.VBox([*self.controls(), shown])

    def setter(self, trait: str) -> Callable[[str, Any, Any], None]:
        """What sets a trait when its control is moved."""

        def set_trait(attribute: str, old: Any, new: Any) -> None:
            del attribute, old
            # On its way to the next cut a slider passes through a tie, where it cannot stay.
            with suppress(ValueError):
                setattr(self, trait, new)

        return set_trait

    def static(self) -> str:
        """The page for a notebook that is only read: it stays away where the live one is shown."""
        if not still.can_move():
            return still.page(self)
        cell, run = _running()
        # One output of the notebook holds BokehJS. A cell that is run again loses what it held.
        held = Explorer._holder
        is_held = held is not None and (held[0] is None or held[0] != cell or held[1] == run)
        if not is_held:
            Explorer._holder = cell, run
        return ("" if is_held else pages.scripts()) + pages.fragment(
            self.build().document(self.title), f"{self!r}: {STILL}"
        )


def _running() -> tuple[str | None, str | None]:
    """The cell that is being run, and this run of it, where a notebook tells."""
    # Where IPython has not been loaded, no notebook is running.
    ipython = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    parent = getattr(ipython, "parent_header", {})
    return parent.get("metadata", {}).get("cellId"), parent.get("header", {}).get("msg_id")


def note(text: str) -> str:
    """A remark in a page."""
    return f"<p>{escape(text)}</p>"
