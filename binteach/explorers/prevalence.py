"""The prevalence explorer: change the class ratio, and see what moves and what stands still."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from binteach import exact
from binteach.cases import Cases
from binteach.derivation import explain
from binteach.explorers import figures, look, overlays, rates
from binteach.explorers.base import Setting, View
from binteach.explorers.rates import ByPrevalence, shares
from binteach.explorers.state import fraction_text, measure_key
from binteach.expr import Div, Node, Sqrt, Sym, symbols
from binteach.measures import MEASURES, Measure, value
from binteach.render import html, text

if TYPE_CHECKING:
    from bokeh.models import ColumnDataSource, Model

MOST_AVERAGED = 5000  # cuts over which a precision is averaged at every prevalence
CUT_OFF = 10**30  # where the terms of a long sum are cut off
FEW_CUTS = 15  # with no more of them, derivations are written for every prevalence of the slider

# Every measure by the prevalence and the two rates -----------------------------------------------

PI = Sym(
    "π",
    meaning="prevalence: the share of positive cases",
    find=lambda ctx: Fraction(ctx.counts.positives, ctx.counts.n),
    decimal=True,
)
TPR = Sym(
    "TPR",
    meaning="of the positive cases, the share called positive",
    find=lambda ctx: Fraction(ctx.counts.tp, ctx.counts.positives),
    decimal=True,
)
FPR = Sym(
    "FPR",
    meaning="of the negative cases, the share called positive",
    find=lambda ctx: Fraction(ctx.counts.fp, ctx.counts.negatives),
    decimal=True,
)
TP, FP, FN, TN = PI * TPR, (1 - PI) * FPR, PI * (1 - TPR), (1 - PI) * (1 - FPR)
CALLED = Sym("q", meaning="share of cases called positive", definition=TP + FP)
NONE_CALLED = "no case was called positive, so TPR = FPR = 0"
ALL_CALLED = "no case was called negative, so TPR = FPR = 1"

IN_RATES: dict[str, Node] = {
    "precision": Div(TP, TP + FP, NONE_CALLED),
    "negative_predictive_value": Div(TN, TN + FN, ALL_CALLED),
    "false_discovery_rate": Div(FP, TP + FP, NONE_CALLED),
    "accuracy": TP + TN,
    "f_measure": 2 * PI * TPR / (TP + FP + PI),
    "jaccard": TP / (PI + FP),
    "lift": Div(TPR, TP + FP, NONE_CALLED),
    "predicted_positive_rate": TP + FP,
    "cohens_kappa": 2 * PI * (1 - PI) * (TPR - FPR) / (PI * (1 - CALLED) + (1 - PI) * CALLED),
    "matthews_correlation": Div(
        Sqrt(PI * (1 - PI)) * (TPR - FPR),
        Sqrt(CALLED * (1 - CALLED)),
        "all cases were called the same, so q is 0 or 1",
    ),
    "sensitivity": TPR,
    "specificity": 1 - FPR,
    "false_positive_rate": FPR,
    "youden_index": TPR - FPR,
    "balanced_accuracy": (TPR + (1 - FPR)) / 2,
    "positive_likelihood_ratio": Div(TPR, FPR, "no negative case was called positive, so FPR = 0"),
    "negative_likelihood_ratio": Div(
        1 - TPR, 1 - FPR, "all negative cases were called positive, so FPR = 1"
    ),
    "diagnostic_odds_ratio": Div(
        TPR * (1 - FPR), (1 - TPR) * FPR, "a kind of error does not occur: TPR = 1 or FPR = 0"
    ),
}
"""A measure stands still when the class ratio changes if π is not in its formula."""

RANKED = {"average_precision": True, "auc": False}  # of the whole ranking: whether it moves

WORKED_OUT = ("precision", "negative_predictive_value", "accuracy", "f_measure", "lift")
"""The moving measures with a derivation for each class ratio; of the others the formula stands."""


def moves(key: str) -> bool:
    """Whether a measure changes with the class ratio."""
    return RANKED[key] if key in RANKED else PI in _symbols(IN_RATES[key])


def _symbols(tree: Node) -> set[Sym]:
    found = set(symbols(tree))
    return found.union(*(_symbols(each.definition) for each in found if each.definition))


def in_rates(key: str) -> Measure:
    """The measure with its formula in π, TPR and FPR."""
    return replace(
        MEASURES[key],
        formula=IN_RATES[key],
        fallback=None,
        probability=None,
        params=(),
        remark=lambda ctx: (),
    )


class Prevalence(ByPrevalence):
    """The class ratio as a slider: the ROC curve stands still, precision-recall moves.

    cases       any Cases; they are weighted anew, exactly, so that the positives are the chosen
                share of all
    cut         how many of them are called positive, from the top of the ranking: 0 to n, not
                inside a tie; the middle of all cuts unless given
    measure     the measure that is drawn over all prevalences and derived, by any of its names:
                precision, accuracy, lift, ...
    prevalence  the share of positives, as 0.1 or "1/3"; that of the data unless given

    `cut`, `measure` and `prevalence` are traits, too: they follow the page, and can be set and
    observed. A prevalence stays exact: the slider goes through 1% to 99%, the data's own and the
    one that was asked for last, `prevalences`; `prevalence_place` is where it stands there. The
    figures are "roc", "pr", "mosaic" and "measure".

        e = bt.explorers.prevalence(bt.load("ten_cases"), cut=4, prevalence="1/3")
        e                       # as the last line of a cell: the page
        e.prevalence = "0.001"  # moves its slider
        e.save("ratio.html")    # one file that works without Python
        e.figure("mosaic")      # a Bokeh figure; e.svg("mosaic") and e.png("mosaic") for slides
    """

    kind = "prevalence"
    of_cases = True

    def __init__(
        self,
        cases: Cases,
        cut: int | None = None,
        measure: str = "precision",
        prevalence: object = None,
    ) -> None:
        super().__init__(cases, prevalence)
        self.measure = measure
        self.cut = self.table.middle if cut is None else cut

    @Setting
    def cut(self, given: object) -> int:
        """The number of cases called positive."""
        return self.table.read("cut", given)

    @Setting
    def measure(self, given: object) -> str:
        """The key of the measure that is explained."""
        return measure_key("measure", given, IN_RATES)

    def __repr__(self) -> str:
        return (
            f"Prevalence({self.cases.n} cases, prevalence={self.prevalence}, "
            f"cut={self.cut}, measure={self.measure!r})"
        )

    # What a page needs -------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything that the page switches between."""
        return self._fixed | {"last": self.cut}

    @cached_property
    def _fixed(self) -> dict[str, Any]:
        return self.numbers() | {
            "tpr": self.rates[0].floats,
            "tpr_text": self.rates[0].texts,
            "fpr_text": self.rates[1].texts,
            "percent": [rates.short_percent(each) for each in self.prevalences],
            "own": self.own_place,
            "measures": self._measures(),
            "derivations": self._derivations(),
            "definitions": {key: html.fragment(explain(in_rates(key))) for key in IN_RATES},
        }

    def _measures(self) -> dict[str, Any]:
        """Titles, and the values of what the page does not work out itself."""
        found = {}
        for key in (*IN_RATES, *RANKED):
            if key == "average_precision" and len(self.cases.ranking.k) > MOST_AVERAGED:
                continue
            measure = MEASURES[key]
            found[key] = {
                "title": measure.title,
                "name": _in_a_sentence(measure.title),
                "short": text.write(measure.symbol),
                "moves": moves(key),
                "text": self._ranked(key) if key in RANKED else None,
            }
        return found

    def _rows(self, key: str) -> list[Fraction]:
        return self.prevalences if moves(key) else [self.own]

    def _ranked(self, key: str) -> list[str]:
        """A measure of the whole ranking at every prevalence."""
        if key == "auc":
            return [fraction_text(value("auc", self.cases))]
        return [fraction_text(self.average_precision(share)) for share in self.prevalences]

    def average_precision(self, share: Fraction) -> Any:
        """Of the reweighted cases: the sum over the cuts of the gain in TPR times the precision."""

        def build() -> Any:
            return value("average_precision", self.reweighted(share))

        if self.table.derived:
            return build()
        # Of many cuts, each term is cut off far behind the digits that are shown.
        tp, fp = (counts.tolist() for counts in (self.cases.ranking.tp, self.cases.ranking.fp))
        up = share.numerator * fp[-1]
        down = (share.denominator - share.numerator) * tp[-1]
        terms = [
            (tp[i] - tp[i - 1]) * up * tp[i] * CUT_OFF // (up * tp[i] + down * fp[i])
            for i in range(1, len(tp))
        ]
        low, unit = sum(terms), tp[-1] * CUT_OFF
        return exact.CertifiedFraction(Fraction(low, unit), Fraction(low + len(terms), unit), build)

    def reweighted(self, share: Fraction) -> Cases:
        """The cases with weights that make the positives this share of all."""
        cases = self.cases
        of_class = ((1 - share) / cases.negatives, share / cases.positives)
        weights = [cases.weight(i) * of_class[cases.label(i)] for i in range(cases.n)]
        return Cases(cases.labels, cases.scores, names=cases.names, weights=weights)

    def _derivation(self) -> str:
        """The derivation of the measure at the cut and the prevalence, written now."""
        if self.measure in RANKED:
            return html.render(explain(self.measure, self.reweighted(self.prevalence)))
        cut = self.table.cuts[self.table.place(self.cut)]
        return html.render(explain(in_rates(self.measure), shares(cut, self.prevalence)))

    def _derivations(self) -> dict[str, Any]:
        if not self.table.derived:
            return {}
        found = {}
        for key in IN_RATES:
            if moves(key) and key not in WORKED_OUT:
                continue
            measure, rows = in_rates(key), self._rows(key)
            grid = rates.GridTemplates(len(rows), len(self.table.cuts))
            for row, share in enumerate(rows):
                if len(rows) > 1 and not self._is_derived(share):
                    continue
                for place, cut in enumerate(self.table.cuts):
                    grid.add(row, place, self.fragment(measure, shares(cut, share)))
            found[key] = grid.packed()
        return found

    def _is_derived(self, share: Fraction) -> bool:
        """Whether derivations are written for this prevalence: with many cuts only for some."""
        few = len(self.table.cuts) <= FEW_CUTS
        return few or share in (self.own, Fraction(1, 100)) or (10 * share).denominator == 1

    # The page ----------------------------------------------------------------------------------

    def build(self) -> View:
        from bokeh.models import CustomJS

        if not self.has_both_classes:
            return self.one_class_view(_empty_figures())
        state = self.state()
        prevalence = self.prevalence_slider()
        cut = look.slider("Cases called positive", 0, self.cases.n, self.cut)
        titles = {key: MEASURES[key].title for key in IN_RATES}
        measure = look.select("Measure", titles, self.measure)
        names = ("roc", "pr", "curve", "guess", "measure", "over", "labels")
        now = {name: figures.points() for name in names}
        now["mosaic"] = figures.points(left=[], right=[], bottom=[], top=[], name=[], text=[])
        drawn = {
            "roc": _roc(self, state, now["roc"]),
            "pr": _pr(self, now),
            "mosaic": _mosaic(now["mosaic"], now["labels"]),
            "measure": _over(float(self.own), now),
        }
        summary = look.announcer()
        matrix = look.box(width=364, css=look.MATRIX + MATRIX_STYLE)
        table = look.wide_box("What moves", 480, css=TABLE_STYLE)
        derivation = look.wide_box("Derivation", 480)
        switch = CustomJS(
            args={
                "state": state,
                "prevalence": prevalence,
                "cut": cut,
                "measure": measure,
                "now": now,
                "over_figure": drawn["measure"],
                "summary": summary,
                "matrix": matrix,
                "table": table,
                "derivation": derivation,
            },
            code=rates.script("prevalence.js"),
        )
        for model in (prevalence, cut, measure):
            model.js_on_change("value", switch)
        root = look.page(
            rates.side_by_side(prevalence, cut),
            summary,
            look.flow(measure, self.back_button(prevalence)),
            look.gallery(
                drawn["roc"],
                drawn["pr"],
                drawn["mosaic"],
                look.stack(drawn["measure"], matrix),
                table,
                derivation,
            ),
        )
        traits: dict[str, tuple[Model, str]] = {
            "prevalence_place": (prevalence, "value"),
            "cut": (cut, "value"),
            "measure": (measure, "value"),
        }
        return View(root, traits, drawn, switch)


