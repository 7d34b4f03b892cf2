"""Yardkit: real MCP tool servers, seeded workspaces and proven evaluators for agents."""

from typing import Any

_HOMES = {
    "Episode": "yardkit.sandbox.episodes.episode",
    "Problem": "yardkit.world",
    "Reply": "yardkit.sandbox.episodes.replies",
    "World": "yardkit.world",
    "open_episode": "yardkit.sandbox.episodes.episode",
}
"""Where the public names stand; type checkers read `__init__.pyi`."""

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    # Lazy, so that `import yardkit.servers.files.engine` in another project does not load the sandbox.
    if name not in _HOMES:
        raise AttributeError(f"module 'yardkit' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)
