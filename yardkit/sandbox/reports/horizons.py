"""Horizons: the length of tasks at which accuracy has fallen to a level, estimated on a measured curve.

The only assumption is that accuracy falls with length. The estimate is the point where the isotonic fit (the least
squares fit among all falling curves, by pooling adjacent violators: Ayer and others, 1955) crosses the level,
interpolated linearly over the logarithm of the length between two measured lengths. The interval reaches from the
longest measured length whose 95 % interval is above the level to the shortest one whose interval is below it, so it is
as coarse as the measured lengths.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

LEVELS = (0.5, 0.2)


class Measured(Protocol):
    """Runs of one length."""

    @property
    def at(self) -> float:
        """The length."""

    @property
    def runs(self) -> int:
        """The number of runs."""

    @property
    def accuracy(self) -> float:
        """The share of runs with the right answer."""

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of that share."""


@dataclass(frozen=True)
class Horizon:
    """The length at which accuracy has fallen to a level.

    Attributes:
        level: the accuracy.
        at: the length; None if it is outside the measured lengths.
        low: the longest measured length that is surely shorter; None if there is none.
        high: the shortest measured length that is surely longer; None if there is none.
        first, last: the shortest and the longest measured length.
        reached: whether accuracy falls to the level at all.
    """

    level: float
    at: float | None
    low: float | None
    high: float | None
    first: float
    last: float
    reached: bool

    @property
    def label(self) -> str:
        """The estimate in words."""
        if self.at is None:
            return f"below {self.first:g}" if self.reached else f"above {self.last:g}"
        return f"{self.at:.3g}" if self.at < 100 else f"{self.at:.0f}"

    @property
    def interval_label(self) -> str:
        """The interval in words."""
        if self.low is None and self.high is None:
            return "-"
        if self.low is None:
            return f"up to {self.high:g}"
        return f"from {self.low:g}" if self.high is None else f"{self.low:g} to {self.high:g}"


def horizons_of(points: Sequence[Measured], levels: Sequence[float] = LEVELS) -> tuple[Horizon, ...]:
    """Estimate the horizons of a curve; `points` are ordered from short to long."""
    return tuple(_estimate_horizon(points, level) for level in levels) if points else ()


def _estimate_horizon(points: Sequence[Measured], level: float) -> Horizon:
    low = max((point.at for point in points if point.interval[0] > level), default=None)
    high = min((point.at for point in points if point.interval[1] < level), default=None)
    if low is not None and high is not None and low > high:
        low = high = None  # the curve rises, so the bounds contradict each other
    fit = falling_fit([point.accuracy for point in points], [point.runs for point in points])
    crossing = _find_crossing([point.at for point in points], fit, level)
    if crossing is not None:
        crossing = round(min(max(crossing, low or crossing), high or crossing), 3)
    return Horizon(level, crossing, low, high, points[0].at, points[-1].at, reached=fit[-1] <= level)


def _find_crossing(lengths: Sequence[float], fit: Sequence[float], level: float) -> float | None:
    """Find where a falling curve crosses the level; None if that is not between its ends."""
    place = next((place for place, share in enumerate(fit) if share <= level), 0)
    if place == 0:
        return lengths[0] if fit[0] == level else None
    before, after = fit[place - 1], fit[place]
    way = (before - level) / (before - after)
    return float(lengths[place - 1] * (lengths[place] / lengths[place - 1]) ** way)


def falling_fit(shares: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Fit the falling sequence nearest to `shares` by weighted least squares."""
    blocks: list[tuple[float, float, int]] = []
    for share, weight in zip(shares, weights, strict=True):
        block = (share, float(weight), 1)
        while blocks and blocks[-1][0] < block[0]:
            mean, heavy, count = blocks.pop()
            total = heavy + block[1]
            block = ((mean * heavy + block[0] * block[1]) / total, total, count + block[2])
        blocks.append(block)
    return [mean for mean, _, count in blocks for _ in range(count)]
