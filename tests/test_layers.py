"""The order of the layers: each part of the package imports only itself and parts above it."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import tengen
from tengen.games.catalogue import game_names

PACKAGE = Path(tengen.__file__).parent
LAYERS = [
    "errors",
    "options",
    "files",
    "signed_lines",
    "headed_files",
    "figures",
    "progress",
    "interrupts",
    "jit",
    "rng",
    "registry",
    "composed_config",
    "games",
    "plugins",
    "policies",
    "search",
    "parts",
    "checking",
    "engines",
    "parallel",
    "learning",
    "levels",
    "earlier_presets",
    "players",
    "player_protocols",
    "arena",
    "front",
    "adapters",
    "tuning",
    "benchmarks",
    "papers",
    "interfaces",
    "__main__",
]
SOURCES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
"""Every file of the package, relative to its folder."""


def layer_of(file: Path) -> str:
    """Return the layer of a file of the package: its first folder, or the file itself."""
    return file.parts[0].removesuffix(".py")


def imported_names(file: Path, source: str) -> list[str]:
    """Return the full name of every module, or name in a module, that a file imports, also in functions or for types.

    A name taken from a module is given with the module: `from tengen.games import interface` is
    `tengen.games.interface`.
    """
    package = ("tengen", *file.parts[:-1])
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*start, *([node.module] if node.module else [])])
            names += [f"{module}.{alias.name}" for alias in node.names]
    return names


def complaints(file: Path, source: str) -> list[str]:
    """Return the violations of a file of the package."""
    layer = layer_of(file)
    if layer not in LAYERS:
        return [f"tengen/{file} belongs to no layer: add '{layer}' to the order, and to the design"]
    allowed = {*LAYERS[: LAYERS.index(layer) + 1], "__version__"}
    found = []
    for name in imported_names(file, source):
        top, _, rest = name.partition(".")
        if top == "tengen" and rest.partition(".")[0] not in allowed:
            found.append(f"tengen/{file} imports {name}, but '{layer}' may not")
        if top == "numba" and layer != "jit":
            found.append(f"tengen/{file} imports {name}: only tengen/jit knows Numba")
    for node in ast.walk(ast.parse(source)):
        used = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if used == "njit" and layer != "jit":
            found.append(f"tengen/{file} uses njit: a kernel is made by tengen.jit.kernel")
    return found


def test_every_layer_that_exists_is_checked():
    assert {layer_of(file) for file in SOURCES} >= {"jit", "rng", "games", "interfaces"}


@pytest.mark.parametrize("file", [file for file in SOURCES if file != Path("__init__.py")], ids=str)
def test_imports_only_go_up_the_layers_and_only_jit_imports_numba(file):
    assert complaints(file, (PACKAGE / file).read_text()) == []


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("jit/kernels.py", "from tengen.rng import seeded"),
        ("jit/kernels.py", "import tengen.rng"),
        ("games/go/go_board.py", "from tengen.search import tree"),
        ("games/go/go_board.py", "from tengen import search"),
        ("games/go/go_board.py", "from ...search.tree import TREE"),
        ("games/go/go_board.py", "def later():\n    from tengen.policies.go.mogo import moves"),
        ("games/go/game.py", "if TYPE_CHECKING:\n    from tengen.players import Player"),
        ("policies/uniform.py", "import numpy, tengen.search.tree as tree"),
        ("arena/match.py", "from tengen.interfaces.gtp import protocol"),
        ("games/game.py", "from tengen import Go"),
        ("games/game.py", "from .. import Go"),
        ("games/game.py", "from tengen import *"),
        ("benchmarks/rows.py", "from tengen.unheard_of import something"),
        ("unheard_of.py", ""),
        ("unheard_of/part.py", "from tengen.jit import kernel"),
        ("rng.py", "import numba"),
        ("rng.py", "import numba.core.types"),
        ("search/tree.py", "from numba import types"),
        ("search/tree.py", "def late():\n    from numba.extending import overload"),
        ("search/tree.py", "fast = numba.njit(slow)"),
        ("search/tree.py", "@njit(cache=True)\ndef fast(): pass"),
    ],
)
def test_a_violation_of_the_order_is_found(file, source):
    assert len(complaints(Path(file), source)) == 1


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("jit/kernels.py", "import numba\nfast = numba.njit(slow)"),
        ("rng.py", "from tengen.jit import kernel\nimport numpy as np"),
        (
            "games/go/go_board.py",
            "from tengen.games import interface\nfrom tengen.rng import mix\nfrom ..game import Game",
        ),
        ("interfaces/cli/__init__.py", "from tengen import __version__, jit\nfrom tengen.benchmarks import rows"),
        ("search/tree.py", "from .selection import evaluate\nfrom ..policies import uniform\nimport numbers"),
    ],
)
def test_imports_in_order_are_allowed(file, source):
    assert complaints(Path(file), source) == []


GENERIC = {
    "search", "checking", "parallel", "engines", "levels", "players", "arena", "adapters", "tuning", "interfaces",
}  # fmt: skip
"""Layers that serve every game; facts about a game come from its Game."""
OF_ONE_GAME = {Path("engines/gnugo.py"), Path("adapters/open_spiel_names.py")}
"""Files of these layers for a program that plays only one game, or that has its own names for games."""


@pytest.mark.parametrize(
    "file", [file for file in SOURCES if layer_of(file) in GENERIC and file not in OF_ONE_GAME], ids=str
)
def test_generic_code_names_no_game(file):
    source = (PACKAGE / file).read_text()
    folders = {path.parent.name for path in PACKAGE.glob("games/*/game.py")}
    assert folders == set(game_names())
    homes = {("tengen", "games", folder) for folder in folders}
    assert [name for name in imported_names(file, source) if tuple(name.split(".")[:3]) in homes] == []
    constants = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    assert [value for value in constants if value in folders] == []


ENTRY_OF_GTP = "tengen.interfaces.gtp.serve."
"""The one module of the GTP engine that the command line imports from."""


def crossings(file: Path, source: str) -> list[str]:
    """Return the imports between the command line and the GTP engine, except the engine's entry."""
    folder = "/".join(file.parts[:2])
    strange = {"interfaces/cli": "tengen.interfaces.gtp", "interfaces/gtp": "tengen.interfaces.cli"}.get(folder)
    names = imported_names(file, source)
    return [name for name in names if strange and name.startswith(strange) and not name.startswith(ENTRY_OF_GTP)]


