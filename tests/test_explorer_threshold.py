"""The threshold explorer: every cut holds the exact measures, and the page shows them."""

import json
import random
import re
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy
from every_explorer import drag, look_up, opened, press

import binteach as bt
from binteach.cases import decimal_text
from binteach.explorers import OF_CASES, threshold
from binteach.explorers.state import filled
from binteach.explorers.threshold import MOST_BEST, SHADES
from binteach.render import html

HOSTILE = "<img src=x onerror=alert(1)>"


def small() -> dict[str, bt.Cases]:
    """The bundled cases that are few."""
    found = {name: bt.load(name) for name in bt.datasets()}
    return {
        name: data for name, data in found.items() if isinstance(data, bt.Cases) and data.n <= 100
    }


SMALL = small()
TIED = bt.Cases(
    [1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1],
    ["0.9", "0.9", "0.9", "0.7", "0.7", "0.6", "0.5", "0.5", "0.5", "0.5", "0.2", "0.1"],
)
ODD = {
    "tied": TIED,
    "weighted": bt.Cases([1, 0, 1, 0, 1], [5, 4, 4, 2, 1], weights=["0.5", 1, 2, "1/3", 3]),
    "no positive": bt.Cases([0, 0, 0], [0.1, 0.5, 0.5]),
    "no negative": bt.Cases([1, 1, 1], [0.1, 0.5, 0.5]),
    "one positive": bt.Cases([1], [0.3]),
    "one negative": bt.Cases([0], [0]),
    "all tied": bt.Cases([1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5]),
}
ALL = SMALL | ODD
MEASURES = [key for key, measure in bt.MEASURES.items() if measure.takes == "counts"]


def ranked(cases: bt.Cases) -> list[tuple[Fraction, int, Fraction]]:
    """Score, label and weight of every case, the highest score first."""
    weights = [Fraction(1)] * cases.n if cases.weights is None else cases.weights
    rows = [(cases.score(i), cases.label(i), Fraction(weights[i])) for i in range(cases.n)]
    return sorted(rows, key=lambda row: -row[0])


def cuts(cases: bt.Cases) -> list[int]:
    """Where a line can be drawn: not between equal scores."""
    scores = [row[0] for row in ranked(cases)]
    inside = [k for k in range(1, cases.n) if scores[k - 1] != scores[k]]
    return [0, *inside, cases.n]


def counted(cases: bt.Cases, k: int) -> bt.Counts:
    """The confusion matrix, one case after the other."""
    found = {(called, label): Fraction(0) for called in (0, 1) for label in (0, 1)}
    for place, (_, label, weight) in enumerate(ranked(cases)):
        found[int(place < k), label] += weight
    return bt.Counts(tp=found[1, 1], fp=found[1, 0], fn=found[0, 1], tn=found[0, 0])


def exact_value(key: str, counts: bt.Counts) -> Any:
    try:
        return bt.value(key, counts)
    except bt.Undefined:
        return None


def as_float(number: Any) -> float | None:
    return None if number is None else float(number)


def as_text(number: Any) -> str:
    if number is None:
        return "undefined"
    if isinstance(number, Fraction):
        return str(number)
    return f"≈ {sympy.N(number, 30):.4f}"


def said_of(number: Any) -> str:
    """An exact value with its digits."""
    text = as_text(number)
    if not isinstance(number, Fraction) or number.denominator == 1:
        return text
    digits = f"{sympy.Rational(number.numerator, number.denominator).n(30):.4f}"
    exactly = Fraction(digits) == number
    return f"{text} {'=' if exactly else '≈'} {digits.rstrip('0') if exactly else digits}"


def written(state: dict[str, Any], key: str, place: int) -> str:
    """The derivation that the page puts together."""
    form, use = state["derivations"][key][place]
    return filled(state["forms"][form], state["slots"][form][use])


# Without a browser --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_every_cut_holds_the_exact_measures(name: str) -> None:
    cases = ALL[name]
    state = threshold(cases).state()
    assert state["k"] == cuts(cases)
    assert list(state["measures"]) == MEASURES
    for place, k in enumerate(state["k"]):
        counts = counted(cases, k)
        four = (counts.tp, counts.fp, counts.fn, counts.tn)
        assert [state[each][place] for each in ("tp", "fp", "fn", "tn")] == [float(c) for c in four]
        for key in MEASURES:
            wanted, shown = exact_value(key, counts), state["measures"][key]
            assert shown["y"][place] == as_float(wanted)
            assert shown["text"][place] == as_text(wanted)
        for column, key in (
            ("tpr", "recall"),
            ("fpr", "FPR"),
            ("precision", "precision"),
            ("lift", "lift"),
        ):
            assert state[column][place] == as_float(exact_value(key, counts))


