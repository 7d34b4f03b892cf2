"""Run directories made in the process of a test."""

import json
from pathlib import Path
from typing import Any

from yardkit.sandbox.runs.attempts import Attempt, run_attempt
from yardkit.sandbox.runs.results import Result
from yardkit.sandbox.runs.run_directory import Plan, RunDirectory
from yardkit.world import save_text


def run_here(
    folder: Path,
    task: str,
    agent: str,
    settings: dict[str, str] | None = None,
    feedback: Any = "none",
    attempts: int = 1,
) -> Result:
    """Run one task with seed 0 as `yardkit run` does, but for the process of its own."""
    plan = Plan((task,), (0,), agent, settings or {}, 60.0, feedback=feedback, attempts=attempts)
    run = RunDirectory(folder)
    save_text(folder / "run.json", json.dumps(plan.as_dict()) + "\n")
    place = run.folder_of(task, 0).resolve()
    result = run_attempt(Attempt(task, 0, place, agent, plan.settings, 60.0, feedback=feedback, attempts=attempts))
    run.add_result(result)
    return result
