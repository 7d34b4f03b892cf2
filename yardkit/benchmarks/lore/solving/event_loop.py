"""An event loop on a clock of its own: coroutines take turns as asyncio's do, a sleep takes no real time."""

from collections import deque
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any


@dataclass(frozen=True)
class Sleep:
    """A coroutine goes on after so many seconds."""

    seconds: Fraction


@dataclass(frozen=True)
class Gather:
    """A coroutine starts others, in this order, and goes on when all have ended."""

    coroutines: Sequence["Coroutine"]


Coroutine = Generator[Sleep | Gather, None, Any]


@dataclass(eq=False)
class _Task:
    steps: Coroutine
    parent: "_Task | None" = None
    awaited: int = 0


@dataclass
class _Loop:
    now: Fraction = Fraction(0)
    ready: deque[_Task] = field(default_factory=deque)
    timers: list[tuple[Fraction, int, _Task]] = field(default_factory=list)
    slept: int = 0

    def run_task(self, task: _Task) -> None:
        """Let a task go on up to where it waits."""
        try:
            wait_request = next(task.steps)
        except StopIteration:
            if task.parent is not None:
                task.parent.awaited -= 1
                self.ready.extend([task.parent] if task.parent.awaited == 0 else [])
            return
        if isinstance(wait_request, Sleep):
            self.slept += 1
            heappush(self.timers, (self.now + wait_request.seconds, self.slept, task))
        else:
            task.awaited = len(wait_request.coroutines)
            self.ready.extend(_Task(coroutine, task) for coroutine in wait_request.coroutines)

    def wake_sleepers(self) -> None:
        """Put the clock to the next end of a sleep."""
        self.now, _, task = heappop(self.timers)
        if self.timers and self.timers[0][0] == self.now:
            raise ValueError(f"two coroutines wake up after {self.now} s: what comes out is not certain")
        self.ready.append(task)


def run(main: Coroutine) -> None:
    """Run a coroutine, and those that it starts, to the end.

    Raises:
        ValueError: two wake up at the same time, so that their order is not certain.
    """
    loop = _Loop()
    loop.ready.append(_Task(main))
    while loop.ready or loop.timers:
        if not loop.ready:
            loop.wake_sleepers()
        loop.run_task(loop.ready.popleft())
