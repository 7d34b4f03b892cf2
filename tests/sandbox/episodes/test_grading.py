"""Whose fault it is: what an agent can cause fails it, and a machine on which nobody passes fails nobody."""

import json
import os
from pathlib import Path

import pytest
from support.gateways import TASK
from support.graders import grade_counted, grade_unsolved

from yardkit.evaluators.scoring import Grade
from yardkit.programs.environment import build_bare_environment
from yardkit.sandbox.episodes.episode import Episode, grade_solved, open_new, reopen_episode
from yardkit.sandbox.episodes.grading import Reference, grade_submission
from yardkit.world import Problem


@pytest.fixture
def episode(tmp_path: Path) -> Episode:
    episode = open_new(TASK, 1, tmp_path / "runs")
    episode.call("list_folder", path=".")
    return episode


def grade_frozen(episode: Episode, reference: Reference = grade_solved, crashes: tuple[str, ...] = ()) -> Grade:
    final = episode._freeze_world()
    return grade_submission(episode.task, final, episode.seeded, "", episode.ledger.path, crashes, reference)


def test_a_call_that_crashes_is_listed_and_its_run_still_counts(episode: Episode) -> None:
    line = json.loads(episode.ledger.path.read_text())
    episode.ledger.calls[:] = [type(episode.ledger.calls[0])(**{**line, "crashed": True})]
    grade = episode.grade("")
    assert (grade.valid, grade.passed, grade.crashes) == (True, False, ("call 1: list_folder",))
    assert json.loads((episode.directory / "grade.json").read_text())["grade"]["crashes"] == ["call 1: list_folder"]


def test_a_crashed_call_excuses_where_the_solver_does_not_pass_either(episode: Episode) -> None:
    grade = grade_frozen(episode, grade_unsolved, ("call 1: list_folder",))
    assert not grade.valid
    assert "call 1: list_folder" in grade.faults
    assert grade.faults[-1].endswith("does not finish here either: ToolFailed: bubblewrap is not installed")
    assert grade_frozen(episode, grade_unsolved).valid


def test_a_solver_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YARDKIT_OCR_BACKEND", "abacus")
    with pytest.raises(Problem, match=r"ToolFailed: .*'abacus'"):
        grade_solved("quickstart/invoice_check", 1)


def test_checks_that_break_on_this_world_alone_fail_it(episode: Episode) -> None:
    episode.ledger.path.write_text("no ledger\n")
    grade = grade_frozen(episode)
    assert (grade.valid, grade.passed, grade.reward) == (True, False, 0.0)
    assert grade.verdict is not None
    assert {leaf.outcome for leaf in grade.verdict.list_leaves()} == {"invalid_artifact"}
    assert not grade_frozen(episode, grade_unsolved).valid


def test_the_solver_is_graded_once_for_all_episodes_of_an_instance(
    episode: Episode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YARDKIT_TEST_RUNS", str(tmp_path / "runs.txt"))
    grade = grade_frozen(episode, grade_counted, ("call 1: list_folder",))
    again = open_new(TASK, 1, tmp_path / "more")
    assert grade_frozen(again, grade_counted, ("call 1: list_folder",)).valid is grade.valid is True
    other = open_new(TASK, 2, tmp_path / "more")
    assert grade_frozen(other, grade_counted, ("call 1: list_folder",)).valid
    runs = Path(os.environ["YARDKIT_TEST_RUNS"]).read_text("utf-8").split()
    assert runs == [f"{TASK}:1", f"{TASK}:2"]


def test_a_graded_run_of_an_earlier_process_has_the_facts_of_its_instance(episode: Episode) -> None:
    again = reopen_episode(episode.directory)
    assert (again.seeded.facts, again.seeded.initial) == (episode.seeded.facts, episode.seeded.initial)
    assert again.prompt == episode.prompt


def test_graders_and_helpers_have_no_key_or_token(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("YARDKIT_OPERATOR_TOKEN", "YARDKIT_MAIL_PASSWORD", "YARDKIT_VISION_KEY", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "secret")
    assert "secret" not in build_bare_environment().values()
    assert build_bare_environment()["PATH"] == os.environ["PATH"]
