"""The players of the levels of Go below the highest.

They have the playouts and the prior of the strongest player; a lower level has fewer simulations and samples its move
by a softmax over visits. So a weak level plays plausible but weaker moves, not random ones.
docs/gtp.md has the figures of each level, docs/results/levels the games.
"""

FIRST_LINE_LOSSES = 2.0
"""Prior losses of moves on the first line. With few simulations the prior decides, and without these losses 2.4 of the
first 20 moves of 9x9 self-play are on the first line (level 1, 60 games); with them, 0.2.
"""
GO_LEVELS = {
    9: (
        (50, 0.62),
        (95, 0.54),
        (170, 0.46),
        (300, 0.38),
        (550, 0.30),
        (1_000, 0.23),
        (1_800, 0.17),
        (3_500, 0.12),
        (7_000, 0.08),
    ),
    13: (
        (115, 0.40),
        (190, 0.33),
        (300, 0.27),
        (390, 0.245),
        (480, 0.22),
        (620, 0.19),
        (800, 0.17),
        (1_050, 0.145),
        (1_900, 0.11),
    ),
    19: (
        (140, 0.37),
        (220, 0.31),
        (340, 0.26),
        (480, 0.22),
        (750, 0.18),
        (1_200, 0.14),
        (1_600, 0.12),
        (2_100, 0.10),
        (3_200, 0.05),
    ),
}
"""(simulations, temperature) of the levels below the highest, by the largest board size that they are used for."""


def level_players(size: int) -> tuple[str, ...]:
    """Return the players of the levels below the highest on a board of `size`, the weakest first."""
    fitting = min((largest for largest in GO_LEVELS if size <= largest), default=max(GO_LEVELS))
    return tuple(
        f"tengen:simulations={simulations},temperature={temperature:g},first_line_losses={FIRST_LINE_LOSSES:g}"
        for simulations, temperature in GO_LEVELS[fitting]
    )
