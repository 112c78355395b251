"""What the traits of the explorers of models and ratios take, and what they refuse."""

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

import binteach as bt
from binteach.explorers import Explorer, compare, costs, prevalence, voting

TEN = bt.load("ten_cases")
TIED = bt.Cases([1, 0, 1, 0], [2, 1, 1, 0])

NO_PLACES: tuple[Any, ...] = (-1, 10**9, None, True, "3", 2.5, [3])
NO_NUMBERS: tuple[Any, ...] = (None, True, "nonsense", float("nan"), float("inf"), [1], 1j, "1/0")
NO_KEYS: tuple[Any, ...] = (None, 3, "nonsense", "brier_score", "")

# Explorer, trait -> what is refused, and words that must be in the message beside its name.
REFUSED: dict[tuple[str, str], tuple[tuple[Any, ...], str]] = {
    ("prevalence", "cut"): (NO_PLACES, "0 to 10"),
    ("prevalence", "measure"): (NO_KEYS, ""),
    ("prevalence", "prevalence"): (NO_NUMBERS, ""),
    ("costs", "cost_fp"): (NO_NUMBERS, ""),
    ("costs", "cost_fn"): (NO_NUMBERS, ""),
    ("costs", "prevalence"): (NO_NUMBERS, ""),
    ("prevalence", "prevalence_place"): (NO_PLACES, "0 to 98"),
    ("costs", "price_place"): (NO_PLACES, "0 to 30"),
    ("costs", "prevalence_place"): (NO_PLACES, "0 to 98"),
    ("compare", "cut"): (NO_PLACES, "0 to 9"),
    ("compare", "measure"): ((None, 3, "nonsense", "f_beta", ""), ""),
    ("compare", "group"): ((None, 3, "nonsense", ""), "ranking, scores, counts, quota"),
    ("voting", "x"): ((0, *NO_PLACES), "1 to 52"),
    ("voting", "seed"): ((-1, None, True, "x", 2.5, 10**10), "0 to 1000000000"),
}
OUT_OF_RANGE: dict[tuple[str, str], tuple[tuple[Any, ...], str]] = {
    ("prevalence", "prevalence"): ((0, 1, "-0.1", 7, "1e-13"), "between 0 and 1"),
    ("costs", "prevalence"): ((0, 1, "-0.1", 7, "1e-13"), "between 0 and 1"),
    ("costs", "cost_fp"): ((0, -1, "1e-13", 10**13), "from 10^-12 to 10^12"),
    ("costs", "cost_fn"): ((0, -1, "1e-13", 10**13), "from 10^-12 to 10^12"),
}
MADE: dict[str, Callable[..., Explorer]] = {
    "prevalence": lambda **given: prevalence(TEN, **given),
    "costs": lambda **given: costs(TEN, **given),
    "compare": partial(compare.example, "murphy"),
    "voting": voting,
}
ALL = [
    (explorer, trait, value, words)
    for table in (REFUSED, OUT_OF_RANGE)
    for (explorer, trait), (values, words) in table.items()
    for value in values
]
NOT_ARGUMENTS = ("prevalence_place", "price_place")


def naming(trait: str, value: Any, words: str) -> str:
    """A pattern of what a message must hold: the trait, the value and the range."""
    return rf"(?=.*\b{trait}\b)(?=.*{re.escape(str(value))}).*{re.escape(words)}"


@pytest.mark.parametrize(("kind", "trait", "value", "words"), ALL)
def test_a_wrong_value_is_refused_by_name_and_changes_nothing(
    kind: str, trait: str, value: Any, words: str
) -> None:
    explorer = MADE[kind]()
    before = {name: getattr(explorer, name) for name in explorer.trait_names()}
    with pytest.raises(ValueError, match=naming(trait, value, words)):
        setattr(explorer, trait, value)
    assert {name: getattr(explorer, name) for name in explorer.trait_names()} == before


# None is how an argument is left out.
@pytest.mark.parametrize(
    ("kind", "trait", "value", "words"),
    [each for each in ALL if each[1] not in NOT_ARGUMENTS and each[2] is not None],
)
def test_a_wrong_argument_is_refused_by_name(kind: str, trait: str, value: Any, words: str) -> None:
    with pytest.raises(ValueError, match=naming(trait, value, words)):
        MADE[kind](**{trait: value})


@pytest.mark.parametrize("made", [prevalence, costs])
@pytest.mark.parametrize("wrong", [None, 3, "ten_cases", [1, 0], bt.Counts(1, 1, 1, 1)])
def test_what_is_no_cases_is_refused(made: Any, wrong: Any) -> None:
    with pytest.raises(ValueError, match="takes Cases"):
        made(wrong)


def test_a_cut_inside_a_tie_is_refused_with_the_cuts_beside_it() -> None:
    with pytest.raises(ValueError, match=r"cut=2 cuts through a tie.*Use cut=1 or cut=3"):
        prevalence(TIED, cut=2)


@pytest.mark.parametrize(
    "given", ["1/3", Fraction(1, 3), "0.2001", Decimal("0.2001"), 0.2001, "1e-12", Fraction(1, 7)]
)
@pytest.mark.parametrize("made", [prevalence, costs])
def test_a_prevalence_stays_exact(made: Any, given: Any) -> None:
    exactly = Fraction(str(given)) if isinstance(given, float | Decimal) else Fraction(given)
    explorer = made(TEN, prevalence=given)
    assert explorer.prevalence == exactly
    explorer.prevalence = "1/2"
    explorer.prevalence = given
    assert explorer.prevalence == exactly
    assert explorer.prevalences[explorer.prevalence_place] == exactly
