"""Numbers are read, computed with and rounded exactly."""

import math
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import binteach as bt
from binteach import exact
from binteach.exact import LogSum, Surd

rationals = st.fractions(min_value=-50, max_value=50, max_denominator=60)
positives = st.fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=60)
bases = st.sampled_from([0, 2, 10])


# Reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given_", "meant"),
    [
        (0.1, "1/10"),
        (0.30000000000000004, "30000000000000004/100000000000000000"),
        (-0.0, "0"),
        (5e-324, f"5/{10**324}"),
        (2.2250738585072014e-308, f"22250738585072014/{10**324}"),
        (1.7976931348623157e308, f"17976931348623157{'0' * 292}"),
        (1e22, f"{10**22}"),
        (np.float64(0.1), "1/10"),
        (np.float64("5e-324"), f"5/{10**324}"),
        (np.float32(0.1), "1/10"),
        (np.float32(1e-45), f"1/{10**45}"),
        (np.float32(3.4028235e38), f"34028235{'0' * 31}"),
        (np.float16(0.1), "1/10"),
        (np.longdouble("0.5"), "1/2"),
        (np.array(0.1), "1/10"),
        (np.array(0.1, dtype=np.float32), "1/10"),
        (np.int8(-3), "-3"),
        (np.uint64(2**64 - 1), f"{2**64 - 1}"),
        (np.bool_(True), "1"),
        (True, "1"),
        (7, "7"),
        (Fraction(2, 6), "1/3"),
        (Decimal("0.10"), "1/10"),
        (Decimal("-0"), "0"),
        (Decimal("1e-3"), "1/1000"),
        (sympy.Rational(2, 6), "1/3"),
        (sympy.Integer(-4), "-4"),
        (sympy.S.Half, "1/2"),
        ("19/20", "19/20"),
        ("0.95", "19/20"),
        (" +.5 ", "1/2"),
        ("5.", "5"),
        ("1e-3", "1/1000"),
        ("-1.5E+2", "-150"),
        ("-0.0", "0"),
        ("3 / 4\n", "3/4"),
        ("0.5/2", "1/4"),
    ],
    ids=repr,
)
def test_a_number_is_read_as_what_it_shows(given_: object, meant: str) -> None:
    read = exact.exact(given_)
    assert read == Fraction(meant)
    assert type(read) is Fraction


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_means_its_shortest_decimal(number: float) -> None:
    assert exact.exact(number) == Fraction(repr(number))
    assert float(exact.exact(number)) == number


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_a_single_precision_float_means_its_shortest_decimal(number: float) -> None:
    single = np.float32(number)
    digits = np.format_float_scientific(single, unique=True)
    assert exact.exact(single) == Fraction(digits)
    # Digits that were too few would give the number next to it.
    assert np.float32(float(exact.exact(single))) == single


@pytest.mark.parametrize(
    "given_",
    [
        *(math.nan, math.inf, -math.inf, "nan", "-Infinity"),
        *(Decimal("NaN"), Decimal("sNaN"), Decimal("-Infinity")),
        *(np.float32("nan"), np.float64("inf")),
    ],
    ids=repr,
)
def test_a_number_that_is_not_finite_is_refused(given_: object) -> None:
    with pytest.raises(ValueError, match=r"^the score in row 3 is .*only finite numbers can be"):
        exact.exact(given_, "the score in row 3")


@pytest.mark.parametrize(
    "given_",
    [
        *("", "a", "--1", "1/0.5", "1//2", "1/-2", "0x10", "1_000", "1,5", "1e9999", "9" * 401),
        "１",  # a digit, but not one of ours
        *(None, [], 1j, np.complex128(1), np.ma.masked, sympy.Symbol("x"), sympy.pi, object),
    ],
    ids=lambda thing: repr(thing)[:20],
)
def test_what_is_no_number_is_refused_by_name(given_: object) -> None:
    with pytest.raises(ValueError, match=r"^the weight is .*not a number"):
        exact.exact(given_, "the weight")


