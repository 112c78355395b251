"""Measures of how far the scores themselves are from the truth, and the triplet loss."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from binteach.cases import decimal_text
from binteach.expr import Abs, Branch, Div, Log, Max, Node, Num, Sqrt, Sum, Sym
from binteach.measures.base import Context, Measure, Params, Prose
from binteach.measures.symbols import (
    ALPHA_TRUE,
    FAR,
    NEAR,
    P_TRUE,
    PREVALENCE,
    PRIOR,
    PRIOR_TRUE,
    SIGN,
    TRIPLETS,
    U_TRUE,
    P,
    S,
    U,
    V,
    Y,
    cases_of,
    cross_entropy,
    entropy,
    mean,
    parameter,
)

ONE, ZERO = Num(Fraction(1)), Num(Fraction(0))
PI = PREVALENCE
GAMMA = parameter("γ", "gamma", "how strongly easy cases are played down")
MARGIN = parameter("α", "margin", "margin between the two distances")
TWO = Num(Fraction(2))


def _alpha(ctx: Context) -> Fraction:
    given = ctx.params["alpha"]
    cases = cases_of(ctx)
    return (
        Fraction(cases.negatives) / (cases.positives + cases.negatives) if given is None else given
    )


ALPHA = Sym(
    "α", meaning="weight of the positive class (n₋/n, unless given)", find=_alpha, decimal=True
)
NEVER = "never, as long as there is a case and every score lies between 0 and 1"


def _arguments(params: Params) -> tuple[Node, Node]:
    """What the two logarithms are taken of: the scores, or the scores with 0 replaced."""
    return (U, V) if params.clipped else (P, 1 - P)


def _log_loss(params: Params) -> Node:
    yes, no = _arguments(params)
    base = params.log_base
    return -mean(params, Y * Log(yes, base) + (1 - Y) * Log(no, base))


def _balanced(params: Params) -> Node:
    yes, no = _arguments(params)
    base = params.log_base
    return -mean(params, Y * ALPHA * Log(yes, base) + (1 - Y) * (1 - ALPHA) * Log(no, base))


def _focal(params: Params) -> Node:
    argument = U_TRUE if params.clipped else P_TRUE
    body = (1 - P_TRUE) ** GAMMA * Log(argument, params.log_base)
    return -mean(params, body if params["alpha"] is None else ALPHA_TRUE * body)


def _random_balanced(params: Params) -> Node:
    base = params.log_base
    return -(PI * ALPHA * Log(PI, base)) - (1 - PI) * (1 - ALPHA) * Log(1 - PI, base)


def _random_focal(params: Params) -> Node:
    base = params.log_base
    ups, downs = PI * (1 - PI) ** GAMMA, (1 - PI) * PI**GAMMA
    if params["alpha"] is not None:
        ups, downs = ALPHA * ups, (1 - ALPHA) * downs
    return -(ups * Log(PI, base)) - downs * Log(1 - PI, base)


def _information(params: Params) -> Node:
    base = TWO
    return mean(
        params,
        Branch(
            P_TRUE,
            PRIOR_TRUE,
            -Log(PRIOR_TRUE, base) + Log(P_TRUE, base),
            Log(1 - PRIOR_TRUE, base) - Log(1 - P_TRUE, base),
        ),
    )


ENTROPY = Sym(
    "H",
    meaning="entropy of the prior class distribution, in bits",
    definition=entropy(PRIOR, TWO),
)


def _relative_information(params: Params) -> Node:
    average = Sym(
        "I",
        sub="avg",
        meaning="information score, averaged over the cases",
        definition=_information(params),
    )
    return Div(
        average,
        ENTROPY,
        "the prior leaves no doubt about the class, so its entropy is 0",
    )


def _hinge(params: Params) -> Node:
    return mean(params, Max((ZERO, 1 - SIGN * S)))


def _clipping(ctx: Context) -> Iterable[Prose]:
    if not ctx.params.clipped:
        return
    cases = cases_of(ctx)
    sure = [cases.name(i) for i in cases.certain()[:7]]
    listed = ", ".join(sure[:6]) + (", …" if len(sure) > 6 else "")
    what = f"Case {listed} has" if len(sure) == 1 else f"Cases {listed} have"
    epsilon = decimal_text(ctx.params["epsilon"])
    yield (f"{what} a score of exactly 0 or 1. There is no log 0, so ε = {epsilon} stands for 0.",)


def _divergence(ctx: Context) -> Iterable[Prose]:
    yield from _clipping(ctx)
    yield (
        "The Kullback-Leibler divergence is the cross-entropy minus the entropy. A real class is "
        "certain, so its entropy is 0: here the divergence is the cross-entropy itself.",
    )


def _inferred_scale(ctx: Context) -> Iterable[Prose]:
    if ctx.params["scale"] is None:
        yield ("The scores are taken as signed distances from the decision boundary.",)
    else:
        scale = ctx.params["scale"]
        yield (f"The distance of a case is taken as {scale} × (score − 1/2).",)


MEASURES = (
    Measure(
        key="mean_absolute_error",
        title="Mean absolute error",
        takes="scores",
        symbol=Sym("MAE"),
        formula=lambda params: mean(params, Abs(Y - P)),
        meaning="How far a score is from the truth, on average.",
        undefined=NEVER,
        low=0,
        high=1,
        direction=-1,
        names={"MAE": "B"},
        documents={"B": "Definition 17, Eq. 17"},
        random=2 * PI * (1 - PI),
        perfect=ZERO,
        use_when={
            "B": "Preferable to a single cut: it sees that 0.9 for a negative is worse than 0.8.",
            "binteach": "Not to train on: it rewards exaggerating the scores (it is not proper).",
        },
    ),
    Measure(
        key="brier_score",
        title="Brier score",
        takes="scores",
        symbol=Sym("MSE"),
        formula=lambda params: mean(params, (Y - P) ** 2),
        meaning="The mean squared distance of the scores from the truth.",
        undefined=NEVER,
        low=0,
        high=1,
        direction=-1,
        names={"Brier": "B", "mean squared error": "B", "MSE": "B", "quadratic score": ""},
        documents={"B": "Definition 18, Eq. 18"},
        random=PI * (1 - PI),
        perfect=ZERO,
        use_when={"B": "Preferable to a single cut; a proper score, best served by honest scores."},
    ),
    Measure(
        key="root_mean_square_error",
        title="Root mean square error",
        takes="scores",
        symbol=Sym("RMSE"),
        formula=lambda params: Sqrt(mean(params, (Y - P) ** 2)),
        meaning="The root of the Brier score, on the scale of the scores again.",
        undefined=NEVER,
        low=0,
        high=1,
        direction=-1,
        names={"RMSE": "B", "root mean squared error": ""},
        documents={"B": "Definition 19, Eq. 19"},
        random=Sqrt(PI * (1 - PI)),
        perfect=ZERO,
        use_when={"B": "Like the Brier score, whose order of models it keeps."},
    ),
    Measure(
        key="log_loss",
        title="Log loss",
        takes="scores",
        symbol=Sym("logloss"),
        formula=_log_loss,
        meaning="The mean surprise at the real class, given the score.",
        undefined="a score is certain and wrong and epsilon is 0",
        low=0,
        high=None,
        direction=-1,
        names={
            "logloss": "B",
            "logarithmic loss": "B",
            "cross-entropy": "B",
            "binary cross-entropy": "",
        },
        documents={"B": "Definition 20, Eq. 20"},
        description="Berrar takes logarithms to base 2; scikit-learn takes natural ones.",
        params=("base", "epsilon"),
        random=lambda params: entropy(PI, params.log_base),
        perfect=ZERO,
        use_when={
            "B": "The usual target of training; dominated by the larger class when classes are "
            "unequal.",
        },
        remark=_divergence,
    ),
    Measure(
        key="balanced_cross_entropy",
        title="Balanced cross-entropy",
        takes="scores",
        symbol=Sym("bCE"),
        formula=_balanced,
        meaning="The log loss with the rare class weighted up.",
        undefined="a score is certain and wrong and epsilon is 0",
        low=0,
        high=None,
        direction=-1,
        names={"bCE": "B"},
        documents={"B": "Definition 21, Eq. 21"},
        params=("alpha", "base", "epsilon"),
        random=_random_balanced,
        perfect=ZERO,
        use_when={"B": "A good choice when the classes are unequal."},
        remark=_clipping,
    ),
    Measure(
        key="focal_loss",
        title="Focal loss",
        takes="scores",
        symbol=Sym("FL", sub="avg"),
        formula=_focal,
        meaning="The log loss with easy cases played down.",
        undefined="a score is certain and wrong and epsilon is 0",
        low=0,
        high=None,
        direction=-1,
        names={"average focal loss": "B", "FL": "B", "FL_avg": "B"},
        documents={"B": "Definition 22, Eq. 22 and 23"},
        params=("gamma", "alpha", "base", "epsilon"),
        random=_random_focal,
        perfect=ZERO,
        use_when={"B": "A good choice when the classes are unequal and many cases are easy."},
        remark=_clipping,
    ),
    Measure(
        key="information_score",
        title="Information score",
        takes="scores",
        symbol=Sym("I", sub="avg"),
        formula=_information,
        meaning="How many bits about the real class the scores give beyond the prior, on average.",
        undefined="the prior leaves no doubt about the class, or rules out one that occurs",
        low=None,
        high=None,
        direction=1,
        names={
            "IS": "B",
            "average information score": "B",
            "Kononenko-Bratko score": "",
            "information": "",
        },
        documents={"B": "Definition 23, Eq. 24"},
        params=("prior",),
        random=ZERO,
        random_words="for a model that repeats the prior",
        perfect=cross_entropy(PI, PRIOR, TWO),
        use_when={
            "B": "When a likely majority class makes a high accuracy easy: it counts in the priors."
        },
    ),
    Measure(
        key="relative_information_score",
        title="Relative information score",
        takes="scores",
        symbol=Sym("I", sub="r"),
        formula=_relative_information,
        meaning="The information score as a share of all the information there was to gain.",
        undefined="the prior leaves no doubt about the class",
        low=None,
        high=None,
        direction=1,
        names={"I_r": "B"},
        documents={"B": "Definition 23, Eq. 25"},
        description="At most 1 where the prior is the prevalence.",
        params=("prior",),
        random=ZERO,
        random_words="for a model that repeats the prior",
        perfect=Div(cross_entropy(PI, PRIOR, TWO), ENTROPY),
        perfect_words="1 where the prior is the prevalence",
        use_when={"B": "Like the information score, comparable between data with other priors."},
    ),
    Measure(
        key="hinge_loss",
        title="Hinge loss",
        takes="scores",
        symbol=Sym("L", sub="h"),
        formula=_hinge,
        meaning="How far cases are from lying safely on their side of the boundary, on average.",
        undefined="never, as long as there is a case",
        low=0,
        high=None,
        direction=-1,
        names={"average hinge loss": "B"},
        documents={"B": "Definition 35, Eq. 43 and 44"},
        description=(
            "Scores are signed distances. For probabilities, scale=4 takes 4(p − 1/2), the factor "
            "that Berrar's Figure 8 implies."
        ),
        params=("scale",),
        random=ONE,
        random_words="for a model that puts every case on the boundary",
        perfect=ZERO,
        perfect_words="for a model that keeps every case at a distance of at least 1",
        use_when={"B": "For training classifiers with a wide margin."},
        remark=_inferred_scale,
    ),
    Measure(
        key="triplet_loss",
        title="Triplet loss",
        takes="triplets",
        symbol=Sym("L", sub="t"),
        formula=Sum(Max((ZERO, NEAR - FAR + MARGIN)), TRIPLETS),
        meaning="How far anchors are from being nearer to their own kind than to others, in total.",
        undefined="never, as long as there is a triplet",
        low=0,
        high=None,
        direction=-1,
        names={},
        documents={"B": "Definition 34, Eq. 42"},
        params=("margin",),
        random_words="depends on the vectors",
        perfect=ZERO,
        use_when={"B": "For training embeddings, as in the recognition of faces."},
    ),
)
