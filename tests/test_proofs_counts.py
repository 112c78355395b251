"""Identities of counts and of scores: true, proved link by link, and checks that can fail."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html import unescape
from typing import Any

import pytest

import binteach as bt
from binteach.expr import Add, Neg, Node, Sum
from binteach.proofs import (
    agreement,
    by_class,
    complements,
    correlation,
    f_family,
    informedness,
    scores,
)
from binteach.proofs.base import Argument, Identity, samples
from binteach.proofs.writing import ZERO

OF_COUNTS = tuple(
    identity
    for module in (complements, f_family, by_class, informedness, correlation, agreement)
    for identity in module.IDENTITIES
)
ALL = (*OF_COUNTS, *scores.IDENTITIES)
BY_KEY = {identity.key: identity for identity in ALL}

KEYS_OF_COUNTS = [
    "error_is_1_minus_accuracy",
    "fdr_is_1_minus_ppv",
    "fnr_is_1_minus_tpr",
    "fpr_is_1_minus_tnr",
    "for_is_1_minus_npv",
    "f_is_harmonic_mean",
    "f_in_counts",
    "f_is_jaccard",
    "f_beta_is_f_alpha",
    "f_beta_1_is_f",
    "g_in_counts",
    "g_at_most_mean",
    "f_at_most_g",
    "accuracy_by_class",
    "called_positive_by_class",
    "precision_by_bayes",
    "lr_plus_is_odds_ratio",
    "lr_minus_is_odds_ratio",
    "dor_is_lr_ratio",
    "youden_is_tpr_minus_fpr",
    "youden_is_2bacc_minus_1",
    "ber_is_1_minus_bacc",
    "youden_in_counts",
    "markedness_in_counts",
    "wracc_in_counts",
    "wracc_by_precision",
    "wracc_by_youden",
    "gain_is_n_wracc",
    "gain_by_youden",
    "recall_minus_quota",
    "lift_is_precision_over_prevalence",
    "lift_is_recall_over_quota",
    "lift_by_youden",
    "mcc_squared",
    "mcc_by_youden",
    "mcc_is_phi",
    "accuracy_minus_chance",
    "kappa_by_wracc",
    "kappa_in_counts",
    "kappa_at_most_mcc",
    "mcc_is_kappa_if_errors_equal",
    "kappa_is_youden_if_balanced",
    "youden_is_2acc_minus_1_if_balanced",
    "mutual_information_of_a_guess",
]
KEYS_OF_SCORES = [
    "mae_by_means",
    "mae_by_gap_if_balanced",
    "mae_is_mean_error_rate",
    "brier_is_threshold_integral",
    "logloss_is_threshold_integral",
    "brier_decomposition",
    "rmse_squared_is_brier",
    "bce_is_half_logloss",
    "focal_0_is_logloss",
    "kl_is_logloss",
]

# What sympy does not reduce: inequalities, and what holds only under a condition. Scores are
# sums over cases, and not algebra of four symbols.
NOT_SYMBOLIC = {
    "g_at_most_mean",
    "f_at_most_g",
    "kappa_at_most_mcc",
    "mcc_is_kappa_if_errors_equal",
    "kappa_is_youden_if_balanced",
    "youden_is_2acc_minus_1_if_balanced",
    "mutual_information_of_a_guess",
    *KEYS_OF_SCORES,
}

every_identity = pytest.mark.parametrize("identity", ALL, ids=list(BY_KEY))


@cache
def where_it_holds(key: str) -> list[tuple[Any, dict[str, Any]]]:
    """Some data on which all sides exist, the larger ones first."""
    identity = BY_KEY[key]
    found = [
        (data, params)
        for data, params in samples(identity)
        if identity.true_on(data, **params) is not None
    ]
    return found[::-1][:8]


# True -----------------------------------------------------------------------------------------


def test_every_identity_is_here() -> None:
    assert [identity.key for identity in OF_COUNTS] == KEYS_OF_COUNTS
    assert [identity.key for identity in scores.IDENTITIES] == KEYS_OF_SCORES
    for identity in ALL:
        assert bt.identity(identity.key) is identity


@every_identity
def test_every_link_holds_on_all_small_data(identity: Identity) -> None:
    assert identity.holds() is True


@every_identity
def test_sympy_reduces_every_link_of_counts(identity: Identity) -> None:
    expected = None if identity.key in NOT_SYMBOLIC else True
    assert identity.symbolic() is expected


@every_identity
def test_the_proof_leads_from_the_left_to_the_right_side(identity: Identity) -> None:
    last = identity.proof[-1]
    assert last.left == identity.left
    assert last.links[-1][1] == identity.right
    relations = {relation for relation, _, _ in last.links}
    assert identity.relation == ("≤" if "≤" in relations else "=")


@every_identity
def test_every_link_has_a_reason_and_every_identity_a_source(identity: Identity) -> None:
    assert identity.source.startswith(("binteach", "Berrar", "Murphy", "Arbel", "Sonnenburg"))
    for argument in identity.proof:
        assert all(why for _, _, why in argument.links)


def test_a_proof_refers_only_to_what_was_proved_before_it() -> None:
    before: set[str] = set()
    for identity in ALL:
        reasons = [why for argument in identity.proof for _, _, why in argument.links]
        seen = re.findall(r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b", " ".join(reasons))
        assert set(seen) <= before, identity.key
        before.add(identity.key)


# Shown ----------------------------------------------------------------------------------------


@every_identity
def test_it_is_written_in_four_formats(identity: Identity) -> None:
    reason = identity.proof[-1].links[0][2]
    assert identity.title in str(identity)
    assert reason in str(identity)
    assert len(identity.title) <= 80
    assert max(map(len, str(identity).splitlines())) <= 80
    assert r"\text" in identity.latex()
    ET.fromstring(f"<div>{identity.mathml()}</div>")
    for page in (identity.html(), identity._repr_html_()):
        assert identity.title in unescape(page)
        assert reason in unescape(page)
        assert "<math" in page


@every_identity
def test_it_can_be_checked_on_given_data(identity: Identity) -> None:
    data: Any = bt.Counts(3, 1, 2, 4) if identity.on == "counts" else bt.load("ten_cases")
    params: dict[str, Any] = {}
    if not identity.applies(data):
        data, params = where_it_holds(identity.key)[0]
    order = "equal" if identity.relation == "=" else "in that order"
    assert f"Both sides are {order}, as they must be." in str(identity.check(data, **params))


@pytest.mark.parametrize(
    ("key", "data"),
    [
        ("kappa_is_youden_if_balanced", bt.Counts(3, 1, 2, 7)),
        ("youden_is_2acc_minus_1_if_balanced", bt.Counts(3, 1, 2, 7)),
        ("mcc_is_kappa_if_errors_equal", bt.Counts(3, 1, 2, 4)),
        ("mutual_information_of_a_guess", bt.Counts(3, 1, 2, 4)),
        ("mae_by_gap_if_balanced", bt.Cases([1, 0, 0], ["0.7", "0.7", "0.2"])),
    ],
)
def test_a_condition_is_needed(key: str, data: Any) -> None:
    identity = BY_KEY[key]
    assert not identity.applies(data)
    assert identity.true_on(data) is False
    assert "does not hold under these conditions" in str(identity.check(data))


# The checks can fail --------------------------------------------------------------------------


def broken_signs(tree: Node) -> Iterator[Node]:
    """The tree with one sign broken, for every sign in it but that of 0."""
    if isinstance(tree, Add):
        for place, term in enumerate(tree.terms):
            if term != ZERO:
                other = term.part if isinstance(term, Neg) else Neg(term)
                yield Add((*tree.terms[:place], other, *tree.terms[place + 1 :]))
    if isinstance(tree, Neg):
        yield tree.part
    if isinstance(tree, Sum):
        yield from (Sum(body, tree.family) for body in broken_signs(tree.body))
    for place, child in enumerate(tree.children()):
        part = child.part if isinstance(tree, Add) and isinstance(child, Neg) else child
        for other in broken_signs(part):
            signed = other if part is child else Neg(other)
            rest = tree.children()
            yield tree.with_children([*rest[:place], signed, *rest[place + 1 :]])


def links(identity: Identity) -> Iterator[tuple[Node, str, Node]]:
    """What stands on the left of a link, its relation, and what stands on the right."""
    for argument in identity.proof:
        left = argument.left
        for relation, right, _ in argument.links:
            yield left, relation, right
            left = right


def is_caught(identity: Identity, left: Node, relation: str, right: Node) -> bool:
    """Whether a claim in place of the proof is found to be false, or void, on some data."""
    claim = replace(identity, proof=(Argument(left, ((relation, right, ""),)),))
    for data, params in where_it_holds(identity.key):
        try:
            if claim.true_on(data, **params) is not True:
                return True
        except ValueError:  # a root or logarithm of a negative number is no value at all
            return True
    return False


# How many signs may be broken without harm, and why.
HARMLESS = {
    "mcc_is_phi": 2,  # (0 − π)² and (0 − q)² are squares
    "brier_decomposition": 1,  # (0 − p)² is a square
    "focal_0_is_logloss": 2,  # the power 0 is 1, of whatever
    "kl_is_logloss": 5,  # y log y = 0, and what stands beside 1 − y counts only if y = 0
}


@every_identity
def test_a_broken_sign_is_caught(identity: Identity) -> None:
    missed = [
        (left, tree)
        for left, relation, right in links(identity)
        if relation == "="
        for tree in broken_signs(right)
        if not is_caught(identity, left, relation, tree)
    ]
    assert len(missed) == HARMLESS.get(identity.key, 0), missed


@every_identity
def test_a_link_that_is_off_by_one_or_turned_round_is_caught(identity: Identity) -> None:
    for left, relation, right in links(identity):
        if relation == "=":
            assert is_caught(identity, left, "=", right + 1)
        else:
            assert is_caught(identity, right, "≤", left)


@every_identity
def test_a_wrong_statement_is_caught(identity: Identity) -> None:
    right = identity.right + 1 if identity.relation == "=" else ZERO - 1
    assert not replace(identity, right=right).holds()
