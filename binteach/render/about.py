"""All that is known about a measure, without any data."""

from __future__ import annotations

from fractions import Fraction

from binteach.derivation import explain
from binteach.expr import Node, Num, symbols
from binteach.measures import answers_to
from binteach.measures.base import DOCUMENTS, PARAMS, Measure, Prose
from binteach.render import html, text
from binteach.render.words import Block, Say, narrate

BETTER = {1: ", larger is better", -1: ", smaller is better", 0: ""}


def describe(measure: Measure) -> list[Block]:
    """Definition, range, random and perfect value, names, sources and advice."""
    said = (Say((f"{label}: ", *prose)) if label else Say(prose) for label, prose in facts(measure))
    return [*narrate(explain(measure)), *said]


def facts(measure: Measure) -> list[tuple[str, Prose]]:
    """What is known about a measure besides its formula, each under a label."""
    low: str | Node = "−∞" if measure.low is None else Num(Fraction(measure.low))
    high: str | Node = "∞" if measure.high is None else Num(Fraction(measure.high))
    found: list[tuple[str, Prose]] = [
        ("Range", (low, " to ", high, f"{BETTER[measure.direction]}."))
    ]
    for model, tree, words in (
        ("A model that knows nothing", measure.random_tree(), measure.random_words),
        ("A perfect model", measure.perfect_tree(), measure.perfect_words),
    ):
        joint = "; " if tree is not None and words else ""
        found.append((model, (*_with_meanings(tree), f"{joint}{words}.")))
    found.append(("Undefined when", (f"{measure.undefined}.",)))
    if measure.description:
        found.append(("", (measure.description,)))
    for name in measure.params:
        param = PARAMS[name]
        default = measure.defaults.get(name, param.default)
        preset = "" if default is None else f" (default {default})"
        found.append((f"Option {name}", (f"{param.meaning}{preset}.",)))
    if measure.names:
        listed = "; ".join(_used_by(measure, *named) for named in measure.names.items())
        found.append(("Also called", (f"{listed}.",)))
    if measure.documents:
        listed = "; ".join(f"{DOCUMENTS[key]}, {place}" for key, place in measure.documents.items())
        found.append(("Defined in", (f"{listed}.",)))
    for source, advice in measure.use_when.items():
        found.append((f"When to use it ({DOCUMENTS.get(source, source)})", (advice,)))
    return found


def _with_meanings(tree: Node | None) -> Prose:
    """A formula, and what the symbols in it are."""
    if tree is None:
        return ()
    meanings = [("; ", symbol, f": {symbol.meaning}") for symbol in symbols(tree) if symbol.meaning]
    return (tree, *(piece for meaning in meanings for piece in meaning))


def _used_by(measure: Measure, name: str, users: str) -> str:
    listed = ", ".join(DOCUMENTS[key] for key in users)
    said = f"{name} ({listed})" if users else name
    return said if answers_to(measure, name) else f"{said}, a name that here means another measure"


def as_text(measure: Measure) -> str:
    """For a terminal."""
    return text.join(describe(measure))


def as_html(measure: Measure) -> str:
    """For a notebook."""
    return html.Page(guarded=True).join(describe(measure))
