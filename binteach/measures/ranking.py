"""Measures of a whole ranking: gain and lift, ROC, precision-recall."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from binteach.cases import Cases
from binteach.exact import shorten
from binteach.expr import Abs, Div, Family, MaxOver, Node, Num, Rel, Row, Sum, Sym
from binteach.measures.base import Context, Measure, Params, Prose, evaluate
from binteach.measures.symbols import (
    ABOVE,
    BELOW,
    CUTS,
    EQUAL,
    FIRST_NEGATIVES,
    FPR_I,
    FPR_J,
    G_MODEL,
    G_NULL,
    HULL_SEGMENTS,
    INNER_PLACES,
    LIFT_J,
    LIFT_PLACES,
    N_FIRST,
    N_NEG,
    N_POS,
    NEGATIVES,
    PLACES,
    POSITIVES,
    PR_STEPS,
    PREC_I,
    PREC_J,
    PREVALENCE,
    RANK,
    REC_I,
    REC_I_LEVEL,
    REC_LAST,
    REC_NEXT_LEVEL,
    RECALL_SEGMENTS,
    ROC_SEGMENTS,
    SENS_I,
    SPEC_I,
    THRESHOLDS,
    TPR_I,
    TPR_J,
    X_0,
    X_1,
    X_I,
    X_NEXT,
    Y_0,
    Y_1,
    Y_I,
    Y_NEXT,
    N,
    W,
    cases_of,
    chance,
    precision_level,
    ranking_of,
)

ONE, ZERO, HALF = Num(Fraction(1)), Num(Fraction(0)), Num(Fraction(1, 2))
BOTH = "one of the classes has no case"
NO_POSITIVES = "there is no positive case"
IN_CROSSING = "the number of orders that beat it by luck has no simple mean"

_SCORE_POS = Sym("p", sub="+", meaning="score of a random positive case")
_SCORE_NEG = Sym("p", sub="−", meaning="score of a random negative case")
RANK_SUM = Sym(
    "S", sub="−", meaning="sum of the ranks of the negatives", definition=Sum(RANK, NEGATIVES)
)


# AUC: three derivations, one value ------------------------------------------------------------


def _by_ranks(params: Params) -> Node:
    del params
    return (RANK_SUM - HALF * N_NEG * (N_NEG + 1)) / (N_POS * N_NEG)


def _by_pairs(params: Params) -> Node:
    body = BELOW + HALF * EQUAL
    return Sum(W * body if params.weighted else body, POSITIVES) / (N_POS * N_NEG)


def _by_trapezoids(params: Params) -> Node:
    del params
    return Sum((X_NEXT - X_I) * ((Y_I + Y_NEXT) / 2), ROC_SEGMENTS)


_METHODS = {"ranks": _by_ranks, "pairs": _by_pairs, "trapezoids": _by_trapezoids}


def _auc(params: Params) -> Node:
    # Weighted cases have no ranks, so they are counted in pairs.
    method = params.get("method") or ("pairs" if params.weighted else "ranks")
    if method == "ranks" and params.weighted:
        raise ValueError("weighted cases have no ranks; use method='pairs' or 'trapezoids'")
    return _METHODS[method](params)


def _gini(params: Params) -> Node:
    return 2 * Sym("AUC", definition=_auc(params)) - 1


def _tied_pairs(ctx: Context) -> Iterable[Prose]:
    if ranking_of(ctx).has_mixed_ties:
        yield ("A positive and a negative with the same score count one half.",)


def _best_cuts(ctx: Context) -> Iterable[Prose]:
    """Where the two rates are farthest apart."""
    ranking = ranking_of(ctx)
    if not cases_of(ctx).positives or not cases_of(ctx).negatives:
        return
    gaps = ranking.tpr(slice(None)) - ranking.fpr(slice(None))
    if ctx.measure.key == "ks":
        gaps = abs(gaps)
    best = [str(k) for k in ranking.k[gaps.top == gaps.top.max()][:4]]
    listed = " or ".join(best[:3]) + (" or more" if len(best) > 3 else "")
    yield (f"The maximum is reached with {listed} cases called positive.",)


def _crossing_rule(ctx: Context) -> Iterable[Prose]:
    del ctx
    yield (
        "Both error rates are equal where FPR = FNR = 1 − TPR. Between two cuts the ROC curve is "
        "taken as a straight line; the crossing lies on the first piece to reach FPR + TPR = 1.",
    )


def spread_ties(ctx: Context) -> Iterable[Prose]:
    """Said of measures that go place by place."""
    if ranking_of(ctx).has_mixed_ties:
        yield (
            "Tied cases share their places: each of these places counts as the share of positives "
            "among the tied cases, so it may hold half a positive.",
        )


# Average precision ----------------------------------------------------------------------------

HARMONIC = Sym(
    "H",
    sub="n",
    meaning="harmonic number 1 + 1/2 + … + 1/n",
    find=lambda ctx: sum((Fraction(1, k) for k in range(1, cases_of(ctx).n + 1)), Fraction(0)),
)
HARMONIC_POS = Sym(
    "H",
    sub="n₊",
    meaning="harmonic number 1 + 1/2 + … + 1/n₊",
    find=lambda ctx: sum(
        (Fraction(1, k) for k in range(1, int(cases_of(ctx).positives) + 1)), Fraction(0)
    ),
)
RANDOM_AP = (N_POS - 1) / (N - 1) + (HARMONIC * N_NEG) / (N * (N - 1))


def _estimator(start: str, end: str) -> Node:
    """Trapezoids through the smallest or largest precision at each recall."""
    mean = (precision_level(start, "i") + precision_level(end, "i+1")) / 2
    return Sum(mean * (REC_NEXT_LEVEL - REC_I_LEVEL), RECALL_SEGMENTS)


def _empty_cut(ctx: Context) -> Iterable[Prose]:
    del ctx
    yield (
        "Where nothing is called positive, the precision is 0/0; it is set to 0, as Berrar does.",
    )


def _not_trapezoids(ctx: Context) -> Iterable[Prose]:
    yield (
        "Each step has the height of the precision at its end: this is a sum of rectangles, "
        "not of trapezoids.",
    )
    if ranking_of(ctx).has_ties:
        yield ("Tied cases cross the threshold together and make one step.",)


AP_CLASS = Sym("AP", arg=Sym("c"), meaning="average precision with class c as the positive one")


def _class_rows(ctx: Context) -> Sequence[Row]:
    if not isinstance(ctx.data, Mapping):
        raise ValueError(
            f"mean_average_precision takes a mapping from class to Cases, not {shorten(ctx.data)}"
        )
    if not ctx.data:
        raise ValueError("there are no classes: the mapping is empty")
    return [
        Row({AP_CLASS: evaluate(Context(AVERAGE_PRECISION, cases, {}))}, (str(name),))
        for name, cases in ctx.data.items()
        if isinstance(cases, Cases) or _not_cases(name)
    ]


def _not_cases(name: object) -> bool:
    raise ValueError(f"class {shorten(name)} must be mapped to Cases")


K_CLASSES = Sym("K", meaning="number of classes", find=lambda ctx: Fraction(len(ctx.rows(CLASSES))))
CLASSES: Family = Family("classes", "c", None, None, _class_rows, ("class",))

AVERAGE_PRECISION = Measure(
    key="average_precision",
    title="Average precision",
    takes="ranking",
    symbol=Sym("AP"),
    formula=Sum(PREC_I * (REC_I - REC_LAST), PR_STEPS),
    meaning="The precision, averaged over the steps in which recall grows.",
    undefined=NO_POSITIVES,
    low=0,
    high=1,
    direction=1,
    names={
        "AP": "B",
        "area under the precision-recall curve": "B",
        "AUCPR": "B",
        "auPRC": "S",
        "auPPV": "S",
        "PR AUC": "",
        "mean precision": "M",
    },
    documents={"B": "Definition 32, Eq. 37 and 38", "M": "Section 2", "S": "auPRC"},
    description=(
        "With ties it goes by threshold, as scikit-learn does; average_hit_rate spreads ties. "
        "Murphy calls an area under this curve mean precision."
    ),
    random=RANDOM_AP,
    random_words="for n > 1; it tends to the prevalence as n grows, but is larger",
    perfect=ONE,
    use_when={
        "B": "Recommended when the classes are very unequal, and when the top of the list "
        "matters most.",
        "M": "When negatives are very many.",
        "S": "For unbalanced data.",
    },
    remark=_not_trapezoids,
)

MEASURES = (
    Measure(
        key="auc",
        title="Area under the ROC curve",
        takes="ranking",
        symbol=Sym("AUC"),
        formula=_auc,
        meaning="How often a random positive is ranked above a random negative.",
        undefined=BOTH,
        low=0,
        high=1,
        direction=1,
        names={
            "area under the ROC curve": "BA",
            "area under the curve": "BM",
            "area under curve": "A",
            "auROC": "S",
            "ROC AUC": "",
            "AUC-ROC": "",
            "c-statistic": "",
            "concordance": "",
            "Wilcoxon-Mann-Whitney statistic": "",
        },
        documents={
            "B": "Definition 27, Eq. 31 and 32",
            "M": "Section 1",
            "A": "2.3.1",
            "S": "auROC",
        },
        description="Sonnenburg's number of swaps, divided by n₊n₋, is 1 − AUC.",
        params=("method",),
        probability=chance(Rel(_SCORE_POS, ">", _SCORE_NEG))
        + HALF * chance(Rel(_SCORE_POS, "=", _SCORE_NEG)),
        random=HALF,
        perfect=ONE,
        use_when={
            "B": "Not a bad choice: robust to unequal classes. Not for early retrieval, where only "
            "the top of the list counts.",
            "A": "When no quota is fixed; it does not depend on the class proportions.",
            "S": "For balanced data.",
        },
        remark=_tied_pairs,
    ),
    Measure(
        key="gini",
        title="Gini index",
        takes="ranking",
        symbol=Sym("Gini"),
        formula=_gini,
        meaning="The AUC on a scale on which guessing is 0.",
        undefined=BOTH,
        low=-1,
        high=1,
        direction=1,
        names={"Gini index": "BA", "Gini coefficient": "B", "Somers' D": ""},
        documents={"B": "Definition 28, Eq. 33", "A": "2.3.4", "S": "auROC"},
        description="Exactly the same number as pem.",
        random=ZERO,
        perfect=ONE,
        use_when={"binteach": "Where the AUC is used; the two order all models alike."},
        remark=_tied_pairs,
    ),
    Measure(
        key="auch",
        title="Area under the ROC convex hull",
        takes="ranking",
        symbol=Sym("AUCH"),
        formula=Sum(Y_I * (X_NEXT - X_I) + HALF * (Y_NEXT - Y_I) * (X_NEXT - X_I), HULL_SEGMENTS),
        meaning="The area that remains when every dent in the ROC curve is bridged.",
        undefined=BOTH,
        low=HALF.value,
        high=1,
        direction=1,
        names={"area under the ROC convex hull": "B"},
        documents={"B": "Definition 29, Eq. 34", "A": "2.2.2"},
        random_words=f"above 1/2: {IN_CROSSING}",
        perfect=ONE,
        use_when={
            "A": "To find the cuts, or the models of a family, that can be best for some costs."
        },
    ),
    Measure(
        key="ks",
        title="Kolmogorov-Smirnov statistic",
        takes="ranking",
        symbol=Sym("KS"),
        formula=MaxOver(Abs(TPR_I - FPR_I), CUTS),
        meaning="The largest distance between true and false positive rate over all cuts.",
        undefined=BOTH,
        low=0,
        high=1,
        direction=1,
        names={"KS statistic": "B", "Kolmogorov-Smirnov statistic": "B", "Kolmogorov-Smirnov": ""},
        documents={"B": "Definition 30, Eq. 35"},
        random_words=f"above 0: {IN_CROSSING}",
        perfect=ONE,
        use_when={
            "B": "Not recommended for comparing models: it is sensitive to noise. Rather taKS."
        },
        remark=_best_cuts,
    ),
    Measure(
        key="taks",
        title="Truncated average Kolmogorov-Smirnov statistic",
        takes="ranking",
        symbol=Sym("taKS"),
        formula=Div(ONE, N - 1, "there is only one case, so no cut lies inside the ranking")
        * Sum(TPR_J - FPR_J, INNER_PLACES),
        meaning="The mean distance between true and false positive rate over the inner cuts.",
        undefined="there is one case only, or one of the classes has no case",
        low=-1,
        high=1,
        direction=1,
        names={"truncated average Kolmogorov-Smirnov statistic": "B"},
        documents={"B": "Definition 31, Eq. 36"},
        description="Equal to n (2 AUC − 1) / (2 (n − 1)); a tied block is spread evenly.",
        random=ZERO,
        perfect=N / (2 * (N - 1)),
        use_when={"B": "Rather than KS, being more robust to noise."},
        remark=spread_ties,
    ),
    Measure(
        key="max_youden",
        title="Maximum Youden index",
        takes="ranking",
        symbol=Sym("J", sub="max"),
        formula=MaxOver(SENS_I + SPEC_I - 1, THRESHOLDS),
        meaning="The Youden index at the best cut.",
        undefined=BOTH,
        low=0,
        high=1,
        direction=1,
        names={"maximum Youden index": "B", "J_max": "B", "optimal Youden index": ""},
        documents={"B": "Definition 8"},
        random_words=f"above 0: {IN_CROSSING}",
        perfect=ONE,
        use_when={"B": "Often reported in place of the index at one cut."},
        remark=_best_cuts,
    ),
    AVERAGE_PRECISION,
    Measure(
        key="mean_precision",
        title="Mean precision",
        takes="ranking",
        symbol=Sym("mean precision"),
        formula=(1 / N) * Sum(PREC_J, PLACES),
        meaning="The plain mean of the precisions after 1, 2, …, n cases.",
        undefined="never, as long as there is a case",
        low=0,
        high=1,
        direction=1,
        names={},
        documents={"B": "Definition 32"},
        description=(
            "Berrar names it as what average precision is not. Murphy's mean precision is an area, "
            "see average_precision."
        ),
        random=PREVALENCE,
        perfect=(N_POS + N_POS * (HARMONIC - HARMONIC_POS)) / N,
        use_when={"B": "To see that average precision is something else."},
        remark=spread_ties,
    ),
    Measure(
        key="aucpr_min",
        title="Lower trapezoid of the precision-recall curve",
        takes="ranking",
        symbol=Sym("AUCPR", sub="min"),
        formula=_estimator("min", "min"),
        meaning="The area under trapezoids through the smallest precision at each recall.",
        undefined=NO_POSITIVES,
        low=0,
        high=1,
        direction=1,
        names={"AUCPR_min": "B", "lower trapezoid": "B"},
        documents={"B": "Definition 33, Eq. 39"},
        random_words=f"near the prevalence: {IN_CROSSING}",
        perfect=1 - 1 / N_POS + 1 / (2 * N),
        use_when={"B": "One of three ways to take the area, since precision is not monotone."},
        remark=_empty_cut,
    ),
    Measure(
        key="aucpr_minmax",
        title="Min-max trapezoid of the precision-recall curve",
        takes="ranking",
        symbol=Sym("AUCPR", sub="minmax"),
        formula=_estimator("min", "max"),
        meaning="The area under trapezoids from the smallest precision to the next largest.",
        undefined=NO_POSITIVES,
        low=0,
        high=1,
        direction=1,
        names={"AUCPR_minmax": "B"},
        documents={"B": "Definition 33, Eq. 40"},
        description="The trapezoids through all points of the curve.",
        random_words=f"near the prevalence: {IN_CROSSING}",
        perfect=1 - 1 / (2 * N_POS),
        use_when={"B": "One of three ways to take the area, since precision is not monotone."},
        remark=_empty_cut,
    ),
    Measure(
        key="aucpr_max",
        title="Upper trapezoid of the precision-recall curve",
        takes="ranking",
        symbol=Sym("AUCPR", sub="max"),
        formula=_estimator("max", "max"),
        meaning="The area under trapezoids through the largest precision at each recall.",
        undefined=NO_POSITIVES,
        low=0,
        high=1,
        direction=1,
        names={"AUCPR_max": "B", "upper trapezoid": "B"},
        documents={"B": "Definition 33, Eq. 41"},
        random_words=f"near the prevalence: {IN_CROSSING}",
        perfect=1 - 1 / (2 * N_POS),
        use_when={"B": "One of three ways to take the area, since precision is not monotone."},
        remark=_empty_cut,
    ),
    Measure(
        key="average_gain",
        title="Average gain",
        takes="ranking",
        symbol=Sym("average gain"),
        formula=(1 / N) * Sum(G_MODEL - G_NULL, PLACES),
        meaning="How many more positives the top of the list holds than guessing, on average.",
        undefined="never, as long as there is a case",
        low=None,
        high=None,
        direction=1,
        names={},
        documents={"B": "Definition 25, Eq. 28 and 29"},
        description="Equal to (n₊n₋/n)(AUC − 1/2).",
        random=ZERO,
        perfect=(N_POS * N_NEG) / (2 * N),
        use_when={"B": "To sum up a gain chart in one number."},
        remark=spread_ties,
    ),
    Measure(
        key="average_lift",
        title="Average lift",
        takes="ranking",
        symbol=Sym("average lift"),
        formula=(1 / N) * Sum(LIFT_J, LIFT_PLACES),
        meaning="The mean of the lifts after 1, 2, …, n cases.",
        undefined=NO_POSITIVES,
        low=0,
        high=None,
        direction=1,
        names={},
        documents={"B": "Definition 26, Eq. 30"},
        description="Equal to mean_precision divided by the prevalence.",
        random=ONE,
        perfect=1 + HARMONIC - HARMONIC_POS,
        use_when={"B": "To sum up a lift chart in one number."},
        remark=spread_ties,
    ),
    Measure(
        key="equal_error_rate",
        title="Equal error rate",
        takes="ranking",
        symbol=Sym("EER"),
        formula=X_0
        + Sym(
            "λ",
            meaning="place of the crossing on its segment, from 0 to 1",
            definition=(1 - X_0 - Y_0) / ((X_1 - X_0) + (Y_1 - Y_0)),
        )
        * (X_1 - X_0),
        meaning="The error rate at the cut where both classes are wrong equally often.",
        undefined=BOTH,
        low=0,
        high=1,
        direction=-1,
        names={"EER": "M", "cross over rate": "M", "crossover error rate": ""},
        documents={"M": "Section 1, Figure 2"},
        description="Where the ROC curve, joined by straight lines, meets FPR = 1 − TPR.",
        random_words=f"near 1/2: {IN_CROSSING}",
        perfect=ZERO,
        use_when={"M": "To sum up a ROC curve in one number; common in biometrics."},
        remark=_crossing_rule,
    ),
    Measure(
        key="roc_n",
        title="ROC_N score",
        takes="ranking",
        symbol=Sym("ROC", sub="N"),
        formula=Sum(ABOVE, FIRST_NEGATIVES) / (N_FIRST * N_POS),
        meaning="The area under the ROC curve up to the first N false positives, scaled to 1.",
        undefined=BOTH,
        low=0,
        high=1,
        direction=1,
        names={"ROC_N score": "S"},
        documents={"S": "Extensions"},
        description="N is all negatives unless n= is given; then it is the AUC.",
        params=("n",),
        random=(N_FIRST + 1) / (2 * (N_NEG + 1)),
        random_words="1/2 where all negatives count",
        perfect=ONE,
        use_when={"S": "When only the top of the list is looked at."},
    ),
    Measure(
        key="mean_average_precision",
        title="Mean average precision",
        takes="classes",
        symbol=Sym("MAP"),
        formula=Div(ONE, K_CLASSES) * Sum(AP_CLASS, CLASSES),
        meaning="The mean of the average precisions, each class in turn being the positive one.",
        undefined="a class has no case",
        low=0,
        high=1,
        direction=1,
        names={"MAP": "B"},
        documents={"B": "Definition 33"},
        random_words="the mean of the classes' expected average precisions",
        perfect=ONE,
        use_when={"B": "Where average precision is used and there are more than two classes."},
    ),
)
