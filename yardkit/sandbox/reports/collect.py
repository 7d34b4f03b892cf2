"""The data of a report: the plan, the results, and the contents of each run's folder."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from yardkit.sandbox.agents import NO_ACTION
from yardkit.sandbox.episodes.ledger import Call, Ledger
from yardkit.sandbox.reports.breakdowns import break_down, by_turns
from yardkit.sandbox.reports.curves import Curves, curves_of
from yardkit.sandbox.runs.call_errors import errors_of
from yardkit.sandbox.runs.feedback import DELIVERIES
from yardkit.sandbox.runs.results import Result
from yardkit.sandbox.runs.run_directory import Plan, RunDirectory, results_of
from yardkit.sandbox.runs.stages import stage_of
from yardkit.sandbox.runs.summary import Summary, summarize_results


@dataclass(frozen=True)
class Delivered:
    """A file of the workspace that differs from its initial state; `how` is ``added``, ``changed`` or ``deleted``."""

    path: str
    how: str
    size_bytes: int


@dataclass(frozen=True)
class RunDetails:
    """One attempt, read from its folder as far as the files exist."""

    result: Result
    folder: Path

    @property
    def anchor(self) -> str:
        """The id of the run within a page."""
        result = self.result
        return f"run-{result.task.replace('/', '-')}-{result.seed}" + (f"-{result.repeat}" if result.repeat else "")

    @cached_property
    def prompt(self) -> str:
        return str(_read_json(self.folder / "episode.json").get("prompt", ""))

    @cached_property
    def answer(self) -> str:
        return str(_read_json(self.folder / "outcome.json").get("answer", ""))

    @cached_property
    def verdict(self) -> Mapping[str, Any] | None:
        """The tree of graded checkpoints as JSON; None if the grader did not get that far."""
        grade = _read_json(self.folder / "grade.json").get("grade")
        return grade.get("verdict") if isinstance(grade, dict) else None

    @cached_property
    def calls(self) -> list[Call]:
        return Ledger.open(self.folder).calls if self.result.episode else []

    @cached_property
    def call_errors(self) -> Counter[str]:
        """The number of call errors by the types of `yardkit.sandbox.runs.call_errors.CALL_ERRORS`."""
        call_errors = errors_of(self.calls, _read_lines(self.folder / "transcript.jsonl"))
        call_errors[NO_ACTION] += self.result.stop == "no_answer"
        return call_errors

    @cached_property
    def stage(self) -> str:
        """The stage of its failure, one of `yardkit.sandbox.runs.stages.STAGES`; empty if it passed or is unjudged."""
        if self.result.state != "failed" or self.verdict is None:
            return ""
        leaves = [leaf for leaf in leaves_of(self.verdict) if leaf["kind"] != "guardrail" and leaf["score"] is not None]
        outcomes = [str(leaf["outcome"]) for leaf in leaves]
        return stage_of(outcomes, [outcome == "pass" for outcome in outcomes], passed=False)

    @cached_property
    def earlier(self) -> list[Mapping[str, Any]]:
        """The deliveries before the last one, with ``answer``, ``grade`` and ``feedback``."""
        return _read_list(self.folder / DELIVERIES)

    @cached_property
    def delivered(self) -> list[Delivered]:
        changes = _read_json(self.folder / "delivered.json")
        return [Delivered(path, str(how), self._get_size(path)) for path, how in sorted(changes.items())]

    def delivered_file(self, path: str) -> Path | None:
        """Return a delivered regular file; None for anything else, such as a link to another place."""
        file = self.folder / "final" / "files" / path
        is_regular_file = file.is_file() and not file.is_symlink()
        return file if is_regular_file and file.resolve().is_relative_to(self.folder.resolve()) else None

    def media_file(self, name: str) -> Path:
        return self.folder / "media" / Path(name).name

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            **self.result.as_dict(),
            "state": self.result.state,
            "at_fault": self.result.at_fault,
            "prompt": self.prompt,
            "answer": self.answer,
            "verdict": self.verdict,
            "earlier_deliveries": self.earlier,
            "call_errors": dict(self.call_errors),
            "stage": self.stage,
            "delivered": [asdict(delivered) for delivered in self.delivered],
            "tool_calls": [asdict(call) for call in self.calls],
        }

    def _get_size(self, path: str) -> int:
        file = self.delivered_file(path)
        return file.stat().st_size if file else 0


@dataclass(frozen=True)
class RunReport:
    """The data of a complete run."""

    directory: Path
    plan: Plan
    results: list[Result]

    @classmethod
    def read_run(cls, run: RunDirectory) -> "RunReport":
        """Read a run.

        Raises:
            Problem: there is no run.
        """
        plan = run.read_plan()
        return cls(run.path, plan, results_of(plan, run))

    @property
    def summary(self) -> Summary:
        return summarize_results(self.results)

    @property
    def curves(self) -> Curves | None:
        """Accuracy against the length of tasks; None if they have no length."""
        return curves_of(self.results)

    def tasks(self) -> Iterator[tuple[str, list[Result]]]:
        """Task ids with their results, in the plan's order."""
        for task in self.plan.tasks:
            task_results = [result for result in self.results if result.task == task]
            if task_results:
                yield task, task_results

    def runs(self) -> Iterator[RunDetails]:
        for result in self.results:
            yield RunDetails(result, self.directory / (result.episode or "missing"))

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            "run": self.plan.as_dict(),
            "summary": self.summary.as_dict(),
            "by_task": {task: summarize_results(results).as_dict() for task, results in self.tasks()},
            "by_profile": {
                aspect: {word: summary.as_dict() for word, summary in aspect_summaries.items()}
                for aspect, aspect_summaries in break_down(self.results).items()
            },
            "by_turns": {name: third.as_dict() for name, third in by_turns(self.results).items()},
            "curves": self.curves.as_dict() if self.curves else None,
            "runs": [run.as_dict() for run in self.runs()],
        }


def leaves_of(verdict: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The leaves of a graded tree in its JSON form."""
    if not verdict["parts"]:
        yield verdict
    for part in verdict["parts"]:
        yield from leaves_of(part)


def _read_lines(path: Path) -> Iterator[Mapping[str, Any]]:
    """Read the objects of a file of JSON lines, as far as it exists and is complete."""
    with suppress(OSError):
        for line in path.read_bytes().splitlines():
            with suppress(ValueError):
                record = json.loads(line)
                if isinstance(record, dict):
                    yield record


def _read_list(path: Path) -> list[Mapping[str, Any]]:
    try:
        records = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return []
    return records if isinstance(records, list) else []


def _read_json(path: Path) -> dict[str, Any]:
    try:
        record = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}
