"""The solver in the dialect of GTA: a program whose `solution()` gives the answer."""

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from yardkit.kit.dialect import Text
from yardkit.kit.fenced_code import unfence_program
from yardkit.kit.surface import make_server, tool
from yardkit.servers.solver.engine import programs
from yardkit.world import Problem, current_world

mcp = make_server("solver", "Solves equations by Python code with SymPy, which runs in isolation.")

SECONDS = 20.0
_HEADER = "from sympy import symbols, Eq, solve\n"


@tool(mcp, name="Solver")
def solve(
    command: Annotated[
        str,
        Field(
            description="Python code, bare or in a Markdown block, that defines solution(), which returns the answer. "
            "sympy, numpy and scipy can be imported; files of the workspace can be read.",
            min_length=1,
            max_length=200_000,
        ),
    ],
) -> Text:
    """Run Python code that solves equations, and give what its solution() returns."""
    run = programs.run(_HEADER + unfence_program(command), current_world().files, SECONDS)
    if not run.output.strip():
        raise Problem("the code gave no answer; define solution() that returns it")
    return Text(str(replace(run, warnings="")))
