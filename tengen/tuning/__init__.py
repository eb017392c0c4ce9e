"""Parameters chosen by games: each game is one observation of a smooth response surface, and the answer has error bars.

The chance to win at parameters u, each scaled to -1 ... 1 between its limits, is modelled as

    p(u) = 1 / (1 + exp(-(a + sum_i b_i u_i + sum_(i<=j) c_ij u_i u_j)))

fitted to all games by maximum a posteriori, with its uncertainty from the curvature there. The next game is played at
the maximum of a surface drawn from that distribution (Thompson sampling): where the best values may still be, games are
played. Studies are kept by optuna in a journal file: a killed run loses its games in progress only.
"""
