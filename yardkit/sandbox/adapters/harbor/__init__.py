"""Harbor: tasks as directories that its agents, sandboxes and trainers take.

A task runs in three separate containers: the agent's, which contains nothing of Yardkit; the episode's, which serves
    its
tools over MCP; and the verifier's, which gets the episode's directory and grades it.
"""

import json
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from yardkit.sandbox.adapters.recording import Recording, record_solver
from yardkit.sandbox.tasks.task import Task
from yardkit.world import Problem, save_text

TOKEN = "YARDKIT_TOKEN"  # noqa: S105 - the name of a variable
IMAGE = "yardkit"
"""The image that docker/Dockerfile makes."""
ANSWER = "/logs/artifacts/answer.txt"
"""Where the agent writes its answer; Harbor hands that folder to the verifier."""
_PLACES = {
    "task.toml": "task.toml",
    "instruction.md": "instruction.md",
    "environment.Dockerfile": "environment/Dockerfile",
    "docker-compose.yaml": "environment/docker-compose.yaml",
    "verifier.Dockerfile": "tests/Dockerfile",
    "test.sh": "tests/test.sh",
    "solve.sh": "solution/solve.sh",
    "solve.py": "solution/solve.py",
}
"""What stands in ``files/`` -> where it goes."""


def export_task(task: Task, seed: int, output: Path, image: str = IMAGE) -> Path:
    """Write the Harbor task of one instance into a new folder below `output`, and return the folder.

    The solution repeats the calls of the task's own solver, which is run once to record them.

    Raises:
        Problem: the folder exists already, or the solver failed.
    """
    recording = record_solver(task, seed)
    name = f"{task.id.replace('/', '-').replace('_', '-').replace('@', '-').lower()}-{seed}"
    folder = output / "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in name)
    if folder.exists():
        raise Problem(f"{str(folder)!r} already exists; remove it, or name another --output")
    values = _list_values(task, seed, folder.name, image, recording)
    for source, target in _PLACES.items():
        text = resources.files(__name__).joinpath("files", source).read_text("utf-8")
        _write_text(folder / target, _fill_template(text, values))
    calls = [{"name": call.tool, "arguments": dict(call.arguments)} for call in recording.calls]
    _write_text(
        folder / "solution/calls.json", json.dumps({"calls": calls, "answer": recording.answer}, indent=1) + "\n"
    )
    return folder


def _list_values(task: Task, seed: int, name: str, image: str, recording: Recording) -> dict[str, str]:
    return {
        "NAME": name,
        "TASK": task.id,
        "SEED": str(seed),
        "TITLE": json.dumps(task.title, ensure_ascii=False),
        "DOMAIN": json.dumps(task.profile.domain),
        "DIFFICULTY": json.dumps(task.profile.difficulty),
        "PROMPT": recording.prompt,
        "IMAGE": image,
        "ANSWER": ANSWER,
        "TOKEN": TOKEN,
    }


def _fill_template(text: str, values: Mapping[str, Any]) -> str:
    for name, value in values.items():
        text = text.replace(f"<<{name}>>", value)
    return text


def _write_text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    save_text(path, text)
    if path.suffix == ".sh":
        path.chmod(0o755)
