"""The quota explorer: so many cases can be checked; which measures tell how well (Arbel & Rokach).

One page with their Figures 3, 5, 8 and 9 and their Table 5, all at the same quota.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import traitlets

from binteach.cases import Cases, Undefined, short_decimal
from binteach.derivation import explain
from binteach.explorers import look, quota_figures
from binteach.explorers.base import Explorer, View
from binteach.explorers.quotas import QuotaTable, as_float, cell_text, shorter, value_text
from binteach.explorers.state import MOST_DERIVED, Templates, fraction_text
from binteach.measures import MEASURES, value
from binteach.measures import measure as find_measure
from binteach.measures.symbols import decile_bounds
from binteach.render import html

if TYPE_CHECKING:
    from bokeh.models import Select, Slider

MOST_ROWS = 60  # places of which every row is shown; of more, those at both ends and at the line
ENDS, AROUND = 4, 3  # rows that are kept there
DECILES = range(1, 11)

AT_QUOTA = ("hit_rate", "qrecall", "quota_lift", "quota_pearson")
FOR_ALL_QUOTAS = ("pem", "average_hit_rate", "average_qrecall")
EXPLAINED = ("pem", *AT_QUOTA, "decile_lift", "average_hit_rate", "average_qrecall")

SHADES = {
    "all": "S₁, S₂ and S₃",
    "model": "S₁ and S₂, the model",
    "optimal": "S₃, the optimum",
    "nothing": "nothing",
}


class Quota(Explorer):
    """How many can be checked: the top of the ranking, and who is found in it."""

    kind = "quota"
    quota = traitlets.Int(help="the number of cases that can be checked")
    measure = traitlets.Unicode(help="the key of the measure that is explained")

    def __init__(self, cases: Cases, quota: int | None = None, measure: str = "pem") -> None:
        super().__init__()
        self.cases = cases
        self.table = QuotaTable(cases, None if quota is None else _checked(quota, cases.n))
        self.measure = measure
        # As many as there are positives: the smallest quota that could hold them all.
        self.quota = (self.table.positives or cases.n) if quota is None else quota

    @traitlets.validate("quota")
    def _valid_quota(self, proposal: Any) -> int:
        quota = _checked(proposal.value, self.cases.n)
        return self.table.quotas[self.table.place(quota)]

    @traitlets.validate("measure")
    def _valid_measure(self, proposal: Any) -> str:
        key = find_measure(proposal.value).key
        if key not in EXPLAINED:
            raise ValueError(f"this page does not explain {key}; it does {', '.join(EXPLAINED)}")
        return key

    def __repr__(self) -> str:
        return f"Quota({self.cases.n} cases, quota={self.quota}, measure={self.measure!r})"

    # What a page needs -------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything that the page switches between."""
        table = self.table
        optimal = [table.optimal(j) if table.positives else None for j in table.quotas]
        state: dict[str, Any] = {
            "n": table.n,
            "k": table.quotas,
            "last": self.quota,
            "hit_rate": _floats(table.hit_rate),
            "qrecall": _floats(table.qrecall),
            "pearson": _floats(table.pearson),
            "hit_rate_text": [f"hit rate {value_text(each)}" for each in table.hit_rate],
            "qrecall_text": [f"Qrecall {value_text(each)}" for each in table.qrecall],
            "decile": [_decile(table.n, j) for j in table.quotas],
            "line": _floats([table.line(j) for j in table.quotas]),
            "sentence": [self._sentence(place) for place in range(len(table.quotas))],
            "people": [table.people(j) for j in table.quotas],
            "numbers": [self._numbers(place, optimal[place]) for place in range(len(optimal))],
        }
        return state | self._rows() | self._areas() | self._deciles() | self._derivations()

    def _sentence(self, place: int) -> str:
        table = self.table
        hit, recall = table.hit_rate[place], table.qrecall[place]
        values = []
        if hit is not None:
            values.append(f"hit rate {fraction_text(hit)}")
        if recall is not None:
            values.append(f"Qrecall {fraction_text(recall)}")
        said = " and ".join(values)
        end = f" {said[0].upper()}{said[1:]}." if said else ""
        return table.sentence(table.quotas[place]) + end

    def _numbers(self, place: int, optimal: Fraction | None) -> list[list[str]]:
        """Measures at one quota: name, numbers put in, value, of a random and a perfect order."""
        table, j, hits = self.table, self.table.quotas[place], self.table.found[place]
        ups, downs, n = table.positives, table.negatives, table.n
        share = self.cases.prevalence
        best_hit = Fraction(min(j, ups), j) if j else None
        # Each order has the same number of errors of the other kind: what is checked in vain.
        vain, missed = j - hits, ups - hits
        lift = f"{fraction_text(hits)}/{j} : {share}" if j else f"0/0 : {share}"
        fewest_vain = Fraction(max(j - ups, 0), downs) if downs else None
        fewest_missed = 1 - optimal if optimal is not None else None
        rows: list[tuple[str, str, Any, Any, Any]] = [
            ("Hit rate", _over(hits, j), table.hit_rate[place], share if j else None, best_hit),
            ("Qrecall", _over(hits, ups), table.qrecall[place], _if(ups, j, n), optimal),
            (
                "Lift",
                lift,
                table.lift[place],
                Fraction(1) if j and ups else None,
                best_hit / share if best_hit is not None and ups else None,
            ),
            ("Pearson", "", table.pearson[place], "", ""),
            (
                "Missed, α",
                _over(missed, ups),
                missed / ups if ups else None,
                _if(ups, n - j, n),
                fewest_missed,
            ),
            (
                "False alarms, β",
                _over(vain, downs),
                vain / downs if downs else None,
                _if(downs, j, n),
                fewest_vain,
            ),
        ]
        return [
            [name, work, value_text(found), _short(random), _short(best)]
            for name, work, found, random, best in rows
        ]

    def _rows(self) -> dict[str, Any]:
        """The rows of the ranking and of Table 5, and which of them each quota shows."""
        table, n = self.table, self.table.n
        shown = [_shown_places(n, j) for j in table.quotas]
        places = sorted(set().union(*shown))
        every = n <= MOST_ROWS
        return {
            "rows": {str(place): self._row(place) for place in places},
            "shown": [] if every else shown,
            "every": places if every else [],
        }

    def _row(self, place: int) -> dict[str, Any]:
        """One place of the ranking: the cells of both tables, and its tie."""
        table, cases = self.table, self.cases
        index = int(cases.ranking.order[place - 1])
        tie, t = table.tie_of(place), table.t[place - 1]
        ranking = [
            str(place),
            look.shown_text(shorter(cases.name(index))),
            "+" if cases.label(index) else "−",
            short_decimal(cases.score(index)),
            fraction_text(t),
        ]
        areas = [str(place), cell_text(t)]
        if table.positives:
            curves = (table.hits[place] / table.positives, table.random(place))
            numbers = (*curves, table.optimal(place), *table.gaps(place))
            areas += [cell_text(number) for number in numbers]
        row: dict[str, Any] = {"ranking": ranking, "areas": areas}
        if tie is not None:
            edges = [
                kind for kind, at in (("first", tie.start + 1), ("last", tie.stop)) if at == place
            ]
            row["tie"] = " ".join(["tie", *edges])
            row["why"] = f"{tie.positives} of {tie.size}"
        return row

    def _areas(self) -> dict[str, Any]:
        """S₁, S₂ and S₃ up to each quota, and in all."""
        areas = self.table.areas
        state: dict[str, Any] = {"sums": [[cell_text(each) for each in sums] for sums in areas]}
        state["sums_exact"] = [[fraction_text(each) for each in sums] for sums in areas]
        try:
            pem = value("pem", self.cases)
        except Undefined as wrong:
            state["pem"] = f"PEM is undefined: {wrong.reason}."
        else:
            first, second, third = (fraction_text(each) for each in areas[-1])
            state["pem"] = f"PEM = (S₁ − S₂) / S₃ = ({first} − {second}) / {third}"
            state["pem"] += f" = {value_text(pem)}"
        return state

    def _deciles(self) -> dict[str, Any]:
        """The lift of each tenth, None where it is undefined, and where the tenths end."""
        found: list[Fraction | None] = []
        for decile in DECILES:
            try:
                found.append(value("decile_lift", self.cases, decile=decile))
            except Undefined:
                found.append(None)
        bounds = [decile_bounds(self.table.n, decile) for decile in DECILES]
        texts = [
            f"places {first} to {last}: lift {value_text(lift)}" if first <= last else "no case"
            for (first, last), lift in zip(bounds, found, strict=True)
        ]
        return {"decile_lift": _floats(found), "decile_text": texts}

    def _derivations(self) -> dict[str, Any]:
        templates = Templates()

        def written(key: str, **params: Any) -> tuple[int, int]:
            return templates.add(html.fragment(explain(key, self.cases, **params)))

        found = {key: [written(key)] for key in FOR_ALL_QUOTAS}
        tenths = [written("decile_lift", decile=decile) for decile in DECILES]
        # No case is checked before the first one.
        found["decile_lift"] = [
            tenths[max(_decile(self.table.n, j), 1) - 1] for j in self.table.quotas
        ]
        if len(self.table.quotas) <= MOST_DERIVED:
            for key in AT_QUOTA:
                found[key] = [written(key, top=j) for j in self.table.quotas]
        forms, slots = templates.packed()
        return {
            "derivations": found,
            "forms": forms,
            "slots": slots,
            "style": html.STYLE,
            "no_derivation": "<p>There are too many quotas to write a derivation for each. In a "
            "notebook <code>bt.explain(measure, cases, top=quota)</code> shows one.</p>",
        }

    # The page ----------------------------------------------------------------------------------

    def build(self) -> View:
        from bokeh.models import CustomJS

        state = self.state()
        slider, measure, shade = self._slider(), _measure_select(self.measure), _shade_select()
        pictures = quota_figures.Pictures(self.table, state)
        summary = look.announcer()
        people = look.box(width=345, css=FITTING + PEOPLE_STYLE)
        numbers = look.box(width=600, css=FITTING + NUMBERS_STYLE)
        ranking = look.box(width=340, css=FITTING + TABLE_STYLE)
        areas = look.box(width=530, css=FITTING + TABLE_STYLE)
        derivation = look.box(width=760, css=FITTING)
        switch = CustomJS(
            args={
                "state": state,
                "slider": slider,
                "measure": measure,
                "shade": shade,
                "summary": summary,
                "people": people,
                "numbers": numbers,
                "ranking": ranking,
                "areas": areas,
                "derivation": derivation,
                **pictures.moved,
            },
            code=look.script("quota.js"),
        )
        for control in (slider, measure, shade):
            control.js_on_change("value", switch)
        root = look.page(
            slider,
            summary,
            look.flow(shade, measure),
            look.flow(people, numbers),
            look.flow(*pictures.figures.values()),
            look.flow(ranking, areas, derivation),
        )
        traits = {"quota": (slider, "value"), "measure": (measure, "value")}
        return View(root, traits, pictures.figures, switch)

    def _slider(self) -> Slider:
        from bokeh.models import InlineStyleSheet, Slider

        wide = InlineStyleSheet(css=":host { font-size: 17px; } .noUi-handle { cursor: grab; }")
        return Slider(
            start=0,
            end=self.table.n,
            step=1,
            value=self.quota,
            title="Quota: cases that can be checked",
            sizing_mode="stretch_width",
            stylesheets=[wide],
        )


