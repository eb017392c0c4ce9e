"""Policies, priors and learnt values of Go.

`mogo`: MoGo's default policy. `knowledge`: priors from MoGo's rules and from patterns, captures and distance.
`windows`, `shapes`, `weights`: RLGO's local shape features, their kernels, and learnt values in files.
`stochastic`, `shape_prior`, `shape_weights`: the playout policy and the prior that use those values.
"""
