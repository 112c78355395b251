"""Pictures that move with the threshold, the quota, the costs."""

from binteach.explorers.base import Explorer
from binteach.explorers.costs import Costs as costs
from binteach.explorers.prevalence import Prevalence as prevalence
from binteach.explorers.quota import Quota as quota
from binteach.explorers.threshold import Threshold as threshold

explore = threshold

OF_CASES = {"threshold": threshold, "quota": quota, "prevalence": prevalence, "costs": costs}
"""Name -> explorer, of those that need nothing but cases."""

__all__ = ["OF_CASES", "Explorer", "costs", "explore", "prevalence", "quota", "threshold"]
