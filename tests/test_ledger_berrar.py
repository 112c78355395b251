"""The ledger of Berrar's article: every verdict is computed anew, and every number is there."""

import math
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import binteach as bt
from binteach.exact import public
from binteach.ledger import VERDICTS, Record, evaluate

RECORDS: tuple[Record, ...] = tuple(bt.papers("berrar"))
BY_ID = {record.id: record for record in RECORDS}
NUMBER = re.compile(r"[−-]?\d+(\.\d+)?(/\d+)?%?")


def params(chosen: list[Record]) -> list[Any]:
    return [pytest.param(record, id=record.id.removeprefix("berrar-")) for record in chosen]


def of_verdict(verdict: str) -> list[Record]:
    return [record for record in RECORDS if record.verdict == verdict]


CLAIMS = {"identity", "not", "all", "equal", "less", "at_most"}


def is_claim(record: Record) -> bool:
    """Whether the computation says true or false, and not how much."""
    return isinstance(record.compute, dict) and bool(CLAIMS & record.compute.keys())


NUMERIC = [record for record in RECORDS if record.compute is not None and not is_claim(record)]


# What is true of each record ------------------------------------------------------------------


@pytest.mark.parametrize("record", params(list(RECORDS)))
def test_verdict(record: Record) -> None:
    assert record.check() == record.verdict


@pytest.mark.parametrize("record", params(list(RECORDS)))
def test_fields(record: Record) -> None:
    assert record.document == "berrar"
    assert re.fullmatch(r"berrar-[a-z0-9]+(-[a-z0-9]+)*", record.id)
    assert record.place
    assert record.what
    assert record.printed
    assert record.verdict in VERDICTS
    wanted = {
        "reproduced": {"compute"},
        "erratum": {"correct", "proof"},
        "ambiguous": {"compute", "convention", "other"},
        "not checkable": {"reason"},
    }[record.verdict]
    # An input of an example is compared with the data set that keeps it.
    more = {"erratum": {"compute", "correction"}, "not checkable": {"compute"}}
    optional = more.get(record.verdict, set())
    names = ("compute", "correct", "proof", "correction", "convention", "other", "reason")
    given = {name for name in names if getattr(record, name) not in (None, "")}
    assert wanted <= given <= wanted | optional


@pytest.mark.parametrize("record", params(NUMERIC))
def test_a_number_is_printed_as_one_and_explained(record: Record) -> None:
    assert NUMBER.fullmatch(record.printed)
    derivation = record.explain()
    assert str(derivation).strip()
    assert derivation.latex()
    right = record.correct or record.printed
    bare = replace(record, printed=right, correct="", other=None, reason="")
    assert bare.check() == "reproduced"


def test_ids_are_unique() -> None:
    assert [key for key, times in Counter(r.id for r in RECORDS).items() if times > 1] == []


def test_errata_with_a_number_print_what_is_right() -> None:
    numbers = {r.id: (r.printed, r.correct) for r in NUMERIC if r.verdict == "erratum"}
    assert numbers == {
        "berrar-def23-line-07": ("0.30", "0.70"),
        "berrar-def24-kappa": ("0.50", "0.40"),
        "berrar-def30-fpr": ("0.6", "0.2"),
        "berrar-def30-ks": ("0.2", "0.6"),
        "berrar-def32-term-10": ("5/5", "5/10"),
    }


# Printed lines of arithmetic ------------------------------------------------------------------

LINE = re.compile(r"(?:[\d.\s+−×/()|²√]|log₂)+")
LINES = [r for r in RECORDS if is_claim(r) and LINE.fullmatch(r.printed)]
LINES = [r for r in LINES if not NUMBER.fullmatch(r.printed)]


def value_of(line: str) -> float:
    """The value of a printed line such as |1 − 0.95| or √(3/4 × 3/5)."""
    code = re.sub(r"\d+(\.\d+)?", lambda found: f"F('{found[0]}')", line)
    code = re.sub(r"\|([^|]*)\|", r"abs(\1)", code)
    code = re.sub(r"√(F\('[^']*'\))", r"sqrt(\1)", code).replace("√(", "sqrt(")
    for sign, written in (("−", "-"), ("×", "*"), ("²", "**2"), ("log₂", "log2")):
        code = code.replace(sign, written)
    names = {"F": Fraction, "sqrt": math.sqrt, "log2": math.log2, "abs": abs, "__builtins__": {}}
    return float(eval(code, names))


@pytest.mark.parametrize("record", params(LINES))
def test_a_printed_line_has_the_value_that_binteach_computes(record: Record) -> None:
    claim = record.compute["all"][-1] if "all" in record.compute else record.compute
    computed = float(public(evaluate(claim["equal"][0])))
    assert value_of(record.printed) == pytest.approx(computed, abs=1e-12)


def test_the_printed_lines_are_many() -> None:
    terms = Counter(re.sub(r"-\d+$", "", r.id) for r in LINES)
    assert terms["berrar-def17-term"] == terms["berrar-def18-term"] == 10
    assert terms["berrar-def20-term"] == terms["berrar-def25-term"] == 10
    assert terms["berrar-def23-line"] == 9  # the tenth is an erratum
    assert terms["berrar-def31-term"] == terms["berrar-def32-term"] == 9


# Nothing is left out --------------------------------------------------------------------------

FIGURE_2 = """
case  10 9 8 7 6 5 4 3 2 1
class 1 1 0 1 1 0 0 1 0 0
score 0.95 0.8 0.75 0.6 0.5 0.45 0.3 0.25 0.2 0.1
tpr   1/5 2/5 2/5 3/5 4/5 4/5 4/5 5/5 5/5 5/5
fpr   0 0 1/5 1/5 1/5 2/5 3/5 3/5 4/5 5/5
prec  1 1 2/3 3/4 4/5 4/6 4/7 5/8 5/9 5/10
cum   1 2 2 3 4 4 4 5 5 5
lift  2 2 4/3 3/2 8/5 4/3 8/7 5/4 10/9 10/10
"""


