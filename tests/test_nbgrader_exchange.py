"""nbgrader's exchange on a hub, with the configuration files of docs/jupyterhub.md."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from jupyterhub.app import JupyterHub
from jupyterhub.auth import Authenticator
from jupyterhub.spawner import SimpleLocalProcessSpawner, Spawner
from nbgrader_course import (
    fill_in,
    half_right,
    marks_in,
    perfect,
    read,
    roster,
    roster_of,
    run,
)
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

import binteach as bt
from binteach.exercises.graders import write_assignment

DOCS = Path(__file__).parent.parent / "docs"
FOR_ALL, WITH_OWN_DATA = "counts", "elementary"
STUDENTS = ("ann", "ben")


@dataclass(frozen=True)
class Hub:
    """The folders of a machine, and what people do on it; everybody is the same account here."""

    machine: Path

    @property
    def course(self) -> Path:
        return self.home("lecturer") / "course"

    @property
    def inbound(self) -> Path:
        return self.machine / "srv/nbgrader/exchange/binteach/inbound"

    def home(self, user: str) -> Path:
        return self.machine / "home" / user

    def file(self, user: str, assignment: str) -> Path:
        return self.home(user) / assignment / f"{assignment}.ipynb"

    def configuration(self, name: str) -> Config:
        loader = PyFileConfigLoader(name, path=str(self.machine / "etc/jupyter"))
        found: Config = loader.load_config()
        return found

    def start_server(self, user: str) -> None:
        """What the hub does before somebody's server starts."""
        spawner = SimpleLocalProcessSpawner(
            config=self.configuration("jupyterhub_config.py"),
            user=SimpleNamespace(name=user),
            home_dir=str(self.home(user)),
        )
        spawner.run_pre_spawn_hook()

    def lecturer(self, *command: str) -> str:
        return self._nbgrader(self.course, "lecturer", *command)

    def student(self, user: str, command: str, assignment: str) -> str:
        return self._nbgrader(self.home(user), user, command, assignment, "--student", user)

    def _nbgrader(self, folder: Path, user: str, *command: str) -> str:
        etc = str(self.machine / "etc/jupyter")
        settings = {"JUPYTER_CONFIG_DIR": etc, "LOGNAME": user}
        return run(folder, "nbgrader", *command, settings=settings)


@pytest.fixture
def new_hub(tmp_path: Path) -> Hub:
    return make_hub(tmp_path)


def make_hub(machine: Path) -> Hub:
    """The configuration in place, with the folders of this machine instead of those of the page."""
    hub = Hub(machine)
    for folder in (hub.course, machine / "srv/nbgrader/exchange", machine / "etc/jupyter"):
        folder.mkdir(parents=True)
    for student in STUDENTS:
        hub.home(student).mkdir()
    for source in (DOCS / "jupyterhub").glob("*.py"):
        text = source.read_text(encoding="utf-8")
        for place in ("/home/lecturer/course", "/srv/nbgrader/exchange"):
            text = text.replace(f'"{place}"', repr(f"{machine}{place}"))
        (machine / "etc/jupyter" / source.name).write_text(text, encoding="utf-8")
    listed = roster(hub.course, roster_of(STUDENTS))
    write_assignment(FOR_ALL, hub.course, seed="autumn")
    write_assignment(WITH_OWN_DATA, hub.course, roster=listed, secret="autumn")
    return hub


# The configuration ------------------------------------------------------------------------------


def test_every_setting_is_one_that_jupyterhub_knows(new_hub: Hub) -> None:
    known = {kind.__name__: kind for kind in (JupyterHub, Authenticator, Spawner)}
    found = new_hub.configuration("jupyterhub_config.py")
    assert found.keys() == known.keys()
    for section, settings in found.items():
        assert set(settings) <= set(known[section].class_trait_names(config=True))


def test_who_is_on_the_roster_may_log_in_and_attends_the_course(new_hub: Hub) -> None:
    configuration = new_hub.configuration("jupyterhub_config.py")
    people = Authenticator(config=configuration)
    assert people.allowed_users == {"lecturer", "ann", "ben"}
    assert people.admin_users == {"lecturer"}
    hub = JupyterHub(config=configuration)
    assert hub.load_groups == {
        "formgrade-binteach": {"users": ["lecturer"]},
        "nbgrader-binteach": {"users": ["ann", "ben"]},
    }
    assert hub.bind_url == "http://127.0.0.1:8000"


def test_the_page_names_every_file_that_it_comes_with() -> None:
    page = (DOCS / "jupyterhub.md").read_text(encoding="utf-8")
    for file in (DOCS / "jupyterhub").glob("*.py"):
        assert f"](jupyterhub/{file.name})" in page


