"""McNemar's exact test: do two models differ in which cases they get right?

Glossary
  b, c  cases that the first model alone gets right, and that the second alone gets right
  X     number of heads in b + c tosses of a fair coin
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from binteach.cases import Cases, decimal_text
from binteach.derivation import Derivation, Given, Step, Table
from binteach.exact import exact
from binteach.expr import LONGEST_SUM, Add, Node, Num, Prob, Rel, Sym
from binteach.inference.outcomes import ALTERNATIVES
from binteach.inference.working import Explained, Link, P, p_links, p_text, prove, read_choice
from binteach.measures.base import Prose
from binteach.needs import need

MOST_EXACT = 100_000  # discordant cases up to which p is an exact fraction
MOST_TOSSES = 60  # up to here the numbers of sequences are written out
B, C, N, M = Sym("b"), Sym("c"), Sym("n"), Sym("m")
X = Sym("X")


@dataclass(frozen=True)
class McNemar(Explained):
    """Σ C(n, k) / 2ⁿ: how often n = b + c tosses of a fair coin are as uneven as b and c.

    both_right, both_wrong   cases that do not tell the models apart
    first_only, second_only  b and c: cases that one model alone gets right
    cut                      which cases were called positive, in words
    p                        a Fraction; a float where b + c is above 100,000
    """

    both_right: int
    first_only: int
    second_only: int
    both_wrong: int
    cut: str
    alternative: str
    p: Fraction | float

    def explain(self) -> Derivation:
        """The four counts, and how p comes from two of them."""
        return _explain_mcnemar(self)

    def __repr__(self) -> str:
        return f"McNemar(b={self.first_only}, c={self.second_only}, p={p_text(self.p)})"


def mcnemar(
    first: Cases,
    second: Cases,
    *,
    top: Any = None,
    at: Any = None,
    rule: Any = None,
    alternative: str = "two-sided",
) -> McNemar:
    """Exact p of b and c: of X ~ Bin(b + c, 1/2), twice P(X ≤ min(b, c)), at most 1.

    "greater" asks whether the first model is better, P(X ≥ b); "less", P(X ≤ b).
    """
    asked = read_choice(alternative, "alternative", ALTERNATIVES)
    if (top is None) == (at is None):
        problem = "no cut was" if top is None else "both top= and at= were"
        raise ValueError(
            f"mcnemar needs one cut for both models, but {problem} given: "
            "say top=4 (the four top-ranked cases) or at=0.5 (scores above 0.5)"
        )
    if rule is not None and at is None:
        raise ValueError("rule= says what happens at a threshold; give at= with it")
    one = _is_right(first, "first", top, at, rule or ">")
    other = _is_right(second, "second", top, at, rule or ">")
    found = Counter(zip(one, other, strict=True))
    b, c = found[True, False], found[False, True]
    return McNemar(
        both_right=found[True, True],
        first_only=b,
        second_only=c,
        both_wrong=found[False, False],
        cut=_cut_words(top, at, rule or ">"),
        alternative=asked,
        p=_coin(b, c, asked),
    )


def _is_right(cases: Cases, which: str, top: Any, at: Any, rule: str) -> Iterator[bool]:
    """Whether each case is called what it is."""
    try:
        cut = cases.ranking.cut_above(at, rule) if top is None else cases.ranking.cut_at(top)
    except ValueError as wrong:
        raise ValueError(f"in the {which} model {wrong}") from None
    called = set(cases.ranking.order[: cut.k].tolist())
    return ((case in called) == label for case, label in enumerate(cases.labels))


def _cut_words(top: Any, at: Any, rule: str) -> str:
    if at is not None:
        sign = "≥" if rule == ">=" else ">"
        return f"the cases with a score {sign} {decimal_text(exact(at, 'at'))}"
    k = int(exact(top, "top"))
    return "no case" if k == 0 else "the top-ranked case" if k == 1 else f"the {k} top-ranked cases"


def _outcomes(b: int, c: int, alternative: str) -> range:
    """The numbers of heads in b + c tosses that are counted, from the rarest on."""
    if alternative == "greater":
        return range(b + c, b - 1, -1)
    return range((b if alternative == "less" else min(b, c)) + 1)


def _coin(b: int, c: int, alternative: str) -> Fraction | float:
    """P(X ≤ m), P(X ≤ b) or P(X ≥ b), doubled where it is two-sided."""
    n, last = b + c, len(_outcomes(b, c, alternative)) - 1
    twice = 2 if alternative == "two-sided" else 1
    if n > MOST_EXACT:
        need("scipy", f"McNemar test of more than {MOST_EXACT:,} discordant cases")
        from scipy.stats import binom

        return min(1.0, twice * float(binom.cdf(last, n, 0.5)))
    # Heads and tails are alike, so counting from either end is the same.
    ways, total = 1, 1
    for k in range(last):
        ways = ways * (n - k) // (k + 1)
        total += ways
    return min(Fraction(1), Fraction(twice * total, 2**n))


def _explain_mcnemar(found: McNemar) -> Derivation:
    b, c = found.first_only, found.second_only
    rows = (
        ("first right", str(found.both_right), str(b)),
        ("first wrong", str(c), str(found.both_wrong)),
    )
    caption = f"Called positive by each model: {found.cut}. So many cases are called right:"
    m, two_sided = min(b, c), found.alternative == "two-sided"
    given = (
        Given(B, Num(Fraction(b)), "cases that the first model alone gets right"),
        Given(C, Num(Fraction(c)), "cases that the second model alone gets right"),
        *((Given(M, Num(Fraction(m)), "the smaller of b and c"),) if two_sided else ()),
        Given(N, Num(Fraction(b + c)), "b + c: only these cases tell the models apart"),
        Given(X, None, "number of heads in n tosses of a fair coin"),
    )
    steps = [
        Step("table", table=Table(("", "second right", "second wrong"), rows, caption=caption)),
        Step("definition", before=P, after=_tail(found, M if two_sided else B)),
        Step("given", given=given),
        prove(P, _worked_p(found)),
        *(Step("remark", prose=prose) for prose in _mcnemar_remarks(found)),
    ]
    meaning = (
        "If neither model is better, a case that only one of them gets right is as likely to be "
        "the first model's as the second's, like heads and tails."
    )
    exactly = found.p if isinstance(found.p, Fraction) else None
    return Derivation("McNemar's exact test", P, tuple(steps), meaning, _exact=exactly)


def _tail(found: McNemar, count: Node) -> Node:
    """P(X ≤ count) or P(X ≥ count), doubled where it is two-sided."""
    chance = Prob(Rel(X, "≥" if found.alternative == "greater" else "≤", count))
    return 2 * chance if found.alternative == "two-sided" else chance


def _worked_p(found: McNemar) -> list[Link]:
    b, c = found.first_only, found.second_only
    outcomes = _outcomes(b, c, found.alternative)
    n, two_sided = b + c, found.alternative == "two-sided"
    links: list[Link] = [("=", _tail(found, Num(Fraction(outcomes[-1]))), "")]
    if len(outcomes) <= LONGEST_SUM and n <= MOST_TOSSES:
        ways = [Num(Fraction(math.comb(n, k))) for k in outcomes]
        ends = f"{outcomes[0]} to {outcomes[-1]}" if len(outcomes) > 1 else str(outcomes[0])
        why = f"of the {2**n} sequences of heads and tails, those with {ends} heads"
        share = (ways[0] if len(ways) == 1 else Add(tuple(ways))) / Num(Fraction(2)) ** n
        links.append(("=", 2 * share if two_sided else share, why))
    if two_sided and found.p == 1 and abs(b - c) != 1:
        return [*links, ("→", Num(Fraction(1)), "a probability is at most 1")]
    return [*links, *p_links(found.p)]


def _mcnemar_remarks(found: McNemar) -> list[Prose]:
    b, c = found.first_only, found.second_only
    if b + c == 0:
        return [
            (
                "There is no case that one model gets right and the other wrong. So nothing tells "
                "the models apart, and p is 1.",
            )
        ]
    remarks: list[Prose] = []
    if found.alternative == "two-sided":
        remarks.append(
            ("Two-sided: it counts as well if the other model is ahead, so the share is doubled.",)
        )
    else:
        better = "first" if found.alternative == "greater" else "second"
        remarks.append((f"One-sided: only a lead of the {better} model counts.",))
    remarks.append(
        (
            f"The {found.both_right + found.both_wrong} cases that both models get right or both "
            "get wrong say nothing about which is better.",
        )
    )
    if b + c > MOST_EXACT:
        remarks.append(
            (f"With more than {MOST_EXACT:,} such cases p is computed in double precision.",)
        )
    return remarks
