"""Othello: known counts, a slow reference, OpenSpiel, and notation."""

import copy
import pickle
import random

import numpy as np
import pytest
from scipy import stats

from tengen.games import interface
from tengen.games.game import BadNotation, Game, GameError, IllegalMove, Position
from tengen.games.interface import legal_moves, play, uniform_playout
from tengen.games.othello.game import PASS, Othello
from tengen.jit import kernel
from tengen.rng import seeded
from tests.marks import first_quick

START = """
  a b c d e f g h
1 . . . . . . . .
2 . . . . . . . .
3 . . . . . . . .
4 . . . O X . . .
5 . . . X O . . .
6 . . . . . . . .
7 . . . . . . . .
8 . . . . . . . .
"""


def fresh_states(game: Game, count: int = 2) -> np.ndarray:
    """Return states, the first one at the start of the game."""
    states = np.zeros(count, game.state_record)
    game.reset(states[0])
    return states


def moves_in(state, slots: int = 65) -> list[int]:
    """Return the output of `legal_moves`, in its order."""
    moves = np.zeros(slots, np.uint16)
    return [int(move) for move in moves[: interface.legal_moves(state, moves)]]


# --- A slow reading of the rules -------------------------------------------------------------------------------------

DIRECTIONS = [(rows, columns) for rows in (-1, 0, 1) for columns in (-1, 0, 1) if (rows, columns) != (0, 0)]


class SlowOthello:
    """The rules square by square: discs are a dictionary from (row, column) to 'X' or 'O'."""

    def __init__(self, size: int):
        self.size = size
        half = size // 2
        self.discs = {(half - 1, half - 1): "O", (half - 1, half): "X", (half, half - 1): "X", (half, half): "O"}
        self.to_play = "X"

    def flips(self, square: tuple[int, int], side: str) -> set[tuple[int, int]]:
        """Return the discs that a side turns over by playing on an empty square."""
        turned = set()
        for rows, columns in DIRECTIONS:
            row, column = square
            run: list[tuple[int, int]] = []
            while True:
                row, column = row + rows, column + columns
                disc = self.discs.get((row, column))
                if disc is None:  # empty, or off the board
                    break
                if disc == side:
                    turned.update(run)
                    break
                run.append((row, column))
        return turned

    def squares_for(self, side: str) -> dict[tuple[int, int], set[tuple[int, int]]]:
        """Return the squares on which a side may play, each with the discs that it turns over."""
        squares = {}
        for row in range(self.size):
            for column in range(self.size):
                if (row, column) not in self.discs and (turned := self.flips((row, column), side)):
                    squares[row, column] = turned
        return squares

    def moves(self) -> dict[int, set[tuple[int, int]]]:
        """Return the legal moves by number, each with the discs that it turns over."""
        squares = self.squares_for(self.to_play)
        if squares:
            return {row * 8 + column: turned for (row, column), turned in squares.items()}
        return {PASS: set()} if self.squares_for(self.other()) else {}

    def other(self) -> str:
        return "O" if self.to_play == "X" else "X"

    def after(self, move: int) -> dict[tuple[int, int], str]:
        """Return the discs after a legal move."""
        discs = dict(self.discs)
        if move != PASS:
            square = divmod(move, 8)
            for turned in {square} | self.flips(square, self.to_play):
                discs[turned] = self.to_play
        return discs

    def play(self, move: int) -> None:
        self.discs = self.after(move)
        self.to_play = self.other()

    def margin(self) -> int:
        colours = list(self.discs.values())
        return colours.count("X") - colours.count("O")


def discs_of(state) -> dict[tuple[int, int], str]:
    """Return the discs of a state in the form of the slow reference."""
    discs = {}
    for symbol, word in (("X", int(state.black)), ("O", int(state.white))):
        for square in range(64):
            if word >> square & 1:
                assert divmod(square, 8) not in discs, "a square has two discs"
                discs[divmod(square, 8)] = symbol
    return discs


