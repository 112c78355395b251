"""The compare explorer: several models on the same cases, and who wins under which measure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from binteach.cases import Cases, Counts, Cut, decimal_text
from binteach.derivation import explain
from binteach.exact import shorten
from binteach.explorers import compare_figures, dominance, look, rates
from binteach.explorers.base import Explorer, Setting, View, note
from binteach.explorers.contest import MOST_NAMED, Mark, is_contest, mark, order, ranks, tally
from binteach.explorers.dominance import Point, Stretch, hull, stretches
from binteach.explorers.models import checked_models, example
from binteach.explorers.state import (
    CutTable,
    Templates,
    measure_key,
    one_of,
    squeezed,
    whole_number,
)
from binteach.measures import MEASURES
from binteach.render import html

MOST_MODELS = 8  # that can be told apart by colour, dash and marker
MOST_PLACES = 200  # positions of the slider
MOST_DERIVED = 20  # confusion matrices whose measures are derived beforehand
MOST_CORNERS = 5000  # of a curve whose areas of dominance are exact

GROUPS = {
    "ranking": "Ranking measures",
    "scores": "Losses and information",
    "counts": "Counts measures at this cut",
    "quota": "Quota measures at this cut",
}
AT_A_QUOTA = ("hit_rate", "qrecall", "quota_lift", "quota_pearson")
FIXED = ("ranking", "scores")  # groups that do not move with the cut


def _group(key: str) -> str:
    takes = MEASURES[key].takes
    return "ranking" if takes == "quota" and key not in AT_A_QUOTA else takes


# With their usual parameters these are the F-measure and the error rate once more, and every
# measure should count once.
TWICE = ("f_beta", "f_alpha", "expected_cost")
KEYS = {
    group: [key for key in MEASURES if _group(key) == group and key not in TWICE]
    for group in GROUPS
}


class Compare(Explorer):
    """Which model is best? It depends on the measure, and on the cut.

    models   names -> Cases, of 2 to 8 models on the same cases in the same order; or names ->
             Counts, of classifiers that have made their calls already
    cut      how many cases are called positive by each model: 0 to n, where at least one of them
             has no tie; the middle of all cuts unless given, and none for Counts
    measure  the measure that is drawn and derived, by any of its names
    group    the measures in the table: "ranking", "scores", "counts" or "quota"

    `cut`, `measure` and `group` are traits, too: they follow the page, and can be set and observed.
    Of more than 200 cuts the slider goes through 200, and one that is left out becomes the nearest
    of these. The figures are "roc", "pr" (not for Counts) and "measure".

        e = bt.explorers.compare({"A": bt.load("ten_cases"), "B": bt.load("ten_cases_b")}, cut=4)
        e                       # as the last line of a cell: the page
        e.group = "scores"      # another table
        e.save("models.html")   # one file that works without Python
        e.figure("roc")         # a Bokeh figure; e.svg("roc") and e.png("roc") for slides
        bt.explorers.compare.example("murphy_abc")   # also "berrar", "murphy" and "arbel"
    """

    kind = "compare"

    def __init__(
        self,
        models: Mapping[str, Cases] | Mapping[str, Counts],
        cut: int | None = None,
        measure: str | None = None,
        group: str | None = None,
    ) -> None:
        super().__init__()
        self.models = checked_models(models, MOST_MODELS, counts=True)
        self.hard = isinstance(next(iter(self.models.values())), Counts)
        self.names = [look.shown_text(name) for name in self.models]  # for pages
        self._marks: dict[str, list[list[Mark]]] = {}
        usual = ("mutual_information", "counts") if self.hard else ("accuracy", "ranking")
        self.measure = usual[0] if measure is None else measure
        self.group = usual[1] if group is None else group
        self.cut = self.k[len(self.k) // 2] if cut is None and not self.hard else cut

    @classmethod
    def example(cls, name: str, **options: Any) -> Compare:
        """Models from the literature: berrar, murphy, murphy_abc or arbel."""
        if name == "berrar":  # these differ in their scores alone
            options = {"group": "scores", "measure": "brier_score"} | options
        return cls(example(name), **options)

    @Setting
    def cut(self, given: object) -> int | None:
        """The number of cases called positive; None for Counts."""
        if self.hard:
            if given is not None:
                raise ValueError(
                    f"cut is {shorten(given)}, but Counts are cut already: leave it out"
                )
            return None
        wanted = whole_number("cut", given, 0, self.every_k[-1])
        if wanted not in self.every_k:
            after = bisect_left(self.every_k, wanted)
            below, above = self.every_k[after - 1 : after + 1]
            raise ValueError(
                f"cut is {wanted}, which cuts through a tie of every model; use {below} or {above}"
            )
        return self.k[_nearest(self.k, wanted)]

    @Setting
    def measure(self, given: object) -> str:
        """The key of the measure that is drawn and explained."""
        return measure_key("measure", given, [key for keys in self.keys.values() for key in keys])

    @Setting
    def group(self, given: object) -> str:
        """The group of measures in the table."""
        return one_of("group", given, self.keys)

    def __repr__(self) -> str:
        names = ", ".join(map(repr, self.models))
        cut = "" if self.hard else f", cut={self.cut}"
        return f"Compare({names}{cut}, measure={self.measure!r})"

    @property
    def keys(self) -> dict[str, list[str]]:
        """The measures that can be had, by group."""
        return {"counts": KEYS["counts"]} if self.hard else KEYS

    def _title(self, group: str) -> str:
        return "Counts measures" if self.hard else GROUPS[group]

    # Cuts --------------------------------------------------------------------------------------

    @cached_property
    def every_k(self) -> list[int]:
        """Wherever at least one model has a cut."""
        return sorted({int(k) for cases in self.models.values() for k in cases.ranking.k})

    @cached_property
    def k(self) -> list[int]:
        """The positions of the slider: all of these, or many of very many."""
        if self.hard:
            return [0]
        every = self.every_k
        if len(every) <= MOST_PLACES:
            return every
        last = len(every) - 1
        return [every[round(step * last / (MOST_PLACES - 1))] for step in range(MOST_PLACES)]

    @cached_property
    def cuts(self) -> dict[str, list[Cut]]:
        """For each model its cut at each position; inside a tie the nearest one that exists."""
        found = {}
        for name, cases in self.models.items():
            exist = cases.ranking.k.tolist()
            found[name] = [cases.ranking.cut(_nearest(exist, k)) for k in self.k]
        return found

    @cached_property
    def counts(self) -> dict[str, list[Counts]]:
        """For each model its counts at each position."""
        if self.hard:
            return {name: [counts] for name, counts in self.models.items()}
        return {name: [cut.counts for cut in cuts] for name, cuts in self.cuts.items()}

    # Values ------------------------------------------------------------------------------------

    def marks(self, key: str) -> list[list[Mark]]:
        """Model by model the values of a measure: one, or one at each position."""
        if key not in self._marks:
            self._marks[key] = self._marked(key)
        return self._marks[key]

    def _marked(self, key: str) -> list[list[Mark]]:
        group = _group(key)
        if group == "counts":
            different = {counts for column in self.counts.values() for counts in column}
            found = {counts: mark(key, counts) for counts in different}
            return [[found[counts] for counts in column] for column in self.counts.values()]
        if group == "quota":
            return [[mark(key, cases, top=k) for k in self.k] for cases in self.models.values()]
        params = self.params(key)
        return [[mark(key, cases, **params)] for cases in self.models.values()]

    def params(self, key: str) -> dict[str, Any]:
        """What a measure is asked with: the hinge loss takes distances made of probabilities."""
        if key == "hinge_loss" and self._probabilities:
            return {"scale": 4}
        return {}

    @cached_property
    def _probabilities(self) -> bool:
        """Whether the scores of all models may be probabilities."""
        return not self.hard and all(
            cases.first_row(lambda score: (score < 0) | (score > 1)) is None
            for cases in self.models.values()
        )

    # What a page needs -------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything that the page switches between."""
        rows, reasons = self._rows()
        return {
            "k": self.k,
            "own": [self.k for _ in self.models] if self.hard else self._own(),
            "last": self.cut,
            "hard": self.hard,
            "names": self.names,
            "signs": [sign for sign, *_ in compare_figures.STYLES],
            "colours": [colour for _, _, colour, *_ in compare_figures.STYLES],
            "groups": {group: [self._title(group), keys] for group, keys in self.keys.items()},
            "rows": rows,
            "reasons": [look.shown_text(reason) for reason in reasons],
            "tallies": self._tallies(rows),
            "sentences": [self._sentence(place) for place in range(len(self.k))],
            "points": self._points(),
            "heads": [self._heads(place) for place in range(len(self.k))],
            "agreement": self._agreement(rows) if self.hard else "",
        } | self._derivations()

    def _own(self) -> list[list[int]]:
        """For each model how many it calls positive at each position."""
        return [[cut.k for cut in cuts] for cuts in self.cuts.values()]

    def _rows(self) -> tuple[dict[str, Any], list[str]]:
        """One row of the table for each measure; reasons for missing values are kept once."""
        rows: dict[str, Any] = {}
        reasons: dict[str, int] = {}
        for group, keys in self.keys.items():
            for key in keys:
                measure, marks = MEASURES[key], self.marks(key)
                drawn = [m.double for column in marks for m in column]
                defined = [each for each in drawn if each is not None]
                low, high = min([*defined, 0.0]), max([*defined, 0.0]) or 1.0
                rows[key] = {
                    "title": measure.title,
                    "short": measure.symbol.base,
                    "arrow": {1: "↑", -1: "↓", 0: ""}[measure.direction],
                    "fixed": group in FIXED or self.hard,
                    "text": [[m.text for m in column] for column in marks],
                    "y": [[m.double for m in column] for column in marks],
                    "why": [
                        [
                            reasons.setdefault(m.reason, len(reasons)) if m.reason else -1
                            for m in column
                        ]
                        for column in marks
                    ],
                    "ranks": [ranks(measure, each) for each in zip(*marks, strict=True)],
                    "low": low - 0.04 * (high - low),
                    "high": high + 0.06 * (high - low),
                }
        return rows, list(reasons)

    def _tallies(self, rows: Mapping[str, Any]) -> dict[str, list[str]]:
        """How often each model wins, in each group, at each position."""
        found = {}
        for group, keys in self.keys.items():
            places = range(1 if group in FIXED else len(self.k))
            found[group] = [
                tally(self.names, [rows[key]["ranks"][place] for key in keys]) for place in places
            ]
        return found

    def _sentence(self, place: int) -> str:
        """What the models do at this position; for hard classifiers, how they stand."""
        parts = []
        for name, column in zip(self.names, self.counts.values(), strict=True):
            c = column[place]
            tp, fp = (decimal_text(Fraction(number)) for number in (c.tp, c.fp))
            parts.append(f"{name} has TP = {tp}, FP = {fp}")
        said = "; ".join(parts)
        if len(parts) > MOST_NAMED:
            said = f"{len(parts)} models are compared"
        if self.hard:
            return f"{said}."
        k = self.k[place]
        called = "1 case is" if k == 1 else f"{k} cases are" if k else "No case is"
        said = f"{called} called positive: {said}."
        for name, cuts in zip(self.names, self.cuts.values(), strict=True):
            if cuts[place].k != k:
                said += f" {name} calls {cuts[place].k}, because tied scores cannot be parted."
        return said

    def _heads(self, place: int) -> list[str]:
        """What stands under the name of a model: where a tie moves its cut."""
        if self.hard:
            return [""] * len(self.names)
        k = self.k[place]
        return [
            "" if cuts[place].k == k else f"tie: {cuts[place].k} called +"
            for cuts in self.cuts.values()
        ]

    def _points(self) -> dict[str, Any]:
        """The current points of each model in the pictures, position by position."""
        points: dict[str, Any] = {}
        for name, keys in {
            "roc": ("false_positive_rate", "sensitivity"),
            "pr": ("sensitivity", "precision"),
        }.items():
            x, y = (self.marks(key) for key in keys)
            points[name] = {
                "x": [[m.double for m in column] for column in x],
                "y": [[m.double for m in column] for column in y],
                "text": [
                    [
                        f"{model}: {compare_figures.AXES[name][0]} {a.text}, "
                        f"{compare_figures.AXES[name][1]} {b.text}"
                        for a, b in zip(xs, ys, strict=True)
                    ]
                    for model, xs, ys in zip(self.models, x, y, strict=True)
                ],
                "label": [
                    _labels(
                        list(self.models) if len(self.models) <= MOST_NAMED else [],
                        [(xs[place].value, ys[place].value) for xs, ys in zip(x, y, strict=True)],
                    )
                    for place in range(len(self.k))
                ],
            }
        return points

    def _agreement(self, rows: Mapping[str, Any]) -> str:
        """Murphy's argument: the order by mutual information, and which measures share it."""
        orders: dict[str, list[str]] = {}
        for row in (rows["mutual_information"], *rows.values()):
            places = row["ranks"][0]
            if is_contest(places):
                lost = [n for n, place in zip(self.names, places, strict=True) if not place]
                missing = f" ({', '.join(lost)} undefined)" if lost else ""
                titles = orders.setdefault(order(self.names, places) + missing, [])
                if row["title"] not in titles:
                    titles.append(row["title"])
        lines = [f"<p><b>{which}</b>: {', '.join(titles)}.</p>" for which, titles in orders.items()]
        return (
            "<h3>Which order?</h3>"
            "<p>Mutual information asks how much a call tells about the real class. A classifier "
            "that gives every case the same call tells nothing, whatever its accuracy (Murphy, "
            "Section 3).</p>" + "".join(lines)
        )

    def rankings(self) -> dict[str, Cases]:
        return {} if self.hard else dict(self.models)

    def _derivation(self) -> str:
        """The derivation of the measure for every model, written now."""
        measure, params = MEASURES[self.measure], self.params(self.measure)
        written = []
        for name, data in self.models.items():
            if measure.takes == "counts" and not self.hard:
                data = data.top(self.cut)
            try:
                found = html.render(explain(measure, data, **params))
            except ValueError as refused:  # scores that are no probabilities
                found = note(str(refused))
            written.append(f"<h3>{look.shown_text(name)}</h3>{found}")
        return "".join(written)

    def _derivations(self) -> dict[str, Any]:
        """Derivations of every measure for every model; of counts measures if they are few."""
        templates, found = Templates(), {}
        different = {counts for column in self.counts.values() for counts in column}
        for group, keys in self.keys.items():
            # A page must stay small: of what moves with the cut, a few matrices are written out.
            if group == "quota" or (group == "counts" and len(different) > MOST_DERIVED):
                continue
            for key in keys:
                found[key] = self._written(key, group, templates)
        packed = templates.state(found, "")
        return {"style": packed.pop("style"), "squeezed": squeezed(packed)}

    def _written(self, key: str, group: str, templates: Templates) -> list[list[Any]]:
        measure = MEASURES[key]
        memo: dict[Any, Any] = {}

        def written(data: Any, **params: Any) -> Any:
            which = (data if isinstance(data, Counts) else id(data), *params.items())
            if which not in memo:
                try:
                    text = html.fragment(explain(measure, data, **params))
                except ValueError as refused:  # scores that are no probabilities
                    text = f"<p>{look.shown_text(str(refused))}</p>"
                memo[which] = templates.add(text)
            return memo[which]

        if group == "counts":
            return [[written(c) for c in column] for column in self.counts.values()]
        params = self.params(key)
        return [[written(cases, **params)] for cases in self.models.values()]

    # ROC space ---------------------------------------------------------------------------------

    @cached_property
    def curves(self) -> dict[str, list[Point]]:
        """The exact ROC points of each model; none where a class is missing."""
        found: dict[str, list[Point]] = {}
        for name, data in self.models.items():
            if not data.positives or not data.negatives:
                return {}
            if isinstance(data, Counts):
                point = Fraction(data.fp) / data.negatives, Fraction(data.tp) / data.positives
                found[name] = [point]
            else:
                few = len(data.ranking.k) <= MOST_CORNERS
                cuts = data.ranking.cuts if few else CutTable(data).cuts
                found[name] = [(cut.fpr, cut.tpr) for cut in cuts]
        return found

    @cached_property
    def stretches(self) -> list[Stretch]:
        """The areas of dominance; hard classifiers have points and no curves."""
        return stretches(self.curves) if self.curves and not self.hard else []

    @cached_property
    def hull(self) -> dict[Point, tuple[str, ...]]:
        """The corners of the hull over all models."""
        return hull(self.curves) if self.curves else {}

    def dominance(self) -> str:
        """The areas of dominance in words; for hard classifiers, where they lie."""
        if not self.curves:
            lacking = "positive" if not next(iter(self.models.values())).positives else "negative"
            return f"<h3>ROC space</h3><p>There is no ROC curve: no case is really {lacking}.</p>"
        if self.hard:
            return dominance.points_in_words(self.curves, self.hull)
        thinned = any(len(c.ranking.k) > len(self.curves[n]) for n, c in self.models.items())
        note = "<p>The curves are thinned, so these ranges are approximate.</p>" if thinned else ""
        return dominance.areas_in_words(list(self.models), self.stretches) + note

    # The page ----------------------------------------------------------------------------------

    def build(self) -> View:
        from bokeh.models import CustomJS

        state = self.state()
        measure = look.select("Measure to draw and derive", {}, self.measure)
        measure.options = {
            self._title(group): [(key, MEASURES[key].title) for key in keys]
            for group, keys in self.keys.items()
        }
        numbered = {str(number): name for number, name in enumerate(self.models)}
        model = look.select("Model in the derivation", numbered, "0")
        titles = {group: self._title(group) for group in self.keys}
        group = look.select("Measures in the table", titles, self.group, 340)
        drawn, sources = compare_figures.draw(self)
        summary = look.announcer()
        table = look.wide_box("Who wins", 520 + 130 * len(self.models), css=TABLE_STYLE)
        areas = self.dominance() + state["agreement"]
        beside = look.wide_box("Dominance", 480, areas, css=TABLE_STYLE)
        derivation = look.wide_box("Derivation", 480)
        traits: dict[str, Any] = {"measure": (measure, "value"), "group": (group, "value")}
        slider = None
        if not self.hard:
            slider = look.slider("Cases called positive", 0, self.k[-1], self.cut)
            traits["cut"] = (slider, "value")
        switch = CustomJS(
            args={
                "state": state,
                "slider": slider,
                "measure": measure,
                "model": model,
                "group": group,
                "over_figure": drawn["measure"],
                "summary": summary,
                "table": table,
                "derivation": derivation,
                **sources,
            },
            code=rates.exact_script("compare.js"),
        )
        first = [slider] if slider else []
        others = [figure for name, figure in drawn.items() if name != "roc"]
        for control in (measure, model, group, *first):
            control.js_on_change("value", switch)
        root = look.page(
            *first,
            summary,
            look.flow(group, measure, model),
            look.gallery(drawn["roc"], beside, *others, derivation),
            table,
        )
        return View(root, traits, drawn, switch)


