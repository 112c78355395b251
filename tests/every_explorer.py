"""Every explorer on few cases: how it is made, and what its page must show, by the exact measures.

The same checks run on it wherever it is shown: in its own page, in JupyterLab, in the page that
nbconvert makes.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from explorer_pages import Shown, open_page

import binteach as bt
from binteach import exact, explorers
from binteach.explorers.loss_kinds import LOSSES
from binteach.explorers.voting import SHOWN as PEAKING
from binteach.render import html

TEN = bt.load("ten_cases")


# What a page must show ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Shows:
    """Equal to every text that shows this value: exactly, or rightly rounded after a ≈."""

    value: Any

    def __eq__(self, text: object) -> bool:
        assert isinstance(text, str)
        plain = text.replace("−", "-")
        if self.value is None:
            return plain.startswith("undefined")
        exactly = re.match(r"-?\d+(/\d+|\.\d+)?(?![\d√/.])", plain)
        rounded = re.search(r"≈ (-?\d+\.(\d+))", plain)
        is_right = rounded and exact.rounded(self.value, len(rounded[2])) == rounded[1]
        if exactly:
            return Fraction(exactly[0]) == self.value and (rounded is None or bool(is_right))
        return bool(is_right)


@dataclass(frozen=True)
class Holds:
    """Equal to every text that holds the derivation of a result."""

    derivation: bt.Derivation

    def __eq__(self, text: object) -> bool:
        assert isinstance(text, str)
        return html.fragment(self.derivation) in text


def attempt(key: str, data: Any, **params: Any) -> Any:
    """A value, or None where it is undefined."""
    try:
        return bt.value(key, data, **params)
    except bt.Undefined:
        return None


def point(x: Any, y: Any) -> list[list[float]]:
    """The source of a point; empty where it does not exist."""
    return [[], []] if x is None or y is None else [[float(x)], [float(y)]]


def near(x: Any, y: Any) -> list[list[Any]]:
    """The same of a point that the page works out by itself, in doubles."""
    return [[about(each) for each in column] for column in point(x, y)]


def about(number: Any) -> Any:
    """A double that the page works out by itself."""
    return pytest.approx(float(number), rel=1e-12)


def matrix(counts: bt.Counts) -> list[Shows]:
    return [Shows(Fraction(each)) for each in (counts.tp, counts.fp, counts.fn, counts.tn)]


def threshold_at(explorer: Any, k: int) -> dict[str, Any]:
    counts = TEN.top(k)
    tpr, fpr, precision, lift = (
        attempt(key, counts) for key in ("recall", "FPR", "precision", "lift")
    )
    return {
        "roc": point(fpr, tpr),
        "pr": point(tpr, precision),
        "rates": [[k, k], [float(tpr), float(fpr)]],
        "gain": point(k, counts.tp),
        "lift": point(k, lift),
        "measure": point(k, precision),
        "matrix": matrix(counts),
        "derivation": Holds(bt.explain("precision", counts)),
    }


def quota_at(explorer: Any, j: int) -> dict[str, Any]:
    hit_rate, recall, lift, pearson = (
        attempt(key, TEN, top=j) for key in ("hit_rate", "qrecall", "quota_lift", "quota_pearson")
    )
    # Ten cases, ten deciles: each quota ends in the decile of its own number.
    decile = attempt("decile_lift", TEN, decile=j) if j else None
    return {
        "hit_rate": point(j, hit_rate),
        "qrecall": point(j, recall),
        "decile": point(j, decile),
        "numbers": [Shows(each) for each in (hit_rate, recall, lift, pearson)],
        "derivation": Holds(bt.explain("pem", TEN)),
    }


def compare_at(explorer: Any, k: int) -> dict[str, Any]:
    all_counts = [cases.top(k) for cases in explorer.models.values()]
    rates = [[attempt(key, each) for key in ("FPR", "TPR", "precision")] for each in all_counts]
    accuracies = [attempt("accuracy", each) for each in all_counts]
    best = [
        name for name, a in zip(explorer.models, accuracies, strict=True) if a == max(accuracies)
    ]
    return {
        "roc": [point(fpr, tpr) for fpr, tpr, _ in rates],
        "pr": [point(tpr, precision) for _, tpr, precision in rates],
        "accuracy": [Shows(each) for each in accuracies],
        "winner": "tie" if len(best) == len(accuracies) else " = ".join(best),
    }


def voting_at(explorer: Any, x: int) -> dict[str, Any]:
    models = [explorer.models[name] for name in explorer.best_first[:x]]
    scores = [sum(each, Fraction(0)) / x for each in zip(*(m.scores for m in models), strict=True)]
    average = bt.Cases(models[0].labels, scores)
    params: dict[str, dict[str, Any]] = {"quota_pearson": {"top": average.n}}
    values = {key: attempt(key, average, **params.get(key, {})) for key in PEAKING}
    return {
        "now": {key: point(x, value) for key, value in values.items()},
        "line": x,
        "table": [Shows(value) for value in values.values()],
        "chosen": x,
    }


def shares(cases: bt.Cases, k: int, share: Fraction) -> bt.Counts:
    """The confusion matrix when so many of all cases are positive."""
    counts = cases.top(k)
    up, down = share / cases.positives, (1 - share) / cases.negatives
    return bt.Counts(up * counts.tp, down * counts.fp, up * counts.fn, down * counts.tn)


def prevalence_at(explorer: Any, place: int) -> dict[str, Any]:
    counts = shares(TEN, 4, explorer.prevalences[place])
    tpr, fpr, precision = (attempt(key, counts) for key in ("recall", "FPR", "precision"))
    return {
        "roc": point(fpr, tpr),
        "pr": near(tpr, precision),
        "pr_text": [Shows(tpr), Shows(precision)],
        "matrix": matrix(counts),
        "table": [Shows(attempt(key, counts)) for key in ("precision", "accuracy", "recall")],
    }


def costs_at(explorer: Any, place: int) -> dict[str, Any]:
    """At the data's own prevalence of one half."""
    (cost_fp, cost_fn), cuts = explorer.prices[place], range(TEN.n + 1)
    costs = [attempt("expected_cost", TEN.top(k), cost_fp=cost_fp, cost_fn=cost_fn) for k in cuts]
    best = [k for k in cuts if costs[k] == min(costs)]
    return {
        "cost": [list(cuts), [about(cost) for cost in costs]],
        "cheapest": best,
        "best": [[float(bt.value(key, TEN.top(k))) for k in best] for key in ("FPR", "TPR")],
        "least": [Shows(min(costs))] * len(best),
    }


