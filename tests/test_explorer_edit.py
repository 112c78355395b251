"""The edit explorer: cases move, and every number follows, exactly in Python and ≈ in the page."""

import json
import random
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import traitlets

import binteach as bt
from binteach import exact
from binteach.explorers import edit
from binteach.explorers.editing import COUNTED, MOST_CASES, Board, standing_text

HOSTILE = "<img src=x onerror=document.title='owned'>"
TIED = bt.Cases([1, 0, 1, 1, 0, 0, 1, 0], [0.9, 0.9, 0.9, 0.7, 0.7, 0.5, 0.5, 0.1])
FAR = bt.Cases([1, 0, 0, 1, 0], [-3.25, 7, 7, "22/7", "1/3"])
FINE = bt.Cases(  # scores between the steps of the grid, two of them equal
    [1, 0, 1, 0, 1, 0], ["0.12345", "0.1239", "0.1239", "2/3", 0, 1], names=list("abcdef")
)
WEIGHTED = bt.Cases(
    [1, 0, 1, 0, 1], ["0.9", "0.6", "0.6", "0.3", "0.2"], weights=["1/3", 2, "0.1", "0.7", 0]
)
SMALL = {
    **{name: bt.load(name) for name in ("ten_cases", "murphy_2", "arbel_2")},
    "tied": TIED,
    "far": FAR,
    "fine": FINE,
    "weighted": WEIGHTED,
}
DEGENERATE = {
    "no positive": bt.Cases([0, 0, 0], [0.1, 0.5, 0.5]),
    "no negative": bt.Cases([1, 1, 1], [0.1, 0.5, 0.5]),
    "one positive": bt.Cases([1], [0.3]),
    "one negative": bt.Cases([0], [0]),
    "all tied": bt.Cases([1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5]),
    "one far": bt.Cases([1, 0], [1000, 1000]),
    "huge": bt.Cases([1, 0], ["1e300", "1e-300"]),
}


def value_or_none(key: str, data: Any) -> Any:
    try:
        return bt.value(key, data)
    except bt.Undefined:
        return None


def some_edits(board: Board, seed: int, count: int) -> list[list[Any]]:
    """Possible edits, drawn by chance."""
    chance = random.Random(seed)
    edits: list[list[Any]] = []
    for _ in range(count):
        case = chance.randrange(board.given.n)
        steps: int | None = chance.randint(board.low, board.high)
        if chance.random() < 0.3:
            steps = board.start[case][0]
        edits.append([case, steps, chance.randint(0, 1)] if chance.random() < 0.9 else [])
    return edits


def check_text(shown: str, wanted: Any) -> None:
    """A text shows an exact value: the fraction, or the digits of what is irrational."""
    if wanted is None:
        assert shown.startswith("undefined: ")
    elif isinstance(wanted, Fraction) and not shown.startswith("≈"):
        assert Fraction(shown.split(" ")[0]) == wanted
    else:
        assert shown.endswith(f"≈ {exact.rounded(wanted, 4)}")


# Without a browser --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*SMALL, *DEGENERATE])
def test_all_numbers_are_exact_after_every_edit(name: str) -> None:
    explorer = edit({**SMALL, **DEGENERATE}[name])
    board = explorer.board
    for step in some_edits(board, 1, 5):
        explorer.edits = [*explorer.edits, step]
        cases, answer = explorer.cases, explorer.worked_out[0]
        standing = board.after(explorer.edits)
        assert answer["standing"] == standing_text(standing)
        for case, (steps, label) in enumerate(standing):
            given = explorer.given.score(case)
            assert cases.score(case) == (given if steps is None else board.score(steps))
            assert cases.label(case) == label
        assert (cases.names, cases.weights) == (explorer.given.names, explorer.given.weights)
        assert list(answer["whole"]) == list(board.whole)
        for key, shown in answer["whole"].items():
            check_text(shown, value_or_none(key, cases))
        assert [int(k) for k in answer["cuts"]] == cases.ranking.ends.tolist()
        for k, cut in answer["cuts"].items():
            counts = cases.top(int(k))
            assert [Fraction(each) for each in cut["counts"]] == [
                Fraction(each) for each in (counts.tp, counts.fp, counts.fn, counts.tn)
            ]
            for key in COUNTED:
                check_text(cut[key], value_or_none(key, counts))


