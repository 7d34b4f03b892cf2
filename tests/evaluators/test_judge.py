from pathlib import Path
from threading import Event

import PIL.Image
import pytest
from support.models import Line, make_text_line, scripted_model
from support.web import Request, serve_requests

from yardkit.evaluators.checkpoints import Finding, InsufficientEvidence
from yardkit.evaluators.judge import judge_look, rate_look
from yardkit.evaluators.readers.files import require_file
from yardkit.evaluators.submission import Submission


@pytest.fixture
def submission(tmp_path: Path) -> Submission:
    (tmp_path / "files").mkdir()
    PIL.Image.new("RGB", (8, 8), "red").save(tmp_path / "files" / "page.png")
    return Submission(tmp_path)


def view_page(submission: Submission, _facts: object) -> list[str | Path]:
    return ["a note", require_file(submission, "page.png")]


def check_page(submission: Submission) -> Finding:
    return judge_look(view_page, "the page is red")(submission, {})


def use_judge(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("YARDKIT_JUDGE_URL", url)
    monkeypatch.setenv("YARDKIT_JUDGE_MODEL", "eyes")
    monkeypatch.setenv("YARDKIT_JUDGE_KEY", "k")


def test_without_a_judge_the_leaf_is_unjudged(submission: Submission, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("YARDKIT_JUDGE_URL", raising=False)
    assert check_page(submission).outcome == "unjudged"


def test_what_was_not_delivered_fails_even_without_a_judge(submission: Submission) -> None:
    (submission.files / "page.png").unlink()
    with pytest.raises(InsufficientEvidence):
        check_page(submission)


@pytest.mark.parametrize(("holds", "outcome"), [("true", "pass"), ("false", "fail")])
def test_the_judge_sees_the_picture_and_decides(
    submission: Submission, monkeypatch: pytest.MonkeyPatch, holds: str, outcome: str
) -> None:
    with scripted_model(make_text_line(f'```json\n{{"why": "all red", "holds": {holds}}}\n```')) as model:
        use_judge(monkeypatch, model.url)
        finding = check_page(submission)
    assert (finding.outcome, "all red" in finding.evidence) == (outcome, True)
    parts = model.requests[0]["messages"][1]["content"]
    assert [part["type"] for part in parts] == ["text", "text", "image_url"]
    assert parts[2]["image_url"]["url"].startswith("data:image/png;base64,")
    assert model.headers[0]["authorization"] == "Bearer k"


@pytest.mark.parametrize(
    "line",
    [
        make_text_line("I think so"),
        make_text_line('{"holds": "yes"}'),
        Line(b"<html>", 200),
        Line(b"", 500),
        Line(b'{"choices": []}'),
    ],
)
def test_a_judge_that_fails_is_our_fault(submission: Submission, monkeypatch: pytest.MonkeyPatch, line: Line) -> None:
    with scripted_model(line) as model:
        use_judge(monkeypatch, model.url)
        assert check_page(submission).outcome == "observer_invalid"
    assert check_page(submission).outcome == "observer_invalid"


def test_a_rating_counts_by_its_points(submission: Submission, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_model(make_text_line('{"why": "nearly all red", "points": 8}')) as model:
        use_judge(monkeypatch, model.url)
        finding = rate_look(view_page, "the page is red", about="A red page was wanted.", passes_from=9)(submission, {})
    assert (finding.outcome, finding.share) == ("fail", 0.8)
    asked = model.requests[0]["messages"][1]["content"][0]["text"]
    assert asked == "A red page was wanted.\n\nRequirement: the page is red\n\nMaterial:"


@pytest.mark.parametrize("points", ["11", "-1", "true", '"8"'])
def test_points_that_are_none_are_our_fault(
    submission: Submission, monkeypatch: pytest.MonkeyPatch, points: str
) -> None:
    with scripted_model(make_text_line(f'{{"points": {points}}}')) as model:
        use_judge(monkeypatch, model.url)
        assert rate_look(view_page, "the page is red")(submission, {}).outcome == "observer_invalid"


def test_the_same_question_is_asked_once_where_answers_are_kept(
    submission: Submission, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("YARDKIT_JUDGE_CACHE", str(tmp_path / "kept"))
    with scripted_model(make_text_line('{"why": "red", "holds": true}')) as model:
        use_judge(monkeypatch, model.url)
        assert [check_page(submission).outcome for _ in range(3)] == ["pass"] * 3
        assert len(model.requests) == 1
        PIL.Image.new("RGB", (8, 8), "blue").save(submission.files / "page.png")
        check_page(submission)
        assert len(model.requests) == 2


def test_a_judge_that_does_not_answer_in_time_is_our_fault(
    submission: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = Event()

    def stall(_request: Request) -> None:
        over.wait(240)

    monkeypatch.setattr("yardkit.evaluators.judge.TIMEOUT_S", 0.1)
    with serve_requests(stall) as address:
        use_judge(monkeypatch, f"{address}/v1")
        finding = check_page(submission)
        over.set()
    assert finding.outcome == "observer_invalid"
    assert "timed out" in finding.evidence
