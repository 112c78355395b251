"""Arithmetic on many rows at once gives what the same arithmetic gives row by row."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import binteach as bt
from binteach import columns, exact, lists
from binteach.columns import Column, Total, add_up, room, running_sum, times, whole_sum
from binteach.derivation import sums_of
from binteach.exact import Certified, CertifiedFraction, LogSum
from binteach.measures import Context, evaluate

# Around the largest whole numbers of 64 bits, where numpy would go wrong in silence.
WHOLE = st.one_of(
    st.integers(-9, 9),
    st.integers(-(2**62), 2**62),
    st.integers(2**61 - 9, 2**62 - 1),
    st.integers(-(2**90), 2**90),
)


def packed(numbers: list[int], engine: Any = np) -> Any:
    fits = all(abs(number) < 2**62 for number in numbers)
    return engine.array(numbers, dtype=np.int64 if fits else object)


ENGINES = st.sampled_from([np, lists])


@st.composite
def column_of(draw: st.DrawFn, rows: int, engine: Any = np) -> tuple[Column, list[Fraction]]:
    top = draw(st.lists(WHOLE, min_size=rows, max_size=rows))
    below = st.lists(WHOLE.map(lambda n: abs(n) + 1), min_size=rows, max_size=rows)
    bottom = draw(st.none() | below)
    scale = draw(st.fractions(max_denominator=50)) or Fraction(1)
    values = [scale * Fraction(t, b) for t, b in zip(top, bottom or [1] * rows, strict=True)]
    below_it = None if bottom is None else packed(bottom, engine)
    return Column(packed(top, engine), below_it, scale), values


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "larger": exact.larger,
}


@pytest.mark.parametrize("name", OPERATIONS)
@given(data=st.data())
def test_an_operation_on_columns_is_the_operation_on_every_row(name: str, data: Any) -> None:
    rows = data.draw(st.integers(1, 4))
    engine = data.draw(ENGINES)
    (left, lefts), (right, rights) = (data.draw(column_of(rows, engine)) for _ in range(2))
    operate = OPERATIONS[name]
    assert list(operate(left, right)) == [operate(a, b) for a, b in zip(lefts, rights, strict=True)]
    number = data.draw(st.fractions(max_denominator=9))
    assert list(operate(left, number)) == [operate(a, number) for a in lefts]
    assert list(operate(number, left)) == [operate(number, a) for a in lefts]


@given(data=st.data())
def test_signs_quotients_powers_and_extremes(data: Any) -> None:
    column, values = data.draw(column_of(data.draw(st.integers(1, 4)), data.draw(ENGINES)))
    number = data.draw(st.fractions(max_denominator=9))
    assert list(-column) == [-value for value in values]
    assert list(abs(column)) == [abs(value) for value in values]
    assert list(column ** Fraction(3)) == [value**3 for value in values]
    assert column.has_zero() == (0 in values)
    assert column.largest() == max(values)
    assert column.place_of_largest() == values.index(max(values))
    assert column.at_least(number).tolist() == [value >= number for value in values]
    assert column.total() == sum(values)
    if number:
        assert list(column / number) == [value / number for value in values]
    if 0 not in values:
        assert list(number / column) == [number / value for value in values]
    floats = [float(value) for value in values]
    assert column.floats().tolist() == pytest.approx(floats, rel=1e-15)


@given(numbers=st.lists(WHOLE, max_size=6), factor=WHOLE, engine=ENGINES)
def test_whole_numbers_never_overflow(numbers: list[int], factor: int, engine: Any) -> None:
    array = packed(numbers, engine)
    assert whole_sum(array) == sum(numbers)
    assert times(array, factor).tolist() == [number * factor for number in numbers]
    sums = running_sum(array).tolist()
    assert sums == [sum(numbers[:k]) for k in range(len(numbers) + 1)]


@given(
    st.lists(st.tuples(WHOLE, st.integers(1, 10**6) | st.integers(1, 2**70)), min_size=1),
    ENGINES,
)
def test_a_sum_of_quotients_is_the_sum_of_fractions(
    pairs: list[tuple[int, int]], engine: Any
) -> None:
    top, bottom = packed([t for t, _ in pairs], engine), packed([b for _, b in pairs], engine)
    right = sum(Fraction(t, b) for t, b in pairs)
    assert add_up(top, bottom) == right
    low, width = columns._long_division(top, bottom)
    assert low <= right <= low + width
    assert width < Fraction(len(pairs), 10**exact.INTERVAL_DIGITS)


def test_the_largest_prime_factors() -> None:
    def largest(number: int) -> int:
        return max((p for p in range(2, number + 1) if number % p == 0 and is_prime(p)), default=1)

    def is_prime(number: int) -> bool:
        return number > 1 and all(number % d for d in range(2, math.isqrt(number) + 1))

    for limit in (1, 2, 3, 30, 121, 500):
        found = columns._largest_primes(limit).tolist()
        assert found[1:] == [largest(number) for number in range(1, limit + 1)]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_floats_mean_their_shortest_decimals(numbers: list[float]) -> None:
    tops, bottom = columns.whole_numbers(np.array(numbers))
    assert [Fraction(int(top), bottom) for top in tops] == [Fraction(repr(n)) for n in numbers]


@given(st.lists(st.decimals(-9, 9, places=4).map(float), min_size=1), st.sampled_from([2, 4]))
def test_short_floats_mean_the_digits_that_they_print(numbers: list[float], width: int) -> None:
    array = np.array(numbers, dtype=f"f{width}")
    tops, bottom = columns.whole_numbers(array)
    assert [Fraction(int(top), bottom) for top in tops] == [Fraction(str(n)) for n in array]


def test_room_is_empty_and_writable() -> None:
    array = room(3)
    array[:] = [1, 2, 3]
    assert array.tolist() == [1, 2, 3]
    assert room(2, np.float64).dtype == np.float64


# Sums of formulas -------------------------------------------------------------------------------

ASKED: dict[str, dict[str, Any]] = {
    "focal_loss": {"gamma": 3, "alpha": "1/3"},
    "information_score": {"prior": "1/3"},
    "hinge_loss": {"scale": 4},
    "roc_n": {"n": 1},
}
MEASURES = [key for key, m in bt.MEASURES.items() if m.takes in ("scores", "ranking", "quota")]


def params_of(key: str) -> dict[str, Any]:
    needed = {"top": 2} if "top" in bt.MEASURES[key].params else {}
    return {**needed, **ASKED.get(key, {})}


CASES = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from(["0", "0.2", "0.25", "1/3", "0.7", "1"])),
    min_size=2,
    max_size=20,
).filter(lambda rows: 0 < sum(label for label, _ in rows) < len(rows))


def same(left: Any, right: Any) -> bool:
    if hasattr(left, "evalf") and hasattr(right, "evalf"):  # one number has many expressions
        return exact.rounded(left, 60) == exact.rounded(right, 60)
    if not isinstance(left, LogSum) and not isinstance(right, LogSum):
        return bool(left == right)
    return exact.is_zero(exact.add(left, exact.negate(right)))


@pytest.mark.parametrize("key", MEASURES)
@settings(max_examples=15)
@given(rows=CASES)
def test_every_sum_at_once_is_the_sum_row_by_row(key: str, rows: list[tuple[int, str]]) -> None:
    context = Context(bt.measure(key), bt.Cases(*zip(*rows, strict=True)), params_of(key))
    for family, sums in sums_of(context.measure.tree(context.params)).items():
        one_by_one = list(context.rows(family))
        for column, _ in sums:
            assert same(column.number(context), column.over(one_by_one, context))


@pytest.mark.parametrize("key", MEASURES)
@settings(max_examples=15)
@given(rows=CASES)
def test_an_interval_holds_the_exact_value(key: str, rows: list[tuple[int, str]]) -> None:
    """With the limits at zero, small data take the way of large ones."""
    cases, wanted = bt.Cases(*zip(*rows, strict=True)), params_of(key)
    try:
        right = evaluate(Context(bt.measure(key), cases, wanted))
    except bt.Undefined:
        return
    with pytest.MonkeyPatch.context() as patch:
        for limit in ("MOST_DIGITS", "MANY_LOGARITHMS"):
            patch.setattr(columns, limit, 0)
        found = evaluate(Context(bt.measure(key), cases, wanted))
    if not isinstance(found, Certified):
        assert same(found, right)
        return
    assert found.high - found.low < Fraction(1, 10**50)
    middle, error = exact.approximate(right, 80)
    assert found.low - error <= middle <= found.high + error
    assert same(found.exact(), right)
    assert exact.rounded(found, 12) == exact.rounded(right, 12)
    # That a sum of many logarithms is rational after all is found out only on request.
    assert isinstance(right, Fraction) or not isinstance(found, CertifiedFraction)


def test_a_logarithm_of_zero_counts_only_where_it_is_asked_for() -> None:
    arguments = Column(np.array([0, 2]))
    for factors, well in (([0, 1], True), ([1, 0], False)):
        total = Total()
        term = Column(np.array(factors)) * arguments.log(2)
        if well:
            total.add(term, 2)
            assert total.result() == 1
        else:
            with pytest.raises(exact.NoLog):
                total.add(term, 2)


def test_powers_that_are_no_fractions_are_left_to_the_slow_way() -> None:
    cases = bt.Cases([1, 0, 1], ["0.9", "0.5", "0.3"])
    value = bt.value("focal_loss", cases, gamma="1/2")
    terms = [(p, (1 - p) ** 0.5 * math.log2(p)) for p in (0.9, 0.5, 0.3)]
    assert float(value) == pytest.approx(-sum(term for _, term in terms) / 3)


# Numbers between two fractions ------------------------------------------------------------------


def between(number: Fraction, width: Fraction = Fraction(1, 10**60)) -> CertifiedFraction:
    return CertifiedFraction(number - width, number + width, lambda: number)


def test_arithmetic_keeps_the_number_between_its_ends() -> None:
    third, seventh = between(Fraction(1, 3)), between(Fraction(1, 7))
    results = {
        Fraction(10, 21): third + seventh,
        Fraction(4, 21): third - seventh,
        Fraction(1, 21): third * seventh,
        Fraction(7, 3): third / seventh,
        Fraction(-1, 3): -third,
        Fraction(2, 3): 1 - third,
        Fraction(6): 2 / third,
        Fraction(1, 6): third / 2,
    }
    for right, found in results.items():
        assert isinstance(found, CertifiedFraction)
        assert found.low < right < found.high
        assert Fraction(found) == right  # type: ignore[call-overload]
        assert found == right
        assert float(found) == float(right)
    assert abs(-third) == Fraction(1, 3)
    assert third * 0 == 0
    assert bool(third)


def test_a_wide_interval_falls_back_on_the_exact_number() -> None:
    half = between(Fraction(1, 2), Fraction(1, 4))
    assert float(half) == 0.5
    assert exact.rounded(half, 3) == "0.500"
    assert half < Fraction(3, 5)
    assert half > Fraction(2, 5)
    assert half == Fraction(1, 2)
    assert not half < Fraction(1, 2)
    assert half <= Fraction(1, 2) <= half
    assert 1 / between(Fraction(1, 8), Fraction(1, 2)) == 8
    assert not exact.is_zero(half)
    assert exact.is_zero(between(Fraction(0)))


def test_a_number_between_fractions_shows_digits_that_stay() -> None:
    third = between(Fraction(1, 3), Fraction(1, 10**9))
    assert str(third) == "0.33333333…"
    assert repr(third) == "<0.33333333…>"
    assert f"{third:.3f}" == "0.333"
    assert round(third, 2) == 0.33
    assert str(between(Fraction(-2, 3))).startswith("-0.6666")
    assert str(between(Fraction(0))) == "0.000000000000000000000000000000…"
    assert third != "a third"
    with pytest.raises(TypeError):
        third < "a third"  # noqa: B015
    assert third < math.inf
    assert third > -math.inf
    assert third != math.nan


def test_with_a_float_a_float_results() -> None:
    third = between(Fraction(1, 3))
    assert third + 0.5 == pytest.approx(5 / 6)
    assert 0.5 - third == pytest.approx(1 / 6)
    assert np.float64(0.5) * third == pytest.approx(1 / 6)
    assert third**2 == pytest.approx(1 / 9)
    assert third.decimal(5) == "0.33333"
    assert isinstance(third / 0.5, float)


def test_a_number_next_to_a_round_one_is_not_shown_as_less() -> None:
    one = between(Fraction(1, 3)) * 3
    assert str(one) == "1.000000000000000000000000000000"
    assert int(one) == 1
    assert one // 1 == 1
    assert one % 1 == 0
    assert +one == 1


def test_in_a_sympy_expression_it_stays_exact() -> None:
    import sympy

    third = between(Fraction(1, 3))
    assert third + sympy.Rational(1, 2) == sympy.Rational(5, 6)
    assert sympy.sympify(third) == sympy.Rational(1, 3)
    assert third < sympy.oo
    assert third > -sympy.oo
    assert third < sympy.sqrt(2)
    assert third == sympy.Rational(1, 3)
    assert third != sympy.nan
    assert third != sympy.I


def test_equal_numbers_in_other_words_are_equal() -> None:
    import sympy

    number = exact.log(Fraction(3), 2)
    middle, error = exact.approximate(number, 60)
    certified = Certified(middle - error, middle + error, lambda: number)
    assert certified == sympy.expand(sympy.log(27) / (3 * sympy.log(2)))
    assert certified != sympy.log(3) / sympy.log(2) + sympy.Rational(1, 10**70)


def test_it_can_be_averaged_like_a_fraction() -> None:
    import statistics

    numbers: list[Any] = [between(Fraction(1, 3)), between(Fraction(2, 3))]
    assert statistics.mean(numbers) == Fraction(1, 2)


@pytest.mark.parametrize("n", [300, 12_000])
def test_what_python_can_print_is_a_fraction_and_what_it_cannot_is_an_interval(n: int) -> None:
    rng = np.random.default_rng(2)
    cases = bt.Cases(rng.integers(0, 2, n), rng.random(n))
    for key in ("average_precision", "mean_precision", "aucpr_min", "average_lift"):
        value = bt.value(key, cases)
        assert isinstance(value, Fraction if n < 1000 else CertifiedFraction)
        assert len(repr(value)) < 4300
    weighted = bt.Cases(rng.integers(0, 2, n), rng.random(n), weights=rng.random(n))
    assert len(repr(bt.value("aucpr_minmax", weighted))) < 5000


def test_many_powers_that_are_no_fractions_are_an_interval() -> None:
    rng = np.random.default_rng(2)
    labels, scores = rng.integers(0, 2, 300), rng.random(300).round(3)
    value = bt.value("focal_loss", bt.Cases(labels, scores), gamma="1/2")
    given = np.where(labels == 1, scores, 1 - scores)
    assert isinstance(value, Certified)
    assert float(value) == pytest.approx(-np.mean((1 - given) ** 0.5 * np.log2(given)))
