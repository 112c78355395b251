"""Gain and lift: how much better than guessing the top of a list is."""

from __future__ import annotations

from fractions import Fraction

from binteach.cases import Cases, Counts, decimal_text
from binteach.curves import curve
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
    option_question,
    points_question,
    question,
    value_question,
)
from binteach.measures import measure

plan = Plan(
    "gain_lift",
    "Gain and lift",
    "What the top of a list brings beyond guessing, in cases and as a factor, at every cut.",
)


@plan.exercise
def lift_of_twenty_checks(draw: Draw) -> Question:
    n, smugglers, found = 200, draw.choice((25, 30, 40)), draw.whole(8, 15)
    checked = 20
    counts = Counts(
        tp=found, fp=checked - found, fn=smugglers - found, tn=n - smugglers - checked + found
    )
    return question(
        "lift",
        counts,
        statement=f"An airport can check {checked} of {n} passengers and takes those with the "
        "highest scores; smugglers are positive. What is the lift over checking at random?",
        title="Lift of twenty checks",
    ).naming("not_divided", "another_measure:prevalence", "reciprocal")


@plan.exercise
def gain_at_a_cut(draw: Draw) -> Question:
    cases, top = draw.cases(10, 4), draw.choice((3, 4, 6))
    counts = cases.top(top)
    guessed = cases.prevalence * top
    return question(
        "gain",
        cases,
        top=top,
        mistakes=[
            Mistake(
                "null_forgotten",
                counts.tp,
                "the number of positives found",
                "Take off what guessing would find among as many cases.",
            ),
            Mistake(
                "guessing",
                guessed,
                "what guessing would find",
                "The gain is what the model finds beyond that.",
            ),
        ],
        statement=f"A museum writes to the {top} of ten visitors with the highest scores; "
        "those who would come again are positive. How many more of them does it reach than by "
        "drawing lots? This is the gain.",
        title="Gain at a cut",
    ).naming("null_forgotten", "guessing", "neighbouring_cut")


@plan.exercise
def lift_at_a_cut(draw: Draw) -> Question:
    cases, top = draw.cases(10, 4), draw.choice((3, 4, 6))
    return question(
        "lift",
        cases,
        top=top,
        statement=f"What is the lift when the {top} top-ranked of these ten cases are called "
        "positive?",
        title="Lift at a cut",
    ).naming("not_divided", "neighbouring_cut", "reciprocal")


@plan.exercise
def lift_over_another_prior(draw: Draw) -> Question:
    prior = Fraction(1, draw.choice((4, 5, 8, 10)))
    return question(
        "lift",
        draw.counts(),
        prior=prior,
        statement="The matrix is from a trial among chosen customers; of all customers a share of "
        f"{prior} buys. What is the lift over this prior?",
        title="Lift over another prior",
    ).naming("parameter_left_out", "not_divided", "reciprocal")


@plan.exercise
def points_of_a_gain_chart(draw: Draw) -> Question:
    cases = draw.cases(6, 3)
    points = [(point.x, point.y) for point in curve("gain", cases).points]
    shares = [(x / cases.n, y / cases.positives) for x, y in points]
    made = points_question(
        "gain",
        cases,
        statement="A gain chart shows the number of positives found, y, when the x top-ranked "
        "cases are called positive. Which points has it, from x = 0 to x = 6?",
        title="Points of a gain chart",
        hints=[
            "It begins at (0, 0): where nothing is called positive, nothing is found.",
            "With every case x grows by 1, and y grows by 1 if the case is positive.",
        ],
        solution="Go down the list: y grows by 1 with every case of class 1.",
    )
    return made.naming(
        "axes_exchanged",
        "wrong_order",
        Named("number_of_points", points[1:]),
        Named("wrong_point", shares),
    )


@plan.exercise
def where_every_chart_ends(draw: Draw) -> Question:
    positives = draw.choice((3, 4, 6, 7))
    cases = draw.cases(10, positives)
    share = decimal_text(cases.prevalence)
    return option_question(
        "At which value does the lift chart of these cases end, where all ten are called positive?",
        draw.shuffled(["at 1", "at 0", f"at {share}", f"at {positives}"]),
        "at 1",
        title="Where does a lift chart end?",
        data=cases,
        why={
            "at 1": "Where all cases are called positive, the precision is the prevalence, "
            "so every lift chart ends at 1.",
            "at 0": "It is the gain that ends at 0: guessing finds all positives then, too.",
            f"at {share}": f"{share} is the precision there, which equals the prevalence; "
            "the lift divides one by the other.",
            f"at {positives}": f"{positives} is the number of positives found; "
            "the lift compares shares.",
        },
        hints=[
            "What is the precision when every case is called positive?",
            "The lift is the precision divided by the prevalence.",
        ],
    )


