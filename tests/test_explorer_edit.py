"""The edit explorer: cases move, and every number follows, as exactly in the page as in Python."""

import json
import random
import re
from collections.abc import Callable
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

import pytest
from explorer_pages import HOSTILE, open_page

import binteach as bt
from binteach.exact import exact
from binteach.explorers import edit
from binteach.explorers.edit import EXPLAINED, NO_ANSWER, UNHEARD
from binteach.explorers.editing import COUNTED, MOST_CASES, Board, step_text
from binteach.explorers.state import with_digits
from binteach.render import html

ALERT = "<img src=x onerror=alert(1)>"
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
    "large": bt.Cases([1, 0, 1], ["123456789012.5", "-1e12", "123456789012.75"]),
}


def value_shown(key: str, data: Any) -> str:
    """What is to be shown of a measure: its value with digits, or why it is undefined."""
    try:
        value = bt.value(key, data)
    except bt.Undefined as undefined:
        # "no case was called positive, so TP + FP = 0; ...": the cause is enough.
        return f"undefined: {re.split('[,:]', undefined.reason)[0]}"
    return with_digits(value)


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


# Without a browser --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*SMALL, *DEGENERATE])
def test_cases_are_exact_after_every_edit(name: str) -> None:
    explorer = edit({**SMALL, **DEGENERATE}[name])
    board = explorer.board
    for step in some_edits(board, 1, 5):
        explorer.edits = [*explorer.edits, step]
        cases = explorer.cases
        for case, (steps, label) in enumerate(board.after(explorer.edits)):
            given = explorer.given.score(case)
            assert cases.score(case) == (given if steps is None else board.score(steps))
            assert cases.label(case) == label
        assert (cases.names, cases.weights) == (explorer.given.names, explorer.given.weights)


@pytest.mark.parametrize("name", [*SMALL, *DEGENERATE])
def test_the_text_of_a_step_is_its_score(name: str) -> None:
    board = Board({**SMALL, **DEGENERATE}[name])
    for step in (board.low, board.low + 1, -1, 0, 1, 17, board.high):
        text = step_text(board.score(step))
        assert len(text) <= 16
        assert exact(text) == board.score(step)


@pytest.mark.parametrize("key", EXPLAINED)
def test_every_measure_of_cases_is_explained_as_they_stand(key: str) -> None:
    explorer = edit(measure=key, threshold="0.6")
    explorer.move(8, "0.28")
    measure = bt.MEASURES[key]
    given: dict[str, Any] = {}
    if measure.takes == "counts":
        given = {"at": "0.6"}
    elif "top" in measure.params:
        given = {"top": 2}
    wanted = html.render(bt.explain(key, explorer.cases, **given))
    standing = "95+ 80+ 28- 60+ 50+ 45- 30- 25+ 20- 10-"
    assert explorer._derivation() == f'<div data-of="{key} 2 {standing}">{wanted}</div>'
    call = explorer.state()["calls"][key].replace("AT", "'0.6'").replace("TOP", "2")
    names = {"bt": bt, "e": explorer}
    assert html.render(eval(call.replace("&quot;", '"'), names)) == wanted


def test_a_loss_of_probabilities_of_other_scores_says_why_it_is_none() -> None:
    explorer = edit(bt.Cases([1, 0], [3, -2]), measure="log_loss")
    assert "<p>Log loss cannot be worked out here: " in explorer._derivation()


