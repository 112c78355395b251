"""The quota explorer: so many cases can be checked; which measures tell how well (Arbel & Rokach).

One page with their Figures 3, 5, 8 and 9 and their Table 5, all at the same quota.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from binteach.cases import Cases, Undefined
from binteach.derivation import explain
from binteach.explorers import look, quota_figures
from binteach.explorers.base import Explorer, Setting, View
from binteach.explorers.quotas import QuotaTable, as_float, cell_text, shorter, value_text
from binteach.explorers.state import (
    MOST_DERIVED,
    Templates,
    fraction_text,
    measure_key,
    score_text,
    whole_number,
)
from binteach.measures import MEASURES, value
from binteach.measures.symbols import decile_bounds
from binteach.render import html

MOST_ROWS = 60  # places of which every row is shown; of more, those at both ends and at the line
ENDS, AROUND = 4, 3  # rows that are kept there
MOST_LONG = 26  # quotas for which also the long derivation of the correlation is written
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


TOO_MANY = (
    "<p>There are too many quotas to write a derivation for each. In a notebook "
    "<code>bt.explain(measure, cases, top=quota)</code> shows one.</p>"
)


class Quota(Explorer):
    """How many can be checked: the top of the ranking, and who is found in it.

    cases    any Cases without weights
    quota    how many of them can be checked, from the top of the ranking: 0 to n; as many as are
             positive unless given
    measure  the measure that is derived: pem, hit_rate, qrecall, quota_lift, quota_pearson,
             decile_lift, average_hit_rate or average_qrecall, by any of their names

    `quota` and `measure` are traits, too: they follow the page, and can be set and observed. Of
    more than 500 cases the slider goes through all quotas up to 100 and some of the others, and
    one that is left out becomes the nearest of these. The figures are "curves", "pem", "lift" and
    "errors".

        e = bt.explorers.quota(bt.load("ten_cases"), quota=4)
        e                       # as the last line of a cell: the page
        e.quota = 5             # moves its slider
        e.save("quotas.html")   # one file that works without Python
        e.figure("pem")         # a Bokeh figure; e.svg("pem") and e.png("pem") for slides
    """

    kind = "quota"
    of_cases = True

    def __init__(self, cases: Cases, quota: int | None = None, measure: str = "pem") -> None:
        super().__init__()
        self.cases = self.checked(cases)
        wanted = None if quota is None else whole_number("quota", quota, 0, cases.n)
        self.table = QuotaTable(cases, wanted)
        self.measure = measure
        # As many as there are positives: the smallest quota that could hold them all.
        self.quota = (self.table.positives or cases.n) if wanted is None else wanted

    @Setting
    def quota(self, given: object) -> int:
        """The number of cases that can be checked."""
        return self.table.quotas[self.table.place(whole_number("quota", given, 0, self.table.n))]

    @Setting
    def measure(self, given: object) -> str:
        """The key of the measure that is explained."""
        return measure_key("measure", given, EXPLAINED)

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
        """Measures at one quota: name, value, numbers put in, of a random and a perfect order."""
        table, j, hits = self.table, self.table.quotas[place], self.table.found[place]
        ups, downs, n = table.positives, table.negatives, table.n
        share, hit_rate, pearson = (
            self.cases.prevalence,
            table.hit_rate[place],
            table.pearson[place],
        )
        missed, vain = ups - hits, j - hits
        best_hit = Fraction(min(j, ups), j) if j else None
        empty, no_positive, no_negative = (
            "" if exists else reason
            for exists, reason in ((j, "empty quota"), (ups, "no positive"), (downs, "no negative"))
        )
        # The reason stands where the numbers would be; without one, the value exists.
        rows: list[tuple[str, str, str, Any, Any, Any]] = [
            ("Hit rate", empty, _over(hits, j), hit_rate, share, best_hit),
            ("Qrecall", no_positive, _over(hits, ups), table.qrecall[place], _part(j, n), optimal),
            (
                "Lift",
                empty or no_positive,
                f"{_short(hit_rate)} : {_short(share)}",
                table.lift[place],
                Fraction(1),
                best_hit / share if best_hit is not None and share else None,
            ),
            ("Pearson", self._no_pearson(place), "", pearson, None, None),
            (
                "Missed, α",
                no_positive,
                _over(missed, ups),
                _part(missed, ups),
                _part(n - j, n),
                None if optimal is None else 1 - optimal,
            ),
            (
                "False alarms, β",
                no_negative,
                _over(vain, downs),
                _part(vain, downs),
                _part(j, n),
                _part(max(j - ups, 0), downs),
            ),
        ]
        return [
            [name, "undefined", reason, "", ""]
            if reason
            else [name, value_text(found), work, _short(random), _short(best)]
            for name, reason, work, found, random, best in rows
        ]

    def _no_pearson(self, place: int) -> str:
        """Why there is no correlation in the quota; nothing where there is one."""
        table, j = self.table, self.table.quotas[place]
        if table.pearson[place] is not None:
            return ""
        if j == 0:
            return "empty quota"
        tie = table.tie_of(1)
        one_score = j == 1 or (tie is not None and tie.stop >= j)
        return "equal scores" if one_score else "equal labels"

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
        case = int(cases.ranking.order[place - 1])
        tie, t = table.tie_of(place), table.t[place - 1]
        ranking = [
            str(place),
            look.shown_text(shorter(cases.name(case))),
            "+" if cases.label(case) else "−",
            score_text(cases.score(case)),
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
        return {
            "decile_lift": _floats(found),
            "decile_text": texts,
            "decile_sizes": _decile_sizes(self.table.n),
        }

    def _derivation(self) -> str:
        """The derivation of the measure at the quota, written now."""
        params: dict[str, Any] = {"top": self.quota} if self.measure in AT_QUOTA else {}
        if self.measure == "decile_lift":
            params = {"decile": max(_decile(self.table.n, self.quota), 1)}
        return html.render(explain(self.measure, self.cases, **params))

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
        for key in AT_QUOTA:
            if len(self.table.quotas) <= (MOST_LONG if key == "quota_pearson" else MOST_DERIVED):
                found[key] = [written(key, top=j) for j in self.table.quotas]
        return templates.state(found, TOO_MANY)

    # The page ----------------------------------------------------------------------------------

    def build(self) -> View:
        from bokeh.models import CustomJS

        state = self.state()
        slider = look.slider("Quota: cases that can be checked", 0, self.table.n, self.quota)
        titles = {key: MEASURES[key].title for key in EXPLAINED}
        measure = look.select("Explain step by step", titles, self.measure)
        shade = look.select("Shade in the picture of PEM", SHADES, "all")
        pictures = quota_figures.Pictures(self.table, state)
        summary = look.announcer()
        people = look.wide_box("Who is found", 310, css=PEOPLE_STYLE)
        numbers = look.wide_box("Measures at this quota", 590, css=NUMBERS_STYLE)
        ranking = look.wide_box("Ranking", 340, css=TABLE_STYLE)
        areas = look.wide_box("Areas of PEM", 570, css=TABLE_STYLE)
        derivation = look.wide_box("Derivation", 760)
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
            look.gallery(*pictures.figures.values(), ranking, areas),
            derivation,
        )
        traits = {"quota": (slider, "value"), "measure": (measure, "value")}
        return View(root, traits, pictures.figures, switch)


PEOPLE_STYLE = """
:host { min-height: 170px; flex-grow: 1 !important; max-width: min(100%, 760px); }
p { padding-left: .6em; border-left: 6px solid #888; }
p.found { border-left: 6px solid #0072B2; } p.found b { color: #005A8E; }
p.missed { border-left: 6px dashed #D55E00; } p.missed b { color: #A84400; }
p.vain { border-left: 6px dotted #E69F00; } p.vain b { color: #7A5400; }
p.tied { border-left: 6px double #CC79A7; } p.tied b { color: #8F3F6B; }
"""
NUMBERS_STYLE = """
th[scope=row] { text-align: left; font-weight: 600; }
th, td { white-space: nowrap; padding: .12em .4em; }
table { font-size: 15.5px; } td.value { padding: 0 .7em; }
thead th { border-bottom: 1px solid #222; }
td.value { font-weight: 600; }
"""
TABLE_STYLE = """
th, td { padding: .12em .3em; }
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


def _floats(numbers: Any) -> list[float | None]:
    return [as_float(number) for number in numbers]


def _part(top: Fraction | int, bottom: int) -> Fraction | None:
    return Fraction(top) / bottom if bottom else None


def _over(top: Fraction | int, bottom: int) -> str:
    return f"{fraction_text(Fraction(top))} / {bottom}"


def _short(number: Fraction | None) -> str:
    if number is None:
        return ""
    return str(number) if number.denominator < 100 else cell_text(number)


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


def _decile_sizes(n: int) -> str:
    """Which tenths hold more cases than the others; nothing where all hold as many."""
    size, larger = divmod(n, 10)
    if not larger:
        return ""
    first = "1" if larger == 1 else f"1 to {larger}"
    return f" ({first}: {_cases(size + 1)}, others: {_cases(size)})"


def _cases(number: int) -> str:
    return "1 case" if number == 1 else f"{number} cases" if number else "none"


def _shown_places(n: int, quota: int) -> list[int]:
    """The rows that are shown at a quota: all of a few, of many the ends and those at the line."""
    if n <= MOST_ROWS:
        return list(range(1, n + 1))
    near = range(quota - AROUND + 1, quota + AROUND + 1)
    kept = {*range(1, ENDS + 1), *near, *range(n - 1, n + 1)}
    return sorted(place for place in kept if 1 <= place <= n)
