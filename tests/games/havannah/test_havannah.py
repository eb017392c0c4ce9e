"""Havannah: geometry, the three ways to win, a slow reference, OpenSpiel, and notation."""

import copy
import functools
import pickle
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tengen.games import interface
from tengen.games.game import BadNotation, Game, GameError, IllegalMove, Position
from tengen.games.havannah import havannah_board
from tengen.games.havannah.game import Havannah
from tengen.games.interface import legal_moves, outcome, play, uniform_playout
from tengen.jit import kernel
from tengen.rng import seeded
from tests.marks import first_quick

Cell = tuple[int, int]
"""A row and a column, both from 0."""

NOBODY = 2


def fresh_states(game: Game, count: int = 2) -> np.ndarray:
    """Return states, the first one at the start of the game."""
    states = np.zeros(count, game.state_record)
    game.reset(states[0])
    return states


def moves_in(state) -> list[int]:
    """The legal moves in ascending order."""
    moves = np.zeros(300, np.uint16)
    return sorted(moves[: interface.legal_moves(state, moves)].tolist())


# --- A slow reading of the rules -------------------------------------------------------------------------------------


@functools.cache
def cells_of(base: int) -> list[Cell]:
    """Return the cells row by row; below the middle, rows start at higher columns."""
    rows = []
    for row in range(2 * base - 1):
        first, last = max(0, row - base + 1), min(2 * base - 2, row + base - 1)
        rows.extend([(row, column) for column in range(first, last + 1)])
    return rows


@functools.cache
def move_of(base: int) -> dict[Cell, int]:
    return {cell: move for move, cell in enumerate(cells_of(base))}


@functools.cache
def neighbours(cell: Cell) -> list[Cell]:
    """The six cells around one, on the board or off it."""
    row, column = cell
    return [
        (row, column - 1),
        (row, column + 1),
        (row - 1, column),
        (row + 1, column),
        (row - 1, column - 1),
        (row + 1, column + 1),
    ]


@functools.cache
def corners_of(base: int) -> list[Cell]:
    near, far = base - 1, 2 * base - 2
    return [(0, 0), (0, near), (near, 0), (near, far), (far, near), (far, far)]


@functools.cache
def edges_of(base: int) -> list[set[Cell]]:
    """The six edges, each a line of cells from one corner to the next, without both."""
    far = 2 * base - 2
    lines = [
        {cell for cell in cells_of(base) if cell[0] == 0},
        {cell for cell in cells_of(base) if cell[0] == far},
        {cell for cell in cells_of(base) if cell[1] == 0},
        {cell for cell in cells_of(base) if cell[1] == far},
        {cell for cell in cells_of(base) if cell[0] - cell[1] == base - 1},
        {cell for cell in cells_of(base) if cell[1] - cell[0] == base - 1},
    ]
    return [line - set(corners_of(base)) for line in lines]


def flood(start: set[Cell], allowed: set[Cell]) -> set[Cell]:
    """Return all cells that can be reached from some cells through allowed ones."""
    reached, waiting = set(start), list(start)
    while waiting:
        for cell in neighbours(waiting.pop()):
            if cell in allowed and cell not in reached:
                reached.add(cell)
                waiting.append(cell)
    return reached


@functools.cache
def outside_of(base: int) -> set[Cell]:
    """The cells just off the board."""
    return {beside for cell in cells_of(base) for beside in neighbours(cell)} - set(cells_of(base))


def enclosed_by(chain: set[Cell], base: int) -> set[Cell]:
    """Return the cells from which no path outside the chain leads off the board."""
    every = set(cells_of(base))
    open_to_outside = flood(outside_of(base), every - chain)
    return {cell for cell in every - open_to_outside if not open_to_outside.intersection(neighbours(cell))}


def ways_to_win(stones: set[Cell], stone: Cell, base: int) -> set[str]:
    """Return the winning structures of a player's chain through one of the stones."""
    chain = flood({stone}, stones)
    ways = set()
    if len(chain.intersection(corners_of(base))) >= 2:
        ways.add("bridge")
    if sum(not chain.isdisjoint(edge) for edge in edges_of(base)) >= 3:
        ways.add("fork")
    if enclosed := enclosed_by(chain, base):
        ways.add("ring" if enclosed - chain else "filled ring")
    return ways


# --- Geometry --------------------------------------------------------------------------------------------------------

CELLS = {3: 19, 4: 37, 5: 61, 6: 91, 7: 127, 8: 169, 9: 217, 10: 271}


def border_of(base: int, cell: Cell) -> int:
    """The bits of a cell's corners (0 to 5) and edges (6 to 11)."""
    return int(havannah_board.BORDER[base - havannah_board.SMALLEST_BASE, havannah_board.point_of(*cell)])


