"""Results of tools: their text, data, pictures and sounds, and the parts that are sent."""

import base64
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_type_hints
from urllib.parse import quote, unquote

from fastmcp.tools import ToolResult
from fastmcp.utilities.types import Image
from mcp.types import AudioContent, ContentBlock, ImageContent, ResourceLink, TextContent
from pydantic import Field, PrivateAttr, TypeAdapter

from yardkit.kit.pictures import prepare_picture, run_picture_call
from yardkit.kit.result_settings import Pictures, ResultSettings, result_settings
from yardkit.world import FileRef, Problem, current_world
from yardkit.world.limits import check_bytes
from yardkit.world.paths import in_file

FieldType = TypeVar("FieldType")

MAX_ANSWER_CHARACTERS = 900_000
"""Of all pictures and sounds of a result, in base64: clients of MCP over HTTP take no event of more than a mebibyte."""
MAX_INLINE_BYTES = 600_000
"""Bytes of an image that is shown in a result; a larger one comes as a smaller copy."""
MAX_HEARD_BYTES = 600_000
"""Bytes of a sound that comes with a result as audio content; of a larger one the text alone tells."""
MAX_INLINE_SIDE = 1568
"""Longest side in pixels of a shown image; vision models scale larger ones down anyway."""
SCHEME = "workspace:///"
"""Before the path of a file in the address of a link."""
_INLINE_IMAGES = (
    "image/png",
    "image/jpeg",
    "image/webp",
    "image/gif",
    "image/bmp",
    "image/tiff",
    "image/avif",
    "image/heic",
    "image/heif",
)


@dataclass(frozen=True)
class Picture:
    """A picture in a result, sent as image content, that is not a file of the workspace.

    Attributes:
        data: its bytes, PNG or JPEG, which are not part of the structured content.
        media_type: image/png or image/jpeg.
    """

    data: Annotated[bytes, Field(exclude=True, repr=False)] = field(repr=False)
    media_type: str
    width_px: int
    height_px: int


class Result(ToolResult):
    """The complete result of a tool; the parts to send are chosen when it is sent."""

    _links: dict[int, ResourceLink] = PrivateAttr(default_factory=dict)
    """Number of a block in the content that shows a file -> a link to the file."""
    _is_bulk: bool = PrivateAttr(default=False)

    @classmethod
    def from_dataclass(
        cls, result: Any, adapter: TypeAdapter[Any], *, bulk: bool, writes: bool = False, notes: Sequence[str] = ()
    ) -> "Result":
        """The text of a tool's dataclass, its data, its pictures and sounds; and notes on the files that it read.

        Raises:
            Problem: a picture cannot be shown, and the tool does nothing but show it. What a tool that `writes` did
                stays done, and its result says that the picture is not shown.
        """
        noted = {"source_notes": list(notes)} if notes else {}
        if bulk:
            text = adapter.dump_json(result, exclude_defaults=True).decode()
            text = json.dumps(json.loads(text) | noted, ensure_ascii=False, separators=(",", ":")) if notes else text
        else:
            text = "\n".join([str(result), *(f"Note: {note}" for note in notes)])
        pictures: list[ContentBlock] = [
            Image(data=picture.data, format=picture.media_type[6:]).to_image_content()
            for picture in _list_fields(result, Picture)
        ]
        media_blocks = [
            (ref, block) for ref in _list_fields(result, FileRef) if (block := _load_media(ref, writes)) is not None
        ]
        content = [TextContent(type="text", text=text), *pictures]
        full_result = cls(
            content=[content[0], *fit_blocks([*pictures, *(block for _, block in media_blocks)])],
            structured_content=None if bulk else adapter.dump_python(result, mode="json") | noted,
        )
        full_result._links = {
            number: _make_link(ref) for number, (ref, _) in enumerate(media_blocks, start=len(content))
        }
        full_result._is_bulk = bulk
        return full_result

    def as_set(self, settings: ResultSettings) -> ToolResult:
        """Return the parts that the client gets."""
        media = [*self._list_pictures(settings.pictures)]
        alone = not any(block.type in ("image", "audio") for block in media) or settings.beside_pictures
        if settings.results == "text" or not alone:
            return ToolResult(content=[*self.content[:1], *media])
        if settings.results == "both":
            return ToolResult(content=[*self.content[:1], *media], structured_content=self.structured_content)
        return ToolResult(content=media, structured_content=self._build_data())

    def to_mcp_result(self) -> Any:
        """Convert to the MCP result to send."""
        return self.as_set(result_settings()).to_mcp_result()

    def _build_data(self) -> dict[str, Any]:
        """Build the structured content, which is also the text of a bulk tool."""
        if not self._is_bulk:
            return self.structured_content or {}
        data: dict[str, Any] = json.loads(self.content[0].text) if self.content[0].type == "text" else {}
        return data

    def _list_pictures(self, how: Pictures) -> Iterator[ContentBlock]:
        """List the pictures and sounds, or their replacements."""
        for number, block in enumerate(self.content[1:], start=1):
            if how == "on":
                yield block
            elif how == "link" and number in self._links:
                yield self._links[number]
            elif number not in self._links:
                yield TextContent(type="text", text=f"[a picture that is not shown: pictures are set to {how!r}]")


