"""Arguments of tools that name files within lists: the engine's own, with paths that stay in the workspace."""

from dataclasses import dataclass

from toolyard.servers.pdf.engine.assembly import arranging, joining
from toolyard.servers.pdf.engine.drawing import stamping
from toolyard.world import InFile


@dataclass(frozen=True)
class PdfPart(joining.Part):
    """Pages of a file."""

    path: InFile


@dataclass(frozen=True)
class PdfPageOp(arranging.PageOp):
    """One step with pages."""

    source: InFile | None = None


@dataclass(frozen=True)
class PdfStamp(stamping.Stamp):
    """Text or a picture for pages."""

    image: InFile | None = None
