"""Answers are read as exact numbers with the form they were written in; nothing is evaluated."""

import ast
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

import binteach as bt
from binteach import exact
from binteach.exercises import answers, grammar
from binteach.exercises.answers import (
    PLACEHOLDER,
    NoNumber,
    Number,
    compare,
    is_missing,
    read_counts,
    read_names,
    read_number,
    read_option,
    read_points,
)
from binteach.exercises.grammar import Unreadable, is_tiny, near, read_expression

SQRT, LOG = sympy.sqrt, sympy.log


def number(given: Any) -> Number:
    found = read_number(given)
    assert isinstance(found, Number)
    return found


# Text -------------------------------------------------------------------------------------------

# What is written -> value, form, decimals, in lowest terms
WRITTEN: dict[str, tuple[Any, str, int | None, bool]] = {
    "3/4": (Fraction(3, 4), "fraction", None, True),
    " 3 / 4 ": (Fraction(3, 4), "fraction", None, True),
    "6/8": (Fraction(3, 4), "fraction", None, False),
    "-6/8": (Fraction(-3, 4), "fraction", None, False),
    "−3⁄4": (Fraction(-3, 4), "fraction", None, True),
    "3/-4": (Fraction(-3, 4), "fraction", None, True),
    "3:4": (Fraction(3, 4), "ratio", None, True),
    "6:8": (Fraction(3, 4), "ratio", None, False),
    "0.75": (Fraction(3, 4), "decimal", 2, True),
    "0,75": (Fraction(3, 4), "decimal", 2, True),
    "0.750": (Fraction(3, 4), "decimal", 3, True),
    ".75": (Fraction(3, 4), "decimal", 2, True),
    "7.5e-1": (Fraction(3, 4), "decimal", 2, True),
    "75 %": (Fraction(3, 4), "percent", 2, True),
    "75%": (Fraction(3, 4), "percent", 2, True),
    "66,7 %": (Fraction(667, 1000), "percent", 3, True),
    "75 percent": (Fraction(3, 4), "percent", 2, True),
    "75 Prozent": (Fraction(3, 4), "percent", 2, True),
    "75": (Fraction(75), "whole", 0, True),
    "½": (Fraction(1, 2), "expression", None, True),
    "precision = 3/4": (Fraction(3, 4), "fraction", None, True),
    "≈ 0.67": (Fraction(67, 100), "decimal", 2, True),
    "2/3 = 0.67": (Fraction(2, 3), "fraction", None, True),
    "0.67 ≈ 2/3": (Fraction(2, 3), "fraction", None, True),
    "TP / (TP + FP) = 3 / (3 + 1) = 75 %": (Fraction(3, 4), "expression", None, True),
    "3/4 =": (Fraction(3, 4), "fraction", None, True),
    "1/sqrt(6)": (1 / SQRT(6), "expression", None, True),
    "6**-0.5": (1 / SQRT(6), "expression", None, True),
    "√6/6": (1 / SQRT(6), "expression", None, True),
    "6^(1/2)/6": (1 / SQRT(6), "expression", None, True),
    "2√6/12": (1 / SQRT(6), "expression", None, True),
    "2*log2(3) - 1": (2 * LOG(3) / LOG(2) - 1, "expression", None, True),
    "2 log₂(3) − 1": (2 * LOG(3) / LOG(2) - 1, "expression", None, True),
    "2·ld 3 - 1": (2 * LOG(3) / LOG(2) - 1, "expression", None, True),
    "log(9, 2) - 1": (2 * LOG(3) / LOG(2) - 1, "expression", None, True),
    "ln 2": (LOG(2), "expression", None, True),
    "log(2)": (LOG(2), "expression", None, True),
    "lg 5": (LOG(5) / LOG(10), "expression", None, True),
    "(1/2)²+(1/2)³": (Fraction(3, 8), "expression", None, True),
    "2^3^2/512": (Fraction(1), "expression", None, True),
    "-2^2": (Fraction(-4), "expression", None, True),
    "1 - 2 - 3": (Fraction(-4), "expression", None, True),
    "8/2/2": (Fraction(2), "expression", None, True),
    "sqrt(1 + sqrt 2)": (SQRT(1 + SQRT(2)), "expression", None, True),
}


