"""The `binteach` command: results on stdout, one sentence on stderr, and an honest exit code."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

import binteach as bt
from binteach import cli

FOUR = ["--tp", "3", "--fp", "1", "--fn", "2", "--tn", "4"]


@dataclass(frozen=True)
class Outcome:
    """What a run left behind."""

    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in this process."""

    def in_process(*arguments: str) -> Outcome:
        with pytest.raises(SystemExit) as ended:
            cli.main(list(arguments))
        captured = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Outcome(ended.value.code, captured.out, captured.err)

    return in_process


def in_a_process(*arguments: str, **settings: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "binteach", *arguments],
        env={**os.environ, **settings},
        capture_output=True,
        check=False,
        timeout=60,
    )


def is_one_sentence(text: str) -> bool:
    return text.startswith("binteach: ") and text.count("\n") == 1 and text.endswith("\n")


@pytest.fixture
def my_csv(tmp_path: Path) -> str:
    path = tmp_path / "my.csv"
    path.write_text("y,p\nyes,0.9\nno,0.8\nyes,0.6\nno,0.2\n", encoding="utf-8")
    return str(path)


# explain ----------------------------------------------------------------------------------------


def test_precision_of_four_counts_is_explained(run: Run) -> None:
    done = run("explain", "precision", *FOUR)
    expected = str(bt.explain("precision", bt.Counts(3, 1, 2, 4)))
    assert done == Outcome(0, expected + "\n", "")
    assert "3/4" in done.out


def test_auc_of_a_bundled_data_set_is_explained(run: Run) -> None:
    done = run("explain", "auc", "--data", "ten_cases")
    assert done == Outcome(0, str(bt.explain("auc", bt.load("ten_cases"))) + "\n", "")
    assert "4/5" in done.out


def test_precision_of_a_file_is_explained(run: Run, my_csv: str) -> None:
    columns = ["--label", "y", "--score", "p", "--positive", "yes"]
    done = run("explain", "precision", "--data", my_csv, *columns, "--at", "0.5")
    cases = bt.Cases.from_csv(my_csv, label="y", score="p", positive="yes")
    assert done == Outcome(0, str(bt.explain("precision", cases, at="0.5")) + "\n", "")
    assert "2/3" in done.out


def test_a_definition_needs_no_data(run: Run) -> None:
    done = run("explain", "PPV")
    assert done.code == 0
    assert "TP / (TP + FP)" in done.out


@pytest.mark.parametrize("key", bt.MEASURES)
def test_the_definition_of_every_measure_is_shown(run: Run, key: str) -> None:
    done = run("explain", key)
    assert (done.code, done.err) == (0, "")
    assert done.out == str(bt.explain(key)) + "\n"


def test_every_parameter_is_an_option(run: Run) -> None:
    done = run("explain", "f_beta", *FOUR, "--beta", "2")
    assert done.out == str(bt.explain("f_beta", bt.Counts(3, 1, 2, 4), beta=2)) + "\n"
    done = run("explain", "expected_cost", *FOUR, "--cost-fp", "5")
    assert done.out == str(bt.explain("expected_cost", bt.Counts(3, 1, 2, 4), cost_fp=5)) + "\n"
    done = run("explain", "hit_rate", "--data", "ten_cases", "--top", "3")
    assert done.out == str(bt.explain("hit_rate", bt.load("ten_cases"), top=3)) + "\n"


def test_latex_is_the_derivation_in_latex(run: Run) -> None:
    done = run("explain", "precision", *FOUR, "--format", "latex")
    assert done == Outcome(0, bt.explain("precision", bt.Counts(3, 1, 2, 4)).latex() + "\n", "")


@pytest.mark.parametrize("key", ["auc", "log_loss", "root_mean_square_error", "brier_score"])
def test_mathml_is_well_formed_ascii(run: Run, key: str) -> None:
    done = run("explain", key, "--data", "ten_cases", "--format", "mathml")
    assert done.code == 0
    assert done.out.isascii()
    assert ElementTree.fromstring(done.out).tag.endswith("math")


