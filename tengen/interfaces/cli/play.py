"""`tengen play`: a game against a player, in the terminal."""

from pathlib import Path
from typing import Annotated

import typer

from tengen.interfaces.cli.options import (
    DEFAULT_GAME,
    DEFAULT_SECONDS,
    GameName,
    Komi,
    Level,
    Size,
    check_player_or_level,
    player_option,
)
from tengen.levels import LEVELS_PER_GAME

HANDICAP_KOMI = 0.5


def run(
    game: GameName = DEFAULT_GAME,
    size: Size = None,
    komi: Komi = None,
    player: Annotated[
        str,
        player_option(
            f"Who plays against you, as 'tengen players' describes them; if not said, one that is good at the "
            f"game and thinks {DEFAULT_SECONDS} seconds a move."
        ),
    ] = "",
    level: Level = None,
    handicap: Annotated[
        int,
        typer.Option(
            min=0, max=9, help="Handicap stones for Black, if the game has them; komi is then 0.5 unless given."
        ),
    ] = 0,
    colour: Annotated[str, typer.Option(help="Yours: black, white, both, or none to watch.")] = "black",
    time: Annotated[
        str,
        typer.Option(
            "--time",
            "--clock",
            help="For each side: 10m, or 1m+5x10s (byo-yomi), 1m+25/5m (Canadian), 1m+2s (Fischer).",
        ),
    ] = "",
    moves: Annotated[str, typer.Option(help="Begin after these moves, as in 'E5 C3'.")] = "",
    load: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with a game from a record (Go: FILE.sgf).")
    ] = None,
) -> None:
    """Play a game against a player, in the terminal.

    At the prompt write a move as the edges of the board name it, or 'help' for all that can be done: take moves back,
    ask for a hint, change sides, save the game.
    """
    from tengen.errors import TengenError, shortened
    from tengen.games.catalogue import make_game
    from tengen.games.clock import TimeControl
    from tengen.interfaces.terminal import SIDES, TerminalGame, records_of
    from tengen.players import parse_player

    if colour not in SIDES:
        raise TengenError(f"{shortened(colour)} is no side to play: there is {', '.join(SIDES)}")
    control = TimeControl.parse(time) if time else None
    check_player_or_level(player, level, "--player")
    if load is not None and handicap:
        raise TengenError("--load and --handicap exclude each other: a record has its own handicap")
    rules = make_game(game, size, komi=komi)
    position = rules.start()
    if handicap:
        position.place_fixed_handicap(handicap)
        if komi is None:
            position = position.under(make_game(game, size, komi=HANDICAP_KOMI))
    strongest = parse_player(rules.default_player)
    if not control:
        strongest = strongest.with_settings(seconds=float(DEFAULT_SECONDS))
    graded = f"level:number={level}" if level is not None and level < LEVELS_PER_GAME else ""
    spec = parse_player(player or graded) if player or graded else strongest
    if load is not None:
        position = records_of(rules).read(load)
    for move in moves.split():
        position.play(move)
    other = spec.on(position.game)
    whom = {"none": f"You watch {other}", "both": "You play both sides"}
    whom |= {side: f"You play {side} against {other}" for side in ("black", "white")}
    print(f"{whom[colour]}. 'help' at the prompt lists what you can write.")
    TerminalGame(position, spec, colour, control).run()
