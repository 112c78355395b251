"""Plain text for a terminal, 80 columns wide."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from typing import Any

from binteach.derivation import Derivation, Table
from binteach.exact import short_text
from binteach.expr import Family, Node, Sym
from binteach.measures.base import Prose
from binteach.render.words import Block, Chain, Grid, Heading, Say, Where, narrate
from binteach.render.writer import PRODUCT, Writer

WIDTH = 80
INDENT = "  "
# A space that lines must not be broken at; replaced before printing.
TIED = "\u00a0"

_LOWERED = dict(zip("0123456789+−ijknt", "₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖₙₜ", strict=True))
_RAISED = dict(zip("0123456789−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻", strict=True))


def lowered(text: str) -> str:
    """A subscript: n₊, tᵢ₊₁; words as _min."""
    if text == "n₊":
        return "_n₊"
    short = len(text) == 1 or not text.isalpha()
    if short and all(letter in _LOWERED for letter in text):
        return "".join(_LOWERED[letter] for letter in text)
    return f"_{text}"


def raised(text: str) -> str:
    """A superscript: 3², t[k], x^(1/2)."""
    if text.startswith("["):
        return text
    if all(letter in _RAISED for letter in text):
        return "".join(_RAISED[letter] for letter in text)
    return f"^{text}" if len(text) == 1 or text.startswith("(") else f"^({text})"


def tied(text: str) -> str:
    """The text in one piece, unless it is too long to stay on a line."""
    return text.replace(" ", TIED) if len(text) < 36 else text


class TextWriter(Writer):
    """Formulas on one line."""

    fraction_binds = PRODUCT
    wide = float("inf")  # text is broken where the line ends

    def bracketed(self, text: str) -> str:
        return tied(f"({text})")

    def number(self, digits: str) -> str:
        return digits

    def symbol(self, symbol: Sym) -> str:
        sub = lowered(symbol.sub) if symbol.sub else ""
        sup = raised(symbol.sup) if symbol.sup else ""
        arg = f"({self.symbol(symbol.arg)})" if symbol.arg else ""
        return f"{symbol.base}{sub}{sup}{arg}".replace(" ", TIED)

    def row(self, pieces: list[str]) -> str:
        text = " ".join(pieces)
        # A leading minus sign belongs to its number.
        return "−" + text[2:] if text.startswith("− ") else text

    def operator(self, sign: str) -> str:
        return sign

    def fraction(self, top: str, bottom: str) -> str:
        simple = " " not in top + bottom and TIED not in top + bottom
        return f"{top}/{bottom}" if simple else f"{top} / {bottom}"

    def small_fraction(self, top: str, bottom: str) -> str:
        return f"{top}/{bottom}"

    def root(self, text: str) -> str:
        return f"√{text}" if text.isalnum() else f"√({text})"

    def power(self, base: str, exponent: str) -> str:
        return f"{base}{raised(exponent)}"

    def logarithm(self, base: int, argument: str) -> str:
        name = f"log{lowered(str(base))}" if base else "ln"
        return tied(f"{name}({argument})")

    def absolute(self, text: str) -> str:
        return tied(f"|{text}|")

    def braces(self, name: str, lines: list[list[str]]) -> str:
        joined = ", ".join(piece for line in lines for piece in line)
        return tied(f"{name}{{{joined}}}")

    def over(self, sign: str, family: Family) -> str:
        if family.low is None or family.high is None:
            return f"{sign}({family.condition or family.index})".replace(" ", TIED)
        return (
            f"{sign}({family.index}={self.write(family.low)}..{self.write(family.high)})".replace(
                " ", ""
            )
        )

    def choice(self, branches: list[tuple[str, str]]) -> str:
        listed = ", or ".join(f"{value} if {condition}" for value, condition in branches)
        return f"[{listed}]"

    def probability(self, event: str, given: str | None) -> str:
        inside = event if given is None else f"{event} | {given}"
        return f"P({inside})".replace(" ", TIED)

    def sympy(self, expression: Any) -> str:
        return str(expression)

    def lines(self, chunks: list[str]) -> str:
        return " ".join(chunks)


_WRITER = TextWriter()


def write(tree: Node) -> str:
    """A formula as text."""
    return _WRITER.write(tree).replace(TIED, " ")


def render(derivation: Derivation) -> str:
    """The derivation as plain text."""
    return join(narrate(derivation))


def titled(title: str, table: Table, note: Prose) -> str:
    """A table with a title above and a remark below."""
    return join([Heading(title), Grid(table), *([Say(note)] if note else [])])


def join(blocks: list[Block]) -> str:
    """All blocks, one under the other."""
    return "\n".join(_block(block) for block in blocks).rstrip()


def _block(block: Block) -> str:
    if isinstance(block, Heading):
        return f"{block.words}\n{'=' * len(block.words)}"
    if isinstance(block, Say):
        filled = textwrap.fill(prose(block.prose), WIDTH, break_long_words=False)
        return filled.replace(TIED, " ")
    if isinstance(block, Chain):
        return _chain(block) + "\n"
    if isinstance(block, Where):
        return _where(block) + "\n"
    if isinstance(block, Grid):
        return grid(block.table) + "\n"
    raise TypeError(f"no way to write {type(block).__name__}")


def prose(pieces: Prose) -> str:
    """A sentence with its formulas."""
    # "TP = 3" stays in one piece.
    return "".join(
        re.sub(r"(\S) = (\S)", rf"\1{TIED}={TIED}\2", piece)
        if isinstance(piece, str)
        else _WRITER.write(piece)
        for piece in pieces
    )


def _chain(chain: Chain) -> str:
    left = INDENT + _WRITER.write(chain.left)
    lines = []
    for place, (relation, tree) in enumerate(chain.links):
        lead = left if place == 0 else " " * min(len(left), 24)
        body = _WRITER.write(tree)
        if place == 0 and len(left) > 24:
            lines.append(left)
            lead = " " * 24
        start = f"{lead} {relation} "
        lines += textwrap.wrap(
            body,
            WIDTH,
            initial_indent=start,
            subsequent_indent=" " * (min(len(left), 24) + 3),
            break_long_words=False,
            break_on_hyphens=False,
        )
        if chain.reasons and chain.reasons[place]:
            indent = " " * (min(len(left), 24) + 3)
            reason = f"({chain.reasons[place]})"
            lines += textwrap.wrap(
                reason, WIDTH, initial_indent=indent, subsequent_indent=indent + " "
            )
    return "\n".join(lines).replace(TIED, " ")


def _where(where: Where) -> str:
    lines = []
    names = []
    for item in where.given:
        name = _WRITER.write(item.symbol)
        names.append(name if item.value is None else f"{name} = {_WRITER.write(item.value)}")
    width = max(map(_width, names))
    for name, item in zip(names, where.given, strict=True):
        start = f"{INDENT}{name}{' ' * (width - _width(name))}  "
        lines += textwrap.wrap(
            item.meaning or " ", WIDTH, initial_indent=start, subsequent_indent=" " * (width + 4)
        ) or [start.rstrip()]
    return "\n".join(lines).replace(TIED, " ")


def _width(cell: str) -> int:
    """Columns on the screen: combining marks take none."""
    return sum(not unicodedata.combining(letter) for letter in cell)


def grid(table: Table) -> str:
    """A table with right-aligned columns and a line where the cut is."""
    # Numbers are shortened to fit; words are what a table of words is for.
    limit = 200 if table.words else 40
    heads = [_cell(head) for head in table.heads]
    rows = [
        row if isinstance(row, int) else [_cell(cell, limit) for cell in row] for row in table.rows
    ]
    totals = None if table.totals is None else [_cell(cell) for cell in table.totals]
    full = [row for row in [*rows, totals] if isinstance(row, list)]
    widths = [
        max([*(_width(row[place]) for row in full), _width(head)])
        for place, head in enumerate(heads)
    ]
    if sum(widths) + 2 * len(widths) + 2 > WIDTH and not table.words:
        # Long heads stand above the table, numbered.
        legend = [
            f"{INDENT}({place}) {head}" for place, head in enumerate(heads, 1) if len(head) > 6
        ]
        heads = [f"({place})" if len(head) > 6 else head for place, head in enumerate(heads, 1)]
        widths = [
            max(*(_width(row[place]) for row in full), _width(head))
            for place, head in enumerate(heads)
        ]
    else:
        legend = []
    rule = INDENT + "-" * (sum(widths) + 2 * (len(widths) - 1))
    lines = [*legend, _row(heads, widths, table.words), rule]
    for place, row in enumerate(rows):
        if table.line == place:
            lines.append(_line(rule, table.line == 0))
        lines.append(
            INDENT + f"⋮  ({row} more)" if isinstance(row, int) else _row(row, widths, table.words)
        )
    if table.line == len(rows):
        lines.append(_line(rule, False))
    if totals is not None:
        lines += [rule, _row(totals, widths)]
    return "\n".join(lines).replace(TIED, " ")


def _line(rule: str, at_top: bool) -> str:
    words = " called positive: none " if at_top else " the cut "
    bare = rule[len(INDENT) :].replace("-", "=")
    return INDENT + bare + words.rstrip()


def _row(cells: list[str], widths: list[int], words: bool = False) -> str:
    blanks = [" " * (width - _width(cell)) for cell, width in zip(cells, widths, strict=True)]
    pairs = zip(blanks, cells, strict=True)
    padded = [cell + blank if words else blank + cell for blank, cell in pairs]
    return (INDENT + "  ".join(padded)).rstrip()


def _cell(cell: str | Node, limit: int = 40) -> str:
    shown = cell if isinstance(cell, str) else _WRITER.write(cell)
    return short_text(shown.replace(TIED, " "), limit)
