"""`tengen players`: list the players and their settings."""

import json
import shutil
import textwrap
from typing import Annotated, Any

from tengen.interfaces.cli.options import json_flag, player_argument

WIDEST = 110
"""Maximum width of a line in columns; less in a narrower terminal."""
NAMES, SETTINGS = 16, 28
"""Widths of the columns of player names and of settings, with their indentation."""


def run(
    player: Annotated[
        str, player_argument("Show the settings of this player, as in 'mc-rave' or 'mc-rave:bias=0.05'.")
    ] = "",
    as_json: Annotated[bool, json_flag("Print all players and keys as one JSON object.")] = False,
) -> None:
    """List the players and their settings.

    A player is described by a name and by settings that differ from its defaults:
    NAME or NAME:key=value,key=value, as in mc-rave:simulations=10000,bias=0.05.
    """
    from tengen.composed_config import choices_of, entries_of, settings_of
    from tengen.players import PRESETS, parse_player, schema

    if as_json:
        print(json.dumps(schema(), indent=1))
        return
    if player:
        spec = parse_player(player)
        _print_wrapped(f"{spec.name}: {spec.meaning}")
        print()
        entries = entries_of(spec.config)
        for key, value in settings_of(spec.config).items():
            choices = f" ({', '.join(choices_of(entries[key]))})" if choices_of(entries[key]) else ""
            _print_item(f"  {key}={_shown(value)}", entries[key].metadata["meaning"] + choices, SETTINGS)
        return
    for preset in PRESETS.values():
        _print_item(preset.name, preset.meaning, NAMES)
    print()
    _print_wrapped("'tengen players NAME' shows a player's settings. To change some: NAME:key=value,key=value")


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def _print_item(name: str, meaning: str, column: int) -> None:
    """Print a name and, starting at a column, its meaning; below the name if that is too long."""
    if len(name) > column:
        print(name)
        name = ""
    _print_wrapped(f"{name:<{column}} {meaning}", " " * (column + 1))


def _print_wrapped(text: str, indent: str = "") -> None:
    """Print a text wrapped to the terminal's width; continuation lines get `indent`."""
    width = min(WIDEST, max(40, shutil.get_terminal_size().columns))
    for line in textwrap.wrap(text, width, subsequent_indent=indent, break_on_hyphens=False):
        print(line)
