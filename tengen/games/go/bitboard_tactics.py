"""Kernels on bitboards for the chains in atari, and for moves that save or capture them.

Two sets describe them, for both colours at once: `atari` has all stones of chains with one liberty, and `heads` one
stone of each such chain, beside its liberty. A chain in atari stays as it is until a move is played on its liberty or
captures stones beside it, so only the chains around a move are looked at again.
"""

from tengen.games.go.bitboard import empty_points, non_eyes
from tengen.games.go.point_sets import (
    NOWHERE,
    beside,
    beside_several,
    choice,
    common,
    connected,
    first_point,
    grown,
    is_none,
    is_several,
    meets,
    union,
    without,
)
from tengen.jit import kernel

# --- Chains in atari -------------------------------------------------------------------------------------------------


@kernel(inline=True)
def ataris_among(stones, own, enemy, empty):
    """Return those chains of some stones that have one liberty, as a set, and a stone of each, beside the liberty.

    One loop for all chains: each grows by a step until it has two liberties or is whole, then follows the next.
    """
    atari, heads = NOWHERE, NOWHERE
    chain = first_point(stones)
    while not is_none(chain):
        side = choice(meets(chain, own), own, enemy)
        chain = grown(chain, side)
        around = beside(chain)
        liberties = common(around, empty)
        is_safe = is_several(liberties)
        if is_safe or not meets(around, without(side, chain)):
            if not is_safe:
                atari = union(atari, chain)
                heads = union(heads, first_point(common(chain, beside(liberties))))
            stones = without(stones, chain)
            chain = first_point(stones)
    return atari, heads


@kernel(inline=True)
def all_ataris(own, enemy):
    """Return the stones of all chains in atari, and one stone of each, beside its liberty."""
    empty = empty_points(own, enemy)
    safe = beside_several(empty)
    doubtful_own = without(own, connected(common(own, safe), own))
    doubtful_enemy = without(enemy, connected(common(enemy, safe), enemy))
    return ataris_among(union(doubtful_own, doubtful_enemy), own, enemy, empty)


@kernel(inline=True)
def chains_in_atari(stones, side, atari):
    """Return the whole chains in atari of those stones that are of a side and in atari."""
    region = common(side, atari)
    return connected(common(stones, region), region)


@kernel(inline=True)
def captures_at(move, enemy, atari):
    """Return the enemy stones that a stone on an empty point captures: the chains in atari beside it."""
    return chains_in_atari(beside(move), enemy, atari)


@kernel(inline=True)
def ataris_after(move, captured, own, enemy, atari, heads):
    """Return `atari` and `heads` after a move; `own` and `enemy` are the stones after the move and its captures."""
    freed = chains_in_atari(union(beside(move), beside(captured)), own, atari)
    changed = union(captured, freed)
    empty = empty_points(own, enemy)
    around = union(move, common(enemy, beside(move)))
    new, new_heads = ataris_among(without(around, beside_several(empty)), own, enemy, empty)
    return union(without(atari, changed), new), union(without(heads, changed), new_heads)


# --- Moves -----------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def candidate_points(own, enemy, empty, atari, ko):
    """Return the legal moves that fill no own eye: each has beside it an empty point, a capture, or a safe chain."""
    lively = union(empty, union(without(own, atari), common(enemy, atari)))
    return without(common(non_eyes(own, enemy, empty), beside(lively)), ko)


@kernel(inline=True)
def is_self_atari(move, own, enemy, empty, atari):
    """Whether a stone on an empty point would belong to a chain with at most one liberty."""
    free = union(without(empty, move), captures_at(move, enemy, atari))
    region, chain, around = union(own, move), move, beside(move)
    while not is_several(common(around, free)):
        if not meets(around, without(region, chain)):
            return True
        chain = grown(chain, region)
        around = beside(chain)
    return False


@kernel(inline=True)
def saving_points(last, own, enemy, empty, atari):
    """Return the moves that save own chains beside the last move from atari, as `saving_moves` of `tactics`.

    A chain is saved by an extension on its last liberty, if it then has two or more, counting captures there; or by
    capturing an adjacent chain elsewhere.                                    [Fuego 0.4.1: atari defence]
    """
    saves = NOWHERE
    threatened = common(beside(last), common(own, atari))
    while not is_none(threatened):
        chain = chains_in_atari(first_point(threatened), own, atari)
        threatened = without(threatened, chain)
        extension = common(beside(chain), empty)
        attackers = chains_in_atari(beside(chain), enemy, atari)
        saves = union(saves, without(common(beside(attackers), empty), extension))
        if not is_self_atari(extension, own, enemy, empty, atari):
            saves = union(saves, extension)
    return saves


@kernel(inline=True)
def capturing_points(enemy, empty, heads):
    """Return the last liberties of all enemy chains in atari."""
    return common(beside(common(enemy, heads)), empty)
