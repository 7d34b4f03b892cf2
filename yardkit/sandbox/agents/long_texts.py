"""Paging and searching in long texts, and tools in OpenAI's format."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from yardkit.world import Problem

PAGE = 10_000
"""Characters of a page."""
_AROUND = 200


def page_of(text: str, offset: Any) -> str:
    """Return the page of a text that starts at a character, with the offset of the next page.

    Raises:
        Problem: the offset is outside the text.
    """
    if not isinstance(offset, int) or not 0 <= offset < len(text):
        raise Problem(f"offset {offset!r} is not between 0 and {len(text) - 1}")
    end = min(offset + PAGE, len(text))
    more = f"next offset {end}" if end < len(text) else "this is the end"
    return f"{text[offset:end]}\n[characters {offset:,} to {end:,} of {len(text):,}; {more}]"


def places_in(text: str, pattern: str) -> Iterator[str]:
    """Yield the matches of a pattern, each with the text around it.

    Raises:
        Problem: it is not a valid regular expression.
    """
    # RE2 takes time linear in the text, so no pattern of the model can hang us as it could with `re`.
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
    """A tool in OpenAI's format; all its arguments are required unless `required` lists others."""
    needed = list(properties if required is None else required)
    parameters = {"type": "object", "properties": dict(properties), "required": needed}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}
