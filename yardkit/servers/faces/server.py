"""The tools of the `faces` server."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.faces import engine
from yardkit.world import InFile, OutFile

mcp = make_server(
    "faces",
    "Finds faces in pictures (PNG, JPEG, WEBP, GIF, BMP, TIFF, AVIF, HEIC). Boxes are [x_min, y_min, x_max, "
    "y_max] in pixels of the picture as displayed, origin top left. Statements about people are "
    "guesses, never facts.",
)

_Region = Annotated[
    list[int] | None,
    Field(description="Area to search: [x_min, y_min, x_max, y_max] in pixels.", min_length=4, max_length=4),
]


_Source = Annotated[InFile, Field(description="Picture, relative to the workspace.")]
_Confidence = Annotated[float, Field(description="Omit faces below this confidence.", ge=0.3, le=1)]
_Tiles = Annotated[
    int, Field(description="Also search a grid of this many rows and columns: 3 or more for crowds.", ge=1, le=6)
]
_Landmarks = Annotated[bool, Field(description="Include 468 landmarks per face.")]
_Limit = Annotated[int, Field(description="Maximum number of faces, largest first.", ge=1, le=200)]


@tool(mcp, looks_at=["path"])
def find_faces(
    path: _Source,
    bbox_px: _Region = None,
    min_confidence: _Confidence = 0.6,
    tiles: _Tiles = 2,
    landmarks: _Landmarks = False,
    attributes: Annotated[
        bool, Field(description="Include guesses of age, gender and expression, which are often wrong.")
    ] = False,
    limit: _Limit = 100,
) -> engine.DetectedFaces:
    """Find faces in a picture: boxes, eyes, nose, mouth, ears, scores; optionally 468 landmarks or attributes."""
    return engine.find_faces(
        path,
        min_score=min_confidence,
        tiles=tiles,
        region=_to_box(bbox_px),
        landmarks=landmarks,
        guesses=attributes,
        limit=limit,
    )


@tool(mcp, writes=True, destructive=True, looks_at=["path"])
def mark_faces(
    path: _Source,
    target: Annotated[OutFile, Field(description="Picture file to write, with boxes and points: .png, .jpg or .webp.")],
    bbox_px: _Region = None,
    min_confidence: _Confidence = 0.6,
    tiles: _Tiles = 2,
    landmarks: _Landmarks = False,
    limit: _Limit = 100,
) -> engine.DetectedFaces:
    """Save a copy of a picture with boxes and points on its faces, and list them."""
    return engine.find_faces(
        path,
        min_score=min_confidence,
        tiles=tiles,
        region=_to_box(bbox_px),
        landmarks=landmarks,
        limit=limit,
        picture=target,
    )


@tool(mcp, looks_at=["path", "other"])
def compare_faces(
    path: Annotated[InFile, Field(description="Picture with a face, relative to the workspace.")],
    other: Annotated[InFile, Field(description="Second picture; may be the same one with another area.")],
    bbox_px: _Region = None,
    other_bbox_px: Annotated[
        list[int] | None,
        Field(description="Area of `other` to search, in its pixels.", min_length=4, max_length=4),
    ] = None,
) -> engine.FaceComparison:
    """Guess whether the largest faces in two pictures, or in parts of them, belong to one person."""
    return engine.compare_faces(path, other, _to_box(bbox_px), _to_box(other_bbox_px))


def _to_box(edges: list[int] | None) -> tuple[int, int, int, int] | None:
    return (edges[0], edges[1], edges[2], edges[3]) if edges else None
