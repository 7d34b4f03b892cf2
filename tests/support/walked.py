"""A pytest plugin that holds each tool call of the tests to what the gateway believes of it.

    PYTHONPATH=tests .venv/bin/pytest -p support.walked tests/servers

After a call the hash of the world, brought up to date by what was noted and by the stamps of folders, must be that of a
walk from nothing; after a tool that only reads and noted nothing, it must be what it was.
"""

from typing import Any

import pytest

from yardkit.kit.surface import YardTool
from yardkit.world import Problem, World, current_world
from yardkit.world.guard import Changes, use_guard
from yardkit.world.hashing import TreeHasher


@pytest.fixture(autouse=True)
def _walked(monkeypatch: pytest.MonkeyPatch) -> None:
    run = YardTool.run

    async def walked(tool: YardTool, arguments: dict[str, Any]) -> Any:
        try:
            world = current_world()
        except Problem:
            return await run(tool, arguments)
        hasher, changes = TreeHasher(replaced=True), Changes()
        before = world.state_hash(hasher)
        try:
            with use_guard(changes=changes):
                return await run(tool, arguments)
        finally:
            assert _hash_after_call(world, hasher, changes, before, tool) == world.state_hash(), (
                f"{tool.name}: {arguments}"
            )

    monkeypatch.setattr(YardTool, "run", walked)


def _hash_after_call(world: World, hasher: TreeHasher, changes: Changes, before: str, tool: YardTool) -> str:
    if tool.annotations and tool.annotations.read_only_hint and not changes:
        return before
    hasher.mark_changed(changes.take_noted())
    return world.state_hash(hasher)
