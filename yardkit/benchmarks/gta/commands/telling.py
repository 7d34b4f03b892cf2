"""Print the findings of an action as text or JSON."""

import argparse
import json
from collections.abc import Iterator, Mapping
from typing import Any


def add_format(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--format`` for `print_summary`."""
    parser.add_argument("--format", choices=["text", "json"], default="text", help="default: text")


def print_summary(summary: Mapping[str, Any], arguments: argparse.Namespace) -> int:
    """Print the findings and return the exit code of success."""
    print(json.dumps(summary, indent=1) if arguments.format == "json" else "\n".join(_format_lines(summary)))  # noqa: T201
    return 0


def _format_lines(summary: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    for name, value in summary.items():
        if isinstance(value, Mapping):
            yield f"{indent}{name}:" + ("" if value else " none")
            yield from _format_lines(value, indent + "  ")
        elif isinstance(value, list):
            yield f"{indent}{name}: {', '.join(map(str, value)) or 'none'}"
        else:
            yield f"{indent}{name}: {value}"