def _measure_select(chosen: str) -> Select:
    from bokeh.models import Select

    options = [(key, MEASURES[key].title) for key in EXPLAINED]
    return Select(title="Explain step by step", value=chosen, options=options, width=300)


def _shade_select() -> Select:
    from bokeh.models import Select

    return Select(
        title="Shade in the picture of PEM", value="all", options=list(SHADES.items()), width=300
    )


# On a narrow screen a box is as wide as that, and a wide table moves inside it.
FITTING = ":host { max-width: 100%; overflow-x: auto; }"
PEOPLE_STYLE = """
:host { min-height: 170px; }
p { padding-left: .6em; border-left: 6px solid #888; }
p.found { border-left: 6px solid #0072B2; } p.found b { color: #005A8E; }
p.missed { border-left: 6px dashed #D55E00; } p.missed b { color: #A84400; }
p.vain { border-left: 6px dotted #E69F00; } p.vain b { color: #7A5400; }
p.tied { border-left: 6px double #CC79A7; } p.tied b { color: #8F3F6B; }
"""
NUMBERS_STYLE = """
th[scope=row] { text-align: left; font-weight: 600; }
th, td { white-space: nowrap; padding: .12em .5em; }
thead th { border-bottom: 1px solid #222; }
td.value { font-weight: 600; }
"""
TABLE_STYLE = """
thead th { border-bottom: 1px solid #222; }
tr.up td { background: #eaf3fa; }
tr.now td { background: #cfe5f5; font-weight: 600; }
tr.cut td { border-top: 4px solid #D55E00; color: #A84400; text-align: center; font-size: 14px; }
tr.gap td { text-align: center; color: #555; }
tfoot td { border-top: 1px solid #222; font-weight: 600; }
td.tie { border-left: 3px solid #CC79A7; border-right: 3px solid #CC79A7; color: #8F3F6B; }
td.tie.first { border-top: 3px solid #CC79A7; } td.tie.last { border-bottom: 3px solid #CC79A7; }
p.key { font-size: 14px; }
"""


