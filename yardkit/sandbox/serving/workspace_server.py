"""Serving tools over one workspace: stdio for a client that starts us, HTTP for one that connects."""

import io
import os
import secrets
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from fastmcp import FastMCP
from fastmcp.tools import Tool

from yardkit.sandbox.serving.addresses import base_url, is_loopback, open_listener
from yardkit.sandbox.serving.broken_lines import answer_broken_lines
from yardkit.sandbox.serving.http_server import server_of
from yardkit.sandbox.serving.list_cost import MANY_TOKENS, list_cost
from yardkit.sandbox.serving.registry import Offer, load_server, tools_of
from yardkit.sandbox.serving.suite_server import SuiteServer
from yardkit.world import Problem, World, use_world


def build_server(names: Sequence[str], dialect: str = "", only: Sequence[str] = ()) -> FastMCP[Any]:
    """Build one FastMCP server with the tools of the named servers, or `only` those tools of them.

    Tool names are unique in the suite, so there are no prefixes. In a dialect they may not be: tools that share a name
    get the names of their servers as prefixes, as in ``slides_add_table``.

    Raises:
        Problem: the servers do not have one of the tools.
    """
    if len(names) == 1 and not only:
        return load_server(names[0], dialect)
    servers = [load_server(name, dialect) for name in names]
    tools = list(list_distinct_tools(servers))
    if only:
        tools = _pick_tools(tools, only)
        servers = [server for server in servers if set(only) & {tool.name for tool in list_distinct_tools([server])}]
    about = "\n".join(f"{server.name}: {server.instructions}" for server in servers)
    return SuiteServer(tools, about)


def _pick_tools(tools: Sequence[Tool], only: Sequence[str]) -> list[Tool]:
    by_name = {tool.name: tool for tool in tools}
    for name in only:
        if name not in by_name:
            close = get_close_matches(name, by_name, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise Problem(f"there is no tool {name!r}.{hint} `yardkit catalog` lists the tools of each server")
    return [by_name[name] for name in dict.fromkeys(only)]


def narrow_offer(offer: Offer) -> Offer:
    """Reduce an offer to the servers that have one of its tools, if it names any.

    Raises:
        Problem: the servers have no such tool.
    """
    if not offer.tools:
        return offer
    servers = {name: load_server(name, offer.dialect) for name in offer.servers}
    _pick_tools(list(list_distinct_tools(list(servers.values()))), offer.tools)
    having = (name for name, server in servers.items() if set(offer.tools) & {tool.name for tool in tools_of(server)})
    return replace(offer, servers=tuple(having))


def print_cost(server: FastMCP[Any]) -> None:
    """Print to stderr how many tools a client will see, and the cost of their list."""
    cost = list_cost(tools_of(server))
    advice = "; name fewer servers, a group, or single tools with --tools" if cost.tokens >= MANY_TOKENS else ""
    print(f"yardkit: {cost}{advice}", file=sys.stderr, flush=True)  # noqa: T201


def list_distinct_tools(servers: Sequence[FastMCP[Any]]) -> Iterator[Tool]:
    """List the tools of the servers; those that share a name get the server's name as prefix."""
    tools = [(server.name, tool) for server in servers for tool in tools_of(server)]
    count = Counter(tool.name for _, tool in tools)
    for server, tool in tools:
        shared = count[tool.name] > 1
        yield tool.model_copy(update={"name": f"{server}_{tool.name}"}) if shared else tool


def serve_stdio(server: FastMCP[Any], workspace: Path) -> None:
    """Serve on stdin and stdout until stdin closes. The cost of the list of tools is printed to stderr."""
    with use_world(World.open_user_folder(workspace)):
        print_cost(server)
        run_stdio(server)


def run_stdio(server: FastMCP[Any]) -> None:
    """Run `server` on stdin and stdout; the output of its tools' prints goes to stderr."""
    # The SDK redirects descriptor 1 to stderr while it serves. Text left in the buffer would reach stdout at the end.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    answer_broken_lines(server)
    server.run(transport="stdio", show_banner=False)


def serve_http(
    server: FastMCP[Any], workspace: Path, host: str, port: int, token: str = "", *, agentlego: bool = False
) -> None:
    """Serve at ``http://host:port/mcp`` until interrupted; port 0 picks a free one. The address and the cost of the
    list of tools are printed to stderr. With `agentlego` the tools are also at AgentLego's addresses.

    Without a token, anyone who reaches the port may call the tools, so only the loopback interface needs none.

    Raises:
        Problem: the host is not loopback and there is no token, or the address cannot be bound.
    """
    if not token and not is_loopback(host):
        raise Problem(
            f"{host!r} can be reached by other machines, so a token is needed; "
            "give --token, or set YARDKIT_TOKEN, or serve on 127.0.0.1"
        )
    world = World.open_user_folder(workspace)
    listener = open_listener(host, port)
    if token:
        server.auth = _make_token_verifier(token)
    address = f"{base_url(host, listener)}/mcp"
    print(f"yardkit: serving {world.files} at {address} (Ctrl-C stops)", file=sys.stderr, flush=True)  # noqa: T201
    if agentlego:
        from yardkit.sandbox.serving.agentlego.routes import add_agentlego

        add_agentlego(server, token)
        print(f"yardkit: for AgentLego's clients at {base_url(host, listener)}", file=sys.stderr, flush=True)  # noqa: T201
    print_cost(server)
    # A page in the user's browser must not reach us through a name that resolves to 127.0.0.1. On other interfaces we
    # do not know this machine's names: there "auto" checks requests over loopback, and the token protects the rest.
    protection: Any = True if is_loopback(host) else "auto"
    with use_world(world):
        app = server.http_app(path="/mcp", stateless_http=True, host_origin_protection=protection)
        server_of(app).run(sockets=[listener])


def _make_token_verifier(token: str) -> Any:
    from fastmcp.server.auth import AccessToken, TokenVerifier

    class OneToken(TokenVerifier):
        async def verify_token(self, presented: str) -> AccessToken | None:
            if not secrets.compare_digest(os.fsencode(presented), os.fsencode(token)):
                return None
            return AccessToken(token=presented, client_id="yardkit", scopes=[])

    return OneToken()
