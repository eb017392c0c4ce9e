"""Kernels for ladders: whether a chain in atari that runs is captured in the end. For TACTICAL records."""

from tengen.games.go.go_board import play
from tengen.games.go.go_record import PASS, U0, U1, last_liberty, u64
from tengen.games.go.tactics import add_captures_beside, is_self_atari, two_liberties
from tengen.jit import kernel


@kernel(private=True)
def run_from_ladder(state, stone):
    """Extend a chain in atari; return (first, second, is_caught).

    `first` and `second` are the chain's liberties if it then has two, else zeros; `is_caught` is True if it cannot
    extend at all. A chain that can capture an adjacent chain counts as free.
    """
    head = u64(state.chain[stone])
    owner, extension = u64(state.colour[head]), last_liberty(u64(state.liberties[head]))
    if add_captures_beside(state, head, owner, extension, U0) != U0:
        return U0, U0, False
    if is_self_atari(state, extension, owner):
        return U0, U0, True
    state.to_play = owner
    play(state, extension)
    first, second = two_liberties(state, u64(state.chain[stone]))
    return first, second, False


@kernel
def is_caught(states, point):
    """Whether the chain at a point of states[0], in atari and to move, is captured in a ladder.

    The other states are scratch: one for every two moves of the ladder. A longer ladder counts as escaped.
    """
    stone, attacker = u64(point), u64(states[0].colour[point]) ^ U1
    states[1] = states[0]
    first, second, caught = run_from_ladder(states[1], stone)
    if caught or first == U0:
        return caught
    states[1].candidates[0], states[1].candidates[1] = first, second  # the attacker's moves that are still to be tried
    depth = 1
    while depth > 0:
        state = states[depth]
        move = u64(state.candidates[0])
        if move == PASS or depth + 1 == states.size:
            depth -= 1
            continue
        state.candidates[0], state.candidates[1] = state.candidates[1], PASS
        following = states[depth + 1]
        states[depth + 1] = state
        following.to_play = attacker
        if move == u64(following.ko) or is_self_atari(following, move, attacker):
            continue
        play(following, move)
        first, second, caught = run_from_ladder(following, stone)
        if caught:
            return True
        if first != U0:
            following.candidates[0], following.candidates[1] = first, second
            depth += 1
    return False
