"""Quotas (Arbel & Rokach): what a list holds as far down as one can afford to go."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from binteach.cases import Cases
from binteach.data import load
from binteach.exercises.draw import Draw
from binteach.exercises.formulas import WrongFormula
from binteach.exercises.mistakes import Mistake
from binteach.exercises.plan import Plan
from binteach.exercises.question import (
    Question,
    formula_question,
    option_question,
    question,
    value_question,
)
from binteach.measures import value

plan = Plan(
    "quota",
    "Quotas",
    "What the top of a list holds: hit rate, Qrecall, lift, PEM, and what they are compared with.",
)


@plan.parts(2)
def passengers_to_search(draw: Draw) -> tuple[Question, Question]:
    cases, top = draw.cases(12, 5), draw.choice((4, 6, 7))
    story = (
        f"Of twelve passengers on a flight, customs can search {top}, and takes those with the "
        "highest scores. Five of the twelve smuggle (class 1)."
    )
    hit_rate = question(
        "hit_rate",
        cases,
        top=top,
        title="The hit rate of a search",
        statement=f"{story} What is the hit rate?",
        hints=(
            f"Count the smugglers among the {top} passengers searched.",
            "The hit rate is their share of those searched.",
        ),
    )
    qrecall = question(
        "qrecall",
        cases,
        top=top,
        title="The Qrecall of a search",
        statement=f"{story} What is the Qrecall?",
        hints=(
            f"Count the smugglers among the {top} passengers searched.",
            "Qrecall is their share of all smugglers on the flight.",
        ),
    )
    return (
        hit_rate.naming("another_measure:qrecall", "neighbouring_cut", "not_divided"),
        qrecall.naming("another_measure:hit_rate", "not_divided", "wrong_end"),
    )


@plan.parts(2)
def between_luck_and_knowledge(draw: Draw) -> tuple[Question, Question]:
    n, positives = draw.choice(((20, 8), (30, 12), (40, 10), (50, 20)))
    quota = draw.whole(positives // 2, positives - 2)
    story = (
        f"An admissions office has {quota} places for {n} applicants, {positives} of whom would "
        "complete the course (the positives)."
    )
    share, best = Fraction(quota, n), Fraction(quota, positives)
    prevalence = Fraction(positives, n)
    by_lot = value_question(
        f"{story} Which Qrecall can it expect if it draws lots?",
        share,
        title="The Qrecall of drawing lots",
        hints=(
            "Qrecall is the share of the positives that get a place.",
            "With lots, everybody has the same chance of a place.",
        ),
        mistakes=[
            Mistake(
                "hit_rate_of_lots",
                prevalence,
                "the hit rate of drawing lots, the share of positives in all applicants",
                "Qrecall is a share of the positives.",
            ),
            Mistake(
                "best_for_random",
                best,
                "the Qrecall of an office that knows the positives beforehand",
            ),
            Mistake(
                "not_divided",
                quota * prevalence,
                "the number of positives that get a place on average",
                "Divide it by the number of positives.",
            ),
        ],
        solution=f"Each positive gets a place with the probability {quota}/{n}, so on average "
        f"that is the share of the positives with a place: {quota}/{n} = {share}. As a curve over "
        "the quotas j it is the diagonal j/n.",
    )
    knowing = value_question(
        f"{story} Which Qrecall is the best possible?",
        best,
        title="The best possible Qrecall",
        hints=(
            "The best list has all positives at its top.",
            f"There are fewer places than positives: {quota} against {positives}.",
        ),
        mistakes=[
            Mistake(
                "as_if_all_found",
                Fraction(1),
                "the best possible hit rate, and the Qrecall if there is room for every positive",
                f"{quota} places cannot hold {positives} positives.",
            ),
            Mistake("random_for_best", share, "the Qrecall of drawing lots"),
            Mistake(
                "of_the_others",
                Fraction(quota, n - positives),
                "the number of places divided by the number of negatives",
                "Divide by the number of positives.",
            ),
        ],
        solution=f"At best all {quota} places go to positives: {quota} of {positives} is {best}. "
        "As a curve over the quotas j it is j/n₊, until it reaches 1 at j = n₊.",
    )
    return by_lot, knowing


@plan.exercise
def quota_that_ends_in_a_tie(draw: Draw) -> Question:
    n, first, size = 9, 3, 3  # places 3, 4 and 5 share a score
    labels = draw.such(
        lambda: draw.shuffled([1] * 4 + [0] * 5),
        # One positive above the block and one or two in it: so all lists are equally hard.
        lambda made: sum(made[:2]) == 1 and sum(made[2:5]) in (1, 2),
    )
    scores = sorted(draw.sample(range(10, 95), n - size + 1), reverse=True)
    scores[first - 1 : first] = scores[first - 1 : first] * size
    shuffled = draw.shuffled(range(n))
    cases = Cases(
        [labels[place] for place in shuffled],
        [Fraction(scores[place], 100) for place in shuffled],
    )
    top = draw.whole(first, first + 1)
    inside = top - first + 1  # places of the block in the quota
    tied = sum(labels[2:5])
    most, least = min(inside, tied), max(0, inside - (size - tied))
    each = f"{tied}/{size}"
    return question(
        "hit_rate",
        cases,
        top=top,
        title="A quota that ends in a tie",
        statement=f"A magazine can print {top} of nine stories and wants those that readers will "
        "love (class 1). Three are tied just where the quota ends, and chance decides among them. "
        "Which hit rate can it expect?",
        hints=(
            f"Two stories stand above the tie, so {inside} of the three tied ones can be printed.",
            f"Of the three tied stories {tied} {'is' if tied == 1 else 'are'} of class 1, so each "
            f"of their places counts as {each}.",
            f"Add what the {top} places count, and divide by {top}.",
        ),
        mistakes=[
            Mistake(
                "ties_won",
                Fraction(1 + most, top),
                "the hit rate if the positives come first in the tie",
                f"Each place in the tie counts as {each}.",
            ),
            Mistake(
                "ties_lost",
                Fraction(1 + least, top),
                "the hit rate if the negatives come first in the tie",
                f"Each place in the tie counts as {each}.",
            ),
            Mistake(
                "tie_taken_whole",
                Fraction(1 + tied, 2 + size),
                "the hit rate if all tied stories are printed",
                f"Only {top} can be printed.",
            ),
        ],
    ).naming("ties_won", "ties_lost", "tie_taken_whole")


@plan.exercise
def lift_of_a_quota(draw: Draw) -> Question:
    cases, top = draw.cases(12, 5), draw.choice((3, 4, 6))
    return question(
        "quota_lift",
        cases,
        top=top,
        title="The lift of a quota",
        statement=f"A charity writes to the {top} people at the top of this list. How many times "
        "more donors (class 1) does it reach than with letters to people drawn at random?",
        hints=(
            f"First the share of donors among the {top}: the hit rate.",
            "At random, the share of donors is the prevalence, 5/12.",
            "The lift is the one divided by the other.",
        ),
    ).naming("not_divided", "another_measure:qrecall", "neighbouring_cut")


@plan.exercise
def lift_of_a_tenth(draw: Draw) -> Question:
    decile = draw.whole(3, 5)

    def tells(cases: Cases) -> bool:
        """Whether the part differs from the one above it and from all down to there."""
        found = [cases.ranking.cut_at(2 * part).tp for part in range(decile + 1)]
        alone = [below - above for above, below in pairwise(found)]
        return alone[-1] not in (0, alone[-2]) and found[-1] != decile * alone[-1]

    cases = draw.such(lambda: draw.cases(20, 8), tells)
    return question(
        "decile_lift",
        cases,
        decile=decile,
        title="The lift of one tenth of a list",
        statement="Eight of these twenty customers buy (class 1). Cut the list into ten parts of "
        f"two. What is the lift of part {decile} from the top?",
        hints=(
            f"Part {decile} holds the places {2 * decile - 1} and {2 * decile}.",
            "Take the share of positives in this part alone.",
            "Divide it by the prevalence, 8/20.",
        ),
        mistakes=[
            Mistake(
                "cumulative",
                value("quota_lift", cases, top=2 * decile),
                f"the lift of all {decile} parts down to there",
                "A tenth of the list is taken by itself.",
            )
        ],
    ).naming("cumulative", "not_divided", "neighbouring_cut")


@plan.exercise
def average_hit_rate(draw: Draw) -> Question:
    del draw  # a classic
    return question(
        "average_hit_rate",
        load("arbel_2"),
        title="The average hit rate",
        statement="This is a list that Arbel and Rokach work out by hand. What is its average hit "
        "rate?",
        hints=(
            "Work out the hit rate at the place of each positive case, and only there.",
            "The positives stand at the places 1, 3, 4 and 7: only the hit rates there count.",
            "Add the four hit rates and divide by n₊ = 4.",
        ),
    ).naming("another_measure:mean_precision", "not_divided", "another_measure:average_qrecall")


@plan.exercise
def average_qrecall(draw: Draw) -> Question:
    n, positives = 8, 4
    cases = draw.cases(n, positives)
    found = [value("qrecall", cases, top=top) for top in range(1, n + 1)]
    return question(
        "average_qrecall",
        cases,
        title="The average Qrecall",
        statement="A lender does not know yet how many of these eight firms it will support, but "
        "at least as many as there are good ones (class 1). What is the average Qrecall?",
        hints=(
            f"The quotas that count are {positives}, {positives + 1}, …, {n}.",
            "Work out the Qrecall for each of them.",
            f"These are {n - positives + 1} quotas: divide the sum by that.",
        ),
        mistakes=[
            Mistake(
                "all_quotas",
                sum(found, Fraction(0)) / n,
                "the mean of the Qrecall over all quotas from 1 to n",
                "It starts at n₊, the first quota with room for every positive.",
            ),
            Mistake(
                "starts_late",
                sum(found[positives:], Fraction(0)) / (n - positives),
                "the mean of the Qrecall over the quotas from n₊ + 1 on",
                "The quota n₊ counts, too.",
            ),
        ],
    ).naming("all_quotas", "starts_late", "another_measure:average_hit_rate")


@plan.parts(2)
def extract_measure(draw: Draw) -> tuple[Question, Question]:
    n, positives = draw.whole(7, 10), draw.whole(3, 4)
    negatives = n - positives
    cases = draw.cases(n, positives, auc=("13/20", "9/10"))
    best = [Fraction(min(j, positives), positives) for j in range(1, n + 1)]
    luck = [Fraction(j, n) for j in range(1, n + 1)]
    full = sum(best, Fraction(0)) - sum(luck, Fraction(0))
    gained = value("pem", cases) * full
    largest = value_question(
        f"Take a list of {n} cases with {positives} positives. Over the quotas 1 to {n}, add up "
        "how far the best possible Qrecall lies above that of a random order. What is this area "
        "S₃?",
        full,
        title="The area that can be gained",
        hints=(
            f"At the quota j a random order has Qrecall j/{n}.",
            f"The best order has j/{positives}, and 1 from j = {positives} on.",
            "Add the differences; the last one is 0.",
        ),
        mistakes=[
            Mistake(
                "random_not_taken_off",
                sum(best, Fraction(0)),
                "the sum of the best possible Qrecalls",
                "Take the random ones off.",
            ),
            Mistake(
                "divided",
                full / n,
                "the mean of the differences",
                "Asked is their sum.",
            ),
            Mistake(
                "only_to_the_positives",
                sum(best[:positives], Fraction(0)) - sum(luck[:positives], Fraction(0)),
                f"the sum for the quotas up to {positives}",
                "Behind them the best curve still lies above the random one.",
            ),
        ],
        solution=f"The best Qrecalls add up to {sum(best)}, the random ones to {sum(luck)}; the "
        f"difference is {full}. It is always n₋/2, here {negatives}/2.",
    )
    reached = question(
        "pem",
        cases,
        title="The potential extract measure",
        statement=f"Now for this list of {n} cases: which part of that area does it gain? That is, "
        "what is the PEM?",
        hints=(
            "At every quota, take how far the Qrecall of this list lies above j/n.",
            "Below the random curve the differences are negative: they are taken off.",
            f"Divide the sum by S₃ = {full}.",
        ),
        follows=largest,
        carry=lambda area: gained / area,
    ).naming("another_measure:auc", "not_divided", "wrong_end")
    return largest, reached


@plan.exercise
def a_list_too_long_to_count(draw: Draw) -> Question:
    name = draw.choice(("arbel_good", "arbel_bad"))
    key, words, rival, last = draw.choice(
        (
            (
                "pem",
                "PEM",
                "auc",
                "S₃ is n₋/2 = 40. A list worse than chance has a negative PEM.",
            ),
            (
                "average_qrecall",
                "average Qrecall",
                "average_hit_rate",
                "Take the mean of the Qrecalls for the quotas from n₊ = 20 on.",
            ),
        )
    )
    return question(
        key,
        load(name),
        title="A list too long to count",
        statement="Of these hundred cases twenty are positive. Let Python do the work: "
        f'bt.load("{name}") gives the list. What is its {words}?',
        hints=(
            f'With cases = bt.load("{name}"), cases.labels and cases.scores hold what you need.',
            "Sort the classes by score, the highest first, and go through the quotas 1 to 100.",
            last,
        ),
    ).naming(f"another_measure:{rival}", "not_divided", "wrong_end")


@plan.exercise
def correlation_in_a_quota(draw: Draw) -> Question:
    cases = draw.such(lambda: draw.cases(6, 3), lambda made: made.top(4).tp == 2)
    return question(
        "quota_pearson",
        cases,
        top=4,
        title="The correlation in a quota",
        statement="Four of these six cases fit into the quota. What is the correlation of score "
        "and class among these four?",
        hints=(
            "Take the means of the four scores and of the four classes first.",
            "The covariance is the mean of the products of the deviations from these means.",
            "Divide it by the roots of the two mean squared deviations.",
        ),
    ).naming("root_forgotten", "step_on_the_way:t̄", "squared")


# What is wanted -> the measure for it.
NEEDS = {
    "the hit rate": "exactly ten rooms are free, and a wrong guest in one of them is what hurts",
    "the Qrecall": "exactly ten rooms are free, and a right guest left outside is what hurts",
    "the average hit rate": "nobody knows yet how many rooms there will be, and a wrong guest in "
    "one of them is what hurts",
    "the PEM": "nobody knows yet how many rooms there will be, and a right guest left outside is "
    "what hurts",
}
REASONS = {
    "the hit rate": "It looks at one quota and counts how many of those taken are right.",
    "the Qrecall": "It looks at one quota and counts how many of the right ones are taken.",
    "the average hit rate": "It goes over many quotas and counts how many of those taken are "
    "right.",
    "the PEM": "It goes over all quotas and counts how many of the right ones are taken.",
}


@plan.exercise
def measure_for_a_need(draw: Draw) -> Question:
    right = draw.choice(list(NEEDS))
    told = {
        name: f"{reason}{'' if name == right else ' That is not what is needed here.'}"
        for name, reason in REASONS.items()
    }
    return option_question(
        f"A hotel for artists ranks those who want to come; {NEEDS[right]}. Which measure should "
        "judge the ranking?",
        draw.shuffled(list(NEEDS)),
        right,
        title="Which measure for which need?",
        why=told,
        hints=(
            "Is the quota known? Then one quota is enough.",
            "Where a wrong case in the quota hurts, look at a share of those taken; where a right "
            "case outside hurts, at a share of the right ones.",
        ),
    )


@plan.exercise
def extract_measure_by_ranks(draw: Draw) -> Question:
    del draw  # a formula has no data
    return formula_question(
        "A list has n cases, N of them negative, and R is the mean rank of its positives (1 at "
        "the top). Its Qrecalls add up to n + 1 − R, those of a random order to (n + 1)/2, and "
        "S₃ is N/2. Write the PEM as a formula in n, N and R.",
        "(n + 1 - 2*R) / N",
        ("n", "N", "R"),
        title="Prove it: PEM is the Gini index",
        mistakes=[
            WrongFormula(
                "random_not_taken_off",
                "2*(n + 1 - R) / N",
                "what comes out when the random order is not taken off",
            ),
            WrongFormula(
                "half_forgotten",
                "(n + 1 - 2*R) / (2*N)",
                "half of it: the area S₃ taken as N",
                "S₃ is N/2.",
            ),
            WrongFormula(
                "not_divided",
                "(n + 1)/2 - R",
                "the area between the list and a random order",
                "Divide it by S₃.",
            ),
        ],
        hints=(
            "PEM is the area between the list and a random order, divided by S₃.",
            "The area is (n + 1 − R) − (n + 1)/2 = (n + 1)/2 − R.",
        ),
        solution="((n + 1)/2 − R) / (N/2) = (n + 1 − 2R) / N. The AUC is "
        "1 + ((n₊ + 1)/2 − R)/N, and with n₊ + N = n the Gini index 2 AUC − 1 is (n + 1 − 2R) / N, "
        "too. So PEM and Gini index are the same number for every list.",
        possible=lambda n, N, R: 0 < N < n and 1 <= R <= n,
    )
