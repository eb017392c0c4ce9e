"""Commands that only Go has: komi, handicap, records, and who owns what at the end."""

from pathlib import Path
from typing import TYPE_CHECKING

from tengen.interfaces.gtp.arguments import expect, number, whole_number
from tengen.interfaces.gtp.desk import Desk
from tengen.interfaces.gtp.protocol import Command, CommandError

if TYPE_CHECKING:
    from tengen.games.go.game import GoPosition

STATUSES = ("alive", "dead", "seki")


class GoCommands:
    """Komi, handicap, records, and the end of the game."""

    def __init__(self, desk: Desk):
        self.desk = desk

    def commands(self) -> dict[str, Command]:
        return {
            "komi": self.komi,
            "get_komi": self.get_komi,
            "fixed_handicap": self.fixed_handicap,
            "place_free_handicap": self.place_free_handicap,
            "set_free_handicap": self.set_free_handicap,
            "loadsgf": self.loadsgf,
            "printsgf": self.printsgf,
            "final_score": self.final_score,
            "final_status_list": self.final_status_list,
        }

    @property
    def position(self) -> "GoPosition":
        position: GoPosition = self.desk.session.position  # type: ignore[assignment]
        return position

    def komi(self, arguments: list[str]) -> str:
        expect(arguments, 1, None, "komi")
        self.desk.session.change(komi=number(arguments[0], "komi"))
        return ""

    def get_komi(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        return f"{self.position.game.komi:g}"

    # Handicap

    def fixed_handicap(self, arguments: list[str]) -> str:
        expect(arguments, 1, None, "a number of stones")
        from tengen.games.go.game import fixed_handicap

        try:
            stones = fixed_handicap(self.position.game, whole_number(arguments[0], "a number of stones"))
        except ValueError as error:
            raise CommandError(f"invalid number of stones: {error}") from None
        return self._place(stones)

    def place_free_handicap(self, arguments: list[str]) -> str:
        """As many stones as have customary points; the protocol allows fewer than were asked for."""
        expect(arguments, 1, None, "a number of stones")
        from tengen.games.go.game import customary_stones, fixed_handicap

        count = whole_number(arguments[0], "a number of stones")
        most = customary_stones(self.position.game.size)
        if count < 2 or not most:
            raise CommandError("invalid number of stones: a handicap is two or more, on a board of size 7 or more")
        return self._place(fixed_handicap(self.position.game, min(count, most)))

    def set_free_handicap(self, arguments: list[str]) -> str:
        self._place(arguments, "bad vertex list")
        return ""

    def _place(self, stones: list[str], complaint: str = "invalid number of stones") -> str:
        session = self.desk.session
        if not session.is_untouched:
            raise CommandError("board not empty")
        position = self.position.copy()
        try:
            position.place_handicap(stones)
        except ValueError as error:
            raise CommandError(f"{complaint}: {error}") from None
        session.set_up(position)
        return " ".join(stones)

    # Records

    def loadsgf(self, arguments: list[str]) -> str:
        """A record's position before the move of a number, or at its end."""
        if not arguments:
            raise CommandError("syntax error: a file's name is expected")
        from tengen.games.go.sgf import read_sgf

        moves = None
        if len(arguments) > 1 and arguments[-1].isdecimal():
            moves = max(0, whole_number(arguments[-1], "a move's number") - 1)
            arguments = arguments[:-1]
        name = " ".join(arguments).strip('"')
        try:
            # The session's rules apply: a record that breaks them, or its own, is loaded all the same.
            position = read_sgf(Path(name), ko="simple", suicide=True, moves=moves)
        except ValueError as error:
            raise CommandError(f"cannot load file: {error}") from None
        self.desk.session.load(position)
        self.desk.compile_ahead(self.desk.session.game)
        self.desk.engine.new_game()
        return ""

    def printsgf(self, arguments: list[str]) -> str:
        expect(arguments, 0, 1, "a file's name, or nothing")
        from tengen.files import write_whole
        from tengen.games.go.sgf import write_sgf

        record = write_sgf(self.position).decode()
        if not arguments or arguments[0] == "-":
            return record
        write_whole(Path(arguments[0]), record)
        return ""

    # The end

    def final_score(self, arguments: list[str]) -> str:
        """By area, once the stones that playouts call dead are off the board."""
        expect(arguments, 0, None, "")
        from tengen.games.go.status import score_without

        found = self.desk.engine.statuses(self.position)
        dead = [stone for stone, status in found.items() if status == "dead"]
        return written_score(score_without(self.position, dead))

    def final_status_list(self, arguments: list[str]) -> str:
        expect(arguments, 1, None, "alive, dead or seki")
        from tengen.games.go.status import chains_of

        wanted = arguments[0].lower()
        if wanted not in STATUSES:
            raise CommandError("syntax error: a status is alive, dead or seki")
        found = self.desk.engine.statuses(self.position)
        stones = [stone for stone, status in found.items() if status == wanted]
        return "\n".join(" ".join(chain) for chain in chains_of(self.position, stones))


def written_score(margin: float) -> str:
    """Black's margin as the protocol writes scores."""
    return "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"
