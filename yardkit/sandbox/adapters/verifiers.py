"""verifiers: ``vf-eval yardkit_episodes ...``, a taskset over instances of suites and tasks.

Harnesses of verifiers get tool servers as fixed addresses before an episode exists. So a separate toolset forwards
calls to the episode of its rollout.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any, cast

import verifiers.v1 as vf
from anyio import to_thread
from mcp.types import CallToolResult, Tool
from verifiers.v1.harnesses.utils.mcp import mcp_client
from verifiers.v1.state import State

from yardkit.sandbox.adapters.yard import get_yard
from yardkit.world import Unavailable


class EpisodeState(State):
    """The episode of a rollout."""

    episode: str = ""
    mcp: dict[str, Any] = {}


class Tools(vf.Toolset[vf.SharedToolsetConfig, EpisodeState]):
    """The tools of the rollout's episode, as the episode itself lists them."""

    TOOL_PREFIX = None

    def register(self, mcp: object) -> None:
        server = cast("Any", mcp)
        server.list_tools = self._with_state(self.list_tools)
        server.call_tool = self._with_state(self.call_tool)

    async def list_tools(self) -> list[Tool]:
        async with mcp_client(self.state.mcp) as client:
            return list((await client.list_tools()).tools)

    async def call_tool(self, name: str, arguments: dict[str, Any], context: object = None) -> CallToolResult:
        async with mcp_client(self.state.mcp) as client:
            return cast("CallToolResult", await client.call_tool(name, arguments))


class EpisodesConfig(vf.TasksetConfig):
    """Which instances, and whether their episodes stay in the run directory of the gateway."""

    tasks: list[str] = ["quickstart"]
    seeds: int = 1
    keep: bool = False
    tools: vf.SharedToolsetConfig = vf.SharedToolsetConfig()


class EpisodeData(vf.TaskData):
    """One instance."""

    task: str
    seed: int
    keep: bool


class EpisodeTask(vf.Task[EpisodeData, EpisodeState]):
    """Opens an episode, lets the harness work on it, and grades it."""

    async def setup(self, trace: Any, runtime: Any) -> None:
        opened = await _in_thread(get_yard().open, self.data.task, self.data.seed)
        trace.state.episode = opened.id
        trace.state.mcp = {"url": opened.mcp_url, "headers": opened.headers}

    @vf.reward(weight=1.0)
    async def yardkit(self, trace: Any) -> float:
        """The reward of the episode; one that is invalid through no fault of the agent is an error of the rollout."""
        grade = await _in_thread(get_yard().grade, trace.state.episode, trace.last_reply or "")
        trace.info["yardkit"] = grade
        if not self.data.keep:
            await _in_thread(get_yard().delete, trace.state.episode)
        if not grade["valid"]:
            raise Unavailable(f"the episode {trace.state.episode} is invalid: {grade}")
        return float(grade["reward"])


class EpisodesTaskset(vf.Taskset[EpisodeTask, EpisodesConfig]):
    """The instances that the configuration names."""

    @classmethod
    def toolsets(cls, config: EpisodesConfig) -> list[Tools]:
        return [Tools(config.tools)]

    def load(self) -> Iterator[EpisodeTask]:
        for instance in get_yard().list_instances(self.config.tasks, self.config.seeds):
            task, seed = instance["task"], instance["seed"]
            data = EpisodeData(
                task=task, seed=seed, keep=self.config.keep, name=f"{task}:{seed}", prompt=instance["prompt"]
            )
            yield EpisodeTask(data, self.config.task)


async def _in_thread(work: Any, *arguments: Any) -> Any:
    return await to_thread.run_sync(partial(work, *arguments))


__all__ = ["EpisodesTaskset"]

if __name__ == "__main__":
    Tools.run()
