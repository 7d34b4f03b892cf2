"""Turns at something that few can use at a time, shared fairly between the episodes that want it."""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from yardkit.world.guard import current_owner, require_running
from yardkit.world.problem import Problem

_TICK_S = 0.25


@dataclass(eq=False)
class _Ticket:
    """A place in the queue of somebody who works for `owner`."""

    owner: str


class Turns:
    """So many places, of which the calls of one owner take all but one at most, and at least one.

    Of those who wait, first comes whose owner has the fewest places now, then whose owner has used least time since
    the places were last all free, then who came first.
    """

    def __init__(self, places: int) -> None:
        self._places = places
        self._busy: Counter[str] = Counter()
        self._used_s: Counter[str] = Counter()
        self._waiting: list[_Ticket] = []
        self._changed = threading.Condition()

    @contextmanager
    def take(self, busy: str, wait_s: float) -> Iterator[None]:
        """A place for the body, waited for at most so long.

        Raises:
            Problem: in the words of `busy`, where there was none; or the call that this is for was ended.
        """
        ticket = _Ticket(current_owner())
        with self._changed:
            self._await_place(ticket, busy, wait_s)
        started = time.monotonic()
        try:
            yield
        finally:
            with self._changed:
                self._busy[ticket.owner] -= 1
                self._used_s[ticket.owner] += time.monotonic() - started  # type: ignore[assignment]
                if not +self._busy:
                    self._busy.clear()
                    self._used_s.clear()
                self._changed.notify_all()

    def _await_place(self, ticket: _Ticket, busy: str, wait_s: float) -> None:
        deadline = time.monotonic() + wait_s
        self._waiting.append(ticket)
        try:
            while self._find_next() is not ticket:
                self._changed.wait(_TICK_S)
                require_running()
                if time.monotonic() > deadline:
                    raise Problem(busy)
            self._busy[ticket.owner] += 1
        finally:
            self._waiting.remove(ticket)
            self._changed.notify_all()

    def _find_next(self) -> _Ticket | None:
        if self._busy.total() >= self._places:
            return None
        able = [ticket for ticket in self._waiting if self._busy[ticket.owner] < self._limit_of(ticket.owner)]
        return min(able, key=lambda ticket: (self._busy[ticket.owner], self._used_s[ticket.owner]), default=None)

    def _limit_of(self, owner: str) -> int:
        """Whoever serves themselves alone, without an episode, has all places."""
        return max(1, self._places - 1) if owner else self._places
