"""Results and boards as environments show them: text, or a picture of pixels."""

from typing import Any

import numpy as np

from tengen.errors import TengenError, shortened
from tengen.games.position import Position
from tengen.games.svg import cell_centres

RENDER_MODES = ("ansi", "human", "rgb_array")
PIXELS = 32
"""Distance between the centres of neighbouring cells in a picture."""
WOOD, LINE, LAST = (220, 179, 92), (107, 79, 29), (176, 0, 32)
STONES = ((21, 21, 21), (250, 250, 250))


def checked_render_mode(mode: str | None) -> str | None:
    """Return a render mode. Raises TengenError if it is unknown."""
    if mode is not None and mode not in RENDER_MODES:
        raise TengenError(f"unknown render mode {shortened(mode)}; choose from: {', '.join(RENDER_MODES)}")
    return mode


def result_for_black(winner: str | None) -> float:
    """Return 1, 0 or -1 for the winner of a finished game."""
    return {"black": 1.0, "white": -1.0}.get(str(winner), 0.0)


def rendered(position: Any, mode: str | None) -> Any:
    if mode == "rgb_array":
        return drawn(position)
    if mode == "ansi":
        return position.diagram()
    if mode == "human":
        print(position.diagram(), end="\n\n", flush=True)
    return None


def drawn(position: Position) -> np.ndarray:
    """Return a picture of a position as an array of rows, columns and red, green and blue, with the last move marked.

    Cells are squares, or discs on boards of hexagons.
    """
    centres = cell_centres(position)
    xs, ys = (np.array(values) for values in zip(*centres.values(), strict=True))
    left, top = xs.min() - 1, ys.min() - 1
    width, height = (int(PIXELS * (axis.max() - axis.min() + 2)) for axis in (xs, ys))
    picture = np.full((height, width, 3), WOOD, np.uint8)
    y, x = np.mgrid[0:height, 0:width] / PIXELS
    is_round, board = position.game.board_style == "hexagons", position.board
    last = position.history[-1].notation if position.moves_played else None
    names = {
        (row, column): cell.name
        for row, line in enumerate(position.game.rows(position.state))
        for column, cell in enumerate(line)
        if cell is not None
    }
    for (row, column), centre in centres.items():
        right, down = x - (centre[0] - left), y - (centre[1] - top)
        distance = np.hypot(right, down) if is_round else np.maximum(abs(right), abs(down))
        picture[abs(distance - 0.49) < 0.02] = LINE
        if board[row, column] > 0:
            picture[np.hypot(right, down) < 0.41] = STONES[board[row, column] - 1]
        if names[row, column] == last:
            picture[np.hypot(right, down) < 0.12] = LAST
    return picture
