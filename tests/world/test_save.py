from pathlib import Path

import pytest

from toolyard.world import Problem, save_text, saving, unsynced


def test_a_failed_save_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    save_text(path, "old")
    with pytest.raises(RuntimeError), saving(path) as draft:
        draft.write_text("half")
        raise RuntimeError("the writer failed")
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]


def test_a_save_below_a_file_is_a_problem(tmp_path: Path) -> None:
    save_text(tmp_path / "a.txt", "a file")
    with pytest.raises(Problem, match="nothing was changed"):
        save_text(tmp_path / "a.txt" / "b.txt", "x")


def test_only_what_can_be_made_again_is_saved_without_waiting_for_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr("os.fsync", synced.append)
    with unsynced():
        save_text(tmp_path / "a.txt", "seeded")
    assert synced == []
    assert (tmp_path / "a.txt").read_text() == "seeded"
    save_text(tmp_path / "b.txt", "saved")
    assert len(synced) == 1, "the file, before it takes its name"
