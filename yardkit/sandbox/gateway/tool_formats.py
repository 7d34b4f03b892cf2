"""Tool lists in the shapes that model APIs take."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from yardkit.sandbox.episodes.ledger import canonical
from yardkit.world import Problem

McpTool = Mapping[str, Any]
"""A tool as MCP ``tools/list`` gives it."""


def tools_as(form: str, tools: Sequence[McpTool]) -> list[dict[str, Any]]:
    """`tools` as the ``tools`` field of a request: ``mcp``, ``openai`` (chat completions), ``anthropic``, ``gemini``.

    Raises:
        Problem: there is no such format.
    """
    if form not in _FORMS:
        raise Problem(f"there is no tool format {form!r}; use one of {', '.join(_FORMS)}")
    return _FORMS[form](tools)


def tools_digest(tools: Sequence[McpTool]) -> str:
    """SHA-256 of the canonical JSON of a tool list: the same tools, descriptions and schemas give the same digest."""
    return hashlib.sha256(canonical(tools)).hexdigest()


def _mcp(tools: Sequence[McpTool]) -> list[dict[str, Any]]:
    return [dict(tool) for tool in tools]


def _openai(tools: Sequence[McpTool]) -> list[dict[str, Any]]:
    return [{"type": "function", "function": _function(tool, "parameters")} for tool in tools]


def _anthropic(tools: Sequence[McpTool]) -> list[dict[str, Any]]:
    return [_function(tool, "input_schema") for tool in tools]


def _gemini(tools: Sequence[McpTool]) -> list[dict[str, Any]]:
    # parametersJsonSchema takes JSON Schema as it is; the older `parameters` knows only a part of it.
    return [{"functionDeclarations": [_function(tool, "parametersJsonSchema") for tool in tools]}]


def _function(tool: McpTool, schema: str) -> dict[str, Any]:
    return {"name": tool["name"], "description": tool.get("description", ""), schema: tool["inputSchema"]}


_FORMS: dict[str, Callable[[Sequence[McpTool]], list[dict[str, Any]]]] = {
    "mcp": _mcp,
    "openai": _openai,
    "anthropic": _anthropic,
    "gemini": _gemini,
}
