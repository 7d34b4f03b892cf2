"""What every tool surface shares: results, errors, annotations, and starting one server as a process."""

import base64
import functools
import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_type_hints
from urllib.parse import quote

import pydantic
from fastmcp import FastMCP
from fastmcp.exceptions import ToolError, ValidationError
from fastmcp.tools import FunctionTool, ToolResult
from fastmcp.utilities.types import Image
from mcp.types import AudioContent, ContentBlock, ResourceLink, TextContent, Tool, ToolAnnotations
from pydantic import Field, TypeAdapter

from toolyard.kit.pages.raster import PICTURE_FORMATS, apart, shrunk
from toolyard.world import FileRef as FileRef
from toolyard.world import Problem, current_world
from toolyard.world.extras import missing_package
from toolyard.world.limits import MAX_PIXELS, check_bytes, check_pixels

if TYPE_CHECKING:
    import PIL.Image

Held = TypeVar("Held")

MAX_TEXT = 50_000
"""Characters of text that one result may carry; tools page beyond it."""
MAX_SHOWN_BYTES = 1_500_000
"""Bytes of an image that is shown in a result; a larger one comes as a smaller copy."""
MAX_HEARD_BYTES = 5_000_000
"""Bytes of a sound that comes with a result as audio content; a larger one comes as a link only."""
_SHOWN_IMAGES = ("image/png", "image/jpeg", "image/webp", "image/gif", "image/bmp", "image/tiff")
_MOST_WRONG = 5
"""Wrong arguments of one call that are named."""
MAX_SHOWN_SIDE = 1568
"""Longest side in pixels of a shown image; vision models scale larger ones down anyway."""


@dataclass(frozen=True)
class Picture:
    """A picture that comes with a result as image content and is no file of the workspace.

    Attributes:
        data: its bytes, PNG or JPEG; not part of the structured content.
        media_type: image/png or image/jpeg.
    """

    data: Annotated[bytes, Field(exclude=True, repr=False)] = field(repr=False)
    media_type: str
    width_px: int
    height_px: int


def make_server(name: str, instructions: str) -> FastMCP[Any]:
    """An empty server in the uniform set-up: crashes masked, duplicate names refused."""
    return FastMCP(
        name, version=version("toolyard"), instructions=instructions, mask_error_details=True, on_duplicate="error"
    )


