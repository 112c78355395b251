"""HTML: words and tables as such, formulas as MathML; no script, no network."""

from __future__ import annotations

from html import escape

from binteach.derivation import Derivation, Table
from binteach.expr import Node, Num, Rel, Rounded
from binteach.measures.base import Prose
from binteach.render import latex, mathml, text
from binteach.render.words import Block, Chain, Grid, Heading, Say, Where, narrate

# Colours are the page's own, so that light and dark themes both work.
STYLE = """<style>
.binteach{max-width:52em;line-height:1.5;font-size:1rem}
.binteach h4{margin:.2em 0 .1em;font-size:1.25em}
.binteach p{margin:.5em 0}
.binteach .chain{margin:.6em 0 .8em 1.5em;overflow-x:auto;overflow-y:hidden}
.binteach math{font-family:"STIX Two Math","Latin Modern Math","Cambria Math","STIX Math",math,
 "Times New Roman",serif;font-size:1.12em}
.binteach .wide{overflow-x:auto}
.binteach table.grid math{font-size:1em}
.binteach mfrac>:first-child{padding-bottom:.08em}
.binteach mfrac>:last-child{padding-top:.08em}
.binteach .chain mtd{padding:.28em .12em}
.binteach table.grid{border-collapse:collapse;margin:.5em 0 .8em 1.5em;font-size:1em;
 font-variant-numeric:tabular-nums}
.binteach table.grid th,.binteach table.grid td{padding:.12em .7em;text-align:right;border:0;
 background:none}
.binteach table.grid thead th{border-bottom:1px solid;font-weight:600}
.binteach table.grid tr.cut>td{border-top:3px solid #d55e00;color:#d55e00;font-size:.85em;
 padding-top:0;text-align:left}
.binteach table.grid tfoot td{border-top:1px solid;font-weight:600}
.binteach table.grid.words th,.binteach table.grid.words td{text-align:left;vertical-align:top}
.binteach table.proof{border-collapse:collapse;margin:.5em 0 .8em 1.5em;font-size:1em}
.binteach table.proof td{border:0;padding:.3em .25em;background:none;text-align:left;
 vertical-align:middle}
.binteach table.proof tr{background:none}
.binteach table.proof td:first-child{text-align:right}
.binteach table.proof td.why{padding-left:1.5em;font-size:.9em;opacity:.8;min-width:14em}
@media(max-width:45em){.binteach table.proof tr{display:flex;flex-wrap:wrap;align-items:center}
.binteach table.proof td.why{flex-basis:100%;padding:0 0 .4em 2em}}
.binteach dl{display:grid;grid-template-columns:max-content auto;gap:.1em 1.2em;
 align-items:baseline;margin:.3em 0 .8em 1.5em}
.binteach dt,.binteach dd{margin:0;font-weight:normal}
.binteach .undefined{border-left:4px solid #d55e00;padding-left:.8em;font-weight:600}
.binteach span.drawn[hidden]{display:inline!important}
.binteach div.drawn[hidden]{display:block!important}
.binteach .typed{display:none}
</style>"""


