"""Matplotlib code that an agent wrote: run in isolation, its figure saved."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from yardkit.kit import pictures
from yardkit.kit.fenced_code import unfence_program
from yardkit.kit.pages import raster
from yardkit.kit.pages.svg import check_svg
from yardkit.programs.code_jail import FONTS_SEEN_AT
from yardkit.programs.runner import Completed, RunLimits, run_python
from yardkit.servers.plot.engine import isolated_program
from yardkit.servers.plot.engine.canvas import check_format
from yardkit.servers.plot.engine.spec import MAX_CANVAS_PIXELS
from yardkit.world import Problem, save_bytes
from yardkit.world.limits import check_bytes

MAX_OUTPUT = 5_000
_ERROR_LINES = 12
_FOLDER = "yardkit_figure"


@dataclass(frozen=True)
class Panel:
    """One set of axes, with its numbers of artists; bars are patches, scattered points are collections."""

    title: str
    x_label: str
    y_label: str
    x_range: list[float]
    y_range: list[float]
    artists: dict[str, int]
    legend: list[str]


@dataclass(frozen=True)
class CodeFigure:
    """What the code drew and printed."""

    panels: list[Panel]
    stdout: str
    seconds: float


def run(code: str, path: Path, workspace: Path, dpi: int | None = None, wall_s: float = 60.0) -> CodeFigure:
    """Run the code, which sees `workspace`, and save its figure as `path` (.png, .svg or .pdf).

    The figure is what ``solution()`` returns, else pyplot's current one, else the last that was saved.

    Raises:
        Problem: the code fails (with the end of its traceback), draws nothing, or passes a limit.
    """
    target = f"{_FOLDER}/figure.{check_format(path)}"
    call = (unfence_program(code), FONTS_SEEN_AT, target, dpi, MAX_CANVAS_PIXELS)
    program = Path(isolated_program.__file__).read_text("utf-8") + f"\n\nmain(*{call!r})\n"
    with tempfile.TemporaryDirectory(prefix="yardkit-plot-") as folder:
        limits = RunLimits(cpu_s=max(1, round(wall_s)), wall_s=wall_s)
        completed = run_python(program, workspace=workspace, collect=Path(folder), limits=limits)
        figure = Path(folder) / target
        if completed.exit_code != 0 or completed.timed_out or not figure.is_file():
            raise Problem(_describe_failure(completed))
        panels = _read_panels(figure.with_suffix(".json"))
        check_bytes(figure)
        _check_figure(figure)
        save_bytes(path, figure.read_bytes())
    return CodeFigure(panels, completed.stdout[:MAX_OUTPUT], round(completed.seconds, 2))


def _check_figure(figure: Path) -> None:
    """Make sure that the file is what its name says: the code could write any bytes, of a document for one.

    Raises:
        Problem: it is not.
    """
    try:
        if figure.suffix == ".png":
            pictures.run_picture_call(pictures.check_picture, figure, "PNG")
        elif figure.suffix == ".pdf":
            pictures.run_picture_call(raster.page_count, figure)
        else:
            check_svg(figure)
    except Problem as problem:
        raise Problem(
            f"the code returned no figure: {problem}; nothing was saved. Do not redefine savefig"
        ) from problem


def _describe_failure(completed: Completed) -> str:
    lines = completed.stderr.strip().splitlines()[-_ERROR_LINES:]
    reason = "\n".join(line[:300] for line in lines) or f"it ended with exit code {completed.exit_code}"
    output_note = f"\nIt printed: {completed.stdout[-500:].strip()}" if completed.stdout.strip() else ""
    return f"the code did not give a figure; correct it and run it again. The end of its errors:\n{reason}{output_note}"


def _read_panels(path: Path) -> list[Panel]:
    """What the run wrote about its figure; it is the agent's own word, so it is read strictly."""
    try:
        return TypeAdapter(list[Panel]).validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise Problem("the figure could not be described; do not write into 'yardkit_figure'") from error