@pytest.mark.plain
@pytest.mark.parametrize("base", CELLS)
def test_a_board_has_its_known_number_of_cells(base):
    game = Havannah(base)
    assert game.cells == len(cells_of(base)) == CELLS[base]
    assert havannah_board.cells_of(base) == cells_of(base)
    assert moves_in(game.start().state) == list(range(CELLS[base]))


@pytest.mark.plain
@pytest.mark.parametrize("base", CELLS)
def test_a_board_has_six_corners_each_with_a_bit_of_its_own(base):
    masks = {cell: border_of(base, cell) for cell in cells_of(base) if border_of(base, cell) & 63}
    assert set(masks) == set(corners_of(base))
    assert sorted(masks.values()) == [1, 2, 4, 8, 16, 32]  # so corners belong to no edge


@pytest.mark.plain
@pytest.mark.parametrize("base", CELLS)
def test_a_board_has_six_edges_of_the_cells_between_two_corners(base):
    masks = {cell: border_of(base, cell) for cell in cells_of(base) if border_of(base, cell) >> 6}
    assert len(masks) == 6 * (base - 2)
    bits = [{masks[cell] for cell in edge} for edge in edges_of(base)]
    assert all(len(edge) == base - 2 for edge in edges_of(base))
    assert sorted(map(list, bits)) == [[64], [128], [256], [512], [1024], [2048]]


@pytest.mark.plain
def test_neighbours_follow_each_other_around_a_cell():
    offsets = [int(offset) - (2**64 if offset > 2**63 else 0) for offset in havannah_board.OFFSETS]
    middle = havannah_board.point_of(5, 5)
    assert {middle + offset for offset in offsets} == {havannah_board.point_of(*cell) for cell in neighbours((5, 5))}
    for direction in range(6):
        assert offsets[direction] == -offsets[(direction + 3) % 6]
        assert offsets[direction] + offsets[(direction + 2) % 6] == offsets[(direction + 1) % 6]


# --- Known counts ----------------------------------------------------------------------------------------------------


@kernel
def perft(states, moves, counts, taken, depth):
    """Return the number of sequences of `depth` moves from states[0]."""
    total = 0
    level = 0
    counts[0] = legal_moves(states[0], moves[0])
    taken[0] = 0
    while level >= 0:
        if level == depth - 1:
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


@pytest.mark.parametrize(
    ("base", "swap", "depth", "count"),
    [
        pytest.param(4, False, 1, 37, marks=pytest.mark.plain),
        pytest.param(4, False, 2, 1332, marks=pytest.mark.plain),
        (4, False, 3, 46620),
        pytest.param(3, False, 2, 342, marks=pytest.mark.plain),
        (3, False, 5, 19 * 18 * 17 * 16 * 15),
        pytest.param(4, True, 1, 37, marks=pytest.mark.plain),
        (4, True, 2, 37 * 36 + 37),
        (4, True, 3, 37 * 36 * 35 + 37 * 36),
    ],
)
def test_the_number_of_openings_agrees_with_arithmetic(base, swap, depth, count):
    game = Havannah(base, swap)
    moves = np.zeros((depth, game.move_slots), np.uint16)
    counts, taken = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    assert perft(fresh_states(game, depth), moves, counts, taken, depth) == count


def test_openings_that_end_in_a_bridge_have_no_continuation():
    """On base 3, five moves can win only by three stones along an edge: 6 edges, each closed by any of its stones."""
    game, depth = Havannah(3), 6
    moves = np.zeros((depth, game.move_slots), np.uint16)
    counts, taken = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    won = 6 * 6 * 16 * 15  # six edges, three stones in any order, between them two of White's elsewhere
    unfinished = 19 * 18 * 17 * 16 * 15 - won
    assert perft(fresh_states(game, depth), moves, counts, taken, depth) == unfinished * 14


# --- Bridges, forks and rings ----------------------------------------------------------------------------------------


def read_cases() -> dict[str, tuple[int, set[str], str]]:
    """Return cases by name: the base, how Black wins by a move on the star, if at all, and the diagram before."""
    cases = {}
    for text in Path(__file__).with_name("wins.txt").read_text().strip().split("\n\n"):
        title, diagram = text.split("\n", 1)
        name, ways = title.split(": ")
        base = (len(diagram.splitlines()) + 1) // 2
        cases[name] = (base, set(ways.split(" and ")) - {"nothing"}, diagram)
    return cases


CASES = read_cases()
WINNING = [name for name, (_, ways, _) in CASES.items() if ways]


