"""Solver programs: Python code with SymPy, run by the isolated runner."""

import math
import tempfile
from dataclasses import dataclass
from pathlib import Path

from yardkit.kit.fenced_code import unfence_program
from yardkit.programs.runner import RunLimits, run_python, shorten_output
from yardkit.world import Problem

_OUTPUT_BYTES = 40_000
_CALL = """

if callable(globals().get("solution")):
    print(solution())
"""


@dataclass(frozen=True)
class ProgramRun:
    """What a program gave.

    Attributes:
        output: what it printed, and what ``solution()`` returned.
        warnings: what it wrote on standard error.
        cut: it printed more than is shown; the middle is left out.
        seconds: that it ran.
    """

    output: str
    warnings: str
    cut: bool
    seconds: float

    def __str__(self) -> str:
        lines = [self.output.strip() or "(it printed nothing; print the result or return it from solution())"]
        if self.warnings.strip():
            lines.append(f"on standard error: {self.warnings.strip()}")
        if self.cut:
            lines.append(f"(of output and of errors at most {_OUTPUT_BYTES:,} bytes are shown)")
        return "\n".join(lines)


def run(code: str, workspace: Path, seconds: float) -> ProgramRun:
    """Run a program that may read the files of `workspace`; files that it writes are not kept.

    Raises:
        Problem: it failed (with its traceback) or took too long, or code cannot be isolated on this machine.
    """
    limits = RunLimits(cpu_s=max(1, math.ceil(seconds)), wall_s=seconds, output_bytes=_OUTPUT_BYTES)
    with tempfile.TemporaryDirectory(prefix="yardkit-solver-") as dropped:
        done = run_python(unfence_program(code) + _CALL, workspace=workspace, collect=Path(dropped), limits=limits)
    if done.exit_code != 0 or done.timed_out:
        output, errors = shorten_output(done.stdout.strip(), 2_000), shorten_output(done.stderr.strip(), 4_000)
        printed = f"\nIt had printed: {output}" if output else ""
        raise Problem(f"the program failed (exit code {done.exit_code}): {errors}{printed}")
    return ProgramRun(done.stdout, done.stderr, done.cut, done.seconds)
