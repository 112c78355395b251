"""Each mistake meets its own diagnosis, and a diagnosis says only what is true.

The wrong values are computed here by hand, from counts and pairs, and not by the code under test.
"""

import math
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from test_questions import asked, seeded

import binteach as bt
from binteach import exact
from binteach.exercises import value_question
from binteach.exercises.answers import Number, read_number
from binteach.exercises.goals import NumberGoal
from binteach.exercises.grammar import is_tiny, near
from binteach.exercises.mistakes import Mistake, diagnose

TEN = bt.load("ten_cases")
F = Fraction


def keys(question: bt.Question, answer: object) -> list[str]:
    outcome = question.check(answer)
    assert outcome.status == "incorrect", outcome
    return [diagnosis.key for diagnosis in outcome.diagnoses]


def about(question: bt.Question, answer: object, key: str) -> list[str]:
    return [d.about for d in question.check(answer).diagnoses if d.key == key]


def counts(seed: int) -> bt.Counts:
    """Counts in which no mistake leads to another's value by chance (mostly)."""
    rng = random.Random(seed)
    return bt.Counts(*rng.sample(range(3, 40), 4))


SEEDS = range(1, 21)


# Named mistakes, computed by hand ---------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_mistakes_on_counts(seed: int) -> None:
    c = counts(seed)
    tp, fp, fn, tn, n = (F(x) for x in (c.tp, c.fp, c.fn, c.tn, c.n))
    precision = bt.question("precision", c)
    right = tp / (tp + fp)
    assert about(precision, tp / (tp + fn), "another_measure")[0] == "sensitivity"
    assert "transposed" in keys(precision, tp / (tp + fn))
    assert "complement" in keys(precision, 1 - right)
    assert "reciprocal" in keys(precision, 1 / right)
    assert "sign_lost" in keys(precision, -right)
    assert keys(precision, 100 * right)[0] == "percentage"
    assert keys(precision, tp)[0] == "not_divided"
    assert "classes_exchanged" in keys(precision, tn / (tn + fn))
    assert "squared" in keys(precision, right**2)
    kappa = bt.question("kappa", c)
    chance = (tp + fp) / n * ((tp + fn) / n) + (fn + tn) / n * ((fp + tn) / n)
    assert "P_e" in about(kappa, chance, "step_on_the_way")
    assert "P₀" in about(kappa, (tp + tn) / n, "step_on_the_way")
    assert "not_divided" in keys(kappa, (tp + tn) / n - chance)
    youden = bt.question("J", c)
    assert keys(youden, tp / (tp + fn) + tn / (tn + fp))[0] == "constant_forgotten"
    f_one = bt.question("F1", c)
    recall = tp / (tp + fn)
    assert keys(f_one, right * recall / (right + recall))[0] == "factor_forgotten"
    f_two = bt.question("f_beta", c, beta=2)
    b = F(2)  # not squared
    wrong = (1 + b) * right * recall / (b * right + recall)
    assert keys(f_two, wrong)[0] == "square_forgotten"
    assert "parameter_left_out" in keys(f_two, bt.value("F1", c))
    assert "parameter_turned_round" in keys(f_two, bt.value("f_beta", c, beta="1/2"))
    cost = bt.question("cost", c, cost_fp=1, cost_fn=5)
    assert "parameter_turned_round" in keys(cost, (5 * fp + fn) / n)
    mcc = bt.question("MCC", c)
    product = (tp + fn) * (tp + fp) * (tn + fp) * (tn + fn)
    top = tp * tn - fp * fn
    if top:
        assert keys(mcc, top / product)[0] == "root_forgotten"
        assert keys(mcc, (tp * tn + fp * fn) / exact.to_sympy(exact.sqrt(product)))[0] == (
            "minus_as_plus"
        )
        assert "sign_lost" in keys(mcc, -float(bt.value("MCC", c)))
        assert "squared" in keys(mcc, top**2 / product)
    g = bt.question("G", c)
    assert keys(g, right * recall)[0] == "root_forgotten"