def adapt_result(result: ToolResult) -> ToolResult:
    """Reduce a result to the parts that the client of this request gets."""
    return result.as_set(result_settings()) if isinstance(result, Result) else result


def may_show(result_type: Any) -> bool:
    """Whether results of a type can have pictures or sounds."""
    hints = get_type_hints(result_type) if is_dataclass(result_type) else {}
    return any(_mentions_media(hint) for hint in hints.values())


def _mentions_media(hint: Any) -> bool:
    return hint in (Picture, FileRef) or any(_mentions_media(inner) for inner in get_args(hint))


def _list_fields(result: Any, kind: type[FieldType]) -> Iterator[FieldType]:
    """List the fields of a result, and the items of its lists, that are of one type."""
    if not is_dataclass(result):
        return
    for part in fields(result):
        value = getattr(result, part.name)
        yield from (item for item in (value if isinstance(value, list) else [value]) if isinstance(item, kind))


def fit_blocks(blocks: Sequence[ContentBlock]) -> list[ContentBlock]:
    """Shrink pictures if the pictures and sounds are together too large to send."""
    total_length = sum(len(block.data) for block in blocks if isinstance(block, ImageContent | AudioContent))
    if total_length <= MAX_ANSWER_CHARACTERS:
        return list(blocks)
    pictures = [block for block in blocks if isinstance(block, ImageContent)]
    sounds = sum(len(block.data) for block in blocks if isinstance(block, AudioContent))
    share = max(0, MAX_ANSWER_CHARACTERS - sounds) // max(1, len(pictures))
    return [_shrink_block(block, share) if isinstance(block, ImageContent) else block for block in blocks]


def _shrink_block(block: ImageContent, characters: int) -> ContentBlock:
    """Convert a picture to a JPEG with at most this many characters."""
    import PIL.Image

    if len(block.data) <= characters:
        return block
    with PIL.Image.open(io.BytesIO(base64.b64decode(block.data)), formats=("PNG", "JPEG", "WEBP", "GIF")) as image:
        picture = image.convert("RGB")
    for part in (1.0, 0.75, 0.5, 0.35, 0.25):
        data = io.BytesIO()
        sides = (max(1, round(picture.width * part)), max(1, round(picture.height * part)))
        picture.resize(sides).save(data, "JPEG", quality=75)
        # base64 has four characters for three bytes.
        if data.tell() * 4 // 3 + 4 <= characters:
            return Image(data=data.getvalue(), format="jpeg").to_image_content()
    return TextContent(type="text", text="[a picture that is too large for this answer; ask for fewer at once]")


def _load_media(ref: FileRef, writes: bool) -> ContentBlock | None:
    """Load a file of the workspace as image or sound, if clients can show its type."""
    path = current_world().files / ref.path
    if ref.media_type in _INLINE_IMAGES:
        try:
            return show_image(path)
        except Problem as problem:
            if not writes:
                raise
            return TextContent(type="text", text=f"[not shown: {problem}]")
    if ref.media_type.startswith("audio/") and ref.size_bytes <= MAX_HEARD_BYTES:
        data = base64.b64encode(path.read_bytes()).decode()
        return AudioContent(type="audio", data=data, mime_type=ref.media_type)
    return None


def _make_link(ref: FileRef) -> ResourceLink:
    uri = SCHEME + quote(ref.path)
    return ResourceLink(type="resource_link", uri=uri, name=ref.path, mime_type=ref.media_type, size=ref.size_bytes)


def linked_file(uri: str) -> tuple[bytes, str]:
    """Return the picture or sound of a link, and its media type.

    Raises:
        Problem: there is none in the workspace.
    """
    path = in_file(unquote(uri.removeprefix(SCHEME)))
    check_bytes(path)
    ref = FileRef.from_path(path)
    if not ref.media_type.startswith(("image/", "audio/")):
        raise Problem(f"{ref.path!r} is neither a picture nor a sound; read it with a tool")
    return path.read_bytes(), ref.media_type


def show_image(path: Path) -> ContentBlock:
    """An image file as image content: as it is, or as a copy where it is large or only some programs show it right.

    Raises:
        Problem: it is too large to decode, damaged, or not an image.
    """
    # A picture may take for ever or fill the memory.
    data, kind = run_picture_call(prepare_picture, path, MAX_INLINE_SIDE, MAX_INLINE_BYTES)
    return Image(data=data, format=kind).to_image_content()
