"""Counts: true and false positives and negatives, from a ranking and a line through it."""

from __future__ import annotations

from fractions import Fraction

from binteach.cases import Cases, Counts, decimal_text
from binteach.data import load
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
    counts_question,
    example_question,
    formula_question,
    option_question,
    value_question,
)

plan = Plan("counts", "Counts", "From a ranking and a line through it to the confusion matrix.")

# Of each story, an error of either kind: which class is the positive one, and what happens.
ERRORS = (
    (
        "A mail filter looks for spam",
        "it moves a letter from a friend to the spam folder",
        "it leaves a spam message in the inbox",
    ),
    (
        "A test looks for a disease",
        "it says of a healthy person that she is ill",
        "it says of an ill person that she is healthy",
    ),
    (
        "A bank looks for fraud",
        "it stops a payment that was in order",
        "it lets a fraudulent payment through",
    ),
    (
        "A scanner at an airport looks for knives",
        "it stops a bag that holds only clothes",
        "it lets a bag with a knife through",
    ),
)
CELLS = {
    "a true positive": ("positive", "positive"),
    "a false positive": ("negative", "positive"),
    "a false negative": ("positive", "negative"),
    "a true negative": ("negative", "negative"),
}


@plan.exercise
def which_error_it_is(draw: Draw) -> Question:
    story, alarm, miss = draw.choice(ERRORS)
    right = draw.choice(("a false positive", "a false negative"))
    happens = alarm if right == "a false positive" else miss
    real, called = CELLS[right]
    why = {
        name: f"{name.capitalize()} is a {each[0]} case that was called {each[1]}."
        + ("" if name == right else f" Here the case is {real} and was called {called}.")
        for name, each in CELLS.items()
    }
    return option_question(
        f"{story}: that is the positive class. Now {happens}. What is that?",
        draw.shuffled(list(CELLS)),
        right,
        title="Which kind of error is it?",
        why=why,
        hints=[
            "The second word, positive or negative, says what the case was called.",
            "The first word, true or false, says whether it was called so rightly.",
        ],
    )


@plan.exercise
def how_many_are_called_positive(draw: Draw) -> Question:
    counts = draw.counts()
    tp, fp, fn, tn = counts.tp, counts.fp, counts.fn, counts.tn
    return value_question(
        "A library's model looks for books that will be asked for again. "
        "How many books does it call positive?",
        tp + fp,
        title="How many cases are called positive?",
        places=0,
        data=counts,
        hints=[
            "The calls stand in the rows of the table, the real classes in its columns.",
            "Both the true and the false positives were called positive.",
        ],
        mistakes=[
            Mistake(
                "real_for_called",
                tp + fn,
                "TP + FN, the number of cases that really are positive",
                "Add along the row, not down the column.",
            ),
            Mistake("only_the_true", tp, "TP, and false positives were called positive too"),
            Mistake("other_call", fn + tn, "FN + TN, the number of cases called negative"),
        ],
        solution=f"Called positive are TP + FP = {tp} + {fp} = {tp + fp} cases.",
    )


@plan.exercise
def matrix_of_the_top_of_a_list(draw: Draw) -> Question:
    cases, top = draw.cases(), draw.choice((3, 4, 6, 7))
    return counts_question(
        cases,
        top=top,
        statement=f"A clinic ranks ten people by a score and calls the {top} with the highest "
        "scores back: it calls them positive. What is the confusion matrix?",
        title="The confusion matrix of the top of a list",
    ).naming("transposed", "classes_exchanged", "neighbouring_cut")


def _names(cases: Cases, label: int, places: range) -> list[str]:
    """The cases of a class at these places of the ranking, counted from 0."""
    order = sorted(range(cases.n), key=lambda case: -cases.scores[case])
    return [cases.name(order[place]) for place in places if cases.labels[order[place]] == label]


