"""What the exercises and lessons have on each measure: questions, mistakes, places."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache

from binteach.exercises.formulas import FormulaGoal, WrongFormula
from binteach.exercises.goals import NumberGoal
from binteach.exercises.lessons import NAMES, lesson
from binteach.exercises.mistakes import Mistake, mistakes_of
from binteach.exercises.question import Question
from binteach.measures import MEASURES, Context, Measure, answers_to, evaluate, measure
from binteach.site.examples import data_of, parameters
from binteach.slides import course_notebooks

FEW = 5  # mistakes that are told of a measure that no exercise asks for
# They say something about the form of an answer, and nothing about the measure.
OF_FORM = ("percentage", "squared", "rooted")


@cache
def _names() -> re.Pattern[str]:
    """Every name that is no word of daily life: a title, several words, or initials as such."""
    found = {}
    for declared in MEASURES.values():
        for name in (declared.title, *declared.names):
            initials = sum(letter.isupper() for letter in name) >= 2
            if answers_to(declared, name) and (initials or " " in name or name == declared.title):
                found[name] = re.escape(name) if initials else f"(?i:{re.escape(name)})"
    # Of two that begin alike, the longer one is tried first.
    listed = "|".join(found[name] for name in sorted(found, key=len, reverse=True))
    return re.compile(rf"(?<!\w)({listed})(?!\w)")


def named_in(words: str) -> list[Measure]:
    """The measures that a sentence names, each once."""
    return list(dict.fromkeys(measure(found) for found in _names().findall(words)))


# Questions ----------------------------------------------------------------------------------------


def anchor(lesson_name: str, number: int) -> str:
    """What a question's place in the site is called."""
    return f"{lesson_name.replace('_', '-')}-question-{number}"


@dataclass(frozen=True)
class Asked:
    """A question of the bank, and the name of its lesson."""

    lesson: str
    question: Question

    @property
    def anchor(self) -> str:
        """Its place in the page of the lesson's exercises."""
        return anchor(self.lesson, self.question.number or 0)

    @property
    def notebook(self) -> str:
        """The file that asks it."""
        return f"{NAMES.index(self.lesson) + 1:02}_{self.lesson}.ipynb"

    @property
    def measure(self) -> Measure | None:
        """What it asks for: by its goal, or else by its title."""
        goal = self.question.goal
        context = getattr(goal, "context", None)
        found = getattr(goal, "measure", None) if context is None else context.measure
        if isinstance(found, Measure):
            return found
        return next(iter(named_in(self.question.title)), None)

    def mistakes(self) -> list[str]:
        """What a student is told who makes one of the mistakes that it must tell apart."""
        goal = self.question.goal
        if isinstance(goal, NumberGoal) and goal.context is not None:
            known: tuple[Mistake | WrongFormula, ...] = tuple(goal.mistakes)
        elif isinstance(goal, FormulaGoal):
            known = goal.mistakes
        else:
            return []  # of functions the mistakes are those of numbers; options explain themselves
        wanted = {(named.key, named.about) for named in self.question.named}
        found = {
            (each.key, getattr(each, "about", "")): _told(each)
            for each in reversed(known)
            if (each.key, getattr(each, "about", "")) in wanted or (each.key, "") in wanted
        }
        return list(dict.fromkeys(reversed(found.values())))


def _told(mistake: Mistake | WrongFormula) -> str:
    """What the answer is, as a sentence, and what to do instead."""
    says = mistake.says[0].upper() + mistake.says[1:]
    return f"{says}. {mistake.remedy}".strip()


@cache
def _questions() -> dict[str, list[Asked]]:
    """Key of a measure -> the questions that ask for it."""
    found = defaultdict(list)
    for name in NAMES:
        for question in lesson(name):
            asked = Asked(name, question)
            if asked.measure is not None:
                found[asked.measure.key].append(asked)
    return dict(found)


def questions_on(declared: Measure) -> list[Asked]:
    """The questions of the bank that ask for a measure, lesson by lesson."""
    return _questions().get(declared.key, [])


def known_mistakes(declared: Measure) -> list[str]:
    """What is told apart on the ten cases of a measure that no exercise asks for."""
    context = Context(declared, data_of(declared)[1], parameters(declared))
    found: dict[str, str] = {}
    for mistake in mistakes_of(context, evaluate(context)):
        if mistake.key not in OF_FORM:
            found.setdefault(mistake.key, _told(mistake))
    return list(found.values())[:FEW]


# Lessons ------------------------------------------------------------------------------------------


@cache
def notebooks() -> dict[str, tuple[str, str]]:
    """Name of a lesson's notebook -> its title, and its code."""
    found = {}
    for item in course_notebooks().values():
        cells = json.loads(item.read_text(encoding="utf-8"))["cells"]
        title = "".join(cells[0]["source"]).partition("\n")[0].lstrip("# ")
        code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        found[item.name.removesuffix(".ipynb")] = (title, code)
    return found


@cache
def _measures_in(name: str) -> frozenset[Measure]:
    """The measures that the code of a lesson names."""
    found = set()
    for text in re.findall(r"""["']([^"'\n]+)["']""", notebooks()[name][1]):
        try:
            found.add(measure(text))
        except ValueError:
            continue  # not every text is a measure
    return frozenset(found)


def lessons_on(declared: Measure) -> list[str]:
    """The lessons that compute a measure."""
    return [name for name in notebooks() if declared in _measures_in(name)]


def lessons_with(explorer: str) -> list[str]:
    """The lessons that show an explorer."""
    names = [explorer, "explore"] if explorer == "threshold" else [explorer]
    called = re.compile(rf"\b(bt|explorers)\.({'|'.join(names)})[.(]")
    return [name for name, (_, code) in notebooks().items() if called.search(code)]
