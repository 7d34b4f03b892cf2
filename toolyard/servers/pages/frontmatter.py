"""What Markdown files say of themselves before their text, as YAML between two lines of hyphens."""

import re

_FRONT = re.compile(r"\A\ufeff?---[ \t]*\n(?=[\w-]+:)((?:.*\n)*?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_TITLE = re.compile(r"""^title:[ \t]*(["']?)(.+?)\1[ \t]*$""", re.MULTILINE)


def without_front_matter(text: str) -> str:
    """The text alone."""
    return _FRONT.sub("", text, count=1)


def front_title(text: str) -> str:
    """The title that stands before the text; empty where there is none."""
    front = _FRONT.match(text)
    title = front and _TITLE.search(front[1])
    return title[2] if title else ""
