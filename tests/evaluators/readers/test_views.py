"""What a judge is shown of each kind of file."""

import io
import shutil
from pathlib import Path

import docx
import numpy as np
import PIL.Image
import pytest

from yardkit.evaluators.checkpoints import InsufficientEvidence, InvalidArtifact
from yardkit.evaluators.readers.views import show_file
from yardkit.evaluators.submission import Submission

SOUNDS = Path(__file__).parents[2] / "sounds"


@pytest.fixture
def submission(tmp_path: Path) -> Submission:
    (tmp_path / "files").mkdir()
    return Submission(tmp_path, scratch=tmp_path / "scratch")


def list_words(submission: Submission, name: str) -> str:
    return "\n".join(part for part in show_file(submission, name) if isinstance(part, str))


def list_pictures(submission: Submission, name: str) -> list[np.ndarray]:
    picture_parts = [part for part in show_file(submission, name) if isinstance(part, bytes)]
    return [np.asarray(PIL.Image.open(io.BytesIO(part)).convert("L")) for part in picture_parts]


def test_a_document_is_shown_as_pages_with_their_words(submission: Submission) -> None:
    document = docx.Document()
    document.add_heading("Report")
    document.save(str(submission.files / "report.docx"))
    assert "1 pages" in list_words(submission, "report.docx")
    assert "Report" in list_words(submission, "report.docx")
    (page,) = list_pictures(submission, "report.docx")
    assert page.shape[0] > page.shape[1]
    assert page.min() < 100


def test_a_web_page_is_shown_as_a_browser_shows_it(submission: Submission) -> None:
    (submission.files / "page.html").write_text("<h1 style='background:black;color:white'>Hello</h1>")
    assert "Hello" in list_words(submission, "page.html")
    (page,) = list_pictures(submission, "page.html")
    assert page.shape[1] == 1200
    assert (page < 50).any()


def test_a_sound_is_shown_as_its_wave(submission: Submission) -> None:
    shutil.copy(SOUNDS / "leisure.flac", submission.files / "talk.flac")
    assert "LUFS" in list_words(submission, "talk.flac")
    (wave,) = list_pictures(submission, "talk.flac")
    assert 0.02 < (wave < 128).mean() < 0.5


def test_pictures_and_texts_are_shown_as_they_are_and_cut_where_they_are_long(submission: Submission) -> None:
    PIL.Image.new("RGB", (3000, 1000), "black").save(submission.files / "large.png")
    (large,) = list_pictures(submission, "large.png")
    assert (large.shape, "3000 x 1000" in list_words(submission, "large.png")) == ((400, 1200), True)
    (submission.files / "long.md").write_text("word " * 9000)
    assert "(45,000 characters in all)" in list_words(submission, "long.md")
    (submission.files / "model.bin").write_bytes(b"\0" * 5000)
    assert "5,000 bytes of a type that cannot be shown" in list_words(submission, "model.bin")


def test_what_is_not_there_or_damaged_is_said(submission: Submission) -> None:
    with pytest.raises(InsufficientEvidence):
        show_file(submission, "none.png")
    (submission.files / "broken.mp4").write_bytes(b"no film")
    with pytest.raises(InvalidArtifact, match=r"broken\.mp4"):
        show_file(submission, "broken.mp4")
