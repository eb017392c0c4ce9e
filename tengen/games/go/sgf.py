"""Reading, writing and annotating game records in SGF, with sgfmill."""

import os
import re
from decimal import Decimal
from pathlib import Path

from sgfmill import sgf, sgf_grammar

from tengen.errors import shortened
from tengen.files import Unreadable, read_bytes
from tengen.games.game import BadRecord, GameError
from tengen.games.go.game import KO_RULES, Go, GoPosition
from tengen.games.records import RecordFormat, Variation

LARGEST_RECORD = 2_000_000
"""Maximum size of a record in bytes, checked before parsing; a game with long comments on every move is far smaller."""

LONGEST_LINE = 5_000
"""Maximum number of nodes of the main line; games have fewer than a thousand moves."""

MARKUP = "();:[]\\ AZaz09"
"""Characters that the character set of a record must encode as in ASCII."""


RULES_PROPERTY = "TGRU"
"""Tengen's own property for ko rule and suicide, as in TGRU[ko=positional suicide=no]; other programs ignore it."""

RULE_NAMES = {
    ("simple", False): "Chinese",
    ("positional", False): "Chinese",
    ("situational", False): "AGA",
    ("positional", True): "Tromp-Taylor",
    ("situational", True): "NZ",
}
"""The RU values written for other programs, by ko rule and suicide; simple ko with suicide has no name."""

NAMED_RULES = {
    "chinese": ("simple", False),
    "japanese": ("simple", False),
    "korean": ("simple", False),
    "aga": ("situational", False),
    "goe": ("simple", True),
    "ing": ("simple", True),
    "nz": ("situational", True),
    "new zealand": ("situational", True),
    "tromp-taylor": ("positional", True),
}
"""Ko rule and suicide by the RU values of other programs; simple ko where servers differ about repetition."""

UNKNOWN_RULES = ("simple", True)
"""Ko rule and suicide of a record that does not state its rules: the most permissive ones."""


def read_sgf(
    source: bytes | str | Path, ko: str | None = None, suicide: bool | None = None, moves: int | None = None
) -> GoPosition:
    """Return the position at the end of a record's main line, or after its first `moves` moves.

    `source` is a Path, the record itself as bytes, or a str: one that contains '(;' is the record itself, any other is
    the name of a file. `ko` and `suicide` default to the rules that the record states, and to simple ko with suicide
    if it states none; area scoring is always used. `read_sgf(write_sgf(position)) == position`. Raises BadRecord
    if the file cannot be read, is not a record of Go, or has an illegal move.
    """
    record = _parsed(source)
    try:
        if record.get_root().has_property("GM") and record.get_root().get_raw("GM").strip() != b"1":
            raise GameError("it is a record of another game")
        stated_ko, stated_suicide = _stated_rules(record)
        ko, suicide = stated_ko if ko is None else ko, stated_suicide if suicide is None else suicide
        game = Go(record.get_size(), _komi(record), ko, suicide)
    except ValueError as error:
        raise BadRecord(f"not an SGF record of a game of Go: {_reason(error)}") from None
    nodes = record.get_main_sequence()
    if len(nodes) > LONGEST_LINE:
        raise BadRecord(f"the record's main line has more than {LONGEST_LINE:,} nodes, the maximum")
    position = game.start()
    played = 0
    for number, node in enumerate(nodes):
        if number and played == moves:
            break
        try:
            played += _follow(position, node)
        except GameError as error:
            raise BadRecord(f"node {number} of the record cannot be played: {_reason(error)}") from None
        except ValueError:
            raise BadRecord(f"node {number} of the record has an invalid point or colour") from None
    return position


def read_tolerantly(source: bytes | str | Path, rules: Go | None = None, moves: int | None = None) -> GoPosition:
    """Return a record's position under the ko and suicide rules of `rules` (default: those of a new game).

    If a move is illegal under these, the record is read with simple ko and suicide instead.
    """
    usual = rules or Go()
    try:
        return read_sgf(source, usual.ko, usual.suicide, moves)
    except BadRecord:
        return read_sgf(source, "simple", True, moves)


