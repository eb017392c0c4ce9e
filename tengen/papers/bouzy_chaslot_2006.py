"""B. Bouzy, G. Chaslot: Monte-Carlo Go Reinforcement Learning Experiments. CIG 2006.

The paper states neither the number of its games nor komi (here 7.5). Its program Indigo has a knowledge module that is
not public; ours preselects ten moves by the prior `knowledge`, so that MC(p) is the architecture and not the program.
Manual is our hand-made table of urgencies, as the paper's is not published.
"""

from tengen.games.catalogue import game_to_json
from tengen.games.game import Game
from tengen.games.go.game import Go
from tengen.games.havannah.game import Havannah
from tengen.games.othello.game import Othello
from tengen.papers.experiment import Above, Experiment, Figure, Match, Measurement, Ordering, Published, Row, Settings
from tengen.papers.indigo_matches import BLOCKS, MANUAL, SHIPPED, ZERO, mc_match, program_1a, score_and_rate, train_1a
from tengen.papers.labelled_positions import labelled_positions
from tengen.papers.matches import KOMI, with_settings
from tengen.papers.measures.pruning_course import course_of_pruning, left_key
from tengen.papers.measures.randomness import ENTROPY_SHARE, MOST_PROBABLE, randomness_of
from tengen.papers.measures.tree_size import BRANCHING, LENGTH, LOG_PRODUCT, LOG_SIZE, played_game
from tengen.papers.quantities import Quantity, mean_of, ratio_of
from tengen.papers.urgency_learning import EXPERIMENT_1A, EXPERIMENT_1B, EXPERIMENT_2

# --- Tables -----------------------------------------------------------------------------------------------------------

GAMES: tuple[tuple[str, Game, float | None], ...] = (
    ("Havannah base 4", Havannah(4), None),
    ("Havannah base 8", Havannah(8), None),
    ("Othello 8x8", Othello(8), 58),
    ("Go 9x9", Go(9), None),
    ("Go 13x13", Go(13), None),
    ("Go 19x19", Go(19), 360),
)
"""The games with the published log10 of B^L."""
RANDOM_GAMES = 5
"""Random games for each game of the players."""


def _table_1(settings: Settings) -> list[Row]:
    rows = []
    for name, game, published in GAMES:
        player = with_settings(game.default_player, simulations=settings.simulations)
        played = _games_of(player, f"{name}, played", game, settings.samples, 7e-7 * settings.simulations)
        random = _games_of("random", f"{name}, random", game, RANDOM_GAMES * settings.samples, 2e-6)
        value = None if published is None else Published(published)
        rows += [
            Row(f"{name}, played", played, LOG_SIZE, value, series="played"),
            Row(f"{name}, random", random, LOG_SIZE, value, series="random"),
        ]
        for kind, work in (("played", played), ("random", random)):
            rows += [
                Row(f"{name}, {kind}: {quantity.name}", work, quantity, series=f"{kind}: {quantity.name}")
                for quantity in (BRANCHING, LENGTH, LOG_PRODUCT)
            ]
    return rows


def _games_of(player: str, name: str, game: Game, games: int, cost: float) -> Measurement:
    """Return games of a player against itself; `cost` is their time in seconds for a pair of moves of the game."""
    described = {"player": player, "game": game_to_json(game)}
    return Measurement(name, played_game, games, described, seconds=cost * game.move_slots**2)


TABLE_1 = Experiment(
    id="bouzy-chaslot-2006/table-1",
    title="Size of the game trees",
    source="BouzyChaslot2006, table I",
    about=(
        "The estimate B^L of the size of a game tree, from the mean number of legal moves B and the mean length L, in "
        "games of the default player of each game against itself and in games of random moves. The paper gives 10^58 "
        "for Othello and 10^360 for Go, without B, L or their source; it has Checkers and Chess, too, which are not "
        "among our games, but not Havannah. The product of the numbers of legal moves in one game has a mean of its "
        "logarithm below that of B^L."
    ),
    rows=_table_1,
    figure=Figure(y="log10 of B^L"),
    scales={
        "quick": Settings(samples=4, simulations=100),
        "standard": Settings(samples=20, simulations=500),
        "paper": Settings(samples=200, simulations=2000),
    },
    findings=(Ordering(("Othello 8x8, played", "Go 19x19, played"), "the tree of Go is much larger than Othello's"),),
    differences=(
        "The published sizes are of games between people, who choose among fewer moves late in a game of Go and "
        "resign or stop early. Our players play on until nothing is left to gain, and random games fill captured "
        "territory again, so that L is larger; random games of Othello are as long as any, so that there B alone "
        "decides."
    ),
)

