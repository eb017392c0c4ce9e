"""Batches of games: their sums of updates against a slow learner, exact checkpoints, and code for a GPU."""

import numpy as np
import pytest

from tengen.benchmarks.batch_learning import batch_learning_work
from tengen.errors import TengenError
from tengen.games.go.game import Go
from tengen.jit.devices import open_device
from tengen.learning import batch_learner
from tengen.learning.batch_games import clear_lesson, learn_game, play_game, take_updates
from tengen.learning.batch_learner import BatchLearner
from tengen.learning.checkpoint import LATER_SETTINGS
from tengen.learning.strength import strength
from tengen.learning.training import Training
from tengen.learning.training_settings import TrainingSettings
from tengen.policies.go.weights import ShapeWeights, load_weights
from tengen.policies.go.windows import shape_set
from tests.learning.test_td import SlowLearner
from tests.policies.test_shapes import board_of, random_weights

SMALL = TrainingSettings(size=5, komi=0.5, seed=3, batch=100)


@pytest.fixture(autouse=True)
def few_duels(monkeypatch):
    monkeypatch.setattr("tengen.learning.training.DUEL_GAMES", 20)


def learner_of(weights, batch):
    return BatchLearner(TrainingSettings(size=5, komi=0.5, epsilon=0.3, batch=batch), weights, "cpu")


def boards_and_results(learner, games):
    """Return the boards of each game of the last batch after each move, the first one empty, and Black's results."""
    found = []
    traces, evaluations = map(learner._device.fetch, (learner._games.traces, learner._games.evaluations))
    for number in range(games):
        position = Go(5, komi=0.5, ko="simple").start()
        boards = [board_of(position)]
        for move in traces[number, : evaluations["move_count"][number]]:
            position.play(position.game.format_move(int(move)))
            boards.append(board_of(position))
        found.append((boards, float(position.score > 0)))
    return found


@pytest.mark.plain
def test_a_batch_moves_each_weight_by_the_sum_of_its_updates_but_at_most_by_some_times_their_mean(monkeypatch):
    monkeypatch.setattr(batch_learner, "STEP_GAMES", 2.0)
    weights, games = random_weights(5), 3
    learner = learner_of(weights, games)
    results, moves = learner.learn(games)
    sums, counts = np.zeros(weights.shapes.weights), np.zeros(weights.shapes.weights)
    played = boards_and_results(learner, games)
    for boards, result in played:
        slow = SlowLearner(weights)
        slow.learn(boards, result)
        updates = np.array(list(slow.theta.values())) - weights.weights
        sums, counts = sums + updates, counts + (updates != 0)
    assert (results, moves) == (sum(result for _, result in played), sum(len(boards) - 1 for boards, _ in played))
    assert len({len(boards) for boards, _ in played}) > 1
    assert {0, 1, 2, 3} == set(counts)
    share = np.where(counts > 2, 2 / np.maximum(counts, 1), 1)
    assert np.abs(sums).max() > 1e-3
    assert learner.classes.weights == pytest.approx(weights.weights + sums * share, abs=1e-6)


@pytest.mark.plain
def test_the_result_of_a_batch_does_not_depend_on_the_order_of_its_games(monkeypatch):
    def backwards(self, body, count, *arguments, lanes=1):
        for index in reversed(range(count)):
            body(index, *arguments)

    learnt = []
    for _ in range(2):
        learner = learner_of(random_weights(5), 3)
        learner.learn(3)
        learnt.append(learner.classes.weights.copy())
        monkeypatch.setattr("tengen.jit.devices.Processor.launch", backwards)
    assert (learnt[0] == learnt[1]).all()


def test_the_tables_on_the_device_are_those_of_the_weights():
    learner = learner_of(random_weights(5), 50)
    learner.learn(100)
    policy, on_device = learner.policy, learner._common.policy[0]
    assert (policy.shapes.local == on_device.shapes.local).all()
    assert (policy.shapes.common == on_device.shapes.common).all()


def test_compiling_changes_no_weight_and_no_generator():
    learner, weights = learner_of(random_weights(5), 50), random_weights(5).weights
    before = learner.generators
    assert learner.learn(0) == (0.0, 0)
    assert learner.generators == before
    assert (learner._common.classes[0].weights == weights).all()
    assert not learner._common.updates[0].sums.any()


def test_given_weights_replace_those_of_the_device():
    learner, other = learner_of(random_weights(5), 50), learner_of(random_weights(5, seed=2), 50)
    learner.learn(50)
    learner.set_weights(random_weights(5, seed=2).weights)
    learner.generators = other.generators
    assert learner.learn(50) == other.learn(50)
    assert (learner.classes.weights == other.classes.weights).all()


