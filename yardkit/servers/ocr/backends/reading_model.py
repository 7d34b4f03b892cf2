"""Models behind HTTP that read a whole picture as plain text: of the PaddleOCR-VL kind, else a vision model."""

from pathlib import Path

from yardkit.models.chat import LONGEST_PX, Region, Said, encode_picture, hear_vision
from yardkit.models.embedded.running import run_apart
from yardkit.models.reading_prompts import reading_prompt, without_fence
from yardkit.models.service import Service, ServiceChoice, find_service, require_service

_NO_TEXT = "[no text]"
_MAX_TOKENS = 2048


def reading_model(wanted: ServiceChoice) -> Service:
    """A model for text, else one for vision.

    Raises:
        ModelUnavailable: neither is set up.
    """
    partial = "read_image_text reads with the installed recognisers, and returns positions and confidence"
    return (
        find_service("ocr", wanted)
        or find_service("vision", wanted)
        or require_service("ocr", "a model that reads text, or a vision model", wanted, partial)
    )


def transcribed(service: Service, path: Path, region: Region | None) -> Said:
    """The text of a picture or a part of it; empty where the model sees none.

    Raises:
        Problem: the picture cannot be read.
        Unavailable: the model gave no answer.
    """
    picture = run_apart(encode_picture, path, LONGEST_PX, region)
    said = hear_vision(service, reading_prompt(service.model, "text"), [picture], max_tokens=_MAX_TOKENS)
    text = without_fence(said.text)
    return Said("" if text.lower() == _NO_TEXT else text, said.is_cut)
