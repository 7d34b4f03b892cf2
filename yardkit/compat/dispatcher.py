"""Dialects: a server of another suite, made of its tool list (JSON) and one handler for each tool (Python).

The list ``schemas/<server>.json`` is what a client sees: the instructions, and MCP's entries of tools. The module or
package ``<server>`` beside it has the handlers: the function of a tool has the tool's name, with ``_`` for ``-`` and
another ``_`` at its end where the name is taken. It declares plain types; descriptions, limits and choices come from
the list. ``**others`` of a handler are the arguments that it does not name, as far as a client gave them. It returns a
text, an object (`dict`, shown as JSON), or a dataclass as our own tools do. A text is cut at `offset` where the list
has that argument and the handler has not.

Functions that a server may have beside its handlers:

- ``open_state(writes)``: the context manager of the state that a handler takes first, under a name of no argument.
- ``format_answer(value, offset)``: what is sent for a result that is no text.
- ``check_required(values)``: refuses values of required arguments.
- ``explain_problem(problem)``: words the errors.
"""

import functools
import importlib
import inspect
import json
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from keyword import iskeyword
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from fastmcp import FastMCP
from pydantic import Field

from yardkit.kit.dialect import Answer, Text, TextPage, cut_page
from yardkit.kit.surface import make_server, tool
from yardkit.world import Problem

Handler = Callable[..., Any]
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
        _add_tool(dialect, entry, handlers.get(name) or handlers[f"{name}_"], handlers)
    return dialect


def _list_modules(package: ModuleType) -> Iterator[ModuleType]:
    yield package
    for module in pkgutil.iter_modules(getattr(package, "__path__", ())):
        yield importlib.import_module(f"{package.__name__}.{module.name}")


def _list_functions(module: ModuleType) -> list[tuple[str, Handler]]:
    own = inspect.getmembers(module, inspect.isfunction)
    return [(name, function) for name, function in own if function.__module__ == module.__name__]


def _add_tool(
    dialect: FastMCP[Any],
    entry: Mapping[str, Any],
    handler: Callable[..., Any],
    hooks: Mapping[str, Callable[..., Any]],
) -> None:
    hints, schema = entry["annotations"], entry["inputSchema"]
    parameters = _list_parameters(handler, schema)
    own = inspect.signature(handler).parameters
    is_paged = "offset" in schema["properties"] and "offset" not in own
    state = next((name for name in list(own)[:1] if name not in parameters), None)
    declared = get_type_hints(handler)["return"]
    formats = hooks.get("format_answer") if declared in (Any, dict, list) else None
    result_type = get_type_hints(formats)["return"] if formats else _find_result_type(declared, is_paged=is_paged)

    def call(**arguments: Any) -> Any:
        offset = arguments.pop("offset") if is_paged else 0
        try:
            if "check_required" in hooks:
                hooks["check_required"]({name: arguments[name] for name in schema.get("required", ())})
            given = {name: value for name, value in arguments.items() if name in own or value is not None}
            with hooks["open_state"](not hints["readOnlyHint"]) if state else nullcontext() as opened:
                result = handler(**({state: opened} if state else {}), **given)
        except Problem as problem:
            if "explain_problem" not in hooks:
                raise
            raise hooks["explain_problem"](problem) from problem
        if formats:
            return formats(result, offset)
        if isinstance(result, str):
            return cut_page(result, offset) if is_paged else Text(result)
        return Answer(result) if isinstance(result, dict) else result

    call.__name__, call.__module__, call.__doc__ = handler.__name__, handler.__module__, entry["description"]
    call.__annotations__ = {name: parameter.annotation for name, parameter in parameters.items()}
    call.__annotations__["return"] = result_type
    vars(call)["__signature__"] = inspect.Signature(list(parameters.values()), return_annotation=result_type)
    tool(
        dialect,
        name=entry["name"],
        writes=not hints["readOnlyHint"],
        destructive=hints["destructiveHint"],
        idempotent=hints["idempotentHint"],
        open_world=hints["openWorldHint"],
        bulk=result_type is Answer or "__str__" not in vars(result_type),
    )(call)


def _list_parameters(handler: Handler, schema: Mapping[str, Any]) -> dict[str, inspect.Parameter]:
    """The arguments of a tool in the order of its list, typed by the handler, or else by the schema."""
    own, types = inspect.signature(handler).parameters, get_type_hints(handler, include_extras=True)
    parameters = {}
    for name, inner in schema["properties"].items():
        ours = f"{name}_" if iskeyword(name) else name
        kind, default = types.get(ours), own[ours].default if ours in own else inner.get("default")
        if ours not in own:
            kind = _type_of(inner)
            kind = kind if "default" in inner or name in schema.get("required", ()) else kind | None
        refined = _refine_type(kind, inner)
        if ours != name:
            refined = Annotated[refined, Field(alias=name)]
        is_needed = name in schema.get("required", ()) and (ours not in own or default is inspect.Parameter.empty)
        parameters[ours] = inspect.Parameter(
            ours,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if is_needed else default,
            annotation=refined,
        )
    return parameters


def _find_result_type(declared: Any, *, is_paged: bool) -> Any:
    if declared is str:
        return TextPage if is_paged else Text
    return Answer if (get_origin(declared) or declared) is dict else declared


def _type_of(schema: Mapping[str, Any]) -> Any:
    """The plain type of an argument."""
    kind = next((kind for kind, name in _KINDS.items() if name == schema.get("type")), None)
    if kind is list:
        return list[_type_of(schema["items"])]  # type: ignore[misc]
    return dict[str, Any] if kind is dict else kind or Any


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
