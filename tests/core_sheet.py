"""What the exact core says, as texts by name: the same on every Python, with numpy and without.

    python core_sheet.py OUT            everything, written to OUT as JSON
    python core_sheet.py OUT --without  the same with the heavy packages kept out
    python core_sheet.py OUT --brief    a part of it, for a slow Python

Where there is numpy, small data are handed over in its arrays, so that both ways through the
core are compared.
"""

import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

HEAVY = ("numpy", "scipy", "pandas", "bokeh", "jupyter_bokeh", "sklearn")
LARGE = ("breast_cancer", "rare_events")
SEEDS = ("0", "1", "student-17")
NOT_CASES = ("murphy_abc", "arbel_experiments")
JUDGED = "judged: "
AT_QUOTA = ("hit_rate", "qrecall", "quota_lift", "quota_pearson")


class KeptOut:
    """Finds nothing of these packages, as on a Python that does not have them."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name.partition(".")[0] in HEAVY:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def keep_out() -> None:
    """Let nothing heavy be loaded from here on."""
    assert not set(HEAVY) & set(sys.modules)
    sys.meta_path.insert(0, KeptOut())


def digest(text: object) -> str:
    return sha256(str(text).encode()).hexdigest()


def attempt(make: Any) -> str:
    """A text, or the error in its place."""
    try:
        return str(make())
    except (ValueError, ImportError) as wrong:
        return f"{type(wrong).__name__}: {wrong}"


# The data -----------------------------------------------------------------------------------------


def data(brief: bool) -> dict[str, Any]:
    """Small data of every kind, and some with many rows."""
    import binteach as bt

    names = [name for name in bt.datasets() if name not in NOT_CASES]
    found = {name: bt.load(name) for name in names if not (brief and name in LARGE)}
    ten = found["ten_cases"]
    found |= {
        "ties": bt.Cases([1, 0, 0, 1, 1, 0, 1], [0.5, 0.5, 0.25, 0.9, 0.5, 0.25, 0.1]),
        "one score": bt.Cases([1, 0, 1], [1, 1, 1]),
        "positives alone": bt.Cases([1, 1], ["1/3", "1/7"]),
        "negatives alone": bt.Cases([0, 0], [0, 1], positive=1),
        "weighted": bt.Cases(ten.labels, ten.scores, weights=[1, 2, 0, "1/3", 1, 1, 5, 1, 0, 2]),
        "long numbers": bt.Cases([1, 0, 1, 0], [10**40, 3, -(10**39), Fraction(1, 10**30)]),
        "certain": bt.Cases([1, 0, 1, 0, 1], [1, 0, 0.25, 1, 0.5]),
    }
    return {name: in_arrays(cases) for name, cases in found.items()}


def in_arrays(cases: Any) -> Any:
    """The same cases, kept in numpy's arrays where there is numpy."""
    import binteach as bt

    if any(isinstance(each, KeptOut) for each in sys.meta_path) or find_spec("numpy") is None:
        return cases
    import numpy as np

    labels = np.array(cases.labels)
    return bt.Cases(labels, cases.scores, names=cases.names, weights=cases.weights)


def data_of(measure: Any, cases: Any) -> Any:
    """What a measure is computed from."""
    if measure.takes == "classes":
        return {"one": cases, "other": cases}
    return [((0, 1), ("1/2", 1), (3, 4))] if measure.takes == "triplets" else cases


# The parts ----------------------------------------------------------------------------------------


