"""What a class costs: what is added up is what a browser loads, and the page says it."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from benchmarks import site as benchmark
from binteach.site import costs
from binteach.site.costs import (
    Costs,
    Load,
    Visit,
    amount,
    files_of,
    load,
    measure,
    paths_of,
    plain_server,
)

PAGE = """<!doctype html><html><head>
<link rel="stylesheet" type="text/css" href="../_static/look%20of%20it.css?v=1">
<link rel="shortcut icon" href="../icon.svg"><link rel="next" href="next.html">
<link rel="stylesheet" href="https://nowhere.invalid/other.css">
<script src="../_static/move.js"></script><script src="../_static/move.js"></script>
<script>const inside = 1;</script></head>
<body><img src="../_static/picture.png" alt=""><img src="data:image/png;base64,AA" alt="">
<a href="next.html">next</a></body></html>"""
FILES = {
    "index.html": "<script src='_static/move.js'></script>",
    "lessons/one.html": PAGE,
    "lessons/next.html": "short",
    "_static/look of it.css": "body { color: black }" * 100,
    "_static/move.js": "// nothing moves",
    "_static/picture.png": "no picture",
    "icon.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path


# What a page takes ------------------------------------------------------------------------------


def test_a_page_takes_the_files_that_it_names_each_once(site: Path) -> None:
    found = files_of(site / "lessons/one.html")
    names = ["lessons/one.html", "_static/look of it.css", "icon.svg", "_static/move.js"]
    assert found == [site / name for name in (*names, "_static/picture.png")]


def test_a_visit_adds_up_sizes_and_compresses_text_only(site: Path) -> None:
    found = costs.visit("a page", site / "lessons/one.html")
    taken = [FILES[str(file.relative_to(site))] for file in files_of(site / "lessons/one.html")]
    texts = [len(gzip.compress(text.encode(), 6)) for text in taken[:-1]]
    assert found.files == 5
    assert found.size == sum(map(len, taken))
    assert found.compressed == sum(texts) + len("no picture")


@contextmanager
def watched(site: Path) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """A server of files, and what it answered to whom."""
    answers: list[tuple[int, str]] = []

    class Handler(SimpleHTTPRequestHandler):
        def log_request(self, code: Any = "-", size: Any = "-") -> None:
            answers.append((int(code), self.path.partition("?")[0]))

        def log_message(self, format: str, *args: Any) -> None:
            pass

    handler = partial(Handler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", answers
        server.shutdown()


def test_a_browser_loads_what_was_added_up_and_nothing_at_the_next_visit(
    chromium: Any, site: Path
) -> None:
    context = chromium.new_context()
    with watched(site) as (address, answers):
        for first in (True, False):
            page = context.new_page()
            page.goto(f"{address}/lessons/one.html", wait_until="networkidle")
            loaded = {path for status, path in answers if status == 200}
            wanted = paths_of(site, files_of(site / "lessons/one.html")) if first else []
            assert loaded == set(wanted)
            answers.clear()
            page.close()
    context.close()


# What a server can do ---------------------------------------------------------------------------


def test_the_plain_server_is_asked_for_every_file_and_counted(site: Path) -> None:
    with plain_server(site) as port:
        found = load(port, paths_of(site, files_of(site / "lessons/one.html")), seconds=0.5)
    assert found.requests >= costs.CLIENTS
    least, most = (f(map(len, FILES.values())) for f in (min, max))
    assert least <= found.size / found.requests <= most
    assert 0.5 <= found.seconds < 30
    assert found.per_second == found.requests / found.seconds


def test_the_slowest_try_comes_first(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = [Load(30, 1, 1), Load(10, 1, 1), Load(20, 1, 1)]
    monkeypatch.setattr(costs, "load", lambda *_: tries.pop())
    assert [found.requests for found in costs.loads(1, ["/"], 1)] == [10, 20, 30]


def test_an_answer_without_the_file_is_an_error(site: Path) -> None:
    with plain_server(site) as port, pytest.raises(OSError, match=r"404 to /missing\.html"):
        load(port, ["/missing.html"], seconds=0.5)


# The page ---------------------------------------------------------------------------------------


def test_the_page_tells_what_a_class_takes() -> None:
    visits = (
        Visit("the start page", 10, 200_000, 40_000),
        Visit("a live notebook", 150, 30 * 10**6),
    )
    shown = Costs(visits, Load(requests=2_000, size=1, seconds=2)).markdown()
    for row in (
        "| the start page | 10 | 200 kB | 40.0 kB |",
        "| a live notebook | 150 | 30.0 MB | – |",
        # 30 · 30 MB = 900 MB in 300 s are 3 MB/s of 125, and 30 · 150 / 300 s requests of 1000.
        "|  | 30 students | 300 students | 1,000 students |",
        "| in all | 900 MB | 9.0 GB | 30.0 GB |",
        "| a second | 3.0 MB | 30.0 MB | 100 MB |",
        "| of a 1 Gbit/s line | 2.4% | 24.0% | 80.0% |",
        "| requests a second | 15.0 | 150.0 | 500.0 |",
        "| of the server below | 1.5% | 15.0% | 50.0% |",
    ):
        assert f"\n{row}\n" in shown
    assert "for the first time, to a live notebook, and all within 5 minutes" in shown
    assert "tries it answered 1,000 requests a second." in shown


def test_the_largest_lesson_stands_for_all(site: Path) -> None:
    found = measure(site, seconds=0.1)
    assert [(each.what, each.files) for each in found.visits] == [
        ("the start page", 2),
        ("the largest lesson", 5),
    ]
    assert found.note == ""


def test_live_notebooks_are_told_as_they_were_measured(site: Path) -> None:
    found = measure(site, {"requests": 7, "bytes": 9, "seconds": 2.5}, seconds=0.1)
    assert found.visits[-1] == Visit("a live notebook", 7, 9)
    assert "first result after 2.5 seconds" in found.markdown()


def test_live_notebooks_that_were_not_measured_are_told_of(site: Path) -> None:
    (site / "live").mkdir()
    assert "a live notebook takes was not measured" in measure(site, seconds=0.1).markdown()


def test_a_folder_without_a_site_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        ValueError, match=r"no index.html in .*; name a folder that `binteach site`"
    ):
        measure(tmp_path)


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        (999, "999 B"),
        (1_000, "1.0 kB"),
        (170_395, "170 kB"),
        (34_472_860, "34.5 MB"),
        (3e10, "30.0 GB"),
    ],
)
def test_amounts_are_shown_in_a_fitting_unit(size: float, shown: str) -> None:
    assert amount(size) == shown


# The measurement by hand ------------------------------------------------------------------------


def test_servers_are_compared_on_a_site(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    benchmark.main([str(site), "--seconds", "0.2"])
    told = capsys.readouterr().out
    assert "python3 -m http.server, files of the start page" in told
    assert "python3 -m http.server, the largest file" in told
