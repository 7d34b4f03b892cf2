"""The table of arguments of docs/arguments.md: which name stands for what, by type, and which servers use it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from yardkit.sandbox.serving.registry import load_server, server_names, tools_of

_ROW = re.compile(r"\| `(?P<name>\w+)` \| (?P<type>[^|]+) \| (?P<servers>[^|]+) \| (?P<meaning>.+) \|")
_WORDS = {"string": "text", "integer": "number", "number": "number", "boolean": "yes or no", "object": "object"}


class Argument(NamedTuple):
    """An argument by its name and type, such as ``list of text``."""

    name: str
    type: str


def written_meanings(text: str) -> dict[Argument, str]:
    """What the rows of a document say that arguments mean."""
    rows = filter(None, map(_ROW.fullmatch, text.splitlines()))
    return {Argument(row["name"], row["type"]): row["meaning"].strip() for row in rows}


def arguments_table(meanings: Mapping[Argument, str]) -> str:
    """A Markdown table of the arguments of all tools; what a new one means is taken from its schema."""
    rows = [
        f"| `{argument.name}` | {argument.type} | {', '.join(used)} | {meanings.get(argument) or described} |"
        for argument, (used, described) in sorted(_used().items())
    ]
    return "\n".join(["| name | type | servers | meaning |", "|---|---|---|---|", *rows])


def _used() -> dict[Argument, tuple[list[str], str]]:
    """The servers that use each argument, and how the first of them describes it."""
    found: dict[Argument, tuple[list[str], str]] = {}
    for server in server_names():
        for tool in tools_of(load_server(server)):
            for name, schema in tool.parameters.get("properties", {}).items():
                argument = Argument(name, ", ".join(sorted(set(_types(schema)))))
                servers, _ = found.setdefault(argument, ([], _described(schema)))
                servers += [] if server in servers else [server]
    return found


def _types(schema: Mapping[str, Any]) -> Iterator[str]:
    """What a value may be, but for null, which says nothing of its meaning."""
    for variant in schema.get("anyOf", [schema]):
        if variant.get("type") == "array":
            items = variant.get("items") or variant["prefixItems"][0]
            yield from (f"list of {kind}" for kind in _types(items))
        elif variant.get("type") in _WORDS:
            yield _WORDS[variant["type"]]


def _described(schema: Mapping[str, Any]) -> str:
    words = " ".join(str(schema.get("description", "")).split()).rstrip(".").replace("|", "/")
    return words[:1].lower() + words[1:]
