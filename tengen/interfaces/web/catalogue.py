"""The catalogue of games and players, for forms: everything comes from the games and from the registry of parts."""

import math
from dataclasses import MISSING, Field, fields, replace
from functools import cache
from typing import Any, Literal

from tengen.composed_config import ComposedConfig, choices_of, entries_of, settings_of
from tengen.games.catalogue import DEFAULT_GAME, game_class, game_names
from tengen.games.game import Game
from tengen.interfaces.web.chosen_players import has_searches, is_free_text, is_program
from tengen.interfaces.web.messages import OptionValue
from tengen.interfaces.web.resources import Catalogue, Condition, Family, GameEntry, Option, Part, Preset
from tengen.options import Needs
from tengen.players import PRESETS, LevelConfig, PlayerSpec, PolicyConfig
from tengen.players import Preset as PlayerPreset
from tengen.registry import PLURALS, parts
from tengen.search.config import SearchConfig
from tengen.search.flat_config import AmafConfig, FlatConfig

FAMILIES: dict[type, str] = {
    SearchConfig: "search",
    FlatConfig: "flat",
    AmafConfig: "amaf",
    PolicyConfig: "policy",
    LevelConfig: "level",
}
TYPES: dict[type, Literal["boolean", "integer", "number", "text"]] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "text",
}


def catalogue(*, arena: bool, reports: bool) -> Catalogue:
    """Return the catalogue of a server with or without stored games and reports."""
    presets = [preset for preset in PRESETS.values() if type(preset.config) in FAMILIES]
    assert not any(is_program(PlayerSpec(preset.name, preset.config)) for preset in presets)
    return Catalogue(
        games=[_game(name) for name in game_names()],
        presets=[_preset(preset) for preset in presets],
        families=[_family(kind) for kind in FAMILIES],
        parts={kind: [_part(part) for part in parts(kind).values()] for kind in PLURALS if kind != "game"},
        default_game=DEFAULT_GAME,
        arena=arena,
        reports=reports,
    )


@cache
def _game(name: str) -> GameEntry:
    kind = game_class(name)
    usual = kind()
    size = kind.board_size
    boards = [replace(usual, **{size.field: value}) for value in size.values] if size else [usual]
    records = kind.records()
    return GameEntry(
        name=name,
        meaning=kind.meaning,
        sizes=list(size.values) if size else [],
        size=usual.size_value if size else None,
        size_texts=[board.board_text for board in boards],
        options=[
            _option(entry) for entry in fields(kind) if entry.default is not MISSING and not _is_size(kind, entry)
        ],
        handicaps=[board.start().most_handicap for board in boards] if kind.has_handicap else [0] * len(boards),
        records=records.name if records else None,
        record_suffix=records.suffix if records else None,
        default_player=usual.default_player,
        levels=len(usual.levels),
    )


def _is_size(kind: type[Game], entry: Field) -> bool:
    return kind.board_size is not None and entry.name == kind.board_size.field


def _option(entry: Field) -> Option:
    """Return an option made by `option`, or, for a game of a plugin, a plain field with a default."""
    about = entry.metadata
    choices = choices_of(entry) if about else []
    return Option(
        name=entry.name,
        type=TYPES.get(type(entry.default), "text"),
        default=_value(entry.default),
        meaning=about.get("meaning", ""),
        low=_limit(about.get("low")),
        high=_limit(about.get("high")),
        choices=choices or None,
        words=list(about.get("words", ())) or None,
        part=about.get("part") or None,
        needs=_conditions(about.get("needs", {})),
    )


def _value(value: Any) -> OptionValue:
    """Return a value of an option as JSON has it."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, bool | int | float | str) else str(value)


def _limit(limit: float | None) -> float | None:
    return None if limit is None or not math.isfinite(limit) else float(limit)


def _conditions(needs: Needs) -> tuple[Condition, ...]:
    return tuple(
        Condition(option=key, at_least=wanted.start)
        if isinstance(wanted, range)
        else Condition(option=key, values=[_value(value) for value in wanted])
        for key, wanted in needs.items()
    )


def _options(found: list[Field]) -> list[Option]:
    """Return the options that a page may set: not those that may name a file, nor the number of threads."""
    return [_option(entry) for entry in found if not is_free_text(entry) and entry.name != "threads"]


def _part(part: Any) -> Part:
    return Part(
        name=part.name, meaning=part.meaning, game=part.game or None, options=_options(list(fields(part.options)))
    )


def _family(kind: type) -> Family:
    is_composed = issubclass(kind, ComposedConfig)
    own = fields(kind.own) if is_composed else fields(kind)  # type: ignore[attr-defined]
    unused = list(kind.unused) if is_composed else []  # type: ignore[attr-defined]
    return Family(name=FAMILIES[kind], options=_options(list(own)), unused=unused)


def _preset(preset: PlayerPreset) -> Preset:
    spec, entries = PlayerSpec(preset.name, preset.config), entries_of(preset.config)
    config = preset.config
    games = {part.game for part in config.parts() if part.game} if isinstance(config, ComposedConfig) else set()
    return Preset(
        name=preset.name,
        meaning=preset.meaning,
        family=FAMILIES[type(config)],
        searches=has_searches(spec),
        has_tree=isinstance(config, SearchConfig),
        game=min(games, default=None),
        settings={
            key: _value(value)
            for key, value in settings_of(config).items()
            if not is_free_text(entries[key]) and key != "threads"
        },
        defaults={key: _value(value) for key, value in preset.defaults.items()},
    )
