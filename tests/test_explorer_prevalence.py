"""The prevalence explorer: what it shows is exact, at every class ratio and every cut."""

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from explorer_pages import FOCUS, opened

import binteach as bt
from binteach.explorers import prevalence
from binteach.explorers import rates as shared
from binteach.explorers.prevalence import IN_RATES, RANKED, WORKED_OUT, in_rates, moves
from binteach.explorers.state import fraction_text, with_digits
from binteach.render import html

SMALL = {
    "ten": bt.load("ten_cases"),
    "tied": bt.load("murphy_2"),
    "rational": bt.Cases([1, 0, 1], ["1/3", "1/7", "1/9"]),
    "all tied": bt.Cases([1, 0, 0], [1, 1, 1]),
    "two": bt.Cases([0, 1], [2, 1]),
    "perfect": bt.Cases([1, 1, 0], [3, 2, 1]),
    "weighted": bt.Cases([1, 0, 1, 0], [4, 3, 2, 1], weights=[1, "1/2", 2, 3]),
}


def exact_text(key: str, cases: bt.Cases, **top: int) -> tuple[str, str]:
    """The measure by the weighted cases themselves, not by rates; and its digits."""
    try:
        value = bt.value(key, cases, **top)
    except bt.Undefined:
        return "undefined", ""
    text, _, digits = with_digits(value).partition(" ")
    if text == "≈" or len(text) <= 9:
        return (f"≈ {digits}", "") if text == "≈" else (text, digits)
    return digits.removeprefix("= "), ""


def weighted_anew(cases: bt.Cases, share: Fraction) -> bt.Cases:
    old = cases.weights or [Fraction(1)] * cases.n
    total = {1: cases.positives, 0: cases.negatives}
    wanted = {1: share, 0: 1 - share}
    weights = [w * wanted[label] / total[label] for w, label in zip(old, cases.labels, strict=True)]
    return bt.Cases(cases.labels, cases.scores, weights=weights)


@pytest.mark.parametrize("key", IN_RATES)
def test_the_formula_in_rates_is_the_measure(key: str) -> None:
    explorer = prevalence(SMALL["ten"])
    measure = in_rates(key)
    for share in (Fraction(1, 100), Fraction(1, 2), Fraction(2, 3)):
        for cut in explorer.table.cuts:
            counts = shared.shares(cut, share)
            try:
                wanted = bt.value(key, counts)
            except bt.Undefined:
                with pytest.raises(bt.Undefined):
                    measure(counts)
            else:
                assert measure(counts) == wanted


@pytest.mark.parametrize("key", [*IN_RATES, *RANKED])
def test_what_is_said_to_stand_still_does_and_what_is_said_to_move_does(key: str) -> None:
    found = set()
    for share in (Fraction(1, 10), Fraction(1, 2), Fraction(4, 5)):
        cases = weighted_anew(SMALL["ten"], share)
        found.add(bt.value(key, cases, **({} if key in RANKED else {"top": 6})))
    assert (len(found) > 1) is moves(key)


