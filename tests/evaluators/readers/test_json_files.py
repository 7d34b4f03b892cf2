"""Delivered JSON is read strictly, and nothing in it breaks the reader."""

from pathlib import Path

import pytest

from yardkit.evaluators.checkpoints import InsufficientEvidence, InvalidArtifact
from yardkit.evaluators.readers.json_files import read_json_object
from yardkit.evaluators.submission import Submission


def make_submission(tmp_path: Path, raw: bytes | None) -> Submission:
    files = tmp_path / "world" / "files"
    files.mkdir(parents=True)
    if raw is not None:
        (files / "plan.json").write_bytes(raw)
    return Submission(tmp_path / "world", "", {})


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_an_object_is_read_in_the_usual_encodings(tmp_path: Path, encoding: str) -> None:
    submission = make_submission(tmp_path, '{"film": "Amélie", "rows": [1, 2.5, null]}'.encode(encoding))
    assert read_json_object(submission, "plan.json", ["film"]) == {"film": "Amélie", "rows": [1, 2.5, None]}


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b'{"film": "A"', "is not readable JSON"),
        (b"", "is not readable JSON"),
        (b"[1, 2]", "holds a list"),
        (b'"film"', "holds a str"),
        (b'{"title": "A"}', "lacks film; it has title"),
        (b'{"film": "A", "film": "B"}', "occurs twice"),
        (b'{"film": NaN}', "NaN is not a JSON number"),
        (b"[" * 200_000, "is not readable JSON"),
        (b'{"film": ' + b"9" * 10_000 + b"}", "is not readable JSON"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", "not text"),
    ],
)
def test_what_is_no_such_object_is_an_invalid_artifact(tmp_path: Path, raw: bytes, says: str) -> None:
    with pytest.raises(InvalidArtifact, match=says):
        read_json_object(make_submission(tmp_path, raw), "plan.json", ["film"])


def test_a_file_that_is_not_there_is_no_evidence(tmp_path: Path) -> None:
    with pytest.raises(InsufficientEvidence, match=r"plan\.json was not delivered"):
        read_json_object(make_submission(tmp_path, None), "plan.json")
