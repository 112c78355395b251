"""The README shows what the program does now."""

import doctest
import re
from pathlib import Path

import pytest

import binteach as bt
from binteach.cli import main

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def output_of(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 0
    return capsys.readouterr().out.rstrip()


def test_the_table_of_measures_is_the_registry(capsys: pytest.CaptureFixture[str]) -> None:
    found = re.search(r"<!-- measures: .*? -->\n(.*?)\n<!-- end of measures -->", README, re.DOTALL)
    assert found is not None
    assert found[1] == output_of(["measures", "--markdown"], capsys)
    assert found[1].count("\n") == len(bt.MEASURES) + 1


def test_the_counts_of_verdicts_are_those_of_the_ledger(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = re.search(r"```console\n\$ binteach papers --counts\n(.*?)\n```", README, re.DOTALL)
    assert found is not None
    assert found[1] == output_of(["papers", "--counts"], capsys)


def test_the_first_example_prints_what_the_readme_shows(capsys: pytest.CaptureFixture[str]) -> None:
    found = re.search(r"```console\n\$ binteach (.*?)\n(.*?)\n```", README, re.DOTALL)
    assert found is not None
    assert found[2] == output_of(found[1].split(), capsys)


def test_the_python_example_gives_what_its_comments_say() -> None:
    found = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert found is not None
    claims = re.findall(r"^(bt\.value\(.*\)) +# (.*)$", found[1], re.MULTILINE)
    assert len(claims) == 2
    cases = bt.load("ten_cases")
    shown = [str(bt.value("auc", cases)), str(bt.value("MCC", bt.Counts(tp=3, fp=1, fn=2, tn=4)))]
    assert [claim for _, claim in claims] == [f"Fraction({shown[0].replace('/', ', ')})", shown[1]]


def test_the_replies_are_those_that_students_get() -> None:
    (block,) = re.findall(r"```python\n(>>> .*?)```", README, re.DOTALL)
    examples = doctest.DocTestParser().get_doctest(block, {"bt": bt}, "README", None, None)
    assert len(examples.examples) == 4
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_the_number_of_questions_is_that_of_the_bank() -> None:
    assert (
        f"{sum(len(bt.lesson(name)) for name in bt.lessons())} questions in ten lessons" in README
    )


def test_every_link_leads_to_a_file() -> None:
    root = Path(__file__).parent.parent
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in link]
    assert [link for link in links if not (root / link).exists()] == []
