"""Pyodide's runtime and its lock file, which tells a kernel in a browser where each package is.

The lock names the packages that Pyodide brings along. binteach and what it needs are written into
it, so that the kernel finds them by the imports of a cell. Wheels stand beside the lock; those of
native packages are either left where Pyodide publishes them, or taken from a folder.
"""

from __future__ import annotations

import json
import shutil
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packaging.utils import canonicalize_name, parse_wheel_filename

from binteach.site import wheels

if TYPE_CHECKING:
    from collections.abc import Callable

LOCK = "pyodide-lock.json"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
# The kernel starts with these; it asks no index for what it is told to load.
KERNEL_PARTS = ("ipykernel", "piplite", "pyodide-kernel")
KERNEL = ("comm", "ipython", "jedi", "micropip", *KERNEL_PARTS)
# What a student loses without a package that binteach uses.
SERVES = {
    "numpy": "bootstrap, permutation tests and large data",
    "scipy": "intervals and tests that need a distribution from scipy",
    "bokeh": "explorers that move (a still page is shown instead)",
}


@dataclass(frozen=True)
class Packages:
    """A lock, the wheels to put beside it, and what could not be had."""

    lock: dict[str, Any]
    local: list[Path]
    native: list[str]  # the addresses of what binteach needs from where Pyodide publishes it
    absent: list[str]  # the files that the folder of native wheels lacks
    lost: dict[str, list[str]]  # a package that binteach does without -> the native ones it lacks


def fetch_runtime(number: str, cache: Path) -> Path:
    """The folder of the npm package `pyodide`."""
    archive, unpacked = cache / f"pyodide-{number}.tgz", cache / f"pyodide-{number}"
    if not archive.is_file():
        by_hand = f"put {archive.name}, which `npm pack pyodide@{number}` gives, into {cache}"
        npm = shutil.which("npm")
        if npm is None:
            raise ValueError(
                "npm is not there, and it fetches Pyodide, the Python that runs in a browser; "
                f"install Node.js (on Debian: apt-get install npm), or {by_hand}"
            )
        wheels.run(
            [npm, "pack", f"pyodide@{number}", "--silent", "--pack-destination", str(cache)],
            f"npm could not fetch pyodide@{number}",
            f"check the connection to npm's registry, or {by_hand}",
            cache,
        )
    if not (unpacked / LOCK).is_file():
        with tarfile.open(archive) as packed:
            packed.extractall(unpacked, filter="data")
        for each in (unpacked / "package").iterdir():
            each.rename(unpacked / each.name)
    return unpacked


def only_wheel(folder: Path, name: str) -> Path:
    """The wheel of this name in a folder that has one."""
    (found,) = folder.glob(f"{name.replace('-', '_')}-*.whl")
    return found


def settle(
    runtime: Path, cache: Path, python: str, given: dict[str, Path], natives: Path | None, home: str
) -> Packages:
    """The lock for the kernel and binteach, with the pure wheels fetched into the cache.

    `given` are wheels that no index has, by name. Native ones come from `home`, where Pyodide
    publishes them; where `home` is "", from the folder `natives`, or not at all.
    """
    lock = json.loads((runtime / LOCK).read_text(encoding="utf-8"))
    known: dict[str, dict[str, Any]] = lock["packages"]
    whole = _reach(lambda name: _needs(name, known, given, python))
    native = {name for name in whole if name in known and not _is_pure(known[name])}
    found = {} if home else _look_up({name: known[name] for name in native}, natives)
    absent = set() if home else native - found.keys()
    # Without markupsafe there is no Jinja2, and without that no Bokeh; only binteach does without.
    gone = {name for name in whole if name != "binteach" and absent & _below(name, whole)}
    graph = _reach(lambda name: [each for each in whole[name] if each not in gone])
    versions = {
        name: known[name]["version"] if _is_as_locked(name, known) else wheels.here(name)
        for name in graph.keys() - native - given.keys()
    }
    local = {**wheels.fetch(versions.items(), cache, python), **found, **given}
    elsewhere = known if home else {}
    listed = {
        name: {**entry, "file_name": home + entry["file_name"]} for name, entry in elsewhere.items()
    }
    for name in graph.keys() & local.keys():
        listed[name] = _entry(local[name], graph[name], known.get(name, {}))
    return Packages(
        {**lock, "packages": dict(sorted(listed.items()))},
        [local[name] for name in sorted(graph.keys() & local.keys())],
        [listed[name]["file_name"] for name in sorted(native)] if home else [],
        [known[name]["file_name"] for name in sorted(absent)],
        {name: sorted(absent & _below(name, whole)) for name in SERVES if name in gone},
    )


def _is_pure(entry: dict[str, Any]) -> bool:
    return str(entry["file_name"]).endswith("-none-any.whl")


def _is_as_locked(name: str, known: dict[str, Any]) -> bool:
    """Bokeh has another half in the stored outputs, so that it is taken as it is installed here."""
    return name in known and name != "bokeh"


def _needs(name: str, known: dict[str, Any], given: dict[str, Path], python: str) -> list[str]:
    if _is_as_locked(name, known):
        return [canonicalize_name(each) for each in known[name]["depends"]]
    if name in given and name in KERNEL:
        return []  # the kernel loads all that it is made of
    return wheels.needs(name, python)


def _reach(needs: Callable[[str], list[str]]) -> dict[str, list[str]]:
    """Every package that the kernel and binteach need, with what it needs itself."""
    graph: dict[str, list[str]] = {}
    waiting = [*KERNEL, "binteach"]
    while waiting:
        name = waiting.pop()
        if name not in graph:
            graph[name] = needs(name)
            waiting += graph[name]
    return graph


def _below(name: str, graph: dict[str, list[str]]) -> set[str]:
    """A package and all that it needs; nothing needs itself by a detour."""
    return {name}.union(*(_below(each, graph) for each in graph[name]))


def _look_up(wanted: dict[str, dict[str, Any]], folder: Path | None) -> dict[str, Path]:
    """The native wheels that a folder has, each the very file that the lock names."""
    found = {}
    for name, entry in wanted.items():
        if folder is None or not (folder / entry["file_name"]).is_file():
            continue
        found[name] = folder / entry["file_name"]
        if wheels.digest(found[name]) != entry["sha256"]:
            raise ValueError(
                f"{found[name]} is not the file that Pyodide published under this name; "
                "download it again"
            )
    return found


def _entry(wheel: Path, depends: list[str], known: dict[str, Any]) -> dict[str, Any]:
    """What the lock says of a wheel that stands beside it."""
    name, number, *_ = parse_wheel_filename(wheel.name)
    return {
        "depends": depends,
        "file_name": wheel.name,
        "imports": known.get("imports") or wheels.tops(wheel),
        "install_dir": "site",
        "name": name,
        "package_type": "package",
        "sha256": wheels.digest(wheel),
        "unvendored_tests": False,
        "version": str(number),
    }
