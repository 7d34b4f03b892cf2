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


@tool(mcp, writes=True, destructive=True)
def read_barcodes(
    path: Annotated[InFile, Field(description="Picture (PNG, JPEG, WEBP, GIF, BMP, TIFF), relative to the workspace.")],
    bbox_px: Annotated[
        list[int] | None,
        Field(description="Area to search: [x_min, y_min, x_max, y_max] in pixels.", min_length=4, max_length=4),
    ] = None,
    limit: Annotated[int, Field(description="Maximum number of codes.", ge=1, le=500)] = 100,
    target: Annotated[
        OutFile | None, Field(description="Also save the picture with the codes marked, as .png, .jpg or .webp.")
    ] = None,
) -> engine.FoundBarcodes:
    """Read all barcodes and QR codes in a picture, at any angle: kind, text, box."""
    region = (bbox_px[0], bbox_px[1], bbox_px[2], bbox_px[3]) if bbox_px else None
    return engine.read_barcodes(path, region=region, limit=limit, picture=target)


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
