"""A lesson as a deck of slides: one HTML file that needs nothing else, explorers included.

The notebook says by its slide metadata what is a slide, a sub-slide, a fragment or a speaker note;
nbconvert lays them out, reveal.js moves them. Keys: arrows, S for the notes, F for the full screen.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from binteach.data import bundled

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

PARTS = ("reveal.js", "reveal.css", "notes.js", "style.css")


def course_notebooks() -> dict[str, Traversable]:
    """Number of a lesson -> its notebook."""
    found = (item for item in bundled("notebooks").iterdir() if item.name.endswith(".ipynb"))
    return {item.name[:2]: item for item in sorted(found, key=lambda item: item.name)}


def find_notebook(lesson: str) -> Traversable | Path:
    """A lesson by its number, 6 or 06, or by a part of its name; or a file of one's own."""
    if lesson.endswith(".ipynb"):
        path = Path(lesson)
        if not path.is_file():
            raise ValueError(f"there is no file {lesson!r}; a number such as 06 names a lesson")
        return path
    known = course_notebooks()
    if lesson.isdigit() and lesson.zfill(2) in known:
        return known[lesson.zfill(2)]
    fitting = [item for item in known.values() if lesson and lesson.lower() in item.name]
    if len(fitting) == 1:
        return fitting[0]
    listed = ", ".join(item.name.removesuffix(".ipynb") for item in fitting or known.values())
    question = f"which lesson is {lesson!r}" if lesson else "which lesson"
    raise ValueError(f"{question}? Give the number of one of {listed}")


def deck(notebook: Traversable | Path) -> str:
    """The page of a notebook as slides, from the outputs that it holds."""
    import nbformat
    from nbconvert import SlidesExporter

    cells = nbformat.reads(notebook.read_text(encoding="utf-8"), as_version=4)
    folder = files("binteach.slides") / "deck"
    parts = {name.replace(".", "_"): (folder / name).read_text(encoding="utf-8") for name in PARTS}
    exporter = SlidesExporter(
        template_name="deck", extra_template_basedirs=[str(files("binteach.slides"))]
    )
    name = notebook.name.removesuffix(".ipynb")
    page, _ = exporter.from_notebook_node(
        cells, resources={"deck": parts, "metadata": {"name": name}}
    )
    return str(page)
