"""Which servers there are, without importing any of them."""

import importlib
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import toolyard
from toolyard.world import Problem

if TYPE_CHECKING:
    from fastmcp import FastMCP

ALL = "all"
"""Stands for every server where servers are named."""


def version() -> str:
    """The version of the installed distribution."""
    return metadata.version("toolyard")


@cache
def server_names() -> tuple[str, ...]:
    """The folders of ``toolyard/servers``: one per server, in name order."""
    folder = Path(toolyard.__file__).parent / "servers"
    return tuple(sorted(path.parent.name for path in folder.glob("*/server.py")))


def chosen_servers(names: Iterable[str]) -> list[str]:
    """The servers that `names` means, each once, in the order given; ``all`` is every server.

    Raises:
        Problem: there is no such server.
    """
    chosen: dict[str, None] = {}
    for name in names:
        chosen.update(dict.fromkeys(server_names() if name == ALL else [_checked(name)]))
    return list(chosen)


def load_server(name: str) -> "FastMCP[Any]":
    """The FastMCP object of one server.

    Raises:
        Problem: there is no such server.
    """
    server: FastMCP[Any] = importlib.import_module(f"toolyard.servers.{_checked(name)}.server").mcp
    return server


def purpose(name: str) -> str:
    """The docstring line of a server's package, without importing its surface."""
    module = importlib.import_module(f"toolyard.servers.{_checked(name)}")
    return (module.__doc__ or "").strip().partition("\n")[0]


def _checked(name: str) -> str:
    if name not in server_names():
        from difflib import get_close_matches

        close = get_close_matches(name, server_names(), n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise Problem(f"there is no server {name!r}.{hint} Servers: {', '.join(server_names())}")
    return name
