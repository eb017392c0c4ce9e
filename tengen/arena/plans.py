"""Entrants, conditions, pairings and plans: everything that determines a game before it begins.

A pairing is two players under given conditions; its games are numbered from 0. A game's colours, opening and seed are
functions of its number, so that the same game results whenever and wherever it is played.
"""

import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from tengen.composed_config import settings_of
from tengen.errors import TengenError, shortened
from tengen.files import read_text
from tengen.games.catalogue import game_from_json, game_to_json
from tengen.games.clock import TimeControl
from tengen.games.game import Game
from tengen.players import PlayerSpec, parse_player

RULES = "rules"
"""Value of `Conditions.referee` for counting by the game's own rules."""

MOST_OPENING_TRIES = 1000
"""Attempts to find a random opening that does not end the game."""

MOVE_LIMIT = 1000
"""Moves after which the board is counted as it is, as in Silver's experiments. Normal games are less than half as
long."""


@dataclass(frozen=True)
class Entrant:
    """A player with its name in tables and files."""

    name: str
    spec: PlayerSpec

    @staticmethod
    def of(text: str, name: str = "") -> "Entrant":
        """Make an entrant from a player's description; the default name is the description in its shortest form."""
        spec = parse_player(text)
        return Entrant(name or str(spec), spec)

    @staticmethod
    def pair(first: PlayerSpec, second: PlayerSpec) -> "tuple[Entrant, Entrant]":
        """Return two players under their shortest descriptions; the second of two equal ones gets another name."""
        names = str(first), str(second)
        return Entrant(names[0], first), Entrant(f"{names[1]} (2)" if names[0] == names[1] else names[1], second)

    def to_json(self, game: Game) -> dict[str, Any]:
        """Return the full config with which it plays a game, so that later changes of defaults do not alter it."""
        spec = self.spec.on(game)
        settings = settings_of(spec.config)
        config = {key: str(value) if value == float("inf") else value for key, value in settings.items()}
        return {"name": self.name, "spec": str(spec), "config": config}


