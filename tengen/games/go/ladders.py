"""Ladders in kernels: whether a chain in atari, running, is caught in the end. For TACTICAL records."""

from tengen.games.go.board import PASS, U0, U1, last_liberty, play, u64
from tengen.games.go.tactics import are_beside, is_listed_chain, is_self_atari, two_liberties
from tengen.jit import kernel


@kernel(private=True)
def has_capture_beside(state, head):
    """Whether a chain in atari can capture an enemy's chain beside it, elsewhere than by extending."""
    enemy = u64(state.colour[head]) ^ U1
    extension = last_liberty(u64(state.liberties[head]))
    for i in range(state.atari_count[enemy]):
        other = u64(state.atari[enemy, i])
        if not is_listed_chain(state, other, enemy) or last_liberty(u64(state.liberties[other])) == extension:
            continue
        if are_beside(state, head, other):
            return True
    return False


@kernel(private=True)
def run_from_ladder(state, stone):
    """Let a chain in atari extend. Returns the liberties that the attacker may then take, if there are two; else zeros,
    with True if the chain cannot run at all.

    A chain that can capture beside it counts as free.
    """
    head = u64(state.chain[stone])
    if has_capture_beside(state, head):
        return U0, U0, False
    owner, extension = u64(state.colour[head]), last_liberty(u64(state.liberties[head]))
    if is_self_atari(state, extension, owner):
        return U0, U0, True
    state.to_play = owner
    play(state, extension)
    first, second = two_liberties(state, u64(state.chain[stone]))
    return first, second, False


@kernel
def is_caught(states, point):
    """Whether the chain at a point of states[0], in atari and to move, is caught in a ladder.

    The other states are room to read in: one for every two moves of the ladder. A longer one counts as escaped.
    """
    stone, attacker = u64(point), u64(states[0].colour[point]) ^ U1
    states[1] = states[0]
    first, second, caught = run_from_ladder(states[1], stone)
    if caught or first == U0:
        return caught
    states[1].candidates[0], states[1].candidates[1] = first, second  # what the attacker has yet to try
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
