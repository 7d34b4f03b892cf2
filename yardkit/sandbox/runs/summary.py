"""The figures of a run: pass rate and means with their confidence intervals, and invalid runs separately."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from yardkit.sandbox.agents import Stop, Usage
from yardkit.sandbox.runs.intervals import rate_interval
from yardkit.sandbox.runs.results import Result


@dataclass(frozen=True)
class Summary:
    """Figures over some results. Invalid runs are counted but left out of all figures that judge the agent.

    Attributes:
        runs: the number of all runs.
        passed, failed, open, invalid: how they ended.
        pass_rate: passed / valid; None if no run is valid.
        pass_rate_of_all: passed / runs: the lower bound, as if each invalid run were the agent's fault.
        interval: the 95 % Wilson score interval; several runs of one instance count less than as many instances.
        reward: mean over valid runs; None if there are none.
        calls, agent_seconds: mean over valid runs.
        usage: summed over all runs.
        crashes: the number of crashed calls in all runs, by tool.
        stops: the reasons of agents that stopped without claiming to be done, with counts.
        loops: the number of valid runs of tasks that require a look at the result.
        passed_loops, passed_unlooked: how many of them passed, and how many would without that requirement.
        failures: the number of their failures by class (`yardkit.sandbox.runs.closed_loops.FAILURES`).
        reviewed: the number of valid runs that were reviewed after a delivery.
        passed_first: how many of them passed before any feedback.
    """

    runs: int
    passed: int
    failed: int
    open: int
    invalid: int
    pass_rate: float | None
    pass_rate_of_all: float | None
    interval: tuple[float, float] | None
    reward: float | None
    calls: float
    agent_seconds: float
    usage: Usage
    crashes: Mapping[str, int] = field(default_factory=dict)
    stops: Mapping[Stop, int] = field(default_factory=dict)
    loops: int = 0
    passed_loops: int = 0
    passed_unlooked: int = 0
    failures: Mapping[str, int] = field(default_factory=dict)
    reviewed: int = 0
    passed_first: int = 0

    def as_dict(self) -> dict[str, Any]:
        """The figures as JSON values."""
        return {
            **self.__dict__,
            "usage": self.usage.__dict__,
            "crashes": dict(self.crashes),
            "stops": dict(self.stops),
        } | {"failures": dict(self.failures)}


def summarize_results(results: Sequence[Result]) -> Summary:
    """Compute the figures of `results`."""
    states = [result.state for result in results]
    valid = [result for result in results if result.valid]
    passed = states.count("passed")
    loops = [result for result in valid if result.passed_unlooked is not None]
    reviewed = [result for result in valid if result.deliveries]
    return Summary(
        runs=len(results),
        passed=passed,
        failed=states.count("failed"),
        open=states.count("open"),
        invalid=states.count("invalid"),
        pass_rate=round(passed / len(valid), 6) if valid else None,
        pass_rate_of_all=round(passed / len(results), 6) if results else None,
        interval=_pass_interval(valid) if valid else None,
        reward=round(fmean(result.reward for result in valid), 6) if valid else None,
        calls=round(fmean(result.calls for result in valid), 1) if valid else 0.0,
        agent_seconds=round(fmean(result.agent_seconds for result in valid), 2) if valid else 0.0,
        usage=sum((result.usage for result in results), Usage()),
        crashes=Counter(crash.rpartition(" ")[2] for result in results for crash in result.crashes),
        stops=Counter(result.stop for result in results if result.stop != "done"),
        loops=len(loops),
        passed_loops=sum(1 for result in loops if result.passed),
        passed_unlooked=sum(1 for result in loops if result.passed_unlooked),
        failures=Counter(result.failure for result in valid if result.failure),
        reviewed=len(reviewed),
        passed_first=sum(bool(result.deliveries[0]["passed"]) for result in reviewed),
    )


def _pass_interval(valid: Sequence[Result]) -> tuple[float, float]:
    return rate_interval([[result.state == "passed" for result in some] for some in by_instance(valid)])


def by_instance(results: Iterable[Result]) -> list[list[Result]]:
    """Group the results by task and seed."""
    results_by_instance: dict[tuple[str, int], list[Result]] = {}
    for result in results:
        results_by_instance.setdefault((result.task, result.seed), []).append(result)
    return list(results_by_instance.values())


def exit_code(results: Sequence[Result]) -> int:
    """0 all passed, 1 some did not, 3 a run was invalid through our own fault."""
    if any(not result.valid for result in results):
        return 3
    return 0 if all(result.passed for result in results) else 1


def verdict_sentence(total: Summary) -> str:
    """Describe the pass rate with its interval, the rate if invalid runs count as failed, early stops, and crashes."""
    unjudged = f"; {total.open} open, as they need a judge" if total.open else ""
    describe = (_describe_unlooked, _describe_first_passes, _left_out, _describe_stops, _describe_crashes)
    more = unjudged + "".join(describer(total) for describer in describe)
    if total.pass_rate is None or total.interval is None:
        return f"no valid run{more}"
    low, high = total.interval
    return (
        f"{total.passed} of {total.runs - total.invalid} passed: {100 * total.pass_rate:.1f} % "
        f"(95 % interval {100 * low:.1f} to {100 * high:.1f} %), mean reward {total.reward:.3f}{more}"
    )


def _describe_unlooked(total: Summary) -> str:
    more = total.passed_unlooked - total.passed_loops
    return f"; {more} more if it is ignored whether the agent looked at its result" if more else ""


def _describe_first_passes(total: Summary) -> str:
    return f"; {total.passed_first} passed before any feedback" if total.reviewed else ""


def _left_out(total: Summary) -> str:
    if not total.invalid or total.pass_rate_of_all is None:
        return ""
    rate = f"{100 * total.pass_rate_of_all:.1f} %"
    return f"; {total.invalid} invalid through no fault of the agent, left out ({rate} if they count as not passed)"


def _describe_stops(total: Summary) -> str:
    """Describe early stops, except of runs that are already listed as invalid because of the model's service."""
    stops = ", ".join(f"{count} {stop}" for stop, count in sorted(total.stops.items()) if stop != "service_invalid")
    return f"; stopped before they were finished: {stops}" if stops else ""


def _describe_crashes(total: Summary) -> str:
    count = sum(total.crashes.values())
    tools = ", ".join(f"{tool} {times}" for tool, times in sorted(total.crashes.items()))
    return f"; {count} {'call' if count == 1 else 'calls'} crashed ({tools})" if count else ""
