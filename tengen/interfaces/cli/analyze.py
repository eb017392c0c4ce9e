"""`tengen analyze FILE.sgf`: how a game went, move by move."""

import json
from pathlib import Path
from typing import Annotated

import typer

from tengen.interfaces.cli.options import json_flag, player_option


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE.sgf", help="The record of a game of Go.")],
    player: Annotated[str, player_option("Who judges, as 'tengen players' describes them.")] = "tengen",
    seconds: Annotated[
        float,
        typer.Option(
            min=0.001, max=1e5, help="Seconds a move on average, unless the player's own settings limit its search."
        ),
    ] = 0.5,
    blunder: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="What of the win rate a move must cost to be called a blunder.")
    ] = 0.1,
    to: Annotated[
        Path | None,
        typer.Option(
            metavar="NAME", help="Write NAME.sgf and NAME.png; if not said, FILE-analysis.sgf and FILE-analysis.png."
        ),
    ] = None,
    as_json: Annotated[bool, json_flag("Print one JSON object instead of a table.")] = False,
) -> None:
    """Look at a game of Go move by move: Black's win rate after each move, how it changed, and the blunders.

    Two files are written: the record with a comment and a win rate at every move (Sabaki draws them as a graph) and,
    where the search prefers another move, its line as a variation; and a picture of the win rate, which needs
    matplotlib. More --seconds give better values; positions where the win rate jumps get more than the average.

    Example: tengen analyze game.sgf --seconds 5 --blunder 0.15
    """
    from rich.progress import Progress

    from tengen.errors import TengenError
    from tengen.files import write_whole
    from tengen.games.catalogue import make_game
    from tengen.interfaces import review
    from tengen.interfaces.terminal import records_of
    from tengen.players import parse_player
    from tengen.progress import progress_console, say
    from tengen.search.config import SearchConfig

    records = records_of(make_game())
    position = records.read(file)
    if not position.history:
        raise TengenError(f"there are no moves to look at in {file}")
    spec = parse_player(player).on(position.game)
    effort = None
    if isinstance(spec.config, SearchConfig):
        limits = review.Effort(spec.config.simulations, spec.config.seconds)
        effort = limits if limits != review.Effort() else review.Effort(seconds=seconds)
    judge = review.thinking(spec.make(position.game), position.game)
    console = progress_console()
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(f"{spec} looks at {file.name}", total=1.0)
        moves = review.review(position, judge, lambda done: progress.update(task, completed=done), effort)
    blunders = [move for move in moves if review.is_blunder(move, blunder)]
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
