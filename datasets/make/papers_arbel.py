"""Write papers/arbel.json: every number and checkable claim of Arbel & Rokach, with its verdict.

What the text says stands here by hand, in the paper's order; Tables 2, 3 and 5 are made row by row
and Tables 8 and 9 from arbel_experiments.csv.

RANKINGS. A row of Table 8 or 9 comes from one ranking of the test cases, which is not printed. For
Lung Ca. (11 test cases), Labor (20) and Monks3 (42) few rankings have the printed AUC or PEM and
the printed average hit rate. One number of positives fits all classifiers of a set, and with it
the rankings below are the only ones. They show what the authors computed: the average Qrecall
starts one place too late, and all but the AUC is cut off, not rounded.
"""

import csv
import json
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1]
Json = Any
Row = dict[str, str]

RANKINGS = {
    ("8", "Lung Ca.", "C4.5"): "00111000010",
    ("8", "Lung Ca.", "NB"): "11001000100",
    ("8", "Lung Ca.", "NN"): "01101001000",
    ("9", "Lung Ca.", "C4.5"): "11010000000",
    ("9", "Lung Ca.", "NB"): "10110000000",
    ("9", "Lung Ca.", "NN"): "10101000000",
    ("8", "Labor", "C4.5"): "11111010000000000100",
    ("8", "Labor", "NB"): "11111100100000000000",
    ("9", "Labor", "C4.5"): "10111111111110000001",
    ("9", "Labor", "NB"): "11111111111011000000",
    ("8", "Monks3", "C4.5"): "111111111111111111110000100000000000000000",
    ("9", "Monks3", "C4.5"): "111111111110111111111100000000000000000000",
    ("9", "Monks3", "NN"): "101111111111111111101010001000000000000000",
}
FILE_ORDER = (
    "tied cases keep the order of the file in the lists of both classes, so that each tied pair is "
    "won in one list and lost in the other"
)
CUT_OFF = "the digits are cut off, not rounded"
SHIFTED = "the sum starts at n₊ + 1 and is divided by n₋, not as in Eq. 13; digits are cut off"


# Records --------------------------------------------------------------------------------------


def entry(id: str, place: str, what: str, printed: str, verdict: str, **more: Json) -> Json:
    """A record, without the fields that it does not need."""
    head = {"id": f"arbel-{id}", "place": place, "what": what, "printed": printed}
    return head | {"verdict": verdict} | {k: v for k, v in more.items() if v is not None}


def reproduced(id: str, place: str, what: str, printed: str, compute: Json) -> Json:
    """The computation gives what is printed."""
    return entry(id, place, what, printed, "reproduced", compute=compute)


def erratum(
    id: str,
    place: str,
    what: str,
    printed: str,
    correct: str,
    proof: str,
    compute: Json = None,
    correction: Json = None,
) -> Json:
    """What is printed is wrong; a matter of words if nothing is computed."""
    more = {"compute": compute, "correct": correct, "proof": proof, "correction": correction}
    return entry(id, place, what, printed, "erratum", **more)


def ambiguous(
    id: str, place: str, what: str, printed: str, compute: Json, convention: str, other: Json
) -> Json:
    """What is printed is right under a convention, and not under the other one."""
    more = {"compute": compute, "convention": convention, "other": other}
    return entry(id, place, what, printed, "ambiguous", **more)


def unchecked(
    id: str, place: str, what: str, printed: str, reason: str, compute: Json = None
) -> Json:
    """The paper does not print what it would take to check this; it may satisfy something."""
    return entry(id, place, what, printed, "not checkable", compute=compute, reason=reason)


# Computations ---------------------------------------------------------------------------------


def add(*parts: Json) -> Json:
    """The sum; of one part, that part."""
    return parts[0] if len(parts) == 1 else {"add": list(parts)}


def sub(left: Json, right: Json) -> Json:
    """left - right."""
    return {"subtract": [left, right]}


def mul(*parts: Json) -> Json:
    """The product."""
    return {"multiply": list(parts)}


def div(top: Json, bottom: Json) -> Json:
    """top / bottom."""
    return {"divide": [top, bottom]}


def size(part: Json) -> Json:
    """The absolute value."""
    return {"abs": part}


def square(part: Json) -> Json:
    """The part times itself."""
    return mul(part, part)


def equal(left: Json, right: Json) -> Json:
    """The claim left = right."""
    return {"equal": [left, right]}


def less(left: Json, right: Json) -> Json:
    """The claim left < right."""
    return {"less": [left, right]}


def at_most(left: Json, right: Json) -> Json:
    """The claim left <= right."""
    return {"at_most": [left, right]}


def untrue(claim: Json) -> Json:
    """The claim that another is false."""
    return {"not": claim}


def every(*claims: Json) -> Json:
    """All claims together."""
    return {"all": list(claims)}


def identity(key: str) -> Json:
    """The claim that a proved identity holds."""
    return {"identity": key}


def measure(key: str, data: Json = "arbel_2", /, **params: Json) -> Json:
    """A measure; `part`, `row` and `column` pick from its formula."""
    picks = {name: params.pop(name) for name in ("part", "row", "column") if name in params}
    return {"measure": key, "data": data} | ({"params": params} if params else {}) | picks


def count(name: str, data: Json = "arbel_2", **where: Json) -> Json:
    """TP and its like."""
    return {"count": name, "data": data, **where}


def ranking(labels: str) -> Json:
    """Labels from the top of the list to the bottom, without ties."""
    return {"ranking": labels}


def tied(labels: Sequence[int], scores: Sequence[str]) -> Json:
    """Cases of which some have the same score."""
    return {"labels": list(labels), "scores": list(scores)}


PRINTED = {"printed": True}  # the record's own number


# Sections 1 to 2.2 ----------------------------------------------------------------------------

TABLES = ({"a": 4, "b": 1, "c": 2, "d": 3}, {"a": 13, "b": 5, "c": 11, "d": 7})
EQ_1 = (
    ("accuracy", "ad", "abcd"),
    ("error_rate", "bc", "abcd"),
    ("precision", "d", "bd"),
    ("sensitivity", "d", "cd"),
    ("false_positive_rate", "b", "ab"),
    ("specificity", "a", "ab"),
    ("false_negative_rate", "c", "cd"),
)
TOP_ONE_THEN_TIE = tied([1, 1, 0, 0], ["0.9", "0.5", "0.5", "0.5"])
LABELS = (1, 0, 1, 1, 0, 0, 1, 0, 0, 0)
SCORES = ("0.45", "0.34", "0.32", "0.26", "0.15", "0.14", "0.09", "0.07", "0.06", "0.03")


def counts(table: dict[str, int]) -> Json:
    """Table 1 as data: rows are the truth, negative first."""
    return {"counts": [table["d"], table["b"], table["c"], table["a"]]}


def sum_of(letters: str, table: dict[str, int]) -> Json:
    """a + d and its like."""
    return add(*(table[letter] for letter in letters))


def on_tables(key: str, top: str, bottom: str) -> Json:
    """The claim that a measure is a ratio of cells of Table 1."""
    return every(
        *(equal(measure(key, counts(t)), div(sum_of(top, t), sum_of(bottom, t))) for t in TABLES)
    )


def spelled(letters: str) -> str:
    """ "ad" as (a+d)."""
    return letters if len(letters) == 1 else f"({'+'.join(letters)})"


def unlimited() -> Iterator[Json]:
    """Sections 1 and 2.1."""
    yield unchecked(
        "sec1-passengers",
        "Section 1",
        "passengers that can be searched before a flight",
        "20",
        "The number is chosen for the sake of an example.",
    )
    cells = {"A": "tn", "B": "fp", "C": "fn", "D": "tp"}
    layout = (equal(count(cells[x], counts(t)), t[x.lower()]) for x in cells for t in TABLES)
    yield reproduced(
        "tab1-layout",
        "Table 1",
        "the cells are true and false negatives and positives, real classes in rows",
        "A, B; C, D",
        every(*layout),
    )
    for key, top, bottom in EQ_1:
        name = key.replace("_", "-")
        printed = f"{spelled(top)}/{spelled(bottom)}"
        what = f"{key.replace('_', ' ')} by the cells of Table 1"
        yield reproduced(f"eq1-{name}", "Eq. 1", what, printed, on_tables(key, top, bottom))
    first = counts(TABLES[0])
    yield reproduced(
        "sec21-complement",
        "Section 2.1",
        "accuracy and misclassification rate complement each other",
        "misclassification rate = 1 − accuracy",
        equal(measure("error_rate", first), sub(1, measure("accuracy", first))),
    )
    lazy = {"counts": [0, 0, 1, 99]}
    yield reproduced(
        "sec21-majority",
        "Section 2.1",
        "with rare positives, calling all cases negative has a good accuracy and finds none",
        "good accuracy",
        every(equal(measure("accuracy", lazy), "0.99"), equal(measure("sensitivity", lazy), 0)),
    )


