"""Photo-like scenes of bottles on a table, to be counted and read."""

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from yardkit.state_init.rendering.ink import (
    Box,
    Color,
    Face,
    get_pen,
    make_noise_generator,
    new_image,
    text_width,
    write_line,
)
from yardkit.world import Problem

if TYPE_CHECKING:
    from PIL.Image import Image

BottleShape = Literal["beer", "wine", "soda", "water"]

# Outline from cap (0) to foot (1): (part of the height, radius as part of the height).
_OUTLINES: dict[BottleShape, list[tuple[float, float]]] = {
    "beer": [(0, 0.052), (0.04, 0.052), (0.30, 0.058), (0.48, 0.125), (0.56, 0.13), (0.97, 0.13), (1, 0.118)],
    "wine": [(0, 0.048), (0.05, 0.048), (0.30, 0.05), (0.40, 0.118), (0.46, 0.125), (0.97, 0.125), (1, 0.115)],
    "soda": [
        (0, 0.06),
        (0.05, 0.06),
        (0.18, 0.07),
        (0.36, 0.145),
        (0.55, 0.128),
        (0.75, 0.145),
        (0.96, 0.14),
        (1, 0.12),
    ],
    "water": [(0, 0.058), (0.06, 0.058), (0.14, 0.064), (0.28, 0.135), (0.33, 0.14), (0.97, 0.14), (1, 0.13)],
}
_HEIGHTS: dict[BottleShape, float] = {"beer": 0.86, "wine": 1.12, "soda": 0.84, "water": 0.92}
_LABELS: dict[BottleShape, tuple[float, float]] = {
    "beer": (0.60, 0.86),
    "wine": (0.55, 0.86),
    "soda": (0.50, 0.76),
    "water": (0.46, 0.72),
}
_SCALE = 2  # drawn twice as large and scaled down, for smooth edges


@dataclass(frozen=True)
class Bottle:
    """One kind of bottle.

    Attributes:
        name: on the label; kept to what fits (about ten letters).
        glass: colour of glass and content; `label` and `ink` of the label, `cap` of the cap.
    """

    name: str
    shape: BottleShape
    glass: Color
    label: Color = (240, 234, 214)
    ink: Color = (40, 30, 24)
    cap: Color = (180, 150, 60)


@dataclass(frozen=True)
class Scene:
    """A scene and its truth: for each bottle, from the back to the front, its name and its box in pixels."""

    image: "Image"
    bottles: list[tuple[str, Box]]


@dataclass(frozen=True)
class _Stand:
    """Where one bottle stands: the middle of its foot and its height, in pixels."""

    x: float
    y: float
    height: float


