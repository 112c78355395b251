"""The first notebook in a real JupyterLab, before and after it is trusted."""

import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from benchmarks.browser import free_port, serving

VISIBLE = """selector => [...document.querySelectorAll(selector)]
  .filter(e => e.getBoundingClientRect().height > 5).length"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address that `binteach lab` prints."""
    folder = tmp_path_factory.mktemp("lab")
    command = [sys.executable, "-m", "binteach", "lab", str(folder / "course"), "--no-browser"]
    with serving([*command, "--port", str(free_port())], folder) as address:
        yield address


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
        "document.querySelectorAll('.drawn.chain math').length >= 5",
        timeout=60_000,
    )
    assert page.evaluate(VISIBLE, f"{output}.drawn.chain math") >= 5
    assert page.evaluate(VISIBLE, f"{output}.typed") == 0
    text = page.evaluate("() => document.querySelector('.jp-Notebook').innerText")
    page.close()
    assert "Precision is undefined here" in text
    assert "Traceback" not in text
    assert elsewhere == []
