"""Dialects: a server of another suite, made of its tool list (JSON) and one handler for each tool (Python).

The list ``schemas/<server>.json`` is what a client sees: the instructions, and MCP's entries of tools. The module or
package ``<server>`` beside it has the handlers: the function of a tool has the tool's name, with ``_`` for ``-`` and
another ``_`` at its end where the name is taken. It declares plain types; descriptions, limits and choices come from
the list. It returns a text, an object (`dict`, shown as JSON), or a dataclass as our own tools do. A text is cut at
`offset` where the list has that argument and the handler has not. A function ``explain_problem`` words the errors.
"""

import functools
import importlib
import inspect
import json
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from fastmcp import FastMCP
from pydantic import Field

from yardkit.kit.dialect import Answer, Text, TextPage, cut_page
from yardkit.kit.surface import make_server, tool
from yardkit.world import Problem

_LIMITS = {
    "minimum": "ge", "maximum": "le", "exclusiveMinimum": "gt", "exclusiveMaximum": "lt", "pattern": "pattern",
    "minLength": "min_length", "maxLength": "max_length", "minItems": "min_length", "maxItems": "max_length",
    "minProperties": "min_length", "maxProperties": "max_length",
}  # fmt: skip
_KINDS = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    list: "array",
    tuple: "array",
    dict: "object",
}


@functools.cache
def load_dialect(suite: str, server: str) -> FastMCP[Any]:
    """Load the server of a suite that stands for one of ours."""
    package = importlib.import_module(f"yardkit.compat.{suite}.{server}")
    listed = json.loads((Path(__file__).parent / suite / "schemas" / f"{server}.json").read_text("utf-8"))
    handlers = {name: function for module in _list_modules(package) for name, function in _list_functions(module)}
    dialect = make_server(server, listed["instructions"])
    for middleware in getattr(package, "MIDDLEWARE", ()):
        dialect.add_middleware(middleware)
    for entry in listed["tools"]:
        name = entry["name"].replace("-", "_")
        _add_tool(dialect, entry, handlers.get(name) or handlers[f"{name}_"], handlers.get("explain_problem"))
    return dialect


def _list_modules(package: ModuleType) -> Iterator[ModuleType]:
    yield package
    for module in pkgutil.iter_modules(getattr(package, "__path__", ())):
        yield importlib.import_module(f"{package.__name__}.{module.name}")


def _list_functions(module: ModuleType) -> list[tuple[str, Callable[..., Any]]]:
    own = inspect.getmembers(module, inspect.isfunction)
    return [(name, function) for name, function in own if function.__module__ == module.__name__]


def _add_tool(
    dialect: FastMCP[Any],
    entry: Mapping[str, Any],
    handler: Callable[..., Any],
    explain: Callable[[Problem], Problem] | None,
) -> None:
    types, schemas = get_type_hints(handler, include_extras=True), entry["inputSchema"]["properties"]
    parameters = list(inspect.signature(handler).parameters.values())
    is_cut = "offset" in schemas and "offset" not in types
    if is_cut:
        parameters.append(inspect.Parameter("offset", inspect.Parameter.KEYWORD_ONLY, default=0))
        types |= {"offset": int, "return": TextPage}
    types["return"] = {str: Text, dict: Answer}.get(get_origin(types["return"]) or types["return"], types["return"])
    for name, schema in schemas.items():
        if name in types:
            types[name] = _refine_type(types[name], schema)
        else:  # a word of Python's, such as class
            types[f"{name}_"] = Annotated[_refine_type(types[f"{name}_"], schema), Field(alias=name)]

    def call(**arguments: Any) -> Any:
        offset = arguments.pop("offset") if is_cut else 0
        try:
            result = handler(**arguments)
        except Problem as problem:
            if explain is None:
                raise
            raise explain(problem) from problem
        if isinstance(result, str):
            return cut_page(result, offset) if is_cut else Text(result)
        return Answer(result) if isinstance(result, dict) else result

    call.__name__, call.__module__ = handler.__name__, handler.__module__
    call.__annotations__, call.__doc__ = types, entry["description"]
    parameters = [parameter.replace(annotation=types[parameter.name]) for parameter in parameters]
    vars(call)["__signature__"] = inspect.Signature(parameters, return_annotation=types["return"])
    hints = entry["annotations"]
    tool(
        dialect,
        name=entry["name"],
        writes=not hints["readOnlyHint"],
        destructive=hints["destructiveHint"],
        idempotent=hints["idempotentHint"],
        open_world=hints["openWorldHint"],
        bulk=types["return"] is Answer or "__str__" not in vars(types["return"]),
    )(call)


def _refine_type(declared: Any, schema: Mapping[str, Any]) -> Any:
    """Add what a schema says to a declared type: the description, and the limits and choices of plain types."""
    if get_origin(declared) in (Union, UnionType):
        arms = [_refine_type(arm, _find_arm(arm, schema)) for arm in get_args(declared)]
        refined = functools.reduce(lambda joined, arm: Union[joined, arm], arms)  # noqa: UP007 - made while it runs
        return _add_description(refined, schema)
    kind = get_origin(declared) or declared
    if kind is str and "enum" in schema:
        return _add_description(Literal[tuple(schema["enum"])], schema)
    if kind is list and "items" in schema:
        declared = list[_refine_type(get_args(declared)[0], schema["items"])]  # type: ignore[misc]
    limits = {ours: schema[theirs] for theirs, ours in _LIMITS.items() if theirs in schema} if kind in _KINDS else {}
    return _add_description(declared, schema, **limits)


def _add_description(declared: Any, schema: Mapping[str, Any], **limits: Any) -> Any:
    if "description" in schema:
        limits["description"] = schema["description"]
    return Annotated[declared, Field(**limits)] if limits else declared


def _find_arm(arm: Any, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The part of a schema for an arm of a union; the description belongs to the whole."""
    arms = schema.get("anyOf", [schema])
    kind = _KINDS.get(get_origin(arm) or arm, "")
    match = next((part for part in arms if part.get("type") == kind), {} if arm is NoneType else arms[0])
    return {key: value for key, value in match.items() if key != "description"}
