"""Play a few moves of Go, look at the board, write the game to a file and read it again.

python examples/board_and_record.py
"""

import tempfile
from pathlib import Path

from tengen import Go, GoPosition, IllegalMove, PlayedMove, read_sgf, write_sgf


def replay(moves: list[PlayedMove], game: Go) -> GoPosition:
    """Return the position after the moves of another game's history."""
    position = game.start()
    for move in moves:
        position.play(move)
    return position


def main() -> None:
    position = Go(size=5, komi=0.5, ko="situational").start()
    position.play("C3").play("C2").play("D2")
    print(position.board)  # 0 empty, 1 black, 2 white; row 0 is the top row of the diagram
    print(position.colour_at("C2"), position.colour_at("A1"))
    try:
        position.play("C3")
    except IllegalMove as error:
        print(error)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.sgf"
        path.write_bytes(write_sgf(position))
        assert read_sgf(str(path)) == position
    assert replay(position.history, position.game) == position


if __name__ == "__main__":
    main()
