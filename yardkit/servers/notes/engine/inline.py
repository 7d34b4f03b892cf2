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
    for match in _MARKS.finditer(markdown):
        spans.append(replace(style, text=markdown[at : match.start()]))
        spans += _parse_mark(match, style)
        at = match.end()
    return merge_spans([*spans, replace(style, text=markdown[at:])])


def _parse_mark(match: re.Match[str], style: Span) -> list[Span]:
    kind, marked_text = match.lastgroup or "", match[match.lastgroup or 0]
    if kind == "plain":
        return [replace(style, text=marked_text)]
    if kind == "code":
        return [replace(style, text=marked_text, code=True)]
    if kind == "link":
        return spans_of(match["label"], replace(style, link=marked_text))
    name = "italic" if kind == "italic_2" else kind
    marked: dict[str, Any] = {name: True}
    return spans_of(marked_text, replace(style, **marked))


def merge_spans(spans: Iterable[Span]) -> list[Span]:
    """Pieces of which no two neighbours have the same style, and none is empty."""
    merged_spans: list[Span] = []
    for span in spans:
        if merged_spans and replace(merged_spans[-1], text="") == replace(span, text=""):
            merged_spans[-1] = replace(span, text=merged_spans[-1].text + span.text)
        elif span.text:
            merged_spans.append(span)
    return merged_spans


def markdown_of(spans: Iterable[Span]) -> str:
    """Pieces as Markdown."""
    return "".join(map(_format_span, spans))


def _format_span(span: Span) -> str:
    """A piece with its marks, which stand at its words and not at blanks around them."""
    core = span.text.strip()
    if not core:
        return span.text
    before, _, after = span.text.partition(core)
    span_text = f"`{core}`" if span.code and "`" not in core else _ESCAPED.sub(_escape_signs, core)
    marks = (("~~", span.strikethrough), ("*", span.italic), ("**", span.bold))
    for mark, is_marked in marks:
        span_text = f"{mark}{span_text}{mark}" if is_marked else span_text
    span_text = f"<u>{span_text}</u>" if span.underline else span_text
    return f"{before}[{span_text}]({span.link}){after}" if span.link else f"{before}{span_text}{after}"


def _escape_signs(match: re.Match[str]) -> str:
    return "".join(f"\\{sign}" for sign in match[0])


def join_text(spans: Iterable[Span]) -> str:
    """The text of pieces, without style."""
    return "".join(span.text for span in spans)


def keep_styled(spans: list[Span]) -> list[Span]:
    """Pieces as a block keeps them: none where there is no style."""
    return [] if all(replace(span, text="") == Span("") for span in spans) else spans
