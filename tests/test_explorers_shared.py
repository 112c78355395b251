"""What all explorers share: figures, how they lie in a page, strict traits, pages as text."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy
from every_explorer import EXPORTED, example, look_up, opened, press

import binteach as bt
from binteach import exact, explorers
from binteach.explorers import figures, look, pages
from binteach.explorers.base import Setting
from binteach.explorers.quota_figures import densities
from binteach.explorers.quotas import QuotaTable
from binteach.explorers.state import CLOSE, CutTable, best_places, one_of, score_text, whole_number

TEN = bt.load("ten_cases")
TIED = bt.Cases([1, 0, 1, 1, 0, 0], ["0.9", "0.9", "0.9", "0.7", "0.7", "0.6"])
WEIGHTED = bt.Cases([1, 0, 1, 0, 1], [5, 4, 4, 2, 1], weights=["0.5", 1, 2, "1/3", 3])
HUGE = bt.Cases([1, 0, 1, 0, 1, 0, 1], ["1e200", "5e199", "1", "0", "-1e199", "-1e200", "-1e200"])
MINE = {"threshold": (explorers.threshold, "cut"), "quota": (explorers.quota, "quota")}


# The best cuts ------------------------------------------------------------------------------------


def best_by_pairs(direction: int, values: list[Any]) -> tuple[int, ...]:
    """Those that no other beats, every pair compared exactly."""
    known = [i for i, value in enumerate(values) if value is not None]
    return tuple(
        i
        for i in known
        if direction and all(direction * exact.compare(values[i], values[j]) >= 0 for j in known)
    )


def test_the_best_are_found_by_exact_comparison() -> None:
    third, tiny = Fraction(1, 3), Fraction(1, 10**40)
    assert float(third) == float(third + tiny)
    assert best_places(1, [third, None, third + tiny, third]) == (2,)
    assert best_places(-1, [third, None, third + tiny, third]) == (0, 3)
    assert best_places(0, [third]) == best_places(1, [None]) == best_places(-1, []) == ()
    root = sympy.sqrt(6)
    assert best_places(1, [1 / root, root / 6, Fraction(1, 6)]) == (0, 1)
    # Doubles of these differ in their last digits, and the numbers do not.
    logs = [sympy.log(2) + sympy.log(3), sympy.log(6), sympy.log(5)]
    assert best_places(1, logs) == (0, 1)
    close = Fraction(1) + Fraction(CLOSE) / 2
    assert best_places(1, [Fraction(-2), close, Fraction(1)]) == (1,)


@pytest.mark.parametrize("seed", range(4))
def test_the_best_cuts_are_those_that_no_other_beats(seed: int) -> None:
    chance = random.Random(seed)
    labels = [chance.randrange(2) for _ in range(12)]
    scores = [chance.randrange(8) for _ in labels]
    weights = [Fraction(chance.randrange(1, 5), chance.randrange(1, 4)) for _ in labels]
    table = CutTable(bt.Cases(labels, scores, weights=weights if seed % 2 else None))
    for key, measure in bt.MEASURES.items():
        if measure.takes == "counts":
            values: list[Any] = []
            for cut in table.cuts:
                try:
                    values.append(bt.value(key, cut.counts))
                except bt.Undefined:
                    values.append(None)
            assert table.column(key).best == best_by_pairs(measure.direction, values)


# Traits -------------------------------------------------------------------------------------------


def test_a_trait_that_refuses_keeps_what_it_had() -> None:
    explorer = explorers.threshold(TIED, cut=3)
    heard: list[Any] = []
    explorer.observe(heard.append)
    for name, wrong in (("cut", 4), ("cut", 7), ("cut", None), ("measure", "auc")):
        with pytest.raises(ValueError, match=rf"^{name}\b.*{wrong}"):
            setattr(explorer, name, wrong)
        with pytest.raises(ValueError, match=rf"^{name}\b"), explorer.hold_trait_notifications():
            setattr(explorer, name, wrong)
    assert repr(explorer) == "Threshold(6 cases, cut=3, measure='precision')"
    assert heard == []


@pytest.mark.parametrize("name", MINE)
def test_traits_are_settings_that_say_what_they_are(name: str) -> None:
    made, slider = MINE[name]
    for trait in (slider, "measure"):
        setting = made.class_traits()[trait]
        assert isinstance(setting, Setting)
        assert setting.help.endswith(".")


def test_numbers_and_choices_are_read_strictly() -> None:
    import numpy as np

    assert whole_number("x", np.int64(3), 0, 5) == 3
    assert one_of("x", "b", "abc") == "b"
    wrong: Any
    for wrong in (6, -1, 3.0, "3", None, True, np.array([1, 2]), Fraction(3)):
        with pytest.raises(ValueError, match=r"^x is .*; it must be a whole number from 0 to 5$"):
            whole_number("x", wrong, 0, 5)
    for wrong in ("d", None, ["a"], {"a": 1}):
        with pytest.raises(ValueError, match=r"^x is .*; it must be one of a, b, c$"):
            one_of("x", wrong, "abc")


def test_on_its_way_a_slider_passes_through_a_tie() -> None:
    explorer = explorers.threshold(TIED, cut=3)
    slider = explorer.widget().children[-1].children[0]._model.select_one({"title": SLIDER})
    slider.value = 4
    slider.trigger("value", 3, 4)
    assert explorer.cut == 3
    slider.value = 5
    slider.trigger("value", 4, 5)
    assert explorer.cut == 5


SLIDER = "Cases called positive"


# Figures ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXPORTED)
def test_a_figure_by_itself_has_a_fixed_size(name: str) -> None:
    explorer = example(name)
    for each in explorer.build().figures:
        figure = explorer.figure(each)
        assert figure.sizing_mode == "fixed"
        assert 350 <= figure.width <= 1000
        assert 150 <= figure.height <= 700


def test_a_legend_below_makes_room_for_itself() -> None:
    figure = look.plot("title", "x", "y")
    for label in ("one", "two", "three"):
        figures.reference(figure, [0, 1], [0, 1], label)
    figures.legend_below(figure)
    assert figure.height == look.HEIGHT + 2 * figures.LEGEND_ROW
    assert figure.legend[0] in figure.below
    assert figure.legend[0] not in figure.center


def test_points_that_do_not_exist_are_left_out() -> None:
    source = figures.known_points([0, 1, None, 3], [None, 5, 6, 7], ["a", "b", "c", "d"])
    assert source.data == {"x": [1, 3], "y": [5, 7], "text": ["b", "d"]}


def test_ties_are_marked_on_the_strip() -> None:
    def words(cases: bt.Cases) -> list[str]:
        strip = explorers.threshold(cases).figure("strip")
        texts = [each.glyph for each in strip.renderers if type(each.glyph).__name__ == "Text"]
        return [word for text in texts for word in text.text.value]

    assert words(TEN) == []
    strip = explorers.threshold(TIED).figure("strip")
    (text,) = [each for each in strip.renderers if type(each.glyph).__name__ == "Text"]
    assert list(text.data_source.data["text"]) == ["3 tied", "2 tied"]
    assert list(text.data_source.data["x"]) == [0.9, 0.7]


def test_weights_stand_in_the_ranking() -> None:
    state = explorers.threshold(WEIGHTED).state()
    assert state["columns"] == 5
    assert '<th scope="col">weight</th>' in state["table_head"]
    assert [re.findall("<td>(.*?)</td>", row)[-1] for row in state["rows"]] == [
        "0.5",
        "1",
        "2",
        "0.333333…",
        "3",
    ]
    assert "weight" not in explorers.threshold(TEN).state()["table_head"]


def test_deciles_of_unequal_size_are_named() -> None:
    def axis(n: int) -> str:
        cases = bt.Cases([k % 2 for k in range(n)], range(n))
        return str(explorers.quota(cases).figure("lift").xaxis[0].axis_label)

    assert axis(20) == "decile of the ranking"
    assert axis(21) == "decile of the ranking (1: 3 cases, others: 2 cases)"
    assert axis(12) == "decile of the ranking (1 to 2: 2 cases, others: 1 case)"
    assert axis(7) == "decile of the ranking (1 to 7: 1 case, others: none)"


# Scores beyond all bounds -------------------------------------------------------------------------


def test_a_long_score_is_shortened() -> None:
    assert score_text(Fraction("0.25")) == "0.25"
    assert score_text(Fraction(10) ** 200) == "≈\N{NO-BREAK SPACE}1e+200"


@pytest.mark.parametrize("name", MINE)
def test_huge_scores_give_finite_pictures(chromium: Any, name: str, tmp_path: Path) -> None:
    explorer: Any = MINE[name][0](HUGE)
    json.dumps(explorer.state(), allow_nan=False)
    page, trouble = opened(chromium, explorer.save(tmp_path / "page.html"))
    for _ in range(4):
        press(page, "ArrowRight")
    ends = page.evaluate(
        """() => [...Bokeh.documents[0].all_models].filter((m) => m.type.endsWith("Range1d"))
          .flatMap((m) => [m.start, m.end])"""
    )
    page.close()
    assert ends
    assert all(isinstance(end, int | float) and abs(end) < 1e201 for end in ends)
    assert trouble == []


def test_the_density_of_huge_scores_has_an_area_of_one() -> None:
    import numpy as np

    found = densities(QuotaTable(HUGE))
    for kind in ("positive", "negative"):
        assert np.isfinite(found[kind]).all()
        assert np.trapezoid(found[kind], found["x"]) == pytest.approx(1, abs=0.01)


# Pages as text ------------------------------------------------------------------------------------

PRINTED = """
import hashlib, binteach as bt
from binteach.explorers import Explorer, quota, threshold
Explorer._holder = "another", None
ten = bt.load("ten_cases")
for made in (threshold(ten, cut=4), quota(ten, 4), threshold(ten, cut=4)):
    made.save("page.html")
    text = open("page.html", encoding="utf-8").read() + made.static()
    print(hashlib.sha256(text.encode()).hexdigest())
