"""Long texts that a model pages through and searches, and tools in OpenAI's form."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from yardkit.world import Problem

PAGE = 10_000
"""Characters of a page."""
_AROUND = 200


def page_of(text: str, offset: Any) -> str:
    """A page of a text from a character on, and where the next one begins.

    Raises:
        Problem: the offset lies outside.
    """
    if not isinstance(offset, int) or not 0 <= offset < len(text):
        raise Problem(f"offset {offset!r} is not between 0 and {len(text) - 1}")
    end = min(offset + PAGE, len(text))
    more = f"next offset {end}" if end < len(text) else "this is the end"
    return f"{text[offset:end]}\n[characters {offset:,} to {end:,} of {len(text):,}; {more}]"


def places_in(text: str, pattern: str) -> Iterator[str]:
    """The places where a pattern is found, each with what stands around it.

    Raises:
        Problem: it is no regular expression.
    """
    # RE2 takes time linear in the text, whatever pattern the model writes.
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        compiled_pattern = re2.compile(pattern, options)
    except re2.error as error:
        raise Problem(f"{pattern!r} is not a valid regular expression (RE2 syntax): {error}") from error
    for match in compiled_pattern.finditer(text):
        around = text[max(0, match.start() - _AROUND) : match.end() + _AROUND][: 5 * _AROUND]
        yield f"at {match.start()}: ...{around}..."


def function_tool(
    name: str, description: str, properties: Mapping[str, Any], required: Sequence[str] | None = None
) -> dict[str, Any]:
    """A tool in OpenAI's form; all its arguments are required where nothing is said."""
    needed = list(properties if required is None else required)
    parameters = {"type": "object", "properties": dict(properties), "required": needed}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}
