"""What a vision model says of pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from yardkit.models.chat import LONGEST_PX, Region, encode_picture, hear_vision
from yardkit.models.contract import Origin
from yardkit.models.embedded.running import load_rgb, run_in_process
from yardkit.models.service import Service, ServiceChoice, require_service
from yardkit.servers.vision.engine import prompts

_NEEDS = "a vision-language model"
_MAX_TOKENS = 1024


@dataclass(frozen=True)
class Answer:
    """What the model says.

    Attributes:
        text: in its words.
        origin: backend, model, quality.
        is_cut: whether it had more to say than an answer may hold.
    """

    text: str
    origin: Origin
    is_cut: bool

    def __str__(self) -> str:
        return f"{self._format_answer()}\n[by {self.origin}]"

    def _format_answer(self) -> str:
        return f"{self.text} [cut off here]" if self.is_cut else self.text


@dataclass(frozen=True)
class Comparison(Answer):
    """What the model says of two pictures.

    Attributes:
        same_pixels: measured: whether both have the same size and every pixel alike.
    """

    same_pixels: bool

    def __str__(self) -> str:
        measured = "All pixels are equal." if self.same_pixels else "Their pixels differ."
        return f"{self._format_answer()}\n[measured: {measured} By {self.origin}]"


def describe_picture(path: Path, detail: Literal["short", "long"] = "long", backend: ServiceChoice = "auto") -> Answer:
    """Describe a picture, in a sentence or two, or in detail.

    Raises:
        ModelUnavailable: no vision model is set up.
        Problem: the picture cannot be read, or the model gave no answer.
    """
    service = vision_model(backend, "tag_images gives tags, colours and size, but no description")
    return _ask_service(service, prompts.DESCRIBE_LONG if detail == "long" else prompts.DESCRIBE_SHORT, [path])


def answer_question(path: Path, question: str, region: Region | None = None, backend: ServiceChoice = "auto") -> Answer:
    """Answer a question about a picture, or a part of it; raises what `describe_picture` raises."""
    service = vision_model(
        backend,
        "tag_images gives tags and colours; detect_objects and read_image_text, where served, find objects and text",
    )
    return _ask_service(service, prompts.ANSWER.format(question=question), [path], region)


def describe_region(path: Path, region: Region | None, attribute: str, backend: ServiceChoice = "auto") -> Answer:
    """Describe an attribute, such as 'colour' or 'what the person wears', of a part; raises as `describe_picture`."""
    service = vision_model(backend, "tag_images with bbox_px gives tags and colours of the part")
    return _ask_service(service, prompts.REGION.format(attribute=attribute), [path], region)


def compare_pictures(path: Path, other: Path, question: str = "", backend: ServiceChoice = "auto") -> Comparison:
    """Say what two pictures have in common and how they differ; raises what `describe_picture` raises."""
    service = vision_model(backend, "find_images reports the similarity of pictures as a number")
    asked = prompts.COMPARE_FOR.format(question=question) if question else prompts.COMPARE
    answer = _ask_service(service, asked, [path, other])
    return Comparison(answer.text, answer.origin, answer.is_cut, run_in_process(have_same_pixels, path, other))


def vision_model(backend: ServiceChoice, partial: str) -> Service:
    """The vision model that is set up.

    Raises:
        ModelUnavailable: none is; it says what gives a part of the answer.
    """
    return require_service("vision", _NEEDS, backend, partial)


def have_same_pixels(path: Path, other: Path) -> bool:
    """Whether two pictures are displayed alike. To be called in `run_in_process`."""
    import numpy as np

    return np.array_equal(load_rgb(path), load_rgb(other))


def _ask_service(service: Service, prompt: str, pictures: Sequence[Path], region: Region | None = None) -> Answer:
    sent_pictures: list[Path | bytes] = [*pictures]
    if region is not None:
        sent_pictures = [run_in_process(encode_picture, path, LONGEST_PX, region) for path in pictures]
    answer = hear_vision(service, prompt, sent_pictures, max_tokens=_MAX_TOKENS)
    return Answer(answer.text, service.origin, answer.is_cut)
