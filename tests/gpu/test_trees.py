"""Whole trees of a GPU are those of the CPU, bit by bit, as far as the mathematical libraries agree."""

import numpy as np
import pytest

from tests.gpu.scenarios import EXACT, OTHELLO8, TREES, WITH_POWERS, Scenario, run
from tests.search.whole_trees import differences

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("name", EXACT)
def test_all_trees_are_those_of_the_cpu(name, on_cpu):
    """Visits, wins, RAVE values, children, sums, hashes, priors, notes, proofs, and the state of the generator."""
    ours, theirs = run(EXACT[name], "gpu"), on_cpu(name)
    found = [differences(mine, other) for mine, other in zip(ours.searches, theirs.searches, strict=True)]
    assert {tree: names for tree, names in enumerate(found) if names} == {}
    assert ours.lines == theirs.lines


def test_the_scenarios_prove_positions_and_reuse_subtrees(on_cpu):
    proved = [search.is_solved for search in on_cpu("othello solver").searches]
    assert sum(proved) > TREES // 8
    reused = [search.simulations for search in on_cpu("go mc-rave, reused").searches]
    assert max(reused) > EXACT["go mc-rave, reused"].simulations


@pytest.mark.parametrize("name", WITH_POWERS)
def test_trees_with_powers_differ_little(name, on_cpu):
    """Powers may differ in the last bit between the libraries, and so a move may be selected that was nearly as good.

    Accepted: other visits in a quarter of the trees; in all others, sums that differ by less than one in a million.
    """
    ours, theirs = run(WITH_POWERS[name], "gpu"), on_cpu(name)
    equal = 0
    for mine, other in zip(ours.searches, theirs.searches, strict=True):
        trees = mine.memory.tree, other.memory.tree
        if mine.nodes == other.nodes and (trees[0]["visits"] == trees[1]["visits"]).all():
            equal += 1
            for field in ("wins", "weight_sum", "ratio_sum"):
                np.testing.assert_allclose(trees[0][field], trees[1][field], rtol=1e-6, atol=1e-6)
    print(f"{name}: {equal} of {TREES} trees have the same visits")
    assert equal >= TREES * 3 // 4


@pytest.mark.parametrize("options", [{"lanes": 1}, {"lanes": 8}, {"crowd": 1056}], ids=str)
def test_the_threads_and_blocks_of_a_launch_do_not_matter(options, on_cpu):
    ours, theirs = run(EXACT["othello uct"], "gpu", **options), on_cpu("othello uct")
    found = [differences(mine, other) for mine, other in zip(ours.searches, theirs.searches, strict=True)]
    assert found == [[]] * TREES


def test_trees_in_waves_have_the_same_roots():
    """With memory for about a third of the trees at once."""
    scenario = Scenario("uct:reuse=false", OTHELLO8)
    whole, in_waves = run(scenario, "gpu"), run(scenario, "gpu", at_once=TREES // 3)
    for ours, theirs in zip(whole.searches, in_waves.searches, strict=True):
        assert ours.moves() == theirs.moves()
        assert list(ours.memory.rng) == list(theirs.memory.rng)
