"""The registry: every measure by its key, and by all its other names."""

from __future__ import annotations

import difflib
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from binteach.cases import Cases
from binteach.exact import shorten
from binteach.measures import counts, quota, ranking, scores
from binteach.measures.base import (
    DECLARED,
    DOCUMENTS,
    PARAMS,
    Context,
    Measure,
    Param,
    evaluate,
    number,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "DOCUMENTS",
    "MEASURES",
    "PARAMS",
    "Context",
    "Measure",
    "Param",
    "answers_to",
    "evaluate",
    "measure",
    "number",
    "value",
]

for _module in (counts, scores, ranking, quota):
    DECLARED.update({declared.key: declared for declared in _module.MEASURES})

MEASURES: Mapping[str, Measure] = MappingProxyType(DECLARED)
"""Every measure by its key, in the order of the README's table."""


def normal(name: str) -> str:
    """The name without case, spaces, apostrophes, underscores, and hyphens inside it.

    >>> normal("Youden's J"), normal("fall-out"), normal("LR-")
    ('youdensj', 'fallout', 'lr-')
    """
    text = "".join(c for c in name.casefold() if c not in " \t\n_'’`´").replace("−", "-")
    kept = [
        c
        for place, c in enumerate(text)
        if c not in "-‐‑–" or not (text[:place][-1:].isalnum() and text[place + 1 :][:1].isalnum())
    ]
    return "".join(kept)


def _index() -> dict[str, list[Measure]]:
    """Normal name -> the measures that claim it; a key belongs to its measure alone."""
    claims: dict[str, list[Measure]] = {}
    for declared in MEASURES.values():
        for name in (declared.title, *declared.names):
            found = claims.setdefault(normal(name), [])
            if declared not in found:
                found.append(declared)
    claims.update({normal(key): [declared] for key, declared in MEASURES.items()})
    return claims


_CLAIMS = _index()


def measure(name: str | Measure) -> Measure:
    """The measure with this key or any of its names.

    >>> measure("PPV")
    Measure('precision')
    """
    if isinstance(name, Measure):
        return name
    if not isinstance(name, str):
        swapped = "; the data come first, then the measure" if isinstance(name, Cases) else ""
        raise ValueError(f"{shorten(name)} is not the name of a measure; names are text{swapped}")
    found = _CLAIMS.get(normal(name), [])
    if len(found) == 1:
        return found[0]
    if found:
        listed = " or ".join(candidate.key for candidate in found)
        raise ValueError(f"{shorten(name)} may mean {listed}; say which")
    close = difflib.get_close_matches(normal(name), _CLAIMS, n=3)
    near = dict.fromkeys(candidate.key for match in close for candidate in _CLAIMS[match])
    hint = f"did you mean {' or '.join(near)}?" if near else "bt.MEASURES lists them all"
    raise ValueError(f"there is no measure {shorten(name)}; {hint}")


def answers_to(declared: Measure, name: str) -> bool:
    """Whether a name leads to this measure, and not to another one that it belongs to."""
    return _CLAIMS[normal(name)] == [declared]


def value(name: str | Measure, data: Any, /, **params: Any) -> Any:
    """The exact value of a measure; raises Undefined where it does not exist.

    It is a Fraction where it is rational, and a sympy expression where it is not. A number that
    would take pages, such as an average precision over 100,000 cuts, prints as <0.8437…>: float(),
    round() and .decimal(20) give its digits, .exactly() the number itself.

    >>> from binteach.cases import Counts
    >>> value("precision", Counts(tp=3, fp=1, fn=2, tn=4))
    Fraction(3, 4)
    """
    return measure(name)(data, **params)
