"""What the engine finds."""

from dataclasses import dataclass, field

from yardkit.kit.pages.fonts import Font
from yardkit.kit.pages.raster import PageImage
from yardkit.world.boxes import Box


@dataclass(frozen=True)
class PageImages:
    """Pictures of pages.

    Attributes:
        count: pages of the whole file.
        numbers: the pages that are shown, from 1.
        images: one for each of them, or one for all.
        fonts: those that the file asks for and that others stand in for.
    """

    count: int
    numbers: list[int]
    images: list[PageImage] = field(repr=False)
    fonts: list[Font]


@dataclass(frozen=True)
class PageInfo:
    """A page: its size in millimetres and its first words."""

    page: int
    width_mm: float
    height_mm: float
    text: str = ""


@dataclass(frozen=True)
class TextHit:
    """A place of a text: the page and its box."""

    page: int
    box: Box
    text: str = ""


@dataclass(frozen=True)
class PageChange:
    """How a page differs: share of its area, and boxes around what changed."""

    page: int
    changed_percent: float
    boxes_pt: list[Box]


@dataclass(frozen=True)
class Finding:
    """Something that looks wrong on a page."""

    page: int
    kind: str
    text: str
    box: Box | None = None
