r"""LaTeX: sentences as text, formulas between $$ and $$ with aligned steps."""

from __future__ import annotations

import re
import textwrap
from typing import Any

from binteach.derivation import Derivation, Table
from binteach.expr import Family, Node, Num, Rounded, Sym
from binteach.measures.base import Prose
from binteach.render import text
from binteach.render.words import Block, Chain, Grid, Heading, Say, Where, narrate
from binteach.render.writer import Writer

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "%": r"\%",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}
# Signs of our own sentences and symbols; each is a command in maths.
_COMMANDS = {
    "π": r"\pi",
    "β": r"\beta",
    "α": r"\alpha",
    "γ": r"\gamma",
    "ε": r"\varepsilon",
    "κ": r"\kappa",
    "λ": r"\lambda",
    "σ": r"\sigma",
    "ρ": r"\rho",
    "ŷ": r"\hat{y}",
    "p̄": r"\bar{p}",
    "t̄": r"\bar{t}",
    "×": r"\times",
    "−": "-",
    "≥": r"\ge",
    "≤": r"\le",
    "≠": r"\ne",
    "≈": r"\approx",
    "⋯": r"\cdots",
    "½": r"\tfrac{1}{2}",
    "²": "^{2}",
    "·": r"\cdot",
    "…": r"\ldots",
    "→": r"\to",
    "√": r"\surd",
}
_LOWERED = {"₊": "+", "₋": "-", "₀": "0", "₁": "1", "₃": "3", "ᵢ": "i", "ₑ": "e"}
_SIGNS = re.compile("|".join(sorted(map(re.escape, _COMMANDS), key=len, reverse=True)))


def escape(words: str) -> str:
    """Words for a sentence or a table cell: nothing in them is a command."""
    plain = "".join(_ESCAPES.get(letter, letter) for letter in words)
    lowered = re.sub(f"(\\w?)([{''.join(_LOWERED)}]+)", _subscript, plain)
    joined = re.sub(r"([A-Za-z]?)(" + _SIGNS.pattern + ")", _in_maths, lowered)
    return joined.replace("$$", "")  # two formulas side by side are one


def _subscript(match: re.Match[str]) -> str:
    letter, marks = match.groups()
    base = _COMMANDS.get(letter, letter)
    return f"${base}_{{{''.join(_LOWERED[mark] for mark in marks)}}}$"


def _in_maths(match: re.Match[str]) -> str:
    letter, sign = match.groups()
    command = _COMMANDS[sign]
    if command.startswith(("_", "^")):
        return f"${letter}{command}$"
    return f"{letter}${command}$"


def text_in_maths(words: str) -> str:
    r"""Words inside a formula, \text{...}."""
    return rf"\text{{{escape(words)}}}"


class LatexWriter(Writer):
    """Formulas in LaTeX."""

    def bracketed(self, text: str) -> str:
        return rf"\left({text}\right)"

    def number(self, digits: str) -> str:
        return digits.replace("−", "-").replace("…", r"\ldots ")

    def symbol(self, symbol: Sym) -> str:
        sub = f"_{{{self._script(symbol.sub)}}}" if symbol.sub else ""
        sup = f"^{{{self._script(symbol.sup)}}}" if symbol.sup else ""
        arg = f"({self.symbol(symbol.arg)})" if symbol.arg else ""
        return f"{self._name(symbol.base)}{sub}{sup}{arg}"

    def _name(self, base: str) -> str:
        if base in _COMMANDS:
            return _COMMANDS[base]
        if len(base) == 1:
            return base
        if base.isalpha() and base.isascii():
            return rf"\mathrm{{{base}}}"
        if base.replace(" ", "").isalpha() and base.isascii():
            return rf"\text{{{base}}}"
        return _SIGNS.sub(lambda match: f"{_COMMANDS[match[0]]} ", base)

    def _script(self, text: str) -> str:
        if len(text) > 1 and text.isalpha() and text.isascii():
            return rf"\mathrm{{{text}}}"
        plain = "".join(_LOWERED.get(letter, letter) for letter in text)
        return _SIGNS.sub(lambda match: _COMMANDS[match[0]], plain)

    def row(self, pieces: list[str]) -> str:
        return " ".join(pieces)

    def operator(self, sign: str) -> str:
        return _COMMANDS.get(sign, sign)

    def fraction(self, top: str, bottom: str) -> str:
        return rf"\frac{{{top}}}{{{bottom}}}"

    def root(self, text: str) -> str:
        return rf"\sqrt{{{text}}}"

    def power(self, base: str, exponent: str) -> str:
        return f"{base}^{{{exponent}}}"

    def logarithm(self, base: int, argument: str) -> str:
        name = rf"\log_{{{base}}}" if base else r"\ln"
        return rf"{name}\left({argument}\right)"

    def absolute(self, text: str) -> str:
        return rf"\left\lvert {text} \right\rvert"

    def braces(self, name: str, lines: list[list[str]]) -> str:
        command = "\\" + name if name else ""
        listed = [", ".join(line) for line in lines]
        inside = (
            listed[0]
            if len(listed) == 1
            else self.lines([*(f"{x}," for x in listed[:-1]), listed[-1]])
        )
        return rf"{command}\left\{{{inside}\right\}}"

    def over(self, sign: str, family: Family) -> str:
        name = r"\sum" if sign == "Σ" else r"\max"
        if family.low is None or family.high is None:
            below = family.condition or self._script(family.index)
            words = rf"\text{{{below}}}" if family.condition else below
            return f"{name}_{{{words}}}"
        low, high = self.write(family.low), self.write(family.high)
        if sign == "max":
            return rf"{name}_{{{family.index}={low},\dots,{high}}}"
        return f"{name}_{{{family.index}={low}}}^{{{high}}}"

    def choice(self, branches: list[tuple[str, str]]) -> str:
        rows = r" \\ ".join(rf"{value} & \text{{if }} {condition}" for value, condition in branches)
        return rf"\begin{{cases}} {rows} \end{{cases}}"

    def probability(self, event: str, given: str | None) -> str:
        inside = event if given is None else rf"{event} \mid {given}"
        return f"P({inside})"

    def sympy(self, expression: Any) -> str:
        import sympy

        return str(sympy.latex(expression))

    def lines(self, chunks: list[str]) -> str:
        inside = r" \\ ".join(f"& {chunk}" for chunk in chunks)
        return rf"\begin{{aligned}} {inside} \end{{aligned}}"


