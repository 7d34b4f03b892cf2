"""The servers of the suite as the folder listing gives them: a new server is covered without an edit here."""

import asyncio
import inspect
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from fastmcp import FastMCP
from pydantic import BeforeValidator

import yardkit.servers
from yardkit.kit.surface import YardTool
from yardkit.sandbox.serving.registry import list_dialects, load_server
from yardkit.world import paths

SERVERS = Path(yardkit.servers.__file__).parent
NAMES = sorted(path.name for path in SERVERS.iterdir() if (path / "server.py").is_file())
SURFACES = NAMES + sorted(f"{name}/{suite}" for name in NAMES for suite in list_dialects(name))
"""The servers, and their dialects as ``sheets/gta``."""
PATH_VALIDATORS = {
    getattr(paths, name): name
    for name in ("in_path", "in_file", "in_dir", "in_entry", "any_entry", "out_file", "out_dir", "out_entry")
}


@dataclass(frozen=True)
class FileArgument:
    """An argument of a tool that takes a path, or a list of paths."""

    server: str
    tool: YardTool
    name: str
    role: str
    is_list: bool

    def __str__(self) -> str:
        return f"{self.server}.{self.tool.name}.{self.name}"


def load_surface(name: str) -> FastMCP[Any]:
    """A surface."""
    server, _, dialect = name.partition("/")
    return load_server(server, dialect)


def tools_of(name: str) -> list[YardTool]:
    """The tools of a surface, as objects."""
    return list(asyncio.run(load_surface(name).list_tools()))  # type: ignore[arg-type]


def function_of(tool: YardTool) -> Any:
    """The function that the surface registered."""
    return inspect.unwrap(tool.fn)


def role_of(annotation: Any) -> tuple[str, bool] | None:
    """Which path type an annotation is, and whether it is a list of them."""
    if get_origin(annotation) is Annotated:
        for extra in annotation.__metadata__:
            if isinstance(extra, BeforeValidator) and extra.func in PATH_VALIDATORS:
                return PATH_VALIDATORS[extra.func], False
        return role_of(get_args(annotation)[0])
    for inner in get_args(annotation):
        inner_role = role_of(inner)
        if inner_role:
            return inner_role[0], get_origin(annotation) in (list, tuple)
    return None


@cache
def file_arguments(server: str) -> list[FileArgument]:
    """Every argument of the tools of a surface that is a path by its type."""
    argument_names = []
    for tool in tools_of(server):
        for name, annotation in get_type_hints(function_of(tool), include_extras=True).items():
            role = role_of(annotation)
            if role:
                argument_names.append(FileArgument(server, tool, name, *role))
    return argument_names


def make_minimal(schema: dict[str, Any], definitions: dict[str, Any] | None = None) -> Any:
    """A small value that a JSON schema admits: only what is required, the first choice, the lower bound."""
    definitions = schema.get("$defs", definitions or {})
    if "$ref" in schema:
        return make_minimal(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    if "enum" in schema:
        return schema["enum"][0]
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return make_minimal(schema[key][0], definitions)
    return _of_type(schema, definitions)


def _of_type(schema: dict[str, Any], definitions: dict[str, Any]) -> Any:
    kind = schema.get("type", "string")
    if kind == "object":
        properties = schema.get("properties", {})
        return {name: make_minimal(properties[name], definitions) for name in schema.get("required", [])}
    if kind == "array":
        items = schema.get("prefixItems") or [schema.get("items", {})] * max(1, schema.get("minItems", 1))
        return [make_minimal(item, definitions) for item in items]
    if kind in ("integer", "number"):
        low = schema.get("minimum", schema.get("exclusiveMinimum", 0))
        return low + 1 if "exclusiveMinimum" in schema else low
    return {"boolean": False, "null": None}.get(kind, "x" * max(1, schema.get("minLength", 1)))