@pytest.mark.parametrize("seed", SEEDS)
def test_another_base_of_the_logarithm(seed: int) -> None:
    c = counts(seed)
    natural = bt.question("mutual_information", c)
    assert "2" in about(natural, bt.value("MI", c, base=2), "log_base")
    assert "10" in about(natural, f"{float(bt.value('MI', c, base=10)):.8f}", "log_base")
    cases = seeded(seed)
    bits = bt.question("log_loss", cases)
    labels_and_scores = list(zip(cases.labels, map(float, cases.scores), strict=True))
    loss = -sum(math.log(p if y else 1 - p) for y, p in labels_and_scores) / cases.n
    assert "e" in about(bits, loss, "log_base")
    assert "e" in about(bits, f"{loss:.4f}", "log_base")
    score = bt.question("information_score", cases)
    value = float(bt.value("information_score", cases))
    assert "e" in about(score, value * math.log(2), "log_base")


@pytest.mark.parametrize("seed", SEEDS)
def test_mistakes_on_scores(seed: int) -> None:
    cases = seeded(seed)
    pairs = list(zip(cases.labels, cases.scores, strict=True))
    squares = sum((y - p) ** 2 for y, p in pairs)
    brier = bt.question("brier_score", cases)
    assert keys(brier, squares)[0] == "not_divided"
    assert keys(brier, sum((y - p for y, p in pairs), F(0)) / cases.n)[0] == "square_forgotten"
    assert "mean_absolute_error" in about(
        brier, sum(abs(y - p) for y, p in pairs) / cases.n, "another_measure"
    )
    assert "other_class" in keys(brier, sum((y - 1 + p) ** 2 for y, p in pairs) / cases.n)
    assert "rooted" in keys(brier, math.sqrt(squares / cases.n))
    absolute = bt.question("MAE", cases)
    assert keys(absolute, sum((y - p for y, p in pairs), F(0)) / cases.n)[0] == "bars_forgotten"
    hinge = bt.question("hinge_loss", cases, scale=8)
    terms = [1 - (8 * p - 4 if y else 4 - 8 * p) for y, p in pairs]
    assert min(terms) < 0
    assert keys(hinge, sum(terms) / cases.n)[0] == "zero_forgotten"
    rmse = bt.question("RMSE", cases)
    assert keys(rmse, squares / cases.n)[0] == "root_forgotten"
    loss = bt.question("log_loss", cases)
    total = -sum(math.log2(p if y else 1 - p) for y, p in pairs)
    assert keys(loss, total)[0] == "not_divided"
    assert "sign_lost" in keys(loss, -total / cases.n)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_neighbouring_cut(seed: int) -> None:
    cases = seeded(seed)
    ranked = [y for _, y in sorted(zip(cases.scores, cases.labels, strict=True), reverse=True)]
    hits = [F(sum(ranked[:k])) for k in range(len(ranked) + 1)]
    question = bt.question("precision", cases, top=4)
    right = hits[4] / 4
    for k in (3, 5):
        if hits[k] / k != right:
            assert str(k) in about(question, hits[k] / k, "neighbouring_cut")
    for top, bottom in ((4, 5), (4, 3), (5, 4), (3, 4)):
        if hits[top] / bottom != right:
            assert "mixed_cuts" in keys(question, hits[top] / bottom)
    last = F(sum(ranked[-4:])) / 4
    if last != right:
        assert "wrong_end" in keys(question, last)
    quota = bt.question("hit_rate", cases, top=4)
    if hits[5] / 5 != right:
        assert "5" in about(quota, hits[5] / 5, "neighbouring_cut")
    # At the score of the fifth case, > leaves it out and >= takes it in.
    line = sorted(cases.scores, reverse=True)[4]
    at = bt.question("precision", cases, at=line)
    if hits[5] / 5 != right:
        found = keys(at, hits[5] / 5)
        assert "other_rule" in found
        assert found.index("other_rule") < found.index("neighbouring_cut")


