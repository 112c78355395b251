"""The live notebooks: what is published, and what a student's browser makes of it, cut off."""

import json
import os
import shutil
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
import nbgrader_course as grading
import pytest
import test_packaging as packing
from conftest import do_without
from explorer_pages import AT_HOME, watch
from packaging.utils import canonicalize_name, parse_wheel_filename

import binteach as bt
from benchmarks.browser import PLAIN_NOTEBOOK, run_all_cells, run_in_kernel, save_notebook
from binteach.exercises.graders import POINTS, write_assignment
from binteach.exercises.outcome import RECORD
from binteach.site import live, pyodide, wheels
from binteach.site.visit import serving

CHECKOUT = Path(bt.__file__).parent.parent
PATIENCE = 240_000  # milliseconds: a busy machine is no reason to fail
NATIVE = {"contourpy", "markupsafe", "numpy", "pillow", "pyyaml", "scipy"}
LESSON = "elementary"


# What is published ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """An offline site without native wheels below a sub-path, and what was said of it."""
    if shutil.which("npm") is None:
        do_without("there is no `npm`, which fetches Pyodide; on Debian: apt-get install npm")
    out = tmp_path_factory.mktemp("site") / "a course" / "live"
    told: list[str] = []
    live.build(out, offline=True, say=told.append)
    return out, told


@pytest.fixture(scope="module")
def site(built: tuple[Path, list[str]]) -> Path:
    return built[0]


def lock_of(site: Path) -> dict[str, Any]:
    text = (site / live.PLACE / pyodide.LOCK).read_text(encoding="utf-8")
    packages: dict[str, Any] = json.loads(text)["packages"]
    return packages


@pytest.mark.slow
def test_every_entry_of_the_lock_is_a_file_of_the_site_with_its_hash(site: Path) -> None:
    listed = lock_of(site)
    assert {"binteach", "ipywidgets", "sympy", *pyodide.KERNEL} <= listed.keys()
    for name, entry in listed.items():
        wheel = site / live.PLACE / entry["file_name"]
        assert wheel.parent == site / live.PLACE, "an address elsewhere"
        assert wheels.digest(wheel) == entry["sha256"]
        assert parse_wheel_filename(wheel.name)[0] == canonicalize_name(entry["name"]) == name
        assert set(entry["depends"]) <= listed.keys()
    on_disk = {each.name for each in (site / live.PLACE).glob("*.whl")}
    assert on_disk == {entry["file_name"] for entry in listed.values()}


@pytest.mark.slow
def test_an_offline_kernel_asks_no_index(site: Path) -> None:
    config = json.loads((site / "jupyter-lite.json").read_text(encoding="utf-8"))
    settings = config["jupyter-config-data"]["litePluginSettings"][f"{live.KERNEL}:kernel"]
    assert settings["disablePyPIFallback"] is True
    assert settings["pyodideUrl"] == "./static/pyodide/pyodide.mjs"
    assert settings["loadPyodideOptions"] == {"packages": list(pyodide.KERNEL)}


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["notebooks", "exercises"])
def test_the_course_is_published_for_this_kernel_and_otherwise_as_it_is(
    site: Path, folder: str
) -> None:
    names = {each.name for each in (CHECKOUT / folder).glob("*.ipynb")}
    assert {each.name for each in (site / "files" / folder).iterdir()} == names
    for name in names:
        published = json.loads((site / "files" / folder / name).read_text(encoding="utf-8"))
        ours = grading.read(CHECKOUT / folder / name)
        assert published["metadata"].pop("kernelspec") == live.KERNELSPEC
        del ours.metadata["kernelspec"]
        for cell in published["cells"]:
            assert cell["metadata"].pop("trusted") is True
        assert published == ours