"""


def test_the_same_page_is_the_same_text_in_every_process(tmp_path: Path) -> None:
    root = Path(bt.__file__).parent.parent
    found = [
        subprocess.run(
            [sys.executable, "-c", PRINTED],
            env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(root)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for seed in (1, 2)
    ]
    assert found[0] == found[1]
    assert found[0][0] == found[0][2] != found[0][1]


def test_a_figure_is_the_same_svg_every_time() -> None:
    """In a process of its own: another test's browser may be running in this one."""
    if shutil.which("chromium") is None:
        pytest.skip("there is no `chromium` on the PATH")
    program = (
        "import binteach as bt; e = bt.explore(bt.load('ten_cases'), cut=4);"
        "first, second = e.svg('roc'), e.svg('roc'); assert first == second;"
        "assert 'width=\"480\"' in first and 'id=\"clip1\"' in first and 'url(#clip1)' in first;"
        "other = bt.explore(bt.load('ten_cases'), cut=4).svg('roc'); assert other == first;"
        "e.cut = 5; assert e.svg('roc') != first"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_page_has_a_title_a_heading_and_a_main_part(chromium: Any, tmp_path: Path) -> None:
    file = explorers.threshold(TEN).save(tmp_path / "page.html")
    page, trouble = opened(chromium, file)
    seen = page.evaluate(
        """() => ({title: document.title, lang: document.documentElement.lang,
          headings: [...document.querySelectorAll("main h1")].map((each) => each.innerText),
          parts: document.querySelectorAll("main").length,
          viewport: document.querySelector("meta[name=viewport]").content,
          is_inside: document.querySelector("main .bk-Column") !== null})"""
    )
    page.close()
    assert seen == {
        "title": "binteach: threshold explorer",
        "lang": "en",
        "headings": ["binteach: threshold explorer"],
        "parts": 1,
        "viewport": "width=device-width, initial-scale=1",
        "is_inside": True,
    }
    assert trouble == []


def test_no_name_ends_the_script_of_a_page() -> None:
    name = "</script><script>document.title='owned'</script><!--"
    view = explorers.threshold(bt.Cases([1, 0], [2, 1], names=[name, name])).build()
    text = pages.fragment(view.document("title"), f"<b>{name}</b>")
    assert text.count("</script>") == 1
    assert "<!--" not in text
    assert "<b>" not in text


# In a browser -------------------------------------------------------------------------------------

SIZES = """() => {
  const [root] = Bokeh.index.roots ?? [...Bokeh.index];
  const bar = root.child_views[0].el.getBoundingClientRect();
  const inside = [...Bokeh.index.query((view) => view.model.type.endsWith("Figure"))];
  return {
    bar: [bar.top, bar.height], wide: document.documentElement.scrollWidth,
    figures: inside.map(({el}) => el.getBoundingClientRect()).map(({x, width}) => [x, width]),
  };
}"""


@pytest.mark.parametrize("name", EXPORTED)
def test_the_page_fits_and_the_slider_stays_in_sight(
    chromium: Any, name: str, tmp_path: Path
) -> None:
    page, trouble = opened(chromium, example(name).save(tmp_path / "page.html"), 1600)
    for width in (1600, 1000, 400):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("() => scrollTo(0, 400)")
        page.wait_for_function("() => scrollY > 300")
        page.wait_for_timeout(500)
        seen = page.evaluate(SIZES)
        handle = page.locator(".noUi-handle").first.bounding_box()
        assert seen["wide"] <= width
        top, height = seen["bar"]
        assert top == 0
        assert height <= (121 if width == 400 else 145)
        assert 0 <= handle["y"] <= height
        for x, wide in seen["figures"]:
            assert wide >= (360 if width == 400 else 420)
            assert x + wide <= width
    page.close()
    assert trouble == []


@pytest.mark.parametrize("name", MINE)
def test_so_many_figures_stand_side_by_side(chromium: Any, name: str, tmp_path: Path) -> None:
    page, _ = opened(chromium, example(name).save(tmp_path / "page.html"), 1600)
    for width, beside in ((1600, 3), (1000, 2), (400, 1)):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(500)
        placed = [x for x, wide in page.evaluate(SIZES)["figures"] if wide < 700]
        assert len({round(x) for x in placed}) == beside
    page.close()


LEGENDS = """() => {
  const found = [...Bokeh.index.query((view) => view.model.type.endsWith("Legend"))];
  return found.map(({bbox, plot_view}) => ({
    legend: [bbox.left, bbox.right, bbox.top, bbox.bottom],
    frame: plot_view.frame.bbox.bottom,
    canvas: [plot_view.bbox.width, plot_view.bbox.height],
    title: plot_view.model.title.text,
  }));
}"""


@pytest.mark.parametrize("name", MINE)
def test_legends_stand_below_their_figures(chromium: Any, name: str, tmp_path: Path) -> None:
    page, trouble = opened(chromium, example(name).save(tmp_path / "page.html"), 400)
    found = page.evaluate(LEGENDS)
    page.close()
    assert len(found) >= 4
    for each in found:
        left, right, top, bottom = each["legend"]
        assert top >= each["frame"] + 40, "the axis and its label come first"
        assert bottom <= each["canvas"][1] + 1
        assert 0 <= left < right <= each["canvas"][0] + 1, each["title"]
    assert trouble == []


def test_controls_are_readable_on_a_dark_page(chromium: Any, tmp_path: Path) -> None:
    page, _ = opened(chromium, explorers.threshold(TEN).save(tmp_path / "page.html"))
    page.evaluate("() => { document.documentElement.style.colorScheme = 'dark' }")
    field = page.get_by_label("Measure", exact=True)
    colours = field.evaluate(
        "(each) => [getComputedStyle(each).color, getComputedStyle(each).backgroundColor]"
    )
    page.close()
    assert colours == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]