def known_quota() -> Iterator[Json]:
    """Section 2.2."""
    for number, key, bottom in ((2, "precision", 3), (3, "sensitivity", 4)):
        name = {2: "precision", 3: "recall"}[number]
        yield reproduced(
            f"eq{number}",
            f"Eq. {number}",
            f"{name} above the threshold 0.26: 2 of the cases in Table 2 out of {bottom}",
            f"{name.capitalize()}(t)",
            equal(measure(key, "arbel_2", at="0.26"), div(2, bottom)),
        )
    half = {"case": "2", "data": tied([1, 0], ["0.9", "0.5"]), "field": "called", "at": "0.5"}
    yield reproduced(
        "sec221-threshold",
        "Section 2.2.1",
        "a score must be higher than the usual threshold; one equal to it is called negative",
        "0.5",
        every(equal(half, 0)),
    )
    above, below = ({"data": TOP_ONE_THEN_TIE, "at": at} for at in ("0.6", "0.4"))
    grown = [add({"count": "tp"} | where, {"count": "fp"} | where) for where in (above, below)]
    yield reproduced(
        "sec221-steps",
        "Section 2.2.1",
        "where scores are tied, the size of the quota jumps by more than one",
        "not by one",
        less(1, sub(grown[1], grown[0])),
    )
    corner = [{"curve": "roc", "data": "arbel_3", "cut": 4, "axis": axis} for axis in "xy"]
    yield ambiguous(
        "sec222-ideal",
        "Section 2.2.2",
        "ideal point of the ROC plane",
        "(0,100)",
        every(equal(mul(100, corner[0]), 0), equal(mul(100, corner[1]), 100)),
        "both axes are in percent",
        every(equal(corner[0], 0), equal(corner[1], 100)),
    )
    yield reproduced(
        "sec222-hull",
        "Section 2.2.2",
        "the convex hull lies nowhere below the ROC curve, and on Table 2 it lies above",
        "more towards the north-west",
        less(measure("auc"), measure("auch")),
    )
    yield reproduced(
        "eq4",
        "Eq. 4",
        "hit rate: positives among the first j, divided by j, at all ten quotas of Table 2",
        "Σ t / j",
        every(
            *(equal(measure("hit_rate", top=j), div(count("tp", top=j), j)) for j in range(1, 11))
        ),
    )
    step = sub(
        mul(2, measure("hit_rate", TOP_ONE_THEN_TIE, top=2)),
        measure("hit_rate", TOP_ONE_THEN_TIE, top=1),
    )
    yield reproduced(
        "eq5",
        "Eq. 5",
        "expected label of a place that three tied cases share, one of them positive",
        "m₂/m₁",
        equal(step, "1/3"),
    )
    yield reproduced(
        "sec223-sum",
        "Section 2.2.3",
        "the expected labels of all places add up to the number of positives, tied or not",
        "Σ t = n₊",
        every(
            *(
                equal(mul(n, measure("hit_rate", data, top=n)), count("positives", data))
                for n, data in ((4, TOP_ONE_THEN_TIE), (10, "arbel_2"))
            )
        ),
    )
    yield erratum(
        "sec223-precision",
        "Section 2.2.3",
        "hit rate at quota j against precision at the j-th score as threshold",
        "HitRate(j) ≈ Precision(p[j]), equal where the place is unique",
        "HitRate(j − 1) = Precision(p[j]) without ties; HitRate(j) with the rule ≥",
        "Eq. 2 counts scores greater than the threshold, so the j-th case itself is left out: "
        "in Table 2, j = 2, the precision above 0.34 is 1, the hit rate 1/2.",
        equal(measure("hit_rate", top=2), measure("precision", "arbel_2", at="0.34")),
        every(
            equal(measure("hit_rate", top=1), measure("precision", "arbel_2", at="0.34")),
            equal(
                measure("hit_rate", top=2), measure("precision", "arbel_2", at="0.34", rule=">=")
            ),
        ),
    )
    yield reproduced(
        "eq6",
        "Eq. 6",
        "Qrecall: positives among the first j, divided by all positives, at all quotas of Table 2",
        "Σ t / n₊",
        every(
            *(equal(measure("qrecall", top=j), div(count("tp", top=j), 4)) for j in range(1, 11))
        ),
    )
    yield reproduced(
        "eq7",
        "Eq. 7",
        "the number of real positives; in Table 2 there are four",
        "n₊",
        equal(count("positives"), 4),
    )
    yield ambiguous(
        "sec224-classified",
        "Section 2.2.4",
        "n₊ is said to count the cases classified as positive",
        "classified as positive",
        equal(count("positives"), 4),
        "the real class is meant, as Eq. 7 has it",
        equal(add(count("tp", at="0.5"), count("fp", at="0.5")), 4),
    )
    yield reproduced(
        "sec225-lift",
        "Section 2.2.5",
        "lift of a part of the list: its share of positives relative to that of all cases",
        "decile ratio / average ratio",
        every(
            *(
                equal(
                    measure("decile_lift", decile=k),
                    div({"case": str(k), "data": "arbel_2", "field": "label"}, "0.4"),
                )
                for k in range(1, 11)
            )
        ),
    )
    lifts = [measure("decile_lift", "arbel_3", decile=k) for k in (1, 4, 5, 10)]
    yield reproduced(
        "sec225-good",
        "Section 2.2.5",
        "a good model has a lift above 1 in the top tenths and below 1 in the last, as Table 3 has",
        "greater than 1, smaller than 1",
        every(less(1, lifts[0]), less(1, lifts[1]), less(lifts[2], 1), less(lifts[3], 1)),
    )
    yield from pearson()


def pearson() -> Iterator[Json]:
    """Section 2.2.6, on the whole of Table 2."""
    place = "Section 2.2.6"
    scores = [{"case": str(k), "data": "arbel_2", "field": "score"} for k in range(1, 11)]
    top = [scores[k - 1] for k in (1, 3, 4, 7)]
    part = {
        name: measure("quota_pearson", "arbel_2", top=10, part=name)
        for name in ("p̄", "t̄", "Cov", "σ_p", "σ_t")
    }
    yield reproduced(
        "sec226-range",
        place,
        "the correlation lies between −1 and 1 and reaches both",
        "−1, 1",
        every(
            equal(measure("quota_pearson", tied([1, 0], ["0.9", "0.1"]), top=2), 1),
            equal(measure("quota_pearson", tied([0, 1], ["0.9", "0.1"]), top=2), -1),
        ),
    )
    other = tied([1, 0, 1], ["0.9", "0.8", "0.1"]), tied([1, 0, 1], ["0.9", "0.2", "0.1"])
    yield reproduced(
        "sec226-values",
        place,
        "the correlation depends on the scores, not only on their order",
        "ordinal place and value",
        untrue(equal(*(measure("quota_pearson", data, top=3) for data in other))),
    )
    yield reproduced(
        "eq8-scores",
        "Eq. 8",
        "variance of the scores: mean square minus square of the mean",
        "σ_p(j)",
        equal(square(part["σ_p"]), sub(div(add(*map(square, scores)), 10), square(part["p̄"]))),
    )
    yield reproduced(
        "eq8-labels",
        "Eq. 8",
        "variance of the labels, four of ten positive",
        "σ_t(j)",
        equal(square(part["σ_t"]), mul("0.4", "0.6")),
    )
    yield reproduced(
        "eq9-scores",
        "Eq. 9",
        "mean score in the quota",
        "p̄(j)",
        equal(part["p̄"], div(add(*SCORES), 10)),
    )
    yield reproduced(
        "eq9-labels",
        "Eq. 9",
        "the mean label in the quota is the hit rate",
        "t̄(j) = HitRate(j)",
        every(
            *(
                equal(
                    measure("quota_pearson", "arbel_2", top=j, part="t̄"), measure("hit_rate", top=j)
                )
                for j in range(2, 11)
            )
        ),
    )
    yield reproduced(
        "eq10",
        "Eq. 10",
        "covariance: mean product minus product of the means",
        "Cov(j)",
        equal(part["Cov"], sub(div(add(*top), 10), mul(part["p̄"], part["t̄"]))),
    )
    yield reproduced(
        "eq11",
        "Eq. 11",
        "the correlation times both deviations is the covariance",
        "ρ(j)",
        equal(
            mul(measure("quota_pearson", "arbel_2", top=10), part["σ_p"], part["σ_t"]), part["Cov"]
        ),
    )


# Section 2.3 ----------------------------------------------------------------------------------


def unknown_quota() -> Iterator[Json]:
    """Sections 2.3 to 2.3.3."""
    for number, line in enumerate(("below 0.2", "0.2 to 0.4", "0.4 to 0.9", "0.9 to 1"), 1):
        yield unchecked(
            f"fig4-{number}",
            "Figure 4",
            "stretch of the false positive rate in which one model is best",
            line,
            "The curves are drawn without their data.",
        )
    twice = list(zip(LABELS, SCORES, strict=True))
    twice += [pair for pair in twice if pair[0] == 0]
    yield reproduced(
        "sec231-prior",
        "Section 2.3.1",
        "the AUC of Table 2 stays the same when every negative is counted twice",
        "independent of prior probabilities",
        equal(measure("auc"), measure("auc", tied(*zip(*twice, strict=True)))),
    )
    yield unchecked(
        "sec231-training",
        "Section 2.3.1",
        "the AUC is said not to depend on the imbalance of the training set",
        "does not depend",
        "A model trained on other data ranks differently; no training data are printed.",
    )
    yield reproduced(
        "sec232-optimal",
        "Section 2.3.2",
        "average hit rate when all positives are on top",
        "1",
        measure("average_hit_rate", "arbel_3"),
    )
    yield reproduced(
        "eq12",
        "Eq. 12",
        "average hit rate: the hit rates at the positives of Table 2, averaged",
        "Σ t·HitRate / n₊",
        equal(
            measure("average_hit_rate"),
            div(add(*(measure("hit_rate", top=j) for j in (1, 3, 4, 7))), 4),
        ),
    )
    yield reproduced(
        "eq12-ap",
        "Eq. 12",
        "without ties this is average precision",
        "AverageHitRate",
        identity("average_hit_rate_is_ap"),
    )
    yield reproduced(
        "sec232-negatives",
        "Section 2.3.2",
        "hit rates at the places of negatives do not count",
        "ignored",
        every(*(equal(measure("average_hit_rate", row=j), 0) for j in (2, 5, 6, 8, 9, 10))),
    )
    yield error_type("sec232-type2", "Section 2.3.2", "accepting a negative", "Type II", "FP")
    yield error_type("sec233-type1", "Section 2.3.3", "rejecting a positive", "Type I", "FN")
    yield reproduced(
        "eq13",
        "Eq. 13",
        "average Qrecall: the Qrecalls of Table 2 from place n₊ = 4 on, averaged",
        "Σ Qrecall / (n − (n₊ − 1))",
        equal(
            measure("average_qrecall"),
            div(add(*(measure("qrecall", top=j) for j in range(4, 11))), 7),
        ),
    )


