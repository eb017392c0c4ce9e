"""Tournaments, described in a TOML file: see EXAMPLE."""

from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import combinations
from pathlib import Path
from typing import Any

from tengen.arena.limits import MOST_GAMES
from tengen.arena.plans import Conditions, Entrant, Pairing, read_openings
from tengen.arena.rows import is_rating
from tengen.errors import TengenError, shortened
from tengen.files import Unreadable, parse_toml, read_text
from tengen.games.catalogue import DEFAULT_GAME, game_names, make_game
from tengen.games.clock import TimeControl
from tengen.plugins import load_plugin

EXAMPLE = f"""\
# A tournament. Files are named as seen from the folder of this one.
kind = "round-robin"            # everybody meets everybody; or "gauntlet", or "playoff"
games = 100                     # a pairing, colours alternating
# challengers = ["rave"]        # gauntlet: these meet all the others

# Optional:
seed = 1                        # another seed, other games
random_moves = 4                # before each pair of games; or a file with a line of moves for each pair:
# openings = "openings.txt"
# clock = "1m+2s"               # or 10m, 1m+5x10s (byo-yomi), 1m+25/5m (Canadian)
# referee = "gnugo:level=0"     # who counts, by final_score; without one, the rules do
# move_limit = 1000             # after so many moves a game is counted as it stands
# analysis = true               # record what searches find at every move
# store = "rave.sqlite"         # by default, this file's name with the ending .sqlite
# plugins = ["mine.py"]         # Python files with parts of your own
# lines = "games.jsonl"         # games are also read from, and at the end written to, lines of JSON

[game]
name = "go"                     # one of: {", ".join(game_names())}
size = 9
komi = 7.5

[players]                       # tengen players lists them
uct = "uct:simulations=500"
rave = "mc-rave:simulations=500"
gnugo = "gnugo:level=0"
# other = "gtp:command='engine --its flags'"

[anchors]                       # optional: ratings that are given
gnugo = 1800

# [[matchups]]                  # playoff: who meets whom
# players = ["rave", "gnugo"]
# games = 50
"""

KINDS = ("round-robin", "gauntlet", "playoff")
KEYS: dict[str, type | tuple[type, ...]] = {
    "kind": str, "games": int, "store": str, "lines": str, "seed": int, "clock": str, "openings": str,
    "random_moves": int, "referee": str, "move_limit": int, "analysis": bool, "challengers": list,
    "game": dict, "players": dict, "anchors": dict, "matchups": list, "plugins": list,
}  # fmt: skip


class BadTournament(TengenError):
    """A description of a tournament that cannot be understood."""


@dataclass(frozen=True)
class Tournament:
    """Pairings to play, where their games are kept, and ratings that are given."""

    pairings: list[Pairing]
    store: Path
    lines: Path | None = None
    anchors: dict[str, float] = field(default_factory=dict)

    def with_games(self, games: int) -> "Tournament":
        """The same with another number of games in every pairing."""
        return replace(self, pairings=[replace(pairing, games=games) for pairing in self.pairings])


def read_tournament(file: Path) -> Tournament:
    """The tournament that a file describes; BadTournament, with what is wrong, if it describes none."""
    try:
        text = read_text(file)
    except Unreadable as error:
        raise BadTournament(str(error)) from None
    try:
        return tournament_of(parse_toml(text), file.parent, file.stem)
    except TengenError as error:
        raise BadTournament(f"in {shortened(file.name, 80)}: {error}") from None


