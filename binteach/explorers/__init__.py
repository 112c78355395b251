"""Pictures that move with the threshold, the quota, the costs."""

from binteach.explorers.base import Explorer
from binteach.explorers.compare import Compare as compare
from binteach.explorers.threshold import Threshold as threshold
from binteach.explorers.voting import Voting as voting

explore = threshold

__all__ = ["Explorer", "compare", "explore", "threshold", "voting"]
