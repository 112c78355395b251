"""Slow, obvious definitions of the performance measures of binary classifiers.

Every function is written straight from its definition, in the most naive way: loops over all
pairs, one threshold after another, one position after another. Nothing here is fast and nothing
uses an identity between measures, so that each definition can serve as the oracle of a fast one.

Conventions
- Values are exact (Fraction); roots and logarithms are floats computed from exact Fractions.
- A value that does not exist (0/0, x/0, log 0, no positives, ...) raises ZeroDivisionError; a
  parameter that makes no sense (a quota above n, a decile above 10, ...) raises ValueError.
- labels are 0 or 1, scores are Fractions, and a high score means positive.
- A cut never splits tied scores: it calls positive every case that scores at least some value,
  or no case at all.
- Measures that go position by position use t[k] = m2/m1: m1 cases can stand at position k, of
  which m2 are positive (Arbel & Rokach, Eq. 4 and 5).
Equation numbers: "B" is Berrar, "M" Murphy, "A" Arbel & Rokach, "S" Sonnenburg.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

Number = int | Fraction
Value = Fraction | float
Labels = Sequence[int]
Scores = Sequence[Number]
Weights = Sequence[Number]
Point = tuple[Fraction, Fraction]
Vector = Sequence[Number]

EPSILON = Fraction(1, 10**5)


def _ratio(a: Number, b: Number) -> Fraction:
    """a / b, exactly; ZeroDivisionError if b = 0."""
    return Fraction(a) / Fraction(b)


def _sum(terms: Sequence[Number]) -> Fraction:
    """The exact sum of a list."""
    total = Fraction(0)
    for term in terms:
        total = total + Fraction(term)
    return total


def _log(x: Number, base: float | Number) -> float:
    """log_base(x); ZeroDivisionError at x = 0."""
    if x == 0:
        raise ZeroDivisionError("log of 0")
    if base == 2:
        return math.log2(x)
    if base == math.e:
        return math.log(x)
    return math.log(x) / math.log(base)


# --------------------------------------------------------------------------------------------------
# Counts: the 2 x 2 table
# --------------------------------------------------------------------------------------------------


def accuracy(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """(TP + TN) / (TP + FP + FN + TN)   (B1, M10, S)."""
    return _ratio(tp + tn, tp + fp + fn + tn)


def error_rate(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """(FP + FN) / (TP + FP + FN + TN)   (B2, S)."""
    return _ratio(fp + fn, tp + fp + fn + tn)


def sensitivity(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """TP / (TP + FN)   (B3, M6, S)."""
    return _ratio(tp, tp + fn)


def specificity(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """TN / (FP + TN)   (B4, M9, S)."""
    return _ratio(tn, fp + tn)


def precision(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """TP / (TP + FP)   (B5, M11, S)."""
    return _ratio(tp, tp + fp)


def negative_predictive_value(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """TN / (TN + FN)   (B6, S)."""
    return _ratio(tn, tn + fn)


def false_discovery_rate(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """FP / (FP + TP)   (B7, S)."""
    return _ratio(fp, fp + tp)


def false_omission_rate(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """FN / (FN + TN)   (S: the negative false discovery rate)."""
    return _ratio(fn, fn + tn)


def false_positive_rate(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """FP / (FP + TN)   (M7, S)."""
    return _ratio(fp, fp + tn)


def false_negative_rate(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """FN / (FN + TP)   (M8, S)."""
    return _ratio(fn, fn + tp)


def prevalence(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """(TP + FN) / (TP + FP + FN + TN)."""
    return _ratio(tp + fn, tp + fp + fn + tn)


def predicted_positive_rate(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """(TP + FP) / (TP + FP + FN + TN)."""
    return _ratio(tp + fp, tp + fp + fn + tn)


def youden_index(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """sensitivity + specificity - 1   (B8)."""
    return _ratio(tp, tp + fn) + _ratio(tn, fp + tn) - 1


def positive_likelihood_ratio(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """sensitivity / (1 - specificity)   (B9)."""
    return _ratio(tp, tp + fn) / (1 - _ratio(tn, fp + tn))


def negative_likelihood_ratio(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """(1 - sensitivity) / specificity   (B10)."""
    return (1 - _ratio(tp, tp + fn)) / _ratio(tn, fp + tn)


def diagnostic_odds_ratio(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """(TP TN) / (FP FN)."""
    return _ratio(tp * tn, fp * fn)


def balanced_accuracy(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """(sensitivity + specificity) / 2   (B11)."""
    return (_ratio(tp, tp + fn) + _ratio(tn, fp + tn)) / 2


def balanced_error_rate(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """1/2 (FN / (FN + TP) + FP / (FP + TN))   (S)."""
    return Fraction(1, 2) * (_ratio(fn, fn + tp) + _ratio(fp, fp + tn))


def f_measure(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """2 TP / (2 TP + FP + FN)   (S; B12 and M12 wherever those exist)."""
    return _ratio(2 * tp, 2 * tp + fp + fn)


def f_beta(tp: Number, fp: Number, fn: Number, tn: Number, beta: Number = 1) -> Fraction:
    """(1 + beta^2) TP / ((1 + beta^2) TP + beta^2 FN + FP)   (B13 in counts)."""
    b2 = Fraction(beta) * Fraction(beta)
    return _ratio((1 + b2) * tp, (1 + b2) * tp + b2 * fn + fp)


def f_alpha(
    tp: Number, fp: Number, fn: Number, tn: Number, alpha: Number = Fraction(1, 2)
) -> Fraction:
    """TP / (alpha (TP + FP) + (1 - alpha) (TP + FN))   (M13 in counts)."""
    a = Fraction(alpha)
    return _ratio(tp, a * (tp + fp) + (1 - a) * (tp + fn))


def g_measure(tp: Number, fp: Number, fn: Number, tn: Number) -> float:
    """sqrt(precision * recall)   (B14)."""
    return math.sqrt(_ratio(tp, tp + fp) * _ratio(tp, tp + fn))


def matthews_correlation(tp: Number, fp: Number, fn: Number, tn: Number) -> float:
    """(TP TN - FP FN) / sqrt((TP + FN) (TP + FP) (TN + FP) (TN + FN))   (B15)."""
    product = Fraction((tp + fn) * (tp + fp) * (tn + fp) * (tn + fn))
    if product == 0:
        raise ZeroDivisionError("a margin of the table is 0")
    return float(Fraction(tp * tn - fp * fn)) / math.sqrt(product)


def lift(tp: Number, fp: Number, fn: Number, tn: Number, prior: Number | None = None) -> Fraction:
    """precision / prior, the prior being (TP + FN) / n by default   (B16)."""
    if prior is None:
        prior = _ratio(tp + fn, tp + fp + fn + tn)
    return _ratio(tp, tp + fp) / Fraction(prior)


def gain(tp: Number, fp: Number, fn: Number, tn: Number, prior: Number | None = None) -> Fraction:
    """TP - prior (TP + FP), the prior being (TP + FN) / n by default   (B, Definition 16)."""
    if prior is None:
        prior = _ratio(tp + fn, tp + fp + fn + tn)
    return Fraction(tp) - Fraction(prior) * Fraction(tp + fp)


def expected_cost(
    tp: Number, fp: Number, fn: Number, tn: Number, cost_fp: Number = 1, cost_fn: Number = 1
) -> Fraction:
    """(cost_fp FP + cost_fn FN) / n."""
    return _ratio(Fraction(cost_fp) * fp + Fraction(cost_fn) * fn, tp + fp + fn + tn)


def cohens_kappa(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """(P_0 - P_e) / (1 - P_e)   (B26), P_0 the accuracy and P_e the chance agreement.

    P_e = (TP + FP)/n (TP + FN)/n + (FN + TN)/n (FP + TN)/n   (B27).
    """
    n = tp + fp + fn + tn
    p_0 = _ratio(tp + tn, n)
    p_e = _ratio(tp + fp, n) * _ratio(tp + fn, n) + _ratio(fn + tn, n) * _ratio(fp + tn, n)
    return (p_0 - p_e) / (1 - p_e)


def weighted_relative_accuracy(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """TP/n - (TP + FP)/n (TP + FN)/n, which is P(y^ = 1) (precision - prevalence)."""
    n = tp + fp + fn + tn
    return _ratio(tp, n) - _ratio(tp + fp, n) * _ratio(tp + fn, n)


def markedness(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """precision + negative predictive value - 1."""
    return _ratio(tp, tp + fp) + _ratio(tn, tn + fn) - 1


def jaccard(tp: Number, fp: Number, fn: Number, tn: Number) -> Fraction:
    """TP / (TP + FP + FN)."""
    return _ratio(tp, tp + fp + fn)


def mutual_information(
    tp: Number, fp: Number, fn: Number, tn: Number, base: float | Number = math.e
) -> float:
    """Sum over y^, y of p(y^, y) log(p(y^, y) / (p(y^) p(y)))   (M16); 0 log 0 is 0."""
    n = tp + fp + fn + tn
    cells = {(1, 1): tp, (1, 0): fp, (0, 1): fn, (0, 0): tn}
    terms = []
    for (called, truth), count in cells.items():
        p = _ratio(count, n)
        p_called = _sum([_ratio(cells[called, other], n) for other in (0, 1)])
        p_truth = _sum([_ratio(cells[other, truth], n) for other in (0, 1)])
        if p != 0:
            terms.append(float(p) * _log(p / (p_called * p_truth), base))
    return math.fsum(terms)


COUNTS: dict[str, Callable[..., Value]] = {
    "accuracy": accuracy,
    "error_rate": error_rate,
    "sensitivity": sensitivity,
    "specificity": specificity,
    "precision": precision,
    "negative_predictive_value": negative_predictive_value,
    "false_discovery_rate": false_discovery_rate,
    "false_omission_rate": false_omission_rate,
    "false_positive_rate": false_positive_rate,
    "false_negative_rate": false_negative_rate,
    "prevalence": prevalence,
    "predicted_positive_rate": predicted_positive_rate,
    "youden_index": youden_index,
    "positive_likelihood_ratio": positive_likelihood_ratio,
    "negative_likelihood_ratio": negative_likelihood_ratio,
    "diagnostic_odds_ratio": diagnostic_odds_ratio,
    "balanced_accuracy": balanced_accuracy,
    "balanced_error_rate": balanced_error_rate,
    "f_measure": f_measure,
    "f_beta": f_beta,
    "f_alpha": f_alpha,
    "g_measure": g_measure,
    "matthews_correlation": matthews_correlation,
    "lift": lift,
    "gain": gain,
    "expected_cost": expected_cost,
    "cohens_kappa": cohens_kappa,
    "weighted_relative_accuracy": weighted_relative_accuracy,
    "markedness": markedness,
    "jaccard": jaccard,
    "mutual_information": mutual_information,
}


# --------------------------------------------------------------------------------------------------
# Scores: what each single score costs
# --------------------------------------------------------------------------------------------------


def _true_class_probability(label: int, score: Number) -> Fraction:
    """p if y = 1, 1 - p if y = 0."""
    return Fraction(score) if label == 1 else 1 - Fraction(score)


def _surprise(label: int, score: Number, base: float | Number, epsilon: Number) -> float:
    """-(y log p + (1 - y) log(1 - p)); a logarithm's argument of exactly 0 becomes epsilon."""
    argument = _true_class_probability(label, score)
    if argument == 0:
        argument = Fraction(epsilon)
    return -_log(argument, base)


