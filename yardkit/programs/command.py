"""Running a program to its end or its limit, with bounded output and without leaving processes behind."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from yardkit.programs.reaper import COULD_NOT_START, build_reaper_command, list_namespace_words
from yardkit.world.guard import ended_by

MAX_OUTPUT_BYTES = 4_000_000
"""Bytes of each output stream that are kept unless more are asked for; what comes after is dropped."""

_DRAIN_S = 5.0
_ENDING_S = 30.0
_GRACE_S = 2.0
# Shells report a signal by 128 plus its number.
_SIGNALLED = 128
_NOT_STARTED = (126, 127)
"""What timeout(1) ends with for a command that is no program, or is not there."""


@dataclass(frozen=True)
class Ended:
    """How a program ended: its `exit_code` (negative: the signal), or `timed_out`."""

    exit_code: int
    timed_out: bool
    stdout: str
    stderr: str

    @property
    def crashed(self) -> bool:
        """Whether a signal ended it, which bubblewrap and shells report by a number above 128."""
        return self.exit_code < 0 or self.exit_code > _SIGNALLED


def run_program(
    command: Sequence[str],
    *,
    environment: Mapping[str, str],
    limit_s: float,
    cwd: Path | None = None,
    given: bytes | Path = b"",
    whole_tree: bool = False,
    own_ids: bool = True,
    max_output_bytes: int = MAX_OUTPUT_BYTES,
) -> Ended:
    """Run a program in a separate process group, which is killed after it ended or at its time limit.

    Args:
        command: program and arguments; no shell.
        environment: its complete environment.
        limit_s: wall time in seconds. timeout(1) enforces it even if this process is killed before.
        cwd: its working directory; the current one by default.
        given: the content of its standard input, or a file with it.
        whole_tree: whether to kill daemons that left the group, too (on Linux).
        own_ids: whether it then has a namespace of process ids where this machine allows it, in which it cannot kill
            who watches it. For an ordinary user that needs a user namespace, in which sudo does not work.
        max_output_bytes: the limit on the kept part of each output stream.

    Raises:
        OSError: it cannot be started.
    """
    with _open_source(given) as source:
        process = subprocess.Popen(  # noqa: S603 - a command of ours or of the user's own
            _wrap_with_limit(command, limit_s + _GRACE_S, whole_tree, own_ids),
            cwd=cwd,
            env=dict(environment),
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    streams = [
        _BoundedOutput(stream, max_output_bytes) for stream in (process.stdout, process.stderr) if stream is not None
    ]
    timed_out = False
    try:
        with ended_by(partial(_kill_group, process.pid)):
            process.wait(limit_s)
    except subprocess.TimeoutExpired:
        timed_out = True
    finally:
        if whole_tree:
            _end_process(process)
        _kill_group(process.pid)
        process.wait()
    stdout, stderr = (stream.text() for stream in streams)
    for message_prefix in ("timeout: ", COULD_NOT_START):
        if process.returncode in _NOT_STARTED and stderr.startswith(message_prefix):
            raise OSError(stderr.strip().removeprefix(message_prefix))
    return Ended(_find_signal(process.returncode) if whole_tree else process.returncode, timed_out, stdout, stderr)


def _find_signal(exit_code: int) -> int:
    """The exit code of a program, negative for a signal, which the first process of a namespace reports as a shell."""
    return _SIGNALLED - exit_code if _SIGNALLED < exit_code < _SIGNALLED + signal.NSIG else exit_code


def _open_source(given: bytes | Path) -> IO[bytes]:
    if isinstance(given, Path):
        return given.open("rb")
    source = tempfile.TemporaryFile()  # noqa: SIM115 - closed by the caller
    source.write(given)
    source.seek(0)
    return source


def _wrap_with_limit(command: Sequence[str], limit_s: float, whole_tree: bool, own_ids: bool) -> list[str]:
    if whole_tree and sys.platform == "linux":
        # Outside of a namespace the program may kill its parent, which watches it; what it leaves belongs to the next.
        namespace = list_namespace_words() if own_ids else ()
        return build_reaper_command([*namespace, *build_reaper_command(command, limit_s)], limit_s + _GRACE_S)
    if shutil.which("timeout") is None:  # on macOS; then only this process ends it
        return list(command)
    return ["timeout", "--signal=KILL", str(limit_s), *command]


def _end_process(process: "subprocess.Popen[bytes]") -> None:
    """Make the program's watcher end all its processes."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_ENDING_S)


def _kill_group(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


class _BoundedOutput:
    """Reads a stream to its end in a thread, so that the program never blocks on it, and keeps only the beginning."""

    def __init__(self, stream: IO[bytes], max_bytes: int) -> None:
        self._stream, self._max_bytes = stream, max_bytes
        self._kept = bytearray()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def text(self) -> str:
        self._thread.join(_DRAIN_S)
        return bytes(self._kept).decode("utf-8", "replace")

    def _read(self) -> None:
        with self._stream as stream:
            while chunk := stream.read1(65_536):  # type: ignore[attr-defined]
                self._kept += chunk[: self._max_bytes - len(self._kept)]
