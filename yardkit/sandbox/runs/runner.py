"""Running a suite: every task with every seed, in a directory that survives interruption and can be graded again."""

import dataclasses
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from yardkit.programs.pool import Died, in_workers
from yardkit.sandbox.agents import Particular, Reviewed, make_agent
from yardkit.sandbox.episodes.distractors import with_distractors
from yardkit.sandbox.episodes.grading import longest_grading
from yardkit.sandbox.runs.attempts import Attempt, make_spoiled_result, regrade_episode, run_attempt
from yardkit.sandbox.runs.feedback import Kind
from yardkit.sandbox.runs.results import Result
from yardkit.sandbox.runs.run_directory import Plan, RunDirectory, results_of
from yardkit.sandbox.tasks.suites import find_tasks
from yardkit.sandbox.tasks.task import load_task
from yardkit.world import Problem, save_text

OnResult = Callable[[Result], None]
_SPARE_S = 120.0
"""Seconds on top of the agent's and the grader's limits after which a run is given up as hung."""


def plan_of(
    names: Sequence[str],
    seeds: Sequence[int],
    agent: str,
    settings: Mapping[str, str],
    time_limit_s: float,
    repeats: int = 1,
    extra_servers: int = 0,
    feedback: str = "none",
    attempts: int = 1,
) -> Plan:
    """Make a plan and check it before any process is started.

    Raises:
        Problem: a task or agent is unknown, a setting is wrong, the agent cannot work on a task, or a task cannot have
            that many extra servers.
    """
    chosen = make_agent(agent, settings)
    if attempts > 1 and not isinstance(chosen, Reviewed):
        raise Problem(
            f"the agent {agent!r} does not continue after a delivery; feedback is for openai: and command: agents"
        )
    tasks = find_tasks(list(names))
    for task in tasks:
        task.checks()
        for seed in seeds if extra_servers else ():
            with_distractors(task, seed, extra_servers)
        if isinstance(chosen, Particular):
            chosen.check(task)
    ids = tuple(task.id for task in tasks)
    return Plan(
        ids,
        tuple(dict.fromkeys(seeds)),
        agent,
        dict(settings),
        time_limit_s,
        repeats,
        extra_servers,
        feedback,
        attempts,
    )


def run_plan(
    plan: Plan, run: RunDirectory, jobs: int, on_result: OnResult, *, retry_invalid: bool = False
) -> list[Result]:
    """Run the attempts that have not ended yet, and return the results of the complete plan.

    Raises:
        Problem: the directory contains a run of another agent.
    """
    with run.in_use():
        _settle_plan(plan, run)
        finished_results = [result for result in run.read_results() if result.valid or not retry_invalid]
        run.replace_results(finished_results)
        done = {result.key for result in finished_results}
        todo = [_attempt_of(plan, run, *key) for key in plan.keys if key not in done]
        limit_s = plan.time_limit_s + _SPARE_S + plan.attempts * _longest_grading(plan.tasks)
        for job, result in in_workers(run_attempt, todo, jobs, limit_s):
            ended = make_spoiled_result(job, result.reason) if isinstance(result, Died) else result
            run.add_result(ended)
            on_result(ended)
    return results_of(plan, run)


def regrade_run(run: RunDirectory, jobs: int, on_result: OnResult) -> list[Result]:
    """Grade every finished episode of a run again, without the agent.

    Raises:
        Problem: there is no run, or nothing in it has ended.
    """
    plan = run.read_plan()
    with run.in_use():
        before = run.read_results()
        if not before:
            raise Problem(f"nothing has finished in the run {str(run.path)!r}; resume it with `yardkit run --runs DIR`")
        limit_s = _SPARE_S + _longest_grading([result.task for result in before])
        after = {result.key: result for result in before}
        jobs_to_do = [Regrading(run.path, result) for result in before]
        for job, result in in_workers(regrade_job, jobs_to_do, jobs, limit_s):
            ended = job.make_failed(result.reason) if isinstance(result, Died) else result
            after[ended.key] = ended
            on_result(ended)
        run.replace_results(list(after.values()))
    return results_of(plan, run)


def _longest_grading(tasks: Iterable[str]) -> float:
    return max((longest_grading(load_task(task)) for task in tasks), default=0)


@dataclass(frozen=True)
class Regrading:
    """One episode to grade again."""

    run: Path
    before: Result

    def make_failed(self, reason: str) -> Result:
        return dataclasses.replace(self.before, valid=False, passed=None, faults=(f"grading again: {reason}",))


def regrade_job(job: Regrading) -> Result:
    """Grade one episode again; failures on our side are recorded in the result."""
    try:
        return regrade_episode(job.run, job.before)
    except Exception as error:  # noqa: BLE001 - one broken episode must not end the others
        return job.make_failed(f"{type(error).__name__}: {error}")


def _format_settings(plan: Plan) -> str:
    """Which settings of its agent a plan has, as behind ``--set``; nothing where it has none."""
    settings = " ".join(f"{name}={value}" for name, value in plan.settings.items())
    return f" with the settings {settings}" if settings else " without settings"


def _settle_plan(plan: Plan, run: RunDirectory) -> None:
    """Save the plan; an existing run must have the same agent."""
    if not run.exists() and any(path.name != ".lock" for path in run.path.iterdir()):
        raise Problem(f"{str(run.path)!r} is not empty and holds no run; name a new directory with --runs")
    if run.exists():
        before = run.read_plan()
        if (before.agent, before.settings) != (plan.agent, plan.as_dict()["settings"]):
            raise Problem(
                f"{str(run.path)!r} holds a run of the agent {before.agent!r}{_format_settings(before)}; "
                "name another --runs for another agent"
            )
        if before.extra_servers != plan.extra_servers:
            raise Problem(
                f"{str(run.path)!r} holds a run with {before.extra_servers} extra servers, not {plan.extra_servers}; "
                "name another --runs for another number"
            )
        if (before.feedback, before.attempts) != (plan.feedback, plan.attempts):
            raise Problem(
                f"{str(run.path)!r} holds a run with {before.attempts} deliveries and the feedback "
                f"{before.feedback!r}, not {plan.attempts} and {plan.feedback!r}; name another --runs for others"
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
    return Attempt(
        task,
        seed,
        folder,
        plan.agent,
        plan.settings,
        plan.time_limit_s,
        repeat,
        plan.extra_servers,
        cast(Kind, plan.feedback),
        plan.attempts,
    )
