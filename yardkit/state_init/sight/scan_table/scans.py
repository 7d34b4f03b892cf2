"""Printed pages with tables as a sheet feeder takes them: a little skewed, some put in sideways."""

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from yardkit.state_init.rendering.ink import Align, make_noise_generator
from yardkit.state_init.rendering.letters import PX_PER_MM, Line, draw_scanned_page
from yardkit.state_init.rendering.tables import TableStyle, draw_table

if TYPE_CHECKING:
    from PIL.Image import Image


def table_page(
    lines: Sequence[Line],
    rows: Sequence[Sequence[str]],
    rng: random.Random,
    *,
    y_mm: float = 60,
    landscape: bool = False,
    style: TableStyle = "ruled",
) -> "Image":
    """A page with a table below a height in mm, its first row the head, no wider than the page."""
    from PIL import Image, ImageChops

    sheet = draw_scanned_page(lines, rng, landscape=landscape)
    head, *body = (list(row) for row in rows)
    align: list[Align] = ["right"] * len(head)
    image = draw_table(head, body, style, rng, align=["left", *align[1:]])
    part = min(1.0, (sheet.width - 30 * PX_PER_MM) / image.width)
    image = image.resize((round(image.width * part), round(image.height * part)), Image.Resampling.LANCZOS)
    left, top = (sheet.width - image.width) // 2, round(y_mm * PX_PER_MM)
    ground = sheet.crop((left, top, left + image.width, top + image.height))
    white = image.point(lambda level: min(255, level + 12))
    sheet.paste(ImageChops.multiply(ground, white), (left, top))
    return sheet


def feed_page(page: "Image", rng: random.Random, turn: int = 0, skew: float = 1.2) -> "Image":
    """The page as it comes out of the feeder: turned anticlockwise, skewed by up to so many degrees."""
    import numpy as np
    from PIL import Image

    page = page.rotate(turn, expand=True)
    angle = rng.choice((-1, 1)) * rng.uniform(skew * 0.4, skew)
    page = page.rotate(angle, Image.Resampling.BICUBIC, fillcolor=(236, 236, 233))
    pixels = np.asarray(page, dtype=float)
    edge = np.exp(-np.arange(page.width) / 14.0)[None, :, None]
    pixels = pixels * (1 - 0.3 * edge) + make_noise_generator(rng).normal(0, 2.2, pixels.shape)
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).convert("L")
