"""The list of servers, found without importing any of them."""

import asyncio
import importlib
import tomllib
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yardkit
from yardkit.world import Problem

if TYPE_CHECKING:
    from fastmcp import FastMCP
    from fastmcp.tools import Tool

ALL = "all"
"""Stands for every server where servers are named."""


@dataclass(frozen=True)
class Offer:
    """The servers and tools offered to a client.

    Attributes:
        servers: the names of the servers.
        dialect: the dialect of the tools; empty for their own names.
        tools: only these tools of the servers, in this order; all if empty.
    """

    servers: tuple[str, ...]
    dialect: str = ""
    tools: tuple[str, ...] = ()


def get_version() -> str:
    """Return the version of the installed distribution."""
    return metadata.version("yardkit")


@cache
def server_names() -> tuple[str, ...]:
    """List the servers, which are the folders of ``yardkit/servers``, in name order."""
    folder = Path(yardkit.__file__).parent / "servers"
    return tuple(sorted(path.parent.name for path in folder.glob("*/server.py")))


@cache
def list_groups() -> dict[str, tuple[str, ...]]:
    """Map the groups of servers, in name order, to their servers."""
    words = {name: group_of(name) for name in server_names()}
    return {group: tuple(name for name in words if words[name] == group) for group in sorted(set(words.values()))}


def group_of(name: str) -> str:
    """The group of a server: ``GROUP`` in its package."""
    group: str = importlib.import_module(f"yardkit.servers.{name}").GROUP
    return group


def server_modules() -> tuple[str, ...]:
    """List the modules of all servers, for a process to load before it forks others."""
    return tuple(f"yardkit.servers.{name}.server" for name in server_names())


@cache
def list_dialects(server: str) -> tuple[str, ...]:
    """List the suites in ``yardkit/compat`` whose names and formats a server speaks."""
    folder = Path(yardkit.__file__).parent / "compat"
    return tuple(sorted(path.parts[-3] for path in folder.glob(f"*/schemas/{server}.json")))


def chosen_servers(names: Iterable[str], dialect: str = "") -> list[str]:
    """Return the servers that `names` select, each once, in the given order: names of servers or groups, or ``all``.

    With a `dialect`, groups and ``all`` select only the servers that have it.

    Raises:
        Problem: a server or group does not exist, or does not have the dialect.
    """
    chosen: dict[str, None] = {}
    for name in names:
        several = server_names() if name == ALL else list_groups().get(name, ())
        speaking = [server for server in several if not dialect or dialect in list_dialects(server)]
        chosen.update(dict.fromkeys(speaking or [_check_server(several[0] if several else name, dialect)]))
    return list(chosen)


@cache
def load_selections() -> dict[str, Offer]:
    """Load what each suite in ``yardkit/compat`` offers together: servers or tools, by its names."""
    files = sorted((Path(yardkit.__file__).parent / "compat").glob("*/selections.toml"))
    return {
        name: _make_selection(file.parent.name, **facts)
        for file in files
        for name, facts in tomllib.loads(file.read_text("utf-8")).items()
    }


def _make_selection(dialect: str, servers: Sequence[str] = (ALL,), tools: Sequence[str] = ()) -> Offer:
    return Offer(tuple(chosen_servers(servers, dialect)), dialect, tuple(tools))


def chosen_offer(names: Sequence[str], dialect: str = "", tools: Sequence[str] = ()) -> Offer:
    """Return the offer that `names` select, by default all servers: as for `chosen_servers`, or selections.

    Raises:
        Problem: a name is unknown, or selections are combined with other dialects or servers, or share the name of a
            tool.
    """
    selected = [load_selections()[name] for name in names if name in load_selections()]
    if not selected:
        return Offer(tuple(chosen_servers(names or [ALL], dialect)), dialect, tuple(tools))
    spoken = {offer.dialect for offer in selected} | ({dialect} if dialect else set())
    if len(selected) < len(names) or len(spoken) > 1:
        raise Problem(
            f"a selection of tools ({', '.join(load_selections())}) is offered alone, or with another of its dialect"
        )
    offer = selected[0] if len(selected) == 1 else _combine_offers(selected)
    if offer.tools and (strange := [tool for tool in tools if tool not in offer.tools]):
        raise Problem(f"{strange[0]!r} is not in {' '.join(names)}; it has {', '.join(offer.tools)}")
    return replace(offer, tools=tuple(tools) or offer.tools)


def _combine_offers(selected: Sequence[Offer]) -> Offer:
    """Several selections of one dialect as one offer."""
    servers = tuple(dict.fromkeys(name for offer in selected for name in offer.servers))
    combined_offer = Offer(servers, selected[0].dialect)
    if not any(offer.tools for offer in selected):
        return combined_offer
    names = {name: [tool.name for tool in tools_of(load_server(name, combined_offer.dialect))] for name in servers}
    tools = dict.fromkeys(
        tool for offer in selected for tool in offer.tools or (tool for name in offer.servers for tool in names[name])
    )
    for tool in tools:
        having = [name for name in servers if tool in names[name]]
        if len(having) > 1:
            raise Problem(f"{tool!r} is a tool of {' and of '.join(having)}; serve these selections one by one")
    return replace(combined_offer, tools=tuple(tools))


def load_server(name: str, dialect: str = "") -> "FastMCP[Any]":
    """Load the FastMCP object of one server, under its own names or in a dialect.

    Raises:
        Problem: the server does not exist, or does not have the dialect.
    """
    _check_server(name, dialect)
    if dialect:
        # By its name: whoever serves our own tools need not load the other suites' code.
        server: FastMCP[Any] = importlib.import_module("yardkit.compat.dispatcher").load_dialect(dialect, name)
    else:
        server = importlib.import_module(f"yardkit.servers.{name}.server").mcp
    return server


def tools_of(server: "FastMCP[Any]") -> "list[Tool]":
    """Return the tools of a server, for blocking code."""
    with ThreadPoolExecutor(1) as thread:  # this thread may already have a running event loop
        return list(thread.submit(asyncio.run, server.list_tools()).result())


def read_purpose(name: str) -> str:
    """Read the docstring of a server's package without importing its tools."""
    module = importlib.import_module(f"yardkit.servers.{_check_server(name)}")
    return (module.__doc__ or "").strip().partition("\n")[0]


def _check_server(name: str, dialect: str = "") -> str:
    known = sorted({other for server in server_names() for other in list_dialects(server)})
    if dialect and dialect not in known:
        raise Problem(f"there is no dialect {dialect!r}; dialects: {', '.join(known)}")
    if name not in server_names():
        from difflib import get_close_matches

        close = get_close_matches(name, [*server_names(), *list_groups(), *load_selections()], n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        kinds = {"Servers": server_names(), "Groups": list_groups(), "Selections": load_selections()}
        there = ". ".join(f"{kind}: {', '.join(known)}" for kind, known in kinds.items())
        raise Problem(f"there is no server {name!r}.{hint} {there}")
    if dialect and dialect not in list_dialects(name):
        speaking = ", ".join(server for server in server_names() if dialect in list_dialects(server))
        raise Problem(f"the server {name!r} has no dialect {dialect!r}; servers that have it: {speaking}")
    return name
