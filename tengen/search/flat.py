"""Monte-Carlo evaluation without a tree: a move is worth the mean of the random games that begin with it.

`sample_moves` plays games that begin with a move of its choice, and learns about that move; `sample_games` lets the
policy begin, and learns about all moves of a game at once; `sample_ordered_games` does so too, and plays the moves
that have done well first.

Every result is written down twice: what was won, from 0 to 1, and the margin in points. It is seen by the side to move
at the root, but for `credits`, where each side has a row and sees its own results.
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
from tengen.rng import below, uniform

WINS, SCORE = 0, 1

RULES = record(
    "flat_rules",
    [
        ("objective", np.int64),  # what is compared: WINS or SCORE
        ("untracked_slot", np.int64),  # a move that says nothing about the board: the pass
        ("longest", np.int64),  # moves of a game in order; what is left is played at random
    ],
)

COUNTS = record(
    "flat_counts",
    [
        ("games", np.int64),  # played so far
        ("open", np.int64),  # moves that are still in the race: the first so many
        ("turn", np.int64),  # the place of the move to be sampled next
        ("total", np.float64),  # of all results, by the objective
        ("total_squares", np.float64),
        ("is_decided", np.uint8),  # 1 when more games would change nothing
    ],
)


class Samples(NamedTuple):
    """All that sampling writes to. A row for each objective, a column for each move."""

    states: np.ndarray  # [root, the game's]
    moves: np.ndarray  # the candidates of the root; those in the race first
    visits: np.ndarray  # games that began with a move
    sums: np.ndarray  # of their results
    squares: np.ndarray  # of their results
    credits: np.ndarray  # [side, move]: games in which a side (0: the one to move) was the first to play there
    credit_sums: np.ndarray  # [objective, side, move]: of their results, as that side sees them
    seen: np.ndarray  # the last game in which a move was played
    means: np.ndarray  # of a side's credits
    keys: np.ndarray  # [side, move]: games in order play the lowest first
    buffer: np.ndarray  # room for the moves of a position
    line: np.ndarray  # the moves of the game
    counts: np.record
    rng: np.ndarray


@kernel
def list_candidates(state, moves, rng):
    """Write the moves worth a thought into an array, in random order, and return how many there are."""
    count = 0
    for i in range(candidate_moves(state, moves)):
        if is_candidate(state, np.int64(moves[i])):
            moves[count] = moves[i]
            count += 1
    for i in range(count - 1, 0, -1):
        j = np.int64(below(rng, i + 1))
        moves[i], moves[j] = moves[j], moves[i]
    return count


@kernel
def sample_moves(policy, selection, rules, samples, count):
    """For each move, play random games that begin with it, and average their scores  [BouzyChaslot2006, section III.A]

    That is Abramson's model. So many games in all, fewer if the race is decided before.
    """
    counts = samples.counts
    for _ in range(count):
        if counts.is_decided:
            break
        move = next_move(selection, rules, samples)
        samples.states[1] = samples.states[0]
        play(samples.states[1], move)
        if not is_over(samples.states[1]):
            play_out(policy, samples.states[1], samples.rng, samples.line, 0)
        add_result(rules, samples, move)
        counts.turn += 1
        if counts.turn >= counts.open:
            counts.turn = 0
            end_round(selection, rules, samples)


@kernel(inline=True, private=True)
def result_of(samples):
    """What the side to move at the root has won, and its margin."""
    state = samples.states[1]
    won, margin = outcome(state), score(state)
    return (1.0 - won, -margin) if samples.states[0].to_play else (won, margin)


@kernel(private=True)
def add_result(rules, samples, move):
    """Add the result of the game that was played to the move it began with."""
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


@kernel(private=True)
def deviation(games, total, squares):
    """The standard deviation of so many results with this sum and this sum of squares."""
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

    With 3,000 games a move, c = 0.2, 0.5 and 1.41 won 52, 54 and 43 of 60 games against the selection uniform.
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
    """m_i + c sqrt(log n / n_i), the greatest                                   [BouzyChaslot2006, section III.B]

    Differs: the text asks for the upper end of a confidence interval, without a formula; this is UCB1's [Auer2002].
    Scores are measured in twice their standard deviation over all games, the unit in which won and lost are 0 and 1
    in an even game, so that c means the same for both objectives. Moves without a game come first.
    """
    counts = samples.counts
    unit = 1.0
    if rules.objective == SCORE and counts.games > 0:
        unit = 2.0 * deviation(counts.games, counts.total, counts.total_squares)
    width = selection.exploration * unit * math.sqrt(math.log(max(counts.games, 1)))
    best, highest = np.int64(samples.moves[0]), -math.inf
    for i in range(counts.open):
        move = np.int64(samples.moves[i])
        games = samples.visits[move]
        if games == 0:
            return move
        bound = samples.sums[rules.objective, move] / games + width / math.sqrt(games)
        if bound > highest:
            best, highest = move, bound
    return best


@dataclass(frozen=True)
class PruningOptions:
    """Options of the selection pruning: those of BouzyHelmstetter2003, who tried r_d = 1, 2, 4 and 8.

    On 50 positions of 9x9 Go the moves chosen with r_d = 1 were 0.6 points worse than those without pruning, with
    r_d = 2 no worse, for 2 % and 16 % of the games.
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
    """Leave out moves with m + r_d s < m' - r_d s' for some other move    [BouzyHelmstetter2003, progressive pruning]

    s = standard deviation / sqrt(games). Not before each move has had `first_games`. The race is decided when one move
    is left, when s < s_e for all that are left, or when they have had `most_games`.

    Differs: we have the rule from descriptions of it. All intervals are compared whenever each open move has had one
    more game, and a move left out does not come back (the text's hard pruning).
    """
    counts = samples.counts
    games = samples.visits[np.int64(samples.moves[0])]
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
def interval(selection, rules, samples, move):
    """The mean m of a move's results, and r_d s, how far its confidence interval reaches on both sides."""
    games, total = samples.visits[move], samples.sums[rules.objective, move]
    spread = deviation(games, total, samples.squares[rules.objective, move])
    return total / games, selection.difference * spread / math.sqrt(games)


