"""Reports of a run as JSON, JUnit XML and one self-contained HTML page, and of several runs side by side."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from yardkit.sandbox.reports.collect import RunReport
from yardkit.sandbox.reports.comparison import as_json, as_markdown, as_page
from yardkit.sandbox.reports.junit import as_junit
from yardkit.sandbox.reports.page import as_html
from yardkit.sandbox.reports.side_by_side import Column, columns_of
from yardkit.sandbox.runs.run_directory import RunDirectory
from yardkit.world import save_text

Format = Literal["html", "json", "junit"]
ComparisonFormat = Literal["html", "json", "markdown"]

FILES: dict[Format, str] = {"html": "report.html", "json": "report.json", "junit": "junit.xml"}
"""The names of the reports in a run directory."""


def render_run(run: RunDirectory, form: Format) -> str:
    """Render the report of a run as text.

    Raises:
        Problem: there is no run.
    """
    return _RENDERERS[form](RunReport.read_run(run))


def write_reports(run: RunDirectory) -> dict[Format, Path]:
    """Write all reports into the run directory; return their paths."""
    report = RunReport.read_run(run)
    written: dict[Format, Path] = {}
    for form, name in FILES.items():
        written[form] = run.path / name
        save_text(written[form], _RENDERERS[form](report))
    return written


def compare_runs(runs: Sequence[RunDirectory], form: ComparisonFormat) -> str:
    """Compare runs side by side as text.

    Raises:
        Problem: there is no run, or they have no task and seed in common.
    """
    return _COMPARISONS[form](columns_of([RunReport.read_run(run) for run in runs]))


def _as_json(report: RunReport) -> str:
    # ASCII, because UTF-8 cannot encode a lone surrogate in a file name.
    return json.dumps(report.as_dict(), indent=1, ensure_ascii=True) + "\n"


_RENDERERS: dict[Format, Callable[[RunReport], str]] = {"html": as_html, "json": _as_json, "junit": as_junit}
_COMPARISONS: dict[ComparisonFormat, Callable[[Sequence[Column]], str]] = {
    "html": as_page,
    "json": as_json,
    "markdown": as_markdown,
}