@pytest.mark.parametrize("seed", SEEDS)
def test_mistakes_in_the_area_under_the_curve(seed: int) -> None:
    rng = random.Random(seed)
    labels = [1, 0, 1, 0, *(rng.randrange(2) for _ in range(8))]
    scores = [F(5, 10), F(5, 10), *(F(rng.randrange(1, 10), 10) for _ in range(10))]
    cases = bt.Cases(labels, scores)
    ups = [s for y, s in zip(labels, scores, strict=True) if y]
    downs = [s for y, s in zip(labels, scores, strict=True) if not y]
    pairs = len(ups) * len(downs)
    won = sum(u > d for u in ups for d in downs)
    tied = sum(u == d for u in ups for d in downs)
    question = bt.question("auc", cases)
    assert "ties_won" in keys(question, F(won + tied, pairs))
    assert "ties_lost" in keys(question, F(won, pairs))
    assert keys(question, won + F(tied, 2))[0] == "not_divided"
    area = (won + F(tied, 2)) / pairs
    if area != F(1, 2):
        assert {"wrong_end", "complement"} <= set(keys(question, 1 - area))
        assert "gini" in about(question, 2 * area - 1, "another_measure")
    gini = bt.question("gini", cases)
    assert "ties_won" in keys(gini, 2 * F(won + tied, pairs) - 1)
    if 2 * area != 2 * area - 1:
        assert keys(gini, 2 * area)[0] == "constant_forgotten"


@pytest.mark.parametrize("seed", SEEDS)
def test_trapezoids_in_the_place_of_steps(seed: int) -> None:
    cases = seeded(seed)
    ranked = [y for _, y in sorted(zip(cases.scores, cases.labels, strict=True), reverse=True)]
    ups, points = 0, []
    for k, label in enumerate(ranked, 1):
        ups += label
        points.append((F(ups, sum(ranked)), F(ups, k)))
    question = bt.question("average_precision", cases)
    right = question.goal.right()
    for start, name in ((F(1), "(0, 1)"), (F(0), "(0, 0)"), (points[0][1], "the level")):
        line = [(F(0), start), *points]
        wrong = F(0)
        for (x0, y0), (x1, y1) in pairwise(line):
            wrong += (x1 - x0) * (y0 + y1) / 2
        if wrong != right:
            assert name in about(question, wrong, "trapezoids")


def test_a_value_near_the_right_one_is_told_how_far_off_it_is() -> None:
    question = bt.question("MCC", bt.Counts(3, 1, 2, 4))
    assert keys(question, "0.4061") == ["close"]
    assert keys(question, "sqrt(0.167)") == ["close"]
    assert keys(question, "0.77") == []
    assert question.check("0.77").diagnoses == ()


# The whole registry -----------------------------------------------------------------------------


def goal(key: str, seed: int) -> NumberGoal:
    found = asked(key, seed).goal
    assert isinstance(found, NumberGoal)
    return found


@pytest.mark.parametrize("key", bt.MEASURES)
def test_each_mistake_meets_its_own_diagnosis(key: str) -> None:
    for seed in range(1, 5):
        wanted = goal(key, seed)
        if wanted.value is None:
            continue
        assert wanted.mistakes[0].key == "percentage"
        for mistake in wanted.mistakes:
            if is_tiny(mistake.near - wanted.near):
                continue
            answer = Number(mistake.value, "expression", "?")
            found = diagnose(answer, wanted.value, wanted.mistakes)
            assert (mistake.key, mistake.about) in {(d.key, d.about) for d in found}
            written = Number(mistake.near, "expression", exact.rounded(mistake.value, 6), 6)
            outcome = wanted.judge(written.written, lambda: None)
            assert outcome.status != "not_understood"
            if outcome.status == "incorrect":
                assert mistake.key in {d.key for d in outcome.diagnoses}


@pytest.mark.parametrize("key", [k for k, m in bt.MEASURES.items() if m.takes == "counts"])
def test_another_measure_is_named_only_where_it_has_that_value(key: str) -> None:
    for seed in range(1, 5):
        c = counts(seed)
        question = bt.question(key, c)
        for other in bt.MEASURES.values():
            if other.takes != "counts":
                continue
            value = other(c)
            outcome = question.check(value)
            named = [d.about for d in outcome.diagnoses if d.key == "another_measure"]
            for name in named:
                assert is_tiny(near(exact_of(bt.value(name, c))) - near(exact_of(value)))
            if outcome.status == "incorrect" and other.key not in ("f_beta", "f_alpha"):
                assert other.key in named


