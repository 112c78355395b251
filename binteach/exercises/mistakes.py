"""Which mistake an answer is: wrong ways to go, the values they lead to, and what to say.

`mistakes_of` lists them for any measure on any data, likeliest first, from the registry alone;
`diagnose` says which of them end at the given number. A diagnosis is a true statement about the
number, "3/5 is the sensitivity", and no guess at what somebody thought.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from typing import Any

from binteach import exact
from binteach.cases import Cases, Counts, Cut, Undefined, decimal_text
from binteach.derivation import parts_of
from binteach.exact import Exact
from binteach.exercises import slips
from binteach.exercises.answers import Number, compare
from binteach.exercises.grammar import near
from binteach.exercises.outcome import Diagnosis
from binteach.expr import Broken, Div, Node, symbols
from binteach.measures import MEASURES, Context, Measure, evaluate, number
from binteach.measures.base import CUT_PARAMS, PARAMS
from binteach.render.text import write

FEW = 500  # cases; with more, only mistakes that need no second look at the ranking are tried
ONE = Fraction(1)
# What may go wrong on a way that nobody was meant to go.
FAILS = (Undefined, Broken, ValueError, KeyError, TypeError, ArithmeticError)


@dataclass(frozen=True)
class Mistake:
    """A way to go wrong: its key, the value it leads to, and what that value is.

    `says` continues "3/5 is …". `remedy` is a sentence of its own on what to do instead.
    """

    key: str
    value: Exact
    says: str
    remedy: str = ""
    about: str = ""
    least: int | None = None  # decimals that count as rounded, where not those of the question

    def __post_init__(self) -> None:
        if isinstance(self.value, int):
            object.__setattr__(self, "value", Fraction(self.value))

    @cached_property
    def near(self) -> Fraction:
        """The value as a fraction, to 50 digits."""
        return near(self.value)


def diagnose(
    given: Number, value: Exact, mistakes: list[Mistake], least: int = 2
) -> list[Diagnosis]:
    """Every mistake that ends at the given number, those that meet it exactly first."""
    found = meets(given, mistakes, least)
    right = near(value)
    if compare(given, right, least) == "truncated":
        digits = exact.rounded(value, given.places or 0)
        sentence = (
            f"{given.written} is the value cut off, not rounded: to as many digits it is {digits}."
        )
        return [Diagnosis("truncated", sentence), *found]
    if not found and abs(given.near - right) * 100 <= max(ONE, abs(right)) / 2:
        gap = abs(given.near - right)
        digits = exact.rounded(gap, 6).rstrip("0")
        off = f"about {digits}" if gap * 10**6 >= 1 else "less than 0.000001"
        return [
            Diagnosis(
                "close",
                f"{given.written} is near, but off by {off}.",
                remedy="Keep fractions, or more digits, until the last line.",
            )
        ]
    return found


def meets(given: Number, mistakes: Sequence[Mistake], least: int) -> list[Diagnosis]:
    """The mistakes whose value the given number is, or is rounded."""
    exactly: list[Diagnosis] = []
    rounded: list[Diagnosis] = []
    for mistake in mistakes:
        found = compare(given, mistake.near, least if mistake.least is None else mistake.least)
        if found not in ("equal", "rounded"):
            continue
        link = "is" if found == "equal" else "is, rounded,"
        sentence = f"{given.written} {link} {mistake.says}."
        (exactly if found == "equal" else rounded).append(
            Diagnosis(mistake.key, sentence, mistake.about, mistake.remedy)
        )
    return [*exactly, *rounded]


# Names ----------------------------------------------------------------------------------------

_PROPER = (
    "Cohen",
    "Youden",
    "Matthews",
    "Brier",
    "Jaccard",
    "Gini",
    "Kolmogorov",
    "Pearson",
    "Qrecall",
)


def named(measure: Measure) -> str:
    """The title inside a sentence: precision, Cohen's kappa, the F-measure."""
    title = measure.title
    plain = title[:2].isalpha() and title[1].islower() and not title.startswith(_PROPER)
    return title[0].lower() + title[1:] if plain else title


def the(measure: Measure) -> str:
    """The same with its article."""
    return named(measure) if "'s " in measure.title else f"the {named(measure)}"


# All ways to go wrong -------------------------------------------------------------------------


