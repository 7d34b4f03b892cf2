"""Pictures that a model behind HTTP makes."""

import base64
import binascii
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.models.embedded.running import run_in_process
from yardkit.models.service import Service
from yardkit.world import FileRef, Problem, Unavailable, save_bytes

_PICTURES = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".webp": "WEBP"}


@dataclass(frozen=True)
class GeneratedPicture:
    """A picture that was made.

    Attributes:
        picture: where it was saved.
        width_px, height_px: as the model made it.
        seed: that makes it again; null where the service takes none.
        model: with the tier and the quality.
        note: what the service was asked without, since it refuses it.
    """

    picture: FileRef
    width_px: int
    height_px: int
    seed: int | None
    model: str
    note: str = ""

    def __str__(self) -> str:
        seed = "" if self.seed is None else f", seed {self.seed}"
        head = f"Saved {self.picture}: {self.width_px} x {self.height_px} px, by {self.model}{seed}"
        return "\n".join([head, *([self.note] if self.note else [])])


def ask_leniently(
    ask: Callable[[Mapping[str, Any]], dict[str, Any]], wishes: Mapping[str, Any], may_lack: Sequence[str]
) -> tuple[dict[str, Any], list[str]]:
    """The answer of a service; one that refuses a wish by its name is asked again without it, if it may lack.

    Hosted services know no seed, ours needs one. Gives the answer, and the wishes that had to be left out.

    Raises:
        Problem: the service refuses what is left.
        Unavailable: no usable answer came.
    """
    sent, left_out = dict(wishes), list[str]()
    while True:
        try:
            return ask(sent), left_out
        except Unavailable:
            raise
        except Problem as problem:
            words = str(problem)
            refused = next((name for name in may_lack if name in sent and re.search(rf"\b{name}\b", words)), None)
            if refused is None:
                raise
            left_out.append(refused)
            del sent[refused]


def note_of(left_out: Sequence[str]) -> str:
    """What a result says of wishes that a service does not take."""
    names = [name for name in left_out if name != "response_format"]
    return f"the service takes no {', '.join(names)}" if names else ""


def save_picture(answer: Mapping[str, Any], service: Service, target: Path) -> tuple[int, int]:
    """Save the picture of an answer of ``/images/...`` in the format of a name; its width and height in pixels.

    Raises:
        Problem: the name is none of a picture.
        Unavailable: the answer holds no picture.
    """
    kind = picture_format(target)
    listed = answer.get("data")
    first = listed[0] if isinstance(listed, list) and listed and isinstance(listed[0], dict) else {}
    try:
        data = base64.b64decode(str(first.get("b64_json") or ""), validate=True)
        saved, size = run_in_process(_convert_picture, data, kind)
    except (binascii.Error, Problem) as error:
        raise Unavailable(f"{service.model} answered without a picture (b64_json of a PNG, JPEG or WEBP)") from error
    save_bytes(target, saved)
    return size


def picture_format(target: Path) -> str:
    """The format of a picture by its name.

    Raises:
        Problem: it is none that can be written.
    """
    kind = _PICTURES.get(target.suffix.lower())
    if kind is None:
        raise Problem(f"{target.name!r} is not a valid name for a picture; end it with .png, .jpg or .webp")
    return kind


def _convert_picture(data: bytes, kind: str) -> tuple[bytes, tuple[int, int]]:
    """A picture in another format, and its size. To be called in `run_in_process`."""
    import io

    from PIL import Image

    from yardkit.world.limits import check_pixels

    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "WEBP")) as picture:
            check_pixels(picture.width, picture.height, "the picture")
            pixels = picture if kind != "JPEG" else picture.convert("RGB")
            file = io.BytesIO()
            pixels.save(file, kind)
            return file.getvalue(), picture.size
    except (OSError, SyntaxError, ValueError) as error:
        raise Problem(f"no picture: {error}") from error
