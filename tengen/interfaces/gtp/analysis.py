"""Streams of analysis during a search, in the dialects of Leela Zero, KataGo and Sabaki.

All values are from the view of the side to move. An unsupported option fails, since clients try options to find out
which ones are supported.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tengen.errors import shortened
from tengen.interfaces.gtp.arguments import truth, whole_number
from tengen.interfaces.gtp.engine_loader import EngineLoader
from tengen.interfaces.gtp.play import Play
from tengen.interfaces.gtp.protocol import CommandError, Input, Reply, Stream
from tengen.interfaces.kata_numbers import (
    MOVE_PLAYOUTS,
    SCORED_MOVES,
    lower_bound,
    move_numbers,
    move_score_numbers,
    ownership_by_rows,
    prior_of,
    root_numbers,
    value_of,
)

if TYPE_CHECKING:
    from tengen.games.clock import Clock
    from tengen.games.game import Position
    from tengen.interfaces.gtp.engine import Engine
    from tengen.interfaces.gtp.session import Session
    from tengen.search.analysis import Analysis, MoveAnalysis

USUAL_INTERVAL = 1.0
"""Default of the seconds between two reports."""
SHORTEST_INTERVAL = 0.01
LEAST_SEARCH = 4.0
"""Least search time between two reports, as a multiple of a report's own time (0.1 s on large boards)."""
POLL = 0.01
"""Seconds between two checks of the input when the search is complete."""


@dataclass(frozen=True)
class Wanted:
    """The options of an analysis command."""

    colour: str | None = None
    interval: float = USUAL_INTERVAL
    least_moves: int = 0
    most_moves: int = 10**6
    avoided: list[tuple[str, list[str]]] = field(default_factory=list)
    allowed: tuple[str, list[str]] | None = None
    ownership: bool = False
    moves_ownership: bool = False
    root: bool = False


KATA_SWITCHES = {"ownership": "ownership", "movesOwnership": "moves_ownership", "rootInfo": "root"}
UNKNOWN_SWITCHES = ("ownershipStdev", "movesOwnershipStdev", "pvVisits", "pvEdgeVisits", "noResultValue")
"""Options of KataGo that are accepted only with the value false."""


def parse_wanted(arguments: list[str], kata: bool) -> Wanted:
    """Parse the arguments of an analysis command: [color] [interval] and pairs of keys and values."""
    words = list(arguments)
    found: dict[str, Any] = {}
    if words and words[0].lower() in ("b", "w", "black", "white"):
        found["colour"] = words.pop(0)
    if words and words[0].isdecimal():
        found["interval"] = _interval(words.pop(0))
    avoided: list[tuple[str, list[str]]] = []
    while words:
        key = words.pop(0)
        if not words:
            raise CommandError(f"syntax error: {shortened(key)} needs a value")
        match key:
            case "interval":
                found["interval"] = _interval(words.pop(0))
            case "minmoves":
                found["least_moves"] = whole_number(words.pop(0), key)
            case "maxmoves":
                found["most_moves"] = max(1, whole_number(words.pop(0), key))
            case "avoid":
                avoided.append(_restriction(words))
            case "allow":
                if "allowed" in found:
                    raise CommandError("syntax error: allow may be given only once")
                found["allowed"] = _restriction(words)
            case _ if kata and key in KATA_SWITCHES:
                found[KATA_SWITCHES[key]] = truth(words.pop(0), key)
            case _ if kata and key in UNKNOWN_SWITCHES and not truth(words.pop(0), key):
                pass
            case _:
                raise CommandError(f"syntax error: unknown option {shortened(key)}")
    if avoided and "allowed" in found:
        raise CommandError("syntax error: allow and avoid exclude each other")
    return Wanted(avoided=avoided, **found)


def _interval(text: str) -> float:
    return max(SHORTEST_INTERVAL, whole_number(text, "an interval") / 100)


