"""Work of learning by batches of games at once, for rows of measurements on a GPU."""

from collections.abc import Callable

from tengen.games.go.game import Go
from tengen.learning.batch_learner import BatchLearner
from tengen.learning.training_settings import TrainingSettings
from tengen.policies.go.shape_weights import weights_for


def batch_learning_work(size: int, batch: int, device: str = "gpu") -> Callable[[int], tuple[float, int]]:
    """Return work of self-play games with learning, `batch` at once, starting from the package's weights.

    It returns what `BatchLearner.learn` does; all kernels are compiled. A number of games that is no multiple of the
    batch ends in a smaller one, which takes as long.
    """
    learner = BatchLearner(TrainingSettings(size, batch=batch), weights_for("", Go(size)), device)
    learner.learn(0)
    return learner.learn