@pytest.mark.parametrize("text", WRITTEN)
def test_a_written_number_has_its_value_and_form(text: str) -> None:
    value, form, places, lowest = WRITTEN[text]
    found = number(text)
    right = value if isinstance(value, Fraction) else near(value)
    assert is_tiny(found.near - right)
    assert (found.form, found.places, found.lowest) == (form, places, lowest)
    if isinstance(value, Fraction):
        assert found.value == value
        assert isinstance(found.value, Fraction)


REFUSED = {
    "garbage": "not known",
    "x/2": "not known",
    "__import__('os').system('x')": "stopped at",
    "exec(1)": "not known",
    "(lambda: 1)()": "not known",
    "1 1/2": "stopped at",
    "2 3": "stopped at",
    "1,234.5": "stopped at",
    "1, 2": "stopped at",
    "3/": "stops in the middle",
    "(1": "never closed",
    "1)": "stopped at",
    "log(8,2)": "one number or two",
    "1/2√6": "brackets",
    "ln 2^2": "brackets",
    "sqrt(-1)": "negative",
    "ln(0)": "positive",
    "ln(√2 - √2)": "positive",
    "9^9^9": "exponent",
    "2^0.3": "exponent",
    "(9^20)^30": "too large",
    "1" * 41: "digits",
    "1+" * 100 + "1": "characters",
    "(" * 30 + "1" + ")" * 30: "brackets",
    "√" * 30 + "1": "brackets",
    "log(8, 1)": "base",
    "٣/٤": "stopped at",
    "3/4; drop": "stopped at",
    "\x00": "stopped at",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_the_grammar_does_not_know_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(Unreadable, match=REFUSED[text]):
        read_number(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("undefined", "undefined"),
        ("NaN", "undefined"),
        ("n/a", "undefined"),
        ("nicht definiert", "undefined"),
        ("precision = undefined", "undefined"),
        ("∞", "infinite"),
        ("-inf", "infinite"),
        ("0/0", "by_zero"),
        ("3/(2-2)", "by_zero"),
        ("1/(√2·√2 - 2)", "by_zero"),
        (float("nan"), "undefined"),
        (float("inf"), "infinite"),
        (np.nan, "undefined"),
        (Decimal("NaN"), "undefined"),
        (sympy.nan, "undefined"),
        (sympy.zoo, "infinite"),
        (bt.Undefined("no case"), "undefined"),
        (bt.Undefined, "undefined"),
    ],
)
def test_that_there_is_no_number_is_an_answer(text: object, kind: str) -> None:
    found = read_number(text)
    assert isinstance(found, NoNumber)
    assert found.kind == kind


# Objects ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "value", "form", "places"),
    [
        (3, Fraction(3), "whole", 0),
        (Fraction(6, 8), Fraction(3, 4), "fraction", None),
        (0.1, Fraction(1, 10), "float", 1),
        (Decimal("0.750"), Fraction(3, 4), "decimal", 3),
        (np.float64(0.75), Fraction(3, 4), "float", 2),
        (np.float32(0.1), Fraction(1, 10), "float", 1),
        (np.int64(3), Fraction(3), "whole", 0),
        (np.array(0.75), Fraction(3, 4), "float", 2),
        (sympy.Rational(3, 4), Fraction(3, 4), "fraction", None),
        (sympy.Float("0.75"), Fraction(3, 4), "float", 2),
    ],
)
def test_numbers_of_every_kind_are_read(
    given: object, value: Fraction, form: str, places: int | None
) -> None:
    found = number(given)
    assert (found.value, found.form, found.places) == (value, form, places)


@pytest.mark.parametrize(
    "given",
    [
        True,
        np.bool_(True),
        1j,
        [1],
        {"a": 1},
        object(),
        np.array([1.0, 2.0]),
        sympy.Symbol("x"),
        sympy.Pow(10, 10**10, evaluate=False),
        sympy.Integral(1, (sympy.Symbol("x"), 0, 1)),
        sympy.sqrt(-1),
        10**1000,
        b"3/4",
        bt.Counts(1, 1, 1, 1),
    ],
)
def test_objects_that_are_no_number_are_refused(given: object) -> None:
    with pytest.raises(Unreadable):
        read_number(given)


