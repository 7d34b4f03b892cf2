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


Source = Annotated[InFile, Field(description="Picture, relative to the workspace.")]
Region = Annotated[
    list[int] | None,
    Field(description="The thing that this box holds: [x_min, y_min, x_max, y_max].", min_length=4, max_length=4),
]
Point = Annotated[
    list[int] | None, Field(description="The thing at this point: [x, y] in pixels.", min_length=2, max_length=2)
]
Person = Annotated[bool, Field(description="The persons.")]
Query = Annotated[
    str | None,
    Field(description="What these words name; needs a model of another tier.", min_length=1, max_length=200),
]
Tier = Annotated[
    Literal["auto", "endpoint", "local", "embedded"],
    Field(description="Kind of model; auto takes the best that is set up."),
]


@tool(mcp)
def segment_object(
    path: Source,
    bbox_px: Region = None,
    point_px: Point = None,
    person: Person = False,
    query: Query = None,
    backend: Tier = "auto",
) -> engine.Segment:
    """Find which pixels of a picture are a thing, by a box, a point, a person or words: box and area."""
    return engine.segment_object(path, _wanted(bbox_px, point_px, person, query), backend=backend)


@tool(mcp, writes=True, destructive=True)
def cut_out_object(
    path: Source,
    target: Annotated[OutFile, Field(description="The picture that is written, .png.")],
    kind: Annotated[
        Literal["cutout", "mask", "faded"],
        Field(
            description="cutout: the thing alone, transparent around it; mask: white where the thing is, black "
            "elsewhere; faded: the picture with all but the thing faded."
        ),
    ] = "cutout",
    bbox_px: Region = None,
    point_px: Point = None,
    person: Person = False,
    query: Query = None,
    backend: Tier = "auto",
) -> engine.Segment:
    """Cut a thing out of a picture by a box, a point, a person or words, and save it or its mask."""
    wanted = _wanted(bbox_px, point_px, person, query)
    files = {"picture" if kind == "faded" else kind: target}
    return engine.segment_object(path, wanted, backend=backend, **files)


def _wanted(bbox_px: list[int] | None, point_px: list[int] | None, person: bool, query: str | None) -> engine.Wanted:
    box = (bbox_px[0], bbox_px[1], bbox_px[2], bbox_px[3]) if bbox_px else None
    return engine.Wanted(box, (point_px[0], point_px[1]) if point_px else None, person, query)
