"""Solves tasks on a gateway at port 8080 with their own solvers, as `yardkit demo` does; a line of JSON for each."""

import asyncio
import json
import sys
from pathlib import Path

import httpx2
from fastmcp import Client
from support.gateways import Gateway, Opened

from yardkit.sandbox.tasks.suites import find_tasks

LIMIT_S = 300


async def list_offered_tools(episode: Opened) -> set[str]:
    """The tools that a client sees over MCP."""
    async with Client(episode.mcp_url, auth=episode.token) as client:
        return {tool.name for tool in await client.list_tools()}


def main(*names: str) -> None:
    with httpx2.Client(base_url="http://127.0.0.1:8080", timeout=LIMIT_S) as http:
        gateway = Gateway(http, Path())
        for task in find_tasks(list(names)):
            episode = gateway.open(task=task.id)
            assert asyncio.run(list_offered_tools(episode)) == {
                tool["name"] for tool in episode.get("tools").json()["tools"]
            }
            grade = gateway.grade(episode, str(task.proof().solve(episode))).raise_for_status().json()
            sys.stdout.write(json.dumps({"task": task.id, "reward": grade["reward"], "valid": grade["valid"]}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
