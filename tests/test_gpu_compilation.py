"""Kernels compiled for a GPU, on a machine that needs none: all parts of a search, and errors of those that cannot.

Ko rules, the solver and the ways to expand the tree are numbers in records: they are in the code of every search.
"""

import re

import numpy as np
import pytest
from connect_four import ConnectFour
from hex import Hex

from tengen import Go, Havannah, Othello
from tengen.benchmarks.kernels import sum_uniform_results
from tengen.errors import TengenError
from tengen.games.game import Game
from tengen.jit.failures import CompileError
from tengen.players import parse_search
from tengen.plugins import load_plugin
from tengen.rng import seeded
from tengen.search.forest import Roots, fetch_root, search_tree
from tengen.search.many import ManySearch, local_bytes
from tengen.search.search import Search, compose
from tests import gpu_entries
from tests.test_plugins import EXAMPLES, registered, written  # noqa: F401 - a fixture

pytest.importorskip("numba.cuda", reason="numba-cuda is not installed")
from tengen.jit import gpu

RNGS, NUMBERS = np.array([seeded(1)]), np.zeros(1, np.int64)


def load_examples() -> None:
    for name in ("my_tree_policy", "my_playout_policy", "my_prior"):
        load_plugin(EXAMPLES / f"{name}.py")


def search_ptx(player: str, game: Game) -> str:
    """Return the assembly of a search of many trees."""
    config = parse_search(player, game).replaced(memory=1, simulations=1, reuse=False)
    many = ManySearch(config, game, trees=1, device="cpu")
    many.set_position(0, game.start())
    batch = many._sent([0], number=0).batch
    return gpu.ptx(search_tree, (many._forest, many._parts, batch, 1, np.uint8(1)))


def part_ptx(option: str, name: str, game: Game) -> str:
    """Return the assembly of the kernels of one part of a search."""
    load_examples()
    search = Search(parse_search(f"uct:{option}={name},memory=1", game), game)
    record, memory = getattr(search.algorithm, option), search.memory
    part, values = np.array([record], record.dtype), np.zeros((1, memory.work.values.size), np.float32)
    match option:
        case "policy":
            traces = np.zeros((1, 9), np.uint16)
            return gpu.ptx(gpu_entries.play_out_at, (part, memory.states, RNGS, traces, NUMBERS))
        case "tree_policy":
            return gpu.ptx(gpu_entries.select_at, (part, memory.tree, values, RNGS, NUMBERS))
        case "backup":
            return gpu.ptx(gpu_entries.back_up_at, (part, memory))
    return gpu.ptx(gpu_entries.expect_at, (part, memory, values))


def fused(ptx: str) -> tuple[int, int]:
    """The fused multiplications and additions of single and of double precision."""
    return len(re.findall(r"fma\.rn\S*\.f32", ptx)), len(re.findall(r"fma\.rn\S*\.f64", ptx))


def is_rounded(ptx: str) -> bool:
    """Whether all divisions and square roots of single precision are rounded as IEEE 754 demands."""
    return not re.search(r"\b(div|sqrt|rcp|rsqrt)\.(approx|full)\S*\.f32", ptx)


FUSED_IN_LOG = 16
FUSED_IN_SINGLE_LOG = 12
"""Fused operations in the logarithms of CUDA's library, of double and of single precision."""


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_multiplications_and_additions_are_not_fused(dtype):
    ptx = gpu.ptx(gpu_entries.multiply_and_add_at, (np.zeros(3, dtype),))
    assert fused(ptx) == (0, 0)
    assert "mul." in ptx
    log = gpu.ptx(gpu_entries.log_at, (np.zeros(1, dtype),))
    assert fused(log) == ((0, FUSED_IN_LOG) if dtype is np.float64 else (FUSED_IN_SINGLE_LOG, 0))


def long(*values):
    return pytest.param(*values, marks=pytest.mark.long)


@pytest.mark.parametrize(
    ("player", "game"),
    [
        ("mc-rave", Go(9)),
        long("uct", ConnectFour()),
        long("uct:solver=true,prior=even", Othello(8)),
        long("uct:expand=threshold", Havannah(4)),
        long("mc-rave:policy=mogo,prior=mogo", Go(9)),
        long("tengen", Go(19)),
        long("ucb-v:policy=edge-shy,prior=central", Go(13)),
        long("mc-rave", Hex()),
        long("uct:policy=urgency", Go(19)),
    ],
    ids=str,
)
def test_a_search_compiles_and_fuses_nothing_but_in_logarithms(player, game):
    load_examples()
    ptx = search_ptx(player, game)
    assert ".entry" in ptx
    singles, doubles = fused(ptx)
    assert singles == 0
    assert doubles % FUSED_IN_LOG == 0
    assert is_rounded(ptx)


@pytest.mark.long
@pytest.mark.parametrize(
    ("player", "game"),
    [
        ("accelerated-uct", Othello(8)),
        ("discounted-uct:discount=tree,prior=grandfather", Othello(8)),
        ("mc-rave:policy=rlgo", Go(9)),
        ("uct:policy=rlgo,prior=rlgo", Go(13)),
    ],
    ids=str,
)
def test_a_search_with_powers_compiles_and_fuses_nothing_in_single_precision(player, game):
    ptx = search_ptx(player, game)
    assert ".entry" in ptx
    assert fused(ptx)[0] == 0
    assert is_rounded(ptx)


