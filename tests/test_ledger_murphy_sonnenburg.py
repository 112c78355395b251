"""The ledgers of Murphy's notes and Sonnenburg's slides: computed anew, complete, and sharp.

The tables stand here once more, typed from the document, so that a slip in the ledger shows.
"""

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import binteach as bt
from binteach.ledger import VERDICTS, Record, evaluate, matches

RECORDS: tuple[Record, ...] = (*bt.papers("murphy"), *bt.papers("sonnenburg"))
BY_ID = {record.id: record for record in RECORDS}
CLAIMS = {"identity", "not", "all", "equal", "less", "at_most"}
NUMERIC = [r for r in RECORDS if r.compute is not None and not CLAIMS & r.compute.keys()]
PROVED = [r for r in RECORDS if r.compute is not None and "identity" in r.compute]


def params(chosen: list[Record] | tuple[Record, ...]) -> list[Any]:
    return [pytest.param(record, id=record.id) for record in chosen]


# What is true of each record ------------------------------------------------------------------


@pytest.mark.parametrize("record", params(RECORDS))
def test_the_verdict_comes_out_when_computed_anew(record: Record) -> None:
    assert record.check() == record.verdict


def test_ids_are_unique() -> None:
    assert [name for name, times in Counter(r.id for r in RECORDS).items() if times > 1] == []


@pytest.mark.parametrize("record", params(RECORDS))
def test_a_record_has_the_fields_of_its_verdict_and_no_others(record: Record) -> None:
    assert re.fullmatch(rf"{record.document}-[a-z0-9]+(-[a-z0-9]+)*", record.id)
    assert record.place
    assert record.what
    assert record.printed
    assert record.verdict in VERDICTS
    optional = ("compute", "correct", "proof", "correction", "convention", "other", "reason")
    given = {name for name in optional if getattr(record, name) not in (None, "")}
    needed, allowed = {
        "reproduced": ({"compute"}, set()),
        "erratum": ({"correct", "proof"}, {"compute", "correction"}),
        "ambiguous": ({"compute", "convention", "other"}, set()),
        "not checkable": ({"reason"}, {"compute"}),
    }[record.verdict]
    assert needed <= given <= needed | allowed
    for sentence in (record.proof, record.convention, record.reason):
        assert sentence == "" or sentence.endswith(".")


@pytest.mark.parametrize("record", params([r for r in RECORDS if r.correction is not None]))
def test_a_correction_is_true_where_the_printed_claim_is_false(record: Record) -> None:
    assert record.value is False
    assert evaluate(record.correction) is True


@pytest.mark.parametrize("record", params([*NUMERIC, *PROVED]))
def test_a_number_can_be_explained(record: Record) -> None:
    derivation = record.explain()
    assert len(str(derivation)) > 10
    assert derivation.html()
    assert derivation.latex()


# Sharpness ------------------------------------------------------------------------------------


def with_other_digits(text: str) -> list[str]:
    """The text with its first, and with its last digit of the numerator, raised by one."""
    numerator, slash, rest = text.partition("/")
    places = [place for place, letter in enumerate(numerator) if letter.isdigit()]
    return [
        numerator[:place]
        + str((int(numerator[place]) + 1) % 10)
        + numerator[place + 1 :]
        + slash
        + rest
        for place in {places[0], places[-1]}
    ]


@pytest.mark.parametrize("record", params(NUMERIC))
def test_another_digit_changes_the_verdict(record: Record) -> None:
    field = "correct" if record.verdict == "erratum" else "printed"
    for text in with_other_digits(getattr(record, field)):
        assert replace(record, **{field: text}).check().startswith("unsettled")


@pytest.mark.parametrize("record", params([r for r in NUMERIC if r.printed.isdigit()]))
def test_a_printed_whole_number_is_met_exactly_and_not_by_rounding(record: Record) -> None:
    text = record.correct or record.printed
    assert record.value == Fraction(text)


# Completeness ---------------------------------------------------------------------------------

TABLE_1 = """
1 1 0.9 1 1 0
2 1 0.8 1 1 0
3 1 0.7 1 1 0
4 1 0.6 1 1 0
5 1 0.5 1 1 0
6 0 0.4 1 0 0
7 0 0.3 1 0 0
8 0 0.2 1 0 0
9 0 0.1 1 0 0
"""
TABLE_2 = """
1 1 0.9 1 1 0
2 1 0.8 1 1 0
3 1 0.7 1 1 0
4 1 0.6 1 1 0
5 1 0.2 1 0 0
6 0 0.6 1 1 0
7 0 0.3 1 0 0
8 0 0.2 1 0 0
9 0 0.1 1 0 0
"""
TABLE_4 = """
0.9 0.1 0.8 0   0.78 0
0   0   0.1 0.1 0.12 0.1
"""
TABLE_5 = """
0.9 0.9    0.88
0.9 1.0    1.0
1.0 0.888  0.8667
0.947 0.941 0.9286
0   0.1865 0.1735
"""


def cells(table: int) -> list[Record]:
    """The cells of one of Murphy's tables, in the order of the page."""
    return [
        r
        for r in RECORDS
        if r.document == "murphy" and re.match(rf"Table {table}, (?!cap)", r.place)
    ]


@pytest.mark.parametrize(
    ("table", "text", "size"),
    [(1, TABLE_1, 54), (2, TABLE_2, 54), (4, TABLE_4, 12), (5, TABLE_5, 15)],
)
def test_every_cell_of_a_table_is_there(table: int, text: str, size: int) -> None:
    found = cells(table)
    assert len(found) == size
    assert [record.printed for record in found] == text.split()
    assert len({record.place for record in found}) == size


