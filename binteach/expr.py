"""Formulas as small trees that keep textbook order and never simplify by themselves.

`TP / (TP + FP)` builds a tree. Three things can be done with it:
  number(scope)      its exact value
  substitute(scope)  the same tree with numbers for symbols and sums written out
  reduce_once(tree)  one round of arithmetic, innermost operations first
A derivation is a tree, its substitution, and the reductions up to a single number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from typing import Any, Protocol, overload

from binteach import exact
from binteach.exact import Exact

# A sum of more terms than this is shown with its middle left out (and computed in full).
LONGEST_SUM = 12
HEAD, TAIL = 6, 3
MANY_TERMS = 200  # of which a sum of expressions is given as an interval
ROWS_AT_ONCE = 1 << 16  # so many rows stay in the processor's cache


class Broken(Exception):
    """A formula that has no value on these data."""


class ZeroDivide(Broken):
    """A quotient whose denominator is zero, as the formula has it."""

    def __init__(self, quotient: Div, scope: Scope) -> None:
        super().__init__("division by zero")
        self.quotient, self.scope = quotient, scope


class LogOfZero(Broken):
    """A logarithm of zero, as the formula has it."""

    def __init__(self, argument: Node, scope: Scope) -> None:
        super().__init__("logarithm of zero")
        self.argument, self.scope = argument, scope


class Scope(Protocol):
    """What the symbols stand for."""

    def value(self, symbol: Sym) -> Exact:
        """The value of a symbol."""

    def rows(self, family: Family) -> Sequence[Row]:
        """What a sum runs over."""

    def inner(self, row: Row) -> Scope:
        """The scope inside a sum, where indexed symbols have the values of one row."""


Operand = Any  # Node | int | Fraction | str: what may stand beside an operator


def node(thing: Operand) -> Node:
    """A tree as it is; a number as a leaf."""
    return thing if isinstance(thing, Node) else Num(exact.exact(thing))


class Node:
    """A formula."""

    def __add__(self, other: Operand) -> Node:
        return Add((*_terms(self), node(other)))

    def __radd__(self, other: Operand) -> Node:
        return node(other) + self

    def __sub__(self, other: Operand) -> Node:
        return Add((*_terms(self), Neg(node(other))))

    def __rsub__(self, other: Operand) -> Node:
        return node(other) - self

    def __mul__(self, other: Operand) -> Node:
        return Mul((*(self.factors if isinstance(self, Mul) else (self,)), node(other)))

    def __rmul__(self, other: Operand) -> Node:
        return node(other) * self

    def __truediv__(self, other: Operand) -> Node:
        return Div(self, node(other))

    def __rtruediv__(self, other: Operand) -> Node:
        return Div(node(other), self)

    def __pow__(self, other: Operand) -> Node:
        return Pow(self, node(other))

    def __neg__(self) -> Node:
        return Neg(self)

    def children(self) -> tuple[Node, ...]:
        """The parts, in the order in which they are written."""
        return ()

    def with_children(self, children: Sequence[Node]) -> Node:
        """The same operation on other parts."""
        del children
        return self

    def number(self, scope: Scope) -> Exact:
        """The exact value."""
        raise NotImplementedError

    def substitute(self, scope: Scope) -> Node:
        """The same tree with numbers for symbols."""
        return self.with_children([child.substitute(scope) for child in self.children()])

    def combine(self) -> Node:
        """The result of the operation once its parts are worked out, or self if it stays."""
        return self


def _terms(tree: Node) -> tuple[Node, ...]:
    return tree.terms if isinstance(tree, Add) else (tree,)


# Leaves ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Num(Node):
    """A number. `decimal` says that it is written 0.95 rather than 19/20.

    A value that is known by a symbol and too long to write out is shown as its `label`.
    """

    value: Exact
    decimal: bool = False
    label: Sym | None = field(default=None, compare=False)

    def number(self, scope: Scope) -> Exact:
        return self.value


@dataclass(frozen=True)
class Sym(Node):
    """A symbol: n₊ is Sym("n", sub="+"), TPR(t_i) is Sym("TPR", arg=Sym("t", sub="i")).

    It gets its value from the row of the sum it stands in, from the data (`find`), or from
    its own definition, which is then shown as a part of the derivation.
    """

    base: str
    sub: str = ""
    sup: str = ""
    arg: Sym | None = None
    meaning: str = field(default="", compare=False)
    find: Callable[[Any], Exact] | None = field(default=None, compare=False, repr=False)
    definition: Node | None = field(default=None, compare=False, repr=False)
    decimal: bool = field(default=False, compare=False)
    zero: str = field(default="", compare=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy that leaves the program shows the same; how it got its value stays behind.
        return (Sym, (self.base, self.sub, self.sup, self.arg, self.meaning))

    def __deepcopy__(self, memo: object) -> Sym:
        return self  # it never changes

    def number(self, scope: Scope) -> Exact:
        return scope.value(self)

    def substitute(self, scope: Scope) -> Node:
        value = scope.value(self)
        if self.definition is not None and is_unwieldy(value):
            return Num(value, label=self)
        return shown(value, self.decimal)


def shown(value: Exact, decimal: bool) -> Num:
    """A number as a leaf; whole numbers are never 'decimal', short decimals may be."""
    if decimal and isinstance(value, Fraction) and value.denominator != 1:
        # A small fraction that is no decimal, such as 1/3, stays one; a long one is unreadable.
        return Num(value, is_short_decimal(value) or value.denominator > 1000)
    return Num(value)


def is_unwieldy(value: Exact) -> bool:
    """Whether a value is a sum of logarithms or worse, which only its decimals make readable."""
    simple = isinstance(value, Fraction | exact.Surd)
    return not simple and not getattr(value, "free_symbols", None)


def is_short_decimal(value: Fraction, places: int = 8) -> bool:
    """Whether it can be written exactly with few decimal places."""
    return bool(10**places % value.denominator == 0)


@dataclass(frozen=True)
class Dots(Node):
    """The terms that are left out of a long sum or maximum; their value is kept."""

    value: Exact
    count: int

    def number(self, scope: Scope) -> Exact:
        return self.value


@dataclass(frozen=True)
class Rounded(Node):
    """A number of which only rounded digits are shown."""

    digits: str


# Operations -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Add(Node):
    """a + b + ...; a term Neg(b) is written − b."""

    terms: tuple[Node, ...]

    def children(self) -> tuple[Node, ...]:
        return self.terms

    def with_children(self, children: Sequence[Node]) -> Node:
        return Add(tuple(children))

    def number(self, scope: Scope) -> Exact:
        return exact.total(term.number(scope) for term in self.terms)

    def combine(self) -> Node:
        plain = [term for term in self.terms if _is_rational(_unsigned(term))]
        rest = [term for term in self.terms if not _is_rational(_unsigned(term))]
        value = exact.total(_value(term) for term in plain)
        if not rest:
            return shown(value, _any_decimal(plain))
        if (len(plain) <= 1 and value != 0) or len(self.terms) > WRITTEN_STEP_BY_STEP:
            return self  # a long sum of logarithms stays as it is, term by term
        kept = [shown(value, _any_decimal(plain)), *rest] if value else rest
        if len(kept) == len(self.terms):
            return self
        return kept[0] if len(kept) == 1 else Add(tuple(kept))


@dataclass(frozen=True)
class Unary(Node):
    """An operation on one part."""

    part: Node

    def children(self) -> tuple[Node, ...]:
        return (self.part,)

    def with_children(self, children: Sequence[Node]) -> Node:
        return type(self)(*children)


@dataclass(frozen=True)
class Neg(Unary):
    """−x."""

    def number(self, scope: Scope) -> Exact:
        return exact.negate(self.part.number(scope))

    def combine(self) -> Node:
        if _is_numeric(self.part):
            return shown(exact.negate(_value(self.part)), _any_decimal([self.part]))
        return self.part.part if isinstance(self.part, Neg) else self


@dataclass(frozen=True)
class Mul(Node):
    """a × b × ..."""

    factors: tuple[Node, ...]

    def children(self) -> tuple[Node, ...]:
        return self.factors

    def with_children(self, children: Sequence[Node]) -> Node:
        return Mul(tuple(children))

    def number(self, scope: Scope) -> Exact:
        product: Exact = Fraction(1)
        broken: LogOfZero | None = None
        for factor in self.factors:
            try:
                product = exact.multiply(product, factor.number(scope))
            except LogOfZero as log_of_zero:
                broken = log_of_zero
        if broken is not None and not exact.is_zero(product):
            raise broken
        return product  # 0 · log 0 is 0, its limit

    def combine(self) -> Node:
        numbers = [factor for factor in self.factors if _is_numeric(factor)]
        rest = [factor for factor in self.factors if not _is_numeric(factor)]
        product: Exact = Fraction(1)
        for factor in numbers:
            product = exact.multiply(product, _value(factor))
        if not rest or product == 0:
            return shown(product, _any_decimal(numbers))
        if product == 1:
            return rest[0] if len(rest) == 1 else (Mul(tuple(rest)) if numbers else self)
        if product == -1:
            return Neg(rest[0] if len(rest) == 1 else Mul(tuple(rest)))
        if len(numbers) == 1:
            return self
        return Mul((shown(product, _any_decimal(numbers)), *rest))


@dataclass(frozen=True)
class Div(Node):
    """numerator / denominator, written as a fraction; `zero` says when the denominator is 0."""

    numerator: Node
    denominator: Node
    zero: str = field(default="", compare=False)

    def children(self) -> tuple[Node, ...]:
        return (self.numerator, self.denominator)

    def with_children(self, children: Sequence[Node]) -> Node:
        numerator, denominator = children
        return Div(numerator, denominator, self.zero)

    def number(self, scope: Scope) -> Exact:
        bottom = self.denominator.number(scope)
        if exact.is_zero(bottom):
            raise ZeroDivide(self, scope)
        return exact.divide(self.numerator.number(scope), bottom)

    def combine(self) -> Node:
        parts = (self.numerator, self.denominator)
        if all(_is_numeric(part) for part in parts) and _value(self.denominator) != 0:
            quotient = exact.divide(_value(self.numerator), _value(self.denominator))
            return shown(quotient, _any_decimal(parts))
        return self.numerator if self.denominator == Num(Fraction(1)) else self


@dataclass(frozen=True)
class Pow(Node):
    """base to the power of exponent."""

    base: Node
    exponent: Node

    def children(self) -> tuple[Node, ...]:
        return (self.base, self.exponent)

    def with_children(self, children: Sequence[Node]) -> Node:
        return Pow(*children)

    def number(self, scope: Scope) -> Exact:
        return exact.power(self.base.number(scope), self.exponent.number(scope))

    def combine(self) -> Node:
        if not all(_is_numeric(part) for part in self.children()):
            return self
        value = exact.power(_value(self.base), _value(self.exponent))
        return shown(value, _any_decimal([self.base])) if isinstance(value, Fraction) else self


@dataclass(frozen=True)
class Sqrt(Unary):
    """√x."""

    def number(self, scope: Scope) -> Exact:
        return exact.sqrt(self.part.number(scope))

    def combine(self) -> Node:
        if not _is_rational(self.part):
            return self
        root = exact.sqrt(_value(self.part))
        return shown(root, _any_decimal([self.part])) if isinstance(root, Fraction) else self


@dataclass(frozen=True)
class Log(Node):
    """log_base(x); the base is 2, 10 or 0, which stands for e."""

    part: Node
    base: Node

    def children(self) -> tuple[Node, ...]:
        return (self.part, self.base)

    def with_children(self, children: Sequence[Node]) -> Node:
        return Log(*children)

    def number(self, scope: Scope) -> Exact:
        argument = self.part.number(scope)
        # Of many, the logarithms of zero are looked for where they are added up.
        if not isinstance(argument, exact.Many) and exact.is_zero(argument):
            raise LogOfZero(self.part, scope)
        return exact.log(argument, int(self.base.number(scope)))

    def combine(self) -> Node:
        if not _is_rational(self.part) or _value(self.part) <= 0:
            return self
        value = exact.log(_value(self.part), int(_value(self.base)))
        return Num(value) if isinstance(value, Fraction) else self


@dataclass(frozen=True)
class Abs(Unary):
    """|x|."""

    def number(self, scope: Scope) -> Exact:
        value = self.part.number(scope)
        if isinstance(value, Fraction | exact.Many):
            return abs(value)  # type: ignore[arg-type]
        return exact.negate(value) if exact.approximate(value, 40)[0] < 0 else value

    def combine(self) -> Node:
        if not _is_rational(self.part):
            return self
        return shown(abs(_value(self.part)), _any_decimal([self.part]))


@dataclass(frozen=True)
class Max(Node):
    """max{a, b, ...}."""

    items: tuple[Node, ...]

    def children(self) -> tuple[Node, ...]:
        return self.items

    def with_children(self, children: Sequence[Node]) -> Node:
        return Max(tuple(children))

    def number(self, scope: Scope) -> Exact:
        return reduce(exact.larger, (item.number(scope) for item in self.items))

    def combine(self) -> Node:
        if not all(_is_rational(item) for item in self.items):
            return self
        return shown(max(_value(item) for item in self.items), _any_decimal(self.items))


# Over many rows -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """One case, cut, position, ... of a sum: values of its indexed symbols, and its labels."""

    values: Mapping[Sym, Exact]
    labels: tuple[str, ...] = ()


Columns = dict["Sym", "Callable[[], Exact]"]
"""Symbol -> function that makes its column, which runs if the symbol is needed."""


class Rows(Sequence[Row]):
    """The rows of a sum, as columns that are made for some rows at a time.

    make    from the first row and the one after the last to the columns between them
    labels  from the number of a row to its labels
    """

    def __init__(
        self,
        count: int,
        make: Callable[[int, int], Columns],
        labels: Callable[[int], tuple[str, ...]] = lambda _: (),
        first: int = 0,
    ) -> None:
        self._count, self._make, self._labels, self._first = count, make, labels, first
        self._short: list[Row] | None = None

    def between(self, start: int, stop: int) -> Rows:
        """The rows from `start` to before `stop`."""
        start, stop, _ = slice(start, stop).indices(self._count)
        return Rows(max(stop - start, 0), self._make, self._labels, self._first + start)

    def parts(self) -> Iterator[tuple[Row, int]]:
        """All rows in pieces: rows whose symbols stand for columns, and how many are in each."""
        for start in range(0, self._count, ROWS_AT_ONCE):
            stop = min(start + ROWS_AT_ONCE, self._count)
            made = self._make(self._first + start, self._first + stop)
            yield Row(_WhenNeeded(made)), stop - start

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Row]:
        for start in range(0, self._count, ROWS_AT_ONCE):
            yield from self._listed(start, min(start + ROWS_AT_ONCE, self._count))

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> list[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | list[Row]:
        if self._count <= LONGEST_SUM:
            if self._short is None:
                self._short = self._listed(0, self._count)
            return self._short[place]
        if isinstance(place, slice):
            start, stop, step = place.indices(self._count)
            return self._listed(start, max(start, stop))[::step] if step > 0 else list(self)[place]
        wanted = range(self._count)[place]
        return self._listed(wanted, wanted + 1)[0]

    def _listed(self, start: int, stop: int) -> list[Row]:
        if start == stop:
            return []
        first = self._first
        made = self._make(first + start, first + stop)
        columns = {symbol: list(make()) for symbol, make in made.items()}
        return [
            Row(
                {symbol: column[place] for symbol, column in columns.items()},
                self._labels(first + start + place),
            )
            for place in range(stop - start)
        ]


class _WhenNeeded(Mapping["Sym", Exact]):
    """Columns that are made when they are asked for."""

    def __init__(self, make: Columns) -> None:
        self._make = make
        self._made: dict[Sym, Exact] = {}

    def __getitem__(self, symbol: Sym) -> Exact:
        if symbol not in self._made:
            self._made[symbol] = self._make[symbol]()
        return self._made[symbol]

    def __iter__(self) -> Iterator[Sym]:
        return iter(self._make)

    def __len__(self) -> int:
        return len(self._make)


@dataclass(frozen=True)
class Family:
    """What a sum runs over: its index with bounds, and how the rows come from the data.

    `labels` heads the columns that name a row (case, class, score) where it is tabulated.
    """

    name: str
    index: str
    low: Node | None = field(compare=False)
    high: Node | None = field(compare=False)
    rows: Callable[[Any], Sequence[Row]] = field(compare=False, repr=False)
    labels: tuple[str, ...] = field(default=(), compare=False)
    condition: str = field(default="", compare=False)

    def __deepcopy__(self, memo: object) -> Family:
        return self  # it never changes

    def __reduce__(self) -> tuple[Any, ...]:
        # As with a symbol, a copy that leaves the program only shows.
        bounds = (self.low, self.high, _no_rows)
        return (Family, (self.name, self.index, *bounds, self.labels, self.condition))


def _no_rows(context: Any) -> Sequence[Row]:
    del context
    return ()


@dataclass(frozen=True)
class Sum(Node):
    """Σ body over the rows of a family."""

    body: Node
    family: Family

    def number(self, scope: Scope) -> Exact:
        return self.over(scope.rows(self.family), scope)

    def over(self, rows: Sequence[Row], scope: Scope) -> Exact:
        """The sum over these rows."""
        if isinstance(rows, Rows):
            try:
                return self._all_at_once(rows, scope)
            except exact.OneByOne:
                pass
        terms = (self.body.number(scope.inner(row)) for row in rows)
        return exact.total(terms) if len(rows) <= MANY_TERMS else exact.long_total(list(terms))

    def _all_at_once(self, rows: Rows, scope: Scope) -> Exact:
        from binteach.columns import Total

        total = Total()
        try:
            for part, count in rows.parts():
                total.add(self.body.number(scope.inner(part)), count)
            return total.result()
        except exact.NoLog:
            raise LogOfZero(self.body, scope) from None

    def substitute(self, scope: Scope) -> Node:
        terms = _written_out(self, scope)
        return terms[0] if len(terms) == 1 else Add(terms)


@dataclass(frozen=True)
class MaxOver(Node):
    """The largest body over the rows of a family."""

    body: Node
    family: Family

    def number(self, scope: Scope) -> Exact:
        return self.over(scope.rows(self.family), scope)

    def over(self, rows: Sequence[Row], scope: Scope) -> Exact:
        """The largest over these rows."""
        return self.best(rows, scope)[1]

    def best(self, rows: Sequence[Row], scope: Scope) -> tuple[int, Exact]:
        """The first row in which it is reached, and the largest value."""
        found: list[tuple[int, Exact]] = []
        if isinstance(rows, Rows):
            start = 0
            for part, count in rows.parts():
                column = self.body.number(scope.inner(part))
                place = column.place_of_largest()
                found.append((start + place, column[place]))
                start += count
        else:
            found = [(place, self.body.number(scope.inner(row))) for place, row in enumerate(rows)]
        return max(found, key=lambda each: each[1])

    def substitute(self, scope: Scope) -> Node:
        return Max(_written_out(self, scope))


def _written_out(over: Sum | MaxOver, scope: Scope) -> tuple[Node, ...]:
    """The body for every row; the middle of a long list as dots that keep its joint value."""
    rows, body = scope.rows(over.family), over.body
    if not rows:
        return (Num(Fraction(0)),)
    if len(rows) <= LONGEST_SUM:
        return tuple(body.substitute(scope.inner(row)) for row in rows)
    last = len(rows) - TAIL
    hidden = rows.between(HEAD, last) if isinstance(rows, Rows) else rows[HEAD:last]
    return (
        *(body.substitute(scope.inner(row)) for row in rows[:HEAD]),
        Dots(over.over(hidden, scope), len(hidden)),
        *(body.substitute(scope.inner(row)) for row in rows[last:]),
    )


@dataclass(frozen=True)
class Branch(Node):
    """`then` where left ≥ right, `otherwise` where it is smaller."""

    left: Node
    right: Node
    then: Node
    otherwise: Node

    def children(self) -> tuple[Node, ...]:
        return (self.left, self.right, self.then, self.otherwise)

    def chosen(self, scope: Scope) -> Node:
        """The case that applies."""
        larger = self.left.number(scope) >= self.right.number(scope)
        return self.then if larger else self.otherwise

    def number(self, scope: Scope) -> Exact:
        left, right = self.left.number(scope), self.right.number(scope)
        if isinstance(left, exact.Many):
            then, otherwise = self.then.number(scope), self.otherwise.number(scope)
            return then.where(left.at_least(right), otherwise)  # type: ignore[attr-defined]
        return (self.then if left >= right else self.otherwise).number(scope)

    def substitute(self, scope: Scope) -> Node:
        return self.chosen(scope).substitute(scope)


# Statements: shown, never computed ------------------------------------------------------------


@dataclass(frozen=True)
class Rel(Node):
    """left relation right, such as ŷ = 1."""

    left: Node
    relation: str
    right: Node

    def children(self) -> tuple[Node, ...]:
        return (self.left, self.right)


@dataclass(frozen=True)
class Prob(Node):
    """P(event | given)."""

    event: Node
    given: Node | None = None

    def children(self) -> tuple[Node, ...]:
        return (self.event,) if self.given is None else (self.event, self.given)


# Reduction ------------------------------------------------------------------------------------


def _is_rational(tree: Node) -> bool:
    return isinstance(tree, Num | Dots) and isinstance(tree.value, Fraction)


def _is_numeric(tree: Node) -> bool:
    """A rational or c·√r; symbols and logarithms stay as they are written."""
    if isinstance(tree, Sqrt):
        return _is_rational(tree.part)
    return isinstance(tree, Num | Dots) and isinstance(tree.value, Fraction | exact.Surd)


def _unsigned(tree: Node) -> Node:
    return tree.part if isinstance(tree, Neg) else tree


def _value(tree: Node) -> Exact:
    if isinstance(tree, Neg):
        return exact.negate(_value(tree.part))
    if isinstance(tree, Sqrt):
        return exact.sqrt(_value(tree.part))
    return tree.value  # type: ignore[attr-defined]


def _any_decimal(parts: Sequence[Node]) -> bool:
    return any(isinstance(p := _unsigned(part), Num) and p.decimal for part in parts)


# A sum of more terms than this is worked out term by term in one go, as people write it.
WRITTEN_STEP_BY_STEP = 3


def reduce_once(tree: Node) -> Node:
    """One round of arithmetic: every operation whose parts are worked out is carried out.

    Returns the tree itself when nothing is left to do.
    """
    children = tree.children()
    many = isinstance(tree, Add | Max) and len(children) > WRITTEN_STEP_BY_STEP
    reduced = [
        child
        # In a sum, − 3 is a finished term; making it −3 would be a step that nobody sees.
        if isinstance(tree, Add) and isinstance(child, Neg) and isinstance(child.part, Num)
        else (reduce_fully(child) if many else reduce_once(child))
        for child in children
    ]
    if all(new is old for new, old in zip(reduced, children, strict=True)):
        return tree.combine()
    new_tree = tree.with_children(reduced)
    # The sign and the bars of |−3| go in the same stroke as what stands inside them.
    return new_tree.combine() if isinstance(tree, Abs | Neg) else new_tree


def reduce_fully(tree: Node) -> Node:
    """The tree with all arithmetic done."""
    while (smaller := reduce_once(tree)) is not tree:
        tree = smaller
    return tree


def transform(tree: Node, change: Callable[[Node], Node | None]) -> Node:
    """The tree with every part replaced for which `change` gives another one."""
    changed = change(tree)
    if changed is not None:
        return changed
    children = tree.children()
    return (
        tree.with_children([transform(child, change) for child in children]) if children else tree
    )


def symbols(tree: Node) -> list[Sym]:
    """The symbols of a formula, in order of appearance, each once."""
    found: dict[Sym, None] = {}

    def visit(part: Node) -> None:
        if isinstance(part, Sym):
            found.setdefault(part)
        elif isinstance(part, Sum | MaxOver):
            for bound in (part.family.low, part.family.high):
                if bound is not None:
                    visit(bound)
            visit(part.body)
        else:
            for child in part.children():
                visit(child)

    visit(tree)
    return list(found)
