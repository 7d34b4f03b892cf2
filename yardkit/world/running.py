"""A running tool call, and ending it from outside: by a deadline, by grading, by deletion."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from yardkit.world.problem import Problem


class Running:
    """One call. Ending it also ends the programs that work for it; it can then start and save nothing more.

    Attributes:
        reason: why it was ended; empty if it was not.
    """

    def __init__(self) -> None:
        self.reason = ""
        self._enders: list[Callable[[], object]] = []
        self._lock = threading.Lock()

    def end(self, reason: str) -> None:
        """End the call, with a `reason` for its caller; may be called from any thread and more than once."""
        with self._lock:
            self.reason = self.reason or reason
            enders = list(self._enders)
        for ender in enders:
            ender()

    @contextmanager
    def ended_by(self, ender: Callable[[], object]) -> Iterator[None]:
        """Call `ender` if the call is ended while the block runs; it must not raise, and may be called late.

        Raises:
            Problem: the call was ended.
        """
        with self._lock:
            self.require_running()
            self._enders.append(ender)
        try:
            yield
        finally:
            with self._lock:
                self._enders.remove(ender)
        self.require_running()

    def require_running(self) -> None:
        """Raise if the call was ended.

        Raises:
            Problem: it was ended.
        """
        if self.reason:
            raise Problem(self.reason)


_current: ContextVar[Running | None] = ContextVar("yardkit_running", default=None)


@contextmanager
def use_running(running: Running) -> Iterator[None]:
    """Make the block work for a call."""
    token = _current.set(running)
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def ended_by(ender: Callable[[], object]) -> Iterator[None]:
    """Call `ender` if the call that the block works for is ended; never called outside of calls.

    Raises:
        Problem: the call was ended.
    """
    running = _current.get()
    if running is None:
        yield
        return
    with running.ended_by(ender):
        yield


def require_running() -> None:
    """Raise if the current call, if any, was ended.

    Raises:
        Problem: it was ended.
    """
    running = _current.get()
    if running is not None:
        running.require_running()
