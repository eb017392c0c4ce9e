"""Searches of many trees that are run on the CPU and on a GPU, to be compared."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from connect_four import ConnectFour

from tengen.games.catalogue import make_game
from tengen.games.game import Game, Position
from tengen.jit import let_numbers_wrap
from tengen.players import parse_search
from tengen.search.many import ManySearch
from tengen.search.search import Search

TREES = 64


@dataclass(frozen=True)
class Scenario:
    """Searches by a player, each tree with a seed and a random opening of its own."""

    player: str
    game: Game
    least: int = 0
    """Fewest moves of an opening; tree t has t % 16 more."""
    simulations: int = 500
    moves: int = 1
    """Searches per tree, each after the best move of the one before."""


@dataclass
class Trees:
    """The trees after the last search, and the moves of the games."""

    searches: list[Search]
    lines: list[list[int]] = field(default_factory=list)


GO9, OTHELLO8, HAVANNAH4 = make_game("go", 9), make_game("othello", 8), make_game("havannah", 4)
EXACT = {
    "go uct": Scenario("uct", GO9),
    "go mc-rave": Scenario("mc-rave", GO9),
    "go mc-rave, reused": Scenario("mc-rave", GO9, simulations=200, moves=6),
    "go mogo": Scenario("mc-rave:policy=mogo,prior=mogo", GO9),
    "go urgency": Scenario("uct:policy=urgency", GO9, simulations=200),
    "go rlgo": Scenario("mc-rave:policy=rlgo,epsilon=0.1", GO9, simulations=200),
    "othello uct": Scenario("uct", OTHELLO8),
    "othello solver": Scenario("uct:solver=true", OTHELLO8, least=44),
    "othello discounted": Scenario("discounted-uct", OTHELLO8),
    "havannah uct": Scenario("uct", HAVANNAH4),
    "connect four uct": Scenario("uct", ConnectFour()),
}
WITH_POWERS = {
    "othello accelerated": Scenario("accelerated-uct", OTHELLO8),
    "go rlgo softmax": Scenario("mc-rave:policy=rlgo,tau=0.1", GO9, simulations=200),
    "go rlgo noise, prior rlgo": Scenario("mc-rave:policy=rlgo,sigma=0.1,prior=rlgo", GO9, simulations=200),
}
"""Searches with powers, exponentials or logarithms of double precision whose last bit may differ."""
SCENARIOS = {**EXACT, **WITH_POWERS}


def opening(game: Game, least: int, tree: int) -> Position:
    """Return the position after random moves that do not end the game."""
    rng = np.random.default_rng(tree)
    while True:
        position = game.start()
        for _ in range(least + tree % 16):
            position.play(int(rng.choice(position.legal_move_numbers())))
            if position.is_over:
                break
        else:
            return position


def run(scenario: Scenario, device: str, **options: Any) -> Trees:
    """Run the searches of a scenario on a device."""
    let_numbers_wrap()
    config = parse_search(scenario.player, scenario.game).replaced(simulations=scenario.simulations)
    many = ManySearch(config, scenario.game, TREES, device, **options)
    positions = [opening(scenario.game, scenario.least, tree) for tree in range(TREES)]
    for tree in range(TREES):
        many.reseed(tree, tree + 1)
    for move in range(scenario.moves):
        for tree, position in enumerate(positions):
            if move and not position.is_over:
                position.play(many.search(tree).best_move())
            many.set_position(tree, position)
        many.start(range(TREES), scenario.simulations)
        many.finish()
    is_whole = many.at_once == TREES
    searches = [many.fetch_tree(tree) if is_whole else many.search(tree) for tree in range(TREES)]
    return Trees(searches, [[played.move for played in position.history] for position in positions])


def run_on_cpu(name: str) -> Trees:
    return run(SCENARIOS[name], "cpu")
