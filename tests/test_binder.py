"""What Binder makes of the repository: the files in binder/ say what pyproject.toml says."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

CHECKOUT = Path(__file__).resolve().parent.parent
BINDER = CHECKOUT / "binder"
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def run(*command: str | Path) -> str:
    """Run something where Binder does: in the root of the repository."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        command,
        cwd=CHECKOUT,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_binder_takes_a_python_that_binteach_runs_on() -> None:
    name, _, version = (BINDER / "runtime.txt").read_text(encoding="utf-8").strip().partition("-")
    assert name == "python"
    assert version in SpecifierSet(PROJECT["requires-python"])


def test_binder_installs_the_extra_that_opens_the_course() -> None:
    lines = (BINDER / "requirements.txt").read_text(encoding="utf-8").splitlines()
    (needed,) = [line for line in lines if not line.startswith("#")]
    assert needed == ".[lab]"
    assert "lab" in PROJECT["optional-dependencies"]


@pytest.mark.slow
def test_pip_installs_what_binder_asks_for() -> None:
    # Without a network: all that it needs is in the environment of the tests.
    pip = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-index"]
    flags = ["--dry-run", "--no-build-isolation", "--requirement", "binder/requirements.txt"]
    told = run(*pip, *flags).splitlines()
    assert told[-1] == f"Would install {PROJECT['name']}-{PROJECT['version']}"


def test_what_binder_runs_at_last_finds_everything() -> None:
    script = BINDER / "postBuild"
    assert os.access(script, os.X_OK)
    assert "Everything is there" in run(script)
