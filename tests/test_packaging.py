"""What pip installs is complete: the wheel carries the course, the checkout is used in place."""

import csv
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent

# Run by a fresh interpreter. Prints the package's file, two results, then every CSV file read.
PROBE = """
import os, sys

without, read = sys.argv[1], []
sys.path[:] = [folder for folder in sys.path if os.path.realpath(folder) != without]
sys.addaudithook(lambda event, args: read.append(str(args[0])) if event == "open" else None)

import binteach as bt

print(bt.__file__)
print(bt.load("ten_cases").n)
print(len(bt.datasets()))
print(*dict.fromkeys(path for path in read if path.endswith(".csv")), sep="\\n")
"""


def run(*command: str | Path, cwd: Path, pythonpath: str = "") -> str:
    """Run Python with `command`; -P keeps the working directory off the import path."""
    done = subprocess.run(
        [sys.executable, "-P", *command],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": pythonpath},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def probe(cwd: Path, pythonpath: str = "", without: str = "") -> tuple[Path, int, int, list[Path]]:
    lines = run("-c", PROBE, without, cwd=cwd, pythonpath=pythonpath).splitlines()
    file, n, number_of_datasets, *read = lines
    return Path(file), int(n), int(number_of_datasets), [Path(path) for path in read]


def number_of_datasets_in_the_index() -> int:
    with (CHECKOUT / "datasets" / "index.csv").open(encoding="utf-8", newline="") as file:
        return len(list(csv.DictReader(file)))


def build(folder: Path, *flags: str) -> Path:
    run("-m", "build", "--no-isolation", *flags, "--outdir", folder, CHECKOUT, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with an sdist and the wheel that was built from it."""
    return build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (path,) = built.glob("*.whl")
    return path


def files_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_is_pure_python(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")


def test_the_wheel_carries_the_course(wheel: Path) -> None:
    assert files_in(wheel) >= {
        "binteach/__init__.py",
        "binteach/_bundled/datasets/index.csv",
        "binteach/_bundled/datasets/ten_cases.csv",
        "binteach/_bundled/exercises/README.md",
        "binteach/_bundled/exercises/06_roc.ipynb",
        "binteach/_bundled/notebooks/00_start_here.ipynb",
    }


def test_the_wheel_carries_nothing_else(wheel: Path) -> None:
    folders = {PurePosixPath(name).parts[0] for name in files_in(wheel)}
    assert {folder for folder in folders if not folder.endswith(".dist-info")} == {"binteach"}
    parts = {part for name in files_in(wheel) for part in PurePosixPath(name).parts}
    assert not parts & {"tests", "__pycache__", ".ipynb_checkpoints", "make", "solutions"}


def test_the_sdist_keeps_the_course_at_the_top_level(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names >= {
        "LICENSE",
        "README.md",
        "datasets/ten_cases.csv",
        "exercises/README.md",
        "exercises/solutions/06_roc.ipynb",
        "notebooks/00_start_here.ipynb",
        "tests/test_packaging.py",
    }


def test_the_checkout_and_the_sdist_build_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    (direct,) = build(tmp_path, "--wheel").glob("*.whl")
    assert files_in(direct) == files_in(wheel)


def test_an_installed_wheel_needs_no_checkout(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run(*pip, "--no-deps", "--no-index", "--target", target, wheel, cwd=tmp_path)
    file, n, number_of_datasets, read = probe(
        cwd=tmp_path, pythonpath=str(target), without=str(CHECKOUT)
    )
    assert file == target / "binteach" / "__init__.py"
    assert n == 10
    assert number_of_datasets == number_of_datasets_in_the_index()
    assert target / "binteach" / "_bundled" / "datasets" / "ten_cases.csv" in read
    assert all(path.is_relative_to(target) for path in read)


def test_an_editable_install_reads_the_checkout(tmp_path: Path) -> None:
    file, n, number_of_datasets, read = probe(cwd=tmp_path)
    assert file == CHECKOUT / "binteach" / "__init__.py"
    assert n == 10
    assert number_of_datasets == number_of_datasets_in_the_index()
    assert CHECKOUT / "datasets" / "ten_cases.csv" in read
    assert all(path.is_relative_to(CHECKOUT) for path in read)
