"""Open questions of the papers: experiments that they suggest, or whose findings they do not have.

Rows are "as printed" if their first player is an algorithm of a paper, else "ours".
"""

from dataclasses import replace

from tengen.arena.plans import MOVE_LIMIT
from tengen.games.game import Game
from tengen.games.go.game import Go
from tengen.games.havannah.game import Havannah
from tengen.games.othello.game import Othello
from tengen.papers.beyond_urgencies import LARGER_PATTERNS, URGENCIES_19
from tengen.papers.experiment import OURS, PRINTED, Experiment, Figure, Match, Ordering, Published, Row, Settings
from tengen.papers.gelly_silver_2007 import UCT, UCT_MOGO, UCT_RAVE, UCT_RAVE_MOGO, UCT_RAVE_RLGO
from tengen.papers.gelly_silver_2007_policies import MOGO, RANDOM, policies
from tengen.papers.gelly_silver_2011 import MC_RAVE
from tengen.papers.matches import KOMI, against_gnugo, scales_against_level_8, with_settings
from tengen.papers.measures.playout_error import MSE, error_of
from tengen.papers.quantities import RATE, elo

# --- Hashimoto et al. 2011: a decay that needs no tuning --------------------------------------------------------------

PLAYOUTS = 50_000
DECAYS: dict[str, tuple[Game, str, float, Published]] = {
    "Othello": (Othello(8), "", 0.999, Published(56.3, 1.6)),
    "Havannah": (Havannah(4), "", 0.9999, Published(58.2, 1.55)),
    "Go": (Go(9, komi=KOMI), ",policy=mogo,prior=knowledge", 0.9999, Published(56.0, 1.55)),
}
"""By game: the rules, the settings of both players, the paper's best fixed decay, and its published rate."""


def _automatic_decay(settings: Settings) -> list[Row]:
    rows = []
    for name, (game, shared, decay, published) in DECAYS.items():
        common = f"simulations={settings.simulations},exploration=1,reuse=false{shared}"
        plain, fixed, automatic = (
            f"uct:{common}",
            f"accelerated-uct:decay={decay:g},{common}",
            f"accelerated-uct:decay=auto,{common}",
        )
        for label, first, second, value, variant in (
            ("automatic v UCT", automatic, plain, None, OURS),
            ("automatic v best fixed decay", automatic, fixed, None, OURS),
            ("best fixed decay v UCT", fixed, plain, published, PRINTED),
        ):
            work = Match(first, second, game, settings.games, seed=settings.seed)
            rows.append(Row(f"{name}: {label}", work, published=value, variant=variant, series=label))
    return rows


AUTOMATIC_DECAY = Experiment(
    id="beyond/automatic-decay",
    title="Accelerated UCT with an automatic decay",
    source="Hashimoto2011, section 6",
    about=(
        "The paper tunes the decay of Accelerated UCT by hand, for each game, and names a decay that is found "
        "automatically as the most important future work. Here Accelerated UCT with an automatic decay plays plain UCT "
        "and the paper's best fixed decay, with its 50,000 playouts per move and C = 1, in Othello, Havannah of base "
        "4, and Go with MoGo's policy and prior knowledge in place of Fuego's."
    ),
    rows=_automatic_decay,
    figure=Figure(y="won (%)", reference=50),
    scales={
        "quick": Settings(games=60, simulations=1000),
        "standard": Settings(games=90, simulations=10_000),
        "paper": Settings(games=1000, simulations=PLAYOUTS),
    },
)

# --- Gelly and Silver 2007: experience by the variance of the prior ---------------------------------------------------

CONSTANTS = (10, 25, 50, 100)
SCALES = (1, 2, 4, 8, 16)


def _variance_prior(settings: Settings) -> list[Row]:
    def row(label: str, x: float, series: str, variant: str, **prior: object) -> Row:
        player = with_settings(UCT_RAVE, prior="rlgo", **prior)
        return Row(label, against_gnugo(settings, player), variant=variant, series=series, x=x)

    return [
        *(row(f"M = {weight}", weight, "constant M", PRINTED, prior_weight=weight) for weight in CONSTANTS),
        *(
            row(
                f"by variance, scale {scale}",
                scale,
                "scale of M by variance",
                OURS,
                prior_weight="variance",
                prior_scale=scale,
            )
            for scale in SCALES
        ),
    ]


VARIANCE_PRIOR = Experiment(
    id="beyond/variance-prior",
    title="Equivalent experience by the variance of the prior",
    source="GellySilver2007, section 7",
    about=(
        "The paper expects better results from an equivalent experience that varies with the variance of the prior "
        "value. Here UCT_RAVE(π_MoGo, Q_RLGO) plays GNU Go with constants and with M = scale * Q (1 - Q) / Var, where "
        "Var is the mean squared error of Q by the phase of the game, measured against deep searches."
    ),
    rows=_variance_prior,
    figure=Figure(x="M, or scale", y="won against GNU Go (%)", log_x=True),
    scales=scales_against_level_8(quick=32, standard=52),
)

