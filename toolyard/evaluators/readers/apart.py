"""What may never end, fill the memory or crash, worked out in a fork of this process that is killed at a limit.

A file of the agent's that keeps an engine busy is no fault of ours: it must not end the grader.
"""

import faulthandler
import os
import pickle
import selectors
import signal
import time
import warnings
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from toolyard.evaluators.checkpoints import InvalidArtifact

Result = TypeVar("Result")

LIMIT_S = 20.0
"""Seconds for the first that does not end; each next one gets a fourth of them, for checks may try it many times."""
_SHORTEST_S = 0.3
_overran = 0


def apart(work: Callable[[], Result], faults: tuple[str, ...] = ()) -> Result:
    """What `work` gives, which is pickled.

    Args:
        work: called in a fork; what it changes stays there.
        faults: names of exceptions that are the fault of the file; others are raised as `RuntimeError`.

    Raises:
        InvalidArtifact: it did not end, crashed, or raised one of `faults`.
    """
    global _overran  # noqa: PLW0603 - a grader is one process
    limit = max(LIMIT_S / 4**_overran, _SHORTEST_S)
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # since 3.12 where there are threads; the fork uses none
        pid = os.fork()
    if not pid:
        os.close(reading)
        _work(work, writing, limit)
    os.close(writing)
    try:
        data = _read(reading, limit)
    finally:
        os.close(reading)
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
    if data is None:
        _overran += 1
        raise InvalidArtifact(f"it takes more than {limit:g} s to compute")
    if not data:
        raise InvalidArtifact(f"computing it fails ({os.waitstatus_to_exitcode(status)})")
    name, result = pickle.loads(data)  # noqa: S301 - from our own fork
    if name in faults:
        raise InvalidArtifact(f"it cannot be computed: {result[-300:]}")
    if name:
        raise RuntimeError(f"{name}: {result}")
    value: Result = result
    return value


def _work(work: Callable[[], Any], writing: int, limit: float) -> NoReturn:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, limit + 1)  # also when nobody waits any more
    try:
        faulthandler.disable()  # how it died is told by its end
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for said in (1, 2):  # native libraries write there about what they fail at
            os.dup2(nowhere, said)
        try:
            data = pickle.dumps(("", work()))
        except BaseException as error:  # noqa: BLE001 - panics of native libraries derive from it
            data = pickle.dumps((type(error).__name__, str(error)))
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(data)
    finally:
        os._exit(0)


def _read(pipe: int, limit: float) -> bytes | None:
    """All that is written; None where it takes longer."""
    deadline, data = time.monotonic() + limit, bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while selector.select(max(deadline - time.monotonic(), 0)):
            chunk = os.read(pipe, 1 << 20)
            if not chunk:
                return bytes(data)
            data += chunk
    return None
