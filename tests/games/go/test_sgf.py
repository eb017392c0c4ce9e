"""Game records: round trips, records of other programs, and refused input."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sgfmill import sgf

from tengen import BadRecord, GameError, Go, GoPosition, read_sgf, write_sgf
from tengen.games.go.sgf import annotate_sgf


def played(position, moves: str):
    for move in moves.split():
        position.play(move)
    return position


def random_game(size: int, moves: int, seed: int) -> GoPosition:
    rng = np.random.default_rng(seed)
    position = Go(size, komi=0.5 * seed, ko="simple", suicide=True).start()
    while len(position.history) < moves and not position.is_over:
        *stones, passing = position.legal_move_numbers().tolist()
        position.play(int(rng.choice(stones)) if stones and rng.random() < 0.95 else passing)
    return position


def assert_same_game(ours: GoPosition, theirs: GoPosition) -> None:
    assert theirs.diagram() == ours.diagram()
    assert theirs.to_play == ours.to_play
    assert theirs.game.size == ours.game.size
    assert theirs.game.komi == ours.game.komi
    assert theirs.history == ours.history
    assert theirs.is_over == ours.is_over


# --- Round trips -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 3, 5, 9, 13, 18, 19, 20, 25])
def test_a_random_game_is_read_as_it_was_written(size):
    position = random_game(size, moves=3 * size * size, seed=size)
    assert_same_game(position, read_sgf(write_sgf(position)))


@pytest.mark.parametrize("size", [1, 9, 19, 25])
def test_a_new_game_is_read_as_it_was_written(size):
    position = Go(size, komi=-3.25, ko="simple", suicide=True).start()
    assert read_sgf(write_sgf(position)) == position


@pytest.mark.parametrize("komi", [0.0, 7.5, 6, -0.5, 0.1, 1 / 3, 375.0, 1000, -1000, 1e-5, -2.5e-300])
def test_komi_is_read_as_it_was_written(komi):
    assert read_sgf(write_sgf(Go(9, komi).start())).game.komi == komi


def test_passes_and_a_finished_game_are_read_as_they_were_written():
    position = played(Go(19, ko="simple", suicide=True).start(), "D4 pass Q16 pass pass")
    again = read_sgf(write_sgf(position))
    assert_same_game(position, again)
    assert again.is_over
    assert [move.notation for move in again.history] == ["D4", "pass", "Q16", "pass", "pass"]


def test_handicap_stones_are_read_as_they_were_written():
    position = Go(9, komi=0.5, ko="simple", suicide=True).start()
    position.place_fixed_handicap(4)
    for game in (position.copy(), played(position.copy(), "E5 E4 pass")):
        again = read_sgf(write_sgf(game))
        assert_same_game(game, again)
    assert again.history[0].colour == "white"


SETUP = """
    . . X . .
    . X O . .
    . . X O .
    . . O . .
    . . . . .
