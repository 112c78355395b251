"""Pages as Markdown that Sphinx reads: words escaped, HTML passed through as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from binteach.render.words import clean

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def plain(words: str) -> str:
    """Words that mean nothing to Markdown, whatever they hold; all in one line."""
    return _PUNCTUATION.sub(r"\\\1", clean(" ".join(words.split())))


def raw(markup: str) -> str:
    """HTML that stays as it is."""
    longest = max((len(ticks) for ticks in re.findall("`+", markup)), default=0)
    fence = "`" * max(3, longest + 1)
    # A blank line at the start ends the directive's options, which HTML could be taken for.
    return f"{fence}{{raw}} html\n\n{markup}\n{fence}"


def link(words: str, target: str) -> str:
    """A link to another source page, which Sphinx checks, or into one by its `#anchor`."""
    return f"[{plain(words)}]({target})"


def index(names: Iterable[str], main: bool) -> str:
    """Entries of the index, which the search finds a page by; main ones come first there."""
    # In an entry a semicolon separates its parts, and an exclamation mark makes it a main one.
    words = (clean(re.sub("[;!]", " ", name)) for name in names)
    mark = "! " if main else ""
    return "\n\n".join(f"```{{index}} {mark}single: {each}\n```" for each in words)


def listed(items: Iterable[str]) -> str:
    """A list; the items are Markdown."""
    return "\n".join(f"- {item}" for item in items)


def contents(pages: Iterable[str]) -> str:
    """Pages below this one, which it does not list itself."""
    return "```{toctree}\n:hidden:\n\n" + "\n".join(pages) + "\n```"


def page(title: str, parts: Sequence[str], wide: bool = False) -> str:
    """A whole page; a wide one has no list of its sections beside it."""
    head = "---\nhide-toc: true\n---\n\n" if wide else ""
    return head + "\n\n".join([f"# {plain(title)}", *filter(None, parts)]) + "\n"


def paragraph(words: str, kind: str = "") -> str:
    """A paragraph of plain words."""
    attribute = f' class="{escape(kind)}"' if kind else ""
    return raw(f"<p{attribute}>{escape(clean(words))}</p>")


def folded(summary: str, markup: str, kind: str = "") -> str:
    """HTML that opens when its summary is clicked."""
    attribute = f' class="{escape(kind)}"' if kind else ""
    return f"<details{attribute}><summary>{escape(summary)}</summary>\n{markup}\n</details>"


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """Labels in plain words, each with what is known in HTML: as a list, in HTML."""
    rows = "".join(f"<dt>{escape(clean(label))}</dt><dd>{fact}</dd>" for label, fact in pairs)
    # The theme indents every list of terms that is not a simple one.
    return f'<dl class="facts simple">{rows}</dl>'


def live_link(path: str, words: str, up: str = "../") -> str:
    """A link to a notebook that runs in the browser, in HTML; `up` leads to the site's root."""
    address = f"{up}live/lab/index.html?path={escape(path)}"
    return f'<p class="live"><a href="{address}">{escape(words)}</a></p>'