def mean_absolute_error(labels: Labels, scores: Scores) -> Fraction:
    """(1/n) Sum |y_i - p_i|   (B17)."""
    terms = [abs(y - Fraction(p)) for y, p in zip(labels, scores, strict=True)]
    return _sum(terms) / len(terms)


def brier_score(labels: Labels, scores: Scores) -> Fraction:
    """(1/n) Sum (y_i - p_i)^2   (B18)."""
    terms = [(y - Fraction(p)) * (y - Fraction(p)) for y, p in zip(labels, scores, strict=True)]
    return _sum(terms) / len(terms)


def root_mean_square_error(labels: Labels, scores: Scores) -> float:
    """sqrt((1/n) Sum (y_i - p_i)^2)   (B19)."""
    terms = [(y - Fraction(p)) * (y - Fraction(p)) for y, p in zip(labels, scores, strict=True)]
    return math.sqrt(_sum(terms) / len(terms))


def log_loss(
    labels: Labels, scores: Scores, base: float | Number = 2, epsilon: Number = EPSILON
) -> float:
    """-(1/n) Sum [y_i log p_i + (1 - y_i) log(1 - p_i)], log 0 read as log epsilon   (B20)."""
    terms = [_surprise(y, p, base, epsilon) for y, p in zip(labels, scores, strict=True)]
    return math.fsum(terms) / len(terms)