def tournament_of(described: dict[str, Any], folder: Path, stem: str) -> Tournament:
    """The tournament that a dictionary describes, whose files are in a folder."""
    _check(described, KEYS, "a tournament")
    for plugin in described.get("plugins", []):
        load_plugin(folder / _text(plugin, "a plugin"))
    if len(described.get("players", {})) < 2:
        raise TengenError("a tournament needs two or more players, under [players]")
    entrants = {name: Entrant.of(_text(text, f"player {name}"), name) for name, text in described["players"].items()}
    conditions = Conditions(
        game=_game(described.get("game", {})),
        clock=TimeControl.parse(described["clock"]) if "clock" in described else None,
        openings=read_openings(folder / described["openings"]) if "openings" in described else (),
        **{
            key: described[key]
            for key in ("random_moves", "referee", "move_limit", "seed", "analysis")
            if key in described
        },
    )
    pairings = [
        Pairing(_entrant(entrants, first), _entrant(entrants, second), conditions, _positive(games))
        for first, second, games in _matchups(described, list(entrants))
    ]
    names = [frozenset((pairing.first.name, pairing.second.name)) for pairing in pairings]
    if len(set(names)) < len(names):
        raise TengenError("two players meet in more than one matchup: let them play more games in one")
    anchors = described.get("anchors", {})
    for name, elo in anchors.items():
        _entrant(entrants, name)
        if not is_rating(elo):
            raise TengenError(f"an anchor is a rating, as in {name} = 1800, not {shortened(elo)}")
    return Tournament(
        pairings,
        folder / described.get("store", f"{stem}.sqlite"),
        folder / described["lines"] if "lines" in described else None,
        anchors,
    )


def _matchups(described: dict[str, Any], names: list[str]) -> list[tuple[str, str, int]]:
    """Who meets whom, and in how many games."""
    kind, games = described.get("kind", KINDS[0]), described.get("games", 100)
    if kind not in KINDS:
        raise TengenError(f"there is no kind {shortened(kind)} of tournament: there is {', '.join(KINDS)}")
    for key, owner in (("challengers", "gauntlet"), ("matchups", "playoff")):
        if (key in described) != (kind == owner):
            raise TengenError(f"{key} must be listed in a {owner}, and nowhere else")
    if kind == "round-robin":
        return [(first, second, games) for first, second in combinations(names, 2)]
    if kind == "gauntlet":
        challengers = described["challengers"]
        return [(first, second, games) for first in challengers for second in names if second not in challengers]
    listed = []
    for matchup in described["matchups"]:
        _check(matchup, {"players": list, "games": int}, "a matchup")
        if len(matchup.get("players", ())) != 2:
            raise TengenError('a matchup names two players, as in players = ["uct", "rave"]')
        listed.append((*matchup["players"], matchup.get("games", games)))
    return listed


def _game(described: dict[str, Any]) -> Any:
    options = dict(described)
    return make_game(options.pop("name", DEFAULT_GAME), options.pop("size", None), **options)


def _entrant(entrants: dict[str, Entrant], name: Any) -> Entrant:
    if name not in entrants:
        raise TengenError(f"there is no player {shortened(name)}: there is {', '.join(entrants)}")
    return entrants[name]


def _positive(games: Any) -> int:
    if type(games) is not int or not 1 <= games <= MOST_GAMES:
        raise TengenError(f"games is an integer from 1 to {MOST_GAMES:,}, not {shortened(games)}")
    return games


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise TengenError(f"{what} is described by a text, as in 'uct:simulations=500', not by {shortened(value)}")
    return value


def _check(described: Any, keys: dict[str, Any], what: str) -> None:
    """Refuse keys that there are not, and values of the wrong kind."""
    if not isinstance(described, dict):
        raise TengenError(f"{what} is described by keys and values, not by {shortened(described)}")
    for key, value in described.items():
        if key not in keys:
            near = get_close_matches(key, keys, n=1, cutoff=0.6)
            hint = f" (did you mean {near[0]}?)" if near else ""
            raise TengenError(f"{what} has no key {shortened(key)}{hint}: it has {', '.join(keys)}")
        if not isinstance(value, keys[key]) or (keys[key] is int and isinstance(value, bool)):
            kinds = {str: "a text", int: "a whole number", bool: "true or false", list: "a list", dict: "a table"}
            raise TengenError(f"{key} is {kinds[keys[key]]}, not {shortened(value)}")
