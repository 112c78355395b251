"""The compare explorer: exact values at every position, areas of dominance, and its page."""

import base64
import itertools
import json
import re
import zlib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sympy
from explorer_pages import open_page
from hypothesis import given
from hypothesis import strategies as st

import binteach as bt
from binteach.explorers import compare
from binteach.explorers.compare import AT_A_QUOTA, TWICE
from binteach.explorers.contest import Mark
from binteach.explorers.contest import ranks as ranks_of
from binteach.explorers.dominance import hull, stretches
from binteach.explorers.models import example
from binteach.explorers.state import filled, fraction_text, with_digits

EVIL = "<img src=x onerror=alert(1)>"
CASES = ("berrar", "murphy", "arbel")


def tied() -> dict[str, bt.Cases]:
    """Three models, two of them with ties inside which there is no cut."""
    labels = [1, 0, 1, 1, 0, 0]
    scores = {"fine": [6, 5, 4, 3, 2, 1], "coarse": [2, 2, 2, 1, 1, 1], "flat": [1] * 6}
    return {name: bt.Cases(labels, each) for name, each in scores.items()}


def random_models(seed: int) -> dict[str, bt.Cases]:
    chance = Random(seed)
    labels = [1, 0, *(chance.randint(0, 1) for _ in range(12))]
    return {
        name: bt.Cases(labels, [chance.randint(0, 6) + 2 * label for label in labels])
        for name in "ABC"
    }


DATA = {name: example(name) for name in CASES} | {"tied": tied(), "random": random_models(1)}


def expected(key: str, data: Any, **params: Any) -> Any:
    try:
        return bt.value(key, data, **params)
    except ValueError:
        return None


def expected_ranks(key: str, values: list[Any]) -> list[int]:
    """Ranks by comparing floats: none of these data have values closer than that."""
    direction = bt.MEASURES[key].direction
    if not direction:
        return [0] * len(values)
    floats = [None if v is None else round(direction * float(v), 9) for v in values]
    known = sorted((f for f in floats if f is not None), reverse=True)
    return [0 if f is None else known.index(f) + 1 for f in floats]


# What the page switches between -----------------------------------------------------------------


@pytest.mark.parametrize("name", DATA)
def test_every_position_holds_the_exact_values_and_ranks(name: str) -> None:
    models = DATA[name]
    explorer = compare(models)
    state = explorer.state()
    assert state["k"] == sorted({int(k) for cases in models.values() for k in cases.ranking.k})
    for key, row in state["rows"].items():
        for place, k in enumerate(state["k"]):
            values = []
            for number, cases in enumerate(models.values()):
                own = state["own"][number][place]
                if bt.MEASURES[key].takes == "counts":
                    values.append(expected(key, cases, top=own))
                elif key in AT_A_QUOTA:
                    values.append(expected(key, cases, top=k))
                elif place == 0:
                    scale = {"scale": 4} if key == "hinge_loss" and name in CASES else {}
                    values.append(expected(key, cases, **scale))
            if not values:
                break  # it does not move with the cut
            here = [column[place] for column in row["text"]]
            assert here == ["undefined" if v is None else fraction_text(v) for v in values]
            drawn = [column[place] for column in row["y"]]
            assert drawn == [None if v is None else float(v) for v in values]
            assert row["ranks"][place] == expected_ranks(key, values)
            for column, value in zip(row["why"], values, strict=True):
                assert (column[place] >= 0) == (value is None)


def test_every_measure_of_cases_is_in_one_group() -> None:
    listed = [key for keys in compare(DATA["berrar"]).keys.values() for key in keys]
    assert len(set(listed)) == len(listed)
    takes = ("counts", "scores", "ranking", "quota")
    assert set(listed) == {k for k, m in bt.MEASURES.items() if m.takes in takes} - set(TWICE)


def test_what_is_left_out_equals_what_is_there() -> None:
    counts = bt.Counts(3, 1, 2, 4)
    assert bt.value("f_beta", counts) == bt.value("f_alpha", counts) == bt.value("f", counts)
    assert bt.value("expected_cost", counts) == bt.value("error_rate", counts)