TABLE_STYLE = """
thead th { border-bottom: 1px solid #222; vertical-align: bottom; }
tbody tr { background: #fff; } tbody tr:nth-child(even) { background: #f4f4f4; }
th[scope=row], .words { text-align: left; }
/* What is too wide is moved below the names of the measures. */
th[scope=row], thead th:first-child { position: sticky; left: 0; background: inherit; }
thead tr { background: #fff; }
th[scope=row] { font-weight: normal; min-width: 8em; max-width: 13em; }
th, td { padding: .15em .45em; }
td.first { font-weight: bold; }
td { white-space: nowrap; }
td.words { white-space: normal; overflow-wrap: anywhere; min-width: 6em; }
.wins td.words { max-width: 9em; }
.wins thead th { max-width: 9em; overflow-wrap: anywhere; min-width: 4.5em; }
td.rank { padding-left: 0; color: #444; min-width: 1.4em; text-align: left; }
small { color: #555; font-weight: normal; }
.many { font-size: 15px; } .many small { display: block; }
.many th, .many td { padding: .15em .3em; }
.note { font-size: 14px; color: #444; }
/* Words stay where they are when the table below them is moved. */
h3, .note { position: sticky; left: 0; width: fit-content; max-width: min(56em, 100vw - 60px); }
@media (max-width: 1100px) { .many { font-size: 13.5px; } }
@media (max-width: 600px) {
  table { font-size: 14px; } small { display: block; }
  th[scope=row] { max-width: 7em; min-width: 6em; }
}
"""


def _nearest(rising: Sequence[int], wanted: int) -> int:
    """The place of the number nearest to the wanted one; of two, the smaller."""
    after = min(bisect_left(rising, wanted), len(rising) - 1)
    before = max(after - 1, 0)
    return before if wanted - rising[before] <= abs(rising[after] - wanted) else after


def _labels(names: Sequence[str], points: Sequence[tuple[Any, Any]]) -> list[str]:
    """The names beside the points; where some coincide, the first carries them all."""
    if not names:
        return [""] * len(points)
    return [
        ""
        if None in point or points.index(point) < number
        else compare_figures.brief(
            ", ".join(n for n, p in zip(names, points, strict=True) if p == point), 20
        )
        for number, point in enumerate(points)
    ]
