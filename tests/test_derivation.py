"""Derivations are data: steps in order, each of which leaves the value as it was."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

import binteach as bt
from binteach import exact
from binteach.derivation import Derivation, Step
from binteach.expr import LONGEST_SUM, Add, Dots, Node, Num, Sym, symbols

TEN = bt.load("ten_cases")
TIED = bt.load("murphy_2")

# A vector for the anchor, one of its class, and one of the other.
TRIPLETS = [
    (("0.6", "0.8"), ("0.8", "0.6"), ("-0.6", "0.8")),
    ((1, 0), ("0.6", "0.8"), ("0.8", "0.6")),
]
# Other words and parameters than the defaults, so that every branch of a formula is met.
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "auc": [{"method": "ranks"}, {"method": "pairs"}, {"method": "trapezoids"}],
    "f_beta": [{"beta": 2}, {"beta": "1/2"}],
    "f_alpha": [{"alpha": "1/4"}],
    "log_loss": [{"base": "e"}, {"base": 10}],
    "mutual_information": [{"base": 2}, {"base": 10}],
    "focal_loss": [{"gamma": 0}, {"gamma": 1, "alpha": "1/4"}, {"gamma": "1/2"}],
    "balanced_cross_entropy": [{"alpha": "1/3", "base": "e"}],
    "hinge_loss": [{"scale": 4}],
    "lift": [{"prior": "1/10"}],
    "gain": [{"prior": "1/10"}],
    "expected_cost": [{"cost_fp": 2, "cost_fn": 5}],
    "information_score": [{"prior": "1/10"}],
    "relative_information_score": [{"prior": "1/10"}],
    "roc_n": [{"n": 2}],
    "decile_lift": [{"decile": 3}],
    "triplet_loss": [{"margin": 1}],
}


def derivations(measure: bt.Measure, cases: bt.Cases, cut: int) -> Iterator[Derivation]:
    """The measure on these cases, with its default parameters and others."""
    data: Any = cases
    needed: dict[str, Any] = {}
    if measure.takes == "counts":
        needed = {"at": cases.ranking.blocks[cut].score}
    elif measure.takes == "triplets":
        data = TRIPLETS
    elif measure.takes == "classes":
        data = {"this": cases, "that": TEN}
    if "top" in measure.params:
        needed = {"top": cut + 1}
    for params in [{}, *VARIANTS.get(measure.key, [])]:
        try:
            yield bt.explain(measure, data, **needed, **params)
        except ValueError:
            # Only this may be refused: more false positives than there are negatives.
            if params != {"n": 2}:
                raise


def all_steps(derivation: Derivation) -> list[Step]:
    """The steps, those of the parts included."""
    found = []
    for step in derivation.steps:
        found += [step, *(all_steps(step.part) if step.part else [])]
    return found


def worth(tree: Node | None) -> Any:
    """The value of a tree of numbers."""
    assert tree is not None
    return exact.settle(tree.number(None))  # type: ignore[arg-type]


def agree(left: Any, right: Any) -> bool:
    if isinstance(left, Fraction) or isinstance(right, Fraction):
        return bool(exact.public(left) == exact.public(right))
    # Two forms of one irrational number; no two different ones are that close here.
    return exact.rounded(left, 60) == exact.rounded(right, 60)


def holds(tree: Node, kind: type[Node]) -> bool:
    return isinstance(tree, kind) or any(holds(child, kind) for child in tree.children())


ORDER = re.compile(
    r"definition (table )*given (part )*"
    r"((substitute (simplify )*)(approximate )?value (remark )*"
    r"|(substitute (simplify )*)?(remark )*undefined )"
)
OF_A_PART = re.compile(
    r"substitute (simplify )*(approximate )?value |(substitute (simplify )*)?undefined "
)


def check(derivation: Derivation) -> None:
    """Everything that holds for any derivation with data."""
    rules = "".join(f"{step.rule} " for step in derivation.steps)
    assert ORDER.fullmatch(rules), rules
    assert derivation.steps[0].before == derivation.symbol
    check_chain(derivation)
    for step in derivation.steps:
        if step.part is not None:
            rules = "".join(f"{inner.rule} " for inner in step.part.steps)
            assert OF_A_PART.fullmatch(rules), rules
            assert step.before == step.part.symbol
            check_chain(step.part)


def check_chain(derivation: Derivation) -> None:
    """Each step goes on where the last one ended, and the number stays the same."""
    chain = [step for step in derivation.steps if step.rule in ("substitute", "simplify")]
    for last, step in pairwise(chain):
        assert step.before is last.after
    for step in derivation.steps:
        if step.rule == "approximate":
            assert step.before is chain[-1].after
    if derivation.reason:
        return
    final = derivation._exact
    for step in chain:
        assert step.after is not None
        assert not symbols(step.after)
        if step.rule == "simplify":
            assert step.after != step.before
            assert agree(worth(step.before), worth(step.after))
        assert agree(worth(step.after), final)
    (value,) = [step for step in derivation.steps if step.rule == "value"]
    assert isinstance(value.after, Num)
    assert agree(value.after.value, final)
    shown = Fraction(value.decimal)
    if value.exactly:
        assert shown == final
    else:
        assert value.decimal == exact.rounded(final, len(value.decimal.partition(".")[2]))


# Every measure --------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [0, 3, 5])
@pytest.mark.parametrize("cases", [TEN, TIED], ids=["ten_cases", "murphy_2"])
@pytest.mark.parametrize("measure", bt.MEASURES.values(), ids=bt.MEASURES)
def test_every_step_keeps_the_value(measure: bt.Measure, cases: bt.Cases, cut: int) -> None:
    for derivation in derivations(measure, cases, cut):
        check(derivation)


@st.composite
def some_cases(draw: st.DrawFn) -> bt.Cases:
    n = draw(st.integers(1, 16))
    labels = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    eighths = draw(st.lists(st.integers(0, 8), min_size=n, max_size=n))
    return bt.Cases(labels, [Fraction(part, 8) for part in eighths])


@settings(max_examples=8)
@given(some_cases(), st.data())
def test_every_step_keeps_the_value_on_any_data(cases: bt.Cases, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(cases.ranking.blocks) - 1))
    for measure in bt.MEASURES.values():
        for derivation in derivations(measure, cases, cut):
            check(derivation)


@pytest.mark.parametrize("measure", bt.MEASURES.values(), ids=bt.MEASURES)
def test_without_data_there_is_the_definition_alone(measure: bt.Measure) -> None:
    definition = bt.explain(measure)
    rules = [step.rule for step in definition.steps]
    assert rules[0] == "definition"
    assert rules[-1] == "given"
    assert set(rules[1:-1]) <= {"part"}
    assert all(step.part is None for step in definition.steps)
    assert all(given_.value is None for given_ in definition.steps[-1].given)
    assert definition.value is None
    with pytest.raises(ValueError, match="no value to round"):
        definition.decimal(3)
    assert str(definition).startswith(measure.title)
    assert repr(definition) == f"Derivation({measure.title})"


@pytest.mark.parametrize("measure", bt.MEASURES.values(), ids=bt.MEASURES)
def test_a_repr_is_short_and_always_the_same(measure: bt.Measure) -> None:
    for first, second in zip(
        derivations(measure, TEN, 3), derivations(measure, TEN, 3), strict=True
    ):
        assert repr(first) == repr(second)
        assert str(first) == str(second)
        assert len(repr(first)) <= 90
        assert repr(first).startswith(f"Derivation({measure.title}")
        assert "\n" not in repr(first)


@pytest.mark.parametrize("measure", bt.MEASURES.values(), ids=bt.MEASURES)
def test_the_value_of_a_derivation_is_the_value_of_the_measure(measure: bt.Measure) -> None:
    params: dict[str, Any] = {}
    if measure.takes == "counts" or "top" in measure.params:
        params = {"top": 4}
    data: Any = {"triplets": TRIPLETS, "classes": {"a": TEN, "b": TIED}}.get(measure.takes, TEN)
    assert bt.explain(measure, data, **params).value == bt.value(measure, data, **params)


# Symbols --------------------------------------------------------------------------------------

COUNTS = [measure for measure in bt.MEASURES.values() if measure.takes == "counts"]
LETTERS = sympy.symbols("TP FP FN TN", positive=True)


@pytest.mark.parametrize("measure", COUNTS, ids=lambda measure: measure.key)
def test_symbolic_counts_stay_symbolic(measure: bt.Measure) -> None:
    derivation = bt.explain(measure, bt.Counts(*LETTERS))
    value = derivation.value
    assert value.free_symbols
    assert value.free_symbols <= set(LETTERS)
    for counts in ((3, 1, 2, 4), (7, 2, 5, 11)):
        numbers = value.subs(dict(zip(LETTERS, counts, strict=True)))
        known = exact.to_sympy(bt.value(measure, bt.Counts(*counts)))
        assert sympy.simplify(sympy.expand_log(numbers - known, force=True)) == 0
    with pytest.raises(ValueError, match="holds symbols"):
        derivation.decimal(3)
    assert any(letter.name in str(derivation) for letter in value.free_symbols)
    assert derivation.latex()
    assert derivation.mathml()
    assert derivation.html()


def test_a_symbolic_step_is_shown_as_it_is_derived() -> None:
    derivation = bt.explain("precision", bt.Counts(*LETTERS))
    tp, fp = LETTERS[:2]
    assert derivation.value == tp / (tp + fp)
    assert repr(derivation) == "Derivation(Precision = TP/(FP + TP))"


# Parameters -----------------------------------------------------------------------------------


def shown(name: str, data: Any = None, **params: Any) -> str:
    return " ".join(str(bt.explain(name, data, **params)).split())


def test_a_parameter_is_seen_in_the_derivation() -> None:
    text = shown("f_beta", bt.Counts(3, 1, 2, 4), beta=2)
    assert "β = 2" in text
    assert "F_β = (1 + 2²) × ((3/4 × 3/5) / (2² × 3/4 + 3/5))" in text
    assert text.endswith("= 5/8 = 0.625")


@pytest.mark.parametrize(
    ("name", "params", "seen"),
    [
        ("lift", {"prior": "1/10", "top": 4}, "π₀ = 1/10"),
        ("log_loss", {"base": "e"}, "ln(0.95)"),
        ("log_loss", {"base": 10}, "log₁₀(0.95)"),
        ("hinge_loss", {"scale": 4}, "4 × (score − 1/2)"),
        ("precision", {"at": "0.45", "rule": ">="}, "score ≥ 0.45, which is 6 cases"),
        ("precision", {"at": "0.45"}, "score > 0.45, which is 5 cases"),
    ],
)
def test_parameters_of_every_kind_are_seen(name: str, params: dict[str, Any], seen: str) -> None:
    assert seen in shown(name, TEN, **params)


def test_a_parameter_that_a_measure_does_not_take_is_refused() -> None:
    with pytest.raises(ValueError, match=r"auc does not take 'beta'; it takes method"):
        bt.explain("auc", TEN, beta=2)


# Undefined ------------------------------------------------------------------------------------


def test_an_undefined_measure_is_derived_as_far_as_it_goes() -> None:
    derivation = bt.explain("precision", TEN, top=0)
    assert [step.rule for step in derivation.steps][-2:] == ["simplify", "undefined"]
    assert derivation.reason.startswith("no case was called positive, so TP + FP = 0")
    assert repr(derivation) == "Derivation(Precision: undefined)"
    assert "0 / (0 + 0)" in str(derivation)
    assert "TP + FP = 0" in str(derivation)
    with pytest.raises(bt.Undefined, match=r"TP \+ FP = 0"):
        _ = derivation.value
    with pytest.raises(bt.Undefined, match=r"TP \+ FP = 0"):
        derivation.decimal(3)


@pytest.mark.parametrize("measure", bt.MEASURES.values(), ids=bt.MEASURES)
def test_one_class_alone_never_breaks_an_explanation(measure: bt.Measure) -> None:
    for label in (0, 1):
        alone = bt.Cases([label] * 3, ["0.2", "0.4", "0.9"])
        for derivation in derivations(measure, alone, 1):
            check(derivation)
            if derivation.reason:
                assert derivation.steps[-1].prose == (derivation.reason,)
                assert " ".join(derivation.reason.split()) in " ".join(str(derivation).split())


def test_a_product_of_zero_and_what_does_not_exist_does_not_exist() -> None:
    # The precision is 0, but there is no recall: 0 × 0/0 is not 0.
    derivation = bt.explain("g_measure", bt.Counts(tp=0, fp=1, fn=0, tn=2))
    assert derivation.reason.startswith("there is no positive case, so TP + FN = 0")


@pytest.mark.parametrize("counts", [bt.Counts(1, 0, 2, 0), bt.Counts(0, 1, 2, 0)], ids=repr)
def test_a_quotient_by_one_is_worked_out_to_the_end(counts: bt.Counts) -> None:
    assert str(bt.explain("precision", counts)).endswith(f"= {counts.tp}")


# Digits ---------------------------------------------------------------------------------------


def test_digits_are_given_at_any_length() -> None:
    auc = bt.explain("auc", TEN)
    assert auc.decimal(3) == "0.800"
    assert auc.decimal() == "0.800"
    assert auc.decimal(0) == "1"
    loss = bt.explain("log_loss", TEN)
    assert loss.decimal(3) == "0.798"
    assert loss.decimal(40).startswith("0.7983")
    assert len(loss.decimal(400)) == 402
    assert repr(auc) == "Derivation(Area under the ROC curve = 4/5)"
    assert repr(loss) == "Derivation(Log loss = 0.7984)"


@pytest.mark.parametrize("places", [-1, 1.5, "3", None, 10_001])
def test_a_number_of_places_that_makes_no_sense_is_refused(places: Any) -> None:
    with pytest.raises(ValueError, match=r"places is .* whole number from 0 to 10000"):
        bt.explain("auc", TEN).decimal(places)


# Long sums ------------------------------------------------------------------------------------


def elided(derivation: Derivation) -> list[Dots]:
    found: list[Dots] = []

    def visit(tree: Node) -> None:
        if isinstance(tree, Dots):
            found.append(tree)
        for child in tree.children():
            visit(child)

    for step in all_steps(derivation):
        if step.rule == "substitute" and step.after is not None:
            visit(step.after)
    return found


@settings(max_examples=8)
@given(st.integers(LONGEST_SUM + 1, 40), st.integers(0, 2**40))
def test_an_elided_sum_keeps_its_exact_total(n: int, seed: int) -> None:
    labels = [1, 0, *((seed >> place) & 1 for place in range(n - 2))]
    cases = bt.Cases(labels, [Fraction(1 + (seed * (place + 7)) % 97, 99) for place in range(n)])
    for name in ("mean_absolute_error", "log_loss", "average_lift", "pem", "max_youden", "ks"):
        check(bt.explain(name, cases))
    loss = bt.explain("mean_absolute_error", cases)
    (dots,) = elided(loss)
    ranked = [(cases.labels[i], cases.scores[i]) for i in cases.ranking.order]
    errors = [abs(label - score) for label, score in ranked]
    assert dots.count == n - 9
    assert dots.value == sum(errors[6:-3])
    assert loss.value == sum(errors) / n
    assert "…" in str(loss) or "⋯" in str(loss)


def test_a_sum_is_written_out_up_to_a_dozen_terms() -> None:
    for n, hidden in ((LONGEST_SUM, 0), (LONGEST_SUM + 1, 1)):
        cases = bt.Cases([1, 0] * (n // 2) + [1] * (n % 2), [Fraction(k, n) for k in range(n)])
        derivation = bt.explain("brier_score", cases)
        assert len(elided(derivation)) == hidden
        (substituted,) = [step.after for step in derivation.steps if step.rule == "substitute"]
        assert substituted is not None
        assert holds(substituted, Add)


def test_569_real_cases_are_derived_too() -> None:
    cases = bt.load("breast_cancer")
    assert bt.explain("auc", cases).value == Fraction(150545, 151368)
    for name in ("auc", "log_loss", "brier_score", "average_precision", "pem", "ks"):
        derivation = bt.explain(name, cases)
        text = str(derivation)
        assert len(text) < 10_000
        assert "more)" in text
        assert float(derivation.value) == pytest.approx(float(derivation.decimal(12)), abs=1e-12)
    assert bt.explain("precision", cases, at="0.5").value == bt.value("precision", cases, at="0.5")


def test_steps_name_what_they_are_about() -> None:
    derivation = bt.explain("auc", TEN)
    definition = derivation.steps[0]
    assert definition.before == derivation.symbol == Sym("AUC")
    given_ = next(step for step in derivation.steps if step.rule == "given")
    values = {item.symbol: item.value for item in given_.given}
    assert values[Sym("n", sub="−", meaning="negative cases")] == Num(Fraction(5))
    (part,) = [step.part for step in derivation.steps if step.part is not None]
    assert part.value == 35
    assert derivation.measure is bt.measure("auc")
    assert derivation.meaning == bt.measure("auc").meaning
