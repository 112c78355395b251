"""The static site: every page is there, every link leads somewhere, and no other host is asked."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from explorer_pages import HOSTILE, Shown, violations, watch
from test_site_costs import watched

import binteach as bt
from binteach import site
from binteach.cli import main
from binteach.exercises.lessons import NAMES
from binteach.measures import answers_to
from binteach.site import bank, costs, examples, lessons, plot, reference, writing

MEASURES = list(bt.MEASURES.values())
LESSONS = sorted(file.stem for file in (Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
EXERCISES = [f"{number:02}_{name}" for number, name in enumerate(NAMES, 1)]


# The folder, without the pages --------------------------------------------------------------------


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(ValueError, match="--overwrite"):
        site._clear(tmp_path, overwrite=False)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]
    site._clear(tmp_path, overwrite=True)
    assert (tmp_path / "thesis.txt").read_text() == "mine"


def test_a_file_is_not_taken_for_a_folder(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("mine")
    with pytest.raises(ValueError, match="is a file"):
        site._clear(tmp_path / "site", overwrite=True)


def test_an_earlier_site_is_replaced_and_what_was_added_by_hand_stays(tmp_path: Path) -> None:
    site._clear(tmp_path, overwrite=False)
    (tmp_path / "measures").mkdir()
    (tmp_path / "measures" / "old.html").write_text("old")
    site._mark(tmp_path)
    (tmp_path / ".htaccess").write_text("by hand")
    site._clear(tmp_path, overwrite=False)
    assert not (tmp_path / "measures").exists()
    assert (tmp_path / ".htaccess").read_text() == "by hand"


@pytest.mark.parametrize("listed", ['{"files": ["../mine.txt"]}', "{", "[]", '{"files": [1]}'])
def test_what_a_site_lists_outside_itself_is_not_taken_away(tmp_path: Path, listed: str) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / site.MARK).write_text(listed)
    site._clear(folder, overwrite=False)
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_without_the_extra_one_sentence_tells_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(site, "find_spec", lambda name: None if name == "furo" else name)
    with pytest.raises(SystemExit) as ended:
        main(["site", str(tmp_path / "out")])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said == 'binteach: furo is missing; get it with: pip install "binteach[site]"\n'
    assert not (tmp_path / "out").exists()


# The sources --------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_every_measure_has_a_worked_example_with_a_value(measure: bt.Measure) -> None:
    code, derivation = examples.worked(measure)
    assert derivation.reason == ""
    assert eval(code, {"bt": bt}).value == derivation.value


def test_every_measure_of_a_ranking_has_its_curve_and_only_two_measures_have_none() -> None:
    assert {measure.key for measure in MEASURES if examples.pictured(measure) is None} == {
        "triplet_loss",
        "mean_average_precision",
    }
    assert set(examples.CURVE_OF) == {
        measure.key
        for measure in MEASURES
        if measure.takes in ("ranking", "quota") and not {"top", "decile"} & set(measure.params)
    }


def test_the_table_beside_a_curve_has_the_exact_values() -> None:
    said, picture = examples.pictured(bt.MEASURES["precision"]) or ("", "")
    assert said.endswith("It is undefined at 0.")
    cells = re.findall(r"<td>([^<]*)</td><td>([^<]*)</td>", picture)
    ten = bt.load("ten_cases")
    wanted = [("0", "undefined")]
    wanted += [(str(k), str(bt.value("precision", ten, top=k))) for k in range(1, 11)]
    assert cells == wanted


def test_an_exercise_is_listed_with_the_measure_that_it_asks_for() -> None:
    asked = {each.question.key for each in bank.questions_on(bt.MEASURES["precision"])}
    assert "elementary.precision_at_a_cut.b" in asked
    every = [each for measure in MEASURES for each in bank.questions_on(measure)]
    by_goal = [
        question
        for name in NAMES
        for question in bt.lesson(name)
        if getattr(question.goal, "context", None) or hasattr(question.goal, "measure")
    ]
    assert {question.key for question in by_goal} <= {each.question.key for each in every}


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ("The balanced accuracy and the accuracy", ["balanced_accuracy", "accuracy"]),
        ("Which score is best for the Brier score?", ["brier_score"]),
        ("FOR is 1 - NPV", ["false_omission_rate", "negative_predictive_value"]),
        ("Which kind of error is it?", []),
    ],
)
def test_a_sentence_names_measures_by_titles_and_initials(words: str, keys: list[str]) -> None:
    assert [measure.key for measure in bank.named_in(words)] == keys


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_the_mistakes_of_a_measure_are_told_in_sentences(measure: bt.Measure) -> None:
    told = [said for each in bank.questions_on(measure) for said in each.mistakes()]
    for said in told or bank.known_mistakes(measure):
        assert said[0] == said[0].upper()
        assert said.endswith(".")
    assert told or bank.known_mistakes(measure)


def test_a_mistake_is_told_in_the_words_of_the_diagnosis() -> None:
    (asked,) = bank.questions_on(bt.MEASURES["sensitivity"])
    named, told = asked.question.named, asked.mistakes()
    assert len(named) == len(told) == 3
    messages = " ".join(asked.question.outcome(each.answer).message for each in named)
    for said in told:
        assert said[1:] in messages  # but for the first letter, which is a capital here


def test_an_exercise_shows_questions_and_no_outcome_of_a_check() -> None:
    for name, text in lessons.exercise_pages(lessons.Scripts(), live=False):
        if not name.endswith(".ipynb"):
            continue
        for cell in json.loads(text)["cells"]:
            source = "".join(cell["source"])
            if "check(" in source:
                assert cell["outputs"] == []
            if cell["cell_type"] == "code":
                assert "solution" not in source


@pytest.mark.parametrize("live", [True, False])
def test_pages_link_to_live_notebooks_only_where_there_are_some(live: bool) -> None:
    scripts = lessons.Scripts()
    made = {"threshold": lessons.made("threshold")}
    texts = {
        "index": site._start(live),
        "measure": reference.measure_page(bt.MEASURES["precision"], live),
        **dict(lessons.explorer_pages(scripts, live, made)),
        **dict(lessons.lesson_pages(scripts, live)),
        **dict(lessons.exercise_pages(scripts, live)),
    }
    address = "live/lab/index.html?path="
    wanted = {
        "index": f'"{address}notebooks/00_start_here.ipynb"',
        "measure": f'"../{address}exercises/02_elementary.ipynb"',
        "explorers/threshold.md": f'"../{address}notebooks/00_start_here.ipynb"',
        **{f"lessons/{name}.ipynb": f"../{address}notebooks/{name}.ipynb" for name in LESSONS},
        **{f"exercises/{name}.ipynb": f"../{address}exercises/{name}.ipynb" for name in EXERCISES},
    }
    assert len(wanted) == 3 + 13 + 10
    for name, link in wanted.items():
        assert (link in texts[name]) is live, name


def test_one_copy_of_bokeh_serves_all_pages() -> None:
    scripts = lessons.Scripts()
    for name, text in lessons.lesson_pages(scripts, live=False):
        assert "window.binteach_bokeh =" not in text, name
    assert 1 <= len(scripts.files) <= 2  # two where notebooks were run with another version
    assert all("window.binteach_bokeh =" in text for text in scripts.files.values())


@pytest.mark.parametrize("words", ["a *b* _c_ [d](e) `f` <g> {h}", "# i", "- j", "1. k", "| l |"])
def test_words_mean_nothing_to_markdown(words: str) -> None:
    from markdown_it import MarkdownIt

    rendered = MarkdownIt().render(writing.plain(words))
    assert re.sub(r"&lt;", "<", re.sub(r"&gt;", ">", rendered)) == f"<p>{words}</p>\n"


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([0.2, 0.9], [0, 0.2, 0.4, 0.6, 0.8, 1]),
        ([0, 10], [0, 2, 4, 6, 8, 10]),
        ([-0.4, 0.3], [-0.4, -0.2, 0, 0.2, 0.4]),
        ([3, 3], [0, 1, 2, 3]),
        ([0, 0], [0, 0.2, 0.4, 0.6, 0.8, 1]),
    ],
)
def test_an_axis_has_round_numbers_from_end_to_end(values: list[float], ticks: list[float]) -> None:
    assert plot.axis(values).ticks == ticks


def test_a_picture_leaves_a_gap_where_there_is_no_value() -> None:
    line = plot.Line("<b>", [(0, 0.0), (1, 1.0), (2, None), (3, 0.5), (4, 1.0)])
    drawn = plot.svg([line, line], "x & y", "<y>", '"title"')
    (path, _) = re.findall(r'<path d="(M[^"]*)" fill="none"', drawn)
    assert path.count("M") == 2
    assert path.count("L") == 2
    assert "<b>" not in drawn
    assert "<y>" not in drawn
    assert 'aria-label="&quot;title&quot;"' in drawn


# The whole site -----------------------------------------------------------------------------------

SLOW = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The site without live notebooks, built as a lecturer does, and what the command said."""
    folder = tmp_path_factory.mktemp("course") / "site"
    command = [sys.executable, "-m", "binteach", "site", str(folder), "--no-live"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""  # a warning would stand here
    return folder, done.stdout


@pytest.fixture(scope="module")
def folder(built: tuple[Path, str]) -> Path:
    return built[0]


def pages_in(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.html"))


@SLOW
def test_the_build_says_how_long_it_took_and_how_large_the_site_is(built: tuple[Path, str]) -> None:
    first, second = built[1].splitlines()
    assert re.fullmatch(r"\d+ pages in \d+ s, \d+\.\d MB\.", first)
    assert re.search(r"\d+\.\d MB in all", second)


@SLOW
def test_there_is_a_page_for_everything(folder: Path) -> None:
    wanted = [f"measures/{key}" for key in bt.MEASURES]
    wanted += [f"data/{name}" for name in bt.datasets()]
    wanted += [f"explorers/{name}" for name in bt.explorers.__all__ if name in lessons.EXPLORERS]
    wanted += [f"lessons/{name}" for name in LESSONS]
    wanted += [f"exercises/{name}" for name in EXERCISES]
    wanted += [f"{kind}/index" for kind in ("measures", "data", "explorers", "lessons")]
    wanted += ["index", "identities", "errata", "search", "genindex"]
    assert [name for name in wanted if not (folder / f"{name}.html").is_file()] == []
    exported = set(bt.explorers.__all__) - {"OF_CASES", "Explorer", "explore"}
    assert set(lessons.EXPLORERS) == exported
    assert len(LESSONS) == 13


@SLOW
def test_the_reference_stays_light(folder: Path) -> None:
    for key in bt.MEASURES:
        assert (folder / f"measures/{key}.html").stat().st_size < 150_000
    assert sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) < 30e6


class Reader(HTMLParser):
    """The anchors of a page, what it links to, what it loads, and its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.words: list[str] = []
        self.inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag
        given = dict(attrs)
        self.anchors |= {given[name] or "" for name in ("id", "name") if name in given}
        for name in ("href", "src", "action", "data", "poster", "srcset"):
            address = given.get(name)
            if address is not None:
                (self.links if tag == "a" else self.loads).append(address)

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside not in ("script", "style"):
            self.words.append(data)


@cache
def read(file: Path) -> Reader:
    return Reader(file.read_text("utf-8"))


def told(file: Path) -> str:
    return " ".join(" ".join(read(file).words).split())


def broken(file: Path, folder: Path) -> Iterator[str]:
    """The addresses in a page that lead nowhere."""
    for address in [*read(file).links, *read(file).loads]:
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            continue
        path, anchor = urldefrag(address)
        target = (file.parent / unquote(urlsplit(path).path)).resolve() if path else file
        if not target.is_file() or not target.is_relative_to(folder.resolve()):
            yield f"{file.name}: {address}"
        elif anchor and target.suffix == ".html" and unquote(anchor) not in read(target).anchors:
            yield f"{file.name}: {address} has no such anchor"


@SLOW
def test_every_link_leads_to_a_file_and_an_anchor_of_the_site(folder: Path) -> None:
    links = [address for file in pages_in(folder) for address in read(file).links]
    assert len(links) > 5000
    found = [wrong for file in pages_in(folder) for wrong in broken(file, folder)]
    assert found == []


@SLOW
def test_no_page_loads_anything_from_another_host(folder: Path) -> None:
    for file in pages_in(folder):
        for address in read(file).loads:
            assert not urlsplit(address).netloc, f"{file.name} loads {address}"
            assert urlsplit(address).scheme in ("", "data"), f"{file.name} loads {address}"
        # The theme's own sign is all that links to others.
        for address in read(file).links:
            assert urlsplit(address).hostname in (None, "github.com"), f"{file.name}: {address}"
    for file in folder.rglob("*.css"):
        assert not re.search(r"@import|url\([\"']?(https?:)?//", file.read_text("utf-8")), file.name


@SLOW
@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_the_page_of_a_measure_tells_all_that_is_declared(
    folder: Path, measure: bt.Measure
) -> None:
    file = folder / f"measures/{measure.key}.html"
    words = told(file)
    for said in (measure.title, *measure.names, measure.meaning, *measure.documents.values()):
        assert " ".join(said.split()) in words
    for heading in ("Definition", "A worked example", "Mistakes to watch for"):
        assert heading in words
    drawn = '<figure class="curve">' in file.read_text("utf-8")
    assert drawn is (measure.takes not in ("triplets", "classes"))
    for identity in reference.identities_of(measure):
        assert " ".join(identity.title.split()) in words


@SLOW
def test_the_errata_are_all_there_with_their_proofs(folder: Path) -> None:
    words = told(folder / "errata.html")
    errata = bt.papers(None, "erratum")
    assert len(errata) > 50
    for record in errata:
        for said in (record.printed, record.right, record.proof):
            assert " ".join(said.split()) in words


@SLOW
def test_every_identity_is_there(folder: Path) -> None:
    words = told(folder / "identities.html")
    assert [one.key for one in bt.identities() if " ".join(one.title.split()) not in words] == []


# In a browser -------------------------------------------------------------------------------------


def opened(
    chromium: Any, file: Path, width: int = 1400, query: str = "", scheme: str = "light"
) -> tuple[Any, list[str]]:
    """A page from the disk with the network cut off, and its trouble."""
    page = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.context.set_offline(True)
    trouble = watch(page, "error", "warning")
    page.goto(f"{file.as_uri()}{query}")
    return page, trouble


@SLOW
@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("PPV", "measures/precision"),
        ("positive predictive value", "measures/precision"),
        ("hit rate", "measures/hit_rate"),
        ("fall-out", "measures/false_positive_rate"),
        ("Brier", "measures/brier_score"),
    ],
)
def test_a_name_that_is_typed_into_the_search_leads_to_its_page(
    chromium: Any, folder: Path, typed: str, first: str
) -> None:
    page, trouble = opened(chromium, folder / "index.html")
    page.get_by_role("textbox", name="Search").first.fill(typed)
    page.keyboard.press("Enter")
    page.wait_for_selector("#search-results li a")
    address = page.locator("#search-results li a").first.get_attribute("href")
    assert urldefrag(address)[0].split("?")[0].endswith(f"{first}.html")
    page.locator("#search-results li a").first.click()
    page.wait_for_url(f"**/{first}.html*")
    assert trouble == []
    page.close()


FIND = """(names) => names.map((name) => {
  const [query, terms, excluded, highlight, objects] = Search._parseQuery(name)
  const found = Search._performSearch(query, terms, excluded, highlight, objects)
  return found.reverse().map((result) => result[0])
})"""


@SLOW
def test_the_search_finds_every_measure_by_each_of_its_names(chromium: Any, folder: Path) -> None:
    page, trouble = opened(chromium, folder / "search.html", query="?q=PPV")
    page.wait_for_selector("#search-results li a")
    pairs = [(name, measure) for measure in MEASURES for name in measure.names]
    found = page.evaluate(FIND, [name for name, _ in pairs])
    assert len(pairs) > 150
    late = [
        (name, measure.key, results[:3])
        for (name, measure), results in zip(pairs, found, strict=True)
        if f"measures/{measure.key}" not in (results[:3] if answers_to(measure, name) else results)
    ]
    assert late == []
    assert trouble == []
    page.close()


@SLOW
@pytest.mark.parametrize("width", [1400, 400])
@pytest.mark.parametrize("name", ["lessons/06_roc", "explorers/threshold"])
def test_the_slider_moves_in_lessons_and_explorer_pages(
    chromium: Any, folder: Path, name: str, width: int
) -> None:
    page, trouble = opened(chromium, folder / f"{name}.html", width, scheme="dark")
    shown = Shown(page)
    shown.wait_until_drawn()
    before = shown.slider()["value"]
    shown.press("ArrowRight")
    shown.wait_for(before + 1)
    ten = bt.load("ten_cases")
    shown.wait_for_text("summary", f"{before + 1} cases are called positive")
    counts = ten.top(before + 1)
    bold = shown.look_up("bold(args.matrix)")
    assert bold == [str(count) for count in (counts.tp, counts.fp, counts.fn, counts.tn)]
    # White paper in the dark, too.
    assert shown.paper()["below"] <= {"rgb(255, 255, 255)", "#ffffff", "white"}
    assert page.evaluate("() => document.documentElement.scrollWidth") == width
    assert trouble == []
    page.close()


@SLOW
@pytest.mark.parametrize("name", [name for name in lessons.EXPLORERS if name != "threshold"])
def test_every_explorer_page_draws_itself(chromium: Any, folder: Path, name: str) -> None:
    page, trouble = opened(chromium, folder / f"explorers/{name}.html")
    Shown(page).wait_until_drawn()
    assert trouble == []
    page.close()


DARK = "rgb(19, 20, 22)"
KINDS = (
    "index",
    "measures/index",
    "measures/precision",
    "measures/log_loss",
    "data/ten_cases",
    "explorers/threshold",
    "lessons/06_roc",
    "exercises/06_roc",
    "errata",
    "identities",
    "search",
)


@SLOW
@pytest.mark.parametrize("name", KINDS)
def test_pages_keep_nobody_out_and_fit_a_phone(
    chromium: Any, folder: Path, axe: str, name: str
) -> None:
    page, trouble = opened(chromium, folder / f"{name}.html", 400)
    if page.query_selector(".binteach-page"):
        Shown(page).wait_until_drawn()
    assert page.evaluate("() => document.documentElement.scrollWidth") == 400
    assert trouble == []  # axe itself asks for the style sheets, which a page from a disk may not
    assert violations(Shown(page), axe) == []
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == DARK
    assert violations(Shown(page), axe, "color-contrast") == []
    page.close()


@SLOW
def test_hostile_names_of_cases_are_words_in_a_page(chromium: Any, tmp_path: Path) -> None:
    names = [HOSTILE, "`</div>` {raw} html", "*x*\n# y"]
    cases = bt.Cases([1, 0, 1], [3, 2, 1], names=names)
    source, target = tmp_path / "source", tmp_path / "site"
    text = reference.data_page(HOSTILE, HOSTILE, HOSTILE, cases)
    site._write(source, {"index.md": writing.page("Start", [writing.contents(["data"])])})
    site._write(source, {"data.md": text})
    script = "from binteach import site; from pathlib import Path; import sys\n"
    script += "conf = site.CONF | {'html_css_files': [], 'html_js_files': []}\n"
    script += "site._run_sphinx(*map(Path, sys.argv[1:4]), conf)"
    folders = [str(source), str(target), str(tmp_path / "trees")]
    done = subprocess.run(
        [sys.executable, "-c", script, *folders], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    page, trouble = opened(chromium, target / "data.html")
    assert page.title() == f"{HOSTILE} - binteach"
    assert page.locator("h1").inner_text().startswith(HOSTILE)
    cells = page.locator("table.grid tbody td:nth-child(2)").all_inner_texts()
    assert cells == [HOSTILE, "`</div>` {raw} html", "*x*�# y"]
    assert page.locator("img[src=x]").count() == 0
    assert trouble == []
    page.close()


# What it costs ------------------------------------------------------------------------------------


@SLOW
def test_what_a_class_costs_is_told_from_this_site(folder: Path) -> None:
    shown = (folder / "costs.html").read_text("utf-8")
    taken = costs.visit("the start page", folder / "index.html")
    assert costs.amount(taken.size) in shown
    assert "tries it answered" in shown


@SLOW
@pytest.mark.parametrize("name", ["index.html", "lessons/06_roc.html"])
def test_a_browser_loads_as_much_of_a_page_as_was_added_up(
    chromium: Any, folder: Path, name: str
) -> None:
    context = chromium.new_context()
    with watched(folder) as (address, answers):
        for first in (True, False):
            page = context.new_page()
            page.goto(f"{address}/{name}", wait_until="networkidle")
            loaded = {path for status, path in answers if status == 200}
            wanted = costs.files_of(folder / name) if first else []
            assert loaded == set(costs.paths_of(folder, wanted))
            answers.clear()
            page.close()
    context.close()
