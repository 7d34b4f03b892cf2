"""The common surface of tools: registration, schemas, errors."""

import asyncio
import functools
import itertools
import logging
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cached_property
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Any, get_type_hints

import pydantic
from fastmcp import Context, FastMCP
from fastmcp.exceptions import FastMCPError, ToolError, ValidationError
from fastmcp.server.dependencies import get_context
from fastmcp.tools import FunctionTool, ToolResult
from fastmcp.utilities.logging import get_logger
from mcp.types import Tool, ToolAnnotations
from pydantic import TypeAdapter
from pydantic_core import ErrorDetails

from yardkit.kit.announcements import announce_what_is_there
from yardkit.kit.arguments import Shape, format_value, inner_fields, prepare_arguments, summarize_lines
from yardkit.kit.pictures import describe_source
from yardkit.kit.result_settings import ResultSettings, result_settings
from yardkit.kit.results import Picture as Picture
from yardkit.kit.results import Result, may_show
from yardkit.world import FileRef as FileRef
from yardkit.world import Problem, current_world
from yardkit.world.extras import missing_package
from yardkit.world.guard import add_notes, collect_done, collect_notes

logger = get_logger(__name__)

_NOTHING, _MAX_NAMED = "nothing was changed", 20
MAX_TEXT = 50_000
"""Characters of text that one result may carry; tools page beyond it."""
EVERY_S = 10.0
"""Seconds between two signs of life: clients give up on a call after about a minute without a message."""


def make_server(name: str, instructions: str) -> FastMCP[Any]:
    """Make an empty server in the common set-up: crashes masked, duplicate names refused, only tools announced."""
    server: FastMCP[Any] = FastMCP(
        name, version=version("yardkit"), instructions=instructions, mask_error_details=True, on_duplicate="error"
    )
    announce_what_is_there(server)
    return server


