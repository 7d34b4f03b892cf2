"""The server itself, and the arguments and results that its tools share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import FileRef, make_server
from yardkit.servers.documents.engine.blocks.new_documents import new_document
from yardkit.servers.documents.engine.package.document import Document
from yardkit.world import InFile, OutFile, current_world, lock_file

mcp = make_server(
    "documents",
    "Read and edit Word documents (.docx). Blocks (paragraphs, headings, list items, tables) have anchors: "
    "read the document, then refer to blocks by anchor; edits elsewhere keep them valid. Lengths are in "
    "cm, font sizes and spacing in points, colours RRGGBB. A list of edits is applied in order, all or "
    "none. Everything else is preserved byte for byte.",
)

InDoc = Annotated[InFile, Field(description="Document (.docx).")]
OutDoc = Annotated[OutFile, Field(description="Document (.docx) to write.")]
Anchor = Annotated[str, Field(description="Anchor of a block, as returned by reading.")]
Track = Annotated[bool | None, Field(description="Track the change; default: the document's setting.")]
Author = Annotated[str, Field(description="Author of the change.", min_length=1)]
AUTHOR = "Yardkit"


@dataclass(frozen=True)
class Edited:
    """What a change did, as read back from the saved file.

    Attributes:
        done: one line.
        count: things changed.
        anchors: of the blocks that were written, as they are now.
        notes: what to know besides.
    """

    done: str
    file: FileRef
    count: int = 0
    anchors: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@contextmanager
def edit_document(path: Path, *, make: bool = False) -> Iterator[Document]:
    """The document at `path` (with `make` a new one where there is none) under its lock.

    It is saved on a clean exit, unless the body did, and left as it was on any other.
    """
    with lock_file(path, current_world().locks):
        document = (
            Document.open(path, to_change=True) if path.exists() or not make else new_document(current_world().now)
        )
        yield document
        if not document.saved:
            document.save(path)