@pytest.mark.slow
def test_no_file_tells_where_it_was_made(site: Path) -> None:
    secrets = [str(CHECKOUT), sys.prefix, str(site.parent.parent)]
    for each in site.rglob("*"):
        if not each.is_file():
            continue
        texts = [each.read_bytes()]
        if each.name.startswith("binteach-"):
            with zipfile.ZipFile(each) as archive:
                texts = [archive.read(name) for name in archive.namelist()]
        for secret in secrets:
            assert not any(secret.encode() in text for text in texts), (each.name, secret)


@pytest.mark.slow
def test_the_build_tells_size_first_visit_and_what_is_missing(
    built: tuple[Path, list[str]],
) -> None:
    site, told = built
    size = sum(each.stat().st_size for each in site.rglob("*") if each.is_file()) / 1e6
    assert told[0].startswith(f"live notebooks: {size:.1f} MB in ")
    print(*told, sep="\n")
    text = "\n".join(told)
    assert "a first visit loads " in text
    assert "MB in" in text
    assert "first result after" in text
    assert "- bootstrap, permutation tests and large data (it takes numpy)" in told
    assert (
        "- explorers that move (a still page is shown instead) "
        "(it takes bokeh, and that takes contourpy, markupsafe, numpy, pillow, pyyaml)"
    ) in told
    named = [line.removeprefix("- ") for line in told if line.endswith(".whl")]
    assert {parse_wheel_filename(each)[0] for each in named} == NATIVE


# The lock ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_by_default_only_native_packages_of_ours_come_from_elsewhere(tmp_path: Path) -> None:
    packages = live.gather(tmp_path, offline=False, natives=None)
    listed = packages.lock["packages"]
    home = "https://cdn.jsdelivr.net/pyodide/v"
    ours = {"binteach"}
    while more := {on for name in ours for on in listed[name]["depends"]} - ours:
        ours |= more
    assert {"bokeh", "jupyter-bokeh", "sympy"} | NATIVE <= ours
    elsewhere = {name for name in ours if listed[name]["file_name"].startswith(home)}
    assert elsewhere == NATIVE
    assert sorted(listed[name]["file_name"] for name in NATIVE) == packages.native
    for name in ours - NATIVE:
        wheel = tmp_path / live.PLACE / listed[name]["file_name"]
        assert wheels.digest(wheel) == listed[name]["sha256"]
    assert listed["pandas"]["file_name"].startswith(home), "who imports it has it"
    assert packages.absent == []


def little_wheel(folder: Path, name: str) -> None:
    with zipfile.ZipFile(folder / name, "w") as archive:
        archive.writestr("module.py", f"# {name}\n")


Settle = Callable[[set[str]], pyodide.Packages]


@pytest.fixture
def settle(tmp_path: Path) -> Settle:
    """The lock that is made when a folder has the wheels of these native packages."""
    made = live.gather(tmp_path / "first", offline=True, natives=None)
    given = {
        name: tmp_path / "first" / live.PLACE / made.lock["packages"][name]["file_name"]
        for name in ("binteach", *pyodide.KERNEL_PARTS)
    }
    version, python, cache = live.runtime()
    lock = json.loads((pyodide.fetch_runtime(version, cache) / pyodide.LOCK).read_text())
    folder, natives = tmp_path / "runtime", tmp_path / "natives"
    folder.mkdir()
    natives.mkdir()

    def settle(have: set[str]) -> pyodide.Packages:
        for name in have:
            entry = lock["packages"][name]
            little_wheel(natives, entry["file_name"])
            entry["sha256"] = wheels.digest(natives / entry["file_name"])
        (folder / pyodide.LOCK).write_text(json.dumps(lock), encoding="utf-8")
        return pyodide.settle(folder, cache, python, given, natives, home="")

    return settle


@pytest.mark.slow
def test_with_all_native_wheels_nothing_is_missing(settle: Settle) -> None:
    packages = settle(NATIVE)
    assert packages.absent == []
    assert packages.lost == {}
    assert NATIVE | {"bokeh", "jupyter-bokeh"} <= packages.lock["packages"].keys()
    assert {"bokeh", "numpy", "scipy"} <= set(packages.lock["packages"]["binteach"]["depends"])


