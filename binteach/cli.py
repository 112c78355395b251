"""The `binteach` command."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import binteach as bt
from binteach.data import bundled
from binteach.measures import PARAMS, answers_to
from binteach.render.text import write
from binteach.render.words import clean

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

BAD_USE, UNDEFINED = 2, 1
_NAMES = "|".join([*PARAMS, "label", "score", "positive", "name", "delimiter"])
_KEYWORD = re.compile(rf"\b({_NAMES})=('[^']*'|[\w./]*)")
COUNTS = ("tp", "fp", "fn", "tn")
CSV_OPTIONS = {
    "label": "label",
    "score": "score",
    "positive": "1",
    "name": "case",
    "delimiter": ",",
}


def main(arguments: list[str] | None = None) -> None:
    """Run the command; errors are one sentence on stderr."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show √ shows a question mark instead of a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = cli.main(arguments, prog_name="binteach", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as wrong:
        click.echo(wrong.format_message())
        code = 0
    except click.ClickException as wrong:
        _complain(wrong.format_message())
        code = BAD_USE
    except bt.Undefined as undefined:
        _complain(undefined.reason)
        code = UNDEFINED
    except ValueError as wrong:
        _complain(str(wrong))
        code = BAD_USE
    except OSError as wrong:
        _complain(_about_file(wrong))
        code = BAD_USE
    except (click.Abort, KeyboardInterrupt):
        code = 130
    sys.exit(code if isinstance(code, int) else 0)


def _about_file(wrong: OSError) -> str:
    """What went wrong with a file, and what helps."""
    if wrong.filename is None:
        return str(wrong)
    folder = Path(wrong.filename).parent
    if isinstance(wrong, FileNotFoundError) and not folder.is_dir():
        return f"there is no folder {str(folder)!r}; make it first, or name another file"
    return f"{wrong.filename}: {wrong.strerror}"


def _complain(sentence: str) -> None:
    # What Python takes as top=4, the command takes as --top 4.
    spoken = _KEYWORD.sub(lambda found: f"--{found[1].replace('_', '-')} {found[2]}", sentence)
    one_line = " ".join(spoken.split()).replace(" )", ")").replace(" ,", ",")
    click.echo(f"binteach: {clean(one_line)}", err=True)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(bt.__version__, message="%(prog)s %(version)s")
def cli() -> None:
    """How binary classifiers are judged, exactly and step by step."""


def _parameter_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """One option for each parameter that any measure takes."""
    for param in reversed(PARAMS.values()):
        flag = "--" + param.name.replace("_", "-")
        command = click.option(flag, param.name, help=param.meaning.capitalize() + ".")(command)
    return command


def _csv_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """One option for each thing to know about a file."""
    words = {
        "label": "CSV column with the real class.",
        "score": "CSV column with the score.",
        "positive": "Label of the positive class.",
        "name": "CSV column with the case's name.",
        "delimiter": "What separates CSV columns.",
    }
    for name, default in reversed(CSV_OPTIONS.items()):
        command = click.option(f"--{name}", default=default, show_default=True, help=words[name])(
            command
        )
    return command


@cli.command()
@click.argument("measure")
@click.option("--tp", help="True positives.")
@click.option("--fp", help="False positives.")
@click.option("--fn", help="False negatives.")
@click.option("--tn", help="True negatives.")
@click.option("--data", help="A bundled data set, or a CSV file with a header.")
@_csv_options
@_parameter_options
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "latex", "mathml", "html"]),
    default="text",
    show_default=True,
)
def explain(measure: str, data: str | None, format_: str, **options: Any) -> int:
    """Show every step from the definition of MEASURE to its value.

    \b
    binteach explain precision --tp 3 --fp 1 --fn 2 --tn 4
    binteach explain auc --data ten_cases
    binteach explain precision --data my.csv --label y --score p --positive yes --at 0.5
    """
    wanted = bt.measure(measure)
    given = {name: options[name] for name in PARAMS if options[name] is not None}
    derivation = bt.explain(wanted, _read_data(data, options), **given)
    if format_ == "html":
        click.echo(_page(wanted.title, derivation.html()))
    elif format_ == "mathml":
        click.echo(_ascii(derivation.mathml()))
    else:
        click.echo(getattr(derivation, format_)())
    if derivation.reason:
        _complain(f"{wanted.key} is undefined: {derivation.reason}")
        return UNDEFINED
    return 0


