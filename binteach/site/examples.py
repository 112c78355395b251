"""Each measure on the ten cases: its worked value, and its curve over the cuts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from binteach.cases import Cases, Undefined
from binteach.curves import Point, curve
from binteach.data import load
from binteach.derivation import Derivation, Table, explain
from binteach.expr import Num
from binteach.measures import Measure
from binteach.render.html import Page
from binteach.render.words import Grid
from binteach.site.plot import Line, svg

TEN = 'bt.load("ten_cases")'
CUT = 4  # cases called positive in the worked example

# What the ten cases alone do not show: parameters that make a difference.
PARAMETERS: Mapping[str, dict[str, Any]] = {
    "f_beta": {"beta": 2},
    "f_alpha": {"alpha": "1/4"},
    "expected_cost": {"cost_fp": 1, "cost_fn": 5},
    "roc_n": {"n": 2},
    "hinge_loss": {"scale": 4},
}
TRIPLETS = [([0, 0], [1, 2], [3, 4]), ([0, 0], ["1/2", 0], [0, "0.3"])]

# The picture that a measure of the whole ranking is read from.
CURVE_OF = {
    **dict.fromkeys(("auc", "gini", "equal_error_rate", "roc_n"), "roc"),
    "auch": "roc_hull",
    **dict.fromkeys(("ks", "taks", "max_youden"), "tpr_fpr"),
    **dict.fromkeys(("average_precision", "mean_precision"), "pr"),
    **dict.fromkeys(("aucpr_min", "aucpr_minmax", "aucpr_max"), "pr"),
    "average_gain": "gain",
    "average_lift": "lift",
    "average_hit_rate": "hit_rate",
    **dict.fromkeys(("average_qrecall", "pem"), "qrecall"),
}


@cache
def ten() -> Cases:
    """Berrar's ten cases."""
    cases: Cases = load("ten_cases")
    return cases


def parameters(measure: Measure) -> dict[str, Any]:
    """What the worked example gives besides the data."""
    given = PARAMETERS.get(measure.key, {})
    return {"top": CUT, **given} if "top" in measure.accepts else given


def data_of(measure: Measure) -> tuple[str, Any]:
    """What the worked example is computed from, as a piece of Python and as data."""
    if measure.takes == "triplets":
        return repr(TRIPLETS), TRIPLETS
    if measure.takes == "classes":
        code = f'{{"one": {TEN}, "two": bt.load("arbel_2")}}'
        return code, {"one": ten(), "two": load("arbel_2")}
    return TEN, ten()


def worked(measure: Measure) -> tuple[str, Derivation]:
    """A line of Python, and the derivation that it shows."""
    (code, data), given = data_of(measure), parameters(measure)
    written = "".join(f", {name}={value!r}" for name, value in given.items())
    return f'bt.explain("{measure.key}", {code}{written})', explain(measure, data, **given)


# Pictures -----------------------------------------------------------------------------------------


def pictured(measure: Measure) -> tuple[str, str] | None:
    """A sentence on the curve of a measure, and the picture with its numbers, in HTML."""
    if measure.takes in ("triplets", "classes"):
        return None
    if measure.takes == "scores":
        return _by_score(measure)
    if measure.key in CURVE_OF:
        return _of_ranking(CURVE_OF[measure.key])
    if "decile" in measure.params:
        return _by_cut(measure, "decile", range(1, 11), "tenth of the ranking")
    return _by_cut(measure, "top", range(ten().n + 1), "cases called positive")


def _tried(measure: Measure, data: Cases, given: Mapping[str, Any]) -> Any:
    """A value, or None where there is none."""
    try:
        return measure(data, **given)
    except Undefined:
        return None


def _by_cut(measure: Measure, name: str, cuts: range, label: str) -> tuple[str, str]:
    given = parameters(measure)
    values = {cut: _tried(measure, ten(), {**given, name: cut}) for cut in cuts}
    points = [(float(cut), None if v is None else float(v)) for cut, v in values.items()]
    said = f"{measure.title} of the ten cases, for every number of {label}."
    if name == "decile":
        said = f"{measure.title} of the ten cases, for every {label}."
    gaps = [str(cut) for cut, value in values.items() if value is None]
    if gaps:
        said += f" It is undefined at {', '.join(gaps)}."
    rows = tuple(
        (str(cut), "undefined" if value is None else _cell(value)) for cut, value in values.items()
    )
    table = Table((label, measure.symbol), rows)
    return said, _figure(svg([Line(measure.title, points)], label, measure.title, said), table)


def _cell(value: Any) -> Any:
    """A number for a table: exact where it is a fraction, and rounded where it is not."""
    return Num(value) if isinstance(value, Fraction) else f"{float(value):.4f}"


def _floats(points: Iterable[Point]) -> list[tuple[float, float]]:
    return [(float(point.x), float(point.y)) for point in points]


def roc_picture(cases: Cases) -> str:
    """The ROC curve of any cases, in HTML; of many, as many points as are seen."""
    line = Line("ROC curve", _floats(curve("roc", cases).thin(400).points))
    return svg([line], "FPR", "TPR", f"ROC curve of {cases.n} cases")


def _of_ranking(name: str) -> tuple[str, str]:
    found = curve(name, ten())
    lines = [Line(series, _floats(points)) for series, points in found.series.items()]
    if name == "roc_hull":  # it is seen beside the curve that it is the hull of
        below = Line("ROC curve", _floats(curve("roc", ten()).points))
        lines = [Line("hull", lines[0].points), below]
    said = f"{found.title} of the ten cases, from which it is read."
    return said, _figure(svg(lines, found.x, found.y, said), found.table())


STEPS = 40
SINGLE: Mapping[str, dict[str, Any]] = {
    # One case alone has no share of negatives: these are those of the ten cases.
    "balanced_cross_entropy": {"alpha": "1/2"},
    "information_score": {"prior": "1/2"},
    "relative_information_score": {"prior": "1/2"},
}


def _by_score(measure: Measure) -> tuple[str, str]:
    """A measure of scores knows no cut: what one case adds, by its score."""
    given = {**parameters(measure), **SINGLE.get(measure.key, {})}

    def line(name: str, label: int) -> Line:
        found: list[tuple[float, float | None]] = []
        for step in range(1, STEPS):
            score = Fraction(step, STEPS)
            value = _tried(measure, Cases([label], [score]), given)
            found.append((float(score), None if value is None else float(value)))
        return Line(name, found)

    said = (
        f"{measure.title} needs no cut. The curve shows what it comes to for one case alone, "
        "positive or negative, by its score."
    )
    drawn = svg([line("positive case", 1), line("negative case", 0)], "score", measure.title, said)
    return said, drawn


def _figure(drawn: str, table: Table) -> str:
    return f'<div class="beside">{drawn}{Page().body([Grid(table)])}</div>'