class Page:
    """Writes blocks as HTML.

    A notebook that is not trusted loses its styles and its MathML. `guarded` formulas stand there
    twice: as MathML that is hidden unless the style shows it, and as LaTeX that the notebook
    typesets unless the style hides it.
    """

    def __init__(self, guarded: bool = False) -> None:
        self.guarded = guarded

    def join(self, blocks: list[Block]) -> str:
        """All blocks with their style."""
        return f"{STYLE}\n{self.body(blocks)}"

    def body(self, blocks: list[Block]) -> str:
        """The same without its style."""
        inside = "\n".join(self._block(block) for block in blocks)
        # Not <section>: a deck of slides would take it for a slide.
        return f'<div class="binteach">\n{inside}\n</div>'

    def _block(self, block: Block) -> str:
        if isinstance(block, Heading):
            return f"<h4>{escape(block.words)}</h4>"
        if isinstance(block, Say):
            attribute = ' class="undefined"' if block.strong else ""
            return f"<p{attribute}>{self.prose(block.prose)}</p>"
        if isinstance(block, Chain):
            if any(block.reasons):
                return self._proof(block)
            drawn = f"<math>{mathml.chain(block)}</math>"
            return self._guard("div", "chain", drawn, latex.chain(block) if self.guarded else "")
        if isinstance(block, Where):
            return self._where(block)
        if isinstance(block, Grid):
            return self._grid(block.table)
        raise TypeError(f"no way to write {type(block).__name__}")

    def _proof(self, chain: Chain) -> str:
        """A chain with a reason for each link; words must be able to run over several lines."""
        rows = []
        for place, ((relation, tree), reason) in enumerate(
            zip(chain.links, chain.reasons, strict=True)
        ):
            left = self._inline(chain.left) if place == 0 else ""
            # Set in the tag itself, so that it also holds where the style is stripped.
            rows.append(
                f"<tr><td>{left}</td><td>{escape(relation)}</td>"
                f'<td style="text-align:left">{self._inline(tree, large=True)}</td>'
                f'<td class="why" style="text-align:left">{escape(reason)}</td></tr>'
            )
        return (
            f'<div class="wide"><table class="proof"><tbody>{"".join(rows)}</tbody></table></div>'
        )

    def _guard(self, tag: str, kind: str, drawn: str, typed: str) -> str:
        if not self.guarded:
            return f'<{tag} class="{kind}">{drawn}</{tag}>'
        return (
            # Sanitizers drop an attribute without a value.
            f'<{tag} class="{kind} drawn" hidden="hidden">{drawn}</{tag}>'
            f'<{tag} class="typed">{escape(typed)}</{tag}>'
        )

    def _inline(self, tree: Node, large: bool = False) -> str:
        drawn = mathml.inline(tree)
        if large:
            drawn = drawn.replace("<math>", '<math displaystyle="true">', 1)
        if not self.guarded:
            return drawn
        style = r"\displaystyle " if large else ""
        return self._guard("span", "formula", drawn, f"${style}{latex.write(tree)}$")

    def prose(self, pieces: Prose) -> str:
        """A sentence with its formulas, inside whatever it stands in."""
        return "".join(
            escape(piece) if isinstance(piece, str) else self._inline(piece) for piece in pieces
        )

    def _where(self, where: Where) -> str:
        items = []
        for item in where.given:
            tree = item.symbol if item.value is None else Rel(item.symbol, "=", item.value)
            items.append(f"<dt>{self._inline(tree)}</dt><dd>{escape(item.meaning)}</dd>")
        return f"<dl>{''.join(items)}</dl>"

    def _grid(self, table: Table) -> str:
        """A table; the cut is a thick line with words under it."""
        width = len(table.heads)
        heads = "".join(f'<th scope="col">{self._cell(head)}</th>' for head in table.heads)
        cut = (
            f'<tr class="cut"><td colspan="{width}">called positive ↑ · ↓ called negative</td></tr>'
        )
        rows = [
            f'<tr><td>⋮</td><td colspan="{width - 1}">{row} more</td></tr>'
            if isinstance(row, int)
            else f"<tr>{self._cells(row)}</tr>"
            for row in table.rows
        ]
        if table.line is not None:
            rows.insert(table.line, cut)
        foot = ""
        if table.totals is not None:
            foot = f"<tfoot><tr>{self._cells(table.totals)}</tr></tfoot>"
        head = f"<thead><tr>{heads}</tr></thead>"
        kind = "grid words" if table.words else "grid"
        whole = f'<table class="{kind}">{head}<tbody>{"".join(rows)}</tbody>{foot}</table>'
        return f'<div class="wide">{whole}</div>'

    def _cells(self, row: tuple[str | Node, ...]) -> str:
        return "".join(f"<td>{self._cell(cell)}</td>" for cell in row)

    def _cell(self, cell: str | Node) -> str:
        if isinstance(cell, Num | Rounded):
            return escape(text.write(cell))  # 3/20 is as high as a whole number
        return escape(cell) if isinstance(cell, str) else self._inline(cell)


def render(derivation: Derivation) -> str:
    """The derivation as a piece of HTML."""
    return Page().join(narrate(derivation))


def fragment(derivation: Derivation) -> str:
    """The same without its style, for a page that has it."""
    return Page().body(narrate(derivation))


def in_notebook(derivation: Derivation) -> str:
    """The same, guarded against being stripped of style and MathML."""
    return Page(guarded=True).join(narrate(derivation))


def titled(title: str, table: Table, note: Prose) -> str:
    """A table with a title above and a remark below, for a notebook."""
    return Page(guarded=True).join([Heading(title), Grid(table), *([Say(note)] if note else [])])
