"""Runs on ``mcp<2``, in an environment of its own: list the tools, make the calls, print what came as JSON.

The argument is JSON: ``{"command": [...]}`` or ``{"url": ..., "headers": {}}``, with ``"calls": [[tool, arguments]]``.
"""

import asyncio
import json
import sys
from importlib.metadata import version

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client


async def main() -> None:
    plan = json.loads(sys.argv[1])
    if "url" in plan:
        transport = streamablehttp_client(plan["url"], headers=plan["headers"])
    else:
        transport = stdio_client(StdioServerParameters(command=plan["command"][0], args=plan["command"][1:]))
    async with transport as streams, ClientSession(streams[0], streams[1]) as session:
        hello = await session.initialize()
        tools = await session.list_tools()
        results = [await session.call_tool(name, arguments) for name, arguments in plan["calls"]]
    report = {
        "sdk": version("mcp"),
        "protocol": hello.protocolVersion,
        "tools": [tool.name for tool in tools.tools],
        "results": [[result.isError, result.content[0].text, result.structuredContent] for result in results],
    }
    print(json.dumps(report))  # noqa: T201


asyncio.run(main())
