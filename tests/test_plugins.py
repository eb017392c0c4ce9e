"""Plugins: users' files whose parts are used from outside the package, in this process and in workers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tengen
from tengen import registry
from tengen.arena.tournament import read_tournament
from tengen.errors import TengenError
from tengen.games.catalogue import make_game
from tengen.options import NoOptions
from tengen.players import parse_player
from tengen.plugins import game_of_plugin, load_plugin
from tengen.search.config import SearchConfig
from tengen.search.search import Search

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
POLICY = """
import tengen as tg

@tg.tree_policy("constant", worth=1.0)
def constant(policy, node, visits, wins, rave_visits, rave_wins):
    '''The same value for every move that was tried.'''
    return policy.worth
"""


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """Unregister the parts of a test after it."""
    for kind in registry.HOMES:
        registry.parts(kind)
    monkeypatch.setattr(registry, "_parts", {kind: dict(known) for kind, known in registry._parts.items()})
    monkeypatch.setattr("tengen.plugins._loaded", {})


def written(folder: Path, text: str, name: str = "mine.py") -> Path:
    (folder / name).write_text(text)
    return folder / name


def tengen_command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a new process."""
    return subprocess.run(
        [sys.executable, "-m", "tengen", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.mark.plain
def test_a_file_registers_a_tree_policy_that_is_a_player_with_options(tmp_path):
    [part] = load_plugin(written(tmp_path, POLICY))
    assert (part.kind, part.name) == ("tree policy", "constant")
    assert part.meaning == "The same value for every move that was tried."
    spec = parse_player("constant:worth=0.25,first_play=2,simulations=20,memory=1")
    assert isinstance(spec.config, SearchConfig)
    assert (spec.config.worth, spec.config.tree_policy) == (0.25, "constant")
    assert str(spec) == "constant:simulations=20,first_play=2,worth=0.25,memory=1"
    game = make_game("othello", 4)
    assert game.start().is_legal(spec.make(game).choose(game.start()))


@pytest.mark.plain
def test_a_file_is_run_once(tmp_path):
    file = written(tmp_path, POLICY + "\nprint('run', flush=True)\n")
    assert load_plugin(file) == load_plugin(str(file)) != []


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x = 1", "mine.py registers no part and defines no game"),
        ("x = (", "plugin mine.py, line 1: SyntaxError"),
        ("\n\nx = 1 / 0", "plugin mine.py, line 3: ZeroDivisionError: division by zero"),
        (POLICY.replace('"constant"', '"two words"'), "'two words' is no name for a tree policy"),
        (POLICY.replace('"constant"', '"ucb1"'), "the tree policy ucb1 is registered twice"),
        (POLICY.replace("worth=1.0", "worth='much'"), "the option worth of constant is 'much', not a number"),
    ],
)
def test_an_error_in_a_plugin_is_reported_in_one_line(tmp_path, text, why):
    with pytest.raises(TengenError) as raised:
        load_plugin(written(tmp_path, text))
    assert why in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.plain
def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(TengenError, match="there is no plugin"):
        load_plugin(tmp_path / "none.py")


@pytest.mark.plain
def test_a_record_with_a_field_that_the_options_lack_is_refused():
    dtype = tengen.jit.record("lacking", [("weight", float)])
    with pytest.raises(TengenError, match=r"its record has the field 'weight', and NoOptions has no option"):
        registry.register(registry.PRIOR, "lacking", "", options=NoOptions, record=dtype)


@pytest.mark.plain
def test_a_game_is_found_by_its_file():
    assert game_of_plugin(EXAMPLES / "connect_four.py") == "connect-four"
    assert make_game("connect-four").name == "connect-four"


@pytest.mark.plain
def test_an_unknown_part_in_a_description_says_that_it_may_come_from_a_plugin():
    with pytest.raises(TengenError, match="if it is from a plugin, load that with --plugin FILE"):
        parse_player("uct:policy=edge-shy")


@pytest.mark.plain
def test_a_playout_policy_that_picks_illegal_moves_is_an_error(tmp_path):
    text = "import tengen as tg\n@tg.playout_policy('bad')\ndef bad(policy, state, rng):\n    return 9999\n"
    load_plugin(written(tmp_path, text))
    game = make_game("othello", 4)
    with pytest.raises(TengenError, match=r"the playout policy picked an illegal move \(policy=bad\)"):
        parse_player("uct:policy=bad,simulations=5,memory=1").make(game).choose(game.start())


