"""Checks queries, and returns what is unsupported in them as warnings."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tengen.errors import TengenError, shortened
from tengen.games.catalogue import DEFAULT_GAME, game_class, make_game
from tengen.games.errors import GameError
from tengen.games.game import Game, Position
from tengen.interfaces.analysis_server.fields import FieldError, Fields, colour_of, coloured_moves, move_of
from tengen.interfaces.analysis_server.query import BadTurn, Query, Restriction
from tengen.interfaces.kata_rules import MOST_KOMI, VALUES, KataRules, UnknownRules, is_komi, rules_of

MOST_MOVES = 5000
"""Maximum number of moves of a game."""
MOST_VISITS = 2**50
LONGEST_VARIATION = 15
MOST_PRIORITY = 2**62
MOST_SECONDS = 1e6
LONGEST = 1e20
"""Seconds of a search without a time limit."""
VIEWPOINTS = {"black": "black", "b": "black", "white": "white", "w": "white", "sidetomove": None}

READ = (
    *("id", "action", "terminateId", "turnNumbers", "boardXSize", "boardYSize", "initialStones", "moves"),
    *("initialPlayer", "analyzeTurns", "priorities", "rules", "komi", "whiteHandicapBonus", "overrideSettings"),
    *("maxVisits", "analysisPVLen", "includeMovesOwnership", "includeOwnership", "includePolicy", "includePVVisits"),
    *("reportDuringSearchEvery", "firstReportDuringSearchAfter", "priority", "allowMoves", "avoidMoves"),
)
"""The fields that have an effect."""
WITHOUT_EFFECT = {
    "includeOwnershipStdev": False,
    "includeMovesOwnershipStdev": False,
    "includeNoResultValue": False,
    "rootPolicyTemperature": 1,
    "rootFpuReductionMax": None,
}
"""KataGo's fields that are not supported, with the value that needs no support."""
NEUTRAL_SETTINGS = {"wideRootNoise": 0, "playoutDoublingAdvantage": 0, "antiMirror": False, "rootPolicyTemperature": 1}
"""KataGo's settings that are not supported, with the value that needs no support."""


@dataclass(frozen=True)
class Defaults:
    """What queries need not say."""

    visits: int
    seconds: float = LONGEST
    viewpoint: str | None = "black"
    converts_rules: bool = False
    """Whether rules that are not supported are replaced by the nearest ones, with a warning."""
    can_exclude: bool = True
    """Whether the player can exclude moves from its search."""


def viewpoint_of(text: object) -> str | None:
    """Return the side of `reportAnalysisWinratesAs`; None for the side to move. Raises TengenError."""
    key = text.lower() if isinstance(text, str) else ""
    if key not in VIEWPOINTS:
        raise TengenError(f"reportAnalysisWinratesAs must be BLACK, WHITE or SIDETOMOVE, not {shortened(text)}")
    return VIEWPOINTS[key]


