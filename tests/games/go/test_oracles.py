"""Random games against independent programs: OpenSpiel for simple ko, GNU Go for superko."""

import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import pytest

from tengen import Go, GoPosition
from tengen.games import interface
from tengen.games.go import go_board
from tengen.games.go.game import KO_RULES, PASS, fixed_handicap
from tests.games.go import reference
from tests.marks import first_quick

# --- OpenSpiel -------------------------------------------------------------------------------------------------------

GAMES_IN_A_CHUNK = 500
CHUNKS = 4
PASSING = 0.02
"""Probability of a pass while there are other moves: small, so that games are long."""


@pytest.mark.parametrize("chunk", first_quick(CHUNKS))
@pytest.mark.parametrize(("size", "komi"), [(5, 0.5), (9, 7.5), (19, 7.5)])
def test_random_games_have_the_legal_moves_and_results_of_openspiel(size, komi, chunk):
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    theirs = pyspiel.load_game(f"go(board_size={size},komi={komi})")
    game = Go(size, komi, ko="simple")
    state = game.start().state
    action_of, move_of = np.zeros(game.move_slots, np.int64), [*game.points(), PASS]
    for action, move in enumerate(move_of):
        action_of[move] = action
    moves = np.zeros(game.move_slots, np.uint16)
    rng = np.random.default_rng([size, chunk])
    ends: Counter[str] = Counter()
    compared = 0
    for _ in range(GAMES_IN_A_CHUNK):
        spiel = theirs.new_initial_state()
        game.reset(state)
        played: list[int] = []
        choices, passing = rng.random(theirs.max_game_length()), rng.random(theirs.max_game_length()) < PASSING
        for choice, passes in zip(choices.tolist(), passing.tolist(), strict=True):
            actions = spiel.legal_actions()
            count = interface.legal_moves(state, moves)
            ours = action_of[moves[:count]]
            ours.sort()
            if ours.tolist() != actions:
                difference = [game.format_move(move_of[action]) for action in {*ours.tolist()} ^ {*actions}]
                pytest.fail(f"differing on {difference} after {[game.format_move(move) for move in played]}")
            action = actions[-1] if passes else actions[int(choice * (len(actions) - 1))]
            move = move_of[action]
            spiel.apply_action(action)
            interface.play(state, move)
            played.append(move)
            if spiel.is_terminal():
                break
        compared += len(played)
        ends[how_it_ended(game, state, played, theirs.max_game_length(), spiel)] += 1
    assert sum(ends.values()) == GAMES_IN_A_CHUNK
    assert ends["black"] > 0
    assert ends["white"] > 0
    assert compared > GAMES_IN_A_CHUNK * size * size


def how_it_ended(game: Go, state, played: list[int], cap: int, spiel) -> str:
    """Check the end of a game against OpenSpiel; return the winner, or that a position was repeated."""
    assert spiel.is_terminal()
    result = spiel.returns()[0]
    if result == 0.0:
        assert repeats(game, played), "OpenSpiel says that a position was repeated"
        return "repeated"
    assert bool(interface.is_over(state)) == (played[-2:] == [PASS, PASS])
    assert interface.is_over(state) or len(played) == cap
    assert result == 2.0 * interface.outcome(state) - 1.0
    return "black" if result > 0 else "white"


def repeats(game: Go, played: list[int]) -> bool:
    """Whether the last move of a game repeated an earlier board."""
    state = game.start().state
    seen = [int(go_board.board_hash(state))]
    for move in played:
        interface.play(state, move)
        seen.append(int(go_board.board_hash(state)))
    return seen[-1] in seen[:-1]


# --- GNU Go ----------------------------------------------------------------------------------------------------------

GNUGO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
needs_gnugo = pytest.mark.skipif(GNUGO is None, reason="GNU Go is not installed")
FLAGS = {"simple": "--simple-ko", "positional": "--positional-superko", "situational": "--situational-superko"}


