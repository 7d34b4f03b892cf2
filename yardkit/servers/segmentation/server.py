"""The tools of the `segmentation` server."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.segmentation import engine
from yardkit.world import InFile, OutFile

mcp = make_server(
    "segmentation",
    "Segments objects in pictures (PNG, JPEG, WEBP, GIF, BMP, TIFF): masks, and cut-outs on a "
    "transparent background. Boxes are [x_min, y_min, x_max, y_max] in pixels of the picture as "
    "displayed, origin top left. Check the result.",
)


@tool(mcp, writes=True, destructive=True)
def segment_object(
    path: Annotated[InFile, Field(description="Picture, relative to the workspace.")],
    bbox_px: Annotated[
        list[int] | None,
        Field(
            description="Box around the object: [x_min, y_min, x_max, y_max] in pixels.",
            min_length=4,
            max_length=4,
        ),
    ] = None,
    point_px: Annotated[
        list[int] | None,
        Field(description="Point on the object: [x, y] in pixels.", min_length=2, max_length=2),
    ] = None,
    person: Annotated[bool, Field(description="Segment the people.")] = False,
    query: Annotated[
        str | None,
        Field(
            description="Name of the object in words; needs an endpoint or local model.", min_length=1, max_length=200
        ),
    ] = None,
    mask: Annotated[
        OutFile | None, Field(description="PNG file for the mask: white on the object, black elsewhere.")
    ] = None,
    cutout: Annotated[OutFile | None, Field(description="PNG file for the object on a transparent background.")] = None,
    target: Annotated[
        OutFile | None, Field(description="PNG file for a preview: the picture with all but the object faded.")
    ] = None,
    backend: Annotated[
        Literal["auto", "endpoint", "local", "embedded"],
        Field(description="Kind of model; auto uses the best one configured."),
    ] = "auto",
) -> engine.Segment:
    """Segment an object in a picture by a box, a point, person or words: mask, cut-out, box, area."""
    return engine.segment_object(
        path,
        engine.Wanted(
            (bbox_px[0], bbox_px[1], bbox_px[2], bbox_px[3]) if bbox_px else None,
            (point_px[0], point_px[1]) if point_px else None,
            person,
            query,
        ),
        backend=backend,
        mask=mask,
        cutout=cutout,
        picture=target,
    )
