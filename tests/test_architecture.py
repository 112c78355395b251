"""How the package is built: imports point one way, and heavy libraries load when first needed."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import binteach as bt

PACKAGE = Path(bt.__file__).parent

# A module may import from its own layer and from those above it in this table.
LAYERS = (
    ("needs", "exact"),
    ("lists",),
    ("columns",),
    ("expr",),
    ("cases",),
    ("measures",),
    ("derivation",),
    ("curves", "data", "inference", "proofs"),
    ("ledger",),
    ("render",),
    ("exercises", "explorers", "slides"),
    ("site",),
    ("cli",),
    ("__main__",),
)
# The package itself loads its parts lazily; only the command may use it as users do.
MAY_IMPORT_THE_PACKAGE = {"cli", "__main__"}
HEAVY = ("numpy", "scipy", "sympy", "bokeh", "ipywidgets", "click", "pandas")
CLI_ONLY = {
    *("threading", "_thread", "concurrent", "multiprocessing", "asyncio", "subprocess"),
    *("socket", "ssl", "http", "urllib", "ftplib", "smtplib"),
}


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


MODULES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def layer_of(module: str) -> int:
    top = module.partition(".")[0]
    found = [place for place, layer in enumerate(LAYERS) if top in layer]
    assert found, f"{module} stands in no layer; add it to the table"
    return found[0]


def is_for_types(node: ast.If) -> bool:
    return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imports(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Every import that can run, also inside functions; not those for the type checker."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and is_for_types(node):
            for other in node.orelse:
                yield from imports(other)
        else:
            yield from imports(node)


def imported(path: Path) -> set[str]:
    """The full names of what a file imports."""
    names: set[str] = set()
    for node in imports(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        else:
            assert node.level == 0, f"{path.name} has a relative import"
            assert node.module is not None
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def inside(path: Path) -> set[str]:
    """The modules of the package that a file imports; '' is the package itself."""
    found = set()
    for name in imported(path):
        top, _, rest = name.partition(".")
        if top != "binteach":
            continue
        while rest and rest not in MODULES:
            rest = rest.rpartition(".")[0]
        found.add(rest)
    return found


def test_there_are_modules_to_look_at() -> None:
    assert {"exact", "measures.counts", "render.html", "cli"} <= set(MODULES)
    assert inside(MODULES["render.html"]) >= {"derivation", "render.mathml", "render.words"}
    assert "" in inside(MODULES["cli"])


@pytest.mark.parametrize("module", [name for name in MODULES if name != "__init__"])
def test_imports_point_one_way(module: str) -> None:
    for other in inside(MODULES[module]):
        if other in ("", "__init__"):
            assert module in MAY_IMPORT_THE_PACKAGE, f"{module} imports the whole package"
        else:
            assert layer_of(other) <= layer_of(module), f"{module} imports {other}"


def test_the_package_itself_imports_no_part_of_it() -> None:
    assert inside(MODULES["__init__"]) == set()


def test_no_two_modules_import_each_other() -> None:
    # A package imports its own modules, and they import from beside each other.
    graph = {
        module: {other for other in inside(path) if other not in ("", module)}
        for module, path in MODULES.items()
    }
    assert graph["render.html"] > {"render.mathml"}
    done: set[str] = set()

    def visit(module: str, way: tuple[str, ...]) -> None:
        assert module not in way, f"imports go round: {' -> '.join((*way, module))}"
        if module not in done:
            for other in graph[module]:
                visit(other, (*way, module))
            done.add(module)

    for module in graph:
        visit(module, ())


# Building a site fetches what it is made of, and runs the tools that make it.
@pytest.mark.parametrize(
    "module",
    [name for name in MODULES if name.partition(".")[0] not in ("cli", "__main__", "site")],
)
def test_only_the_commands_start_processes_or_open_connections(module: str) -> None:
    tops = {name.partition(".")[0] for name in imported(MODULES[module])}
    assert not tops & CLI_ONLY


# Loading ----------------------------------------------------------------------------------------

USES = {
    "import binteach": "",
    "a derivation": "assert '<math' in bt.explain('precision', bt.Counts(3, 1, 2, 4)).html()",
    "a value of lists": "assert bt.value('auc', bt.Cases([1, 0, 1], [0.9, 0.5, 0.1])) == 0.5",
    "a bundled data set": "assert bt.load('ten_cases').n == 10",
    "a derivation of cases": "assert '4/5' in str(bt.explain('auc', bt.load('ten_cases')))",
    "a curve": "assert len(bt.curve('roc', bt.load('ten_cases'))) == 11",
    "a derivation in text": "assert '3/4' in str(bt.explain('precision', bt.Counts(3, 1, 2, 4)))",
    "the names": "assert 'explain' in dir(bt)",
}


def loaded_by(use: str) -> set[str]:
    """The modules that are loaded after a use of the package."""
    program = f"import sys; import binteach as bt; {use}\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_heavy_libraries_stay_unloaded(use: str) -> None:
    loaded = loaded_by(use)
    assert "binteach" in loaded
    assert not loaded & set(HEAVY)


USES_OF_NUMPY = {
    "many rows": "assert bt.value('auc', bt.Cases([1, 0] * 500, range(1000))) < 0.5",
    "an array": "import numpy as np; assert bt.Cases(np.array([1, 0]), [0.5, 0.2]).n == 2",
}


@pytest.mark.parametrize("use", USES_OF_NUMPY.values(), ids=USES_OF_NUMPY)
def test_many_cases_need_numpy_and_nothing_else(use: str) -> None:
    assert loaded_by(use) & set(HEAVY) == {"numpy"}


def test_importing_the_package_loads_none_of_its_parts() -> None:
    program = "import sys; import binteach; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert not [name for name in done.stdout.split() if name.startswith("binteach.")]


# Names ------------------------------------------------------------------------------------------


def test_every_public_name_exists_and_is_listed() -> None:
    assert len(set(bt.__all__)) == len(bt.__all__)
    for name in bt.__all__:
        assert getattr(bt, name) is not None
        assert name in dir(bt)


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(bt, "nonsense")


def test_no_module_has_the_name_of_a_public_function() -> None:
    # Importing such a module would put it in the place of the function.
    modules = {name.partition(".")[0] for name in MODULES}
    assert not modules & set(bt.__all__)
    assert not modules & {"explore", "papers", "identities", "interval", "bootstrap", "lesson"}
