"""The tools of the `python` server."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.python import engine
from yardkit.world import InFile, current_world

mcp = make_server(
    "python",
    "Run Python programs in the workspace: they read and write its files by relative paths and can import "
    "the installed packages (numpy, pandas if installed, openpyxl, Pillow ...), without network. Each run "
    "is a new process.",
)

Seconds = Annotated[float, Field(description="Time limit in seconds.", gt=0, le=120)]


@tool(mcp, writes=True, destructive=True, idempotent=False)
def run_python(
    code: Annotated[str, Field(description="Python program that prints its result.", max_length=900_000)],
    time_limit_s: Seconds = 60.0,
) -> engine.ProgramRun:
    """Run a Python program in the workspace; its changes to files persist."""
    return engine.run_code(current_world(), code, time_limit_s)


@tool(mcp, writes=True, destructive=True, idempotent=False)
def run_python_file(
    path: Annotated[InFile, Field(description="Python file, relative to the workspace.")],
    arguments: Annotated[
        list[Annotated[str, Field(max_length=10_000)]],
        Field(description="Command-line arguments (sys.argv).", max_length=100),
    ] = [],  # noqa: B006 - never changed
    time_limit_s: Seconds = 60.0,
) -> engine.ProgramRun:
    """Run a Python file in the workspace; it can import modules next to it."""
    return engine.run_script(current_world(), path, arguments, time_limit_s)
