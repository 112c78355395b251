"""Shared by all tests: a browser, and how hypothesis searches."""

import builtins
import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, sync_playwright

from benchmarks.browser import CHROMIUM_FLAGS

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

IN_CI = os.environ.get("CI") == "true"

settings.register_profile(
    "binteach",
    max_examples=60,
    # A busy machine is no reason to fail; in CI, neither is luck.
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=IN_CI,
)
settings.load_profile("binteach")


def do_without(reason: str) -> None:
    """Skip, except in CI as root: there everything can be installed, so it is a mistake."""
    if IN_CI and hasattr(os, "geteuid") and os.geteuid() == 0:
        pytest.fail(reason)
    pytest.skip(reason)


# Not for the whole session: while Playwright runs, so does its event loop, and every later test
# that calls asyncio.run() would fail.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A running headless Chromium; `chromium.new_page()` gives a clean page."""
    executable = shutil.which("chromium")
    if executable is None:
        do_without("there is no `chromium` on the PATH; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Iterator[InteractiveShell]":
    """IPython as a notebook runs it, in this process; what is displayed is in its display_pub."""
    from IPython.core.displaypub import CapturingDisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    from binteach.exercises import notebook

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)  # IPython would warn of another one
    monkeypatch.setattr(builtins, notebook.HELPER, None, raising=False)  # taken away at the end
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    shell.display_pub = CapturingDisplayPublisher()
    yield shell
    InteractiveShell.clear_instance()


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core, which finds what keeps people out of a page."""
    script = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        do_without("there is no axe-core in tests/node_modules: sh tests/ensure_axe.sh")
    return script.read_text(encoding="utf-8")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly that browser tests were skipped: a green run without them proves less."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", [])
        if "browser" in report.keywords
    )
    if not reasons:
        return
    terminalreporter.section("BROWSER TESTS WERE SKIPPED", sep="!", red=True, bold=True)
    for reason, count in reasons.items():
        terminalreporter.line(f"{count} skipped: {reason}", red=True)
