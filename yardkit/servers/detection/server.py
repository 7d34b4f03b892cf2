"""The tools of the `detection` server."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.detection import engine
from yardkit.world import InFile, OutFile

mcp = make_server(
    "detection",
    "Detects objects in pictures (PNG, JPEG, WEBP, GIF, BMP, TIFF, AVIF, HEIC). Boxes are [x_min, y_min, "
    "x_max, y_max] in pixels of the picture as displayed, origin top left. Check the boxes "
    "(mark_objects draws them) before you rely on them.",
)


Source = Annotated[InFile, Field(description="Picture file, relative to the workspace.")]
Classes = Annotated[
    list[str] | None,
    Field(
        description="Classes to find: COCO classes such as 'cup', 'person', 'car', by default all 80; endpoint "
        "and local models take any words.",
        max_length=80,
    ),
]
Confidence = Annotated[float, Field(description="Omit objects below this confidence.", ge=0.05, le=1)]
Tiles = Annotated[
    int, Field(description="Also search a grid of this many rows and columns: 2 or 3 for small objects.", ge=1, le=4)
]
Region = Annotated[
    list[int] | None,
    Field(description="Area to search: [x_min, y_min, x_max, y_max] in pixels.", min_length=4, max_length=4),
]
Limit = Annotated[int, Field(description="Maximum number of objects, best first.", ge=1, le=500)]
Tier = Annotated[
    Literal["auto", "endpoint", "local", "embedded"],
    Field(description="Kind of model; auto uses the best one configured."),
]


@tool(mcp, looks_at=["path"])
def detect_objects(
    path: Source,
    classes: Classes = None,
    min_confidence: Confidence = 0.35,
    tiles: Tiles = 1,
    bbox_px: Region = None,
    limit: Limit = 100,
    backend: Tier = "auto",
) -> engine.DetectedObjects:
    """Detect objects in a picture by class: labels, scores, boxes, and counts."""
    return engine.detect_objects(
        path,
        classes or (),
        min_score=min_confidence,
        tiles=tiles,
        region=_make_box(bbox_px),
        limit=limit,
        backend=backend,
    )


@tool(mcp, writes=True, destructive=True, looks_at=["path"])
def mark_objects(
    path: Source,
    target: Annotated[OutFile, Field(description="Picture file to write, with the boxes drawn: .png, .jpg or .webp.")],
    classes: Classes = None,
    min_confidence: Confidence = 0.35,
    tiles: Tiles = 1,
    bbox_px: Region = None,
    limit: Limit = 100,
    backend: Tier = "auto",
) -> engine.DetectedObjects:
    """Save a copy of a picture with boxes around the objects that detect_objects finds, and list them."""
    return engine.detect_objects(
        path,
        classes or (),
        min_score=min_confidence,
        tiles=tiles,
        region=_make_box(bbox_px),
        limit=limit,
        backend=backend,
        picture=target,
    )


@tool(mcp)
def detect_video_objects(
    path: Annotated[InFile, Field(description="Video (MP4, MOV, MKV, WebM, AVI, GIF), relative to the workspace.")],
    classes: Annotated[
        list[str] | None, Field(description="Classes to find, as for detect_objects; by default all.", max_length=80)
    ] = None,
    every_s: Annotated[
        float, Field(description="Interval between frames in seconds; 0 uses every frame.", ge=0, le=3600)
    ] = 1.0,
    start_s: Annotated[float, Field(description="Start, in seconds.", ge=0, le=360_000)] = 0.0,
    end_s: Annotated[
        float | None, Field(description="End, in seconds; by default the end of the video.", ge=0, le=360_000)
    ] = None,
    min_confidence: Confidence = 0.35,
    limit: Annotated[int, Field(description="Maximum number of frames per call.", ge=1, le=300)] = 60,
    backend: Tier = "auto",
) -> engine.VideoObjects:
    """Detect objects in video frames: when each class is seen, how many at once, with boxes."""
    return engine.detect_in_video(
        path,
        classes or (),
        every_s=every_s,
        start_s=start_s,
        end_s=end_s,
        min_score=min_confidence,
        limit=limit,
        backend=backend,
    )


def _make_box(edges: list[int] | None) -> tuple[int, int, int, int] | None:
    return (edges[0], edges[1], edges[2], edges[3]) if edges else None
