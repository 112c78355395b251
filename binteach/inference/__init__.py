"""How far an estimate can be trusted: intervals, resampling, and two models compared."""

from binteach.inference.areas import AREA_METHODS, AreaInterval
from binteach.inference.comparison import COMPARISONS, DeLong, McNemar, compare
from binteach.inference.intervals import METHODS, Coverage, Interval, coverage, interval
from binteach.inference.outcomes import Bootstrap, Permutation
from binteach.inference.paired import paired_bootstrap, paired_permutation
from binteach.inference.resampling import bootstrap, permutation_test

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
    "bootstrap",
    "compare",
    "coverage",
    "interval",
    "paired_bootstrap",
    "paired_permutation",
    "permutation_test",
]
