"""Colours: read from words, named, and the main ones of a picture."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.kit.pictures import run_picture_call
from yardkit.servers.images.engine.files import load_picture

if TYPE_CHECKING:
    from PIL.Image import Image

_SAMPLE_PX = 256


@dataclass(frozen=True)
class MainColor:
    """A colour of a picture.

    Attributes:
        color: as #RRGGBB.
        name: the nearest named colour of CSS.
        share: of the pixels that are not transparent, in [0, 1].
    """

    color: str
    name: str
    share: float

    def __str__(self) -> str:
        return f"{self.color} ({self.name}) {self.share:.1%}"


@dataclass(frozen=True)
class MainColors:
    """The main colours of a picture, the most frequent first."""

    colors: tuple[MainColor, ...]

    def __str__(self) -> str:
        return "\n".join(map(str, self.colors))


def main_colors(path: Path, count: int) -> MainColors:
    """The main colours of a picture.

    Args:
        path: of the picture.
        count: how many at most.

    Raises:
        Problem: the picture cannot be read.
    """
    return MainColors(tuple(run_picture_call(_main_colors, path, count)))


def _main_colors(path: Path, count: int) -> list[MainColor]:
    from PIL import Image

    image = load_picture(path)
    image.thumbnail((_SAMPLE_PX, _SAMPLE_PX), Image.Resampling.BOX)
    opaque = [pixel for pixel in _list_pixels(image.convert("RGBA")) if pixel[3] >= 128]
    if not opaque:
        return []
    row = Image.new("RGB", (len(opaque), 1))
    row.putdata([pixel[:3] for pixel in opaque])
    reduced = row.quantize(count, method=Image.Quantize.MEDIANCUT, kmeans=3)
    palette = reduced.getpalette() or []
    color_counts = sorted(reduced.getcolors() or [], reverse=True)
    shades = [(tuple(palette[3 * index : 3 * index + 3]), share) for share, index in color_counts]  # type: ignore[operator]
    return [MainColor(f"#{bytes(shade).hex()}", _name_color(shade), share / len(opaque)) for shade, share in shades]


def _list_pixels(image: "Image") -> list[tuple[int, int, int, int]]:
    data = image.tobytes()
    return [tuple(data[start : start + 4]) for start in range(0, len(data), 4)]  # type: ignore[misc]


def _name_color(shade: tuple[int, ...]) -> str:
    from PIL import ImageColor

    def distance(name: str) -> int:
        other = ImageColor.getrgb(ImageColor.colormap[name] if isinstance(ImageColor.colormap[name], str) else name)
        return sum((mine - theirs) ** 2 for mine, theirs in zip(shade, other, strict=False))

    return min(sorted(ImageColor.colormap), key=distance)
