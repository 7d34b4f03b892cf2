"""The tools of the `python` server."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.python import engine
from yardkit.world import InFile, current_world

mcp = make_server(
    "python",
    "Runs Python programs in the workspace: they read and write its files by relative paths and have the installed "
    "packages (numpy, pandas where it is there, openpyxl, Pillow ...), but no network. Each run is a new program.",
)

Seconds = Annotated[float, Field(description="Seconds that it may run.", gt=0, le=120)]


@tool(mcp, writes=True, destructive=True, idempotent=False)
def run_python(
    code: Annotated[str, Field(description="Python program that prints its result.", max_length=900_000)],
    time_limit_s: Seconds = 60.0,
) -> engine.ProgramRun:
    """Run a Python program; files that it makes, changes or removes in the current folder are so in the workspace."""
    return engine.run_code(current_world(), code, time_limit_s)


@tool(mcp, writes=True, destructive=True, idempotent=False)
def run_python_file(
    path: Annotated[InFile, Field(description="Python file, relative to the workspace.")],
    arguments: Annotated[
        list[Annotated[str, Field(max_length=10_000)]],
        Field(description="Words that it finds in sys.argv.", max_length=100),
    ] = [],  # noqa: B006 - never changed
    time_limit_s: Seconds = 60.0,
) -> engine.ProgramRun:
    """Run a Python file of the workspace, in the workspace; it may import the files beside it."""
    return engine.run_script(current_world(), path, arguments, time_limit_s)
