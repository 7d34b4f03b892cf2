from pathlib import Path

import pytest

from toolyard.world import Problem, save_text, saving


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
