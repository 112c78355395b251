"""Quantiles of the F and the beta distribution: by scipy, and digit by digit where there is none.

Both ways agree in all digits that are shown; scipy is much faster.
"""

from __future__ import annotations

from typing import Any

from binteach.needs import is_there

PRECISION = 30  # decimal digits on the way to a quantile
CLOSE = 2.0**-60  # part of it by which a quantile may be off; a double has 53 binary digits


def f_quantile(p: float, above: int, below: int) -> float:
    """The number below which F lies with probability p, with these degrees of freedom."""
    if is_there("scipy"):
        from scipy.stats import f

        return float(f.ppf(p, above, below))
    # above · F / (above · F + below) has a beta distribution.
    low, high = _share(p, above / 2, below / 2)
    return float(below * low / (above * high))


def beta_quantile(p: float, a: float, b: float) -> float:
    """The number below which a beta distributed one lies with probability p."""
    if is_there("scipy"):
        from scipy.stats import beta

        return float(beta.ppf(p, a, b))
    return float(_share(p, a, b)[0])


def beta_upper_quantile(p: float, a: float, b: float) -> float:
    """The number above which a beta distributed one lies with probability p."""
    if is_there("scipy"):
        from scipy.stats import beta

        return float(beta.isf(p, a, b))
    # The distribution is mirrored where a and b change places.
    return float(_share(p, b, a)[1])


def _share(p: float, a: float, b: float) -> tuple[Any, Any]:
    """x and 1 − x where I_x(a, b) = p: by Newton's steps, halving where one leads astray."""
    import mpmath

    with mpmath.workdps(PRECISION):
        low, high, x = mpmath.mpf(0), mpmath.mpf(1), mpmath.mpf(a) / (a + b)
        scale = mpmath.beta(a, b)
        while True:
            gap = mpmath.betainc(a, b, 0, x, regularized=True) - p
            low, high = (x, high) if gap < 0 else (low, x)
            after = x - gap * scale / (x ** (a - 1) * (1 - x) ** (b - 1))
            if not low < after < high:
                after = (low + high) / 2
            if abs(after - x) <= CLOSE * min(x, 1 - x):
                return after, 1 - after
            x = after
