"""Random choices for exercises: from one seed the same on every machine and in every Python.

Python promises that `random.Random(seed).random()` gives the same numbers for ever; of its other
methods it does not, so everything here is made of that one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

from binteach.cases import Cases, Counts

T = TypeVar("T")

MOST_SHUFFLES = 10_000


class Draw:
    """A source of choices; `seed` may have several parts. `drawn` tells whether it was used."""

    def __init__(self, *seed: object) -> None:
        self._next = random.Random("/".join(map(str, seed))).random
        self.drawn = False

    def _random(self) -> float:
        self.drawn = True
        return self._next()

    def whole(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + int(self._random() * (high - low + 1))

    def choice(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.whole(0, len(options) - 1)]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in another order."""
        return self.sample(items, len(items))

    def sample(self, items: Sequence[T], k: int) -> list[T]:
        """k different items."""
        left = list(items)
        for place in range(k):
            other = self.whole(place, len(left) - 1)
            left[place], left[other] = left[other], left[place]
        return left[:k]

    def such(self, make: Callable[[], T], holds: Callable[[T], bool]) -> T:
        """What is made until it holds."""
        for _ in range(MOST_SHUFFLES):
            made = make()
            if holds(made):
                return made
        raise ValueError(f"nothing that holds was drawn in {MOST_SHUFFLES} tries")

    def counts(self, low: int = 2, high: int = 15) -> Counts:
        """A confusion matrix of four different counts, so that no two of them can be mixed up.

        Of each class, most cases are called rightly.
        """
        tp, fp, fn, tn = self.such(
            lambda: self.sample(range(low, high + 1), 4),
            lambda cells: cells[0] > cells[2] and cells[3] > cells[1],
        )
        return Counts(tp=tp, fp=fp, fn=fn, tn=tn)

    def cases(
        self,
        n: int = 10,
        positives: int = 5,
        *,
        ties: int = 0,
        auc: tuple[Fraction | str, Fraction | str] = ("3/5", "19/20"),
    ) -> Cases:
        """Cases with scores of two decimals, ranked neither perfectly nor at random.

        Of the places next to each other in the ranking, `ties` pairs of a positive and a negative
        share their score. `auc` bounds the area under the ROC curve.
        """
        low, high = Fraction(auc[0]), Fraction(auc[1])
        step = 0.9 / n
        for _ in range(MOST_SHUFFLES):
            labels = self.shuffled([1] * positives + [0] * (n - positives))
            # One score in each of n strips, the highest strip first.
            strips = [0.95 - step * (place + self._random() * 0.8) for place in range(n)]
            scores = [Fraction(round(100 * score), 100) for score in strips]
            if not self._tie(labels, scores, ties) or len(set(scores)) != n - ties:
                continue
            if not low <= _share_of_pairs(labels, scores) <= high:
                continue
            order = self.shuffled(range(n))
            return Cases([labels[place] for place in order], [scores[place] for place in order])
        raise ValueError(
            f"no ranking of {n} cases has {ties} ties and an area from {low} to {high}"
        )

    def _tie(self, labels: Sequence[int], scores: list[Fraction], ties: int) -> bool:
        """Give so many mixed neighbours one score; False where there are not so many."""
        mixed = [place for place in range(1, len(labels)) if labels[place] != labels[place - 1]]
        chosen: list[int] = []
        for place in self.shuffled(mixed):
            if len(chosen) < ties and all(abs(place - other) > 1 for other in chosen):
                chosen.append(place)
        for place in chosen:
            scores[place] = scores[place - 1]
        return len(chosen) == ties


def _share_of_pairs(labels: Sequence[int], scores: Sequence[Fraction]) -> Fraction:
    """The pairs of a positive and a negative that stand in order; a tie is one half."""
    ranked = list(zip(labels, scores, strict=True))
    won = [
        1 if mine > theirs else Fraction(mine == theirs, 2)
        for label, mine in ranked
        for other, theirs in ranked
        if label and not other
    ]
    return Fraction(sum(won), len(won))
