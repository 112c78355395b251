"""Live notebooks: a folder with JupyterLab and a Python that run in the student's own browser.

JupyterLite puts JupyterLab together; Pyodide is the Python. Any web server that hands out files
can serve the folder, and nothing runs on it.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from binteach.data import bundled
from binteach.site.wheels import here, run, write_own

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.resources.abc import Traversable

    from binteach.site.pyodide import Packages

START = "notebooks/00_start_here.ipynb"
# Another name, such as the usual "python3", makes JupyterLite ask which kernel is meant.
KERNELSPEC = {"display_name": "Python (Pyodide)", "language": "python", "name": "python"}
KERNEL = "@jupyterlite/pyodide-kernel-extension"
EXTENSIONS = (KERNEL, "@jupyter-widgets/jupyterlab-manager", "@bokeh/jupyter_bokeh")
# JupyterLab, and Jupyter Notebook for narrow screens with the list of files that it leads back to.
APPS = ("lab", "notebooks", "tree")
NARROW = """<script>
if (window.innerWidth < 600) location.replace("../notebooks/index.html" + location.search);
</script>"""
# Where JupyterLite looks for a Pyodide of its own.
PLACE = Path("static", "pyodide")
# The pages below read their settings from here, too: the script must stay.
INDEX = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>binteach</title>
<meta http-equiv="refresh" content="0; url=lab/index.html?path={START}">
<script id="jupyter-config-data" type="application/json" data-jupyter-lite-root=".">{{}}</script>
</head>
<body><a href="lab/index.html?path={START}">Open the live notebooks</a></body>
</html>
"""


def build(
    out: Path,
    *,
    offline: bool = False,
    wheels: Path | None = None,
    say: Callable[[str], object] = print,
) -> dict[str, float] | None:
    """Make the folder of live notebooks; `say` is told its size and what is missing.

    Gives what a first visit takes, where there is a browser to measure it with.
    """
    _check(out, offline, wheels)
    with TemporaryDirectory() as made:
        work = Path(made)
        packages = gather(work, offline, wheels)
        for folder in ("notebooks", "exercises"):
            _copy_notebooks(bundled(folder), work / "files" / folder)
        _settings(work, out, offline)
        run(
            [sys.executable, "-m", "jupyterlite_core", "build"],
            "JupyterLite could not put the live notebooks together",
            "pip install --upgrade 'binteach[site]' brings the version that is known to work",
            work,
        )
    (out / "index.html").write_text(INDEX, encoding="utf-8")
    lab = out / "lab" / "index.html"
    head, mark, rest = lab.read_text(encoding="utf-8").partition("<head>")
    lab.write_text(head + mark + NARROW + rest, encoding="utf-8")
    return _report(out, packages, say)


def _check(out: Path, offline: bool, natives: Path | None) -> None:
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out} is a file; name a folder for the live notebooks")
    if out.is_dir() and any(out.iterdir()) and not (out / "jupyter-lite.json").is_file():
        raise ValueError(f"{out} has files that are no live notebooks; name another folder")
    if natives is not None and not offline:
        raise ValueError("a folder of wheels is of use to an offline site only: add --offline")
    if natives is not None and not natives.is_dir():
        raise ValueError(f"there is no folder {natives}; name the one that has the native wheels")
    for name in ("jupyterlite-core", "jupyterlite-pyodide-kernel", "jupyter-server"):
        here(name)


def _extension(name: str) -> Path:
    """The folder of a part of JupyterLab that is installed here."""
    from jupyter_core.paths import jupyter_path

    folders = [Path(each, name) for each in jupyter_path("labextensions")]
    found = next((each for each in folders if (each / "package.json").is_file()), None)
    if found is None:
        raise ValueError(
            f"the JupyterLab extension {name} is missing: pip install 'binteach[site]'"
        )
    return found


def runtime() -> tuple[str, str, Path]:
    """The versions of Pyodide and its Python that the kernel wants, and where they are kept."""
    from jupyterlite_pyodide_kernel.constants import PYODIDE_PYTHON_VERSION, PYODIDE_VERSION
    from platformdirs import user_cache_path

    cache = user_cache_path("binteach") / "site"
    cache.mkdir(parents=True, exist_ok=True)
    return PYODIDE_VERSION, PYODIDE_PYTHON_VERSION, cache


