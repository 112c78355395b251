"""What all explorers have in common."""

import doctest
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from bokeh.models import Slider

import binteach as bt
from binteach import explorers
from binteach.explorers.controls import data_chooser, data_field, measure_chooser

TEN = bt.load("ten_cases")
ALL: dict[str, Callable[[], explorers.Explorer]] = {
    **{name: partial(made, TEN) for name, made in explorers.OF_CASES.items()},
    "compare": lambda: explorers.compare.example("murphy"),
    "voting": lambda: explorers.voting(),
    "intervals": lambda: explorers.intervals(3, 5),
}


def test_the_first_explorer_is_the_one_of_the_threshold() -> None:
    assert bt.explore is explorers.threshold
    assert bt.explorers is explorers


@pytest.mark.parametrize("name", ALL)
def test_it_can_be_shown_saved_and_set(name: str, tmp_path: Any) -> None:
    explorer = ALL[name]()
    assert repr(explorer) == repr(ALL[name]())
    assert "0x" not in repr(explorer)
    assert explorer.save(tmp_path / "page.html").stat().st_size < 3_000_000
    assert "BokehModel" in str(explorer.widget())
    assert "binteach-page" in explorer.static()
    with pytest.raises(ValueError, match="there is no figure 'nonsense'; there are "):
        explorer.figure("nonsense")
    name = next(iter(explorer.build().figures))
    assert explorer.figure(name).title is not None


@pytest.mark.parametrize("name", explorers.OF_CASES)
def test_other_cases_make_another_page(name: str) -> None:
    explorer = ALL[name]()
    column = explorer.widget()
    before = column.children[-1].children[0]
    explorer.take(bt.load("murphy_2"))
    assert column.children[-1].children[0] is not before
    assert explorer.data == bt.load("murphy_2")
    assert str(bt.load("murphy_2").n) in repr(explorer)


def test_two_views_follow_one_trait() -> None:
    explorer = bt.explore(TEN, cut=4)
    first, second = explorer.widget(), explorer.widget()
    sliders = [
        column.children[-1].children[0]._model.select_one({"type": Slider})
        for column in (first, second)
    ]
    explorer.cut = 7
    assert [slider.value for slider in sliders] == [7, 7]
    sliders[0].value = 2
    sliders[0].trigger("value", 7, 2)
    assert explorer.cut == 2
    assert sliders[1].value == 2


def test_a_figure_becomes_a_file() -> None:
    """In a process of its own: another test's browser may be running in this one."""
    if shutil.which("chromium") is None:
        pytest.skip("there is no `chromium` on the PATH")
    program = (
        "import binteach as bt; e = bt.explore(bt.load('ten_cases'), cut=4);"
        "assert e.svg('roc').startswith('<svg') and 'FPR' in e.svg('roc');"
        "assert e.png('roc')[:4] == b'\\x89PNG'"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_widgets_choose_data_and_measures() -> None:
    taken: list[Any] = []
    chooser = data_chooser("", taken.append)
    chooser.value = "ten_cases"
    assert taken == [TEN]
    field = measure_chooser(["precision", "sensitivity"], "precision", taken.append)
    for typed, found in (("recall", "sensitivity"), ("PPV", "precision")):
        field.value = typed
        assert taken[-1] == found
    field.value = "no measure at all"
    assert taken[-1] == "precision"
    pasted = data_field(taken.append)
    rows, button, answer = pasted.children[0].children
    button.click()
    assert taken[-1].n == 4
    rows.value = "label,score\n1,<b>x</b>"
    button.click()
    assert "role='alert'" in answer.value
    assert "<b>" not in answer.value


@pytest.mark.parametrize("name", ["losses", "intervals", "edit"])
def test_the_example_in_its_help_runs(name: str) -> None:
    made = getattr(explorers, name)
    found = doctest.DocTestFinder(recurse=False).find(made, name, globs={"bt": bt})
    (example,) = found
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0
    for trait in made.class_own_traits():
        assert f"`{trait}`" in made.__doc__ or f"    {trait} " in made.__doc__
    for figure in ALL[name]().build().figures:
        assert f'"{figure}"' in made.__doc__