@plan.exercise
def false_alarms_by_name(draw: Draw) -> Question:
    def cut(cases: Cases) -> int:
        """Where there are two false positives and as many missed, or 0."""
        found = [each.k for each in cases.ranking.cuts if each.fp == 2 and each.tp == 3]
        return found[0] if found else 0

    cases = draw.such(draw.cases, lambda made: cut(made) > 0)
    top = cut(cases)
    above, below = range(top), range(top, cases.n)
    right = _names(cases, 0, above)
    line = f"Above the line stand {top} cases; those of class 0 among them are the false positives."
    return cases_question(
        f"The {top} cases with the highest scores are called positive. "
        "Which cases are false positives?",
        cases,
        right,
        title="Which cases are false positives?",
        hints=[
            f"Draw a line under place {top}: the cases above it are called positive.",
            "A false positive stands above the line and is of class 0.",
        ],
        mistakes=[
            WrongCases(
                "misses",
                _names(cases, 1, below),
                "the false negatives: positives below the line",
                "False positives are negatives above it.",
            ),
            WrongCases(
                "all_called",
                [*_names(cases, 1, above), *right],
                "all cases that are called positive",
                "Of these, only the ones of class 0 are called so wrongly.",
            ),
            WrongCases(
                "all_negatives",
                [*right, *_names(cases, 0, below)],
                "all negative cases, also those that were called negative",
                "False positives stand above the line.",
            ),
        ],
        solution=line,
    )


@plan.exercise
def matrix_at_a_threshold(draw: Draw) -> Question:
    cases, place = draw.cases(), draw.choice((4, 5, 7))
    rule, words = draw.choice(((">", "above"), (">=", "of at least")))
    at = sorted(cases.scores, reverse=True)[place - 1]
    line = decimal_text(at)
    return counts_question(
        cases,
        at=at,
        rule=rule,
        statement=f"A bank refuses a loan if the score is {words.removeprefix('of ')} {line}: "
        "it calls the case positive. What is the confusion matrix?",
        title="The confusion matrix at a threshold",
        hints=[
            f"One case has exactly the score {line}. Does the rule take it in?",
            f"Called positive are the cases with a score {words} {line}.",
            "TP and FP are the positives and negatives among them, FN and TN those among the rest.",
        ],
    ).naming("other_rule", "transposed", "classes_exchanged")


@plan.parts(2)
def the_fifth_threshold(draw: Draw) -> tuple[Question, Question]:
    del draw  # the ten cases are the same for all
    cases = load("ten_cases")
    matrix = counts_question(
        cases,
        top=4,
        statement="Ten cases leave room for eleven thresholds, from t₁ above all cases to t₁₁ "
        "below all; a case above the threshold is called positive. What is the confusion matrix "
        "at t₅, which lies just above the fifth case?",
        title="The confusion matrix at t₅",
        hints=[
            "How many cases stand above a line that is drawn just above the fifth?",
            "Four cases are called positive at t₅.",
        ],
    ).naming("neighbouring_cut:5", "transposed", "classes_exchanged")
    wrong = value_question(
        "How many of the ten cases are called wrongly at t₅?",
        3,
        title="How many errors are made at t₅?",
        places=0,
        data=cases,
        hints=["There are two kinds of error.", "Add the false positives and false negatives."],
        mistakes=[
            Mistake("only_alarms", Fraction(1), "FP alone", "A missed positive is an error too."),
            Mistake("only_misses", Fraction(2), "FN alone", "A false alarm is an error too."),
            Mistake("right_calls", Fraction(7), "TP + TN, the number of right calls"),
        ],
        solution="At t₅ the matrix is TP = 3, FP = 1, FN = 2, TN = 4, "
        "so FP + FN = 1 + 2 = 3 cases are called wrongly.",
        matrix=cases.top(4),
        follows=matrix,
        carry=lambda counts: counts.fp + counts.fn,
    )
    return matrix, wrong