def walk_beside_slow_rules(size: int, games: int, seed: int) -> int:
    """Play random games, compare every move with the slow reference, and return the number of passes."""
    chance = random.Random(f"{size} {seed}")
    passes = 0
    for _ in range(games):
        states, slow = fresh_states(Othello(size)), SlowOthello(size)
        while moves := slow.moves():
            assert moves_in(states[0]) == sorted(moves)
            assert [move for move in range(65) if interface.is_legal(states[0], move)] == sorted(moves)
            assert not interface.is_over(states[0])
            for move in moves:
                states[1] = states[0]
                interface.play(states[1], move)
                assert discs_of(states[1]) == slow.after(move)
                assert states[1].to_play == 1 - states[0].to_play
            move = chance.choice(sorted(moves))
            passes += move == PASS
            interface.play(states[0], move)
            slow.play(move)
            assert interface.score(states[0]) == slow.margin()
        assert interface.is_over(states[0])
        assert moves_in(states[0]) == []
        assert not any(interface.is_legal(states[0], move) for move in range(65))
        assert interface.outcome(states[0]) == (1 + np.sign(slow.margin())) / 2
    return passes


@pytest.mark.plain
def test_a_random_game_on_the_smallest_board_follows_the_slow_rules():
    walk_beside_slow_rules(4, games=2, seed=0)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("size", "games"), [(4, 80), (6, 25), (8, 25)])
def test_every_move_and_its_flips_follow_the_slow_rules(size, games, seed):
    passes = walk_beside_slow_rules(size, games, seed)
    assert passes > 0, "no forced pass was met"


# --- Known counts ----------------------------------------------------------------------------------------------------


@kernel
def perft(states, moves, counts, taken, depth):
    """Return the number of sequences of `depth` moves from states[0]; a pass is a move, and a game may end sooner."""
    total = 0
    level = 0
    counts[0] = legal_moves(states[0], moves[0])
    taken[0] = 0
    while level >= 0:
        if counts[level] == 0:
            total += 1
            level -= 1
        elif level == depth - 1:
            total += counts[level]
            level -= 1
        elif taken[level] == counts[level]:
            level -= 1
        else:
            states[level + 1] = states[level]
            play(states[level + 1], moves[level, taken[level]])
            taken[level] += 1
            level += 1
            counts[level] = legal_moves(states[level], moves[level])
            taken[level] = 0
    return total


def count_sequences(game: Game, depth: int) -> int:
    moves = np.zeros((depth, game.move_slots), np.uint16)
    counts, taken = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    return int(perft(fresh_states(game, depth), moves, counts, taken, depth))


PERFT = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284]


@pytest.mark.parametrize(
    ("depth", "count"),
    [pytest.param(depth, count, marks=[pytest.mark.plain] * (depth <= 4)) for depth, count in enumerate(PERFT, 1)],
)
def test_the_number_of_openings_agrees_with_the_literature(depth, count):
    assert count_sequences(Othello(), depth) == count


def best_margin(states: np.ndarray, depth: int, known: dict[bytes, float]) -> float:
    """Return Black's margin from states[depth] with perfect play."""
    state = states[depth]
    key = Othello(4).key(state)
    if key not in known:
        replies = []
        for move in moves_in(state):
            states[depth + 1] = state
            interface.play(states[depth + 1], move)
            replies.append(best_margin(states, depth + 1, known))
        if not replies:
            known[key] = interface.score(state)
        else:
            known[key] = min(replies) if state.to_play else max(replies)
    return known[key]


def test_white_wins_the_four_by_four_game_by_eight():
    assert best_margin(fresh_states(Othello(4), 30), 0, {}) == -8  # 3 discs to 11


# --- Passes and the end ----------------------------------------------------------------------------------------------

BLACK_MUST_PASS = """
. . . .
. . . .
. . . .
O X . .
"""