def test_a_case_is_moved_nudged_and_flipped() -> None:
    explorer = edit()
    assert explorer.cases == explorer.given == bt.load("ten_cases")
    assert explorer.worked_out[0]["whole"]["auc"] == "4/5 = 0.8"
    explorer.move(8, "0.28")
    assert explorer.cases.score(2) == Fraction(28, 100)
    assert bt.value("auc", explorer.cases) == Fraction(22, 25)
    assert explorer.worked_out[0]["whole"]["auc"] == "22/25 = 0.88"
    assert explorer.worked_out[0]["cuts"]["4"]["matthews_correlation"] == "√6/3 ≈ 0.8165"
    explorer.nudge("8", -3)
    assert explorer.cases.score(2) == Fraction(1, 4)
    explorer.flip(8)
    assert explorer.cases.labels == (1, 1, 1, 1, 1, 0, 0, 1, 0, 0)
    assert explorer.edits == [[2, 28, 0], [2, 25, 0], [2, 25, 1]]
    assert explorer.given == bt.load("ten_cases")
    assert repr(explorer) == "Edit(10 cases, 3 edits, threshold=0.5)"


def test_what_was_done_is_undone_and_done_again() -> None:
    explorer = edit()
    with pytest.raises(ValueError, match="nothing to undo"):
        explorer.undo()
    explorer.move(1, 0.99)
    explorer.flip(2)
    after_both = explorer.cases
    explorer.undo()
    assert explorer.cases.labels == explorer.given.labels
    assert explorer.cases.score(9) == Fraction(99, 100)
    explorer.redo()
    assert explorer.cases == after_both
    with pytest.raises(ValueError, match="nothing to redo"):
        explorer.redo()
    explorer.reset()
    assert explorer.cases == explorer.given
    explorer.undo()
    assert explorer.cases == after_both
    explorer.undo()
    explorer.flip(3)  # something else: what was undone is gone
    with pytest.raises(ValueError, match="nothing to redo"):
        explorer.redo()


def test_what_changes_nothing_is_no_edit() -> None:
    explorer = edit()
    explorer.move(8, "0.75")
    explorer.move(8, "0.7512")  # the nearest step is where it stands
    explorer.reset()
    assert explorer.edits == []


def test_bad_moves_are_refused() -> None:
    explorer = edit()
    moves: list[tuple[Callable[[], None], str]] = [
        (lambda: explorer.move(11, 0.5), r"no case '11'; the cases are 10, 9"),
        (lambda: explorer.move(8, 1.2), r"score of case 8 is 1.2; .* on the axis, 0 to 1"),
        (lambda: explorer.move(8, "much"), "not a number"),
        (lambda: explorer.move(8, float("nan")), "finite"),
        (lambda: explorer.nudge(10, 6), "on the axis"),
        (lambda: explorer.flip("<b>"), "no case"),
    ]
    for bad, words in moves:
        with pytest.raises(ValueError, match=words):
            bad()
    twins = edit(bt.Cases([1, 0], [0.1, 0.2], names=["x", "x"]))
    with pytest.raises(ValueError, match=r"no case 'x'; the cases are x \(row 1\), x \(row 2\)"):
        twins.flip("x")
    assert explorer.edits == twins.edits == []
    twins.flip("x (row 2)")
    assert twins.cases.labels == (1, 1)


@pytest.mark.parametrize(
    "edits",
    [
        [[10, 5, 1]],
        [[-1, 5, 1]],
        [[0, 101, 1]],
        [[0, -1, 1]],
        [[0, 5, 2]],
        [[0, None, 1]],  # it was given on a step
        [[0, 5.5, 1]],
        [[0, 5]],
        [5],
        [["0", 5, 1]],
    ],
)
def test_impossible_edits_are_refused(edits: list[Any]) -> None:
    explorer = edit()
    with pytest.raises(ValueError, match="is no edit"):
        explorer.edits = edits
    with pytest.raises((ValueError, traitlets.TraitError)):
        explorer.edits = "none"  # type: ignore[assignment]
    assert explorer.cases == explorer.given


def test_the_threshold_lies_on_the_grid() -> None:
    explorer = edit(threshold="0.6")
    assert explorer.threshold == 0.6
    explorer.threshold = 0.4567
    assert explorer.threshold == 0.46
    with pytest.raises(ValueError, match="the threshold is 2"):
        explorer.threshold = 2
    with pytest.raises((ValueError, traitlets.TraitError)):
        explorer.threshold = "high"  # type: ignore[assignment]
    assert edit(FAR).threshold == 1.8


