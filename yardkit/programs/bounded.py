"""Calls that cannot be interrupted in a thread (SymPy, SciPy, Z3), made in a process that is killed at the limit."""

import atexit
import contextlib
import itertools
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from yardkit.programs.environment import build_bare_environment
from yardkit.programs.forks import address_bytes, receive_frame, send_frame
from yardkit.world.guard import add_notes, ended_by
from yardkit.world.problem import Problem

Result = TypeVar("Result")

_START_S = 60.0
"""How long the libraries may take to load, on top of the limit of the call."""
_QUICK_S, _NICE = 2.0, 15
"""After so many seconds a process yields the processor, which hanging calls would take from all others."""
_MAX_CALLS, _MAX_IDLE, _MAX_IDLE_ALL, _TICK_S = 200, 4, 8, 0.25
_slow = threading.Semaphore(max(2, os.cpu_count() or 1))


def run_bounded(
    function: Callable[..., Result],
    *args: object,
    seconds: float,
    memory_bytes: int,
    starts_programs: bool = False,
    stays: bool = False,
) -> Result:
    """Call a function of a module in a separate process, and kill it at its time limit.

    The process is forked from a helper that keeps the function's module loaded, and the libraries that a list
    ``PRELOAD`` in that module names, so that a call costs some milliseconds. Its standard input and output are
    ``/dev/null``, and its environment holds no keys. Arguments and result are pickled. What takes long yields the
    processor to what does not.

    Args:
        function: found by its name in its module.
        args: its arguments.
        seconds: wall time that the call may take.
        memory_bytes: that the call may take on top of what is loaded.
        starts_programs: whether the function starts programs that may need more addresses, such as a browser; they may
            then raise the limit that they inherit. Only for functions of ours, never where somebody's code is run.
        stays: whether the process is kept for later calls of the same module and limits, for functions of ours that
            take less time than a fork does, or that keep what they load. One that keeps more than a call may take is
            given up.

    Raises:
        Problem: raised by the function; or the time or memory was not enough; or a native library crashed; or the call
            of a tool that this works for was ended.
    """
    limits = (seconds, memory_bytes, starts_programs, stays)
    request = pickle.dumps((function.__module__, function.__qualname__, limits, pickle.dumps(args)))
    kind = (function.__module__, memory_bytes, starts_programs) if stays else None
    child = _take_child(kind)
    ended, succeeded, value = True, None, None
    try:
        with ended_by(child.kill):
            reply = child.ask(request, seconds, yields=not starts_programs, queues=stays)
        if not reply:
            raise Problem("the process that works this out ended without an answer; try again")
        succeeded, value = pickle.loads(reply)  # noqa: S301 - from our own child
        ended = succeeded is None
    finally:
        _put_back(kind, child, usable=not ended)
    if succeeded:
        result: Result
        result, notes = value
        add_notes(notes)
        return result
    raise _describe_end(value, seconds) if ended else value


def _describe_end(exit_code: int, seconds: float) -> Problem:
    if exit_code == -signal.SIGALRM:
        return Problem(f"it was not worked out within the limit of {seconds:g} s; simplify the task or allow more time")
    cause = signal.Signals(-exit_code).name if exit_code < 0 else f"exit code {exit_code}"
    memory = " (most likely out of memory)" if exit_code == -signal.SIGKILL else ""
    return Problem(f"the process that works this out crashed with {cause}{memory}; make the task smaller or rewrite it")


@dataclass
class _Helper:
    process: "subprocess.Popen[bytes]"
    control: socket.socket
    parent: int

    def is_usable(self) -> bool:
        return self.parent == os.getpid() and self.process.poll() is None

    def stop(self) -> None:
        self.control.close()
        if self.parent == os.getpid():
            self.process.wait()


_lock = threading.Lock()
_helper: _Helper | None = None


