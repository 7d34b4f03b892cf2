"""Start `yardkit serve` as an MCP client does, over stdin and stdout, and call a tool."""

import asyncio
import sys

from fastmcp import Client
from fastmcp.client.transports import StdioTransport


async def main() -> None:
    server = StdioTransport(sys.executable, ["-m", "yardkit", "serve", "files", "calculator", "--workspace", "."])
    async with Client(server) as client:
        print([tool.name for tool in await client.list_tools()])
        result = await client.call_tool("evaluate_expression", {"expression": "19.99 * 12"})
        print(result.content[0].text)
        await client.call_tool("write_file", {"path": "total.txt", "content": "239.88 EUR\n"})


asyncio.run(main())
