"""Generated tasks in memory, and an agent that reaches them through the tools of the server `lore` alone."""

import asyncio
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from fastmcp import Client

from yardkit.benchmarks.lore.generation.task import LoreTask
from yardkit.evaluators.proof import ToolFailed
from yardkit.sandbox.episodes.ledger import data_of, picture_of, text_of
from yardkit.sandbox.tasks.seeding import seed_task
from yardkit.sandbox.tasks.task import Task, load_task
from yardkit.servers.lore.server import mcp
from yardkit.world import skip_syncing, use_world


def generate_task(name: str, seed: int) -> tuple[Task, LoreTask]:
    """A task of the suite by its name with parameters, and one of its instances."""
    task = load_task(name)
    domain = import_module(f"yardkit.state_init.{task.suite}.{task.name}")
    return task, domain.generate_task(random.Random(f"{task.id}:{seed}"), **task.values)


@contextmanager
def open_instance(root: Path, name: str, seed: int) -> Iterator[tuple["ToolAgent", Mapping[str, Any]]]:
    """An instance seeded at `root`: an agent with its prompt and the tools, and the facts."""
    with skip_syncing():
        seeded = seed_task(load_task(name), seed, root)
    with use_world(seeded.world), asyncio.Runner() as runner:
        client = Client(mcp)
        runner.run(client.__aenter__())
        try:
            yield ToolAgent(seeded.prompt, client, runner), seeded.facts
        finally:
            runner.run(client.__aexit__(None, None, None))


class ToolAgent:
    """The solver's view, without an episode around it."""

    def __init__(self, prompt: str, client: Client[Any], runner: asyncio.Runner) -> None:
        self.prompt = prompt
        self.calls = 0
        self._client = client
        self._runner = runner

    def call(self, tool: str, /, **arguments: Any) -> Mapping[str, Any]:
        result = self._call_tool(tool, arguments)
        return data_of(result.content, result.structured_content)

    def text(self, tool: str, /, **arguments: Any) -> str:
        return text_of(self._call_tool(tool, arguments).content)

    def look(self, tool: str, /, **arguments: Any) -> tuple[str, bytes]:
        content = self._call_tool(tool, arguments).content
        return text_of(content), picture_of(content)

    def _call_tool(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        self.calls += 1
        result = self._runner.run(self._client.call_tool(tool, dict(arguments), raise_on_error=False))
        if result.is_error:
            raise ToolFailed(text_of(result.content))
        return result
