"""Export of games in other formats."""

from tengen.arena.exports import write_records
from tengen.arena.plans import Conditions, Entrant, Pairing
from tengen.arena.store import Store
from tengen.arena.worker import GameWorker
from tengen.games.go.game import Go
from tengen.games.go.sgf import read_sgf


def test_games_of_go_are_exported_as_sgf(tmp_path):
    pairing = Pairing(Entrant.of("random", "a"), Entrant.of("random", "b"), Conditions(Go(9)), 1)
    with Store(tmp_path / "x.sqlite") as store:
        store.add_pairing(pairing)
        store.add(GameWorker()(pairing.plan(0)))
        write_records(store, tmp_path / "records")
    files = sorted((tmp_path / "records").iterdir())
    assert [file.suffix for file in files] == [".sgf"]
    assert read_sgf(files[0]).is_over
