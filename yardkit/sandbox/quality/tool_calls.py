"""Calls of tools on the user's data, made as by a client, so that the results are those that an agent gets."""

import asyncio
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastmcp.exceptions import FastMCPError

from yardkit.sandbox.serving.registry import load_server, server_names
from yardkit.world import Problem, World, use_world


@dataclass
class ToolCaller:
    """Calls tools of one server in a folder, and records their times and failures.

    Attributes:
        server: the name of the server.
        folder: the workspace.
        options: arguments that go with each call.
        seconds: the time of each call that succeeded.
        failures: the error of each call that failed.
        model: the model that the results name.
    """

    server: str
    folder: Path
    options: dict[str, Any] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    model: str = ""

    def call(self, tool: str, path: Path | None = None, **arguments: Any) -> dict[str, Any] | None:
        """Call a tool on a file of the folder and return its result; None if it fails.

        Raises:
            Problem: the first call fails, so the others would, too.
        """
        if self.server not in server_names():
            raise Problem(f"there is no server {self.server!r} here; install yardkit with all its servers")
        named = {} if path is None else {"path": path.relative_to(self.folder).as_posix()}
        started = time.perf_counter()
        try:
            with use_world(World.open_user_folder(self.folder)):
                result = asyncio.run(
                    load_server(self.server).call_tool(tool, {**named, **self.options, **arguments})
                ).structured_content
        except FastMCPError as error:
            if not self.seconds:
                raise Problem(f"{tool}: {error}") from error
            self.failures.append(f"{path.name if path else tool}: {error}")
            return None
        self.seconds.append(time.perf_counter() - started)
        data: dict[str, Any] = result or {}
        self.model = _name_model(data) or self.model
        return data


def _name_model(data: dict[str, Any]) -> str:
    """The name of the model in a result."""
    origin = data.get("origin") or data.get("model") or data.get("reading") or ""
    if not isinstance(origin, dict):
        return str(origin)
    names = [str(origin.get(part, "")) for part in ("model", "backend", "quality")]
    return f"{names[0]} ({', '.join(filter(None, names[1:]))})"