def test_a_case_is_moved_nudged_and_flipped() -> None:
    explorer = edit()
    assert explorer.cases == explorer.given == bt.load("ten_cases")
    explorer.move(8, "0.28")
    assert explorer.cases.score(2) == Fraction(28, 100)
    assert bt.value("auc", explorer.cases) == Fraction(22, 25)
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
    explorer, some = edit(), cast(int, 1.5)
    moves: list[tuple[Callable[[], None], str]] = [
        (lambda: explorer.move(11, 0.5), r"no case '11'; the cases are 10, 9"),
        (lambda: explorer.move(8, 1.2), r"score of case 8 is 1.2; .* number on the axis, 0 to 1"),
        (lambda: explorer.move(8, "much"), r"case 8 is 'much'; it must be a number on the axis"),
        (lambda: explorer.move(8, float("nan")), r"is nan; it must be a number on the axis"),
        (
            lambda: explorer.nudge(8, some),
            r"steps is 1.5; it must be a whole number from -100 to 1",
        ),
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
    assert explorer.cases == explorer.given


@pytest.mark.parametrize(
    ("name", "wrong", "words"),
    [
        ("edits", "none", "edits is 'none'; a list of edits is needed"),
        ("edits", None, "edits is None; a list of edits is needed"),
        ("threshold", 2, "threshold is 2; it must be a number on the axis, 0 to 1"),
        ("threshold", "high", "threshold is 'high'; it must be a number on the axis, 0 to 1"),
        ("threshold", float("inf"), "threshold is inf; it must be a number on the axis, 0 to 1"),
        ("threshold", None, "threshold is None; it must be a number on the axis, 0 to 1"),
        ("measure", "colour", "measure is 'colour': "),
        ("measure", "triplet_loss", "measure is 'triplet_loss'; it must be one of accuracy, "),
        ("measure", None, "measure is None: "),
    ],
)
def test_traits_take_nothing_that_cannot_be(name: str, wrong: Any, words: str) -> None:
    explorer = edit()
    before = repr(explorer), explorer.measure
    with pytest.raises(ValueError, match=words):
        setattr(explorer, name, wrong)
    assert (repr(explorer), explorer.measure) == before
    if name != "edits" and not (name == "threshold" and wrong is None):
        with pytest.raises(ValueError, match=words):
            edit(**{name: wrong})


def test_the_threshold_lies_on_the_grid() -> None:
    explorer = edit(threshold="0.6")
    assert explorer.threshold == 0.6
    explorer.threshold = 0.4567
    assert explorer.threshold == 0.46
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
    close = bt.Cases([1, 0], [10**20, 10**20 + 1])
    with pytest.raises(ValueError, match="the scores differ by 1 only, too little for scores of"):
        edit(close)
    explorer = edit()
    explorer.flip(8)
    for refused in (many, close):
        with pytest.raises(ValueError, match=r"at most|differ by"):
            explorer.take(refused)
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
        told, _ = page.tags
        assert told.tags[-1] == explorer._derivation()
    memo.tags = []  # undone in the page
    assert explorer.cases == explorer.given
    explorer.redo()
    assert memo.tags == [[2, 28, 0]]


def test_only_what_python_must_hear_is_sent() -> None:
    document = edit().build().document("page")
    heard = {model.name for model in document.models if model.syncable}
    assert heard == {"edits", "threshold", None}  # the choice of the measure has no name
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
    explorer = edit(cases, measure="precision")
    assert "&lt;img src=x onerror=alert(1)&gt;" in explorer._derivation()
    assert "<img" not in explorer._derivation()
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
    derivation: named("derivation").text,
    ranking: named("ranking").text, matrix: named("matrix").text,
  }
}"""
RUN = """([edits, threshold]) => {
  const page = Bokeh.documents[0]
  page.get_model_by_name("edits").tags = edits
  page.get_model_by_name("threshold").value = threshold
}"""
FOCUS = """([name, selector]) => {
  const view = Bokeh.index.find_one(Bokeh.documents[0].get_model_by_name(name))
  view.shadow_el.querySelector(selector).focus()
}"""
WHERE = """([x, y]) => {
  const strip = Bokeh.index.find_one(Bokeh.documents[0].get_model_by_name("strip"))
  const {left, top} = strip.canvas.el.getBoundingClientRect()
  return [left + strip.frame.x_scale.compute(x), top + strip.frame.y_scale.compute(y)]
}"""
ROW = re.compile(
    r'<tr><th scope="row">(.*?)</th><td class="now">(?:<span class="words">)?(.*?)'
    r"(?:&nbsp;)?(?:<span class=\"(?:more|less).*?)?(?:</span>)?</td><td>"
)


def opened(chromium: Any, explorer: Any, folder: Path) -> tuple[Any, list[str]]:
    """The saved page, and whatever it complained about."""
    return open_page(chromium, explorer.save(folder / "page.html"))


def close(mine: list[float], wanted: list[Any]) -> bool:
    return len(mine) == len(wanted) and all(
        abs(a - float(b)) < 1e-15 for a, b in zip(mine, wanted, strict=True)
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
    shown = [text.replace("−", "-") for text in seen["roc"]["text"]]
    rates = [(with_digits(each.tpr), with_digits(each.fpr)) for each in blocks if both]
    assert shown == [f"TPR {tpr}, FPR {fpr}" for tpr, fpr in rates]
    rows = dict(ROW.findall(seen["measures"]))
    titles = explorer.state()["titles"]
    assert len(rows) == len(titles)
    for key, title in titles.items():
        text = rows[title].replace("&nbsp;", " ").replace("−", "-")
        assert text == value_shown(key, cut.counts if key in COUNTED else cases)
    assert seen["ranking"].count('<tr class="up') == cut.k
    assert seen["ranking"].count('<tr class="cut"') == 1
    places = [cases.names[i] for i in ranking.order]
    name = r'<tr class="(?:up|down).*?<td class="name">(.*?)</td>'
    assert re.findall(name, seen["ranking"]) == places
    counts = [Fraction(each) for each in re.findall(r"<b>(.*?)</b>", seen["matrix"])]
    assert counts == [cut.tp, cut.fp, cut.positives - cut.tp, cut.negatives - cut.fp]
    words = set(re.findall(r"\w+", json.dumps(seen | {"edits": []})))
    assert not {"NaN", "Infinity", "null"} & words


def some_cases(chance: random.Random) -> bt.Cases:
    """Few cases with ties, scores between the steps, scores that are no probabilities, weights."""
    n = chance.randint(1, 9)
    kind = chance.choice(["steps", "powers", "fine", "tiny", "far"])
    scores: dict[str, Callable[[], Fraction]] = {
        "steps": lambda: Fraction(chance.randint(0, 10), 10),
        "powers": lambda: Fraction(1, 2 ** chance.randint(1, 3)),
        "fine": lambda: Fraction(chance.randint(0, 7), chance.choice([7, 1000, 10**12 + 39])),
        "tiny": lambda: Fraction(chance.randint(1, 9), 3**700),
        "far": lambda: Fraction(chance.randint(-30, 30), chance.choice([1, 7])),
    }
    weights = [Fraction(chance.randint(0, 4), chance.choice([1, 3, 10])) for _ in range(n)]
    return bt.Cases(
        [chance.randint(0, 1) for _ in range(n)],
        [scores[kind]() for _ in range(n)],
        weights=weights if chance.random() < 0.4 and any(weights) else None,
    )


COUNT = """(all) => {
  SCRIPT
  return all.map(([s, steps, labels]) => {
    s.weights = s.weights.map(read_ratio)
    s.scores = s.scores.map(read_ratio)
    const now = counted({steps, labels}, s)
    const texts = (found) => Object.fromEntries(Object.entries(found).map(([k, v]) => [k, v.text]))
    return {
      whole: texts(whole_measures(now, s)),
      cuts: Object.fromEntries(now.cuts.map((cut) => [cut.k, texts(cut_measures(cut, now))])),
    }
  })
}"""


def test_the_page_counts_exactly_what_the_measures_are(chromium: Any) -> None:
    chance = random.Random(11)
    asked: list[Any] = []
    wanted: list[Any] = []
    for seed in range(250):
        explorer = edit(some_cases(chance))
        board = explorer.board
        standing = board.after(some_edits(board, seed, chance.randint(0, 3)))
        cases, state = board.cases(standing), explorer.state()
        asked.append([state, [steps for steps, _ in standing], list(cases.labels)])
        cuts = {str(k): cases.top(k) for k in cases.ranking.ends.tolist()}
        wanted.append(
            {
                "whole": {key: value_shown(key, cases) for key in board.whole},
                "cuts": {
                    k: {key: value_shown(key, counts) for key in COUNTED}
                    for k, counts in cuts.items()
                },
            }
        )
    script = files("binteach.explorers") / "counting.js"
    page = chromium.new_page()
    found = page.evaluate(COUNT.replace("SCRIPT", script.read_text(encoding="utf-8")), asked)
    page.close()
    for mine, exactly in zip(found, wanted, strict=True):
        assert mine["whole"] == exactly["whole"]
        assert mine["cuts"] == exactly["cuts"]
    every = [each["cuts"][k] for each in wanted for k in each["cuts"]]
    assert any(each["matthews_correlation"].startswith("≈") for each in every)
    assert any("/" in each["matthews_correlation"] for each in every)


@pytest.mark.parametrize("name", [*SMALL, *DEGENERATE])
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
    page.get_by_label("Case", exact=True).select_option(index=2)  # case 8, at 0.75
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
    assert "AUC = 11/12 ≈ 0.9167." in seen["summary"]
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
    assert "AUC = 4/5 = 0.8." in seen["summary"]
    page.evaluate(FOCUS, ["undo", "button"])
    for _ in range(6):
        page.keyboard.press("Enter")
    seen = page.evaluate(READ)
    assert seen["edits"] == []
    assert seen["summary"].startswith("There is nothing to undo.")
    page.close()
    assert trouble == []


RING = """() => {
  let at = document.activeElement
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  const {outlineStyle, outlineWidth} = getComputedStyle(at)
  return [at.getAttribute("aria-label"), outlineStyle !== "none" && parseFloat(outlineWidth) >= 1]
}"""


def test_the_strip_is_worked_by_keys_alone(chromium: Any, tmp_path: Path) -> None:
    page, trouble = opened(chromium, edit(), tmp_path)
    page.evaluate(FOCUS, ["reset", "button"])
    page.keyboard.press("Tab")  # the strip stands after the last button
    name, has_ring = page.evaluate(RING)
    assert name.startswith("The cases along the axis of their scores.")
    assert has_ring
    chosen = []
    for key in ("PageDown", "PageDown", "PageUp"):
        page.keyboard.press(key)
        chosen.append(page.evaluate(READ)["chosen"])
    assert chosen == ["1", "2", "1"]  # to the left, to the left, to the right
    edits = []
    for key, edit_made in (
        ("ArrowRight", [1, 81, 1]),
        ("Shift+ArrowLeft", [1, 76, 1]),
        ("ArrowDown", [1, 76, 0]),
        ("ArrowUp", [1, 76, 1]),
    ):
        page.keyboard.press(key)
        edits.append(edit_made)
        assert page.evaluate(READ)["edits"] == edits
    page.keyboard.press("ArrowUp")
    assert page.evaluate(READ)["summary"].startswith("It is in this class already. Case 9 is")
    for key, left in (("Control+z", 3), ("Control+z", 2), ("Control+y", 3), ("Control+Z", 4)):
        page.keyboard.press(key)
        assert page.evaluate(READ)["edits"] == edits[:left]
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(RING)[1]
    page.close()
    assert trouble == []


def test_buttons_say_in_words_what_their_arrows_mean(chromium: Any, tmp_path: Path) -> None:
    page, trouble = opened(chromium, edit(), tmp_path)
    for words in ("left by 0.05", "left by 0.01", "right by 0.01", "right by 0.05"):
        assert page.get_by_role("button", name=words, exact=True).count() == 1
    page.close()
    assert trouble == []


def test_a_long_ranking_is_scrolled_to_what_moves(chromium: Any, tmp_path: Path) -> None:
    sixty = bt.Cases([1, 0] * 30, [Fraction(place, 60) for place in range(60)])
    page, trouble = opened(chromium, edit(sixty), tmp_path)
    seen = """(selector) => {
      const model = Bokeh.documents[0].get_model_by_name("ranking")
      const {el, markup_el} = Bokeh.index.find_one(model)
      const row = markup_el.querySelector(selector).getBoundingClientRect()
      const box = el.getBoundingClientRect()
      return row.top >= box.top && row.bottom <= box.bottom
    }"""
    assert page.evaluate(seen, "tr.chosen")
    assert not page.evaluate(seen, "tr.cut")
    page.evaluate(RUN, [[], 0.49])
    assert page.evaluate(seen, "tr.cut")
    page.close()
    assert trouble == []


def test_large_scores_stand_whole_on_the_axis_and_in_the_ranking(
    chromium: Any, tmp_path: Path
) -> None:
    cases = bt.Cases([1, 0, 1], ["123456789012.5", "123456789013.5", "123456789019"])
    page, trouble = opened(chromium, edit(cases), tmp_path)
    ticks = """() => {
      const {formatter} = Bokeh.documents[0].get_model_by_name("strip").below[0]
      return formatter.doFormat([123456789014, 123456789016.5], {loc: 0})
    }"""
    assert page.evaluate(ticks) == ["123456789014", "123456789016.5"]
    assert page.evaluate("() => document.documentElement.scrollWidth") == 1200
    page.close()
    page, others = opened(chromium, edit(bt.Cases([1, 0], ["2.5e200", "-1e200"])), tmp_path)
    seen = page.evaluate(READ)
    assert seen["summary"].startswith("Case 1 is really positive, score 2.5e+200, place 1 of 2.")
    assert "<td>−1e+200</td>" in seen["ranking"]
    assert page.get_by_role("button", name="left by 1e+198", exact=True).count() == 1
    page.close()
    assert trouble == others == []


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
        assert "score 0.75" not in during["summary"]
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
    assert "AUC = 22/25 = 0.88." in seen["summary"]
    assert "bt.explain(&quot;auc&quot;, e.cases)" in seen["derivation"]
    page.evaluate(FOCUS, ["redo", "button"])
    page.keyboard.press("Enter")
    assert page.evaluate(READ)["edits"] == [[2, 28, 0], [7, 25, 0]]
    page.evaluate(FOCUS, ["undo", "button"])
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    check_page(page.evaluate(READ), explorer, [], 0.5)
    handle = page.evaluate_handle(
        """() => Bokeh.index.find_one(Bokeh.documents[0].get_model_by_name("threshold"))
          .shadow_el.querySelector(".noUi-handle")"""
    ).as_element()
    assert handle.get_attribute("aria-label") == "Threshold"
    handle.focus()
    page.keyboard.press("ArrowLeft")
    check_page(page.evaluate(READ), explorer, [], 0.49)
    page.close()
    assert trouble == []


def test_a_page_whose_python_does_not_answer_says_so(chromium: Any, tmp_path: Path) -> None:
    page, trouble = opened(chromium, edit(), tmp_path)
    box = 'Bokeh.documents[0].get_model_by_name("derivation")'
    answer = '<div data-of="auc 3 95+ 80+ 28- 60+ 50+ 45- 30- 25+ 20- 10-">from Python</div>'
    page.evaluate(f"() => {{ {box}.tags = ['live'] }}")
    page.evaluate(RUN, [[[2, 28, 0]], 0.5])
    page.evaluate(f"(text) => {{ {box}.text = text }}", answer)  # as a kernel would
    page.wait_for_timeout(2000)
    seen = page.evaluate(READ)
    assert seen["derivation"] == answer
    assert UNHEARD not in seen["summary"]
    page.evaluate(RUN, [[[2, 28, 0], [3, 10, 1]], 0.5])
    assert page.evaluate(READ)["derivation"] == answer  # it may still come
    page.wait_for_timeout(2000)
    seen = page.evaluate(READ)
    assert seen["derivation"] == NO_ANSWER
    assert seen["summary"].endswith(f"TN&nbsp;=&nbsp;5). {UNHEARD}")
    page.close()
    assert trouble == []


def test_hostile_names_do_not_run(chromium: Any, tmp_path: Path) -> None:
    cases = bt.Cases([1, 0, 1], [0.9, 0.5, 0.1], names=[HOSTILE, HOSTILE, ALERT])
    page, trouble = opened(chromium, edit(cases), tmp_path)
    page.mouse.move(*page.evaluate(WHERE, [0.5, 0]))
    page.get_by_label("Case", exact=True).select_option(index=1)  # one of those with the same name
    page.evaluate(FOCUS, ["right", "button"])
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    seen = page.evaluate(READ)
    images = page.locator("img").count()  # a locator looks into shadow roots, too
    page.close()
    assert seen["edits"] == [[1, 51, 0]]
    assert "&lt;img" in seen["ranking"]
    assert "&lt;img" in seen["summary"]
    assert (seen["title"], images) == ("binteach: edit explorer", 0)
    assert trouble == []
