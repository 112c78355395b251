"""What the explorers of prevalence and costs share: exact numbers that a page works out itself."""

from fractions import Fraction
from importlib.resources import files
from typing import Any

import pytest
from bokeh.models import Slider
from hypothesis import given, settings
from hypothesis import strategies as st

import binteach as bt
from binteach import exact
from binteach.explorers import costs, prevalence, rates
from binteach.explorers.state import fraction_text, with_digits

SOURCE = (files("binteach.explorers") / "exact.js").read_text(encoding="utf-8")

whole = st.integers(-(10**9), 10**9)
fractions = st.one_of(
    st.fractions(-10, 10, max_denominator=200),
    st.builds(Fraction, whole, st.integers(1, 10**9)),
    st.builds(lambda n, d: Fraction(n, 10**d), whole, st.integers(0, 12)),
    # Halves of the last place that is shown, which decide how it is rounded.
    st.builds(lambda n: Fraction(2 * n + 1, 2 * 10**4), whole),
    st.builds(Fraction, st.integers(-(10**60), 10**60), st.integers(1, 10**60)),
)


@pytest.fixture(scope="module")
def blank(chromium: Any) -> Any:
    page = chromium.new_page()
    yield page
    page.close()


def in_page(blank: Any, expression: str, numbers: list[Fraction]) -> list[Any]:
    """What an expression over x, one of the numbers, comes to in a page: for all of them."""
    found: list[Any] = blank.evaluate(
        f"(texts) => {{ {SOURCE}; return texts.map((text) => {{ "
        f"const x = read(text); return {expression} }}) }}",
        [str(number) for number in numbers],
    )
    return found


many = settings(max_examples=30)
lists = st.lists(fractions, min_size=1, max_size=60)


@many
@given(numbers=lists)
def test_a_page_writes_fractions_as_python_does(blank: Any, numbers: list[Fraction]) -> None:
    assert in_page(blank, "fraction_text(x)", numbers) == list(map(fraction_text, numbers))
    assert in_page(blank, "with_digits(x)", numbers) == list(map(with_digits, numbers))


@many
@given(numbers=lists, places=st.integers(0, 9))
def test_a_page_rounds_as_python_does(blank: Any, numbers: list[Fraction], places: int) -> None:
    found = in_page(blank, f"digits(x, {places})", numbers)
    assert found == [exact.rounded(number, places) for number in numbers]


@many
@given(numbers=lists)
def test_roots_are_fractions_or_correctly_rounded(blank: Any, numbers: list[Fraction]) -> None:
    found = in_page(blank, "fraction_text(signed_root(x.n, x.d))", numbers)
    for number, text in zip(numbers, found, strict=True):
        root = exact.sqrt(abs(number))
        assert text == fraction_text(root if number > 0 else exact.negate(root))


@many
@given(numbers=lists)
def test_doubles_are_near_enough_to_draw(blank: Any, numbers: list[Fraction]) -> None:
    found = in_page(blank, "double(x)", numbers)
    assert found == pytest.approx([float(number) for number in numbers], rel=1e-15)
    long = [number * Fraction(10**400 + 1, 10**400) for number in numbers]
    assert in_page(blank, "double(x)", long) == pytest.approx(found, rel=1e-15, abs=1e-19)


def test_what_has_no_denominator_is_undefined(blank: Any) -> None:
    found = blank.evaluate(
        f"() => {{ {SOURCE}; const x = exact(3n, 0n); "
        "return [fraction_text(x), with_digits(x), double(x), is_defined(x)] }"
    )
    assert found == ["undefined", "undefined", None, False]


@many
@given(numbers=lists)
def test_percents_say_whether_they_are_rounded(blank: Any, numbers: list[Fraction]) -> None:
    assert in_page(blank, "percent(x)", numbers) == list(map(rates.short_percent, numbers))
    assert rates.short_percent(Fraction(1, 8)) == "12.5%"
    assert rates.short_percent(Fraction(1, 3)) == "≈ 33.3%"


def test_columns_hold_short_fractions_and_digits_of_long_ones(blank: Any) -> None:
    listed = ("3/4", "1/3", "7", "1234567/80000", "99999/76543", "12345678901/10000000")
    numbers = [Fraction(text) for text in listed]
    assert in_page(blank, "in_columns(x)", numbers) == [
        ["3/4", "= 0.75"],
        ["1/3", "≈ 0.3333"],
        ["7", ""],
        ["≈ 15.4321", ""],
        ["≈ 1.3064", ""],
        ["≈ 1234.5679", ""],
    ]


# A live page -------------------------------------------------------------------------------------


def shown(widget: Any) -> Any:
    """The page that a widget shows now."""
    return widget.children[-1].children[0]


def slider(page: Any, title: str) -> Any:
    return next(each for each in page._model.select({"type": Slider}) if each.title == title)


@pytest.mark.parametrize(
    ("made", "title", "trait", "given", "text"),
    [
        (prevalence, "Prevalence", "prevalence", "1/3", "1/3 (≈ 33.3%)"),
        (costs, "Prevalence", "prevalence", "0.125", "12.5%"),
        (costs, "Cost of false alarm to miss", "cost_fp", "7/3", "7/3 : 1"),
    ],
)
def test_a_value_between_the_steps_makes_another_page_whose_slider_stands_on_it(
    made: Any, title: str, trait: str, given: str, text: str
) -> None:
    explorer = made(bt.Cases([1, 0, 1], [3, 2, 1]))
    widget = explorer.widget()
    before = shown(widget)
    setattr(explorer, trait, given)
    after = shown(widget)
    assert after is not before
    place = slider(after, title).value
    assert slider(after, title).format.args["texts"][place] == text
    # What follows is as before: the slider and the trait move each other.
    setattr(explorer, trait, "0.5" if trait == "prevalence" else 1)
    assert shown(widget) is after
    assert slider(after, title).value != place
