"""What a measure is, what it is computed from, and why it may be undefined."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from binteach import exact
from binteach.cases import Cases, Counts, Cut, Undefined, decimal_text
from binteach.exact import Exact, short_text, shorten
from binteach.expr import (
    Add,
    Broken,
    Div,
    Family,
    LogOfZero,
    Mul,
    Node,
    Num,
    Pow,
    Row,
    Scope,
    Sqrt,
    Sym,
    ZeroDivide,
    symbols,
)

DOCUMENTS = {"B": "Berrar", "M": "Murphy", "A": "Arbel & Rokach", "S": "Sonnenburg"}

Prose = tuple[str | Node, ...]
"""A sentence with formulas in it."""


# Parameters -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Param:
    """A keyword argument of a measure: what it means, its default, and what it may be."""

    name: str
    meaning: str
    default: Any
    low: Fraction | None = None
    high: Fraction | None = None
    whole: bool = False
    choices: tuple[Any, ...] = ()

    def read(self, given: Any) -> Any:
        """The given value, exact and checked."""
        if given is None or given is self.default:
            return self.default
        if self.choices:
            for choice in self.choices:
                if str(given) == str(choice):
                    return choice
            listed = ", ".join(map(repr, self.choices))
            raise ValueError(f"{self.name} is {shorten(given)}; it must be one of {listed}")
        if exact.is_symbolic(given):
            return exact.checked_symbolic(given, self.name)
        value = self._number(given)
        too_low = self.low is not None and value < self.low
        too_high = self.high is not None and value > self.high
        if too_low or too_high:
            if self.high is None:
                limits = f"at least {self.low}"
            else:
                limits = f"between {self.low} and {self.high}"
            raise ValueError(f"{self.name} is {given}; it must be {limits}")
        return value

    def _number(self, given: Any) -> Fraction:
        if not self.whole:
            return exact.exact(given, self.name)
        try:
            value = exact.exact(given, self.name)
        except ValueError:
            value = None
        if value is None or value.denominator != 1:
            raise ValueError(f"{self.name} is {shorten(given)}; it must be a whole number")
        return value


ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
PARAMS = {
    param.name: param
    for param in (
        Param("beta", "weight: recall counts beta times as much as precision", ONE, low=ZERO),
        Param("alpha", "the weight, between 0 and 1", None, low=ZERO, high=ONE),
        Param(
            "gamma", "how strongly easy cases are played down", Fraction(2), ZERO, Fraction(1000)
        ),
        Param("epsilon", "what stands for 0 in a logarithm", Fraction(1, 10**5), ZERO, HALF),
        Param("prior", "prior probability of the positive class", None, low=ZERO, high=ONE),
        Param("base", "base of the logarithm: 2, 10 or 'e'", 2, choices=(2, 10, "e")),
        Param(
            "n", "number of false positives up to which the area is taken", None, ONE, whole=True
        ),
        Param("top", "number of top-ranked cases that are called positive", None, ZERO, whole=True),
        Param("at", "threshold on the score", None),
        Param("rule", "called positive if score > threshold, or >=", ">", choices=(">", ">=")),
        Param(
            "decile", "which tenth of the ranking, 1 being the top", ONE, ONE, Fraction(10), True
        ),
        Param("scale", "takes distances as scale × (score − 1/2)", None, low=ZERO),
        Param("cost_fp", "cost of a false positive", ONE, low=ZERO),
        Param("cost_fn", "cost of a false negative", ONE, low=ZERO),
        Param("margin", "margin between the distances", Fraction(1, 5), low=ZERO),
        Param(
            "method",
            "ranks (Eq. 32), pairs or trapezoids; all three agree",
            None,
            choices=("ranks", "pairs", "trapezoids"),
        ),
    )
}
CUT_PARAMS = ("top", "at", "rule")


class Params(dict[str, Any]):
    """The parameters in force, and what the data ask of the formula."""

    weighted = False
    clipped = False

    @property
    def log_base(self) -> Num:
        """The base of the logarithm as a leaf; 0 stands for e."""
        return Num(Fraction(0 if self["base"] == "e" else self["base"]))


# Measures -------------------------------------------------------------------------------------

Formula = Node | Callable[[Params], Node]

ABOUT: dict[str, Callable[[Measure], str]] = {}
"""Format name -> function that tells all about a measure; binteach.render fills it."""


@dataclass(frozen=True, eq=False)
class Measure:
    """One performance measure: everything that is known about it, declared once.

    names       other names, each with the initials of the documents that use it
    takes       what it is computed from: counts, scores, ranking, quota, triplets or classes
    formula     a tree, or a function from the parameters to a tree
    fallback    an equal form that also exists where `formula` would be 0/0
    low, high   the range; None is unbounded
    direction   +1: larger is better, -1: smaller is better, 0: neither
    random      expected value for a model that knows nothing (see RANDOM in symbols.py)
    perfect     value for a perfect model; None where there is none, and `perfect_words` says why
    """

    key: str
    title: str
    takes: str
    symbol: Sym
    formula: Formula
    meaning: str
    undefined: str
    low: Exact | None
    high: Exact | None
    direction: int
    names: Mapping[str, str] = field(default_factory=dict)
    documents: Mapping[str, str] = field(default_factory=dict)
    use_when: Mapping[str, str] = field(default_factory=dict)
    params: tuple[str, ...] = ()
    defaults: Mapping[str, Any] = field(default_factory=dict)
    fallback: Formula | None = None
    probability: Node | None = None
    random: Formula | None = None
    random_words: str = ""
    perfect: Formula | None = None
    perfect_words: str = ""
    description: str = ""
    needs_cut: bool = True
    remark: Callable[[Context], Iterable[Prose]] = field(default=lambda ctx: ())

    def __repr__(self) -> str:
        return f"Measure({self.key!r})"

    def __deepcopy__(self, memo: object) -> Measure:
        return self  # it never changes

    def __reduce__(self) -> tuple[Any, ...]:
        return (_declared, (self.key,))

    def __str__(self) -> str:
        return ABOUT["text"](self)

    def _repr_html_(self) -> str:
        return ABOUT["html"](self)

    @property
    def accepts(self) -> tuple[str, ...]:
        """The names of the keyword arguments that it takes."""
        return self.params + (CUT_PARAMS if self.takes == "counts" else ())

    def read_params(self, given: Mapping[str, Any]) -> Params:
        """The parameters in force: those given, checked, and the defaults of the others."""
        params = Params()
        for name in given:
            if name not in self.accepts:
                takes = ", ".join(self.accepts) or "no parameters"
                raise ValueError(f"{self.key} does not take {name!r}; it takes {takes}")
        for name in self.accepts:
            default = self.defaults.get(name, PARAMS[name].default)
            value = given.get(name)
            params[name] = default if value is None else PARAMS[name].read(value)
            if self.takes != "counts" and exact.is_symbolic(params[name]):
                raise ValueError(f"{self.key} takes a number for {name}; symbols go with Counts")
        return params

    def tree(self, params: Params | None = None) -> Node:
        """The formula under these parameters (by default, the defaults)."""
        return _tree(self.formula, self.read_params({}) if params is None else params)

    def fallback_tree(self, params: Params) -> Node | None:
        """The other form of the formula, if there is one."""
        return _tree_or_none(self.fallback, params)

    def random_tree(self, params: Params | None = None) -> Node | None:
        """The value for a model that knows nothing, if there is a formula for it."""
        return _tree_or_none(self.random, self.read_params({}) if params is None else params)

    def perfect_tree(self, params: Params | None = None) -> Node | None:
        """The value for a perfect model, if there is one."""
        return _tree_or_none(self.perfect, self.read_params({}) if params is None else params)

    def __call__(self, data: Any, **params: Any) -> Any:
        """The exact value on these data; raises Undefined where it does not exist."""
        return exact.public(evaluate(Context(self, data, params)))


DECLARED: dict[str, Measure] = {}
"""Every measure by its key; binteach.measures fills it."""


def _declared(key: str) -> Measure:
    """The measure with this key, for a copy that comes back into the program."""
    return DECLARED[key]


def _tree(formula: Formula, params: Params) -> Node:
    return formula if isinstance(formula, Node) else formula(params)


def _tree_or_none(formula: Formula | None, params: Params) -> Node | None:
    return None if formula is None else _tree(formula, params)


def evaluate(context: Context) -> Exact:
    """The value of the formula; of its other form where the first is 0/0."""
    measure = context.measure
    try:
        return number(measure.tree(context.params), context)
    except Undefined:
        other = measure.fallback_tree(context.params)
        if other is None:
            raise
        return number(other, context)


def number(tree: Node, scope: Scope) -> Exact:
    """The value of a tree; Undefined with a reason where there is none."""
    try:
        return exact.settle(tree.number(scope))
    except ZeroDivide as broken:
        raise Undefined(_why(broken)) from None
    except LogOfZero:
        measure = getattr(scope, "measure", None)
        why = f": {measure.undefined}" if measure is not None and measure.undefined else ""
        raise Undefined(f"a logarithm of 0 would be needed, and there is none{why}") from None


# Why a denominator is zero --------------------------------------------------------------------

COUNTS = ("TP", "FP", "FN", "TN")
EMPTY = {
    frozenset({"TP", "FP"}): "no case was called positive, so TP + FP = 0",
    frozenset({"TP", "FN"}): "there is no positive case, so TP + FN = 0",
    frozenset({"FP", "TN"}): "there is no negative case, so FP + TN = 0",
    frozenset({"TN", "FN"}): "no case was called negative, so TN + FN = 0",
    frozenset({"TP", "FP", "FN"}): "no case is positive and none was called so: TP + FP + FN = 0",
}


def _why(broken: ZeroDivide) -> str:
    quotient, scope = broken.quotient, broken.scope
    phrase = quotient.zero or _zero_phrase(quotient.denominator, scope)
    try:
        top = exact.public(quotient.numerator.number(scope))
    except (Broken, Undefined):
        top = None
    if not isinstance(top, Fraction):
        return phrase
    shown = f"{top}" if top.denominator == 1 else f"({top})"
    return f"{phrase}; {shown}/0 is not a number"


def _zero_phrase(tree: Node, scope: Scope) -> str:
    """Which part of a denominator makes it zero, in words."""
    if isinstance(tree, Sym):
        if tree.zero:
            return tree.zero
        return _zero_phrase(tree.definition, scope) if tree.definition else f"{tree.base} = 0"
    if isinstance(tree, Add):
        names = frozenset(term.base for term in tree.terms if isinstance(term, Sym))
        if names in EMPTY:
            return EMPTY[names]
        zeros = [
            s.base for s in symbols(tree) if s.base in COUNTS and exact.is_zero(scope.value(s))
        ]
        if zeros:
            listed = f"{' = '.join(zeros)} = 0, so the denominator is 0"
            return EMPTY.get(frozenset(zeros), listed)
    for child in tree.children() if isinstance(tree, Mul | Sqrt | Pow | Div) else ():
        if exact.is_zero(child.number(scope)):
            return _zero_phrase(child, scope)
    return "the denominator is 0"


# Data that a formula is evaluated on ----------------------------------------------------------

NEEDS = {
    "scores": "each case's score",
    "ranking": "a ranking of the cases by score",
    "quota": "a ranking of the cases by score",
}


class Context:
    """A measure, the data it is asked for, and the values of its symbols on them."""

    def __init__(self, measure: Measure, data: Any, params: Mapping[str, Any]) -> None:
        self.measure = measure
        self.params = measure.read_params(params)
        self.cases: Cases | None = None
        self.counts: Counts | None = None
        self.cut: Cut | None = None
        self.data = data
        self._values: dict[Sym, Exact] = {}
        self._rows: dict[Family, Sequence[Row]] = {}
        if measure.takes in ("triplets", "classes"):
            return
        if measure.takes == "counts":
            if params.get("rule") is not None and self.params["at"] is None:
                raise ValueError("rule= says what happens at a threshold; give at= with it")
            self._take_counts(data)
        else:
            self._take_cases(data)

    def _take_counts(self, data: Any) -> None:
        key, params = self.measure.key, self.params
        if isinstance(data, Counts):
            for name in ("top", "at"):
                if params[name] is not None:
                    raise ValueError(
                        f"{name} cuts a ranking, but {key} was given Counts, which are cut already"
                    )
            self.counts = data
            return
        self.cases = _as_cases(data, key, "Counts, or Cases with top= or at=")
        if not self.measure.needs_cut and params["top"] is None and params["at"] is None:
            params["top"] = ZERO  # any cut gives the same value
        if (params["top"] is None) == (params["at"] is None):
            problem = "both top= and at= were" if params["top"] is not None else "no cut was"
            raise ValueError(
                f"{key} on Cases needs one cut, but {problem} given: "
                "say top=4 (the four top-ranked cases) or at=0.5 (scores above 0.5)"
            )
        ranking = self.cases.ranking
        if params["top"] is not None:
            self.cut = ranking.cut_at(params["top"])
        else:
            self.cut = ranking.cut_above(params["at"], params["rule"])
        self.counts = self.cut.counts

    def _take_cases(self, data: Any) -> None:
        measure = self.measure
        if isinstance(data, Counts):
            raise ValueError(
                f"{measure.key} needs {NEEDS[measure.takes]}, and a confusion matrix has none; "
                "give Cases(y_true, y_score)"
            )
        self.cases = _as_cases(data, measure.key, "Cases")
        self.params.weighted = self.cases.weighted
        if measure.takes == "quota":
            self.whole_places()
        if measure.takes == "scores" and measure.key != "hinge_loss":
            _check_probabilities(self.cases, measure.key)
            sure = self.cases.first_row(lambda score: (score == 0) | (score == 1))
            self.params.clipped = self.params.get("epsilon", 0) > 0 and sure is not None

    def whole_places(self) -> None:
        """Refuse weights where a formula goes through the ranking place by place."""
        if self.cases is not None:
            self.cases.whole_places(self.measure.key)

    # The three things that a tree asks of its scope.

    def value(self, symbol: Sym) -> Exact:
        """The value of a symbol, from the data or from its definition."""
        if symbol not in self._values:
            if symbol.find is not None:
                self._values[symbol] = symbol.find(self)
            elif symbol.definition is not None:
                self._values[symbol] = symbol.definition.number(self)
            else:
                raise KeyError(f"{symbol} has no value here")
        return self._values[symbol]

    def rows(self, family: Family) -> Sequence[Row]:
        """The rows of a family, made once."""
        if family not in self._rows:
            self._rows[family] = family.rows(self)
        return self._rows[family]

    def inner(self, row: Row) -> Scope:
        """The scope inside a sum."""
        return _Inside(self, row)


class _Inside:
    """A scope in which one row gives indexed symbols their values."""

    def __init__(self, outer: Scope, row: Row) -> None:
        self.outer, self.row = outer, row

    def value(self, symbol: Sym) -> Exact:
        found = self.row.values.get(symbol)
        return self.outer.value(symbol) if found is None else found

    def rows(self, family: Family) -> Sequence[Row]:
        return self.outer.rows(family)

    def inner(self, row: Row) -> Scope:
        return _Inside(self, row)


def _as_cases(data: Any, key: str, wanted: str) -> Cases:
    if isinstance(data, Cases):
        return data
    hint = "; pick one of them" if isinstance(data, Mapping) else ""
    raise ValueError(f"{key} takes {wanted}, not {shorten(data)}{hint}")


def _check_probabilities(cases: Cases, key: str) -> None:
    row = cases.first_row(lambda score: (score < 0) | (score > 1))
    if row is not None:
        score = short_text(decimal_text(cases.score(row)))
        raise ValueError(
            f"{key} takes scores as probabilities, but row {row + 1} (case {cases.name(row)}) "
            f"has {score}; rescale the scores to lie from 0 to 1"
        )
