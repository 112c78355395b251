"""The prevalence explorer: change the class ratio, and see what moves and what stands still."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import traitlets

from binteach import exact
from binteach.cases import Cases
from binteach.derivation import explain
from binteach.explorers import look, rates
from binteach.explorers.base import View
from binteach.explorers.rates import ByPrevalence, shares
from binteach.explorers.state import fraction_text
from binteach.expr import Div, Node, Sqrt, Sym, symbols
from binteach.measures import MEASURES, Measure, value
from binteach.measures import measure as find_measure
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

    The cases are weighted anew, exactly, so that the positives are the chosen share of all.
    """

    kind = "prevalence"
    of_cases = True
    cut = traitlets.Int(help="the number of cases called positive")
    measure = traitlets.Unicode(help="the key of the measure that is explained")

    def __init__(
        self,
        cases: Cases,
        cut: int | None = None,
        measure: str = "precision",
        prevalence: object = None,
    ) -> None:
        super().__init__(cases, prevalence)
        middle = self.table.k[len(self.table.k) // 2]
        self.measure = measure
        self.cut = middle if cut is None else cut

    @traitlets.validate("cut")
    def _valid_cut(self, proposal: Any) -> int:
        return self.table.k[self.table.place(proposal.value)]

    @traitlets.validate("measure")
    def _valid_measure(self, proposal: Any) -> str:
        key = find_measure(proposal.value).key
        if key not in IN_RATES:
            raise ValueError(f"{key} cannot be chosen here; choose one of {', '.join(IN_RATES)}")
        return key

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
        from bokeh.models.widgets import Select, Slider

        if not self.has_both_classes:
            return self.one_class_view(_empty_figures())
        state = self.state()
        prevalence = self.prevalence_slider()
        cut = Slider(
            start=0,
            end=self.cases.n,
            step=1,
            value=self.cut,
            title="Cases called positive",
            sizing_mode="stretch_width",
            stylesheets=[rates.wide()],
        )
        options: list[str | tuple[Any, str]] = [(key, MEASURES[key].title) for key in IN_RATES]
        measure = Select(title="Measure", value=self.measure, options=options, width=300)
        back = self.back_button(prevalence)
        names = ("roc", "pr", "curve", "guess", "measure", "over", "line")
        now = {name: rates.source() for name in names}
        now["mosaic"] = rates.source(left=[], right=[], bottom=[], top=[], name=[], text=[])
        now["labels"] = rates.source()
        figures = {
            "roc": _roc(self, state, now["roc"]),
            "pr": _pr(self, now),
            "mosaic": _mosaic(now["mosaic"], now["labels"]),
            "measure": _over(float(self.own), now),
        }
        summary = look.announcer()
        matrix = look.box(width=364, css=MATRIX_STYLE)
        table = look.wide_box("What moves", 600, css=TABLE_STYLE)
        derivation = rates.derivation_box(520)
        switch = CustomJS(
            args={
                "state": state,
                "prevalence": prevalence,
                "cut": cut,
                "measure": measure,
                "now": now,
                "over_figure": figures["measure"],
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
            prevalence,
            summary,
            cut,
            look.flow(measure, back),
            look.flow(*(figures[name] for name in ("roc", "pr", "mosaic", "measure"))),
            look.flow(table, matrix, derivation),
        )
        traits: dict[str, tuple[Model, str]] = {
            "prevalence_place": (prevalence, "value"),
            "cut": (cut, "value"),
            "measure": (measure, "value"),
        }
        return View(root, traits, figures, switch)


def _in_a_sentence(title: str) -> str:
    """A title as it is written after other words: precision, but Cohen's kappa."""
    has_a_name = title.startswith(("Cohen", "Youden", "Matthews", "Jaccard", "F-"))
    return title if has_a_name else title[0].lower() + title[1:]


MATRIX_STYLE = """
td.right, td.wrong { text-align: center; padding: .35em .8em; border: 2px solid #555; }
td.right { background: #e3f1fa; }
td.wrong { background: repeating-linear-gradient(
  45deg, #fff4e0, #fff4e0 8px, #ffe9c2 8px, #ffe9c2 16px); }
td b { font-size: 20px; } td span { font-size: 14px; }
tfoot th, tfoot td { border-top: 1px solid #222; text-align: center; }
"""
TABLE_STYLE = """
thead th { border-bottom: 1px solid #222; }
td { white-space: nowrap; }
th[scope=row], th.word, td.word { text-align: left; font-weight: normal; }
tr.still td, tr.still th { background: #eaf5f0; }
tr.chosen th[scope=row] { font-weight: bold; }
tr.chosen th[scope=row]::before { content: "▸ "; }
td.word.moved { font-weight: bold; color: #A84400; }
@media (max-width: 600px) {
  .digits { display: none; }
  th, td { padding: .12em .25em; font-size: 14px; }
  td.word { white-space: normal; }
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
    figure.line(
        [0, 1], [0, 1], color=look.FAINT, line_dash="dotted", line_width=2, legend_label="random"
    )
    points = rates.source(x=list(fpr.floats), y=list(tpr.floats), text=state["rates_text"])
    rates.trace(figure, points, "at every prevalence")
    rates.mark(figure, now)
    rates.legend(figure)
    return figure


def _pr(explorer: Prevalence, now: dict[str, ColumnDataSource]) -> Any:
    figure = _pr_figure()
    called = [cut for cut in explorer.table.cuts if cut.k]
    figure.line(
        [float(cut.tpr) for cut in called],
        [float(cut.tp / (cut.tp + cut.fp)) for cut in called],
        color=look.GREEN,
        line_dash="dashed",
        line_width=2.5,
        legend_label="in the data",
    )
    figure.line(
        "x",
        "y",
        source=now["guess"],
        color=look.FAINT,
        line_dash="dotted",
        line_width=2,
        legend_label="random, now",
    )
    rates.trace(figure, now["curve"], "now")
    rates.mark(figure, now["pr"])
    rates.legend(figure)
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
    figure.height += rates.LEGEND_HEIGHT  # as high as its neighbours
    return figure


def _mosaic(areas: ColumnDataSource, labels: ColumnDataSource) -> Any:
    """The unit square: the classes side by side, each divided by what it was called.

    The heights are the rates, which stand still; the widths are the classes, which move.
    """
    from bokeh.models import HoverTool
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
    figure.add_tools(HoverTool(renderers=[parts], tooltips="@name: @text"))
    figure.text(
        "x",
        "y",
        text="text",
        source=labels,
        text_align="center",
        text_baseline="middle",
        text_font_size="15px",
        text_color=look.INK,
        background_fill_color=look.PAPER,
        background_fill_alpha=0.75,
        padding=2,
    )
    return figure


def _over(own: float, now: dict[str, ColumnDataSource]) -> Any:
    from bokeh.models import Range1d

    figure = look.plot("", "prevalence", "", (0, 1), Range1d(start=0, end=1))
    figure.line(
        "x",
        "y",
        source=now["line"],
        color=look.GREEN,
        line_dash="dashed",
        line_width=2,
        legend_label="in the data",
    )
    rates.trace(figure, now["measure"], "at this cut", dot_size=3)
    rates.mark(figure, now["over"])
    rates.legend(figure)
    return figure
