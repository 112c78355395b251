"""What the explorers of prevalence and of costs share.

A class ratio changes the weight of the classes, and nothing inside them: TPR and FPR stand still,
and with the prevalence π they give every share of a confusion matrix,
  TP = π × TPR,  FP = (1 − π) × FPR,  FN = π × (1 − TPR),  TN = (1 − π) × (1 − FPR).
The same shares come out when each case gets a weight (`bt.Cases(..., weights=...)`): π/n₊ for a
positive one and (1 − π)/n₋ for a negative one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from importlib.resources import files
from math import lcm
from typing import TYPE_CHECKING, Any

import traitlets

from binteach import exact
from binteach.cases import Cases, Counts, Cut, decimal_text
from binteach.derivation import explain
from binteach.exact import shorten
from binteach.explorers import figures, look
from binteach.explorers.base import Explorer, Setting, View
from binteach.explorers.state import CutTable, Templates, Values, filled, whole_number
from binteach.measures import Measure
from binteach.render import html

if TYPE_CHECKING:
    from bokeh.models import LayoutDOM
    from bokeh.models.widgets import Button, Slider

TINY = Fraction(1, 10**12)  # the least share and the least price that are told from nothing
PERCENT = tuple(Fraction(percent, 100) for percent in range(1, 100))


def shares(cut: Cut, prevalence: Fraction) -> Counts:
    """TP, FP, FN and TN as shares of all cases when the positives are so many of them."""
    up, down = prevalence, 1 - prevalence
    return Counts(up * cut.tpr, down * cut.fpr, up * (1 - cut.tpr), down * (1 - cut.fpr))


def percent_text(share: Fraction) -> str:
    """10%, 12.25%, or 4/9 (≈ 44.4%) where no short decimal is exact."""
    digits = short_percent(share)
    return f"{share} ({digits})" if digits.startswith("≈") else digits


def short_percent(share: Fraction) -> str:
    """10%, or ≈ 44.4%."""
    if 10**5 % share.denominator == 0:
        return f"{decimal_text(share * 100)}%"
    return f"≈ {exact.rounded(share * 100, 1)}%"


def exact_number(name: str, given: object) -> Fraction:
    """What was given as a number; a truth value is none."""
    if isinstance(given, bool):
        raise ValueError(f"{name} is {given}; it must be a number")
    return exact.exact(given, name)


def whole_numbers(fractions: Sequence[Fraction]) -> tuple[list[str], str]:
    """Fractions over one denominator, and this denominator: written, since they may be long."""
    below = lcm(*(each.denominator for each in fractions))
    return [str(int(each * below)) for each in fractions], str(below)


# The explorers ----------------------------------------------------------------------------------


class ByPrevalence(Explorer):
    """An explorer with a slider for the prevalence.

    The slider goes through a list: 1% to 99%, the data's own, and the one that was asked for last.
    """

    def __init__(self, cases: Cases, prevalence: object = None) -> None:
        super().__init__()
        self.cases, self.table = self.checked(cases), CutTable(cases)
        self.own = cases.prevalence
        self._fragments: dict[Any, str] = {}
        wanted = self.own if prevalence is None else self._proper_share(prevalence)
        self.prevalences = self._steps(wanted)
        self.prevalence = wanted

    @Setting
    def prevalence(self, given: object) -> Fraction:
        """The share of positive cases, between 0 and 1."""
        return self._proper_share(given)

    @Setting
    def prevalence_place(self, given: object) -> int:
        """The place of the prevalence in `prevalences`, where the slider stands."""
        return whole_number("prevalence_place", given, 0, len(self.prevalences) - 1)

    @property
    def has_both_classes(self) -> bool:
        """Whether there is a class ratio that could change."""
        return bool(self.cases.positives and self.cases.negatives)

    def _steps(self, wanted: Fraction) -> list[Fraction]:
        """The prevalences of a slider on which the wanted one is a step."""
        return sorted({*PERCENT, self.own, wanted}) if self.has_both_classes else [self.own]

    @property
    def own_place(self) -> int:
        """The place of the data's own prevalence."""
        return self.prevalences.index(self.own)

    def _proper_share(self, given: object) -> Fraction:
        """A prevalence at which both classes exist."""
        share = exact_number("prevalence", given)
        if share == self.own:
            return share
        if not self.has_both_classes:
            raise ValueError(
                f"prevalence is {shorten(given)}, but all cases are of one class: "
                f"it must be {self.own}"
            )
        if not TINY <= share <= 1 - TINY:
            raise ValueError(
                f"prevalence is {shorten(given)}; it must lie between 0 and 1, both excluded, "
                "and 10^-12 or more from both"
            )
        return share

    @traitlets.observe("prevalence")
    def _move_slider(self, change: Any) -> None:
        if change.new not in self.prevalences:
            self.prevalences = self._steps(change.new)
            self.renew()
        self.prevalence_place = self.prevalences.index(change.new)

    @traitlets.observe("prevalence_place")
    def _read_slider(self, change: Any) -> None:
        self.prevalence = self.prevalences[change.new]

    def renew(self) -> None:
        """Another list for a slider needs another page, as other data do."""
        self.__dict__.pop("_fixed", None)
        self.notify_change(
            traitlets.Bunch(name="data", old=self.data, new=self.data, owner=self, type="change")
        )

    def fragment(self, measure: Measure, counts: Counts, **params: Any) -> str:
        """A derivation for the page, written once: another page has most of them again."""
        which = (measure.key, counts, *params.values())
        if which not in self._fragments:
            self._fragments[which] = html.fragment(explain(measure, counts, **params))
        return self._fragments[which]

    @cached_property
    def rates(self) -> tuple[Values, Values]:
        """TPR and FPR at every cut."""
        return self.table.column("sensitivity"), self.table.column("false_positive_rate")

    def numbers(self) -> dict[str, Any]:
        """What every page reckons with: TPR is tp / positives, FPR is fp / negatives."""
        tp, positives = whole_numbers([cut.tpr for cut in self.table.cuts])
        fp, negatives = whole_numbers([cut.fpr for cut in self.table.cuts])
        return {
            "k": self.table.k,
            "tp": tp,
            "positives": positives,
            "fp": fp,
            "negatives": negatives,
            "odds": [
                (str(each.numerator), str(each.denominator - each.numerator))
                for each in self.prevalences
            ],
            "prevalence": [float(each) for each in self.prevalences],
            "prevalence_text": [percent_text(each) for each in self.prevalences],
            "rates_text": [
                f"TPR {tpr}, FPR {fpr}"
                for tpr, fpr in zip(*(each.texts for each in self.rates), strict=True)
            ],
            "style": html.STYLE,
        }

    def prevalence_slider(self) -> Slider:
        """The slider through the list of prevalences."""
        texts = [
            percent_text(each) + (", as in the data" if each == self.own else "")
            for each in self.prevalences
        ]
        return place_slider("Prevalence", texts, self.prevalences.index(self.prevalence))

    def back_button(self, slider: Slider) -> Button:
        """A button that leads back to the data's own prevalence."""
        from bokeh.models import CustomJS
        from bokeh.models.widgets import Button

        back = Button(label=f"Back to the data: {percent_text(self.own)}", width=260)
        back.js_on_click(
            CustomJS(args={"slider": slider, "own": self.own_place}, code="slider.value = own")
        )
        return back

    def one_class_view(self, empty: dict[str, Any]) -> View:
        """A page for data in which there is nothing to explore."""
        from bokeh.models import CustomJS

        there, missing = (
            ("positive", "negative") if self.cases.positives else ("negative", "positive")
        )
        summary = look.announcer()
        summary.text = (
            f"All cases are {there}. Without a {missing} case there is no class ratio to change, "
            f"and {'FPR' if missing == 'negative' else 'TPR'} is undefined: there is nothing to "
            "explore in these data."
        )
        for figure in empty.values():
            figures.saying(figure, f"There is no {missing} case.")
        return View(look.page(summary), {}, empty, CustomJS(code=""))


