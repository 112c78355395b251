"""Numbers that the bank works out by itself, against slow and independent ways to them."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom, binomtest, norm

import binteach as bt
from binteach.derivation import Table
from binteach.exercises.lessons import plan
from binteach.expr import Num, Rounded

SEEDS = [f"value-{number}" for number in range(12)]


def questions(key: str) -> Iterator[bt.Question]:
    """The question of this key, for some seeds."""
    name, exercise_key = key.split(".")[0], ".".join(key.split(".")[:2])
    exercise = next(each for each in plan(name).exercises if each.key == exercise_key)
    for seed in SEEDS:
        yield next(question for question in exercise.questions(seed) if question.key == key)


def right(question: bt.Question) -> Any:
    return question.goal.right()


def mistakes(question: bt.Question) -> dict[str, Any]:
    """The answers that are named mistakes, by their keys."""
    return {mistake.key: mistake.answer for mistake in question.named}


def cases_of(question: bt.Question) -> bt.Cases:
    assert isinstance(question.data, bt.Cases)
    return question.data


def classes(cases: bt.Cases) -> list[int]:
    """The classes from the highest score to the lowest."""
    ranked = sorted(zip(cases.scores, cases.labels, strict=True), reverse=True)
    return [label for _, label in ranked]


def numbers(question: bt.Question) -> list[Fraction]:
    """The numbers in the statement, in their order."""
    return [Fraction(found) for found in re.findall(r"\d+(?:\.\d+)?", question.statement)]


def written(cell: Any) -> float:
    """The number in a cell of a table."""
    if isinstance(cell, Num):
        return float(cell.value)
    return float(cell.digits if isinstance(cell, Rounded) else cell)


def rows(question: bt.Question, first: int = 0) -> list[list[float]]:
    """The numbers of a table, row by row, from a column on."""
    assert isinstance(question.data, Table)
    return [
        [written(cell) for cell in row[first:] if cell != ""]
        for row in question.data.rows
        if not isinstance(row, int)
    ]


def auc(found: list[int]) -> Fraction:
    """The AUC of classes from top to bottom, by counting pairs."""
    pairs = [(i, j) for i, p in enumerate(found) for j, q in enumerate(found) if p and not q]
    return Fraction(sum(i < j for i, j in pairs), len(pairs))


# ROC and precision-recall -----------------------------------------------------------------------


def test_the_area_under_reported_points_is_that_of_numpy() -> None:
    for question in questions("roc.area_by_trapezoids"):
        x, y = zip((0, 0), *rows(question), (1, 1), strict=True)
        assert float(right(question)) == pytest.approx(np.trapezoid(y, x))
        wrong = {key: float(value) for key, value in mistakes(question).items()}
        assert wrong["lower_rectangles"] == pytest.approx(np.diff(x) @ np.array(y)[:-1])
        assert wrong["upper_rectangles"] == pytest.approx(np.diff(x) @ np.array(y)[1:])
        assert wrong["ends_forgotten"] == pytest.approx(np.trapezoid(y[1:-1], x[1:-1]))


def test_the_ranks_of_the_negatives_add_up_to_the_sum_asked_for() -> None:
    for question in questions("roc.area_by_ranks.a"):
        found = classes(cases_of(question))
        assert right(question) == sum(rank for rank, label in enumerate(found, 1) if not label)
        assert mistakes(question) == {
            "wrong_end": sum(rank for rank, label in enumerate(found[::-1], 1) if not label),
            "other_class": sum(rank for rank, label in enumerate(found, 1) if label),
            "ranks_from_zero": sum(rank for rank, label in enumerate(found) if not label),
        }


def test_the_two_rates_are_farthest_apart_at_the_cut_asked_for() -> None:
    for question in questions("roc.largest_distance.b"):
        found = classes(cases_of(question))
        gaps = [
            abs(Fraction(sum(found[:k]), 4) - Fraction(found[:k].count(0), 6)) for k in range(11)
        ]
        assert [k for k, gap in enumerate(gaps) if gap == max(gaps)] == [right(question)]


def test_error_rates_taken_for_the_equal_one_are_what_they_are_said_to_be() -> None:
    for question in questions("roc.equal_errors"):
        found = classes(cases_of(question))
        wrong = [(found[:k].count(0), found[k:].count(1)) for k in range(12)]
        assert mistakes(question)["least_error_rate"] == Fraction(min(map(sum, wrong)), 11)
        rates = [(Fraction(fp, 6), Fraction(fn, 5)) for fp, fn in wrong]
        nearest = min(abs(fpr - fnr) for fpr, fnr in rates)
        means = [(fpr + fnr) / 2 for fpr, fnr in rates if abs(fpr - fnr) == nearest]
        assert mistakes(question)["mean_of_rates"] in means


def test_straight_lines_under_berrars_curve_have_the_area_that_is_known() -> None:
    question = next(questions("precision_recall.straight_lines_in_place_of_steps"))
    assert right(question) == Fraction(6857, 8400)
    assert mistakes(question)["other_start"] == Fraction(6017, 8400)
    assert mistakes(question)["steps"] == Fraction(167, 200)


# Quotas -----------------------------------------------------------------------------------------


def test_drawing_lots_finds_the_share_that_all_drawings_find_on_average() -> None:
    # The numbers of the questions are too large for all drawings: the same with small ones.
    n, positives, quota = 6, 3, 2
    drawings = list(combinations(range(n), quota))
    found = sum(sum(place < positives for place in drawing) for drawing in drawings)
    assert Fraction(found, positives * len(drawings)) == Fraction(quota, n)
    for question in questions("quota.between_luck_and_knowledge.a"):
        quota_, n_, _ = numbers(question)
        assert right(question) == quota_ / n_
    for question in questions("quota.between_luck_and_knowledge.b"):
        quota_, _, positives_ = numbers(question)
        assert right(question) == quota_ / positives_


def test_a_quota_that_ends_in_a_tie_has_the_mean_of_all_orders_of_the_tie() -> None:
    for question in questions("quota.quota_that_ends_in_a_tie"):
        cases, top = cases_of(question), int(numbers(question)[0])
        tied = next(score for score in cases.scores if cases.scores.count(score) == 3)
        scored = list(zip(cases.labels, cases.scores, strict=True))
        above = [label for label, score in scored if score > tied]
        block = [label for label, score in scored if score == tied]
        chosen = list(combinations(block, top - len(above)))
        rates = [Fraction(sum(above) + sum(each), top) for each in chosen]
        assert right(question) == sum(rates, Fraction(0)) / len(rates)
        whole = Fraction(sum(above) + sum(block), len(above) + len(block))
        expected = {"ties_won": max(rates), "ties_lost": min(rates), "tie_taken_whole": whole}
        assert mistakes(question) == expected


def test_qrecalls_averaged_over_other_quotas_are_what_they_are_said_to_be() -> None:
    for question in questions("quota.average_qrecall"):
        found = classes(cases_of(question))
        qrecalls = [Fraction(sum(found[:j]), 4) for j in range(1, 9)]
        assert right(question) == sum(qrecalls[3:]) / 5
        assert mistakes(question)["starts_late"] == sum(qrecalls[4:]) / 4
        assert mistakes(question)["all_quotas"] == sum(qrecalls) / 8


def test_the_area_that_can_be_gained_is_half_the_number_of_negatives() -> None:
    for question in questions("quota.extract_measure.a"):
        n, positives = numbers(question)[:2]
        assert right(question) == (n - positives) / 2


# Comparing --------------------------------------------------------------------------------------


def height(cases: bt.Cases, x: Fraction) -> Fraction:
    """The highest point of the ROC curve over a false positive rate."""
    return max(point.y for point in bt.curve("roc", cases).points if point.x == x)


def test_the_curve_said_to_lie_above_the_other_does() -> None:
    seen = set()
    for question in questions("compare.curve_above_the_other"):
        assert isinstance(question.data, dict)
        a, b = question.data.values()
        assert a.labels == b.labels
        shares = [Fraction(k, 4) for k in range(5)]
        signs = {np.sign(float(height(a, x) - height(b, x))) for x in shares} - {0}
        words = {(1,): "A's curve lies above B's", (-1,): "B's curve lies above A's"}
        assert right(question) == words.get(tuple(signs), "they cross")
        seen.add(right(question))
    assert len(seen) == 3


def test_only_one_of_the_four_measures_prefers_the_other_model() -> None:
    for question in questions("compare.measure_that_prefers_the_other"):
        assert isinstance(question.data, dict)
        a, b = question.data.values()
        names = [question.goal.right(), *(mistake.answer for mistake in question.named)]
        better = [
            name
            for name in names
            if bt.value(name.removeprefix("the "), b) > bt.value(name.removeprefix("the "), a)
        ]
        assert better == [right(question)]


def test_the_precision_in_the_country_is_that_of_its_matrix() -> None:
    for question in questions("compare.from_the_study_to_the_country"):
        study, ill = question.data, numbers(question)[0]
        assert isinstance(study, bt.Counts)
        country = bt.Counts(
            tp=study.tp * ill,
            fp=study.fp * (100 - ill),
            fn=study.fn * ill,
            tn=study.tn * (100 - ill),
        )
        assert right(question) == bt.value("precision", country)


def test_no_cut_is_cheaper_than_the_one_asked_for() -> None:
    for question in questions("compare.cheapest_cut.b"):
        cases = cases_of(question)
        cost_fp, _, cost_fn = numbers(question)[:3]  # between them stands the class
        costs = {
            k: bt.value("expected_cost", cases, top=k, cost_fp=cost_fp, cost_fn=cost_fn)
            for k in range(cases.n + 1)
        }
        cheapest = [k for k, cost in costs.items() if cost == min(costs.values())]
        assert cheapest == [right(question)]
        errors = [bt.value("error_rate", cases, top=k) for k in range(cases.n + 1)]
        assert mistakes(question)["costs_ignored"] == errors.index(min(errors))


def test_the_p_value_of_two_models_is_that_of_scipy() -> None:
    key = "compare.cases_that_tell_two_models_apart"
    for which, test in zip(questions(f"{key}.a"), questions(f"{key}.b"), strict=True):
        calls = [
            ((a > 0.5) == bool(label), (b > 0.5) == bool(label), int(case))
            for case, label, a, b in rows(which)
        ]
        only_a = [str(case) for a, b, case in calls if a and not b]
        only_b = [str(case) for a, b, case in calls if b and not a]
        assert right(which) == only_a
        b, c = len(only_a), len(only_b)
        assert float(right(test)) == pytest.approx(binomtest(b, b + c).pvalue)


# Inference --------------------------------------------------------------------------------------


def test_ends_of_intervals_are_those_of_scipy() -> None:
    ends = {"wilson_interval": ("wilson", 0), "exact_interval": ("exact", 1)}
    for key, (method, end) in ends.items():
        for question in questions(f"inference.{key}"):
            r, n = (int(number) for number in numbers(question)[:2])
            found = binomtest(r, n).proportion_ci(0.95, method=method)
            assert float(right(question)) == pytest.approx(found[end], rel=1e-9)
    for question in questions("inference.wald_interval.b"):
        r, n = (int(number) for number in numbers(question)[:2])
        error = float(np.sqrt(r / n * (1 - r / n) / n))
        assert float(right(question)) == pytest.approx(r / n - norm.ppf(0.975) * error)
        assert round(float(right(question)), 3) == round(r / n - 1.96 * error, 3)


def test_the_interval_holds_the_share_as_often_as_scipy_says() -> None:
    for question in questions("inference.how_often_it_holds"):
        n, share = int(numbers(question)[1]), float(numbers(question)[2])
        holding = [int(r) for r, low, high in rows(question) if low <= share <= high]
        assert float(right(question)) == pytest.approx(binom.pmf(holding, n, share).sum())
        assert right(question) < Fraction(19, 20)


def test_the_exact_p_value_counts_every_arrangement() -> None:
    for question in questions("inference.all_permutations"):
        found = classes(cases_of(question))
        n = len(found)
        ways = [
            auc([int(place in chosen) for place in range(n)])
            for chosen in combinations(range(n), sum(found))
        ]
        extreme = sum(way >= auc(found) for way in ways)
        assert right(question) == Fraction(extreme, len(ways))
        larger = sum(way > auc(found) for way in ways)
        assert mistakes(question)["strictly_larger"] == Fraction(larger, len(ways))


def test_a_case_is_out_of_the_bag_in_this_share_of_all_draws() -> None:
    for question in questions("inference.out_of_the_bag.b"):
        n = int(numbers(question)[0])
        if n > 6:  # there are n^n draws
            continue
        draws = list(product(range(n), repeat=n))
        assert right(question) == Fraction(sum(0 not in draw for draw in draws), len(draws))


def test_the_end_of_a_percentile_interval_is_numpys_quantile() -> None:
    for question in questions("inference.percentile_interval"):
        values = [value for row in rows(question, first=1) for value in row]
        assert len(values) == 41
        share = 0.95 if "upper end" in question.statement else 0.05
        assert float(right(question)) == pytest.approx(np.quantile(values, share))
        wrong = {key: float(value) for key, value in mistakes(question).items()}
        assert wrong["other_end"] == pytest.approx(np.quantile(values, 1 - share))
        assert wrong["extreme"] == (max(values) if share > 0.5 else min(values))
        outer = 0.9 if share > 0.5 else 0.1
        assert wrong["not_halved"] == pytest.approx(np.quantile(values, outer))