def test_the_work_of_a_benchmark_learns_from_games():
    results, moves = batch_learning_work(9, 4, "cpu")(8)
    assert 0 <= results <= 8
    assert moves > 8 * 30


def has_gpu():
    try:
        open_device("gpu")
    except TengenError:
        return False
    return True


@pytest.mark.skipif(not has_gpu(), reason="no GPU")
def test_games_and_weights_on_a_gpu_are_those_of_the_cpu():
    """Exponentials may differ in the last bit, so weights may, too."""
    settings = TrainingSettings(size=5, komi=0.5, batch=64)
    learners = [BatchLearner(settings, random_weights(5), device) for device in ("cpu", "gpu")]
    assert learners[0].learn(64) == learners[1].learn(64)
    played = [boards_and_results(learner, 64) for learner in learners]
    assert played[0] == played[1]
    assert learners[0].classes.weights == pytest.approx(learners[1].classes.weights, abs=1e-6)


@pytest.mark.skipif(has_gpu(), reason="there is a GPU")
def test_without_a_gpu_one_sentence_says_what_is_missing(tmp_path):
    with pytest.raises(TengenError, match=r"^no CUDA device was found|^the package numba-cuda is not installed"):
        Training(SMALL, tmp_path / "a", device="gpu")


@pytest.mark.parametrize("size", [pytest.param(5, marks=pytest.mark.long), 9])
def test_the_kernels_compile_for_a_gpu(size):
    pytest.importorskip("numba.cuda.dispatcher")
    from tengen.jit import gpu

    learner = BatchLearner(
        TrainingSettings(size, batch=1), ShapeWeights(shape_set(size), np.zeros(shape_set(size).weights)), "cpu"
    )
    games, common = learner._games, learner._common
    assert ".entry" in gpu.ptx(clear_lesson, (games,))
    assert "atom.global.add.u64" in gpu.ptx(play_game, (games, common, np.uint64(1)))
    assert "atom.global.add.u64" in gpu.ptx(learn_game, (games, common))
    assert ".entry" in gpu.ptx(take_updates, (common, 1, 1.0))


def weights_after(path, games, settings=SMALL):
    Training(settings, path).run(games)
    return load_weights(path).weights


def test_a_resumed_training_by_batches_ends_with_the_same_weights_as_an_uninterrupted_one(tmp_path):
    def stop(training):
        if training.progress.games >= 1500:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Training(SMALL, tmp_path / "parts").run(3000, stop)
    assert 1500 <= load_weights(tmp_path / "parts").about["progress"]["games"] < 3000
    whole = weights_after(tmp_path / "whole", 3000)
    assert (weights_after(tmp_path / "parts", 3000) == whole).all()
    assert np.abs(whole).max() > 0.01


def test_a_training_continues_only_with_the_same_batch(tmp_path):
    Training(SMALL, tmp_path / "a").run(20)
    with pytest.raises(TengenError, match="is of a training with batch=100, not 0: choose another file"):
        Training(TrainingSettings(size=5, komi=0.5, seed=3), tmp_path / "a")


def test_a_file_without_a_batch_is_of_a_training_by_single_games(tmp_path):
    settings = TrainingSettings(size=5, komi=0.5)
    Training(settings, tmp_path / "a").run(20)
    made = load_weights(tmp_path / "a")
    earlier = {name: value for name, value in made.about["settings"].items() if name not in LATER_SETTINGS}
    ShapeWeights(made.shapes, made.weights, {**made.about, "settings": earlier}).save(tmp_path / "a")
    assert Training(settings, tmp_path / "a").progress.games == 20
    with pytest.raises(TengenError, match="is of a training with batch=0, not 200"):
        Training(TrainingSettings(size=5, komi=0.5, batch=200), tmp_path / "a")


def test_batches_learn_to_beat_random_moves_on_a_small_board(tmp_path):
    training = Training(SMALL, tmp_path / "a")
    training.run(6000)
    assert strength(training.learner.policy, SMALL, "uniform", 200, 1) > 0.9


@pytest.mark.parametrize("wrong", [{"update": "online"}, {"threads": 2}, {"workers": 2}])
def test_batches_need_updates_after_games_and_one_thread(wrong):
    with pytest.raises(TengenError, match="need update=episode, threads=1 and workers=1"):
        TrainingSettings(batch=100, **wrong)


def test_too_large_a_batch_is_refused(monkeypatch):
    monkeypatch.setattr("tengen.jit.devices.Processor.free_bytes", lambda self: 10**7)
    with pytest.raises(TengenError, match="use a smaller batch"):
        learner_of(random_weights(5), 10_000)
