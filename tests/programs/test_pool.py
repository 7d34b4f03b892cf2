import tempfile
from pathlib import Path

import pytest
from support.jobs import double_number, double_or_die, double_or_hang, leave_note_when_stopped, read_setting

from yardkit.programs.pool import Died, in_workers


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_item_gets_its_result(jobs: int) -> None:
    assert sorted(in_workers(double_number, list(range(7)), jobs, 60)) == [(number, 2 * number) for number in range(7)]


def test_a_worker_has_the_environment_of_the_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("first", "second"):
        monkeypatch.setenv("YARDKIT_TRIED", value)
        assert dict(in_workers(read_setting, ["YARDKIT_TRIED"], 1, 60)) == {"YARDKIT_TRIED": value}


def test_workers_start_where_the_name_of_the_folder_is_too_long_for_a_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ("x" * 100)).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / ("x" * 100)))
    assert dict(in_workers(double_number, [1], 1, 60)) == {1: 2}


def test_no_items_start_no_worker() -> None:
    assert list(in_workers(double_number, [], 4, 60)) == []


def test_a_worker_that_dies_takes_only_its_own_item_with_it() -> None:
    results = dict(in_workers(double_or_die, list(range(6)), 2, 60))
    assert results.pop(2) == Died("its process was killed by SIGKILL")
    assert results.pop(3) == Died("its process ended with exit status 7")
    assert results == {number: 2 * number for number in (0, 1, 4, 5)}


@pytest.mark.drill
def test_an_item_that_hangs_is_given_up_at_the_limit() -> None:
    results = dict(in_workers(double_or_hang, [0, 1, 2], 2, 5))
    assert results[0] == 0
    assert results[2] == 4
    assert results[1] == Died("it did not end within 5 s and was killed")


def test_what_a_stopped_worker_was_doing_ends_in_good_order(tmp_path: Path) -> None:
    results = dict(in_workers(leave_note_when_stopped, [tmp_path / "note"], 1, 4))
    assert isinstance(results[tmp_path / "note"], Died)
    assert (tmp_path / "note").read_text() == "stopped in good order"
