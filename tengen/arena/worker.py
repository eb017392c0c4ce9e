"""Who plays games in a worker process: keeps players from game to game, so that engines and trees stay warm."""

from collections import OrderedDict

from tengen.arena.match import PlayedGame, play_game
from tengen.arena.plans import RULES, Conditions, Entrant, Pairing, Plan
from tengen.composed_config import settings_of
from tengen.engines.gtp_player import GtpPlayer
from tengen.errors import TengenError
from tengen.games.game import COLOURS, Game
from tengen.players import Player, PlayerSpec, parse_player

KEPT_PLAYERS = 6
"""Players that a worker keeps, the last used ones: each may hold a large tree."""


class GameWorker:
    """Plays the games of plans, one after the other."""

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
        """A player of a name, made when it is first needed. Equal ones of two names are two players."""
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
        """Let all engines quit."""
        while self._players:
            self._close(self._players.popitem()[1])

    def kill(self) -> None:
        """End all engines at once."""
        for player in list(self._players.values()):
            if isinstance(player, GtpPlayer):
                player.kill()


def _as_referee(player: Player | None) -> GtpPlayer | None:
    if player is not None and not isinstance(player, GtpPlayer):
        raise TengenError("only an engine that speaks GTP can be a referee, besides the rules")
    return player


def prepare(pairings: list[Pairing]) -> None:
    """Compile what the players need, in this process, before several would do it at the same time.

    By that, a player that cannot be made for its game (no such program, no such board) is known before the first game.
    """
    for conditions in {pairing.conditions for pairing in pairings}:
        _check_referee(conditions)
    entrants = {
        (entrant.spec, pairing.conditions.game) for pairing in pairings for entrant in (pairing.first, pairing.second)
    }
    for spec, game in entrants:
        make_ready(spec, game)


def make_ready(spec: PlayerSpec, game: Game) -> None:
    """Compile what a player of ours needs for a game, by letting a small one choose a move."""
    player = _made_small(spec.on(game)).make(game)
    if not isinstance(player, GtpPlayer):
        position = game.start()
        position.play(player.choose_number(position))


def _made_small(spec: PlayerSpec) -> PlayerSpec:
    """The same player with the least of simulations and memory, which must not make it give up."""
    known = settings_of(spec.config)
    small = {key: value for key, value in {"simulations": 1, "memory": 1, "resign": 0.0}.items() if key in known}
    return spec.with_settings(**small)


def _check_referee(conditions: Conditions) -> None:
    if conditions.referee != RULES:
        _as_referee(parse_player(conditions.referee).make(conditions.game))
