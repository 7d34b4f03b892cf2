"""Work for worker processes: functions of a module, as processes find them by name."""

import os
import signal
import time
from pathlib import Path


def double_number(number: int) -> int:
    return 2 * number


def double_or_die(number: int) -> int:
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 3:
        os._exit(7)
    return 2 * number


def double_or_hang(number: int) -> int:
    if number == 1:
        time.sleep(600)
    return 2 * number


def leave_note_when_stopped(path: Path) -> None:
    try:
        time.sleep(600)
    finally:
        path.write_text("stopped in good order")


def read_setting(name: str) -> str:
    return os.environ.get(name, "")