def test_a_model_without_a_cut_there_takes_the_nearest_and_the_page_says_so() -> None:
    explorer = compare(tied(), cut=4)
    state = explorer.state()
    place = state["k"].index(4)
    assert [own[place] for own in state["own"]] == [4, 3, 6]
    assert "coarse calls 3, because tied scores cannot be parted." in state["sentences"][place]
    assert state["heads"][place] == ["", "tie: 3 called +", "tie: 6 called +"]


@pytest.mark.parametrize("name", DATA)
def test_current_points_are_the_rates_of_the_cut(name: str) -> None:
    state = compare(DATA[name]).state()
    for number, cases in enumerate(DATA[name].values()):
        for place, own in enumerate(state["own"][number]):
            cut = cases.ranking.cut_at(own)
            assert state["points"]["roc"]["x"][number][place] == float(cut.fpr)
            assert state["points"]["roc"]["y"][number][place] == float(cut.tpr)
            precision = expected("precision", cases, top=own)
            shown = state["points"]["pr"]["y"][number][place]
            assert shown == (None if precision is None else float(precision))


def test_points_that_coincide_carry_their_names_together() -> None:
    state = compare.example("berrar").state()
    assert set(map(tuple, state["points"]["roc"]["label"])) == {("model A, model B", "")}


def test_derivations_come_back_from_their_templates() -> None:
    explorer = compare.example("murphy")
    state = explorer.state()
    state |= json.loads(zlib.decompress(base64.b64decode(state["squeezed"])))
    for key, cases in (("brier_score", 1), ("auc", 0)):
        form, use = state["derivations"][key][cases][0]
        text = filled(state["forms"][form], state["slots"][form][use])
        wanted = bt.explain(key, list(explorer.models.values())[cases])
        assert wanted.html().endswith(text)
    place = state["k"].index(3)
    form, use = state["derivations"]["precision"][0][place]
    text = filled(state["forms"][form], state["slots"][form][use])
    assert (
        bt.explain("precision", explorer.cuts["classifier 1"][place].counts).html().endswith(text)
    )


# The literature ---------------------------------------------------------------------------------


def test_berrar_model_b_differs_in_the_scores_alone() -> None:
    state = compare.example("berrar").state()
    for group in ("ranking", "counts"):
        for key in state["groups"][group][1]:
            for ranks in state["rows"][key]["ranks"]:
                assert ranks[0] == ranks[1], key
    for key in state["groups"]["scores"][1]:
        assert state["rows"][key]["ranks"] == [[1, 2]], key
    assert state["tallies"]["scores"] == ["Of 9 measures, model A wins 9, model B wins 0."]


def test_murphy_by_mutual_information_b_is_best_and_a_is_worst() -> None:
    state = compare.example("murphy_abc").state()
    rows = state["rows"]
    assert rows["mutual_information"]["ranks"] == [[3, 1, 2]]
    assert [column[0] for column in rows["mutual_information"]["text"]][1:] == [
        "≈ 0.1865",
        "≈ 0.1735",
    ]
    for key, ranks in {
        "accuracy": [1, 1, 3],
        "precision": [3, 1, 1],
        "recall": [1, 2, 3],
        "f": [1, 2, 3],
    }.items():
        assert rows[bt.measure(key).key]["ranks"] == [ranks]
    assert "<b>B &gt; C &gt; A</b>" in state["agreement"].replace(" > ", " &gt; ")


def test_a_measure_that_only_one_has_is_no_contest() -> None:
    state = compare.example("murphy_abc").state()
    assert state["rows"]["positive_likelihood_ratio"]["ranks"] == [[1, 0, 0]]
    judged = [r for r in state["rows"].values() if sum(x > 0 for x in r["ranks"][0]) > 1]
    assert state["tallies"]["counts"][0].startswith(f"Of {len(judged)} measures, ")


def test_figure_4_has_the_printed_areas_of_dominance() -> None:
    found = compare.example("arbel").stretches
    assert [(str(s.start), str(s.end), s.top) for s in found] == [
        ("0", "1/5", ("dashed",)),
        ("1/5", "2/5", ("full line",)),
        ("2/5", "9/10", ("dotted",)),
        ("9/10", "1", ("dashed",)),
    ]


def test_an_unknown_example_is_refused() -> None:
    with pytest.raises(ValueError, match="there are berrar, murphy, murphy_abc, arbel"):
        compare.example("nonsense")


