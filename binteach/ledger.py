"""Every number that the four documents print: reproduced, or an erratum with its proof.

A record says where something is printed, what it is, how binteach computes it, and the verdict.
The computation is data, a small tree in JSON (see `quantity`), and the verdict is never trusted:
`Record.check` computes it anew.
"""

from __future__ import annotations

import difflib
import json
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from binteach import exact
from binteach.cases import Cases, Counts
from binteach.curves import curve
from binteach.data import bundled, load
from binteach.derivation import (
    GRIDS,
    Derivation,
    Step,
    Table,
    derive_tree,
    explain,
    parts_of,
    sums_of,
)
from binteach.exact import Exact, shorten
from binteach.expr import Abs, Add, Div, Log, Max, Mul, Neg, Node, Num, Pow, Sqrt, Sym
from binteach.inference import interval
from binteach.measures import Context, measure
from binteach.measures import evaluate as measured
from binteach.proofs import identity

DOCUMENTS = {
    "berrar": "Berrar",
    "murphy": "Murphy",
    "arbel": "Arbel & Rokach",
    "sonnenburg": "Sonnenburg",
}
VERDICTS = ("reproduced", "erratum", "ambiguous", "not checkable")


@dataclass(frozen=True, repr=False)
class Record:
    """One printed thing.

    compute   how binteach computes it; None for wording and for what cannot be checked
    correct   what should be printed (erratum)
    proof     why, in one or two sentences (erratum)
    correction  how the correct value is computed, where it differs from `compute`
    convention  under which convention `compute` reproduces it (ambiguous)
    other     the same under the other convention, which does not reproduce it (ambiguous)
    reason    why it cannot be checked (not checkable); a `compute` beside it is what the printed
              thing must satisfy all the same

    In a claim, {"printed": true} stands for the printed number.
    """

    id: str
    document: str
    place: str
    what: str
    printed: str
    verdict: str
    compute: Any = None
    correct: str = ""
    proof: str = ""
    correction: Any = None
    convention: str = ""
    other: Any = None
    reason: str = ""

    @cached_property
    def value(self) -> Exact | bool | None:
        """What binteach computes; None where nothing can be computed."""
        return None if self.compute is None else self._evaluate(self.compute)

    def _evaluate(self, source: Any) -> Exact | bool:
        return evaluate(_with_printed(source, self.printed))

    def check(self) -> str:
        """The verdict, computed anew from the printed text and the computation."""
        met = None if self.compute is None else matches(self.value, self.printed)
        if self.reason:
            # What cannot be checked may still have to satisfy something.
            return self._unsettled() if met is False else "not checkable"
        if met is None:
            return "erratum" if self.correct and self.proof else self._unsettled()
        if met and self.other is not None:
            same = matches(self._evaluate(self.other), self.printed)
            return "reproduced" if same else "ambiguous"
        if met:
            return "reproduced"
        right = self.value if self.correction is None else self._evaluate(self.correction)
        if self.correct and self.proof and matches(right, self.correct):
            return "erratum"
        return self._unsettled()

    def _unsettled(self) -> str:
        return f"unsettled: {self.printed!r} is printed, {shown(self.value)} is computed"

    @property
    def right(self) -> str:
        """What should be printed: the correction, or what binteach computes."""
        if self.convention:
            return "depends on the convention"
        if self.reason:
            return ""
        if self.correct or not isinstance(self.value, bool):
            return self.correct or shown(self.value)
        return "as printed" if self.value else shown(self.value)

    def __repr__(self) -> str:
        return f"Record({self.id!r}, {self.verdict})"

    def facts(self) -> dict[str, str]:
        """All that the ledger says about it, by name."""
        facts = {
            "printed": self.printed,
            "right": self.right,
            "verdict": self.verdict,
            "proof": self.proof,
            "convention": self.convention,
            "reason": self.reason,
        }
        return {name: fact for name, fact in facts.items() if fact}

    def _title(self) -> str:
        return f"{DOCUMENTS[self.document]}, {self.place}"

    def __str__(self) -> str:
        lines = [f"{self._title()}: {self.what}"]
        for name, fact in self.facts().items():
            lines += textwrap.wrap(f"  {name + ':':<12}{fact}", 80, subsequent_indent=" " * 14)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        table = Table(("", self.what), tuple(self.facts().items()), words=True)
        return GRIDS["html"](self._title(), table, ())

    def explain(self) -> Derivation:
        """How the value comes about, step by step."""
        source = self.compute if self.correction is None else self.correction
        source = _with_printed(source, self.printed)
        if source is None:
            return Derivation(self.what, Sym("claim"), (Step("remark", prose=(self._why(),)),))
        if isinstance(source, dict) and "measure" in source:
            return explain(source["measure"], data_of(source["data"]), **source.get("params", {}))
        if isinstance(source, dict) and "identity" in source:
            return identity(source["identity"]).derivation
        if isinstance(evaluate(source), bool):
            return Derivation(self.what, Sym("claim"), tuple(_claim(source)))
        return derive_tree(self.what, Sym("value"), quantity(source))

    def _why(self) -> str:
        return self.reason or self.proof


