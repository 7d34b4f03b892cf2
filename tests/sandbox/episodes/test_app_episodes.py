"""Episodes whose world has apps: calls change records, forks and grades see them."""

import json
from pathlib import Path

from yardkit.sandbox.episodes.episode import Episode, open_new, reopen_episode
from yardkit.world.guard import MAX_APPS_BYTES

TASK = "office/feedback_form"


def list_titles(episode: Episode) -> list[str]:
    return [form["title"] for form in json.loads(episode.call("list_forms", limit=200).text)["forms"]]


def test_an_episode_is_forked_with_its_records_at_any_call(tmp_path: Path) -> None:
    episode = open_new(TASK, 1, tmp_path / "runs")
    before, fresh = list_titles(episode), episode.state_hash()
    assert not episode.call("create_form", title="First").is_error
    assert not episode.call("create_form", title="Second").is_error
    assert list_titles(episode) == ["Second", "First", *before]
    assert [list_titles(episode.fork(at_call=number)) for number in (0, 2, 3)] == [
        before, ["First", *before], ["Second", "First", *before],
    ]  # fmt: skip
    changes = [call.state_before != call.state_after for call in episode.ledger.calls]
    assert changes == [False, True, True, False]
    assert episode.fork(at_call=1).state_hash() == fresh


def test_a_refused_call_changes_nothing_and_a_full_app_refuses(tmp_path: Path) -> None:
    episode = open_new(TASK, 1, tmp_path / "runs")
    before = episode.state_hash()
    assert episode.call("add_question", form_id=1, text="Why?", position=99).is_error
    with (episode.world.root / "apps" / "bulk.bin").open("wb") as bulk:
        bulk.truncate(MAX_APPS_BYTES)
    full = reopen_episode(episode.directory).call("create_form", title="One more", description="x" * 5_000)
    assert full.is_error
    assert "the state of the apps holds" in full.text
    (episode.world.root / "apps" / "bulk.bin").unlink()
    assert episode.state_hash() == before


def test_whoever_does_nothing_but_spoil_other_records_gets_nothing(tmp_path: Path) -> None:
    episode = open_new(TASK, 1, tmp_path / "runs")
    episode.call("close_form", form_id=1)
    grade = episode.grade("0.0")
    assert (grade.reward, grade.valid, grade.passed) == (0.0, True, False)
    assert grade.verdict
    outcomes = {leaf.id: leaf.outcome for leaf in grade.verdict.list_leaves()}
    assert (outcomes["records"], outcomes["files"]) == ("fail", "pass")


def test_a_database_that_was_damaged_beside_the_tools_is_a_failure_of_whoever_did_it(tmp_path: Path) -> None:
    episode = open_new(TASK, 1, tmp_path / "runs")
    store = episode.workspace.parent / "apps" / "forms" / "forms.sqlite"
    store.write_bytes(store.read_bytes()[:30_001])
    assert "app 'forms' is damaged" in episode.call("list_forms").text
    grade = episode.grade("0.0")
    assert (grade.reward, grade.valid, grade.passed) == (0.0, True, False)
    assert grade.verdict
    outcomes = {leaf.id: leaf.outcome for leaf in grade.verdict.list_leaves()}
    assert (outcomes["records"], outcomes["closed"]) == ("invalid_artifact", "invalid_artifact")
