"""Asking a vision model about pictures, by chat."""

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.models.embedded.running import check_region, load_rgb, run_in_process
from yardkit.models.service import Service
from yardkit.world import Unavailable

if TYPE_CHECKING:
    from PIL.Image import Image

Region = tuple[int, int, int, int]
"""[x_min, y_min, x_max, y_max] in pixels of a picture as it is displayed."""

LONGEST_PX = 2048
"""The longest side of what is sent: models look at less, and a service takes only so much."""
_SMALLEST_PART_PX = 224
"""The longest side of a part that is sent is at least this: models take pictures apart into tiles of 14 to 32."""
_MAX_ANSWER = 20_000
_THOUGHT = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)


@dataclass(frozen=True)
class ChatReply:
    """A model's answer without its thoughts; `is_cut` if it reached the token limit."""

    text: str
    is_cut: bool


def hear_vision(
    service: Service,
    prompt: str,
    pictures: Sequence[Path | bytes],
    *,
    max_tokens: int = 1024,
    seed: int | None = None,
) -> ChatReply:
    """Ask a model about pictures.

    Args:
        service: the service with the model.
        prompt: the question.
        pictures: files, which are sent as displayed and shrunk to `LONGEST_PX`; or bytes of PNG or JPEG, which are sent
            unchanged.
        max_tokens: the token limit of the answer.
        seed: the seed for sampling; without it, decoding is greedy.

    Raises:
        Problem: a picture cannot be read, or the service refuses it.
        Unavailable: there was no usable answer.
    """
    image_parts = [{"type": "image_url", "image_url": {"url": picture_url(picture)}} for picture in pictures]
    chance = {"temperature": 0} if seed is None else {"seed": seed}
    messages = [{"role": "user", "content": [*image_parts, {"type": "text", "text": prompt}]}]
    answer = service.ask("/chat/completions", {"messages": messages, "max_tokens": max_tokens, **chance})
    try:
        choice = answer["choices"][0]
        reply, ended = choice["message"]["content"], choice.get("finish_reason")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise Unavailable(f"the service of {service.setting} answered without a chat completion") from error
    words = _THOUGHT.sub("", reply).strip() if isinstance(reply, str) else ""
    if not words:
        raise Unavailable(f"{service.model} said nothing")
    return ChatReply(words[:_MAX_ANSWER], ended == "length" or len(words) > _MAX_ANSWER)


def picture_url(picture: Path | bytes) -> str:
    """Encode a picture as a data URL."""
    data = picture if isinstance(picture, bytes) else run_in_process(encode_picture, picture)
    media_type = "image/png" if data.startswith(b"\x89PNG") else "image/jpeg"
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def encode_picture(path: Path, longest_px: int = LONGEST_PX, region: Region | None = None) -> bytes:
    """Encode a picture as displayed, shrunk to a longest side: PNG, or JPEG if that is smaller.

    Call it in `run_in_process`.

    Args:
        path: the picture.
        longest_px: the maximum length of its longest side.
        region: only this part: [x_min, y_min, x_max, y_max] in pixels. A small one is enlarged to be visible.

    Raises:
        Problem: it is not a picture, is damaged or too large, or the region is outside.
    """
    import io

    from PIL import Image

    picture = Image.fromarray(load_rgb(path))
    if region is not None:
        picture = _cut_region(picture, region)
    picture.thumbnail((longest_px, longest_px), Image.Resampling.LANCZOS)
    png, jpeg = io.BytesIO(), io.BytesIO()
    picture.save(png, "PNG")
    picture.save(jpeg, "JPEG", quality=92)
    return min(png.getvalue(), jpeg.getvalue(), key=len)


def _cut_region(picture: "Image", region: Region) -> "Image":
    from PIL.Image import Resampling

    part = picture.crop(check_region(region, picture.width, picture.height))
    factor = _SMALLEST_PART_PX / max(part.size)
    if factor <= 1:
        return part
    return part.resize((round(part.width * factor) or 1, round(part.height * factor) or 1), Resampling.LANCZOS)