def _restriction(words: list[str]) -> tuple[str, list[str]]:
    """Return the colour and vertices of an `allow` or `avoid`, from its three words: colour, vertices, depth."""
    if len(words) < 3:
        raise CommandError("syntax error: a color, vertices and a depth are expected")
    colour, vertices, depth = words[:3]
    del words[:3]
    if whole_number(depth, "a depth") != 1:
        raise CommandError(f"allow and avoid support depth 1 only, not {depth}")
    return colour, [vertex for vertex in vertices.split(",") if vertex]


def banned_moves(session: "Session", position: "Position", wanted: Wanted) -> list[int]:
    """Return the numbers of the moves that are not to be searched."""
    from tengen.interfaces.gtp.session import colour_name

    def numbers(vertices: list[str]) -> set[int]:
        return {session.number(vertex) for vertex in vertices}

    legal = [int(move) for move in position.legal_move_numbers()]
    banned: set[int] = set()
    for colour, vertices in wanted.avoided:
        named = numbers(vertices)
        banned |= named if colour_name(colour) == position.to_play else set()
    if wanted.allowed is not None:
        named = numbers(wanted.allowed[1])
        banned |= set(legal) - named if colour_name(wanted.allowed[0]) == position.to_play else set()
    if banned and banned >= set(legal):
        raise CommandError("no legal move is left to search")
    return sorted(banned & set(legal))


class Dialect:
    """Leela Zero's format of a report: one line with a segment per move, which ends with its variation."""

    kata = False

    def __init__(self, engine: "Engine", session: "Session"):
        self.engine, self.session = engine, session

    def report(self, found: "Analysis", wanted: Wanted) -> str:
        moves = [move for move in found.moves if move.visits > 0][: wanted.most_moves]
        if len(moves) < min(wanted.least_moves, wanted.most_moves):
            moves = found.moves[: min(wanted.least_moves, wanted.most_moves)]
        segments = [self._segment(found, move, order, wanted) for order, move in enumerate(moves)]
        return " ".join(filter(None, [*segments, *self._about_all(found, wanted)]))

    def _segment(self, found: "Analysis", move: "MoveAnalysis", order: int, wanted: Wanted) -> str:
        value = value_of(found, move)
        variation = " ".join(map(self.session.vertex, move.variation))
        return (
            f"info move {self.session.vertex(move.move)} visits {move.visits:.0f} winrate {_ten_thousands(value)}"
            f" prior {_ten_thousands(prior_of(found, move))} lcb {_ten_thousands(lower_bound(value, move.visits))}"
            f" order {order} pv {variation}"
        )

    def _about_all(self, found: "Analysis", wanted: Wanted) -> list[str]:
        return []


class KataDialect(Dialect):
    """KataGo's format: more figures for each move, numbers from 0 to 1, and optional ownership."""

    kata = True

    def number(self, value: float) -> str:
        return f"{value:.6g}"

    def _segment(self, found: "Analysis", move: "MoveAnalysis", order: int, wanted: Wanted) -> str:
        numbers, owned = move_numbers(found, move), ""
        if found.position.game.has_margin and (order < SCORED_MOVES or wanted.moves_ownership):
            after = self.engine.estimate(found.position.copy().play(move.number), MOVE_PLAYOUTS)
            numbers |= move_score_numbers(found.position, after)
            if wanted.moves_ownership:
                owned = f" movesOwnership {self._owned(found, after.ownership)}"
        listed = " ".join(f"{key} {self.number(number)}" for key, number in numbers.items())
        variation = " ".join(map(self.session.vertex, move.variation))
        vertex = self.session.vertex(move.move)
        return f"info move {vertex} visits {move.visits:.0f} {listed} order {order} pv {variation}{owned}"

    def _about_all(self, found: "Analysis", wanted: Wanted) -> list[str]:
        parts = []
        if wanted.root or wanted.ownership:
            whole = self.engine.estimate(found.position)
            numbers = root_numbers(found, whole)
            listed = " ".join(f"{key} {self.number(number)}" for key, number in numbers.items())
            parts += [f"rootInfo visits {found.simulations} {listed}"] if wanted.root else []
            parts += [f"ownership {self._owned(found, whole.ownership)}"] if wanted.ownership else []
        return parts

    def _owned(self, found: "Analysis", ownership: dict[str, float]) -> str:
        """Return the ownership of each point from the top left, from the view of the side to move."""
        return " ".join(map(self.number, ownership_by_rows(found.position, ownership)))


