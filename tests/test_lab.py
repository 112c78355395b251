"""The course as `binteach lab` opens it in a real JupyterLab, and a notebook from elsewhere."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from benchmarks.browser import free_port, serving

pytestmark = pytest.mark.slow

OUTPUT = ".jp-OutputArea-output "
VISIBLE = """selector => [...document.querySelectorAll(selector)]
  .filter(e => e.getBoundingClientRect().height > 5).length"""


@dataclass(frozen=True)
class Lab:
    """The address that `binteach lab` prints, and the folder of the notebooks."""

    address: str
    notebooks: Path

    def open(self, chromium: Any, name: str) -> tuple[Any, list[str]]:
        """A notebook, and what it asks of other machines."""
        page = chromium.new_page(viewport={"width": 1200, "height": 6000})
        page.set_default_timeout(60_000)
        elsewhere: list[str] = []

        def ask(request: Any) -> None:
            at_home = r"(https?|wss?)://(localhost|127\.0\.0\.1):|data:|blob:"
            if not re.match(at_home, request.url):
                elsewhere.append(request.url)

        page.on("request", ask)
        page.goto(self.address.replace("00_start_here.ipynb", name) + "&reset")
        return page, elsewhere


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("lab")
    command = [sys.executable, "-m", "binteach", "lab", str(folder / "course"), "--no-browser"]
    with serving([*command, "--port", str(free_port())], folder) as address:
        yield Lab(address, folder / "course/notebooks")


def wait_for(page: Any, number: int, selector: str) -> None:
    """Until so many of these are to be seen."""
    page.wait_for_function(f"() => ({VISIBLE})('{OUTPUT}{selector}') >= {number}")


def test_the_course_shows_formulas_and_explorers_before_anything_is_run(
    chromium: Any, lab: Lab
) -> None:
    page, elsewhere = lab.open(chromium, "00_start_here.ipynb")
    wait_for(page, 5, ".drawn.chain math")
    wait_for(page, 1, ".bk-Column")
    assert page.evaluate(VISIBLE, f"{OUTPUT}.typed") == 0
    page.close()
    assert elsewhere == []


def test_a_notebook_from_elsewhere_shows_formulas_before_and_after_it_is_run(
    chromium: Any, lab: Lab
) -> None:
    text = (lab.notebooks / "00_start_here.ipynb").read_text(encoding="utf-8")
    changed = text.replace("# Start here", "# Mine")
    (lab.notebooks / "mine.ipynb").write_text(changed, encoding="utf-8")
    page, elsewhere = lab.open(chromium, "mine.ipynb")
    # Its outputs are not trusted: the MathML is stripped, LaTeX takes its place.
    wait_for(page, 10, ".typed mjx-container")
    assert page.evaluate(VISIBLE, f"{OUTPUT}.drawn") == 0

    page.click(".jp-Notebook")
    page.click(".lm-MenuBar-item:has-text('Run')")
    page.click(".lm-Menu-itemLabel:text-is('Run All Cells')")
    wait_for(page, 5, ".drawn.chain math")
    page.wait_for_function(
        "() => !document.querySelector('.jp-InputPrompt')?.innerText.includes('*')"
    )
    assert page.evaluate(VISIBLE, f"{OUTPUT}.typed") == 0
    said = page.evaluate("() => document.querySelector('.jp-Notebook').innerText")
    page.close()
    assert "Precision is undefined here" in said
    assert "Traceback" not in said
    assert elsewhere == []
