"""A tree policy of your own: UCB-V, UCB with the observed variance of a move's results.

    tengen match ucb-v:simulations=1000 uct:simulations=1000 --plugin examples/my_tree_policy.py --size 9 --games 100

The function is compiled and called for every move of a node that has statistics. The numbers given to the decorator are
options with their defaults, as in `ucb-v:exploration=0.7`.
"""

import math

import tengen as tg


@tg.tree_policy("ucb-v", exploration=1.0, correction=1.0)
def ucb_v(policy, node, visits, wins, rave_visits, rave_wins):
    """UCB-V: the bonus grows with the observed variance of a move's results.

    Q + c sqrt(2 Q (1 - Q) log n(s) / n(s,a)) + 3 d log n(s) / n(s,a)

    Q (1 - Q) is the variance of results that are 0 or 1; c and d are `exploration` and `correction`.
    """
    value = wins / visits
    variance = value * (1.0 - value)
    bonus = math.sqrt(2.0 * variance * node.log_total / visits)
    return value + policy.exploration * bonus + 3.0 * policy.correction * node.log_total / visits
