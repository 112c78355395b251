"""The ledger of Arbel & Rokach: every verdict is computed anew, and no printed cell is missing."""

from __future__ import annotations

import csv
import importlib.util
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

import binteach as bt
from binteach.ledger import VERDICTS, Record, evaluate

DATASETS = Path(__file__).resolve().parents[1] / "datasets"
RECORDS: dict[str, Record] = {record.id: record for record in bt.papers("arbel")}


def script() -> ModuleType:
    """The script that writes the ledger, as a module."""
    spec = importlib.util.spec_from_file_location(
        "papers_arbel", DATASETS / "make" / "papers_arbel.py"
    )
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def of(start: str, end: str = "") -> list[Record]:
    """The records whose id starts and ends so."""
    return [
        r for key, r in RECORDS.items() if key.startswith(f"arbel-{start}") and key.endswith(end)
    ]


def numeric() -> list[Record]:
    """The records of numbers that come out as printed, inputs among them."""
    kept = ("reproduced", "not checkable")
    numbers = [r for r in of("") if r.value is not None and not isinstance(r.value, bool)]
    return [r for r in numbers if r.verdict in kept]


# The verdicts ---------------------------------------------------------------------------------


def test_every_verdict_is_what_the_check_finds() -> None:
    wrong = {
        record.id: (record.verdict, found)
        for record in RECORDS.values()
        if (found := record.check()) != record.verdict
    }
    assert not wrong


def test_ids_are_unique_and_plain() -> None:
    assert len(RECORDS) == len(bt.papers("arbel"))
    assert all(set(key) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") for key in RECORDS)


@pytest.mark.parametrize("verdict", VERDICTS)
def test_every_record_has_the_fields_of_its_verdict_and_no_others(verdict: str) -> None:
    needed = {
        "reproduced": {"compute"},
        "erratum": {"correct", "proof"},
        "ambiguous": {"compute", "convention", "other"},
        "not checkable": {"reason"},
    }[verdict]
    # What cannot be checked may have to satisfy something all the same.
    optional = {"erratum": {"compute", "correction"}, "not checkable": {"compute"}}.get(
        verdict, set()
    )
    fields = ("compute", "correct", "proof", "correction", "convention", "other", "reason")
    records = list(bt.papers("arbel", verdict))
    assert records
    for record in records:
        given = {field for field in fields if getattr(record, field)}
        assert needed <= given <= needed | optional, record.id
        assert record.place, record.id
        assert record.what, record.id
        assert record.printed, record.id


def test_a_changed_digit_is_found_out() -> None:
    changed = numeric()
    assert len(changed) > 200
    for record in changed:
        digits = record.printed.rstrip(" %")
        other = digits[:-1] + str((int(digits[-1]) + 1) % 10)
        misprint = replace(record, printed=record.printed.replace(digits, other))
        assert misprint.check().startswith("unsettled"), record.id


def test_a_wrong_correction_is_not_accepted() -> None:
    sign = RECORDS["arbel-tab8-monks2-nb-pem"]
    assert sign.check() == "erratum"
    assert replace(sign, correct="-0.0245").check().startswith("unsettled")


def test_every_number_can_be_derived() -> None:
    for record in numeric():
        derivation = record.explain()
        # A cell or a part is explained by the whole derivation in which it stands.
        if not {"row", "part"} & set(record.compute):
            assert derivation.value == record.value, record.id
        assert str(derivation), record.id


# The cells ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "cells"),
    [
        ("eq1-", 7),
        ("tab2-", 52),
        ("tab3-", 52),
        ("tab4-", 10),
        ("tab5-", 93),
        ("tab6-", 16 + 1),
        ("tab7-", 24 + 4),
        ("tab8-", 20 * (3 + 4 + 4 + 3) + 1),
        ("tab9-", 20 * (3 + 4 + 4 + 4)),
    ],
)
def test_no_cell_of_a_table_is_missing(start: str, cells: int) -> None:
    assert len(of(start)) == cells


def test_every_equation_has_a_record() -> None:
    equations = {r.place.split(".")[1].strip() for r in of("eq") if r.place.startswith("Eq.")}
    assert equations == {str(number) for number in range(1, 20)}


def test_the_printed_cells_are_those_of_the_data() -> None:
    with (DATASETS / "arbel_experiments.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for column, end in (
        ("auc", "-auc"),
        ("average_hit_rate", "-ahr"),
        ("average_qrecall", "-aqr"),
        ("pem", "-pem"),
    ):
        for table in "89":
            printed = [r.printed for r in of(f"tab{table}-", end) if r.id != "arbel-tab8-nn-pem"]
            assert printed == [r[column] for r in rows if r["table"] == table and r[column]]


# What the tables show -------------------------------------------------------------------------


def test_64_of_100_cells_of_pem_are_twice_auc_minus_1() -> None:
    cells = [r for r in of("tab", "-pem") if r.id != "arbel-tab8-nn-pem"]
    assert len(cells) == 100
    assert Counter(r.verdict for r in cells) == {"reproduced": 64, "ambiguous": 33, "erratum": 3}
    assert sum(r.verdict == "ambiguous" for r in of("tab", "-c45-pem")) == 32


