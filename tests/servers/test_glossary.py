"""One word for one thing over all servers: docs/arguments.md holds the name of each argument, its type, its meaning."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from walking import NAMES, tools_of

PAGE = Path(__file__).parents[2] / "docs" / "arguments.md"
ROW = re.compile(r"\| `(?P<name>\w+)` \| (?P<type>[^|]+) \| (?P<servers>[^|]+) \| (?P<meaning>.+) \|")
WORDS = {"string": "text", "integer": "number", "number": "number", "boolean": "yes or no", "object": "object"}
TWICE = {"allow", "rows", "shapes", "slides", "underline", "value", "values", "variables"}
"""Names of things that are told in two ways, such as slides by number and slides to add; no further ones."""


def kinds(schema: dict[str, Any]) -> Iterator[str]:
    """What a value may be, but for null, which says nothing of its meaning."""
    for variant in schema.get("anyOf", [schema]):
        if variant.get("type") == "array":
            items = variant.get("items") or variant["prefixItems"][0]
            yield from (f"list of {kind}" for kind in kinds(items))
        elif variant.get("type") in WORDS:
            yield WORDS[variant["type"]]


def used() -> dict[tuple[str, str], list[str]]:
    """The servers that use each name, by name and type."""
    found: dict[tuple[str, str], list[str]] = {}
    for server in NAMES:
        for tool in tools_of(server):
            for name, schema in tool.parameters.get("properties", {}).items():
                servers = found.setdefault((name, ", ".join(sorted(set(kinds(schema))))), [])
                servers += [] if server in servers else [server]
    return found


def test_each_argument_of_each_tool_stands_in_the_glossary_with_its_type() -> None:
    rows = [row.groupdict() for row in map(ROW.fullmatch, PAGE.read_text("utf-8").splitlines()) if row]
    written = {(row["name"], row["type"]): row["servers"].split(", ") for row in rows}
    assert written == used()
    assert all(row["meaning"].strip() for row in rows)
    assert {name for name, count in Counter(row["name"] for row in rows).items() if count > 1} <= TWICE
