"""The settings of earlier versions' presets, for comparison with the present ones.

Every setting is stated, also those that are defaults, so that later changes of defaults have no effect here.
"""

import math

from tengen.search.config import SearchConfig

TENGEN_1 = SearchConfig(
    simulations=0,
    seconds=0.0,
    threads=1,
    policy="mogo",
    nakade=True,
    capture_last=False,
    two_liberties=True,
    save_probability=1.0,
    pattern_probability=1.0,
    capture_probability=1.0,
    fill_board=0,
    self_atari_refusal=0.8,
    random_self_atari_refusal=0.4,
    self_atari_stones=1,
    mercy=0,
    tree_policy="mc-rave",
    exploration=0.0,
    first_play=math.inf,
    rave_first="either",
    bias=0.02,
    backup="mean",
    solver=False,
    prior="knowledge",
    prior_weight=5.0,
    prior_on="visits",
    rule_wins=1.0,
    pattern_wins=1.0,
    capture_wins=3.0,
    large_capture_wins=4.5,
    atari_wins=0.5,
    self_atari_losses=2.5,
    near_wins_1=2.4,
    near_wins_2=2.2,
    near_wins_3=0.8,
    first_line_losses=0.0,
    low_line_losses=2.5,
    third_line_wins=2.0,
    ladder_wins=3.0,
    ladder_losses=3.0,
    expand="first",
    new_node_visit=False,
    final_move="visits",
    temperature=0.0,
    resign=0.0,
    reuse=True,
    memory=1000,
    seed=1,
)
"""`tengen` of version 0.1 on boards up to 10x10."""
TENGEN_1_13 = TENGEN_1.replaced(expand="threshold", expand_visits=2)
TENGEN_1_19 = TENGEN_1.replaced(expand="threshold", expand_visits=3)
