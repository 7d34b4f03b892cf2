"""Runs a program and kills everything that it started when it ends, even processes that left its session.

Run as a script, with the time limit in seconds and the program's command line. The system makes this process the parent
of each orphaned one (`PR_SET_CHILD_SUBREAPER`), so that nothing can escape. It ends like the program; on SIGTERM, at
the limit and when its own parent is gone, it kills everything first.

A program of the same user can kill it. In a namespace of process ids it is the first process, which no other one there
can kill, and with which all end; it then ends as a shell does, with 128 and the number of the program's signal.
"""

import ctypes
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

COULD_NOT_START = "cannot start: "
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
# As shells report a command that they cannot find.
_NOT_STARTED = 127
_SIGNALLED = 128
_FIRST = 1
"""The process id of the first process in a namespace."""
_PROBE_S = 20.0
_ENDING_S = 20.0


@cache
def list_namespace_words() -> tuple[str, ...]:
    """The command line before a command that gives it process ids of its own; empty where this machine does not.

    An ordinary user needs a user namespace for it.
    """
    user = () if os.geteuid() == 0 else ("--user", "--map-current-user")
    words = (shutil.which("unshare") or "unshare", *user, "--pid", "--fork", "--kill-child", "--mount-proc", "--")
    try:
        done = subprocess.run([*words, "true"], capture_output=True, timeout=_PROBE_S, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return words if done.returncode == 0 else ()


class _Over(BaseException):
    """Everything must be ended now."""


def build_reaper_command(command: Sequence[str], limit_s: float) -> list[str]:
    """Build the command line that runs `command` under this program."""
    return [sys.executable, "-I", "-S", "-B", __file__, str(limit_s), *command]


def _run(command: Sequence[str], limit_s: float) -> int:
    """Run the program and return its status as from `os.waitpid`."""
    signal.signal(signal.SIGALRM, _raise_over)
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    program = os.posix_spawnp(command[0], list(command), os.environ, setsid=True)
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == program:
            return status


def _raise_over(*_signal: object) -> None:
    raise _Over


def _end_all() -> None:
    """Kill our children until there are none, since those of a killed one become ours."""
    # Bounded, since a process that hangs in the kernel cannot be killed.
    deadline = time.monotonic() + _ENDING_S
    while (children := _list_children()) and time.monotonic() < deadline:
        for pid in children:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.002)


def _list_children() -> list[int]:
    return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii").split()]


def _end_as(status: int) -> int:
    """End by the same signal as the program, or else with its exit code."""
    if not os.WIFSIGNALED(status):
        return os.waitstatus_to_exitcode(status)
    number = os.WTERMSIG(status)
    if os.getpid() == _FIRST:  # signals to itself have no effect
        return _SIGNALLED + number
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError):  # SIGKILL has no handler to reset
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    return _SIGNALLED + number


def main() -> int:
    limit_s, command = float(sys.argv[1]), sys.argv[2:]
    parent = os.getppid()
    signal.signal(signal.SIGTERM, _raise_over)
    library = ctypes.CDLL(None)
    library.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    library.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    status = signal.SIGKILL.value
    try:
        # The parent may have died before PR_SET_PDEATHSIG was set; then no signal comes.
        if os.getppid() == parent:
            status = _run(command, limit_s)
    except _Over:
        pass
    except OSError as error:
        print(f"{COULD_NOT_START}{command[0]}: {error.strerror}", file=sys.stderr)  # noqa: T201
        return _NOT_STARTED
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    _end_all()
    return _end_as(status)


if __name__ == "__main__":
    sys.exit(main())