class SabakiDialect(KataDialect):
    """Sabaki's format: KataGo's, but every number has a decimal point."""

    def number(self, value: float) -> str:
        return f"{value:.6f}"


def _ten_thousands(value: float) -> str:
    return str(round(10_000 * value))


class AnalysisCommands:
    """The commands that stream the analysis of a search."""

    def __init__(self, loader: EngineLoader, play: Play, source: Input, now: Callable[[], float] = time.perf_counter):
        self.loader, self.play, self.input, self.now = loader, play, source, now

    def streams(self) -> dict[str, Stream]:
        dialects: dict[str, type[Dialect]] = {"lz-": Dialect, "kata-": KataDialect, "": SabakiDialect}
        found: dict[str, Stream] = {}
        for prefix, dialect in dialects.items():
            found[f"{prefix}analyze"] = self._analyze(dialect)
            found[f"{prefix}genmove_analyze"] = self._genmove_analyze(dialect)
        return found

    def _is_over(self) -> bool:
        """Whether another command or an interrupt has arrived."""
        return self.input.is_waiting or self.input.is_interrupted

    def _analyze(self, dialect: type[Dialect]) -> Stream:
        """Search and report until the next line arrives."""

        def analyze(arguments: list[str], reply: Reply) -> None:
            wanted = parse_wanted(arguments, dialect.kata)
            session, engine = self.loader.session, self.loader.engine
            position = session.position_for(wanted.colour)
            banned = banned_moves(session, position, wanted)
            player, speaks, took = engine.set_root(position, banned), dialect(engine, session), 0.0
            reply.begin()
            try:
                while True:
                    more = engine.run_for(max(wanted.interval, LEAST_SEARCH * took), self._is_over)
                    if not (took and self._is_over()):
                        began = self.now()
                        reply.line(speaks.report(player.analysis(position), wanted))
                        took = self.now() - began
                    while not more and not self._is_over():
                        time.sleep(POLL)
                    if self._is_over():
                        return
            finally:
                if banned:
                    engine.forget_root()

        return analyze

    def _genmove_analyze(self, dialect: type[Dialect]) -> Stream:
        """Generate a move and report during the search; lines that arrive meanwhile wait."""

        def genmove_analyze(arguments: list[str], reply: Reply) -> None:
            wanted = parse_wanted(arguments, dialect.kata)

            def choose(position: "Position", clock: "Clock | None", stopped: Callable[[], bool]) -> int:
                session, engine = self.loader.session, self.loader.engine
                player, speaks = engine.searcher(position.game), dialect(engine, session)
                banned = banned_moves(session, position, wanted)
                if banned:
                    engine.set_root(position, banned)
                reply.begin()
                due = self.now() + wanted.interval

                def watch() -> bool:
                    nonlocal due
                    if (began := self.now()) >= due and player.search.value() is not None:
                        reply.line(speaks.report(player.analysis(position), wanted))
                        told = self.now()
                        due = told + max(wanted.interval, LEAST_SEARCH * (told - began))
                    return stopped()

                move = engine.choose_number(position, clock, watch)
                reply.line(speaks.report(player.analysis(position), wanted))
                if banned:
                    engine.forget_root()
                return move

            move = self.play.move(wanted.colour, choose)
            reply.line(f"play {self.play.vertex(move)}")

        return genmove_analyze
