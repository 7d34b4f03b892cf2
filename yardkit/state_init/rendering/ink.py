"""Lettering, paper and files: what all pictures share."""

import io
import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from yardkit.world import Problem, save_bytes
from yardkit.world.fonts import CJK_FAMILY, font_file

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont

Color = tuple[int, int, int]
Box = tuple[int, int, int, int]
Align = Literal["left", "center", "right"]

_CJK_FROM = 0x2E80


@dataclass(frozen=True)
class Face:
    """A bundled font in one size: `size` is the height of a line of type in pixels."""

    family: str
    size: int
    bold: bool = False
    italic: bool = False

    def scale(self, factor: float) -> "Face":
        """The same face, `factor` times as large."""
        return Face(self.family, max(6, round(self.size * factor)), self.bold, self.italic)

    def make_bold(self) -> "Face":
        """The bold face of the same size."""
        return Face(self.family, self.size, bold=True, italic=self.italic)


def new_image(width: int, height: int, color: Color) -> "Image":
    """A blank RGB image."""
    from PIL import Image

    return Image.new("RGB", (width, height), color)


def get_pen(image: "Image") -> Any:
    """What draws on `image` (Pillow's ``ImageDraw``)."""
    from PIL import ImageDraw

    return ImageDraw.Draw(image)


def text_width(words: str, face: Face) -> int:
    """Width in pixels of `words` in one line."""
    return round(sum(_choose_font(face, cjk).getlength(run) for run, cjk in _split_runs(words)))


def write_line(
    draw: Any, place: tuple[float, float], words: str, face: Face, color: Color, align: Align = "left"
) -> Box:
    """Write one line whose left, middle or right top is at `place`; returns the box of the line.

    Chinese, Japanese and Korean come from the bundled font for them, in the same size.
    """
    width = text_width(words, face)
    left = round(place[0] - {"left": 0, "center": width / 2, "right": width}[align])
    baseline, x = round(place[1]) + face.size, float(left)
    for run, cjk in _split_runs(words):
        font = _choose_font(face, cjk)
        draw.text((x, baseline), run, font=font, fill=color, anchor="ls")
        x += font.getlength(run)
    return left, round(place[1]), left + width, round(place[1] + face.size * 1.25)


def wrap_words(words: str, face: Face, width: int) -> list[str]:
    """`words` in lines of at most `width` pixels, broken at spaces."""
    lines: list[str] = []
    for word in words.split():
        if lines and text_width(f"{lines[-1]} {word}", face) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def make_noise_generator(rng: random.Random) -> Any:
    """A NumPy generator of chance, seeded from `rng`. Of the old kind: its stream is the same in every version."""
    import numpy as np

    return np.random.RandomState(rng.getrandbits(32))


def make_paper(width: int, height: int, color: Color, rng: random.Random, grain: float = 2.0) -> "Image":
    """A sheet with fine grain and faint large stains; `grain` is the standard deviation in levels of 255."""
    import cv2
    import numpy as np
    from PIL import Image

    chance = make_noise_generator(rng)
    fine = chance.normal(0.0, grain, (height, width))
    coarse = chance.normal(0.0, 1.0, (max(2, height // 120), max(2, width // 120)))
    stains = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC) * grain
    sheet = np.array(color, dtype=float) + (fine + stains)[..., None]
    return Image.fromarray(np.clip(sheet, 0, 255).astype(np.uint8))


def encode_image(image: "Image", kind: Literal["png", "jpeg"], quality: int = 88) -> bytes:
    """The bytes of an image file; the same for the same picture. `quality` is JPEG's, 1 to 95."""
    buffer = io.BytesIO()
    if kind == "png":
        image.save(buffer, "PNG", optimize=True)
    else:
        image.convert("RGB").save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()


def save_image(image: "Image", path: Path, quality: int = 88) -> None:
    """Save as PNG or JPEG by the name of `path`.

    Raises:
        Problem: the name ends in something else.
    """
    kinds: dict[str, Literal["png", "jpeg"]] = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg"}
    if path.suffix.lower() not in kinds:
        raise Problem(f"{path.name!r} is not a valid name for a picture; end it in .png or .jpg")
    save_bytes(path, encode_image(image, kinds[path.suffix.lower()], quality))


@cache
def _load_font(path: Path, size: int) -> "FreeTypeFont":
    from PIL import ImageFont

    # The basic layout is part of Pillow; the other one depends on a system library.
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


def _choose_font(face: Face, cjk: bool) -> "FreeTypeFont":
    return _load_font(font_file(CJK_FAMILY if cjk else face.family, face.bold, face.italic), face.size)


def _split_runs(words: str) -> list[tuple[str, bool]]:
    """`words` in pieces that one font can draw, each with whether it is CJK."""
    runs: list[tuple[str, bool]] = []
    for sign in words:
        cjk = ord(sign) >= _CJK_FROM
        if runs and runs[-1][1] == cjk:
            runs[-1] = (runs[-1][0] + sign, cjk)
        else:
            runs.append((sign, cjk))
    return runs
