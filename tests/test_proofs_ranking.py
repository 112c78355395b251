"""Identities of rankings and of scoring rules: true, readable, and not true by accident."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest

import binteach as bt
from binteach.expr import Add, Neg, Node, Num, Sum, transform
from binteach.proofs import auc, disguises, exchanges, precision, qrecalls, rules, youden
from binteach.proofs.base import Argument, Identity, samples, small_cases

RANKING = tuple(
    one
    for module in (auc, disguises, youden, precision, qrecalls, exchanges)
    for one in module.IDENTITIES
)
RANKING_KEYS = (
    "auc_three_ways",
    "gini_is_2auc_minus_1",
    "auc_by_inversions",
    "swaps_are_1_minus_auc",
    "auc_by_mean_rank",
    "gini_by_mean_rank",
    "pem_is_gini",
    "average_gain_is_auc",
    "taks_is_gini",
    "spearman_is_gini",
    "kendall_tau_is_gini",
    "max_youden_at_most_ks",
    "qrecall_by_youden",
    "quota_lift_forms",
    "quota_lift_by_youden",
    "gain_at_quota_by_youden",
    "gain_height_is_max_youden",
    "auc_at_most_auch",
    "hull_keeps_max_youden",
    "average_hit_rate_is_ap",
    "ap_is_mean_precision_at_positives",
    "random_ap",
    "average_lift_is_mean_precision",
    "trapezoid_is_aucpr_minmax",
    "aucpr_min_at_most_minmax",
    "aucpr_minmax_at_most_max",
    "auc_at_most_average_qrecall",
    "auc_at_most_shifted_qrecall",
    "average_qrecall_1_means_auc_1",
    "average_qrecall_two_classes",
    "shifted_qrecall_two_classes",
    "roc_n_all_is_auc",
    "auc_of_exchanged_classes",
    "pem_of_exchanged_classes",
    "file_order_ties",
    "single_cut_auc_is_bacc",
    "single_cut_gini_is_youden",
)
CALCULUS_KEYS = (
    "quadratic_rule_is_proper",
    "logarithmic_rule_is_proper",
    "linear_rule_is_not_proper",
)
KEYS = (*RANKING_KEYS, *CALCULUS_KEYS, "brier_is_quadratic_rule")
ON_DATA = [key for key in KEYS if key not in CALCULUS_KEYS]
STRICT = ("spearman_is_gini", "average_hit_rate_is_ap")
ONE_CUT = ("single_cut_auc_is_bacc", "single_cut_gini_is_youden")


def quota(identity: Identity, size: int = 4) -> dict[str, Any]:
    return {"top": size} if "top" in identity.params else {}


def finding(identity: Identity, data: bt.Cases) -> str:
    return " ".join(str(identity.check(data, **quota(identity))).split())


def test_these_are_all() -> None:
    assert tuple(one.key for one in RANKING) == RANKING_KEYS
    assert tuple(one.key for one in (*RANKING, *rules.IDENTITIES)) == KEYS
    assert {one.key for one in rules.IDENTITIES if one.calculus} == set(CALCULUS_KEYS)
    assert {one.key for one in RANKING if not one.ties} == set(STRICT)


@pytest.mark.parametrize("key", KEYS)
def test_it_holds(key: str) -> None:
    assert bt.identity(key).holds() is True


@pytest.mark.parametrize("key", KEYS)
def test_the_proof_leads_from_the_left_to_the_right_side(key: str) -> None:
    identity = bt.identity(key)
    last = identity.proof[-1]
    assert last.left == identity.left
    assert last.links[-1][1] == identity.right
    relations = {relation for relation, _, _ in last.links}
    assert relations <= ({"="} if identity.relation == "=" else {"=", "≤"})
    assert identity.source


@pytest.mark.parametrize("key", KEYS)
def test_every_link_has_a_reason(key: str) -> None:
    for argument in bt.identity(key).proof:
        assert argument.links
        assert all(reason for _, _, reason in argument.links)


# Showing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
def test_it_can_be_read_in_every_format(key: str) -> None:
    identity = bt.identity(key)
    text = str(identity)
    assert text.startswith(identity.title)
    assert max(map(len, text.splitlines())) <= 80
    reasons = [reason for argument in identity.proof for _, _, reason in argument.links]
    together = " ".join(text.split())
    assert all(reason in together for reason in reasons)
    latex = identity.latex()
    assert latex.isascii()
    assert latex.count("{") == latex.count("}")
    assert all(line == "$$" for line in latex.splitlines() if "$$" in line)
    for tree in ET.fromstring(f"<div>{identity.mathml()}</div>").iter():
        assert isinstance(tree.tag, str)
    assert "<math" in identity.html()
    ET.fromstring(f"<div>{identity.html()}</div>")


@pytest.mark.parametrize("key", [key for key in ON_DATA if key not in ONE_CUT])
def test_both_sides_agree_on_the_ten_cases(key: str) -> None:
    identity = bt.identity(key)
    words = "equal" if identity.relation == "=" else "in that order"
    assert f"Both sides are {words}, as they must be." in finding(identity, bt.load("ten_cases"))


@pytest.mark.parametrize("key", ONE_CUT)
def test_both_sides_agree_where_there_is_one_cut(key: str) -> None:
    identity = bt.identity(key)
    data = bt.Cases([1, 1, 0, 1, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0])
    assert "Both sides are equal" in finding(identity, data)
    assert not identity.applies(bt.load("ten_cases"))
    assert "two different scores" in finding(identity, bt.load("ten_cases"))


@pytest.mark.parametrize("key", CALCULUS_KEYS)
def test_calculus_takes_no_data(key: str) -> None:
    with pytest.raises(ValueError, match="about formulas"):
        bt.identity(key).check(bt.load("ten_cases"))


# Ties -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", STRICT)
def test_with_ties_the_sides_differ(key: str) -> None:
    identity = bt.identity(key)
    assert identity.true_on(identity.counterexample) is False
    assert "The sides differ" in finding(identity, identity.counterexample)
    assert "The sides differ" in finding(identity, bt.load("murphy_2"))
    assert identity.counterexample_words in " ".join(str(identity).split())


@pytest.mark.parametrize("key", STRICT)
def test_no_counterexample_is_smaller(key: str) -> None:
    identity = bt.identity(key)
    smaller = [data for data in small_cases(ties=True) if data.n < identity.counterexample.n]
    assert len(smaller) > 10
    assert all(identity.true_on(data) is not False for data in smaller)


def test_the_counterexamples_have_the_numbers_that_are_told() -> None:
    hits, spearman = (bt.identity(key) for key in reversed(STRICT))
    left, right = hits.sides(hits.counterexample)[0]
    assert (left, right) == (Fraction(41, 48), Fraction(5, 6))
    left, right = spearman.sides(spearman.counterexample)[0]
    assert left == 1
    assert right.squared() == Fraction(3, 4)


@pytest.mark.parametrize("key", [key for key in RANKING_KEYS if key not in (*STRICT, *ONE_CUT)])
def test_the_others_hold_on_tied_data(key: str) -> None:
    identity = bt.identity(key)
    assert identity.ties
    tied = bt.load("murphy_2")
    assert any(block.size > 1 for block in tied.ranking.blocks)
    assert identity.true_on(tied, **quota(identity)) is True


# Every link can fail ----------------------------------------------------------------------------


def flipped(tree: Node) -> Node:
    """The tree with the sign of its last term changed; without terms, its negative."""
    if isinstance(tree, Add):
        *terms, last = tree.terms
        return Add((*terms, last.part if isinstance(last, Neg) else Neg(last)))
    return Neg(tree)


def flipped_inside(tree: Node) -> Node:
    """The tree with a sign changed inside its first sum over rows."""
    done: list[Node] = []

    def change(part: Node) -> Node | None:
        if done or not isinstance(part, Sum):
            return None
        done.append(part)
        return Sum(flipped(part.body), part.family)

    return transform(tree, change)


def mutants(identity: Identity) -> Iterator[Identity]:
    """The identity with one side of one equality changed, for every equality and two changes."""
    for place, argument in enumerate(identity.proof):
        for number, (relation, tree, reason) in enumerate(argument.links):
            changes = {flipped(tree), flipped_inside(tree)} - {tree}
            for changed in changes if relation == "=" else ():
                links = list(argument.links)
                links[number] = (relation, changed, reason)
                proof = list(identity.proof)
                proof[place] = Argument(argument.left, tuple(links), argument.lead)
                yield replace(identity, proof=tuple(proof))


@pytest.mark.parametrize("key", ON_DATA)
def test_every_link_can_fail(key: str) -> None:
    identity = bt.identity(key)
    made = 0
    for mutant in mutants(identity):
        made += 1
        assert any(mutant.true_on(data, **params) is False for data, params in samples(mutant))
    assert made > 0


@pytest.mark.parametrize("key", [key for key in ON_DATA if bt.identity(key).relation == "≤"])
def test_an_inequality_the_other_way_round_fails(key: str) -> None:
    identity = bt.identity(key)
    for place, argument in enumerate(identity.proof):
        for number, (relation, tree, _) in enumerate(argument.links):
            if relation == "≤":
                before = argument.links[number - 1][1] if number else argument.left
                turned = Argument(tree, (("≤", before, "turned round"),))
                mutant = replace(identity, proof=(turned,))
                assert any(mutant.true_on(data) is False for data, _ in samples(mutant)), place


@pytest.mark.parametrize("key", CALCULUS_KEYS)
def test_every_formula_of_a_scoring_rule_is_checked(key: str) -> None:
    identity = bt.identity(key)
    assert rules.follows(identity)
    changed = list(mutants(identity))
    assert len(changed) >= 5
    assert not any(rules.follows(mutant) for mutant in changed)
    for place, argument in enumerate(identity.proof):
        for number, (relation, tree, reason) in enumerate(argument.links):
            if relation == "≤":
                links = list(argument.links)
                links[number] = (relation, tree - Num(Fraction(9)), reason)
                proof = list(identity.proof)
                proof[place] = Argument(argument.left, tuple(links))
                assert not rules.follows(replace(identity, proof=tuple(proof)))


def test_the_printed_sign_gives_another_expectation() -> None:
    identity = bt.identity("quadratic_rule_is_proper")
    printed = next(one for one in identity.proof if one.left == rules.MISPRINT)
    claimed = ("=", 1 - rules.Q**2 + 2 * rules.P * rules.Q - rules.P, "as Berrar goes on")
    wrong = replace(identity, proof=(Argument(rules.MISPRINT, (*printed.links[:1], claimed)),))
    assert not rules.follows(wrong)


def test_the_best_report_is_the_belief_or_does_not_exist() -> None:
    proper, logarithmic, linear = map(rules.best_reports, CALCULUS_KEYS)
    assert [str(q) for q in proper] == [str(q) for q in logarithmic] == ["p"]
    assert linear == []


# Numbers from the documents ---------------------------------------------------------------------

VALUES = {
    "gini_is_2auc_minus_1": Fraction(3, 5),
    "auc_by_inversions": Fraction(4, 5),
    "swaps_are_1_minus_auc": Fraction(1, 5),
    "average_gain_is_auc": Fraction(3, 4),
    "taks_is_gini": Fraction(1, 3),
    "random_ap": Fraction(27541, 45360),
    "hull_keeps_max_youden": Fraction(3, 5),
    "gain_height_is_max_youden": Fraction(3, 2),
}


@pytest.mark.parametrize("key", VALUES)
def test_the_ten_cases_give_the_known_values(key: str) -> None:
    assert bt.identity(key).check(bt.load("ten_cases")).value == VALUES[key]


def test_arbels_second_table_gives_the_known_pem() -> None:
    assert bt.identity("pem_is_gini").check(bt.load("arbel_2")).value == Fraction(7, 12)


def test_the_symbols_of_one_cut_are_the_measures() -> None:
    data = bt.Cases([1, 1, 0, 1, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0])
    bacc, youden = (bt.identity(key).check(data).value for key in ONE_CUT)
    assert bacc == bt.value("balanced_accuracy", data, top=3)
    assert youden == bt.value("youden", data, top=3)


def test_the_gain_chart_can_be_lower_than_ks_says() -> None:
    # KS takes the distance below the diagonal too, which is no height.
    data = bt.Cases([0, 1], [2, 1])
    height = bt.identity("gain_height_is_max_youden").check(data).value
    assert height == 0
    assert bt.value("ks", data) == 1


def test_the_shifted_average_qrecall_can_be_1_without_an_auc_of_1() -> None:
    data = bt.Cases([0, 1], [2, 1])
    auc, shifted = bt.identity("auc_at_most_shifted_qrecall").sides(data)[0]
    assert (auc, shifted) == (0, 1)
    exactly = bt.identity("average_qrecall_1_means_auc_1")
    assert exactly.sides(data)[0] == [0, 0]
    assert exactly.sides(bt.Cases([1, 0], [2, 1]))[0] == [1, 1]


def test_random_orders_are_not_counted_for_long_lists() -> None:
    found = bt.identity("random_ap").check(bt.load("breast_cancer"))
    with pytest.raises(bt.Undefined, match="2 to 12 cases"):
        _ = found.value


def test_a_broken_tie_changes_pem_but_not_the_mean() -> None:
    tied = bt.Cases([1, 0], [1, 1])
    identity = bt.identity("file_order_ties")
    (mean, both), (first, _), (second, _), *_ = identity.sides(tied)
    assert (mean, both, first, second) == (0, 0, 1, -1)


def test_samples_hold_ties_and_files_in_every_order() -> None:
    some = list(islice(samples(bt.identity("file_order_ties")), 400))
    assert {(0, 1), (1, 0)} <= {data.labels for data, _ in some if len(set(data.scores)) == 1}