def test_the_grid_goes_with_the_scores() -> None:
    grids = {"1/100": [0.001, 0.002], "1/10": [-20, 60], "10": [0, 5000], "1/100000": [2, "2.003"]}
    for grid, scores in grids.items():
        assert Board(bt.Cases([1, 0], scores)).grid == Fraction(grid)
    board = Board(FAR)
    assert board.score(board.low) < -3
    assert board.score(board.high) > 7


def test_scores_between_two_steps_stay_as_they_are_until_they_are_moved() -> None:
    explorer = edit(FINE)
    explorer.flip("a")
    assert explorer.cases.score(0) == Fraction("0.12345")
    explorer.nudge("a")
    assert explorer.cases.score(0) == Fraction("0.13")
    explorer.nudge("d", -1)
    assert explorer.cases.score(3) == Fraction("0.66")


def test_the_page_ranks_as_exact_scores_do() -> None:
    close = bt.Cases([1, 0, 1, 0], ["1/3", Fraction(1, 3) + Fraction(1, 10**40), "0.33", "1/3"])
    for cases in (*SMALL.values(), *DEGENERATE.values(), close):
        keys = Board(cases).order_keys()
        for i in range(cases.n):
            for j in range(cases.n):
                mine = (keys[i] > keys[j], keys[i] == keys[j])
                assert mine == (
                    cases.score(i) > cases.score(j),
                    cases.score(i) == cases.score(j),
                )


def test_too_many_cases_and_other_things_are_refused() -> None:
    many = bt.Cases([1, 0] * 31, range(62))
    with pytest.raises(ValueError, match=f"there are 62 cases; .* at most {MOST_CASES}"):
        edit(many)
    with pytest.raises(ValueError, match="takes Cases"):
        edit(bt.Counts(1, 2, 3, 4))  # type: ignore[arg-type]
    explorer = edit()
    explorer.flip(8)
    with pytest.raises(ValueError, match="at most"):
        explorer.take(many)
    assert explorer.given == bt.load("ten_cases")
    explorer.take(TIED)
    assert (explorer.cases, explorer.edits) == (TIED, [])
    with pytest.raises(ValueError, match="nothing to redo"):
        explorer.redo()


def page_of(explorer: Any) -> Any:
    """The page inside the widget, as the front end has it."""
    return explorer.widget().children[-1].children[0]._model


def test_the_page_and_python_follow_each_other() -> None:
    explorer = edit()
    first, second = page_of(explorer), page_of(explorer)
    memo = first.document.get_model_by_name("edits")
    memo.tags = [[2, 28, 0]]  # as the page does when a case was dragged
    assert explorer.cases.score(2) == Fraction(28, 100)
    for page in (first, second):
        assert page.document.get_model_by_name("edits").tags == [[2, 28, 0]]
        answer = page.document.get_model_by_name("worked_out").tags[0]
        assert answer["whole"]["auc"] == "22/25 = 0.88"
    memo.tags = []  # undone in the page
    assert explorer.cases == explorer.given
    explorer.redo()
    assert memo.tags == [[2, 28, 0]]


def test_only_what_python_must_hear_is_sent() -> None:
    document = edit().build().document("page")
    heard = {model.name for model in document.models if model.syncable}
    assert heard == {"edits", "worked_out", None}  # the slider has no name
    assert sum(model.syncable for model in document.models) == 3


def test_the_choice_of_data_says_why_it_refuses() -> None:
    explorer = edit()
    row, refused = explorer.controls()
    chooser = row.children[0]
    chooser.value = "breast_cancer"
    assert "569 cases" in refused.value
    assert explorer.given.n == 10
    chooser.value = "murphy_2"
    assert refused.value == ""
    assert explorer.given.n == 9


@pytest.mark.parametrize("name", ["tied", "far", "weighted", "no positive", "one negative"])
def test_figures_hold_the_exact_curves(name: str) -> None:
    explorer = edit({**SMALL, **DEGENERATE}[name])
    explorer.edits = some_edits(explorer.board, 3, 2)
    cases = explorer.cases
    document = explorer.build().document("page")
    roc, pr = (document.get_model_by_name(curve).data for curve in ("roc", "pr"))
    if cases.positives and cases.negatives:
        points = bt.curve("roc", cases).points
        assert roc["x"] == [float(point.x) for point in points]
        assert roc["y"] == [float(point.y) for point in points]
    else:
        assert roc["x"] == []
    if cases.positives:
        called = [cut for cut in cases.ranking.cuts if cut.tp + cut.fp]
        assert pr["y"] == [float(cut.tp / (cut.tp + cut.fp)) for cut in called]
    assert len(explorer.figure("strip").renderers) == 4
    with pytest.raises(ValueError, match="there are strip, roc, pr"):
        explorer.figure("lift")