PARTS = [
    long("policy", "mogo", Go(9)),
    ("policy", "uniform", Go(19)),
    ("policy", "uniform", Hex()),
    long("policy", "uniform", Go(13)),
    long("policy", "uniform", Go(7)),
    long("policy", "uniform", Havannah(5, swap=True)),
    long("policy", "mogo", Go(13)),
    long("policy", "mogo", Go(19)),
    ("policy", "rlgo", Go(9)),
    ("policy", "urgency", Go(9)),
    long("policy", "learnt", Go(9)),
    ("policy", "edge-shy", Go(9)),
    ("tree_policy", "ucb-v", Go(9)),
    *(("tree_policy", name, Go(9)) for name in ("ucb1", "ucb1-tuned", "uct-rave", "mc-rave", "fuego-rave")),
    *(("backup", name, Othello(8)) for name in ("mean", "accelerated", "discounted")),
    *(("prior", name, Go(9)) for name in ("even", "grandfather", "central")),
    long("prior", "mogo", Go(9)),
    ("prior", "rlgo", Go(9)),
    long("prior", "learnt", Go(9)),
    long("prior", "knowledge", Go(9)),
    long("prior", "knowledge", Go(19)),
]


@pytest.mark.parametrize(("option", "name", "game"), PARTS, ids=str)
def test_a_part_compiles_and_fuses_nothing_in_single_precision(option, name, game):
    ptx = part_ptx(option, name, game)
    assert ".entry" in ptx
    singles = fused(ptx)[0]
    assert singles % FUSED_IN_SINGLE_LOG == 0
    assert (singles > 0) == (name == "uct-rave")
    assert is_rounded(ptx)


@pytest.mark.parametrize("game", [Othello(8), ConnectFour(), long(Go(9)), long(Go(19)), long(Havannah(4))], ids=str)
def test_the_playouts_of_the_benchmark_compile(game):
    config = parse_search("uct", game)
    states = np.zeros((1, 1), config.compact_record(game))
    arguments = states[0], states, RNGS, np.zeros((1, 9), np.uint16), np.zeros(1), 10
    assert ".entry" in gpu.ptx(sum_uniform_results, arguments)


def test_the_copy_of_roots_compiles():
    game = Othello(8)
    forest = ManySearch(parse_search("uct:simulations=1", game), game, trees=1, device="cpu")._forest
    roots = Roots(forest.tree[0], forest.priors[0], forest.proofs[0], np.zeros((1, 8), np.int64))
    assert ".entry" in gpu.ptx(fetch_root, (forest, NUMBERS, roots))


@pytest.mark.long
def test_a_policy_and_a_prior_have_scratch_buffers_in_local_memory():
    """Two buffers that are not in use at the same time may share memory."""
    player, game = "uct:policy=rlgo,prior=rlgo", Go(9)
    algorithm = compose(parse_search(player, game), game)
    size = algorithm.policy.dtype["blank"].itemsize
    local = [int(found) for found in re.findall(r"__local_depot\d+\[(\d+)\];", search_ptx(player, game))]
    assert local_bytes(algorithm) == 2 * size
    assert size <= sum(local) <= 2 * size + MOST_OF_MATHEMATICS


MOST_OF_MATHEMATICS = 100
"""Bytes of local memory of CUDA's functions."""


def test_a_launch_of_few_threads_is_no_warning():
    """Warnings are errors in tests."""
    assert gpu.entry(gpu_entries.log_at)[(1, 1), (32, 4)]


# --- What a GPU cannot do --------------------------------------------------------------------------------------------

POLICY = """import numpy as np
import tengen as tg

def helper(number):
    return number

@tg.tree_policy("mine", weight=1.0)
def mine(policy, node, visits, wins, rave_visits, rave_wins):
    value = wins / visits
    STATEMENT
    return value
"""


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("value += np.zeros(4)[1]", "a GPU cannot create arrays (Numba: zeros("),
        ("value += np.empty(int(node.total))[0]", "a GPU cannot create arrays (Numba: empty("),
        ("value += policy.wieght", "there is no field or option 'wieght'; there are: first_play, weight"),
        ("value += helper(value)", "helper is not compiled; write @tengen.jit.kernel above it (Numba: Untyped global"),
        ("value += open('x')", "it cannot be compiled (Numba: "),
        ("assert value >= 0", "it may raise an exception, which is not possible on a GPU"),
    ],
)
def test_what_a_users_function_does_and_a_gpu_cannot_is_one_sentence(tmp_path, statement, problem):
    load_plugin(written(tmp_path, POLICY.replace("STATEMENT", statement)))
    with pytest.raises(CompileError) as raised:
        part_ptx("tree_policy", "mine", Othello(4))
    assert str(raised.value).startswith(f"mine in mine.py, line 10: {problem}")
    assert "\n" not in str(raised.value)


def test_a_kernel_of_the_package_that_needs_a_cpu_says_so_in_one_sentence():
    game = Go(9)
    policy = parse_search("uct:policy=rlgo", game).make_part("policy", game)
    states, traces = np.zeros((1, 2), game.state_record), np.zeros((1, 9), np.uint16)
    with pytest.raises(TengenError) as raised:
        gpu.ptx(gpu_entries.play_game_at, (np.array([policy], policy.dtype), states, RNGS, traces))
    expected = r"the kernel play_games of selfplay.py, line \d+: a GPU cannot create arrays \(Numba: .*\)"
    assert re.fullmatch(expected, str(raised.value))
