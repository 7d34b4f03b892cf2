"""Text in videos: each once, from when to when."""

from pathlib import Path

import pytest
from PIL import Image
from support.answers import Call, make_caller, read_text
from support.drawn import draw_letter
from support.videos import write_video

from yardkit.sandbox.serving.registry import load_server


@pytest.fixture
def call(files: Path) -> Call:
    return make_caller(load_server("ocr"))


def write_film(path: Path) -> None:
    """Ten frames a second: two titles of a second each, one second without text, a third title."""
    titles = [draw_letter(24, [words]) for words in ("Gate closes at 14:35", "Boarding is now", "Good bye")]
    nothing = Image.new("RGB", titles[0].size, "white")
    write_video(path, [picture for picture in (titles[0], titles[1], nothing, titles[2]) for _ in range(10)])


def test_each_text_is_told_once_with_its_times(call: Call, files: Path, backend: str) -> None:
    write_film(files / "film.mp4")
    reply = call("read_video_text", path="film.mp4", every_s=0.5, backend=backend).structured_content
    timed_texts = [(text["first_s"], text["last_s"], text["text"]) for text in reply["texts"]]
    assert timed_texts == [(0.0, 0.5, "Gate closes at 14:35"), (1.0, 1.5, "Boarding is now"), (3.0, 3.5, "Good bye")]
    assert (reply["frames"], reply["next_start_s"]) == (8, None)
    left, top, right, bottom = reply["texts"][0]["pieces"][0]["bbox_px"]
    assert 0 < left < right <= reply["width_px"]
    assert 0 < top < bottom <= reply["height_px"]


def test_a_long_video_is_read_in_parts(call: Call, files: Path) -> None:
    write_film(files / "film.mp4")
    first = call("read_video_text", path="film.mp4", every_s=0.5, limit=3, backend="tesseract")
    assert "go on with start_s=1.5" in read_text(first)
    rest = call("read_video_text", path="film.mp4", every_s=0.5, start_s=1.5, backend="tesseract")
    assert [text["text"] for text in rest.structured_content["texts"]] == ["Boarding is now", "Good bye"]


def test_a_picture_or_a_text_is_no_video(call: Call, files: Path) -> None:
    (files / "film.mp4").write_text("no video")
    assert "cannot be read as a video" in read_text(call("read_video_text", path="film.mp4"))
