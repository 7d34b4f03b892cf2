import os
import threading
import time
from contextvars import Context
from pathlib import Path

import pytest
from support.disks import scarce_disk

from yardkit.world import Problem, save_atomically, save_bytes, save_text, skip_syncing


def test_a_failed_save_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    save_text(path, "old")
    with pytest.raises(RuntimeError), save_atomically(path) as draft:
        draft.write_text("half")
        raise RuntimeError("the writer failed")
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]


def test_a_save_below_a_file_is_a_problem(tmp_path: Path) -> None:
    save_text(tmp_path / "a.txt", "a file")
    with pytest.raises(Problem, match="nothing was changed"):
        save_text(tmp_path / "a.txt" / "b.txt", "x")


def test_a_save_takes_the_place_of_links_that_form_a_circle(tmp_path: Path) -> None:
    (tmp_path / "a.txt").symlink_to("a.txt")
    save_text(tmp_path / "a.txt", "whole")
    assert (tmp_path / "a.txt").read_text() == "whole"


def test_only_what_can_be_made_again_is_saved_without_waiting_for_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr("os.fsync", synced.append)
    with skip_syncing():
        save_text(tmp_path / "a.txt", "seeded")
    assert synced == []
    assert (tmp_path / "a.txt").read_text() == "seeded"
    Context().run(save_text, tmp_path / "b.txt", "saved")  # outside of the `skip_syncing` of all tests
    assert len(synced) == 1, "the file, before it takes its name"


def test_a_save_on_a_nearly_full_disk_waits_for_the_room_of_the_file_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(descriptor: int) -> None:
        if threading.current_thread() is not threading.main_thread():
            time.sleep(0.1)
        close(descriptor)

    close = os.close
    monkeypatch.setattr("os.close", slow)
    with scarce_disk(tmp_path / "disk") as disk:
        total_bytes = os.statvfs(disk).f_blocks * os.statvfs(disk).f_frsize
        size = (
            900_000 if total_bytes < 10_000_000 else 90_000
        )  # a small disk, which only root may mount, holds two of them
        for number in range(4):
            save_bytes(disk / "a.bin", bytes([number]) * size)
        assert (disk / "a.bin").read_bytes() == b"\x03" * size


def test_saving_a_file_again_and_again_keeps_no_file_open(tmp_path: Path) -> None:
    save_text(tmp_path / "a.txt", "first")
    before = len(os.listdir("/proc/self/fd"))
    for number in range(50):
        save_text(tmp_path / "a.txt", str(number))
    save_text(tmp_path / "b.txt", "waits for what the save before left to do")
    assert len(os.listdir("/proc/self/fd")) == before
