"""The reference, from the registry: a page for each measure and data set, proofs, errata."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from html import escape
from typing import Any

from binteach import exact
from binteach.cases import Cases, decimal_text
from binteach.data import datasets, load, source_of
from binteach.derivation import Table, cut_table, explain
from binteach.expr import Sym, symbols
from binteach.ledger import DOCUMENTS, Record, papers
from binteach.measures import MEASURES, Measure, answers_to
from binteach.proofs import identities
from binteach.proofs.base import Identity
from binteach.render import about
from binteach.render.html import Page, fragment
from binteach.render.words import Block, Grid, Heading, Say, narrate
from binteach.site import bank
from binteach.site.examples import pictured, roc_picture, worked
from binteach.site.writing import (
    contents,
    facts,
    folded,
    index,
    link,
    listed,
    live_link,
    page,
    plain,
    raw,
)

Pages = Iterator[tuple[str, str]]
"""Names of source pages, without their ending, each with its text."""

KINDS = {
    "counts": "From a confusion matrix",
    "scores": "From scores as probabilities",
    "triplets": "From vectors",
    "ranking": "From a whole ranking",
    "classes": "From several classes",
    "quota": "With a limited quota",
}


def pages(live: bool) -> Pages:
    """Every page of the reference; with links to live notebooks where there are some."""
    yield "measures/index", _all_measures()
    for measure in MEASURES.values():
        yield f"measures/{measure.key}", measure_page(measure, live)
    yield "data/index", _all_data()
    for name, description in datasets().items():
        yield f"data/{name}", data_page(name, description, source_of(name)[0], load(name))
    yield "identities", _identities()
    yield "errata", _errata()


def _without_title(blocks: list[Block]) -> str:
    """What stands below a title, in HTML: the page has the title already."""
    return Page().body([block for block in blocks if not isinstance(block, Heading)])


# Measures -----------------------------------------------------------------------------------------


def _all_measures() -> str:
    parts = [
        f"{len(MEASURES)} measures. Each page has the definition, all names, a worked example, "
        "the curve, the proofs, and the mistakes to watch for."
    ]
    for kind, title in KINDS.items():
        found = [measure for measure in MEASURES.values() if measure.takes == kind]
        items = [
            f"{link(measure.title, f'{measure.key}.md')}: {plain(measure.meaning)}"
            for measure in found
        ]
        parts += [f"## {plain(title)}", listed(items)]
    return page("Measures", [*parts, contents(MEASURES)])


def measure_page(measure: Measure, live: bool = False) -> str:
    """All about one measure."""
    named = dict.fromkeys([measure.title, measure.key.replace("_", " "), *measure.names])
    own = [name for name in named if answers_to(measure, name)]
    shared = [name for name in named if name not in own]
    known = [(label or "Note", Page().prose(fact)) for label, fact in about.facts(measure)]
    code, derivation = worked(measure)
    meaning = Say((measure.meaning,))
    parts = [
        index(own, main=True),
        index(shared, main=False),
        "## Definition",
        raw(_without_title(narrate(explain(measure)))),
        "## What is known about it",
        raw(facts(known)),
        "## A worked example",
        f"`{code}`",
        # What it means was said above.
        raw(_without_title([block for block in narrate(derivation) if block != meaning])),
    ]
    drawn = pictured(measure)
    if drawn is not None:
        said, picture = drawn
        parts += ["## Its curve", plain(said), raw(picture)]
    connected = identities_of(measure)
    if connected:
        items = [link(each.title, f"#{_anchor(each)}") for each in connected]
        parts += ["## What it is connected with", listed(items)]
    parts += _mistakes(measure)
    parts += _where_it_is_taught(measure)
    if live:
        parts.append(raw(_live(measure)))
    return page(measure.title, parts)


def _mistakes(measure: Measure) -> list[str]:
    """The mistakes that the exercises tell apart, question by question."""
    told = [(asked, asked.mistakes()) for asked in bank.questions_on(measure)]
    blocks = [
        f"{_question_link(asked)}: an answer may be\n\n{listed(plain(each) for each in mistakes)}"
        for asked, mistakes in told
        if mistakes
    ]
    if not blocks:
        said = (
            f'No exercise of the lessons asks for a number here. `bt.question("{measure.key}", …)` '
            "makes one on any data, and tells these mistakes apart:"
        )
        blocks = [said, listed(plain(each) for each in bank.known_mistakes(measure))]
    return ["## Mistakes to watch for", *blocks]


def _question_link(asked: bank.Asked) -> str:
    return link(asked.question.title, f"#{asked.anchor}")


def _where_it_is_taught(measure: Measure) -> list[str]:
    asked = bank.questions_on(measure)
    lessons = bank.lessons_on(measure)
    parts = []
    if asked:
        items = [_question_link(each) for each in asked]
        parts += ["## Exercises", listed(items)]
    if lessons:
        items = [link(bank.notebooks()[name][0], f"/lessons/{name}.ipynb") for name in lessons]
        parts += ["## Lessons", listed(items)]
    return parts


def _live(measure: Measure) -> str:
    """The live notebook that asks for it, or that shows it, or the first one."""
    asked, lessons = bank.questions_on(measure), bank.lessons_on(measure)
    if asked:
        return live_link(f"exercises/{asked[0].notebook}", "Answer them in a live notebook")
    name = lessons[0] if lessons else next(iter(bank.notebooks()))
    return live_link(f"notebooks/{name}.ipynb", "Try it in a live notebook")


# Identities ---------------------------------------------------------------------------------------


def _anchor(identity: Identity) -> str:
    return f"identity-{identity.key.replace('_', '-')}"


def _name(symbol: Sym) -> tuple[Any, ...]:
    return symbol.base, symbol.sub, symbol.sup, symbol.arg


def identities_of(measure: Measure) -> list[Identity]:
    """The identities whose sides or whose title have the measure in them."""
    return [
        each
        for each in identities()
        if _name(measure.symbol) in map(_name, [*symbols(each.left), *symbols(each.right)])
        or measure in bank.named_in(each.title)
    ]


def _identities() -> str:
    found = identities()
    parts = [plain(f"{len(found)} statements that connect the measures, each with its proof.")]
    for each in found:
        statement, *proof = narrate(each.derivation)[1:]
        shown_proof = folded("Proof", Page().body(proof)) if proof else ""
        parts += [
            f"({_anchor(each)})=",
            f"## {plain(each.title)}",
            raw(f"{Page().body([statement])}\n{shown_proof}"),
        ]
    return page("Identities", parts)


# Data ---------------------------------------------------------------------------------------------


def _all_data() -> str:
    items = [f"{link(name, f'{name}.md')}: {plain(said)}" for name, said in datasets().items()]
    said = 'Every data set comes with binteach: `bt.load("ten_cases")`.'
    return page("Data sets", [said, listed(items), contents(datasets())])


def data_page(name: str, description: str, source: str, data: Any) -> str:
    """What a data set is, where it comes from, and its rows where they are few."""
    known = [("What it is", escape(description)), ("Source", escape(source)), *_sizes(data)]
    file = f"../files/{escape(name)}.csv"
    known.append(("In Python", f"<code>bt.load({escape(repr(name), quote=False)})</code>"))
    known.append(("As a file", f'<a href="{file}" download>{escape(name)}.csv</a>'))
    parts = [raw(facts(known))]
    if isinstance(data, Cases):
        parts += ["## Its ROC curve", raw(roc_picture(data))]
    return page(name, [*parts, "## Its rows", raw(Page().body([Grid(_rows(data))]))])


def _sizes(data: Any) -> list[tuple[str, str]]:
    if not isinstance(data, Cases):
        return [("Size", f"{len(data)} rows")]
    ties = "with ties" if data.ranking.has_ties else "without ties"
    area = MEASURES["auc"](data)
    digits = exact.rounded(area, 4)
    sign = "=" if Fraction(digits) == area else "≈"
    return [
        (
            "Size",
            f"{data.n} cases, {data.positives} positive and {data.negatives} negative, {ties}",
        ),
        ("Prevalence", escape(str(data.prevalence))),
        ("AUC", f"{area} {sign} {digits}"),
    ]


def _rows(data: Any) -> Table:
    """The rows as they are ranked or printed; of many, the first and last."""
    if isinstance(data, Cases):
        return cut_table(data.ranking, -1, "")
    if isinstance(data, dict):
        rows = tuple(
            (name, *(decimal_text(Fraction(count)) for count in (one.tp, one.fp, one.fn, one.tn)))
            for name, one in data.items()
        )
        return Table(("classifier", "TP", "FP", "FN", "TN"), rows)
    cells = tuple(tuple("" if cell is None else str(cell) for cell in row.values()) for row in data)
    return Table(tuple(data[0]), cells)


# Errata -------------------------------------------------------------------------------------------


def _errata() -> str:
    found = papers(None, "erratum")
    parts = [
        plain(
            f"Of the {len(papers())} numbers and formulas that four documents print, these "
            f"{len(found)} are not right. Each is given with what should be printed, and why."
        )
    ]
    for key, document in DOCUMENTS.items():
        records = [record for record in found if record.document == key]
        if records:
            parts += [f"## {plain(document)}", *(raw(_erratum(record)) for record in records)]
    return page("Errata", parts)


def _erratum(record: Record) -> str:
    """One record: where, what is printed, what is right, and the proof."""
    said = (("Printed", record.printed), ("Right", record.right), ("Why", record.proof))
    known = facts((label, escape(words)) for label, words in said)
    worked_out = ""
    if record.compute is not None or record.correction is not None:
        worked_out = folded("Worked out", fragment(record.explain()))
    return (
        f'<div class="erratum" id="{escape(record.id)}"><h3>{escape(record.place)}: '
        f"{escape(record.what)}</h3>{known}{worked_out}</div>"
    )
