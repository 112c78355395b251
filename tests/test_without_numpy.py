"""On a Python without numpy, scipy and Bokeh, as in a browser, the exact core says the same."""

import json
import subprocess
import sys
from pathlib import Path

import core_sheet
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, f
from test_bank import DIGESTS

from binteach.inference import quantiles
from binteach.needs import Missing, is_there, need

TESTS = Path(__file__).parent
Sheet = dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> tuple[Sheet, Sheet]:
    """What the core says with numpy, in its arrays, and what it says without."""
    folder = tmp_path_factory.mktemp("sheets")
    targets = {folder / "with.json": [], folder / "without.json": ["--without"]}
    running = [
        subprocess.Popen([sys.executable, TESTS / "core_sheet.py", target, *flags])
        for target, flags in targets.items()
    ]
    assert [process.wait() for process in running] == [0, 0]
    one, other = (json.loads(target.read_text(encoding="utf-8")) for target in targets)
    return one, other


def run(program: str) -> str:
    """What a program prints where the heavy packages are kept out."""
    start = "import core_sheet; core_sheet.keep_out()\nimport binteach as bt\n"
    done = subprocess.run(
        [sys.executable, "-c", start + program],
        capture_output=True,
        text=True,
        check=False,
        cwd=TESTS,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# The same -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", [part.__name__ for part in core_sheet.PARTS])
def test_the_core_says_the_same_without_numpy(part: str, sheets: tuple[Sheet, Sheet]) -> None:
    with_it, without = (sheet[part] for sheet in sheets)
    assert without.keys() == with_it.keys()
    for name, said in without.items():
        assert said == with_it[name], name


def test_there_is_much_that_is_the_same(sheets: tuple[Sheet, Sheet]) -> None:
    _, without = sheets
    assert len(without["measures"]) > 1000
    assert len(without["ledger"]) > 1000
    assert len(without["identities"]) > 200
    refused = [said for said in without["measures"].values() if said.startswith("Missing")]
    assert not refused


def test_a_seed_gives_the_same_questions_without_numpy(sheets: tuple[Sheet, Sheet]) -> None:
    _, without = sheets
    found = {name: without["lessons"][f"{name}: digest"] for name in DIGESTS}
    assert found == DIGESTS


def test_right_answers_are_right_and_mistakes_are_told_without_numpy(
    sheets: tuple[Sheet, Sheet],
) -> None:
    _, without = sheets
    asked = {key: said for key, said in without["lessons"].items() if not key.endswith(": digest")}
    assert len(asked) > 100
    for key, said in asked.items():
        right, *wrong = said.split(core_sheet.JUDGED)[1:]
        assert right.startswith("correct []"), key
        assert wrong, key
        for each in wrong:
            assert not each.startswith("correct "), key
            assert "[]" not in each.partition("\n")[0], key


def test_a_card_names_a_mistake_and_then_takes_the_right_answer(
    sheets: tuple[Sheet, Sheet],
) -> None:
    _, without = sheets
    assert sum("✗" in said and "✓" in said for said in without["cards"].values()) > 50


# What cannot be had -------------------------------------------------------------------------------

TEN = 'bt.load("ten_cases")'
NEEDED = {
    f'bt.bootstrap({TEN}, "auc", seed=1)': "numpy",
    f'bt.permutation_test({TEN}, "brier_score")': "numpy",
    f'bt.permutation_test({TEN}, "auc", method="monte_carlo", seed=1)': "numpy",
    f'bt.compare("delong", {TEN}, {TEN})': "numpy",
    f'bt.compare("bootstrap", {TEN}, {TEN}, "auc")': "numpy",
    f'bt.interval("delong", {TEN})': "numpy",
    "bt.Boundary().fit([[1], [2]], [0, 1])": "numpy",
    "bt.bootstrap_oob(None, [[1], [2]], [0, 1], 'auc')": "numpy",
    f'bt.explore({TEN}).save("page.html")': "bokeh",
    f'bt.explore({TEN}).figure("roc")': "bokeh",
}


def test_what_cannot_be_had_says_so_in_one_sentence() -> None:
    program = "from binteach.needs import Missing\n" + "".join(
        f"try: {call}\nexcept Missing as wrong: print(wrong.name, '|', wrong)\n"
        f"else: print('nothing is missing | {place}')\n"
        for place, call in enumerate(NEEDED)
    )
    said = [line.split(" | ") for line in run(program).splitlines()]
    assert [package for package, _ in said] == list(NEEDED.values())
    for package, sentence in said:
        assert sentence.startswith(f"{package} is not there in this Python, and without it")
        assert f"`pip install {package}` brings it" in sentence


def test_a_package_that_is_there_is_no_error() -> None:
    need("numpy", "nothing")
    assert is_there("numpy")
    assert not is_there("no_such_package")
    with pytest.raises(Missing, match="no_such_package is not there in this Python"):
        need("no_such_package", "nothing")


# Explorers ----------------------------------------------------------------------------------------

EXPLORERS = """
from html import escape
from binteach import explorers
ten, other = bt.load("ten_cases"), bt.load("ten_cases_b")
made = [make(ten) for make in explorers.OF_CASES.values()]
made += [explorers.compare({"<first>": ten, "second": other}), explorers.voting()]
made += [explorers.compare(bt.load("murphy_abc")), explorers.intervals(3, 5)]
made += [bt.explore(bt.load("rare_events")), bt.explore(bt.Cases([1, 1], [2, 1]))]
"""


def test_every_explorer_shows_a_page_that_stands_still() -> None:
    program = """
for e in made:
    page = e.static()
    assert "Bokeh is not there in this Python" in page
    assert f"<b>{escape(repr(e))}</b>" in page
    assert e._derivation() in page and len(e._derivation()) > 100
    assert "<first>" not in page
    drawn = [cases for cases in e.rankings().values() if cases.positives and cases.negatives]
    assert page.count("<polyline") == len(drawn), e
    assert e.widget().children[-1].value == page
print(len(made))
"""
    assert run(EXPLORERS + program) == "12\n"


def test_a_still_page_draws_the_points_of_the_curve() -> None:
    program = """
import re
page = bt.explore(ten, cut=3).static()
(drawn,) = re.findall('<polyline points="([^"]*)"', page)
for point in drawn.split():
    x, y = map(float, point.split(","))
    print(round((x - 62) / 300 * 5, 9), round((314 - y) / 300 * 5, 9))
print(*re.findall('<circle cx="([^"]*)" cy="([^"]*)"', page)[0])
"""
    lines = run(EXPLORERS + program).splitlines()
    points = [tuple(map(float, line.split())) for line in lines[:-1]]
    steps = [1, 1, 0, 1, 1, 0, 0, 1, 0, 0]  # the classes of the ten cases from the top
    ups = [sum(steps[:k]) for k in range(11)]
    assert points == [(k - up, up) for k, up in enumerate(ups)]
    # Three called positive: one negative of five, two positives of five.
    assert lines[-1] == f"{62 + 60:.2f} {14 + 180:.2f}"


def test_a_still_page_follows_the_cut_and_the_measure() -> None:
    program = """
e = bt.explore(ten)
widget = e.widget()
slider, choice, page = widget.children
assert slider.options == tuple(range(11))
slider.value = 4
assert e.cut == 4 and "cut=4" in page.value
e.measure = "recall"
assert choice.value == "sensitivity" and "Sensitivity" in page.value
assert page.value == e.static()
e.cut = 9
assert slider.value == 9
tied = bt.explore(bt.Cases([1, 0, 1], [2, 1, 1]), cut=1).widget()
assert tied.children[0].options == (0, 1, 3)
print("so it is")
"""
    assert run(EXPLORERS + program) == "so it is\n"


def test_a_notebook_gets_the_widget_and_the_same_as_html() -> None:
    program = """
from unittest.mock import patch
e = bt.explore(ten)
with patch("IPython.display.display") as display:
    e._ipython_display_()
(shown,) = display.call_args.args
print(sorted(shown), shown["text/plain"] == repr(e), shown["text/html"] == e.static())
"""
    kinds = "['application/vnd.jupyter.widget-view+json', 'text/html', 'text/plain']"
    assert run(EXPLORERS + program) == f"{kinds} True True\n"


# Quantiles ----------------------------------------------------------------------------------------

SIDES = st.integers(1, 400).map(lambda twice: twice / 2)


@given(a=SIDES, b=SIDES, p=st.floats(1e-9, 0.5))
def test_quantiles_digit_by_digit_are_those_of_scipy(a: float, b: float, p: float) -> None:
    low, high = quantiles._share(p, a, b)
    assert low + high == 1
    assert float(low) == pytest.approx(beta.ppf(p, a, b), rel=1e-10)
    assert float(high) == pytest.approx(beta.isf(p, b, a), rel=1e-10)
    assert float(b * low / (a * high)) == pytest.approx(f.ppf(p, 2 * a, 2 * b), rel=1e-10)
