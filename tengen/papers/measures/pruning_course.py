"""Progressive pruning over time: the moves that are left after n random games of each, and what is lost by pruning."""

from collections.abc import Sequence
from pathlib import Path

from tengen.games.game import Position
from tengen.papers.experiment import Result
from tengen.papers.labelled_positions import labelled_positions
from tengen.players import parse_player
from tengen.search.flat_config import FlatConfig
from tengen.search.move_statistics import MoveStatistics
from tengen.search.sampling import Sampling

ALL_MOVES = "moves"


def left_key(player: str, games: int) -> str:
    """Return the key of the number of moves that a player has left after so many games of each."""
    return f"left: {player}: {games}"


def course_of_pruning(
    part: int, *, reference: str, players: Sequence[str], checkpoints: Sequence[int], positions: str
) -> Result:
    """Sample the moves of a labelled position with and without pruning; return what each of the `players` did.

    `reference` is a player that samples all moves, the last number of `checkpoints` each; `players` prune. Two runs of
    the reference have different seeds: the second shows how often, and by how many points, choices differ by chance.
    All losses are by the means of the first. Keys: "moves" and "full", the numbers of moves and games of the reference;
    by player "left: PLAYER: N", "games: PLAYER", "agrees: PLAYER" and "loss: PLAYER", also with PLAYER "repeated".
    """
    position = labelled_positions(Path(positions) if positions else None)[part].position()
    most = checkpoints[-1]
    exact = _sampled(reference, position, most, seed=2 * part + 1)
    found: Result = {ALL_MOVES: len(exact), "full": len(exact) * most}
    found |= _compared("repeated", exact, _sampled(reference, position, most, seed=2 * part + 2))
    for player in players:
        moves = _sampled(player, position, most, seed=2 * part + 2)
        found |= _compared(player, exact, moves)
        found |= {left_key(player, games): float(moves_left(moves, games)) for games in checkpoints}
    return found


def moves_left(moves: Sequence[MoveStatistics], games: int) -> int:
    """Return how many moves were not pruned when each had had so many games; a pruned move gets no more games."""
    return sum(1 for move in moves if not move.pruned or move.visits > games)


def _sampled(player: str, position: Position, most: int, seed: int) -> list[MoveStatistics]:
    """Return the moves after `most` games of each, fewer if pruning ends, the chosen one first."""
    config = parse_player(player).config
    assert isinstance(config, FlatConfig)
    sampling = Sampling(config, position.game)
    sampling.reseed(seed)
    sampling.set_position(position)
    sampling.run(most * len(sampling.moves()))
    return sampling.moves()


def _compared(name: str, exact: list[MoveStatistics], moves: list[MoveStatistics]) -> Result:
    """Return the games of a player, whether its choice is the exact one, and the points lost by the exact means."""
    means = {move.number: move.score for move in exact if move.score is not None}
    chosen, best = moves[0].number, exact[0].number
    return {
        f"games: {name}": float(sum(move.visits for move in moves)),
        f"agrees: {name}": float(chosen == best),
        f"loss: {name}": abs(means[best] - means[chosen]),
    }
