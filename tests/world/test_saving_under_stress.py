"""Saves that are killed, that run out of disk, and that meet each other."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from yardkit.world import Problem, save_atomically, save_bytes
from yardkit.world.save import SAVE_PREFIX
from yardkit.world.tree import list_entries

OLD, NEW = b"o" * 300_000, b"n" * 500_000
SAVER = (
    "import sys; from pathlib import Path; from yardkit.world.save import save_bytes\n"
    "path = Path(sys.argv[1]); print('ready', flush=True)\n"
    f"while True:\n    save_bytes(path, b'n' * {len(NEW)}); save_bytes(path, b'o' * {len(OLD)})\n"
)
COUNTER = (
    "import json, sys; from pathlib import Path; from yardkit.world.save import lock_file, save_text\n"
    "path, locks = Path(sys.argv[1]), Path(sys.argv[2])\n"
    "for _ in range(60):\n"
    "    with lock_file(path, locks):\n"
    "        save_text(path, json.dumps(json.loads(path.read_text()) + 1))\n"
)


def test_a_killed_save_leaves_the_old_or_the_new_content(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    save_bytes(path, OLD)
    for delay_ms in range(12):
        with subprocess.Popen([sys.executable, "-c", SAVER, str(path)], stdout=subprocess.PIPE) as saver:
            assert saver.stdout
            saver.stdout.readline()
            deadline = time.monotonic() + delay_ms * 0.0007
            while time.monotonic() < deadline:
                pass
            os.kill(saver.pid, signal.SIGKILL)
        assert path.read_bytes() in (OLD, NEW)
        assert [entry.name for entry in list_entries(tmp_path)] == ["a.bin"]


def test_a_folder_takes_the_place_of_a_folder_in_one_step(tmp_path: Path) -> None:
    place = tmp_path / "folder"
    for name in ("old", "new"):
        with save_atomically(place) as draft:
            draft.mkdir()
            (draft / name).write_text(name)
    assert [path.name for path in tmp_path.rglob("*")] == ["folder", "new"]
    with pytest.raises(RuntimeError), save_atomically(place) as draft:
        draft.mkdir()
        raise RuntimeError
    assert [path.name for path in tmp_path.rglob("*")] == ["folder", "new"]


def test_two_writers_with_a_lock_lose_no_update(tmp_path: Path) -> None:
    path = tmp_path / "count.json"
    path.write_text("0")
    command = [sys.executable, "-c", COUNTER, str(path), str(tmp_path / "locks")]
    writers = [subprocess.Popen(command) for _ in range(3)]
    assert [writer.wait(timeout=240) for writer in writers] == [0, 0, 0]
    assert json.loads(path.read_text()) == 180


def test_a_full_disk_leaves_the_old_content(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    save_bytes(path, OLD)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, before[1]))
    try:
        with pytest.raises(Problem, match="nothing was changed"):
            save_bytes(path, NEW)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert path.read_bytes() == OLD
    assert not [name for name in os.listdir(tmp_path) if name.startswith(SAVE_PREFIX)]
