"""What may never end, fill the memory or crash, worked out in a fork of this process that is killed at a limit.

A file of the agent's that keeps an engine busy is no fault of ours: it must not end the grader. `bounded` would load a
helper anew for each grader, which is such a fork itself.
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

from toolyard.evaluators.checkpoints import InvalidArtifact

Result = TypeVar("Result")

LIMIT_S = 20.0
"""Seconds of processor time: how long it takes does not depend on what else the machine does."""
_WALL = 4
"""How many times as long it may take by the clock."""
_SHORTEST_S = 0.3
_overruns = 0


def be_patient() -> None:
    """Begin a grading: nothing has taken too long yet."""
    global _overruns  # noqa: PLW0603 - a grader is one process
    _overruns = 0


def lose_patience() -> None:
    """Something took too long. What comes next gets a fourth of its time: a check may try such a file many times."""
    global _overruns  # noqa: PLW0603
    _overruns = min(_overruns + 1, 9)


def patience(seconds: float) -> float:
    """The seconds that something may take which usually gets this many."""
    return max(seconds * 0.25**_overruns, _SHORTEST_S)


def apart(work: Callable[[Path], Result], faults: tuple[str, ...] = ()) -> Result:
    """What `work` gives, which is pickled.

    Args:
        work: called in a fork with an empty folder; what it changes elsewhere in the process stays there.
        faults: names of exceptions that are the fault of the file; others are raised as `RuntimeError`.

    Raises:
        InvalidArtifact: it did not end, crashed, or raised this or one of `faults`.
    """
    limit = patience(LIMIT_S)
    reading, writing = os.pipe()
    with tempfile.TemporaryDirectory(prefix="toolyard-apart-") as folder:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # since 3.12 where there are threads; this uses none
            pid = os.fork()
        if not pid:
            os.close(reading)
            _work(work, Path(folder), writing, limit)
        os.close(writing)
        try:
            data = _read(reading, limit * _WALL)
        finally:
            os.close(reading)
            os.kill(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if data is None or code == -signal.SIGPROF:
        lose_patience()
        raise InvalidArtifact(f"it takes more than {limit:g} s to compute")
    if not data:
        raise InvalidArtifact(f"computing it fails ({code})")
    name, result = pickle.loads(data)  # noqa: S301 - from our own fork
    if name == InvalidArtifact.__name__:
        raise InvalidArtifact(result)
    if name in faults:
        raise InvalidArtifact(f"it cannot be computed: {result[-300:] or name}")
    if name:
        raise RuntimeError(f"{name}: {result}")
    value: Result = result
    return value


def _work(work: Callable[[Path], Any], folder: Path, writing: int, limit: float) -> NoReturn:
    for alarm, timer, seconds in (
        (signal.SIGPROF, signal.ITIMER_PROF, limit),
        (signal.SIGALRM, signal.ITIMER_REAL, limit * _WALL + 1),  # when nobody waits any more
    ):
        signal.signal(alarm, signal.SIG_DFL)
        signal.setitimer(timer, seconds)
    try:
        faulthandler.disable()  # how it died is told by its end
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for said in (1, 2):  # native libraries write there about what they fail at
            os.dup2(nowhere, said)
        try:
            data = pickle.dumps(("", work(folder)))
        except BaseException as error:  # noqa: BLE001 - panics of native libraries derive from it
            data = pickle.dumps((type(error).__name__, str(error)))
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(data)
    finally:
        os._exit(0)


def _read(pipe: int, seconds: float) -> bytes | None:
    """All that is written; None where it takes longer."""
    deadline, data = time.monotonic() + seconds, bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while selector.select(max(deadline - time.monotonic(), 0)):
            chunk = os.read(pipe, 1 << 20)
            if not chunk:
                return bytes(data)
            data += chunk
    return None