def test_a_student_finds_their_own_notebook_at_home(new_hub: Hub) -> None:
    for student in (*STUDENTS, "lecturer"):
        new_hub.start_server(student)
    for student in STUDENTS:
        assert [path.name for path in new_hub.home(student).iterdir()] == [WITH_OWN_DATA]
        own = new_hub.course / "handout" / student / WITH_OWN_DATA / f"{WITH_OWN_DATA}.ipynb"
        assert new_hub.file(student, WITH_OWN_DATA).read_bytes() == own.read_bytes()
    assert [path.name for path in new_hub.home("lecturer").iterdir()] == ["course"]


def test_what_a_student_has_is_left_alone(new_hub: Hub) -> None:
    new_hub.start_server("ann")
    work = new_hub.file("ann", WITH_OWN_DATA)
    work.write_text("my work", encoding="utf-8")
    new_hub.start_server("ann")
    assert work.read_text(encoding="utf-8") == "my work"
    work.unlink()
    new_hub.start_server("ann")
    assert "my work" not in work.read_text(encoding="utf-8")


# The exchange -----------------------------------------------------------------------------------


def as_in_the_browser(file: Path) -> None:
    """What a notebook is like that was worked on in the live site: another kernel's name."""
    notebook = read(file)
    notebook.metadata["kernelspec"] = {"name": "python", "display_name": "Python (Pyodide)"}
    nbformat.write(notebook, file)


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Hub:
    """A course that went through the exchange, from release to feedback."""
    hub = make_hub(tmp_path_factory.mktemp("machine"))
    for assignment in (FOR_ALL, WITH_OWN_DATA):
        hub.lecturer("generate_assignment", assignment)
        hub.lecturer("release_assignment", assignment)
    for student in STUDENTS:
        hub.start_server(student)
        hub.student(student, "fetch_assignment", FOR_ALL)
    fill_in(hub.file("ann", FOR_ALL), perfect)
    fill_in(hub.file("ben", FOR_ALL), half_right)
    as_in_the_browser(hub.file("ben", FOR_ALL))
    fill_in(hub.file("ann", WITH_OWN_DATA), perfect)
    # Instead of the notebook with data of his own, ben takes what was released.
    shutil.rmtree(hub.home("ben") / WITH_OWN_DATA)
    hub.student("ben", "fetch_assignment", WITH_OWN_DATA)
    fill_in(hub.file("ben", WITH_OWN_DATA), perfect)
    for assignment in (FOR_ALL, WITH_OWN_DATA):
        for student in STUDENTS:
            hub.student(student, "submit", assignment)
        hub.lecturer("collect", assignment)
        hub.lecturer("autograde", assignment)
        hub.lecturer("generate_feedback", assignment)
        hub.lecturer("release_feedback", assignment)
    for assignment in (FOR_ALL, WITH_OWN_DATA):
        hub.student("ann", "fetch_feedback", assignment)
    hub.student("ben", "fetch_feedback", WITH_OWN_DATA)
    return hub


def scores(hub: Hub, assignment: str) -> dict[str, float]:
    marks = marks_in(hub.course, assignment)
    return {student: found["score"] for student, found in marks.items()}


def feedback(hub: Hub, student: str, assignment: str) -> str:
    (page,) = (hub.home(student) / assignment / "feedback").glob("*/*.html")
    return page.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_exchange_carries_everybodys_work_to_the_lecturer(hub: Hub) -> None:
    found = sorted(path.name.split("+")[:2] for path in hub.inbound.iterdir())
    assert found == sorted([s, a] for s in STUDENTS for a in (FOR_ALL, WITH_OWN_DATA))
    for student in STUDENTS:
        for assignment in (FOR_ALL, WITH_OWN_DATA):
            handed_in = hub.course / "submitted" / student / assignment / f"{assignment}.ipynb"
            assert handed_in.read_bytes() == hub.file(student, assignment).read_bytes()


@pytest.mark.slow
def test_an_assignment_for_all_is_marked(hub: Hub) -> None:
    questions = len(bt.lesson(FOR_ALL))
    assert scores(hub, FOR_ALL) == {"ann": questions, "ben": (questions + 1) // 2}


@pytest.mark.slow
def test_only_the_notebook_with_data_of_ones_own_gets_marks(hub: Hub) -> None:
    assert scores(hub, WITH_OWN_DATA) == {"ann": len(bt.lesson(WITH_OWN_DATA)), "ben": 0}


@pytest.mark.slow
def test_feedback_comes_back_to_the_student(hub: Hub) -> None:
    for assignment in (FOR_ALL, WITH_OWN_DATA):
        shown = feedback(hub, "ann", assignment)
        assert shown.count("✓ Correct.") == len(bt.lesson(assignment))
    shown = feedback(hub, "ben", WITH_OWN_DATA)
    assert "not that of the student whose folder this is" in shown
    assert "✓ Correct." not in shown


@pytest.mark.slow
def test_a_student_who_has_an_own_notebook_is_not_given_the_released_one(hub: Hub) -> None:
    listed = hub.student("ann", "list", WITH_OWN_DATA)
    assert f"binteach {WITH_OWN_DATA} (already downloaded)" in listed