@pytest.mark.parametrize("name", ALL)
def test_the_hover_texts_are_exact(name: str) -> None:
    cases = ALL[name]
    state = threshold(cases).state()
    for place, k in enumerate(state["k"]):
        counts = counted(cases, k)
        tpr, fpr, precision, lift = (
            as_text(exact_value(key, counts)) for key in ("recall", "FPR", "precision", "lift")
        )
        assert state["roc_text"][place] == f"TPR {tpr}, FPR {fpr}"
        assert state["pr_text"][place] == f"recall {tpr}, precision {precision}"
        assert state["lift_text"][place] == f"lift {lift}"
        assert state["gain_text"][place].endswith(f" positives among {k}")


@pytest.mark.parametrize("name", ALL)
def test_the_line_runs_between_the_cases_it_separates(name: str) -> None:
    cases = ALL[name]
    state = threshold(cases).state()
    scores = [float(row[0]) for row in ranked(cases)]
    for k, line in zip(state["k"], state["threshold"], strict=True):
        assert all(score > line for score in scores[:k])
        assert all(score < line for score in scores[k:])


@pytest.mark.parametrize("name", ALL)
def test_the_best_cuts_are_marked(name: str) -> None:
    cases = ALL[name]
    state = threshold(cases).state()
    for key in MEASURES:
        values = [exact_value(key, counted(cases, k)) for k in state["k"]]
        defined = [each for each in values if each is not None]
        wanted: list[int] = []
        if defined and bt.MEASURES[key].direction:
            best = max(defined) if bt.MEASURES[key].direction > 0 else min(defined)
            wanted = [place for place, each in enumerate(values) if each == best]
        if len(wanted) > MOST_BEST:
            wanted = wanted[-1:]
        assert list(state["measures"][key]["best"]) == wanted


@pytest.mark.parametrize("name", [name for name in ALL if len(cuts(ALL[name])) <= 50])
def test_derivations_are_those_of_explain(name: str) -> None:
    cases = ALL[name]
    state = threshold(cases).state()
    for key in MEASURES:
        for place, k in enumerate(state["k"]):
            wanted = bt.explain(key, counted(cases, k))
            assert written(state, key, place) == html.fragment(wanted)


@pytest.mark.parametrize("name", ODD)
def test_odd_data_give_a_page_that_says_so(name: str, tmp_path: Path) -> None:
    explorer = threshold(ODD[name])
    shown = json.dumps(explorer.state())
    assert "NaN" not in shown
    assert "Infinity" not in shown
    explorer.save(tmp_path / "page.html")


def test_a_cut_inside_a_tie_is_refused() -> None:
    explorer = threshold(TIED)
    assert explorer.table.k == [0, 3, 5, 6, 10, 11, 12]
    for cut in explorer.table.k:
        explorer.cut = cut
        assert explorer.cut == cut
    for inside, before, after in ((1, 0, 3), (2, 0, 3), (4, 3, 5), (7, 6, 10), (9, 6, 10)):
        words = rf"cut={inside} cuts through a tie.* Use cut={before} or cut={after}"
        with pytest.raises(ValueError, match=words):
            explorer.cut = inside
        with pytest.raises(ValueError, match=words):
            threshold(TIED, cut=inside)
        assert explorer.cut == 12


def test_traits_are_validated() -> None:
    explorer = threshold(bt.load("ten_cases"), cut=4)
    assert (explorer.cut, explorer.measure) == (4, "precision")
    for alias, key in (("PPV", "precision"), ("recall", "sensitivity"), ("MCC", None)):
        explorer.measure = alias
        assert explorer.measure == (key or bt.measure(alias).key)
    with pytest.raises(ValueError, match="nonsense"):
        explorer.measure = "nonsense"
    with pytest.raises(ValueError, match="nonsense"):
        threshold(bt.load("ten_cases"), measure="nonsense")
    with pytest.raises(ValueError, match="measure is 'auc'; it must be one of accuracy, "):
        explorer.measure = "auc"
    with pytest.raises(ValueError, match="measure is None: "):
        explorer.measure = None
    wrong: Any
    for wrong in ("four", "4", 4.5, 4.0, None, True, -1, 11, [4]):
        words = rf"cut is {re.escape(repr(wrong))}; it must be a whole number from 0 to 10"
        with pytest.raises(ValueError, match=words):
            explorer.cut = wrong
        if wrong is not None:
            with pytest.raises(ValueError, match=words):
                threshold(bt.load("ten_cases"), cut=wrong)
    with pytest.raises(ValueError, match="takes Cases"):
        threshold([1, 0, 1])  # type: ignore[arg-type]
    assert (explorer.cut, explorer.measure) == (4, bt.measure("MCC").key)


