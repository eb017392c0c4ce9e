"""Players that evaluate moves by random games, without a tree."""

import time
from collections.abc import Callable

from tengen.games.game import Game, Position
from tengen.games.player import RESIGN
from tengen.search.analysis import Analysis, analyse_samples
from tengen.search.flat import SCORE
from tengen.search.flat_config import AMAF_SIMULATIONS, FLAT_SIMULATIONS, AmafConfig, FlatConfig
from tengen.search.sampling import MOST_GAMES, Sampling
from tengen.search.search_player import SearchingPlayer
from tengen.search.time_management import Allowance


class FlatPlayer(SearchingPlayer):
    """Plays the move with the best results in random games."""

    search: Sampling

    def __init__(self, config: FlatConfig | AmafConfig, game: Game, now: Callable[[], float] = time.perf_counter):
        usual = FLAT_SIMULATIONS if isinstance(config, FlatConfig) else AMAF_SIMULATIONS
        super().__init__(
            game, simulations=config.simulations, seconds=config.seconds, usual=usual, most=MOST_GAMES, now=now
        )
        self.config = config
        self.search = Sampling(config, game, now)

    def _begin(self, position: Position, simulations: int, allowance: Allowance) -> None:
        super()._begin(position, simulations, allowance)
        self.search.plan(simulations, allowance.planned)

    def best_number(self, position: Position) -> int:
        ranking = [move.number for move in self.search.moves()]
        if self.config.resign and self.search.hope(ranking[0]) < self.config.resign:
            return RESIGN
        review = self.game.reviewed_by_margin if self.search.objective == SCORE else self.game.reviewed
        return review(position, ranking, self.search.values())

    def analysis(self, position: Position, playouts: int = 0) -> Analysis:
        return analyse_samples(self.search, position, playouts)

    def new_game(self, seed: int | None = None) -> None:
        if seed is not None:
            self.search.reseed(seed)
