"""Apps whose calls are killed in the middle, and apps in which two write at once."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support import app_changes
from support.app_changes import ADDING, CHANGES, AppChange, do_in

from yardkit.world import World, use_world

DELAYS_MS = (0, 1, 2, 3, 5, 8, 12, 17, 23)
"""How long after a call the process of the next ones is killed."""
MANY = 100_000


@contextmanager
def start_app_change(folder: Path, name: str) -> Iterator[tuple[World, AppChange, "subprocess.Popen[str]"]]:
    """A world in which there is what a change needs, and the program that makes the change."""
    world, change = World.create(folder / "world", task="t", seed=1), CHANGES[name]
    for number in range(2):
        (world.files / f"{number}.pdf").write_text(str(number))
    with use_world(world):
        change.begin(world, do_in(change.server))
    command = [sys.executable, app_changes.__file__, str(world.root), name]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        yield world, change, program
        assert program.stdin
        program.stdin.close()


def send_order(program: "subprocess.Popen[str]", processes: int, first: int, last: int) -> None:
    assert program.stdin
    print(processes, first, last, file=program.stdin, flush=True)


def read_replies(program: "subprocess.Popen[str]") -> list[str]:
    """The lines until all processes are over."""
    assert program.stdout
    lines = [program.stdout.readline().strip()]
    while not lines[-1].startswith("over"):
        lines.append(program.stdout.readline().strip())
    return lines


@pytest.mark.drill
@pytest.mark.parametrize("name", CHANGES)
def test_a_killed_call_leaves_the_old_state_or_the_new(tmp_path: Path, name: str) -> None:
    with start_app_change(tmp_path, name) as (world, change, program):
        for delay_ms in DELAYS_MS:
            (before,) = {*change.parts(world)}
            send_order(program, 1, before + 1, before + MANY)
            assert program.stdout
            process = int(program.stdout.readline())
            assert program.stdout.readline() == "done\n"
            time.sleep(delay_ms / 1000)
            os.kill(process, signal.SIGKILL)
            done_count = 1 + read_replies(program).count("done")
            (after,) = {*change.parts(world)}
            assert after - before in (done_count, done_count + 1)
        with use_world(world):
            change.call(do_in(change.server), after)
        assert len({*change.parts(world)}) == 1


@pytest.mark.drill
@pytest.mark.parametrize("name", ADDING)
def test_two_who_write_at_once_lose_nothing(tmp_path: Path, name: str) -> None:
    with start_app_change(tmp_path, name) as (world, change, program):
        send_order(program, 2, 1, 15)
        assert read_replies(program)[-1] == "over 0 0"
        assert {*change.parts(world)} == {30}
