"""The moves of games of Go from their records, as arrays for kernels."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tengen.errors import TengenError
from tengen.games.game import BadRecord
from tengen.games.go.sgf import read_sgf


@dataclass(frozen=True)
class GameMoves:
    """Games from the empty board: game n has moves[starts[n] : starts[n + 1]]."""

    moves: np.ndarray
    """uint16: points, 0 for passes."""
    starts: np.ndarray
    """int64 (games + 1,)."""
    skipped: np.ndarray
    """int64 (games,): how many moves of each game are its opening, from which nothing is learnt."""

    def __len__(self) -> int:
        return len(self.skipped)

    def selected(self, numbers: np.ndarray) -> "GameMoves":
        """Return some of the games, by their numbers."""
        parts = [self.moves[self.starts[n] : self.starts[n + 1]] for n in numbers]
        starts = np.concatenate([[0], np.cumsum([len(part) for part in parts], dtype=np.int64)])
        return GameMoves(np.concatenate([np.zeros(0, np.uint16), *parts]), starts, self.skipped[numbers])

    @property
    def digest(self) -> str:
        """A checksum of all moves."""
        content = b"".join(array.tobytes() for array in (self.moves, self.starts, self.skipped))
        return hashlib.sha256(content).hexdigest()[:16]


ANOTHER_SIZE, SETUP, UNREADABLE = "another board size", "stones that were set up", "not a legal game of Go"
"""Why a record is not used."""


def read_moves(records: Iterable[tuple[bytes, int]], size: int) -> tuple[GameMoves, Counter[str]]:
    """Return the games on a board from records in SGF, each with the number of its opening moves.

    Records of other sizes, with stones that were set up, or with moves that are illegal under simple ko without suicide
    are not used; they are counted by reason. Equal games are used once. Raises TengenError if no game is left.
    """
    refused: Counter[str] = Counter()
    found: dict[bytes, tuple[np.ndarray, int]] = {}
    for content, opening in records:
        try:
            position = read_sgf(content, "simple", False)
        except BadRecord:
            refused[UNREADABLE] += 1
            continue
        if position.game.size != size:
            refused[ANOTHER_SIZE] += 1
        elif position.state_after(0).empty_count < size * size or position.state_after(0).to_play:
            refused[SETUP] += 1
        else:
            moves = np.array([played.move for played in position.history], np.uint16)
            found.setdefault(moves.tobytes(), (moves, opening))
    if not found:
        why = ", ".join(f"{count:,} with {reason}" for reason, count in refused.items())
        raise TengenError(f"no games to learn from on {size}x{size}: {why or 'there are no records'}")
    lists = [moves for moves, _ in found.values()]
    starts = np.concatenate([[0], np.cumsum([len(moves) for moves in lists], dtype=np.int64)])
    openings = np.array([opening for _, opening in found.values()], np.int64)
    return GameMoves(np.concatenate(lists), starts, openings), refused
