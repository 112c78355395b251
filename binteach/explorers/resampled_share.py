"""The bootstrap interval of a share, exactly: what all resamples together would give.

Glossary
  r, n  successes and trials
  k     successes in a resample, which draws n of the n trials with replacement
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

from binteach.cases import decimal_text
from binteach.derivation import Derivation, Given, Step, Table
from binteach.expr import Node, Num, Rounded, Sym, shown
from binteach.inference.working import ALPHA, HIGH, LOW, digits, percent

MOST_WHOLE = 200  # trials up to which resamples are counted in whole numbers; then in doubles
MOST_ROWS = 16  # rows of a table that is shown whole
NEAR = 2  # rows shown to either side of an end

R, N, K, P = Sym("r"), Sym("n"), Sym("k"), Sym("p")
WAYS = Sym("C", arg=Sym("n, k"))
CHANCE = Sym("P", arg=K)

Row = tuple[str | Node, ...]


@dataclass(frozen=True)
class ResampledShare:
    """[low, high]: the quantiles of k/n at α/2 and at 1 − α/2, where k is binomial."""

    successes: int
    n: int
    level: Fraction

    @cached_property
    def ways(self) -> tuple[int, ...]:
        """n! / (k! (n − k)!) r^k (n − r)^(n − k) of the n^n resamples, for k from 0 to n."""
        r, n = self.successes, self.n
        return tuple(math.comb(n, k) * r**k * (n - r) ** (n - k) for k in range(n + 1))

    @cached_property
    def below(self) -> tuple[int, ...]:
        """In how many of the n^n resamples there are k successes or fewer."""
        return tuple(accumulate(self.ways))

    def quantile(self, share: Fraction) -> int:
        """The smallest k such that at least this share of the resamples has k or fewer."""
        if self.n > MOST_WHOLE:
            from scipy.stats import binom

            return int(binom.ppf(float(share), self.n, self.successes / self.n))
        wanted = math.ceil(share * self.n**self.n)
        return next(k for k, ways in enumerate(self.below) if ways >= wanted)

    @property
    def low(self) -> Fraction:
        """The quantile of k at α/2, over n."""
        return Fraction(self.quantile((1 - self.level) / 2), self.n)

    @property
    def high(self) -> Fraction:
        """The quantile of k at 1 − α/2, over n."""
        return Fraction(self.quantile((1 + self.level) / 2), self.n)

    def explain(self) -> Derivation:
        """The distribution of k, and where its two ends lie."""
        r, n, alpha = self.successes, self.n, 1 - self.level
        given = (
            Given(R, Num(Fraction(r)), "successes"),
            Given(N, Num(Fraction(n)), "trials"),
            Given(ALPHA, shown(alpha, True), f"1 − {decimal_text(self.level)}"),
            Given(P, Num(Fraction(r, n)), "r/n, the share of successes"),
            Given(K, None, "successes in a resample"),
            Given(WAYS, None, "number of ways to choose k of n draws"),
        )
        lines = [
            Step("definition", before=CHANCE, after=WAYS * P**K * (1 - P) ** (N - K)),
            Step("given", given=given),
            Step("table", table=self._table()),
            self._end(LOW, "α/2", alpha / 2),
            self._end(HIGH, "1 − α/2", 1 - alpha / 2),
            Step("remark", prose=self._remark()),
        ]
        if r in (0, n):
            kind = "failure" if r else "success"
            text = f"Without a {kind} all resamples are alike, so the interval is a single point."
            lines.append(Step("remark", prose=(text,)))
        title = f"{percent(self.level)} bootstrap interval for {r} of {n}"
        return Derivation(title, LOW, tuple(lines), MEANING)

    def _remark(self) -> tuple[str | Node, ...]:
        ends = (Num(self.low), " to ", Num(self.high))
        return ("So the interval reaches from ", *ends, ". It never leaves [0, 1].")

    def chances(self, k: int) -> tuple[float, float]:
        """The probability of k successes in a resample, and of k or fewer."""
        if self.n > MOST_WHOLE:
            from scipy.stats import binom

            p = self.successes / self.n
            return float(binom.pmf(k, self.n, p)), float(binom.cdf(k, self.n, p))
        total = self.n**self.n
        return float(Fraction(self.ways[k], total)), float(Fraction(self.below[k], total))

    def _end(self, symbol: Sym, words: str, share: Fraction) -> Step:
        k = self.quantile(share)
        why = f"k = {k} is the first for which k or fewer have at least {words} = "
        found = Fraction(k, self.n)
        links: list[tuple[str, Node, str]] = [
            ("=", Num(Fraction(k)) / self.n, f"{why}{decimal_text(share)}")
        ]
        if found.denominator != self.n:
            links.append(("=", Num(found), ""))
        return Step("prove", before=symbol, after=Num(found), links=tuple(links))

    def _table(self) -> Table:
        low, high = (self.quantile((1 + sign * self.level) / 2) for sign in (-1, 1))
        kept = [
            k
            for k in range(self.n + 1)
            if self.n < MOST_ROWS or k in (0, self.n) or min(abs(k - low), abs(k - high)) <= NEAR
        ]
        rows: list[Row | int] = []
        last = -1
        for k in kept:
            if k > last + 1:
                rows.append(k - last - 1)
            # A space, not nothing, so that all tables of one length are alike to a template.
            mark = {low: "lower end", high: "upper end"}.get(k, " ")
            if low == high == k:
                mark = "both ends"
            numbers = [Rounded(digits(chance)) for chance in self.chances(k)]
            rows.append((str(k), Num(Fraction(k, self.n)), *numbers, mark))
            last = k
        heads = ("k", "k/n", "probability of k", "of k or fewer", "")
        return Table(heads, tuple(rows), caption="Every outcome of a resample.")


MEANING = (
    "From the n trials, n are drawn with replacement, again and again; the interval is the middle "
    "of the shares that come out. Each draw is a success with probability p = r/n, so the number "
    "of successes follows a binomial distribution: it is taken exactly, and nothing is drawn."
)