# Areas of dominance and the hull ----------------------------------------------------------------


def height(points: list[tuple[Fraction, Fraction]], x: Fraction) -> Fraction:
    """The highest point of a curve at x, straight from the definition."""
    heights = [y for at, y in points if at == x]
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        if x0 < x < x1:
            heights.append(y0 + (y1 - y0) * (x - x0) / (x1 - x0))
    return max(heights)


@pytest.mark.parametrize("seed", range(12))
def test_stretches_have_the_highest_curves_on_top(seed: int) -> None:
    curves = compare(random_models(seed)).curves
    found = stretches(curves)
    assert found[0].start == 0
    assert found[-1].end == 1
    for before, after in itertools.pairwise(found):
        assert before.end == after.start
        assert before.top != after.top
    for stretch in found:
        for part in range(1, 40):
            x = stretch.start + stretch.length * Fraction(part, 40) + Fraction(1, 10**9 + 7)
            heights = {name: height(points, x) for name, points in curves.items()}
            if x < stretch.end:
                top = max(heights.values())
                assert {n for n, h in heights.items() if h == top} == set(stretch.top)


# The oracle cuts the axis wherever two lines meet that pass through sides of curves, so that no
# curve crosses another inside a piece, and adds up the pieces exactly.


def pieces(curves: dict[str, list[tuple[Fraction, Fraction]]]) -> list[tuple[Fraction, Fraction]]:
    """The stretches between neighbouring places where curves bend or may cross."""
    places = {x for points in curves.values() for x, _ in points}
    sides = [
        (p, q) for points in curves.values() for p, q in itertools.pairwise(points) if p[0] < q[0]
    ]
    for ((x0, y0), (x1, y1)), ((u0, v0), (u1, v1)) in itertools.combinations(sides, 2):
        mine, theirs = (y1 - y0) / (x1 - x0), (v1 - v0) / (u1 - u0)
        if mine != theirs:
            places.add((v0 - theirs * u0 - y0 + mine * x0) / (mine - theirs))
    return list(itertools.pairwise(sorted(x for x in places if 0 <= x <= 1)))


def area(points: list[tuple[Fraction, Fraction]], start: Fraction, end: Fraction) -> Fraction:
    """The area below one curve from start to end."""
    total = Fraction(0)
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        left, right = max(x0, start), min(x1, end)
        if left < right:
            slope = (y1 - y0) / (x1 - x0)
            total += (right - left) * (y0 + slope * ((left + right) / 2 - x0))
    return total


@given(
    labels=st.lists(st.integers(0, 1), min_size=2, max_size=9).filter(lambda ls: len(set(ls)) == 2),
    data=st.data(),
)
def test_areas_of_dominance_are_those_of_exact_integration(
    labels: list[int], data: st.DataObject
) -> None:
    some_ties = st.lists(st.integers(0, 3), min_size=len(labels), max_size=len(labels))
    models = {name: bt.Cases(labels, data.draw(some_ties)) for name in "ABC"}
    explorer = compare(models)
    curves, found = explorer.curves, explorer.stretches
    alone = dict.fromkeys(models, Fraction(0))
    highest = Fraction(0)
    for start, end in pieces(curves):
        heights = {name: height(points, (start + end) / 2) for name, points in curves.items()}
        top = [name for name, h in heights.items() if h == max(heights.values())]
        highest += (end - start) * max(heights.values())
        if len(top) == 1:
            alone[top[0]] += end - start
    assert alone == {
        name: sum((s.length for s in found if s.top == (name,)), Fraction(0)) for name in models
    }
    # Below the upper edge lies the area that the models on top have below them, and each of these
    # has the same; who is not on top has less.
    assert highest == sum(area(curves[s.top[0]], s.start, s.end) for s in found)
    for stretch in found:
        areas = {name: area(points, stretch.start, stretch.end) for name, points in curves.items()}
        assert {n for n, a in areas.items() if a == max(areas.values())} == set(stretch.top)
    for name, cases in models.items():
        assert area(curves[name], Fraction(0), Fraction(1)) == bt.value("auc", cases)


