"""Time functions side by side, and show what was found as one table.

A ratio is binteach's median over its peer's, both from one run in which they took turns: a busy
moment of the machine hits both alike. Times alone are noise, and are shown for their order of
magnitude only.
"""

import gc
import math
import statistics
import tracemalloc
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter

Work = Callable[[], object]

HEADS = ("what", "binteach", "peer", "ratio", "bar", "met")


@dataclass(frozen=True)
class Row:
    """One line of the table: what was found, and whether it is within the bar, if there is one."""

    what: str
    ours: str
    bar: str
    met: bool
    peer: str = ""
    ratio: str = ""

    def cells(self) -> tuple[str, ...]:
        met = ("yes" if self.met else "NO") if self.bar else ""
        return (self.what, self.ours, self.peer, self.ratio, self.bar, met)


# Measuring --------------------------------------------------------------------------------------


def medians(*works: Work, repeats: int) -> list[float]:
    """The median seconds of each work; they take turns, each second round in reverse."""
    seconds: list[list[float]] = [[] for _ in works]
    for work in works:
        work()  # what the first call loads or caches is not the question
    gc.collect()
    gc.disable()  # whose turn it is to tidy up would be chance
    try:
        for turn in range(repeats):
            places = range(len(works)) if turn % 2 == 0 else reversed(range(len(works)))
            for place in places:
                start = perf_counter()
                works[place]()
                seconds[place].append(perf_counter() - start)
    finally:
        gc.enable()
    return [statistics.median(times) for times in seconds]


def growth(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """The exponent e in seconds ~ size^e, from the first size to the last."""
    return math.log(seconds[-1] / seconds[0]) / math.log(sizes[-1] / sizes[0])


def peak_bytes(work: Work) -> int:
    """The most memory that a call held at one time, beyond what was there before it.

    tracemalloc sees what Python and numpy allocate, to the byte. The high-water mark of the
    process would add what the allocator keeps and what making the data had needed.
    """
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        work()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


# Rows -------------------------------------------------------------------------------------------


def compared(what: str, ours: Work, peer: Work, most: float, repeats: int) -> Row:
    """A row that asks for at most so many times the peer's time."""
    mine, other = medians(ours, peer, repeats=repeats)
    return ratio(what, mine, other, most)


def ratio(what: str, mine: float, other: float, most: float) -> Row:
    """The same of times that were measured elsewhere."""
    return Row(
        what,
        ours=shown_time(mine),
        peer=shown_time(other),
        ratio=f"{mine / other:.3f}",
        bar=f"≤ {most:g}",
        met=mine / other <= most,
    )


def within(what: str, seconds: float, most: float, peer: str = "") -> Row:
    """A row that asks for at most so many seconds."""
    return Row(what, shown_time(seconds), f"≤ {shown_time(most)}", seconds <= most, peer)


def noted(what: str, seconds: float, peer: str = "") -> Row:
    """A row that asks for nothing."""
    return Row(what, shown_time(seconds), bar="", met=True, peer=peer)


def at_most(what: str, figure: float, most: float, unit: str = "") -> Row:
    """A row that asks for at most so much of anything."""
    return Row(what, f"{figure:.2f}{unit}", bar=f"≤ {most:g}{unit}", met=figure <= most)


def shown_time(seconds: float) -> str:
    for size, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


# Showing ----------------------------------------------------------------------------------------


def text_table(rows: Iterable[Row]) -> str:
    """The table for the terminal; an arrow points at each missed bar."""
    lines = [HEADS, *(row.cells() for row in rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(HEADS))]
    shown = []
    for line in lines:
        cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
        shown.append("  ".join(cells).rstrip() + ("  <== MISSED" if line[-1] == "NO" else ""))
    return "\n".join([shown[0], "-" * len(shown[0]), *shown[1:]])


def markdown_table(rows: Iterable[Row]) -> str:
    """The table for a README; what was missed is bold."""
    lines = [HEADS, ("---",) * len(HEADS)]
    for row in rows:
        *cells, met = row.cells()
        lines.append((*cells, met if row.met else f"**{met}**"))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def summary(rows: Sequence[Row]) -> str:
    """How many bars were met, and which were not."""
    missed = [row.what for row in rows if not row.met]
    bars = sum(1 for row in rows if row.bar)
    found = f"{bars - len(missed)} of {bars} bars met"
    return f"{found}; MISSED: {'; '.join(missed)}" if missed else found
