"""The class `Go`: rules with their options, coordinates, diagrams, superko and handicap."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from tengen.errors import shortened
from tengen.games import interface
from tengen.games.game import BadNotation, BoardSize, Game, GameError, IllegalMove, Position, colour_index
from tengen.games.go import (  # noqa: F401 - they register bodies of verbs
    bitboard,
    bitboard_playout,
    eyes,
    go_board,
    go_record,
    playout,
    point_sets,
    score,
)
from tengen.games.go.go_levels import level_players
from tengen.games.grid import GTP_COLUMNS, GridGame
from tengen.games.records import RecordFormat
from tengen.options import option

KO_RULES = ("simple", "positional", "situational")
PASS = int(go_record.PASS)
DECIDED = 0.95
"""The value of a pass above which a won game counts as decided."""
HARMFUL = 0.1
"""The win rate by which all other moves must be worse than a pass for a pass in an undecided game.

Chosen by hand, not tuned.
"""


@dataclass(frozen=True)
class Go(GridGame):
    """Go with area scoring, by the Tromp-Taylor rules.

    size     board size, from 1 to 25
    komi     points for White
    ko       ko rule: simple (no immediate recapture of a ko), positional (no repetition of a board) or situational
             (no repetition of a board with the same side to move)
    suicide  whether suicide is allowed
    """

    size: int = option(9, "points on each side")
    komi: float = option(7.5, "points for White", low=-1000, high=1000)
    ko: str = option("positional", "ko rule: which repetitions are forbidden", KO_RULES)
    suicide: bool = option(False, "whether suicide is allowed")

    name: ClassVar[str] = "go"
    board_style: ClassVar[str] = "lines"
    meaning: ClassVar[str] = "surround more area than the opponent (area scoring)"
    board_size: ClassVar[BoardSize] = BoardSize(range(1, go_record.LARGEST_SIZE + 1))
    default_player: ClassVar[str] = "tengen"
    has_komi: ClassVar[bool] = True
    has_handicap: ClassVar[bool] = True
    suits_go_clients: ClassVar[bool] = True
    letters: ClassVar[str] = GTP_COLUMNS
    is_numbered_from_below: ClassVar[bool] = True
    place_word: ClassVar[str] = "point"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.komi, int | float) or not -1000 <= self.komi <= 1000:
            raise GameError(f"komi must be a number from -1000 to 1000, not {shortened(self.komi)}")
        if self.ko not in KO_RULES:
            raise GameError(f"unknown ko rule {shortened(self.ko)}; choose from: {', '.join(KO_RULES)}")
        if not isinstance(self.suicide, bool):
            raise GameError(f"suicide must be True or False, not {shortened(self.suicide)}")

    @property
    def state_record(self) -> np.dtype:
        return go_record.LIGHT[self.size]

    @property
    def tactical_record(self) -> np.dtype:
        """The record type of states that list the chains in atari and their last liberties."""
        return go_record.TACTICAL[self.size]

    @property
    def compact_record(self) -> np.dtype | None:
        """The record type of bitboards, which exist for 9x9 without suicide."""
        return bitboard.BITBOARD if self.size == point_sets.SIDE and not self.suicide else None

    @property
    def move_slots(self) -> int:
        return go_record.point_count(self.size)

    @property
    def longest_playout(self) -> int:
        return playout.LENGTH_FACTOR * self.size * self.size

    def reset(self, state: Any) -> None:
        go_board.reset(state, self.size, float(self.komi), int(self.suicide), KO_RULES.index(self.ko))

    def start(self) -> "GoPosition":
        return GoPosition(self)

    def from_diagram(self, text: str, to_play: str = "black") -> "GoPosition":
        return self.start()._begin_at(text, colour_index(to_play))

    def forbid(self, state: Any, move: int) -> None:
        state.ko = move

    @property
    def untracked_move(self) -> int:
        return PASS

    def reviewed(self, position: Position, ranking: list[int], values: dict[int, float]) -> int:
        """Pass if that wins; otherwise play the best move other than a pass, unless all of them are much worse.

        All stones on the board count as alive. If the present board is won, pass if that ends the game, or if the win
        rate after it is above DECIDED. If it is lost, pass only if there is no other move.
        """
        winning = self._is_won(position)
        if winning and (position.state.passes == 1 or values.get(PASS, 0.0) >= DECIDED):
            return PASS
        if ranking[0] != PASS:
            return ranking[0]
        least = values.get(PASS, 0.0) - HARMFUL if winning else 0.0
        return next((move for move in ranking if move != PASS and values.get(move, 0.0) >= least), PASS)

    def reviewed_by_margin(self, position: Position, ranking: list[int], values: dict[int, float]) -> int:
        """Play the best move, also a pass, if the present board is won; otherwise as `reviewed`."""
        return ranking[0] if self._is_won(position) else self.reviewed(position, ranking, values)

    def _is_won(self, position: Position) -> bool:
        """Whether the side to move wins if the present board is counted with all stones alive."""
        return position.score > 0 if position.to_play == "black" else position.score < 0

    def moves_to_go(self, position: Position) -> int:
        """Estimate from the usual lengths of games between programs: about 55 moves on 9x9 and 260 on 19x19."""
        half_of_game = 0.36 * self.size * self.size
        return max(12, round(half_of_game - len(position.history) / 2))

    @property
    def levels(self) -> tuple[str, ...]:
        return (*level_players(self.size), self.default_player)

    def gtp_rules(self) -> list[str]:
        return [f"komi {self.komi:g}"]

    @classmethod
    def records(cls) -> RecordFormat:
        from tengen.games.go.sgf import SGF

        return SGF

    def with_rules_of(self, other: Game) -> "Go":
        """Return this board and komi under the ko rule and suicide of `other`, if that is Go too."""
        return replace(self, ko=other.ko, suicide=other.suicide) if isinstance(other, Go) else self

    # Coordinates

    def point(self, row: int, column: int) -> int:
        """Return the number of a point; rows count from the bottom and columns from the left, from 0."""
        return (row + 1) * (self.size + 1) + column + 1

    def row_and_column(self, point: int) -> tuple[int, int]:
        """Return the row (from the bottom) and the column (from the left) of a point, both from 0."""
        row, column = divmod(point, self.size + 1)
        return row - 1, column - 1

    def is_on_board(self, point: int) -> bool:
        return self.has_place(*self.row_and_column(point))

    def points(self) -> list[int]:
        """Return all points of the board, row by row from the bottom."""
        return [self.point(row, column) for row in range(self.size) for column in range(self.size)]

    @property
    def named_moves(self) -> dict[str, int]:
        return {"pass": PASS}

    # Diagrams

    @property
    def star_points(self) -> list[str]:
        """The points that are marked on a board: those of handicap stones, without the sides on boards below 13x13."""
        most = customary_stones(self.size)
        return fixed_handicap(self, min(most, 5) if self.size < 13 else most) if most else []

    def places(self) -> dict[int, str]:
        return {point: self.format_move(point) for point in self.points()}

    def set_up(self, state: Any, picture: str | bytes) -> None:
        """Set a fresh state to the position of a diagram, or, given bytes, to the colours of all points."""
        if isinstance(picture, bytes):
            return self.set_up_colours(state, np.frombuffer(picture, np.uint8))
        colours = np.full(self.move_slots, 2, np.uint8)
        for point, colour in self.read_diagram(picture):
            colours[point] = colour
        return self.set_up_colours(state, colours)

    def set_up_colours(self, state: Any, colours: np.ndarray) -> None:
        """Set a state to a board with these colours by point. Raises GameError if a chain has no liberty."""
        self.reset(state)
        dead = go_board.set_up(state, colours)
        if dead:
            self.reset(state)
            raise GameError(f"illegal position: the chain at {self.format_move(dead)} has no liberty")

    def key(self, state: Any) -> bytes:
        return bytes(state.colour) + bytes((state.to_play, state.passes)) + int(state.ko).to_bytes(2, "little")

    def explain_illegal(self, state: Any, move: int) -> str:
        if not self.is_on_board(move):
            return "it is off the board"
        if state.colour[move] != 2:
            return "there is a stone already"
        if move == state.ko:
            return "a ko may not be recaptured at once"
        return "it would be suicide"


class GoPosition(Position):
    """A game of Go, with the superko hashes of its earlier boards."""

    game: Go

    def __init__(self, game: Go):
        super().__init__(game)
        self._seen = [self._situation(0)]

    def _situation(self, which: int) -> int:
        """Return the superko hash of the state (0) or of the tried one (1)."""
        return int(interface.situation(self._states[which]))

    @property
    def situations(self) -> list[int]:
        return list(self._seen)

    def _begin_at(self, picture: str | bytes, to_play: int) -> Self:
        super()._begin_at(picture, to_play)
        self._seen = [self._situation(0)]
        return self

    def _allows(self, move: int) -> bool:
        return super()._allows(move) and not self._repeats(move)

    def _repeats(self, move: int) -> bool:
        """Whether superko forbids an otherwise legal move."""
        if self.game.ko == "simple" or move == PASS:
            return False
        self._states[1] = self._states[0]
        interface.play(self._states[1], move)
        return self._situation(1) in self._seen

    def _why_not(self, move: int) -> str:
        if super()._allows(move):
            return "it would repeat an earlier position"
        return super()._why_not(move)

    def _after_move(self) -> None:
        self._seen.append(self._situation(0))

    def legal_move_numbers(self) -> np.ndarray:
        moves: np.ndarray = np.roll(super().legal_move_numbers(), -1)  # the pass comes last
        if self.game.ko == "simple":
            return moves
        situations = np.zeros(len(moves), np.uint64)
        go_board.situations_after(self._states, moves, len(moves), situations)
        repeats = np.isin(situations, np.array(self._seen, np.uint64))
        allowed: np.ndarray = moves[~repeats | (moves == PASS)]
        return allowed

    def undo(self) -> Self:
        super().undo()
        self._seen.pop()
        return self

    def copy(self) -> Self:
        other = super().copy()
        other._seen = list(self._seen)
        return other

    def under(self, game: Game) -> "GoPosition":
        position = super().under(game)
        assert isinstance(position, GoPosition)
        return position

    def give_turn(self, colour: str) -> Self:
        """Set the side to move, also after two passes.

        In protocols and records one side may move twice, or a finished game may continue. Earlier moves cannot be
        undone afterwards, but count for superko.
        """
        if colour_index(colour) != self.state.to_play or self.is_over:
            seen = self._seen
            self.set_up_stones([], [], [], to_play=colour)
            self._seen = seen + self._seen
        return self

    def set_up_stones(self, black: list[str], white: list[str], empty: list[str], to_play: str | None = None) -> Self:
        """Place and remove stones. Earlier moves are removed from the history and cannot be undone."""
        colours = self.state.colour[: self.game.move_slots].copy()
        for colour, points in enumerate((black, white, empty)):
            for text in points:
                point = self.game.parse_move(text)
                if point == PASS:
                    raise BadNotation("a pass cannot be set up as a stone")
                colours[point] = colour
        turn = int(self.state.to_play) if to_play is None else colour_index(to_play)
        self.game.set_up_colours(self._states[1], colours)  # raises before anything is changed
        return self._begin_at(colours.tobytes(), turn)

    # Handicap

    @property
    def most_handicap(self) -> int:
        return customary_stones(self.game.size)

    def place_handicap(self, stones: list[str]) -> Self:
        """Place Black's handicap stones on the points given (free handicap); White is to move."""
        self._check_empty()
        points = [self.game.parse_move(text) for text in stones]
        if len(points) < 2 or PASS in points or len(set(points)) < len(points):
            raise IllegalMove("a handicap must be two or more stones on different points")
        return self.set_up_stones(stones, [], [], to_play="white")

    def place_fixed_handicap(self, count: int) -> list[str]:
        """Place Black's handicap stones on the customary points and return these; White is to move."""
        self._check_empty()
        stones = fixed_handicap(self.game, count)
        self.place_handicap(stones)
        return stones

    def _check_empty(self) -> None:
        if self.state.empty_count < self.game.size**2 or self._past:
            raise IllegalMove("a handicap can be placed only on an empty board, before the first move")

    # The end

    def statuses(self, tactical: dict[str, float], uniform: dict[str, float]) -> dict[str, str]:
        from tengen.games.go.status import statuses

        return statuses(self, tactical, uniform)

    def score_without(self, dead: list[str]) -> float:
        return self.copy().set_up_stones([], [], dead).score if dead else self.score

    def chains_of(self, stones: list[str]) -> list[list[str]]:
        from tengen.games.go.status import chains_of

        return chains_of(self, stones)

    # Tactics

    def state_as(self, record: np.dtype) -> Any:
        if record == self.game.compact_record:
            return self.compact_state()
        return self.tactical_state() if record == self.game.tactical_record else self.state

    def compact_state(self) -> Any:
        """Return the position as a record of bitboards."""
        state = np.zeros(1, bitboard.BITBOARD)[0]
        bitboard.copy_board(state, self.state)
        return state

    def tactical_state(self) -> Any:
        """Return the position as a record that lists the chains in atari and their last liberties."""
        state = np.zeros(1, self.game.tactical_record)[0]
        self.game.set_up_colours(state, self.state.colour[: self.game.move_slots])
        for name in ("to_play", "ko", "last_move", "earlier_move", "passes"):
            state[name] = self.state[name]
        return state

    def atari(self, point: str) -> str | None:
        """Return the last liberty of the chain at a point; None if it has more than one."""
        state, number = self.tactical_state(), self.game.parse_move(point)
        if state.colour[number] > 1:
            raise GameError(f"there is no stone at {point}")
        liberties = state.liberties[state.chain[number]]
        if not go_record.in_atari(liberties):
            return None
        return self.game.format_move(int(go_record.last_liberty(liberties)))


def customary_stones(size: int) -> int:
    """Return the largest number of handicap stones with customary points on a board."""
    return 0 if size < 7 else 4 if size == 7 or size % 2 == 0 else 9


def fixed_handicap(game: Go, count: int) -> list[str]:
    """Return the customary points for a number of handicap stones, as defined by the Go Text Protocol."""
    size, most = game.size, customary_stones(game.size)
    if not 2 <= count <= most:
        allowed = f"from 2 to {most} handicap stones have" if most else "no number of handicap stones has"
        raise GameError(f"on a board of size {size}, {allowed} customary points, not {shortened(count)}")
    low = 2 if size < 13 else 3
    high, middle = size - 1 - low, size // 2
    corners = [(low, low), (high, high), (high, low), (low, high)]
    sides = [(middle, low), (middle, high), (low, middle), (high, middle)]
    places = corners[:count] + sides[: max(0, (count - 4) // 2 * 2)]
    if count > 4 and count % 2:
        places.append((middle, middle))
    return [game.format_move(game.point(row, column)) for row, column in places]