def _with_printed(source: Any, printed: str) -> Any:
    """A computation with the printed number in the place of {"printed": true}."""
    if isinstance(source, dict):
        if source == {"printed": True}:
            return printed
        return {name: _with_printed(part, printed) for name, part in source.items()}
    return [_with_printed(part, printed) for part in source] if isinstance(source, list) else source


def _claim(source: Any) -> Iterator[Step]:
    """Both sides of every comparison in a claim, and what comes out."""
    for name in ("all", "not"):
        if name in source:
            parts = source[name] if name == "all" else [source[name]]
            for part in parts:
                yield from _claim(part)
    for name, words in RELATION_WORDS.items():
        if name in source:
            for side, part in zip(("left side", "right side"), source[name], strict=True):
                tree = quantity(part)
                worked = derive_tree(side, Sym(side), tree)
                yield Step("part", before=Sym(side), after=tree, part=worked)
            yield Step("remark", prose=(f"{words}: {shown(evaluate(source))}.",))
    if "identity" in source:
        proved = identity(source["identity"])
        yield Step("remark", prose=(f"{proved.title}: {shown(proved.holds())}.",))


RELATION_WORDS = {
    "equal": "The sides are equal",
    "less": "The left side is less than the right",
    "at_most": "The left side is at most the right",
}


# From JSON to values --------------------------------------------------------------------------

OPERATIONS: dict[str, Callable[..., Node]] = {
    "add": lambda *parts: Add(parts),
    "subtract": lambda left, right: left - right,
    "multiply": lambda *parts: Mul(parts),
    "divide": lambda top, bottom: Div(top, bottom),
    "power": lambda base, exponent: Pow(base, exponent),
    "negate": lambda part: Neg(part),
    "sqrt": lambda part: Sqrt(part),
    "abs": lambda part: Abs(part),
    "max": lambda *parts: Max(parts),
    "log2": lambda part: Log(part, Num(Fraction(2))),
    "ln": lambda part: Log(part, Num(Fraction(0))),
}
RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "equal": lambda left, right: exact.is_zero(exact.add(left, exact.negate(right))),
    "less": lambda left, right: _difference(right, left) > 0,
    "at_most": lambda left, right: _difference(right, left) >= 0,
}


def _difference(left: Exact, right: Exact) -> Fraction:
    """left − right, near enough to know its sign."""
    difference = exact.settle(exact.add(left, exact.negate(right)))
    return difference if isinstance(difference, Fraction) else exact.approximate(difference, 40)[0]


def evaluate(source: Any) -> Exact | bool:
    """The value of a computation; True or False for a claim."""
    if isinstance(source, dict):
        if "identity" in source:
            return identity(source["identity"]).holds()
        if "not" in source:
            return not evaluate(source["not"])
        if "all" in source:
            return bool(source["all"]) and all(evaluate(part) is True for part in source["all"])
        for name, relation in RELATIONS.items():
            if name in source:
                left, right = (evaluate(part) for part in source[name])
                return relation(left, right)
    return exact.settle(quantity(source).number(_NOTHING))


class _Nothing:
    """A scope for trees of numbers alone."""

    def value(self, symbol: Sym) -> Exact:
        raise KeyError(symbol)

    rows = inner = value


_NOTHING: Any = _Nothing()