def stones_of(base: int, diagram: str) -> dict[str, list[Cell]]:
    """The cells of a diagram by their symbol."""
    symbols = diagram.split()
    assert len(symbols) == len(cells_of(base)), "the diagram is of another base"
    return {
        symbol: [cell for cell, drawn in zip(cells_of(base), symbols, strict=True) if drawn == symbol]
        for symbol in "XO*."
    }


def put(state, base: int, stones: list[Cell], colour: int) -> None:
    """Let one side play several stones in turn."""
    for cell in stones:
        state.to_play = colour
        interface.play(state, move_of(base)[cell])


@pytest.mark.plain
@pytest.mark.parametrize("name", CASES)
def test_a_case_is_won_as_described(name):
    base, ways, diagram = CASES[name]
    stones = stones_of(base, diagram)
    [star] = stones["*"]
    assert ways_to_win({*stones["X"], star}, star, base) == ways
    position = Havannah(base).from_diagram(diagram.replace("*", "."))
    assert not position.is_over
    assert position.score == 0
    position.play(move_of(base)[star])
    assert position.winner == ("black" if ways else None)
    assert position.score == (1 if ways else 0)
    assert position.legal_moves() == [] if ways else len(position.legal_moves()) == len(stones["."])


@pytest.mark.plain
@pytest.mark.parametrize("name", WINNING[::4])
def test_a_diagram_of_a_won_game_is_over(name):
    base, _, diagram = CASES[name]
    for text, winner in (
        (diagram.replace("*", "X"), "black"),
        (diagram.translate(str.maketrans("XO*", "OXO")), "white"),
    ):
        position = Havannah(base).from_diagram(text)
        assert position.winner == winner
        with pytest.raises(IllegalMove, match="the game is over"):
            position.play(move_of(base)[stones_of(base, diagram)["."][0]])


def images(base: int) -> list[dict[Cell, Cell]]:
    """Return the twelve symmetries of a board: six rotations, each with or without a reflection."""
    every = []
    for reflect in (False, True):
        for turns in range(6):
            image = {}
            for cell in cells_of(base):
                y, x = cell[0] - (base - 1), cell[1] - (base - 1)
                if reflect:
                    y, x = x, y
                for _ in range(turns):
                    y, x = x, x - y  # a sixth of a turn
                image[cell] = (y + base - 1, x + base - 1)
            assert sorted(image.values()) == cells_of(base)
            every.append(image)
    return every


@pytest.mark.parametrize("name", CASES)
def test_a_win_is_invariant_under_symmetries_and_colours(name):
    base, ways, diagram = CASES[name]
    stones, game = stones_of(base, diagram), Havannah(base)
    state = fresh_states(game)[0]
    for image in images(base):
        for colour in (0, 1):
            game.reset(state)
            put(state, base, [image[cell] for cell in stones["X"]], colour)
            put(state, base, [image[cell] for cell in stones["O"]], 1 - colour)
            assert not interface.is_over(state)
            put(state, base, [image[cell] for cell in stones["*"]], colour)
            assert state.winner == (colour if ways else NOBODY)
            assert interface.outcome(state) == ((1 - colour) if ways else 0.5)
            assert interface.score(state) == ((1 - 2 * colour) if ways else 0)


@pytest.mark.parametrize("name", CASES)
def test_stones_win_in_any_order(name):
    base, ways, diagram = CASES[name]
    drawn, game, chance = stones_of(base, diagram), Havannah(base), random.Random(name)
    stones, state = drawn["X"] + drawn["*"], fresh_states(game)[0]
    for _ in range(60):
        game.reset(state)
        put(state, base, drawn["O"], 1)
        chance.shuffle(stones)
        for number, stone in enumerate(stones, 1):
            assert state.winner == NOBODY
            put(state, base, [stone], 0)
            if ways_to_win(set(stones[:number]), stone, base):
                break
        assert state.winner == (0 if ways else NOBODY)


# --- Random games against the slow rules -----------------------------------------------------------------------------


def anywhere(chance: random.Random, empty: list[Cell], own: set[Cell]) -> Cell:
    return chance.choice(empty)


def beside_own(chance: random.Random, empty: list[Cell], own: set[Cell]) -> Cell:
    """Return a cell next to an own stone, for chains and rings."""
    beside = [cell for cell in empty if not own.isdisjoint(neighbours(cell))]
    return chance.choice(beside if beside and chance.random() < 0.9 else empty)


def in_clumps(chance: random.Random, empty: list[Cell], own: set[Cell]) -> Cell:
    """Return a cell with the most own neighbours, for filled rings."""
    if chance.random() < 0.1:
        return chance.choice(empty)
    return max(empty, key=lambda cell: (len(own.intersection(neighbours(cell))), chance.random()))


