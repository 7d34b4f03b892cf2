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
    """One run against the first, on the instances that both have with a valid run.

    Attributes:
        instances: how many.
        difference: of the pass rates, positive where this one passes more.
        interval: its 95 % interval, by the differences of the instances; None for fewer than two.
        better, worse: instances on which it passes more or less often.
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
        name: unlike that of the others.
        about: agent, seeds and settings.
        turns: mean answers of the model in a run; None where they are not known.
        paired: against the first run; None for the first.
        stages: how many valid runs failed at each of `yardkit.sandbox.runs.stages.STAGES`.
        deliveries: figures after each delivery, of a run with feedback.
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
        """Plain JSON."""
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
    """The runs in their order; each after the first is compared with it.

    Raises:
        Problem: they have no instance in common.
    """
    names = _list_names(reports)
    instances = [{(result.task, result.seed) for result in report.results} for report in reports]
    if len(reports) > 1 and not set.intersection(*instances):
        raise Problem("the runs have no task and seed in common; compare runs of the same tasks with the same seeds")
    first = reports[0].results
    # One k for all, since more tries pass more often.
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
    """The agents, with the folders of their runs where two are the same, and numbers where that does not help."""
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
    """The share of passes of each task and seed."""
    return {key: fmean(runs) for key, runs in passes_of(results).items()}
