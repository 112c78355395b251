"""Identities that connect the measures, each with a proof and with machine checks.

A proof is a chain of equal things, each link with its reason. Nothing in it is taken on trust:
every link is evaluated exactly on many data, and where it is algebra of the four counts, sympy
reduces the difference of both sides to 0.
"""

from binteach.exact import shorten
from binteach.proofs import (
    agreement,
    auc,
    by_class,
    complements,
    correlation,
    disguises,
    exchanges,
    f_family,
    informedness,
    precision,
    qrecalls,
    rules,
    scores,
    youden,
)
from binteach.proofs.base import Identities, Identity

_MODULES = (
    complements,
    f_family,
    by_class,
    informedness,
    correlation,
    agreement,
    scores,
    auc,
    disguises,
    youden,
    precision,
    qrecalls,
    exchanges,
    rules,
)
_ALL: dict[str, Identity] = {found.key: found for module in _MODULES for found in module.IDENTITIES}


def identities() -> Identities:
    """Every identity, in the order of the lessons."""
    return Identities(tuple(_ALL.values()))


def identity(key: str) -> Identity:
    """One identity by its key.

    >>> identity("pem_is_gini").key
    'pem_is_gini'
    """
    if not isinstance(key, str) or key not in _ALL:
        import difflib

        close = difflib.get_close_matches(str(key), _ALL, n=3)
        hint = f"did you mean {' or '.join(close)}?" if close else "bt.identities() lists them"
        raise ValueError(f"there is no identity {shorten(key)}; {hint}")
    return _ALL[key]
