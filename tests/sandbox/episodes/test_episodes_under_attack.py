"""Agents that fill the disk, dig, or play with the workspace; and a disk that is full."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from support.disks import ROOM, fill_disk, scarce_disk
from support.gateways import TASK
from support.scale import select_drills

from yardkit.sandbox.episodes.episode import Episode, open_new, reopen_episode
from yardkit.world import Problem, save_text, tree


@pytest.fixture
def episode(tmp_path: Path) -> Episode:
    return open_new(TASK, 1, tmp_path / "runs")


def list_errors(episode: Episode) -> list[str]:
    return [call.error for call in episode.ledger.calls]


@pytest.mark.parametrize("levels", [70, 900, 1_900])
def test_a_path_that_is_too_deep_is_a_tool_error_and_the_episode_goes_on(episode: Episode, levels: int) -> None:
    reply = episode.call("write_file", path="a/" * levels + "x.txt", content="x")
    assert reply.is_error
    assert "too deep" in reply.text
    assert not episode.call("list_folder").is_error
    assert episode.ledger.calls[0].state_after == episode.ledger.calls[0].state_before
    assert not any(call.crashed for call in episode.ledger.calls)


def test_folders_cannot_be_moved_or_copied_below_what_is_kept(episode: Episode) -> None:
    episode.call("make_folder", path="a/" * 40)
    episode.call("make_folder", path="b/" * 40)
    for tool in ("move_path", "copy_path"):
        reply = episode.call(tool, source="a", target="b/" * 40 + "a")
        assert "too deep" in reply.text
    assert not any(call.crashed for call in episode.ledger.calls)


def test_an_agent_cannot_fill_the_disk_by_copying(episode: Episode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(episode._quota, "max_bytes", 800_000)
    episode.call("write_file", path="d/a.txt", content="x" * 300_000)
    assert not episode.call("copy_path", source="d", target="e").is_error
    reply = episode.call("copy_path", source="d", target="f/g/h")
    assert reply.is_error
    assert "Delete what is not needed" in reply.text
    assert not (episode.world.files / "f").exists()
    assert not episode.call("delete_path", path="d", recursive=True).is_error
    assert not episode.call("copy_path", source="e", target="f").is_error


def test_an_agent_cannot_make_more_entries_than_the_quota(episode: Episode) -> None:
    has = tree.measure_usage(episode.world.files)[0]
    episode._quota.max_entries = has + 3
    error_flags = [episode.call("make_folder", path=f"new{number}").is_error for number in range(5)]
    assert error_flags == [False, False, False, True, True]


def test_states_beyond_an_episodes_share_of_the_disk_are_not_kept(episode: Episode) -> None:
    episode._states.max_bytes = 500_000
    for number in range(3):
        episode.call("write_file", path="a.txt", content=f"{number}" * 200_000)
    assert (episode.fork(at_call=2).world.files / "a.txt").read_text() == "1" * 200_000
    episode.call("write_file", path="b.txt", content="b")
    with pytest.raises(Problem, match="was not kept"):
        episode.fork(at_call=3)
    assert (episode.fork().world.files / "a.txt").read_text() == "2" * 200_000


def _nest_folders(files: Path) -> None:
    here = Path.cwd()
    os.chdir(files)
    for _ in range(1_500):
        Path("d").mkdir()
        os.chdir("d")
    os.chdir(here)


def _replace_with_pipes(files: Path) -> None:
    for name in ("a.txt", "a.db", "a.xlsx", "answer.json"):
        os.mkfifo(files / name)


def _write_strange_names(files: Path) -> None:
    for name in (b"\xff\xfe.txt", b"a\nb.txt", b"\x1b[31m.csv", "\u202e.md".encode()):
        Path(os.fsdecode(os.fsencode(files) + b"/" + name)).write_bytes(b"x")


def _replace_with_links(files: Path) -> None:
    for name, target in {"one": "two", "two": "one", "root": "/", "self": ".", "out": "../../episode.json"}.items():
        (files / name).symlink_to(target)


def _write_sparse(files: Path) -> None:
    with (files / "huge.bin").open("wb") as handle:
        handle.truncate(1 << 42)


def _remove_files(files: Path) -> None:
    shutil.rmtree(files)


def _file_instead(files: Path) -> None:
    shutil.rmtree(files)
    files.write_text("x")


def _link_instead(files: Path) -> None:
    shutil.rmtree(files)
    files.symlink_to(files.parent.parent)


@pytest.mark.parametrize(
    "play",
    [
        *select_drills(_nest_folders),
        _replace_with_pipes,
        _write_strange_names,
        _replace_with_links,
        _write_sparse,
        _remove_files,
        _file_instead,
        _link_instead,
    ],
    ids=lambda play: play.__name__,
)
def test_whatever_a_program_did_to_its_workspace_calls_answer_and_the_grade_is_the_agents(
    episode: Episode, play: Callable[[Path], None]
) -> None:
    play(episode.workspace)
    for tool in ("list_folder", "show_tree"):
        assert "episode.json" not in episode.call(tool).text.replace("../../episode.json", "")
    assert [call.tool for call in episode.ledger.calls if call.crashed] == []
    fork = episode.fork()
    assert fork.state_hash() == episode.state_hash()
    grade = episode.grade("")
    assert grade.valid, grade.faults
    assert not grade.passed
    assert not list((episode.directory / "final").rglob("episode.json"))
    episode.close()
    assert not episode.directory.exists()


@pytest.mark.parametrize("formula", ["=EDATE(1,1E12)", "=" + "(" * 3000 + "1" + ")" * 3000])
def test_a_workbook_at_which_the_graders_engine_crashes_is_a_failure_of_the_agent(tmp_path: Path, formula: str) -> None:
    episode = open_new("csv_to_workbook", 1, tmp_path / "runs")
    book = openpyxl.Workbook()
    for name in ("Data", "Summary"):
        book.create_sheet(name)["A1"] = formula
    book.save(episode.workspace / "sales_q1.xlsx")
    grade = episode.grade("done")
    assert grade.valid, grade.faults
    assert not grade.passed


@pytest.mark.drill
def test_on_a_full_disk_calls_are_refused_and_the_ledger_stays_whole(tmp_path: Path) -> None:
    with scarce_disk(tmp_path / "disk") as disk:
        episode = open_new(TASK, 1, disk)
        save_text(episode.world.files / "long.txt", "x" * (ROOM * 3 // 2))
        fill_disk(disk)
        for path in ("new/a.txt", "b.txt"):
            assert "nothing was changed" in episode.call("copy_path", source="long.txt", target=path).text
        for number in range(200):
            episode.call("write_file", path=f"small{number}.txt", content="y" * 4_000)
        again = reopen_episode(episode.directory)
        assert [call.number for call in again.ledger.calls] == list(range(1, len(again.ledger.calls) + 1))
        assert again.ledger.calls == episode.ledger.calls
        assert not any(call.crashed for call in again.ledger.calls)
        assert not (episode.world.files / "new").exists()
        assert not any("a.txt" in path.name for path in episode.world.files.iterdir())


@pytest.mark.drill
def test_a_full_disk_is_told_as_such_and_the_episode_graded_once_there_is_room(tmp_path: Path) -> None:
    with scarce_disk(tmp_path / "disk") as disk:
        if not os.path.ismount(disk):
            pytest.skip("a small disk is mounted by root only")
        episode = open_new(TASK, 1, disk)
        fill_disk(disk, room=0)
        replies = [episode.call("write_file", path=f"{number}.txt", content="y" * 50_000) for number in range(9)]
        assert "the disk is full" in replies[-1].text
        assert "the call was made" not in replies[-1].text
        assert not (episode.world.files / "8.txt").exists()
        with pytest.raises(Problem, match="not graded yet: the disk is full; free disk space"):
            episode.grade("done")
        (disk / "ballast").unlink()
        assert episode.grade("done").valid


@pytest.mark.drill
def test_a_machine_without_isolation_excuses_nothing_that_the_solver_does_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    episode = open_new("film_evening", 1, tmp_path / "runs")
    monkeypatch.setenv("PATH", str(tmp_path))
    reply = episode.call("run_solver_code", code="print(1)")
    assert "apt-get install bubblewrap" in reply.text
    grade = episode.grade("The film starts at 20:00")
    assert (grade.valid, grade.reward) == (True, 0.0)
    assert grade.crashes == ("call 1: run_solver_code",)


def test_an_agents_own_error_does_not_make_the_run_invalid(episode: Episode) -> None:
    assert episode.call("read_file", path="nothing.txt").is_error
    assert episode.grade("done").valid
