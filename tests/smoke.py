"""List the tools of the portable servers and call one of each, as a client does: `make smoke`, on any system."""

import asyncio
import sys
import tempfile
from pathlib import Path

from fastmcp import Client
from fastmcp.client.transports import StdioTransport

SERVERS = ("files", "sheets", "calculator")
"""Those that need nothing but Python packages."""


async def call_portable_servers(workspace: Path) -> str:
    """What was listed and computed; a tool error or a missing answer ends the program with its traceback."""
    command = ["serve", *SERVERS, "--workspace", str(workspace)]
    async with Client(StdioTransport(str(Path(sys.executable).with_name("yardkit")), command)) as client:
        tools = await client.list_tools()
        await client.call_tool("write_file", {"path": "note.txt", "content": "Harbour"})
        rows = [["Region", "Tonnes"], ["Harbour", 12]]
        await client.call_tool("write_cells", {"path": "plan.xlsx", "sheet": "Q1", "rows": rows})
        cells = await client.call_tool("read_cells", {"path": "plan.xlsx", "sheet": "Q1"})
        result = await client.call_tool("evaluate_expression", {"expression": "12 * 7"})
    assert (workspace / "note.txt").read_text("utf-8") == "Harbour"
    assert "Harbour" in str(cells.content)
    assert "84" in str(result.content)
    return f"{len(tools)} tools of {', '.join(SERVERS)}; one of each was called"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(asyncio.run(call_portable_servers(Path(folder).resolve())) + "\n")
