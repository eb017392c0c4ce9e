"""Tournaments, described in a TOML file: see EXAMPLE."""

from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import combinations
from pathlib import Path
from typing import Any

from tengen.arena.limits import checked_games
from tengen.arena.plans import Conditions, Entrant, Pairing, read_openings, simple_conditions
from tengen.arena.rows import is_rating
from tengen.errors import TengenError, shortened
from tengen.files import Unreadable, parse_toml, read_text
from tengen.games.catalogue import DEFAULT_GAME, game_names, make_game
from tengen.games.clock import TimeControl
from tengen.plugins import load_plugin

EXAMPLE = f"""\
# A tournament. File names are relative to the folder of this file.
kind = "round-robin"            # every player meets every other; or "gauntlet", or "playoff"
games = 100                     # per pairing, colours alternating
# challengers = ["rave"]        # gauntlet: these meet all other players

# Optional:
seed = 1                        # another seed gives other games
random_moves = 4                # random opening moves, the same for two games; or a file with one opening per line:
# openings = "openings.txt"
# clock = "1m+2s"               # or 10m, 1m+5x10s (byo-yomi), 1m+25/5m (Canadian)
# referee = "gnugo:level=0"     # counts finished games with final_score; default: the rules
# move_limit = 1000             # after this many moves the board is counted as it is
# analysis = true               # record the search results of every move
# store = "rave.sqlite"         # default: the name of this file with the suffix .sqlite
# plugins = ["mine.py"]         # Python files with parts of your own
# lines = "games.jsonl"         # also read games from this file of JSON lines, and write them to it at the end

[game]
name = "go"                     # one of: {", ".join(game_names())}
size = 9
komi = 7.5

[players]                       # 'tengen players' lists the names
uct = "uct:simulations=500"
rave = "mc-rave:simulations=500"
gnugo = "gnugo:level=0"
# other = "gtp:command='engine --its flags'"

[anchors]                       # optional: fixed ratings
gnugo = 1800

# [[matchups]]                  # playoff: who meets whom
# players = ["rave", "gnugo"]
# games = 50
"""

KINDS = ("round-robin", "gauntlet", "playoff")
KEYS: dict[str, type | tuple[type, ...]] = {
    "kind": str, "games": int, "store": str, "lines": str, "clock": str, "openings": str, "challengers": list,
    "game": dict, "players": dict, "anchors": dict, "matchups": list, "plugins": list, **simple_conditions(),
}  # fmt: skip


class BadTournament(TengenError):
    """A tournament file that is not valid."""


@dataclass(frozen=True)
class Tournament:
    """Pairings to play, the files for their games, and fixed ratings."""

    pairings: list[Pairing]
    store: Path
    lines: Path | None = None
    anchors: dict[str, float] = field(default_factory=dict)

    def with_games(self, games: int) -> "Tournament":
        """The same with another number of games in every pairing."""
        return replace(self, pairings=[replace(pairing, games=games) for pairing in self.pairings])


def read_tournament(file: Path) -> Tournament:
    """Read a tournament from a TOML file; raise BadTournament if it is not valid."""
    try:
        text = read_text(file)
    except Unreadable as error:
        raise BadTournament(str(error)) from None
    try:
        return tournament_of(parse_toml(text), file.parent, file.stem)
    except TengenError as error:
        raise BadTournament(f"in {shortened(file.name, 80)}: {error}") from None


def tournament_of(described: dict[str, Any], folder: Path, stem: str) -> Tournament:
    """Make a tournament from a parsed TOML table; `folder` is the base of relative file names.

    The default name of the store is `stem` with the suffix .sqlite. Raises TengenError if the table is not valid.
    """
    _check(described, KEYS, "a tournament")
    for plugin in described.get("plugins", []):
        load_plugin(folder / _text(plugin, "a plugin"))
    if len(described.get("players", {})) < 2:
        raise TengenError("a tournament needs at least two players under [players]")
    entrants = {name: Entrant.of(_text(text, f"player {name}"), name) for name, text in described["players"].items()}
    conditions = Conditions(
        game=_game(described.get("game", {})),
        clock=TimeControl.parse(described["clock"]) if "clock" in described else None,
        openings=read_openings(folder / described["openings"]) if "openings" in described else (),
        **{key: described[key] for key in simple_conditions() if key in described},
    )
    pairings = [
        Pairing(_entrant(entrants, first), _entrant(entrants, second), conditions, checked_games(games))
        for first, second, games in _matchups(described, list(entrants))
    ]
    names = [frozenset((pairing.first.name, pairing.second.name)) for pairing in pairings]
    if len(set(names)) < len(names):
        raise TengenError("two players meet in more than one matchup: use one matchup with more games")
    anchors = described.get("anchors", {})
    for name, elo in anchors.items():
        _entrant(entrants, name)
        if not is_rating(elo):
            raise TengenError(f"the anchor {name} must be a rating, as in {name} = 1800, not {shortened(elo)}")
    return Tournament(
        pairings,
        folder / described.get("store", f"{stem}.sqlite"),
        folder / described["lines"] if "lines" in described else None,
        anchors,
    )


def _matchups(described: dict[str, Any], names: list[str]) -> list[tuple[str, str, int]]:
    """Return (first player, second player, number of games) of each pairing."""
    kind, games = described.get("kind", KINDS[0]), described.get("games", 100)
    if kind not in KINDS:
        raise TengenError(f"unknown kind of tournament {shortened(kind)}; choose from: {', '.join(KINDS)}")
    for key, owner in (("challengers", "gauntlet"), ("matchups", "playoff")):
        if (key in described) != (kind == owner):
            raise TengenError(f"{key} is required in a {owner} and not allowed in other kinds")
    if kind == "round-robin":
        return [(first, second, games) for first, second in combinations(names, 2)]
    if kind == "gauntlet":
        challengers = described["challengers"]
        return [(first, second, games) for first in challengers for second in names if second not in challengers]
    listed = []
    for matchup in described["matchups"]:
        _check(matchup, {"players": list, "games": int}, "a matchup")
        if len(matchup.get("players", ())) != 2:
            raise TengenError('a matchup needs two players, as in players = ["uct", "rave"]')
        listed.append((*matchup["players"], matchup.get("games", games)))
    return listed


def _game(described: dict[str, Any]) -> Any:
    options = dict(described)
    return make_game(options.pop("name", DEFAULT_GAME), options.pop("size", None), **options)


def _entrant(entrants: dict[str, Entrant], name: Any) -> Entrant:
    if name not in entrants:
        raise TengenError(f"unknown player {shortened(name)}; choose from: {', '.join(entrants)}")
    return entrants[name]


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise TengenError(f"{what} must be a string, as in 'uct:simulations=500', not {shortened(value)}")
    return value


def _check(described: Any, keys: dict[str, Any], what: str) -> None:
    """Raise TengenError for unknown keys and for values of the wrong type."""
    if not isinstance(described, dict):
        raise TengenError(f"{what} must be a table, not {shortened(described)}")
    for key, value in described.items():
        if key not in keys:
            near = get_close_matches(key, keys, n=1, cutoff=0.6)
            hint = f" (did you mean {near[0]}?)" if near else ""
            raise TengenError(f"unknown key {shortened(key)} of {what}{hint}; choose from: {', '.join(keys)}")
        if not isinstance(value, keys[key]) or (keys[key] is int and isinstance(value, bool)):
            kinds = {str: "a string", int: "an integer", bool: "true or false", list: "a list", dict: "a table"}
            raise TengenError(f"{key} must be {kinds[keys[key]]}, not {shortened(value)}")
