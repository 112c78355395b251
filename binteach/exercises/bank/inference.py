"""How far an estimate can be trusted: intervals, permutations, the bootstrap."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

from binteach import exact
from binteach.cases import Cases, decimal_text
from binteach.derivation import Table
from binteach.exercises.draw import Draw
from binteach.exercises.formulas import WrongFormula
from binteach.exercises.goals import WrongCases
from binteach.exercises.mistakes import Mistake
from binteach.exercises.plan import Plan
from binteach.exercises.question import (
    Question,
    cases_question,
    formula_question,
    option_question,
    value_question,
)
from binteach.expr import Rounded
from binteach.inference import METHODS, coverage, interval, permutation_test

plan = Plan(
    "inference",
    "How sure is it?",
    "Intervals for a share, p-values from permutations, and what the bootstrap draws.",
)

Z = Fraction("1.959964")
Z_ONE_SIDED = Fraction("1.644854")


# The Wald interval ----------------------------------------------------------------------------

MEANINGS = {
    "of many intervals made like this one, about 95 in 100 hold the true sensitivity": "The level "
    "belongs to the way of making intervals: repeated on new data, it succeeds 95 times in 100.",
    "95 % of the patients have a sensitivity in the interval": "A patient has no sensitivity; it "
    "belongs to the test, as one number.",
    "with 95 % of all new data the estimate falls into this interval": "New data give a new "
    "estimate and a new interval. That this one catches 95 % of the estimates is not promised.",
    "the test is right in 95 % of all cases": "That would be an accuracy. The level says how "
    "often the interval is right, not the test.",
}


@plan.exercise
def what_a_level_means(draw: Draw) -> Question:
    low, high = Fraction(draw.whole(55, 70), 100), Fraction(draw.whole(80, 95), 100)
    return option_question(
        "A paper reports the sensitivity of a test with a 95 % confidence interval from "
        f"{decimal_text(low)} to {decimal_text(high)}. What do the 95 % say?",
        draw.shuffled(list(MEANINGS)),
        next(iter(MEANINGS)),
        title="What does the level of an interval mean?",
        why=MEANINGS,
        hints=(
            "The true sensitivity is one fixed number that nobody knows.",
            "What is random is the data, and with them the two ends of the interval.",
        ),
    )


@plan.exercise
def may_it_be_used(draw: Draw) -> Question:
    options = {
        (True, True): "yes",
        (False, True): "no: there are too few successes",
        (True, False): "no: there are too few failures",
        (False, False): "no: there are too few of both",
    }
    needs = {
        (True, True): "more than 5 of both",
        (False, True): "at most 5 successes and more than 5 failures",
        (True, False): "more than 5 successes and at most 5 failures",
        (False, False): "at most 5 of both",
    }
    wanted = draw.choice(list(options))
    successes, failures = (draw.whole(6, 12) if many else draw.whole(1, 5) for many in wanted)
    n = successes + failures
    told = f"There are n p = {successes} successes and n (1 − p) = {failures} failures."
    why = {
        option: f"{told} The rule needs more than 5 of both."
        if key == wanted
        else f"{told} That would be so with {needs[key]}."
        for key, option in options.items()
    }
    return option_question(
        f"Of {n} spam messages a filter caught {successes}. Berrar allows the Wald interval where "
        "n p and n (1 − p) are both greater than 5. Is it allowed here?",
        list(options.values()),
        options[wanted],
        title="May the Wald interval be used?",
        why=why,
        hints=(
            "n p is the number of successes, n (1 − p) the number of failures.",
            f"Of the {n} messages {successes} are successes. And the others?",
        ),
    )


def _share(draw: Draw) -> tuple[int, int]:
    """Successes and trials for which z = 1.96 gives the same three decimals as z itself.

    There are more than five of successes and of failures, so that the interval may be used.
    """

    def is_plain(drawn: tuple[int, int]) -> bool:
        r, n = drawn
        if n - r <= 5:
            return False
        found = interval("wald", r, n)
        error = math.sqrt(r / n * (1 - r / n) / n)
        ends = (found.low, found.high)
        return all(
            round(end, 3) == round(r / n + sign * 1.96 * error, 3)
            for end, sign in zip(ends, (-1, 1), strict=True)
        )

    return draw.such(lambda: (draw.whole(12, 17), draw.choice((20, 22, 24, 25, 28, 30))), is_plain)


@plan.parts(2)
def wald_interval(draw: Draw) -> tuple[Question, Question]:
    r, n = _share(draw)
    p = Fraction(r, n)
    error = exact.sqrt(p * (1 - p) / n)
    story = f"A test called {r} of {n} ill people ill."
    found = interval("wald", r, n)
    standard_error = value_question(
        f"{story} What is the standard error of its sensitivity, as the Wald interval takes it?",
        exact.public(error),
        title="A standard error",
        places=3,
        hints=(
            f"The estimate is p = {r}/{n}.",
            "The standard error is √(p (1 − p) / n).",
        ),
        mistakes=[
            Mistake("root_forgotten", p * (1 - p) / n, "p (1 − p) / n", "Take the root."),
            Mistake(
                "not_divided",
                exact.sqrt(p * (1 - p)),
                "√(p (1 − p)), the standard deviation of a single case",
                "Divide by n under the root.",
            ),
            Mistake(
                "complement_forgotten",
                exact.sqrt(p / n),
                "√(p / n)",
                "Under the root p is multiplied by 1 − p.",
            ),
        ],
        solution=f"√(p (1 − p) / n) = √({p} × {1 - p} / {n}) ≈ {exact.rounded(error, 4)}.",
    )
    lower = value_question(
        f"{story} Where does the 95 % Wald interval of its sensitivity begin? To the level "
        "95 % belongs z = 1.959964.",
        found.low,
        title="The lower end of a Wald interval",
        places=3,
        hints=(
            "The interval reaches z standard errors to either side of the estimate.",
            f"The lower end is {r}/{n} − z · √(p (1 − p) / n).",
        ),
        mistakes=[
            Mistake(
                "quantile_forgotten",
                exact.add(p, exact.negate(error)),
                "the estimate less one standard error",
                "Take z of them off.",
            ),
            Mistake("other_end", exact.exact(found.high), "the upper end"),
            Mistake(
                "one_sided",
                exact.add(p, exact.multiply(-Z_ONE_SIDED, error)),
                "the end with z = 1.644854, beyond which 5 % lie on one side",
                "The 5 % are on both sides together: z = 1.959964.",
            ),
        ],
        solution=found.explain(),
        follows=standard_error,
        carry=lambda given: p - Z * given,
    )
    return standard_error, lower


# Permutations ---------------------------------------------------------------------------------


@plan.exercise
def shuffled_labels(draw: Draw) -> Question:
    k, b = draw.choice((19, 24, 29, 39, 49)), draw.whole(1, 5)
    right = Fraction(b + 1, k + 1)
    return value_question(
        f"A student shuffles the class labels {k} times at random. In {b} of the shuffled sets the "
        "AUC is at least as large as in the real one. Which p-value should she report, if the "
        "real set counts as one of the arrangements?",
        right,
        title="A p-value from random permutations",
        hints=(
            "If the labels mean nothing, the real set is one more random arrangement.",
            f"So there are {k} + 1 arrangements, and {b} + 1 of them are as extreme.",
        ),
        mistakes=[
            Mistake(
                "real_set_left_out",
                Fraction(b, k),
                "b / k, the share of the shuffled sets alone",
                "It could be 0, as if chance could never do it; the real set belongs in.",
            ),
            Mistake(
                "only_above",
                Fraction(b + 1, k),
                "(b + 1) / k",
                "The real set is an arrangement more, below the line, too.",
            ),
            Mistake(
                "only_below",
                Fraction(b, k + 1),
                "b / (k + 1)",
                "The real set is at least as extreme as itself: it counts above the line, too.",
            ),
        ],
        solution=f"(b + 1) / (k + 1) = ({b} + 1) / ({k} + 1) = {right}.",
    )


@plan.exercise
def all_permutations(draw: Draw) -> Question:
    n, positives = draw.choice(((6, 2), (6, 3), (7, 2)))

    def rank_sum(cases: Cases) -> int:
        ranked = [cases.label(int(index)) for index in cases.ranking.order]
        return sum(rank for rank, label in enumerate(ranked, 1) if label)

    cases = draw.cases(n, positives, auc=("7/10", "19/20"))
    sums = [sum(ranks) for ranks in combinations(range(1, n + 1), positives)]
    test = permutation_test(cases, "auc")
    larger = sum(other < rank_sum(cases) for other in sums)
    number = len(sums)
    return value_question(
        f"Put the {positives} positive labels on these {n} cases in all possible ways. In which "
        "share of them is the AUC at least as large as here? That is the exact one-sided "
        "p-value.",
        test.p,
        title="An exact permutation test",
        data=cases,
        hints=(
            f"There are {number} ways to choose the places of {positives} positives among {n}.",
            "The AUC is the larger, the smaller the sum of the places of the positives is.",
            f"Here this sum is {rank_sum(cases)}: count the ways with a sum of at most that.",
        ),
        mistakes=[
            Mistake(
                "strictly_larger",
                Fraction(larger, number),
                "the share of the ways with a larger AUC",
                "As large counts as well, and so does the real one.",
            ),
            Mistake(
                "two_sided",
                2 * test.p,
                "twice the share",
                "One-sided, only a large AUC is extreme.",
            ),
            Mistake(
                "one_way",
                Fraction(1, number),
                "the share that one single way has",
                "Other ways have as large an AUC, or a larger one.",
            ),
        ],
        solution=test.explain(),
    )


# The bootstrap --------------------------------------------------------------------------------


@plan.parts(2)
def out_of_the_bag(draw: Draw) -> tuple[Question, Question]:
    n = 8
    cases = Cases([1] * n, range(n))

    def times(drawn: list[str]) -> dict[str, int]:
        return {name: drawn.count(name) for name in cases.names}

    drawn = draw.such(
        lambda: [draw.choice(cases.names) for _ in range(n)],
        lambda made: list(times(made).values()).count(0) == 3 and 2 in times(made).values(),
    )
    found = times(drawn)
    out = [name for name, count in found.items() if count == 0]
    table = Table(
        ("draw", *map(str, range(1, n + 1))),
        (("case", *drawn),),
    )
    which = cases_question(
        f"From a learning set of the cases 1 to {n}, {n} are drawn with replacement for training. "
        "Which cases are out of the bag, so that the model can be tested on them?",
        cases,
        out,
        title="The cases out of the bag",
        data=table,
        hints=(
            "Some cases are drawn more than once, so others are not drawn at all.",
            f"Go through the cases 1 to {n} and look for each in the list.",
        ),
        mistakes=[
            WrongCases(
                "in_the_bag",
                [name for name, count in found.items() if count],
                "the cases in the bag",
                "Out of the bag are those never drawn.",
            ),
            WrongCases(
                "several_times",
                [name for name, count in found.items() if count > 1],
                "the cases that were drawn more than once",
            ),
            WrongCases(
                "not_once",
                [name for name, count in found.items() if count != 1],
                "all cases that were not drawn exactly once",
                "A case that was drawn twice is in the bag.",
            ),
        ],
        solution="These do not occur among the draws.",
    )
    size = draw.whole(5, 9)
    missed = Fraction(size - 1, size)
    right = missed**size
    share = value_question(
        f"How likely is a certain one of {size} cases out of the bag, when {size} are drawn with "
        "replacement?",
        right,
        title="How likely is a case out of the bag?",
        hints=(
            f"One draw misses it with the probability {missed}.",
            f"All {size} draws must miss it, and they do not depend on each other.",
        ),
        mistakes=[
            Mistake("complement", 1 - right, "the probability that it is in the bag"),
            Mistake(
                "one_draw",
                missed,
                "the probability that one draw misses it",
                f"There are {size} draws: raise it to that power.",
            ),
            Mistake(
                "limit",
                exact.exact(math.exp(-1)),
                "1/e in decimals, to which it tends as n grows",
                f"For n = {size} it is smaller.",
            ),
        ],
        solution=f"(1 − 1/{size})^{size} = ({missed})^{size} = {right}, about "
        f"{exact.rounded(right, 4)}. For large n it tends to 1/e ≈ 0.3679.",
    )
    return which, share


@plan.exercise
def percentile_interval(draw: Draw) -> Question:
    level, number, per_row = Fraction(9, 10), 41, 10
    values = [Fraction(v, 100) for v in sorted(draw.sample(range(54, 100), number))]
    upper = draw.whole(0, 1)
    share = (1 + level) / 2 if upper else (1 - level) / 2
    place = int(1 + share * (number - 1))
    tail = 1 - share if upper else share
    # From the end of the list that is asked for: the first value is number 1.
    from_end = values[::-1] if upper else values
    not_halved = int(1 + 2 * tail * (number - 1))
    right = values[place - 1]
    rows = tuple(
        (
            f"{start + 1} to {start + per_row}" if start + 1 < number else str(number),
            *(decimal_text(v) for v in values[start : start + per_row]),
            *([""] * max(0, start + per_row - number)),
        )
        for start in range(0, number, per_row)
    )
    end, other = ("upper", "lower") if upper else ("lower", "upper")
    return value_question(
        f"In {number} resamples a model has these AUCs, in order. What is the {end} end of the "
        "90 % percentile interval? The quantile at the share q is the value at place "
        f"1 + q ({number} − 1).",
        right,
        title="An interval from resampled values",
        data=Table(("places", *([""] * per_row)), rows),
        hints=(
            "90 % in the middle leave 5 % on each side.",
            f"So the {end} end is the quantile at {decimal_text(share)}.",
            f"1 + {decimal_text(share)} · 40 = {place}.",
        ),
        mistakes=[
            Mistake(
                "not_halved",
                from_end[not_halved - 1],
                "the value with 10 % on this side",
                "The 10 % are divided between both sides.",
            ),
            Mistake("other_end", from_end[number - from_end.index(right) - 1], f"the {other} end"),
            Mistake("extreme", from_end[0], "the outermost of all values"),
            Mistake(
                "one_place_off",
                from_end[from_end.index(right) - 1],
                "the value one place farther out",
                f"1 + {decimal_text(share)} · 40 is {place}.",
            ),
        ],
        solution=f"The place is 1 + {decimal_text(share)} · ({number} − 1) = {place}, and the "
        f"value there is {decimal_text(right)}.",
    )


# Better intervals -----------------------------------------------------------------------------


@plan.exercise
def wilson_interval(draw: Draw) -> Question:
    n = draw.whole(10, 14)
    r = n - draw.whole(2, 4)
    found = interval("wilson", r, n)
    rivals = {
        "wald": "the lower end of the Wald interval, the estimate less z standard errors",
        "clopper_pearson": "the lower end of the Clopper-Pearson interval",
    }
    return value_question(
        f"A detector found {r} of {n} leaks. Where does the 95 % Wilson interval of its "
        "sensitivity begin? To the level 95 % belongs z = 1.959964.",
        found.low,
        title="The lower end of a Wilson interval",
        places=3,
        hints=(
            "The middle is (p + z²/(2n)) / (1 + z²/n).",
            "The half width is z · √(p (1 − p)/n + z²/(4n²)) / (1 + z²/n).",
            "The lower end is the middle less the half width.",
        ),
        mistakes=[
            *(
                Mistake(key, exact.exact(interval(key, r, n).low), says)
                for key, says in rivals.items()
            ),
            Mistake("other_end", exact.exact(found.high), "the upper end"),
        ],
        solution=found.explain(),
    )


@plan.exercise
def exact_interval(draw: Draw) -> Question:
    n = draw.choice((8, 9, 10, 12))
    r = draw.whole(3, n - 4)
    found = interval("clopper_pearson", r, n)
    _, quantile = METHODS["clopper_pearson"].quantiles(r, n, Fraction(1, 20))
    f = exact.exact(quantile.value)
    return value_question(
        f"A filter caught {r} of {n} forged notes. Where does the 95 % Clopper-Pearson interval "
        f"of its sensitivity end? The quantile at 0.975 of the F distribution with {2 * (r + 1)} "
        f"and {2 * (n - r)} degrees of freedom is {exact.rounded(f, 6)}.",
        found.high,
        title="The upper end of an exact interval",
        places=3,
        hints=(
            "The upper end is (r + 1) F / (n − r + (r + 1) F).",
            f"Here r = {r}, n = {n} and F = {exact.rounded(f, 6)}.",
        ),
        mistakes=[
            Mistake(
                "one_too_few",
                r * f / (n - r + r * f),
                "what comes out with r in the place of r + 1",
                "The upper end counts one success more.",
            ),
            Mistake(
                "wald",
                exact.exact(interval("wald", r, n).high),
                "the upper end of the Wald interval",
            ),
            Mistake("other_end", exact.exact(found.low), "the lower end"),
        ],
        solution=found.explain(),
    )


@plan.exercise
def how_often_it_holds(draw: Draw) -> Question:
    n = draw.whole(4, 6)
    ends = [(interval("wald", r, n).low, interval("wald", r, n).high) for r in range(n + 1)]
    # 9/20 and 11/20 lie so near to an end that rounded numbers would not tell.
    share = Fraction(draw.choice((4, 5, 6, 7, 8, 10, 12, 13, 14, 15, 16)), 20)
    holding = [r for r, (low, high) in enumerate(ends) if low <= share <= high]
    right = coverage("wald", n).at(share)
    p = decimal_text(share)
    short = [[Rounded(exact.rounded(exact.exact(end), 3)) for end in both] for both in ends]
    rows = tuple((str(r), low, high) for r, (low, high) in enumerate(short))
    named = ", ".join(map(str, holding))
    return value_question(
        f"The table has the 95 % Wald intervals for r successes in {n} trials. If the true share "
        f"is {p}, with which probability does the interval hold it?",
        right,
        title="How often does an interval hold the true share?",
        data=Table(("r", "from", "to"), rows),
        hints=(
            f"Look for the outcomes r whose interval holds {p}.",
            f"The outcome r has the probability C({n}, r) · {p}^r · {decimal_text(1 - share)}"
            f"^({n} − r).",
            f"Add the probabilities of {named}.",
        ),
        mistakes=[
            Mistake(
                "level",
                Fraction(19, 20),
                "the level, which the Wald interval promises and does not keep",
            ),
            Mistake(
                "outcomes_counted",
                Fraction(len(holding), n + 1),
                "the share of outcomes whose interval holds it, as if all were equally likely",
                "Weight each outcome by its probability.",
            ),
            Mistake("complement", 1 - right, "the probability that the interval misses it"),
        ],
        solution=f"The intervals for r = {named} hold {p}. Their probabilities add up to {right}, "
        f"about {exact.rounded(right, 3)}: less than 0.95.",
    )


@plan.exercise
def widest_interval(draw: Draw) -> Question:
    del draw  # a formula has no data
    return formula_question(
        "For a given n the Wald interval is widest at p = 1/2. How far does it reach there to "
        "either side of the estimate? Write it as a formula in z and n, sqrt(n) being the root.",
        "z / (2*sqrt(n))",
        ("z", "n"),
        title="Prove it: how wide an interval can be",
        mistakes=[
            WrongFormula(
                "half_forgotten",
                "z / sqrt(n)",
                "the whole width, from end to end",
                "Asked is how far it reaches to one side.",
            ),
            WrongFormula("root_forgotten", "z / (4*n)", "what comes out without the root"),
            WrongFormula(
                "root_of_n_forgotten",
                "z / (2*n)",
                "what comes out when n is not under the root",
            ),
        ],
        hints=(
            "The interval reaches z · √(p (1 − p) / n) to either side.",
            "With p = 1/2, p (1 − p) = 1/4.",
        ),
        solution="z √((1/2)(1/2)/n) = z √(1/(4n)) = z / (2√n). To halve the width takes four "
        "times as many cases.",
    )