@cli.command()
@click.argument("measure")
def about(measure: str) -> None:
    """Tell all that is known about MEASURE: definition, range, names, sources, when to use it."""
    click.echo(str(bt.measure(measure)))


def _read_data(data: str | None, options: dict[str, Any]) -> Any:
    """Counts from the four options, cases from a data set or file, or None."""
    counts = {name: options[name] for name in COUNTS if options[name] is not None}
    if counts and data is not None:
        raise click.UsageError("give either counts (--tp --fp --fn --tn) or --data, not both")
    if counts:
        missing = [f"--{name}" for name in COUNTS if name not in counts]
        if missing:
            raise click.UsageError(f"all four counts are needed; add {' '.join(missing)}")
        return bt.Counts(**counts)
    if data is None:
        return None
    if data in bt.datasets():
        for name, default in CSV_OPTIONS.items():
            if options[name] != default:
                raise click.UsageError(f"--{name} is for files; {data} knows its own columns")
        loaded = bt.load(data)
        if not isinstance(loaded, bt.Cases):
            raise click.UsageError(
                f"{data} is not a set of cases; give counts with --tp --fp --fn --tn, "
                f'or load it in Python with bt.load("{data}")'
            )
        return loaded
    if not Path(data).is_file():
        listed = ", ".join(bt.datasets())
        raise click.UsageError(f"{data} is neither a file nor a data set ({listed})")
    return bt.Cases.from_csv(data, **{name: options[name] for name in CSV_OPTIONS})


def _ascii(markup: str) -> str:
    """Markup that reads the same whatever encoding a browser guesses."""
    return markup.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _page(title: str, body: str) -> str:
    """A whole page around a derivation."""
    return _ascii(
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title>\n"
        "<style>:root{color-scheme:light dark}body{margin:2em auto;max-width:60em;padding:0 1em;"
        "font-family:system-ui,sans-serif}</style></head>\n"
        f"<body>\n{body}\n</body>\n</html>"
    )


@cli.command()
@click.option(
    "--search", default="", help="Only those with this word in a name or in what they mean."
)
@click.option("--markdown", is_flag=True, help="As the table of the README.")
def measures(search: str, markdown: bool) -> None:
    """List every measure with its formula and other names."""
    word = search.casefold()
    found = [
        declared
        for declared in bt.MEASURES.values()
        if word
        in " ".join([declared.key, declared.title, *declared.names, declared.meaning]).casefold()
    ]
    if not found:
        raise click.UsageError(f"no measure has {search!r} in its names or its meaning")
    if markdown:
        click.echo(_markdown(found))
        return
    width = max(len(declared.key) for declared in found)
    for declared in found:
        click.echo(f"{declared.key:<{width}}  {declared.title}: {declared.meaning}")
        indent = " " * (width + 2)
        formula = f"{write(declared.symbol)} = {write(declared.tree())}"
        click.echo(textwrap.indent(formula, indent))
        if declared.names:
            names = ", ".join(name for name in declared.names if answers_to(declared, name))
            click.echo(textwrap.indent(f"also: {names}", indent))


def _markdown(found: list[bt.Measure]) -> str:
    """The measures as a table in Markdown."""
    rows = ["| key | definition | range | other names |", "| --- | --- | --- | --- |"]
    for declared in found:
        formula = f"{write(declared.symbol)} = {write(declared.tree())}".replace("|", "\\|")
        low = "−∞" if declared.low is None else f"{declared.low}".replace("-", "−")
        high = "∞" if declared.high is None else f"{declared.high}"
        better = {1: "↑", -1: "↓", 0: ""}[declared.direction]
        names = ", ".join(name for name in declared.names if answers_to(declared, name))
        rows.append(f"| `{declared.key}` | `{formula}` | {low} … {high} {better} | {names} |")
    return "\n".join(rows)


@cli.command()
def datasets() -> None:
    """List the bundled data sets."""
    width = max(map(len, bt.datasets()))
    for name, description in bt.datasets().items():
        click.echo(f"{name:<{width}}  {description}")


