"""How much a run tries: a part of all there is in ``make test``, all of it in ``make everything``."""

from typing import Any

import pytest

EVERYTHING = False
"""Set by tests/conftest.py before any test is imported."""


def count_tries(everything: int, part: int) -> int:
    """How many of `everything` are tried in this run: a `part`, or all."""
    return everything if EVERYTHING else part


def select_drills(*values: Any) -> list[Any]:
    """Values of a parameter, or tuples of several, tried with everything only; others stand for them in every run."""
    return [
        pytest.param(*(value if isinstance(value, tuple) else [value]), marks=pytest.mark.drill) for value in values
    ]
