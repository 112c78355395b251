"""Pictures that move with the threshold, the quota, the costs."""

from binteach.explorers.base import Explorer
from binteach.explorers.edit import Edit as edit
from binteach.explorers.quota import Quota as quota
from binteach.explorers.threshold import Threshold as threshold

explore = threshold

__all__ = ["Explorer", "edit", "explore", "quota", "threshold"]