def place_slider(title: str, texts: Sequence[str], place: int) -> Slider:
    """A slider through a list; it shows the text in the place where it stands."""
    from bokeh.models import CustomJSTickFormatter

    shown = CustomJSTickFormatter(args={"texts": list(texts)}, code="return texts[tick]")
    return look.slider(title, 0, len(texts) - 1, place, format=shown)


SIDE_BY_SIDE = """
.bk-slider-title { white-space: normal; }
@media (max-width: 600px) { :host { font-size: 14px; } }
"""


def side_by_side(*sliders: Slider) -> LayoutDOM:
    """Sliders in one row, on a phone too: they and the sentence below them stay in sight."""
    from bokeh.models import Row

    for slider in sliders:
        slider.stylesheets = [*slider.stylesheets, SIDE_BY_SIDE]
    return Row(children=list(sliders), sizing_mode="stretch_width", styles={"gap": "26px"})


def exact_script(*names: str) -> str:
    """The code of an explorer after that of exact numbers; the last name is its own."""
    *shared, own = names
    folder = files("binteach.explorers")
    texts = [(folder / file).read_text(encoding="utf-8") for file in ("exact.js", *shared)]
    return "\n".join((*texts, look.script(own)))


def script(name: str) -> str:
    """The code of an explorer of prevalence or costs."""
    return exact_script("rates.js", name)