def in_circles(chance: random.Random, empty: list[Cell], own: set[Cell]) -> Cell:
    """Return a cell with exactly two own neighbours, for rings around other cells."""
    fit = [cell for cell in empty if 1 <= len(own.intersection(neighbours(cell))) <= 2]
    return chance.choice(fit if fit and chance.random() < 0.9 else empty)


STYLES = [anywhere, beside_own, in_clumps, in_circles]


def walk_beside_slow_rules(base: int, games: int, seed: int) -> Counter:
    """Play random games, compare them with the slow reference at every move, and count their endings."""
    game, chance = Havannah(base), random.Random(f"{base} {seed}")
    state = fresh_states(game)[0]
    ends: Counter = Counter()
    for number in range(games):
        game.reset(state)
        stones: tuple[set[Cell], set[Cell]] = (set(), set())
        empty = list(cells_of(base))
        ways: set[str] = set()
        while empty and not ways:
            assert moves_in(state) == sorted(move_of(base)[cell] for cell in empty)
            assert not interface.is_over(state)
            player = (game.cells - len(empty)) % 2
            assert state.to_play == player
            style = STYLES[(number // (1 + 3 * player)) % 4]
            cell = style(chance, empty, stones[player])
            assert interface.is_legal(state, move_of(base)[cell])
            empty.remove(cell)
            stones[player].add(cell)
            interface.play(state, move_of(base)[cell])
            assert not interface.is_legal(state, move_of(base)[cell])
            ways = ways_to_win(stones[player], cell, base)
            assert state.winner == (player if ways else NOBODY)
        assert interface.is_over(state)
        assert moves_in(state) == []
        assert interface.outcome(state) == (1 - player if ways else 0.5)
        ends.update(ways or {"draw"})
    return ends


@pytest.mark.plain
def test_a_random_game_on_the_smallest_board_follows_the_slow_rules():
    assert walk_beside_slow_rules(3, games=4, seed=0).total() >= 4


@pytest.mark.parametrize("seed", first_quick(4))
@pytest.mark.parametrize(("base", "games", "rings"), [(3, 800, 0), (4, 600, 6), (5, 400, 6)])
def test_every_win_follows_the_slow_rules(base, games, rings, seed):
    """At least `rings` games end by each kind of ring; on base 3 rings rarely come first."""
    ends = walk_beside_slow_rules(base, games, seed)
    assert min(ends["bridge"], ends["fork"], ends["ring"] + ends["filled ring"]) > 0
    assert min(ends["ring"], ends["filled ring"]) >= rings


# --- OpenSpiel -------------------------------------------------------------------------------------------------------


def walk_beside_open_spiel(base: int, swap: bool, games: int, seed: int) -> Counter:
    """Play random games, compare legal moves and results, and count the results and swaps."""
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(f"havannah(board_size={base},swap={swap})")
    game, chance, width = Havannah(base, swap), random.Random(f"{base} {swap} {seed}"), 2 * base - 1
    state, moves = fresh_states(game)[0], np.zeros(300, np.uint16)
    action_of = np.array([column + row * width for row, column in cells_of(base)] + [-1])
    move_at = {int(action): move for move, action in enumerate(action_of)}
    counted: Counter = Counter()
    for number in range(games):
        their_state = theirs.new_initial_state()
        game.reset(state)
        trail: tuple[list[int], list[int]] = ([], [])
        first_action = -1
        plies = 0
        while not their_state.is_terminal():
            player = their_state.current_player()
            assert state.to_play == player
            assert not interface.is_over(state)
            actions = their_state.legal_actions()
            ours = action_of[np.sort(moves[: interface.legal_moves(state, moves)])].tolist()
            if swap and plies == 1:  # in OpenSpiel a swap is a move on the first stone
                assert ours.pop() == -1
                ours = sorted([*ours, first_action])
            assert ours == actions
            action = chance.choice(actions)
            if number % 2 and trail[player]:  # every other game is played near own stones
                own = divmod(chance.choice(trail[player]), width)
                near = neighbours(own)[chance.randrange(6)]
                beside = near[1] + near[0] * width if abs(near[0] - near[1]) < base and min(near) >= 0 else -1
                action = beside if beside in actions else action
            if swap and plies == 1 and chance.random() < 0.4:
                action = first_action
            swaps = plies == 1 and action == first_action
            their_state.apply_action(action)
            interface.play(state, game.cells if swaps else move_at[action])
            trail[player].append(action)
            counted["swaps"] += swaps
            first_action = action if plies == 0 else first_action
            plies += 1
        assert interface.is_over(state)
        assert interface.legal_moves(state, moves) == 0
        result = their_state.returns()[0]
        assert interface.outcome(state) == (1 + result) / 2
        assert interface.score(state) == result
        counted[result] += 1
    return counted


@pytest.mark.parametrize("seed", first_quick(4))
def test_random_games_on_base_4_follow_open_spiel(seed):
    results = walk_beside_open_spiel(4, False, 700, seed)
    assert min(results[1.0], results[-1.0]) > 200
    assert results["swaps"] == 0


@pytest.mark.parametrize("seed", first_quick(8))
def test_random_games_on_base_8_follow_open_spiel(seed):
    results = walk_beside_open_spiel(8, False, 260, seed)
    assert min(results[1.0], results[-1.0]) > 75
    assert results["swaps"] == 0


@pytest.mark.long
@pytest.mark.parametrize("base", [3, 4, 6])
def test_random_games_with_swaps_follow_open_spiel(base):
    results = walk_beside_open_spiel(base, True, 500, 0)
    assert 100 < results["swaps"] < 400
    assert min(results[1.0], results[-1.0]) > 100


# --- The swap --------------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_a_swap_takes_over_the_first_stone_and_the_first_player_moves_again():
    position = Havannah(4, swap=True).start().play("b3")
    assert position.to_play == "white"
    assert position.legal_moves()[-1] == "swap"
    assert len(position.legal_moves()) == 37  # 36 empty cells, and the swap
    position.play("swap")
    assert position.to_play == "black"
    assert position.diagram().count("O") == 1
    assert position.diagram().count("X") == 0
    assert not position.is_legal("b3")
    assert not position.is_legal("swap")
    assert len(position.legal_moves()) == 36
    assert position == Havannah(4, swap=True).from_diagram(position.diagram(), "black")
    position.play("d4").play("e4")
    assert position.diagram().count("X") == 1
    assert position.diagram().count("O") == 2
    assert position.to_play == "black"


@pytest.mark.plain
def test_a_swap_is_allowed_only_at_once():
    position = Havannah(4, swap=True).start()
    assert not position.is_legal("swap")
    assert "swap" not in position.legal_moves()
    position.play("d4")
    assert position.is_legal("swap")
    for move in ("c4", "e4", "f4", "g6"):
        position.play(move)
        assert not position.is_legal("swap")
        assert "swap" not in position.legal_moves()
    with pytest.raises(IllegalMove, match="a swap is allowed only at the second move"):
        position.play("swap")


@pytest.mark.plain
def test_without_the_rule_there_is_no_swap():
    position = Havannah(4).start().play("d4")
    assert not position.is_legal("swap")
    assert len(position.legal_moves()) == 36
    with pytest.raises(IllegalMove, match=r"^swap cannot be played by white: a swap is allowed only"):
        position.play("swap")
    assert position.to_play == "white"


@pytest.mark.plain
def test_a_stone_taken_over_wins_for_its_new_owner():
    position = Havannah(3, swap=True).start().play("a1").play("swap")
    for move in ("c3", "b1", "c4"):
        position.play(move)
    assert not position.is_over
    position.play("c1")  # a bridge from a1, which was Black's
    assert position.winner == "white"


@pytest.mark.plain
def test_a_stone_taken_over_is_lost_to_its_old_owner():
    position = Havannah(3, swap=True).start().play("a1").play("swap").play("b1").play("c3").play("c1")
    assert position.winner is None  # Black has b1 and c1, but no longer a1
    assert not position.is_over


@pytest.mark.plain
def test_a_swap_can_be_undone():
    position = Havannah(4, swap=True).start().play("d4")
    before = position.copy()
    assert position.play("swap") != before
    assert position.undo() == before
    assert position.is_legal("swap")
    assert position.play("e4").undo().play("swap").to_play == "black"


@pytest.mark.plain
def test_a_first_stone_from_a_diagram_can_be_taken_over_by_white_only():
    game = Havannah(3, swap=True)
    first = game.start().play("c3").diagram()
    assert game.from_diagram(first, "white").play("swap") == game.start().play("c3").play("swap")
    assert not game.from_diagram(first, "black").is_legal("swap")
    second = first.replace("X", "O")  # as after a swap
    assert not game.from_diagram(second, "black").is_legal("swap")


@pytest.mark.plain
def test_a_lone_stone_of_whites_own_cannot_be_taken_over():
    game = Havannah(3, swap=True)
    own = game.start().play("c3").diagram().replace("X", "O")
    position = game.from_diagram(own, "white")
    assert not position.is_legal("swap")
    assert "swap" not in position.legal_moves()


# --- Draws -----------------------------------------------------------------------------------------------------------

DRAWN = """
  X X O
 O O X X
X X O O O
 O X X X
  O X O
"""


@pytest.mark.plain
def test_a_full_board_without_winner_is_a_draw():
    stones = {symbol: set(cells) for symbol, cells in stones_of(3, DRAWN).items()}
    assert len(stones["X"]) == 10
    assert len(stones["O"]) == 9
    for side in "XO":
        assert not any(ways_to_win(stones[side], stone, 3) for stone in stones[side])
    position = Havannah(3).from_diagram(DRAWN, "white")
    assert position.is_over
    assert position.winner == "draw"
    assert position.score == 0
    assert interface.outcome(position.state) == 0.5
    assert position.legal_moves() == []


def test_a_random_search_finds_games_that_end_in_a_draw():
    game, rng = Havannah(3), seeded(1)
    states, trace = fresh_states(game), np.zeros(game.longest_playout + 2, np.uint16)
    found = 0
    for _ in range(20_000):
        states[1] = states[0]
        length = uniform_playout(states[1], rng, trace, 0)
        if interface.outcome(states[1]) != 0.5:
            continue
        found += 1
        assert length == game.cells
        position = game.start()
        stones: tuple[set[Cell], set[Cell]] = (set(), set())
        for number, move in enumerate(trace[:length].tolist()):
            assert not position.is_over
            cell = cells_of(3)[move]
            stones[number % 2].add(cell)
            assert not ways_to_win(stones[number % 2], cell, 3)
            position.play(move)
        assert position.winner == "draw"
    assert found > 0


# --- Playouts --------------------------------------------------------------------------------------------------------


def check_playout(game: Havannah, opening: list[int], rng: np.ndarray) -> Position:
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
    return position


@pytest.mark.plain
@pytest.mark.parametrize("swap", [False, True])
def test_a_playout_on_the_smallest_board_is_a_legal_game(swap):
    check_playout(Havannah(3, swap), [9] * swap, seeded(1))


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("base", CELLS)
def test_playouts_are_legal_games_to_the_end_with_the_same_winner(base, swap):
    game, rng, chance = Havannah(base, swap), seeded(base), random.Random(base)
    winners = set()
    for _ in range(60):
        opening: list[int] = []
        position = game.start()
        for _ in range(chance.randrange(base * base)):
            if position.is_over:
                break
            opening.append(chance.choice(moves_in(position.state)))
            position.play(opening[-1])
        winners.add(check_playout(game, opening, rng).winner)
    assert winners >= {"black", "white"}


def test_playouts_swap_as_often_as_they_play_on_any_cell():
    game, rng = Havannah(3, swap=True), seeded(2)
    swaps = sum(check_playout(game, [9], rng).history[1].notation == "swap" for _ in range(1900))
    assert stats.binomtest(swaps, 1900, 1 / 19).pvalue > 1e-4


@pytest.mark.plain
def test_a_playout_from_a_won_game_adds_no_move():
    game = Havannah(3)
    won = [game.parse_move(move) for move in ("a1", "c3", "b1", "c4", "c1")]
    assert check_playout(game, won, seeded(1)).history[-1].notation == "c1"


@kernel
def count_first_moves(states, rng, trace, counts, times):
    """Play playouts from states[0] and count their first two moves; return the sum of Black's results."""
    results = 0.0
    for _ in range(times):
        states[1] = states[0]
        if uniform_playout(states[1], rng, trace, 0) > 1:
            counts[trace[0], trace[1]] += 1
        results += outcome(states[1])
    return results


def first_move_counts(position: Position, times: int, seed: int) -> np.ndarray:
    states = np.zeros(2, position.game.state_record)
    states[:1] = position._states[:1]
    counts = np.zeros((position.game.move_slots, position.game.move_slots), np.int64)
    trace = np.zeros(position.game.longest_playout + 2, np.uint16)
    count_first_moves(states, seeded(seed), trace, counts, times)
    assert counts.sum() == times
    return counts


@pytest.mark.parametrize(
    ("game", "opening", "choices"),
    [
        (Havannah(4), "", 37),
        (Havannah(4), "d4", 36),
        (Havannah(8), "h8 a1 o15 b5 c7", 164),
        (Havannah(3, swap=True), "", 19),
        (Havannah(3, swap=True), "c3", 19),
        (Havannah(4, swap=True), "a1", 37),
        (Havannah(4, swap=True), "g7", 37),
        (Havannah(4, swap=True), "d4 swap", 36),
        (Havannah(4, swap=True), "d4 e4", 35),
    ],
)
def test_every_legal_move_is_equally_likely_to_begin_a_playout(game, opening, choices):
    position = game.start()
    for move in opening.split():
        position.play(move)
    moves = moves_in(position.state)
    assert len(moves) == choices
    counts = first_move_counts(position, 500 * choices, seed=5).sum(axis=1)
    assert np.flatnonzero(counts).tolist() == moves
    assert stats.chisquare(counts[moves]).pvalue > 1e-4


def test_the_move_after_a_swap_is_drawn_uniformly():
    counts = first_move_counts(Havannah(3, swap=True).start().play("c3"), 60_000, seed=6)
    after_swap = counts[-1][counts[-1] > 0]
    assert len(after_swap) == 18
    assert stats.chisquare(after_swap).pvalue > 1e-4


@pytest.mark.parametrize("swap", [False, True])
def test_the_second_move_of_a_playout_does_not_depend_on_the_first(swap):
    position = Havannah(3, swap).start().play("c3")
    counts = first_move_counts(position, 60_000, seed=6)
    pairs = counts[:19, :19][~np.eye(19, dtype=bool)]
    pairs = pairs[pairs > 0]
    assert len(pairs) == 18 * 17
    assert stats.chisquare(pairs).pvalue > 1e-4


@pytest.mark.plain
def test_the_same_seed_gives_the_same_playout_and_another_seed_another():
    def trace_of(seed):
        game = Havannah(4)
        states, trace = fresh_states(game), np.zeros(game.longest_playout + 2, np.uint16)
        return trace[: uniform_playout(states[0], seeded(seed), trace, 0)].tolist()

    assert trace_of(3) == trace_of(3)
    assert len({tuple(trace_of(seed)) for seed in range(6)}) == 6


@pytest.mark.plain
def test_one_generator_gives_one_playout_after_another():
    game, rng = Havannah(3), seeded(11)
    traces = {tuple(played.move for played in check_playout(game, [], rng).history) for _ in range(6)}
    assert len(traces) == 6


# --- Writing and reading ---------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_a_board_is_drawn_as_a_hexagon_with_its_columns_running_down_to_the_left():
    position = Havannah(3).start().play("a1").play("d2").play("e5").play("a3")
    assert position.diagram().splitlines() == [
        "      a b c",
        " 1   X . . d",
        " 2  . . . O e",
        " 3 O . . . .",
        " 4  . . . .",
        " 5   . . X",
    ]


@pytest.mark.plain
@pytest.mark.parametrize("base", CELLS)
def test_a_diagram_of_a_position_is_read_as_the_same_position(base):
    game, chance = Havannah(base), random.Random(base)
    position = game.start()
    for _ in range(base * 3):
        if position.is_over:
            break
        position.play(chance.choice(moves_in(position.state)))
    read = game.from_diagram(position.diagram(), position.to_play)
    assert read == position
    assert hash(read) == hash(position)
    assert read.legal_moves() == position.legal_moves()
    assert read.diagram() == position.diagram()
    assert read != game.from_diagram(position.diagram(), "bw"[read.to_play == "black"])


@pytest.mark.plain
@pytest.mark.parametrize(("base", "row"), [(8, 6), (9, 5), (10, 4)])
@pytest.mark.parametrize("symbol", ["X", "O", "."])
def test_the_letter_of_column_o_is_not_read_as_a_stone(base, row, symbol):
    """The label is at the end of a row, beside the last cell."""
    lines = Havannah(base).start().diagram().splitlines()
    assert lines[1 + row].endswith(". o")
    lines[1 + row] = lines[1 + row].replace(".", symbol)
    position = Havannah(base).from_diagram("\n".join(lines))
    points = [havannah_board.point_of(*cell) for cell in cells_of(base) if cell[0] == row]
    assert {int(position.state.colour[point]) for point in points} == {"XO.".index(symbol)}
    stones = position.diagram().replace(" o", "  ").lower().count(symbol.lower())
    assert stones == (len(cells_of(base)) if symbol == "." else len(points))


@pytest.mark.plain
def test_the_columns_of_the_largest_board_go_to_s_and_its_rows_to_19():
    position = Havannah(10).start().play("s19").play("s10").play("a1").play("a10").play("j19")
    lines = position.diagram().splitlines()
    assert lines[0].split() == list("abcdefghij")
    assert [line.split()[-1] for line in lines[1:10]] == list("klmnopqrs")
    assert lines[10].split() == ["10", "O", *"." * 17, "O"]
    assert lines[19].split() == ["19", "X", *"." * 8, "X"]
    assert Havannah(10).from_diagram(position.diagram(), "white") == position


@pytest.mark.plain
def test_diagrams_are_read_with_and_without_coordinates_and_spaces():
    expected = Havannah(3).start().play("a1").play("d2")
    for text in (
        "      a b c\n 1   X . . d\n 2  . . . O e\n 3 . . . . .\n 4  . . . .\n 5   . . .",
        "  X . .\n . . . O\n. . . . .\n . . . .\n  . . .",
        "\nX..\n...O\n.....\n....\n...\n",
        "  # + +\n + + + O\n, , , , ,\n + + + +\n  + + +",
    ):
        assert Havannah(3).from_diagram(text) == expected


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "0 rows instead of 5"),
        ("...\n....\n.....\n....", "4 rows instead of 5"),
        ("...\n....\n....\n....\n...", "row 3 .* 4 points instead of 5"),
        (".....\n.....\n.....\n.....\n.....", "row 1 .* 5 points instead of 3"),
        ("  . . .\n . . . .\n. . ? . .\n . . . .\n  . . .", r"'\?' is not a symbol"),
    ],
)
def test_a_diagram_of_another_board_is_refused(text, complaint):
    with pytest.raises(BadNotation, match=complaint):
        Havannah(3).from_diagram(text)


