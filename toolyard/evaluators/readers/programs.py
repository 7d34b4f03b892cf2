"""Programs that readers start: a time limit, and nothing of theirs left running."""

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Ended:
    """What a program printed and complained of; `overran` when it was ended at its limit."""

    out: str
    errors: str
    overran: bool


def run_program(command: Sequence[str], environment: Mapping[str, str], limit_s: float, given: bytes = b"") -> Ended:
    """Run a program in a group of processes of its own, with `given` on its standard input.

    timeout(1) ends the whole group, also when this process is itself killed at its limit.
    """
    started = time.monotonic()
    process = subprocess.Popen(  # noqa: S603 - our own command, the files' names are ours too
        ["timeout", "--kill-after=2", str(limit_s), *command],  # noqa: S607
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    )
    try:
        out, errors = process.communicate(given, timeout=limit_s + 5)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, errors = process.communicate()
    overran = time.monotonic() - started >= limit_s
    return Ended(out.decode("utf-8", "replace"), errors.decode("utf-8", "replace").strip(), overran)
