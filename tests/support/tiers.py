"""What a test may cost: seconds of ours and of the programs that it starts, on a machine that may be busy."""

import os
import time
from dataclasses import dataclass

import pytest

LIMIT_S = 5
"""Of a test that is no drill."""
DRILL_TIMEOUT_S = 300
_WAITING = 3
"""How much longer than its work a test takes beside others."""
_SLOWED = 2
"""How much more time the same work takes on a machine whose processors others use too."""


@dataclass(frozen=True)
class Moment:
    """What the clocks of this process say."""

    wall: float
    cpu: float

    @classmethod
    def now(cls) -> "Moment":
        return cls(time.perf_counter(), sum(os.times()[:4]))

    def seconds_since(self) -> float:
        """The time at work, and at least a third of the time that has passed: who waits costs too.

        At most the time that has passed, since a program that has run through many tests is charged to the one in
        which it ends.
        """
        now = Moment.now()
        wall = now.wall - self.wall
        return min(wall, max(now.cpu - self.cpu, wall / _WAITING))


def is_drill(item: pytest.Item) -> bool:
    """Whether a test runs in ``make everything`` only."""
    return item.get_closest_marker("drill") is not None


def too_long(seconds: float) -> str:
    """What is wrong with a test that takes this long; empty where nothing is."""
    if seconds <= LIMIT_S * _SLOWED:
        return ""
    return (
        f"this test takes {seconds:.1f} s, and {LIMIT_S} s is the most in `make test`; "
        "try less of it (support/scale.py), or mark it `drill` to run it in `make everything` only"
    )