def losses_at(explorer: Any, gamma: float) -> dict[str, Any]:
    given: dict[str, dict[str, Any]] = {
        "zero_one": {"at": "1/2"},
        "hinge": {"scale": 4},
        "balanced": {"alpha": "1/2"},
        "focal": {"gamma": exact.exact(repr(gamma), "gamma")},
    }
    averages = {
        key: bt.value(loss.measure, TEN, **given.get(key, {})) for key, loss in LOSSES.items()
    }
    each = [
        bt.value("focal_loss", bt.Cases([label], [score]), **given["focal"])
        for label, score in zip(TEN.labels, TEN.scores, strict=True)
    ]
    split = [[e for e, label in zip(each, TEN.labels, strict=True) if label == c] for c in (1, 0)]
    return {
        "averages": [Shows(average) for average in averages.values()],
        "mean": [float(averages["focal"])] * 2,
        "dots": [[about(loss) for loss in losses] for losses in split],
        "texts": [[Shows(loss) for loss in losses] for losses in split],
        "derivation": Holds(bt.explain("focal_loss", TEN, **given["focal"])),
    }


def intervals_at(explorer: Any, r: int) -> dict[str, Any]:
    methods = ("wald", "wilson", "agresti_coull", "clopper_pearson", "jeffreys")
    found = {method: bt.interval(method, r, 5) for method in methods}
    return {
        "estimate": r / 5,
        "ends": {
            method: [Shows(Fraction(each.low)), Shows(Fraction(each.high))]
            for method, each in found.items()
        },
        "derivation": Holds(found["wald"].explain()),
    }


