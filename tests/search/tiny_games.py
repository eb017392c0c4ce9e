"""The solution of small games by full search."""

from functools import cache

from tengen.games.game import Game, Position


def solve(position: Position, known: dict[bytes, float]) -> float:
    """Return Black's result with best play, by full search."""
    if position.is_over:
        return {"black": 1.0, "white": 0.0, "draw": 0.5}[position.winner or ""]
    key = position.game.key(position.state)
    if key not in known:
        results = []
        for move in position.legal_move_numbers():
            position.play(int(move))
            results.append(solve(position, known))
            position.undo()
        known[key] = max(results) if position.to_play == "black" else min(results)
    return known[key]


@cache
def best_moves(game: Game, *opening: str) -> frozenset[str]:
    """Return the moves that keep the value of a position."""
    position, known = position_after(game, *opening), dict[bytes, float]()
    worth = solve(position, known)
    best = set()
    for move in position.legal_moves():
        position.play(move)
        if solve(position, known) == worth:
            best.add(move)
        position.undo()
    return frozenset(best)


def position_after(game: Game, *moves: str) -> Position:
    """Return the position of a game after some moves."""
    position = game.start()
    for move in moves:
        position.play(move)
    return position
