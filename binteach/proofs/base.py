"""What an identity is, and how it is checked."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from binteach import exact
from binteach.cases import Cases, Counts, Undefined
from binteach.derivation import GRIDS, Derivation, Step, Table, work_out
from binteach.exact import Exact
from binteach.expr import Node, Sym
from binteach.measures import MEASURES, Context, Measure, number
from binteach.measures.base import PARAMS, Prose

Link = tuple[str, Node, str]
"""A relation (= or ≤), what stands on its right, and why."""


def of(key: str, **params: Any) -> Sym:
    """The symbol of a measure, defined by its formula, for use in an identity."""
    measure = MEASURES[key]
    tree = measure.tree(measure.read_params(params))
    symbol = measure.symbol
    return Sym(symbol.base, symbol.sub, symbol.sup, symbol.arg, definition=tree)


@dataclass(frozen=True)
class Argument:
    """left = a = b ≤ c, with a reason for every link, and perhaps words before it."""

    left: Node
    links: tuple[Link, ...]
    lead: Prose = ()


@dataclass(frozen=True)
class Identity:
    """A statement that connects measures.

    on          counts, cases or scores: what it is about
    ties        whether it holds with tied scores too; without, `counterexample` shows why not
    proof       arguments; the last one leads from the left to the right side
    condition   words for when it holds, and `applies`, which says so of given data
    calculus    for what is not evaluated on data: a check by sympy
    """

    key: str
    title: str
    left: Node
    right: Node
    proof: tuple[Argument, ...]
    on: str = "counts"
    relation: str = "="
    ties: bool = True
    condition: str = ""
    applies: Callable[[Any], bool] = lambda data: True
    params: tuple[str, ...] = ()
    counterexample: Any = None
    counterexample_words: str = ""
    source: str = ""
    calculus: Callable[[], bool] | None = None

    # What it says ---------------------------------------------------------------------------

    @property
    def derivation(self) -> Derivation:
        """The statement and its proof, to be shown like any derivation."""
        symbol = self.left if isinstance(self.left, Sym) else Sym("left side")
        steps = [Step("prove", before=self.left, links=((self.relation, self.right, ""),))]
        where = self._conditions()
        if where:
            steps.append(Step("remark", prose=(where,)))
        for argument in self.proof:
            steps.append(
                Step("prove", before=argument.left, links=argument.links, prose=argument.lead)
            )
        if self.counterexample_words:
            steps.append(Step("remark", prose=(self.counterexample_words,)))
        return Derivation(self.title, symbol, tuple(steps))

    def _conditions(self) -> str:
        words = [self.condition] if self.condition else []
        if self.on != "counts" and self.calculus is None and not self.condition:
            words.append("It holds with tied scores too." if self.ties else "Only without ties.")
        return " ".join(words)

    def __str__(self) -> str:
        return str(self.derivation)

    def __repr__(self) -> str:
        return f"Identity({self.key!r})"

    def _repr_html_(self) -> str:
        return self.derivation._repr_html_()

    def latex(self) -> str:
        """The proof in LaTeX."""
        return self.derivation.latex()

    def mathml(self) -> str:
        """The proof in MathML."""
        return self.derivation.mathml()

    def html(self) -> str:
        """The proof in HTML."""
        return self.derivation.html()

    # Whether it is true -----------------------------------------------------------------------

    def check(self, data: Any, **params: Any) -> Derivation:
        """Both sides on the user's own data, step by step."""
        if self.calculus is not None:
            raise ValueError(f"{self.key} is about formulas, not about data; look at its proof")
        context = self._context(data, params)
        steps: list[Step] = []
        values: list[Exact] = []
        for name, side in (("left side", self.left), ("right side", self.right)):
            try:
                value = number(side, context)
            except Undefined as undefined:
                reason = undefined.reason
                steps.append(Step("undefined", before=Sym(name), prose=(reason,)))
                return Derivation(f"The {name}", Sym(name), tuple(steps), reason=reason)
            values.append(value)
            working = tuple(work_out(Sym(name), side, context, value))
            part = Derivation(name, Sym(name), tuple(s for s in working if s.rule != "part"))
            steps += [step for step in working if step.rule == "part"]
            steps.append(Step("part", before=Sym(name), after=side, part=part))
        met = self.applies(context.counts if self.on == "counts" else context.cases)
        if not self.ties and context.cases is not None:
            met = met and not context.cases.ranking.has_ties
        steps.append(Step("remark", prose=(self._finding(values, met),)))
        return Derivation(self.title, Sym("left side"), tuple(steps), _exact=values[0])

    def _finding(self, values: list[Exact], met: bool) -> str:
        words = "equal" if self.relation == "=" else "in that order"
        needed = self.condition or "It needs scores without ties."
        if self._related(*values):
            if met:
                return f"Both sides are {words}, as they must be."
            return f"Both sides are {words} here, though the identity does not promise it. {needed}"
        if not met:
            return f"The sides differ: the identity does not hold under these conditions. {needed}"
        return "The sides differ, which must not be."

    def _related(self, left: Exact, right: Exact, relation: str | None = None) -> bool:
        difference = exact.settle(exact.add(right, exact.negate(left)))
        if (relation or self.relation) == "=":
            return exact.is_zero(difference) or _simplifies_to_zero(difference)
        if isinstance(difference, Fraction):
            return difference >= 0
        return exact.is_zero(difference) or exact.approximate(difference, 40)[0] > 0

    def _context(self, data: Any, params: dict[str, Any]) -> Context:
        context = Context(_asking(self), data, params)
        if context.cases is not None and context.cases.weighted:
            raise ValueError(f"{self.key} is stated of cases without weights; leave them out")
        return context

    def sides(self, data: Any, **params: Any) -> list[list[Exact]]:
        """The values of every side of every argument on these data."""
        context = self._context(data, params)
        trees = [[a.left, *(tree for _, tree, _ in a.links)] for a in self.arguments()]
        return [[number(tree, context) for tree in chain] for chain in trees]

    def arguments(self) -> tuple[Argument, ...]:
        """The statement itself, and the arguments of its proof."""
        return (Argument(self.left, ((self.relation, self.right, ""),)), *self.proof)

    def true_on(self, data: Any, **params: Any) -> bool | None:
        """Whether every link holds on these data; None where a side does not exist."""
        try:
            chains = self.sides(data, **params)
        except Undefined:
            return None
        for argument, values in zip(self.arguments(), chains, strict=True):
            for place, (relation, _, _) in enumerate(argument.links):
                if not self._related(values[place], values[place + 1], relation):
                    return False
        return True

    def holds(self) -> bool:
        """Whether every link holds on all small data and on random ones."""
        return _holds(self)

    def symbolic(self) -> bool | None:
        """Whether sympy reduces every link to 0 = 0; None where it is not algebra of counts."""
        if self.calculus is not None:
            return self.calculus()
        if self.on != "counts" or self.condition or "≤" in self._relations():
            return None
        return bool(self.true_on(_symbolic_counts(), **_symbolic_params(self.params)))

    def _relations(self) -> set[str]:
        return {relation for argument in self.arguments() for relation, _, _ in argument.links}


