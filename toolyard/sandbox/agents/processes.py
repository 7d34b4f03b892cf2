"""A program that somebody else wrote: its output bounded, and nothing of it left running."""

import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

MAX_OUTPUT_BYTES = 4_000_000
"""Bytes of each output stream that are kept; the program may write more, which is dropped."""

_MARK = "TOOLYARD_RUN"
_DRAIN_S = 5.0
_ROUNDS = 50


@dataclass(frozen=True)
class Ended:
    """How a program ended: its `exit_code` (negative: the signal), or `timed_out`."""

    exit_code: int
    timed_out: bool
    stdout: str
    stderr: str


def run_program(
    command: Sequence[str], *, cwd: Path, environment: Mapping[str, str], stdin: Path, mark: str, time_limit_s: float
) -> Ended:
    """Run a program to its end or its time limit. Whatever it started is killed then, daemons too.

    Args:
        command: program and arguments; no shell.
        cwd: where it runs.
        environment: all of its environment; the variable that marks its descendants is added.
        stdin: a file that it can read from.
        mark: unique to this run.
        time_limit_s: seconds of wall time.

    Raises:
        OSError: it cannot be started.
    """
    with stdin.open("rb") as source:
        process = subprocess.Popen(  # noqa: S603 - running the user's own command is what this is for
            command,
            cwd=cwd,
            env={**environment, _MARK: mark},
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    streams = [_Kept(stream) for stream in (process.stdout, process.stderr) if stream is not None]
    timed_out = False
    try:
        process.wait(time_limit_s)
    except subprocess.TimeoutExpired:
        timed_out = True
    finally:
        _kill_group(process.pid)
        process.wait()
        kill_marked(mark)
    stdout, stderr = (stream.text() for stream in streams)
    return Ended(process.returncode, timed_out, stdout, stderr)


def kill_marked(mark: str) -> None:
    """Kill every process that inherited `mark`, whichever session or parent it has moved to."""
    # Again while there were some: one may have started another between our look and our shot.
    for _ in range(_ROUNDS):
        if not _kill_once(f"{_MARK}={mark}".encode()):
            return


def _kill_once(wanted: bytes) -> int:
    killed = 0
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if wanted in (entry / "environ").read_bytes().split(b"\0"):
                os.kill(int(entry.name), signal.SIGKILL)
                killed += 1
    return killed


def _kill_group(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


class _Kept:
    """Reads a stream to its end in a thread, so that the program never blocks on it, and keeps the beginning."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._kept = bytearray()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def text(self) -> str:
        self._thread.join(_DRAIN_S)
        return bytes(self._kept).decode("utf-8", "replace")

    def _read(self) -> None:
        with self._stream as stream:
            while chunk := stream.read1(65_536):  # type: ignore[attr-defined]
                self._kept += chunk[: MAX_OUTPUT_BYTES - len(self._kept)]