def test_traits_can_be_watched() -> None:
    explorer, heard = threshold(bt.load("ten_cases"), cut=4), []
    explorer.observe(lambda change: heard.append((change.name, change.new)), ["cut", "measure"])
    explorer.cut = 5
    explorer.cut = 5
    explorer.measure = "recall"
    assert heard == [("cut", 5), ("measure", "sensitivity")]


def test_other_cases_can_be_taken() -> None:
    explorer = threshold(bt.load("ten_cases"), cut=4)
    explorer.take(TIED)
    assert repr(explorer) == "Threshold(12 cases, cut=6, measure='precision')"
    assert explorer.state()["k"] == cuts(TIED)


def test_the_text_of_an_explorer_is_always_the_same() -> None:
    shown = {repr(threshold(bt.load("ten_cases"), cut=4)) for _ in range(3)}
    assert shown == {"Threshold(10 cases, cut=4, measure='precision')"}


def test_names_from_the_data_are_escaped() -> None:
    cases = bt.Cases([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1], names=[HOSTILE] * 4)
    state = threshold(cases).state()
    assert "<img" not in json.dumps(state)
    assert "&lt;img src=x onerror=alert(1)&gt;" in state["rows"][0]


@pytest.mark.parametrize("name", ["ten_cases", "ten_cases_b", "arbel_good"])
def test_a_small_page_is_one_small_file(name: str, tmp_path: Path) -> None:
    file = threshold(bt.load(name)).save(tmp_path / "page.html")
    assert file.stat().st_size <= 3_000_000


def test_figures_can_be_taken_out() -> None:
    explorer = threshold(bt.load("ten_cases"))
    assert explorer.figure("roc").title.text == "ROC curve"
    with pytest.raises(ValueError, match="strip, roc, pr, tpr_fpr, gain, lift, measure"):
        explorer.figure("cloud")


def test_many_cases_are_thinned_and_stay_exact() -> None:
    chance = random.Random(1)
    labels = [int(chance.random() < 0.3) for _ in range(100_000)]
    cases = bt.Cases(labels, [chance.random() + label / 3 for label in labels])
    start = time.perf_counter()
    explorer = threshold(cases)
    state = explorer.state()
    seconds = time.perf_counter() - start
    assert seconds < 30, "some seconds; on a busy machine more"
    assert len(state["k"]) <= 600
    assert state["derivations"] == {}
    assert len(state["rows"]) <= 8 * len(state["k"]), "only what stands next to a line"
    assert "too many cuts" in state["no_derivation"]
    order = sorted(range(cases.n), key=lambda i: -cases.score(i))
    found = [0]
    for i in order:
        found.append(found[-1] + labels[i])
    assert state["tp"] == [found[k] for k in state["k"]]
    assert state["precision"][1:] == tuple(found[k] / k for k in state["k"][1:])
    explorer.cut = 50_000
    assert abs(explorer.cut - 50_000) <= 200, "one cut in two hundred cases is kept"


# In a browser -------------------------------------------------------------------------------------

SEEN = """({
  cut: args.slider.value, now: args.now, line: args.line.location,
  over: args.over, best: args.best, over_title: args.over_figure.title.text,
  summary: args.summary.text, table: args.table.text, matrix: args.matrix.text,
  derivation: args.derivation.text, title: document.title,
  shaded: Object.entries(args.shades).filter(([_, area]) => area.visible).map(([name]) => name),
})"""


def point(x: Any, y: Any, text: str) -> dict[str, list[Any]]:
    """The source of a point; empty where it does not exist."""
    known = x is not None and y is not None
    return {"x": [x], "y": [y], "text": [text]} if known else {"x": [], "y": [], "text": []}


def called(k: int) -> str:
    return "1 case is" if k == 1 else f"{k} cases are" if k else "No case is"


