"""Pages of explorers as HTML: by themselves in a file, and in the output of a notebook.

The same document always gives the same text: a page can be compared, by people and by tests.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from binteach.explorers import look
from binteach.explorers.state import packed, squeezed

if TYPE_CHECKING:
    from bokeh.document import Document

PAGE = """<!doctype html>
<html lang="en" style="background: #fff">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>body {{ margin: 0; }} h1 {{ margin: 10px 21px 0; font: 600 20px {font}; }}</style>
{scripts}
</head>
<body><main><h1>{title}</h1>
{page}
</main></body>
</html>
"""


def _code(*names: str) -> str:
    folder = files("binteach.explorers")
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in names)


@cache
def scripts() -> str:
    """BokehJS, 1.6 MB squeezed to 0.6; once before all pages, run by the first that is drawn."""
    from bokeh.resources import Resources

    parts = Resources(mode="inline", components=["bokeh", "bokeh-widgets"]).js_raw
    whole = "\n".join(parts).encode()
    return (
        f'<script>(() => {{\nconst size = {len(whole)}, packed = "{packed(whole)}"\n'
        f"{_code('inflate.js', 'bokeh.js')}}})()</script>\n"
    )


def whole(document: Document, title: str) -> str:
    """A file that needs nothing else."""
    page = fragment(document, "This page needs JavaScript.")
    return PAGE.format(title=escape(title), font=look.FONT, scripts=scripts(), page=page)


def fragment(document: Document, sentence: str) -> str:
    """A page inside another; the sentence stands in its place where no script may run."""
    item = _item(document)
    return (
        f'<div class="binteach-page" data-content="{_digest(item)}"><p>{escape(sentence)}</p></div>'
        f'<script>{{\n{_code("unsqueezed.js", "page.js")}\nshow("{squeezed(item)}")\n}}</script>'
    )


def _digest(item: Any) -> str:
    """What tells whether two pages show the same, whatever packed them."""
    shown = {**item["doc"], "version": ""}
    return sha256(json.dumps(shown).encode()).hexdigest()[:16]


def _item(document: Document) -> Any:
    """What BokehJS makes the page of, its models numbered from 1."""
    from bokeh.embed import json_item

    (root,) = document.roots
    item = json_item(root)
    numbers: dict[str, str] = {}

    def number(node: Any) -> Any:
        if isinstance(node, dict):
            # Dictionaries of data have become lists of pairs: an "id" is always that of a model.
            return {
                key: numbers.setdefault(each, f"p{len(numbers) + 1}")
                if key == "id"
                else number(each)
                for key, each in node.items()
            }
        return [number(each) for each in node] if isinstance(node, list | tuple) else node

    doc = number(item["doc"])
    return {"doc": doc, "root_id": numbers[item["root_id"]]}
