"""The terminal output of a run: progress, table, reports, and how to resume."""

import sys
from collections.abc import Sequence
from dataclasses import replace

from rich.table import Table

from yardkit.sandbox.agents import Usage
from yardkit.sandbox.cli.console import new_console, show_progress
from yardkit.sandbox.reports import write_reports
from yardkit.sandbox.runs.growth import Growth
from yardkit.sandbox.runs.results import Result
from yardkit.sandbox.runs.run_directory import Plan, RunDirectory, results_of
from yardkit.sandbox.runs.runner import regrade_run, run_plan
from yardkit.sandbox.runs.summary import Summary, exit_code, summarize_results, verdict_sentence


def carry_out(
    plan: Plan, run: RunDirectory, jobs: int, *, retry_invalid: bool = False, growth: Growth | None = None
) -> int:
    """Run the plan and its growth, show the results, write the reports; return the exit code."""
    done = [result for result in results_of(plan, run) if result.valid or not retry_invalid] if run.exists() else []
    if done:
        _print_message(f"resuming {run.path}: {len(done)} of {len(plan.keys)} have already finished")
    results = _carried_out(plan, run, jobs, len(done), retry_invalid=retry_invalid)
    while growth and (longer := growth.list_longer(plan.tasks, results)):
        plan = replace(plan, tasks=(*plan.tasks, *longer))
        _print_message(f"going on with {', '.join(longer)}")
        results = _carried_out(plan, run, jobs, len(results))
    return _conclude_run(run, results)


def _carried_out(plan: Plan, run: RunDirectory, jobs: int, done: int, *, retry_invalid: bool = False) -> list[Result]:
    """Run the plan with a progress display and return all its results, including those that ended before."""
    try:
        with show_progress(len(plan.keys) - done, plan.agent.partition(":")[0]) as ended:
            return run_plan(
                plan, run, jobs, lambda result: ended(result_line(result), result.state), retry_invalid=retry_invalid
            )
    except KeyboardInterrupt:
        _print_message(f"interrupted; resume with: yardkit run --runs {run.path}")
        raise


def carry_out_regrading(run: RunDirectory, jobs: int) -> int:
    """Grade a run again, show the results, write the reports; return the exit code."""
    plan = run.read_plan()
    with show_progress(len(run.read_results()), "grading") as ended:
        results = regrade_run(run, jobs, lambda result: ended(result_line(result), result.state))
    if missing := len(plan.keys) - len(results):
        _print_message(f"{missing} of {len(plan.keys)} have not finished; resume with: yardkit run --runs {run.path}")
    return _conclude_run(run, results)


def _conclude_run(run: RunDirectory, results: Sequence[Result]) -> int:
    written = write_reports(run)
    print_summary(results)
    print(f"report: {written['html']}")  # noqa: T201
    return exit_code(results)


def _print_message(text: str) -> None:
    print(f"yardkit: {text}", file=sys.stderr, flush=True)  # noqa: T201


def result_line(result: Result) -> str:
    """Format one result as a line."""
    why = "" if result.stop == "done" else f", {result.stop}"
    reason = result.faults[0] if result.faults else result.detail if result.stop == "crashed" else ""
    faults = f": {' '.join(reason.split())[:160]}" if reason else ""
    calls = f"{result.calls} {'call' if result.calls == 1 else 'calls'}"
    figures = f"reward {result.reward:.2f}, {calls}, {result.agent_seconds:.1f} s"
    return f"{result.task} {result.instance}: {figures}{why}{faults}"


def print_summary(results: Sequence[Result]) -> None:
    """Print the table of tasks with a line of totals to stdout."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("task", overflow="fold")
    for heading in ("passed", "reward", "calls", "seconds", "tokens", "cost USD", "invalid"):
        table.add_column(heading, justify="right")
    for task in dict.fromkeys(result.task for result in results):
        table.add_row(task, *_list_cells(summarize_results([result for result in results if result.task == task])))
    total = summarize_results(results)
    table.add_section()
    table.add_row("all", *_list_cells(total), style="bold")
    console = new_console()
    console.print(table, highlight=False)
    console.print(f"\n{verdict_sentence(total)}", highlight=False, soft_wrap=True)


def _list_cells(summary: Summary) -> list[str]:
    valid = summary.runs - summary.invalid
    usage = summary.usage
    return [
        f"{summary.passed}/{valid}",
        "-" if summary.reward is None else f"{summary.reward:.3f}",
        f"{summary.calls:g}" if valid else "-",
        f"{summary.agent_seconds:.1f}" if valid else "-",
        _format_tokens(usage),
        "-" if usage.cost_usd is None else f"{usage.cost_usd:.4f}",
        str(summary.invalid) if summary.invalid else "-",
    ]


def _format_tokens(usage: Usage) -> str:
    cached = f" ({usage.cached_tokens:,} cached)" if usage.cached_tokens else ""
    return f"{usage.tokens:,}{cached}" if usage.tokens else "-"
