"""A player that searches: position in, move out."""

import time

from tengen.games.clock import Clock
from tengen.games.game import Game, GameError, Position
from tengen.search.analysis import Analysis, analyse, ranked, tried_values
from tengen.search.clock import Allowance, allot, think
from tengen.search.config import DEFAULT_SIMULATIONS, SearchConfig
from tengen.search.search import MOST_SIMULATIONS, Search

RESIGN = "resign"


class SearchPlayer:
    """Plays by tree search. Keeps its tree from move to move of a game, and its last search to look into."""

    def __init__(self, config: SearchConfig, game: Game):
        self.config, self.game = config, game
        self.search = Search(config, game)
        self._stopped = False
        self._overhead = 0.0

    def think(self, position: Position, clock: Clock | None = None) -> None:
        """Search a position as long as the config and the clock allow. Without any limit, a default number counts."""
        if position.game != self.game:
            raise GameError(f"this player was made for {self.game}, not for {position.game}")
        if position.is_over:
            raise GameError("the game is over, so there is no move to choose")
        allowance = Allowance(self.config.seconds, self.config.seconds) if self.config.seconds else Allowance()
        if clock is not None:
            timed = allot(clock, self.game.moves_to_go(position), self._overhead)
            allowance = Allowance(min(timed.planned, allowance.planned), min(timed.limit, allowance.limit))
        usual = MOST_SIMULATIONS if allowance.is_limited else DEFAULT_SIMULATIONS
        self._stopped = False
        self.search.set_position(position)
        think(self.search, self.config.simulations or usual, allowance, lambda: self._stopped)

    def stop(self) -> None:
        """Let a search that runs in another thread end soon, with the best move that it has found so far."""
        self._stopped = True

    def choose(self, position: Position, clock: Clock | None = None) -> str:
        """The move to play, or 'resign'; with a clock, in time."""
        began, searched = time.perf_counter(), self.search.seconds
        self.think(position, clock)
        move = self.best(position)
        self._note_overhead(time.perf_counter() - began - (self.search.seconds - searched))
        return move

    def best(self, position: Position) -> str:
        """The move to play by what the search, perhaps an interrupted one, knows of a position; or 'resign'."""
        values = tried_values(self.search)
        if values and max(values.values()) < self.config.resign:
            return RESIGN
        return self.game.format_move(self.game.reviewed(position, ranked(self.search, untried=False), values))

    def _note_overhead(self, seconds: float) -> None:
        """What a move takes besides its simulations, a little pessimistically: a clock must pay for it too."""
        self._overhead = max(min(seconds, 0.1), 0.9 * self._overhead)

    def analyse(self, position: Position, playouts: int = 0) -> Analysis:
        """Search a position and tell what was found; with playouts, also who owns what in the end."""
        self.think(position)
        return analyse(self.search, position, playouts)

    def new_game(self, seed: int | None = None) -> None:
        """Forget the last game; with a seed, begin the random numbers anew."""
        self.search.forget()
        if seed is not None:
            self.search.reseed(seed)
