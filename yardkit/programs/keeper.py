"""The pool of workers of a kind in this process: shared by all callers, one turn at a time, ended when idle."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence

from yardkit.programs.turns import Turns
from yardkit.programs.worker import WorkerProcess
from yardkit.world import Problem
from yardkit.world.guard import require_running

IDLE_S = 900.0
"""Time without a call after which a worker is ended; the next call starts it anew."""
_TICK_S = 0.25
_PATIENCE_S = 5.0


class Keeper:
    """Starts the worker at the first call, restarts it after a crash or many jobs, and ends it when idle.

    Attributes:
        process: the worker, if one was started.
    """

    def __init__(
        self, name: str, start: Callable[[], WorkerProcess], *, wait_s: float, max_jobs: int, max_idle_bytes: int
    ) -> None:
        """Make the pool without starting anything.

        Args:
            name: the name of the program in messages.
            start: makes a worker.
            wait_s: the maximum wait of a call for the jobs of others.
            max_jobs: the number of jobs after which it is replaced.
            max_idle_bytes: the memory between two jobs above which it is replaced.
        """
        self.process: WorkerProcess | None = None
        self.max_jobs = max_jobs
        self.idle_s = IDLE_S
        self.wait_s = wait_s
        self._name, self._start, self._max_idle_bytes = name, start, max_idle_bytes
        self._lock = threading.Lock()
        self._turns: dict[int, Turns] = {}
        self._used = self._taken = time.monotonic()
        self._watcher: threading.Thread | None = None

    @contextlib.contextmanager
    def take_turn(self) -> Iterator[None]:
        """Hold the worker exclusively for the block.

        Raises:
            Problem: other calls keep it busy.
        """
        with take_free_turn([self]):
            yield

    def turns_among(self, count: int) -> Turns:
        """The turns at this worker and those that come after it, `count` in all."""
        return self._turns.setdefault(count, Turns(count))

    def acquire(self, wait_s: float = 0.0) -> bool:
        """Wait for the worker; return whether it is ours, until `give_back`."""
        taken = self._lock.acquire(timeout=wait_s) if wait_s else self._lock.acquire(blocking=False)
        self._taken = time.monotonic() if taken else self._taken
        return taken

    def give_back(self) -> None:
        """Release the worker for others."""
        self._used = time.monotonic()
        self._lock.release()

    @property
    def is_soon_free(self) -> bool:
        """Whether the current user of the worker has had it only for a moment."""
        return time.monotonic() < self._taken + _PATIENCE_S

    def make_busy_problem(self) -> Problem:
        """Make the problem for a call that gets no turn."""
        return Problem(f"{self._name} was busy with other files for {self.wait_s:g} s; try again")

    def get_worker(self) -> WorkerProcess:
        """Return the worker, starting a new one if there is none that can be used. Call it during a turn.

        Raises:
            Unavailable: it does not start here.
        """
        process = self.process
        if process is not None and process.is_usable() and not self._is_exhausted(process):
            return process
        self.stop()
        self.process = self._start()
        if self._watcher is None or not self._watcher.is_alive():
            self._watcher = threading.Thread(target=self._end_when_idle, name=f"yardkit-{self._name}-idle", daemon=True)
            self._watcher.start()
        return self.process

    def stop(self) -> None:
        """End the worker; the next call starts it again."""
        process, self.process = self.process, None
        if process is not None:
            process.stop()

    def _is_exhausted(self, process: WorkerProcess) -> bool:
        # Memory is only checked now and then, since that means reading all of /proc.
        return process.jobs >= self.max_jobs or (
            process.jobs % 10 == 9 and process.memory_bytes() > self._max_idle_bytes
        )

    def _end_when_idle(self) -> None:
        while True:
            time.sleep(min(max(0.0, self._used + self.idle_s - time.monotonic()), self.idle_s) + 0.01)
            with self._lock:
                if self.process is None or time.monotonic() - self._used >= self.idle_s:
                    self.stop()
                    self._watcher = None
                    return


@contextlib.contextmanager
def take_free_turn(keepers: Sequence[Keeper]) -> Iterator[Keeper]:
    """Hold the first free worker among several of a kind exclusively for the block.

    A further one is taken only where those before it have been busy with one job for long, so that a file that keeps
    one busy does not hold up all others, and usually there is one. No episode and its forks have all of several.

    Raises:
        Problem: other calls keep all busy, or the current call was ended.
    """
    with keepers[0].turns_among(len(keepers)).take(str(keepers[0].make_busy_problem()), keepers[0].wait_s):
        keeper = _acquire_first(keepers)
        try:
            yield keeper
        finally:
            keeper.give_back()


def _acquire_first(keepers: Sequence[Keeper]) -> Keeper:
    deadline = time.monotonic() + keepers[0].wait_s
    while True:
        for keeper in keepers:
            if keeper.acquire():
                return keeper
            if keeper.is_soon_free:
                break
        if keepers[0].acquire(_TICK_S):
            return keepers[0]
        require_running()
        if time.monotonic() > deadline:
            raise keepers[0].make_busy_problem()
