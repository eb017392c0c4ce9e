"""Tournament files: valid ones and errors."""

import os

import pytest

from tengen.arena.tournament import EXAMPLE, BadTournament, read_tournament
from tengen.games.go.game import Go
from tengen.games.havannah.game import Havannah

PLAYERS = '[players]\na = "random"\nb = "random:seed=2"\nc = "random:seed=3"\n'


def read(tmp_path, text: str):
    file = tmp_path / "cup.toml"
    file.write_text(text)
    return read_tournament(file)


def names(tournament) -> list[tuple[str, int]]:
    return [(pairing.name, pairing.games) for pairing in tournament.pairings]


def test_the_example_is_a_tournament(tmp_path):
    tournament = read(tmp_path, EXAMPLE)
    assert names(tournament) == [("uct v rave", 100), ("uct v gnugo", 100), ("rave v gnugo", 100)]
    assert tournament.anchors == {"gnugo": 1800}
    assert tournament.store == tmp_path / "cup.sqlite"
    [conditions] = {pairing.conditions for pairing in tournament.pairings}
    assert (conditions.game, conditions.random_moves) == (Go(9, 7.5), 4)
    uncommented = EXAMPLE.replace("# ", "").replace("#", "# ").replace("A tournament. Files", "# Files")
    assert all(key in uncommented for key in ("challengers", "openings", "clock", "referee", "move_limit", "lines"))


def test_a_gauntlet_lets_challengers_meet_all_the_others(tmp_path):
    tournament = read(tmp_path, 'kind = "gauntlet"\ngames = 4\nchallengers = ["a"]\n' + PLAYERS)
    assert names(tournament) == [("a v b", 4), ("a v c", 4)]


def test_a_playoff_lists_its_matchups(tmp_path):
    listed = '[[matchups]]\nplayers = ["c", "a"]\n[[matchups]]\nplayers = ["a", "b"]\ngames = 7\n'
    assert names(read(tmp_path, 'kind = "playoff"\ngames = 4\n' + PLAYERS + listed)) == [("c v a", 4), ("a v b", 7)]


def test_everything_optional_is_read(tmp_path):
    (tmp_path / "moves.txt").write_text("a1 b2\n")
    text = (
        'games = 2\nseed = 5\nclock = "1m+2s"\nopenings = "moves.txt"\nmove_limit = 50\nanalysis = true\n'
        'store = "x.db"\nlines = "y.jsonl"\n[game]\nname = "havannah"\nbase = 4\nswap = true\n'
    )
    tournament = read(tmp_path, text + PLAYERS)
    conditions = tournament.pairings[0].conditions
    assert conditions.game == Havannah(4, swap=True)
    assert (conditions.seed, str(conditions.clock), conditions.openings) == (5, "60s+2s", ("a1 b2",))
    assert (conditions.move_limit, conditions.analysis) == (50, True)
    assert (tournament.store, tournament.lines) == (tmp_path / "x.db", tmp_path / "y.jsonl")
    assert names(tournament.with_games(9))[0] == ("a v b", 9)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("games = ", "not valid TOML"),
        ("gmaes = 4\n" + PLAYERS, "did you mean games?"),
        ('games = "many"\n' + PLAYERS, "games must be an integer"),
        ("games = true\n" + PLAYERS, "games must be an integer"),
        ("games = 0\n" + PLAYERS, "from 1 to 10,000,000"),
        ('kind = "knockout"\n' + PLAYERS, "choose from: round-robin, gauntlet, playoff"),
        ('kind = "gauntlet"\n' + PLAYERS, "challengers is required in a gauntlet"),
        ('challengers = ["a"]\n' + PLAYERS, "challengers is required in a gauntlet and not allowed"),
        ('kind = "gauntlet"\nchallengers = ["x"]\n' + PLAYERS, "unknown player 'x'"),
        ('kind = "playoff"\nmatchups = [{players = ["a"]}]\n' + PLAYERS, "needs two players"),
        ('kind = "playoff"\nmatchups = [{players = ["a", "a"]}]\n' + PLAYERS, "both players are named"),
        ('kind = "playoff"\nmatchups = [{players=["a","b"]},{players=["b","a"]}]\n' + PLAYERS, "more than one matchup"),
        ('kind = "playoff"\nmatchups = [3]\n' + PLAYERS, "a matchup must be a table"),
        ('[players]\na = "random"', "at least two players"),
        ('[players]\na = "random"\nb = 3', "player b must be a string"),
        ('[players]\na = "random"\nb = "rendom"', "did you mean random?"),
        (PLAYERS + "[anchors]\nz = 3", "unknown player 'z'"),
        (PLAYERS + '[anchors]\na = "x"', "must be a rating"),
        (PLAYERS + "[anchors]\na = nan", "must be a rating"),
        (PLAYERS + "[anchors]\na = 1e9", "must be a rating"),
        ("games = 999999999999\n" + PLAYERS, "from 1 to 10,000,000, not '999999999999'"),
        ("a = " + "[" * 100_000, "nested deeper than 100 levels"),
        ('store = "a\\u0000b"\nopenings = "a\\u0000b"\n' + PLAYERS, "its name is not valid"),
        (PLAYERS + '[game]\nname = "chess"', "unknown game 'chess'"),
        (PLAYERS + "[game]\nsize = 99", "from 1 to 25"),
        ('clock = "soon"\n' + PLAYERS, "not a time control"),
        ('openings = "nowhere.txt"\n' + PLAYERS, "cannot be read"),
        ('referee = "nobody"\n' + PLAYERS, "unknown player 'nobody'"),
    ],
)
def test_an_invalid_file_raises_a_one_line_error(text, words, tmp_path):
    with pytest.raises(BadTournament) as raised:
        read(tmp_path, text)
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(BadTournament, match="No such file"):
        read_tournament(tmp_path / "none.toml")


def test_a_fifo_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "cup.toml")
    with pytest.raises(BadTournament, match="not a regular file"):
        read_tournament(tmp_path / "cup.toml")
