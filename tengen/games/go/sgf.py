"""Game records in SGF, by way of sgfmill: games with setup stones in, games with comments out."""

from dataclasses import dataclass
from pathlib import Path

from sgfmill import sgf

from tengen.errors import shortened
from tengen.games.game import BadRecord, GameError
from tengen.games.go.game import Go, GoPosition

LARGEST_RECORD = 2_000_000
"""Bytes; a game with long comments on every move stays well below. More is refused before anything is parsed."""

LONGEST_LINE = 5_000
"""Nodes; no game has had a thousand moves."""


def read_sgf(
    source: bytes | str | Path, ko: str = "simple", suicide: bool = True, moves: int | None = None
) -> GoPosition:
    """The position at the end of a record's main line, or after its first so many moves.

    `source` is the record itself, as text or bytes, or the Path of a file. Records come from games under many rules,
    so only what no rules allow is refused, unless told otherwise. A record that is no such thing is a BadRecord.
    """
    content = _content(source)
    try:
        record = sgf.Sgf_game.from_bytes(content)
        if record.get_root().has_property("GM") and record.get_root().get_raw("GM").strip() != b"1":
            raise GameError("it is one of another game")
        game = Go(record.get_size(), _komi(record), ko, suicide)
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"this is no SGF record of a game of Go: {_reason(error)}") from None
    nodes = record.get_main_sequence()
    if len(nodes) > LONGEST_LINE:
        raise BadRecord(f"the record's main line has more than {LONGEST_LINE:,} nodes, which no game of Go needs")
    position = game.start()
    played = 0
    for number, node in enumerate(nodes):
        if number and played == moves:
            break
        try:
            played += _follow(position, node)
        except GameError as error:
            raise BadRecord(f"node {number} of the record cannot be followed: {_reason(error)}") from None
        except ValueError:
            raise BadRecord(f"node {number} of the record names a point or a colour that there is not") from None
    return position


def _content(source: bytes | str | Path) -> bytes:
    if isinstance(source, Path):
        try:
            with source.open("rb") as file:
                content = file.read(LARGEST_RECORD + 1)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "there can be no such file"
            raise BadRecord(f"{shortened(source, 160)} cannot be read: {reason}") from None
    else:
        content = source.encode(errors="replace") if isinstance(source, str) else source
    if len(content) > LARGEST_RECORD:
        raise BadRecord(f"the record is longer than {LARGEST_RECORD:,} bytes, which no game of Go needs")
    return content


def _komi(record: sgf.Sgf_game) -> float:
    try:
        return float(record.get_komi())
    except ValueError:
        raise GameError("its komi is no number") from None


def _reason(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return "its variations are nested too deeply"
    return shortened(str(error) or type(error).__name__, 160)[1:-1]


def _follow(position: GoPosition, node: sgf.Tree_node) -> int:
    """Do what a node of a record says: set up stones, give the turn, play a move. Returns how many moves it played."""
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
    """A position's game as a record. `comments[n]` is written at the n-th move, `comments[0]` at the start.

    Without a result, that of the finished game is written; that of an unfinished game is left open.
    """
    game, remarks = position.game, comments or {}
    record = sgf.Sgf_game(game.size)
    root = record.get_root()
    root.set("KM", float(game.komi))
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


@dataclass(frozen=True)
class Variation:
    """Moves that could have been played in place of one of the game, with a comment at the first of them."""

    colour: str
    """Of the first move."""
    moves: tuple[str, ...]
    comment: str


def annotate_sgf(
    source: bytes | str | Path,
    remarks: dict[int, str],
    rates: dict[int, float],
    bad: set[int],
    variations: dict[int, Variation] | None = None,
) -> bytes:
    """A record with remarks at the moves of its main line, by their numbers; all else stays as it is.

    `rates` has Black's win rates from 0 to 1, which are written as Sabaki reads them (SBKV), and `bad` the numbers of
    the bad moves (BM). `variations` are added beside the moves of the main line with these numbers.
    """
    try:
        record = sgf.Sgf_game.from_bytes(_content(source))
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"this is no SGF record: {_reason(error)}") from None
    number = 0
    for node in record.get_main_sequence():
        number += node.get_move()[0] is not None
        if node.get_move()[0] is None:
            continue
        if number in remarks:
            node.add_comment_text(remarks[number])
        if number in rates:
            node.set_raw("SBKV", f"{100 * rates[number]:.2f}".encode())
        if number in bad:
            node.set("BM", 1)
        if variations and number in variations:
            _add_variation(node.parent, variations[number], Go(record.get_size()))
    return bytes(record.serialise())


def _add_variation(node: sgf.Tree_node, variation: Variation, game: Go) -> None:
    """Add moves below a node: after those of its children that begin with the same moves, if any do."""
    colours = variation.colour[0], "w" if variation.colour == "black" else "b"
    for number, name in enumerate(variation.moves):
        place = None if name == "pass" else game.row_and_column(game.parse_move(name))
        move = colours[number % 2], place
        known = next((child for child in node if child.get_move() == move), None)
        if known is None:
            known = node.new_child()
            known.set_move(*move)
        if number == 0:
            known.add_comment_text(variation.comment)
        node = known


def _result(position: GoPosition) -> str:
    """How records write a result: the winner's letter and margin, or Draw."""
    match position.winner:
        case None:
            return ""
        case "draw":
            return "0"
        case winner:
            return f"{winner[0].upper()}+{abs(position.score):g}"
