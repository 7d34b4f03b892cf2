"""What the tools of the surface return beside the engine's own results."""

from dataclasses import dataclass, field

from yardkit.kit.surface import FileRef, Picture
from yardkit.servers.pdf.engine.reading.comparison import PagePair

Value = str | bool | list[str] | None


@dataclass(frozen=True)
class PdfWritten:
    """What was done, the saved file, and what to know about it."""

    done: str
    file: FileRef
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class PdfFilled:
    """Values read back from the saved file."""

    done: str
    file: FileRef
    values: dict[str, Value]
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class PdfFiles:
    """Files that were made."""

    done: str
    files: list[FileRef]
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class PdfPicture:
    """A page as a picture; pixel = (point - box corner) * dpi / 72."""

    page: int
    total_pages: int
    dpi: float
    box: list[float]
    picture: Picture


@dataclass(frozen=True)
class PdfRedacted:
    """What was taken out, and how that was checked in the saved file."""

    done: str
    file: FileRef
    matches: dict[str, int] = field(default_factory=dict)
    pages: list[int] = field(default_factory=list)
    elsewhere: dict[str, int] = field(default_factory=dict)
    rasterised: dict[int, str] = field(default_factory=dict)
    checked: str = ""
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class PdfComparison:
    """What differs between two documents, as the engine states it; the picture shows the first pair that differs."""

    same_text: bool
    same_look: bool | None
    pages_before: int
    pages_after: int
    pairs: list[PagePair] = field(default_factory=list)
    note: str = ""
    picture: Picture | None = None