class Page(HTMLParser):
    """Collects the tags, the title and the text of a page, and checks that tags close."""

    VOID = ("meta", "br", "hr", "img", "link", "input")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def test_html_is_one_whole_page_in_ascii() -> None:
    done = in_a_process("explain", "precision", *FOUR, "--format", "html")
    assert (done.returncode, done.stderr) == (0, b"")
    source = done.stdout.decode("ascii")
    assert source.lower().startswith("<!doctype html>")
    page = Page()
    page.feed(source)
    page.close()
    assert page.open == []
    for once in ("html", "head", "title", "body"):
        assert page.seen.count(once) == 1
    assert "script" not in page.seen
    assert "Precision" in page.words


# measures, datasets, help -----------------------------------------------------------------------


def test_every_measure_is_listed(run: Run) -> None:
    done = run("measures")
    assert (done.code, done.err) == (0, "")
    listed = re.findall(r"^(\w+)  ", done.out, flags=re.MULTILINE)
    assert listed == list(bt.MEASURES)


def test_a_search_finds_names_and_meanings(run: Run) -> None:
    done = run("measures", "--search", "RECALL")
    listed = re.findall(r"^(\w+)  ", done.out, flags=re.MULTILINE)
    assert {"sensitivity", "qrecall", "f_beta"} <= set(listed)
    assert "accuracy" not in listed
    nothing = run("measures", "--search", "zebra")
    assert nothing.code == 2
    assert nothing.out == ""
    assert is_one_sentence(nothing.err)


def test_all_about_a_measure_is_told(run: Run) -> None:
    done = run("about", "PPV")
    assert (done.code, done.err) == (0, "")
    assert "Precision" in done.out
    assert "TP / (TP + FP)" in done.out


def test_every_data_set_is_listed(run: Run) -> None:
    done = run("datasets")
    assert done.code == 0
    lines = [line.split(maxsplit=1) for line in done.out.splitlines()]
    assert dict(lines) == bt.datasets()


COMMANDS = [
    *("about", "explain", "explore", "measures", "papers", "datasets", "lab", "slides"),
    *("exercises", "assignment", "report", "site"),
]


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)], ids=str)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_is_there_for_each_command(run: Run, command: list[str], flag: str) -> None:
    done = run(*command, flag)
    assert (done.code, done.err) == (0, "")
    assert "Usage: binteach" in done.out
    assert max(map(len, done.out.splitlines())) <= 100


def test_the_commands_are_these() -> None:
    assert sorted(cli.cli.commands) == sorted(COMMANDS)


def test_the_version_is_told(run: Run) -> None:
    assert run("--version") == Outcome(0, f"binteach {bt.__version__}\n", "")


# Errors -----------------------------------------------------------------------------------------

BAD_USE = {
    "unknown command": ["explane"],
    "unknown measure": ["explain", "precison", *FOUR],
    "no measure": ["explain"],
    "about nothing": ["about"],
    "about an unknown measure": ["about", "precison"],
    "unknown option": ["explain", "precision", "--nonsense"],
    "three counts": ["explain", "precision", *FOUR[:6]],
    "negative count": ["explain", "precision", *FOUR[:6], "--tn", "-4"],
    "no count": ["explain", "precision", *FOUR[:6], "--tn", "four"],
    "counts and data": ["explain", "precision", *FOUR, "--data", "ten_cases"],
    "no such data": ["explain", "auc", "--data", "eleven_cases"],
    "no cases": ["explain", "auc", "--data", "murphy_abc"],
    "no cut": ["explain", "precision", "--data", "ten_cases"],
    "two cuts": ["explain", "precision", "--data", "ten_cases", "--top", "3", "--at", "0.5"],
    "quota above n": ["explain", "precision", "--data", "ten_cases", "--top", "11"],
    "counts for a ranking": ["explain", "auc", *FOUR],
    "wrong parameter": ["explain", "auc", "--data", "ten_cases", "--beta", "2"],
    "wrong value": ["explain", "f_beta", *FOUR, "--beta", "-2"],
    "wrong format": ["explain", "precision", *FOUR, "--format", "pdf"],
    "wrong column": ["explain", "auc", "--data", "MY_CSV", "--label", "z"],
    "wrong label": ["explain", "auc", "--data", "MY_CSV", "--label", "y", "--score", "p"],
    "port": ["lab", "--port", "99999999", "--copy-only"],
    "a file for a folder": ["lab", "MY_CSV", "--copy-only"],
    "no lesson for slides": ["slides"],
    "slides in no folder": ["slides", "06", "--out", "NEW/deck.html"],
    "unknown lesson": ["assignment", "rock", "--out", "NEW"],
    "nowhere to write": ["assignment", "roc"],
    "no roster": ["assignment", "roc", "--out", "NEW", "--seed-per-student", "nowhere.csv"],
    "no ids": ["assignment", "roc", "--out", "NEW", "--seed-per-student", "MY_CSV"],
    "secret of nobody": ["assignment", "roc", "--out", "NEW", "--secret", "x"],
    "too long a seed": ["assignment", "roc", "--out", "NEW", "--seed", "x" * 201],
    "an empty seed": ["exercises", "NEW", "--seed", ""],
    "exercises in a file": ["exercises", "MY_CSV"],
    "report on nothing": ["report", "nowhere"],
    "report on a file": ["report", "MY_CSV"],
}