@pytest.mark.parametrize("seed", range(4))
def test_the_drawn_bands_are_the_areas_of_dominance(seed: int) -> None:
    explorer = compare(random_models(seed))
    drawn = [
        (left, right)
        for renderer in explorer.figure("roc").renderers
        if type(renderer.glyph).__name__ == "Quad" and renderer.glyph.top != 1
        for left, right in zip(
            renderer.data_source.data["left"], renderer.data_source.data["right"], strict=True
        )
    ]
    assert sorted(drawn) == [(float(s.start), float(s.end)) for s in explorer.stretches]


@pytest.mark.parametrize("seed", range(12))
def test_no_point_is_above_the_hull_and_its_corners_bend(seed: int) -> None:
    curves = compare(random_models(seed)).curves
    corners = list(hull(curves))
    assert [*corners[0], *corners[-1]] == [0, 0, 1, 1]
    for points in curves.values():
        for x, y in points:
            assert y <= height(corners, x)
    slopes = [
        float("inf") if b[0] == a[0] else float((b[1] - a[1]) / (b[0] - a[0]))
        for a, b in itertools.pairwise(corners)
    ]
    assert slopes == sorted(set(slopes), reverse=True)


def test_a_hull_over_one_model_is_its_own() -> None:
    cases = bt.load("ten_cases")
    corners = hull({"A": [(cut.fpr, cut.tpr) for cut in cases.ranking.cuts]})
    assert list(corners) == [(cut.fpr, cut.tpr) for cut in cases.ranking.hull()]


# What may be compared ---------------------------------------------------------------------------

A, B = bt.Cases([1, 0, 1], [3, 2, 1]), bt.Cases([1, 0, 0], [3, 2, 1])