def mistakes_of(context: Context, value: Exact) -> list[Mistake]:
    """Wrong ways for a measure on data, likeliest first."""
    measure = context.measure
    tree = _tree(context)
    small = context.cases is None or context.cases.n <= FEW
    others = list(_other_measures(context)) if small or measure.takes == "counts" else []
    akin = [mistake for mistake in others if not _distance(measure, MEASURES[mistake.about])]
    found = [percentage(value)]
    found += _in_the_formula(tree, context)
    found += akin
    found += _in_the_ranking(context) if small else []
    found += _on_the_value(measure, value)
    found += _steps(tree, context)
    found += _other_parameters(context)
    found += _other_cuts(tree, context) if small else []
    found += [mistake for mistake in others if mistake not in akin]
    found += _mixed_cuts(tree, context) if small else []
    found += _other_matrices(context)
    found += _wrong_end(context) if small else []
    found += _powers(value)
    # Of two ways to one value that are one and the same mistake, the first says it.
    unique = {(mistake.key, mistake.about, mistake.near): mistake for mistake in reversed(found)}
    kept = {id(mistake) for mistake in unique.values()}
    return [mistake for mistake in found if id(mistake) in kept]


def _tree(context: Context) -> Node:
    """The formula that has a value here."""
    tree = context.measure.tree(context.params)
    other = context.measure.fallback_tree(context.params)
    return tree if other is None or _try(tree, context) is not None else other


def _try(tree: Node, context: Context) -> Exact | None:
    try:
        return number(tree, context)
    except FAILS:
        return None


def _ask(measure: Measure, data: Any, params: Mapping[str, Any]) -> Exact | None:
    """The value of a measure on data, if it has one."""
    try:
        return evaluate(Context(measure, data, params))
    except FAILS:
        return None


def given_params(context: Context) -> dict[str, Any]:
    """The parameters in force, as they could have been given."""
    params = {name: value for name, value in context.params.items() if value is not None}
    if context.counts is not None and context.cases is None:
        params.pop("rule", None)
    elif "rule" in params and "at" not in params:
        del params["rule"]
    return params


def _made(
    key: str, value: Exact | None, says: str, remedy: str = "", about: str = ""
) -> Iterator[Mistake]:
    if value is not None and not exact.is_symbolic(value):
        yield Mistake(key, value, says, remedy, about)


# On the value ---------------------------------------------------------------------------------


def percentage(value: Exact) -> Mistake:
    """75 for 75 %."""
    hundredfold = exact.multiply(Fraction(100), value)
    return Mistake(
        "percentage",
        hundredfold,
        "the value in percent, without the sign",
        "Write the percent sign, or the number between 0 and 1." if 0 <= near(value) <= 1 else "",
        least=0,
    )


def _on_the_value(measure: Measure, value: Exact) -> Iterator[Mistake]:
    name = named(measure)
    if exact.is_zero(value):
        yield from _made("complement", ONE, f"1 − {name}, the complement")
        return
    yield from _made(
        "sign_lost",
        exact.negate(value),
        f"{the(measure)} with the wrong sign",
        "Look at the signs.",
    )
    complement = exact.add(ONE, exact.negate(value))
    yield from _made("complement", complement, f"1 − {name}, the complement")
    yield from _made(
        "reciprocal",
        exact.divide(ONE, _plain(value)),
        f"1 / {name}, the reciprocal",
        "Look at what is divided by what.",
    )


def _plain(value: Exact) -> Exact:
    """The value, or 50 digits of it where sympy, which is slow, would multiply logarithms."""
    return near(value) if isinstance(value, exact.LogSum) else value


def _powers(value: Exact) -> Iterator[Mistake]:
    if isinstance(value, exact.Certified):  # too long to be worked out for this
        return
    value = _plain(value)
    square = exact.multiply(value, value)
    yield from _made("squared", square, "the square of the value")
    if near(value) > 0:
        root = exact.sqrt(value)
        yield from _made("rooted", root, "the root of the value")


# In the formula -------------------------------------------------------------------------------

BASES = {0: "natural logarithms", 2: "logarithms to base 2", 10: "logarithms to base 10"}


def _in_the_formula(tree: Node, context: Context) -> Iterator[Mistake]:
    name = the(context.measure)
    without = slips.divisor(tree)
    by = "" if without is None else _short(without)
    for key, slipped, says, remedy in (
        ("root_forgotten", slips.without_roots(tree), "what comes out without the root", ""),
        ("square_forgotten", slips.without_squares(tree), "what comes out without the square", ""),
        (
            "bars_forgotten",
            slips.without_bars(tree),
            "what comes out when differences keep their signs",
            "Take the absolute value of each.",
        ),
        (
            "zero_forgotten",
            slips.without_zeros(tree),
            "what comes out when terms below 0 are not set to 0",
            "max{0, x} is 0 where x is negative.",
        ),
        (
            "not_divided",
            slips.undivided(tree),
            f"{name} before the division",
            f"Divide by {by}." if by else "Divide it.",
        ),
        (
            "constant_forgotten",
            slips.without_constant(tree),
            f"{name} without the number that is taken off at the end",
            "",
        ),
        (
            "factor_forgotten",
            slips.without_factor(tree),
            f"{name} without the factor in front",
            "",
        ),
    ):
        if slipped is not tree:
            yield from _made(key, _try(slipped, context), says, remedy=remedy)
    for base, words in BASES.items():
        slipped = slips.with_base(tree, base)
        if slipped is not tree:
            says = f"{name} with {words}"
            yield from _made("log_base", _try(slipped, context), says, about=str(base or "e"))
    for slipped in slips.with_signs_lost(tree):
        says = f"{name} with + in the place of a −"
        yield from _made("minus_as_plus", _try(slipped, context), says)


