"""`tengen check`: does a game, tree policy, playout policy or prior keep its contract, compiled and uncompiled?

`findings`    the results of checks, and how an exception becomes one
`sessions`    seeded games and searches, run in this process and uncompiled in another one, and compared
`game_checks` the contract of `games/interface.py` and of the class Game
`part_checks` the contracts of tree policies, playout policies and priors
"""
