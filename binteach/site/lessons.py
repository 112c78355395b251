"""Lessons, exercises and explorers as pages that work without Python."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from html import escape, unescape
from typing import Any

from binteach.data import bundled, load
from binteach.exercises.outcome import RECORD
from binteach.explorers import OF_CASES, Explorer, compare, intervals, pages, voting
from binteach.site import bank
from binteach.site.writing import (
    contents,
    folded,
    link,
    listed,
    live_link,
    page,
    paragraph,
    plain,
    raw,
)
from binteach.slides import course_notebooks

WIDGET = "application/vnd.jupyter.widget-view+json"
BOKEH = re.compile(r"<script>(\(\(\) => \{\nconst size = .*?\}\)\(\))</script>\n?", re.DOTALL)
"""BokehJS as an explorer brings it along: 0.6 MB, the same in every notebook."""
SHARED = '<script src="../_static/{name}"></script>\n'


class Scripts:
    """Scripts that many pages need, each kept once; `files` are to be served."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}

    def shared(self, markup: str) -> str:
        """The page with every copy of BokehJS in it replaced by a link to one."""

        def take(found: re.Match[str]) -> str:
            # Notebooks may have been run with another version than explorers are made with now.
            known = {text: name for name, text in self.files.items()}
            name = known.get(found[1], f"bokeh-{len(self.files) + 1}.js")
            self.files[name] = found[1]
            return SHARED.format(name=name)

        return BOKEH.sub(take, markup)


# Notebooks ----------------------------------------------------------------------------------------


def lesson_pages(scripts: Scripts, live: bool) -> Iterator[tuple[str, str]]:
    """Every lesson as a notebook for the site, and the page that lists them."""
    names = bank.notebooks()
    items = [link(title, f"{name}.ipynb") for name, (title, _) in names.items()]
    said = "Lectures with pictures that move. Each can be opened as a notebook and run."
    yield "lessons/index.md", page("Lessons", [said, listed(items), contents(names)])
    for item in course_notebooks().values():
        ask = "Open this lesson as a live notebook" if live else ""
        yield f"lessons/{item.name}", _published(item, "notebooks", ask, scripts)


def exercise_pages(scripts: Scripts, live: bool) -> Iterator[tuple[str, str]]:
    """Every exercise notebook, without its solutions."""
    found = sorted(
        (item for item in bundled("exercises").iterdir() if item.name.endswith(".ipynb")),
        key=lambda item: item.name,
    )
    names = [item.name.removesuffix(".ipynb") for item in found]
    said = (
        "What to work out on paper. A live notebook checks an answer, and says which mistake a "
        "wrong one is."
    )
    items = [f"{{doc}}`{name}`" for name in names]
    yield "exercises/index.md", page("Exercises", [said, listed(items), contents(names)])
    for item in found:
        ask = "Answer these questions in a live notebook" if live else ""
        yield f"exercises/{item.name}", _published(item, "exercises", ask, scripts)


def _published(item: Any, folder: str, ask: str, scripts: Scripts) -> str:
    """A notebook as Sphinx is to show it."""
    notebook = json.loads(item.read_text(encoding="utf-8"))
    lesson = item.name.removesuffix(".ipynb").partition("_")[2]
    cells = []
    for cell in notebook["cells"]:
        cells += _shown(cell, lesson, scripts)
    if ask:
        cells.insert(1, _words(live_link(f"{folder}/{item.name}", ask)))
    notebook["cells"] = [{**cell, "id": f"cell-{place}"} for place, cell in enumerate(cells)]
    # The list of sections would take the place of the explorers.
    if any("binteach-page" in json.dumps(cell) for cell in cells):
        notebook["metadata"]["hide-toc"] = True
    return json.dumps(notebook)