def edit_at(explorer: Any, threshold: float) -> dict[str, Any]:
    counts = TEN.at(repr(threshold))
    tpr, fpr, precision = (attempt(key, counts) for key in ("recall", "FPR", "precision"))
    return {
        "roc": near(fpr, tpr),
        "pr": near(tpr, precision),
        "line": threshold,
        "matrix": matrix(counts),
        "measures": [
            *(Shows(bt.value(key, TEN)) for key in ("auc", "log_loss")),
            *(Shows(attempt(key, counts)) for key in ("precision", "MCC")),
        ],
    }


# The table ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Example:
    """An explorer on few cases.

    code    makes it, in a cell of a notebook
    trait   what the first slider of its page sets
    drag    where the mouse takes that slider
    reads   what is read from the page: over `args`, the things that its code moves
    wanted  what that must be, at a value of the slider
    """

    code: str
    trait: str
    drag: float
    reads: str
    wanted: Callable[[Any, Any], dict[str, Any]]


EXAMPLES = {
    "threshold": Example(
        "threshold(bt.load('ten_cases'), cut=4)",
        "cut",
        8,
        """({
          ...Object.fromEntries(["roc", "pr", "rates", "gain", "lift", "measure"].map(
            (name) => [name, point(args.now[name])])),
          matrix: bold(args.matrix), derivation: args.derivation.text,
        })""",
        threshold_at,
    ),
    "quota": Example(
        "quota(bt.load('ten_cases'), 4)",
        "quota",
        8,
        """({
          hit_rate: point(args.now.hit_rate), qrecall: point(args.now.qrecall),
          decile: point(args.now.decile),
          numbers: rows(args.numbers).slice(1, 5).map((row) => row[1]),
          derivation: args.derivation.text,
        })""",
        quota_at,
    ),
    "compare": Example(
        "compare.example('arbel', cut=8, group='counts')",
        "cut",
        14,
        """({
          roc: args.now.roc.map(point), pr: args.now.pr.map(point),
          accuracy: [2, 4, 6].map((cell) => rows(args.table).find(
            (row) => row[0].startsWith("Accuracy"))[cell]),
          winner: rows(args.table).find((row) => row[0].startsWith("Accuracy"))[1],
        })""",
        compare_at,
    ),
    "voting": Example(
        "voting()",
        "x",
        9,
        """({
          now: Object.fromEntries(Object.entries(args.now).map(
            ([key, source]) => [key, point(source)])),
          line: args.line.location,
          table: rows(args.table).slice(1).map((row) => row[1]),
          chosen: all(args.chosen, "li.in").length,
        })""",
        voting_at,
    ),
    "prevalence": Example(
        "prevalence(bt.load('ten_cases'), cut=4)",
        "prevalence_place",
        9,
        """({
          roc: point(args.now.roc), pr: point(args.now.pr),
          pr_text: args.now.pr.data.text[0].match(/recall (.*), precision (.*)/).slice(1),
          matrix: bold(args.matrix),
          table: ["Precision", "Accuracy", "Sensitivity"].map(
            (name) => rows(args.table).find((row) => row[0] === name)[3]),
        })""",
        prevalence_at,
    ),
    "costs": Example(
        "costs(bt.load('ten_cases'))",
        "price_place",
        10,
        """({
          cost: point(args.now.cost), cheapest: args.now.cheapest.data.x,
          best: point(args.now.best),
          least: args.now.cheapest.data.text.map((text) => text.split(": cost ")[1]),
        })""",
        costs_at,
    ),
    "losses": Example(
        "losses(bt.load('ten_cases'))",
        "gamma",
        4,
        """({
          averages: rows(args.averages).slice(1).map((row) => row[2]), mean: args.mean.data.y,
          dots: [args.dots[1].data.y, args.dots[0].data.y],
          texts: [args.dots[1].data.loss, args.dots[0].data.loss],
          derivation: args.derivation.text,
        })""",
        losses_at,
    ),
    "intervals": Example(
        "intervals(3, 5)",
        "successes",
        1,
        """({
          estimate: args.estimate.location,
          ends: Object.fromEntries(Object.keys(args.state.titles).map((key, place) =>
            [key, args.ends.data.words[place].replace("▸ ", "").split(" to ")]).filter(
            ([key]) => key !== "bootstrap")),
          derivation: args.derivation.text,
        })""",
        intervals_at,
    ),
    "edit": Example(
        "edit(bt.load('ten_cases'))",
        "threshold",
        0.27,
        """({
          roc: point(args.sources.roc_now), pr: point(args.sources.pr_now),
          line: args.line.location, matrix: bold(args.matrix),
          measures: ["AUC", "Log loss", "Precision", "MCC"].map(
            (name) => rows(args.measures).find((row) => row[0] === name)[1]),
        })""",
        edit_at,
    ),
}
EXPORTED = [name for name in explorers.__all__ if name not in ("OF_CASES", "Explorer", "explore")]


