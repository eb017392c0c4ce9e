"""Preselection by a prior: hand-made positions, slow tactics as reference, and the values of a tree search's root."""

import numpy as np
import pytest
from tic_tac_toe import TicTacToe

from tengen import Go
from tengen.errors import TengenError
from tengen.games.interface import is_candidate
from tengen.players import BadPlayer, parse_player, parse_search
from tengen.policies.go.knowledge import LADDER_STATES
from tengen.search.flat_player import FlatPlayer
from tengen.search.search import Search
from tests.games.go import reference, slow_tactics
from tests.games.go.reference import drawn
from tests.policies.test_priors import facts, played_positions

ALL = 1000
"""More than there are moves: only moves that the prior excludes are left out."""


def sampling_of(text, position):
    player = parse_player(text).make(position.game)
    assert isinstance(player, FlatPlayer)
    player.search.set_position(position)
    return player.search


def preselected(position, count, settings=""):
    """Return the moves that flat Monte-Carlo compares, in their order."""
    return [int(move) for move in sampling_of(f"flat-mc:preselect={count}{settings}", position).samples.moves]


def named(position, moves):
    return {position.game.format_move(move) for move in moves}


# --- Excluded moves --------------------------------------------------------------------------------------------------

TACTICS = """
    . . . . . . . . .
    . X X X . . . . X
    . X O . . . . . .
    . . X . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    X O . . . . . . .
"""
"""White's chain C7 is in atari, A2 captures, and a white stone on J9 would have one liberty."""


def excluded(position, **settings):
    """Return the legal moves that are not preselected, whatever the number of moves."""
    left_out = {int(move) for move in position.legal_move_numbers()} - set(preselected(position, ALL, **settings))
    return named(position, left_out)


@pytest.mark.plain
def test_a_self_atari_and_running_from_a_ladder_are_excluded_and_a_capture_is_not():
    assert excluded(Go(9).from_diagram(drawn(TACTICS), "white")) == {"D7", "J9"}


@pytest.mark.plain
def test_running_from_a_broken_ladder_is_not_excluded():
    position = Go(9).from_diagram(drawn(TACTICS), "white")
    position.set_up_stones([], ["E5"], [], to_play="white")
    assert excluded(position) == {"J9"}


@pytest.mark.plain
def test_a_capture_that_leaves_the_stone_in_atari_is_not_excluded():
    picture = """
    . X O . . . . . .
    X O . O . . . . .
    . X O . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """
    position = Go(9).from_diagram(drawn(picture))
    assert "C8" in named(position, preselected(position, ALL))


@pytest.mark.plain
def test_a_capture_is_the_best_move():
    position = Go(9).from_diagram(drawn(TACTICS), "white")
    assert preselected(position, 1) == [position.game.parse_move("A2"), 0]


@pytest.mark.plain
@pytest.mark.parametrize("count", [1, 3, 4, ALL])
def test_if_all_moves_are_excluded_all_are_ranked(count):
    """Every move of Black is a self-atari in one of White's eyes."""
    picture = "\n".join([". . O O O O O . .", *["O O O O O O O O O"] * 8])
    position = Go(9).from_diagram(drawn(picture))
    moves = preselected(position, count)
    assert moves[-1] == 0
    assert len(moves) == len(set(moves)) == min(count, 4) + 1
    assert set(moves) <= set(map(int, position.legal_move_numbers()))


@pytest.mark.plain
def test_the_pass_is_preselected_alone_where_there_is_no_other_move():
    rows = [". X X X X X X O .", "X X X X X X X O O"]
    picture = "\n".join([*rows * 4, rows[0]])
    assert preselected(Go(9).from_diagram(drawn(picture), "white"), 3) == [0]


@pytest.mark.plain
def test_other_priors_exclude_nothing():
    position = Go(9).from_diagram(drawn(TACTICS), "white")
    assert excluded(position, settings=",prior=mogo") == set()


def is_bad(stones_on, point, colour, flights):
    """Whether a move that captures nothing is a self-atari or one of the futile flights, in plain Python."""
    if slow_tactics.captured(stones_on, point, colour):
        return False
    return point in flights or slow_tactics.liberties_after(stones_on, point, colour) < 2


def test_exclusions_agree_with_slow_tactics_in_played_games():
    bad_moves, bad_flights = 0, 0
    for position in played_positions(9, 120, seed=5, every=1):
        stones_on, colour, ko, _ = facts(position)
        chains = slow_tactics.in_atari(stones_on, colour)
        flights = {
            liberty
            for stones, liberty in chains
            if slow_tactics.is_caught(stones_on, next(iter(stones)), ko, LADDER_STATES)
        }
        legal = {int(move) for move in position.legal_move_numbers()}
        candidates = {position.game.point(*p): p for p in reference.sensible_moves(stones_on, colour, ko)}
        bad = {move for move, point in candidates.items() if is_bad(stones_on, point, colour, flights)}
        good = (candidates.keys() & legal) - bad
        assert set(preselected(position, ALL)) == (good or candidates.keys() & legal) | {0}
        bad_moves += len(bad)
        bad_flights += len([point for point in flights if slow_tactics.liberties_after(stones_on, point, colour) > 1])
    assert bad_moves > 50
    assert bad_flights > 0