@pytest.mark.long
@pytest.mark.parametrize("backend", ["processes", "ray"])
def test_the_examples_are_used_by_workers(tmp_path, backend):
    """Each example's part, and the game of another file, by the command line from outside the package."""
    if backend == "ray":
        pytest.importorskip("ray")
    plugins = [f"--plugin={EXAMPLES / name}.py" for name in ("my_tree_policy", "my_playout_policy", "my_prior")]
    limits = "simulations=20,memory=5"
    first = f"ucb-v:policy=edge-shy,{limits}"
    done = tengen_command(
        "match", first, f"mc-rave:prior=central,{limits}", *plugins, "--size=5", "--games=2", "--workers=1",
        f"--backend={backend}", f"--store={tmp_path / 'games.sqlite'}", "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 2


def test_a_game_of_a_file_is_played_by_the_command_line(tmp_path):
    done = tengen_command(
        "match", "uct:simulations=50,memory=5", "uct:simulations=20,memory=5", "--workers=1", "--games=4",
        f"--game={EXAMPLES / 'connect_four.py'}", f"--store={tmp_path / 'games.sqlite'}", "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 4
    shown = tengen_command("results", str(tmp_path / "games.sqlite"))
    assert shown.returncode == 0, shown.stderr


@pytest.mark.long
def test_an_edited_body_is_compiled_again(tmp_path):
    """Cached code of an earlier version of the file is not used."""
    chosen = """
import sys
import tengen as tg
from tengen.games.othello.game import Othello
from tengen.players import parse_player
tg.load_plugin(sys.argv[1])
player = parse_player("lead:simulations=3,memory=1").make(Othello(4))
player.choose(Othello(4).start())
print(*sorted(found.visits for found in player.search.moves()))
"""
    body = """
import tengen as tg

@tg.tree_policy("lead", first_play=0.0)
def lead(policy, node, visits, wins, rave_visits, rave_wins):
    return VALUE
"""
    seen = []
    for value in ("1.0", "-1.0"):  # a tried move is better, or worse, than an untried one
        file = written(tmp_path, body.replace("VALUE", value))
        done = subprocess.run(
            [sys.executable, "-c", chosen, str(file)],
            env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=600, check=True,
        )  # fmt: skip
        seen.append(done.stdout.split())
    assert [float(visits) for visits in seen[0]][-1] == 3
    assert [float(visits) for visits in seen[1]][-1] == 1


class FakeEntryPoint:
    """An entry point of an installed package."""

    name = "theirs"

    def __init__(self, load):
        self.load = load


@pytest.mark.plain
def test_an_installed_package_registers_parts_by_an_entry_point(tmp_path, monkeypatch):
    file = written(tmp_path, POLICY)
    monkeypatch.setattr(registry, "entry_points", lambda group: [FakeEntryPoint(lambda: load_plugin(file))])
    monkeypatch.setattr(registry, "_loaded", set())
    assert registry.find_part(registry.TREE_POLICY, "constant").source == str(file)


@pytest.mark.plain
def test_an_installed_package_that_fails_is_named(monkeypatch):
    monkeypatch.setattr(registry, "entry_points", lambda group: [FakeEntryPoint(lambda: 1 / 0)])
    monkeypatch.setattr(registry, "_loaded", set())
    with pytest.raises(TengenError, match="the parts of the package entry 'theirs' cannot be loaded: division by zero"):
        registry.parts(registry.TREE_POLICY)


@pytest.mark.plain
def test_a_tournament_file_names_plugins_relative_to_its_folder(tmp_path):
    written(tmp_path, POLICY)
    text = 'plugins = ["mine.py"]\n[game]\nname = "othello"\nsize = 4\n[players]\na = "constant"\nb = "random"\n'
    (tmp_path / "cup.toml").write_text(text)
    [pairing] = read_tournament(tmp_path / "cup.toml").pairings
    assert str(pairing.first.spec) == "constant"


@pytest.mark.plain
def test_a_saved_tree_does_not_load_the_plugin_that_it_needs(tmp_path, monkeypatch):
    file = written(tmp_path, POLICY)
    load_plugin(file)
    game = make_game("othello", 4)
    search = parse_player("constant:memory=1").make_searcher(game).search
    assert isinstance(search, Search)
    search.set_position(game.start())
    search.run(5)
    search.save(tmp_path / "tree")
    assert Search.load(tmp_path / "tree").simulations == 5
    known = {name: part for name, part in registry._parts[registry.TREE_POLICY].items() if name != "constant"}
    monkeypatch.setitem(registry._parts, registry.TREE_POLICY, known)
    with pytest.raises(TengenError, match=r"unknown tree policy 'constant'.* load that with --plugin FILE"):
        Search.load(tmp_path / "tree")
