"""Losses: how far the scores themselves are from the truth."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from binteach import exact
from binteach.cases import Cases, decimal_text
from binteach.data import load
from binteach.exact import Exact
from binteach.exercises.draw import Draw
from binteach.exercises.formulas import WrongFormula
from binteach.exercises.mistakes import Mistake
from binteach.exercises.plan import Plan
from binteach.exercises.question import (
    Named,
    Question,
    formula_question,
    option_question,
    question,
)
from binteach.measures import measure

plan = Plan(
    "losses",
    "Losses",
    "Absolute and squared error, log loss and its relatives, information, hinge and triplet loss.",
)


@plan.exercise
def mean_absolute_error_of_scores(draw: Draw) -> Question:
    return question(
        "mean_absolute_error",
        draw.cases(5, 3),
        statement="A model gives five letters the probability to be spam (class 1). "
        "What is its mean absolute error?",
        title="Mean absolute error",
    ).naming("not_divided", "bars_forgotten", "other_class", "another_measure:brier_score")


def _root(given: Any) -> Any:
    """The root of an earlier answer."""
    return exact.public(exact.sqrt(exact.exact(given)))


@plan.parts(2)
def squared_error_and_its_root(draw: Draw) -> tuple[Question, Question]:
    cases = draw.cases(5, 2)
    squared = question(
        "brier_score",
        cases,
        statement="Five days were forecast with a probability of rain (class 1). "
        "What is the Brier score, the mean squared error?",
        title="Brier score of a forecast",
    ).naming("not_divided", "square_forgotten", "another_measure:mean_absolute_error")
    root = question(
        "root_mean_square_error",
        cases,
        statement="What is the root mean square error of the same forecast?",
        title="Root mean square error",
        follows=squared,
        carry=_root,
    )
    return squared, root.naming(
        "root_forgotten", "not_divided", "another_measure:mean_absolute_error"
    )


@plan.exercise
def log_loss_in_bits(draw: Draw) -> Question:
    # What a case is given for its real class is a power of 1/2, so the bits can be counted.
    labels = draw.shuffled((1, 1, 0, 0))
    given = draw.such(
        lambda: [Fraction(1, 2 ** draw.whole(1, 3)) for _ in labels],
        lambda made: len(set(made)) > 2,
    )
    scores = [p if label else 1 - p for label, p in zip(labels, given, strict=True)]
    return question(
        "log_loss",
        Cases(labels, scores),
        statement="A shy model never gives the real class more than one half. "
        "What is its log loss in bits, so with logarithms to base 2?",
        title="Log loss in bits",
        hints=[
            "For each case take the probability of its real class: p, or 1 − p for a negative.",
            "The surprise in bits is 1 for 1/2, 2 for 1/4 and 3 for 1/8.",
            "The log loss is the mean surprise.",
        ],
    ).naming("log_base:e", "not_divided", "other_class", "sign_lost")


@plan.exercise
def log_loss_with_natural_logarithms(draw: Draw) -> Question:
    return question(
        "log_loss",
        draw.cases(4, 2, auc=("3/4", "1")),
        base="e",
        statement="Many programs use natural logarithms. What is the log loss of this model then?",
        title="Log loss with natural logarithms",
    ).naming("log_base:2", "not_divided", "other_class", "sign_lost")


@plan.exercise
def certain_and_wrong(draw: Draw) -> Question:
    cases = draw.cases(4, 2)
    wrong = draw.whole(0, 3)
    scores = [
        Fraction(1 - label) if case == wrong else score
        for case, (label, score) in enumerate(zip(cases.labels, cases.scores, strict=True))
    ]
    return question(
        "log_loss",
        Cases(cases.labels, scores),
        epsilon=0,
        statement="One score is certain and wrong, and no small number is put in the place of 0. "
        "What is the log loss?",
        title="Certain and wrong",
        hints=[
            "Which probability does the model give the real class of the case that it is sure of?",
            "Is there a logarithm of that number?",
        ],
    ).naming("taken_as_zero", "taken_as_one", "infinite")


@plan.exercise
def which_measure_sees_the_worse_score(draw: Draw) -> Question:
    models = {"Model A": load("ten_cases"), "Model B": load("ten_cases_b")}
    first, second = models.values()
    values = {
        name: (measure(key)(first, **cut), measure(key)(second, **cut))
        for name, key, cut in (
            ("the Brier score", "brier_score", {}),
            ("the accuracy with four cases called positive", "accuracy", {"top": 4}),
            ("the area under the ROC curve", "auc", {}),
            ("the F-measure with four cases called positive", "f_measure", {"top": 4}),
        )
    }
    why = {
        name: f"It is {decimal_text(a)} for A and {decimal_text(b)} for B: a Brier score sees how "
        "far each score is from the truth."
        if a != b
        else f"It is {a} for both: the ranking and the calls are the same, "
        "and it looks at nothing else."
        for name, (a, b) in values.items()
    }
    return option_question(
        "Model B gives the negative case 8 the score 0.79, where model A gives 0.75; "
        "all else is the same. Which measure tells that B is worse?",
        draw.shuffled(list(values)),
        "the Brier score",
        title="Which measure sees the worse score?",
        data=models,
        why=why,
        hints=[
            "Does case 8 change its place in the ranking?",
            "Look for the measure that works with the scores themselves.",
        ],
    )


@plan.exercise
def balanced_cross_entropy_of_a_rare_class(draw: Draw) -> Question:
    return question(
        "balanced_cross_entropy",
        draw.cases(5, 1),
        alpha=Fraction(4, 5),
        statement="One machine in five is faulty (class 1), so positives are weighted with "
        "α = 4/5 and negatives with 1 − α = 1/5. What is the balanced cross-entropy in bits?",
        title="Balanced cross-entropy of a rare class",
    ).naming("parameter_turned_round", "another_measure:log_loss", "not_divided", "log_base:e")


@plan.exercise
def focal_loss_of_easy_and_hard_cases(draw: Draw) -> Question:
    cases = draw.cases(4, 2)
    once = Mistake(
        "square_forgotten",
        measure("focal_loss")(cases, gamma=1),
        "the focal loss with γ = 1",
        "The factor 1 − p of the real class stands squared.",
    )
    return question(
        "focal_loss",
        cases,
        gamma=2,
        mistakes=[once],
        places=3,
        statement="The focal loss plays easy cases down. What is it with γ = 2, "
        "in bits and averaged over the four cases?",
        title="Focal loss of easy and hard cases",
    ).naming("square_forgotten", "another_measure:log_loss", "not_divided", "log_base:e")


@plan.exercise
def information_in_ten_cases(draw: Draw) -> Question:
    del draw  # the ten cases are the same for all
    cases = load("ten_cases")
    half = Fraction(1, 2)
    bits: Exact = Fraction(0)
    for label, score in zip(cases.labels, cases.scores, strict=True):
        bits = exact.add(bits, exact.log((score if label else 1 - score) / half, 2))
    one_branch = Mistake(
        "one_branch",
        exact.divide(bits, Fraction(cases.n)),
        "what comes out when every case is taken as one whose real class gained",
        "Where the score for the real class is below the prior, "
        "it is log₂(1 − prior) − log₂(1 − score).",
    )
    return question(
        "information_score",
        cases,
        prior=half,
        mistakes=[one_branch],
        places=3,
        statement="Both classes have the prior 1/2. How many bits of information do the scores of "
        "these ten cases give on average?",
        title="Information score of ten cases",
    ).naming("one_branch", "not_divided", "log_base:e")


@plan.exercise
def information_relative_to_the_prior(draw: Draw) -> Question:
    prior = Fraction(2, 5)
    gained = measure("information_score")
    cases = draw.such(
        lambda: draw.cases(5, 2, auc=("4/5", "1")), lambda made: gained(made, prior=prior) > 0
    )
    return question(
        "relative_information_score",
        cases,
        prior=prior,
        places=3,
        statement="The prior of class 1 is 2/5. Which share of the information that was to be "
        "gained do these scores give? This is the relative information score.",
        title="Relative information score",
        hints=[
            "First the information score: the mean over the cases, in bits.",
            "A case whose real class has the score p and the prior π adds log₂(p) − log₂(π) "
            "if p ≥ π, and log₂(1 − π) − log₂(1 − p) if not.",
            "Divide it by the entropy of the prior, −2/5 · log₂(2/5) − 3/5 · log₂(3/5).",
        ],
    ).naming("not_divided", "step_on_the_way:H", "sign_lost")


@plan.exercise
def hinge_loss_of_distances(draw: Draw) -> Question:
    labels = draw.shuffled((1, 1, 1, 0, 0))
    # How far each case lies on its own side of the boundary; one is on the wrong side.
    sides = draw.shuffled(
        [
            *(Fraction(draw.choice(steps), 4) for steps in ((-3, -2, -1), (1, 2, 3), (5, 6, 7))),
            *(Fraction(step, 4) for step in draw.sample((8, 9, 10, 11), 2)),
        ]
    )
    scores = [side if label else -side for label, side in zip(labels, sides, strict=True)]
    n = len(labels)

    def mean(loss: Callable[[Fraction], Fraction]) -> Fraction:
        return sum((max(Fraction(0), loss(side)) for side in sides), Fraction(0)) / n

    positives = [side for side, label in zip(sides, labels, strict=True) if label]
    coded_zero = sum((max(Fraction(0), 1 - side) for side in positives), Fraction(2)) / n
    return question(
        "hinge_loss",
        Cases(labels, scores),
        mistakes=[
            Mistake(
                "margin_forgotten",
                mean(lambda side: -side),
                "the mean of max{0, −y × s}",
                "A case on the right side still costs something if it is nearer than 1.",
            ),
            Mistake(
                "coded_as_zero",
                coded_zero,
                "what comes out when negatives are coded 0",
                "For the hinge loss they are coded −1.",
            ),
        ],
        statement="The scores are signed distances from a boundary: positives should lie above 0 "
        "and negatives below. What is the average hinge loss?",
        title="Hinge loss of distances",
    ).naming("margin_forgotten", "coded_as_zero", "zero_forgotten", "not_divided")


# Directions on the unit circle with rational coordinates.
DIRECTIONS = tuple(
    (Fraction(x, r), Fraction(y, r))
    for x, y, r in ((3, 4, 5), (4, 3, 5), (-3, 4, 5), (-4, 3, 5), (0, 1, 1), (1, 0, 1), (-1, 0, 1))
)


@plan.exercise
def triplet_loss_of_faces(draw: Draw) -> Question:
    triplets = [tuple(draw.sample(DIRECTIONS, 3)) for _ in range(2)]
    margin = draw.choice((Fraction(1, 2), Fraction(3, 10)))
    value = measure("triplet_loss")(triplets, margin=margin)
    return question(
        "triplet_loss",
        triplets,
        margin=margin,
        mistakes=[
            Mistake(
                "margin_forgotten",
                measure("triplet_loss")(triplets, margin=0),
                "the loss without the margin",
                "Add α before the maximum is taken.",
            ),
            Mistake(
                "mean_for_sum",
                value / 2,
                "the mean over the two triplets",
                "The triplet loss is their sum.",
            ),
        ],
        statement="Two triplets of faces were turned into vectors. "
        f"What is the triplet loss with the margin α = {margin}?",
        title="Triplet loss of faces",
    ).naming("margin_forgotten", "mean_for_sum", "zero_forgotten")


@plan.exercise
def brier_score_of_one_score_for_all(draw: Draw) -> Question:
    del draw  # a formula has no data
    return formula_question(
        "A share p of the cases is positive, and every case gets the same score q. "
        "Write the Brier score as a formula in p and q.",
        "p*(1 - q)^2 + (1 - p)*q^2",
        ("p", "q"),
        shares=True,
        title="Brier score of one score for all",
        hints=[
            "A positive case adds (1 − q)², a negative one q².",
            "A share p of the cases is positive, a share 1 − p negative.",
        ],
        mistakes=[
            WrongFormula(
                "square_forgotten",
                "p*(1 - q) + (1 - p)*q",
                "the mean absolute error",
                "Square each distance.",
            ),
            WrongFormula(
                "classes_exchanged",
                "p*q^2 + (1 - p)*(1 - q)^2",
                "the Brier score with the classes exchanged",
                "A positive case is 1 − q away from its class, 1.",
            ),
            WrongFormula(
                "mean_taken_first",
                "(p - q)^2",
                "the squared distance of the score from the share p",
                "Square the distance of each case first, and take the mean of the squares.",
            ),
            WrongFormula(
                "not_weighted",
                "(1 - q)^2 + q^2",
                "what one positive and one negative add together",
                "Weight them with their shares.",
            ),
        ],
        solution="A share p of the cases has the class 1 and adds (1 − q)² each, "
        "a share 1 − p has the class 0 and adds q² each.",
    )


@plan.exercise
def the_best_score_for_all(draw: Draw) -> Question:
    days = draw.choice((6, 7, 8, 9))
    share = Fraction(days, 10)
    p, rest = decimal_text(share), decimal_text(1 - share)
    least = decimal_text(share * (1 - share))
    honest, turned, half, sure = f"q = {p}", f"q = {rest}", "q = 0.5", "q = 1"
    return option_question(
        f"It rains on {days} of 10 days, and you know nothing else. Which probability q of rain, "
        "announced every day, has the smallest Brier score?",
        draw.shuffled([honest, turned, half, sure]),
        honest,
        title="Which score is best for the Brier score?",
        why={
            honest: "p (1 − q)² + (1 − p) q² = (q − p)² + p (1 − p), which is smallest for "
            f"q = p = {p}: the Brier score rewards honesty.",
            sure: f"With q = 1 the Brier score is {rest}, and {least} with q = {p}. It is the mean "
            "absolute error that is smallest for q = 1: it rewards exaggeration.",
            half: f"With q = 0.5 the Brier score is 0.25, and {least} with q = {p}. "
            "One half would be right if you did not know how often it rains.",
            turned: f"{rest} is the share of dry days, and q is a probability of rain.",
        },
        hints=[
            "The Brier score of one score q for all days is p (1 − q)² + (1 − p) q².",
            "Put it as (q − p)² + p (1 − p), or try each option.",
        ],
    )


def _mean_of(term: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A function of labels and scores that takes the mean of the terms."""
    return lambda labels, scores: sum(map(term, labels, scores)) / len(labels)


@plan.exercise
def a_function_for_the_brier_score(draw: Draw) -> Question:
    del draw  # every function is tried on the same hidden data
    squares = _mean_of(lambda y, p: (y - p) ** 2)
    return question(
        "brier_score",
        statement="Write a function that computes the Brier score from labels and scores.",
        title="A function for the Brier score",
    ).naming(
        Named("not_divided", lambda labels, scores: squares(labels, scores) * len(labels)),
        Named("square_forgotten", _mean_of(lambda y, p: y - p)),
        Named("another_measure", _mean_of(lambda y, p: abs(y - p)), "mean_absolute_error"),
        Named(
            "another_measure",
            lambda labels, scores: squares(labels, scores) ** 0.5,
            "root_mean_square_error",
        ),
    )
