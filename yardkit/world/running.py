"""A call of a tool while it runs, and how it is ended from outside: by a deadline, by a grade, by a deletion."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from yardkit.world.problem import Problem


class Running:
    """One call. Once it is ended, what works for it is ended too, it starts nothing more and saves nothing more.

    Attributes:
        owner: names those that share their turns at programs: an episode and its forks.
        reason: why it was ended, in words; empty while it was not.
    """

    def __init__(self, owner: str = "") -> None:
        self.owner = owner
        self.reason = ""
        self._enders: list[Callable[[], object]] = []
        self._lock = threading.Lock()

    def end(self, reason: str) -> None:
        """End the call, for a `reason` in words for whoever made it; from any thread, more than once."""
        with self._lock:
            self.reason = self.reason or reason
            enders = list(self._enders)
        for ender in enders:
            ender()

    @contextmanager
    def ended_by(self, ender: Callable[[], object]) -> Iterator[None]:
        """Have `ender` called if the call is ended while the body runs; it must not raise, and may come late.

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
        """Go on only if the call was not ended.

        Raises:
            Problem: it was.
        """
        if self.reason:
            raise Problem(self.reason)


_current: ContextVar[Running | None] = ContextVar("yardkit_running", default=None)


@contextmanager
def use_running(running: Running) -> Iterator[None]:
    """Let the body work for a call."""
    token = _current.set(running)
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def ended_by(ender: Callable[[], object]) -> Iterator[None]:
    """Have `ender` called if the call that the body works for is ended; outside of calls nothing ends it.

    Raises:
        Problem: the call was ended.
    """
    running = _current.get()
    if running is None:
        yield
        return
    with running.ended_by(ender):
        yield


def current_owner() -> str:
    """Whom the call works for; empty outside of episodes."""
    running = _current.get()
    return running.owner if running else ""


def require_running() -> None:
    """Go on only if the call that we work for, if any, was not ended.

    Raises:
        Problem: it was.
    """
    running = _current.get()
    if running is not None:
        running.require_running()
