"""On Python 3.14 the wheel says the same: Pyodide in Node.js, which has no numpy either."""

import json
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from typing import NamedTuple

import core_sheet
import pytest
from conftest import do_without
from test_bank import DIGESTS
from test_packaging import build

TESTS = Path(__file__).parent

# What the wheel and its tests need, as it is installed here. All of it works as pure Python: what
# is compiled for this computer is not found there.
PURE = (
    *("sympy", "mpmath", "traitlets", "ipywidgets", "comm", "tqdm", "click", "nbformat"),
    *("fastjsonschema", "pytest", "pluggy", "iniconfig", "packaging", "pygments"),
    *("ipython", "ipython_pygments_lexers", "prompt_toolkit", "wcwidth", "jedi", "parso"),
    *("stack_data", "executing", "asttokens", "pure_eval", "matplotlib-inline", "pexpect"),
    "ptyprocess",
)
FILES = ("test_worked_examples.py", "test_render.py", "test_replies.py")

PROGRAM = f"""
import sys, warnings
from pathlib import Path

assert sys.version_info[:2] == (3, 14), sys.version
# What binteach does may not warn; what others do is not its business.
warnings.filterwarnings("error", module=".*binteach")
sources = [*Path("/site/binteach").rglob("*.py")]
assert len(sources) > 100
with warnings.catch_warnings():
    warnings.simplefilter("error")
    for source in sources:
        compile(source.read_text(encoding="utf-8"), str(source), "exec")

import binteach as bt

assert bt.__file__.startswith("/site/")
import core_sheet, json

written = json.dumps(core_sheet.sheet(brief=True), ensure_ascii=False)
Path("/out/sheet.json").write_text(written, encoding="utf-8")

import pytest

options = ("-q", "--noconftest", "-p", "no:cacheprovider", "-c", "/dev/null")
files = [f"/tests/{{name}}" for name in {FILES!r}]
Path("/out/pytest").write_text(str(int(pytest.main([*options, "--rootdir=/tests", *files]))))
"""


class Ran(NamedTuple):
    """The sheet of Python 3.14, how its pytest ended, and what was printed."""

    sheet: dict[str, dict[str, str]]
    pytest: str
    printed: str


def installed() -> tuple[dict[str, str], dict[str, str]]:
    """Folders and single files of the pure packages: where Python 3.14 sees them, and are here."""
    folders: dict[str, str] = {}
    files: dict[str, str] = {}
    for name in PURE:
        found = distribution(name)
        for path in found.files or ():
            top = path.parts[0]
            if top not in ("..", "__pycache__"):
                kind = files if len(path.parts) == 1 else folders
                kind[f"/site/{top}"] = str(found.locate_file(top))
    return folders, files


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    if shutil.which("node") is None or not (TESTS / "node_modules" / "pyodide").is_dir():
        do_without("there is no Node.js with Pyodide, so no Python 3.14: sh tests/ensure_axe.sh")
    folder = tmp_path_factory.mktemp("python-314")
    (wheel,) = build(folder, "--wheel").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "wheel")
    folders, files = installed()
    own = {"/site/binteach": folder / "wheel" / "binteach", "/tests": TESTS, "/out": folder}
    plan = {
        "mounts": folders | {there: str(here) for there, here in own.items()},
        "copies": files,
        "path": ["/site", "/tests"],
        "argv": ["program"],
        "program": PROGRAM,
    }
    (folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    done = subprocess.run(
        ["node", TESTS / "python_314.mjs", folder / "plan.json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    sheet = json.loads((folder / "sheet.json").read_text(encoding="utf-8"))
    return Ran(sheet, (folder / "pytest").read_text(), done.stdout)


@pytest.mark.slow
def test_python_314_says_what_this_python_says(ran: Ran, tmp_path: Path) -> None:
    target = tmp_path / "sheet.json"
    subprocess.run([sys.executable, TESTS / "core_sheet.py", target, "--brief"], check=True)
    here = json.loads(target.read_text(encoding="utf-8"))
    assert ran.sheet.keys() == here.keys() == {part.__name__ for part in core_sheet.PARTS}
    for part, said in here.items():
        assert ran.sheet[part].keys() == said.keys()
        for name, text in said.items():
            assert ran.sheet[part][name] == text, f"{part}: {name}"


@pytest.mark.slow
def test_a_seed_gives_the_same_questions_on_python_314(ran: Ran) -> None:
    assert {name: ran.sheet["lessons"][f"{name}: digest"] for name in DIGESTS} == DIGESTS


@pytest.mark.slow
def test_tests_of_the_core_pass_on_python_314(ran: Ran) -> None:
    assert ran.pytest == "0", ran.printed[-3000:]
    assert "passed" in ran.printed.splitlines()[-1]
