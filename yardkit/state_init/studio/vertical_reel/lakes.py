"""A lake before mountains with a sailing boat: frames of a film taken from the shore."""

import math
import random
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from yardkit.state_init.rendering.ink import Box, make_noise_generator

if TYPE_CHECKING:
    from PIL.Image import Image

SIZE_PX = (960, 540)
HORIZON, BOAT_PX = 262, (112, 150)
_WATERLINE = 352
"""Where the hull meets the water, from the top."""


@dataclass(frozen=True)
class Lake:
    """What stays the same in all frames: the land, the waves, and the boat in a size of `BOAT_PX`."""

    land: "Image"
    waves: Any
    boat: "Image"

    def frame(self, boat_x: float, number: int) -> "Image":
        """A frame with the middle of the boat at a place from the left."""
        import numpy as np
        from PIL import Image

        frame = np.asarray(self.land).copy()
        width = SIZE_PX[0]
        near, far = (number * 3) % width, (-number * 2) % width
        water = frame[HORIZON:] + self.waves[:, near : near + width] + self.waves[:, far : far + width]
        frame[HORIZON:] = np.clip(water, 0, 255)
        picture = Image.fromarray(frame)
        left, top, *_ = boat_box(boat_x, number)
        mirrored = self.boat.transpose(Image.Transpose.FLIP_TOP_BOTTOM).resize((BOAT_PX[0], 60))
        mirrored.putalpha(mirrored.getchannel("A").point(lambda value: value // 4))
        picture.paste(mirrored, (left, top + BOAT_PX[1] - 6), mirrored)
        picture.paste(self.boat, (left, top), self.boat)
        return picture


def boat_box(boat_x: float, number: int) -> Box:
    """Where the boat is on the frame of a number: it bobs."""
    left = round(boat_x - BOAT_PX[0] / 2)
    top = round(_WATERLINE - BOAT_PX[1] + 12 + 3 * math.sin(number / 4))
    return left, top, left + BOAT_PX[0], top + BOAT_PX[1]


def build_lake(rng: random.Random) -> Lake:
    """A lake whose mountains, light and sail come from `rng`."""
    return Lake(_draw_land(rng), _make_waves(rng), _draw_boat(rng))


def _draw_land(rng: random.Random) -> "Image":
    import numpy as np
    from PIL import Image, ImageDraw, ImageFilter

    width, height = SIZE_PX
    warm = rng.uniform(0.0, 1.0)
    top, low = (96 + 40 * warm, 152 - 10 * warm, 212 - 30 * warm), (252, 226 - 20 * warm, 196 - 40 * warm)
    down = np.linspace(0, 1, HORIZON)[:, None, None]
    sky = np.broadcast_to(np.array(top) * (1 - down) + np.array(low) * down, (HORIZON, width, 3))
    deep = np.linspace(0, 1, height - HORIZON)[:, None, None]
    water = np.broadcast_to(
        np.array((150, 170, 190)) * (1 - deep) + np.array((24, 66, 98)) * deep, (height - HORIZON, width, 3)
    )
    image = Image.fromarray(np.concatenate([sky, water]).astype(np.uint8))
    draw = ImageDraw.Draw(image)
    sun = (rng.randint(430, width - 430), rng.randint(60, 130))
    for radius, light in ((46, 235), (34, 245), (26, 255)):
        draw.ellipse(
            (sun[0] - radius, sun[1] - radius, sun[0] + radius, sun[1] + radius), fill=(255, light, light - 55)
        )
    image = image.filter(ImageFilter.GaussianBlur(5))
    draw = ImageDraw.Draw(image)
    for depth, color in enumerate(((142, 158, 188), (104, 124, 156), (62, 92, 104))):
        ridge = _build_ridge(rng, HORIZON - 110 + 38 * depth, 62 - 14 * depth)
        draw.polygon([(0, HORIZON), *ridge, (width, HORIZON)], fill=color)
    for _ in range(5):
        x = rng.randint(10, width - 40)
        for tree in range(rng.randint(2, 5)):
            left, high = x + 13 * tree, rng.randint(20, 36)
            draw.polygon(
                [(left, HORIZON + 3), (left + 8, HORIZON + 3 - high), (left + 16, HORIZON + 3)], fill=(30, 66, 58)
            )
    draw.line((0, HORIZON + 2, width, HORIZON + 2), fill=(46, 74, 70), width=3)
    return image


def _build_ridge(rng: random.Random, middle: float, rough: float) -> list[tuple[float, float]]:
    """A line of mountains by halving: each new point lies between its neighbours, a little off."""
    heights = [middle + rng.uniform(-rough, rough) * 0.4 for _ in range(2)]
    while len(heights) < 65:
        rough *= 0.55
        between = [(height + other) / 2 + rng.uniform(-rough, rough) for height, other in pairwise(heights)]
        heights = [height for pair in zip(heights, between, strict=False) for height in pair] + heights[-1:]
    return [(SIZE_PX[0] * at / 64, min(height, HORIZON - 4)) for at, height in enumerate(heights)]


def _make_waves(rng: random.Random) -> Any:
    """Light and shade of the water, int16 (rows, twice the width, 1), of which the second half is the first again."""
    import cv2
    import numpy as np

    width, rows = SIZE_PX[0], SIZE_PX[1] - HORIZON
    fine = make_noise_generator(rng).normal(0.0, 1.0, (rows, width)).astype(np.float32)
    smooth = cv2.GaussianBlur(np.tile(fine, (1, 4)), (0, 0), 14, sigmaY=1.2)[:, width : 3 * width]
    near = np.linspace(0.25, 1.0, rows)[:, None]
    return (smooth / smooth.std() * 9 * near).astype(np.int16)[:, :, None]


def _draw_boat(rng: random.Random) -> "Image":
    from PIL import Image, ImageDraw

    width, height = BOAT_PX
    large = Image.new("RGBA", (4 * width, 4 * height), (0, 0, 0, 0))
    draw = ImageDraw.Draw(large)
    sail = rng.choice([(206, 52, 44), (236, 138, 30), (226, 186, 40)])
    shade = tuple(round(part * 0.8) for part in sail)
    mast = 4 * 54

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(4 * x, 4 * y) for x, y in points]

    draw.polygon(at((57, 8), (57, 116), (104, 116)), fill=(*sail, 255))
    draw.polygon(at((57, 8), (57, 116), (70, 116)), fill=(*shade, 255))
    draw.polygon(at((51, 24), (51, 114), (12, 114)), fill=(250, 248, 240, 255))
    draw.line([(mast, 4 * 4), (mast, 4 * 124)], fill=(96, 66, 44, 255), width=14)
    draw.polygon(at((4, 122), (108, 122), (94, 146), (18, 146)), fill=(40, 52, 84, 255))
    draw.polygon(at((4, 122), (108, 122), (106, 127), (6, 127)), fill=(244, 244, 240, 255))
    draw.ellipse([4 * 76, 4 * 104, 4 * 86, 4 * 114], fill=(228, 184, 150, 255))
    draw.polygon(at((72, 124), (90, 124), (86, 112), (76, 112)), fill=(58, 120, 160, 255))
    return large.resize((width, height), Image.Resampling.LANCZOS)