@plan.exercise
def one_case_more(draw: Draw) -> Question:
    real = draw.choice(("positive", "negative"))
    grows = "TP grows by 1 and FN falls by 1"
    alarm = "FP grows by 1 and TN falls by 1"
    why = {
        grows: "A positive case that was missed before is found now, so it moves from FN to TP.",
        alarm: "A negative case that was left alone before is called positive now, so it moves "
        "from TN to FP.",
        "FP grows by 1 and FN falls by 1": "FP counts negatives and FN positives; "
        "one case keeps its real class, so it cannot move between them.",
        "TP grows by 1 and FP falls by 1": "Both are counts of cases called positive; "
        "here a case moves from those called negative to those called positive.",
    }
    right = grows if real == "positive" else alarm
    other = alarm if real == "positive" else grows
    why[other] = f"That would be so for a case of the other class; this one is {real}."
    return option_question(
        "The threshold falls a little, past one single case, which really is "
        f"{real}. What happens to the confusion matrix?",
        draw.shuffled(list(why)),
        right,
        title="What does a lower threshold change?",
        why=why,
        hints=[
            "The case was called negative before and is called positive now.",
            f"It is really {real} before and after: between which two cells can it move?",
        ],
    )


@plan.exercise
def the_missing_cell(draw: Draw) -> Question:
    counts = draw.counts(low=3, high=20)
    tp, fp, fn, tn = counts.tp, counts.fp, counts.fn, counts.tn
    n, positives, called = tp + fp + fn + tn, tp + fn, tp + fp
    return value_question(
        f"Of {n} patients {positives} are ill. A test calls {called} of the {n} ill, "
        f"and {tp} of these really are. How many healthy patients does it call healthy?",
        tn,
        title="The fourth cell from the sums",
        places=0,
        hints=[
            "Write a table with two rows and two columns, with the sums at its borders.",
            f"TP = {tp}; the rest of the {positives} ill patients are FN, "
            f"the rest of the {called} called ill are FP.",
        ],
        mistakes=[
            Mistake(
                "all_negatives",
                n - positives,
                "the number of all healthy patients",
                "Some of them were called ill.",
            ),
            Mistake(
                "all_called_negative",
                n - called,
                "the number of all patients called healthy",
                "Some of them are ill.",
            ),
            Mistake(
                "taken_off_twice",
                n - positives - called,
                f"{n} − {positives} − {called}",
                "The TP are among the ill and among those called ill: they were taken off twice.",
            ),
        ],
        solution=f"FN = {positives} − {tp} = {fn} and FP = {called} − {tp} = {fp}, "
        f"so TN = {n} − {tp} − {fn} − {fp} = {tn}.",
        matrix=counts,
    )


@plan.exercise
def lines_between_tied_cases(draw: Draw) -> Question:
    ties = draw.whole(1, 3)
    cases = draw.cases(ties=ties)
    different = Fraction(cases.n - ties)
    return value_question(
        "A threshold may lie anywhere, also above or below all ten scores. "
        "How many different confusion matrices can it give?",
        different + 1,
        title="How many confusion matrices does a ranking have?",
        places=0,
        data=cases,
        hints=[
            "Cases with the same score are always called the same.",
            f"There are {different} different scores: a line may lie below any of them.",
            "One more line lies above all of them.",
        ],
        mistakes=[
            Mistake(
                "ties_parted",
                Fraction(cases.n + 1),
                "the number of lines if all scores were different",
                "No threshold lies between two equal scores.",
            ),
            Mistake(
                "one_end_forgotten",
                different,
                "the number of different scores",
                "Count the line above all cases too, where nothing is called positive.",
            ),
            Mistake(
                "both_ends_forgotten",
                different - 1,
                "the number of gaps between different scores",
                "Count the lines above all and below all cases too.",
            ),
        ],
        solution=f"There are {different} different scores. A line may lie below each of them or "
        f"above all, so there are {different} + 1 = {different + 1} matrices.",
    )


