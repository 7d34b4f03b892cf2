"""Runs of our own suites as work on GTA-2, whose trees of checkpoints have the same form."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from yardkit.benchmarks.gta.report.works import Leaf, Work
from yardkit.benchmarks.gta.running.episode_steps import steps_of
from yardkit.benchmarks.gta.running.exporting import offered_tools
from yardkit.benchmarks.gta.sets.atomic import Sample
from yardkit.benchmarks.gta.sets.predictions import Predicted, predicted_of
from yardkit.benchmarks.gta.sets.records import Record
from yardkit.sandbox.reports.collect import RunDetails, RunReport, leaves_of
from yardkit.sandbox.runs.run_directory import RunDirectory
from yardkit.sandbox.runs.stages import UNDELIVERED
from yardkit.sandbox.tasks.seeding import seed_task
from yardkit.sandbox.tasks.suites import find_task
from yardkit.world import Problem, skip_syncing

SUITE = "gta"
"""The suite whose facts say what a task is in the words of GTA."""


def episodes_of(path: Path) -> dict[str, Path]:
    """List the folders of a run's valid episodes by prompt; of repeats, only the first.

    Raises:
        Problem: there is no run.
    """
    episodes_by_query: dict[str, Path] = {}
    for run in RunReport.read_run(RunDirectory(path)).runs():
        if run.result.valid and run.result.episode:
            episodes_by_query.setdefault(run.prompt, run.folder)
    return episodes_by_query


def predictions_of(path: Path, samples: Sequence[Sample]) -> dict[str, list[Predicted]]:
    """Read a run of the suite `gta` as predictions for the samples of the set that `yardkit gta export` made of it.

    A sample without a run has no steps and counts as not attempted.

    Raises:
        Problem: there is no run, or it has none of these tasks with this seed.
    """
    episodes = episodes_of(path)
    if not any(sample.query in episodes for sample in samples):
        raise Problem(
            f"{path.name!r} holds a run of none of the {len(samples)} samples; export the set with the seed of the run"
        )
    return {sample.id: _read_predicted(sample, episodes.get(sample.query)) for sample in samples}


def _read_predicted(sample: Sample, episode: Path | None) -> list[Predicted]:
    if episode is None:
        return []
    steps = predicted_of(Record.make_record(episode.name, {"prediction": [steps_of(episode)]}))
    return [replace(step, arguments=_rename_paths(step.arguments or {}, sample)) for step in steps]


def _rename_paths(arguments: Mapping[str, Any], sample: Sample) -> dict[str, Any]:
    """Replace the paths in arguments with those in the set, where each task has its own folder."""
    gold = [str(value) for call in sample.calls for value in call.arguments.values()]
    known = [*sample.files, *gold]

    def place(value: Any) -> Any:
        return next((path for path in known if isinstance(value, str) and path.endswith(f"/{value}")), value)

    return {name: place(value) for name, value in arguments.items()}


def works_of(report: RunReport) -> list[Work]:
    """Read the valid runs of tasks with deliverables: in the suite `gta` its Workflow tasks, in other suites all."""
    return [
        _make_work(run, run.verdict, category)
        for run in report.runs()
        if run.result.valid and run.verdict is not None and (category := _find_category(run))
    ]


def _find_category(run: RunDetails) -> str:
    """Return the class of a task of the suite `gta`, empty for an Atomic one; for other tasks, their domain."""
    if not run.result.task.startswith(f"{SUITE}/"):
        return str(run.result.profile.get("domain") or "no domain")
    return str(_read_facts(run.result.task, run.result.seed).get("workflow_category", ""))


@cache
def _read_facts(task: str, seed: int) -> Mapping[str, Any]:
    """Derive the facts of a task from its seed, since they are never stored on disk."""
    with tempfile.TemporaryDirectory(prefix="yardkit-facts-") as scratch, skip_syncing():
        return dict(seed_task(find_task(task), seed, Path(scratch) / "world").facts)


def _make_work(run: RunDetails, verdict: Mapping[str, Any], category: str) -> Work:
    result = run.result
    leaves = tuple(
        Leaf(leaf["id"], None if leaf["score"] is None else 10 * leaf["score"], str(leaf["outcome"]))
        for leaf in leaves_of(verdict)
        if leaf["kind"] != "guardrail"
    )
    name = result.task if not result.seed and not result.repeat else f"{result.task}, {result.instance}"
    root = 10 * result.reward
    task = find_task(result.task) if result.task.startswith(f"{SUITE}/") else None
    return Work(
        name,
        category,
        tuple(offered_tools(task)) if task and task.dialect == SUITE else (),
        tuple(result.profile.get("deliverables", ())),
        root,
        root,
        tuple(_list_group_points(verdict)),
        leaves,
        not any(leaf.outcome in UNDELIVERED for leaf in leaves),
        result.calls,
        result.tool_errors,
        result.agent_seconds,
        result.usage,
    )


def _list_group_points(verdict: Mapping[str, Any]) -> Iterator[float]:
    """List the points of the groups below the root."""
    for part in verdict["parts"]:
        if part["parts"] and part["score"] is not None:
            yield 10 * part["score"]
        yield from _list_group_points(part)