# Derivations on a grid --------------------------------------------------------------------------


class GridTemplates:
    """Derivations for every pair of places of two sliders, packed.

    What differs between texts of one form often depends on one slider alone (the prevalence), or
    stands there twice (TPR above and below a fraction line). Each such column is kept once.
    """

    def __init__(self, rows: int, columns: int) -> None:
        self.size = (rows, columns)
        self._templates = Templates()
        self._where: dict[tuple[int, int], tuple[int, int]] = {}

    def add(self, row: int, column: int, text: str) -> None:
        """Keep the text of one pair of places."""
        self._where[row, column] = self._templates.add(text)

    def packed(self) -> dict[str, Any]:
        """What the function `derived` of the pages reads; joined lists keep it small."""
        forms, slots = self._templates.packed()
        pairs: list[list[tuple[int, int]]] = [[] for _ in forms]
        grid = [[""] * self.size[1] for _ in range(self.size[0])]
        for (row, column), (form, use) in self._where.items():
            pairs[form].append((row, column))
            grid[row][column] = f"{form} {use}"
        packed_forms = []
        for form_pieces, uses, found in zip(forms, slots, pairs, strict=True):
            kept: dict[tuple[str, ...], int] = {}
            order = [kept.setdefault(each, len(kept)) for each in zip(*uses, strict=True)]
            columns = [self._column(each, found) for each in kept]
            packed_forms.append({"pieces": form_pieces, "order": order, "columns": columns})
        return {"forms": packed_forms, "grid": [joined(row) for row in grid]}

    def _column(self, texts: tuple[str, ...], pairs: list[tuple[int, int]]) -> dict[str, str]:
        """Texts by the place of one slider where that is enough, by number of the use otherwise."""
        for by, axis in (("row", 0), ("column", 1)):
            found = [""] * self.size[axis]
            for pair, text in zip(pairs, texts, strict=True):
                if found[pair[axis]] not in ("", text):
                    break
                found[pair[axis]] = text
            else:
                return {"by": by, "texts": joined(found)}
        return {"by": "use", "texts": joined(texts)}


def joined(texts: Iterable[str]) -> str:
    """Many short texts as one, which a page takes apart when it needs them."""
    listed = list(texts)
    assert not any("|" in text for text in listed)
    return "|".join(listed)


def derived(packed: dict[str, Any], row: int, column: int) -> str | None:
    """The text for a pair of places; the pages do the same."""
    found = packed["grid"][row].split("|")[column]
    if not found:
        return None
    number, use = map(int, found.split())
    form = packed["forms"][number]
    index = {"row": row, "column": column, "use": use}
    slots = [each["texts"].split("|")[index[each["by"]]] for each in form["columns"]]
    return filled(form["pieces"], [slots[slot] for slot in form["order"]])
