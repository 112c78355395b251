"""Precision-recall curves: their points, and the areas that are taken under them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from binteach.cases import Cases
from binteach.data import load
from binteach.exercises.bank.shapes import area, points_of
from binteach.exercises.draw import Draw
from binteach.exercises.formulas import WrongFormula
from binteach.exercises.mistakes import Mistake
from binteach.exercises.plan import Plan
from binteach.exercises.question import (
    Named,
    Question,
    formula_question,
    option_question,
    points_question,
    question,
    value_question,
)
from binteach.measures import value

plan = Plan(
    "precision_recall",
    "Precision and recall",
    "Follow precision and recall down a list, and see what an area under their curve can mean.",
)


@plan.exercise
def points_of_the_curve(draw: Draw) -> Question:
    cases = draw.cases(7, 3)
    points = points_of("pr", cases)
    at_positives = [now for now, last in zip(points, [(0, 0), *points], strict=False) if now > last]
    return points_question(
        "pr",
        cases,
        title="The points of a precision-recall curve",
        statement="A search engine lists seven pages, three of which are relevant (class 1). Read "
        "them one after the other: through which points (recall, precision) does the curve go?",
        hints=(
            "After each page, count the relevant ones so far.",
            "Recall divides that number by 3, precision by the number of pages read so far.",
            "There are seven points, one for each page; the last one has recall 1.",
        ),
        solution="Recall grows at a relevant page and stays where it is at any other; precision "
        "rises at the one, or stays at 1, and falls at the other, or stays at 0.",
    ).naming(
        "axes_exchanged",
        "wrong_order",
        Named("wrong_point", points_of("roc", cases)[1:]),
        Named("number_of_points", at_positives),
    )


@plan.exercise
def precision_at_a_recall(draw: Draw) -> Question:
    def read(cases: Cases) -> int:
        """How many cases there are down to the fourth positive, where recall reaches 2/3."""
        return next(cut.k for cut in cases.ranking.cuts if cut.tp == 4)

    # With other numbers two measures agree: the precision 4/6 would be the recall.
    cases = draw.such(lambda: draw.cases(12, 6), lambda made: read(made) in (5, 7, 9))
    return question(
        "precision",
        cases,
        top=read(cases),
        title="Precision where enough is found",
        statement="A lawyer reads documents from the top of this list and stops as soon as she has "
        "2/3 of the relevant ones (class 1). What is the precision of what she has read?",
        hints=(
            "Of the 6 relevant documents she needs 4.",
            "She stops at the fourth relevant one: how many has she read by then?",
            "Precision is 4 divided by that number.",
        ),
    ).naming(
        "another_measure:sensitivity", "another_measure:false_discovery_rate", "neighbouring_cut"
    )


@plan.exercise
def precision_before_the_first_case(draw: Draw) -> Question:
    cases = draw.cases(8, 3)
    return question(
        "precision",
        cases,
        top=0,
        title="Where the curve starts",
        statement="Someone wants to draw the precision-recall curve from recall 0 on, where the "
        "threshold lies above all scores and no case is called positive. What is the precision "
        "there?",
        hints=(
            "Precision is the share of positives among the cases called positive.",
            "TP / (TP + FP) with TP = 0 and FP = 0 is 0/0.",
        ),
        mistakes=[
            Mistake(
                "taken_as_zero",
                Fraction(0),
                "what Berrar puts in so that the curve has a start, and no value of 0/0",
            ),
            Mistake(
                "taken_as_one",
                Fraction(1),
                "what scikit-learn puts in so that the curve has a start, and no value of 0/0",
            ),
            Mistake(
                "prevalence",
                cases.prevalence,
                "the prevalence: the precision at the other end, where all cases are called "
                "positive",
            ),
        ],
    ).naming("taken_as_zero", "taken_as_one", "prevalence", "infinite")


@plan.exercise
def average_precision(draw: Draw) -> Question:
    positives = 4
    cases = draw.cases(8, positives)
    right = value("average_precision", cases)
    return question(
        "average_precision",
        cases,
        title="Average precision",
        statement="A museum searches its archive for letters by one painter and gets this list; "
        "four of the eight are hers (class 1). What is the average precision of this list?",
        hints=(
            "Work out the precision at the place of each positive case, and only there.",
            f"Each positive case raises recall by 1/{positives}, so each of these precisions has "
            "the same weight.",
            f"Add them and divide by {positives}.",
        ),
        mistakes=[
            Mistake(
                "not_divided",
                positives * right,
                "the sum of the precisions at the positive cases",
                f"Divide by n₊ = {positives}.",
            )
        ],
    ).naming("not_divided", "another_measure:mean_precision", "trapezoids:(0, 1)", "wrong_end")


@plan.exercise
def mean_of_all_precisions(draw: Draw) -> Question:
    return question(
        "mean_precision",
        draw.cases(7, 3),
        title="The plain mean of the precisions",
        statement="Work out the precision after the first case, after the first two, and so on to "
        "all seven. What is the plain mean of these numbers?",
        hints=(
            "There are seven precisions; the last one is the prevalence, 3/7.",
            "Unlike in the average precision, the places of the negatives count, too.",
        ),
    ).naming("another_measure:average_precision", "not_divided", "wrong_end")


def _positives_first(cases: Cases) -> Cases:
    """The same cases with the positive ones first wherever scores are tied."""
    order = sorted(range(cases.n), key=lambda case: (cases.score(case), cases.label(case)))
    return Cases([cases.label(case) for case in order], range(cases.n))


@plan.exercise
def average_precision_with_ties(draw: Draw) -> Question:
    cases = draw.cases(8, 4, ties=2)
    return question(
        "average_precision",
        cases,
        title="Average precision with ties",
        statement="Twice, a positive and a negative case share their score, so no threshold comes "
        "between them. What is the average precision, taken from threshold to threshold?",
        hints=(
            "Tied cases are called positive together: they make one step, not two.",
            "Each step counts the precision after it, times the growth of recall in it.",
            "There are six thresholds, and only those at which recall grows count.",
        ),
        mistakes=[
            Mistake(
                "ties_won",
                value("average_precision", _positives_first(cases)),
                "what comes out when the positive case comes first in every tie",
                "Tied cases cross the threshold together.",
            )
        ],
    ).naming("ties_won", "another_measure:average_hit_rate", "trapezoids:(0, 1)")


@plan.exercise
def straight_lines_in_place_of_steps(draw: Draw) -> Question:
    del draw  # a classic
    cases = load("ten_cases")
    points = points_of("pr", cases)
    right, other = (area([(Fraction(0), Fraction(start)), *points]) for start in (1, 0))
    steps = value("average_precision", cases)
    return value_question(
        "These are Berrar's ten cases. Join the points (recall, precision) of their curve by "
        "straight lines, starting from (0, 1). What is the area under the lines?",
        right,
        title="Straight lines under a precision-recall curve",
        data=cases,
        hints=(
            "Where recall does not grow, a piece has no width: only the positive cases count.",
            "Each positive case gives a trapezoid of width 1/5; its heights are the precisions "
            "just before and just after it.",
            "The first trapezoid reaches from (0, 1) to (1/5, 1).",
        ),
        mistakes=[
            Mistake(
                "other_start",
                other,
                "the area under the lines that start from (0, 0)",
            ),
            Mistake(
                "steps",
                steps,
                "the average precision, a sum of rectangles",
                "Under a straight line lies a trapezoid.",
            ),
            Mistake("not_divided", 5 * right, "the sum of the mean heights", "Each has width 1/5."),
        ],
        solution=f"The five trapezoids together are {right}. Starting from (0, 0) "
        f"they would be {other}. The average precision, {steps}, is none of the two: it is "
        "made of rectangles, each as high as the precision at its end.",
    )


# Of each area: its title, where the line goes, and what is taken at the ends of a piece.
AREAS = {
    "aucpr_min": (
        "The lower area",
        "through the smallest precision at every recall",
        "At both ends of each piece, take the smallest precision at that recall.",
    ),
    "aucpr_minmax": (
        "The area under all points",
        "from the smallest precision at each recall to the largest at the next",
        "On the left of each piece, take the smallest precision at that recall; on the right, the "
        "largest.",
    ),
    "aucpr_max": (
        "The upper area",
        "through the largest precision at every recall",
        "At both ends of each piece, take the largest precision at that recall.",
    ),
}


@plan.parts(3)
def three_areas(draw: Draw) -> tuple[Question, ...]:
    cases = draw.cases(8, 4)
    return tuple(
        question(
            key,
            cases,
            title=title,
            statement="At one and the same recall a curve can have several precisions. What is the "
            f"area if the line goes {way}? At recall 0 the precision counts as 0.",
            hints=(
                "List the precisions that occur at the recalls 0, 1/4, 1/2, 3/4 and 1.",
                taken,
                "Each piece is a trapezoid of width 1/4.",
            ),
        ).naming(
            "another_measure:average_precision",
            *(f"another_measure:{other}" for other in AREAS if other != key),
        )
        for key, (title, way, taken) in AREAS.items()
    )


@plan.exercise
def several_classes(draw: Draw) -> Question:
    lists = {name: draw.cases(5, 2) for name in ("cats", "dogs", "birds")}
    labels = [label for each in lists.values() for label in each.labels]
    pooled = Cases(labels, [score for each in lists.values() for score in each.scores])
    plain = sum((value("mean_precision", each) for each in lists.values()), Fraction(0)) / 3
    return question(
        "mean_average_precision",
        lists,
        title="Mean average precision",
        statement="A model looks for cats, dogs and birds, and for each of them it ranks five "
        "photographs; two show the animal (class 1). What is the mean average precision?",
        hints=(
            "Work out the average precision of each list by itself.",
            "The average precision of a list is the mean of its two precisions at the positives.",
            "MAP is the mean of the three average precisions.",
        ),
        mistakes=[
            Mistake(
                "pooled",
                value("average_precision", pooled),
                "the average precision of all fifteen cases in one list",
                "Scores of different classes are not compared with each other.",
            ),
            Mistake(
                "plain_means",
                plain,
                "the mean of the plain means of all precisions",
                "In an average precision only the places of the positives count.",
            ),
        ],
    ).naming("pooled", "plain_means", "not_divided")


STAYS_FALLS = "the AUC stays, the average precision falls"


@plan.exercise
def more_negatives(draw: Draw) -> Question:
    times = draw.whole(3, 20)
    roc = "Each negative now counts several times, in FP and in n₋ alike, so FPR and TPR stay"
    why = {
        STAYS_FALLS: f"{roc}, and the ROC curve with them. Precision divides TP by TP + FP, and "
        "FP has grown.",
        "both stay": "Precision divides TP by TP + FP, and FP has grown: it falls wherever there "
        "is a false positive.",
        "both fall": f"{roc}, and the area under the ROC curve with them.",
        "the AUC falls, the average precision stays": f"{roc}; but precision is TP / (TP + FP), "
        "and FP has grown.",
    }
    return option_question(
        f"A model ranks a test set imperfectly. Now every negative case is put in {times} times "
        "over, with its score. What happens to the AUC and to the average precision?",
        draw.shuffled(list(why)),
        STAYS_FALLS,
        title="More negatives, the same model",
        why=why,
        hints=(
            f"At every cut TP stays, FP becomes {times} times as many, and so does n₋.",
            "Which of TPR, FPR and precision change by that?",
        ),
    )


def _lowest_first(y_true: Sequence[int], y_score: Sequence[float]) -> Any:
    return value("average_precision", Cases(y_true, [-score for score in y_score]))


def _all_places(y_true: Sequence[int], y_score: Sequence[float]) -> Any:
    return value("mean_precision", Cases(y_true, y_score))


def _lines(y_true: Sequence[int], y_score: Sequence[float]) -> Any:
    points = points_of("pr", Cases(y_true, y_score))
    return area([(Fraction(0), Fraction(1)), *points])


@plan.exercise
def function_for_the_average_precision(draw: Draw) -> Question:
    del draw  # every function is tried on the same hidden data
    return question(
        "average_precision",
        title="Write a function for the average precision",
        statement="Write a function ap(y_true, y_score) that gives the average precision, tied "
        "cases making one step. Use no library.",
        hints=(
            "Go through the distinct scores from the highest to the lowest.",
            "At each, count TP and FP among the cases with at least this score.",
            "Add TP / (TP + FP), times the growth of TP / n₊ since the last step.",
        ),
    ).naming(
        Named("trapezoids", _lines),
        Named("another_measure", _all_places, "mean_precision"),
        Named("wrong_end", _lowest_first),
    )


@plan.exercise
def precision_from_rates(draw: Draw) -> Question:
    del draw  # a formula has no data
    return formula_question(
        "ROC and precision-recall curves hold the same cuts. Let PI be the prevalence: write the "
        "precision as a formula in PI, TPR and FPR.",
        "PI*TPR / (PI*TPR + (1 - PI)*FPR)",
        ("PI", "TPR", "FPR"),
        title="Prove it: the precision from a ROC point",
        mistakes=[
            WrongFormula(
                "prevalence_forgotten",
                "TPR / (TPR + FPR)",
                "the precision if both classes are equally frequent",
                "Weight TPR by PI and FPR by 1 − PI.",
            ),
            WrongFormula(
                "one_weight",
                "PI*TPR / (PI*TPR + FPR)",
                "what comes out when FPR is not weighted",
                "Only a share of 1 − PI of all cases is negative.",
            ),
            WrongFormula(
                "only_above",
                "PI*TPR / (TPR + FPR)",
                "what comes out when only TP is weighted",
                "TP stands below the line, too.",
            ),
            WrongFormula(
                "joint",
                "PI*TPR",
                "TP / n, the share of true positives in all cases",
                "Divide by the share of all cases that is called positive.",
            ),
        ],
        hints=(
            "Divide numerator and denominator of TP / (TP + FP) by n.",
            "TP / n = (n₊/n)(TP/n₊), and FP / n = (n₋/n)(FP/n₋).",
        ),
        solution="TP / n = PI·TPR and FP / n = (1 − PI)·FPR, so TP / (TP + FP) = "
        "PI·TPR / (PI·TPR + (1 − PI)·FPR).",
        shares=True,
    )
