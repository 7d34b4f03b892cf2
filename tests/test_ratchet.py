"""What must not grow: each limit holds, and what is better than its exception says makes the exception go down."""

from collections import Counter
from pathlib import Path

import grimp
from support import seconds
from support.ratchet import Ratchet

from yardkit.sandbox.tasks.suites import list_suites
from yardkit.sandbox.tasks.task import load_task

ROOMS = ("yardkit.state_init", "yardkit.evaluators", "yardkit.benchmarks")
"""Where the code of tasks is."""
READY = "yardkit.evaluators.leaves"
"""Its modules are imported when they are used, which no graph sees."""


def reach_modules(graph: grimp.ImportGraph, task: str) -> set[str]:
    """The modules of a task, and all those of the same packages that they import, directly or through others."""
    starts = tuple(f"{room}.{task.replace('/', '.')}" for room in ROOMS)
    waiting = [module for module in graph.modules if f"{module}.".startswith(tuple(f"{start}." for start in starts))]
    reached = set[str]()
    while waiting:
        module = waiting.pop()
        if module.startswith(ROOMS) and module not in reached:
            reached.add(module)
            waiting += graph.find_modules_directly_imported_by(module)
            waiting += graph.find_children(READY) if module == READY else ()
    return reached


def count_lines(module: str) -> int:
    path = seconds.ROOT / module.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return len(file.read_text("utf-8").splitlines())


def test_no_task_takes_more_lines_than_its_limit() -> None:
    graph = grimp.build_graph("yardkit", cache_dir=None)
    reached = {task.id: reach_modules(graph, task.id) for ids in list_suites().values() for task in map(load_task, ids)}
    tasks = Counter(module for modules in reached.values() for module in modules)
    measured = {
        task: sum(count_lines(module) for module in modules if tasks[module] == 1) for task, modules in reached.items()
    }
    assert Ratchet.read_limit("task_lines").list_complaints(measured) == []


def test_the_recorded_seconds_keep_their_limits() -> None:
    folders = seconds.sum_folders(seconds.recorded_seconds(everything=False))
    assert Ratchet.read_limit("seconds").list_complaints(folders) == []
    assert Ratchet.read_limit("seconds_of_a_test").list_complaints(seconds.recorded_long_tests()) == []


def test_the_seconds_of_every_file_of_tests_are_recorded() -> None:
    unrecorded = " ".join(seconds.list_unrecorded_files())
    assert not unrecorded, f'nobody knows what these take: make seconds FILES="{unrecorded}"'


def test_a_ratchet_complains_of_what_grew_and_of_what_it_no_longer_needs(tmp_path: Path) -> None:
    (tmp_path / "limits.toml").write_text(
        '[seconds]\nlimit = 5\nslack = 1\n[seconds.exceptions]\n"slow" = 9\n"faster" = 9\n"quick" = 9\n"gone" = 9\n',
        "utf-8",
    )
    ratchet = Ratchet.read_limit("seconds", tmp_path / "limits.toml")
    assert ratchet.list_complaints({"new": 5, "slow": 8.2, "faster": 7, "quick": 4}) == [
        "faster has 7 seconds now: lower its exception from 9",
        "quick keeps the limit now: take it out of [seconds.exceptions]",
        "gone is gone: take it out of [seconds.exceptions]",
    ]
    assert ratchet.list_complaints({"new": 6, "slow": 10, "faster": 9, "quick": 9, "gone": 9}) == [
        "new has 6 seconds, over 5",
        "slow has 10 seconds, over 9",
    ]
