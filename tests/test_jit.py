"""Compilation and its cache, records and verbs, bit tricks and atomic operations.

What concerns the cache is shown in processes of their own, each with a cache folder made for the test.
"""

import importlib
import inspect
import json
import os
import random
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tengen
from tengen.games.interface import outcome
from tengen.jit import (
    COMPILED,
    MissingVerb,
    add_shared,
    compare_exchange,
    fetch_add,
    fetch_add_field,
    keep_alive,
    kernel,
    load_acquire,
    new,
    nth_bit,
    population,
    prune,
    record,
    source_hash,
    store_release,
    table,
    temporary_like,
    trailing_zeros,
    verb,
)
from tengen.jit.bits import nth_bit_by_loop

PACKAGE = Path(tengen.__file__).parent


# --- Processes of their own -------------------------------------------------------------------------------------------


def run(folder: Path, code: str, quiet: bool = True, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in a new process that imports from `folder` first and caches its kernels there."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "TENGEN_", "PYTHON"))}
    clean["PYTHONPATH"] = os.pathsep.join([str(folder), str(PACKAGE.parent)])
    clean["PYTHONDONTWRITEBYTECODE"] = "1"  # two edits within a second would leave Python's own cache behind
    clean["TENGEN_CACHE"] = str(folder / "cache")
    if quiet:
        clean["TENGEN_QUIET"] = "1"
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, cwd=folder, env=clean | environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return done


def write(folder: Path, **sources: str) -> None:
    """Write modules into a folder, one for each name."""
    for name, source in sources.items():
        (folder / f"{name}.py").write_text(source)


GAME = """
import numpy as np
from tengen.games.interface import outcome
from tengen.jit import kernel, record
from rules import worth_of

STATE = record("toy", [("points", np.int64)])


@outcome.implement(STATE)
@kernel
def outcome_of_toy(state):
    return worth_of(state.points)
"""
RULES = """
from tengen.jit import kernel


@kernel
def worth_of(points):
    return points * 2.0
"""
SEARCH = """
from tengen.games.interface import outcome
from tengen.jit import kernel


@kernel
def total(states):
    result = 0.0
    for i in range(states.size):
        result += outcome(states[i])
    return result
"""
PLAY = """
import json
import numpy as np
from game import STATE, outcome_of_toy
from search import total
from tengen.jit import compilations
from tengen.rng import fill_words, seeded

states = np.zeros(3, STATE)
states["points"] = 5
words = np.zeros(2, np.uint64)
fill_words(seeded(1), words)
found = {
    "total": total(states),
    "one": outcome_of_toy(states[0]),
    "words": words.tolist(),
    "compiled": [f"{done.kernel}({done.arguments})" for done in compilations()],
}
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def cold_and_warm(tmp_path_factory):
    """The same script in two processes one after the other, with a cache that is empty at first."""
    folder = tmp_path_factory.mktemp("user")
    write(folder, game=GAME, rules=RULES, search=SEARCH)
    return run(folder, PLAY, quiet=False), run(folder, PLAY, quiet=False)


def test_a_second_process_compiles_nothing(cold_and_warm):
    cold, warm = (json.loads(done.stdout) for done in cold_and_warm)
    assert {"search.total(toy[:])", "game.outcome_of_toy(toy)", "rules.worth_of(int64)"} <= set(cold["compiled"])
    assert warm["compiled"] == []
    assert (warm["total"], warm["one"]) == (cold["total"], cold["one"]) == (30.0, 10.0)


def test_a_second_process_compiles_no_kernel_of_the_package(cold_and_warm):
    cold, warm = (json.loads(done.stdout) for done in cold_and_warm)
    assert any(name.startswith("rng.fill_words(") for name in cold["compiled"])
    assert not any(name.startswith("rng.") for name in warm["compiled"])
    assert warm["words"] == cold["words"]


def test_a_cold_start_says_that_it_is_compiling_and_a_warm_one_says_nothing(cold_and_warm):
    cold, warm = cold_and_warm
    assert cold.stderr.startswith("tengen: compiling")
    assert len(cold.stderr.splitlines()) == 1
    assert warm.stderr == ""


def test_editing_a_callee_in_another_file_recompiles(tmp_path):
    """Both a kernel that calls it by name and a generic one that reaches it through a verb, neither file edited."""
    write(tmp_path, game=GAME, rules=RULES, search=SEARCH)
    first = run(tmp_path, PLAY)
    write(tmp_path, rules=RULES.replace("2.0", "3.0"))
    second = run(tmp_path, PLAY)
    assert json.loads(first.stdout)["one"] == 10.0
    assert json.loads(second.stdout)["one"] == 15.0
    assert json.loads(second.stdout)["total"] == 45.0
    assert first.stderr == second.stderr == "", "TENGEN_QUIET keeps a cold start silent"


PLAY_OTHELLO = """
import json
import numpy as np
import tengen
from tengen.games.othello.othello_board import STATE, reset, uniform_playout
from tengen.jit import compilations, new
from tengen.rng import seeded

state = new(STATE)
reset(state, 8)
trace = np.zeros(200, np.uint16)
length = uniform_playout(state, seeded(1), trace, 0)
print(json.dumps({"package": tengen.__file__, "trace": trace[:length].tolist(), "compiled": len(compilations())}))
"""


@pytest.fixture
def copied_package(tmp_path):
    """A copy of the package in a folder of its own, to be edited."""
    return shutil.copytree(PACKAGE, tmp_path / "tengen", ignore=shutil.ignore_patterns("__pycache__"))


def test_editing_a_kernel_of_the_package_recompiles_its_callers_and_going_back_compiles_nothing(copied_package):
    folder, rng = copied_package.parent, copied_package / "rng.py"
    source = rng.read_text()
    line = "word = (word ^ (word >> U27)) * MIX_2"  # in the kernel `mix`, which seeding does not use
    assert source.count(line) == 1
    original = json.loads(run(folder, PLAY_OTHELLO).stdout)
    rng.write_text(source.replace(line, line.replace("U27", "U30")))
    edited = json.loads(run(folder, PLAY_OTHELLO).stdout)
    rng.write_text(source)
    restored = json.loads(run(folder, PLAY_OTHELLO).stdout)
    assert Path(original["package"]).parent == copied_package, "the process must import the copy"
    assert original["compiled"] > 0
    assert edited["trace"] != original["trace"], "a playout in another file must use the edited generator"
    assert restored["trace"] == original["trace"]
    assert restored["compiled"] == 0


def holds_kernels(source: str) -> bool:
    """Whether a file defines something that ends up in compiled code."""
    return bool(
        re.search(r"^@(kernel|verb|\w+(\.\w+)*\.(implement|otherwise))\b|= (record|table)\(", source, re.MULTILINE)
    )


def test_editing_any_kernel_source_changes_the_stamp(copied_package):
    """A kernel file that `stamp` does not recognise would keep running its old code."""
    sources = [path for path in copied_package.rglob("*.py") if holds_kernels(path.read_text())]
    assert {copied_package / "rng.py", copied_package / "games/interface.py"} <= set(sources)
    script = """
from pathlib import Path
from tengen import jit

before = jit.stamp()
for path in map(Path, PATHS):
    source = path.read_bytes()
    path.write_bytes(source + b"# edited")
    jit.stamp.cache_clear()
    if jit.stamp() == before:
        print(path)
    path.write_bytes(source)
jit.stamp.cache_clear()
assert jit.stamp() == before
"""
    unnoticed = run(copied_package.parent, f"PATHS = {[str(path) for path in sources]}\n{script}").stdout
    assert unnoticed == ""


def test_bounds_checks_have_their_own_stamp_and_raise_for_an_index_out_of_range(tmp_path):
    """The flag is not in Numba's key: without the stamp, the second process would run the first one's code."""
    source = """
import numpy as np
from tengen.jit import kernel, new, record

STATE = record("toy", [("points", np.int64, (3,))])


@kernel
def read(array, index):
    return array[index]


@kernel
def read_field(state, index):
    return state.points[index]
"""
    script = """
import numpy as np
from reader import STATE, new, read, read_field
from tengen.jit import stamp

print(stamp())
assert read(np.arange(3), 2) == 2
assert read_field(new(STATE), 2) == 0
if CHECKED:
    for reader, subject in (read, np.arange(3)), (read_field, new(STATE)):
        try:
            reader(subject, 3)
        except IndexError:
            print(reader.__name__)
"""
    write(tmp_path, reader=source)
    unchecked = run(tmp_path, f"CHECKED = False\n{script}").stdout.split()
    checked = run(tmp_path, f"CHECKED = True\n{script}", NUMBA_BOUNDSCHECK="1").stdout.split()
    assert checked[0] != unchecked[0]
    assert checked[1:] == ["read", "read_field"]


def test_a_record_typed_without_a_file_is_another_one_in_every_process(tmp_path):
    """Generic kernels are cached on disk, so a later process must not get the tag of a record typed at a prompt."""
    typed = GAME.replace("from rules import worth_of", "").replace("worth_of(state.points)", "state.points * FACTOR")
    write(tmp_path, search=SEARCH)
    use = "from search import total\nprint(total(np.ones(3, STATE)))"
    results = [run(tmp_path, f"FACTOR = {factor}\n{typed}\n{use}").stdout.strip() for factor in ("2.0", "3.0")]
    assert results == ["6.0", "9.0"]


def test_a_body_apart_from_its_record_is_refused(tmp_path):
    """The record's file need not import the one with the body, so the record's tag alone cannot notice the edit."""
    state = "import numpy as np\nfrom tengen.jit import record\nSTATE = record('toy', [('points', np.int64)])\n"
    body = GAME.replace("from rules import worth_of", "from state import STATE").replace(
        "worth_of(state.points)", "2.0"
    )
    body = "\n".join(line for line in body.splitlines() if not line.startswith("STATE ="))
    script = """
try:
    import body
except ValueError as refusal:
    print(refusal)
"""
    write(tmp_path, state=state, body=body, search=SEARCH)
    refusal = "the verb 'outcome' of 'toy' must be implemented in the file that defines the record"
    assert run(tmp_path, script).stdout.startswith(refusal)


ALLOCATING_GAME = """
import numpy as np
from tengen.games.interface import outcome, uniform_playout
from tengen.jit import kernel, record

STATE = record("toy", [("points", np.int64)])


@uniform_playout.implement(STATE)
@kernel
def playout_of_toy(state, rng, trace, length):
    numbers = np.arange(1000 + length)
    state.points = numbers[rng[0] % np.uint64(numbers.size)]
    return length


@outcome.implement(STATE)
@kernel
def outcome_of_toy(state):
    return 1.0 if state.points >= 0 else 0.0
"""


def test_a_users_kernel_may_allocate_arrays_and_they_are_freed(tmp_path):
    """The kernels of the package that call it do not count references."""
    write(tmp_path, game=ALLOCATING_GAME)
    script = """
import numpy as np
from numba.core.runtime import rtsys
from game import STATE
from tengen.benchmarks.kernels import repeat_playouts
from tengen.jit import new
from tengen.policies.uniform import UNIFORM
from tengen.rng import seeded

arguments = new(UNIFORM), np.zeros(2, STATE), seeded(1), np.zeros(8, np.uint16)
repeat_playouts(*arguments, 1)
before = rtsys.get_allocation_stats()
results, moves = repeat_playouts(*arguments, 500)
after = rtsys.get_allocation_stats()
print(results, after.alloc - before.alloc, after.free - before.free)
"""
    results, allocated, freed = run(tmp_path, script, NUMBA_NRT_STATS="1").stdout.split()
    assert float(results) == 500
    assert int(allocated) == int(freed) >= 500


def allocates(function):
    """Whether the source of a kernel creates an array."""
    return any(call in inspect.getsource(function) for call in ("np.empty", "temporary(", "temporary_like("))


@pytest.mark.skipif(not COMPILED, reason="plain functions count no references in any case")
@pytest.mark.parametrize(
    "module", ["games.interface", "search.simulate", "search.backup", "policies.go.mogo", "policies.go.stochastic"]
)
def test_a_kernel_of_the_package_counts_references_only_if_it_allocates(module):
    """Counting costs an atomic operation for every array of every call: it took a quarter of the time of a search."""
    found = vars(importlib.import_module(f"tengen.{module}")).values()
    kernels = [value for value in found if hasattr(value, "targetoptions")]
    counting = {made.py_func.__name__ for made in kernels if made.targetoptions["_nrt"]}
    allocating = {made.py_func.__name__ for made in kernels if allocates(made.py_func)}
    assert kernels
    assert counting == allocating


@pytest.fixture
def modules_to_import(tmp_path, monkeypatch):
    """A folder on the path that holds a module `helper` and a package `parts`; both are forgotten afterwards."""
    inner = tmp_path / "parts" / "inner"
    inner.mkdir(parents=True)
    for name in ("helper", "parts/__init__", "parts/piece", "parts/inner/__init__"):
        write(tmp_path, **{name: "name = 1\n"})
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in ("helper", "parts"):
            del sys.modules[name]


@pytest.mark.parametrize(
    ("statement", "imported"),
    [
        ("import helper", "helper.py"),
        ("from helper import name", "helper.py"),
        ("from helper import *", "helper.py"),
        ("import parts.piece", "parts/piece.py"),
        ("from parts import piece", "parts/piece.py"),
        ("from parts.piece import name", "parts/piece.py"),
        ("from parts import name", "parts/__init__.py"),
        ("def later():\n    import helper", "helper.py"),
        ("from .piece import name", "parts/piece.py"),
        ("from . import piece", "parts/piece.py"),
        ("from ..helper import name", "helper.py"),
        pytest.param(
            "from . import name",
            "parts/__init__.py",
        ),
        pytest.param(
            "from .inner import name",
            "parts/inner/__init__.py",
        ),
        pytest.param(
            "import parts.piece",
            "parts/__init__.py",
        ),
    ],
)
def test_the_hash_of_a_source_covers_what_it_imports(statement, imported, modules_to_import):
    folder = modules_to_import / "parts" if statement.startswith("from .") else modules_to_import
    write(folder, importing=f"from tengen.jit import kernel\n{statement}\n")
    importing = str(folder / "importing.py")
    before = source_hash(importing)
    assert source_hash(importing) == before
    (modules_to_import / imported).write_text("name = 2\n")
    assert source_hash(importing) != before


def test_taking_the_hash_of_a_source_runs_nothing_that_it_imports(modules_to_import):
    """Modules imported inside functions may be slow to load, or not installed."""
    write(modules_to_import, helper="raise RuntimeError('imported')\n")
    write(modules_to_import, importing="def later():\n    from helper import name\n")
    assert len(source_hash(str(modules_to_import / "importing.py"))) == 12
    assert "helper" not in sys.modules


def test_kernels_are_compiled_if_there_is_no_cache_folder(tmp_path):
    """A home that cannot be written to, as in many containers."""
    (tmp_path / "home").write_text("a file, so that no folder can be made in it")
    write(tmp_path, rules=RULES)
    use = "from rules import worth_of\nprint(worth_of(5))"
    done = run(tmp_path, use, TENGEN_CACHE="", XDG_CACHE_HOME="", HOME=str(tmp_path / "home"))
    assert done.stdout.strip() == "10.0"


def test_prune_keeps_the_newest_folders_and_those_used_recently(tmp_path):
    now = 1e9
    ages = {"kernels-a": 0, "kernels-b": 1800, "kernels-c": 3000, "kernels-d": 7200, "kernels-e": 9000, "other": 99999}
    for name, age in ages.items():
        (tmp_path / name / "inside").mkdir(parents=True)
        os.utime(tmp_path / name, (now - age, now - age))
    prune(tmp_path, keep=4, now=lambda: now)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(ages.keys() - {"kernels-e"})
    prune(tmp_path, keep=1, now=lambda: now)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kernels-a", "kernels-b", "kernels-c", "other"]
    prune(tmp_path, keep=1, idle_seconds=2000.0, now=lambda: now)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kernels-a", "kernels-b", "other"]


def test_prune_survives_a_folder_that_another_process_removes_meanwhile(tmp_path):
    """A dangling link behaves like such a folder: it is listed, but has no age."""
    (tmp_path / "kernels-gone").symlink_to(tmp_path / "nowhere")
    (tmp_path / "kernels-here").mkdir()
    prune(tmp_path)
    assert (tmp_path / "kernels-here").is_dir()


# --- Redefinition in one process --------------------------------------------------------------------------------------


@kernel
def total_outcome(states):
    """A generic kernel, like a search: compiled once for each record type."""
    result = 0.0
    for i in range(states.size):
        result += outcome(states[i])
    return result


TYPED = """
import numpy as np
from tengen.games.interface import outcome
from tengen.jit import kernel, record

STATE = record("toy", [("points", np.int64)])


@outcome.implement(STATE)
@kernel
def outcome_of_toy(state):
    return state.points * 2.0
"""


@pytest.fixture
def user_module(tmp_path, monkeypatch):
    """A user's file on the path, as (its path, the module imported from it)."""
    path = tmp_path / "toy_to_reload.py"
    path.write_text(TYPED)
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(tmp_path)
    yield path, importlib.import_module("toy_to_reload")
    del sys.modules["toy_to_reload"]


@pytest.mark.plain
def test_a_reloaded_module_has_a_new_record_and_runs_its_new_body(user_module):
    path, module = user_module
    old = module.STATE
    assert total_outcome(np.ones(3, old)) == 6.0
    path.write_text(TYPED.replace("2.0", "3.0"))
    importlib.reload(module)
    assert old != module.STATE
    assert total_outcome(np.ones(3, module.STATE)) == 9.0
    assert outcome(np.ones(1, module.STATE)[0]) == 3.0


@pytest.mark.plain
def test_reloading_an_unchanged_module_keeps_its_record(user_module):
    _, module = user_module
    old = module.STATE
    importlib.reload(module)
    assert module.STATE is old
    assert total_outcome(np.ones(3, module.STATE)) == 6.0


def typed_at_a_prompt(source: str) -> dict[str, Any]:
    """Execute source code that has no file, and return its definitions; its kernels are not cached."""
    scope: dict[str, Any] = {"__name__": "prompt"}
    exec(compile(source, "<string>", "exec"), scope)
    return scope


@pytest.mark.plain
def test_records_typed_without_a_file_are_each_new():
    total = typed_at_a_prompt(SEARCH)["total"]
    twice = typed_at_a_prompt(TYPED)["STATE"]
    assert total(np.ones(3, twice)) == 6.0
    thrice = typed_at_a_prompt(TYPED.replace("2.0", "3.0"))["STATE"]
    assert twice != thrice
    assert total(np.ones(3, thrice)) == 9.0
    assert total(np.ones(3, twice)) == 6.0, "each keeps its own body"


# --- Records and verbs ------------------------------------------------------------------------------------------------


@verb
def worth(state, times):
    """The points of a state, times a factor."""


@verb
def weight(state):
    """How heavy a state is."""


APPLE = record("apple", [("points", np.int64)])
PEAR = record("pear", [("points", np.int64)])
STONE = record("stone", [("points", np.int64)])


@worth.implement(APPLE)
@kernel
def worth_of_apple(state, times):
    return state.points * times


@worth.implement(PEAR)
@kernel
def worth_of_pear(state, times):
    return -state.points * times


@weight.otherwise
@kernel
def usual_weight(state):
    return state.points + 1


@weight.implement(STONE)
@kernel
def weight_of_stone(state):
    return state.points + 1000


@kernel
def worth_in_kernel(state, times):
    """The verb as a kernel sees it: resolved when it is compiled."""
    return worth(state, times)


@kernel
def weight_in_kernel(state):
    """A verb with a body for records that have none of their own."""
    return weight(state)


def holding(dtype, points):
    """A record with the given number of points."""
    state = new(dtype)
    state.points = points
    return state


@pytest.mark.plain
@pytest.mark.parametrize("ask", [worth, worth_in_kernel], ids=["from Python", "in a kernel"])
def test_two_records_of_equal_structure_are_not_confused(ask):
    assert [dtype.names and dtype.names[:-1] for dtype in (APPLE, PEAR)] == [("points",)] * 2
    assert APPLE != PEAR
    assert ask(holding(APPLE, 7), 3) == 21
    assert ask(holding(PEAR, 7), 3) == -21
    assert ask(holding(APPLE, 7), 3) == 21


@pytest.mark.plain
@pytest.mark.parametrize("ask", [worth, worth_in_kernel], ids=["from Python", "in a kernel"])
def test_a_missing_verb_is_named_together_with_the_record_that_lacks_it(ask):
    with pytest.raises(
        MissingVerb,
        match=r"'stone' does not implement the verb 'worth' \(The points of a state, times a factor\.\)",
    ):
        ask(holding(STONE, 7), 3)


@pytest.mark.plain
@pytest.mark.parametrize("subject", [7, np.zeros(3)], ids=["a number", "an array"])
def test_a_verb_of_a_subject_that_is_not_a_record_is_missing(subject):
    with pytest.raises(MissingVerb, match="does not implement the verb 'worth'"):
        worth(subject, 3)


@pytest.mark.plain
@pytest.mark.parametrize("ask", [weight, weight_in_kernel], ids=["from Python", "in a kernel"])
def test_otherwise_is_the_body_of_records_without_one_of_their_own(ask):
    assert ask(holding(APPLE, 7)) == 8
    assert ask(holding(PEAR, 9)) == 10
    assert ask(holding(STONE, 7)) == 1007


@pytest.mark.plain
def test_implementing_a_verb_twice_for_one_record_is_refused():
    with pytest.raises(ValueError, match="the verb 'worth' is already implemented for 'apple'"):

        @worth.implement(APPLE)
        @kernel
        def another_worth(state, times):
            return state.points * times + 1

    assert worth(holding(APPLE, 7), 3) == 21
    with pytest.raises(ValueError, match="the verb 'weight' is already implemented as a default"):

        @weight.otherwise
        @kernel
        def another_weight(state):
            return state.points + 2

    assert weight(holding(APPLE, 7)) == 8


@pytest.mark.plain
def test_implementing_a_verb_again_with_the_same_body_changes_nothing():
    @worth.implement(APPLE)
    @kernel
    def worth_of_apple(state, times):
        return state.points * times

    assert worth(holding(APPLE, 7), 3) == 21


@pytest.mark.plain
def test_bodies_that_differ_only_in_what_they_close_over_are_not_the_same():
    def adding(amount):
        @kernel
        def worth_of_fig(state, times):
            return state.points * times + amount

        return worth_of_fig

    fig = record("fig", [("points", np.int64)])
    worth.implement(fig)(adding(1))
    with pytest.raises(ValueError, match="already implemented for 'fig'"):
        worth.implement(fig)(adding(2))


@pytest.mark.plain
def test_bodies_that_differ_only_in_the_type_of_a_constant_are_not_the_same():
    date = record("date", [("points", np.int64)])

    @worth.implement(date)
    @kernel
    def worth_of_date(state, times):
        return 1

    with pytest.raises(ValueError, match="already implemented for 'date'"):

        @worth.implement(date)
        @kernel
        def other_worth_of_date(state, times):
            return 1.0


@pytest.mark.plain
@pytest.mark.parametrize(
    "dtype",
    [np.dtype(np.int64), np.dtype([("points", np.int64)]), np.dtype([("points", np.int64), ("tag_apple_0", np.uint8)])],
    ids=["a number", "a plain structure", "a structure with a made-up tag"],
)
def test_implement_refuses_a_type_that_record_did_not_make(dtype):
    with pytest.raises(ValueError, match=r"'worth' can only be implemented for a type made by tengen\.jit\.record"):
        worth.implement(dtype)


@pytest.mark.plain
def test_a_record_cannot_be_defined_twice_with_other_fields():
    first = record("plum", [("points", np.int64)])
    assert record("plum", [("points", np.int64)]) is first
    with pytest.raises(ValueError, match="the record 'plum' is already defined"):
        record("plum", [("points", np.int32)])


@pytest.mark.plain
def test_the_name_of_a_record_must_be_an_identifier():
    with pytest.raises(ValueError, match="not 'two words'"):
        record("two words", [("points", np.int64)])


LATE = """
import numpy as np
from tengen.jit import kernel, record, verb


@verb
def ripeness(state):
    "How ripe a state is."


STATE = record("fruit", [("points", np.int64)])


@kernel
def ripeness_in_kernel(state):
    return ripeness(state)


def implement():
    @ripeness.implement(STATE)
    @kernel
    def ripeness_of_fruit(state):
        return state.points + 5
"""


@pytest.mark.plain
def test_a_kernel_works_once_a_missing_verb_is_implemented():
    typed = typed_at_a_prompt(LATE)
    state = holding(typed["STATE"], 7)
    with pytest.raises(MissingVerb, match="'fruit' does not implement the verb 'ripeness'"):
        typed["ripeness_in_kernel"](state)
    typed["implement"]()
    assert typed["ripeness_in_kernel"](state) == 12


@verb
def sweetness(state):
    """How sweet a state is."""


@sweetness.otherwise
@kernel
def usual_sweetness(state):
    return state.points


@kernel
def sweetness_in_kernel(state):
    """A kernel compiled with the default body."""
    return sweetness(state)


def test_a_body_registered_after_the_default_was_compiled_is_refused():
    assert sweetness_in_kernel(holding(APPLE, 7)) == 7

    @kernel
    def sweetness_of_apple(state):
        return state.points * 100

    with pytest.raises(ValueError, match="already compiled for 'apple' with the default 'sweetness'"):
        sweetness.implement(APPLE)(sweetness_of_apple)
    assert sweetness(holding(APPLE, 7)) == 7


# --- Tables -----------------------------------------------------------------------------------------------------------

SQUARES = table([n * n for n in range(10)], np.uint16)


@kernel
def square_from_table(n):
    """Reads a table that was frozen into the kernel."""
    return SQUARES[n]


@pytest.mark.plain
def test_tables_are_read_only_and_kernels_read_them():
    assert SQUARES.dtype == np.uint16
    assert [int(square_from_table(n)) for n in range(10)] == [0, 1, 4, 9, 16, 25, 36, 49, 64, 81]
    with pytest.raises(ValueError, match="read-only"):
        SQUARES[3] = 0
    assert SQUARES[3] == 9


@pytest.mark.plain
def test_a_table_is_a_copy_of_the_values_it_was_made_from():
    values = np.arange(4)
    frozen = table(values, np.int64)
    values[2] = 100
    assert frozen.tolist() == [0, 1, 2, 3]


# --- Bit operations ---------------------------------------------------------------------------------------------------

WORDS = [1, 2, 3, 1 << 31, 1 << 32, 1 << 63, (1 << 63) + 1, (1 << 64) - 1]
WORDS += [random.Random(seed).getrandbits(64) | 1 << seed % 64 for seed in range(24)]
WORDS += [1 << random.Random(seed).randrange(64) for seed in range(4)]


@kernel
def trailing_zeros_in_kernel(word):
    """The machine's instruction."""
    return trailing_zeros(word)


@kernel
def population_in_kernel(word):
    """The machine's instruction."""
    return population(word)


@kernel
def nth_bit_in_kernel(word, n):
    """The machine's instruction, if it has one."""
    return nth_bit(word, n)


nth_bit_by_loop_in_kernel = kernel(nth_bit_by_loop)


def set_bits(word):
    """The places of the set bits of a Python integer, lowest first."""
    return [place for place, digit in enumerate(reversed(f"{word:b}")) if digit == "1"]


@pytest.mark.plain
@pytest.mark.parametrize("count", [trailing_zeros, trailing_zeros_in_kernel], ids=["from Python", "in a kernel"])
def test_trailing_zeros_finds_the_lowest_set_bit(count):
    assert [int(count(np.uint64(word))) for word in WORDS] == [set_bits(word)[0] for word in WORDS]


@pytest.mark.plain
@pytest.mark.parametrize("count", [population, population_in_kernel], ids=["from Python", "in a kernel"])
def test_population_counts_the_set_bits(count):
    words = [0, *WORDS]
    assert [int(count(np.uint64(word))) for word in words] == [len(set_bits(word)) for word in words]


@pytest.mark.plain
@pytest.mark.parametrize(
    "pick",
    [nth_bit, nth_bit_in_kernel, nth_bit_by_loop, nth_bit_by_loop_in_kernel],
    ids=["from Python", "in a kernel", "by loop from Python", "by loop in a kernel"],
)
@pytest.mark.parametrize("index", [int, np.uint64])
def test_nth_bit_picks_each_set_bit_in_turn(pick, index):
    for word in WORDS:
        picked = [int(pick(np.uint64(word), index(n))) for n in range(len(set_bits(word)))]
        assert picked == [1 << place for place in set_bits(word)]


@pytest.mark.plain
def test_bit_operations_return_unsigned_words():
    """Numba would convert the sum of a signed and an unsigned word to floating point."""
    word = np.uint64(12)
    assert {type(trick(word)) for trick in (trailing_zeros, population)} == {np.uint64}
    assert type(nth_bit(word, 1)) is np.uint64


# --- Atomic operations ------------------------------------------------------------------------------------------------

TREE = record("tree", [("count", np.int64), ("visits", np.uint32, (5,)), ("wins", np.float64, (5,))])
NUMBERS = [np.int32, np.int64, np.uint32, np.uint64, np.float32, np.float64]


@kernel
def fetch_add_in_kernel(array, index, value):
    """The machine's instruction."""
    return fetch_add(array, index, value)


@kernel
def add_shared_in_kernel(array, index, value):
    """The machine's instruction."""
    add_shared(array, index, value)


@kernel
def compare_exchange_in_kernel(array, index, expected, desired):
    """The machine's instruction."""
    return compare_exchange(array, index, expected, desired)


@kernel
def load_acquire_in_kernel(array, index):
    """The machine's instruction."""
    return load_acquire(array, index)


@kernel
def store_release_in_kernel(array, index, value):
    """The machine's instruction."""
    store_release(array, index, value)


@kernel
def change_fields(tree, index):
    """All operations on a record and the arrays inside it; return what they returned."""
    before = fetch_add(tree.visits, index, np.uint32(3))
    exchanged = compare_exchange(tree.visits, index, np.uint32(10), np.uint32(20))
    refused = compare_exchange(tree.visits, index, np.uint32(10), np.uint32(30))
    seen = load_acquire(tree.visits, index)
    fetch_add(tree.wins, index, 0.5)
    fetch_add_field(tree, "count", 4)
    store_release(tree.visits, index + 1, np.uint32(9))
    return before, exchanged, refused, seen


@pytest.mark.plain
@pytest.mark.parametrize("add", [fetch_add, fetch_add_in_kernel], ids=["from Python", "in a kernel"])
@pytest.mark.parametrize("number", NUMBERS)
def test_fetch_add_adds_to_one_element_and_returns_what_it_held(add, number):
    array = np.full(4, 5, number)
    assert add(array, 2, number(3)) == 5
    assert add(array, 2, number(4)) == 8
    assert array.tolist() == [5, 5, 12, 5]


@pytest.mark.plain
@pytest.mark.parametrize("add", [add_shared, add_shared_in_kernel], ids=["from Python", "in a kernel"])
@pytest.mark.parametrize("number", [np.int32, np.int64, np.uint32, np.uint64])
def test_add_shared_adds_to_one_element(add, number):
    array = np.full(4, 5, number)
    add(array, 2, number(3))
    add(array, 2, number(4))
    assert array.tolist() == [5, 5, 12, 5]


@pytest.mark.skipif(not COMPILED, reason="types are checked when a kernel is compiled")
def test_add_shared_refuses_floating_point_numbers():
    with pytest.raises(Exception, match=r"it cannot be compiled \(Numba: add_shared\(array\(float64"):
        add_shared_in_kernel(np.zeros(4), 2, 1.0)


@pytest.mark.plain
@pytest.mark.parametrize("exchange", [compare_exchange, compare_exchange_in_kernel], ids=["from Python", "in a kernel"])
@pytest.mark.parametrize("number", [np.int32, np.int64, np.uint32, np.uint64])
def test_compare_exchange_stores_only_over_what_it_expects(exchange, number):
    array = np.full(4, 5, number)
    assert exchange(array, 1, number(4), number(9)) == False  # noqa: E712 (it may be NumPy's)
    assert array.tolist() == [5, 5, 5, 5]
    assert exchange(array, 1, number(5), number(9)) == True  # noqa: E712
    assert array.tolist() == [5, 9, 5, 5]


@pytest.mark.parametrize("number", [np.float32, np.float64])
def test_compare_exchange_works_on_floating_point_numbers(number):
    array = np.full(4, 0.5, number)
    assert not compare_exchange_in_kernel(array, 1, number(0.25), number(9))
    assert array.tolist() == [0.5, 0.5, 0.5, 0.5]
    assert compare_exchange_in_kernel(array, 1, number(0.5), number(9))
    assert array.tolist() == [0.5, 9, 0.5, 0.5]


@pytest.mark.plain
@pytest.mark.parametrize(
    ("load", "store"),
    [(load_acquire, store_release), (load_acquire_in_kernel, store_release_in_kernel)],
    ids=["from Python", "in a kernel"],
)
@pytest.mark.parametrize("number", NUMBERS)
def test_store_release_writes_what_load_acquire_reads(load, store, number):
    array = np.arange(4).astype(number)
    store(array, 1, number(77))
    assert array.tolist() == [0, 77, 2, 3]
    assert [load(array, index) for index in range(4)] == [0, 77, 2, 3]


@pytest.mark.plain
def test_atomic_operations_reach_an_array_inside_a_record():
    trees = np.zeros(3, TREE)
    trees["visits"] = 7
    assert tuple(map(int, change_fields(trees[1], 2))) == (7, 1, 0, 20)
    assert trees["visits"].tolist() == [[7] * 5, [7, 7, 20, 9, 7], [7] * 5]
    assert trees["wins"].tolist() == [[0] * 5, [0, 0, 0.5, 0, 0], [0] * 5]
    assert trees["count"].tolist() == [0, 4, 0]


@pytest.mark.plain
def test_atomic_operations_follow_the_strides_of_a_slice():
    array = np.zeros(8, np.int64)
    fetch_add_in_kernel(array[::2], 2, 5)
    store_release_in_kernel(array[1::2], 3, 6)
    assert array.tolist() == [0, 0, 0, 0, 5, 0, 0, 6]


@pytest.mark.plain
def test_atomic_operations_count_a_negative_index_from_the_end():
    array = np.zeros(8, np.int64)
    fetch_add_in_kernel(array[2:6], -1, 5)
    assert array.tolist() == [0, 0, 0, 0, 0, 5, 0, 0]


PREFETCH = """
from tengen.jit import kernel, prefetch_write


@kernel
def fetch_early(array, index):
    prefetch_write(array, index)
"""


def test_prefetch_write_asks_for_the_line_of_the_element_and_changes_nothing():
    fetch_early, array = typed_at_a_prompt(PREFETCH)["fetch_early"], np.arange(5)
    fetch_early(array, 2)
    assert array.tolist() == [0, 1, 2, 3, 4]
    (code,) = fetch_early.inspect_llvm().values()
    assert re.search(r"call void @llvm\.prefetch.*i32 1, i32 3, i32 1\)", code)


@pytest.mark.plain
@pytest.mark.skipif(COMPILED and not os.environ.get("NUMBA_BOUNDSCHECK"), reason="unchecked code may not be asked")
def test_atomic_operations_check_bounds_if_bounds_checks_are_on():
    array = np.zeros(8, np.int64)
    with pytest.raises(IndexError):
        fetch_add_in_kernel(array[:4], 4, 5)
    assert array.tolist() == [0] * 8


ATOMIC = """
from tengen.jit import compare_exchange, fetch_add, kernel, load_acquire, store_release


@kernel
def all_four(array):
    store_release(array, 0, load_acquire(array, 1))
    return fetch_add(array, 2, 1), compare_exchange(array, 3, 4, 5)
"""


def test_atomic_operations_are_compiled_to_the_machines_own_in_their_memory_order():
    """Read in the machine code: on x86 plain loads and stores work as well, and two threads may never collide."""
    all_four = typed_at_a_prompt(ATOMIC)["all_four"]
    all_four(np.zeros(5, np.int64))
    (code,) = all_four.inspect_llvm().values()
    for instruction in (
        r"load atomic i64, .* acquire",
        r"store atomic i64 .* release",
        r"atomicrmw add .*, i64 1 monotonic",
        r"cmpxchg .*, i64 4, i64 5 acq_rel monotonic",
    ):
        assert re.search(instruction, code), instruction


@kernel
def start_together(arrived):
    """Wait, up to a limit, until the other thread has started too, so that both run at the same time."""
    fetch_add(arrived, 0, 1)
    for _ in range(100_000_000):
        if load_acquire(arrived, 0) == 2:
            break


@kernel
def add_many(arrived, counters, places, times):
    """Add one to a counter `times` times; the indices are data, so that the compiler cannot merge the additions."""
    start_together(arrived)
    for i in range(times):
        fetch_add(counters, places[i % places.size], 1)


@kernel
def exchange_many(arrived, counters, places, times):
    """The same by compare-and-exchange."""
    start_together(arrived)
    for i in range(times):
        place = places[i % places.size]
        while True:
            seen = load_acquire(counters, place)
            if compare_exchange(counters, place, seen, seen + 1):
                break


@pytest.mark.parametrize(
    ("work", "number", "times"),
    [
        (add_many, np.int64, 10_000_000),
        (add_many, np.uint32, 10_000_000),
        (add_many, np.float64, 2_000_000),
        (exchange_many, np.int64, 2_000_000),
    ],
    ids=["fetch_add", "fetch_add of small words", "fetch_add of floats", "compare_exchange"],
)
def test_two_threads_lose_no_update(work, number, times):
    counters, places = np.zeros(3, number), np.ones(16, np.int64)
    work(np.ones(1, np.int64), counters, places, 1)  # compiled before the threads start
    arrived = np.zeros(1, np.int64)
    threads = [threading.Thread(target=work, args=(arrived, counters, places, times)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert arrived[0] == 2
    assert counters.tolist() == [0, 2 * times + 1, 0]


@pytest.mark.plain
def test_a_field_named_like_an_attribute_of_np_record_is_refused():
    """NumPy's records have attributes `size` and `base`, which uncompiled kernels would read instead of the field."""
    with pytest.raises(ValueError, match="'size' cannot be a field of 'board'"):
        record("board", [("size", np.int64)])


# --- Lifetime of arrays ----------------------------------------------------------------------------------------------

BUFFER = record("numbers_of_a_buffer", [("numbers", np.int64, (3000,))])
HOLDER = record("holder_of_a_buffer", [("count", np.int64), ("blank", BUFFER, (1,))])


@kernel(allocates=True)
def overwrite(holder, value):
    """Fill a new buffer, which takes the memory of one that was freed."""
    buffer = temporary_like(holder.blank)
    inside = buffer[0]
    for i in range(inside.numbers.size):
        inside.numbers[i] = value
    keep_alive(buffer)


@kernel(allocates=True)
def numbers_after_overwriting(holder, count):
    """Use records of two buffers while other buffers are made; return the numbers that they have afterwards."""
    buffers = temporary_like(holder.blank), temporary_like(holder.blank)
    first, second = buffers[0][0], buffers[1][0]
    first.numbers[7], second.numbers[7] = 1, 2
    for i in range(count):
        overwrite(holder, 100 + i)
    found = first.numbers[7], second.numbers[7]
    keep_alive(buffers)
    return found


@pytest.mark.plain
def test_a_buffer_that_is_kept_alive_is_not_overwritten_by_later_ones():
    assert numbers_after_overwriting(new(HOLDER), 5) == (1, 2)