# --- Ranking ---------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("prior", ["knowledge", "mogo"])
def test_the_moves_with_the_highest_values_are_preselected_besides_the_pass(prior):
    for position in played_positions(9, 60, seed=3, every=5):
        search = Search(parse_search(f"uct:prior={prior},memory=5"), position.game)
        search.set_position(position)
        value = search.memory.priors[0].value
        ranking = preselected(position, ALL, f",prior={prior}")
        for count in (1, 4, 10):
            moves = preselected(position, count, f",prior={prior}")
            assert moves[-1] == ranking[-1] == 0
            assert len(moves) == min(count + 1, len(ranking))
            assert [value[move] for move in moves[:-1]] == sorted(value[ranking[:-1]], reverse=True)[:count]


def test_equal_moves_are_preselected_at_random():
    sampling = sampling_of("flat-mc:preselect=2,prior=even", TicTacToe().start())
    seen = np.zeros(9)
    for _ in range(900):
        sampling.set_position(TicTacToe().start())
        assert len(sampling.samples.moves) == 2
        seen[sampling.samples.moves] += 1
    assert np.all(abs(seen - 200) < 5 * np.sqrt(200))


def test_a_move_that_superko_forbids_takes_no_place():
    game, rng, forbidden = Go(3, komi=0), np.random.default_rng(1), 0
    position = game.start()
    while not position.is_over and len(position.history) < 300:
        legal = {int(move) for move in position.legal_move_numbers()}
        everything, two = (preselected(position, count, ",prior=even") for count in (ALL, 2))
        assert set(two) <= set(everything) <= legal
        assert len(two) == min(3, len(everything))
        forbidden += sum(move not in legal and bool(is_candidate(position.state, move)) for move in game.points())
        position.play(int(rng.choice(sorted(legal - {0}) or [0])))
    assert forbidden > 0


# --- Players and options ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["flat-mc:preselect=3", "flat-mc:preselect=5,selection=pruning", "amaf:preselect=3"])
def test_only_preselected_moves_are_compared_and_played(text):
    game = Go(9)
    player = parse_player(f"{text},simulations=100").make_searcher(game)
    count = player.config.preselect
    position = game.start().play("C3").play("D3")
    analysis = player.analyse(position)
    assert len(analysis.moves) == count + 1
    assert "pass" in [move.move for move in analysis.moves]
    assert player.choose(position) in position.legal_moves()


@pytest.mark.plain
def test_states_are_tactical_only_with_a_prior_that_needs_it():
    game = Go(9)
    for text, kind in (
        ("flat-mc", game.state_record),
        ("amaf", game.state_record),
        ("flat-mc:preselect=1,prior=even", game.state_record),
        ("flat-mc:preselect=1", game.tactical_record),
        ("amaf:preselect=1", game.tactical_record),
    ):
        assert sampling_of(text, game.start()).samples.states.dtype == kind


def test_a_prior_of_go_is_refused_for_another_game():
    with pytest.raises(TengenError, match=r"^the prior knowledge is for go, not for tic-tac-toe$"):
        parse_player("flat-mc:preselect=3").make(TicTacToe())


@pytest.mark.parametrize("name", ["flat-mc", "amaf"])
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("prior=knowledge", "prior has no effect unless preselect is at least 1"),
        ("preselect=0,prior=even", "prior has no effect unless preselect is at least 1"),
        ("rule_wins=2", "rule_wins has no effect with preselect=0: it is an option of the prior knowledge"),
        (
            "preselect=3,prior_weight=2",
            "prior_weight has no effect: the prior of a player without a tree only ranks moves",
        ),
        ("preselect=3,prior_on=rave", "prior_on has no effect: the prior of a player without a tree only ranks moves"),
        ("preselect=3,prior=grandfather", "prior=grandfather cannot preselect moves: its values come from a tree"),
        ("preselect=-1", "preselect is from 0 to 1000, not '-1'"),
        ("preselect=many", "preselect is a whole number, not 'many'"),
    ],
)
def test_settings_without_effect_on_a_preselection_are_refused(name, settings, message):
    with pytest.raises(BadPlayer) as raised:
        parse_player(f"{name}:{settings}")
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("text", "shortest"),
    [
        ("flat-mc:preselect=0", "flat-mc"),
        ("flat-mc:preselect=10,prior=knowledge", "flat-mc:preselect=10"),
        ("flat-mc:prior=mogo,preselect=10", "flat-mc:preselect=10,prior=mogo"),
        ("flat-mc:rule_wins=2,preselect=10", "flat-mc:preselect=10,rule_wins=2"),
        ("amaf:annealing=true,preselect=4,prior=even", "amaf:preselect=4,prior=even,annealing=true"),
    ],
)
def test_a_description_is_written_in_its_shortest_form(text, shortest):
    assert str(parse_player(text)) == shortest
    assert parse_player(shortest) == parse_player(text)


def test_a_preselection_can_be_switched_off_again():
    spec = parse_player("flat-mc:preselect=10,prior=mogo,nakade=true")
    assert spec.with_setting("preselect", "0") == parse_player("flat-mc")
