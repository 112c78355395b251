"""A derivation is data: steps with a rule, a before and an after.

`explain` makes one for any measure on any data. How it is put into words and signs is the
business of binteach.render.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from binteach import exact
from binteach.cases import Counts, Ranking, Undefined, decimal_text
from binteach.exact import Exact
from binteach.expr import (
    HEAD,
    LONGEST_SUM,
    TAIL,
    WRITTEN_STEP_BY_STEP,
    Add,
    Broken,
    Div,
    Dots,
    Family,
    Log,
    MaxOver,
    Node,
    Num,
    Pow,
    Rounded,
    Row,
    Sqrt,
    Sum,
    Sym,
    is_short_decimal,
    is_unwieldy,
    reduce_fully,
    reduce_once,
    shown,
    symbols,
    transform,
)
from binteach.measures import Context, Measure, measure, number
from binteach.measures.base import Prose

LONGEST_HEAD = 5  # symbols and numbers in the formula that heads a column
PLACES = 4  # decimal places that are shown where a value has no short decimal

RENDERERS: dict[str, Callable[[Derivation], str]] = {}
"""Format name -> function; binteach.render fills it."""

GRIDS: dict[str, Callable[[str, Table, Prose], str]] = {}
"""Format name -> function that shows a titled table with a remark; binteach.render fills it."""


@dataclass(frozen=True)
class Given:
    """What a symbol stands for, and its value on these data (None: see the table)."""

    symbol: Sym
    value: Node | None
    meaning: str


@dataclass(frozen=True)
class Table:
    """Rows of the data as a formula sees them.

    A row is a tuple of text and formulas; a number stands for so many rows left out.
    `line` is the number of shown rows above the cut, `totals` a last row, `caption` a sentence.
    """

    heads: tuple[str | Node, ...]
    rows: tuple[tuple[str | Node, ...] | int, ...]
    line: int | None = None
    totals: tuple[str | Node, ...] | None = None
    caption: str = ""
    words: bool = False  # whether it holds words, which are set flush left


@dataclass(frozen=True)
class Step:
    """One step: by which rule, from what, to what.

    rule         before          after           also
    definition   the symbol      the formula     forms: equal forms
    given                                        given: the symbols
    table                                        table
    part         a symbol        its value       part: its own derivation
    substitute   the formula     with numbers
    simplify     a tree          after one round of arithmetic
    approximate  a tree          with logarithms as rounded decimals
    value        the symbol      exact value     decimal: its digits, exactly: whether they are all
    prove        the left side   the last side   links: relation, tree and reason of each
    remark                                       prose
    undefined    what broke                      prose
    """

    rule: str
    before: Node | None = None
    after: Node | None = None
    forms: tuple[Node, ...] = ()
    given: tuple[Given, ...] = ()
    table: Table | None = None
    part: Derivation | None = None
    prose: Prose = ()
    links: tuple[tuple[str, Node, str], ...] = ()
    decimal: str = ""
    exactly: bool = False


@dataclass(frozen=True)
class Derivation:
    """The steps from a definition to a value; text, LaTeX, MathML and HTML follow from them."""

    title: str
    symbol: Sym
    steps: tuple[Step, ...]
    meaning: str = ""
    measure: Measure | None = None
    reason: str = ""
    _exact: Exact | None = field(default=None, repr=False)

    @property
    def value(self) -> Any:
        """The exact value; None without data; raises Undefined where it does not exist."""
        if self.reason:
            raise Undefined(self.reason)
        return None if self._exact is None else exact.public(self._exact)

    def decimal(self, places: int = 3) -> str:
        """The value as decimal digits, correctly rounded: "0.667"."""
        if self.reason:
            raise Undefined(self.reason)
        if self._exact is None:
            raise ValueError("a definition without data has no value to round")
        if not isinstance(places, int) or not 0 <= places <= 10_000:
            raise ValueError(f"places is {places!r}; it must be a whole number from 0 to 10000")
        return exact.rounded(self._exact, places)

    def text(self) -> str:
        """Plain text for a terminal."""
        return RENDERERS["text"](self)

    def latex(self) -> str:
        """LaTeX, ready between $$ and $$."""
        return RENDERERS["latex"](self)

    def mathml(self) -> str:
        """Presentation MathML, which browsers draw by themselves."""
        return RENDERERS["mathml"](self)

    def html(self) -> str:
        """HTML with words around the formulas."""
        return RENDERERS["html"](self)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        if self.reason:
            return f"Derivation({self.title}: undefined)"
        known = "" if self._exact is None else f" = {self._shown()}"
        return f"Derivation({self.title}{known})"

    def _shown(self) -> str:
        value = self._exact
        short = isinstance(value, Fraction) and value.denominator < 10**12
        return str(value) if short or getattr(value, "free_symbols", None) else self.decimal(PLACES)

    def _repr_latex_(self) -> str:
        return self.latex()

    def _repr_html_(self) -> str:
        return RENDERERS["notebook"](self)


# Making one -----------------------------------------------------------------------------------


def explain(name: str | Measure, data: Any = None, /, **params: Any) -> Derivation:
    """Every step from the definition of a measure to its value on these data.

    Without data it gives the definition alone. Where the measure is undefined on the data, the
    derivation ends with the reason.
    """
    wanted = measure(name)
    if data is None:
        return _definition_only(wanted, params)
    context = Context(wanted, data, params)
    tree = wanted.tree(context.params)
    other = wanted.fallback_tree(context.params)
    definition = _definition(wanted, tree, other)
    steps = [definition, *_tables(tree, context), _given(definition, context)]
    value, reason = _attempt(tree, context)
    if reason and other is not None:  # where the formula breaks, its other form may not
        tree = other
        value, reason = _attempt(tree, context)
    steps += work_out(wanted.symbol, tree, context, value)
    steps += [Step("remark", prose=prose) for prose in wanted.remark(context)]
    if reason:
        steps.append(Step("undefined", before=wanted.symbol, prose=(reason,)))
    return Derivation(
        wanted.title, wanted.symbol, tuple(steps), wanted.meaning, wanted, reason, value
    )


def _attempt(tree: Node, context: Context) -> tuple[Exact | None, str]:
    """The value of a formula, or the reason why it has none."""
    try:
        return number(tree, context), ""
    except Undefined as undefined:
        return None, undefined.reason


def derive_tree(title: str, symbol: Sym, tree: Node) -> Derivation:
    """The working of a formula that holds only numbers."""
    nothing: Any = None
    value = exact.settle(tree.number(nothing))
    steps = tuple(work_out(symbol, tree, nothing, value))
    return Derivation(title, symbol, steps, _exact=value)


def _definition_only(wanted: Measure, params: dict[str, Any]) -> Derivation:
    read = wanted.read_params(params)
    tree = wanted.tree(read)
    parts = [Step("part", before=part, after=part.definition) for part in parts_of(tree)]
    definition = _definition(wanted, tree, wanted.fallback_tree(read))
    steps = (definition, *parts, _given(definition, None))
    return Derivation(wanted.title, wanted.symbol, steps, wanted.meaning, wanted)


def _definition(wanted: Measure, tree: Node, other: Node | None) -> Step:
    forms = tuple(form for form in (other, wanted.probability) if form is not None)
    return Step("definition", before=wanted.symbol, after=tree, forms=forms)


def work_out(symbol: Sym, tree: Node, context: Context, value: Exact | None) -> Iterator[Step]:
    """The parts, the substitution, the simplifications and the value, as far as they go."""
    for part in parts_of(tree):
        derived = _derive_part(part, context)
        yield Step("part", before=part, after=part.definition, part=derived)
        if derived.reason:
            return
    yield from _lines(symbol, tree, context, value)


def _lines(symbol: Sym, tree: Node, context: Context, value: Exact | None) -> Iterator[Step]:
    """The substitution, the simplifications and the value."""
    try:
        current = tree.substitute(context)
    except (Undefined, Broken):
        return  # a term that is not shown does not exist; the reason stands at the end
    yield Step("substitute", before=tree, after=current)
    # Each round is a step, until nothing changes.
    while (after := reduce_once(current)) is not current:
        if isinstance(after, Num):
            # The result is a fraction first, its decimal comes after.
            after = replace(after, decimal=False)
        yield Step("simplify", before=current, after=after)
        current = after
    if value is None:
        return
    # Where rounded digits would be divided by, they mislead.
    if _holds_logs(current) and not _divides_by_logs(current):
        yield Step("approximate", before=current, after=_with_decimals(current))
    yield _value(symbol, value)


def _value(symbol: Sym, value: Exact) -> Step:
    if getattr(value, "free_symbols", None):
        return Step("value", before=symbol, after=Num(value))
    exactly = isinstance(value, Fraction) and is_short_decimal(value, PLACES + 2)
    if exactly:
        places = next(k for k in range(PLACES + 3) if 10**k % value.denominator == 0)
    else:
        places = _places(value)
    return Step(
        "value",
        before=symbol,
        after=Num(value),
        decimal=exact.rounded(value, places),
        exactly=exactly,
    )


def _places(value: Exact) -> int:
    """Decimal places that show a value: four, and more where those would be zeros."""
    digits = exact.rounded(value, 40).lstrip("-").partition(".")
    zeros = len(digits[2]) - len(digits[2].lstrip("0"))
    return zeros + 3 if digits[0] == "0" and PLACES - 1 <= zeros < 30 else PLACES


def _derive_part(part: Sym, context: Context) -> Derivation:
    """The derivation of a symbol that is defined by a formula of its own."""
    assert part.definition is not None
    value, reason = _attempt(part.definition, context)
    # Parts inside it were listed before it.
    steps = list(_lines(part, part.definition, context, value))
    if reason:
        steps.append(Step("undefined", before=part, prose=(reason,)))
    return Derivation(part.base, part, tuple(steps), part.meaning, None, reason, value)


def parts_of(tree: Node) -> list[Sym]:
    """The symbols with a definition of their own, each after those that it needs."""
    found: dict[Sym, None] = {}
    for symbol in symbols(tree):
        if symbol.definition is not None:
            for inner in parts_of(symbol.definition):
                found.setdefault(inner)
            found.setdefault(symbol)
    return list(found)


def _all_symbols(tree: Node) -> list[Sym]:
    """The symbols of a formula and of its parts, without the parts themselves."""
    trees = [tree, *(part.definition for part in parts_of(tree) if part.definition)]
    found = dict.fromkeys(symbol for each in trees for symbol in symbols(each))
    return [symbol for symbol in found if symbol.definition is None]


def _given(definition: Step, context: Context | None) -> Step:
    """What the symbols are, and their values where the data give one."""
    given = []
    forms = [form for form in (definition.after, *definition.forms) if form is not None]
    for symbol in dict.fromkeys(symbol for form in forms for symbol in _all_symbols(form)):
        if symbol.find is None or context is None:
            value = None
        else:
            try:
                value = shown(context.value(symbol), symbol.decimal)
            except Undefined:
                continue
        if symbol.meaning or value is not None:
            given.append(Given(symbol, value, _meaning(symbol, context)))
    return Step("given", given=tuple(given))


def _meaning(symbol: Sym, context: Context | None) -> str:
    """What a symbol stands for; of weighted cases it is their weight that counts."""
    weighted = context is not None and context.cases is not None and context.cases.weighted
    counts_cases = symbol.meaning.startswith(("positive cases", "negative cases", "negatives "))
    return f"weight of the {symbol.meaning}" if weighted and counts_cases else symbol.meaning


# Tables ---------------------------------------------------------------------------------------


def _tables(tree: Node, context: Context) -> list[Step]:
    if context.counts is not None and exact.is_symbolic(context.counts.n):
        return []  # symbols in a table would only repeat the formula
    tables = []
    if context.cases is not None and context.cut is not None:
        tables.append(cut_table(context.cases.ranking, context.cut.k, _cut_caption(context)))
    for family, columns in sums_of(tree).items():
        try:
            tables.append(_family_table(family, columns, context))
        except Undefined:
            continue  # the reason stands at the end of the derivation
    return [Step("table", table=table) for table in tables if table.rows]


def _cut_caption(context: Context) -> str:
    counts: Counts = context.counts  # type: ignore[assignment]
    params = context.params
    k = context.cut.k  # type: ignore[union-attr]
    above = "no case" if k == 0 else "1 case" if k == 1 else f"{k} cases"
    if params["at"] is not None:
        sign = "≥" if params["rule"] == ">=" else ">"
        how = f"Called positive: score {sign} {decimal_text(params['at'])}, which is {above}."
    else:
        how = f"Called positive: the {above} above the line." if k else "Called positive: no case."
    return f"{how} So TP = {counts.tp}, FP = {counts.fp}, FN = {counts.fn}, TN = {counts.tn}."


def cut_table(ranking: Ranking, k: int, caption: str, longest: int = LONGEST_SUM) -> Table:
    """The ranking with a line under the k top-ranked cases; a longer one is elided."""
    cases = ranking.cases
    n = cases.n
    if n <= longest:
        places = list(range(n))
    else:
        near = {*range(3), *range(k - 3, k + 3), *range(n - 2, n)}
        places = sorted(place for place in near if 0 <= place < n)
    rows: list[tuple[str | Node, ...] | int] = []
    line, last = None, -1
    for place in places:
        if place != last + 1:
            rows.append(place - last - 1)
        if place == k:
            line = len(rows)
        index = int(ranking.order[place])
        score = shown(cases.score(index), True)
        weight = (shown(cases.weight(index), True),) if cases.weighted else ()
        rows.append((str(place + 1), cases.name(index), str(cases.label(index)), score, *weight))
        last = place
    if k == n:
        line = len(rows)
    heads = ("place", "case", "class", "score", *(("weight",) if cases.weighted else ()))
    return Table(heads, tuple(rows), line, None, caption)


def sums_of(tree: Node) -> dict[Family, list[tuple[Sum | MaxOver, Sym | None]]]:
    """The sums in a formula and its parts by what they run over, each with the part it defines."""
    found: dict[Family, list[tuple[Sum | MaxOver, Sym | None]]] = {}

    def visit(part: Node, owner: Sym | None) -> None:
        if isinstance(part, Sum | MaxOver):
            columns = found.setdefault(part.family, [])
            if all(part != other for other, _ in columns):
                columns.append((part, owner))
        for child in part.children():
            visit(child, None)

    visit(tree, None)
    for part in parts_of(tree):
        assert part.definition is not None
        visit(part.definition, part)
    return found


# A label of a row that repeats one of its symbols is left out.
_REPEATED = {
    "class": (Sym("y", sub="i"),),
    "score": (Sym("p", sub="i"), Sym("p", sup="[k]")),
}


def _family_table(
    family: Family, columns: list[tuple[Sum | MaxOver, Sym | None]], context: Context
) -> Table:
    rows = context.rows(family)
    bodies = [column for column, _ in columns]
    used = {symbol: symbol for column in bodies for symbol in symbols(column.body)}
    known = rows[0].values if rows else {}
    indexed = [used[symbol] for symbol in known if symbol in used and symbol.base != family.index]
    labels = [
        place
        for place, label in enumerate(family.labels)
        if not any(symbol in indexed for symbol in _REPEATED.get(label, ()))
    ]
    worked = [(column, owner) for column, owner in columns if not isinstance(column.body, Sym)]
    heads: list[str | Node] = [family.labels[place] for place in labels]
    heads += list(indexed)
    heads += [owner or _column_head(column.body) for column, owner in worked]
    # A table needs more than a column of numbers that the sum shows anyway.
    visible = range(len(rows)) if len(rows) <= LONGEST_SUM else _visible(rows, bodies, context)
    body: list[tuple[str | Node, ...] | int] = []
    last = -1
    for place in visible:
        if place != last + 1:
            body.append(place - last - 1)
        last = place
        row = rows[place]
        scope = context.inner(row)
        cells: list[str | Node] = [row.labels[label] for label in labels]
        cells += [shown(row.values[symbol], symbol.decimal) for symbol in indexed]
        cells += [_cell(reduce_fully(column.body.substitute(scope))) for column, _ in worked]
        body.append(tuple(cells))
    totals: tuple[str | Node, ...] | None = None
    if worked and len(rows) > 1:
        word = "maximum" if all(isinstance(column, MaxOver) for column, _ in worked) else "sum"
        blank: list[str | Node] = [""] * (len(labels) + len(indexed))
        blank[0] = word
        decimal = any(symbol.decimal for symbol in indexed)
        sums = [_attempt(column, context)[0] for column, _ in worked]
        results = ["—" if each is None else _cell(shown(each, decimal)) for each in sums]
        totals = (*blank, *results)
    return Table(tuple(heads), tuple(body), None, totals)


def _visible(rows: Sequence[Row], bodies: list[Sum | MaxOver], context: Context) -> list[int]:
    """The places of a long table that are shown: its ends, and where a maximum is reached."""
    shown_places = {*range(HEAD), *range(len(rows) - TAIL, len(rows))}
    for column in bodies:
        if isinstance(column, MaxOver):
            shown_places.add(column.best(rows, context)[0])
    return sorted(shown_places)


def _column_head(body: Node) -> str | Node:
    """The formula of a column; a long one is simply the term of the sum."""
    return body if _leaves(body) <= LONGEST_HEAD else "term"


def _leaves(tree: Node) -> int:
    return sum(map(_leaves, tree.children())) or 1


def _cell(tree: Node) -> str | Node:
    """A cell of a table: a number as it is, anything with a logarithm rounded."""
    if isinstance(tree, Num) and isinstance(tree.value, Fraction):
        readable = tree.decimal or tree.value.denominator < 10**9
        return tree if readable else Rounded(exact.rounded(tree.value, PLACES))
    if isinstance(tree, Num) and getattr(tree.value, "free_symbols", None):
        return tree
    try:
        value = tree.number(None)  # type: ignore[arg-type]
    except Broken:
        return "—"
    if getattr(value, "free_symbols", None):
        return Num(value)
    return Rounded(exact.rounded(value, PLACES))


# Decimals -------------------------------------------------------------------------------------


def _holds_logs(tree: Node) -> bool:
    """Whether logarithms or broken powers are left, so that digits help."""
    if isinstance(tree, Num):
        return is_unwieldy(tree.value)
    return isinstance(tree, Log | Pow) or any(map(_holds_logs, tree.children()))


def _divides_by_logs(tree: Node) -> bool:
    here = isinstance(tree, Div) and _holds_logs(tree.denominator)
    return here or any(map(_divides_by_logs, tree.children()))


def _holds_roots(tree: Node) -> bool:
    return isinstance(tree, Sqrt) or any(map(_holds_roots, tree.children()))


def _with_decimals(tree: Node) -> Node:
    """The tree with every irrational piece as rounded digits, in a long sum every term."""

    def change(part: Node) -> Node | None:
        if isinstance(part, Dots):
            return part
        if isinstance(part, Add) and len(part.terms) > WRITTEN_STEP_BY_STEP:
            return Add(tuple(digits(term) or term for term in part.terms))
        return digits(part) if isinstance(part, Log | Pow | Sqrt | Num) else None

    def digits(part: Node) -> Node | None:
        if isinstance(part, Dots) or not (_holds_logs(part) or _holds_roots(part)):
            return None
        value = part.number(None)  # type: ignore[arg-type]
        if getattr(value, "free_symbols", None):
            return None
        return Rounded(exact.rounded(value, PLACES))

    return transform(tree, change)
