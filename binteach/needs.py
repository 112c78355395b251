"""What a Python may lack: numpy, scipy and Bokeh are not everywhere, as in a browser.

The exact core does without them. What cannot says so here, in one sentence.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module


class Missing(ImportError):
    """A package that is not there; the message says what it is needed for, and what to do."""


@cache
def is_there(package: str) -> bool:
    """Whether a package can be loaded."""
    try:
        import_module(package)
    except ImportError:
        return False
    return True


def need(package: str, what: str) -> None:
    """Raise one clear error where a package is missing that `what` cannot do without."""
    if not is_there(package):
        raise Missing(
            f"{package} is not there in this Python, and without it there is no {what}. On a "
            f"computer of your own, `pip install {package}` brings it; in a browser, open the "
            "notebook on a computer that has it. Everything else works without it",
            name=package,
        )
