"""HTML: words and tables as such, formulas as MathML; no script, no network."""

from __future__ import annotations

from html import escape

from binteach.derivation import Derivation, Table
from binteach.expr import Node, Num, Rounded
from binteach.measures.base import Prose
from binteach.render import mathml, text
from binteach.render.words import Block, Chain, Grid, Heading, Say, Where, narrate

# Colours are the page's own, so that light and dark themes both work.
STYLE = """<style>
.binteach{max-width:52em;line-height:1.5;font-size:1rem}
.binteach h4{margin:.2em 0 .1em;font-size:1.25em}
.binteach p{margin:.5em 0}
.binteach .chain{margin:.6em 0 .8em 1.5em;overflow-x:auto;overflow-y:hidden}
.binteach math{font-family:"STIX Two Math","Latin Modern Math","Cambria Math","STIX Math",math,
 "Times New Roman",serif;font-size:1.12em}
.binteach table.grid math{font-size:1em}
.binteach mfrac>:first-child{padding-bottom:.08em}
.binteach mfrac>:last-child{padding-top:.08em}
.binteach .chain mtd{padding:.28em .12em}
.binteach table.grid{border-collapse:collapse;margin:.5em 0 .8em 1.5em;font-size:1em;
 font-variant-numeric:tabular-nums}
.binteach table.grid th,.binteach table.grid td{padding:.12em .7em;text-align:right;border:0;
 background:none}
.binteach table.grid thead th{border-bottom:1px solid;font-weight:600}
.binteach table.grid tr.cut>td{border-top:3px solid #d55e00}
.binteach table.grid tr.label>td{color:#d55e00;font-size:.85em;padding-top:0;text-align:left}
.binteach table.grid tfoot td{border-top:1px solid;font-weight:600}
.binteach dl{display:grid;grid-template-columns:max-content auto;gap:.1em 1.2em;
 margin:.3em 0 .8em 1.5em}
.binteach dt,.binteach dd{margin:0}
.binteach .undefined{border-left:4px solid #d55e00;padding-left:.8em;font-weight:600}
</style>"""


def render(derivation: Derivation) -> str:
    """The derivation as a piece of HTML."""
    return _joined(narrate(derivation))


def titled(title: str, table: Table, note: Prose) -> str:
    """A table with a title above and a remark below."""
    return _joined([Heading(title), Grid(table), *([Say(note)] if note else [])])


def _joined(blocks: list[Block]) -> str:
    body = "\n".join(_block(block) for block in blocks)
    return f'{STYLE}\n<section class="binteach">\n{body}\n</section>'


def _block(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h4>{escape(block.words)}</h4>"
    if isinstance(block, Say):
        attribute = ' class="undefined"' if block.strong else ""
        return f"<p{attribute}>{prose(block.prose)}</p>"
    if isinstance(block, Chain):
        return f'<div class="chain"><math>{mathml.chain(block)}</math></div>'
    if isinstance(block, Where):
        return _where(block)
    if isinstance(block, Grid):
        return grid(block.table)
    raise TypeError(f"no way to write {type(block).__name__}")


def prose(pieces: Prose) -> str:
    """A sentence with its formulas."""
    return "".join(
        escape(piece) if isinstance(piece, str) else mathml.inline(piece) for piece in pieces
    )


def _where(where: Where) -> str:
    items = []
    for item in where.given:
        value = "" if item.value is None else mathml.sign("=") + mathml.write(item.value)
        items.append(
            f"<dt><math>{mathml.write(item.symbol)}{value}</math></dt><dd>{escape(item.meaning)}</dd>"
        )
    return f"<dl>{''.join(items)}</dl>"


def grid(table: Table) -> str:
    """A table; the cut is a thick line with a word beside it."""
    heads = "".join(f'<th scope="col">{_cell(head)}</th>' for head in table.heads)
    rows = []
    for place, row in enumerate(table.rows):
        if table.line == place:
            rows.append(_cut(table))
        if row is None:
            rows.append(
                f'<tr><td>⋮</td><td colspan="{len(table.heads) - 1}">{table.hidden} more</td></tr>'
            )
        else:
            rows.append("<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>")
    if table.line == len(table.rows):
        rows.append(_cut(table))
    foot = ""
    if table.totals is not None:
        cells = "".join(f"<td>{_cell(cell)}</td>" for cell in table.totals)
        foot = f"<tfoot><tr>{cells}</tr></tfoot>"
    body = "".join(rows)
    return f'<table class="grid"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody>{foot}</table>'


def _cut(table: Table) -> str:
    words = "called positive ↑ · ↓ called negative"
    return f'<tr class="cut label"><td colspan="{len(table.heads)}">{words}</td></tr>'


def _cell(cell: str | Node) -> str:
    if isinstance(cell, Num | Rounded):
        return escape(text.write(cell))  # 3/20 is as high as a whole number
    return escape(cell) if isinstance(cell, str) else mathml.inline(cell)