@dataclass(frozen=True)
class Conditions:
    """The conditions that both players share."""

    game: Game
    clock: TimeControl | None = None
    openings: tuple[str, ...] = ()
    """Moves played before the players move, one opening per pair of games, repeated cyclically."""
    random_moves: int = 0
    """Without openings: the number of random opening moves, drawn anew for each pair of games."""
    referee: str = RULES
    """Who counts a finished game: the rules, or a GTP player given by its description."""
    move_limit: int = MOVE_LIMIT
    seed: int = 1
    analysis: bool = False
    """Whether the players' searches are recorded."""

    def __post_init__(self) -> None:
        if self.random_moves < 0 or self.move_limit < 1:
            limits = f"not {self.random_moves} and {self.move_limit}"
            raise TengenError(f"random_moves must be >= 0 and move_limit >= 1, {limits}")
        if self.referee != RULES:
            parse_player(self.referee)
        for opening in self.openings:
            follow(self.game, opening)

    @property
    def are_paired(self) -> bool:
        """Whether games 2n and 2n + 1 have the same opening, and so are not independent."""
        return bool(self.openings or self.random_moves)

    def opening(self, number: int) -> tuple[str, ...]:
        """Return the opening moves of a game."""
        if self.openings:
            return tuple(self.openings[number // 2 % len(self.openings)].split())
        if self.random_moves:
            return _random_opening(self.game, self.random_moves, seed_of(self.seed, "opening", number // 2))
        return ()

    def to_json(self) -> dict[str, Any]:
        """Return everything that determines a game; `analysis`, which only adds to its record, is left out."""
        return {
            "game": game_to_json(self.game),
            "clock": None if self.clock is None else str(self.clock),
            "openings": list(self.openings),
            **{key: getattr(self, key) for key in simple_conditions() if key not in NOT_DETERMINING},
        }

    @staticmethod
    def from_json(described: dict[str, Any]) -> "Conditions":
        return Conditions(
            game=game_from_json(described["game"]),
            clock=None if described["clock"] is None else TimeControl.parse(described["clock"]),
            openings=tuple(described["openings"]),
            **{key: described[key] for key in simple_conditions() if key not in NOT_DETERMINING},
        )


NOT_DETERMINING = ("analysis",)
"""Conditions that only add to a game's record, and so are not stored with the pairing."""


def simple_conditions() -> dict[str, type]:
    """Return the conditions that are a text, a number or a truth value, with their types."""
    return {entry.name: type(entry.default) for entry in fields(Conditions) if type(entry.default) in (str, int, bool)}


@dataclass(frozen=True)
class Pairing:
    """Two players and a number of games. The first player is Black in games with even numbers."""

    first: Entrant
    second: Entrant
    conditions: Conditions
    games: int

    def __post_init__(self) -> None:
        if self.first.name == self.second.name:
            raise TengenError(f"both players are named {shortened(self.first.name)}: give one of them another name")

    @property
    def name(self) -> str:
        return f"{self.first.name} v {self.second.name}"

    def settings(self) -> dict[str, Any]:
        """Return all settings as JSON values; games of pairings with equal settings are comparable."""
        first, second = (entrant.to_json(self.conditions.game) for entrant in (self.first, self.second))
        return {"first": first, "second": second, **self.conditions.to_json()}

    def plan(self, number: int) -> "Plan":
        black, white = (self.first, self.second) if number % 2 == 0 else (self.second, self.first)
        return Plan(
            id=f"{self.name} #{number}",
            pairing=self.name,
            number=number,
            black=black,
            white=white,
            conditions=self.conditions,
            opening=self.conditions.opening(number),
            seed=seed_of(self.conditions.seed, self.name, number),
        )

    def plans(self) -> Iterator["Plan"]:
        return map(self.plan, range(self.games))


@dataclass(frozen=True)
class Plan:
    """One game to be played."""

    id: str
    pairing: str
    number: int
    black: Entrant
    white: Entrant
    conditions: Conditions = field(repr=False)
    opening: tuple[str, ...]
    seed: int

    def player_seed(self, colour: str) -> int:
        return seed_of(self.seed, colour)


def seed_of(*parts: object) -> int:
    """Return a hash of the parts from 0 to 2^31 - 1."""
    digest = hashlib.sha256("/".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:4], "little") >> 1


def fingerprint(described: dict[str, Any]) -> str:
    """Return a short hash of a JSON object."""
    return hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()[:8]


@lru_cache(maxsize=10_000)
def follow(game: Game, opening: str) -> None:
    """Check that an opening is legal and does not end the game; raise TengenError if not."""
    position = game.start()
    for move in opening.split():
        position.play(move)
    if position.is_over:
        raise TengenError(f"the opening {shortened(opening)} ends the game")


@cache
def _random_opening(game: Game, moves: int, seed: int) -> tuple[str, ...]:
    """Return random legal moves, without passes and swaps, that do not end the game."""
    chance = random.Random(seed)
    for _ in range(MOST_OPENING_TRIES):
        position = game.start()
        for _ in range(moves):
            choices = [move for move in position.legal_moves() if move not in ("pass", "swap")]
            if not choices:
                break
            position.play(chance.choice(choices))
            if position.is_over:
                break
        else:
            return tuple(played.notation for played in position.history)
        if moves >= game.longest_playout:
            break
    raise TengenError(f"{shortened(moves)} random moves always end the game: use fewer")


def read_openings(file: Path) -> tuple[str, ...]:
    """Read openings from a file: one per line, moves separated by spaces; `#` starts a comment."""
    lines = tuple(" ".join(line.partition("#")[0].split()) for line in read_text(file).splitlines())
    if not any(lines):
        raise TengenError(f"{shortened(file, 160)} contains no opening")
    return tuple(line for line in lines if line)
