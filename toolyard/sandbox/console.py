"""What `run`, `regrade`, `demo` and `prove` show on the terminal."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from toolyard.sandbox.attempts import Result
from toolyard.sandbox.summary import Summary, summarize

_WIDTH = 120
_STYLES = {"passed": "green", "failed": "red", "open": "yellow", "invalid": "magenta"}


def new_console() -> Console:
    """stdout, wide enough for our tables where it is no terminal."""
    return Console(width=None if sys.stdout.isatty() else _WIDTH)


@contextmanager
def progress(total: int, what: str) -> Iterator[Callable[[str, str], None]]:
    """Yields a function that tells of one more that has ended: a line, and its state.

    A bar on a terminal, plain lines elsewhere; both on stderr.
    """
    if not sys.stderr.isatty():
        yield _Lines(total).ended
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(what, total=total)

        def ended(line: str, state: str) -> None:
            # As Text: a fault's words may hold brackets, which must not be read as markup.
            bar.console.print(Text(f"{state:8} ", _STYLES.get(state, "")) + Text(line))
            bar.advance(task)

        yield ended


class _Lines:
    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0

    def ended(self, line: str, state: str) -> None:
        self._done += 1
        print(f"[{self._done}/{self._total}] {state:8} {line}", file=sys.stderr, flush=True)  # noqa: T201


def result_line(result: Result) -> str:
    """One result in a line."""
    why = "" if result.stop == "done" else f", {result.stop}"
    reason = result.faults[0] if result.faults else result.detail if result.stop == "crashed" else ""
    faults = f": {' '.join(reason.split())[:160]}" if reason else ""
    calls = f"{result.calls} {'call' if result.calls == 1 else 'calls'}"
    figures = f"reward {result.reward:.2f}, {calls}, {result.agent_seconds:.1f} s"
    return f"{result.task} {result.instance}: {figures}{why}{faults}"


def print_summary(results: Sequence[Result]) -> None:
    """The table of tasks with a line of totals, on stdout."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("task", overflow="fold")
    for heading in ("passed", "reward", "calls", "seconds", "tokens", "cost USD", "invalid"):
        table.add_column(heading, justify="right")
    for task in dict.fromkeys(result.task for result in results):
        table.add_row(task, *_cells(summarize([result for result in results if result.task == task])))
    total = summarize(results)
    table.add_section()
    table.add_row("all", *_cells(total), style="bold")
    console = new_console()
    console.print(table, highlight=False)
    console.print(f"\n{verdict_sentence(total)}", highlight=False, soft_wrap=True)


def verdict_sentence(total: Summary) -> str:
    """The pass rate and its interval in words."""
    valid = total.runs - total.invalid
    left_out = f"; {total.invalid} invalid through no fault of the agent, left out" if total.invalid else ""
    unjudged = f"; {total.open} open, as they need a judge" if total.open else ""
    if total.pass_rate is None or total.interval is None:
        return f"no valid run{left_out}"
    low, high = total.interval
    return (
        f"{total.passed} of {valid} passed: {100 * total.pass_rate:.1f} % "
        f"(95 % interval {100 * low:.1f} to {100 * high:.1f} %), mean reward {total.reward:.3f}{unjudged}{left_out}"
    )


def _cells(summary: Summary) -> list[str]:
    valid = summary.runs - summary.invalid
    usage = summary.usage
    return [
        f"{summary.passed}/{valid}",
        "-" if summary.reward is None else f"{summary.reward:.3f}",
        f"{summary.calls:g}",
        f"{summary.agent_seconds:.1f}",
        f"{usage.tokens:,}" if usage.tokens else "-",
        "-" if usage.cost_usd is None else f"{usage.cost_usd:.4f}",
        str(summary.invalid) if summary.invalid else "-",
    ]
