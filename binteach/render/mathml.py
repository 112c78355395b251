"""Presentation MathML, which browsers draw without any script."""

from __future__ import annotations

import re
from fractions import Fraction
from html import escape, unescape
from typing import Any

from binteach.derivation import Derivation, Table
from binteach.expr import Family, Node, Num, Sym
from binteach.measures.base import Prose
from binteach.render.words import Block, Chain, Grid, Heading, Say, Where, narrate
from binteach.render.writer import Writer, whole

ROUND = "border-left:2px solid;border-right:2px solid;border-radius:.7em;padding:0 .35em"
REASON = ' style="text-align:left;padding-left:1.5em;font-size:.8em"'
_LINES = '<mtable displaystyle="true">'
LEFT, RIGHT = ' style="text-align:left"', ' style="text-align:right"'


def _wrapped(tag: str, inside: str, attributes: str = "") -> str:
    return f"<{tag}{attributes}>{inside}</{tag}>"


def sign(text: str, attributes: str = "") -> str:
    """An operator."""
    return _wrapped("mo", escape(text), attributes)


def words(text: str) -> str:
    """Text inside a formula; spaces at its ends are kept."""
    if text[:1] == " ":
        text = "\u00a0" + text[1:]
    if text[-1:] == " ":
        text = text[:-1] + "\u00a0"
    return _wrapped("mtext", escape(text))


def fenced(opening: str, inside: str, closing: str) -> str:
    """Brackets that grow with what they hold, and only then: growing ones are set wider apart."""
    tall = any(tag in inside for tag in ("<mfrac", "<msqrt", "<mtable", "<munder"))
    attributes = "" if tall else ' stretchy="false"'
    return _wrapped("mrow", sign(opening, attributes) + inside + sign(closing, attributes))


class MathmlWriter(Writer):
    """Formulas in MathML; every piece is one element."""

    def bracketed(self, text: str) -> str:
        if text.startswith(_LINES):
            # Brackets as tall as the lines, whatever font there is.
            return text.replace("<mtable", f'<mtable style="{ROUND}"', 1)
        return fenced("(", text, ")")

    def number(self, digits: str) -> str:
        if digits.startswith("−"):
            return self.row([sign("−"), _wrapped("mn", digits[1:])])
        return _wrapped("mn", digits)

    def symbol(self, symbol: Sym) -> str:
        name = self._name(symbol.base)
        if symbol.sub and symbol.sup:
            name = f"<msubsup>{name}{self._script(symbol.sub)}{self._script(symbol.sup)}</msubsup>"
        elif symbol.sub:
            name = f"<msub>{name}{self._script(symbol.sub)}</msub>"
        elif symbol.sup:
            name = f"<msup>{name}{self._script(symbol.sup)}</msup>"
        if symbol.arg is None:
            return name
        return self.row([name, fenced("(", self.symbol(symbol.arg), ")")])

    def _name(self, base: str) -> str:
        if " " in base or not base.replace("̄", "").isalpha():
            # In a narrow column a browser would begin a second line, which cannot be seen.
            return words(base.replace(" ", "\u00a0"))
        return _wrapped("mi", escape(base))

    def _script(self, text: str) -> str:
        pieces = []
        word = ""
        for letter in text:
            if letter.isalpha() or letter == "₊":
                word += letter
                continue
            if word:
                pieces.append(_wrapped("mi", word))
                word = ""
            pieces.append(_wrapped("mn", letter) if letter.isdigit() else sign(letter))
        if word:
            pieces.append(_wrapped("mi", word))
        return self.row(pieces)

    def row(self, pieces: list[str]) -> str:
        return pieces[0] if len(pieces) == 1 else _wrapped("mrow", "".join(pieces))

    def operator(self, sign_: str) -> str:
        return sign(sign_)

    def binary(self, sign_: str) -> str:
        return sign(sign_, ' form="infix"')

    def fraction(self, top: str, bottom: str) -> str:
        return _wrapped("mfrac", top + bottom)

    def root(self, text: str) -> str:
        return _wrapped("msqrt", text)

    def power(self, base: str, exponent: str) -> str:
        return _wrapped("msup", base + exponent)

    def logarithm(self, base: int, argument: str) -> str:
        name = f"<msub><mi>log</mi><mn>{base}</mn></msub>" if base else "<mi>ln</mi>"
        return self.row([name, fenced("(", argument, ")")])

    def absolute(self, text: str) -> str:
        return fenced("|", text, "|")

    def braces(self, name: str, lines: list[list[str]]) -> str:
        listed = [sign(",").join(line) for line in lines]
        if len(listed) == 1:
            inside = _wrapped("mrow", listed[0])
        else:
            inside = self.lines([*(line + sign(",") for line in listed[:-1]), listed[-1]])
        fence = fenced("{", inside, "}")
        return self.row([_wrapped("mi", name), fence]) if name else fence

    def over(self, sign_: str, family: Family) -> str:
        name = sign("∑") if sign_ == "Σ" else sign("max")
        if family.low is None or family.high is None:
            below = words(family.condition) if family.condition else self._script(family.index)
            return _wrapped("munder", name + below)
        low, high = self.write(family.low), self.write(family.high)
        start = self.row([_wrapped("mi", family.index), sign("="), low])
        if sign_ == "max":
            span = self.row([start, sign(","), sign("…"), sign(","), high])
            return _wrapped("munder", name + span)
        return _wrapped("munderover", name + start + high)

    def choice(self, branches: list[tuple[str, str]]) -> str:
        rows = "".join(
            f"<mtr><mtd{LEFT}>{value}</mtd><mtd{LEFT}>{words(' if ')}{condition}</mtd></mtr>"
            for value, condition in branches
        )
        return self.row([sign("{"), _wrapped("mtable", rows)])

    def probability(self, event: str, given: str | None) -> str:
        inside = [event] if given is None else [event, sign("|", ' form="infix"'), given]
        return self.row(["<mi>P</mi>", fenced("(", self.row(inside), ")")])

    def sympy(self, expression: Any) -> str:
        import sympy

        markup = str(sympy.mathml(expression, printer="presentation"))
        # Outside HTML only five entities have names; all others become the sign itself.
        return re.sub(r"&(?!(?:lt|gt|amp|quot|apos);)\w+;", lambda m: unescape(m[0]), markup)

    def lines(self, chunks: list[str]) -> str:
        rows = "".join(f"<mtr><mtd{LEFT}>{chunk}</mtd></mtr>" for chunk in chunks)
        return f"{_LINES}{rows}</mtable>"


