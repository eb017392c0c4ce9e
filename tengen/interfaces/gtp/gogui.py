"""GoGui's extensions: heat maps, settings dialogs, live graphics during a search, and the rules of other games.

GoGui draws every game on a square of points named by letters (without I) and numbers from the bottom; on its hexagonal
boards each row is shifted half a cell to the left of the one below it. So a point (column, row) has the neighbours
(column + 1, row + 1) and (column - 1, row - 1) besides the four of a square board. HexGame uses these vertices.
"""

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tengen.errors import shortened
from tengen.interfaces.gtp.arguments import expect, number, truth
from tengen.interfaces.gtp.engine_loader import EngineLoader
from tengen.interfaces.gtp.play import Play
from tengen.interfaces.gtp.protocol import Command, CommandError

if TYPE_CHECKING:
    from tengen.games.game import Position
    from tengen.search.analysis import Analysis

MAPS = {"visits": "Visits", "value": "Values", "rave_value": "RAVE values", "prior": "Prior"}
"""The heat maps, with their names in GoGui's menu."""
LIVE_INTERVAL = 0.5
"""Seconds between two updates of the live graphics."""
LIVE_MOVES = 10
OFF_BOARD = "#606060"


class GoGui:
    """Commands for GoGui and its tools, for every game."""

    def __init__(self, loader: EngineLoader, play: Play):
        self.loader, self.play = loader, play
        self.is_live = False
        self._shown = 0.0
        play.watch = self._show_thinking

    def commands(self) -> dict[str, Command]:
        common: dict[str, Command] = {
            "gogui-analyze_commands": self.analyze_commands,
            "gogui-interrupt": lambda _: "",
            "gogui-sigint": lambda _: str(os.getpid()),
            "gogui-title": self.title,
            "gogui-play_sequence": self.play_sequence,
            "gogui-setup_player": self.setup_player,
            "tengen-ownership": self.ownership,
            "tengen-variation": self.variation,
            "tengen-picture": self.picture,
            "tengen-table": self.table,
            "tengen-player": self.player_settings,
            "tengen-engine": self.engine_settings,
        }
        common |= {f"tengen-{what}": self._map(what) for what in MAPS}
        return common

    def analyze_commands(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        lines = [f"dboard/{label}/tengen-{what}" for what, label in MAPS.items()]
        lines += ["dboard/Ownership/tengen-ownership"] if self.loader.session.game.places() else []
        return "\n".join(
            [
                *lines,
                "var/Best variation/tengen-variation",
                "gfx/Picture of the search/tengen-picture",
                "hstring/Table of the search/tengen-table",
                "param/Player/tengen-player",
                "param/Engine/tengen-engine",
                "hstring/Analysis of the last move/gomill-explain_last_move",
            ]
        )

    def title(self, arguments: list[str]) -> str:
        return f"Tengen: {self.loader.player}"

    # Moves and setups

    def play_sequence(self, arguments: list[str]) -> str:
        self.loader.session.play_all(self._pairs(arguments))
        return ""

    def _pairs(self, arguments: list[str]) -> list[tuple[str, str]]:
        if len(arguments) % 2:
            raise CommandError("syntax error: pairs of colors and vertices are expected")
        return list(zip(arguments[::2], arguments[1::2], strict=True))

    def setup_player(self, arguments: list[str]) -> str:
        expect(arguments, 1, None, "a color")
        session = self.loader.session
        session.set_up(session.position_for(arguments[0]))
        return ""

    def setup_commands(self) -> dict[str, Command]:
        """Return the commands for games that GoGui's own board can set up."""
        return {"gogui-setup": self.setup, "gogui-undo_setup": self.undo_setup}

    def setup(self, arguments: list[str]) -> str:
        """Place stones on the board, or remove them (color e)."""
        from tengen.interfaces.gtp.session import colour_name

        session = self.loader.session
        stones: dict[str, list[str]] = {"black": [], "white": [], "empty": []}
        for colour, vertex in self._pairs(arguments):
            stones["empty" if colour.lower() in ("e", "empty") else colour_name(colour)].append(
                session.notation(vertex)
            )
        position = session.position.copy()
        position.set_up_stones(stones["black"], stones["white"], stones["empty"])
        session.set_up(position)
        return ""

    def undo_setup(self, arguments: list[str]) -> str:
        self.loader.session.undo_setup()
        return ""

    # Results of the search

    def _found(self) -> "Analysis":
        """Return the analysis of the position; search it first if there is none."""
        engine, position = self.loader.engine, self.loader.session.position_for()
        player = engine.set_root(position)
        found = player.analysis(position)
        if not found.simulations:
            engine.choose_number(position, None, self.play.stopped)
            found = player.analysis(position)
        return found

    def _map(self, what: str) -> Command:
        """Return the command for a heat map of numbers from -1 to 1: positive with Black to move, else negative."""

        def heat_map(arguments: list[str]) -> str:
            expect(arguments, 0, None, "")
            found = self._found()
            numbers = {move.move: getattr(move, what) for move in found.moves}
            known = {name: float(value) for name, value in numbers.items() if value is not None}
            if what == "visits":
                most = max(known.values(), default=0.0) or 1.0
                shares = {name: value / most for name, value in known.items()}
            else:
                shares = {name: 2 * value - 1 for name, value in known.items()}
            sign = 1 if found.position.to_play == "black" else -1
            return self._board({name: f"{sign * share:.3f}" for name, share in shares.items()}, "0")

        return heat_map

    def ownership(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        owners = self.loader.engine.estimate(self.loader.session.position_for()).ownership
        return self._board({name: f"{owner:.3f}" for name, owner in owners.items()}, "0")

    def _board(self, texts: Mapping[str, str], nothing: str) -> str:
        """Return the text of each point, row by row from the top; `nothing` for other points."""
        vertices = {self.loader.session.vertex(name): text for name, text in texts.items()}
        return "\n".join(" ".join(vertices.get(vertex, nothing) for vertex in row) for row in self._square())

    def _square(self) -> list[list[str]]:
        """Return the vertices of GoGui's square board, row by row from the top."""
        from tengen.games.grid import GTP_COLUMNS

        width = self.loader.session.game.gtp_board_size
        return [[f"{column}{row}" for column in GTP_COLUMNS[:width]] for row in range(width, 0, -1)]

    def variation(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        return " ".join(map(self.loader.session.vertex, self._found().best.variation))

    def picture(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        return "\n".join(self._drawn(self._found()))

    def _drawn(self, found: "Analysis") -> list[str]:
        """Return GoGui's drawing commands: principal variation, shares of visits, and a status line."""
        session, colours = self.loader.session, "bw" if found.position.to_play == "black" else "wb"
        moves = [move for move in found.moves if move.visits > 0][:LIVE_MOVES]
        if not moves:
            return []
        variation = " ".join(
            f"{colours[place % 2]} {session.vertex(name)}" for place, name in enumerate(moves[0].variation)
        )
        points = [move for move in moves if move.move[-1].isdigit()]
        sign, most = 1 if colours == "bw" else -1, moves[0].visits or 1.0
        shares = " ".join(f"{session.vertex(move.move)} {sign * move.visits / most:.2f}" for move in points)
        labels = " ".join(f"{session.vertex(move.move)} {100 * (move.value or 0.0):.0f}" for move in points)
        value = "?" if found.value is None else f"{100 * found.value:.1f} %"
        text = f"TEXT {found.position.to_play} {value}, {found.simulations} simulations"
        return [f"VAR {variation}", *([f"INFLUENCE {shares}", f"LABEL {labels}"] if points else []), text]

    def table(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        return self._found().table()

    def _show_thinking(self) -> None:
        """Write live graphics to standard error during a search, every LIVE_INTERVAL seconds."""
        if not self.is_live or self.play.now() < self._shown + LIVE_INTERVAL:
            return
        found = self.loader.engine.glimpse()
        if found is not None:
            self._shown = self.play.now()
            lines = ["gogui-gfx:", "CLEAR", *self._drawn(found)]
            print("\n".join(lines), end="\n\n", file=sys.stderr, flush=True)

    # Settings

    def player_settings(self, arguments: list[str]) -> str:
        """Return all settings of the player, or change one."""
        expect(arguments, 0, 2, "a setting and its value, or no argument")
        if arguments:
            self.loader.engine.set(arguments[0], arguments[1] if len(arguments) == 2 else "")
            return ""
        from tengen.composed_config import choices_of, entries_of, settings_of

        lines, config = [], self.loader.player.config
        entries = entries_of(config)
        for key, value in settings_of(config).items():
            choices = choices_of(entries[key])
            if isinstance(value, bool):
                lines.append(f"[bool] {key} {int(value)}")
            else:
                kind = f"list/{'/'.join(choices)}" if choices else "string"
                lines.append(f"[{kind}] {key} {value}")
        return "\n".join(lines)

    def engine_settings(self, arguments: list[str]) -> str:
        """Return the settings of the engine other than the player's, or change one."""
        expect(arguments, 0, 2, "a setting and its value, or no argument")
        engine = self.loader.engine
        if not arguments:
            return (
                f"[bool] live_pictures {int(self.is_live)}\n[bool] ponder {int(engine.ponders)}\n"
                f"[string] seconds_a_move {engine.seconds:g}"
            )
        name, value = arguments[0], arguments[1] if len(arguments) == 2 else ""
        match name:
            case "live_pictures":
                self.is_live = truth(value, name)
            case "ponder":
                engine.ponders = truth(value, name)
            case "seconds_a_move":
                seconds = number(value, name)
                if not 0.01 <= seconds <= 1e6:
                    raise CommandError("seconds_a_move must be from 0.01 to 1000000")
                engine.seconds = seconds
            case _:
                raise CommandError(f"unknown setting {shortened(name)}")
        return ""

    # Rules of games that GoGui does not implement

    def rules_commands(self) -> dict[str, Command]:
        return {
            "gogui-rules_game_id": lambda _: self.position.game.name,
            "gogui-rules_board": self.rules_board,
            "gogui-rules_board_size": self.rules_board_size,
            "gogui-rules_board_gfx": self.rules_board_gfx,
            "gogui-rules_legal_moves": self.rules_legal_moves,
            "gogui-rules_side_to_move": lambda _: self.position.to_play,
            "gogui-rules_captured_count": lambda _: "0 0",
            "gogui-rules_final_result": self.rules_final_result,
        }

    @property
    def position(self) -> "Position":
        return self.loader.session.position

    def rules_board(self, arguments: list[str]) -> str:
        return self._board({name: "XO"[colour] for name, colour in self.loader.session.stones().items()}, ".")

    def rules_board_size(self, arguments: list[str]) -> str:
        game = self.position.game
        return f"{game.gtp_board_size} {game.gogui_board}"

    def rules_board_gfx(self, arguments: list[str]) -> str:
        """Return drawing commands that grey out points of GoGui's square board that are not on this board."""
        session = self.loader.session
        cells = (cell for row in session.game.rows(self.position.state) for cell in row if cell is not None)
        inside = {session.vertex(cell.name) for cell in cells}
        outside = [vertex for row in self._square() for vertex in row if vertex not in inside]
        return f"COLOR {OFF_BOARD} {' '.join(outside)}" if outside else ""

    def rules_legal_moves(self, arguments: list[str]) -> str:
        session = self.loader.session
        return "" if self.position.is_over else " ".join(map(session.vertex, self.position.legal_moves()))

    def rules_final_result(self, arguments: list[str]) -> str:
        winner = self.position.winner
        if winner is None:
            return ""
        if winner == "draw":
            return "A draw."
        margin = f" by {abs(self.position.score):g}" if self.position.game.has_margin else ""
        return f"{winner.capitalize()} wins{margin}."
