"""How the surface calls the engine: in a process of its own with limits, and into a draft that replaces the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from yardkit.programs.bounded import run_bounded
from yardkit.world import current_world, lock_file, save_atomically

Result = TypeVar("Result")

SECONDS = 90.0
MEMORY_BYTES = 3_000_000_000


def run(function: Callable[..., Result], *args: object) -> Result:
    """Call a function of the engine where a crash, a loop or a bomb in a file harms nobody else."""
    return run_bounded(function, *args, seconds=SECONDS, memory_bytes=MEMORY_BYTES)


def edit_file(path: Path, target: Path | None, function: Callable[..., Result], *args: object) -> tuple[Path, Result]:
    """Call ``function(path, draft, *args)`` under the lock of what is written, and save; the path, and its result."""
    out = target or path
    with lock_file(out, current_world().locks), save_atomically(out) as draft:
        result = run(function, path, draft, *args)
    return out, result


def make_file(target: Path, function: Callable[..., Result], *args: object) -> Result:
    """Call ``function(draft, *args)`` and save the draft as `target`."""
    with lock_file(target, current_world().locks), save_atomically(target) as draft:
        return run(function, draft, *args)
