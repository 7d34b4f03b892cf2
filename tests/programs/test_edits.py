"""Programs that change a workspace through a copy of it."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yardkit.programs.edits import edit_with
from yardkit.programs.runner import RunLimits, run_python
from yardkit.programs.scratch import Scratch
from yardkit.world import Problem, World, use_world
from yardkit.world.guard import Quota, use_guard


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    (folder / "notes" / "old").mkdir(parents=True)
    (folder / "a.txt").write_text("one\n")
    (folder / "notes" / "b.txt").write_text("two\n")
    return folder


def _run_shell(line: str, folder: Path, **limits: float) -> tuple[int, str]:
    world = World.open_user_folder(folder)
    done = edit_with(["/bin/sh", "-c", line], world, {"LC_ALL": "C"}, RunLimits(**limits))  # type: ignore[arg-type]
    return done.exit_code, done.stdout + done.stderr


def _list_folder(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_what_a_program_makes_changes_moves_and_removes_comes_back(files: Path) -> None:
    line = (
        "echo 1 >> a.txt; mv notes/b.txt c.txt; rmdir notes/old; rmdir notes; mkdir -p x/y; echo 2 > x/n; chmod +x x/n"
    )
    assert _run_shell(line, files) == (0, "")
    assert _list_folder(files) == ["a.txt", "c.txt", "x", "x/n", "x/y"]
    assert (files / "a.txt").read_text() == "one\n1\n"
    assert os.access(files / "x" / "n", os.X_OK)


def test_files_and_folders_change_places(files: Path) -> None:
    assert _run_shell("rm a.txt; mkdir a.txt; echo 1 > a.txt/in; rm -r notes; echo 2 > notes", files)[0] == 0
    assert (files / "a.txt" / "in").read_text() == "1\n"
    assert (files / "notes").read_text() == "2\n"


def test_a_large_file_that_is_a_link_in_there_is_moved_copied_and_removed_whole(files: Path) -> None:
    (files / "large.bin").write_bytes(b"x" * 8_000_001)
    assert _run_shell("mv large.bin notes/moved.bin; cp notes/moved.bin copy.bin", files)[0] == 0
    assert not (files / "large.bin").exists()
    assert {(files / name).stat().st_size for name in ("notes/moved.bin", "copy.bin")} == {8_000_001}
    assert _run_shell("rm copy.bin", files)[0] == 0
    assert _list_folder(files) == ["a.txt", "notes", "notes/b.txt", "notes/moved.bin", "notes/old"]


def test_neither_the_hard_links_of_other_worlds_nor_places_outside_are_touched(files: Path) -> None:
    fork = files.parent / "fork.txt"
    os.link(files / "a.txt", fork)
    _run_shell("echo evil >> a.txt; ln -s / out; ln -s /etc/passwd p; echo x > ../escaped", files)
    assert fork.read_text() == "one\n"
    assert _list_folder(files) == ["a.txt", "notes", "notes/b.txt", "notes/old"]
    assert sorted(path.name for path in files.parent.iterdir()) == ["files", "fork.txt"]


def test_links_within_the_folder_and_the_right_to_run_come_back(files: Path) -> None:
    (files / "run.sh").write_text("1\n")
    fork = files.parent / "fork.sh"
    os.link(files / "run.sh", fork)
    line = "ln -s notes/b.txt l; ln -s ../a.txt notes/up; ln -s ../../x notes/far; chmod +x run.sh; rm -r notes/old"
    assert _run_shell(f"{line}; ln -s ../a.txt notes/old", files) == (0, "")
    assert _list_folder(files) == ["a.txt", "l", "notes", "notes/b.txt", "notes/old", "notes/up", "run.sh"]
    assert (files / "l").readlink() == Path("notes/b.txt")
    assert os.access(files / "run.sh", os.X_OK)
    assert not os.access(fork, os.X_OK)


def test_a_folder_whose_files_are_seen_elsewhere_gives_way_to_a_link(files: Path) -> None:
    (files / "other").mkdir()
    (files / "other" / "b.txt").write_text("other\n")
    assert _run_shell("rm -r notes; ln -s other notes", files) == (0, "")
    assert (files / "notes").readlink() == Path("other")
    assert (files / "other" / "b.txt").read_text() == "other\n"


def test_a_program_that_passes_a_limit_changes_nothing(files: Path) -> None:
    code, output = _run_shell("rm a.txt; head -c 3000000 /dev/zero > big", files, file_bytes=1_000_000)
    assert code != 0, output
    assert _list_folder(files) == ["a.txt", "notes", "notes/b.txt", "notes/old"]


@pytest.mark.parametrize("seeded", [True, False])
def test_what_finds_no_room_in_the_middle_changes_nothing(tmp_path: Path, files: Path, seeded: bool) -> None:
    world = World.create(tmp_path / "world", task="t", seed=1) if seeded else World.open_user_folder(files)
    for name in ("a.txt", "b.txt", "old"):
        (world.files / name).write_text(name)
    before = {path.name: _read_content(path) for path in world.files.iterdir()}
    line = "rm b.txt; mkdir b.txt new; echo 1 > a.txt; ln -s a.txt l; rm old; head -c 9000 /dev/zero > z"
    with use_guard(Quota(world.files, max_bytes=5_000)), pytest.raises(Problem, match=r"no room for 'z'.*nothing was"):
        edit_with(["/bin/sh", "-c", line], world, {})
    assert {path.name: _read_content(path) for path in world.files.iterdir()} == before
    assert not (world.root / ".changing").exists()


def test_what_is_removed_and_made_is_noted_for_the_state_of_the_world(tmp_path: Path) -> None:
    world = World.create(tmp_path / "world", task="t", seed=1)
    (world.files / "a.txt").write_text("1")
    with use_world(world):
        before = world.state_hash()
        done = run_python("import os; os.remove('a.txt'); os.mkdir('d')", workspace=world.files)
        assert done.removed == [world.files / "a.txt"]
        assert world.state_hash() != before


@given(st.lists(st.sampled_from(["a", "b", "d", "d/e", "d/f"]), max_size=6), st.data())
def test_the_workspace_becomes_what_the_tree_is(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], data: st.DataObject
) -> None:
    root = tmp_path_factory.mktemp("law")
    workspace, tree = root / "files", root / "tree"
    workspace.mkdir()
    for name in names:
        _put_path(workspace / name, data.draw(st.booleans()))
    scratch = Scratch(tree, workspace, "/run/workspace")
    scratch.build()
    for name in data.draw(st.lists(st.sampled_from(["a", "b", "d", "d/e", "c"]), max_size=6)):
        _take_path(tree / name)
        if data.draw(st.booleans()):
            _put_path(tree / name, data.draw(st.booleans()))
    scratch.settle()
    assert {name: _read_content(workspace / name) for name in _list_folder(workspace)} == {
        name: _read_content(tree / name) for name in _list_folder(tree)
    }


def _read_content(path: Path) -> str:
    return path.read_text() if path.is_file() else ""


def _put_path(path: Path, folder: bool) -> None:
    if path.exists() or any(parent.is_file() for parent in path.parents):
        return
    if folder:
        path.mkdir(parents=True)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(path.as_posix()[-3:] + str(len(path.parts)))


def _take_path(path: Path) -> None:
    from yardkit.world.tree import remove_tree

    if path.is_dir():
        remove_tree(path)
    elif path.exists():
        path.unlink()
