"""External agents as small programs, for ``command:``."""

import shlex
import sys
from pathlib import Path

LIST_AND_WRITE = """
import asyncio, json, os, sys
from pathlib import Path
from fastmcp import Client

async def main():
    config = json.loads(Path(sys.argv[1]).read_text())
    async with Client(config) as client:
        names = [tool.name for tool in await client.list_tools()]
        await client.call_tool("write_file", {"path": "made.txt", "content": "by an agent"})
    return names

print(len(asyncio.run(main())), "tools")
"""
"""Connects to the servers of an ``mcpServers`` file, lists the tools and writes ``made.txt``."""


def command_of(directory: Path, source: str, *words: str) -> str:
    """``command:...`` for a Python program with arguments, which may hold placeholders."""
    program = directory / "agent.py"
    program.write_text(source, "utf-8")
    return f"command:{shlex.join([sys.executable, str(program), *words])}"
