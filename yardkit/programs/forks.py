"""Work that may hang, exhaust the memory or crash, done in a fork of this process that reports as it proceeds.

For a process that is short-lived or a fork itself, such as a grader; others use `bounded`, whose helper forks with what
stands here, too: frames of messages and the limit of memory.
"""

import faulthandler
import os
import pickle
import resource
import signal
import socket
import struct
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

Result = TypeVar("Result")
Report = Callable[[Any], None]

TIME = "time"
"""How a fork ended whose time was over."""
_HEADER = struct.Struct("!Q")
_LONGEST = 500
"""Characters of an exception that are reported: its text may quote a file."""
_WALL = 4
"""How many times its processor time a call may take by the clock: processor time does not depend on others."""


class Overrun(Exception):
    """It exceeded its time limit."""


class Crashed(Exception):
    """It ended without a result; the message says how."""


class Raised(Exception):
    """It raised an exception.

    Attributes:
        name: the name of the exception's class.
        words: the message of the exception.
    """

    def __init__(self, name: str, words: str) -> None:
        super().__init__(f"{name}: {words}")
        self.name, self.words = name, words


def call_in_fork(work: Callable[[Path], Result], seconds: float) -> Result:
    """Run `work` in a fork and return its pickled result.

    Args:
        work: called in a fork with an empty folder; its changes of the process stay in the fork.
        seconds: its limit of processor time.

    Raises:
        Overrun: it took longer.
        Crashed: the fork died.
        Raised: `work` raised any exception.
    """
    outcome: list[tuple[str, Any]] = []

    def run(report: Report) -> None:
        # The default handler ends the fork even in native code that never returns to Python.
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            report(("", work(Path(tempfile.gettempdir()))))
        except BaseException as error:  # noqa: BLE001 - panics of native libraries derive from it
            report((type(error).__name__, str(error)))

    end = watch_fork(run, outcome.append, seconds * _WALL)
    if end in (TIME, "SIGPROF"):
        raise Overrun
    if not outcome:
        raise Crashed(end)
    name, result = outcome[0]
    if name:
        raise Raised(name, result)
    return result  # type: ignore[no-any-return]


@dataclass(frozen=True)
class _Raised:
    """The last message of a fork whose work raised an exception."""

    text: str


def watch_fork(work: Callable[[Report], None], hear: Report, seconds: float, memory_bytes: int | None = None) -> str:
    """Run `work` in a fork of this process, receive its reports, and return how it died.

    Args:
        work: called with the function for reports; its changes of the process stay in the fork. Temporary files that it
            makes are deleted.
        hear: called here with each report, pickled and in order.
        seconds: the wall time after which it is killed.
        memory_bytes: the limit in addition to this process's memory; programs that it starts may raise the limit.

    Returns:
        Empty if it finished, else the name of the signal that ended it, `TIME`, its exception as ``ValueError: text``,
        or ``exit code N``.
    """
    ours, theirs = socket.socketpair()
    with ours, tempfile.TemporaryDirectory(prefix="f-", ignore_cleanup_errors=True) as folder:
        with theirs:
            with warnings.catch_warnings():
                # Python 3.12 warns about forks with threads; the fork uses none.
                warnings.simplefilter("ignore", DeprecationWarning)
                pid = os.fork()
            if not pid:
                ours.close()
                _run_work(work, theirs, folder, seconds, memory_bytes)
        in_time, raised = False, list[_Raised]()

        def listen(message: Any) -> None:
            raised.append(message) if isinstance(message, _Raised) else hear(message)

        try:
            in_time = _hear_all(ours, listen, time.monotonic() + seconds)
        finally:
            if not in_time:
                os.kill(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
    exit_code = os.waitstatus_to_exitcode(status)
    if not in_time:
        return TIME
    if raised:
        return raised[0].text
    if exit_code < 0:
        return signal.Signals(-exit_code).name
    return f"exit code {exit_code}" if exit_code else ""


def _run_work(
    work: Callable[[Report], None], connection: socket.socket, folder: str, seconds: float, memory_bytes: int | None
) -> NoReturn:
    """Run in the fork, which ends without clean-up, so its temporary files are in `folder`."""
    code = 1
    try:
        faulthandler.disable()  # the parent reports the cause of death
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):  # libraries print errors there, and a hostile file can make them endless
            os.dup2(nowhere, stream)
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        # It ends the fork if its parent died.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds + 1)
        if memory_bytes is not None:
            limit_memory(memory_bytes, for_good=False)
        work(lambda message: send_frame(connection, pickle.dumps(message)))
        connection.shutdown(socket.SHUT_RDWR)
        code = 0
    except BaseException as error:  # noqa: BLE001 - reported to the process that waits
        with suppress(BaseException):  # without memory nothing can be sent, but the exit code remains
            send_frame(connection, pickle.dumps(_Raised(f"{type(error).__name__}: {error}"[:_LONGEST])))
    finally:
        os._exit(code)


def _hear_all(connection: socket.socket, hear: Report, deadline: float) -> bool:
    """Receive all reports; return whether the fork closed the connection before the deadline."""
    while (left := deadline - time.monotonic()) > 0:
        connection.settimeout(left)
        try:
            frame = receive_frame(connection)
        except TimeoutError:
            return False
        except ConnectionError:
            return True
        if not frame:
            return True
        hear(pickle.loads(frame))  # noqa: S301 - from our own fork
    return False


def send_frame(connection: socket.socket, data: bytes) -> None:
    """Send a message with its length before it."""
    connection.sendall(_HEADER.pack(len(data)) + data)


def receive_frame(connection: socket.socket) -> bytes:
    """Receive the next message; empty if the other side has closed."""
    header = _receive_bytes(connection, _HEADER.size)
    return _receive_bytes(connection, _HEADER.unpack(header)[0]) if header else b""


def _receive_bytes(connection: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        chunk = connection.recv(min(size - len(data), 1 << 20))
        if not chunk:
            return b""
        data += chunk
    return bytes(data)


def limit_memory(more_bytes: int, *, for_good: bool) -> None:
    """Limit the additional address space of this process, `for_good` or until it raises the limit itself."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = address_bytes() + more_bytes
    limit = limit if hard < 0 else min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit if for_good else hard))
    # A crash at the limit must not write gigabytes of a core dump.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def address_bytes(pid: int | str = "self") -> int:
    """Return the address space of a process; 0 if it is gone."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as handle:  # noqa: PTH123 - cheap, right after a fork
            return int(handle.read().split()[0]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0