class GnuGo:
    """A conversation with GNU Go, several commands at a time."""

    def __init__(self, process: subprocess.Popen):
        self.process = process

    def ask(self, *commands: str) -> list[str]:
        """Send commands, which must all succeed; return their answers."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("".join(command + "\n" for command in commands))
        self.process.stdin.flush()
        answers = []
        for command in commands:
            lines = []
            while line := self.process.stdout.readline().strip():
                lines.append(line)
            answer = " ".join(lines)
            assert answer.startswith("="), f"GNU Go answered {command!r} with {answer!r}"
            answers.append(answer[1:].strip())
        return answers

    def new_game(self, size: int) -> None:
        self.ask(f"boardsize {size}", "clear_board")


@contextmanager
def gnugo(*flags: str) -> Iterator[GnuGo]:
    assert GNUGO is not None
    arguments = [GNUGO, "--mode", "gtp", "--chinese-rules", *flags]
    process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield GnuGo(process)
    finally:
        try:
            process.communicate("quit\n", timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@dataclass(frozen=True)
class Cycle:
    """A game, from the empty board, up to a move that may repeat an earlier position, and which rules allow it.

    A rule that is not listed already forbids one of the moves before.
    """

    size: int
    moves: str
    move: str
    allowed: dict[str, bool]


TRIPLE_KO = "A1 C2 B2 D1 F1 H2 G2 J1 H1 B1 A9 C8 B8 D9 E5 B9"
"""Black may capture the kos at the lower left and upper left, White the one at the lower right. Black is to move."""
SEND_TWO = "C2 A2 D1 B2 B1 E5"
"""Black may add a second stone at A1, after which White captures two stones by C1."""

CYCLES = {
    "a ko is retaken at once": Cycle(
        5, "B2 C2 A1 D1 C1 B1", "C1", {"simple": False, "positional": False, "situational": False}
    ),
    "a ko is retaken after moves elsewhere": Cycle(
        5, "B2 C2 A1 D1 C1 B1 E5 A5", "C1", {"simple": True, "positional": True, "situational": True}
    ),
    "a stone is returned for two that were sent": Cycle(
        5, f"{SEND_TWO} A1 C1", "B1", {"simple": True, "positional": False, "situational": True}
    ),
    "two stones are sent again after a pass": Cycle(
        5, f"{SEND_TWO} A1 C1 B1 pass", "A1", {"simple": True, "situational": False}
    ),
    "a stone is returned after moves elsewhere": Cycle(
        5, f"{SEND_TWO} A1 C1 E1 A5", "B1", {"simple": True, "positional": True, "situational": True}
    ),
    "the fifth capture of a triple ko": Cycle(
        9, f"{TRIPLE_KO} C1 G1 C9 B1", "H1", {"simple": True, "positional": True, "situational": True}
    ),
    "the sixth capture of a triple ko": Cycle(
        9, f"{TRIPLE_KO} C1 G1 C9 B1 H1", "B9", {"simple": True, "positional": False, "situational": False}
    ),
}


def played(game: Go, moves: str) -> GoPosition:
    position = game.start()
    for move in moves.split():
        position.play(move)
    return position


ALLOWED = [(name, ko, allowed) for name, cycle in CYCLES.items() for ko, allowed in cycle.allowed.items()]
FORBIDDEN_BEFORE = [(name, ko) for name, cycle in CYCLES.items() for ko in KO_RULES if ko not in cycle.allowed]


@pytest.mark.parametrize(("name", "ko", "allowed"), ALLOWED)
def test_the_allowed_repetitions_depend_on_the_ko_rule(name, ko, allowed):
    cycle = CYCLES[name]
    position = played(Go(cycle.size, ko=ko), cycle.moves)
    assert position.is_legal(cycle.move) == allowed
    assert (cycle.move in position.legal_moves()) == allowed


@pytest.mark.parametrize(("name", "ko"), FORBIDDEN_BEFORE)
def test_a_ko_rule_may_forbid_an_earlier_move_of_a_cycle(name, ko):
    with pytest.raises(ValueError, match="repeat an earlier position"):
        played(Go(CYCLES[name].size, ko=ko), CYCLES[name].moves)


@needs_gnugo
@pytest.mark.parametrize(("name", "ko", "allowed"), ALLOWED)
def test_gnu_go_agrees_on_the_allowed_repetitions(name, ko, allowed):
    cycle = CYCLES[name]
    colours, moves = ("black", "white") * len(cycle.moves), cycle.moves.split()
    with gnugo(FLAGS[ko]) as opponent:
        opponent.new_game(cycle.size)
        opponent.ask(*(f"play {colour} {move}" for colour, move in zip(colours, moves, strict=False)))
        assert opponent.ask(f"is_legal {colours[len(moves)]} {cycle.move}") == [str(int(allowed))]


@dataclass(frozen=True)
class Walk:
    """Random games against GNU Go: their start and the probabilities of kinds of moves."""

    size: int
    opening: str
    games: int
    length: int
    capturing: float = 0.9  # probability of a capture if there is one
    passing: float = 0.03  # probability of a pass otherwise


@dataclass
class Met:
    """Counts over the games of a walk."""

    games: int = 0
    moves: int = 0
    superko_only: int = 0  # moves that superko forbids and simple ko does not


def taking_stones(position: GoPosition, moves: list[int], trial: np.ndarray) -> list[int]:
    """Return the moves that capture stones."""
    taking = []
    for move in moves:
        trial[0] = position.state
        interface.play(trial[0], move)
        if trial[0].empty_count >= position.state.empty_count:
            taking.append(move)
    return taking


def walk_with_gnugo(opponent: GnuGo, game: Go, walk: Walk, rng) -> Met:
    """Play random games; before every move, GNU Go lists the legal ones."""
    met = Met()
    listed, trial = np.zeros(game.move_slots, np.uint16), np.zeros(1, game.state_record)
    for _ in range(walk.games):
        position = game.start()
        opponent.new_game(game.size)
        waiting = walk.opening.split()
        while not position.is_over and len(position.history) < walk.length:
            [theirs] = opponent.ask(f"all_legal {position.to_play}")
            *ours, last = position.legal_move_numbers().tolist()
            assert last == PASS
            assert {*ours} == {position.move(text) for text in theirs.split()}, position.history
            met.moves += 1
            met.superko_only += interface.legal_moves(position.state, listed) - len(ours) - 1
            taking = taking_stones(position, ours, trial)
            if waiting:
                move = position.move(waiting.pop(0))
            elif taking and rng.random() < walk.capturing:
                move = int(rng.choice(taking))
            elif not ours or rng.random() < walk.passing:
                move = PASS
            else:
                move = int(rng.choice(ours))
            opponent.ask(f"play {position.to_play} {game.format_move(move)}")
            position.play(move)
        met.games += 1
    return met


WALKS = {
    "a small board": Walk(5, "", games=60, length=220),
    "a triple ko": Walk(9, TRIPLE_KO, games=60, length=80, capturing=0.97, passing=0.8),
    "two stones sent": Walk(5, SEND_TWO, games=60, length=60),
}


@needs_gnugo
@pytest.mark.long
@pytest.mark.parametrize("walk", WALKS.values(), ids=WALKS)
@pytest.mark.parametrize(
    ("ko", "least", "most"), [("simple", 0, 0), ("positional", 10, 10**6), ("situational", 2, 10**6)]
)
def test_random_games_have_gnu_gos_legal_moves_under_each_ko_rule(ko, least, most, walk):
    rng = np.random.default_rng([walk.length, KO_RULES.index(ko)])
    with gnugo(FLAGS[ko]) as opponent:
        met = walk_with_gnugo(opponent, Go(walk.size, ko=ko), walk, rng)
    assert met.games == walk.games
    assert met.moves > 10 * walk.games
    assert least <= met.superko_only <= most, "the walk must meet positions in which superko forbids a move"


@needs_gnugo
@pytest.mark.long
def test_random_games_with_suicides_have_gnu_gos_legal_moves():
    """Under simple ko alone, as GNU Go does not apply superko to suicides."""
    walk = Walk(5, "", games=40, length=200, capturing=0.2)
    with gnugo(FLAGS["simple"], "--allow-all-suicide") as opponent:
        met = walk_with_gnugo(opponent, Go(5, ko="simple", suicide=True), walk, np.random.default_rng(7))
    assert met.moves > 100 * walk.games


@needs_gnugo
def test_handicap_stones_are_on_gnu_gos_points():
    with gnugo() as opponent:
        for size in (9, 13, 19):
            for count in range(2, 10):
                opponent.new_game(size)
                [theirs] = opponent.ask(f"fixed_handicap {count}")
                ours = fixed_handicap(Go(size), count)
                assert len(ours) == len(set(ours)) == count
                assert set(ours) == set(theirs.split())


# --- A plain memory of boards ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("suicide", [False, True], ids=["suicide forbidden", "suicide allowed"])
@pytest.mark.parametrize("ko", ["positional", "situational"])
@pytest.mark.parametrize("size", [2, 3])
def test_superko_forbids_exactly_the_moves_that_repeat_a_board(size, ko, suicide):
    """On the smallest boards superko occurs in nearly every game; whole boards are compared, not hashes."""
    game, rng = Go(size, ko=ko, suicide=suicide), np.random.default_rng(size)
    superko_only = 0
    for _ in range(40):
        position = game.start()
        seen = [(reference.board_of(game, position.state), 0)]
        while not position.is_over and len(position.history) < 100:
            stones_on, colour = seen[-1]
            legal = {PASS}
            for place in (place for place, occupant in stones_on.items() if occupant == reference.EMPTY):
                move = game.point(*place)
                then, _, is_suicide = reference.after(stones_on, place, colour)
                if is_suicide and not suicide:
                    continue
                repeated = any(then == earlier and ko == "positional" for earlier, _ in seen)
                if repeated or (then, 1 - colour) in seen:
                    superko_only += move != position.state.ko
                else:
                    legal.add(move)
            assert {*position.legal_move_numbers().tolist()} == legal
            assert {move for move in range(game.move_slots) if position.is_legal(move)} == legal
            stones = sorted(legal - {PASS})
            move = int(rng.choice(stones)) if stones and rng.random() < 0.95 else PASS
            if move != PASS:
                stones_on = reference.after(stones_on, game.row_and_column(move), colour)[0]
            seen.append((stones_on, 1 - colour))
            position.play(move)
    assert superko_only > 20
