"""Models behind HTTP that read a whole picture as plain text: of the PaddleOCR-VL kind, else a vision model."""

from pathlib import Path

from yardkit.models.chat import LONGEST_PX, ChatReply, Region, encode_picture, hear_vision
from yardkit.models.embedded.running import run_in_process
from yardkit.models.reading_prompts import reading_prompt, without_fence
from yardkit.models.service import Service, ServiceChoice, find_service, require_service

_NO_TEXT = "[no text]"
_MAX_TOKENS = 2048


def reading_model(service_choice: ServiceChoice) -> Service:
    """A model for text, else one for vision.

    Raises:
        ModelUnavailable: neither is set up.
    """
    partial = "read_image_text reads with the installed recognisers, and returns positions and confidence"
    return (
        find_service("ocr", service_choice)
        or find_service("vision", service_choice)
        or require_service("ocr", "a model that reads text, or a vision model", service_choice, partial)
    )


def transcribe_picture(service: Service, path: Path, region: Region | None, page: int = 1) -> ChatReply:
    """The text of a picture or a part of it; empty where the model sees none.

    Raises:
        Problem: the picture cannot be read.
        Unavailable: the model gave no answer.
    """
    picture = run_in_process(encode_picture, path, LONGEST_PX, region, page)
    answer = hear_vision(service, reading_prompt(service.model, "text"), [picture], max_tokens=_MAX_TOKENS)
    text = without_fence(answer.text)
    return ChatReply("" if text.lower() == _NO_TEXT else text, answer.is_cut)