@plan.exercise
def the_largest_possible_lift(draw: Draw) -> Question:
    n, buyers = 200, draw.choice((20, 25, 30))
    called = draw.choice((40, 60, 80))
    right = Fraction(n, called)
    return value_question(
        f"Of {n} customers {buyers} will buy, and {called} are called on the telephone. "
        "What is the largest lift that any ranking can have there?",
        right,
        title="The largest possible lift",
        hints=[
            "The best ranking puts all buyers at the top. What is its precision then?",
            f"Of {called} calls at most {buyers} reach a buyer.",
        ],
        mistakes=[
            Mistake(
                "quota_ignored",
                Fraction(n, buyers),
                "1 / prevalence, the lift where every call is right",
                f"There are more calls than buyers: {called} of them cannot all be right.",
            ),
            Mistake(
                "precision_for_lift",
                Fraction(buyers, called),
                "the largest precision",
                "Divide it by the prevalence.",
            ),
            Mistake("share_called", Fraction(called, n), "the share that is called, 1 / lift"),
        ],
        solution=f"The largest precision is {buyers}/{called}, the prevalence {buyers}/{n}. "
        f"Their quotient is {n}/{called} = {right}.",
    )


@plan.exercise
def the_cut_with_the_largest_gain(draw: Draw) -> Question:
    def best(cases: Cases) -> list[int]:
        """The cuts at which the gain is largest."""
        gains = {cut.k: cut.tp - cases.prevalence * cut.k for cut in cases.ranking.cuts}
        return [k for k, gain in gains.items() if gain == max(gains.values())]

    cases = draw.such(
        lambda: draw.cases(10, 4), lambda made: len(best(made)) == 1 and best(made)[0] > 3
    )
    cut = best(cases)[0]
    gain = cases.top(cut).tp - cases.prevalence * cut
    lifted = max(range(1, cases.n + 1), key=lambda k: Fraction(cases.top(k).tp, k))
    return value_question(
        "With how many cases called positive is the gain over guessing the largest?",
        cut,
        places=0,
        title="The cut with the largest gain",
        data=cases,
        hints=[
            f"Guessing finds {decimal_text(cases.prevalence)} positives with every case.",
            "So the gain grows with every positive and falls with every negative.",
        ],
        mistakes=[
            Mistake(
                "largest_lift",
                Fraction(lifted),
                "where the lift is largest, and not the gain",
                "The gain counts cases; go on as long as it grows.",
            ),
            Mistake(
                "all_found",
                Fraction(max(k for k in range(11) if cases.top(k).tp < 4) + 1),
                "where the last positive is found",
                "On the way there so many negatives were called that the gain was larger before.",
            ),
            Mistake("gain_itself", gain, "the largest gain, and the cut is asked for", least=1),
        ],
        solution=f"Each positive adds 1 − {decimal_text(cases.prevalence)}, each negative takes "
        f"{decimal_text(cases.prevalence)} off. Down the list the gain is largest after {cut} "
        f"cases, where it is {cases.top(cut).tp} − {decimal_text(cases.prevalence)} · {cut} = "
        f"{decimal_text(gain)}.",
    )


@plan.exercise
def average_gain_of_ten_cases(draw: Draw) -> Question:
    del draw  # the ten cases are the same for all
    cases = load("ten_cases")
    found = [cut.tp for cut in cases.ranking.cuts if cut.k]
    return question(
        "average_gain",
        cases,
        mistakes=[
            Mistake(
                "null_forgotten",
                Fraction(sum(found), cases.n),
                "the mean number of positives found",
                "Take off what guessing would find at each cut.",
            ),
            Mistake(
                "wrong_number_of_cuts",
                measure("average_gain")(cases) * cases.n / (cases.n + 1),
                "the sum divided by 11",
                "The mean runs over the cuts after 1, 2, …, 10 cases.",
            ),
        ],
        statement="What is the average gain of these ten cases?",
        title="Average gain of ten cases",
    ).naming("not_divided", "null_forgotten", "wrong_number_of_cuts")


@plan.exercise
def average_lift_of_a_short_list(draw: Draw) -> Question:
    return question(
        "average_lift",
        draw.cases(6, 3),
        statement="What is the average lift of these six cases?",
        title="Average lift",
        hints=[
            "For each cut after 1, 2, …, 6 cases the lift is the precision divided by the "
            "prevalence.",
            "The average lift is the mean of the six lifts.",
        ],
    ).naming("not_divided", "another_measure:mean_precision", "wrong_end")


