"""The tools of the `layout` server."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.layout import engine
from yardkit.world import InFile, OutFile

mcp = make_server(
    "layout",
    "Analyses the layout of a page: a picture (PNG, JPEG, WEBP, GIF, BMP, TIFF, AVIF, HEIC) or a PDF page. "
    "Boxes are [x_min, y_min, x_max, y_max] in pixels of the page's picture, origin top left.",
)

_Path = Annotated[InFile, Field(description="Picture or PDF, relative to the workspace.")]
_Page = Annotated[int, Field(description="Page of a PDF or TIFF, from 1.", ge=1, le=10_000)]
_Dpi = Annotated[int, Field(description="Resolution for rendering a PDF page.", ge=50, le=300)]
_Confidence = Annotated[float, Field(description="Omit regions below this confidence.", ge=0.1, le=1)]
_Target = Annotated[OutFile, Field(description="Picture file to write: .png, .jpg or .webp.")]


@tool(mcp, looks_at=["path"])
def read_layout(path: _Path, page: _Page = 1, dpi: _Dpi = 110, min_confidence: _Confidence = 0.4) -> engine.PageLayout:
    """Find the regions of a page in reading order: titles, text, tables, figures, captions, headers, equations."""
    return engine.read_layout(path, page=page, dpi=dpi, min_score=min_confidence)


@tool(mcp, writes=True, destructive=True, looks_at=["path"])
def mark_regions(
    path: _Path, target: _Target, page: _Page = 1, dpi: _Dpi = 110, min_confidence: _Confidence = 0.4
) -> engine.PageLayout:
    """Save a picture of a page with boxes around its regions, and list them in reading order."""
    return engine.read_layout(path, page=page, dpi=dpi, min_score=min_confidence, picture=target)


@tool(mcp, looks_at=["path"])
def find_orientation(path: _Path, page: _Page = 1) -> engine.PageTurn:
    """Find the quarter turn by which a page is rotated, and how to turn it back."""
    return engine.find_orientation(path, page=page)


@tool(mcp, looks_at=["path"])
def find_tables(path: _Path, page: _Page = 1, dpi: _Dpi = 150) -> engine.PageTables:
    """Find the tables of a page: rows, columns and cells with boxes if they are ruled, else the table's box."""
    return engine.find_tables(path, page=page, dpi=dpi)


@tool(mcp, writes=True, destructive=True, looks_at=["path"])
def mark_tables(path: _Path, target: _Target, page: _Page = 1, dpi: _Dpi = 150) -> engine.PageTables:
    """Save a picture of a page with boxes around its tables and their cells, and list them."""
    return engine.find_tables(path, page=page, dpi=dpi, picture=target)
