"""Tuning of parameters by games: each game is an observation of a smooth response surface; results have error bars.

The win rate at parameters u, each scaled to -1 ... 1 between its limits, is modelled as

    p(u) = 1 / (1 + exp(-(a + sum_i b_i u_i + sum_(i<=j) c_ij u_i u_j)))

fitted to all games by maximum a posteriori, with its uncertainty from the curvature there. The next game is played at
the maximum of a surface drawn from this distribution (Thompson sampling), so that games are played where the optimum
may be. Optuna stores a study in a journal file: a killed run loses only its games in progress.
"""