def measures(brief: bool) -> Iterator[tuple[str, str]]:
    """Every measure on all data: value, text and HTML."""
    import binteach as bt

    for name, cases in data(brief).items():
        cuts = cases.ranking.cuts
        cut, quota = {"top": cuts[len(cuts) // 2].k}, {"top": min(5, cases.n)}
        for key, measure in bt.MEASURES.items():
            params = cut if measure.takes == "counts" else quota if key in AT_QUOTA else {}

            def explained(measure: Any = measure, cases: Any = cases, params: Any = params) -> str:
                found = bt.explain(measure, data_of(measure, cases), **params)
                return f"{found}\n{digest(found.html())} {digest(found.latex())}"

            yield f"{name}: {key}", attempt(explained)
        for kind in ("roc", "roc_hull", "pr", "tpr_fpr", "gain", "lift", "hit_rate", "qrecall"):
            yield f"{name}: curve {kind}", attempt(lambda k=kind, c=cases: bt.curve(k, c))
            yield f"{name}: thin {kind}", attempt(lambda k=kind, c=cases: bt.curve(k, c).thin(8))
        yield f"{name}: shown", digest(cases._repr_html_())


def lessons(brief: bool) -> Iterator[tuple[str, str]]:
    """What every question asks, hints and works out, and how it judges answers."""
    import binteach as bt

    for name in bt.lessons():
        asked = (
            f"{question.key}\n{question.ask()}"
            for seed in SEEDS
            for question in bt.lesson(name, seed=seed)
        )
        yield f"{name}: digest", digest("\n".join(asked))
        for question in bt.lesson(name, seed="sheet"):
            answers = [question.goal.right(), *(each.answer for each in question.named)]
            told = [question.check(answer) for answer in answers]
            worked = question.goal.worked()
            yield (
                f"{name}: {question.key}",
                f"{question.ask()}\n{question.hints}\n{worked}\n"
                + "\n".join(
                    f"{JUDGED}{each.status} {each.record['mistakes']} {each}" for each in told
                ),
            )


def ledger(brief: bool) -> Iterator[tuple[str, str]]:
    """The verdict on every number that the documents print, and a few explanations."""
    import binteach as bt

    for place, record in enumerate(bt.papers()):
        if not brief or place % 10 == 0:
            yield record.id, f"{record.check()} {record.value}"


def identities(brief: bool) -> Iterator[tuple[str, str]]:
    """Every identity with its proof, and both sides on data."""
    import binteach as bt

    cases = in_arrays(bt.load("ten_cases"))
    for place, found in enumerate(bt.identities()):
        if brief and place % 3:
            continue
        yield found.key, str(found)
        for given in (cases, bt.Counts(3, 1, 2, 4)):
            yield (
                f"{found.key} on {type(given).__name__}",
                attempt(lambda f=found, g=given: f.check(g)),
            )


def inference(brief: bool) -> Iterator[tuple[str, str]]:
    """Intervals for shares, the exact permutation test, McNemar's test."""
    import binteach as bt

    for method in ("wald", "wilson", "agresti_coull", "clopper_pearson", "jeffreys"):
        for r, n in ((3, 5), (0, 4), (7, 7), (50, 1000)):
            yield f"{method} {r} of {n}", str(bt.interval(method, r, n, level="0.9"))
    ten, other = (in_arrays(bt.load(name)) for name in ("ten_cases", "ten_cases_b"))
    for key in ("auc", "gini", "taks"):
        yield f"permutation {key}", str(bt.permutation_test(ten, key))
    yield "mcnemar", str(bt.compare("mcnemar", ten, other, at="0.5"))


def cards(brief: bool) -> Iterator[tuple[str, str]]:
    """The card of every lesson, answered and asked for help."""
    import binteach as bt

    for name in bt.lessons():
        card = bt.lesson(name, seed="sheet").card()
        for place in range(2 if brief else len(card.questions)):
            sheet, question = card.sheet, card.questions[place]
            said: list[str] = []
            if question.goal.entry == "line":
                for answer in (question.named[0].answer, question.goal.right()):
                    sheet.field.widget.value = str(answer)
                    sheet.check()
                    said.append(sheet.reply.value)
            sheet.hint()
            sheet.solve()
            said += [sheet.hints.value, sheet.solution.value]
            yield f"{name} {place}", "\n".join(said)
            if place + 1 < len(card.questions):
                card.turn(1)


PARTS = (measures, lessons, ledger, identities, inference, cards)


def sheet(brief: bool = False) -> dict[str, dict[str, str]]:
    """Everything, by part and name."""
    return {part.__name__: dict(part(brief)) for part in PARTS}


if __name__ == "__main__":
    if "--without" in sys.argv:
        keep_out()
    written = json.dumps(sheet("--brief" in sys.argv), ensure_ascii=False, indent=0)
    Path(sys.argv[1]).write_text(written, encoding="utf-8")
    assert "--without" not in sys.argv or not set(HEAVY) & set(sys.modules)
