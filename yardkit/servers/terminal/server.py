"""The tools of the `terminal` server."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.terminal import engine
from yardkit.world import InDir, current_world

mcp = make_server(
    "terminal",
    "Run bash command lines on the files of the workspace, with pipes, redirections and loops, without "
    "network. Only files persist from one call to the next: their contents, names and executable bits, "
    "not their times and other permissions. list_commands shows the programs; Python and git are not among them.",
)


@tool(mcp, writes=True, destructive=True, idempotent=False)
def run_command(
    command: Annotated[
        str, Field(description="Bash command line, such as 'sort names.txt | uniq -c'.", max_length=engine.MAX_COMMAND)
    ],
    folder: Annotated[
        InDir, Field(description="Working directory, relative to the workspace.", validate_default=True)
    ] = Path(),
    time_limit_s: Annotated[float, Field(description="Time limit in seconds.", gt=0, le=120)] = 60.0,
) -> engine.CommandRun:
    """Run a bash command line in the workspace; its changes to files persist."""
    return engine.run_command(current_world(), command, folder, time_limit_s)


@tool(mcp)
def list_commands() -> engine.Commands:
    """List the programs that a command line can call.

    `date` gives the time of the workspace. Programs called by their path, such as /usr/bin/python3, the time formats
    of bash's printf, and the times of files (as in find -mtime) use the clock of the machine.
    """
    return engine.list_commands()
