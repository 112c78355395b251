"""The prevalence explorer: what it shows is exact, at every class ratio and every cut."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import traitlets
from explorer_pages import FOCUS, opened

import binteach as bt
from binteach.explorers import prevalence
from binteach.explorers import rates as shared
from binteach.explorers.prevalence import IN_RATES, RANKED, WORKED_OUT, in_rates, moves
from binteach.explorers.state import fraction_text
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


def exact_text(key: str, cases: bt.Cases, k: int) -> str:
    """The measure by the weighted cases themselves, not by rates."""
    try:
        return fraction_text(bt.value(key, cases, top=k))
    except bt.Undefined:
        return "undefined"


def weighted_anew(cases: bt.Cases, share: Fraction) -> bt.Cases:
    old = cases.weights or [Fraction(1)] * cases.n
    total = {1: cases.positives, 0: cases.negatives}
    wanted = {1: share, 0: 1 - share}
    weights = [w * wanted[label] / total[label] for w, label in zip(old, cases.labels, strict=True)]
    return bt.Cases(cases.labels, cases.scores, weights=weights)


@pytest.mark.parametrize("name", SMALL)
def test_every_text_is_the_measure_of_the_cases_weighted_anew(name: str) -> None:
    explorer = prevalence(SMALL[name])
    measures, shares = explorer._measures(), explorer._shares()
    assert shares is not None
    for row, share in list(enumerate(explorer.prevalences))[::7]:
        cases = weighted_anew(SMALL[name], share)
        assert cases.prevalence == share
        for key in IN_RATES:
            texts = measures[key]["text"]
            if texts is None:
                continue
            found = texts[row if moves(key) else 0].split("|")
            assert found == [exact_text(key, cases, k) for k in explorer.table.k], (key, share)
        for place, k in enumerate(explorer.table.k):
            counts = cases.top(k)
            cells = [counts.tp, counts.fp, counts.fn, counts.tn]
            found = shares[row].split("|")[4 * place : 4 * place + 4]
            assert found == [fraction_text(Fraction(cell)) for cell in cells]
        found_ap = measures["average_precision"]["text"][row]
        assert found_ap == shared.short_text(bt.value("average_precision", cases))


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
    assert many.state()["shares"] is None
    assert "definitions" in many.state()


def test_prevalences_are_whole_percents_the_own_and_the_wanted_one() -> None:
    explorer = prevalence(SMALL["tied"], prevalence="1/3")
    assert len(explorer.prevalences) == 101
    assert explorer.prevalences == sorted(explorer.prevalences)
    assert explorer.prevalences[explorer.own_place] == Fraction(5, 9)
    assert explorer.prevalence == Fraction(1, 3)


def test_traits_follow_each_other_and_refuse_what_cannot_be() -> None:
    explorer = prevalence(SMALL["ten"], cut=4)
    explorer.prevalence = "0.1"
    assert explorer.prevalence_place == 9
    explorer.prevalence_place = 0
    assert explorer.prevalence == Fraction(1, 100)
    explorer.prevalence = "0.2001"
    assert explorer.prevalence == Fraction(1, 5)
    explorer.cut = 99
    assert explorer.cut == 10
    for wrong in (0, 1, "-0.1", 7):
        with pytest.raises(ValueError, match="between 0 and 1"):
            explorer.prevalence = wrong
    with pytest.raises(ValueError, match="choose one of"):
        explorer.measure = "brier_score"
    with pytest.raises(traitlets.TraitError):
        explorer.set_trait("cut", "four")
    explorer.measure = "PPV"
    assert repr(explorer) == "Prevalence(10 cases, prevalence=1/5, cut=10, measure='precision')"


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
    explorer.prevalence = 0.3
    assert "prevalence" in repr(explorer)


@pytest.mark.usefixtures("few_prevalences")
def test_figures_have_names() -> None:
    explorer = prevalence(SMALL["two"])
    assert explorer.figure("pr").yaxis[0].axis_label == "precision"
    with pytest.raises(ValueError, match="there are roc, pr, mosaic, measure"):
        explorer.figure("x")


# In a browser ------------------------------------------------------------------------------------


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
    assert page.evaluate("points('pr')")["text"] == ["recall 3/5, precision 1/4"]
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
    assert page.evaluate("points('pr')")["text"] == ["recall 3/5, precision 33/122"]

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
            if key != "matthews_correlation":
                assert [text.split(": ")[1] for text in points["text"]] == [
                    fraction_text(each) for each in wanted.values()
                ]
    assert trouble == []


def test_the_page_of_large_data_rounds_what_it_works_out(chromium: Any, tmp_path: Path) -> None:
    cases = bt.load("breast_cancer")
    explorer = prevalence(cases, cut=200)
    with opened(chromium, explorer.save(tmp_path / "large.html")) as (page, trouble):
        page.evaluate("slider('Prevalence').value = 4")
        cut = explorer.table.cuts[explorer.table.place(200)]
        counts = shared.shares(cut, explorer.prevalences[4])
        table = page.evaluate("text('table')")
        for key in IN_RATES:
            value = float(bt.value(key, counts))
            assert f"≈ {value:.4f}" in table or f"≈ {value:.1f}" in table, key
        area = float(bt.value("average_precision", weighted_anew(cases, explorer.prevalences[4])))
        assert f"≈ {area:.4f}" in table
        assert trouble == []


@pytest.mark.usefixtures("few_prevalences")
def test_hostile_names_do_not_run(chromium: Any, tmp_path: Path) -> None:
    names = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>"]
    cases = bt.Cases([1, 0], [2, 1], names=names)
    with opened(chromium, prevalence(cases).save(tmp_path / "names.html")) as (page, trouble):
        page.evaluate("slider('Prevalence').value = 3")
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