def check_page(
    page: Any, cases: bt.Cases, k: int, key: str = "precision", sklearn: bool = False
) -> None:
    """What the page shows at a cut is what the exact measures are."""
    seen = look_up(page, SEEN)
    counts, all_cuts = counted(cases, k), cuts(cases)
    four = {"TP": counts.tp, "FP": counts.fp, "FN": counts.fn, "TN": counts.tn}
    title = bt.MEASURES[key].title

    assert seen["cut"] == k
    tpr, fpr, precision, lift, chosen = (
        exact_value(each, counts) for each in ("recall", "FPR", "precision", "lift", key)
    )
    rates, now = f"TPR {as_text(tpr)}, FPR {as_text(fpr)}", seen["now"]
    if tpr is not None and fpr is not None:
        assert now["roc"] == point(float(fpr), float(tpr), rates)
        assert now["rates"] == {"x": [k, k], "y": [float(tpr), float(fpr)], "text": [rates] * 2}
        assert now["gap"] == {"x0": [k], "y0": [float(fpr)], "x1": [k], "y1": [float(tpr)]}
    assert now["pr"] == point(
        as_float(tpr),
        as_float(precision),
        f"recall {as_text(tpr)}, precision {as_text(precision)}",
    )
    assert (now["gain"]["x"], now["gain"]["y"]) == ([k], [float(counts.tp)])
    assert now["lift"] == point(k, as_float(lift), f"lift {as_text(lift)}")
    assert now["measure"] == point(k, as_float(chosen), as_text(chosen))

    values = {each: exact_value(key, counted(cases, each)) for each in all_cuts}
    known = {each: found for each, found in values.items() if found is not None}
    assert seen["over"]["x"] == list(known)
    assert seen["over"]["y"] == [float(found) for found in known.values()]
    assert seen["over"]["text"] == [as_text(found) for found in known.values()]
    assert seen["over_title"] == title
    direction = bt.MEASURES[key].direction
    best = max(known.values(), key=lambda found: direction * found, default=None)
    assert seen["best"]["x"] == [
        each for each, found in known.items() if direction and found == best
    ]

    scores = [float(row[0]) for row in ranked(cases)]
    assert all(score > seen["line"] for score in scores[:k])
    assert all(score < seen["line"] for score in scores[k:])
    above, below = re.split(r"<tr class=.?cut.*?</tr>", seen["table"])
    assert len(re.findall("<tr class=.?up", above)) == k
    assert len(re.findall("<tr class=.?down", below)) == cases.n - k

    order = ("TN", "FP", "FN", "TP") if sklearn else ("TP", "FP", "FN", "TN")
    cells = re.findall(r"<b>([^<]*)</b><br><span>(\w\w)</span>", seen["matrix"])
    assert [name for _, name in cells] == list(order)
    assert [Fraction(count) for count, _ in cells] == [four[name] for name in order]

    assert seen["derivation"] == html.STYLE + html.fragment(bt.explain(key, counts))
    said = ", ".join(f"{name} = {decimal_text(count)}" for name, count in four.items())
    value = f"{title} is undefined here." if chosen is None else f"{title}: {said_of(chosen)}."
    assert seen["summary"].startswith(f"{called(k)} called positive: {said}. {value}")
    assert "NaN" not in json.dumps(seen)


def shown(chromium: Any, cases: bt.Cases, folder: Path, **start: Any) -> tuple[Any, list[str]]:
    return opened(chromium, threshold(cases, **start).save(folder / "page.html"))


@pytest.mark.parametrize("name", ["ten_cases", "murphy_2", "tied"])
def test_the_mouse_moves_everything(chromium: Any, name: str, tmp_path: Path) -> None:
    cases = ALL[name]
    page, trouble = shown(chromium, cases, tmp_path, cut=0)
    check_page(page, cases, 0)
    for k in [*cuts(cases)[1:], *reversed(cuts(cases)[:-1])]:
        drag(page, k / cases.n)
        check_page(page, cases, k)
    page.close()
    assert trouble == []


def test_the_mouse_stops_only_where_a_line_can_be_drawn(chromium: Any, tmp_path: Path) -> None:
    page, trouble = shown(chromium, TIED, tmp_path, cut=6)
    for wanted, found in ((9, 10), (7, 6), (4, 3), (1, 0), (2, 3), (4, 3)):
        drag(page, wanted / TIED.n)
        check_page(page, TIED, found)
    page.close()
    assert trouble == []


@pytest.mark.parametrize("name", ["ten_cases", "tied", "weighted"])
def test_the_keyboard_moves_everything(chromium: Any, name: str, tmp_path: Path) -> None:
    cases = ALL[name]
    all_cuts = cuts(cases)
    page, trouble = shown(chromium, cases, tmp_path, cut=0)
    for k in all_cuts[1:]:
        press(page, "ArrowRight")
        check_page(page, cases, k)
    press(page, "ArrowRight")
    check_page(page, cases, cases.n)
    for k in reversed(all_cuts[:-1]):
        press(page, "ArrowLeft")
        check_page(page, cases, k)
    press(page, "End")
    check_page(page, cases, cases.n)
    press(page, "Home")
    check_page(page, cases, 0)
    page.close()
    assert trouble == []


