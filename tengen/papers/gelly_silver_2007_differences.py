"""Why some numbers of GellySilver2007 are not reached: the suspected causes, one changed at a time.

UCT(π_MoGo) and UCT_RAVE(π_MoGo) as printed win less often here than published. The paper leaves open the exploration
constant, the value of untried moves and whether trees are kept, and was played against another version of GNU Go.
"""

from tengen.games.go.game import Go
from tengen.papers.experiment import OURS, Experiment, Figure, Match, Row, Settings
from tengen.papers.gelly_silver_2007 import UCT_MOGO, UCT_RAVE, UCT_RAVE_RLGO
from tengen.papers.matches import KOMI, against_gnugo, with_settings

CHANGES = {
    "UCT(π_MoGo)": (
        UCT_MOGO,
        {
            "subtree kept": "reuse=true",
            "untried moves 1": "first_play=1",
            "c = 0.2": "exploration=0.2",
            "c = 1": "exploration=1",
            "visit at the new node": "new_node_visit=true",
        },
    ),
    "UCT_RAVE(π_MoGo)": (
        UCT_RAVE,
        {
            "subtree kept": "reuse=true",
            "unknown moves 0.5": "first_play=0.5",
            "c = 0.1": "exploration=0.1",
            "c = 0.2": "exploration=0.2",
            "β by n(s,a)": "beta_visits=move",
            "k = 10,000": "equivalence=10000",
            "first play by the same side": "rave_first=same",
            "visit at the new node": "new_node_visit=true",
        },
    ),
}
"""By algorithm of table 2: the player as printed, and the settings that are changed, by the label of the row."""
PROGRAM = "gnugo --mode gtp --chinese-rules"
OPPONENTS = {
    "dead stones left on the board": PROGRAM + " --positional-superko --level {level} --seed {{seed}}",
    "simple ko, never resigns": PROGRAM
    + " --capture-all-dead --simple-ko --never-resign --level {level} --seed {{seed}}",
}
"""Other options of GNU Go than those of the player `gnugo`, which captures dead stones before it passes."""


def _changed(player: str, setting: str) -> str:
    """Return a player with one setting more, or with another value of one that it has."""
    key, _, value = setting.partition("=")
    name, _, given = player.partition(":")
    kept = [pair for pair in given.split(",") if pair.partition("=")[0] != key]
    return with_settings(f"{name}:{','.join(kept)}" if kept else name, **{key: value})


def _rows(settings: Settings) -> list[Row]:
    rows = []
    for label, (player, changes) in CHANGES.items():
        rows.append(Row(label, against_gnugo(settings, player)))
        rows += [
            Row(f"{label}, {change}", against_gnugo(settings, _changed(player, setting)), variant=OURS)
            for change, setting in changes.items()
        ]
    for label, command in OPPONENTS.items():
        rows.append(Row(f"UCT_RAVE(π_MoGo), GNU Go: {label}", _against(settings, command), variant=OURS))
    rows.append(Row("UCT_RAVE(π_MoGo, Q_RLGO)", against_gnugo(settings, UCT_RAVE_RLGO)))
    return rows


def _against(settings: Settings, command: str) -> Match:
    """Return games of UCT_RAVE against GNU Go started by another command."""
    return Match(
        against_gnugo(settings, UCT_RAVE).player,
        f"gtp:command='{command.format(level=settings.level)}'",
        Go(9, komi=KOMI),
        settings.games,
    )


DIFFERENCES = Experiment(
    id="gelly-silver-2007/differences",
    title="Why UCT and UCT_RAVE win less often here: one change at a time",
    source="GellySilver2007, table 2",
    about=(
        "The players of table 2 as printed, each with one setting changed that the paper leaves open, and GNU Go with "
        "other options. Rates above that of the player as printed name causes of the difference."
    ),
    rows=_rows,
    figure=Figure(y="won against GNU Go (%)"),
    scales={
        "quick": Settings(games=40, simulations=1000, level=0),
        "standard": Settings(games=30, simulations=3000, level=8),
        "paper": Settings(games=1000, simulations=3000, level=8),
    },
)
EXPERIMENTS = (DIFFERENCES,)
