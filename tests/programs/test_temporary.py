import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from support.processes import wait_until

from yardkit.programs.temporary import sweep_folders

_SOURCE = """
import pathlib, subprocess, sys, tempfile
from yardkit.programs.temporary import own_temporary_folder
folder = own_temporary_folder(within="within" in sys.argv)
pathlib.Path(tempfile.mkdtemp(), "file").write_text("x")
print(folder, subprocess.run(["mktemp"], capture_output=True, text=True, check=True).stdout, flush=True)
sys.stdin.read()
"""


@contextmanager
def _run_owner(usual: Path, *arguments: str) -> Iterator[tuple["subprocess.Popen[str]", Path]]:
    """A process with a temporary folder of its own, and that folder."""
    command = [sys.executable, "-c", _SOURCE, *arguments]
    environment = {**os.environ, "TMPDIR": str(usual)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        folder, of_a_child = process.stdout.readline().split()
        assert Path(of_a_child).parent == Path(folder)
        assert Path(folder).parent == usual
        yield process, Path(folder)


def _find_remover(folder: Path) -> int:
    """Its command line appears a moment after it was started."""
    while True:
        for entry in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                command = (entry / "cmdline").read_bytes()
                if b"read -r" in command and str(folder).encode() in command:
                    return int(entry.name)


@pytest.mark.parametrize("sent", [None, signal.SIGTERM, signal.SIGKILL])
def test_the_folder_goes_with_its_process_however_that_ends(tmp_path: Path, sent: signal.Signals | None) -> None:
    with _run_owner(tmp_path) as (process, folder):
        assert len(list(folder.rglob("file"))) == 1
        if sent is None:
            process.communicate()
        else:
            process.send_signal(sent)
    wait_until(lambda: list(tmp_path.iterdir()) == [])


def test_the_folder_of_a_worker_goes_with_it_while_that_of_its_front_stays(tmp_path: Path) -> None:
    with _run_owner(tmp_path) as (_, front):
        with _run_owner(front, "within") as (worker, folder):
            assert folder.parent == front
            worker.kill()
        wait_until(lambda: not folder.exists())
        assert front.exists()


def test_what_a_power_failure_left_is_removed_by_the_next_and_what_others_use_is_not(tmp_path: Path) -> None:
    with _run_owner(tmp_path) as (living, used), _run_owner(tmp_path) as (dying, left):
        os.kill(_find_remover(left), signal.SIGKILL)
        dying.kill()
        dying.wait()
        (tmp_path / "yardkit-tmp-link").symlink_to(used)
        (tmp_path / "yardkit-other").mkdir()
        assert left.exists()
        sweep_folders(tmp_path)
        assert not left.exists()
        assert list(used.rglob("file")) != []
        assert {path.name for path in tmp_path.iterdir()} == {used.name, "yardkit-tmp-link", "yardkit-other"}
        living.communicate()
