"""`tengen players`: who there is to play, and how each can be changed."""

import json
import textwrap
from typing import Annotated

import typer

NAME = "players"


def run(
    player: Annotated[str, typer.Argument(help="Show this one only, as in 'mc-rave' or 'mc-rave:bias=0.05'.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print all players and keys as one JSON object.")] = False,
) -> None:
    """List the players and their settings.

    A player is described by a name, and settings that differ from what the name stands for:
    NAME or NAME:key=value,key=value, as in mc-rave:simulations=10000,bias=0.05.
    """
    from tengen.players import PRESETS, parse_player, schema

    described = schema()
    if as_json:
        print(json.dumps(described, indent=1))
        return
    if player:
        spec = parse_player(player)
        print(f"{spec.name}: {spec.meaning}\n")
        for key, about in described[spec.name]["keys"].items():
            value = getattr(spec.config, key)
            shown = (
                str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else value
            )
            choices = f" ({', '.join(about['choices'])})" if "choices" in about else ""
            first, *rest = textwrap.wrap(about["meaning"] + choices, 80)
            print(f"  {key + '=' + str(shown):<26} {first}")
            for line in rest:
                print(f"  {'':<26} {line}")
        return
    for preset in PRESETS.values():
        print(f"{preset.name:<16} {preset.meaning}")
    print("\n'tengen players NAME' shows a player's settings. To change some: NAME:key=value,key=value")
