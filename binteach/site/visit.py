"""What a first visit to the live notebooks costs: bytes, requests, and seconds until a result.

`python -m binteach.site.visit FOLDER` measures it in a browser on this machine and prints JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

PATIENCE = 240_000  # milliseconds
CODE = 'import binteach as bt\nbt.explain("auc", bt.load("ten_cases"))'
KERNEL = "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel"
RUN = f"""async (code) => {{
  const future = {KERNEL}.requestExecute({{code}});
  let failure = null;
  future.onIOPub = (message) => {{ failure ??= message.content.evalue ?? null; }};
  await future.done;
  return failure;
}}"""


class _Handler(SimpleHTTPRequestHandler):
    """Notes the size of each file that it hands out."""

    def __init__(self, *args: Any, sent: list[int], **kwargs: Any) -> None:
        self.sent = sent
        super().__init__(*args, **kwargs)

    def copyfile(self, source: Any, outputfile: Any) -> None:
        self.sent.append(os.fstat(source.fileno()).st_size)
        super().copyfile(source, outputfile)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, list[int]]]:
    """The address of a plain server of files, and the sizes of those that it has handed out."""
    sent: list[int] = []
    handler = partial(_Handler, directory=str(folder), sent=sent)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", sent
        server.shutdown()


def measure(folder: Path) -> dict[str, Any]:
    """A first visit: the start page is opened, and its kernel derives an AUC."""
    from binteach.explorers.export import browser

    with serving(folder) as (address, sent), browser("a visit is measured") as running:
        page = running.new_page()
        start = time.monotonic()
        page.goto(f"{address}/index.html")
        page.wait_for_function(f"() => {KERNEL}", timeout=PATIENCE)
        failure = page.evaluate(RUN, CODE)
        if failure is not None:
            raise ValueError(f"the notebook gives no result: {failure}")
        return {
            "bytes": sum(sent),
            "requests": len(sent),
            "seconds": round(time.monotonic() - start, 1),
        }


if __name__ == "__main__":
    try:
        print(json.dumps(measure(Path(sys.argv[1]))))
    except ValueError as wrong:
        sys.exit(str(wrong))
