"""Work that may hang, exhaust the memory or crash, done in a fork of this process that is killed at a limit.

For a process that is short-lived or a fork itself, such as a grader, for which `bounded` would start a new helper.
"""

import faulthandler
import os
import pickle
import selectors
import signal
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

Result = TypeVar("Result")

_WALL = 4
"""How many times as long it may take by the clock: how much processor time it takes does not depend on others."""


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
    reading, writing = os.pipe()
    with tempfile.TemporaryDirectory(prefix="yardkit-fork-") as folder:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of threads, unused here
            pid = os.fork()
        if not pid:
            os.close(reading)
            _run_work(work, Path(folder), writing, seconds)
        os.close(writing)
        try:
            data = _read_pipe(reading, seconds * _WALL)
        finally:
            os.close(reading)
            os.kill(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
    result: Result = _load_result(data, os.waitstatus_to_exitcode(status))
    return result


def _load_result(data: bytes | None, exit_code: int) -> Any:
    if data is None or exit_code == -signal.SIGPROF:
        raise Overrun
    if not data:
        raise Crashed(str(exit_code))
    name, result = pickle.loads(data)  # noqa: S301 - from our own fork
    if name:
        raise Raised(name, result)
    return result


def _run_work(work: Callable[[Path], Any], folder: Path, writing: int, seconds: float) -> NoReturn:
    for alarm, timer, limit in (
        # Default handlers end the fork even in native code that never returns to Python.
        (signal.SIGPROF, signal.ITIMER_PROF, seconds),
        (signal.SIGALRM, signal.ITIMER_REAL, seconds * _WALL + 1),  # ends the fork if its parent died
    ):
        signal.signal(alarm, signal.SIG_DFL)
        signal.setitimer(timer, limit)
    try:
        faulthandler.disable()  # the parent reports the cause of death
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):  # native libraries print their errors there
            os.dup2(nowhere, stream)
        try:
            data = pickle.dumps(("", work(folder)))
        except BaseException as error:  # noqa: BLE001 - panics of native libraries derive from it
            data = pickle.dumps((type(error).__name__, str(error)))
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(data)
    finally:
        os._exit(0)


def _read_pipe(pipe: int, seconds: float) -> bytes | None:
    """Read all output; None if it takes longer."""
    deadline, data = time.monotonic() + seconds, bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while selector.select(max(deadline - time.monotonic(), 0)):
            chunk = os.read(pipe, 1 << 20)
            if not chunk:
                return bytes(data)
            data += chunk
    return None
