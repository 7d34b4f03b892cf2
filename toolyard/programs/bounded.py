"""Calls that cannot be interrupted in a thread (SymPy, SciPy, Z3), made in a process that is killed at the limit."""

import atexit
import contextlib
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from toolyard.programs.forker import receive_frame, send_frame
from toolyard.world.problem import Problem

Result = TypeVar("Result")

_START_S = 60.0
"""How long the libraries may take to load, on top of the limit of the call."""


def bounded(
    function: Callable[..., Result], *args: object, seconds: float, memory_bytes: int, starts_programs: bool = False
) -> Result:
    """Call a function of a module in a process of its own, and kill it when its time is over.

    The process is forked from a helper that keeps the function's module loaded, and the libraries that a list
    ``PRELOAD`` in that module names, so that a call costs some milliseconds. Its standard input and output are
    ``/dev/null``. Arguments and result are pickled.

    Args:
        function: found by its name in its module.
        args: its arguments.
        seconds: wall time that the call may take.
        memory_bytes: that the call may take on top of the loaded libraries.
        starts_programs: whether the function starts programs that may need more addresses, such as a browser; they may
            then raise the limit that they inherit. Only for functions of ours, never where somebody's code is run.

    Raises:
        Problem: raised by the function; or the time or memory was not enough; or a native library crashed.
    """
    request = pickle.dumps((function.__module__, function.__qualname__, args, seconds, memory_bytes, starts_programs))
    with _connection() as connection:
        connection.settimeout(seconds + _START_S)
        try:
            send_frame(connection, request)
            reply = receive_frame(connection)
        except (TimeoutError, ConnectionError):
            reply = b""
    if not reply:
        raise Problem("the process that works this out ended without an answer; try again")
    succeeded, value = pickle.loads(reply)  # noqa: S301 - from our own child
    if succeeded:
        result: Result = value
        return result
    raise _ended(value, seconds) if succeeded is None else value


def _ended(exit_code: int, seconds: float) -> Problem:
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

    def usable(self) -> bool:
        return self.parent == os.getpid() and self.process.poll() is None

    def stop(self) -> None:
        self.control.close()
        if self.parent == os.getpid():
            self.process.wait()


_lock = threading.Lock()
_helper: _Helper | None = None


@contextlib.contextmanager
def _connection() -> Iterator[socket.socket]:
    """A connection to a new call of the helper, which is started when there is none."""
    ours, theirs = socket.socketpair()
    with ours:
        with theirs, _lock:
            _hand_over(theirs)
        yield ours


def _hand_over(connection: socket.socket) -> None:
    global _helper  # noqa: PLW0603 - one helper per process, started at the first call
    if _helper is None or not _helper.usable():
        if _helper is not None:
            _helper.stop()
        _helper = _start()
    socket.send_fds(_helper.control, [b"c"], [connection.fileno()])


def _start() -> _Helper:
    ours, theirs = socket.socketpair()
    single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    paths = os.pathsep.join(path for path in sys.path if path)
    with theirs:
        process = subprocess.Popen(  # noqa: S603 - our own module
            # -P: no module is taken from the current directory, which may be a workspace.
            [sys.executable, "-P", "-m", "toolyard.programs.forker", str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            env={**os.environ, **single, "PYTHONPATH": paths},
            start_new_session=True,
        )
    return _Helper(process, ours, os.getpid())


@atexit.register
def _stop() -> None:
    if _helper is not None:
        _helper.stop()