@pytest.mark.slow
def test_what_lacks_a_native_wheel_is_left_out_and_named(settle: Settle) -> None:
    packages = settle(NATIVE - {"markupsafe"})
    assert packages.lost == {"bokeh": ["markupsafe"]}
    listed = packages.lock["packages"]
    assert {"numpy", "scipy"} <= set(listed["binteach"]["depends"])
    # Neither what needs it, nor what only that needed.
    assert not {"markupsafe", "jinja2", "bokeh", "jupyter-bokeh", "xyzservices"} & listed.keys()


@pytest.mark.slow
def test_a_native_wheel_that_was_changed_is_refused(settle: Settle, tmp_path: Path) -> None:
    settle({"numpy"})
    (wheel,) = (tmp_path / "natives").iterdir()
    wheel.write_bytes(b"not what it was")
    with pytest.raises(ValueError, match=r"numpy-\S+\.whl is not the file .*; download it again"):
        settle(set())


# binteach's own wheel ---------------------------------------------------------------------------


def contents(wheel: Path) -> dict[str, bytes]:
    """The files of a wheel that are not about the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {
            name: archive.read(name)
            for name in archive.namelist()
            if not name.partition("/")[0].endswith(".dist-info")
        }


def test_the_same_files_make_the_same_wheel(tmp_path: Path) -> None:
    (tmp_path / "again").mkdir()
    first, second = wheels.write_own(tmp_path), wheels.write_own(tmp_path / "again")
    assert first.read_bytes() == second.read_bytes()
    assert wheels.tops(first) == ["binteach"]


@pytest.mark.slow
def test_an_installed_binteach_makes_the_wheel_that_a_checkout_makes(tmp_path: Path) -> None:
    (built,) = packing.build(tmp_path, "--wheel").glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        archive.extractall(tmp_path / "installed")
    (tmp_path / "again").mkdir()
    packing.run(
        "-c",
        "from pathlib import Path; from binteach.site.wheels import write_own; "
        "write_own(Path('again'))",
        cwd=tmp_path,
        pythonpath=str(tmp_path / "installed"),
    )
    (theirs,) = (tmp_path / "again").glob("*.whl")
    assert contents(theirs) == contents(wheels.write_own(tmp_path))


def test_the_wheel_works_by_itself(tmp_path: Path) -> None:
    with zipfile.ZipFile(wheels.write_own(tmp_path)) as archive:
        archive.extractall(tmp_path / "unpacked")
    file, n, number, read = packing.probe(tmp_path, str(tmp_path / "unpacked"))
    assert file.is_relative_to(tmp_path)
    assert n == 10
    assert number == len(bt.datasets())
    assert all(each.is_relative_to(tmp_path) for each in read)


# Bad input --------------------------------------------------------------------------------------


def test_a_folder_of_wheels_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"there is no folder \S+nowhere; name the one that has"):
        live.build(tmp_path / "out", offline=True, wheels=tmp_path / "nowhere")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_wheels_is_for_an_offline_site(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="an offline site only: add --offline"):
        live.build(tmp_path / "out", wheels=tmp_path)


def test_files_of_others_are_not_overwritten(tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    with pytest.raises(ValueError, match="has files that are no live notebooks; name another"):
        live.build(tmp_path, offline=True)
    with pytest.raises(ValueError, match=r"mine\.txt is a file; name a folder"):
        live.build(mine, offline=True)
    assert mine.read_text() == "mine"


@pytest.fixture
def nothing_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "binteach" / "site"


def test_without_npm_the_remedies_are_told(
    nothing_cached: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ValueError, match=r"npm is not there, .* apt-get install npm") as wrong:
        live.build(tmp_path / "out", offline=True)
    assert f"into {nothing_cached}" in str(wrong.value)


@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm")
def test_without_a_network_npm_is_told_to_have_failed(
    nothing_cached: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    with pytest.raises(ValueError, match=r"npm could not fetch pyodide@.*; check the connection"):
        live.build(tmp_path / "out", offline=True)


def test_without_a_network_pip_is_told_to_have_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    with pytest.raises(ValueError, match=r"could not fetch six==1\.17\.0 \(.*\); check") as wrong:
        wheels.fetch([("six", "1.17.0")], tmp_path, "3.14")
    assert str(wrong.value).endswith(f"or put the wheels into {tmp_path}")


def test_a_package_that_is_not_installed_is_told_with_the_extra() -> None:
    with pytest.raises(ValueError, match=r"no-such-thing is not installed, .*binteach\[site\]"):
        wheels.here("no-such-thing")


# In a browser -----------------------------------------------------------------------------------


class Student:
    """A browser with no way out of this machine, and the live notebooks open in it."""

    def __init__(self, page: Any, address: str) -> None:
        self.page, self.address = page, address
        # Not what the console says: JupyterLite asks the server for every file of the student's.
        self.trouble = watch(page)

    def open(self, path: str) -> None:
        """By a link; what was open before is opened again, too."""
        self.page.goto(f"{self.address}/lab/index.html?path={path}")
        self.wait_for_kernel()

    def wait_for_kernel(self) -> None:
        self.page.wait_for_function(
            f"() => window.jupyterapp && {PLAIN_NOTEBOOK}?.context.sessionContext.session?.kernel",
            timeout=PATIENCE,
        )

    def bring(self, name: str, notebook: Any) -> None:
        """Upload a notebook as by the button, and open it."""
        self.page.goto(f"{self.address}/lab/index.html")
        self.page.wait_for_function("() => window.jupyterapp?.shell.currentWidget")
        self.page.evaluate(
            """async ([path, content]) => {
              const file = {type: "notebook", format: "json", content};
              await jupyterapp.serviceManager.contents.save(path, file);
              await jupyterapp.commands.execute("docmanager:open", {path});
            }""",
            [name, json.loads(nbformat.writes(notebook))],
        )
        self.wait_for_kernel()

    def write(self, cells: dict[str, str]) -> None:
        """Replace what stands in cells, by their ids."""
        self.page.evaluate(
            f"""(sources) => {{
              for (const cell of {PLAIN_NOTEBOOK}.context.model.cells)
                if (cell.id in sources) cell.sharedModel.setSource(sources[cell.id]);
            }}""",
            cells,
        )

    def run_all(self) -> None:
        run_all_cells(self.page)
        # The kernel takes one thing after the other.
        assert run_in_kernel(self.page, "print('done')").strip() == "done"

    def download(self, file: Path) -> Path:
        save_notebook(self.page)
        with self.page.expect_download(timeout=PATIENCE) as begun:
            self.page.evaluate("() => { jupyterapp.commands.execute('docmanager:download') }")
        file.parent.mkdir(parents=True, exist_ok=True)
        begun.value.save_as(file)
        return file

    def cell(self, place: int) -> Any:
        return self.page.locator(".jp-CodeCell").nth(place)


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with serving(site.parent.parent) as (server, _):
        yield f"{server}/a%20course/live"


@contextmanager
def student(chromium: Any, address: str) -> Iterator[Student]:
    """A student whose browser has not been here before."""
    context = chromium.new_context(viewport={"width": 1400, "height": 900}, accept_downloads=True)
    context.set_default_timeout(PATIENCE)
    one = Student(context.new_page(), address)

    def let_through(route: Any) -> None:
        """What would leave this machine, the kernel's requests too, is stopped and is trouble."""
        if AT_HOME.match(route.request.url):
            route.continue_()
        else:
            one.trouble.append(route.request.url)
            route.abort()

    context.route("**/*", let_through)
    yield one
    context.close()


