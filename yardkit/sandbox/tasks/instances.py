"""Selecting instances of tasks: by names, domains, and a grid of parameter values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from yardkit.sandbox.tasks.parameters import iter_combinations, settle_parameters, split_name
from yardkit.sandbox.tasks.suites import find_tasks
from yardkit.sandbox.tasks.task import Task, load_task
from yardkit.world import Problem

Dials = Mapping[str, Sequence[str]]
"""Values by the name of a parameter, as text."""


@dataclass(frozen=True)
class _Refusal:
    """Why a task cannot take a value of a parameter; `lacks` if it does not even have the parameter."""

    task: str
    parameter: str
    why: str
    lacks: bool

    def __str__(self) -> str:
        return f"{self.task} has no parameter {self.parameter!r}" if self.lacks else f"{self.task}: {self.why}"


def expand_instances(names: Sequence[str], domains: Sequence[str], dials: Dials) -> tuple[list[Task], list[str]]:
    """List every task in every combination of values that it can take, and what was left out, with the reasons.

    With several tasks, values that one of them cannot take are left out for it, as is a task that can take none of the
    values of a parameter.

    Args:
        names: suites, task ids or bare task names.
        domains: only the tasks with these names; empty: all.
        dials: values of parameters, which override those in `names`.

    Raises:
        Problem: a task or domain does not exist, no task can take a value, or no task can take values of all
            parameters.
    """
    tasks = _of_domains(find_tasks(list(names)), domains)
    refused = _collect_refusals(tasks, dials)
    chosen: dict[str, None] = {}
    for task in tasks:
        fitting = {
            name: [text for text in values if (task.id, name, text) not in refused] for name, values in dials.items()
        }
        base, given = split_name(task.id)
        for values in iter_combinations(fitting):
            assignments = ",".join(f"{name}={value}" for name, value in {**given, **values}.items())
            chosen[load_task(f"{base}@{assignments}" if assignments else base).id] = None
    reasons = list(dict.fromkeys(map(str, refused.values())))
    if not chosen:
        raise Problem(f"no task can take all of these: {'; '.join(reasons)}")
    return [load_task(name) for name in chosen], reasons


def _of_domains(tasks: list[Task], domains: Sequence[str]) -> list[Task]:
    known = list(dict.fromkeys(task.name for task in tasks))
    for domain in domains:
        if domain not in known:
            close = get_close_matches(domain, known, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise Problem(f"there is no domain {domain!r} in what is named.{hint} Domains: {', '.join(known)}")
    return [task for task in tasks if not domains or task.name in domains]


def _collect_refusals(tasks: Sequence[Task], dials: Dials) -> dict[tuple[str, str, str], _Refusal]:
    """Collect the refusals by task, parameter and value, after checking that no value is refused by all tasks."""
    refusals_by_value: dict[tuple[str, str, str], _Refusal] = {}
    for name, value in ((name, value) for name, values in dials.items() for value in values):
        refusals = {task.id: refusal for task in tasks if (refusal := _find_refusal(task, name, value))}
        if len(refusals) == len(tasks):
            raise Problem(_explain_refusals(list(refusals.values())))
        refusals_by_value |= {(task, name, value): refusal for task, refusal in refusals.items()}
    return refusals_by_value


def _find_refusal(task: Task, name: str, value: str) -> _Refusal | None:
    base = split_name(task.id)[0]
    try:
        settle_parameters(base, task.parameters, {name: value})
    except Problem as problem:
        return _Refusal(base, name, str(problem), name not in task.values)
    return None


def _explain_refusals(refusals: Sequence[_Refusal]) -> str:
    """Explain why no task can take a value."""
    explained_refusals = [refusal for refusal in refusals if not refusal.lacks]
    if not explained_refusals and len(refusals) > 1:
        return f"none of {', '.join(asked.task for asked in refusals)} has a parameter {refusals[0].parameter!r}"
    explained_refusals = explained_refusals or list(refusals)
    if len({refusal.why for refusal in explained_refusals}) == 1:
        return explained_refusals[0].why
    return "; ".join(map(str, explained_refusals))