def _in_a_sentence(title: str) -> str:
    """A title as it is written after other words: precision, but Cohen's kappa."""
    has_a_name = title.startswith(("Cohen", "Youden", "Matthews", "Jaccard", "F-"))
    return title if has_a_name else title[0].lower() + title[1:]


MATRIX_STYLE = """
td b { font-size: 20px; } td.right, td.wrong { padding: .35em .6em; }
tfoot th, tfoot td { border-top: 1px solid #222; text-align: center; }
"""
TABLE_STYLE = """
thead th { border-bottom: 1px solid #222; }
td { white-space: nowrap; }
th[scope=row], th.word, td.word { text-align: left; font-weight: normal; }
th, td { padding: .12em .4em; }
small { color: #555; }
tr.still td, tr.still th { background: #eaf5f0; }
tr.chosen th[scope=row] { font-weight: bold; }
tr.chosen th[scope=row]::before { content: "▸ "; }
td.word.moved { font-weight: bold; color: #A84400; }
@media (max-width: 600px) {
  th, td { padding: .12em .25em; font-size: 14px; }
  small { display: block; }
}
"""

# Figures ----------------------------------------------------------------------------------------


def _roc_figure() -> Any:
    return look.plot("ROC curve: stands still", "FPR", "TPR")


def _pr_figure() -> Any:
    return look.plot("Precision-recall curve: moves", "recall", "precision")