def _file_or_record(source: bytes | str | Path) -> bytes | str | Path:
    """Return a str without '(;' as a Path, and everything else unchanged. Raises BadRecord if there is no such file."""
    if not isinstance(source, str) or re.search(r"\(\s*;", source):
        return source
    if not os.path.exists(source):
        raise BadRecord(f"no such file: {shortened(source, 160)} (a record as text contains '(;')")
    return Path(source)


def _parsed(source: bytes | str | Path) -> sgf.Sgf_game:
    """Parse a record with sgfmill. Raises BadRecord if it is malformed or its character set is invalid."""
    content = _content(_file_or_record(source))
    try:
        record = sgf.Sgf_game.from_bytes(content)
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"not an SGF record of a game of Go: {_reason(error)}") from None
    root = record.get_root()
    if not _is_charset(root.get_encoding()):
        raise BadRecord(f"{shortened(root.get_encoding())} is not a character set for records")
    if root.has_property("CA"):  # sgfmill uses the first of several values
        root.set_raw("CA", root.get_raw_list("CA")[0])
    return record


def _is_charset(name: str) -> bool:
    """Whether a record can have this encoding; Python also has codecs that are not for text."""
    try:
        return MARKUP.encode(name, "replace") == MARKUP.encode("ascii")
    except (LookupError, ValueError):
        return False


def _content(source: bytes | str | Path) -> bytes:
    if isinstance(source, Path):
        try:
            return read_bytes(source, LARGEST_RECORD)
        except Unreadable as error:
            raise BadRecord(str(error)) from None
    content = source.encode(errors="replace") if isinstance(source, str) else source
    if len(content) > LARGEST_RECORD:
        raise BadRecord(f"the record is longer than {LARGEST_RECORD:,} bytes, the maximum")
    return content


def _komi(record: sgf.Sgf_game) -> float:
    try:
        return float(record.get_komi())
    except ValueError:
        raise GameError("its komi is not a number") from None


def _stated_rules(record: sgf.Sgf_game) -> tuple[str, bool]:
    """Return the ko rule and suicide that a record states, in Tengen's own property or else in RU."""
    root = record.get_root()
    if root.has_property(RULES_PROPERTY):
        value = root.get_raw(RULES_PROPERTY).decode("ascii", "replace")
        stated = re.fullmatch(rf"\s*ko=({'|'.join(KO_RULES)})\s+suicide=(yes|no)\s*", value)
        if stated is None:
            raise GameError(
                f"its {RULES_PROPERTY} is {shortened(value)}; write 'ko=RULE suicide=no' or 'ko=RULE suicide=yes', "
                f"where RULE is one of {', '.join(KO_RULES)}"
            )
        return stated[1], stated[2] == "yes"
    name = root.get_raw("RU").decode("ascii", "replace") if root.has_property("RU") else ""
    return NAMED_RULES.get(name.strip().lower(), UNKNOWN_RULES)


