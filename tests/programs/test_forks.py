"""A watched fork: what it tells, and how it ended."""

import os
import signal
from collections.abc import Callable
from typing import Any

import pytest

from yardkit.programs.forks import TIME, Report, watch_fork

MEMORY_BYTES = 1 << 30


def watch_work(work: Callable[[Report], None], seconds: float = 60.0) -> tuple[list[Any], str]:
    """What the work told, and how it ended."""
    messages: list[Any] = []
    end = watch_fork(work, messages.append, seconds, MEMORY_BYTES)
    return messages, end


def report_and_raise(report: Report) -> None:
    report("first")
    raise ValueError("page 3 has no width")


def quote_a_file(_: Report) -> None:
    raise ValueError("x" * 10_000)


def kill_itself(report: Report) -> None:
    report({"page": 1})
    os.kill(os.getpid(), signal.SIGKILL)


def wait_for_ever(report: Report) -> None:
    report("waiting")
    signal.pause()


@pytest.mark.parametrize(
    ("work", "messages", "end"),
    [
        (lambda report: report(1), [1], ""),
        (report_and_raise, ["first"], "ValueError: page 3 has no width"),
        (kill_itself, [{"page": 1}], "SIGKILL"),
        (lambda _: os._exit(3), [], "exit code 3"),
    ],
)
def test_what_it_told_is_heard_and_how_it_ended_is_said(work: Any, messages: list[Any], end: str) -> None:
    assert watch_work(work) == (messages, end)


def test_a_long_exception_is_cut() -> None:
    assert len(watch_work(quote_a_file)[1]) == 500


def test_one_that_does_not_end_is_killed() -> None:
    assert watch_work(wait_for_ever, seconds=1.0) == (["waiting"], TIME)
