"""Code shared by dialects: results in another suite's text format, and files delivered under a given name."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_serializer

from yardkit.kit.surface import MAX_TEXT
from yardkit.world import FileRef, InFile, OutDir, Problem, current_world
from yardkit.world.paths import out_dir, out_file

DELIVERIES = "generated"
"""The folder of files for which a caller names none: apart from the input, which no delivery then overwrites."""

FileName = Annotated[
    str, Field(description="Name of the file; the extension is added if it is missing.", min_length=1, max_length=200)
]
OutputDir = Annotated[OutDir | None, Field(description=f"Folder of the file, by default {DELIVERIES!r}.")]
Offset = Annotated[int, Field(description="Characters to skip; a long text says where it goes on.", ge=0)]


@dataclass(frozen=True)
class Text:
    """A result with only a text."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class TextPage:
    """A part of a text.

    Attributes:
        total_characters: the length of the complete text.
        next_offset: the start of the next part; null at the end.
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
    """A message about the work, and the saved file."""

    text: str
    file: FileRef

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Answer:
    """An object with the fields of the other suite, as the result of a `bulk` tool: its text is their JSON.

    Attributes:
        facts: the fields.
        file: the written file, which is also returned as a link.
    """

    facts: dict[str, Any]
    file: FileRef | None = None

    @model_serializer
    def serialize_facts(self) -> dict[str, Any]:
        """Serialize only the fields."""
        return self.facts

    def __str__(self) -> str:
        return json.dumps(self.facts, ensure_ascii=False)


def cut_page(text: str, offset: int) -> TextPage:
    """Cut the part of a text from `offset` that fits a result, at line ends unless a line is longer than that.

    The concatenated parts equal the text.

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


def choose_deliverable(name: str, suffix: str, folder: Path | None) -> Path:
    """Choose the path in `folder` for a file that the caller names `name`, with or without `suffix`.

    Raises:
        Problem: the name leads out of the folder, or no file can be written there.
    """
    parent = folder or out_dir(DELIVERIES)
    named = name if name.lower().endswith(suffix) else name + suffix
    path = out_file(Path(current_world().to_relative(parent)) / named)
    if not path.is_relative_to(parent):
        raise Problem(f"the file name {name!r} leads out of its folder; give a name such as 'report{suffix}'")
    return path


_PLACE = re.compile(r"\{\{\s*image_(\d+)\s*\}\}")


def _split_paths(listed: str | list[str] | None) -> list[str] | None:
    """Split a text with paths separated by commas, or with a JSON list of them."""
    if not isinstance(listed, str):
        return listed
    text = listed.strip()
    try:
        names = json.loads(text) if text.startswith("[") else text.split(",")
    except json.JSONDecodeError as error:
        raise Problem(
            f"image_paths {text[:80]!r} is not a valid JSON list ({error.msg}); separate the paths by commas"
        ) from error
    return [str(name).strip() for name in names if str(name).strip()]


ImagePaths = Annotated[
    list[InFile] | None,
    BeforeValidator(_split_paths, json_schema_input_type=str | list[str]),
    Field(
        description="Pictures, parted by commas (a JSON list where a path holds one). {{image_1}} in the content is "
        "replaced by the first, and so on; those without a place come at the end.",
        max_length=200,
    ),
]


def with_pictures(contents: list[str], pictures: list[Path] | None) -> tuple[list[list[str | Path]], list[Path]]:
    """Split contents at their placeholders and insert the pictures; also return the pictures without a placeholder.

    Raises:
        Problem: a placeholder has no picture.
    """
    pictures = pictures or []
    cut: list[list[str | Path]] = []
    used: set[int] = set()
    for content in contents:
        texts_and_numbers = _PLACE.split(content)
        numbers = list(map(int, texts_and_numbers[1::2]))
        if wrong := [number for number in numbers if not 1 <= number <= len(pictures)]:
            raise Problem(f"{{{{image_{wrong[0]}}}}} has no picture: image_paths holds {len(pictures)}")
        parts: list[str | Path] = [*texts_and_numbers]
        parts[1::2] = [pictures[number - 1] for number in numbers]
        used |= set(numbers)
        cut.append(parts)
    return cut, [picture for number, picture in enumerate(pictures, 1) if number not in used]


def literal_markdown(text: str) -> str:
    """Convert to Markdown that keeps line breaks and shows HTML as text, except in code."""
    parts = re.split(r"(^```.*?(?:^```|\Z)|`[^`\n]*`)", text, flags=re.DOTALL | re.MULTILINE)
    parts[::2] = [re.sub(r"(?<=[^\s|])\n(?=[^\n])", "  \n", part.replace("<", r"\<")) for part in parts[::2]]
    return "".join(parts)
