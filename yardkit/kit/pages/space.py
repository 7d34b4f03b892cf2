"""The visible part of a PDF page's user space, and its two coordinate systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from yardkit.world.boxes import Box

Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class Space:
    """The visible part of a page in user space, and its displayed rotation (0, 90, 180 or 270 degrees clockwise)."""

    x0: float
    y0: float
    x1: float
    y1: float
    rotation: int = 0

    @property
    def width(self) -> float:
        """Of the page as shown, in points."""
        return self.y1 - self.y0 if self.rotation % 180 else self.x1 - self.x0

    @property
    def height(self) -> float:
        """Of the page as shown, in points."""
        return self.x1 - self.x0 if self.rotation % 180 else self.y1 - self.y0

    def convert_point(self, x: float, y: float) -> tuple[float, float]:
        """Convert a point of user space to the displayed page, origin top left."""
        if self.rotation == 90:
            return y - self.y0, x - self.x0
        if self.rotation == 180:
            return self.x1 - x, y - self.y0
        if self.rotation == 270:
            return self.y1 - y, self.x1 - x
        return x - self.x0, self.y1 - y

    def point_in_user(self, x: float, y: float) -> tuple[float, float]:
        """The inverse of `convert_point`."""
        if self.rotation == 90:
            return y + self.x0, x + self.y0
        if self.rotation == 180:
            return self.x1 - x, y + self.y0
        if self.rotation == 270:
            return self.x1 - y, self.y1 - x
        return x + self.x0, self.y1 - y

    def convert_box(self, box: Any) -> Box:
        """Convert a box of user space to the displayed page."""
        return _order_corners(
            self.convert_point(float(box[0]), float(box[1])), self.convert_point(float(box[2]), float(box[3]))
        )

    def in_user(self, box: Any) -> Box:
        """Convert a box of the displayed page to user space."""
        return _order_corners(
            self.point_in_user(float(box[0]), float(box[1])), self.point_in_user(float(box[2]), float(box[3]))
        )

    @property
    def matrix(self) -> Matrix:
        """The matrix from the displayed page, origin bottom left, to user space."""
        return {
            90: (0, 1, -1, 0, self.x1, self.y0),
            180: (-1, 0, 0, -1, self.x1, self.y1),
            270: (0, -1, 1, 0, self.x0, self.y1),
        }.get(self.rotation, (1, 0, 0, 1, self.x0, self.y0))

    @property
    def turn(self) -> Matrix:
        """The rotation of `matrix`, which keeps an annotation upright on the displayed page."""
        return (*self.matrix[:4], 0, 0)


def _order_corners(a: tuple[float, float], b: tuple[float, float]) -> Box:
    return min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])


def space_in_pdfium(page: Any) -> Space:
    """Find the space of a pypdfium2 page, not by its media box, since PDFium does not return an inherited one."""
    box = list(page.get_bbox())
    if box[2] <= box[0] or box[3] <= box[1]:  # the crop box is outside of the media box
        return visible_space(list(page.get_mediabox()), list(page.get_cropbox()), page.get_rotation())
    return visible_space(box, box, page.get_rotation())


def visible_space(media: list[float], crop: list[float], rotation: int) -> Space:
    """Return the space of a page with these boxes: the crop box inside the media box, else the media box."""
    media = [min(media[0], media[2]), min(media[1], media[3]), max(media[0], media[2]), max(media[1], media[3])]
    crop = [min(crop[0], crop[2]), min(crop[1], crop[3]), max(crop[0], crop[2]), max(crop[1], crop[3])]
    both = [max(media[0], crop[0]), max(media[1], crop[1]), min(media[2], crop[2]), min(media[3], crop[3])]
    if both[2] <= both[0] or both[3] <= both[1]:
        both = media
    return Space(both[0], both[1], both[2], both[3], rotation - rotation % 90)
