"""Flat Monte Carlo: the value of a move is the mean result of random games, without a tree.

`sample_moves` selects the first move of each game and updates that move, or all moves of the game (all moves as first,
AMAF); `sample_games` leaves all moves to the policy and updates all moves of a game; `sample_ordered_games` does so
too, but prefers moves with good AMAF values (annealing).

Every result is recorded twice: the outcome from 0 to 1, and the margin in points. Results are from the point of view of
the side to move at the root, except in `credits`, which has a row for each side's own results.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tengen.games.interface import candidate_moves, is_candidate, is_over, outcome, play, score, uniform_playout
from tengen.jit import kernel, new, record, verb
from tengen.options import option, record_fields
from tengen.policies.playout import play_out
from tengen.registry import SELECTION, register
from tengen.rng import uniform

WINS, SCORE = 0, 1

RULES = record(
    "flat_rules",
    [
        ("objective", np.int64),  # the result that moves are compared by: WINS or SCORE
        ("amaf", np.uint8),  # 1 if selections compare the results of all moves as first
        ("untracked_slot", np.int64),  # a move without AMAF value: the pass
        ("longest", np.int64),  # limit of the moves played in order; the rest of the game is random
    ],
)

COUNTS = record(
    "flat_counts",
    [
        ("games", np.int64),  # played so far
        ("open", np.int64),  # number of moves that are not pruned; they come first in `moves`
        ("turn", np.int64),  # index of the move to be sampled next
        ("total", np.float64),  # sum of all results by the objective
        ("total_squares", np.float64),  # sum of their squares
        ("is_decided", np.uint8),  # 1 when further games would change nothing
    ],
)


class Samples(NamedTuple):
    """All arrays that sampling writes to."""

    states: np.ndarray  # [root, state of the game]
    moves: np.ndarray  # the candidate moves of the root; those that are not pruned first
    visits: np.ndarray  # [move]: games that began with the move
    sums: np.ndarray  # [objective, move]: sums of their results
    squares: np.ndarray  # [objective, move]: sums of the squares of their results
    credits: np.ndarray  # [side, move]: games in which a side (0: the one to move) was the first to play there
    credit_sums: np.ndarray  # [objective, side, move]: sums of their results from that side's point of view
    credit_squares: np.ndarray  # [objective, side, move]: sums of the squares of their results
    seen: np.ndarray  # [move]: the last game in which the move was played
    means: np.ndarray  # [move]: scratch buffer for one side's means of credits
    keys: np.ndarray  # [side, move]: ordered games play the lowest key first
    buffer: np.ndarray  # scratch buffer for the moves of a position
    line: np.ndarray  # the moves of the game
    counts: np.record
    rng: np.ndarray


@kernel
def sample_moves(policy, selection, rules, samples, count):
    """For each move, play random games that begin with it, and average their scores  [BouzyChaslot2006, section III.A]

    This is Abramson's model. Plays `count` games in all, fewer if the choice is decided before. With `rules.amaf` all
    moves of a game are credited with its result.
    """
    counts = samples.counts
    for _ in range(count):
        if counts.is_decided:
            break
        move = next_move(selection, rules, samples)
        samples.states[1] = samples.states[0]
        play(samples.states[1], move)
        samples.line[0] = move
        length = np.int64(rules.amaf)  # the line contains the first move only if it is credited
        if not is_over(samples.states[1]):
            length = play_out(policy, samples.states[1], samples.rng, samples.line, length)
        add_result(rules, samples, move)
        if rules.amaf:
            credit_moves(rules, samples, length)
        counts.turn += 1
        if counts.turn >= counts.open:
            counts.turn = 0
            end_round(selection, rules, samples)


@kernel(inline=True, private=True)
def result_of(samples):
    """The outcome and margin of the game for the side to move at the root."""
    state = samples.states[1]
    won, margin = outcome(state), score(state)
    return (1.0 - won, -margin) if samples.states[0].to_play else (won, margin)


@kernel(private=True)
def add_result(rules, samples, move):
    """Add the result of the game to the statistics of its first move."""
    won, margin = result_of(samples)
    samples.visits[move] += 1
    samples.sums[WINS, move] += won
    samples.sums[SCORE, move] += margin
    samples.squares[WINS, move] += won * won
    samples.squares[SCORE, move] += margin * margin
    counted = won if rules.objective == WINS else margin
    samples.counts.games += 1
    samples.counts.total += counted
    samples.counts.total_squares += counted * counted


@kernel(inline=True, private=True)
def results_of(rules, samples, move):
    """Return the number of results that count for a move, and by the objective their sum and the sum of their squares.

    These are the results of games that began with the move; with `rules.amaf`, the results from the view of the side
    that was the first to play there, for both sides.
    """
    objective = rules.objective
    if rules.amaf:
        games, total = samples.credits, samples.credit_sums[objective]
        squares = samples.credit_squares[objective]
        return games[0, move] + games[1, move], total[0, move] + total[1, move], squares[0, move] + squares[1, move]
    return samples.visits[move], samples.sums[objective, move], samples.squares[objective, move]


@kernel(private=True)
def deviation(games, total, squares):
    """The standard deviation of `games` results with this sum and this sum of squares."""
    mean = total / games
    return math.sqrt(max(squares / games - mean * mean, 0.0))


# --- Selections: which move the next game begins with ----------------------------------------------------------------


@verb
def next_move(selection, rules, samples):
    """Return the move that the next game begins with, one of the first `samples.counts.open` of `samples.moves`."""


@verb
def end_round(selection, rules, samples):
    """Called after every `samples.counts.open` games: close moves, or set `samples.counts.is_decided`."""


@next_move.otherwise
@kernel(inline=True, private=True)
def move_in_turn(selection, rules, samples):
    return np.int64(samples.moves[samples.counts.turn])


@end_round.otherwise
@kernel(inline=True, private=True)
def nothing_to_end(selection, rules, samples):
    pass


IN_TURN = record("selection_in_turn", [("unused", np.uint8)])
register(SELECTION, "uniform", "all moves in turn", record=lambda options, game: new(IN_TURN))


@dataclass(frozen=True)
class UcbSelectionOptions:
    """Options of the selection ucb.

    With 3,000 games a move on 9x9, c = 0.2, 0.5 and 1.41 won 57, 56 and 44 of 60 games against the selection uniform
    (docs/results/flat-mc).
    """

    exploration: float = option(0.5, "c, the weight of the exploration term", low=0, high=1e6)


UCB = record("selection_ucb", record_fields(UcbSelectionOptions))
register(
    SELECTION,
    "ucb",
    "the move of the highest upper confidence bound [BouzyChaslot2006, section III.B]",
    options=UcbSelectionOptions,
    record=UCB,
)


@next_move.implement(UCB)
@kernel
def most_promising(selection, rules, samples):
    """argmax_i m_i + c sqrt(log n / n_i)                                        [BouzyChaslot2006, section III.B]

    Differs: the paper asks for the upper end of a confidence interval, without a formula; this is UCB1's [Auer2002].
    Scores are divided by twice their standard deviation over all games, the unit in which loss and win are 0 and 1
    in an even game, so that c means the same for both objectives. Moves without a result come first. With all
    moves as first, n_i is the number of a move's results, and n still the number of games.
    """
    counts = samples.counts
    unit = 1.0
    if rules.objective == SCORE and counts.games > 0:
        unit = 2.0 * deviation(counts.games, counts.total, counts.total_squares)
    width = selection.exploration * unit * math.sqrt(math.log(max(counts.games, 1)))
    best, highest = np.int64(samples.moves[0]), -math.inf
    for i in range(counts.open):
        move = np.int64(samples.moves[i])
        games, total, _ = results_of(rules, samples, move)
        if games == 0:
            return move
        bound = total / games + width / math.sqrt(games)
        if bound > highest:
            best, highest = move, bound
    return best


@dataclass(frozen=True)
class PruningOptions:
    """Options of the selection pruning: those of BouzyHelmstetter2003, who tried r_d = 1, 2, 4 and 8.

    On 50 positions of 9x9 Go the moves chosen with r_d = 1 were 0.6 points worse than those without pruning, with
    r_d = 2 no worse, for 2 % and 16 % of the games (docs/papers.md; the games were not kept).
    """

    difference: float = option(2.0, "r_d, standard deviations from a mean to its bound", low=0, high=1e3)
    equality: float = option(
        0.2, "s_e, the standard error, in points or percent, below which moves count as equal", low=0, high=1e3
    )
    first_games: int = option(100, "games of each move before any is pruned", low=2, high=10**9)
    most_games: int = option(10_000, "games of each move after which sampling ends", low=2, high=10**9)


PRUNING = record("selection_pruning", record_fields(PruningOptions))
register(
    SELECTION,
    "pruning",
    "in turn all moves that are not significantly worse than another [BouzyHelmstetter2003]",
    options=PruningOptions,
    record=PRUNING,
)
PERCENT = 100.0
"""Units of `equality` in one unit of the objective WINS."""


@end_round.implement(PRUNING)
@kernel
def prune(selection, rules, samples):
    """Remove moves with m + r_d s < m' - r_d s' for some other move       [BouzyHelmstetter2003, progressive pruning]

    s = standard deviation / sqrt(games). Begins when each open move has had `first_games`. The choice is decided when
    one move is left, when s < s_e for all remaining moves, or when each of them has had `most_games`. With all moves as
    first, a move's results count as its games.

    Differs: the rule is taken from descriptions of it. All intervals are compared whenever each open move has had one
    more game, and a pruned move is not restored (the paper's hard pruning).
    """
    counts = samples.counts
    games = fewest_results(rules, samples)
    if games < selection.first_games:
        return
    equality = selection.equality / (PERCENT if rules.objective == WINS else 1.0)
    lowest = -math.inf
    for i in range(counts.open):
        mean, half_width = interval(selection, rules, samples, np.int64(samples.moves[i]))
        lowest = max(lowest, mean - half_width)
    kept, are_equal = 0, True
    for i in range(counts.open):
        move = samples.moves[i]
        mean, half_width = interval(selection, rules, samples, np.int64(move))
        if mean + half_width >= lowest:
            samples.moves[i], samples.moves[kept] = samples.moves[kept], move
            kept += 1
            are_equal &= half_width < selection.difference * equality
    counts.open = kept
    counts.is_decided = kept == 1 or are_equal or games >= selection.most_games


@kernel(private=True)
def fewest_results(rules, samples):
    """Return the least number of results that count for an open move."""
    fewest = samples.counts.games
    for i in range(samples.counts.open):
        fewest = min(fewest, results_of(rules, samples, np.int64(samples.moves[i]))[0])
    return fewest


@kernel(private=True)
def interval(selection, rules, samples, move):
    """The mean m of a move's results, and r_d s, the half-width of its confidence interval."""
    games, total, squares = results_of(rules, samples, move)
    return total / games, selection.difference * deviation(games, total, squares) / math.sqrt(games)


# --- All moves as first ----------------------------------------------------------------------------------------------


@kernel
def sample_games(policy, rules, samples, count):
    """Play `count` random games from the root, and credit all their moves with the results."""
    for _ in range(count):
        samples.states[1] = samples.states[0]
        length = play_out(policy, samples.states[1], samples.rng, samples.line, 0)
        add_result(rules, samples, np.int64(samples.line[0]))
        credit_moves(rules, samples, length)


@kernel
def credit_moves(rules, samples, length):
    """All moves as first: credit the first move on each point with the result         [BouzyChaslot2006, section III.B]

    The opponent's moves that were first on their points are credited with the opposite result. The untracked move is
    credited only as the first move of the game.
    """
    won, margin = result_of(samples)
    game = samples.counts.games
    for t in range(length):
        move = np.int64(samples.line[t])
        if samples.seen[move] == game or (t > 0 and move == rules.untracked_slot):
            continue
        samples.seen[move] = game
        side = t & 1
        own_won, own_margin = (1.0 - won, -margin) if side else (won, margin)
        samples.credits[side, move] += 1
        samples.credit_sums[WINS, side, move] += own_won
        samples.credit_sums[SCORE, side, move] += own_margin
        samples.credit_squares[WINS, side, move] += own_won * own_won
        samples.credit_squares[SCORE, side, move] += own_margin * own_margin


@kernel
def sample_ordered_games(rules, samples, hot, cold, count):
    """Play `count` games in which each side plays its moves in a predetermined order         [Bruegmann1993, annealing]

    The order is by the mean of a move's credits, with a random perturbation proportional to the temperature, which
    decreases linearly from `hot` to `cold`.
    """
    for i in range(count):
        temperature = hot + (cold - hot) * i / count
        order_moves(rules, samples, np.int64(0), temperature)
        order_moves(rules, samples, np.int64(1), temperature)
        samples.states[1] = samples.states[0]
        length = play_in_order(rules, samples)
        add_result(rules, samples, np.int64(samples.line[0]))
        credit_moves(rules, samples, length)


@kernel
def order_moves(rules, samples, side, temperature):
    """Order a side's moves: a move falls n places with probability ~ exp(-n / T)          [Bruegmann1993, annealing]

    An interpretation of Gobble's annealing, of which only descriptions are available. A move's key is its rank by the
    mean of its credits, plus T times an exponential random number; the lowest key is played first. A move without
    credits is ranked by the mean result of all games. The untracked move comes last.
    """
    keys, means, credits, counts = samples.keys[side], samples.means, samples.credits[side], samples.counts
    sums = samples.credit_sums[rules.objective, side]
    usual = counts.total / max(counts.games, 1)
    if side:
        usual = 1.0 - usual if rules.objective == WINS else -usual
    for i in range(means.size):
        means[i] = sums[i] / credits[i] if credits[i] > 0 else usual
    for i in range(means.size):
        rank = 0
        for j in range(means.size):
            rank += means[j] > means[i]
        keys[i] = rank - temperature * math.log(1.0 - uniform(samples.rng))
    if rules.untracked_slot >= 0:
        keys[rules.untracked_slot] = math.inf


@kernel(private=True)
def play_in_order(rules, samples):
    """Play a game in which each side always plays the candidate move with its lowest key; return its length."""
    state, moves = samples.states[1], samples.buffer
    length = 0
    while not is_over(state) and length < rules.longest:
        keys = samples.keys[length & 1]
        found, lowest = np.int64(-1), math.inf
        for i in range(candidate_moves(state, moves)):
            move = np.int64(moves[i])
            if (found < 0 or keys[move] < lowest) and is_candidate(state, move):
                found, lowest = move, keys[move]
        if found < 0:
            break
        play(state, found)
        samples.line[length] = found
        length += 1
    if not is_over(state):
        length = uniform_playout(state, samples.rng, samples.line, length)
    return length
