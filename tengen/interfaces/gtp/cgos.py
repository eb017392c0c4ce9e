"""Extensions of the client of the Computer Go Server: a move with its analysis as JSON, and the end of a game."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from tengen.interfaces.gtp.arguments import expect
from tengen.interfaces.gtp.engine_loader import EngineLoader
from tengen.interfaces.gtp.play import Play
from tengen.interfaces.gtp.protocol import Command, Reply, Stream
from tengen.interfaces.kata_numbers import MOVE_PLAYOUTS, ownership_by_rows

if TYPE_CHECKING:
    from tengen.games.clock import Clock
    from tengen.games.game import Position
    from tengen.search.analysis import Analysis

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+"
"""63 letters for ownership: from the opponent (first) through neutral (middle) to the side to move (last)."""
LISTED_MOVES = 10


def encoded(owner: float) -> str:
    """Return the letter for a point's ownership, from -1 to 1.

    >>> encoded(-1.0), encoded(0.0), encoded(1.0)
    ('A', 'f', '+')
    """
    return LETTERS[round((max(-1.0, min(1.0, owner)) + 1) / 2 * (len(LETTERS) - 1))]


class Cgos:
    """The commands whose names begin with cgos-."""

    def __init__(self, loader: EngineLoader, play: Play):
        self.loader, self.play = loader, play

    def commands(self) -> dict[str, Command]:
        return {
            "cgos-gameover": self.gameover,
            "cgos-opponent_name": lambda _: "",
            "cgos-opponent_rating": lambda _: "",
        }

    def gameover(self, arguments: list[str]) -> str:
        self.loader.engine.rest()
        return ""

    def streams(self) -> dict[str, Stream]:
        return {"cgos-genmove_analyze": self.genmove_analyze}

    def genmove_analyze(self, arguments: list[str], reply: Reply) -> None:
        expect(arguments, 0, 1, "a color")

        def choose(position: "Position", clock: "Clock | None", stopped: Callable[[], bool]) -> int:
            engine = self.loader.engine
            player = engine.searcher(position.game)
            move = engine.choose_number(position, clock, stopped)
            reply.line(json.dumps(self._described(player.analysis(position)), separators=(",", ":")))
            return move

        reply.line(f"play {self.play.vertex(self.play.move(arguments[0] if arguments else None, choose))}")

    def _described(self, found: "Analysis") -> dict[str, object]:
        position, session, engine = found.position, self.loader.session, self.loader.engine
        sign, whole = 1 if position.to_play == "black" else -1, engine.estimate(position)
        moves = []
        for move in [move for move in found.moves if move.visits > 0][:LISTED_MOVES]:
            after = engine.estimate(position.copy().play(move.number), MOVE_PLAYOUTS)
            entry: dict[str, object] = {
                "move": session.vertex(move.move),
                "winrate": round(move.value or 0.0, 4),
                "score": round(sign * after.score, 2),
                "visits": round(move.visits),
                "pv": " ".join(map(session.vertex, move.variation[1:])),
            }
            moves.append(entry | ({"prior": round(move.prior, 4)} if move.prior is not None else {}))
        return {
            "winrate": round(0.5 if found.value is None else found.value, 4),
            "score": round(sign * whole.score, 2),
            "visits": found.simulations,
            "moves": moves,
            "ownership": "".join(map(encoded, ownership_by_rows(position, whole.ownership))),
        }
