"""`tengen play`: play a game against a player in the terminal."""

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
            f"Your opponent ('tengen players' lists the names). Default: the game's default player, with "
            f"{DEFAULT_SECONDS} seconds per move."
        ),
    ] = "",
    level: Level = None,
    handicap: Annotated[
        int,
        typer.Option(
            min=0,
            max=9,
            help="Number of handicap stones, in games that have them; komi is then 0.5 unless --komi is given.",
        ),
    ] = 0,
    colour: Annotated[str, typer.Option(help="Your colour: black, white, both, or none to watch.")] = "black",
    time: Annotated[
        str,
        typer.Option(
            "--time",
            "--clock",
            help="Time of each side: 10m, 1m+5x10s (byo-yomi), 1m+25/5m (Canadian) or 1m+2s (Fischer).",
        ),
    ] = "",
    moves: Annotated[str, typer.Option(help="Moves to play before the game starts, as in 'E5 C3'.")] = "",
    load: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Continue the game in this record (Go: FILE.sgf).")
    ] = None,
) -> None:
    """Play a game against a player in the terminal.

    At the prompt, enter a move in the coordinates of the board, or a command: take moves back, get a hint, change
    sides, save the game. 'help' lists the commands.
    """
    from tengen.errors import TengenError, shortened
    from tengen.games.catalogue import make_game
    from tengen.games.clock import TimeControl
    from tengen.interfaces.terminal import SIDES, TerminalGame, records_of
    from tengen.players import parse_player

    if colour not in SIDES:
        raise TengenError(f"unknown colour {shortened(colour)}; choose from: {', '.join(SIDES)}")
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
    print(f"{whom[colour]}. Enter 'help' for a list of commands.")
    TerminalGame(position, spec, colour, control).run()
