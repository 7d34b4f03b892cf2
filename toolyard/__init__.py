"""Toolyard: real MCP tool servers, seeded workspaces and proven evaluators for agents."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolyard.sandbox.episode import Episode, Reply, open_episode
    from toolyard.world import Problem, World

__all__ = ["Episode", "Problem", "Reply", "World", "open_episode"]

_HOMES = {
    "Episode": "toolyard.sandbox.episode",
    "Problem": "toolyard.world",
    "Reply": "toolyard.sandbox.episode",
    "World": "toolyard.world",
    "open_episode": "toolyard.sandbox.episode",
}


def __getattr__(name: str) -> Any:
    # Lazy, so that `import toolyard.servers.files.engine` in another project does not load the sandbox.
    if name not in _HOMES:
        raise AttributeError(f"module 'toolyard' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)