def error_type(id: str, place: str, what: str, printed: str, kind: str) -> Json:
    """Type I and II under each other's name."""
    first = counts(TABLES[0])
    wrong, right = ("false_negative_rate", "false_positive_rate")
    if kind == "FN":
        wrong, right = right, wrong
    rate = div(1, 5) if kind == "FP" else div(2, 5)
    return erratum(
        id,
        place,
        f"name of the error of {what}",
        printed,
        "Type I" if kind == "FP" else "Type II",
        "A false positive is the Type I error and a false negative the Type II error when "
        "“negative” is the null hypothesis, as Berrar and Murphy have it; here they are exchanged.",
        equal(measure(wrong, first), rate),
        equal(measure(right, first), rate),
    )


def list_table(
    number: int,
    data: str,
    hit_rates: Sequence[str],
    qrecalls: Sequence[str],
    averages: tuple[str, str],
) -> Iterator[Json]:
    """Table 2 or 3; the place is the number of scores that are not lower."""
    for j, (score, qrecall, hit_rate) in enumerate(
        zip(SCORES, qrecalls, hit_rates, strict=True), 1
    ):
        stem, place = f"tab{number}-r{j:02}", f"Table {number}, row {j}"
        yield from given_cells(stem, place, data, j, score)
        of = f"of the first {j}"
        value = measure("qrecall", data, top=j)
        yield reproduced(f"{stem}-qrecall", place, f"Qrecall {of}", qrecall, value)
        value = measure("hit_rate", data, top=j)
        yield reproduced(f"{stem}-hit-rate", place, f"hit rate {of}", hit_rate, value)
    for key, printed in zip(("average_qrecall", "average_hit_rate"), averages, strict=True):
        name = key.replace("_", " ")
        place = f"Table {number}, last row"
        yield reproduced(
            f"tab{number}-{key.replace('_', '-')}", place, name, printed, measure(key, data)
        )


def given_cells(stem: str, place: str, data: str, j: int, score: str) -> Iterator[Json]:
    """Place, probability and label of a case."""
    above = {"at": score, "rule": ">="}
    value = add(count("tp", data, **above), count("fp", data, **above))
    what = "place: how many scores are not lower"
    yield reproduced(f"{stem}-place", place, what, str(j), value)
    # Tables 3 and 5 repeat the probabilities of Table 2.
    value = {"case": str(j), "data": "arbel_2", "field": "score"}
    yield reproduced(f"{stem}-probability", place, "given probability", score, value)
    label = "1" if j in ((1, 3, 4, 7) if data == "arbel_2" else (1, 2, 3, 4)) else "0"
    value = {"case": str(j), "data": data, "field": "label"}
    yield reproduced(f"{stem}-t", place, "given label", label, value)


HIT_RATES_2 = ("1", "0.5", "0.667", "0.75", "0.6", "0.5", "0.571", "0.5", "0.444", "0.4")
HIT_RATES_3 = ("1", "1", "1", "1", "0.8", "0.667", "0.571", "0.5", "0.444", "0.4")
QRECALLS_2 = ("0.25", "0.25", "0.5", "0.75", "0.75", "0.75", "1", "1", "1", "1")
QRECALLS_3 = ("0.25", "0.5", "0.75", "1", "1", "1", "1", "1", "1", "1")


def table_4() -> Iterator[Json]:
    """Table 4, its five rows for both measures."""
    hits = [measure("hit_rate", top=j) for j in range(1, 11)]
    recalls = [measure("qrecall", top=j) for j in range(1, 11)]
    yield reproduced(
        "tab4-hit-rate-monotone",
        "Table 4, row 1",
        "the hit rate falls from place 1 to 2 of Table 2 and rises from 2 to 3",
        "non monotonic",
        every(less(hits[1], hits[0]), less(hits[1], hits[2])),
    )
    yield ambiguous(
        "tab4-qrecall-monotone",
        "Table 4, row 1",
        "Qrecall along the list of Table 2",
        "monotonically increasing",
        every(*(at_most(recalls[j], recalls[j + 1]) for j in range(9))),
        "it never decreases; at a negative it stays",
        less(recalls[0], recalls[1]),
    )
    yield reproduced(
        "tab4-hit-rate-end",
        "Table 4, row 2",
        "the hit rate ends at the share of positives",
        "proportion of positives",
        equal(hits[9], measure("prevalence", "arbel_2", top=10)),
    )
    yield reproduced("tab4-qrecall-end", "Table 4, row 2", "end of Qrecall", "1", recalls[9])
    flips = [
        sub(
            measure("hit_rate", ranking(with_it), top=j),
            measure("hit_rate", ranking(without), top=j),
        )
        for j, with_it, without in ((1, "1010", "0010"), (4, "1011", "1010"))
    ]
    yield reproduced(
        "tab4-hit-rate-sensitivity",
        "Table 4, row 3",
        "a positive instead of a negative changes the hit rate by 1 in place 1, by 1/4 in place 4",
        "less sensitive on going down",
        every(equal(flips[0], 1), equal(flips[1], "1/4")),
    )
    yield reproduced(
        "tab4-qrecall-sensitivity",
        "Table 4, row 3",
        "every positive of Table 2 adds 1/4 to Qrecall, wherever it stands",
        "same sensitivity",
        every(
            equal(recalls[0], "1/4"),
            *(equal(sub(recalls[j - 1], recalls[j - 2]), "1/4") for j in (3, 4, 7)),
        ),
    )
    zeros = [measure("hit_rate", ranking("001"), top=j) for j in (1, 2)]
    yield erratum(
        "tab4-hit-rate-negative",
        "Table 4, row 4",
        "effect of a negative on the hit rate",
        "makes its value decrease",
        "decreases it unless it is 0 already",
        "In the list 0, 0, 1 the hit rate is 0 at the first place and still 0 at the second.",
        less(zeros[1], zeros[0]),
        every(equal(zeros[1], zeros[0]), less(hits[1], hits[0])),
    )
    yield reproduced(
        "tab4-qrecall-negative",
        "Table 4, row 4",
        "a negative leaves Qrecall as it was, at every negative of Table 2",
        "does not affect",
        every(*(equal(recalls[j - 1], recalls[j - 2]) for j in (2, 5, 6, 8, 9, 10))),
    )
    for key, name in (("hit_rate", "hit rate"), ("qrecall", "Qrecall")):
        ends = [measure(key, ranking(labels), top=1) for labels in ("01", "10")]
        yield reproduced(
            f"tab4-{key.replace('_', '-')}-range",
            "Table 4, row 5",
            f"the {name} reaches 0 and 1, and on Table 2 stays between them",
            f"0 ≤ {name} ≤ 1",
            every(
                equal(ends[0], 0),
                equal(ends[1], 1),
                *(at_most(0, measure(key, top=j)) for j in range(1, 11)),
                *(at_most(measure(key, top=j), 1) for j in range(1, 11)),
            ),
        )


def potential() -> Iterator[Json]:
    """Section 2.3.4 up to Eq. 15."""
    place = "Section 2.3.4"
    curve = {"curve": "qrecall", "data": "arbel_2", "axis": "y"}
    chance = [curve | {"cut": j, "series": "random"} for j in range(11)]
    best = [curve | {"cut": j, "series": "optimal"} for j in range(11)]
    yield reproduced(
        "sec234-random",
        place,
        "the Qrecall of a random list grows linearly from 0 to 1",
        "0, 1",
        every(*(equal(chance[j], div(j, 10)) for j in range(11))),
    )
    yield reproduced(
        "sec234-optimal",
        place,
        "the Qrecall of an optimal list grows linearly up to 1 at n₊ and stays there",
        "1",
        every(*(equal(best[j], div(min(j, 4), 4)) for j in range(11))),
    )
    yield reproduced(
        "sec234-figures",
        "Figures 6 and 7",
        "the positives and negatives of the example make up the test set",
        "100",
        add(20, 80),
    )
    yield unchecked(
        "sec234-positives",
        "Figures 6 and 7",
        "positives in the example",
        "20",
        "The numbers are chosen for pictures whose data are not printed.",
    )
    yield unchecked(
        "sec234-negatives",
        "Figures 6 and 7",
        "negatives in the example",
        "80",
        "The numbers are chosen for pictures whose data are not printed.",
    )
    good, bad = measure("pem", "arbel_good"), measure("pem", "arbel_bad")
    yield reproduced(
        "sec234-good-bad",
        place,
        "a good model has more area above the random curve than below, a bad one less; on two "
        "lists of that size",
        "above, below",
        every(
            less(
                measure("pem", "arbel_good", part="S_2"), measure("pem", "arbel_good", part="S_1")
            ),
            less(measure("pem", "arbel_bad", part="S_1"), measure("pem", "arbel_bad", part="S_2")),
            less(0, good),
            less(good, 1),
            less(bad, 0),
        ),
    )
    areas = [measure("pem", "arbel_2", part=f"S_{k}") for k in (1, 2, 3)]
    yield reproduced(
        "eq14",
        "Eq. 14",
        "PEM of Table 2 from the three areas",
        "(S₁ − S₂)/S₃",
        equal(measure("pem"), div(sub(areas[0], areas[1]), areas[2])),
    )
    doubled = list(zip(LABELS, SCORES, strict=True)) * 2
    yield reproduced(
        "sec234-size",
        place,
        "PEM does not depend on the size: with every case of Table 2 doubled it is the same",
        "independent of the number",
        equal(measure("pem"), measure("pem", tied(*zip(*doubled, strict=True)))),
    )
    yield reproduced(
        "sec234-pem-best", place, "PEM of an optimal list", "1", measure("pem", "arbel_3")
    )
    flat = tied([1, 0, 1, 0, 0], ["0.5"] * 5)
    yield reproduced(
        "sec234-pem-random",
        place,
        "PEM when all scores are tied, so that every place has the expected label",
        "0",
        measure("pem", flat),
    )
    yield reproduced(
        "sec234-pem-worst",
        place,
        "PEM with all positives at the bottom",
        "-1",
        measure("pem", ranking("0000001111")),
    )
    yield from eq_15(areas[2])