def quantity(source: Any) -> Node:
    """A computation as a tree of numbers.

    A number is a string or an int. An operation is {"divide": ["3", "5"]}. What binteach computes:
      {"measure": "precision", "data": "ten_cases", "params": {"top": 4}}
          with "part": "P_e" a part of its formula, with "row": 7 the 7th term of its sum, and with
          "column": "Qrecall" a symbol of that row
      {"curve": "roc", "data": "ten_cases", "cut": 4, "axis": "y"}, also "series": "optimal"
      {"count": "tp", "data": "ten_cases", "top": 4}, or "at" and "rule"; also n, positives, ...
      {"case": "8", "data": "ten_cases", "field": "score"}, also label, and called with "at"
      {"experiment": {"table": 8, "dataset": "Aust", "classifier": "C4.5"}, "column": "auc"}
      {"clopper_pearson": {"successes": 3, "n": 5, "level": "0.95", "end": "low"}}
    """
    if isinstance(source, str | int):
        return Num(exact.exact(source), decimal="." in str(source))
    if not isinstance(source, dict):
        raise ValueError(f"{shorten(source)} is not a computation")
    for name, build in OPERATIONS.items():
        if name in source:
            given = source[name] if isinstance(source[name], list) else [source[name]]
            return build(*(quantity(part) for part in given))
    for name, read in _SOURCES.items():
        if name in source:
            value = read(source)
            return Num(value if not isinstance(value, int) else Fraction(value))
    raise ValueError(f"{shorten(source)} is not a computation")


def data_of(source: Any) -> Any:
    """Data by name, {"counts": [3, 1, 2, 4]}, {"murphy": "B"}, or {"ranking": "1101"} (strict)."""
    if source is None or isinstance(source, str):
        return None if source is None else _loaded(source)
    if "counts" in source:
        return Counts(*source["counts"])
    if "murphy" in source:
        return _loaded("murphy_abc")[source["murphy"]]
    if "labels" in source:
        return Cases(source["labels"], source["scores"])
    labels = [int(letter) for letter in source["ranking"]]
    return Cases(labels, range(len(labels), 0, -1))


@lru_cache(maxsize=32)
def _loaded(name: str) -> Any:
    return load(name)


def _measured(source: Any) -> Exact:
    context = Context(measure(source["measure"]), data_of(source["data"]), source.get("params", {}))
    tree = context.measure.tree(context.params)
    if "part" in source:
        return context.value(_named(tree, source["part"]))
    if "row" in source:
        total = next(_sums_in(tree))
        row = context.rows(total.family)[source["row"] - 1]
        if "column" in source:
            return next(v for s, v in row.values.items() if s.base == source["column"])
        return total.body.number(context.inner(row))
    return measured(context)


def _named(tree: Node, name: str) -> Sym:
    for part in parts_of(tree):
        if name in (part.base, f"{part.base}_{part.sub}"):
            return part
    raise ValueError(f"the formula has no part {name!r}")


def _sums_in(tree: Node) -> Iterator[Any]:
    for family_sums in sums_of(tree).values():
        for total, _ in family_sums:
            yield total


def _on_curve(source: Any) -> Fraction:
    found = curve(source["curve"], data_of(source["data"]))
    points = found.series[source["series"]] if "series" in source else found.points
    point = next(point for point in points if point.cut == source["cut"])
    return getattr(point, source["axis"])  # type: ignore[no-any-return]


def _counted(source: Any) -> Exact:
    data = data_of(source["data"])
    if "top" in source:
        data = data.top(source["top"])
    elif "at" in source:
        data = data.at(source["at"], source.get("rule", ">"))
    return Fraction(getattr(data, source["count"]))


def _of_case(source: Any) -> Fraction:
    cases: Cases = data_of(source["data"])
    index = cases.names.index(source["case"])
    if source["field"] == "called":
        above = cases.scores[index] - exact.exact(source["at"])
        return Fraction(above > 0 or (above == 0 and source.get("rule") == ">="))
    column: Sequence[Any] = getattr(cases, source["field"] + "s")
    return Fraction(column[index])


def _from_experiment(source: Any) -> Fraction:
    wanted = source["experiment"]
    rows = [
        row
        for row in _loaded("arbel_experiments")
        if all(row[key] == value for key, value in wanted.items())
    ]
    if len(rows) != 1:
        raise ValueError(f"{len(rows)} rows of the experiments are {wanted}")
    return exact.exact(rows[0][source["column"]], source["column"])


def _clopper_pearson(source: Any) -> Fraction:
    """An end of the exact interval."""
    asked = source["clopper_pearson"]
    found = interval("clopper_pearson", asked["successes"], asked["n"], level=asked["level"])
    return exact.exact(getattr(found, asked["end"]))


