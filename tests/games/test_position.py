"""Positions of all three games: moves, undo, copies, pickles, equality, diagrams and errors."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from tic_tac_toe import TicTacToe

from tengen import (
    BadNotation,
    Game,
    GameError,
    Go,
    GoPosition,
    Havannah,
    IllegalMove,
    Othello,
    Position,
)
from tengen.games.diagrams import rows_of
from tengen.papers.measures.deceptive_search import Deceptive

GAMES = {
    "Go": Go(5, komi=0.5),
    "Go with simple ko": Go(4, ko="simple"),
    "Go with situational superko and suicide": Go(3, ko="situational", suicide=True),
    "Go on a common size": Go(9),
    "Go on one point": Go(1),
    "Othello": Othello(),
    "small Othello": Othello(4),
    "Havannah": Havannah(4),
    "Havannah with the swap rule": Havannah(3, swap=True),
    "a user's own game": TicTacToe(),
}
ALL_GAMES = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
TINY_GAMES = pytest.mark.parametrize(
    "game", [Go(2), Othello(4), Havannah(3, swap=True)], ids=["Go", "Othello", "Havannah"]
)


def walk(position: Position, moves: int, seed: int) -> Position:
    """Play at most `moves` random legal moves."""
    rng = np.random.default_rng(seed)
    for _ in range(moves):
        if position.is_over:
            break
        legal = position.legal_move_numbers()
        position.play(int(rng.choice(legal)))
    return position


def play_all(position, moves: str):
    for move in moves.split():
        position.play(move)
    return position


def looks(position: Position) -> tuple:
    """Return all public properties of a position."""
    return (
        position.diagram(),
        position.to_play,
        position.is_over,
        position.winner,
        position.score,
        position.history,
        position.legal_moves(),
        bytes(position.game.key(position.state)),
    )


# --- Moves, and taking them back -------------------------------------------------------------------------------------


def check_undo(game: Game, moves: int, seed: int) -> None:
    position = game.start()
    rng = np.random.default_rng(seed)
    seen = [looks(position)]
    for _ in range(moves):
        if position.is_over:
            break
        position.play(int(rng.choice(position.legal_move_numbers())))
        seen.append(looks(position))
        if rng.random() < 0.3:
            seen.pop()
            assert position.undo() is position
            assert looks(position) == seen[-1]
    while position.history:
        seen.pop()
        position.undo()
        assert looks(position) == seen[-1]
    assert position == game.start()
    assert len(seen) == 1


@pytest.mark.plain
@TINY_GAMES
def test_a_few_moves_can_be_undone(game):
    check_undo(game, moves=6, seed=1)


@ALL_GAMES
@pytest.mark.parametrize("seed", range(5))
def test_moves_can_be_undone_one_by_one(game, seed):
    check_undo(game, moves=60, seed=seed)


@ALL_GAMES
def test_the_history_has_colours_and_moves(game):
    position = walk(game.start(), moves=12, seed=3)
    again = game.start()
    for number, played in enumerate(position.history):
        assert played.colour == again.to_play
        assert played.notation == game.format_move(played.move)
        assert game.parse_move(played.notation) == played.move
        again.play(played.notation, colour=played.colour)
        assert again.history == position.history[: number + 1]
    assert again == position
    assert list(position) == position.history
    position.history.clear()
    assert again.history == position.history, "the list given out is a copy"


@ALL_GAMES
def test_entries_of_the_history_can_be_played(game):
    position, again = walk(game.start(), moves=12, seed=6), game.start()
    for played in position.history:
        assert again.is_legal(played)
        assert again.move(played) == played.move
        again.play(played)
    assert again == position
    assert again.history == position.history


@pytest.mark.plain
def test_an_entry_of_the_history_is_played_by_its_own_colour():
    first = Go(5).start().play("C3").history[0]
    position = Go(9).start().play("A1")
    before = looks(position)
    assert not position.is_legal(first)
    with pytest.raises(IllegalMove, match="C3 cannot be played by black: it is white's turn"):
        position.play(first)
    assert looks(position) == before
    assert position.play(first, colour="white").history[-1].notation == "C3"
    with pytest.raises(IllegalMove, match="there is a stone already"):
        position.play(first)


@pytest.mark.plain
@TINY_GAMES
def test_a_game_ends_with_a_winner_or_a_draw(game):
    position = walk(game.start(), moves=60, seed=4)
    while not position.is_over:
        position.play(int(position.legal_move_numbers()[-1]))
    expected = "draw" if position.score == 0 else "black" if position.score > 0 else "white"
    assert position.winner == expected
    assert position.legal_moves() == []
    assert game.start().winner is None


def check_legal_moves(position: Position) -> None:
    """Check that all methods agree about the legal moves, and that exactly these can be played."""
    game, listed = position.game, position.legal_move_numbers().tolist()
    assert len(set(listed)) == len(listed)
    assert position.legal_moves() == [game.format_move(move) for move in listed]
    for move in range(game.move_slots):
        assert position.is_legal(move) == (move in listed)
        other = position.copy()
        if move in listed:
            other.play(move)
            assert other.undo() == position
        else:
            with pytest.raises(GameError):
                other.play(move)
            assert looks(other) == looks(position)


@ALL_GAMES
@pytest.mark.parametrize("seed", range(3))
def test_legal_moves_are_exactly_those_that_can_be_played(game, seed):
    position = game.start()
    for _ in range(25):
        check_legal_moves(position)
        walk(position, moves=1, seed=seed + len(position.history))


@pytest.mark.plain
@TINY_GAMES
def test_legal_moves_of_a_tiny_game_are_exactly_those_that_can_be_played(game):
    position = walk(game.start(), moves=2, seed=1)
    listed = position.legal_move_numbers().tolist()
    for move in range(game.move_slots):
        assert position.is_legal(move) == (move in listed)


SINGLE_STONE_SUICIDE = [
    (Go(1, suicide=True), ".", "A1", False),
    (Go(1, ko="situational", suicide=True), ".", "A1", True),
    (Go(2, suicide=True), ". O\nO .", "A2", False),
    (Go(2, ko="simple", suicide=True), ". O\nO .", "A2", True),
]


@pytest.mark.parametrize(("game", "diagram", "move", "legal"), [SINGLE_STONE_SUICIDE[0], SINGLE_STONE_SUICIDE[2]])
def test_a_first_move_that_repeats_the_start_is_not_listed(game, diagram, move, legal):
    assert (move in game.from_diagram(diagram).legal_moves()) == legal


@pytest.mark.parametrize(("game", "diagram", "move"), [case[:3] for case in SINGLE_STONE_SUICIDE if case[3]])
def test_a_legal_suicide_of_one_stone_restores_the_board(game, diagram, move):
    position = game.from_diagram(diagram)
    assert position.is_legal(move)
    assert position.play(move).diagram() == game.from_diagram(diagram).diagram()


@pytest.mark.parametrize(("game", "diagram", "move"), [case[:3] for case in SINGLE_STONE_SUICIDE if not case[3]])
def test_superko_forbids_a_suicide_of_one_stone(game, diagram, move):
    position = game.from_diagram(diagram)
    assert not position.is_legal(move)
    with pytest.raises(IllegalMove, match="would repeat an earlier position"):
        position.play(move)


# --- Copies, pickles, equality ---------------------------------------------------------------------------------------

SEND_TWO = "C2 A2 D1 B2 B1 E5 A1 C1"
"""A game after which Black may not play B1 under positional superko, as that would repeat the board before A1."""

COPIES = {
    "copy": lambda position: position.copy(),
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda position: pickle.loads(pickle.dumps(position)),
}
GO_COPIES = pytest.mark.parametrize(
    "copied",
    [pytest.param(how, id=name) for name, how in COPIES.items()],
)


@ALL_GAMES
@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_a_copy_is_equal_and_looks_the_same(game, copied):
    position = walk(game.start(), moves=14, seed=6)
    other = copied(position)
    assert type(other) is type(position)
    assert other is not position
    assert other == position
    assert hash(other) == hash(position)
    assert looks(other) == looks(position)


def check_independence(game: Game, copied) -> None:
    position = walk(game.start(), moves=8, seed=7)
    before = looks(position)
    other = copied(position)
    walk(other, moves=3, seed=8)
    assert other != position
    assert looks(position) == before
    for _ in range(6):
        other.undo()
    assert looks(position) == before
    position.undo()
    assert len(other.history) == len(position.history) - 2
    while position.history:
        position.undo()
    assert position == game.start()


@GO_COPIES
def test_a_copy_of_a_go_position_is_independent(copied):
    check_independence(Go(5), copied)


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("game", [Othello(), Havannah(4)], ids=["Othello", "Havannah"])
def test_a_copy_is_independent(game, copied):
    check_independence(game, copied)


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_a_copy_keeps_the_superko_history(copied):
    position = play_all(Go(5).start(), SEND_TWO)
    other = copied(position)
    for either in (position, other):
        assert not either.is_legal("B1")
        assert "B1" not in either.legal_moves()
        with pytest.raises(IllegalMove, match="repeat"):
            either.play("B1")
    other.play("E1").play("A5")
    assert other.is_legal("B1")
    assert not position.is_legal("B1")
    other.undo().undo()
    assert not other.is_legal("B1")
    assert position.undo().is_legal("C1")
    assert not other.is_legal("B1")


@pytest.mark.parametrize("copied", [COPIES["copy"], COPIES["pickle"]], ids=["copy", "pickle"])
def test_a_copy_keeps_setup_stones_and_can_be_undone_to_them(copied):
    position = Go(5).from_diagram(". . . . .\n. . X . .\n. X O . .\n. . X O .\n. . O . .", to_play="white")
    begin = looks(position)
    play_all(position, "A5 D4")
    other = copied(position)
    assert looks(other) == looks(position)
    other.undo().undo()
    assert looks(other) == begin
    with pytest.raises(GameError, match="no move to take back"):
        other.undo()


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_games_and_positions_can_be_pickled_by_every_protocol(protocol):
    for game in GAMES.values():
        position = walk(game.start(), moves=5, seed=9)
        again_game, again = pickle.loads(pickle.dumps((game, position), protocol))
        assert again_game == game
        assert again == position
        assert again.history == position.history


@pytest.mark.plain
@TINY_GAMES
def test_positions_are_equal_whatever_their_histories(game):
    once, twice = (walk(game.start(), moves=4, seed=10) for _ in range(2))
    assert once == twice
    assert hash(once) == hash(twice)
    assert once != twice.undo()
    assert len({once, twice, twice.copy()}) == 2


def test_the_order_of_moves_does_not_matter_for_equality():
    for game, one_way, another in [
        (Go(9), "E5 C3 G7 pass", "G7 C3 E5 pass"),
        (Havannah(4), "a1 b2 c3", "c3 b2 a1"),
    ]:
        once, twice = play_all(game.start(), one_way), play_all(game.start(), another)
        assert once == twice
        assert hash(once) == hash(twice)
        assert once.history != twice.history


def test_positions_with_different_futures_are_not_equal():
    go = Go(5)
    assert play_all(go.start(), "pass") != go.start(), "the turn, and a pass"
    assert play_all(go.start(), "C3 pass") != go.from_diagram(play_all(go.start(), "C3").diagram()), "a pass"
    assert Go(5, 0.5).start() != Go(5, 1.5).start(), "the rules"
    assert Go(5, ko="simple").start() != Go(5).start(), "the rules"
    assert Havannah(4).start() != Havannah(4, swap=True).start(), "the rules"
    assert Othello(4).start() != Othello(6).start(), "the size"
    ko = play_all(Go(5, ko="simple").start(), "B2 C2 A1 D1 C1 B1")
    assert ko != ko.game.from_diagram(ko.diagram(), ko.to_play), "a ko"
    assert go.start() != "a position"
    assert go.start() != Othello().start()


@pytest.mark.plain
def test_games_are_equal_by_their_options_and_can_be_keys():
    assert Go(9, 7) == Go(9, 7.0)
    assert hash(Go(9, 7)) == hash(Go(9, 7.0))
    assert Go(9) != Go(13)
    assert Othello(4) != Othello(6)
    assert len({Go(9), Go(9), Go(9, 6.5), Othello(), Havannah(), Havannah(8)}) == 4
    with pytest.raises(AttributeError):
        Go(9).size = 13  # type: ignore[misc]


# --- Diagrams --------------------------------------------------------------------------------------------------------


@ALL_GAMES
@pytest.mark.parametrize("seed", range(4))
def test_a_diagram_is_read_as_it_was_drawn(game, seed):
    position = walk(game.start(), moves=3 * seed * seed, seed=seed)
    for again in (
        game.from_diagram(position.diagram(), position.to_play),
        game.from_diagram(f"\n\n{position.diagram()}\n  \n", position.to_play),
    ):
        assert again.diagram() == position.diagram()
        assert again.to_play == position.to_play
        assert again.score == position.score
        assert again.history == []
    assert str(position) == position.diagram()


@pytest.mark.plain
@TINY_GAMES
def test_the_diagram_of_a_tiny_game_is_read_as_it_was_drawn(game):
    position = walk(game.start(), moves=3, seed=2)
    assert game.from_diagram(position.diagram(), position.to_play).diagram() == position.diagram()


@pytest.mark.plain
def test_diagrams_have_the_usual_layout():
    go = play_all(Go(3).start(), "A1 C3")
    assert go.diagram() == "3 . . O\n2 . . .\n1 X . .\n  A B C"
    othello = Othello(4).start()
    assert othello.diagram() == "  a b c d\n1 . . . .\n2 . O X .\n3 . X O .\n4 . . . ."
    havannah = play_all(Havannah(3).start(), "a1 e5")
    assert havannah.diagram() == "\n".join(
        ["      a b c", " 1   X . . d", " 2  . . . . e", " 3 . . . . .", " 4  . . . .", " 5   . . O"]
    )


@pytest.mark.plain
@pytest.mark.parametrize(
    "text",
    [
        "..O\n...\nX..",
        ". . O\n. . .\nX . .",
        "3 . . O 3\n2 . + , 2\n1 # . . 1\n  A B C",
        "  A B C\n3 ..O\n2 ...\n1 X..",
    ],
)
def test_diagrams_are_read_with_and_without_blanks_and_coordinates(text):
    assert Go(3).from_diagram(text).diagram() == "3 . . O\n2 . . .\n1 X . .\n  A B C"


BAD_DIAGRAMS = {
    "an unknown symbol": (Go(3), "...\n.?.\n...", "'?' is not a symbol"),
    "an unknown symbol among blanks": (Go(3), ". . .\n. ? .\n. . .", "'?' is not a symbol"),
    "a row too many": (Go(2), "..\n..\n..", "3 rows instead of 2"),
    "a row too few": (Go(3), "...\n...", "2 rows instead of 3"),
    "a row too long": (Go(2), "..\n...", "row 2 .* 3 points instead of 2"),
    "a row too short": (Go(2), ".\n..", "row 1 .* 1 points instead of 2"),
    "nothing": (Go(2), "", "0 rows instead of 2"),
    "a chain without liberties": (Go(2), "XO\nO.", "A2 has no liberty"),
    "a full board": (Go(1), "X", "A1 has no liberty"),
    "another game's board": (Othello(4), Go(3).start().diagram(), "rows"),
    "a square where a hexagon is needed": (Havannah(3), "...\n...\n...\n...\n...", "row 2 .* 3 points instead of 4"),
    "a symbol in Othello": (Othello(4), "....\n.OXz\n.XO.\n....", "is not a symbol"),
}


@pytest.mark.parametrize(("game", "text", "words"), BAD_DIAGRAMS.values(), ids=BAD_DIAGRAMS)
def test_invalid_diagrams_are_refused(game, text, words):
    with pytest.raises(GameError, match=words):
        game.from_diagram(text)


@pytest.mark.plain
def test_a_diagram_needs_a_valid_side_to_move():
    with pytest.raises(BadNotation, match="'green' is not a colour"):
        Go(2).from_diagram("..\n..", to_play="green")
    assert Go(2).from_diagram("..\n..", to_play=" W ").to_play == "white"


# --- The board as an array ------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_the_board_of_go_is_an_array_like_its_diagram():
    position = play_all(Go(3, ko="simple").start(), "A1 C3 B2")
    assert position.board.tolist() == [[0, 0, 2], [0, 1, 0], [1, 0, 0]]
    assert position.board.dtype == np.int8
    assert [position.colour_at(place) for place in ("A1", "c3", "A3")] == ["black", "white", None]


@pytest.mark.plain
def test_the_board_of_othello_is_an_array_like_its_diagram():
    position = Othello(4).start().play("b1")
    assert position.board.tolist() == [[0, 1, 0, 0], [0, 1, 1, 0], [0, 1, 2, 0], [0, 0, 0, 0]]
    assert [position.colour_at(place) for place in ("b1", "C3", "d4")] == ["black", "white", None]


@pytest.mark.plain
def test_the_board_of_havannah_is_a_square_with_two_corners_outside():
    position = play_all(Havannah(3).start(), "a1 e5 c2")
    assert position.board.tolist() == [
        [1, 0, 0, -1, -1],
        [0, 0, 1, 0, -1],
        [0, 0, 0, 0, 0],
        [-1, 0, 0, 0, 0],
        [-1, -1, 0, 0, 2],
    ]
    assert [position.colour_at(place) for place in ("a1", "E5", "b2")] == ["black", "white", None]


@pytest.mark.plain
def test_the_board_of_a_user_s_own_game_is_an_array_like_its_diagram():
    position = play_all(TicTacToe().start(), "a1 b2")
    assert position.board.tolist() == [[1, 0, 0], [0, 2, 0], [0, 0, 0]]
    assert [position.colour_at(place) for place in ("a1", "b2", "c3")] == ["black", "white", None]


@ALL_GAMES
@pytest.mark.parametrize("seed", range(3))
def test_the_board_agrees_with_the_diagram_and_the_names_of_its_cells(game, seed):
    position = walk(game.start(), moves=25, seed=seed)
    on_board = position.board[position.board >= 0]
    drawn = [(1, 2, 0)[colour] for row in rows_of(position.diagram(), "the board") for colour in row]
    assert on_board.tolist() == drawn
    colours = {1: "black", 2: "white", 0: None}
    cells = [cell for row in game.rows(position.state) for cell in row if cell is not None]
    for cell, value in zip(cells, on_board.tolist(), strict=True):
        assert position.colour_at(cell.name) == position.colour_at(game.parse_move(cell.name)) == colours[value]


@pytest.mark.plain
def test_changing_the_array_does_not_change_the_position():
    position = Go(3).start().play("B2")
    before = looks(position)
    position.board[:] = 2
    assert looks(position) == before


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "place", "words"),
    [
        pytest.param(Go(5), "pass", "'pass' is not a place on the board"),
        (Go(5), "F1", "F1 is off the board"),
        (Go(5), "", "'' is not a point"),
        (Othello(), "pass", "'pass' is not a place"),
        (Havannah(3), "swap", "'swap' is not a place"),
        (Havannah(3), "a4", "a4 is off the board"),
    ],
)
def test_a_name_that_is_not_a_place_is_refused(game, place, words):
    with pytest.raises(BadNotation, match=words):
        game.start().colour_at(place)


@pytest.mark.plain
def test_the_board_of_a_game_without_cells_is_an_error():
    position = Deceptive().start()
    with pytest.raises(GameError, match="does not define the cells of its board: its class needs the method 'rows'"):
        _ = position.board
    with pytest.raises(GameError, match="does not define the cells"):
        position.colour_at("a")


# --- Mistakes --------------------------------------------------------------------------------------------------------

KO = "B2 C2 A1 D1 C1 B1"
MISTAKES = {
    "off the board to the right": (Go(9), "", "K5", BadNotation, "K5 is off the board: it ends at J9"),
    "off the board above": (Go(9), "", "E10", BadNotation, "E10 is off the board: it ends at J9"),
    "row zero": (Go(9), "", "E0", BadNotation, "E0 is off the board"),
    "off a small board": (Go(1), "", "A2", BadNotation, "it ends at A1"),
    "the letter that Go leaves out": (Go(9), "", "I5", BadNotation, "'I5' is not a point"),
    "garbled": (Go(9), "", "5E", BadNotation, "'5E' is not a point"),
    "a letter alone": (Go(9), "", "E", BadNotation, "'E' is not a point"),
    "nothing": (Go(9), "", "", BadNotation, "'' is not a point"),
    "blanks": (Go(9), "", "   ", BadNotation, "is not a point"),
    "a negative row": (Go(9), "", "E-5", BadNotation, "is not a point"),
    "a blank between": (Go(9), "", "E 5", BadNotation, "is not a point"),
    "Arabic digits": (Go(9), "", "E٥", BadNotation, "is not a point"),
    "superscript digits": (Go(9), "", "E²", BadNotation, "is not a point"),
    "wide letters": (Go(9), "", "Ｅ5", BadNotation, "is not a point"),
    "a letter that grows in capitals": (Go(9), "", "ß5", BadNotation, "is not a point"),
    "a line break": (Go(9), "", "E5\nE6", BadNotation, r"'E5\\nE6' is not a point"),
    "a zero byte": (Go(9), "", "E5\0", BadNotation, r"'E5\\x00' is not a point"),
    "a very long text": (Go(9), "", "E" * 100_000, BadNotation, r"'E{40}\.\.\.' is not a point"),
    "a very long number": (Go(9), "", "E" + "9" * 100_000, BadNotation, r"9\.\.\.' is not a point"),
    "a stone on a stone": (Go(9), "E5", "E5", IllegalMove, "E5 cannot be played by white: there is a stone already"),
    "a ko": (Go(5, ko="simple"), KO, "C1", IllegalMove, "C1 cannot be played by black: a ko may not be recaptured"),
    "superko": (
        Go(5),
        SEND_TWO,
        "B1",
        IllegalMove,
        "B1 cannot be played by black: it would repeat an earlier position",
    ),
    "suicide": (Go(3), "A2 C3 B1", "A1", IllegalMove, "A1 cannot be played by white: it would be suicide"),
    "after the end": (Go(9), "pass pass", "E5", IllegalMove, "E5 cannot be played: the game is over"),
    "a pass after the end": (Go(9), "pass pass", "pass", IllegalMove, "pass cannot be played: the game is over"),
    "a number below all": (Go(9), "", -1, BadNotation, "'-1' is not a move: numbers are from 0 to 110"),
    "a number above all": (Go(9), "", 111, BadNotation, "'111' is not a move"),
    "a number beyond words": (Go(9), "", 10**30, BadNotation, "'1000000000"),
    "a wall's number": (Go(9), "", 20, BadNotation, "20 is not the number of a point"),
    "off the board in Othello": (Othello(6), "", "g1", BadNotation, "g1 is off the board: it ends at f6"),
    "row nine in Othello": (Othello(), "", "a9", BadNotation, "a9 is off the board: it ends at h8"),
    "garbled in Othello": (Othello(), "", "3d", BadNotation, "'3d' is not a square"),
    "Arabic digits in Othello": (Othello(), "", "d٣", BadNotation, "is not a square"),
    "a very long text in Othello": (Othello(), "", "d" * 100_000, BadNotation, r"d\.\.\.' is not a square"),
    "a disc on a disc": (Othello(), "", "d4", IllegalMove, "d4 cannot be played by black: there is a disc already"),
    "a disc that turns none": (Othello(), "", "a1", IllegalMove, "a1 cannot be played by black: it turns over no disc"),
    "a pass that is not forced": (Othello(), "", "pass", IllegalMove, "a pass is not allowed"),
    "a number off the small board": (Othello(4), "", 4, BadNotation, "4 is not the number of a square"),
    "a number above all in Othello": (Othello(), "", 65, BadNotation, "'65' is not a move: numbers are from 0 to 64"),
    "off the board in Havannah": (Havannah(4), "", "a5", BadNotation, "a5 is off the board of base 4"),
    "row zero in Havannah": (Havannah(4), "", "a0", BadNotation, "a0 is off the board"),
    "garbled in Havannah": (Havannah(4), "", "?!", BadNotation, "is not a cell"),
    "Arabic digits in Havannah": (Havannah(4), "", "a١", BadNotation, "is not a cell"),
    "a very long number in Havannah": (Havannah(4), "", "a" + "1" * 100_000, BadNotation, r"1\.\.\.' is not a cell"),
    "a stone on a stone in Havannah": (Havannah(4), "a1", "a1", IllegalMove, "by white: there is a stone already"),
    "a swap without that rule": (Havannah(4), "a1", "swap", IllegalMove, "a swap is allowed only at the second move"),
    "a swap at the start": (
        Havannah(4, swap=True),
        "",
        "swap",
        IllegalMove,
        "a swap is allowed only at the second move",
    ),
    "a swap too late": (
        Havannah(4, swap=True),
        "a1 b2",
        "swap",
        IllegalMove,
        "a swap is allowed only at the second move",
    ),
    "a swap of a swap": (
        Havannah(4, swap=True),
        "a1 swap",
        "swap",
        IllegalMove,
        "a swap is allowed only at the second move",
    ),
    "a number above all in Havannah": (Havannah(4), "", 38, BadNotation, "numbers are from 0 to 37"),
    "after the end in Havannah": (Havannah(3), "a1 c5 a2 d5 a3", "b1", IllegalMove, "the game is over"),
}


@pytest.mark.parametrize(("game", "moves", "move", "error", "words"), MISTAKES.values(), ids=MISTAKES)
def test_an_invalid_move_is_refused_and_changes_nothing(game, moves, move, error, words):
    position = play_all(game.start(), moves)
    before = looks(position)
    with pytest.raises(error, match=words) as caught:
        position.play(move)
    assert isinstance(caught.value, GameError)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200
    assert looks(position) == before


def mistakes(kind: type[GameError]) -> list[Any]:
    """Return the invalid moves of a kind, except numbers, for which `is_legal` never raises."""
    found = [pytest.param(*case[:3], id=name) for name, case in MISTAKES.items() if case[3] is kind]
    return [case for case in found if not isinstance(case.values[2], int)]


@pytest.mark.parametrize(("game", "moves", "move"), mistakes(BadNotation))
def test_is_legal_raises_for_invalid_notation(game, moves, move):
    position = play_all(game.start(), moves)
    before = looks(position)
    with pytest.raises(BadNotation):
        position.is_legal(move)
    assert looks(position) == before


@pytest.mark.parametrize(("game", "moves", "move"), mistakes(IllegalMove))
def test_illegal_moves_are_not_legal(game, moves, move):
    position = play_all(game.start(), moves)
    before = looks(position)
    assert not position.is_legal(move)
    assert looks(position) == before


@pytest.mark.parametrize("move", [None, 12.7, float("nan"), b"E5", []])
def test_other_types_than_moves_are_refused(move):
    position = Go(9).start()
    with pytest.raises(GameError):
        position.play(move)
    assert position == Go(9).start()


@pytest.mark.plain
@pytest.mark.parametrize(
    ("move", "same"), [("c2", "C2"), (" C2 ", "C2"), ("C02", "C2"), ("PASS", "pass"), ("Pass\n", "pass"), (11, "C2")]
)
def test_moves_are_parsed_in_several_spellings(move, same):
    assert Go(3).start().play(move).history[0].notation == same


@pytest.mark.plain
def test_a_number_of_any_integer_type_is_a_move():
    numbers: list[Any] = [11, np.int64(11), np.uint16(11), np.uint8(11)]
    for number in numbers:
        assert Go(3).start().play(number).history[0].move == 11


@pytest.mark.plain
def test_a_move_by_the_wrong_colour_is_refused():
    for game, move in [(Go(5), "C3"), (Othello(), "d3"), (Havannah(4), "a1")]:
        position = game.start()
        with pytest.raises(IllegalMove, match=f"{move} cannot be played by white: it is black's turn"):
            position.play(move, colour="white")
        with pytest.raises(BadNotation, match="'green' is not a colour"):
            position.play(move, colour="green")
        assert position == game.start()
        assert position.play(move, colour="B").history[0].colour == "black"


@pytest.mark.plain
@TINY_GAMES
def test_undo_at_the_start_is_refused(game):
    position = game.start()
    for _ in range(2):
        with pytest.raises(GameError, match="there is no move to take back"):
            position.undo()
        assert position == game.start()
    walk(position, moves=1, seed=1)
    assert position.undo() == game.start()


BAD_OPTIONS = {
    "size 0": (Go, {"size": 0}, "size of a Go board must be from 1 to 25, not '0'"),
    "size 26": (Go, {"size": 26}, "size of a Go board must be from 1 to 25"),
    "a negative size": (Go, {"size": -9}, "size of a Go board must be from 1 to 25"),
    "a size with a fraction": (Go, {"size": 9.0}, "size of a Go board must be from 1 to 25"),
    "a size in words": (Go, {"size": "9"}, "size of a Go board must be from 1 to 25"),
    "no size": (Go, {"size": None}, "size of a Go board must be from 1 to 25"),
    "a size without end": (Go, {"size": 10**100}, "size of a Go board must be from 1 to 25"),
    "komi that is not a number": (
        Go,
        {"komi": float("nan")},
        "komi must be a number from -1000 to 1000, not 'nan'",
    ),
    "komi without end": (Go, {"komi": float("inf")}, "komi must be a number"),
    "komi without end for Black": (Go, {"komi": float("-inf")}, "komi must be a number"),
    "komi beyond reason": (Go, {"komi": 1000.5}, "komi must be a number"),
    "komi in words": (Go, {"komi": "7.5"}, "komi must be a number"),
    "no komi": (Go, {"komi": None}, "komi must be a number"),
    "an unknown ko rule": (
        Go,
        {"ko": "superko"},
        "unknown ko rule 'superko'; choose from: simple, positional, situational",
    ),
    "no ko rule": (Go, {"ko": None}, "unknown ko rule"),
    "Othello of an odd size": (Othello, {"size": 5}, "size of an Othello board must be 4, 6 or 8, not '5'"),
    "Othello of size ten": (Othello, {"size": 10}, "size of an Othello board must be 4, 6 or 8"),
    "Othello's size in words": (Othello, {"size": "8"}, "size of an Othello board must be 4, 6 or 8"),
    "Havannah too small": (Havannah, {"base": 2}, "base of a Havannah board must be from 3 to 10, not '2'"),
    "Havannah too large": (Havannah, {"base": 11}, "base of a Havannah board must be from 3 to 10"),
    "Havannah's base in words": (Havannah, {"base": "8"}, "base of a Havannah board must be from 3 to 10"),
    "suicide in words": (Go, {"suicide": "no"}, "suicide"),
    "Othello's size as a fraction": (Othello, {"size": 8.0}, "size of an Othello board must be 4, 6 or 8"),
    "the swap rule in words": (Havannah, {"swap": "yes"}, "swap"),
}


@pytest.mark.parametrize(("game", "options", "words"), BAD_OPTIONS.values(), ids=BAD_OPTIONS)
def test_invalid_options_are_refused(game, options, words):
    with pytest.raises(GameError, match=words):
        game(**options)


def test_komi_of_hundreds_of_digits_is_refused():
    with pytest.raises(GameError, match="komi must be a number"):
        Go(komi=10**400)


# --- Go's own --------------------------------------------------------------------------------------------------------


def test_giving_the_turn_changes_only_the_turn():
    position = play_all(Go(5).start(), "C3")
    diagram = position.diagram()
    assert position.give_turn("white") is position
    assert len(position.history) == 1, "it was White's turn already"
    position.give_turn("b")
    assert position.to_play == "black"
    assert position.diagram() == diagram
    assert position.history == []
    with pytest.raises(GameError, match="no move to take back"):
        position.undo()
    position.play("D3", colour="black")
    assert position.history[0].colour == "black"
    with pytest.raises(BadNotation, match="is not a colour"):
        position.give_turn("grey")


def test_stones_can_be_set_up_changed_and_removed():
    position = Go(5).start().set_up_stones(["A1", "b2"], ["C3"], [])
    assert position.diagram() == Go(5).from_diagram(".....\n.....\n..O..\n.X...\nX....").diagram()
    assert position.to_play == "black"
    position.play("E5").set_up_stones(["C3"], ["A1"], ["B2", "D4"], to_play="black")
    assert position.diagram() == Go(5).from_diagram("....X\n.....\n..X..\n.....\nO....").diagram()
    assert position.to_play == "black"
    assert position.history == []
    assert position.state.ko == 0


def test_setting_up_stones_clears_the_superko_history():
    position = play_all(Go(5).start(), SEND_TWO)
    assert not position.is_legal("B1")
    position.set_up_stones([], [], [])
    assert position.is_legal("B1")
    assert not position.play("B1").is_over


SETUP_MISTAKES = {
    "off the board": ((["F1"], [], []), {}, BadNotation, "off the board"),
    "garbled": (([], ["??"], []), {}, BadNotation, "is not a point"),
    "a pass": (([], [], ["pass"]), {}, BadNotation, "a pass cannot be set up"),
    "no liberty": ((["A1"], ["A2", "B1"], []), {}, GameError, "A1 has no liberty"),
    "no colour": ((["A1"], [], []), {"to_play": "red"}, BadNotation, "is not a colour"),
}


@pytest.mark.parametrize(("stones", "options", "error", "words"), SETUP_MISTAKES.values(), ids=SETUP_MISTAKES)
def test_an_invalid_setup_is_refused_and_changes_nothing(stones, options, error, words):
    position = play_all(Go(5).start(), "C3 D3")
    before = looks(position)
    with pytest.raises(error, match=words):
        position.set_up_stones(*stones, **options)
    assert looks(position) == before


def test_a_handicap_is_placed_and_white_is_to_move():
    position = Go(9, komi=0.5).start()
    stones = position.place_fixed_handicap(5)
    assert sorted(stones) == ["C3", "C7", "E5", "G3", "G7"]
    assert position.diagram().count("X") == 5
    assert position.to_play == "white"
    assert position.history == []
    free = Go(5).start().place_handicap(["A1", "E5", "c3"])
    assert free.diagram().count("X") == 3
    assert free.to_play == "white"


HANDICAP_MISTAKES = {
    "one stone": (Go(5), "", ["A1"], IllegalMove, "two or more stones"),
    "no stone": (Go(5), "", [], IllegalMove, "two or more stones"),
    "a stone twice": (Go(5), "", ["A1", "a1"], IllegalMove, "on different points"),
    "a pass": (Go(5), "", ["A1", "pass"], IllegalMove, "two or more stones"),
    "off the board": (Go(5), "", ["A1", "F1"], BadNotation, "off the board"),
    "the whole board": (Go(2), "", ["A1", "A2", "B1", "B2"], GameError, "no liberty"),
    "after a move": (Go(5), "C3", ["A1", "B1"], IllegalMove, "before the first move"),
    "after a pass": (Go(5), "pass", ["A1", "B1"], IllegalMove, "before the first move"),
    "one stone on the customary points": (Go(9), "", 1, GameError, "from 2 to 9 handicap stones .* not '1'"),
    "ten stones on the customary points": (Go(9), "", 10, GameError, "from 2 to 9 handicap stones"),
    "a negative number of stones": (Go(9), "", -2, GameError, "from 2 to 9 handicap stones"),
    "five stones on seven by seven": (Go(7), "", 5, GameError, "from 2 to 4 handicap stones"),
    "five stones on an even board": (Go(8), "", 5, GameError, "from 2 to 4 handicap stones"),
    "a board without customary points": (Go(6), "", 2, GameError, "no number of handicap stones"),
    "the customary points after a move": (Go(9), "E5", 2, IllegalMove, "before the first move"),
}


@pytest.mark.parametrize(
    ("game", "moves", "stones", "error", "words"), HANDICAP_MISTAKES.values(), ids=HANDICAP_MISTAKES
)
def test_an_invalid_handicap_is_refused_and_changes_nothing(game, moves, stones, error, words):
    position = play_all(game.start(), moves)
    before = looks(position)
    place = position.place_fixed_handicap if isinstance(stones, int) else position.place_handicap
    with pytest.raises(error, match=words):
        place(stones)
    assert looks(position) == before


def test_atari_returns_the_last_liberty():
    position = Go(3).from_diagram(".O.\nOX.\n...")
    assert isinstance(position, GoPosition)
    assert position.atari("B2") is None
    position.play("C3").play("C2")
    assert position.atari("B2") == "B1"
    with pytest.raises(GameError, match="there is no stone at A1"):
        position.atari("A1")
    with pytest.raises(BadNotation):
        position.atari("D4")