def test_names_are_escaped_in_the_page(tmp_path: Path) -> None:
    cases = bt.Cases([1, 0], [0.9, 0.1], names=["<img src=x onerror=alert(1)>", "</script>"])
    explorer = edit(cases)
    assert explorer.state()["names"] == [
        "&lt;img src=x onerror=alert(1)&gt;",
        "&lt;/script&gt;",
    ]
    page = explorer.save(tmp_path / "page.html").read_text("utf-8")
    assert "<img src=x" not in page.replace("\\u003c", "<").replace('"<img src=x', "")


def test_a_saved_page_is_small_enough(tmp_path: Path) -> None:
    sixty = bt.Cases([1, 0] * 30, [place / 60 for place in range(60)])
    for cases in (bt.load("ten_cases"), sixty):
        assert edit(cases).save(tmp_path / "page.html").stat().st_size < 3_000_000


# In a browser -------------------------------------------------------------------------------------

READ = """() => {
  const named = (name) => Bokeh.documents[0].get_model_by_name(name)
  return {
    title: document.title,
    edits: named("edits").tags,
    chosen: named("chooser").value,
    dots: named("dots").data,
    roc: named("roc").data, hull: named("hull").data, pr: named("pr").data,
    roc_now: named("roc_now").data, pr_now: named("pr_now").data,
    summary: named("summary").text, measures: named("measures").text,
    ranking: named("ranking").text, matrix: named("matrix").text,
  }
}"""
RUN = """([edits, threshold]) => {
  const page = Bokeh.documents[0]
  page.get_model_by_name("edits").tags = edits
  page.roots()[0].children[0].children[0].value = threshold
}"""
FOCUS = """([name, selector]) => {
  const view = Bokeh.index.find_one(Bokeh.documents[0].get_model_by_name(name))
  view.shadow_el.querySelector(selector).focus()
}"""
WHERE = """([x, y]) => {
  const strip = Bokeh.index.find_one(Bokeh.documents[0].roots()[0].children[2])
  const {left, top} = strip.canvas.el.getBoundingClientRect()
  return [left + strip.frame.x_scale.compute(x), top + strip.frame.y_scale.compute(y)]
}"""
ROW = re.compile(
    r'<tr><th scope="row">(.*?)</th><td class="now">(?:<span class="words">)?(.*?)'
    r"(?:&nbsp;)?(?:<span class=\"(?:more|less).*?)?(?:</span>)?</td><td>"
)


def opened(chromium: Any, explorer: Any, folder: Path) -> tuple[Any, list[str]]:
    """The saved page from the disk, without a network, and whatever it complained about."""
    file = explorer.save(folder / "page.html")
    page = chromium.new_page(viewport={"width": 1200, "height": 900})
    trouble: list[str] = []

    def allow(route: Any) -> None:
        if route.request.url.startswith(("file:", "data:", "blob:")):
            route.continue_()
        else:
            trouble.append(route.request.url)
            route.abort()

    def listen(message: Any) -> None:
        if message.type in ("error", "warning"):
            trouble.append(message.text)

    page.route("**/*", allow)
    page.on("console", listen)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.goto(file.as_uri())
    page.wait_for_function(
        "() => window.Bokeh && Bokeh.documents.length && Bokeh.documents[0].is_idle"
    )
    page.wait_for_timeout(50)
    return page, trouble


def close(mine: list[float], wanted: list[Any]) -> bool:
    return len(mine) == len(wanted) and all(
        abs(a - float(b)) < 1e-9 for a, b in zip(mine, wanted, strict=True)
    )