def balanced_cross_entropy(
    labels: Labels,
    scores: Scores,
    alpha: Number | None = None,
    base: float | Number = 2,
    epsilon: Number = EPSILON,
) -> float:
    """-(1/n) Sum [y alpha log p + (1 - y) (1 - alpha) log(1 - p)], alpha = n_-/n   (B21)."""
    if alpha is None:
        alpha = _ratio(sum(1 for y in labels if y == 0), len(labels))
    terms = []
    for y, p in zip(labels, scores, strict=True):
        weight = Fraction(alpha) if y == 1 else 1 - Fraction(alpha)
        # A class without weight adds nothing, even where its logarithm does not exist.
        terms.append(float(weight) * _surprise(y, p, base, epsilon) if weight else 0.0)
    return math.fsum(terms) / len(terms)


def focal_loss(
    labels: Labels,
    scores: Scores,
    gamma: Number = 2,
    alpha: Number | None = None,
    base: float | Number = 2,
    epsilon: Number = EPSILON,
) -> float:
    """-(1/n) Sum alpha_t (1 - p_t)^gamma log p_t   (B22, B23).

    p_t = p if y = 1, else 1 - p; alpha_t = alpha if y = 1, else 1 - alpha; no alpha_t by default.
    """
    terms = []
    for y, p in zip(labels, scores, strict=True):
        p_t = _true_class_probability(y, p)
        factor = float((1 - p_t) ** Fraction(gamma))
        if alpha is not None:
            factor = factor * float(Fraction(alpha) if y == 1 else 1 - Fraction(alpha))
        terms.append(factor * _surprise(y, p, base, epsilon) if factor else 0.0)
    return math.fsum(terms) / len(terms)


def _prior_of_positives(labels: Labels, prior: Number | None) -> Fraction:
    """The given prior, or n_+/n."""
    if prior is not None:
        return Fraction(prior)
    return _ratio(sum(1 for y in labels if y == 1), len(labels))


def information_score(labels: Labels, scores: Scores, prior: Number | None = None) -> float:
    """(1/n) Sum I(x_i), with p_i and p(y_i) of the true class   (B24), in bits.

    I = -log2 p(y_i) + log2 p_i           if p_i >= p(y_i)
        log2(1 - p(y_i)) - log2(1 - p_i)  if p_i < p(y_i)
    """
    positive_prior = _prior_of_positives(labels, prior)
    terms = []
    for y, score in zip(labels, scores, strict=True):
        p = _true_class_probability(y, score)
        p_y = positive_prior if y == 1 else 1 - positive_prior
        if p >= p_y:
            terms.append(-_log(p_y, 2) + _log(p, 2))
        else:
            terms.append(_log(1 - p_y, 2) - _log(1 - p, 2))
    return math.fsum(terms) / len(terms)


