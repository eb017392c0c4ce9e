"""Games of OpenSpiel as games of ours, for every player that knows nothing about a game."""

import copy
import json
import pickle
import random
import shlex

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
import pyspiel
from connect_four import ConnectFour

import tengen
from tengen import BadNotation, GameError, TengenError
from tengen.adapters.called_rules import RulesFailed
from tengen.adapters.open_spiel_game import OpenSpielGame
from tengen.arena.store import Store
from tengen.games import interface
from tengen.games.catalogue import check_game_name, game_from_json, game_names, make_game
from tengen.interfaces.terminal import _options
from tengen.players import parse_player, parse_search
from tengen.search.many import ManySearch
from tengen.search.search import Search
from tests.test_plugins import tengen_command

QUICK = ["uct", "uct:solver=true", "mc-rave", "flat-mc", "amaf", "random"]
"""Players whose kernels are compiled by `make test`, which runs the others uncompiled."""
OTHERS = [
    "uct:expand=episode",
    "mc-rave:prior=even",
    "uct-rave",
    "fuego-rave",
    "uct-tuned",
    "accelerated-uct",
    "discounted-uct",
    "amaf:annealing=true",
]
SMALL = ["connect_four", "y(board_size=4)", "clobber(rows=3,columns=4)"]
BREAKTHROUGH = "breakthrough(rows=5,columns=4)"
SEARCH = "simulations=12,memory=5"


def settings(player: str) -> str:
    """Return a player with few simulations and little memory."""
    known = "simulations=12" if player.startswith(("flat-mc", "amaf")) else SEARCH
    return player if player == "random" else f"{player}{',' if ':' in player else ':'}{known}"


def walk(variant: str, seed: int) -> pyspiel.State:
    """Play a random game beside OpenSpiel's own state, comparing everything; return the final state."""
    game, chance = OpenSpielGame(variant), random.Random(seed)
    position, state = game.start(), game.calls.game.new_initial_state()
    while not state.is_terminal():
        if state.current_player() != position.state.to_play:
            assert position.legal_moves() == ["pass"]
            position.play("pass")
        assert position.to_play == ("black", "white")[state.current_player()]
        assert position.legal_move_numbers().tolist() == sorted(state.legal_actions())
        assert not position.is_over
        move = chance.choice(state.legal_actions())
        assert game.parse_move(game.format_move(move)) == move
        assert position.is_legal(move)
        position.play(move)
        state.apply_action(move)
        assert position.diagram() == str(state).rstrip()
    assert position.is_over
    assert position.legal_moves() == []
    assert position.score == state.returns()[0]
    return state


@pytest.mark.plain
@pytest.mark.parametrize(
    "variant",
    ["tic_tac_toe", *SMALL, BREAKTHROUGH, "dots_and_boxes", "oware", "pentago", "othello", "go(board_size=3)", "nim"],
)
def test_random_games_follow_open_spiel(variant):
    for seed in range(3):
        walk(variant, seed)


@pytest.mark.long
def test_every_game_of_open_spiel_is_refused_in_one_sentence_or_followed():
    fit, refused = [], []
    for name in pyspiel.registered_names():
        try:
            fit.append(OpenSpielGame(name).variant)
        except GameError as error:
            refused.append(str(error))
    assert len(fit) >= 22
    assert all("OpenSpiel" in reason and "\n" not in reason for reason in refused)
    for variant in fit:
        walk(variant, 1)