@plan.exercise
def gain_in_counts(draw: Draw) -> Question:
    del draw  # a formula has no data
    return formula_question(
        "The gain TP − prevalence · (TP + FP) with the prevalence (TP + FN) / n can be written "
        "as (TP · TN − FP · FN) / x. What is x in the counts?",
        "TP + FP + FN + TN",
        title="Proof: the gain in counts",
        hints=[
            "Bring both terms over n and write n as TP + FP + FN + TN in the numerator.",
            "TP · n − (TP + FN)(TP + FP): multiply out and see what cancels.",
        ],
        mistakes=[
            WrongFormula(
                "all_cases_squared",
                "(TP + FP + FN + TN)^2",
                "n², with which it is the weighted relative accuracy, the gain per case",
            ),
            WrongFormula(
                "youden",
                "(TP + FN) * (FP + TN)",
                "n₊ · n₋, with which it is the Youden index",
            ),
            WrongFormula(
                "only_the_positives",
                "TP + FN",
                "the number of positives",
                "The prevalence divides by all cases.",
            ),
        ],
        solution="TP · n − (TP + FN)(TP + FP) = TP (TP + FP + FN + TN) − TP² − TP · FP − FN · TP "
        "− FN · FP = TP · TN − FP · FN, and this is divided by n. So the gain is the Youden index "
        "times n₊ n₋ / n.",
    )


@plan.exercise
def average_gain_from_the_area(draw: Draw) -> Question:
    positives, negatives = draw.sample((8, 12, 16, 20, 24), 2)
    area = Fraction(draw.choice((65, 70, 75, 80, 85, 90)), 100)
    scale = Fraction(positives * negatives, positives + negatives)
    right = scale * (area - Fraction(1, 2))
    return value_question(
        f"A ranking of {positives} positives and {negatives} negatives has an area under the ROC "
        f"curve of {decimal_text(area)}. What is its average gain?",
        right,
        title="Average gain from the area under the ROC curve",
        hints=[
            "At each cut the gain is TPR − FPR, times n₊ n₋ / n.",
            "The mean of TPR − FPR over the n cuts is the area minus one half.",
        ],
        mistakes=[
            Mistake(
                "half_forgotten",
                scale * area,
                "n₊ n₋ / n times the area",
                "Guessing has the area 1/2; take it off first.",
            ),
            Mistake(
                "gini",
                2 * right,
                "n₊ n₋ / n times the Gini index, 2 · area − 1",
                "Take the area minus 1/2.",
            ),
            Mistake(
                "not_scaled",
                area - Fraction(1, 2),
                "the area minus 1/2",
                "Multiply by n₊ n₋ / n to have it in cases.",
            ),
        ],
        solution=f"n₊ n₋ / n = {positives} · {negatives} / {positives + negatives} = {scale}, and "
        f"the area exceeds one half by {decimal_text(area - Fraction(1, 2))}. "
        f"The product is {right}.",
    )


@plan.exercise
def a_high_lift_that_misses_most(draw: Draw) -> Question:
    least, most = draw.choice((2, 3, 4, 5)), Fraction(1, draw.choice((4, 5, 10)))
    lift, sensitivity = measure("lift"), measure("sensitivity")
    return example_question(
        f"A high lift is not everything. Find a confusion matrix with a lift of at least {least} "
        f"and a sensitivity of at most {most}.",
        Counts(tp=1, fp=0, fn=9, tn=90),
        Condition(
            "lift_too_low",
            lambda c: lift(c) >= least,
            lambda c: f"The lift is {lift(c)}, which is below {least}.",
        ),
        Condition(
            "sensitivity_too_high",
            lambda c: sensitivity(c) <= most,
            lambda c: f"The sensitivity is {sensitivity(c)}, which is above {most}.",
        ),
        title="A high lift that misses most",
        hints=[
            "Call very few cases positive, and only the surest.",
            "Positives should be rare, so that a precision of 1 is a high lift.",
        ],
        why="The one call is right, so the precision is 1 and the lift 1 / 0.1 = 10; "
        "but 9 of 10 positives are missed.",
    ).naming(
        Named("lift_too_low", Counts(tp=1, fp=1, fn=9, tn=9)),
        Named("sensitivity_too_high", Counts(tp=9, fp=0, fn=1, tn=90)),
        Named("undefined_here", Counts(tp=0, fp=0, fn=5, tn=5)),
    )


@plan.exercise
def a_function_for_the_lift(draw: Draw) -> Question:
    del draw  # every function is tried on the same hidden data

    def precision(tp: int, fp: int, fn: int, tn: int) -> Fraction:
        return Fraction(tp, tp + fp)

    def prevalence(tp: int, fp: int, fn: int, tn: int) -> Fraction:
        return Fraction(tp + fn, tp + fp + fn + tn)

    return question(
        "lift",
        statement="Write a function that computes the lift from the four counts; "
        "the prior is the prevalence.",
        title="A function for the lift",
    ).naming(
        Named("not_divided", precision),
        Named("another_measure", prevalence, "prevalence"),
        Named("reciprocal", lambda *c: prevalence(*c) / precision(*c) if c[0] else 0),
    )
