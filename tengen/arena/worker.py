"""The worker that plays games. It keeps its players between games, so that engines and memory are reused."""

from collections import OrderedDict

from tengen.arena.match import PlayedGame, play_game
from tengen.arena.plans import RULES, Conditions, Entrant, Pairing, Plan
from tengen.composed_config import settings_of
from tengen.engines.gnugo import GnuGoConfig
from tengen.engines.gtp_player import GtpConfig, GtpPlayer
from tengen.errors import TengenError
from tengen.games.game import COLOURS, Game
from tengen.players import Player, PlayerSpec, parse_player

KEPT_PLAYERS = 6
"""Number of most recently used players that a worker keeps: each may hold a large tree."""


class GameWorker:
    """Plays one game per plan."""

    def __init__(self) -> None:
        self._players: OrderedDict[tuple[str, str, Game], Player] = OrderedDict()

    def __call__(self, plan: Plan) -> PlayedGame:
        game = plan.conditions.game
        entrants = {"black": plan.black, "white": plan.white}
        players = {colour: self._player(entrants[colour].name, entrants[colour], game) for colour in COLOURS}
        referee = None
        if plan.conditions.referee != RULES:
            referee = self._player("the referee", Entrant.of(plan.conditions.referee), game)
        self._let_go()
        return play_game(plan, players, _as_referee(referee))

    def _player(self, role: str, entrant: Entrant, game: Game) -> Player:
        """Return the player of a role, made on first use. Two roles with equal settings get two players."""
        key = role, str(entrant.spec), game
        if key not in self._players:
            self._players[key] = entrant.spec.make(game)
        self._players.move_to_end(key)
        return self._players[key]

    def _let_go(self) -> None:
        while len(self._players) > KEPT_PLAYERS:
            self._close(self._players.popitem(last=False)[1])

    def _close(self, player: Player) -> None:
        if isinstance(player, GtpPlayer):
            player.close()

    def close(self) -> None:
        """Close all engines."""
        while self._players:
            self._close(self._players.popitem()[1])

    def kill(self) -> None:
        """Kill all engines."""
        for player in list(self._players.values()):
            if isinstance(player, GtpPlayer):
                player.kill()


def _as_referee(player: Player | None) -> GtpPlayer | None:
    if player is not None and not isinstance(player, GtpPlayer):
        raise TengenError("the referee must be a GTP engine or 'rules'")
    return player


def prepare(pairings: list[Pairing]) -> None:
    """Compile the players' kernels in this process, so that worker processes find them in the cache.

    Raises TengenError, before the first game, if a player cannot be made for its game (missing program, board size).
    """
    for conditions in {pairing.conditions for pairing in pairings}:
        _check_referee(conditions)
    entrants = {
        (entrant.spec, pairing.conditions.game) for pairing in pairings for entrant in (pairing.first, pairing.second)
    }
    for spec, game in entrants:
        make_ready(spec, game)


def make_ready(spec: PlayerSpec, game: Game) -> None:
    """Compile the kernels of a player for a game by making one move with minimal settings. Engines are only made."""
    spec = spec.on(game)
    if isinstance(spec.config, GtpConfig | GnuGoConfig):
        spec.make(game)
        return
    position = game.start()
    position.play(_made_small(spec).make(game).choose_number(position))


def _made_small(spec: PlayerSpec) -> PlayerSpec:
    """Return the player with minimal simulations and memory, and without resignation."""
    known = settings_of(spec.config)
    small = {key: value for key, value in {"simulations": 1, "memory": 1, "resign": 0.0}.items() if key in known}
    return spec.with_settings(**small)


def _check_referee(conditions: Conditions) -> None:
    if conditions.referee != RULES:
        _as_referee(parse_player(conditions.referee).make(conditions.game))
