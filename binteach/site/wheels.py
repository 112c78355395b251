"""Wheels for a Python that runs in a browser: binteach's own, and those that PyPI has."""

from __future__ import annotations

import subprocess
import sys
from base64 import urlsafe_b64encode
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution, requires, version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

from binteach.data import bundled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from importlib.resources.abc import Traversable

# The page has the other half of ipywidgets already; there is no terminal; nothing that a student
# does in a notebook reads or writes notebooks.
NOT_IN_A_BROWSER = frozenset({"click", "jupyterlab-widgets", "nbformat", "widgetsnbextension"})
# The notebooks are served beside the wheel, and no site is built from within a site.
LEFT_OUT = frozenset({"__pycache__", "_bundled", "site", "slides"})
BROWSER = {
    "implementation_name": "cpython",
    "os_name": "posix",
    "platform_machine": "wasm32",
    "platform_python_implementation": "CPython",
    "platform_system": "Emscripten",
    "sys_platform": "emscripten",
    "extra": "",
}


def needs(name: str, python: str) -> list[str]:
    """What an installed package requires of others where it runs in a browser."""
    there = {**BROWSER, "python_version": python, "python_full_version": f"{python}.0"}
    found = (Requirement(line) for line in requires(name) or ())
    wanted = (each for each in found if each.marker is None or each.marker.evaluate(there))
    return sorted({canonicalize_name(each.name) for each in wanted} - NOT_IN_A_BROWSER)


def here(name: str) -> str:
    """The version that is installed here."""
    try:
        return version(name)
    except PackageNotFoundError:
        raise ValueError(
            f"{name} is not installed, and the live notebooks are made with it: "
            "pip install 'binteach[site]'"
        ) from None


def digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def tops(wheel: Path) -> list[str]:
    """The names under which a wheel's modules are imported."""
    with ZipFile(wheel) as archive:
        parts = [Path(name).parts for name in archive.namelist() if name.endswith(".py")]
    return sorted({each[0].removesuffix(".py") for each in parts if ".data" not in each[0]})


# binteach's own ---------------------------------------------------------------------------------


def _tree(folder: Traversable, place: str) -> Iterator[tuple[str, bytes]]:
    for each in sorted(folder.iterdir(), key=lambda one: one.name):
        if each.name in LEFT_OUT or each.name.startswith("."):
            continue
        if each.is_dir():
            yield from _tree(each, f"{place}/{each.name}")
        else:
            yield f"{place}/{each.name}", each.read_bytes()


def write_own(folder: Path) -> Path:
    """binteach as a wheel, made of the files that run here: a checkout's or an installed one's.

    The same files give the same bytes, so that browsers keep what has not changed.
    """
    whole = distribution("binteach")
    about = f"binteach-{whole.version}.dist-info"
    contents = {
        **dict(_tree(files("binteach"), "binteach")),
        **{
            name: data
            for name, data in _tree(bundled("datasets"), "binteach/_bundled/datasets")
            if "/datasets/make/" not in name
        },
        f"{about}/METADATA": (whole.read_text("METADATA") or "").encode(),
        f"{about}/WHEEL": b"Wheel-Version: 1.0\nGenerator: binteach\n"
        b"Root-Is-Purelib: true\nTag: py3-none-any\n",
    }
    lines = [
        f"{name},sha256={urlsafe_b64encode(sha256(data).digest()).rstrip(b'=').decode()},{len(data)}"
        for name, data in contents.items()
    ]
    contents[f"{about}/RECORD"] = "\n".join([*lines, f"{about}/RECORD,,", ""]).encode()
    made = folder / f"binteach-{whole.version}-py3-none-any.whl"
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            # A ZipInfo has a fixed date, unlike a file; 0o644 lets everyone read it.
            entry = ZipInfo(name)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, ZIP_DEFLATED)
    return made


# From PyPI ----------------------------------------------------------------------------------------


def _in(folder: Path) -> dict[tuple[str, str], Path]:
    found: dict[tuple[str, str], Path] = {}
    for each in sorted(folder.glob("*-none-any.whl")):
        name, number, *_ = parse_wheel_filename(each.name)
        found[name, str(number)] = each
    return found


def fetch(wanted: Iterable[tuple[str, str]], cache: Path, python: str) -> dict[str, Path]:
    """Pure wheels of these names and versions; what the cache has is not fetched again."""
    wanted = [(canonicalize_name(name), number) for name, number in wanted]
    missing = [each for each in wanted if each not in _in(cache)]
    if missing:
        specs = [f"{name}=={number}" for name, number in missing]
        pure = ["--implementation", "py", "--abi", "none", "--platform", "any"]
        run(
            [
                *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"),
                *("--disable-pip-version-check", "--only-binary", ":all:"),
                *("--python-version", python, *pure, "--dest", str(cache), *specs),
            ],
            f"pip could not fetch {', '.join(specs)}",
            f"check the connection to PyPI, or put the wheels into {cache}",
        )
    have = _in(cache)
    return {name: have[name, number] for name, number in wanted}


def run(command: list[str], failure: str, remedy: str, folder: Path | None = None) -> str:
    """What a command prints; what it complains of is a ValueError with a remedy."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode != 0:
        told = [line for line in done.stderr.splitlines() if line.strip()] or ["it did not say why"]
        raise ValueError(f"{failure} ({told[-1].strip()}); {remedy}")
    return done.stdout