class QueryReader:
    """Reads one query; afterwards `warnings` has pairs of a field and a message."""

    def __init__(self, values: dict[str, Any], defaults: Defaults, check_game: Callable[[Game], object]):
        """`check_game` raises TengenError if the player cannot play a game."""
        self.fields, self.defaults, self._check_game = Fields(values), defaults, check_game
        self.warnings: list[tuple[str, str]] = []

    def read(self) -> Query:
        """Return the query. Raises FieldError."""
        board = self._board()
        for field in ("moves", "rules"):
            if field not in self.fields:
                raise FieldError(field, "is required")
        stones = coloured_moves(self.fields.values.get("initialStones", []), board, "initialStones", most=MOST_MOVES)
        moves = coloured_moves(self.fields.values["moves"], board, "moves", most=MOST_MOVES)
        if any(move == board.untracked_move for _, move in stones):
            raise FieldError("initialStones", "a pass is not a stone")
        by_point = {move: colour for colour, move in stones}
        black, white = (
            tuple(board.format_move(point) for point, own in by_point.items() if own == colour)
            for colour in ("black", "white")
        )
        handicap = handicap_stones(len(black), len(white), moves, board.untracked_move)
        turns = self._turns(len(moves))
        first = self.fields.colour("initialPlayer")
        setup_turn = "white" if len(black) > 1 and not white else "black"
        query = Query(
            id=self.fields.values["id"],
            game=self._game(board, handicap),
            black=black,
            white=white,
            to_play=first or (moves[0][0] if moves else setup_turn),
            moves=tuple(moves),
            turns=tuple(sorted(set(turns))),
            priorities=self._priorities(turns),
            restrictions=self._restrictions(board),
            **self._reports(),
            **self._limits(),
        )
        self._check_unsupported()
        self._check(query)
        return query

    # The game

    def _board(self) -> Game:
        """Return the game on the board asked for, with its usual rules."""
        sizes = game_class(DEFAULT_GAME).board_size
        assert sizes is not None
        width, height = (self.fields.integer(field, 0, 2, max(sizes.values)) for field in ("boardXSize", "boardYSize"))
        if width != height:
            raise FieldError(
                "boardYSize", f"must be equal to boardXSize: only square boards are supported, not {width}x{height}"
            )
        return make_game(DEFAULT_GAME, width)

    def _rules(self) -> KataRules:
        try:
            rules = rules_of(self.fields.values["rules"])
        except UnknownRules as error:
            raise FieldError("rules", str(error)) from None
        if unsupported := rules.unsupported():
            what = f"not supported: {', '.join(unsupported)}"
            if not self.defaults.converts_rules:
                raise FieldError("rules", f"{what}; use rules with area scoring, such as 'chinese' or 'tromp-taylor'")
            rules = rules.nearest_supported()
            self.warnings.append(("rules", f"{what}; using ko {rules.ko}, scoring AREA, tax NONE instead"))
        return rules

    def _game(self, board: Game, handicap: int) -> Game:
        """Return the game with its rules and komi, to which White's points for handicap stones are added."""
        rules = self._rules()
        bonus = self.fields.values.get("whiteHandicapBonus", rules.handicap_bonus)
        if bonus not in VALUES["whiteHandicapBonus"]:
            raise FieldError("whiteHandicapBonus", f"must be '0', 'N' or 'N-1', not {shortened(bonus)}")
        komi = self.fields.values.get("komi", rules.komi)
        if not is_komi(komi):
            raise FieldError("komi", f"must be an integer or half-integer from -{MOST_KOMI} to {MOST_KOMI}")
        points = KataRules(handicap_bonus=bonus).bonus(handicap)
        return make_game(DEFAULT_GAME, board.size_value, komi=komi + points, **rules.options())

    def _turns(self, count: int) -> list[int]:
        turns = self.fields.integers("analyzeTurns", [count])
        for turn in turns:
            if not 0 <= turn <= count:
                raise FieldError("analyzeTurns", f"{shortened(turn)} is not a turn of the game: use 0 to {count}")
        return turns

    def _priorities(self, turns: list[int]) -> dict[int, int]:
        if "priorities" not in self.fields:
            priority = self.fields.integer("priority", 0, -MOST_PRIORITY, MOST_PRIORITY)
            return dict.fromkeys(turns, priority)
        if "priority" in self.fields:
            raise FieldError("priority", "priority and priorities exclude each other")
        if "analyzeTurns" not in self.fields:
            raise FieldError("priorities", "needs the field analyzeTurns")
        priorities = self.fields.integers("priorities", [])
        if len(priorities) != len(turns):
            raise FieldError(
                "priorities", f"must have as many entries as analyzeTurns: {len(turns)}, not {len(priorities)}"
            )
        if any(abs(priority) > MOST_PRIORITY for priority in priorities):
            raise FieldError("priorities", "must be from -2^62 to 2^62")
        return dict(zip(turns, priorities, strict=True))

    def _restrictions(self, board: Game) -> tuple[Restriction, ...]:
        if "allowMoves" in self.fields and "avoidMoves" in self.fields:
            raise FieldError("allowMoves", "allowMoves and avoidMoves exclude each other")
        field = "allowMoves" if "allowMoves" in self.fields else "avoidMoves"
        listed = self.fields.values.get(field, [])
        if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
            raise FieldError(field, "must be an array of objects with player, moves and untilDepth")
        if listed and not self.defaults.can_exclude:
            raise FieldError(field, "the player of this server cannot exclude moves from its search")
        found = [self._restriction(field, described, board) for described in listed]
        colours = [restriction.colour for restriction in found]
        if field == "allowMoves" and len(set(colours)) < len(colours):
            raise FieldError(field, "may have one entry for each player")
        return tuple(found)

    def _restriction(self, field: str, described: dict[str, Any], board: Game) -> Restriction:
        if missing := [name for name in ("player", "moves", "untilDepth") if name not in described]:
            raise FieldError(field, f"lacks {missing[0]}: it needs player, moves and untilDepth")
        colour, moves, depth = (described[name] for name in ("player", "moves", "untilDepth"))
        if not isinstance(moves, list):
            raise FieldError(field, "moves must be an array of vertices")
        if type(depth) is not int or not 1 <= depth <= 10**9:
            raise FieldError(field, "untilDepth must be a positive integer")
        if depth > 1 and field not in (name for name, _ in self.warnings):
            self.warnings.append((field, f"untilDepth {depth} is not supported: it holds for the first move only"))
        numbers = frozenset(move_of(move, board, field) for move in moves)
        return Restriction(colour_of(colour, field), numbers, field == "allowMoves")

    # The reports and the limits

    def _reports(self) -> dict[str, Any]:
        fields, never = self.fields, math.inf
        has_every = "reportDuringSearchEvery" in fields
        every = fields.number("reportDuringSearchEvery", 1.0, 0.001, MOST_SECONDS) if has_every else never
        has_first = "firstReportDuringSearchAfter" in fields
        first = fields.number("firstReportDuringSearchAfter", 1.0, 0.001, MOST_SECONDS) if has_first else every
        return {
            "longest_variation": fields.integer("analysisPVLen", LONGEST_VARIATION, 1, 1000),
            "ownership": fields.truth("includeOwnership"),
            "moves_ownership": fields.truth("includeMovesOwnership"),
            "policy": fields.truth("includePolicy"),
            "variation_visits": fields.truth("includePVVisits"),
            "report_every": every,
            "first_report": first,
        }

    def _limits(self) -> dict[str, Any]:
        """Return the limits of the search and the view, from the fields, the settings and the defaults."""
        settings = self.fields.values.get("overrideSettings", {})
        if not isinstance(settings, dict):
            raise FieldError("overrideSettings", "must be an object")
        try:
            given, viewpoint = Fields(settings), self.defaults.viewpoint
            if "reportAnalysisWinratesAs" in given:
                viewpoint = viewpoint_of(settings["reportAnalysisWinratesAs"])
            seconds = given.number("maxTime", self.defaults.seconds, 0.0, LONGEST)
            visits = given.integer("maxVisits", self.defaults.visits, 1, MOST_VISITS)
            playouts = given.integer("maxPlayouts", MOST_VISITS, 1, MOST_VISITS)
        except FieldError as error:
            raise FieldError("overrideSettings", f"{error.field} {error}") from None
        except TengenError as error:
            raise FieldError("overrideSettings", str(error)) from None
        known = ("reportAnalysisWinratesAs", "maxTime", "maxVisits", "maxPlayouts")
        unknown = [
            key for key, value in settings.items() if key not in known and not _is_neutral(NEUTRAL_SETTINGS, key, value)
        ]
        if unknown:
            listed = ", ".join(key[:40] for key in unknown[:20])
            self.warnings.append(("overrideSettings", f"unknown or unsupported settings, without effect: {listed}"))
        visits = min(self.fields.integer("maxVisits", visits, 1, MOST_VISITS), playouts)
        return {"visits": visits, "seconds": seconds, "viewpoint": viewpoint}

    # Checks

    def _check_unsupported(self) -> None:
        """Note the fields that have no effect."""
        for field, value in self.fields.values.items():
            if field in WITHOUT_EFFECT:
                if WITHOUT_EFFECT[field] is False:
                    self.fields.truth(field)
                else:
                    self.fields.number(field, 1.0, 0.0, 100.0)
                if not _is_neutral(WITHOUT_EFFECT, field, value):
                    self.warnings.append((field, "is not supported, and has no effect"))
            elif field not in READ:
                self.warnings.append((field[:200], "unknown field, without effect"))

    def _check(self, query: Query) -> None:
        """Play the moves once, and check that the player can search the positions."""
        try:
            self._check_game(query.game)
        except TengenError as error:
            raise FieldError("boardXSize", str(error)) from None
        field = "initialStones"
        try:
            for turn, position in enumerate(query.positions()):
                field = "moves"
                if query.restrictions and turn in query.turns:
                    self._check_restrictions(query, position.copy(), turn)
        except (BadTurn, GameError) as error:
            raise FieldError(field, str(error)) from None

    def _check_restrictions(self, query: Query, position: Position, turn: int) -> None:
        position.give_turn(position.to_play)
        if len(query.banned(position)) == len(position.legal_move_numbers()):
            field = "allowMoves" if "allowMoves" in self.fields else "avoidMoves"
            raise FieldError(field, f"no legal move is left to search at turn {turn}")


def _is_neutral(neutral: dict[str, Any], key: str, value: object) -> bool:
    """Whether a value needs no support."""
    return key in neutral and isinstance(value, bool) == isinstance(neutral[key], bool) and value == neutral[key]


def handicap_stones(black: int, white: int, moves: list[tuple[str, int]], passing: int) -> int:
    """Return the number of Black's handicap stones, set up or played before White's first stone; 0 if it is one.

    A setup with stones of White, or two first moves of White, is not a handicap.
    """
    if white:
        return 0
    for number, (colour, move) in enumerate(moves):
        if colour == "black":
            black += move != passing
        elif move != passing:
            if number + 1 < len(moves) and moves[number + 1][0] == "white":
                black -= sum(own == "black" and played != passing for own, played in moves[:number])
            break
    return black if black > 1 else 0