@pytest.mark.plain
@pytest.mark.parametrize("base", CELLS)
def test_cells_are_written_as_a_column_and_a_row(base):
    game = Havannah(base)
    written = [game.format_move(move) for move in range(game.cells)]
    assert written == [f"{'abcdefghijklmnopqrs'[column]}{row + 1}" for row, column in cells_of(base)]
    assert [game.parse_move(text) for text in written] == list(range(game.cells))
    assert game.format_move(game.cells) == "swap"
    assert game.parse_move(" SWAP ") == game.cells
    assert game.parse_move(" C2 ") == game.parse_move("c2") == base + 2


@pytest.mark.plain
@pytest.mark.parametrize("text", ["", "d", "4", "44", "dd", "d 4", "d-1", "d4.0", "d100", "resign", "é4", "d¹"])
def test_a_text_that_is_not_a_cell_is_refused(text):
    position = Havannah(4).start()
    with pytest.raises(BadNotation, match=r"is not a cell: .* as in d4$"):
        position.play(text)
    assert position == Havannah(4).start()


@pytest.mark.plain
@pytest.mark.parametrize("text", ["a0", "a5", "d8", "e1", "g3", "h4", "c7", "s19", "t1", "a00"])
def test_a_cell_off_the_board_is_refused(text):
    with pytest.raises(BadNotation, match=f"^{text} is off the board of base 4$"):
        Havannah(4).start().play(text)