CELLS = (
    'import binteach as bt\nbt.explain("auc", bt.load("ten_cases"))',
    f'lesson = bt.lesson("{LESSON}", "a")\nlesson.card()',
)


@pytest.fixture(scope="module")
def worked(chromium: Any, address: str) -> Iterator[Student]:
    """A notebook that a student has brought along, run for the first time."""
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in CELLS])
    # As it comes from elsewhere: it names a kernel that is not here.
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    with student(chromium, address) as one:
        one.bring("mine.ipynb", made)
        one.run_all()
        yield one


@pytest.mark.slow
def test_a_derivation_is_shown_by_the_first_cell(worked: Student) -> None:
    output = worked.cell(0).locator(".jp-RenderedHTML")
    output.wait_for(timeout=PATIENCE)
    assert output.locator("h4").first.inner_text() == "Area under the ROC curve"
    # JupyterLab sets the formulas by MathJax, which writes each out for screen readers.
    ours = bt.explain("auc", bt.load("ten_cases")).html()
    assert output.locator("mjx-assistive-mml").count() == ours.count("<math") == 10
    assert worked.page.locator(".jp-Dialog").count() == 0
    assert worked.trouble == []


@pytest.mark.slow
def test_a_card_names_a_mistake_and_what_is_downloaded_can_be_reported(
    worked: Student, tmp_path: Path
) -> None:
    question = bt.lesson(LESSON, "a").q1
    answer = question.named[0].answer
    expected = question.check(answer)
    card = worked.cell(1).locator(".binteach-live")
    card.locator("input[type=text]").fill(str(answer))
    card.locator("input[type=text]").press("Enter")
    card.get_by_text(expected.message).first.wait_for(timeout=PATIENCE)
    file = worked.download(tmp_path / "submitted" / "ann" / LESSON / f"{LESSON}.ipynb")
    left = [
        output.data[RECORD]
        for cell in grading.read(file).cells
        for output in cell.outputs
        if RECORD in output.get("data", {})
    ]
    assert left == [expected.record]
    assert expected.mistake is not None
    told = grading.run(tmp_path, "binteach", "report", "submitted")
    assert f"1 × {expected.mistake.name.replace('_', ' ').replace(':', ': ', 1)}" in told
    assert worked.trouble == []