_SOURCES: dict[str, Callable[[Any], Exact]] = {
    "measure": _measured,
    "curve": _on_curve,
    "count": _counted,
    "case": _of_case,
    "experiment": _from_experiment,
    "clopper_pearson": _clopper_pearson,
}


# Printed text ---------------------------------------------------------------------------------

_PRINTED = re.compile(r"[-−]?(\d+(\.\d*)?|\.\d+)(/\d+)?\s*%?")


def matches(value: Exact | bool, printed: str) -> bool:
    """Whether a value, rounded as printed, has the printed digits; for a claim, whether it is true.

    "0.67" is matched by 2/3, "4/6" by 2/3, "90%" by 9/10, and "1" by 1 alone.
    """
    if isinstance(value, bool):
        return value
    text = printed.strip().replace("−", "-")
    if not _PRINTED.fullmatch(text) or re.fullmatch(r"-0*\.?0*", text):
        raise ValueError(f"{printed!r} is not a printed number")
    if text.endswith("%"):
        value, text = exact.multiply(Fraction(100), value), text[:-1].strip()
    if "/" in text:
        return exact.is_zero(exact.add(value, -exact.exact(text)))
    if "." not in text:
        return exact.is_zero(exact.add(value, -exact.exact(text)))  # a whole number is not rounded
    places = len(text.partition(".")[2])
    wanted = exact.rounded(exact.exact(text), places)
    return exact.rounded(value, places) == wanted


def shown(value: Exact | bool | None) -> str:
    """A value in a few characters."""
    if value is None or isinstance(value, bool):
        return {None: "", True: "true", False: "false"}[value]
    if isinstance(value, Fraction) and value.denominator < 10**6:
        return str(value)
    return exact.rounded(value, 6)


# The whole ledger -----------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _records() -> tuple[Record, ...]:
    records = []
    for document in DOCUMENTS:
        text = bundled("datasets").joinpath("papers", f"{document}.json").read_text("utf-8")
        records += [Record(document=document, **fields) for fields in json.loads(text)]
    return tuple(records)


class Papers(Sequence[Record]):
    """Records of the ledger; a table in a notebook."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = tuple(records)

    def __len__(self) -> int:
        return len(self.records)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, str):
            for record in self.records:
                if record.id == place:
                    return record
            close = difflib.get_close_matches(place, [record.id for record in self.records], n=3)
            hint = f"; did you mean {' or '.join(close)}?" if close else ""
            raise ValueError(f"there is no record {shorten(place)}{hint}")
        return Papers(self.records[place]) if isinstance(place, slice) else self.records[place]

    def __repr__(self) -> str:
        return f"Papers({len(self)} records)"

    def __str__(self) -> str:
        return GRIDS["text"](f"{len(self)} records", self.table(), ())

    def _repr_html_(self) -> str:
        return GRIDS["html"](f"{len(self)} records", self.table(), ())

    def table(self, most: int = 100) -> Table:
        """Place, thing, printed and right value, verdict; the middle of a long list left out."""
        heads = ("record", "place", "what", "printed", "right", "verdict")
        rows: list[tuple[str | Node, ...] | int] = [
            (r.id, r.place, r.what, r.printed, r.right, r.verdict) for r in self.records
        ]
        if len(rows) > most:
            tail = most // 10
            rows[most - tail : len(rows) - tail] = [len(rows) - most]
        return Table(heads, tuple(rows), words=True)

    def counts(self) -> dict[str, dict[str, int]]:
        """How many records of each verdict each document has."""
        return {
            document: {
                verdict: sum(r.document == document and r.verdict == verdict for r in self.records)
                for verdict in VERDICTS
            }
            for document in DOCUMENTS
            if any(record.document == document for record in self.records)
        }


def papers(document: str | None = None, verdict: str | None = None) -> Papers:
    """The ledger, whole or of one document and verdict.

    >>> papers("berrar", "erratum")[0].document
    'berrar'
    """
    for given, allowed in ((document, tuple(DOCUMENTS)), (verdict, VERDICTS)):
        if given is not None and given not in allowed:
            raise ValueError(f"there is no {shorten(given)}; there are {', '.join(allowed)}")
    return Papers(
        [
            record
            for record in _records()
            if document in (None, record.document) and verdict in (None, record.verdict)
        ]
    )
