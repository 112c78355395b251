"""The page of an explorer in a notebook that runs: its controls follow the traits and set them.

BokehJS reports every change of a control to Python, also a change that Python itself has made. Two
views of one explorer would take such echoes for moves and answer each other without end. Nor does
a page that is drawn late, or again after the browser was reloaded, know what has changed since it
was made. So Python does not set the controls: it tells the page, which sets them without a report;
and a page that is drawn asks to be told.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from binteach.explorers.base import Explorer, View

OBEY = """
const [number, place, value] = told.tags
for (const model of models) model.setv({syncable: false}, {silent: true})
models[place][names[place]] = value
for (const model of models) model.setv({syncable: true}, {silent: true})
"""
ASK = "asked.tags = [Math.random()]"


def live(explorer: Explorer, view: View) -> tuple[Any, Callable[[], None]]:
    """A widget that shows the page and keeps up with the explorer; and what makes it stop."""
    from bokeh.events import DocumentReady
    from bokeh.models import ColumnDataSource, CustomJS
    from jupyter_bokeh import BokehModel

    told, asked = ColumnDataSource(syncable=False), ColumnDataSource()
    controls = list(view.traits.values())
    # What Python tells: where each control stands, and what only Python can answer.
    targets = list(controls)
    find: list[Callable[[], Any]] = [partial(getattr, explorer, trait) for trait in view.traits]
    if view.ask is not None:
        box, answer = view.ask
        box.tags, box.text = ["live"], answer()
        targets.append((box, "text"))
        find.append(answer)
    models, names = zip(*targets, strict=True)
    obey = CustomJS(args={"told": told, "models": models, "names": names}, code=OBEY)
    told.js_on_change("tags", obey)
    view.root.document.js_on_event(DocumentReady, CustomJS(args={"asked": asked}, code=ASK))
    view.root.tags = [told, asked]
    # It keeps the page as it is now; whatever comes later has to be told.
    shown = BokehModel(view.root, combine_events=True)
    numbers = count()
    followed: list[tuple[Callable[[Any], None], str]] = []

    def tell(place: int, value: Any) -> None:
        # Numbered, so that each is a change, even if it says the same again.
        told.tags = [next(numbers), place, value]

    def tell_all(attribute: str, old: Any, new: Any) -> None:
        del attribute, old, new
        for place in range(len(targets)):
            tell(place, find[place]())

    def follower(place: int) -> Callable[[Any], None]:
        model, name = controls[place]

        def follow(change: Any) -> None:
            # The page that was moved knows it, and may have moved on.
            if getattr(model, name) != change.new:
                model.set_from_json(name, change.new, setter=shown)
                tell(place, change.new)

        return follow

    def reply(change: Any) -> None:
        del change
        tell(len(controls), find[-1]())

    for place, (trait, (model, name)) in enumerate(view.traits.items()):
        model.on_change(name, explorer.setter(trait))
        followed.append((follower(place), trait))
    asked.on_change("tags", tell_all)
    if view.ask is not None:
        followed.extend((reply, trait) for trait in view.traits)
    for follow, trait in followed:
        explorer.observe(follow, trait)

    def let_go() -> None:
        for follow, trait in followed:
            explorer.unobserve(follow, trait)

    return shown, let_go