@pytest.fixture
def few_prevalences(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the rest of the grid would show nothing new, it would only cost time."""
    monkeypatch.setattr(shared, "PERCENT", shared.PERCENT[::14])


@pytest.mark.usefixtures("few_prevalences")
def test_derivations_are_those_of_explain_and_survive_packing() -> None:
    explorer = prevalence(SMALL["rational"])
    packed = explorer._derivations()
    assert set(WORKED_OUT) < set(packed)
    for key in packed:
        for row, share in enumerate(explorer.prevalences):
            for place, cut in enumerate(explorer.table.cuts):
                derivation = bt.explain(in_rates(key), shared.shares(cut, share))
                text = shared.derived(packed[key], row if moves(key) else 0, place)
                assert text == html.fragment(derivation)


def test_with_many_cuts_derivations_are_written_for_some_prevalences_and_with_more_for_none() -> (
    None
):
    twenty = bt.Cases([1, 0] * 10, list(range(20)))
    explorer = prevalence(twenty)
    assert [str(p) for p in explorer.prevalences if explorer._is_derived(p)] == [
        *("1/100", "1/10", "1/5", "3/10", "2/5", "1/2", "3/5", "7/10", "4/5", "9/10")
    ]
    many = prevalence(bt.load("breast_cancer"))
    assert many.state()["derivations"] == {}
    assert "definitions" in many.state()


def test_prevalences_are_whole_percents_the_own_and_the_wanted_one() -> None:
    explorer = prevalence(SMALL["tied"], prevalence="1/3")
    assert len(explorer.prevalences) == 101
    assert explorer.prevalences == sorted(explorer.prevalences)
    assert explorer.prevalences[explorer.own_place] == Fraction(5, 9)
    assert explorer.prevalence == Fraction(1, 3)


def test_traits_follow_each_other() -> None:
    explorer = prevalence(SMALL["ten"], cut=4)
    explorer.prevalence = "0.1"
    assert explorer.prevalence_place == 9
    explorer.prevalence_place = 0
    assert explorer.prevalence == Fraction(1, 100)
    explorer.prevalence = "1/3"
    assert explorer.prevalence == Fraction(1, 3)
    assert explorer.prevalences[explorer.prevalence_place] == Fraction(1, 3)
    explorer.prevalence = "0.2001"
    assert Fraction(1, 3) not in explorer.prevalences
    explorer.prevalence = Fraction(1, 5)
    explorer.measure = "PPV"
    assert repr(explorer) == "Prevalence(10 cases, prevalence=1/5, cut=4, measure='precision')"


def said(view: Any) -> str:
    """The first words of a page."""
    return str(view.root.children[0].children[0].text)


@pytest.mark.parametrize("labels", [[1, 1], [0, 0], [1], [0]])
def test_one_class_is_said_in_words(labels: list[int]) -> None:
    explorer = prevalence(bt.Cases(labels, list(range(len(labels)))))
    view = explorer.build()
    there, missing = ("positive", "negative") if labels[0] else ("negative", "positive")
    assert f"All cases are {there}. Without a {missing} case" in said(view)
    assert explorer.figure("roc").title.text == "ROC curve: stands still"
    with pytest.raises(ValueError, match=r"prevalence is 0\.3, but all cases are of one class"):
        explorer.prevalence = 0.3
    assert f"prevalence={labels[0]}" in repr(explorer)


@pytest.mark.usefixtures("few_prevalences")
def test_figures_have_names() -> None:
    explorer = prevalence(SMALL["two"])
    assert explorer.figure("pr").yaxis[0].axis_label == "precision"
    with pytest.raises(ValueError, match="there are roc, pr, mosaic, measure"):
        explorer.figure("x")


# In a browser ------------------------------------------------------------------------------------

# What the page writes at places of the two sliders.
WRITTEN = """async (places) => {
  const written = []
  for (const [row, k] of places) {
    slider('Prevalence').value = row
    slider('Cases called positive').value = k
    await new Promise((done) => setTimeout(done))
    written.push([text('table'), text('matrix')])
  }
  return written
}"""
ROW = re.compile(
    r'<th scope="row">([^<]*)</th><td[^>]*>[^<]*</td><td>[^<]*</td>'
    r"<td>([^<]*) <small>([^<]*)</small></td>"
)


@pytest.mark.parametrize("name", SMALL)
def test_every_text_is_the_measure_of_the_cases_weighted_anew(
    name: str, chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "PERCENT", shared.PERCENT[::9])
    explorer = prevalence(SMALL[name], prevalence="1/3")
    places = [[row, k] for row in range(len(explorer.prevalences)) for k in explorer.table.k]
    with opened(chromium, explorer.save(tmp_path / "page.html")) as (page, trouble):
        written = page.evaluate(WRITTEN, places)
    assert trouble == []
    for (row, k), (table, matrix) in zip(places, written, strict=True):
        cases = weighted_anew(SMALL[name], explorer.prevalences[row])
        assert cases.prevalence == explorer.prevalences[row]
        assert [tuple(cells) for cells in ROW.findall(table)] == [
            (
                bt.MEASURES[key].title,
                *exact_text(key, cases, **({} if key in RANKED else {"top": k})),
            )
            for key in (*IN_RATES, *RANKED)
        ]
        counts = cases.top(k)
        assert re.findall(r"<b>(.*?)</b><br><span>(.. .*?)</span>", matrix) == [
            (fraction_text(Fraction(cell)), f"{letters} {shared.short_percent(Fraction(cell))}")
            for letters, cell in (
                ("TP", counts.tp),
                ("FP", counts.fp),
                ("FN", counts.fn),
                ("TN", counts.tn),
            )
        ]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    explorer = prevalence(SMALL["ten"], cut=4)
    return explorer.save(tmp_path_factory.mktemp("prevalence") / "ten.html")


@pytest.fixture
def ten(chromium: Any, saved: Path) -> Iterator[tuple[Any, list[str]]]:
    with opened(chromium, saved) as page:
        yield page


def test_the_file_is_small_enough(saved: Path) -> None:
    assert saved.stat().st_size <= 3_000_000


def test_the_sliders_move_precision_and_leave_the_roc_point(ten: tuple[Any, list[str]]) -> None:
    page, trouble = ten
    assert page.evaluate("points('roc')") == {"x": [0.2], "y": [0.6], "text": ["TPR 3/5, FPR 1/5"]}
    assert "precision is 3/4" in page.evaluate("text('summary')")

    page.evaluate("slider('Prevalence').value = 9")
    assert page.evaluate("points('roc')") == {"x": [0.2], "y": [0.6], "text": ["TPR 3/5, FPR 1/5"]}
    assert page.evaluate("points('pr')")["text"] == ["recall 3/5, precision 1/4 = 0.25"]
    assert page.evaluate("text('summary')") == (
        "When the prevalence goes from 50% to 10%, precision falls from 3/4 to 1/4, while "
        "TPR = 3/5 and FPR = 1/5 stand still."
    )
    assert "<b>3/50</b>" in page.evaluate("text('matrix')")
    counts = shared.shares(SMALL["ten"].ranking.cut_at(4), Fraction(1, 10))
    working = html.fragment(bt.explain(in_rates("precision"), counts))
    assert page.evaluate("text('derivation')") == html.STYLE + working

    assert page.evaluate(FOCUS, "Prevalence") == ["Prevalence", "10%"]
    page.keyboard.press("ArrowRight")
    page.wait_for_function("slider('Prevalence').value === 10")
    assert page.evaluate("points('pr')")["text"] == ["recall 3/5, precision 33/122 ≈ 0.2705"]

    page.evaluate(FOCUS, "Cases called positive")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("slider('Cases called positive').value === 5")
    assert page.evaluate("points('roc')")["text"] == ["TPR 4/5, FPR 1/5"]
    assert trouble == []


def test_what_the_page_works_out_is_what_python_does(ten: tuple[Any, list[str]]) -> None:
    page, trouble = ten
    explorer = prevalence(SMALL["ten"])
    for key in IN_RATES:
        page.evaluate("(key) => { switched.args.measure.value = key }", key)
        for cut in explorer.table.cuts[::5]:
            page.evaluate("(k) => { slider('Cases called positive').value = k }", cut.k)
            points = page.evaluate("points('measure')")
            wanted = {}
            for share in explorer.prevalences:
                try:
                    wanted[float(share)] = bt.value(key, shared.shares(cut, share))
                except bt.Undefined:
                    continue
            assert points["x"] == list(wanted)
            assert points["y"] == pytest.approx([float(each) for each in wanted.values()])
            assert [text.split(": ")[1] for text in points["text"]] == [
                with_digits(each) for each in wanted.values()
            ]
    assert trouble == []


def test_the_page_of_large_data_is_exact_too(chromium: Any, tmp_path: Path) -> None:
    cases = bt.load("breast_cancer")
    explorer = prevalence(cases, cut=200, prevalence="1/7")
    with opened(chromium, explorer.save(tmp_path / "large.html")) as (page, trouble):
        rows = ROW.findall(page.evaluate("text('table')"))
        assert trouble == []
    anew = weighted_anew(cases, Fraction(1, 7))
    for key, (title, *written) in zip((*IN_RATES, *RANKED), rows, strict=True):
        assert title == bt.MEASURES[key].title
        top = {} if key in RANKED else {"top": explorer.cut}
        assert tuple(written) == exact_text(key, anew, **top)


@pytest.mark.parametrize("seed", range(3))
def test_an_average_precision_over_many_cuts_is_that_of_the_reweighted_cases(seed: int) -> None:
    chance = Random(seed)
    labels = [1, 0, *(chance.randint(0, 1) for _ in range(98))]
    weights = [chance.randint(1, 9) for _ in labels] if seed == 2 else None
    cases = bt.Cases(labels, [chance.randint(0, 500) for _ in labels], weights=weights)
    explorer = prevalence(cases)
    assert not explorer.table.derived
    for share in (Fraction(1, 100), Fraction(1, 3), Fraction(9, 10)):
        found = explorer.average_precision(share)
        exactly = bt.value("average_precision", weighted_anew(cases, share))
        assert found.low <= exactly <= found.high
        assert found.high - found.low < Fraction(1, 10**20)
        assert found.exactly() == exactly


@pytest.mark.usefixtures("few_prevalences")
def test_hostile_names_do_not_run(chromium: Any, tmp_path: Path) -> None:
    names = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>"]
    cases = bt.Cases(names, [2, 1], names=names, positive=names[0])
    with opened(chromium, prevalence(cases).save(tmp_path / "names.html")) as (page, trouble):
        page.evaluate("slider('Prevalence').value = 3")
        page.wait_for_timeout(200)
        assert page.locator("img").count() == 0
        assert trouble == []


@pytest.mark.usefixtures("few_prevalences")
def test_one_class_opens_without_complaint(chromium: Any, tmp_path: Path) -> None:
    explorer = prevalence(bt.Cases([1, 1], [2, 1]))
    page = chromium.new_page()
    trouble: list[str] = []
    page.on("console", lambda m: trouble.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.goto(explorer.save(tmp_path / "one.html").as_uri())
    page.get_by_text("All cases are positive").wait_for()
    page.close()
    assert trouble == []
