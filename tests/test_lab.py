"""The first notebook in a real JupyterLab, before and after it is trusted."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

VISIBLE = """selector => [...document.querySelectorAll(selector)]
  .filter(e => e.getBoundingClientRect().height > 5).length"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address that `binteach lab` prints."""
    folder = tmp_path_factory.mktemp("lab")
    log = folder / "log.txt"
    command = [sys.executable, "-m", "binteach", "lab", str(folder / "course"), "--no-browser"]
    # A home of its own, so that no setting of whoever runs the tests plays a part.
    home = {"HOME": str(folder), "JUPYTER_CONFIG_DIR": str(folder / "config")}
    with log.open("w") as output:
        server = subprocess.Popen(
            [*command, "--port", str(free_port())],
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | home,
            start_new_session=True,
        )
    try:
        yield address_in(log, server)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=30)


def address_in(log: Path, server: "subprocess.Popen[bytes]", patience: float = 60) -> str:
    end = time.monotonic() + patience
    while time.monotonic() < end and server.poll() is None:
        found = re.search(r"http://(?:localhost|127\.0\.0\.1):\d+/\S*token=\w+", log.read_text())
        if found:
            return found[0]
        time.sleep(0.2)
    raise AssertionError(f"JupyterLab printed no address:\n{log.read_text()}")


@pytest.mark.slow
def test_the_first_notebook_shows_formulas_before_and_after_it_is_run(
    chromium: Any, lab: str
) -> None:
    page = chromium.new_page(viewport={"width": 1200, "height": 6000})
    elsewhere: list[str] = []
    page.on(
        "request",
        lambda request: (
            elsewhere.append(request.url)
            if not re.match(r"(https?|wss?)://(localhost|127\.0\.0\.1):|data:|blob:", request.url)
            else None
        ),
    )
    page.goto(lab)
    output = ".jp-OutputArea-output "
    # Stored outputs of a new file are not trusted: its MathML is stripped, LaTeX takes its place.
    page.wait_for_function(
        f"() => ({VISIBLE})('{output}.typed mjx-container') >= 10", timeout=60_000
    )
    assert page.evaluate(VISIBLE, f"{output}.drawn") == 0

    page.click(".jp-Notebook")
    page.click(".lm-MenuBar-item:has-text('Run')")
    page.click(".lm-Menu-itemLabel:text-is('Run All Cells')")
    page.wait_for_selector(f"{output}.drawn math", timeout=60_000)
    page.wait_for_function(
        "() => !document.querySelector('.jp-InputPrompt')?.innerText.includes('*') && "
        "document.querySelectorAll('.drawn.chain math').length >= 8",
        timeout=60_000,
    )
    assert page.evaluate(VISIBLE, f"{output}.drawn.chain math") >= 8
    assert page.evaluate(VISIBLE, f"{output}.typed") == 0
    text = page.evaluate("() => document.querySelector('.jp-Notebook').innerText")
    page.close()
    assert "Precision is undefined here" in text
    assert "Traceback" not in text
    assert elsewhere == []
