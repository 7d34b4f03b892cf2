"""The solver in the dialect of GTA: a program whose `solution()` gives the answer."""

from dataclasses import replace

from yardkit.kit.fenced_code import unfence_program
from yardkit.servers.solver.engine import programs
from yardkit.world import Problem, current_world

SECONDS = 20.0
_HEADER = "from sympy import symbols, Eq, solve\n"


def Solver(command: str) -> str:
    run = programs.run(_HEADER + unfence_program(command), current_world().files, SECONDS)
    if not run.output.strip():
        raise Problem("the code gave no answer; define solution() that returns it")
    return str(replace(run, warnings=""))
