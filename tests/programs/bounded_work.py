"""Functions for test_bounded: importable, as bounded calls need them."""

import ctypes
import os
import resource
import signal
import sys
import tempfile
import time
from pathlib import Path

from yardkit.world import Problem

PRELOAD = ("fractions",)


def add(first: int, two: int) -> int:
    return first + two


def list_loaded_modules() -> list[str]:
    return sorted(sys.modules)


def spin_forever() -> None:
    while True:
        pass


def spin_in_c() -> int:
    return len(str(9 ** (9**9)))


def leave_a_file(content: str, killed: bool = False) -> str:
    """A temporary file that nobody removes; its name is written into the file `told`."""
    _, name = tempfile.mkstemp()
    Path(content).write_text(name)
    if killed:
        os.kill(os.getpid(), signal.SIGKILL)
    return name


def grow_memory() -> int:
    return len(bytearray(4_000_000_000))


_memory_blocks: list[bytearray] = []


def keep_memory(size: int) -> int:
    """Keep so many bytes until the process ends; its number."""
    _memory_blocks.append(bytearray(size))
    return os.getpid()


def raise_own_limit() -> bool:
    """Whether a process can take back the limit of its addresses, as a program that it starts could."""
    limit, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    return resource.getrlimit(resource.RLIMIT_AS)[0] != limit


def crash_process() -> None:
    ctypes.string_at(0)


def be_killed() -> None:
    os.kill(os.getpid(), 9)


def refuse_value(value: int) -> None:
    raise Problem(f"{value} is odd; give an even number")


def fail_with_error() -> None:
    raise KeyError("lost")


def nest_deeply(depth: int = 0) -> int:
    return nest_deeply(depth + 1)


def speak_to_nobody() -> str:
    sys.stdout.write("to nobody\n")
    return sys.stdin.read()


def get_folder() -> str:
    return str(Path.cwd())


def get_pid() -> int:
    return os.getpid()


def meet_in_folder(folder: str, count: int) -> int:
    """Come into a folder, and leave when so many have come."""
    (Path(folder) / str(os.getpid())).touch()
    while len(os.listdir(folder)) < count:
        time.sleep(0.01)
    return os.getpid()


def make_large(size: int) -> bytes:
    return b"x" * size


def sum_numbers(to: int) -> int:
    return sum(range(to))
