"""Bridges to other libraries: environments of PettingZoo and Gymnasium, and bots and games of OpenSpiel.

Each module needs one optional package, and says so in one sentence if it is missing.
"""

from importlib import import_module
from typing import Any

from tengen.errors import TengenError


class MissingPackage(TengenError):
    """An optional package that is not installed."""


def require(module: str, extra: str) -> Any:
    """Import and return a module of an optional package. Raises MissingPackage, which names the extra to install."""
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise MissingPackage(f"{package} is not installed: pip install 'tengen[{extra}]'") from None