@pytest.mark.parametrize("arguments", BAD_USE.values(), ids=BAD_USE)
def test_bad_use_is_one_sentence_on_stderr(run: Run, my_csv: str, arguments: list[str]) -> None:
    new = Path(my_csv).parent / "new"
    places = {"MY_CSV": my_csv, "NEW": str(new), "NEW/deck.html": str(new / "deck.html")}
    done = run(*(places.get(word, word) for word in arguments))
    assert done.code == 2
    assert done.out == ""
    assert is_one_sentence(done.err), done.err
    assert not new.exists()


def test_a_folder_that_is_not_there_is_named_with_the_remedy(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "nowhere"
    for command in (["slides", "06"], ["explore", "ten_cases"]):
        done = run(*command, "--out", str(folder / "page.html"))
        assert f"there is no folder '{folder}'; make it first" in done.err


def test_slides_of_no_lesson_tell_which_lessons_there_are(run: Run) -> None:
    assert "which lesson? Give the number of one of 00_start_here, 01_ten" in run("slides").err


def test_a_file_that_is_not_utf_8_is_one_sentence_that_names_it(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "latin.csv"
    path.write_bytes(b"case,label,score\ncaf\xe9,1,0.5\n")
    done = run("explain", "auc", "--data", str(path))
    assert (done.code, done.out) == (2, "")
    assert is_one_sentence(done.err)
    assert "latin.csv" in done.err


def test_an_error_reaches_the_shell() -> None:
    done = in_a_process("explain", "precision", "--tp", "x")
    assert (done.returncode, done.stdout) == (2, b"")
    assert is_one_sentence(done.stderr.decode())


@pytest.mark.parametrize("format_", ["text", "latex", "mathml", "html"])
def test_an_undefined_measure_is_shown_and_reported(run: Run, format_: str) -> None:
    nothing = ["--tp", "0", "--fp", "0", "--fn", "2", "--tn", "4"]
    done = run("explain", "precision", *nothing, "--format", format_)
    assert done.code == 1
    assert is_one_sentence(done.err)
    assert "precision is undefined: no case was called positive" in done.err
    assert "no case was called positive" in " ".join(done.out.split())


def test_an_undefined_logarithm_is_shown_and_reported(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "sure.csv"
    path.write_text("label,score\n1,0\n0,1\n", encoding="utf-8")
    done = run("explain", "log_loss", "--data", str(path), "--epsilon", "0")
    assert done.code == 1
    assert is_one_sentence(done.err)
    assert "undefined" in done.out


def test_a_reader_that_has_had_enough_gets_no_traceback() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "binteach", "measures"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        # The other end is gone before anything is written.
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 1  # as click has it


def test_a_terminal_without_unicode_gets_question_marks() -> None:
    done = in_a_process("explain", "g_measure", *FOUR, PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "G = ?(precision × recall)" in done.stdout.decode("latin-1")


# For lecturers ----------------------------------------------------------------------------------


def test_exercises_are_written_once(run: Run, tmp_path: Path) -> None:
    done = run("exercises", str(tmp_path / "mine"), "--seed", "autumn")
    assert done == Outcome(0, f"10 notebooks are in {tmp_path / 'mine'}.\n", "")
    assert 'seed=\\"autumn\\"' in (tmp_path / "mine" / "06_roc.ipynb").read_text(encoding="utf-8")
    again = run("exercises", str(tmp_path / "mine"))
    assert again.code == 2
    assert "01_counts.ipynb is there already" in again.err
    assert run("exercises", str(tmp_path / "mine"), "--overwrite", "--solutions").code == 0
    assert "solution()" in (tmp_path / "mine" / "06_roc.ipynb").read_text(encoding="utf-8")


def test_an_assignment_says_what_to_do_next(run: Run, tmp_path: Path) -> None:
    done = run("assignment", "roc", "--out", str(tmp_path / "one"))
    assert (done.code, done.err) == (0, "")
    assert "nbgrader generate_assignment roc" in done.out
    assert "release/roc/roc.ipynb" in done.out
    roster = tmp_path / "roster.csv"
    roster.write_text("id\nann\nben\n", encoding="utf-8")
    own = ("--seed-per-student", str(roster), "--secret", "autumn")
    done = run("assignment", "ROC", "--out", str(tmp_path / "own"), *own)
    assert (done.code, done.err) == (0, "")
    assert "each student the notebook in handout/ID/roc, 2 in all," in done.out
    names = ("source/roc", "handout/ann/roc", "handout/ben/roc")
    assert set(files_in(tmp_path / "own")) == {f"{name}/roc.ipynb" for name in names}
    both = run("assignment", "roc", "--out", str(tmp_path / "x"), *own, "--seed", "1")
    assert both.code == 2
    assert "with a roster take --secret" in both.err


def test_a_report_is_a_table_a_page_and_a_file(run: Run, tmp_path: Path) -> None:
    exercises = Path(bt.__file__).parent.parent / "exercises"
    (tmp_path / "in").mkdir()
    text = (exercises / "solutions" / "02_elementary.ipynb").read_text(encoding="utf-8")
    (tmp_path / "in" / "ann.ipynb").write_text(text, encoding="utf-8")
    (tmp_path / "in" / "ben.ipynb").write_text("{", encoding="utf-8")
    page, table = tmp_path / "report.html", tmp_path / "report.csv"
    done = run("report", str(tmp_path / "in"), "--out", str(page), "--csv", str(table))
    assert done.code == 0
    assert is_one_sentence(done.err)
    assert done.err.endswith("ben.ipynb is no notebook, or a broken one; left out\n")
    assert done.out.startswith("Elementary measures\n")
    assert "1 notebook counted; 1 file left out." in " ".join(done.out.split())
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    lines = table.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + len(bt.lesson("elementary"))
    assert all(line.endswith(",status,correct,1") for line in lines[1:])


# lab --------------------------------------------------------------------------------------------


COPIED = ("notebooks/00.ipynb", "notebooks/deep/a.png", "exercises/README.md")


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small course in place of the real one."""
    source = tmp_path / "source"
    for name in (*COPIED, "exercises/solutions/00.ipynb"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(f"original {name}", encoding="utf-8")
    (source / "notebooks" / ".hidden").write_text("no", encoding="utf-8")
    monkeypatch.setattr(cli, "bundled", lambda folder: source / folder)
    return tmp_path / "course"


def files_in(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_course_is_copied(run: Run, course: Path) -> None:
    done = run("lab", str(course), "--copy-only")
    assert (done.code, done.err) == (0, "")
    assert "3 files copied" in done.out
    # The solutions are not for those who are to answer.
    assert files_in(course) == {name: f"original {name}" for name in COPIED}


def test_a_changed_file_of_the_users_is_kept_and_told(run: Run, course: Path) -> None:
    run("lab", str(course), "--copy-only")
    (course / "notebooks" / "00.ipynb").write_text("mine", encoding="utf-8")
    (course / "exercises" / "README.md").unlink()
    done = run("lab", str(course), "--copy-only")
    assert done.code == 0
    assert "1 files copied" in done.out or "1 file copied" in done.out
    assert "kept" in done.out
    after = files_in(course)
    assert after["notebooks/00.ipynb"] == "mine"
    assert after["exercises/README.md"] == "original exercises/README.md"


def test_the_check_says_what_is_missing_and_how_to_get_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = {"bokeh", "sklearn"}
    monkeypatch.setattr(cli, "_importable", lambda name: name not in absent)
    done = run("lab", "--check")
    assert done.code == 1
    assert "\nMISSING bokeh           for the explorers\n" in done.out
    assert "absent  scikit-learn    optional: lesson 10 trains its models, or" in done.out
    assert "(pip install scikit-learn)" in done.out
    assert 'Get what is missing with: pip install "binteach[lab]"' in done.out
    absent.clear()
    done = run("lab", "--check")
    assert done.code == 0
    assert "(pip install" not in done.out
    assert done.out.endswith("Everything is there: binteach lab opens the course.\n")


def test_the_real_course_can_be_copied(run: Run, tmp_path: Path) -> None:
    done = run("lab", str(tmp_path / "mine"), "--copy-only")
    assert done.code == 0
    assert (tmp_path / "mine" / "exercises" / "README.md").is_file()
    assert (tmp_path / "mine" / "exercises" / "06_roc.ipynb").is_file()
    assert not (tmp_path / "mine" / "exercises" / "solutions").exists()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def running_lab(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], Path, int]]:
    """`binteach lab` in a process group of its own, so that its children end with it."""
    port, log = free_port(), tmp_path / "log"
    own = {name: str(tmp_path / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR")}
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "binteach", "lab", "course", "--no-browser", f"--port={port}"],
            cwd=tmp_path,
            env={**os.environ, **own, "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime")},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    yield process, log, port
    for kind in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, kind)
        except ProcessLookupError:
            break
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            continue


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="process groups are needed to clean up")
def test_the_lab_answers_at_the_printed_address(
    running_lab: tuple[subprocess.Popen[bytes], Path, int],
) -> None:
    process, log, port = running_lab
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        printed = log.read_text(encoding="utf-8", errors="replace")
        assert process.poll() is None, printed
        found = re.search(rf"http://(localhost|127\.0\.0\.1):{port}/lab\S*", printed)
        if found:
            try:
                with urllib.request.urlopen(found[0], timeout=10) as answer:
                    assert answer.status == 200
                    assert b"jupyter" in answer.read().lower()
                return
            except urllib.error.URLError:
                pass  # the address is printed a moment before the server listens
        time.sleep(0.3)
    pytest.fail(log.read_text(encoding="utf-8", errors="replace"))


def test_an_explorer_is_written_as_one_file(tmp_path: Path, run: Run) -> None:
    target = tmp_path / "roc.html"
    assert "works by itself" in run("explore", "ten_cases", "--out", str(target)).out
    assert "Bokeh" in target.read_text(encoding="utf-8")
    mine = tmp_path / "my.csv"
    mine.write_text("y,p\nyes,0.9\nno,0.4\n")
    options = ("--label", "y", "--score", "p", "--positive", "yes", "--kind", "quota")
    assert run("explore", str(mine), "--out", str(target), *options).code == 0
    wrong = run("explore", "ten_cases", "--out", str(target), "--kind", "nonsense")
    assert wrong.code == 2
    assert "threshold" in wrong.err


def test_the_help_of_explore_tells_what_each_explorer_is_for(run: Run) -> None:
    from binteach.explorers import OF_CASES

    shown = " ".join(run("explore", "--help").out.split())
    for kind, explorer in OF_CASES.items():
        first = (explorer.__doc__ or "").partition("\n")[0]
        assert first.endswith((".", "?"))
        assert f"{kind} {first}" in shown
