"""Count passes and moves on the first line among the first 20 moves of stored games of Go.

    python docs/results/levels/first_line.py go-9.sqlite

Prints for each player the mean number of its own per game.
"""

import sys
from collections import Counter
from pathlib import Path

from tengen.arena.imports import read_store
from tengen.games.go.sgf import read_sgf

OPENING_MOVES = 20


def is_on_first_line(move: str, size: int) -> bool:
    """Whether a move such as 'A5' is on the edge of a board of `size` rows and columns."""
    letters = "ABCDEFGHJKLMNOPQRST"
    return move != "pass" and (letters.index(move[0]) in (0, size - 1) or int(move[1:]) in (1, size))


def main(path: Path) -> None:
    games, passes, edges = Counter[str](), Counter[str](), Counter[str]()
    with read_store(path) as store:
        for played in store.games():
            position = read_sgf(played.record)
            names = {"black": played.black, "white": played.white}
            games.update(names.values())
            for move in position.history[:OPENING_MOVES]:
                passes[names[move.colour]] += move.notation == "pass"
                edges[names[move.colour]] += is_on_first_line(move.notation, position.game.size)
    print(f"{'player':<12} {'games':>5} {'first line':>10} {'passes':>6}")
    for player, count in sorted(games.items(), key=lambda entry: (len(entry[0]), entry[0])):
        print(f"{player:<12} {count:>5} {edges[player] / count:>10.2f} {passes[player] / count:>6.2f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
