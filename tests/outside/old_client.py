"""Runs on ``mcp<2``, in an environment of its own: list the tools, call one well and one badly, print what came."""

import asyncio
import json
import sys
from importlib.metadata import version

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client


async def main() -> None:
    if sys.argv[1].startswith("http"):
        transport = streamablehttp_client(sys.argv[1])
    else:
        transport = stdio_client(StdioServerParameters(command=sys.argv[1], args=sys.argv[2:]))
    async with transport as streams, ClientSession(streams[0], streams[1]) as session:
        hello = await session.initialize()
        tools = await session.list_tools()
        good = await session.call_tool("evaluate_expression", {"expression": "6 * 7"})
        bad = await session.call_tool("evaluate_expression", {"expression": "9**9**9"})
    report = {
        "sdk": version("mcp"),
        "protocol": hello.protocolVersion,
        "server": hello.serverInfo.name,
        "tools": [tool.name for tool in tools.tools],
        "good": [good.isError, good.content[0].text, good.structuredContent],
        "bad": [bad.isError, bad.content[0].text],
    }
    print(json.dumps(report))  # noqa: T201


asyncio.run(main())
