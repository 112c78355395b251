"""Composite measures: one number from two or more elementary ones."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from binteach.cases import Counts, decimal_text
from binteach.data import load
from binteach.exercises.draw import Draw
from binteach.exercises.examples import Condition
from binteach.exercises.formulas import WrongFormula
from binteach.exercises.mistakes import Mistake
from binteach.exercises.plan import Plan
from binteach.exercises.question import (
    Named,
    Question,
    example_question,
    formula_question,
    question,
    value_question,
)
from binteach.measures import measure

plan = Plan(
    "composite",
    "Composite measures",
    "Youden's index, likelihood ratios, the F- and G-measures, correlation, kappa and costs.",
)


@plan.exercise
def youden_of_a_test(draw: Draw) -> Question:
    return question(
        "youden_index",
        draw.counts(),
        statement="What is the Youden index of this test?",
        title="Youden index",
    ).naming(
        "constant_forgotten", "another_measure:balanced_accuracy", "step_on_the_way:sensitivity"
    )


@plan.exercise
def youden_at_the_best_cut(draw: Draw) -> Question:
    cases = draw.cases()
    best = measure("max_youden")(cases)
    youden = measure("youden_index")
    cut = next(k for k in range(cases.n + 1) if youden(cases, top=k) == best)
    return question(
        "max_youden",
        cases,
        mistakes=[
            Mistake(
                "constant_forgotten",
                best + 1,
                "the largest sum of sensitivity and specificity",
                "Take 1 off.",
            ),
            Mistake(
                "cut_for_value",
                Fraction(cut),
                "how many cases are called positive where the index is largest",
                "Asked is the index there.",
            ),
            Mistake(
                "half_of_the_cases",
                youden(cases, top=5),
                "the Youden index with half of the cases called positive",
                "Another cut is better.",
            ),
        ],
        statement="What is the largest Youden index that any cut of this ranking has?",
        title="Youden index at the best cut",
        hints=[
            "The index is TPR − FPR: it grows with every positive and falls with every negative.",
            "Go down the list: each positive adds 1/5, each negative takes 1/5 off.",
        ],
    ).naming("constant_forgotten", "cut_for_value", "half_of_the_cases")


@plan.exercise
def balanced_accuracy_of_unequal_classes(draw: Draw) -> Question:
    counts = Counts(
        tp=draw.whole(3, 8), fp=draw.whole(10, 30), fn=draw.whole(2, 7), tn=draw.whole(90, 160)
    )
    return question(
        "balanced_accuracy",
        counts,
        statement="One class is far larger than the other. What is the balanced accuracy?",
        title="Balanced accuracy of unequal classes",
    ).naming("another_measure:accuracy", "not_divided", "another_measure:youden_index")


@plan.parts(2)
def odds_after_a_positive_result(draw: Draw) -> tuple[Question, Question]:
    counts = draw.counts()
    ratio = question(
        "positive_likelihood_ratio",
        counts,
        statement="What is the positive likelihood ratio of this test?",
        title="Positive likelihood ratio",
    ).naming(
        "another_measure:negative_likelihood_ratio",
        "another_measure:diagnostic_odds_ratio",
        "reciprocal",
    )
    against = draw.choice((3, 4, 7, 9))
    before, after = Fraction(1, against), measure("positive_likelihood_ratio")(counts)
    odds = before * after
    return ratio, value_question(
        "A likelihood ratio turns odds before a test into odds after it. A patient's odds to be "
        f"ill were 1 : {against}; now the test is positive. What are the odds?",
        odds,
        title="Odds after a positive result",
        data=counts,
        hints=[
            "Odds after = likelihood ratio × odds before.",
            f"After a positive result the positive likelihood ratio counts, {after}.",
        ],
        mistakes=[
            Mistake(
                "wrong_ratio",
                before * measure("negative_likelihood_ratio")(counts),
                "the odds after a negative result",
                "Take the positive likelihood ratio.",
            ),
            Mistake(
                "probability",
                odds / (1 + odds),
                "the probability that belongs to the odds",
                "Odds of a : b are the quotient a / b; the probability is a / (a + b).",
            ),
            Mistake(
                "probability_for_odds",
                after / (against + 1),
                "the likelihood ratio times the probability before the test",
                f"The odds 1 : {against} are 1/{against}.",
            ),
        ],
        solution=f"The positive likelihood ratio is {after}. The odds after the result are "
        f"{after} · 1/{against} = {odds}.",
        follows=ratio,
        carry=lambda given: given * before,
    )


@plan.exercise
def negative_likelihood_ratio_of_ten_cases(draw: Draw) -> Question:
    del draw  # the ten cases are the same for all
    return question(
        "negative_likelihood_ratio",
        load("ten_cases"),
        top=4,
        statement="What is the negative likelihood ratio at t₅, where the four top-ranked of these "
        "ten cases are called positive?",
        title="Negative likelihood ratio of ten cases",
    ).naming(
        "another_measure:positive_likelihood_ratio",
        "another_measure:diagnostic_odds_ratio",
        "neighbouring_cut:5",
    )


def _mean(counts: Counts) -> Mistake:
    """The plain mean of precision and recall, a mistake for every other mean."""
    both = measure("precision")(counts) + measure("sensitivity")(counts)
    return Mistake(
        "arithmetic_mean",
        both / 2,
        "the arithmetic mean of precision and recall",
        "Another mean is asked for.",
    )


@plan.exercise
def f_measure_at_a_cut(draw: Draw) -> Question:
    cases, top = draw.cases(), draw.choice((3, 4, 6, 7))
    return question(
        "f_measure",
        cases,
        top=top,
        mistakes=[_mean(cases.top(top))],
        statement=f"A search engine finds ten pages and shows the {top} with the highest scores; "
        "pages of class 1 are what was looked for. What is the F-measure?",
        title="F-measure of a search",
    ).naming("arithmetic_mean", "factor_forgotten", "another_measure:g_measure")


@plan.exercise
def f_measure_with_weights(draw: Draw) -> Question:
    beta = draw.choice((Fraction(2), Fraction(3), Fraction(1, 2)))
    favoured = "recall" if beta > 1 else "precision"
    return question(
        "f_beta",
        draw.counts(),
        beta=beta,
        statement=f"What is the F_β-measure with β = {beta}, in which {favoured} counts more?",
        title=f"F-measure with β = {beta}",
    ).naming("square_forgotten", "parameter_left_out", "parameter_turned_round")


@plan.exercise
def alpha_from_beta(draw: Draw) -> Question:
    beta = draw.choice((Fraction(2), Fraction(3), Fraction(1, 2)))
    right = 1 / (1 + beta**2)
    return value_question(
        "The weights of an F-measure are written in two ways: as β, or as the weight α of "
        "precision in F = 1 / (α/precision + (1 − α)/recall). "
        f"Which α belongs to β = {beta}?",
        right,
        title="From β to α",
        hints=[
            "Turn F_β over: 1/F_β = (β² precision + recall) / ((1 + β²) precision · recall).",
            "Split this fraction and read off what stands before 1/precision.",
        ],
        mistakes=[
            Mistake(
                "square_forgotten",
                1 / (1 + beta),
                "1 / (1 + β)",
                "β stands squared in the formula.",
            ),
            Mistake(
                "weight_of_recall",
                1 - right,
                "β² / (1 + β²), the weight of recall",
                "α is the weight of precision.",
            ),
            Mistake(
                "one_forgotten",
                1 / beta**2,
                "1 / β²",
                "The two weights must add up to 1.",
            ),
        ],
        solution="1/F_β = (recall + β² precision) / ((1 + β²) precision · recall) "
        "= 1/(1 + β²) · 1/precision + β²/(1 + β²) · 1/recall. "
        f"So α = 1/(1 + β²) = 1/(1 + {beta**2}) = {right}.",
    )


@plan.exercise
def g_measure_of_a_matrix(draw: Draw) -> Question:
    counts = draw.counts()
    return question(
        "g_measure",
        counts,
        mistakes=[_mean(counts)],
        statement="What is the G-measure, the geometric mean of precision and recall?",
        title="G-measure",
    ).naming("root_forgotten", "arithmetic_mean", "another_measure:f_measure")


@plan.exercise
def correlation_of_calls_and_classes(draw: Draw) -> Question:
    return question(
        "matthews_correlation",
        draw.counts(),
        statement="What is the Matthews correlation coefficient?",
        title="Matthews correlation coefficient",
    ).naming("root_forgotten", "minus_as_plus", "another_measure:youden_index", "sign_lost")


@plan.exercise
def kappa_of_ten_cases(draw: Draw) -> Question:
    del draw  # the ten cases are the same for all
    return question(
        "cohens_kappa",
        load("ten_cases"),
        top=4,
        statement="What is Cohen's kappa at t₅, where the four top-ranked of these ten cases are "
        "called positive?",
        title="Cohen's kappa of ten cases",
    ).naming("step_on_the_way:P_e", "step_on_the_way:P₀", "not_divided")


@plan.exercise
def kappa_of_two_raters(draw: Draw) -> Question:
    return question(
        "cohens_kappa",
        draw.counts(),
        statement="A student and a teacher mark the same essays as passed (positive) or failed: "
        "the rows are the student's calls, the columns the teacher's. What is Cohen's kappa?",
        title="Cohen's kappa of two raters",
    ).naming("step_on_the_way:P_e", "step_on_the_way:P₀", "not_divided")


@plan.exercise
def cost_of_two_errors(draw: Draw) -> Question:
    cost_fp, cost_fn = draw.sample((1, 2, 5, 10, 20), 2)
    return question(
        "expected_cost",
        draw.counts(),
        cost_fp=cost_fp,
        cost_fn=cost_fn,
        statement=f"A needless repair costs {cost_fp}, an overlooked fault {cost_fn}; faults are "
        "positive. What does a case cost on average?",
        title="Expected cost of two kinds of error",
    ).naming("parameter_turned_round", "not_divided", "another_measure:error_rate")


@plan.exercise
def f_measure_in_counts(draw: Draw) -> Question:
    del draw  # a formula has no data
    return formula_question(
        "Put TP / (TP + FP) for precision and TP / (TP + FN) for recall into "
        "F = 2 · precision · recall / (precision + recall) and cancel. "
        "What is F as one fraction in the counts?",
        "2*TP / (2*TP + FP + FN)",
        title="The F-measure in counts",
        hints=[
            "Multiply numerator and denominator by (TP + FP)(TP + FN).",
            "Then TP stands in every term and can be cancelled.",
        ],
        mistakes=[
            WrongFormula(
                "jaccard",
                "TP / (TP + FP + FN)",
                "the Jaccard index",
                "In the F-measure TP counts twice, above and below.",
            ),
            WrongFormula(
                "factor_forgotten",
                "TP / (2*TP + FP + FN)",
                "half of the F-measure",
                "Keep the factor 2.",
            ),
            WrongFormula(
                "accuracy", "(TP + TN) / (TP + FP + FN + TN)", "the accuracy, which counts TN too"
            ),
        ],
        solution="2 · TP² / (TP (TP + FN) + TP (TP + FP)); cancel TP and add up. "
        "TN does not occur: the F-measure does not see true negatives.",
        # Without a true positive, precision and recall have no harmonic mean.
        possible=lambda TP, **rest: TP > 0,
    )


@plan.exercise
def correlation_between_two_indices(draw: Draw) -> Question:
    del draw  # a formula has no data
    return formula_question(
        "Let D = TP · TN − FP · FN. The square of the Matthews correlation is the Youden index, "
        "D / ((TP + FN)(FP + TN)), times the markedness, precision + NPV − 1 = D / x. "
        "What is x in the counts?",
        "(TP + FP) * (TN + FN)",
        title="Proof: correlation, Youden index and markedness",
        hints=[
            "Markedness is TP / (TP + FP) − FN / (TN + FN). Bring both over one denominator.",
            "The Youden index divides by the sizes of the two classes; "
            "markedness divides by the two numbers of calls.",
        ],
        mistakes=[
            WrongFormula(
                "classes_for_calls",
                "(TP + FN) * (FP + TN)",
                "the denominator of the Youden index",
                "It holds the sizes of the classes; precision and NPV divide by calls.",
            ),
            WrongFormula(
                "all_four_sums",
                "(TP + FN) * (FP + TN) * (TP + FP) * (TN + FN)",
                "what stands under the root of the correlation",
                "The part that belongs to the Youden index is there already.",
            ),
            WrongFormula(
                "all_cases_squared",
                "(TP + FP + FN + TN)^2",
                "n², with which D / x is the weighted relative accuracy",
            ),
            WrongFormula("sum_for_product", "TP + FP + TN + FN", "the sum of the two, which is n"),
        ],
        solution="TP / (TP + FP) − FN / (TN + FN) = (TP (TN + FN) − FN (TP + FP)) / "
        "((TP + FP)(TN + FN)), and TP · FN cancels, which leaves D above the line. The product "
        "with the Youden index is D² over all four sums: the square of the correlation.",
        possible=lambda TP, FP, FN, TN: min(TP + FP, FN + TN) > 0,
    )


@plan.exercise
def accurate_and_no_better_than_chance(draw: Draw) -> Question:
    share = Fraction(draw.choice((80, 85, 90, 95)), 100)
    least = decimal_text(share)
    kappa = measure("cohens_kappa")
    return example_question(
        "Chance alone can look good. Find a confusion matrix that calls some cases positive and "
        f"some negative, with an accuracy of at least {least} and a kappa of 0 or less.",
        Counts(tp=0, fp=1, fn=1, tn=98),
        Condition(
            "accuracy_too_low",
            lambda c: c.tp + c.tn >= share * c.n,
            lambda c: f"The accuracy is {c.tp + c.tn}/{c.n}, which is below {least}.",
        ),
        Condition(
            "all_called_alike",
            lambda c: c.tp + c.fp > 0 and c.fn + c.tn > 0,
            lambda c: "All cases are called the same.",
        ),
        Condition(
            "better_than_chance",
            lambda c: kappa(c) <= 0,
            lambda c: f"Kappa is {kappa(c)}, which is above 0.",
        ),
        title="Accurate, and no better than chance",
        hints=[
            "Kappa is 0 or less where TP · TN is at most FP · FN.",
            "Let negatives be very many, and let the few calls hit none of the positives.",
        ],
        why="Its accuracy is 0.98, but the one positive is missed and the one call is wrong: "
        "chance would do better, and kappa is −1/99.",
    ).naming(
        Named("accuracy_too_low", Counts(tp=1, fp=1, fn=1, tn=1)),
        Named("all_called_alike", Counts(tp=0, fp=0, fn=1, tn=99)),
        Named("better_than_chance", Counts(tp=10, fp=1, fn=1, tn=88)),
    )


def _four_sums(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """What stands under the root; it is never 0 where there is a correlation."""
    return (tp + fn) * (tp + fp) * (tn + fp) * (tn + fn)


@plan.exercise
def a_function_for_the_correlation(draw: Draw) -> Question:
    del draw  # every function is tried on the same hidden data
    return question(
        "matthews_correlation",
        statement="Write a function that computes the Matthews correlation coefficient from the "
        "four counts.",
        title="A function for the Matthews correlation",
    ).naming(
        Named("root_forgotten", lambda *c: (c[0] * c[3] - c[1] * c[2]) / _four_sums(*c)),
        Named("minus_as_plus", lambda *c: (c[0] * c[3] + c[1] * c[2]) / _four_sums(*c) ** 0.5),
        Named("sign_lost", lambda *c: (c[1] * c[2] - c[0] * c[3]) / _four_sums(*c) ** 0.5),
    )
