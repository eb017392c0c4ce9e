"""Marks that several test files share."""

from typing import Any

import pytest


def first_quick(count: int) -> list[Any]:
    """The numbers from 0 to `count` - 1 as parameters of a test, all but the first marked `long`."""
    return [0, *(pytest.param(number, marks=pytest.mark.long) for number in range(1, count))]