# --- Gelly and Silver 2007: accuracy of playouts and strength ---------------------------------------------------------

SPEEDS = {"random": 1.0, "mogo": 0.62, "epsilon": 0.14, "sigma": 0.035, "tau": 0.05}
"""Simulations of UCT with a policy, or with a class of learnt ones, per simulation with random playouts, as measured on
9x9 by `simulations_per_second`. Within a class they differ by at most 13 %."""
EQUAL_TIME = 5
"""At equal time, UCT with random playouts has this number times the simulations of the comparison at equal numbers."""
WITHOUT_SEARCH = replace(RATE, name="won by the policy")
BY_SEARCH = replace(RATE, name="won by UCT")
AT_EQUAL_TIME = replace(RATE, name="won by UCT at equal time")


def _uct_with(policy: str) -> tuple[str, float]:
    """Return UCT with the policy of a player without search, and its speed relative to random playouts."""
    if policy == "random":
        return UCT, SPEEDS["random"]
    name, _, options = policy.partition(":")
    player = with_settings(UCT, policy=name)
    if not options:
        return player, SPEEDS[name]
    key, _, value = options.partition("=")
    return with_settings(player, **{key: value}), SPEEDS[key]


def _mse_and_strength(settings: Settings) -> list[Row]:
    every = [*((label, policy) for _, label, _, policy in policies()), (MOGO, "mogo"), (RANDOM, "random")]
    rows = [Row(f"{label}: MSE", error_of(policy, settings), MSE, series="MSE") for label, policy in every]
    for label, policy in every:
        if policy != "mogo":
            work = Match(policy, "mogo", Go(9, komi=KOMI), settings.samples, seed=settings.seed)
            rows.append(Row(f"{label}: policy v {MOGO}", work, WITHOUT_SEARCH, series="policy"))
    for label, policy in every:
        player, speed = _uct_with(policy)
        equal_time = max(1, round(EQUAL_TIME * speed * settings.simulations))
        rows += [
            Row(f"{label}: UCT", against_gnugo(settings, player), BY_SEARCH, series="UCT"),
            Row(f"{label}: UCT, equal time", against_gnugo(settings, player, equal_time), AT_EQUAL_TIME, series="UCT"),
        ]
    return rows


MSE_AND_STRENGTH = Experiment(
    id="beyond/mse-and-strength",
    title="Accuracy of playouts and strength of the search",
    source="GellySilver2007, section 5",
    about=(
        "The paper finds that a stronger policy may give less accurate playouts, and suggests accuracy as the measure "
        "of a default policy, but runs UCT with few of its policies. Here each policy of its figures 2 and 3 has four "
        "numbers: the mean squared error of its playouts on the labelled positions, its rate as a player against "
        "MoGo's policy, and that of UCT with it against GNU Go at level 0, at equal numbers of simulations and at "
        "equal time. There are as many games of policies without search as playouts from each position."
    ),
    rows=_mse_and_strength,
    figure=Figure(x="mean squared error", y="won by UCT against GNU Go (%)", scatter=(MSE.name, BY_SEARCH.name)),
    scales={
        "quick": Settings(games=8, simulations=200, samples=30),
        "standard": Settings(games=26, simulations=1000, samples=300),
        "paper": Settings(games=400, simulations=5000, samples=1000),
    },
)

# --- Gelly and Silver: larger boards, more simulations ----------------------------------------------------------------

LADDER = {
    "UCT(π_random)": UCT,
    "UCT(π_MoGo)": UCT_MOGO,
    "UCT_RAVE(π_MoGo)": UCT_RAVE,
    "UCT_RAVE(π_MoGo, Q_MoGo)": UCT_RAVE_MOGO,
}
"""The steps of table 2 with the prior that exists on every board."""
BOARDS = (13, 19)


def _larger_boards(settings: Settings) -> list[Row]:
    """At the smallest scale, games end early: GNU Go takes 10 s for a game on 19x19 even at level 0."""
    rows = []
    limit = min(MOVE_LIMIT, 2 * settings.simulations)
    for size in BOARDS:
        learnt = {"UCT_RAVE(π_MoGo, Q_RLGO)": UCT_RAVE_RLGO} if size == 13 else {}
        for variant, players in ((PRINTED, LADDER | learnt), (OURS, {"tengen": "tengen"})):
            for label, player in players.items():
                work = replace(against_gnugo(settings, player, size=size), move_limit=limit)
                rows.append(Row(f"{size}x{size}: {label}", work, variant=variant, series=f"{size}x{size}"))
    return rows


