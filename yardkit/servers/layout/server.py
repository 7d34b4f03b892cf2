"""The tools of the `layout` server."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.layout import engine
from yardkit.world import InFile, OutFile

mcp = make_server(
    "layout",
    "Analyses the layout of a page: a picture (PNG, JPEG, WEBP, GIF, BMP, TIFF) or a PDF page. "
    "Boxes are [x_min, y_min, x_max, y_max] in pixels of the page's picture, origin top left.",
)

_Path = Annotated[InFile, Field(description="Picture or PDF, relative to the workspace.")]
_Page = Annotated[int, Field(description="Page of a PDF, from 1.", ge=1, le=10_000)]
_Dpi = Annotated[int, Field(description="Resolution for rendering a PDF page.", ge=50, le=300)]
_Target = Annotated[
    OutFile | None, Field(description="Also save the page with what was found, as .png, .jpg or .webp.")
]


@tool(mcp, writes=True, destructive=True)
def read_layout(
    path: _Path,
    page: _Page = 1,
    dpi: _Dpi = 110,
    min_confidence: Annotated[float, Field(description="Omit regions below this confidence.", ge=0.1, le=1)] = 0.4,
    target: _Target = None,
) -> engine.PageLayout:
    """Find the regions of a page in reading order: titles, text, tables, figures, captions, headers, equations."""
    return engine.read_layout(path, page=page, dpi=dpi, min_score=min_confidence, picture=target)


@tool(mcp)
def find_orientation(path: _Path, page: _Page = 1) -> engine.PageTurn:
    """Find the quarter turn by which a page is rotated, and how to turn it back."""
    return engine.find_orientation(path, page=page)


@tool(mcp, writes=True, destructive=True)
def find_tables(path: _Path, page: _Page = 1, dpi: _Dpi = 150, target: _Target = None) -> engine.PageTables:
    """Find the tables of a page: rows, columns and cells with boxes if they are ruled, else the table's box."""
    return engine.find_tables(path, page=page, dpi=dpi, picture=target)
