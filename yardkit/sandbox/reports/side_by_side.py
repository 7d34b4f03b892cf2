"""Several runs side by side: models, harnesses or settings on the same instances."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean
from typing import Any

from yardkit.sandbox.reports.breakdowns import Third, break_down, by_turns
from yardkit.sandbox.reports.collect import RunReport
from yardkit.sandbox.reports.deliveries import Delivered, deliveries_of
from yardkit.sandbox.reports.health import CallHealth, health_of, stages_of
from yardkit.sandbox.runs.intervals import Interval, difference_interval
from yardkit.sandbox.runs.repeats import Repeats, passes_of, repeats_of
from yardkit.sandbox.runs.results import Result
from yardkit.sandbox.runs.summary import Summary, summarize_results
from yardkit.world import Problem
from yardkit.world.wording import format_count


@dataclass(frozen=True)
class Paired:
    """One run compared with the first, on the instances for which both have a valid run.

    Attributes:
        instances: the number of instances.
        difference: the difference of the pass rates, positive if this run passes more often.
        interval: its 95 % interval, from the differences per instance; None for fewer than two.
        better, worse: the number of instances on which it passes more or less often.
    """

    instances: int
    difference: float | None
    interval: Interval | None
    better: int
    worse: int


@dataclass(frozen=True)
class Column:
    """One run.

    Attributes:
        name: unique among the columns.
        about: the agent, seeds and settings.
        turns: the mean number of the model's answers in a run; None if unknown.
        paired: the comparison with the first run; None for the first.
        stages: the number of valid runs that failed at each of `yardkit.sandbox.runs.stages.STAGES`.
        deliveries: the figures after each delivery of a run with feedback.
    """

    name: str
    about: str
    summary: Summary
    repeats: Repeats | None
    turns: float | None
    health: CallHealth
    paired: Paired | None
    by_task: Mapping[str, Summary] = field(repr=False)
    by_profile: Mapping[str, Mapping[str, Summary]] = field(repr=False)
    by_turns: Mapping[str, Third] = field(repr=False)
    stages: Mapping[str, int] = field(repr=False)
    deliveries: Sequence[Delivered] = field(repr=False)

    def as_dict(self) -> dict[str, Any]:
        """The column as JSON values."""
        return {
            "name": self.name,
            "about": self.about,
            "summary": self.summary.as_dict(),
            "repeats": self.repeats.as_dict() if self.repeats else None,
            "turns": self.turns,
            "health": self.health.as_dict(),
            "paired": asdict(self.paired) if self.paired else None,
            "by_task": {task: summary.as_dict() for task, summary in self.by_task.items()},
            "by_profile": {
                aspect: {word: summary.as_dict() for word, summary in summaries.items()}
                for aspect, summaries in self.by_profile.items()
            },
            "by_turns": {name: third.as_dict() for name, third in self.by_turns.items()},
            "stages": dict(self.stages),
            "deliveries": [delivery.as_dict() for delivery in self.deliveries],
        }


def columns_of(reports: Sequence[RunReport]) -> list[Column]:
    """Make the columns in the order of the runs; each is compared with the first.

    Raises:
        Problem: they have no instance in common.
    """
    names = _list_names(reports)
    instances = [{(result.task, result.seed) for result in report.results} for report in reports]
    if len(reports) > 1 and not set.intersection(*instances):
        raise Problem("the runs have no task and seed in common; compare runs of the same tasks with the same seeds")
    first = reports[0].results
    # One k for all runs, since more tries pass more often.
    k = min((len(runs) for report in reports for runs in passes_of(report.results).values()), default=1)
    return [
        Column(
            name,
            _describe_run(report),
            report.summary,
            repeats_of(report.results, k),
            _compute_mean_turns(report.results),
            health_of(report),
            _compare_paired(first, report.results) if number else None,
            {task: summarize_results(results) for task, results in report.tasks()},
            break_down(report.results),
            by_turns(report.results),
            stages_of(report),
            deliveries_of(report.results),
        )
        for number, (name, report) in enumerate(zip(names, reports, strict=True))
    ]


def _list_names(reports: Sequence[RunReport]) -> list[str]:
    """Name the runs by agent, with the run's folder if two are the same, and a number if that is still ambiguous."""
    agents = [report.plan.agent.partition("\n")[0][:60] for report in reports]
    folders = [report.directory.absolute().name for report in reports]
    named = [
        agent if agents.count(agent) == 1 else f"{agent} ({folder})"
        for agent, folder in zip(agents, folders, strict=True)
    ]
    return [name if named.count(name) == 1 else f"{name} {at}" for at, name in enumerate(named, 1)]


def _describe_run(report: RunReport) -> str:
    plan = report.plan
    settings = [f"{name} {value}" for name, value in plan.as_dict()["settings"].items()]
    counts = (
        f"{format_count(len(plan.tasks), 'task')}, {format_count(len(plan.seeds), 'seed')},"
        f" {format_count(plan.repeats, 'run')} of each"
    )
    extra = [f"{plan.extra_servers} extra servers"] if plan.extra_servers else []
    extra += [f"feedback {plan.feedback}, up to {plan.attempts} deliveries"] if plan.attempts > 1 else []
    return ", ".join([counts, *settings, *extra, f"in {report.directory.name}"])


def _compute_mean_turns(results: Sequence[Result]) -> float | None:
    turns = [result.usage.turns for result in results if result.valid and result.usage.turns]
    return round(fmean(turns), 1) if turns else None


def _compute_mean(values: Sequence[float]) -> float | None:
    return round(fmean(values), 6) if values else None


def _compare_paired(first: Sequence[Result], second: Sequence[Result]) -> Paired:
    first_rates, other = _compute_rates(first), _compute_rates(second)
    differences = [other[key] - first_rates[key] for key in first_rates if key in other]
    return Paired(
        len(differences),
        _compute_mean(differences),
        difference_interval(differences),
        sum(1 for difference in differences if difference > 0),
        sum(1 for difference in differences if difference < 0),
    )


def _compute_rates(results: Sequence[Result]) -> dict[tuple[str, int], float]:
    """Compute the pass rate of each task and seed."""
    return {key: fmean(runs) for key, runs in passes_of(results).items()}
