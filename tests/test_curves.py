"""Curves: every point is exact, belongs to a cut, and agrees with counting by hand."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import binteach as bt
from binteach.curves import CURVES, Point

TEN = bt.load("ten_cases")
TIED = bt.load("murphy_2")
NAMES = ["roc", "roc_hull", "pr", "tpr_fpr", "gain", "lift", "hit_rate", "qrecall"]
BY_PLACE = ["gain", "lift", "hit_rate", "qrecall"]
Triple = tuple[Fraction | int, Fraction | int, int]


@st.composite
def some_cases(draw: st.DrawFn, weighted: bool = False) -> bt.Cases:
    """Both classes, and few different scores, so that there are ties."""
    n = draw(st.integers(2, 14))
    labels = draw(
        st.permutations([1, 0, *draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))])
    )
    scores = draw(st.lists(st.integers(0, 7), min_size=n + 2, max_size=n + 2))
    weights = None
    if weighted:
        halves = draw(st.lists(st.integers(1, 6), min_size=n + 2, max_size=n + 2))
        weights = [Fraction(half, 2) for half in halves]
    return bt.Cases(labels, [Fraction(score, 7) for score in scores], weights=weights)


# By hand --------------------------------------------------------------------------------------


def counted(cases: bt.Cases) -> list[tuple[int, Fraction, Fraction]]:
    """(cases, positives, negatives) at or above each score, after a start with nothing."""
    weights = cases.weights or [Fraction(1)] * cases.n
    rows = list(zip(cases.labels, cases.scores, weights, strict=True))
    found = [(0, Fraction(0), Fraction(0))]
    for line in sorted(set(cases.scores), reverse=True):
        above = [(label, weight) for label, score, weight in rows if score >= line]
        ups = sum((weight for label, weight in above if label == 1), Fraction(0))
        downs = sum((weight for label, weight in above if label == 0), Fraction(0))
        found.append((len(above), ups, downs))
    return found


def rates(cases: bt.Cases) -> list[Triple]:
    """(FPR, TPR, cut) for each threshold."""
    up, down = Fraction(cases.positives), Fraction(cases.negatives)
    return [(fp / down, tp / up, k) for k, tp, fp in counted(cases)]


def hits(cases: bt.Cases) -> list[Fraction]:
    """Positives expected among the first 0, 1, ..., n cases; a tied block is spread evenly."""
    found = [Fraction(0)]
    for line in sorted(set(cases.scores), reverse=True):
        block = [y for y, score in zip(cases.labels, cases.scores, strict=True) if score == line]
        found += [
            found[-1] + Fraction(sum(block), len(block)) * k for k in range(1, len(block) + 1)
        ]
    return found


def area(points: Sequence[Point]) -> Fraction:
    return sum(((b.x - a.x) * (a.y + b.y) / 2 for a, b in pairwise(points)), Fraction(0))


def plain(points: Sequence[Point]) -> list[Triple]:
    assert all(type(point.x) is Fraction and type(point.y) is Fraction for point in points)
    return [(point.x, point.y, point.cut) for point in points]


# By threshold ---------------------------------------------------------------------------------


@given(some_cases() | some_cases(weighted=True))
def test_roc_points_are_the_rates_at_every_threshold(cases: bt.Cases) -> None:
    curve = bt.curve("roc", cases)
    assert plain(curve.points) == rates(cases)
    assert plain(curve.points)[0] == (0, 0, 0)
    assert plain(curve.points)[-1] == (1, 1, cases.n)
    assert area(curve.points) == bt.value("auc", cases)


@given(some_cases() | some_cases(weighted=True))
def test_precision_recall_points_are_precision_and_recall(cases: bt.Cases) -> None:
    up = Fraction(cases.positives)
    points = bt.curve("pr", cases).points
    assert plain(points) == [(tp / up, tp / (tp + fp), k) for k, tp, fp in counted(cases)[1:]]
    assert plain(points)[-1] == (1, cases.prevalence, cases.n)


@given(some_cases() | some_cases(weighted=True))
def test_precision_recall_points_follow_from_roc_points(cases: bt.Cases) -> None:
    pi = cases.prevalence
    expected = [
        (tpr, pi * tpr / (pi * tpr + (1 - pi) * fpr), k)
        for fpr, tpr, k in plain(bt.curve("roc", cases).points)
        if k
    ]
    assert plain(bt.curve("pr", cases).points) == expected


@given(some_cases() | some_cases(weighted=True))
def test_the_hull_is_the_smallest_concave_cover(cases: bt.Cases) -> None:
    roc, hull = bt.curve("roc", cases).points, bt.curve("roc_hull", cases).points
    assert set(hull) <= set(roc)
    assert (hull[0], hull[-1]) == (roc[0], roc[-1])
    for a, b, c in zip(hull, hull[1:], hull[2:], strict=False):
        # The path bends to the right at every corner: a corner on a straight line is none.
        assert (b.x - a.x) * (c.y - b.y) < (b.y - a.y) * (c.x - b.x)
    for point in roc:
        for a, b in pairwise(hull):
            if a.x <= point.x <= b.x:
                assert (point.y - a.y) * (b.x - a.x) <= (b.y - a.y) * (point.x - a.x)
    assert area(hull) == bt.value("auch", cases)
    assert area(hull) >= area(roc)


def test_the_hull_of_the_ten_cases_is_berrars() -> None:
    corners = plain(bt.curve("roc_hull", TEN).points)
    assert [(x, y) for x, y, _ in corners] == [
        (0, 0),
        (0, Fraction(2, 5)),
        (Fraction(1, 5), Fraction(4, 5)),
        (Fraction(3, 5), 1),
        (1, 1),
    ]
    assert [cut for *_, cut in corners] == [0, 2, 5, 8, 10]


@given(some_cases() | some_cases(weighted=True))
def test_the_tpr_fpr_plot_has_both_rates_over_the_cuts(cases: bt.Cases) -> None:
    curve = bt.curve("tpr_fpr", cases)
    assert list(curve.series) == ["TPR", "FPR"]
    assert plain(curve.series["TPR"]) == [(k, tpr, k) for _, tpr, k in rates(cases)]
    assert plain(curve.series["FPR"]) == [(k, fpr, k) for fpr, _, k in rates(cases)]
    gaps = [
        abs(up.y - down.y)
        for up, down in zip(curve.series["TPR"], curve.series["FPR"], strict=True)
    ]
    assert max(gaps) == bt.value("ks", cases)


def test_ties_cross_a_threshold_together() -> None:
    assert [point.cut for point in bt.curve("roc", TIED).points] == [0, 1, 2, 3, 5, 6, 8, 9]
    assert [point.cut for point in bt.curve("pr", TIED).points] == [1, 2, 3, 5, 6, 8, 9]
    # At 0.6 a positive and a negative go over together, so the curve runs aslant.
    assert plain(bt.curve("roc", TIED).points)[3:5] == [
        (0, Fraction(3, 5), 3),
        (Fraction(1, 4), Fraction(4, 5), 5),
    ]


def test_a_constant_score_has_two_operating_points() -> None:
    cases = bt.Cases([1, 0, 0], ["0.5"] * 3)
    for name in ("roc", "roc_hull"):
        assert plain(bt.curve(name, cases).points) == [(0, 0, 0), (1, 1, 3)]
    assert plain(bt.curve("pr", cases).points) == [(1, Fraction(1, 3), 3)]


@given(some_cases(), st.data())
def test_a_weight_of_two_is_a_case_twice(cases: bt.Cases, data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.integers(1, 3), min_size=cases.n, max_size=cases.n))
    weighted = bt.Cases(cases.labels, cases.scores, weights=weights)
    repeated = bt.Cases(
        [y for y, weight in zip(cases.labels, weights, strict=True) for _ in range(weight)],
        [p for p, weight in zip(cases.scores, weights, strict=True) for _ in range(weight)],
    )
    for name in ("roc", "roc_hull", "pr"):
        left, right = bt.curve(name, weighted).points, bt.curve(name, repeated).points
        assert [(point.x, point.y) for point in left] == [(point.x, point.y) for point in right]


def test_a_case_of_weight_zero_makes_no_cut() -> None:
    weighted = bt.Cases([1, 0, 1, 0], [4, 3, 2, 1], weights=[1, 0, 2, 1])
    for name in ("roc", "pr", "tpr_fpr"):
        assert {point.cut for point in bt.curve(name, weighted).points} - {0} == {1, 3, 4}


# By place -------------------------------------------------------------------------------------


@given(some_cases())
def test_gain_lift_and_hit_rate_spread_ties_evenly(cases: bt.Cases) -> None:
    found, pi = hits(cases), cases.prevalence
    gain, lift, hit_rate = (bt.curve(name, cases) for name in ("gain", "lift", "hit_rate"))
    places = range(1, cases.n + 1)
    assert plain(gain.series["model"]) == [(j, found[j], j) for j in range(cases.n + 1)]
    assert plain(gain.series["random"]) == [(j, j * pi, j) for j in range(cases.n + 1)]
    assert plain(lift.series["model"]) == [(j, found[j] / j / pi, j) for j in places]
    assert plain(lift.series["random"]) == [(j, 1, j) for j in places]
    assert plain(hit_rate.series["model"]) == [(j, found[j] / j, j) for j in places]
    assert plain(hit_rate.series["random"]) == [(j, pi, j) for j in places]


@given(some_cases())
def test_qrecall_has_the_model_a_random_and_an_optimal_order(cases: bt.Cases) -> None:
    found, ups, n = hits(cases), Fraction(cases.positives), cases.n
    curve = bt.curve("qrecall", cases)
    assert list(curve.series) == ["model", "random", "optimal"]
    assert plain(curve.series["model"]) == [(j, found[j] / ups, j) for j in range(n + 1)]
    assert plain(curve.series["random"]) == [(j, Fraction(j, n), j) for j in range(n + 1)]
    assert plain(curve.series["optimal"]) == [
        (j, min(j / ups, Fraction(1)), j) for j in range(n + 1)
    ]
    for model, optimal in zip(curve.series["model"], curve.series["optimal"], strict=True):
        assert model.y <= optimal.y
    assert plain(curve.points)[0] == (0, 0, 0)
    assert plain(curve.points)[-1] == (n, 1, n)


@given(some_cases())
def test_curves_hold_the_quota_measures_at_every_place(cases: bt.Cases) -> None:
    for name, measure in (("hit_rate", "hit_rate"), ("qrecall", "qrecall"), ("lift", "quota_lift")):
        for point in bt.curve(name, cases).points:
            if point.cut:
                assert point.y == bt.value(measure, cases, top=point.cut)


def test_a_tied_block_rises_in_a_straight_line() -> None:
    # Places 4 and 5 of Murphy's second ranking share a positive, and so do 7 and 8.
    heights = [str(point.y) for point in bt.curve("gain", TIED).points]
    assert heights == ["0", "1", "2", "3", "7/2", "4", "4", "9/2", "5", "5"]


@pytest.mark.parametrize("name", BY_PLACE)
def test_a_weighted_case_has_no_single_place(name: str) -> None:
    with pytest.raises(ValueError, match="weighted cases have no single place"):
        bt.curve(name, bt.Cases([1, 0], [2, 1], weights=[1, 2]))


# What does not exist --------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_curve_without_positives_says_what_is_missing(name: str) -> None:
    alone = bt.Cases([0, 0, 0], ["0.1", "0.2", "0.2"])
    if name in ("gain", "hit_rate"):
        assert {point.y for point in bt.curve(name, alone).points} == {0}
        return
    with pytest.raises(bt.Undefined, match=r"^there is no positive case, so the .* has no recall$"):
        bt.curve(name, alone)


@pytest.mark.parametrize("name", NAMES)
def test_a_curve_without_negatives_says_what_is_missing(name: str) -> None:
    alone = bt.Cases([1, 1, 1], ["0.1", "0.2", "0.2"])
    if name not in ("roc", "roc_hull", "tpr_fpr"):
        assert bt.curve(name, alone).points
        return
    with pytest.raises(bt.Undefined) as missing:
        bt.curve(name, alone)
    assert missing.value.reason.startswith("there is no negative case, so the ")
    assert missing.value.reason.endswith(" has no false positive rate")


@pytest.mark.parametrize("name", ["rok", "", "ROC", "x" * 1000])
def test_a_wrong_name_lists_the_right_ones(name: str) -> None:
    with pytest.raises(ValueError, match="there is no curve") as refused:
        bt.curve(name, TEN)
    assert str(refused.value).endswith("there are " + ", ".join(NAMES))
    assert len(str(refused.value)) < 200


def test_curves_are_drawn_from_cases_alone() -> None:
    with pytest.raises(ValueError, match="drawn from Cases, not from Counts"):
        bt.curve("roc", bt.Counts(3, 1, 2, 4))  # type: ignore[arg-type]


# Shown ----------------------------------------------------------------------------------------


def test_there_are_eight_curves() -> None:
    assert list(CURVES) == NAMES


@pytest.mark.parametrize(
    "cases", [TEN, TIED, bt.load("arbel_good")], ids=["ten", "tied", "hundred"]
)
@pytest.mark.parametrize("name", NAMES)
def test_a_curve_shows_itself_always_alike(name: str, cases: bt.Cases) -> None:
    curve, again = bt.curve(name, cases), bt.curve(name, cases)
    assert curve == again
    assert str(curve) == str(again)
    assert curve._repr_html_() == again._repr_html_()
    assert repr(curve) == f"Curve({name!r}, {len(curve.points)} points)"
    assert str(curve).startswith(f"{curve.title}\n===")
    assert max(map(len, str(curve).splitlines())) <= 80
    assert curve.title in curve._repr_html_()
    assert "<table" in curve._repr_html_()
    assert len(curve) == len(curve.points)


def test_a_curve_is_shown_as_a_table_of_its_points() -> None:
    rows = [row.split() for row in str(bt.curve("pr", TEN)).splitlines()]
    assert ["4", "3/5", "3/4"] in rows
    rows = [row.split() for row in str(bt.curve("tpr_fpr", TEN)).splitlines()]
    assert ["4", "3/5", "1/5"] in rows
    rows = [row.split() for row in str(bt.curve("qrecall", bt.load("arbel_2"))).splitlines()]
    assert ["7", "1", "7/10", "1"] in rows


def test_the_middle_of_a_long_curve_is_left_out() -> None:
    curve = bt.curve("gain", bt.load("arbel_good"))
    table = curve.table()
    shown = [row for row in table.rows if not isinstance(row, int)]
    (hidden,) = [row for row in table.rows if isinstance(row, int)]
    assert hidden == len(curve) - len(shown) > 0
    assert f"({hidden} more)" in str(curve)
    assert [row[0] for row in shown][:2] == ["0", "1"]
    assert shown[-1][0] == "100"
