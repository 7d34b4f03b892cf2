"""The names of arguments in all servers: their meaning by type, and the servers that use them."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from yardkit.sandbox.serving.registry import load_server, server_names, tools_of

_WORDS = {"string": "text", "integer": "number", "number": "number", "boolean": "yes or no", "object": "object"}
_INTRODUCTION = """\
# Words for arguments

The arguments of all tools: one word for one thing. Before you name an argument, look for a word that fits. A word with
two rows has two types. Where an argument is a list, a single item is accepted as a list of one.

A tool works on its `path` and writes there, or to `target`. It takes content from `source`, a design from `template`,
compares with `other`, and writes several files into `folder`. `query` is searched for, `find` is replaced, and `text`
is written. Units are the end of a name (`_cm`, `_mm`, `_pt`, `_px`, `_s`); a `box` is in points.

Models often call an argument by another usual word (`output_path`, `file_path`). Tools accept those words, which are
listed in `yardkit/kit/synonyms.py`."""


class Argument(NamedTuple):
    """An argument by its name and type, such as ``list of text``."""

    name: str
    type: str


def arguments_page() -> str:
    """Make the Markdown page about the naming of arguments, with a table of all."""
    return f"{_INTRODUCTION}\n\n{arguments_table()}\n"


def arguments_table() -> str:
    """Make a Markdown table of the arguments of all tools, each with the description of the first tool that has it."""
    rows = [
        f"| `{argument.name}` | {argument.type} | {', '.join(servers)} | {meaning} |"
        for argument, (servers, meaning) in sorted(used_arguments().items())
    ]
    return "\n".join(["| Name | Type | Servers | Meaning |", "|---|---|---|---|", *rows])


def used_arguments() -> dict[Argument, tuple[list[str], str]]:
    """Find the servers that use each argument, and the description in the first of them."""
    argument_uses: dict[Argument, tuple[list[str], str]] = {}
    for server in server_names():
        for tool in tools_of(load_server(server)):
            for name, schema in tool.parameters.get("properties", {}).items():
                argument = Argument(name, ", ".join(sorted(set(_list_types(schema)))))
                servers, _ = argument_uses.setdefault(argument, ([], _read_description(schema)))
                servers += [] if server in servers else [server]
    return argument_uses


def _list_types(schema: Mapping[str, Any]) -> Iterator[str]:
    """List the types of a value, without null, which does not affect its meaning."""
    for variant in schema.get("anyOf", [schema]):
        if variant.get("type") == "array":
            items = variant.get("items") or variant["prefixItems"][0]
            yield from (f"list of {kind}" for kind in _list_types(items))
        elif variant.get("type") in _WORDS:
            yield _WORDS[variant["type"]]


def _read_description(schema: Mapping[str, Any]) -> str:
    words = " ".join(str(schema.get("description", "")).split()).rstrip(".").replace("|", "/")
    return words[:1].lower() + words[1:]