TABLE_2_VALUES = {9: (8, 68), 13: (40, 93), 19: (100, 97)}
"""By board: the published mean score and rate of MC(Manual) against MC(Zero)."""


def _table_2(settings: Settings) -> list[Row]:
    rows = []
    for size, (score, rate) in TABLE_2_VALUES.items():
        work = mc_match(MANUAL, ZERO, settings, size)
        rows += score_and_rate(f"{size}x{size}", work, Published(score), Published(rate))
    return rows


TABLE_2 = Experiment(
    id="bouzy-chaslot-2006/table-2",
    title="MC(Manual) against MC(Zero)",
    source="BouzyChaslot2006, table II",
    about=(
        "Depth-one Monte-Carlo on ten preselected moves, which are compared by mean score with progressive pruning, "
        "with pseudo-random games by the hand-made urgencies against uniformly random games. At most 500 games for "
        "each move; 100 at the scale quick. Larger boards have fewer games: 30 % of those on 9x9 on 13x13, 8 % on "
        "19x19. The paper states neither the number of its games nor of its random games per move."
    ),
    rows=_table_2,
    figure=Figure(y="mean score (points), rate (%)"),
    scales={
        "quick": Settings(games=50, simulations=100),
        "standard": Settings(games=160, simulations=500),
        "paper": Settings(games=1000, simulations=500),
    },
    findings=(
        Above(("9x9", "13x13", "19x19"), 0.0, "urgencies by knowledge are better than uniformly random games"),
        Ordering(("9x9", "13x13", "19x19"), "the larger the board, the clearer the result"),
    ),
    differences=(
        "The knowledge modules differ: Indigo's is the program Indigo2002 with local tree searches. The tables Manual "
        "differ, too. Scores on larger boards are nearer to 0 than the paper's; our preselection may save MC(Zero) "
        "from its worst moves there.\n\n"
        "Games end late, because players that compare scores play on in decided games: some games on 19x19 are cut at "
        "1,000 moves and counted as they stand."
    ),
)


# --- Figures ----------------------------------------------------------------------------------------------------------

REFERENCE = "flat-mc"
DIFFERENCES = (1, 2, 4)
"""The values of r_d, the standard deviations from a mean to the bound of its interval."""
COURSE = (1, 2, 3, 5, 10, 20, 50, 100)
"""Where the course of pruning is shown, in units of the first games of each move."""


