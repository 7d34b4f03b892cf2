"""Several pictures in one: laid over each other, tiled as a watermark, side by side."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.kit.colors import parse_rgba
from yardkit.kit.lettering import Anchor, Lettering, add_text, compute_corner, fit_text
from yardkit.servers.images.engine.files import check_size, load_picture
from yardkit.world import Problem

if TYPE_CHECKING:
    from PIL.Image import Image


def overlay_picture(
    image: "Image",
    other: Path,
    anchor: Anchor,
    place: tuple[float, float] | None,
    width: int | None,
    opacity: float,
    margin: int,
) -> "tuple[Image, str]":
    """An image with another picture on it, and where that is.

    Args:
        image: the picture below.
        other: the picture above; where it is transparent the lower one is seen.
        anchor: the part of the upper one that stands at `place`, or the place in the picture.
        place: x and y in pixels.
        width: of the upper one in pixels; by default its own.
        opacity: in (0, 1].
        margin: to the edge of the picture, without `place`.

    Raises:
        Problem: the other picture cannot be read.
    """
    from PIL import Image

    above = load_picture(other).convert("RGBA")
    if width:
        size = (width, max(1, round(above.height * width / above.width)))
        check_size(*size, other.name)
        above = above.resize(size, Image.Resampling.LANCZOS)
    if opacity < 1:
        above.putalpha(above.getchannel("A").point(lambda value: round(value * opacity)))
    room = (margin, margin, image.width - margin, image.height - margin)
    left, top = (round(edge) for edge in compute_corner(above.size, anchor, room, place))
    layer = Image.new("RGBA", image.size, (0, 0, 0, 0))
    layer.paste(above, (left, top))
    combined_image = Image.alpha_composite(image.convert("RGBA"), layer)
    where = [left, top, left + above.width, top + above.height]
    outside = where[0] < 0 or where[1] < 0 or where[2] > image.width or where[3] > image.height
    note = f"It is placed in {where}." + (" Part of it is outside." if outside else "")
    return (combined_image if image.mode == "RGBA" else combined_image.convert("RGB")), note


def draw_watermark(image: "Image", text: str, look: Lettering, opacity: float, angle: float) -> "Image":
    """An image with a text over and over again across it, slanting."""
    from PIL import Image

    size = max(look.size_px, 10)
    cell = Image.new("RGBA", (size * (len(text) + 4), size * 4), (0, 0, 0, 0))
    cell, _ = add_text(cell, text, replace(look, background=""), "center", None, None, 0)
    used = cell.getbbox() or (0, 0, 1, 1)
    stamp = cell.crop(used)
    gap = (stamp.width + 3 * size, stamp.height + 3 * size)
    long = round((image.width**2 + image.height**2) ** 0.5)
    sheet = Image.new("RGBA", (long, long), (0, 0, 0, 0))
    for row in range(long // gap[1] + 1):
        for column in range(-1, long // gap[0] + 1):
            sheet.paste(stamp, (column * gap[0] + (row % 2) * gap[0] // 2, row * gap[1]))
    turned = sheet.rotate(-angle, Image.Resampling.BICUBIC)
    left, top = (long - image.width) // 2, (long - image.height) // 2
    layer = turned.crop((left, top, left + image.width, top + image.height))
    layer.putalpha(layer.getchannel("A").point(lambda value: round(value * opacity)))
    combined_image = Image.alpha_composite(image.convert("RGBA"), layer)
    return combined_image if image.mode == "RGBA" else combined_image.convert("RGB")


def make_collage(
    first: "Image",
    others: Sequence[Path],
    columns: int,
    cell: tuple[int, int],
    gap: int,
    background: str,
    captions: Sequence[str],
    crop: bool,
) -> "Image":
    """Pictures in rows of cells of one size, each whole in its cell, or filling it and cut.

    Raises:
        Problem: a picture cannot be read, there are more captions than pictures, or the result is too large.
    """
    from PIL import Image, ImageOps

    pictures = [first, *map(load_picture, others)]
    if len(captions) > len(pictures):
        raise Problem(f"{len(captions)} captions for {len(pictures)} pictures; give one for each, empty for none")
    strip = max(16, cell[1] // 8) if captions else 0
    columns = min(columns, len(pictures))
    rows = -(-len(pictures) // columns)
    size = (columns * (cell[0] + gap) + gap, rows * (cell[1] + strip + gap) + gap)
    check_size(*size, "the collage")
    shade = parse_rgba(background)
    sheet = Image.new("RGBA", size, shade)
    dark = sum(shade[:3]) < 380 and shade[3] > 127
    look = Lettering(size_px=max(10, round(strip * 0.55)), color="white" if dark else "black", align="center")
    if captions:  # all in the size of the longest
        look = min(
            (fit_text(words, look, (0, 0, cell[0], strip))[0] for words in captions),
            key=lambda picture: picture.size_px,
        )
    for number, picture in enumerate(pictures):
        left = gap + (number % columns) * (cell[0] + gap)
        top = gap + (number // columns) * (cell[1] + strip + gap)
        small = (ImageOps.fit if crop else ImageOps.contain)(picture.convert("RGBA"), cell, Image.Resampling.LANCZOS)
        sheet.alpha_composite(small, (left + (cell[0] - small.width) // 2, top + (cell[1] - small.height) // 2))
        if number < len(captions) and captions[number]:
            box = (left, top + cell[1], left + cell[0], top + cell[1] + strip)
            sheet, _ = add_text(sheet, captions[number], look, "center", None, box, 0)
    return sheet if shade[3] < 255 else sheet.convert("RGB")
