"""What Markdown files say of themselves before their text, as YAML between two lines of hyphens."""

import re

_FRONT = re.compile(r"\A\ufeff?---[ \t]*\n(?=[\w-]+:)((?:.*\n)*?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_LANGUAGE = re.compile(r"""^lang(?:uage)?:[ \t]*(["']?)([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\1[ \t]*$""", re.MULTILINE)
_TITLE = re.compile(r"""^title:[ \t]*(["']?)(.+?)\1[ \t]*$""", re.MULTILINE)


def without_front_matter(text: str) -> str:
    """The text alone."""
    return _FRONT.sub("", text, count=1)


def front_title(text: str) -> str:
    """The title that stands before the text; empty where there is none."""
    return _find_statement(text, _TITLE)


def front_language(text: str) -> str:
    """The language that stands before the text, such as "de-AT"; empty where there is none."""
    return _find_statement(text, _LANGUAGE)


def _find_statement(text: str, pattern: re.Pattern[str]) -> str:
    front = _FRONT.match(text)
    match = front and pattern.search(front[1])
    return match[2] if match else ""
