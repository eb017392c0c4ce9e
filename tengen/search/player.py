"""A player that searches: position in, move out."""

from tengen.games.game import Game, GameError, Position
from tengen.search.analysis import Analysis, analyse, ranked, tried_values
from tengen.search.config import SearchConfig
from tengen.search.search import Search

RESIGN = "resign"


class SearchPlayer:
    """Plays by tree search. Keeps its tree from move to move of a game, and its last search to look into."""

    def __init__(self, config: SearchConfig, game: Game):
        self.config, self.game = config, game
        self.search = Search(config, game)

    def think(self, position: Position) -> None:
        """Search a position, as long as the config says."""
        if position.game != self.game:
            raise GameError(f"this player was made for {self.game}, not for {position.game}")
        if position.is_over:
            raise GameError("the game is over, so there is no move to choose")
        self.search.set_position(position)
        self.search.run(self.config.simulations)

    def choose(self, position: Position) -> str:
        """The move to play, or 'resign'."""
        self.think(position)
        values = tried_values(self.search)
        if values and max(values.values()) < self.config.resign:
            return RESIGN
        return self.game.format_move(self.game.reviewed(position, ranked(self.search), values))

    def analyse(self, position: Position, playouts: int = 0) -> Analysis:
        """Search a position and tell what was found; with playouts, also who owns what in the end."""
        self.think(position)
        return analyse(self.search, position, playouts)

    def new_game(self, seed: int | None = None) -> None:
        """Forget the last game; with a seed, begin the random numbers anew."""
        self.search.forget()
        if seed is not None:
            self.search.reseed(seed)