def test_a_derivation_that_python_does_not_renew_is_taken_away(
    chromium: Any, tmp_path: Path
) -> None:
    """As in a notebook whose kernel has died; here there never was one."""
    explorer = explorers.threshold(bt.load("breast_cancer"), cut=200)
    page, trouble = opened(chromium, explorer.save(tmp_path / "page.html"))
    box, answer = explorer.build().ask or (None, None)
    assert box is not None
    assert answer is not None
    wrapped = answer()
    assert wrapped.startswith('<div data-of="precision 200">')
    look_up(
        page, f"(args.derivation.tags = ['live'], args.derivation.text = {json.dumps(wrapped)})"
    )
    page.wait_for_timeout(2000)
    assert look_up(page, "args.derivation.text") == wrapped, "nothing has moved"
    press(page, "ArrowRight")
    assert look_up(page, "args.derivation.text") == wrapped, "for a moment, until Python answers"
    page.wait_for_timeout(2000)
    assert "Python does not answer" in look_up(page, "args.derivation.text")
    # A late answer is still welcome, and so is one that was there in time.
    explorer.cut = look_up(page, "args.slider.value")
    look_up(page, f"args.derivation.text = {json.dumps(answer())}")
    page.wait_for_timeout(2000)
    assert f'data-of="precision {explorer.cut}"' in look_up(page, "args.derivation.text")
    page.close()
    assert trouble == []


# Help ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MINE)
def test_the_help_names_arguments_traits_and_figures(name: str) -> None:
    made, slider = MINE[name]
    text = made.__doc__ or ""
    for word in ("cases", slider, "measure"):
        assert re.search(rf"^    {word}  ", text, re.MULTILINE)
        if word != "cases":
            assert f"`{word}`" in text
    listed = text[text.index("The figures are") :].partition(".\n")[0]
    assert re.findall(r'"(\w+)"', listed) == list(made(TEN).build().figures)


@pytest.mark.parametrize("name", MINE)
def test_the_example_in_the_help_works(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = re.findall(r"^        (e\b.*)$", MINE[name][0].__doc__ or "", re.MULTILINE)
    assert len(lines) == 5
    space: dict[str, Any] = {"bt": bt}
    exec("\n".join(lines), space)
    assert getattr(space["e"], MINE[name][1]) == 5
    assert len(list(tmp_path.iterdir())) == 1