def test_a_text_that_divides_by_zero_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^the number is '1/0', which divides by zero$"):
        exact.exact("1/0")


def test_a_long_bad_value_is_quoted_in_short() -> None:
    with pytest.raises(ValueError, match="not a number") as refused:
        exact.exact("x" * 10_000)
    assert len(str(refused.value)) < 150


def test_whole_numbers_print_as_whole_numbers() -> None:
    assert repr(exact.plain(Fraction(6, 2))) == "3"
    assert exact.plain(Fraction(1, 2)) == Fraction(1, 2)


# Square roots ---------------------------------------------------------------------------------


def surd(coefficient: Fraction, radicand: Fraction) -> Any:
    """coefficient · √radicand, as the library has it."""
    return exact.multiply(coefficient, exact.sqrt(radicand))


def in_sympy(coefficient: Fraction, radicand: Fraction) -> Any:
    top, bottom = coefficient.as_integer_ratio()
    return sympy.Rational(top, bottom) * sympy.sqrt(sympy.Rational(*radicand.as_integer_ratio()))


def same(left: Any, right: Any) -> bool:
    """Whether sympy sees one number: roots of rationals have one form when expanded."""
    return bool(sympy.expand(exact.to_sympy(left) - right) == 0)


@given(rationals, positives, rationals, positives)
def test_surds_multiply_divide_and_add_like_sympys(
    a: Fraction, r: Fraction, b: Fraction, s: Fraction
) -> None:
    left, right = surd(a, r), surd(b, s)
    x, y = in_sympy(a, r), in_sympy(b, s)
    assert same(exact.multiply(left, right), x * y)
    assert same(exact.add(left, right), x + y)
    assert same(exact.negate(left), -x)
    assert same(exact.total([left, right, left]), 2 * x + y)
    assert same(exact.power(left, Fraction(2)), x**2)
    if b:
        assert same(exact.divide(left, right), sympy.radsimp(x / y))
    else:
        with pytest.raises(ZeroDivisionError):
            exact.divide(left, right)


@given(positives, rationals)
def test_a_root_of_a_square_is_rational(r: Fraction, a: Fraction) -> None:
    assert exact.sqrt(r * r) == r
    assert type(exact.sqrt(r * r)) is Fraction
    assert exact.multiply(exact.sqrt(r), exact.sqrt(r)) == r
    if a:
        assert exact.divide(surd(a, r), exact.sqrt(r)) == a


# tidy() looks for square factors below 1000 only.
small = st.builds(Fraction, st.integers(1, 30), st.integers(1, 30))


@settings(max_examples=30)
@given(rationals.filter(bool), small, small)
def test_equal_surds_are_equal_however_they_are_written(
    a: Fraction, r: Fraction, k: Fraction
) -> None:
    assume(isinstance(exact.sqrt(r), Surd))
    one, other = Surd(a, r), Surd(a / k, r * k * k)
    assert one == other
    assert hash(one) == hash(other)
    assert one != Surd(-a, r)
    assert one != Surd(a, r * 2)
    assert exact.public(one) == exact.public(other)
    assert exact.tidy(one) == one
    assert exact.tidy(other).radicand == exact.tidy(one).radicand


def test_a_tidy_surd_has_a_small_whole_radicand() -> None:
    tidied = exact.tidy(exact.divide(Fraction(10), exact.sqrt(Fraction(600))))
    assert (tidied.coefficient, tidied.radicand) == (Fraction(1, 6), Fraction(6))


def test_a_negative_number_has_no_square_root() -> None:
    with pytest.raises(ValueError, match="no square root"):
        exact.sqrt(Fraction(-1))


# Logarithms -----------------------------------------------------------------------------------


def log(number: str | int, base: int) -> Any:
    return exact.log(Fraction(number), base)


