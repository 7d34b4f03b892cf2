"""A run as a command shows it: progress, table, reports, and how to resume."""

import sys
from collections.abc import Sequence

from toolyard.sandbox.attempts import Result
from toolyard.sandbox.console import print_summary, progress, result_line
from toolyard.sandbox.reports import write_reports
from toolyard.sandbox.runner import Plan, RunDirectory, regrade_run, results_of, run_plan
from toolyard.sandbox.summary import exit_code


def carry_out(plan: Plan, run: RunDirectory, jobs: int, *, retry_invalid: bool = False) -> int:
    """Run the plan, show the results, write the reports; the exit code."""
    done = [result for result in results_of(plan, run) if result.valid or not retry_invalid] if run.exists() else []
    if done:
        _say(f"resuming {run.path}: {len(done)} of {len(plan.keys)} have ended already")
    try:
        with progress(len(plan.keys) - len(done), plan.agent.partition(":")[0]) as ended:
            results = run_plan(
                plan, run, jobs, lambda result: ended(result_line(result), result.state), retry_invalid=retry_invalid
            )
    except KeyboardInterrupt:
        _say(f"interrupted; resume with: toolyard run --runs {run.path}")
        raise
    return _conclude(run, results)


def carry_out_regrading(run: RunDirectory, jobs: int) -> int:
    """Grade a run again, show the results, write the reports; the exit code."""
    plan = run.plan()
    with progress(len(run.results()), "grading") as ended:
        results = regrade_run(run, jobs, lambda result: ended(result_line(result), result.state))
    if missing := len(plan.keys) - len(results):
        _say(f"{missing} of {len(plan.keys)} have not ended; resume with: toolyard run --runs {run.path}")
    return _conclude(run, results)


def _conclude(run: RunDirectory, results: Sequence[Result]) -> int:
    written = write_reports(run)
    print_summary(results)
    print(f"report: {written['html']}")  # noqa: T201
    return exit_code(results)


def _say(text: str) -> None:
    print(f"toolyard: {text}", file=sys.stderr, flush=True)  # noqa: T201
