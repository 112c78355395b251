"""Comparing models: who wins under which measure, at which cost, in which population."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from binteach import exact
from binteach.cases import Cases, Counts, decimal_text
from binteach.data import load
from binteach.derivation import Table
from binteach.exact import rounded
from binteach.exercises.draw import Draw
from binteach.exercises.examples import Condition
from binteach.exercises.formulas import WrongFormula
from binteach.exercises.goals import WrongCases
from binteach.exercises.mistakes import Mistake
from binteach.exercises.plan import Plan
from binteach.exercises.question import (
    Named,
    Question,
    cases_question,
    example_question,
    formula_question,
    option_question,
    question,
    value_question,
)
from binteach.inference import compare
from binteach.measures import value

plan = Plan(
    "compare",
    "Comparing models",
    "Which of two models is better depends on the measure, the costs and the population.",
)


def _two_models(draw: Draw, n: int, positives: int) -> tuple[Cases, Cases]:
    """Two models on the same cases, each with scores of its own."""
    first, drawn = draw.cases(n, positives), draw.cases(n, positives)
    scores: dict[int, list[Fraction]] = {0: [], 1: []}
    for label, score in zip(drawn.labels, drawn.scores, strict=True):
        scores[label].append(score)
    return first, Cases(first.labels, [scores[label].pop() for label in first.labels])


# Who is better --------------------------------------------------------------------------------

WINNERS = ("accuracy", "precision", "sensitivity", "specificity", "f_measure")
WORDS = {"f_measure": "the F-measure"}


@plan.exercise
def measure_that_prefers_the_other(draw: Draw) -> Question:
    positives, negatives = 20, 30
    keys = draw.sample(WINNERS, 4)

    def made() -> dict[str, Counts]:
        found = {}
        for name in ("A", "B"):
            tp, fp = draw.whole(8, 19), draw.whole(2, 14)
            found[name] = Counts(tp=tp, fp=fp, fn=positives - tp, tn=negatives - fp)
        return found

    def preferring_b(models: dict[str, Counts]) -> list[str]:
        return [key for key in keys if value(key, models["B"]) > value(key, models["A"])]

    def is_plain(models: dict[str, Counts]) -> bool:
        equal = any(value(key, models["A"]) == value(key, models["B"]) for key in keys)
        return not equal and len(preferring_b(models)) == 1

    models = draw.such(made, is_plain)
    (right,) = preferring_b(models)
    named = {key: WORDS.get(key, f"the {key}") for key in keys}
    why = {}
    for key in keys:
        a, b = (value(key, models[name]) for name in "AB")
        winner = "B" if b > a else "A"
        why[named[key]] = (
            f"Under {named[key]} model {winner} wins: it is {a} for A and {b} for B, about "
            f"{rounded(a, 3)} and {rounded(b, 3)}."
        )
    return option_question(
        "Two models judged the same fifty cases. Three of these four measures prefer model A. "
        "Which one prefers model B?",
        [named[key] for key in keys],
        named[right],
        title="Who wins under which measure?",
        data={"Model A": models["A"], "Model B": models["B"]},
        why=why,
        hints=(
            "Both matrices have 20 positives and 30 negatives, so shares of the same class can be "
            "compared by their counts.",
            "Look which model finds more positives, and which one gives fewer false alarms.",
        ),
    )


@plan.exercise
def same_order_other_scores(draw: Draw) -> Question:
    models = {"Model A": load("ten_cases"), "Model B": load("ten_cases_b")}
    keys = {
        "the AUC": "auc",
        "the average precision": "average_precision",
        "the Kolmogorov-Smirnov statistic": "ks",
        "the Brier score": "brier_score",
    }
    why = {}
    for name, key in keys.items():
        a, b = (value(key, cases) for cases in models.values())
        why[name] = (
            f"It is {a} for both: it looks only at the order of the cases."
            if a == b
            else f"It looks at the scores themselves: it is {a} for A and {b} for B, and smaller "
            "is better."
        )
    return option_question(
        "Model B differs from model A in one score: it gives case 8, a negative one, 0.79 in "
        "place of 0.75. Which of these measures tells the two models apart?",
        draw.shuffled(list(keys)),
        "the Brier score",
        title="The same order, other scores",
        data=models,
        why=why,
        hints=(
            "Compare the order of the cases in both lists.",
            "Which of the four measures would not change if all scores were squared?",
        ),
    )


def _above_negatives(cases: Cases) -> list[int]:
    """How many positives stand above the first negative, the second, and so on."""
    found, seen = [], 0
    for index in cases.ranking.order:
        if cases.label(int(index)):
            seen += 1
        else:
            found.append(seen)
    return found


@plan.exercise
def curve_above_the_other(draw: Draw) -> Question:
    a_wins, b_wins, cross = "A's curve lies above B's", "B's curve lies above A's", "they cross"
    same = "they are the same"

    def verdict(models: tuple[Cases, Cases]) -> str:
        pairs = list(zip(*map(_above_negatives, models), strict=True))
        a_above, b_above = any(a > b for a, b in pairs), any(b > a for a, b in pairs)
        if a_above and b_above:
            return cross
        return a_wins if a_above else b_wins if b_above else same

    right = draw.choice((a_wins, b_wins, cross))
    first, second = draw.such(
        lambda: _two_models(draw, 8, 4), lambda models: verdict(models) == right
    )
    a, b = _above_negatives(first), _above_negatives(second)

    def counted(place: int) -> str:
        return f"above negative number {place + 1} A has {a[place]} positives, B has {b[place]}."

    places = range(len(a))
    a_above = next((counted(place) for place in places if a[place] > b[place]), "")
    b_above = next((counted(place) for place in places if b[place] > a[place]), "")
    never = "At no false positive rate does {} have the higher true positive rate."
    # Of a curve that lies above the other, what is said of its loser; of any other, where it fails.
    why = {
        a_wins: f"B is higher somewhere: {b_above}"
        if b_above
        else f"{a_above} {never.format('B')}",
        b_wins: f"A is higher somewhere: {a_above}"
        if a_above
        else f"{b_above} {never.format('A')}",
        cross: f"{a_above} {b_above}" if right == cross else never.format("A" if b_above else "B"),
        same: f"They differ: {a_above or b_above}",
    }
    return option_question(
        "Two models ranked the same eight patients. How do their ROC curves lie? One lies above "
        "the other if it is higher somewhere and lower nowhere.",
        [a_wins, b_wins, cross, same],
        right,
        title="Does one model dominate the other?",
        data={"Model A": first, "Model B": second},
        why=why,
        hints=(
            "A ROC curve is as high at a negative case as there are positives above that case.",
            "For each model, count the positives above its first negative, its second, and so on, "
            "and compare the two rows of numbers.",
        ),
    )


# Mutual information ---------------------------------------------------------------------------


@plan.exercise
def calls_that_tell_nothing(draw: Draw) -> Question:
    models = load("murphy_abc")
    keys = {
        "the accuracy": "accuracy",
        "the recall": "sensitivity",
        "the F-measure": "f_measure",
        "the mutual information": "mutual_information",
    }
    told = {}
    for name, key in keys.items():
        a, b, c = (rounded(value(key, counts), 3) for counts in models.values())
        told[name] = f"It is {a} for A, {b} for B and {c} for C."
    told["the mutual information"] += (
        " Where every case is called the same, the call tells nothing about the class."
    )
    return option_question(
        "Murphy compares three classifiers; the tables show shares of all cases. A calls every "
        "case positive, whatever it is. Which of these measures puts A last?",
        draw.shuffled(list(told)),
        "the mutual information",
        title="Which measure sees that A tells nothing?",
        data={f"Classifier {name}": counts for name, counts in models.items()},
        why=told,
        hints=(
            "Work each measure out for A first, and then for C.",
            "One of the four measures asks how much the call tells about the class.",
        ),
    )


@plan.parts(2)
def information_in_nats_and_bits(draw: Draw) -> tuple[Question, Question]:
    counts = draw.counts(1, 9)
    story = "A weather model calls rain (positive) or none."
    nats = question(
        "mutual_information",
        counts,
        places=3,
        title="Mutual information in nats",
        statement=f"{story} How much do its calls tell about the weather: what is the mutual "
        "information with natural logarithms? Give at least three decimals.",
        hints=(
            "Divide the four counts by n: these are the joint probabilities.",
            "For each cell take p · ln(p / (p of its row × p of its column)).",
            "Add the four numbers; two of them are negative.",
        ),
    ).naming("log_base:2", "log_base:10", "sign_lost")
    bits = question(
        "mutual_information",
        counts,
        base=2,
        places=3,
        title="Mutual information in bits",
        statement=f"{story} What is the mutual information in bits, with logarithms to base 2?",
        hints=(
            "log₂ x = ln x / ln 2.",
            "So divide the number of nats by ln 2, which is 0.693147….",
        ),
        follows=nats,
        carry=lambda found: found / exact.public(exact.log(Fraction(2), 0)),
    ).naming("log_base:e", "log_base:10", "sign_lost")
    return nats, bits


# Another population ---------------------------------------------------------------------------


@plan.exercise
def from_the_study_to_the_country(draw: Draw) -> Question:
    tp, tn = draw.choice((80, 85, 90, 95)), draw.choice((70, 75, 80, 85, 90))
    study = Counts(tp=tp, fp=100 - tn, fn=100 - tp, tn=tn)
    in_hundred = draw.choice((1, 2, 4, 5, 10))
    ill = Fraction(in_hundred, 100)
    found, alarms = ill * Fraction(tp, 100), (1 - ill) * Fraction(100 - tn, 100)
    right = found / (found + alarms)
    return value_question(
        "A study tested a hundred ill and a hundred healthy people. In the country "
        f"{in_hundred} of a hundred are ill. Which precision does the test have there?",
        right,
        title="The precision in another population",
        data=study,
        hints=(
            "Sensitivity and false positive rate do not depend on how many people are ill: take "
            "them from the study.",
            f"Think of 10 000 people of the country: {100 * in_hundred} are ill.",
            "Fill in a matrix for them, and take its precision.",
        ),
        mistakes=[
            Mistake(
                "as_in_the_study",
                Fraction(tp, tp + 100 - tn),
                "the precision in the study, where every second person is ill",
                f"In the country {in_hundred} of a hundred are.",
            ),
            Mistake(
                "sensitivity",
                Fraction(tp, 100),
                "the sensitivity, a share of the ill and not of those called ill",
            ),
            Mistake(
                "joint",
                found,
                "the share of the whole country that is ill and called ill",
                "Divide it by the share that is called ill.",
            ),
            Mistake(
                "complement",
                1 - right,
                "the share of the healthy among those called ill",
            ),
        ],
        solution=f"Of 10 000 people {100 * in_hundred} are ill, and {10000 * found} of them are "
        f"called so; of the {10000 - 100 * in_hundred} healthy ones {10000 * alarms} are called "
        f"ill, too. The precision is {10000 * found} / ({10000 * found} + {10000 * alarms}) = "
        f"{right}, about {rounded(right, 3)}.",
    )


@plan.exercise
def accurate_and_no_better_than_a_coin(draw: Draw) -> Question:
    n = draw.choice((200, 300, 400, 500))
    positives = n // 20
    least = Fraction(draw.choice((90, 92, 94)), 100)
    most = Fraction(draw.choice((55, 60)), 100)

    def accuracy(counts: Counts) -> Fraction:
        return Fraction(value("accuracy", counts))

    def balanced(counts: Counts) -> Fraction:
        return Fraction(value("balanced_accuracy", counts))

    return example_question(
        f"Find a confusion matrix of {n} cases with at least one true positive, an accuracy of at "
        f"least {decimal_text(least)} and a balanced accuracy of at most {decimal_text(most)}.",
        Counts(tp=1, fp=0, fn=positives - 1, tn=n - positives),
        Condition("total", lambda c: c.n == n, lambda c: f"These are {c.n} cases, not {n}."),
        Condition(
            "no_true_positive",
            lambda c: c.tp >= 1,
            lambda c: "There is no true positive.",
        ),
        Condition(
            "not_accurate",
            lambda c: accuracy(c) >= least,
            lambda c: f"The accuracy is {accuracy(c)}, below {decimal_text(least)}.",
        ),
        Condition(
            "balanced",
            lambda c: balanced(c) <= most,
            lambda c: f"The balanced accuracy is {balanced(c)}, above {decimal_text(most)}.",
        ),
        title="Accurate, and little better than a coin",
        hints=(
            "Let positives be rare: then nearly all cases can be right without them.",
            "Balanced accuracy is the mean of sensitivity and specificity; let the sensitivity be "
            "small.",
            "Take one true positive and a few missed ones, and nearly all the rest as true "
            "negatives.",
        ),
        why="Accuracy is carried by the many negatives, balanced accuracy gives half of the "
        "weight to the few positives, nearly all of which are missed.",
    ).naming(
        Named("total", Counts(tp=1, fp=1, fn=9, tn=n)),
        Named("no_true_positive", Counts(tp=0, fp=0, fn=5, tn=n - 5)),
        Named("not_accurate", Counts(tp=1, fp=0, fn=n // 2, tn=n - n // 2 - 1)),
        Named("balanced", Counts(tp=5, fp=0, fn=0, tn=n - 5)),
    )


# Two models on the same cases ------------------------------------------------------------------


CUT = Fraction(1, 2)


@plan.parts(2)
def cases_that_tell_two_models_apart(draw: Draw) -> tuple[Question, Question]:
    def rightly_called(cases: Cases) -> list[bool]:
        scored = zip(cases.labels, cases.scores, strict=True)
        return [(score > CUT) == bool(label) for label, score in scored]

    def is_plain(models: tuple[Cases, Cases]) -> bool:
        """Whether A alone is right on three to five cases and B alone on one."""
        calls = list(zip(*map(rightly_called, models), strict=True))
        on_the_cut = any(CUT in cases.scores for cases in models)
        only_a, only_b = calls.count((True, False)), calls.count((False, True))
        return not on_the_cut and only_a in (3, 4, 5) and only_b == 1

    first, second = draw.such(lambda: _two_models(draw, 12, 6), is_plain)
    rows = range(first.n)
    calls = list(zip(rightly_called(first), rightly_called(second), strict=True))

    def named(first_right: bool, second_right: bool) -> list[str]:
        return [first.name(row) for row in rows if calls[row] == (first_right, second_right)]

    only_a, only_b = named(True, False), named(False, True)
    heads = ("case", "class", "score of A", "score of B")
    table = Table(
        heads,
        tuple(
            (
                first.name(row),
                str(first.label(row)),
                *(decimal_text(cases.score(row)) for cases in (first, second)),
            )
            for row in rows
        ),
    )
    story = "Both models call a case positive if its score is above 0.5."
    which = cases_question(
        f"{story} Which cases does model A call rightly and model B wrongly?",
        first,
        only_a,
        title="The cases that one model alone gets right",
        data=table,
        hints=(
            "Go through the cases and note for each model whether its call is right.",
            "A call is right if the score is above 0.5 for class 1, or below it for class 0.",
        ),
        mistakes=[
            WrongCases("other_model", only_b, "the cases that model B alone calls rightly"),
            WrongCases(
                "called_differently",
                [*only_a, *only_b],
                "all cases on which the two calls differ",
                "Keep those on which A is right.",
            ),
            WrongCases(
                "right_in_all",
                [*only_a, *named(True, True)],
                "all cases that A calls rightly",
                "Leave out those that B calls rightly, too.",
            ),
        ],
        solution="On these cases A's score lies on the right side of 0.5 and B's on the wrong one.",
    )
    test = compare("mcnemar", first, second, at=CUT)
    b, c = test.first_only, test.second_only
    n = b + c
    p_value = value_question(
        f"{story} If the models were equally good, a case that only one of them calls rightly "
        "would be A's or B's like heads or tails. What is the two-sided p-value of McNemar's "
        "exact test?",
        test.p,
        title="McNemar's exact test",
        data=table,
        hints=(
            f"A alone is right on {b} cases, B alone on {c}: {n} tosses of a coin.",
            f"Of the 2^{n} = {2**n} sequences of heads and tails, count those with one head or "
            "none.",
            "Two-sided: take the share twice.",
        ),
        mistakes=[
            Mistake(
                "one_sided",
                test.p / 2,
                "the probability of one head or none, one-sided",
                "Two-sided, it is doubled.",
            ),
            Mistake(
                "exactly_so_many",
                Fraction(2 * n, 2**n),
                "twice the probability of exactly one head",
                "Still more uneven outcomes count, too.",
            ),
            Mistake(
                "all_cases",
                Fraction(2 * (1 + first.n), 2**first.n),
                f"the p-value of one head or none in {first.n} tosses, one for each case",
                "Cases on which both are right, or both wrong, do not count.",
            ),
        ],
        solution=test.explain(),
    )
    return which, p_value


# Costs ----------------------------------------------------------------------------------------


@plan.parts(2)
def cheapest_cut(draw: Draw) -> tuple[Question, Question]:
    def costs_at(cases: Cases, cost_fp: int, cost_fn: int) -> list[int]:
        cuts = [cut.counts for cut in cases.ranking.cuts]
        return [cost_fp * cut.fp + cost_fn * cut.fn for cut in cuts]

    def best(costs: Sequence[int]) -> int | None:
        return costs.index(min(costs)) if costs.count(min(costs)) == 1 else None

    cost_fp, cost_fn = draw.choice(((1, 3), (1, 4), (2, 5), (3, 1), (4, 1), (5, 2)))

    def is_plain(cases: Cases) -> bool:
        """Whether the cheapest cut is one, and another than with equal or exchanged costs."""
        right, *others = [
            best(costs_at(cases, *costs))
            for costs in ((cost_fp, cost_fn), (cost_fn, cost_fp), (1, 1))
        ]
        if right in (None, 0, cases.n) or None in others or others[0] == others[1]:
            return False
        return all(other not in (right, right + 1, right - 1) for other in others)

    cases = draw.such(lambda: draw.cases(10, 5), is_plain)
    costs = costs_at(cases, cost_fp, cost_fn)
    cheapest = costs.index(min(costs))
    turned = best(costs_at(cases, cost_fn, cost_fp))
    fewest = best(costs_at(cases, 1, 1))
    assert turned is not None
    assert fewest is not None
    top = draw.choice([k for k in (3, 4, 6, 7) if k != cheapest])
    story = (
        f"A factory tests ten parts. To throw a good part away costs {cost_fp}, to sell a faulty "
        f"one (class 1) costs {cost_fn}."
    )
    cost = question(
        "expected_cost",
        cases,
        top=top,
        cost_fp=cost_fp,
        cost_fn=cost_fn,
        title="The cost of a cut",
        statement=f"{story} It throws away the {top} parts with the highest scores. What does a "
        "part cost on average?",
        hints=(
            "Count the good parts thrown away, FP, and the faulty ones sold, FN.",
            f"The cost is ({cost_fp} · FP + {cost_fn} · FN) / 10.",
        ),
    ).naming("parameter_turned_round", "not_divided", "another_measure:error_rate")
    where = value_question(
        f"{story} How many of the parts at the top of the list should it throw away?",
        cheapest,
        title="The cheapest cut",
        places=0,
        data=cases,
        hints=(
            f"Start with none thrown away: that costs 5 · {cost_fn}.",
            f"Each faulty part that is thrown away saves {cost_fn}, each good one costs {cost_fp}: "
            "go down the list and keep the sum.",
        ),
        mistakes=[
            Mistake(
                "costs_exchanged",
                Fraction(turned),
                "the cheapest cut if the two costs are exchanged",
                f"To miss a faulty part costs {cost_fn}.",
            ),
            Mistake(
                "costs_ignored",
                Fraction(fewest),
                "the cut with the fewest wrong calls, as if both errors cost the same",
            ),
            Mistake("one_too_many", Fraction(cheapest + 1), "one part too many"),
            Mistake("one_too_few", Fraction(cheapest - 1), "one part too few"),
        ],
        solution="With 0, 1, …, 10 parts thrown away the ten parts together cost "
        f"{', '.join(map(str, costs))}. The smallest of these is {min(costs)}, with "
        f"{cheapest} thrown away.",
    )
    return cost, where


@plan.exercise
def when_an_alarm_pays(draw: Draw) -> Question:
    del draw  # a formula has no data
    return formula_question(
        "A false alarm costs A and a missed positive costs M; right calls cost nothing. From "
        "which probability of being positive on is it cheaper to call a case positive? Write it "
        "as a formula in A and M.",
        "A / (A + M)",
        ("A", "M"),
        title="Prove it: the best threshold from the costs",
        mistakes=[
            WrongFormula(
                "turned_round",
                "M / (A + M)",
                "the probability of being negative at that point",
                "The dearer a miss, the sooner an alarm pays.",
            ),
            WrongFormula(
                "odds",
                "A / M",
                "the odds p / (1 − p) at that point",
                "Asked is the probability p.",
            ),
            WrongFormula("one_half", "1/2", "right only if both errors cost the same"),
        ],
        hints=(
            "Let p be the probability. A call of positive costs A with the probability 1 − p, a "
            "call of negative costs M with the probability p.",
            "It makes no difference where (1 − p) A = p M.",
        ),
        solution="(1 − p) A = p M gives A = p (A + M), so p = A / (A + M). With equal costs this "
        "is 1/2.",
    )
