"""Go's priors, against reference rules in plain Python and sums by hand."""

from typing import Any

import numpy as np
import pytest
from tic_tac_toe import TicTacToe

from tengen import Go
from tengen.errors import TengenError
from tengen.games.go.game import GoPosition
from tengen.games.go.go_record import PASS
from tengen.players import parse_player, parse_search
from tengen.search.search import Search
from tengen.search.tree import CLOSED
from tests.games.go import reference, slow_tactics
from tests.games.go.reference import drawn
from tests.games.go.slow_patterns import is_match
from tests.policies import slow_mogo


def root_of(player: str, position: GoPosition) -> tuple[Any, Any]:
    """The root's statistics and its prior, before any simulation."""
    search = Search(parse_search(f"{player},memory=5"), position.game)
    search.set_position(position)
    return search.row(), search.memory.priors[0]


def played_positions(size: int, moves: int, seed: int, every: int):
    """Positions of a game by MoGo's policy, with their last moves."""
    game = Go(size)
    position = game.start()
    player = parse_player("mogo").make(game)
    player.new_game(seed)
    for number in range(moves):
        if position.is_over:
            return
        position.play(player.choose(position))
        if number % every == 0 and not position.is_over:
            yield position


def facts(position: GoPosition):
    """The arguments of the reference rules for a position: board, colour, ko, last move."""
    game, state = position.game, position.state
    ko = game.row_and_column(int(state.ko)) if state.ko else None
    last = game.row_and_column(int(state.last_move)) if state.last_move else None
    return reference.board_of(game, state), int(state.to_play), ko, last


def test_the_mogo_prior_is_one_for_moves_of_the_first_rule_and_even_for_others():
    rules = set()
    for position in played_positions(9, 120, seed=7, every=1):
        stones_on, colour, ko, last = facts(position)
        name, allowed = slow_mogo.rule(stones_on, colour, ko, last)
        good = {position.game.point(*point) for point in allowed} if name not in ("random", "pass") else set()
        row, said = root_of("mc-rave:policy=mogo,prior=mogo,prior_weight=7", position)
        sensible = {position.game.point(*p) for p in reference.sensible_moves(stones_on, colour, ko)}
        assert set(np.flatnonzero(row.wins > CLOSED)) == sensible | {0}
        for slot in sensible | {0}:
            value = 1.0 if slot in good else 0.5
            assert (said.value[slot], said.weight[slot]) == (value, 7)
            rave = (7, 7 * value) if slot != PASS else (0, 0)
            assert (row.rave_visits[slot], row.rave_wins[slot]) == rave
            assert row.visits[slot] == 0
        rules.add(name)
    assert {"save", "pattern", "capture", "random"} <= rules


def test_a_prior_needs_no_policy_of_its_kind():
    position: Any = Go(9).start().play("C3").play("C4")
    row, _ = root_of("mc-rave:prior=mogo,prior_weight=4,prior_on=visits", position)
    assert row.visits[position.game.parse_move("A1")] == 4


def test_a_prior_of_go_is_refused_for_another_game():
    with pytest.raises(TengenError, match="the prior knowledge is for go, not for tic-tac-toe"):
        parse_player("uct:prior=knowledge,memory=2").make(TicTacToe())


KNOWLEDGE = "mc-rave:policy=mogo,prior=knowledge"
"""The parts of the strongest player, whose kernels on 9x9 are compiled in any case."""
WEIGHTS = {
    "rule_wins": 0.5,
    "pattern_wins": 0.25,
    "capture_wins": 2.0,
    "large_capture_wins": 4.0,
    "atari_wins": 0.125,
    "self_atari_losses": 8.0,
    "near_wins_1": 1.0,
    "near_wins_2": 0.75,
    "near_wins_3": 0.375,
    "low_line_losses": 3.0,
    "third_line_wins": 5.0,
}
SETTINGS = ",".join(f"{name}={value}" for name, value in WEIGHTS.items())


def line_of(size: int, point: reference.Point) -> int:
    return min(*point, size - 1 - point[0], size - 1 - point[1]) + 1


