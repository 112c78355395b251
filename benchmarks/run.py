"""Every bar for the speed of binteach, measured beside scikit-learn and scipy.

python -m benchmarks.run                  everything; some minutes
python -m benchmarks.run --quick          smaller sizes, to see that it runs
python -m benchmarks.run --only counts    the groups of this name; more than one may be given
python -m benchmarks.run --markdown       the table for a README
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import scipy
import sklearn
from scipy import stats
from sklearn import metrics

import binteach as bt
from benchmarks import explorers as pages
from benchmarks.harness import (
    Row,
    at_most,
    compared,
    growth,
    markdown_table,
    medians,
    noted,
    peak_bytes,
    ratio,
    shown_time,
    summary,
    text_table,
    within,
)

SEED = 20_240_501


@dataclass(frozen=True)
class Sizes:
    """How many cases, resamples and repetitions."""

    many: int = 1_000_000
    growing: tuple[int, ...] = (100_000, 1_000_000, 10_000_000)
    distinct: int = 100_000
    resampled: int = 1_000
    resamples: int = 10_000
    repeats: int = 7


FULL = Sizes()
QUICK = Sizes(
    many=20_000, growing=(1_000, 10_000), distinct=2_000, resampled=200, resamples=500, repeats=3
)

# Data -------------------------------------------------------------------------------------------


def untied(n: int) -> tuple[Any, Any]:
    """Probabilities that hardly ever tie, and are right about the labels."""
    random = np.random.default_rng(SEED)
    scores = random.random(n)
    return (random.random(n) < scores).astype(np.int64), scores


def tied(n: int) -> tuple[Any, Any]:
    """The same with two decimals."""
    labels, scores = untied(n)
    return labels, np.round(scores, 2)


def rare(n: int) -> tuple[Any, Any]:
    """Scores of both signs, and one positive in a hundred."""
    random = np.random.default_rng(SEED)
    labels = (random.random(n) < 0.01).astype(np.int64)
    return labels, random.normal(size=n) + labels


SHAPES: dict[str, Callable[[int], tuple[Any, Any]]] = {
    "untied": untied,
    "two-decimal ties": tied,
    "rare, both signs": rare,
}


# What is asked of binteach, each in one place ---------------------------------------------------


def exact_auc(labels: Any, scores: Any) -> object:
    return bt.value("auc", bt.Cases(labels, scores))


def counts_at_every_cut(labels: Any, scores: Any) -> object:
    ranking = bt.Cases(labels, scores).ranking
    return ranking.k, ranking.tp, ranking.fp


def average_precision_value(labels: Any, scores: Any) -> Any:
    return bt.value("average_precision", bt.Cases(labels, scores))


def average_precision_fraction(labels: Any, scores: Any) -> Fraction:
    return Fraction(average_precision_value(labels, scores))


def explained(measure: bt.Measure, table: bt.Counts) -> str:
    return bt.explain(measure, table).html()


# What the peers do ------------------------------------------------------------------------------


def rank_auc(labels: Any, scores: Any, axis: int = -1) -> Any:
    """AUC from mean ranks, for whole arrays of resamples at once."""
    ranks = stats.rankdata(scores, axis=axis)
    up, n = labels.sum(axis=axis), labels.shape[axis]
    return ((ranks * labels).sum(axis=axis) - up * (up + 1) / 2) / (up * (n - up))


def two_sample_auc(positives: Any, negatives: Any, axis: int = -1) -> Any:
    """The same from the scores of the two classes."""
    up, down = positives.shape[axis], negatives.shape[axis]
    ranks = stats.rankdata(np.concatenate([positives, negatives], axis=axis), axis=axis)
    of_positives = np.take(ranks, np.arange(up), axis=axis).sum(axis=axis)
    return (of_positives - up * (up + 1) / 2) / (up * down)


def scipy_bootstrap(labels: Any, scores: Any, resamples: int, batch: int) -> object:
    return stats.bootstrap(
        (labels, scores),
        rank_auc,
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=resamples,
        batch=batch,
        random_state=SEED,
    )


def scipy_permutation_test(labels: Any, scores: Any, resamples: int, batch: int) -> object:
    return stats.permutation_test(
        (scores[labels == 1], scores[labels == 0]),
        two_sample_auc,
        permutation_type="independent",
        vectorized=True,
        n_resamples=resamples,
        batch=batch,
        random_state=SEED,
    )


BATCHES = (5, 10, 30, 100, 300, 1_000, 10_000)


def best_batch(run: Callable[..., object]) -> int:
    """The batch size with which scipy is fastest here."""
    seconds = medians(*(partial(run, batch=batch) for batch in BATCHES), repeats=1)
    return BATCHES[seconds.index(min(seconds))]


# Groups of rows ---------------------------------------------------------------------------------


def auc(sizes: Sizes) -> Iterator[Row]:
    """AUC, input checks included."""
    for shape, make in SHAPES.items():
        data = make(sizes.many)
        yield compared(
            f"AUC, n = {sizes.many:,}, {shape}, vs roc_auc_score",
            partial(exact_auc, *data),
            partial(metrics.roc_auc_score, *data),
            most=0.25,
            repeats=sizes.repeats,
        )


def counts(sizes: Sizes) -> Iterator[Row]:
    """All counts at every cut."""
    for shape, make in SHAPES.items():
        data = make(sizes.many)
        yield compared(
            f"counts at every cut, n = {sizes.many:,}, {shape}, vs roc_curve",
            partial(counts_at_every_cut, *data),
            partial(metrics.roc_curve, *data, drop_intermediate=False),
            most=0.30,
            repeats=sizes.repeats,
        )


def scaling(sizes: Sizes) -> Iterator[Row]:
    """How time grows with the number of cases, and how much memory each needs."""
    first, last = sizes.growing[0], sizes.growing[-1]
    for what, work in (("AUC", exact_auc), ("counts at every cut", counts_at_every_cut)):
        for shape in ("untied", "two-decimal ties"):
            works = [partial(work, *SHAPES[shape](n)) for n in sizes.growing]
            exponent = growth(sizes.growing, medians(*works, repeats=sizes.repeats))
            grown = f"{what}, {shape}: exponent of growth from {first:,} to {last:,}"
            yield at_most(grown, exponent, 1.15)
            held = f"{what}, {shape}: peak memory per case, n = {last:,}"
            yield at_most(held, peak_bytes(works[-1]) / last, 64, " B")


def average_precision(sizes: Sizes) -> Iterator[Row]:
    """Exact average precision: the value as it comes, and the whole fraction."""
    random = np.random.default_rng(SEED)
    scores = random.permutation(sizes.distinct) / sizes.distinct
    labels = (random.random(sizes.distinct) < scores).astype(np.int64)
    for what, ours in (
        ("value", average_precision_value),
        ("as a Fraction", average_precision_fraction),
    ):
        yield compared(
            f"average precision, {what}, n = {sizes.distinct:,} distinct scores, "
            "vs average_precision_score",
            partial(ours, labels, scores),
            partial(metrics.average_precision_score, labels, scores),
            most=4,
            repeats=sizes.repeats,
        )


def resampling(sizes: Sizes) -> Iterator[Row]:
    """Bootstrap and permutation test of the AUC."""
    asked: dict[str, Any] = {"resamples": sizes.resamples, "seed": SEED}
    ways = (
        ("bootstrap", partial(bt.bootstrap, **asked), scipy_bootstrap),
        (
            "permutation test",
            partial(bt.permutation_test, method="monte_carlo", **asked),
            scipy_permutation_test,
        ),
    )
    for shape in ("untied", "two-decimal ties"):
        data = SHAPES[shape](sizes.resampled)
        cases = bt.Cases(*data)
        for what, ours, peer in ways:
            theirs = partial(peer, *data, sizes.resamples)
            batch = best_batch(theirs)
            yield compared(
                f"{what} of AUC, {sizes.resamples:,} resamples, n = {sizes.resampled:,}, {shape}, "
                f"vs scipy in batches of {batch}",
                partial(ours, cases, "auc"),
                partial(theirs, batch),
                most=1 / 8,
                repeats=sizes.repeats,
            )


def exact_permutation(sizes: Sizes) -> Iterator[Row]:
    """The exact p-value of the AUC."""
    data = {"ten cases": (bt.load("ten_cases"), 1e-3)}
    for shape in ("untied", "two-decimal ties"):
        data[f"n = 100, {shape}"] = (bt.Cases(*SHAPES[shape](100)), 50e-3)
    for name, (cases, most) in data.items():
        work = partial(bt.permutation_test, cases, "auc")
        (seconds,) = medians(work, repeats=3 * sizes.repeats)
        yield within(f"exact permutation p-value of AUC, {name}", seconds, most)


def importing(sizes: Sizes) -> Iterator[Row]:
    """`import binteach`, beyond what the interpreter itself takes to start."""

    def started(program: str) -> partial[object]:
        return partial(subprocess.run, [sys.executable, "-c", program], check=True)

    bare, loaded = medians(started("pass"), started("import binteach"), repeats=3 * sizes.repeats)
    # They may come out in the wrong order when the import takes next to nothing.
    extra = max(loaded - bare, 0.0)
    yield within("import binteach, over a bare interpreter", extra, 30e-3, shown_time(bare))


TABLES = (bt.Counts(3, 1, 2, 4), bt.Counts(1234, 567, 89, 4321))


def explaining(sizes: Sizes) -> Iterator[Row]:
    """The derivation of a counts measure and its HTML, warm; the slowest of all."""
    works = {
        (measure.key, table.n): partial(explained, measure, table)
        for measure in bt.MEASURES.values()
        if measure.takes == "counts"
        for table in TABLES
    }
    found = medians(*works.values(), repeats=sizes.repeats)
    key, n = max(zip(found, works, strict=True))[1]
    # The largest of many medians is large by luck, too: it is measured anew.
    (seconds,) = medians(works[key, n], repeats=7 * sizes.repeats)
    yield within(
        f"explain a counts measure, with HTML; the slowest is {key}, n = {n:,}", seconds, 2e-3
    )


def explorers(sizes: Sizes) -> Iterator[Row]:
    """A step of a slider in JupyterLab, what a saved page weighs, and when it is first seen."""
    cases = bt.load("ten_cases")
    shown = {"threshold": bt.explorers.threshold(cases), "quota": bt.explorers.quota(cases)}
    with tempfile.TemporaryDirectory() as folder:
        for name, explorer in shown.items():
            size = explorer.save(Path(folder) / f"{name}.html").stat().st_size / 1e6
            yield at_most(f"saved page of the {name} explorer, ten cases", size, 3, " MB")
        if pages.chromium() is None:
            print("... no `chromium` on the PATH: no slider is moved", file=sys.stderr)
            return
        found = pages.measure(Path(folder), rounds=sizes.repeats)
    for name in shown:
        step = f"step of the slider of the {name} explorer in JupyterLab, vs {pages.BARE}"
        yield ratio(step, found.steps[name], found.steps[pages.BARE], most=2)
    for name in shown:
        first = f"{name} explorer in JupyterLab: from running the cell to the first picture"
        yield noted(first, found.first_picture[name], shown_time(found.first_picture[pages.BARE]))


GROUPS: dict[str, Callable[[Sizes], Iterator[Row]]] = {
    "auc": auc,
    "counts": counts,
    "scaling": scaling,
    "average_precision": average_precision,
    "resampling": resampling,
    "exact_permutation": exact_permutation,
    "importing": importing,
    "explaining": explaining,
    "explorers": explorers,
}


def conditions(sizes: Sizes) -> str:
    """Where and when; without it a figure means nothing."""
    return (
        f"{date.today()}, Python {platform.python_version()}, numpy {np.__version__}, "
        f"scipy {scipy.__version__}, scikit-learn {sklearn.__version__}, "
        f"{os.cpu_count()} cores, seed {SEED}, medians of {sizes.repeats} interleaved runs or more"
    )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Measure binteach beside its peers.")
    parser.add_argument("--quick", action="store_true", help="smaller sizes, to see that it runs")
    parser.add_argument("--markdown", action="store_true", help="print the table for a README")
    parser.add_argument("--only", nargs="+", choices=GROUPS, default=list(GROUPS), metavar="GROUP")
    asked = parser.parse_args(arguments)
    sizes = QUICK if asked.quick else FULL
    rows = []
    for name in asked.only:
        for row in GROUPS[name](sizes):
            print(f"... {row.what}", file=sys.stderr)
            rows.append(row)
    print(conditions(sizes), end="\n\n")
    print(markdown_table(rows) if asked.markdown else text_table(rows), end="\n\n")
    print(summary(rows))
    if asked.quick:
        print("Sizes were small, and the bars are for large ones: only a full run judges.")


if __name__ == "__main__":
    main()