def _empty_figures() -> dict[str, Any]:
    return {
        "roc": _roc_figure(),
        "pr": _pr_figure(),
        "mosaic": _mosaic_figure(),
        "measure": look.plot("", "prevalence", ""),
    }


def _roc(explorer: Prevalence, state: dict[str, Any], now: ColumnDataSource) -> Any:
    figure = _roc_figure()
    tpr, fpr = explorer.rates
    figures.diagonal(figure)
    cuts = figures.known_points(fpr.floats, tpr.floats, state["rates_text"])
    figures.trace(figure, cuts, "at every prevalence")
    figures.current(figure, now)
    figures.legend_below(figure)
    return figure


def _pr(explorer: Prevalence, now: dict[str, ColumnDataSource]) -> Any:
    figure = _pr_figure()
    called = [cut for cut in explorer.table.cuts if cut.k]
    x, y = [cut.tpr for cut in called], [cut.tp / (cut.tp + cut.fp) for cut in called]
    own = {"color": look.GREEN, "line_dash": "dashed"}
    figures.reference(figure, list(map(float, x)), list(map(float, y)), "data", **own)
    random: dict[str, Any] = {"color": look.FAINT, "line_dash": "dotted", "line_width": 2.5}
    overlays.moving(figure, now["guess"], "random", **random)
    overlays.moving(figure, now["curve"], "now")
    figures.current(figure, now["pr"])
    figures.legend_below(figure, 3)
    return figure


