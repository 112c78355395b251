"""Figures as files for slides and print; the only part that starts a browser.

It needs the extra `export` (Playwright) and a Chromium or Chrome of the system.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from binteach.explorers.base import View

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "msedge")

READY = "() => window.Bokeh && Bokeh.documents.length && Bokeh.documents[0].is_idle"
SVG = """id => {
  const found = Bokeh.index.find_one_by_id(id)
  const {ctx} = found.export("svg", false)
  return ctx.get_serialized_svg(true)
}"""


def svg(view: View, name: str) -> str:
    """A figure of a page as SVG."""
    figure = view.figures[name]
    with _opened(view) as page:
        text: str = page.evaluate(SVG, figure.id)
    return text


def png(view: View, name: str, scale: float) -> bytes:
    """A figure of a page as PNG, `scale` times as large as on the screen."""
    figure = view.figures[name]
    with _opened(view, scale) as page:
        box = page.evaluate_handle(
            "id => Bokeh.index.find_one_by_id(id).el", figure.id
        ).as_element()
        picture: bytes = box.screenshot()
    return picture


@contextmanager
def _opened(view: View, scale: float = 1) -> Iterator[Any]:
    """The page of a view in a browser without a window."""
    from bokeh.embed import file_html
    from bokeh.resources import INLINE

    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise ValueError(
            "figures become files by a browser: pip install 'binteach[export]'"
        ) from None
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if browser is None:
        raise ValueError(
            "figures become files by a browser, and none was found; install Chromium or Chrome"
        )
    page_text = file_html(view.document("binteach"), INLINE)
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu"]
        running = playwright.chromium.launch(executable_path=browser, args=flags)
        page = running.new_page(viewport={"width": 1600, "height": 2400}, device_scale_factor=scale)
        page.set_content(page_text)
        page.wait_for_function(READY)
        yield page
        running.close()
