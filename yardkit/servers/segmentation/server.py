"""The tools of the `segmentation` server."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.segmentation import engine
from yardkit.world import InFile, OutFile

mcp = make_server(
    "segmentation",
    "Segments objects in pictures (PNG, JPEG, WEBP, GIF, BMP, TIFF, AVIF, HEIC): masks, and cut-outs on a "
    "transparent background. Boxes are [x_min, y_min, x_max, y_max] in pixels of the picture as "
    "displayed, origin top left. Check the result.",
)


Source = Annotated[InFile, Field(description="Picture, relative to the workspace.")]
Region = Annotated[
    list[int] | None,
    Field(description="Box around the object: [x_min, y_min, x_max, y_max] in pixels.", min_length=4, max_length=4),
]
Point = Annotated[
    list[int] | None, Field(description="Point on the object: [x, y] in pixels.", min_length=2, max_length=2)
]
Person = Annotated[bool, Field(description="Segment the people.")]
Query = Annotated[
    str | None,
    Field(description="Name of the object in words; needs an endpoint or local model.", min_length=1, max_length=200),
]
Tier = Annotated[
    Literal["auto", "endpoint", "local", "embedded"],
    Field(description="Kind of model; auto uses the best one configured."),
]


@tool(mcp, looks_at=["path"])
def segment_object(
    path: Source,
    bbox_px: Region = None,
    point_px: Point = None,
    person: Person = False,
    query: Query = None,
    backend: Tier = "auto",
) -> engine.Segment:
    """Segment an object in a picture by a box, a point, person or words: box and area."""
    return engine.segment_object(path, _make_target(bbox_px, point_px, person, query), backend=backend)


@tool(mcp, writes=True, destructive=True, looks_at=["path"])
def cut_out_object(
    path: Source,
    target: Annotated[OutFile, Field(description="PNG file to write.")],
    kind: Annotated[
        Literal["cutout", "mask", "faded"],
        Field(
            description="cutout: the object on a transparent background; mask: white on the object, black elsewhere; "
            "faded: the picture with all but the object faded."
        ),
    ] = "cutout",
    bbox_px: Region = None,
    point_px: Point = None,
    person: Person = False,
    query: Query = None,
    backend: Tier = "auto",
) -> engine.Segment:
    """Cut an object out of a picture by a box, a point, person or words, and save it or its mask."""
    segment_target = _make_target(bbox_px, point_px, person, query)
    files = {"picture" if kind == "faded" else kind: target}
    return engine.segment_object(path, segment_target, backend=backend, **files)


def _make_target(
    bbox_px: list[int] | None, point_px: list[int] | None, person: bool, query: str | None
) -> engine.Target:
    box = (bbox_px[0], bbox_px[1], bbox_px[2], bbox_px[3]) if bbox_px else None
    return engine.Target(box, (point_px[0], point_px[1]) if point_px else None, person, query)
