"""Inspect: ``inspect eval yardkit/episodes -T tasks=quickstart -T seeds=2 --model ...``.

`make_task` makes the task, with one sample per instance. `open_episode`, `work_on_episode` and `grade_episode` are its
parts, for building your own tasks; `tools_of` gives any other agent the tools of a sample's episode.
"""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any, Self

from anyio import to_thread
from inspect_ai import Task, task
from inspect_ai.agent import Agent, as_solver, react
from inspect_ai.dataset import Sample
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import MCPServer, mcp_server_http
from pydantic import BaseModel

from yardkit.sandbox.adapters.yard import Opened, get_yard

EPISODE = "yardkit_episode"
"""Where the store of a sample has its `EpisodeHandle` episode."""
# Longer than the limit of a call in the gateway (`CALL_S`), which ends it with a readable error first.
_CALL_S = 600


class EpisodeHandle(BaseModel):
    """The episode of a sample. A copy, as `inspect_ai.solver.fork` makes one, is forked before it is used."""

    id: str
    token: str
    mcp_url: str
    forked: bool = False

    @classmethod
    def of(cls, opened: Opened) -> Self:
        return cls(id=opened.id, token=opened.token, mcp_url=opened.mcp_url)

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        return self.model_copy(update={"forked": True})


@task(name="episodes")
def make_task(tasks: str = "quickstart", seeds: int = 1, keep: bool = True) -> Task:
    """Make an Inspect task of the instances of suites and tasks.

    Args:
        tasks: suites and tasks, comma-separated.
        seeds: instances of each task, from seed 0 on.
        keep: leave the episodes in the run directory of the gateway.
    """
    samples = [
        Sample(
            id=f"{instance['task']}:{instance['seed']}",
            input=instance["prompt"],
            metadata={"task": instance["task"], "seed": instance["seed"], "servers": instance["servers"]},
        )
        for instance in get_yard().list_instances(tasks, seeds)
    ]
    return Task(
        dataset=samples,
        setup=open_episode(),
        solver=work_on_episode(),
        scorer=grade_episode(),
        cleanup=None if keep else _remove_episode,
    )


@solver
def open_episode() -> Solver:
    """Open the episode of a sample, whose metadata has ``task`` and ``seed``."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        opened = await _in_thread(get_yard().open, state.metadata["task"], state.metadata["seed"])
        state.store.set(EPISODE, EpisodeHandle.of(opened))
        return state

    return solve


@solver
def work_on_episode() -> Solver:
    """Let Inspect's ``react`` agent work on the episode; its last message is the answer."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        agent: Agent = react(tools=[await tools_of(state)])
        return await as_solver(agent)(state, generate)

    return solve


async def tools_of(state: TaskState) -> MCPServer:
    """The tools of a sample's episode, for any agent of Inspect."""
    episode_handle = await _get_episode(state)
    return mcp_server_http(
        name="yardkit",
        url=episode_handle.mcp_url,
        authorization=episode_handle.token,
        timeout=_CALL_S,
        sse_read_timeout=_CALL_S,
    )


@scorer(metrics=[mean(), stderr()])
def grade_episode() -> Scorer:
    """The reward of the episode; a sample whose grade is invalid through no fault of the agent is left unscored."""

    async def score(state: TaskState, target: Target) -> Score:
        episode_handle = await _get_episode(state)
        answer = state.output.completion
        grade = await _in_thread(get_yard().grade, episode_handle.id, answer)
        if not grade["valid"]:
            return Score(value=math.nan, answer=answer, reason="environment_invalid", metadata=grade)
        return Score(value=grade["reward"], answer=answer, metadata=grade)

    return score


async def _remove_episode(state: TaskState) -> None:
    if state.store.get(EPISODE) is not None:
        await _in_thread(get_yard().delete, (await _get_episode(state)).id)


async def _get_episode(state: TaskState) -> EpisodeHandle:
    """The episode of a state; that of a forked state is forked first."""
    episode_handle: EpisodeHandle = state.store.get(EPISODE)
    if episode_handle.forked:
        episode_handle = EpisodeHandle.of(await _in_thread(get_yard().fork, episode_handle.id))
        state.store.set(EPISODE, episode_handle)
    return episode_handle


async def _in_thread(work: Any, *arguments: Any) -> Any:
    return await to_thread.run_sync(partial(work, *arguments))


__all__: Sequence[str] = ["grade_episode", "make_task", "open_episode", "tools_of", "work_on_episode"]
