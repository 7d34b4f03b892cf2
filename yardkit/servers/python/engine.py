"""Programs that an agent wrote, run on a copy of the workspace; what they wrote and removed is kept."""

import math
import mimetypes
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from yardkit.kit.fenced_code import unfence_program
from yardkit.programs.runner import Completed, RunLimits, run_python, shorten_output
from yardkit.world import FileRef, Problem, World
from yardkit.world.limits import check_bytes
from yardkit.world.wording import format_count

MAX_OUTPUT = 20_000
"""Characters of output and of errors in a result."""
MAX_NAMED = 50
"""Files that a result names of those that were saved, and of those that were removed."""
_MAX_SCRIPT_BYTES = 1_000_000
_AS_SCRIPT = """\
import runpy, sys
sys.argv = {arguments!r}
sys.path.insert(0, {folder!r})
runpy.run_path({script!r}, run_name="__main__")
"""


@dataclass(frozen=True)
class ProgramRun:
    """What a program did.

    Attributes:
        output: what it printed.
        errors: what it wrote on standard error, such as warnings.
        cut: it printed more than is shown; the middle is left out.
        saved: files of the workspace that it made or changed, at most 50; pictures are shown.
        saved_in_all: how many.
        removed: what it removed of the workspace, at most 50.
        seconds: that it ran.
    """

    output: str
    errors: str
    cut: bool
    saved: list[FileRef]
    saved_in_all: int
    removed: list[str]
    seconds: float

    def __str__(self) -> str:
        lines = [self.output.strip() or "(it printed nothing)"]
        if self.errors.strip():
            lines.append(f"on standard error: {self.errors.strip()}")
        if self.cut:
            lines.append(f"(of output and of errors at most {MAX_OUTPUT:,} characters are shown)")
        if self.saved:
            more = f" and {self.saved_in_all - len(self.saved)} more" if self.saved_in_all > len(self.saved) else ""
            lines.append(f"saved: {', '.join(file.path for file in self.saved)}{more}")
        if self.removed:
            lines.append(f"removed: {', '.join(self.removed)}")
        return "\n".join(lines)


def run_code(world: World, text: str, seconds: float) -> ProgramRun:
    """Run a program, with or without the Markdown fence around it.

    Raises:
        Problem: it is empty, failed (with its traceback; what it saved before stays), or passed a limit.
    """
    code = unfence_program(text)
    if not code.strip():
        raise Problem("the program is empty; give Python code that prints its result")
    return _run(world, code, seconds)


def run_script(world: World, script: Path, arguments: Sequence[str], seconds: float) -> ProgramRun:
    """Run a Python file of the workspace with arguments, as ``python file.py arguments`` in the workspace would.

    Raises:
        Problem: as `run_code`.
    """
    check_bytes(script, _MAX_SCRIPT_BYTES)
    name = world.to_relative(script)
    folder = str(Path(name).parent)
    code = _AS_SCRIPT.format(arguments=[name, *arguments], folder=folder, script=name)
    return _run(world, code, seconds)


def _run(world: World, code: str, seconds: float) -> ProgramRun:
    limits = RunLimits(cpu_s=math.ceil(seconds), wall_s=seconds, files=5_000, file_bytes=500_000_000)
    done = run_python(code, workspace=world.files, together=world.change_together, limits=limits)
    named_files = done.files[:MAX_NAMED]
    if done.exit_code or done.timed_out:
        raise Problem(_describe_failure(world, done))
    return ProgramRun(
        shorten_output(done.stdout, MAX_OUTPUT),
        shorten_output(done.stderr, MAX_OUTPUT),
        done.cut or max(len(done.stdout), len(done.stderr)) > MAX_OUTPUT,
        [FileRef(world.to_relative(path), _media_type(path), path.stat().st_size) for path in named_files],
        len(done.files),
        [world.to_relative(path) for path in done.removed[:MAX_NAMED]],
        round(done.seconds, 2),
    )


def _media_type(path: Path) -> str:
    return mimetypes.guess_type(path.name)[0] or "application/octet-stream"


def _describe_failure(world: World, done: Completed) -> str:
    errors = shorten_output(done.stderr.strip(), 4_000)
    messages = [f"the program failed (exit code {done.exit_code}): {errors or 'it said nothing'}"]
    if done.stdout.strip():
        messages.append(f"It had printed: {shorten_output(done.stdout.strip(), 2_000)}")
    if done.files or done.removed:
        changed = [world.to_relative(path) for path in [*done.files, *done.removed]]
        messages.append(f"{format_count(len(changed), 'file')} changed before, such as {', '.join(changed[:5])}")
    return "\n".join(messages)
