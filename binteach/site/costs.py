"""What a class costs the web server: files and bytes for each student, beside what a server can do.

What a page takes is added up from the files that it names; what the live notebooks take is seen
in a browser (`binteach.site.visit`), for they load their parts as they go. What a plain server
can do is tried out on this machine, for a few seconds.
"""

from __future__ import annotations

import gzip
import itertools
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from html.parser import HTMLParser
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

CLASSES = (30, 300, 1000)
MINUTES = 5
LINE = 125e6  # bytes a second: a line of 1 Gbit/s
CLIENTS = 8
TRIES = 3
COMPRESSIBLE = {".css", ".html", ".js", ".json", ".svg"}


# What a page takes ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Visit:
    """What one student's browser loads when it has nothing yet."""

    what: str
    files: int
    size: int
    compressed: int | None = None  # where the server compresses; not known of live notebooks

    def cells(self) -> tuple[str, ...]:
        """A row of the table of visits."""
        squeezed = "–" if self.compressed is None else amount(self.compressed)
        return self.what, str(self.files), amount(self.size), squeezed


class _Named(HTMLParser):
    """Finds what a browser loads together with a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        kinds = (given.get("rel") or "").split()
        if tag in ("script", "img"):
            self.found.append(given.get("src") or "")
        elif tag == "link" and ("stylesheet" in kinds or "icon" in kinds):
            self.found.append(given.get("href") or "")


def files_of(page: Path) -> list[Path]:
    """A page and the files that a browser loads with it."""
    found = {page: None}
    for address in _Named(page.read_text(encoding="utf-8")).found:
        parts = urlsplit(address)
        if parts.path and not parts.scheme and not parts.netloc:
            found[(page.parent / unquote(parts.path)).resolve()] = None
    return list(found)


def visit(what: str, page: Path) -> Visit:
    """What a first visit to a page takes."""
    files = files_of(page)
    return Visit(
        what,
        len(files),
        sum(file.stat().st_size for file in files),
        sum(_compressed(file) for file in files),
    )


def _compressed(file: Path) -> int:
    content = file.read_bytes()
    return len(gzip.compress(content, 6)) if file.suffix in COMPRESSIBLE else len(content)


# What a server can do ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Load:
    """What a server answered, within some seconds."""

    requests: int
    size: int
    seconds: float

    @property
    def per_second(self) -> float:
        return self.requests / self.seconds


@contextmanager
def plain_server(site: Path) -> Iterator[int]:
    """The port of the server that comes with Python; in a process of its own, as servers are."""
    command = [sys.executable, "-u", "-m", "http.server", "--bind", "127.0.0.1"]
    with subprocess.Popen(
        [*command, "--directory", str(site), "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            said = server.stdout.readline()
            port = re.search(r"port (\d+)", said)
            if port is None:
                raise OSError(f"Python's http.server does not start here; it says: {said!r}")
            yield int(port[1])
        finally:
            server.terminate()


def loads(port: int, paths: Sequence[str], seconds: float) -> list[Load]:
    """Some tries, the slowest first: one alone may be twice as fast as the next."""
    tries = [load(port, paths, seconds) for _ in range(TRIES)]
    return sorted(tries, key=lambda found: found.per_second)


def load(port: int, paths: Sequence[str], seconds: float) -> Load:
    """Ask a server on this machine for files, as fast as a few clients can, and count."""
    start = time.perf_counter()

    def ask(first: int) -> tuple[int, int]:
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        requests = size = 0
        # Each client starts at another file, so that they do not ask for the same one at a time.
        for path in itertools.islice(itertools.cycle(paths), first, None):
            if time.perf_counter() - start >= seconds:
                break
            connection.request("GET", path)
            answer = connection.getresponse()
            size += len(answer.read())
            requests += 1
            if answer.status != 200:
                raise OSError(f"the server answered {answer.status} to {path}")
        connection.close()
        return requests, size

    with ThreadPoolExecutor(CLIENTS) as clients:
        found = list(clients.map(ask, range(CLIENTS)))
    took = time.perf_counter() - start
    return Load(sum(n for n, _ in found), sum(size for _, size in found), took)


def paths_of(site: Path, files: Iterable[Path]) -> list[str]:
    """What a browser asks the server for when it wants these files."""
    root = site.resolve()
    return ["/" + quote(file.resolve().relative_to(root).as_posix()) for file in files]


# Both together ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Costs:
    """What was found of a site."""

    visits: tuple[Visit, ...]  # the last one takes most
    load: Load
    note: str = ""

    def markdown(self) -> str:
        """The page that tells it."""
        return TITLE + PAGE.format(
            visits=_table(VISIT, *(each.cells() for each in self.visits)),
            note=self.note,
            what=self.visits[-1].what,
            minutes=MINUTES,
            # A column for each class: a table with one for each figure is too wide for a phone.
            classes=_table(*zip(CLASS, *map(self._class, CLASSES), strict=True)),
            clients=CLIENTS,
            tries=TRIES,
            per_second=f"{self.load.per_second:,.0f}",
        )

    def _class(self, students: int) -> tuple[str, ...]:
        """A column of the table of classes."""
        most = self.visits[-1]
        seconds = 60 * MINUTES
        size, requests = students * most.size / seconds, students * most.files / seconds
        return (
            f"{students:,} students",
            amount(students * most.size),
            amount(size),
            f"{size / LINE:.1%}",
            f"{requests:,.1f}",
            f"{requests / self.load.per_second:.1%}",
        )


VISIT = ("first visit to", "files", "size", "with gzip")
CLASS = (
    *("", "in all", "a second", "of a 1 Gbit/s line"),
    *("requests a second", "of the server below"),
)
FIRST_RESULT = """
A live notebook showed its first result after {seconds:g} seconds, on the machine that wrote this
site.
"""
NOT_MEASURED = """
What a live notebook takes was not measured: there was no browser where this site was written.
"""
TITLE = "# What a class costs\n"
PAGE = """
The server of this site hands out files and computes nothing: notebooks run in the browsers of the
students. So it matters how many bytes they load, and how often they ask.

