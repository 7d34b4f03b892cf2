"""The reference of a server's tools as Markdown: every tool with its description, hints and arguments in full."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from fastmcp.tools import Tool

from yardkit.sandbox.serving.catalog import cell
from yardkit.sandbox.serving.registry import load_server, tools_of

_HINTS = {
    "read_only_hint": ("only reads", "changes the workspace or the state of an app"),
    "destructive_hint": ("may replace or delete what is there", "only adds"),
    "idempotent_hint": ("a second call with the same arguments changes nothing more", ""),
    "open_world_hint": ("reaches services outside of this machine", ""),
}
"""Annotation of MCP -> what it says to a reader where it is true, and where it is false."""


def describe_tools(server: str) -> str:
    """The tools of a server in name order, each below a heading of the third level."""
    tools = sorted(tools_of(load_server(server)), key=lambda tool: tool.name)
    return "\n".join(line for tool in tools for line in _describe_tool(tool))


def _describe_tool(tool: Tool) -> Iterator[str]:
    yield from (f"### `{tool.name}`", "", escape_markup(tool.description or ""), "", f"*{_hints(tool)}*", "")
    properties = tool.parameters.get("properties", {})
    if not properties:
        yield from ("No arguments.", "")
        return
    required, definitions = tool.parameters.get("required", []), tool.parameters.get("$defs", {})
    yield from ("| Argument | Type | Default | Meaning |", "|---|---|---|---|")
    for name, schema in properties.items():
        default = "required" if name in required else _default(schema)
        meaning = escape_markup(" ".join(str(schema.get("description", "")).split()))
        yield f"| `{name}` | {cell(_type(schema, definitions))} | {cell(default)} | {cell(meaning)} |"
    yield ""


def escape_markup(text: str) -> str:
    """Text in which `<`, `*` and `_` are shown as they are, except in code."""
    parts = text.split("`")
    for index in range(0, len(parts), 2):
        parts[index] = parts[index].replace("&", "&amp;").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")
    return "`".join(parts)


def _hints(tool: Tool) -> str:
    shown = []
    for name, (if_true, if_false) in _HINTS.items():
        value = getattr(tool.annotations, name, None)
        if name == "read_only_hint" or not getattr(tool.annotations, "read_only_hint", False):
            shown.append(if_true if value else if_false)
        elif name == "open_world_hint" and value:
            shown.append(if_true)
    text = "; ".join(filter(None, shown))
    return f"{text[:1].upper()}{text[1:]}."


def _default(schema: Mapping[str, Any]) -> str:
    value = schema.get("default")
    return "" if value is None else f"`{json.dumps(value, ensure_ascii=False)}`"


def _type(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        schema = definitions.get(schema["$ref"].rpartition("/")[2], {})
    if "enum" in schema or "const" in schema:
        return ", ".join(f"`{value}`" for value in schema.get("enum", [schema.get("const")]))
    variants = [variant for variant in schema.get("anyOf", ()) if variant.get("type") != "null"]
    if variants:
        return " or ".join(dict.fromkeys(_type(variant, definitions) for variant in variants))
    if schema.get("type") == "array":
        items = schema.get("items") or next(iter(schema.get("prefixItems", ())), {})
        return f"list of {_type(items, definitions)}"
    if schema.get("type") == "object" and schema.get("properties"):
        fields = ", ".join(f"`{name}`" for name in schema["properties"])
        return f"object with {fields}"
    return str(schema.get("type", "any")) + _bounds(schema)


def _bounds(schema: Mapping[str, Any]) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is None and most is None:
        return ""
    return (
        f", {least} to {most}"
        if None not in (least, most)
        else f", {least} or more"
        if most is None
        else f", at most {most}"
    )