def _short(tree: Node) -> str:
    text = write(tree)
    return text if len(text) <= 40 else ""


def _steps(tree: Node, context: Context) -> Iterator[Mistake]:
    """A symbol with a formula of its own, such as Pₑ, taken for the whole."""
    for part in parts_of(tree):
        meaning = f", the {part.meaning}" if part.meaning else ""
        says = f"{write(part)}{meaning}: a step on the way to {the(context.measure)}"
        yield from _made("step_on_the_way", _try(part, context), says, about=write(part))


# In the ranking -------------------------------------------------------------------------------


def _in_the_ranking(context: Context) -> Iterator[Mistake]:
    cases, measure = context.cases, context.measure
    if cases is None:
        return
    key = measure.key
    if key in ("auc", "gini", "pem") and cases.positives and cases.negatives:
        yield from _ties(cases, key)
    if key == "average_precision" and cases.positives:
        yield from _trapezoids(cases)
    if measure.takes in ("ranking", "quota"):
        yield from _wrong_end(context)
    if measure.takes == "scores" and all(0 <= score <= 1 for score in cases.scores):
        turned = Cases(cases.labels, [1 - s for s in cases.scores], weights=cases.weights)
        yield from _made(
            "other_class",
            _ask(measure, turned, given_params(context)),
            f"{the(measure)} with 1 − p in the place of each score p",
            "The score is the probability of the positive class.",
        )


def _wrong_end(context: Context) -> Iterator[Mistake]:
    """The lowest score first."""
    cases, measure = context.cases, context.measure
    if cases is None or measure.takes == "scores" or not measure.needs_cut:
        return
    if context.params.get("at") is not None:  # a threshold has no end to be counted from
        return
    turned = Cases(cases.labels, [-score for score in cases.scores], weights=cases.weights)
    yield from _made(
        "wrong_end",
        _ask(measure, turned, given_params(context)),
        f"{the(measure)} with the ranking counted from the wrong end",
        "The highest score comes first.",
    )


def _ties(cases: Cases, key: str) -> Iterator[Mistake]:
    """Tied pairs counted as won or lost; they count one half."""
    if not cases.ranking.has_mixed_ties:
        return
    below = Fraction(cases.negatives)
    wins = ties = Fraction(0)
    for block in cases.ranking.blocks:
        below -= block.negatives
        wins += block.positives * below
        ties += block.positives * block.negatives
    pairs = Fraction(cases.positives) * cases.negatives
    for word, won in (("won", wins + ties), ("lost", wins)):
        share = won / pairs
        yield Mistake(
            f"ties_{word}",
            share if key == "auc" else 2 * share - 1,
            f"what comes out when a tie between a positive and a negative counts as {word}",
            "A tie counts one half.",
        )