LARGER_BOARDS = Experiment(
    id="beyond/larger-boards",
    title="Default policy, RAVE values and prior on larger boards",
    source="GellySilver2007, table 2",
    about=(
        "The steps of table 2 on 13x13 and 19x19, which the paper does on 9x9 only, against GNU Go at level 0 at all "
        "scales, since level 8 wins nearly all games against the first steps. The prior is Q_MoGo, and on 13x13 also "
        "Q_RLGO, whose weights are learnt for one size of the board."
    ),
    rows=_larger_boards,
    figure=Figure(y="won against GNU Go (%)"),
    scales={
        "quick": Settings(games=4, simulations=500),
        "standard": Settings(games=14, simulations=3000),
        "paper": Settings(games=400, simulations=10_000),
    },
    findings=tuple(
        Ordering(
            tuple(f"{size}x{size}: {label}" for label in LADDER), f"each technique improves the player on {size}x{size}"
        )
        for size in BOARDS
    ),
)

EXPLORATIONS = (0.02, 0.1)
SIMULATIONS = (1000, 10_000, 100_000, 1_000_000)
MEGABYTES_PER_SIMULATION = 0.0042
"""A node of 9x9 with RAVE values and a prior has 4.1 kB."""


def _exploration_at_scale(settings: Settings) -> list[Row]:
    rows = []
    for simulations in [one for one in SIMULATIONS if one <= settings.simulations] or [settings.simulations]:
        memory = max(100, round(MEGABYTES_PER_SIMULATION * simulations))
        greedy = with_settings(MC_RAVE, simulations=simulations, memory=memory)
        for c in EXPLORATIONS:
            player = with_settings(greedy, exploration=c)
            work = Match(player, greedy, Go(9, komi=KOMI), settings.games, random_moves=2, seed=settings.seed)
            rows.append(Row(f"c = {c:g}, {simulations:,} simulations", work, series=f"c = {c:g}", x=simulations))
    return rows


EXPLORATION_AT_SCALE = Experiment(
    id="beyond/exploration-at-scale",
    title="Exploration in MC-RAVE with up to a million simulations",
    source="GellySilver2011, section 5.2",
    about=(
        "The paper finds no use for exploration in heuristic MC-RAVE with tens of thousands of simulations per move, "
        "and asks whether that changes with millions, when values outweigh RAVE values at many nodes. Here MC-RAVE "
        "with exploration plays the same player with c = 0, after two random moves. At a million simulations a process "
        "needs 9 GB of memory."
    ),
    rows=_exploration_at_scale,
    figure=Figure(x="simulations per move", y="won against c = 0 (%)", log_x=True, reference=50),
    scales={
        "quick": Settings(games=16, simulations=10_000),
        "standard": Settings(games=20, simulations=100_000),
        "paper": Settings(games=200, simulations=1_000_000),
    },
)

FIRST_DOUBLING = 8
SCALED = {
    "UCT(π_MoGo)": (UCT_MOGO, PRINTED),
    "MC-RAVE(π_MoGo, Q_RLGO)": (MC_RAVE, PRINTED),
    "tengen": ("tengen:reuse=false", OURS),
}


def _scaling(settings: Settings) -> list[Row]:
    rows = []
    for label, (player, variant) in SCALED.items():
        for power in range(FIRST_DOUBLING, max(FIRST_DOUBLING, settings.simulations.bit_length() - 1) + 1):
            full, half = (with_settings(player, simulations=2**number) for number in (power, power - 1))
            work = Match(full, half, Go(9, komi=KOMI), settings.games, random_moves=2, seed=settings.seed)
            name = f"{label}, 2^{power} v 2^{power - 1}"
            rows.append(Row(name, work, elo(0), variant=variant, series=label, x=2**power))
    return rows


SCALING = Experiment(
    id="beyond/scaling",
    title="Gain per doubling of the simulations",
    source="GellySilver2011, section 5",
    about=(
        "Each player against itself with half of the simulations, from 2^8 to 2^16 per move on 9x9, with a new tree "
        "for every move and after two random moves. Elo differences in self-play are greater than against other "
        "opponents."
    ),
    rows=_scaling,
    figure=Figure(x="simulations per move", y="gain over half of the simulations (Elo)", log_x=True, reference=0),
    scales={
        "quick": Settings(games=36, simulations=2**11),
        "standard": Settings(games=56, simulations=2**14),
        "paper": Settings(games=1000, simulations=2**16),
    },
)

EXPERIMENTS = (
    AUTOMATIC_DECAY,
    VARIANCE_PRIOR,
    MSE_AND_STRENGTH,
    URGENCIES_19,
    LARGER_PATTERNS,
    LARGER_BOARDS,
    EXPLORATION_AT_SCALE,
    SCALING,
)
