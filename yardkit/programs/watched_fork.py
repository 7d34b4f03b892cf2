"""Work in a fork that tells what it finds while it goes on, so that what it told outlives its death."""

import faulthandler
import os
import pickle
import signal
import socket
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NoReturn

from yardkit.programs.forker import limit_memory, receive_frame, send_frame

Report = Callable[[Any], None]

TIME = "time"
"""How a fork ended whose time was over."""


_LONGEST = 500
"""Characters of an exception that are reported: its text may quote a file."""


@dataclass(frozen=True)
class _Raised:
    """The last message of a fork whose work raised an exception."""

    text: str


def watch_fork(work: Callable[[Report], None], hear: Report, seconds: float, memory_bytes: int) -> str:
    """Let `work` run in a fork of this process, hear what it tells, and say how it died.

    Args:
        work: called with what it tells by; what it changes in the process stays in the fork.
        hear: called here with all that it told, in order, which is pickled.
        seconds: by the clock, after which it is killed.
        memory_bytes: that it may take on top of what this process has; programs that it starts may raise the limit.

    Returns:
        Nothing where it came to its end, else the name of the signal that ended it, `TIME`, what it raised as
        ``ValueError: text``, or ``exit code N``.
    """
    ours, theirs = socket.socketpair()
    with ours, tempfile.TemporaryDirectory(prefix="f-", ignore_cleanup_errors=True) as folder:
        with theirs:
            with warnings.catch_warnings():
                warnings.simplefilter(
                    "ignore", DeprecationWarning
                )  # where there are threads; the fork uses none of them
                pid = os.fork()
            if not pid:
                ours.close()
                _run_work(work, theirs, folder, memory_bytes)
        in_time, raised = False, list[_Raised]()

        def listen(message: Any) -> None:
            raised.append(message) if isinstance(message, _Raised) else hear(message)

        try:
            in_time = _hear_all(ours, listen, time.monotonic() + seconds)
        finally:
            if not in_time:
                os.kill(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
    if not in_time:
        return TIME
    return raised[0].text if raised else _describe_exit(os.waitstatus_to_exitcode(status))


def _describe_exit(exit_code: int) -> str:
    if exit_code < 0:
        return signal.Signals(-exit_code).name
    return f"exit code {exit_code}" if exit_code else ""


def _run_work(work: Callable[[Report], None], connection: socket.socket, folder: str, memory_bytes: int) -> NoReturn:
    """The fork: it ends without clean-up, so its temporary files lie in `folder`."""
    code = 1
    try:
        faulthandler.disable()  # how it died is told by its end
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):  # libraries write there about what they fail at, as much as a file wants
            os.dup2(nowhere, stream)
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        signal.setitimer(signal.ITIMER_REAL, 0)
        limit_memory(memory_bytes, for_good=False)
        work(lambda message: send_frame(connection, pickle.dumps(message)))
        connection.shutdown(socket.SHUT_RDWR)
        code = 0
    except BaseException as error:  # noqa: BLE001 - reported to the process that waits
        with suppress(BaseException):  # without memory nothing can be said, and the exit code remains
            send_frame(connection, pickle.dumps(_Raised(f"{type(error).__name__}: {error}"[:_LONGEST])))
    finally:
        os._exit(code)


def _hear_all(connection: socket.socket, hear: Report, deadline: float) -> bool:
    """Whether the fork closed the connection before the deadline."""
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
