"""How a formula is walked: brackets by precedence, signs, long numbers; one writer per format.

A format says how each piece looks; what needs brackets is decided here, once.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from binteach.cases import short_decimal
from binteach.exact import LogSum, Surd, tidy, to_sympy
from binteach.expr import (
    Abs,
    Add,
    Branch,
    Div,
    Dots,
    Family,
    Log,
    Max,
    MaxOver,
    Mul,
    Neg,
    Node,
    Num,
    Pow,
    Prob,
    Rel,
    Rounded,
    Sqrt,
    Sum,
    Sym,
)

# How tightly an operation binds; what binds less tightly than its place asks for gets brackets.
SUM, PRODUCT, FACTOR, POWER, ATOM = 1, 2, 3, 4, 5
LONG = 30  # digits from which a whole number is shown with its middle left out


def whole(number: int) -> str:
    """A whole number; a very long one as its first and last digits."""
    size = abs(number)
    if size < 10**LONG:
        return str(number).replace("-", "−")
    digits = int(math.log10(size)) if size < 10**300 else int(size.bit_length() * math.log10(2))
    while 10 ** (digits + 1) <= size:
        digits += 1
    while 10**digits > size:
        digits -= 1
    sign = "−" if number < 0 else ""
    return f"{sign}{size // 10 ** (digits - 5)}…{size % 10**6:06d}"


def decimal(number: Fraction) -> str:
    """A short decimal, with a true minus sign."""
    return short_decimal(number).replace("-", "−")


class Writer(ABC):
    """Writes formulas in one format."""

    def write(self, tree: Node, level: int = 0) -> str:
        """The formula, in brackets if it binds less tightly than `level`."""
        method = _METHODS.get(type(tree))
        if method is None:
            raise TypeError(f"no way to write {type(tree).__name__}")
        text, binds = method(self, tree)
        return self.bracketed(text) if binds < level else text

    # What a format has to say.

    @abstractmethod
    def bracketed(self, text: str) -> str: ...
    @abstractmethod
    def number(self, digits: str) -> str: ...
    @abstractmethod
    def symbol(self, symbol: Sym) -> str: ...
    @abstractmethod
    def row(self, pieces: list[str]) -> str: ...
    @abstractmethod
    def operator(self, sign: str) -> str: ...
    def binary(self, sign: str) -> str:
        """An operator between two things, even where it begins a line."""
        return self.operator(sign)

    @abstractmethod
    def fraction(self, top: str, bottom: str) -> str: ...
    @abstractmethod
    def root(self, text: str) -> str: ...
    @abstractmethod
    def power(self, base: str, exponent: str) -> str: ...
    @abstractmethod
    def logarithm(self, base: int, argument: str) -> str: ...
    @abstractmethod
    def absolute(self, text: str) -> str: ...
    @abstractmethod
    def braces(self, name: str, lines: list[list[str]]) -> str: ...
    @abstractmethod
    def over(self, sign: str, family: Family) -> str: ...
    @abstractmethod
    def choice(self, branches: list[tuple[str, str]]) -> str: ...
    @abstractmethod
    def probability(self, event: str, given: str | None) -> str: ...
    @abstractmethod
    def sympy(self, expression: Any) -> str: ...
    @abstractmethod
    def lines(self, chunks: list[str]) -> str: ...

    # Characters from which a sum is broken into lines.
    wide: float = 62
    # Whether a fraction or quotient stands by itself (\frac) or reads as a / b.
    fraction_binds = ATOM

    def _num(self, tree: Num) -> tuple[str, int]:
        value = tree.value
        if tree.label is not None:
            return self.symbol(tree.label), ATOM
        if isinstance(value, Fraction):
            if value < 0:
                text, _ = self._num(Num(-value, tree.decimal))
                return self.row([self.operator("−"), text]), SUM
            if tree.decimal:
                return self.number(decimal(value)), ATOM
            if value.denominator == 1:
                return self.number(whole(value.numerator)), ATOM
            top, bottom = whole(value.numerator), whole(value.denominator)
            return self.small_fraction(top, bottom), min(self.fraction_binds, FACTOR)
        if isinstance(value, Surd):
            return self._surd(value)
        if isinstance(value, LogSum):
            value = to_sympy(value)
        return self.sympy(value), SUM if value.is_Add else ATOM

    def small_fraction(self, top: str, bottom: str) -> str:
        """A fraction of two numbers."""
        return self.fraction(self.number(top), self.number(bottom))

    def _surd(self, value: Surd) -> tuple[str, int]:
        """√(9/20) as it is; anything else as a√r/b, or a/(b√r) where that is simpler."""
        if value.coefficient == 1:
            return self.root(self.write(Num(value.radicand))), ATOM
        neat = tidy(value)
        plain_top = abs(value.coefficient * value.radicand)
        if neat.radicand > 1000 and plain_top.denominator == value.radicand.denominator == 1:
            # 72125/√5705816760 is no better for having its squares taken out.
            quotient = Num(plain_top) / Num(Surd(Fraction(1), value.radicand))
            negative = value.coefficient < 0
            return self.write(Neg(quotient) if negative else quotient), SUM if negative else PRODUCT
        sign = SUM if neat.coefficient < 0 else ATOM
        top, bottom = abs(neat.coefficient.numerator), neat.coefficient.denominator
        radicand = neat.radicand.numerator
        root = Num(Surd(Fraction(1), neat.radicand))
        if bottom % radicand == 0:
            below: Node = root if bottom == radicand else Num(Fraction(bottom // radicand)) * root
            tree: Node = Num(Fraction(top)) / below
        else:
            above: Node = root if top == 1 else Num(Fraction(top)) * root
            tree = above if bottom == 1 else above / Num(Fraction(bottom))
        if sign == SUM:
            tree = Neg(tree)
        return self.write(tree), sign if sign == SUM else PRODUCT

    def _rounded(self, tree: Rounded) -> tuple[str, int]:
        if tree.digits.startswith("-"):
            return self.row([self.operator("−"), self.number(tree.digits[1:])]), SUM
        return self.number(tree.digits), ATOM

    def _sym(self, tree: Sym) -> tuple[str, int]:
        return self.symbol(tree), ATOM

    def _dots(self, tree: Dots) -> tuple[str, int]:
        return self.operator("⋯"), ATOM

    def _add(self, tree: Add) -> tuple[str, int]:
        chunks: list[str] = []
        pieces: list[str] = []
        so_far = 0
        for place, term in enumerate(tree.terms):
            sign, size = _signed(term)
            new = [self.write(size, PRODUCT)]
            if sign == "−" or place:
                new.insert(0, self.binary(sign) if place else self.operator("−"))
            length = width(size) + 3
            if pieces and so_far + length > self.wide:
                chunks.append(self.row(pieces))
                pieces, so_far = [], 0
            pieces += new
            so_far += length
        chunks.append(self.row(pieces))
        return (chunks[0] if len(chunks) == 1 else self.lines(chunks)), SUM

    def _neg(self, tree: Neg) -> tuple[str, int]:
        return self.row([self.operator("−"), self.write(tree.part, PRODUCT)]), SUM

    def _mul(self, tree: Mul) -> tuple[str, int]:
        pieces: list[str] = []
        last = len(tree.factors) - 1
        for place, factor in enumerate(tree.factors):
            ends_in_sum = place == last and isinstance(factor, Sum | MaxOver)
            loose = ends_in_sum or isinstance(factor, Num)
            text = self.write(factor, PRODUCT if loose else FACTOR)
            if place and self._needs_times(tree.factors[place - 1], factor):
                pieces.append(self.operator("×"))
            pieces.append(text)
        return self.row(pieces), PRODUCT

    def _needs_times(self, left: Node, right: Node) -> bool:
        """No sign before Σ, nor between two brackets; numbers always get one."""
        if isinstance(right, Sum | MaxOver):
            return False
        return not (isinstance(left, Add) and isinstance(right, Add))

    def _div(self, tree: Div) -> tuple[str, int]:
        level = 0 if self.fraction_binds == ATOM else FACTOR
        top, bottom = self.write(tree.numerator, level), self.write(tree.denominator, level + 1)
        if level == 0:
            bottom = self.write(tree.denominator, 0)
        return self.fraction(top, bottom), self.fraction_binds

    def _pow(self, tree: Pow) -> tuple[str, int]:
        base = self.write(tree.base, POWER)
        if isinstance(tree.base, Num) and isinstance(tree.base.value, Fraction):
            simple = tree.base.decimal or tree.base.value.denominator == 1
            if not simple and self.fraction_binds == ATOM:
                base = self.bracketed(base)
        return self.power(base, self.write(tree.exponent)), POWER

    def _sqrt(self, tree: Sqrt) -> tuple[str, int]:
        return self.root(self.write(tree.part)), ATOM

    def _log(self, tree: Log) -> tuple[str, int]:
        base = tree.base.value if isinstance(tree.base, Num) else 0
        return self.logarithm(int(base), self.write(tree.part)), ATOM

    def _abs(self, tree: Abs) -> tuple[str, int]:
        return self.absolute(self.write(tree.part)), ATOM

    def _max(self, tree: Max) -> tuple[str, int]:
        lines: list[list[str]] = [[]]
        so_far = 0
        for item in tree.items:
            length = width(item) + 2
            if lines[-1] and so_far + length > self.wide:
                lines.append([])
                so_far = 0
            lines[-1].append(self.write(item))
            so_far += length
        return self.braces("max", lines), ATOM

    def _sum(self, tree: Sum) -> tuple[str, int]:
        pieces = [self.over("Σ", tree.family), self.write(tree.body, PRODUCT)]
        return self.row(pieces), PRODUCT

    def _max_over(self, tree: MaxOver) -> tuple[str, int]:
        pieces = [self.over("max", tree.family), self.braces("", [[self.write(tree.body)]])]
        return self.row(pieces), PRODUCT

    def _branch(self, tree: Branch) -> tuple[str, int]:
        left, right = self.write(tree.left), self.write(tree.right)
        larger = self.row([left, self.operator("≥"), right])
        smaller = self.row([left, self.operator("<"), right])
        branches = [(self.write(tree.then), larger), (self.write(tree.otherwise), smaller)]
        return self.choice(branches), ATOM

    def _rel(self, tree: Rel) -> tuple[str, int]:
        pieces = [self.write(tree.left), self.operator(tree.relation), self.write(tree.right)]
        return self.row(pieces), 0

    def _prob(self, tree: Prob) -> tuple[str, int]:
        given = None if tree.given is None else self.write(tree.given)
        return self.probability(self.write(tree.event), given), ATOM


def width(tree: Node) -> int:
    """About how wide a formula is where fractions stand upright, in characters."""
    if isinstance(tree, Div):
        return max(width(tree.numerator), width(tree.denominator))
    if isinstance(tree, Num) and isinstance(tree.value, Fraction):
        value = tree.value
        if tree.decimal or value.denominator == 1:
            return len(decimal(value)) if tree.decimal else len(whole(value.numerator))
        return max(len(whole(value.numerator)), len(whole(value.denominator)))
    if isinstance(tree, Rounded):
        return len(tree.digits)
    if isinstance(tree, Sym):
        return len(tree.base) + len(tree.sub or tree.sup) + (width(tree.arg) + 2 if tree.arg else 0)
    own = {Add: 3, Mul: 2, Log: 4, Max: 4, Abs: 2}.get(type(tree), 1)
    return sum(map(width, tree.children())) + own * max(len(tree.children()), 1)


def _signed(term: Node) -> tuple[str, Node]:
    """The sign before a term and what follows it."""
    if isinstance(term, Neg):
        return "−", term.part
    if isinstance(term, Num) and isinstance(term.value, Fraction) and term.value < 0:
        return "−", Num(-term.value, term.decimal)
    if isinstance(term, Num) and isinstance(term.value, Surd) and term.value.coefficient < 0:
        return "−", Num(Surd(-term.value.coefficient, term.value.radicand))
    if isinstance(term, Rounded) and term.digits.startswith("-"):
        return "−", Rounded(term.digits[1:])
    if isinstance(term, Mul):
        sign, first = _signed(term.factors[0])
        if sign == "−":
            return sign, Mul((first, *term.factors[1:]))
    return "+", term


_METHODS: dict[type[Node], Callable[[Any, Any], tuple[str, int]]] = {
    Num: Writer._num,
    Rounded: Writer._rounded,
    Sym: Writer._sym,
    Dots: Writer._dots,
    Add: Writer._add,
    Neg: Writer._neg,
    Mul: Writer._mul,
    Div: Writer._div,
    Pow: Writer._pow,
    Sqrt: Writer._sqrt,
    Log: Writer._log,
    Abs: Writer._abs,
    Max: Writer._max,
    Sum: Writer._sum,
    MaxOver: Writer._max_over,
    Branch: Writer._branch,
    Rel: Writer._rel,
    Prob: Writer._prob,
}
