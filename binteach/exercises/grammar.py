"""A small grammar for numbers as people write them: 3/4, 0,75, 75 %, 1/√6, 2 log₂(3) − 1.

  sum      = ["+" | "−"] product {("+" | "−") product}
  product  = power {("×" | "/" | ":") ["−"] power | bracket, root or logarithm without a sign}
  power    = operand [("^" signed power) | "²" | "³"]
  operand  = number ["%"] | "(" sum ")" | root operand | logarithm operand
             | "log" "(" sum ["," whole] ")"

Nothing is evaluated but this: the text goes through the rules below, letter by letter, and what
they do not know is refused. Length, nesting and the size of numbers are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from fractions import Fraction

from binteach import exact
from binteach.exact import Exact

LONGEST = 200  # characters
DEEPEST = 20  # brackets, roots and signs inside each other
MOST_DIGITS = 40  # of one number
LARGEST_POWER = 64
NEAR = 50  # digits to which irrational numbers are compared

READABLE = (
    "Write a number such as 3/4, 0.75, 0,75 or 75 %; "
    "roots and logarithms as sqrt(6), log2(3) or ln 2"
)


class Unreadable(ValueError):
    """An answer that cannot be read; the message says why and what can be."""


class DividesByZero(Unreadable):
    """An answer in which something is divided by zero."""


SIGNS = {"−": "-", "–": "-", "×": "*", "·": "*", "⋅": "*", "∙": "*", "÷": "/", "⁄": "/", "∶": ":"}
SAME = {**SIGNS, "**": "^", "\u00a0": " ", "\u202f": " ", "\u2009": " ", "₂": "2", "₁₀": "10"}
FRACTIONS = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅛": "1/8"}
RAISED = {"²": 2, "³": 3}
ROOTS = {"√", "sqrt", "wurzel", "root"}
LOGS = {"ln": 0, "log2": 2, "log_2": 2, "ld": 2, "lb": 2, "log10": 10, "log_10": 10, "lg": 10}
# As in Python and sympy, and so as values are printed here, log alone is the natural one.
LOG = "log"

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+(?:[.,]\d+|\.)?|\.\d+)(?:[eE][-+]?\d{1,2})?)"
    r"|(?P<name>[A-Za-z]+(?:_?(?:10|2)(?![\d.]))?|√)"
    r"|(?P<sign>[-+*/:^(),%²³½⅓⅔¼¾⅕⅛]))",
    re.ASCII,
)


def same_signs(text: str) -> str:
    """The text with one sign for everything that means the same."""
    for other, sign in SAME.items():
        text = text.replace(other, sign)
    return text.strip()


def read_expression(text: str, names: Mapping[str, Exact] | None = None) -> Exact:
    """The exact value of a written number, or of a formula in these names; raises Unreadable."""
    if len(text) > LONGEST:
        raise Unreadable(f"The answer has more than {LONGEST} characters. {_readable(names)}.")
    return _Reader(same_signs(text), names or {}).whole()


def _readable(names: Collection[str] | None) -> str:
    """What can be read: a number, or a formula where there are names."""
    return (
        f"Write a formula in {', '.join(names)}, with + - * / and brackets" if names else READABLE
    )


def with_brackets(text: str) -> str:
    """a + b/c + d as (a + b)/(c + d), which is meant where the brackets are forgotten."""
    above, slash, below = same_signs(text).partition("/")
    return f"({above})/({below})" if slash else text


class _Reader:
    """Reads from left to right; each method is one rule of the grammar."""

    def __init__(self, text: str, names: Mapping[str, Exact]) -> None:
        self.names = names
        self.tokens = _tokens(text, names)
        self.place = 0
        self.depth = 0
        self.in_call = 0

    def whole(self) -> Exact:
        value = self.sum()
        if self.place < len(self.tokens):
            self.refuse()
        return value

    # Tokens

    def next(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        """The next token if it is one of these, or nothing."""
        found = self.next()
        if found and found in wanted:
            self.place += 1
            return found
        return ""

    def refuse(self) -> None:
        found = self.next()
        where = f"I stopped at “{found}”" if found else "The answer stops in the middle"
        raise Unreadable(f"{where}. {_readable(self.names)}.")

    # Rules

    def sum(self) -> Exact:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unreadable(f"There are more than {DEEPEST} brackets inside each other.")
        sign = self.take("+", "-")
        value = self.product()
        if sign == "-":
            value = exact.negate(value)
        while sign := self.take("+", "-"):
            term = self.product()
            value = _bounded(exact.add(value, exact.negate(term) if sign == "-" else term))
        self.depth -= 1
        return value

    def product(self) -> Exact:
        value = self.power()
        divided = False
        while True:
            if sign := self.take("*", "/", ":"):
                minus = self.take("-")
                factor = exact.negate(self.power()) if minus else self.power()
                divided = sign != "*"
                value = divide(value, factor) if divided else exact.multiply(value, factor)
            elif self.next() == "(" or self.next() in (*ROOTS, *self.names) or self.is_log():
                if divided:
                    raise Unreadable(
                        "1/2√6 may mean (1/2)·√6 or 1/(2·√6): put brackets or write the ×."
                    )
                value = exact.multiply(value, self.power())
            else:
                return value
            value = _bounded(value)

    def is_log(self) -> bool:
        return self.next() == LOG or self.next() in LOGS

    def power(self) -> Exact:
        bare = (self.next() in ROOTS or self.is_log()) and not self.call_follows()
        value = self.operand()
        if raised := self.take(*RAISED):
            exponent: Exact = Fraction(RAISED[raised])
        elif self.take("^"):
            self.depth += 1
            sign = self.take("+", "-")
            exponent = self.power() if self.depth <= DEEPEST else self.sum()
            exponent = exact.negate(exponent) if sign == "-" else exponent
            self.depth -= 1
        else:
            return value
        if bare:
            raise Unreadable("A power after a root or logarithm needs brackets: (ln 2)^2.")
        return _raise(value, exponent)

    def call_follows(self) -> bool:
        return self.tokens[self.place + 1 : self.place + 2] == ["("]

    def operand(self) -> Exact:
        found = self.next()
        if found[:1].isdigit() or found[:1] == ".":
            self.place += 1
            return self.number(found)
        if self.take(*FRACTIONS):
            return Fraction(FRACTIONS[found])
        if self.take("("):
            value = self.sum()
            self.close()
            return value
        if self.take(*self.names):
            return self.names[found]
        if found in ROOTS or self.is_log():
            self.place += 1
            return self.applied(found)
        self.refuse()
        raise AssertionError  # refuse() never returns

    def number(self, written: str) -> Exact:
        if "," in written and self.in_call:
            raise Unreadable(
                f"“{written}” in brackets may be one number or two: "
                "write 8.2, or 8, 2 with a space."
            )
        if sum(map(str.isdigit, written)) > MOST_DIGITS:
            raise Unreadable(f"A number has more than {MOST_DIGITS} digits.")
        value = Fraction(written.replace(",", ".").rstrip("."))
        return value / 100 if self.take("%") else value

    def applied(self, name: str) -> Exact:
        """A root or a logarithm, of what stands in brackets or of one operand."""
        base = LOGS.get(name, 0)
        if self.take("("):
            self.in_call += 1
            argument = self.sum()
            if name == LOG and self.take(","):
                base = self.base()
            self.close()
            self.in_call -= 1
        else:
            self.depth += 1
            argument = self.operand() if self.depth <= DEEPEST else self.sum()
            self.depth -= 1
        if name in ROOTS:
            return _bounded(root(argument))
        if not sign_of(argument) > 0:
            raise Unreadable("Only positive numbers have a logarithm.")
        return _bounded(exact.log(argument, base))

    def base(self) -> int:
        written = self.next()
        self.place += 1
        if not written.isdigit() or not 2 <= int(written[:5]) <= 1000:
            raise Unreadable("The base of a logarithm is a whole number: log(8, 2).")
        return int(written)

    def close(self) -> None:
        if not self.take(")"):
            if not self.next():
                raise Unreadable("A bracket is opened and never closed.")
            self.refuse()


def _tokens(text: str, names: Collection[str] = ()) -> list[str]:
    tokens = []
    place = 0
    # tp is TP, unless it is another name.
    known = {name.lower(): name for name in names} | {name: name for name in names}
    while place < len(text):
        found = _TOKEN.match(text, place)
        name = found["name"] if found else None
        if found and name and (meant := known.get(name, known.get(name.lower()))):
            tokens.append(meant)
            place = found.end()
            continue
        if name and name.lower() not in ROOTS and name.lower() != LOG and name.lower() not in LOGS:
            raise Unreadable(f"“{name}” is not known here. {_readable(names)}.")
        if not found:
            raise Unreadable(f"I stopped at “{text[place:].strip()[:1]}”. {_readable(names)}.")
        tokens.append(found[found.lastgroup or 0].lower() if name else found[found.lastgroup or 0])
        place = found.end()
    return tokens


# Arithmetic within bounds ---------------------------------------------------------------------


def near(value: Exact) -> Fraction:
    """The value as a fraction, to so many digits that what differs is seen to differ."""
    middle, _ = exact.approximate(value, NEAR)
    return middle


def is_tiny(number: Fraction) -> bool:
    """Whether a difference is none: no formula that anyone writes is so small and not 0."""
    return bool(abs(number) * 10 ** (NEAR - 8) < 1)


def sign_of(value: Exact) -> int:
    """-1, 0 or 1."""
    number = near(value)
    return 0 if is_tiny(number) else 1 if number > 0 else -1


def divide(left: Exact, right: Exact) -> Exact:
    """left / right; raises DividesByZero."""
    if sign_of(right) == 0:
        raise DividesByZero("The answer divides by zero.")
    return exact.divide(left, right)


def root(value: Exact) -> Exact:
    """The square root of what has one."""
    if sign_of(value) < 0:
        raise Unreadable("A negative number has no square root.")
    return exact.sqrt(value)


def _raise(value: Exact, exponent: Exact) -> Exact:
    if exponent in (Fraction(1, 2), Fraction(-1, 2)):
        found = _bounded(root(value))
        return found if exponent > 0 else divide(Fraction(1), found)
    whole = isinstance(exponent, Fraction) and exponent.denominator == 1
    if not whole or abs(exponent) > LARGEST_POWER:
        raise Unreadable(f"An exponent is a whole number up to {LARGEST_POWER}, or 1/2.")
    if exponent < 0:
        value, exponent = divide(Fraction(1), value), -exponent
    size = _bits(value) if isinstance(value, Fraction) else exact.MAX_BITS // 8
    if size * exponent > exact.MAX_BITS:
        raise Unreadable("A power in the answer is too large.")
    result: Exact = Fraction(1)
    for _ in range(exponent.numerator):
        result = _bounded(exact.multiply(result, value))
    return result


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _bounded(value: Exact) -> Exact:
    """The value, unless it grows out of proportion."""
    value = exact.settle(value)
    if isinstance(value, Fraction):
        too_large = _bits(value) > exact.MAX_BITS
    elif isinstance(value, exact.Surd):
        too_large = _bits(value.squared()) > exact.MAX_BITS
    elif isinstance(value, exact.LogSum):
        too_large = any(number.bit_length() > exact.MAX_BITS for number in value.logs)
    else:
        too_large = value.count_ops() > LONGEST
    if too_large:
        raise Unreadable("A number in the answer is too large.")
    return value
