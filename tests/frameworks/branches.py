"""Runs in the environment of Inspect: two branches of a forked state write a file each; prints what each branch has."""

import json

import inspect_ai
from inspect_ai.dataset import Sample
from inspect_ai.solver import Generate, Solver, TaskState, fork, solver

from yardkit.sandbox.adapters.inspect_ai import EPISODE, open_episode, tools_of
from yardkit.sandbox.adapters.yard import get_yard

seen: list[list[str]] = []


def call_tool(state: TaskState, tool: str, arguments: dict[str, str]) -> str:
    body = {"name": tool, "arguments": arguments}
    return str(get_yard()._post_json(f"/e/{state.store.get(EPISODE).id}/call", body)["text"])


@solver
def write_file(name: str) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        await tools_of(state)
        call_tool(state, "write_file", {"path": name, "content": "mine"})
        return state

    return solve


@solver
def run_branches() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        call_tool(state, "write_file", {"path": "before.txt", "content": "of both"})
        for after in [*await fork(state, [write_file("one.txt"), write_file("two.txt")]), state]:
            listed = call_tool(after, "list_folder", {"path": "."})
            seen.append([name for name in ("before.txt", "one.txt", "two.txt") if name in listed])
        return state

    return solve


sample = Sample("work", metadata={"task": "quickstart/sort_inbox", "seed": 0})
inspect_ai.eval(
    inspect_ai.Task([sample], setup=open_episode(), solver=run_branches()), model="mockllm/model", log_dir="logs"
)
print(json.dumps(seen))