@pytest.mark.parametrize(
    ("number", "base", "logarithm"),
    [("8", 2, 3), ("1/4", 2, -2), ("1", 2, 0), ("1000", 10, 3), ("0.001", 10, -3), ("1", 0, 0)],
)
def test_a_rational_logarithm_is_a_fraction(number: str, base: int, logarithm: int) -> None:
    assert log(number, base) == Fraction(logarithm)
    assert type(log(number, base)) is Fraction


@pytest.mark.parametrize(("number", "base"), [("3", 2), ("6", 2), ("2", 10), ("20", 10), ("2", 0)])
def test_an_irrational_logarithm_is_not(number: str, base: int) -> None:
    assert isinstance(log(number, base), LogSum)
    assert not isinstance(exact.public(log(number, base)), Fraction)


@pytest.mark.parametrize(
    ("terms", "value"),
    [
        ([log(2, 10), log(5, 10)], 1),
        ([log(6, 2), exact.negate(log(3, 2))], 1),
        ([log(2, 0), log("1/2", 0)], 0),
        ([log(12, 0), log(18, 0), exact.multiply(Fraction(-3), log(6, 0))], 0),
        ([Fraction(1, 2), log(12, 2), log("1/3", 2), Fraction(1, 3)], Fraction(17, 6)),
        ([exact.multiply(Fraction(1, 3), log(4, 2))], Fraction(2, 3)),
    ],
)
def test_a_sum_of_logarithms_that_is_rational_is_seen_to_be(
    terms: list[Any], value: Fraction
) -> None:
    assert exact.total(terms) == value
    assert type(exact.total(terms)) is Fraction
    assert exact.is_zero(exact.total([*terms, Fraction(-value)]))


def test_proportional_sums_of_logarithms_have_a_rational_quotient() -> None:
    assert exact.divide(log(8, 0), log(4, 0)) == Fraction(3, 2)
    assert exact.divide(log(36, 2), log(6, 2)) == 2
    one = exact.add(Fraction(1), log(3, 2))  # log₂ 6
    two = exact.add(Fraction(3), exact.multiply(Fraction(3), log(3, 2)))  # log₂ 216
    assert exact.divide(one, two) == Fraction(1, 3)
    assert exact.divide(log(3, 2), log(5, 2)) == sympy.log(3) / sympy.log(5)
    # 1 + ln 2 is no multiple of ln 2.
    assert not isinstance(exact.divide(exact.add(Fraction(1), log(2, 0)), log(2, 0)), Fraction)


@given(st.lists(st.integers(2, 40), min_size=1, max_size=6), st.data(), bases)
def test_splitting_an_argument_changes_no_sum(
    parts: list[int], data: st.DataObject, base: int
) -> None:
    cut = data.draw(st.integers(0, len(parts)))
    whole = exact.log(Fraction(math.prod(parts[:cut]), math.prod(parts[cut:])), base)
    pieces = [exact.log(Fraction(part), base) for part in parts[:cut]]
    pieces += [exact.log(Fraction(1, part), base) for part in parts[cut:]]
    assert exact.total(pieces) == whole
    assert exact.public(exact.total(pieces)) == exact.public(whole)
    assert exact.is_zero(exact.total([*pieces, exact.negate(whole)]))


@given(st.lists(st.integers(1, 10**6), max_size=8))
def test_a_coprime_base_is_coprime_and_builds_every_number(numbers: list[int]) -> None:
    base = exact.coprime_base(numbers)
    assert all(part > 1 for part in base)
    assert all(math.gcd(a, b) == 1 for i, a in enumerate(base) for b in base[:i])
    for number in numbers:
        rest = number
        for part in base:
            while rest % part == 0:
                rest //= part
        assert rest == 1


# Products of two primes of thirty digits: nobody factorises them in passing.
LONG = [int(sympy.nextprime(10**29 + shift)) for shift in (0, 10**20, 10**25)]


