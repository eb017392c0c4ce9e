"""The default policies by the names that players give them."""

from typing import Any

from tengen.jit import record_of
from tengen.policies.uniform import UNIFORM

POLICIES = {"uniform": UNIFORM}


def policy_record(name: str) -> Any:
    """The record that chooses a policy's playouts."""
    return record_of(POLICIES[name])
