"""Makes the README's picture of the threshold explorer anew; needs a Chromium.

PYTHONPATH=. python docs/make_pictures.py
"""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import binteach as bt
from benchmarks.browser import CHROMIUM_FLAGS

SIZE = {"width": 1360, "height": 905}  # three figures side by side, down to the first row of them
IS_READY = "() => window.Bokeh && Bokeh.documents.length && Bokeh.documents[0].is_idle"


def main() -> None:
    """Save the page, open it and take its picture."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = bt.explore(bt.load("ten_cases"), cut=4).save(Path(folder) / "page.html")
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS
        )
        window = browser.new_page(viewport=SIZE)
        window.goto(page.as_uri())
        window.wait_for_function(IS_READY)
        window.screenshot(path=Path(__file__).with_name("threshold.png"))
        browser.close()


if __name__ == "__main__":
    main()
