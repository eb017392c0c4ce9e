"""Games by name."""

import pytest
from tic_tac_toe import TicTacToe

from tengen import GameError, Go, Havannah, Othello, registry
from tengen.games.catalogue import game_class, game_from_json, game_names, game_to_json, make_game, register_game
from tengen.registry import GAME


def test_a_game_is_created_by_its_name_and_size():
    assert make_game() == Go(9)
    assert make_game("go", 19, komi=6.5) == Go(19, 6.5)
    assert make_game("othello", komi=None) == Othello(8)
    assert make_game("havannah", 5) == Havannah(5)


@pytest.mark.parametrize("game", [Go(13, 0.5, ko="simple", suicide=True), Othello(6), Havannah(4, swap=True)])
def test_a_game_is_restored_from_its_description(game):
    assert game_from_json(game_to_json(game)) == game


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (lambda: make_game("chess"), "unknown game 'chess'; choose from: go, havannah, othello"),
        (lambda: make_game("othello", komi=7.5), "othello has no option komi"),
        (lambda: make_game("go", 99), "from 1 to 25"),
        (lambda: game_from_json(["go"]), "an object with its name"),
        (lambda: game_from_json({"name": "go", "colour": "red"}), "go has no option 'colour'"),
    ],
)
def test_an_unknown_game_or_option_is_refused(wrong, why):
    with pytest.raises(GameError, match=why):
        wrong()


def test_a_registered_game_is_created_by_its_name(monkeypatch):
    monkeypatch.setitem(registry._parts, GAME, dict(registry._parts[GAME]))
    register_game(TicTacToe)
    assert "tic-tac-toe" in game_names()
    assert make_game("tic-tac-toe") == TicTacToe()
    with pytest.raises(GameError, match="tic-tac-toe has no option size; it has: none"):
        make_game("tic-tac-toe", 4)


@pytest.mark.parametrize("name", game_names())
def test_a_game_has_the_facts_that_interfaces_need(name):
    kind = game_class(name)
    assert kind.name == name
    assert kind.meaning
    assert kind.board_size is not None
    for value in kind.board_size.values:
        game = make_game(name, value)
        assert game.size_value == value
        assert game.with_gtp_board_size(game.gtp_board_size) == game
        assert make_game(name).with_gtp_board_size(game.gtp_board_size) == game


@pytest.mark.parametrize(
    ("game", "text", "gtp"),
    [(Go(9), "9x9", 9), (Othello(6), "6x6", 6), (Havannah(8), "base 8", 15), (TicTacToe(), "tic-tac-toe", 3)],
)
def test_a_board_has_a_name_and_a_size_in_gtp(game, text, gtp):
    assert game.board_text == text
    assert game.gtp_board_size == gtp


@pytest.mark.parametrize(
    ("game", "size", "why"),
    [
        (Go(9), 26, "size of a Go board must be from 1 to 25, not '26'"),
        (Othello(8), 7, "size of an Othello board must be 4, 6 or 8, not '7'"),
        (Havannah(8), 8, "size of a Havannah board must be 5, 7, 9, 11, 13, 15, 17 or 19, not '8'"),
        (TicTacToe(), 4, "size of a TicTacToe board must be 3, not '4'"),
    ],
)
def test_an_unknown_board_size_is_refused(game, size, why):
    with pytest.raises(GameError, match=why):
        game.with_gtp_board_size(size)


@pytest.mark.parametrize("game", [Go(19), Go(25), Othello(8), Othello(4), Havannah(10), TicTacToe()], ids=str)
def test_every_move_is_parsed_from_its_notation_and_its_vertex(game):
    moves = [game.parse_move(cell.name) for row in game.rows(game.start().state) for cell in row if cell is not None]
    moves += game.named_moves.values()
    assert len({*moves}) == len(moves)
    for move in moves:
        assert game.parse_move(game.format_move(move)) == move
        vertex = game.format_vertex(move)
        assert "I" not in vertex
        assert game.parse_vertex(vertex) == game.parse_vertex(vertex.swapcase()) == move