@pytest.mark.plain
def test_a_side_that_cannot_turn_a_disc_over_must_pass():
    position = Othello(4).from_diagram(BLACK_MUST_PASS)
    assert position.legal_moves() == ["pass"]
    assert position.is_legal("pass")
    assert not position.is_over
    assert position.winner is None
    position.play("pass")
    assert position.to_play == "white"
    assert position.legal_moves() == ["c4"]
    assert position.diagram() == Othello(4).from_diagram(BLACK_MUST_PASS).diagram()


@pytest.mark.plain
def test_a_side_that_can_turn_a_disc_over_may_not_pass():
    position = Othello().start()
    assert not position.is_legal("pass")
    with pytest.raises(
        IllegalMove, match=r"^pass cannot be played by black: a pass is not allowed while a move is possible$"
    ):
        position.play("pass")
    assert position == Othello().start()


@pytest.mark.plain
def test_a_side_without_discs_has_lost():
    position = Othello(4).from_diagram(BLACK_MUST_PASS).play("pass").play("c4")
    assert position.diagram().endswith("4 O O O .")
    assert position.is_over
    assert position.score == -3
    assert position.winner == "white"
    assert position.legal_moves() == []


@pytest.mark.plain
def test_the_shortest_game_removes_all_white_discs_in_nine_moves():
    position = Othello().start()
    for move in ("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"):
        assert not position.is_over
        position.play(move)
    assert position.is_over
    assert position.winner == "black"
    assert position.score == 13
    assert interface.outcome(position.state) == 1
    assert "O" not in position.diagram()


@pytest.mark.plain
@pytest.mark.parametrize("to_play", ["black", "white"])
def test_the_game_ends_when_neither_side_can_turn_a_disc_over(to_play):
    position = Othello(4).from_diagram("X . . O\n. . . .\n. . . .\nO . . .", to_play)
    assert position.is_over
    assert position.legal_moves() == []
    assert not any(position.is_legal(move) for move in range(65))
    assert position.score == -1
    assert position.winner == "white"
    with pytest.raises(IllegalMove, match="the game is over"):
        position.play("pass")


@pytest.mark.plain
@pytest.mark.parametrize("to_play", ["black", "white"])
def test_equal_numbers_of_discs_are_a_draw(to_play):
    position = Othello(4).from_diagram("XXXX\nXXXX\nOOOO\nOOOO", to_play)
    assert position.is_over
    assert position.score == 0
    assert position.winner == "draw"
    assert interface.outcome(position.state) == 0.5


def random_game(game: Othello, seed: int) -> tuple[Position, list[int]]:
    """Play a random game to its end; return the position and the moves."""
    chance, position = random.Random(seed), game.start()
    while moves := moves_in(position.state):
        position.play(chance.choice(moves))
    return position, [played.move for played in position.history]


@pytest.mark.parametrize("size", [4, 6, 8])
def test_random_games_end_in_wins_of_both_sides_draws_and_with_squares_left(size):
    seen = set()
    for seed in range(400 if size < 8 else 150):
        position, moves = random_game(Othello(size), seed)
        slow = SlowOthello(size)
        for move in moves:
            slow.play(move)
        expected = {1: "black", 0: "draw", -1: "white"}[int(np.sign(slow.margin()))]
        assert position.winner == expected
        assert position.score == slow.margin()
        seen.add(expected)
        seen.update({"squares left"} if len(slow.discs) < size * size else set())
        seen.update({"a pass"} if PASS in moves else set())
    assert seen == {"black", "white", "draw", "squares left", "a pass"}


