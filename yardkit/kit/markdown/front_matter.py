"""The front matter of Markdown files: YAML between two lines of hyphens before the text."""

import re

_FRONT = re.compile(r"\A\ufeff?---[ \t]*\n(?=[\w-]+:)((?:.*\n)*?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_LANGUAGE = re.compile(r"""^lang(?:uage)?:[ \t]*(["']?)([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\1[ \t]*$""", re.MULTILINE)
_TITLE = re.compile(r"""^title:[ \t]*(["']?)(.+?)\1[ \t]*$""", re.MULTILINE)


def without_front_matter(text: str) -> str:
    """Return the text without front matter."""
    return _FRONT.sub("", text, count=1)


def front_title(text: str) -> str:
    """Return the title in the front matter; empty if there is none."""
    return _find_statement(text, _TITLE)


def front_language(text: str) -> str:
    """Return the language in the front matter, such as "de-AT"; empty if there is none."""
    return _find_statement(text, _LANGUAGE)


def _find_statement(text: str, pattern: re.Pattern[str]) -> str:
    front = _FRONT.match(text)
    match = front and pattern.search(front[1])
    return match[2] if match else ""