def _trapezoids(cases: Cases) -> Iterator[Mistake]:
    """The area under straight lines between the points, from each start that is in use."""
    points = [
        (cut.tp / cut.positives, cut.tp / (cut.tp + cut.fp))
        for cut in cases.ranking.cuts
        if cut.tp + cut.fp
    ]
    for start, words in ((ONE, "(0, 1)"), (Fraction(0), "(0, 0)"), (points[0][1], "the level")):
        line = [(Fraction(0), start), *points]
        area = sum(
            ((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(line)),
            Fraction(0),
        )
        where = "the level of the first point" if words == "the level" else words
        yield Mistake(
            "trapezoids",
            area,
            f"the area under straight lines between the points, begun at {where}",
            "The average precision is a sum of rectangles.",
            about=words,
        )


# At another cut -------------------------------------------------------------------------------


def _other_cuts(tree: Node, context: Context) -> Iterator[Mistake]:
    cases, measure = context.cases, context.measure
    params = given_params(context)
    if measure.takes != "counts":
        for name in ("top", "n", "decile"):
            if name in params:
                yield from _one_off(context, name, params)
        return
    if cases is None or context.cut is None or not measure.needs_cut:
        return
    name, k = the(measure), context.cut.k
    if context.params["at"] is not None:
        rule = ">" if context.params["rule"] == ">=" else ">="
        flipped = _ask(measure, cases, {**params, "rule": rule})
        sign = "≥" if rule == ">=" else ">"
        line = decimal_text(context.params["at"])
        says = f"{name} when a case is called positive for score {sign} {line}"
        yield from _made("other_rule", flipped, says, about=rule)
    bare = _without_cut(params)
    for cut in _beside(context):
        says = f"{name} with {cut.k} cases called positive, where it should be {k}"
        value = _ask(measure, cases, {**bare, "top": cut.k})
        yield from _made("neighbouring_cut", value, says, about=str(cut.k))


def _without_cut(params: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if name not in CUT_PARAMS}


def _beside(context: Context) -> list[Cut]:
    """The cuts just above and below the one that is asked for."""
    if context.cases is None or context.cut is None:
        return []
    cuts = context.cases.ranking.cuts
    # A block of weight zero makes no cut.
    places = [place for place, cut in enumerate(cuts) if cut.k == context.cut.k]
    beside = [place + step for place in places for step in (-1, 1)]
    return [cuts[place] for place in beside if 0 <= place < len(cuts)]


def _mixed_cuts(tree: Node, context: Context) -> Iterator[Mistake]:
    """The numerator from one cut and the denominator from the next."""
    if not isinstance(tree, Div) or not context.measure.needs_cut:
        return
    above, below = write(tree.numerator), write(tree.denominator)
    for cut in _beside(context):
        params = {**_without_cut(given_params(context)), "top": cut.k}
        other = Context(context.measure, context.data, params)
        if _try(tree.denominator, other) == _try(tree.denominator, context):
            continue  # n₊ and π₀ are the same at every cut: there is nothing to mix up
        for first, second in ((context, other), (other, context)):
            top, bottom = _try(tree.numerator, first), _try(tree.denominator, second)
            if top is None or bottom is None or exact.is_zero(bottom):
                continue
            assert first.cut is not None
            assert second.cut is not None
            k, j = first.cut.k, second.cut.k
            yield from _made(
                "mixed_cuts",
                exact.divide(top, bottom),
                f"{above} with {k} cases called positive, divided by {below} with {j}",
                "Take both from the same cut.",
                f"{k}/{j}",
            )


def _one_off(context: Context, name: str, params: dict[str, Any]) -> Iterator[Mistake]:
    for other in (params[name] - 1, params[name] + 1):
        value = _ask(context.measure, context.data, {**params, name: other})
        says = f"{the(context.measure)} for {name} = {other} in the place of {params[name]}"
        yield from _made("neighbouring_cut", value, says, about=str(other))


# Another measure, matrix or parameter ---------------------------------------------------------

DIVISORS = {
    frozenset({"TP", "FN"}): "the cases that are really positive",
    frozenset({"TP", "FP"}): "the cases called positive",
    frozenset({"FP", "TN"}): "the cases that are really negative",
    frozenset({"TN", "FN"}): "the cases called negative",
    frozenset({"TP", "FP", "FN", "TN"}): "all cases",
}

# By default these are the F-measure, the AUC and the top of the list over again.
NEED_A_PARAMETER = ("f_beta", "f_alpha", "roc_n", "decile_lift")


def _other_measures(context: Context) -> Iterator[Mistake]:
    asked = context.measure
    if asked.takes in ("triplets", "classes"):
        return
    data = context.counts if asked.takes == "counts" else context.cases
    params = given_params(context)
    for other in _candidates(asked):
        shared = {name: params[name] for name in other.params if name in params}
        if other.key in NEED_A_PARAMETER and not shared:
            continue
        value = _ask(other, data, shared)
        if value is not None:
            says = _described(other, tuple(shared.items()))
            remedy = _what_it_divides_by(other, asked)
            yield from _made("another_measure", value, says, remedy, other.key)


@cache
def _candidates(asked: Measure) -> list[Measure]:
    """The measures of the same kind, those that are easily confused first."""
    ranking = ("ranking", "quota")
    kinds = ranking if asked.takes in ranking else (asked.takes,)
    others = [m for m in MEASURES.values() if m is not asked and m.takes in kinds]
    return sorted(others, key=lambda other: _distance(asked, other))


@lru_cache(maxsize=1000)
def _described(measure: Measure, params: tuple[tuple[str, Any], ...]) -> str:
    """The measure with its formula, if that is short, and its meaning."""
    tree = measure.tree(measure.read_params(dict(params)))
    formula = _short(tree) if measure.takes == "counts" else ""
    meaning = measure.meaning[0].lower() + measure.meaning[1:].rstrip(".")
    return f"{the(measure)}{f', {formula}' if formula else ''}: {meaning}"


@cache
def _quotient(measure: Measure) -> tuple[frozenset[str], frozenset[str]] | None:
    """The symbols above and below the line of a plain fraction."""
    tree = measure.formula
    if not isinstance(tree, Div):
        return None
    above, below = symbols(tree.numerator), symbols(tree.denominator)
    return frozenset(s.base for s in above), frozenset(s.base for s in below)


@cache
def _distance(asked: Measure, other: Measure) -> int:
    """0 for fractions that share a numerator or a denominator, which are easily confused."""
    mine, theirs = _quotient(asked), _quotient(other)
    if mine is None or theirs is None:
        return int(asked.takes != other.takes) + 1
    return 0 if mine[0] == theirs[0] or mine[1] == theirs[1] else 1


@cache
def _what_it_divides_by(other: Measure, asked: Measure) -> str:
    theirs, mine = _quotient(other), _quotient(asked)
    if theirs is None or mine is None or theirs[0] != mine[0] or theirs[1] == mine[1]:
        return ""
    wrong, right = DIVISORS.get(theirs[1]), DIVISORS.get(mine[1])
    if wrong is None or right is None:
        return ""
    return f"It divides by {wrong}; {the(asked)} divides by {right}."


def _other_matrices(context: Context) -> Iterator[Mistake]:
    counts = context.counts
    if counts is None or exact.is_symbolic(counts.n):
        return
    params = {k: v for k, v in given_params(context).items() if k not in CUT_PARAMS}
    name = the(context.measure)
    transposed = Counts(counts.tp, counts.fn, counts.fp, counts.tn)
    yield from _made(
        "transposed",
        _ask(context.measure, transposed, params),
        f"{name} of the transposed matrix, with FP and FN exchanged",
        remedy="FP are negatives called positive, FN are positives called negative.",
    )
    exchanged = Counts(counts.tn, counts.fn, counts.fp, counts.tp)
    yield from _made(
        "classes_exchanged",
        _ask(context.measure, exchanged, params),
        f"{name} with the negative class taken for the positive one",
    )


def _other_parameters(context: Context) -> Iterator[Mistake]:
    measure, params = context.measure, given_params(context)
    name = the(measure)
    for each in measure.params:
        default = measure.defaults.get(each, PARAMS[each].default)
        if each in params and params[each] != default:
            rest = {key: value for key, value in params.items() if key != each}
            says = f"{name} when {each} is left out"
            yield from _made(
                "parameter_left_out", _ask(measure, context.data, rest), says, about=each
            )
    turned: dict[str, Any] = {}
    if "cost_fp" in params:
        turned = {"cost_fp": params["cost_fn"], "cost_fn": params["cost_fp"]}
    elif params.get("beta"):
        turned = {"beta": 1 / params["beta"]}
    elif "alpha" in params:
        turned = {"alpha": 1 - params["alpha"]}
    if turned:
        value = _ask(measure, context.data, {**params, **turned})
        listed = " and ".join(f"{key} = {number}" for key, number in turned.items())
        yield from _made("parameter_turned_round", value, f"{name} with {listed}")


PARTS = {
    ("tp",): "TP, the positives called positive",
    ("fp",): "FP, the negatives called positive",
    ("fn",): "FN, the positives called negative",
    ("tn",): "TN, the negatives called negative",
    ("tp", "fp"): "TP + FP, all cases called positive",
    ("fn", "tn"): "FN + TN, all cases called negative",
    ("tp", "fn"): "TP + FN, all cases that really are positive",
    ("fp", "tn"): "FP + TN, all cases that really are negative",
    ("tp", "tn"): "TP + TN, all cases called rightly",
    ("fp", "fn"): "FP + FN, all cases called wrongly",
    ("tp", "fp", "fn", "tn"): "n, the number of all cases",
}


def other_counts(matrix: Counts, named: Collection[Exact]) -> list[Mistake]:
    """The cells of a matrix and their sums, but for the values that the question names itself."""
    found = []
    for cells, says in PARTS.items():
        value = sum((getattr(matrix, cell) for cell in cells), Fraction(0))
        if value not in named:
            found.append(Mistake("another_count", value, says, about=" + ".join(cells).upper()))
    return found


def carried(value: Exact, source: str) -> Mistake:
    """What comes out of right work on a wrong earlier answer."""
    return Mistake(
        "carried_forward",
        value,
        f"what follows from your answer to “{source}”, which was not right",
    )
