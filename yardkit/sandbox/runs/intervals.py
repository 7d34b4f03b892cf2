"""95 % intervals of rates and means over instances that may have been run several times.

Runs of one instance resemble each other, so they count as fewer independent runs. Instances are the clusters of a
cluster sample (Kish, Survey Sampling, 1965; for evaluations of models: Miller, Adding Error Bars to Evals, 2024).
"""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev

Interval = tuple[float, float]
_Z95 = 1.959964
"""The 97.5 % point of the normal distribution: two-sided 95 %."""
_T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
"""Those of Student's distribution with 1 to 10 degrees of freedom."""


def rate_interval(instances: Sequence[Sequence[bool]]) -> Interval:
    """The interval of the share of runs that are true: the score interval for the effective number of independent runs.

    `instances` has the runs of each instance; for a single instance the interval is about its runs.
    """
    groups = _make_clusters(instances)
    runs = [float(run) for group in groups for run in group]
    trials = len(runs) / _design_effect(groups)
    return wilson_interval(fmean(runs) * trials, trials)


def mean_interval(instances: Sequence[Sequence[float]]) -> Interval | None:
    """The interval of the mean of values in [0, 1] (Student, 1908), cut to [0, 1]; None for fewer than two runs."""
    groups = _make_clusters(instances)
    if len(groups) < 2:
        return None
    mean = fmean(value for group in groups for value in group)
    half = _compute_t95(len(groups) - 1) * sqrt(_compute_variance(groups))
    return round(max(0.0, mean - half), 6), round(min(1.0, mean + half), 6)


def difference_interval(differences: Sequence[float]) -> Interval | None:
    """The interval of the mean of paired differences in [-1, 1] (Student, 1908); None for fewer than two instances."""
    if len(differences) < 2:
        return None
    mean, half = fmean(differences), _compute_t95(len(differences) - 1) * stdev(differences) / sqrt(len(differences))
    return round(max(-1.0, mean - half), 6), round(min(1.0, mean + half), 6)


def wilson_interval(successes: float, trials: float) -> Interval:
    """The 95 % score interval of a proportion (Wilson, 1927); both ends in [0, 1]."""
    rate, spread = successes / trials, _Z95**2 / trials
    centre = (rate + spread / 2) / (1 + spread)
    half = _Z95 / (1 + spread) * sqrt(rate * (1 - rate) / trials + spread / (4 * trials))
    return round(max(0.0, centre - half), 6), round(min(1.0, centre + half), 6)


def _make_clusters(instances: Sequence[Sequence[float]]) -> list[Sequence[float]]:
    run_groups = [list(runs) for runs in instances if runs]
    return [[run] for run in run_groups[0]] if len(run_groups) == 1 else list(run_groups)


def _compute_variance(groups: Sequence[Sequence[float]]) -> float:
    """The variance of the mean over all runs, from the deviations of the groups' sums from their expectations."""
    count = sum(map(len, groups))
    mean = sum(map(sum, groups)) / count
    squared_deviations = sum((sum(group) - mean * len(group)) ** 2 for group in groups)
    return len(groups) / (len(groups) - 1) * squared_deviations / count**2


def _design_effect(groups: Sequence[Sequence[float]]) -> float:
    """The factor by which the variance exceeds that of as many independent runs; at least 1.

    It is at most the mean size of a run's group, reached when all runs of a group have the same result. It is also that
    value if all runs have the same result, as nothing then shows how much groups differ.
    """
    runs = [run for group in groups for run in group]
    most = sum(len(group) ** 2 for group in groups) / len(runs)
    independent = _compute_variance([[run] for run in runs]) if len(runs) > 1 else 0.0
    return min(most, max(1.0, _compute_variance(groups) / independent)) if independent else most


def _compute_t95(freedom: int) -> float:
    """The 97.5 % point of Student's distribution, to 0.002 above 10 degrees of freedom (Abramowitz, 26.7.5)."""
    if freedom <= len(_T95):
        return _T95[freedom - 1]
    z = _Z95
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