def test_every_measure_can_be_chosen(chromium: Any, tmp_path: Path) -> None:
    cases = bt.load("ten_cases")
    page, trouble = shown(chromium, cases, tmp_path, cut=4)
    field = page.get_by_label("Measure", exact=True)
    for number, key in enumerate(MEASURES):
        field.select_option(label=bt.MEASURES[key].title)
        check_page(page, cases, 4 + number % 2, key)
        press(page, "ArrowLeft" if number % 2 else "ArrowRight")
        check_page(page, cases, 5 - number % 2, key)
    page.close()
    assert trouble == []


def test_the_switches_switch(chromium: Any, tmp_path: Path) -> None:
    cases = bt.load("ten_cases")
    page, trouble = shown(chromium, cases, tmp_path, cut=4)
    assert look_up(page, SEEN)["shaded"] == []
    for shade in (*SHADES, "nothing"):
        page.get_by_label("Shade under the ROC curve").select_option(label=SHADES[shade])
        assert look_up(page, SEEN)["shaded"] == [shade][shade == "nothing" :]
        check_page(page, cases, 4)
    orientation = page.get_by_label("Confusion matrix")
    orientation.select_option(label="as in scikit-learn")
    for k in (4, 5, 6):
        check_page(page, cases, k, sklearn=True)
        press(page, "ArrowRight")
    orientation.select_option(label="as in the literature")
    check_page(page, cases, 7)
    page.close()
    assert trouble == []


@pytest.mark.parametrize("name", ["no positive", "no negative", "one positive", "all tied"])
def test_pages_of_odd_data_work(chromium: Any, name: str, tmp_path: Path) -> None:
    cases = ODD[name]
    page, trouble = shown(chromium, cases, tmp_path, cut=0)
    for k in cuts(cases):
        check_page(page, cases, k)
        press(page, "ArrowRight")
    page.close()
    assert trouble == []


def test_of_many_cases_those_next_to_the_line_are_shown(chromium: Any, tmp_path: Path) -> None:
    cases = bt.load("arbel_good")
    page, trouble = shown(chromium, cases, tmp_path, cut=50)
    for k in (50, 51, 52):
        seen = look_up(page, SEEN)
        above, below = re.split(r"<tr class=.?cut.*?</tr>", seen["table"])
        places = [re.findall(r"<tr class=.?\w+.?><td>(\d+)</td>", part) for part in (above, below)]
        assert places == [
            [str(place) for place in range(k - 3, k + 1)],
            [str(place) for place in range(k + 1, k + 5)],
        ]
        assert above.count("⋮") == below.count("⋮") == 1
        assert "too many cuts" in seen["derivation"]
        press(page, "ArrowRight")
    page.close()
    assert trouble == []


def test_hostile_names_do_not_run(chromium: Any, tmp_path: Path) -> None:
    name = "<img src=x onerror=document.title='owned'>"
    cases = bt.Cases([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1], names=[name] * 4)
    page, trouble = shown(chromium, cases, tmp_path)
    strip = page.locator(".bk-Figure").first.bounding_box()
    page.mouse.move(strip["x"] + strip["width"] / 2, strip["y"] + strip["height"] * 0.55)
    press(page, "ArrowRight")
    seen = look_up(page, SEEN)
    page.close()
    assert "&lt;img" in seen["table"]
    assert seen["title"] == "binteach: threshold explorer"
    assert trouble == []


def test_what_is_peculiar_about_the_cases_is_said() -> None:
    def said(cases: bt.Cases) -> str:
        return str(threshold(cases).state()["remark"])

    assert said(bt.load("ten_cases")) == ""
    assert "weights" in said(bt.Cases([1, 0], [0.9, 0.1], weights=[2, 1]))
    assert "no negative case" in said(bt.Cases([1, 1], [0.9, 0.1]))
    assert "Tied" in said(bt.Cases([1, 0, 1], [0.9, 0.9, 0.1]))
    assert threshold(bt.load("ten_cases")).state()["areas"]["auc"].endswith("4/5 = 0.8.")


@pytest.mark.parametrize("kind", ["threshold", "quota", "prevalence", "costs", "losses", "edit"])
def test_what_is_no_set_of_cases_is_refused(kind: str) -> None:
    explorer: Any = OF_CASES[kind]
    for wrong in ("ten_cases", bt.Counts(3, 1, 2, 4), [1, 2]):
        with pytest.raises(ValueError, match="takes Cases, not"):
            explorer(wrong)
    with pytest.raises(ValueError, match="cannot be drawn"):
        explorer(bt.Cases([1, 0], ["1e350", "0"]))
