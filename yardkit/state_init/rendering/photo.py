"""How a camera sees a flat picture: perspective, uneven light, blur, noise, compression."""

import io
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from yardkit.state_init.rendering.ink import make_noise_generator

if TYPE_CHECKING:
    from PIL.Image import Image

Background = Literal["wood", "stone", "cloth", "dark"]
_COLORS: dict[Background, tuple[int, int, int]] = {
    "wood": (142, 100, 64),
    "stone": (150, 150, 146),
    "cloth": (96, 112, 138),
    "dark": (52, 52, 56),
}


def photograph_picture(
    image: "Image",
    rng: random.Random,
    strength: float = 0.5,
    background: Background | None = None,
    frame: bool = True,
) -> "Image":
    """The picture as a hand-held camera takes it, at full strength still easy to read.

    Args:
        image: a flat picture; letters of 20 pixels or more in height stay readable.
        rng: chooses angle, light and noise.
        strength: from 0 (a scan) to 1 (a quick shot in poor light).
        background: what it lies on; chosen by `rng` without.
        frame: put it on the background with perspective; without, only light, blur, noise and compression.
    """
    import numpy as np
    from PIL import Image

    strength = min(1.0, max(0.0, strength))
    pixels = np.asarray(image.convert("RGB"), dtype=np.float32)
    if frame:
        ground = rng.choice(list(_COLORS)) if background is None else background
        pixels = _laid_down(pixels, rng, strength, ground)
    pixels = _apply_light(pixels, rng, strength)
    pixels = _apply_sensor(pixels, rng, strength)
    shot = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
    buffer = io.BytesIO()
    shot.save(buffer, "JPEG", quality=round(92 - 24 * strength))
    buffer.seek(0)
    return Image.open(buffer).convert("RGB")


def _laid_down(pixels: Any, rng: random.Random, strength: float, background: Background) -> Any:
    """The sheet on a surface, its corners moved as by a tilted camera, with its shadow."""
    import cv2
    import numpy as np

    height, width = pixels.shape[:2]
    border = round(0.07 * max(width, height)) + 20
    size = (width + 2 * border, height + 2 * border)
    reach = min(0.035 * strength * max(width, height), border * 0.8)
    angle = rng.uniform(-2.2, 2.2) * strength
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    middle = np.array([width / 2, height / 2])
    turn = np.radians(angle)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    moved = (corners - middle) @ spin.T * (1 - 0.02 * strength) + middle + border
    moved += np.array([[rng.uniform(-reach, reach) for _ in range(2)] for _ in range(4)])
    warp = cv2.getPerspectiveTransform(corners, moved.astype(np.float32))
    sheet = cv2.warpPerspective(pixels, warp, size, flags=cv2.INTER_CUBIC)
    mask = cv2.warpPerspective(np.ones((height, width), np.float32), warp, size, flags=cv2.INTER_LINEAR)
    shift = np.array([[1, 0, 7 + 8 * strength], [0, 1, 9 + 8 * strength]], dtype=np.float32)
    shadow = cv2.GaussianBlur(cv2.warpAffine(mask, shift, size), (0, 0), 9)
    surface = _make_surface(size, rng, background) * (1 - 0.45 * shadow[..., None])
    return sheet * mask[..., None] + surface * (1 - mask[..., None])


@dataclass(frozen=True)
class TableShot:
    """A photograph of a sheet on a table: the corners of the sheet from the upper left one clockwise, in pixels."""

    image: "Image"
    corners: list[list[float]]


