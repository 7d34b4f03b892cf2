"""The plotter in the dialect of GTA: a program whose `solution()` gives a figure."""

import hashlib
from typing import Annotated

from pydantic import Field

from yardkit.kit.dialect import Delivered, choose_deliverable
from yardkit.kit.fenced_code import unfence_program
from yardkit.kit.surface import make_server, tool
from yardkit.servers.plot.engine import code
from yardkit.world import FileRef, current_world

mcp = make_server("plot", "Draws diagrams by Python code with Matplotlib, which runs in isolation.")

SECONDS = 20.0
_HEADER = "import matplotlib.pyplot as plt\n"


@tool(mcp, name="Plot", writes=True, destructive=True)
def plot(
    command: Annotated[
        str,
        Field(
            description="Python code, bare or in a Markdown block, that defines solution(), which returns the "
            "Matplotlib figure. Files of the workspace can be read.",
            min_length=1,
            max_length=200_000,
        ),
    ],
) -> Delivered:
    """Run Python code that draws a diagram, and save its figure as a PNG picture named after the code."""
    name = f"plot_{hashlib.sha256(command.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    path = choose_deliverable(name, ".png", None)
    code.run(_HEADER + unfence_program(command), path, current_world().files, wall_s=SECONDS)
    return Delivered(FileRef.from_path(path))
