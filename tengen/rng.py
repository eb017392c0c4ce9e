"""Random numbers for kernels: SplitMix64 [Steele, Lea and Flood 2014], one stream per thread.

A generator is a uint64 array of two words: the position in the sequence, and the odd increment (`gamma`). Each stream
has its own increment, so the streams of one seed are different sequences, not parts of one sequence. Unlike Numba's
built-in generator, which is global to a thread, this one can be kept in an array, saved and replayed.
"""

import math

import numpy as np

from tengen.jit import kernel

u64 = np.uint64

GOLDEN_GAMMA = u64(0x9E3779B97F4A7C15)
U1, U27, U30, U31, U32 = u64(1), u64(27), u64(30), u64(31), u64(32)
MIX_1, MIX_2 = u64(0xBF58476D1CE4E5B9), u64(0x94D049BB133111EB)
TO_UNIT = 2.0**-53
U11 = u64(11)


@kernel(inline=True)
def mix(word):
    """Return the random word at a position of the sequence: a bijection in which every bit affects all others."""
    word = (word ^ (word >> U30)) * MIX_1
    word = (word ^ (word >> U27)) * MIX_2
    return word ^ (word >> U31)


@kernel(inline=True)
def scale(word, n):
    """Map a random word to a number from 0 to n - 1, using its upper 32 bits; the bias is below n / 2**32."""
    return ((word >> U32) * n) >> U32


@kernel(inline=True)
def next_word(rng):
    """64 random bits."""
    rng[0] += rng[1]
    return mix(rng[0])


@kernel(inline=True)
def below(rng, n):
    """A random number from 0 to n - 1, as uint64."""
    return scale(next_word(rng), u64(n))


@kernel(inline=True)
def to_unit(word):
    """Map a random word to a float64 in [0, 1)."""
    return float(word >> U11) * TO_UNIT


@kernel(inline=True)
def uniform(rng):
    """A random float64 in [0, 1)."""
    return to_unit(next_word(rng))


@kernel
def gaussian(rng):
    """A random float64 from the normal distribution with mean 0 and variance 1 (Box and Muller)."""
    radius = math.sqrt(-2.0 * math.log(1.0 - uniform(rng)))
    return radius * math.cos(2.0 * math.pi * uniform(rng))


@kernel
def fill_words(rng, words):
    """Fill a uint64 array with random words."""
    for i in range(words.size):
        words[i] = next_word(rng)


@kernel
def start_stream(rng, word, stream):
    """Make a generator number `stream` of the seed whose `mix_integer` is `word`: the one that `seeded` returns."""
    rng[0] = mix(word + u64(stream) * GOLDEN_GAMMA)
    rng[1] = mix(rng[0] + GOLDEN_GAMMA) | U1


def seeded(seed: int, stream: int = 0) -> np.ndarray:
    """Return generator number `stream` of a seed: the same two numbers always give the same sequence."""
    position = mix_integer(mix_integer(seed) + stream * int(GOLDEN_GAMMA))
    gamma = mix_integer(position + int(GOLDEN_GAMMA)) | 1
    return np.array([position, gamma], np.uint64)


def mix_integer(word: int) -> int:
    """Compute `mix` on Python integers of any size, so that seeding needs no compiled kernel."""
    word %= 2**64
    word = (word ^ (word >> 30)) * int(MIX_1) % 2**64
    word = (word ^ (word >> 27)) * int(MIX_2) % 2**64
    return word ^ (word >> 31)