def check_page(seen: dict[str, Any], explorer: Any, edits: list[Any], threshold: float) -> None:
    """What the page worked out by itself is what the exact measures are."""
    board = explorer.board
    cases = board.cases(board.after(edits))
    ranking, cut = cases.ranking, cases.ranking.cut_above(threshold)
    assert seen["dots"]["x"] == [float(score) for score in cases.scores]
    assert [round(y) for y in seen["dots"]["y"]] == list(cases.labels)
    both = bool(cases.positives and cases.negatives)
    blocks = [ranking.cut_at(k) for k in ranking.ends.tolist()]
    if both:
        assert close(seen["roc"]["x"], [each.fpr for each in blocks])
        assert close(seen["roc"]["y"], [each.tpr for each in blocks])
        assert close(seen["hull"]["y"], [each.tpr for each in ranking.hull()])
        assert close(seen["roc_now"]["x"], [cut.fpr])
    else:
        assert seen["roc"]["x"] == seen["hull"]["x"] == seen["roc_now"]["x"] == []
    called = [each for each in blocks if cases.positives and each.tp + each.fp]
    assert close(seen["pr"]["y"], [each.tp / (each.tp + each.fp) for each in called])
    rows = dict(ROW.findall(seen["measures"]))
    titles = explorer.state()["titles"]
    assert len(rows) == len(titles)
    known = board.after(edits) == board.start
    assert ("Python kernel" in seen["measures"]) == (not known)
    for key, title in titles.items():
        wanted = value_or_none(key, cut.counts if key in COUNTED else cases)
        shown = rows[title].replace("&nbsp;", " ").replace("−", "-")
        if known:
            check_text(shown, wanted)
        elif wanted is None:
            assert shown.startswith("undefined: ")
        else:
            assert shown.startswith("≈ ")
            assert abs(float(shown[2:]) - float(wanted)) < 5.1e-5
    assert seen["ranking"].count('<tr class="up') == cut.k
    assert seen["ranking"].count('<tr class="cut"') == 1
    places = [cases.names[i] for i in ranking.order]
    assert re.findall(r'<tr class="(?:up|down).*?</td><td>(.*?)</td>', seen["ranking"]) == places
    if not cases.weighted:
        counts = [int(each) for each in re.findall(r"<b>(.*?)</b>", seen["matrix"])]
        assert counts == [cut.tp, cut.fp, cut.positives - cut.tp, cut.negatives - cut.fp]
    assert "NaN" not in json.dumps(seen)


@pytest.mark.parametrize("name", ["tied", "far", "fine", "weighted", "huge"])
def test_the_page_counts_as_python_does(chromium: Any, name: str, tmp_path: Path) -> None:
    explorer = edit({**SMALL, **DEGENERATE}[name])
    board = explorer.board
    page, trouble = opened(chromium, explorer, tmp_path)
    check_page(page.evaluate(READ), explorer, [], explorer.threshold)
    edits = some_edits(board, 7, 8)
    chance = random.Random(7)
    for count in range(1, 9):
        threshold = float(board.score(chance.randint(board.low, board.high)))
        page.evaluate(RUN, [edits[:count], threshold])
        check_page(page.evaluate(READ), explorer, edits[:count], threshold)
    page.close()
    assert trouble == []


def test_keys_and_buttons_move_the_chosen_case(chromium: Any, tmp_path: Path) -> None:
    explorer = edit()
    page, trouble = opened(chromium, explorer, tmp_path)
    page.locator("select").select_option(index=2)  # case 8, at 0.75
    page.evaluate(FOCUS, ["left", "button"])
    page.keyboard.press("Enter")
    assert page.evaluate(READ)["edits"] == [[2, 74, 0]]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("ArrowRight")
    wanted = [[2, 74, 0], [2, 73, 0], [2, 68, 0], [2, 69, 0]]
    seen = page.evaluate(READ)
    assert seen["edits"] == wanted
    check_page(seen, explorer, wanted, 0.5)
    assert seen["summary"].startswith("Case 8 is really negative, score 0.69, place 3 of 10.")
    page.evaluate(FOCUS, ["flip", "button"])
    page.keyboard.press("Space")
    wanted.append([2, 69, 1])
    seen = page.evaluate(READ)
    check_page(seen, explorer, wanted, 0.5)
    assert "AUC ≈ 0.9167." in seen["summary"]
    page.evaluate(FOCUS, ["undo", "button"])
    for left in (4, 3):
        page.keyboard.press("Enter")
        check_page(page.evaluate(READ), explorer, wanted[:left], 0.5)
    page.evaluate(FOCUS, ["redo", "button"])
    page.keyboard.press("Enter")
    check_page(page.evaluate(READ), explorer, wanted[:4], 0.5)
    page.evaluate(FOCUS, ["reset", "button"])
    page.keyboard.press("Enter")
    seen = page.evaluate(READ)
    assert seen["edits"] == [*wanted[:4], []]
    check_page(seen, explorer, seen["edits"], 0.5)
    assert "AUC 4/5 = 0.8." in seen["summary"]
    page.evaluate(FOCUS, ["undo", "button"])
    for _ in range(6):
        page.keyboard.press("Enter")
    seen = page.evaluate(READ)
    assert seen["edits"] == []
    assert seen["summary"].startswith("There is nothing to undo.")
    page.close()
    assert trouble == []