@pytest.mark.parametrize(
    ("models", "words"),
    [
        ({"A": A, "B": B}, r"row 3 is positive for 'A' and negative for 'B'"),
        ({"A": A, "B": bt.Cases([1, 0], [3, 2])}, "row 3 is missing"),
        ({"A": A}, "there are 1 models"),
        ({str(n): A for n in range(9)}, "there are 9 models"),
        ([A, A], "give a mapping"),
        ({"A": A, "B": bt.Counts(1, 0, 1, 1)}, "some models are Cases"),
        ({"A": A, "B": 3}, "model 'B' is 3"),
        ({"A": A, 2: A}, "names must be text"),
        ({"A": bt.Counts(1, 1, 1, 1), "B": bt.Counts(2, 1, 1, 1)}, "judges 2 positives"),
        ({"A": A, "B": bt.Cases([1, 0, 1], [3, 2, 1], weights=[1, 2, 1])}, "row 2 has different"),
    ],
)
def test_what_is_not_the_same_cases_is_refused_with_the_place(models: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        compare(models)


def test_traits_are_read_by_any_name() -> None:
    explorer = compare.example("murphy", cut=4)
    assert repr(explorer) == "Compare('classifier 1', 'classifier 2', cut=4, measure='accuracy')"
    explorer.measure = "recall"
    assert explorer.measure == "sensitivity"


def test_counts_are_cut_already() -> None:
    hard = compare.example("murphy_abc")
    assert hard.cut is None
    with pytest.raises(ValueError, match="cut is 3, but Counts are cut already"):
        compare(example("murphy_abc"), cut=3)
    with pytest.raises(ValueError, match="cut is 3, but Counts are cut already"):
        hard.cut = 3
    with pytest.raises(ValueError, match="measure is 'auc'; it must be one of accuracy, "):
        hard.measure = "auc"


def test_a_cut_inside_a_tie_of_every_model_is_refused_with_the_cuts_beside_it() -> None:
    labels = [1, 0, 1, 0]
    models = {"A": bt.Cases(labels, [2, 2, 2, 1]), "B": bt.Cases(labels, [3, 1, 1, 1])}
    assert compare(models, cut=1).cut == 1
    assert compare(models, cut=3).cut == 3
    with pytest.raises(ValueError, match=r"cut is 2, .* a tie of every model; use 1 or 3"):
        compare(models, cut=2)


def test_at_the_same_number_called_positive_all_measures_but_one_agree() -> None:
    """What a note below the table says; mutual information may differ."""
    for seed in range(6):
        chance = Random(seed)
        labels = [1, 0, *(chance.randint(0, 1) for _ in range(10))]
        scores = {name: chance.sample(range(12), 12) for name in "ABC"}
        state = compare({name: bt.Cases(labels, each) for name, each in scores.items()}).state()
        for place in range(len(state["k"])):
            orders = {
                tuple(state["rows"][key]["ranks"][place])
                for key in state["groups"]["counts"][1]
                if key != "mutual_information"
                and all(column[place] is not None for column in state["rows"][key]["y"])
                and bt.MEASURES[key].direction
            }
            assert len(orders) == 1


def test_ranks_of_irrational_values_are_exact() -> None:
    measure = bt.MEASURES["g_measure"]
    tiny = Fraction(1, 10**40)
    root = sympy.sqrt(2)
    marks = [Mark(root), Mark(root + sympy.Rational(1, 10**40)), Mark(sympy.sqrt(8) / 2), Mark()]
    assert ranks_of(measure, marks) == [2, 1, 2, 0]
    assert ranks_of(measure, [Mark(1 + tiny), Mark(Fraction(1)), Mark(1 - tiny)]) == [1, 2, 3]
    loss = bt.MEASURES["brier_score"]
    assert ranks_of(loss, [Mark(1 + tiny), Mark(Fraction(1)), Mark(1 - tiny)]) == [3, 2, 1]


def test_controls_follow_the_traits_and_set_them() -> None:
    explorer = compare.example("murphy", cut=4)
    assert explorer.widget().children
    view = explorer.build()
    assert {name: getattr(model, prop) for name, (model, prop) in view.traits.items()} == {
        "cut": 4,
        "measure": "accuracy",
        "group": "ranking",
    }
    assert "cut" not in compare.example("murphy_abc").build().traits


@pytest.mark.parametrize(
    "models",
    [
        {"A": bt.Cases([1], [1]), "B": bt.Cases([1], [2])},
        {"A": bt.Cases([0, 0], [1, 1]), "B": bt.Cases([0, 0], [1, 2])},
        {"A": bt.Cases([1, 0], [1, 1]), "B": bt.Cases([1, 0], [1, 1])},
        {"A": bt.Cases([1, 0], [-9, 9]), "B": bt.Cases([1, 0], [99, 1])},
        {
            "A": bt.Cases([1, 0], [1, 2], weights=[1, 2]),
            "B": bt.Cases([1, 0], [2, 1], weights=[1, 2]),
        },
        {"A": bt.Counts(0, 1, 0, 3), "B": bt.Counts(0, 2, 0, 2)},
    ],
)
def test_degenerate_data_give_a_page_that_says_so(models: Any) -> None:
    explorer = compare(models)
    state = explorer.state()
    view = explorer.build()
    assert set(view.figures) >= {"roc", "measure"}
    assert not re.search(r"\bnan\b|\bNone\b", explorer.dominance() + str(state["sentences"]))
    if not explorer.curves:
        assert "no case is really" in explorer.dominance()


def test_names_are_escaped_and_files_are_small(tmp_path: Path) -> None:
    explorer = compare({EVIL: A, "B": bt.Cases([1, 0, 1], [1, 2, 3])})
    assert "<img" not in explorer.dominance()
    state = explorer.state()
    for text in (*state["names"], *state["sentences"], *state["tallies"]["ranking"]):
        assert "<img" not in text
    for name in (*CASES, "murphy_abc"):
        assert compare.example(name).save(tmp_path / "page.html").stat().st_size < 3e6


def test_legends_tell_long_names_apart() -> None:
    names = ("a long name of a model, one", "a long name of a model, two")
    figure = compare(dict.fromkeys(names, A)).figure("roc")
    assert len({item.label.value for item in figure.legend[0].items}) == 4


# In a browser -----------------------------------------------------------------------------------


@pytest.fixture
def opened(chromium: Any, tmp_path: Path) -> Iterator[Any]:
    """A function that saves an explorer and opens the file with the network blocked."""
    pages = []

    def open_file(explorer: Any, width: int = 1000) -> tuple[Any, list[str]]:
        page, trouble = open_page(chromium, explorer.save(tmp_path / "page.html"), width)
        pages.append(page)
        page.wait_for_function(f"() => ({FIND})('status').length && ({FIND})('status')[0].text")
        return page, trouble

    yield open_file
    for page in pages:
        page.close()


# All models of the page whose role or title says so.
FIND = """(what) => [...Bokeh.documents[0]._all_models.values()].filter((m) =>
  what === 'status' ? m.html_attributes && m.html_attributes.role === 'status'
  : m.title === what)"""
TABLE = """() => [...Bokeh.documents[0]._all_models.values()].filter((m) =>
  typeof m.text === 'string' && m.text.includes('Who wins?')).map((m) => m.text)[0]"""
POINTS = """() => {
  const code = [...Bokeh.documents[0]._all_models.values()].find((m) => m.type === 'CustomJS')
  const now = code.args.now || code.args.get('now')
  const roc = now.roc || now.get('roc')
  return roc.map((source) => [[...source.data.x ?? source.data.get('x')],
                              [...source.data.y ?? source.data.get('y')]])
}"""


def press(page: Any, key: str) -> None:
    """A key on the handle of the slider."""
    page.locator(".noUi-handle").first.focus()
    page.keyboard.press(key)


def cells(markup: str, title: str) -> list[str]:
    """The cells of one row of the table, without tags."""
    row = next(r for r in markup.split("<tr>") if title in r)
    found = re.findall(r"<td[^>]*>(.*?)</td>", row)
    return [re.sub(r"<[^>]*>", "", cell).replace("&nbsp;", " ") for cell in found]


def test_the_slider_moves_points_and_winners_by_keyboard_and_by_value(opened: Any) -> None:
    explorer = compare.example("arbel", cut=8, group="counts")
    page, trouble = opened(explorer)
    assert page.evaluate("() => document.title") == "binteach: compare explorer"
    for move, cut in (
        (lambda: press(page, "ArrowRight"), 9),
        (lambda: press(page, "ArrowLeft"), 8),
        (lambda: page.evaluate(f"() => {{ ({FIND})('Cases called positive')[0].value = 20 }}"), 20),
    ):
        move()
        page.wait_for_function(f"() => ({FIND})('status')[0].text.startsWith('{cut} cases')")
        points = page.evaluate(POINTS)
        for (xs, ys), cases in zip(points, explorer.models.values(), strict=True):
            counts = cases.top(cut)
            assert xs == [float(bt.value("fpr", counts))]
            assert ys == [float(bt.value("tpr", counts))]
        values = [bt.value("accuracy", c, top=cut) for c in explorer.models.values()]
        row = cells(page.evaluate(TABLE), "Accuracy")
        assert [row[1], row[3], row[5]] == [with_digits(v) for v in values]
        best = [n for n, v in zip(explorer.models, values, strict=True) if v == max(values)]
        assert row[0] == " = ".join(best)
    label = page.locator(".noUi-handle").first.get_attribute("aria-label")
    assert label == "Cases called positive"
    assert trouble == []


def test_the_table_and_the_measure_are_switched(opened: Any) -> None:
    explorer = compare.example("berrar")
    page, trouble = opened(explorer)
    assert cells(page.evaluate(TABLE), "Brier score")[0] == "model A"
    page.evaluate(f"() => {{ ({FIND})('Measures in the table')[0].value = 'ranking' }}")
    assert cells(page.evaluate(TABLE), "Area under the ROC curve")[0] == "tie"
    page.evaluate(f"() => {{ ({FIND})('Measure to draw and derive')[0].value = 'auc' }}")
    page.evaluate(f"() => {{ ({FIND})('Model in the derivation')[0].value = '1' }}")
    texts = page.evaluate(
        "() => [...Bokeh.documents[0]._all_models.values()].map((m) => m.text)"
        ".filter((t) => typeof t === 'string' && t.includes('<math'))"
    )
    assert len(texts) == 1
    assert "<h3>model B</h3>" in texts[0]
    assert "Area under the ROC curve" in texts[0]
    assert trouble == []


def test_hard_classifiers_have_a_page_without_a_slider(opened: Any) -> None:
    page, trouble = opened(compare.example("murphy_abc"), 400)
    assert page.locator(".noUi-handle").count() == 0
    assert cells(page.evaluate(TABLE), "Mutual information")[0] == "B"
    assert cells(page.evaluate(TABLE), "Positive likelihood ratio")[0].startswith("no contest")
    assert page.evaluate(POINTS)[1] == [[0], [8 / 9]]
    assert trouble == []


def test_the_sentence_moves_with_the_slider_whatever_the_table_shows(opened: Any) -> None:
    explorer = compare.example("arbel", cut=8, group="ranking")
    page, trouble = opened(explorer)
    state = explorer.state()
    for cut in (8, 9, 20):
        page.evaluate(f"() => {{ ({FIND})('Cases called positive')[0].value = {cut} }}")
        place = state["k"].index(cut)
        assert page.evaluate(f"() => ({FIND})('status')[0].text") == (
            f"{state['sentences'][place]} "
            f"Counts measures at this cut: {state['tallies']['counts'][place]} "
            f"Ranking measures, the same at every cut: {state['tallies']['ranking'][0]}"
        )
    assert len(set(state["tallies"]["counts"])) > 1
    assert trouble == []


EIGHT = {
    f"model number {number}": bt.Cases([1, 0] * 10, [(3 * i * number + i) % 23 for i in range(20)])
    for number in range(1, 9)
}
OVERFLOW = """() => {
  const box = [...Bokeh.documents[0]._all_models.values()].find((m) =>
    typeof m.text === 'string' && m.text.includes('Who wins?'))
  const {el} = Bokeh.index.find_one(box)
  return [el.scrollWidth - el.clientWidth, document.documentElement.scrollWidth - innerWidth]
}"""


@pytest.mark.parametrize("group", ["ranking", "scores", "counts", "quota"])
def test_a_table_of_eight_models_fits_into_a_window(opened: Any, group: str) -> None:
    page, trouble = opened(compare(EIGHT, group=group), 1600)
    assert page.evaluate(OVERFLOW) == [0, 0]
    assert trouble == []


def test_on_a_phone_the_table_is_moved_below_the_names_of_the_measures(opened: Any) -> None:
    page, trouble = opened(compare(EIGHT, group="counts"), 400)
    wider, page_wider = page.evaluate(OVERFLOW)
    assert wider > 0
    assert page_wider == 0
    name = page.locator("th[scope=row]").first
    before = name.bounding_box()["x"]
    page.locator("[aria-label='Who wins']").evaluate("(box) => { box.scrollLeft = 150 }")
    assert name.bounding_box()["x"] == before
    assert trouble == []


def test_hostile_names_do_not_run(opened: Any) -> None:
    cases = bt.Cases([EVIL, "b", EVIL], [3, 2, 1], names=[EVIL, "</script>", EVIL], positive=EVIL)
    page, trouble = opened(compare({EVIL: cases, f"{EVIL} two": cases}))
    assert page.locator("img").count() == 0
    page.locator("[role=status]").get_by_text(f"{EVIL} has TP").wait_for()
    for group in ("ranking", "scores", "counts", "quota"):
        page.evaluate(f"() => {{ ({FIND})('Measures in the table')[0].value = '{group}' }}")
        page.locator("thead").get_by_text(EVIL, exact=False).first.wait_for()
    hover_over_points(page)
    assert page.locator("img").count() == 0
    assert trouble == []


def test_hostile_names_of_hard_classifiers_do_not_run(opened: Any) -> None:
    names = (EVIL, "$$\\frac{1}{2}$$", "</script><script>alert(1)</script>")
    page, trouble = opened(compare(dict.fromkeys(names, bt.Counts(3, 1, 2, 4))))
    page.locator("[role=status]").get_by_text(f"{EVIL} has TP").wait_for()
    hover_over_points(page)
    assert page.locator("img").count() == 0
    assert trouble == []


def hover_over_points(page: Any) -> None:
    """Move the pointer over the current point in the ROC space, until it says what it is."""
    x, y = page.evaluate(
        """() => {
          const models = [...Bokeh.documents[0]._all_models.values()]
          const figure = models.find((m) => m.title && m.title.text === 'ROC space')
          const now = models.find((m) => m.type === 'CustomJS' && m.args.now).args.now
          const {x, y} = now.roc[0].data
          const view = Bokeh.index.find_one(figure)
          const box = view.el.getBoundingClientRect()
          const {x_scale, y_scale} = view.frame
          return [box.x + x_scale.compute(x[0]), box.y + y_scale.compute(y[0])]
        }"""
    )
    page.mouse.move(x + 3, y + 3)
    page.mouse.move(x, y)
    page.get_by_text(f"{EVIL}: FPR").first.wait_for()
