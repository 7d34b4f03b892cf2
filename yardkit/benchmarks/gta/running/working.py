"""Running an agent on a set of GTA or GTA-2 end to end: an episode per task, and results in the papers' formats."""

import csv
import dataclasses
import io
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.benchmarks.gta.running.episode_steps import steps_of
from yardkit.benchmarks.gta.running.set_tasks import SetTask
from yardkit.benchmarks.gta.sets.records import read_json, save_json
from yardkit.evaluators.submission import Submission
from yardkit.programs.pool import Died, in_workers
from yardkit.sandbox.agents import Outcome, make_agent
from yardkit.sandbox.episodes.episode import Episode, open_new
from yardkit.sandbox.runs.attempts import clear_folder, work_on
from yardkit.sandbox.runs.run_directory import SECRET
from yardkit.world import Problem, save_text

ABOUT, DONE, PREDICTIONS = "about.json", "done.json", "predictions.json"
"""In the folder of a run: who worked with which tools; in that of a task: that it has ended; all predictions."""
USAGE = "usage.csv"
"""What each task took, a row for each with `USAGE_COLUMNS`."""
_SPENT = ("seconds", "cost_usd", "prompt_tokens", "cached_tokens", "completion_tokens")
USAGE_COLUMNS = ("task", *_SPENT, "calls", "call_errors")
_SPARE_S = 120.0


@dataclass(frozen=True)
class Working:
    """A task to work on, and its folder."""

    task: SetTask
    folder: Path
    agent: str
    settings: Mapping[str, str]
    time_limit_s: float


@dataclass(frozen=True)
class Ended:
    """How the work on a task ended: `fault` says why it does not count; empty if it does."""

    stop: str
    calls: int
    call_errors: int
    fault: str = ""


def settle_run(folder: Path, about: Mapping[str, Any]) -> None:
    """Record the agent and its settings; an existing run must have the same ones.

    Raises:
        Problem: the folder contains something else.
    """
    known = {**about, "settings": {name: value for name, value in about["settings"].items() if name != SECRET}}
    if (folder / ABOUT).is_file():
        before = read_json(folder / ABOUT)
        if before != known:
            raise Problem(f"{folder.name!r} holds a run of {before}; name another --output for {known}")
    elif folder.is_dir() and any(folder.iterdir()):
        raise Problem(f"{folder.name!r} is not empty and holds no run of a set; name a new --output")
    save_json(folder.absolute() / ABOUT, known)


def work_on_set(
    tasks: Mapping[str, SetTask],
    folder: Path,
    agent: str,
    settings: Mapping[str, str],
    time_limit_s: float,
    jobs: int,
    on_end: Callable[[str, Ended], None],
) -> None:
    """Let an agent work on those tasks, given by id, that have not ended yet in `folder`.

    Each gets a folder there with its episode, ``final.txt`` with the answer and ``files/`` with the deliverables: the
    layout ``generic`` of `yardkit.benchmarks.gta.running.judging`. A task that failed because of the model's service
    is repeated next time.
    """
    todo = [
        Working(task, folder.absolute() / name, agent, settings, time_limit_s)
        for name, task in tasks.items()
        if not (folder / name / DONE).is_file()
    ]
    names = {job.folder: job.folder.name for job in todo}
    for job, ended in in_workers(_try_work, todo, jobs, time_limit_s + _SPARE_S):
        on_end(names[job.folder], Ended("crashed", 0, 0, ended.reason) if isinstance(ended, Died) else ended)


def save_work(folder: Path, names: Sequence[str]) -> int:
    """Write the predictions of all tasks in order, and their time and cost; return the number that have ended.

    An unfinished task has no steps, and counts as not attempted.
    """
    records = {name: read_json(folder / name / DONE) for name in names if (folder / name / DONE).is_file()}
    predictions = {
        str(number): {"prediction": [records[name]["steps"]] if name in records else []}
        for number, name in enumerate(names)
    }
    save_json(folder.absolute() / PREDICTIONS, predictions)
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, USAGE_COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows({"task": name, **record, **record["usage"]} for name, record in records.items())
    save_text(folder.absolute() / USAGE, buffer.getvalue())
    return len(records)


def _try_work(job: Working) -> Ended:
    try:
        return _run_work(job)
    except Exception as error:  # noqa: BLE001 - one broken task must not end the others
        return Ended("crashed", 0, 0, f"{type(error).__name__}: {error}")


def _run_work(job: Working) -> Ended:
    clear_folder(job.folder)
    agent = make_agent(job.agent, job.settings)
    episode = open_new(job.task, 0, job.folder)
    outcome, seconds = work_on(episode, job.agent, lambda transcript: agent.run(episode, transcript, job.time_limit_s))
    errors = sum(1 for call in episode.ledger.calls if call.error)
    if outcome.stop == "service_invalid":
        return Ended(outcome.stop, len(episode.ledger.calls), errors, f"the model's service: {outcome.detail}")
    _hand_in(episode, outcome, job.folder)
    record = {
        "stop": outcome.stop,
        "steps": steps_of(episode.directory),
        "seconds": seconds,
        "calls": len(episode.ledger.calls),
        "call_errors": errors,
        "usage": dataclasses.asdict(outcome.usage),
    }
    save_json(job.folder / DONE, record)
    return Ended(outcome.stop, len(episode.ledger.calls), errors)


def _hand_in(episode: Episode, outcome: Outcome, folder: Path) -> None:
    """Copy the answer and the added or changed files beside the episode."""
    episode.end_call()
    save_text(folder / "final.txt", outcome.answer)
    delivered = Submission(episode.world.root, initial=episode.seeded.initial).list_changed()
    for path in (path for path, how in delivered.items() if how != "deleted"):
        source, target = episode.world.files / path, folder / "files" / path
        if source.is_file() and not source.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
