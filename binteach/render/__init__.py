"""Four ways to show a derivation: plain text, LaTeX, MathML and HTML."""

from binteach.cases import SHOWN
from binteach.derivation import GRIDS, RENDERERS
from binteach.measures.base import ABOUT
from binteach.render import about, html, latex, mathml, show, text

RENDERERS.update(
    text=text.render,
    latex=latex.render,
    mathml=mathml.render,
    html=html.render,
    notebook=html.in_notebook,
)
GRIDS.update(text=text.titled, html=html.titled)
ABOUT.update(text=about.as_text, html=about.as_html)
SHOWN.update(counts=show.counts, cases=show.cases)
