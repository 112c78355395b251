"""Four renderings of one derivation: the same numbers, well formed, and safe with hostile names."""

import html
import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest
import sympy

import binteach as bt

TEN = bt.load("ten_cases")
FORMATS = ("text", "latex", "mathml", "html")


def shown(derivation: bt.Derivation, format_: str) -> str:
    source: str = getattr(derivation, format_)()
    return source


def explained(key: str, name: str) -> bt.Derivation:
    """Any measure on a bundled data set, with the parameters that it needs."""
    measure, cases = bt.MEASURES[key], bt.load(name)
    if measure.takes == "triplets":
        return bt.explain(key, [([0, 0], [1, 2], [3, 4]), ([0, 0], ["1/2", 0], [0, "0.3"])])
    if measure.takes == "classes":
        return bt.explain(key, {"one": cases, "two": TEN})
    if measure.takes == "counts":
        return bt.explain(key, cases, top=len(cases.ranking.blocks[0].members))
    return bt.explain(key, cases, **({"top": 4} if "top" in measure.params else {}))


# The same numbers -------------------------------------------------------------------------------

SYMBOLS = sympy.symbols("a b c d", positive=True)
TIED = bt.Cases([1, 0, 1, 0], ["0.9", "0.7", "0.7", "0.1"])
WEIGHTED = bt.Cases([1, 0, 1, 0], ["0.9", "0.7", "0.6", "0.1"], weights=[1, "1/2", 3, "0.25"])
LONG = bt.Cases([1, 0] * 15, [Fraction(i, 30) for i in range(30)])
DERIVATIONS = {
    "short": bt.explain("precision", bt.Counts(3, 1, 2, 4)),
    "with a cut": bt.explain("sensitivity", TEN, top=4),
    "a root": bt.explain("matthews_correlation", bt.Counts(3, 1, 2, 4)),
    "a negative value": bt.explain("youden_index", bt.Counts(1, 3, 4, 2)),
    "undefined": bt.explain("precision", bt.Counts(0, 0, 2, 4)),
    "undefined on cases": bt.explain("auc", bt.Cases([1, 1], [1, 2])),
    "ranks": bt.explain("auc", TEN),
    "pairs with ties": bt.explain("auc", TIED, method="pairs"),
    "weights": bt.explain("auc", WEIGHTED),
    "logarithms": bt.explain("log_loss", TEN),
    "natural logarithms": bt.explain("mutual_information", bt.Counts(3, 1, 2, 4)),
    "a long sum": bt.explain("brier_score", LONG),
    "a long maximum": bt.explain("ks", LONG),
    "symbols": bt.explain("precision", bt.Counts(*SYMBOLS)),
    "a definition": bt.explain("f_beta"),
    "a definition with sums": bt.explain("average_precision"),
    "very large": bt.explain("accuracy", bt.Counts(10**40, 1, 2, 10**35)),
}


def digits(text: str) -> list[str]:
    """The runs of digits in reading order; subscripts and superscripts count as digits."""
    return re.findall(r"[0-9]+", unicodedata.normalize("NFKC", text))


def numbers_in_text(source: str) -> list[str]:
    return digits(source)


def numbers_in_latex(source: str) -> list[str]:
    return digits(re.sub(r"\\begin\{array\}\{r+\}", "", source))


def pieces_of(element: ElementTree.Element) -> Iterator[str]:
    """The text of each element; a limit of a sum is read as i = low .. high."""
    if element.tag == "style":
        return
    yield (element.text or "") + " "
    for child in element:
        yield from pieces_of(child)
        yield " " + (child.tail or "")


def numbers_in_markup(source: str) -> list[str]:
    return digits("".join(pieces_of(parsed(source))))


def parsed(source: str) -> ElementTree.Element:
    """Markup as XML; named entities are HTML's own, XML has but five."""
    known = re.sub(
        r"&(?!amp;|lt;|gt;|quot;|apos;)[A-Za-z]\w*;", lambda name: html.unescape(name[0]), source
    )
    return ElementTree.fromstring(f"<div>{known}</div>")


@pytest.mark.parametrize("derivation", DERIVATIONS.values(), ids=DERIVATIONS)
def test_all_renderings_show_the_same_numbers_in_the_same_order(
    derivation: bt.Derivation,
) -> None:
    expected = numbers_in_text(derivation.text())
    assert numbers_in_latex(derivation.latex()) == expected
    assert numbers_in_markup(derivation.mathml()) == expected
    assert numbers_in_markup(derivation.html()) == expected


def test_a_fraction_looks_like_one_in_every_format() -> None:
    derivation = DERIVATIONS["short"]
    assert "= 3/4" in derivation.text()
    assert r"\frac{3}{4}" in derivation.latex()
    for source in (derivation.mathml(), derivation.html()):
        assert "<mfrac><mn>3</mn><mn>4</mn></mfrac>" in source


