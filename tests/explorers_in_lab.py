"""The explorers in a real JupyterLab; `EXAMPLES` in every_explorer.py tells on which data."""

from collections.abc import Iterator
from typing import Any

import pytest
from every_explorer import (
    EXAMPLES,
    EXPORTED,
    LOCAL,
    SHOWN,
    VIEWS,
    Cells,
    cell_of,
    shown_cells,
)

import binteach as bt
from benchmarks.browser import (
    end_kernel,
    jupyter_lab,
    open_notebook,
    run_all_cells,
    run_in_kernel,
    write_notebook,
)
from binteach.render import html

pytestmark = pytest.mark.slow

TWICE = ("threshold", "quota")
CELLS = [
    *shown_cells(),
    *(f"made_{name}" for name in TWICE),
    "many = threshold(bt.load('breast_cancer'), cut=200)\nmany",
]
MANY = len(CELLS) - 1


def second_cell_of(name: str) -> int:
    return 1 + len(EXPORTED) + TWICE.index(name)


def test_every_explorer_has_an_example() -> None:
    assert set(EXPORTED) <= set(EXAMPLES), "add what is missing to EXAMPLES in every_explorer.py"


class Lab(Cells):
    """An open notebook with a kernel."""

    def wait(self, cell: int, value: float) -> Any:
        """What a cell shows once its slider has come to this value, and its words have followed."""
        self.page.wait_for_function(
            f"([cell, value]) => ({SHOWN})(cell)?.value === value", arg=[cell, value], timeout=15000
        )
        self.page.wait_for_timeout(100)
        return self.shown(cell)

    def ask(self, code: str) -> str:
        return run_in_kernel(self.page, code).strip()

    def wait_for_trait(self, expression: str, value: float) -> None:
        """Until Python has heard of it."""
        for _ in range(50):
            if self.ask(f"print({expression} == {value!r})") == "True":
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(f"{expression} is {self.ask(f'print({expression})')}, not {value}")


@pytest.fixture(scope="module")
def lab(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("explorers")
    write_notebook(folder / "explorers.ipynb", CELLS)
    with jupyter_lab(folder) as address:
        page = chromium.new_page(viewport={"width": 1200, "height": 1000})
        trouble: list[str] = []
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on(
            "console",
            lambda message: trouble.append(message.text) if message.type == "error" else None,
        )
        page.on(
            "request",
            lambda request: None if LOCAL.match(request.url) else trouble.append(request.url),
        )
        open_notebook(page, address, "explorers.ipynb")
        run_all_cells(page)
        page.wait_for_function(
            f"(last) => [...Array(last).keys()].every((cell) => ({SHOWN})(cell + 1)?.said)",
            arg=MANY,
            timeout=60_000,
        )
        page.wait_for_timeout(500)
        yield Lab(page, trouble)
        page.close()


@pytest.mark.parametrize("name", EXPORTED)
def test_it_is_drawn(lab: Lab, name: str) -> None:
    lab.check_pictures(cell_of(name))
    assert lab.trouble == []


@pytest.mark.parametrize("name", EXPORTED)
def test_keyboard_mouse_and_python_move_it(lab: Lab, name: str) -> None:
    cell, trait = cell_of(name), f"made_{name}.{EXAMPLES[name][1]}"
    before = lab.shown(cell)

    stepped = lab.step(cell)
    assert stepped["value"] != before["value"]
    assert stepped["said"] == stepped["text"] != before["said"]
    lab.wait_for_trait(trait, stepped["value"])

    lab.drag(cell, 2000)
    dragged = lab.shown(cell)
    assert dragged["value"] == dragged["end"]
    assert dragged["said"] == dragged["text"] not in (before["said"], stepped["said"])
    lab.wait_for_trait(trait, dragged["value"])

    assert lab.ask(f"{trait} = {before['value']!r}") == ""
    assert lab.wait(cell, before["value"])["said"] == before["said"]
    assert lab.trouble == []


@pytest.mark.parametrize("name", TWICE)
def test_two_views_agree(lab: Lab, name: str) -> None:
    first, second = cell_of(name), second_cell_of(name)
    before = lab.shown(first)
    assert lab.shown(second) == before
    for one, other in ((first, second), (second, first)):
        moved = lab.step(one)
        assert lab.wait(other, moved["value"]) == moved
    assert lab.ask(f"made_{name}.{EXAMPLES[name][1]} = {before['value']!r}") == ""
    for cell in (first, second):
        assert lab.wait(cell, before["value"]) == before
    assert lab.trouble == []


def test_a_measure_set_from_python_is_shown(lab: Lab) -> None:
    first, second = cell_of("threshold"), second_cell_of("threshold")
    assert lab.ask("made_threshold.measure = 'recall'") == ""
    for cell in (first, second):
        lab.page.wait_for_function(
            f"(cell) => ({SHOWN})(cell).said.includes('Sensitivity: ')", arg=cell, timeout=15000
        )
    assert lab.ask("made_threshold.measure = 'precision'") == ""
    assert lab.trouble == []


def test_python_writes_the_derivations_of_many_cuts(lab: Lab) -> None:
    boxes = f"(cell) => {{ {VIEWS} return views(cell, 'Div').map((view) => view.model.text) }}"
    # Python wraps what it writes, to say what it is of.
    lab.press(MANY, "ArrowRight")
    cut = lab.shown(MANY)["value"]
    lab.wait_for_trait("many.cut", cut)
    cases = bt.load("breast_cancer")
    (counts,) = (found.counts for found in cases.ranking.cuts if found.k == cut)
    wanted = html.render(bt.explain("precision", counts))
    lab.page.wait_for_function(
        f"([cell, text]) => ({boxes})(cell).some((each) => each.includes(text))",
        arg=[MANY, wanted],
        timeout=15000,
    )
    assert lab.trouble == []


def test_the_page_goes_on_when_the_kernel_is_gone(lab: Lab) -> None:
    """The last test of this notebook: there is no kernel afterwards."""
    first, second = cell_of("threshold"), second_cell_of("threshold")
    before = lab.shown(second)
    end_kernel(lab.page)
    lab.press(first, "Home")
    assert lab.shown(first)["said"].startswith("No case is called positive: TP = 0, FP = 0")
    for k in range(1, 11):
        lab.press(first, "ArrowRight")
        shown = lab.shown(first)
        assert shown["value"] == k
        assert shown["said"].startswith("1 case is" if k == 1 else f"{k} cases are")
    assert lab.shown(second) == before, "there is nobody to tell the other view"
    # That nobody listens any more, the widget may say.
    assert [each for each in lab.trouble if each != "Cannot send"] == []