def test_sixty_digit_numbers_are_never_factorised() -> None:
    p, q, r = LONG
    assert exact.add(log(p * q, 2), log(r, 2)) == exact.add(log(p, 2), log(q * r, 2))
    assert exact.total([log(p * q, 0), log(q * r, 0), log(f"1/{p * q * q * r}", 0)]) == 0
    assert exact.divide(log((p * q) ** 3, 0), log((p * q) ** 2, 0)) == Fraction(3, 2)
    assert isinstance(exact.total([log(p * q, 2), log(p * r, 2)]), LogSum)
    shown = exact.public(exact.add(log(p * q, 0), log(f"1/{q * r}", 0)))
    assert shown == sympy.log(p) - sympy.log(r)
    assert math.isclose(float(shown), math.log(p) - math.log(r), abs_tol=1e-12)


def test_only_positive_numbers_have_a_logarithm() -> None:
    for number in ("0", "-1"):
        with pytest.raises(ValueError, match="only positive numbers"):
            log(number, 2)


# Sums -----------------------------------------------------------------------------------------


@given(st.lists(rationals, max_size=40))
def test_a_total_is_the_sum(numbers: list[Fraction]) -> None:
    assert exact.total(numbers) == sum(numbers, Fraction(0))
    assert type(exact.total(iter(numbers))) is Fraction


def test_a_total_of_many_fractions_is_exact() -> None:
    terms = [Fraction(1, k * (k + 1)) for k in range(1, 4000)]
    assert exact.total(terms) == Fraction(3999, 4000)


@given(st.lists(rationals, max_size=5), st.lists(positives, max_size=5), bases)
def test_a_total_of_fractions_and_logarithms_is_their_value(
    numbers: list[Fraction], arguments: list[Fraction], base: int
) -> None:
    result = exact.total([*numbers, *(exact.log(argument, base) for argument in arguments)])
    product = math.prod(arguments, start=Fraction(1))
    assert result == exact.add(sum(numbers, Fraction(0)), exact.log(product, base))


# Rounding -------------------------------------------------------------------------------------


def quantized(number: Fraction, places: int) -> str:
    """The decimal module's way to the same digits."""
    with localcontext(Context(prec=places + 400)):
        scaled = Decimal(number.numerator) / Decimal(number.denominator)
        digits = format(scaled.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP), "f")
    return digits.lstrip("-") if not digits.strip("-0.") else digits


def from_mpmath(number: Any, places: int) -> str:
    """The digits of a number that mpmath knows to many more places than wanted."""
    text = mpmath.nstr(number, places + 60, min_fixed=-math.inf, max_fixed=math.inf)
    return quantized(Fraction(text), places)


@given(rationals, st.integers(0, 60))
def test_a_fraction_is_rounded_correctly(number: Fraction, places: int) -> None:
    assert exact.rounded(number, places) == quantized(number, places)


@pytest.mark.parametrize(
    ("number", "places", "digits"),
    [
        ("2/3", 3, "0.667"),
        ("1/2", 0, "1"),
        ("-1/2", 0, "-1"),
        ("5/2", 0, "3"),
        ("0.125", 2, "0.13"),
        ("-0.125", 2, "-0.13"),
        ("0.1249999999999999999999999", 2, "0.12"),
        ("-0.0004", 3, "0.000"),
        ("-0.4", 0, "0"),
        ("0", 2, "0.00"),
        ("99.9996", 3, "100.000"),
        ("1234567", 1, "1234567.0"),
    ],
)
def test_halves_go_away_from_zero_and_nothing_is_minus_zero(
    number: str, places: int, digits: str
) -> None:
    assert exact.rounded(Fraction(number), places) == digits


def test_a_rational_in_sympys_hands_is_rounded_alike() -> None:
    assert exact.rounded(sympy.Rational(1, 2), 0) == "1"
    assert exact.rounded(sympy.Rational(-1, 8), 2) == "-0.13"
    root = exact.sqrt(Fraction(2))
    half = exact.total([root, Fraction(1, 2), exact.negate(root)])
    assert exact.rounded(half, 0) == "1"


