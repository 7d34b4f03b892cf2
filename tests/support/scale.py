"""How much a run tries: a part of all there is in ``make test``, all of it in ``make everything``."""

EVERYTHING = False
"""Set by tests/conftest.py before any test is imported."""


def tries(everything: int, part: int) -> int:
    """How many of `everything` are tried in this run: a `part`, or all."""
    return everything if EVERYTHING else part