def gather(work: Path, offline: bool, natives: Path | None) -> Packages:
    """Put Pyodide, its lock and the wheels into the folder that JupyterLite is run in."""
    from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL

    from binteach.site import pyodide

    version, python, cache = runtime()
    unpacked = pyodide.fetch_runtime(version, cache)
    place = work / PLACE
    place.mkdir(parents=True)
    parts = _extension(KERNEL) / "static" / "pypi"
    given = {
        "binteach": write_own(place),
        **{name: pyodide.only_wheel(parts, name) for name in pyodide.KERNEL_PARTS},
    }
    home = "" if offline else f"{PYODIDE_CDN_URL}/"
    packages = pyodide.settle(unpacked, cache, python, given, natives, home)
    for each in (*(unpacked / name for name in pyodide.RUNTIME), *packages.local):
        if each.parent != place:
            shutil.copyfile(each, place / each.name)
    (place / pyodide.LOCK).write_text(json.dumps(packages.lock), encoding="utf-8")
    return packages


def _copy_notebooks(source: Traversable, target: Path) -> None:
    """The course as it is stored, outputs and all, for the kernel in the browser."""
    import nbformat

    target.mkdir(parents=True)
    for each in source.iterdir():
        if not each.name.endswith(".ipynb"):
            continue
        notebook = nbformat.reads(each.read_text(encoding="utf-8"), as_version=4)
        notebook.metadata["kernelspec"] = KERNELSPEC
        for cell in notebook.cells:
            # JupyterLab takes the formulas and explorers out of what it is not told to trust.
            cell.metadata["trusted"] = True
        # Not by nbformat: it cuts texts into lists of lines, which JupyterLite shows as such.
        text = json.dumps(notebook, indent=1, ensure_ascii=False)
        (target / each.name).write_text(f"{text}\n", encoding="utf-8")


def _settings(work: Path, out: Path, offline: bool) -> None:
    from binteach.site import pyodide

    _write(
        work / "jupyter_lite_config.json",
        {
            "LiteBuildConfig": {
                "apps": list(APPS),
                "contents": ["files"],
                "federated_extensions": [str(_extension(name)) for name in EXTENSIONS],
                "ignore_sys_prefix": ["federated_extensions"],
                "no_sourcemaps": True,
                "no_unused_shared_packages": True,
                "output_dir": str(out.resolve()),
            }
        },
    )
    download = {
        "name": "download",
        "label": "Download",
        "command": "docmanager:download",
        "icon": "ui-components:download",
        "rank": 50,
    }
    _write(
        work / "overrides.json",
        {
            "@jupyterlab/notebook-extension:panel": {"toolbar": [download]},
            # What a student uploads names another kernel; there is only this one.
            "@jupyterlab/notebook-extension:tracker": {"autoStartDefaultKernel": True},
        },
    )
    kernel = {
        "disablePyPIFallback": offline,
        "loadPyodideOptions": {"packages": list(pyodide.KERNEL)},
    }
    _write(
        work / "jupyter-lite.json",
        {
            "jupyter-lite-schema-version": 0,
            "jupyter-config-data": {
                "appName": "binteach",
                "exposeAppInBrowser": True,
                "litePluginSettings": {f"{KERNEL}:kernel": kernel},
            },
        },
    )


def _write(path: Path, contents: dict[str, Any]) -> None:
    path.write_text(json.dumps(contents, indent=2), encoding="utf-8")


def _report(out: Path, packages: Packages, say: Callable[[str], object]) -> dict[str, float] | None:
    from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL

    from binteach.site.pyodide import SERVES

    files = [each for each in out.rglob("*") if each.is_file()]
    size = sum(each.stat().st_size for each in files)
    say(f"live notebooks: {_megabytes(size)} in {len(files)} files")
    visit: dict[str, float] | None = None
    try:
        visit = json.loads(_visit(out))
    except ValueError as wrong:
        say(f"a first visit was not measured: {wrong}")
    if visit is not None:
        say(
            f"a first visit loads {_megabytes(visit['bytes'])} in {visit['requests']} files; "
            f"on this machine it has its first result after {visit['seconds']} seconds"
        )
    if packages.native:
        say("students' browsers load native packages from elsewhere:")
        for address in packages.native:
            say(f"- {address}")
    if packages.absent:
        say("native packages are missing, and these things do not work in the live notebooks:")
        for name, lacks in packages.lost.items():
            others = [each for each in lacks if each != name]
            why = f", and that takes {', '.join(others)}" if others else ""
            say(f"- {SERVES[name]} (it takes {name}{why})")
        say(
            "to have them, build with --wheels and a folder that has these files, which are in "
            f"Pyodide's release and at {PYODIDE_CDN_URL}:"
        )
        for file in packages.absent:
            say(f"- {file}")
    return visit


def _visit(out: Path) -> str:
    return run(
        [sys.executable, "-m", "binteach.site.visit", str(out)],
        "the browser did not get as far as a result",
        "open the folder through a web server and see",
    )


def _megabytes(size: float) -> str:
    return f"{size / 1e6:.1f} MB"
