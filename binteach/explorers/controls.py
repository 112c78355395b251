"""Widgets for what needs Python: the choice of data and measure, and data of one's own."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from binteach.cases import Cases
from binteach.data import datasets, load
from binteach.measures import MEASURES
from binteach.measures import measure as find_measure

EXAMPLE = "label,score\n1,0.9\n0,0.6\n1,0.4\n0,0.2"


def data_chooser(current: str, use: Callable[[Cases], None]) -> Any:
    """A drop-down with the bundled data sets that are cases."""
    import ipywidgets

    names = [name for name in datasets() if isinstance(load(name), Cases)]
    options = [("your own", ""), *((name, name) for name in names)]
    chooser = ipywidgets.Dropdown(
        options=options, value=current if current in names else "", description="Data"
    )

    def chosen(change: Any) -> None:
        if change.new:
            use(load(change.new))

    chooser.observe(chosen, "value")
    return chooser


def measure_chooser(keys: Sequence[str], current: str, use: Callable[[str], None]) -> Any:
    """A field that finds a measure by any of its names."""
    import ipywidgets

    names = [name for key in keys for name in (MEASURES[key].title, *MEASURES[key].names)]
    field = ipywidgets.Combobox(
        value=MEASURES[current].title,
        options=names,
        description="Measure",
        placeholder="any name: recall, PPV, F1, ...",
        continuous_update=False,
    )

    def chosen(change: Any) -> None:
        try:
            found = find_measure(change.new)
        except ValueError:
            return  # not a name yet
        if found.key in keys:
            use(found.key)

    field.observe(chosen, "value")
    return field


def data_field(use: Callable[[Cases], None]) -> Any:
    """A field for pasted rows with a label and a score each."""
    import ipywidgets

    rows = ipywidgets.Textarea(value=EXAMPLE, layout={"width": "22em", "height": "9em"})
    button = ipywidgets.Button(description="Use these", tooltip="Show these cases")
    answer = ipywidgets.HTML()

    def clicked(_: Any) -> None:
        try:
            reader = csv.reader(io.StringIO(rows.value))
            use(Cases.from_rows(reader, "your data", "label", "score", "1", "case"))
            answer.value = "<p role='status'>Shown below.</p>"
        except (ValueError, csv.Error) as wrong:
            answer.value = f"<p role='alert'>{escape(str(wrong))}</p>"

    button.on_click(clicked)
    inside = ipywidgets.VBox([rows, button, answer])
    folded = ipywidgets.Accordion(children=[inside], titles=("Your own data",))
    folded.selected_index = None
    return folded
