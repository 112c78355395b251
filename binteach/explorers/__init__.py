"""Pictures that move with the threshold, the quota, the costs."""

from binteach.explorers.base import Explorer
from binteach.explorers.costs import Costs as costs
from binteach.explorers.prevalence import Prevalence as prevalence
from binteach.explorers.threshold import Threshold as threshold

explore = threshold

__all__ = ["Explorer", "costs", "explore", "prevalence", "threshold"]
