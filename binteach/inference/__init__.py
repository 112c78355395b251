"""How far an estimate can be trusted: intervals for a share, and how often they hold the truth."""

from binteach.inference.intervals import METHODS, Coverage, Interval, coverage, interval

__all__ = ["METHODS", "Coverage", "Interval", "coverage", "interval"]