def exact_of(value: Any) -> Any:
    found = read_number(value)
    assert isinstance(found, Number)
    return found.value


def test_diagnoses_are_sentences_about_the_answer() -> None:
    for key in bt.MEASURES:
        wanted = goal(key, 3)
        for mistake in wanted.mistakes:
            assert mistake.says == mistake.says.strip()
            assert not mistake.says.endswith(".")
            assert "the the" not in mistake.says
            assert "the Cohen's" not in mistake.says
            assert not mistake.remedy or mistake.remedy.endswith(".")


def test_a_wrong_way_to_the_right_value_is_no_mistake() -> None:
    question = bt.question("precision", bt.Counts(1, 1, 1, 1))
    assert question.check("1/2").status == "correct"
    assert "complement" not in keys(question, "1/4")


def test_an_exact_match_comes_before_a_rounded_one() -> None:
    mistakes = [Mistake("rounded", F(667, 1000), "a"), Mistake("exact", F(67, 100), "b")]
    given = read_number("0.67")
    assert isinstance(given, Number)
    found = diagnose(given, F(1, 4), mistakes)
    assert [d.key for d in found] == ["exact", "rounded"]
    assert found[1].sentence == "0.67 is, rounded, a."


def test_a_coarse_answer_is_no_other_measure() -> None:
    # 0.7 is near many values; a diagnosis of it would be a guess.
    question = bt.question("precision", bt.Counts(7, 3, 4, 20))
    for diagnosis in question.check("0.6").diagnoses:
        assert "rounded" not in diagnosis.sentence


@pytest.mark.parametrize(
    "make",
    [
        lambda: bt.question("precision", TEN, at="0.5"),
        lambda: bt.question("prevalence", TEN),
        lambda: bt.question("accuracy", bt.Cases([1, 0, 1], [1, 2, 3], weights=[1, 2, 3]), top=2),
        lambda: bt.question("auc", bt.Cases([1, 0, 1], [1, 2, 3], weights=[1, 2, 3])),
        lambda: bt.question("hinge_loss", TEN, scale=4),
        lambda: bt.question("log_loss", bt.Cases([1, 0, 1], [1, 0, 0.5])),
        lambda: bt.question("precision", bt.load("rare_events"), top=10),
        lambda: bt.question("auc", bt.load("rare_events")),
        lambda: bt.question("brier_score", bt.load("breast_cancer")),
        lambda: bt.question("sensitivity", bt.Counts("0.3", "0.1", "0.2", "0.4")),
        lambda: bt.question("roc_n", TEN, n=2),
        lambda: bt.question("decile_lift", TEN, decile=10),
    ],
)
def test_unusual_data_are_diagnosed_without_fail(make: Callable[[], bt.Question]) -> None:
    question = make()
    assert question.check("7.77").status == "incorrect"
    assert question.goal.mistakes  # type: ignore[attr-defined]
    assert question.check(question.goal.right()).status == "correct"
    assert len(question.hints) >= 2


def test_a_count_is_told_from_the_other_counts_of_its_matrix() -> None:
    first = Mistake("misses", F(5), "what is missed")
    matrix = bt.Counts(tp=7, fp=4, fn=5, tn=23)
    question = value_question("How many are called positive?", 11, data=matrix, mistakes=[first])
    assert question.check(4).message == "4 is FP, the negatives called positive."
    assert question.check(28).message == "28 is FN + TN, all cases called negative."
    assert question.check(39).diagnoses[0].name == "another_count:TP + FP + FN + TN"
    assert keys(question, F(5)) == ["misses"]
    assert keys(question, F(40)) == []
    hidden = value_question("Which share?", "7/25", matrix=matrix)
    assert [keys(hidden, F(n))[0] for n in (7, 28)] == ["another_count", "percentage"]
