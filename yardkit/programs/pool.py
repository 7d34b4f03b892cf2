"""Worker processes: each works on one item at a time, and one that dies loses only its own item."""

import multiprocessing
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_GOODBYE_S = 10.0
"""Seconds that a worker gets to stop what it started before it is killed."""
_LONGEST_FOLDER = 70
"""Bytes in the name of a folder in which a socket's name is still short enough for the kernel."""


@dataclass(frozen=True)
class Died:
    """A worker ended before its item was done; `reason` says why."""

    reason: str


def in_workers(
    function: Callable[[Item], Result], items: Sequence[Item], jobs: int, limit_s: float
) -> Iterator[tuple[Item, Result | Died]]:
    """Apply a function of a module to every item in `jobs` processes, and yield each result as it arrives.

    The workers are forked from a process that keeps the function's module loaded, and the modules that a list
    ``PRELOAD`` in that module names; it starts once. An item that takes longer than `limit_s` seconds is given up and
    its worker killed. Closing the iterator stops all workers and what they started; they stop by themselves when this
    process dies.
    """
    waiting = list(reversed(items))
    workers: list[_Worker[Item, Result]] = []
    try:
        while waiting or any(worker.item is not None for worker in workers):
            _hand_out(function, waiting, workers, jobs)
            for worker in _await_ready_workers(workers, limit_s):
                item, result = worker.collect(limit_s)
                if isinstance(result, Died):
                    workers.remove(worker)
                    worker.stop()
                yield item, result
    finally:
        for worker in workers:
            worker.ask_to_stop()
        for worker in workers:
            worker.stop()


def _hand_out(
    function: Callable[[Item], Result], waiting: list[Item], workers: list["_Worker[Item, Result]"], jobs: int
) -> None:
    for worker in workers:
        if waiting and worker.item is None:
            worker.give_item(waiting.pop())
    while waiting and len(workers) < jobs:
        workers.append(_Worker(function))
        workers[-1].give_item(waiting.pop())


def _await_ready_workers(workers: list["_Worker[Item, Result]"], limit_s: float) -> list["_Worker[Item, Result]"]:
    """Wait for workers that have a result, have died or exceeded their time, and return them."""
    busy = [worker for worker in workers if worker.item is not None]
    first_end = min(worker.since for worker in busy) + limit_s
    # A dying worker closes its end of the pipe, which wakes us like a result.
    ready = set(wait([worker.pipe for worker in busy], max(0.0, first_end - time.monotonic())))
    return [worker for worker in busy if worker.pipe in ready or worker.is_late(limit_s)]


class _Worker(Generic[Item, Result]):
    def __init__(self, function: Callable[[Item], Result]) -> None:
        context = _choose_context(function)
        self.pipe, theirs = context.Pipe()
        arguments = (function, theirs, dict(os.environ))
        self.process: BaseProcess = context.Process(target=_run_worker, args=arguments, name="yardkit-worker")  # type: ignore[attr-defined]
        self.process.start()
        theirs.close()
        self.item: Item | None = None
        self.since = 0.0

    def give_item(self, item: Item) -> None:
        self.item, self.since = item, time.monotonic()
        with suppress(OSError):  # `collect` notices a worker that has just died
            self.pipe.send(item)

    def is_late(self, limit_s: float) -> bool:
        return time.monotonic() > self.since + limit_s

    def collect(self, limit_s: float) -> tuple[Item, Result | Died]:
        item = self.item
        assert item is not None  # noqa: S101 - for the type checker: only busy workers are collected
        try:
            if self.pipe.poll():
                result: Result = self.pipe.recv()
                self.item = None
                return item, result
        except (EOFError, OSError):
            self.process.join(_GOODBYE_S)
            return item, Died(_how_it_died(self.process.exitcode))
        self.ask_to_stop()
        return item, Died(f"it did not end within {limit_s:g} s and was killed")

    def ask_to_stop(self) -> None:
        """Ask a worker to end: an idle one by closing its pipe, a busy one by a signal."""
        self.pipe.close()
        if self.item is not None:
            self.process.terminate()

    def stop(self) -> None:
        self.process.join(_GOODBYE_S)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid or 0, signal.SIGKILL)
        self.process.join()


def _choose_context(function: Callable[..., Any]) -> BaseContext:
    """Choose how workers start; if no socket for the fork server can be made, each loads everything itself."""
    if len(os.fsencode(tempfile.gettempdir())) > _LONGEST_FOLDER:
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    # No effect once the fork server runs; workers of another function then load their modules themselves.
    context.set_forkserver_preload([function.__module__, *getattr(sys.modules[function.__module__], "PRELOAD", ())])
    return context


def _how_it_died(exit_code: int | None) -> str:
    if exit_code is not None and exit_code < 0:
        return f"its process was killed by {signal.Signals(-exit_code).name}"
    return f"its process ended with exit status {exit_code}"


def _run_worker(function: Callable[[Any], Any], pipe: Connection, environment: Mapping[str, str]) -> None:
    """Run the worker's side. The parent handles Ctrl-C in the terminal, so the worker has a separate session."""
    os.setsid()
    os.environ.clear()  # the parent's may have changed since the fork server started
    os.environ.update(environment)
    signal.signal(signal.SIGTERM, _leave_worker)
    threading.Thread(target=_stop_with_parent, daemon=True).start()
    try:
        _serve_jobs(function, pipe)
    except _LeaveWorker:
        # Native threads may still run the interrupted work; a normal interpreter shutdown would abort because of them.
        os._exit(128 + signal.SIGTERM)


def _serve_jobs(function: Callable[[Any], Any], pipe: Connection) -> None:
    while True:
        try:
            item = pipe.recv()
        except EOFError:
            return
        pipe.send(function(item))


class _LeaveWorker(SystemExit):
    """The parent asks this worker to end; its current work is cleaned up by the exception."""


def _leave_worker(*_: object) -> None:
    # Ignore further signals, which must not interrupt the clean-up.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise _LeaveWorker


def _stop_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
    # First SIGTERM, so that the current work is cleaned up, then SIGKILL for the entire group.
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_GOODBYE_S)
    os.killpg(os.getpid(), signal.SIGKILL)