@pytest.mark.parametrize("seed", range(10))
def test_connect_four_of_open_spiel_agrees_with_that_of_the_examples_move_by_move(seed):
    ours, theirs, chance = ConnectFour().start(), OpenSpielGame("connect_four").start(), random.Random(seed)
    while not ours.is_over:
        columns = [int(move) // 7 for move in ours.legal_move_numbers()]
        assert theirs.legal_moves() == [str(column) for column in columns]
        assert theirs.to_play == ours.to_play
        column = chance.randrange(len(columns))
        ours.play(int(ours.legal_move_numbers()[column]))
        theirs.play(str(columns[column]))
        assert theirs.is_over == ours.is_over
    assert theirs.winner == ours.winner


@pytest.mark.plain
@pytest.mark.parametrize("player", [*QUICK, *(pytest.param(player, marks=pytest.mark.long) for player in OTHERS)])
def test_every_player_without_knowledge_of_a_game_plays(player):
    position = OpenSpielGame("tic_tac_toe").start().play("(0,0)").play("(1,1)")
    chosen = parse_player(settings(player)).make(position.game)
    while not position.is_over:
        position.play(chosen.choose(position))
    assert position.winner in ("black", "white", "draw")


@pytest.mark.parametrize("variant", [*SMALL, pytest.param(BREAKTHROUGH, marks=pytest.mark.long)])
@pytest.mark.parametrize("player", ["uct", "mc-rave"])
def test_games_of_several_kinds_are_searched(variant, player):
    position = OpenSpielGame(variant).start()
    analysis = tengen.player(player, memory=20).analyse(position, simulations=100)
    assert analysis.simulations >= 100
    assert {move.move for move in analysis.moves} == set(position.legal_moves())


def test_a_simulation_does_not_change_the_position_and_the_same_seed_gives_the_same_tree():
    position = OpenSpielGame("connect_four").start().play("3").play("3")
    found = []
    for _ in range(2):
        search = Search(parse_search("uct:memory=5,seed=4"), position.game)
        search.set_position(position)
        search.run(200)
        found.append([(move.number, move.visits, move.value) for move in search.moves()])
    assert found[0] == found[1]
    assert position.legal_moves() == list("0123456")
    assert position.moves_played == 2


def test_two_threads_search_one_tree():
    position = OpenSpielGame("connect_four").start()
    player = tengen.player("uct:threads=2,memory=5")
    assert player.analyse(position, simulations=400).simulations == 400


def test_tic_tac_toe_is_solved_as_a_draw():
    position = OpenSpielGame("tic_tac_toe").start()
    search = Search(parse_search("uct:solver=true,memory=100"), position.game)
    search.set_position(position)
    search.run(100_000)
    assert search.is_solved
    assert search.value() == 0.5
    assert search.simulations < 100_000


def test_a_move_that_wins_at_once_is_proved():
    position = OpenSpielGame("tic_tac_toe").start()
    for move in ("(0,0)", "(1,0)", "(0,1)", "(1,1)"):
        position.play(move)
    search = Search(parse_search("uct:solver=true,memory=5"), position.game)
    search.set_position(position)
    search.run(500)
    best = search.moves()[0]
    assert (position.game.format_move(best.number), best.proof) == ("(0,2)", "win")


def test_a_state_that_is_not_at_hand_is_replayed_from_its_moves():
    """More positions than a thread keeps states, used in turn."""
    game = OpenSpielGame("connect_four")
    positions = [game.start().play(str(first)).play(str(second)) for first in range(7) for second in range(3)]
    for _ in range(2):
        for number, position in enumerate(positions):
            state = position.copy()
            state.play("6")
            expected = game.calls.game.new_initial_state()
            for action in (number // 3, number % 3, 6):
                expected.apply_action(action)
            assert state.diagram() == str(expected).rstrip()


def test_positions_are_copied_pickled_compared_and_taken_back():
    position = OpenSpielGame("tic_tac_toe").start().play("(1,1)").play("(0,0)")
    again = pickle.loads(pickle.dumps(position))
    assert again == position == copy.deepcopy(position)
    assert again.play("(2,2)") != position
    assert again.undo() == position
    other = OpenSpielGame("tic_tac_toe").start().play("(2,1)")
    assert other != position


def test_the_options_of_a_game_are_stored_and_read():
    game = OpenSpielGame("breakthrough(rows=6,columns=5)")
    assert game.variant == "breakthrough(columns=5,rows=6)"
    assert game == make_game("open_spiel:breakthrough(columns=5,rows=6)") == game_from_json(game.to_json())
    assert "open_spiel" not in game_names()
    check_game_name("open_spiel:y")
    with pytest.raises(GameError, match="go has no option variant"):
        make_game("go:small")


@pytest.mark.parametrize(
    ("variant", "names"),
    [
        ("tic_tac_toe", ["(0,0)", "(0,1)"]),
        ("breakthrough", ["a7a6", "a7b6"]),
        ("connect_four", ["0", "1"]),
        ("nim", ["0", "1"]),  # OpenSpiel's names have spaces
        ("y(board_size=4)", ["a1", "b1"]),
        ("dots_and_boxes", ["(h,0,0)", "(h,0,1)"]),
    ],
)
def test_moves_have_the_names_of_open_spiel_where_these_are_single_words(variant, names):
    assert OpenSpielGame(variant).start().legal_moves()[:2] == names


@pytest.mark.parametrize(
    ("variant", "why"),
    [
        ("kuhn_poker", "'kuhn_poker' of OpenSpiel cannot be played here: it has chance"),
        ("kuhn_poker(players=3)", "has 3 players instead of 2"),
        ("phantom_ttt", "it has hidden information"),
        ("matrix_pd", "it has simultaneous moves"),
        ("chess", "it has 4674 different moves, more than 1023"),
        ("chinese_checkers", "it may last 22000 moves, longer than 1024"),
        ("efg_game(filename=/etc/passwd)", "reads files, which a name of a game may not cause"),
        ("tic_tac_to", "OpenSpiel has no game 'tic_tac_to'"),
        ("connect_four(sides=3)", "OpenSpiel cannot load 'connect_four.sides=3.': Unknown parameter 'sides'"),
    ],
)
def test_a_game_that_does_not_fit_is_an_error_in_one_sentence(variant, why):
    with pytest.raises(GameError, match=why) as raised:
        OpenSpielGame(variant)
    assert "\n" not in str(raised.value)


def test_wrong_moves_and_diagrams_are_errors():
    game = OpenSpielGame("tic_tac_toe")
    with pytest.raises(BadNotation, match=r"'b2' is not a move of tic_tac_toe: moves are written \(0,0\), \(0,1\)"):
        game.parse_move("b2")
    with pytest.raises(BadNotation, match="63 is not the number of a move of tic_tac_toe"):
        game.format_move(63)
    with pytest.raises(GameError, match="cannot be set up from a diagram: play its moves"):
        game.from_diagram("...")
    with pytest.raises(GameError, match="does not define the cells of its board"):
        _ = game.start().board


@pytest.mark.plain
def test_a_failure_of_the_rules_is_an_error_and_the_search_goes_on_afterwards(monkeypatch):
    """An exception in OpenSpiel, here for an occupied square, ends the search with its first line."""
    game = OpenSpielGame("tic_tac_toe")
    position = game.start()
    with pytest.raises(RulesFailed, match="rules in Python have failed: "):
        interface.play(position.copy().play(0).state, 0)
    search = Search(parse_search("uct:memory=5"), game)
    search.set_position(position)
    monkeypatch.setattr(type(game.calls), "_state", lambda *_: 1 / 0)
    with pytest.raises(TengenError, match="rules in Python have failed: ZeroDivisionError: division by zero"):
        search.run(5)
    monkeypatch.undo()
    search.forget()
    search.set_position(position)
    assert search.run(5) == 5


def test_a_game_can_be_continued_by_the_options_that_are_shown():
    game = OpenSpielGame("breakthrough(rows=6,columns=5)")
    shown = _options(game)
    assert shown == "--game 'open_spiel:breakthrough(columns=5,rows=6)'"
    assert make_game(shlex.split(shown)[1]) == game


def test_a_tree_is_saved_and_continued(tmp_path):
    position = OpenSpielGame("connect_four").start().play("3")
    search = Search(parse_search("uct:memory=5"), position.game)
    search.set_position(position)
    search.run(200)
    search.save(tmp_path / "tree")
    loaded = Search.load(tmp_path / "tree")
    assert loaded.position == position
    assert (search.run(100), loaded.run(100)) == (100, 100)
    assert [move.visits for move in loaded.moves()] == [move.visits for move in search.moves()]


def test_a_gpu_is_refused():
    game = OpenSpielGame("connect_four")
    with pytest.raises(TengenError, match="connect_four cannot be played on a GPU: its rules are in Python"):
        ManySearch(parse_search("uct"), game, trees=1)


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.long)])
def test_the_command_line_plays_a_game_of_open_spiel_and_reads_it_again(tmp_path, workers):
    players = ("random", "random:seed=2", "--game=open_spiel:connect_four")
    store = tmp_path / "games.sqlite"
    done = tengen_command("match", *players, "--games=2", f"--workers={workers}", f"--store={store}", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 2
    with Store(store) as kept:
        assert [game.winner in ("black", "white", "draw") for game in kept.games()] == [True, True]