class _Child:
    """A process that was forked for us, or soon will be: it says its number as soon as it lives."""

    def __init__(self) -> None:
        self.connection, theirs = socket.socketpair()
        self.parent, self.calls, self.nice, self._pid, self._begun_bytes = os.getpid(), 0, False, 0, 0
        with theirs, _lock:
            _hand_over(theirs)

    def is_fresh(self, memory_bytes: int) -> bool:
        """Whether it may do another call: it never became slow, is not too old, and keeps at most this much memory."""
        kept_bytes = address_bytes(self._pid) - self._begun_bytes
        return not self.nice and self.calls < _MAX_CALLS and kept_bytes <= memory_bytes

    @property
    def waits(self) -> bool:
        """Whether it lives and has nothing to say."""
        return self.parent == os.getpid() and not _await_readable(self.connection, 0)

    def ask(self, request: bytes, seconds: float, *, yields: bool, queues: bool) -> bytes:
        """The answer to a request; empty when it ended without one.

        When it is slow it `yields` the processor to what is quick, and `queues` so that few slow ones work at a time.

        Raises:
            Problem: it did not answer long after its time.
        """
        self.calls += 1
        self.connection.settimeout(seconds + _START_S)
        try:
            send_frame(self.connection, request)
            if not self._pid:
                self._pid, self._begun_bytes = map(int, receive_frame(self.connection).split() or (0, 0))
            if not yields or _await_readable(self.connection, _QUICK_S):
                return receive_frame(self.connection)
            self._yield_processor()
            with self._queue_call(seconds) if queues else contextlib.nullcontext():
                return receive_frame(self.connection)
        except TimeoutError as error:  # it began late or is starved: its own alarm has not come either
            self.kill()
            raise Problem(
                f"no answer came within {seconds + _START_S:g} s because this machine is busy; try again later"
            ) from error
        except ConnectionError:
            self.kill()
            return b""

    def _yield_processor(self) -> None:
        self.nice = True
        with contextlib.suppress(OSError):  # it may just have ended
            os.setpriority(os.PRIO_PROCESS, self._pid, _NICE)

    @contextlib.contextmanager
    def _queue_call(self, seconds: float) -> Iterator[None]:
        """Stop it until it is one of the few running slow calls, since many at once would exhaust the memory."""
        deadline, waits = time.monotonic() + seconds, not _slow.acquire(blocking=False)
        if waits:
            self._send_signal(signal.SIGSTOP)
            while waits and time.monotonic() < deadline and not _await_readable(self.connection, 0):
                waits = not _slow.acquire(timeout=_TICK_S)
            self._send_signal(signal.SIGCONT)
        try:
            yield
        finally:
            if not waits:
                _slow.release()

    def _send_signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(OSError):
            os.kill(self._pid, number)

    def kill(self) -> None:
        if self._pid:
            self._send_signal(signal.SIGKILL)
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)


def _await_readable(connection: socket.socket, seconds: float) -> bool:
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


_Kind = tuple[str, int, bool]
_idle: dict[_Kind, list[_Child]] = {}
"""Processes that stayed, by the module of their functions and their limits; those that served last are last."""


def _take_child(kind: _Kind | None) -> _Child:
    """A process that stayed, or a new one."""
    while kind is not None:
        with _lock:
            waiting = _idle.get(kind)
            child = waiting.pop() if waiting else None
        if child is None:
            break
        if child.waits:
            return child
        child.connection.close()
    return _Child()


def _put_back(kind: _Kind | None, child: _Child, *, usable: bool) -> None:
    """Keep a process that is to stay, unless enough wait already; the others end with their connection."""
    with _lock:
        waiting = _idle.pop(kind, []) if kind is not None else []
        if kind is not None and usable and len(waiting) < _MAX_IDLE and child.is_fresh(kind[1]):
            waiting.append(child)
            spare = _spare_child()
        else:
            spare = child
        if kind is not None and waiting:
            _idle[kind] = waiting
    if spare is not None:
        spare.connection.close()


def _spare_child() -> _Child | None:
    """Take the process that has waited longest, where too many wait."""
    if sum(map(len, _idle.values())) < _MAX_IDLE_ALL:
        return None
    kind = next(iter(_idle))
    spare = _idle[kind].pop(0)
    if not _idle[kind]:
        del _idle[kind]
    return spare


def _hand_over(connection: socket.socket) -> None:
    global _helper  # noqa: PLW0603 - one helper per process, started at the first call
    if _helper is None or not _helper.is_usable():
        if _helper is not None:
            _helper.stop()
        _idle.clear()
        _helper = _start_helper()
    socket.send_fds(_helper.control, [b"c"], [connection.fileno()])


def _start_helper() -> _Helper:
    ours, theirs = socket.socketpair()
    single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    paths = os.pathsep.join(str(Path(path).absolute()) for path in sys.path if path)
    with theirs:
        process = subprocess.Popen(  # noqa: S603 - our own module
            # -P: no module is taken from the current directory, which may be a workspace.
            [sys.executable, "-P", "-m", "yardkit.programs.forker", str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            env={**build_bare_environment(), **single, "PYTHONPATH": paths},
            cwd="/",  # it outlives many a folder that this process works in
            start_new_session=True,
        )
    return _Helper(process, ours, os.getpid())


@atexit.register
def _stop_all() -> None:
    for child in itertools.chain.from_iterable(_idle.values()):
        child.connection.close()
    if _helper is not None:
        _helper.stop()
