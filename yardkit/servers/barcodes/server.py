"""The tools of the `barcodes` server."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.barcodes import engine
from yardkit.world import InFile, OutFile

mcp = make_server(
    "barcodes",
    "Reads and writes barcodes: QR code, Data Matrix, Aztec, PDF417, EAN, UPC, Code 128, Code 39 and others. "
    "Boxes are [x_min, y_min, x_max, y_max] in pixels of the picture as displayed, origin top left.",
)


Source = Annotated[
    InFile, Field(description="Picture (PNG, JPEG, WEBP, GIF, BMP, TIFF, AVIF, HEIC), relative to the workspace.")
]
Region = Annotated[
    list[int] | None,
    Field(description="Area to search: [x_min, y_min, x_max, y_max] in pixels.", min_length=4, max_length=4),
]
Page = Annotated[int, Field(description="Page of a TIFF, or frame of a moving picture, from 1.", ge=1, le=10_000)]
Limit = Annotated[int, Field(description="Maximum number of codes.", ge=1, le=500)]


@tool(mcp, looks_at=["path"])
def read_barcodes(path: Source, bbox_px: Region = None, limit: Limit = 100, page: Page = 1) -> engine.BarcodeResults:
    """Read all barcodes and QR codes in a picture, at any angle: kind, text, box."""
    return engine.read_barcodes(path, region=_make_box(bbox_px), limit=limit, page=page)


@tool(mcp, writes=True, destructive=True, looks_at=["path"])
def mark_barcodes(
    path: Source,
    target: Annotated[OutFile, Field(description="Picture file to write, with the codes marked: .png, .jpg or .webp.")],
    bbox_px: Region = None,
    limit: Limit = 100,
    page: Page = 1,
) -> engine.BarcodeResults:
    """Save a copy of a picture with its barcodes and QR codes marked, and read them."""
    return engine.read_barcodes(path, region=_make_box(bbox_px), limit=limit, picture=target, page=page)


@tool(mcp, writes=True, destructive=True)
def write_barcode(
    text: Annotated[str, Field(description="Text to encode.", min_length=1, max_length=4000)],
    target: Annotated[OutFile, Field(description="Picture file to write, .png or .svg.")],
    kind: Annotated[engine.Kind, Field(description="Kind of code.")] = "QRCode",
    module_px: Annotated[int, Field(description="Pixels per narrowest bar or dot.", ge=1, le=50)] = 4,
    label: Annotated[bool, Field(description="Write the text below a linear code.")] = False,
    correction: Annotated[
        Literal["L", "M", "Q", "H"], Field(description="QR error correction: 7, 15, 25 or 30 % may be damaged.")
    ] = "M",
) -> engine.WrittenBarcode:
    """Write a barcode or QR code as a picture; it is read back to verify the text."""
    return engine.write_barcode(text, target, kind, module_px=module_px, label=label, correction=correction)


def _make_box(edges: list[int] | None) -> tuple[int, int, int, int] | None:
    return (edges[0], edges[1], edges[2], edges[3]) if edges else None
