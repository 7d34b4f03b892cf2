"""Suites: the list of tasks, and finding tasks by name."""

from difflib import get_close_matches

from yardkit.sandbox.tasks.task import FIXTURES, Task, load_task
from yardkit.world import Problem


def list_suites() -> dict[str, list[str]]:
    """List task ids by suite, both in name order."""
    tasks_by_suite: dict[str, list[str]] = {}
    for path in sorted(FIXTURES.glob("*/*/task.toml")):
        suite, name = path.parts[-3], path.parts[-2]
        tasks_by_suite.setdefault(suite, []).append(f"{suite}/{name}")
    return tasks_by_suite


def find_tasks(names: list[str]) -> list[Task]:
    """Find the tasks that suites, task ids or bare task names select, in order and without repeats.

    Each may have parameters, as in ``lore/documents@ops=50``; those of a suite apply to each of its tasks.

    Raises:
        Problem: a name is unknown (the message suggests similar ones), or a parameter is wrong.
    """
    by_suite = list_suites()
    known = [task for tasks in by_suite.values() for task in tasks]
    ids: list[str] = []
    for name in names:
        base, at, parameters = name.partition("@")
        matches = by_suite.get(base) or [task for task in known if base in (task, task.split("/")[1])]
        if not matches:
            near = get_close_matches(
                base, [*by_suite, *known, *(task.split("/")[1] for task in known)], n=3, cutoff=0.7
            )
            hint = f"did you mean {', '.join(near)}?" if near else f"suites: {', '.join(by_suite) or 'none'}"
            raise Problem(f"there is no suite or task {base!r}; {hint}")
        ids += [load_task(task + at + parameters).id for task in matches]
    return [load_task(task) for task in dict.fromkeys(ids)]


def find_task(name: str) -> Task:
    """Find the one task that `name` selects.

    Raises:
        Problem: there is none, or there are several.
    """
    matching_tasks = find_tasks([name])
    if len(matching_tasks) != 1:
        raise Problem(f"{name!r} matches {len(matching_tasks)} tasks; name one, such as {matching_tasks[0].id}")
    return matching_tasks[0]


def dialects_of_tasks() -> list[str]:
    """List the dialects in which tasks offer their tools, first the servers' own, given as an empty name."""
    return sorted({"", *(load_task(task).dialect for tasks in list_suites().values() for task in tasks)})