def test_figure_2_has_its_80_cells() -> None:
    seen = 0
    for line in FIGURE_2.split("\n"):
        name, *cells = line.split() or ("",)
        for row, cell in enumerate(cells, 1):
            record = BY_ID[f"berrar-fig2-r{row:02d}-{name}"]
            assert (record.place, record.printed) == (f"Figure 2, row {row}", cell)
            given = name in ("class", "score")  # an input, compared with the data set
            assert record.check() == ("not checkable" if given else "reproduced")
            if name == "case":
                assert record.compute["all"][0]["equal"][0]["case"] == cell
            seen += 1
    assert seen == 80
    assert sum(bool(re.fullmatch(r"Figure 2, row \d+", r.place)) for r in RECORDS) == 80


def test_figure_3b_has_its_9_cells() -> None:
    printed = [record.printed for record in RECORDS if record.place == "Figure 3b"]
    assert printed == ["3", "1", "4", "2", "4", "6", "5", "5", "10"]


@pytest.mark.parametrize("definition", range(1, 39))
def test_definition(definition: int) -> None:
    pattern = re.compile(rf"Definitions? {definition}\b")
    assert any(pattern.search(record.place) for record in RECORDS)


# Printed numbers by place, as they stand in the article.
PRINTED = {
    "Section 1": "10 5 0.5 0.25 0.75 0.10 0.95 −2",
    "Figure 2, caption": "11",
    "Definition 1,": "0.70",
    "Definition 2,": "0.30",
    "Definition 3,": "3/5 0.60",
    "Definition 4,": "4/5 0.80",
    "Definition 5,": "3/4 0.75",
    "Definition 6,": "4/6 0.67",
    "Definition 7,": "1/4 0.25",
    "Definition 8,": "0.8 0.6",
    "Definition 9,": "3.0",
    "Definition 10,": "0.5",
    "Definition 11,": "0.70",
    "Definition 12,": "0.67",
    "Definition 14,": "0.671",
    "Definition 15,": "0.408 −1 0",
    "Definition 16,": "4 3 3/4 1/2 1.5 2 1",
    "Definition 17,": "0.370 1/10",
    "Definition 18,": "0.192",
    "Definition 19,": "0.438",
    "Definition 20,": "0.798",
    "Section 3": "990/1000 10/1000 10 990",
    "Definition 23,": "0.926 0.678 −0.585 0.263 0 0.138 0.30 0.485 0.848 0.2846",
    "Definition 24,": "0.50",
    "Section 4": "4 3 2 1 0.5 0.4 0.6 1.0",
    "Definition 25,": "0.75",
    "Definition 26,": "2 4/3 3/2 8/5 8/7 5/4 10/9 1 1.427",
    "Definition 27,": "3 6 7 9 10 35 5 0.8 0.5 1",
    "Figure 6": "0.2 0.6 0.75 0.8 0.3 0.5 0.88 0.6476",
    "Definition 28,": "0.6 0.5",
    "Definition 29,": "0.88",
    "Definition 30,": "0.8 0.6 0.2",
    "Definition 31,": "1/9 0.33",
    "Definition 32": "0.835 0.714 5/5 1 2/3 3/4 4/5 4/6 4/7 5/8 5/9 5/10",
    "Definition 35,": "2 0",
    "Section 5": "0.80 300/10000 0.03",
    "Definition 36,": "3 3/5 0.6 0.4 5 1.96 0.4294 0.1706 1.0294 95%",
    "Definition 37,": "0.1466 0.9473 0.05",
    "Section 6": "90% 9:1 0.79 0.75",
}


@pytest.mark.parametrize("place", PRINTED)
def test_printed_numbers_are_in_the_ledger(place: str) -> None:
    there = {record.printed for record in RECORDS if record.place.startswith(place)}
    assert [number for number in PRINTED[place].split() if number not in there] == []


# What is wrong is found -----------------------------------------------------------------------


def another_digit(printed: str) -> str:
    """The same with another last digit, and no zero denominator."""
    return re.sub(r"\d(?=\D*$)", lambda found: str(int(found[0]) % 9 + 1), printed)


@pytest.mark.parametrize("record", params(NUMERIC))
def test_a_changed_digit_changes_the_verdict(record: Record) -> None:
    right = record.correct or record.printed
    changed = replace(record, printed=another_digit(right), correct="", other=None)
    assert changed.check().startswith("unsettled")


@pytest.mark.parametrize("verdict", VERDICTS)
def test_another_verdict_is_refused(verdict: str) -> None:
    for other in set(VERDICTS) - {verdict}:
        for record in of_verdict(other)[:10]:
            assert replace(record, verdict=verdict).check() != verdict


def test_a_claim_that_is_not_true_is_found() -> None:
    record = BY_ID["berrar-def24-chance"]
    left, _ = record.compute["equal"]
    assert replace(record, compute={"equal": [left, "2/5"]}).check().startswith("unsettled")


def test_an_erratum_needs_the_right_correction() -> None:
    record = BY_ID["berrar-def24-kappa"]
    assert replace(record, correct="0.41").check().startswith("unsettled")
    assert replace(record, printed="0.40").check() == "reproduced"


def test_an_ambiguity_needs_two_readings_that_differ() -> None:
    for record in of_verdict("ambiguous"):
        assert replace(record, other=record.compute).check() == "reproduced"
