"""The tools of the `vision` server."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.models.service import ServiceChoice
from yardkit.servers.vision import engine
from yardkit.servers.vision.backends import BackendChoice
from yardkit.world import InDir, InFile, InPath, OutFile, Problem

mcp = make_server(
    "vision",
    "Describes pictures (PNG, JPEG, WEBP, GIF, BMP, TIFF, AVIF, HEIC). Descriptions, answers and charts need "
    "a vision model; tag_images, find_images and group_images always work. Boxes are [x_min, "
    "y_min, x_max, y_max] in pixels.",
)

Image = Annotated[InFile, Field(description="Picture file, relative to the workspace.")]
Region = Annotated[
    list[int] | None,
    Field(description="Area to use: [x_min, y_min, x_max, y_max] in pixels.", min_length=4, max_length=4),
]
Folder = Annotated[InDir, Field(description="Folder of pictures to search, including its subfolders.")]
Model = Annotated[ServiceChoice, Field(description="Kind of vision model; auto uses the configured one.")]
Embedder = Annotated[BackendChoice, Field(description="Kind of model; auto uses the best one configured.")]


@tool(mcp, looks_at=["path"])
def describe_image(
    path: Image,
    detail: Annotated[Literal["short", "long"], Field(description="A sentence or two, or full detail.")] = "long",
    backend: Model = "auto",
) -> engine.Answer:
    """Describe a picture in words, with a vision model."""
    return engine.describe_picture(path, detail, backend)


@tool(mcp, looks_at=["path"])
def answer_about_image(
    path: Image,
    question: Annotated[str, Field(description="Question about the picture.", min_length=1, max_length=2000)],
    bbox_px: Region = None,
    backend: Model = "auto",
) -> engine.Answer:
    """Answer a question about a picture or part of it, with a vision model."""
    return engine.answer_question(path, question, _to_region(bbox_px), backend)


@tool(mcp, looks_at=["path"])
def describe_region(
    path: Image,
    bbox_px: Annotated[
        list[int],
        Field(description="Area: [x_min, y_min, x_max, y_max] in pixels.", min_length=4, max_length=4),
    ],
    attribute: Annotated[
        str, Field(description="Attribute, such as 'colour' or 'clothing of the person'.", min_length=1, max_length=500)
    ],
    backend: Model = "auto",
) -> engine.Answer:
    """Describe one attribute of the content of a box in a picture, with a vision model that sees only that area."""
    return engine.describe_region(path, _to_region(bbox_px), attribute, backend)


@tool(mcp, looks_at=["path", "other"])
def compare_images(
    path: Image,
    other: Annotated[InFile, Field(description="The second picture.")],
    question: Annotated[str, Field(description="Aspect to compare; by default all differences.", max_length=2000)] = "",
    backend: Model = "auto",
) -> engine.Comparison:
    """Compare two pictures with a vision model: similarities, differences, and whether all pixels are equal."""
    return engine.compare_pictures(path, other, question, backend)


@tool(mcp, looks_at=["path"])
def read_chart(path: Image, backend: Model = "auto") -> engine.Chart:
    """Read the data of a chart (bars, lines, pie, points) as rows, with a vision model."""
    return engine.read_chart(path, backend=backend)


@tool(mcp, writes=True, destructive=True, looks_at=["path"])
def save_chart_data(
    path: Image,
    target: Annotated[OutFile, Field(description="CSV file to write.")],
    backend: Model = "auto",
) -> engine.Chart:
    """Save the data of a chart as CSV; reads it as read_chart does."""
    if target == path:
        raise Problem(f"target {path.name!r} is the picture itself; use another file name")
    return engine.read_chart(path, target, backend)


@tool(mcp, looks_at=["path"])
def tag_images(
    path: Annotated[InPath, Field(description="Picture, or a folder of pictures.")],
    bbox_px: Region = None,
    offset: Annotated[int, Field(description="Number of pictures in a folder to skip.", ge=0)] = 0,
    limit: Annotated[int, Field(description="Maximum number of pictures in a folder.", ge=1, le=100)] = 20,
) -> engine.TaggedPictures:
    """Tag a picture, or each one in a folder, without a vision model: guessed tags, colours, size."""
    return engine.tag_pictures(path, _to_region(bbox_px), offset=offset, limit=limit)


@tool(mcp, looks_at=["other"])
def find_images(
    path: Folder,
    other: Annotated[InFile | None, Field(description="Picture to find similar ones for.")] = None,
    query: Annotated[
        str, Field(description="Words to search for instead, if a CLIP model is configured.", max_length=500)
    ] = "",
    min_similarity: Annotated[float, Field(description="Omit pictures below this similarity.", ge=0, le=1)] = 0.0,
    limit: Annotated[int, Field(description="Maximum number of pictures, most similar first.", ge=1, le=100)] = 10,
    backend: Embedder = "auto",
) -> engine.SimilarPictures:
    """Find the pictures in a folder that are most similar to a picture, or to words."""
    return engine.find_pictures(path, other, query, min_similarity=min_similarity, limit=limit, backend=backend)


@tool(mcp)
def group_images(
    path: Folder,
    min_similarity: Annotated[
        float,
        Field(
            description="Minimum similarity: 0.9 for copies and shots of one scene, 0.75 for edited ones.", ge=0, le=1
        ),
    ] = 0.9,
    backend: Embedder = "auto",
) -> engine.PictureGroups:
    """Find duplicate pictures in a folder: identical files, copies and shots of one scene."""
    return engine.group_pictures(path, min_similarity, backend)


def _to_region(bbox_px: list[int] | None) -> tuple[int, int, int, int] | None:
    if bbox_px is None:
        return None
    left, top, right, bottom = bbox_px
    return left, top, right, bottom