# --- OpenSpiel -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", first_quick(6))
def test_random_games_follow_open_spiel(seed):
    pyspiel = pytest.importorskip("pyspiel")
    theirs, chance = pyspiel.load_game("othello"), random.Random(seed)
    state = fresh_states(Othello())[0]
    moves = np.zeros(65, np.uint16)
    passes, results = 0, set()
    for _ in range(500):
        their_state = theirs.new_initial_state()
        Othello().reset(state)
        while not their_state.is_terminal():
            actions = their_state.legal_actions()
            assert moves[: interface.legal_moves(state, moves)].tolist() == actions
            assert state.to_play == their_state.current_player()
            assert not interface.is_over(state)
            action = chance.choice(actions)
            their_state.apply_action(action)
            interface.play(state, action)
            passes += action == PASS
        assert interface.is_over(state)
        assert interface.legal_moves(state, moves) == 0
        result = their_state.returns()[0]
        assert interface.outcome(state) == (1 + result) / 2
        results.add(result)
    assert passes > 100
    assert results == {-1.0, 0.0, 1.0}


# --- Playouts --------------------------------------------------------------------------------------------------------


def check_playout(game: Othello, opening: list[int], rng: np.ndarray) -> Position:
    """Play an opening and a playout, replay it move by move, and return the position at its end."""
    states = fresh_states(game)
    for move in opening:
        interface.play(states[0], move)
    length = len(opening)
    trace = np.full(game.longest_playout + 2, 999, np.uint16)
    trace[:length] = opening
    end = uniform_playout(states[0], rng, trace, length)
    assert trace[:length].tolist() == opening
    assert (trace[end:] == 999).all()
    position = game.start()
    for move in trace[:end].tolist():
        position.play(move)
    assert position.is_over
    assert interface.outcome(states[0]) == interface.outcome(position.state)
    assert interface.score(states[0]) == position.score
    assert discs_of(states[0]) == discs_of(position.state)
    return position


@pytest.mark.plain
def test_a_playout_on_the_smallest_board_is_a_legal_game():
    check_playout(Othello(4), [], seeded(1))


@pytest.mark.parametrize("size", [4, 6, 8])
def test_playouts_are_legal_games_to_the_end_with_the_same_result(size):
    game, rng = Othello(size), seeded(size)
    winners, passes = set(), 0
    for seed in range(200):
        _, moves = random_game(game, seed)
        position = check_playout(game, moves[: seed % len(moves)], rng)
        winners.add(position.winner)
        passes += any(played.move == PASS for played in position.history[seed % len(moves) :])
    assert winners == {"black", "white", "draw"}
    assert passes > 5


def test_a_playout_from_the_end_of_a_game_adds_no_move():
    for seed in range(20):
        position, moves = random_game(Othello(6), seed)
        assert check_playout(Othello(6), moves, seeded(seed)).score == position.score


@kernel
def count_first_moves(states, rng, trace, counts, times):
    """Play playouts from states[0] and count their first two moves."""
    for _ in range(times):
        states[1] = states[0]
        length = uniform_playout(states[1], rng, trace, 0)
        if length > 1:
            counts[trace[0], trace[1]] += 1


def first_move_counts(position: Position, times: int, seed: int) -> np.ndarray:
    states = np.zeros(2, position.game.state_record)
    states[:1] = position._states[:1]
    counts = np.zeros((65, 65), np.int64)
    trace = np.zeros(position.game.longest_playout + 2, np.uint16)
    count_first_moves(states, seeded(seed), trace, counts, times)
    assert counts.sum() == times
    return counts


MIDDLE_GAME = """
  a b c d e f g h
1 . . O . . . . .
2 . . O O X . . .
3 . X O X X X . .
4 . . O O X X . .
5 . . O X O O X .
6 . . . O X O . .
7 . . . O . . . .
8 . . . . . . . .
"""
"""Both sides have many moves, some at the edge."""


@pytest.mark.parametrize(
    ("size", "diagram", "to_play", "choices"),
    [
        (8, START, "black", 4),
        (8, MIDDLE_GAME, "black", 14),
        (8, MIDDLE_GAME, "white", 13),
        (4, "....\n.OX.\n.OOO\n....", "black", 3),
    ],
    ids=["start", "middle game, Black", "middle game, White", "four by four"],
)
def test_every_legal_move_is_equally_likely_to_begin_a_playout(size, diagram, to_play, choices):
    position = Othello(size).from_diagram(diagram, to_play)
    moves = moves_in(position.state)
    assert len(moves) == choices
    counts = first_move_counts(position, 20_000, seed=5).sum(axis=1)
    assert np.flatnonzero(counts).tolist() == moves
    assert stats.chisquare(counts[moves]).pvalue > 1e-4


