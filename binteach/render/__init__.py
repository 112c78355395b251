"""Four ways to show a derivation: plain text, LaTeX, MathML and HTML."""

from binteach.derivation import GRIDS, RENDERERS
from binteach.render import html, latex, mathml, text

RENDERERS.update(
    text=text.render,
    latex=latex.render,
    mathml=mathml.render,
    html=html.render,
    notebook=html.in_notebook,
)
GRIDS.update(text=text.titled, html=html.titled)
