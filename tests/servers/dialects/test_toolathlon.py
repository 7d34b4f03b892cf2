"""The dialect of Toolathlon as a whole: its names and arguments, and servers that share a name."""

import json
from pathlib import Path

import pytest
from fastmcp import Client, FastMCP

from yardkit.kit.dialect import Text
from yardkit.kit.surface import make_server, tool
from yardkit.sandbox.serving.catalog import list_catalog
from yardkit.sandbox.serving.registry import chosen_servers
from yardkit.sandbox.serving.suite_server import SuiteServer
from yardkit.sandbox.serving.workspace_server import build_server, list_distinct_tools
from yardkit.world import Problem

TOOLS: dict[str, dict[str, list[str]]] = json.loads(Path(__file__).with_name("toolathlon_tools.json").read_text())
"""Every tool of its office servers by our server, with its arguments; those with a default end in ``?``."""


@pytest.mark.parametrize("server", chosen_servers(["all"], "toolathlon"))
def test_every_tool_of_the_server_is_there_and_takes_a_recorded_call(server: str) -> None:
    (entry,) = list_catalog([server], "toolathlon")
    assert sorted(listed_tool.name for listed_tool in entry.tools) == sorted(TOOLS[server])
    for dialect_tool in entry.tools:
        theirs = TOOLS[server][dialect_tool.name]
        assert {name.rstrip("?") for name in theirs} <= {name.rstrip("?") for name in dialect_tool.arguments}, (
            dialect_tool.name
        )
        needed = {name for name in dialect_tool.arguments if not name.endswith("?")}
        assert needed <= set(theirs), dialect_tool.name  # what they may leave out may be left out here


async def test_all_servers_together_offer_all_tools() -> None:
    servers = chosen_servers(["all"], "toolathlon")
    async with Client(build_server(servers, "toolathlon")) as client:
        listed = [listed_tool.name for listed_tool in await client.list_tools()]
    assert len(listed) == len(set(listed)) == sum(len(TOOLS[server]) for server in servers)


def _make_table_server(name: str) -> FastMCP[None]:
    server = make_server(name, "One of two servers with a tool of the same name.")

    @tool(server, name="add_table")
    def add_table(rows: int) -> Text:
        """Add a table."""
        if rows < 1:
            raise Problem(f"{rows} rows are none; give more")
        return Text(f"{rows} rows by {name}")

    @tool(server, name=f"read_{name}")
    def read() -> Text:
        """Read."""
        return Text(name)

    return server


async def test_tools_of_one_name_get_the_names_of_their_servers_before_it() -> None:
    suite = SuiteServer(list_distinct_tools([_make_table_server("words"), _make_table_server("decks")]), "")
    async with Client(suite) as client:
        names = [listed_tool.name for listed_tool in await client.list_tools()]
        assert sorted(names) == ["decks_add_table", "read_decks", "read_words", "words_add_table"]
        for name in ("words", "decks"):
            reply = await client.call_tool(f"{name}_add_table", {"rows": 2})
            assert reply.content[0].text == f"2 rows by {name}"
            failed = await client.call_tool(f"{name}_add_table", {"rows": 0}, raise_on_error=False)
            assert (failed.is_error, failed.content[0].text) == (True, "0 rows are none; give more")
            wrong = await client.call_tool(f"{name}_add_table", {"lines": 2}, raise_on_error=False)
            assert "It takes: rows" in wrong.content[0].text
