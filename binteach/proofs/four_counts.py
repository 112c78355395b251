"""What the proofs about the four counts share.

Three numbers stand behind most of them:
  TP × TN − FP × FN   positive if the model knows something; Youden, MCC, kappa, gain, ...
                      are this number, each divided by something else
  π = (TP + FN) / n   the prevalence
  q = (TP + FP) / n   the share of cases called positive
"""

from __future__ import annotations

from binteach.expr import Sym
from binteach.measures.base import Prose
from binteach.measures.symbols import FN, FP, TN, TP, N
from binteach.proofs.base import of

PI = Sym("π", meaning="prevalence", definition=(TP + FN) / N)
Q = Sym("q", meaning="share of cases called positive", definition=(TP + FP) / N)
SHARES: Prose = ("Let ", PI, " = ", (TP + FN) / N, " and ", Q, " = ", (TP + FP) / N, ".")
PREVALENCE: Prose = ("Let ", PI, " = ", (TP + FN) / N, ".")

D = TP * TN - FP * FN
MARGINS = (TP + FN) * (TP + FP) * (TN + FP) * (TN + FN)

J, FPR = of("youden_index"), of("false_positive_rate")
MCC, MARKEDNESS = of("matthews_correlation"), of("markedness")
WRACC = of("weighted_relative_accuracy")
