"""How far an estimate can be trusted: intervals for a share, and how often they hold the truth."""

from binteach.inference.areas import AREA_METHODS, AreaInterval
from binteach.inference.intervals import METHODS, Coverage, Interval, coverage, interval

__all__ = [
    "AREA_METHODS",
    "METHODS",
    "AreaInterval",
    "Coverage",
    "Interval",
    "coverage",
    "interval",
]
