"""Work in a fork that reports its findings as it proceeds, so that they survive its death."""

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
    """Run `work` in a fork of this process, receive its reports, and return how it died.

    Args:
        work: called with the function for reports; its changes of the process stay in the fork.
        hear: called here with each report, pickled and in order.
        seconds: the wall time after which it is killed.
        memory_bytes: the limit in addition to this process's memory; programs that it starts may raise the limit.

    Returns:
        Empty if it finished, else the name of the signal that ended it, `TIME`, its exception as ``ValueError: text``,
        or
            ``exit code N``.
    """
    ours, theirs = socket.socketpair()
    with ours, tempfile.TemporaryDirectory(prefix="f-", ignore_cleanup_errors=True) as folder:
        with theirs:
            with warnings.catch_warnings():
                warnings.simplefilter(
                    "ignore", DeprecationWarning
                )  # Python 3.12 warns about forks with threads; the fork uses none
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
    """Run in the fork, which ends without clean-up, so its temporary files are in `folder`."""
    code = 1
    try:
        faulthandler.disable()  # the parent reports the cause of death
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):  # libraries print errors there, and a hostile file can make them endless
            os.dup2(nowhere, stream)
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        signal.setitimer(signal.ITIMER_REAL, 0)
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
