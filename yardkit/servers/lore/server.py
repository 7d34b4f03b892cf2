"""The tools of the `lore` server."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from yardkit.apps.lore_documents import STORE
from yardkit.kit.surface import Picture, make_server, tool
from yardkit.servers.lore.engine import reading
from yardkit.servers.lore.engine.drawing import encode_png
from yardkit.world import current_world

mcp = make_server(
    "lore",
    "Read the documents of a task one at a time, by their exact ids; they cannot be listed. Some have a "
    "picture that can be viewed rotated, flipped or stretched; the document itself never changes.",
)

Identity = Annotated[str, Field(description="Exact id of the document.", min_length=1, max_length=400)]
Factor = Annotated[float, Field(gt=0, le=10, description="Factor: 2 doubles it, 0.5 halves it.")]


@dataclass(frozen=True)
class Document:
    """A document.

    Attributes:
        id: what it is called; that of a changed picture tells the changes and can be given to any tool.
        text: what it says.
        picture: what it shows, if it shows something.
    """

    id: str
    text: str
    picture: Picture | None

    def __str__(self) -> str:
        return f"{self.id}\n{self.text}"


def _get_store() -> Path:
    return current_world().root / "apps" / "lore" / STORE


def _build_document(read: reading.Read) -> Document:
    image = read.image
    picture = None if image is None else Picture(encode_png(image), "image/png", *image.size)
    return Document(read.id, read.text, picture)


@tool(mcp)
def read_lore_document(doc_id: Identity) -> Document:
    """Read one document of the task: its text, and its picture if it has one."""
    return _build_document(reading.read_document(_get_store(), doc_id))


@tool(mcp)
def rotate_image(
    doc_id: Identity,
    angle: Annotated[float, Field(ge=-360, le=360, description="Degrees anticlockwise.")],
) -> Document:
    """Show the picture of a document rotated; any tool accepts the new id."""
    return _build_document(reading.change_view(_get_store(), doc_id, "rotate", angle))


@tool(mcp)
def flip_image(
    doc_id: Identity,
    direction: Annotated[Literal["horizontal", "vertical"], Field(description="horizontal swaps left and right.")],
) -> Document:
    """Show the picture of a document mirrored; any tool accepts the new id."""
    return _build_document(reading.change_view(_get_store(), doc_id, "flip", direction))


@tool(mcp)
def stretch_image(doc_id: Identity, width_factor: Factor, height_factor: Factor) -> Document:
    """Show the picture of a document stretched; any tool accepts the new id."""
    return _build_document(reading.change_view(_get_store(), doc_id, "stretch", width_factor, height_factor))