def test_table_3_has_its_four_cells_and_its_four_totals() -> None:
    printed = [r.printed for r in RECORDS if r.document == "murphy" and r.place == "Table 3"]
    totals = ["P̂ = TP + FP", "N̂ = FN + TN", "P = TP + FN", "N = FP + TN"]
    assert printed == ["TP", "FP", "FN", "TN", *totals]


PRINTED = {
    "Figure 1, caption": "0/5 0 0 0 5/5 1 0/4 0 5/5 1 4/4 1 4/5 0.8 1/4 0.25 5 4",
    "Section 1, after Figure 1": "1 0",
    "Section 2, before Eq. 14": "0.5 1 0.2%",
    "Eq. 14": "0.00019998",
    "Section 3": "0.9 0.1 0.9 0.9 1.0 80% 20% 78% 22%",
    "Eq. 15": "0.8 0.8 0 1",
    "Section 3, after Eq. 15": "50% 0.1",
}


@pytest.mark.parametrize("place", PRINTED)
def test_every_number_of_the_text_is_there(place: str) -> None:
    number = re.compile(r"\d+(\.\d+)?(/\d+)?%?")
    found = [r.printed for r in RECORDS if r.document == "murphy" and r.place == place]
    assert [text for text in found if number.fullmatch(text)] == PRINTED[place].split()


def test_every_equation_of_murphy_has_a_record() -> None:
    places = {record.place for record in RECORDS if record.document == "murphy"}
    assert {f"Eq. {number}" for number in range(1, 17)} <= places


def test_every_score_of_sonnenburg_has_a_record() -> None:
    scores = {
        "Scores I": "acc err",
        "Scores II": "tpr tnr fnr fpr ppv fdr npv fdr₋",
        "Scores III": "ber WRacc f1 cc",
        "Area under the curves, auROC": "tpr fpr auROC Gini",
        "Area under the curves, auPRC": "ppv tpr",
    }
    for place, names in scores.items():
        found = [r.printed for r in RECORDS if r.document == "sonnenburg" and r.place == place]
        heads = {text.partition(" = ")[0] for text in found if " = " in text}
        assert heads == set(names.split())


# The verdicts that matter most ----------------------------------------------------------------

ERRATA = {
    "murphy-tab1-r5-theta05": "0",
    "murphy-fig1-red-theta1-fpr": "4",
    "murphy-eq2-conditional": "joint probabilities",
    "murphy-sec1-diagonal": "only the two ends (0, 0) and (1, 1)",
    "murphy-sec2-fixed-recall": "fixed rank (first 10)",
    "murphy-sec2-harmonic-percent": "0.02%",
    "murphy-sec3-figure4-left": "Table 4 (A)",
    "murphy-sec3-figure4-middle": "Table 4 (B)",
    "murphy-sec3-figure4-right": "Table 4 (C)",
    "murphy-tab4-caption": "rows are the estimated labels",
    "sonnenburg-table-index": "f(x_N)",
    "sonnenburg-roc-name": "Receiver Operating Characteristic",
    "sonnenburg-auroc-swaps": "auROC = 1 − swaps/(N⁺ N⁻)",
    "sonnenburg-aim-prime": "∀ Y′ ∈ 𝒴 \\ Y",
}


@pytest.mark.parametrize("name", ERRATA)
def test_an_erratum_says_what_is_right(name: str) -> None:
    assert BY_ID[name].verdict == "erratum"
    assert BY_ID[name].correct == ERRATA[name]


def test_table_1_comes_out_with_the_other_rule() -> None:
    record = BY_ID["murphy-tab1-r5-theta05"]
    wider = replace(record, compute={**record.compute, "rule": ">="}, correct="")
    assert wider.check() == "reproduced"


def test_more_than_one_measure_ranks_murphys_classifiers_as_wished() -> None:
    abc = bt.load("murphy_abc")
    ranks = {
        key: [bt.value(key, abc[name]) for name in "BCA"]
        for key in ("precision", "balanced_accuracy", "cohens_kappa")
    }
    assert ranks == {
        "precision": [1, 1, Fraction(9, 10)],
        "balanced_accuracy": [Fraction(17, 18), Fraction(14, 15), Fraction(1, 2)],
        "cohens_kappa": [Fraction(8, 13), Fraction(13, 23), 0],
    }
    assert BY_ID["murphy-sec3-only-mi"].verdict == "erratum"


def test_mutual_information_is_printed_in_nats() -> None:
    for name, bits in (("b", "0.2690"), ("c", "0.2503")):
        record = BY_ID[f"murphy-tab5-mutual-information-{name}"]
        assert record.verdict == "ambiguous"
        assert record.other["params"] == {"base": 2}
        other = evaluate(record.other)
        assert matches(other, bits)
        assert bits in record.convention


def test_the_printed_correlation_of_a_perfect_classifier_is_one_half() -> None:
    perfect = bt.Counts(tp=1, fp=0, fn=0, tn=2)
    assert bt.value("matthews_correlation", perfect) == 1
    printed = evaluate({"divide": [{"power": ["1", "2"]}, {"sqrt": ["4"]}]})
    assert printed == Fraction(1, 2)
    assert "TP·TN" in BY_ID["sonnenburg-scores3-cc"].correct


def test_the_printed_weighted_relative_accuracy_is_youdens() -> None:
    counts = bt.Counts(tp=3, fp=1, fn=2, tn=4)
    assert bt.value("youden_index", counts) == Fraction(2, 5)
    assert bt.value("weighted_relative_accuracy", counts) == Fraction(1, 10)
    assert BY_ID["sonnenburg-scores3-wracc"].verdict == "ambiguous"
