"""The random generator: the published sequence, independence of seeds and streams, and each distribution.

Seeds are fixed, so that a statistical test either always passes or always fails.
"""

import itertools

import numpy as np
import pytest
from scipy import stats

from tengen.jit import kernel
from tengen.rng import (
    GOLDEN_GAMMA,
    below,
    fill_words,
    gaussian,
    mix,
    mix_integer,
    next_word,
    scale,
    seeded,
    start_stream,
    uniform,
)

MANY = 100_000
LARGEST = 2**64 - 1


@kernel
def fill_below(rng, n, numbers):
    """Many draws of `below`."""
    for i in range(numbers.size):
        numbers[i] = below(rng, n)


@kernel
def fill_uniform(rng, numbers):
    """Many draws of `uniform`."""
    for i in range(numbers.size):
        numbers[i] = uniform(rng)


@kernel
def fill_gaussian(rng, numbers):
    """Many draws of `gaussian`."""
    for i in range(numbers.size):
        numbers[i] = gaussian(rng)


@pytest.mark.plain
def test_a_kernel_starts_the_streams_of_a_seed():
    rng = np.zeros(2, np.uint64)
    for stream in (0, 1, 77):
        start_stream(rng, np.uint64(mix_integer(5)), stream)
        assert (rng == seeded(5, stream)).all()


def words_of(rng, count):
    """The next words of a generator."""
    words = np.zeros(count, np.uint64)
    fill_words(rng, words)
    return words


def units(words):
    """Words as numbers from 0 to 1, to correlate them."""
    return words.astype(np.float64) / 2.0**64


# --- An independent implementation in Python integers -----------------------------------------------------------------


def spread(word: int) -> int:
    """SplitMix64's mixing function, David Stafford's thirteenth."""
    word &= LARGEST
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & LARGEST
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & LARGEST
    return word ^ (word >> 31)


def gather(word: int) -> int:
    """The inverse of `spread`."""
    word ^= (word >> 31) ^ (word >> 62)
    word = (word * pow(0x94D049BB133111EB, -1, 2**64)) & LARGEST
    word ^= (word >> 27) ^ (word >> 54)
    word = (word * pow(0xBF58476D1CE4E5B9, -1, 2**64)) & LARGEST
    return word ^ (word >> 30) ^ (word >> 60)


def sequence(seed: int, stream: int, count: int) -> list[int]:
    """The first words of a stream of a seed."""
    golden = 0x9E3779B97F4A7C15
    position = spread(spread(seed) + stream * golden)
    step = spread(position + golden) | 1
    return [spread(position + step * (i + 1)) for i in range(count)]


def about_to_draw(word: int) -> np.ndarray:
    """A generator whose next word is this one."""
    return np.array([gather(word), 0], np.uint64)


@pytest.mark.plain
def test_the_sequence_is_the_published_splitmix64():
    """Words that the reference implementation in C gives for the seeds 1234567 and 0 [Vigna 2015]."""
    published = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert words_of(np.array([1234567, GOLDEN_GAMMA], np.uint64), 5).tolist() == published
    from_zero = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert words_of(np.array([0, GOLDEN_GAMMA], np.uint64), 3).tolist() == from_zero


@pytest.mark.plain
@pytest.mark.parametrize("seed", [0, 1, 2024, 2**63, LARGEST, 2**100 + 7, -1])
@pytest.mark.parametrize("stream", [0, 1, 7, 1000])
def test_the_first_words_agree_with_an_independent_implementation(seed, stream):
    assert words_of(seeded(seed, stream), 20).tolist() == sequence(seed, stream, 20)


@pytest.mark.plain
def test_mix_in_a_kernel_is_mix_in_integers():
    words = [0, 1, 2**63, LARGEST, *sequence(3, 0, 20)]
    assert [int(mix(np.uint64(word))) for word in words] == [spread(word) for word in words]
    assert [gather(spread(word)) for word in words] == words


# --- Seeds and streams ------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_a_generator_is_two_words_that_can_be_saved_and_replayed():
    rng = seeded(5)
    assert (rng.dtype, rng.shape) == (np.dtype(np.uint64), (2,))
    words_of(rng, 10)
    saved = rng.copy()
    ahead = words_of(rng, 10).tolist()
    assert words_of(saved, 10).tolist() == ahead
    assert words_of(saved, 10).tolist() != ahead


@pytest.mark.plain
def test_the_same_seed_and_stream_give_the_same_numbers():
    for draw in (next_word, uniform, gaussian, lambda rng: below(rng, 81)):
        first, second = seeded(42, 3), seeded(42, 3)
        assert [draw(first) for _ in range(10)] == [draw(second) for _ in range(10)]


@pytest.mark.plain
def test_other_seeds_and_other_streams_give_other_numbers():
    pairs = list(itertools.product([0, 1, 2, 3, -1, 2**40], range(6)))
    beginnings = {tuple(words_of(seeded(seed, stream), 4).tolist()) for seed, stream in pairs}
    assert len(beginnings) == len(pairs)
    words = set().union(*beginnings)
    assert len(words) == 4 * len(pairs)


@pytest.mark.plain
def test_every_stream_has_its_own_odd_increment():
    """An even increment would visit only half of all positions."""
    steps = [int(seeded(seed, stream)[1]) for seed in range(10) for stream in range(10)]
    assert all(step % 2 == 1 for step in steps)
    assert len(set(steps)) == len(steps)


def test_streams_of_one_seed_share_no_words():
    words = np.concatenate([words_of(seeded(9, stream), MANY) for stream in range(8)])
    assert np.unique(words).size == 8 * MANY