_WRITER = MathmlWriter()


def write(tree: Node) -> str:
    """A formula as MathML, without the <math> around it."""
    return _WRITER.write(tree)


def on_one_line(tree: Node) -> str:
    """A cell of a table: a fraction as 3/20, which is as high as a whole number."""
    if isinstance(tree, Num) and isinstance(tree.value, Fraction) and not tree.decimal:
        top, bottom = abs(tree.value.numerator), tree.value.denominator
        if bottom != 1:
            minus = sign("−") if tree.value < 0 else ""
            pieces = f"<mn>{whole(top)}</mn>{sign('/')}<mn>{whole(bottom)}</mn>"
            return _wrapped("mrow", minus + pieces)
    return _WRITER.write(tree)


def inline(tree: Node) -> str:
    """A formula inside a sentence."""
    return f"<math>{_WRITER.write(tree)}</math>"


def render(derivation: Derivation) -> str:
    """The derivation as one block of MathML, a row for each sentence, formula or table."""
    rows = "".join(f"<mtr><mtd{LEFT}>{_block(block)}</mtd></mtr>" for block in narrate(derivation))
    return f'<math display="block"><mtable>{rows}</mtable></math>'


def _block(block: Block) -> str:
    if isinstance(block, Heading):
        return _wrapped("mstyle", words(block.words), ' style="font-weight:bold"')
    if isinstance(block, Say):
        return _wrapped("mrow", prose(block.prose))
    if isinstance(block, Chain):
        return chain(block)
    if isinstance(block, Where):
        return where(block)
    if isinstance(block, Grid):
        return grid(block.table)
    raise TypeError(f"no way to write {type(block).__name__}")


def prose(pieces: Prose) -> str:
    """A sentence with its formulas, all in MathML."""
    return "".join(
        words(piece) if isinstance(piece, str) else _WRITER.write(piece) for piece in pieces
    )


def chain(block: Chain) -> str:
    """Equal things under each other, the relation signs in one column."""
    rows = []
    for place, (relation, tree) in enumerate(block.links):
        left = _WRITER.write(block.left) if place == 0 else ""
        rows.append(
            f"<mtr><mtd{RIGHT}>{left}</mtd><mtd>{sign(relation)}</mtd>"
            f"<mtd{LEFT}>{_WRITER.write(tree)}</mtd>{_reason(block, place)}</mtr>"
        )
    return _wrapped("mtable", "".join(rows), ' displaystyle="true"')


def _reason(block: Chain, place: int) -> str:
    """Why a link holds, in a column of its own."""
    return f"<mtd{REASON}>{words(block.reasons[place])}</mtd>" if any(block.reasons) else ""


def where(block: Where) -> str:
    """Symbols with their values and meanings."""
    rows = []
    for item in block.given:
        value = "" if item.value is None else sign("=") + _WRITER.write(item.value)
        rows.append(
            f"<mtr><mtd{LEFT}>{_WRITER.write(item.symbol)}{value}</mtd>"
            f"<mtd{LEFT}>{words(item.meaning)}</mtd></mtr>"
        )
    return _wrapped("mtable", "".join(rows))


def grid(table: Table) -> str:
    """A table; the cut is a thick line."""
    thick, thin = "border-top:3px solid", "border-top:1px solid"
    rows = [_row(table.heads, "")]
    for place, row in enumerate(table.rows):
        border = thick if table.line == place else thin if place == 0 else ""
        if isinstance(row, int):
            rows.append(_row(("⋮", f"{row} more"), border))
        else:
            rows.append(_row(row, border))
    if table.line == len(table.rows):
        rows.append(_row(("",) * len(table.heads), thick))
    if table.totals is not None:
        rows.append(_row(table.totals, thin))
    return _wrapped("mtable", "".join(rows))


def _row(cells: tuple[str | Node, ...], border: str) -> str:
    style = f' style="text-align:right;{border}"' if border else RIGHT
    inside = "".join(
        f"<mtd{style}>{words(cell) if isinstance(cell, str) else on_one_line(cell)}</mtd>"
        for cell in cells
    )
    return _wrapped("mtr", inside)