"""


@pytest.mark.parametrize("to_play", ["black", "white"])
@pytest.mark.parametrize("moves", ["", "D4", "D4 A1 pass"])
def test_stones_set_up_are_read_as_they_were_written(to_play, moves):
    position = played(Go(5, 0.0, "simple", True).from_diagram(SETUP, to_play), moves)
    assert_same_game(position, read_sgf(write_sgf(position)))


@pytest.mark.parametrize("moves", ["", "A1 B1"])
def test_an_empty_board_with_white_to_play_is_read_as_it_was_written(moves):
    position = played(Go(5, 0.0, "simple", True).start().give_turn("white"), moves)
    assert_same_game(position, read_sgf(write_sgf(position)))


@pytest.mark.parametrize(
    ("black", "white", "to_play"),
    [
        pytest.param(["A1", "B2"], [], "black"),
        (["A1", "B2"], [], "white"),
        ([], ["A1", "B2"], "black"),
        ([], ["A1", "B2"], "white"),
    ],
)
def test_the_turn_is_read_as_it_was_written_when_one_colour_alone_is_set_up(black, white, to_play):
    position = Go(5, 0.0, "simple", True).start().set_up_stones(black, white, [], to_play=to_play)
    assert_same_game(position, read_sgf(write_sgf(position)))


@st.composite
def positions(draw) -> GoPosition:
    """Return a position with any rules, komi and size, with or without setup stones, after some moves and passes."""
    game = Go(
        draw(st.integers(1, 6) | st.sampled_from([9, 13, 19, 25])),
        draw(st.floats(-1000, 1000) | st.integers(-1000, 1000) | st.integers(-20, 20).map(lambda half: half / 2)),
        draw(st.sampled_from(["simple", "positional", "situational"])),
        draw(st.booleans()),
    )
    position, names = game.start(), [game.format_move(point) for point in game.points()]
    match draw(st.sampled_from(["start", "stones", "turn", "handicap"])):
        case "stones":
            points = st.lists(st.sampled_from(names), unique=True, max_size=8)
            black, white, turn = draw(points), draw(points), draw(st.sampled_from(["black", "white"]))
            with suppress(GameError):  # a chain without a liberty
                position.set_up_stones(black, white, [], to_play=turn)
        case "turn":
            position.give_turn("white")
        case "handicap":
            with suppress(GameError):  # the board is too small for it
                position.place_fixed_handicap(draw(st.integers(2, 4)))
    for choice in draw(st.lists(st.integers(0, 10_000), max_size=25)):
        if position.is_over:
            break
        legal = position.legal_move_numbers()
        position.play(legal[-1] if choice < 2_000 else legal[choice % len(legal)])  # the last one is the pass
        if choice % 50 == 0:
            position.give_turn("black")
    return position


@settings(max_examples=400, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(position=positions())
def test_every_position_is_read_as_it_was_written(position):
    again = read_sgf(write_sgf(position))
    assert again == position
    assert again.game == position.game
    assert again.history == position.history
    assert (again.to_play, again.is_over, again.winner) == (position.to_play, position.is_over, position.winner)


@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
def test_the_superko_history_is_read_as_it_was_written(ko, suicide):
    position = played(Go(5, 0.5, ko, suicide).start(), "C2 A2 D1 B2 B1 E5 A1 C1")
    again = read_sgf(write_sgf(position))
    assert again.legal_moves() == position.legal_moves()
    assert again.is_legal("B1") == (ko != "positional")


COMMENTS = [
    "plain",
    "brackets ] [ and \\ backslashes \\] at the end \\",
    "several\nlines\n\nof text",
    "Umlaute äöü, 囲碁 and 🪨",
    "(;B[aa]) looks like a record; it isn't",
    "colon: semicolon; (parentheses)",
]


@pytest.mark.parametrize("comment", COMMENTS)
def test_comments_are_read_by_another_program(comment):
    position = played(Go(9).start(), "E5 C3")
    content = write_sgf(position, comments={0: comment, 2: comment + comment}, black=comment[:9], white="Ünlü")
    assert_same_game(position, read_sgf(content))
    root, first, second = sgf.Sgf_game.from_bytes(content).get_main_sequence()
    assert root.get("C") == comment
    assert not first.has_property("C")
    assert second.get("C") == comment + comment
    assert root.get("PB").split() == comment[:9].split()
    assert root.get("PW") == "Ünlü"


def test_a_record_can_be_read_from_text_bytes_and_a_file(tmp_path):
    position = played(Go(9, ko="simple", suicide=True).start(), "E5 C3")
    content = write_sgf(position, comments={1: "圍棋"})
    path = tmp_path / "a game.sgf"
    path.write_bytes(content)
    for source in (content, content.decode(), f"\ufeff {content.decode()}", path, str(path)):
        assert_same_game(position, read_sgf(source))


@pytest.mark.parametrize("name", ["x.sgf", "x", "(final).sgf", "game (1); copy.sgf"])
def test_a_text_that_does_not_look_like_a_record_is_the_name_of_a_file(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    position = played(Go(5).start(), "C3")
    Path(name).write_bytes(write_sgf(position))
    assert read_sgf(name) == position
    annotated = annotate_sgf(name, {1: "centre"}, {}, set())
    assert sgf.Sgf_game.from_bytes(annotated).get_last_node().get("C") == "centre"


@pytest.mark.parametrize(
    ("komi", "moves", "result"),
    [
        (0.5, "C3 pass pass", "B+24.5"),
        (30.0, "C3 pass pass", "W+5"),
        (25.0, "C3 pass pass", "0"),
        (0.5, "C3 pass", None),
        (0.5, "", None),
    ],
)
def test_the_result_of_a_finished_game_is_written(komi, moves, result):
    record = sgf.Sgf_game.from_bytes(write_sgf(played(Go(5, komi).start(), moves)))
    assert (record.get_root().get("RE") if record.get_root().has_property("RE") else None) == result


def test_a_given_result_is_written_instead():
    record = sgf.Sgf_game.from_bytes(write_sgf(Go(5).start(), result="B+Resign"))
    assert record.get_root().get("RE") == "B+Resign"
    assert record.get_winner() == "b"


def test_writing_does_not_change_the_position():
    position = played(Go(5).start(), "C3 B2 pass")
    before = position.copy()
    write_sgf(position, comments={1: "a"})
    assert position == before
    assert position.history == before.history


# --- Records of others -----------------------------------------------------------------------------------------------

RECORDS = {
    "moves of both colours": ("(;GM[1]FF[4]SZ[3]KM[6.5];B[aa];W[ba])", "X O .\n. . .\n. . .", "black", 2),
    "no size means nineteen": ("(;B[as])", None, "white", 1),
    "an empty game": ("(;SZ[3])", ". . .\n. . .\n. . .", "black", 0),
    "stones of both colours at the root": ("(;SZ[3]AB[aa][bb]AW[cc])", "X . .\n. X .\n. . O", "black", 0),
    "stones in a rectangle": ("(;SZ[3]AB[aa:bb])", "X X .\nX X .\n. . .", "white", 0),
    "black stones alone at the root are a handicap": ("(;SZ[3]HA[2]AB[aa][cc])", "X . .\n. . .\n. . X", "white", 0),
    "a handicap with Black to play all the same": ("(;SZ[3]AB[aa][cc]PL[B])", "X . .\n. . .\n. . X", "black", 0),
    "Black moves after a handicap": ("(;SZ[3]AB[aa];B[cc])", "X . .\n. . .\n. . X", "white", 1),
    "White moves first": ("(;SZ[3];W[aa])", "O . .\n. . .\n. . .", "black", 1),
    "White is said to play": ("(;SZ[3]PL[W])", ". . .\n. . .\n. . .", "white", 0),
    "White is said to play in small letters": ("(;SZ[3]PL[w])", ". . .\n. . .\n. . .", "white", 0),
    "stones taken away at the root": ("(;SZ[3]AB[aa][bb]AW[cc]AE[bb])", "X . .\n. . .\n. . O", "black", 0),
    "stones set up and taken away in mid-game": (
        "(;SZ[3];B[aa];W[bb];AE[aa]AW[ca]AB[cc];B[ac])",
        ". . O\n. O .\nX . X",
        "white",
        1,
    ),
    "the turn given in mid-game": ("(;SZ[3];B[aa];PL[B];B[bb])", "X . .\n. X .\n. . .", "white", 1),
    "two moves of one colour in a row": ("(;SZ[3];B[aa];B[bb];W[cc])", "X . .\n. X .\n. . O", "black", 2),
    "three moves of White in a row": ("(;SZ[3];W[aa];W[bb];W[cc])", "O . .\n. O .\n. . O", "black", 1),
    "a pass written as nothing": ("(;SZ[3];B[aa];W[];B[bb])", "X . .\n. X .\n. . .", "white", 3),
    "a pass written as tt": ("(;SZ[3];B[aa];W[tt];B[bb])", "X . .\n. X .\n. . .", "white", 3),
    "only the main line counts": (
        "(;SZ[3];B[aa](;W[bb](;B[cc])(;B[ca]))(;W[ab];B[ac];W[bc]))",
        "X . .\n. O .\n. . X",
        "white",
        3,
    ),
    "an illegal move off the main line does not matter": (
        "(;SZ[3];B[aa](;W[bb])(;W[aa]))",
        "X . .\n. O .\n. . .",
        "black",
        2,
    ),
    "unknown properties, long names and blanks": (
        "  junk (;  SiZe[3] XX[y][z]\n\nKM[0]\n;B [aa]LB[bb:1]C[a\\]b])",
        "X . .\n. . .\n. . .",
        "white",
        1,
    ),
    "only the first game of a collection": ("(;SZ[3];B[aa])(;SZ[5];B[bb])", "X . .\n. . .\n. . .", "white", 1),
    "a suicide, which some rules allow": (
        "(;SZ[3]AW[ba][ab]PL[B];B[aa];W[cc])",
        ". O .\nO . .\n. . O",
        "black",
        2,
    ),
}


@pytest.mark.parametrize(("record", "diagram", "to_play", "moves"), RECORDS.values(), ids=RECORDS)
def test_records_of_other_programs_are_read(record, diagram, to_play, moves):
    position = read_sgf(record)
    if diagram is None:
        diagram = "\n".join([" ".join("." * 19)] * 18 + [" ".join("X" + "." * 18)])
    assert position == position.game.from_diagram(diagram, to_play)
    assert len(position.history) == moves


def test_tt_is_a_point_on_a_board_larger_than_nineteen():
    assert read_sgf("(;SZ[19];B[tt])").history[0].notation == "pass"
    assert read_sgf("(;SZ[20];B[tt])").history[0].notation == "U1"


def test_komi_is_read_and_is_zero_if_missing():
    assert read_sgf("(;SZ[9]KM[6.5])").game.komi == 6.5
    assert read_sgf("(;SZ[9]KM[-3])").game.komi == -3.0
    assert read_sgf("(;SZ[9])").game.komi == 0.0


def test_a_record_is_read_under_the_given_rules():
    repeating = write_sgf(played(Go(5, ko="simple").start(), "C2 A2 D1 B2 B1 E5 A1 C1 B1"))
    assert read_sgf(repeating).game == Go(5, 7.5, "simple", False)
    with pytest.raises(BadRecord, match=r"node 9 .* would repeat an earlier position"):
        read_sgf(repeating, ko="positional")
    suicide = write_sgf(played(Go(3, ko="simple", suicide=True).start(), "C1 A2 C2 B3 A3"))
    assert read_sgf(suicide).game.suicide
    with pytest.raises(BadRecord, match=r"node 5 .* would be suicide"):
        read_sgf(suicide, suicide=False)


@pytest.mark.parametrize(
    ("record", "ko", "suicide"),
    [
        pytest.param("(;SZ[9])", "simple", True, id="no rules"),
        ("(;SZ[9]RU[])", "simple", True),
        ("(;SZ[9]RU[Calvinball])", "simple", True),
        ("(;SZ[9]RU[Chinese])", "simple", False),
        ("(;SZ[9]RU[ japanese ])", "simple", False),
        ("(;SZ[9]RU[AGA])", "situational", False),
        ("(;SZ[9]RU[NZ])", "situational", True),
        ("(;SZ[9]RU[New Zealand])", "situational", True),
        ("(;SZ[9]RU[GOE])", "simple", True),
        ("(;SZ[9]RU[Tromp-Taylor])", "positional", True),
        ("(;SZ[9]RU[AGA]TGRU[ko=positional suicide=yes])", "positional", True),
        ("(;SZ[9]TGRU[ko=situational suicide=no\n])", "situational", False),
    ],
)
def test_the_rules_that_a_record_states_are_read(record, ko, suicide):
    assert read_sgf(record).game == Go(9, 0.0, ko, suicide)
    assert read_sgf(record, ko="positional").game == Go(9, 0.0, "positional", suicide)
    assert read_sgf(record, suicide=False).game == Go(9, 0.0, ko, False)


@pytest.mark.parametrize(
    ("ko", "suicide", "name"),
    [
        pytest.param("simple", False, "Chinese"),
        ("positional", False, "Chinese"),
        ("situational", False, "AGA"),
        ("positional", True, "Tromp-Taylor"),
        ("situational", True, "NZ"),
    ],
)
def test_rules_are_written_by_the_names_that_other_programs_know(ko, suicide, name):
    root = sgf.Sgf_game.from_bytes(write_sgf(Go(9, 7.5, ko, suicide).start())).get_root()
    assert root.get("RU") == name


def test_no_name_is_written_for_rules_that_have_none():
    assert b"RU[" not in write_sgf(Go(9, ko="simple", suicide=True).start()).replace(b"TGRU", b"")


HANDICAP_GAME = "(;SZ[5]AB[bb][dd];W[cc];B[bc];AW[ee];W[tt];B[aa])"


@pytest.mark.parametrize(
    ("moves", "black", "white", "to_play"),
    [
        pytest.param(0, 2, 0, "white"),
        (1, 2, 1, "black"),
        (2, 3, 1, "white"),
        (3, 3, 2, "black"),
        (4, 4, 2, "white"),
        (99, 4, 2, "white"),
        (None, 4, 2, "white"),
    ],
)
def test_reading_stops_after_a_number_of_moves(moves, black, white, to_play):
    position = read_sgf(HANDICAP_GAME, moves=moves)
    assert (position.diagram().count("X"), position.diagram().count("O")) == (black, white)
    assert position.to_play == to_play


def test_reading_stops_before_an_illegal_move():
    record = "(;SZ[5];B[bb];W[cc];B[cc])"
    assert len(read_sgf(record, moves=2).history) == 2
    with pytest.raises(BadRecord, match=r"node 3 .* there is a stone already"):
        read_sgf(record)


# --- Bad input -------------------------------------------------------------------------------------------------------

NOISE = np.random.default_rng(1).integers(256, size=5000, dtype=np.uint8).tobytes()

BAD: dict[str, tuple[bytes | str | Path, str]] = {
    "nothing": (b"", "no SGF"),
    "no text": ("", "no such file: ''"),
    "garbage": ("garbage", "no such file: 'garbage' (a record as text contains '(;'"),
    "garbage in bytes": (b"garbage", "no SGF"),
    "noise": (NOISE, "no SGF"),
    "noise in a record": (b"(;SZ[9];B[" + NOISE.replace(b"]", b"") + b"])", "node 1"),
    "all bytes": (bytes(range(256)), "no SGF"),
    "a bracket": (b"(", "no SGF"),
    "rules of Tengen's that are not known": ("(;SZ[9]TGRU[ko=super suicide=no])", "'ko=super suicide=no'"),
    "a record without an end": ("(;SZ[9];B[aa];W[bb]", "end"),
    "a value without an end": ("(;SZ[9];B[aa];W[b", "end"),
    "a property without a value": ("(;SZ;B[aa])", "no values"),
    "a value without a property": ("(;SZ[9];[aa])", "unexpected value"),
    "no point at all": ("(;SZ[0])", "size"),
    "less than nothing": ("(;SZ[-9])", "size"),
    "a size beyond the largest": ("(;SZ[26])", "from 1 to 25"),
    "a rectangular board": ("(;SZ[1:9])", "SZ"),
    "a size in words": ("(;SZ[nine])", "SZ"),
    "an empty size": ("(;SZ[])", "SZ"),
    "an endless size": (f"(;SZ[{'9' * 5000}])", "SZ"),
    "komi in words": ("(;SZ[9]KM[six])", "komi"),
    "an empty komi": ("(;SZ[9]KM[])", "komi"),
    "komi that is not a number": ("(;SZ[9]KM[nan])", "komi"),
    "komi without end": ("(;SZ[9]KM[inf])", "komi"),
    "komi beyond reason": ("(;SZ[9]KM[1e9])", "komi"),
    "a move off the board": ("(;SZ[9];B[aa];W[jj])", "node 2"),
    "a move far off the board": ("(;SZ[9];B[zz])", "node 1"),
    "a move in capitals": ("(;SZ[9];B[AA])", "node 1"),
    "a move of one letter": ("(;SZ[9];B[a])", "node 1"),
    "a move of three letters": ("(;SZ[9];B[abc])", "node 1"),
    "a move in digits": ("(;SZ[9];B[11])", "node 1"),
    "a move on a stone": ("(;SZ[9];B[aa];W[aa])", "there is a stone already"),
    "a ko retaken at once": ("(;SZ[4]AB[bc][ad]AW[cc][dd][bd]PL[B];B[cd];W[bd])", "ko"),
    "a move after the end": ("(;SZ[9];B[tt];W[tt];B[aa])", "two passes"),
    "a stone set up off the board": ("(;SZ[9]AB[zz])", "node 0"),
    "a stone set up as a pass": ("(;SZ[9]AB[tt])", "node 0"),
    "a rectangle inside out": ("(;SZ[9]AB[cc:aa])", "node 0"),
    "stones without a liberty": ("(;SZ[5]AB[aa:ee])", "no liberty"),
    "a stone without a liberty": ("(;SZ[5]AB[aa]AW[ab][ba])", "no liberty"),
    "a turn of nobody": ("(;SZ[9]PL[green])", "node 0"),
    "an unknown encoding": ("(;CA[klingon]SZ[9];B[aa])", "encoding"),
    "an encoding of bytes to bytes": ("(;CA[zlib_codec]SZ[9];B[aa])", "'ZLIB' is not a character set"),
    "an encoding of text to text": ("(;CA[rot13]SZ[9];B[aa])", "is not a character set"),
    "an encoding that always fails": ("(;CA[undefined]SZ[9];B[aa])", "is not a character set"),
    "an encoding of host names": ("(;CA[idna]SZ[9];B[aa])", "is not a character set"),
    "a device": (Path("/dev/zero"), "not a regular file"),
    "a record of ten megabytes": (b"(;SZ[9]C[" + b"x" * 10_000_000 + b"])", "longer than"),
    "ten megabytes of openings": (b"(;" * 5_000_000, "longer than"),
    "variations nested too deeply": ("(;" * 100_000, "end"),
    "a file that does not exist": (Path("no such folder") / "no such file.sgf", "cannot be read"),
    "the name of a file that does not exist": ("no such folder/x.sgf", "no such file: 'no such folder/x.sgf'"),
    "the name of a folder": (str(Path(__file__).parent), "cannot be read"),
    "a name with a zero in it": ("a\0b.sgf", "no such file"),
    "a name of a thousand letters": ("x" * 1000, "no such file"),
    "a folder": (Path(__file__).parent, "cannot be read"),
}
"""By description of the error: an invalid record, and part of the message."""

BAD_BUT_NOT_REFUSED: dict[str, tuple[bytes | str | Path, str]] = {
    "another game": ("(;GM[2]SZ[8];B[dc])", "Go"),
    "a file name with a zero in it": (Path("a\0b.sgf"), "cannot be read"),
    "a file name of a thousand letters": (Path("x" * 1000), "cannot be read"),
}


def check_message(error: BaseException) -> str:
    """Check that a message is one short printable line without internals of the program; return it."""
    message = str(error)
    assert 10 < len(message) < 300
    assert "\n" not in message
    assert message.isprintable()
    return message


@pytest.fixture(scope="module")
def compiled():
    """Compile the kernels for reading, for every kind of board, before work is counted."""
    for size in (5, 9, 13, 19):
        read_sgf(f"(;SZ[{size}]AB[aa];W[bb];B[cc];W[tt])")


@contextmanager
def linear_work(length: int) -> Iterator[None]:
    """Count function calls and returns, and fail if there are more than linear in the length of a record."""
    events = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal events
        events += 1

    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(None)
        assert events <= 5000 + 100 * length


@pytest.mark.parametrize(("source", "words"), BAD.values(), ids=BAD)
def test_invalid_records_are_refused_in_one_line_and_linear_work(compiled, source, words):
    length = 0 if isinstance(source, Path) else len(source)
    with linear_work(length), pytest.raises(BadRecord) as caught:
        read_sgf(source)
    assert words in check_message(caught.value)


@pytest.mark.parametrize(("source", "words"), BAD_BUT_NOT_REFUSED.values(), ids=BAD_BUT_NOT_REFUSED)
def test_more_invalid_records_are_refused_in_one_line(source, words):
    with pytest.raises(BadRecord) as caught:
        read_sgf(source)
    assert words in check_message(caught.value)


@pytest.mark.parametrize(
    "name", ["a move off the board", "a move of three letters", "a stone set up off the board", "a turn of nobody"]
)
def test_an_invalid_point_is_refused_without_internals_in_the_message(name):
    with pytest.raises(BadRecord) as caught:
        read_sgf(BAD[name][0])
    assert "Error" not in str(caught.value)
    assert "unpack" not in str(caught.value)


def test_an_incomplete_character_is_accepted():
    assert read_sgf("(;SZ[9]C[\ud800];B[aa])").history[0].notation == "A9"


def test_every_truncated_record_is_refused():
    content = write_sgf(random_game(5, moves=12, seed=4), comments={0: "a ] b", 3: "c"})
    end = content.rindex(b")")
    for length in range(end):
        with pytest.raises(BadRecord) as caught:
            read_sgf(content[:length])
        check_message(caught.value)
    assert len(read_sgf(content[: end + 1]).history) == 12


def nested(depth: int) -> str:
    return "(;SZ[9]" + "(;" * depth + ")" * depth + ")"


def test_deep_variations_are_read_up_to_the_maximum_length_and_then_refused(compiled):
    assert read_sgf(nested(4_999)) == Go(9, 0.0, "simple", True).start()
    record = nested(100_000)
    with linear_work(len(record)), pytest.raises(BadRecord, match="more than 5,000 nodes") as caught:
        read_sgf(record)
    check_message(caught.value)


BASES = [
    b"(;FF[4]GM[1]CA[UTF-8]SZ[9]KM[7.5]PB[A]PW[B]RE[W+2.5];B[ee];W[cg]C[well \\] played];B[gg];W[tt];B[];W[])",
    b"(;SZ[5]AB[bb][dd]AW[cc]PL[W];W[aa](;B[ab];W[ba])(;B[ee]);AE[bb];B[bb])",
    write_sgf(random_game(4, moves=30, seed=2)),
]


@st.composite
def damaged_records(draw) -> bytes:
    """Return a valid record with a few bytes changed, removed, doubled or inserted."""
    content = bytearray(draw(st.sampled_from(BASES)))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, max(0, len(content) - 1)))
        span = draw(st.sampled_from([1, 1, 1, 2, 5, 20]))
        match draw(st.sampled_from(["flip", "set", "token", "delete", "double"])):
            case "flip":
                content[place] ^= 1 << draw(st.integers(0, 7))
            case "set":
                content[place : place + 1] = draw(st.binary(min_size=1, max_size=3))
            case "token":
                tokens = [
                    b"(;",
                    b")",
                    b";",
                    b"[",
                    b"]",
                    b"\\",
                    b"SZ[7]",
                    b"KM[1]",
                    b"AB[aa:cc]",
                    b"B[aa]",
                    b"PL[W]",
                    b"GM[1]",
                ]
                content[place:place] = draw(st.sampled_from(tokens))
            case "delete":
                del content[place : place + span]
            case "double":
                content[place:place] = content[place : place + span]
        if not content:
            break
    return bytes(content)


@settings(max_examples=1000, deadline=None, database=None, derandomize=True)
@given(content=damaged_records())
@example(content=b"(;SZ[9];B[aa]" * 3)
@example(content=b"(;SZ[9]" + b";B[aa];AE[aa]" * 50 + b")")
def test_a_damaged_record_is_a_position_or_refused(compiled, content):
    try:
        with linear_work(len(content)):
            position = read_sgf(content)
    except BadRecord as error:
        check_message(error)
        return
    assert 1 <= position.game.size <= 25
    assert position.diagram().count("\n") == position.game.size
    assert read_sgf(write_sgf(position)).diagram() == position.diagram()


def test_a_line_of_tens_of_thousands_of_nodes_is_refused_at_once():
    with pytest.raises(BadRecord, match="more than 5,000 nodes"):
        read_sgf("(;GM[1]SZ[9]" + ";AB[aa]AE[bb]" * 20_000 + ")")