def test_a_case_is_dragged_along_the_axis_and_into_the_other_class(
    chromium: Any, tmp_path: Path
) -> None:
    explorer = edit()
    page, trouble = opened(chromium, explorer, tmp_path)
    for start, end, wanted in (
        ((0.75, 0), (0.4, 0), [2, 40, 0]),
        ((0.4, 0), (0.9, 1), [2, 90, 1]),
        ((0.1, 0), (-0.5, 0), [9, 0, 0]),  # no farther than the axis
    ):
        page.mouse.move(*page.evaluate(WHERE, start))
        page.mouse.down()
        page.mouse.move(*page.evaluate(WHERE, [(start[0] + end[0]) / 2, start[1]]), steps=3)
        during = page.evaluate(READ)
        assert during["edits"][-1:] != [wanted]
        assert "Python kernel" in during["measures"]
        page.mouse.move(*page.evaluate(WHERE, end), steps=3)
        page.mouse.up()
        case, steps, label = page.evaluate(READ)["edits"][-1]
        # A drag is heard of only after some pixels.
        assert abs(steps - wanted[1]) <= 1
        assert [case, label] == [wanted[0], wanted[2]]
        page.evaluate(RUN, [[wanted], 0.5])
    page.mouse.move(*page.evaluate(WHERE, [0.5, 0.5]))  # on nothing
    page.mouse.down()
    page.mouse.move(*page.evaluate(WHERE, [0.6, 0.5]), steps=3)
    page.mouse.up()
    assert page.evaluate(READ)["edits"] == [[9, 0, 0]]
    page.mouse.click(*page.evaluate(WHERE, [0.3, 0]))
    seen = page.evaluate(READ)
    assert seen["chosen"] == "6"
    check_page(seen, explorer, [[9, 0, 0]], 0.5)
    page.close()
    assert trouble == []


def test_a_page_saved_after_edits_goes_on_and_its_threshold_moves_by_key(
    chromium: Any, tmp_path: Path
) -> None:
    explorer = edit()
    explorer.move(8, "0.28")
    explorer.flip(3)
    explorer.undo()
    page, trouble = opened(chromium, explorer, tmp_path)
    seen = page.evaluate(READ)
    assert "AUC 22/25 = 0.88." in seen["summary"]
    assert "Python kernel" not in seen["measures"]
    page.evaluate(FOCUS, ["redo", "button"])
    page.keyboard.press("Enter")
    assert page.evaluate(READ)["edits"] == [[2, 28, 0], [7, 25, 0]]
    page.evaluate(FOCUS, ["undo", "button"])
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    check_page(page.evaluate(READ), explorer, [], 0.5)
    handle = page.evaluate_handle(
        """() => Bokeh.index.find_one(Bokeh.documents[0].roots()[0].children[0].children[0])
          .shadow_el.querySelector(".noUi-handle")"""
    ).as_element()
    assert handle.get_attribute("aria-label") == "Threshold"
    handle.focus()
    page.keyboard.press("ArrowLeft")
    check_page(page.evaluate(READ), explorer, [], 0.49)
    page.close()
    assert trouble == []


def test_hostile_names_do_not_run(chromium: Any, tmp_path: Path) -> None:
    cases = bt.Cases([1, 0, 1], [0.9, 0.5, 0.1], names=[HOSTILE] * 3)
    page, trouble = opened(chromium, edit(cases), tmp_path)
    page.mouse.move(*page.evaluate(WHERE, [0.5, 0]))
    page.locator("select").select_option(index=1)  # one of those with the same name
    page.evaluate(FOCUS, ["right", "button"])
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    seen = page.evaluate(READ)
    images = page.evaluate("() => document.querySelectorAll('img').length")
    page.close()
    assert seen["edits"] == [[1, 51, 0]]
    assert "&lt;img" in seen["ranking"]
    assert "&lt;img" in seen["summary"]
    assert (seen["title"], images) == ("binteach: edit explorer", 0)
    assert trouble == []
