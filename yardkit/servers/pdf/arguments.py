"""Arguments of tools that name files within lists: the engine's own, with paths that stay in the workspace."""

from dataclasses import dataclass

from yardkit.servers.pdf.engine.assembly import merge_split, page_operations
from yardkit.servers.pdf.engine.drawing import page_stamps
from yardkit.world import InFile


@dataclass(frozen=True)
class PdfPart(merge_split.Part):
    """Pages of a file."""

    path: InFile


@dataclass(frozen=True)
class PdfPageOp(page_operations.PageOp):
    """One step with pages."""

    source: InFile | None = None


@dataclass(frozen=True)
class PdfStamp(page_stamps.Stamp):
    """Text or a picture for pages."""

    image: InFile | None = None