# --- All moves as first ----------------------------------------------------------------------------------------------


@kernel
def sample_games(policy, rules, samples, count):
    """Play so many random games from the root, and give credit to all their moves."""
    for _ in range(count):
        samples.states[1] = samples.states[0]
        length = play_out(policy, samples.states[1], samples.rng, samples.line, 0)
        add_result(rules, samples, np.int64(samples.line[0]))
        credit_moves(rules, samples, length)


@kernel
def credit_moves(rules, samples, length):
    """All moves as first: the score for a side's moves played first on their points   [BouzyChaslot2006, section III.B]

    The opponent's moves that were played first on theirs are credited with the opposite score: each side has a row
    and sees its own results. A move that says nothing about the board counts only where it began the game.
    """
    won, margin = result_of(samples)
    game = samples.counts.games
    for t in range(length):
        move = np.int64(samples.line[t])
        if samples.seen[move] == game or (t > 0 and move == rules.untracked_slot):
            continue
        samples.seen[move] = game
        side = t & 1
        samples.credits[side, move] += 1
        samples.credit_sums[WINS, side, move] += 1.0 - won if side else won
        samples.credit_sums[SCORE, side, move] += -margin if side else margin


@kernel
def sample_ordered_games(rules, samples, hot, cold, count):
    """Play so many games in which each side plays its moves in an order made beforehand      [Bruegmann1993, annealing]

    The order is by the mean of a move's credits, perturbed the less the lower the temperature, which falls evenly from
    `hot` to `cold`.
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
    """A move falls n places in its side's order with a probability proportional to exp(-n / T)

    Our reading of Gobble's annealing, of which we have only descriptions. A move's key is its rank by the mean of its
    credits, plus T times an exponential random number; the lowest key is played first. A move without credits ranks as
    one with the mean result of all games. The untracked move comes last.
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
    """Play a game in which each side always plays the first move of its list that it can; return its length."""
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