def tool(
    server: FastMCP[Any],
    *,
    name: str | None = None,
    writes: bool = False,
    destructive: bool = False,
    idempotent: bool = True,
    bulk: bool = False,
    open_world: bool = False,
    looks_at: Sequence[str] = (),
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function that returns a dataclass as a tool of `server`, under its own name or `name`.

    The dataclass gives the structured content and its schema, its ``str()`` the text; `yardkit.kit.results` says which
    of them goes over the wire. A field that is a `FileRef` (or a list of them) and an image or a sound is shown, as is
    a `Picture`. The result of a `bulk` tool, which may be long, goes over the wire once: as compact JSON text, which
    any client shows to its model and any program can parse; fields at their defaults are left out. `Problem` and
    wrong arguments become tool errors that say what to do; anything else is a crash, logged with its traceback on
    stderr and named for the model by its kind alone. An `open_world` tool may ask services outside of this machine.
    Arguments that a tool `looks_at` are pictures: their pages and frames that it does not see are noted in the result.
    """
    annotations = ToolAnnotations(
        read_only_hint=not writes,
        destructive_hint=destructive,
        idempotent_hint=idempotent,
        open_world_hint=open_world,
    )

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        result_type = get_type_hints(function)["return"]
        adapter: TypeAdapter[Any] = TypeAdapter(result_type)
        has_choice = "page" in function.__annotations__

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> ToolResult:
            done: Collection[Path] = ()
            try:
                with collect_notes() as notes, collect_done() as done:
                    add_notes(_note_sources(looks_at, kwargs, has_choice))
                    result = function(*args, **kwargs)
                return Result.from_dataclass(result, adapter, bulk=bulk, writes=writes, notes=notes)
            except Problem as problem:
                _correct_claim(problem, done)
                raise
            except Exception as error:
                explained = _explain_error(error, server.name, kwargs.values())
                if explained is None:
                    raise
                raise explained from error

        new_tool = YardTool.from_function(call, name=name, annotations=annotations, output_schema=None)
        lean = {
            "parameters": _simplify_schema(new_tool.parameters, optional=True),
            "result_schema": None
            if bulk
            else _simplify_schema(adapter.json_schema(mode="serialization"), "description", "default"),
            "shows": may_show(result_type),
        }
        server.add_tool(new_tool.model_copy(update=lean))
        return function

    return register


def _correct_claim(problem: Problem, done: Collection[Path]) -> None:
    """Name the files that a call changed before a problem that says, of the file that it is about, `_NOTHING`."""
    if done and _NOTHING in str(problem):
        files = current_world().files
        names = sorted(path.relative_to(files).as_posix() for path in done if path.is_relative_to(files))
        more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
        if names:
            claim = f"but these files were changed already: {', '.join(names[:_MAX_NAMED])}{more}"
            problem.args = (str(problem).replace(_NOTHING, claim),)


def _note_sources(names: Sequence[str], arguments: Mapping[str, Any], has_choice: bool) -> list[str]:
    """What the result does not know of the pictures that some arguments name."""
    page = arguments.get("page") or 1
    values = [arguments.get(name) for name in names]
    paths = [path for value in values for path in (value if isinstance(value, list) else [value])]
    return [
        note
        for path in paths
        if isinstance(path, Path) and path.is_file()
        for note in describe_source(path, page, has_choice=has_choice)
    ]


def _explain_error(error: Exception, server: str, values: Iterable[object]) -> Problem | None:
    """Explain a failure that is not our fault: a missing package or a damaged file."""
    if isinstance(error, ModuleNotFoundError):
        return missing_package(error, extra=server)
    from yardkit.kit.ooxml.damage import explain_crash

    return explain_crash(error, values)


def _simplify_schema(schema: dict[str, Any], *also: str, optional: bool = False) -> dict[str, Any]:
    """Inline the definitions of a schema, and remove pydantic's titles and the keys `also`.

    The titles only repeat names and make up a third of a list. FastMCP would inline definitions at each listing, with a
    library that takes as long to load as a small server. With `optional`, optional values do not mention null or an
    empty default, which mean the same; null is still accepted.
    """
    definitions = schema.get("$defs", {})

    def lean(node: Any) -> Any:
        if isinstance(node, list):
            return [lean(item) for item in node]
        if not isinstance(node, dict):
            return node
        if optional:
            node = _simplify_argument(node)
        if "$ref" in node:
            node = definitions[node["$ref"].rsplit("/", 1)[1]] | {key: node[key] for key in node if key != "$ref"}
        return {
            key: {name: lean(inner) for name, inner in value.items()} if key == "properties" else lean(value)
            for key, value in node.items()
            if key not in ("title", "$defs", *also)
        }

    result: dict[str, Any] = lean(schema)
    return result


def _simplify_argument(node: dict[str, Any]) -> dict[str, Any]:
    """Remove redundant parts of an argument's schema: an empty default, the null that equals it, integers next to
    numbers, which include them.
    """
    rest = dict(node)
    kinds = rest.pop("anyOf", [])
    if "default" in rest and (rest["default"] is False or rest["default"] in (None, "", [], {})):
        kinds = [kind for kind in kinds if rest["default"] is not None or kind != {"type": "null"}]
        del rest["default"]
    if {"type": "number"} in kinds:
        kinds = [kind for kind in kinds if kind != {"type": "integer"}]
    return {**(kinds[0] if len(kinds) == 1 else {"anyOf": kinds} if kinds else {}), **rest}


class YardTool(FunctionTool):
    """A tool whose expected failures, including wrong arguments, are short readable tool errors.

    Attributes:
        result_schema: the schema of its structured content; none for a bulk tool.
        shows: whether its results may have pictures.
    """

    result_schema: dict[str, Any] | None = None
    shows: bool = False

    @cached_property
    def shape(self) -> Shape:
        """The shape of its arguments."""
        return Shape(self.parameters)

    def to_mcp_tool(self, **overrides: Any) -> Tool:
        # Without this, every prompt would contain an empty _meta.
        schema = self.result_schema if self._gives_data(result_settings()) else None
        return super().to_mcp_tool(**({"_meta": None, "outputSchema": schema} | overrides))

    def _gives_data(self, settings: ResultSettings) -> bool:
        """Whether all its results have structured content, which is required if a schema is announced."""
        alone = settings.beside_pictures or settings.pictures != "on" or not self.shows
        return alone and settings.results != "text"

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        try:
            arguments = prepare_arguments(arguments, self.shape)
        except Problem as problem:
            raise ToolError(f"wrong arguments for {self.name}: {problem}", log_level=logging.DEBUG) from problem
        try:
            async with signs_of_life(self.name):
                return await super().run(arguments)
        except Problem as problem:
            raise ToolError(str(problem), log_level=logging.DEBUG) from problem
        except ValidationError as error:
            raise ToolError(_wrong_arguments(self, error), log_level=logging.DEBUG) from error
        except FastMCPError:
            raise
        except Exception as error:
            logger.exception("Error calling tool %r", self.name)
            kind = type(error.__cause__ or error).__name__
            message = (
                f"{self.name} failed unexpectedly ({kind}), an internal error; try other arguments or another tool"
            )
            raise ToolError(message, log_level=logging.DEBUG) from error


def _join_details(details: Sequence[ErrorDetails]) -> Iterator[ErrorDetails]:
    """Join the errors of one argument from several lists of choices into one with all choices."""
    for place, beside in groupby(
        details, lambda detail: [part for part in detail["loc"] if "literal[" not in str(part)]
    ):
        similar_details = list(beside)
        if len(similar_details) > 1 and all(detail["type"] == "literal_error" for detail in similar_details):
            words = ", ".join(detail["ctx"]["expected"].replace(" or ", ", ") for detail in similar_details)
            similar_details = [{**similar_details[0], "loc": tuple(place), "msg": f"Input should be one of {words}"}]
        yield from similar_details


def _wrong_arguments(tool: YardTool, error: ValidationError) -> str:
    """Format one line per wrong argument, with its value, and the tool's arguments."""
    lines, hints = [], set[str]()
    details = error.__cause__.errors() if isinstance(error.__cause__, pydantic.ValidationError) else []
    for detail in _join_details(details):
        name = ".".join(str(part) for part in detail["loc"])
        given = "" if detail["type"].startswith("missing") else f" (given: {format_value(detail['input'])})"
        hint = inner_fields(tool.shape, detail["loc"])
        lines.append(f"{name}: {detail['msg']}{given}{'' if hint in hints else hint}")
        hints.add(hint)
    takes = ", ".join(tool.parameters.get("properties", {})) or "no arguments"
    return f"wrong arguments for {tool.name}: " + (summarize_lines(lines) or str(error)) + f". It takes: {takes}"


@asynccontextmanager
async def signs_of_life(tool: str) -> AsyncIterator[None]:
    """Send progress to the client of this request, if it asked for it, while the block runs."""
    try:
        context = get_context()
    except RuntimeError:  # the call comes from this process, without a client
        yield
        return
    telling = asyncio.create_task(_report_progress(context, tool))
    try:
        yield
    finally:
        telling.cancel()


async def _report_progress(context: Context, tool: str) -> None:
    for number in itertools.count(1):
        await asyncio.sleep(EVERY_S)
        seconds = number * EVERY_S
        await context.report_progress(seconds, message=f"{tool} is at work, {seconds:g} s so far")
