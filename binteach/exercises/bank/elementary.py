"""Elementary measures: one quotient of the confusion matrix each."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from binteach.cases import Counts, decimal_text
from binteach.exercises.draw import Draw
from binteach.exercises.examples import Condition
from binteach.exercises.formulas import WrongFormula
from binteach.exercises.mistakes import Mistake
from binteach.exercises.plan import Plan
from binteach.exercises.question import (
    Named,
    Question,
    counts_question,
    example_question,
    formula_question,
    option_question,
    question,
    value_question,
)

plan = Plan(
    "elementary",
    "Elementary measures",
    "Read accuracy, sensitivity, precision and their relatives off a confusion matrix.",
)


@plan.parts(2)
def right_and_wrong_forecasts(draw: Draw) -> tuple[Question, Question]:
    counts = draw.counts()
    right = question(
        "accuracy",
        counts,
        statement="Every evening a forecast says whether it will rain (positive) on the next day. "
        "What is its accuracy?",
        title="Accuracy of a forecast",
    ).naming("another_measure:error_rate", "not_divided", "another_measure:balanced_accuracy")
    wrong = question(
        "error_rate",
        counts,
        statement="What is the error rate of the same forecast?",
        title="Error rate of a forecast",
        follows=right,
        carry=lambda accuracy: 1 - accuracy,
    ).naming("another_measure:accuracy", "not_divided", "another_measure:balanced_error_rate")
    return right, wrong


@plan.exercise
def sensitivity_of_a_test(draw: Draw) -> Question:
    return question(
        "sensitivity",
        draw.counts(),
        statement="A test looks for an illness (positive). What is its sensitivity?",
        title="Sensitivity of a test",
    ).naming(
        "another_measure:precision",
        "another_measure:specificity",
        "another_measure:false_negative_rate",
    )


@plan.exercise
def specificity_of_a_test(draw: Draw) -> Question:
    return question(
        "specificity",
        draw.counts(),
        statement="A test looks for an illness (positive). What is its specificity?",
        title="Specificity of a test",
    ).naming(
        "another_measure:sensitivity",
        "another_measure:false_positive_rate",
        "another_measure:negative_predictive_value",
    )


@plan.parts(2)
def precision_at_a_cut(draw: Draw) -> tuple[Question, Question]:
    cases, top = draw.cases(), draw.choice((3, 4, 6))
    story = f"A journal can print {top} of ten articles and takes those with the highest scores."
    matrix = counts_question(
        cases,
        top=top,
        statement=f"{story} Articles that were much read later are positive. "
        "What is the confusion matrix?",
        title="The confusion matrix of a choice",
    ).naming("transposed", "classes_exchanged", "neighbouring_cut")
    precision = question(
        "precision",
        cases,
        top=top,
        follows=matrix,
        statement=f"{story} What is the precision of this choice?",
        title="Precision of a choice",
    )
    return matrix, precision.naming(
        "another_measure:sensitivity", "neighbouring_cut", "not_divided"
    )


@plan.exercise
def after_a_negative_result(draw: Draw) -> Question:
    return question(
        "negative_predictive_value",
        draw.counts(),
        statement="Your test for an illness (positive) came out negative. Of those with such a "
        "result, which share really is healthy? This is the negative predictive value.",
        title="How sure is a negative result?",
    ).naming(
        "another_measure:specificity",
        "another_measure:false_omission_rate",
        "another_measure:precision",
    )


@plan.exercise
def false_leads(draw: Draw) -> Question:
    return question(
        "false_discovery_rate",
        draw.counts(),
        statement="A laboratory screens substances and follows up those called positive. Which "
        "share of the follow-ups is wasted on negatives? This is the false discovery rate.",
        title="How many leads are false?",
    ).naming(
        "another_measure:false_positive_rate",
        "another_measure:precision",
        "another_measure:false_omission_rate",
    )


# Each measure, the one with real and called exchanged, and what they are the probability of.
MIRRORED = (
    ("the sensitivity", "the precision"),
    ("the specificity", "the negative predictive value"),
    ("the false negative rate", "the false discovery rate"),
    ("the false positive rate", "the false omission rate"),
)
PROBABILITY = {
    "the sensitivity": "P(ŷ = 1 | y = 1)",
    "the precision": "P(y = 1 | ŷ = 1)",
    "the specificity": "P(ŷ = 0 | y = 0)",
    "the negative predictive value": "P(y = 0 | ŷ = 0)",
    "the false negative rate": "P(ŷ = 0 | y = 1)",
    "the false discovery rate": "P(y = 0 | ŷ = 1)",
    "the false positive rate": "P(ŷ = 1 | y = 0)",
    "the false omission rate": "P(y = 1 | ŷ = 0)",
}


@plan.exercise
def measure_of_a_probability(draw: Draw) -> Question:
    # Of the four options two share the condition of the right one and two have it turned round.
    pairs = draw.choice((MIRRORED[::2], MIRRORED[1::2]))
    options = [name for pair in pairs for name in pair]
    right = draw.choice(options)
    wanted = PROBABILITY[right]
    why = {}
    for name in options:
        same_group = PROBABILITY[name].split("|")[1] == wanted.split("|")[1]
        where = "before the bar, what is counted" if same_group else "behind the bar, the group"
        differs = "" if name == right else f" It differs from {wanted} in what stands {where}."
        why[name] = f"{name[0].upper()}{name[1:]} is {PROBABILITY[name]}.{differs}"
    return option_question(
        f"Let y be the real class of a case and ŷ the class that it is called. Which measure is "
        f"the probability {wanted}?",
        draw.shuffled(options),
        right,
        title="Which measure is this probability?",
        why=why,
        hints=[
            "Behind the bar stands the group that is looked at: it is what is divided by.",
            "y behind the bar means a column of the matrix, ŷ behind the bar a row of it.",
        ],
    )


@plan.exercise
def nothing_is_called(draw: Draw) -> Question:
    fn, tn = draw.whole(2, 9), draw.whole(20, 90)
    return question(
        "precision",
        Counts(tp=0, fp=0, fn=fn, tn=tn),
        statement="A detector of forged tickets stays silent all evening. What is its precision?",
        title="Precision of a silent detector",
        hints=[
            "Precision is about the cases called positive. How many are there?",
            "Look at what TP / (TP + FP) divides by.",
        ],
    ).naming("taken_as_zero", "taken_as_one", "infinite")


@plan.exercise
def a_rare_illness(draw: Draw) -> Question:
    per_thousand = draw.choice((5, 8, 10, 20))
    prevalence = Fraction(per_thousand, 1000)
    sensitivity = Fraction(draw.choice((80, 85, 90, 95)), 100)
    specificity = Fraction(draw.choice((90, 96, 98)), 100)
    n = 100_000
    ill = prevalence * n
    found, alarms = ill * sensitivity, (n - ill) * (1 - specificity)
    right = found / (found + alarms)
    return value_question(
        f"Of 1000 people {per_thousand} have an illness. A test has the sensitivity "
        f"{decimal_text(sensitivity)} and the specificity {decimal_text(specificity)}. "
        "How likely is someone ill whose test is positive?",
        right,
        title="How sure is a positive result?",
        hints=[
            f"Think of {n} people and fill in the confusion matrix.",
            f"Of {n} people {ill} are ill; the test finds {found} of them "
            f"and calls {alarms} healthy people ill.",
            "Wanted is the precision: the share of the ill among those called ill.",
        ],
        mistakes=[
            Mistake(
                "condition_turned_round",
                sensitivity,
                "the sensitivity: how likely a positive result is for someone who is ill",
                "Asked is the other way round: how likely someone with a positive result is ill.",
            ),
            Mistake(
                "specificity_for_precision",
                specificity,
                "the specificity: how likely a negative result is for someone who is healthy",
            ),
            Mistake(
                "not_among_the_called",
                prevalence * sensitivity,
                "the share of all people who are ill and called ill",
                "Divide it by the share of all who are called ill.",
            ),
            Mistake(
                "complement",
                1 - right,
                "the share of the healthy among those called ill",
            ),
        ],
        solution=f"Of {n} people {ill} are ill, and the test finds {found} of them. Of the "
        f"{n - ill} healthy people it calls {alarms} ill. So of {found + alarms} people with a "
        f"positive result {found} are ill: {found} / {found + alarms} = {right}, "
        f"about {decimal_text(round(right, 3))}. Where an illness is rare, most alarms are false.",
    )


@plan.exercise
def a_high_accuracy_that_finds_nothing(draw: Draw) -> Question:
    share = Fraction(draw.choice((90, 95, 98, 99)), 100)
    least = decimal_text(share)
    example = Counts(tp=0, fp=0, fn=1, tn=99)
    return example_question(
        f"Someone praises a model for its accuracy of {least}. Find a confusion matrix with an "
        f"accuracy of at least {least} and the sensitivity 0.",
        example,
        Condition(
            "accuracy_too_low",
            lambda c: c.tp + c.tn >= share * c.n and c.n > 0,
            lambda c: f"The accuracy is {c.tp + c.tn}/{c.n}, which is below {least}.",
        ),
        Condition(
            "some_are_found",
            lambda c: c.tp == 0,
            lambda c: f"The model finds {c.tp} of the positives, so the sensitivity is not 0.",
        ),
        Condition(
            "no_positives",
            lambda c: c.tp + c.fn > 0,
            lambda c: "There is no positive case, so there is no sensitivity.",
        ),
        title="A high accuracy that finds nothing",
        hints=[
            "What is the easiest thing to call every case?",
            "Call all cases negative, and let positives be rare.",
        ],
        why="A model that calls every case negative is right on all negatives. Where positives "
        "are rare, that is nearly every case, and still none of them is found.",
    ).naming(
        Named("accuracy_too_low", Counts(tp=0, fp=0, fn=5, tn=5)),
        Named("some_are_found", Counts(tp=1, fp=0, fn=1, tn=998)),
        Named("no_positives", Counts(tp=0, fp=0, fn=0, tn=100)),
    )


@plan.exercise
def false_omissions_as_a_formula(draw: Draw) -> Question:
    del draw  # a formula has no data
    return formula_question(
        "Of the cases called negative, which share is positive? It is called the false omission "
        "rate. Write it as a formula.",
        "FN / (FN + TN)",
        title="The false omission rate as a formula",
        hints=[
            "What is divided by is the number of cases called negative.",
            "Called negative are the false and the true negatives.",
        ],
        mistakes=[
            WrongFormula(
                "false_negative_rate",
                "FN / (FN + TP)",
                "the false negative rate, a share of the positives",
                "Divide by the cases that were called negative.",
            ),
            WrongFormula(
                "negative_predictive_value",
                "TN / (FN + TN)",
                "the negative predictive value, the share of negatives among those called negative",
            ),
            WrongFormula(
                "false_discovery_rate",
                "FP / (TP + FP)",
                "the false discovery rate, the same for the cases called positive",
            ),
            WrongFormula("of_all", "FN / (TP + FP + FN + TN)", "the share of FN in all cases"),
        ],
        solution="Called negative are FN + TN cases, and FN of them are positive.",
    )


def _share(part: Any, whole: Any) -> Any:
    """What a careful student writes, so that nothing is divided by zero."""
    return Fraction(part, whole) if whole else 0


@plan.exercise
def a_function_for_the_specificity(draw: Draw) -> Question:
    del draw  # every function is tried on the same hidden data
    return question(
        "specificity",
        statement="Write a function that computes the specificity from the four counts.",
        title="A function for the specificity",
    ).naming(
        Named("another_measure", lambda tp, fp, fn, tn: _share(tp, tp + fn), "sensitivity"),
        Named(
            "another_measure",
            lambda tp, fp, fn, tn: _share(tn, tn + fn),
            "negative_predictive_value",
        ),
        Named("another_measure", lambda tp, fp, fn, tn: _share(fp, fp + tn), "false_positive_rate"),
        Named("not_divided", lambda tp, fp, fn, tn: tn),
    )