def _mosaic_figure() -> Any:
    figure: Any = look.plot(
        "All cases: areas are shares",
        "really +: π   |   really −: 1 − π",
        "called +, from the top",
        (0, 1),
        (1, 0),
    )
    figure.grid.grid_line_color = None
    figure.height += figures.LEGEND_ROW  # as high as its neighbours
    return figure


def _mosaic(areas: ColumnDataSource, labels: ColumnDataSource) -> Any:
    """The unit square: the classes side by side, each divided by what it was called.

    The heights are the rates, which stand still; the widths are the classes, which move.
    """
    from bokeh.transform import factor_cmap, factor_hatch

    figure = _mosaic_figure()
    names = ["TP", "FP", "FN", "TN"]
    parts = figure.quad(
        left="left",
        right="right",
        bottom="bottom",
        top="top",
        source=areas,
        fill_color=factor_cmap("name", ["#7fb8d8", "#f5cf85", "#d6eaf5", "#fdf1da"], names),
        hatch_pattern=factor_hatch("name", [" ", "/", "/", " "], names),
        hatch_color="#a06a00",
        hatch_alpha=0.35,
        line_color=look.INK,
        line_width=1.5,
    )
    figures.hover(figure, parts, tips="@name: @text")
    overlays.words(figure, "x", "y", "text", source=labels, padding=2)
    return figure


def _over(own: float, now: dict[str, ColumnDataSource]) -> Any:
    from bokeh.models import Range1d

    figure = look.plot("", "prevalence", "", (0, 1), Range1d(start=0, end=1))
    # As high as any value of any measure, so that it need not move with them.
    high = {"color": look.GREEN, "line_dash": "dashed"}
    figures.reference(figure, [own, own], [-2, 10**6], "in the data", **high)
    overlays.moving(figure, now["measure"], "at this cut")
    figures.current(figure, now["over"])
    figures.legend_below(figure)
    return figure