def eq_15(full: Json) -> Iterator[Json]:
    """The forms of Eq. 15 on Table 2, where n = 10, n₊ = 4, n₋ = 6."""
    recalls = [measure("qrecall", top=j) for j in range(1, 11)]
    chance = [div(j, 10) for j in range(1, 11)]
    middle = div(add(10, 1), 2)
    above = sub(measure("pem", "arbel_2", part="S_1"), measure("pem", "arbel_2", part="S_2"))
    yield reproduced(
        "eq15-form2-top",
        "Eq. 15",
        "second form, numerator: S₁ − S₂ as one sum",
        "Σ (q − j/n)",
        equal(add(*map(sub, recalls, chance)), above),
    )
    yield erratum(
        "eq15-form2-bottom",
        "Eq. 15",
        "second form, denominator",
        "Σ j/n − (n + 1)/2",
        "Σ Qrecall_opt(j) − (n + 1)/2",
        "The sum of j/n is (n + 1)/2, so the printed denominator is always 0; S₃ takes the optimal "
        "Qrecall, and is 3 for Table 2.",
        equal(sub(add(*chance), middle), full),
        equal(
            sub(add(*(measure("qrecall", "arbel_3", top=j) for j in range(1, 11))), middle), full
        ),
    )
    for form in (3, 4):
        yield erratum(
            f"eq15-form{form}-top",
            "Eq. 15",
            f"{'third' if form == 3 else 'last'} form, numerator",
            "Σ (q − (n + 1)/2)",
            "Σ q − (n + 1)/2",
            "The bracket subtracts (n + 1)/2 n times: for Table 2 that gives −191/4, not 7/4.",
            equal(add(*(sub(recall, middle) for recall in recalls)), above),
            equal(sub(add(*recalls), middle), above),
        )
        if form == 3:
            yield erratum(
                "eq15-form3-bottom",
                "Eq. 15",
                "third form, denominator",
                "((n₊ + 1) + n₋)/2 − (n + 1)/2",
                "(n₊ + 1)/2 + n₋ − (n + 1)/2",
                "The optimal Qrecalls add up to (n₊ + 1)/2 + n₋; the printed form is 0 because "
                "n₊ + n₋ = n.",
                equal(sub(div(add(4, 1, 6), 2), middle), full),
                equal(sub(add(div(add(4, 1), 2), 6), middle), full),
            )
    yield reproduced(
        "eq15-form4-bottom",
        "Eq. 15",
        "last form, denominator: S₃ is half the number of negatives",
        "n₋/2",
        equal(div(6, 2), full),
    )
    yield ambiguous(
        "eq15-classified",
        "Eq. 15",
        "n₋ is said to count the cases classified as negative",
        "actually classified as negative",
        equal(count("negatives"), 6),
        "the real class is meant",
        equal(add(count("tn", at="0.5"), count("fn", at="0.5")), 6),
    )


def table_5() -> Iterator[Json]:
    """Table 5: the areas of PEM for the list of Table 2."""
    areas = (
        ("0.1", "0.25", "0.15", "0.15"),
        ("0.2", "0.5", "0.05", "0.3"),
        ("0.3", "0.75", "0.2", "0.45"),
        ("0.4", "1", "0.35", "0.6"),
        ("0.5", "1", "0.25", "0.5"),
        ("0.6", "1", "0.15", "0.4"),
        ("0.7", "1", "0.3", "0.3"),
        ("0.8", "1", "0.2", "0.2"),
        ("0.9", "1", "0.1", "0.1"),
        ("1", "1", "0", "0"),
    )
    for j, (printed, model) in enumerate(zip(areas, QRECALLS_2, strict=True), 1):
        stem, place = f"tab5-r{j:02}", f"Table 5, row {j}"
        yield from given_cells(stem, place, "arbel_2", j, SCORES[j - 1])
        own, chance, best = (
            measure("pem", "arbel_2", row=j, column=column)
            for column in ("Qrecall", "Qrandom", "Qopt")
        )
        cells = (
            ("model", "Qrecall of the model", model, own),
            ("random", "expected Qrecall of a random list", printed[0], chance),
            ("optimal", "Qrecall of an optimal list", printed[1], best),
            ("s1", "height above the random curve", printed[2], {"max": ["0", sub(own, chance)]}),
            ("s2", "depth below the random curve", "0", {"max": ["0", sub(chance, own)]}),
            ("s3", "optimal above random curve", printed[3], sub(best, chance)),
        )
        for name, what, text, value in cells:
            yield reproduced(f"{stem}-{name}", place, what, text, value)
    for k, text in ((1, "1.75"), (2, "0"), (3, "3")):
        value = measure("pem", "arbel_2", part=f"S_{k}")
        yield reproduced(f"tab5-total-s{k}", "Table 5, last row", f"total of S{k}", text, value)


def gini_and_errors() -> Iterator[Json]:
    """The end of Section 2.3.4, and 2.3.5."""
    lorenz = div(mul(2, measure("pem", "arbel_2", part="S_1")), 10)
    yield ambiguous(
        "sec234-gini",
        "Section 2.3.4",
        "PEM and the Gini index are alike, but not the same",
        "somewhat resembles",
        untrue(equal(measure("pem"), lorenz)),
        "The Gini index of a Lorenz curve, which economists use, is n₋/n times PEM: 7/20 against "
        "7/12 in Table 2. The Gini index of the ROC curve is PEM itself, always.",
        untrue(equal(measure("pem"), measure("gini"))),
    )
    gains = (
        equal(
            sub(measure("qrecall", top=j), div(j, 10)),
            mul(div(j, 10), sub(measure("quota_lift", top=j), 1)),
        )
        for j in range(1, 11)
    )
    yield reproduced(
        "sec234-lift",
        "Section 2.3.4",
        "Qrecall minus that of a random list is j/n times the lift above 1, at every quota",
        "expresses the lift",
        every(*gains),
    )
    yield error_type("sec235-type2", "Section 2.3.5", "accepting a negative", "Type 2", "FP")
    yield error_type("sec235-type1", "Section 2.3.5", "leaving out a positive", "Type 1", "FN")
    for name, letters, what in (
        ("rp", "cd", "real positives"),
        ("rn", "ab", "real negatives"),
        ("fn", "c", "positives left out"),
        ("fp", "b", "negatives accepted"),
        ("pp", "bd", "cases called positive"),
    ):
        parts = {"a": "tn", "b": "fp", "c": "fn", "d": "tp"}
        yield reproduced(
            f"sec235-{name}",
            "Section 2.3.5",
            f"{what} by the cells of Table 1",
            spelled(letters),
            every(
                *(
                    equal(add(*(count(parts[x], counts(t)) for x in letters)), sum_of(letters, t))
                    for t in TABLES
                )
            ),
        )
    yield error_type("eq16", "Eq. 16", "f.n/r.p", "α, Type 1", "FN")
    yield error_type("eq17", "Eq. 17", "f.p/r.n", "β, Type 2", "FP")
    yield from chain(18, "precision", "false_discovery_rate", "b", "β·r.n/p.p", "f.p/p.p")
    yield reproduced(
        "eq18-identity",
        "Eq. 18",
        "1 minus the precision is the false discovery rate",
        "1 − precision",
        identity("fdr_is_1_minus_ppv"),
    )
    same = [{"counts": cells} for cells in ([3, 1, 2, 4], [2, 2, 3, 3])]
    other = [{"counts": cells} for cells in ([9, 3, 0, 2], [1, 1, 8, 4])]
    precise, false = (
        [[measure(key, data) for data in pair] for pair in (same, other)]
        for key in ("precision", "false_positive_rate")
    )
    yield ambiguous(
        "eq18-low",
        "Section 2.3.5, after Eq. 18",
        "the higher precision goes with the lower β",
        "high precision leads to a low β",
        every(less(precise[0][1], precise[0][0]), less(false[0][0], false[0][1])),
        "the quotas compared have the same size",
        every(less(precise[1][1], precise[1][0]), less(false[1][0], false[1][1])),
    )
    yield from chain(19, "sensitivity", "false_negative_rate", "c", "α", "f.n/r.p")
    yield reproduced(
        "eq19-low",
        "Section 2.3.5, after Eq. 19",
        "recall and α add up to 1, so a high recall is a low α",
        "high recall leads to a low α",
        identity("fnr_is_1_minus_tpr"),
    )