def photograph_on_table(sheet: "Image", rng: random.Random, background: Background = "wood") -> TableShot:
    """A long sheet, such as a receipt, that lies askew on a table and is taken from in front of it, at some slant.

    The far edge is shorter than the near one, the paper bends a little, and the light falls from one side.
    """
    import cv2
    import numpy as np
    from PIL import Image

    pixels = _bend_sheet(np.asarray(sheet.convert("RGB"), dtype=np.float32), rng)
    height, width = pixels.shape[:2]
    size = (round(width * 1.5), round(height * 1.16))
    middle, tilt = np.array([size[0] / 2, size[1] / 2]), np.radians(rng.choice((-1, 1)) * rng.uniform(2.5, 6.0))
    far, shift = rng.uniform(0.80, 0.88), rng.uniform(-0.05, 0.05) * width
    flat = np.array([[-far, -0.5], [far, -0.5], [1.0, 0.5], [-1.0, 0.5]]) * [width / 2, height * 0.93]
    flat[:2, 0] += shift
    spin = np.array([[np.cos(tilt), -np.sin(tilt)], [np.sin(tilt), np.cos(tilt)]])
    corners = (flat @ spin.T + middle).astype(np.float32)
    edges = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    warp = cv2.getPerspectiveTransform(edges, corners)
    laid = cv2.warpPerspective(pixels, warp, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.ones((height, width), np.float32), warp, size, flags=cv2.INTER_LINEAR)
    moved = np.array([[1, 0, 9], [0, 1, 13]], dtype=np.float32)
    shadow = cv2.GaussianBlur(cv2.warpAffine(mask, moved, size), (0, 0), 10)
    ground = _make_surface(size, rng, background) * (1 - 0.5 * shadow[..., None])
    shot = laid * mask[..., None] + ground * (1 - mask[..., None])
    shot = np.clip(_apply_sensor(_apply_light(shot, rng, 0.55), rng, 0.3), 0, 255).astype(np.uint8)
    return TableShot(Image.fromarray(shot), [[round(float(side), 2) for side in corner] for corner in corners])


def _bend_sheet(pixels: Any, rng: random.Random) -> Any:
    """Soft bands of light and shade across a sheet that was rolled up and folded once."""
    import numpy as np

    height = pixels.shape[0]
    down = np.arange(height) / height
    waves = 0.035 * np.sin(6.28 * (down * rng.uniform(1.2, 2.2) + rng.random()))
    crease = -0.09 * np.exp(-(((down - rng.uniform(0.42, 0.58)) / 0.004) ** 2))
    return np.clip(pixels * (0.97 + waves + crease)[:, None, None], 0, 255)


def _make_surface(size: tuple[int, int], rng: random.Random, background: Background) -> Any:
    import cv2
    import numpy as np

    width, height = size
    chance = make_noise_generator(rng)
    grain = {"wood": (height // 4, 3), "stone": (height // 3, width // 3), "cloth": (height, width), "dark": (8, 8)}
    rows, columns = (max(2, side) for side in grain[background])
    pattern = cv2.resize(chance.normal(0, 1, (rows, columns)).astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    color = np.array(_COLORS[background], dtype=np.float32)
    return color + 9 * pattern[..., None]


def _apply_light(pixels: Any, rng: random.Random, strength: float) -> Any:
    """Light that falls off from one side, warm or cold."""
    import numpy as np

    height, width = pixels.shape[:2]
    angle = rng.uniform(0, 6.283)
    across = np.linspace(-1, 1, width)[None, :] * np.cos(angle)
    up = np.linspace(-1, 1, height)[:, None] * np.sin(angle)
    light = 1 - strength * (0.10 + 0.13 * (across + up) / 1.42)
    warmth = rng.uniform(-0.05, 0.07) * strength
    tint = np.array([1 + warmth, 1.0, 1 - warmth])
    return pixels * light[..., None] * tint


def _apply_sensor(pixels: Any, rng: random.Random, strength: float) -> Any:
    """A lens that is a little out of focus, and a sensor with noise."""
    import cv2

    sigma = 0.25 + 0.65 * strength * rng.uniform(0.7, 1.0)
    blurred = cv2.GaussianBlur(pixels, (0, 0), sigma)
    chance = make_noise_generator(rng)
    return blurred + chance.normal(0, 0.6 + 4.5 * strength, blurred.shape)