def relative_information_score(
    labels: Labels, scores: Scores, prior: Number | None = None
) -> float:
    """((1/n) Sum I(x_i)) / (-Sum_k p(y_k) log2 p(y_k))   (B25); undefined if a prior is 0."""
    average = information_score(labels, scores, prior)
    positive_prior = _prior_of_positives(labels, prior)
    entropy = 0.0
    for p in (positive_prior, 1 - positive_prior):
        if p != 0:
            entropy = entropy - float(p) * _log(p, 2)
    if entropy == 0:
        raise ZeroDivisionError("the prior has no entropy")
    return average / entropy


def hinge_loss(labels: Labels, scores: Scores, scale: Number | None = None) -> Fraction:
    """(1/n) Sum max(0, 1 - y_i s_i), y_i in {-1, 1}   (B44); s = score, or scale (p - 1/2)."""
    terms = []
    for y, score in zip(labels, scores, strict=True):
        s = Fraction(score)
        if scale is not None:
            s = Fraction(scale) * (s - Fraction(1, 2))
        sign = 1 if y == 1 else -1
        terms.append(max(Fraction(0), 1 - sign * s))
    return _sum(terms) / len(terms)


SCORES: dict[str, Callable[..., Value]] = {
    "mean_absolute_error": mean_absolute_error,
    "brier_score": brier_score,
    "root_mean_square_error": root_mean_square_error,
    "log_loss": log_loss,
    "balanced_cross_entropy": balanced_cross_entropy,
    "focal_loss": focal_loss,
    "information_score": information_score,
    "relative_information_score": relative_information_score,
    "hinge_loss": hinge_loss,
}


# --------------------------------------------------------------------------------------------------
# What rankings are made of: cuts (by threshold) and positions
# --------------------------------------------------------------------------------------------------


def cuts(labels: Labels, scores: Scores) -> list[tuple[int, int, int, int]]:
    """(TP, FP, FN, TN) at each distinct threshold, from nothing called positive to everything."""
    thresholds = sorted(set(scores), reverse=True)
    called_sets = [[False for _ in scores]]
    for threshold in thresholds:
        called_sets.append([s >= threshold for s in scores])
    tables = []
    for called in called_sets:
        tp = sum(1 for y, c in zip(labels, called, strict=True) if y == 1 and c)
        fp = sum(1 for y, c in zip(labels, called, strict=True) if y == 0 and c)
        fn = sum(1 for y, c in zip(labels, called, strict=True) if y == 1 and not c)
        tn = sum(1 for y, c in zip(labels, called, strict=True) if y == 0 and not c)
        tables.append((tp, fp, fn, tn))
    return tables


def roc_points(labels: Labels, scores: Scores) -> list[Point]:
    """(FPR, TPR) at each cut, from (0, 0) to (1, 1)."""
    return [(_ratio(fp, fp + tn), _ratio(tp, tp + fn)) for tp, fp, fn, tn in cuts(labels, scores)]


def expected_outcomes(labels: Labels, scores: Scores) -> list[Fraction]:
    """t[1], ..., t[n]: of the m1 cases that can stand at position k, m2 are positive: m2/m1 (A5).

    A case can stand at position k if fewer than k cases score higher than it and at least k cases
    score as high as it or higher.
    """
    outcomes = []
    for k in range(1, len(labels) + 1):
        m1 = 0
        m2 = 0
        for y, s in zip(labels, scores, strict=True):
            higher = sum(1 for other in scores if other > s)
            at_least = sum(1 for other in scores if other >= s)
            if higher < k <= at_least:
                m1 = m1 + 1
                if y == 1:
                    m2 = m2 + 1
        outcomes.append(Fraction(m2, m1))
    return outcomes


def _hits(labels: Labels, scores: Scores, j: int) -> Fraction:
    """Sum_{k <= j} t[k]: the expected number of positives among the j top-ranked cases."""
    if not 0 <= j <= len(labels):
        raise ValueError(f"a quota of {j} among {len(labels)} cases")
    return _sum(expected_outcomes(labels, scores)[:j])


def _positives(labels: Labels) -> int:
    """n_+ ."""
    return sum(1 for y in labels if y == 1)


def _negatives(labels: Labels) -> int:
    """n_- ."""
    return sum(1 for y in labels if y == 0)


# --------------------------------------------------------------------------------------------------
# Ranking
# --------------------------------------------------------------------------------------------------


def auc(labels: Labels, scores: Scores) -> Fraction:
    """P(p_+ > p_-) + 1/2 P(p_+ = p_-) over all pairs of a positive and a negative   (B31)."""
    won = Fraction(0)
    pairs = 0
    for y_a, s_a in zip(labels, scores, strict=True):
        for y_b, s_b in zip(labels, scores, strict=True):
            if y_a == 1 and y_b == 0:
                pairs = pairs + 1
                if s_a > s_b:
                    won = won + 1
                elif s_a == s_b:
                    won = won + Fraction(1, 2)
    return won / pairs