@cache
def example(name: str) -> Any:
    """The explorer of this name on its few cases; for reading, not for setting."""
    return eval(EXAMPLES[name].code, {"bt": bt, **vars(explorers)})


# Checks -------------------------------------------------------------------------------------------


def check_drawn(shown: Shown) -> None:
    """No figure is blank, and the slider has a name for those who cannot see it."""
    colours = shown.colours()
    assert colours
    assert min(colours) > 5
    assert shown.handle().get_attribute("aria-label") == shown.slider()["title"]


def check_exact(shown: Shown, name: str, value: float) -> None:
    """With the slider at this value, the page's data and words are those of the measures."""
    wanted = EXAMPLES[name].wanted(example(name), value)
    shown.wait_for(value)
    # Most is there at once; some words come from Python, where it runs.
    shown.repeat(lambda: shown.look_up(EXAMPLES[name].reads) == wanted)
    assert shown.look_up(EXAMPLES[name].reads) == wanted
    for seen, meant in shown.boxes():
        assert seen == meant


def check_moves(
    shown: Shown, name: str, heard: Callable[[float], None] = lambda value: None
) -> None:
    """Keys and the mouse move the slider; everything is exact each time, and it is heard of."""
    slider = shown.slider()
    start, step = slider["value"], slider["step"]

    def arrived(value: float) -> None:
        check_exact(shown, name, value)
        heard(value)

    arrived(start)
    shown.press("ArrowRight")
    arrived(round(start + step, 9))
    shown.drag(EXAMPLES[name].drag)
    arrived(EXAMPLES[name].drag)
    shown.press("Home")
    arrived(slider["start"])
    shown.press("End")
    arrived(slider["end"])
    shown.drag(start)
    arrived(start)


# In a notebook ------------------------------------------------------------------------------------

IMPORTS = f"import binteach as bt\nfrom binteach.explorers import {', '.join(EXPORTED)}"


def shown_cells() -> list[str]:
    """A cell of imports, and one for each explorer that makes and shows it."""
    return [IMPORTS, *(f"made_{name} = {EXAMPLES[name].code}\nmade_{name}" for name in EXPORTED)]


def cell_of(name: str) -> int:
    """The number of the cell that shows an explorer."""
    return 1 + EXPORTED.index(name)


# Former names ---------------------------------------------------------------------------------

opened = open_page


def look_up(page: Any, expression: str) -> Any:
    return Shown(page).look_up(expression)


def press(page: Any, key: str) -> None:
    Shown(page).press(key)


def drag(page: Any, share: float) -> None:
    slider = Shown(page).slider()
    Shown(page).drag(slider["start"] + share * (slider["end"] - slider["start"]))
