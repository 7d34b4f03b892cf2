"""Graders see the world as it was: seeded anew, the same bytes, outside the agent's reach."""

from pathlib import Path

import pytest

from yardkit.evaluators.checkpoints import EnvironmentInvalid, Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers import files
from yardkit.evaluators.scoring import run_checkpoints
from yardkit.evaluators.submission import Submission, build_manifest
from yardkit.sandbox.episodes.episode import open_new
from yardkit.sandbox.episodes.grading import seed_untouched
from yardkit.world import remove_world

TASK = "quickstart/sort_inbox"


def test_the_untouched_world_is_seeded_again_whatever_the_agent_did_to_its_own(tmp_path: Path) -> None:
    episode = open_new(TASK, 3, tmp_path / "runs")
    path = sorted(episode.seeded.initial)[0]
    was = (episode.world.files / path).read_bytes()
    (episode.world.files / path).write_bytes(b"spoiled")
    scratch = tmp_path / "scratch"
    scratch.mkdir()

    def before() -> Path:
        return seed_untouched(TASK, episode.world.root, episode.seeded.initial, scratch)

    submission = Submission(episode.world.root, initial=episode.seeded.initial, before=before, scratch=scratch)
    assert files.require_file(submission.untouched, path).read_bytes() == was
    assert build_manifest(submission.untouched.files) == episode.seeded.initial
    assert submission.untouched.list_changed() == {}
    assert submission.list_changed() == {path: "changed"}
    remove_world(tmp_path / "runs")


def test_a_world_that_cannot_be_seeded_the_same_again_is_our_fault(tmp_path: Path) -> None:
    episode = open_new(TASK, 3, tmp_path / "runs")
    initial = {**episode.seeded.initial, "another.txt": "0"}
    with pytest.raises(RuntimeError, match="another workspace"):
        seed_untouched(TASK, episode.world.root, initial, tmp_path)
    remove_world(tmp_path / "runs")


def test_a_submission_without_a_past_says_so() -> None:
    with pytest.raises(LookupError, match="untouched"):
        _ = Submission(Path("nowhere")).untouched


def test_what_the_grading_machine_lacks_is_left_out_of_the_score() -> None:
    def lack_program(_submission: Submission, _facts: Facts) -> Finding:
        raise EnvironmentInvalid("soffice is missing")

    tree = make_group(
        "all",
        "All",
        make_checkpoint("shown", "It is seen", lack_program, covers=("answer",)),
        make_checkpoint(
            "right", "It is right", lambda _s, _f: make_finding(holds=True, evidence="yes"), covers=("answer",)
        ),
    )
    result = run_checkpoints(tree, Submission(Path("nowhere")), {})
    assert (result.valid, result.reward, result.passed) == (False, 1.0, None)
    assert result.faults == ("shown: soffice is missing",)
