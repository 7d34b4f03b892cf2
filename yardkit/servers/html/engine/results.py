"""What the engine finds."""

from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Finding:
    """Something to repair: what, where in the file (line), the element, how grave."""

    kind: str
    text: str
    line: int | None = None
    element: str = ""
    severity: Severity = "warning"


@dataclass(frozen=True)
class Element:
    """An element of a page as its file has it."""

    tag: str
    line: int | None = None
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""
    html: str = ""
    path: str = ""


@dataclass(frozen=True)
class Link:
    """An address on a page: what kind of element holds it, its words, and whether it leads somewhere.

    `status`: ok, missing file, missing anchor, outside workspace, external (never followed).
    """

    kind: str
    address: str
    status: str
    text: str = ""
    line: int | None = None


@dataclass(frozen=True)
class Table:
    """A table with its rows; a cell over several columns or rows is repeated in each."""

    index: int
    rows: list[list[str]]
    caption: str = ""
    header_rows: int = 0
    line: int | None = None


@dataclass(frozen=True)
class Heading:
    """A heading: its level from 1 to 6."""

    level: int
    text: str
    line: int | None = None
    id: str = ""


@dataclass(frozen=True)
class Box:
    """An element as the browser lays it out; sizes in CSS pixels from the top left of the page."""

    path: str
    tag: str
    x: float
    y: float
    width: float
    height: float
    text: str = ""
    font: str = ""
    font_size_px: float = 0
    color: str = ""
    background: str = ""
    display: str = ""
    hidden: bool = False
    clipped: bool = False
    overflows: bool = False