def _checked(quota: Any, n: int) -> int:
    """A quota from 0 to n."""
    if isinstance(quota, bool) or not isinstance(quota, int):
        raise ValueError(f"quota is {quota!r}; it must be a whole number of cases")
    if not 0 <= quota <= n:
        raise ValueError(f"quota is {quota}, but there are {n} cases; use 0 to {n}")
    return quota


def _floats(numbers: Any) -> list[float | None]:
    return [as_float(number) for number in numbers]


def _if(exists: int, top: int, bottom: int) -> Fraction | None:
    return Fraction(top, bottom) if exists else None


def _over(top: Fraction | int, bottom: int) -> str:
    return f"{fraction_text(Fraction(top))} / {bottom}"


def _short(number: Fraction | str | None) -> str:
    if isinstance(number, str):
        return number
    return "–" if number is None else fraction_text(number)


def _decile(n: int, quota: int) -> int:
    """The tenth in which the last case of the quota lies, from 1; 0 for an empty quota."""
    return next(
        (
            tenth
            for tenth in DECILES
            if decile_bounds(n, tenth)[0] <= quota <= decile_bounds(n, tenth)[1]
        ),
        0,
    )


def _shown_places(n: int, quota: int) -> list[int]:
    """The rows that are shown at a quota: all of a few, of many the ends and those at the line."""
    if n <= MOST_ROWS:
        return list(range(1, n + 1))
    near = range(quota - AROUND + 1, quota + AROUND + 1)
    kept = {*range(1, ENDS + 1), *near, *range(n - 1, n + 1)}
    return sorted(place for place in kept if 1 <= place <= n)
