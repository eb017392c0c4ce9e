"""One game between two players: moves, clocks, faults, and who has won, why, and by how much."""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from tengen.arena.plans import Plan
from tengen.engines.gtp import EngineFault
from tengen.engines.gtp_player import GtpPlayer
from tengen.errors import TengenError
from tengen.games.clock import Clock
from tengen.games.game import COLOURS, BadNotation, IllegalMove, Position
from tengen.games.player import RESIGN, Player
from tengen.search.analysis import Analysis
from tengen.search.search_player import ThinkingPlayer

REASONS = ("score", "resign", "time", "illegal", "garbage", "crash", "hang", "closed", "refusal", "length")
"""Why a game ended: counted; given up; out of time; an illegal move, an answer that names no move; the engine ended,
did not answer, closed its output, said that it cannot; or too many moves, and counted as it stood."""

RECORDED_MOVES = 5
"""Of each search, the best so many moves are recorded."""


@dataclass(frozen=True)
class Ending:
    """How a game ended: the winner (a colour, or 'draw'), why, Black's margin if it was counted, and particulars."""

    winner: str
    reason: str
    margin: float | None = None
    detail: str = ""

    def sgf(self) -> str:
        """As records write it: B+3.5, W+R, B+T, W+F (forfeit), 0."""
        if self.winner == "draw":
            return "0"
        how = {"resign": "R", "time": "T"}.get(self.reason, "F")
        if self.margin is not None:
            how = f"{abs(self.margin):g}"
        return f"{self.winner[0].upper()}+{how}"


@dataclass(frozen=True)
class PlayedGame:
    """A game that was played, as it is stored: one row, one line of JSON."""

    id: str
    pairing: str
    number: int
    black: str
    white: str
    winner: str
    reason: str
    margin: float | None
    detail: str
    seed: int
    opening: str
    moves: int
    started: float
    seconds: float
    black_seconds: float
    white_seconds: float
    black_version: str
    white_version: str
    times: list[float] = field(repr=False)
    """Seconds that each move after the opening took."""
    record: str = field(repr=False)
    """In the game's own format if it has one, else the moves as JSON."""
    analysis: list[dict[str, Any] | None] | None = field(default=None, repr=False)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def play_game(
    plan: Plan,
    players: dict[str, Player],
    referee: GtpPlayer | None = None,
    now: Callable[[], float] = time.perf_counter,
) -> PlayedGame:
    """Play a game to its end, whatever the players do. `players` has one for each colour, made for the plan's game.

    `now` tells the time in seconds, by which moves are timed.
    """
    conditions = plan.conditions
    started, began = time.time(), now()
    position = conditions.game.start()
    for move in plan.opening:
        position.play(move)
    sheet = _ScoreSheet(conditions.analysis, now)
    ending = _introduce(plan, players)
    clocks = {colour: Clock(conditions.clock) if conditions.clock else None for colour in COLOURS}
    while ending is None and not position.is_over:
        if len(position.history) >= conditions.move_limit:
            ending = _counted(position, "length")
        else:
            ending = _move(position, players[position.to_play], clocks[position.to_play], sheet)
    if ending is None:
        ending = _counted(position, "score") if referee is None else _referees_count(position, referee, plan)
    return PlayedGame(
        id=plan.id,
        pairing=plan.pairing,
        number=plan.number,
        black=plan.black.name,
        white=plan.white.name,
        winner=ending.winner,
        reason=ending.reason,
        margin=ending.margin,
        detail=ending.detail,
        seed=plan.seed,
        opening=" ".join(plan.opening),
        moves=len(position.history),
        started=round(started, 3),
        seconds=round(now() - began, 4),
        black_seconds=round(sheet.spent["black"], 4),
        white_seconds=round(sheet.spent["white"], 4),
        black_version=version_of(players["black"]),
        white_version=version_of(players["white"]),
        times=[round(seconds, 3) for seconds in sheet.times],
        record=_record(position, plan, ending, sheet),
        analysis=sheet.analyses if conditions.analysis else None,
    )


def version_of(player: Player) -> str:
    """Which program a player is."""
    from tengen import __version__

    return player.version or "unknown" if isinstance(player, GtpPlayer) else f"tengen {__version__}"


