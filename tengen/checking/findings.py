"""The findings of checks: whether each was passed, and if not, what is wrong and where."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tengen.errors import TengenError
from tengen.plugins import fault_in_plugin


@dataclass(frozen=True)
class Finding:
    """The result of one check."""

    check: str
    problem: str = ""
    """What is wrong; empty if the check was passed."""
    moves: tuple[str, ...] = ()
    """The moves from the start of the game to the position with the problem."""

    @property
    def is_ok(self) -> bool:
        return not self.problem

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "ok": self.is_ok}


class Failed(Exception):
    """A check was not passed; its text says why."""


def require(condition: Any, problem: str) -> None:
    """Raise Failed unless a condition holds."""
    if not condition:
        raise Failed(problem)


def described(error: Exception) -> str:
    """Return one sentence about an exception: a failed check, a mistake, or any error of a user's code."""
    if isinstance(error, Failed | TengenError):
        return str(error)
    first_line = str(error).strip().partition("\n")[0]
    return fault_in_plugin(error) or f"{type(error).__name__}: {first_line}"


class Findings:
    """The first problem of each check, in the order in which the checks were first made."""

    def __init__(self) -> None:
        self._found: dict[str, Finding] = {}

    def check(self, name: str, test: Callable[[], object], moves: Callable[[], Sequence[str]] = tuple) -> bool:
        """Make a check, unless it has failed before; return whether it is passed so far."""
        known = self._found.setdefault(name, Finding(name))
        if known.is_ok:
            try:
                test()
            except Exception as error:  # a user's code may raise anything
                self.fail(name, error, moves())
        return self._found[name].is_ok

    def fail(self, name: str, error: Exception, moves: Sequence[str] = ()) -> None:
        """Enter a check that has failed."""
        self._found[name] = Finding(name, described(error), tuple(moves))

    def all(self) -> list[Finding]:
        return list(self._found.values())
