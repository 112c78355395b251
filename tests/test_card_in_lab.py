"""The card in a real JupyterLab, by keyboard alone; what is saved, and what is left of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from every_question import CASES, HOSTILE, HOSTILE_OPTION, LESSON
from explorer_pages import Shown, violations, watch

from benchmarks.browser import (
    end_kernel,
    jupyter_lab,
    open_notebook,
    run_all_cells,
    run_in_kernel,
    write_notebook,
)
from binteach.exercises.outcome import RECORD

pytestmark = pytest.mark.slow

PATIENCE = 30_000  # milliseconds
# Each test has a card of its own, in a cell of its own.
NAMES = ("walked", "turned", "hostile", "looked_at", "kept")
SHOWN = "{0} = Lesson(plan, 'a')\ncard_{0} = {0}.card()\ncard_{0}"
CELLS = [LESSON, *map(SHOWN.format, NAMES)]
COPY = ".binteach-kept"
TITLE = ".binteach-live h4"
NOTEBOOK = "jupyterapp.shell.currentWidget"


class Card:
    """The card of a cell."""

    def __init__(self, page: Any, name: str) -> None:
        self.page, self.cell = page, 1 + NAMES.index(name)
        self.place = page.locator(".jp-CodeCell").nth(self.cell).locator(".binteach-live")

    def wait(self, what: str, *, inside: str = ".binteach-live") -> None:
        """Until these words stand in this part of the card."""
        self.page.wait_for_function(
            "([cell, part, what]) => [...document.querySelectorAll('.jp-CodeCell')[cell]"
            "?.querySelectorAll(part) ?? []].some((each) => each.textContent.includes(what))",
            arg=[self.cell, inside, what],
            timeout=PATIENCE,
        )

    def wait_for_focus(self, selector: str) -> None:
        self.page.wait_for_function(
            "([cell, selector]) => document.activeElement.matches(selector) && "
            "document.querySelectorAll('.jp-CodeCell')[cell].contains(document.activeElement)",
            arg=[self.cell, selector],
            timeout=PATIENCE,
        )

    def focused(self) -> str:
        """The label of what has the focus."""
        found: str = self.page.evaluate(
            "() => { const e = document.activeElement; return e.matches('input, textarea') "
            "? (e.closest('label') ?? e.labels[0]).textContent : e.textContent }"
        )
        return found

    def enter(self) -> None:
        """Select the cell and go on with Tab until the focus is on the card."""
        self.page.evaluate(
            f"""(cell) => {{
              const notebook = {NOTEBOOK}.content;
              notebook.activeCellIndex = cell;
              notebook.mode = "command";
              notebook.activeCell.node.focus();
            }}""",
            self.cell,
        )
        for _ in range(20):
            self.page.keyboard.press("Tab")
            if self.place.evaluate("(card) => card.contains(document.activeElement)"):
                return
        raise AssertionError("Tab does not lead into the card")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, label: str, key: str = "Tab") -> None:
        """Go on to a button; none stands between that is not meant to be there."""
        for _ in range(6):
            self.press(key)
            if self.focused() == label:
                return
        raise AssertionError(f"{key} does not lead to {label}")

    def type(self, text: str) -> None:
        """In the place of what stands there."""
        self.press("Control+a")
        self.page.keyboard.type(text)

    def go_on(self, number: int) -> None:
        """To the next question, which has this number."""
        self.tab_to("Next")
        self.press("Enter")
        self.wait(f"Question {number}", inside=TITLE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cards")


@pytest.fixture(scope="module")
def opened(chromium: Any, folder: Path) -> Iterator[tuple[Any, list[str]]]:
    """A notebook of cards, and whatever it complained about or asked another machine for."""
    write_notebook(folder / "cards.ipynb", CELLS)
    with jupyter_lab(folder) as address:
        page = chromium.new_page(viewport={"width": 1200, "height": 1000})
        trouble = watch(page, "error")
        open_notebook(page, address, "cards.ipynb")
        page.evaluate("() => jupyterapp.shell.collapseLeft()")
        run_all_cells(page)
        for name in NAMES:
            Card(page, name).wait("Question 1: Precision", inside=TITLE)
        yield page, trouble
        page.close()


@pytest.fixture
def page(opened: tuple[Any, list[str]]) -> Any:
    return opened[0]


@pytest.fixture
def trouble(opened: tuple[Any, list[str]]) -> list[str]:
    return opened[1]


def ask(page: Any, expression: str) -> str:
    return run_in_kernel(page, f"print({expression})").strip()


def records(page: Any, folder: Path, name: str) -> list[dict[str, Any]]:
    """What the saved notebook holds about the checks of a card."""
    page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
    saved = json.loads((folder / "cards.ipynb").read_text(encoding="utf-8"))
    outputs = saved["cells"][1 + NAMES.index(name)]["outputs"]
    return [each["data"][RECORD] for each in outputs if RECORD in each.get("data", {})]


def test_a_lesson_is_worked_through_by_keyboard_alone(
    page: Any, folder: Path, trouble: list[str]
) -> None:
    card = Card(page, "walked")
    cells = page.evaluate(f"() => {NOTEBOOK}.content.widgets.length")

    # A number: a wrong answer, a hint, the right answer.
    card.enter()
    assert card.focused() == "Your answer"
    card.type("3/5")
    card.press("Enter")
    card.wait("3/5 is the sensitivity, TP / (TP + FN)", inside="[role=status][aria-live=polite]")
    assert card.focused() == "Your answer", "the answer can be corrected at once"
    card.tab_to("Hint")
    card.press("Enter")
    card.wait("Hint 1 of 3: Of the cases called positive", inside="[role=status]")
    card.wait("3/5 is the sensitivity")
    assert card.focused() == "Hint"
    card.tab_to("Your answer", "Shift+Tab")
    card.type("3/4")
    card.press("Enter")
    card.wait("✓ Correct. 3/4 is right.")
    card.wait("1 of 9 solved")

    # An option, by the arrow keys; letters are no commands to the notebook meanwhile.
    card.go_on(2)
    card.wait_for_focus("input[type=radio]")
    card.press("ArrowDown")
    assert card.focused() == "the precision"
    radios = card.place.locator("input[type=radio]")
    names = {radio.get_attribute("name") for radio in radios.all()}
    assert len(names) == 1, "only then are they one group in every browser"
    assert names != {None}
    card.press("b", "a", "Enter")
    card.wait("✓ Correct. “the precision” is right.")
    assert card.focused() == "the precision"

    # A confusion matrix, cell by cell.
    card.go_on(3)
    card.wait_for_focus("input[type=text]")
    for name, count in (("TP", "4"), ("FP", "1"), ("FN", "1"), ("TN", "4")):
        assert card.focused() == name
        card.type(count)
        card.press("Tab" if name != "TN" else "Enter")
    card.wait("✓ Correct. All four counts are right.")
    card.wait("3 of 9 solved")

    # A long list; the solution asks once.
    card.go_on(4)
    card.wait_for_focus("textarea")
    card.type("(0,0), (1,1)")
    card.press("Enter")
    card.wait("There are 11 points, and you give 2.")
    card.tab_to("Solution")
    card.press("Enter")
    card.wait("Do you want to give up?")
    assert "Solution" not in card.place.locator("h4").all_inner_texts()
    card.press("Enter")
    card.wait("(0, 0), (0, 1/5)")

    # And back.
    card.tab_to("Previous")
    card.press("Enter")
    card.wait("Question 3", inside=TITLE)
    card.wait_for_focus("input[type=text]")
    assert page.evaluate("() => document.activeElement.value") == "4"

    assert page.evaluate(f"() => {NOTEBOOK}.content.widgets.length") == cells
    assert ask(page, "walked.progress(), walked.q4.last[1].status") == "(3, 9) incorrect"
    card.wait("There are 11 points", inside=COPY)
    found = [(each["question"], each["status"]) for each in records(page, folder, "walked")]
    assert found == [
        ("every.a_number", "correct"),
        ("every.an_option", "correct"),
        ("every.counts", "correct"),
        ("every.points", "incorrect"),
    ]
    assert trouble == []


def test_what_is_answered_in_quick_succession_is_judged_as_typed_last(
    page: Any, trouble: list[str]
) -> None:
    card = Card(page, "turned")
    card.enter()
    for answer, reply in (("3/5", "is the sensitivity"), ("3/4", "is right")) * 3:
        card.type(answer)
        card.press("Enter")
        card.wait(f"{answer} {reply}")
    assert trouble == []


def test_what_python_solves_is_seen_when_it_is_turned_to(page: Any, trouble: list[str]) -> None:
    card = Card(page, "turned")
    assert ask(page, "turned.q2.check('b').status") == "correct"
    card.enter()
    card.go_on(2)
    card.wait("✓ Correct. “the precision” is right.")
    card.wait("2 ✓", inside=".marks .now")
    assert trouble == []


def test_nothing_from_outside_becomes_part_of_the_page(page: Any, trouble: list[str]) -> None:
    card = Card(page, "hostile")
    card.enter()
    card.type(HOSTILE)
    card.press("Enter")
    card.wait("? Not understood.")
    for number in range(2, HOSTILE_OPTION + 1):
        card.go_on(number)
        if number == CASES:
            card.wait_for_focus("textarea")
            card.type(f"{HOSTILE}, b")
            card.press("Enter")
            card.wait("b does not belong to them.")
        if number in (CASES, HOSTILE_OPTION):
            card.wait(f"{number}: {HOSTILE}", inside=TITLE)
            assert page.locator(".jp-OutputArea img").count() == 0
        # The way on begins at the last field or button of the question.
        card.place.locator(".binteach-solution").focus()
    assert trouble == []


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_a_card_keeps_nobody_out_and_fits_a_telephone(
    page: Any, axe: str, theme: str, trouble: list[str]
) -> None:
    card = Card(page, "looked_at")
    page.evaluate(
        "(name) => jupyterapp.commands.execute('apputils:change-theme', {theme: name})",
        f"JupyterLab {theme}",
    )
    page.wait_for_function(
        "(light) => document.body.dataset.jpThemeLight === light",
        arg=json.dumps(theme == "Light"),
    )
    for width in (1200, 400):
        page.set_viewport_size({"width": width, "height": 1000})
        for number in range(1, 10):
            run_in_kernel(page, f"card_looked_at.turn({number} - 1 - card_looked_at.place)")
            card.wait(f"Question {number}", inside=TITLE)
            for kind in ("hint", "solution", "solution"):
                card.place.locator(f".binteach-{kind}").click()
            card.place.locator(".binteach-said h4").wait_for(timeout=PATIENCE)
            assert cut_off(card) == []
            assert violations(Shown(page, card.cell), axe, within=".binteach-live") == []
    page.set_viewport_size({"width": 1200, "height": 1000})
    assert trouble == []


def cut_off(card: Card) -> list[str]:
    """Fields, labels and buttons that stick out of the card."""
    found: list[str] = card.place.evaluate(
        """(card) => {
          const end = card.getBoundingClientRect().right;
          return [...card.querySelectorAll("input, textarea, button, label, h4, p")]
            .filter((each) => each.getBoundingClientRect().right > end)
            .map((each) => each.outerHTML);
        }"""
    )
    return found


def test_a_page_that_is_loaded_again_says_that_answers_are_no_longer_kept(
    page: Any, folder: Path, trouble: list[str]
) -> None:
    card = Card(page, "kept")
    card.enter()
    card.type("3/5")
    card.press("Enter")
    card.wait("3/5 is the sensitivity", inside=COPY)
    assert [each["status"] for each in records(page, folder, "kept")] == ["incorrect"]
    warning = card.place.locator(".unkept")

    page.reload()
    card.wait("3/5 is the sensitivity", inside=".binteach-live")
    assert not warning.is_visible()
    card.enter()
    card.type("3/4")
    card.press("Enter")
    card.wait("3/4 is right")
    warning.wait_for(state="visible", timeout=PATIENCE)
    assert [each["status"] for each in records(page, folder, "kept")] == ["incorrect"]

    page.evaluate(f"() => {{ {NOTEBOOK}.content.activeCellIndex = {card.cell} }}")
    run_in_kernel(page, "again = kept")
    page.evaluate(
        f"() => {NOTEBOOK}.content.activeCell.model.sharedModel.setSource('again.card()')"
    )
    page.evaluate("() => jupyterapp.commands.execute('notebook:run-cell')")
    card.wait("Question 2", inside=TITLE)
    card.wait("3/4 is right", inside=COPY)
    assert not warning.is_visible()
    assert [each["status"] for each in records(page, folder, "kept")] == ["correct"]
    assert trouble == []


def test_without_python_the_questions_and_replies_can_be_read(page: Any) -> None:
    """The last test of this notebook: there is no kernel afterwards."""
    card = Card(page, "kept")
    end_kernel(page)
    page.reload()
    card.wait("3/4 is right.", inside=COPY)
    copies = page.locator(".jp-CodeCell").nth(card.cell).locator(".binteach-kept")
    assert copies.count() == 9
    assert all(copy.is_visible() for copy in copies.all())
