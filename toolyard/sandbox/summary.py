"""The figures of a run: pass rate and means with their confidence intervals, invalid runs apart."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from toolyard.sandbox.agents import Usage
from toolyard.sandbox.attempts import Result

_Z95 = 1.959964
"""The 97.5 % point of the normal distribution: two-sided 95 %."""
_T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
"""Those of Student's distribution with 1 to 10 degrees of freedom."""


@dataclass(frozen=True)
class Summary:
    """Figures over some results. Invalid runs are counted and left out of everything that judges the agent.

    Attributes:
        runs: all of them.
        passed, failed, open, invalid: how they ended.
        pass_rate: passed / valid; None where no run is valid.
        interval: its 95 % Wilson score interval.
        reward: mean over valid runs; None where there is none.
        calls, agent_seconds: mean over valid runs.
        usage: summed over all runs.
    """

    runs: int
    passed: int
    failed: int
    open: int
    invalid: int
    pass_rate: float | None
    interval: tuple[float, float] | None
    reward: float | None
    calls: float
    agent_seconds: float
    usage: Usage

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        return {**self.__dict__, "usage": self.usage.__dict__}


def summarize(results: Sequence[Result]) -> Summary:
    """The figures of `results`."""
    states = [result.state for result in results]
    valid = [result for result in results if result.valid]
    passed = states.count("passed")
    return Summary(
        runs=len(results),
        passed=passed,
        failed=states.count("failed"),
        open=states.count("open"),
        invalid=states.count("invalid"),
        pass_rate=round(passed / len(valid), 6) if valid else None,
        interval=wilson_interval(passed, len(valid)) if valid else None,
        reward=round(fmean(result.reward for result in valid), 6) if valid else None,
        calls=round(fmean(result.calls for result in valid), 1) if valid else 0.0,
        agent_seconds=round(fmean(result.agent_seconds for result in valid), 2) if valid else 0.0,
        usage=sum((result.usage for result in results), Usage()),
    )


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """The 95 % score interval of a proportion (Wilson, 1927); both ends in [0, 1]."""
    rate, spread = successes / trials, _Z95**2 / trials
    centre = (rate + spread / 2) / (1 + spread)
    half = _Z95 / (1 + spread) * sqrt(rate * (1 - rate) / trials + spread / (4 * trials))
    return round(max(0.0, centre - half), 6), round(min(1.0, centre + half), 6)


def mean_interval(shares: Sequence[float]) -> tuple[float, float] | None:
    """The 95 % interval of the mean of values in [0, 1] (Student, 1908), cut to [0, 1]; None for fewer than two."""
    if len(shares) < 2:
        return None
    mean, half = fmean(shares), _t95(len(shares) - 1) * stdev(shares) / sqrt(len(shares))
    return round(max(0.0, mean - half), 6), round(min(1.0, mean + half), 6)


def _t95(freedom: int) -> float:
    """The 97.5 % point of Student's distribution; above 10 degrees of freedom to 0.002 (Abramowitz, 26.7.5)."""
    if freedom <= len(_T95):
        return _T95[freedom - 1]
    z = _Z95
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def exit_code(results: Sequence[Result]) -> int:
    """0 all passed, 1 some did not, 3 a run was invalid through our own fault."""
    if any(not result.valid for result in results):
        return 3
    return 0 if all(result.passed for result in results) else 1
