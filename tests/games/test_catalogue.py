"""Games by name."""

import pytest

from tengen import GameError, Go, Havannah, Othello
from tengen.games.catalogue import game_from_json, game_to_json, make_game


def test_a_game_is_made_by_its_name_and_its_size():
    assert make_game() == Go(9)
    assert make_game("go", 19, komi=6.5) == Go(19, 6.5)
    assert make_game("othello", komi=None) == Othello(8)
    assert make_game("havannah", 5) == Havannah(5)


@pytest.mark.parametrize("game", [Go(13, 0.5, ko="simple", suicide=True), Othello(6), Havannah(4, swap=True)])
def test_a_game_comes_back_from_its_description(game):
    assert game_from_json(game_to_json(game)) == game


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (lambda: make_game("chess"), "there is go, othello, havannah"),
        (lambda: make_game("othello", komi=7.5), "othello has no komi"),
        (lambda: make_game("go", 99), "from 1 to 25"),
        (lambda: game_from_json(["go"]), "described by its name"),
        (lambda: game_from_json({"name": "go", "colour": "red"}), "go has no option 'colour'"),
    ],
)
def test_what_is_no_game_is_refused(wrong, why):
    with pytest.raises(GameError, match=why):
        wrong()
