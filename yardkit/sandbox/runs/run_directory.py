"""A run on disk: its plan, its results, and the folders of its attempts."""

import dataclasses
import fcntl
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.sandbox.runs.results import Key, Result
from yardkit.sandbox.serving.registry import get_version
from yardkit.world import Problem, reason_of, save_text

SECRET = "api_key"  # noqa: S105 - the name of a setting


@dataclass(frozen=True)
class Plan:
    """The plan of a run, saved in ``run.json`` so that the run can be resumed.

    Attributes:
        tasks: task ids.
        seeds: each task is run with each seed.
        agent, settings: see `make_agent`; secrets among the settings are not stored on disk.
        time_limit_s: the agent's wall time for one task.
        repeats: the number of runs of each task with each seed.
        extra_servers: the number of unrelated servers offered in addition to those of each task.
        feedback: the feedback after a delivery (`yardkit.sandbox.runs.feedback.FEEDBACK`).
        attempts: the maximum number of deliveries; with 1 there is no feedback.
    """

    tasks: tuple[str, ...]
    seeds: tuple[int, ...]
    agent: str
    settings: Mapping[str, str]
    time_limit_s: float
    repeats: int = 1
    extra_servers: int = 0
    feedback: str = "none"
    attempts: int = 1

    @property
    def keys(self) -> list[Key]:
        """The keys of all runs in the plan."""
        return list(itertools.product(self.tasks, self.seeds, range(self.repeats)))

    def as_dict(self) -> dict[str, Any]:
        """The plan as JSON values, without secrets."""
        settings = {name: value for name, value in self.settings.items() if name != SECRET}
        return {**dataclasses.asdict(self), "settings": settings, "yardkit": get_version()}


@dataclass(frozen=True)
class RunDirectory:
    """A run on disk: ``run.json``, ``results.jsonl``, and ``<suite>/<task>/seed-<n>/<episode>/`` per attempt.

    Repeats after the first run are in ``seed-<n>-repeat-<r>``.
    """

    path: Path

    def read_plan(self) -> Plan:
        """Read the plan that the run was started with.

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
                int(record.get("extra_servers", 0)),
                str(record.get("feedback", "none")),
                int(record.get("attempts", 1)),
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Problem(
                f"no run in {str(self.path)!r} ({reason_of(error)}); start one with `yardkit run SUITE`"
            ) from error

    def exists(self) -> bool:
        return (self.path / "run.json").exists()

    def read_results(self) -> list[Result]:
        """Read the results so far, in the order of tasks, seeds and repeats. A half-written last line is dropped."""
        path, results_by_key = self.path / "results.jsonl", {}
        for line in path.read_text("utf-8", "replace").splitlines() if path.exists() else ():
            try:
                result = Result.from_dict(json.loads(line))
            except (ValueError, KeyError, TypeError):
                continue
            results_by_key[result.key] = result
        return [results_by_key[key] for key in sorted(results_by_key)]

    def replace_results(self, results: Sequence[Result]) -> None:
        """Replace all results in one atomic write."""
        save_text(self.path / "results.jsonl", "".join(_format_line(result) for result in results))

    def add_result(self, result: Result) -> None:
        """Append a result."""
        with (self.path / "results.jsonl").open("a", encoding="utf-8") as handle:
            handle.write(_format_line(result))

    def folder_of(self, task: str, seed: int, repeat: int = 0) -> Path:
        return self.path / task / (f"seed-{seed}-repeat-{repeat}" if repeat else f"seed-{seed}")

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Lock this run against other processes.

        Raises:
            Problem: another process works on it, or the directory cannot be created.
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


def results_of(plan: Plan, run: RunDirectory) -> list[Result]:
    """Return the finished results of the plan's runs, in the plan's order."""
    results_by_key = {result.key: result for result in run.read_results()}
    return [results_by_key[key] for key in plan.keys if key in results_by_key]


def _format_line(result: Result) -> str:
    return json.dumps(result.as_dict()) + "\n"