@pytest.mark.parametrize("derivation", DERIVATIONS.values(), ids=DERIVATIONS)
def test_all_renderings_have_the_title_and_the_meaning(derivation: bt.Derivation) -> None:
    for format_ in ("text", "mathml", "html"):
        source = " ".join(html.unescape(shown(derivation, format_)).split())
        assert derivation.title in source
        assert derivation.meaning in source
    letters = re.sub(r"\\[a-z]+|[^A-Za-z]", "", derivation.latex())
    for words in (derivation.title, derivation.meaning):
        assert re.sub(r"[^A-Za-z]", "", words) in letters


# Form -------------------------------------------------------------------------------------------


def columns(line: str) -> int:
    return sum(not unicodedata.combining(letter) for letter in line)


@pytest.mark.parametrize("key", bt.MEASURES)
def test_text_fits_into_80_columns(key: str) -> None:
    for derivation in (bt.explain(key), explained(key, "ten_cases")):
        too_long = [line for line in derivation.text().splitlines() if columns(line) > 80]
        assert not too_long
        assert all(line == line.rstrip() for line in derivation.text().splitlines())


def check_latex(source: str) -> None:
    bare = re.sub(r"\\[\\{}$%&#_]", "", source.replace(r"\left\{", "").replace(r"\right\}", ""))
    depth = 0
    for sign in bare:
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    assert depth == 0
    assert len(re.findall(r"\\left(?![a-z])", source)) == len(
        re.findall(r"\\right(?![a-z])", source)
    )
    open_: list[str] = []
    for which, name in re.findall(r"\\(begin|end)\{(\w+)\}", source):
        if which == "begin":
            open_.append(name)
        else:
            assert open_.pop() == name
    assert not open_
    # Outside displays, inline formulas have their dollar signs in pairs, and nothing is nested.
    displays = bare.split("$$")
    assert len(displays) % 2 == 1
    for place, part in enumerate(displays):
        if place % 2:
            # Inside a display a dollar sign may only stand within \text{...}.
            assert re.sub(r"\\text\{[^{}]*(\{[^{}]*\}[^{}]*)*\}", "", part).count("$") == 0
        assert part.count("$") % 2 == 0
        if not place % 2:
            assert "\\begin" not in part
    assert bare.isprintable() or "\n" in bare


BUNDLED = ("ten_cases", "arbel_2", "murphy_2", "rare_events")


@pytest.mark.parametrize("key", bt.MEASURES)
@pytest.mark.parametrize("name", BUNDLED)
def test_every_rendering_is_well_formed_and_comes_out_the_same_twice(key: str, name: str) -> None:
    derivation = explained(key, name)
    sources = {format_: shown(derivation, format_) for format_ in FORMATS}
    check_latex(sources["latex"])
    math = ElementTree.fromstring(sources["mathml"])
    assert math.tag.endswith("math")
    tags = {element.tag for element in parsed(sources["html"]).iter()}
    assert {"style", "div", "h4", "math"} <= tags
    assert not tags & {"script", "img", "link", "iframe"}
    for element in math.iter():
        children = {"mfrac": 2, "msup": 2, "msub": 2, "munder": 2, "msubsup": 3, "munderover": 3}
        if element.tag in children:
            assert len(element) == children[element.tag]
    if name != "rare_events":
        again = explained(key, name)
        assert sources == {format_: shown(again, format_) for format_ in FORMATS}


def test_a_name_of_several_words_is_never_broken_between_them() -> None:
    """In JupyterLab the second line of a name was not seen: "average" stood for "average gain"."""
    page = parsed(bt.identity("average_gain_is_auc").html())
    names = {"".join(element.itertext()) for element in page.iter("mtext")}
    assert names == {"average\u00a0gain", "positives"}


@pytest.mark.parametrize("key", bt.MEASURES)
def test_every_definition_is_well_formed(key: str) -> None:
    derivation = bt.explain(key)
    check_latex(derivation.latex())
    ElementTree.fromstring(derivation.mathml())
    parsed(derivation.html())
    assert derivation.value is None


@pytest.mark.parametrize(
    "key", [key for key, measure in bt.MEASURES.items() if measure.takes == "counts"]
)
def test_every_symbolic_derivation_is_well_formed(key: str) -> None:
    derivation = bt.explain(key, bt.Counts(*SYMBOLS))
    assert derivation.reason == ""
    assert not derivation.value.free_symbols - set(SYMBOLS)
    check_latex(derivation.latex())
    ElementTree.fromstring(derivation.mathml())
    parsed(derivation.html())
    assert all(columns(line) <= 80 for line in derivation.text().splitlines())


