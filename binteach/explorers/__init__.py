"""Pictures that move with the threshold, the quota, the costs."""

from binteach.explorers.base import Explorer
from binteach.explorers.compare import Compare as compare
from binteach.explorers.costs import Costs as costs
from binteach.explorers.intervals import Intervals as intervals
from binteach.explorers.losses import Losses as losses
from binteach.explorers.prevalence import Prevalence as prevalence
from binteach.explorers.quota import Quota as quota
from binteach.explorers.threshold import Threshold as threshold
from binteach.explorers.voting import Voting as voting

explore = threshold

OF_CASES = {
    "threshold": threshold,
    "quota": quota,
    "prevalence": prevalence,
    "costs": costs,
    "losses": losses,
}
"""Name -> explorer, of those that need nothing but cases."""

__all__ = [
    "OF_CASES",
    "Explorer",
    "compare",
    "costs",
    "explore",
    "intervals",
    "losses",
    "prevalence",
    "quota",
    "threshold",
    "voting",
]