_WRITER = LatexWriter()


def write(tree: Node) -> str:
    """A formula as LaTeX."""
    return _WRITER.write(tree)


def render(derivation: Derivation) -> str:
    """The derivation in LaTeX."""
    return "\n\n".join(_block(block) for block in narrate(derivation))


def _block(block: Block) -> str:
    if isinstance(block, Heading):
        return rf"\textbf{{{escape(block.words)}}}"
    if isinstance(block, Say):
        words = prose(block.prose)
        return rf"\textbf{{{words}}}" if block.strong else words
    if isinstance(block, Chain):
        return chain(block)
    if isinstance(block, Where):
        return _where(block)
    if isinstance(block, Grid):
        return grid(block.table)
    raise TypeError(f"no way to write {type(block).__name__}")


def prose(pieces: Prose) -> str:
    """A sentence with its formulas between dollar signs."""
    return "".join(
        escape(piece) if isinstance(piece, str) else f"${_WRITER.write(piece)}$" for piece in pieces
    )


def _display(inside: str) -> str:
    return f"$$\n{inside}\n$$"


def chain(block: Chain) -> str:
    """Equal things under each other, the relation signs in one column."""
    lines = []
    for place, (relation, tree) in enumerate(block.links):
        left = _WRITER.write(block.left) if place == 0 else ""
        reason = f" && {_reason(block.reasons[place])}" if any(block.reasons) else ""
        sign = _COMMANDS.get(relation, relation)
        lines.append(f"{left} &{sign} {_WRITER.write(tree)}{reason}".lstrip())
    body = " \\\\\n".join(lines)
    return _display(f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}")


def _reason(words: str) -> str:
    """Why a link holds; over several lines where it is long."""
    lines = [text_in_maths(line) for line in textwrap.wrap(words, 40)] or [""]
    if len(lines) == 1:
        return lines[0]
    body = r" \\ ".join(lines)
    return rf"\begin{{array}}{{l}} {body} \end{{array}}"


def _where(where: Where) -> str:
    lines = []
    for item in where.given:
        equals = "" if item.value is None else f" = {_WRITER.write(item.value)}"
        lines.append(f"{_WRITER.write(item.symbol)} &{equals} && {text_in_maths(item.meaning)}")
    body = " \\\\\n".join(lines)
    return _display(f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}")


def grid(table: Table) -> str:
    """A table as an array; the cut is a double line."""
    lines = [" & ".join(_cell(head) for head in table.heads) + r" \\ \hline"]
    for place, row in enumerate(table.rows):
        if table.line == place:
            lines.append(r"\hline\hline")
        if isinstance(row, int):
            dots = text_in_maths(f"{row} more")
            lines.append(" & ".join([r"\vdots", dots, *[""] * (len(table.heads) - 2)]) + r" \\")
        else:
            lines.append(" & ".join(_cell(cell) for cell in row) + r" \\")
    if table.line == len(table.rows):
        lines.append(r"\hline\hline")
    if table.totals is not None:
        lines.append(r"\hline " + " & ".join(_cell(cell) for cell in table.totals))
    body = "\n".join(lines)
    columns = "r" * len(table.heads)
    return _display(f"\\begin{{array}}{{{columns}}}\n{body}\n\\end{{array}}")


def _cell(cell: str | Node) -> str:
    if isinstance(cell, Num | Rounded):
        return _WRITER.number(text.write(cell))  # 3/20 is as high as a whole number
    if not isinstance(cell, str):
        return _WRITER.write(cell)
    return text_in_maths(cell) if cell else ""
