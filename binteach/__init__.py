"""binteach: how binary classifiers are judged, exactly and step by step.

>>> import binteach as bt
>>> bt.value("precision", bt.Counts(tp=3, fp=1, fn=2, tn=4))
Fraction(3, 4)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from binteach.cases import Cases, Counts, Undefined
    from binteach.curves import Curve, curve
    from binteach.data import datasets, load
    from binteach.derivation import Derivation, explain
    from binteach.exercises.lessons import Lesson, lesson, lessons
    from binteach.exercises.outcome import Outcome
    from binteach.exercises.question import Question, question
    from binteach.explorers import explore
    from binteach.inference import (
        Boundary,
        bootstrap,
        bootstrap_oob,
        compare,
        coverage,
        interval,
        permutation_retrain,
        permutation_test,
    )
    from binteach.ledger import papers
    from binteach.measures import MEASURES, Measure, measure, value
    from binteach.proofs import identities, identity

__version__ = "0.1.0"

# Public name -> module; a module is loaded when one of its names is first used.
_HOME = {
    "Boundary": "inference",
    "Cases": "cases",
    "Counts": "cases",
    "Curve": "curves",
    "Derivation": "derivation",
    "Lesson": "exercises",
    "MEASURES": "measures",
    "Measure": "measures",
    "Outcome": "exercises",
    "Question": "exercises",
    "Undefined": "cases",
    "bootstrap": "inference",
    "bootstrap_oob": "inference",
    "compare": "inference",
    "coverage": "inference",
    "curve": "curves",
    "datasets": "data",
    "explore": "explorers",
    "identities": "proofs",
    "identity": "proofs",
    "explain": "derivation",
    "interval": "inference",
    "lesson": "exercises",
    "lessons": "exercises",
    "load": "data",
    "measure": "measures",
    "papers": "ledger",
    "permutation_retrain": "inference",
    "permutation_test": "inference",
    "question": "exercises",
    "value": "measures",
}

__all__ = [
    "MEASURES",
    "Boundary",
    "Cases",
    "Counts",
    "Curve",
    "Derivation",
    "Lesson",
    "Measure",
    "Outcome",
    "Question",
    "Undefined",
    "bootstrap",
    "bootstrap_oob",
    "compare",
    "coverage",
    "curve",
    "datasets",
    "explain",
    "explore",
    "identities",
    "identity",
    "interval",
    "lesson",
    "lessons",
    "load",
    "measure",
    "papers",
    "permutation_retrain",
    "permutation_test",
    "question",
    "value",
]


def __getattr__(name: str) -> Any:
    if name == "explorers":  # a part with many names of its own
        return import_module("binteach.explorers")
    if name not in _HOME:
        raise AttributeError(f"module 'binteach' has no attribute {name!r}")
    module = import_module(f"binteach.{_HOME[name]}")
    import_module("binteach.render")  # what can be shown must know how
    found = getattr(module, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