def chain(number: int, kept: str, lost: str, letter: str, last: str, named: str) -> Iterator[Json]:
    """The links of Eq. 18 or 19 on two tables."""
    both = f"{letter}d"
    forms: dict[str, list[Json]] = {f"1 − d/({letter}+d)": [], f"({letter}+d−d)/({letter}+d)": []}
    forms |= {f"{letter}/({letter}+d)": [], named: [], last: []}
    for t in TABLES:
        data, total = counts(t), sum_of(both, t)
        complement = sub(1, measure(kept, data))
        rate = measure(lost, data)
        if number == 18:
            rate = div(
                mul(measure("false_positive_rate", data), count("negatives", data)),
                add(count("tp", data), count("fp", data)),
            )
        values = (
            sub(1, div(t["d"], total)),
            div(sub(total, t["d"]), total),
            div(t[letter], total),
            div(count("fp" if number == 18 else "fn", data), sum_of(both, t)),
            rate,
        )
        for claims, value in zip(forms.values(), values, strict=True):
            claims.append(equal(complement, value))
    name = "precision" if number == 18 else "recall"
    for place, (printed, claims) in enumerate(forms.items(), 1):
        yield reproduced(
            f"eq{number}-form{place}",
            f"Eq. {number}",
            f"1 − {name}, form {place}",
            printed,
            every(*claims),
        )


# Section 4, the test case ---------------------------------------------------------------------

TABLE_6 = {
    "average hit rate": ("32", "23", "12", "38"),
    "average Qrecall": ("11", "13", "33", "13"),
    "PEM": ("11 and 31", "13 and 25", "12", "26"),
    "Pearson correlation": ("32", "25", "12", "31"),
}
TABLE_7 = {
    "hit-qrecall": ("0.878913", "0.779044", "-0.01978", "0.639342"),
    "hit-pem": ("0.941348", "0.871575", "0.457021", "0.78519"),
    "hit-pearson": ("0.951883", "0.892064", "0.79621", "0.859306"),
    "qrecall-pem": ("0.98482", "0.982845", "0.870869", "0.974288"),
    "qrecall-pearson": ("0.92394", "0.939599", "0.419468", "0.912067"),
    "pem-pearson": ("0.970244", "0.971571", "0.758552", "0.971114"),
}
MARKS_ABSENT = "The marks of the 52 predictions are drawn in Figure 10 but not printed."


def test_case() -> Iterator[Json]:
    """Sections 4 to 4.2."""
    yield erratum(
        "sec4-number",
        "Section 4",
        "number of the section after Section 2",
        "4",
        "3",
        "No section is numbered 3: the text goes from 2.3.5 to 4.",
    )
    private = "The data of the company are not published."
    for id, place, what, printed in (
        ("sec42-missions", "Section 4.2", "data sets, one for each mission", "52"),
        ("sec421-models", "Section 4.2.1", "models that vote, at most", "52"),
        ("sec421-experiments", "Section 4.2.1", "experiments", "4"),
        ("sec421-training", "Section 4.2.1", "training cases", "250"),
        ("sec421-test", "Section 4.2.1", "test cases", "50"),
        ("sec421-ratio", "Section 4.2.1", "share of positives in both sets", "0.2"),
        ("sec421-marks", "Section 4.2.1", "marks for each prediction", "4"),
    ):
        yield unchecked(id, place, what, printed, private)
    yield reproduced(
        "sec421-whole",
        "Section 4.2.1",
        "the share makes whole numbers of positives, 50 and 10, in both sets",
        "0.2",
        every(equal(mul("0.2", 250), 50), equal(mul("0.2", 50), 10)),
    )
    cells = [text for line in TABLE_7.values() for text in line]
    positive = [less(0, text) for text in cells if not text.startswith("-")]
    yield ambiguous(
        "sec422-tendency",
        "Section 4.2.2",
        "all measures are said to rise and fall together",
        "same tendency",
        every(*positive),
        "most of the time: 23 of the 24 correlations in Table 7 are positive",
        every(*(less(0, text) for text in cells)),
    )
    yield reproduced(
        "sec422-maximum",
        "Section 4.2.2",
        "in each experiment of Table 6, two measures reach their maximum at different points",
        "different points",
        every(
            *(
                untrue(equal(hit, qrecall))
                for hit, qrecall in zip(
                    TABLE_6["average hit rate"], TABLE_6["average Qrecall"], strict=True
                )
            )
        ),
    )
    for name, line in TABLE_6.items():
        for number, printed in enumerate(line, 1):
            yield unchecked(
                f"tab6-{name.lower().replace(' ', '-')}-{number}",
                f"Table 6, experiment {number}",
                f"number of models at which the {name} is highest",
                printed,
                MARKS_ABSENT,
            )
    points = [point for line in TABLE_6.values() for text in line for point in text.split(" and ")]
    yield reproduced(
        "tab6-range",
        "Table 6",
        "all points are numbers of models from 1 to 52",
        "1 to 52",
        every(*(every(at_most(1, point), at_most(point, 52)) for point in points)),
    )
    yield unchecked(
        "sec422-highlight",
        "Section 4.2.2",
        "limit above which correlations are highlighted; seven of the 24 exceed it",
        "0.95",
        "The highlighting is not preserved in the text.",
    )
    for key, name in (("qrecall-pem", "average Qrecall"), ("pem-pearson", "Pearson correlation")):
        line = TABLE_7[key]
        high = [less("0.95", text) for text in line]
        yield ambiguous(
            f"sec422-{key}",
            "Section 4.2.2",
            f"PEM and {name} are said to be highly correlated",
            "high correlation",
            every(high[0], high[1], high[3]),
            "above 0.95, the limit for highlighting, in Experiments 1, 2 and 4",
            every(*high),
        )
    for key, line in TABLE_7.items():
        for number, printed in enumerate(line, 1):
            yield unchecked(
                f"tab7-{key}-{number}",
                f"Table 7, experiment {number}",
                f"correlation of the marks by {key.replace('-', ' and ')}",
                printed,
                MARKS_ABSENT,
            )
    for number in (1, 2, 3, 4):
        yield reproduced(
            f"tab7-possible-{number}",
            f"Table 7, experiment {number}",
            "for any three of the four measures, the correlations are possible together: "
            "1 + 2abc − a² − b² − c² is not negative",
            "correlations",
            every(
                *(
                    possible(three, number)
                    for three in combinations(("hit", "qrecall", "pem", "pearson"), 3)
                )
            ),
        )


def possible(three: Sequence[str], experiment: int) -> Json:
    """The claim that the determinant of a correlation matrix is not negative."""
    a, b, c = (TABLE_7[f"{x}-{y}"][experiment - 1] for x, y in combinations(three, 2))
    return at_most(add(square(a), square(b), square(c)), add(1, mul(2, a, b, c)))


# Section 4.3, Tables 8 and 9 ------------------------------------------------------------------

COLUMNS = {"auc": "AUC", "ahr": "average hit rate", "aqr": "average Qrecall", "pem": "PEM"}
FIELDS = {"auc": "auc", "ahr": "average_hit_rate", "aqr": "average_qrecall", "pem": "pem"}
CLASSIFIERS = {"C4.5": "c45", "NB": "nb", "NN": "nn"}


