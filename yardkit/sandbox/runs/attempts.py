"""One attempt: an agent on one instance of a task, from the seed to the grade."""

import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from yardkit.evaluators.scoring import Grade, Verdict
from yardkit.evaluators.submission import Submission
from yardkit.sandbox.agents import Agent, Outcome, Reviewed, Transcript, make_agent
from yardkit.sandbox.episodes.distractors import with_distractors
from yardkit.sandbox.episodes.episode import Episode, open_new, reopen_episode
from yardkit.sandbox.episodes.ledger import Call
from yardkit.sandbox.runs.chain_breaks import find_break
from yardkit.sandbox.runs.closed_loops import classify_failure, passed_unlooked
from yardkit.sandbox.runs.feedback import Kind, Reviews
from yardkit.sandbox.runs.results import Result
from yardkit.sandbox.runs.trajectory import TRAJECTORY, build_trajectory
from yardkit.sandbox.serving.registry import server_modules
from yardkit.sandbox.tasks.suites import find_task
from yardkit.world import remove_world, save_text
from yardkit.world.world import machine_time

PRELOAD = server_modules()
"""What `in_workers` keeps loaded in the process from which workers are forked: agents work with tools."""
CHAIN = "chain"
"""The id of the group of checkpoints that tells how far an agent came on its way to the answer."""
ANSWER = "answer"
"""The id of the leaf that tells whether the answer is right."""


@dataclass(frozen=True)
class Attempt:
    """A piece of work: the agent, the instance, and the folder of the episode.

    Attributes:
        folder: the folder of this attempt; the episode gets a subfolder.
        settings: the agent's settings, as text.
        repeat: the number, from 0, among several runs of this task and seed.
        extra_servers: the number of unrelated servers offered in addition to those of the task.
        feedback, attempts: as in `yardkit.sandbox.runs.run_directory.Plan`.
    """

    task: str
    seed: int
    folder: Path
    agent: str
    settings: Mapping[str, str]
    time_limit_s: float
    repeat: int = 0
    extra_servers: int = 0
    feedback: Kind = "none"
    attempts: int = 1


def run_attempt(job: Attempt) -> Result:
    """Seed, let the agent work, grade. Failures on our side are recorded in the result and not raised."""
    clear_folder(job.folder)
    with _stderr_to(job.folder / "stderr.log"):
        try:
            return _run_attempt(job)
        except Exception as error:  # noqa: BLE001 - one broken run must not end the others
            traceback.print_exc()
            return make_spoiled_result(job, f"{type(error).__name__}: {error}")


def make_spoiled_result(job: Attempt, fault: str) -> Result:
    """Make the result of an attempt that failed through our fault."""
    return Result(
        job.task,
        job.seed,
        _episode_name(job),
        reward=0.0,
        passed=None,
        valid=False,
        faults=(fault,),
        stop="crashed",
        detail=fault,
        finished=machine_time().isoformat(),
        repeat=job.repeat,
    )


def regrade_episode(folder: Path, result: Result) -> Result:
    """Grade a finished episode of the run in `folder` again, from its frozen world and without the agent."""
    directory = folder / result.episode
    outcome_file = directory / "outcome.json"
    if not result.episode or not (directory / "final").is_dir() or not outcome_file.exists():
        return result
    outcome = Outcome.from_dict(json.loads(outcome_file.read_text("utf-8")))
    graded = _grade_outcome(reopen_episode(directory), outcome, result.agent_seconds, result.episode)
    if result.deliveries:
        graded = _add_deliveries(result.deliveries[:-1], graded)
    return replace(graded, repeat=result.repeat)


def clear_folder(folder: Path) -> None:
    """Empty `folder`: the files of an interrupted attempt cannot be used."""
    if folder.exists():
        remove_world(folder)
    folder.mkdir(parents=True)


def _run_attempt(job: Attempt) -> Result:
    agent = make_agent(job.agent, job.settings, job.repeat)
    task = with_distractors(find_task(job.task), job.seed, job.extra_servers)
    episode = open_new(task, job.seed, job.folder)
    reviews = Reviews(episode, job.feedback, job.attempts)
    outcome, seconds = work_on(
        episode, job.agent, lambda transcript: _run_agent(agent, episode, transcript, job, reviews)
    )
    graded = _grade_outcome(episode, outcome, round(seconds - reviews.seconds, 3), _episode_name(job))
    return replace(_add_deliveries(reviews.earlier, graded) if job.attempts > 1 else graded, repeat=job.repeat)


def work_on(episode: Episode, agent: str, work: Callable[[Transcript], Outcome]) -> tuple[Outcome, float]:
    """Let the named agent `work`, and save its transcript and outcome beside the ledger; return the outcome and the
    seconds that it took.
    """
    started = time.perf_counter()
    with Transcript(episode.directory / "transcript.jsonl") as transcript:
        outcome = work(transcript)
    seconds = round(time.perf_counter() - started, 3)
    save_text(episode.directory / "outcome.json", json.dumps(outcome.as_dict(), indent=2) + "\n")
    run_trajectory = build_trajectory(episode, agent, outcome)
    save_text(episode.directory / TRAJECTORY, json.dumps(run_trajectory, indent=1, default=str) + "\n")
    return outcome, seconds


