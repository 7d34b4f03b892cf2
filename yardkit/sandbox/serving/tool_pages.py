"""The reference of a server's tools as Markdown: every tool with its description, hints and arguments in full."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from fastmcp.tools import Tool

from yardkit.sandbox.serving.catalog import escape_cell
from yardkit.sandbox.serving.registry import load_server, tools_of

_HINTS = {
    "read_only_hint": ("only reads", "changes the workspace or the state of an app"),
    "destructive_hint": ("may replace or delete what is there", "only adds"),
    "idempotent_hint": ("a second call with the same arguments changes nothing more", ""),
    "open_world_hint": ("reaches services outside of this machine", ""),
}
"""Annotation of MCP -> what it says to a reader where it is true, and where it is false."""


def describe_tools(server: str) -> str:
    """Describe the tools of a server in name order, each under a third-level heading."""
    tools = sorted(tools_of(load_server(server)), key=lambda tool: tool.name)
    return "\n".join(line for tool in tools for line in _describe_tool(tool))


def _describe_tool(tool: Tool) -> Iterator[str]:
    yield from (f"### `{tool.name}`", "", escape_markup(tool.description or ""), "", f"*{_describe_hints(tool)}*", "")
    properties = tool.parameters.get("properties", {})
    if not properties:
        yield from ("No arguments.", "")
        return
    required, definitions = tool.parameters.get("required", []), tool.parameters.get("$defs", {})
    yield from ("| Argument | Type | Default | Meaning |", "|---|---|---|---|")
    for name, schema in properties.items():
        default = "required" if name in required else _format_default(schema)
        meaning = escape_markup(" ".join(str(schema.get("description", "")).split()))
        cells = (f"`{name}`", _describe_type(schema, definitions), default, meaning)
        yield f"| {' | '.join(map(escape_cell, cells))} |"
    yield ""


def escape_markup(text: str) -> str:
    """Escape `<`, `*` and `_` so that they are shown literally, except in code."""
    parts = text.split("`")
    for index in range(0, len(parts), 2):
        parts[index] = parts[index].replace("&", "&amp;").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")
    return "`".join(parts)


def _describe_hints(tool: Tool) -> str:
    # The hints "destructive" and "idempotent" are only meaningful for a tool that changes something.
    meaningful = ("read_only_hint", "open_world_hint") if _has_hint(tool, "read_only_hint") else tuple(_HINTS)
    text = "; ".join(filter(None, (_HINTS[name][not _has_hint(tool, name)] for name in meaningful)))
    return f"{text[:1].upper()}{text[1:]}."


def _has_hint(tool: Tool, name: str) -> bool:
    return bool(getattr(tool.annotations, name, None))


def _format_default(schema: Mapping[str, Any]) -> str:
    value = schema.get("default")
    return "" if value is None else f"`{json.dumps(value, ensure_ascii=False)}`"


def _describe_type(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        schema = definitions.get(schema["$ref"].rpartition("/")[2], {})
    if "enum" in schema or "const" in schema:
        return ", ".join(f"`{value}`" for value in schema.get("enum", [schema.get("const")]))
    variants = [variant for variant in schema.get("anyOf", ()) if variant.get("type") != "null"]
    if variants:
        return " or ".join(dict.fromkeys(_describe_type(variant, definitions) for variant in variants))
    if schema.get("type") == "array":
        items: Mapping[str, Any] = schema.get("items") or next(iter(schema.get("prefixItems", ())), {})
        return f"list of {_describe_type(items, definitions)}"
    if schema.get("type") == "object" and schema.get("properties"):
        fields = ", ".join(f"`{name}`" for name in schema["properties"])
        return f"object with {fields}"
    return str(schema.get("type", "any")) + _describe_bounds(schema)


def _describe_bounds(schema: Mapping[str, Any]) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is None:
        return "" if most is None else f", at most {most}"
    return f", {least} or more" if most is None else f", {least} to {most}"