def _first_games(settings: Settings) -> int:
    """Return the games of each move before any is pruned: 100, or fewer if a move has at most 1,000."""
    return min(100, max(2, settings.simulations // 10))


def _checkpoints(settings: Settings) -> list[int]:
    """Return numbers of games of each move: 1, multiples of the first games, and last the most games."""
    first = _first_games(settings)
    return [1, *(first * each for each in COURSE if first * each < settings.simulations), settings.simulations]


def _pruning(difference: int, settings: Settings) -> str:
    """Return a player with progressive pruning on all moves."""
    return with_settings(
        f"{REFERENCE}:selection=pruning",
        difference=difference,
        first_games=_first_games(settings),
        most_games=settings.simulations,
    )


def _figure_1(settings: Settings) -> list[Row]:
    players = {difference: _pruning(difference, settings) for difference in DIFFERENCES}
    checkpoints = _checkpoints(settings)
    work = Measurement(
        "course of pruning",
        course_of_pruning,
        min(settings.samples, len(labelled_positions(settings.positions))),
        {
            "reference": REFERENCE,
            "players": list(players.values()),
            "checkpoints": checkpoints,
            "positions": str(settings.positions or ""),
        },
        seconds=0.001 * settings.simulations,
    )
    rows = [
        Row(
            f"r_d = {difference}, n = {games:,}",
            work,
            mean_of(left_key(player, games), "moves left", decimals=1),
            series=f"r_d = {difference}",
            x=games,
        )
        for difference, player in players.items()
        for games in checkpoints
    ]
    compared = {"without pruning, again": "repeated"}
    compared |= {f"r_d = {difference}": player for difference, player in players.items()}
    for quantity, key, unit, factor in COMPARISONS:
        rows += [
            Row(f"{label}: {quantity}", work, _compared(quantity, key, unit, factor, player), series=quantity)
            for label, player in compared.items()
        ]
    return rows


COMPARISONS = (
    ("games played", "games", "%", 100.0),
    ("same choice as without pruning", "agrees", "%", 100.0),
    ("points lost by the choice", "loss", "points", 1.0),
)
"""Quantities of a choice: name, key, unit and factor."""


def _compared(quantity: str, key: str, unit: str, factor: float, player: str) -> Quantity:
    """Return the quantity of a player's choices: its games are a share of all."""
    if key == "games":
        return ratio_of(f"{key}: {player}", "full", quantity, unit, 1, factor)
    return mean_of(f"{key}: {player}", quantity, unit, 2 if unit == "points" else 1, factor)


FIGURE_1 = Experiment(
    id="bouzy-chaslot-2006/figure-1",
    title="Progressive pruning over time",
    source="BouzyChaslot2006, figure 1",
    about=(
        "The paper's figure is a drawing of progressive pruning: random games start on all moves, some are pruned, "
        "and the process stops when one is left. Here it is measured: the number of moves left after n random games "
        "of each, from labelled positions on 9x9, all moves compared by mean score in uniformly random games. A move "
        "is pruned when m + r_d s < m' - r_d s' for another move, after 100 games of each; sampling ends with one "
        "move, or with equal ones (s < 0.2 points), or with the most games. Each choice is compared with one without "
        "pruning; 'again' is another run without pruning, which shows how far choices differ by chance alone."
    ),
    rows=_figure_1,
    figure=Figure(x="random games of each move", y="moves left", log_x=True),
    scales={
        "quick": Settings(samples=80, simulations=1000),
        "standard": Settings(samples=120, simulations=10_000),
        "paper": Settings(samples=200, simulations=10_000),
    },
    findings=(
        Ordering(
            ("r_d = 1: games played", "r_d = 2: games played", "without pruning, again: games played"),
            "pruning reduces the response time significantly",
        ),
    ),
    differences=(
        "The paper has no numbers. r_d, the first games, the most games and the bound of equality are those of Bouzy "
        "and Helmstetter's paper of 2003, from descriptions of it."
    ),
)


def _policies(settings: Settings) -> tuple[tuple[str, str], ...]:
    """Return labels and policies, from the deterministic to the uniformly random one."""
    return (
        ("greedy (RLGO)", "rlgo:epsilon=0"),
        ("ε-greedy (RLGO), ε = 0.1", "rlgo:epsilon=0.1"),
        ("ε-greedy (RLGO), ε = 0.3", "rlgo:epsilon=0.3"),
        ("softmax (RLGO), τ = 0.05", "rlgo:tau=0.05"),
        ("MoGo's policy", "mogo"),
        ("RLPR, experiment 1a", f"urgency:{program_1a(settings).option(settings.folder)}"),
        ("RLPR, experiment 2", f"urgency:{SHIPPED}"),
        ("Manual", f"urgency:{MANUAL}"),
        ("Zero", f"urgency:{ZERO}"),
    )


def _figure_3(settings: Settings) -> list[Row]:
    draws = settings.simulations
    works = {
        label: randomness_of(policy, settings, draws, draws / (8000 if policy.startswith("rlgo") else 80_000))
        for label, policy in _policies(settings)
    }
    return [
        *(Row(label, work, ENTROPY_SHARE, series="entropy") for label, work in works.items()),
        *(
            Row(f"{label}: {MOST_PROBABLE.name}", work, MOST_PROBABLE, series="most frequent move")
            for label, work in works.items()
        ),
    ]


FIGURE_3 = Experiment(
    id="bouzy-chaslot-2006/figure-3",
    title="Programs on the line of randomness",
    source="BouzyChaslot2006, figure 3",
    about=(
        "The paper's figure places programs on a line by their randomness, without numbers: deterministic and greedy "
        "ones on the left, then ε-greedy ones, then pseudo-random ones with RLPR and Manual, and Zero on the right. "
        "Here it is measured: the entropy of a policy's move at labelled positions on 9x9, as a share of that of a "
        "uniform choice of all candidate moves, estimated from moves drawn at each position (2,000 at the scale "
        "standard) with the correction of Miller and Madow."
    ),
    rows=_figure_3,
    figure=Figure(y="entropy (% of uniform)"),
    scales={
        "quick": Settings(samples=60, simulations=500, steps=BLOCKS),
        "standard": Settings(samples=200, simulations=2000, steps=BLOCKS),
        "paper": Settings(samples=200, simulations=20_000, steps=BLOCKS),
    },
    findings=(
        Ordering(
            ("greedy (RLGO)", "ε-greedy (RLGO), ε = 0.1", "Manual", "Zero"),
            "from deterministic to greedy with some randomness to pseudo-random to uniform programs",
        ),
        Ordering(("RLPR, experiment 1a", "Zero"), "pseudo-random programs are to the left of Zero"),
        Ordering(("RLPR, experiment 1a", "Manual"), "the program of experiment 1a is too deterministic"),
    ),
    prepare=train_1a,
)


# --- All moves as first -----------------------------------------------------------------------------------------------

SPEED_UPS = (4, 16, 64)


def _amaf(settings: Settings) -> list[Row]:
    games = settings.simulations

    def match(player: str, opponent: str, factor: int = 1) -> Match:
        first, second = f"{player},simulations={games}", f"{opponent},simulations={factor * games}"
        return Match(first, second, Go(9, komi=KOMI), settings.games, seed=settings.seed)

    flat, amaf = "flat-mc:policy=uniform", "amaf:policy=uniform"
    rows = score_and_rate("AMAF v flat Monte-Carlo", match(amaf, flat))
    for factor in SPEED_UPS:
        rows += score_and_rate(f"AMAF v flat with {factor} times the games", match(amaf, flat, factor))
    rows += score_and_rate("AMAF with annealing v AMAF", match("amaf:policy=uniform,annealing=true", amaf))
    return rows


AMAF = Experiment(
    id="bouzy-chaslot-2006/amaf",
    title="All moves as first, and simulated annealing",
    source="BouzyChaslot2006, section III.B",
    about=(
        "All moves as first (AMAF) against flat Monte-Carlo on 9x9, both with uniformly random games, all moves "
        "compared by mean score: with equally many random games per move, and with 4, 16 and 64 times as many for "
        "flat Monte-Carlo. The paper says that AMAF divides the response time by the size of the board in theory, and "
        "by a few dozens in practice on 9x9; it gives no games. Last, AMAF with simulated annealing, as in Brügmann's "
        "program Gobble, against AMAF without. The random games per move are 1,000 at the scale standard."
    ),
    rows=_amaf,
    figure=Figure(y="mean score (points), rate (%)"),
    scales={
        "quick": Settings(games=24, simulations=200),
        "standard": Settings(games=60, simulations=1000),
        "paper": Settings(games=1000, simulations=1000),
    },
    findings=(
        Above(("AMAF v flat Monte-Carlo",), 0.0, "AMAF is a speed-up"),
        Above(
            ("AMAF v flat with 16 times the games",),
            0.0,
            "the speed-up is by a few dozens: AMAF is stronger than flat Monte-Carlo with 16 times the games",
        ),
    ),
    differences=(
        "AMAF gains most with few random games: its means are biased, and more games do not remove the bias, so that "
        "the speed-up depends on their number."
    ),
)


EXPERIMENTS = (
    TABLE_1,
    TABLE_2,
    FIGURE_1,
    FIGURE_3,
    AMAF,
    EXPERIMENT_1A,
    EXPERIMENT_1B,
    EXPERIMENT_2,
)
