"""Reviews of stored games: which games and moves are reviewed, what is counted, and what is kept in CSV."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tengen.arena.accuracy import (
    COLUMNS,
    SEGMENT_MOVES,
    Reviewer,
    Segment,
    StoredGame,
    accuracies,
    accuracy_rows,
    by_player,
    effort_of,
    first_games,
    is_games_file,
    missing_games,
    read_accuracies,
    review_games,
    write_accuracies,
)
from tengen.arena.exports import write_csv, write_lines
from tengen.arena.game_review import Effort, ReviewedMove, analysing, review
from tengen.arena.imports import read_store
from tengen.arena.plans import Conditions, Entrant, Pairing
from tengen.arena.runner import run_pairings
from tengen.arena.store import Store
from tengen.errors import TengenError
from tengen.games.go.game import Go
from tengen.games.othello.game import Othello
from tengen.parallel import Done
from tengen.players import parse_player
from tests.arena.conftest import quick_pairing
from tests.interfaces.in_process import output_of, tengen

JUDGE = "mc-rave:simulations=40,memory=20"


class OneByOne:
    """A backend that does tasks in this process, the last one first."""

    workers = 1

    def run(self, make, tasks, keep: bool = False) -> Iterator[Done]:
        worker = make()
        for task in reversed(list(tasks)):
            try:
                yield Done(task, worker(task))
            except TengenError as error:
                yield Done(task, error=str(error))


@pytest.fixture
def othello(here, tmp_path):
    """Six games of two random players on the smallest board, with openings of two moves."""
    path = tmp_path / "othello.sqlite"
    with Store(path) as store:
        run_pairings([quick_pairing(games=6)], store, here)
    return path


@pytest.fixture
def go(here, tmp_path):
    """Two games of Go between random players."""
    path = tmp_path / "go.sqlite"
    players = Entrant.of("random", "level 9"), Entrant.of("random:seed=2", "level 10")
    with Store(path) as store:
        run_pairings([Pairing(*players, Conditions(Go(5, 0.5)), 2)], store, here)
    return path


def stored(path: Path, count: int = 0) -> list[StoredGame]:
    with read_store(path) as store:
        return first_games(store, count)


def judge() -> Reviewer:
    return Reviewer(JUDGE, 1.0)


def test_the_first_games_of_each_pairing_come_in_turn(here):
    first = quick_pairing(games=4)
    second = Pairing(first.first, Entrant.of("random:seed=3", "c"), first.conditions, 4)
    with Store() as store:
        run_pairings([first, second], store, here)
        ids = [game.played.id for game in first_games(store, 2)]
        assert ids == ["a v b #0", "a v c #0", "a v b #1", "a v c #1"]
        assert len(first_games(store)) == 8


def test_segments_cover_the_moves_after_the_opening_once(go, othello):
    for game in [*stored(go), *stored(othello)]:
        covered = [move for segment in game.segments() for move in range(segment.start, segment.stop)]
        assert covered == list(range(len(game.played.opening.split()), game.played.moves))
        assert all(segment.stop - segment.start <= SEGMENT_MOVES for segment in game.segments())
    assert len(stored(go)[0].segments()) > 1
    assert stored(othello)[0].chosen.start == 2


def test_a_part_of_a_game_is_judged_with_one_position_more_at_each_end(monkeypatch):
    game, seen = Go(5, 0.5), []
    position = game.start()
    for move in ("C3", "C4", "D3", "D4", "B3", "B4"):
        position.play(move)

    def unchanged(values: list[float], simulations: list[float]) -> list[float]:
        seen.append(len(values))
        return values

    monkeypatch.setattr("tengen.arena.game_review.two_sided", unchanged)
    player = analysing(parse_player("amaf:simulations=50").make(game), game)
    moves = review(position, player, lambda share: None, moves=range(2, 4))
    assert seen == [5]
    assert [(move.number, move.colour, move.move) for move in moves] == [(3, "black", "D3"), (4, "white", "D4")]
    assert moves[0].black_after == moves[1].black_before
    assert [move.number for move in review(position, player, lambda share: None, moves=range(4, 6))] == [5, 6]


@pytest.mark.long
def test_a_segment_is_reviewed_alike_by_any_worker(go):
    segments = stored(go)[0].segments()
    one, other = judge(), judge()
    other(segments[0])
    assert one(segments[1]) == other(segments[1])


def test_a_judge_whose_settings_depend_on_the_board_has_the_limit_of_that_board(monkeypatch):
    efforts = []

    def noted(position, player, watch, effort, moves):
        efforts.append(effort)
        return []

    monkeypatch.setattr("tengen.arena.accuracy.review", noted)
    worker = Reviewer("level:number=3", 1.0)
    worker(Segment("x #0", Othello(4), (), 0, 0))
    worker(Segment("y #0", Go(9), (), 0, 0))
    assert efforts == [Effort(20), Effort(170)]


@pytest.mark.long
def test_reviews_are_put_together_in_the_order_of_moves(go):
    games = stored(go)
    found = {game.played.id: moves for game, moves in review_games(games, OneByOne(), judge)}
    assert found.keys() == {game.played.id for game in games}
    for game in games:
        moves = found[game.played.id]
        assert not isinstance(moves, str)
        assert [move.move for move in moves] == list(game.moves)


@pytest.mark.long
def test_a_game_that_fails_is_told_once_and_the_others_go_on(go):
    games = stored(go)

    class Failing(Reviewer):
        def __call__(self, segment: Segment) -> list[ReviewedMove]:
            if segment.id == games[0].played.id:
                raise TengenError("no such luck")
            return super().__call__(segment)

    found = list(review_games(games, OneByOne(), partial(Failing, JUDGE, 1.0)))
    assert [(game.played.id, type(moves)) for game, moves in found] == [
        (games[1].played.id, list), (games[0].played.id, str),
    ]  # fmt: skip


def test_losses_and_blunders_are_counted_for_each_side(go):
    game = stored(go)[0]
    moves = [
        ReviewedMove(1, "black", "A1", 0.6, 0.3, "C3", ["C3"]),
        ReviewedMove(2, "white", "A2", 0.3, 0.4, "B3", ["B3"]),
        ReviewedMove(3, "black", "C3", 0.4, 0.1, "C3", ["C3"]),
    ]
    black, white = accuracies(game, moves, 0.2, JUDGE)
    assert (black.player, black.colour, black.moves, black.blunders) == (game.played.black, "black", 2, 1)
    assert black.loss == pytest.approx(0.6)
    assert (white.player, white.moves, white.blunders) == (game.played.white, 1, 0)
    assert white.loss == pytest.approx(0.1)
    table = by_player([black, white, black])
    assert [(row.player, row.games, row.moves, row.blunders) for row in table] == [
        ("level 9", 2, 4, 2), ("level 10", 1, 1, 0),
    ]  # fmt: skip
    header, rows = accuracy_rows(table)
    assert header[1:6] == ["player", "games", "moves", "mean loss", "blunders"]
    assert rows[0] == ["1", "level 9", "2", "4", "+30.00", "50.0 %", "15.0 % to 85.0 %"]


def test_lines_come_back_and_their_games_are_not_reviewed_again(go, tmp_path):
    games = stored(go)
    rows = accuracies(games[0], [], 0.2, 'a, "b"')
    write_accuracies(tmp_path / "x.csv", rows)
    assert read_accuracies(tmp_path / "x.csv") == rows
    assert missing_games(games, rows, 0.2, 'a, "b"') == games[1:]
    with pytest.raises(TengenError, match=r"reviews by .* --blunder 0\.2"):
        missing_games(games, rows, 0.3, 'a, "b"')
    with pytest.raises(TengenError, match="reviews by"):
        missing_games(games, rows, 0.2, JUDGE)
    other = [accuracies(games[1], [], 0.2, JUDGE)[0]]
    wrong = [type(row)(**{**vars(row), "id": games[0].played.id}) for row in other]
    with pytest.raises(TengenError, match="another game"):
        missing_games(games, wrong, 0.2, JUDGE)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "columns"),
        ("a,b\n", "columns"),
        (f"{','.join(COLUMNS)}\n1,2\n", "line 2"),
        (f"{','.join(COLUMNS)}\na,b,c,black,x,0,0,0.2,j\n", "line 2"),
        (f'{",".join(COLUMNS)}\n"', "line 2"),
    ],
)
def test_a_file_that_is_no_review_is_refused(tmp_path, content, complaint):
    (tmp_path / "x.csv").write_text(content)
    with pytest.raises(TengenError, match=complaint):
        read_accuracies(tmp_path / "x.csv")


def test_files_of_games_are_told_from_records(go, tmp_path):
    with read_store(go) as store:
        write_lines(store, tmp_path / "go.jsonl")
        write_csv(store, tmp_path / "go.csv")
    (tmp_path / "go.sgf").write_text("(;GM[1]SZ[5];B[aa])")
    assert is_games_file(go)
    assert is_games_file(tmp_path / "go.jsonl")
    assert is_games_file(tmp_path / "go.csv")
    assert not is_games_file(tmp_path / "go.sgf")
    with read_store(tmp_path / "go.csv") as store, pytest.raises(TengenError, match="without the moves"):
        first_games(store)


def test_a_record_that_the_rules_do_not_allow_is_one_sentence(go, tmp_path):
    with read_store(go) as store:
        lines = [line.replace("SZ[5]", "SZ[7]").replace(";B[", ";B[gg];B[", 1) for line in store.lines()]
    with Store() as store:
        store.add_lines(lines)
        with pytest.raises(TengenError, match="the game 'level 9 v level 10 #0' cannot be reviewed"):
            first_games(store)


def test_an_effort_is_the_judges_own_limit_or_the_seconds():
    assert effort_of(parse_player("mc-rave:simulations=30").on(Othello(4)), 2.0) == Effort(30)
    assert effort_of(parse_player("mc-rave").on(Othello(4)), 2.0) == Effort(seconds=2.0)
    assert effort_of(parse_player("amaf:simulations=30").on(Othello(4)), 2.0) is None


@pytest.mark.long
def test_the_command_reviews_goes_on_and_prints_a_table(othello, tmp_path):
    to = tmp_path / "review.csv"
    arguments = ("analyze", str(othello), "--player", JUDGE, "--blunder", "0.2", "--workers", "1", "--to", str(to))
    shown = output_of(*arguments, "--games", "2")
    assert [line.split()[1] for line in shown.splitlines()[1:]] == ["a", "b"]
    before = read_accuracies(to)
    assert [row.id for row in before] == ["a v b #0"] * 2 + ["a v b #1"] * 2
    found = json.loads(output_of(*arguments, "--json"))
    assert [(row["player"], row["games"]) for row in found["players"]] == [("a", 6), ("b", 6)]
    assert read_accuracies(to)[:4] == before
    assert len(read_accuracies(to)) == 12
    refused = tengen(*arguments, "--blunder", "0.3")
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (1, "", 1)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--player", "random"), "reviewed by a player that searches"),
        (("--to", "{folder}"), "cannot be read"),
    ],
)
def test_what_the_command_cannot_do_is_one_sentence(othello, tmp_path, arguments, complaint):
    done = tengen("analyze", str(othello), *(part.format(folder=tmp_path) for part in arguments))
    assert (done.returncode, done.stdout) == (1, "")
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_record_of_one_game_takes_no_options_for_files_of_games(tmp_path):
    (tmp_path / "x.sgf").write_text("(;GM[1]SZ[5];B[aa])")
    done = tengen("analyze", str(tmp_path / "x.sgf"), "--games", "1")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "tengen: --games and --workers are for a file of games, not for the record of one game\n"