def _asking(identity: Identity) -> Measure:
    """A measure in whose place the identity is evaluated."""
    takes = {"counts": "counts", "cases": "ranking", "scores": "scores"}[identity.on]
    return Measure(
        identity.key,
        identity.title,
        takes,
        Sym("left side"),
        identity.left,
        identity.title,
        "",
        None,
        None,
        0,
        params=identity.params,
        defaults={name: PARAMS[name].default for name in identity.params},
    )


def _simplifies_to_zero(difference: Exact) -> bool:
    if not hasattr(difference, "free_symbols"):
        return False
    import sympy

    return bool(sympy.simplify(difference) == 0)


def _symbolic_counts() -> Counts:
    import sympy

    return Counts(*sympy.symbols("TP FP FN TN", positive=True))


def _symbolic_params(names: Sequence[str]) -> dict[str, Any]:
    import sympy

    return {name: sympy.Symbol(name, positive=True) for name in names}


# Data to check on -----------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _holds(identity: Identity) -> bool:
    if identity.calculus is not None:
        return identity.calculus()
    seen = 0
    for data, params in samples(identity):
        verdict = identity.true_on(data, **params)
        if verdict is False:
            return False
        seen += verdict is True
    return seen >= 10


def samples(identity: Identity) -> Iterator[tuple[Any, dict[str, Any]]]:
    """All small data and some random ones that meet the identity's conditions."""
    data: Any
    for data in small_counts() if identity.on == "counts" else small_cases(identity.ties):
        if identity.applies(data):
            for params in _params(identity, data):
                yield data, params


def _params(identity: Identity, data: Any) -> Iterator[dict[str, Any]]:
    if "top" in identity.params:
        for k in range(1, data.n + 1):
            yield {"top": k}
    elif "beta" in identity.params:
        yield from ({"beta": beta} for beta in ("1/2", 1, 2))
    elif "alpha" in identity.params:
        yield from ({"alpha": alpha} for alpha in ("1/4", "1/2", 1))
    else:
        yield {}


def small_counts() -> Iterator[Counts]:
    """All tables with cells from 0 to 2, and random ones, rationals among them."""
    for cells in product(range(3), repeat=4):
        if any(cells):
            yield Counts(*cells)
    draw = random.Random(20)
    for _ in range(30):
        yield Counts(
            *(draw.randrange(0, 40) for _ in range(4)),
        )
        yield Counts(*(Fraction(draw.randrange(0, 40), draw.randrange(1, 9)) for _ in range(4)))


def small_cases(ties: bool) -> Iterator[Cases]:
    """All rankings of up to four cases, and random longer ones; tied ones too if asked for."""
    for n in range(1, 5):
        strict = tuple(range(n, 0, -1))
        levels = product(range(1, n + 1), repeat=n) if ties else iter([strict])
        for ranks in levels:
            if ranks != tuple(sorted(ranks, reverse=True)):
                continue
            for classes in product((0, 1), repeat=n):
                yield Cases(classes, [Fraction(rank, n + 1) for rank in ranks])
    draw = random.Random(21)
    for _ in range(25):
        n = draw.randrange(5, 13)
        pool = range(1, 5) if ties else range(1, 40)
        ranks = tuple(draw.choices(pool, k=n) if ties else draw.sample(pool, n))
        labels = [draw.randrange(2) for _ in range(n)]
        yield Cases(labels, [Fraction(rank, len(pool) + 1) for rank in ranks])


# All of them ----------------------------------------------------------------------------------


class Identities(Sequence[Identity]):
    """Identities; a table in a notebook."""

    def __init__(self, found: tuple[Identity, ...]) -> None:
        self.found = found

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, place: Any) -> Any:
        return self.found[place]

    def __repr__(self) -> str:
        return f"Identities({len(self)})"

    def table(self) -> Table:
        """Key, statement and title of each."""
        rows = tuple((one.key, one.title) for one in self.found)
        return Table(("key", "statement"), rows, words=True)

    def __str__(self) -> str:
        return GRIDS["text"]("Identities", self.table(), ())

    def _repr_html_(self) -> str:
        return GRIDS["html"]("Identities", self.table(), ())
