"""How much a test tries: a part of all there is in every run, all of it in ``make thorough``."""

import os

THOROUGH = os.environ.get("TOOLYARD_THOROUGH", "0") != "0"


def tries(everything: int, part: int) -> int:
    """How many of `everything` are tried in this run: a `part`, or all."""
    return everything if THOROUGH else part
