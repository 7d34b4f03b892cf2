from pathlib import Path
from threading import Event

import PIL.Image
import pytest
from support.models import Line, says, scripted_model
from support.web import Request, serving

from yardkit.evaluators.checkpoints import Finding, InsufficientEvidence
from yardkit.evaluators.judge import judged, rated
from yardkit.evaluators.readers.files import require_file
from yardkit.evaluators.submission import Submission


@pytest.fixture
def submission(tmp_path: Path) -> Submission:
    (tmp_path / "files").mkdir()
    PIL.Image.new("RGB", (8, 8), "red").save(tmp_path / "files" / "page.png")
    return Submission(tmp_path)


def look(submission: Submission, _facts: object) -> list[str | Path]:
    return ["a note", require_file(submission, "page.png")]


def check(submission: Submission) -> Finding:
    return judged(look, "the page is red")(submission, {})


def use(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("YARDKIT_JUDGE_URL", url)
    monkeypatch.setenv("YARDKIT_JUDGE_MODEL", "eyes")
    monkeypatch.setenv("YARDKIT_JUDGE_KEY", "k")


def test_without_a_judge_the_leaf_is_unjudged(submission: Submission, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("YARDKIT_JUDGE_URL", raising=False)
    assert check(submission).outcome == "unjudged"


def test_what_was_not_delivered_fails_even_without_a_judge(submission: Submission) -> None:
    (submission.files / "page.png").unlink()
    with pytest.raises(InsufficientEvidence):
        check(submission)


@pytest.mark.parametrize(("holds", "outcome"), [("true", "pass"), ("false", "fail")])
def test_the_judge_sees_the_picture_and_decides(
    submission: Submission, monkeypatch: pytest.MonkeyPatch, holds: str, outcome: str
) -> None:
    with scripted_model(says(f'```json\n{{"why": "all red", "holds": {holds}}}\n```')) as model:
        use(monkeypatch, model.url)
        found = check(submission)
    assert (found.outcome, "all red" in found.evidence) == (outcome, True)
    parts = model.requests[0]["messages"][1]["content"]
    assert [part["type"] for part in parts] == ["text", "text", "image_url"]
    assert parts[2]["image_url"]["url"].startswith("data:image/png;base64,")
    assert model.headers[0]["authorization"] == "Bearer k"


@pytest.mark.parametrize(
    "line",
    [says("I think so"), says('{"holds": "yes"}'), Line(b"<html>", 200), Line(b"", 500), Line(b'{"choices": []}')],
)
def test_a_judge_that_fails_is_our_fault(submission: Submission, monkeypatch: pytest.MonkeyPatch, line: Line) -> None:
    with scripted_model(line) as model:
        use(monkeypatch, model.url)
        assert check(submission).outcome == "observer_invalid"
    assert check(submission).outcome == "observer_invalid"


def test_a_rating_counts_by_its_points(submission: Submission, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_model(says('{"why": "nearly all red", "points": 8}')) as model:
        use(monkeypatch, model.url)
        found = rated(look, "the page is red", about="A red page was wanted.", passes_from=9)(submission, {})
    assert (found.outcome, found.share) == ("fail", 0.8)
    asked = model.requests[0]["messages"][1]["content"][0]["text"]
    assert asked == "A red page was wanted.\n\nRequirement: the page is red\n\nMaterial:"


@pytest.mark.parametrize("points", ["11", "-1", "true", '"8"'])
def test_points_that_are_none_are_our_fault(
    submission: Submission, monkeypatch: pytest.MonkeyPatch, points: str
) -> None:
    with scripted_model(says(f'{{"points": {points}}}')) as model:
        use(monkeypatch, model.url)
        assert rated(look, "the page is red")(submission, {}).outcome == "observer_invalid"


def test_the_same_question_is_asked_once_where_answers_are_kept(
    submission: Submission, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("YARDKIT_JUDGE_CACHE", str(tmp_path / "kept"))
    with scripted_model(says('{"why": "red", "holds": true}')) as model:
        use(monkeypatch, model.url)
        assert [check(submission).outcome for _ in range(3)] == ["pass"] * 3
        assert len(model.requests) == 1
        PIL.Image.new("RGB", (8, 8), "blue").save(submission.files / "page.png")
        check(submission)
        assert len(model.requests) == 2


def test_a_judge_that_does_not_answer_in_time_is_our_fault(
    submission: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = Event()

    def stall(_request: Request) -> None:
        over.wait(240)

    monkeypatch.setattr("yardkit.evaluators.judge.TIMEOUT_S", 0.1)
    with serving(stall) as address:
        use(monkeypatch, f"{address}/v1")
        found = check(submission)
        over.set()
    assert found.outcome == "observer_invalid"
    assert "timed out" in found.evidence
