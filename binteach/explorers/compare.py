"""The compare explorer: several models on the same cases, and who wins under which measure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import traitlets

from binteach.cases import Cases, Counts, Cut, decimal_text
from binteach.data import load
from binteach.derivation import explain
from binteach.exact import is_symbolic, shorten
from binteach.explorers import compare_figures, look
from binteach.explorers.base import Explorer, View
from binteach.explorers.contest import MOST_NAMED, Mark, is_contest, mark, order, ranks, tally
from binteach.explorers.dominance import Point, Stretch, hull, stretches
from binteach.explorers.state import CutTable, Templates
from binteach.measures import MEASURES
from binteach.measures import measure as find_measure
from binteach.render import html

if TYPE_CHECKING:
    from bokeh.models import LayoutDOM

MOST_MODELS = 8  # that can be told apart by colour, dash and marker
MOST_PLACES = 200  # positions of the slider
MOST_DERIVED = 20  # confusion matrices whose measures are derived beforehand
MOST_CORNERS = 5000  # of a curve whose areas of dominance are exact
MOST_STRETCHES = 12  # areas of dominance that are written out

GROUPS = {
    "ranking": "Ranking measures",
    "scores": "Losses and information, from the scores",
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

# The worked example after Arbel & Rokach's Figure 4: how many of 20 positives each model ranks
# above its first negative, its second, ... (their figure prints no numbers; these are ours).
FIGURE_4 = {
    "full line": (4, 7, 12, 14, 14, 14, 15, 15, 16, 18),
    "dashed": (8, 9, 10, 11, 12, 13, 14, 15, 16, 20),
    "dotted": (2, 4, 8, 11, 15, 17, 18, 19, 19, 19),
}


def _ranked(found: Sequence[int]) -> Cases:
    """Cases whose negatives stand in the ranking after so many positives each."""
    ups, downs = 20, len(found)
    after = [place + sum(level < place for level in found) for place in range(1, ups + 1)]
    below = [level + number for number, level in enumerate(found, 1)]
    scores = [Fraction(ups + downs + 1 - place, ups + downs + 1) for place in (*after, *below)]
    return Cases([1] * ups + [0] * downs, scores)


EXAMPLES: dict[str, dict[str, str]] = {
    "berrar": {"model A": "ten_cases", "model B": "ten_cases_b"},
    "murphy": {"classifier 1": "murphy_1", "classifier 2": "murphy_2"},
}


def example(name: str) -> dict[str, Any]:
    """Models from the literature.

    berrar      Section 6: model A against model B, which differ in one score and in no rank
    murphy      Tables 1 and 2: classifiers 1 and 2
    murphy_abc  Table 4: the hard classifiers A, B and C
    arbel       after Figure 4: three curves that take turns on top (the numbers are ours)
    """
    if name == "murphy_abc":
        return dict(load(name))
    if name == "arbel":
        return {model: _ranked(found) for model, found in FIGURE_4.items()}
    if name not in EXAMPLES:
        listed = ", ".join((*EXAMPLES, "murphy_abc", "arbel"))
        raise ValueError(f"there is no example {shorten(name)}; there are {listed}")
    return {model: load(data) for model, data in EXAMPLES[name].items()}


class Compare(Explorer):
    """Which model is best? It depends on the measure, and on the cut.

    `models` maps names to Cases (the same labels in the same order) or to Counts (classifiers
    that have made their calls already). `Compare.example("berrar")` shows models from the
    literature; see `example` for their names.
    """

    kind = "compare"
    cut = traitlets.Int(None, allow_none=True, help="the number of cases called positive")
    measure = traitlets.Unicode(help="the key of the measure that is drawn and explained")
    group = traitlets.Unicode(help="the group of measures in the table")

    def __init__(
        self,
        models: Mapping[str, Cases] | Mapping[str, Counts],
        cut: int | None = None,
        measure: str | None = None,
        group: str | None = None,
    ) -> None:
        super().__init__()
        self.models = checked_models(models)
        first = next(iter(self.models.values()))
        self.hard = isinstance(first, Counts)
        if self.hard and cut is not None:
            raise ValueError("cut cuts a ranking, but Counts are cut already; leave cut out")
        self.names = [look.shown_text(name) for name in self.models]  # for pages
        self._marks: dict[str, list[list[Mark]]] = {}
        self.measure = measure or ("mutual_information" if self.hard else "accuracy")
        self.group = group or ("counts" if self.hard else "ranking")
        if not self.hard:
            self.cut = self.k[len(self.k) // 2] if cut is None else cut

    @classmethod
    def example(cls, name: str, **options: Any) -> Compare:
        """Models from the literature: berrar, murphy, murphy_abc or arbel."""
        if name == "berrar":  # these differ in their scores alone
            options = {"group": "scores", "measure": "brier_score"} | options
        return cls(example(name), **options)

    @traitlets.validate("cut")
    def _valid_cut(self, proposal: Any) -> int | None:
        if self.hard or proposal.value is None:
            if proposal.value is not None:
                raise traitlets.TraitError("Counts are cut already, so there is no cut to choose")
            return None if self.hard else self.k[len(self.k) // 2]
        return min(self.k, key=lambda k: abs(k - proposal.value))

    @traitlets.validate("measure")
    def _valid_measure(self, proposal: Any) -> str:
        key = find_measure(proposal.value).key
        listed = [each for keys in self.keys.values() for each in keys]
        if key not in listed:
            raise traitlets.TraitError(f"{key} cannot be had from these data")
        return key

    @traitlets.validate("group")
    def _valid_group(self, proposal: Any) -> str:
        if proposal.value not in self.keys:
            raise traitlets.TraitError(
                f"there is no group {shorten(proposal.value)}; there are {', '.join(self.keys)}"
            )
        return str(proposal.value)

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
    def k(self) -> list[int]:
        """The positions of the slider: wherever at least one model has a cut."""
        if self.hard:
            return [0]
        every = sorted({int(k) for cases in self.models.values() for k in cases.ranking.k})
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
                    "decimal": [[m.decimal for m in column] for column in marks],
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
            parts.append(f"{name} has TP = {tp} and FP = {fp}")
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
        forms, slots = templates.packed()
        return {"derivations": found, "forms": forms, "slots": slots, "style": html.STYLE}

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
        """The areas of dominance in words."""
        if not self.curves:
            lacking = "positive" if not next(iter(self.models.values())).positives else "negative"
            return f"<h3>ROC space</h3><p>There is no ROC curve: no case is really {lacking}.</p>"
        shown = look.shown_text
        if self.hard:
            return _hull_words(self.models, self.curves, self.hull)
        longest = self.stretches
        ruler = [n for n in self.models if all(n in each.top for each in longest)]
        if len(ruler) == len(self.models):
            verdict = "All curves are the same: no model dominates another."
        elif ruler:
            verb = "dominates" if len(ruler) == 1 else "dominate"
            verdict = f"{' and '.join(map(shown, ruler))} {verb}: no other curve is ever above."
        else:
            verdict = "No model dominates: who is on top depends on the FPR."
        rows = [
            f"<tr><td>{each.start}</td><td>{each.end}</td>"
            f'<td class="words">{_top(each.top, len(self.models), shown)}</td></tr>'
            for each in longest[:MOST_STRETCHES]
        ]
        if len(longest) > MOST_STRETCHES:
            rows.append(f'<tr><td colspan="3">and {len(longest) - MOST_STRETCHES} more</td></tr>')
        alone = {
            name: sum((each.length for each in longest if each.top == (name,)), Fraction(0))
            for name in self.models
        }
        shares = [f"{shown(name)} {_percent(share)}" for name, share in alone.items()]
        thinned = any(len(c.ranking.k) > len(self.curves[n]) for n, c in self.models.items())
        note = "<p>The curves are thinned, so these ranges are approximate.</p>" if thinned else ""
        return (
            f"<h3>Areas of dominance</h3><p>{verdict}</p>"
            '<table><thead><tr><th scope="col">FPR from</th><th scope="col">to</th>'
            '<th scope="col" class="words">on top</th></tr></thead>'
            f"<tbody>{''.join(rows)}</tbody></table>"
            f"<p>Alone on top, of the whole axis: {', '.join(shares)}.</p>{note}"
        )

    # The page ----------------------------------------------------------------------------------

    def build(self) -> View:
        from bokeh.models import CustomJS, InlineStyleSheet
        from bokeh.models.widgets import Select, Slider

        state = self.state()
        options: Any = {
            self._title(group): [(key, MEASURES[key].title) for key in keys]
            for group, keys in self.keys.items()
        }
        measure = Select(
            title="Measure to draw and derive", value=self.measure, options=options, width=300
        )
        model = Select(
            title="Model in the derivation",
            value="0",
            options=_options({str(number): name for number, name in enumerate(self.models)}),
            width=220,
        )
        group = Select(
            title="Measures in the table",
            value=self.group,
            options=_options({group: self._title(group) for group in self.keys}),
            width=330,
        )
        figures, sources = compare_figures.draw(self)
        summary = look.announcer()
        width = min(425 + 165 * len(self.models), 1250)
        table = look.wide_box("Who wins", width, css=TABLE_STYLE)
        agreement = self.dominance() + state["agreement"]
        dominance = look.wide_box("Dominance", 380, agreement, css=TABLE_STYLE)
        derivation = look.wide_box("Derivation", 620)
        args = {
            "state": state,
            "measure": measure,
            "model": model,
            "group": group,
            "over_figure": figures["measure"],
            "summary": summary,
            "table": table,
            "derivation": derivation,
            **sources,
        }
        traits: dict[str, Any] = {"measure": (measure, "value"), "group": (group, "value")}
        first: list[LayoutDOM] = []
        if not self.hard:
            wide = InlineStyleSheet(css=":host { font-size: 17px; } .noUi-handle { cursor: grab; }")
            slider = Slider(
                start=0,
                end=self.k[-1],
                step=1,
                value=self.cut or 0,
                title="Cases called positive",
                sizing_mode="stretch_width",
                stylesheets=[wide],
            )
            first = [slider]
            traits["cut"] = (slider, "value")
        switch = CustomJS(
            args=args | {"slider": first[0] if first else None}, code=look.script("compare.js")
        )
        for control in (measure, model, group, *first):
            control.js_on_change("value", switch)
        names = ("roc", "measure") if self.hard else ("roc", "pr")
        boxes = [*(figures[name] for name in names), dominance]
        if not self.hard:
            boxes.append(figures["measure"])
        boxes += [table, derivation]
        root = look.page(*first, summary, look.flow(group, measure, model), look.flow(*boxes))
        return View(root, traits, figures, switch)


TABLE_STYLE = """
thead th { border-bottom: 1px solid #222; vertical-align: bottom; }
tbody tr:nth-child(even) td, tbody tr:nth-child(even) th { background: #f4f4f4; }
th[scope=row], .words { text-align: left; }
th[scope=row] { font-weight: normal; }
td.first { font-weight: bold; }
td, thead th { white-space: nowrap; }
td.words { white-space: normal; min-width: 9em; }
thead th { white-space: normal; }
td.rank { padding-left: 0; color: #444; min-width: 1.6em; text-align: left; }
small { color: #555; font-weight: normal; }
.note { font-size: 14px; color: #444; }
"""


def _options(texts: Mapping[str, str]) -> Any:
    """What a drop-down offers."""
    return list(texts.items())


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
            ", ".join(n for n, p in zip(names, points, strict=True) if p == point), 26
        )
        for number, point in enumerate(points)
    ]


def _top(names: Sequence[str], of: int, shown: Any) -> str:
    if len(names) == of:
        return "all level"
    if len(names) > 3:
        return f"{len(names)} models level"
    return shown(names[0]) if len(names) == 1 else f"{' and '.join(map(shown, names))} level"


def _percent(share: Fraction) -> str:
    hundred = 100 * share
    return f"{hundred}%" if hundred.denominator == 1 else f"{share}"


def _hull_words(
    models: Mapping[str, Any],
    points: Mapping[str, Sequence[Point]],
    corners: Mapping[Point, Sequence[str]],
) -> str:
    """How hard classifiers lie in ROC space."""
    shown, lines = look.shown_text, []
    for name, (point,) in points.items():
        fpr, tpr = point
        beaten = [
            shown(other)
            for other, ((x, y),) in points.items()
            if (x, y) != point and x <= fpr and y >= tpr
        ]
        where = "is a corner of the hull" if point in corners else "is no corner of the hull"
        if beaten:
            where += f"; {' and '.join(beaten)} beats it in one rate and is no worse in the other"
        if fpr == tpr:
            where += "; on the diagonal it is no better than guessing"
        lines.append(f"<p><b>{shown(name)}</b>: FPR {fpr}, TPR {tpr}. It {where}.</p>")
    return f"<h3>In ROC space</h3>{''.join(lines)}"


# What may be compared ---------------------------------------------------------------------------


def checked_models(models: Any) -> dict[str, Any]:
    """The models if they judge the same cases; ValueError with the place where they differ."""
    remedy = "give a mapping of two or more names to Cases, or to Counts"
    if not isinstance(models, Mapping):
        raise ValueError(f"models is {shorten(models)}; {remedy}")
    if not 2 <= len(models) <= MOST_MODELS:
        raise ValueError(f"there are {len(models)} models; compare 2 to {MOST_MODELS} of them")
    return same_cases(models, remedy)


def same_cases(models: Mapping[Any, Any], remedy: str) -> dict[str, Any]:
    """The models, all on the same cases."""
    kinds = {Cases if isinstance(data, Cases) else type(data) for data in models.values()}
    for name, data in models.items():
        if not isinstance(name, str):
            raise ValueError(f"the name of a model is {shorten(name)}; names must be text")
        if not isinstance(data, Cases | Counts):
            raise ValueError(f"model {shorten(name)} is {shorten(data)}; {remedy}")
    if len(kinds) > 1:
        raise ValueError(f"some models are Cases and some are Counts; {remedy}")
    (first, data), *others = models.items()
    for name, other in others:
        (_same_counts if isinstance(data, Counts) else _same_rows)(first, data, name, other)
    if isinstance(data, Counts):
        for name, counts in models.items():
            if any(map(is_symbolic, (counts.tp, counts.fp, counts.fn, counts.tn))):
                raise ValueError(f"the counts of model {shorten(name)} must be numbers")
    return dict(models)


def _same_rows(first: str, cases: Cases, name: str, other: Cases) -> None:
    must = "all models must judge the same cases in the same order"
    one, two = shorten(first), shorten(name)
    for row, (label, theirs) in enumerate(zip(cases.labels, other.labels, strict=False), 1):
        if label != theirs:
            kinds = ("negative", "positive")
            raise ValueError(
                f"row {row} is {kinds[label]} for {one} and {kinds[theirs]} for {two}; {must}"
            )
    if cases.n != other.n:
        raise ValueError(
            f"{one} has {cases.n} cases and {two} {other.n}: row {min(cases.n, other.n) + 1} is "
            f"missing; {must}"
        )
    for row in range(cases.n if cases.weighted or other.weighted else 0):
        if cases.weight(row) != other.weight(row):
            raise ValueError(f"row {row + 1} has different weights for {one} and {two}; {must}")


def _same_counts(first: str, counts: Counts, name: str, other: Counts) -> None:
    for what in ("positives", "negatives"):
        mine, theirs = getattr(counts, what), getattr(other, what)
        if mine != theirs:
            raise ValueError(
                f"{shorten(first)} judges {mine} {what} and {shorten(name)} {theirs}; "
                "all models must judge the same cases"
            )