class _ScoreSheet:
    """What is written down about the moves of a game, in their order."""

    def __init__(self, wants_analysis: bool, now: Callable[[], float]):
        self.wants_analysis, self.now = wants_analysis, now
        self.times: list[float] = []
        self.spent = dict.fromkeys(COLOURS, 0.0)
        self.analyses: list[dict[str, Any] | None] = []

    def note(self, colour: str, seconds: float, player: Player, position: Position) -> None:
        self.times.append(seconds)
        self.spent[colour] += seconds
        if self.wants_analysis:
            found = player.analysis(position) if isinstance(player, ThinkingPlayer) else None
            self.analyses.append(None if found is None else _summary(found))


def _summary(analysis: Analysis) -> dict[str, Any]:
    found = analysis.to_json()
    return {
        "value": found.get("value"),
        "simulations": found["simulations"],
        "nodes": found.get("nodes"),
        "moves": [
            {key: move[key] for key in ("move", "visits", "value") if key in move}
            for move in found["moves"][:RECORDED_MOVES]
        ],
    }


def _introduce(plan: Plan, players: dict[str, Player]) -> Ending | None:
    """Get both players ready; one whose engine fails at this has lost."""
    for colour in COLOURS:
        try:
            players[colour].new_game(plan.player_seed(colour))
        except EngineFault as fault:
            return Ending(_other(colour), fault.reason, detail=str(fault))
    return None


def _other(colour: str) -> str:
    return COLOURS[1 - COLOURS.index(colour)]


def _move(position: Position, player: Player, clock: Clock | None, sheet: _ScoreSheet) -> Ending | None:
    """Let a player move; how the game ended, if it ended by that."""
    colour, began = position.to_play, sheet.now()
    lost = _other(colour)
    in_time, move, unreadable = True, RESIGN, ""
    try:
        move = player.choose_number(position, None if clock is None else clock.copy())
    except BadNotation as error:
        unreadable = str(error)
    except EngineFault as fault:
        overrun = clock is not None and fault.reason == "hang" and not clock.spend(sheet.now() - began)
        return Ending(lost, "time" if overrun else fault.reason, detail=str(fault))
    seconds = sheet.now() - began
    if clock is not None:
        in_time = clock.spend(seconds)
    sheet.note(colour, seconds, player, position)
    if not in_time:
        return Ending(lost, "time", detail=f"move {len(position.history) + 1} took {seconds:.2f} s")
    if unreadable:
        return Ending(lost, "garbage", detail=unreadable)
    if move == RESIGN:
        return Ending(lost, "resign")
    try:
        position.play(move)
    except IllegalMove as error:
        return Ending(lost, "illegal", detail=str(error))
    return None


def _counted(position: Position, reason: str) -> Ending:
    """The result by the rules; of a game that was broken off, by the board as it stands."""
    margin = position.score
    winner = position.winner or ("black" if margin > 0 else "white" if margin < 0 else "draw")
    return Ending(winner, reason, margin)


def _referees_count(position: Position, referee: GtpPlayer, plan: Plan) -> Ending:
    """The result by an engine's count. If that fails, the game has no result, and nobody is to blame for it."""
    try:
        referee.new_game(plan.seed)
        margin = referee.final_score(position)
    except EngineFault as fault:
        raise TengenError(f"the referee could not count {plan.id}: {fault}") from None
    winner = "black" if margin > 0 else "white" if margin < 0 else "draw"
    return Ending(winner, "score", margin, detail=f"counted by {version_of(referee)}")


def _record(position: Position, plan: Plan, ending: Ending, sheet: _ScoreSheet) -> str:
    records = position.game.records()
    if records is None:
        return json.dumps([played.notation for played in position.history])
    comments = {}
    first = len(plan.opening) + 1
    for number, analysis in enumerate(sheet.analyses, first):
        if analysis is not None and analysis["value"] is not None and number <= len(position.history):
            comments[number] = f"{analysis['value']:.3f} of {analysis['simulations']} simulations"
    return records.write(position, comments, plan.black.name, plan.white.name, ending.sgf()).decode()
