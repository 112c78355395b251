"""Pictures that move with the threshold, the quota, the costs."""

from binteach.explorers.base import Explorer
from binteach.explorers.quota import Quota as quota
from binteach.explorers.threshold import Threshold as threshold

explore = threshold

OF_CASES = {"threshold": threshold, "quota": quota}
"""Name -> explorer, of those that need nothing but cases."""

__all__ = ["OF_CASES", "Explorer", "explore", "quota", "threshold"]