@given(rationals.filter(bool), positives, st.integers(0, 80))
def test_a_surd_is_rounded_correctly(a: Fraction, r: Fraction, places: int) -> None:
    with mpmath.workdps(places + 80):
        root = mpmath.sqrt(mpmath.mpf(r.numerator) / r.denominator)
        expected = from_mpmath(root * a.numerator / a.denominator, places)
    assume(isinstance(exact.sqrt(r), Surd))
    assert exact.rounded(surd(a, r), places) == expected


@given(
    st.lists(st.tuples(rationals, positives), min_size=1, max_size=5),
    rationals,
    bases,
    st.integers(0, 80),
)
def test_a_sum_of_logarithms_is_rounded_correctly(
    terms: list[tuple[Fraction, Fraction]], rational: Fraction, base: int, places: int
) -> None:
    number = exact.total(
        [rational, *(exact.multiply(factor, exact.log(inside, base)) for factor, inside in terms)]
    )
    assume(isinstance(number, LogSum))
    with mpmath.workdps(places + 80):
        value = mpmath.mpf(rational.numerator) / rational.denominator
        for factor, inside in terms:
            natural = mpmath.log(mpmath.mpf(inside.numerator) / inside.denominator)
            scale = mpmath.log(base) if base else 1
            value += natural / scale * factor.numerator / factor.denominator
        expected = from_mpmath(value, places)
    assert exact.rounded(number, places) == expected


@settings(max_examples=20)
@given(st.integers(0, 60), st.sampled_from(LONG))
def test_digits_survive_that_almost_all_cancel(places: int, p: int) -> None:
    # ln(p + 1) − ln p is about 1/p, thirty digits below either term.
    near = exact.add(log(p + 1, 0), log(f"1/{p}", 0))
    with mpmath.workdps(places + 140):
        assert exact.rounded(near, places) == from_mpmath(mpmath.log1p(mpmath.mpf(1) / p), places)


def test_a_value_ever_so_close_to_a_half_falls_on_its_own_side() -> None:
    little = Fraction(1, 10**70)
    assert exact.rounded(exact.sqrt(Fraction(1, 4) + little), 0) == "1"
    assert exact.rounded(exact.sqrt(Fraction(1, 4) - little), 0) == "0"
    assert exact.rounded(surd(Fraction(-1), Fraction(1, 4) - little), 0) == "0"
    with mpmath.workdps(120):
        near = Fraction(mpmath.nstr(mpmath.log(3, 2), 90))
    above, below = near - Fraction(1, 2) - little, near - Fraction(1, 2) + little
    assert exact.rounded(exact.add(log(3, 2), -above), 0) == "1"
    assert exact.rounded(exact.add(log(3, 2), -below), 0) == "0"


def test_large_factors_do_not_spoil_the_digits() -> None:
    # 10⁵⁰ (ln(10⁶⁰ + 1) − ln 10⁶⁰) is 10⁻¹⁰ up to 10⁻⁷⁰.
    big = Fraction(10**50)
    near = LogSum(0, Fraction(0), {10**60 + 1: big, 10**60: -big})
    assert exact.rounded(near, 12) == "0.000000000100"


def test_a_quotient_of_logarithms_is_rounded_correctly() -> None:
    quotient = exact.divide(log(3, 2), log(5, 2))
    with mpmath.workdps(200):
        expected = from_mpmath(mpmath.log(3) / mpmath.log(5), 100)
    assert exact.rounded(quotient, 100) == expected
    assert exact.rounded(exact.negate(quotient), 3) == "-0.683"


