"""A course as one folder for any web server: reference, explorers, lessons, live notebooks.

`build` writes it. Sphinx makes the pages from sources that are generated from the registry and
from the notebooks; nothing on a page comes from another host, and nothing needs a server that
does more than hand out files.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from binteach.data import datasets, source_of
from binteach.site.writing import contents, listed, live_link, page, raw

MARK = "binteach-site.json"
"""The file that says that a folder was written here, and which files in it were."""
NEEDED = ("sphinx", "myst_nb", "furo")
WORKERS = 2
KINDS = ("css", "js")  # of what the theme lacks

CONF: dict[str, Any] = {
    "project": "binteach",
    "extensions": ["myst_nb", "sphinx.ext.githubpages"],
    "language": "en",
    "nitpicky": True,
    "smartquotes": False,  # what is printed in a document stays as it is
    "nb_execution_mode": "off",
    "nb_ipywidgets_js": {},  # they would come from another host
    "html_theme": "furo",
    "html_title": "binteach",
    "html_css_files": ["binteach.css"],
    "html_js_files": ["binteach.js"],
    "html_show_copyright": False,
    "html_show_sphinx": False,
    "html_show_sourcelink": False,
    "html_copy_source": False,
    # A page that was opened from a disk may not read others to quote from them.
    "html_show_search_summary": False,
    "html_theme_options": {
        # Read well on white and on black, and at 4.5 to 1.
        "light_css_variables": {"color-brand-primary": "#00507d", "color-brand-content": "#00507d"},
        "dark_css_variables": {"color-brand-primary": "#7cc4ee", "color-brand-content": "#7cc4ee"},
    },
}

Say = Callable[[str], object]


def build(
    out: str | Path,
    *,
    offline: bool = False,
    wheels: str | Path | None = None,
    live: bool = True,
    overwrite: bool = False,
    say: Say = print,
) -> Path:
    """Write the site into a folder, which is then to be copied to a web server.

    out        the folder; one that holds other files is left alone, unless `overwrite`
    offline    serve everything that live notebooks need from the site itself
    wheels     a folder with native packages for them
    live       whether there are live notebooks at all
    """
    _check_needed()
    target = Path(out)
    _clear(target, overwrite)
    visit = None
    if live:  # first, since there is more that can be missing
        notebooks = import_module("binteach.site.live")  # it needs JupyterLite, the pages do not
        natives = None if wheels is None else Path(wheels)
        visit = notebooks.build(target / "live", offline=offline, wheels=natives, say=say)
    started, before = time.perf_counter(), _size(target)
    pages = _pages(target, live, visit)
    taken, size = time.perf_counter() - started, _size(target)
    say(f"{pages} pages in {taken:.0f} s, {_megabytes(size - before)}.")
    _mark(target)
    say(f"The site is in {target}: {_megabytes(size)} in all. Copy it to any web server.")
    return target


def _check_needed() -> None:
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        listed_ = " and ".join(missing)
        raise ValueError(f'{listed_} is missing; get it with: pip install "binteach[site]"')


# The folder ---------------------------------------------------------------------------------------


def _clear(target: Path, overwrite: bool) -> None:
    """Take away what an earlier build wrote; what others wrote stays."""
    if target.exists() and not target.is_dir():
        raise ValueError(f"{target} is a file; name a folder to write the site to")
    mark = target / MARK
    if mark.is_file():
        for name in _written(mark):
            file = target / name
            if file.is_file() and file.resolve().is_relative_to(target.resolve()):
                file.unlink()
                _remove_if_empty(file.parent, target)
    elif target.is_dir() and any(target.iterdir()) and not overwrite:
        raise ValueError(
            f"{target} holds files that are not of a site; name another folder, or say --overwrite"
        )
    target.mkdir(parents=True, exist_ok=True)
    mark.write_text(json.dumps({"files": []}), "utf-8")  # ours from now on, even if it breaks off


def _remove_if_empty(folder: Path, root: Path) -> None:
    """Take away a folder that has nothing left in it, and so on up to the root."""
    if folder != root and not any(folder.iterdir()):
        folder.rmdir()
        _remove_if_empty(folder.parent, root)


def _written(mark: Path) -> list[str]:
    try:
        found = json.loads(mark.read_text("utf-8"))["files"]
    except (ValueError, KeyError, TypeError):
        return []
    return [name for name in found if isinstance(name, str)]


def _mark(target: Path) -> None:
    names = sorted(
        file.relative_to(target).as_posix() for file in target.rglob("*") if file.is_file()
    )
    (target / MARK).write_text(json.dumps({"files": names}, indent=0), "utf-8")


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _megabytes(size: int) -> str:
    return f"{size / 10**6:.1f} MB"


# The pages ----------------------------------------------------------------------------------------

FIRST = "notebooks/00_start_here.ipynb"
FOLDERS = ("lessons", "exercises", "explorers", "measures", "data")


def _start(live: bool) -> str:
    """What is here, in five lines."""
    from binteach.site.examples import roc_picture, ten

    lines = [
        "**[Lessons](lessons/index.md)** explain, with pictures that you move.",
        "**[Explorers](explorers/index.md)** are these pictures, one on each page.",
        "**[Measures](measures/index.md)** have a page each: definition, names, a worked example.",
        "**[Exercises](exercises/index.md)** ask, and tell you which mistake you made.",
        "**Look up** any name, such as PPV or hit rate, in the search field.",
    ]
    parts = [
        "How good is a classifier that says yes or no? Here every number is exact, and every "
        "step is shown.",
        listed(lines),
        raw(live_link(FIRST, "Start the first live notebook", up="")) if live else "",
        raw(roc_picture(ten())),
        "The ROC curve of ten cases. [Move it](explorers/threshold.md).",
        contents([*(f"{name}/index" for name in FOLDERS), "identities", "errata", "costs"]),
    ]
    return page("How binary classifiers are judged", parts)


def _pages(target: Path, live: bool, visit: dict[str, float] | None = None) -> int:
    """Write the sources, and let Sphinx make the pages; how many there are."""
    from binteach.render.html import STYLE
    from binteach.site import costs, lessons, reference

    with TemporaryDirectory() as folder:
        source, static, extra = (Path(folder) / name for name in ("source", "static", "extra"))
        scripts = lessons.Scripts()
        explorers = {name: lessons.made(name) for name in lessons.EXPLORERS}
        texts = {
            "index.md": _start(live),
            "costs.md": costs.TITLE,
            **{f"{name}.md": text for name, text in reference.pages(live)},
            **dict(lessons.lesson_pages(scripts, live)),
            **dict(lessons.exercise_pages(scripts, live)),
            **dict(lessons.explorer_pages(scripts, live, explorers)),
        }
        css, code = ((files("binteach.site") / f"site.{kind}").read_text("utf-8") for kind in KINDS)
        style = STYLE.removeprefix("<style>").removesuffix("</style>")
        _write(source, texts)
        _write(static, {**scripts.files, "binteach.css": style + css, "binteach.js": code})
        _write(extra / "files", {f"{name}.csv": _csv(name) for name in datasets()})
        for name, (_, explorer) in explorers.items():
            explorer.save(extra / "files" / f"{name}.html")
        conf = CONF | {"html_static_path": [str(static)], "html_extra_path": [str(extra)]}
        trees = Path(folder) / "doctrees"
        _run_sphinx(source, target, trees, conf)
        # What the others take is known when they are there; only this page is made again. Sphinx
        # would then forget the names under which the other pages are found.
        index = target / "searchindex.js"
        found = index.read_bytes()
        _write(source, {"costs.md": costs.measure(target, visit).markdown()})
        _run_sphinx(source, target, trees, conf, fresh=False)
        index.write_bytes(found)
    return len(texts)


def _csv(name: str) -> str:
    return source_of(name)[1].read_text(encoding="utf-8")


def _write(folder: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def _run_sphinx(
    source: Path, target: Path, trees: Path, conf: dict[str, Any], fresh: bool = True
) -> None:
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    warnings = io.StringIO()
    with patch_docutils(), docutils_namespace():
        app = Sphinx(
            source,
            None,
            target,
            trees,
            "html",
            confoverrides=conf,
            status=None,
            warning=warnings,
            freshenv=fresh,
            parallel=WORKERS,
        )
        app.build()
    if warnings.getvalue():
        raise RuntimeError(f"the pages have mistakes:\n{warnings.getvalue()}")
