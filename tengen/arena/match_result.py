"""The result of a match as a Python object: rate, interval, Elo, and its games with their moves."""

from dataclasses import dataclass, field
from functools import cached_property

from tengen.arena.match import PlayedGame, final_position
from tengen.arena.scores import Margins, Tally, elo_from_rate
from tengen.arena.tables import percent, signed
from tengen.games.game import Game, Position


def tally_of(played: PlayedGame, first: str) -> Tally:
    """Return one game as a tally of the player with the name `first`."""
    margins = Margins() if played.margin is None else Margins(1, played.margin, played.margin**2)
    won = {"black": (1, 0, 0), "draw": (0, 1, 0), "white": (0, 0, 1)}[played.winner]
    tally = Tally(*won, margins)
    return tally if played.black == first else tally.reversed()


@dataclass(frozen=True)
class GameResult:
    """One game of a match."""

    number: int
    """From 0. The first player of the match is Black in games with even numbers."""
    black: str
    white: str
    """The names of the players."""
    winner: str
    """'black', 'white' or 'draw'."""
    reason: str
    """Why the game ended, such as 'score' or 'resign'; see arena/match.py."""
    margin: float | None
    """Black's margin, if the game was counted."""
    seconds: float
    game: Game = field(repr=False)
    record: str = field(repr=False)
    """The record in the game's own format (Go: SGF) if it has one, else the moves as JSON."""

    @staticmethod
    def of(played: PlayedGame, game: Game) -> "GameResult":
        """Return a stored game as a result."""
        return GameResult(
            number=played.number,
            black=played.black,
            white=played.white,
            winner=played.winner,
            reason=played.reason,
            margin=played.margin,
            seconds=played.seconds,
            game=game,
            record=played.record,
        )

    @cached_property
    def position(self) -> Position:
        """The position at the end of the game, with all moves in its history."""
        return final_position(self.record, self.game)

    @property
    def moves(self) -> list[str]:
        """All moves of the game in its notation, those of the opening included."""
        return [played.notation for played in self.position.history]


@dataclass(frozen=True, repr=False)
class MatchResult:
    """The games of a match. All figures are those of the first player; a draw counts as half a win."""

    first: str
    second: str
    """The names of the players."""
    games: list[GameResult]
    tally: Tally
    """Wins, draws, losses and margins of the first player."""

    @staticmethod
    def of(first: str, second: str, games: list[PlayedGame], game: Game) -> "MatchResult":
        """Return the result of games between two players, by their names."""
        tally = sum((tally_of(played, first) for played in games), Tally())
        return MatchResult(first, second, [GameResult.of(played, game) for played in games], tally)

    @property
    def rate(self) -> float:
        """The first player's share of the points, from 0 to 1."""
        return self.tally.points / self.tally.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the rate [Wilson1927]."""
        return self.tally.interval()

    @property
    def elo(self) -> float:
        """The difference of ratings at which this rate is expected; infinite if all games were won or lost."""
        return elo_from_rate(self.rate)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the difference of ratings."""
        low, high = self.interval
        return elo_from_rate(low), elo_from_rate(high)

    def __repr__(self) -> str:
        low, high = self.interval
        games = f"{self.tally.games} game{'' if self.tally.games == 1 else 's'}"
        rate = f"rate {self.rate:.3f} ({low:.3f} to {high:.3f})"
        return f"<MatchResult: {self.first} v {self.second}, {games}, {rate}, Elo {signed(self.elo)}>"

    def __str__(self) -> str:
        """A table with a header and one row."""
        low, high = self.interval
        row = {
            "match": f"{self.first} v {self.second}",
            "games": str(self.tally.games),
            "won": str(self.tally.wins),
            "drawn": str(self.tally.draws),
            "lost": str(self.tally.losses),
            "rate": percent(self.rate),
            "95 % interval": f"{percent(low)} to {percent(high)}",
            "Elo": signed(self.elo),
        }
        widths = [max(len(title), len(text)) for title, text in row.items()]
        return "\n".join(
            "  ".join(f"{text:>{width}}" for text, width in zip(line, widths, strict=True))
            for line in (row.keys(), row.values())
        )
