"""Chromium and JupyterLab, as the measurements and the tests start them."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import nbformat

CHECKOUT = Path(__file__).resolve().parent.parent

CHROMIUM_FLAGS = [
    # Chromium's sandbox refuses to start as root, which is what containers are.
    "--no-sandbox",
    "--disable-gpu",
    # No traffic of its own: a test that sees a request may take it for the page's.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
]

# JupyterLab takes cells out of the page that are not on the screen; here all of them stay.
NOTEBOOK_SETTINGS = {"windowingMode": "none"}

PLAIN_NOTEBOOK = "[...jupyterapp.shell.widgets('main')].find((widget) => widget.context)"

# The views of one kind that Bokeh shows in a cell of a notebook, or in a page without cells where
# the number of the cell is null, in the order of the page; without a kind, the outermost.
VIEWS = """
const views = (cell, kind) => {
  const place = cell === null ? document.body : document.querySelectorAll(".jp-CodeCell")[cell];
  const root = [...(window.Bokeh?.index ?? [])].find(
    (view) => place.contains(view.el) && view.el.checkVisibility());
  if (!root || !kind) return root ? [root] : [];
  const of_kind = (view) => view.root === root && view.model.type.split(".").pop() === kind;
  return [...Bokeh.index.query(of_kind)];
};
"""


# Servers ----------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def environment(folder: Path) -> dict[str, str]:
    """A home of its own, so that no setting of whoever runs this plays a part; and this code."""
    return {
        **os.environ,
        "HOME": str(folder),
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "PYTHONPATH": os.pathsep.join([str(CHECKOUT), os.environ.get("PYTHONPATH", "")]),
    }


@contextlib.contextmanager
def serving(command: Sequence[str], folder: Path) -> Iterator[str]:
    """The address that a command prints that serves JupyterLab; it ends with the block."""
    log = folder / "log.txt"
    with log.open("w") as output:
        server = subprocess.Popen(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment(folder),
            start_new_session=True,
        )
    try:
        yield _address_in(log, server)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGTERM)
            try:
                server.wait(timeout=20)
            except subprocess.TimeoutExpired:  # it waits for a kernel that does not end
                os.killpg(server.pid, signal.SIGKILL)
        server.wait(timeout=30)


def _address_in(log: Path, server: "subprocess.Popen[bytes]", patience: float = 60) -> str:
    end = time.monotonic() + patience
    while time.monotonic() < end and server.poll() is None:
        found = re.search(r"http://(?:localhost|127\.0\.0\.1):\d+/\S*token=\w+", log.read_text())
        if found:
            return found[0]
        time.sleep(0.2)
    raise AssertionError(f"JupyterLab printed no address:\n{log.read_text()}")


@contextlib.contextmanager
def jupyter_lab(folder: Path) -> Iterator[str]:
    """JupyterLab on a folder; its application is within reach of scripts, as `jupyterapp`."""
    settings = folder / "config/lab/user-settings/@jupyterlab/notebook-extension"
    settings.mkdir(parents=True)
    (settings / "tracker.jupyterlab-settings").write_text(json.dumps(NOTEBOOK_SETTINGS))
    options = [
        f"--ServerApp.root_dir={folder}",
        f"--port={free_port()}",
        "--no-browser",
        "--allow-root",
        "--expose-app-in-browser",
    ]
    with serving([sys.executable, "-m", "jupyterlab", *options], folder) as address:
        yield address


# Notebooks --------------------------------------------------------------------------------------


def write_notebook(file: Path, cells: Sequence[str]) -> Path:
    """A notebook of code cells."""
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    # Without a kernel's name JupyterLab asks for one, and waits.
    made.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    nbformat.write(made, file)
    return file


def open_notebook(page: Any, address: str, name: str, patience: float = 60) -> None:
    """Open a notebook of JupyterLab, and wait for its kernel."""
    server, query = address.split("/lab", 1)[0], address.split("?", 1)[1]
    page.goto(f"{server}/lab/tree/{name}?{query}")
    page.wait_for_function(
        f"() => window.jupyterapp && {PLAIN_NOTEBOOK}?.context.sessionContext.session?.kernel",
        timeout=1000 * patience,
    )
    page.evaluate(
        f"""async () => {{
          const context = {PLAIN_NOTEBOOK}.context;
          await context.ready;
          await context.sessionContext.ready;
        }}"""
    )


def run_all_cells(page: Any) -> None:
    """Begin to run the cells of the open notebook."""
    page.evaluate("() => { jupyterapp.commands.execute('notebook:run-all-cells') }")


def run_in_kernel(page: Any, code: str) -> str:
    """What code prints in the kernel of the open notebook, or how it fails."""
    found: str = page.evaluate(
        f"""async (code) => {{
          const kernel = {PLAIN_NOTEBOOK}.context.sessionContext.session.kernel;
          const future = kernel.requestExecute({{code}});
          let printed = "";
          future.onIOPub = (message) => {{
            printed += message.content.text ?? message.content.evalue ?? "";
          }};
          await future.done;
          return printed;
        }}""",
        code,
    )
    return found


def set_theme(page: Any, theme: str) -> None:
    """Give JupyterLab a theme: "JupyterLab Dark", "JupyterLab Light"."""
    page.evaluate(
        "async (theme) => jupyterapp.commands.execute('apputils:change-theme', {theme})", theme
    )
    page.wait_for_function(
        "(theme) => document.body.dataset.jpThemeName === theme", arg=theme, timeout=60_000
    )


def save_notebook(page: Any) -> None:
    """Save the open notebook."""
    page.evaluate("async () => jupyterapp.commands.execute('docmanager:save')")


def end_kernel(page: Any) -> None:
    """End the kernel of the open notebook for good."""
    page.evaluate(f"async () => {PLAIN_NOTEBOOK}.context.sessionContext.session.kernel.shutdown()")


def converted(notebook: Path, environment: Mapping[str, str]) -> Path:
    """The HTML that nbconvert makes of a notebook that it runs."""
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "--execute", str(notebook)]
    subprocess.run(command, check=True, env=environment, timeout=90, capture_output=True)
    return notebook.with_suffix(".html")
