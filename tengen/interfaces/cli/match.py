"""`tengen match A B`: play games between two players and compare their strength."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tengen.arena.limits import MOST_GAMES
from tengen.interfaces.cli.options import (
    DEFAULT_GAME,
    Address,
    GameName,
    GamesBackendName,
    GamesWorkers,
    Komi,
    Pool,
    RandomMoves,
    Seed,
    Size,
    json_flag,
    player_argument,
    player_option,
)

if TYPE_CHECKING:
    from tengen.arena.plans import Pairing
    from tengen.arena.runner import Run
    from tengen.arena.sprt import Sprt
    from tengen.arena.store import Store


def run(
    a: Annotated[
        str,
        player_argument("First player, as in mc-rave:simulations=500 ('tengen players' lists the names).", metavar="A"),
    ],
    b: Annotated[str, player_argument("Second player. Any GTP engine: gtp:command='engine --its flags'.", metavar="B")],
    game: GameName = DEFAULT_GAME,
    size: Size = None,
    komi: Komi = None,
    ko: Annotated[str | None, typer.Option(help="Ko rule of Go: simple, positional or situational.")] = None,
    games: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_GAMES,
            help="Number of games, colours alternating. Default: 100; with --sprt, until the test is decided.",
        ),
    ] = None,
    clock: Annotated[
        str,
        typer.Option(metavar="TIME", help="Time of each side: 10m, 1m+5x10s (byo-yomi), 1m+25/5m, 1m+2s (Fischer)."),
    ] = "",
    openings: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File with one opening per line, each played with both colours."),
    ] = None,
    random_moves: RandomMoves = 0,
    referee: Annotated[
        str, player_option("Who scores a finished game: 'rules', or the final_score of a GTP player.", metavar="PLAYER")
    ] = "rules",
    sprt: Annotated[
        str,
        typer.Option(
            metavar="ELO0,ELO1", help="Stop when a sequential test (SPRT) accepts one of two Elo differences."
        ),
    ] = "",
    seed: Seed = 1,
    workers: GamesWorkers = 0,
    backend: GamesBackendName = "processes",
    address: Address = "",
    store: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File for the games. Default: a file named after the match."),
    ] = None,
    keep: Annotated[
        bool, typer.Option(help="Store the games, so that the same command can continue the match.")
    ] = True,
    lines: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="JSON lines: read games from it at the start, write all games at the end."),
    ] = None,
    analysis: Annotated[bool, typer.Option("--analysis", help="Store the search statistics of every move.")] = False,
    as_json: Annotated[bool, json_flag("Print A's result as one JSON object.")] = False,
) -> None:
    """Play a match between two players.

    Every game is stored as it ends. If the match is interrupted or killed, the same command continues it; with more
    --games it plays the missing ones. The same seed gives the same games for any number of workers.

    An engine that crashes, hangs, gives an invalid answer, plays an illegal move or runs out of time loses that game.

    Examples: tengen match mc-rave:simulations=500 uct:simulations=500 --games 100 --size 9

    tengen match mc-rave gnugo:level=8 --komi 7.5 --sprt 0,50
    """
    from tengen.arena.live import LiveView
    from tengen.arena.plans import Conditions, Entrant, Pairing, read_openings
    from tengen.arena.runner import kept_in_lines, start_and_run
    from tengen.arena.sprt import Sprt
    from tengen.arena.store import Store
    from tengen.arena.tables import reasons_json
    from tengen.games.catalogue import make_game
    from tengen.games.clock import TimeControl
    from tengen.players import parse_player

    first, second = Entrant.pair(parse_player(a), parse_player(b))
    conditions = Conditions(
        game=make_game(game, size, komi=komi, ko=ko),
        clock=TimeControl.parse(clock) if clock else None,
        openings=read_openings(openings) if openings else (),
        random_moves=random_moves,
        referee=referee,
        seed=seed,
        analysis=analysis,
    )
    test = Sprt.parse(sprt) if sprt else None
    pairing = Pairing(first, second, conditions, games or (MOST_GAMES if test else 100))
    path = (store or Path(_file_name(pairing))) if keep else ":memory:"
    with Store(path) as kept, kept_in_lines(kept, lines):
        view = LiveView([pairing], kept.tallies(), test)
        done = start_and_run([pairing], kept, Pool(backend, workers, address).start_games, sprt=test, view=view)
        tally = kept.tallies()[pairing.name]
        if as_json:
            found: dict[str, Any] = {"a": first.name, "b": second.name, **tally.to_json(), "failed": len(done.failures)}
            found["reasons"] = reasons_json(kept)
            if test is not None:
                found["sprt"] = {"verdict": done.verdict.value, "ratio": done.ratio, "bounds": [test.lower, test.upper]}
            print(json.dumps({**found, "store": str(path) if keep else None}))
        else:
            _show(pairing, kept, done, test)
            if keep:
                print(f"  games in {path}; tengen results {path} shows more")
    if done.failures:
        sys.exit(f"tengen: {len(done.failures)} games failed, the last one: {done.failures[-1][1].strip()}")


def _file_name(pairing: "Pairing") -> str:
    """Return a file name that depends on the match but not on its number of games."""
    from tengen.arena.plans import fingerprint

    names = f"{pairing.first.spec.name}-{pairing.second.spec.name}"
    return f"match-{names}-{fingerprint(pairing.settings())}.sqlite"


def _show(pairing: "Pairing", kept: "Store", done: "Run", test: "Sprt | None") -> None:
    from tengen.arena.tables import fault_lines, match_lines, sprt_line

    lines = match_lines(pairing.name, kept.tallies()[pairing.name], kept.by_colour()[pairing.name])
    lines += [sprt_line(test, done.ratio, done.verdict)] if test is not None else []
    print("\n".join(lines + fault_lines(kept)))
