"""Horizons against theory: how many intervals hold the length at which (1 - p)^N is 50 and 20 %, and what is estimated.

    .venv/bin/python bench/horizons.py [--curves 2000]

Nothing is run: the results of agents that get each operation wrong with probability p are drawn.
"""

import argparse
import itertools
import random
from dataclasses import dataclass
from math import log
from statistics import fmean

from yardkit.sandbox.reports.horizons import LEVELS, horizons_of
from yardkit.sandbox.runs.intervals import Interval, wilson_interval

LENGTHS = [2**power for power in range(9)]
RATES, RUNS = (0.02, 0.05, 0.1, 0.15), (20, 40)


@dataclass(frozen=True)
class Point:
    """Runs of one length."""

    at: float
    runs: int
    accuracy: float
    interval: Interval


def drawn_curve(rate: float, runs: int, rng: random.Random) -> list[Point]:
    """What so many runs of each length may come to."""
    counts = {ops: sum(rng.random() < (1 - rate) ** ops for _ in range(runs)) for ops in LENGTHS}
    return [Point(ops, runs, right / runs, wilson_interval(right, runs)) for ops, right in counts.items()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--curves", type=int, default=2000, help="of each kind (default %(default)s)")
    curves = parser.parse_args().curves
    rng = random.Random(1)
    for rate, runs, (place, level) in itertools.product(RATES, RUNS, enumerate(LEVELS)):
        expected = log(level) / log(1 - rate)
        horizons = [horizons_of(drawn_curve(rate, runs, rng))[place] for _ in range(curves)]
        coverage = (
            sum((horizon.low or 0) <= expected <= (horizon.high or float("inf")) for horizon in horizons) / curves
        )
        mean = fmean(horizon.at or horizon.last for horizon in horizons)
        print(
            f"p = {rate:g}, {runs} runs, {level:.0%}: {expected:5.1f} by theory, "
            f"{mean:5.1f} estimated, {coverage:6.1%} of intervals hold it"
        )


if __name__ == "__main__":
    main()