@pytest.mark.parametrize(
    "given", [None, ..., PLACEHOLDER, "", "  ", "...", "…", "____", "?", [None, ...], {"TP": ...}]
)
def test_what_was_not_filled_in_is_missing(given: object) -> None:
    assert is_missing(given)


@pytest.mark.parametrize("given", [0, "0", [], "no", [0], float("nan"), False])
def test_what_was_filled_in_is_not_missing(given: object) -> None:
    assert not is_missing(given)


# Rounding ---------------------------------------------------------------------------------------

THIRDS, EIGHTH = Fraction(2, 3), Fraction(1, 8)


@pytest.mark.parametrize(
    ("given", "value", "least", "found"),
    [
        ("2/3", THIRDS, 2, "equal"),
        (2 / 3, THIRDS, 2, "equal"),
        (0.1 + 0.2, Fraction(3, 10), 2, "equal"),
        (np.float32(2) / np.float32(3), THIRDS, 2, "equal"),
        ("0.6666666666666666", THIRDS, 2, "equal"),  # as Python prints 2/3
        ("0.67", THIRDS, 2, "rounded"),
        ("0.6667", THIRDS, 2, "rounded"),
        ("67 %", THIRDS, 2, "rounded"),
        ("0.67", THIRDS, 3, "coarse"),
        ("0.7", THIRDS, 2, "coarse"),
        ("0.7", THIRDS, 1, "rounded"),
        ("0.66", THIRDS, 2, "truncated"),
        ("-0.66", -THIRDS, 2, "truncated"),
        ("0.6", THIRDS, 2, "truncated"),
        ("0.68", THIRDS, 2, ""),
        ("1", THIRDS, 2, ""),  # nothing of 2/3 is left
        ("0", THIRDS, 2, ""),
        ("12", Fraction(124, 10), 2, "coarse"),
        (0.8, Fraction(8012, 10000), 2, "rounded"),  # round(0.8012, 2) is 0.8
        ("0.8", Fraction(8012, 10000), 2, "coarse"),
        (0.0, Fraction(1, 1000), 2, ""),
        ("0.13", EIGHTH, 2, "rounded"),
        (round(0.125, 2), EIGHTH, 2, "rounded"),  # to the even digit
        ("0.37", Fraction(3, 8), 2, "truncated"),
        ("0.41", exact.Surd(Fraction(1), Fraction(1, 6)), 2, "rounded"),
        ("0.40", exact.Surd(Fraction(1), Fraction(1, 6)), 2, "truncated"),
    ],
)
def test_rounding_is_judged_by_the_digits_written(
    given: object, value: Any, least: int, found: str
) -> None:
    assert compare(number(given), value, least) == found


def near_answers(value: Fraction) -> Iterator[Any]:
    """Numbers about a value: rounded, cut off, a little more or less, in several forms."""
    for places in range(5):
        unit = Fraction(1, 10**places)
        for steps in (-3, -2, -1, Fraction(-1, 2), 0, Fraction(1, 2), 1, 2, 3):
            digits = exact.rounded(value + steps * unit, places)
            yield from (digits, float(digits), Decimal(digits), Fraction(digits), f"{digits} %")
            yield np.float16(float(digits))
    yield from (value, float(value), 10**320)


def test_a_look_at_floats_settles_only_what_the_fractions_settle_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = [
        (number, value, least)
        for value in map(Fraction, ("1/3", "2/3", "-5/8", "1/200", "0", "1", "0.995", "137/7"))
        for number in map(read_number, near_answers(value))
        for least in (0, 2, 3)
        if isinstance(number, Number)
    ]
    quickly = [compare(*each) for each in asked]
    assert {"", "equal", "rounded", "coarse", "truncated"} == set(quickly)
    monkeypatch.setattr("binteach.exercises.answers._far", lambda *given: False)
    assert [compare(*each) for each in asked] == quickly


@given(st.fractions(-100, 100, max_denominator=1000), st.integers(2, 8))
def test_the_digits_of_a_derivation_are_rounded_correctly(value: Fraction, places: int) -> None:
    written = exact.rounded(value, places)
    assert compare(number(written), value) in ("equal", "rounded")
    step = Fraction(1, 10**places)
    assert compare(number(exact.rounded(number(written).value + 2 * step, places)), value) == ""


