"""Duels of greedy play by the package's weights against MoGo's policy and the uniform one, in blocks of 4,000 games.

python docs/results/rlgo/duels.py > docs/results/rlgo/duels.csv
"""

from tengen.games.go.game import Go
from tengen.learning.strength import OPPONENTS, strength
from tengen.learning.training_settings import TrainingSettings
from tengen.policies.go.shape_weights import shape_policy, weights_for

BLOCKS, GAMES = 11, 4000

print("board,opponent,block,games,won")
for size in (9, 13):
    policy = shape_policy(weights_for("", Go(size)))
    for opponent in OPPONENTS:
        for block in range(BLOCKS if opponent == "mogo" else 1):
            rate = strength(policy, TrainingSettings(size=size), opponent, GAMES, stream=block)
            print(f"{size},{opponent},{block},{GAMES},{round(rate * GAMES)}", flush=True)
