"""Random numbers for kernels: SplitMix64 [Steele, Lea and Flood 2014], one stream a thread.

A generator is a uint64 array of two words: where the sequence stands, and the odd step (`gamma`) by which it moves on.
Each stream has a step of its own, so streams of one seed are sequences of their own, not pieces of one.
Numba's built-in generator is global to a thread and cannot be carried in an array, saved or replayed; this one can.
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
    """Spread every bit of a word over all of it: the sequence's position becomes a random number."""
    word = (word ^ (word >> U30)) * MIX_1
    word = (word ^ (word >> U27)) * MIX_2
    return word ^ (word >> U31)


@kernel(inline=True)
def scale(word, n):
    """A random word as a number from 0 to n - 1, by its upper half; the bias is below n / 2**32."""
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
    """A random word as a float64 in [0, 1)."""
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
    """Fill an array with random words: many numbers for one call from Python."""
    for i in range(words.size):
        words[i] = next_word(rng)


def seeded(seed: int, stream: int = 0) -> np.ndarray:
    """The generator number `stream` of a seed: the same two numbers always give the same sequence."""
    position = mix_integer(mix_integer(seed) + stream * int(GOLDEN_GAMMA))
    gamma = mix_integer(position + int(GOLDEN_GAMMA)) | 1
    return np.array([position, gamma], np.uint64)


def mix_integer(word: int) -> int:
    """`mix` on Python integers, which need no compiler to seed a generator; any integer is a seed."""
    word %= 2**64
    word = (word ^ (word >> 30)) * int(MIX_1) % 2**64
    word = (word ^ (word >> 27)) * int(MIX_2) % 2**64
    return word ^ (word >> 31)