@pytest.mark.parametrize(
    "generators",
    [[seeded(9, stream) for stream in range(8)], [seeded(seed) for seed in range(8)]],
    ids=["streams", "neighbouring seeds"],
)
def test_streams_and_neighbouring_seeds_are_not_correlated(generators):
    rows = np.array([units(words_of(rng.copy(), MANY)) for rng in generators])
    for shift in (0, 1):
        shifted = np.roll(rows, shift, axis=1)
        correlation = np.corrcoef(rows, shifted)[:8, 8:]
        if shift == 0:
            np.fill_diagonal(correlation, 0.0)
        assert np.abs(correlation).max() < 4.5 / np.sqrt(MANY)


def test_bits_of_two_streams_agree_half_of_the_time():
    first, second = words_of(seeded(9, 0), MANY), words_of(seeded(9, 1), MANY)
    agreeing = np.bitwise_count(first ^ second).mean()
    assert agreeing == pytest.approx(32, abs=5 * 4 / np.sqrt(MANY))


# --- Words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stream", [0, 1, 2])
def test_each_bit_of_a_word_is_set_half_of_the_time(stream):
    words = words_of(seeded(11, stream), MANY)
    for place in range(64):
        share = ((words >> np.uint64(place)) & np.uint64(1)).mean()
        assert share == pytest.approx(0.5, abs=4.5 * 0.5 / np.sqrt(MANY)), f"bit {place}"


@pytest.mark.parametrize("lag", [1, 2, 3, 16])
def test_words_are_not_correlated_with_those_before_them(lag):
    values = units(words_of(seeded(12), MANY))
    assert abs(np.corrcoef(values[:-lag], values[lag:])[0, 1]) < 4.5 / np.sqrt(MANY)


# --- Distributions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 7, 81, 361])
def test_below_is_uniform(n):
    numbers = np.zeros(2 * MANY, np.int64)
    fill_below(seeded(13, n), n, numbers)
    assert numbers.min() == 0
    assert numbers.max() == n - 1
    assert stats.chisquare(np.bincount(numbers, minlength=n)).pvalue > 1e-4


@pytest.mark.parametrize("n", [3, 9])
def test_below_is_uniform_over_pairs_of_draws(n):
    numbers = np.zeros(2 * MANY, np.int64)
    fill_below(seeded(14), n, numbers)
    pairs = numbers[0::2] * n + numbers[1::2]
    assert stats.chisquare(np.bincount(pairs, minlength=n * n)).pvalue > 1e-4


@pytest.mark.plain
@pytest.mark.parametrize("n", [1, 2, 7, 81, 361, 2**16 + 1, 2**31 - 1, 2**32 - 1])
def test_below_reaches_from_zero_to_n_less_one_and_never_n(n):
    assert below(about_to_draw(0), n) == 0
    assert below(about_to_draw(LARGEST), n) == n - 1
    assert scale(np.uint64(LARGEST), np.uint64(n)) == n - 1
    rng = seeded(15)
    assert all(0 <= below(rng, n) < n for _ in range(50))


@pytest.mark.plain
def test_below_returns_unsigned_words():
    """Kernels use it as an index: Numba would check a signed one for being negative."""
    assert np.asarray(scale(np.uint64(LARGEST), np.uint64(81))).dtype.kind in "ui"
    assert [int(below(rng, 81)) for rng in [seeded(1)] for _ in range(3)] == [
        (word >> 32) * 81 >> 32 for word in sequence(1, 0, 3)
    ]


@pytest.mark.plain
def test_uniform_lies_between_zero_and_one_and_never_reaches_one():
    assert uniform(about_to_draw(0)) == 0.0
    assert uniform(about_to_draw(LARGEST)) == 1.0 - 2.0**-53
    rng = seeded(16)
    assert all(0.0 <= uniform(rng) < 1.0 for _ in range(200))


@pytest.mark.plain
def test_uniform_is_the_upper_53_bits_of_a_word():
    rng = seeded(17)
    assert [uniform(rng) for _ in range(10)] == [(word >> 11) / 2**53 for word in sequence(17, 0, 10)]


def test_uniform_is_uniform():
    numbers = np.zeros(MANY)
    fill_uniform(seeded(18), numbers)
    assert numbers.min() >= 0.0
    assert numbers.max() < 1.0
    assert numbers.mean() == pytest.approx(1 / 2, abs=4.5 * np.sqrt(1 / 12 / MANY))
    assert numbers.var() == pytest.approx(1 / 12, abs=4.5 * np.sqrt(1 / 180 / MANY))
    assert stats.kstest(numbers, "uniform").pvalue > 1e-4


@pytest.mark.plain
def test_gaussian_is_finite_for_every_word():
    """The argument of the logarithm is above 0 for the largest word, and 1 for the smallest."""
    assert gaussian(about_to_draw(0)) == 0.0
    farthest = gaussian(about_to_draw(LARGEST))
    assert farthest == pytest.approx(np.sqrt(2 * 53 * np.log(2)))


def test_gaussian_is_normal():
    numbers = np.zeros(MANY)
    fill_gaussian(seeded(19), numbers)
    assert numbers.mean() == pytest.approx(0, abs=4.5 / np.sqrt(MANY))
    assert numbers.var() == pytest.approx(1, abs=4.5 * np.sqrt(2 / MANY))
    assert stats.kstest(numbers, "norm").pvalue > 1e-4
    assert abs(np.corrcoef(numbers[:-1], numbers[1:])[0, 1]) < 4.5 / np.sqrt(MANY)