def gini(labels: Labels, scores: Scores) -> Fraction:
    """A / (1/2), A the signed area between the ROC polygon and the diagonal   (B33)."""
    points = roc_points(labels, scores)
    area = Fraction(0)
    for (x_a, y_a), (x_b, y_b) in itertools.pairwise(points):
        under_curve = (y_a + y_b) / 2 * (x_b - x_a)
        under_diagonal = (x_a + x_b) / 2 * (x_b - x_a)
        area = area + under_curve - under_diagonal
    return area / Fraction(1, 2)


def _hull_height(points: Sequence[Point], x: Fraction) -> Fraction:
    """The highest chord between any two of the points, at abscissa x."""
    heights = []
    for x_a, y_a in points:
        for x_b, y_b in points:
            if x_a == x_b == x:
                heights.append(max(y_a, y_b))
            elif x_a <= x <= x_b:
                heights.append(y_a + (y_b - y_a) * (x - x_a) / (x_b - x_a))
    return max(heights)


def auch(labels: Labels, scores: Scores) -> Fraction:
    """Area under the upper convex hull of the ROC points, by trapezoids   (B34)."""
    points = roc_points(labels, scores)
    abscissas = sorted({x for x, _ in points})
    area = Fraction(0)
    for x_a, x_b in itertools.pairwise(abscissas):
        area = area + (_hull_height(points, x_a) + _hull_height(points, x_b)) / 2 * (x_b - x_a)
    return area


def ks(labels: Labels, scores: Scores) -> Fraction:
    """max over the thresholds of |TPR - FPR|   (B35)."""
    return max(abs(tpr - fpr) for fpr, tpr in roc_points(labels, scores))


def taks(labels: Labels, scores: Scores) -> Fraction:
    """(1/(n - 1)) Sum_{j=1}^{n-1} (TPR_j - FPR_j) when the j top-ranked are positive   (B36)."""
    n = len(labels)
    terms = []
    for j in range(1, n):
        tp = _hits(labels, scores, j)
        fp = j - tp
        terms.append(_ratio(tp, _positives(labels)) - _ratio(fp, _negatives(labels)))
    return _sum(terms) / (n - 1)


def max_youden(labels: Labels, scores: Scores) -> Fraction:
    """max over the thresholds of sensitivity + specificity - 1   (B, Definition 8)."""
    return max(youden_index(*table) for table in cuts(labels, scores))


def average_precision(labels: Labels, scores: Scores) -> Fraction:
    """Sum over the distinct thresholds of p(t_i) [r(t_i) - r(t_{i-1})], r(t_0) = 0   (B38)."""
    area = Fraction(0)
    recall_before = Fraction(0)
    for tp, fp, fn, _ in cuts(labels, scores)[1:]:
        recall = _ratio(tp, tp + fn)
        area = area + _ratio(tp, tp + fp) * (recall - recall_before)
        recall_before = recall
    return area


def mean_precision(labels: Labels, scores: Scores) -> Fraction:
    """(1/n) Sum_{j=1}^n of the precision among the j top-ranked   (B, remark in Definition 32)."""
    n = len(labels)
    return _sum([_ratio(_hits(labels, scores, j), j) for j in range(1, n + 1)]) / n


def _precisions_by_recall(labels: Labels, scores: Scores) -> list[tuple[Fraction, list[Fraction]]]:
    """Each distinct recall, ascending, with all precisions seen there; 0 if nothing is called."""
    seen: dict[Fraction, list[Fraction]] = {}
    for tp, fp, fn, _ in cuts(labels, scores):
        value = Fraction(0) if tp + fp == 0 else _ratio(tp, tp + fp)
        seen.setdefault(_ratio(tp, tp + fn), []).append(value)
    return sorted(seen.items())


def aucpr_min(labels: Labels, scores: Scores) -> Fraction:
    """Sum (p_min(t_i) + p_min(t_{i+1}))/2 [r(t_{i+1}) - r(t_i)] over distinct recalls   (B39)."""
    area = Fraction(0)
    for (r_a, p_a), (r_b, p_b) in itertools.pairwise(_precisions_by_recall(labels, scores)):
        area = area + (min(p_a) + min(p_b)) / 2 * (r_b - r_a)
    return area


def aucpr_minmax(labels: Labels, scores: Scores) -> Fraction:
    """Sum (p_min(t_i) + p_max(t_{i+1}))/2 [r(t_{i+1}) - r(t_i)] over distinct recalls   (B40)."""
    area = Fraction(0)
    for (r_a, p_a), (r_b, p_b) in itertools.pairwise(_precisions_by_recall(labels, scores)):
        area = area + (min(p_a) + max(p_b)) / 2 * (r_b - r_a)
    return area


def aucpr_max(labels: Labels, scores: Scores) -> Fraction:
    """Sum (p_max(t_i) + p_max(t_{i+1}))/2 [r(t_{i+1}) - r(t_i)] over distinct recalls   (B41)."""
    area = Fraction(0)
    for (r_a, p_a), (r_b, p_b) in itertools.pairwise(_precisions_by_recall(labels, scores)):
        area = area + (max(p_a) + max(p_b)) / 2 * (r_b - r_a)
    return area


