"""ROC curves: their points, their area in three ways, and what else is read off them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

from binteach.cases import Cases, decimal_text
from binteach.derivation import Table
from binteach.exercises.bank.shapes import area, middle, points_of
from binteach.exercises.draw import Draw
from binteach.exercises.formulas import WrongFormula
from binteach.exercises.mistakes import Mistake
from binteach.exercises.plan import Plan
from binteach.exercises.question import (
    Named,
    Question,
    formula_question,
    points_question,
    question,
    value_question,
)
from binteach.expr import shown

plan = Plan(
    "roc",
    "ROC curves",
    "Draw the curve, take the area under it in three ways, and read KS, ROC_N and EER off it.",
)

HALF = Fraction(1, 2)


@plan.exercise
def points_of_the_curve(draw: Draw) -> Question:
    cases = draw.cases(7, 4)
    points = points_of("roc", cases)
    counted = [(3 * x, 4 * y) for x, y in points]
    return points_question(
        "roc",
        cases,
        title="The points of a ROC curve",
        statement="A test scored four ill people (class 1) and three healthy ones (class 0). Lower "
        "the threshold from case to case: through which points (FPR, TPR) does the ROC curve go, "
        "from its start to its end?",
        hints=(
            "It starts at (0, 0), where no case is called positive, and ends at (1, 1).",
            "Each ill person moves the point up by 1/4, each healthy one to the right by 1/3.",
        ),
        solution="Going down the list, a positive case is a step up by 1/n₊ = 1/4, a negative one "
        "a step to the right by 1/n₋ = 1/3.",
    ).naming(
        "axes_exchanged",
        "wrong_order",
        Named("number_of_points", points[1:]),
        Named("wrong_point", counted),
    )


@plan.parts(2)
def area_by_pairs(draw: Draw) -> tuple[Question, Question]:
    cases = draw.cases(8, 4, ties=1)
    area = question(
        "auc",
        cases,
        method="pairs",
        title="AUC by counting pairs",
        statement="Pair every ill person (class 1) with every healthy one (class 0). What is the "
        "AUC, the share of pairs in which the ill one has the higher score? One pair is tied.",
        hints=(
            "There are 4 × 4 = 16 pairs.",
            "Take one ill person after the other and count the healthy ones with a lower score.",
            "The tied pair is neither won nor lost: it counts one half.",
        ),
    )
    gini = question(
        "gini",
        cases,
        title="The Gini index from the AUC",
        statement="What is the Gini index of these scores?",
        hints=(
            "It is the AUC on another scale, on which guessing is 0 and a perfect list 1.",
            "Guessing has the AUC 1/2, a perfect list has 1.",
            "Gini = 2 AUC − 1.",
        ),
        follows=area,
        carry=lambda found: 2 * found - 1,
    )
    return (
        area.naming("ties_won", "ties_lost", "not_divided"),
        gini.naming("step_on_the_way:AUC", "constant_forgotten", "complement"),
    )


@plan.parts(2)
def area_by_ranks(draw: Draw) -> tuple[Question, Question]:
    positives, negatives = 5, 4
    n, pairs, least = 9, positives * negatives, negatives * (negatives + 1) // 2
    cases = draw.cases(n, positives)
    labels = [cases.label(int(index)) for index in cases.ranking.order]
    ranks = [place for place, label in enumerate(labels, 1) if not label]
    total = sum(ranks)
    listed = " + ".join(map(str, ranks))
    ranked = value_question(
        "Give the case with the highest score rank 1, the next one rank 2, and so on. What is S₋, "
        "the sum of the ranks of the negative cases (class 0)?",
        total,
        title="The rank sum of the negatives",
        places=0,
        data=cases,
        hints=(
            "The place in the list is the rank.",
            f"There are {negatives} negative cases, so {negatives} ranks are added.",
        ),
        mistakes=[
            Mistake(
                "wrong_end",
                Fraction(negatives * (n + 1) - total),
                "the sum of their ranks counted from the lowest score",
                "The highest score has rank 1.",
            ),
            Mistake(
                "other_class",
                Fraction(n * (n + 1) // 2 - total),
                "the sum of the ranks of the positive cases",
            ),
            Mistake(
                "ranks_from_zero",
                Fraction(total - negatives),
                "the sum of their ranks counted from 0",
                "The first rank is 1.",
            ),
        ],
        solution=f"The negative cases have the ranks {listed.replace(' +', ',')}, and "
        f"{listed} = {total}.",
    )
    area = question(
        "auc",
        cases,
        method="ranks",
        title="AUC from the rank sum",
        statement="What is the AUC, worked out from S₋? If all negatives stood at the top of the "
        "list, S₋ would be as small as it can be, and the AUC would be 0.",
        hints=(
            f"The smallest sum of {negatives} ranks is 1 + 2 + 3 + 4 = {least}.",
            f"S₋ − {least} is the number of pairs in which the positive case stands above the "
            "negative one.",
            f"There are {positives} × {negatives} pairs in all.",
        ),
        mistakes=[
            Mistake(
                "least_sum_forgotten",
                Fraction(total, pairs),
                "S₋ / (n₊n₋)",
                "Take off the smallest sum that S₋ can have first.",
            )
        ],
        follows=ranked,
        carry=lambda found: (found - least) / pairs,
    )
    return ranked, area.naming("least_sum_forgotten", "not_divided", "wrong_end")


@plan.exercise
def area_by_trapezoids(draw: Draw) -> Question:
    tenths = range(1, 10)
    reported = draw.such(
        lambda: list(
            zip(sorted(draw.sample(tenths, 3)), sorted(draw.sample(tenths, 3)), strict=True)
        ),
        lambda made: all(y > x + 1 for x, y in made),
    )
    inner = [(Fraction(x, 10), Fraction(y, 10)) for x, y in reported]
    points = [(Fraction(0), Fraction(0)), *inner, (Fraction(1), Fraction(1))]
    auc = area(points)
    table = Table(("FPR", "TPR"), tuple((shown(x, True), shown(y, True)) for x, y in inner))
    terms = " + ".join(
        f"{decimal_text(x1 - x0)} × {decimal_text(middle(y0, y1))}"
        for (x0, y0), (x1, y1) in pairwise(points)
    )
    return value_question(
        "A laboratory reports a ROC curve by three points only. Join them, and the two ends that "
        "every ROC curve has, by straight lines: what is the area under them?",
        auc,
        title="AUC by trapezoids",
        data=table,
        hints=(
            "Every ROC curve starts at (0, 0) and ends at (1, 1), so there are four pieces.",
            "Under each piece lies a trapezoid: its width times the mean of its two heights.",
        ),
        mistakes=[
            Mistake(
                "lower_rectangles",
                area(points, lambda left, right: left),
                "the area of the rectangles below the lines",
                "Take the mean of both heights, not the left one.",
            ),
            Mistake(
                "upper_rectangles",
                area(points, lambda left, right: right),
                "the area of the rectangles that reach above the lines",
                "Take the mean of both heights, not the right one.",
            ),
            Mistake(
                "ends_forgotten",
                area(inner),
                "the area between the first and the last reported point",
                "The curve goes on to (0, 0) and to (1, 1).",
            ),
        ],
        solution=f"With the ends there are four trapezoids: {terms} = {auc}.",
    )


@plan.parts(3)
def largest_distance(draw: Draw) -> tuple[Question, ...]:
    def gaps(cases: Cases) -> list[Fraction]:
        return [y - x for x, y in points_of("roc", cases)]

    def is_plain(cases: Cases) -> bool:
        found = gaps(cases)
        return [abs(gap) for gap in found].count(max(found)) == 1 and max(found) > -min(found)

    cases = draw.such(lambda: draw.cases(10, 4), is_plain)
    found = gaps(cases)
    best = found.index(max(found))
    x, y = points_of("roc", cases)[best]
    statistic = question(
        "ks",
        cases,
        title="The Kolmogorov-Smirnov statistic",
        statement="A bank scores ten borrowers, four of whom did not pay back (class 1). How far "
        "apart are the true and the false positive rate at most, that is, what is KS?",
        hints=(
            "Work TPR and FPR out at every cut, and take the difference.",
            "Take both rates from the same line.",
            "The largest difference, whatever its sign, is KS.",
        ),
        mistakes=[
            Mistake(
                "rate_alone",
                y,
                "the true positive rate where the distance is largest",
                "Take the false positive rate off.",
            ),
            Mistake(
                "rates_added",
                x + y,
                "the sum of both rates where their distance is largest",
                "A distance is a difference.",
            ),
        ],
    ).naming("rate_alone", "rates_added", "another_measure:taks")
    where = value_question(
        "At which cut is it reached: how many of the ten borrowers are called positive there?",
        best,
        title="Where KS is reached",
        places=0,
        data=cases,
        hints=(
            "Look for the line of the table in which TPR − FPR is largest.",
            "Count the cases above that line.",
        ),
        mistakes=[
            Mistake("one_too_few", Fraction(best - 1), "one case too few"),
            Mistake("one_too_many", Fraction(best + 1), "one case too many"),
            Mistake("below", Fraction(10 - best), "the number of cases called negative there"),
        ],
        solution=f"With {best} cases called positive, TPR = {y} and FPR = {x}; the difference is "
        f"{y - x}, and at every other cut it is smaller.",
    )
    average = question(
        "taks",
        cases,
        title="The truncated average of the distances",
        statement="KS looks at one cut alone. What is taKS, the mean of TPR − FPR over all cuts "
        "but the first and the last, where it is always 0?",
        hints=(
            "With ten borrowers there are nine cuts inside the list.",
            "Keep the sign of each difference TPR − FPR.",
            "Add the nine differences and divide by 9.",
        ),
    ).naming("another_measure:ks", "not_divided", "wrong_end")
    return statistic, where, average


@plan.parts(2)
def corners_of_the_hull(draw: Draw) -> tuple[Question, Question]:
    def has_dents(cases: Cases) -> bool:
        corners = len(points_of("roc_hull", cases))
        return corners >= 4 and len(points_of("roc", cases)) - corners >= 4

    cases = draw.such(lambda: draw.cases(9, 4), has_dents)
    corners = points_of("roc_hull", cases)
    bends = points_question(
        "roc_hull",
        cases,
        title="The corners of the ROC hull",
        statement="Stretch a rubber band from (0, 0) to (1, 1) over the ROC curve of these cases. "
        "At which points (FPR, TPR), its two ends among them, does it bend? Points on a straight "
        "piece are no corners.",
        hints=(
            "Draw the ROC curve: up by 1/4 for a positive case, to the right by 1/5 for a negative "
            "one.",
            "Between the ends, a corner comes after a step up and before a step to the right.",
            "From corner to corner the pieces of the band get less and less steep.",
        ),
        solution="From each corner the next one is the point of the curve to which the line is "
        "steepest; so the pieces get less and less steep, and no point lies above them.",
    ).naming(
        Named("wrong_point", points_of("roc", cases)),
        Named("number_of_points", corners[1:-1]),
        "axes_exchanged",
    )
    below = question(
        "auch",
        cases,
        title="The area under the ROC hull",
        statement="What is the area under that rubber band, the AUCH?",
        hints=(
            "Under each straight piece of the band lies a trapezoid.",
            "Add width times mean height over the pieces, from corner to corner.",
            "It is at least the AUC of these cases, since the band lies nowhere below the curve.",
        ),
    ).naming("another_measure:auc", "wrong_end", "complement")
    return bends, below


@plan.exercise
def area_of_the_top(draw: Draw) -> Question:
    n = draw.whole(2, 3)
    return question(
        "roc_n",
        draw.cases(10, 5),
        n=n,
        title=f"ROC_{n}: the area up to false alarm {n}",
        statement="Somebody reads search results from the top and gives up at irrelevant result "
        f"number {n} (class 0). What is the ROC_N score for N = {n}?",
        hints=(
            f"Only the first {n} negative cases count.",
            "For each of them, count the positive cases that stand above it.",
            f"If all 5 positives stood above them, the sum would be {n} × 5: divide by that.",
        ),
    ).naming("neighbouring_cut", "parameter_left_out", "not_divided")


@plan.exercise
def equal_errors(draw: Draw) -> Question:
    cases = draw.cases(11, 5)
    cuts = [(x, 1 - y) for x, y in points_of("roc", cases)]
    nearest = min(cuts, key=lambda rates: abs(rates[0] - rates[1]))
    least = min((6 * x + 5 * y) / 11 for x, y in cuts)
    return question(
        "equal_error_rate",
        cases,
        title="The equal error rate",
        statement="A door opens for a voice that it believes to know; it scored five voices of "
        "residents (class 1) and six of strangers. At which rate is it wrong equally often with "
        "both? Between two cuts, take the ROC curve as a straight line.",
        hints=(
            "Strangers let in are FPR, residents shut out are FNR = 1 − TPR.",
            "Go down the list until FPR is no longer below FNR: the crossing lies just before.",
            "On that last step only one of the two rates changes; the other one is the answer.",
        ),
        mistakes=[
            Mistake(
                "mean_of_rates",
                middle(*nearest),
                "the mean of both error rates at the cut where they are nearest to each other",
                "Look where the line between two cuts makes them equal.",
            ),
            Mistake(
                "least_error_rate",
                least,
                "the smallest share of wrong calls at any cut",
                "Here both classes are to be wrong at the same rate.",
            ),
        ],
    ).naming("mean_of_rates", "least_error_rate", "wrong_end")


def _counting_pairs(tie: Fraction) -> Callable[..., Fraction]:
    """A function for the AUC in which a tied pair counts so much."""

    def auc(y_true: Sequence[int], y_score: Sequence[float]) -> Fraction:
        scored = list(zip(y_true, y_score, strict=True))
        above = [score for label, score in scored if label]
        below = [score for label, score in scored if not label]
        won = [tie if p == q else Fraction(p > q) for p in above for q in below]
        return sum(won, Fraction(0)) / len(won)

    return auc


def _lowest_first(y_true: Sequence[int], y_score: Sequence[float]) -> Fraction:
    return 1 - _counting_pairs(HALF)(y_true, y_score)


@plan.exercise
def function_for_the_area(draw: Draw) -> Question:
    del draw
    return question(
        "auc",
        title="Write a function for the AUC",
        statement="Write a function auc(y_true, y_score) that gives the area under the ROC curve, "
        "also where scores are tied. Use no library.",
        hints=(
            "Make two lists: the scores of the positives and those of the negatives.",
            "Go through all pairs with two loops: 1 for a higher score of the positive, 1/2 for a "
            "tie, 0 for a lower one.",
            "Divide by the number of pairs.",
        ),
    ).naming(
        Named("ties_lost", _counting_pairs(Fraction(0))),
        Named("ties_won", _counting_pairs(Fraction(1))),
        Named("wrong_end", _lowest_first),
    )


@plan.exercise
def gini_from_the_area(draw: Draw) -> Question:
    del draw
    return formula_question(
        "The Gini index is the area between the ROC curve and the diagonal, divided by the same "
        "area for a perfect curve. Write it as a formula in AUC.",
        "2*AUC - 1",
        ("AUC",),
        title="Prove it: the Gini index from the AUC",
        mistakes=[
            WrongFormula(
                "not_divided",
                "AUC - 1/2",
                "the area between the curve and the diagonal",
                "Divide it by that of a perfect curve.",
            ),
            WrongFormula(
                "divided_by_all",
                "(AUC - 1/2) / AUC",
                "that area as a share of the area under the curve itself",
                "A perfect curve has 1/2 above the diagonal: divide by that.",
            ),
            WrongFormula("sign_lost", "1 - 2*AUC", "the Gini index with the wrong sign"),
        ],
        hints=(
            "Under the diagonal lies a triangle of area 1/2.",
            "A perfect curve has the whole square under it, so 1 − 1/2 lies above the diagonal.",
        ),
        solution="The area above the diagonal is AUC − 1/2, and for a perfect curve 1 − 1/2 = 1/2. "
        "(AUC − 1/2) / (1/2) = 2 AUC − 1.",
        shares=True,
    )


@plan.exercise
def area_of_a_single_point(draw: Draw) -> Question:
    del draw
    return formula_question(
        "A classifier gives calls and no scores, so its ROC curve goes from (0, 0) straight to its "
        "one point (FPR, TPR) and on to (1, 1). Write the area under it in TPR and FPR.",
        "(1 + TPR - FPR) / 2",
        ("TPR", "FPR"),
        title="Prove it: the AUC of one point is the balanced accuracy",
        mistakes=[
            WrongFormula(
                "youden",
                "TPR - FPR",
                "the Youden index, which is 2 AUC − 1 here",
                "The area is half of it and 1/2 more.",
            ),
            WrongFormula(
                "rectangle",
                "TPR * (1 - FPR)",
                "the rectangle to the right of the point and below it",
                "Two triangles beside it are missing.",
            ),
            WrongFormula(
                "mean_of_rates",
                "(TPR + FPR) / 2",
                "the mean of TPR and FPR",
                "A false alarm must lower the area.",
            ),
            WrongFormula(
                "second_piece_level",
                "TPR*FPR/2 + (1 - FPR)*TPR",
                "the area when the curve stays level after the point",
                "The second piece rises to 1.",
            ),
        ],
        hints=(
            "Under the first piece lies a triangle of width FPR and height TPR.",
            "Under the second one lies a trapezoid of width 1 − FPR with the heights TPR and 1.",
        ),
        solution="FPR·TPR/2 + (1 − FPR)(TPR + 1)/2 = (1 + TPR − FPR)/2. Since 1 − FPR is the "
        "specificity, this is (sensitivity + specificity)/2, the balanced accuracy.",
        shares=True,
    )