@plan.exercise
def matrix_from_rates(draw: Draw) -> Question:
    n, ill = 200, draw.choice((40, 60, 80))
    sensitivity, specificity = draw.sample([Fraction(k, 20) for k in (12, 14, 16, 18, 19)], 2)

    def made(n: int, ill: int, found: Fraction, spared: Fraction) -> Counts:
        tp, tn = ill * found, (n - ill) * spared
        return Counts(tp=tp, fp=n - ill - tn, fn=ill - tp, tn=tn)

    right = made(n, ill, sensitivity, specificity)
    share = decimal_text(Fraction(ill, n))
    found, spared = decimal_text(sensitivity), decimal_text(specificity)
    return example_question(
        f"A test is tried on {n} people. The prevalence is {share}, the sensitivity {found} and "
        f"the specificity {spared}. What is the confusion matrix?",
        right,
        Condition(
            "total", lambda c: c.n == n, lambda c: f"These are {c.n} people, and there are {n}."
        ),
        Condition(
            "prevalence",
            lambda c: (c.tp + c.fn) * n == ill * c.n,
            lambda c: f"Of {c.n} people {c.tp + c.fn} are ill, and that is not a share of {share}.",
        ),
        Condition(
            "sensitivity",
            lambda c: c.tp == sensitivity * (c.tp + c.fn),
            lambda c: (
                f"Of {c.tp + c.fn} ill people {c.tp} are found, and that is not a share of {found}."
            ),
        ),
        Condition(
            "specificity",
            lambda c: c.tn == specificity * (c.fp + c.tn),
            lambda c: (
                f"Of {c.fp + c.tn} healthy people {c.tn} are called healthy, "
                f"and that is not a share of {spared}."
            ),
        ),
        title="The confusion matrix from three rates",
        hints=[
            f"First the two classes: {share} of the {n} people are ill.",
            f"Of the ill, {found} are called ill; of the healthy, {spared} are called healthy.",
        ],
        why=f"Ill are {share} · {n} = {ill} people, of whom {found} · {ill} = {right.tp} are "
        f"found. Healthy are {n - ill}, of whom {spared} · {n - ill} = {right.tn} are called so. "
        "The rest are errors. No other matrix meets all four conditions.",
    ).naming(
        Named("total", made(n // 2, ill // 2, sensitivity, specificity)),
        Named("prevalence", made(n, n - ill, sensitivity, specificity)),
        Named("sensitivity", made(n, ill, specificity, sensitivity)),
        Named("specificity", made(n, ill, sensitivity, 1 - specificity)),
    )


@plan.exercise
def the_fourth_cell_as_a_formula(draw: Draw) -> Question:
    del draw  # a formula has no data
    return formula_question(
        "Of n cases P are positive and C were called positive; TP are both. "
        "Write TN as a formula in n, P, C and TP.",
        "n - P - C + TP",
        ("n", "P", "C", "TP"),
        title="TN as a formula in the sums",
        hints=[
            "FN and FP follow first: what is left of P and of C without TP?",
            "TN = n − TP − FN − FP with FN = P − TP and FP = C − TP.",
        ],
        mistakes=[
            WrongFormula(
                "taken_off_twice",
                "n - P - C",
                "the right formula without + TP",
                "The TP are counted in P and in C, so they are taken off twice.",
            ),
            WrongFormula(
                "wrong_sign",
                "n - P - C - TP",
                "the right formula with TP taken off in place of added",
                "The TP are counted in P and in C already.",
            ),
            WrongFormula(
                "all_negatives",
                "n - P",
                "the number of all negatives, FP + TN",
                "Some of them were called positive.",
            ),
            WrongFormula(
                "all_called_negative",
                "n - C",
                "the number of all cases called negative, FN + TN",
                "Some of them are positive.",
            ),
        ],
        solution="FN = P − TP and FP = C − TP, so TN = n − TP − (P − TP) − (C − TP), "
        "which is n − P − C + TP.",
        possible=lambda n, P, C, TP: min(P, C) >= TP and n >= P + C - TP,
    )
