"""Short forms for parts of your own: one decorated function is a tree policy, a playout policy or a prior.

    @tengen.tree_policy("ucb-v", exploration=1.0)
    def ucb_v(policy, node, visits, wins, rave_visits, rave_wins):
        q = wins / visits
        return q + policy.exploration * math.sqrt(q * (1.0 - q) * node.log_total / visits)

The function is compiled. The numbers given to the decorator are the options of the part with their defaults, and fields
of the function's first argument. The first line of its docstring is the meaning of the part in help texts.
"""

import dis
import math
from collections.abc import Callable
from dataclasses import fields, make_dataclass
from typing import Any, TypeVar

import numpy as np

from tengen import jit
from tengen.errors import TengenError
from tengen.games.game import Game
from tengen.options import NoOptions, option, record_fields
from tengen.policies.expectation import PRIOR_FIELDS, PriorOptions, expect
from tengen.policies.playout import pick
from tengen.registry import PLAYOUT_POLICY, PRIOR, TREE_POLICY, Needs, register
from tengen.search.tree_policies import formula

Function = TypeVar("Function", bound=Callable[..., Any])


def tree_policy(
    name: str, *, rave: bool | None = None, first_play: float = math.inf, **numbers: float
) -> Callable[[Function], Function]:
    """Register a function (policy, node, visits, wins, rave_visits, rave_wins) -> value as a tree policy.

    `node` has `total`, `log_total`, `mean` and `rave_total`. The function is called for moves with statistics; a move
    without is worth `first_play`, an option too. With `rave`, nodes have RAVE statistics; by default, if the function
    reads them.
    """

    def decorate(function: Function) -> Function:
        needs_rave = _reads(function, "rave_visits", "rave_wins") if rave is None else rave
        options = _options_of(name, NoOptions, {"first_play": first_play, **numbers})
        kind = jit.record(_identifier(name), record_fields(options, np.float32), _file_of(function))
        formula.implement(kind)(jit.kernel(inline=True)(function))
        _register(TREE_POLICY, name, function, options=options, record=kind, needs=Needs(rave=needs_rave))
        return function

    return decorate


def playout_policy(
    name: str, *, game: str = "", tactical: bool = False, **numbers: float
) -> Callable[[Function], Function]:
    """Register a function (policy, state, rng) -> move, which must be legal, as a playout policy.

    `game` is the game that it is made for, if any. With `tactical`, states are of the game's tactical record.
    """

    def decorate(function: Function) -> Function:
        options = _options_of(name, NoOptions, numbers)
        kind = jit.record(_identifier(name), [("move_slots", np.int64), *record_fields(options)], _file_of(function))
        pick.implement(kind)(jit.kernel(inline=True)(function))

        def made(options: Any, game: Game) -> Any:
            return jit.record_of(kind, move_slots=game.move_slots, **vars(options))

        _register(
            PLAYOUT_POLICY, name, function, options=options, record=made, game=game, needs=Needs(tactical=tactical)
        )
        return function

    return decorate


def prior(
    name: str, *, game: str = "", tactical: bool = False, scratch_states: int = 0, **numbers: float
) -> Callable[[Function], Function]:
    """Register a function (prior, scratch, state, move) -> (value, experience) as a prior.

    The value is that of the move for the side to move, the experience a multiple of the option `prior_weight`.
    `scratch` is a `PriorScratch`.
    """

    def decorate(function: Function) -> Function:
        own = _options_of(name, NoOptions, numbers)
        options = _options_of(name, PriorOptions, numbers)
        kind = jit.record(_identifier(name), [*PRIOR_FIELDS, *record_fields(own)], _file_of(function))
        expect.implement(kind)(jit.kernel(inline=True)(function))
        needs = Needs(tactical=tactical, scratch_states=scratch_states)
        _register(PRIOR, name, function, options=options, record=kind, game=game, needs=needs)
        return function

    return decorate


def _register(kind: str, name: str, function: Callable[..., Any], **about: Any) -> None:
    meaning = (function.__doc__ or "").strip().partition("\n")[0]
    register(kind, name, meaning, source=_file_of(function), **about)


def _file_of(function: Any) -> str:
    return str(function.__code__.co_filename)


def _identifier(name: str) -> str:
    return "part_" + "".join(letter if letter.isalnum() else "_" for letter in name)


def _options_of(name: str, base: type, numbers: dict[str, float]) -> type:
    """Return a dataclass with an option for each number: a truth value, an integer or a float by its default."""
    inherited = {entry.name for entry in fields(base)}
    for key, value in numbers.items():
        if not isinstance(value, bool | int | float):
            raise TengenError(f"the option {key} of {name} is {value!r}, not a number")
        if key in inherited:
            raise TengenError(f"the option {key} of {name} has the name of an option that it has already")
    options = [(key, type(value), option(value, f"option of {name}")) for key, value in numbers.items()]
    return make_dataclass(f"{_identifier(name)}_options", options, bases=(base,), frozen=True)


def _reads(function: Callable[..., Any], *names: str) -> bool:
    """Whether a function uses one of its arguments."""
    return any(instruction.argval in names for instruction in dis.get_instructions(function))
