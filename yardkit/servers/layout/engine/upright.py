"""A page turned upright for reading, and the way back to the page as it is displayed."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from yardkit.models.embedded.page_layout import page_turn
from yardkit.world.boxes import Box

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Turn = Literal[0, 90, 180, 270]
_TURNS: tuple[Turn, ...] = (0, 90, 180, 270)
_SURE = 0.85
"""Score from which a page is turned back."""


@dataclass(frozen=True)
class UprightPage:
    """A page as it is read.

    Attributes:
        pixels: (height, width, 3), upright.
        turn: degrees by which it is turned clockwise where it is displayed.
        size: width and height as displayed.
    """

    pixels: "NDArray[np.uint8]"
    turn: Turn
    size: tuple[int, int]

    def to_source(self, box: Box) -> Box:
        """A box of the upright page in the page as it is displayed."""
        left, top, right, bottom = box
        width, height = self.size
        if self.turn == 90:
            return width - bottom, left, width - top, right
        if self.turn == 180:
            return width - right, height - bottom, width - left, height - top
        if self.turn == 270:
            return top, height - right, bottom, height - left
        return box


def upright_page(model: Path, pixels: "NDArray[np.uint8]") -> UprightPage:
    """A page (height, width, 3) turned upright, if the model is sure that it is not."""
    import numpy as np

    scores = page_turn(model, pixels)
    best = max(range(len(_TURNS)), key=lambda place: scores[place])
    turn = _TURNS[best] if scores[best] >= _SURE else 0
    return UprightPage(np.ascontiguousarray(np.rot90(pixels, turn // 90)), turn, (pixels.shape[1], pixels.shape[0]))
