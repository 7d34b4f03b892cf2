"""The tools of the `segmentation` server."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.segmentation import engine
from yardkit.world import InFile, OutFile

mcp = make_server(
    "segmentation",
    "Cuts things out of pictures (PNG, JPEG, WEBP, GIF, BMP, TIFF): masks, and cut-outs on a transparent ground. Boxes "
    "are [x_min, y_min, x_max, y_max] in pixels of the picture as displayed, origin top left. Look at the result.",
)


@tool(mcp, writes=True, destructive=True)
def segment_object(
    path: Annotated[InFile, Field(description="Picture, relative to the workspace.")],
    bbox_px: Annotated[
        list[int] | None,
        Field(
            description="Cut out what this box holds: [x_min, y_min, x_max, y_max] in pixels.",
            min_length=4,
            max_length=4,
        ),
    ] = None,
    point_px: Annotated[
        list[int] | None,
        Field(description="Cut out the thing at this point: [x, y] in pixels.", min_length=2, max_length=2),
    ] = None,
    person: Annotated[bool, Field(description="Cut out the persons.")] = False,
    query: Annotated[
        str | None,
        Field(
            description="Cut out what these words name; needs a model of another tier.", min_length=1, max_length=200
        ),
    ] = None,
    mask: Annotated[
        OutFile | None, Field(description="Save the mask as .png: white where the thing is, black elsewhere.")
    ] = None,
    cutout: Annotated[OutFile | None, Field(description="Save the thing alone as .png, transparent around it.")] = None,
    target: Annotated[
        OutFile | None, Field(description="Save the picture as .png with all but the thing faded, to look at.")
    ] = None,
    backend: Annotated[
        Literal["auto", "endpoint", "local", "embedded"],
        Field(description="Kind of model; auto takes the best that is set up."),
    ] = "auto",
) -> engine.Segment:
    """Cut a thing out of a picture by a box, a point, a person or words: mask, cut-out, box, area."""
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
