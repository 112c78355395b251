"""Scoring rules: which rewards make it best to report what one believes.

Glossary (Berrar, Section 1):
  p        what the model believes: the probability that the case is positive
  q        what it reports
  R(y, q)  its reward when the case turns out to be of class y
  E(R)     the reward that it can expect, p R(1, q) + (1 − p) R(0, q)

These proofs use calculus, and sympy checks them: every formula that is shown is turned into a sympy
expression and compared with what sympy derives from the reward alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from binteach.expr import Abs, Add, Div, Log, Mul, Neg, Node, Num, Pow, Sum, Sym
from binteach.measures.symbols import CASES, N, Y
from binteach.measures.symbols import P as SCORE
from binteach.proofs.base import Argument, Identity, of
from binteach.proofs.writing import DEFINITION, ZERO

P = Sym("p", meaning="the model's belief")
Q = Sym("q", meaning="its report")
CLASS = Sym("y", meaning="the class of the case")
REWARD = Sym("R", arg=Sym("y, q"), meaning="the reward")
EXPECTED = Sym("E", arg=Sym("R"), meaning="the expected reward of the report q")
TRUTH = Sym("E", sub="true", meaning="the expected reward of the honest report q = p")
LIE_1 = Sym("E", sub="1", meaning="the expected reward of the report q = 1")
LIE_0 = Sym("E", sub="0", meaning="the expected reward of the report q = 0")
SLOPE = Sym("dE/dq")
BEND = Sym("d²E/dq²")
MISPRINT = Sym("E", sub="printed", meaning="the expected reward with the sign that is printed")

# The rewards as Python has them, so that what is shown is held against something else.
REWARDS: dict[str, Callable[[Any, Any], Any]] = {
    "quadratic_rule_is_proper": lambda y, q: 1 - (y - q) ** 2,
    "logarithmic_rule_is_proper": lambda y, q: _log(q if y else 1 - q),
    "linear_rule_is_not_proper": lambda y, q: q if y else 1 - q,
}


def _log(number: Any) -> Any:
    import sympy

    return sympy.log(number)


# Checking ---------------------------------------------------------------------------------------


def to_sympy(tree: Node, meanings: Mapping[Sym, Any]) -> Any:
    """A formula as a sympy expression, with what its symbols mean put in."""
    import sympy

    parts = [to_sympy(child, meanings) for child in tree.children()]
    if isinstance(tree, Sym):
        return meanings[tree]
    if isinstance(tree, Num):
        return sympy.Rational(tree.value.numerator, tree.value.denominator)
    if isinstance(tree, Add):
        return sympy.Add(*parts)
    if isinstance(tree, Mul):
        return sympy.Mul(*parts)
    if isinstance(tree, Neg):
        return -parts[0]
    if isinstance(tree, Div):
        return parts[0] / parts[1]
    if isinstance(tree, Pow):
        return parts[0] ** parts[1]
    if isinstance(tree, Abs):
        return sympy.Abs(parts[0])
    if isinstance(tree, Log) and parts[1] == 0:
        return sympy.log(parts[0])
    raise TypeError(f"no way to turn {type(tree).__name__} into sympy")


def _meanings(reward: Callable[[Any, Any], Any], label: int) -> dict[Sym, Any]:
    """Every symbol of these proofs, derived from the reward alone."""
    import sympy

    p, q = sympy.symbols("p q", positive=True)
    expected = p * reward(1, q) + (1 - p) * reward(0, q)
    return {
        P: p,
        Q: q,
        CLASS: sympy.Integer(label),
        REWARD: reward(label, q),
        EXPECTED: expected,
        TRUTH: expected.subs(q, p),
        LIE_1: expected.subs(q, 1),
        LIE_0: expected.subs(q, 0),
        SLOPE: sympy.diff(expected, q),
        BEND: sympy.diff(expected, q, 2),
        MISPRINT: p * reward(1, q) - (1 - p) * reward(0, q),
    }


def _between_0_and_1(expression: Any) -> Any:
    """The expression with p = a/(1 + a) and q = b/(1 + b), so that sympy knows where they lie."""
    import sympy

    a, b = sympy.symbols("a b", positive=True)
    p, q = sympy.symbols("p q", positive=True)
    return sympy.simplify(expression.subs({p: a / (1 + a), q: b / (1 + b)}))


def _is_zero(expression: Any) -> bool:
    import sympy

    return bool(sympy.simplify(expression) == 0 or _between_0_and_1(expression) == 0)


def _never_negative(expression: Any) -> bool:
    """Whether it is ≥ 0 for all p and q between 0 and 1.

    Either sympy sees it from the signs, or as a function of q it touches 0 at q = p and bends
    upwards everywhere.
    """
    import sympy

    p, q = sympy.symbols("p q", positive=True)
    if sympy.factor(_between_0_and_1(expression)).is_nonnegative:
        return True
    touches = all(_is_zero(sympy.diff(expression, q, k).subs(q, p)) for k in (0, 1))
    bend = sympy.factor(_between_0_and_1(sympy.diff(expression, q, 2)))
    return bool(touches and bend.is_positive)


def follows(identity: Identity) -> bool:
    """Whether everything that the proof shows follows from the reward."""
    for label in (0, 1):
        meanings = _meanings(REWARDS[identity.key], label)
        for argument in identity.arguments():
            left = to_sympy(argument.left, meanings)
            for relation, tree, _ in argument.links:
                right = to_sympy(tree, meanings)
                true = _is_zero if relation == "=" else _never_negative
                if not true(right - left):
                    return False
                left = right
    return True


def best_reports(key: str) -> Any:
    """All q with dE/dq = 0, by sympy."""
    import sympy

    meanings = _meanings(REWARDS[key], 1)
    return sympy.solve(meanings[SLOPE], meanings[Q])


def _proper(key: str) -> bool:
    """The proof follows, and the only stationary report is the honest one."""
    return follows(_BY_KEY[key]) and best_reports(key) == [_meanings(REWARDS[key], 1)[P]]


def _not_proper(key: str) -> bool:
    """The proof follows, and the slope does not depend on the report."""
    return follows(_BY_KEY[key]) and best_reports(key) == []


def _misprinted(key: str) -> bool:
    """The printed sign gives another expectation."""
    meanings = _meanings(REWARDS[key], 1)
    return _proper(key) and not _is_zero(meanings[MISPRINT] - meanings[EXPECTED])


# The rules --------------------------------------------------------------------------------------

BOTH_CLASSES = "the case is positive with probability p, and negative with 1 − p"
INSIDE = "Here the belief p and the report q lie between 0 and 1."
QUADRATIC = (1 - (1 - Q) ** 2) * P, (1 - (ZERO - Q) ** 2) * (1 - P)
LN_Q, LN_REST = Log(Q, ZERO), Log(1 - Q, ZERO)

IDENTITIES: tuple[Identity, ...] = (
    Identity(
        key="quadratic_rule_is_proper",
        title="With the quadratic scoring rule it is best to report what one believes",
        left=EXPECTED,
        relation="≤",
        right=TRUTH,
        proof=(
            Argument(
                REWARD,
                (("=", 1 - (CLASS - Q) ** 2, "1 less the squared distance from the class y"),),
                ("The reward:",),
            ),
            Argument(
                EXPECTED,
                (
                    ("=", QUADRATIC[0] + QUADRATIC[1], BOTH_CLASSES),
                    (
                        "=",
                        (2 * Q - Q**2) * P + (1 - Q**2) * (1 - P),
                        "square what is in brackets",
                    ),
                    (
                        "=",
                        2 * P * Q - P * Q**2 + 1 - P - Q**2 + P * Q**2,
                        "multiply out",
                    ),
                    ("=", 1 - Q**2 + 2 * P * Q - P, "the terms with pq² cancel"),
                ),
                lead=("A model that believes p and reports q can expect:",),
            ),
            Argument(
                SLOPE,
                (
                    ("=", 2 * P - 2 * Q, "differentiate term by term"),
                    ("=", 2 * (P - Q), "so it is 0 at q = p and nowhere else"),
                ),
                lead=("Where can the expected reward be largest?",),
            ),
            Argument(
                BEND,
                (
                    ("=", Num(Fraction(-2)), "differentiate once more"),
                    ("≤", ZERO, "even smaller than 0, so q = p is a maximum, and the only one"),
                ),
            ),
            Argument(
                TRUTH - EXPECTED,
                (
                    (
                        "=",
                        (1 - P**2 + 2 * P**2 - P) - (1 - Q**2 + 2 * P * Q - P),
                        "put q = p into the first",
                    ),
                    ("=", P**2 - 2 * P * Q + Q**2, "collect the terms"),
                    ("=", (P - Q) ** 2, "a square: never negative, and 0 only if q = p"),
                ),
                lead=("The same without calculus: a lie costs the square of its size.",),
            ),
            Argument(
                MISPRINT,
                (
                    ("=", QUADRATIC[0] - QUADRATIC[1], "as printed"),
                    (
                        "=",
                        2 * P * Q - 2 * P * Q**2 + Q**2 + P - 1,
                        "which is not what the text goes on with",
                    ),
                ),
                lead=("Berrar's text has a minus sign between the two classes, a misprint:",),
            ),
            Argument(EXPECTED, (("≤", TRUTH, "as shown twice, with equality only at q = p"),)),
        ),
        condition=INSIDE,
        source="Berrar, Section 1, with a misprint corrected",
        calculus=partial(_misprinted, "quadratic_rule_is_proper"),
    ),
    Identity(
        key="logarithmic_rule_is_proper",
        title="With the logarithmic scoring rule it is best to report what one believes",
        left=EXPECTED,
        relation="≤",
        right=TRUTH,
        proof=(
            Argument(
                REWARD,
                (
                    (
                        "=",
                        CLASS * LN_Q + (1 - CLASS) * LN_REST,
                        "the logarithm of what was reported for the real class y",
                    ),
                ),
                ("The reward:",),
            ),
            Argument(
                EXPECTED,
                (("=", P * LN_Q + (1 - P) * LN_REST, BOTH_CLASSES),),
                lead=("A model that believes p and reports q can expect:",),
            ),
            Argument(
                SLOPE,
                (
                    ("=", P / Q - (1 - P) / (1 - Q), "the derivative of ln x is 1/x"),
                    ("=", (P * (1 - Q) - (1 - P) * Q) / (Q * (1 - Q)), "one fraction"),
                    (
                        "=",
                        (P - Q) / (Q * (1 - Q)),
                        "the products pq cancel; so it is 0 at q = p and nowhere else",
                    ),
                ),
                lead=("Where can the expected reward be largest?",),
            ),
            Argument(
                BEND,
                (
                    (
                        "=",
                        -(P / Q**2) - (1 - P) / (1 - Q) ** 2,
                        "differentiate the first form once more",
                    ),
                    ("≤", ZERO, "even smaller than 0, so q = p is a maximum, and the only one"),
                ),
            ),
            Argument(
                EXPECTED,
                (
                    (
                        "≤",
                        P * Log(P, ZERO) + (1 - P) * Log(1 - P, ZERO),
                        "the value at the maximum, q = p",
                    ),
                    ("=", TRUTH, DEFINITION),
                ),
            ),
        ),
        condition=INSIDE,
        source="the rule behind the log loss, Berrar, Definition 20",
        calculus=partial(_proper, "logarithmic_rule_is_proper"),
    ),
    Identity(
        key="linear_rule_is_not_proper",
        title="With the linear scoring rule it is best to exaggerate",
        left=SLOPE,
        right=2 * P - 1,
        proof=(
            Argument(
                REWARD,
                (("=", 1 - Abs(CLASS - Q), "1 less the distance from the class y"),),
                ("The reward:",),
            ),
            Argument(
                EXPECTED,
                (
                    (
                        "=",
                        (1 - Abs(1 - Q)) * P + (1 - Abs(ZERO - Q)) * (1 - P),
                        BOTH_CLASSES,
                    ),
                    ("=", P * Q + (1 - P) * (1 - Q), "q lies between 0 and 1"),
                    ("=", (1 - P) + (2 * P - 1) * Q, "collect the terms with q"),
                ),
                lead=("A model that believes p and reports q can expect:",),
            ),
            Argument(
                LIE_1 - TRUTH,
                (
                    ("=", P - ((1 - P) + (2 * P - 1) * P), "put in q = 1, then q = p"),
                    (
                        "=",
                        (2 * P - 1) * (1 - P),
                        "positive if 1/2 < p < 1: then q = 1 pays more than the truth",
                    ),
                ),
                lead=("A model that believes in the positive class should claim to be certain:",),
            ),
            Argument(
                LIE_0 - TRUTH,
                (
                    ("=", (1 - P) - ((1 - P) + (2 * P - 1) * P), "put in q = 0, then q = p"),
                    (
                        "=",
                        (1 - 2 * P) * P,
                        "positive if 0 < p < 1/2: then q = 0 pays more than the truth",
                    ),
                ),
                lead=("One that believes in the negative class should, too:",),
            ),
            Argument(
                SLOPE,
                (
                    (
                        "=",
                        2 * P - 1,
                        "differentiate with respect to q, which has disappeared: the expected "
                        "reward rises all the way to q = 1 if p > 1/2, and to q = 0 if p < 1/2",
                    ),
                ),
                lead=("In general:",),
            ),
        ),
        condition=INSIDE,
        source="the rule behind the mean absolute error, Berrar, Definition 17",
        calculus=partial(_not_proper, "linear_rule_is_not_proper"),
    ),
    Identity(
        key="brier_is_quadratic_rule",
        title="The Brier score is 1 minus the mean reward of the quadratic scoring rule",
        on="scores",
        left=of("brier_score"),
        right=1 - (1 / N) * Sum(1 - (Y - SCORE) ** 2, CASES),
        proof=(
            Argument(
                of("brier_score"),
                (
                    ("=", (1 / N) * Sum((Y - SCORE) ** 2, CASES), DEFINITION),
                    (
                        "=",
                        (1 / N) * Sum(1 - (1 - (Y - SCORE) ** 2), CASES),
                        "take from 1 and take from 1 again",
                    ),
                    (
                        "=",
                        1 - (1 / N) * Sum(1 - (Y - SCORE) ** 2, CASES),
                        "the n ones have the mean 1",
                    ),
                ),
                lead=("So the smallest Brier score is the largest reward.",),
            ),
        ),
        source="Berrar, Section 1 and Definition 18",
    ),
)
_BY_KEY = {one.key: one for one in IDENTITIES}
