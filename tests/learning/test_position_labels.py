"""Positions with values: their choice, their files, searches that continue exactly, and refused files."""

import json

import pytest

from tengen import Go, parallel
from tengen.errors import TengenError
from tengen.files import Unreadable
from tengen.games.go.sgf import write_sgf
from tengen.learning.balance_settings import LabelSettings
from tengen.learning.game_moves import GameMoves, read_moves
from tengen.learning.position_labels import LabelFile, sampled_positions, searched_value
from tengen.learning.valued_positions import read_positions, valued_position
from tengen.parallel.in_process import InProcess
from tengen.players import parse_player, parse_search

SETTINGS = LabelSettings(label_positions=10, first_move=2, last_move=9, label_simulations=60, label_seed=5)
BOARD = 5, 0.5


def record(seed: int) -> bytes:
    """Return the record of a game by MoGo's policy."""
    game = Go(5, ko="simple")
    player, position = parse_player("mogo").make(game), game.start()
    player.new_game(seed)
    while not position.is_over and position.moves_played < 40:
        position.play(player.choose(position))
    return write_sgf(position)


@pytest.fixture(scope="module")
def games() -> GameMoves:
    return read_moves([(record(seed), 0) for seed in range(4)], 5)[0]


def opened(path, games, settings=SETTINGS, player="uct:memory=2", board=BOARD) -> LabelFile:
    return LabelFile(path, games, settings, parse_search(player, Go(5)), board)


def labelled(path, games, backend=None, together=2) -> LabelFile:
    made = opened(path, games)
    made.run(backend or InProcess(), lambda file: None, together)
    return made


# --- Choice ----------------------------------------------------------------------------------------------------------


def test_positions_are_different_parts_of_the_games_within_the_limits(games):
    found = sampled_positions(games, 5, SETTINGS)
    assert len(set(found)) == len(found) == 10
    assert {len(moves) for moves in found} <= set(range(2, 10))
    game = Go(5)
    whole = [
        [game.format_move(int(move)) for move in games.moves[games.starts[n] : games.starts[n + 1]]] for n in range(4)
    ]
    assert all(any(list(moves) == one[: len(moves)] for one in whole) for moves in found)
    assert found == sampled_positions(games, 5, SETTINGS)
    more = LabelSettings(label_positions=20, first_move=2, last_move=9)
    assert sampled_positions(games, 5, more)[:10] != found, "another seed"


def test_games_with_too_few_positions_are_refused_in_one_sentence(games):
    with pytest.raises(TengenError, match=r"^4 games have only \d+ positions after 2 to 3 moves, not 100$"):
        sampled_positions(games, 5, LabelSettings(label_positions=100, first_move=2, last_move=3))


# --- Values ----------------------------------------------------------------------------------------------------------


def test_values_are_those_of_black_whoever_is_to_move():
    """On 5x5, White always wins with komi 25.5, and Black with -25.5."""
    player = parse_search("uct:memory=2,seed=3", Go(5))
    for moves in ((), ("C3",)):
        assert searched_value(moves, 5, 25.5, player, 200) == 0
        assert searched_value(moves, 5, -25.5, player, 200) == 1


def test_a_continued_file_equals_an_uninterrupted_one(games, tmp_path):
    whole = labelled(tmp_path / "whole", games)
    assert whole.is_complete
    content = (tmp_path / "whole").read_bytes()
    ends = [place + 1 for place, byte in enumerate(content) if byte == ord("\n")]
    for size in (0, ends[0], ends[3], ends[3] + 7, ends[-1] - 1, ends[-1]):
        (tmp_path / "parts").write_bytes(content[:size])
        labelled(tmp_path / "parts", games, together=3)
        assert (tmp_path / "parts").read_bytes() == content
    assert [one.moves for one in read_positions(tmp_path / "whole", *BOARD)] == sampled_positions(games, 5, SETTINGS)
    assert len({one.value for one in whole.positions}) > 5


@pytest.mark.long
def test_the_file_does_not_depend_on_the_number_of_workers(games, tmp_path):
    labelled(tmp_path / "alone", games)
    with parallel.start("processes", 2) as backend:
        labelled(tmp_path / "shared", games, backend, together=1)
    assert (tmp_path / "alone").read_bytes() == (tmp_path / "shared").read_bytes()


def test_a_file_of_other_settings_or_games_is_refused(games, tmp_path):
    path = tmp_path / "a"
    opened(path, games)
    other = LabelSettings(label_positions=10, first_move=2, last_move=9, label_simulations=61, label_seed=5)
    for wrong in (
        {"settings": other}, {"player": "uct:memory=2,exploration=0.7"}, {"board": (5, 1.5)},
        {"games": games.selected(games.skipped[:3] * 0 + [0, 1, 2])},
    ):  # fmt: skip
        with pytest.raises(TengenError, match=r"was made with another \S+: choose another file, or use its settings$"):
            opened(path, **{"games": games, **wrong})


def test_a_damaged_file_is_refused_in_one_line(games, tmp_path):
    labelled(tmp_path / "a", games)
    content = (tmp_path / "a").read_bytes()
    for place in range(0, len(content) - 1, 101):
        (tmp_path / "a").write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(TengenError) as refused:
            opened(tmp_path / "a", games)
        assert "\n" not in str(refused.value)


# --- Files of positions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("[]", "it is not an object"),
        ("{", "not valid JSON"),
        ('{"moves": []}', "its value is 'None', not a number from 0 to 1"),
        ('{"moves": [], "value": 1.5}', "its value is '1.5'"),
        ('{"moves": [], "value": NaN}', "its value is 'nan'"),
        ('{"moves": [], "value": true}', "its value is 'True'"),
        ('{"moves": "B A1", "value": 1}', "moves must be a list of texts"),
        ('{"moves": [3], "value": 1}', "moves must be a list of texts"),
        ('{"moves": ["W A1"], "value": 1}', "move 1 is 'W A1', but colours alternate"),
        ('{"moves": ["B A1", "W A1"], "value": 1}', "A1"),
        ('{"moves": ["B A9"], "value": 1}', "A9"),
        ('{"moves": ["B pass", "W pass"], "value": 1}', "the game is over"),
    ],
)
def test_a_file_with_a_wrong_line_is_refused_in_one_line(line, complaint, tmp_path):
    path = tmp_path / "positions.jsonl"
    path.write_text('{"moves": ["B A1"], "value": 0.5}\n\n' + line + "\n")
    with pytest.raises(Unreadable) as refused:
        read_positions(path, *BOARD)
    assert str(refused.value).startswith(f"line 3 of '{path}'") or str(refused.value).startswith(f"line 3 of {path}")
    assert complaint in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_labels_of_the_package_are_read_as_values(tmp_path):
    line = {"moves": ["B A1", "W B2"], "black_wins": 1, "fuego": 0.9}
    found = valued_position(line, *BOARD)
    assert (found.moves, found.value) == (("A1", "B2"), 1.0)
    (tmp_path / "a").write_text("\n" + json.dumps({"made_by": {}}) + "\n")
    with pytest.raises(Unreadable, match="contains no position"):
        read_positions(tmp_path / "a", *BOARD)
