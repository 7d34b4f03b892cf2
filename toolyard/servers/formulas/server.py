"""The tools of the `formulas` server."""

from typing import Annotated

from pydantic import Field

from toolyard.kit.surface import make_server, tool
from toolyard.servers.formulas import engine
from toolyard.world import InFile

mcp = make_server("formulas", "Say for an agent what these tools are for, and where to begin.")


@tool(mcp)
def measure_formulas(
    path: Annotated[InFile, Field(description="Text file, relative to the workspace.")],
) -> engine.Measures:
    """Count lines, words and characters of a text file."""
    return engine.measure(path)
