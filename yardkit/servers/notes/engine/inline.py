"""Styled text as Markdown and back.

Bold, italic, struck out, underlined (``<u>``), code and links; a link to ``page:12`` or ``person:3`` is to one of the
notes'. What would be read as a mark is escaped with a backslash.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from yardkit.apps.notes import Span

_ESCAPED = re.compile(r"[\\`*\[\]]|~~|(?<!\w)_|_(?!\w)|<(?=/?u>|br>)")
_MARKS = re.compile(
    r"\\(?P<plain>[^\w\s]|_)"
    r"|`(?P<code>[^`]+)`"
    r"|<u>(?P<underline>.+?)</u>"
    r"|\[(?P<label>(?:\\.|`[^`]+`|[^\]\\`])*)\]\((?P<link>[^()\s]+)\)"
    r"|\*\*(?P<bold>(?:\\.|`[^`]+`|[^*\\]|\*(?!\*))+?)\*\*(?!\*)"
    r"|\*(?P<italic>(?:\\.|`[^`]+`|[^*\\])+?)\*"
    r"|(?<!\w)_(?P<italic_2>(?:\\.|`[^`]+`|[^_\\])+?)_(?!\w)"
    r"|~~(?P<strikethrough>(?:\\.|`[^`]+`|[^~\\]|~(?!~))+?)~~",
    re.DOTALL,
)


def spans_of(markdown: str, style: Span = Span("")) -> list[Span]:  # noqa: B008 - a frozen value
    """The pieces of a text; neighbours of one style are one piece."""
    spans: list[Span] = []
    at = 0
    for found in _MARKS.finditer(markdown):
        spans.append(replace(style, text=markdown[at : found.start()]))
        spans += _marked(found, style)
        at = found.end()
    return merged([*spans, replace(style, text=markdown[at:])])


def _marked(found: re.Match[str], style: Span) -> list[Span]:
    kind, held = found.lastgroup or "", found[found.lastgroup or 0]
    if kind == "plain":
        return [replace(style, text=held)]
    if kind == "code":
        return [replace(style, text=held, code=True)]
    if kind == "link":
        return spans_of(found["label"], replace(style, link=held))
    name = "italic" if kind == "italic_2" else kind
    marked: dict[str, Any] = {name: True}
    return spans_of(held, replace(style, **marked))


def merged(spans: Iterable[Span]) -> list[Span]:
    """Pieces of which no two neighbours have the same style, and none is empty."""
    kept: list[Span] = []
    for span in spans:
        if kept and replace(kept[-1], text="") == replace(span, text=""):
            kept[-1] = replace(span, text=kept[-1].text + span.text)
        elif span.text:
            kept.append(span)
    return kept


def markdown_of(spans: Iterable[Span]) -> str:
    """Pieces as Markdown."""
    return "".join(map(_shown, spans))


def _shown(span: Span) -> str:
    """A piece with its marks, which stand at its words and not at blanks around them."""
    core = span.text.strip()
    if not core:
        return span.text
    before, _, after = span.text.partition(core)
    shown = f"`{core}`" if span.code and "`" not in core else _ESCAPED.sub(_escape, core)
    marks = (("~~", span.strikethrough), ("*", span.italic), ("**", span.bold))
    for mark, held in marks:
        shown = f"{mark}{shown}{mark}" if held else shown
    shown = f"<u>{shown}</u>" if span.underline else shown
    return f"{before}[{shown}]({span.link}){after}" if span.link else f"{before}{shown}{after}"


def _escape(found: re.Match[str]) -> str:
    return "".join(f"\\{sign}" for sign in found[0])


def plain(spans: Iterable[Span]) -> str:
    """The text of pieces, without style."""
    return "".join(span.text for span in spans)


def styled(spans: list[Span]) -> list[Span]:
    """Pieces as a block keeps them: none where there is no style."""
    return [] if all(replace(span, text="") == Span("") for span in spans) else spans
