"""Drawing of learning curves by the commands of `tengen train`."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from tengen.errors import TengenError
from tengen.progress import say

T = TypeVar("T")


def draw_curve(training: T, plot_curve: Callable[[T, Path], None], path: Path) -> None:
    """Draw the learning curve; a failure is reported but does not fail the command, as the training is saved."""
    try:
        plot_curve(training, path)
    except TengenError as error:
        say(f"tengen: the learning curve was not drawn: {error}")
