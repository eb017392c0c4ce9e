"""`tengen analyze FILE`: how a game went, move by move, or how well the players of stored games moved."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tengen.interfaces.cli.options import json_flag, player_option

if TYPE_CHECKING:
    from tengen.arena.accuracy import Accuracy
    from tengen.players import PlayerSpec


def run(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="The record of a game of Go, or a file of games of a match or tournament."),
    ],
    player: Annotated[str, player_option("The reviewing player ('tengen players' lists the names).")] = "tengen",
    seconds: Annotated[
        float,
        typer.Option(
            min=0.001, max=1e5, help="Mean time per position in seconds, unless the player's settings limit its search."
        ),
    ] = 0.5,
    blunder: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Loss of win rate from which a move counts as a blunder.")
    ] = 0.1,
    to: Annotated[
        Path | None,
        typer.Option(
            metavar="NAME",
            help="For a record: write NAME.sgf and NAME.png. Default: FILE-analysis. For a file of games: write one "
            "line of CSV per game and player to NAME, and skip the games that it has.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="For a file of games: review the first N games of each pairing. Default: all."
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="For a file of games: number of worker processes. Default: one per core."
        ),
    ] = None,
    as_json: Annotated[bool, json_flag("Print one JSON object instead of a table.")] = False,
) -> None:
    """Review a game of Go move by move, or the players of stored games: win rates and blunders.

    Two files are written: the record with a comment and a win rate at every move (Sabaki draws them as a graph) and,
    where the search prefers another move, its line as a variation; and a picture of the win rate, which needs
    matplotlib. More --seconds give better values; positions where the win rate jumps get more than the average.

    For a file of games, a table shows the mean loss of win rate of each player's moves, and its share of blunders.

    Example: tengen analyze game.sgf --seconds 5 --blunder 0.15

    Example: tengen analyze games.sqlite --player tengen:simulations=20000 --games 4 --to review.csv
    """
    from tengen.arena.accuracy import is_games_file
    from tengen.errors import TengenError
    from tengen.players import parse_player

    spec = parse_player(player)
    if is_games_file(file):
        _review_store(
            file, spec, to=to, seconds=seconds, blunder=blunder, games=games or 0, workers=workers or 0, as_json=as_json
        )
        return
    if games is not None or workers is not None:
        raise TengenError("--games and --workers are for a file of games, not for the record of one game")
    _review_record(file, spec, to=to, seconds=seconds, blunder=blunder, as_json=as_json)


def _review_record(
    file: Path, spec: "PlayerSpec", *, to: Path | None, seconds: float, blunder: float, as_json: bool
) -> None:
    """Review one game of Go; write its record with comments and a picture, and print its moves."""
    from rich.progress import Progress

    from tengen.arena import game_review
    from tengen.arena.accuracy import effort_of
    from tengen.errors import TengenError
    from tengen.files import write_whole
    from tengen.games.catalogue import make_game
    from tengen.interfaces import review
    from tengen.interfaces.terminal import records_of
    from tengen.progress import progress_console, say

    records = records_of(make_game())
    position = records.read(file)
    if not position.history:
        raise TengenError(f"there are no moves to look at in {file}")
    spec = spec.on(position.game)
    judge = game_review.analysing(spec.make(position.game), position.game)
    console = progress_console()
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(f"{spec} looks at {file.name}", total=1.0)
        moves = game_review.review(
            position, judge, lambda done: progress.update(task, completed=done), effort_of(spec, seconds)
        )
    blunders = [move for move in moves if game_review.is_blunder(move, blunder)]
    stem = to or file.with_name(f"{file.stem}-analysis")
    record, picture = stem.with_name(f"{stem.name}{records.suffix}"), stem.with_name(f"{stem.name}.png")
    written = records.annotate(
        file,
        {move.number: review.remark(move, blunder) for move in moves},
        {move.number: move.black_after for move in moves},
        {move.number for move in blunders},
        review.better_lines(moves),
    )
    write_whole(record, written)
    files = {"record": str(record)}
    try:
        review.draw(moves, blunder, file.name, picture)
        files["picture"] = str(picture)
    except TengenError as error:
        say(f"tengen: no picture was written: {error}")
    if as_json:
        listed = [{**move.to_json(), "blunder": move in blunders} for move in moves]
        print(json.dumps({"file": str(file), "player": str(spec), "moves": listed, **files}))
        return
    print(f"{'move':>15}  Black  change")
    for move in moves:
        print(review.line(move, blunder))
    count = {colour: sum(move.colour == colour for move in blunders) for colour in ("black", "white")}
    print(f"Blunders: {count['black']} by Black, {count['white']} by White. Written: {', '.join(files.values())}")


def _review_store(
    file: Path,
    spec: "PlayerSpec",
    *,
    to: Path | None,
    seconds: float,
    blunder: float,
    games: int,
    workers: int,
    as_json: bool,
) -> None:
    """Review stored games on worker processes; keep what each says as it is known, and print a table of the players."""
    from functools import partial

    from rich.progress import Progress

    from tengen.arena.accuracy import (
        Reviewer,
        accuracies,
        accuracy_rows,
        by_player,
        first_games,
        missing_games,
        read_accuracies,
        review_games,
        write_accuracies,
    )
    from tengen.arena.game_review import analysing
    from tengen.arena.imports import read_store
    from tengen.arena.tables import text_table
    from tengen.arena.worker import make_ready
    from tengen.errors import TengenError, shortened
    from tengen.parallel import start
    from tengen.progress import progress_console, say

    with read_store(file) as store:
        stored = first_games(store, games)
    if not stored:
        raise TengenError(f"there are no games in {shortened(file, 160)}")
    known = read_accuracies(to) if to is not None and to.exists() else []
    waiting = missing_games(stored, known, blunder, str(spec))
    for board in {one.game for one in waiting}:
        analysing(spec.on(board).make(board), board)
        make_ready(spec, board)
    rows: list[Accuracy] = list(known)
    failures = 0
    console = progress_console()
    with (
        start("processes", workers) as backend,
        Progress(console=console, transient=True, disable=not console.is_terminal) as progress,
    ):
        task = progress.add_task(f"{spec} reviews games", total=len(waiting))
        for game, found in review_games(waiting, backend, partial(Reviewer, str(spec), seconds)):
            if isinstance(found, str):
                failures += 1
                say(f"tengen: {game.played.id} was not reviewed: {found}")
                continue
            rows += accuracies(game, found, blunder, str(spec))
            if to is not None:
                write_accuracies(to, rows)
            progress.advance(task)
    wanted = {one.played.id for one in stored}
    players = by_player([row for row in rows if row.id in wanted])
    if as_json:
        described = [player.to_json() for player in players]
        print(json.dumps({"file": str(file), "player": str(spec), "blunder": blunder, "players": described}))
    else:
        print(text_table(*accuracy_rows(players)))
    if failures:
        sys.exit(f"tengen: {failures} {'game was' if failures == 1 else 'games were'} not reviewed")