def average_gain(labels: Labels, scores: Scores) -> Fraction:
    """(1/n) Sum_{j=1}^n (hits among the j top-ranked - j n_+/n)   (B28, B29)."""
    n = len(labels)
    terms = []
    for j in range(1, n + 1):
        terms.append(_hits(labels, scores, j) - j * _ratio(_positives(labels), n))
    return _sum(terms) / n


def average_lift(labels: Labels, scores: Scores) -> Fraction:
    """(1/n) Sum_{j=1}^n (precision among the j top-ranked) / (n_+/n)   (B30)."""
    n = len(labels)
    terms = []
    for j in range(1, n + 1):
        terms.append(_ratio(_hits(labels, scores, j), j) / _ratio(_positives(labels), n))
    return _sum(terms) / n


def equal_error_rate(labels: Labels, scores: Scores) -> Fraction:
    """The FPR where the polygon through the ROC points meets FPR = 1 - TPR   (M, Figure 2)."""
    for (x_a, y_a), (x_b, y_b) in itertools.pairwise(roc_points(labels, scores)):
        below = x_a + y_a - 1
        above = x_b + y_b - 1
        if below <= 0 <= above:
            return x_a + (x_b - x_a) * (0 - below) / (above - below)
    raise ZeroDivisionError("the line is never met")


def roc_n(labels: Labels, scores: Scores, n: int | None = None) -> Fraction:
    """(1/(n n_+)) Sum over the first n negatives of the positives above; a tie is 1/2   (S)."""
    negatives = sorted((s for y, s in zip(labels, scores, strict=True) if y == 0), reverse=True)
    if n is None:
        n = len(negatives)
    if not 0 <= n <= len(negatives):
        raise ValueError(f"the first {n} of {len(negatives)} negatives")
    above = Fraction(0)
    for negative in negatives[:n]:
        for y, s in zip(labels, scores, strict=True):
            if y == 1 and s > negative:
                above = above + 1
            elif y == 1 and s == negative:
                above = above + Fraction(1, 2)
    return above / (n * _positives(labels))


RANKING: dict[str, Callable[..., Value]] = {
    "auc": auc,
    "gini": gini,
    "auch": auch,
    "ks": ks,
    "taks": taks,
    "max_youden": max_youden,
    "average_precision": average_precision,
    "mean_precision": mean_precision,
    "aucpr_min": aucpr_min,
    "aucpr_minmax": aucpr_minmax,
    "aucpr_max": aucpr_max,
    "average_gain": average_gain,
    "average_lift": average_lift,
    "equal_error_rate": equal_error_rate,
    "roc_n": roc_n,
}


# --------------------------------------------------------------------------------------------------
# Quota
# --------------------------------------------------------------------------------------------------


def hit_rate(labels: Labels, scores: Scores, top: int) -> Fraction:
    """(Sum_{k <= j} t[k]) / j   (A4)."""
    return _ratio(_hits(labels, scores, top), top)


def qrecall(labels: Labels, scores: Scores, top: int) -> Fraction:
    """(Sum_{k <= j} t[k]) / n_+   (A6)."""
    return _ratio(_hits(labels, scores, top), _positives(labels))


def quota_lift(labels: Labels, scores: Scores, top: int) -> Fraction:
    """HitRate(j) / (n_+/n)."""
    return hit_rate(labels, scores, top) / _ratio(_positives(labels), len(labels))


def decile_lift(labels: Labels, scores: Scores, decile: int = 1) -> Fraction:
    """(share of positives, by t[k], in the d-th tenth of the positions) / (n_+/n)   (A, 2.2.5).

    If 10 does not divide n, the first (n mod 10) tenths hold one position more than the others.
    """
    if not 1 <= decile <= 10:
        raise ValueError(f"decile {decile} is not one of 1..10")
    n = len(labels)
    waiting = expected_outcomes(labels, scores)
    parts = []
    for d in range(1, 11):
        size = n // 10 + (1 if d <= n % 10 else 0)
        parts.append(waiting[:size])
        waiting = waiting[size:]
    part = parts[decile - 1]
    return _ratio(_sum(part), len(part)) / _ratio(_positives(labels), n)


def quota_pearson(labels: Labels, scores: Scores, top: int) -> float:
    """Cov(p, t) / (sigma_p sigma_t) over the first j positions   (A8 to A11)."""
    if not 0 <= top <= len(labels):
        raise ValueError(f"a quota of {top} among {len(labels)} cases")
    p = [Fraction(s) for s in sorted(scores, reverse=True)][:top]
    t = expected_outcomes(labels, scores)[:top]
    p_mean = _sum(p) / top
    t_mean = _sum(t) / top
    p_variance = _sum([(a - p_mean) * (a - p_mean) for a in p]) / top
    t_variance = _sum([(b - t_mean) * (b - t_mean) for b in t]) / top
    covariance = _sum([(a - p_mean) * (b - t_mean) for a, b in zip(p, t, strict=True)]) / top
    if p_variance == 0 or t_variance == 0:
        raise ZeroDivisionError("no variance")
    return float(covariance) / (math.sqrt(p_variance) * math.sqrt(t_variance))


def average_hit_rate(labels: Labels, scores: Scores) -> Fraction:
    """(Sum_{j=1}^n t[j] HitRate(j)) / n_+   (A12)."""
    t = expected_outcomes(labels, scores)
    terms = [t[j - 1] * hit_rate(labels, scores, j) for j in range(1, len(labels) + 1)]
    return _sum(terms) / _positives(labels)