@pytest.mark.plain
@pytest.mark.parametrize("move", [-1, 38, 1000, 2**70])
def test_a_number_that_is_not_a_move_is_refused(move):
    with pytest.raises(BadNotation, match="numbers are from 0 to 37"):
        Havannah(4).start().play(move)
    with pytest.raises(BadNotation, match="not the number of a cell of this board"):
        Havannah(4).format_move(move)


@pytest.mark.plain
def test_an_occupied_cell_or_the_wrong_side_is_refused_and_changes_nothing():
    position = Havannah(4).start().play("d4").play("d5")
    before = position.copy()
    for move, colour, complaint in (
        ("d4", None, "^d4 cannot be played by black: there is a stone already$"),
        ("d5", None, "^d5 cannot be played by black: there is a stone already$"),
        ("a1", "white", "^a1 cannot be played by white: it is black's turn$"),
    ):
        with pytest.raises(IllegalMove, match=complaint):
            position.play(move, colour)
        assert position == before
        assert position.history == before.history


@pytest.mark.plain
@pytest.mark.parametrize("base", [-4, 0, 2, 11, "8", None, 4.0, 4.5, True])
def test_other_bases_are_refused(base):
    with pytest.raises(GameError, match="base of a Havannah board must be from 3 to 10, not"):
        Havannah(base)


@pytest.mark.plain
def test_games_are_equal_by_their_rules():
    assert Havannah() == Havannah(8, swap=False)
    assert Havannah(4) != Havannah(5)
    assert Havannah(4) != Havannah(4, swap=True)
    assert Havannah(4).start() != Havannah(4, swap=True).start()


@pytest.mark.plain
def test_undo_also_restores_the_winner():
    position = Havannah(3).start()
    pictures = []
    for move in ("a1", "c3", "b1", "c4", "c1"):
        pictures.append((position.diagram(), position.to_play, position.legal_moves()))
        position.play(move)
    assert position.winner == "black"
    while pictures:
        position.undo()
        assert not position.is_over
        assert (position.diagram(), position.to_play, position.legal_moves()) == pictures.pop()
    assert position.play("c1").play("c3").play("b1").play("c4").play("a1").winner == "black"


@pytest.mark.plain
def test_a_copy_or_pickle_of_a_game_is_independent():
    position = Havannah(4, swap=True).start().play("d4").play("swap").play("c3")
    for other in (position.copy(), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert other == position
        assert other.history == position.history
        other.play("b2")
        assert other != position
        assert position.is_legal("b2")
