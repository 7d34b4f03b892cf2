"""What must not grow: each limit holds, and what is better than its exception says makes the exception go down."""

import ast
from pathlib import Path

from support.ratchet import Ratchet

import yardkit
from yardkit.sandbox.tasks.suites import suites
from yardkit.sandbox.tasks.task import Task, load_task

ROOMS = Path(yardkit.__file__).parent


def task_files(task: Task) -> list[Path]:
    """The Python of a task in its rooms: its seed with what only seeds of its suite share, its checks and its proof."""
    seeds = ROOMS / "state_init" / task.suite
    tasks = {load_task(suite).name for suite in suites()[task.suite]}
    seed = seeds / f"{task.name}.py"
    names = {
        node.module.rsplit(".", 1)[-1]
        for node in ast.walk(ast.parse(seed.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and f"state_init.{task.suite}." in node.module
    }
    shared = [seeds / f"{name}.py" for name in sorted(names - tasks)]
    return [seed, *shared, *sorted((ROOMS / "evaluators" / task.suite / task.name).glob("**/*.py"))]


def line_count(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def test_no_task_takes_more_lines_than_its_limit() -> None:
    tasks = [load_task(task) for ids in suites().values() for task in ids]
    measured = {task.id: sum(map(line_count, task_files(task))) for task in tasks}
    assert Ratchet.of("task_lines").complaints(measured) == []


def test_a_ratchet_complains_of_what_grew_and_of_what_it_no_longer_needs(tmp_path: Path) -> None:
    (tmp_path / "limits.toml").write_text(
        '[seconds]\nlimit = 5\nslack = 1\n[seconds.exceptions]\n"slow" = 9\n"faster" = 9\n"quick" = 9\n"gone" = 9\n',
        "utf-8",
    )
    ratchet = Ratchet.of("seconds", tmp_path / "limits.toml")
    assert ratchet.complaints({"new": 5, "slow": 8.2, "faster": 7, "quick": 4}) == [
        "faster has 7 seconds now: lower its exception from 9",
        "quick keeps the limit now: take it out of [seconds.exceptions]",
        "gone is gone: take it out of [seconds.exceptions]",
    ]
    assert ratchet.complaints({"new": 6, "slow": 10, "faster": 9, "quick": 9, "gone": 9}) == [
        "new has 6 seconds, over 5",
        "slow has 10 seconds, over 9",
    ]
