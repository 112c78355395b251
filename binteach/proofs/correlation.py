"""The Matthews correlation: what it has to do with Youden's index and with Pearson."""

from __future__ import annotations

from binteach.expr import Sqrt, Sym
from binteach.measures.base import Prose
from binteach.measures.symbols import FN, FP, TN, TP, N
from binteach.proofs.base import Argument, Identity
from binteach.proofs.four_counts import MARGINS, MARKEDNESS, MCC, PI, SHARES, D, J, Q
from binteach.proofs.writing import DEFINITION, both, eq, proved

_CODES = {"y": (PI, TP + FN, FP + TN), "ŷ": (Q, TP + FP, FN + TN)}


def _variance(code: str) -> Sym:
    mean, _, _ = _CODES[code]
    return Sym("var", arg=Sym(code), meaning=f"variance of {code}", definition=mean * (1 - mean))


def _variance_of_a_code(code: str, lead: Prose) -> Argument:
    """The variance of a 0/1 code with mean m is m(1 − m)."""
    mean, ones, zeros = _CODES[code]
    name = mean.base
    return Argument(
        _variance(code),
        (
            eq(
                (ones * (1 - mean) ** 2 + zeros * (0 - mean) ** 2) / N,
                "the mean squared distance from the mean",
            ),
            eq(
                mean * (1 - mean) ** 2 + (1 - mean) * mean**2,
                f"the shares of ones and zeros are {name} and 1 − {name}",
            ),
            eq(mean * (1 - mean) * both(1 - mean, mean), f"take {name}(1 − {name}) out"),
            eq(mean * (1 - mean), "the bracket is 1"),
        ),
        lead,
    )


COVARIANCE = Sym(
    "cov", arg=Sym("ŷ, y"), meaning="covariance of ŷ and y", definition=TP / N - PI * Q
)

IDENTITIES: tuple[Identity, ...] = (
    proved(
        "mcc_squared",
        "The square of the Matthews correlation is the Youden index times the markedness",
        MCC**2,
        eq((D / Sqrt(MARGINS)) ** 2, DEFINITION),
        eq(D**2 / MARGINS, "square above and below"),
        eq(
            (D / ((TP + FN) * (FP + TN))) * (D / ((TP + FP) * (TN + FN))),
            "share out the four brackets",
        ),
        eq(J * MARKEDNESS, "see youden_in_counts and markedness_in_counts"),
    ),
    proved(
        "mcc_by_youden",
        "The Matthews correlation is the Youden index, scaled by how π and q differ",
        MCC,
        eq(D / Sqrt(MARGINS), DEFINITION),
        eq(
            (D / ((TP + FN) * (FP + TN))) * (((TP + FN) * (FP + TN)) / Sqrt(MARGINS)),
            "multiply and divide by (TP + FN)(FP + TN)",
        ),
        eq(J * (((TP + FN) * (FP + TN)) / Sqrt(MARGINS)), "see youden_in_counts"),
        eq(
            J * Sqrt(((TP + FN) * (FP + TN)) ** 2 / MARGINS),
            "bring the numerator under the root",
        ),
        eq(
            J * Sqrt(((TP + FN) * (FP + TN)) / ((TP + FP) * (TN + FN))),
            "cancel (TP + FN)(FP + TN)",
        ),
        eq(J * Sqrt((PI * (1 - PI)) / (Q * (1 - Q))), "divide above and below by n²"),
        lead=SHARES,
    ),
    proved(
        "mcc_is_phi",
        "The Matthews correlation is Pearson's correlation of the classes coded 0 and 1",
        MCC,
        eq(D / Sqrt(MARGINS), DEFINITION),
        eq(
            (D / N**2)
            / Sqrt(((TP + FN) / N) * ((TP + FP) / N) * ((TN + FP) / N) * ((TN + FN) / N)),
            "divide above and below by n²",
        ),
        eq((D / N**2) / Sqrt(PI * Q * (1 - PI) * (1 - Q)), DEFINITION),
        eq(
            (TP / N - PI * Q) / Sqrt(PI * Q * (1 - PI) * (1 - Q)),
            "see wracc_in_counts",
        ),
        eq(
            COVARIANCE / Sqrt(_variance("y") * _variance("ŷ")),
            "by what was shown above",
        ),
        before=(
            _variance_of_a_code(
                "y",
                (
                    *SHARES,
                    " Code positive as 1 and negative as 0. The mean of the real codes y is π:",
                ),
            ),
            _variance_of_a_code(
                "ŷ", ("The mean of the called codes ŷ is q, and in the same way:",)
            ),
            Argument(
                COVARIANCE,
                (
                    eq(
                        (
                            TP * (1 - PI) * (1 - Q)
                            + FP * (0 - PI) * (1 - Q)
                            + FN * (1 - PI) * (0 - Q)
                            + TN * (0 - PI) * (0 - Q)
                        )
                        / N,
                        "the mean product of the distances from the means",
                    ),
                    eq(
                        (TP - (TP + FP) * PI - (TP + FN) * Q + N * PI * Q) / N,
                        "multiply out and collect π, q and πq",
                    ),
                    eq(TP / N - Q * PI - PI * Q + PI * Q, "split the fraction"),
                    eq(TP / N - PI * Q, "cancel"),
                ),
                ("The covariance goes through the four cells:",),
            ),
        ),
        lead=("Now the correlation:",),
        source="Berrar, Definition 15",
    ),
)
