"""How far an estimate can be trusted: intervals, resampling, and two models compared."""

from binteach.inference.areas import AREA_METHODS, AreaInterval
from binteach.inference.comparison import COMPARISONS, compare
from binteach.inference.correlated_areas import DeLong
from binteach.inference.discordance import McNemar
from binteach.inference.intervals import METHODS, Coverage, Interval, coverage, interval
from binteach.inference.outcomes import Bootstrap, Permutation
from binteach.inference.paired import paired_bootstrap, paired_permutation
from binteach.inference.resampling import bootstrap, permutation_test
from binteach.inference.retraining import Boundary, bootstrap_oob, permutation_retrain

__all__ = [
    "AREA_METHODS",
    "COMPARISONS",
    "METHODS",
    "AreaInterval",
    "Bootstrap",
    "Boundary",
    "Coverage",
    "DeLong",
    "Interval",
    "McNemar",
    "Permutation",
    "bootstrap",
    "bootstrap_oob",
    "compare",
    "coverage",
    "interval",
    "paired_bootstrap",
    "paired_permutation",
    "permutation_retrain",
    "permutation_test",
]
