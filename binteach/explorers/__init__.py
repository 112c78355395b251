"""Pictures that move with the threshold, the quota, the costs."""

from binteach.explorers.base import Explorer
from binteach.explorers.intervals import Intervals as intervals
from binteach.explorers.losses import Losses as losses
from binteach.explorers.threshold import Threshold as threshold

explore = threshold

__all__ = ["Explorer", "explore", "intervals", "losses", "threshold"]
