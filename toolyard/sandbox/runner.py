"""Running a suite: every task with every seed, in a directory that survives interruption and can be graded again."""

import dataclasses
import fcntl
import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolyard.programs.pool import Died, in_workers
from toolyard.sandbox.agents import Particular, make_agent
from toolyard.sandbox.attempts import Attempt, Key, Result, attempt, regrade, spoiled
from toolyard.sandbox.registry import version
from toolyard.sandbox.tasks import find_tasks, load_task
from toolyard.world import Problem, reason_of, save_text

OnResult = Callable[[Result], None]
SECRET = "api_key"  # noqa: S105 - the name of a setting
_SPARE_S = 120.0
"""Seconds on top of the agent's and the grader's limits after which a run is given up as hung."""


@dataclass(frozen=True)
class Plan:
    """What a run consists of; it is kept in ``run.json`` so that the run can be resumed.

    Attributes:
        tasks: task ids.
        seeds: each task is run with each.
        agent, settings: see `make_agent`; a secret among the settings is not kept on disk.
        time_limit_s: wall time that the agent has for one task.
        repeats: so many runs of each task with each seed.
    """

    tasks: tuple[str, ...]
    seeds: tuple[int, ...]
    agent: str
    settings: Mapping[str, str]
    time_limit_s: float
    repeats: int = 1

    @property
    def keys(self) -> list[Key]:
        """The runs that it consists of."""
        return list(itertools.product(self.tasks, self.seeds, range(self.repeats)))

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON, without secrets."""
        settings = {name: value for name, value in self.settings.items() if name != SECRET}
        return {**dataclasses.asdict(self), "settings": settings, "toolyard": version()}


@dataclass(frozen=True)
class RunDirectory:
    """A run on disk: ``run.json``, ``results.jsonl``, and ``<suite>/<task>/seed-<n>/<episode>/`` per attempt.

    What is repeated lies in ``seed-<n>-repeat-<r>``, but for the first run.
    """

    path: Path

    def plan(self) -> Plan:
        """What the run was started with.

        Raises:
            Problem: there is no run.
        """
        try:
            record = json.loads((self.path / "run.json").read_text("utf-8"))
            return Plan(
                tuple(record["tasks"]),
                tuple(record["seeds"]),
                record["agent"],
                record["settings"],
                float(record["time_limit_s"]),
                int(record.get("repeats", 1)),
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Problem(
                f"no run in {str(self.path)!r} ({reason_of(error)}); start one with `toolyard run SUITE`"
            ) from error

    def exists(self) -> bool:
        return (self.path / "run.json").exists()

    def results(self) -> list[Result]:
        """What has ended so far, in the order of tasks, seeds and repeats. A half-written last line is dropped."""
        path, found = self.path / "results.jsonl", {}
        for line in path.read_text("utf-8", "replace").splitlines() if path.exists() else ():
            try:
                result = Result.from_dict(json.loads(line))
            except (ValueError, KeyError, TypeError):
                continue
            found[result.key] = result
        return [found[key] for key in sorted(found)]

    def replace_results(self, results: Sequence[Result]) -> None:
        """Write all results anew, whole or not at all."""
        save_text(self.path / "results.jsonl", "".join(_line(result) for result in results))

    def add_result(self, result: Result) -> None:
        """Append one."""
        with (self.path / "results.jsonl").open("a", encoding="utf-8") as handle:
            handle.write(_line(result))

    def folder_of(self, task: str, seed: int, repeat: int = 0) -> Path:
        return self.path / task / (f"seed-{seed}-repeat-{repeat}" if repeat else f"seed-{seed}")

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Keep other processes from working on this run.

        Raises:
            Problem: one does already, or the directory cannot be made.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            handle = (self.path / ".lock").open("w")
        except OSError as error:
            raise Problem(f"cannot write to {str(self.path)!r}: {error.strerror}; name another --runs") from error
        with handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Problem(f"another process works on the run in {str(self.path)!r}; wait for it") from None
            yield


def plan_of(
    names: Sequence[str],
    seeds: Sequence[int],
    agent: str,
    settings: Mapping[str, str],
    time_limit_s: float,
    repeats: int = 1,
) -> Plan:
    """A checked plan.

    Raises:
        Problem: an unknown task or agent, a wrong setting, or a task that the agent cannot work on; and no process was
            started for it.
    """
    chosen = make_agent(agent, settings)
    tasks = find_tasks(list(names))
    for task in tasks:
        task.checks()
        if isinstance(chosen, Particular):
            chosen.check(task)
    ids = tuple(task.id for task in tasks)
    return Plan(ids, tuple(dict.fromkeys(seeds)), agent, dict(settings), time_limit_s, repeats)


def run_plan(
    plan: Plan, run: RunDirectory, jobs: int, on_result: OnResult, *, retry_invalid: bool = False
) -> list[Result]:
    """Run what has not ended yet, and return the results of the whole plan.

    Raises:
        Problem: the directory holds a run of another agent.
    """
    with run.in_use():
        _settle(plan, run)
        kept = [result for result in run.results() if result.valid or not retry_invalid]
        run.replace_results(kept)
        done = {result.key for result in kept}
        todo = [_attempt_of(plan, run, *key) for key in plan.keys if key not in done]
        limit_s = plan.time_limit_s + _SPARE_S + max((load_task(task).time_limit_s for task in plan.tasks), default=0)
        for job, result in in_workers(attempt, todo, jobs, limit_s):
            ended = spoiled(job, result.reason) if isinstance(result, Died) else result
            run.add_result(ended)
            on_result(ended)
    return results_of(plan, run)


def results_of(plan: Plan, run: RunDirectory) -> list[Result]:
    """The results of the plan's runs in the plan's order, as far as they have ended."""
    found = {result.key: result for result in run.results()}
    return [found[key] for key in plan.keys if key in found]


def regrade_run(run: RunDirectory, jobs: int, on_result: OnResult) -> list[Result]:
    """Grade every finished episode of a run again, without the agent.

    Raises:
        Problem: there is no run, or nothing in it has ended.
    """
    plan = run.plan()
    with run.in_use():
        before = run.results()
        if not before:
            raise Problem(f"nothing has ended in the run {str(run.path)!r}; resume it with `toolyard run --runs DIR`")
        limit_s = _SPARE_S + 2 * max(load_task(result.task).time_limit_s for result in before)
        after = {result.key: result for result in before}
        jobs_to_do = [Regrading(run.path, result) for result in before]
        for job, result in in_workers(regrade_one, jobs_to_do, jobs, limit_s):
            ended = job.failed(result.reason) if isinstance(result, Died) else result
            after[ended.key] = ended
            on_result(ended)
        run.replace_results(list(after.values()))
    return results_of(plan, run)


@dataclass(frozen=True)
class Regrading:
    """One episode to grade again."""

    run: Path
    before: Result

    def failed(self, reason: str) -> Result:
        return dataclasses.replace(self.before, valid=False, passed=None, faults=(f"grading again: {reason}",))


def regrade_one(job: Regrading) -> Result:
    """Grade one episode again; what fails on our side is in the result."""
    try:
        return regrade(job.run, job.before)
    except Exception as error:  # noqa: BLE001 - one broken episode must not end the others
        return job.failed(f"{type(error).__name__}: {error}")


def _settle(plan: Plan, run: RunDirectory) -> None:
    """Write down the plan; a run that is there already must be of the same agent."""
    if not run.exists() and any(path.name != ".lock" for path in run.path.iterdir()):
        raise Problem(f"{str(run.path)!r} is not empty and holds no run; name a new directory with --runs")
    if run.exists():
        before = run.plan()
        if (before.agent, before.settings) != (plan.agent, plan.as_dict()["settings"]):
            raise Problem(
                f"{str(run.path)!r} holds a run of the agent {before.agent!r} with the settings {before.settings}; "
                "name another --runs for another agent"
            )
        plan = dataclasses.replace(
            plan,
            tasks=tuple(dict.fromkeys([*before.tasks, *plan.tasks])),
            seeds=tuple(dict.fromkeys([*before.seeds, *plan.seeds])),
            repeats=max(before.repeats, plan.repeats),
        )
    save_text(run.path / "run.json", json.dumps(plan.as_dict(), indent=2) + "\n")


def _attempt_of(plan: Plan, run: RunDirectory, task: str, seed: int, repeat: int) -> Attempt:
    folder = run.folder_of(task, seed, repeat).resolve()
    return Attempt(task, seed, folder, plan.agent, plan.settings, plan.time_limit_s, repeat)


def _line(result: Result) -> str:
    return json.dumps(result.as_dict()) + "\n"