def test_the_command_line_and_the_gtp_engine_do_not_import_each_other():
    assert [name for file in SOURCES for name in crossings(file, (PACKAGE / file).read_text())] == []


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("interfaces/cli/gtp.py", "from tengen.interfaces.gtp.engine import Engine"),
        ("interfaces/cli/gtp.py", "from tengen.interfaces import gtp"),
        ("interfaces/gtp/serve.py", "from tengen.interfaces.cli.options import DEFAULT_SECONDS"),
    ],
)
def test_an_import_between_the_command_line_and_the_gtp_engine_is_found(file, source):
    assert len(crossings(Path(file), source)) == 1


READERS_OF_ROWS = {
    "search/search.py",
    "search/node_view.py",
    "search/root_search.py",
    "search/saved.py",
    "search/tracing.py",
    "papers/measures/deceptive_search.py",
}
"""Files other than kernels that read tree rows, or pass them to kernels of their own. All others ask `Search`."""


def row_readings(file: Path, source: str) -> list[str]:
    """Return where a file reads the memory of a search, or uses the layout of tree rows outside `search`."""
    found = []
    for node in ast.walk(ast.parse(source)):
        called = node.func if isinstance(node, ast.Call) else None
        asks_for_row = isinstance(called, ast.Attribute) and called.attr == "row"
        if asks_for_row or (isinstance(node, ast.Attribute) and node.attr in ("memory", "_memory")):
            found.append(f"tengen/{file} reads tree rows: {ast.unparse(node)}")
    if layer_of(file) != "search":
        names = imported_names(file, source)
        found += [f"tengen/{file} imports {name}" for name in names if f"{name}.".startswith("tengen.search.tree.")]
    return found