def read_rows() -> list[Row]:
    """The rows of both tables."""
    with (FOLDER / "arbel_experiments.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


ROWS = read_rows()


def slug(row: Row) -> str:
    """The first word of the name: the tables do not always agree on the rest."""
    found = re.match(r"[\w-]+", row["dataset"])
    assert found
    return found.group().lower()


def find(table: str, name: str, classifier: str) -> Row:
    """A row by the slug of its set."""
    keys = (table, name, classifier)
    return next(row for row in ROWS if (row["table"], slug(row), row["classifier"]) == keys)


def partner(row: Row) -> Row:
    """The same set and classifier in the other table."""
    return find("8" if row["table"] == "9" else "9", slug(row), row["classifier"])


def cell(row: Row, column: str) -> Json:
    """A cell as data."""
    keys = {"table": int(row["table"]), "dataset": row["dataset"], "classifier": row["classifier"]}
    return {"experiment": keys, "column": FIELDS.get(column, column)}


def unit(text: str) -> Decimal:
    """One unit of the last printed digit."""
    return Decimal(1).scaleb(-len(text.partition(".")[2]))


def plain(number: Decimal) -> str:
    """A decimal without an exponent."""
    return format(number.normalize(), "f")


def half(text: str) -> Decimal:
    """How far rounding may have moved a number; a 1 stands for exactly 1."""
    return Decimal(0) if text == "1" else unit(text) / 2


def gini(row: Row) -> Json:
    """2 AUC - 1."""
    return sub(mul(2, cell(row, "auc")), 1)


def tolerance(row: Row) -> Decimal:
    """What the rounding of PEM and AUC allows between PEM and 2 AUC - 1."""
    return half(row["pem"]) + 2 * half(row["auc"])


def agreement(row: Row) -> Json:
    """The claim that the printed PEM is 2 AUC - 1 within rounding."""
    return at_most(size(sub(cell(row, "pem"), gini(row))), plain(tolerance(row)))


def agrees(row: Row) -> bool:
    """Whether it is."""
    return abs(Decimal(row["pem"]) - 2 * Decimal(row["auc"]) + 1) <= tolerance(row)


def mean_agreement(row: Row) -> Json:
    """The claim that the PEMs of both classes have the mean 2 AUC - 1 within rounding."""
    other = partner(row)
    slack = (half(row["pem"]) + half(other["pem"])) / 2 + 2 * half(row["auc"])
    mean = div(add(cell(row, "pem"), cell(other, "pem")), 2)
    return at_most(size(sub(mean, gini(row))), plain(slack))


def binary_sets(classifier: str, table: str = "8") -> list[Row]:
    """The rows of the twelve sets with two classes."""
    return [
        row
        for row in ROWS
        if (row["table"], row["classes"], row["classifier"]) == (table, "2", classifier)
    ]


def floor_claim(row: Row, column: str) -> Json:
    """The claim that average Qrecall is not below (1 + PEM)/2, or not below AUC."""
    if column == "auc":
        low, slack = cell(row, "auc"), half(row["auc"])
    else:
        low, slack = div(add(1, cell(row, "pem")), 2), half(row["pem"]) / 2
    slack += half(row["average_qrecall"])
    return at_most(low, add(cell(row, "aqr"), plain(slack)))


def cut_off(value: Json, printed: str) -> Json:
    """The claim that the value begins with the printed digits."""
    return every(at_most(printed, value), less(value, plain(Decimal(printed) + unit(printed))))


def shifted(labels: str) -> Json:
    """Average Qrecall with a sum that starts one place too late."""
    data, positives = ranking(labels), labels.count("1")
    negatives = len(labels) - positives
    total = mul(negatives + 1, measure("average_qrecall", data))
    return div(sub(total, measure("qrecall", data, top=positives)), negatives)


def tail_average(labels: str, start: int) -> Fraction:
    """The mean Qrecall from a place on."""
    found = [labels[:j].count("1") for j in range(start, len(labels) + 1)]
    return Fraction(sum(found), labels.count("1") * len(found))


def rounds_to(value: Fraction, printed: str) -> bool:
    """Whether the value, rounded (no value here is a tie), has the printed digits."""
    return abs(value - Fraction(printed)) < Fraction(unit(printed)) / 2


def experiments() -> Iterator[Json]:
    """Section 4.3 before its tables."""
    for id, place in (("sec41-sets", "Section 4.1"), ("sec431-sets", "Section 4.3.1")):
        rows = [row for row in ROWS if row["classifier"] == "NB"]
        sets = [
            add(
                *(
                    div(cell(row, "instances"), cell(row, "instances"))
                    for row in rows
                    if row["table"] == t
                )
            )
            for t in "89"
        ]
        yield reproduced(
            id,
            place,
            "data sets: each table has one row for each",
            "20",
            every(*(equal(total, 20) for total in sets)),
        )
    yield from split()
    yield from conclusions()
    yield from observations()


def split() -> Iterator[Json]:
    """How the cases are divided: 188 and 98 of the 286 of Breast .Ca."""
    yield ambiguous(
        "sec431-training",
        "Section 4.3.1",
        "share of the training cases; 188 of the 286 of Breast .Ca, as 98 are test cases",
        "2/3",
        every(
            cut_off(PRINTED, "0.66"), at_most(188, mul("0.66", 286)), less(mul("0.66", 286), 189)
        ),
        "66 % are for training, rounded down; two thirds of 286 would be 190 or 191",
        less(size(sub(188, mul(PRINTED, 286))), 1),
    )
    # Of 95 or 96 cases no number is 71.4286 % or 70.4082 %.
    accuracies = ((70, "0.714286"), (69, "0.704082"))
    yield ambiguous(
        "sec431-test",
        "Section 4.3.1",
        "share of the test cases; the accuracies of Breast .Ca are 70 and 69 of 98, of 286 in all",
        "1/3",
        every(
            less(size(sub(div(98, 286), PRINTED)), "0.01"),
            equal(sub(286, 188), 98),
            *(at_most(size(sub(div(k, 98), text)), "0.0000005") for k, text in accuracies),
        ),
        "what 66 %, rounded down, leave is the test set; a third of 286 would be 95 or 96",
        less(size(sub(98, mul(PRINTED, 286))), 1),
    )


def best(rows: Sequence[Row], column: str, winner: str) -> list[Json]:
    """The claims that no classifier is better than the winner."""
    field = FIELDS[column]
    texts = {row["classifier"]: row[field] for row in rows if row[field]}
    return [at_most(text, texts[winner]) for name, text in texts.items() if name != winner]


def winners(rows: Sequence[Row], column: str) -> set[str]:
    """The classifiers with the highest value."""
    field = FIELDS[column]
    values = {row["classifier"]: Decimal(row[field]) for row in rows if row[field]}
    return {name for name, value in values.items() if value == max(values.values())}


def groups() -> list[list[Row]]:
    """The rows of each set in each table."""
    return [ROWS[start : start + 3] for start in range(0, len(ROWS), 3)]


def conclusions() -> Iterator[Json]:
    """The comparison of all measures."""
    claims: list[Json] = []
    agreeing = 0
    for rows in groups():
        columns = [c for c in COLUMNS if all(row[FIELDS[c]] for row in rows)]
        common = set.intersection(*(winners(rows, column) for column in columns))
        agreeing += bool(common)
        if common:
            for column in columns:
                claims += best(rows, column, min(common))
    yield reproduced(
        "sec432-most",
        "Section 4.3.2",
        f"in {agreeing} of the 40 rows of both tables one classifier is best by every measure",
        "most of the cases",
        every(*claims),
    )
    yield erratum(
        "sec432-eq13",
        "Tables 8 and 9",
        "the average Qrecall in both tables against its definition",
        "Σ from j = n₊, divided by n − (n₊ − 1)",
        "Σ from j = n₊ + 1, divided by n₋",
        "For three sets the test size is small enough to try all rankings: in the 13 rows where "
        "the printed AUC or PEM and average hit rate leave only one, the shifted sum gives the "
        "printed average Qrecall and Eq. 13 never does.",
        every(
            *(
                cut_claim(keys, measure("average_qrecall", ranking(labels)))
                for keys, labels in RANKINGS.items()
            )
        ),
        every(*(cut_claim(keys, shifted(labels)) for keys, labels in RANKINGS.items())),
    )


def cut_claim(keys: tuple[str, str, str], value: Json) -> Json:
    """The claim that an average Qrecall begins with the printed digits."""
    row = next(r for r in ROWS if (r["table"], r["dataset"], r["classifier"]) == keys)
    printed = row["average_qrecall"]
    return equal(value, 1) if printed == "1" else cut_off(value, printed)


def observations() -> Iterator[Json]:
    """Observations 1 to 3 of Section 4.3.2, and what follows them."""
    place = "Section 4.3.2, observation 1"
    rows = [row for row in ROWS if row["pem"]]
    together = (
        every(equal(row["auc"], 1), equal(row["pem"], 1))
        if row["auc"] == "1"
        else every(less(row["auc"], 1), less(row["pem"], 1))
        for row in rows
    )
    yield reproduced(
        "sec432-obs1",
        place,
        "in all 100 rows AUC is 1 where PEM is, and only there",
        "1",
        every(*together),
    )
    place = "Section 4.3.2, observation 2"
    twins = [(row, partner(row)) for name in CLASSIFIERS for row in binary_sets(name)]
    yield reproduced(
        "sec432-obs2-auc",
        place,
        "AUC is the same for both classes: a law, and so in all 36 pairs of cells",
        "same value for both classes",
        every(
            identity("auc_of_exchanged_classes"),
            *(equal(one["auc"], other["auc"]) for one, other in twins),
        ),
    )
    yield erratum(
        "sec432-obs2-pem",
        place,
        "PEM of the two classes",
        "not necessarily the same",
        "always the same",
        "PEM is 2 AUC − 1 and AUC does not change when the classes are exchanged; the tables "
        "differ because tied scores were not spread as Eq. 5 demands.",
        untrue(identity("pem_of_exchanged_classes")),
        identity("pem_of_exchanged_classes"),
    )
    pairs = {
        name: [equal(row["pem"], partner(row)["pem"]) for row in binary_sets(name)]
        for name in ("C4.5", "NB")
    }
    labor = [find(table, "labor", name) for name in ("NB", "C4.5") for table in "89"]
    yield reproduced(
        "sec432-obs2-labor",
        place,
        "PEM of both classes of Labor: equal by NB, not by C4.5",
        "equal, not equal",
        every(
            equal(cell(labor[0], "pem"), cell(labor[1], "pem")),
            untrue(equal(cell(labor[2], "pem"), cell(labor[3], "pem"))),
        ),
    )
    yield reproduced(
        "sec432-obs2-nb",
        place,
        "PEM of both classes by NB: equal in all sets with two classes",
        "all binary cases",
        every(*pairs["NB"]),
    )
    yield reproduced(
        "sec432-obs2-binary",
        place,
        "sets with two classes",
        "12",
        add(*(div(2, cell(row, "classes")) for row in binary_sets("NB"))),
    )
    networks = binary_sets("NN", "9")
    yield ambiguous(
        "sec432-obs2-nn",
        place,
        "PEM of both classes by NN: equal in all but one set with two classes",
        "11 of 12",
        every(*(agreement(row) if agrees(row) else untrue(agreement(row)) for row in networks)),
        "Table 8 lacks the PEM of NN, so a cell of Table 9 counts if it equals 2 AUC − 1; all do "
        "but Breast .Ca",
        every(*(agreement(row) for row in networks)),
    )
    trees = binary_sets("C4.5")
    same = (
        claim if slug(row) == "mush" else untrue(claim)
        for row, claim in zip(trees, pairs["C4.5"], strict=True)
    )
    yield reproduced(
        "sec432-obs2-c45",
        place,
        "PEM of both classes by C4.5: equal in one set only, MUSH",
        "only mushroom",
        every(*same),
    )
    sizes = [row["instances"] for row in trees if slug(row) != "mush"]
    yield reproduced(
        "sec432-obs2-biggest",
        place,
        "MUSH is the largest set with two classes",
        "biggest binary",
        every(*(less(text, 8124) for text in sizes)),
    )
    yield ambiguous(
        "sec432-obs2-ties",
        place,
        "ties explain the PEM of C4.5: the mean of both classes is 2 AUC − 1 in 12 of 12 sets",
        "same predicted probability",
        every(identity("file_order_ties"), *(mean_agreement(row) for row in trees)),
        FILE_ORDER,
        every(*(agreement(row) for row in trees)),
    )
    yield from third_observation()


def third_observation() -> Iterator[Json]:
    """Observation 3, and the comparison of average Qrecall with PEM."""
    place = "Section 4.3.2, observation 3"
    claims: list[Json] = []
    for rows in groups():
        given = [row for row in rows if row["pem"]]
        common = min(winners(given, "auc") & winners(given, "pem"))
        claims += best(given, "auc", common) + best(given, "pem", common)
    yield reproduced(
        "sec432-obs3-decision",
        place,
        "AUC and PEM choose the same classifier in all rows, as far as PEM is printed",
        "always the same decision",
        every(*claims),
    )
    chess = [find("9", "kr-vs-kp", name) for name in ("C4.5", "NN")]
    yield reproduced(
        "sec432-obs3-chess",
        place,
        "NN beats C4.5 on Kr-vs-kp by a small margin, by AUC and by PEM",
        "quite small differences",
        every(
            *(less(cell(chess[0], column), cell(chess[1], column)) for column in ("auc", "pem")),
            less(sub(cell(chess[1], "auc"), cell(chess[0], "auc")), "0.002"),
        ),
    )
    bayes, network = (find("8", "breast", name) for name in ("NB", "NN"))
    large = find("9", "breast", "NN")
    yield reproduced(
        "sec432-obs3-auc",
        place,
        "AUC of NB and NN on the smallest class of Breast .Ca",
        "same AUC",
        equal(cell(bayes, "auc"), cell(network, "auc")),
    )
    implied = sub(mul(2, gini(large)), cell(large, "pem"))
    yield ambiguous(
        "sec432-obs3-pem",
        place,
        "PEM of NB on the smallest class of Breast .Ca is said to exceed that of NN",
        "a bit higher",
        less(cell(large, "pem"), cell(bayes, "pem")),
        "the PEM of NN is that of Table 9, since Table 8 prints none; ties in file order would "
        "give the smallest class 0.378, which is not lower",
        less(implied, cell(bayes, "pem")),
    )
    for name, right, printed in (("nb", 70, "71.4286 %"), ("nn", 69, "70.4082 %")):
        what = f"accuracy of {name.upper()} on Breast .Ca: {right} of 98 test cases"
        yield reproduced(f"sec432-obs3-accuracy-{name}", place, what, printed, div(right, 98))
    yield erratum(
        "sec432-obs3-sensitive",
        place,
        "PEM against AUC",
        "PEM is potentially more sensitive",
        "PEM and AUC order all models in the same way",
        "PEM is 2 AUC − 1, an increasing function of AUC; only rounding or the treatment of ties "
        "can make one tell models apart that the other does not.",
        untrue(identity("pem_is_gini")),
        identity("pem_is_gini"),
    )
    yield reproduced(
        "sec432-obs3-hit-rate",
        place,
        "by average hit rate, NN is better than NB on the smallest class of Breast .Ca",
        "a different conclusion",
        less(cell(bayes, "ahr"), cell(network, "ahr")),
    )
    place = "Section 4.3.2, end"
    for name, title in (("aust", "Aust Cred"), ("audiology", "Audiology")):
        bayes, network = (find("9", name, classifier) for classifier in ("NB", "NN"))
        yield reproduced(
            f"sec432-qrecall-{name}",
            place,
            f"average Qrecall prefers NN and PEM prefers NB on the largest class of {title}",
            "not the same decision",
            every(
                less(cell(bayes, "aqr"), cell(network, "aqr")),
                less(cell(network, "pem"), cell(bayes, "pem")),
            ),
        )
    three = [find("9", "monks3", name) for name in ("NN", "NB", "C4.5")]
    ordered = {
        column: [less(cell(low, column), cell(high, column)) for low, high in pairwise(three)]
        for column in ("aqr", "pem")
    }
    yield erratum(
        "sec432-qrecall-monks3",
        place,
        "average Qrecall and PEM on the largest class of Monks3",
        "not the same decision",
        "the same order, C4.5 before NB before NN",
        "Table 9 has average Qrecall 1, 0.99, 0.9863 and PEM 0.9546, 0.877, 0.873.",
        every(*ordered["aqr"], untrue(every(*ordered["pem"]))),
        every(*ordered["aqr"], *ordered["pem"]),
    )


GIVEN = {
    "instances": "The size of a data set is given; nothing in the paper determines it.",
    "attributes": "The number is given, and sets are counted with or without the class.",
    "classes": "The number of classes is given; nothing in the paper determines it.",
}
REMARKS = {
    ("optic", "instances"): "The size is given; the public archive counts 5620.",
    ("zoo", "attributes"): "The number is given; the public archive counts 18 with the class.",
}


def set_cell(row: Row, column: str) -> Json:
    """Instances, attributes or classes of a data set."""
    table, name, printed = row["table"], slug(row), row[column]
    keys = (f"tab{table}-{name}-{column}", f"Table {table}, {row['dataset']}")
    if (name, column) == ("vote", "instances"):
        return erratum(
            *keys,
            "number of instances",
            printed,
            "435",
            "No ranking of 99 test cases (290 less 66 %) has the AUC, average hit rate and average "
            "Qrecall of NN in Table 8; several of 148 (435 less 66 %) have. The archive has 435.",
        )
    if (name, column) == ("monks1", "attributes"):
        like = cell(find(table, "monks2", "NB"), column)
        what = "number of attributes; the three Monks problems share theirs"
        if table == "9":
            return reproduced(*keys, what, printed, like)
        proof = "Table 9 has 6, and so have Monks2 and Monks3 in both tables; 7 counts the class."
        return erratum(*keys, what, printed, "6", proof, like)
    what = f"number of {column}"
    if table == "9":
        return reproduced(*keys, f"{what}, as in Table 8", printed, cell(partner(row), column))
    return unchecked(*keys, what, printed, REMARKS.get((name, column), GIVEN[column]))


def result_cells(row: Row) -> Iterator[Json]:
    """The cells of one classifier."""
    stem = f"tab{row['table']}-{slug(row)}-{CLASSIFIERS[row['classifier']]}"
    place = f"Table {row['table']}, {row['dataset']}, {row['classifier']}"
    yield auc_cell(row, f"{stem}-auc", place)
    yield hit_rate_cell(row, f"{stem}-ahr", place)
    yield qrecall_cell(row, f"{stem}-aqr", place)
    if row["pem"]:
        yield pem_cell(row, f"{stem}-pem", place)


def all_one(row: Row) -> Json:
    """The claim that all measures of a perfect row are 1."""
    return every(*(equal(cell(row, c), 1) for c in COLUMNS if row[FIELDS[c]]))


def labels_of(row: Row) -> str:
    """The ranking behind a row, where it is known."""
    return RANKINGS.get((row["table"], row["dataset"], row["classifier"]), "")


def on_ranking(labels: str) -> str:
    """Words for what a reconstructed ranking is."""
    positives = labels.count("1")
    return f"on the one ranking of {positives} positives among {len(labels)} that fits the row"


def auc_cell(row: Row, id: str, place: str) -> Json:
    """An AUC."""
    printed = row["auc"]
    if printed == "1":
        return reproduced(id, place, "AUC; it is 1 where all measures are", printed, all_one(row))
    if (slug(row), row["classifier"]) == ("optic", "C4.5"):
        own, other = (size(sub(cell(one, "pem"), gini(row))) for one in (row, partner(row)))
        far, near = {"8": ("0.1668", "0.0046"), "9": ("0.2068", "0.0446")}[row["table"]]
        return unchecked(
            id,
            place,
            "AUC; 2 AUC − 1 is nearer to the PEM of the other table",
            printed,
            "The rankings behind it are not printed. The AUCs of C4.5 in the two tables are "
            "probably interchanged: PEM then differs from 2 AUC − 1 by 0.045 in Table 8 and by "
            "0.005 in Table 9, instead of by 0.167 and 0.207.",
            every(equal(own, far), equal(other, near)),
        )
    if row["classes"] == "2":
        claim = equal(cell(row, "auc"), cell(partner(row), "auc"))
        return reproduced(id, place, "AUC; it is the same for both classes", printed, claim)
    labels = labels_of(row)
    if labels and row["classifier"] != "C4.5":
        value = measure("auc", ranking(labels))
        return reproduced(id, place, f"AUC, {on_ranking(labels)}", printed, value)
    return unchecked(id, place, "AUC", printed, "The ranking of the test cases is not printed.")


def hit_rate_cell(row: Row, id: str, place: str) -> Json:
    """An average hit rate."""
    printed, what = row["average_hit_rate"], "average hit rate"
    if printed == "1":
        return reproduced(id, place, f"{what}; it is 1 where AUC is", printed, all_one(row))
    labels = labels_of(row)
    if not labels:
        return unchecked(id, place, what, printed, "The ranking of the test cases is not printed.")
    hits = [Fraction(labels[:j].count("1"), j) for j, t in enumerate(labels, 1) if t == "1"]
    value, what = measure("average_hit_rate", ranking(labels)), f"{what}, {on_ranking(labels)}"
    if rounds_to(sum(hits, Fraction(0)) / len(hits), printed):
        return reproduced(id, place, what, printed, value)
    return ambiguous(id, place, what, printed, cut_off(value, printed), CUT_OFF, value)


def qrecall_cell(row: Row, id: str, place: str) -> Json:
    """An average Qrecall."""
    printed, what, labels = row["average_qrecall"], "average Qrecall", labels_of(row)
    if row["auc"] == "1":
        return reproduced(id, place, f"{what}; it is 1 where AUC is", printed, all_one(row))
    if labels:
        by_text = measure("average_qrecall", ranking(labels))
        start = labels.count("1")
        if printed == "1":
            correct = f"{float(tail_average(labels, start)):.3f}, by Eq. 13"
            return erratum(
                id,
                place,
                f"{what}, {on_ranking(labels)}",
                printed,
                correct,
                "Eq. 13 gives 1 only if all positives are on top, and then AUC is 1; here it is "
                f"{row['auc']}. A sum that starts at n₊ + 1 gives 1.",
                every(equal(by_text, 1)),
                every(less(by_text, 1), equal(shifted(labels), 1)),
            )
        value = shifted(labels)
        if not rounds_to(tail_average(labels, start + 1), printed):
            value = cut_off(value, printed)
        other = cut_off(by_text, printed)
        return ambiguous(id, place, f"{what}, {on_ranking(labels)}", printed, value, SHIFTED, other)
    if printed == "1.0":
        return unchecked(
            id,
            place,
            f"{what}; exactly 1 needs AUC 1, and AUC is {row['auc']}",
            printed,
            "The ranking behind it is not printed. One decimal is printed where the neighbouring "
            "cells have three, so it is probably rounded: something from AUC to 1 that rounds to "
            "1.0.",
            every(floor_claim(row, "auc"), at_most(sub(cell(row, "aqr"), plain(half(printed))), 1)),
        )
    wrong_pem = (row["table"], slug(row), row["classifier"]) == ("9", "optic", "NN")
    if not row["pem"] or wrong_pem:
        claim = floor_claim(row, "auc")
        return reproduced(id, place, f"{what}; it is not below AUC", printed, claim)
    claim = floor_claim(row, "pem")
    return reproduced(id, place, f"{what}; it is not below (1 + PEM)/2", printed, claim)


def pem_cell(row: Row, id: str, place: str) -> Json:
    """A PEM against 2 AUC - 1."""
    printed, what = row["pem"], "PEM against 2 AUC − 1, within rounding"
    name, tree = slug(row), row["classifier"] == "C4.5"
    if agrees(row):
        return reproduced(id, place, what, printed, agreement(row))
    if name == "monks2" and not tree:
        proof = f"AUC is {row['auc']}, below one half, so PEM is negative; the sign is lost."
        return erratum(id, place, what, printed, f"-{printed}", proof, gini(row))
    if name == "optic" and not tree:
        proof = (
            "No ranking has an average Qrecall below (1 + PEM)/2, here 0.981 against 0.9656; AUC "
            "gives 0.926, perhaps 0.9261 with two digits interchanged."
        )
        return erratum(id, place, what, printed, "0.926", proof, gini(row))
    if name == "optic":
        other = partner(row)
        claim = less(
            size(sub(cell(row, "pem"), gini(other))), size(sub(cell(row, "pem"), gini(row)))
        )
        words = "the AUC cells of the two tables are interchanged, and ties are in file order"
        what = "PEM; it is nearer to 2 AUC − 1 of the other table"
        return ambiguous(id, place, what, printed, claim, words, agreement(row))
    if tree and row["classes"] == "2":
        what = "PEM; with that of the other class it has the mean 2 AUC − 1"
        return ambiguous(id, place, what, printed, mean_agreement(row), FILE_ORDER, agreement(row))
    if tree:
        room = add(sub(1, size(gini(row))), plain(tolerance(row)))
        claim = at_most(size(sub(cell(row, "pem"), gini(row))), room)
        words = f"{FILE_ORDER}; the other classes are not printed, so only bounds can be tested"
        what = "PEM; as far from 2 AUC − 1 as ties allow, and average Qrecall not below (1 + PEM)/2"
        compute = every(claim, floor_claim(row, "pem"))
        return ambiguous(id, place, what, printed, compute, words, agreement(row))
    implied = sub(mul(2, gini(row)), cell(row, "pem"))
    small = partner(row)
    compute = at_most(
        div(add(1, implied), 2), add(cell(small, "aqr"), plain(half(small["average_qrecall"])))
    )
    what = "PEM; ties would give the other class 0.378, which its average Qrecall allows"
    words = (
        f"{FILE_ORDER}; the PEM of the other class is not printed, so only a bound can be tested"
    )
    return ambiguous(id, place, what, printed, compute, words, agreement(row))


def tables_8_and_9() -> Iterator[Json]:
    """Every printed cell."""
    for table in "89":
        for group in groups():
            if group[0]["table"] == table:
                yield from (set_cell(group[0], column) for column in GIVEN)
                for row in group:
                    yield from result_cells(row)
        if table == "8":
            yield erratum(
                "tab8-nn-pem",
                "Table 8, NN",
                "the PEM column of NN is missing",
                "absent",
                "a column PEM = 2 AUC − 1",
                "Table 9 has it, and observations 2 and 3 speak of its values in Table 8.",
            )


def end() -> Iterator[Json]:
    """Section 5 and the appended answers to the reviewers."""
    what = "leaving out a positive, for which Qrecall and PEM serve"
    yield error_type("sec5-type1", "Section 5", what, "type-1", "FN")
    what = "accepting a negative, for which hit rates serve"
    yield error_type("sec5-type2", "Section 5", what, "type-2", "FP")
    t = TABLES[0]
    yield erratum(
        "report-fnr",
        "Correction report, reviewer 3, comment 1",
        "false negative rate by the cells of Table 1",
        "c/c+d",
        "c/(c+d)",
        "Without brackets the division comes first and gives 1 + d, above 1; Eq. 1 is right.",
        equal(add(div(t["c"], t["c"]), t["d"]), measure("false_negative_rate", counts(t))),
        equal(div(t["c"], add(t["c"], t["d"])), measure("false_negative_rate", counts(t))),
    )


def records() -> Iterator[Json]:
    """All records in the paper's order."""
    yield from unlimited()
    yield from known_quota()
    yield from unknown_quota()
    yield from list_table(2, "arbel_2", HIT_RATES_2, QRECALLS_2, ("0.893", "0.747"))
    yield from list_table(3, "arbel_3", HIT_RATES_3, QRECALLS_3, ("1", "1"))
    yield from table_4()
    yield from potential()
    yield from table_5()
    yield from gini_and_errors()
    yield from test_case()
    yield from experiments()
    yield from tables_8_and_9()
    yield from end()


CELL = re.compile(r"Table ([89]), (.+), (C4\.5|NB|NN)")
COLUMNS = {
    "auc": "auc",
    "ahr": "average_hit_rate",
    "aqr": "average_qrecall",
    "pem": "pem",
}


def judged(record: Json) -> Json:
    """The record, not called reproduced where the paper gives nothing to reproduce it from.

    An input of an example and a cell that follows from unprinted rankings cannot be checked; what
    they must satisfy all the same stays as their computation. In it, a cell's own number is taken
    from the record's printed text.
    """
    kind = record["id"].rpartition("-")[2]
    cell = CELL.fullmatch(record["place"])
    if cell and kind in COLUMNS:
        table, dataset, classifier = cell.groups()
        row = {"table": int(table), "dataset": dataset, "classifier": classifier}
        own = {"experiment": row, "column": COLUMNS[kind]}
        record = {name: _replaced(part, own) for name, part in record.items()}
    if record["verdict"] != "reproduced":
        return record
    reason = ""
    if isinstance(record["compute"], dict) and "case" in record["compute"]:
        reason = "Given: an input of the example, kept in the data set."
    elif re.match(r"Table [89]", record["place"]) and kind in ("auc", "ahr", "aqr"):
        reason = "The rankings behind it are not printed; it does satisfy what it must."
    elif re.match(r"Table [89]", record["place"]) and kind in SIZES:
        reason = "Given; both tables print the same."
    return record | {"verdict": "not checkable", "reason": reason} if reason else record


SIZES = ("instances", "attributes", "classes")


def _replaced(source: Json, own: Json) -> Json:
    """The computation with the printed number in the place of the record's own cell."""
    if source == own:
        return PRINTED
    if isinstance(source, dict):
        return {name: _replaced(part, own) for name, part in source.items()}
    return [_replaced(part, own) for part in source] if isinstance(source, list) else source


def main() -> None:
    """Write the file."""
    text = json.dumps([judged(one) for one in records()], ensure_ascii=False, indent=1) + "\n"
    (FOLDER / "papers" / "arbel.json").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
