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
    "Tells what pictures (PNG, JPEG, WEBP, GIF, BMP, TIFF) show. Descriptions, answers and charts need a vision model; "
    "tag_images, find_images and group_images always work. Boxes are [x_min, y_min, x_max, y_max] in pixels.",
)

Image = Annotated[InFile, Field(description="Picture, relative to the workspace.")]
Region = Annotated[
    list[int] | None,
    Field(description="Only this part: [x_min, y_min, x_max, y_max] in pixels.", min_length=4, max_length=4),
]
Folder = Annotated[InDir, Field(description="Folder whose pictures are compared, with those in its folders.")]
Model = Annotated[ServiceChoice, Field(description="Kind of vision model; auto takes what is set up.")]
Embedder = Annotated[BackendChoice, Field(description="Kind of model; auto takes the best that is set up.")]


@tool(mcp)
def describe_image(
    path: Image,
    detail: Annotated[Literal["short", "long"], Field(description="A sentence or two, or all that is seen.")] = "long",
    backend: Model = "auto",
) -> engine.Answer:
    """Describe a picture in words, by a vision model."""
    return engine.describe(path, detail, backend)


@tool(mcp)
def answer_about_image(
    path: Image,
    question: Annotated[str, Field(description="What you want to know of the picture.", min_length=1, max_length=2000)],
    bbox_px: Region = None,
    backend: Model = "auto",
) -> engine.Answer:
    """Answer a question about a picture or a part of it, by a vision model."""
    return engine.answer(path, question, _region(bbox_px), backend)


@tool(mcp)
def describe_region(
    path: Image,
    bbox_px: Annotated[
        list[int],
        Field(description="The part: [x_min, y_min, x_max, y_max] in pixels.", min_length=4, max_length=4),
    ],
    attribute: Annotated[
        str, Field(description="What of it, such as 'colour' or 'what the person wears'.", min_length=1, max_length=500)
    ],
    backend: Model = "auto",
) -> engine.Answer:
    """Describe one attribute of what stands in a box of a picture, by a vision model that sees only that part."""
    return engine.describe_region(path, _region(bbox_px), attribute, backend)


@tool(mcp)
def compare_images(
    path: Image,
    other: Annotated[InFile, Field(description="The second picture.")],
    question: Annotated[str, Field(description="What to compare; by default all that differs.", max_length=2000)] = "",
    backend: Model = "auto",
) -> engine.Comparison:
    """Say what two pictures have in common and how they differ, by a vision model; and whether all pixels are alike."""
    return engine.compare(path, other, question, backend)


@tool(mcp)
def read_chart(path: Image, backend: Model = "auto") -> engine.Chart:
    """Read the data of a chart (bars, lines, pie, points) as rows, by a vision model."""
    return engine.read_chart(path, backend=backend)


@tool(mcp, writes=True, destructive=True)
def save_chart_data(
    path: Image,
    target: Annotated[OutFile, Field(description="The CSV file that is written.")],
    backend: Model = "auto",
) -> engine.Chart:
    """Read the data of a chart as read_chart does, and save its rows as CSV."""
    if target == path:
        raise Problem(f"target {path.name!r} is the picture itself; name another file")
    return engine.read_chart(path, target, backend)


@tool(mcp)
def tag_images(
    path: Annotated[InPath, Field(description="Picture, or folder of pictures.")],
    bbox_px: Region = None,
    offset: Annotated[int, Field(description="So many pictures of a folder are skipped.", ge=0)] = 0,
    limit: Annotated[int, Field(description="At most this many pictures of a folder.", ge=1, le=100)] = 20,
) -> engine.TaggedPictures:
    """Tell facts of a picture, or of each in a folder, without a vision model: guessed tags, colours, size."""
    return engine.tag_pictures(path, _region(bbox_px), offset=offset, limit=limit)


@tool(mcp)
def find_images(
    path: Folder,
    other: Annotated[InFile | None, Field(description="Picture to which alike ones are found.")] = None,
    query: Annotated[
        str, Field(description="Instead: words, where a model of the CLIP kind is set up.", max_length=500)
    ] = "",
    min_similarity: Annotated[float, Field(description="Leave out pictures that are less alike.", ge=0, le=1)] = 0.0,
    limit: Annotated[int, Field(description="At most this many, nearest first.", ge=1, le=100)] = 10,
    backend: Embedder = "auto",
) -> engine.SimilarPictures:
    """Find the pictures of a folder that are nearest to a picture, or to words."""
    return engine.find_pictures(path, other, query, min_similarity=min_similarity, limit=limit, backend=backend)


@tool(mcp)
def group_images(
    path: Folder,
    min_similarity: Annotated[
        float, Field(description="How alike: 0.9 for copies and shots of one scene, 0.75 for edited ones.", ge=0, le=1)
    ] = 0.9,
    backend: Embedder = "auto",
) -> engine.PictureGroups:
    """Find pictures of a folder that are there more than once: the same files, copies and shots of one scene."""
    return engine.group_pictures(path, min_similarity, backend)


def _region(bbox_px: list[int] | None) -> tuple[int, int, int, int] | None:
    if bbox_px is None:
        return None
    left, top, right, bottom = bbox_px
    return left, top, right, bottom
