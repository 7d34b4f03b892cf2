"""What the dialects share: results in somebody else's text format, and files delivered under a given name."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, model_serializer

from toolyard.kit.surface import MAX_TEXT
from toolyard.world import FileRef, OutDir, Problem, current_world
from toolyard.world.paths import out_dir, out_file

DELIVERIES = "generated"
"""The folder of files for which a caller names none: apart from the input, which no delivery then overwrites."""

FileName = Annotated[
    str, Field(description="Name of the file; the extension is added if it is missing.", min_length=1, max_length=200)
]
OutputDir = Annotated[OutDir | None, Field(description=f"Folder of the file, by default {DELIVERIES!r}.")]
Offset = Annotated[int, Field(description="Characters to skip; a long text says where it goes on.", ge=0)]


@dataclass(frozen=True)
class Text:
    """A result that is text and nothing else."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class TextPage:
    """A part of a text.

    Attributes:
        total_characters: of the whole text.
        next_offset: where the text goes on; null at its end.
    """

    text: str
    total_characters: int
    next_offset: int | None

    def __str__(self) -> str:
        if self.next_offset is None:
            return self.text
        return f"{self.text}\n[cut; {self.total_characters:,} characters in all; go on with offset={self.next_offset}]"


@dataclass(frozen=True)
class Delivered:
    """A file that was written; its text is its path."""

    file: FileRef

    def __str__(self) -> str:
        return self.file.path


@dataclass(frozen=True)
class Saved:
    """What was done, and the file that holds it."""

    text: str
    file: FileRef

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Answer:
    """An object with the fields of the other suite, as the result of a `bulk` tool: its text is their JSON.

    Attributes:
        facts: the fields.
        file: what was written, which comes back as a link as well.
    """

    facts: dict[str, Any]
    file: FileRef | None = None

    @model_serializer
    def plain(self) -> dict[str, Any]:
        """The fields alone."""
        return self.facts

    def __str__(self) -> str:
        return json.dumps(self.facts, ensure_ascii=False)


def page(text: str, offset: int) -> TextPage:
    """The part of a text from `offset` on that fits a result: whole lines where they are not longer than that.

    The parts put together are the text.

    Raises:
        Problem: `offset` is beyond the end.
    """
    if offset and offset >= len(text):
        raise Problem(f"offset {offset} is beyond the end: the text has {len(text):,} characters; start with offset=0")
    end = offset + MAX_TEXT
    if end >= len(text):
        return TextPage(text[offset:], len(text), None)
    end = text.rfind("\n", offset, end) + 1 or end
    return TextPage(text[offset:end], len(text), end)


def deliverable(name: str, suffix: str, folder: Path | None) -> Path:
    """Where to write a file that the caller calls `name`, with or without `suffix`, in `folder`.

    Raises:
        Problem: the name leads out of the folder, or no file can be there.
    """
    parent = folder or out_dir(DELIVERIES)
    named = name if name.lower().endswith(suffix) else name + suffix
    path = out_file(Path(current_world().relative(parent)) / named)
    if not path.is_relative_to(parent):
        raise Problem(f"the file name {name!r} leads out of its folder; give a name such as 'report{suffix}'")
    return path