@cli.command()
@click.argument("record", required=False)
@click.option("--document", type=click.Choice(["berrar", "murphy", "arbel", "sonnenburg"]))
@click.option("--errata", is_flag=True, help="Only misprints, each with the right value and proof.")
@click.option("--counts", is_flag=True, help="Only how many records have which verdict.")
def papers(record: str | None, document: str | None, errata: bool, counts: bool) -> None:
    """List what the four documents print, and whether it is right; or show one RECORD."""
    from binteach.ledger import DOCUMENTS  # reading the ledger takes a moment

    found = bt.papers(document, "erratum" if errata else None)
    if record is not None:
        click.echo(str(found[record]))
    elif counts:
        for name, verdicts in found.counts().items():
            listed = ", ".join(f"{number} {verdict}" for verdict, number in verdicts.items())
            click.echo(f"{name:<12}{sum(verdicts.values()):>5} records: {listed}")
    elif errata:
        for one in found:
            click.echo(f"{DOCUMENTS[one.document]}, {one.place}: {one.what} ({one.id})")
            for name in ("printed", "correct", "proof"):
                click.echo(f"  {name + ':':<9}{getattr(one, name)}")
            click.echo()
    else:
        for one in found:
            click.echo(f"{one.id}  {one.place}: {one.what}: printed {one.printed}, {one.verdict}")