def average_qrecall(labels: Labels, scores: Scores) -> Fraction:
    """(Sum_{j=n_+}^n Qrecall(j)) / (n - (n_+ - 1))   (A13)."""
    n = len(labels)
    n_plus = _positives(labels)
    terms = [qrecall(labels, scores, j) for j in range(n_plus, n + 1)]
    return _sum(terms) / (n - (n_plus - 1))


def pem(labels: Labels, scores: Scores) -> Fraction:
    """(S1 - S2) / S3   (A14), each area summed over j = 1..n as in Arbel & Rokach's Table 5.

    S1: Qrecall(j) above j/n; S2: Qrecall(j) below j/n; S3: Qrecall_opt(j) - j/n, where the optimal
    ranking has all positives at the top.
    """
    n = len(labels)
    n_plus = _positives(labels)
    best = sorted(labels, reverse=True)
    s1 = Fraction(0)
    s2 = Fraction(0)
    s3 = Fraction(0)
    for j in range(1, n + 1):
        model = qrecall(labels, scores, j)
        random = Fraction(j, n)
        optimal = _ratio(sum(best[:j]), n_plus)
        if model > random:
            s1 = s1 + (model - random)
        if model < random:
            s2 = s2 + (random - model)
        s3 = s3 + (optimal - random)
    return (s1 - s2) / s3


QUOTA: dict[str, Callable[..., Value]] = {
    "hit_rate": hit_rate,
    "qrecall": qrecall,
    "quota_lift": quota_lift,
    "decile_lift": decile_lift,
    "quota_pearson": quota_pearson,
    "average_hit_rate": average_hit_rate,
    "average_qrecall": average_qrecall,
    "pem": pem,
}


# --------------------------------------------------------------------------------------------------
# Measures of something else than one list of cases
# --------------------------------------------------------------------------------------------------


def _squared_distance(a: Vector, b: Vector) -> Fraction:
    """||a - b||_2^2."""
    return _sum([(Fraction(u) - Fraction(v)) ** 2 for u, v in zip(a, b, strict=True)])


def triplet_loss(
    triplets: Sequence[tuple[Vector, Vector, Vector]], margin: Number = Fraction(1, 5)
) -> Fraction:
    """Sum max(0, ||a - p||^2 - ||a - n||^2 + margin) over (anchor, positive, negative)   (B42)."""
    terms = []
    for anchor, positive, negative in triplets:
        near = _squared_distance(anchor, positive)
        far = _squared_distance(anchor, negative)
        terms.append(max(Fraction(0), near - far + Fraction(margin)))
    return _sum(terms)


def mean_average_precision(classes: Mapping[object, tuple[Labels, Scores]]) -> Fraction:
    """The arithmetic mean of the average precisions of the classes   (B, after Definition 33)."""
    values = [average_precision(labels, scores) for labels, scores in classes.values()]
    return _sum(values) / len(values)


OTHER: dict[str, Callable[..., Value]] = {
    "triplet_loss": triplet_loss,
    "mean_average_precision": mean_average_precision,
}


# --------------------------------------------------------------------------------------------------
# With a weight for each case (a case of weight 0 is absent)
# --------------------------------------------------------------------------------------------------


def _weighted_cuts(
    labels: Labels, scores: Scores, weights: Weights
) -> list[tuple[Fraction, Fraction, Fraction, Fraction]]:
    """Weights of TP, FP, FN, TN at each distinct threshold that separates cases of weight > 0."""
    cases = [
        (y, Fraction(s), Fraction(w))
        for y, s, w in zip(labels, scores, weights, strict=True)
        if w != 0
    ]
    thresholds: list[Fraction | None] = [None]
    thresholds.extend(sorted({s for _, s, _ in cases}, reverse=True))
    tables = []
    for threshold in thresholds:
        tp = fp = fn = tn = Fraction(0)
        for y, s, w in cases:
            called = threshold is not None and s >= threshold
            if y == 1 and called:
                tp = tp + w
            elif y == 0 and called:
                fp = fp + w
            elif y == 1:
                fn = fn + w
            else:
                tn = tn + w
        tables.append((tp, fp, fn, tn))
    return tables


def _weighted_roc_points(labels: Labels, scores: Scores, weights: Weights) -> list[Point]:
    """(FPR, TPR) at each cut, by weight."""
    tables = _weighted_cuts(labels, scores, weights)
    return [(_ratio(fp, fp + tn), _ratio(tp, tp + fn)) for tp, fp, fn, tn in tables]


def weighted_auc(labels: Labels, scores: Scores, weights: Weights) -> Fraction:
    """Sum w_+ w_- [win 1, tie 1/2] / Sum w_+ w_- over all pairs of a positive and a negative."""
    cases = list(zip(labels, scores, weights, strict=True))
    won = Fraction(0)
    total = Fraction(0)
    for y_a, s_a, w_a in cases:
        for y_b, s_b, w_b in cases:
            if y_a == 1 and y_b == 0:
                pair = Fraction(w_a) * Fraction(w_b)
                total = total + pair
                if s_a > s_b:
                    won = won + pair
                elif s_a == s_b:
                    won = won + pair / 2
    return won / total


