"""Teams: the threads of a GPU that work on one tree together.

All threads of a team run the same kernel on the same data. Scalars are computed and written by each of them, with the
same values at the same time; loops over vectors are divided among them:

    for i in range(lane(), row.visits.size, lanes()):
        row.visits[i] = ...
    team_sync()     # before a thread reads what another one has written

So one source serves a thread per tree, for very many trees, a warp of 32 threads per tree, for few, and a CPU, where
`lane()` is 0, `lanes()` is 1, and these loops are ordinary ones. The bodies for a GPU are in `tengen.jit.gpu`.
"""

from tengen.jit.kernels import kernel


@kernel(inline=True)
def lane():
    """The number of this thread in its team, from 0."""
    return 0


@kernel(inline=True)
def lanes():
    """The number of threads in the team: a power of two up to 32."""
    return 1


@kernel(inline=True)
def team_sync():
    """Wait for the other threads of the team; afterwards their writes can be read."""


@kernel(inline=True)
def team_max(value):
    """The greatest `value` of all threads of the team."""
    return value


@kernel(inline=True)
def team_sum(count):
    """The sum of an integer over all threads of the team."""
    return count


@kernel(inline=True)
def team_ballot(flag):
    """One bit of an integer for each thread of the team, from the lowest: set where `flag` is true."""
    return 1 if flag else 0
