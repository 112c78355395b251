"""The ledger as a whole: found, filtered, shown and explained."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest

import binteach as bt
from binteach.cli import main
from binteach.ledger import DOCUMENTS, VERDICTS, Record, matches
from binteach.render.words import clean

ALL = bt.papers()
COMPUTED = [record for record in ALL if record.compute is not None]


def output_of(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 0
    return capsys.readouterr().out


def test_no_record_is_skipped_when_verdicts_are_computed_anew() -> None:
    computed = {record.id: record.check() for record in ALL}
    assert len(computed) == len(ALL)
    assert computed == {record.id: record.verdict for record in ALL}


def test_the_printed_text_decides_and_not_the_record_alone() -> None:
    for record in ALL:
        if record.verdict == "reproduced" and not isinstance(record.value, bool):
            assert replace(record, printed="123.456").check() != "reproduced", record.id
    for column in ("pem", "aqr"):
        cell = ALL[f"arbel-tab8-aust-nb-{column}"]
        assert replace(cell, printed="0.1").check().startswith("unsettled")


def test_a_reason_refers_only_to_identities_that_stand_before() -> None:
    seen: set[str] = set()
    for identity in bt.identities():
        for argument in identity.proof:
            for _, _, reason in argument.links:
                for key in re.findall(r"\bsee (\w+)", reason):
                    assert key in seen, f"{identity.key}: {reason}"
        seen.add(identity.key)


def test_every_document_has_records_of_every_verdict() -> None:
    counts = ALL.counts()
    assert list(counts) == list(DOCUMENTS)
    assert all(number > 0 for verdicts in counts.values() for number in verdicts.values())
    assert sum(sum(verdicts.values()) for verdicts in counts.values()) == len(ALL) > 750


def test_papers_are_filtered_by_document_and_verdict() -> None:
    for document in DOCUMENTS:
        for verdict in VERDICTS:
            found = bt.papers(document, verdict)
            assert {(r.document, r.verdict) for r in found} == {(document, verdict)}
    with pytest.raises(ValueError, match="berrar, murphy, arbel, sonnenburg"):
        bt.papers("fawcett")
    with pytest.raises(ValueError, match="reproduced, erratum"):
        bt.papers(verdict="wrong")
    with pytest.raises(ValueError, match="no record"):
        ALL["berrar-nothing"]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_whatever_is_computed_is_explained(document: str) -> None:
    for record in COMPUTED:
        if record.document == document:
            assert str(record.explain()).strip(), record.id


def test_what_cannot_be_computed_is_explained_in_words() -> None:
    for verdict in ("not checkable", "erratum"):
        for record in bt.papers(verdict=verdict):
            if record.compute is None and record.correction is None:
                words = " ".join(str(record.explain()).split())
                assert (record.reason or record.proof).split()[0] in words


def test_one_record_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    printed = output_of(["papers", "berrar-def24-kappa"], capsys)
    assert "printed:    0.50" in printed
    assert "right:      0.40" in printed
    with pytest.raises(ValueError, match="did you mean berrar-def24-kappa"):
        ALL["berrar-def24-kapa"]


def test_a_claim_is_explained_by_both_of_its_sides() -> None:
    record = Record(
        id="x",
        document="berrar",
        place="here",
        what="two times three",
        printed="2 × 3 = 6",
        verdict="reproduced",
        compute={"equal": [{"multiply": ["2", "3"]}, "6"]},
    )
    text = str(record.explain())
    assert "left side = 2 × 3" in text
    assert "The sides are equal: true." in text


@pytest.mark.parametrize(
    ("value", "printed", "met"),
    [("2/3", "0.67", True), ("2/3", "0.66", False), ("2/3", "4/6", True), ("9/10", "90%", True)],
)
def test_a_value_is_compared_as_it_is_printed(value: str, printed: str, met: bool) -> None:
    assert matches(Fraction(value), printed) is met


def test_a_table_shows_every_record_of_a_short_list_and_the_ends_of_a_long_one() -> None:
    short = bt.papers("berrar", "erratum")
    assert all(clean(record.printed) in str(short) for record in short)
    assert "more" in str(ALL)
    assert ALL._repr_html_().count("<tr>") < 120


def test_errata_are_printed_whole_when_piped(capsys: pytest.CaptureFixture[str]) -> None:
    printed = output_of(["papers", "--errata"], capsys)
    for record in bt.papers(verdict="erratum"):
        for text in (record.place, record.printed, record.correct, record.proof):
            assert text in printed
    assert "…" not in printed.replace("1 + 1/2 + … + 1/n", "")


def test_one_document_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output_of(["papers", "--document", "murphy"], capsys).splitlines()
    assert len(lines) == len(bt.papers("murphy"))
    assert all(line.startswith("murphy-") for line in lines)