def test_the_second_move_of_a_playout_does_not_depend_on_the_first():
    counts = first_move_counts(Othello().start(), 24_000, seed=6)
    pairs = counts[counts > 0]
    assert len(pairs) == 12  # each first move has three replies
    assert stats.chisquare(pairs).pvalue > 1e-4


@pytest.mark.plain
def test_the_same_seed_gives_the_same_playout_and_another_seed_another():
    def trace_of(seed):
        game = Othello(6)
        states, trace = fresh_states(game), np.zeros(game.longest_playout + 2, np.uint16)
        length = uniform_playout(states[0], seeded(seed), trace, 0)
        return trace[:length].tolist()

    assert trace_of(3) == trace_of(3)
    assert len({tuple(trace_of(seed)) for seed in range(6)}) == 6


@pytest.mark.plain
def test_one_generator_gives_one_playout_after_another():
    game, rng = Othello(4), seeded(11)
    traces = set()
    for _ in range(6):
        traces.add(tuple(played.move for played in check_playout(game, [], rng).history))
    assert len(traces) == 6


# --- Writing and reading ---------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_the_start_is_drawn_with_black_on_the_rising_diagonal():
    position = Othello().start()
    assert position.diagram() == START.strip("\n")
    assert position.to_play == "black"
    assert position.legal_moves() == ["d3", "c4", "f5", "e6"]
    assert position.score == 0


@pytest.mark.plain
@pytest.mark.parametrize("size", [4, 6, 8])
def test_a_diagram_of_a_position_is_read_as_the_same_position(size):
    chance, position = random.Random(size), Othello(size).start()
    for _ in range(8):
        position.play(chance.choice(moves_in(position.state)))
        read = Othello(size).from_diagram(position.diagram(), position.to_play)
        assert read == position
        assert hash(read) == hash(position)
        assert read.legal_moves() == position.legal_moves()
        assert read != Othello(size).from_diagram(position.diagram(), "bw"[read.to_play == "black"])


@pytest.mark.plain
def test_diagrams_are_read_with_and_without_coordinates_and_spaces():
    expected = Othello(4).start()
    for text in (
        "  a b c d\n1 . . . .\n2 . O X .\n3 . X O .\n4 . . . .",
        "  A B C D\n1 . . . . 1\n2 . O X . 2\n3 . X O . 3\n4 . . . . 4\n  A B C D",
        "\n....\n.OX.\n.XO.\n....\n",
        "+ + + +\n+ O # ,\n+ # O ,\n, , , ,",
        "  abcd\n1 ....\n2 .OX.\n3 .XO.\n4 ....",
    ):
        assert Othello(4).from_diagram(text) == expected


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "0 rows instead of 4"),
        ("....\n....\n....", "3 rows instead of 4"),
        ("....\n.....\n....\n....", "row 2 .* 5 points instead of 4"),
        ("....\n....\n....\n...", "row 4 .* 3 points instead of 4"),
        (START, "8 rows instead of 4"),
        (". . . .\n. ? . .\n. . . .\n. . . .", r"'\?' is not a symbol"),
    ],
)
def test_a_diagram_of_another_board_is_refused(text, complaint):
    with pytest.raises(BadNotation, match=complaint):
        Othello(4).from_diagram(text)


