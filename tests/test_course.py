"""The notebooks of the course: complete, current in form, and fit to be shown.

That their outputs are what their code gives today is held by nbval, which runs every cell.
"""

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from every_explorer import EXPORTED

from binteach.slides import course_notebooks

NOTEBOOKS = {
    item.name: nbformat.reads(item.read_text("utf-8"), 4) for item in course_notebooks().values()
}
LESSONS = [name for name in NOTEBOOKS if not name.startswith("00")]
TITLES = (
    "00_start_here",
    "01_ten_cases_and_a_line",
    "02_elementary_measures",
    "03_composite_measures",
    "04_probabilities_and_losses",
    "05_gain_and_lift",
    "06_roc",
    "07_precision_recall",
    "08_a_limited_quota",
    "09_comparing_classifiers",
    "10_how_sure_are_we",
    "11_one_number_behind_five_measures",
    "12_trust_but_verify",
)
# In the words of the reader; every lesson has all of them.
PARTS = (
    "What you will be able to do",
    "Before you compute",
    "What would change if",
    "Check yourself",
    "In short",
    "Further reading",
)
MOST_LINES = 5
SLIDES = {"slide", "subslide", "fragment", "skip", "notes", "-"}
MACHINE = re.compile(r"/(home|root|work|tmp|Users)/|[A-Z]:\\Users|site-packages")
NBVAL = re.compile(r"nbval-|NBVAL_", re.IGNORECASE)


def code_cells(name: str) -> list[Any]:
    return [cell for cell in NOTEBOOKS[name].cells if cell.cell_type == "code"]


def texts(output: Any) -> str:
    parts = [output.get("text", ""), *output.get("data", {}).values()]
    return " ".join(part for part in parts if isinstance(part, str))


def test_the_course_is_complete() -> None:
    assert [name.removesuffix(".ipynb") for name in NOTEBOOKS] == list(TITLES)


@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_has_all_its_parts_in_order(name: str) -> None:
    words = "\n".join(cell.source for cell in NOTEBOOKS[name].cells if cell.cell_type == "markdown")
    places = [words.find(part) for part in PARTS]
    assert -1 not in places, [part for part in PARTS if part not in words]
    assert places == sorted(places)


@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_has_an_explorer_a_derivation_and_three_questions(name: str) -> None:
    code = "\n".join(cell.source for cell in code_cells(name))
    assert re.search(r"bt\.explor", code)
    assert re.search(r"bt\.explain\(|bt\.identity\(|\.explain\(", code)
    assert len(set(re.findall(r"\.q\d+\.ask\(\)|\.question\(\d+\)", code))) >= 3


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_code_cell_is_short_enough_to_be_typed(name: str) -> None:
    long = [cell.source for cell in code_cells(name) if len(cell.source.splitlines()) > MOST_LINES]
    assert long == []


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_prose_is_short(name: str) -> None:
    for cell in NOTEBOOKS[name].cells:
        if cell.cell_type == "markdown" and cell.metadata.get("slideshow") != {
            "slide_type": "notes"
        }:
            assert len(cell.source.split()) <= 150, cell.source


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_cell_was_run_in_order_without_error_or_warning(name: str) -> None:
    cells = code_cells(name)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    for output in (output for cell in cells for output in cell.outputs):
        assert output.output_type != "error"
        assert output.get("name") != "stderr", output.text


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_no_output_names_a_path_of_a_machine(name: str) -> None:
    for cell in code_cells(name):
        for output in cell.outputs:
            assert not MACHINE.search(
                re.sub(r"<script.*?</script>", "", texts(output), flags=re.DOTALL)
            )


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_what_nbval_leaves_out_has_a_reason(name: str) -> None:
    for cell in code_cells(name):
        exempt = NBVAL.search(cell.source) or any(
            NBVAL.match(tag) for tag in cell.metadata.get("tags", ())
        )
        assert not exempt or cell.metadata.get("binteach", {}).get("reason"), cell.source


@pytest.mark.parametrize("name", LESSONS)
def test_every_cell_has_its_place_among_the_slides_and_there_are_notes(name: str) -> None:
    types = [cell.metadata.get("slideshow", {}).get("slide_type") for cell in NOTEBOOKS[name].cells]
    assert set(types) <= SLIDES
    assert types[0] == "slide"
    assert types.count("notes") >= 3


@pytest.mark.parametrize("name", LESSONS)
def test_notes_for_the_lecturer_are_folded_where_the_room_can_read_them(name: str) -> None:
    for cell in NOTEBOOKS[name].cells:
        if cell.metadata.slideshow.slide_type == "notes":
            # JupyterLab shows the first line of what is folded.
            assert cell.metadata.jupyter == {"source_hidden": True}
            assert cell.source.startswith("*For the lecturer*\n\n> ")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_no_output_shows_how_an_object_is_made(name: str) -> None:
    """A fraction may: the course explains it."""
    for cell in code_cells(name):
        for output in cell.outputs:
            if "text/html" not in output.get("data", {}):
                assert not re.search(r"\b(?!Fraction)[A-Z]\w*\(['\w]", texts(output)), cell.source


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_links_inside_the_course_lead_somewhere(name: str) -> None:
    folder = Path(__file__).parents[1] / "notebooks"
    for cell in NOTEBOOKS[name].cells:
        for target in re.findall(
            r"\]\(([^)#]+)\)", cell.source if cell.cell_type == "markdown" else ""
        ):
            assert target.startswith("https://doi.org/") or (folder / target).exists(), target


def test_every_explorer_is_played_with_somewhere() -> None:
    code = "\n".join(cell.source for name in NOTEBOOKS for cell in code_cells(name))
    others = [kind for kind in EXPORTED if kind != "threshold"]
    assert [kind for kind in others if not re.search(rf"explorers\.{kind}[.(]", code)] == []
    assert "bt.explore(" in code
