"""Figures as files for slides and print; the only part that starts a browser.

It needs the extra `export` (Playwright) and a Chromium or Chrome of the system.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from binteach.explorers import pages

if TYPE_CHECKING:
    from binteach.explorers.base import View

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "msedge")

READY = "() => window.Bokeh && Bokeh.documents.length && Bokeh.documents[0].is_idle"
EXPORTED = "exported"  # the name of the figure
VIEW = f"Bokeh.index.find_one(Bokeh.documents[0].get_model_by_name('{EXPORTED}'))"
SVG = f"() => {VIEW}.export('svg', false).ctx.get_serialized_svg(true)"


def svg(view: View, name: str) -> str:
    """A figure of a page as SVG; the same figure always gives the same text."""
    with _opened(view, name) as page:
        text: str = page.evaluate(SVG)
    # Bokeh gives every clipping path a name by chance.
    for number, found in enumerate(dict.fromkeys(re.findall(r'<clipPath id="(\w+)"', text)), 1):
        text = text.replace(f'"{found}"', f'"clip{number}"').replace(
            f"(#{found})", f"(#clip{number})"
        )
    return text


def png(view: View, name: str, scale: float) -> bytes:
    """A figure of a page as PNG, `scale` times as large as on the screen."""
    with _opened(view, name, scale) as page:
        picture: bytes = page.evaluate_handle(f"() => {VIEW}.el").as_element().screenshot()
    return picture


@contextmanager
def browser(purpose: str) -> Iterator[Any]:
    """A browser of the system, without a window."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise ValueError(f"{purpose} by a browser: pip install 'binteach[export]'") from None
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        raise ValueError(f"{purpose} by a browser, and none was found; install Chromium or Chrome")
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu"]
        running = playwright.chromium.launch(executable_path=found, args=flags)
        yield running
        running.close()


@contextmanager
def _opened(view: View, name: str, scale: float = 1) -> Iterator[Any]:
    """The page of a view, with the figure to export."""
    with browser("figures become files") as running:
        view.figures[name].name = EXPORTED
        page_text = pages.whole(view.document("binteach"), "binteach")
        page = running.new_page(viewport={"width": 1600, "height": 2400}, device_scale_factor=scale)
        page.set_content(page_text)
        page.wait_for_function(READY)
        yield page
