"""The terminal: a console as wide as our tables, and the progress of work on many instances."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

_WIDTH = 120
_STYLES = {"passed": "green", "failed": "red", "open": "yellow", "invalid": "magenta"}


def new_console() -> Console:
    """A console on stdout, wide enough for our tables if it is not a terminal."""
    return Console(width=None if sys.stdout.isatty() else _WIDTH)


@contextmanager
def show_progress(total: int, what: str) -> Iterator[Callable[[str, str], None]]:
    """Yield a function that reports one more finished instance: a line of text and its state.

    It shows a bar on a terminal and plain lines elsewhere, both on stderr.
    """
    if not sys.stderr.isatty():
        yield _Lines(total).report_end
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
            # As Text: the text of a fault may contain brackets, which must not be parsed as markup.
            bar.console.print(Text(f"{state:8} ", _STYLES.get(state, "")) + Text(line))
            bar.advance(task)

        yield ended


class _Lines:
    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0

    def report_end(self, line: str, state: str) -> None:
        self._done += 1
        print(f"[{self._done}/{self._total}] {state:8} {line}", file=sys.stderr, flush=True)  # noqa: T201
