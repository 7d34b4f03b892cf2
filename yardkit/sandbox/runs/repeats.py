"""Figures of repeated runs: how often an agent passes at least once in k tries, and in all k."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import comb
from statistics import fmean, stdev
from typing import Any

from yardkit.sandbox.runs.results import Result


@dataclass(frozen=True)
class Repeats:
    """Figures over instances that were each run at least `runs` times; invalid runs are left out.

    Attributes:
        runs: k, at most the smallest number of valid runs of an instance.
        instances: the number of instances with a valid run.
        pass_at_1: the mean share of passes.
        deviation: standard deviation of the pass rate between rounds of runs; None for fewer than two.
        pass_at_k: the chance that at least one of k runs passes (Chen et al., Evaluating Large Language Models Trained
            on Code, 2021).
        pass_hat_k: the chance that all k pass (Yao et al., tau-bench, 2024).
    """

    runs: int
    instances: int
    pass_at_1: float
    deviation: float | None
    pass_at_k: float
    pass_hat_k: float

    def as_dict(self) -> dict[str, Any]:
        """The figures as JSON values."""
        return asdict(self)


def passes_of(results: Sequence[Result]) -> dict[tuple[str, int], list[bool]]:
    """List, for each task and seed, whether its valid runs passed."""
    groups: dict[tuple[str, int], list[bool]] = {}
    for result in results:
        if result.valid:
            groups.setdefault((result.task, result.seed), []).append(bool(result.passed))
    return groups


def repeats_of(results: Sequence[Result], most: int | None = None) -> Repeats | None:
    """Compute the figures of `results`, with a k of at most `most`; None if no run is valid."""
    instances = list(passes_of(results).values())
    if not instances:
        return None
    fewest = min(map(len, instances))
    k = fewest if most is None else min(fewest, most)
    return Repeats(
        k,
        len(instances),
        _mean_rounded(compute_all_true_chance(runs, 1) for runs in instances),
        _compute_deviation(results),
        _mean_rounded(1 - compute_all_true_chance([not run for run in runs], k) for runs in instances),
        _mean_rounded(compute_all_true_chance(runs, k) for runs in instances),
    )


def compute_all_true_chance(runs: Sequence[bool], k: int) -> float:
    """The probability that k of these runs, drawn without replacement, are all true."""
    return comb(sum(runs), k) / comb(len(runs), k)


def _mean_rounded(values: Any) -> float:
    return round(fmean(values), 6)


def _compute_deviation(results: Sequence[Result]) -> float | None:
    rounds: dict[int, list[bool]] = {}
    for result in results:
        if result.valid:
            rounds.setdefault(result.repeat, []).append(bool(result.passed))
    rates = [fmean(runs) for runs in rounds.values()]
    return round(stdev(rates), 6) if len(rates) > 1 else None