# The grammar, from printed trees ----------------------------------------------------------------

Tree = tuple[str, Any]


@st.composite
def trees(draw: st.DrawFn, depth: int = 3) -> Tree:
    """Text in one of the ways to write a number, with its value computed apart from it."""
    if depth == 0 or draw(st.booleans()):
        whole = draw(st.integers(0, 99))
        kind = draw(st.sampled_from(["whole", "point", "comma", "percent", "fraction"]))
        if kind == "whole":
            return str(whole), sympy.Integer(whole)
        if kind in ("point", "comma"):
            return f"{whole}{'.' if kind == 'point' else ','}25", sympy.Rational(4 * whole + 1, 4)
        if kind == "percent":
            return f"{whole} %", sympy.Rational(whole, 100)
        return f"({whole}/7)", sympy.Rational(whole, 7)
    kind = draw(st.sampled_from(["+", "-", "*", "/", "√", "log", "^", "neg"]))
    left, a = draw(trees(depth - 1))
    if kind in ("√", "log", "^", "neg"):
        if kind == "neg":
            return f"(-({left}))", -a
        if kind == "^":
            return f"({left}){draw(st.sampled_from(['²', '^2', '**2', '^(1+1)']))}", a**2
        assume("," not in left)
        assume(a > 0)
        if kind == "√":
            return f"{draw(st.sampled_from(['√', 'sqrt', 'sqrt ']))}({left})", sympy.sqrt(a)
        name, base = draw(st.sampled_from([("ln", sympy.E), ("log2", 2), ("log_10", 10)]))
        return f"{name}({left})", sympy.log(a) / sympy.log(base)
    right, b = draw(trees(depth - 1))
    if kind == "+":
        return f"({left} + {right})", a + b
    if kind == "-":
        return f"({left} {draw(st.sampled_from(['-', '−', '–']))} {right})", a - b
    if kind == "*":
        sign = draw(st.sampled_from(["*", "×", "·"]))
        return f"(({left}) {sign} ({right}))", a * b
    assume(abs(sympy.N(b, 60)) > 1e-30)
    return f"(({left}) {draw(st.sampled_from(['/', ':', '÷']))} ({right}))", a / b


@given(trees())
def test_a_printed_tree_is_read_back_with_its_value(tree: Tree) -> None:
    text, value = tree
    assume(len(text) <= grammar.LONGEST)
    # In a bracket of a root or logarithm, a comma is refused since it may part two numbers.
    try:
        found = read_expression(text)
    except Unreadable as unreadable:
        assume("too large" not in str(unreadable) and "one number or two" not in str(unreadable))
        raise
    wanted = Fraction(Decimal(str(sympy.N(value, 60))))
    assert abs(near(found) - wanted) <= max(Fraction(1), abs(wanted)) * Fraction(1, 10**40)


@pytest.mark.parametrize(
    "written", ["3/4 = 0.7", "2/3 = 0.66", "1/2 = 3/4", "3/0 = 0", "1 = 2 = 1"]
)
def test_two_different_numbers_are_no_answer(written: str) -> None:
    with pytest.raises(Unreadable, match="not the same number"):
        read_number(written)


def test_what_stands_before_an_equals_sign_is_read_unless_it_is_a_name() -> None:
    with pytest.raises(Unreadable, match="I stopped at “/”"):
        read_number("3//4 = 3/4")


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = read_number(text)
    except Unreadable:
        return
    assert isinstance(found, Number | NoNumber)


@given(st.text("0123456789.,+-*/:^()%√² eloginsqrt", max_size=40))
def test_text_that_looks_like_a_number_is_read_or_refused(text: str) -> None:
    try:
        found = read_number(text)
    except Unreadable:
        return
    assert isinstance(found, Number | NoNumber)