def _run_agent(agent: Agent, episode: Episode, transcript: Transcript, job: Attempt, reviews: Reviews) -> Outcome:
    if job.attempts > 1 and isinstance(agent, Reviewed):
        return agent.run_reviewed(episode, transcript, job.time_limit_s, reviews)
    return agent.run(episode, transcript, job.time_limit_s)


def _add_deliveries(earlier: Sequence[Mapping[str, Any]], last: Result) -> Result:
    """Add all deliveries to the result, which is the last of them."""
    return replace(last, deliveries=(*earlier, {"reward": last.reward, "passed": last.passed}))


def _grade_outcome(episode: Episode, outcome: Outcome, agent_seconds: float, name: str) -> Result:
    started = time.perf_counter()
    grade = _with_outcome(episode.grade(outcome.answer), outcome)
    calls = episode.ledger.calls
    delivered = Submission(episode.directory / "final", initial=episode.seeded.initial).list_changed()
    delivered_paths = [path for path, how in delivered.items() if how != "deleted"]
    save_text(episode.directory / "delivered.json", json.dumps(delivered, indent=2) + "\n")
    broken = find_break(episode.seeded.facts, calls, outcome.stop) if _answered_wrongly(grade) else None
    return Result(
        episode.task.id,
        episode.seed,
        name,
        grade.reward,
        grade.passed,
        grade.valid,
        _with_reasons(grade.faults, calls),
        outcome.stop,
        outcome.detail,
        len(calls),
        sum(1 for call in calls if call.error),
        agent_seconds,
        round(time.perf_counter() - started, 3),
        outcome.usage,
        machine_time().isoformat(),
        _collect_measures(episode, grade) | (broken.map_measures() if broken else {}),
        profile=episode.task.profile.as_dict(),
        crashes=grade.crashes,
        extra_servers=episode.task.extra_servers,
        passed_unlooked=passed_unlooked(grade),
        failure=classify_failure(grade, calls, delivered_paths, outcome.stop),
        chain_break=broken.kind if broken else "",
    )


def _with_reasons(faults: Sequence[str], calls: Sequence[Call]) -> tuple[str, ...]:
    """Add to faults about crashed calls the first line of the error, such as the name of a missing package."""
    crash_reasons = {
        f"call {call.number}: {call.tool}": call.error.strip().partition("\n")[0] for call in calls if call.crashed
    }
    return tuple(f"{fault}: {crash_reasons[fault]}" if crash_reasons.get(fault) else fault for fault in faults)


def _collect_measures(episode: Episode, grade: Grade) -> dict[str, float]:
    measures: dict[str, float] = dict(episode.seeded.facts.get("measures", {}))
    answer = _find_checkpoint(grade.verdict, ANSWER) if grade.verdict and measures else None
    if answer is not None:
        # A right answer gives a positive reward, unless a gate failed.
        measures["accuracy"] = float(answer.outcome == "pass" and grade.reward > 0)
    chain = _find_checkpoint(grade.verdict, CHAIN) if grade.verdict else None
    if chain is not None and chain.score is not None:
        measures["progress"] = chain.score
    return measures


def _answered_wrongly(grade: Grade) -> bool:
    answer = _find_checkpoint(grade.verdict, ANSWER) if grade.verdict and grade.valid else None
    return answer is not None and answer.outcome != "pass"


def _find_checkpoint(node: Verdict, name: str) -> Verdict | None:
    """Find the checkpoint with that id, at or below `node`."""
    if node.id == name:
        return node
    return next(filter(None, (_find_checkpoint(part, name) for part in node.parts)), None)


def _with_outcome(grade: Grade, outcome: Outcome) -> Grade:
    """Mark a run whose model service failed as invalid: unless it passed anyway, it says nothing about the agent."""
    if outcome.stop != "service_invalid" or grade.passed:
        return grade
    return replace(grade, valid=False, faults=(*grade.faults, f"the model's service: {outcome.detail}"))


def _episode_name(job: Attempt) -> str:
    """The episode's folder relative to the run's, which is three levels up: suite, task, seed and repeat."""
    run = job.folder.parents[2]
    episode_folders = sorted(path.parent for path in job.folder.glob("*/episode.json"))
    return episode_folders[0].relative_to(run).as_posix() if episode_folders else ""


@contextmanager
def _stderr_to(path: Path) -> Iterator[None]:
    """Redirect stderr of libraries and crashed tools to a file of the run, to keep the progress lines clean."""
    sys.stderr.flush()
    saved_descriptor = os.dup(2)
    try:
        with path.open("ab") as handle:
            os.dup2(handle.fileno(), 2)
        yield
    finally:
        sys.stderr.flush()
        os.dup2(saved_descriptor, 2)
        os.close(saved_descriptor)
