"""The text of a picture as a model reads it: without places and without confidence."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from yardkit.models.contract import Origin
from yardkit.models.service import ServiceChoice
from yardkit.servers.ocr.backends.reading_model import reading_model, transcribe_picture

_NOTE = (
    "Read by a model: without positions and confidence, and where a picture is hard to read it "
    "may write likely text instead of the actual text. Check names and numbers against "
    "read_image_text."
)


@dataclass(frozen=True)
class Transcript:
    """The text of a picture.

    Attributes:
        text: in reading order; empty where the model sees none.
        note: what to know of it.
        origin: backend, model, quality.
        is_cut: whether there is more text than an answer may hold.
    """

    text: str
    note: str
    origin: Origin
    is_cut: bool

    def __str__(self) -> str:
        cut = "\n[cut off here; read the rest by bbox_px]" if self.is_cut else ""
        return f"{self.text or 'The model sees no text.'}{cut}\n[{self.note} By {self.origin}]"


def transcribe_image_file(
    path: Path, bbox_px: list[int] | None = None, backend: ServiceChoice = "auto", page: int = 1
) -> Transcript:
    """Read all text of a picture, or of the part `bbox_px` of its page, by a model.

    Raises:
        ModelUnavailable: no model is set up.
        Problem: the picture cannot be read, or the model gave no answer.
    """
    service = reading_model(backend)
    region = None if bbox_px is None else (bbox_px[0], bbox_px[1], bbox_px[2], bbox_px[3])
    answer = transcribe_picture(service, path, region, page)
    return Transcript(answer.text, _NOTE, service.origin, answer.is_cut)