@pytest.mark.plain
@pytest.mark.parametrize("size", [4, 6, 8])
def test_squares_are_written_as_a_column_and_a_row_from_the_top(size):
    game = Othello(size)
    assert game.parse_move("a1") == 0
    assert game.parse_move("b1") == 1
    assert game.parse_move("a2") == 8
    assert game.parse_move(" D3 ") == 19
    assert game.parse_move("Pass") == PASS == 64
    written = [game.format_move(8 * row + column) for row in range(size) for column in range(size)]
    assert written == [f"{letter}{row + 1}" for row in range(size) for letter in "abcdefgh"[:size]]
    assert all(game.format_move(game.parse_move(text)) == text for text in [*written, "pass"])


@pytest.mark.plain
@pytest.mark.parametrize("text", ["", "e", "4", "44", "ee", "e 4", "e-1", "e100", "resign", "é4", "a¹"])
def test_a_text_that_is_not_a_square_is_refused(text):
    position = Othello().start()
    with pytest.raises(BadNotation, match=r"is not a square: .* as in e5$"):
        position.play(text)
    assert position == Othello().start()


@pytest.mark.plain
@pytest.mark.parametrize("text", ["e0", "e9", "e10", "i1", "z1"])
def test_a_square_off_the_board_is_refused(text):
    position = Othello().start()
    with pytest.raises(BadNotation, match=f"^{text} is off the board"):
        position.play(text)
    assert position == Othello().start()


@pytest.mark.plain
@pytest.mark.parametrize("move", [-1, 65, 1000, 2**70])
def test_a_number_that_is_not_a_move_is_refused(move):
    with pytest.raises(BadNotation, match="numbers are from 0 to 64"):
        Othello().start().play(move)


@pytest.mark.plain
@pytest.mark.parametrize("move", [4, 7, 32, 63])
def test_squares_off_a_smaller_board_are_not_moves(move):
    position = Othello(4).start()
    assert not position.is_legal(move)
    with pytest.raises(BadNotation, match="not the number of a square of this board"):
        position.play(move)
    with pytest.raises(BadNotation, match="is off the board: it ends at d4"):
        position.play(Othello(8).format_move(move))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("move", "colour", "complaint"),
    [
        ("d4", None, "^d4 cannot be played by black: there is a disc already$"),
        ("e4", None, "^e4 cannot be played by black: there is a disc already$"),
        ("a1", None, "^a1 cannot be played by black: it turns over no disc$"),
        ("e3", None, "^e3 cannot be played by black: it turns over no disc$"),
        ("d3", "white", "^d3 cannot be played by white: it is black's turn$"),
    ],
)
def test_an_illegal_move_is_refused_with_the_reason_and_changes_nothing(move, colour, complaint):
    position = Othello().start()
    with pytest.raises(IllegalMove, match=complaint):
        position.play(move, colour)
    assert position == Othello().start()
    assert position.history == []


@pytest.mark.plain
@pytest.mark.parametrize("size", [-4, 0, 2, 5, 7, 10, "8", None, 8.5])
def test_other_sizes_of_board_are_refused(size):
    with pytest.raises(GameError, match="size of an Othello board must be 4, 6 or 8, not"):
        Othello(size)


@pytest.mark.plain
def test_games_are_equal_if_their_sizes_are():
    assert Othello() == Othello(8)
    assert Othello(6) != Othello(8)
    assert Othello(6).start() != Othello(8).start()


@pytest.mark.plain
def test_undo_restores_the_discs_that_were_turned_over():
    position = Othello().start()
    pictures = []
    for move in ("d3", "c3", "c4", "e3", "f2"):
        pictures.append((position.diagram(), position.to_play))
        position.play(move)
    while pictures:
        position.undo()
        assert (position.diagram(), position.to_play) == pictures.pop()
    with pytest.raises(GameError, match="no move to take back"):
        position.undo()


@pytest.mark.plain
def test_a_copy_or_pickle_of_a_game_is_independent():
    position = Othello(6).start().play("c2")
    for other in (position.copy(), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert other == position
        assert other.history == position.history
        other.play("b2")
        assert other != position
        assert position.legal_moves() == ["b2", "d2", "b4"]
