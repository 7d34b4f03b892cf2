"""Prints of a photo booth: two shots side by side with their captions, and where the faces are."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from yardkit.state_init.photographs import load_photograph, vary_photograph
from yardkit.state_init.rendering import photograph_picture
from yardkit.state_init.rendering.ink import Face, get_pen, new_image, write_line

if TYPE_CHECKING:
    from PIL.Image import Image

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
CUTS: Mapping[str, tuple[Box, Box]] = {
    "collins": ((75, 10, 365, 339), (190, 85, 268, 172)),
    "hopper": ((60, 30, 430, 450), (170, 140, 330, 295)),
    "douglass": ((40, 30, 400, 438), (150, 130, 262, 290)),
    "caller": ((30, 0, 380, 397), (150, 75, 255, 195)),
    "mona_lisa": ((10, 0, 184, 197), (52, 45, 138, 145)),
}
"""Of photographs the part that is shown, and the face, from the brows to the chin, in pixels."""
SHOT_PX, EDGE_PX, CAPTION_PX = (300, 340), 16, 56
_SQUARE_PX, _GAP_PX = 420, 24
PRINT_PX = (2 * SHOT_PX[0] + 3 * EDGE_PX, SHOT_PX[1] + EDGE_PX + CAPTION_PX)


@dataclass(frozen=True)
class Shot:
    """One picture of a print: who is on it, its caption, whether it is mirrored, its brightness (1: as it is)."""

    who: str
    caption: str
    mirrored: bool
    light: float

    def draw(self) -> "Image":
        """The picture without its caption."""
        from PIL import Image, ImageEnhance, ImageOps

        cut = load_photograph(self.who).crop(CUTS[self.who][0])
        image = ImageEnhance.Brightness(cut.resize(SHOT_PX, Image.Resampling.LANCZOS)).enhance(self.light)
        return ImageOps.mirror(image) if self.mirrored else image

    @property
    def face(self) -> Box:
        """The face in pixels of the picture."""
        (left, top, right, bottom), face = CUTS[self.who]
        x, y = SHOT_PX[0] / (right - left), SHOT_PX[1] / (bottom - top)
        left_edge, other = (face[0] - left) * x, (face[2] - left) * x
        if self.mirrored:
            left_edge, other = SHOT_PX[0] - other, SHOT_PX[0] - left_edge
        return left_edge, (face[1] - top) * y, other, (face[3] - top) * y


def shot_corner(place: int) -> tuple[int, int]:
    """Where the upper left corner of a shot, 0 or 1, is on its print, in pixels."""
    return EDGE_PX + place * (SHOT_PX[0] + EDGE_PX), EDGE_PX


def draw_print(shots: Sequence[Shot]) -> "Image":
    """Two shots with their captions, `PRINT_PX` large."""
    sheet = new_image(*PRINT_PX, (250, 250, 248))
    for place, shot in enumerate(shots):
        left, top = shot_corner(place)
        sheet.paste(shot.draw(), (left, top))
        middle = (left + SHOT_PX[0] / 2, top + SHOT_PX[1] + 8)
        write_line(get_pen(sheet), middle, shot.caption, Face("Liberation Sans", 32, bold=True), (30, 30, 34), "center")
    return sheet


def draw_sheet(names: Sequence[str], rng: random.Random) -> "Image":
    """Two rows of two photographs on white paper, as somebody took a picture of it."""
    from PIL import ImageOps

    step = _SQUARE_PX + _GAP_PX
    sheet = new_image(2 * step + _GAP_PX, 2 * step + _GAP_PX, (246, 245, 240))
    for place, name in enumerate(names):
        row, column = divmod(place, 2)
        shot = ImageOps.pad(vary_photograph(name, rng), (_SQUARE_PX, _SQUARE_PX), color=(24, 24, 26))
        sheet.paste(shot, (_GAP_PX + column * step, _GAP_PX + row * step))
    return photograph_picture(sheet, rng, strength=0.25)
