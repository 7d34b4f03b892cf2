"""OCR in the dialect of GTA: a line `(x1, y1, x2, y2) text` per line of the image."""

from typing import Annotated

from pydantic import Field

from toolyard.kit.dialect import Offset, TextPage, page
from toolyard.kit.surface import make_server, tool
from toolyard.servers.ocr import engine
from toolyard.world import InFile

mcp = make_server("ocr", "Reads the text of images, with boxes in pixels.")

_EVERYTHING = 1_000_000


@tool(mcp, name="OCR")
def read_text(image: Annotated[InFile, Field(description="Image file.")], offset: Offset = 0) -> TextPage:
    """Read all text of an image: a line '(x1, y1, x2, y2) text' for each of its lines, nothing if there is none."""
    pieces = engine.read_text(image, limit=_EVERYTHING).pieces
    return page("\n".join(f"({', '.join(map(str, piece.bbox_px))}) {piece.text}" for piece in pieces), offset)
