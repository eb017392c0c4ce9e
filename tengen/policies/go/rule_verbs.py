"""The verbs of MoGo's rules, whose bodies are chosen by the record of the state: list board or bitboard.

The verbs of policies and priors dispatch on the record of the policy or prior; those of MoGo's rules call these.
"""

from tengen.jit import verb


@verb
def play_by_rules(state, policy, rng, trace, length):
    """Play from a state to the end of the game by the rules of a policy of the record MOGO, as `play_out`."""


@verb
def mark_rule_moves(state, rules, marks, mark):
    """Set `marks` to `mark` for the moves of the first rule that has any, and to 0 for all others."""
