"""Commands for komi, handicap, records and dead stones, in games that have them."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.interfaces.gtp.arguments import expect, number, whole_number
from tengen.interfaces.gtp.engine_loader import EngineLoader
from tengen.interfaces.gtp.protocol import Command, CommandError

if TYPE_CHECKING:
    from tengen.games.game import Position
    from tengen.games.records import RecordFormat

STATUSES = ("alive", "dead", "seki")


class GoCommands:
    """Commands for komi, handicap, records and scoring."""

    def __init__(self, loader: EngineLoader):
        self.loader = loader

    def komi_commands(self) -> dict[str, Command]:
        return {"komi": self.komi, "get_komi": self.get_komi}

    def handicap_commands(self) -> dict[str, Command]:
        return {
            "fixed_handicap": self.fixed_handicap,
            "place_free_handicap": self.place_free_handicap,
            "set_free_handicap": self.set_free_handicap,
        }

    def record_commands(self) -> dict[str, Command]:
        return {"loadsgf": self.loadsgf, "printsgf": self.printsgf}

    def status_commands(self) -> dict[str, Command]:
        return {"final_score": self.final_score, "final_status_list": self.final_status_list}

    @property
    def position(self) -> "Position":
        return self.loader.session.position

    def komi(self, arguments: list[str]) -> str:
        expect(arguments, 1, None, "komi")
        self.loader.session.change(komi=number(arguments[0], "komi"))
        return ""

    def get_komi(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        game: Any = self.position.game
        return f"{game.komi:g}"

    # Handicap

    def fixed_handicap(self, arguments: list[str]) -> str:
        expect(arguments, 1, None, "a number of stones")
        return self._place_fixed(whole_number(arguments[0], "a number of stones"))

    def place_free_handicap(self, arguments: list[str]) -> str:
        """Place at most as many stones as there are customary points; the protocol allows fewer than requested."""
        expect(arguments, 1, None, "a number of stones")
        count, most = whole_number(arguments[0], "a number of stones"), self.position.most_handicap
        return self._place_fixed(min(count, most) if most else count)

    def set_free_handicap(self, arguments: list[str]) -> str:
        position = self._untouched()
        try:
            position.place_handicap([self.loader.session.notation(vertex) for vertex in arguments])
        except ValueError as error:
            raise CommandError(f"bad vertex list: {error}") from None
        self.loader.session.set_up(position)
        return ""

    def _place_fixed(self, count: int) -> str:
        """Place stones on customary points and return their vertices."""
        session, position = self.loader.session, self._untouched()
        try:
            stones = position.place_fixed_handicap(count)
        except ValueError as error:
            raise CommandError(f"invalid number of stones: {error}") from None
        session.set_up(position)
        return " ".join(map(session.vertex, stones))

    def _untouched(self) -> "Position":
        """Return a copy of the position. Raises CommandError unless the board is empty."""
        if not self.loader.session.is_untouched:
            raise CommandError("board not empty")
        return self.position.copy()

    # Records

    def loadsgf(self, arguments: list[str]) -> str:
        """Load a record's position before the given move number, or at its end."""
        if not arguments:
            raise CommandError("syntax error: a file name is expected")
        moves = None
        if len(arguments) > 1 and arguments[-1].isdecimal():
            moves = max(0, whole_number(arguments[-1], "a move number") - 1)
            arguments = arguments[:-1]
        name = " ".join(arguments).strip('"')
        try:
            # The session's rules apply; a record that violates them, or its own rules, is loaded nevertheless.
            position = self._records().read(Path(name), moves=moves)
        except ValueError as error:
            raise CommandError(f"cannot load file: {error}") from None
        self.loader.session.load(position)
        self.loader.compile_ahead(self.loader.session.game)
        self.loader.engine.new_game()
        return ""

    def printsgf(self, arguments: list[str]) -> str:
        expect(arguments, 0, 1, "a file name, or nothing")
        from tengen.files import write_whole

        record = self._records().write(self.position).decode()
        if not arguments or arguments[0] == "-":
            return record
        write_whole(Path(arguments[0]), record)
        return ""

    def _records(self) -> "RecordFormat":
        records = self.position.game.records()
        assert records is not None
        return records

    # The end

    def final_score(self, arguments: list[str]) -> str:
        """Return the area score after removing the stones that playouts estimate as dead."""
        expect(arguments, 0, None, "")
        found = self.loader.engine.statuses(self.position)
        dead = [stone for stone, status in found.items() if status == "dead"]
        return written_score(self.position.score_without(dead))

    def final_status_list(self, arguments: list[str]) -> str:
        expect(arguments, 1, None, "alive, dead or seki")
        wanted = arguments[0].lower()
        if wanted not in STATUSES:
            raise CommandError("syntax error: a status is alive, dead or seki")
        found = self.loader.engine.statuses(self.position)
        stones = [stone for stone, status in found.items() if status == wanted]
        return "\n".join(" ".join(chain) for chain in self.position.chains_of(stones))


def written_score(margin: float) -> str:
    """Return Black's margin in the protocol's notation of scores."""
    return "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"
