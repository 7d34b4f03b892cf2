"""Programs that a language model wrote, often with the fence of a Markdown code block around them."""

import ast
import re

_MAX_PARSED = 200_000
"""Characters of a text that is parsed to see whether it is a program as it is."""
_FENCE_LINE = re.compile(r"^[ \t]*(`{3,}|~{3,})", re.MULTILINE)
_BLOCK = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,})[ \t]*(?P<language>[\w+.-]*)[^\n`]*\n"
    r"(?P<code>.*?)(?:^[ \t]*(?P=fence)[`~]*[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)
_PYTHON = ("", "python", "python3", "py")


def unfence_program(text: str) -> str:
    """The Python program that a text is, or that its code blocks are, one after the other.

    A program may hold fences itself, such as one that writes Markdown: it stays as it is.
    """
    text = text.replace("\r\n", "\n")
    if not _FENCE_LINE.search(text) or _is_program(text):
        return text
    around = re.fullmatch(r"\s*(`{3,}|~{3,})[ \t]*\w*[ \t]*\n(.*?)(?:\n[ \t]*\1[ \t]*)?\s*", text, re.DOTALL)
    if around and _is_program(around[2]):
        return around[2]
    blocks = [match["code"] for match in _BLOCK.finditer(text) if match["language"].lower() in _PYTHON]
    return "\n".join(blocks) or text


def _is_program(text: str) -> bool:
    """Whether a text parses; a long one is taken for a program unless it begins with a fence."""
    if len(text) > _MAX_PARSED:
        return not _FENCE_LINE.match(text.lstrip())
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return bool(text.strip())
