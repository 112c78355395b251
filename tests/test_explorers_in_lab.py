"""The explorers in a real JupyterLab; EXAMPLES in every_explorer.py tells on which data."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from every_explorer import (
    EXAMPLES,
    EXPORTED,
    cell_of,
    check_drawn,
    check_exact,
    check_moves,
    shown_cells,
)
from explorer_pages import PATIENCE, Shown, violations, watch

import binteach as bt
from benchmarks.browser import (
    end_kernel,
    jupyter_lab,
    open_notebook,
    run_all_cells,
    run_in_kernel,
    set_theme,
    write_notebook,
)
from binteach.render import html

pytestmark = pytest.mark.slow

# Each explorer is shown twice; the last cell has more cuts than there are derivations beforehand.
CELLS = [
    *shown_cells(),
    *(f"made_{name}" for name in EXPORTED),
    "many = threshold(bt.load('breast_cancer'), cut=200)\nmany",
]


@dataclass(frozen=True)
class Lab:
    """An open notebook, and whatever it complains of or asks for elsewhere."""

    page: Any
    trouble: list[str]

    def first(self, name: str) -> Shown:
        return Shown(self.page, cell_of(name))

    def second(self, name: str) -> Shown:
        return Shown(self.page, cell_of(name) + len(EXPORTED))

    @property
    def many(self) -> Shown:
        return Shown(self.page, len(CELLS) - 1)

    def run(self, code: str) -> None:
        """Run code in the kernel that prints nothing."""
        assert run_in_kernel(self.page, code) == ""

    def ask(self, expression: str) -> str:
        """What Python prints of an expression."""
        return run_in_kernel(self.page, f"print({expression})").strip()

    def check_heard(self, name: str, value: float) -> None:
        """Python comes to know where the slider stands, and the page stays as it is."""
        shown, trait = self.first(name), trait_of(name)
        assert shown.repeat(lambda: self.ask(f"{trait} == {value!r}") == "True"), self.ask(trait)
        check_exact(shown, name, value)


def trait_of(name: str) -> str:
    return f"made_{name}.{EXAMPLES[name].trait}"


@pytest.fixture(scope="module")
def lab(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("explorers")
    write_notebook(folder / "explorers.ipynb", CELLS)
    with jupyter_lab(folder) as address:
        page = chromium.new_page(viewport={"width": 1200, "height": 1000})
        trouble = watch(page, "error")
        open_notebook(page, address, "explorers.ipynb", PATIENCE)
        run_all_cells(page)
        for cell in range(1, len(CELLS)):
            Shown(page, cell).wait_until_drawn()
        yield Lab(page, trouble)
        page.close()


@pytest.mark.parametrize("name", EXPORTED)
def test_keyboard_and_mouse_move_everything_to_the_exact_values(lab: Lab, name: str) -> None:
    check_drawn(lab.first(name))
    check_moves(lab.first(name), name, heard=lambda value: lab.check_heard(name, value))
    assert lab.trouble == []


@pytest.mark.parametrize("name", EXPORTED)
def test_python_and_both_views_agree(lab: Lab, name: str) -> None:
    views = lab.first(name), lab.second(name)
    start = views[0].slider()
    check_drawn(views[1])
    for mover, key in zip(views, ("Home", "End"), strict=True):
        mover.press(key)
        value = start["start" if key == "Home" else "end"]
        for view in views:
            check_exact(view, name, value)
        lab.check_heard(name, value)
    lab.run(f"{trait_of(name)} = {start['value']!r}")
    for view in views:
        check_exact(view, name, start["value"])
    assert lab.trouble == []


def test_a_measure_set_from_python_is_shown(lab: Lab) -> None:
    for measure in ("recall", "precision"):
        lab.run(f"made_threshold.measure = {measure!r}")
        wanted = html.fragment(bt.explain(measure, bt.load("ten_cases").top(4)))
        for view in (lab.first("threshold"), lab.second("threshold")):
            view.wait_for_text("derivation", wanted)
    assert lab.trouble == []


def test_python_writes_the_derivations_of_many_cuts(lab: Lab) -> None:
    lab.many.press("ArrowRight")
    cut = lab.many.slider()["value"]
    lab.many.wait_for_text(
        "derivation", html.fragment(bt.explain("precision", bt.load("breast_cancer").top(cut)))
    )
    assert lab.ask("many.cut") == str(cut)
    assert lab.trouble == []


@pytest.fixture(scope="module")
def dark(lab: Lab) -> Iterator[Lab]:
    """The same notebook in the dark theme."""
    set_theme(lab.page, "JupyterLab Dark")
    yield lab
    set_theme(lab.page, "JupyterLab Light")


@pytest.mark.parametrize("name", EXPORTED)
def test_in_the_dark_an_explorer_is_dark_on_white_and_legible(
    dark: Lab, axe: str, name: str
) -> None:
    shown = dark.first(name)
    paper = shown.paper()
    assert paper["below"] == {"rgb(255, 255, 255)", "#ffffff"}
    assert paper["words"] == {"rgb(34, 34, 34)"}
    assert violations(shown, axe, "color-contrast") == []
    assert dark.trouble == []


@pytest.fixture(scope="module")
def bereft(lab: Lab) -> Lab:
    """The same notebook after its kernel has ended; for the last tests, there is no way back."""
    end_kernel(lab.page)
    return lab


@pytest.mark.parametrize("name", EXPORTED)
def test_without_a_kernel_everything_goes_on(bereft: Lab, name: str) -> None:
    first, second = bereft.first(name), bereft.second(name)
    start = second.slider()["value"]
    check_moves(first, name)
    first.press("Home")
    check_exact(first, name, first.slider()["start"])
    check_exact(second, name, start)  # there is nobody to tell the other view
    # That nobody listens any more, the widget may say.
    assert [each for each in bereft.trouble if each != "Cannot send"] == []