def test_only_search_and_the_files_of_trees_read_tree_rows():
    readers = {str(file): row_readings(file, (PACKAGE / file).read_text()) for file in SOURCES}
    assert {file for file, found in readers.items() if found} == READERS_OF_ROWS


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("search/analysis.py", "visits = search.row().visits"),
        ("learning/experience.py", "wins = player.search.memory.tree[0].wins"),
        ("interfaces/gtp/engine.py", "from tengen.search.tree import close"),
    ],
)
def test_a_file_that_reads_tree_rows_is_found(file, source):
    assert len(row_readings(Path(file), source)) == 1


def kernel_sources() -> dict[str, Path]:
    """Return the files with kernels by module name: those that import the kernel decorators at their top."""
    found = {}
    for file in SOURCES:
        top = [node for node in ast.parse((PACKAGE / file).read_text()).body if isinstance(node, ast.ImportFrom)]
        names = {alias.name for node in top if node.module == "tengen.jit" for alias in node.names}
        if names & {"kernel", "record", "table", "verb"} and file.parts[0] != "jit":
            found[".".join(["tengen", *file.with_suffix("").parts])] = file
    return found


def test_kernel_sources_import_only_kernel_sources():
    """The cache is stamped with the kernel sources: a constant from any other file could change unnoticed.

    Options and registration are not kernel sources: kernels read the values of options from records when they run.
    """
    sources = kernel_sources()
    assert {"tengen.rng", "tengen.games.interface", "tengen.games.go.go_board"} <= sources.keys()
    strangers = [
        f"tengen/{file} imports {name}"
        for file in sources.values()
        for name in imported_names(file, (PACKAGE / file).read_text())
        if name.startswith("tengen.")
        and not name.startswith("tengen.jit.")
        and name not in sources
        and name.rpartition(".")[0] not in {*sources, "tengen.errors", "tengen.options", "tengen.registry"}
    ]
    assert strangers == []


def test_the_catalogue_and_the_command_line_load_no_game():
    """A list of games, a help text and the first answers of the protocol need neither NumPy nor Numba."""
    loaded = loaded_after("import tengen.interfaces.cli, tengen.interfaces.gtp.serve")
    assert "tengen.games.catalogue" in loaded
    assert loaded.isdisjoint({"tengen.games.game", "numpy", "numba"})


def loaded_after(statements: str) -> set[str]:
    """Return the modules that a new process has loaded after some statements."""
    code = f"import sys\n{statements}\nprint(*(name for name, module in sys.modules.items() if module))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PACKAGE.parent, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_importing_the_package_loads_nothing_heavy():
    loaded = {name.partition(".")[0] for name in loaded_after("import tengen")}
    assert "tengen" in loaded
    assert loaded.isdisjoint({"numba", "llvmlite", "numpy", "scipy", "rich", "typer"})


def test_importing_a_game_does_not_load_scipy():
    """Numba reads SciPy's version if it is installed; the game must neither load nor need SciPy."""
    loaded = loaded_after("import tengen.games.go.game")
    of_numba = loaded_after("import numba")
    assert {"tengen.games.go.game", "tengen.games.go.go_board", "numba", "numpy"} <= loaded
    assert {name for name in loaded - of_numba if name.startswith("scipy")} == set()
    without = loaded_after("sys.modules['scipy'] = None\nimport tengen.games.go.game")
    assert "tengen.games.go.game" in without
    assert {name for name in without if name.startswith("scipy")} == set()
