"""Runs with AgentLego, in an environment of its own: make calls with its RemoteTool, print what came as JSON.

The argument is JSON: ``{"url": ..., "calls": [[tool, arguments]]}``; an argument ``"$2"`` is what the second call gave.
"""

import json
import sys
from typing import Any

from agentlego.tools.remote import RemoteTool


def main() -> None:
    plan = json.loads(sys.argv[1])
    tools = {tool.name: tool for tool in RemoteTool.from_server(plan["url"])}
    given: list[Any] = []
    for name, arguments in plan["calls"]:
        resolved_arguments = {
            key: given[int(value[1:]) - 1] if str(value)[:1] == "$" else value for key, value in arguments.items()
        }
        try:
            given.append(tools[name](**resolved_arguments))
        except RuntimeError as error:
            given.append(f"error: {error}")
    print(json.dumps({"tools": sorted(tools), "results": given}))  # noqa: T201


main()
