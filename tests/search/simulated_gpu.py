"""Compares the trees of `ManySearch` on the CPU with those in Numba's simulator of a GPU.

Run as a program with NUMBA_ENABLE_CUDASIM=1 and NUMBA_DISABLE_JIT=1: the simulator runs Python, so kernels must not be
compiled. It prints what differs as JSON, by scenario. On the simulated device, the second bodies of kernels
(`on_gpu`) stand for the first ones, which the simulator does not do by itself.
"""

import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "examples"))

from connect_four import ConnectFour
from tic_tac_toe import TicTacToe

from tengen import Go, Othello
from tengen.errors import TengenError
from tengen.games.game import Game
from tengen.jit import gpu, kernels
from tengen.players import parse_search
from tengen.plugins import load_plugin
from tengen.policies.playout import BadPlayout
from tengen.search.many import ManySearch
from tests.search.whole_trees import differences

TREES = 3


def many_search(player: str, game: Game, device: str, trees: int = TREES, **options: Any) -> ManySearch:
    with bodies_of(device):
        many = ManySearch(parse_search(player, game), game, trees, device, **options)
    for tree in range(trees):
        many.reseed(tree, tree + 1)
    return many


@contextlib.contextmanager
def bodies_of(device: str) -> Iterator[None]:
    """On the simulated device, give kernels the code of their second bodies."""
    before = {replaced: replaced.__code__ for replaced in kernels.gpu_bodies}
    if device == "gpu":
        for replaced, body in kernels.gpu_bodies.items():
            replaced.__code__ = body.__code__
    try:
        yield
    finally:
        for replaced, code in before.items():
            replaced.__code__ = code


def run(many: ManySearch, device: str, positions: list[Any], simulations: int) -> None:
    for tree, position in enumerate(positions):
        many.set_position(tree, position)
    with bodies_of(device):
        many.start(range(len(positions)), simulations)
        many.finish()


def over_several_moves(player: str, game: Game, simulations: int, moves: int = 3, start: str = "") -> list[Any]:
    """Play a game in which each tree plays its best move; return the differences after each move."""
    searches = {device: many_search(player, game, device) for device in ("cpu", "gpu")}
    positions = [game.start() for _ in range(TREES)]
    for move in start.split():
        for position in positions:
            position.play(move)
    found = []
    for _ in range(moves):
        for device, many in searches.items():
            run(many, device, positions, simulations)
        for tree, position in enumerate(positions):
            trees = [many.fetch_tree(tree) for many in searches.values()]
            found.append(differences(*trees))
            if not position.is_over:
                position.play(trees[0].best_move())
    return found


def in_waves() -> list[Any]:
    """Search seven trees with memory for a few; return the differences of the roots from those searched at once."""
    game, player = TicTacToe(), "uct:simulations=20,reuse=false"
    whole, waves = many_search(player, game, "cpu", 7), many_search(player, game, "gpu", 7, at_once=3)
    assert (whole.at_once, waves.at_once) == (7, 3)
    positions = [game.start().play(game.start().legal_moves()[tree]) for tree in range(7)]
    run(whole, "cpu", positions, 15)
    run(waves, "gpu", positions, 15)
    pairs = [(whole.search(tree), waves.search(tree)) for tree in range(7)]
    found = [repr(ours.moves()) == repr(theirs.moves()) for ours, theirs in pairs]
    found += [ours.memory.rng.tolist() == theirs.memory.rng.tolist() for ours, theirs in pairs]
    return [] if all(found) else found


def faults(folder: str) -> list[Any]:
    """Return the errors of a playout policy that plays illegal moves from the second move of a game on."""
    load_plugin(Path(folder) / "faulty.py")
    game = TicTacToe()
    many = many_search("uct:policy=faulty,simulations=20", game, "gpu")
    found: list[Any] = []
    for _ in range(2):
        for tree in range(TREES):
            many.forget(tree)
        try:
            run(many, "gpu", [game.start()] * TREES, 5)
        except BadPlayout as error:
            found.append(str(error))
    nearly_over = game.start()
    for move in ("a1", "a2", "b1", "b2", "a3", "c1", "c2", "c3"):
        nearly_over.play(move)
    run(many, "gpu", [nearly_over] * TREES, 5)  # no playout is needed, so the fault must be forgotten
    return [*found, many.search(0).simulations]


def too_many_trees() -> list[Any]:
    game = TicTacToe()
    try:
        many_search("uct:simulations=1000000", game, "gpu", trees=10)
    except TengenError as error:
        return [str(error)]
    return []


SCENARIOS: dict[str, Callable[[], list[Any]]] = {
    "othello": lambda: over_several_moves("uct:simulations=50", Othello(4), 25),
    "go": lambda: over_several_moves("mc-rave:simulations=20", Go(5), 8, moves=2),
    "compact go": lambda: over_several_moves("mc-rave:simulations=20,reuse=false", Go(9), 4, moves=1),
    "urgency": lambda: over_several_moves("uct:policy=urgency,simulations=20", Go(5), 4, moves=1),
    "rlgo": lambda: over_several_moves("uct:policy=rlgo,prior=rlgo,simulations=20,reuse=false", Go(9), 1, moves=1),
    "superko": lambda: over_several_moves("uct:simulations=50,exploration=3", Go(2, komi=0.5), 30, 2, "A1 B2 A2"),
    "solver": lambda: over_several_moves("uct:simulations=120,solver=true", TicTacToe(), 60),
    "new node visit": lambda: over_several_moves("mc-rave:simulations=50,new_node_visit=true", TicTacToe(), 30),
    "accelerated": lambda: over_several_moves("accelerated-uct:simulations=50,decay=0.9", TicTacToe(), 30),
    "decay auto": lambda: over_several_moves("accelerated-uct:simulations=50,decay=auto", TicTacToe(), 30),
    "plugin game": lambda: over_several_moves("mc-rave:simulations=50,prior=even", ConnectFour(), 20),
    "waves": in_waves,
    "faults": lambda: faults(sys.argv[1]),
    "memory": too_many_trees,
}

if __name__ == "__main__":
    assert gpu.SIMULATED
    assert not kernels.COMPILED
    print(json.dumps({name: act() for name, act in SCENARIOS.items()}))
