"""How many requests a plain web server answers, on the folder that `binteach site` wrote.

python -m benchmarks.site build/site      Python's own server, and nginx where it is installed

The clients are threads of one Python process beside the server, on the same cores, and get in each
other's way: tries differ by a factor of two, and a fast server is held up by its clients. So the
figures are the least that a server does, and are shown from the slowest try to the fastest.
"""

import argparse
import os
import platform
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.browser import free_port
from binteach.site.costs import (
    CLIENTS,
    TRIES,
    Load,
    amount,
    files_of,
    loads,
    paths_of,
    plain_server,
)

NGINX = """\
daemon off;
pid {folder}/pid;
error_log stderr error;
events {{}}
http {{
  access_log off;
  sendfile on;
  {places}
  server {{ listen 127.0.0.1:{port}; root {site}; }}
}}
"""
PLACES = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@contextmanager
def nginx(site: Path) -> Iterator[int]:
    """The port of an nginx with nothing but what it needs, in a folder of its own."""
    port = free_port()
    with TemporaryDirectory() as folder:
        # Its workers have an account of their own, which must get in.
        Path(folder).chmod(0o755)
        places = " ".join(f"{name}_temp_path {folder}/{name};" for name in PLACES)
        conf = Path(folder) / "nginx.conf"
        conf.write_text(
            NGINX.format(folder=folder, places=places, port=port, site=site.resolve()),
            encoding="utf-8",
        )
        with subprocess.Popen(["nginx", "-e", "stderr", "-p", folder, "-c", str(conf)]) as server:
            try:
                time.sleep(1)
                yield port
            finally:
                server.terminate()


SERVERS: dict[str, Callable[[Path], AbstractContextManager[int]]] = {
    "python3 -m http.server": plain_server
}
if shutil.which("nginx"):
    SERVERS["nginx"] = nginx


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Measure web servers on a site.")
    parser.add_argument("site", type=Path)
    parser.add_argument("--seconds", type=float, default=3)
    asked = parser.parse_args(arguments)
    largest = max(
        (file for file in asked.site.rglob("*") if file.is_file()), key=lambda f: f.stat().st_size
    )
    asked_for = {
        "files of the start page": paths_of(asked.site, files_of(asked.site / "index.html")),
        "the largest file": paths_of(asked.site, [largest]),
    }
    print(
        f"{date.today()}, Python {platform.python_version()}, {os.cpu_count()} cores, "
        f"{CLIENTS} clients, {TRIES} tries of {asked.seconds:g} seconds"
    )
    for name, serving in SERVERS.items():
        with serving(asked.site) as port:
            for what, paths in asked_for.items():
                slowest, *_, fastest = loads(port, paths, asked.seconds)
                print(
                    f"{name}, {what}: {slowest.per_second:,.0f} to {fastest.per_second:,.0f} "
                    f"requests a second, {_rate(slowest)} to {_rate(fastest)} a second"
                )


def _rate(found: Load) -> str:
    return amount(found.size / found.seconds)


if __name__ == "__main__":
    main()
