"""The tools of the `counting` server."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.counting import engine
from yardkit.world import InFile, OutFile

mcp = make_server(
    "counting",
    "Counts objects in pictures (PNG, JPEG, WEBP, GIF, BMP, TIFF, AVIF, HEIC). Boxes are [x_min, y_min, "
    "x_max, y_max] in pixels of the picture as displayed, origin top left. An uncertain count is "
    "null with the reason, never 0. Check the marks (mark_counted_objects draws them) before you "
    "rely on a count.",
)

_Box = Annotated[list[int], Field(min_length=4, max_length=4)]


Source = Annotated[InFile, Field(description="Picture, relative to the workspace.")]
Classes = Annotated[
    list[str] | None,
    Field(
        description="Classes to count, such as 'cup' or 'person', with a model; endpoint and local models take "
        "any words.",
        max_length=80,
    ),
]
Color = Annotated[
    Literal["red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink", "brown", "black", "grey", "white"]
    | None,
    Field(description="Count objects of this colour."),
]
Contour = Annotated[
    Literal["circle", "ellipse", "triangle", "square", "rectangle", "pentagon", "hexagon", "star", "cross", "ring"]
    | None,
    Field(description="Count objects of this shape; with `color`, those that match both."),
]
Sample = Annotated[
    _Box | None,
    Field(description="Count objects similar to the one in this box: [x_min, y_min, x_max, y_max] in pixels."),
]
Region = Annotated[_Box | None, Field(description="Area to search: [x_min, y_min, x_max, y_max] in pixels.")]
Confidence = Annotated[
    float | None,
    Field(description="Minimum score of an object (default 0.35) or similarity (0.7).", ge=0.05, le=1),
]
Tiles = Annotated[int, Field(description="For classes: also search a grid of this many rows and columns.", ge=1, le=4)]
Limit = Annotated[int, Field(description="Maximum number to list; all are counted.", ge=1, le=500)]
Tier = Annotated[
    Literal["auto", "endpoint", "local", "embedded"],
    Field(description="Kind of model for classes; auto uses the best one configured."),
]


@tool(mcp, looks_at=["path"])
def count_objects(
    path: Source,
    classes: Classes = None,
    color: Color = None,
    contour: Contour = None,
    example_px: Sample = None,
    bbox_px: Region = None,
    min_confidence: Confidence = None,
    tiles: Tiles = 1,
    limit: Limit = 200,
    backend: Tier = "auto",
) -> engine.ObjectCount:
    """Count objects in a picture by classes, color and contour, or an example; by default all distinct objects."""
    return engine.count_objects(
        path,
        engine.CountTarget(classes or (), color, contour, _to_box(example_px)),
        region=_to_box(bbox_px),
        min_score=min_confidence,
        tiles=tiles,
        limit=limit,
        backend=backend,
    )


@tool(mcp, writes=True, destructive=True, looks_at=["path"])
def mark_counted_objects(
    path: Source,
    target: Annotated[OutFile, Field(description="Picture file to write, with the marks: .png, .jpg or .webp.")],
    classes: Classes = None,
    color: Color = None,
    contour: Contour = None,
    example_px: Sample = None,
    bbox_px: Region = None,
    min_confidence: Confidence = None,
    tiles: Tiles = 1,
    limit: Limit = 200,
    backend: Tier = "auto",
) -> engine.ObjectCount:
    """Save a copy of a picture with each object that count_objects finds marked, and count them."""
    return engine.count_objects(
        path,
        engine.CountTarget(classes or (), color, contour, _to_box(example_px)),
        region=_to_box(bbox_px),
        min_score=min_confidence,
        tiles=tiles,
        limit=limit,
        backend=backend,
        picture=target,
    )


def _to_box(edges: list[int] | None) -> tuple[int, int, int, int] | None:
    return (edges[0], edges[1], edges[2], edges[3]) if edges else None