def bottle_scene(bottles: list[tuple[Bottle, int]], rng: random.Random, width: int = 1400, height: int = 1000) -> Scene:
    """So many bottles of each kind on a wooden table, in up to two rows, lit from the left.

    Bottles behind others stand in their gaps, so that each can be seen and counted and each label in front be read.

    Raises:
        Problem: more bottles than can stand side by side (14).
    """
    from PIL import Image

    total = sum(count for _, count in bottles)
    if not 1 <= total <= 14:
        raise Problem(f"{total} bottles do not fit on the table; give 1 to 14")
    order = [bottle for bottle, count in bottles for _ in range(count)]
    rng.shuffle(order)
    # Wall and table have no sharp edges: they need no more than the final size.
    big = _draw_room(width, height, rng).resize((width * _SCALE, height * _SCALE), Image.Resampling.BILINEAR)
    labelled_boxes: list[tuple[str, Box]] = []
    for bottle, stand in zip(order, _arrange_stands(total, width * _SCALE, height * _SCALE, rng), strict=True):
        sprite = _draw_sprite(bottle, round(stand.height * _HEIGHTS[bottle.shape]), rng)
        left, top = round(stand.x - sprite.width / 2), round(stand.y - sprite.height)
        _draw_shadow(big, stand, sprite.width)
        big.paste(sprite, (left, top), sprite)
        box = (left, top, left + sprite.width, top + sprite.height)
        labelled_boxes.append((bottle.name, (box[0] // _SCALE, box[1] // _SCALE, box[2] // _SCALE, box[3] // _SCALE)))
    return Scene(big.resize((width, height), Image.Resampling.LANCZOS), labelled_boxes)


def _arrange_stands(total: int, width: int, height: int, rng: random.Random) -> list[_Stand]:
    """Back row first; the bottles of the back row stand in the gaps of the front row."""
    back = total // 2 if total > 5 else 0
    front = total - back
    step = min(width * 0.86 / max(front, 1), width * 0.2)
    start = (width - step * (front - 1)) / 2
    size = min(height * 0.58, step * 2.9)
    rows = []
    for place in range(back):
        x = start + step * (place + 0.5) + rng.uniform(-0.04, 0.04) * step
        rows.append(_Stand(x, height * 0.70 + rng.uniform(-8, 8), size * 0.93))
    for place in range(front):
        x = start + step * place + rng.uniform(-0.05, 0.05) * step
        rows.append(_Stand(x, height * 0.90 + rng.uniform(-12, 12), size))
    return rows


def _draw_room(width: int, height: int, rng: random.Random) -> "Image":
    """A wall and a wooden table in front of it."""
    import cv2
    import numpy as np
    from PIL import Image

    chance, edge = make_noise_generator(rng), round(height * 0.56)
    wall = np.array(rng.choice([(196, 204, 206), (214, 202, 184), (176, 190, 178), (206, 190, 196)]), dtype=float)
    wood = np.array(rng.choice([(150, 104, 66), (122, 82, 54), (178, 136, 92)]), dtype=float)
    light = np.linspace(1.06, 0.80, width)[None, :, None] * np.linspace(0.88, 1.05, height)[:, None, None]
    room = np.empty((height, width, 3))
    room[:edge] = wall
    long_grain = cv2.resize(chance.normal(0, 1, (height // 3, max(2, width // 130))), (width, height))
    fine_grain = cv2.resize(chance.normal(0, 1, (height, max(2, width // 30))), (width, height))
    room[edge:] = wood + (7 * long_grain + 4 * fine_grain)[edge:, :, None]
    room[edge : edge + 4] *= 0.72
    room = cv2.GaussianBlur(room * light, (0, 0), 1.0) + chance.normal(0, 1.0, (height, width, 1))
    return Image.fromarray(np.clip(room, 0, 255).astype(np.uint8))


def _draw_shadow(image: "Image", stand: _Stand, width: int) -> None:
    """A soft shadow on the table to the right of the foot, as light from the left throws it."""
    from PIL import Image, ImageFilter

    reach, thick = round(width * 1.7), round(width * 0.34)
    mask = Image.new("L", (reach + 160, thick + 160), 0)
    get_pen(mask).ellipse([80, 80, 80 + reach, 80 + thick], fill=135)
    mask = mask.filter(ImageFilter.GaussianBlur(22))
    place = (round(stand.x - width * 0.5) - 80, round(stand.y - thick * 0.62) - 80)
    image.paste(Image.new("RGB", mask.size, (22, 16, 12)), place, mask)


def _draw_sprite(bottle: Bottle, height: int, rng: random.Random) -> "Image":
    """The bottle on a transparent ground, its foot at the lower edge."""
    import numpy as np
    from PIL import Image

    radius = _compute_radii(bottle.shape, height)
    half = int(np.ceil(radius.max())) + 1
    x = np.arange(-half, half + 1)[None, :] + 0.0
    # -1 at the left edge of the glass, 1 at the right one; the angle of the surface follows from it.
    turn = x / radius[:, None]
    inside = np.abs(turn) <= 1
    surface = _color_surface(bottle, height, np.clip(turn, -1, 1), rng)
    shade = 0.42 + 0.58 * np.sqrt(np.clip(1 - turn**2, 0, 1)) - 0.16 * np.clip(turn, -1, 1)
    glint = 150 * np.exp(-(((turn + 0.52) / 0.07) ** 2)) + 60 * np.exp(-(((turn - 0.70) / 0.05) ** 2))
    rows = np.linspace(0, 1, height)[:, None]
    glossy = np.where((rows > _LABELS[bottle.shape][0]) & (rows < _LABELS[bottle.shape][1]), 0.12, 1.0)
    pixels = np.clip(surface * shade[..., None] + (glint * glossy)[..., None], 0, 255)
    alpha = np.where(inside, 255, 0)[..., None]
    return Image.fromarray(np.concatenate([pixels, alpha], axis=2).astype(np.uint8), "RGBA")


def _compute_radii(shape: BottleShape, height: int) -> Any:
    """Radius of each row in pixels, the corners of the outline rounded off."""
    import cv2
    import numpy as np

    parts, radii = zip(*_OUTLINES[shape], strict=True)
    rows = np.interp(np.linspace(0, 1, height), parts, radii) * height
    smooth = cv2.GaussianBlur(rows.reshape(1, -1), (0, 0), height * 0.018, borderType=cv2.BORDER_REPLICATE).ravel()
    smooth[: round(height * 0.045)] = rows[: round(height * 0.045)]  # the cap keeps its corner
    return smooth


def _color_surface(bottle: Bottle, height: int, turn: Any, rng: random.Random) -> Any:
    """Colour of each point before the light: glass, content up to its level, cap, and the label wrapped around."""
    import numpy as np

    colors = np.empty((*turn.shape, 3))
    colors[:] = bottle.glass
    level = round(height * rng.uniform(0.16, 0.24))
    colors[:level] = np.array(bottle.glass) * 0.6 + 100
    colors[: round(height * 0.055)] = bottle.cap
    top, bottom = (round(height * part) for part in _LABELS[bottle.shape])
    art = np.asarray(_draw_label(bottle, bottom - top), dtype=float)
    # A point at the angle asin(turn) shows the label's column at that angle; the label spans 150 degrees.
    column = (np.arcsin(turn[top:bottom]) / np.radians(150) + 0.5) * (art.shape[1] - 1)
    on_label = (column >= 0) & (column <= art.shape[1] - 1)
    rows = np.broadcast_to(np.arange(bottom - top)[:, None], column.shape)
    label = art[rows, np.clip(column, 0, art.shape[1] - 1).astype(int)]
    colors[top:bottom] = np.where(on_label[..., None], label, colors[top:bottom])
    return colors


def _draw_label(bottle: Bottle, height: int) -> "Image":
    width = round(height * 1.35)
    image = new_image(width, height, bottle.label)
    draw = get_pen(image)
    draw.rectangle([0, 0, width, round(height * 0.1)], fill=bottle.ink)
    draw.rectangle([0, height - round(height * 0.1), width, height], fill=bottle.ink)
    words = bottle.name.split()
    face = Face("Liberation Sans", max(12, round(height * (0.34 if len(words) == 1 else 0.27))), bold=True)
    widest = max(text_width(word, face) for word in words)
    face = face.scale(min(1.0, width * 0.58 / widest))
    top = (height - face.size * 1.2 * len(words)) / 2
    for place, word in enumerate(words):
        write_line(draw, (width / 2, top + place * face.size * 1.2), word, face, bottle.ink, "center")
    return image