## One student

{visits}

The next visit loads none of this again. The browser has kept the files, and asks at most whether
they have changed.
{note}
## A class

Everybody comes for the first time, to {what}, and all within {minutes} minutes:

{classes}

Above 100 % it takes longer than {minutes} minutes. Who has opened it once, at home or the day
before, does not count.

## The server

The plainest server there is, `python3 -m http.server`, was asked for the files of the start page
by {clients} clients on its own machine, the one that wrote this site. In the slowest of {tries}
tries it answered {per_second} requests a second. Servers that are made for it, such as nginx or
Apache, answer more. A server that compresses sends what the column *with gzip* says.
"""


def measure(site: Path, live: Mapping[str, float] | None = None, seconds: float = 1) -> Costs:
    """What a site costs; `live` is what `binteach.site.visit` found of its notebooks."""
    start = site / "index.html"
    if not start.is_file():
        raise ValueError(
            f"there is no index.html in {site}; name a folder that `binteach site` wrote"
        )
    visits = [visit("the start page", start)]
    lessons = [visit("the largest lesson", page) for page in (site / "lessons").glob("*.html")]
    visits += sorted(lessons, key=lambda found: found.size)[-1:]
    note = NOT_MEASURED if (site / "live").is_dir() else ""
    if live is not None:
        visits.append(Visit("a live notebook", int(live["requests"]), int(live["bytes"])))
        note = FIRST_RESULT.format(seconds=live["seconds"])
    with plain_server(site) as port:
        slowest = loads(port, paths_of(site, files_of(start)), seconds)[0]
    return Costs(tuple(visits), slowest, note)


def amount(size: float) -> str:
    """A number of bytes, in a unit that fits."""
    for unit, least in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= least:
            return f"{size / least:.{0 if size >= 100 * least else 1}f} {unit}"
    return f"{size:.0f} B"


def _table(heads: Sequence[str], *rows: Sequence[str]) -> str:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