def _words(markdown: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": markdown}


NOTE = re.compile(r"^\*For the lecturer\*\s*> ")
ASKED = re.compile(r"lesson\.q(\d+)\.ask\(\)")
HEADING = re.compile(r"<h4>(.*?)</h4>\n?")


def _shown(cell: dict[str, Any], lesson: str, scripts: Scripts) -> list[dict[str, Any]]:
    """What becomes of a cell: perhaps a heading before it, never the answers below it."""
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        # Here a folder has a page that lists what is in it.
        source = source.replace("](../exercises/README.md)", "](../exercises/index.md)")
        return [_words(_note(source) if NOTE.match(source) else source)]
    shown = copy.deepcopy(cell)
    shown["outputs"] = [kept for output in cell["outputs"] if (kept := _kept(output, scripts))]
    asked = ASKED.fullmatch(source.strip())
    if not asked or not shown["outputs"]:
        return [shown]
    # The question's own heading becomes one of the page, so that links can lead to it.
    data = shown["outputs"][0]["data"]
    found = HEADING.search(data["text/html"])
    if found is None:
        return [shown]
    data["text/html"] = HEADING.sub("", data["text/html"], count=1)
    target = bank.anchor(lesson, int(asked[1]))
    return [_words(f"({target})=\n## {plain(unescape(found[1]))}"), shown]


def _note(source: str) -> str:
    """A speaker's note, folded; its words stay Markdown."""
    words = NOTE.sub("", source).replace("\n> ", "\n").strip()
    return f'<details class="lecturer"><summary>For the lecturer</summary>\n\n{words}\n\n</details>'


def _kept(output: dict[str, Any], scripts: Scripts) -> dict[str, Any] | None:
    """An output as HTML or text; None for what needs Python, and for questions not answered."""
    data = output.get("data")
    if data is None:
        return output
    if WIDGET in data or data.get(RECORD, {}).get("status") == "not_attempted":
        return None
    kind = "text/html" if "text/html" in data else "text/plain"
    text = "".join(data[kind])
    return {**output, "data": {kind: scripts.shared(text)}}


# Explorers ----------------------------------------------------------------------------------------

OTHERS = {"compare": compare, "voting": voting, "intervals": intervals}
EXPLORERS: dict[str, Any] = {**OF_CASES, **OTHERS}
"""Name -> explorer, of all."""


def made(name: str) -> tuple[str, Explorer]:
    """An explorer on few data, and the line of Python that shows it."""
    if name in OF_CASES:
        return f'bt.explorers.{name}(bt.load("ten_cases"))', OF_CASES[name](load("ten_cases"))
    if name == "compare":
        return 'bt.explorers.compare.example("arbel")', compare.example("arbel")
    return f"bt.explorers.{name}()", EXPLORERS[name]()


def explorer_pages(
    scripts: Scripts, live: bool, explorers: dict[str, tuple[str, Explorer]]
) -> Iterator[tuple[str, str]]:
    """A page for each explorer, and the one that lists them."""
    items = [
        f"{link(name.capitalize(), f'{name}.md')}: {plain(_about(explorer)[0])}"
        for name, (_, explorer) in explorers.items()
    ]
    said = "Pictures that move. Drag the slider, or use the arrow keys."
    yield "explorers/index.md", page("Explorers", [said, listed(items), contents(explorers)])
    for name, (code, explorer) in explorers.items():
        yield f"explorers/{name}.md", _explorer_page(name, code, explorer, scripts, live)


def _about(explorer: Explorer) -> tuple[str, str]:
    """The first line about an explorer, and the rest."""
    first, _, rest = (type(explorer).__doc__ or "").partition("\n")
    return first, "\n".join(line.removeprefix("    ") for line in rest.strip("\n").splitlines())


def _explorer_page(name: str, code: str, explorer: Explorer, scripts: Scripts, live: bool) -> str:
    first, rest = _about(explorer)
    document = explorer.build().document(explorer.title)
    drawn = scripts.shared(pages.scripts()) + pages.fragment(
        document, "This picture needs JavaScript."
    )
    lessons = bank.lessons_with(name)
    parts = [
        paragraph(first),
        raw(
            f'<p><a href="../files/{name}.html">The same as a page of its own</a>, '
            "one file that works from a disk, too.</p>"
        ),
        raw(drawn),
        "## In Python",
        f"`{code}`",
        raw(folded("What can be given and set", f"<pre>{escape(rest)}</pre>")),
        "## Lessons",
        listed(link(bank.notebooks()[each][0], f"/lessons/{each}.ipynb") for each in lessons),
    ]
    if live and lessons:
        words = f"Open lesson {bank.notebooks()[lessons[0]][0]} as a live notebook"
        parts.append(raw(live_link(f"notebooks/{lessons[0]}.ipynb", words)))
    return page(f"{name.capitalize()} explorer", parts, wide=True)