def weighted_gini(labels: Labels, scores: Scores, weights: Weights) -> Fraction:
    """A / (1/2), A the signed area between the weighted ROC polygon and the diagonal."""
    area = Fraction(0)
    points = _weighted_roc_points(labels, scores, weights)
    for (x_a, y_a), (x_b, y_b) in itertools.pairwise(points):
        under_curve = (y_a + y_b) / 2 * (x_b - x_a)
        under_diagonal = (x_a + x_b) / 2 * (x_b - x_a)
        area = area + under_curve - under_diagonal
    return area / Fraction(1, 2)


def weighted_ks(labels: Labels, scores: Scores, weights: Weights) -> Fraction:
    """max over the thresholds of |TPR - FPR|, by weight."""
    return max(abs(tpr - fpr) for fpr, tpr in _weighted_roc_points(labels, scores, weights))


def weighted_max_youden(labels: Labels, scores: Scores, weights: Weights) -> Fraction:
    """max over the thresholds of sensitivity + specificity - 1, by weight."""
    return max(youden_index(*table) for table in _weighted_cuts(labels, scores, weights))


def weighted_average_precision(labels: Labels, scores: Scores, weights: Weights) -> Fraction:
    """Sum over the distinct thresholds of precision x (recall step), by weight."""
    tables = _weighted_cuts(labels, scores, weights)
    area = Fraction(0)
    recall_before = sensitivity(*tables[0])
    for tp, fp, fn, _ in tables[1:]:
        recall = _ratio(tp, tp + fn)
        area = area + _ratio(tp, tp + fp) * (recall - recall_before)
        recall_before = recall
    return area


def weighted_mean_absolute_error(labels: Labels, scores: Scores, weights: Weights) -> Fraction:
    """Sum w_i |y_i - p_i| / Sum w_i."""
    terms = []
    for y, p, w in zip(labels, scores, weights, strict=True):
        terms.append(Fraction(w) * abs(y - Fraction(p)))
    return _sum(terms) / _sum(weights)


def weighted_brier_score(labels: Labels, scores: Scores, weights: Weights) -> Fraction:
    """Sum w_i (y_i - p_i)^2 / Sum w_i."""
    terms = []
    for y, p, w in zip(labels, scores, weights, strict=True):
        terms.append(Fraction(w) * (y - Fraction(p)) * (y - Fraction(p)))
    return _sum(terms) / _sum(weights)


def weighted_log_loss(
    labels: Labels,
    scores: Scores,
    weights: Weights,
    base: float | Number = 2,
    epsilon: Number = EPSILON,
) -> float:
    """-Sum w_i [y_i log p_i + (1 - y_i) log(1 - p_i)] / Sum w_i, log 0 read as log epsilon."""
    terms = []
    for y, p, w in zip(labels, scores, weights, strict=True):
        terms.append(float(w) * _surprise(y, p, base, epsilon))
    return math.fsum(terms) / float(_sum(weights))


WEIGHTED: dict[str, Callable[..., Value]] = {
    "auc": weighted_auc,
    "gini": weighted_gini,
    "ks": weighted_ks,
    "max_youden": weighted_max_youden,
    "average_precision": weighted_average_precision,
    "mean_absolute_error": weighted_mean_absolute_error,
    "brier_score": weighted_brier_score,
    "log_loss": weighted_log_loss,
}


# --------------------------------------------------------------------------------------------------
# Rankings to run them on
# --------------------------------------------------------------------------------------------------


def expected_over_rankings(
    f: Callable[[list[int], list[Fraction]], Number], n: int, positives: int
) -> Fraction:
    """The mean of f(labels, scores) over all placements of the positives in a strict ranking.

    The scores are n/(n+1), ..., 1/(n+1), so that they also pass for probabilities.
    """
    scores = [Fraction(n - i, n + 1) for i in range(n)]
    values = []
    for chosen in itertools.combinations(range(n), positives):
        labels = [1 if i in chosen else 0 for i in range(n)]
        values.append(f(labels, scores))
    return _sum(values) / len(values)


def _compositions(n: int) -> Iterator[tuple[int, ...]]:
    """All ways to write n as an ordered sum of positive integers."""
    if n == 0:
        yield ()
    for first in range(1, n + 1):
        for rest in _compositions(n - first):
            yield (first, *rest)


def all_small_rankings(n_max: int) -> Iterator[tuple[list[int], list[Fraction]]]:
    """(labels, scores) for every weak ordering of 1..n_max labelled cases, each once.

    Two weak orderings are the same if, block by block of tied scores from the top, they hold as
    many positives and as many negatives. Cases come best first, positives first within a block;
    B blocks score B/(B+1), ..., 1/(B+1). Data of one class alone are included.
    """
    for n in range(1, n_max + 1):
        for sizes in _compositions(n):
            for hits in itertools.product(*(range(size + 1) for size in sizes)):
                labels: list[int] = []
                scores: list[Fraction] = []
                for block, (size, positives) in enumerate(zip(sizes, hits, strict=True)):
                    labels.extend([1] * positives + [0] * (size - positives))
                    scores.extend([Fraction(len(sizes) - block, len(sizes) + 1)] * size)
                yield labels, scores
