"""Tool lists in the formats of model APIs."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from yardkit.sandbox.episodes.ledger import encode_canonical
from yardkit.world import Problem

McpTool = Mapping[str, Any]
"""A tool as MCP ``tools/list`` gives it."""


def tools_as(form: str, tools: Sequence[McpTool]) -> list[dict[str, Any]]:
    """Format `tools` as a request's ``tools`` field: ``mcp``, ``openai`` (chat completions), ``anthropic``, ``gemini``.

    Raises:
        Problem: the format is unknown.
    """
    if form not in _FORMS:
        raise Problem(f"there is no tool format {form!r}; use one of {', '.join(_FORMS)}")
    return _FORMS[form](tools)


def tools_digest(tools: Sequence[McpTool]) -> str:
    """SHA-256 of the canonical JSON of a tool list: the same tools, descriptions and schemas give the same digest."""
    return hashlib.sha256(encode_canonical(tools)).hexdigest()


def _to_mcp(tools: Sequence[McpTool]) -> list[dict[str, Any]]:
    return [dict(tool) for tool in tools]


def _to_openai(tools: Sequence[McpTool]) -> list[dict[str, Any]]:
    return [{"type": "function", "function": _make_function(tool, "parameters")} for tool in tools]


def _to_anthropic(tools: Sequence[McpTool]) -> list[dict[str, Any]]:
    return [_make_function(tool, "input_schema") for tool in tools]


def _to_gemini(tools: Sequence[McpTool]) -> list[dict[str, Any]]:
    # parametersJsonSchema takes any JSON Schema; the older `parameters` supports only part of it.
    return [{"functionDeclarations": [_make_function(tool, "parametersJsonSchema") for tool in tools]}]


def _make_function(tool: McpTool, schema: str) -> dict[str, Any]:
    return {"name": tool["name"], "description": tool.get("description", ""), schema: tool["inputSchema"]}


_FORMS: dict[str, Callable[[Sequence[McpTool]], list[dict[str, Any]]]] = {
    "mcp": _to_mcp,
    "openai": _to_openai,
    "anthropic": _to_anthropic,
    "gemini": _to_gemini,
}
