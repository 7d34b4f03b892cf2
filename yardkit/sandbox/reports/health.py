"""The errors in an agent's calls, from its ledgers and transcripts, and the stages at which runs failed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from yardkit.kit.markup import Html
from yardkit.sandbox.reports.collect import RunDetails, RunReport
from yardkit.sandbox.reports.tables import Table, section_of
from yardkit.sandbox.runs.call_errors import CALL_ERRORS
from yardkit.sandbox.runs.stages import STAGES

LONG_OUTPUT = 100_000
"""Bytes of a result above which it is over-long: what `openai:` keeps of one in its conversation."""


@dataclass(frozen=True)
class CallHealth:
    """The figures of an agent's calls over valid runs.

    Attributes:
        calls: the calls that reached a server.
        errors: the share of calls that ended in an error.
        kinds: the count of each of `yardkit.sandbox.runs.call_errors.CALL_ERRORS`.
        pass_rate_clean, pass_rate_troubled: of runs without and with errors; None if there are no such runs.
        pass_rate_long: the pass rate of runs with an output that was too long.
    """

    calls: int
    errors: float | None
    kinds: Mapping[str, int]
    pass_rate_clean: float | None
    pass_rate_troubled: float | None
    pass_rate_long: float | None

    def as_dict(self) -> dict[str, Any]:
        """The figures as JSON values."""
        return asdict(self)


def health_of(report: RunReport) -> CallHealth:
    """Compute the figures of a run's calls."""
    runs = [run for run in report.runs() if run.result.valid]
    calls = sum(run.result.calls for run in runs)
    errors = sum(run.result.tool_errors for run in runs)
    kinds = sum((run.call_errors for run in runs), Counter[str]())
    return CallHealth(
        calls,
        round(errors / calls, 6) if calls else None,
        {name: kinds[name] for name in CALL_ERRORS if kinds[name]},
        _compute_pass_rate([run for run in runs if not run.result.tool_errors]),
        _compute_pass_rate([run for run in runs if run.result.tool_errors]),
        _compute_pass_rate([run for run in runs if any(call.bytes_out > LONG_OUTPUT for call in run.calls)]),
    )


def stages_of(report: RunReport) -> dict[str, int]:
    """Count the valid runs that failed at each stage of `yardkit.sandbox.runs.stages.STAGES`."""
    stage_counts = Counter(run.stage for run in report.runs() if run.result.valid)
    return {name: stage_counts[name] for name in STAGES if stage_counts[name]}


def health_section(report: RunReport) -> Html | None:
    """Make the tables of call errors and of the stages at which runs failed; None if there were none."""
    health, stages = health_of(report), stages_of(report)
    meanings = {**CALL_ERRORS, **STAGES}
    parts = [
        section_of(
            Table(title, ["", head], [[name, f"{count}"] for name, count in kind_counts.items()], notes=meanings)
        )
        for title, head, kind_counts in (
            ("Errors of calls", "times", health.kinds),
            ("Stages at which failed runs failed", "runs", stages),
        )
        if kind_counts
    ]
    return Html("".join(parts)) if parts else None


def _compute_pass_rate(runs: Sequence[RunDetails]) -> float | None:
    return round(fmean(bool(run.result.passed) for run in runs), 6) if runs else None