@pytest.mark.parametrize(
    ("number", "start"),
    [
        (Fraction(1, 3), "0.333"),
        (exact.sqrt(Fraction(2)), "1.41421356"),
        (log(3, 2), "1.58496250"),
        (exact.divide(log(3, 2), log(5, 2)), "0.68260619"),
    ],
    ids=["fraction", "surd", "logarithm", "quotient of logarithms"],
)
def test_five_thousand_places_can_be_had(number: Any, start: str) -> None:
    digits = exact.rounded(number, 5000)
    assert digits.startswith(start)
    assert len(digits) == 5002


@pytest.mark.parametrize("places", [0, 1, 2])
def test_a_number_of_thousands_of_digits_is_written_in_full(places: int) -> None:
    digits = exact.rounded(Fraction(-(10**4500)) - Fraction(1, 100), places)
    tail = ["", ".0", ".01"][places]
    assert digits == f"-1{'0' * 4500}{tail}"


def test_symbols_have_no_digits() -> None:
    with pytest.raises(ValueError, match="holds symbols"):
        exact.rounded(sympy.Symbol("x") + 1, 3)


# Out of the house -----------------------------------------------------------------------------


@given(st.lists(st.integers(1, 30), min_size=4, max_size=4), bases)
def test_mutual_information_written_two_ways_is_one_expression(cells: list[int], base: int) -> None:
    tp, fp, fn, tn = (Fraction(cell, sum(cells)) for cell in cells)

    def times_log(weight: Fraction, argument: Fraction) -> Any:
        return exact.multiply(weight, exact.log(argument, base))

    entropies = [times_log(-share, share) for share in (tp + fp, fn + tn, tp + fn, fp + tn)]
    joint = [times_log(share, share) for share in (tp, fp, fn, tn)]
    expected = exact.public(exact.total(entropies + joint))
    name = {0: "e"}.get(base, base)
    assert bt.value("mutual_information", bt.Counts(*cells), base=name) == expected
    assert bt.value("mutual_information", bt.Counts(tp, fp, fn, tn), base=name) == expected


def test_equal_values_are_equal_expressions_also_with_many_decimals() -> None:
    # Scores often have sixteen decimals, and 10¹⁶ is no hard number to factorise.
    long, short = log(10**16, 0), exact.multiply(Fraction(16), log(10, 0))
    assert long == short
    assert exact.public(long) == exact.public(short)


def test_the_order_of_the_cases_does_not_change_the_expression() -> None:
    labels, scores = [1, 0, 1, 1, 0], [0.1234567890123456, 0.75, 0.3333333333333333, 0.6, 0.125]
    one = bt.value("log_loss", bt.Cases(labels, scores))
    assert one == bt.value("log_loss", bt.Cases(labels[::-1], scores[::-1]))
    terms = [math.log2(p if y else 1 - p) for y, p in zip(labels, scores, strict=True)]
    assert math.isclose(float(one), -sum(terms) / 5, rel_tol=1e-12)


def test_public_values_are_fractions_or_sympy_expressions() -> None:
    x = sympy.Symbol("x", positive=True)
    assert exact.public(Fraction(1, 2)) == Fraction(1, 2)
    assert exact.public(exact.sqrt(Fraction(2))) == sympy.sqrt(2)
    assert sympy.expand(exact.public(log(6, 2))) == 1 + sympy.log(3) / sympy.log(2)
    assert exact.public(sympy.Rational(1, 2)) == Fraction(1, 2)
    assert type(exact.public(sympy.Rational(1, 2))) is Fraction
    nothing = exact.add(exact.sqrt(Fraction(2)), Surd(Fraction(-1), Fraction(2)))
    assert exact.public(nothing) == 0
    assert type(exact.public(nothing)) is Fraction
    assert exact.public(exact.add(x, Fraction(1, 2))) == x + sympy.S.Half


def test_roots_of_larger_numbers_are_larger() -> None:
    digits = [Decimal(exact.rounded(exact.sqrt(Fraction(k)), 5)) for k in (2, 3, 5, 6, 7)]
    assert all(low < high for low, high in pairwise(digits))
