"""Text of pictures as a model behind HTTP reads it."""

from pathlib import Path

import pytest
from PIL import Image
from support.answers import Call, read_text
from support.model_services import answer_with_words, model_service


@pytest.fixture(autouse=True)
def no_services(monkeypatch: pytest.MonkeyPatch, files: Path) -> None:
    for name in ("YARDKIT_OCR_URL", "YARDKIT_VISION_URL", "YARDKIT_WORKER_URL"):
        monkeypatch.delenv(name, raising=False)
    Image.new("RGB", (300, 200), "white").save(files / "page.png")


def transcribe_images(prompt: str, images: list[Image.Image]) -> str:
    return f"```\n{prompt[:17]}\n{images[0].width} x {images[0].height}\n```" if images[0].width > 100 else "[No text]"


def test_a_model_for_text_is_asked_in_its_words_and_vision_stands_in(
    done: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    route = {"POST /chat/completions": answer_with_words(transcribe_images)}
    with model_service(route, "looker") as vision, model_service(route, "GLM-OCR", "ocr") as worker:
        monkeypatch.setenv("YARDKIT_VISION_URL", vision)
        by_vision = done("transcribe_image", path="page.png")
        monkeypatch.setenv("YARDKIT_WORKER_URL", worker)
        by_reader = done("transcribe_image", path="page.png", bbox_px=[0, 0, 300, 30])
    assert by_vision["text"] == "Transcribe all te\n300 x 200"
    assert by_vision["origin"] == {"backend": "endpoint", "model": "looker", "quality": "full"}
    assert by_reader["text"] == "Text Recognition:\n300 x 30"
    assert by_reader["origin"]["backend"] == "local"
    assert "without positions and confidence" in by_reader["note"]


def test_a_picture_without_text_is_empty_and_what_is_no_answer_an_error(
    done: Call, refused: Call, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Image.new("RGB", (90, 250), "white").save(files / "narrow.png")
    with model_service({"POST /chat/completions": answer_with_words(transcribe_images)}) as url:
        monkeypatch.setenv("YARDKIT_OCR_URL", url)
        assert done("transcribe_image", path="narrow.png")["text"] == ""
        assert "outside the picture" in refused("transcribe_image", path="page.png", bbox_px=[400, 0, 500, 9])
    with model_service({"POST /chat/completions": lambda body, path: {"choices": []}}) as url:
        monkeypatch.setenv("YARDKIT_OCR_URL", url)
        assert "without a chat completion" in refused("transcribe_image", path="page.png")


def test_without_a_model_the_ways_to_get_one_are_told(refused: Call) -> None:
    message = refused("transcribe_image", path="page.png")
    assert "YARDKIT_OCR_URL=" in message
    assert "`yardkit models add ocr --from DIR`" in message
    assert "read_image_text reads" in message


def test_text_that_an_answer_cannot_hold_is_told_as_cut(
    call: Call, done: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    choice = {"message": {"content": "line 1\nline 2"}, "finish_reason": "length"}
    with model_service({"POST /chat/completions": lambda body, path: {"choices": [choice]}}) as url:
        monkeypatch.setenv("YARDKIT_OCR_URL", url)
        assert done("transcribe_image", path="page.png")["is_cut"]
        assert "line 2\n[cut off here; read the rest by bbox_px]" in read_text(
            call("transcribe_image", path="page.png")
        )