def tool(
    server: FastMCP[Any],
    *,
    name: str | None = None,
    writes: bool = False,
    destructive: bool = False,
    idempotent: bool = True,
    bulk: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function that returns a dataclass as a tool of `server`, under its own name or `name`.

    The dataclass gives the output schema and the structured content, its ``str()`` the text. A field that is a
    `FileRef` (or a list of them) comes back as a resource link as well, and as image or audio content; a `Picture` as
    image content. The result of a `bulk` tool, which may be long, goes over the wire once: as compact JSON text, which
    any client shows to its model and any program can parse, without output schema and structured content; fields at
    their defaults are left out. `Problem` and
    wrong arguments become tool errors that say what to do; anything else is a crash, logged with its traceback on
    stderr and masked for the model.
    """
    annotations = ToolAnnotations(
        read_only_hint=not writes,
        destructive_hint=destructive,
        idempotent_hint=idempotent,
        open_world_hint=False,
    )

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        adapter: TypeAdapter[Any] = TypeAdapter(get_type_hints(function)["return"])

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> ToolResult:
            try:
                return _to_result(function(*args, **kwargs), adapter, bulk=bulk)
            except Problem:
                raise
            except Exception as error:
                problem = _explained(error, server.name, kwargs.values())
                if problem is None:
                    raise
                raise problem from error

        schema = None if bulk else adapter.json_schema(mode="serialization")
        made = _YardTool.from_function(call, name=name, annotations=annotations, output_schema=schema)
        lean = {
            "parameters": _lean(made.parameters, optional=True),
            "output_schema": _lean(schema, "description", "default") if schema else None,
        }
        server.add_tool(made.model_copy(update=lean))
        return function

    return register


def _explained(error: Exception, server: str, values: Iterable[object]) -> Problem | None:
    """What a failure comes of, where it is no fault of ours: a package that is missing, a file that is damaged."""
    if isinstance(error, ModuleNotFoundError):
        return missing_package(error, extra=server)
    from toolyard.kit.ooxml.damage import explain_crash

    return explain_crash(error, values)


def _lean(schema: dict[str, Any], *also: str, optional: bool = False) -> dict[str, Any]:
    """The schema with its definitions written out where they are used, without pydantic's titles and the keys `also`.

    The titles only repeat names and fill a third of a list. Definitions would be written out by FastMCP at each
    listing, with a library that takes as long to load as a small server. With `optional`, what may be left out does
    not say that null or emptiness, its default, says the same: null is taken all the same.
    """
    definitions = schema.get("$defs", {})

    def lean(node: Any) -> Any:
        if isinstance(node, list):
            return [lean(item) for item in node]
        if not isinstance(node, dict):
            return node
        if optional:
            node = _plainer(node)
        if "$ref" in node:
            node = definitions[node["$ref"].rsplit("/", 1)[1]] | {key: node[key] for key in node if key != "$ref"}
        return {
            key: {name: lean(inner) for name, inner in value.items()} if key == "properties" else lean(value)
            for key, value in node.items()
            if key not in ("title", "$defs", *also)
        }

    result: dict[str, Any] = lean(schema)
    return result


def _plainer(node: dict[str, Any]) -> dict[str, Any]:
    """The schema of an argument without what says nothing: an empty default, the null that equals it, the integers
    beside the numbers that contain them.
    """
    rest = dict(node)
    kinds = rest.pop("anyOf", [])
    if "default" in rest and (rest["default"] is False or rest["default"] in (None, "", [], {})):
        kinds = [kind for kind in kinds if rest["default"] is not None or kind != {"type": "null"}]
        del rest["default"]
    if {"type": "number"} in kinds:
        kinds = [kind for kind in kinds if kind != {"type": "integer"}]
    return {**(kinds[0] if len(kinds) == 1 else {"anyOf": kinds} if kinds else {}), **rest}


class _YardTool(FunctionTool):
    """A tool whose foreseen failures, wrong arguments among them, are short readable tool errors."""

    def to_mcp_tool(self, **overrides: Any) -> Tool:
        return super().to_mcp_tool(**({"_meta": None} | overrides))  # empty for all, and in every prompt

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        unknown = list(_unknown_fields(arguments, self.parameters, ""))
        if unknown:
            raise ToolError(f"wrong arguments for {self.name}: {_some(unknown)}", log_level=logging.DEBUG)
        try:
            return await super().run(arguments)
        except Problem as problem:
            raise ToolError(str(problem), log_level=logging.DEBUG) from problem
        except ValidationError as error:
            raise ToolError(_wrong_arguments(self, error), log_level=logging.DEBUG) from error


def _wrong_arguments(tool: FunctionTool, error: ValidationError) -> str:
    """One line per wrong argument, with its value, and the arguments that the tool takes."""
    lines, hints = [], set[str]()
    details = error.__cause__.errors() if isinstance(error.__cause__, pydantic.ValidationError) else []
    for detail in details:
        name = ".".join(str(part) for part in detail["loc"])
        given = "" if detail["type"].startswith("missing") else f" (given: {repr(detail['input'])[:120]})"
        hint = _inner_fields(tool.parameters, detail["loc"])
        lines.append(f"{name}: {detail['msg']}{given}{'' if hint in hints else hint}")
        hints.add(hint)
    takes = ", ".join(tool.parameters.get("properties", {})) or "no arguments"
    return f"wrong arguments for {tool.name}: " + (_some(lines) or str(error)) + f". It takes: {takes}"


def _some(lines: list[str]) -> str:
    more = f"; and {len(lines) - _MOST_WRONG} more" if len(lines) > _MOST_WRONG else ""
    return "; ".join(lines[:_MOST_WRONG]) + more


def _unknown_fields(value: Any, schema: dict[str, Any], place: str) -> Iterator[str]:
    """A line for each field of an inner object that is none: pydantic would leave it out without a word."""
    variants = [schema, *schema.get("anyOf", [])]
    if isinstance(value, list):
        inner: dict[str, Any] = next(
            (variant["items"] for variant in variants if isinstance(variant.get("items"), dict)), {}
        )
        for index, item in enumerate(value if inner.get("properties") or inner.get("anyOf") else ()):
            yield from _unknown_fields(item, inner, f"{place}{index}.")
    elif isinstance(value, dict) and not any(variant.get("additionalProperties") for variant in variants):
        known = {name: inner for variant in variants for name, inner in variant.get("properties", {}).items()}
        strange = [name for name in value if name not in known] if known and place else []
        if strange:
            named = ", ".join(f"{place}{name}" for name in strange)
            yield f"{named}: there is no such field in an object with {', '.join(known)}"
        for name in value:
            if name in known:
                yield from _unknown_fields(value[name], known[name], f"{place}{name}.")


def _inner_fields(schema: dict[str, Any], place: tuple[int | str, ...]) -> str:
    """What the innermost object on the way to `place` takes, if that is not the call itself; else empty."""
    fields: list[str] = []
    for part in place:
        variants = [schema, *schema.get("anyOf", [])]
        steps = (
            variant.get("items") if isinstance(part, int) else variant.get("properties", {}).get(part)
            for variant in variants
        )
        schema = next((step for step in steps if isinstance(step, dict)), {})
        fields = list(schema.get("properties", {})) or fields
    return f", an object with {', '.join(fields)}" if fields else ""


def _to_result(result: Any, adapter: TypeAdapter[Any], *, bulk: bool) -> ToolResult:
    text = adapter.dump_json(result, exclude_defaults=True).decode() if bulk else str(result)
    content: list[ContentBlock] = [TextContent(type="text", text=text)]
    content += [
        Image(data=picture.data, format=picture.media_type[6:]).to_image_content() for picture in _held(result, Picture)
    ]
    for ref in _held(result, FileRef):
        content.append(_link(ref))
        if ref.media_type in _SHOWN_IMAGES:
            content.append(show_image(current_world().files / ref.path))
        elif ref.media_type.startswith("audio/") and ref.size_bytes <= MAX_HEARD_BYTES:
            data = base64.b64encode((current_world().files / ref.path).read_bytes()).decode()
            content.append(AudioContent(type="audio", data=data, mime_type=ref.media_type))
    return ToolResult(content=content, structured_content=None if bulk else adapter.dump_python(result, mode="json"))


def _held(result: Any, kind: type[Held]) -> Iterator[Held]:
    """The fields of a result, and items of its lists, that are of one kind."""
    if not is_dataclass(result):
        return
    for part in fields(result):
        value = getattr(result, part.name)
        yield from (item for item in (value if isinstance(value, list) else [value]) if isinstance(item, kind))


def _link(ref: FileRef) -> ResourceLink:
    uri = "workspace:///" + quote(ref.path)
    return ResourceLink(type="resource_link", uri=uri, name=ref.path, mime_type=ref.media_type, size=ref.size_bytes)


def show_image(path: Path) -> ContentBlock:
    """An image file as image content, scaled down to what a vision model looks at.

    Raises:
        Problem: it is too large to decode, damaged, or no image.
    """
    import PIL.Image

    check_bytes(path)
    try:
        with PIL.Image.open(path, formats=PICTURE_FORMATS) as image:
            check_pixels(*image.size, path.name)
            return _shown_image(path, image)
    except PIL.UnidentifiedImageError as error:
        # Its words hold the path on this machine.
        raise Problem(f"{path.name!r} cannot be read as an image; it is damaged or of another type") from error
    except PIL.Image.DecompressionBombError as error:
        raise Problem(
            f"{path.name!r} is too large to show ({error}); at most {MAX_PIXELS:,} pixels can be read. Scale it down"
        ) from error
    except (OSError, ValueError, SyntaxError) as error:
        raise Problem(f"{path.name!r} cannot be read as an image ({error}); check the file") from error


def _shown_image(path: Path, image: "PIL.Image.Image") -> ContentBlock:
    small = path.stat().st_size <= MAX_SHOWN_BYTES and max(image.size) <= MAX_SHOWN_SIDE
    if small and image.format in ("PNG", "JPEG", "WEBP", "GIF"):
        image.load()  # half a picture is no picture, and no model takes it
        return Image(data=path.read_bytes(), format=image.format.lower()).to_image_content()
    # A large picture may take for ever or fill the memory.
    return Image(data=apart(shrunk, path, MAX_SHOWN_SIDE), format="jpeg").to_image_content()