@pytest.mark.slow
def test_a_students_work_is_there_again_when_the_page_is_opened_anew(worked: Student) -> None:
    save_notebook(worked.page)
    worked.open("mine.ipynb")
    kept = worked.cell(0).locator(".jp-RenderedHTML h4").first
    kept.wait_for(timeout=PATIENCE)
    assert kept.inner_text() == "Area under the ROC curve"
    assert worked.trouble == []


@pytest.mark.slow
def test_nbgrader_marks_what_was_worked_on_in_the_browser(
    chromium: Any, address: str, tmp_path: Path
) -> None:
    file = grading.roster(tmp_path, "id\nann\n")
    write_assignment(LESSON, tmp_path, roster=file, secret="autumn")
    grading.run(tmp_path, "nbgrader", "generate_assignment", LESSON)
    handout = grading.read(tmp_path / "handout" / "ann" / LESSON / f"{LESSON}.ipynb")
    (seed,) = (cell.source for cell in handout.cells if cell.id == "seed")
    questions = bt.lesson(LESSON, json.loads(seed.removeprefix("seed = ")))

    with student(chromium, address) as one:
        one.bring("homework.ipynb", handout)
        one.write(
            {f"q{n}-answer": grading.half_right(n, each) for n, each in enumerate(questions, 1)}
        )
        one.run_all()
        file = one.download(tmp_path / "submitted" / "ann" / LESSON / f"{LESSON}.ipynb")
        assert one.trouble == []
    assert grading.read(file).metadata["kernelspec"]["name"] == "python"
    grading.run(tmp_path, "nbgrader", "autograde", LESSON)
    marks = grading.marks_in(tmp_path, LESSON)["ann"]
    assert marks["score"] == sum(POINTS for n, _ in enumerate(questions, 1) if n % 2)