def test_in_12_of_12_sets_with_two_classes_ties_in_file_order_explain_c45() -> None:
    module = script()
    sets = module.binary_sets("C4.5")
    assert len(sets) == 12
    assert all(evaluate(module.mean_agreement(row)) for row in sets)
    assert [module.slug(row) for row in sets if module.agrees(row)] == ["mush"]


def test_only_vote_and_optic_by_c45_have_an_auc_above_average_qrecall() -> None:
    # AUC spreads ties and Qrecall does not, so only rows with ties can break the law.
    module = script()
    broken = [
        (row["table"], module.slug(row), row["classifier"])
        for row in module.ROWS
        if not evaluate(module.floor_claim(row, "auc"))
    ]
    assert broken == [("8", "vote", "C4.5"), ("9", "optic", "C4.5")]


def test_only_optic_by_nn_has_a_pem_too_high_for_its_average_qrecall() -> None:
    module = script()
    broken = [
        (row["table"], module.slug(row), row["classifier"])
        for row in module.ROWS
        if row["pem"] and not evaluate(module.floor_claim(row, "pem"))
    ]
    assert broken == [("9", "optic", "NN")]


# The rankings behind the tables ---------------------------------------------------------------


def fits(value: Fraction, printed: str) -> bool:
    """Whether a value, rounded or cut off, has the printed digits; 1 stands for exactly 1."""
    if printed == "1":
        return value == 1
    unit = Fraction(1, 10 ** len(printed.partition(".")[2]))
    return abs(value - Fraction(printed)) <= unit / 2 or 0 <= value - Fraction(printed) < unit


def partitions(total: int, parts: int, largest: int) -> Iterator[tuple[int, ...]]:
    """The ways to write a total as falling numbers, filled up with zeros."""
    if total == 0:
        yield (0,) * parts
    elif parts:
        for first in range(min(total, largest), 0, -1):
            if first * parts < total:
                break
            for rest in partitions(total - first, parts - 1, first):
                yield (first, *rest)


def rankings(row: dict[str, str], n: int, positives: int) -> Iterator[tuple[int, ...]]:
    """Places of the positives in every ranking with the row's AUC or PEM and hit rate.

    Only AUC spreads ties, so the AUC of C4.5 says nothing of the ranking.
    """
    pairs = positives * (n - positives)
    for inversions in range(pairs + 1):
        auc = 1 - Fraction(inversions, pairs)
        if row["classifier"] != "C4.5" and not fits(auc, row["auc"]):
            continue
        if row["pem"] and not fits(2 * auc - 1, row["pem"]):
            continue
        # Each positive has as many negatives above it as its part says.
        for negatives_above in partitions(inversions, positives, n - positives):
            places = tuple(k + above for k, above in enumerate(reversed(negatives_above), 1))
            hits = sum((Fraction(k, place) for k, place in enumerate(places, 1)), Fraction(0))
            if fits(hits / positives, row["average_hit_rate"]):
                yield places


def average_qrecall(places: tuple[int, ...], n: int, start: int) -> Fraction:
    """The mean Qrecall from a place on."""
    total = sum(n + 1 - max(place, start) for place in places)
    return Fraction(total, len(places) * (n + 1 - start))


def test_the_reconstructed_rankings_are_the_only_ones_and_fit_the_shifted_sum_alone() -> None:
    module = script()
    assert len(module.RANKINGS) == 13
    for (table, name, classifier), labels in module.RANKINGS.items():
        keys = (table, name, classifier)
        row = next(r for r in module.ROWS if (r["table"], r["dataset"], r["classifier"]) == keys)
        n, positives = len(labels), labels.count("1")
        assert n == int(row["instances"]) - int(row["instances"]) * 66 // 100
        (places,) = rankings(row, n, positives)
        assert "".join("01"[j in places] for j in range(1, n + 1)) == labels
        printed = row["average_qrecall"]
        assert fits(average_qrecall(places, n, positives + 1), printed)
        assert not fits(average_qrecall(places, n, positives), printed)


@pytest.mark.parametrize(("n", "exists"), [(290, False), (435, True)])
def test_vote_cannot_have_290_instances(n: int, exists: bool) -> None:
    row = script().find("8", "vote", "NN")
    size = n - n * 66 // 100
    found = any(
        fits(average_qrecall(places, size, start), row["average_qrecall"])
        for positives in range(1, size)
        for places in rankings(row, size, positives)
        for start in (positives, positives + 1)
    )
    assert found is exists


# The file -------------------------------------------------------------------------------------


def test_the_script_writes_the_file_byte_for_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = script()
    (tmp_path / "papers").mkdir()
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    module.main()
    made = (tmp_path / "papers" / "arbel.json").read_bytes()
    assert made == (DATASETS / "papers" / "arbel.json").read_bytes()
