"""How far an estimate can be trusted: intervals, their coverage, and two models compared."""

from binteach.inference.areas import AREA_METHODS, AreaInterval
from binteach.inference.comparison import COMPARISONS, DeLong, McNemar, compare
from binteach.inference.intervals import METHODS, Coverage, Interval, coverage, interval
from binteach.inference.outcomes import Bootstrap, Permutation

__all__ = [
    "AREA_METHODS",
    "COMPARISONS",
    "METHODS",
    "AreaInterval",
    "Bootstrap",
    "Coverage",
    "DeLong",
    "Interval",
    "McNemar",
    "Permutation",
    "compare",
    "coverage",
    "interval",
]