def _reason(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return "its variations are nested too deeply"
    return shortened(str(error) or type(error).__name__, 160)[1:-1]


def _follow(position: GoPosition, node: sgf.Tree_node) -> int:
    """Apply a node of a record: set up stones, set the side to move, play a move. Return the number of moves played."""
    black, white, empty = node.get_setup_stones()
    if black or white or empty:
        names = [[_name(position, point) for point in sorted(points)] for points in (black, white, empty)]
        position.set_up_stones(names[0], names[1], names[2])
        if not node.has_property("PL") and node.parent is None and black and not white:
            position.give_turn("white")
    if node.has_property("PL"):
        position.give_turn(node.get("PL"))
    colour, point = node.get_move()
    if colour is None:
        return 0
    if position.is_over:
        raise GameError("a move follows after two passes in a row")
    position.give_turn(colour)
    position.play("pass" if point is None else _name(position, point))
    return 1


def _name(position: GoPosition, point: tuple[int, int]) -> str:
    return position.game.format_move(position.game.point(*point))


def write_sgf(
    position: GoPosition,
    comments: dict[int, str] | None = None,
    black: str = "",
    white: str = "",
    result: str | None = None,
) -> bytes:
    """Return a position's game as a record: its rules, its first position and its moves.

    `comments[n]` is written at the n-th move, `comments[0]` at the start. `result` defaults to that of the finished
    game; no result is written for an unfinished game. Moves before a setup or a change of turn are not written.
    """
    game, remarks = position.game, comments or {}
    record = sgf.Sgf_game(game.size)
    root = record.get_root()
    root.set_raw("KM", f"{Decimal(repr(float(game.komi))).normalize():f}".encode())  # sgfmill rounds small komi to 0
    if name := RULE_NAMES.get((game.ko, game.suicide)):
        root.set("RU", name)
    root.set_raw(RULES_PROPERTY, f"ko={game.ko} suicide={'yes' if game.suicide else 'no'}".encode())
    for key, value in (("PB", black), ("PW", white), ("RE", _result(position) if result is None else result)):
        if value:
            root.set(key, value)
    start = position.copy()
    while start.history:
        start.undo()
    stones: list[list[tuple[int, int]]] = [[], []]
    for point in game.points():
        if (colour := int(start.state.colour[point])) < 2:
            stones[colour].append(game.row_and_column(point))
    if any(stones):
        root.set_setup_stones(*stones)
    if any(stones) or start.state.to_play:
        root.set("PL", "bw"[start.state.to_play])
    if 0 in remarks:
        root.set("C", remarks[0])
    for number, played in enumerate(position.history, 1):
        node = record.extend_main_sequence()
        place = None if played.notation == "pass" else game.row_and_column(played.move)
        node.set_move(played.colour[0], place)
        if number in remarks:
            node.set("C", remarks[number])
    return bytes(record.serialise())


def annotate_sgf(
    source: bytes | str | Path,
    remarks: dict[int, str],
    rates: dict[int, float],
    bad: set[int],
    variations: dict[int, Variation] | None = None,
) -> bytes:
    """Return a record with remarks added to moves of its main line, by their numbers; the rest stays unchanged.

    `rates` has Black's win rates from 0 to 1, written as Sabaki's property SBKV, and `bad` the numbers of bad moves
    (BM). `variations` are added as alternatives to the moves of the main line with these numbers.
    """
    record = _parsed(source)
    number = 0
    try:
        for node in record.get_main_sequence():
            if node.get_move()[0] is None:
                continue
            number += 1
            if number in remarks:
                _add_comment(node, remarks[number])
            if number in rates:
                node.set_raw("SBKV", f"{100 * rates[number]:.2f}".encode())
            if number in bad:
                node.set("BM", 1)
            if variations and number in variations:
                _add_variation(node.parent, variations[number], Go(record.get_size()))
        return bytes(record.serialise())
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"the record cannot be annotated: {_reason(error)}") from None


def _add_comment(node: sgf.Tree_node, remark: str) -> None:
    """Add a remark to a node's comment, whose bytes stay unchanged even if they are not valid text."""
    added = sgf_grammar.escape_text(remark.encode(node.get_encoding(), "replace"))
    before = node.get_raw_list("C") if node.has_property("C") else []
    node.set_raw_list("C", [*before[:-1], before[-1] + b"\n\n" + added] if before else [added])


def _add_variation(node: sgf.Tree_node, variation: Variation, game: Go) -> None:
    """Add a variation below a node, sharing an existing beginning with the same moves."""
    colours = variation.colour[0], "w" if variation.colour == "black" else "b"
    for number, name in enumerate(variation.moves):
        place = None if name == "pass" else game.row_and_column(game.parse_move(name))
        move = colours[number % 2], place
        known = next((child for child in node if child.get_move() == move), None)
        if known is None:
            known = node.new_child()
            known.set_move(*move)
        if number == 0:
            _add_comment(known, variation.comment)
        node = known


def _result(position: GoPosition) -> str:
    """Return the result in SGF's notation: the winner's letter and margin, or Draw."""
    match position.winner:
        case None:
            return ""
        case "draw":
            return "0"
        case winner:
            return f"{winner[0].upper()}+{abs(position.score):g}"


SGF = RecordFormat("SGF", ".sgf", read_tolerantly, write_sgf, annotate_sgf)