def believed(position: GoPosition, point: reference.Point) -> tuple[float, float]:
    """The wins and losses that the weights above give a move, beside the even experience."""
    stones_on, colour, ko, last = facts(position)
    w, size = WEIGHTS, position.game.size
    name, moves = slow_mogo.rule(stones_on, colour, ko, last)
    wins = w["rule_wins"] if name not in ("random", "pass") and point in moves else 0.0
    around = slow_mogo.around(stones_on, point, colour)
    wins += w["pattern_wins"] if is_match(around) else 0.0
    taken = slow_tactics.captured(stones_on, point, colour)
    wins += w["large_capture_wins"] if len(taken) > 1 else w["capture_wins"] if taken else 0.0
    wins += w["atari_wins"] if slow_tactics.gives_atari(stones_on, point, colour) else 0.0
    distance = slow_tactics.common_fate(stones_on, last)[point] if last else 9
    wins += w.get(f"near_wins_{distance}", 0.0)
    losses = w["self_atari_losses"] if slow_tactics.liberties_after(stones_on, point, colour) < 2 else 0.0
    if set(around.values()) <= {".", "#"}:
        line = line_of(size, point)
        wins += w["third_line_wins"] if line == 3 else 0.0
        losses += w["low_line_losses"] if line < 3 else 0.0
    return wins, losses


def test_knowledge_adds_up_the_experience_of_every_kind_of_move():
    checked, kinds = 0, set()
    for position in played_positions(9, 80, seed=17, every=3):
        row, said = root_of(f"{KNOWLEDGE},prior_weight=2,prior_on=both,{SETTINGS}", position)
        for slot in np.flatnonzero(row.wins > CLOSED):
            wins, losses = believed(position, position.game.row_and_column(int(slot))) if slot else (0.0, 0.0)
            share = 1 + wins + losses
            assert said.weight[slot] == pytest.approx(2 * share)
            assert said.value[slot] == pytest.approx((0.5 + wins) / share)
            assert row.wins[slot] == pytest.approx(2 * (0.5 + wins))
            checked += 1
            kinds.add((wins, losses))
    assert checked > 100
    assert len(kinds) > 20


LADDER = """
    . . . . . . . . .
    . X X X . . . . .
    . X O . . . . . .
    . . X . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""


def test_running_from_a_working_ladder_has_a_low_prior():
    position: Any = Go(9).from_diagram(drawn(LADDER), to_play="white")
    position.state.last_move = position.game.parse_move("C6")
    flight = position.game.parse_move("D7")
    _, without = root_of(f"{KNOWLEDGE},prior_weight=1", position)
    _, said = root_of(f"{KNOWLEDGE},prior_weight=1,ladder_losses=5", position)
    assert said.weight[flight] == pytest.approx(without.weight[flight] + 5)
    assert said.value[flight] * said.weight[flight] == pytest.approx(without.value[flight] * without.weight[flight])
    others = [slot for slot in range(1, position.game.move_slots) if slot != flight]
    assert list(said.weight[others]) == list(without.weight[others])


@pytest.mark.parametrize(("stones", "works"), [([], True), (["E5"], False)])
def test_starting_a_working_ladder_has_a_high_prior(stones, works):
    """White has just run out to D7. Black's atari at E7 works unless White has a stone on the way, at E5."""
    position: Any = Go(9).from_diagram(drawn(LADDER), to_play="black")
    position.set_up_stones([], ["D7", *stones], [], to_play="black")
    position.state.last_move = position.game.parse_move("D7")
    _, without = root_of(f"{KNOWLEDGE},prior_weight=1", position)
    _, said = root_of(f"{KNOWLEDGE},prior_weight=1,ladder_wins=5", position)
    gained = {
        position.game.format_move(int(slot)): float(said.weight[slot] - without.weight[slot])
        for slot in np.flatnonzero(said.weight != without.weight)
    }
    assert gained == (pytest.approx({"E7": 5.0}) if works else {})


def test_the_prior_of_the_root_uses_the_last_move():
    position: Any = Go(9).start().play("C3").play("D3")
    search = Search(parse_search("mc-rave:policy=mogo,prior=mogo,memory=5"), position.game)
    search.set_position(position)
    state = search.memory.states[0]
    assert state.last_move == position.game.parse_move("D3")
    assert bytes(state.colour) == bytes(position.state.colour)
    assert (state.to_play, state.ko, state.passes) == (0, 0, 0)
    search.run(200)
    assert search.simulations == 200


@pytest.mark.long
def test_searches_with_knowledge_play_whole_games():
    game = Go(7)
    players = [
        parse_player(f"mc-rave:policy=mogo,prior={prior},simulations=60,memory=5,nakade=true").make(game)
        for prior in ("mogo", "knowledge,ladder_wins=1")
    ]
    position = game.start()
    while not position.is_over and len(position.history) < 150:
        position.play(players[len(position.history) % 2].choose(position))
    assert position.is_over