# Long sums --------------------------------------------------------------------------------------


@pytest.mark.parametrize("format_", FORMATS)
def test_a_long_sum_is_elided_in_the_middle_and_says_how_many_terms(format_: str) -> None:
    source = shown(DERIVATIONS["a long sum"], format_)
    assert "21 more" in source
    assert any(dots in source for dots in ("⋯", r"\cdots"))
    assert "⋮" in source or r"\vdots" in source
    # Thirty terms: the squares of the first and of the last are there, one in the middle is not.
    seen = " ".join(numbers_in_text(DERIVATIONS["a long sum"].text()))
    assert "1 30" in seen or "29 30" in seen
    assert "16 30" not in seen


def test_twelve_terms_are_shown_in_full_and_thirteen_are_not() -> None:
    twelve = bt.explain("brier_score", bt.Cases([1, 0] * 6, [Fraction(i, 13) for i in range(12)]))
    assert "⋯" not in twelve.text()
    assert "more)" not in twelve.text()
    thirteen = bt.explain(
        "brier_score", bt.Cases([1, 0] * 6 + [1], [Fraction(i, 13) for i in range(13)])
    )
    assert "⋯" in thirteen.text()
    assert "(4 more)" in thirteen.text()


# Hostile names ----------------------------------------------------------------------------------

HOSTILE = {
    "an image": "<img src=x onerror=alert(1)>",
    "a script": "</math><script>alert(1)</script>",
    "end of data": "]]>",
    "an entity": "&lt;b&gt; &amp; &nbsp;",
    "quotes": "\"' onclick='x'",
    "a command": r"$\input{x}$",
    "more commands": r"\end{array}}} \write18{ls} % & # _ ^ ~ $$",
    "control characters": "a\x00b\x1b[31mc\x07d\x7f",
    "line ends": "first\nsecond\r\nthird\u2028fourth",
    "right to left": "abc\u202edef\u2066ghi",
    "a lone surrogate": "a\ud800b",
    "not a character": "a\uffffb",
    "very long": "long " * 2000,
}
MEASURES = [("precision", {"top": 2}), ("brier_score", {}), ("hit_rate", {"top": 2})]


def explained_with(name: str) -> Iterator[bt.Derivation]:
    cases = bt.Cases([1, 0, 1], ["0.9", "0.5", 0], names=[name, "b", name])
    params: dict[str, Any]
    for key, params in MEASURES:
        yield bt.explain(key, cases, **params)
    # A remark names the cases with a score of 0 or 1.
    yield bt.explain("log_loss", cases)
    yield bt.explain("mean_average_precision", {name: cases})


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_name_is_harmless_in_markup(name: str) -> None:
    harmless = bt.Cases([1, 0, 1], ["0.9", "0.5", 0], names=["a", "b", "a"])
    for derivation in explained_with(name):
        key = derivation.measure.key if derivation.measure else ""
        params: dict[str, Any] = dict(MEASURES).get(key, {})
        data = {"a": harmless} if key == "mean_average_precision" else harmless
        expected = bt.explain(key, data, **params)
        for format_ in ("mathml", "html"):
            source = shown(derivation, format_)
            source.encode("utf-8")
            # The name adds no tag and no attribute: the skeleton is that of a harmless name.
            found = [(part.tag, *part.attrib) for part in parsed(source).iter()]
            assert found == [(p.tag, *p.attrib) for p in parsed(shown(expected, format_)).iter()]


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_name_is_harmless_in_latex(name: str) -> None:
    for derivation in explained_with(name):
        source = derivation.latex()
        source.encode("utf-8")
        check_latex(source)
        assert r"\input" not in source
        assert r"\write" not in source
        assert all(letter.isprintable() or letter == "\n" for letter in source)


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_name_is_harmless_in_text(name: str) -> None:
    for derivation in explained_with(name):
        source = derivation.text()
        source.encode("utf-8")
        assert all(letter.isprintable() or letter == "\n" for letter in source)
        if name != HOSTILE["very long"]:
            assert all(columns(line) <= 80 for line in source.splitlines())
        for derived in (repr(derivation), str(derivation)):
            assert "\x1b" not in derived


def test_a_name_is_still_readable() -> None:
    cases = bt.Cases([1, 0], ["0.9", "0.5"], names=["<b>", "50 % & more"])
    derivation = bt.explain("precision", cases, top=1)
    assert "<b>" in derivation.text()
    assert "50 % & more" in derivation.text()
    assert "&lt;b&gt;" in derivation.html()
    assert "&lt;b&gt;" in derivation.mathml()
    assert r"50 \% \& more" in derivation.latex()