class _Explore(click.Command):
    """A command whose help lists the explorers, which are loaded for that alone."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from binteach.explorers import OF_CASES

        lines = [(kind, _first_line(explorer)) for kind, explorer in OF_CASES.items()]
        with formatter.section("Kinds"):
            formatter.write_dl(lines)


def _first_line(explorer: type) -> str:
    return (explorer.__doc__ or "").partition("\n")[0]


@cli.command(cls=_Explore)
@click.argument("data")
@click.option("--out", required=True, type=click.Path(dir_okay=False), help="The file to write.")
@click.option("--kind", default="threshold", show_default=True, help="Which explorer, see below.")
@_csv_options
def explore(data: str, out: str, kind: str, **options: Any) -> None:
    """Write an explorer of DATA, a bundled data set or a CSV file, as one HTML file.

    \b
    binteach explore ten_cases --out roc.html
    binteach explore my.csv --label y --score p --positive yes --out mine.html
    """
    from binteach.explorers import OF_CASES

    if kind not in OF_CASES:
        raise click.UsageError(
            f"there is no explorer {kind!r} of one set of cases; there are {', '.join(OF_CASES)}"
        )
    cases = _read_data(data, options | dict.fromkeys(COUNTS))
    written = OF_CASES[kind](cases).save(out)
    click.echo(f"{clean(str(written))} works by itself: open it in any browser.")


_OVERWRITE = click.option("--overwrite", is_flag=True, help="Replace files that are there already.")
_SEED = click.option("--seed", help="Another word gives other data of the same difficulty.")


@cli.command()
@click.argument("directory", type=click.Path(file_okay=False))
@click.option("--solutions", is_flag=True, help="With the answers filled in and every step shown.")
@_SEED
@_OVERWRITE
def exercises(directory: str, solutions: bool, seed: str | None, overwrite: bool) -> None:
    """Write the exercises to DIRECTORY, one notebook for each lesson."""
    from binteach.exercises.sheets import write_sheets

    files = write_sheets(Path(directory), seed, solved=solutions, overwrite=overwrite)
    click.echo(f"{len(files)} notebooks are in {clean(directory)}.")


@cli.command()
@click.argument("lesson")
@click.option(
    "--out", required=True, type=click.Path(file_okay=False), help="The folder of your course."
)
@click.option(
    "--seed-per-student",
    "roster",
    type=click.Path(exists=True, dir_okay=False),
    help="A CSV file with a column `id`: a notebook with data of their own for each student.",
)
@click.option("--secret", default="", help="A word of yours that the students' data depend on.")
@_SEED
@_OVERWRITE
def assignment(
    lesson: str, out: str, roster: str | None, secret: str, seed: str | None, overwrite: bool
) -> None:
    """Write LESSON as an assignment that nbgrader can mark.

    \b
    binteach assignment roc --out course
    binteach assignment roc --seed-per-student roster.csv --secret autumn --out course
    """
    from binteach.exercises.graders import write_assignment

    if roster is None and secret:
        raise click.UsageError("--secret is for --seed-per-student; for one notebook take --seed")
    if roster is not None and seed is not None:
        raise click.UsageError("--seed is for one notebook for all; with a roster take --secret")
    target = Path(out)
    source, *handouts = write_assignment(
        lesson, target, roster=roster, secret=secret, seed=seed, overwrite=overwrite
    )
    name = source.stem
    click.echo(f"{clean(str(source))} is the notebook for nbgrader.")
    click.echo(f"Next, in {clean(out)}: nbgrader generate_assignment {name}")
    if handouts:
        click.echo(f"Give each student the notebook in handout/ID/{name}, {len(handouts)} in all,")
    else:
        click.echo(f"Give the students release/{name}/{name}.ipynb,")
    click.echo(f"put what comes back into submitted/ID/{name}, and run: nbgrader autograde {name}")


@cli.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False))
@click.option("--out", type=click.Path(dir_okay=False), help="Write a page with pictures, too.")
@click.option("--csv", "table", type=click.Path(dir_okay=False), help="Write a table, too.")
def report(folder: str, out: str | None, table: str | None) -> None:
    """Tell which mistakes a class made, from the notebooks in FOLDER and below.

    Only what `check` left in them is counted, and nobody is named. nbgrader keeps what students
    hand in under `submitted`.

    \b
    binteach report submitted --out report.html --csv report.csv
    """
    from binteach.exercises import report as reports

    found = reports.report(folder)
    click.echo(str(found))
    for file, reason in found.skipped:
        _complain(f"{file} {reason}; left out")
    if table is not None:
        Path(table).write_text(found.csv(), encoding="utf-8")
        click.echo(f"The numbers are in {clean(table)}.")
    if out is not None:
        from binteach.exercises.report_page import write_report

        written = write_report(found, out)
        click.echo(f"{clean(str(written))} works by itself: open it in any browser.")


@cli.command()
@click.argument("lesson", default="")
@click.option("--out", type=click.Path(dir_okay=False), help="The file to write; NAME.slides.html.")
def slides(lesson: str, out: str | None) -> None:
    """Write a LESSON as slides: one HTML file in which the explorers work, without a network.

    LESSON is its number, as 06, a part of its name, or a notebook of your own that was run. Without
    it the command lists the lessons.
    """
    from binteach.slides import deck, find_notebook

    if not _importable("nbconvert"):
        raise click.ClickException('nbconvert is missing; get it with: pip install "binteach[lab]"')
    notebook = find_notebook(lesson)
    target = Path(out or f"{notebook.name.removesuffix('.ipynb')}.slides.html")
    target.write_text(deck(notebook), "utf-8")
    click.echo(f"{clean(str(target))} works by itself: arrows move, S shows the notes.")


@cli.command()
@click.argument("out", type=click.Path())
@click.option("--offline", is_flag=True, help="Serve all that live notebooks need from the site.")
@click.option(
    "--wheels",
    type=click.Path(exists=True, file_okay=False),
    help="A folder with native packages, such as numpy, for live notebooks.",
)
@click.option("--no-live", is_flag=True, help="Pages alone, without live notebooks.")
@_OVERWRITE
def site(out: str, offline: bool, wheels: str | None, no_live: bool, overwrite: bool) -> None:
    """Write the course into the folder OUT, for any web server: nothing is to be installed.

    It holds the reference, the explorers, the lessons, and notebooks that run in the browser.
    """
    from binteach.site import build

    build(
        out,
        offline=offline,
        wheels=wheels,
        live=not no_live,
        overwrite=overwrite,
        say=lambda line: click.echo(clean(line)),
    )


@cli.command()
@click.argument("directory", default="binteach-course", type=click.Path(file_okay=False))
@click.option("--port", type=click.IntRange(1, 65535), help="Port for JupyterLab.")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option("--copy-only", is_flag=True, help="Copy the course and stop.")
@click.option("--check", is_flag=True, help="Only say what is missing, and how to get it.")
def lab(directory: str, port: int | None, no_browser: bool, copy_only: bool, check: bool) -> int:
    """Copy notebooks and exercises to DIRECTORY and open them in JupyterLab.

    Files that are there already are yours and stay as they are.
    """
    if check:
        return _check_lab()
    target = Path(directory)
    new, kept = 0, 0
    for folder in ("notebooks", "exercises"):
        # Whoever is to answer the exercises does not get the answers along.
        copied, left = _copy(bundled(folder), target / folder, without="solutions")
        new, kept = new + copied, kept + left
    click.echo(f"The course is in {clean(str(target))}: {new} files copied, {kept} of yours kept.")
    if copy_only:
        return 0
    _trust(target)
    return _open_lab(target, port, no_browser or not _has_screen())


# What the course needs -> what for.
NEEDED = {
    "jupyterlab": "to open the notebooks",
    "ipykernel": "to run them",
    "numpy": "for data with scores",
    "scipy": "for intervals and tests",
    "sympy": "for roots and logarithms",
    "bokeh": "for the explorers",
    "ipywidgets": "for the explorers and the exercise cards",
    "jupyter_bokeh": "to move the explorers in JupyterLab",
}
OPTIONAL = {"sklearn": ("scikit-learn", "lesson 10 trains its models, or else a built-in one")}


def _check_lab() -> int:
    """Say what is there and what is missing; 1 if anything is."""
    missing = [name for name in NEEDED if not _importable(name)]
    for name, purpose in NEEDED.items():
        click.echo(f"{'MISSING' if name in missing else 'ok':8}{name:16}{purpose}")
    for name, (package, purpose) in OPTIONAL.items():
        state, remedy = ("ok", "") if _importable(name) else ("absent", f" (pip install {package})")
        click.echo(f"{state:8}{package:16}optional: {purpose}{remedy}")
    if missing:
        click.echo('Get what is missing with: pip install "binteach[lab]"')
        click.echo('or, in a checkout: pip install ".[lab]"')
        return 1
    click.echo("Everything is there: binteach lab opens the course.")
    return 0


def _copy(source: Traversable, target: Path, without: str) -> tuple[int, int]:
    """Copy a folder, `without` one inside it; what exists is kept.

    Returns how many files were copied and kept.
    """
    new, kept = 0, 0
    target.mkdir(parents=True, exist_ok=True)
    for item in sorted(source.iterdir(), key=lambda entry: entry.name):
        if item.name.startswith((".", "__")) or item.name == without:
            continue
        if item.is_dir():
            copied, left = _copy(item, target / item.name, without)
            new, kept = new + copied, kept + left
        elif (target / item.name).exists():
            kept += 1
        else:
            (target / item.name).write_bytes(item.read_bytes())
            new += 1
    return new, kept


def _trust(target: Path) -> None:
    """Let JupyterLab draw the outputs of notebooks that are as they came, as `jupyter trust` does.

    It takes the formulas and the scripts out of notebooks that were made elsewhere; these were made
    by who made this command.
    """
    if not _importable("nbformat"):
        return
    from nbformat import reads
    from nbformat.sign import NotebookNotary

    notary = NotebookNotary()
    for folder in ("notebooks", "exercises"):
        for item in bundled(folder).iterdir():
            copy = target / folder / item.name
            if item.name.endswith(".ipynb") and copy.read_bytes() == item.read_bytes():
                notary.sign(reads(item.read_text(encoding="utf-8"), 4))


def _has_screen() -> bool:
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


def _open_lab(target: Path, port: int | None, no_browser: bool) -> int:
    if shutil.which("jupyter-lab") is None and not _importable("jupyterlab"):
        raise click.ClickException(
            "JupyterLab is not installed; get it with: pip install jupyterlab"
        )
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={target.resolve()}"]
    command.append("--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb")
    if port:
        command.append(f"--port={port}")
    if no_browser:
        command.append("--no-browser")
        click.echo("JupyterLab prints the address to open below.")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")
    return subprocess.call(command)


def _importable(name: str) -> bool:
    from importlib.util import find_spec

    return find_spec(name) is not None


if __name__ == "__main__":
    main()