# Other kinds ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given",
    [
        bt.Counts(3, 1, 2, 4),
        (3, 1, 2, 4),
        ["3", "1", 2.0, 4],
        {"TP": 3, "FP": 1, "FN": 2, "TN": 4},
        "TP=3, FP=1, FN=2, TN=4",
        "tn: 4; fn: 2; fp: 1; tp: 3",
        "TP=3 FP=1 FN=2 TN=4",
        "Counts(tp=3, fp=1, fn=2, tn=4)",
        "bt.Counts(tn=4, tp=3, fp=1, fn=2)",
        "bt.Counts(3, 1, 2, 4)",
    ],
)
def test_a_matrix_is_read_in_every_form(given: object) -> None:
    assert read_counts(given) == bt.Counts(3, 1, 2, 4)


@pytest.mark.parametrize(
    "given",
    [
        [[3, 1], [2, 4]],
        (1, 2, 3),
        "3, 1, 2, 4",
        "Counts(3, 1, 2)",
        "TP=3",
        {"TP": 3},
        3,
        (1, 1, 1, -1),
        (0, 0, 0, 0),
    ],
)
def test_a_matrix_that_may_be_read_in_two_ways_is_refused(given: object) -> None:
    with pytest.raises(Unreadable):
        read_counts(given)


@pytest.mark.parametrize(
    "given", [[3, 5], ("3", "5"), {3, 5}, "3, 5", "[3, 5]", "{3 ;5 }", "3 5", np.array([3, 5])]
)
def test_a_list_of_cases_is_read_in_every_form(given: object) -> None:
    assert set(read_names(given)) == {"3", "5"}


def test_a_known_name_may_have_spaces_in_it() -> None:
    assert read_names("Anna B, 3 5\nC D", ["Anna B", "C D", "3", "5"]) == (
        "Anna B",
        "3",
        "5",
        "C D",
    )


@pytest.mark.parametrize("given", [3.5, [3.5], {"a": 1}, object(), [[1]]])
def test_what_is_no_list_of_cases_is_refused(given: object) -> None:
    with pytest.raises(Unreadable):
        read_names(given)


@pytest.mark.parametrize(
    "given",
    [
        [(0, 0), ("1/5", 0.4)],
        np.array([[0, 0], [0.2, 0.4]]),
        "(0; 0), (1/5; 0,4)",
        "(0, 0), (0.2, 0.4)",
        "(0,0),(0.2,0.4)",
        "(0, 0), (0,2, 0,4)",
    ],
)
def test_points_are_read_in_every_form(given: object) -> None:
    found = [(x.value, y.value) for x, y in read_points(given)]
    assert found == [(0, 0), (Fraction(1, 5), Fraction(2, 5))]


def test_a_curve_and_its_points_are_points() -> None:
    roc = bt.curve("roc", bt.Cases([1, 0], [2, 1]))
    for answer in (roc, roc.points, list(roc.points)):
        assert [(x.value, y.value) for x, y in read_points(answer)] == [(0, 0), (0, 1), (1, 1)]


@pytest.mark.parametrize(
    "given", [3, [], [1, 2], [(1,)], [(1, 2, 3)], [("x", 1)], "abc", [(0, float("nan"))]]
)
def test_what_are_no_points_is_refused(given: object) -> None:
    with pytest.raises(Unreadable):
        read_points(given)


@pytest.mark.parametrize(
    "given", ["b", "B)", "(b)", "2", 2, " The  Recall", "recall", "b) the recall"]
)
def test_an_option_is_chosen_by_words_letter_or_number(given: object) -> None:
    assert read_option(given, ["the precision", "the recall"]) == 1


@pytest.mark.parametrize("given", ["c", 0, 3, "", "a recall", "a) the recall", True, 1.0, None])
def test_what_is_no_option_is_refused(given: object) -> None:
    with pytest.raises(Unreadable, match=r"a\) the precision"):
        read_option(given, ["the precision", "the recall"])


# Nothing is evaluated ---------------------------------------------------------------------------

FORBIDDEN = {"eval", "exec", "compile", "sympify", "parse_expr", "__import__", "literal_eval", "S"}


def test_no_code_of_the_exercises_evaluates_text() -> None:
    folder = Path(answers.__file__).parent
    files = sorted(folder.glob("*.py"))
    assert len(files) > 5
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = node.func
                name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
                if name == "compile":  # of a regular expression
                    assert isinstance(called, ast.Attribute)
                    assert ast.unparse(called.value) == "re"
                    continue
                assert name not in FORBIDDEN, f"{file.name} calls {name}"
