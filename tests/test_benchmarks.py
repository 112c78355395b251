"""The benchmarks run, and what they compute from times is right."""

import math
import re
from fractions import Fraction
from time import perf_counter, sleep
from typing import Any

import numpy as np
import pytest
from sklearn import metrics

import binteach as bt
from benchmarks import explorers, harness, run
from benchmarks.harness import Row


def fake_medians(*seconds: float) -> Any:
    return lambda *works, repeats: [*seconds]


def test_a_ratio_is_ours_over_the_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness, "medians", fake_medians(0.003, 0.012))
    row = harness.compared("x", list, list, most=0.25, repeats=1)
    assert row.cells() == ("x", "3 ms", "12 ms", "0.250", "≤ 0.25", "yes")
    row = harness.compared("x", list, list, most=0.2, repeats=1)
    assert row.cells()[-1] == "NO"


def test_works_take_turns_and_are_warm() -> None:
    calls: list[str] = []
    harness.medians(lambda: calls.append("a"), lambda: calls.append("b"), repeats=3)
    assert "".join(calls) == "ab" + "ab" + "ba" + "ab"


def test_a_median_is_one_of_the_times() -> None:
    start = perf_counter()
    quick, slow = harness.medians(lambda: None, lambda: sleep(0.01), repeats=3)
    assert quick < 0.01 <= slow <= perf_counter() - start


def test_growth_is_the_exponent() -> None:
    assert harness.growth((10, 1000), (3.0, 300.0)) == pytest.approx(1)
    assert harness.growth((10, 77, 1000), (3.0, 5.0, 30_000.0)) == pytest.approx(2)


def test_peak_memory_counts_arrays_that_are_gone_at_the_end() -> None:
    size = 1_000_000
    peak = harness.peak_bytes(lambda: float((np.ones(size) + np.ones(size)).sum()))
    assert 16 * size <= peak <= 25 * size
    assert harness.peak_bytes(lambda: None) < 100_000


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(2.5, "2.5 s"), (0.05, "50 ms"), (0.001, "1 ms"), (2e-5, "20 µs"), (3e-9, "3 ns")],
)
def test_times_are_shown_in_a_fitting_unit(seconds: float, shown: str) -> None:
    assert harness.shown_time(seconds) == shown


ROWS = [
    Row("fine", "1 ms", "≤ 2 ms", True),
    Row("slow", "9 ms", "≤ 2", False, peer="3 ms", ratio="3.000"),
]


def test_a_missed_bar_stands_out() -> None:
    fine, slow = harness.text_table(ROWS).splitlines()[2:]
    assert fine.endswith("yes")
    assert slow.endswith("NO  <== MISSED")
    assert "| slow | 9 ms | 3 ms | 3.000 | ≤ 2 | **NO** |" in harness.markdown_table(ROWS)
    assert harness.summary(ROWS) == "1 of 2 bars met; MISSED: slow"
    assert harness.summary(ROWS[:1]) == "1 of 1 bars met"


def test_the_peers_compute_the_auc() -> None:
    for make in run.SHAPES.values():
        labels, scores = make(500)
        right = metrics.roc_auc_score(labels, scores)
        assert bt.value("auc", bt.Cases(labels, scores)) == pytest.approx(right)
        assert run.rank_auc(labels, scores) == pytest.approx(right)
        stacked = run.rank_auc(np.stack([labels] * 2), np.stack([scores, -scores]))
        assert stacked == pytest.approx([right, 1 - right])
        of_class = scores[labels == 1], scores[labels == 0]
        assert run.two_sample_auc(*of_class) == pytest.approx(right)
        up, down = (np.stack([of, -of], axis=1) for of in of_class)
        assert run.two_sample_auc(up, down, axis=0) == pytest.approx([right, 1 - right])


def test_scipy_resamples_the_auc() -> None:
    labels, scores = run.tied(60)
    found: Any = run.scipy_bootstrap(labels, scores, 200, batch=30)
    low, high = found.confidence_interval
    assert low < metrics.roc_auc_score(labels, scores) < high
    tested: Any = run.scipy_permutation_test(labels, scores, 200, batch=30)
    assert tested.statistic == pytest.approx(metrics.roc_auc_score(labels, scores))
    assert len(tested.null_distribution) == 200
    assert math.isclose(np.mean(tested.null_distribution), 0.5, abs_tol=0.05)


def test_the_data_are_what_their_names_say() -> None:
    for make in run.SHAPES.values():
        labels, scores = make(2_000)
        assert set(labels) == {0, 1}
        again = make(2_000)
        assert np.array_equal(labels, again[0])
        assert np.array_equal(scores, again[1])
    assert len(set(run.untied(2_000)[1])) == 2_000
    assert len(set(run.tied(2_000)[1])) == 101
    assert 5 <= run.rare(2_000)[0].sum() <= 50
    labels, scores = run.untied(50)
    assert run.average_precision_fraction(labels, scores) == Fraction(
        run.average_precision_value(labels, scores)
    )


def test_a_quick_run_prints_its_table(capsys: pytest.CaptureFixture[str]) -> None:
    run.main(["--quick", "--only", "average_precision", "importing", "--markdown"])
    shown = capsys.readouterr().out
    assert f"seed {run.SEED}" in shown
    rows = re.findall(
        r"^\| (?:average precision|import binteach).*\| (?:yes|\*\*NO\*\*) \|$", shown, re.M
    )
    assert len(rows) == 3
    assert re.search(r"^\d of 3 bars met", shown, re.M)
    assert "Sizes were small" in shown


def test_a_row_without_its_function_fails_loudly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "bt", object())
    for name in run.GROUPS.keys() - {"importing"}:
        with pytest.raises(AttributeError):
            list(run.GROUPS[name](run.QUICK))


def test_a_row_without_a_bar_is_not_judged() -> None:
    rows = [*ROWS, harness.noted("first picture", 1.5)]
    assert harness.text_table(rows).splitlines()[-1].split() == ["first", "picture", "1.5", "s"]
    assert harness.summary(rows) == "1 of 2 bars met; MISSED: slow"


def test_without_a_browser_no_slider_is_moved(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(explorers, "chromium", lambda: None)
    rows = list(run.explorers(run.QUICK))
    assert [row.met for row in rows] == [True, True]
    assert [row.bar for row in rows] == ["≤ 3 MB", "≤ 3 MB"]
    assert "no `chromium`" in capsys.readouterr().err
