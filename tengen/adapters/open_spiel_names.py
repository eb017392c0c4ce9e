"""The games of this package that OpenSpiel has too: their names there, and its numbers of their moves."""

from typing import Any

from tengen.adapters.open_spiel_game import OpenSpielGame
from tengen.errors import TengenError, shortened
from tengen.games.game import Game, Position
from tengen.games.go.game import Go
from tengen.games.grid import GridGame
from tengen.games.havannah.game import Havannah
from tengen.games.othello.game import Othello

DEFAULTS = {
    "go": {"handicap": 0},
    "othello": {},
    "havannah": {"ansi_color_output": False},
}
"""By the name of a game there: parameters that must have these values, if they are given."""


def name_in_open_spiel(game: Game) -> str | None:
    """Return OpenSpiel's name of a game, with parameters; None if it has no such game."""
    match game:
        case Go():
            return f"go(board_size={game.size},komi={game.komi})"
        case Othello(size=8):
            return "othello"
        case Havannah():
            return f"havannah(board_size={game.base},swap={game.swap})"
        case OpenSpielGame():
            return game.variant
    return _name_of_other(game)


def _name_of_other(game: Game) -> str | None:
    """Return OpenSpiel's name of a game that has the same name there, with the size of its board."""
    import pyspiel

    name = game.name.replace("-", "_")
    if name in pyspiel.registered_names():
        if game.board_size is None:
            return name
        if "board_size" in pyspiel.load_game(name).get_parameters():
            return f"{name}(board_size={game.size_value})"
    return None


def game_for(theirs: Any) -> Game:
    """Return the game of this package that is a game of OpenSpiel; if there is none, one that calls OpenSpiel's rules.

    Go gets the simple ko rule: in OpenSpiel a repeated board ends the game as a draw. Raises TengenError if the game
    does not fit.
    """
    name, given = theirs.get_type().short_name, theirs.get_parameters()
    match name:
        case "go" if given["handicap"] == 0 and given["max_game_length"] in (0, 2 * given["board_size"] ** 2):
            return Go(given["board_size"], float(given["komi"]), ko="simple")
        case "othello":
            return Othello(8)
        case "havannah" if given["board_size"] in Havannah.board_size.values:
            return Havannah(given["board_size"], swap=given["swap"])
    return OpenSpielGame(str(theirs))


def action_of(position: Position, move: int) -> int:
    """Return OpenSpiel's number of a move in a position of a game that `game_for` returns."""
    game = position.game
    if not isinstance(game, GridGame):
        return move
    rows, columns = game.shape
    name = game.format_move(move)
    if name in game.named_moves:
        return rows * columns if name == "pass" else action_of(position, position.history[0].move)  # the swap
    row, column = game.row_and_column(move)
    return row * columns + column


def move_of(position: Position, action: int) -> int:
    """Return the number of the move that OpenSpiel's number stands for in a position; the inverse of `action_of`.

    Raises TengenError if there is none.
    """
    game = position.game
    if not isinstance(game, GridGame):
        return action
    rows, columns = game.shape
    row, column = divmod(action, columns)
    if action == rows * columns and "pass" in game.named_moves:
        return game.named_moves["pass"]
    if not game.has_place(row, column):
        raise TengenError(f"{shortened(action)} is not an action of {game.name}")
    move = game.point(row, column)
    takes_over = "swap" in game.named_moves and [played.move for played in position.history] == [move]
    return game.named_moves["swap"] if takes_over else move
