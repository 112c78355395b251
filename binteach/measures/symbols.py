"""The symbols of the formulas, and the families of rows that their sums run over.

Glossary (see also binteach.cases):
  y_i, p_i, s_i  real class, score, and signed distance of the i-th ranked case
  t_i            the i-th threshold; above it lie i − 1 cases (Berrar)
  t^[k]          expected label in place k (Arbel & Rokach, Eq. 5)
  π, q           prevalence, and share of cases that are called positive
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from binteach.cases import (
    Cases,
    Counts,
    Cut,
    Ranking,
    Undefined,
    decimal_text,
    short_decimal,
    spread_over,
)
from binteach.columns import Column
from binteach.exact import Exact, exact, shorten
from binteach.expr import Columns, Div, Family, Log, Node, Num, Prob, Rel, Row, Rows, Sum, Sym
from binteach.lists import engine
from binteach.measures.base import Context, Params

HALF = Fraction(1, 2)

# RANDOM. What "a model that knows nothing" means, by what a measure takes:
#   counts          it calls a share q of the cases positive, whatever they are, and the counts
#                   are the expected ones
#   scores          it gives every case the prevalence π as its score
#   ranking, quota  every order of the cases is equally likely, without ties


def counts_of(ctx: Context) -> Counts:
    """The counts at hand; the context has made sure that there are some."""
    assert ctx.counts is not None
    return ctx.counts


def cases_of(ctx: Context) -> Cases:
    """The cases at hand."""
    assert ctx.cases is not None
    return ctx.cases


def ranking_of(ctx: Context) -> Ranking:
    """The ranking at hand."""
    return cases_of(ctx).ranking


def _exactly(count: Any) -> Exact:
    """A count as a Fraction, so that it divides exactly; symbols stay as they are."""
    return Fraction(count) if isinstance(count, int) else count


def _count(name: str) -> Any:
    def find(ctx: Context) -> Exact:
        return _exactly(getattr(counts_of(ctx), name))

    return find


TP = Sym("TP", meaning="positive cases called positive", find=_count("tp"), decimal=True)
FP = Sym("FP", meaning="negative cases called positive", find=_count("fp"), decimal=True)
FN = Sym("FN", meaning="positive cases called negative", find=_count("fn"), decimal=True)
TN = Sym("TN", meaning="negative cases called negative", find=_count("tn"), decimal=True)


def _total(ctx: Context) -> Exact:
    if ctx.counts is not None:
        return _exactly(ctx.counts.n)
    return Fraction(cases_of(ctx).n)


N = Sym("n", meaning="all cases", find=_total, decimal=True)
N_POS = Sym(
    "n",
    sub="+",
    meaning="positive cases",
    find=lambda ctx: Fraction(cases_of(ctx).positives),
    zero="there is no positive case, so n₊ = 0",
)
N_NEG = Sym(
    "n",
    sub="−",
    meaning="negative cases",
    find=lambda ctx: Fraction(cases_of(ctx).negatives),
    zero="there is no negative case, so n₋ = 0",
)
PREVALENCE = Sym(
    "π",
    meaning="prevalence, n₊/n",
    find=lambda ctx: cases_of(ctx).prevalence,
    zero="there is no positive case, so the prevalence is 0",
)
Q = Sym("q", meaning="share of cases called positive")


def _prior(ctx: Context) -> Exact:
    given = ctx.params["prior"]
    if given is not None:
        return given
    if ctx.cases is not None and ctx.counts is None:
        return cases_of(ctx).prevalence
    counts = counts_of(ctx)
    return counts.positives / _exactly(counts.n)


PRIOR = Sym(
    "π",
    sub="0",
    meaning="prior probability of the positive class (by default the prevalence)",
    find=_prior,
    zero="the prior probability of the positive class is 0",
)


def cross_entropy(share: Node, prior: Node, base: Node) -> Node:
    """−π log π₀ − (1 − π) log(1 − π₀): the mean surprise when π₀ was expected and π came."""
    return -(share * Log(prior, base)) - (1 - share) * Log(1 - prior, base)


def entropy(prior: Node, base: Node) -> Node:
    """−π log π − (1 − π) log(1 − π): how uncertain a class is; base 0 stands for e."""
    return cross_entropy(prior, prior, base)


def parameter(base: str, name: str, meaning: str) -> Sym:
    """A symbol whose value is a parameter."""
    return Sym(base, meaning=meaning, find=lambda ctx: ctx.params[name], decimal=True)


# Statements such as P(ŷ = 1 | y = 1) ----------------------------------------------------------

_REAL = Sym("y", meaning="real class: 1 positive, 0 negative")
_CALLED = Sym("ŷ", meaning="called class: 1 positive, 0 negative")


def real(label: int) -> Node:
    """y = label."""
    return Rel(_REAL, "=", Num(Fraction(label)))


def called(label: int) -> Node:
    """ŷ = label."""
    return Rel(_CALLED, "=", Num(Fraction(label)))


def chance(event: Node, given: Node | None = None) -> Prob:
    """P(event | given)."""
    return Prob(event, given)


# Cases in rank order --------------------------------------------------------------------------

Y = Sym("y", sub="i", meaning="1 if the case is positive, 0 if negative")
P = Sym("p", sub="i", meaning="score of the case", decimal=True)
U = Sym("u", sub="i", meaning="the score pᵢ, with ε in place of 0", decimal=True)
V = Sym("v", sub="i", meaning="1 − pᵢ, with ε in place of 0", decimal=True)
SIGN = Sym("y", sub="i", meaning="+1 if the case is positive, −1 if negative")
S = Sym("s", sub="i", meaning="signed distance of the case from the boundary", decimal=True)
P_TRUE = Sym("p", sub="t", meaning="score that the case's real class was given", decimal=True)
U_TRUE = Sym("u", sub="t", meaning="the same, with ε in place of 0", decimal=True)
PRIOR_TRUE = Sym("π", sub="i", meaning="prior probability of the case's real class", decimal=True)
ALPHA_TRUE = Sym("α", sub="t", meaning="α for a positive case, 1 − α for a negative", decimal=True)
W = Sym("w", sub="i", meaning="weight of the case", decimal=True)

CASE_LABELS = ("case", "class", "score")


def case_labels(cases: Cases, index: int) -> tuple[str, ...]:
    """The name, class and score of a case, for a table."""
    return (cases.name(index), str(cases.label(index)), short_decimal(cases.score(index)))


def _case_rows(ctx: Context) -> Sequence[Row]:
    cases, params = cases_of(ctx), ctx.params
    epsilon, scale, alpha = (params.get(name) for name in ("epsilon", "scale", "alpha"))
    prior = _prior(ctx) if "prior" in params else None
    order = cases.ranking.order

    def columns(start: int, stop: int) -> Columns:
        chosen = order[start:stop]
        labels, scores = cases.label_column(chosen), cases.score_column(chosen)
        positive = labels.top == 1

        def of_class(yes: Any, no: Any) -> Any:
            return _many(yes, labels).where(positive, no)

        def never_zero(number: Any) -> Any:
            return number.where(number.top != 0, epsilon)

        true_score = of_class(scores, 1 - scores)
        values: Columns = {Y: lambda: labels, P: lambda: scores, P_TRUE: lambda: true_score}
        if params.weighted:
            values[W] = lambda: cases.weight_column(chosen)
        if epsilon is not None:
            values[U], values[V] = lambda: never_zero(scores), lambda: never_zero(1 - scores)
            values[U_TRUE] = lambda: never_zero(true_score)
        if prior is not None:
            values[PRIOR_TRUE] = lambda: of_class(prior, 1 - prior)
        if alpha is not None:
            values[ALPHA_TRUE] = lambda: of_class(alpha, 1 - alpha)
        if ctx.measure.key == "hinge_loss":
            values[SIGN] = lambda: 2 * labels - 1
            values[S] = lambda: scores if scale is None else (scores - HALF) * scale
        return values

    return Rows(cases.n, columns, lambda row: case_labels(cases, int(order[row])))


def _many(number: Any, like: Column) -> Any:
    """A number for every row."""
    return number if isinstance(number, Column) else like.constant(number)


CASES = Family("cases", "i", Num(Fraction(1)), N, _case_rows, CASE_LABELS)


def mean(params: Params, body: Node) -> Node:
    """(1/n) Σ body over the cases; with weights Σ w body / Σ w."""
    if params.weighted:
        return Div(Sum(W * body, CASES), Sum(W, CASES))
    return (1 / N) * Sum(body, CASES)


# Ranks and pairs ------------------------------------------------------------------------------

RANK = Sym(
    "R", sub="i", meaning="rank of the case, 1 being the top; tied cases share the mean rank"
)
BELOW = Sym("b", sub="i", meaning="negatives ranked below this positive")
EQUAL = Sym("e", sub="i", meaning="negatives tied with this positive")


def _class_rows(ctx: Context, label: int) -> Sequence[Row]:
    cases, ranking = cases_of(ctx), ranking_of(ctx)
    ends, above = ranking.ends, ranking.downs if label == 0 else ranking.ups
    unit, negatives = Fraction(1, ranking.unit), Fraction(cases.negatives)
    fp = ranking.fp_of_blocks

    def columns(start: int, stop: int) -> Columns:
        block = spread_over(above, start, stop)
        values: Columns = {
            RANK: lambda: Column(ends[block] + ends[block + 1] + 1, None, HALF),
            BELOW: lambda: negatives - Column(fp[block + 1], None, unit),
            EQUAL: lambda: Column(fp[block + 1] - fp[block], None, unit),
        }
        if ctx.params.weighted:
            values[W] = lambda: cases.weight_column(ranking.of_class(label)[start:stop])
        return values

    def labels(row: int) -> tuple[str, ...]:
        return case_labels(cases, int(ranking.of_class(label)[row]))

    return Rows(int(above[-1]), columns, labels)


NEGATIVES = Family(
    "negatives",
    "i",
    None,
    None,
    lambda ctx: _class_rows(ctx, 0),
    CASE_LABELS,
    condition="negatives",
)
POSITIVES = Family(
    "positives",
    "i",
    None,
    None,
    lambda ctx: _class_rows(ctx, 1),
    CASE_LABELS,
    condition="positives",
)


# Cuts -----------------------------------------------------------------------------------------

_T_I, _T_NEXT, _T_LAST = Sym("t", sub="i"), Sym("t", sub="i+1"), Sym("t", sub="i−1")
TPR_I = Sym("TPR", arg=_T_I, meaning="true positive rate at the cut")
FPR_I = Sym("FPR", arg=_T_I, meaning="false positive rate at the cut")
SENS_I = Sym("sensitivity", arg=Sym("t"), meaning="sensitivity at the cut")
SPEC_I = Sym("specificity", arg=Sym("t"), meaning="specificity at the cut")
PREC_I = Sym("p", arg=_T_I, meaning="precision at the cut")
REC_I = Sym("r", arg=_T_I, meaning="recall at the cut")
REC_LAST = Sym("r", arg=_T_LAST, meaning="recall at the cut before")
K_CUTS = Sym("k", meaning="number of cuts", find=lambda ctx: Fraction(len(ranking_of(ctx).cuts)))
CUT_LABELS = ("called positive", "TP", "FP")


def _need_both(ctx: Context) -> None:
    """Rates need both classes."""
    need_positives(ctx)
    if not cases_of(ctx).negatives:
        raise Undefined("there is no negative case, so the false positive rate is 0/0")


def need_positives(ctx: Context) -> None:
    """Recall and lift need a positive case."""
    if not cases_of(ctx).positives:
        raise Undefined("there is no positive case, so the recall is 0/0")


def _cut_labels(cut: Cut) -> tuple[str, ...]:
    return (str(cut.k), decimal_text(cut.tp), decimal_text(cut.fp))


def _cut_rows(ctx: Context) -> Sequence[Row]:
    _need_both(ctx)
    ranking = ranking_of(ctx)

    def columns(start: int, stop: int) -> Columns:
        tpr, fpr = ranking.tpr(slice(start, stop)), ranking.fpr(slice(start, stop))
        return {
            TPR_I: lambda: tpr,
            FPR_I: lambda: fpr,
            SENS_I: lambda: tpr,
            SPEC_I: lambda: 1 - fpr,
        }

    return Rows(len(ranking.cuts), columns, lambda row: _cut_labels(ranking.cut(row)))


CUTS = Family("cuts", "i", Num(Fraction(1)), K_CUTS, _cut_rows, CUT_LABELS)
THRESHOLDS = Family("thresholds", "t", None, None, _cut_rows, CUT_LABELS)


def _pr_rows(ctx: Context) -> Sequence[Row]:
    need_positives(ctx)
    ranking = ranking_of(ctx)

    def columns(start: int, stop: int) -> Columns:
        here = slice(start + 1, stop + 1)
        return {
            PREC_I: lambda: ranking.precision(here),
            REC_I: lambda: ranking.tpr(here),
            REC_LAST: lambda: ranking.tpr(slice(start, stop)),
        }

    return Rows(len(ranking.cuts) - 1, columns, lambda row: _cut_labels(ranking.cut(row + 1)))


PR_STEPS = Family("pr_steps", "i", Num(Fraction(2)), K_CUTS, _pr_rows, CUT_LABELS)


# Polygons -------------------------------------------------------------------------------------

X_I, Y_I = (
    Sym("x", sub="i", meaning="FPR of the point"),
    Sym("y", sub="i", meaning="TPR of the point"),
)
X_NEXT = Sym("x", sub="i+1", meaning="FPR of the next point")
Y_NEXT = Sym("y", sub="i+1", meaning="TPR of the next point")


def _segments(ctx: Context, numbers: Any) -> Sequence[Row]:
    """The pieces between neighbouring cuts of these numbers."""
    _need_both(ctx)
    ranking = ranking_of(ctx)
    numbers = engine(ranking.k).asarray(numbers)

    def columns(start: int, stop: int) -> Columns:
        here, after = numbers[start:stop], numbers[start + 1 : stop + 1]
        return {
            X_I: lambda: ranking.fpr(here),
            Y_I: lambda: ranking.tpr(here),
            X_NEXT: lambda: ranking.fpr(after),
            Y_NEXT: lambda: ranking.tpr(after),
        }

    def labels(row: int) -> tuple[str, ...]:
        return (f"{ranking.k[numbers[row]]} → {ranking.k[numbers[row + 1]]}",)

    return Rows(len(numbers) - 1, columns, labels)


K_HULL = Sym(
    "k", meaning="corners of the hull", find=lambda ctx: Fraction(len(ranking_of(ctx).hull()))
)
ROC_SEGMENTS = Family(
    "roc_segments",
    "i",
    Num(Fraction(1)),
    K_CUTS - 1,
    lambda ctx: _segments(ctx, range(len(ranking_of(ctx).cuts))),
    ("cut → next cut",),
)
HULL_SEGMENTS = Family(
    "hull_segments",
    "i",
    Num(Fraction(1)),
    K_HULL - 1,
    lambda ctx: _segments(ctx, ranking_of(ctx).hull_numbers()),
    ("cut → next cut",),
)

REC_I_LEVEL = Sym("r", sub="i", meaning="a recall value")
REC_NEXT_LEVEL = Sym("r", sub="i+1", meaning="the next recall value")
_MEANING = {"min": "smallest precision at recall", "max": "largest precision at recall"}


def precision_level(which: str, place: str) -> Sym:
    """p_min(r_i), p_max(r_{i+1}), ..."""
    recall = {"i": "rᵢ", "i+1": "rᵢ₊₁"}[place]
    return Sym("p", sub=which, arg=Sym("r", sub=place), meaning=f"{_MEANING[which]} {recall}")


def _recall_levels(ctx: Context) -> Any:
    """The number of the first cut with each recall, and at the end that of no cut any more."""
    need_positives(ctx)
    tp = ranking_of(ctx).tp
    np = engine(tp)
    return np.concatenate([[0], np.flatnonzero(tp[1:] != tp[:-1]) + 1, [len(tp)]])


def _recall_rows(ctx: Context) -> Sequence[Row]:
    levels, ranking = _recall_levels(ctx), ranking_of(ctx)

    def columns(start: int, stop: int) -> Columns:
        here, after, end = (levels[start + step : stop + step] for step in (0, 1, 2))
        # At one recall only false positives are added: the precision falls from cut to cut.
        return {
            REC_I_LEVEL: lambda: ranking.tpr(here),
            REC_NEXT_LEVEL: lambda: ranking.tpr(after),
            precision_level("min", "i"): lambda: ranking.precision(after - 1),
            precision_level("max", "i"): lambda: ranking.precision(here),
            precision_level("min", "i+1"): lambda: ranking.precision(end - 1),
            precision_level("max", "i+1"): lambda: ranking.precision(after),
        }

    return Rows(len(levels) - 2, columns)


K_RECALLS = Sym(
    "k", meaning="different recall values", find=lambda ctx: Fraction(len(_recall_levels(ctx)) - 1)
)
RECALL_SEGMENTS = Family("recall_segments", "i", Num(Fraction(1)), K_RECALLS - 1, _recall_rows)


# Places of the ranking ------------------------------------------------------------------------

J = Sym("j")
T_J = Sym("t", sup="[j]", meaning="expected label in place j")
T_K = Sym("t", sup="[k]", meaning="expected label in place k")
P_K = Sym("p", sup="[k]", meaning="score in place k", decimal=True)
G_MODEL = Sym("g", sub="c", arg=J, meaning="positives among the first j cases")
G_NULL = Sym(
    "g", sub="null", arg=J, meaning="positives expected there by guessing: j n₊/n", decimal=True
)
LIFT_J = Sym("lift", arg=J, meaning="precision among the first j cases, divided by the prevalence")
PREC_J = Sym("precision", arg=J, meaning="precision among the first j cases")
HIT_J = Sym("HitRate", arg=J, meaning="share of positives among the first j cases")
QRECALL_J = Sym("Qrecall", arg=J, meaning="share of all positives that the first j cases hold")
QRANDOM_J = Sym("Qrandom", arg=J, meaning="the same expected of a random order: j/n")
QOPT_J = Sym("Qopt", arg=J, meaning="the same for a perfect order: min(j/n₊, 1)")
TPR_J = Sym("TPR", arg=_T_I, meaning="true positive rate of the first i − 1 cases")
FPR_J = Sym("FPR", arg=_T_I, meaning="false positive rate of the first i − 1 cases")


def quota_size(ctx: Context) -> Fraction:
    """The size of the quota, which must be given."""
    if ctx.params["top"] is None:
        raise ValueError(
            f"{ctx.measure.key} needs the size of the quota: say top=4 for the four top cases"
        )
    return Fraction(ranking_of(ctx).checked_k(ctx.params["top"]))


QUOTA = Sym("j", meaning="size of the quota", find=quota_size)
PLACE_LABELS = ("place", "case", "score")


def _place_rows(ctx: Context) -> Rows:
    """One row for each place j, with whatever symbols exist on these data."""
    ctx.whole_places()
    cases, ranking = cases_of(ctx), ranking_of(ctx)
    np = engine(ranking.ends)
    n, ups, downs = cases.n, Fraction(cases.positives), Fraction(cases.negatives)

    def columns(start: int, stop: int) -> Columns:
        share, hits = ranking.places(start, stop)
        place = Column(np.arange(start + 1, stop + 1))
        values: Columns = {
            J: lambda: place,
            T_J: lambda: share,
            G_MODEL: lambda: hits,
            G_NULL: lambda: place * (ups / n),
            PREC_J: lambda: hits / place,
            HIT_J: lambda: hits / place,
            QRANDOM_J: lambda: place / Fraction(n),
        }
        if ups:
            values[QRECALL_J] = lambda: hits / ups
            values[QOPT_J] = lambda: Column(np.minimum(place.top, int(ups)), None, 1 / ups)
            values[LIFT_J] = lambda: hits / place * (n / ups)
            values[TPR_J] = lambda: hits / ups
        if downs:
            values[FPR_J] = lambda: (place - hits) / downs
        return values

    return Rows(n, columns, lambda row: _place_labels(ranking, row))


def _place_labels(ranking: Ranking, row: int) -> tuple[str, ...]:
    cases, index = ranking.cases, int(ranking.order[row])
    return (str(row + 1), cases.name(index), short_decimal(cases.score(index)))


def _needing_positives(ctx: Context) -> Rows:
    need_positives(ctx)
    return _place_rows(ctx)


def _inner_rows(ctx: Context) -> Sequence[Row]:
    ctx.whole_places()
    n = cases_of(ctx).n
    if n > 1:
        _need_both(ctx)
    return _place_rows(ctx).between(0, n - 1)


def _quota_rows(ctx: Context, first: int, last: int) -> Sequence[Row]:
    ctx.whole_places()
    ranking = ranking_of(ctx)

    def columns(start: int, stop: int) -> Columns:
        return {
            T_K: lambda: ranking.places(start, stop)[0],
            P_K: lambda: ranking.cases.score_column(ranking.order[start:stop]),
        }

    every = Rows(ranking.cases.n, columns, lambda row: _place_labels(ranking, row))
    return every.between(first - 1, last)


def _top_rows(ctx: Context) -> Sequence[Row]:
    return _quota_rows(ctx, 1, int(quota_size(ctx)))


def decile_bounds(n: int, decile: int) -> tuple[int, int]:
    """First and last place of a tenth; parts as equal as possible, the larger ones first."""
    size, larger = divmod(n, 10)
    before = (decile - 1) * size + min(decile - 1, larger)
    return before + 1, before + size + (decile <= larger)


def _decile_rows(ctx: Context) -> Sequence[Row]:
    return _quota_rows(ctx, *decile_bounds(cases_of(ctx).n, int(ctx.params["decile"])))


PLACES = Family("places", "j", Num(Fraction(1)), N, _place_rows, PLACE_LABELS)
LIFT_PLACES = Family("places", "j", Num(Fraction(1)), N, _needing_positives, PLACE_LABELS)
INNER_PLACES = Family("inner_places", "i", Num(Fraction(2)), N, _inner_rows, PLACE_LABELS)
TAIL_PLACES = Family(
    "tail_places",
    "j",
    N_POS,
    N,
    lambda ctx: _needing_positives(ctx).between(int(cases_of(ctx).positives) - 1, cases_of(ctx).n),
    PLACE_LABELS,
)
TOP_PLACES = Family("top_places", "k", Num(Fraction(1)), QUOTA, _top_rows, PLACE_LABELS)


def _decile_bound(which: int) -> Any:
    return lambda ctx: Fraction(decile_bounds(cases_of(ctx).n, int(ctx.params["decile"]))[which])


FIRST = Sym("a", meaning="first place of this tenth", find=_decile_bound(0))
LAST = Sym("b", meaning="last place of this tenth", find=_decile_bound(1))
DECILE_PLACES = Family("decile_places", "k", FIRST, LAST, _decile_rows, PLACE_LABELS)


# First negatives ------------------------------------------------------------------------------

ABOVE = Sym("t", sub="i", meaning="positives ranked above the i-th negative, a tie counting 1/2")


def _roc_n(ctx: Context) -> Fraction:
    negatives = Fraction(cases_of(ctx).negatives)
    given = ctx.params["n"]
    if given is None or not negatives:
        return negatives
    if given > negatives:
        raise ValueError(f"n is {given}, but there are only {negatives} negative cases")
    return Fraction(given)


N_FIRST = Sym(
    "N",
    meaning="number of top-ranked negatives that count",
    find=_roc_n,
    zero="there is no negative case, so N = 0",
)


def _first_negative_rows(ctx: Context) -> Sequence[Row]:
    ctx.whole_places()
    cases, ranking = cases_of(ctx), ranking_of(ctx)

    def columns(start: int, stop: int) -> Columns:
        block = spread_over(ranking.downs, start, stop)
        both = ranking.ups[block] + ranking.ups[block + 1]
        return {ABOVE: lambda: Column(both, None, HALF)}

    def labels(row: int) -> tuple[str, ...]:
        return case_labels(cases, int(ranking.of_class(0)[row]))

    return Rows(int(_roc_n(ctx)), columns, labels)


FIRST_NEGATIVES = Family(
    "first_negatives", "i", Num(Fraction(1)), N_FIRST, _first_negative_rows, CASE_LABELS
)


# The crossing of ROC curve and counterdiagonal ------------------------------------------------


def _crossing(ctx: Context) -> tuple[Cut, Cut]:
    """The ends of the segment on which FPR + TPR passes 1."""
    _need_both(ctx)
    cuts = ranking_of(ctx).cuts
    # Both rates grow from cut to cut.
    after = bisect_left(range(len(cuts)), True, key=lambda i: cuts[i].fpr + cuts[i].tpr >= 1)
    return cuts[after - 1], cuts[after]


def _crossing_symbol(base: str, end: int, rate: str) -> Sym:
    return Sym(
        base,
        sub=str(end),
        meaning=f"{rate} of the point {'before' if end == 0 else 'after'} the crossing",
        find=lambda ctx: getattr(_crossing(ctx)[end], rate.lower()),
    )


X_0, Y_0 = _crossing_symbol("x", 0, "FPR"), _crossing_symbol("y", 0, "TPR")
X_1, Y_1 = _crossing_symbol("x", 1, "FPR"), _crossing_symbol("y", 1, "TPR")


# Cells of the confusion matrix ----------------------------------------------------------------

P_CELL = Sym("p", arg=Sym("ŷ, y"), meaning="share of all cases in this cell", decimal=True)
P_CALLED = Sym("p", arg=Sym("ŷ"), meaning="share of all cases called ŷ", decimal=True)
P_REAL = Sym("p", arg=Sym("y"), meaning="share of all cases that are y", decimal=True)


def _cell_rows(ctx: Context) -> Sequence[Row]:
    counts = counts_of(ctx)
    n = _exactly(counts.n)
    cells = [(1, 1, counts.tp), (1, 0, counts.fp), (0, 1, counts.fn), (0, 0, counts.tn)]
    rows = []
    for said, is_, count in cells:
        if count == 0:
            continue  # 0 · log 0 is taken as 0; the remark says so
        in_row = sum(other for a, _, other in cells if a == said)
        in_column = sum(other for _, b, other in cells if b == is_)
        values = {P_CELL: count / n, P_CALLED: in_row / n, P_REAL: in_column / n}
        rows.append(Row(values, (str(said), str(is_))))
    return rows


CELLS = Family("cells", "ŷ, y", None, None, _cell_rows, ("ŷ", "y"))


# Triplets and classes -------------------------------------------------------------------------

NEAR = Sym("d", sub="i", sup="p", meaning="squared distance from anchor to positive", decimal=True)
FAR = Sym("d", sub="i", sup="n", meaning="squared distance from anchor to negative", decimal=True)


def _triplet_rows(ctx: Context) -> Sequence[Row]:
    rows: list[Row] = []
    triplets = ctx.data
    wrong = isinstance(triplets, str | dict | Counts | Cases) or getattr(triplets, "ndim", 1) == 0
    if wrong or not hasattr(triplets, "__iter__"):
        raise ValueError(
            f"triplet_loss takes a list of (anchor, positive, negative) vectors, "
            f"not {shorten(triplets)}"
        )
    for place, triplet in enumerate(triplets, 1):
        where = f"triplet {place}"
        try:
            if any(isinstance(vector, str | bytes) or not len(vector) for vector in triplet):
                raise TypeError
            vectors = [[exact(x, f"a coordinate in {where}") for x in vector] for vector in triplet]
        except TypeError:
            raise ValueError(f"{where} must hold three vectors of numbers") from None
        if len(vectors) != 3 or len({len(vector) for vector in vectors}) != 1:
            raise ValueError(
                f"{where} must be (anchor, positive, negative), three vectors of one length"
            )
        anchor, near, far = vectors
        values = {NEAR: _squared_distance(anchor, near), FAR: _squared_distance(anchor, far)}
        rows.append(Row(values, (str(place),)))
    if not rows:
        raise ValueError("there are no triplets")
    return rows


def _squared_distance(left: list[Fraction], right: list[Fraction]) -> Fraction:
    return sum(((a - b) ** 2 for a, b in zip(left, right, strict=True)), Fraction(0))


N_TRIPLETS = Sym(
    "N", meaning="number of triplets", find=lambda ctx: Fraction(len(ctx.rows(TRIPLETS)))
)
TRIPLETS: Family = Family(
    "triplets", "i", Num(Fraction(1)), N_TRIPLETS, _triplet_rows, ("triplet",)
)
