"""How far an estimate can be trusted: intervals, resampling, and how often they are right."""

from binteach.inference.intervals import METHODS, Coverage, Interval, coverage, interval
from binteach.inference.outcomes import Bootstrap, Permutation
from binteach.inference.paired import paired_bootstrap, paired_permutation
from binteach.inference.resampling import bootstrap, permutation_test

__all__ = [
    "METHODS",
    "Bootstrap",
    "Coverage",
    "Interval",
    "Permutation",
    "bootstrap",
    "coverage",
    "interval",
    "paired_bootstrap",
    "paired_permutation",
    "permutation_test",
]
