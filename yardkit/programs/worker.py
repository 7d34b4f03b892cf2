"""A program that works for this process: sandboxed, watched, killed at its time limit, ended with its parent."""

import contextlib
import json
import os
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from yardkit.programs.jail import Jail
from yardkit.world import Unavailable
from yardkit.world.guard import ended_by

_PROC = Path("/proc")
_TICK_S = 0.25
_END_S = 10.0
_KEEPER = '"$@"; for try in 1 2 3 4 5 6 7 8 9; do rm -rf -- "$0" && break; sleep 0.3; done'
"""What the shell does: wait, then remove the directory, also after our death; the last processes may still write."""


@dataclass(frozen=True)
class Limits:
    """The limits of a worker.

    Attributes:
        memory_bytes: the resident memory of all its processes together during a job.
        start_s: the seconds until its first line.
    """

    memory_bytes: int = 4_000_000_000
    start_s: float = 90.0


class Gone(Exception):
    """The worker died in the middle of a job."""


class Overrun(Exception):
    """A job exceeded a limit; the message says which."""


USUAL_LIMITS = Limits()


class WorkerProcess:
    """A started worker with its own directory. It reads one job per line from stdin and writes one answer per line.

    `ask` sends it one job at a time; after `Gone` or `Overrun` it is unusable and must be stopped by `stop`.
    """

    def __init__(
        self,
        name: str,
        command: Callable[[Path], Sequence[str]],
        environment: Callable[[Path], dict[str, str]],
        *,
        jail: Jail,
        limits: Limits = USUAL_LIMITS,
    ) -> None:
        """Start it and wait for its first line.

        Args:
            name: the name of the program, for messages and the directory.
            command: fills the directory and returns the command line.
            environment: the program's complete environment.
            jail: the parts of the machine that it sees, including devices.
            limits: the limits on its memory and its start.

        Raises:
            Unavailable: it does not start.
        """
        self._words = tempfile.TemporaryFile()  # noqa: SIM115 - closed in stop
        self.base = Path(tempfile.mkdtemp(prefix=f"yardkit-{name.lower()}-"))
        self.parent, self.jobs, self.limits, self._buffer = os.getpid(), 0, limits, bytearray()
        try:
            self.process = subprocess.Popen(  # noqa: S603 - our own command
                ["/bin/sh", "-c", _KEEPER, str(self.base), *jail.build_command(command(self.base), self.base)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._words,
                start_new_session=True,
                cwd=self.base,  # not where the first caller happens to be, which may be removed
                env=environment(self.base),
            )
        except BaseException:
            shutil.rmtree(self.base, ignore_errors=True)
            self._words.close()
            raise
        self._await_start(name)

    def _await_start(self, name: str) -> None:
        try:
            self._await_answer(self.limits.start_s)
        except (Gone, Overrun) as error:
            self._words.seek(0)
            words = self._words.read().decode("utf-8", "replace").strip()[-600:]
            self.stop()
            raise Unavailable(f"{name} does not start on this machine: {words or error}") from None

    def is_usable(self) -> bool:
        return self.parent == os.getpid() and self.process.poll() is None

    def ask(self, job: dict[str, Any], seconds: float, supply: Callable[[str], Any] | None = None) -> dict[str, Any]:
        """Send a job and return the answer.

        Args:
            job: the job in the program's format.
            seconds: the time limit.
            supply: returns data that the program requests during the job, by name.

        Raises:
            Gone: the worker died.
            Overrun: it exceeded `seconds` or its memory limit.
        """
        self.jobs += 1
        deadline = time.monotonic() + seconds
        with ended_by(self._kill_family):
            answer = self._exchange_messages(job, seconds)
            while supply is not None and "wanted" in answer:
                answer = self._exchange_messages({"given": supply(answer["wanted"])}, deadline - time.monotonic())
        return answer

    def _exchange_messages(self, words: dict[str, Any], seconds: float) -> dict[str, Any]:
        assert self.process.stdin is not None  # noqa: S101 - asked for above
        try:
            self.process.stdin.write(json.dumps(words).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise Gone from None
        return self._await_answer(seconds)

    def _await_answer(self, seconds: float) -> dict[str, Any]:
        assert self.process.stdout is not None  # noqa: S101 - asked for above
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while not self._buffer.endswith(b"\n"):
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Overrun(f"{seconds:g} s")
                if selector.select(min(left, _TICK_S)):
                    chunk = os.read(self.process.stdout.fileno(), 1 << 20)
                    if not chunk:
                        raise Gone
                    self._buffer += chunk
                elif self.memory_bytes() > self.limits.memory_bytes:
                    raise Overrun(f"{self.limits.memory_bytes:,} bytes of memory")
        line, self._buffer = self._buffer, bytearray()
        answer: dict[str, Any] = json.loads(line)
        return answer

    def memory_bytes(self) -> int:
        """The resident memory of all its processes."""
        processes = _read_processes()
        return sum(processes[pid].resident_bytes for pid in self._list_family(processes) if pid in processes)

    def pids(self) -> list[int]:
        """List all processes that were started for it, parents first."""
        return self._list_family(_read_processes())

    def _list_family(self, processes: dict[int, "_Process"]) -> list[int]:
        children: dict[int, list[int]] = {}
        for pid, process in processes.items():
            children.setdefault(process.parent, []).append(pid)
        family_pids = [self.process.pid]
        for pid in family_pids:
            family_pids += children.get(pid, [])
        return family_pids

    def stop(self) -> None:
        """Kill all its processes and remove its directory. In a forked child only the pipes are closed."""
        if self.parent == os.getpid():
            pids = self._kill_family()
            self.process.wait()
            _await_end(pids)
            shutil.rmtree(self.base, ignore_errors=True)
        for stream in (self.process.stdin, self.process.stdout, self._words):
            with contextlib.suppress(OSError):
                assert stream is not None  # noqa: S101 - asked for above
                stream.close()

    def _kill_family(self) -> list[int]:
        """Kill all its processes and return them."""
        # Kill it before closing its stdin, so that the shell does not begin to remove the directory.
        pids = self.pids() if self.process.poll() is None else []
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return pids


def _await_end(pids: list[int]) -> None:
    """Wait until killed processes, not all of which are our children, are gone."""
    deadline = time.monotonic() + _END_S
    while pids and time.monotonic() < deadline:
        live_processes = _read_processes(pids)
        pids = [pid for pid in pids if pid in live_processes and live_processes[pid].runs]
        time.sleep(0.005 if pids else 0)


class _Process(NamedTuple):
    parent: int
    resident_bytes: int
    runs: bool


def _read_processes(pids: Iterable[int] | None = None) -> dict[int, _Process]:
    """Read the processes of this machine, or the existing ones among `pids`."""
    if not _PROC.is_dir():  # macOS, the BSDs
        return _list_with_ps()
    processes = {}
    for pid in (int(entry.name) for entry in _PROC.iterdir() if entry.name.isdecimal()) if pids is None else pids:
        with contextlib.suppress(OSError, ValueError, IndexError):
            # proc_pid_stat(5): the name in brackets may contain anything, so count the fields after its last bracket.
            words = (_PROC / str(pid) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
            processes[pid] = _Process(int(words[1]), int(words[21]) * os.sysconf("SC_PAGE_SIZE"), words[0] not in "ZX")
    return processes


def _list_with_ps() -> dict[int, _Process]:
    command = ["ps", "-A", "-o", "pid=", "-o", "ppid=", "-o", "rss=", "-o", "stat="]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own command
    rows = (line.split() for line in answer.stdout.splitlines())
    return {int(pid): _Process(int(parent), int(rss) * 1024, stat[0] not in "ZX") for pid, parent, rss, stat in rows}
